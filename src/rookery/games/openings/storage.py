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
            first=np.zeros(_FEW, np.uint32),
            chess960=np.zeros(_FEW, np.uint8),
        )
        self.moves = MoveRows(
            links=np.zeros((_FEW, 4), np.uint32),
            tallies=np.zeros((_FEW, WIDTH), np.uint32),
            ratings=np.zeros((_FEW, 2), np.uint64),
        )
        self.slots = np.zeros(2 * _FEW, np.uint32)
        self.names = OtherNames(np.zeros(2 * _FEW, np.uint64), np.zeros(2 * _FEW, np.uint32))
        self.used = np.zeros(3, np.uint64)

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
        if n > self.positions.first.size:
            self.positions = PositionRows._make(_grown(array, n) for array in self.positions)
        if 2 * n > self.slots.size:
            self.slots = np.zeros(_power_of_two(2 * n), np.uint32)
            growth.place_all(self.positions.words[: self.position_count], self.slots)
        n = self.move_count + moves
        if n > self.moves.links.shape[0]:
            self.moves = MoveRows._make(_grown(array, n) for array in self.moves)
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
    ) -> None:
        """Add games, as `rookery.games.openings.growth.add_games` does, and grow as needed."""
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
        from_positions, from_moves = other.used_positions, other.used_moves
        chosen = np.arange(other.position_count) if positions is None else positions
        taken = np.arange(other.move_count) if moves is None else moves
        links = from_moves.links[taken]
        rank = np.full(other.position_count, -1, np.int64)
        rank[chosen] = np.arange(chosen.size)
        nodes, other_names, counts = other.other_names()
        kept = rank[nodes] >= 0
        self.reserve(chosen.size, links.shape[0], chosen.size + int(kept.sum()))
        to_ours = np.asarray(names, np.uint32)
        theirs = PositionRows._make(array[chosen] for array in from_positions)
        theirs.names[:, 0] = to_ours[theirs.names[:, 0]]
        _move_examples(theirs.tallies, before)
        places = np.zeros(chosen.size, np.uint32)
        growth.add_positions(theirs, self.slots, self.positions, self.names, self.used, places)
        growth.add_names(
            places[rank[nodes[kept]]], to_ours[other_names[kept]], counts[kept], self.positions, self.names, self.used
        )
        links[:, [growth.PARENT, growth.CHILD]] = rank[links[:, [growth.PARENT, growth.CHILD]]]
        chosen_moves = MoveRows(links, from_moves.tallies[taken], from_moves.ratings[taken])
        _move_examples(chosen_moves.tallies, before)
        growth.add_moves(chosen_moves, places, self.positions, self.moves, self.used)

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


def _grown(array: NDArray[Any], least: int) -> NDArray[Any]:
    """Return an array with four times as many rows or `least`, and the same values in its first ones.

    Zeros take no memory until they are written. Copying them more often took longer than all else.
    """
    out = np.zeros((max(least, array.shape[0] * 4), *array.shape[1:]), array.dtype)
    out[: array.shape[0]] = array
    return out
