"""Functions from record batches to record batches, which any engine with Arrow can run.

Each function is an object that can be pickled. It is called with a ``pyarrow.RecordBatch`` and returns one; given a
table, or a data frame that offers its data as Arrow, it returns a table. Its method ``schema`` declares the schema of
the result. See docs/guides/fens-to-features.md for the line that each engine needs.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from rookery.arguments import choice, shown
from rookery.board.board import Board
from rookery.data.pipeline.features import Feature, Features, arrow_type, check_without_games, computed, features_of
from rookery.frames.arrow import check_table, empty_array, empty_table, is_text, pyarrow_module
from rookery.games.read.reader import read_pgn
from rookery.positions.language.query import Query, query_of
from rookery.positions.positions import Positions

BatchErrors: TypeAlias = Literal["raise", "null", "drop"]
_ERRORS: Final = {name: name for name in ("raise", "null", "drop")}


class BatchFunction:
    """A function from a record batch to a record batch. Its `schema` declares the schema of the result."""

    def schema(self, input_schema: Any) -> Any:
        """Return the Arrow schema of the result for batches with some schema."""
        raise NotImplementedError

    def each(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Yield the result for each of some record batches."""
        yield from map(self, batches)

    def _result(self, batch: Any) -> Any:
        raise NotImplementedError

    def __call__(self, batch: Any) -> Any:
        """Return the result for a record batch; for a table or a data frame, return a table."""
        pa = pyarrow_module()
        if isinstance(batch, pa.RecordBatch):
            return self._result(batch)
        check_table(batch)
        table = batch if isinstance(batch, pa.Table) else pa.table(batch)
        schema = self.schema(table.schema)
        return pa.Table.from_batches([self._result(part) for part in table.to_batches()], schema)


def _fens(batch: Any, fen: str, errors: str) -> Positions:
    """Return the positions of a column of FENs, with placeholders for those that cannot be read."""
    _check_column(batch.schema, fen)
    return Positions.from_fens(batch.column(fen), errors="raise" if errors == "raise" else "mark")


def _check_column(schema: Any, name: str) -> None:
    if name not in schema.names:
        raise ValueError(f"fen: {shown(name)}: no such column: expected one of {', '.join(schema.names)}")
    kind = schema.field(name).type
    if not is_text(getattr(kind, "value_type", kind)):
        raise TypeError(f"fen: {shown(name)}: a column of {str(kind)[:80]}: expected texts")


def _check_name(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name}: {shown(value)}: expected the name of a column")
    return value


class _Annotate(BatchFunction):
    def __init__(self, features: tuple[Feature, ...], fen: str, errors: str, signed: bool) -> None:
        self.features, self.fen, self.errors, self.signed = features, fen, errors, signed

    def _type(self, feature: Feature) -> Any:
        pa = pyarrow_module()
        kind = arrow_type(feature)
        if not self.signed:
            return kind
        return {pa.uint64(): pa.int64(), pa.uint16(): pa.int32()}.get(kind, kind)

    def schema(self, input_schema: Any) -> Any:
        pa = pyarrow_module()
        _check_column(input_schema, self.fen)
        for feature in self.features:
            if feature.name in input_schema.names:
                raise ValueError(f"features: {shown(feature.name)}: is a column of the input: name it otherwise")
        return pa.schema([*input_schema, *(pa.field(f.name, self._type(f)) for f in self.features)])

    def _result(self, batch: Any) -> Any:
        pa = pyarrow_module()
        schema = self.schema(batch.schema)
        positions = _fens(batch, self.fen, self.errors)
        marked = positions.marked
        rows = np.flatnonzero(~marked)
        if marked.any():
            positions = Positions(positions.taken(rows).columns)
        values = computed(self.features, positions)
        columns = [self._signed(feature, column) for feature, column in zip(self.features, values, strict=True)]
        if marked.any() and self.errors == "drop":
            batch = batch.take(pa.array(rows))
        elif marked.any():
            places = np.cumsum(~marked) - 1
            index = pa.array(places, pa.int64(), mask=marked)
            columns = [column.take(index) for column in columns]
        return pa.RecordBatch.from_arrays([*batch.columns, *columns], schema=schema)

    def _signed(self, feature: Feature, column: Any) -> Any:
        kind = self._type(feature)
        pa = pyarrow_module()
        return column.view(kind) if (column.type, kind) == (pa.uint64(), pa.int64()) else column.cast(kind)


class _Search(BatchFunction):
    def __init__(self, query: str, fen: str, errors: str) -> None:
        self.query, self.fen, self.errors = query, fen, errors

    def schema(self, input_schema: Any) -> Any:
        _check_column(input_schema, self.fen)
        return input_schema

    def _result(self, batch: Any) -> Any:
        positions = _fens(batch, self.fen, self.errors)
        rows = np.flatnonzero(~positions.marked)
        found = query_of(self.query).mask(Positions(positions.taken(rows).columns))
        return batch.take(pyarrow_module().array(rows[found]))


