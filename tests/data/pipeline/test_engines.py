"""Functions of batches on real engines, in local mode: each line is one of docs/guides/fens-to-features.md."""

import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
import pytest
from test_pipeline_annotate import FENS

from rookery import batches

pytestmark = pytest.mark.filterwarnings("ignore")  # engines warn of one another
COUNTS = [chess.Board(fen).legal_moves.count() for fen in FENS]
TABLE = pa.table({"id": range(len(FENS)), "fen": FENS})
annotate = batches.annotate("legal_moves, pawns=count(pawns), attacks")


@pytest.fixture
def parquet(tmp_path: Path) -> Path:
    pq.write_table(TABLE, tmp_path / "fens.parquet", row_group_size=11)
    return tmp_path / "fens.parquet"


def test_pyarrow_dataset(parquet: Path) -> None:
    scan = pa.dataset.dataset(parquet).to_batches()
    table = pa.Table.from_batches(map(annotate, scan))
    assert table.column("legal_moves").to_pylist() == COUNTS
    assert table.schema == annotate.schema(TABLE.schema)


def test_polars() -> None:
    polars = pytest.importorskip("polars", reason="polars is not installed")
    frame = polars.DataFrame({"fen": FENS})
    found = (
        frame.lazy().map_batches(lambda part: polars.from_arrow(annotate(part)), validate_output_schema=False).collect()
    )
    assert found["legal_moves"].to_list() == COUNTS


def test_duckdb(parquet: Path) -> None:
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    reader = pa.ipc.RecordBatchReader.from_batches(TABLE.schema, TABLE.to_batches(7))
    annotated = pa.RecordBatchReader.from_batches(annotate.schema(reader.schema), map(annotate, reader))
    assert annotated is not None
    assert duckdb.sql("select sum(legal_moves) from annotated").fetchall() == [(sum(COUNTS),)]


@pytest.mark.engines
def test_dask(parquet: Path) -> None:
    frames = pytest.importorskip("dask.dataframe", reason="dask is not installed")
    frame = frames.read_parquet(parquet, split_row_groups=True)
    empty = annotate(frame._meta).to_pandas()
    annotated = frame.map_partitions(lambda part: annotate(part).to_pandas(), meta=empty)
    found = annotated.compute(scheduler="processes", num_workers=2)
    assert found["legal_moves"].tolist() == COUNTS


@pytest.mark.engines
def test_ray(parquet: Path) -> None:
    ray = pytest.importorskip("ray", reason="ray is not installed")
    data = pytest.importorskip("ray.data", reason="ray.data is not installed")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        found = data.read_parquet(str(parquet)).map_batches(annotate, batch_format="pyarrow")
        rows = sorted(found.take_all(), key=lambda row: row["id"])
    finally:
        ray.shutdown()
    assert [row["legal_moves"] for row in rows] == COUNTS


@pytest.mark.engines
def test_spark(parquet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed")
    types = pytest.importorskip("pyspark.sql.pandas.types", reason="pyspark is not installed")
    signed = batches.annotate("legal_moves, pawns=count(pawns), attacks", signed=True)
    try:
        spark = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    except Exception as error:
        pytest.skip(f"Spark does not start: {error}")
    try:
        frame = spark.read.parquet(str(parquet))
        schema = types.from_arrow_schema(signed.schema(TABLE.schema))
        rows = frame.mapInArrow(signed.each, schema).orderBy("id").collect()
    finally:
        spark.stop()
    assert [row.legal_moves for row in rows] == COUNTS
    attacks = annotate(TABLE).column("attacks").to_pylist()
    assert [row.attacks % (1 << 64) for row in rows] == attacks


# What all engines rely on.


FUNCTIONS: dict[str, Callable[[], Any]] = {
    "annotate": lambda: annotate,
    "signed": lambda: batches.annotate("legal_moves, signature, is_check", errors="null", signed=True),
    "search": lambda: batches.search("us.pawns"),
    "planes": batches.planes,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_pickles_and_declared_schemas(name: str) -> None:
    function, batch = FUNCTIONS[name](), TABLE.to_batches()[0]
    again = pickle.loads(pickle.dumps(function))
    for part in (batch, batch.slice(3, 4), batch.slice(0, 0)):
        assert again(part).schema == function.schema(batch.schema)
        assert again(part).equals(function(part))


def test_bad_fens_of_a_batch() -> None:
    batch = pa.RecordBatch.from_pydict({"fen": [FENS[0], "bad", None, FENS[1]]})
    with pytest.raises(ValueError, match="line 2: FEN: 'bad'"):
        batches.annotate("legal_moves")(batch)
    assert batches.annotate("legal_moves", errors="null")(batch).column("legal_moves").to_pylist() == [
        COUNTS[0],
        None,
        None,
        COUNTS[1],
    ]
    assert batches.annotate("legal_moves", errors="drop")(batch).column("fen").to_pylist() == FENS[:2]
    planes = batches.planes(["our_pawns"], errors="null")(batch).column("planes")
    assert [None if p is None else int(sum(p)) for p in planes.to_pylist()] == [8, None, None, 8]


def test_search_keeps_rows() -> None:
    boards = [chess.Board(fen) for fen in FENS]
    found = batches.search("is_check")(TABLE).column("fen").to_pylist()
    assert found == [fen for fen, board in zip(FENS, boards, strict=True) if board.is_check()]


def test_games_of_a_column_of_movetext() -> None:
    batch = pa.RecordBatch.from_pydict({"White": ["Anna", "Ben"], "movetext": ["1. e4 e5 *", "1. d4 Qxe9 *"]})
    function = pickle.loads(pickle.dumps(batches.games()))
    found = function(batch)
    assert found.schema == function.schema(batch.schema)
    assert [len(moves) for moves in found.column("moves").to_pylist()] == [2, 1]
    assert found.column("White").to_pylist() == ["Anna", "Ben"]
    assert found.column("parse_error").to_pylist()[0] is None


def test_planes_are_those_of_positions() -> None:
    planes = np.array(batches.planes()(TABLE).column("planes").to_pylist()).reshape(len(FENS), -1, 8, 8)
    for fen, made in zip(FENS, planes, strict=True):
        board = chess.Board(fen)
        own = board.pieces_mask(chess.PAWN, board.turn)
        if not board.turn:
            own = chess.flip_vertical(own)
        assert made[0].reshape(64).tolist() == [own >> square & 1 for square in range(64)]
