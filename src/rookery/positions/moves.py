"""Moves of all positions at once: listed, made and drawn at random.

A move is 16 bits, see `rookery.board.moves`. The scalar generator lists the moves, position by position: writing a list
spends most of its time on single pieces, where vector instructions do not help.
"""

import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, Self, overload

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import count, shown
from rookery.board.moves import CLASSICAL
from rookery.frames.columns import Lists, alike
from rookery.frames.frame import Frame
from rookery.frames.reading import columns_in, flat_lists, number_array
from rookery.kernel import U64, entry_of
from rookery.lazy_imports import modules_later
from rookery.positions import layout
from rookery.positions.operands import plain, words_of
from rookery.positions.threads import each_in_threads, over, part_of, spans
from rookery.rules.constants import CASTLING, EN_PASSANT, MOST_MOVES, TO_SHIFT, default_tables

if TYPE_CHECKING:
    from rookery.positions import keys
else:
    (keys,) = modules_later("rookery.positions", "keys")


draw_all: Final = entry_of("rookery.positions.kernels.moves", "draw_all")
judge_again: Final = entry_of("rookery.positions.kernels.moves", "judge_again")
judge_all: Final = entry_of("rookery.positions.kernels.moves", "judge_all")
list_moves: Final = entry_of("rookery.positions.kernels.moves", "list_moves")
make_all: Final = entry_of("rookery.positions.kernels.moves", "make_all")
mark_broken: Final = entry_of("rookery.positions.kernels.moves", "mark_broken")
pass_all: Final = entry_of("rookery.positions.kernels.moves", "pass_all")


# By source and target of a word of castling, the target of the move in classical chess.
_CLASSICAL_TARGETS: Final = np.array([move.to_square for move in CLASSICAL[CASTLING:][: 1 << 12]], np.uint8)

GUESS: Final = 40  # moves a position to allocate at first; a list that needs more is copied into a larger one
SLICE: Final = 1 << 20  # positions listed between two checks for Ctrl-C: about 0.05 s


