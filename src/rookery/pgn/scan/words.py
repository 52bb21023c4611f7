"""The vocabulary of PGN: results, words that annotate, values of headers, and the characters that end a word.

Readers and writers take them from here. `rookery.rules.notation.results` has the results themselves.
"""

import codecs
from typing import Final

from rookery.rules.notation.results import BLACK_WON, DRAWN, HALF, RESULTS, UNFINISHED, WHITE_WON

# 0 to 3: how arrays store a result.
SCORES: Final = (UNFINISHED, WHITE_WON, BLACK_WON, DRAWN)
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
