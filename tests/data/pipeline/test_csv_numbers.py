"""Columns of numbers in CSV: what is a number, in any division of the file, and what becomes of other values."""

import csv
import gzip
import io
import json
import math
import statistics
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from rookery import annotate, scan
from rookery.sources.failures import DamagedFileWarning

FEN = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"
RATINGS = [str(9_000 - 37 * i % 8_900) for i in range(3_000)]  # of one to four digits: texts have another order


def rows(values: list[str], name: str = "Rating") -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([("fen", name), *((FEN, value) for value in values)])
    return text.getvalue()


def written(folder: Path, values: list[str], name: str = "rows.csv") -> Path:
    path = folder / name
    path.write_text(rows(values))
    return path


@pytest.mark.parametrize(
    ("values", "kind", "numbers"),
    [
        (["5", "", "-17"], pa.int64(), [5, None, -17]),
        (["+56", "0", "999999999999999999"], pa.int64(), [56, 0, 10**18 - 1]),
        (["5", "1.50", ".5", "-2e3"], pa.float64(), [5, 1.5, 0.5, -2000]),
        (["5", "007"], pa.string(), ["5", "007"]),
        (["5", "1000000000000000000"], pa.string(), ["5", "1000000000000000000"]),
        (["1_000", "5"], pa.string(), ["1_000", "5"]),
        (["nan", "5"], pa.string(), ["nan", "5"]),
        (["0x10", "5"], pa.string(), ["0x10", "5"]),
        ([" 5", "5"], pa.string(), [" 5", "5"]),
        (["", ""], pa.string(), [None, None]),
    ],
)
def test_what_is_a_number(values: list[str], kind: pa.DataType, numbers: list[object], tmp_path: Path) -> None:
    column = scan(written(tmp_path, values)).select("Rating").collect()["Rating"]
    assert (column.type, column.to_pylist()) == (kind, numbers)


def test_verbs_see_numbers_in_any_division(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [written(tmp_path, RATINGS), tmp_path / "rows.csv.gz"]
    paths[1].write_bytes(gzip.compress(paths[0].read_bytes()))
    numbers = sorted(map(int, RATINGS))
    steps: dict[float, int] = {}
    for number in numbers:
        steps[math.floor(number / 100) * 100] = steps.get(math.floor(number / 100) * 100, 0) + 1
    for path in paths:
        for size in (1 << 24, 1 << 12):
            monkeypatch.setattr("rookery.data.pipeline.inputs.TASK_BYTES", size)
            plan = scan(path)
            assert plan.select("Rating").sort("Rating").collect()["Rating"].to_pylist() == numbers
            assert plan.select("fen").sort("Rating").collect().num_rows == len(numbers)
            (mean,) = plan.group_by("fen").agg("mean(Rating)").collect()["mean(Rating)"].to_pylist()
            assert mean == pytest.approx(statistics.fmean(numbers), abs=1e-9)
            groups = plan.group_by(step="Rating // 100 * 100").agg("count").collect()
            assert dict(zip(*groups.to_pydict().values(), strict=True)) == steps
            assert plan.where("Rating > 8000").collect().num_rows == sum(n > 8000 for n in numbers)


def test_other_values_are_null_and_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    values = [*["5"] * 1_200, "x", "", "25e", *["7"] * 300]
    path = written(tmp_path, values)
    expected = [int(value) if value in ("5", "7") else None for value in values]
    for size in (1 << 24, 1 << 12):
        monkeypatch.setattr("rookery.data.pipeline.inputs.TASK_BYTES", size)
        with pytest.warns(DamagedFileWarning, match="2 rows or games"):
            done = scan(path).write(tmp_path / "out.parquet", errors=tmp_path / "bad.jsonl", force=True)
        assert (done.rows, done.bad) == (len(values), 2)
        noted = [json.loads(line) for line in (tmp_path / "bad.jsonl").read_text().splitlines()]
        assert [(one["line"], one["reason"]) for one in noted] == [
            (1_202, "Rating: 'x': expected a whole number: null"),
            (1_204, "Rating: '25e': expected a whole number: null"),
        ]
        assert scan(tmp_path / "out.parquet").collect()["Rating"].to_pylist() == expected


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_fraction_anywhere_makes_a_column_of_fractions(
    pack: Callable[[bytes], bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = [*["5"] * 1_500, "", "x.y", "-2.5", "1e3", *["7"] * 3_000]
    path = written(tmp_path, values)
    path.write_bytes(pack(path.read_bytes()))
    expected = [None if value in ("", "x.y") else float(value) for value in values]
    for size in (1 << 24, 1 << 12):
        monkeypatch.setattr("rookery.data.pipeline.inputs.TASK_BYTES", size)
        with pytest.warns(DamagedFileWarning, match="1 row or game"):
            column = scan(path).select("Rating").collect()["Rating"]
        assert (column.type, column.to_pylist()) == (pa.float64(), expected)
    with pytest.warns(DamagedFileWarning, match="1 row or game"):
        sums = scan(path).group_by("fen").agg("sum(Rating)").collect()["sum(Rating)"].to_pylist()
    assert sums == [sum(value for value in expected if value is not None)]


def test_files_agree(tmp_path: Path) -> None:
    whole, fractions = written(tmp_path, ["5"], "a.csv"), written(tmp_path, ["0.5"], "b.csv")
    texts = written(tmp_path, ["five"], "c.csv")
    assert scan([whole, fractions]).collect()["Rating"].to_pylist() == [5.0, 0.5]
    assert scan([whole, fractions, texts]).collect()["Rating"].to_pylist() == ["5", "0.5", "five"]
    done = annotate([whole, fractions], tmp_path / "out.csv", "legal_moves")
    assert (done.rows, done.bad) == (2, 0)
    assert (tmp_path / "out.csv").read_text().splitlines()[1:] == [f'"{FEN}",5,6', f'"{FEN}",0.5,6']


def test_expressions_over_columns(tmp_path: Path) -> None:
    path = written(tmp_path, ["1500", "", "2100"])
    table = scan(path).select("Rating", twice="2 * Rating", is_high="Rating > 2000", pawns="count(pawns)").collect()
    assert table.to_pydict() == {
        "Rating": [1500, None, 2100],
        "twice": [3000.0, None, 4200.0],
        "is_high": [False, False, True],
        "pawns": [1, 1, 1],
    }
    with pytest.raises(ValueError, match=r"select: 'Rating / count\(pawns\)': asks about positions and Rating"):
        scan(path).select("Rating / count(pawns)").collect()


@pytest.mark.filterwarnings("ignore::rookery.sources.failures.DamagedFileWarning")
@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("-0", 0),
        ("+5", 5),
        ("007", None),
        ("-999999999999999999", 1 - 10**18),
        ("1000000000000000000", None),
        ("-9223372036854775808", None),
        ("99999999999999999999", None),
        ("0x10", None),
        (" 5", None),
    ],
)
def test_one_value_is_read_as_all_are(value: str, number: int | None, tmp_path: Path) -> None:
    path = written(tmp_path, [*["5"] * 1_200, value, "-3"])
    assert scan(path).collect()["Rating"].to_pylist()[-3:] == [5, number, -3]
