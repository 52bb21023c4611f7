"""Conditions over headers: ``WhiteElo >= 2000 and TimeControl == "300+3"``.

A comparison with a header that a game does not have is neither true nor false, as in SQL, and so is its negation. Only
games for which the condition is true are kept.
"""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from rookery.arguments import shown
from rookery.frames.columns import Numbers, Texts
from rookery.games.computed_headers import KINDS as COMPUTED
from rookery.games.computed_headers import SOURCES, computed_header
from rookery.games.dates import YEAR
from rookery.games.headers import Header
from rookery.games.read.build import KINDS
from rookery.games.scan.tags import KNOWN
from rookery.games.scan.values import DATE_KIND, NUMBER_KIND, SIGNED_KIND, TIME_KIND
from rookery.games.summaries import KINDS as OF_MOVES
from rookery.games.where.parser import ConditionParser, kinds_of
from rookery.games.where.values import Columns, Mask
from rookery.lazy_imports import modules_later

if TYPE_CHECKING:
    import difflib
else:
    (difflib,) = modules_later("", "difflib")


_KIND_NAMES: Final = {NUMBER_KIND: "number", SIGNED_KIND: "number", DATE_KIND: "date", TIME_KIND: "time"}
_DTYPES: Final = {"number": "i2", "date": "M8[D]", "time": "m8[s]", "truth": "?"}
# Headers of the PGN standard and of well-known programs and sites. A file may lack them.
USUAL: Final = frozenset(
    (
        *KNOWN,
        *(side + name for side in ("White", "Black") for name in ("USCF", "NA", "Type", "FideId", "Team", "Clock")),
        *("Annotator", "PlyCount", "Mode", "Section", "Stage", "Board", "NIC", "Variation", "SubVariation", "Time"),
        *("EventDate", "EventSponsor", "EventType", "EventRounds", "EventCountry", "EventCategory", "Source"),
        *("SourceTitle", "SourceDate", "SourceVersion", "SourceVersionDate", "SourceQuality", "Remark", "GameId"),
        *("BroadcastName", "BroadcastURL", "StudyName", "ChapterName", "ChapterURL", "GameURL", "Link", "Timezone"),
        *("CurrentPosition", "ECOUrl", "StartDate", "StartTime", "EndDate", "EndTime", "Orientation"),
    )
)


class UnknownHeaderError(ValueError):
    """A condition names a header that no game of a source has. `names` are these headers."""

    def __init__(self, suggestions: Mapping[str, str | None]) -> None:
        """Make the error for some names, each with the known name that may be meant, or None."""
        self.suggestions = dict(suggestions)
        self.names = tuple(suggestions)
        super().__init__("\n".join(map(self._line, self.names)))

    def _line(self, name: str) -> str:
        near = self.suggestions[name]
        hint = f"; did you mean {near!r}?" if near else ": expected a header of the games, or plies"
        return f"where: {shown(name)}: no game has this header{hint}"


def check_known(unknown: Sequence[Mapping[str, str | None]]) -> None:
    """Refuse headers that are unknown in all parts of a source; each part's are `UnknownHeaderError.suggestions`."""
    names = unknown[0].items() if unknown else ()
    if nowhere := {name: near for name, near in names if all(name in part for part in unknown)}:
        raise UnknownHeaderError(nowhere)


class Condition:
    """A condition over headers, checked and ready to be evaluated.

    >>> condition = Condition('WhiteElo >= 2000 and White.startswith("A")')
    >>> condition.names
    ('WhiteElo', 'White')
    >>> Condition("plies > 40").of_moves
    ('plies',)
    """

    def __init__(self, text: str, columns: Columns | None = None) -> None:
        """Parse a condition; an error in it is a ValueError. Headers in `columns` have the kinds of these columns."""
        if not isinstance(text, str):
            raise TypeError(f"where: {shown(text)}: expected a text like 'WhiteElo >= 2000'")
        self.text = text
        self._columns = tuple(columns or ())
        self._kinds = kinds_of(columns or {})
        try:
            parser = ConditionParser(text, self._kind, self._columns)
        except ValueError as error:  # a misspelt name counts as a text, so the error may mislead
            if hint := self._hint():
                raise ValueError(f"{error}\n{hint}") from None
            raise
        self._node = parser.node
        # Readers know the year, and everything else is computed from headers here.
        self._computed = [name for name in parser.names if name in SOURCES and name not in (YEAR, *self._columns)]
        names = [name for name in parser.names if name not in self._computed]
        self.names = tuple(dict.fromkeys([*names, *(source for name in self._computed for source in SOURCES[name])]))
        self.of_moves = tuple(parser.of_moves)
        self.unseen: set[str] = set()
        self.holds_without_headers = bool(self.mask({name: self._missing(name) for name in self.names}, 1)[0])
        self.unseen = {name for name in self.names if name not in (*USUAL, YEAR) and name not in self._columns}
        self.had_games = False

    def mask(self, columns: Columns, n: int) -> Mask:
        """Return for which of `n` games the condition may be true.

        Columns that are computed from the moves may be missing: then games may have any values.

        >>> column = Numbers(np.array([1900, 2100, 0], np.int16), np.array([True, True, False]))
        >>> Condition("WhiteElo >= 2000").mask({"WhiteElo": column}, 3)
        array([False,  True, False])
        """
        if self.unseen and n:
            self.had_games = True
            for name in tuple(self.unseen):
                if columns[name].valid.any():
                    self.unseen.discard(name)
        computed = {name: computed_header(name, columns) for name in self._computed}
        columns = {**columns, **{name: column for name, column in computed.items() if column is not None}}
        answer = np.asarray(self._node(columns).true)
        return answer if answer.shape else np.full(n, bool(answer))

    def suggestion(self, name: str) -> str | None:
        """Return the usual header or column whose name is nearest to an unknown name, or None.

        >>> Condition("plies > 40").suggestion("whiteelo")
        'WhiteElo'
        """
        usual = {known.lower(): known for known in (*OF_MOVES, *sorted(USUAL), *COMPUTED, *self._columns)}
        near = difflib.get_close_matches(name.replace("_", "").lower(), usual, 1, 0.8)
        return usual[near[0]] if near else None

    def _hint(self) -> str:
        """Return a hint about the first name that is nearly a usual one, or an empty text."""
        outside_quotes = re.sub(r""""[^"]*"|'[^']*'""", "", self.text)
        for name in re.findall(r"[A-Za-z_]\w*", outside_quotes):
            known = name in USUAL or name in (*OF_MOVES, *COMPUTED, *self._columns)
            if not known and (near := self.suggestion(name)):
                return f"No usual header is called {name!r}; did you mean {near!r}?"
        return ""

    def _kind(self, name: str) -> str:
        if name in COMPUTED and name not in self._kinds:
            return COMPUTED[name]
        return self._kinds.get(name) or (_KIND_NAMES[KINDS[name]] if name in KINDS else "text")

    def _missing(self, name: str) -> Header:
        kind = self._kind(name)
        return Texts.of([None]) if kind == "text" else Numbers(np.zeros(1, _DTYPES[kind]), np.zeros(1, np.bool_))

    def __repr__(self) -> str:
        return f"Condition({self.text!r})"
