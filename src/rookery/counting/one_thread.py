"""Perft in one thread, in vector registers.

The walk goes down to three plies from the leaves, where it counts a whole unit at once (`rookery.counting.lanes`).
"""

from collections.abc import Iterator
from typing import Final

from rookery.board.board import Board
from rookery.counting.visitors import UNIT, Units, table, workspace
from rookery.counting.walk import slices, walked
from rookery.rules.constants import default_tables

STEP: Final = 150  # positions whose children are counted between two looks for Ctrl-C: less than a tenth of a second


def on_lanes(board: Board, depth: int) -> Iterator[int]:
    """Count like `perft`, in one thread, but yield the leaves in portions less than a tenth of a second apart."""
    yield from portions(board, depth, Units(workspace(), table(0)))


def portions(board: Board, depth: int, visitor: Units) -> Iterator[int]:
    """Count in one thread with a visitor of this thread, and yield the leaves in portions."""
    if depth <= UNIT:
        yield from slices(board, depth)
    else:
        yield from walked(board.words(), depth, depth - UNIT - 1, visitor, default_tables(), STEP)
