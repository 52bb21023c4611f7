"""Opening books in Polyglot's format: read, looked up, made from opening trees, and written.

A book is a file of entries of 16 bytes, sorted by the keys of their positions (`rookery.rules.polyglot`). An entry has
the key, a move, its weight, and a number for programs that learn, each with its most significant byte first. A move has
its target in bits 0 to 5, its source in bits 6 to 11, and the piece of a promotion in bits 12 to 14: 1 for a knight to
4 for a queen. Castling is written as the king taking its rook.
"""

import bisect
import itertools
import os
from collections.abc import Collection
from random import Random
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from rookery.aliases import BookWeights
from rookery.arguments import check_path, choice, count, is_number, not_a_board, shown
from rookery.bitboards.pieces import PROMOTED
from rookery.board.board import Board
from rookery.board.moves import Move
from rookery.frames.frame import Frame
from rookery.games.openings.growth import MOVE, PARENT
from rookery.sources import files
from rookery.sources.identity import reading

ENTRY: Final = np.dtype([("key", ">u8"), ("move", ">u2"), ("weight", ">u2"), ("learn", ">u4")])
MOST_WEIGHT: Final = (1 << 16) - 1
_WEIGHTS: Final = {"games": "games", "points": "points"}
_PROMOTION: Final = 1  # the kind of a move, in bits 14 and 15 of its word


class BookEntry(NamedTuple):
    """An entry of a book: the key of its position, the move as the format has it, the weight, and the move.

    `learn` is a number that programs which learn keep there.
    """

    key: int
    raw_move: int
    weight: int
    learn: int
    move: Move