class Moves(Frame):
    """Lists of moves, one for each position, stored end to end in one array.

    offsets    int64, n + 1: the moves of position i are ``moves[offsets[i]:offsets[i + 1]]``
    moves      uint16, flat: move words, see `rookery.board.moves`; ``Move.from_word(word)`` makes one readable
    chess960   bool, n: whether position i is one of Chess960; None if none is
    missing    bool, n: whether position i is missing, so that its moves are; None if none is

    `len` is the number of positions. An int index gives the moves of one position, as a view; a slice, a boolean mask
    or an array of indices gives `Moves`.

    >>> moves = Positions.from_boards([Board(), Board("7k/8/8/8/8/8/8/K7 w - - 0 1")]).legal_moves()
    >>> moves[1:]
    <3 moves of 1 positions>
    >>> moves[1].tolist() == moves[1:][0].tolist()
    True
    """

    __slots__ = ("chess960", "lists", "missing", "moves", "offsets")
    _COLUMNS = ("lists", "chess960")
    _ROWS = ("position", "positions")
    lists: Lists  # `offsets` and `moves` as one column: parts of a table are made of it
    moves: NDArray[np.uint16]
    offsets: NDArray[np.int64]
    chess960: NDArray[np.bool_] | None
    missing: NDArray[np.bool_] | None

    def __init__(
        self,
        offsets: NDArray[np.int64],
        moves: NDArray[np.uint16],
        chess960: NDArray[np.bool_] | None = None,
        missing: NDArray[np.bool_] | None = None,
    ) -> None:
        for name, array, dtype in (("offsets", offsets, np.int64), ("moves", moves, np.uint16)):
            if not isinstance(array, np.ndarray) or array.dtype != dtype or array.ndim != 1:
                raise TypeError(f"{name}: {shown(array)}: expected one dimension of {np.dtype(dtype)}")
        for name, flags in (("chess960", chess960), ("missing", missing)):
            if flags is not None and (not isinstance(flags, np.ndarray) or flags.dtype != np.bool_):
                raise TypeError(f"{name}: {shown(flags)}: expected one dimension of bool, or None")
        self.offsets = offsets
        self.moves = moves
        self.chess960 = chess960
        self.missing = missing

    def _make_lists(self) -> Lists:
        return Lists(self.offsets, {"moves": self.moves}, None if self.missing is None else ~self.missing)

    def _make_missing(self) -> NDArray[np.bool_] | None:
        return None if self.lists.valid is None or self.lists.valid.all() else ~self.lists.valid

    def _make_offsets(self) -> NDArray[np.int64]:
        return self.lists.offsets

    def _make_moves(self) -> NDArray[np.uint16]:
        moves: NDArray[np.uint16] = self.lists.columns["moves"]
        return moves

    def __len__(self) -> int:
        return self.offsets.size - 1

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, index: int) -> NDArray[np.uint16]: ...
        @overload
        def __getitem__(self, index: str) -> NDArray[Any]: ...
        @overload
        def __getitem__(self, index: slice | NDArray[Any] | Sequence[int] | Sequence[bool]) -> Self: ...
        def __getitem__(self, index: Any) -> Any: ...

    else:

        def __getitem__(self, index):
            """Return the moves of one position for an int, `Moves` for a slice, a boolean mask or indices."""
            # This takes a third of the time of the general case.
            if type(index) is int and 0 <= index < self.offsets.size - 1 and self.missing is None:
                return self.moves[self.offsets[index] : self.offsets[index + 1]]
            return super().__getitem__(index)

    def _row(self, i: int) -> Any:
        if self.missing is not None and self.missing[i]:
            return None
        return self.moves[self.offsets[i] : self.offsets[i + 1]]

    @classmethod
    def _empty(cls) -> Self:
        return cls(np.zeros(1, np.int64), np.zeros(0, np.uint16))

    @classmethod
    def _joined(cls, parts: Sequence[Any]) -> Self:
        if any(part.chess960 is not None for part in parts):
            none = [np.zeros(len(part), np.bool_) for part in parts]
            parts = [
                part if part.chess960 is not None else cls(part.offsets, part.moves, flags, part.missing)
                for part, flags in zip(parts, none, strict=True)
            ]
        return super()._joined(parts)

    def _arrow_columns(self) -> dict[str, Any]:
        return {"moves": self.lists.cut(0, len(self))}

    @classmethod
    def from_arrow(cls, table: Any) -> Self:
        """Return the moves in an Arrow table, or in any object with Arrow's C interface, that `to_arrow` made.

        >>> moves = Positions.from_boards([Board()]).legal_moves()
        >>> type(moves).from_arrow(moves.to_arrow()) == moves
        True
        """
        lists = columns_in(table, ["moves"])["moves"]
        offsets, words = flat_lists("moves", lists)
        missing = np.asarray(lists.is_null()) if lists.null_count else None
        return cls(offsets, number_array("moves", words, np.uint16), None, missing)

    def __iter__(self) -> Iterator[Any]:
        if self.missing is not None:
            return map(self._row, range(len(self)))
        return (self.moves[a:b] for a, b in itertools.pairwise(self.offsets.tolist()))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Moves):
            return NotImplemented
        return alike(self.lists, other.lists)

    @property
    def from_square(self) -> NDArray[np.uint8]:
        """Return the source square of each move: uint8, of the length of ``moves``.

        >>> moves = Positions.from_boards([Board("7k/P7/8/8/8/8/8/K7 w - - 0 1")]).legal_moves()
        >>> np.unique(moves.from_square).tolist()
        [0, 48]
        """
        return (self.moves & 63).astype(np.uint8)

    @property
    def to_square(self) -> NDArray[np.uint8]:
        """Return the target square of each move: uint8, of the length of ``moves``.

        It is that of `Move.to_square`: castling goes to the king's square, but in Chess960 to the rook's. The rook's
        square is in the words: ``moves.moves >> 6 & 63``.

        >>> moves = Positions.from_boards([Board("7k/P7/8/8/8/8/8/K7 w - - 0 1")]).legal_moves()
        >>> np.unique(moves.to_square).tolist()
        [1, 8, 9, 56]
        """
        if self.chess960 is None:
            return target_squares(self.moves)
        return target_squares(self.moves, np.repeat(self.chess960, np.diff(self.offsets)))

    @property
    def kind(self) -> NDArray[np.uint8]:
        """Return the kind of each move: uint8, of the length of ``moves``.

        0 is an ordinary move, 1 a promotion, 2 en passant and 3 castling.

        >>> moves = Positions.from_boards([Board("7k/P7/8/8/8/8/8/K7 w - - 0 1")]).legal_moves()
        >>> np.bincount(moves.kind).tolist()
        [3, 4]
        """
        return (self.moves >> 14).astype(np.uint8)

    @property
    def promotion(self) -> NDArray[np.uint8]:
        """Return the piece type to which a pawn promotes, 2 (knight) to 5 (queen), or 0: uint8.

        >>> moves = Positions.from_boards([Board("7k/P7/8/8/8/8/8/K7 w - - 0 1")]).legal_moves()
        >>> sorted(moves.promotion.tolist())
        [0, 0, 0, 2, 3, 4, 5]
        """
        return np.where(self.kind == 1, (self.moves >> 12 & 3) + 2, 0).astype(np.uint8)

    def hash(self, plies: int | None = None) -> NDArray[np.uint64]:
        """Return a hash of the moves of each list, or of its first `plies`: uint64, (n,).

        Lists with the same moves have the same hash. Different lists rarely do, but compare the moves where that would
        matter, as `Games.unique` does.

        >>> moves = Positions.from_boards([Board(), Board()]).legal_moves()
        >>> hashes = moves.hash()
        >>> bool(hashes[0] == hashes[1])
        True
        """
        most = np.int64(1 << 62 if plies is None else count("plies", plies, 0))
        self._check_offsets()
        hashes = np.empty(len(self), np.uint64)
        keys.move_hashes(plain(self.offsets), plain(self.moves), most, hashes)
        return hashes

    def _check_offsets(self) -> None:
        """Raise a ValueError unless all lists are within the moves: compiled code relies on it."""
        offsets = self.offsets
        if not offsets.size or offsets[0] < 0 or offsets[-1] > self.moves.size or (offsets[1:] < offsets[:-1]).any():
            raise ValueError(
                f"offsets: {shown(offsets)}: expected n + 1 numbers that never fall, from 0 to {self.moves.size}"
            )

    def __repr__(self) -> str:
        return f"<{self.moves.size} moves of {len(self)} positions>"


