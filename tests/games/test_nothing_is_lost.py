"""Headers, comments and variations of a file go through Games, Arrow, Parquet and PGN and come back."""

import io
import itertools
import random
import re
import zlib
from pathlib import Path
from typing import Any

import chess.pgn
import numpy as np
import pyarrow as pa
import pytest

import rookery
from command_line import run
from rookery import Games, pgn, read_pgn, scan_pgn
from rookery.games.read import worker
from rookery.games.write import text_of_games
from rookery.kernel import U64
from rookery.pgn.scan import comments
from rookery.pgn.scan.output import PAD
from small_blocks import SmallBuffers
from thinning import few

DATA = Path(__file__).parents[1] / "samples"
SAMPLE = DATA / "lichess-2025-05.pgn"
TOURNAMENT = """\
[Event "12th Open, \\"Class A\\""]
[Site "Łódź POL"]
[Date "2024.05.??"]
[Round "3.1"]
[White "Müller, Anna"]
[Black "O'Brien, B."]
[Result "1-0"]
[BlackElo "?"]
[WhiteElo "2100"]
[WhiteFideId "4600000"]
[UTCDate "?"]
[EventDate "2024.05.01"]
[Annotator "C. D."]
[PlyCount "7"]

{ Before the first move } 1. e4 $1 { [%clk 1:30:00] } 1... e5 { [%csl Gd4][%cal Ge2e4] arrows } (1... c5 { sharp }
2. Nf3 (2. c3 d5) 2... d6) 2. Nf3! { [%eval 0.3] better } { a second remark } Nc6 { [%clk 1:29:58.5] } 3. Bb5
{ [%clk 1:29:00] } { [%clk 1:28:00] } a6 {[%eval 0.17,22]} 4. Ba4
1-0 { after the result }

[Event "Rapid"]
[Site "?"]
[Date "2024.05.02"]
[Round "-"]
[White "Z"]
[Black "Y"]
[Result "1/2-1/2"]
[UTCDate "2024.05.01"]
[UTCTime "23:59:59"]
[WhiteRatingDiff "-0"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]

1. e4 { [%eval #5] [%clk 0:00:10] [%emt 0:00:01] } 1... Kd7 1/2-1/2


[White "Only a name"]
[UTCDate "2024.05.03"]

*

[Event "A fault"]
[Date "2024.05.04"]
[Result "*"]

1. e4 Ke2 2. d4 *
"""


def facts(game: Any) -> list[Any]:
    """Return what python-chess finds in a game, comments without the blanks around them."""
    nodes = [game]
    found: list[Any] = [{name: value for name, value in game.headers.items() if value not in ("?", "????.??.??", "*")}]
    while nodes:
        node = nodes.pop()
        text = node.comment if isinstance(node.comment, str) else " ".join(node.comment)
        move = None if node.parent is None else node.move.uci()
        found.append((move, " ".join(text.split()), sorted(node.nags), len(node.variations)))
        nodes += reversed(node.variations)
    return found


def by_python_chess(text: str) -> list[list[Any]]:
    stream = io.StringIO(text)
    return [facts(game) for game in iter(lambda: chess.pgn.read_game(stream), None)]


def written(games: Games) -> str:
    text = io.StringIO()
    rookery.write_pgn(games, text)
    return text.getvalue()


def through_tables(games: Games, folder: Path) -> list[Games]:
    path = folder / "games.parquet"
    rookery.write_parquet(games, path)
    return [Games.from_arrow(games.to_arrow()), rookery.read_parquet(path), read_pgn(written(games).encode())]


def test_a_tournament_file_keeps_everything(tmp_path: Path) -> None:
    games = read_pgn(TOURNAMENT.encode())
    expected = by_python_chess(TOURNAMENT)[:3]
    for again in through_tables(games, tmp_path):
        assert again == games  # the bad one with its moves up to the fault
        assert by_python_chess(written(again[:3])) == expected
    assert games[0].headers["Date"] == "2024.05.??"
    assert games[0].headers["Round"] == "3.1"
    assert games[0].headers["BlackElo"] == "?"
    assert games[1].headers["WhiteRatingDiff"] == "-0"
    assert games[1].headers["Date"] == "2024.05.02"
    assert "Date" not in Games.from_arrow(games.to_arrow()).headers["White"].to_numpy()
    assert games["date"].astype(str).tolist() == ["NaT", "2024-05-01", "2024-05-03", "2024-05-04"]
    assert games.to_arrow()["date"].to_pylist()[1:] == games["date"].tolist()[1:]


