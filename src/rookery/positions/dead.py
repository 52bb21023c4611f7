"""Answers about dead positions for arrays: a fast test of all positions, then proofs and searches for the rest."""

import threading
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.kernel import U64, entry_of
from rookery.positions.layout import Columns
from rookery.positions.threads import each_in_threads, over, spans
from rookery.rules.helpmates.finding import answers, checked_limit, rows_of
from rookery.rules.helpmates.possibility import IMPOSSIBLE, UNKNOWN
from rookery.rules.helpmates.space import BLACK_CANNOT, WHITE_CANNOT, WORTH_A_PROOF, new_space

first_look: Final = entry_of("rookery.positions.kernels.dead", "first_look")

_PART: Final = 64  # positions of a part, so that threads that have quick ones help the others


def mates_of_sides(columns: Columns, black: NDArray[np.bool_], limit: Any, threads: int) -> NDArray[np.uint8]:
    """Return whether a side of each position, black where `black` is True, can mate: the answers of `space`."""
    limit = checked_limit(limit)
    n = columns.size
    looks = np.empty(n, np.uint8)
    over(first_look, threads, n, columns, looks)
    cannot = looks & np.where(black, BLACK_CANNOT, WHITE_CANNOT).astype(np.uint8) != 0
    found = np.where(cannot, IMPOSSIBLE, UNKNOWN).astype(np.uint8)
    open_ = np.flatnonzero(~cannot if limit else ~cannot & (looks & WORTH_A_PROOF != 0))
    if open_.size:
        found[open_] = _settled(columns.chosen(open_), black[open_], limit, threads)
    return found


def _settled(columns: Columns, black: NDArray[np.bool_], limit: int, threads: int) -> NDArray[np.uint8]:
    *pieces, white, castling, en_passant, state = columns
    turn = state & U64(1)
    all_pieces = np.bitwise_or.reduce(pieces)
    us = np.where(turn, all_pieces ^ white, white)
    rows = rows_of(np.stack([*pieces, us, all_pieces ^ us, castling, en_passant, turn], axis=1), black)
    stop = threading.Event()
    spaces = threading.local()

    def settle(span: tuple[int, int]) -> NDArray[np.uint8]:
        if not hasattr(spaces, "own"):
            spaces.own = new_space(limit)
        return answers(rows[slice(*span)], spaces.own, stop)

    parts = spans(black.size, threads, least=_PART, most=None if threads == 1 else _PART)
    return np.concatenate(list(each_in_threads(settle, parts, threads, stop.set)))
