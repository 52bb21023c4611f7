"""Checkpoints of perft: files that list which parts of the tree are counted, and that survive a crash."""

import os
from pathlib import Path
from typing import Any, BinaryIO, Final, Self

from rookery.board.board import Board
from rookery.sources import files
from rookery.sources.disk import DISK
from rookery.tasks.differences import OtherWorkError, difference, with_force

_KIND: Final = files.Kind("checkpoint", "rookery perft, version 1")


class Checkpoint:
    """A file that lists which parts of a count are done. It is replaced as a whole, so it is never half written.

    Raises ValueError if the file is no checkpoint, is damaged, belongs to another count, or is in use by another
    process. The file then stays as it is, but `force` begins a damaged one and that of another count anew. Use it in a
    ``with`` statement.
    """

    def __init__(
        self, path: str | os.PathLike[str], board: Board, depth: int, number: int, *, force: bool = False
    ) -> None:
        self.path = Path(path)
        count = {"fen": board.fen(shredder=True, en_passant="fen"), "depth": depth}
        self.count: dict[str, Any] = {**count, "parts": number}
        self._lock: BinaryIO | None = None
        known = read_checkpoint(path, force=force, **count)
        if known is None:
            if self.path.exists():
                self._hold()
            try:
                files.save(self.path, _KIND, {**self.count, "leaves": {}})
            except OSError as error:
                raise ValueError(f"checkpoint: {path}: {error.strerror}") from error
        self.leaves: dict[int, int] = known or {}
        if any(i >= number for i in self.leaves):
            raise ValueError(f"checkpoint: {path}: part {max(self.leaves)}: expected parts up to {number - 1}")
        self._hold()

    def save(self, leaves: dict[int, int]) -> None:
        """Replace the file. If that raises OSError, the file is unchanged."""
        files.save(self.path, _KIND, {**self.count, "leaves": {str(i): n for i, n in sorted(leaves.items())}})
        self._hold()

    def _hold(self) -> None:
        """Lock the file, which is a new one after each save. Windows can neither lock an open file nor replace it."""
        if os.name != "posix":
            return
        file = DISK.open(self.path)
        try:
            is_free = DISK.lock(file)
        except OSError:  # a file system without locks
            is_free = True
        if not is_free:
            file.close()
            raise ValueError(f"checkpoint: {self.path}: is in use by another process: wait until that ends")
        self.close()
        self._lock = file

    def close(self) -> None:
        """Release the file."""
        if self._lock is not None:
            self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read_checkpoint(path: str | os.PathLike[str], *, force: bool = False, **count: Any) -> dict[int, int] | None:
    """Return the number of leaves of each counted part, or None if there is no file yet.

    `count` holds what the checkpoint should belong to: `fen` as ``board.fen(shredder=True, en_passant="fen")``,
    `depth`, both or neither. Raises ValueError if the file is damaged or belongs to another count; with `force` that is
    as if there were none. Nothing is compiled.
    """
    files.check_place("checkpoint", path)
    try:
        return _leaves_in(path, count)
    except (OtherWorkError, files.Damaged) as error:
        if force:
            return None
        raise with_force(error) from error


def _leaves_in(path: str | os.PathLike[str], count: dict[str, Any]) -> dict[int, int] | None:
    document = files.load(path, _KIND)
    if document is None:
        return None
    if other := difference({name: document.get(name) for name in count}, count):
        raise OtherWorkError(path, other, "checkpoint")
    leaves = document.get("leaves")
    if not isinstance(leaves, dict) or not all(
        i.isascii() and i.isdigit() and type(n) is int and n >= 0 for i, n in leaves.items()
    ):
        raise files.Damaged(f"checkpoint: {path}: leaves: expected a count for each part that is done")
    return {int(i): n for i, n in leaves.items()}
