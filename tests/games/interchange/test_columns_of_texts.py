"""Games of columns: PGN texts, and movetext beside other columns, from Arrow, Polars and pandas."""

import datetime
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from rookery import Board, read_pgn, scan_pgn
from rookery.games.interchange import text_columns

TEXT = (Path(__file__).parents[2] / "samples" / "lichess-2025-05.pgn").read_text(encoding="utf-8")
GAMES = ["[Event " + game for game in TEXT.split("[Event ")[1:]]
MOVETEXT = [game.split("\n\n")[1] for game in GAMES]
ELO = [int(re.findall(r'WhiteElo "(\d+)"', game)[0]) for game in GAMES]
WRAPPERS = [pa.array, lambda x: pa.chunked_array([x[:5], x[5:]]), pl.Series, pd.Series]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("wrap", WRAPPERS)
def test_columns_of_pgn(wrap: Any, threads: int) -> None:
    expected = read_pgn(TEXT.encode())
    games = read_pgn(wrap(GAMES), threads=threads)
    assert games.moves == expected.moves
    assert np.array_equal(games["White"], expected["White"])
    assert games.rows is not None
    assert games.rows.tolist() == list(range(12))
    several = read_pgn(wrap([TEXT, "", None, GAMES[3]]), threads=threads)
    assert several.rows is not None
    assert several.rows.tolist() == [0] * 12 + [3]
    assert [len(batch) for batch in scan_pgn(wrap(GAMES), games=5)] == [5, 5, 2]


def test_a_comment_that_is_open_spoils_its_own_text_alone() -> None:
    games = read_pgn(pa.array(["1. e4 {open", "1. d4 d5", "1. c4 Ke2"]))
    assert games.plies.tolist() == [1, 2, 1]
    assert [str(error) for error in games.errors] == [
        "row 0: game 1, line 1, move 1...: the comment '{open' is not closed",
        "row 2: game 1, line 1, move 1...: SAN move: 'Ke2' is not legal in "
        "'rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - 0 1'",
    ]
    assert games.errors[1].offset == 6


FRAMES = [pa.table, pl.DataFrame, pd.DataFrame]


@pytest.mark.parametrize("frame", FRAMES)
def test_tables_with_movetext(frame: Any) -> None:
    columns = {
        "White": [f"Łukasz {i}" for i in range(12)],
        "WhiteElo": np.array(ELO, np.int16),
        "UTCDate": [datetime.date(2025, 5, 1)] * 12,
        "Result": ["1/2-1/2"] * 12,
        "movetext": MOVETEXT,
        "note": ["x"] * 12,
    }
    games = read_pgn(frame(columns))
    expected = read_pgn(TEXT.encode())
    assert games.moves == expected.moves
    assert np.array_equal(games.clocks, expected.clocks)
    assert np.ma.allequal(games["WhiteElo"], expected["WhiteElo"])
    assert games["White"].tolist() == columns["White"]
    assert games["note"].tolist() == ["x"] * 12
    assert games["Result"].tolist() == ["1/2-1/2"] * 12  # the header's, whatever stands behind the moves
    assert games["UTCDate"][0] == np.datetime64("2025-05-01")
    assert games["BlackElo"].mask.all()


def test_one_game_a_row() -> None:
    table = pa.table({"movetext": ["1. e4 e5 *", "", None, "1. d4 *\n\n1. c4 *", "  \n", "1. Nf3"], "id": range(6)})
    games = read_pgn(table)
    assert games.plies.tolist() == [2, 0, 0, 1, 0, 1]
    assert games["id"].tolist() == list(range(6))
    assert [str(error) for error in games.errors] == [
        "row 3: game 1, line 3, move 1...: another game: expected one per row"
    ]
    assert read_pgn(table, errors="skip")["id"].tolist() == [0, 1, 2, 4, 5]


def test_start_positions_in_columns_next_to_movetext() -> None:
    fen = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1"
    moves = ["f4 f5 Ne3", "e4", "Kd7"]
    variants = ["Chess960", "Standard", None]
    games = read_pgn(pa.table({"FEN": [fen, None, fen], "Variant": variants, "movetext": moves}))
    assert games.plies.tolist() == [3, 1, 0]
    assert games[0].board() == Board(fen, chess960=True)
    assert [(e.file, e.line, e.offset, e.move) for e in games.errors] == [("row 2", 1, 0, "Kd7")]


def test_games_are_counted_in_their_texts() -> None:
    games = read_pgn(pa.array(["1. e4 *\n\n1. Ke2 *", "1. d4 *", "1. c4 *\n\n1. f4 *\n\n1. Ke2 *"]))
    assert games.numbers.tolist() == [1, 2, 1, 1, 2, 3]
    assert [(e.file, e.game, e.line) for e in games.errors] == [("row 0", 2, 3), ("row 2", 3, 5)]


