"""`rookery.search`: sources of every kind, threads, executors, and memory."""

import bz2
import gzip
import io
import itertools
import os
import signal
import sys
import time
import tracemalloc
import warnings
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import chess
import numpy as np
import polars
import pyarrow as pa
import pytest
import zstandard

import rookery
from game_samples import SAMPLE
from naive_search import Place, hits, places_of_text, random_games
from rookery.games.games import Games
from rookery.games.headers.known_headers import UnknownHeaderError
from rookery.games.read import blocks, game_ranges
from rookery.games.read.game_ranges import ranges_of
from rookery.games.search import files
from rookery.games.search import ranges as search_ranges
from rookery.games.search.counts import HitCounts
from rookery.games.search.find import search_games
from rookery.games.search.hits import Hits
from rookery.sources.failures import DamagedFileWarning

TEXT = SAMPLE.read_text(encoding="utf-8")
PLACES = places_of_text(TEXT)
QUERY = 'move.captures and move.piece == "N"'


def expected(places: list[Place], query: str = QUERY) -> list[tuple[int, int, str]]:
    return [place.row() for place in hits(places, query)]


RIGHT = expected(PLACES)
search: Any = rookery.search  # whose result depends on its options


def rows(found: Any) -> list[tuple[int, int, str]]:
    return list(zip(found.number.tolist(), found.ply.tolist(), found.fens(), strict=True))


def as_pgn(folder: Path) -> Any:
    return SAMPLE


def as_name(folder: Path) -> Any:
    return str(SAMPLE)


def as_gzip(folder: Path) -> Any:
    (folder / "games.pgn.gz").write_bytes(gzip.compress(TEXT.encode()))
    return folder / "games.pgn.gz"


def as_zstd(folder: Path) -> Any:
    (folder / "games.pgn.zst").write_bytes(zstandard.compress(TEXT.encode()))
    return folder / "games.pgn.zst"


def as_bzip2(folder: Path) -> Any:
    (folder / "games.pgn.bz2").write_bytes(bz2.compress(TEXT.encode()))
    return folder / "*.bz2"


def as_parquet(folder: Path) -> Any:
    rookery.write_parquet(rookery.read_pgn(SAMPLE), folder / "games.parquet")
    return folder / "games.parquet"


def as_arrow_file(folder: Path) -> Any:
    table = rookery.read_pgn(SAMPLE).to_arrow()
    with pa.ipc.new_file(folder / "games.arrow", table.schema) as file:
        file.write_table(table)
    return folder / "games.arrow"


def as_bytes(folder: Path) -> Any:
    return TEXT.encode()


def as_open_file(folder: Path) -> Any:
    return io.BytesIO(TEXT.encode())


def as_column(folder: Path) -> Any:
    return pa.array([f"[Event {game}" for game in TEXT.split("[Event ")[1:]])


def as_table(folder: Path) -> Any:
    texts = [part.split("\n\n")[1] for part in TEXT.split("[Event ")[1:]]
    return pa.table({"movetext": texts, "White": rookery.read_pgn(SAMPLE)["White"].tolist()})


def as_frame(folder: Path) -> Any:
    return polars.from_arrow(as_table(folder))


SOURCES: list[Callable[[Path], Any]] = [
    *(as_pgn, as_name, as_gzip, as_zstd, as_bzip2, as_parquet, as_arrow_file, as_bytes, as_open_file, as_column),
    *(as_table, as_frame),
]


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.__name__)
@pytest.mark.parametrize("threads", [1, 2])
def test_sources(source: Callable[[Path], Any], threads: int, tmp_path: Path) -> None:
    found = search(source(tmp_path), QUERY, headers=["White"], threads=threads)
    if source is as_column:  # whose texts are numbered each for itself
        found.number = found.game + 1
    assert rows(found) == RIGHT
    games = rookery.read_pgn(SAMPLE)
    assert found["White"].tolist() == [games["White"][number - 1] for number, _, _ in RIGHT]


