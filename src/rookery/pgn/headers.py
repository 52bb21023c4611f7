"""The headers of a PGN game: which there are at least, and what is wrong with one."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, Self

from rookery.arguments import printable, shown
from rookery.lazy_imports import compile_later
from rookery.pgn.scan.lexing import vocabulary
from rookery.pgn.scan.lexing.vocabulary import CHESS960, CLASSICAL
from rookery.results import RESULTS, UNFINISHED
from rookery.sources.formats import TAG_NAME

ROSTER: Final = dict.fromkeys(vocabulary.ROSTER, "?") | {"Date": "????.??.??", "Result": UNFINISHED}
_NAME: Final = compile_later(TAG_NAME)
NO_FEN: Final = "header SetUp: '1' requires a FEN header, and there is none"
QUOTED: Final = 60  # characters: moves are shorter, and longer faults are recognised by their beginning


class Headers(dict[str, str]):
    """The headers of a game: a dict that refuses what a PGN file cannot hold.

    >>> headers = Headers({"White": "Anna"})
    >>> headers["Round"] = "1"
    >>> headers
    {'White': 'Anna', 'Round': '1'}
    >>> try:
    ...     headers["~"] = "x"
    ... except ValueError as fault:
    ...     print(fault)
    header '~': expected a name of letters, digits and _
    """

    __slots__ = ()

    def __init__(self, headers: Mapping[str, str] | Iterable[tuple[str, str]] = (), /, **more: str) -> None:
        super().__init__()
        self.update(headers, **more)

    @classmethod
    def unchecked(cls, headers: Mapping[str, str]) -> Self:
        """Return headers without a check: a reader has checked them, or only their writer will."""
        found = cls()
        dict.update(found, headers)
        return found

    def __setitem__(self, name: str, value: str) -> None:
        if fault := header_fault(name, value):
            raise ValueError(fault)
        super().__setitem__(name, value)

    def setdefault(self, name: str, default: str = "", /) -> str:
        """Return a header, and set it first if it is missing."""
        if not isinstance(name, str) or name not in self:
            self[name] = default
        return self[name]

    def update(self, headers: Any = (), /, **more: str) -> None:
        """Set several headers, given as a mapping or as pairs."""
        try:
            given = dict(headers, **more)
        except (TypeError, ValueError, LookupError):
            raise TypeError(f"headers: {shown(headers)}: expected a mapping, or pairs of texts") from None
        for name, value in given.items():
            self[name] = value

    def __ior__(self, headers: Any) -> Self:  # type: ignore[override,misc]
        self.update(headers)
        return self

    def copy(self) -> Self:
        """Return an independent copy."""
        return self.unchecked(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).unchecked, (dict(self),)


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


def result_of(headers: Mapping[str, str]) -> str:
    """Return the header Result, or ``*`` if it is none of PGN's four or missing."""
    result = headers.get("Result", UNFINISHED)
    return result if result in RESULTS else UNFINISHED


def header_fault(name: str, value: str) -> str:
    """Return what is wrong with a header, or an empty string."""
    if fault := form_fault(name, value):
        return fault
    if name == "Result" and value not in RESULTS:
        return f"header Result: {shown(value)}: expected one of {', '.join(RESULTS)}"
    if name == "Variant" and value.lower() not in CHESS960 + CLASSICAL:
        return f"header Variant: {shown(value)}: expected chess or Chess960"
    return ""


def form_fault(name: str, value: str) -> str:
    """Return why no line of PGN can hold a header, or an empty string."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        return f"header {shown(name)}: expected a name of letters, digits and _"
    if not isinstance(value, str):
        return f"header {short(name)}: {shown(value)}: expected a text"
    if "\n" in value or "\r" in value:
        return f"header {short(name)}: {shown(value)}: a line break"
    return ""
