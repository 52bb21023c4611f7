"""Where games come from: files plain and packed, whole and damaged, and what is said of each fault."""

import io
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from packed import PACKERS, zstd_in_frames
from rookery import Games, read_pgn, scan_pgn, write_parquet, write_pgn
from rookery.games.read import blocks as cuts
from rookery.sources import unpack
from thinning import few

SAMPLE = Path(__file__).parents[1] / "samples" / "lichess-2025-05.pgn"
TEXT = SAMPLE.read_bytes()
MANY = TEXT * 10


def same(a: Games, b: Games) -> bool:
    return (
        a.moves == b.moves
        and np.array_equal(a.clocks, b.clocks, equal_nan=True)
        and all(np.array_equal(a[name], b[name]) for name in ("White", "Site", "Result", "Opening"))
        and all(np.ma.allequal(a[name], b[name]) for name in ("WhiteElo", "BlackRatingDiff"))
        and np.array_equal(a.numbers, b.numbers)
        and np.array_equal(a.offsets, b.offsets)
    )


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that games lie across blocks."""
    monkeypatch.setattr(cuts, "BLOCK", 10_000)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("kind", PACKERS)
def test_files_however_packed(tmp_path: Path, kind: str, threads: int) -> None:
    path = tmp_path / "games"  # the name says nothing
    path.write_bytes(PACKERS[kind](MANY))
    expected = read_pgn(MANY)
    assert len(expected) == 120
    assert same(read_pgn(path, threads=threads), expected)
    if threads == 3:
        return
    assert same(read_pgn(str(path), threads=threads), expected)
    assert same(read_pgn(path.read_bytes(), threads=threads), expected)
    with path.open("rb") as file:
        assert same(read_pgn(file, threads=threads), expected)
    with path.open("rb", buffering=0) as raw:
        assert same(read_pgn(raw, threads=threads), expected)


@pytest.mark.parametrize("threads", [1, 2])
def test_blocks_of_any_size_give_the_same(monkeypatch: pytest.MonkeyPatch, threads: int) -> None:
    text = TEXT[:12_000] + b'\n\n{never closed\n\n[Event "x"]\n\n1. e4 e5 1-0\n\n1. d4 (1. e4\n\n1. c4 *\n\n' + TEXT
    expected = read_pgn(text)
    for size in (300, 777, 4096, 50_000):
        monkeypatch.setattr(cuts, "BLOCK", size)
        found = read_pgn(text, threads=threads)
        assert same(found, expected)
        assert found.errors == expected.errors


@pytest.mark.parametrize("threads", [1, 2])
def test_the_only_start_position_of_a_block_is_kept(monkeypatch: pytest.MonkeyPatch, threads: int) -> None:
    fens = [f"4k3/8/8/8/8/8/8/{rank} w - - 0 1" for rank in ("K7", "1K6", "2K5", "R3K3", "4KN2")]
    text = "".join(f'[Event "x"]\n[FEN "{fen}"]\n\n{{{"." * 400}}} *\n\n' for fen in fens).encode()
    monkeypatch.setattr(cuts, "BLOCK", 600)
    assert [game.start for game in read_pgn(text, threads=threads)] == fens


def test_text_files_and_lists(tmp_path: Path) -> None:
    paths = [tmp_path / "a.pgn", tmp_path / "b.pgn"]
    for path in paths:
        path.write_bytes(TEXT)
    games = read_pgn([*paths, str(paths[0])])
    assert len(games) == 36
    assert games.numbers.tolist() == [*range(1, 13)] * 3
    with paths[0].open(encoding="utf-8") as file:
        assert same(read_pgn(file), read_pgn(TEXT))
    assert len(read_pgn(io.StringIO('[White "Łukasz"]\n\n1. e4 *'))) == 1


def test_errors_tell_file_line_and_place(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    bad = b'\n\n[Event "bad"]\r\n\r\n1. e4 e5\r\n2. Ke3 *\n\n'
    path.write_bytes(MANY + bad + MANY)
    for threads in (1, 2):
        games = read_pgn(path, threads=threads)
        (error,) = games.errors
        assert (error.file, error.game, error.move) == (str(path), 121, "Ke3")
        assert error.offset == len(MANY) + bad.index(b"Ke3")
        assert error.line == MANY.count(b"\n") + 6
        assert str(error).startswith(f"{path}: game 121, line {error.line}, move 2.: SAN move: 'Ke3' is not legal in ")
        assert games.is_bad.nonzero()[0].tolist() == [120]
        assert games.plies[120] == 2
        assert len(games) == 241
        skipped = read_pgn(path, errors="skip", threads=threads)
        assert (len(skipped), skipped.errors) == (240, (error,))
        batches = list(scan_pgn(path, games=100, errors="skip", threads=threads))
        assert [printed for batch in batches for printed in batch.errors] == [error]
        with pytest.raises(ValueError, match=r"game 121, line .*'Ke3' is not legal") as caught:
            read_pgn(path, errors="raise", threads=threads)
        assert caught.value.error == error  # type: ignore[attr-defined]


@pytest.mark.parametrize("threads", [1, 2])
def test_batches(threads: int) -> None:
    expected = read_pgn(MANY)
    for size in (1, 7, 50, 120, 1000):
        with scan_pgn(MANY, games=size, threads=threads) as scan:
            batches = list(scan)
        assert [len(batch) for batch in batches[:-1]] == [size] * (len(batches) - 1)
        assert 0 < len(batches[-1]) <= size
        assert same(Games.concatenate(batches), expected)


def test_closing_stops_threads_and_files(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn.zst"
    path.write_bytes(zstd_in_frames(MANY * 80))
    before = threading.active_count()
    with scan_pgn(path, games=10, threads=2) as scan:
        assert len(next(scan)) == 10
    scan.close()
    with pytest.raises(StopIteration):
        next(scan)
    for thread in threading.enumerate():
        if thread.name.startswith("rookery"):
            thread.join(5)
    assert threading.active_count() == before


@pytest.mark.parametrize(
    ("source", "error", "message"),
    [
        ("no/such/file.pgn", FileNotFoundError, "no/such/file.pgn"),
        (".", IsADirectoryError, r"\. is a directory: expected a file of games"),
        ("1. e4 e5\n", ValueError, r"no such file; pass PGN text itself as bytes: text\.encode\(\)"),
        (5, TypeError, "source: int: expected a path, a list of paths"),
        (["tests", 5], TypeError, r"source\[1\]: 5: expected a path, bytes or an open file"),
        (None, TypeError, "source: NoneType: expected a path"),
    ],
)
def test_what_is_no_source(source: Any, error: type[Exception], message: str) -> None:
    for read in (read_pgn, scan_pgn):  # at once, not when games are asked for
        with pytest.raises(error, match=message):
            read(source)


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [tmp_path / "a.pgn", tmp_path / "b.pgn"]
    for path in paths:
        path.write_bytes(TEXT)
    monkeypatch.setattr("os.access", lambda path, mode: Path(path) != paths[1])  # root may read everything
    for read in (read_pgn, scan_pgn):  # before anything is read
        with pytest.raises(PermissionError, match=r"Permission denied: '.*b\.pgn'"):
            read(paths)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device")
@pytest.mark.parametrize("write", [write_pgn, write_parquet])
def test_where_nothing_can_be_written(tmp_path: Path, write: Callable[[Games, Path], int]) -> None:
    games = read_pgn(TEXT)
    full = tmp_path / "full"
    full.symlink_to("/dev/full")
    for path, error, message in (
        (full, OSError, r"No space left on device: '.*full'"),
        (tmp_path / "no" / "games", FileNotFoundError, r"No such file or directory: '.*no/games'"),
        (tmp_path, IsADirectoryError, "Is a directory: '.*'"),
    ):
        with pytest.raises(error, match=message):
            write(games, path)
    assert list(tmp_path.iterdir()) == [full]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"errors": "ignore"}, "errors: 'ignore': expected 'keep', 'skip' or 'raise'"),
        ({"threads": 0}, "threads: 0: expected an int of at least 1"),
        ({"headers": "White"}, "headers: 'White': expected a list of names, 'all' or None"),
        ({"headers": [1]}, "headers: .*: expected a list of names"),
    ],
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        read_pgn(b"", **options)
    with pytest.raises(ValueError, match="games: 0: expected an int of at least 1"):
        scan_pgn(b"", games=0)


def test_nothing() -> None:
    for text in (b"", b"\n\n", b"\xef\xbb\xbf\n", b"\x1a", b"% only this\n"):
        games = read_pgn(text)
        assert len(games) == 0
        assert games["WhiteElo"].size == games["White"].size == games.moves.moves.size == 0
        assert list(scan_pgn(text)) == []


@pytest.mark.parametrize("kind", few(["zstd", "gzip", "bzip2", "xz", "lzma"], 2))
def test_what_is_packed_to_next_to_nothing_is_unpacked_in_pieces(kind: str) -> None:
    """A few bytes may become a gigabyte: readers would wait for it, and it would take the memory."""
    text = b"\n" * (1 << 26)
    chunks = [len(chunk) for chunk in unpack.inflated("file", iter([PACKERS[kind](text)]), kind)]
    assert sum(chunks) == len(text)
    assert max(chunks) < 1 << 24