@pytest.mark.parametrize("path", sorted(DATA.glob("*.pgn")), ids=lambda path: path.name)
def test_files_keep_everything(path: Path, tmp_path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    games = read_pgn(path)
    for again in through_tables(games, tmp_path):
        assert again == games
        assert by_python_chess(written(again)) == by_python_chess(text)


def test_games_are_those_of_the_small_reader() -> None:
    ours = list(read_pgn(TOURNAMENT.encode()))
    assert ours[:3] == [game for game in pgn.read(TOURNAMENT) if isinstance(game, pgn.Game)]


def test_the_date_of_a_table() -> None:
    """Tables have one column for both dates, and give both headers back."""
    tags = {"utc": ("", '[UTCDate "2024.05.01"]\n', '[UTCDate "2024.05.02"]\n', '[UTCDate "?"]\n')}
    tags["date"] = ("", '[Date "2024.05.01"]\n', '[Date "2024.05.??"]\n', '[Date "2024.05.03"]\n')
    pairs = itertools.product(tags["utc"], tags["date"])
    games = read_pgn("".join(f'[White "x"]\n{utc}{date}\n*\n\n' for utc, date in pairs).encode())
    table = games.to_arrow()
    assert [name.lower() for name in table.column_names].count("date") == 1
    for again in (Games.from_arrow(table), Games.from_arrow(games[3:9].to_arrow())):
        assert again == (games if len(again) > 6 else games[3:9])
        assert [game.headers for game in again] == [game.headers for game in (games if len(again) > 6 else games[3:9])]
    assert list(Games.from_arrow(table).headers) == list(games.headers)


def test_what_was_not_read_is_not_unknown() -> None:
    games = read_pgn(TOURNAMENT.encode(), headers=["White"])
    assert games[0].headers == {"White": "Müller, Anna", "Result": "1-0"}
    assert "????" not in str(games[0])
    assert "Date" not in written(games[:1])
    with pytest.raises(ValueError, match=r"^export: Event, Site, Date, Round, Black: not read"):
        rookery.write_pgn(games, io.StringIO(), export=True)
    with pytest.raises(KeyError, match="UTCDate or Date"):
        games["date"]


# Comments that are nothing but values.


def stated(text: str) -> Any:
    data = np.frombuffer(bytearray(text.encode() + bytes(PAD)), np.uint8)
    return comments.values_alone(data, U64(0), U64(len(text)))


def rewritten(values: Any) -> str:
    out = np.zeros(200, np.uint8)
    n = text_of_games._write_values(out, U64(0), values.clock, values.evaluation, values.elapsed)
    return out[: int(n)].tobytes().decode().rstrip()


CANONICAL = [
    *(f"[%clk {s // 3600}:{s // 60 % 60:02}:{s % 60:02}]" for s in range(0, 36_000, 37)),
    *(f"[%clk {h}:{m:02}:59.{f}]" for h in (0, 1, 9) for m in (0, 9, 59) for f in ("1", "9", "01", "25", "99")),
    *(f"[%eval {sign}{n // 100}.{n % 100:02}]".replace("0]", "]") for n in range(1, 50_000, 17) for sign in ("", "-")),
    *(f"[%eval #{sign}{n}]" for n in range(500) for sign in ("", "-")),
    "[%eval 0.0]", "[%emt 0:00:01]", "[%eval 1.5] [%clk 0:01:00] [%emt 0:00:00.1]", "[%clk 0:01:00] [%emt 0:00:00.1]",
]  # fmt: skip
OTHER = [
    "", " ", "[%clk 0:01:00", "[%clk 0:01:00]x", "[%clk 00:01:00]", "[%clk 0:1:00]", "[%clk 0:01:60]", "[%clk 0:60:00]",
    "[%clk 0:01:00.0]", "[%clk 0:01:00.10]", "[%clk 0:01:00.123]", "[%clk 0:01:00.]", "[%clk -0:01:00]", "[%clk 1:00]",
    "[%eval 0]", "[%eval 0.00]", "[%eval -0.0]", "[%eval 01.5]", "[%eval +1.5]", "[%eval 1.50]", "[%eval 1.234]",
    "[%eval 1.5,20]", "[%eval 500.0]", "[%eval 1000.0]", "[%eval #]", "[%eval #500]", "[%eval #01]", "[%eval  1.5]",
    "[%clk 0:01:00] [%eval 1.5]", "[%clk 0:01:00] [%clk 0:01:00]", "[%clk 0:01:00]  [%emt 0:01:00]",
    "[%clk 0:01:00][%emt 0:01:00]", "x [%clk 0:01:00]", "[%csl Gd4]", "[%clk 0:01:00]\t", "[%eval 1.5] ",
][:-1]  # fmt: skip


def test_values_alone_are_what_is_written() -> None:
    """A comment is dropped only if `write_pgn` writes it again, letter by letter."""
    for text in CANONICAL:
        values, alone = stated(text)
        assert alone, text
        assert rewritten(values) == text
        assert stated(f"  {text} ")[1]
    for text in OTHER:
        assert not stated(text)[1], text


@pytest.mark.parametrize("seed", range(30))
def test_comments_in_any_order(seed: int) -> None:
    """Comments, values, glyphs and variations at random: the small reader keeps every text."""
    rng = random.Random(seed)
    texts = [*rng.sample(CANONICAL, 20), *OTHER, "word", "[%csl Gd4] word", "two  blanks", "a [%clk 0:00:09] b"]

    def remarks() -> str:
        some = [rng.choice([f"{{{rng.choice(texts)}}}", f"{{ {rng.choice(texts)} }}", "$5", "(1. d4 {x})", "!"])]
        some += [f";{rng.choice(texts)}\n"] * (rng.random() < 0.1)
        return " ".join(rng.choices(some, k=rng.randrange(4)))

    words = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7".split()
    text = " ".join(f"{word} {remarks()}" if word[-1] != "." else word for word in words) + " 1-0\n"
    (ours,) = games = read_pgn(text.encode())
    (theirs,) = pgn.read(text)
    assert ours == theirs
    assert read_pgn(written(games).encode()) == games
    bare = read_pgn(text.encode(), clocks=False)
    assert bare[0].movetext().comments == ours.movetext().comments
    numbers = read_pgn(text.encode(), comments=False)
    for name in ("clocks", "evals", "emts"):
        np.testing.assert_array_equal(getattr(numbers, name), getattr(games, name))


# Byte for byte.


def random_file(rng: random.Random) -> bytes:
    games = [game.encode() for game in re.split(r"(?=\[Event )", SAMPLE.read_text(encoding="utf-8")) if game]
    gaps = [b"\n\n", b"\n\n\n", b"\n \n\t\n", b"\r\n\r\n", b" ", b"\n\n% escape\n", b"\n\n{ a remark }\n", b"\n" * 3000]
    odd = [b"1. e4 *", b"1. d4 Ke2 *", b"1. c4 1-0", b'[White "x"]\n\n*', TOURNAMENT.encode(), b"\xe9\x80 1. e4 *"]
    pieces = [rng.choice(games if rng.random() < 0.7 else odd).rstrip() + rng.choice(gaps) for _ in range(25)]
    text = rng.choice([b"", b"\n\n", b"\xef\xbb\xbf", b"% first\n"]) + b"".join(pieces)
    return rng.choice([text, text.rstrip(), text + b"\n"])


@pytest.mark.parametrize("seed", few(range(40), 12))
def test_texts_are_copied_byte_for_byte(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "Buffers", SmallBuffers)
    threads = 1 + seed % 2
    text = random_file(random.Random(seed))
    games = read_pgn(text, texts=True, threads=threads)
    assert games.texts is not None
    assert b"".join(games.texts) == text
    assert games == read_pgn(text)
    out = io.BytesIO()
    with scan_pgn(text, texts=True, games=3, threads=threads) as scan:
        rookery.write_pgn(scan, out)
    assert out.getvalue() == text
    again = Games.from_arrow(games.to_arrow())
    assert again.texts is not None
    assert again.texts.tolist() == games.texts.tolist()


@pytest.mark.parametrize("seed", range(20))
def test_chosen_texts_are_whole_games(seed: int) -> None:
    rng = random.Random(seed)
    games = read_pgn(random_file(rng), texts=True)
    some = games[~games.is_bad & np.array([rng.random() < 0.5 for _ in games])]
    out = io.BytesIO()
    rookery.write_pgn((some[i : i + 2] for i in range(0, len(some), 2)), out)
    assert some.texts is not None
    again = read_pgn(out.getvalue(), texts=True)
    assert again == some
    assert again.texts is not None
    assert [piece.strip() for piece in again.texts] == [piece.strip() for piece in some.texts]


def test_the_command_copies(tmp_path: Path) -> None:
    texts = [random_file(random.Random(seed)).strip() for seed in range(3)]
    paths = [tmp_path / f"{i}.pgn" for i in range(3)]
    for path, text in zip(paths, texts, strict=True):
        path.write_bytes(text)
        copy = tmp_path / f"copy-{zlib.crc32(text)}.pgn"
        run("games", str(path), "-o", str(copy), status=int(any(read_pgn(path).errors)))
        assert copy.read_bytes() == text
    run("games", *map(str, paths), "-o", str(tmp_path / "all.pgn"), status=1)  # some games are bad
    together = read_pgn(tmp_path / "all.pgn")
    assert together == Games.concatenate([read_pgn(path) for path in paths])
    run("games", str(SAMPLE), "-o", str(tmp_path / "some.pgn"), "--where", "WhiteElo >= 1700")
    some = (tmp_path / "some.pgn").read_bytes()
    assert read_pgn(some) == read_pgn(SAMPLE, where="WhiteElo >= 1700")
    assert all(line in SAMPLE.read_bytes().splitlines() for line in some.splitlines())
    run("games", str(SAMPLE), "-o", str(tmp_path / "bare.pgn"), "--no-comments", "--no-nags", "--headers", "White")
    assert b"$" not in (tmp_path / "bare.pgn").read_bytes()
    assert list(read_pgn(tmp_path / "bare.pgn").tags.rows(0)) == []  # type: ignore[union-attr]


def test_tables_of_pandas_and_polars() -> None:
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    games = read_pgn(TOURNAMENT.encode())
    assert Games.from_arrow(polars.DataFrame(games)) == games
    frame = pandas.DataFrame(games.to_arrow().to_pandas(types_mapper=pandas.ArrowDtype))
    assert Games.from_arrow(pa.Table.from_pandas(frame)) == games
