"""The part of `Games` that reports what is wrong with games."""

import numpy as np
from numpy.typing import NDArray

from rookery.games.errors import GameError
from rookery.games.game_array import GameArray


class ReportMethods(GameArray):
    """Errors and warnings."""

    __slots__ = ()

    @property
    def errors(self) -> tuple[GameError, ...]:
        """Return what is wrong with bad games, in order, including games that were left out.

        A file that could not be read to its end has an error whose `game` is 0. A slice or a mask keeps only the errors
        of its own games.
        """
        return tuple(error for _, error in self.columns.errors.items)

    @property
    def parse_errors(self) -> NDArray[np.object_]:
        """Return what is wrong with each game as text, or None."""
        out = np.full(len(self), None, object)
        for row, error in self.columns.errors.of_rows:
            out[row] = str(error)
        return out

    @property
    def is_bad(self) -> NDArray[np.bool_]:
        """Return whether something is wrong with each game."""
        out = np.zeros(len(self), np.bool_)
        out[[row for row, _ in self.columns.errors.of_rows]] = True
        return out

    @property
    def warnings(self) -> tuple[GameError, ...]:
        """Return what was skipped in games because it only annotates, like ``+/-``, in order.

        A game that has only warnings is not bad. There are no warnings if games were read with ``strict=True``. A slice
        or a mask keeps only the warnings of its own games.

        >>> games = read_pgn(b"1. e4 +/- e5 2. Nf3 *")
        >>> print(games.warnings[0])
        game 1, line 1, move 1...: '+/-': an annotation, stepped over
        """
        return tuple(warning for _, warning in self.columns.warnings.items)

    @property
    def warning_counts(self) -> NDArray[np.int64]:
        """Return the number of warnings of each game.

        >>> read_pgn(b"1. e4 *  1. e4 = e5 2. Qh5 Nf6 3. Qxf7ch *").warning_counts
        array([0, 3])
        """
        rows = [row for row, _ in self.columns.warnings.of_rows]
        return np.bincount(rows, minlength=len(self)).astype(np.int64)
