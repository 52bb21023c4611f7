"""Arrow tables to games."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import shown
from rookery.frames.arrow import (
    cast_column,
    categorical_column,
    check_sound,
    check_table,
    column_names,
    compute_module,
    pyarrow_module,
    whole_array,
)
from rookery.frames.columns import Categorical, Lists, Numbers
from rookery.frames.reading import binary_column, flat_lists, text_column
from rookery.games.game_columns import LISTS, PLY_VALUES, GameColumns, Report, Reports, Starts
from rookery.games.headers.computed_headers import SOURCES
from rookery.games.headers.dates import YEAR, dates_in, from_table
from rookery.games.headers.header_types import header_column
from rookery.games.interchange import schema
from rookery.games.interchange.left_out import read_left_out, read_report, without_left_out
from rookery.pgn.scan.lexing.vocabulary import COLUMNS, RESULTS
from rookery.positions.positions import Positions
from rookery.sources.files import parse_json

_INDEX: Final = re.compile(r"__index_level_\d+__")  # of a pandas data frame whose index is not 0, 1, 2, ...


def chunks_of(table: Any, check: bool = False) -> Iterator[Any]:
    """Yield a table in parts whose texts and lists fit in one chunk each.

    `table` may be any object with Arrow's C interface. With `check`, a damaged one is a ValueError.
    """
    pa = pyarrow_module()
    if not isinstance(table, pa.Table):
        check_table(table)
        table = pa.table(_understood(table))
    column_names(table.schema)
    if check:  # before anything follows an offset, as the size of the table does
        check_sound(table)
    n = -(-table.nbytes // schema.LARGEST)
    size = -(-table.num_rows // max(n, 1)) or 1
    yield table.slice(0, size) if n > 1 else table
    for start in range(size, table.num_rows if n > 1 else 0, size):
        yield without_left_out(table.slice(start, size))


def _understood(table: Any) -> Any:
    """Return a pandas data frame with lists that Arrow understands: DuckDB makes masked arrays and dicts of them."""
    if not (hasattr(table, "iloc") and hasattr(table, "assign")):
        return table
    found = {name: table[name] for name in (*PLY_VALUES, "tags") if name in table.columns}
    return table.assign(**{name: column.map(_as_list) for name, column in found.items() if column.dtype == object})


def _as_list(value: Any) -> Any:
    if isinstance(value, np.ma.MaskedArray):
        return value.filled(np.nan)
    return list(value.items()) if isinstance(value, dict) else value


class _Table(Mapping[str, Any]):
    """The columns of an Arrow table by name, each in one chunk. `rows` is the number of rows."""

    def __init__(self, table: Any) -> None:
        table = table.select([name for name in table.schema.names if not _INDEX.fullmatch(name)])
        self.metadata = table.schema.metadata or {}
        self.names, self.rows = table.schema.names, table.num_rows
        self._table = table

    def __getitem__(self, name: str) -> Any:
        if name not in self.names:
            raise KeyError(name)
        return whole_array(self._table.column(name))

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def integers(self, name: str) -> NDArray[np.int64] | None:
        """Return a column of integers, or None if there is none."""
        column = self.get(name)
        if column is None:
            return None
        column = _without_nulls(cast_column(name, column, pyarrow_module().int64(), "integers"), 0)
        return np.asarray(column.to_numpy(zero_copy_only=False)).copy()


def from_arrow(table: Any) -> GameColumns:
    """Return the columns of the games in a table, which must fit in one chunk.

    The table is one of `to_arrow`, or another one with at least ``moves``. Columns with names that are not ours are
    headers.
    """
    found = _Table(table)
    about = found.metadata.get(schema.ABOUT)
    if about is not None and (version := _version_in(about)) != schema.FORMAT:
        raise ValueError(f"table: games of format {shown(version)}: expected {schema.FORMAT}")
    names, n = found.names, found.rows
    if "moves" not in found:
        raise ValueError(f"no column moves: expected a table of games, not one of {', '.join(names)[:80]}")
    plies = _plies(found)
    headers = {name: header_column(name, found[name]) for name in names if is_header(name, names)}
    lists = {name: _lists(name, found[name]) if name in found else None for name in LISTS}
    if "date" in found and "Date" not in found and isinstance(days := header_column("date", found["date"]), Numbers):
        headers["Date"], lists["tags"] = from_table(days, lists["tags"])
        headers = {name: headers[name] for name in COLUMNS if name in headers} | headers
    dates = dates_in(headers, lists["tags"], n)
    if (stored := found.integers(YEAR)) is not None and YEAR not in headers:  # of games whose tags were not kept
        dates = np.where((dates == 0) & (stored > 0) & (stored < 10_000), stored * 10_000, dates).astype(np.int32)
    numbers, offsets = found.integers("number"), found.integers("offset")
    errors, warnings = read_left_out(found.metadata)
    return GameColumns(
        headers=headers,
        plies=plies,
        scores=_scores(found["Result"]) if "Result" in found else np.zeros(n, np.uint8),
        files=categorical_column("file", found["file"]) if "file" in found else Categorical.of("", n),
        numbers=np.arange(1, n + 1) if numbers is None else numbers,
        offsets=np.zeros(n, np.int64) if offsets is None else offsets,
        starts=_starts(found),
        dates=dates,
        errors=Reports(n, (*(_errors(found["fault"]) if "fault" in found else ()), *errors)),
        warnings=Reports(n, (*(_warnings(found["warnings"]) if "warnings" in found else ()), *warnings)),
        rows=found.integers("row"),
        texts=binary_column("text", found["text"]) if "text" in found else None,
        tags=lists["tags"],
        nags=lists["nags"],
        comments=lists["comments"],
        variations=lists["variations"],
    )


def is_header(name: str, names: Collection[str]) -> bool:
    """Check whether a column of a table with columns of some names is a header.

    A computed column such as ``speed`` is one if the table lacks the headers that it is computed from.
    """
    if name in SOURCES and name != "date":
        return not any(source in names for source in (*SOURCES[name], *(("date",) if name == YEAR else ())))
    return name not in (*schema.OWN, "Result")


def _version_in(about: bytes) -> Any:
    """Return the number of the format in the metadata of a table, or the metadata where they have none."""
    try:
        return parse_json(about)["format"]
    except (ValueError, TypeError, KeyError, IndexError):
        return about


def _without_nulls(column: Any, value: Any) -> Any:
    """Return a column with a value for nulls: each function of Arrow takes some microseconds with Python's lock."""
    return column.fill_null(value) if column.null_count else column