def target_squares(words: NDArray[np.uint16], chess960: NDArray[np.bool_] | None = None) -> NDArray[np.uint8]:
    """Return the target squares of move words, of moves of Chess960 where `chess960` says so: see `Move.to_square`."""
    targets: NDArray[np.uint8] = (words >> np.uint16(6)).astype(np.uint8) & np.uint8(63)
    castling = np.flatnonzero(words >= np.uint16(CASTLING))
    if chess960 is not None:
        castling = castling[~chess960[castling]]
    targets[castling] = _CLASSICAL_TARGETS[words[castling] & np.uint16((1 << 12) - 1)]
    return targets


def resolved(c: layout.Columns, words: NDArray[np.uint16]) -> NDArray[np.uint16]:
    """Return moves, one for each position, as words that say which castle and which capture en passant.

    A `Move` does not say that, nor does UCI. A king that goes two files, or onto its own rook, castles with the rook
    that may castle on that side.
    """
    source, target = words & 63, words >> int(TO_SHIFT) & 63
    from_, to = U64(1) << source.astype(U64), U64(1) << target.astype(U64)
    occupied = c.pawns | c.knights | c.diagonals | c.orthogonals | c.kings
    own = np.where(c.state & U64(layout.BLACK_TO_MOVE), occupied & ~c.white, c.white)
    out = words.copy()
    diagonal = (source ^ target) & 7 != 0
    en_passant = (c.pawns & from_ != 0) & (c.en_passant & to != 0) & diagonal
    out[en_passant] |= EN_PASSANT
    far = (source >> 3 == target >> 3) & (np.abs((source & 7).astype(np.int8) - (target & 7)) > 1)
    castles = (c.kings & own & from_ != 0) & (far | (c.castling & own & to != 0))
    if castles.any():
        rows = np.flatnonzero(castles)
        king, to = from_[rows], to[rows]
        rooks = c.castling[rows] & own[rows]
        right = target[rows] > source[rows]
        beside = np.where(right, rooks & ~(king | (king - U64(1))), rooks & (king - U64(1)))
        beside = np.where(rooks & to, to, beside)
        there = beside != 0
        rook = np.bitwise_count((beside & (~beside + U64(1))) - U64(1)).astype(np.uint16)
        out[rows[there]] = (source[rows] | rook << int(TO_SHIFT) | CASTLING)[there]
    return out


