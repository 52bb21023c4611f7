"""Lines of puzzles: their moves read from UCI, checked and made, all puzzles of a block at once."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.positions.layout import Columns, empty_columns
from rookery.positions.moves import judged, played, resolved
from rookery.rules.constants import BECOMES_SHIFT, PROMOTION, TO_SHIFT

MOST_MOVES: Final = 1000  # of a line; far more than any puzzle has
_BLANK, _NEWLINE = 32, 10
_LONGEST: Final = 5  # characters of a move
_LETTERS: Final = np.full(256, 255, np.uint8)
_LETTERS[list(b"nbrq")] = range(4)


class BadMove(NamedTuple):
    """A move that cannot be made: its puzzle, its index in the line, and what was expected."""

    puzzle: int
    move: int
    expected: str


class Spelled(NamedTuple):
    """Moves as words without castling and en passant, flat, with where each line begins, and the first bad ones."""

    words: NDArray[np.uint16]
    offsets: NDArray[np.int64]
    bad: dict[int, BadMove]


def spelled(lines: Sequence[str]) -> Spelled:
    """Read lines of moves in UCI notation, separated by blanks.

    >>> spelled(["e2e4 e7e5", "a7a8q"]).offsets.tolist()
    [0, 2, 3]
    """
    joined = "\n".join(line.replace("\n", "?") for line in lines)
    text = np.frombuffer(joined.encode("ascii", "replace") + b"\n" * (_LONGEST + 1), np.uint8)
    solid = text > _BLANK
    edges = np.flatnonzero(np.diff(solid, prepend=False))
    starts, ends = edges[::2], edges[1::2]
    n = len(lines)
    line_ends = np.flatnonzero(text == _NEWLINE)[:n]
    offsets = np.zeros(n + 1, np.int64)
    offsets[1:] = np.searchsorted(starts, line_ends)
    files = [text[starts + i] - np.uint8(97) for i in (0, 2)]
    ranks = [text[starts + i] - np.uint8(49) for i in (1, 3)]
    lengths = ends - starts
    becomes = np.where(lengths == _LONGEST, _LETTERS[text[starts + 4]], 0)
    source, target = (ranks[i].astype(np.uint16) * 8 + files[i] for i in (0, 1))
    good = (lengths >= _LONGEST - 1) & (lengths <= _LONGEST) & (becomes < 4) & (source != target)
    for part in (*files, *ranks):
        good &= part < 8
    words = source | target << int(TO_SHIFT)
    words |= np.where(lengths == _LONGEST, becomes.astype(np.uint16) << BECOMES_SHIFT | PROMOTION, 0).astype(np.uint16)
    words[~good] = 0
    bad: dict[int, BadMove] = {}
    for place in np.flatnonzero(~good).tolist():
        puzzle = int(np.searchsorted(offsets, place, side="right")) - 1
        bad.setdefault(puzzle, BadMove(puzzle, place - int(offsets[puzzle]), "a move in UCI notation"))
    return Spelled(words.astype(np.uint16), offsets, bad)


class Replayed(NamedTuple):
    """The positions of puzzles, one more than moves for each, and the move that led to each.

    offsets    int64, n + 1: the positions of puzzle i are those from ``offsets[i]`` to ``offsets[i + 1]``
    moves      uint16: 0 for the first position of a puzzle
    before     uint8: 1 if the move was already legal two plies earlier, where it may matter
    bad        the first illegal move of each puzzle that has one; its later positions are arbitrary
    """

    columns: Columns
    offsets: NDArray[np.int64]
    moves: NDArray[np.uint16]
    before: NDArray[np.uint8]
    bad: dict[int, BadMove]


def _rows(c: Columns, rows: NDArray[np.int64]) -> Columns:
    out = empty_columns(rows.size)
    for column, source in zip(out, c, strict=True):
        np.take(source, rows, out=column)
    return out


def _set_rows(c: Columns, rows: NDArray[np.int64], values: Columns) -> None:
    for column, source in zip(c, values, strict=True):
        column[rows] = source


def replayed(starts: Columns, lines: Spelled) -> Replayed:
    """Make the moves of all lines, ply by ply, and check that each is legal."""
    counts = np.diff(lines.offsets)
    n = counts.size
    offsets = np.zeros(n + 1, np.int64)
    np.cumsum(counts + 1, out=offsets[1:])
    nodes = int(offsets[-1])
    columns, moves = empty_columns(nodes), np.zeros(nodes, np.uint16)
    raw = np.zeros(nodes, np.uint16)
    to_node = np.arange(lines.words.size) + np.repeat(np.arange(1, n + 1), counts)
    raw[to_node] = lines.words
    bad: dict[int, BadMove] = {}
    _set_rows(columns, offsets[:-1], starts)
    playing = np.arange(n)
    for ply in range(int(counts.max(initial=0))):
        playing = playing[counts[playing] > ply]
        rows = offsets[playing] + ply
        here = _rows(columns, rows)
        words = resolved(here, raw[rows + 1])
        legal = judged(here, words, 1) & (words != 0)
        for puzzle in playing[legal == 0].tolist():
            bad[puzzle] = lines.bad.get(puzzle) or BadMove(puzzle, ply, "a legal move")
        moves[rows + 1] = words
        _set_rows(columns, rows + 1, played(here, np.where(legal, words, 0).astype(np.uint16), 1))
        if not legal.all():
            playing = playing[legal != 0]
    return Replayed(columns, offsets, moves, _legal_before(columns, offsets, raw), bad)


def _legal_before(c: Columns, offsets: NDArray[np.int64], raw: NDArray[np.uint16]) -> NDArray[np.uint8]:
    """Return 1 for each move that was already legal two plies earlier, if the opponent had just gone to its target."""
    out = np.zeros(raw.size, np.uint8)
    place = np.arange(raw.size) - np.repeat(offsets[:-1], np.diff(offsets))
    target = raw >> int(TO_SHIFT) & 63
    rows = np.flatnonzero(place >= 4)
    rows = rows[target[rows] == target[rows - 3]]
    if rows.size:
        earlier = _rows(c, rows - 3)
        out[rows] = judged(earlier, resolved(earlier, raw[rows]), 1)
    return out
