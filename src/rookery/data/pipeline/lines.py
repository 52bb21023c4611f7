"""FEN and EPD text, CSV and JSON lines as Arrow tables, block by block, in constant memory.

Every row is one line, except that fields of CSV in quotes may have line breaks (`rookery.sources.csv_text`). A row that
cannot be read becomes a `BadLine`, and the rows around it are read.
"""

import contextlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from rookery.arguments import shown
from rookery.frames.arrow import compute_module, csv_module, empty_table, json_module, pyarrow_module
from rookery.frames.spreadsheets import table_as_it_was
from rookery.sources.csv_text import SHOWN, Rows, Splitter

_NEWLINE: Final = 10
_RETURN: Final = 13
# What is a number in CSV, for each type of a column. With zeros in front or more digits it is a name.
_DIGITS: Final = r"(?:0|[1-9][0-9]{0,17})"
_NUMBERS: Final = {
    "int64": rf"[+-]?{_DIGITS}",
    "double": rf"[+-]?(?:{_DIGITS}(?:\.[0-9]{{0,30}})?|\.[0-9]{{1,30}})(?:[eE][+-]?[0-9]{{1,2}})?",
}
_TOO_LONG: Final = 10**18
_TYPED: Final = 1_000  # lines of JSON whose fields are those of all
_BLANK: Final = 1_000  # characters: a longer row is not blank


class BadLine(NamedTuple):
    """A line, or a row of a table, that cannot be read: its number from 1, its text, the reason, its game from 1."""

    line: int
    text: str | None
    reason: str
    game: int = 0


class Block(NamedTuple):
    """Rows of a file as a table, the line of each, and the lines that cannot be read. `lines` counts all lines.

    `places` are the bytes of the text at which the rows begin, or the numbers of the rows of a table, from 0.
    """

    table: Any
    numbers: Any
    bad: list[BadLine]
    lines: int
    places: Any


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
    numbers = numbers if good is None else numbers[good]
    begins = np.append(0, rows.ends[:-1])[np.searchsorted(rows.lines, numbers)]
    return Block(table, numbers, bad, rows.height, rows.start + begins)


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


def types_of_csv() -> tuple[Any, ...]:
    """Return the types that columns of CSV have, the widest first."""
    pa = pyarrow_module()
    return pa.string(), pa.float64(), pa.int64()


def type_of_texts(values: Iterable[str]) -> Any:
    """Return the type of a column of CSV by some of its values, empty ones aside.

    >>> type_of_texts(["1", "", "-25"]), type_of_texts(["1", "+2.5e3"])
    (DataType(int64), DataType(double))
    >>> type_of_texts(["1", "007"]), type_of_texts([""])
    (DataType(string), DataType(string))
    """
    text, number, whole = types_of_csv()
    found = [value for value in values if value]
    for kind in (whole, number):
        if found and all(re.fullmatch(_NUMBERS[str(kind)], value) for value in found):
            return kind
    return text


def fractions_in(data: bytes, delimiter: str, names: Sequence[str], whole: Sequence[str]) -> set[str]:
    r"""Return those of the columns `whole` of rows of CSV in which a value is a number, but not a whole one.

    >>> fractions_in(b"a,1,2\nb,3,4.5\nc,x.y,6\n", ",", ["fen", "x", "y"], ["x", "y"])
    {'y'}
    """
    if not any(mark in data for mark in (b".", b"e", b"E")):
        return set()
    csv, pc, pa = csv_module(), compute_module(), pyarrow_module()
    reading = csv.ReadOptions(column_names=names, use_threads=False, block_size=max(2 * len(data), 1 << 12))
    parsing = csv.ParseOptions(delimiter=delimiter, newlines_in_values=True, invalid_row_handler=lambda row: "skip")
    types = csv.ConvertOptions(
        column_types=dict.fromkeys(whole, pa.binary()), include_columns=list(whole), strings_can_be_null=False
    )
    try:
        table = csv.read_csv(pa.py_buffer(data), reading, parsing, types)
    except pa.ArrowInvalid:  # a bad row, which is reported when it is read
        return set()
    texts = {name: table.column(name).combine_chunks() for name in whole}
    marked = {name for name, column in texts.items() if re.search(rb"[.eE]", memoryview(column.buffers()[2] or b""))}
    number = f"^(?:{_NUMBERS['double']})$"
    return {
        name
        for name in marked
        if pc.any(
            pc.and_(
                pc.match_substring_regex(texts[name], number),
                pc.match_substring_regex(texts[name], "[.eE]"),
            )
        ).as_py()
    }


