"""The vocabulary of PGN: results, words that annotate, headers and their values, and the characters that end a word.

Readers and writers take them from here. `rookery.results` has the results themselves.
"""

import codecs
from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from rookery.kernel import U64
from rookery.results import BLACK_WON, DRAWN, HALF, UNFINISHED, WHITE_WON

# 0 to 3: how arrays store a result.
RESULTS: Final = (UNFINISHED, WHITE_WON, BLACK_WON, DRAWN)
NO_RESULT: Final = 255
OTHER_RESULTS: Final = {HALF: DRAWN, "?": UNFINISHED, "": UNFINISHED}  # in headers, and the first in the moves, too
GLUED_RESULTS: Final = tuple(sorted({*RESULTS, HALF}))  # what may stand right behind a move
CHESS960: Final = ("chess960", "chess 960", "fischerandom", "fischerrandom", "fischer random")  # in lower case
CLASSICAL: Final = ("", "?", "standard", "chess", "normal", "from position")
ENDS_WORD: Final = r"[\s{}();$!?]"
MARK: Final = "[%parse_error"  # begins the comment at the end of a bad game
MOST_WARNINGS: Final = 1000  # of a game; one with more is bad

# Words that annotate. Check signs may follow each of them, and may stand alone.
ANNOTATIONS: Final = (
    *("=", "+=", "=+", "+/=", "=/+", "+/-", "-/+", "+-", "-+", "~", "=~", "~="),
    *("±", "∓", "⩲", "⩱", "∞", "□", "⟳", "↑", "→", "⇆", "⇄", "⊕", "⌓", "∆", "△", "▽", "†", "‡"),
    *("N", "TN", "D", ",", "."),
    *("ep", "ep.", "e.p", "ch", "ch.", "dis.ch", "dis.ch.", "disch", "dbl.ch", "dbl.ch.", "dblch"),
    *("check", "mate", "checkmate"),
)

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


def packed(words: Iterable[str | bytes]) -> tuple[Any, Any]:
    """Return the bytes of some words, concatenated, and where each begins and ends: a table for `place_among`."""
    coded = [word.encode() if isinstance(word, str) else word for word in words]
    return np.frombuffer(b"".join(coded), np.uint8), np.cumsum([0, *map(len, coded)]).astype(U64)


def _windows_1252() -> str:
    """Return the character of each byte, taken from Latin-1 for the five bytes that Windows-1252 leaves undefined."""
    bytes_ = (bytes([byte]) for byte in range(256))
    return "".join(byte.decode("cp1252", "ignore") or byte.decode("latin-1") for byte in bytes_)


# PGN prescribes Latin-1. Programs write this superset of its letters, which adds quotation marks and dashes.
WINDOWS_1252: Final = _windows_1252()


def _as_windows_1252(error: UnicodeError) -> tuple[str, int]:
    """Decode bytes that are not UTF-8."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return "".join(WINDOWS_1252[byte] for byte in error.object[error.start : error.end]), error.end


codecs.register_error("rookery-windows-1252", _as_windows_1252)


def decoded(code: bytes) -> str:
    r"""Return bytes as text: UTF-8, and Windows-1252 where they are not UTF-8.

    >>> decoded(b"M\xfcller"), decoded("Müller".encode())
    ('Müller', 'Müller')
    """
    return code.decode("utf-8", "rookery-windows-1252")
