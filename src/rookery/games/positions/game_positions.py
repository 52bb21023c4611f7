"""Positions of games, with their game and ply."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

import numpy as np
from numpy.typing import NDArray

from rookery.aliases import Side
from rookery.bitboards.squares import check_square, parse_square
from rookery.games.headers.named_columns import ColumnsOfGames
from rookery.games.positions.replay import Tracked, tracked
from rookery.games.positions.scores import NO_SCORE, scores_of
from rookery.lazy_imports import Named
from rookery.positions.layout import Columns
from rookery.positions.moves import Moves
from rookery.positions.operands import plain, side_name
from rookery.positions.positions import Positions

if TYPE_CHECKING:
    from rookery.games import game_array
else:
    game_array = Named("rookery.games.game_array")

_WHITE_POINTS: Final = np.array([np.nan, 1, 0, 0.5])  # by score: not over, white won, black won, drawn


class GamePositions(Positions):
    r"""`Positions` of games, with two more columns, and what the games say about each position.

    game    int64, the index of the game
    ply     int32, the number of half-moves before the position

    Slices and masks keep these columns. Methods that make other positions drop them.

    >>> games = read_pgn(b"1. e4 e5 *\n\n1. d4 *")
    >>> positions = games.positions()
    >>> positions.game
    array([0, 0, 1])
    >>> positions.ply
    array([0, 1, 0], dtype=int32)
    >>> positions.legal_move_counts()
    array([20, 20, 20], dtype=uint16)
    """

    __slots__ = ("_games", "game", "ply")
    _COLUMNS: ClassVar[tuple[str, ...]] = ("columns", "game", "ply")
    _SHARED = ("_games",)
    game: NDArray[np.int64]
    ply: NDArray[np.int32]
    _games: "tuple[int, game_array.GameArray]"  # the index of the first game that is kept, and these games

    @classmethod
    def of(
        cls,
        columns: Columns,
        game: NDArray[np.int64],
        ply: NDArray[np.int32],
        first_game: int,
        games: "game_array.GameArray",
    ) -> Self:
        """Return positions made of their nine columns, the indices of their games, and their plies.

        `games` are those from index `first_game` on to which the positions belong.
        """
        positions = cls(columns)
        positions.game, positions.ply, positions._games = game, ply, (first_game, games)
        return positions

    @classmethod
    def from_arrow(cls, table: Any, *, check: bool = True) -> Positions:  # type: ignore[override]
        """Return the positions in an Arrow table, without their games: see `Positions.from_arrow`.

        >>> positions = read_pgn(b"1. e4 *").positions()
        >>> type(positions).from_arrow(positions.to_arrow()) == positions
        True
        """
        return Positions.from_arrow(table, check=check)

    def _knows_games(self) -> bool:
        return self._is_set("_games")

    def _others(self, columns: Columns) -> Positions:  # type: ignore[override]  # positions that know no games
        return Positions(columns)

    def _one_each(self, moves: Moves) -> NDArray[np.uint16]:
        """Return the move that was played in each position; `moves` are those of all games."""
        if not hasattr(self, "game"):
            return super()._one_each(moves)
        if self.game.size and self.game.max() >= len(moves):
            raise ValueError(
                f"moves: of {len(moves)} games: expected those of all games, {self.game.max() + 1} at least"
            )
        over = np.flatnonzero(self.ply >= np.diff(moves.offsets)[self.game])
        if over.size:
            i = int(over[0])
            raise ValueError(f"moves: position {i} comes after the last move of game {self.game[i]}: expected a move")
        played: NDArray[np.uint16] = moves.moves[moves.offsets[self.game] + self.ply]
        return played

    def played_moves(self) -> NDArray[np.uint16]:
        r"""Return the move that was played in each position, as `Move` encodes it: uint16, (n,).

        It is 0 where no move was played: after the last move of a game, and for a null move.

        >>> positions = read_pgn(b"1. e4 d5 2. exd5 *").positions("all")
        >>> positions.uci(positions.played_moves()).tolist()
        ['e2e4', 'd7d5', 'e4d5', '0000']
        >>> positions.moving_pieces(positions.played_moves()).tolist()
        [1, 1, 1, 0]
        >>> positions.captured_pieces(positions.played_moves()).tolist()
        [0, 0, 1, 0]
        """
        game, games = self._with_games()
        moves = games.moves
        words = np.zeros(len(self), np.uint16)
        followed = np.flatnonzero(self.ply < np.diff(moves.offsets)[game])
        words[followed] = moves.moves[moves.offsets[game[followed]] + self.ply[followed]]
        return words

    # What the games say.

    @property
    def file(self) -> NDArray[np.object_]:
        """Return the name of each position's file, empty if it has none: an array of str.

        >>> read_pgn(b"1. e4 *").positions().file.tolist()
        ['']
        """
        game, games = self._with_games()
        return games.columns.files.chosen(game).to_numpy()

    @property
    def number(self) -> NDArray[np.int64]:
        r"""Return the number of each position's game in its file, from 1.

        >>> read_pgn(b"1. e4 e5 *\n\n1. d4 *").positions().number.tolist()
        [1, 1, 2]
        """
        game, games = self._with_games()
        return games.numbers[game]

    def _arrow_columns(self) -> dict[str, Any]:
        """Return the columns of a table: where each position is from, and then those of `Positions`."""
        if not self._knows_games():
            return super()._arrow_columns()
        game, games = self._with_games()
        identity = {"file": games.columns.files.chosen(game), "number": games.numbers[game], "ply": self.ply}
        return identity | super()._arrow_columns()

    def _with_games(self) -> "tuple[NDArray[np.int64], game_array.GameArray]":
        """Return the games, no more than needed, and the index among them of each position's game."""
        if not hasattr(self, "_games"):
            raise ValueError("these positions do not know their games: expected those that Games.positions returned")
        first, games = self._games
        if not self.game.size:
            return self.game, games[:0]
        low, high = int(self.game.min()), int(self.game.max())
        return self.game - low, games[low - first : high + 1 - first]

    def header(self, name: str) -> NDArray[Any]:
        r"""Return a header of each position's game, as `Games.column` does; (n,).

        >>> read_pgn(b'[White "Anna"]\n\n1. e4 e5 *').positions().header("White").tolist()
        ['Anna', 'Anna']
        """
        game, games = self._with_games()
        return games.column(name)[game]

    def _games_as_columns(self) -> tuple[ColumnsOfGames, int, NDArray[np.int64]]:
        """Return the columns of the positions' games, their number, and the index of each position's game."""
        game, games = self._with_games()
        return ColumnsOfGames(games.columns, self._games[1].columns), len(games), game

    def result(self, side: Side = "white") -> NDArray[np.float32]:
        r"""Return the points that a side scored in each position's game: 1, 0.5 or 0; float32, (n,).

        They are NaN for a game without a result.

        >>> positions = read_pgn(b"1. e4 e5 1-0\n\n1. d4 *").positions()
        >>> positions.result().tolist()
        [1.0, 1.0, nan]
        >>> positions.result("us").tolist()
        [1.0, 0.0, nan]
        """
        game, games = self._with_games()
        points = _WHITE_POINTS[games.scores[game]]
        return np.where(self._is_white(side), points, 1 - points).astype(np.float32)

    def clock(self, side: Side = "us") -> NDArray[np.float32]:
        r"""Return the seconds on a side's clock in each position: float32, (n,).

        It is the time left after the side's last move, or NaN where the game does not state it.

        >>> positions = read_pgn(b"1. e4 {[%clk 0:03:00]} e5 {[%clk 0:02:58]} *").positions("all")
        >>> positions.clock("white").tolist()
        [nan, 180.0, 180.0]
        >>> positions.clock("us").tolist()
        [nan, nan, 180.0]
        """
        moved_last = self._is_white(side) != self.turn
        return self._stated("clocks", np.where(moved_last, 1, 2))

    def emt(self, side: Side = "us") -> NDArray[np.float32]:
        r"""Return the seconds that a side's last move took, in each position: float32, (n,).

        They are those of ``[%emt 0:00:07]``, or the time that a program of engine matches wrote, and NaN where the game
        states none.

        >>> positions = read_pgn(b"1. e4 {+0.35/12 0.5s} e5 {-0.21/11 0.25s} *").positions("all")
        >>> positions.emt("white").tolist()
        [nan, 0.5, 0.5]
        >>> positions.emt("them").tolist()
        [nan, 0.5, 0.25]
        """
        moved_last = self._is_white(side) != self.turn
        return self._stated("emts", np.where(moved_last, 1, 2))

    def eval(self, side: Side = "white") -> NDArray[np.float32]:
        r"""Return the evaluation of each position in pawns, from a side's view: float32, (n,).

        The PGN states it after the move that led to the position; it is NaN where the PGN states none. A mate in n is
        1000 - n for the side that mates, and n - 1000 for the other.

        >>> positions = read_pgn(b"1. e4 {[%eval 0.25]} e5 {[%eval 0.5]} *").positions("all")
        >>> positions.eval().tolist()
        [nan, 0.25, 0.5]
        >>> positions.eval("us").tolist()
        [nan, -0.25, 0.5]
        """
        return self._evaluation(side, 1)

    def eval_before(self, side: Side = "white") -> NDArray[np.float32]:
        r"""Return the evaluation of the position one half-move earlier, as `eval` does: float32, (n,).

        >>> positions = read_pgn(b"1. e4 {[%eval 0.25]} e5 {[%eval 0.5]} *").positions("last")
        >>> (positions.eval() - positions.eval_before()).tolist()
        [0.25]
        """
        return self._evaluation(side, 2)

    def score(self, side: Side = "us") -> NDArray[np.float32]:
        r"""Return the evaluation of each position as a score in centipawns, as training data has it: float32, (n,).

        It is NaN where the PGN states none. A mate in n plies is 32000 - n for the side that mates, and n - 32000 for
        the other.

        >>> read_pgn(b"1. e4 {[%eval 0.25]} e5 {[%eval #3]} *").positions("all").score().tolist()
        [nan, -25.0, 31995.0]
        """
        turn = self.turn
        scores = scores_of(self.eval(), turn)
        own = np.where(scores == NO_SCORE, np.float32(np.nan), scores.astype(np.float32))
        return np.where(self._is_white(side) == turn, own, -own)

    def elo(self, side: Side = "us") -> "np.ma.MaskedArray[tuple[Any, ...], np.dtype[np.int16]]":
        r"""Return the rating of a side's player, from the headers WhiteElo and BlackElo: masked int16, (n,).

        >>> positions = read_pgn(b'[WhiteElo "2100"]\n[BlackElo "?"]\n\n1. e4 e5 *').positions()
        >>> positions.elo().tolist()
        [2100, None]
        """
        white, black = self.header("WhiteElo"), self.header("BlackElo")
        rating = np.where(self._is_white(side), white.data, black.data)
        missing = np.where(self._is_white(side), np.ma.getmaskarray(white), np.ma.getmaskarray(black))
        return np.ma.MaskedArray(rating, missing)

    def plies_of_game(self) -> NDArray[np.int64]:
        r"""Return the number of half-moves of each position's game: int64, (n,).

        >>> read_pgn(b"1. e4 e5 *").positions().plies_of_game().tolist()
        [2, 2]
        """
        game, games = self._with_games()
        return games.plies[game]

    def tracked(self, square: int | str) -> Tracked:
        r"""Follow the piece that began each position's game on a square.

        The result has ``boards`` (uint64, (n,)), the square on which the piece stands, or none once it is captured or
        if the game began without it; ``moves`` (int32, (n,)), the number of moves it has made; and ``captured`` (bool,
        (n,)). A pawn that is promoted remains the same piece.

        >>> from rookery.bitboards.bitboard import Bitboard
        >>> positions = read_pgn(b"1. e4 d5 2. exd5 Qxd5 *").positions("all")
        >>> [Bitboard(board).names() for board in positions.tracked("e2").boards]
        [['e2'], ['e4'], ['e4'], ['d5'], []]
        >>> positions.tracked("e2").captured.tolist()
        [False, False, False, False, True]
        """
        number = parse_square(square) if isinstance(square, str) else check_square(square)
        game, games = self._with_games()
        columns = games.columns
        starts, rows = columns.starts.all_positions, columns.starts.places + 1
        offsets, moves = columns.plies.offsets, columns.plies.columns["moves"]
        return tracked(number, plain(game), plain(self.ply), plain(offsets), plain(moves), starts, rows)

    def _is_white(self, side: Any) -> NDArray[np.bool_]:
        """Return True where a side is white."""
        match side_name(side):
            case "white":
                return np.ones(len(self), np.bool_)
            case "black":
                return np.zeros(len(self), np.bool_)
            case "us":
                return self.turn
        return ~self.turn

    def _evaluation(self, side: Any, back: int) -> NDArray[np.float32]:
        pawns = self._stated("evals", back)
        return np.where(self._is_white(side), pawns, -pawns)

    def _stated(self, name: str, back: int | NDArray[Any]) -> NDArray[np.float32]:
        """Return a value of the half-move that was made `back` half-moves ago, or NaN."""
        game, games = self._with_games()
        plies = games.columns.plies
        out = np.full(len(self), np.nan, np.float32)
        if name in plies.columns:
            ply = self.ply - back
            stated = np.flatnonzero(ply >= 0)
            out[stated] = plies.columns[name][plies.offsets[game[stated]] + ply[stated]]
        return out

    @classmethod
    def _joined(cls, parts: Sequence[Any]) -> Self:
        first, games = parts[0]._games
        if any(part._games[0] != first or part._games[1] is not games for part in parts):
            raise ValueError(
                "parts: positions of several arrays of games: expected those of one; Positions.concatenate keeps the "
                "boards alone"
            )
        return super()._joined(parts)

    def _state(self) -> dict[str, Any]:
        """Return what a pickle keeps: of the games only those that the positions need."""
        state = super()._state()
        if "_games" in state:
            _, games = self._with_games()
            state["_games"] = int(self.game.min()) if self.game.size else 0, games
        return state
