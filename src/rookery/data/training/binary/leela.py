"""Leela V6: the training data of Leela Chess Zero, 8,356 bytes a position. It is written, not read.

A record has the 104 planes that the network sees (the pieces in the position and in the seven before it, seen from the
side to move, and whether each position has occurred before), a number for each of 1,858 moves (-1 if it is not legal),
castling rights, the half-move clock, and values of the search and of the game, from -1 (lost) to 1.

A score becomes Q by Leela's own formula, score = 90 tan(1.5637541897 Q), cut to -1 to 1. The move of the row has the
probability 1, and all other legal moves have 0. No draws are expected (D = 0). The plies left are those until the rows
of the game end. The planes before the first row of a game are empty, unless an en-passant capture is possible: then the
board before the double step is known.

https://lczero.org/dev/wiki/training-data-format-versions/ lists the fields.
"""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.data.encoders.histories import Histories
from rookery.data.encoders.leela import BOARD_PLANES, HISTORY, planes_of
from rookery.data.training import limits
from rookery.data.training.binary.chains import firsts_of
from rookery.data.training.samples import ScoredPositions

LIMITS: Final = (
    limits.NO_SCORE,
    limits.NO_RESULT,
    limits.NO_MOVE,
    limits.INVALID,
    limits.NOT_STANDARD,
    limits.ILLEGAL,
    limits.clock_over(255),
)
_MOVES, _PLANES = 1858, HISTORY * BOARD_PLANES
RECORD: Final = np.dtype(
    [
        ("version", "<u4"), ("input_format", "<u4"), ("probabilities", "<f4", _MOVES), ("planes", "<u8", _PLANES),
        *((name, "u1") for name in (
            "castling_us_ooo", "castling_us_oo", "castling_them_ooo", "castling_them_oo", "side_to_move",
            "rule50_count", "invariance_info", "dummy",
        )),
        *((name, "<f4") for name in (
            "root_q", "best_q", "root_d", "best_d", "root_m", "best_m", "plies_left", "result_q", "result_d",
            "played_q", "played_d", "played_m", "orig_q", "orig_d", "orig_m",
        )),
        ("visits", "<u4"), ("played_idx", "<u2"), ("best_idx", "<u2"), ("policy_kld", "<f4"), ("reserved", "<u4"),
    ]
)  # fmt: skip
_VERSION, _CLASSICAL = 6, 1
_CENTIPAWNS, _SCALE = 90.0, 1.5637541897
_AT_ONCE: Final = 2048  # records: 17 MB
_LONGEST: Final = 16_384  # rows kept until the game ends; a longer game is written in parts


def records_of(rows: ScoredPositions) -> NDArray[np.void]:
    """Return the records of complete games."""
    return np.concatenate([*_records(rows)]) if len(rows) else np.empty(0, RECORD)


def _records(rows: ScoredPositions) -> Iterator[NDArray[np.void]]:
    n = len(rows)
    index = np.arange(n)
    firsts = firsts_of(rows)
    begin = np.maximum.accumulate(np.where(firsts, index, 0))
    ends = np.append(np.flatnonzero(firsts)[1:], n)
    left = np.repeat(ends, np.diff(np.append(np.flatnonzero(firsts), n))) - index
    histories = Histories(rows.positions, begin, index)
    for start in range(0, n, _AT_ONCE):
        chosen = index[start : start + _AT_ONCE]
        yield _block(rows, histories.chosen(chosen), left)


def _block(rows: ScoredPositions, histories: Histories, left: NDArray[Any]) -> NDArray[np.void]:
    """Return the records of some rows."""
    chosen = histories.rows
    part = rows[chosen]
    positions = part.positions
    out = np.zeros(chosen.size, RECORD)
    out["version"], out["input_format"], out["visits"] = _VERSION, _CLASSICAL, 1
    played = positions.policy_index(part.moves, "leela")
    out["probabilities"] = np.where(positions.policy_mask("leela"), np.float32(0), np.float32(-1))
    out["probabilities"][np.arange(chosen.size), played] = 1
    out["played_idx"] = out["best_idx"] = played
    words = planes_of(histories, _CLASSICAL, "no").words
    out["planes"] = _reversed_files(words[:, :_PLANES])
    for k, name in enumerate(("us_ooo", "us_oo", "them_ooo", "them_oo"), _PLANES):
        out[f"castling_{name}"] = words[:, k] != 0
    out["side_to_move"] = ~positions.turn
    out["rule50_count"] = positions.halfmove_clock
    q = np.clip(np.arctan(part.scores / _CENTIPAWNS) / _SCALE, -1, 1)
    for name in ("root_q", "best_q", "played_q"):
        out[name] = q
    for name in ("root_m", "best_m", "played_m", "plies_left"):
        out[name] = left[chosen]
    for name in ("orig_q", "orig_d", "orig_m"):  # of a network, which has not seen the position
        out[name] = np.nan
    out["result_q"], out["result_d"] = part.results, part.results == 0
    return out


def _reversed_files(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return boards with the bits of each byte in the opposite order, as the records store them."""
    table = np.packbits(np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1), axis=1, bitorder="little")
    found: NDArray[np.uint64] = table.ravel()[np.ascontiguousarray(words).view(np.uint8)].view(np.uint64)
    return found


class RecordEncoder:
    """A writer of records: turns the rows of complete games into bytes."""

    def __init__(self) -> None:
        self._open: ScoredPositions | None = None

    def add(self, rows: ScoredPositions) -> Iterator[bytes]:
        """Yield the records of games that are complete, and keep the rows of the last one."""
        if not len(rows):
            return
        rows = rows if self._open is None else ScoredPositions.concatenate([self._open, rows])
        last = int(np.flatnonzero(firsts_of(rows))[-1])
        last = last if len(rows) - last < _LONGEST else len(rows)
        self._open = rows[last:] if last < len(rows) else None
        for block in _records(rows[:last]) if last else ():
            yield block.tobytes()

    def end(self) -> Iterator[bytes]:
        """Yield the records of the last game."""
        if self._open is not None:
            for block in _records(self._open):
                yield block.tobytes()
