"""Errors in games of files."""

from typing import Any, NamedTuple

from rookery.arguments import printable


class GameError(NamedTuple):
    """An error in a game of a file, or a warning about what was skipped in it.

    `file` is its name ("" for none), `game` the game's number in it and `line` that of the fault, both from 1, `offset`
    its first byte in the unpacked text, `place` the move's number or ``headers``, `move` the text of the move that
    could not be read, and `reason` says why. Where `game` is 0 it is the file that is damaged, there; where `line` is
    0, too, the report is about the whole file. `digest` is a hash of the bytes of a bad game, by which
    `Games.duplicates` recognises the same bytes; "" if they are not known.
    """

    file: str
    game: int
    line: int
    offset: int
    place: str
    move: str
    reason: str
    digest: str = ""

    def __str__(self) -> str:
        file = f"{printable(self.file)}: " if self.file else ""
        if not self.game:
            return f"{file}line {self.line}: {self.reason}" if self.line else f"{file}{self.reason}"
        return f"{file}game {self.game}, line {self.line}, {self.place}: {self.reason}"


class GameErrorException(ValueError):
    """The first fault of a source, where errors are raised.

    `error` has its parts; `games` are those that `read_pgn` had read before.
    """

    games: Any = None

    def __init__(self, error: GameError) -> None:
        super().__init__(str(error))
        self.error = error


def digest_of(text: bytes) -> str:
    """Return the digest of a bad game from its bytes; blanks and line breaks around them do not count."""
    import hashlib  # takes 2 ms

    return hashlib.blake2b(text.strip(), digest_size=8).hexdigest()


def all_bad(name: str, games: int) -> str:
    """Return the message for a file in which every game is bad."""
    return f"{name}: every game in it is bad ({games:,}): is it PGN?"
