"""The verbs of plans that need all rows: DuckDB, polars and plain Python over random tables, memory and executors."""

import itertools
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.data.pipeline.outputs import STREAM, Part, batches_of
from rookery.data.plans.aggregates import Aggregate, aggregates_of
from rookery.data.plans.exchanging import MEMORY
from rookery.data.plans.ordering import Key
from rookery.data.plans.sampling import Sample
from rookery.data.plans.steps import Rows
from rookery.data.plans.verbs import GroupBy, Head, Shuffle, Sort, Split, Unique
from rookery.sources.disk import DISK
from rookery.tasks.jobs import Job
from rookery.tasks.parts import TaskFiles
from thinning import examples

pa = pytest.importorskip("pyarrow")

SCHEMA = pa.schema(
    [
        ("text", pa.string()),
        ("whole", pa.int64()),
        ("number", pa.float64()),
        ("truth", pa.bool_()),
        ("day", pa.date32()),
    ]
)
TINY = 1 << 10  # bytes of memory, so that each table is divided


def rows_in(folder: Path, tables: Iterable[Any], schema: Any = SCHEMA) -> Rows:
    """Return tables as parts in a folder."""
    parts: list[Part] = []
    for table in tables:
        files = TaskFiles(str(folder), len(parts), "none")
        with files.writing(STREAM) as file, pa.ipc.new_stream(file, schema) as writer:
            writer.write_table(table, max_chunksize=7)
        parts.append(Part(Path(folder, files.kept[0][0])))
    return Rows(schema, tuple(parts))


def done(step: Any, tables: list[Any], executor: str | None = None) -> Any:
    """Return what a verb makes of tables, each of which is a part."""
    with DISK.temporary_folder() as folder, Job("test", [], executor, threads=2) as job:
        schema = tables[0].schema
        found = step.run(job, rows_in(folder, tables, schema))
        assert found.schema == step.schema(schema)
        # A copy, since the files are removed.
        batches = pa.ipc.open_stream(stream_of(found)).read_all()
        assert batches.schema == found.schema
        return batches


def stream_of(rows: Rows) -> Any:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, rows.schema) as writer:
        for batch in batches_of(rows.parts):
            assert batch.schema == rows.schema
            writer.write_batch(batch)
    return sink.getvalue()


def table_of(rows: list[tuple[Any, ...]]) -> Any:
    return pa.table(
        [pa.array(list(column), field.type) for column, field in zip(zip(*rows, strict=True), SCHEMA, strict=True)]
        if rows
        else [pa.array([], field.type) for field in SCHEMA],
        schema=SCHEMA,
    )


VALUES = st.tuples(
    st.none() | st.sampled_from(["", "a", "b", "é", "a b", "longer text"]),
    st.none() | st.integers(-3, 3) | st.integers(-(2**40), 2**40),
    st.none() | st.sampled_from([0.0, -0.0, 0.5, 0.1, -2.25, 1e9]) | st.floats(-100, 100),
    st.none() | st.booleans(),
    st.none() | st.dates(),
)
TABLES = st.lists(st.lists(VALUES, max_size=30).map(table_of), min_size=1, max_size=4)
COLUMNS = st.lists(st.sampled_from(SCHEMA.names), min_size=1, max_size=3, unique=True)
MEMORIES = st.sampled_from([TINY, MEMORY])


@examples(60)
@given(TABLES, COLUMNS, st.lists(st.booleans(), min_size=3, max_size=3), st.none() | st.integers(0, 40), MEMORIES)
def test_sorted_rows_are_those_of_python(
    tables: list[Any], columns: list[str], descending: list[bool], most: int | None, memory: int
) -> None:
    keys = tuple(Key(name, down) for name, down in zip(columns, descending, strict=False))
    expected = pa.concat_tables(tables).to_pylist()
    for key in reversed(keys):
        known = [row for row in expected if row[key.name] is not None]
        known.sort(key=lambda row: row[key.name], reverse=key.descending)
        expected = known + [row for row in expected if row[key.name] is None]
    assert done(Sort(keys, most, memory), tables).to_pylist() == expected[:most]


@examples(60)
@given(TABLES, st.integers(0, 3), MEMORIES)
def test_a_shuffle_is_a_permutation_that_the_seed_decides(tables: list[Any], seed: int, memory: int) -> None:
    whole = pa.concat_tables(tables).append_column("row", pa.array(range(sum(t.num_rows for t in tables))))
    shuffled = done(Shuffle(seed, memory), [whole])
    order = shuffled["row"].to_pylist()
    assert sorted(order) == list(range(whole.num_rows))
    assert shuffled.equals(whole.take(pa.array(order, pa.int64())))
    n = whole.num_rows // 3
    divided = [whole.slice(0, n), whole.slice(n, 2 * n), whole.slice(3 * n)]
    assert done(Shuffle(seed, TINY + MEMORY - memory), divided).equals(shuffled)
    if whole.num_rows > 20:
        assert done(Shuffle(seed + 1, memory), [whole])["row"].to_pylist() != order


