"""Parquet files joined byte for byte: pyarrow reads the rows of all, and footers of other programs are kept."""

import io
import struct
from pathlib import Path
from typing import Any

import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rookery.data.pipeline import parquet_parts
from rookery.data.pipeline.parquet_parts import MARK, _Reader, _struct, join


def table(first: int, n: int, columns: int = 3) -> pa.Table:
    numbers = range(first, first + n)
    found: dict[str, Any] = {f"number {k}": [i * k if i % 7 else None for i in numbers] for k in range(columns)}
    found["text"] = [f"row {i}" for i in numbers]
    found["list"] = [[i, None, -i] for i in numbers]
    found["truth"] = [bool(i % 2) for i in numbers]
    found["share"] = [i / 3 for i in numbers]
    types = {"text": pa.string(), "list": pa.list_(pa.int64()), "truth": pa.bool_(), "share": pa.float64()}
    fields = [pa.field(name, types.get(name, pa.int64())) for name in found]
    return pa.table(found, pa.schema(fields, {"key": "value" * 50}))


def footer_of(content: bytes) -> bytes:
    (size,) = struct.unpack("<I", content[-8:-4])
    return content[-8 - size : -8]


def written(tables: list[pa.Table], folder: Path, **options: Any) -> list[Path]:
    paths = []
    for i, one in enumerate(tables):
        paths.append(folder / f"{i}.parquet")
        pq.write_table(one, paths[-1], **options)
    return paths


def joined(paths: list[Path]) -> bytes:
    out = io.BytesIO()
    join(out, paths)
    return out.getvalue()


@pytest.mark.parametrize("sizes", [[5], [5, 3], [0, 4, 0], [40, 1, 25, 7]])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"row_group_size": 2},
        {"compression": "none", "use_dictionary": False, "write_statistics": False},
        {"write_page_index": True, "row_group_size": 10},
        {"write_page_checksum": True, "data_page_version": "2.0"},
    ],
)
def test_rows_of_all_files_are_read(sizes: list[int], options: dict[str, Any], tmp_path: Path) -> None:
    firsts = [sum(sizes[:k]) for k in range(len(sizes))]
    tables = [table(first, n) for first, n in zip(firsts, sizes, strict=True)]
    paths = written(tables, tmp_path, **options)
    content = joined(paths)
    checks = bool(options.get("write_page_checksum"))
    file = pq.ParquetFile(io.BytesIO(content), page_checksum_verification=checks)
    assert file.read().equals(pa.concat_tables(tables))
    assert file.metadata.num_rows == sum(sizes)
    assert file.schema_arrow.metadata[b"key"] == b"value" * 50
    parts = [pq.ParquetFile(path).metadata for path in paths]
    groups = [part.row_group(i) for part in parts for i in range(part.num_row_groups)]
    found = [file.metadata.row_group(i) for i in range(file.num_row_groups)]
    assert [group.num_rows for group in found] == [group.num_rows for group in groups]
    assert [group.to_dict()["total_byte_size"] for group in found] == [g.to_dict()["total_byte_size"] for g in groups]
    assert polars.read_parquet(io.BytesIO(content)).height == sum(sizes)


def test_one_file_joined_is_itself_but_for_ordinals(tmp_path: Path) -> None:
    (path,) = written([table(0, 30)], tmp_path, row_group_size=10)
    content, whole = joined([path]), path.read_bytes()
    size = len(whole) - 8 - len(footer_of(whole))
    assert content[:size] == whole[:size]
    assert content[-4:] == MARK
    assert joined([path, path])[:size] == whole[:size]


@pytest.mark.parametrize("columns", [1, 15, 20])
@pytest.mark.parametrize("row_group_size", [1, 30])
def test_footers_are_written_as_they_were_read(columns: int, row_group_size: int, tmp_path: Path) -> None:
    (path,) = written([table(0, 30, columns)], tmp_path, row_group_size=row_group_size)
    own = footer_of(path.read_bytes())
    assert _struct(_Reader(own).struct()) == own
    out = io.BytesIO()
    polars.DataFrame({"a": [1, 2, None], "b": ["x", "y", "z"], "c": [0.5, None, -1.0]}).write_parquet(out)
    other = footer_of(out.getvalue())
    read = _Reader(other).struct()
    assert _Reader(_struct(read)).struct() == read


@pytest.mark.parametrize(
    ("content", "fields"),
    [
        (b"\x00", {}),
        (b"\x15\x02\x00", {1: (5, 1)}),
        (b"\x15\x01\x15\x80\x01\x00", {1: (5, -1), 2: (5, 64)}),
        (b"\x11\x22\x00", {1: (1, None), 3: (2, None)}),
        (b"\x05\x20\x7e\x00", {16: (5, 63)}),
        (b"\xf6\x7f\x00", {15: (6, -64)}),
        (b"\x18\x03abc\x00", {1: (8, b"abc")}),
        (b"\x17" + struct.pack("<d", 0.5) + b"\x00", {1: (7, struct.pack("<d", 0.5))}),
        (b"\x13\x7f\x00", {1: (3, b"\x7f")}),
        (b"\x19\x25\x02\x04\x00", {1: (9, (5, [1, 2]))}),
        (b"\x19\x21\x01\x02\x00", {1: (9, (1, [b"\x01", b"\x02"]))}),
        (b"\x19\xf5\x0f" + b"\x02" * 15 + b"\x00", {1: (9, (5, [1] * 15))}),
        (b"\x19\xe5" + b"\x02" * 14 + b"\x00", {1: (9, (5, [1] * 14))}),
        (b"\x1c\x15\x04\x00\x00", {1: (12, {1: (5, 2)})}),
        (b"\x16\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00", {1: (6, (1 << 63) - 1)}),
        (b"\x16\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00", {1: (6, -(1 << 63))}),
    ],
)
def test_fields_of_thrift(content: bytes, fields: Any) -> None:
    """Bytes by the description of Thrift's compact protocol."""
    assert _Reader(content).struct() == fields
    assert _struct(fields) == content


def test_a_type_that_no_footer_has_is_refused() -> None:
    with pytest.raises(ValueError, match="a footer of Parquet with a field of type 11: expected a type of parquet"):
        _Reader(b"\x1b\x00").struct()


class Slow(io.BytesIO):
    """A file of which the system gives two bytes at a time."""

    name = "slow.parquet"

    def read(self, size: int | None = -1) -> bytes:
        return super().read(min(size or 0, 2))


@pytest.mark.parametrize("copied", [1, 3, 10, 11, 100])
def test_bytes_are_copied_however_few_come(copied: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_parts, "COPIED", copied)
    out = io.BytesIO()
    parquet_parts.copy(Slow(b"0123456789rest"), out, 10)
    assert out.getvalue() == b"0123456789"
    with pytest.raises(OSError, match=r"was cut while it was read.*slow"):
        parquet_parts.copy(Slow(b"012345"), io.BytesIO(), 7)
