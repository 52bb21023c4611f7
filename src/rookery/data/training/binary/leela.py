"""Leela's records: the training data of Leela Chess Zero, 8,276 to 8,396 bytes a position by version.

A record has the 104 planes that the network sees (the pieces in the position and in the seven before it, seen from the
side to move, and whether each position has occurred before), a number for each of 1,858 moves (-1 if it is not legal),
castling rights, the half-move clock, and values of the search and of the game, from -1 (lost) to 1. From version 5 on
it says in which of the formats of `rookery.data.encoders.leela` its planes are.

A score becomes Q by Leela's own formula, score = 90 tan(1.5637541897 Q), cut to -1 to 1. The move of the row has the
probability 1, and all other legal moves have 0. No draws are expected (D = 0). The plies left are those until the rows
of the game end. The planes before the first row of a game are empty, unless an en-passant capture is possible: then the
board before the double step is known. Files are written as version 6 with planes of format 1.

https://lczero.org/dev/wiki/training-data-format-versions/ lists the fields.
"""

import functools
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.squares import SQUARE_NAMES, parse_square
from rookery.data.encoders.histories import Histories
from rookery.data.encoders.leela import (
    BOARD_PLANES,
    HISTORY,
    MIRROR_FILES,
    MIRROR_RANKS,
    TRANSPOSE,
    planes_of,
)
from rookery.data.encoders.leela import (
    EN_PASSANT as _EN_PASSANT,
)
from rookery.data.training import limits
from rookery.data.training.binary.chains import firsts_of
from rookery.data.training.samples import ScoredPositions
from rookery.positions.features.move_lists import leela_texts
from rookery.positions.positions import Positions

LIMITS: Final = (
    limits.NO_SCORE,
    limits.NO_RESULT,
    limits.NO_MOVE,
    limits.INVALID,
    limits.NOT_STANDARD,
    limits.ILLEGAL,
    limits.clock_over(255),
)
MOVES, PLANES = 1858, HISTORY * BOARD_PLANES
PAST_THE_END: Final = 0xFFFF  # the index of a move after the game


def _record(version: int) -> np.dtype[np.void]:
    """Return the layout of the records of a version, 3 to 7."""
    fields: list[Any] = [("version", "<u4"), *([("input_format", "<u4")] if version >= 5 else [])]
    fields += [("probabilities", "<f4", MOVES), ("planes", "<u8", PLANES)]
    castling = ("castling_us_ooo", "castling_us_oo", "castling_them_ooo", "castling_them_oo")
    fields += [(name, "u1") for name in (*castling, "side_to_move", "rule50_count", "invariance_info")]
    fields += [("dummy", "u1") if version >= 6 else ("result", "i1")]
    values = ["root_q", "best_q", "root_d", "best_d"] if version >= 4 else []
    values += ["root_m", "best_m", "plies_left"] if version >= 5 else []
    if version >= 6:
        values += ["result_q", "result_d", "played_q", "played_d", "played_m", "orig_q", "orig_d", "orig_m"]
    fields += [(name, "<f4") for name in values]
    if version >= 6:
        fields += [("visits", "<u4"), ("played_idx", "<u2"), ("best_idx", "<u2"), ("policy_kld", "<f4")]
    if version == 6:
        fields += [("reserved", "<u4")]
    if version == 7:
        fields += [("q_st", "<f4"), ("d_st", "<f4"), ("opponent_idx", "<u2"), ("next_idx", "<u2")]
        fields += [("reserved", "<f4", 8)]
    return np.dtype(fields)


RECORDS: Final = {version: _record(version) for version in range(3, 8)}
_VERSION, _CLASSICAL = 6, 1
FIRST_WITH_SCORES: Final = 4
FIRST_WITH_FORMAT: Final = 5  # the first version that says the format of its planes
RECORD: Final = RECORDS[_VERSION]
FIRST_OF_TURNED: Final = 3  # the first input format whose boards may be turned
_BLACK_FLAG: Final = 0x80
_SHORT_TERM: Final = 5 / 6  # the weight of what follows in a short-term value
CENTIPAWNS, SCALE = 90.0, 1.5637541897
_AT_ONCE: Final = 2048  # records: 17 MB
_LONGEST: Final = 16_384  # rows kept until the game ends; a longer game is written in parts


def records_of(rows: ScoredPositions, version: int = _VERSION, input_format: int = _CLASSICAL) -> NDArray[np.void]:
    """Return the records of complete games: a structured array of a layout in `RECORDS`."""
    found = np.concatenate([np.empty(0, RECORDS[version]), *_records(rows, version, input_format)])
    if version == 7:
        _add_what_follows(found, firsts_of(rows))
    return found


def _records(
    rows: ScoredPositions, version: int = _VERSION, input_format: int = _CLASSICAL
) -> Iterator[NDArray[np.void]]:
    n = len(rows)
    if not n:
        return
    index = np.arange(n)
    firsts = firsts_of(rows)
    begin = np.maximum.accumulate(np.where(firsts, index, 0))
    ends = np.append(np.flatnonzero(firsts)[1:], n)
    left = np.repeat(ends, np.diff(np.append(np.flatnonzero(firsts), n))) - index
    histories = Histories(rows.positions, begin, index)
    for start in range(0, n, _AT_ONCE):
        chosen = index[start : start + _AT_ONCE]
        yield _block(rows, histories.chosen(chosen), left, version, input_format)


