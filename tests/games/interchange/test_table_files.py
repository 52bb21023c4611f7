"""Parquet and Arrow files as sources: tables that rookery wrote, and movetext as data sets have it."""

import datetime
import gzip
import io
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from game_samples import UGLY
from rookery import Games, read_pgn, scan_pgn, write_parquet
from rookery.games.interchange import table_files
from rookery.games.read import blocks
from rookery.sources.failures import DamagedFileError, DamagedFileWarning, NotGamesError

TEXT = (Path(__file__).parents[2] / "samples" / "lichess-2025-05.pgn").read_text(encoding="utf-8")
GAMES = ["[Event " + game for game in TEXT.split("[Event ")[1:]]
EXPECTED = read_pgn(TEXT.encode())
EVERYTHING: dict[str, Any] = {"headers": "all", "comments": True, "nags": True, "variations": True}


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_files, "BATCH", 5)


def arrow_file(table: Any, *, stream: bool = False) -> bytes:
    file = io.BytesIO()
    with (pa.ipc.new_stream if stream else pa.ipc.new_file)(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=7)
    return file.getvalue()


def parquet(table: Any) -> bytes:
    file = io.BytesIO()
    pq.write_table(table, file, row_group_size=7)
    return file.getvalue()


FORMATS: dict[str, Callable[[Any], bytes]] = {
    "Parquet": parquet,
    "Arrow": arrow_file,
    "Arrow stream": lambda table: arrow_file(table, stream=True),
}


class Pipe(io.RawIOBase):
    def __init__(self, data: bytes) -> None:
        self.file = io.BytesIO(data)

    def read(self, size: int = -1) -> bytes:
        return self.file.read(min(size, 3000))


def sources(path: Path, data: bytes) -> Iterator[Any]:
    path.write_bytes(data)
    yield from (path, str(path), data, io.BytesIO(data), Pipe(data), gzip.compress(data))


def movetext() -> Any:
    """A table like the Lichess data set on Hugging Face."""
    columns = {name: EXPECTED[name].tolist() for name in ("White", "Site", "Result", "Opening")}
    columns |= {name: EXPECTED[name].tolist() for name in ("WhiteElo", "BlackRatingDiff")}
    day = datetime.date(2025, 5, 1)
    columns |= {"UTCDate": [day] * 12, "UTCTime": [datetime.time(0, 0, 5)] * 12, "Rank": list(range(12))}
    return pa.table(columns | {"movetext": [game.split("\n\n")[1] for game in GAMES]})


@pytest.mark.parametrize("format_", FORMATS)
def test_tables_that_rookery_wrote(tmp_path: Path, format_: str) -> None:
    games = read_pgn(TEXT.encode() + b"\n1. e4 Ke2 *\n", **EVERYTHING)
    data = FORMATS[format_](games.to_arrow())
    for source in sources(tmp_path / "games", data):
        found = read_pgn(source, **EVERYTHING)
        assert found == games
        assert found.errors == games.errors
    for options in (
        {"where": "WhiteElo >= 1500 and White is not None"},
        {"where": 'UTCTime >= "00:00:02" or Annotator is not None', "headers": ["White", "Round"]},
        {"headers": ["WhiteElo", "Annotator"], "clocks": False, "comments": False},
        {"errors": "skip"},
    ):
        assert read_pgn(data, **options) == read_pgn(TEXT.encode() + b"\n1. e4 Ke2 *\n", **options), options
    headers = read_pgn(FORMATS[format_](EXPECTED.to_arrow()), moves=False)
    assert headers == read_pgn(TEXT.encode(), moves=False)
    with pytest.raises(ValueError, match="'Ke2' is not legal"):
        read_pgn(data, errors="raise")
    with scan_pgn(data, games=4) as scan:
        assert [len(part) for part in scan] == [4, 4, 4, 1]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("format_", FORMATS)