def test_several_files(tmp_path: Path) -> None:
    text, places = random_games(20, 5)
    (tmp_path / "b.pgn").write_text(text, newline="")
    source = [as_gzip(tmp_path), str(tmp_path / "*.pgn"), as_parquet(tmp_path)]
    found = search(source, QUERY)
    assert rows(found) == RIGHT + expected(places) + RIGHT
    sizes = [len(RIGHT), len(expected(places)), len(RIGHT)]
    names = [str(source[0]), str(tmp_path / "b.pgn"), str(SAMPLE)]  # of PGN: the table has games of the sample
    assert list(found.file) == [name for name, size in zip(names, sizes, strict=True) for _ in range(size)]
    shift = np.repeat([0, 12, 32], sizes)
    assert found.game.tolist() == (found.number - 1 + shift).tolist()
    assert found[-1].file == str(SAMPLE)


def test_empty_sources(tmp_path: Path) -> None:
    (tmp_path / "empty.pgn").write_text("")
    for source in (b"", [], tmp_path / "empty.pgn", [tmp_path / "empty.pgn", b"\n"]):
        found = search(source, QUERY, headers=["White"], context=1, sort_by="ply")
        assert isinstance(found, Hits)
        assert (len(found), list(found.headers)) == (0, ["White"])
        assert len(search(source, QUERY, group_by="ECO")) == 0
    assert len(search(pa.array([], pa.string()), QUERY)) == 0


def test_options_across_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    games = rookery.read_pgn(SAMPLE)
    wanted: list[dict[str, Any]] = [
        {"limit": 5},
        {"limit": 0},
        {"one_per_game": True, "headers": ["White", "ECO"]},
        {"sort_by": "count(occupied)", "limit": 4},
        {"sort_by": "-ply", "context": 2},
        {"sort_by": "elo(us)", "limit": 3},
    ]
    for block, threads in itertools.product((500, 5_000, blocks.BLOCK), (1, 2)):
        monkeypatch.setattr(blocks, "BLOCK", block)
        for options in wanted:
            found = search(SAMPLE, QUERY, threads=threads, **options)
            right = games.search(QUERY, **options).to_dict()
            assert found.to_dict() | {"file": None} == right | {"file": None}


