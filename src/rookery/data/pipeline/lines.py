"""FEN and EPD text, CSV and JSON lines as Arrow tables, block by block, in constant memory.

Every row is one line, except that fields of CSV in quotes may have line breaks (`rookery.sources.csv_text`). A row that
cannot be read becomes a `BadLine`, and the rows around it are read.
"""

import io
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np

from rookery.frames.arrow import compute_module, csv_module, json_module, pyarrow_module
from rookery.frames.spreadsheets import table_as_it_was
from rookery.sources.csv_text import SHOWN, Rows, Splitter

_NEWLINE: Final = 10
_RETURN: Final = 13
_BLANK: Final = 1_000  # characters: a longer row is not blank


class BadLine(NamedTuple):
    """A line, or a row of a table, that cannot be read: its number from 1, its text, the reason, its game from 1."""

    line: int
    text: str | None
    reason: str
    game: int = 0


class Block(NamedTuple):
    """Rows of a file as a table, the line of each, and the lines that cannot be read. `lines` counts all lines."""

    table: Any
    numbers: Any
    bad: list[BadLine]
    lines: int


def blocks(
    chunks: Iterator[bytes], parse: "Parse", *, delimiter: str | None = None, header: bool = False
) -> Iterator[Block]:
    """Yield the rows of a text: its lines, or with a delimiter rows of CSV. With `header` the first one is left out."""
    for rows in Splitter(delimiter).blocks(chunks):
        yield block_of(rows, parse, header)


def block_of(rows: Rows, parse: "Parse", header: bool) -> Block:
    """Return rows as a table. With `header` the first line is left out."""
    texts, numbers, bad = _texts(rows)
    keep = np.flatnonzero(numbers > 1) if header else None
    if keep is not None:
        texts, numbers = texts.take(pyarrow_module().array(keep)), numbers[keep]
    table, good, more = parse(texts)
    bad += [BadLine(int(numbers[i]), text, reason) for i, text, reason in more]
    return Block(table, numbers if good is None else numbers[good], bad, rows.height)


def _without_breaks(rows: Rows, has_feed: Any, has_return: Any) -> Any:
    """Return the characters of rows without the line breaks that end them."""
    if rows.ends.size == rows.height and not has_return.any():
        return rows.data.replace(b"\n", b"")  # in half the time of the general way
    is_break = np.zeros(len(rows.data), np.bool_)
    is_break[rows.ends[has_feed] - 1] = True
    is_break[rows.ends[has_return] - 2] = True
    return np.frombuffer(rows.data, np.uint8)[~is_break]


def _texts(rows: Rows) -> tuple[Any, Any, list[BadLine]]:
    """Return the rows that are not blank as an Arrow array, the numbers of their lines, and rows that are not texts."""
    pa, pc = pyarrow_module(), compute_module()
    characters, ends = np.frombuffer(rows.data, np.uint8), rows.ends
    starts = np.append(0, ends[:-1])
    # Rows end with a line feed, with a carriage return before it or not, or with the text.
    has_feed = characters[ends - 1] == _NEWLINE
    has_return = has_feed & (ends > 1) & (characters[ends - 2] == _RETURN)
    offsets = np.zeros(ends.size + 1, np.int32)
    offsets[1:] = ends - np.cumsum(has_feed.astype(np.int64) + has_return)
    numbers, keep = rows.lines, np.ones(ends.size, np.bool_)
    bad: list[BadLine] = []
    for i, reason in rows.bad.items():
        text = rows.data[starts[i] : ends[i]].decode("utf-8", "backslashreplace").rstrip("\r\n")
        bad.append(BadLine(int(numbers[i]), text[:SHOWN], reason))
        keep[i] = False
    if not rows.data.isascii():
        try:
            rows.data.decode()
        except UnicodeDecodeError:
            for i in np.flatnonzero(keep).tolist():
                line = rows.data[starts[i] : ends[i]].removesuffix(b"\n").removesuffix(b"\r")
                try:
                    line.decode()
                except UnicodeDecodeError as error:
                    text = line.decode("utf-8", "backslashreplace")
                    bad.append(BadLine(int(numbers[i]), text, f"not UTF-8 at byte {error.start + 1} of the line"))
                    keep[i] = False
    array = pa.StringArray.from_buffers(
        ends.size, pa.py_buffer(offsets), pa.py_buffer(_without_breaks(rows, has_feed, has_return))
    )
    if not keep.all():
        chosen = np.flatnonzero(keep)
        array, numbers = array.take(pa.array(chosen)), numbers[chosen]
    if len(array) and pc.min(pc.binary_length(array)).as_py() <= _BLANK:
        blank = pc.equal(pc.utf8_trim_whitespace(array), "").to_numpy(zero_copy_only=False)
        if blank.any():
            chosen = np.flatnonzero(~blank)
            array, numbers = array.take(pa.array(chosen)), numbers[chosen]
    return array, numbers, bad


# Lines as tables. Each function returns a table, the indices of its lines (None for all), and the other lines.

Bad = list[tuple[int, str, str]]
Parse = Callable[[Any], tuple[Any, Any, Bad]]


def fen_parser(column: str) -> Parse:
    """Return a function that makes a table of one column of lines."""

    def parse(texts: Any) -> tuple[Any, Any, Bad]:
        return pyarrow_module().table({column: texts}), None, []

    return parse


def csv_parser(names: list[str], delimiter: str) -> Parse:
    """Return a function that reads rows of CSV; every column is text."""
    csv, pa = csv_module(), pyarrow_module()
    parse_options = csv.ParseOptions(delimiter=delimiter, newlines_in_values=True)
    types = csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False)

    def read(data: bytes) -> Any:
        options = csv.ReadOptions(column_names=names, use_threads=False, block_size=max(2 * len(data), 1 << 12))
        return table_as_it_was(csv.read_csv(io.BytesIO(data), options, parse_options, types))

    return _halving(read, pa.schema([(name, pa.string()) for name in names]))


def json_parser(schema: Any) -> Parse:
    """Return a function that reads lines of JSON objects with the fields of a schema; others are left out."""
    json, pa = json_module(), pyarrow_module()
    options = json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore")

    def read(data: bytes) -> Any:
        reading = json.ReadOptions(use_threads=False, block_size=max(2 * len(data), 1 << 12))
        return json.read_json(pa.BufferReader(data), reading, options).select(schema.names).cast(schema)

    return _halving(read, schema)


def _halving(read: Callable[[bytes], Any], schema: Any) -> Parse:
    """Return a function that reads many lines at once, and halves them to find those that cannot be read."""
    pa = pyarrow_module()

    def parse(texts: Any) -> tuple[Any, Any, Bad]:
        tables: list[Any] = []
        good: list[Any] = []
        bad: Bad = []
        waiting = [(0, len(texts))] if len(texts) else []
        while waiting:
            start, stop = waiting.pop()
            data = ("\n".join(texts[start:stop].to_pylist()) + "\n").encode()
            reason = ""
            try:
                table = read(data)
                if table.num_rows == stop - start:
                    tables.append(table)
                    good.append(np.arange(start, stop))
                    continue
                reason = f"{table.num_rows} rows in a line: expected one"
            except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
                reason = str(error).split("\n")[0]
            if stop - start == 1:
                bad.append((start, texts[start].as_py(), reason))
            else:
                middle = (start + stop) // 2
                waiting += [(middle, stop), (start, middle)]
        if not tables:
            return schema.empty_table(), np.empty(0, np.int64), bad
        return pa.concat_tables(tables), np.concatenate(good), bad

    return parse