def one_word_each(c: layout.Columns, moves: Any) -> NDArray[np.uint16]:
    """Return the words of moves, one for each position, given as moves or as an array of words."""
    words: NDArray[np.uint16] = words_of("moves", moves, (c.pawns.size,), np.uint16)
    return words if isinstance(moves, np.ndarray) and moves.dtype == np.uint16 else resolved(c, words)


def _listed(c: layout.Columns, noisy: Any, quiet: Any) -> Moves:
    n = c.pawns.size
    offsets, moves = np.zeros(n + 1, np.int64), np.empty(GUESS * n + MOST_MOVES, np.uint16)
    tables = default_tables()
    done = 0
    while done < n:
        done = list_moves(c, done, min(n, done + SLICE), noisy, quiet, offsets, moves, tables)
        used = int(offsets[done])
        if used + MOST_MOVES > moves.size:
            larger = np.empty(used + max(used // 2, GUESS * (n - done)) + MOST_MOVES, np.uint16)
            larger[:used] = moves[:used]
            moves = larger
    moves.resize(int(offsets[n]), refcheck=False)  # in place where the allocator can
    return Moves(offsets, moves, chess960_of(c))


def chess960_of(c: layout.Columns) -> NDArray[np.bool_] | None:
    """Return whether each position is one of Chess960, or None if none is."""
    flags = (c.state & layout.CHESS960) != 0
    return flags if flags.any() else None


def listed(c: layout.Columns, noisy: Any, quiet: Any, threads: int) -> Moves:
    """Return all legal moves; `noisy` and `quiet` are masks, as `rookery.rules.generate.generate` takes them."""
    n = c.pawns.size
    parts = [part_of(c, a, b, n) for a, b in spans(n, threads)]
    lists = list(each_in_threads(lambda part: _listed(part, noisy, quiet), parts, threads))
    return lists[0] if len(lists) == 1 else Moves.concatenate(lists)


# Making moves.


class BrokenFormError(ValueError):
    """Move number `index` of an array leaves words that are not a position."""

    def __init__(self, index: int) -> None:
        super().__init__(f"moves[{index}]: expected a move that leaves one piece on a square")
        self.index = index


def played(c: layout.Columns, moves: NDArray[np.uint16], threads: int) -> layout.Columns:
    """Return the positions after one move each, without checking whether the moves are legal.

    Raise a BrokenFormError for the first move that leaves words that are not a position; legal moves never do.
    """
    n = moves.size
    out, tables = layout.empty_columns(n), default_tables()
    parts = [tuple(part_of(o, a, b, n) for o in (c, moves, out)) for a, b in spans(n, threads)]
    if any(list(each_in_threads(lambda part: make_all(*part, tables), parts, threads))):
        broken = np.empty(n, np.bool_)
        mark_broken(c, moves, broken)
        raise BrokenFormError(int(np.argmax(broken)))
    nulls = np.flatnonzero(moves == 0)
    if nulls.size:
        pass_all(c, nulls, out, tables)
    return out


def judged(c: layout.Columns, moves: NDArray[np.uint16], threads: int) -> NDArray[np.uint8]:
    """Return whether each move is legal in its position: 0 or 1."""
    n = moves.size
    legal, tables = np.empty(n, np.uint8), default_tables()
    over(judge_all, threads, n, c, moves, legal, tables)
    special = np.flatnonzero(legal == 2)
    if special.size:
        judge_again(c, moves, special, legal, tables)
    return legal


# Drawing moves.


def random_words(rng: Any, n: int) -> NDArray[np.uint64]:
    """Return `n` random words from a generator or a seed."""
    if isinstance(rng, (bool, np.bool_)) or not isinstance(rng, (int, np.integer, np.random.Generator)):
        raise TypeError(f"rng: {shown(rng)}: expected a numpy.random.Generator or an int as its seed")
    if not isinstance(rng, np.random.Generator) and rng < 0:
        raise ValueError(f"rng: {rng}: expected a seed of at least 0")
    generator = np.random.default_rng(rng)  # returns a Generator unchanged
    return generator.integers(0, 1 << 64, n, np.uint64)
