"""Data frame libraries take positions as they are, and their columns are lines."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from corpus import EDGES
from rookery.positions.layout import Columns
from rookery.positions.positions import Positions
from rookery.rules.notation.start import START

GAPS = [START, None, "bad", *EDGES]
NAMES = list(Columns._fields)


def edges() -> Positions:
    return Positions.from_fens(list(EDGES))


def assert_gaps(source: Any) -> None:
    positions = Positions.from_fens(source, errors="mark")
    assert positions == Positions.from_fens(GAPS, errors="mark")
    assert [(bad.line, bad.text) for bad in positions.bad_lines] == [(2, None), (3, "bad")]
    batches = list(Positions.scan_fens(source, batch_size=2, errors="mark"))
    assert Positions.concatenate(batches) == positions
    assert [bad.line for batch in batches for bad in batch.bad_lines] == [2, 3]


def test_pyarrow_takes_positions() -> None:
    positions = edges()
    table = pa.table(positions)
    assert table == positions.to_arrow()
    assert np.shares_memory(table["kings"].chunk(0).to_numpy(), positions.columns.kings)
    assert pa.schema(positions) == table.schema
    assert pa.RecordBatchReader.from_stream(positions).read_all() == table
    assert Positions.from_arrow(pa.table(positions)) == positions
    assert Positions.from_arrow(positions) == positions
    assert pa.table(positions[:0]).num_rows == 0


def test_the_requested_schema() -> None:
    requested = pa.schema([(name, pa.uint64()) for name in NAMES])
    assert pa.table(edges(), schema=requested).schema == requested


def test_the_memory_outlives_the_positions() -> None:
    table = pa.table(edges())
    scribble = [edges() for _ in range(50)]
    assert Positions.from_arrow(table) == scribble[0]


def test_polars() -> None:
    polars = pytest.importorskip("polars")
    positions = edges()
    frame = polars.DataFrame(positions)
    assert frame.columns == NAMES
    assert set(frame.dtypes) == {polars.UInt64}
    assert frame["white"].to_list() == positions.columns.white.tolist()
    assert Positions.from_arrow(frame) == positions
    assert Positions.from_arrow(frame.with_columns(score=polars.lit(1.0))) == positions
    assert_gaps(polars.Series(GAPS))
    assert_gaps(polars.Series(GAPS, dtype=polars.Categorical))
    assert_gaps(polars.DataFrame({"fen": GAPS})["fen"])
    with pytest.raises(TypeError, match="pass the column of the table that has the FENs"):
        Positions.from_fens(polars.DataFrame({"fen": GAPS}))
    with pytest.raises(TypeError, match=r"^lines: a column of int64: expected texts"):
        Positions.from_fens(polars.Series([1, 2]))


def test_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    positions = edges()
    if hasattr(pandas.DataFrame, "from_arrow"):  # since 3.0
        frame = pandas.DataFrame.from_arrow(positions)
        assert list(frame.columns) == NAMES
        assert Positions.from_arrow(frame) == positions
    for series in (pandas.Series(GAPS), pandas.Series(GAPS, dtype=object), pandas.Series(GAPS, dtype="category")):
        assert_gaps(series)
    # An index that does not count from 0 is no matter.
    assert_gaps(pandas.Series(["x", *GAPS])[1:])
    mixed = pandas.Series([START, float("nan"), pandas.NA, None], dtype=object)
    assert Positions.from_fens(mixed, errors="mark").marked.tolist() == [False, True, True, True]
    with pytest.raises(TypeError, match=r"^lines\[1\]: 5: expected text"):
        Positions.from_fens(pandas.Series([START, 5], dtype=object))


def test_duckdb() -> None:
    duckdb = pytest.importorskip("duckdb")
    positions = edges()
    number, kings = duckdb.sql("select count(*), bit_xor(kings) from positions").fetchall()[0]
    assert number == len(positions)
    assert kings == np.bitwise_xor.reduce(positions.columns.kings)
    assert Positions.from_arrow(duckdb.sql("select * from positions").to_arrow_table()) == positions
    fens = positions.to_fens(en_passant="fen")
    texts = pa.table({"fen": fens})
    assert duckdb.sql("select count(*) from texts").fetchall() == [(len(texts),)]
    column = duckdb.sql("select fen from texts").to_arrow_table()["fen"]
    assert Positions.from_fens(column).to_fens(en_passant="fen") == fens
