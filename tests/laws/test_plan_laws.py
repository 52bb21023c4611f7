"""Laws of plans: verbs that commute, sources of the same games, and threads and executors change no row."""

import itertools
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

import rookery
from damaged_games import GAMES
from game_samples import UGLY
from meeting_games import made_games
from played_games import play
from random_plans import OF_GAMES, WHERES, Verb, any_plan, done, rows_of_games, seeds
from rookery import Plan, read_pgn, scan
from rookery.data.pipeline import inputs
from thinning import examples

pytestmark = pytest.mark.filterwarnings("ignore:.* could not be read to the end")
few, some = (examples(most, n, suppress_health_check=list(HealthCheck)) for most, n in ((40, 1), (500, 15)))
numbers = st.integers(0, 2)


class Sources(NamedTuple):
    """The same games as PGN, as Parquet, as an Arrow file, in memory, and as an Arrow table in memory."""

    pgn: Path
    parquet: Path
    arrow: Path
    memory: rookery.Games
    table: Any


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Sources]]:
    """Three sets of games: well-behaved ones, odd ones, and both; a task reads few of them."""
    folder, rng = tmp_path_factory.mktemp("plans"), random.Random(5)
    played = [play(rng).text.encode() for _ in range(6)]
    short = sorted(rng.sample(GAMES, 12), key=len)[:3]
    made: list[Sources] = []
    sets = [
        [*short, made_games(6, 1).encode()],
        [*played, UGLY.encode()],
        [*played[:2], *short, made_games(3, 2).encode()],
    ]
    for i, texts in enumerate(sets):
        pgn, parquet, arrow = (folder / f"{i}.{suffix}" for suffix in ("pgn", "parquet", "arrow"))
        pgn.write_bytes(b"\n\n".join(texts) + b"\n")
        rookery.pgn_to_parquet(pgn, parquet)
        games = read_pgn(pgn)
        rookery.write_parquet(games, arrow)
        made.append(Sources(pgn, parquet, arrow, games, pq.read_table(parquet)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inputs, "TASK_BYTES", 3000)
        yield made


# Sources.


@some
@given(any_plan(), numbers)
def test_plans_over_text_tables_and_memory_agree(sources: list[Sources], verbs: list[Verb], i: int) -> None:
    expected = done(scan(sources[i].pgn), *verbs).collect()
    for source in sources[i][1:]:
        assert done(scan(source), *verbs).collect().equals(expected)


@some
@given(
    st.sampled_from([0.2, 0.5, 0.8]), seeds, numbers, st.sampled_from([1 << 24, 3000, 700]), st.none() | st.just("ply")
)
def test_samples_depend_neither_on_tasks_nor_on_formats(
    sources: list[Sources], sample: float, seed: int, i: int, size: int, more: str | None
) -> None:
    def sampled(source: Any) -> list[dict[str, Any]]:
        plan = scan(source).positions(more and f"{more} >= 0", sample=sample, seed=seed)
        found: list[dict[str, Any]] = plan.select("number", "ply").collect().to_pylist()
        return found

    expected = sampled(sources[i].pgn)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inputs, "TASK_BYTES", size)
        assert [sampled(source) for source in sources[i]] == 5 * [expected]


# Threads and executors.


@some
@given(any_plan(), numbers, st.sampled_from([{"threads": 3}, {"executor": "threads:2"}, {"executor": "threads:3"}]))
def test_threads_change_no_row(sources: list[Sources], verbs: list[Verb], i: int, options: dict[str, Any]) -> None:
    for source in sources[i]:
        plan = done(scan(source), *verbs)
        assert plan.collect(**options).equals(plan.collect())


@few
@given(any_plan(), numbers, st.integers(0, 4))
def test_processes_change_no_row(sources: list[Sources], verbs: list[Verb], i: int, kind: int) -> None:
    plan = done(scan(sources[i][kind]), *verbs)
    assert plan.collect(executor="processes:2").equals(plan.collect())


# Verbs that commute.


@some
@given(rows_of_games(), numbers, st.randoms(use_true_random=False))
def test_conditions_queries_and_columns_come_in_any_order(
    sources: list[Sources], verbs: list[Verb], i: int, rng: random.Random
) -> None:
    expected = done(scan(sources[i].pgn), *verbs).collect()
    order = rng.sample(verbs, len(verbs))
    source = sources[i][rng.randrange(4)]
    assert done(scan(source), *order).collect().equals(expected)
    first = next(verb for verb in [*order, None] if verb is None or verb.name == "where")
    if first is not None:
        others = [verb for verb in order if verb is not first]
        assert done(scan(source, where=first.args[0]), *others).collect().equals(expected)


@some
@given(any_plan(), st.sampled_from((*WHERES, *OF_GAMES)), numbers)
def test_a_condition_on_games_may_come_last(sources: list[Sources], verbs: list[Verb], where: str, i: int) -> None:
    expected = done(scan(sources[i].pgn), Verb("where", (where,)), *verbs).collect()
    assert done(scan(sources[i].pgn), *verbs).where(where).collect().equals(expected)


