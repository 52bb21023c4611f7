"""`tag_puzzles` and files of puzzles: published themes, other forms of arguments, and what cannot be tagged."""

import bz2
import csv
import gzip
import lzma
from pathlib import Path

import chess
import numpy as np
import pytest
import zstandard

from rookery import Board, Positions
from rookery.data.puzzles import THEMES, BadPuzzle, PuzzleThemes, tag_puzzles
from rookery.data.puzzles.files import BadRow, tagged_rows, write_tags
from rookery.data.puzzles.themes import bits_of, names_of

SAMPLE = Path(__file__).parents[2] / "samples" / "puzzles.csv"
BY_ENGINE_OR_PLAYERS = set("advantage crushing equality master masterVsMaster superGM zugzwang".split())
START = Board().fen()


def sample() -> list[dict[str, str]]:
    with SAMPLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def published(row: dict[str, str]) -> list[str]:
    return sorted(set(row["Themes"].split()) - BY_ENGINE_OR_PLAYERS)


def test_published_themes() -> None:
    rows = sample()
    fens, moves = [row["FEN"] for row in rows], [row["Moves"] for row in rows]
    themes = tag_puzzles(fens, moves)
    for i, row in enumerate(rows):
        assert list(themes[i]) == published(row), row["PuzzleId"]
    assert {name for row in rows for name in published(row)} == set(THEMES)
    assert themes.texts() == [" ".join(published(row)) for row in rows]
    assert themes.has("fork").tolist() == ["fork" in published(row) for row in rows]
    assert tag_puzzles(Positions.from_fens(fens), iter(moves)) == themes
    assert tag_puzzles(fens * 30, moves * 30, threads=2) == PuzzleThemes(np.tile(themes.bits, 30))


def test_both_colours_have_the_same_themes() -> None:
    """Except where a definition reads the squares in white's order."""
    rows = sample()
    mirrored = [chess.Board(row["FEN"]).mirror().fen() for row in rows]
    flipped = str.maketrans("12345678", "87654321")
    moves = [row["Moves"].translate(flipped) for row in rows]
    ordered = bits_of(["interference", "bodenMate", "doubleBishopMate", "middlegame", "opening"])
    themes = tag_puzzles([row["FEN"] for row in rows], [row["Moves"] for row in rows])
    different = (themes.bits ^ tag_puzzles(mirrored, moves).bits) & ~np.uint64(ordered)
    assert not different.any()


def test_sets_of_themes() -> None:
    for name in THEMES:
        assert names_of(bits_of([name])) == (name,)
    assert list(THEMES) == sorted(THEMES)
    assert names_of(bits_of(THEMES)) == THEMES
    assert names_of(0) == ()


def test_castling_in_both_notations() -> None:
    fen = "r3k3/8/8/8/8/8/8/4K2R b Kq - 0 1"
    one, other = tag_puzzles([fen] * 2, ["e8c8 e1g1", "e8a8 e1h1"]).texts()
    assert one == other
    assert "castling" in one


def test_nothing() -> None:
    assert len(tag_puzzles([], [])) == 0


