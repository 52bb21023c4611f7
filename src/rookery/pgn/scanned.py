"""Single games made of what the compiled reader finds in a text that arrives in pieces."""

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

import numpy as np

from rookery.board.board import Board
from rookery.board.moves import CHESS960, CLASSICAL
from rookery.pgn.faults import GameWarning
from rookery.pgn.headers import Headers
from rookery.pgn.reports import Report, errors_of, unescaped, warnings_of
from rookery.pgn.scan import output
from rookery.pgn.scan.block_arrays import BlockReader, Found, padded
from rookery.pgn.scan.headers.values import lines_in
from rookery.pgn.scan.lexing.vocabulary import (
    ESCAPED,
    NAME_END,
    NAME_START,
    NUMBER,
    OTHER_RESULTS,
    RESULTS,
    VALUE_END,
    VALUE_START,
    decoded,
)
from rookery.pgn.tree.game import Game
from rookery.pgn.tree.growth import Movetext, movetext_of

_WANTED: Final = (
    output.CLOCKS | output.COMMENTS | output.NAGS | output.VARIATIONS | output.VALUES_AS_TEXT
)  # clocks, since a warning is due where nobody can tell minutes from hours
_FIRST, _LARGEST = 1 << 14, 1 << 20  # bytes of the pieces of a text or a file
_TRIES: Final = 4  # to find the end of a game at an empty line, before more text is needed each time
_LISTS: Final = (output.FIRST_PLY, output.FIRST_TAG, output.FIRST_NAG, output.FIRST_COMMENT, output.FIRST_VARIATION)


class BadGame(NamedTuple):
    """A game that could not be read.

    `number` is its number in the file, `line` and `place` locate the first fault, and `reason` explains it. `headers`
    and `warnings` are those found before the fault, and `movetext` has the moves before it, as `Game.movetext` returns
    them.

    >>> import rookery
    >>> (bad,) = rookery.pgn.read("1. e4 e5 2. Ke3 *")
    >>> bad.line
    1
    >>> bad.reason
    "SAN move: 'Ke3' is not legal in 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'"
    >>> bad.movetext.moves
    [Move('e2e4'), Move('e7e5')]
    """

    number: int
    line: int
    place: str
    reason: str
    headers: dict[str, str]
    warnings: tuple[GameWarning, ...] = ()
    movetext: Movetext = Movetext([], {}, {}, {})

    def __str__(self) -> str:
        return f"game {self.number}, line {self.line}, {self.place}: {self.reason}"


_Games: TypeAlias = Iterator[Game | BadGame]


class Readable(Protocol):
    """A file that is read in pieces."""

    def read(self, size: int, /) -> bytes:
        """Return up to `size` bytes, none at the end."""
        ...


def games_of_bytes(text: bytes | Readable, want: int = 0) -> _Games:
    """Yield the games of a text or a file, which is read in pieces; `want` has more options of the compiled reader."""
    with _Scan(want) as scan:
        size, place = _FIRST, 0
        while True:
            if isinstance(text, bytes):
                piece = text[place : place + size]
                place += size
                final = place >= len(text)
            else:
                piece = text.read(size)
                final = not piece
            yield from scan.games(piece, final)
            if final:
                return
            size = max(min(2 * size, _LARGEST), scan.left)


def games_of_lines(lines: Iterable[str], want: int = 0) -> _Games:
    """Yield the games of lines as they arrive: each game when its end is known."""
    with _Scan(want) as scan:
        held: list[str] = []
        size, tries = 0, 0
        last = ""
        for line in lines:
            if not isinstance(line, str):
                raise TypeError(f"PGN: expected lines of text, not {type(line).__name__}: is the file opened as text?")
            held.append(line)
            size += len(line)
            if not line.isspace():
                last = line
            elif last and not last.startswith("[") and (tries < _TRIES or size > scan.left):
                before = scan.left
                yield from scan.games_of_whole_lines(_bytes_of("".join(held)))
                tries = tries + 1 if scan.left > before else 0
                held, size, last = [], 0, ""
        yield from scan.games(_bytes_of("".join(held)), final=True)


def games_of_text(text: str, want: int = 0) -> _Games:
    """Yield the games of a text."""
    return games_of_bytes(_bytes_of(text), want)


