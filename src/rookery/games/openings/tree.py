"""A tree of openings: which moves games play in which positions, and how they end."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from rookery.aliases import BookWeights, OpeningRows
from rookery.arguments import check_path, choice, count, not_a_board, shown
from rookery.board.board import Board
from rookery.board.moves import Move
from rookery.frames.arrow import ArrowTable, new_writer
from rookery.frames.columns import Categorical, decoded
from rookery.games.game_array import GameArray
from rookery.games.headers.opening_names import opening_names
from rookery.games.openings import tables
from rookery.games.openings.facts import by_file, facts_of
from rookery.games.openings.game_statistics import Statistics, statistics
from rookery.games.openings.growth import (
    CHILD,
    EXAMPLE,
    MOVE,
    NEXT,
    NONE,
    PARENT,
)
from rookery.games.openings.limits import DEPTH
from rookery.games.openings.page import MOST_POSITIONS, page_of
from rookery.games.openings.position import Example, OpeningMove, OpeningPosition
from rookery.games.openings.storage import Storage
from rookery.games.positions.check_moves import illegal_move_error
from rookery.lazy_imports import Named, modules_later
from rookery.positions.operands import plain
from rookery.positions.positions import Positions
from rookery.sources import files

if TYPE_CHECKING:
    from rookery.games.openings import books
else:
    (books,) = modules_later("rookery.games.openings", "books")

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow
else:
    pandas, polars, pyarrow = Named("pandas"), Named("polars"), Named("pyarrow")

_MOST_PLIES: Final = 1 << 20
_EXAMPLES: Final = 3

Names = tuple[str | None, str | None]  # an ECO code and an opening

_SHOWN: Final = 12  # moves in a notebook


class OpeningTree(ArrowTable):
    r"""Positions that games reach, and the moves that they play there, with results, ratings and dates.

    Different orders of moves that lead to one position meet in it: positions are the same as for `Positions.unique`,
    and are compared by all their pieces and rights. Games are added batch by batch, with `add`, or come from
    `Games.opening_tree`. Memory is needed for each different position and move, some 230 bytes together, not for each
    game. Any number of threads may read a tree while none adds to it.

    `len` is the number of positions. An index is a position: a `Board` or a FEN.

    >>> tree = OpeningTree(depth=10)
    >>> tree.add(read_pgn(b"1. e4 e5 2. Nf3 Nc6 1-0\n\n1. Nf3 Nc6 2. e4 e5 0-1"))
    >>> tree
    <OpeningTree of 2 games: 8 positions, 8 moves>
    >>> tree.root.play("e4 e5 Nf3 Nc6").games
    2
    >>> tree["rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"].games
    1
    """

    __slots__ = (
        "_added",
        "_dropped",
        "_games",
        "_most_missed",
        "_name_numbers",
        "_names",
        "_openings",
        "_storage",
        "depth",
    )

    def __init__(self, depth: int = DEPTH, *, names: Any = None) -> None:
        """Make an empty tree of the first `depth` half-moves of each game.

        With `names`, as `rookery.read_pgn` takes them, a position has its name in the file, and games without the
        headers have that of their deepest position.
        """
        self._openings = opening_names(names)
        self.depth: int = count("depth", depth, 0, _MOST_PLIES)
        self._storage = Storage()
        self._names: list[Names] = [(None, None)]
        self._name_numbers: dict[tuple[bytes | None, bytes | None], int] = {(None, None): 0}  # in UTF-8
        self._games = self._most_missed = 0
        self._dropped = 0  # how many games a position that is not in the tree may have had
        self._added: list[tuple[int, str, Any]] = []  # for each run of a file: games before it, name, numbers

    # Growth.

    def add(self, games: GameArray, file: str | None = None) -> None:
        r"""Add games. `file` names their file for `OpeningPosition.examples`, by default as the games do.

        Headers that count are WhiteElo, BlackElo, UTCDate or Date, ECO and Opening. A bad game counts with the moves
        before its first fault. So does a game of a table with an illegal move that leaves two pieces on a square, or
        something else that no FEN can describe; then an IllegalMoveError is raised after all games are added.

        >>> tree = OpeningTree()
        >>> tree.add(read_pgn(b"1. e4 e5 *"), "first.pgn")
        >>> tree.root.examples
        [Example(file='first.pgn', number=1)]
        """
        if not isinstance(games, GameArray):
            raise TypeError(f"games: {shown(games)}: expected Games")
        if file is not None and not isinstance(file, str):
            raise TypeError(f"file: {shown(file)}: expected a text or None")
        if self._openings is not None:
            games = games.with_opening_names(self._openings)  # type: ignore[attr-defined]  # a method of `Games`
        columns = games.columns
        plies, starts = columns.plies, columns.starts
        facts = facts_of(games, self._name_numbers, self._number_of)
        moves, rows = plain(plies.columns["moves"]), starts.places + 1
        broken = self._storage.add_games(
            plies.offsets, moves, starts.all_positions, rows, facts, self._games, self.depth
        )
        if len(games):
            self._most_missed = self._dropped
            files = columns.files if file is None else Categorical.of(file, len(games))
            self._added += [(self._games + first, *part) for first, *part in by_file(files, columns.numbers)]
        self._games += len(games)
        if broken >= 0:
            raise illegal_move_error(columns, broken)

    def merge(self, other: "OpeningTree") -> None:
        r"""Add the games of another tree of the same depth.

        >>> one, other = OpeningTree(), OpeningTree()
        >>> one.add(read_pgn(b"1. e4 e5 *"))
        >>> other.add(read_pgn(b"1. d4 *"))
        >>> one.merge(other)
        >>> [move.san for move in one.root.moves]
        ['e4', 'd4']
        """
        if not isinstance(other, OpeningTree):
            raise TypeError(f"other: {shown(other)}: expected an OpeningTree")
        if other.depth != self.depth:
            raise ValueError(f"other: a tree of depth {other.depth}: expected depth {self.depth}")
        self._add_tree(other)

    def pruned(self, min_games: int = 1, *, max_positions: int | None = None) -> Self:
        r"""Return a tree with only the positions and moves of at least `min_games` games.

        If more than `max_positions` positions are left, those of the fewest games are dropped, too. To bound the memory
        of a tree that grows, replace it by a pruned one now and then. Moves that were dropped are then counted only
        from that time on; `most_missed` says how many of their games this may miss.

        >>> tree = read_pgn(b"1. e4 e5 *\n\n1. e4 c5 *\n\n1. d4 *").opening_tree()
        >>> tree.pruned(2)
        <OpeningTree of 3 games: 2 positions, 1 moves>
        >>> tree.pruned(max_positions=3)
        <OpeningTree of 3 games: 2 positions, 1 moves>
        """
        least = count("min_games", min_games, 1)
        positions, moves = self._position_statistics(slice(None)).games, self._move_statistics(slice(None)).games
        if max_positions is not None and len(self) > count("max_positions", max_positions, 0):
            least = max(least, int(np.partition(positions, -max_positions - 1)[-max_positions - 1]) + 1)
        tree = type(self)(self.depth, names=self._openings)
        tree._add_tree(self, np.flatnonzero(positions >= least), np.flatnonzero(moves >= least))
        is_whole = len(tree) == len(self) and tree.move_count == self.move_count
        tree._most_missed, tree._dropped = self._most_missed, self._dropped + (0 if is_whole else least - 1)
        return tree

    def _add_tree(
        self, other: "OpeningTree", positions: NDArray[np.int64] | None = None, moves: NDArray[np.int64] | None = None
    ) -> None:
        names = [self._number_of(name) for name in other._name_numbers]
        self._storage.add(other._storage, names, self._games, positions, moves)
        self._added += [(self._games + before, file, numbers) for before, file, numbers in other._added]
        self._games += other._games
        self._dropped += other._dropped
        self._most_missed = self._dropped

    def _number_of(self, name: tuple[bytes | None, bytes | None]) -> int:
        number = self._name_numbers.get(name)
        if number is None:
            code, opening = (None if text is None else decoded("ECO or Opening", text) for text in name)
            number = self._name_numbers[name] = len(self._names)
            self._names.append((code, opening))
        return number

    # Tables.

    def table(self, rows: OpeningRows = "moves") -> tables.OpeningTable:
        r"""Return a table with a row for each move or for each position; its columns are those of `to_arrow`.

        >>> read_pgn(b"1. e4 e5 1-0\n\n1. e4 c5 0-1").opening_tree().table()["games"].tolist()
        [2, 1, 1]
        """
        return tables.table_of(self, choice("rows", rows, {"moves": "moves", "positions": "positions"}))

    def to_arrow(self, rows: OpeningRows = "moves") -> "pyarrow.Table":
        r"""Return an Arrow table with a row for each move or for each position. pyarrow must be installed.

        A row of ``"moves"`` has the position (its number and ``fen``), the move (``uci``, ``san``), the number of the
        position ``after`` it, the statistics of `OpeningMove`, ``eco`` and ``opening`` of the position after it, and
        ``file`` and ``number`` of the first game that plays it. A row of ``"positions"`` has the same of a position.
        The table can be joined with itself: ``after`` of one row is ``position`` of others.

        >>> tree = read_pgn(b"1. e4 e5 1-0\n\n1. e4 c5 0-1").opening_tree()
        >>> table = tree.to_arrow()
        >>> table["san"].to_pylist()
        ['e4', 'e5', 'c5']
        >>> table["score"].to_pylist()
        [0.5, 0.0, 1.0]
        >>> tree.to_arrow("positions")["games"].to_pylist()
        [2, 2, 1, 1]
        """
        return self.table(rows).to_arrow()

    def to_polars(self, rows: OpeningRows = "moves") -> "polars.DataFrame":
        r"""Return a Polars data frame with the rows and columns of `to_arrow`. polars must be installed.

        >>> read_pgn(b"1. e4 e5 1-0").opening_tree().to_polars()["san"].to_list()
        ['e4', 'e5']
        """
        return self.table(rows).to_polars()

    def to_pandas(self, rows: OpeningRows = "moves") -> "pandas.DataFrame":
        r"""Return a pandas data frame with the rows and columns of `to_arrow`. pandas must be installed.

        >>> read_pgn(b"1. e4 e5 1-0").opening_tree().to_pandas()["san"].tolist()
        ['e4', 'e5']
        """
        return self.table(rows).to_pandas()

    def to_parquet(self, path: "str | os.PathLike[str]", rows: OpeningRows = "moves") -> None:
        r"""Write the table of `to_arrow` to a Parquet file, which replaces one at `path` when it is complete.

        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "openings.parquet"
        >>> read_pgn(b"1. e4 e5 1-0").opening_tree().to_parquet(path)
        >>> path.exists()
        True
        """
        check_path("path", path)
        table = self.to_arrow(rows)
        with files.replacing(path) as file, new_writer(file, table.schema, parquet=True) as writer:
            writer.write_table(table)

    def to_html(
        self, board: Board | str | None = None, *, title: str = "Openings", max_positions: int = MOST_POSITIONS
    ) -> str:
        r"""Return one HTML page to browse the tree from a position on, by default the usual start position.

        The page needs neither a server nor the network. If the tree has more than `max_positions` positions, those of
        the fewest games are left out.

        >>> page = read_pgn(b"1. e4 e5 1-0").opening_tree().to_html()
        >>> page[:15]
        '<!DOCTYPE html>'
        """
        return page_of(self, board, title, max_positions)

    def to_book(self, *, weights: BookWeights = "games", min_games: int = 1) -> "books.Book":
        r"""Return an opening book in Polyglot's format: the moves of the tree that at least `min_games` games play.

        The weight of a move is the number of its games, or with ``weights="points"`` two for each game that the player
        to move won and one for each draw, as Polyglot counts: moves without a point are left out. Where a weight of a
        position exceeds 65,535, all its weights are scaled, to 1 at least.

        >>> tree = read_pgn(b"1. e4 e5 1-0\n\n1. e4 c5 1/2-1/2\n\n1. d4 d5 0-1").opening_tree()
        >>> [(entry.move.uci(), entry.weight) for entry in tree.to_book().find_all(Board())]
        [('e2e4', 2), ('d2d4', 1)]
        >>> [(entry.move.uci(), entry.weight) for entry in tree.to_book(weights="points").find_all(Board())]
        [('e2e4', 3)]
        """
        return books.book_of(self, weights, min_games)

    # Positions.

    @property
    def games(self) -> int:
        """Return the number of games added."""
        return self._games

    @property
    def most_missed(self) -> int:
        r"""Return the most games by which a count may be too low, because the tree was pruned while it grew; or 0.

        >>> tree = read_pgn(b"1. e4 *\n\n1. e4 *\n\n1. d4 *").opening_tree().pruned(2)
        >>> tree.most_missed
        0
        >>> tree.add(read_pgn(b"1. d4 *"))
        >>> tree.root["d4"].games
        1
        >>> tree.most_missed
        1
        """
        return self._most_missed

    @property
    def move_count(self) -> int:
        """Return the number of moves: pairs of a position and a move that was played in it."""
        return self._storage.move_count

    @property
    def root(self) -> OpeningPosition:
        """Return the usual start position; a KeyError if no game begins there."""
        return self[Board()]

    def __len__(self) -> int:
        return self._storage.position_count

    def __getitem__(self, board: Board | str) -> OpeningPosition:
        """Return a position of the tree by its `Board` or FEN; a KeyError if no game reaches it."""
        row = self._row_of(board)
        if row < 0:
            fen = board.fen() if isinstance(board, Board) else board
            raise KeyError(f"board {shown(fen)}: no game reaches it within {self.depth} half-moves")
        return OpeningPosition(self, row)

    def __contains__(self, board: Board | str) -> bool:
        return self._row_of(board) >= 0

    def __iter__(self) -> Iterator[OpeningPosition]:
        return (OpeningPosition(self, row) for row in range(len(self)))

    def _repr_html_(self) -> str:
        """Return the usual start position and its moves, for notebooks."""
        from rookery.frames.html_tables import table_html

        root = OpeningPosition(self, row) if (row := self._row_of(Board())) >= 0 else None
        moves = root.moves[:_SHOWN] if root else []
        rows = [
            (m.san, [m.games, m.white_wins, m.draws, m.black_wins, "" if m.score is None else f"{100 * m.score:.1f} %"])
            for m in moves
        ]
        more = f"; {len(root.moves) - _SHOWN} more moves" if root and len(root.moves) > _SHOWN else ""
        table = table_html(["move", "games", "white", "draws", "black", "score"], rows, f"{repr(self)[1:-1]}{more}")
        picture = f"<div>{root.board.svg(size=240)}</div>" if root else ""
        return f'<div style="display: flex; flex-wrap: wrap; gap: 1em">{picture}{table}</div>'

    def __repr__(self) -> str:
        return f"<OpeningTree of {self._games} games: {len(self)} positions, {self.move_count} moves>"

    def _row_of(self, board: Any) -> int:
        if isinstance(board, str):
            board = Board(board)
        if not isinstance(board, Board):
            raise not_a_board("board", board, "a rookery.Board or a FEN")
        return self._storage.find(Positions.from_boards([board]))

    # What positions and moves show.

    def _position_statistics(self, rows: Any) -> Statistics:
        used = self._storage.used_positions
        return statistics(used.tallies[rows], used.ratings[rows], used.words[rows, 9] == 0)

    def _move_statistics(self, rows: Any) -> Statistics:
        used = self._storage.used_moves
        turn = self._storage.positions.words[used.links[rows, PARENT], 9] == 0
        return statistics(used.tallies[rows], used.ratings[rows], turn)

    def _moves_of(self, row: int) -> list[OpeningMove]:
        rows = np.array(self._move_rows(row), np.int64)
        order = np.argsort(-self._move_statistics(rows).games, kind="stable")
        return [OpeningMove(self, int(row)) for row in rows[order]]

    def _move_rows(self, row: int) -> list[int]:
        """Return the numbers of the moves of a position, in the order in which they were added."""
        links, found = self._storage.moves.links, []
        move = int(self._storage.positions.first[row])
        while move != NONE:
            found.append(move)
            move = int(links[move, NEXT])
        return found

    def _move_at(self, row: int) -> Move:
        link = self._storage.moves.links[row]
        return Move.from_word(int(link[MOVE]), chess960=bool(self._storage.positions.chess960[link[PARENT]]))

    def _end_of(self, row: int, before: bool) -> OpeningPosition:
        return OpeningPosition(self, int(self._storage.moves.links[row, PARENT if before else CHILD]))

    def _name_of(self, row: int) -> Names:
        return self._names[int(self._best_names(np.array([row]))[0])]

    def _best_names(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the number of the name that most games of each position give, the first in order of several."""
        first = self._storage.used_positions.names[rows]
        nodes, others, other_counts = self._storage.other_names()
        rank = np.full(len(self), -1, np.int64)
        rank[rows] = np.arange(rows.size)
        kept = rank[nodes] >= 0
        places = np.concatenate([np.arange(rows.size), rank[nodes[kept]]])
        names = np.concatenate([first[:, 0], others[kept]]).astype(np.int64)
        counts = np.concatenate([first[:, 1], other_counts[kept]]).astype(np.int64)
        by_text = np.empty(len(self._names), np.int64)
        by_text[sorted(range(len(self._names)), key=lambda i: _sort_key(self._names[i]))] = np.arange(len(self._names))
        order = np.lexsort((by_text[names], -counts, places))
        begins = np.searchsorted(places[order], np.arange(rows.size))
        best: NDArray[np.int64] = names[order[begins]]
        if self._openings is not None:
            named = self._openings.rows_of_keys(self._storage.boards(rows).keys())
            for i in np.flatnonzero(named >= 0).tolist():
                eco, opening = self._openings.name_at(int(named[i]))
                best[i] = self._number_of((eco.encode(), opening.encode()))
        return best

    def _examples_of(self, row: int) -> list[Example]:
        games = {int(self._storage.positions.tallies[row, EXAMPLE])}
        games.update(int(self._storage.moves.tallies[move, EXAMPLE]) for move in self._move_rows(row))
        return [self._example(game) for game in sorted(games)[:_EXAMPLES]]

    def _first_game(self, move: int) -> Example:
        return self._example(int(self._storage.moves.tallies[move, EXAMPLE]))

    def _example(self, game: int) -> Example:
        begins = [before for before, _, _ in self._added]
        before, file, numbers = self._added[int(np.searchsorted(begins, game - 1, "right")) - 1]
        return Example(file, int(numbers[game - 1 - before]))


def _sort_key(name: Names) -> tuple[str, str]:
    return name[0] or "", name[1] or ""
