"""The code that a process runs: tasks carry what their caller runs, and a worker that runs another refuses them."""

import functools
import hashlib
import os
import platform
from importlib import metadata
from pathlib import Path
from typing import Final, NamedTuple

from rookery.sources.disk import DISK

_PACKAGE: Final = Path(__file__).parents[1]
_DIGITS: Final = 12


class ExecutorError(OSError):
    """An executor that cannot do the work. Finished tasks are kept, and another executor may go on from them."""


class OtherCodeError(ExecutorError):
    """A task that a worker refused because it has another rookery."""


class Code(NamedTuple):
    """The version of rookery, and a digest of its modules."""

    version: str
    digest: str

    def __str__(self) -> str:
        return f"rookery {self.version} (code {self.digest})"


@functools.cache
def own_version() -> str:
    """Return the version of this process."""
    return metadata.version("rookery")


@functools.cache
def own_code() -> Code:
    """Return what this process runs. Reading the modules takes 30 ms."""
    digest = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*.py")):
        with DISK.open(path) as file:
            digest.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0" + file.read() + b"\0")
    return Code(own_version(), digest.hexdigest()[:_DIGITS])


def check_code(expected: Code) -> None:
    """Raise `OtherCodeError`, which names this worker, unless it runs the expected code."""
    if own_code() != expected:
        worker = f"{platform.node() or 'unknown'}, process {os.getpid()}"
        raise OtherCodeError(
            f"executor: worker {worker} has {own_code()}, expected {expected}: install the same rookery on all workers"
        )
