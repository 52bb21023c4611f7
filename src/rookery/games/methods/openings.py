"""The part of `Games` that makes a tree of openings."""

from typing import TYPE_CHECKING, Any, Self

from rookery.frames.columns import Texts
from rookery.games.game_array import GameArray
from rookery.games.openings.limits import DEPTH
from rookery.lazy_imports import modules_later

if TYPE_CHECKING:
    from rookery.games.headers import opening_names
    from rookery.games.openings import tree as openings
else:
    (opening_names,) = modules_later("rookery.games.headers", "opening_names")
    (openings,) = modules_later("rookery.games.openings", "tree")


class OpeningMethods(GameArray):
    """A tree of openings."""

    __slots__ = ()

    def with_opening_names(self, names: Any) -> Self:
        r"""Return the same games, the headers ``ECO`` and ``Opening`` of those that have none filled by position.

        `names` are what `read_opening_names` returns, or a file that it reads. A game has the name of its deepest
        position that is in the file.

        >>> names = b"eco\tname\tpgn\nC60\tRuy Lopez\t1. e4 e5 2. Nf3 Nc6 3. Bb5\n"
        >>> games = read_pgn(b"1. Nf3 Nc6 2. e4 e5 3. Bb5 a6 *").with_opening_names(names)
        >>> games["Opening"].tolist()
        ['Ruy Lopez']
        """
        found = opening_names.opening_names(names)
        if found is None:
            raise TypeError("names: None: expected OpeningNames or the path of a file of names")
        columns = self.columns
        none = {name: Texts.of([None] * len(self)) for name in opening_names.NAMED if name not in columns.headers}
        headers = found.filled({**columns.headers, **none}, columns)
        return self._of_columns(columns.replace(headers=headers))

    def opening_tree(self, depth: int = DEPTH, *, names: Any = None) -> "openings.OpeningTree":
        r"""Return the tree of the first `depth` half-moves of all games, by position; see `OpeningTree`.

        `names` are names of openings by position, as in `OpeningTree`.

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
        tree = openings.OpeningTree(depth, names=names)
        tree.add(self)
        return tree