@pytest.mark.parametrize("threads", [1, 2])
def test_where_over_columns_of_pgn(threads: int) -> None:
    texts = pl.Series([TEXT, "", None, *GAMES])
    expected = read_pgn((TEXT + "\n" + TEXT).encode(), where="WhiteElo > 1600")
    assert 0 < len(expected) < 12
    games = read_pgn(texts, where="WhiteElo > 1600", threads=threads)
    assert games.moves == expected.moves
    half = len(expected) // 2
    assert games.rows is not None
    assert games.rows.tolist() == [0] * half + [2 + n for n in games.numbers[:half].tolist()]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("frame", FRAMES)
def test_where_over_tables(frame: Any, threads: int) -> None:
    """Their columns say what is a number; what they do not have is looked for in the texts."""
    fen = "8/8/8/8/8/8/4k3/4K2R w K - 0 1"
    columns = {
        "Rating": ELO,
        "Nick": [f"p{i}" for i in range(12)],
        "UTCDate": [datetime.date(2025, 5, 1 + i) for i in range(12)],
        "Rated": [i % 2 == 0 for i in range(12)],
        "FEN": [None] * 11 + [fen],
        "movetext": [f'[Annotator "a{i % 3}"]\n\n{text}' for i, text in enumerate(MOVETEXT)],
    }
    everything = read_pgn(frame(columns))
    for condition, chosen in {
        "Rating > 1600": [elo > 1600 for elo in ELO],
        'Nick == "p3" or Rating < 1000': [i == 3 or elo < 1000 for i, elo in enumerate(ELO)],
        'UTCDate >= "2025.05.08"': [i >= 7 for i in range(12)],
        "Rated == 1": [i % 2 == 0 for i in range(12)],
        "Rated and not Rated == False": [i % 2 == 0 for i in range(12)],
        "not Rated or Rating + Rated > 1600": [i % 2 == 1 or elo >= 1600 for i, elo in enumerate(ELO)],
        "Rating > 1000 and plies > 50": [elo > 1000 and n > 50 for elo, n in zip(ELO, everything.plies, strict=True)],
        'plies > 50 or Annotator == "a1"': [n > 50 or i % 3 == 1 for i, n in enumerate(everything.plies)],
        'Annotator == "a1" and Rating > 1000': [i % 3 == 1 and elo > 1000 for i, elo in enumerate(ELO)],
        "FEN is not None": [i == 11 for i in range(12)],
        "Rating > 9000": [False] * 12,
    }.items():
        games = read_pgn(frame(columns), where=condition, threads=threads)
        expected = everything[np.array(chosen)]
        assert games == expected, condition
        assert expected.rows is not None
        assert games.rows is not None
        assert games.rows.tolist() == expected.rows.tolist()
        assert games.numbers.tolist() == expected.numbers.tolist()
        assert games.errors == expected.errors
    with pytest.raises(ValueError, match="expected a number such as 2000, which Rating is"):
        read_pgn(frame(columns), where='Rating > "5"')
    with pytest.raises(ValueError, match="expected a text such as"):
        scan_pgn(frame(columns), where="Nick > 5")


def test_what_is_no_column(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TypeError, match="source: a column of int64: expected texts"):
        read_pgn(pa.array([1, 2]))
    with pytest.raises(ValueError, match=r"source: a table of 'a, b': expected a column 'movetext'"):
        read_pgn(pa.table({"a": ["x"], "b": [1]}))
    assert len(read_pgn(pa.array([], pa.string()))) == 0
    monkeypatch.setattr(text_columns, "LONGEST_TEXT", 10)
    with pytest.raises(ValueError, match="source: row 1: a text of 11 bytes: expected at most 10; a file"):
        read_pgn(pa.array(["1. e4 e5 *", "1. e4 e5  *"]))
    assert len(read_pgn(pa.table({"movetext": pa.array([], pa.string())}))) == 0


def test_headers_alone() -> None:
    games = read_pgn(TEXT.encode() * 3, moves=False)
    expected = read_pgn(TEXT.encode() * 3)
    assert games.plies.tolist() == [0] * 36
    for name in expected.headers:
        assert np.array_equal(np.ma.getdata(games[name]), np.ma.getdata(expected[name])), name
    assert np.array_equal(games["Result"], expected["Result"])
    crlf = read_pgn(TEXT.replace("\n", "\r\n").encode(), moves=False)
    assert np.array_equal(crlf["Site"], expected["Site"][:12])
