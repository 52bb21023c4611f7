"""Files that cannot be read, or not to their end."""

from collections.abc import Iterable, Sequence
from typing import Any


class DamagedFileError(OSError):
    """A file that cannot be read to its end: damaged, cut short, or on a disk that fails.

    `reason` says why; `games` are those that `read_pgn` had read before.
    """

    games: Any = None

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")
        self.reason = reason


def damaged_files(messages: Sequence[str]) -> DamagedFileError:
    """Return the error of files that are damaged, given the message of each.

    >>> str(damaged_files(["a.pgn: cut short", "b.pgn: cut short"]))
    'a.pgn: cut short; b.pgn: cut short'
    """
    name, _, reason = "; ".join(messages).partition(": ")
    return DamagedFileError(name, reason)


class ChangedFileError(OSError):
    """A file that another program changed, replaced or removed while it was read. Nothing of a mixture is kept."""


class DamagedFileWarning(UserWarning):
    """A `DamagedFileError` of a file whose games are kept: they are not all that the file had."""


class ChangedFileWarning(UserWarning):
    """A file has changed since something was made of it that is used now: an index that does not have its new games."""


class NotGamesError(ValueError):
    """A file that contains no games in a known format, such as a tar archive or a picture.

    `games` are those that `read_pgn` had read before.
    """

    games: Any = None


def raise_system_errors(failures: Iterable[DamagedFileError]) -> None:
    """Raise the error of the system behind a failure, if one is: the file may be readable later."""
    for failure in failures:
        cause = failure.__cause__
        if isinstance(cause, OSError) and cause.errno is not None:
            if cause.filename is None:  # such as that of standard input
                cause.filename = str(failure).removesuffix(f": {failure.reason}")
            raise cause


def renamed(text: str, path: str, name: str) -> str:
    """Return the name of a file, or of a file in an archive, with the name of the caller in place of its path.

    >>> renamed("/data/games.zip/a.pgn", "/data/games.zip", "games.zip")
    'games.zip/a.pgn'
    """
    return name + text[len(path) :] if text.startswith(path) else text
