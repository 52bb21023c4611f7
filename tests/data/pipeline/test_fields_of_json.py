"""Fields of JSON lines: large whole numbers stay whole, and fields that the first lines lack are reported."""

import json
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pytest

import rookery
from rookery import scan

FEN: Final = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
FIRST: Final = 1_000  # lines whose fields are those of all


def written(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join(json.dumps({"fen": FEN, **row}) + "\n" for row in rows))
    return path


@pytest.mark.parametrize(
    ("numbers", "kind"),
    [
        ([1, (1 << 63) - 1, -(1 << 63)], pa.int64()),
        ([1, 1 << 63], pa.uint64()),
        ([(1 << 64) - 1, None, 0], pa.uint64()),
        ([1 << 63, 2, 12345678901234567890], pa.uint64()),
        ([1, 1.5], pa.float64()),
    ],
)
def test_whole_numbers_stay_whole(numbers: list[Any], kind: Any, tmp_path: Path) -> None:
    found = scan(written(tmp_path / "a.jsonl", [{"n": n} for n in numbers])).collect()
    assert (found.schema.field("n").type, found.column("n").to_pylist()) == (kind, numbers)


def test_keys_are_read_back(tmp_path: Path) -> None:
    keys = scan("docs/lichess-2025-05.pgn.zst").select("fen", "key").collect()
    assert max(keys.column("key").to_pylist()) >= 1 << 63
    scan("docs/lichess-2025-05.pgn.zst").select("fen", "key").write_jsonl(tmp_path / "a.jsonl")
    assert scan(tmp_path / "a.jsonl").collect().equals(keys)


@pytest.mark.filterwarnings("ignore:.* could not be read to the end")
def test_a_negative_number_among_large_ones_is_reported(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", [{"n": 1 << 63}, {"n": -1}, {"n": 3}])
    written_rows = scan(path).write_csv(tmp_path / "b.csv", errors=tmp_path / "bad.jsonl")
    assert (written_rows.rows, written_rows.bad) == (2, 1)
    assert json.loads((tmp_path / "bad.jsonl").read_text())["line"] == 2


@pytest.mark.parametrize(
    ("early", "late", "kept", "name"),
    [
        ({"a": 1}, {"a": 2, "late": 5}, 2, "late"),
        ({"a": {"x": 1}}, {"a": {"x": 2, "y": 2}}, {"x": 2}, "a.y"),
        ({"a": [{"x": 1}]}, {"a": [{"x": 1}, {"x": 2, "y": 2}]}, [{"x": 1}, {"x": 2}], "a.y"),
    ],
)
def test_later_fields_are_reported(early: Any, late: Any, kept: Any, name: str, tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", [*[early] * FIRST, late, early, late])
    done = rookery.annotate(path, tmp_path / "b.jsonl", "legal_moves", errors=tmp_path / "bad.jsonl")
    assert (done.rows, done.bad) == (FIRST + 3, 2)
    bad = [json.loads(line) for line in (tmp_path / "bad.jsonl").read_text().splitlines()]
    assert [row["line"] for row in bad] == [FIRST + 1, FIRST + 3]
    assert {row["reason"] for row in bad} == {f"{name}: not a field of the first lines: left out"}
    last = json.loads((tmp_path / "b.jsonl").read_text().splitlines()[-1])
    assert last["a"] == kept


def test_lines_that_cannot_be_read_are_reported_with_later_fields(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", [{"a": 1}] * FIRST)
    with path.open("a") as file:
        file.write("not json\n" + json.dumps({"fen": FEN, "late": 1}) + "\n" + json.dumps({"fen": FEN}) + "\n")
    done = rookery.annotate(path, tmp_path / "b.jsonl", "legal_moves", errors=tmp_path / "bad.jsonl")
    assert (done.rows, done.bad) == (FIRST + 2, 2)
    lines = (tmp_path / "bad.jsonl").read_text().splitlines()
    assert sorted(json.loads(line)["line"] for line in lines) == [FIRST + 1, FIRST + 2]
