"""Laws of queries: a condition and its negation divide what has no missing values, whichever way asks.

Conditions are random, as in SQLancer's "ternary logic partitioning": what holds, what does not and what is unknown are
found in different ways, and together are everything.
"""

import functools
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, assume, given
from hypothesis import strategies as st

import rookery
from command_line import run
from damaged_games import GAMES
from game_samples import UGLY
from played_games import play
from random_plans import OF_GAMES, WHERES
from random_positions import random_position
from random_queries import Allowed, queries, refused
from rookery import Positions, Query, read_pgn, scan
from thinning import examples

pytestmark = pytest.mark.filterwarnings("ignore:.* could not be read to the end")
seeds = st.integers(0, 5)
ALONE = queries("truth", Allowed(3))  # nothing in them can be missing
IN_GAMES = queries("truth", Allowed(2, games=True, move=True, sequences=1))
OF_HEADERS = st.sampled_from((*OF_GAMES, *WHERES, 'not (header("White") == speed)', "White in (Black, Annotator)"))
few, many = (
    examples(most, default, suppress_health_check=list(HealthCheck)) for most, default in ((40, 6), (1000, 40))
)

Rows = list[Any]
WAYS: Final = st.lists(st.integers(0, 99), min_size=11, max_size=11)  # which way answers which question


MAY_BE_MISSING: Final = re.compile(
    "[/%]|None|clock|emt|eval|score|elo|result|Elo|year|date|base|increment|header|White|final|speed|Annotator|"
    "lowest|highest|average|distance|_number"
)


def hold(ask: Callable[[str], Rows], q: str, p: str, everything: Rows) -> None:
    """Check what holds of two conditions; `ask` returns the rows for which a condition is true."""
    holds, fails, holds_too, fails_too = ask(q), ask(f"not ({q})"), ask(p), ask(f"not ({p})")
    assert ask(f"({q}) or not ({q})") == [row for row in everything if row in {*holds, *fails}]
    assert not {*holds} & {*fails}
    assert ask(f"not not ({q})") == holds
    both, without = ask(f"({q}) and ({p})"), ask(f"({q}) and not ({p})")
    assert not {*both} & {*without}
    assert {*both, *without} == {*holds} & {*holds_too, *fails_too}
    assert ask(f"not (not ({q}) or not ({p}))") == both
    assert ask(f"({q}) or ({p})") == [row for row in everything if row in {*holds, *holds_too}]
    if is_known(q):
        assert sorted(holds + fails) == everything


def is_known(query: str) -> bool:
    """Check whether no value can be missing: a number divided by 0, and what games need not say."""
    return not MAY_BE_MISSING.search(query)


# Positions in memory.


@functools.cache
def positions(seed: int) -> Positions:
    rng = random.Random(seed)
    boards = [random_position(rng, chess960=False) for _ in range(40)]
    return Positions.from_fens([board.fen(en_passant="fen") for board in boards])


def indices_of(seed: int, query: str) -> Rows:
    return [int(i) for i in positions(seed).evaluate(query).nonzero()[0]]


def indices_by_where(seed: int, query: str) -> Rows:
    fens = positions(seed).to_fens()
    return [fens.index(fen) for fen in positions(seed).where(query).to_fens()]


def indices_by_plan(seed: int, query: str) -> Rows:
    fens = positions(seed).to_fens()
    return [fens.index(fen) for fen in scan(positions(seed)).positions(query).collect()["fen"].to_pylist()]


def indices_by_mask(seed: int, query: str) -> Rows:
    return [int(i) for i in Query(query).mask(positions(seed)).nonzero()[0]]


ALONE_BY: Final[list[Callable[[int, str], Rows]]] = [indices_of, indices_by_where, indices_by_plan, indices_by_mask]


@many
@given(ALONE, ALONE, seeds, WAYS)
def test_a_condition_and_its_negation_divide_positions(q: str, p: str, seed: int, ways: list[int]) -> None:
    assume(not refused(q) and not refused(p))
    ways_left = iter(ways)
    everything = list(range(len(positions(seed))))
    hold(lambda query: ALONE_BY[next(ways_left) % len(ALONE_BY)](seed, query), q, p, everything)


# Games, of which much is missing.


