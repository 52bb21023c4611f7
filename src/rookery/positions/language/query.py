"""`Query`: an expression that has been read and checked."""

import os
import re
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import shown
from rookery.lazy_imports import compile_later
from rookery.positions.language.plan import Plan
from rookery.positions.methods.position_array import PositionArray

_FILE: Final = compile_later(r"\.(?:pgn|parquet|arrow|arrows|feather|zst|gz|bz2|xz|zip|csv|epd)$", re.IGNORECASE)


class Query:
    """A question about positions, written as an expression, checked and ready to be evaluated.

    `kind` is the kind of its value: ``"set"``, ``"number"``, ``"condition"`` or ``"text"``. An error in the text is a
    ValueError that points to it. A query may be used for many arrays and remembers what its terms cost, so that cheap
    and selective ones come first.

    >>> query = Query("count(us.pawns) >= 5 and is_check")
    >>> query.kind
    'condition'
    >>> query.evaluate(Positions.from_boards([Board()])).tolist()
    [False]
    >>> Query("count(us.pawns and us.king) > 5")
    Traceback (most recent call last):
        ...
    ValueError: query: us.pawns and us.king: expected a set of squares, such as us.knights
        count(us.pawns and us.king) > 5
              ^^^^^^^^^^^^^^^^^^^^
    """

    def __init__(self, text: str) -> None:
        """Read an expression; TypeError if it is not a text, ValueError if it is not an expression."""
        self.plan = Plan(text)

    @property
    def text(self) -> str:
        """Return the expression."""
        return self.plan.text

    @property
    def kind(self) -> str:
        """Return the kind of the value: "set", "number", "condition" or "text"."""
        return self.plan.kind

    @property
    def needs_games(self) -> bool:
        """Check whether the query needs positions that know their games."""
        return self.plan.needs_games

    @property
    def is_sequence(self) -> bool:
        """Check whether the query compares positions of a game, so that it needs every half-move of a game."""
        return self.plan.is_sequence

    @property
    def headers(self) -> tuple[str, ...]:
        """Return the names of the headers of games that the query looks at.

        >>> Query('header("ECO") == "B01" and elo(us) > 2000').headers
        ('ECO', 'WhiteElo', 'BlackElo')
        """
        return self.plan.headers

    def evaluate(self, positions: PositionArray, *, threads: int = 1) -> NDArray[Any]:
        """Return the value for each position: uint64 boards, numbers (int64 or float64), bool or str; (n,).

        >>> positions = Positions.from_fens(["q3k3/2N5/8/8/8/8/8/4K3 w - - 0 1", "8/8/8/8/8/8/8/k1K5 b - - 0 1"])
        >>> Query("count(us.pieces)").evaluate(positions).tolist()
        [2, 1]
        """
        return self.plan.evaluate(positions, threads=threads)

    def mask(self, positions: PositionArray, *, threads: int = 1) -> NDArray[np.bool_]:
        """Return True where a condition holds, or where a set is not empty: bool, (n,).

        Raises ValueError if the query is a number or a text.

        >>> positions = Positions.from_fens(["q3k3/2N5/8/8/8/8/8/4K3 w - - 0 1", "8/8/8/8/8/8/8/k1K5 b - - 0 1"])
        >>> Query("us.knights & knight_attacks(them.king)").mask(positions).tolist()
        [True, False]
        """
        return self.plan.mask(positions, threads=threads)

    def explain(self) -> str:
        """Return the plan as a table: each term in the order of evaluation, its cost, and where it was true.

        `positions` is the number of positions for which a term was evaluated, and `true` the number of those for which
        it holds. A cost is measured once the query has been evaluated twice; before that it is a guess, marked by ~.

        >>> print(Query("is_check and us.queens").explain())
        term                ns per position  positions  true
        all, in this order
            us.queens                    ~3          -     -
            is_check                    ~10          -     -
        """
        return self.plan.explain()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.text,)

    def __repr__(self) -> str:
        return f"Query({self.text!r})"


def query_of(query: "Query | str", label: str = "query") -> Query:
    """Return a query that may be given as its text; `label` is the name of the argument that has it."""
    if isinstance(query, Query):
        return query
    if isinstance(query, os.PathLike) or (isinstance(query, str) and _FILE.search(query)):
        raise TypeError(f"{label}: {shown(query)}: expected a query, not the name of a file: search(source, query)")
    made = Query.__new__(Query)
    made.plan = Plan(query, label)
    return made
