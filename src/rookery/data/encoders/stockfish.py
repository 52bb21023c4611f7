"""The inputs of Stockfish's nets, as lists of features.

A list is seen from a side, the perspective. A net takes two lists: that of the side to move and that of the other. The
numbers of features are those of the engine's net files; each set is counted from 0, and `sfnnv16` joins three.

Sources: the definitions of Stockfish 762dd1d (3 August 2026, SFNNv16) and of nnue-pytorch 9f72946 (26 July 2026), as
facts: orders and formulas. HalfKP is by Yu Nasu, "Efficiently Updatable Neural-Network-based Evaluation Functions for
Computer Shogi", 2018.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import choice, shown
from rookery.data.encoders.sparse import Indices, SparseFeatures, offsets_of
from rookery.kernel import entry_of
from rookery.positions.layout import SIDES, Columns, Side
from rookery.positions.positions import Positions
from rookery.positions.threads import each_in_threads, spans
from rookery.rules.constants import default_tables

Perspective = Literal["us", "them", "white", "black"]
Numbering = Literal["engine", "trainer"]

_KERNELS: Final = "rookery.data.encoders.stockfish_kernels"
piece_squares: Final = entry_of(_KERNELS, "piece_squares")
threats: Final = entry_of(_KERNELS, "threats")
pairs: Final = entry_of(_KERNELS, "pairs")
copy_lists: Final = entry_of(_KERNELS, "copy_lists")

_ROOM: Final = 1024  # an entry stops where fewer places are left: more than any position has features
_TYPICAL: Final = 48  # features of a position, to begin with
_BACK_RANKS: Final = np.uint64(0xFF00_0000_0000_00FF)


class Part(NamedTuple):
    """Features that one entry lists: how many there are, and a call of the entry.

    The call takes a side, columns, offsets and room for features. It returns how many positions it has done.
    """

    size: int
    run: Callable[[Side, Columns, NDArray[np.int64], Indices], int]


class FeatureSet:
    """A set of features of a net, which is called with positions.

    ``name`` is the set's name in the engine, ``size`` the number of its features, and ``file_hash`` the number by which
    net files name it, or None. ``sizes`` has the sizes by numbering: trainers number some sets in another way.

    >>> full_threats
    <FullThreats: 59808 features>
    """

    def __init__(
        self, name: str, ways: Mapping[str, Sequence[Part]], doc: str, *, file_hash: int | None = None
    ) -> None:
        self.name, self.file_hash, self.__doc__, self._ways = name, file_hash, doc, ways
        self.sizes = {numbering: sum(part.size for part in parts) for numbering, parts in ways.items()}

    def __repr__(self) -> str:
        return f"<{self.name}: {self.size} features>"

    @property
    def size(self) -> int:
        """Return the number of features in the engine's numbering."""
        return self.sizes["engine"]

    def __call__(
        self,
        positions: Positions,
        perspective: Perspective = "us",
        *,
        numbering: Numbering = "engine",
        threads: int = 1,
    ) -> SparseFeatures:
        """Return the features of each position, seen from a side: `SparseFeatures`, with int32 indices.

        `perspective` is ``"white"``, ``"black"``, ``"us"`` (the side to move) or ``"them"``. `numbering` is that of the
        engine's net files, or the one in which ``"trainer"`` numbers them, where they differ.

        A position without both kings, or with a pawn on the first or last rank, raises ValueError, which names it; so
        does any other perspective or numbering. Anything but `Positions` raises TypeError.

        >>> from rookery import Board
        >>> positions = Positions.from_boards([Board()])
        >>> halfka_v2_hm(positions)
        <32 of 22528 features in 1 lists>
        >>> full_threats(positions, "white")[0][:4]
        array([  338,   357, 32234, 32253], dtype=int32)
        """
        side = choice("perspective", perspective, SIDES)
        parts = choice("numbering", numbering, self._ways)
        columns = _checked(positions)
        return _joined([_features(part, side, columns, threads) for part in parts])

    def changes(
        self,
        positions: Positions,
        moves: Any,
        perspective: Perspective = "us",
        *,
        numbering: Numbering = "engine",
        threads: int = 1,
    ) -> tuple[SparseFeatures, SparseFeatures]:
        """Return the features that one move in each position adds, and those that it removes, each in ascending order.

        `moves` are n moves as `Positions.play` takes them. The perspective is that of the position before the move:
        ``"us"`` is the side that moves. An illegal move raises `IllegalMoveError`, which names it; otherwise the errors
        are those of a call.

        >>> from rookery import Board, Move
        >>> positions = Positions.from_boards([Board()])
        >>> added, removed = halfka_v2_hm.changes(positions, [Move.from_uci("e2e4")])
        >>> added[0] - removed[0]
        array([16], dtype=int32)
        """
        before = self(positions, perspective, numbering=numbering, threads=threads)
        later = positions.play(moves, threads=threads)
        seen_later: Perspective = {"us": "them", "them": "us"}.get(perspective, perspective)  # type: ignore[assignment]
        after = self(later, seen_later, numbering=numbering, threads=threads)
        return after.without(before), before.without(after)


