"""Half floats in verbs of plans, which pyarrow neither adds nor compares."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from rookery import Board, scan

HALVES = np.array([0.5, -0.0, 0.0, np.nan, 0.5, 2], np.float16)
TABLE = pa.table({"fen": [Board().fen()] * 6, "half": HALVES, "row": range(6), "group": [0, 1, 1, 2, 2, 2]})


def rows(plan: Any) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in plan.collect().to_pylist()]


def test_keys_are_values() -> None:
    plan = scan(TABLE).select("half", "row")
    assert rows(plan.group_by("half").agg("count")) == [(0.0, 2), (0.5, 2), (2.0, 1), (None, 1)]
    assert [row for _, row in rows(plan.unique("half"))] == [0, 1, 3, 5]
    assert [row for _, row in rows(plan.sort("half"))] == [1, 2, 0, 4, 5, 3]


@pytest.mark.parametrize(
    ("aggregate", "expected"),
    [
        ("min(half)", [0.5, 0, 0.5]),
        ("max(half)", [0.5, 0, 2]),
        ("mode(half)", [0.5, 0, 0.5]),
        ("sum(half)", [0.5, 0, 2.5]),
        ("mean(half)", [0.5, 0, 1.25]),
    ],
)
def test_aggregates_are_those_of_wider_floats(aggregate: str, expected: list[float]) -> None:
    wide = TABLE.set_column(1, "half", TABLE.column("half").cast(pa.float32()))
    found, same = (scan(table).select("half", "group").group_by("group").agg(aggregate) for table in (TABLE, wide))
    assert [value for _, value in rows(found)] == expected
    assert rows(same) == rows(found)
    assert same.collect().schema == found.collect().schema
