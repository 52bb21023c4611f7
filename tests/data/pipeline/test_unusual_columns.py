"""Columns of types that rookery cannot look at pass through plans and `annotate` as they are, with rows or without."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rookery
from rookery import scan
from rookery.frames.arrow import empty_array, empty_table, whole_array

FEN: Final = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
SIZE: Final = 4  # rows


class Code(pa.ExtensionType):  # type: ignore[misc]  # pyarrow has no types
    """A number that a program gives a type of its own."""

    def __init__(self) -> None:
        super().__init__(pa.int64(), "test.code")

    def __arrow_ext_serialize__(self) -> bytes:
        return b""

    @classmethod
    def __arrow_ext_deserialize__(cls, storage: Any, text: bytes) -> "Code":
        return cls()


@pytest.fixture(autouse=True)
def _types() -> Iterator[None]:
    pa.register_extension_type(Code())
    yield
    pa.unregister_extension_type("test.code")


def codes() -> Any:
    return pa.ExtensionArray.from_storage(Code(), pa.array(range(SIZE), pa.int64()))


COLUMNS: Final[dict[str, Callable[[], Any]]] = {
    "code": codes,
    "lists": lambda: pa.ListArray.from_arrays(pa.array(range(SIZE + 1), pa.int32()), codes()),
    "structures": lambda: pa.StructArray.from_arrays([codes()], ["a"]),
    "union": lambda: pa.UnionArray.from_sparse(pa.array([0] * SIZE, pa.int8()), [pa.array(range(SIZE))]),
    "bytes": lambda: pa.array([b"a", None, b"", b"\xff"]),
    "dictionary": lambda: pa.DictionaryArray.from_arrays(pa.array([0, 1, None, 0], pa.int8()), pa.array(["a", "b"])),
    "half": lambda: pa.array([1.5, None, 0.0, -2.0], pa.float32()).cast(pa.float16()),
    "decimal": lambda: pa.array([1, 2, None, 4], pa.decimal128(5, 2)),
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_arrays_and_tables_without_rows(kind: str) -> None:
    array = COLUMNS[kind]()
    assert (empty_array(array.type).type, len(empty_array(array.type))) == (array.type, 0)
    schema = pa.schema([pa.field("x", array.type), pa.field("n", pa.int8(), nullable=False)], {"key": "value"})
    assert (empty_table(schema).num_rows, empty_table(schema).schema) == (0, schema)
    assert empty_table(schema).schema.metadata == {b"key": b"value"}
    decoded = pa.large_string() if kind == "dictionary" else array.type
    assert whole_array(pa.chunked_array([], array.type)).type == decoded


def made(kind: str, rows: str) -> Any:
    """Return a table with a column of a kind, without rows, or with a FEN that cannot be read, or with good rows."""
    table = pa.table({"fen": ["bad" if rows == "bad" else FEN] * SIZE, "x": COLUMNS[kind]()})
    return table.slice(0, 0) if rows == "none" else table


def stored(table: Any, path: Path) -> Path:
    with pa.ipc.new_file(path, table.schema) as file:
        file.write_table(table, 3)
    return path


@pytest.mark.parametrize("rows", ["none", "bad", "good"])
@pytest.mark.parametrize("kind", COLUMNS)
def test_annotate_keeps_them(kind: str, rows: str, tmp_path: Path) -> None:
    table = made(kind, rows)
    source = stored(table, tmp_path / "a.arrow")
    rookery.annotate(source, tmp_path / "b.arrow", "legal_moves")
    found = pa.ipc.open_file(tmp_path / "b.arrow").read_all()
    assert found.column("x").to_pylist() == (table.column("x").to_pylist() if rows == "good" else [])
    assert found.schema.field("x").type == table.schema.field("x").type
    if kind != "union":
        rookery.annotate(source, tmp_path / "b.parquet", "legal_moves")
        assert pq.read_table(tmp_path / "b.parquet").column("x").to_pylist() == found.column("x").to_pylist()


@pytest.mark.parametrize("rows", ["none", "good"])
@pytest.mark.parametrize("kind", COLUMNS)
def test_plans_keep_them(kind: str, rows: str, tmp_path: Path) -> None:
    table = made(kind, rows)
    for source in (table, stored(table, tmp_path / "a.arrow")):
        plan = scan(source).where("fen != ''").select("fen, x")
        for changed in (plan, plan.shuffle(1).sort("fen"), plan.unique("fen")):
            changed.write_arrow(tmp_path / "b.arrow")
            found = pa.ipc.open_file(tmp_path / "b.arrow").read_all()
            assert found.schema.field("x").type == table.schema.field("x").type
            expected = sorted(map(str, table.column("x").to_pylist()))
            values = sorted(map(str, found.column("x").to_pylist()))
            assert values == expected if found.num_rows != 1 else values[0] in expected


@pytest.mark.parametrize("kind", [kind for kind in COLUMNS if kind not in ("dictionary", "half")])
def test_conditions_about_them_name_their_type(kind: str, tmp_path: Path) -> None:
    with pytest.raises(TypeError, match=r"^x: a column of .*: expected texts, numbers"):
        scan(made(kind, "good")).where("x == 'a'").write_arrow(tmp_path / "b.arrow")


VIEWS: Final[dict[str, Callable[[], Any]]] = {
    "texts": lambda: pa.array(["a", None, "", "x" * 40], pa.string_view()),
    "bytes": lambda: pa.array([b"a", None, b"", b"x" * 40], pa.binary_view()),
    "lists": lambda: pa.array([["a", None], [], None, ["x" * 40]], pa.list_(pa.string_view())),
    "long lists": lambda: pa.array([["a", None], [], None, ["x" * 40]], pa.large_list(pa.string_view())),
    "structures": lambda: pa.array(
        [{"a": "b"}, None, {"a": None}, {"a": "x" * 40}], pa.struct([("a", pa.string_view())])
    ),
    "categories": lambda: pa.DictionaryArray.from_arrays(
        pa.array([0, None, 1, 0], pa.uint32()), pa.array(["a", "b"], pa.string_view())
    ),
}


@pytest.mark.parametrize("kind", VIEWS)
def test_views_are_read_as_what_they_show(kind: str, tmp_path: Path) -> None:
    fens = [FEN.replace(" 1", f" {i}") for i in (3, 1, 2, 4)]
    table = pa.table({"fen": pa.array(fens, pa.string_view()), "x": VIEWS[kind]()})
    values = table.column("x").to_pylist()
    for source in (table, table.to_batches()[0], stored(table, tmp_path / "a.arrow")):
        plan = scan(source).where("fen != ''").select("fen", "x")
        for changed in (plan, plan.shuffle(1), plan.sort("fen"), plan.unique("fen"), plan.sample(4)):
            changed.write_parquet(tmp_path / "a.parquet")
            found = pq.read_table(tmp_path / "a.parquet")
            assert dict(zip(*(found.column(name).to_pylist() for name in ("fen", "x")), strict=True)) == dict(
                zip(fens, values, strict=True)
            )
        if kind in ("texts", "categories"):
            plan.write_csv(tmp_path / "a.csv")
            assert scan(tmp_path / "a.csv").collect().column("x").to_pylist() == values


def test_data_frames_of_polars_are_sources() -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"fen": [FEN, FEN.replace(" 1", " 9")], "t": ["a", None], "n": [2, 1]})
    found = scan(frame).select("t", "n", "legal_moves")
    assert found.sort("n").collect().to_pylist() == [
        {"t": None, "n": 1, "legal_moves": 6},
        {"t": "a", "n": 2, "legal_moves": 6},
    ]


@pytest.mark.parametrize("kind", COLUMNS)
def test_first_values_of_them(kind: str, tmp_path: Path) -> None:
    scan(made(kind, "good")).group_by("fen").agg("first(x)").write_arrow(tmp_path / "b.arrow")
    (first,) = pa.ipc.open_file(tmp_path / "b.arrow").read_all().column(1).to_pylist()
    assert first == COLUMNS[kind]()[0].as_py()
