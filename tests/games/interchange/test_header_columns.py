"""Columns of headers from Arrow arrays, judged by pyarrow's own conversion to Python."""

import datetime
import itertools
import os
import random
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import rookery
from rookery.frames.reading import text_column
from rookery.games.headers.header_types import header_column
from rookery.games.interchange import footers

TEXTS = ["", "a", "héllo", "six times " * 6]
MIDNIGHT = datetime.datetime(2000, 1, 1)
KINDS: dict[Any, Any] = {
    pa.string(): TEXTS,
    pa.large_string(): TEXTS,
    pa.string_view(): TEXTS,
    pa.int8(): range(-100, 100),
    pa.int32(): range(-100, 100),
    pa.uint64(): range(200),
    pa.float32(): [0.5, -2.0],
    pa.float64(): [0.5, -2.0],
    pa.bool_(): [False, True],
    pa.date32(): [datetime.date(1886, 1, 31), datetime.date(2025, 5, 1)],
    pa.date64(): [datetime.date(1886, 1, 31), datetime.date(2025, 5, 1)],
    pa.timestamp("ns"): [MIDNIGHT, MIDNIGHT + datetime.timedelta(30)],
    **{kind: [datetime.time(1, 2, 3)] for kind in (pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns"))},
    pa.duration("ms"): [datetime.timedelta(seconds=3723)],
}


def plain(value: Any) -> Any:
    """Return a date of a timestamp and the seconds of a time; leave other values as they are."""
    if isinstance(value, datetime.datetime):
        return value.date()
    if isinstance(value, datetime.time):
        return 3600 * value.hour + 60 * value.minute + value.second
    return value.seconds if isinstance(value, datetime.timedelta) else value


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_values_and_nulls_of_slices(kind: Any) -> None:
    rng = random.Random(0)
    for n, nulls in itertools.product((0, 1, 5, 40), (0, 0.4, 1)):
        values = [None if rng.random() < nulls else rng.choice(KINDS[kind]) for _ in range(n)]
        whole = pa.array(values, kind)
        for start, stop in ((0, n), (1, n), (3, max(n - 1, 3)), (9, 33)):
            array = whole[start:stop]
            found = [plain(value) for value in header_column("Some", array).to_numpy().tolist()]
            assert found == list(map(plain, values[start:stop])), (n, nulls, start, stop)


def test_a_null_may_have_bytes() -> None:
    offsets = np.array([0, 1, 3, 4], np.int32)
    buffers = [pa.py_buffer(bytes([0b101])), pa.py_buffer(offsets.tobytes()), pa.py_buffer(b"abbc")]
    texts = text_column("White", pa.Array.from_buffers(pa.string(), 3, buffers))
    assert list(texts) == ["a", None, "c"]
    assert texts.data.tobytes() == b"ac"


def test_threads_read_the_footer_of_a_file_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.parquet"
    games = rookery.read_pgn(b"1. e4 e5 *\n\n" * 20_000)
    rookery.write_parquet(games, path, row_group_size=2_000)
    opened, parsed = footers.Footers.opened, []

    def counted(self: footers.Footers, file: Any, content: Any) -> Any:
        before = len(self._known)
        found = opened(self, file, content)
        parsed.append(len(self._known) - before)
        return found

    monkeypatch.setattr(footers.Footers, "opened", counted)
    assert len(rookery.read_pgn(path)) == 20_000
    assert (len(parsed), sum(parsed)) == (1, 1)
    parsed.clear()
    assert len(rookery.read_pgn(path, threads=2)) == 20_000
    assert len(parsed) > 2
    assert sum(parsed) <= 2  # at most each thread's first


def test_the_footer_of_another_file_at_the_same_path(tmp_path: Path) -> None:
    known, path = footers.Footers(), tmp_path / "games.parquet"
    sizes = []
    for n in (1, 2):
        rookery.write_parquet(rookery.read_pgn(b"1. e4 e5 *\n\n" * n), path)
        os.utime(path, ns=(n, n))
        with pa.memory_map(str(path)) as file:
            sizes.append(known.opened(file, path)[0].metadata.num_rows)
    assert sizes == [1, 2]
