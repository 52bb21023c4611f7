"""The methods of `Positions` that evaluate queries written as expressions."""

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import check_threads
from rookery.lazy_imports import Named
from rookery.positions.methods.position_array import PositionArray

if TYPE_CHECKING:
    from rookery.positions.language import query as query_language
else:
    query_language = Named("rookery.positions.language.query")


class ExpressionMethods(PositionArray):
    """Queries in the query language."""

    __slots__ = ()

    def evaluate(self, query: "query_language.Query | str", *, threads: int = 1) -> NDArray[Any]:
        """Return the value of an expression for each position; (n,).

        Sets of squares are uint64 boards, numbers int64 or float64 with NaN where missing, conditions bool and texts
        str. An error in the expression raises ValueError, which quotes it and points to the place.

        >>> from rookery.bitboards.bitboard import Bitboard
        >>> positions = Positions.from_fens(["3qk3/8/4N3/8/8/8/8/4K3 b - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"])
        >>> [Bitboard(b).names() for b in positions.evaluate("them.knights & knight_attacks(us.queens)")]
        [['e6'], []]
        >>> positions.evaluate("count(occupied)").tolist()
        [4, 2]
        """
        return _query(query).evaluate(self, threads=threads)

    def where(self, query: "query_language.Query | str", *, threads: int = 1) -> Self:
        """Return the positions for which a condition holds, or a set is not empty.

        >>> positions = Positions.from_boards([Board(), Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")])
        >>> positions.where("count(us.pawns) < 8")
        <1 position>
        """
        return self[np.flatnonzero(_query(query).mask(self, threads=threads))]

    def select(
        self, *queries: "query_language.Query | str", threads: int = 1, **named: "query_language.Query | str"
    ) -> dict[str, NDArray[Any]]:
        """Return the values of several expressions as columns by name; an expression without a name is its own name.

        Parts that several expressions have in common are computed once. The columns make a data frame:
        ``polars.DataFrame(positions.select(...))``.

        >>> positions = Positions.from_boards([Board()])
        >>> {name: column.tolist() for name, column in positions.select("legal_moves", pawns="count(pawns)").items()}
        {'legal_moves': [20], 'pawns': [16]}
        """
        from rookery.positions.language.plan import Plan, evaluated
        from rookery.positions.language.query import query_of

        check_threads(threads)
        given = [query_of(query, f"queries[{i}]") for i, query in enumerate(queries)]
        texts = {query.text: query.text for query in given}
        texts |= {name: query_of(query, name).text for name, query in named.items()}
        plans: list[Plan] = []
        for text in texts.values():
            plans.append(Plan(text, shared=plans[0] if plans else None))
        return dict(zip(texts, evaluated(plans, self, threads), strict=True)) if plans else {}


def _query(query: Any) -> "query_language.Query":
    """Return a query. The language is loaded on first use: importing it takes 20 ms."""
    from rookery.positions.language.query import query_of

    return query_of(query)