class Source:
    """Some games, in memory and in files, and the ways to ask for their positions."""

    def __init__(self, folder: Path, seed: int) -> None:
        rng = random.Random(seed)
        played = [play(rng).text.encode() for _ in range(4)]
        short = sorted(rng.sample(GAMES, 12), key=len)[:2]
        self.pgn, self.parquet = folder / f"{seed}.pgn", folder / f"{seed}.parquet"
        self.pgn.write_bytes(b"\n\n".join([*played, *short, UGLY.encode()]))
        self.games = read_pgn(self.pgn)
        rookery.pgn_to_parquet(self.pgn, self.parquet)
        self.rows = self.pairs(self.games.search("ply >= 0"))

    def pairs(self, hits: Any) -> Rows:
        return list(zip(hits.number.tolist(), hits.ply.tolist(), strict=True))

    def by_search(self, query: str) -> Rows:
        return self.pairs(self.games.search(query))

    def by_evaluate(self, query: str) -> Rows:
        held = self.games.positions("all").evaluate(query).tolist()
        return [row for row, value in zip(self.rows, held, strict=True) if value]

    def by_search_of_file(self, query: str) -> Rows:
        return self.pairs(rookery.search(self.pgn, query))

    def by_search_of_table(self, query: str) -> Rows:
        return self.pairs(rookery.search(self.parquet, query))

    def by_plan(self, query: str) -> Rows:
        table = scan(self.pgn).positions(query).select("number", "ply").collect()
        return [(row["number"], row["ply"]) for row in table.to_pylist()]

    def by_plan_of_games(self, query: str) -> Rows:
        table = scan(self.games).positions(query).select("number", "ply").collect()
        return [(row["number"], row["ply"]) for row in table.to_pylist()]

    def count_by_command(self, query: str) -> int:
        return int(run("search", str(self.pgn), f"({query})", "--count", status=1).stdout)  # a game is bad


IN_GAMES_BY: Final = [name for name in vars(Source) if name.startswith("by_")]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], Source]:
    folder = tmp_path_factory.mktemp("queries")
    return functools.cache(lambda seed: Source(folder, seed))


@many
@given(IN_GAMES | OF_HEADERS, IN_GAMES | OF_HEADERS, seeds, WAYS)
def test_a_condition_and_its_negation_divide_positions_of_games(
    source: Callable[[int], Source], q: str, p: str, seed: int, ways: list[int]
) -> None:
    assume(not refused(q) and not refused(p))
    games, ways_left = source(seed), iter(ways)
    hold(lambda query: getattr(games, IN_GAMES_BY[next(ways_left) % len(IN_GAMES_BY)])(query), q, p, games.rows)


OPERANDS: Final = (
    ("clock", "eval(white)", "WhiteElo", "elo", "year", "result", "average(clock)", "ply % (ply // 9)", "7"),
    ("White", "ECO", "speed", 'header("Annotator")', "Opening", "move.san", '"Q"'),
    ("date", "UTCDate", "2025-05-01"),
)
COMPARISONS: Final = st.sampled_from(OPERANDS).flatmap(
    lambda kind: st.tuples(st.sampled_from(kind[:-1]), st.sampled_from(("==", "!=", "<", ">=")), st.sampled_from(kind))
)


@many
@given(COMPARISONS, seeds, WAYS)
def test_a_comparison_is_true_or_false_where_its_operands_are_known(
    source: Callable[[int], Source], comparison: tuple[str, str, str], seed: int, ways: list[int]
) -> None:
    games, ways_left = source(seed), iter(ways)

    def ask(query: str) -> Rows:
        return getattr(games, IN_GAMES_BY[next(ways_left) % len(IN_GAMES_BY)])(query)  # type: ignore[no-any-return]

    text = " ".join(comparison)
    known = " and ".join(f"{one} is not None" for one in comparison[::2] if ask(f"{one} == {one}") != games.rows)
    assert sorted(ask(text) + ask(f"not ({text})")) == (ask(known) if known else games.rows)


@few
@given(ALONE, seeds)
def test_commands_count_what_is_found(source: Callable[[int], Source], q: str, seed: int) -> None:
    assume(not refused(q) and is_known(q))
    games = source(seed)
    holds, fails = games.count_by_command(q), games.count_by_command(f"not ({q})")
    assert holds + fails == len(games.rows)
    assert holds == len(games.by_search(q))