def csv_parser(schema: Any, delimiter: str) -> Parse:
    """Return a function that reads rows of CSV. A value that is no number in a column of numbers is null, and noted."""
    csv, pa = csv_module(), pyarrow_module()
    names = schema.names
    parse_options = csv.ParseOptions(delimiter=delimiter, newlines_in_values=True)
    # An empty field is missing; an empty text has quotes.
    types = csv.ConvertOptions(
        column_types=dict.fromkeys(names, pa.string()),
        null_values=[""],
        strings_can_be_null=True,
        quoted_strings_can_be_null=False,
    )

    def read(data: Any) -> Any:
        options = csv.ReadOptions(column_names=names, use_threads=False, block_size=max(2 * data.size, 1 << 12))
        return table_as_it_was(csv.read_csv(pa.BufferReader(data), options, parse_options, types))

    texts_of = _halving(read, pa.schema([(name, pa.string()) for name in names]))

    def parse(texts: Any) -> tuple[Any, Any, Bad]:
        table, good, bad = texts_of(texts)
        reasons: dict[int, str] = {}
        for i, field in enumerate(schema):
            if str(field.type) in _NUMBERS:
                column = table.column(i)
                numbers, wrong = _numbers(column, field.type)
                table = table.set_column(i, field, numbers)
                what = "a whole number" if str(field.type) == "int64" else "a number"
                for row in wrong.tolist():
                    reasons.setdefault(row, f"{field.name}: {shown(column[row].as_py())}: expected {what}: null")
        bad += [(int(good[row]), texts[int(good[row])].as_py(), reason) for row, reason in reasons.items()]
        return table, good, bad

    return parse


def _numbers(column: Any, kind: Any) -> tuple[Any, Any]:
    """Return texts as numbers, null where they are none, and the rows of those that are not empty either."""
    pa, pc = pyarrow_module(), compute_module()
    if kind == pa.int64():
        with contextlib.suppress(pa.ArrowInvalid):
            numbers = pc.if_else(pc.equal(column, ""), None, column).cast(kind)
            # Nearly all are written as Arrow writes them: an expression for all takes five times as long.
            is_short = pc.all(pc.less(pc.abs_checked(numbers), _TOO_LONG)).as_py()
            if is_short is not False and pc.all(pc.equal(numbers.cast(pa.string()), column)).as_py() is not False:
                return numbers, np.empty(0, np.int64)
    is_number = pc.match_substring_regex(column, f"^(?:{_NUMBERS[str(kind)]})$")
    texts = pc.if_else(is_number, pc.utf8_ltrim(column, "+"), None)
    wrong = pc.fill_null(pc.invert(pc.or_(is_number, pc.equal(column, ""))), False)
    return texts.cast(kind), np.flatnonzero(np.asarray(wrong))


def json_schema(name: str, head: bytes, fen: str) -> Any:
    """Return the fields of JSON lines, as the first of them have them; `name` is that of the file.

    Whole numbers are int64, or uint64 if one of them is greater: keys of positions, which `float64` would round.
    """
    pa = pyarrow_module()
    lines = head[: head.rfind(b"\n") + 1] or head
    fields: dict[str, Any] = {}
    for line in lines.split(b"\n")[:_TYPED]:
        if line.strip():
            try:
                table = json_module().read_json(pa.BufferReader(line))
            except pa.ArrowInvalid:  # a bad line, which is reported when it is read
                continue
            for field in _with_large_numbers(table.schema, line):
                known = fields.get(field.name)
                if known is None or pa.types.is_null(known.type):
                    fields[field.name] = field
                elif not known.type.equals(field.type):
                    fields[field.name] = pa.field(field.name, _wider(known.type, field.type))
    if fen not in fields:
        raise ValueError(f"fen: {shown(fen)}: not a field in {name}: expected lines of JSON objects with it")
    return pa.schema([pa.field(f.name, _json_type(f.type)) for f in fields.values()])


