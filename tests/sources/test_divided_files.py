"""Packed files and tables that are divided into tasks give the same games, numbers, places and errors as undivided.

The oracle is a scan of the whole file in one thread, which has no ranges.
"""

import gzip
import re
import warnings
from pathlib import Path
from typing import Any

import pytest

import rookery
from divided_files import KINDS, SIZE, WINDOW, file_of, in_frames, text
from rookery import make_dataset, open_dataset
from rookery.data.pipeline import inputs
from rookery.games.read import blocks, game_ranges, on_executor, side_by_side
from rookery.games.read.game_ranges import ranges_of
from rookery.games.read.options import ReadOptions
from rookery.games.read.worker import Work
from rookery.games.search.files import FileSearch, Progress
from rookery.games.search.find import checked_options
from rookery.games.search.hits import Hits
from rookery.positions.language.query import Query
from rookery.sources import ranges
from rookery.sources.failures import DamagedFileError, DamagedFileWarning
from rookery.sources.unpack import frames_of
from thinning import slow_but

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
zstandard = pytest.importorskip("zstandard", reason="zstandard is not installed")


def written(path: Path, out: Path, **options: Any) -> tuple[bytes, list[str]]:
    """Return what a scan of the whole file writes, and its warnings of damage."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with rookery.scan_pgn(path, **options) as scan:
            rookery.write_parquet(scan, out)
    return out.read_bytes(), [str(one.message) for one in caught if one.category is DamagedFileWarning]


# The default run tries one kind of each form and options with two of them; slow tests try the rest. What is chosen from
# a file does not depend on how it is divided.
ONE_OF_A_FORM = ("plain", "zstd, damaged", "stored in Parquet", "movetext in Arrow")


@pytest.fixture(autouse=True)
def small_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranges, "WINDOW", WINDOW)


@pytest.fixture(params=slow_but(["plain", *KINDS], *ONE_OF_A_FORM, "zstd, cut short", "stored in Parquet, damaged"))
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return file_of(request.param, tmp_path)


WHERE: dict[str, Any] = {"errors": "skip", "where": "WhiteElo > 1480"}


def of_all_kinds(**options: Any) -> pytest.MarkDecorator:
    """Parametrise a test by path and by options, of which the first are tried with files of all kinds."""
    first = next(iter(options))
    cases = [
        pytest.param(
            kind,
            given,
            marks=() if kind in (ONE_OF_A_FORM if name == first else ONE_OF_A_FORM[1:3]) else pytest.mark.slow,
            id=f"{kind}-{name}",
        )
        for kind in ["plain", *KINDS]
        for name, given in options.items()
    ]
    return pytest.mark.parametrize(("path", "options"), cases, indirect=["path"])


def test_frames_are_found_without_unpacking(tmp_path: Path) -> None:
    content, places = in_frames(text())
    (tmp_path / "frames.zst").write_bytes(content)
    (tmp_path / "cut.zst").write_bytes(content[: places[3] + 30])
    with (tmp_path / "frames.zst").open("rb") as file:
        assert list(frames_of(file)) == places
    with (tmp_path / "cut.zst").open("rb") as file:
        assert list(frames_of(file)) == places[:4]


def test_ranges_follow_the_damage(tmp_path: Path) -> None:
    for kind in ("zstd, damaged", "stored in Parquet, damaged"):
        parts = ranges_of(str(file_of(kind, tmp_path)), SIZE)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DamagedFileWarning)
            failed = []
            for part in parts:
                with rookery.scan_pgn(part) as scan:
                    list(scan)
                failed.append(bool(scan.failures))
        assert any(failed[:-1]), kind


def test_ranges_have_all_games_once(path: Path) -> None:
    parts = list(ranges_of(str(path), SIZE))
    assert len(parts) > 4
    assert [part.start for part in parts[1:]] == [part.stop for part in parts[:-1]]
    assert (parts[0].start, parts[-1].stop) == (0, None)
    if "damaged" in path.name:
        return
    moves, read = [], 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DamagedFileWarning)
        for part in parts:
            with rookery.scan_pgn(part) as scan:
                moves += [row.tolist() for games in scan for row in games.moves]
            read += scan.bytes_read
        assert moves == [row.tolist() for row in rookery.read_pgn(path).moves]
    assert read == path.stat().st_size


@of_all_kinds(all={}, where=WHERE)
def test_tasks_write_the_bytes_of_a_whole_scan(
    path: Path, options: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(on_executor, "RANGE", SIZE)
    right, failures = written(path, tmp_path / "right.parquet", **options)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rookery.pgn_to_parquet(path, tmp_path / "out.parquet", threads=2, **options)
    assert (tmp_path / "out.parquet").read_bytes() == right
    assert [str(one.message) for one in caught if one.category is DamagedFileWarning] == failures
    assert bool(failures) == ("damaged" in path.name or "cut" in path.name)
    if failures and "errors" not in options:
        with pytest.raises((DamagedFileError, ValueError)) as expected:
            rookery.read_pgn(path, errors="raise")
        with pytest.raises((DamagedFileError, ValueError)) as found:
            rookery.pgn_to_parquet(path, tmp_path / "raised.parquet", errors="raise")
        assert str(found.value) == str(expected.value)


def until_an_error(source: list[Path], threads: int) -> tuple[str, list[int], list[int]]:
    """Return the first error in a source, the numbers of the games before it, and their moves."""
    error, games = "", rookery.Games.concatenate([])
    try:
        games = rookery.read_pgn(source, errors="raise", threads=threads)
    except (DamagedFileError, ValueError) as raised:
        error, games = str(raised), getattr(raised, "games", games)
    return error, games.numbers.tolist(), games.moves.moves.tolist()


class _Counted:
    """Counts the ranges and files that threads read by themselves."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.number = 0
        read = side_by_side._Results.read

        def counted(results: side_by_side._Results, work: Work) -> None:
            self.number += 1
            read(results, work)

        monkeypatch.setattr(side_by_side._Results, "read", counted)


