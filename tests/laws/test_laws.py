"""Laws that hold for any games: ways to the same answer agree.

Files in parts, threads, executors and an interruption change no answer; what is written is read back; conditions on
headers and queries may be applied in any order; counts of games, positions and hits agree.
"""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pyarrow.parquet as pq
import pytest
from hypothesis import Phase, given
from hypothesis import strategies as st

import rookery
from damaged_games import GAMES, damaged
from game_samples import UGLY
from meeting_games import made_games
from random_plans import OF_GAMES, WHERES
from rookery import Games, Query, pgn, read_pgn, search
from rookery.games.search.counts import HitCounts
from rookery.games.search.hits import Hits
from thinning import examples

QUERIES: Final = (
    "is_check",
    "move.captures",
    "count(us.pieces) < 8",
    "ply > 20 and us.queens",
    "is_mate or is_stalemate",
)


def texts_of(seed: int, *, damage: bool = True) -> list[bytes]:
    """Return the texts of games: real ones, a damaged one, short ones that meet, and some with all that PGN has."""
    rng = random.Random(seed)
    real = rng.sample(GAMES, 4)
    return [*real[:3], damaged(rng, real[3]) if damage else real[3], made_games(3, seed).encode(), UGLY.encode()]


def written_to(path: Path, texts: list[bytes]) -> Path:
    path.write_bytes(b"\n\n".join(texts) + b"\n")
    return path


def rows(hits: Any) -> list[tuple[Any, ...]]:
    """Return what hits say, without the file and the number of their games."""
    columns = {name: part for name, part in hits.to_dict().items() if name not in ("file", "number")}
    return list(zip(*columns.values(), strict=True))


def hits_of(*arguments: Any, **options: Any) -> Hits:
    found = search(*arguments, **options)
    assert isinstance(found, Hits)
    return found


seeds = st.integers(0, 1000)
few = examples(100, 5, phases=[Phase.generate])  # a seed of another number is no simpler


# What is written is read back.


