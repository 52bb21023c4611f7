"""Modules of kernels, written to files as a user's are, and compiled."""

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Final

HEADER: Final = """\
from typing import Any, NamedTuple

import numpy as np

from rookery.kernel import U64, called_kernel, cold_kernel, entry, kernel, signed
"""


@contextmanager
def imported(source: str, folder: Path, name: str) -> Iterator[ModuleType]:
    """Write a module to a folder, import it, and forget it at the end."""
    file = folder / f"{name}.py"
    file.write_text(source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
        yield module
    finally:
        del sys.modules[name]
