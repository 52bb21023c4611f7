"""The headers of a PGN game: which there are at least, and what is wrong with one."""

import re
from collections.abc import Mapping
from typing import Final

from rookery.arguments import printable, shown
from rookery.pgn.tokens import CHESS960, CLASSICAL, NAME, RESULTS

ROSTER: Final = dict.fromkeys(("Event", "Site", "Date", "Round", "White", "Black"), "?") | {
    "Date": "????.??.??",
    "Result": "*",
}
NO_FEN: Final = "header SetUp: '1' requires a FEN header, and there is none"
QUOTED: Final = 60  # characters: moves are shorter, and longer faults are recognised by their beginning


def short(text: str) -> str:
    """Return a header for a line of a terminal: without the escape sequences of a file, and not too long."""
    return printable(text if len(text) <= QUOTED else f"{text[:QUOTED]}...")


def completed(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers with the complete roster first, and with SetUp before a FEN, as PGN requires."""
    return ROSTER | announced(headers)


def announced(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers with SetUp before a FEN."""
    found: dict[str, str] = {}
    for name, value in headers.items():
        if name == "FEN":
            found.setdefault("SetUp", "1")
        found[name] = value
    return found


def header_fault(name: str, value: str) -> str:
    """Return what is wrong with a header, or an empty string."""
    if not re.fullmatch(NAME, name):
        return f"header {shown(name)}: expected a name of letters, digits and _"
    if "\n" in value or "\r" in value:
        return f"header {short(name)}: {shown(value)}: a line break"
    if name == "Result" and value not in RESULTS:
        return f"header Result: {shown(value)}: expected one of {', '.join(RESULTS)}"
    if name == "Variant" and value.lower() not in CHESS960 + CLASSICAL:
        return f"header Variant: {shown(value)}: expected chess or Chess960"
    return ""
