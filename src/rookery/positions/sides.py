"""Sides as callers of queries name them, in the form that compiled code takes."""

from typing import Final, NamedTuple

from rookery.kernel import U64, UNIVERSE, Word


class Side(NamedTuple):
    """A side as two masks, so that the same machine code serves all four choices."""

    by_turn: Word  # universe: the side depends on who is to move
    second: Word  # universe: black, or the side that is not to move


SIDES: Final = {
    "us": Side(U64(UNIVERSE), U64(0)),
    "them": Side(U64(UNIVERSE), U64(UNIVERSE)),
    "white": Side(U64(0), U64(0)),
    "black": Side(U64(0), U64(UNIVERSE)),
}
