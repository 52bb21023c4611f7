"""The part of `Games` that searches for positions."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rookery.games.methods.positions import PositionMethods
from rookery.lazy_imports import Named

if TYPE_CHECKING:
    from rookery.games.search import hits
    from rookery.positions.language import query as query_language
else:
    hits = Named("rookery.games.search.hits")
    query_language = Named("rookery.positions.language.query")


class SearchMethods(PositionMethods):
    """Searches."""

    __slots__ = ()

    def search(
        self,
        query: "query_language.Query | str",
        *,
        headers: Sequence[str] = (),
        limit: int | None = None,
        one_per_game: bool = False,
        context: int = 0,
        sort_by: "query_language.Query | str | None" = None,
        threads: int = 1,
    ) -> "hits.Hits":
        r"""Return the positions of all games for which a query holds, as `rookery.games.search.hits.Hits`.

        `query` is a condition or a set in the query language; a set holds where it is not empty. All positions count,
        from the first to the last of each game. `headers` are names of headers to return with each hit, and `context`
        is a number of half-moves before and after it to return in SAN.

        The hits are in the order of the games. `limit` is the most hits to return, and `one_per_game` returns the first
        of each game only. With `sort_by`, an expression for a number, the hits with the greatest numbers come first.

        >>> games = read_pgn(b"1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n1. f3 e5 2. g4 Qh4# 0-1")
        >>> hits = games.search("is_mate")
        >>> hits.number.tolist()
        [1, 2]
        >>> hits.ply.tolist()
        [7, 4]
        >>> games.search("is_check", limit=1, context=2)[0].context
        'Nf6 Qxf7# *'
        """
        from rookery.games.search.find import checked_options, search_games
        from rookery.positions.language.query import query_of

        options = checked_options(headers, limit, one_per_game, context, sort_by)
        self._check_headers(options.headers)
        return search_games(self, query_of(query), options, threads)
