"""Columns computed from headers: dates of which parts are known, and time controls, judged by python-chess."""

import csv
import datetime
import itertools
import math
from pathlib import Path

import chess.pgn
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rookery
from command_line import document, run
from rookery.frames.columns import Lists, Numbers, Texts
from rookery.games.games import Games
from rookery.games.headers.computed_headers import typed_header
from rookery.games.headers.dates import dates_in, day_played, days_of, numbers_of
from rookery.games.read.reader import read_pgn
from rookery.games.search.counts import HitCounts
from rookery.games.search.hits import Hits
from rookery.pgn.time_control import SPEEDS, time_control

DATES = {
    "2025.05.01": (2025, 5, 1),
    "1886.??.??": (1886, 0, 0),
    "1886.05.??": (1886, 5, 0),
    "????.05.01": (0, 5, 1),
    "????.??.??": (0, 0, 0),
    "1886": (1886, 0, 0),
    "1886.05": (1886, 5, 0),
    "01.02.1886": (1886, 0, 0),  # nobody knows which is the month
    "??.??.1886": (1886, 0, 0),
    "2000.1.1": (2000, 1, 1),
    "2024-05-01": (2024, 5, 1),
    "2024/05/01": (2024, 5, 1),
    " 2024. 5 .1 ": (2024, 5, 1),
    "\t2024.05.01": (2024, 5, 1),
    "1886.00.00": (1886, 0, 0),
    "0000.00.00": (0, 0, 0),
    "2001.02.30": (2001, 2, 0),
    "1900.02.29": (1900, 2, 0),
    "2000.02.29": (2000, 2, 29),
    "2024.05-01": (0, 0, 0),
    "2024.05.01 12:00": (0, 0, 0),
    "2024.05.011": (0, 0, 0),
    "12024.05.01": (0, 0, 0),
    "May 2024": (0, 0, 0),
    "?": (0, 0, 0),
    "": (0, 0, 0),
}


def game(date: str, event_date: str = "2001.02.03", header: str = "Date") -> str:
    return f'[Event "{date}"]\n[{header} "{date}"]\n[EventDate "{event_date}"]\n\n1. e4 *\n\n'