def test_tables_with_movetext(tmp_path: Path, format_: str, threads: int) -> None:
    table = movetext()
    expected = read_pgn(table)
    for source in sources(tmp_path / "games", FORMATS[format_](table)):
        games = read_pgn(source, threads=threads)
        assert games == expected
        assert games.moves == EXPECTED.moves
        assert np.array_equal(games["Rank"], range(12))
        assert games.numbers.tolist() == list(range(1, 13))
        if hasattr(source, "read"):
            continue
        some = read_pgn(source, threads=threads, headers=["White", "Black"], where="WhiteElo > 1500")
        assert list(some.headers) == ["White", "Black"]
        assert some["White"].tolist() == EXPECTED["White"][(EXPECTED["WhiteElo"] > 1500).filled(False)].tolist()
    path = tmp_path / "games"
    assert read_pgn(path, where='Rank >= 3 and Result == "1-0"')["Rank"].tolist() == [
        i for i in range(3, 12) if EXPECTED.results[i] == "1-0"
    ]
    with pytest.raises(ValueError, match="expected a number such as 2000, which Rank is"):
        scan_pgn(path, where='Rank == "3"')


def test_errors_are_of_the_file(tmp_path: Path) -> None:
    texts = ["1. e4 *", "1. d4 *"] * 4 + ["1. e4 e5 2. Ke3 *"]
    path = tmp_path / "games.parquet"
    path.write_bytes(parquet(pa.table({"movetext": texts, "FEN": [None] * 9})))
    (error,) = read_pgn(path).errors
    assert (error.file, error.game, error.line, error.move) == (str(path), 9, 1, "Ke3")
    assert len(read_pgn(path, errors="skip")) == 8
    with pytest.raises(ValueError, match=r"games\.parquet: game 9, line 1, move 2\."):
        read_pgn(path, errors="raise")


def test_mixed_with_others(tmp_path: Path) -> None:
    write_parquet(EXPECTED, tmp_path / "a.parquet")
    (tmp_path / "b.pgn").write_text(TEXT, encoding="utf-8")
    (tmp_path / "c.arrow").write_bytes(arrow_file(EXPECTED.to_arrow()))
    games = read_pgn(str(tmp_path / "*"), where="WhiteElo > 0")
    assert games == Games.concatenate([EXPECTED] * 3)


