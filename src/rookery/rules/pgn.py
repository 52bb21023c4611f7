r"""PGN: games as text, read one after the other and written.

`read` gives a `Game` for each good game and a `BadGame`, which says what is wrong and where, for each bad one. A game
has headers and a tree of moves with comments, annotation glyphs (NAGs) and variations, made when it is first used.
`read_game` reads one game after the other from an open file.

>>> for game in read('[White "Anna"]\n\n1. e4 {best} e5 (1... c5) 2. Nf3! 1-0\n\n[White "Bert"]\n\n1. e4 e6 2. Kd3 *'):
...     print(game if isinstance(game, BadGame) else repr(game))
<Game: Anna - ?, 3 half-moves, 1-0>
game 2, line 7, move 2.: SAN move: 'Kd3' is not legal in 'rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'

A game ends with its result (remarks up to an empty line still belong to it), before the next header, and, where the
result is missing, at an empty line followed by ``1.``. A line ``[Event ...]`` after an empty one starts a game whatever
is still open: a comment that is never closed spoils one game and not the rest of the file.

`rookery.read_pgn` reads the same as columns, many times as fast. This reader stays beside it since it takes lines as
they come, from a socket too, and since the first game on a new machine does not wait until the other is compiled. The
grammar is one: `rookery.rules.pgn_tokens` says what both look up, and all tests of texts ask both.
"""

import contextlib
import io
import itertools
import os
import re
import weakref
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any, Final, Literal, NamedTuple, TypeAlias, TypeVar, overload

from rookery.arguments import shown
from rookery.rules.board import Board
from rookery.rules.pgn_builder import GameBuilder
from rookery.rules.pgn_game import Game
from rookery.rules.pgn_growth import SUFFIXES, Movetext, nag_of, read_move
from rookery.rules.pgn_headers import QUOTED, ROSTER, header_fault, short
from rookery.rules.pgn_tokens import OTHER_RESULTS, RESULTS, Token, tokens
from rookery.rules.pgn_tree import ChildNode, GameNode, Mainline
from rookery.rules.pgn_variations import joined
from rookery.rules.pgn_visitors import SKIP, BaseVisitor, FileExporter, StringExporter
from rookery.rules.pgn_writer import one_line

NAG_GOOD_MOVE, NAG_MISTAKE, NAG_BRILLIANT_MOVE, NAG_BLUNDER, NAG_SPECULATIVE_MOVE, NAG_DUBIOUS_MOVE = SUFFIXES.values()

_LONGEST_PATH: Final = 4096


class BadGame(NamedTuple):
    """A game that could not be read: its number in the file, the line and place of its first fault, the reason, and
    the headers read so far.

    >>> (bad,) = read("1. e4 e5 2. Ke3 *")
    >>> bad.line, bad.reason
    (1, "SAN move: 'Ke3' is not legal in 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'")
    """

    number: int
    line: int
    place: str
    reason: str
    headers: dict[str, str]

    def __str__(self) -> str:
        return f"game {self.number}, line {self.line}, {self.place}: {self.reason}"


_Result = TypeVar("_Result")
Source: TypeAlias = str | os.PathLike[str] | Iterable[str]


@overload
def read(text: Source, *, errors: Literal["raise"]) -> Iterator[Game]: ...
@overload
def read(text: Source, *, errors: str = "report") -> Iterator[Game | BadGame]: ...
def read(text: Source, *, errors: str = "report") -> Iterator[Game] | Iterator[Game | BadGame]:
    """The games of a text, of a file opened as text, or of a file given as a `pathlib.Path`, which is read as UTF-8
    and, where it is none, as Latin-1. Files are read line by line as games are asked for.

    A str is the text itself: the name of a file in its place is a ValueError, which says so.

    A bad game gives a `BadGame`, and reading goes on with the next; with ``errors="raise"`` it is a ValueError.

    >>> [game.result for game in read("1. e4 e5 1-0  1. d4 *", errors="raise")]
    ['1-0', '*']
    >>> for game in read("1. e4 e5 2. Nf3 {the comment 1-0"):
    ...     print(game)
    game 1, line 1, move 2...: the comment '{the comment 1-0' is not closed
    """
    if errors not in ("report", "raise"):
        raise ValueError(f"errors: {shown(errors)}: expected 'report' or 'raise'")
    lines: Iterable[str]
    if isinstance(text, os.PathLike):
        lines = _lines_of(Path(text))
    elif isinstance(text, str):
        if _is_file_name(text):
            raise ValueError(
                f"PGN: {shown(text)} is the name of a file, and no games: pass pathlib.Path({shown(text)}) or the "
                "opened file"
            )
        lines = io.StringIO(text, newline=None)
    elif not isinstance(text, Iterable) or isinstance(text, bytes):
        raise TypeError(f"PGN: expected text or a text file, or the pathlib.Path of one, not {type(text).__name__}")
    else:
        lines = text
    return _games(lines, errors == "raise")


