"""Files that cannot be read, or not to their end."""

from typing import Any


class DamagedFileError(OSError):
    """A file that cannot be read to its end: damaged, cut short, or on a disk that fails.

    `reason` says why; `games` are those that `read_pgn` had read before.
    """

    games: Any = None

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")
        self.reason = reason


class DamagedFileWarning(UserWarning):
    """A `DamagedFileError` of a file whose games are kept: they are not all that the file had."""


class NotGamesError(ValueError):
    """A file that contains no games in a known format, such as a tar archive or a picture.

    `games` are those that `read_pgn` had read before.
    """

    games: Any = None