def _checked(positions: Any) -> Columns:
    """Return the columns of positions that have what features are numbered by."""
    if not isinstance(positions, Positions):
        raise TypeError(f"positions: {shown(positions)}: expected Positions")
    c = positions.columns
    white, black = c.kings & c.white, c.kings & ~c.white
    bad = (white == 0) | (black == 0) | ((c.pawns & _BACK_RANKS) != 0)
    if bad.any():
        i = int(np.argmax(bad))
        raise ValueError(
            f"positions[{i}]: {positions[i].fen()}: expected a king of each side and pawns on ranks 2 to 7"
        )
    return c


def _features(part: Part, side: Side, c: Columns, threads: int) -> SparseFeatures:
    """Return the features of one part of a set."""
    cuts = [c.cut(start, stop) for start, stop in spans(c.size, threads)]
    lists = list(each_in_threads(lambda cut: _listed(part, side, cut), cuts, threads))
    counts = np.concatenate([counts for counts, _ in lists])
    indices = lists[0][1] if len(lists) == 1 else np.concatenate([indices for _, indices in lists])
    return SparseFeatures(offsets_of(counts), indices, part.size)


def _listed(part: Part, side: Side, c: Columns) -> tuple[NDArray[np.int64], Indices]:
    """Return the length of each list and all features. Where room ends, more is made."""
    counts, chunks, done = np.zeros(c.size, np.int64), [np.empty(0, np.int32)], 0
    room = _TYPICAL * c.size + _ROOM
    while done < c.size:
        out, offsets = np.empty(room, np.int32), np.zeros(c.size - done + 1, np.int64)
        n = part.run(side, c.cut(done, c.size), offsets, out)
        counts[done : done + n] = np.diff(offsets[: n + 1])
        chunks.append(out[: offsets[n]])
        done += n
    return counts, chunks[1] if len(chunks) == 2 else np.concatenate(chunks)


def _threats(side: Side, c: Columns, offsets: NDArray[np.int64], out: Indices) -> int:
    n: int = threats(side, c, np.empty(64, np.uint8), offsets, out, default_tables())
    return n


def _pieces(size: int, numbering: int) -> Part:
    return Part(size, lambda side, c, offsets, out: piece_squares(side, numbering, c, offsets, out))


def _joined(parts: Sequence[SparseFeatures]) -> SparseFeatures:
    """Return features of several sets of the same positions as those of one set: the sets are numbered on."""
    if len(parts) == 1:
        return parts[0]
    offsets = np.sum([part.offsets for part in parts], axis=0)
    indices, starts, first = np.empty(offsets[-1], np.int32), offsets[:-1].copy(), 0
    for part in parts:
        copy_lists(part.offsets, part.indices, first, starts, indices)
        first += part.size
    return SparseFeatures(offsets, indices, first)


# The numbers are those of `rookery.data.encoders.stockfish_kernels`, which is not imported for them.
_HALF_KP: Final = _pieces(41_024, 0)
_HALF_KA: Final = _pieces(45_056, 1)
_MIRRORED: Final = _pieces(22_528, 2)
_MIRRORED_OF_TRAINER: Final = _pieces(24_576, 3)
_THREATS: Final = Part(59_808, _threats)
_PAIRS: Final = Part(4_560, pairs)


def _set(name: str, parts: Sequence[Part], doc: str, *, trainer: Sequence[Part] = (), **options: Any) -> FeatureSet:
    return FeatureSet(name, {"engine": parts, "trainer": trainer or parts}, doc, **options)


halfkp: Final = _set(
    "HalfKP",
    [_HALF_KP],
    """Every piece but kings, by the own king's square: 641 k + 1 + 64 plane + s, for black on the rotated board.

    Planes are own pawns 0, their pawns 1, own knights 2, ..., their queens 9. 641 k itself is unused (Stockfish, 2020).
    """,
    file_hash=0x5D69_D5B8,
)
halfka_v2: Final = _set(
    "HalfKAv2",
    [_HALF_KA],
    """Every piece, by the own king's square: 704 k + 64 plane + s, both kings in plane 10 (Stockfish, 2021).""",
)
halfka_v2_hm: Final = _set(
    "HalfKAv2_hm",
    [_MIRRORED],
    """Every piece, by one of 32 squares of the own king, which is brought to files e to h: 704 bucket + 64 plane + s.

    Trainers number 768 features in a bucket: the other king has plane 11 (``numbering="trainer"``, 24,576 features).
    """,
    trainer=[_MIRRORED_OF_TRAINER],
    file_hash=0x7F23_4CB8,
)
full_threats: Final = _set(
    "FullThreats",
    [_THREATS],
    """Every pair of an attacker and a piece that it attacks, of either side; the own king is brought to files a to d.

    Kings take no part, nor do pairs that Stockfish leaves out: pawns attack knights and rooks only, bishops and rooks
    no queens. If two pieces of one kind attack each other, the one on the higher square is the attacker.
    """,
    file_hash=0x2E6B_9D04,
)
pawn_pairs: Final = _set(
    "PP_3Wide",
    [_PAIRS],
    """Every two pawns of any side on one file or on files side by side; the own king is brought to files a to d.""",
    file_hash=0x86F2_B1DD,
)
sfnnv16: Final = _set(
    "SFNNv16",
    [_THREATS, _PAIRS, _MIRRORED],
    """The input of Stockfish's net of July 2026: FullThreats from 0, PP_3Wide from 59,808, HalfKAv2_hm from 64,368.""",
    trainer=[_THREATS, _PAIRS, _MIRRORED_OF_TRAINER],
)
