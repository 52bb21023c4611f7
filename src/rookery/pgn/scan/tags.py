"""Headers: lines of ``[Name "value"]`` taken apart, and their names known."""

from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from rookery.kernel import U64
from rookery.pgn.scan.words import SCORES

# Headers with a column by default: the seven-tag roster, then the others of the Lichess dataset, in the order in which
# files of Lichess have them.
ROSTER: Final = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
COLUMNS: Final = (
    *ROSTER, "UTCDate", "UTCTime", "WhiteElo", "BlackElo", "WhiteRatingDiff", "BlackRatingDiff", "WhiteTitle",
    "BlackTitle", "ECO", "Opening", "TimeControl", "Termination",
)  # fmt: skip
SET_UP: Final = ("Variant", "SetUp", "FEN")
KNOWN: Final = (*COLUMNS, *SET_UP)  # by their numbers
EVENT, RESULT, FEN, SETUP, VARIANT, TIME_CONTROL = (
    KNOWN.index(n) for n in ("Event", "Result", "FEN", "SetUp", "Variant", "TimeControl")
)
UNKNOWN: Final = len(KNOWN)
SLOTS: Final = 24  # of a game: for each known name the number of its tag and one, or 0

# What a tag's row holds: where its name begins and ends, its value, and its number with the flag.
NAME_START, NAME_END, VALUE_START, VALUE_END, NUMBER = range(5)
ESCAPED: Final = 1 << 8  # a backslash takes away the meaning of what follows it
ODD_VALUE: Final = 1 << 9  # a Result that is none, which no score gives back


# Values with a meaning, in lower case, each known by its number here.


def packed(words: Iterable[str | bytes]) -> tuple[Any, Any]:
    """Return the bytes of some words, concatenated, and where each begins and ends: a table for `place_among`."""
    coded = [word.encode() if isinstance(word, str) else word for word in words]
    return np.frombuffer(b"".join(coded), np.uint8), np.cumsum([0, *map(len, coded)]).astype(U64)


RESULTS: Final = SCORES
NO_RESULT: Final = 255
