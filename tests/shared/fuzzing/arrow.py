"""Arrow tables of all types, sliced, in chunks, and with damaged buffers; Parquet and Arrow files with damage."""

import functools
import io
import itertools
import json
import random
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import rookery
from damaged_games import SAMPLE
from fuzzing import Target, answer
from fuzzing.damage import damage
from hostile_games import table_of
from rookery import Games, Positions, ScoredPositions, read_pgn
from rookery.positions.moves import Moves
from training_samples import games, rows_of

CLEAR: Final = (ValueError, TypeError, OSError, KeyError)
_READERS: Final[dict[str, Callable[[Any], Any]]] = {
    "games": Games.from_arrow,
    "positions": Positions.from_arrow,
    "rows": ScoredPositions.from_arrow,
    "moves": Moves.from_arrow,
    "fens": lambda table: table.num_columns and Positions.from_fens(table.column(0)),
    "texts": read_pgn,
    "plan": lambda table: rookery.scan(table).positions().select("fen", "ply").collect(),
    "book": lambda table: table.num_columns and rookery.tag_puzzles(table.column(0), table.column(0)),
}


@functools.cache
def _tables() -> list[tuple[str, pa.Table]]:
    read = read_pgn(SAMPLE)[:6]
    positions = rows_of(games(12)[:30])
    boards = positions.positions
    fens = boards.to_fens()
    texts = pa.table({"movetext": ["1. e4 e5 *", "1. d4 1-0", "", None], "White": ["A", "B", None, "D"]})
    return [
        ("games", read.to_arrow()),
        ("games", read_pgn(SAMPLE, clocks=False, comments=False)[:3].to_arrow()),
        ("positions", boards.to_arrow()),
        ("rows", positions.to_arrow()),
        ("moves", boards[:5].legal_moves().to_arrow()),
        ("fens", pa.table({"fen": fens})),
        ("texts", texts),
        ("plan", pa.table({"fen": fens, "x": range(len(fens)), "y": ["a", None, "c"] * (len(fens) // 3)})),
        ("plan", read.to_arrow()),
    ]


_TYPES: Final = (
    *(
        pa.int8(),
        pa.int32(),
        pa.int64(),
        pa.uint8(),
        pa.uint16(),
        pa.uint64(),
        pa.float16(),
        pa.float32(),
        pa.float64(),
    ),
    *(pa.string(), pa.large_string(), pa.binary(), pa.large_binary(), pa.bool_(), pa.date32(), pa.date64(), pa.null()),
    *(pa.string_view(), pa.binary_view(), pa.decimal128(20, 2), pa.timestamp("us"), pa.duration("s"), pa.binary(4)),
    *(
        pa.list_(pa.uint16()),
        pa.large_list(pa.uint16()),
        pa.list_(pa.int64()),
        pa.list_(pa.string()),
        pa.list_(pa.uint16(), 2),
    ),
)


def _changed(rng: random.Random, array: pa.ChunkedArray) -> Any:
    """Return a column in another form, or of another type."""
    kind = rng.randrange(8)
    try:
        if kind == 0:
            return array.cast(rng.choice(_TYPES), safe=rng.random() < 0.5)
        if kind == 1:
            return array.dictionary_encode()
        if kind == 2:
            return pa.array([None if rng.random() < 0.3 else value for value in array.to_pylist()], array.type)
        if kind == 3:
            return pa.nulls(len(array), rng.choice(_TYPES))
        if kind == 4:
            large = {pa.string(): pa.large_string(), pa.list_(pa.uint16()): pa.large_list(pa.uint16())}
            return array.cast(large.get(array.type, array.type))
        if kind == 5:
            encoded = pa.RunEndEncodedArray.from_arrays(pa.array([len(array)], pa.int32()), array.combine_chunks()[:1])
            return encoded if len(array) else array
        if kind == 6:
            return pa.ExtensionArray.from_storage(pa.uuid(), pa.nulls(len(array), pa.binary(16)))
        return pa.array(array.to_pylist()[::-1], array.type)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):  # a conversion that Arrow does not have
        return array


def make_table(rng: random.Random) -> bytes:
    """Return a head, which says what is done with a table, and the table as a stream of Arrow."""
    kind, table = rng.choice(_tables())
    if rng.random() < 0.2:
        kind, table = "games", table_of(np.random.default_rng(rng.randrange(1 << 32)))
    for _ in range(rng.randrange(3)):
        i = rng.randrange(table.num_columns)
        table = table.set_column(i, table.column_names[i], _changed(rng, table.column(i)))
    if rng.random() < 0.1:
        name = rng.choice((*table.column_names, "", "\0", "é"))
        table = table.append_column(name, table.column(rng.randrange(table.num_columns)))
    if rng.random() < 0.1:
        table = table.remove_column(rng.randrange(table.num_columns))
    kind = kind if rng.random() < 0.95 else rng.choice(list(_READERS))
    head = {"kind": kind, "cuts": rng.choices(range(10), k=rng.randrange(5))}
    out = io.BytesIO()
    with pa.ipc.new_stream(out, table.schema) as writer:
        writer.write_table(table, max_chunksize=rng.choice((1, 3, 1000)))
    data = out.getvalue()
    return json.dumps(head).encode() + b"\n" + (damage(rng, data) if rng.random() < 0.5 else data)


def check_table(data: bytes) -> None:
    """Read the table as it is and as a copy in one piece: both give one result."""
    head, _, rest = data.partition(b"\n")
    try:
        said = json.loads(head)
        table = pa.ipc.open_stream(rest).read_all()
        kind, cuts = said["kind"], said["cuts"]
    except (pa.ArrowException, OSError, ValueError, TypeError, KeyError, MemoryError, UnicodeError):
        return
    parts = [table.slice(start, size) for start, size in itertools.pairwise(cuts)] or [table]
    read = _READERS[kind]
    cut = pa.concat_tables(parts)
    result = _used(read, cut)
    try:
        cut.validate(full=True)
        whole = cut.take(pa.array(range(cut.num_rows), pa.int64()))
    except pa.ArrowException:  # damaged, or of a type whose rows Arrow does not copy
        return
    assert _used(read, whole) == result


def _used(read: Callable[[Any], Any], table: pa.Table) -> Any:
    """Return what was read, in plain Python, or the class of a clear error."""
    try:
        found = read(table)
        if isinstance(found, Games):
            ends = found.positions("last").to_fens()
            return found.moves.flat.tolist() if hasattr(found.moves, "flat") else None, ends, found.plies.tolist()
        if isinstance(found, ScoredPositions):
            return found.positions.to_fens(), found.moves.tolist(), found.scores.tolist()
        if isinstance(found, Positions):
            return found.to_fens(), found.legal_move_counts().tolist()
        if isinstance(found, Moves):
            return found.moves.tolist(), found.offsets.tolist()
        return found.to_pydict() if isinstance(found, pa.Table) else repr(found)
    except CLEAR as error:
        message, kind = str(error), type(error).__name__
    assert message, kind
    return kind


# Files.


@functools.cache
def _files() -> list[bytes]:
    found = []
    for _, table in _tables():
        for compression in ("snappy", "none"):
            out = io.BytesIO()
            pq.write_table(table, out, compression=compression, row_group_size=3, use_dictionary=compression == "none")
            found.append(out.getvalue())
        out = io.BytesIO()
        with pa.ipc.new_file(out, table.schema) as writer:
            writer.write_table(table, max_chunksize=3)
        found.append(out.getvalue())
    return found


def make_file(rng: random.Random) -> bytes:
    """Return a file of a table with damage."""
    return damage(rng, rng.choice(_files()), (), _files())


def check_file(data: bytes) -> None:
    """Read the file as games, and those that meet a condition."""
    for call in (
        lambda: read_pgn(data),
        lambda: read_pgn(data, where="WhiteElo > 1500"),
        lambda: rookery.search(data, "is_check"),
        lambda: rookery.read_training(data, "table"),
        lambda: list(rookery.scan_pgn(data, games=2)),
    ):
        found = answer(call, says=".", expected=CLEAR)
        if isinstance(found, Games):
            found.positions("all").legal_moves()
            found.to_arrow()


TARGETS: Final = (
    Target("arrow-tables", make_table, check_table),
    Target("table-files", make_file, check_file),
)
