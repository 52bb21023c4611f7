"""Inputs of `rookery annotate`: what a file is, its columns, and how it is cut into tasks."""

import contextlib
import functools
import itertools
import os
import sys
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from rookery.arguments import check_path, shown
from rookery.data.pipeline.evaluations import flat_schema, is_of_lichess, label_schema
from rookery.data.pipeline.lines import fractions_in, json_schema, type_of_texts, types_of_csv
from rookery.data.training.formats import FORMATS as TRAINING_FORMATS
from rookery.data.training.formats import format_of as training_format_of
from rookery.data.training.reading import TrainingScan
from rookery.data.training.samples import ScoredPositions
from rookery.data.training.selection import in_whole_games
from rookery.data.training.tasks import division as training_division
from rookery.data.training.text.labels import has_labels, is_labelled
from rookery.data.training.text.rows import BadRow
from rookery.frames.arrow import column_names, ipc_module, is_text, parquet_file, pyarrow_module, schema_without_views
from rookery.games.interchange.schema import is_of_games
from rookery.games.interchange.table_files import rows_of_groups
from rookery.games.interchange.text_columns import MOVETEXT
from rookery.games.read import game_ranges
from rookery.games.read.on_executor import games_of_stream
from rookery.games.read.options import ReadOptions
from rookery.positions.notation.sources import CHUNK
from rookery.sources import ranges
from rookery.sources.chunks import Chunks
from rookery.sources.csv_text import DELIMITERS, Rows, Splitter, first_row, rows_of
from rookery.sources.failures import DamagedFileError
from rookery.sources.file_range import FileRange
from rookery.sources.formats import HEAD, TEXT, Format, Kind, format_of, has_games
from rookery.sources.identity import Identity, identity_of
from rookery.sources.ranges import STANDARD_INPUT
from rookery.sources.stores import absolute, is_remote, open_file
from rookery.sources.streams import expanded
from rookery.sources.unpack import decoded, inflated, packing_of

TASK_BYTES: Final = 1 << 24  # of plain text: some hundred thousand positions, a quarter of a second of work
_MORE_ROWS: Final = 4  # times as many bytes of training data, if no table is made of them
TASK_ROWS: Final = 1 << 18  # of a table: row groups are put together up to this
LABELS: Final = "labels"  # CSV or lines of labelled positions as training data
_LABELLED: Final = ("csv", "text", "jsonl", "table")
TRAINING: Final = {one.name: one for one in TRAINING_FORMATS if one.read}
_NAMED: Final = {name: one for name, one in TRAINING.items() if name not in _LABELLED}  # by their suffixes
FORMATS: Final = ("fen", "csv", "jsonl", "games", "table", LABELS, *_NAMED)
_TYPED_ROWS: Final = 1_000  # of CSV, the header included, whose values say the types of columns
# Formats of training data, by those of text and tables.
_ROWS_OF_TEXT: Final = {"fen": "text", "csv": "csv", "jsonl": "jsonl", "Parquet": "table", "Arrow": "table"}
_PACKED: Final = (Kind.PACKED, Kind.ENCODED)
_TEXTS: Final = ("fen", "csv", "jsonl")
GAMES: Final = 1_000  # read at once
_ROWS: Final = 1 << 16  # of training data, read at once
BATCHES: Final = 4  # of games in a task of a file that cannot be divided


class Input(NamedTuple):
    """A file: its name in messages, path, format, how it is packed, its identity, and its columns.

    `packing` is "" for plain text, and of training data the name of its format. `schema` has the columns in the file
    (for JSON, the fields to read), or is None for games and training data, and positions in memory. An object in memory
    has no path.
    """

    name: str
    path: str
    format: str
    packing: str
    identity: Identity | None
    schema: Any
    delimiter: str = ","

    @property
    def knows_games(self) -> bool:
        """Check whether positions are those of games, with plies and moves."""
        return self.format in ("games", "training")

    @property
    def delimiter_of_rows(self) -> str | None:
        """Return what separates the fields of CSV, None if each line is a row."""
        return self.delimiter if self.format == "csv" else None

    @property
    def size(self) -> int | None:
        """Return the size of the file in bytes, None if it is not known."""
        return None if self.identity is None else self.identity.size


