"""Classes of bytes in PGN: blanks, line breaks, ends of words; and UTF-8.

A text is read as UTF-8. A byte that is not UTF-8 is read as Windows-1252. Nearly every byte is ASCII and is looked up
in a table; all others take the slow way.
"""

import re
from typing import Any, Final

import numpy as np

from rookery.pgn.scan.words import ENDS_WORD

# Classes of the byte that a word begins with.
OTHER, BLANK, NEWLINE, MOVE, DIGIT, BRACE = range(6)

_BLANKS: Final = b" \t\x0b\x0c\x1c\x1d\x1e\x1f"


def _classes() -> Any:
    kinds = np.zeros(256, np.uint8)
    for group, kind in ((_BLANKS, BLANK), (b"\r\n", NEWLINE), (b"abcdefghNBRQK", MOVE), (b"0123456789", DIGIT)):
        kinds[list(group)] = kind
    kinds[ord("{")] = BRACE
    return kinds


CLASS: Final = _classes()


def bytes_that(pattern: str, after: str = "") -> Any:
    """Return a table: 1 for each ASCII character that `pattern` matches after a prefix."""
    table = np.zeros(256, np.uint8)
    table[:128] = [re.fullmatch(pattern, after + chr(c)) is not None for c in range(128)]
    return table


ENDS: Final = bytes_that(ENDS_WORD)  # no word goes on with it