class Book(Frame):
    r"""The entries of an opening book in Polyglot's format, sorted by the keys of their positions.

    `read_book` reads a book, and `OpeningTree.to_book` makes one. Columns are ``key`` (uint64, `Board.polyglot_key`),
    ``move`` (uint16, as the format has it), ``weight`` (uint16) and ``learn`` (uint32). An int index
    gives a `BookEntry`, a slice, a mask or indices a book, and a name a column. Methods have the names of python-chess.

    >>> tree = read_pgn(b"1. e4 e5 1-0\n\n1. e4 c5 0-1\n\n1. d4 *").opening_tree()
    >>> book = tree.to_book()
    >>> book
    <book of 4 entries>
    >>> for move in book.find_all(Board()):
    ...     print(move.move.uci(), move.weight)
    e2e4 2
    d2d4 1
    """

    __slots__ = ("key", "learn", "move", "weight")
    _COLUMNS = ("key", "move", "weight", "learn")
    key: NDArray[np.uint64]
    move: NDArray[np.uint16]
    weight: NDArray[np.uint16]
    learn: NDArray[np.uint32]

    @classmethod
    def _of(cls, entries: Any) -> Self:
        """Return the entries of an array of `ENTRY`, sorted by key."""
        book = object.__new__(cls)
        for name in cls._COLUMNS:
            column = entries[name]
            setattr(book, name, column.astype(column.dtype.newbyteorder("=")))
        return book

    @classmethod
    def _joined(cls, parts: Any) -> Self:
        table = super()._joined(parts)
        return table[np.argsort(table.key, kind="stable")]

    def __repr__(self) -> str:
        return f"<book of {len(self):,} {'entry' if len(self) == 1 else 'entries'}>"

    def __contains__(self, board: Any) -> bool:
        """Check whether the book has a move of a weight above 0 for a position."""
        return bool(self._found(board))

    def _row(self, i: int) -> BookEntry:
        raw = int(self.move[i])
        return BookEntry(int(self.key[i]), raw, int(self.weight[i]), int(self.learn[i]), _move_of(raw))

    def bisect_key_left(self, key: int) -> int:
        """Return the number of entries whose keys are lower.

        >>> read_pgn(b"1. e4 *").opening_tree().to_book().bisect_key_left(1 << 63)
        1
        """
        return int(np.searchsorted(self.key, np.uint64(_checked_key("key", key))))

    def find_all(self, board: Any, *, minimum_weight: int = 1, exclude_moves: Collection[Move] = ()) -> list[BookEntry]:
        """Return the entries for a position, a `Board`, a FEN or a key, in the order of the book.

        Entries of less than `minimum_weight` and those of `exclude_moves` are left out. So are moves that are not legal
        on a board, since two positions may have one key.

        >>> read_pgn(b"1. e4 *").opening_tree().to_book().find_all(Board(), exclude_moves=[Move.of(12, 28)])
        []
        """
        return self._found(board, minimum_weight, exclude_moves)

    def _found(self, board: Any, minimum_weight: int = 1, exclude_moves: Collection[Move] = ()) -> list[BookEntry]:
        board = Board(board) if isinstance(board, str) else board
        is_board = isinstance(board, Board)
        if not is_board and not is_number(board):
            raise not_a_board("board", board, "a rookery.Board, a FEN or a key")
        least = count("minimum_weight", minimum_weight, 0, MOST_WEIGHT)
        if not isinstance(exclude_moves, Collection) or isinstance(exclude_moves, (str, bytes)):
            raise TypeError(f"exclude_moves: {shown(exclude_moves)}: expected moves")
        key = board.polyglot_key if is_board else _checked_key("board", board)
        first, last = (int(np.searchsorted(self.key, np.uint64(key), side)) for side in ("left", "right"))
        entries = [self._row(i) for i in range(first, last)]
        if is_board and entries:
            legal = legal_moves(board)
            entries = [entry._replace(move=legal[entry.raw_move]) for entry in entries if entry.raw_move in legal]
        return [entry for entry in entries if entry.weight >= least and entry.move not in exclude_moves]

    def find(self, board: Any, *, minimum_weight: int = 1, exclude_moves: Collection[Move] = ()) -> BookEntry:
        """Return the move of the highest weight for a position. IndexError if the book has none. See `find_all`.

        >>> read_pgn(b"1. e4 *").opening_tree().to_book().find(Board())
        BookEntry(key=5060803636482931868, raw_move=796, weight=1, learn=0, move=Move('e2e4'))
        """
        return _heaviest(self._some(board, minimum_weight, exclude_moves))

    def get(
        self, board: Any, default: Any = None, *, minimum_weight: int = 1, exclude_moves: Collection[Move] = ()
    ) -> Any:
        """Return the move that `find` returns, or a default if the book has none.

        >>> read_pgn(b"1. e4 *").opening_tree().to_book().get("8/8/8/8/8/8/8/K1k5 w - - 0 1", "none")
        'none'
        """
        found = self._found(board, minimum_weight, exclude_moves)
        return _heaviest(found) if found else default

    def choice(
        self,
        board: Any,
        *,
        minimum_weight: int = 1,
        exclude_moves: Collection[Move] = (),
        random: Random | None = None,
    ) -> BookEntry:
        """Return one of the moves for a position, each as likely as the others. IndexError if the book has none.

        >>> read_pgn(b"1. e4 *").opening_tree().to_book().choice(Board()).move
        Move('e2e4')
        """
        found = self._some(board, minimum_weight, exclude_moves)
        return found[_generator(random).randint(0, len(found) - 1)]

    def weighted_choice(
        self, board: Any, *, exclude_moves: Collection[Move] = (), random: Random | None = None
    ) -> BookEntry:
        """Return one of the moves for a position, as likely as its weight says. IndexError if the book has none.

        >>> read_pgn(b"1. e4 *").opening_tree().to_book().weighted_choice(Board()).move
        Move('e2e4')
        """
        found = self._some(board, 1, exclude_moves)
        sums = list(itertools.accumulate(entry.weight for entry in found))
        return found[bisect.bisect_right(sums, _generator(random).randint(0, sums[-1] - 1))]

    def _some(self, board: Any, minimum_weight: int, exclude_moves: Collection[Move]) -> list[BookEntry]:
        found = self._found(board, minimum_weight, exclude_moves)
        if not found:
            position = board.fen() if isinstance(board, Board) else board
            raise IndexError(
                f"board: {shown(position)}: the book has no move for it of minimum_weight {minimum_weight}"
            )
        return found

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the book to a file, which replaces one at `path` when it is complete.

        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "book.bin"
        >>> read_pgn(b"1. e4 *").opening_tree().to_book().write(path)
        >>> path.stat().st_size
        16
        """
        check_path("path", path)
        entries = np.empty(len(self), ENTRY)
        order = np.argsort(self.key, kind="stable")
        for name in self._COLUMNS:
            entries[name] = getattr(self, name)[order]
        files.write(path, entries.tobytes())


def _heaviest(entries: list[BookEntry]) -> BookEntry:
    """Return the first of the entries of the highest weight."""
    return max(entries, key=lambda entry: entry.weight)


def _checked_key(name: str, key: Any) -> int:
    if not is_number(key) or not 0 <= key < 1 << 64:
        raise ValueError(f"{name}: {shown(key)}: expected a key from 0 to 2**64 - 1")
    return int(key)


def _generator(random: Random | None) -> Random:
    if random is None:
        return Random()  # a game needs no secrets
    if not hasattr(random, "randint"):
        raise TypeError(f"random: {shown(random)}: expected a random.Random or None")
    return random


def read_book(source: Any) -> Book:
    r"""Read an opening book in Polyglot's format.

    `source` is a path, bytes, or a file open for reading bytes. A size that is not that of whole entries, and keys
    that are not sorted, are a ValueError: the format has no other sign by which it is recognised.

    >>> import struct
    >>> book = read_book(struct.pack(">QHHI", Board().polyglot_key, 12 << 6 | 28, 5, 0))
    >>> book.find(Board()).move
    Move('e2e4')
    """
    name = "source"
    if isinstance(source, (str, os.PathLike)):
        check_path("source", source)
        name = os.fsdecode(source)
        with reading(source) as file:
            content = file.read()
    elif hasattr(source, "read"):
        content = source.read()
    else:
        content = source
    try:
        view = memoryview(content).cast("B")
    except TypeError:
        raise TypeError(f"source: {shown(source)}: expected a path, bytes or a file open for reading bytes") from None
    if len(view) % ENTRY.itemsize:
        raise ValueError(f"{name}: {len(view):,} bytes: expected a book of entries of {ENTRY.itemsize} bytes")
    entries = np.frombuffer(view, ENTRY)
    keys = entries["key"].astype(np.uint64)
    lower = np.flatnonzero(keys[1:] < keys[:-1])
    if lower.size:
        raise ValueError(f"{name}: entry {lower[0] + 2:,}: a key lower than the one before it: expected a sorted book")
    return Book._of(entries)


def book_of(tree: Any, weights: BookWeights, min_games: int) -> Book:
    """Return the book of a tree; see `OpeningTree.to_book`."""
    by = choice("weights", weights, _WEIGHTS)
    least = count("min_games", min_games, 1)
    links, storage = tree._storage.used_moves.links, tree._storage
    parents = links[:, PARENT].astype(np.int64)
    counted = tree._move_statistics(slice(None))
    games = np.asarray(counted.games, np.int64)
    weight = games
    if by == "points":
        white = storage.used_positions.words[parents, 9] == 0
        wins = np.where(white, counted.white_wins, counted.black_wins).astype(np.int64)
        weight = 2 * wins + np.asarray(counted.draws, np.int64)
    kept = np.flatnonzero((games >= least) & (weight > 0))
    parents, weight = parents[kept], weight[kept]
    most = np.zeros(len(tree), np.int64)
    np.maximum.at(most, parents, weight)
    most = most[parents]
    scaled = np.where(most > MOST_WEIGHT, np.maximum(weight * MOST_WEIGHT // np.maximum(most, 1), 1), weight)
    entries = np.zeros(kept.size, ENTRY)
    entries["key"] = storage.boards().polyglot_keys()[parents]
    entries["move"] = raw_moves(links[kept, MOVE])
    entries["weight"] = scaled
    return Book._of(entries[np.lexsort((entries["move"], -scaled, entries["key"]))])


def raw_moves(words: Any) -> NDArray[np.uint16]:
    """Return the moves of a book for words of moves, which have castling as the king taking its rook, too.

    >>> raw_moves([Move.of(12, 28), Move.of(48, 56, promotion="q")]).tolist()
    [796, 19512]
    """
    words = np.asarray(words).astype(np.int64)
    promotion = np.where(words >> 14 == _PROMOTION, (words >> 12 & 3) + 1, 0)
    moves: NDArray[np.uint16] = (words >> 6 & 63 | (words & 63) << 6 | promotion << 12).astype(np.uint16)
    return moves


def _move_of(raw: int) -> Move:
    """Return a move of a book, which need not be legal anywhere. Castling goes to the rook's square."""
    source, target, promotion = raw >> 6 & 63, raw & 63, raw >> 12 & 7
    return Move.of(source, target, promotion=promotion + 1 if 1 <= promotion <= len(PROMOTED) else None)


def legal_moves(board: Board) -> dict[int, Move]:
    """Return the legal moves of a position by their moves in a book.

    Castling of orthodox chess is also known by the king's own squares, since some books have it so.
    """
    moves = list(board.generate_legal_moves())
    usual = raw_moves([int(move) for move in moves])
    exact = raw_moves([board.move_word(move) for move in moves])
    return dict(zip(usual.tolist(), moves, strict=True)) | dict(zip(exact.tolist(), moves, strict=True))


__all__ = ["Book", "BookEntry", "book_of", "read_book"]
