"""The input of searchless chess: a position as 77 tokens, and values as bins.

Its actions are the layout ``"uci"`` of `Positions.policy_mask` and `Positions.policy_index`.

Source: Anian Ruoss et al., "Amortized Planning with Large-Scale Transformers: A Case Study on Chess", 2024;
google-deepmind/searchless_chess 90ae0e6, as facts.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rookery.aliases import EnPassant
from rookery.arguments import choice, shown
from rookery.kernel import entry_of
from rookery.positions.layout import CLOCK_SHIFT, COUNTER, NUMBER_SHIFT
from rookery.positions.positions import Positions
from rookery.positions.threads import over
from rookery.rules.constants import default_tables

TOKENS: Final = 77
ALPHABET: Final = "0123456789abcdefghpnrkqPBNRQKw."
_MOST: Final = 999  # a counter has three tokens
_SLOPE: Final = 0.003_682_08  # of the chance to win, per centipawn
_MATE: Final = 31_000  # centipawns: the score of a mate of unknown length
_MOST_SCORE: Final = 30_000
_CORNERS: Final = np.uint64(0x8100_0000_0000_0081)
_EN_PASSANT: Final = {"legal": 1, "fen": 0}

write_tokens: Final = entry_of("rookery.data.encoders.searchless_kernels", "write_tokens")


def searchless_tokens(positions: Positions, *, en_passant: EnPassant = "legal", threads: int = 1) -> NDArray[np.uint8]:
    """Return the tokens of each position: uint8, (n, 77), indices into ``0123456789abcdefghpnrkqPBNRQKw.``.

    They spell the FEN: the side to move, 64 squares from a8 to h1, castling rights in four places, the en-passant
    square in two, and both counters in three; ``.`` is an empty square or place. `en_passant` is ``"legal"``, which
    writes the square if it can be captured on, or ``"fen"``, which writes it after every double step.

    A counter above 999, and rights to castle with kings and rooks elsewhere than in classical chess, raise ValueError,
    which names the position.

    >>> from rookery import Board
    >>> tokens = searchless_tokens(Positions.from_boards([Board()]))
    >>> "".join(ALPHABET[token] for token in tokens[0])
    'wrnbqkbnrpppppppp................................PPPPPPPPRNBQKBNRKQkq..0..1..'
    """
    if not isinstance(positions, Positions):
        raise TypeError(f"positions: {shown(positions)}: expected Positions")
    is_legal = choice("en_passant", en_passant, _EN_PASSANT)
    c = positions.columns
    clocks, numbers = ((c.state >> np.uint64(shift)) & np.uint64(COUNTER) for shift in (CLOCK_SHIFT, NUMBER_SHIFT))
    _check(positions, (clocks > _MOST) | (numbers > _MOST), "expected counters up to 999")
    may = [(c.castling & side & np.uint64(0xFF << shift)) != 0 for side, shift in ((c.white, 0), (~c.white, 56))]
    home = [(c.kings & side & np.uint64(0x10 << shift)) != 0 for side, shift in ((c.white, 0), (~c.white, 56))]
    elsewhere = ((c.castling & ~_CORNERS) != 0) | (may[0] & ~home[0]) | (may[1] & ~home[1])
    _check(positions, elsewhere, "expected castling rights of classical chess")
    out = np.empty((len(positions), TOKENS), np.uint8)
    over(write_tokens, threads, len(positions), c, is_legal, out, default_tables())
    return out


def _check(positions: Positions, bad: NDArray[np.bool_], expected: str) -> None:
    if bad.any():
        i = int(np.argmax(bad))
        raise ValueError(f"positions[{i}]: {positions[i].fen()}: {expected}")


def win_chance(centipawns: ArrayLike) -> NDArray[np.float64]:
    """Return the chance to win that a score gives the side to move, from 0 to 1: 1 / (1 + exp(-0.00368208 score)).

    >>> win_chance([0, 100, -100]).round(3)
    array([0.5  , 0.591, 0.409])
    """
    result: NDArray[np.float64] = 1 / (1 + np.exp(-_SLOPE * np.asarray(centipawns, np.float64)))
    return result


def scores_of_chances(chances: ArrayLike) -> NDArray[np.int16]:
    """Return the score in centipawns that gives the side to move each chance to win; the inverse of `win_chance`.

    1 and 0 are mates of unknown length: 31,000 and -31,000.

    >>> scores_of_chances([0.5, 0.591, 1]).tolist()
    [0, 100, 31000]
    """
    given = np.asarray(chances, np.float64)
    with np.errstate(divide="ignore"):
        found = np.clip(np.rint(np.log(given / (1 - given)) / _SLOPE), -_MOST_SCORE, _MOST_SCORE)
    mates = (given == 0) | (given == 1)
    result: NDArray[np.int16] = np.where(mates, np.where(given == 1, _MATE, -_MATE), found).astype(np.int16)
    return result


def value_bins(chances: ArrayLike, bins: int = 128) -> NDArray[np.int64]:
    """Return the bin of each chance to win: the number of bounds i / `bins`, 0 < i < `bins`, that are less than it.

    >>> value_bins([0, 0.5, 0.501, 1])
    array([  0,  63,  64, 127])
    """
    bounds = np.arange(1, _bins(bins)) / bins
    return np.searchsorted(bounds, np.asarray(chances, np.float64), side="left")


def bin_values(indices: ArrayLike, bins: int = 128) -> NDArray[np.float64]:
    """Return the chance to win in the middle of each bin.

    >>> bin_values([0, 127])
    array([0.00390625, 0.99609375])
    """
    result: NDArray[np.float64] = (np.asarray(indices, np.float64) + 0.5) / _bins(bins)
    return result


def _bins(bins: Any) -> int:
    if not isinstance(bins, int) or isinstance(bins, bool) or bins < 1:
        raise ValueError(f"bins: {shown(bins)}: expected an int of at least 1")
    return bins