class _Source(NamedTuple):
    """The games of an open file that have not been read yet, and where in the file the next one begins."""

    games: Iterator[Game | BadGame]
    position: int | None


# A file may have more than one game on a line: what is left of it waits here for the next call.
_SOURCES: Final[weakref.WeakKeyDictionary[Any, _Source]] = weakref.WeakKeyDictionary()


def _next_of(source: Source | IO[str]) -> Game | BadGame | None:
    """The next game of a file, or the first of anything else; None if there is none."""
    if isinstance(source, (str, os.PathLike)) or not hasattr(source, "readline"):
        return next(read(source), None)
    kept = _SOURCES.pop(source, None)
    position = _position(source)
    games = kept.games if kept and kept.position == position else _games(iter(source.readline, ""), strict=False)
    found = next(games, None)
    if found is not None:
        _SOURCES[source] = _Source(games, _position(source))
    return found


def _position(file: Any) -> int | None:
    """Where a file is; None of a pipe, which cannot go back."""
    try:
        return int(file.tell())
    except (AttributeError, OSError, io.UnsupportedOperation):
        return None


@overload
def read_game(text: Source | IO[str]) -> Game | None: ...
@overload
def read_game(text: Source | IO[str], *, Visitor: Callable[[], BaseVisitor[_Result]]) -> _Result | None: ...  # noqa: N803
def read_game(text: Source | IO[str], *, Visitor: Callable[[], BaseVisitor[Any]] | None = None) -> Any:  # noqa: N803
    r"""Read the next game of a file opened as text, or the first of a text or a path; return None if there is none.

    A file is read up to the end of the game: the next call goes on there. A bad game is a ValueError, and
    the call after it reads the next game. With a `Visitor`, a class like `StringExporter`, its result is returned.

    >>> import io
    >>> file = io.StringIO("1. e4 e5 1-0\n\n1. d4 *\n")
    >>> read_game(file)
    <Game: ? - ?, 2 half-moves, 1-0>
    >>> read_game(file).next().san()
    'd4'
    >>> read_game(file) is None
    True
    """
    game = _next_of(text)
    if isinstance(game, BadGame):
        raise ValueError(str(game))
    if game is None or Visitor is None:
        return game
    return game.accept(Visitor())


def read_headers(text: Source | IO[str]) -> dict[str, str] | None:
    r"""Read past the next game, as `read_game` does, and return its headers: of a bad game those that were read.

    >>> read_headers('[White "Anna"]\n\n1. e4 *')["White"]
    'Anna'
    """
    game = _next_of(text)
    return None if game is None else game.headers


def skip_game(text: Source | IO[str]) -> bool:
    r"""Read past the next game, as `read_game` does; return whether there was one.

    >>> import io
    >>> file = io.StringIO("1. e4 *\n\n1. d4 *\n")
    >>> skip_game(file), read_game(file).next().san(), skip_game(file)
    (True, 'd4', False)
    """
    return _next_of(text) is not None


def _is_file_name(text: str) -> bool:
    """Whether a text is a path rather than games: one line without brackets, ending in .pgn or the name of a file."""
    if not text.strip() or len(text) > _LONGEST_PATH or re.search(r"[\[\]{}\n\r\x00]", text):
        return False
    with contextlib.suppress(OSError):  # of a name that no file can have
        if Path(text).is_file():
            return True
    return text.strip().lower().endswith(".pgn")