@few
@given(seeds)
def test_games_are_read_back_from_every_format(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    folder = tmp_path_factory.mktemp("laws")
    games = read_pgn(b"\n\n".join(texts_of(seed)), errors="skip")
    rookery.write_parquet(games, folder / "games.parquet")
    assert rookery.read_parquet(folder / "games.parquet") == games
    for export in (False, True):
        rookery.write_pgn(games, folder / "games.pgn", export=export)
        again = read_pgn(folder / "games.pgn", errors="raise")
        assert [game.movetext() for game in again] == [game.movetext() for game in games]
        assert export or [str(game) for game in again] == [str(game) for game in games]  # export adds headers
        rookery.write_pgn(again, folder / "again.pgn", export=export)
        assert (folder / "again.pgn").read_bytes() == (folder / "games.pgn").read_bytes()


@few
@given(seeds)
def test_games_as_trees_are_read_back(seed: int) -> None:
    for game in pgn.read(b"\n\n".join(texts_of(seed)).decode("utf-8", "replace")):
        if isinstance(game, pgn.Game):
            assert pgn.read_game(str(game)) == game


# Threads and executors.


def outputs(folder: Path, source: Path, name: str, **options: Any) -> Iterator[bytes]:
    """Yield what every function that writes files writes for a source."""
    rookery.pgn_to_parquet(source, folder / f"{name}.parquet", **options)
    yield (folder / f"{name}.parquet").read_bytes()
    for suffix in ("csv", "parquet"):
        rookery.annotate(
            source, folder / f"{name}.{suffix}", "legal_moves, c=count(us.pieces), check=is_check", **options
        )
        yield (folder / f"{name}.{suffix}").read_bytes()
        (folder / f"{name}.{suffix}").unlink()
    rookery.make_dataset(source, folder / name, split=[0.7, 0.3], seed=3, shards=3, by="game", shuffle=True, **options)
    yield from (path.read_bytes() for path in sorted((folder / name).glob("*.npy")))


@pytest.mark.parametrize("options", [{"threads": 2}, {"threads": 3}, {"executor": "threads:2"}], ids=str)
def test_threads_and_executors_write_the_same_bytes(options: dict[str, Any], tmp_path: Path) -> None:
    source = written_to(tmp_path / "games.pgn", texts_of(1))
    assert list(outputs(tmp_path, source, "many", **options)) == list(outputs(tmp_path, source, "one"))


@few
@given(seeds, st.sampled_from(QUERIES))
def test_threads_and_executors_find_the_same(tmp_path_factory: pytest.TempPathFactory, seed: int, query: str) -> None:
    source = written_to(tmp_path_factory.mktemp("laws") / "games.pgn", texts_of(seed))
    hits = hits_of(source, query, headers=["White", "ECO"])
    assert hits_of(source, query, headers=["White", "ECO"], threads=2) == hits
    assert hits_of(source, query, headers=["White", "ECO"], executor="threads:2") == hits
    assert read_pgn(source, threads=2) == read_pgn(source)
    positions = read_pgn(source).positions("all")
    assert positions.evaluate(query, threads=3).tolist() == positions.evaluate(query).tolist()


# Conditions on headers, then a query; or the query first.


@few
@given(seeds, st.sampled_from(WHERES), st.sampled_from(QUERIES))
def test_where_then_search_is_search_then_filter(
    tmp_path_factory: pytest.TempPathFactory, seed: int, where: str, query: str
) -> None:
    folder = tmp_path_factory.mktemp("laws")
    source = written_to(folder / "games.pgn", texts_of(seed))
    rookery.pgn_to_parquet(source, folder / "games.parquet")
    games, chosen = read_pgn(source), read_pgn(source, where=where)
    numbers = set(chosen.numbers.tolist())
    assert chosen == games[[i for i, number in enumerate(games.numbers.tolist()) if number in numbers]]
    found = hits_of(source, query, headers=["White"])
    expected = found[[i for i, number in enumerate(found.number.tolist()) if number in numbers]]
    assert hits_of(source, query, where=where, headers=["White"]).to_dict() == expected.to_dict()
    assert rows(hits_of(folder / "games.parquet", query, where=where, headers=["White"])) == rows(expected)
    assert rows(chosen.search(query, headers=["White"])) == rows(expected)


@few
@given(seeds, st.sampled_from(OF_GAMES))
def test_an_expression_about_games_chooses_the_same_games_and_positions(
    tmp_path_factory: pytest.TempPathFactory, seed: int, condition: str
) -> None:
    """`where` is a query over games: with each reader, and on positions."""
    folder = tmp_path_factory.mktemp("laws")
    source = written_to(folder / "games.pgn", texts_of(seed))
    rookery.pgn_to_parquet(source, folder / "games.parquet")
    games = read_pgn(source)
    numbers = games.search(f"({condition}) and ply == 0").number.tolist()
    assert hits_of(games, "ply == 0", where=condition).number.tolist() == numbers
    assert read_pgn(source, where=condition).numbers.tolist() == numbers
    assert rookery.read_parquet(folder / "games.parquet", where=condition).numbers.tolist() == numbers
    both = len(numbers) + len(games.search(f"(not ({condition})) and ply == 0"))
    assert both <= len(games)  # a condition about a missing value may be neither true nor false


# The parts of a file, joined, are the file.


@few
@given(seeds, st.sampled_from(QUERIES))
def test_parts_joined_are_the_whole(tmp_path_factory: pytest.TempPathFactory, seed: int, query: str) -> None:
    folder = tmp_path_factory.mktemp("laws")
    texts = texts_of(seed, damage=False)  # a comment that is not closed goes on in the next game
    whole = written_to(folder / "whole.pgn", texts)
    parts = [written_to(folder / f"{i}.pgn", [text]) for i, text in enumerate(texts)]
    assert [str(game) for game in read_pgn(parts)] == [str(game) for game in read_pgn(whole)]
    assert rows(hits_of(parts, query)) == rows(hits_of(whole, query))
    tree = rookery.OpeningTree()
    for part in parts:
        tree.add(read_pgn(part))
    at_once = read_pgn(whole).opening_tree().to_arrow()
    examples = ["file", "number"]
    assert tree.to_arrow().drop_columns(examples).equals(at_once.drop_columns(examples))
    counts = HitCounts("ECO")
    for part in parts:
        counts.add(hits_of(part, query, headers=["ECO"]))
    grouped = search(whole, query, group_by="ECO")
    assert isinstance(grouped, HitCounts)
    assert counts.to_dict() == grouped.to_dict()


@few
@given(seeds)
def test_annotations_of_parts_joined_are_those_of_the_whole(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    folder = tmp_path_factory.mktemp("laws")
    texts = texts_of(seed, damage=False)  # a comment that is not closed goes on in the next game
    inputs = {
        "whole": [written_to(folder / "whole.pgn", texts)],
        "parts": [written_to(folder / f"{i}.pgn", [text]) for i, text in enumerate(texts)],
    }
    tables = {}
    for name, paths in inputs.items():
        rookery.annotate(list(map(str, paths)), folder / f"{name}.parquet", "legal_moves, c=count(us.pieces)", every=3)
        table = pq.read_table(folder / f"{name}.parquet")
        tables[name] = table.drop_columns([key for key in table.column_names if key in ("file", "number", "game")])
    assert tables["parts"].equals(tables["whole"])


# An interruption at any moment, and the same call again.


class Interruptions:
    """A function to call with progress, which is interrupted at one of the calls."""

    def __init__(self, at: int) -> None:
        self.left = at

    def __call__(self, *_: object) -> None:
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


RESUMED: Final[dict[str, Callable[[Path, Path, Any], object]]] = {
    "annotate": lambda source, out, progress: rookery.annotate(
        source, out.with_suffix(".csv"), "legal_moves", executor="threads:1", progress=progress
    ),
    "pgn_to_parquet": lambda source, out, progress: rookery.pgn_to_parquet(
        source, out.with_suffix(".parquet"), executor="threads:1", progress=progress
    ),
    "index_games": lambda source, out, progress: rookery.index_games(
        source, out, executor="threads:1", progress=progress
    ),
    "make_dataset": lambda source, out, progress: rookery.make_dataset(
        source, out, split=[0.7, 0.3], shards=3, shuffle=True, executor="threads:1", watch=progress
    ),
}


def files_below(folder: Path) -> dict[str, bytes]:
    found = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return {name: content for name, content in found.items() if "manifest" not in name}


@pytest.mark.parametrize("name", RESUMED)
def test_an_interrupted_call_repeated_writes_the_same_files(name: str, tmp_path: Path) -> None:
    source = written_to(tmp_path / "games.pgn", texts_of(2))
    (tmp_path / "whole").mkdir()
    RESUMED[name](source, tmp_path / "whole" / "out", lambda *_: None)
    whole = files_below(tmp_path / "whole")
    interrupted = 0
    for at in range(1, 6):
        folder = tmp_path / f"{at}"
        folder.mkdir()
        try:
            RESUMED[name](source, folder / "out", Interruptions(at))
        except KeyboardInterrupt:
            interrupted += 1
            RESUMED[name](source, folder / "out", lambda *_: None)
        assert files_below(folder) == whole
    assert interrupted


# Counts.


@few
@given(seeds, st.sampled_from(QUERIES))
def test_counts_of_games_positions_and_hits_agree(
    tmp_path_factory: pytest.TempPathFactory, seed: int, query: str
) -> None:
    folder = tmp_path_factory.mktemp("laws")
    source = written_to(folder / "games.pgn", texts_of(seed))
    games: Games = read_pgn(source)
    assert games.plies.sum() + len(games) == len(games.positions("all")) == len(hits_of(source, "ply >= 0"))
    assert len(games.positions()) == games.plies.sum() == len(games.moves.moves)
    mask = Query(query).mask(games.positions("all"))
    hits = hits_of(source, query)
    assert mask.sum() == len(hits) == len(games.search(query))
    assert len(hits_of(source, query, one_per_game=True)) == len(set(hits.number.tolist()))
    assert hits.fens() == games.positions("all")[mask].to_fens()