@pytest.mark.parametrize("header", ["Date", "UTCDate"])
def test_what_is_known_of_a_date(header: str, tmp_path: Path) -> None:
    games = read_pgn("".join(game(date, header=header) for date in DATES).encode())
    parts = [(date // 10000, date // 100 % 100, date % 100) for date in games.columns.dates.tolist()]
    assert parts == list(DATES.values())
    years = [year or None for year, _, _ in DATES.values()]
    assert games["year"].tolist() == years
    days = [datetime.date(*known) if all(known) else None for known in DATES.values()]
    assert games.date.tolist() == days
    # The text is kept if it is not what is written for the day, in PGN and in tables.
    path = tmp_path / "games.parquet"
    assert games.tags is not None
    kept = {dict(games.tags.rows(i)).get(header) for i in range(len(games))}
    assert set(DATES) - kept == {"2025.05.01", "2000.02.29"}
    rookery.write_pgn(games, tmp_path / "games.pgn")
    assert read_pgn(tmp_path / "games.pgn") == games
    rookery.write_parquet(games, path)
    table = rookery.read_parquet(path)
    assert table == games
    assert games.to_arrow()["year"].to_pylist() == table["year"].tolist() == years
    assert table.columns.dates.tolist() == games.columns.dates.tolist()
    for some in (rookery.read_parquet(path, columns=["year"]), read_pgn(path, headers=["year"])):
        assert some["year"].tolist() == years
        assert some.date.tolist() == days
    assert read_pgn(tmp_path / "games.pgn", headers=["White", "year"])["year"].tolist() == years
    for source in (path, tmp_path / "games.pgn"):
        for where, holds in (
            ("year < 1900", lambda known: 0 < known[0] < 1900),
            ("year is None", lambda known: not known[0]),
            ("date < 1900-01-01", lambda known: all(known) and known[0] < 1900),
            ("not date < 1900-01-01", lambda known: all(known) and known[0] >= 1900),
            ("date < 1900-01-01 or year == 1886", lambda known: known[0] == 1886),
        ):
            expected = [i for i, known in enumerate(DATES.values(), 1) if holds(known)]
            assert read_pgn(source, where=where).numbers.tolist() == expected
            assert read_pgn(source, where=where, headers=["White"]).numbers.tolist() == expected
    assert rookery.read_parquet(path, where="year == 1886", columns=["White"]).numbers.tolist() == [
        i for i, year in enumerate(years, 1) if year == 1886
    ]


def test_every_day_of_some_years() -> None:
    first = datetime.date(1896, 1, 1)
    days = [first + datetime.timedelta(n) for n in range(9 * 366)]
    for text in ("%Y.%m.%d", "%Y-%m-%d", " %Y . %m . %d "):
        dates, values, usual = days_of(Texts.of([day.strftime(text) for day in days]))
        assert values.to_numpy().tolist() == days
        assert usual.all() == (text == "%Y.%m.%d")
        assert dates.tolist() == numbers_of(values).tolist() == [int(day.strftime("%Y%m%d")) for day in days]
    wrong = [f"{year}.{month:02}.{day:02}" for year in (1900, 2000) for month in range(14) for day in range(33)]
    for text, known in zip(wrong, days_of(Texts.of(wrong))[1].valid.tolist(), strict=True):
        try:
            datetime.datetime.strptime(text, "%Y.%m.%d")
            exists = True
        except ValueError:
            exists = False
        assert known == exists


def test_the_day_of_two_headers() -> None:
    texts = ("2024.05.01", "1886.??.??", "????.??.??", "????.05.01", None)
    pairs = list(itertools.product(texts, texts))
    headers = [
        "".join(f'[{name} "{text}"]\n' for name, text in zip(("UTCDate", "Date"), pair, strict=True) if text)
        for pair in pairs
    ]
    games = read_pgn("".join(f'[Event "x"]\n{text}\n*\n\n' for text in headers).encode())
    for (utc, date), found in zip(pairs, games.columns.dates.tolist(), strict=True):
        known = [int(text.replace(".", "").replace("?", "0")) for text in (utc, date) if text]
        complete = [number for number in known if number % 100 and number > 9999]
        with_year = [number for number in known if number > 9999]
        assert found == next(iter([*complete, *with_year, *filter(None, known), 0]))
    assert Games.from_arrow(games.to_arrow()).columns.dates.tolist() == games.columns.dates.tolist()


def test_other_dates_in_conditions() -> None:
    texts = ("2001.02.03", "1999-1-1", "1886.??.??", "unknown")
    games = "".join(game("????.??.??", text) for text in texts).encode()
    assert read_pgn(games, where="EventDate >= 2000-01-01").numbers.tolist() == [1]
    assert read_pgn(games, where="EventDate < 2000-01-01").numbers.tolist() == [2]
    assert read_pgn(games, where='EventDate == "1886.??.??"').numbers.tolist() == [3]
    with pytest.raises(ValueError, match="for the year alone, write year == 1886"):
        read_pgn(games, where='Date.startswith("1886")')
    with pytest.raises(ValueError, match="for the year alone, write year == 1886"):
        read_pgn(games, where='"1886" in Date')


def test_tables_of_others() -> None:
    moves = pa.array([[1804], [1804]], pa.list_(pa.uint16()))
    table = pa.table({"moves": moves, "Date": ["1886.??.??", "2000.1.1"], "TimeControl": ["60", None]})
    games = Games.from_arrow(table)
    assert games["year"].tolist() == [1886, 2000]
    assert games["speed"].tolist() == ["bullet", None]
    assert games.date.astype(str).tolist() == ["NaT", "2000-01-01"]
    # Columns with the names of computed ones are headers if there is nothing to compute them from.
    own = Games.from_arrow(pa.table({"moves": moves, "speed": ["fast", "slow"], "year": [1, 2]}))
    assert own["speed"].tolist() == ["fast", "slow"]
    assert own["year"].tolist() == [1, 2]
    assert Games.from_arrow(own.to_arrow()) == own
    with pytest.raises(KeyError, match="column 'base': expected a column TimeControl, of which it is made"):
        own["base"]


def test_statistics_and_counts(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text("".join(map(game, ("1886.??.??", "1886.01.??", "2001.02.03", "????.??.??"))))
    assert document("games", str(path), "--stats")["years"] == {"1886": 2, "2001": 1, "unknown": 1}
    assert document("games", str(path), "--stats", "--where", "year == 1886")["games"] == 2
    rows = document("search", str(path), "ply == 0", "--by", "year")["counts"]
    assert {row["value"]: row["games"] for row in rows} == {"1886": 2, "2001": 1, None: 1}


# Time controls.

TIME_CONTROLS = {
    "180+2": (180, 2, "blitz"),
    "600+5": (600, 5, "rapid"),
    "60+0": (60, 0, "bullet"),
    "15+0": (15, 0, "ultraBullet"),
    "0+1": (0, 1, "bullet"),
    "300": (300, 0, "blitz"),
    "40/7200:3600": (7200, 0, "classical"),
    "40/5400+30:1800+30": (5400, 30, "classical"),
    "5400+30:1800+30": (5400, 30, "classical"),
    "40/300": (300, 0, "blitz"),
    "10+0.1": (10, 0.1, "ultraBullet"),
    " 600 + 5 ": (600, 5, "rapid"),
    "1/86400": (86400, 0, "correspondence"),
    "1/259200": (259200, 0, "correspondence"),
    "40/86399": (86399, 0, "classical"),
    "-": (None, None, "correspondence"),
    "?": (None, None, None),
    "": (None, None, None),
    "*180": (180, None, None),
    "300+5d": (300, None, None),
    "G/60": (None, None, None),
    "300+": (None, None, None),
    "40/7200:": (None, None, None),
    "40/7200:x": (None, None, None),
    "three minutes": (None, None, None),
}


def test_time_controls(tmp_path: Path) -> None:
    texts = [f'[Event "x"]\n[TimeControl "{text}"]\n\n1. e4 *\n\n' for text in TIME_CONTROLS]
    pgn = ("".join(texts) + '[Event "none"]\n\n1. e4 *\n').encode()
    games = read_pgn(pgn)
    expected = [*TIME_CONTROLS.values(), (None, None, None)]
    path = tmp_path / "games.parquet"
    rookery.write_parquet(games, path)
    table = games.to_arrow()
    for k, name in enumerate(("base", "increment", "speed")):
        values = [row[k] for row in expected]
        for some in (games, rookery.read_parquet(path, columns=[name]), read_pgn(path, headers=[name])):
            assert some[name].tolist() == values
        assert table[name].to_pylist() == values
        assert read_pgn(pgn, where=f"{name} is None").numbers.tolist() == [
            i for i, value in enumerate(values, 1) if value is None
        ]
    assert games["base"].dtype == np.float64
    for source in (pgn, path):
        for where, holds in (
            ("base >= 300", lambda base, _, __: base is not None and base >= 300),
            ("increment == 0", lambda _, increment, __: increment == 0),
            ("base + 40 * increment < 180", lambda b, i, _: b is not None and i is not None and b + 40 * i < 180),
            ('speed == "rapid"', lambda _, __, speed: speed == "rapid"),
            ('speed in ("blitz", "bullet")', lambda _, __, speed: speed in ("blitz", "bullet")),
        ):
            rows = [i for i, row in enumerate(expected, 1) if holds(*row)]
            assert rows
            assert read_pgn(source, where=where).numbers.tolist() == rows
            assert read_pgn(source, where=where, headers=["White"]).numbers.tolist() == rows
        query = 'speed == "blitz" and base >= 180 and increment <= 2 and ply == 1'
        found = rookery.search(source, query, headers=["base", "speed"])
        assert isinstance(found, Hits)
        assert found.number.tolist() == [i for i, (base, _, speed) in enumerate(expected, 1) if speed == "blitz"]
        assert found.to_arrow()["base"].to_pylist() == [180, 300, 300]
        by_speed = rookery.search(source, "ply == 1", group_by="speed")
        assert isinstance(by_speed, HitCounts)
        counts = {row.value: row.games for row in by_speed}
        assert counts == {speed: [row[2] for row in expected].count(speed) for *_, speed in expected}


def test_conditions_and_features_of_time_controls(tmp_path: Path) -> None:
    pgn = tmp_path / "games.pgn"
    pgn.write_text('[Date "1886.??.??"]\n[TimeControl "600+5"]\n\n1. e4 *\n\n[Event "x"]\n\n1. d4 *\n')
    with pytest.raises(ValueError, match="which TimeControl is: write base or increment for its seconds, or speed"):
        read_pgn(pgn, where="TimeControl >= 300")
    out = tmp_path / "out.parquet"
    rookery.annotate(pgn, out, "base,year,estimate=base + 40 * increment", every=2)
    rows = pq.read_table(out).select(["base", "year", "estimate"]).to_pylist()
    assert rows[0] == {"base": 600.0, "year": 1886.0, "estimate": 800.0}
    assert all(value is None or math.isnan(value) for value in rows[-1].values())
    run("games", str(pgn), "-o", str(tmp_path / "games.csv"), "--headers", "speed,year", "--stats")
    with (tmp_path / "games.csv").open(encoding="utf-8", newline="") as file:
        found = [(row["speed"], row["year"], row["base"], row["TimeControl"]) for row in csv.DictReader(file)]
    assert found == [("rapid", "1886", "600.0", "600+5"), ("", "", "", "")]


def test_the_speed_is_that_of_lichess() -> None:
    for base in (0, 1, 14, 29, 30, 60, 179, 180, 479, 480, 900, 1499, 1500, 5400):
        for increment in range(61):
            estimate = base + 40 * increment
            limits = (30, 180, 480, 1500)
            found = time_control(f"{base}+{increment}")
            assert (found.base, found.increment) == (base, increment)
            assert SPEEDS[found.speed - 1] == SPEEDS[sum(estimate >= limit for limit in limits)]


def test_time_controls_as_python_chess_reads_them() -> None:
    parts = ["300", "40/7200", "1800+30", "20/600+5", "0+2", "3600+0.5"]
    for number in (1, 2, 3):
        for chosen in itertools.product(parts, repeat=number):
            if any("/" not in part for part in chosen[:-1]):
                continue  # an error for python-chess
            text = ":".join(chosen)
            judge = chess.pgn.parse_time_control(text)
            found = time_control(text)
            assert (found.base, found.increment) == (judge.parts[0].time, judge.parts[0].increment)
            assert found.total == sum(part.time for part in judge.parts)


def test_days_that_are_missing_or_incomplete() -> None:
    texts = [None, "2024.05.01", "2024.??.05", "2024.05.??", "1000.01.01", "0999.12.31"]
    dates, days, usual = days_of(Texts.of(texts))
    assert dates.tolist() == [0, 20240501, 20240005, 20240500, 10000101, 9991231]
    assert days.valid.tolist() == [False, True, False, False, True, True]
    assert usual.tolist() == [False, True, False, False, True, True]


def test_numbers_of_days_have_four_digits_of_a_year() -> None:
    days = ["0000-12-31", "0001-01-01", "1969-12-31", "1970-01-01", "9999-12-31", "10000-01-01", "2024-02-29"]
    column = Numbers(np.array(days, "M8[D]"), np.array([True] * 6 + [False]))
    assert numbers_of(column).tolist() == [0, 10101, 19691231, 19700101, 99991231, 0, 0]


def test_the_date_of_a_game_is_from_columns_and_tags() -> None:
    day = Numbers(np.array(["2024-05-01", "2024-05-02"], "M8[D]"), np.array([True, False]))
    rating = Numbers(np.array([2100, 2200], np.int16), np.ones(2, np.bool_))
    tags = Lists(np.array([0, 0, 2]), {"name": Texts.of(["Round", "Date"]), "value": Texts.of(["1", "1886.??.??"])})
    assert dates_in({"Date": day}, None, 2).tolist() == [20240501, 0]
    assert dates_in({"Date": day}, tags, 2).tolist() == [20240501, 18860000]
    assert dates_in({"Date": rating}, None, 2).tolist() == [0, 0]
    assert dates_in({"UTCDate": Texts.of(["2000.1.1", "?"]), "Date": day}, tags, 2).tolist() == [20000101, 18860000]
    assert dates_in({}, None, 2).tolist() == [0, 0]
    assert dates_in({"UTCDate": Texts.of([None]), "Date": Texts.of(["????.??.01"])}, None, 1).tolist() == [1]


def test_the_day_played_is_that_of_utc_where_there_is_one() -> None:
    utc, date = Texts.of(["2024.05.01", "?", None]), Texts.of(["2024.05.02", "2024.05.03", None])
    for headers, expected in (
        ({"UTCDate": utc, "Date": date}, ["2024-05-01", "2024-05-03", "NaT"]),
        ({"UTCDate": utc}, ["2024-05-01", "NaT", "NaT"]),
        ({"Date": date}, ["2024-05-02", "2024-05-03", "NaT"]),
    ):
        days = day_played(headers)
        assert days is not None
        assert days.to_numpy().astype(str).tolist() == expected
    assert day_played({"EventDate": utc, "Date": None}) is None


def test_ratings_are_of_16_bits() -> None:
    texts = ["32767", "-32767", "32768", "-32768", "99999", "100000", "+5", "5.0", None]
    column = typed_header("WhiteElo", Texts.of(texts), len(texts))
    assert column.to_numpy().tolist() == [32767, -32767, None, None, None, None, 5, None, None]
    assert column.to_numpy().dtype == np.int16
    assert typed_header("WhiteElo", None, 2).to_numpy().tolist() == [None, None]
    assert typed_header(
        "Round", Numbers(np.array([3, 4], np.int16), np.array([True, False])), 2
    ).to_numpy().tolist() == [
        "3",
        None,
    ]
    assert typed_header("UTCDate", Texts.of(["2024.05.01"]), 1).to_numpy().tolist() == [None]
