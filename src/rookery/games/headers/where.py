"""Conditions over headers, such as ``WhiteElo >= 2000 and TimeControl == "300+3"``, which choose the games to read.

A condition is an expression of the language of queries about games alone. A comparison with a header that a game does
not have is neither true nor false, as in SQL, and so is its negation. Only games for which the condition is true are
kept. ``Result`` is the result of the game, as ``Games.results`` has it: that of the header, or that behind the moves if
the header has none of ``1-0``, ``0-1`` and ``1/2-1/2``.
"""

import functools
import re
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import shown
from rookery.frames.columns import Numbers, Texts
from rookery.games.headers.computed_headers import SOURCES, missing_header
from rookery.games.headers.dates import YEAR
from rookery.games.headers.header_types import Header
from rookery.games.headers.known_headers import UnseenHeaders
from rookery.games.headers.named_columns import RESULT_TEXTS, GivenColumns
from rookery.pgn.scan.lexing.vocabulary import RESULTS
from rookery.positions.language.game_block import GameBlock
from rookery.positions.language.grammar import DATE, NUMBER, TEXT, TIME, TRUTH, Node
from rookery.positions.language.headers import OF_MOVES, USUAL, near_header
from rookery.positions.language.operations import Subject
from rookery.positions.language.parser import QueryParser
from rookery.positions.language.tokens import refuse
from rookery.positions.language.vocabulary import ALL

Mask: TypeAlias = NDArray[np.bool_]
Columns: TypeAlias = Mapping[str, Header]

_OPERAND: Final = "a header, a number, a date or a text in quotes"
_KINDS: Final = {"M": DATE, "m": TIME, "b": TRUTH}  # by the letter of a column's dtype; all others are numbers
_DTYPES: Final = {NUMBER: "i2", DATE: "M8[D]", TIME: "m8[s]", TRUTH: "?"}


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
        if not text.strip():
            raise ValueError(f"where: {shown(text)}: expected a condition such as WhiteElo >= 2000")
        self.text = text
        self._columns = tuple(columns or ())
        self._kinds = kinds_of(columns or {})
        try:
            self._root = _parsed(text, tuple(self._kinds.items()))
        except ValueError as error:  # a misspelt name counts as a text, so the error may mislead
            if hint := self._hint():
                raise ValueError(f"{error}\n{hint}") from None
            raise
        of_columns = [name for name in self._root.columns if name in OF_MOVES and name not in self._kinds]
        read = [name for name in self._root.columns if name not in of_columns]
        # Readers know the year, and everything else is computed from headers here.
        computed = [name for name in read if name in SOURCES and name not in (YEAR, *self._columns)]
        names = [name for name in read if name not in computed]
        self.names = tuple(dict.fromkeys([*names, *(source for name in computed for source in SOURCES[name])]))
        self.of_moves = tuple(of_columns)
        self.unseen = UnseenHeaders(())
        missing = {name: self._missing(name, len(RESULTS)) for name in self.names}
        if "Result" in missing:  # the moves may have any
            missing["Result"] = RESULT_TEXTS
        self.holds_without_headers = bool(self.mask(missing, len(RESULTS)).any())
        self.unseen = UnseenHeaders(name for name in self.names if name not in self._columns)

    def mask(self, columns: Columns, n: int) -> Mask:
        """Return for which of `n` games the condition may be true.

        Columns that are computed from the moves may be missing: then games may have any values.

        >>> column = Numbers(np.array([1900, 2100, 0], np.int16), np.array([True, True, False]))
        >>> Condition("WhiteElo >= 2000").mask({"WhiteElo": column}, 3)
        array([False,  True, False])
        """
        self.unseen.look(columns, n)
        unread = [name for name in self.of_moves if name not in columns]
        return GameBlock(GivenColumns(columns), n, unread).mask(self._root)

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
            known = name in USUAL or name in (*ALL, *self._columns)
            if not known and (near := self.suggestion(name)):
                return f"No usual header is called {name!r}; did you mean {near!r}?"
        return ""

    def _missing(self, name: str, n: int) -> Header:
        kind = self._kinds.get(name)
        if kind is None:
            return missing_header(name, n)
        return Texts.of([None] * n) if kind == TEXT else Numbers(np.zeros(n, _DTYPES[kind]), np.zeros(n, np.bool_))

    def __repr__(self) -> str:
        return f"Condition({self.text!r})"


@functools.lru_cache(64)  # each table and range of a source has a condition of its own
def _parsed(text: str, kinds: tuple[tuple[str, str], ...]) -> Node:
    """Return the node of a condition over games with columns of some kinds."""
    root = QueryParser(text, {}, Subject("where", "condition", _OPERAND, True, dict(kinds))).root
    if not root.columns:
        refuse(text, "where", root, "the name of a header, such as WhiteElo >= 2000")
    return root


@functools.lru_cache(64)  # each block of a source has the same
def expression_over(text: str, kinds: tuple[tuple[str, str], ...]) -> Node:
    """Return the node of an expression whose names may be those of columns of some kinds."""
    return QueryParser(text, {}, Subject("select", "column", _OPERAND, columns=dict(kinds))).root


def kinds_of(columns: Mapping[str, Any]) -> dict[str, str]:
    """Return the kind of each column's values."""
    return {
        name: TEXT if isinstance(column, Texts) else _KINDS.get(column.values.dtype.kind, NUMBER)
        for name, column in columns.items()
    }
