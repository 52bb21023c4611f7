"""Hashes of rows: equal values have equal hashes in whatever type, batch and slice they are, and others have others."""

import datetime
import random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from rookery.data.plans import row_hashes
from rookery.data.plans.row_hashes import expression_of, hashes_of
from rookery.data.plans.verb_methods import memory_of


def hashed(seed: int = 0, **columns: Any) -> list[int]:
    arrays = {name: one if isinstance(one, pa.Array) else pa.array(one) for name, one in columns.items()}
    batch = pa.RecordBatch.from_pydict(arrays)
    found = hashes_of(batch, list(columns), seed)
    assert found.dtype == np.uint64
    return [int(value) for value in found]


TEXTS = ["", "a", "b", "ab", "ba", "a\0", "\0a", "\0", "\0\0", "é", "x" * 1000, "x" * 999, None, "a" * 8, "a" * 16]
DAYS = [datetime.date(2024, 1, 1), None, datetime.date(1969, 12, 31)]


@pytest.mark.parametrize(
    "forms",
    [
        [pa.array([1, -1, 0, None, 100], kind) for kind in (pa.int8(), pa.int16(), pa.int32(), pa.int64())],
        [pa.array([1, 0, None, 200], kind) for kind in (pa.uint8(), pa.uint16(), pa.int64(), pa.uint64())],
        [pa.array([0.5, -0.25, None, 8.0], kind) for kind in (pa.float32(), pa.float64())],
        [pa.array(TEXTS, kind) for kind in (pa.string(), pa.large_string())],
        [pa.array(TEXTS), pa.array(TEXTS).dictionary_encode()],
        [pa.array([True, None, False]), pa.array([1, None, 0], pa.int64())],
        [pa.array([b"12345678", b"abcdefgh"] * (k + 1), pa.binary(8)).slice(2 * k) for k in (0, 1)],
        [pa.array([None, None], kind) for kind in (pa.null(), pa.int32(), pa.string(), pa.float64())],
        [pa.array([0.0, float("nan")]), pa.array([-0.0, None])],
    ],
)  # fmt: skip
def test_equal_values_have_equal_hashes(forms: list[pa.Array]) -> None:
    expected = hashed(a=forms[0])
    assert all(hashed(a=form) == expected for form in forms)
    for form in forms:
        assert [hashed(a=form.slice(i, 1))[0] for i in range(len(form))] == expected
        assert hashed(a=form.take(pa.array(range(len(form))[::-1]))) == expected[::-1]


@pytest.mark.parametrize(
    "values",
    [
        pa.array(TEXTS),
        pa.array(list(range(-50, 50))),
        pa.array([i / 7 for i in range(100)]),
        pa.array(DAYS),
        pa.array([b"%016d" % i for i in range(50)], pa.binary(16)),
        pa.array([b"%05d" % i for i in range(50)], pa.binary(5)),
        pa.array([datetime.datetime(2024, 1, 1, 0, 0, i) for i in range(60)]),
    ],
)
def test_different_values_have_different_hashes(values: pa.Array) -> None:
    found = hashed(a=values)
    assert len(set(found)) == len(values)
    assert set(found).isdisjoint(hashed(1, a=values))
    words = np.array(found, np.uint64)
    assert 0.2 < np.unpackbits(words.view(np.uint8)).mean() < 0.8


def test_columns_count_in_their_order() -> None:
    assert hashed(a=[1, 2], b=[2, 1])[0] != hashed(a=[1, 2], b=[2, 1])[1]
    assert hashed(a=["x"], b=["y"]) != hashed(a=["y"], b=["x"])
    assert hashed(a=["xy"], b=[""]) != hashed(a=["x"], b=["y"])
    assert hashed(a=[1], b=[2]) == hashed(x=[1], y=[2])  # names do not count
    assert len(set(hashed(seed=5, a=[1, 1, 1]))) == 1


def test_long_columns_of_texts_are_hashed_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(1)
    texts = ["".join(rng.choices("abé", k=rng.choice((0, 1, 9, 40)))) for _ in range(300)]
    expected = hashed(a=texts)
    assert len(set(expected)) == len(set(texts))
    for piece in (1, 7, 100):
        monkeypatch.setattr(row_hashes, "_PIECE", piece)
        assert hashed(a=texts) == expected
        assert hashed(a=pa.array(["skipped", *texts]).slice(1)) == expected


def test_lists_have_no_hashes() -> None:
    with pytest.raises(TypeError, match=r"^a: a column of .*list.*: expected numbers, texts, dates or truth values$"):
        hashed(a=[[1]])


def test_hidden_columns_are_shown_as_their_expressions() -> None:
    assert expression_of("white") == "white"
    assert expression_of("\x1f3 elo(us) + 1") == "elo(us) + 1"


@pytest.mark.parametrize(
    ("text", "size"),
    [("2GB", 2 * 10**9), ("512MB", 512 * 10**6), (" 1.5 gb ", 1_500_000_000), (10**9, 10**9), ("64000KB", 64 * 10**6)],
)
def test_memory_is_a_number_of_bytes(text: Any, size: int) -> None:
    assert memory_of(text) == size


@pytest.mark.parametrize("text", ["512", "MB", "512XB", "-1GB", "infGB", "nanGB", "0MB", ""])
def test_other_memory_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^memory: .*: expected bytes, .* at least, or a text such as \"512MB\"$"):
        memory_of(text)