def paths_of(source: Any, argument: str) -> list[str]:
    """Return the paths of a source; patterns are expanded."""
    if isinstance(source, (str, os.PathLike)):
        source = [source]
    elif not isinstance(source, (list, tuple)):
        raise TypeError(f"{argument}: {shown(source)}: expected a path or a list of paths")
    paths: list[str] = []
    for i, one in enumerate(source):
        check_path(f"{argument}[{i}]", one)
        if one == STANDARD_INPUT or is_remote(one):
            paths.append(str(one))
        else:
            paths += [os.fsdecode(path) for path in expanded(one)]
    if not paths:
        raise ValueError(f"{argument}: no files: expected at least one")
    return paths


def opened(path: str) -> Any:
    """Open an input for reading bytes."""
    if path == STANDARD_INPUT:
        return sys.stdin.buffer
    return open_file(path)


def text_chunks(name: str, chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Return text that comes in chunks, unpacked as often as it is packed, as UTF-8."""
    for _ in range(8):  # files within files
        held = Chunks(chunks)
        found = format_of(held.peek(HEAD))
        if found.kind is Kind.PACKED:
            chunks = inflated(name, held, found.name)
        elif found.kind is Kind.ENCODED:
            chunks = decoded(name, held, found.name)
        else:
            break
    return held


def _read(file: Any) -> Iterator[bytes]:
    return iter(lambda: file.read(CHUNK), b"")


def describe(path: str, given: str | None, fen: str) -> Input:
    """Find out what a file is and which columns it has. `given` is its format, if the caller knows it."""
    if path == STANDARD_INPUT:
        if given in TRAINING:
            return Input("standard input", path, "training", given, None, None)
        if given not in ("fen", "games"):
            raise ValueError(f"source: standard input: {shown(given)}: expected the format 'fen' or 'games'")
        return Input("standard input", path, given, "?", None, _fen_schema(fen) if given == "fen" else None)
    name, path = path, absolute(path)
    identity = identity_of(path)
    if training := _training_format(name, given):
        return Input(name, path, "training", training, identity, None)
    with opened(path) as file:
        first = file.read(HEAD)
        found = format_of(first)
        if found.kind is Kind.TABLE:
            file.seek(0)
            return _table(Input(name, path, "table", found.name, identity, None), found.name, file, given)
        if found.kind is Kind.ZIP:
            return Input(name, path, "games", found.name, identity, None)
        file.seek(0)
        head, is_whole = b"", True
        with contextlib.suppress(DamagedFileError):  # which is reported when the file is read
            for chunk in text_chunks(name, _read(file)):
                head += bytes(chunk)
                if is_whole := len(head) < CHUNK:
                    continue
                break
    # A byte order mark needs no unpacking, so that UTF-8 text with one is plain.
    packing = found.name if found.kind in _PACKED else ""
    made = Input(name, path, given or _format(head), packing, identity, None)
    is_whole &= head.count(b"\n") < _TYPED_ROWS
    return _text(made, head, fen, format_of(head[:HEAD]), is_whole=is_whole)


def describe_rows(path: str, given: str | None) -> Input:
    """Find out what a file of training data, text with scores included, or of games is."""
    if given == "games":
        return describe(path, given, "fen")
    try:
        found = _training_format(path, given) if given == LABELS else None
        found = found or training_format_of("text" if given == "fen" else given, "source", path).name
    except ValueError:
        made = describe(path, given, "fen")
        if made.knows_games or made.format not in _ROWS_OF_TEXT:
            return made
        if made.format not in _TEXTS[:2] and not has_labels(flat_schema(made.schema).names):
            return made
        found = _ROWS_OF_TEXT[made.format]
    if path == STANDARD_INPUT:
        return Input("standard input", path, "training", found, None, None)
    return Input(path, absolute(path), "training", found, identity_of(absolute(path)), None)


def _training_format(name: str, given: str | None) -> str | None:
    """Return the name of the format of training data of a file, None for others; columns of CSV are columns."""
    base = name.lower().removesuffix(".zst").removesuffix(".gz")
    if given == LABELS:
        kinds = {"csv": TRAINING["csv"].suffixes, "jsonl": (".jsonl", ".ndjson"), "table": (".parquet", ".arrow")}
        return next((kind for kind, suffixes in kinds.items() if base.endswith(suffixes)), "text")
    if given is not None:
        return given if given in _NAMED else None
    suffixes = tuple(suffix for found in _NAMED.values() for suffix in found.suffixes)
    return training_format_of(None, "source", name).name if base.endswith(suffixes) else None


def _format(head: bytes) -> str:
    found = format_of(head[:HEAD])
    if found.kind is Kind.JSON:
        return "games"
    line = head.removeprefix(b"\xef\xbb\xbf").lstrip().split(b"\n")[0]
    if line.startswith(b"{") and b'"' in line:
        return "jsonl"
    if has_games(head[:HEAD]):
        return "games"
    if found.kind is Kind.TEXT and _header(head, None):
        return "csv"
    return "fen"


def _header(head: bytes, fen: str | None) -> tuple[list[str], str] | None:
    """Return the names of the columns of CSV and their separator, or None if the first row has no column of FENs."""
    for delimiter in DELIMITERS:
        row = next(rows_of([first_row(head, delimiter)], delimiter), None)
        names = row.fields if row is not None else []
        if fen in names or (fen in (None, "fen") and any(name.strip().lower() == "fen" for name in names)):
            return names, delimiter
    return None


def _fen_schema(fen: str) -> Any:
    pa = pyarrow_module()
    return pa.schema([(fen, pa.string())])


def _text(made: Input, head: bytes, fen: str, found: Any, *, is_whole: bool) -> Input:
    if found.kind is Kind.OTHER and made.format != "jsonl":
        raise ValueError(f"{made.name}: {found.name}: expected FENs, CSV, JSON lines, Parquet, Arrow or games")
    if made.format == "games":
        return made
    if made.format == "fen":
        line = head.lstrip(b"\xef\xbb\xbf \t\r\n").split(b"\n")[0].decode("utf-8", "replace")
        return made._replace(schema=label_schema(fen) if is_labelled(line) else _fen_schema(fen))
    if made.format == "csv":
        header = _header(head, fen)
        if header is None:
            raise ValueError(
                f"fen: {shown(fen)}: not a column in line 1 of {made.name}: expected CSV with its columns' names"
            )
        names = [fen if name.strip().lower() == fen.lower() else name for name in header[0]]
        if len(set(names)) < len(names):
            raise ValueError(f"{made.name}: line 1: two columns with one name")
        made = made._replace(schema=_csv_schema(head, names, fen, header[1]), delimiter=header[1])
        return made if is_whole else _with_fractions(made)
    schema = json_schema(made.name, head, fen)
    return made._replace(schema=is_of_lichess(schema) or schema)


def _csv_schema(head: bytes, names: list[str], fen: str, delimiter: str) -> Any:
    """Return the columns of CSV: numbers where the first values are all numbers or empty, texts elsewhere."""
    pa = pyarrow_module()
    whole = head[: head.rfind(b"\n") + 1] or head
    rows = [row.fields for row in itertools.islice(rows_of([whole], delimiter), 1, _TYPED_ROWS)]
    columns = list(zip(*(row for row in rows if len(row) == len(names)), strict=True)) or [()] * len(names)
    kinds = [pa.string() if name == fen else type_of_texts(values) for name, values in zip(names, columns, strict=True)]
    return pa.schema(list(zip(names, kinds, strict=True)))


def _with_fractions(made: Input) -> Input:
    """Return an input with columns of whole numbers as `float64` where a value anywhere in the file has a fraction.

    Of a file in a store only the first rows are looked at.
    """
    pa = pyarrow_module()
    whole = tuple(field.name for field in made.schema if field.type == pa.int64())
    if not whole or is_remote(made.path) or made.identity is None:
        return made
    found = _fractions(made.path, made.identity, made.delimiter, tuple(made.schema.names), whole)
    kinds = [pa.field(f.name, pa.float64() if f.name in found else f.type) for f in made.schema]
    return made._replace(schema=pa.schema(kinds))


@functools.lru_cache(maxsize=64)  # several sinks of a plan ask about the same file
def _fractions(
    path: str, identity: Identity, delimiter: str, names: tuple[str, ...], whole: tuple[str, ...]
) -> frozenset[str]:
    """Return those of some columns of a file in which a value is a number, but not a whole one."""
    del identity  # a part of the key
    found: set[str] = set()
    # Damage is reported when the file is read.
    with contextlib.suppress(DamagedFileError), opened(path) as file:
        for rows in Splitter(delimiter).blocks(text_chunks(path, _read(file))):
            left = [name for name in whole if name not in found]
            found |= fractions_in(rows.data, delimiter, names, left) if left else set()
    return frozenset(found)


def agreed(inputs: list[Input]) -> list[Input]:
    """Return inputs whose columns of CSV have the same types: numbers if they are numbers in all files, else texts."""
    pa = pyarrow_module()
    files = [one for one in inputs if one.format == "csv"]
    kinds: dict[str, set[Any]] = {}
    for field in (field for one in files for field in one.schema):
        kinds.setdefault(field.name, set()).add(field.type)
    widest = {name: next(kind for kind in types_of_csv() if kind in found) for name, found in kinds.items()}
    return [
        one._replace(schema=pa.schema([(name, widest[name]) for name in one.schema.names])) if one in files else one
        for one in inputs
    ]


def _table(made: Input, kind: str, file: Any, given: str | None) -> Input:
    pa = pyarrow_module()
    try:
        if kind == "Parquet":
            schema = parquet_file(file).schema_arrow
        else:
            ipc = ipc_module()
            schema = (ipc.open_file if kind == "Arrow" else ipc.open_stream)(file).schema
        column_names(schema)
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid) as error:  # a damaged type or name
        raise ValueError(f"{made.name}: damaged {kind} file: {error}") from error
    if has_games_in(schema, given):
        return made._replace(format="games")
    return made._replace(format=kind, schema=schema_without_views(schema.remove_metadata()))


def has_games_in(schema: Any, given: str | None) -> bool:
    """Check whether a table is read as games. `given` is its format, if the caller knows it."""
    return given == "games" or (given is None and (is_of_games(schema) or MOVETEXT in schema.names))


def columns_in(made: Input, fen: str) -> list[str]:
    """Return the names of an input's columns, none for games; a ValueError if `fen` is not one of them, or not text."""
    if made.schema is None:
        return []
    schema = flat_schema(made.schema)
    if fen not in schema.names:
        raise ValueError(f"fen: {shown(fen)}: not a column of {made.name}: expected one of {', '.join(schema.names)}")
    kind = schema.field(fen).type
    if not is_text(getattr(kind, "value_type", kind)):
        raise ValueError(f"fen: {shown(fen)}: a column of {str(kind)[:80]}: expected texts")
    names: list[str] = schema.names
    return names


def ranges_of(
    made: Input, reading: ReadOptions, *, whole_games: bool = False, in_rows: bool = False, places: bool = False
) -> list[FileRange]:
    """Return the ranges of a file that are tasks; one if it cannot be divided before it is read.

    Tasks read more training data if they write it `in_rows`, batch by batch, since a table takes longer. Training data
    is one range if its rows are needed as `whole_games`, since only its beginning shows where they begin. So are packed
    lines whose `places` in the text are needed.
    """
    if not made.path:
        return list(game_ranges.ranges_of(STANDARD_INPUT))
    if made.path == STANDARD_INPUT and made.format == "training":
        return list(game_ranges.ranges_of(STANDARD_INPUT))
    if made.format == "training":
        known = Format(Kind.PACKED, packed) if (packed := packing_of(made.path)) else TEXT
        unit = ranges.division_of(made.path, known=known)
        cuts = None if whole_games else training_format_of(made.packing, "source", None).cuts
        size = training_division.RANGE * (_MORE_ROWS if in_rows else 1)
        return list(ranges.ranges_of(made.path, unit, cuts, size, made.identity))
    if made.format == "games" and made.path != STANDARD_INPUT:
        return list(game_ranges.ranges_of(made.path, TASK_BYTES, made.identity, reading.encoding))
    division = ranges.division_of(made.path, known=None if made.packing else TEXT, remote_tables=True)
    if division.unit is ranges.Unit.GROUPS:
        groups = rows_of_groups(made.path, made.format)
        return list(ranges.ranges_of_groups(made.path, groups, TASK_ROWS, made.identity))
    cuts = ranges.between_rows(made.delimiter) if made.format == "csv" else ranges.LINES
    if made.packing and places:
        cuts = None
    return list(ranges.ranges_of(made.path, division, cuts, TASK_BYTES, made.identity))


def stream_of(made: Input, part: FileRange, reading: ReadOptions) -> Iterator[tuple[Any, int]]:
    """Yield the content of a file that is read from its beginning to its end: rows, or games."""
    if made.format == "training":
        return _rows_of_standard_input(made)
    if made.format != "games":
        return blocks_of(made, part)
    source: Any = sys.stdin.buffer if made.path == STANDARD_INPUT else part
    return games_of_stream(source, reading, GAMES, BATCHES)


def _rows_of_standard_input(made: Input) -> Iterator[tuple[Any, int]]:
    """Yield rows of training data by whole games, each block with the bad rows of text before its end."""
    bad: list[BadRow] = []
    with TrainingScan(sys.stdin.buffer, made.packing, _ROWS, raises=False, on_bad=bad.append) as scan:
        try:
            for rows in in_whole_games(scan):
                yield (rows, list(bad)), scan.bytes_read
                bad.clear()
        except DamagedFileError as error:
            raise DamagedFileError(made.name, error.reason) from error.__cause__
        if bad:
            yield (ScoredPositions.concatenate([]), bad), scan.bytes_read


def is_stream(made: Input, parts: list[FileRange], reading: ReadOptions) -> bool:
    """Return whether a file of text or games cannot be divided before it is read, such as a packed one."""
    if made.format == "training":
        return made.path == STANDARD_INPUT
    if len(parts) > 1 or made.format not in (*_TEXTS, "games"):
        return False
    if made.format == "games":
        return ranges.division_of(made.path, reading.encoding).is_stream
    return bool(made.packing)


def blocks_of(made: Input, part: FileRange) -> Iterator[tuple[list[Rows], int]]:
    """Yield the rows of a file that is read from its beginning to its end, some at once, and the bytes read so far.

    Lines are counted from the beginning of each block. Damage is raised behind the rows before it.
    """
    held: list[Rows] = []
    size = lines = before = read = 0  # bytes of text held, lines read, lines before the block, and bytes read
    failure: DamagedFileError | None = None
    with opened(made.path) if made.path == STANDARD_INPUT else part.opened() as file:

        def chunks() -> Iterator[bytes]:
            nonlocal read
            for chunk in _read(file):
                read += len(chunk)
                yield chunk

        try:
            for rows in Splitter(made.delimiter_of_rows).blocks(text_chunks(made.name, chunks())):
                held.append(rows._replace(lines=rows.lines - before))
                size += len(rows.data)
                lines += rows.height
                if size >= TASK_BYTES:
                    yield held, read
                    held, size, before = [], 0, lines
        except DamagedFileError as error:
            failure = error
        if held:
            yield held, read
        if failure is not None:
            raise failure
