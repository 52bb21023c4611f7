"""The exchange of rows between tasks, compared with lists of rows in plain Python."""

from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from rookery.tasks.exchange import (
    BATCHES,
    RowKind,
    Scatter,
    Scattered,
    Segment,
    bucket_of,
    bucket_sizes,
    fractions_of,
    gathered,
    groups,
    records,
    segments_of,
    splits_of,
    suffix_of,
)
from rookery.tasks.parts import TaskFiles

DTYPE = np.dtype([("row", "<u4"), ("half", "<u2")])


def arrays(first: int, number: int) -> Any:
    rows = np.zeros(number, DTYPE)
    rows["row"] = np.arange(first, first + number)
    return rows


def batches(first: int, number: int) -> Any:
    return pa.record_batch({"row": pa.array(np.arange(first, first + number))})


def numbers(rows: Any) -> list[int]:
    return (rows["row"] if isinstance(rows, np.ndarray) else rows.column("row").to_numpy()).tolist()  # type: ignore[no-any-return]


KINDS = [pytest.param(records(DTYPE), arrays, id="records"), pytest.param(BATCHES, batches, id="batches")]


@pytest.mark.parametrize("buckets", [1, 2, 3, 256, 65536, 70000])
@pytest.mark.parametrize(("kind", "make"), KINDS)
def test_rows_of_a_bucket_keep_their_order(kind: RowKind, make: Any, buckets: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(buckets)
    scattered: list[Scattered] = []
    expected: dict[int, list[int]] = defaultdict(list)
    first = 0
    for task in range(3):
        parts = TaskFiles(str(tmp_path), task, "job")
        scatter = Scatter(parts, kind, buckets, 300)
        for number in rng.integers(0, 40, 8).tolist():
            hashes = rng.integers(0, 1 << 64, number, np.uint64, endpoint=False)
            scatter.add(make(first, number), hashes)
            for i, one in enumerate(hashes.tolist()):
                expected[(one >> 32) * buckets >> 32].append(first + i)
            first += number
        scatter.flush()
        scatter.flush()  # holds no rows, so it writes no file
        assert len(parts.kept) == len(scatter.offsets) > 1
        for i, offsets in enumerate(scatter.offsets):
            path = tmp_path / f"part-{task:06d}{suffix_of(i)}"
            assert offsets[0] == 0
            assert len(offsets) == buckets + 1
            scattered.append(Scattered(str(path), offsets, path.stat().st_size))
    for bucket in sorted({0, buckets - 1, *expected}):
        segments = list(segments_of(scattered, bucket, bucket + 1))
        assert all(segment.start < segment.stop for segment in segments)
        read = list(gathered(kind, segments))
        assert [segment for segment, _ in read] == segments
        assert [row for _, rows in read for row in numbers(rows)] == expected[bucket]
    everything = [row for _, rows in gathered(kind, segments_of(scattered, 0, buckets)) for row in numbers(rows)]
    assert sorted(everything) == list(range(first))


def test_rows_are_written_once_they_take_the_bytes(tmp_path: Path) -> None:
    scatter = Scatter(TaskFiles(str(tmp_path), 0, "job"), records(DTYPE), 2, 10 * DTYPE.itemsize)
    hashes = np.zeros(10, np.uint64)
    scatter.add(arrays(0, 4), hashes[:4])
    scatter.add(arrays(4, 0), hashes[:0])
    scatter.add(arrays(4, 5), hashes[:5])
    assert scatter.offsets == []
    scatter.add(arrays(9, 1), hashes[:1])
    assert scatter.offsets == [[0, 10, 10]]
    scatter.add(arrays(10, 9), hashes[:9])  # those that were written do not count
    assert len(scatter.offsets) == 1
    scatter.flush()
    assert scatter.offsets == [[0, 10, 10], [0, 9, 9]]


def test_sizes_of_buckets() -> None:
    files = [Scattered("a", [0, 3, 3, 10], 1000), Scattered("b", [0, 0, 1, 1], 7), Scattered("c", [0, 0, 0, 0], 50)]
    assert bucket_sizes(files) == [300, 7, 700]
    assert bucket_sizes([Scattered("a", [0, 1, 3], 10)]) == [4, 7]  # rounded up
    assert bucket_sizes([]) == []


@pytest.mark.parametrize(
    ("sizes", "most", "expected"),
    [
        ([], 5, []),
        ([0, 0], 5, []),
        ([5], 5, [(0, 1)]),
        ([2, 3, 1], 5, [(0, 2), (2, 3)]),
        ([9, 1, 0, 4, 1], 5, [(0, 1), (1, 4), (4, 5)]),
    ],
)
def test_groups(sizes: list[int], most: int, expected: list[tuple[int, int]]) -> None:
    assert list(groups(sizes, most)) == expected


def test_a_file_that_was_cut_is_named(tmp_path: Path) -> None:
    path = tmp_path / "rows"
    arrays(0, 2000).tofile(path)
    kind = records(DTYPE)
    assert numbers(kind.read(str(path), 1995, 2000)) == [1995, 1996, 1997, 1998, 1999]
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(EOFError, match=r"rows: ends before row 1,999$"):
        kind.read(str(path), 1995, 2000)


def test_buckets_and_splits_divide_all_hashes() -> None:
    ends = np.array([0, (1 << 63) - 1, 1 << 63, (1 << 64) - 1], np.uint64)
    assert bucket_of(ends, 2).tolist() == [0, 0, 1, 1]
    assert bucket_of(ends, 1).tolist() == [0, 0, 0, 0]
    assert splits_of(ends, [1.0]).tolist() == [0, 0, 0, 0]
    assert splits_of(ends, (0.5, 0.5)).tolist() == [0, 0, 1, 1]
    assert splits_of(ends, (0.0, 1.0, 0.0)).tolist()[:3] == [1, 1, 1]


def test_fractions() -> None:
    assert fractions_of([1]) == (1.0,)
    assert fractions_of(np.array([0.5, 0.25, 0.25])) == (0.5, 0.25, 0.25)
    assert fractions_of((0, 1)) == (0.0, 1.0)
    assert fractions_of([0.5, 0.4999999]) == (0.5, 0.4999999)
    for split in [], [0.5, 0.4], [0.25] * 4, [0.5, 0.49999]:
        with pytest.raises(ValueError, match=r"^split: .*: expected 1 to 3 numbers that add up to 1$"):
            fractions_of(split)
    for split in [1.5, -0.5], [-1e-9, 1]:
        with pytest.raises(ValueError, match=r"^share\[0\]: .*: expected a number from 0 to 1$"):
            fractions_of(split, "share")
    for bad in "1", b"1", 1, None, {1}:
        with pytest.raises(TypeError, match=r"^split: .*: expected 1 to 3 numbers"):
            fractions_of(bad)
    for mixed in [0.5, "0.5"], [0.5, None], [0.5, True]:
        with pytest.raises(TypeError, match=r"^split\[1\]: .*: expected a number from 0 to 1$"):
            fractions_of(mixed)


def test_a_segment_is_rows_of_a_file() -> None:
    files = [Scattered("a", [0, 0, 2, 5], 9), Scattered("b", [0, 1, 1, 1], 9)]
    assert list(segments_of(files, 0, 2)) == [Segment("a", 0, 2), Segment("b", 0, 1)]
    assert list(segments_of(files, 2, 3)) == [Segment("a", 2, 5)]