def _plies(table: _Table) -> Lists:
    pa = pyarrow_module()
    offsets, words = flat_lists("moves", table["moves"])
    if pa.types.is_integer(words.type) or pa.types.is_null(words.type):
        words = cast_column("moves", words, pa.uint16(), "lists of uint16")
    if words.type != pa.uint16() or words.null_count:
        raise TypeError(f"moves: lists of {words.type}: expected uint16, and no nulls")
    columns = {"moves": np.ascontiguousarray(words.to_numpy(zero_copy_only=False))}
    for name in PLY_VALUES:
        if name in table:
            own_offsets, values = flat_lists(name, table[name])
            if not np.array_equal(own_offsets, offsets):
                raise ValueError(f"{name}: lists of other lengths than those of moves")
            if values.null_count < len(values):
                values = cast_column(name, values, pa.float32(), "lists of numbers")
                numbers = values.to_numpy(zero_copy_only=False).astype(np.float32)
                if not np.isnan(numbers).all():
                    columns[name] = numbers
    return Lists(offsets, columns)


def _scores(column: Any) -> NDArray[np.uint8]:
    pa, pc = pyarrow_module(), compute_module()
    column = cast_column("Result", column, pa.string(), "texts")
    found = pc.index_in(column, pa.array(RESULTS, pa.string()))
    if found.null_count > column.null_count:
        unknown = column.filter(pc.and_(found.is_null(), column.is_valid()))
        raise ValueError(f"Result: {shown(unknown[0].as_py())}: expected one of {', '.join(RESULTS)}")
    return np.asarray(_without_nulls(found, 0).to_numpy(zero_copy_only=False)).astype(np.uint8)