Made = Callable[[Plan], Plan]
SAME: Final[dict[str, Callable[[int, int, str, str], tuple[Made, Made]]]] = {
    "the order of games": lambda n, m, a, b: (
        lambda plan: plan.shuffle(n).sort("number", "ply"),
        lambda plan: plan,
    ),
    "two sorts": lambda n, m, a, b: (lambda plan: plan.sort(a).sort(b), lambda plan: plan.sort(b, a)),
    "a sort, twice": lambda n, m, a, b: (lambda plan: plan.sort(a).sort(a), lambda plan: plan.sort(a)),
    "heads": lambda n, m, a, b: (lambda plan: plan.head(n).head(m), lambda plan: plan.head(min(n, m))),
    "heads of a sort": lambda n, m, a, b: (
        lambda plan: plan.sort(a).head(n).head(m),
        lambda plan: plan.sort(a).split(0.5, 0.5, column="p").head(min(n, m)).unique("number", "ply"),
    ),
    "a sample is the head of a shuffle": lambda n, m, a, b: (
        lambda plan: plan.sample(m + 1, seed=n),
        lambda plan: plan.shuffle(n).head(m + 1).sort("number", "ply"),
    ),
    "split and sort": lambda n, m, a, b: (
        lambda plan: plan.split(0.5, 0.5, by=b).sort(a),
        lambda plan: plan.sort(a).split(0.5, 0.5, by=b),
    ),
    "split and shuffle": lambda n, m, a, b: (
        lambda plan: plan.split(0.5, 0.5, by="game").shuffle(n),
        lambda plan: plan.shuffle(n).split(0.5, 0.5, by="game"),
    ),
    "split and head": lambda n, m, a, b: (
        lambda plan: plan.split(0.7, 0.3, by="position").head(n),
        lambda plan: plan.head(n).split(0.7, 0.3, by="position"),
    ),
    "split and unique": lambda n, m, a, b: (
        lambda plan: plan.split(0.2, 0.3, 0.5, by="player").unique(a),
        lambda plan: plan.unique(a).split(0.2, 0.3, 0.5, by="player"),
    ),
    "unique, twice": lambda n, m, a, b: (lambda plan: plan.unique().unique(), lambda plan: plan.unique()),
    "unique of more": lambda n, m, a, b: (lambda plan: plan.unique(a, b).unique(a), lambda plan: plan.unique(a)),
    "unique is the first of a sort": lambda n, m, a, b: (
        lambda plan: plan.sort(a).unique(a),
        lambda plan: plan.unique(a).sort(a),
    ),
    "groups of shuffled rows": lambda n, m, a, b: (
        lambda plan: plan.shuffle(n).group_by(a).agg("count, games, max(ply), sum(number)"),
        lambda plan: plan.group_by(a).agg("count, games, max(ply), sum(number)"),
    ),
    "groups of groups": lambda n, m, a, b: (
        lambda plan: plan.group_by(a, b).agg(n="count").group_by(a).agg(n="sum(n)"),
        lambda plan: plan.group_by(a).agg(n="count"),
    ),
}
KEYS: Final = st.sampled_from(("ply", "number", "is_check", "WhiteElo", "clock", "count(occupied)", "Result", "key"))


@pytest.mark.parametrize("name", SAME)
@examples(70, 3, suppress_health_check=list(HealthCheck))
@given(rows_of_games(), seeds, st.integers(0, 99), KEYS, KEYS, numbers)
def test_verbs_that_need_all_rows_commute(
    sources: list[Sources], name: str, verbs: list[Verb], n: int, m: int, a: str, b: str, i: int
) -> None:
    one, other = SAME[name](n, m, a, b if a != b else "move.san")
    found = one(done(scan(sources[i].pgn), *verbs)).collect()
    expected = other(done(scan(sources[i].parquet), *verbs)).collect()
    found = found.select([column for column in found.column_names if column in expected.column_names])
    expected = expected.select(found.column_names)
    assert found.to_pylist() == expected.to_pylist()


@some
@given(rows_of_games(), KEYS, numbers)
def test_groups_and_parts_are_everything(sources: list[Sources], verbs: list[Verb], by: str, i: int) -> None:
    plan = done(scan(sources[i].parquet), *verbs)
    rows = plan.collect().to_pylist()
    assert sum(row["count"] for row in plan.group_by(by).agg("count").collect().to_pylist()) == len(rows)
    divided = plan.split(0.6, 0.4, by=by, column="part").collect().to_pylist()
    parts = [[row for row in divided if row["part"] == part] for part in ("train", "validation")]
    assert sum(map(len, parts)) == len(rows)
    found = sorted(itertools.chain(*parts), key=lambda row: (row["number"], row["ply"]))
    assert [{name: value for name, value in row.items() if name != "part"} for row in found] == rows
