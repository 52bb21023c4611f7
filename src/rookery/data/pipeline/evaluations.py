"""Evaluations in files of positions, as columns: the deepest ones of Lichess' dump, and labels of lines of text."""

from typing import Any, Final

import numpy as np

from rookery.data.pipeline.lines import Parse
from rookery.data.training.text.labels import label_of, labels_of
from rookery.frames.arrow import pyarrow_module
from rookery.results import BLACK_WON, DRAWN, WHITE_WON

EVALUATIONS: Final = "evals"
COLUMNS: Final = ("depth", "knodes", "cp", "mate", "line")


def _types() -> tuple[Any, Any]:
    pa = pyarrow_module()
    variation = pa.struct([("cp", pa.int64()), ("mate", pa.int64()), ("line", pa.string())])
    evaluation = pa.struct([("pvs", pa.list_(variation)), ("knodes", pa.int64()), ("depth", pa.int64())])
    return pa.list_(evaluation), variation


def is_of_lichess(schema: Any) -> Any:
    """Return the schema to read a line of the dump with, or None if a schema is not that of the dump."""
    pa = pyarrow_module()
    if EVALUATIONS not in schema.names:
        return None
    kind = schema.field(EVALUATIONS).type
    if not pa.types.is_list(kind) or not pa.types.is_struct(kind.value_type):
        return None
    if {field.name for field in kind.value_type} < {"pvs", "depth"}:
        return None
    place = schema.get_field_index(EVALUATIONS)
    return schema.set(place, pa.field(EVALUATIONS, _types()[0]))


def _place(schema: Any) -> int:
    place: int = schema.get_field_index(EVALUATIONS)
    return place if place >= 0 and schema.field(place).type.equals(_types()[0]) else -1


def flat_schema(schema: Any) -> Any:
    """Return the schema with the columns of the deepest evaluation in place of all evaluations.

    A table that has a column of such a name, too, is a ValueError.
    """
    pa = pyarrow_module()
    place = _place(schema)
    if place < 0:
        return schema
    fields = [f for i, f in enumerate(schema) if i != place]
    if twice := [field.name for field in fields if field.name in COLUMNS]:
        raise ValueError(f"column {twice[0]!r}: {EVALUATIONS} has such a column, too: rename or remove one of both")
    types = [pa.int64(), pa.int64(), pa.int64(), pa.int64(), pa.string()]
    return pa.schema([*fields, *map(pa.field, COLUMNS, types)])


def flat(table: Any) -> Any:
    """Return the table with the columns of the deepest evaluation of each row in place of all evaluations.

    It has the depth, the nodes in thousands, and of the first variation the score in centipawns, the moves to mate, and
    the line. All are null if a row has no evaluation.
    """
    pa = pyarrow_module()
    place = _place(table.schema)
    if place < 0:
        return table
    lists = table.column(place).combine_chunks()
    lists = lists.chunk(0) if isinstance(lists, pa.ChunkedArray) and lists.num_chunks else lists
    values = lists.flatten()
    rows = np.asarray(lists.value_parent_indices() if hasattr(lists, "value_parent_indices") else _parents(lists))
    depth = np.asarray(values.field("depth").fill_null(-1))
    order = np.lexsort((np.arange(depth.size), -depth, rows))
    _, first = np.unique(rows[order], return_index=True)
    index = np.full(len(lists), -1)
    index[rows[order][first]] = order[first]
    chosen = values.take(pa.array(index, mask=index < 0))
    variations = chosen.field("pvs")
    of = [chosen.field("depth"), chosen.field("knodes")]
    offsets = np.asarray(variations.offsets)
    has = (np.diff(offsets) > 0) & ~np.asarray(variations.is_null()) & (index >= 0)
    first_of = variations.values.take(pa.array(offsets[:-1], pa.int64(), mask=~has))
    null = pa.array(index < 0)
    of = [pa.compute.if_else(null, None, column) for column in of]
    more = [pa.compute.if_else(pa.array(has), first_of.field(name), None) for name in ("cp", "mate", "line")]
    table = table.remove_column(place)
    for name, column in zip(COLUMNS, [*of, *more], strict=True):
        table = table.append_column(name, column)
    return table


def _parents(lists: Any) -> Any:
    from rookery.frames.arrow import compute_module

    return compute_module().list_parent_indices(lists)


# Labels of lines, such as ``FEN | 310 | 1.0``.

_RESULTS: Final = {1: WHITE_WON, 0: DRAWN, -1: BLACK_WON, None: None}


def label_schema(fen: str) -> Any:
    """Return the columns of labelled lines: FEN, and centipawns and moves to mate from White's side, and the result."""
    pa = pyarrow_module()
    return pa.schema([(fen, pa.string()), ("cp", pa.int64()), ("mate", pa.int64()), ("result", pa.string())])


def label_parser(schema: Any) -> Parse:
    """Return a function that reads labelled lines as a table."""

    def parse(texts: Any) -> tuple[Any, Any, list[tuple[int, str, str]]]:
        rows, good, bad = [], [], []
        for i, text in enumerate(texts.to_pylist()):
            try:
                label = label_of(labels_of(text))
            except ValueError as error:
                bad.append((i, text, str(error)))
            else:
                rows.append((label.fen, label.cp, label.mate, _RESULTS[label.result]))
                good.append(i)
        columns = zip(*rows, strict=True) if rows else [[]] * len(schema)
        return pyarrow_module().table(list(map(list, columns)), schema=schema), np.array(good, np.int64), bad

    return parse
