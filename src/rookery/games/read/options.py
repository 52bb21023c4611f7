"""`ReadOptions`: the options of reading games, checked once and passed whole."""

import codecs
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final

from rookery.aliases import PgnErrors
from rookery.arguments import check_threads, flag, shown
from rookery.lazy_imports import modules_later
from rookery.pgn.scan.lexing.languages import number_of_language

if TYPE_CHECKING:
    from rookery.games.headers import opening_names
else:
    (opening_names,) = modules_later("rookery.games.headers", "opening_names")

_FLAGS: Final = ("clocks", "comments", "nags", "variations", "moves", "texts", "strict")
_ERRORS: Final = ("keep", "skip", "raise")
# They decide how the work is done and what becomes of bad games, not what is read.
_NOT_OF_CONTENT: Final = ("errors", "threads")


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """The options of reading games, as `rookery.read_pgn` describes them. A wrong one is an error that names it.

    `headers` is None if the usual headers are columns, and all others are kept.

    >>> options = ReadOptions(headers=["White"], encoding="Windows-1251")
    >>> options.headers
    ('White',)
    >>> options.encoding
    'cp1251'
    """

    headers: tuple[str, ...] | None = None
    clocks: bool = True
    comments: bool = True
    nags: bool = True
    variations: bool = True
    where: str | None = None
    moves: bool = True
    texts: bool = False
    encoding: str | None = None
    letters: str | None = None
    names: "opening_names.OpeningNames | None" = None
    errors: PgnErrors = "keep"
    strict: bool = False
    threads: int = 1

    def __post_init__(self) -> None:
        checked: dict[str, Any] = {name: flag(name, getattr(self, name)) for name in _FLAGS}
        checked["headers"] = _names(self.headers)
        checked["encoding"] = _codec(self.encoding)
        number_of_language(self.letters)
        checked["names"] = None if self.names is None else opening_names.opening_names(self.names)
        if not isinstance(self.errors, str) or self.errors not in _ERRORS:
            raise ValueError(f"errors: {shown(self.errors)}: expected 'keep', 'skip' or 'raise'")
        check_threads(self.threads)
        if self.where is not None and not isinstance(self.where, str):
            raise TypeError(f"where: {shown(self.where)}: expected a text like 'WhiteElo >= 2000'")
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    @classmethod
    def among(cls, arguments: Mapping[str, Any]) -> "ReadOptions":
        """Return the options among the arguments of a function.

        >>> ReadOptions.among({"source": "games.pgn", "strict": True}).strict
        True
        """
        return cls(**{field.name: arguments[field.name] for field in fields(cls) if field.name in arguments})

    def for_moves(self, headers: Iterable[str] = (), *, clocks: bool = False) -> "ReadOptions":
        """Return options that read moves, some headers and perhaps clocks and evaluations, and nothing else.

        >>> options = ReadOptions(threads=2).for_moves(["ECO"])
        >>> options.headers, options.comments, options.threads
        (('ECO',), False, 2)
        """
        return replace(
            self, headers=tuple(headers), clocks=clocks, comments=False, nags=False, variations=False, texts=False
        )

    def content(self) -> dict[str, Any]:
        """Return the options that decide what is read, as JSON holds them."""
        content = {name: value for name, value in asdict(self).items() if name not in _NOT_OF_CONTENT}
        names = content.pop("names")
        return content if names is None else {**content, "names": names.digest}


def _names(headers: Any) -> tuple[str, ...] | None:
    if headers is None or (isinstance(headers, str) and headers == "all"):
        return None
    names = None if isinstance(headers, str) or not isinstance(headers, Iterable) else tuple(headers)
    if names is None or not all(isinstance(name, str) for name in names):
        raise TypeError(f"headers: {shown(headers)}: expected a list of names, 'all' or None")
    return names


def _codec(encoding: Any) -> str | None:
    """Return Python's name for an encoding of text."""
    if encoding is None:
        return None
    expected = "expected the name of an encoding, like 'cp1251'"
    if not isinstance(encoding, str):
        raise TypeError(f"encoding: {shown(encoding)}: {expected}")
    try:
        "".encode(encoding)  # refuses codecs that are not of text
        return codecs.lookup(encoding).name
    except (LookupError, ValueError):
        raise ValueError(f"encoding: {shown(encoding)}: {expected}") from None