@examples(60)
@given(TABLES, st.integers(1, 40), st.integers(0, 3))
def test_a_sample_has_the_rows_that_come_first_in_a_shuffle(tables: list[Any], n: int, seed: int) -> None:
    whole = pa.concat_tables(tables).append_column("row", pa.array(range(sum(t.num_rows for t in tables))))
    found = done(Sample(n, seed), [whole])["row"].to_pylist()
    assert found == sorted(done(Shuffle(seed), [whole])["row"].to_pylist()[:n])
    k = whole.num_rows // 3
    assert done(Sample(n, seed), [whole.slice(0, k), whole.slice(k)])["row"].to_pylist() == found


@examples(60)
@given(TABLES, COLUMNS, MEMORIES)
def test_modes_are_the_most_frequent_values(tables: list[Any], columns: list[str], memory: int) -> None:
    aggregates = aggregates_of(["mode(whole), mode(text), games"], {})
    aggregates = tuple(one._replace(of="day") if one.kind == "games" else one for one in aggregates)
    groups: dict[Any, list[dict[str, Any]]] = {}
    for row in pa.concat_tables(tables).to_pylist():
        groups.setdefault(tuple(row[name] for name in columns), []).append(row)
    for row in done(GroupBy(tuple(columns), aggregates, memory), tables).to_pylist():
        own = groups.pop(tuple(row[name] for name in columns))
        for name in ("whole", "text"):
            known = Counter(one[name] for one in own if one[name] is not None)
            assert row[f"mode({name})"] == (known.most_common(1)[0][0] if known else None)
        assert row["games"] == len({one["day"] for one in own})
    assert not groups


AGGREGATES = aggregates_of(
    ["n=count, total=sum(whole), sum(number), mean(whole), m=mean(number), min(text), max(text)"],
    {"low": "min(number)", "late": "max(day)", "early": "min(whole)", "sure": "sum(truth)", "p": "first(whole)"},
)
IN_SQL = """count(*), sum(whole), sum(number), avg(whole), avg(number), min(text), max(text), min(number), max(day),
            min(whole), sum(truth::int)"""


def close(ours: Any, theirs: Any) -> bool:
    if isinstance(ours, float) and theirs is not None:
        return ours == pytest.approx(float(theirs), rel=1e-12, abs=1e-9)
    return bool(ours == theirs)


@examples(60)
@given(TABLES, COLUMNS, MEMORIES)
def test_aggregates_are_those_of_duckdb(tables: list[Any], columns: list[str], memory: int) -> None:
    duckdb = pytest.importorskip("duckdb")
    found = done(GroupBy(tuple(columns), AGGREGATES, memory), tables)
    whole = pa.concat_tables(tables)
    # -0.0 and 0.0 are one value for both.
    keys = ", ".join(columns)
    sql = f"select {keys}, {IN_SQL} from whole group by {keys} order by {', '.join(f'{c} nulls last' for c in columns)}"
    expected = duckdb.sql(sql).fetchall()
    first: dict[Any, Any] = {}
    for row in whole.to_pylist():
        first.setdefault(tuple(row[name] for name in columns), row["whole"])
    rows = [tuple(row.values()) for row in found.to_pylist()]
    assert len(rows) == len(expected)
    for ours, theirs in zip(rows, expected, strict=True):
        assert all(itertools.starmap(close, zip(ours[:-1], theirs, strict=True))), (ours, theirs)
        assert ours[-1] == first[ours[: len(columns)]]


@examples(60)
@given(TABLES, COLUMNS, MEMORIES)
def test_unique_rows_are_the_first_of_a_dict(tables: list[Any], columns: list[str], memory: int) -> None:
    expected: dict[Any, dict[str, Any]] = {}
    counts: dict[Any, int] = {}
    for row in pa.concat_tables(tables).to_pylist():
        key = tuple(row[name] for name in columns)
        expected.setdefault(key, row)
        counts[key] = counts.get(key, 0) + 1
    step = Unique(tuple(columns), aggregates_of(["n=count"], {}), memory=memory)
    assert done(step, tables).to_pylist() == [row | {"n": counts[key]} for key, row in expected.items()]


@examples(60)
@given(TABLES, st.lists(st.sampled_from([1, 0.5, 0, None]), min_size=120, max_size=120), MEMORIES)
def test_results_are_counted(tables: list[Any], points: list[Any], memory: int) -> None:
    rows = pa.concat_tables(tables).select(["text"])
    points = points[: rows.num_rows]
    rows = rows.append_column("points", pa.array(points, pa.float32()))
    found = done(GroupBy(("text",), aggregates_of(["results(points)"], {}), memory), [rows]).to_pylist()
    for group in found:
        own = [row["points"] for row in rows.to_pylist() if row["text"] == group["text"]]
        wins, draws, losses = (own.count(value) for value in (1, 0.5, 0))
        assert [group[name] for name in ("wins", "draws", "losses")] == [wins, draws, losses]
        assert group["score"] == ((wins + draws / 2) / (wins + draws + losses) if wins + draws + losses else None)


