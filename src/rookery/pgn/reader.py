"""The reader of PGN text, one game at a time."""

import contextlib
import io
import os
import re
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any, Final, Literal, NamedTuple, TypeAlias, TypeVar, overload

from rookery.aliases import GameErrors
from rookery.arguments import flag, shown
from rookery.pgn.scan import output
from rookery.pgn.scan.lexing.languages import number_of_language
from rookery.pgn.scanned import BadGame, games_of_bytes, games_of_lines, games_of_text
from rookery.pgn.tree.game import Game
from rookery.pgn.tree.growth import SUFFIXES
from rookery.pgn.write.visitors import BaseVisitor
from rookery.sources import streams
from rookery.sources.failures import NotGamesError

NAG_GOOD_MOVE, NAG_MISTAKE, NAG_BRILLIANT_MOVE, NAG_BLUNDER, NAG_SPECULATIVE_MOVE, NAG_DUBIOUS_MOVE = SUFFIXES.values()

_LONGEST_PATH: Final = 4096


_Result = TypeVar("_Result")
Source: TypeAlias = str | os.PathLike[str] | Iterable[str]


@overload
def read(
    text: Source, *, errors: Literal["raise"], strict: bool = False, letters: str | None = None
) -> Iterator[Game]: ...
@overload
def read(
    text: Source, *, errors: GameErrors = "report", strict: bool = False, letters: str | None = None
) -> Iterator[Game | BadGame]: ...
def read(
    text: Source, *, errors: GameErrors = "report", strict: bool = False, letters: str | None = None
) -> Iterator[Game] | Iterator[Game | BadGame]:
    """Yield the games of a text or a file.

    Parameters
    ----------
    text
        The text of the games, a file opened as text or another iterable of lines, or the `pathlib.Path` of a file:
        PGN, packed or not, or games as JSON of Lichess or chess.com. Values of it are decoded as UTF-8 and, where that
        fails, as Windows-1252. Files are read on demand. The name of a file as a str is a ValueError.
    errors
        ``"report"`` yields a `BadGame` for each bad game and continues; ``"raise"`` raises a ValueError.
    strict
        Treat annotations that are skipped by default, and listed in `Game.warnings`, as errors.
    letters
        The language whose letters stand for pieces, such as ``"german"``, or these letters, as in `rookery.read_pgn`.

    Examples
    --------
    >>> [game.result for game in read("1. e4 e5 1-0  1. d4 *", errors="raise")]
    ['1-0', '*']
    >>> for game in read("1. e4 e5 2. Nf3 {the comment 1-0"):
    ...     print(game)
    game 1, line 1, move 2...: the comment '{the comment 1-0' is not closed
    >>> for strict in (False, True):
    ...     for game in read("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7mate 1-0", strict=strict):
    ...         print(game if isinstance(game, BadGame) else game.warnings[0])
    game 1, line 1, move 4.: 'Qxf7mate': read as 'Qxf7'
    game 1, line 1, move 4.: SAN move: 'Qxf7mate': expected a move like 'Nf3', 'exd5', 'e8=Q' or 'O-O'
    """
    if not isinstance(errors, str) or errors not in ("report", "raise"):
        raise ValueError(f"errors: {shown(errors)}: expected 'report' or 'raise'")
    want = _options(strict, letters)
    games: Iterator[Game | BadGame]
    if isinstance(text, os.PathLike):
        games = _games_of_file(Path(text), want)
    elif isinstance(text, str):
        if _is_file_name(text):
            raise ValueError(
                f"PGN: {shown(text)} is the name of a file, not games: pass pathlib.Path({shown(text)}) or the "
                "opened file"
            )
        games = games_of_text(text, want)
    elif not isinstance(text, Iterable) or isinstance(text, bytes):
        raise TypeError(f"PGN: expected text or a text file, or the pathlib.Path of one, not {type(text).__name__}")
    else:
        games = games_of_lines(text, want)
    return _or_raise(games) if errors == "raise" else games


def _options(strict: bool, letters: str | None) -> int:
    """Return options as the compiled reader takes them."""
    return (output.STRICT if flag("strict", strict) else 0) | number_of_language(letters) << output.LANGUAGE_SHIFT


class _Source(NamedTuple):
    """The games of an open file that have not been read yet, and the file position of the next one."""

    games: Iterator[Game | BadGame]
    position: int | None
    want: int


# A line of a file may hold several games: the rest of it waits here for the next call.
_SOURCES: Final[weakref.WeakKeyDictionary[Any, _Source]] = weakref.WeakKeyDictionary()


def next_game(source: Source | IO[str], *, strict: bool = False, letters: str | None = None) -> Game | BadGame | None:
    """Return the next game of a file, or the first game of another source; None if there is none."""
    if isinstance(source, (str, os.PathLike)) or not hasattr(source, "readline"):
        return next(iter(read(source, strict=strict, letters=letters)), None)
    want = _options(strict, letters)
    kept = _SOURCES.pop(source, None)
    if kept is None or (kept.position, kept.want) != (_position(source), want):
        kept = _Source(games_of_lines(iter(source.readline, ""), want), None, want)
    found = next(kept.games, None)
    if found is not None:
        _SOURCES[source] = kept._replace(position=_position(source))
    return found


