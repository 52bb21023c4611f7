"""`Hits`: the positions that a search found, as a table."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.pictures.text import marked
from rookery.board.board import Board
from rookery.board.moves import Move
from rookery.frames.arrow import categorical_column
from rookery.frames.columns import Categorical, alike, array_of
from rookery.frames.frame import Frame
from rookery.frames.reading import column_of, columns_in, number_array, text_column
from rookery.games.headers.computed_headers import missing_header
from rookery.games.headers.header_types import Header, header_column, header_text
from rookery.kernel import UNIVERSE
from rookery.lazy_imports import modules_later
from rookery.positions.positions import Positions

if TYPE_CHECKING:
    from rookery.positions.notation import text as fen_texts
else:
    (fen_texts,) = modules_later("rookery.positions.notation", "text")

NULL_MOVE: Final = "--"
_SHOWN: Final = 10  # hits in a notebook
_NEEDED: Final = ("file", "number", "ply", "fen", "san", "uci", "squares")  # columns of every table of hits
_MORE: Final = ("context", "value")


class Hit(NamedTuple):
    """One position that a search found."""

    board: Board
    move: Move | None  # the move that was played; None at the end of the game, and for a null move
    squares: Bitboard  # the squares that matched
    file: str
    game: int  # the index of the game among all that were searched, from 0
    number: int  # the number of the game in its file, from 1
    ply: int  # half-moves before the position
    headers: dict[str, str | None]
    context: str | None
    ended: bool  # the position is the last of its game

    def __str__(self) -> str:
        """Draw the board with the matched squares marked, under a line that names the game."""
        played = f", {self.board.san(self.move)} was played" if self.move else ""
        names = ", ".join(f"{name} {value}" for name, value in self.headers.items() if value is not None)
        where = f"{self.file}, game {self.number}" if self.file else f"game {self.number}"
        return f"{where}, half-move {self.ply}{played}{f': {names}' if names else ''}\n{self.drawing()}"

    def drawing(self) -> str:
        """Return the board with a dot after each matched square.

        >>> from rookery.games.search.find import search_games
        >>> hits = read_pgn(b"1. e4 e5 *").search("white.pawns & e4")
        >>> print(hits[0].drawing())
        r n b q k b n r
        p p p p p p p p
        . . . . . . . .
        . . . . . . . .
        . . . . P*. . .
        . . . . . . . .
        P P P P . P P P
        R N B Q K B N R
        """
        return marked(str(self.board), self._marks())

    def svg(self, *, size: int = 360) -> str:
        """Return a picture of the board as SVG text, `size` pixels wide, with the matched squares marked.

        The move that was played is an arrow if the query asked for it.

        >>> hits = read_pgn(b"1. e4 e5 *").search('move.piece == "P"')
        >>> "arrow from e2 to e4" in hits[0].svg()
        True
        """
        marks, arrows = self._marks(), []
        if self.move and marks >> self.move.from_square & marks >> self.move.to_square & 1:
            arrows = [(self.move.from_square, self.move.to_square)]
        return self.board.svg(sets={"matched": marks} if marks else None, arrows=arrows, size=size)

    def _marks(self) -> int:
        """Return the matched squares, but none if all squares matched."""
        return int(self.squares) if int(self.squares) != UNIVERSE else 0

    def numbered_move(self) -> str:
        """Return the move that was played as on a score sheet: "--" for a null move, "end" at the end of a game.

        >>> hits = read_pgn(b"1. e4 -- *").search("ply > 0")
        >>> [hit.numbered_move() for hit in hits]
        ['1... --', '2. end']
        """
        played = self.board.san(self.move) if self.move else "end" if self.ended else NULL_MOVE
        return f"{self.board.fullmove_number}{'.' if self.board.turn else '...'} {played}"

    def _repr_svg_(self) -> str:
        return self.svg()


@dataclass(slots=True, eq=False, repr=False)
class Hits(Frame):
    r"""The positions that a search found: a table with a row for each.

    positions   `Positions`
    moves       uint16: the move that was played; 0 at the end of a game, and for a null move
    squares     uint64: the squares that matched: the union of the sets in the query, and the squares of the move if the
                query says something about it
    game        int64: the index of the game among all that were searched, from 0
    files       `Categorical`: the name of the game's file, empty if it has none; `file` is the array of these names
    number      int64: the number of the game in its file, from 1
    ply         int32: the number of half-moves before the position
    ended       bool: whether the position is the last of its game
    headers     the headers that were requested, by name: `Numbers` (int16, dates, times) or `Texts`, as in `Games`
    context     the half-moves around the position in SAN, if they were requested: an array of str
    value       float64: the number that hits are sorted by, if they are
    groups      the values by which hits are counted, by their expressions, if they are

    An index gives a `Hit`, a slice or a mask gives `Hits`; ``hits["WhiteElo"]`` is a column of `to_arrow`.

    >>> games = read_pgn(b'[White "Anna"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0')
    >>> hits = games.search("move.is_mate", headers=["White"])
    >>> hits
    <1 hit>
    >>> hits.san().tolist()
    ['Qxf7#']
    >>> hits["White"].tolist()
    ['Anna']
    >>> hits[0].ply
    6
    """

    _COLUMNS = (
        *("moves", "positions", "squares", "game", "files", "number", "ply", "ended", "headers", "context", "value"),
        "groups",
    )
    _ROWS = ("hit", "hits")

    positions: Positions
    moves: NDArray[np.uint16]
    squares: NDArray[np.uint64]
    game: NDArray[np.int64]
    files: Categorical
    number: NDArray[np.int64]
    ply: NDArray[np.int32]
    ended: NDArray[np.bool_]
    headers: dict[str, Header]
    context: NDArray[np.object_] | None = None
    value: NDArray[np.float64] | None = None
    groups: dict[str, NDArray[Any]] = field(default_factory=dict)

    @classmethod
    def empty(cls, headers: Sequence[str] = (), *, context: bool = False, value: bool = False) -> Self:
        """Return a table without rows."""
        none = np.zeros(0, np.int64)
        texts = none.astype(np.object_)
        return cls(
            Positions.from_boards([]),
            none.astype(np.uint16),
            none.astype(np.uint64),
            none,
            Categorical.of("", 0),
            none,
            none.astype(np.int32),
            none.astype(np.bool_),
            {name: missing_header(name, 0) for name in headers},
            texts if context else None,
            none.astype(np.float64) if value else None,
        )

    @classmethod
    def from_arrow(cls, table: Any) -> Self:
        """Return the hits in an Arrow table, or in any object with Arrow's C interface, that `to_arrow` made.

        Columns that are not those of hits are headers. A table does not say which games were searched, so `game` counts
        the games that have hits.

        >>> hits = read_pgn(b"1. e4 e5 *").search("ply > 0")
        >>> type(hits).from_arrow(hits.to_arrow()) == hits
        True
        """
        from rookery.positions.notation.arrow import words_of_texts

        columns = columns_in(table, _NEEDED)
        positions = Positions.from_fens(columns["fen"])
        files = categorical_column("file", columns["file"])
        number = number_array("number", columns["number"], np.int64)
        value = columns.get("value")
        return cls(
            positions,
            words_of_texts(positions, "san", columns["san"]),
            number_array("squares", columns["squares"], np.uint64),
            _indices(files, number),
            files,
            number,
            number_array("ply", columns["ply"], np.int32),
            np.array([text == "" for text in text_column("san", columns["san"])], np.bool_),
            {name: header_column(name, column) for name, column in columns.items() if name not in (*_NEEDED, *_MORE)},
            text_column("context", columns["context"]).to_numpy() if "context" in columns else None,
            None if value is None else np.ma.filled(column_of("value", value).to_numpy().astype(np.float64), np.nan),
        )

    def __eq__(self, other: object) -> bool:
        """Check whether all columns are equal, except the indices of the games among those that were searched."""
        if not isinstance(other, Hits):
            return NotImplemented
        return all(alike(getattr(self, name), getattr(other, name)) for name in self._COLUMNS if name != "game")

    # As a sequence.

    def _row(self, i: int) -> Hit:
        move, board = int(self.moves[i]), self.positions[i]
        return Hit(
            board,
            Move.from_word(move, chess960=board.chess960) if move else None,
            Bitboard(int(self.squares[i])),
            self.files.text(i),
            int(self.game[i]),
            int(self.number[i]),
            int(self.ply[i]),
            {name: header_text(name, column, i) for name, column in self.headers.items()},
            None if self.context is None else self.context[i],
            bool(self.ended[i]),
        )

    def _repr_html_(self) -> str:
        """Return the boards of the first hits, for notebooks."""
        from html import escape

        cards = (
            f'<figure style="display:inline-block;width:14em;margin:0.5em">{hit._repr_svg_()}'
            f"<figcaption>{escape(str(hit).splitlines()[0])}</figcaption></figure>"
            for hit in self[:_SHOWN]
        )
        return f"<div>{''.join(cards)}<p>{len(self):,} hits</p></div>"

    # Texts and tables.

    @property
    def file(self) -> NDArray[np.object_]:
        """Return the name of each game's file, empty if it has none: an array of str.

        >>> read_pgn(b"1. e4 *").search("ply == 0").file.tolist()
        ['']
        """
        return self.files.to_numpy()

    def fens(self) -> list[str]:
        r"""Return the FEN of each position.

        >>> read_pgn(b"1. e4 *").search("ply == 0").fens()
        ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1']
        """
        return self.positions.to_fens()

    def san(self) -> NDArray[np.str_]:
        r"""Return the move that was played in each position in SAN, an empty text at the end of a game.

        >>> read_pgn(b"1. e4 *").search("ply >= 0").san().tolist()
        ['e4', '']
        """
        return self._notation("san", NULL_MOVE)

    def uci(self) -> NDArray[np.str_]:
        r"""Return the move that was played in each position, in UCI notation; empty at the end of a game.

        >>> read_pgn(b"1. e4 *").search("ply == 0").uci().tolist()
        ['e2e4']
        """
        return self._notation("uci", "0000")

    def _notation(self, name: str, null_move: str) -> NDArray[np.str_]:
        rows = np.flatnonzero(self.moves)
        texts: NDArray[np.str_] = getattr(self.positions[rows], name)(self.moves[rows])
        none = np.where(self.ended, "", null_move)
        out = none.astype(np.promote_types(none.dtype, texts.dtype))
        out[rows] = texts
        return out

    def _named(self, argument: str, name: str) -> NDArray[Any]:
        if name in self.headers:  # without making texts of all positions
            return array_of(self.headers[name])
        return Frame._named(self, argument, name)  # `super()` would find the class without slots

    def _arrow_columns(self) -> dict[str, Any]:
        """Return the columns of a table, in which positions and moves are texts."""
        columns = {
            "file": self.files,
            "number": self.number,
            "ply": self.ply,
            "fen": fen_texts.texts_of(self.positions.columns),
            "san": self.san(),
            "uci": self.uci(),
            "squares": self.squares,
            **self.headers,
        }
        more = {"context": self.context, "value": self.value}
        return columns | {name: column for name, column in more.items() if column is not None}


def _indices(files: Categorical, number: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a number for each game, from 0, in the order in which the games come first."""
    numbers: dict[tuple[int, int], int] = {}
    games = zip(files.codes.tolist(), number.tolist(), strict=True)
    return np.array([numbers.setdefault(game, len(numbers)) for game in games], np.int64)
