"""The part of `Games` that makes a tree of openings."""

from typing import TYPE_CHECKING

from rookery.games.game_array import GameArray
from rookery.games.openings.limits import DEPTH
from rookery.lazy_imports import modules_later

if TYPE_CHECKING:
    from rookery.games.openings import tree as openings
else:
    (openings,) = modules_later("rookery.games.openings", "tree")


class OpeningMethods(GameArray):
    """A tree of openings."""

    __slots__ = ()

    def opening_tree(self, depth: int = DEPTH) -> "openings.OpeningTree":
        r"""Return the tree of the first `depth` half-moves of all games, by position; see `OpeningTree`.

        For files larger than memory, add batches of games to one `OpeningTree`.

        >>> tree = read_pgn(b"1. e4 c5 2. Nf3 1-0\n\n1. Nf3 c5 2. e4 0-1\n\n1. d4 *").opening_tree()
        >>> for move in tree.root.moves:
        ...     print(move.san, move.games, move.score)
        e4 1 1.0
        Nf3 1 0.0
        d4 1 None
        >>> tree.root.play("e4 c5 Nf3").games
        2
        """
        tree = openings.OpeningTree(depth)
        tree.add(self)
        return tree
