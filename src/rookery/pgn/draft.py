"""A game that is being read: it collects tokens and decides where the game ends."""

import collections
from collections.abc import Iterator
from typing import NamedTuple

from rookery.bitboards.leapers import knight_attacks
from rookery.bitboards.squares import parse_square
from rookery.board.board import Board
from rookery.board.moves import InvalidMoveError
from rookery.board.reasons import board_without_impossible_rights
from rookery.pgn import faults
from rookery.pgn import lenient as pgn_lenient
from rookery.pgn.annotations import ShortTimes
from rookery.pgn.game import Game
from rookery.pgn.growth import Movetext, nag_of
from rookery.pgn.headers import Headers, header_fault
from rookery.pgn.lenient import MOST_WARNINGS, GameWarning, is_annotation
from rookery.pgn.tokens import OTHER_RESULTS, Token
from rookery.pgn.variations import joined
from rookery.pgn.writer import one_line


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


class Lookahead(Iterator[Token]):
    """An iterator over tokens with lookahead. A token of kind ``end`` follows the last one."""

    def __init__(self, source: Iterator[Token]) -> None:
        self._source = source
        self._held: collections.deque[Token] = collections.deque()
        self._ended = False

    def __next__(self) -> Token:
        if self._held:
            return self._held.popleft()
        if self._ended:
            raise StopIteration
        return self._fresh()

    def following(self) -> Iterator[Token]:
        """Yield the next tokens without consuming them."""
        yield from list(self._held)
        while not self._ended:
            self._held.append(token := self._fresh())
            yield token

    def _fresh(self) -> Token:
        token = next(self._source, None)
        self._ended = token is None
        return token or Token("end", "", 0)

    def hold(self, *tokens: Token) -> None:
        """Put tokens back in front."""
        self._held.extendleft(reversed(tokens))


