"""Opening books by the names of ``chess.polyglot``: `rookery.Book`, opened as a file."""

import os
from collections.abc import Collection
from types import TracebackType
from typing import Any, Final, Self

from rookery.arguments import check_path, not_a_board
from rookery.board.board import Board
from rookery.board.moves import Move
from rookery.games.openings.books import Book, BookEntry, read_book
from rookery.rules.polyglot import CONSTANTS

POLYGLOT_RANDOM_ARRAY: Final[list[int]] = CONSTANTS.tolist()
Entry = BookEntry


def zobrist_hash(board: Board) -> int:
    """Return the key of a position, which is `Board.polyglot_key`.

    >>> hex(zobrist_hash(Board()))
    '0x463b96181691fc9c'
    """
    if not isinstance(board, Board):
        raise not_a_board("board", board)
    return board.polyglot_key


class MemoryMappedReader(Book):
    """A book that is open for reading, which `open_reader` returns. It is a `rookery.Book`."""

    __slots__ = ()

    def __init__(self, filename: str | os.PathLike[str]) -> None:
        """Read a book. A file that is not one is a ValueError."""
        check_path("filename", filename)
        book = read_book(filename)
        for name in self._COLUMNS:
            setattr(self, name, getattr(book, name))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __contains__(self, entry: Any) -> bool:
        """Check whether the book has an entry, as it is in the book."""
        return isinstance(entry, BookEntry) and entry in self._found(entry.key, entry.weight)

    def find_all(self, board: Any, *, minimum_weight: int = 1, exclude_moves: Collection[Move] = ()) -> Any:
        """Return an iterator of the entries that `rookery.Book.find_all` lists."""
        return iter(self._found(board, minimum_weight, exclude_moves))

    def close(self) -> None:
        """Close the book. It is in memory, and can be read on."""


def open_reader(path: str | os.PathLike[str]) -> MemoryMappedReader:
    """Open a book.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "book.bin"
    >>> import rookery
    >>> rookery.read_pgn(b"1. e4 *").opening_tree().to_book().write(path)
    >>> with open_reader(path) as reader:
    ...     for entry in reader.find_all(Board()):
    ...         print(entry.move, entry.weight)
    e2e4 1
    """
    return MemoryMappedReader(path)


__all__ = ["POLYGLOT_RANDOM_ARRAY", "Entry", "MemoryMappedReader", "open_reader", "zobrist_hash"]