@pytest.mark.parametrize(
    ("fen", "moves", "field", "found", "expected"),
    [
        (START, "e2e4", "moves", "e2e4", "an even number of moves, not 1"),
        (START, "", "moves", "", "an even number of moves, not 0"),
        (START, "e2e4 e7e4", "moves", "e7e4", "a legal move (move 2 of the line)"),
        (START, "e2e4 e7", "moves", "e7", "a move in UCI notation (move 2 of the line)"),
        (START, "e2e4 e7e9", "moves", "e7e9", "a move in UCI notation (move 2 of the line)"),
        (START, "e2e4 e7e5k", "moves", "e7e5k", "a move in UCI notation (move 2 of the line)"),
        (START, "e2e4 0000", "moves", "0000", "a move in UCI notation (move 2 of the line)"),
        (START, "e2e2 e7e5", "moves", "e2e2", "a move in UCI notation (move 1 of the line)"),
        (START, "e1g1 e7e5", "moves", "e1g1", "a legal move (move 1 of the line)"),
        (START, "e2e4 e7\u00e95", "moves", "e7\u00e95", "a move in UCI notation (move 2 of the line)"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "a1a2 h8h7", "fens", "8/8/8/8/8/8/8/K7 w - - 0 1", "one king of each side"),
    ],
)
def test_bad_puzzles(fen: str, moves: str, field: str, found: str, expected: str) -> None:
    good = ("6k1/5ppp/8/8/8/7P/5PP1/R5K1 b - - 0 1", "g8h8 a1a8")
    fens, lines = [good[0], fen, good[0]], [good[1], moves, good[1]]
    with pytest.raises(ValueError, match=rf"^{field}\[1\]: "):
        tag_puzzles(fens, lines)
    themes = tag_puzzles(fens, lines, errors="mark")
    assert themes.bad == (BadPuzzle(1, field, found, expected),)
    assert themes[1] == ()
    assert themes[0] == themes[2] == ("backRankMate", "endgame", "mate", "mateIn1", "oneMove", "rookEndgame")


def test_bad_fens() -> None:
    themes = tag_puzzles(["x", START, None], ["e2e4 e7e5"] * 3, errors="mark")
    assert [bad.puzzle for bad in themes.bad] == [0, 2]
    assert "FEN" in themes.bad[0].expected
    assert themes[1] == ("defensiveMove", "oneMove", "opening")
    with pytest.raises(ValueError, match=r"moves: 1 lines: expected 2, one for each of the fens"):
        tag_puzzles([START] * 2, ["e2e4 e7e5"])


PACKERS = {
    "csv": lambda data: data,
    "xz": lzma.compress,
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "zst": zstandard.ZstdCompressor().compress,
}


@pytest.mark.parametrize("suffix", PACKERS)
def test_packed_files(tmp_path: Path, suffix: str) -> None:
    path, out = tmp_path / f"puzzles.csv.{suffix}", tmp_path / "tags.csv"
    path.write_bytes(PACKERS[suffix](SAMPLE.read_bytes()))
    write_tags(tagged_rows(path, threads=2), out)
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows == [["PuzzleId", "Themes"], *([row["PuzzleId"], " ".join(published(row))] for row in sample())]


def test_columns_in_any_order(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.csv"
    path.write_text('Rating,Moves,FEN,PuzzleId\n1500,g8h8 a1a8,6k1/5ppp/8/8/8/7P/5PP1/R5K1 b - - 0 1,"a,b"\n')
    (block,) = tagged_rows(path)
    assert (block.ids, block.themes.texts(), block.bad) == (
        ["a,b"],
        ["backRankMate endgame mate mateIn1 oneMove rookEndgame"],
        [],
    )
    path.write_text(f"00008,{START},e2e4 e7e5,1500\n")  # as Lichess wrote it before it named the columns
    (block,) = tagged_rows(path)
    assert block.ids == ["00008"]


def test_bad_rows(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.csv"
    path.write_text(f"PuzzleId,FEN,Moves\na,{START},e2e4 e7e5\nb,{START}\n\nc,{START},e2e5 e7e5\nd,x,e2e4 e7e5\n")
    (block,) = tagged_rows(path)
    assert block.ids == ["a"]
    expected = [
        BadRow(3, "b", "row", f"b,{START}", "2 fields: expected at least 3"),
        BadRow(4, "", "row", "", "0 fields: expected at least 3"),
        BadRow(5, "c", "Moves", "e2e5", "expected a legal move (move 1 of the line)"),
    ]
    assert block.bad[:3] == expected
    assert (block.bad[3].line, block.bad[3].field, block.bad[3].value) == (6, "FEN", "x")
    for text in ("", "a,b,c\n1,2,3\n", "PuzzleId,FEN\n"):
        path.write_text(text)
        with pytest.raises(ValueError, match=r"line 1: .*expected the columns PuzzleId, FEN and Moves"):
            list(tagged_rows(path))
