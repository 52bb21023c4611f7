"""A game of PGN: what is kept of it, and its text."""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Self

from rookery.arguments import printable, shown
from rookery.rules.board import Board
from rookery.rules.fen import START
from rookery.rules.moves import Move
from rookery.rules.pgn_tokens import CHESS960, CLASSICAL, NAME, RESULTS
from rookery.rules.pgn_writer import fill, words

ROSTER: Final = dict.fromkeys(("Event", "Site", "Date", "Round", "White", "Black"), "?") | {
    "Date": "????.??.??",
    "Result": "*",
}
QUOTED: Final = 60  # no move is longer, and a longer fault is recognised by its beginning


class GameWarning(NamedTuple):
    """What a lenient reader of PGN stepped over: the game's number in the file, the line and place, and the reason.

    >>> import rookery
    >>> (game,) = rookery.pgn.read("1. e4 +/- e5 *")
    >>> print(game.warnings[0])
    game 1, line 1, move 1...: '+/-': an annotation, stepped over
    """

    number: int
    line: int
    place: str
    reason: str

    def __str__(self) -> str:
        return f"game {self.number}, line {self.line}, {self.place}: {self.reason}"


@dataclass(repr=False)
class Game:
    """A game. `comments`, `nags` and `variations` are kept by the number of half-moves made before them (0: before the
    first).

    A variation is the text between its brackets, with the variations that it has in turn; where a file has several
    blanks or a line break, the text has one blank. Its moves are not checked.

    The headers are the given ones, after the seven-tag roster (``?`` for what is not known). Result and start position
    live in them; `result` and `start` are short ways there. `warnings` list what the reader stepped over; they do not
    count when games are compared, and are not written.

    >>> import rookery
    >>> game = Game({"White": "Anna"}, [Move.of(12, 28), Move.of(52, 36)], {1: "best by test"}, {1: [1]})
    >>> game.result = "1/2-1/2"
    >>> print(game)
    [Event "?"]
    [Site "?"]
    [Date "????.??.??"]
    [Round "?"]
    [White "Anna"]
    [Black "?"]
    [Result "1/2-1/2"]
    <BLANKLINE>
    1. e4 $1 {best by test} 1... e5 1/2-1/2
    >>> list(rookery.pgn.read(str(game))) == [game]
    True
    >>> game.variations[2] = ["1... c5 {sharp} (1... e6)"]
    >>> print(str(game).splitlines()[-1])
    1. e4 $1 {best by test} 1... e5 (1... c5 {sharp} (1... e6)) 1/2-1/2
    >>> list(rookery.pgn.read(str(game))) == [game]
    True
    """

    headers: dict[str, str] = field(default_factory=dict)
    moves: list[Move] = field(default_factory=list)
    comments: dict[int, str] = field(default_factory=dict)
    nags: dict[int, list[int]] = field(default_factory=dict)
    variations: dict[int, list[str]] = field(default_factory=dict)
    warnings: list[GameWarning] = field(default_factory=list, compare=False)

    def __post_init__(self) -> None:
        self.headers = _completed(self.headers)

    @classmethod
    def from_board(cls, board: Board) -> Self:
        """The game that led to a board, from the first position it remembers.

        >>> board = Board()
        >>> _ = board.push_san("e4")
        >>> Game.from_board(board).moves
        [Move('e2e4')]
        """
        if not isinstance(board, Board):
            raise TypeError(f"board: {shown(board)}: expected a rookery.Board")
        root = board.copy()
        while root.move_stack:
            root.pop()
        game = cls(moves=board.move_stack)
        game.result = board.result()
        if root.chess960:
            game.headers["Variant"] = "Chess960"
        if root.fen() != START:
            game.start = root.fen()
        return game

    @property
    def result(self) -> str:
        """The header Result: ``1-0``, ``0-1``, ``1/2-1/2``, or ``*`` for a game that is not over."""
        return self.headers.get("Result", "*")

    @result.setter
    def result(self, result: str) -> None:
        if not isinstance(result, str):
            raise TypeError(f"result: {shown(result)}: expected one of {', '.join(RESULTS)}")
        if fault := header_fault("Result", result):
            raise ValueError(fault)
        self.headers["Result"] = result

    @property
    def start(self) -> str | None:
        """The header FEN, or None for a game from the start position."""
        return self.headers.get("FEN")

    @start.setter
    def start(self, fen: str | None) -> None:
        if fen is not None and not isinstance(fen, str):
            raise TypeError(f"start: {shown(fen)}: expected a FEN, or None")
        for name, value in (("SetUp", "1"), ("FEN", fen)):
            self.headers.pop(name, None)
            if fen is not None and value is not None:
                self.headers[name] = value

    @property
    def is_chess960(self) -> bool:
        """Whether the header Variant says that this is a game of Chess960.

        >>> Game({"Variant": "Chess960"}).is_chess960
        True
        """
        return self.headers.get("Variant", "").lower() in CHESS960

    def board(self) -> Board:
        """The position before the first move. What the headers say of it may be a ValueError.

        >>> Game({"FEN": "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"}).board().board_fen()
        '4k3/8/8/8/8/8/8/R3K3'
        """
        if self.start is None and self.headers.get("SetUp") == "1":
            raise ValueError("header SetUp: '1' promises a FEN, and there is none")
        return Board(START if self.start is None else self.start, self.is_chess960 or None)

    def positions(self) -> Iterator[Board]:
        """The board before the first move and after each.

        >>> [board.ply() for board in Game({}, [Move.of(12, 28), Move.of(52, 36)]).positions()]
        [0, 1, 2]
        """
        board = self.board()
        yield board.copy()
        for move in self.moves:
            board.push(move)
            yield board.copy()

    def end(self) -> Board:
        """The board after the last move, with all moves in its history.

        >>> Game({}, [Move.of(12, 28)]).end().fen()
        'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'
        """
        board = self.board()
        for move in self.moves:
            board.push(move)
        return board

    def write(self) -> str:
        """The text and an empty line, so that games can be written one after the other; ``str(game)`` ends with the
        result. What would not be read as the same game is a ValueError: an illegal move, a comment after more moves
        than there are, a broken header, a bracket or a comment of a variation that is not closed in it. Line breaks in
        a comment, and spaces around it, are not kept.

        >>> print(Game({"White": "Anna"}, [Move.of(12, 28)]).write().splitlines()[-2])
        1. e4 *
        """
        tags = []
        for name, value in _announced(self.headers).items():
            if fault := header_fault(name, value):
                raise ValueError(fault)
            escaped = value.replace("\\", "\\\\").replace('"', '\\"')
            tags.append(f'[{name} "{escaped}"]\n')
        for ply in (*self.comments, *self.nags, *self.variations):
            if not 0 <= ply <= len(self.moves):
                raise ValueError(f"comment, NAG or variation after {ply} half-moves: the game has {len(self.moves)}")
        for ply, variations in self.variations.items():
            if isinstance(variations, str):
                raise TypeError(f"variations[{ply}]: {shown(variations)}: expected a list of texts")
        for nag in itertools.chain(*self.nags.values()):
            if not 0 <= nag < 10**9:
                raise ValueError(f"NAG: {nag}: expected a number from 0 to 999999999")
        moves = words(self.board(), self.moves, self.comments, self.nags, self.variations)
        return "\n".join(["".join(tags), *fill(itertools.chain(moves, [self.result])), "\n"])

    def __str__(self) -> str:
        return self.write().rstrip("\n")

    def _repr_html_(self) -> str:
        """The last position, the headers and the moves, for notebooks."""
        from rookery.rules.pgn_html import game_html

        return game_html(self)

    def __repr__(self) -> str:
        players = f"{short(str(self.headers.get('White')))} - {short(str(self.headers.get('Black')))}"
        return f"<Game: {players}, {len(self.moves)} half-moves, {short(self.result)}>"


