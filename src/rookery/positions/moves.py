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
from rookery.kernel import U64, UNIVERSE, Word, array_of, entry, kernel
from rookery.positions.keys import move_hashes
from rookery.positions.layout import (
    BLACK_TO_MOVE,
    CHESS960,
    CLOCK_SHIFT,
    COUNTER,
    MARKED,
    NUMBER_SHIFT,
    Columns,
    empty_columns,
    lane,
    load,
    position,
    store,
    with_state,
)
from rookery.positions.operands import plain, words_of
from rookery.positions.threads import each_in_threads, over, part_of, spans
from rookery.rules.compiled import default_technique
from rookery.rules.generate import MOST_MOVES, List, generate
from rookery.rules.legality import breaks_form, is_legal, is_pseudo_legal, leaves_king_safe
from rookery.rules.position import (
    CASTLING,
    EN_PASSANT,
    KIND_MASK,
    SIX_BITS,
    TO_SHIFT,
    Position,
    make,
    passed,
)

_FLAGS = BLACK_TO_MOVE | CHESS960 | MARKED

# By source and target of a word of castling, the target of the move in classical chess.
_CLASSICAL_TARGETS: Final = np.array([move.to_square for move in CLASSICAL[CASTLING:][: 1 << 12]], np.uint8)

GUESS: Final = 40  # moves a position to allocate at first; a list that needs more is copied into a larger one
SLICE: Final = 1 << 20  # positions listed between two checks for Ctrl-C: about 0.05 s


class Moves(Frame):
    """Lists of moves, one for each position, stored end to end in one array.

    offsets    int64, n + 1: the moves of position i are ``moves[offsets[i]:offsets[i + 1]]``
    moves      uint16, flat: move words, see `rookery.board.moves`; ``Move.from_word(word)`` makes one readable
    chess960   bool, n: whether position i is one of Chess960; None if none is

    `len` is the number of positions. An int index gives the moves of one position, as a view; a slice, a boolean mask
    or an array of indices gives `Moves`.

    >>> moves = Positions.from_boards([Board(), Board("7k/8/8/8/8/8/8/K7 w - - 0 1")]).legal_moves()
    >>> moves[1:]
    <3 moves of 1 positions>
    >>> moves[1].tolist() == moves[1:][0].tolist()
    True
    """

    __slots__ = ("chess960", "lists", "moves", "offsets")
    _COLUMNS = ("lists", "chess960")
    _ROWS = ("position", "positions")
    lists: Lists  # `offsets` and `moves` as one column: parts of a table are made of it
    moves: NDArray[np.uint16]
    offsets: NDArray[np.int64]
    chess960: NDArray[np.bool_] | None

    def __init__(
        self, offsets: NDArray[np.int64], moves: NDArray[np.uint16], chess960: NDArray[np.bool_] | None = None
    ) -> None:
        for name, array, dtype in (("offsets", offsets, np.int64), ("moves", moves, np.uint16)):
            if not isinstance(array, np.ndarray) or array.dtype != dtype or array.ndim != 1:
                raise TypeError(f"{name}: {shown(array)}: expected one dimension of {np.dtype(dtype)}")
        if chess960 is not None and (not isinstance(chess960, np.ndarray) or chess960.dtype != np.bool_):
            raise TypeError(f"chess960: {shown(chess960)}: expected one dimension of bool, or None")
        self.offsets = offsets
        self.moves = moves
        self.chess960 = chess960

    def _make_lists(self) -> Lists:
        return Lists(self.offsets, {"moves": self.moves})

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
        def __getitem__(self, index: slice | NDArray[Any] | Sequence[int] | Sequence[bool]) -> "Moves": ...
        def __getitem__(self, index: Any) -> Any: ...

    else:

        def __getitem__(self, index):
            """Return the moves of one position for an int, `Moves` for a slice, a boolean mask or indices."""
            if type(index) is int and 0 <= index < self.offsets.size - 1:  # takes a third of the time
                return self.moves[self.offsets[index] : self.offsets[index + 1]]
            return super().__getitem__(index)

    def _row(self, i: int) -> NDArray[np.uint16]:
        return self.moves[self.offsets[i] : self.offsets[i + 1]]

    @classmethod
    def _empty(cls) -> Self:
        return cls(np.zeros(1, np.int64), np.zeros(0, np.uint16))

    @classmethod
    def _joined(cls, parts: Sequence[Any]) -> Self:
        if any(part.chess960 is not None for part in parts):
            none = [np.zeros(len(part), np.bool_) for part in parts]
            parts = [
                part if part.chess960 is not None else cls(part.offsets, part.moves, flags)
                for part, flags in zip(parts, none, strict=True)
            ]
        return super()._joined(parts)

    def _arrow_columns(self) -> dict[str, Any]:
        return {"moves": self.lists.cut(0, len(self))}

    def __iter__(self) -> Iterator[NDArray[np.uint16]]:
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
        move_hashes(plain(self.offsets), plain(self.moves), most, hashes)
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