def test_a_limit_ends_the_reading() -> None:
    class Endless(io.RawIOBase):
        taken = 0

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            self.taken += 1
            assert self.taken < 10_000
            data = b"1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n\n" * (len(buffer) // 30)
            buffer[: len(data)] = data
            return len(data)

    found = search(io.BufferedReader(Endless()), "them.bishops & b5", limit=3)
    assert rows(found) == [
        (n, 5, "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3") for n in (1, 2, 3)
    ]


def test_conditions_over_headers() -> None:
    games = rookery.read_pgn(SAMPLE)
    strong = {i + 1 for i in range(len(games)) if games["WhiteElo"][i] >= 1500}
    found = search(SAMPLE, QUERY, where="WhiteElo >= 1500")
    assert rows(found) == [row for row in RIGHT if row[0] in strong]
    assert 0 < len(strong) < 12


def test_headers_of_the_query_are_read() -> None:
    games = rookery.read_pgn(SAMPLE)
    eco = games["ECO"][2]
    numbers = [i + 1 for i in range(len(games)) if games["ECO"][i] == eco]
    found = search(SAMPLE, f'header("ECO") == "{eco}" and ply == 0')
    assert found.number.tolist() == numbers
    found = search(SAMPLE, "elo(white) > 1800 and ply == 0")
    assert found.number.tolist() == [i + 1 for i in range(len(games)) if games["WhiteElo"][i] > 1800]
    timed = search(SAMPLE, "clock < 60")
    assert len(timed) == len(games.search("clock < 60")) > 0


def test_groups() -> None:
    games = rookery.read_pgn(SAMPLE)
    counts = search(SAMPLE, QUERY, group_by="ECO")
    expected_rows: dict[str, list[int]] = {}
    for number, _, _ in RIGHT:
        expected_rows.setdefault(games["ECO"][number - 1], []).append(number)
    assert {c.value: (c.hits, c.games) for c in counts} == {
        eco: (len(numbers), len(set(numbers))) for eco, numbers in expected_rows.items()
    }
    assert [c.hits for c in counts] == sorted((c.hits for c in counts), reverse=True)
    kings = search(SAMPLE, QUERY, group_by="us.king")
    squares: dict[str, int] = {}
    for place in hits(PLACES, QUERY):
        name = chess.square_name(place.board.king(place.board.turn) or 0)
        squares[name] = squares.get(name, 0) + 1
    assert {c.value: c.hits for c in kings} == squares
    pieces = search(SAMPLE, QUERY, group_by="count(us.queens)")
    assert sum(c.hits for c in pieces) == len(RIGHT)
    assert {c.value for c in pieces} <= {"0", "1", "2"}


def by_loops(values: list[Any], numbers: list[int]) -> dict[Any, tuple[int, int]]:
    """Return the number of hits and of games with each value."""
    rows = list(zip(values, numbers, strict=True))
    return {value: (values.count(value), len({number for one, number in rows if one == value})) for value in values}


@pytest.mark.parametrize("source", [SAMPLE, "memory"])
def test_groups_by_any_expression(source: Any) -> None:
    games = rookery.read_pgn(SAMPLE)
    source = games if source == "memory" else source
    found = games.search(QUERY, headers=["ECO", "Result", "WhiteElo", "BlackElo"])
    elos = [hit.headers["WhiteElo" if hit.board.turn else "BlackElo"] for hit in found]
    numbers = found.number.tolist()
    for group_by, values in {
        "elo(us)//200": [None if elo is None else str(int(elo) // 200) for elo in elos],
        "elo(us) > 1500": [str(elo is not None and int(elo) > 1500) for elo in elos],
        "move.san": found.san().tolist(),
        "result(white)": [{"1-0": "1", "0-1": "0", "1/2-1/2": "0.5"}.get(str(hit.headers["Result"])) for hit in found],
        "ECO.startswith('B')": [str(str(hit.headers["ECO"]).startswith("B")) for hit in found],
        "ply // 10": [str(ply // 10) for ply in found.ply.tolist()],
        "next(is_check)": [
            str(games.positions("all").evaluate("next(is_check)")[row]) for row in rows_of(games, found)
        ],
    }.items():
        counts = search(source, QUERY, group_by=group_by)
        assert isinstance(counts, HitCounts)
        assert {c.value: (c.hits, c.games) for c in counts} == by_loops(values, numbers), group_by
    pairs = [f"{hit.headers['ECO']}, {hit.headers['Result']}" for hit in found]
    both = search(source, QUERY, group_by="ECO,Result")
    assert {c.value: (c.hits, c.games) for c in both} == by_loops(pairs, numbers)
    assert sorted(zip(both.to_dict()["ECO"], both.to_dict()["Result"], strict=True)) == sorted(
        {(hit.headers["ECO"], hit.headers["Result"]) for hit in found}
    )


def rows_of(games: Games, found: Hits) -> list[int]:
    """Return the places of hits among all positions of games."""
    begins = np.cumsum(games.plies + 1) - games.plies - 1
    rows: list[int] = (begins[found.game] + found.ply).tolist()
    return rows


@pytest.mark.parametrize("where", [None, "WhiteElo > 1500", "not WhiteElo > 1500 and plies > 30", 'Result == "1-0"'])
def test_games_in_memory_are_searched_as_files_are(where: str | None) -> None:
    games = rookery.read_pgn(SAMPLE)
    options: dict[str, Any] = {"where": where, "headers": ["White"], "context": 1}
    ours, of_file = search(games, QUERY, **options), search(SAMPLE, QUERY, **options)
    assert ours.number.tolist() == of_file.number.tolist()
    assert ours.san().tolist() == of_file.san().tolist()
    assert [hit.context for hit in ours] == [hit.context for hit in of_file]
    assert games.numbers[ours.game].tolist() == ours.number.tolist()  # an index of the games that were given
    if where is None:
        assert ours.to_dict() == games.search(QUERY, headers=["White"], context=1).to_dict()
    grouped = search(games, QUERY, where=where, group_by="ECO")
    assert grouped.to_dict() == search(SAMPLE, QUERY, where=where, group_by="ECO").to_dict()


def test_what_games_in_memory_do_not_take() -> None:
    games = rookery.read_pgn(SAMPLE)
    with pytest.raises(ValueError, match="executor: 'threads': expected none for games in memory"):
        search(games, QUERY, executor="threads")
    with pytest.raises(UnknownHeaderError, match="where: 'WhitElo': no game has this header; did you mean 'WhiteElo'"):
        search(games, QUERY, where='WhitElo == "2"')


def test_bad_games() -> None:
    text = '1. e4 e5 2. Ke5 d5 *\n\n1. e4 *\n\n[FEN "8/8 w"]\n\n1. e4 *\n\n1. d4 *\n'
    found = search(text.encode(), "ply >= 0")
    assert list(zip(found.number.tolist(), found.ply.tolist(), strict=True))[:5] == [
        (1, 0),
        (1, 1),
        (1, 2),
        (2, 0),
        (2, 1),
    ]
    assert found.number.tolist()[-2:] == [4, 4]


def test_damaged_files(tmp_path: Path) -> None:
    path = tmp_path / "cut.zst"
    path.write_bytes(b"".join(zstandard.compress(TEXT.encode()) for _ in range(2))[:-100])
    with pytest.warns(DamagedFileWarning):
        found = search([path, SAMPLE], QUERY)
    assert rows(found)[: len(RIGHT)] == RIGHT
    assert rows(found[found.file == str(SAMPLE)]) == RIGHT
    with pytest.raises(FileNotFoundError, match="nowhere"):
        search(tmp_path / "nowhere.pgn", QUERY)


class Inline(Executor):
    """An executor that runs a task when its result is taken, and counts the tasks that wait."""

    def __init__(self) -> None:
        self.given: list[tuple[Any, ...]] = []

    def submit(self, work: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
        self.given.append(arguments)
        future: Future[Any] = Future()
        future.set_result(work(*arguments, **named))
        return future


@pytest.mark.parametrize("make", [lambda: ThreadPoolExecutor(2), lambda: ProcessPoolExecutor(2), Inline])
def test_executors(make: Callable[[], Executor], tmp_path: Path) -> None:
    text, _ = random_games(20, 5)
    (tmp_path / "b.pgn").write_text(text, newline="")
    source = [as_gzip(tmp_path), tmp_path / "b.pgn", as_parquet(tmp_path), SAMPLE]
    wanted: list[dict[str, Any]] = [
        {"headers": ["White"], "context": 1},
        {"limit": 5},
        {"limit": 4, "sort_by": "count(occupied)"},
        {"one_per_game": True, "where": 'White != "x"'},
    ]
    with make() as executor, warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # that processes are forked where threads run
        for options in wanted:
            found = search(source, QUERY, executor=executor, **options)
            right = search(source, QUERY, **options)
            assert found.to_dict() == right.to_dict()
            assert found.game.tolist() == right.game.tolist()
        counts = search(source, QUERY, executor=executor, group_by="ECO")
        assert counts.to_dict() == search(source, QUERY, group_by="ECO").to_dict()


def test_ranges_of_a_file_are_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text, _ = random_games(60, 9)
    path = tmp_path / "games.pgn"
    path.write_text("{ a comment [Event \n\n" + text, newline="")  # the first game begins in a comment
    for size in (500, 3_000, 40_000):
        parts = list(ranges_of(str(path), size))
        assert [part.start for part in parts[1:]] == [part.stop for part in parts[:-1]]
        assert (parts[0].start, parts[-1].stop) == (0, None)
        read = [rookery.read_pgn(part) for part in parts]
        whole = rookery.read_pgn(path)
        assert sum(map(len, read)) == len(whole)
        assert [moves.tolist() for games in read for moves in games.moves] == [m.tolist() for m in whole.moves]
    assert len(list(ranges_of(str(path), 500))) > 10
    assert len(list(ranges_of(str(as_gzip(tmp_path)), 500))) == 1
    monkeypatch.setattr(game_ranges.ranges_of, "__defaults__", (700, None, None))
    for options in ({}, {"limit": 7}, {"sort_by": "ply", "limit": 7}, {"one_per_game": True}):
        found = search(path, QUERY, executor=Inline(), **options)
        right = search(path, QUERY, **options)
        assert found.to_dict() == right.to_dict()
        assert found.game.tolist() == right.game.tolist()


def test_an_executor_gets_paths() -> None:
    with pytest.raises(TypeError, match=r"source\[1\]: b'1. e4 \*': expected a path"):
        search([SAMPLE, b"1. e4 *"], QUERY, executor=Inline())


class Repeated(io.RawIOBase):
    """A file of the same games over and over, which takes no memory."""

    def __init__(self, times: int) -> None:
        self.left, self.held = times, b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self.held and self.left:
            self.held = TEXT.encode()
            self.left -= 1
        part, self.held = self.held[: len(buffer)], self.held[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)


@pytest.mark.parametrize("threads", [1, 2])
def test_memory_does_not_grow_with_the_source(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 1 << 17)

    def peak(times: int) -> int:
        tracemalloc.start()
        found = search(io.BufferedReader(Repeated(times)), "is_mate", threads=threads, group_by="ECO")
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert [count.hits for count in found] == [times]
        return most

    peak(5)
    # Two threads hold 6 to 10 MB, as they happen to wait for each other; all 1,600 texts have 37 MB.
    assert peak(1600) < 2.5 * peak(200)


def test_sorted_hits_are_cut_as_they_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 16_000)
    kept: list[int] = []
    whole = Hits.concatenate

    def concatenate(parts: Any) -> Hits:
        kept.append(sum(map(len, parts)))
        return whole(parts)

    monkeypatch.setattr(Hits, "concatenate", concatenate)
    found = search(io.BufferedReader(Repeated(40)), "is_check", sort_by="ply", limit=5)
    assert len(found) == 5
    assert max(kept) < 120


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"query": "us"} | {"group_by": "ECO", "limit": 5}, ValueError, "group_by: counts all hits"),
        ({"group_by": "ECO", "sort_by": "ply"}, ValueError, "group_by: counts all hits"),
        ({"group_by": 5}, TypeError, "group_by: 5: expected the name of a header or an expression"),
        ({"group_by": "is_chek"}, ValueError, "unknown name is_chek"),
        ({"where": "Elo ="}, ValueError, "where"),
        ({"source": 5}, TypeError, "source: int: expected a path"),
        ({"threads": 0}, ValueError, "threads: 0"),
        ({"query": "is_chek"}, ValueError, "did you mean is_check"),
        ({"query": "ply"}, ValueError, "query: ply: expected a condition or a set, not a number"),
        ({"limit": 1.5}, TypeError, "limit: 1.5"),
    ],
)
def test_wrong_arguments(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        search(**({"source": SAMPLE, "query": "is_check"} | options))


def test_the_last_row_group_is_searched_by_the_threads_that_have_nothing_to_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = rookery.read_pgn(SAMPLE)
    path, count, size = tmp_path / "games.parquet", len(games), 6
    rookery.write_parquet(games, path, row_group_size=size)
    monkeypatch.setattr(blocks, "BLOCK", 1 << 13)  # so that each row group is a range
    used: list[int] = []
    each = files.FileSearch._hits

    def noted(games: Any, query: Any, options: Any, threads: int, **where: Any) -> Hits:
        used.append(threads)
        return search_games(games, query, options, threads, **where)

    def waiting(search: Any, games: Any) -> Any:
        last = games.numbers[-1] == count
        deadline = time.monotonic() + 60
        while last and search._scan.idle_threads < 1 and time.monotonic() < deadline:
            time.sleep(0.001)
        return each(search, games)

    monkeypatch.setattr(files, "search_games", noted)
    monkeypatch.setattr(files.FileSearch, "_hits", waiting)
    assert rows(search(path, QUERY, threads=2)) == RIGHT
    assert sorted(used) == [1] * ((count - 1) // size) + [2]
    used.clear()
    search(path, QUERY, threads=2, limit=3)
    assert set(used) == {1}


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_ends_a_task_with_its_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "many.pgn"
    path.write_bytes(SAMPLE.read_bytes() * 40)
    monkeypatch.setattr(blocks, "BLOCK", 4_096)
    keep, calls = files.keep, list[int]()

    def counted(*arguments: Any) -> None:
        calls.append(1)
        if len(calls) == 2:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(1)  # until the main thread has noticed it
        keep(*arguments)

    monkeypatch.setattr(search_ranges, "keep", counted)
    with ThreadPoolExecutor(1) as pool:
        with pytest.raises(KeyboardInterrupt):
            rookery.search(path, "ply == 0", executor=pool)
        pool.shutdown(wait=True)
    assert len(calls) < 5
    calls[:] = [1, 1]
    rookery.search(path, "ply == 0", executor="threads:1")
    assert len(calls) > 50
