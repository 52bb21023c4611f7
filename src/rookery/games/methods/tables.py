"""The part of `Games` that makes Arrow tables and reads them."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Self

from rookery.arguments import flag
from rookery.board.moves import IllegalMoveError
from rookery.games.game_array import GameArray
from rookery.lazy_imports import Named, modules_later

if TYPE_CHECKING:
    from rookery.games.interchange import from_arrow as reading
    from rookery.games.interchange import to_arrow as writing
    from rookery.games.positions import check_moves
else:
    (check_moves,) = modules_later("rookery.games.positions", "check_moves")
    reading, writing = modules_later("rookery.games.interchange", "from_arrow to_arrow")


if TYPE_CHECKING:
    import pyarrow
else:
    pyarrow = Named("pyarrow")
    polars = Named("polars")
    pandas = Named("pandas")


class TableMethods(GameArray):
    """Arrow tables."""

    __slots__ = ()

    def to_arrow(self) -> "pyarrow.Table":
        r"""Return an Arrow table with a row for each game, without copying what need not be copied.

        Headers have the names and types of the Lichess dataset (``string``, ``int16``, ``date32``, ``time32[s]``).
        ``start`` is a FEN, null for the usual position. ``moves`` is a ``list<uint16>``; ``clocks`` and ``emts``
        (seconds) and ``evals`` (pawns) are ``list<float>`` of the same lengths. ``parse_error`` says what is wrong with
        a game, and ``warnings`` lists what was skipped in it. Missing values are null. Errors and warnings of games
        that were left out are in the metadata of the schema, 10,000 of each at most. pyarrow must be installed.

        >>> games = read_pgn(b'[White "Anna"]\n\n1. e4 {[%clk 0:03:00]} e5 1-0')
        >>> table = games.to_arrow()
        >>> table["White"].to_pylist()
        ['Anna']
        >>> table["clocks"].to_pylist()
        [[180.0, None]]
        >>> type(games).from_arrow(table) == games
        True
        """
        return writing.to_arrow(self.columns)

    def to_dict(self) -> dict[str, list[Any]]:
        r"""Return the columns of `to_arrow` as lists of Python values, None where a value is missing.

        pyarrow must be installed.

        >>> read_pgn(b'[White "Anna"]\n\n1. e4 {[%clk 0:03:00]} e5 1-0').to_dict()["clocks"]
        [[180.0, None]]
        """
        columns: dict[str, list[Any]] = self.to_arrow().to_pydict()
        return columns

    @classmethod
    def from_arrow(cls, table: Any, *, check: bool = True) -> Self:
        r"""Return the games of an Arrow table, or of any object with Arrow's C interface, like a Polars data frame.

        The table is one that `to_arrow` made, or any table with a column ``moves``; other columns may be missing. A
        column with another name is a header.

        A missing column is a ValueError, a column of a wrong type a TypeError. A move that is not legal, or an offset
        of a list or text that leads out of its array, is a ValueError unless `check` is false, for a trusted table.

        >>> games = read_pgn(b'[White "Anna"]\n\n1. e4 e5 *')
        >>> type(games).from_arrow(games.to_arrow())["White"].tolist()
        ['Anna']
        """
        check = flag("check", check)
        return cls._of_sound(list(reading.chunks_of(table, check)), check)

    @classmethod
    def _of_sound(cls, tables: Iterable[Any], check: bool) -> Self:
        """Return the games of tables whose offsets stay in their arrays; with `check`, their moves must be legal."""
        parts = [cls._of_columns(reading.from_arrow(part)) for part in tables]
        games = parts[0] if len(parts) == 1 else cls.concatenate(parts)
        bad = check_moves.illegal_move(games.columns) if check else None
        if bad is not None:
            game, ply = bad
            raise IllegalMoveError(
                f"moves[{game}], half-move {ply + 1}: {check_moves.illegal_words(games.columns, game, ply)}"
            )
        return games
