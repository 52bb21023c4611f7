"""Games through data frames and files and back, equal; and headers in the types that libraries make of them."""

import datetime
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rookery
from game_samples import SAMPLE, UGLY, ugly
from rookery.games.games import Games
from rookery.games.read.reader import read_pgn

GAMES = {
    "sample": read_pgn(SAMPLE),
    "ugly": ugly(),
    "ugly without remarks": read_pgn(UGLY.encode()),
    "one with hardly any header": ugly()[4:5],
    "none": ugly()[:0],
}


def through_duckdb(games: Games) -> Any:
    return duckdb.from_arrow(games.to_arrow())


WAYS: dict[str, Callable[[Games], Any]] = {
    "arrow": Games.to_arrow,
    "pandas": lambda games: games.to_arrow().to_pandas(),
    "pandas with Arrow's types": lambda games: games.to_arrow().to_pandas(types_mapper=pd.ArrowDtype),
    "pandas with types that know nulls": lambda games: games.to_arrow().to_pandas().convert_dtypes(),
    "pandas with dates as timestamps": lambda games: games.to_arrow().to_pandas(date_as_object=False),
    "pandas with categories": lambda games: games.to_arrow().to_pandas(strings_to_categorical=True),
    "polars": pl.DataFrame,
    "polars and pandas": lambda games: pl.DataFrame(games).to_pandas(),
    "duckdb": through_duckdb,
    "duckdb and pandas": lambda games: through_duckdb(games).df(),
    "duckdb and polars": lambda games: through_duckdb(games).pl(),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("games", GAMES.values(), ids=GAMES)
def test_there_and_back(games: Games, way: str) -> None:
    again = Games.from_arrow(WAYS[way](games))
    assert again == games
    assert [str(game) for game in again] == [str(game) for game in games]


@pytest.mark.parametrize("games", GAMES.values(), ids=GAMES)
def test_through_parquet(games: Games, tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    games.to_arrow().to_pandas().to_parquet(path)
    assert rookery.read_parquet(path) == games
    pl.DataFrame(games).write_parquet(path)
    assert rookery.read_parquet(path) == games


def test_a_frame_that_was_filtered() -> None:
    """Its index is a column for Arrow, and no header."""
    games = GAMES["sample"]
    frame = games.to_arrow().to_pandas()
    some = Games.from_arrow(frame[frame["WhiteElo"] > 1500])
    assert some == games[(games["WhiteElo"] > 1500).filled(False)]
    assert some.headers.keys() == games.headers.keys()


DATES = [datetime.date(2025, 5, 1), None, datetime.date(1999, 12, 31)]
TIMES = [datetime.time(23, 59, 58), None, datetime.time(0, 0, 1)]
SPANS = [None if t is None else datetime.timedelta(hours=t.hour, minutes=t.minute, seconds=t.second) for t in TIMES]
MOMENTS = [None if d is None else datetime.datetime(d.year, d.month, d.day) for d in DATES]
ELO, DIFF, NAMES = [2100, None, 1500], [-7, None, 8], ["Anna", None, "Bert"]
ENCODED = pa.chunked_array([pa.array(part, pa.string()).dictionary_encode() for part in (["Anna"], [None, "Bert"])])
PANDAS, POLARS = ("Int16", "Int64", "float64", object), (pl.Int64, pl.UInt32, pl.Float32)
COLUMNS: list[tuple[str, str, list[Any], Any]] = [
    *(("WhiteElo", f"pandas {dtype}", ELO, pd.Series(ELO, dtype=dtype)) for dtype in PANDAS),
    *(("WhiteElo", f"polars {dtype}", ELO, pl.Series(ELO, dtype=dtype)) for dtype in POLARS),
    ("WhiteElo", "NaN", ELO, pa.array([2100.0, float("nan"), 1500.0])),
    ("WhiteElo", "nulls", [None] * 3, pa.nulls(3)),
    ("WhiteRatingDiff", "floats", DIFF, pd.Series([-7.0, np.nan, 8.0])),
    ("UTCDate", "objects", DATES, pd.Series(DATES)),
    ("UTCDate", "pandas timestamps", DATES, pd.Series(pd.to_datetime(MOMENTS))),
    ("UTCDate", "with a time zone", DATES, pd.Series(pd.to_datetime(MOMENTS)).dt.tz_localize("UTC")),
    ("UTCDate", "polars", DATES, pl.Series(DATES)),
    ("UTCDate", "polars datetimes", DATES, pl.Series(MOMENTS)),
    ("UTCTime", "objects", TIMES, pd.Series(TIMES)),
    ("UTCTime", "pandas timedelta", TIMES, pd.Series(pd.to_timedelta(SPANS))),
    ("UTCTime", "polars", TIMES, pl.Series(TIMES)),
    ("UTCTime", "polars durations", TIMES, pl.Series(SPANS)),
    ("White", "objects", NAMES, pd.Series(NAMES, dtype=object)),
    ("White", "pandas categories", NAMES, pd.Series(NAMES, dtype="category")),
    ("White", "polars categories", NAMES, pl.Series(NAMES, dtype=pl.Categorical)),
    ("White", "polars enum", NAMES, pl.Series(NAMES, dtype=pl.Enum(["Bert", "Anna"]))),
    ("White", "dictionary", NAMES, pa.array(NAMES).dictionary_encode()),
    ("White", "dictionaries", NAMES, ENCODED),
    ("White", "views", NAMES, pa.array(NAMES, pa.string_view())),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "values", "column"), [(c[0], c[2], c[3]) for c in COLUMNS], ids=[" ".join(c[:2]) for c in COLUMNS]
)
def test_types_of_columns(name: str, values: list[Any], column: Any) -> None:
    """As Arrow has them, whatever they were: in tables of games, and beside movetext."""
    own = next((f.type for f in read_pgn(b"").to_arrow().schema if f.name == name), None)
    make: Any = {pd.Series: pd.DataFrame, pl.Series: pl.DataFrame}.get(type(column), pa.table)
    games = [
        Games.from_arrow(make({name: column, "moves": [[1804]] * 3})),
        read_pgn(make({name: column, "movetext": ["1. e4"] * 3})),
    ]
    for some in games:
        table = some.to_arrow()
        assert table[name].type == own
        assert table[name].to_pylist() == values
        texts = [game.headers.get(name) for game in some]
        assert [text is None or text == "?" for text in texts] == [value is None for value in values]


def test_columns_of_other_names(tmp_path: Path) -> None:
    """They keep their types and values, and are written as they are."""
    table = pa.table(
        {
            "movetext": ["1. e4", "1. d4"],
            "Accuracy": [97.25, None],
            "GameId": pa.array([2**62, 5], pa.int64()),
            "Big": pa.array([2**63, None], pa.uint64()),
            "Rated": [True, None],
            "AverageElo": [1500.5, 1600.0],
        }
    )
    games = read_pgn(table)
    again = games.to_arrow()
    for name in table.column_names[1:]:
        assert again[name].type == table[name].type
        assert again[name].to_pylist() == table[name].to_pylist()
    assert Games.from_arrow(again) == games
    assert Games.from_arrow(pl.DataFrame(games)) == games
    assert [games[0].headers[name] for name in table.column_names[1:]] == [
        "97.25",
        str(2**62),
        str(2**63),
        "True",
        "1500.5",
    ]
    rookery.write_pgn(games, tmp_path / "games.pgn")
    headers = [line for line in (tmp_path / "games.pgn").read_text().splitlines() if line.startswith("[")]
    assert headers == [
        '[Result "*"]', '[Accuracy "97.25"]', f'[GameId "{2**62}"]', f'[Big "{2**63}"]', '[Rated "True"]',
        '[AverageElo "1500.5"]',
        '[Result "*"]', '[GameId "5"]', '[AverageElo "1600"]',
    ]  # fmt: skip


def test_ratings_that_are_no_small_integers_stay_as_they_are() -> None:
    for values in ([1500.5, None], [40000.0, 2.0], [float("inf"), 1.0]):
        games = read_pgn(pa.table({"movetext": ["", ""], "WhiteElo": pa.array(values, pa.float64())}))
        assert games.to_arrow()["WhiteElo"].to_pylist() == values


@pytest.mark.parametrize(
    ("column", "error", "message"),
    [
        (pa.array([0, 3_600_000], pa.timestamp("ms")), ValueError, "UTCDate: row 1: 1970-01-01 01:00:00: expected"),
        (pa.array([0, 1500], pa.time32("ms")), ValueError, "UTCDate: row 1: 00:00:01.500000: expected a time"),
        (pa.array([0, 86_400], pa.duration("s")), ValueError, "UTCDate: row 1: 1 day, 0:00:00: expected a time"),
        (pa.array([-1, 0], pa.duration("s")), ValueError, "UTCDate: row 0: .*: expected a time of the day"),
        (pa.array([Decimal(1), None]), TypeError, "UTCDate: a column of decimal128.*: expected texts, numbers"),
    ],
)  # fmt: skip
def test_values_that_would_be_cut(column: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=f"^{message}"):
        read_pgn(pa.table({"movetext": ["", ""], "UTCDate": column}))
    with pytest.raises(error, match=f"^{message}"):
        Games.from_arrow(pa.table({"moves": pa.array([[], []], pa.list_(pa.uint16())), "UTCDate": column}))


def test_moves_of_other_integers() -> None:
    games = GAMES["sample"]
    table = games.to_arrow()
    at = table.schema.names.index("moves")
    wide = table.set_column(at, "moves", table["moves"].cast(pa.list_(pa.int64())))
    assert Games.from_arrow(wide) == games
    with pytest.raises(ValueError, match=r"^moves: a column of int64: expected lists of uint16: .*70000"):
        Games.from_arrow(pa.table({"moves": pa.array([[70000]], pa.list_(pa.int64()))}))
    with pytest.raises(TypeError, match=r"^moves: lists of double: expected uint16"):
        Games.from_arrow(pa.table({"moves": [[1.5]]}))
    with pytest.raises(ValueError, match=r"Games\.from_arrow reads a table with a column 'moves'"):
        read_pgn(table)