class Draft:
    """The game that is being read. After its first fault, tokens only serve to find its end."""

    def __init__(self, number: int, strict: bool, ahead: Lookahead) -> None:
        self.number = number
        self.strict = strict
        self.ahead = ahead
        self.warnings: list[GameWarning] = []
        self.times: ShortTimes | None = None
        self.braces_at = -1  # the number of moves before the last comment that contains a brace, or -1
        self.has_brackets = False
        self.movetext = Movetext([], {}, {}, {})
        self.headers: dict[str, str] = {}
        self.header_lines: dict[str, int] = {}
        self.board: Board | None = None
        self.bad: BadGame | None = None
        self.result = ""
        self.variations: list[int] = []  # the lines where the open variations begin
        self.variation: list[Token] = []  # the tokens of the outermost one
        self.first_line = 0
        self.in_moves = False
        self.after_blank = True

    def ends_before(self, token: Token) -> bool:
        """Check whether the game ends before a token."""
        if token.kind == "end":
            return True
        if self.result:
            annotates = token.kind == "move" and self._lenient and _annotates(token.text)
            return token.kind not in ("comment", "unclosed", "nag", "nul") and not annotates
        if token.kind == "tag":
            fresh = token.text == "Event" and self.after_blank and bool(self.headers or self.bad)
            return self.in_moves or fresh or self._begins_next_headers(token.text)
        restart = token.kind == "broken" or (token.kind == "number" and token.text == "1." and not self.variations)
        return restart and self.in_moves and self.after_blank

    def take(self, token: Token) -> None:
        """Add a token to the game."""
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
            self._fail(line, faults.broken_header(text))
        elif kind == "unclosed":
            self._fail(line, faults.unclosed_comment("{" + text))
        elif kind == "bracket":
            self._bracket(token, ply)
        elif kind == "nul":
            self._warn(line, pgn_lenient.NULS)
            if self.variations:
                self.variation.append(token)
        elif self.variations:
            self.variation.append(token)
        elif kind == "comment" and (found := faults.marked(text)):
            self.in_moves |= found.place.startswith("move")
            self._fail(line, found.reason, found.place)
        elif kind == "comment":
            if token.value == "{" and "{" in text and self._lenient:
                self.braces_at = ply
            parts = self.movetext.comments.get(ply, ""), one_line(text)
            if any(parts):
                self.movetext.comments[ply] = " ".join(filter(None, parts))
            if ply and not self.bad and "[%" in text:
                self._short_time(text, line)
        elif kind == "nag":
            self.movetext.nags.setdefault(ply, []).append(nag_of(text))
        elif kind == "result":
            self._set_up()
            self.result = OTHER_RESULTS.get(text, text)
            header = self.headers.get("Result", "*")
            if "*" not in (header, self.result) and header != self.result:
                self._fail(line, faults.other_result(text, header))
        elif kind == "move" and self._set_up():
            self._word(text, line)

    def finish(self) -> Game | BadGame | None:
        """Return the game, or None if there was no token."""
        if not self.first_line:
            return None
        if self.variations:
            self._fail(self.variations[0], faults.OPEN_VARIATION)
        if not (self.headers or self.movetext.moves or self.result or self.has_brackets):
            self.in_moves = False
            self._fail(self.first_line, faults.NO_GAME)
        self._set_up()
        if self.bad:
            return self.bad._replace(warnings=tuple(self.warnings), movetext=self.movetext)
        if self.result not in ("", "*"):
            self.headers["Result"] = self.result
        return Game(Headers.unchecked(self.headers), *self.movetext, self.warnings)

    @property
    def _lenient(self) -> bool:
        """Return whether annotations are still skipped: after the first fault nothing is interpreted."""
        return not self.strict and not self.bad

    def _begins_next_headers(self, name: str) -> bool:
        """Return whether a tag starts the next of several games that consist of headers without an Event."""
        if self.strict or not self.after_blank or name not in self.headers:
            return False
        return next(iter(self.headers)) != "Event"

    def _place(self) -> str:
        # Setting up may find a fault in the headers, which comes first.
        if self.in_moves and (board := self._set_up()):
            return f"move {board.fullmove_number}{'.' if board.turn else '...'}"
        return "headers"

    def _warn(self, line: int, reason: str, place: str = "") -> None:
        """Record a warning unless a fault was found before."""
        place = place or self._place()
        if self.bad:
            return
        if len(self.warnings) < MOST_WARNINGS:
            self.warnings.append(GameWarning(self.number, line, place, reason))
        else:
            self.bad = BadGame(self.number, line, place, pgn_lenient.TOO_MANY, self.headers)

    def _fail(self, line: int, reason: str, place: str = "") -> None:
        """Record a fault unless another was found before."""
        place = place or self._place()
        self.bad = self.bad or BadGame(self.number, line, place, reason, self.headers)

    def _bracket(self, token: Token, ply: int) -> None:
        if token.text == "(":
            self.has_brackets = True
            if self.variations:
                self.variation.append(token)
            self.variations.append(token.line)
        elif not self.variations and self.strict:
            self._fail(token.line, faults.CLOSES_NO_VARIATION)
        elif not self.variations:
            self._warn(token.line, pgn_lenient.STRAY_BRACKET)
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
            fault = faults.other_value(name, value, self.headers[name])
        if fault:
            self._fail(line, fault)
        self.header_lines.setdefault(name, line)

    def _set_up(self) -> Board | None:
        """Return the board, or None after a fault."""
        if self.board is None and not self.bad:
            try:
                self.board = Game(Headers.unchecked(self.headers)).board()
            except ValueError as error:
                line = self.header_lines["FEN" if "FEN" in self.headers else "SetUp"]
                if self.strict or not self._drop_impossible_rights(line):
                    self.bad = BadGame(self.number, line, "headers", str(error), self.headers)
        return None if self.bad else self.board

    def _drop_impossible_rights(self, line: int) -> bool:
        """Set up the position of a FEN without its impossible rights, if it has no other fault."""
        fen = self.headers.get("FEN")
        if fen is None:
            return False
        try:
            self.board = board_without_impossible_rights(fen, Game(Headers.unchecked(self.headers)).is_chess960 or None)
        except ValueError:
            return False
        self._warn(line, pgn_lenient.rights_warning(fen), "headers")
        self.headers["FEN"] = self.board.fen(en_passant="fen")
        return True

    def _word(self, text: str, line: int) -> None:
        """Make the move that a word stands for, or skip an annotation."""
        if not self.result:
            try:
                self._push(text)
            except InvalidMoveError:
                pass
            except ValueError as error:
                self._fail(line, str(error))
                return
            else:
                return
        if self.strict:
            self._fail(line, self._reason(text))
        elif self.result or (found := pgn_lenient.split(text)) is None:
            self._no_move(text, line)
        else:
            self._glued(*found, text, line)

    def _short_time(self, comment: str, line: int) -> None:
        """Warn about a time in a comment that may be hours and minutes, or minutes and seconds."""
        self.times = self.times or ShortTimes(self.headers.get("TimeControl", ""))
        if time := self.times.take(comment):
            line += comment[: comment.index(time)].count("\n")
            if self.strict:
                self._fail(line, faults.ambiguous_time(time))
            else:
                self._warn(line, pgn_lenient.time_warning(time))

    def _push(self, text: str) -> None:
        board = self.board
        assert board is not None
        move = faults.move_of(board, text)
        board.push(move)
        self.movetext.moves.append(move)

    def _reason(self, text: str) -> str:
        """Return why a word is not a legal move."""
        assert self.board is not None
        return faults.move_fault(self.board, text)

    def _glued(self, move: str, end: str, text: str, line: int) -> None:
        """Make a move in a variant spelling, or with an annotation or a result glued to it."""
        place = self._place()
        try:
            self._push(pgn_lenient.san(move))
        except ValueError:
            self._fail(line, self._reason(move))
        else:
            self._warn(line, pgn_lenient.move_warning(text), place)
        if end in pgn_lenient.GLUED_RESULTS:
            self.ahead.hold(Token("result", end, line, spaced=False))

    def _no_move(self, text: str, line: int) -> None:
        """Skip a word if it is an annotation, else record a fault."""
        plies = len(self.movetext.moves)
        if text.startswith("}"):
            if self.braces_at >= 0 and (self.result or self.braces_at != plies):
                self._fail(line, self._reason(text))  # the words before it may have been a comment
            else:
                self._warn(line, pgn_lenient.STRAY_BRACE)
            self.braces_at = -1
        elif is_annotation(text) and not (text == "N" and not self.result and self._knight_follows(line)):
            self._warn(line, pgn_lenient.annotation_warning(text))
        elif self.braces_at == plies and (rest := self._rest_of_comment(text)):
            for _ in range(rest):
                next(self.ahead)
            self._warn(line, pgn_lenient.rest_warning(text))
            self.braces_at = -1
        else:
            self._fail(line, self._reason(text))

    def _knight_follows(self, line: int) -> bool:
        """Return whether the N just read may belong to the next word, as in ``N f3``."""
        token = next(self.ahead.following())
        if token.kind != "move" or token.line != line or self.board is None:
            return False
        square = pgn_lenient.target_of_knight(token.text)
        knights = self.board.pieces("n", self.board.turn)
        return square is not None and bool(knight_attacks(parse_square(square)) & int(knights))

    def _rest_of_comment(self, text: str) -> int:
        """Return the number of tokens up to a stray brace, or 0 if one of them could be a move."""
        if pgn_lenient.may_be_move(text):
            return 0
        for number, token in enumerate(self.ahead.following(), 1):
            if token.kind == "move" and token.text.startswith("}"):
                return number
            if token.kind not in ("move", "nag", "number") or pgn_lenient.may_be_move(token.text):
                return 0
        return 0


def _annotates(word: str) -> bool:
    return word.startswith("}") or is_annotation(word)