def _starts(table: _Table) -> Starts:
    pa, n = pyarrow_module(), table.rows
    places = np.full(n, -1, np.int32)
    chess960 = np.zeros(n, np.bool_)
    if "chess960" in table:
        column = cast_column("chess960", table["chess960"], pa.bool_())
        chess960 = _without_nulls(column, False).to_numpy(zero_copy_only=False)
    fens = table.get("start")
    if fens is None or fens.null_count == n:
        return Starts(places, Positions.from_boards([]))
    own = np.flatnonzero(fens.is_valid().to_numpy(zero_copy_only=False))
    texts = text_column("start", cast_column("start", fens, pa.large_string(), "texts").drop_null()).to_numpy()
    places[own] = np.arange(own.size)
    other = chess960[own]
    parts = [_of_fens(own[~other], texts[~other], False), _of_fens(own[other], texts[other], True)]
    order = np.empty(own.size, np.int64)
    order[np.flatnonzero(~other)] = np.arange(len(parts[0]))
    order[np.flatnonzero(other)] = len(parts[0]) + np.arange(len(parts[1]))
    return Starts(places, Positions.concatenate(parts)[order])


def _of_fens(rows: NDArray[np.intp], texts: NDArray[np.object_], chess960: bool) -> Positions:
    """Return the positions of some rows of the column ``start``."""
    found = Positions.from_fens(list(texts), chess960=chess960, errors="mark")
    if found.bad_lines:
        bad = found.bad_lines[0]
        raise ValueError(f"start[{rows[bad.line - 1]}]: {bad.reason}")
    return found


def _errors(column: Any) -> list[Report]:
    if column.null_count == len(column):
        return []
    rows = np.flatnonzero(column.is_valid().to_numpy(zero_copy_only=False)).tolist()
    return [(row, read_report(f"fault[{row}]", column[row].as_py())) for row in rows]


def _warnings(column: Any) -> list[Report]:
    offsets, warnings = flat_lists("warnings", column)
    if not len(warnings):
        return []
    rows = np.repeat(np.arange(len(column)), np.diff(offsets)).tolist()
    return [
        (row, read_report(f"warnings[{row}]", warning)) for row, warning in zip(rows, warnings.to_pylist(), strict=True)
    ]


def _lists(name: str, column: Any) -> Lists:
    pa = pyarrow_module()
    offsets, rows = flat_lists(name, column)
    every = schema.LIST_FIELDS[name]
    names = [key for key in every if key not in schema.ADDED_FIELDS]
    if pa.types.is_null(rows.type):
        columns = [rows] * 2
    elif pa.types.is_struct(rows.type):
        columns = rows.flatten()
        if name != "tags":  # the fields of a map are called key and value
            names = [key for key in every if key in names or rows.type.get_field_index(key) >= 0]
            places = [rows.type.get_field_index(key) for key in names]
            columns = [columns[place] for place in places if place >= 0]
        if len(columns) != len(names):
            raise TypeError(f"{name}: lists of {str(rows.type)[:80]}: expected {' and '.join(names)}")
    else:  # pairs, as pandas has those of a map
        ends, flat = flat_lists(name, rows)
        if not np.array_equal(ends, np.arange(0, ends.size * 2, 2)):
            raise TypeError(f"{name}: lists of lists: expected pairs")
        columns = [flat.take(pa.array(range(k, len(flat), 2), pa.int64())) for k in range(2)]
    found = {
        key: text_column(f"{name}: {key}", c)
        if key in schema.TEXT_FIELDS
        else cast_column(f"{name}: {key}", c, pa.int32()).to_numpy(zero_copy_only=False)
        for key, c in zip(names, columns, strict=True)
    }
    none = np.zeros(len(rows), np.int32)
    return Lists(offsets, {key: found.get(key, none) for key in every})
