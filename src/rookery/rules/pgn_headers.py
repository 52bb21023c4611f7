"""The headers of a PGN game: which there are at least, and what is wrong with one."""

import re
from collections.abc import Mapping
from typing import Final

from rookery.arguments import printable, shown
from rookery.rules.pgn_tokens import CHESS960, CLASSICAL, NAME, RESULTS

ROSTER: Final = dict.fromkeys(("Event", "Site", "Date", "Round", "White", "Black"), "?") | {
    "Date": "????.??.??",
    "Result": "*",
}
QUOTED: Final = 60  # no move is longer, and a longer fault is recognised by its beginning


def short(text: str) -> str:
    """A header for a line on a terminal: what comes from a file may hold escape sequences, and be of any length."""
    return printable(text if len(text) <= QUOTED else f"{text[:QUOTED]}...")


def completed(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers with the roster first, and all of it, and a FEN announced by SetUp, as PGN demands."""
    return ROSTER | announced(headers)


def announced(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers with a FEN announced by SetUp."""
    found: dict[str, str] = {}
    for name, value in headers.items():
        if name == "FEN":
            found.setdefault("SetUp", "1")
        found[name] = value
    return found


def header_fault(name: str, value: str) -> str:
    """What is wrong with a header, or nothing."""
    if not re.fullmatch(NAME, name):
        return f"header {shown(name)}: expected a name of letters, digits and _"
    if "\n" in value or "\r" in value:
        return f"header {short(name)}: {shown(value)}: a line break"
    if name == "Result" and value not in RESULTS:
        return f"header Result: {shown(value)}: expected one of {', '.join(RESULTS)}"
    if name == "Variant" and value.lower() not in CHESS960 + CLASSICAL:
        return f"header Variant: {shown(value)}: expected chess or Chess960"
    return ""