@pytest.mark.parametrize("format_", ["Parquet", "Arrow"])
def test_tables_cut_short(tmp_path: Path, format_: str) -> None:
    path = tmp_path / "games"
    data = FORMATS[format_](EXPECTED.to_arrow())
    for size in (20, len(data) // 2, len(data) - 8):
        path.write_bytes(data[:size])
        with pytest.warns(DamagedFileWarning, match=f"damaged or cut short: its {format_} data cannot be read: "):
            games = read_pgn(path)
        assert len(games) == 0
        assert [error.game for error in games.errors] == [0]
        with pytest.raises(DamagedFileError, match="damaged or cut short"):
            read_pgn(path, errors="raise")


def test_damage_within_a_table(tmp_path: Path) -> None:
    data = bytearray(parquet(movetext()))
    place = len(data) // 2
    data[place : place + 300] = bytes(300)
    (tmp_path / "games").write_bytes(data)
    with pytest.warns(DamagedFileWarning, match="damaged or cut short"):
        games = read_pgn(tmp_path / "games")
    assert len(games) < 12


def test_other_tables() -> None:
    with pytest.raises(NotGamesError, match=r"the bytes: a table \(Parquet\) of 'a, b': expected games"):
        read_pgn(parquet(pa.table({"a": [1], "b": ["x"]})))
    moves = pa.table({"moves": pa.array([[1804, 1804]], pa.list_(pa.uint16()))})
    with pytest.raises(NotGamesError, match=r"the bytes: moves\[0\], half-move 2: e2e4 is not legal"):
        read_pgn(parquet(moves))
    assert len(read_pgn(parquet(movetext().slice(0, 0)))) == 0
    assert len(read_pgn(parquet(EXPECTED[:0].to_arrow()))) == 0


@pytest.mark.parametrize(
    "options",
    [
        {"headers": ["White"], "clocks": False},
        {"headers": ["Date", "Annotator", "Event"], "clocks": False, "comments": False},
        {"headers": [], "nags": False, "variations": False},
        {"headers": "all", "comments": False, "variations": False},
        {"headers": ["Result"], "moves": False},
        {"headers": ["White"], "where": "date is not None or UTCDate > 2020-01-01"},
        {"headers": ["White"], "where": "Termination == 'Normal' and plies > 5", "clocks": False},
    ],
)
@pytest.mark.parametrize("format_", FORMATS)
def test_what_is_not_wanted_is_not_read(format_: str, options: dict[str, Any]) -> None:
    whole = read_pgn(TEXT.encode() + b"\n\n" + UGLY.encode())
    data = FORMATS[format_](whole.to_arrow())
    expected = read_pgn(TEXT.encode() + b"\n\n" + UGLY.encode(), **options)
    found = read_pgn(data, **options)
    assert found.headers.keys() == expected.headers.keys() or options["headers"] == "all"
    assert found.moves == expected.moves
    assert found.numbers.tolist() == expected.numbers.tolist()
    for name in found.headers.keys() & expected.headers.keys():
        assert found[name].tolist() == expected[name].tolist()
    for name in ("clocks", "evals", "emts"):
        assert np.array_equal(getattr(found, name), getattr(expected, name), equal_nan=True)
    # Comments of PGN hold the clocks that were not read.
    for name in ("nags", "variations", *(("comments",) if options.get("clocks", True) else ())):
        ours, theirs = getattr(found, name), getattr(expected, name)
        assert (ours is None) == (theirs is None)
        assert ours is None or [ours.rows(i) for i in range(len(found))] == [theirs.rows(i) for i in range(len(found))]


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_threads_share_a_file_of_few_row_groups(threads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copies = 10
    path = tmp_path / "games.parquet"
    games = Games.concatenate([EXPECTED] * copies)
    write_parquet(games, path, row_group_size=-(-len(games) // 5))
    monkeypatch.setattr(blocks, "BLOCK", 6_000)
    asked: list[bool] = []  # whether threads of pyarrow may unpack

    def watched(method: Any) -> Any:
        def call(*arguments: Any, use_threads: bool = True, **options: Any) -> Any:
            asked.append(use_threads)
            return method(*arguments, use_threads=use_threads, **options)

        return call

    for name in ("read_row_groups", "read_row_group", "iter_batches"):
        monkeypatch.setattr(pq.ParquetFile, name, watched(getattr(pq.ParquetFile, name)))
    makers: set[str] = set()

    def each(some: Games) -> list[list[int]]:
        makers.add(threading.current_thread().name)
        return [moves.tolist() for moves in some.moves]

    with scan_pgn(path, threads=threads) as scan:
        found = [row for _, rows in scan.results(each) for row in rows or []]
    assert found == [moves.tolist() for moves in EXPECTED.moves] * copies
    assert ("MainThread" in makers) == (threads == 1)
    assert set(asked) == ({False} if threads < 4 else {False, True})


def test_damage_in_a_shared_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.parquet"
    games = Games.concatenate([EXPECTED] * 10)
    write_parquet(games, path, row_group_size=-(-len(games) // 5))
    metadata = pq.ParquetFile(path).metadata
    names = [metadata.row_group(1).column(i).path_in_schema for i in range(metadata.num_columns)]
    chunk = metadata.row_group(1).column(names.index("moves.list.element"))
    content = bytearray(path.read_bytes())
    content[chunk.data_page_offset : chunk.data_page_offset + 20] = b"\xff" * 20
    path.write_bytes(content)
    monkeypatch.setattr(blocks, "BLOCK", 6_000)

    def read(threads: int) -> tuple[int, list[list[int]], list[Any], list[str]]:
        with scan_pgn(path, threads=threads).without_warnings() as scan:
            batches = list(scan)
        moves = [row.tolist() for batch in batches for row in batch.moves]
        return len(moves), moves, [error for batch in batches for error in batch.errors], list(map(str, scan.failures))

    right = read(1)
    assert right[0] == -(-len(games) // 5)
    assert len(right[2]) == len(right[3]) == 1
    for threads in (2, 4):
        assert read(threads) == right
        with pytest.raises(DamagedFileError, match="its Parquet data cannot be read") as found:
            read_pgn(path, errors="raise", threads=threads)
        assert len(found.value.games) == right[0]