def _block(
    rows: ScoredPositions, histories: Histories, left: NDArray[Any], version: int, input_format: int
) -> NDArray[np.void]:
    """Return the records of some rows."""
    chosen = histories.rows
    part = rows[chosen]
    positions = part.positions
    black = ~positions.turn
    out = np.zeros(chosen.size, RECORDS[version])

    def fill(**values: Any) -> None:
        for name in values.keys() & set(out.dtype.names or ()):
            out[name] = values[name]

    planes = planes_of(histories, input_format, "no")
    natural = positions.policy_mask("leela")
    turned = turned_moves(rotated=True)
    legal = turned_mask(natural, turned[planes.transform])
    played = turned[planes.transform, positions.policy_index(part.moves, "leela")]
    fill(version=version, input_format=input_format, visits=1, played_idx=played, best_idx=played)
    out["probabilities"] = np.where(legal, np.float32(0), np.float32(-1))
    out["probabilities"][np.arange(chosen.size), played] = 1
    out["planes"] = reversed_files(planes.words[:, :PLANES])
    rights = _files_of_rooks(positions, histories)
    for k, name in enumerate(("us_ooo", "us_oo", "them_ooo", "them_oo")):
        out[f"castling_{name}"] = rights[:, k] != 0 if input_format == _CLASSICAL else rights[:, k]
    fill(side_to_move=black, rule50_count=positions.halfmove_clock)
    if input_format >= FIRST_OF_TURNED:
        out["side_to_move"] = planes.words[:, _EN_PASSANT] >> np.uint64(56)
        out["invariance_info"] = planes.transform | np.where(black, _BLACK_FLAG, 0).astype(np.uint8)
    q = np.clip(np.arctan(part.scores / CENTIPAWNS) / SCALE, -1, 1)
    plies = left[chosen]
    fill(root_q=q, best_q=q, played_q=q, root_m=plies, best_m=plies, played_m=plies, plies_left=plies)
    fill(orig_q=np.nan, orig_d=np.nan, orig_m=np.nan)  # of a network, which has not seen the position
    fill(result_q=part.results, result_d=part.results == 0, result=part.results)
    return out


def _files_of_rooks(positions: Positions, histories: Histories) -> NDArray[np.uint8]:
    """Return a byte of files, a = 1, of the rooks that may castle: own a-side and h-side, then theirs; (n, 4)."""
    white = positions.columns.white
    own = np.where(positions.turn, white, ~white)
    sides = [rooks[histories.rows] for rooks in histories.rights()]
    # A rook stands on the first or the last rank: one byte of the two is empty.
    return np.stack(
        [
            (((rooks & who) | (rooks & who) >> np.uint64(56)) & np.uint64(0xFF)).astype(np.uint8)
            for who in (own, ~own)
            for rooks in sides
        ],
        axis=1,
    )


def _add_what_follows(records: NDArray[np.void], firsts: NDArray[np.bool_]) -> None:
    """Write the short-term values and the indices of the next two moves of version 7, for records of whole games."""
    n = records.size
    ends = np.append(firsts[1:], True)[:n]
    later = np.append(records["played_idx"], [PAST_THE_END] * 2)
    last = np.append(ends, [True, True])
    records["opponent_idx"] = np.where(ends, PAST_THE_END, later[1 : n + 1])
    records["next_idx"] = np.where(ends | last[1 : n + 1], PAST_THE_END, later[2 : n + 2])
    q = d = np.float32(0)
    for i in range(n - 1, -1, -1):
        own_q, own_d = records["root_q"][i], records["root_d"][i]
        if ends[i]:
            q, d = own_q, own_d
        else:  # the value after the move is the opponent's
            q, d = (_SHORT_TERM * x + (1 - _SHORT_TERM) * own for x, own in ((-q, own_q), (d, own_d)))
        records["q_st"][i], records["d_st"][i] = q, max(d, 0)


def turned_mask(legal: NDArray[np.bool_], turned: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return masks of moves, (n, 1858), as masks of the moves that `turned` says instead."""
    found = np.zeros_like(legal)
    rows, moves = np.nonzero(legal)
    found[rows, turned[rows, moves]] = True
    return found


@functools.cache
def turned_moves(rotated: bool) -> NDArray[np.int64]:
    """Return the index of each move on a board that is turned by a transform: int64, (8, 1858).

    A transposed board has its moves transposed in records that were made before April 2025, and rotated since. The
    index is -1 where the list lacks the move, as promotions on a board without pawns.
    """
    texts = leela_texts()
    at = {text: i for i, text in enumerate(texts)}

    def turned(text: str, transform: int) -> int:
        squares = []
        for square in (parse_square(text[:2]), parse_square(text[2:4])):
            transposes = transform & TRANSPOSE
            square ^= 7 if transform & MIRROR_FILES or (rotated and transposes) else 0
            square ^= 56 if transform & MIRROR_RANKS or (rotated and transposes) else 0
            squares.append(63 - (square % 8 * 8 + square // 8) if transposes and not rotated else square)
        return at.get("".join(SQUARE_NAMES[square] for square in squares) + text[4:], -1)

    return np.array([[turned(text, transform) for text in texts] for transform in range(8)], np.int64)


def reversed_files(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
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