class _Games(BatchFunction):
    def schema(self, input_schema: Any) -> Any:
        return self._table(empty_table(input_schema)).schema

    def _result(self, batch: Any) -> Any:
        pa = pyarrow_module()
        table = self._table(pa.Table.from_batches([batch])).combine_chunks()
        schema = self.schema(batch.schema)
        arrays = [table.column(name) for name in schema.names]
        chunks = [c.chunk(0) if c.num_chunks else empty_array(c.type) for c in arrays]
        return pa.RecordBatch.from_arrays([c.cast(f.type) for c, f in zip(chunks, schema, strict=True)], schema=schema)

    @staticmethod
    def _table(table: Any) -> Any:
        return read_pgn(table).to_arrow()


class _Planes(BatchFunction):
    def __init__(self, channels: Any, fen: str, errors: str) -> None:
        self.channels, self.fen, self.errors = channels, fen, errors
        self.size = int(self._planes(Positions.from_boards([Board()])).size)

    def _planes(self, positions: Positions) -> Any:
        return positions.planes(*([] if self.channels is None else [self.channels]), dtype=np.float32)

    def schema(self, input_schema: Any) -> Any:
        pa = pyarrow_module()
        _check_column(input_schema, self.fen)
        return input_schema.append(pa.field("planes", pa.list_(pa.float32(), self.size)))

    def _result(self, batch: Any) -> Any:
        pa = pyarrow_module()
        schema = self.schema(batch.schema)
        positions = _fens(batch, self.fen, self.errors)
        marked = positions.marked
        if self.errors == "drop" and marked.any():
            rows = np.flatnonzero(~marked)
            batch, positions, marked = batch.take(pa.array(rows)), positions.taken(rows), marked[rows]
        values = self._planes(Positions(positions.columns)).reshape(-1)
        mask = pa.array(marked) if marked.any() else None
        planes = pa.FixedSizeListArray.from_arrays(pa.array(values), self.size, mask=mask)
        return pa.RecordBatch.from_arrays([*batch.columns, planes], schema=schema)


def annotate(
    features: Features, fen: str = "fen", errors: BatchErrors = "raise", *, signed: bool = False
) -> BatchFunction:
    """Return a function that adds columns about the positions of the column `fen`.

    `features` is a text such as ``"legal_moves, pawns=count(pawns)"``, a list of texts, or a mapping from names to
    expressions of the query language (see `rookery.annotate`). For a FEN that cannot be read, ``errors="raise"`` raises
    ValueError, ``"null"`` leaves the columns empty, and ``"drop"`` drops the row. With `signed`, words of 64 bits are
    int64 with the same bits, and counts int32: Spark has no unsigned integers. A wrong argument raises ValueError or
    TypeError.

    >>> import pyarrow as pa
    >>> batch = pa.RecordBatch.from_pydict({"fen": ["8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"]})
    >>> annotate("legal_moves, pawns=count(pawns)")(batch).to_pylist()
    [{'fen': '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1', 'legal_moves': 6, 'pawns': 1}]
    """
    found = features_of(features)
    check_without_games(found)
    if not isinstance(signed, bool):
        raise TypeError(f"signed: {shown(signed)}: expected True or False")
    return _Annotate(found, _check_name("fen", fen), choice("errors", errors, _ERRORS), signed)


def search(query: "Query | str", fen: str = "fen", errors: Literal["raise", "drop"] = "raise") -> BatchFunction:
    """Return a function that keeps the rows whose position meets a condition of the query language.

    A set of squares as the query keeps the rows for which it is not empty. `fen` and `errors` are as in `annotate`.

    >>> import pyarrow as pa
    >>> batch = pa.RecordBatch.from_pydict({"fen": ["8/8/8/4k3/8/8/4P3/4K3 w - -", "4k3/8/8/8/8/8/8/4K3 w - -"]})
    >>> search("us.pawns")(batch).num_rows
    1
    """
    made = query_of(query)
    if made.needs_games:
        raise ValueError(f"query: {shown(made.text)}: asks about games: expected a question about positions")
    if made.kind not in ("condition", "set"):
        raise ValueError(f"query: {shown(made.text)}: a {made.kind}: expected a condition or a set")
    return _Search(made.text, _check_name("fen", fen), choice("errors", errors, {"raise": "raise", "drop": "drop"}))


def games() -> BatchFunction:
    """Return a function that reads the games of a column ``movetext``, and returns them as columns.

    The result has the columns of ``Games.to_arrow``: moves, plies, results and the other columns as headers. Games that
    cannot be read to the end say why in the column ``parse_error``.

    >>> import pyarrow as pa
    >>> batch = pa.RecordBatch.from_pydict({"movetext": ["1. e4 e5 2. Nf3 *"]})
    >>> len(games()(batch).column("moves")[0])
    3
    """
    return _Games()


def planes(channels: Any = None, fen: str = "fen", errors: BatchErrors = "raise") -> BatchFunction:
    """Return a function that adds a column ``planes``: for each position a list of float32 of fixed size.

    `channels` are those of ``Positions.planes``; by default those of that method. A list reshaped to (-1, 8, 8) has the
    planes of the position. `fen` and `errors` are as in `annotate`.

    >>> import pyarrow as pa
    >>> batch = pa.RecordBatch.from_pydict({"fen": ["8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"]})
    >>> sum(planes(["our_pawns"])(batch).column("planes")[0].as_py())
    1.0
    """
    return _Planes(channels, _check_name("fen", fen), choice("errors", errors, _ERRORS))


__all__ = ["BatchErrors", "BatchFunction", "annotate", "games", "planes", "search"]