def _with_large_numbers(schema: Any, line: bytes) -> Any:
    """Return the fields of a line, those with a whole number from 2^63 to 2^64 as uint64 in place of float64."""
    pa = pyarrow_module()
    if pa.float64() not in schema.types:
        return schema
    values = json.loads(line)
    large = {name for name, value in values.items() if isinstance(value, int) and 1 << 63 <= value < 1 << 64}
    return [pa.field(field.name, pa.uint64() if field.name in large else field.type) for field in schema]


def _wider(one: Any, other: Any) -> Any:
    pa = pyarrow_module()
    if {one, other} == {pa.int64(), pa.uint64()}:
        return pa.uint64()
    try:
        return (
            pa.unify_schemas([pa.schema([("x", one)]), pa.schema([("x", other)])], promote_options="permissive")
            .field(0)
            .type
        )
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return one


def _json_type(kind: Any) -> Any:
    pa = pyarrow_module()
    return pa.string() if pa.types.is_temporal(kind) or pa.types.is_null(kind) else kind


def json_parser(schema: Any, *, reports_others: bool = True) -> Parse:
    """Return a function that reads lines of JSON objects with the fields of a schema.

    A line that has other fields, too, is read without them, which `reports_others` reports.
    """
    module, pa = json_module(), pyarrow_module()

    def reader(others: str) -> Callable[[Any], Any]:
        options = module.ParseOptions(explicit_schema=schema, unexpected_field_behavior=others)

        def read(data: Any) -> Any:
            reading = module.ReadOptions(use_threads=False, block_size=max(2 * data.size, 1 << 12))
            return module.read_json(pa.BufferReader(data), reading, options).select(schema.names).cast(schema)

        return read

    strict, lenient = reader("error"), _halving(reader("ignore"), schema)

    def parse(texts: Any) -> tuple[Any, Any, Bad]:
        with contextlib.suppress(pa.ArrowInvalid, pa.ArrowNotImplementedError):
            if len(texts) and (table := strict(_joined(texts))).num_rows == len(texts):
                return table, np.arange(len(texts)), []
        table, good, bad = lenient(texts)
        for row in good.tolist():
            text = texts[row].as_py()
            if other := next(_others(json.loads(text), schema), None):
                bad.append((row, text, f"{other}: not a field of the first lines: left out"))
        return table, good, bad

    return parse if reports_others else lenient


def _others(value: Any, kind: Any, name: str = "") -> Iterator[str]:
    """Yield the names of fields in a JSON value that its type, or the schema of a line, does not have."""
    pa = pyarrow_module()
    if isinstance(value, dict) and (isinstance(kind, pa.Schema) or pa.types.is_struct(kind)):
        types = {field.name: field.type for field in kind}
        for key, inner in value.items():
            yield from _others(inner, types[key], f"{name}{key}.") if key in types else [name + key]
    elif isinstance(value, list) and pa.types.is_list(kind):
        for inner in value:
            yield from _others(inner, kind.value_type, name)


def _joined(texts: Any) -> Any:
    """Return lines as one buffer."""
    pa = pyarrow_module()
    lines = pa.concat_arrays([texts, pa.array([""])])
    return compute_module().binary_join(pa.ListArray.from_arrays([0, len(lines)], lines), "\n")[0].as_buffer()


def _halving(read: Callable[[Any], Any], schema: Any) -> Parse:
    """Return a function that reads many lines at once, and halves them to find those that cannot be read."""
    pa = pyarrow_module()

    def parse(texts: Any) -> tuple[Any, Any, Bad]:
        tables: list[Any] = []
        good: list[Any] = []
        bad: Bad = []
        waiting = [(0, len(texts))] if len(texts) else []
        while waiting:
            start, stop = waiting.pop()
            reason = ""
            try:
                table = read(_joined(texts[start:stop]))
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
            return empty_table(schema), np.empty(0, np.int64), bad
        return pa.concat_tables(tables), np.concatenate(good), bad

    return parse
