"""The part of `Games` that compares games with each other."""

from typing import TYPE_CHECKING, Self

import numpy as np

from rookery.arguments import count, flag
from rookery.games.game_array import GameArray
from rookery.lazy_imports import modules_later

if TYPE_CHECKING:
    from rookery.games.methods import duplicates
else:
    (duplicates,) = modules_later("rookery.games.methods", "duplicates")


class ComparisonMethods(GameArray):
    """Comparison of games with each other."""

    __slots__ = ()

    def unique(self, *, headers: bool = False, prefixes: bool = False, min_plies: int = 1) -> Self:
        r"""Return the games without their duplicates: of each group of `duplicates`, only the first game.

        The options are those of `duplicates`, and the games keep their order.

        >>> games = read_pgn(b"1. e4 e5 *\n\n1. d4 *\n\n1. e4 e5 1-0")
        >>> games.unique().numbers.tolist()
        [1, 2]
        """
        kept = np.ones(len(self), np.bool_)
        for group in self.duplicates(headers=headers, prefixes=prefixes, min_plies=min_plies):
            kept[group[1:]] = False
        return self[kept]

    def duplicates(self, *, headers: bool = False, prefixes: bool = False, min_plies: int = 1) -> list[list[int]]:
        r"""Return groups of games that are the same, as lists of indices.

        Games are the same if they have the same moves from the same start position, whatever else they say. Moves are
        compared one by one, not only by their hash. With `headers` they must also agree in the players, the day and the
        result. Names are compared without case, accents, punctuation and the order of words. With `prefixes` a game
        that is the beginning of a longer game is its duplicate, too.

        Games of fewer than `min_plies` half-moves are never duplicates: by default those without moves, such as
        forfeits. A bad game, whose moves are known only up to its error, is the duplicate only of games with the same
        bytes.

        The first game of a group is the one to keep: the longest, or the first of several.

        >>> games = read_pgn(b"1. e4 e5 *\n\n1. d4 *\n\n1. e4 e5 1-0\n\n1. d4 d5 *")
        >>> games.duplicates()
        [[0, 2]]
        >>> games.duplicates(prefixes=True)
        [[0, 2], [3, 1]]
        """
        finder = duplicates.DuplicateFinder(
            headers=flag("headers", headers),
            prefixes=flag("prefixes", prefixes),
            min_plies=count("min_plies", min_plies, 0),
        )
        finder.add(self)
        if prefixes:
            finder.add_prefixes(self)
        finder.confirm(self)
        return finder.groups()
