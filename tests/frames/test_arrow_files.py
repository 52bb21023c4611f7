"""Files of Arrow tables: Parquet with checksums, Arrow files in batches, and reads of a part."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rookery.frames import arrow_files
from rookery.frames.arrow_files import (
    CheckedParquet,
    columns_of_batch,
    joined_tables,
    one_batch,
    open_parquet,
    read_batch,
    read_group,
    rows_taken,
    write_batches,
    write_parquet,
    writer_for,
)

pa = pytest.importorskip("pyarrow")
ipc = pytest.importorskip("pyarrow.ipc")
parquet = pytest.importorskip("pyarrow.parquet")


def batch(*numbers: int) -> Any:
    columns = [pa.array(numbers, pa.int64()), pa.array([f"row {n}" for n in numbers], pa.string())]
    return pa.record_batch(columns, ["n", "t"])


def rows(data: Any) -> list[int]:
    """Return the numbers of a batch or table, after a check of its other column."""
    values = data.to_pydict()
    assert values["t"] == [f"row {n}" for n in values["n"]]
    return list(values["n"])


def test_batches_as_one() -> None:
    single = batch(1, 2)
    assert one_batch([single]) is single
    assert rows(one_batch([batch(1), batch(), batch(2, 3)])) == [1, 2, 3]
    nothing = one_batch([batch(), batch()])
    assert nothing.num_rows == 0
    assert nothing.schema == single.schema


@pytest.mark.parametrize(
    ("size", "most", "expected"),
    [(5, None, [5]), (5, 2, [2, 2, 1]), (4, 2, [2, 2]), (2, 3, [2]), (1, None, [1]), (0, None, []), (0, 2, [])],
)
def test_batches_of_a_file(size: int, most: int | None, expected: list[int]) -> None:
    file = io.BytesIO()
    write_batches(file, batch(*range(size)), most)
    reader = ipc.open_file(file.getvalue())
    parts = [reader.get_batch(i) for i in range(reader.num_record_batches)]
    assert [part.num_rows for part in parts] == expected
    assert rows(reader.read_all()) == list(range(size))


@pytest.mark.parametrize(("start", "stop"), [(0, 4), (1, 3), (2, 2), (3, 4)])
def test_some_rows_of_a_file(tmp_path: Path, start: int, stop: int) -> None:
    path = tmp_path / "rows.arrow"
    with path.open("wb") as file:
        write_batches(file, batch(0, 1, 2, 3, 9, 9), 4)
    assert rows(read_batch(path, start, stop)) == list(range(start, stop))


def test_some_columns_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "rows.arrow"
    with path.open("wb") as file:
        write_batches(file, batch(5, 6, 9), 2)
    assert columns_of_batch(path, ["t"]).to_pydict() == {"t": ["row 5", "row 6"]}
    assert columns_of_batch(path, ["n"]).to_pydict() == {"n": [5, 6]}
    assert rows(columns_of_batch(path, ["n", "t"])) == [5, 6]


def test_parquet(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    with path.open("wb") as file:
        write_parquet(file, {"n": np.array([1, 2, 3]), "f": np.array([0.5, np.nan, 1.0])}, row_group_size=2)
    opened = open_parquet(path)
    assert opened.num_row_groups == 2
    assert read_group(opened, path, 0).to_pydict() == {"n": [1, 2], "f": [0.5, None]}
    assert read_group(opened, path, 1, ["n"]).to_pydict() == {"n": [3]}
    assert b"ARROW:schema" not in (opened.metadata.metadata or {})


def test_parquet_in_parts(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    table = pa.table(batch(1, 2))
    with path.open("wb") as file, writer_for(file, table, compression="none") as writer:
        writer.write_table(table)
        writer.write_table(table)
    opened = open_parquet(path)
    assert [rows(read_group(opened, path, group)) for group in (0, 1)] == [[1, 2], [1, 2]]
    assert opened.metadata.row_group(0).column(0).compression == "UNCOMPRESSED"
    assert b"ARROW:schema" not in (opened.metadata.metadata or {})


@pytest.mark.parametrize("in_parts", [False, True])
def test_damaged_pages_are_found(tmp_path: Path, in_parts: bool) -> None:
    path = tmp_path / "rows.parquet"
    numbers = np.arange(1000) * 0x0101010101
    plain: dict[str, Any] = {"compression": "none", "use_dictionary": False}
    with path.open("wb") as file:
        if in_parts:
            table = pa.table({"n": numbers})
            with writer_for(file, table, **plain) as writer:
                writer.write_table(table)
        else:
            write_parquet(file, {"n": numbers}, **plain)
    content = bytearray(path.read_bytes())
    place = content.index(numbers[500].tobytes())
    content[place] ^= 1
    path.write_bytes(content)
    opened = open_parquet(path)
    with pytest.raises((OSError, ValueError), match="CRC checksum"):
        read_group(opened, path, 0)
    assert parquet.ParquetFile(path).read().num_rows == 1000, "pyarrow alone does not look"


def test_pages_are_checked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "rows.parquet"
    table = pa.table(batch(*range(6)))
    with path.open("wb") as file, writer_for(file, table, compression="none", use_dictionary=False) as writer:
        writer.write_table(table, row_group_size=2)
    content = path.read_bytes()
    place = content.index(np.array([4, 5]).tobytes())
    path.write_bytes(content[:place] + b"x" + content[place + 1 :])
    used: list[Any] = []
    read_group = arrow_files.read_group

    def noted(file: Any, *rest: Any) -> Any:
        used.append(file)
        return read_group(file, *rest)

    monkeypatch.setattr(arrow_files, "read_group", noted)
    opened = CheckedParquet(path)
    assert opened.metadata.num_row_groups == 3
    for group, columns in ((0, None), (0, None), (1, ["n"]), (1, None), (1, ["n"]), (0, None)):
        found = opened.read(group, columns)
        assert found.column("n").to_pylist() == [2 * group, 2 * group + 1]
        assert found.num_columns == (1 if columns else 2)
    assert [used.index(file) for file in used] == [0, 1, 0, 0, 1, 1]  # the first of two files checks
    for _ in range(2):
        with pytest.raises(OSError, match=r"rows\.parquet: damaged: .*CRC checksum"):
            opened.read(2)
    assert opened.read(2, ["t"]).column("t").to_pylist() == ["row 4", "row 5"]


def test_joined_tables() -> None:
    table = joined_tables([pa.table({"a": [1]}), pa.table({"b": ["x"], "a": [2]})])
    assert table.to_pydict() == {"a": [1, 2], "b": [None, "x"]}


def test_rows_taken() -> None:
    table = pa.table(batch(5, 6, 7))
    assert rows(rows_taken(table, np.array([2, 0, 0]))) == [7, 5, 5]
    assert rows(rows_taken(table, np.zeros(0, np.int64))) == []