def _bytes_of(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


class _Scan:
    """The scan of a text: the part that is not read yet, and the number of games and lines before it."""

    def __init__(self, want: int) -> None:
        self._want = _WANTED | want

    def __enter__(self) -> "_Scan":
        self._reader = BlockReader.taken(self._want)
        self._held = b""
        self._games, self._lines, self._at_line, self._after_result = 0, 0, True, False
        return self

    def __exit__(self, *_: object) -> None:
        self._reader.give_back()

    @property
    def left(self) -> int:
        """Return the number of bytes that are not read yet."""
        return len(self._held)

    def games(self, piece: bytes, final: bool) -> _Games:
        """Yield the games that are complete when a piece of text is added; all games if it is the last piece."""
        data = self._held + piece
        place = 0
        for found, text in self._read(data, final):
            for i, game in enumerate(self._made(found, data, text)):
                place = int(found.games[i, output.STOPS])
                after_result = found.games[i, output.MARKED] & output.SAME_LINE
                yield game
                self._after_result = bool(after_result)
            place = found.place
        self._go_on(data, len(data) if final else place, self._reader.at_line)

    def games_of_whole_lines(self, piece: bytes) -> _Games:
        """Yield the games that are complete when lines are added, of which the last is empty."""
        data = self._held + piece
        place, at_line = 0, self._at_line
        for found, text in self._read(data, True):
            marks = found.games[:, output.MARKED]
            for i, game in enumerate(self._made(found, data, text)):
                is_last = found.whole and i == len(found.games) - 1
                if marks[i] & output.OPEN_COMMENT or (is_last and not marks[i] & output.HAS_RESULT):
                    break  # what follows may change it
                row = found.games[i]
                place, at_line = int(row[output.STOPS]), bool(row[output.MARKED] & output.AT_LINE)
                after_result = row[output.MARKED] & output.SAME_LINE
                yield game
                self._after_result = bool(after_result)
        self._go_on(data, place, at_line)

    def _read(self, data: bytes, final: bool) -> Iterator[tuple[Found, Any]]:
        text = padded(data)
        self._reader.begin(text, np.array([[0, len(data), final]], np.int64), self._at_line, self._after_result)
        while (found := self._reader.read()) is not None:
            yield found, text

    def _go_on(self, data: bytes, place: int, at_line: bool) -> None:
        self._lines += int(lines_in(np.frombuffer(bytearray(data + bytes(128)), np.uint8), 0, place)) if place else 0
        self._held, self._at_line = data[place:], at_line

    def _made(self, found: Found, data: bytes, text: Any) -> _Games:
        """Yield the games that were found. The next read overwrites what is not yet taken."""
        starts = found.starts
        errors = {report.row: report for report in errors_of(found, text, lambda n: _board(starts[n]))}
        warnings: dict[int, list[Report]] = {}
        for report in warnings_of(found, text, lambda n: _board(starts[n])):
            warnings.setdefault(report.row, []).append(report)
        lengths = (len(found.moves), len(found.tags), len(found.nags), len(found.comments), len(found.variations))
        ends = [[*found.games[:, column].tolist(), n] for column, n in zip(_LISTS, lengths, strict=True)]
        lines = self._lines
        for i in range(len(found.games)):
            spans = [slice(column[i], column[i + 1]) for column in ends]
            number = self._games + 1
            warned = tuple(
                GameWarning(number, lines + report.line, report.place, report.reason) for report in warnings.get(i, ())
            )
            headers, movetext = _headers(found, data, spans[1]), _movetext(found, data, i, spans)
            if bad := errors.get(i):
                yield BadGame(number, lines + bad.line, bad.place, bad.reason, headers, warned, movetext)
                self._games += 1
                continue
            for report in warnings.get(i, ()):
                if report.place == "headers" and "FEN" in headers and report.reason.endswith(": dropped"):
                    headers["FEN"] = _board(starts[int(found.games[i, output.START])]).fen(en_passant="fen")
            score = int(found.games[i, output.SCORE])
            if score and found.games[i, output.MARKED] & output.HAS_RESULT:
                headers["Result"] = RESULTS[score]
            yield Game(Headers.unchecked(headers), *movetext, warned)
            self._games += 1


def _board(row: Any) -> Board:
    """Return a start position."""
    words = row.tolist()
    return Board.from_words(words[:10], halfmove_clock=words[10], fullmove_number=words[11], chess960=bool(words[12]))


def _headers(found: Found, data: bytes, rows: slice) -> dict[str, str]:
    headers = {}
    for row in found.tags[rows].tolist():
        name, value = data[row[NAME_START] : row[NAME_END]], data[row[VALUE_START] : row[VALUE_END]]
        text = decoded(value)
        if row[NUMBER] & ESCAPED:
            text = unescaped(text)
        headers[name.decode()] = text
    if "Result" in headers:
        headers["Result"] = OTHER_RESULTS.get(headers["Result"], headers["Result"])
    return headers


def _movetext(found: Found, data: bytes, i: int, spans: list[slice]) -> Movetext:
    plies, _, nag_rows, comment_rows, variation_rows = spans
    start = int(found.games[i, output.START])
    moves = CHESS960 if start >= 0 and found.starts[start, 12] else CLASSICAL
    return movetext_of(
        list(map(moves.__getitem__, found.moves[plies].tolist())),
        found.nags[nag_rows].tolist(),
        ((ply, decoded(data[a:b]), after) for ply, a, b, after in found.comments[comment_rows].tolist()),
        ((ply, decoded(data[a:b])) for ply, a, b in found.variations[variation_rows].tolist()),
    )