def short(text: str) -> str:
    """A header for a line on a terminal: what comes from a file may hold escape sequences, and be of any length."""
    return printable(text if len(text) <= QUOTED else f"{text[:QUOTED]}...")


def _completed(headers: dict[str, str]) -> dict[str, str]:
    """Return the headers with the roster first, and all of it."""
    return ROSTER | _announced(headers)


def _announced(headers: dict[str, str]) -> dict[str, str]:
    """Return the headers with a FEN announced by SetUp, as PGN demands."""
    announced: dict[str, str] = {}
    for name, value in headers.items():
        if name == "FEN":
            announced.setdefault("SetUp", "1")
        announced[name] = value
    return announced


def header_fault(name: str, value: str) -> str:
    """What is wrong with a header, or nothing."""
    if not re.fullmatch(NAME, name):
        return f"header {shown(name)}: expected a name of letters, digits and _"
    if "\n" in value or "\r" in value:
        return f"header {short(name)}: {shown(value)}: a line break"
    if name == "Result" and value not in RESULTS:
        return f"header Result: {shown(value)}: expected one of {', '.join(RESULTS)}"
    if name == "Variant" and value.lower() not in CHESS960 + CLASSICAL:
        return f"header Variant: {shown(value)}: expected chess or Chess960"
    return ""