def resolved(c: Columns, words: NDArray[np.uint16]) -> NDArray[np.uint16]:
    """Return moves, one for each position, as words that say which castle and which capture en passant.

    A `Move` does not say that, nor does UCI. A king that goes two files, or onto its own rook, castles with the rook
    that may castle on that side.
    """
    source, target = words & 63, words >> int(TO_SHIFT) & 63
    from_, to = U64(1) << source.astype(U64), U64(1) << target.astype(U64)
    occupied = c.pawns | c.knights | c.diagonals | c.orthogonals | c.kings
    own = np.where(c.state & U64(BLACK_TO_MOVE), occupied & ~c.white, c.white)
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


def one_word_each(c: Columns, moves: Any) -> NDArray[np.uint16]:
    """Return the words of moves, one for each position, given as moves or as an array of words."""
    words: NDArray[np.uint16] = words_of("moves", moves, (c.pawns.size,), np.uint16)
    return words if isinstance(moves, np.ndarray) and moves.dtype == np.uint16 else resolved(c, words)


@entry(
    examples=lambda: (
        empty_columns(1),
        0,
        0,
        U64(0),
        U64(0),
        array_of(np.int64),
        array_of(np.uint16),
        default_technique().tables(),
    )
)
def list_moves(c: Any, i: Any, stop: Any, noisy: Any, quiet: Any, offsets: Any, moves: Any, t: Any) -> Any:
    """Write the moves of positions `i` to `stop` from ``moves[offsets[i]]`` on, and where each list ends.

    Return the position where it stopped: before `stop` if the next list may not fit.
    """
    n = offsets[i]
    while i < stop and n + MOST_MOVES <= moves.size:
        n += np.int64(generate(position(load(c, i), t), t, List(moves[n:]), noisy, quiet))
        i += 1
        offsets[i] = n
    return i


def _listed(c: Columns, noisy: Any, quiet: Any) -> Moves:
    n = c.pawns.size
    offsets, moves = np.zeros(n + 1, np.int64), np.empty(GUESS * n + MOST_MOVES, np.uint16)
    tables = default_technique().tables()
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


def chess960_of(c: Columns) -> NDArray[np.bool_] | None:
    """Return whether each position is one of Chess960, or None if none is."""
    flags = (c.state & CHESS960) != 0
    return flags if flags.any() else None


def listed(c: Columns, noisy: Any, quiet: Any, threads: int) -> Moves:
    """Return all legal moves; `noisy` and `quiet` are masks, as `rookery.rules.generate.generate` takes them."""
    n = c.pawns.size
    parts = [part_of(c, a, b, n) for a, b in spans(n, threads)]
    lists = list(each_in_threads(lambda part: _listed(part, noisy, quiet), parts, threads))
    return lists[0] if len(lists) == 1 else Moves.concatenate(lists)


# Making moves.


@kernel
def after(state: Word, zeroing: Word) -> Word:
    """Return a position's `state` after a move: the turn passes, and the counters advance until they are full.

    `zeroing` is one for a capture or a pawn move, which resets the half-move clock, else zero.
    """
    clock, number = (state >> CLOCK_SHIFT) & COUNTER, (state >> NUMBER_SHIFT) & COUNTER
    clock = 0 if zeroing else clock + (1 if clock < COUNTER else 0)
    number += state & BLACK_TO_MOVE if number < COUNTER else 0
    flags = (state ^ BLACK_TO_MOVE) & _FLAGS
    return flags | (clock << CLOCK_SHIFT) | (number << NUMBER_SHIFT)


@kernel
def zeroing(p: Position, move: Word) -> Word:
    """Return one if a legal move is a capture or a pawn move, else zero; castling does not capture the rook."""
    return ((p.them >> ((move >> TO_SHIFT) & SIX_BITS)) | (p.pawns >> (move & SIX_BITS))) & 1


@entry(examples=lambda: (empty_columns(1), array_of(np.uint16), empty_columns(1), default_technique().tables()))
def make_all(c: Any, moves: Any, out: Any, t: Any) -> Any:
    """Make a move in each position, legal or not, in a vectorised loop; return 0 if all results are positions."""
    wrong: Word = 0
    for i in range(moves.size):
        now = load(c, i)
        p = position(now, t)
        move = U64(moves[i])
        wrong |= breaks_form(p, move)
        store(out, i, lane(make(p, move, t), after(now.state, zeroing(p, move))))
    return wrong


@entry(examples=lambda: (empty_columns(1), array_of(np.uint16), array_of(np.bool_)))
def mark_broken(c: Any, moves: Any, broken: Any) -> None:
    """Note after which moves the words are not a position."""
    for i in range(moves.size):
        broken[i] = breaks_form(with_state(load(c, i), U64(0)), U64(moves[i])) != 0


