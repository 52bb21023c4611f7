"""The arrays that reading takes are freed when it ends, not when the garbage is collected."""

import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

import rookery
import rookery.pgn
from rookery.pgn.scan.block_arrays import BlockReader

TEXT: Final = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n" * 3

CALLS: Final[dict[str, Callable[[Path], Any]]] = {
    "read_pgn": lambda path: rookery.read_pgn(path, threads=1),
    "read_pgn, two threads": lambda path: rookery.read_pgn(path, threads=2),
    "scan_pgn": lambda path: sum(map(len, rookery.scan_pgn(path))),
    "the first games of a scan": lambda path: next(rookery.scan_pgn(path, games=1)),
    "search": lambda path: rookery.search(path, "is_mate"),
    "pgn.read": lambda path: list(rookery.pgn.read(path)),
    "to Parquet": lambda path: rookery.pgn_to_parquet(path, path.with_suffix(".parquet")),
}


def readers() -> int:
    """Return the number of readers that hold arrays."""
    return sum(type(one) is BlockReader for one in gc.get_objects())


@pytest.mark.parametrize("name", CALLS)
def test_no_reader_is_left(name: str, tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(TEXT, encoding="utf-8")
    CALLS[name](path)
    gc.collect()
    before = readers()
    gc.disable()
    try:
        CALLS[name](path)
        assert readers() <= before  # a reader that was kept may be taken
    finally:
        gc.enable()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ["games", "texts"])
def test_arrays_that_are_used_again_change_no_games(name: str, threads: int, tmp_path: Path) -> None:
    options: dict[str, Any] = {"threads": threads, "texts": name == "texts"}
    first, second = tmp_path / "first.pgn", tmp_path / "second.pgn"
    first.write_text(TEXT, encoding="utf-8")
    second.write_text('[White "A"]\n\n1. d4 $1 { [%clk 0:01:02] } (1. c4) d5 1/2-1/2\n\n' * 5, encoding="utf-8")
    games = rookery.read_pgn(first, **options)
    before = games.to_arrow()
    others = rookery.read_pgn(second, **options)
    assert games.to_arrow() == before
    assert rookery.read_pgn(first, **options).to_arrow() == before
    assert rookery.read_pgn(second, **options) == others
