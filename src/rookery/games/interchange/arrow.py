"""Games as Arrow tables and back.

Columns have the names of the Lichess dataset; behind them stand ``start`` (a FEN, null for the usual position),
``chess960``, lists of a value a ply (``moves``, ``clocks``, ``evals``, ``emts``), what is wrong with a game, and where
it stood. Null is what a game does not have. Units are in the metadata of the fields.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from importlib import metadata
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import shown
from rookery.games.columns import Lists, Numbers, Texts
from rookery.games.dates import day_played, from_table, tags_for_table
from rookery.games.errors import GameError
from rookery.games.interchange.header_columns import binary_column, header_column, text_column, whole_array
from rookery.games.tags import COLUMNS, RESULTS
from rookery.positions.arrow import pyarrow_module
from rookery.positions.moves import Moves
from rookery.positions.positions import Positions

FORMAT: Final = 1  # of the table; another number is one that this version does not know
PLIES: Final = ("clocks", "evals", "emts")
_INDEX: Final = re.compile(r"__index_level_\d+__")  # of a pandas data frame whose index is not 0, 1, 2, ...
LISTS: Final = ("tags", "nags", "comments", "variations")
_FIELDS: Final = {
    "tags": ("name", "value"),
    "nags": ("ply", "nag"),
    "comments": ("ply", "text"),
    "variations": ("ply", "text"),
}
_TEXTS: Final = ("name", "value", "text")  # fields
OWN: Final = (
    "date", "start", "chess960", "moves", *PLIES, "parse_error", "fault", "warnings", "number", "offset", "row", *LISTS,
    "text",
)  # fmt: skip

_UNITS: Final = {
    "WhiteElo": {"unit": "Elo"},
    "BlackElo": {"unit": "Elo"},
    "WhiteRatingDiff": {"unit": "Elo"},
    "BlackRatingDiff": {"unit": "Elo"},
    "date": {"meaning": "UTCDate, or Date where a game has none"},
    "text": {"format": "PGN, byte for byte as in its source"},
    "start": {"format": "FEN; null is the usual start position"},
    "moves": {
        "format": "bits 0-5 from, 6-11 to (a1 = 0), 12-13 promotion to n, b, r, q, 14-15 kind; castling to the rook"
    },
    "clocks": {"unit": "s", "meaning": "left on the mover's clock after the ply"},
    "warnings": {"meaning": "what was stepped over in the game"},
    "evals": {"unit": "pawns", "meaning": "as white sees it after the ply; a mate in n is 1000 - n or n - 1000"},
    "emts": {"unit": "s", "meaning": "taken by the ply"},
    "number": {"meaning": "of the game in its file, from 1"},
    "row": {"meaning": "of the column that the game's text is from, from 0"},
    "offset": {"unit": "bytes", "meaning": "where the game begins in its unpacked file"},
}
_TIME: Final = {"M": "date32", "m": "time32"}
LEFT_OUT: Final = b"rookery games left out"  # metadata: what is wrong with games that have no row, and with files
WARNINGS_LEFT_OUT: Final = b"rookery games warnings left out"
LARGEST: Final = (1 << 31) - (1 << 20)  # bytes of a chunk: places in it are numbers of 31 bits
_MOST: Final = 10_000  # of these errors, so that they need no more memory than a row group


def fits(parts: Mapping[str, Any]) -> bool:
    """Whether the columns that `Games` is made of are each one chunk."""
    flat = [parts["moves"].moves, *parts["headers"].values()]
    flat += [parts["texts"]] if parts["texts"] is not None else []
    flat += [column for name in LISTS if parts[name] is not None for column in parts[name].columns.values()]
    return max(column.data.size if isinstance(column, Texts) else column.size for column in flat) < LARGEST


def to_arrow(parts: Mapping[str, Any]) -> Any:
    """A table of the columns that `Games` is made of."""
    pa = pyarrow_module()
    headers, n = parts["headers"], parts["scores"].size
    lists = {name: parts[name] for name in LISTS}
    taken = [name for name in headers if name in OWN]
    if taken:
        raise ValueError(f"header {shown(taken[0])}: a column of games has that name")
    columns = {name: _column(pa, column) for name, column in headers.items()}
    columns["Result"] = pa.array(RESULTS, pa.string()).take(pa.array(parts["scores"]))
    names = [name for name in COLUMNS if name in columns] + [name for name in columns if name not in COLUMNS]
    columns = {name: columns[name] for name in names}
    days = day_played(headers)
    if lists["tags"] is not None and days is not None and {"Date", "UTCDate"} <= headers.keys():
        lists["tags"] = tags_for_table(headers, lists["tags"])
        columns = {"date" if name == "Date" else name: column for name, column in columns.items()}
        columns["date"] = _column(pa, days)
    columns["start"], columns["chess960"] = _starts(pa, parts["start_places"], parts["start_table"])
    offsets = parts["moves"].offsets
    columns["moves"] = _list(pa, offsets, pa.array(parts["moves"].moves))
    for name in PLIES:
        values = parts["plies"].get(name)
        missing = pa.nulls(int(offsets[-1]), pa.float32())
        columns[name] = _list(pa, offsets, missing if values is None else _numbers(pa, values, ~np.isnan(values)))
    columns["parse_error"], columns["fault"] = _faults(pa, parts["errors"], n)
    columns["warnings"] = _warnings(pa, parts["warnings"], n)
    columns["number"], columns["offset"] = pa.array(parts["numbers"]), pa.array(parts["offsets"])
    if parts["rows"] is not None:
        columns["row"] = pa.array(parts["rows"])
    for name in LISTS:
        if lists[name] is not None:
            columns[name] = _lists(pa, lists[name])
    if parts["texts"] is not None:
        columns["text"] = _texts(pa, parts["texts"], pa.binary())
    fields = [pa.field(name, column.type, metadata=_UNITS.get(name)) for name, column in columns.items()]
    about = {"rookery games": json.dumps({"format": FORMAT, "version": metadata.version("rookery")})}
    return pa.Table.from_arrays(list(columns.values()), schema=pa.schema(fields, about))


class LeftOut:
    """Errors and warnings of no row, on their way to metadata."""

    def __init__(self) -> None:
        self._numbers = [0, 0]
        self._kept: tuple[list[GameError], list[GameError]] = [], []

    def add(self, errors: Iterable[tuple[int, GameError]], warnings: Iterable[tuple[int, GameError]]) -> None:
        """Take those of no row from the errors and the warnings of games."""
        for i, reports in enumerate((errors, warnings)):
            of_no_row = [report for row, report in reports if row < 0]
            self._numbers[i] += len(of_no_row)
            self._kept[i].extend(of_no_row[: _MOST - len(self._kept[i])])

    @property
    def metadata(self) -> dict[bytes, bytes]:
        """The entries that they are, if there are any."""
        entries = {}
        for key, number, kept in zip((LEFT_OUT, WARNINGS_LEFT_OUT), self._numbers, self._kept, strict=True):
            if number:
                told = {"number": number, "errors": [report._asdict() for report in kept]}
                entries[key] = json.dumps(told).encode()
        return entries


def without_left_out(table: Any) -> Any:
    """A table without these errors and warnings: one of several that make a file."""
    left_out = (LEFT_OUT, WARNINGS_LEFT_OUT)
    metadata = {key: value for key, value in (table.schema.metadata or {}).items() if key not in left_out}
    return table.replace_schema_metadata(metadata)


def _read_left_out(metadata: Mapping[bytes, bytes], key: bytes) -> list[tuple[int, GameError]]:
    if key not in metadata:
        return []
    told = json.loads(metadata[key])
    errors = [GameError(**error) for error in told["errors"]]
    if more := told["number"] - len(errors):
        kind = "errors" if key == LEFT_OUT else "warnings"
        errors.append(GameError("", 0, 0, 0, "", "", f"{more:,} more {kind} of games that were left out were not kept"))
    return [(-1, error) for error in errors]


def joined(tables: list[Any]) -> Any:
    """Several tables as one, whose columns are in chunks."""
    return tables[0] if len(tables) == 1 else pyarrow_module().concat_tables(tables)


def _validity(pa: Any, valid: NDArray[np.bool_]) -> Any:
    return None if valid.all() else pa.py_buffer(np.packbits(valid, bitorder="little"))


def _numbers(pa: Any, values: NDArray[Any], valid: NDArray[np.bool_]) -> Any:
    kind = values.dtype.kind
    if kind == "b":  # Arrow keeps a bit of each
        return pa.array(values, mask=~valid)
    if kind in _TIME:
        values = values.astype(np.int64).astype(np.int32)
        as_type = pa.date32() if kind == "M" else pa.time32("s")
    else:
        as_type = pa.from_numpy_dtype(values.dtype)
    buffer = pa.py_buffer(np.ascontiguousarray(values))
    return pa.Array.from_buffers(as_type, values.size, [_validity(pa, valid), buffer])


def _short(offsets: NDArray[np.int64]) -> NDArray[np.int32]:
    short: NDArray[np.int32] = (offsets - offsets[0]).astype(np.int32)
    return short


def _texts(pa: Any, column: Texts, kind: Any = None) -> Any:
    offsets = _short(column.offsets)
    data = np.ascontiguousarray(column.data[column.offsets[0] : column.offsets[-1]])
    buffers = [_validity(pa, column.valid), pa.py_buffer(offsets), pa.py_buffer(data)]
    return pa.Array.from_buffers(kind or pa.string(), column.size, buffers)


def _column(pa: Any, column: Numbers | Texts) -> Any:
    return _texts(pa, column) if isinstance(column, Texts) else _numbers(pa, column.values, column.valid)


def _list(pa: Any, offsets: NDArray[np.int64], values: Any) -> Any:
    return pa.ListArray.from_arrays(pa.array(_short(offsets)), values)


def _lists(pa: Any, lists: Lists) -> Any:
    named = {key: _texts(pa, c) if isinstance(c, Texts) else pa.array(c) for key, c in lists.columns.items()}
    return _list(pa, lists.offsets, pa.StructArray.from_arrays(list(named.values()), list(named)))


def _starts(pa: Any, places: NDArray[np.int32], table: Positions) -> tuple[Any, Any]:
    own = places >= 0
    if not own.any():
        return pa.nulls(places.size, pa.string()), pa.array(np.zeros(places.size, np.bool_))
    used, index = np.unique(places[own], return_inverse=True)
    starts = table[used]
    fens = np.array(starts.to_fens(shredder=True, en_passant="fen"), object)
    fens[~starts.chess960] = starts[~starts.chess960].to_fens(en_passant="fen")
    of_games = np.full(places.size, None, object)
    of_games[own] = fens[index]
    chess960 = np.zeros(places.size, np.bool_)
    chess960[own] = starts.chess960[index]
    return pa.array(of_games, pa.string()), pa.array(chess960)


def _report_type(pa: Any) -> Any:
    kinds = {str: pa.string(), int: pa.int64()}
    return pa.struct([(name, kinds[kind]) for name, kind in GameError.__annotations__.items()])


def _warnings(pa: Any, warnings: Any, n: int) -> Any:
    """A list of warnings a game, empty for most; games that were left out have no row."""
    kept = sorted((item for item in warnings if item[0] >= 0), key=lambda item: item[0])
    counts = np.bincount([row for row, _ in kept], minlength=n) if kept else np.zeros(n, np.int64)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return _list(pa, offsets, pa.array([warning._asdict() for _, warning in kept], _report_type(pa)))


def _faults(pa: Any, errors: Any, n: int) -> tuple[Any, Any]:
    """What is wrong with each game, as a text and in parts; games that were left out have no row."""
    fault = _report_type(pa)
    texts: list[str | None] = [None] * n
    parts: list[dict[str, Any] | None] = [None] * n
    for row, error in errors:
        if row >= 0:
            texts[row], parts[row] = str(error), error._asdict()
    if not any(texts):
        return pa.nulls(n, pa.string()), pa.nulls(n, fault)
    return pa.array(texts, pa.string()), pa.array(parts, fault)


# Back.


def chunks_of(table: Any) -> Iterator[Any]:
    """A table, or what hands itself out as one, in parts whose texts and lists can each be put together."""
    pa = pyarrow_module()
    if not isinstance(table, pa.Table):
        if not hasattr(table, "__arrow_c_stream__") and not hasattr(table, "__arrow_c_array__"):
            raise TypeError(f"table: {type(table).__name__}: expected an Arrow table or record batch")
        table = pa.table(_tidied(table))
    n = -(-table.nbytes // LARGEST)
    size = -(-table.num_rows // max(n, 1)) or 1
    yield table.slice(0, size) if n > 1 else table
    for start in range(size, table.num_rows if n > 1 else 0, size):
        yield without_left_out(table.slice(start, size))


def _tidied(table: Any) -> Any:
    """A data frame of pandas with lists that Arrow understands: DuckDB makes masked arrays and dictionaries of them."""
    if not (hasattr(table, "iloc") and hasattr(table, "assign")):
        return table
    found = {name: table[name] for name in (*PLIES, "tags") if name in table.columns}
    return table.assign(**{name: column.map(_tidy) for name, column in found.items() if column.dtype == object})


def _tidy(value: Any) -> Any:
    if isinstance(value, np.ma.MaskedArray):
        return value.filled(np.nan)
    return list(value.items()) if isinstance(value, dict) else value


def from_arrow(table: Any) -> dict[str, Any]:
    """The columns of `Games` in a table of `to_arrow`, or in one with at least ``moves``: what else there is of headers
    is kept, in the types that Arrow has for it.
    """
    pa = pyarrow_module()
    table = table.select([name for name in table.schema.names if not _INDEX.fullmatch(name)])
    about = (table.schema.metadata or {}).get(b"rookery games")
    if about is not None and json.loads(about).get("format") != FORMAT:
        raise ValueError(f"table: games of format {shown(json.loads(about).get('format'))}: expected {FORMAT}")
    names = table.schema.names
    if "moves" not in names:
        raise ValueError(f"no column moves: expected a table of games, not one of {', '.join(names)[:80]}")
    n = table.num_rows

    def column(name: str) -> Any:
        return whole_array(table.column(name))

    offsets, words = _flat(pa, "moves", column("moves"))
    if pa.types.is_integer(words.type) or pa.types.is_null(words.type):
        try:
            words = words.cast(pa.uint16())
        except pa.ArrowInvalid as error:
            raise ValueError(f"moves: lists of {words.type}: expected values of uint16: {error}") from None
    if words.type != pa.uint16() or words.null_count:
        raise TypeError(f"moves: lists of {words.type}: expected uint16, and no nulls")
    moves = Moves(offsets, np.ascontiguousarray(words.to_numpy(zero_copy_only=False)))
    plies = {}
    for name in PLIES:
        if name in names:
            of_games, values = _flat(pa, name, column(name))
            if not np.array_equal(of_games, offsets):
                raise ValueError(f"{name}: lists of other lengths than those of moves")
            numbers = values.cast(pa.float32()).to_numpy(zero_copy_only=False).astype(np.float32)
            if not np.isnan(numbers).all():
                plies[name] = numbers
    headers = {name: header_column(name, column(name)) for name in names if name not in (*OWN, "Result")}
    lists = {name: _read_lists(pa, name, column(name)) if name in names else None for name in LISTS}
    if "date" in names and "Date" not in names and isinstance(days := header_column("date", column("date")), Numbers):
        headers["Date"], lists["tags"] = from_table(days, lists["tags"])
        headers = {name: headers[name] for name in COLUMNS if name in headers} | headers
    places, starts = _read_starts(column("start") if "start" in names else None, column, names, n)
    return {
        "headers": headers,
        "moves": moves,
        "plies": plies,
        "scores": _scores(column("Result") if "Result" in names else pa.nulls(n, pa.string())),
        "numbers": _int64(pa, column("number")) if "number" in names else np.arange(1, n + 1),
        "offsets": _int64(pa, column("offset")) if "offset" in names else np.zeros(n, np.int64),
        "rows": _int64(pa, column("row")) if "row" in names else None,
        "start_places": places,
        "start_table": starts,
        "errors": [
            *(_read_faults(column("fault")) if "fault" in names else ()),
            *_read_left_out(table.schema.metadata or {}, LEFT_OUT),
        ],
        "warnings": [
            *(_read_warnings(pa, column("warnings")) if "warnings" in names else ()),
            *_read_left_out(table.schema.metadata or {}, WARNINGS_LEFT_OUT),
        ],
        **lists,
        "texts": binary_column("text", column("text")) if "text" in names else None,
    }


def _flat(pa: Any, name: str, lists: Any) -> tuple[NDArray[np.int64], Any]:
    """Offsets and elements of a column of lists, of whichever kind; of a null none."""
    import pyarrow.compute as pc

    if pa.types.is_null(lists.type):
        lists = lists.cast(pa.list_(pa.null()))
    if not (pa.types.is_list(lists.type) or pa.types.is_large_list(lists.type) or pa.types.is_map(lists.type)):
        raise TypeError(f"{name}: a column of {lists.type}: expected lists")
    if pa.types.is_map(lists.type):
        lists = lists.cast(pa.list_(pa.struct([("key", lists.type.key_type), ("value", lists.type.item_type)])))
    offsets = np.zeros(len(lists) + 1, np.int64)
    lengths = pc.list_value_length(lists).fill_null(0)
    np.cumsum(lengths.to_numpy(zero_copy_only=False), out=offsets[1:])
    return offsets, lists.flatten()


def _int64(pa: Any, column: Any) -> NDArray[np.int64]:
    return np.asarray(column.fill_null(0).cast(pa.int64()).to_numpy(zero_copy_only=False)).copy()


def _scores(column: Any) -> NDArray[np.uint8]:
    import pyarrow.compute as pc

    pa = pyarrow_module()
    column = column.cast(pa.string())
    found = pc.index_in(column, pa.array(RESULTS, pa.string()))
    unknown = column.filter(pc.and_(found.is_null(), column.is_valid()))
    if len(unknown):
        raise ValueError(f"Result: {shown(unknown[0].as_py())}: expected one of {', '.join(RESULTS)}")
    return np.asarray(found.fill_null(0).to_numpy(zero_copy_only=False)).astype(np.uint8)


def _read_starts(fens: Any, column: Any, names: Any, n: int) -> tuple[NDArray[np.int32], Positions]:
    places = np.full(n, -1, np.int32)
    chess960 = np.zeros(n, np.bool_)
    if "chess960" in names:
        chess960 = column("chess960").cast(pyarrow_module().bool_()).fill_null(False).to_numpy(zero_copy_only=False)
    if fens is None or fens.null_count == n:
        return places, Positions.from_boards([])
    own = np.flatnonzero(fens.is_valid().to_numpy(zero_copy_only=False))
    texts = np.array(fens.cast(pyarrow_module().string()).drop_null().to_pylist(), object)
    places[own] = np.arange(own.size)
    other = chess960[own]
    parts = [
        Positions.from_fens(list(texts[~other]), chess960=False),
        Positions.from_fens(list(texts[other]), chess960=True),
    ]
    both = Positions.concatenate(parts)
    order = np.empty(own.size, np.int64)
    order[np.flatnonzero(~other)] = np.arange(len(parts[0]))
    order[np.flatnonzero(other)] = len(parts[0]) + np.arange(len(parts[1]))
    return places, both[order]


def _read_faults(column: Any) -> tuple[tuple[int, GameError], ...]:
    rows = np.flatnonzero(column.is_valid().to_numpy(zero_copy_only=False)).tolist()
    return tuple((row, GameError(**column[row].as_py())) for row in rows)


def _read_warnings(pa: Any, column: Any) -> tuple[tuple[int, GameError], ...]:
    offsets, warnings = _flat(pa, "warnings", column)
    rows = np.repeat(np.arange(len(column)), np.diff(offsets)).tolist()
    return tuple((row, GameError(**told)) for row, told in zip(rows, warnings.to_pylist(), strict=True))


def _read_lists(pa: Any, name: str, column: Any) -> Lists:
    offsets, rows = _flat(pa, name, column)
    names = {"tags": ("name", "value"), "nags": ("ply", "nag")}.get(name, ("ply", "text"))
    if pa.types.is_null(rows.type):
        columns = [rows] * 2
    elif pa.types.is_struct(rows.type):
        columns = rows.flatten()
        if name != "tags":
            columns = [columns[rows.type.get_field_index(key)] for key in names]
    else:  # pairs, as pandas has those of a map
        flat = _flat(pa, name, rows)[1]
        columns = [flat.take(pa.array(range(k, len(flat), 2), pa.int64())) for k in range(2)]
    named = dict(zip(names, columns, strict=True))
    texts = ("name", "value", "text")
    return Lists(
        offsets,
        {
            key: text_column(key, c) if key in texts else c.cast(pa.int32()).to_numpy(zero_copy_only=False)
            for key, c in named.items()
        },
    )
