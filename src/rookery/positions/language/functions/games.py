"""Functions of a game: its headers, its result, and its clocks and evaluations at each position."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from rookery.frames.columns import Texts
from rookery.positions.language import texts
from rookery.positions.language.block import Block
from rookery.positions.language.game_block import GameBlock
from rookery.positions.language.grammar import DATE, NUMBER, OF_GAME, SAME, SIDE, TEXT, WORDS, Written, function
from rookery.positions.language.headers import COMPUTED, OF_MOVES, SUMMARIES
from rookery.results import BLACK_WON, DRAWN, HALF, WHITE_WON

_OF_POSITION: Final = {"needs_games": True}
_MAYBE: Final = {"needs_games": True, "missing": True}
_OF_GAME: Final[dict[str, Any]] = {"scope": OF_GAME, "missing": True}


def _header(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError('the name of a header in quotes, such as "White"')
    return value


HEADER: Final = Written("header in quotes", _header)


def _floats(values: Any) -> Any:
    """Return numbers as float64; a masked value becomes NaN, a missing value."""
    if isinstance(values, np.ma.MaskedArray):
        return np.ma.filled(values.astype(np.float64), np.nan)
    return values.astype(np.float64)


# Of a position in a game.


@function(NUMBER, 1.0, options=_OF_POSITION)
def ply(block: Block) -> Any:
    """Return the number of half-moves before the position."""
    return block.positions.ply.astype(np.int64)


@function(NUMBER, 6.0, options=_MAYBE, side=(SIDE, "us"))
def clock(block: Block, side: str) -> Any:
    """Return the seconds on a side's clock; missing where the game does not state them."""
    return _floats(block.positions.clock(side))


@function(NUMBER, 6.0, options=_MAYBE, side=(SIDE, "us"))
def emt(block: Block, side: str) -> Any:
    """Return the seconds that a side's last move took; missing where the game does not state them."""
    return _floats(block.positions.emt(side))


@function(NUMBER, 6.0, name="eval", options=_MAYBE, side=(SIDE, "us"))
def evaluation(block: Block, side: str) -> Any:
    """Return the evaluation in pawns that the game states, from a side's view; missing where there is none."""
    return _floats(block.positions.eval(side))


@function(NUMBER, 6.0, options=_MAYBE, side=(SIDE, "us"))
def eval_before(block: Block, side: str) -> Any:
    """Return the evaluation of the position one half-move earlier, from a side's view."""
    return _floats(block.positions.eval_before(side))


@function(NUMBER, 8.0, options=_MAYBE, side=(SIDE, "us"))
def score(block: Block, side: str) -> Any:
    """Return the evaluation in centipawns, as training data has it; a mate in n plies is 32000 - n, or n - 32000."""
    return _floats(block.positions.score(side))


@function(NUMBER, 8.0, options={**_MAYBE, "columns": ("WhiteElo", "BlackElo")}, side=(SIDE, "us"))
def elo(block: Block, side: str) -> Any:
    """Return the rating of a side's player; missing where the game does not state it."""
    return _floats(block.positions.elo(side))


@function(NUMBER, 8.0, options=_MAYBE, side=(SIDE, "us"))
def result(block: Block, side: str) -> Any:
    """Return the points that a side scored in the game: 1, 0.5 or 0; missing if the game has no result."""
    return _floats(block.positions.result(side))


# Of a game.


@function(NUMBER, 8.0, name="points", options={**_OF_GAME, "columns": ("Result",)}, side=SIDE)
def points(block: GameBlock, side: str) -> Any:
    """Return the points that White or Black scored in the game, by its result."""
    results = block.column("Result")
    won, lost = (WHITE_WON, BLACK_WON) if side == "white" else (BLACK_WON, WHITE_WON)
    drawn = texts.compared(np.equal, results, DRAWN) | texts.compared(np.equal, results, HALF)
    decided = [texts.compared(np.equal, results, won), texts.compared(np.equal, results, lost)]
    return np.select([*decided, drawn], [1.0, 0.0, 0.5], np.nan)


@function(TEXT, 50.0, options=_OF_GAME, name_=HEADER)
def header(block: GameBlock, name: str) -> Any:
    """Return a header of the game as text; missing where the game does not have it.

    Dates are written 2025-05-01, and a date or number that is not known is missing. ValueError if the header is not one
    of those that were read.
    """
    values = block.column(name)
    if isinstance(values, Texts):
        return values
    column = block.table.column(name).to_numpy()
    missing = np.ma.getmaskarray(column) if isinstance(column, np.ma.MaskedArray) else np.isnat(column)
    written = np.asarray(column).astype(str).tolist()
    return Texts.of([None if absent else text for text, absent in zip(written, missing.tolist(), strict=True)])


@function(SAME, 8.0, name="header column", options=_OF_GAME, name_=WORDS)
def header_column(block: GameBlock, name: str) -> Any:
    """Return a header of the game in its own kind."""
    return block.column(name)


@function(DATE, 20.0, name="day of header", options=_OF_GAME, name_=WORDS)
def day_of_header(block: GameBlock, name: str) -> Any:
    """Return a header whose text is a date as a day; missing where it is not complete."""
    return block.days(name)


def _column(name: str) -> Callable[[GameBlock], Any]:
    return lambda block: block.column(name)


for _name, _kind in {**COMPUTED, **OF_MOVES}.items():
    _run = _column(_name)
    _run.__doc__, _run.__module__ = SUMMARIES[_name], __name__
    _is_known = _name in OF_MOVES
    function(_kind, 4.0, name=_name, options={"scope": OF_GAME, "missing": not _is_known, "columns": (_name,)})(_run)