def _position(file: Any) -> int | None:
    """Return the position of a file, or None for a pipe, which has none."""
    try:
        return int(file.tell())
    except (AttributeError, OSError, io.UnsupportedOperation):
        return None


@overload
def read_game(text: Source | IO[str], *, strict: bool = False, letters: str | None = None) -> Game | None: ...
@overload
def read_game(
    text: Source | IO[str],
    *,
    Visitor: Callable[[], BaseVisitor[_Result]],  # noqa: N803
    strict: bool = False,
    letters: str | None = None,
) -> _Result | None: ...
def read_game(
    text: Source | IO[str],
    *,
    Visitor: Callable[[], BaseVisitor[Any]] | None = None,  # noqa: N803
    strict: bool = False,
    letters: str | None = None,
) -> Any:
    r"""Read the next game of a file opened as text, or the first game of a text or a path.

    Return None if there is no game. A file is read up to the end of the game, and the next call continues there. A bad
    game raises a ValueError; the call after it reads the next game. `strict` and `letters` are those of `read`; a call
    with others begins at the next line of a file. `Visitor` is a class like `StringExporter`, or a
    function that makes a visitor: the visitor's result is returned instead of the game.

    >>> import io
    >>> file = io.StringIO("1. e4 e5 1-0\n\n1. d4 *\n")
    >>> read_game(file)
    <Game: ? - ?, 2 half-moves, 1-0>
    >>> read_game(file).next().san()
    'd4'
    >>> read_game(file) is None
    True
    """
    visitor = None if Visitor is None else visitor_of(Visitor)
    game = next_game(text, strict=strict, letters=letters)
    if isinstance(game, BadGame):
        raise ValueError(f"PGN: {game}")
    if game is None or visitor is None:
        return game
    return game.accept(visitor)


def visitor_of(Visitor: Callable[[], BaseVisitor[_Result]]) -> BaseVisitor[_Result]:  # noqa: N803
    """Return a new visitor from a class such as `StringExporter`, or a function that returns one."""
    if not callable(Visitor) or (isinstance(Visitor, type) and not issubclass(Visitor, BaseVisitor)):
        raise TypeError(f"Visitor: {shown(Visitor)}: expected a class derived from BaseVisitor")
    visitor = Visitor()
    if not isinstance(visitor, BaseVisitor):
        raise TypeError(f"Visitor: {shown(visitor)}: expected a function that returns a BaseVisitor")
    return visitor


def read_headers(text: Source | IO[str], *, strict: bool = False, letters: str | None = None) -> dict[str, str] | None:
    r"""Read the next game, as `read_game` does, and return its headers; of a bad game, those before the fault.

    >>> read_headers('[White "Anna"]\n\n1. e4 *')["White"]
    'Anna'
    """
    game = next_game(text, strict=strict, letters=letters)
    return None if game is None else game.headers


def skip_game(text: Source | IO[str], *, strict: bool = False, letters: str | None = None) -> bool:
    r"""Skip the next game, as `read_game` reads it, and return whether there was one.

    >>> import io
    >>> file = io.StringIO("1. e4 *\n\n1. d4 *\n")
    >>> skip_game(file)
    True
    >>> read_game(file).next().san()
    'd4'
    >>> skip_game(file)
    False
    """
    return next_game(text, strict=strict, letters=letters) is not None


def _is_file_name(text: str) -> bool:
    """Return whether a text is a path: one line without brackets that ends in .pgn or names an existing file."""
    if not text.strip() or len(text) > _LONGEST_PATH or re.search(r"[\[\]{}\n\r\x00]", text):
        return False
    with contextlib.suppress(OSError):  # for names that no file can have
        if Path(text).is_file():
            return True
    return text.strip().lower().endswith(".pgn")


def _games_of_file(path: Path, want: int) -> Iterator[Game | BadGame]:
    """Yield the games of a file, unpacked, as UTF-8, and as PGN if it is JSON."""
    opened = streams.streams_of([path], threading.Event(), streams.Counted(), ahead=False, any_text=True)
    with contextlib.closing(opened):
        for file in opened:
            if isinstance(file, streams.TableFile):
                raise NotGamesError(f"{file.name}: {file.format}: expected PGN: rookery.read_pgn reads tables of games")
            yield from games_of_bytes(_Reader(file.fill), want)


class _Reader:
    """A file that is read by a function that fills a buffer."""

    def __init__(self, fill: Callable[[memoryview], int]) -> None:
        self._fill = fill

    def read(self, size: int) -> bytes:
        """Return up to `size` bytes, none at the end."""
        buffer = bytearray(size)
        return bytes(buffer[: self._fill(memoryview(buffer))])


def _or_raise(games: Iterator[Game | BadGame]) -> Iterator[Game]:
    for game in games:
        if isinstance(game, BadGame):
            raise ValueError(str(game))
        yield game