def _lines_of(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8", errors="rookery-latin-1") as file:
        yield from file


def _games(lines: Iterable[str], strict: bool) -> Iterator[Game | BadGame]:
    draft = _Draft(1)
    for token in itertools.chain(tokens(lines), [Token("end", "", 0)]):
        if draft.ends_before(token):
            game = draft.finish()
            if strict and isinstance(game, BadGame):
                raise ValueError(str(game))
            if game is not None:
                yield game
            draft = _Draft(draft.number + (game is not None))
        draft.take(token)


class _Draft:
    """The game being read. After its first fault it is followed to its end, and no longer understood."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.movetext = Movetext([], {}, {}, {})
        self.headers: dict[str, str] = {}
        self.header_lines: dict[str, int] = {}
        self.board: Board | None = None
        self.bad: BadGame | None = None
        self.result = ""
        self.variations: list[int] = []  # the lines where those that are open begin
        self.variation: list[Token] = []  # what the outer one of them has
        self.first_line = 0
        self.in_moves = False
        self.after_blank = True

    def ends_before(self, token: Token) -> bool:
        if token.kind == "end":
            return True
        if self.result:
            return token.kind not in ("comment", "unclosed", "nag")
        if token.kind == "tag":
            fresh = token.text == "Event" and self.after_blank
            return self.in_moves or (fresh and bool(self.headers or self.bad))
        restart = token.kind == "broken" or (token.kind == "number" and token.text == "1." and not self.variations)
        return restart and self.in_moves and self.after_blank

    def take(self, token: Token) -> None:
        kind, text, line = token.kind, token.text, token.line
        self.after_blank = kind == "blank"
        if self.after_blank:
            return
        self.first_line = self.first_line or line
        self.in_moves |= kind in ("move", "bracket", "result", "unclosed")
        ply = len(self.movetext.moves)
        if kind == "tag":
            self._header(text, token.value, line)
        elif kind == "broken":
            self._fail(line, f'header: {text[:QUOTED]!r}: expected [Name "value"]')
        elif kind == "unclosed":
            self._fail(line, f"the comment {'{' + text[:QUOTED].rstrip()!r} is not closed")
        elif kind == "bracket":
            self._bracket(token, ply)
        elif self.variations:
            self.variation.append(token)
        elif kind == "comment":
            parts = self.movetext.comments.get(ply, ""), one_line(text)
            if any(parts):
                self.movetext.comments[ply] = " ".join(filter(None, parts))
        elif kind == "nag":
            self.movetext.nags.setdefault(ply, []).append(nag_of(text))
        elif kind == "result":
            self.result = OTHER_RESULTS.get(text, text)
            said = self.headers.get("Result", "*")
            if "*" not in (said, self.result) and said != self.result:
                self._fail(line, f"result: {text!r}: the header says {shown(said)}")
        elif kind == "move" and self._set_up():
            self._move(text, line)

    def finish(self) -> Game | BadGame | None:
        if not self.first_line:
            return None
        if self.variations:
            self._fail(self.variations[0], "the variation is not closed")
        if not self.in_moves and not self.headers:
            self._fail(self.first_line, "no game: neither headers nor moves nor a result")
        self._set_up()
        if self.bad:
            return self.bad
        if self.result not in ("", "*"):
            self.headers["Result"] = self.result
        return Game(self.headers, *self.movetext)

    def _fail(self, line: int, reason: str) -> None:
        """Keep the first fault."""
        place = "headers"
        # A fault of the headers that shows only now is an earlier one.
        if self.in_moves and (board := self._set_up()):
            place = f"move {board.fullmove_number}{'.' if board.turn else '...'}"
        self.bad = self.bad or BadGame(self.number, line, place, reason, self.headers)

    def _bracket(self, token: Token, ply: int) -> None:
        if token.text == "(":
            if self.variations:
                self.variation.append(token)
            self.variations.append(token.line)
        elif not self.variations:
            self._fail(token.line, "')' closes no variation")
        else:
            self.variations.pop()
            if self.variations:
                self.variation.append(token)
            else:
                self.movetext.variations.setdefault(ply, []).append(joined(self.variation))
                self.variation = []

    def _header(self, name: str, value: str, line: int) -> None:
        value = OTHER_RESULTS.get(value, value) if name == "Result" else value
        fault = header_fault(name, value)
        if self.headers.setdefault(name, value) != value:
            fault = f"header {short(name)}: {shown(value)}: it was given before as {shown(self.headers[name])}"
        if fault:
            self._fail(line, fault)
        self.header_lines.setdefault(name, line)

    def _set_up(self) -> Board | None:
        """The board, if nothing is wrong so far."""
        if self.board is None and not self.bad:
            try:
                self.board = Game(self.headers).board()
            except ValueError as error:
                line = self.header_lines["FEN" if "FEN" in self.headers else "SetUp"]
                self.bad = BadGame(self.number, line, "headers", str(error), self.headers)
        return None if self.bad else self.board

    def _move(self, text: str, line: int) -> None:
        board = self.board
        assert board is not None
        try:
            move = read_move(board, text)
            board.push(move)
        except ValueError as error:
            self._fail(line, str(error))
        else:
            self.movetext.moves.append(move)


__all__ = [
    "NAG_BLUNDER",
    "NAG_BRILLIANT_MOVE",
    "NAG_DUBIOUS_MOVE",
    "NAG_GOOD_MOVE",
    "NAG_MISTAKE",
    "NAG_SPECULATIVE_MOVE",
    "RESULTS",
    "ROSTER",
    "SKIP",
    "SUFFIXES",
    "BadGame",
    "BaseVisitor",
    "ChildNode",
    "FileExporter",
    "Game",
    "GameBuilder",
    "GameNode",
    "Mainline",
    "Movetext",
    "Source",
    "StringExporter",
    "read",
    "read_game",
    "read_headers",
    "skip_game",
]
