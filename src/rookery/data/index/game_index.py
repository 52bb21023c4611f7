"""`open_index`: positions are looked up in an index of games, in milliseconds."""

import bisect
import os
import warnings
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import check_path, count, not_a_board
from rookery.board.board import Board
from rookery.data.index import catalogue as catalogues
from rookery.data.index.aggregates import LEAST, Aggregates, added, aggregates_of, stored_aggregates
from rookery.data.index.answers import IndexedPosition, IndexHits
from rookery.data.index.catalogue import Catalogue, Part, games_file
from rookery.data.index.facts import Facts
from rookery.data.index.rows import ROW, KeyedFile, keys_of, rows_of_hits, slice_of
from rookery.frames.arrow_files import joined_tables, open_parquet, read_group, rows_taken
from rookery.frames.selection import rows_of
from rookery.games.games import Games
from rookery.games.openings.growth import EXAMPLE
from rookery.games.openings.position import Example
from rookery.sources.failures import ChangedFileWarning

_HITS: Final = 1_000
_MOST_HITS: Final = 1 << 62
_OPEN: Final = 256  # files at most, with the keys of their row groups


class GameIndex:
    r"""An index of the positions of games, which `rookery.index_games` makes.

    `len` is the number of positions: of each game, those before each half-move and the last.

    >>> import tempfile, rookery
    >>> index = rookery.index_games("docs/lichess-2025-05.pgn.zst", tempfile.mkdtemp())
    >>> index
    <GameIndex of 12 games: 645 positions, 1 part>
    >>> [(move.san, move.games) for move in index.at(Board()).moves]
    [('e4', 8), ('d4', 3), ('c4', 1)]
    """

    def __init__(self, folder: Path, catalogue: Catalogue) -> None:
        self.folder = folder
        self._catalogue = catalogue
        self._opened: dict[str, Any] = {}

    @property
    def games(self) -> int:
        """Return the number of games."""
        return self._catalogue.games

    @property
    def bad(self) -> int:
        """Return the number of bad games, which count with the moves before their first fault."""
        return self._catalogue.bad

    @property
    def failures(self) -> tuple[str, ...]:
        """Return messages about files that could not be read to their ends."""
        return tuple(self._catalogue.failures)

    @property
    def parts(self) -> int:
        """Return the number of parts: sets of games that were indexed together, or merged."""
        return len(self._catalogue.parts)

    @property
    def tables(self) -> list[Path]:
        """Return the paths of the tables of games, in the order of the games."""
        return [self._checked(games_file(first)) for first in self._catalogue.tables]

    @property
    def nbytes(self) -> int:
        """Return the bytes of all files but the tables of games."""
        return sum(size for name, size in self._catalogue.sizes.items() if not name.startswith("games-"))

    def changes(self) -> list[str]:
        """Return a message for each file of games that has changed, or is missing, since it was indexed.

        >>> import tempfile, rookery
        >>> index = rookery.index_games("docs/lichess-2025-05.pgn.zst", tempfile.mkdtemp())
        >>> index.changes()
        []
        """
        return self._catalogue.changes()

    def at(self, board: Board | str, *, limit: int = _HITS) -> IndexedPosition:
        r"""Return a position by its `Board` or FEN, with its first `limit` hits; a KeyError if no game reaches it.

        Positions are compared by their keys, `Board.key`: pieces, side to move, castling rights, and en passant where a
        capture is legal. Two of 100 million different positions have the same key with a probability of 0.03 %; the
        games of both then count.

        >>> import tempfile, rookery
        >>> index = rookery.index_games("docs/lichess-2025-05.pgn.zst", tempfile.mkdtemp())
        >>> position = index.at("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
        >>> position.games
        8
        >>> position.hits.game.tolist()
        [0, 1, 3, 5, 6, 7, 9, 10]
        """
        given = board
        board = Board(board) if isinstance(board, str) else board
        if not isinstance(board, Board):
            raise not_a_board("board", given, "a rookery.Board or a FEN")
        left = count("limit", limit, 0, _MOST_HITS)
        key = board.key
        counted: list[Aggregates] = []
        hits = [np.empty(0, ROW)]
        for part in self._catalogue.parts:
            found = self._found(part, key, left)
            if found is not None:
                hits.append(found[0][:left])
                counted.append(found[1])
                left -= hits[-1].size
        if not counted:
            raise KeyError(f"board '{board.fen()}': no game reaches it")
        return IndexedPosition(self, board.copy(), added(counted), IndexHits.of_rows(np.concatenate(hits)))

    def __contains__(self, board: Board | str) -> bool:
        try:
            self.at(board, limit=0)
        except KeyError:
            return False
        return True

    def _found(self, part: Part, key: int, limit: int) -> tuple[NDArray[Any], Aggregates] | None:
        """Return the first hits of a position in a part, and its counts; None if it has no hits."""
        i = bisect.bisect_right(part.first, slice_of(key)) - 1
        file = self._keyed(part.file("hits", i))
        found: list[NDArray[Any]] = [np.empty(0, ROW)]
        size = 0
        for group in file.groups(key, key):
            table = file.read(group)
            keys = keys_of(table)
            a, b = (int(np.searchsorted(keys, np.uint64(key), side)) for side in ("left", "right"))
            found.append(rows_of_hits(table.slice(a, b - a)))
            size += b - a
            # Enough hits were read to tell whether the counts are stored, and these say how many there are.
            if size >= max(limit, LEAST):
                break
        rows = np.concatenate(found)
        if size < LEAST:
            return (rows, self._counted(part, rows)) if rows.size else None
        return rows, stored_aggregates(self._keyed(part.file("moves", i)), key)

    def _counted(self, part: Part, rows: NDArray[Any]) -> Aggregates:
        """Return the counts of a position of few hits."""
        games, of = np.unique(rows["game"], return_inverse=True)
        if part.facts not in self._opened:
            self._opened[part.facts] = Facts(self._checked(part.facts))
        facts = self._opened[part.facts].of(games - np.uint32(part.first_game))
        first, stop = np.zeros(1, np.int64), np.array([rows.size], np.int64)
        counted, _ = aggregates_of(of.astype(np.uint32), rows["move"], first, stop, facts)
        counted.tallies[:, EXAMPLE] = games[counted.tallies[:, EXAMPLE] - np.uint32(1)] + np.uint32(1)
        return counted

    def _keyed(self, name: str) -> KeyedFile:
        file: KeyedFile | None = self._opened.get(name)
        if file is None:
            if len(self._opened) >= _OPEN:
                self._opened.clear()
            file = self._opened[name] = KeyedFile(self._checked(name))
        return file

    def _checked(self, name: str) -> Path:
        """Return the path of a file whose tail is as the catalogue has it."""
        catalogues.check_tails(self.folder, self._catalogue, [name])
        return self.folder / name

    # Games.

    def read_games(self, games: Any) -> Games:
        r"""Return games by their numbers in the index, such as those of hits, in the order of these numbers.

        >>> import tempfile, rookery
        >>> index = rookery.index_games("docs/lichess-2025-05.pgn.zst", tempfile.mkdtemp())
        >>> index.read_games([3])["White"].tolist() == index.read_games([3, 0])["White"].tolist()[:1]
        True
        """
        numbers = rows_of("games", games, self.games, "games", "numbers of games")
        return Games.from_arrow(self._rows(numbers, None))

    def examples(self, games: Any) -> list[Example]:
        """Return the file of each game and its number there, by the numbers of games in the index.

        >>> import tempfile, rookery
        >>> index = rookery.index_games("docs/lichess-2025-05.pgn.zst", tempfile.mkdtemp())
        >>> index.examples([0])
        [Example(file='docs/lichess-2025-05.pgn.zst', number=1)]
        """
        numbers = rows_of("games", games, self.games, "games", "numbers of games")
        table = self._rows(numbers, ["file", "number"])
        return [Example(*one) for one in zip(table["file"].to_pylist(), table["number"].to_pylist(), strict=True)]

    def _rows(self, games: NDArray[np.int64], names: list[str] | None) -> Any:
        """Return rows of the tables of games."""
        tables = self._catalogue.tables
        order = np.argsort(games, kind="stable")
        wanted = games[order]
        found: list[Any] = []
        begin = 0
        while begin < wanted.size:
            i = bisect.bisect_right(tables, int(wanted[begin])) - 1
            name = games_file(tables[i])
            if name not in self._opened:
                self._opened[name] = open_parquet(self._checked(name))
            file, at = self._opened[name], tables[i]
            for group in range(file.metadata.num_row_groups):
                stop = at + file.metadata.row_group(group).num_rows
                end = int(np.searchsorted(wanted, stop))
                if end > begin:
                    table = read_group(file, self.folder / name, group, names)
                    found.append(rows_taken(table, wanted[begin:end] - at))
                    begin = end
                at = stop
        if not found:
            empty: Any = Games.concatenate([]).to_arrow()
            return empty if names is None else empty.select(names)
        back = np.empty(order.size, np.int64)
        back[order] = np.arange(order.size)
        return rows_taken(joined_tables(found), back)

    def __len__(self) -> int:
        return sum(part.plies for part in self._catalogue.parts)

    def __reduce__(self) -> Any:
        return open_index, (str(self.folder),)

    def __repr__(self) -> str:
        parts = f"{self.parts} part{'' if self.parts == 1 else 's'}"
        return f"<GameIndex of {self.games:,} games: {len(self):,} positions, {parts}>"


def open_index(folder: str | os.PathLike[str]) -> GameIndex:
    r"""Open an index that `rookery.index_games` or ``rookery index`` has made.

    A folder without an index is a FileNotFoundError, a damaged index a ValueError. If games have changed since they
    were indexed, a `ChangedFileWarning` says so: the index answers with the games that it has.

    >>> import tempfile, rookery
    >>> folder = tempfile.mkdtemp()
    >>> _ = rookery.index_games("docs/lichess-2025-05.pgn.zst", folder)
    >>> rookery.open_index(folder).at(Board()).games
    12
    """
    check_path("folder", folder)
    found = catalogues.load(folder)
    if found is None:
        raise FileNotFoundError(f"folder: {os.fspath(folder)}: there is no index: expected one that rookery index made")
    catalogues.check_sizes(Path(folder), found)
    for message in found.changes():
        warnings.warn(ChangedFileWarning(message), stacklevel=2)
    return GameIndex(Path(folder).absolute(), found)
