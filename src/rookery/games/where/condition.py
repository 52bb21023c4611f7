"""Conditions over headers: ``WhiteElo >= 2000 and TimeControl == "300+3"``.

A comparison with a header that a game does not have is neither true nor false, as in SQL, and so is its negation. Only
games for which the condition is true are kept.
"""

import re
from typing import Final

import numpy as np

from rookery.arguments import shown
from rookery.frames.columns import Numbers, Texts
from rookery.games.computed_headers import KINDS as COMPUTED
from rookery.games.computed_headers import SOURCES, computed_header
from rookery.games.dates import YEAR
from rookery.games.headers import Header
from rookery.games.known_headers import USUAL, UnseenHeaders, near_header
from rookery.games.read.build import KINDS
from rookery.games.summaries import KINDS as OF_MOVES
from rookery.games.where.parser import ConditionParser, kinds_of
from rookery.games.where.values import Columns, Mask
from rookery.pgn.scan.values import DATE_KIND, NUMBER_KIND, SIGNED_KIND, TIME_KIND

_KIND_NAMES: Final = {NUMBER_KIND: "number", SIGNED_KIND: "number", DATE_KIND: "date", TIME_KIND: "time"}
_DTYPES: Final = {"number": "i2", "date": "M8[D]", "time": "m8[s]", "truth": "?"}


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
        self.unseen = UnseenHeaders(())
        self.holds_without_headers = bool(self.mask({name: self._missing(name) for name in self.names}, 1)[0])
        self.unseen = UnseenHeaders(name for name in self.names if name not in self._columns)

    def mask(self, columns: Columns, n: int) -> Mask:
        """Return for which of `n` games the condition may be true.

        Columns that are computed from the moves may be missing: then games may have any values.

        >>> column = Numbers(np.array([1900, 2100, 0], np.int16), np.array([True, True, False]))
        >>> Condition("WhiteElo >= 2000").mask({"WhiteElo": column}, 3)
        array([False,  True, False])
        """
        self.unseen.look(columns, n)
        computed = {name: computed_header(name, columns) for name in self._computed}
        columns = {**columns, **{name: column for name, column in computed.items() if column is not None}}
        answer = np.asarray(self._node(columns).true)
        return answer if answer.shape else np.full(n, bool(answer))

    def suggestion(self, name: str) -> str | None:
        """Return the usual header or column whose name is nearest to an unknown name, or None.

        >>> Condition("plies > 40").suggestion("whiteelo")
        'WhiteElo'
        """
        return near_header(name, self._columns)

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
