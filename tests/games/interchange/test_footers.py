"""Footers of Parquet files: each is parsed once, and again when the file is another one."""

import io
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from rookery.games.interchange.footers import Footers


def written(path: Path, *names: str) -> Path:
    pq.write_table(pa.table({name: [1, 2] for name in names}), path)
    return path


def test_the_schema_of_a_file_is_read_once(tmp_path: Path) -> None:
    footers = Footers()
    paths = [written(tmp_path / f"{k}.parquet", f"column {k}") for k in range(5)]
    schemas = [footers.opened(path, path)[1] for path in paths[:4]]
    assert [schema.names for schema in schemas] == [[f"column {k}"] for k in range(4)]
    assert all(footers.opened(path, path)[1] is schema for path, schema in zip(paths, schemas, strict=False))
    fifth = footers.opened(paths[4], paths[4])[1]  # no more than four are known
    assert footers.opened(paths[4], paths[4])[1] is fifth
    assert footers.opened(paths[0], paths[0])[1] is not schemas[0]


def test_a_file_that_was_replaced_is_read_again(tmp_path: Path) -> None:
    footers, path = Footers(), written(tmp_path / "a.parquet", "a")
    assert footers.opened(path, path)[1].names == ["a"]
    written(path, "a", "b")
    opened, schema = footers.opened(path, path)
    assert schema.names == ["a", "b"]
    assert opened.metadata.num_columns == 2


def test_bytes_are_not_remembered(tmp_path: Path) -> None:
    footers = Footers()
    for names in (["a"], ["b", "c"]):
        content = written(tmp_path / "a.parquet", *names).read_bytes()
        opened, schema = footers.opened(io.BytesIO(content), memoryview(content))
        assert schema.names == names
        assert opened.read().column_names == names
