"""The arrays of an opening tree: they grow as games are added."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.games.openings import growth
from rookery.games.openings.growth import EXAMPLE, WIDTH, MoveRows, OtherNames, PositionRows
from rookery.positions.layout import Columns
from rookery.positions.positions import Positions
from rookery.rules.compiled import default_technique

_WORDS: Final = 10  # of a position
_SLICE: Final = 4096  # games added between two checks for Ctrl-C
_FEW: Final = 1024  # rows to begin with

Rows = NDArray[np.int64]


class Storage:
    """Positions and moves as rows of arrays, hash tables that find them, and how many rows are used."""

    def __init__(self) -> None:
        self.positions = PositionRows(
            words=np.zeros((_FEW, _WORDS), np.uint64),
            tallies=np.zeros((_FEW, WIDTH), np.uint32),
            ratings=np.zeros((_FEW, 2), np.uint64),
            names=np.zeros((_FEW, 2), np.uint32),
            chess960=np.zeros(_FEW, np.uint8),
            first=np.zeros(_FEW, np.uint32),
        )
        self.moves = MoveRows(
            tallies=np.zeros((_FEW, WIDTH), np.uint32),
            ratings=np.zeros((_FEW, 2), np.uint64),
            links=np.zeros((_FEW, 4), np.uint32),
        )
        self.slots = np.zeros(2 * _FEW, np.uint64)
        self.names = OtherNames(np.zeros(2 * _FEW, np.uint64), np.zeros(2 * _FEW, np.uint32))
        self.used = np.zeros(4, np.uint64)

    @property
    def position_count(self) -> int:
        """Return the number of positions."""
        return int(self.used[growth.POSITIONS])

    @property
    def move_count(self) -> int:
        """Return the number of moves."""
        return int(self.used[growth.MOVES])

    @property
    def used_positions(self) -> PositionRows:
        """Return the rows of positions that are used, as views."""
        return PositionRows._make(array[: self.position_count] for array in self.positions)

    @property
    def used_moves(self) -> MoveRows:
        """Return the rows of moves that are used, as views."""
        return MoveRows._make(array[: self.move_count] for array in self.moves)

    def reserve(self, positions: int, moves: int, names: int) -> None:
        """Make room for so many more positions, moves and names."""
        n = self.position_count + positions
        if n > self.positions.first.shape[0]:
            arrays: list[Any] = list(self.positions)
            del self.positions  # so that nothing else refers to the arrays
            try:
                _grow(arrays, n)
            finally:
                self.positions = PositionRows._make(arrays)
        if 2 * n > self.slots.size:
            slots = np.zeros(_power_of_two(2 * n), np.uint64)
            growth.place_positions(self.slots, slots)
            self.slots = slots
        n = self.move_count + moves
        if n > self.moves.links.shape[0]:
            arrays = list(self.moves)
            del self.moves
            try:
                _grow(arrays, n)
            finally:
                self.moves = MoveRows._make(arrays)
        n = 2 * (int(self.used[growth.NAMES]) + names)
        if n > self.names.keys.size:
            size = _power_of_two(n)
            larger = OtherNames(np.zeros(size, np.uint64), np.zeros(size, np.uint32))
            growth.place_names(self.names.keys, self.names.counts, larger)
            self.names = larger

    def add_games(
        self,
        offsets: NDArray[np.int64],
        moves: NDArray[np.uint16],
        starts: Columns,
        rows: NDArray[np.int32],
        facts: NDArray[np.uint32],
        before: int,
        depth: int,
    ) -> int:
        """Add games, as `rookery.games.openings.growth.add_games` does, and grow as needed.

        Return the index of the first game with a move that leaves no position, or -1.
        """
        self.used[growth.BROKEN] = 0
        tables = default_technique().tables()
        plies = np.minimum(np.diff(offsets), depth)
        for a in range(0, rows.size, _SLICE):
            b = min(a + _SLICE, rows.size)
            begin = 0
            while begin < b - a:
                more = int(plies[a + begin]) + 1
                self.reserve(more, more, more)
                begin = growth.add_games(
                    begin,
                    offsets[a : b + 1],
                    moves,
                    starts,
                    rows[a:b],
                    facts[a:b],
                    np.uint64(before + a),
                    depth,
                    self.slots,
                    self.positions,
                    self.moves,
                    self.names,
                    self.used,
                    tables,
                )
        broken = int(self.used[growth.BROKEN])
        return broken - 1 - before if broken else -1

    def add(
        self,
        other: "Storage",
        names: Sequence[int],
        before: int,
        positions: Rows | None = None,
        moves: Rows | None = None,
    ) -> None:
        """Add positions and moves of another tree: all, or some of its rows.

        `names` are this tree's numbers of the other's names, and `before` is the number of games in this tree.
        """
        chosen = np.arange(other.position_count) if positions is None else positions
        taken = np.arange(other.move_count) if moves is None else moves
        theirs = PositionRows._make(array[chosen] for array in other.positions)  # copies: `other` may be this tree
        their_moves = MoveRows._make(array[taken] for array in other.moves)
        nodes, other_names, counts = other.other_names()
        rank = np.full(other.position_count, -1, np.int64)
        rank[chosen] = np.arange(chosen.size)
        kept = rank[nodes] >= 0
        self.reserve(chosen.size, taken.size, chosen.size + int(kept.sum()))
        to_ours = np.asarray(names, np.uint32)
        theirs.names[:, 0] = to_ours[theirs.names[:, 0]]
        _move_examples(theirs.tallies, before)
        places = np.zeros(chosen.size, np.uint32)
        growth.add_positions(theirs, self.slots, self.positions, self.names, self.used, places)
        growth.add_names(
            places[rank[nodes[kept]]], to_ours[other_names[kept]], counts[kept], self.positions, self.names, self.used
        )
        ends = their_moves.links[:, [growth.PARENT, growth.CHILD]]
        their_moves.links[:, [growth.PARENT, growth.CHILD]] = rank[ends]
        _move_examples(their_moves.tallies, before)
        growth.add_moves(their_moves, places, self.positions, self.moves, self.used)

    def other_names(self) -> tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[np.uint32]]:
        """Return names that are not the first of their position: positions, names, and the number of games of each."""
        taken = np.flatnonzero(self.names.keys)
        keys = self.names.keys[taken]
        nodes = (keys >> np.uint64(32)).astype(np.int64)
        return nodes, (keys & np.uint64(0xFFFF_FFFF)).astype(np.uint32), self.names.counts[taken]

    def find(self, board: Positions) -> int:
        """Return the number of a position, an array of one, or -1."""
        tables = default_technique().tables()
        return int(growth.find_position(self.positions.words, self.slots, board.columns, tables))

    def boards(self, rows: Any = slice(None)) -> Positions:
        """Return positions of the tree, with counters of a new game."""
        used = self.used_positions
        words, chess960 = used.words[rows], used.chess960[rows]
        turn = words[:, 9]
        white = np.where(turn.astype(np.bool_), words[:, 6], words[:, 5])
        state = turn | chess960.astype(np.uint64) << np.uint64(1) | np.uint64(1 << 33)
        columns = [words[:, i] for i in range(5)]
        columns += [white, words[:, 7], words[:, 8], state]
        return Positions(Columns(*(np.ascontiguousarray(column) for column in columns)))


def _move_examples(tallies: NDArray[np.uint32], before: int) -> None:
    """Change the numbers of example games to those that they have behind `before` other games."""
    given = tallies[:, EXAMPLE] != 0
    tallies[given, EXAMPLE] += np.uint32(before)


def _power_of_two(n: int) -> int:
    return 1 << (n - 1).bit_length()


def _grow(arrays: list[Any], least: int) -> None:
    """Give each array a quarter more rows, or `least`. The new rows are zeros.

    Linux extends a large array in place: it moves pages, not bytes. Copying took half of the time of adding games.
    """
    for i in range(len(arrays)):
        array = arrays[i]
        arrays[i] = None  # or something else would refer to the array
        shape = (max(least, array.shape[0] + array.shape[0] // 4), *array.shape[1:])
        try:
            array.resize(shape)
        except ValueError:  # something else refers to it
            array = np.concatenate([array, np.zeros((shape[0] - array.shape[0], *shape[1:]), array.dtype)])
        finally:
            arrays[i] = array
