"""The limits of formats: reasons to leave out a row, each with a test for all rows at once."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.data.training.binary.decoding import CORNERS, E_FILE
from rookery.data.training.samples import ScoredPositions
from rookery.positions.moves import judged


class Limit(NamedTuple):
    """A reason to leave rows out: its name in counts, what it means, and which rows it concerns."""

    name: str
    meaning: str
    concerns: Callable[[ScoredPositions], NDArray[np.bool_]]


def _invalid(rows: ScoredPositions) -> NDArray[np.bool_]:
    valid = rows.positions.is_valid(strict=False)
    found: NDArray[np.bool_] = np.logical_not(valid)
    return found


def _illegal(rows: ScoredPositions) -> NDArray[np.bool_]:
    legal = judged(rows.positions.columns, rows.moves, 1)
    found: NDArray[np.bool_] = np.logical_and(legal == 0, rows.moves != 0)
    return found


def _chess960(rows: ScoredPositions) -> NDArray[np.bool_]:
    """Find castling rights that do not fit kings on the e-file and rooks in the corners."""
    c = rows.positions.columns
    white, black = c.castling & c.white, c.castling & ~c.white
    found: NDArray[np.bool_] = (
        ((c.castling & ~np.uint64(CORNERS)) != 0)
        | ((white != 0) & ((c.kings & c.white & np.uint64(E_FILE)) == 0))
        | ((black != 0) & ((c.kings & ~c.white & np.uint64(E_FILE)) == 0))
    )
    return found


def over(what: str, most: int, values: Callable[[ScoredPositions], NDArray[np.generic]]) -> Limit:
    """Return the limit of a number that is at least 0 and at most `most`."""

    def concerns(rows: ScoredPositions) -> NDArray[np.bool_]:
        found = values(rows).astype(np.int64)
        return (found < 0) | (found > most)

    return Limit(f"{what} over {most:,}", f"The {what} is more than {most:,}.", concerns)


def clock_over(most: int) -> Limit:
    """Return the limit of the half-move clock."""
    return over("half-move clock", most, lambda rows: rows.positions.halfmove_clock)


def number_over(most: int) -> Limit:
    """Return the limit of the full-move number."""
    return over("full-move number", most, lambda rows: rows.positions.fullmove_number)


def plies_over(most: int) -> Limit:
    """Return the limit of the number of plies."""
    return over("number of plies", most, lambda rows: rows.plies)


NO_SCORE: Final = Limit("no score", "The position has no score.", lambda rows: ~rows.has_score)
NO_RESULT: Final = Limit("no result", "The result of the game is not known.", lambda rows: ~rows.has_result)
NO_MOVE: Final = Limit("no move", "The position has no move.", lambda rows: rows.moves == 0)
NO_POSITION: Final = Limit(
    "no position", "The position stands for a line that could not be read.", lambda rows: rows.positions.marked
)
INVALID: Final = Limit("impossible position", "No game can be played on from the position.", _invalid)
ILLEGAL: Final = Limit("illegal move", "The move is not legal in the position.", _illegal)
NOT_STANDARD: Final = Limit(
    "Chess960 castling", "A side may castle with a king off the e-file or a rook outside the corners.", _chess960
)


def kept(rows: ScoredPositions, limits: Sequence[Limit], counts: dict[str, int]) -> ScoredPositions:
    """Return the rows within all limits, and count the others by the first limit that they exceed."""
    keep = np.ones(len(rows), np.bool_)
    drop(rows, limits, counts, keep)
    return rows if keep.all() else rows[keep]


def drop(rows: ScoredPositions, limits: Sequence[Limit], counts: dict[str, int], keep: NDArray[np.bool_]) -> None:
    """Clear `keep` for rows that exceed a limit, and count those by the first limit that they exceed."""
    for limit in limits:
        out = limit.concerns(rows) & keep
        n = int(np.count_nonzero(out))
        if n:
            counts[limit.name] = counts.get(limit.name, 0) + n
            keep &= ~out