@examples(60)
@given(TABLES, MEMORIES)
def test_games_are_counted_once(tables: list[Any], memory: int) -> None:
    aggregates = (*aggregates_of(["count, sum(whole)"], {}), Aggregate("games", "games", "text"))
    found = done(GroupBy(("truth",), aggregates, memory), tables).to_pylist()
    games: dict[Any, set[Any]] = {}
    rows = pa.concat_tables(tables).to_pylist()
    for row in rows:
        games.setdefault(row["truth"], set()).add(row["text"])
    assert {row["truth"]: row["games"] for row in found} == {key: len(own) for key, own in games.items()}
    assert sum(row["count"] for row in found) == len(rows)


@examples(60)
@given(TABLES, st.sampled_from(SCHEMA.names))
def test_splits_keep_equal_values_together(tables: list[Any], column: str) -> None:
    found = done(Split((column,), (0.5, 0.3, 0.2)), tables).to_pylist()
    assert [{k: v for k, v in row.items() if k != "split"} for row in found] == pa.concat_tables(tables).to_pylist()
    parts: dict[Any, str] = {}
    for row in found:
        assert parts.setdefault(row[column], row["split"]) == row["split"]


def test_splits_have_the_fractions() -> None:
    rows = pa.table({"game": pa.array(range(20_000))})
    found = done(Split(("game",), (0.7, 0.2, 0.1)), [rows])["split"].to_pylist()
    for name, share in (("train", 0.7), ("validation", 0.2), ("test", 0.1)):
        assert found.count(name) / 20_000 == pytest.approx(share, abs=0.02)


@examples(60)
@given(TABLES, st.integers(0, 70))
def test_the_first_rows(tables: list[Any], n: int) -> None:
    assert done(Head(n), tables).to_pylist() == pa.concat_tables(tables).to_pylist()[:n]


def numbers(n: int) -> Any:
    rng = np.random.default_rng(0)
    return pa.table(
        {
            "key": rng.integers(0, n // 3, n),
            "value": rng.normal(size=n),
            "name": [f"player {i}" for i in rng.integers(0, 50, n)],
        }
    )


@pytest.mark.parametrize(
    "step",
    [
        Sort((Key("value"),)),
        Sort((Key("name", True), Key("key")), 100),
        Shuffle(3),
        GroupBy(("name",), aggregates_of(["count, mean(value), sum(value)"], {})),
        GroupBy(("key",), aggregates_of(["count, mean(value), max(name)"], {})),
        Unique(("key",), aggregates_of(["count"], {"value": "mean(value)"})),
    ],
    ids=lambda step: step.name,
)
def test_memory_division_and_executor_change_nothing(step: Any) -> None:
    table = numbers(1500)
    expected = done(step, [table])
    assert expected.num_rows > 1
    divided = [table.slice(0, 1), table.slice(1, 999), table.slice(1000)]
    for memory, executor, tables in [
        (30_000, None, [table]),
        (20_000, "threads:3", divided),
        (1 << 20, None, divided),
    ]:
        assert done(replace(step, memory=memory), tables, executor).equals(expected)


@pytest.mark.slow
def test_processes_change_nothing() -> None:
    table = numbers(1500)
    for step in (Shuffle(3), Unique(("key",)), Sort((Key("value"),))):
        divided = [table.slice(0, 700), table.slice(700)]
        assert done(replace(step, memory=20_000), divided, "processes:2").equals(done(step, [table]))


def test_wrong_columns() -> None:
    schema = pa.schema([("text", pa.string()), ("list", pa.list_(pa.int64()))])
    with pytest.raises(ValueError, match="sort: 'x': no such column: expected one of text, list"):
        Sort((Key("x"),)).schema(schema)
    with pytest.raises(TypeError, match=r"unique: list: a column of 'list<.*>': expected numbers, texts"):
        Unique(("list",)).schema(schema)
    with pytest.raises(TypeError, match=r"agg: sum\(text\): a column of 'string': expected numbers or truth values"):
        GroupBy(("text",), aggregates_of(["sum(text)"], {})).schema(schema)
    with pytest.raises(ValueError, match="agg: 'text': is a column that is grouped by"):
        GroupBy(("text",), aggregates_of(["text=count"], {})).schema(schema)
    with pytest.raises(ValueError, match=r"aggregates: 'median\(x\)': expected sum"):
        aggregates_of(["median(x)"], {})
