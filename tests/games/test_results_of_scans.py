"""What threads do with the games that they read: `GameScan.results`. The oracle reads the sample with python-chess."""

import io
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess.pgn
import pytest

import rookery
from game_samples import SAMPLE
from rookery import Games
from rookery.games.read import blocks
from rookery.sources.failures import DamagedFileWarning
from thinning import few

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
zstandard = pytest.importorskip("zstandard", reason="zstandard is not installed")

TEXT = SAMPLE.read_bytes()
COPIES = 20


def _plies() -> list[int]:
    file = io.StringIO(TEXT.decode())
    found = []
    while (game := chess.pgn.read_game(file)) is not None:
        found.append(sum(1 for _ in game.mainline_moves()))
    return found


PLIES = _plies() * COPIES


def plain(folder: Path) -> Any:
    (folder / "a.pgn").write_bytes((TEXT + b"\n") * COPIES)
    return folder / "a.pgn"


def packed(folder: Path) -> Any:
    (folder / "a.zst").write_bytes(zstandard.compress((TEXT + b"\n") * COPIES))
    return folder / "a.zst"


def content(folder: Path) -> Any:
    return (TEXT + b"\n") * COPIES


def parquet(folder: Path) -> Any:
    rookery.write_parquet(rookery.read_pgn(content(folder)), folder / "a.parquet", row_group_size=7)
    return folder / "a.parquet"


def open_parquet(folder: Path) -> Any:
    return io.BytesIO(parquet(folder).read_bytes())


def column(folder: Path) -> Any:
    return pa.array([f"[Event {game}" for game in TEXT.decode().split("[Event ")[1:]] * COPIES)


SOURCES: list[Callable[[Path], Any]] = [plain, packed, content, parquet, open_parquet, column]


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("source", few(SOURCES, 3), ids=lambda source: source.__name__)
def test_results_are_in_order_and_of_the_reading_threads(
    source: Callable[[Path], Any], threads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 10_000)

    def each(games: Games) -> tuple[str, list[int]]:
        return threading.current_thread().name, games.plies.tolist()

    with rookery.scan_pgn(source(tmp_path), threads=threads) as scan:
        read = list(scan.results(each))
    results = [result for _, result in read if result is not None]
    assert len(results) == len(read) > 10
    assert [plies for _, found in results for plies in found] == PLIES
    assert [plies for games, _ in read for plies in games.plies.tolist()] == PLIES
    assert {name.startswith("rookery-games") for name, _ in results} == {threads > 1}


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("source", few(SOURCES, 3), ids=lambda source: source.__name__)
def test_an_error_follows_the_results_before_it(
    source: Callable[[Path], Any], threads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 10_000)
    seen = threading.Semaphore(5)

    def each(games: Games) -> int:
        if not seen.acquire(blocking=False):
            raise KeyError("the sixth")
        return len(games)

    read: list[int] = []
    with rookery.scan_pgn(source(tmp_path), threads=threads) as scan, pytest.raises(KeyError, match="the sixth"):
        read.extend(result or 0 for _, result in scan.results(each))
    assert len(read) == 5 or (threads > 1 and len(read) < 5)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("rookery-games")]


def test_the_error_of_a_file_has_no_result(tmp_path: Path) -> None:
    path = packed(tmp_path)
    path.write_bytes(path.read_bytes()[:-200])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DamagedFileWarning)
        with rookery.scan_pgn(path) as scan:
            *_, (last, result) = scan.results(len)
    assert (len(last), result) == (0, None)
    assert len(last.errors) == len(scan.failures) == 1


def test_wrong_arguments() -> None:
    with rookery.scan_pgn(b"1. e4 *", errors="skip") as scan, pytest.raises(ValueError, match="errors: 'skip'"):
        scan.results(len)
    with rookery.scan_pgn(b"1. e4 *") as scan, pytest.raises(TypeError, match="each: 5: expected a function of games"):
        scan.results(5)  # type: ignore[arg-type]
