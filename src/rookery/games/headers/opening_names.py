r"""Names of openings by position, from a file in the format of Lichess' chess-openings.

A line has an ECO code, a name and a line of moves with tabs between; the first line names the columns: ``eco``,
``name``, and ``pgn``, ``uci`` or ``epd``, of which one is enough. A game has the name of its deepest position that is
in the file, by whatever order of moves it came about.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import not_a_board, shown
from rookery.board.board import Board
from rookery.frames.columns import Texts
from rookery.games.game_columns import GameColumns
from rookery.games.headers.header_types import Header
from rookery.kernel import entry_of
from rookery.positions.operands import plain
from rookery.rules.constants import default_tables
from rookery.sources.streams import expanded, text_of

ECO, OPENING = NAMED = ("ECO", "Opening")
_MOVES: Final = ("epd", "uci", "pgn")  # the columns that say a position, the cheapest first
_UNKNOWN: Final = ("", "?")  # values of headers

_deepest: Final = entry_of("rookery.games.kernels.naming", "deepest")


class OpeningName(NamedTuple):
    """The name of an opening: its ECO code and its name."""

    eco: str
    name: str


class OpeningNames:
    r"""The names of openings by position, which `read_opening_names` reads. `len` is the number of positions.

    >>> names = read_opening_names(b"eco\tname\tpgn\nC60\tRuy Lopez\t1. e4 e5 2. Nf3 Nc6 3. Bb5\n")
    >>> names
    <names of 1 position>
    >>> board = Board()
    >>> for san in "Nf3 Nc6 e4 e5 Bb5".split():
    ...     _ = board.push_san(san)
    >>> names.find(board)
    OpeningName(eco='C60', name='Ruy Lopez')
    """

    __slots__ = ("_digest", "_fewest", "_files", "_keys", "_names", "_slots", "_texts")

    def __init__(
        self, keys: Iterable[int], names: Iterable[OpeningName], fewest: int, files: Iterable[str] = ()
    ) -> None:
        """Take the keys of positions and their names. No position has less than `fewest` pieces."""
        self._files = tuple(files)
        self._keys = np.array(list(keys), np.uint64)
        self._names, self._fewest = list(names), fewest
        self._slots = np.full(2 << self._keys.size.bit_length(), -1, np.int32)
        last = self._slots.size - 1
        for row, key in enumerate(self._keys.tolist()):
            slot = key & last
            while self._slots[slot] >= 0:
                slot = (slot + 1) & last
            self._slots[slot] = row
        columns = zip(*self._names, strict=True) if self._names else ((), ())
        self._texts = tuple(Texts.of([*column, None]) for column in columns)
        import hashlib  # takes 2 ms, and few readers name openings

        content = repr((self._keys.tolist(), self._names, fewest)).encode()
        self._digest = hashlib.blake2b(content, digest_size=16).hexdigest()

    @property
    def digest(self) -> str:
        r"""Return a digest of the names, by which work that goes on recognises them.

        >>> len(read_opening_names(b"eco\tname\tpgn\nB00\tKing's Pawn Game\t1. e4\n").digest)
        32
        """
        return self._digest

    @property
    def files(self) -> tuple[str, ...]:
        r"""Return the paths of the files that have the names; what was read from bytes has none.

        >>> read_opening_names(b"eco\tname\tpgn\nB00\tKing's Pawn Game\t1. e4\n").files
        ()
        """
        return self._files

    def find(self, board: Board | str) -> OpeningName | None:
        r"""Return the name of a position, a `Board` or a FEN, or None if the file does not have it.

        >>> names = read_opening_names(b"eco\tname\tpgn\nB00\tKing's Pawn Game\t1. e4\n")
        >>> names.find("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
        OpeningName(eco='B00', name="King's Pawn Game")
        """
        board = Board(board) if isinstance(board, str) else board
        if not isinstance(board, Board):
            raise not_a_board("board", board, "a rookery.Board or a FEN")
        row = int(self.rows_of_keys(np.array([board.key], np.uint64))[0])
        return None if row < 0 else self._names[row]

    def rows_of_keys(self, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        r"""Return the row of the name of each position, given by its key, or -1: int64, (n,).

        >>> names = read_opening_names(b"eco\tname\tpgn\nB00\tKing's Pawn Game\t1. e4\n")
        >>> names.rows_of_keys(read_pgn(b"1. e4 *").positions("all").keys()).tolist()
        [-1, 0]
        """
        order = np.argsort(self._keys)
        if not order.size:
            return np.full(keys.size, -1, np.int64)
        places = np.minimum(np.searchsorted(self._keys[order], keys), order.size - 1)
        rows: NDArray[np.int64] = np.where(self._keys[order][places] == keys, order[places], -1)
        return rows

    def name_at(self, row: int) -> OpeningName:
        r"""Return the name of a row.

        >>> read_opening_names(b"eco\tname\tpgn\nB00\tKing's Pawn Game\t1. e4\n").name_at(0).eco
        'B00'
        """
        return self._names[row]

    def rows_of_games(self, games: GameColumns) -> NDArray[np.int64]:
        r"""Return the row of the name of each game's deepest position that has one, or -1: int64, (n,).

        >>> names = read_opening_names(b"eco\tname\tpgn\nB00\tKing's Pawn Game\t1. e4\n")
        >>> names.rows_of_games(read_pgn(b"1. e4 e6 *\n\n1. d4 *").columns).tolist()
        [0, -1]
        """
        rows = np.full(games.size, -1, np.int64)
        starts = games.starts
        moves = plain(games.plies.columns["moves"])
        places = (starts.places + 1).astype(np.int32)
        offsets, tables = games.plies.offsets, default_tables()
        _deepest(offsets, moves, starts.all_positions, places, self._keys, self._slots, self._fewest, rows, tables)
        return rows

    def filled(self, headers: Mapping[str, Header], games: GameColumns) -> dict[str, Header]:
        r"""Return headers of games, those of `ECO` and `Opening` filled where a game has none.

        >>> names = read_opening_names(b"eco\tname\tpgn\nB00\tKing's Pawn Game\t1. e4\n")
        >>> games = read_pgn(b"1. e4 e6 *")
        >>> list(names.filled(games.headers, games.columns)["ECO"])
        ['B00']
        """
        filled = dict(headers)
        missing = {name: _missing(filled[name]) for name in NAMED if name in filled}
        if any(mask.any() for mask in missing.values()):
            rows = self.rows_of_games(games)
            rows[rows < 0] = len(self)  # a missing text
            for name, mask in missing.items():
                column, given = filled[name], self._texts[NAMED.index(name)].chosen(rows)
                assert isinstance(column, Texts)
                order = np.arange(rows.size)
                filled[name] = Texts.joined([column, given]).chosen(np.where(mask, order + rows.size, order))
        return filled

    def __len__(self) -> int:
        return len(self._names)

    def __eq__(self, other: object) -> bool:
        return self._digest == other._digest if isinstance(other, OpeningNames) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._digest)

    def __deepcopy__(self, memo: Any) -> "OpeningNames":
        return self

    def __reduce__(self) -> Any:
        return OpeningNames, (self._keys.tolist(), self._names, self._fewest, self._files)

    def __repr__(self) -> str:
        return f"<names of {len(self):,} {'position' if len(self) == 1 else 'positions'}>"


def _missing(column: Header) -> NDArray[np.bool_]:
    """Return which games have no value of a header, or an unknown one."""
    mask = ~column.valid
    if isinstance(column, Texts):
        short = np.flatnonzero(~mask & (np.diff(column.offsets) <= 1))
        mask[short] = [text in _UNKNOWN for text in column.chosen(short)]
    return mask


def read_opening_names(source: Any) -> OpeningNames:
    r"""Read names of openings from a file in the format of Lichess' chess-openings.

    `source` is a path, a pattern, bytes, an open file, or a list of these, packed or not. Columns have tabs between,
    and the first line of each file names them: ``eco``, ``name``, and ``pgn`` (``1. e4 e5``), ``uci`` (``e2e4 e7e5``)
    or ``epd``. A line that cannot be read, and a position with two names, are a ValueError that names the line.

    >>> read_opening_names(b"eco\tname\tuci\nC20\tKing's Pawn Game\te2e4 e7e5\n")
    <names of 1 position>
    """
    found: dict[int, tuple[str, OpeningName]] = {}
    fewest, files = 64, []
    for file in expanded(source):
        label = os.fsdecode(file) if isinstance(file, (str, os.PathLike)) else "source"
        files += [label] if isinstance(file, (str, os.PathLike)) else []
        for number, name, board in _rows(label, text_of(file).decode("utf-8-sig", "backslashreplace")):
            place = f"{label}: line {number}"
            known = found.setdefault(board.key, (place, name))
            if known[1] != name:
                raise ValueError(f"{place}: {' '.join(name)!r}: its position has another name: {known[0]}")
            fewest = min(fewest, len(board.occupied))
    if not found:
        raise ValueError("source: no names: expected lines with an ECO code, a name and moves, and tabs between")
    return OpeningNames(found, (name for _, name in found.values()), fewest, files)


def _rows(label: str, text: str) -> Iterator[tuple[int, OpeningName, Board]]:
    """Yield the lines of a file: the number of the line, the name, and its position."""
    columns: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        fields = [field.strip() for field in line.split("\t")]
        if not line.strip():
            continue
        lower = [field.lower() for field in fields]
        if not columns or {"eco", "name"} <= set(lower):
            columns = lower
            if not {"eco", "name"} <= set(columns) or not set(_MOVES) & set(columns):
                raise ValueError(
                    f"{label}: line {number}: {shown(line)}: expected the columns eco, name, and pgn, uci or epd, "
                    "with tabs between"
                )
            continue
        row = dict(zip(columns, fields, strict=False))
        try:
            if len(fields) != len(columns):
                raise ValueError(f"{len(fields)} fields: expected {len(columns)}")
            yield number, OpeningName(row["eco"], row["name"]), _position(row)
        except ValueError as error:
            raise ValueError(f"{label}: line {number}: {error}") from None


def _position(row: Mapping[str, str]) -> Board:
    if row.get("pgn") or row.get("uci"):
        board = Board()
        if row.get("uci"):
            for word in row["uci"].split():
                board.push_uci(word)
        else:
            for word in row["pgn"].split():
                if move := word.rpartition(".")[2]:
                    board.push_san(move)
        return board
    return Board.from_epd(row.get("epd", ""))[0]


def opening_names(names: Any) -> OpeningNames | None:
    """Return the names that an argument `names` gives: None, `OpeningNames`, or what `read_opening_names` reads."""
    if names is None or isinstance(names, OpeningNames):
        return names
    if not isinstance(names, (str, os.PathLike, bytes, list, tuple)):
        raise TypeError(f"names: {shown(names)}: expected OpeningNames or the path of a file of names")
    try:
        return read_opening_names(names)
    except (TypeError, ValueError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"names: {error}") from None


__all__ = ["ECO", "NAMED", "OPENING", "OpeningName", "OpeningNames", "opening_names", "read_opening_names"]