@of_all_kinds(all={}, where=WHERE, texts={"texts": True})
def test_threads_read_the_same_side_by_side(
    path: Path, options: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = written(path, tmp_path / "right.parquet", **options)
    monkeypatch.setattr(blocks, "BLOCK", SIZE)
    monkeypatch.setattr(side_by_side, "_MOST_HELD", SIZE // 10)  # so that threads wait
    counted = _Counted(monkeypatch)
    assert written(path, tmp_path / "found.parquet", threads=3, **options) == right
    assert counted.number > 4
    if "damaged" not in path.name and "cut" not in path.name:
        with rookery.scan_pgn(path, threads=3, **options) as scan:
            assert sum(map(len, scan)) > 10
            assert scan.bytes_read == path.stat().st_size
    if not options:
        assert until_an_error([path, path], 3) == until_an_error([path, path], 1)


def test_threads_read_many_files_side_by_side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = ["plain", "zstd, damaged", "stored in Parquet", "zstd, cut short", "stored in Parquet, damaged"]
    paths = [file_of(kind, tmp_path) for kind in kinds]
    packed = tmp_path / "packed.gz"
    packed.write_bytes(gzip.compress(text()))
    paths = [packed, *paths, packed, *paths]

    def read(threads: int) -> tuple[list[Any], list[str], int]:
        with rookery.scan_pgn(paths, games=70, threads=threads).without_warnings() as scan:
            batches = [(g.numbers.tolist(), g.offsets.tolist(), g.moves.moves.tolist(), g.errors) for g in scan]
        return batches, list(map(str, scan.failures)), scan.counted.games

    right = read(1)
    assert len(right[1]) == 6
    counted = _Counted(monkeypatch)
    assert read(2) == right
    assert 10 <= counted.number < 20  # a file per thread, however small
    monkeypatch.setattr(blocks, "BLOCK", SIZE)
    assert read(4) == right
    assert counted.number > 50


def test_threads_share_a_file_that_cannot_be_divided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = text() * 20
    files = {"one.zst": zstandard.compress(content), "one.gz": gzip.compress(content)}  # small as they are packed
    counted = _Counted(monkeypatch)
    for name, packed in files.items():
        (tmp_path / name).write_bytes(packed)
        assert len(packed) < blocks.BLOCK
        with rookery.scan_pgn(tmp_path / name) as scan:
            right = [(games.numbers.tolist(), games.errors) for games in scan]
        with rookery.scan_pgn(tmp_path / name, threads=3) as scan:
            assert [(games.numbers.tolist(), games.errors) for games in scan] == right
        assert counted.number == 0
    with rookery.scan_pgn([tmp_path / name for name in files], threads=3) as scan:
        assert sum(map(len, scan)) == 2 * len(rookery.read_pgn(content))
    assert counted.number == 2


@of_all_kinds(all={}, where={"where": "WhiteElo > 1480"})
def test_searches_find_the_same_hits(path: Path, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_ranges.ranges_of, "__defaults__", (SIZE, None, None))
    query = "is_check"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DamagedFileWarning)
        right = rookery.search(path, query, **options)
        monkeypatch.setattr(blocks, "BLOCK", SIZE)
        monkeypatch.setattr(side_by_side, "_MOST_HELD", SIZE // 10)  # so that threads wait
        by_tasks = rookery.search(path, query, **options, executor="threads:2")
        by_threads = rookery.search(path, query, **options, threads=3)
        limited = rookery.search(path, query, **options, threads=3, limit=7)
    assert isinstance(right, Hits)
    assert len(right) > 7
    for found, expected in ((by_tasks, right), (by_threads, right), (limited, right[:7])):
        assert isinstance(found, Hits)
        assert found.to_dict() == expected.to_dict()
        assert found.game.tolist() == expected.game.tolist()


def test_searches_make_the_same_progress(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def searched(threads: int) -> tuple[Progress, list[str], int]:
        options = checked_options([], None, False, 0, None)
        with FileSearch([path, path], Query("is_check"), options, ReadOptions(threads=threads)) as search:
            hits = sum(len(found) for _, found in search)
            return search.progress, list(map(str, search.failures)), hits

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DamagedFileWarning)
        right = searched(1)
        monkeypatch.setattr(blocks, "BLOCK", SIZE)
        assert searched(3)[1:] == right[1:]
        if "damaged" not in path.name and "cut" not in path.name:  # threads may read beyond the damage
            assert searched(3) == right
            assert right[0].bytes_read == 2 * path.stat().st_size
    assert right[0].games > 40
    assert right[0].hits == right[2] > 0


def rows_of(folder: Path) -> list[tuple[Any, ...]]:
    rows = open_dataset(folder, "train").read()
    fens = rows.positions.to_fens(en_passant="fen")
    return list(zip(fens, rows.moves.tolist(), rows.results.tolist(), rows.plies.tolist(), strict=True))


def test_datasets_have_the_same_rows(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "damaged" in path.name or "cut" in path.name:
        for size, threads in ((inputs.TASK_BYTES, 1), (SIZE, 2)):
            monkeypatch.setattr(inputs, "TASK_BYTES", size)
            with pytest.raises(DamagedFileError, match=re.escape(str(path))):
                make_dataset(path, tmp_path / "none", split=[1], value=None, threads=threads)
            assert not (tmp_path / "none").exists()
        return
    whole = make_dataset(path, tmp_path / "whole", split=[1], value=None)
    monkeypatch.setattr(inputs, "TASK_BYTES", SIZE)
    parts = make_dataset(path, tmp_path / "parts", split=[1], value=None, threads=2)
    assert whole.rows["train"] > 500
    assert (parts.counts, parts.failures) == (whole.counts, whole.failures)
    assert rows_of(tmp_path / "parts") == rows_of(tmp_path / "whole")


def test_files_that_are_not_divided(tmp_path: Path) -> None:
    packer = zstandard.ZstdCompressor()
    content = text()
    pieces = [content[i : i + 3_000] for i in range(0, len(content), 3_000)]
    encoded = content.decode("utf-8", "replace").encode("utf-16")
    files = {
        "one frame": packer.compress(content),
        "another encoding": b"".join(packer.compress(encoded[i : i + 3_000]) for i in range(0, len(encoded), 3_000)),
        "packed twice": packer.compress(b"".join(map(packer.compress, pieces))) + packer.compress(b""),
        "damaged at once": b"".join(map(packer.compress, pieces))[:-9].replace(
            b"\x28\xb5\x2f\xfd", b"\x28\xb5\x2f\xfe"
        ),
        "not a table": b"PAR1" + content[:9_000],
        "not a file": b"ARROW1\0\0" + content[:9_000],
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
        assert [(part.start, part.stop) for part in ranges_of(str(tmp_path / name), 2_000)] == [(0, None)], name