@entry(examples=lambda: (empty_columns(1), array_of(np.uint16), array_of(np.uint8), default_technique().tables()))
def judge_all(c: Any, moves: Any, legal: Any, t: Any) -> None:
    """Note whether each move is legal: 0, 1, or 2 where `judge_again` has to decide.

    The loop has no branches, mostly look-ups. Judging and making moves in one loop, which LLVM does not vectorise, took
    a third longer.
    """
    for i in range(moves.size):
        p = position(load(c, i), t)
        move = U64(moves[i])
        usual = is_pseudo_legal(p, move, t) & leaves_king_safe(p, move, t)
        special = 1 if (move & KIND_MASK) >= EN_PASSANT else 0
        special = 1 if move == 0 else special
        legal[i] = np.uint8(2 if special else (1 if usual else 0))


@entry(
    examples=lambda: (
        empty_columns(1),
        array_of(np.uint16),
        array_of(np.int64),
        array_of(np.uint8),
        default_technique().tables(),
    )
)
def judge_again(c: Any, moves: Any, which: Any, legal: Any, t: Any) -> None:
    """Note whether the moves that `judge_all` left are legal: castling, en passant, and null moves."""
    for j in range(which.size):
        i = which[j]
        p, move = position(load(c, i), t), U64(moves[i])
        # On a board that no game reaches, the generator captures an own pawn en passant.
        legal[i] = 0 if breaks_form(p, move) else is_legal(p, move, t)


@entry(examples=lambda: (empty_columns(1), array_of(np.int64), empty_columns(1), default_technique().tables()))
def pass_all(c: Any, which: Any, out: Any, t: Any) -> None:
    """Make the null move in some of the positions."""
    for j in range(which.size):
        now = load(c, which[j])
        store(out, which[j], lane(passed(position(now, t)), after(now.state, 0)))


class BrokenFormError(ValueError):
    """Move number `index` of an array leaves words that are not a position."""

    def __init__(self, index: int) -> None:
        super().__init__(f"moves[{index}]: expected a move that leaves one piece on a square")
        self.index = index


def played(c: Columns, moves: NDArray[np.uint16], threads: int) -> Columns:
    """Return the positions after one move each, without checking whether the moves are legal.

    Raise a BrokenFormError for the first move that leaves words that are not a position; legal moves never do.
    """
    n = moves.size
    out, tables = empty_columns(n), default_technique().tables()
    parts = [tuple(part_of(o, a, b, n) for o in (c, moves, out)) for a, b in spans(n, threads)]
    if any(list(each_in_threads(lambda part: make_all(*part, tables), parts, threads))):
        broken = np.empty(n, np.bool_)
        mark_broken(c, moves, broken)
        raise BrokenFormError(int(np.argmax(broken)))
    nulls = np.flatnonzero(moves == 0)
    if nulls.size:
        pass_all(c, nulls, out, tables)
    return out


def judged(c: Columns, moves: NDArray[np.uint16], threads: int) -> NDArray[np.uint8]:
    """Return whether each move is legal in its position: 0 or 1."""
    n = moves.size
    legal, tables = np.empty(n, np.uint8), default_technique().tables()
    over(judge_all, threads, n, c, moves, legal, tables)
    special = np.flatnonzero(legal == 2)
    if special.size:
        judge_again(c, moves, special, legal, tables)
    return legal


# Drawing moves.


@kernel
def random_below(word: Word, n: Word) -> Word:
    """Return a number below `n`: the upper half of a product with the upper half of a random word.

    Some of n numbers are more likely than others, by less than n parts in 2^32.
    """
    return ((word >> 32) * n) >> 32


def move_room() -> NDArray[np.uint16]:
    """Return work space for the legal moves of one position."""
    return np.empty(MOST_MOVES, np.uint16)


@entry(
    examples=lambda: (move_room(), empty_columns(1), array_of(U64), array_of(np.uint16), default_technique().tables())
)
def draw_all(room: Any, c: Any, words: Any, out: Any, t: Any) -> None:
    """Write a legal move for each position, chosen by a random word; 0 where there is none."""
    for i in range(out.size):
        n = generate(position(load(c, i), t), t, List(room), UNIVERSE, UNIVERSE)
        out[i] = room[random_below(words[i], n)] if n else 0


def random_words(rng: Any, n: int) -> NDArray[np.uint64]:
    """Return `n` random words from a generator or a seed."""
    if isinstance(rng, (bool, np.bool_)) or not isinstance(rng, (int, np.integer, np.random.Generator)):
        raise TypeError(f"rng: {shown(rng)}: expected a numpy.random.Generator or an int as its seed")
    if not isinstance(rng, np.random.Generator) and rng < 0:
        raise ValueError(f"rng: {rng}: expected a seed of at least 0")
    generator = np.random.default_rng(rng)  # returns a Generator unchanged
    return generator.integers(0, 1 << 64, n, np.uint64)
