"""Requested headers that no game of a source has: their names may be misspelt."""

from collections.abc import Iterable, Mapping, Sequence

from rookery.arguments import shown
from rookery.games.headers.header_types import Header
from rookery.positions.language.headers import COMPUTED, USUAL, near_header


class UnknownHeaderError(ValueError):
    """A header is named that no game of a source has.

    `names` are these headers. `argument` names them: ``where`` for a condition, ``headers`` for columns.
    """

    def __init__(self, suggestions: Mapping[str, str | None], argument: str = "where") -> None:
        """Make the error for some names, each with the known name that may be meant, or None."""
        self.suggestions = dict(suggestions)
        self.names = tuple(suggestions)
        self.argument = argument
        super().__init__("\n".join(map(self._line, self.names)))

    def _line(self, name: str) -> str:
        near = self.suggestions[name]
        plies = ", or plies" if self.argument == "where" else ""
        hint = f"; did you mean {near!r}?" if near else f": expected a header of the games{plies}"
        return f"{self.argument}: {shown(name)}: no game has this header{hint}"

    def __reduce__(self) -> tuple[type["UnknownHeaderError"], tuple[dict[str, str | None], str]]:
        return type(self), (self.suggestions, self.argument)


Unknown = dict[str, dict[str, str | None]]  # the unknown names of each argument, with the names that may be meant


def unknown_of(error: UnknownHeaderError | None) -> Unknown:
    """Return the names in an error by their argument, as JSON holds them; none without an error."""
    return {} if error is None else {error.argument: error.suggestions}


def check_known(unknown: Sequence[Mapping[str, Mapping[str, str | None]]]) -> None:
    """Refuse headers that are unknown in all parts of a source; each part's are what `unknown_of` returns."""
    for argument, names in unknown[0].items() if unknown else ():
        nowhere = {
            name: near for name, near in names.items() if all(name in part.get(argument, ()) for part in unknown)
        }
        if nowhere:
            raise UnknownHeaderError(nowhere, argument)


class UnseenHeaders:
    """Names of headers that no game has had so far. Usual ones are not among them, since a file may lack these."""

    def __init__(self, names: Iterable[str]) -> None:
        """Begin with some names."""
        self.names = {name for name in names if name not in USUAL and name not in COMPUTED}
        self.had_games = False

    def look(self, columns: Mapping[str, Header], n: int) -> None:
        """Drop the names that some of `n` games have, given their columns."""
        if self.names and n:
            self.had_games = True
            for name in tuple(self.names):
                if name in columns and columns[name].valid.any():
                    self.names.discard(name)

    def drop(self, names: Iterable[str]) -> None:
        """Drop names that are known otherwise, such as those of columns."""
        if self.names:
            self.names.difference_update(names)

    @property
    def nowhere(self) -> list[str]:
        """Return the names that no game had, in order; none if there was no game."""
        return sorted(self.names) if self.had_games else []

    @property
    def suggestions(self) -> dict[str, str | None]:
        """Return the same names, each with the known name that may be meant."""
        return {name: near_header(name) for name in self.nowhere}
