"""Conditions over headers, and games read by them: the same as reading all and choosing."""

import random
from pathlib import Path

import numpy as np
import pytest

from rookery.games import work
from rookery.games.games import Games
from rookery.games.reader import read_pgn, scan_pgn
from rookery.games.where import Condition
from small_blocks import SmallBuffers
from test_games_arrow import SAMPLE, UGLY

GAMES = """\
[Event "a"]
[White "Anna"]
[WhiteElo "2100"]
[BlackElo "1900"]
[UTCDate "2025.05.01"]
[UTCTime "12:00:00"]
[TimeControl "300+3"]
[Result "1-0"]

1. e4 e5 1-0

[Event "b"]
[White "Bert"]
[WhiteElo "1800"]
[BlackElo "1950"]
[WhiteTitle "GM"]
[UTCDate "2024.12.31"]
[Opening "Sicilian Defense: Najdorf"]
[Result "1/2-1/2"]

1. d4 d5 1/2-1/2

[Event "c"]
[White "Ärger \\"A\\""]
[WhiteElo "?"]
[Round "3"]

1. c4 {[%clk 0:01:00]} *
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("WhiteElo >= 2000", "a"),
        ("WhiteElo >= 1800", "ab"),
        ("WhiteElo < 2000", "b"),
        ("not WhiteElo >= 2000", "b"),
        ("not (WhiteElo >= 2000 or Event == 'c')", "b"),
        ("2000 <= WhiteElo", "a"),
        ("1700 < WhiteElo < 2000 <= 2000 < WhiteElo or 1700 < WhiteElo < 2000", None),
        ("1700 < WhiteElo < 2000", "b"),
        ("WhiteElo != 2100", "b"),
        ("WhiteElo > BlackElo", "a"),
        ("BlackElo > WhiteElo", "b"),
        ("WhiteElo in (2100, 5)", "a"),
        ("WhiteElo not in [2100, 5]", "b"),
        ("WhiteElo > -1.5", "ab"),
        ("WhiteElo < 1e400", "ab"),
        ('WhiteElo >= 2000 and TimeControl == "300+3"', "a"),
        ('WhiteElo >= 2000 and TimeControl == "300"', ""),
        ('TimeControl == "300+3" or WhiteTitle in ("GM", "IM")', "ab"),
        ('UTCDate >= "2025.01.01"', "a"),
        ('"2025.01.01" > UTCDate', "b"),
        ('UTCTime == "12:00:00"', "a"),
        ('"Najdorf" in Opening', "b"),
        ('"Najdorfer" in Opening', ""),
        ('"" in Opening', "b"),
        ('"Najdorf" not in Opening', ""),
        ('White.startswith("A")', "a"),
        ('White.startswith("Anna!")', ""),
        ('White.startswith("Ä")', "c"),
        ("White == 'Ärger \"A\"'", "c"),
        ('White < "B"', "a"),
        ('White >= "Bert"', "bc"),
        ('White > "Ber"', "bc"),
        ('White <= "Berta"', "ab"),
        ('Round == "3"', "c"),
        ('Result == "1/2-1/2"', "b"),
        ("WhiteTitle is None", "ac"),
        ("WhiteTitle is not None", "b"),
        ('Nothing == "x"', ""),
        ("WhiteElo == 2100 or WhiteElo == 1800 or WhiteElo == 7", "ab"),
        ("WhiteElo > 0 or Round == '3'", "abc"),
    ],
)
def test_conditions(text: str, expected: str | None) -> None:
    if expected is None:
        with pytest.raises(ValueError, match="expected the name of a header on one side"):
            Condition(text)
        return
    for threads in (1, 2):
        games = read_pgn(GAMES.encode(), where=text, threads=threads)
        assert "".join(games["Event"]) == expected
    assert games.numbers.tolist() == ["abc".index(name) + 1 for name in expected]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "column 1 of ''"),
        ("WhiteElo >=", "column [0-9]+ of 'WhiteElo >='"),
        ("WhiteElo", "column 1 of 'WhiteElo': 'WhiteElo': expected a comparison"),
        ("True", "expected a comparison like"),
        ("WhiteElo >= '2000'", "column 13 of .*: \"'2000'\": expected a number, which WhiteElo is"),
        ("White >= 2000", "column 10 of .*: '2000': expected a text in quotes"),
        ("UTCDate > '2025.05'", 'expected a date like "2025.05.01", which UTCDate is'),
        ("UTCTime > 5", 'expected a time like "23:59:59"'),
        ("White > Black", "expected two headers that are numbers"),
        ("WhiteElo > UTCDate", "expected two headers that are numbers"),
        ("1 < 2", "expected the name of a header"),
        ("White in 'abc'", "expected values in brackets"),
        ("White in ()", "expected values in brackets"),
        ("'a' in WhiteElo", "expected a header that is a text"),
        ("WhiteElo + 1 > 2", "expected the name of a header"),
        ("__import__('os').system('x')", "expected a comparison, or a header with startswith"),
        ("White.endswith('x')", "expected a comparison, or a header with startswith"),
        ("White.startswith('x', 1)", "expected one text within the brackets"),
        ("White.startswith(5)", "expected a text in quotes"),
        ("(lambda: 1)() > WhiteElo", "expected a number"),
        ("[x for x in y]", "expected a comparison"),
        ("White is Black", "expected a header before 'is None'"),
        ("White == '\ud800'", ""),
        ("WhiteElo >= True", "expected a number"),
        ("a" * 20_000, "a text of 20,000 signs"),
        ("(" * 500 + "WhiteElo > 1" + ")" * 500, ""),
        ("not " * 2400 + "WhiteElo > 1", ""),
        ("White == 'a\0'", ""),
        ("WhiteElo > 1; WhiteElo > 2", "column 13"),
    ],
)
def test_what_is_no_condition(text: str, message: str) -> None:
    with pytest.raises(ValueError, match="where: " + (".*" + message if message else "")):
        read_pgn(GAMES.encode(), where=text)


def test_wrong_type() -> None:
    with pytest.raises(TypeError, match=r"^where: 5: expected a text like"):
        scan_pgn(b"", where=5)  # type: ignore[arg-type]


CONDITIONS = (
    'White == "Anna"', "WhiteElo >= 2000", "WhiteTitle is None", 'not Event == "b"', 'Result == "1-0"', 'Round != "9"',
    'Event == "bad" or Event == "c"',
)  # fmt: skip


def chosen(games: Games, condition: Condition, text: bytes) -> Games:
    columns = {name: games.headers[name] for name in condition.names if name != "Result"}
    if "Result" in condition.names:  # the header, which is no column
        renamed = read_pgn(text.replace(b"[Result ", b"[Said "), headers=["Said"])
        columns["Result"] = renamed.headers["Said"]
    return games[condition.mask(columns, len(games))]


def scrambled(seed: int) -> str:
    """Games cut and put together in odd ways."""
    rng = random.Random(seed)
    pieces = [p + "\n\n" for p in (GAMES + "\n" + UGLY + "\n" + SAMPLE.read_text()).split("\n\n")]
    odd = [
        '[White "Anna"]\n', "\n\n", "1. e4 *\n\n", "{ open\n\n", "; 1-0\n\n", ' [Event "c"]\n', "% 1-0\n", "\r\n",
        "1-0\n\n",
        '[Event "c"][White "Anna"]\n', '[WhiteElo "2001"] \n', "( 1. e4\n", "\ufeff",
        '[Event "b"]\n{x}\n[White "Anna"]\n\n*\n\n',
    ]  # fmt: skip
    text = [rng.choice(pieces if rng.random() < 0.75 else odd) for _ in range(60)]
    joined = "".join(text)
    return joined.replace("\n", "\r\n") if seed % 5 == 4 else joined


@pytest.mark.parametrize("seed", range(20))
def test_in_small_blocks(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "Buffers", SmallBuffers)
    test_as_if_all_were_read(100 + seed)


@pytest.mark.parametrize("seed", range(40))
def test_as_if_all_were_read(seed: int) -> None:
    text = scrambled(seed).encode()
    for condition in map(Condition, CONDITIONS):
        headers = ["Event", *(name for name in condition.names if name not in ("Event", "Result"))]
        every = read_pgn(text)
        every.headers |= read_pgn(text, headers=headers).headers
        expected = chosen(every, condition, text)
        games = read_pgn(text, headers=headers, where=condition.text, threads=1 + seed % 2)
        # Of what was passed over only the number of games may be another: those that have no headers are not counted.
        assert games["Event"].tolist() == expected["Event"].tolist(), condition
        assert games.moves == expected.moves
        assert games.offsets.tolist() == expected.offsets.tolist()
        assert [(e.line, e.offset, e.reason) for e in games.errors] == [
            (e.line, e.offset, e.reason) for e in expected.errors
        ]


def test_many_blocks(tmp_path: Path) -> None:
    """Blocks of four megabytes, packed or not, in threads or not."""
    sample = SAMPLE.read_bytes()
    path = tmp_path / "games.pgn"
    with path.open("wb") as file:
        for _ in range(500):
            file.write(sample)
    name = read_pgn(sample)["White"][5]
    for threads in (1, 2):
        games = read_pgn(path, where=f'White == "{name}"', threads=threads)
        assert len(games) == 500
        assert games.numbers.tolist() == list(range(6, 6000, 12))
        assert np.unique(np.diff(games.offsets)).tolist() == [len(sample)]
    with scan_pgn(path, where=f'White == "{name}"', games=7) as scan:
        assert [len(part) for part in scan] == [7] * 71 + [3]


def test_headers_alone() -> None:
    for threads in (1, 2):
        games = read_pgn(GAMES.encode(), where="WhiteElo > 0", moves=False, threads=threads)
        assert games["Event"].tolist() == ["a", "b"]
        assert games.moves.moves.size == 0
