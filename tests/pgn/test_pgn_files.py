"""Games from a file that is named; and what a terminal is shown of headers."""

import subprocess
import sys
from pathlib import Path

import pytest

from both_readers import read
from rookery.pgn import BadGame, Game, Headers

TEXT = '[White "Müller"]\n\n1. e4 e5 1-0\n\n[White "Łukasz"]\n\n1. d4 *\n'


def test_a_path_is_read(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(TEXT, encoding="utf-8")
    assert [*read(path)] == [*read(TEXT)]
    assert [*read(path, errors="raise")] == [*read(TEXT)]
    with path.open(encoding="utf-8") as file:
        assert [*read(file)] == [*read(TEXT)]


def test_bytes_that_are_not_utf_8_are_windows_1252(tmp_path: Path) -> None:
    """Files are joined from many: each part in its own encoding, and lines ended in its own way."""
    path = tmp_path / "games.pgn"
    path.write_bytes(TEXT.encode() + b'\r\n[White "M\xfcller"]\r\n\r\n1. c4 *\r\r[White "\x93x\x94"]\r\r1. g3 *')
    games = [*read(path, errors="raise")]
    assert [game.headers["White"] for game in games] == ["Müller", "Łukasz", "Müller", "“x”"]


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"games\.pgn"):
        list(read(tmp_path / "games.pgn"))


@pytest.mark.parametrize("name", ["games.pgn", "../no such/Games.PGN", "C:\\games\\all.pgn", "~/games.pgn"])
def test_the_name_of_a_file_is_no_game(name: str) -> None:
    with pytest.raises(ValueError, match=r"is the name of a file, not games: pass pathlib\.Path\(") as error:
        read(name)
    assert repr(name) in str(error.value)


def test_the_name_of_a_file_that_is_there_is_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games").write_text(TEXT, encoding="utf-8")
    for name in ("games", str(tmp_path / "games")):
        with pytest.raises(ValueError, match="is the name of a file"):
            read(name)
    (tmp_path / "folder").mkdir()
    assert [type(game) for game in read("folder")] == [BadGame]


@pytest.mark.parametrize(
    "text",
    ["1. e4 e5 1-0", "*", "", " ", "e4 {games.pgn", '[Event "x.pgn', "1. e4 *\ngames.pgn", "e4 " * 2000, "x" * 300],
)
def test_a_text_is_a_text(text: str) -> None:
    list(read(text))


ESCAPES = "\x1b]0;title\x07\x9b31m\u202eAnna\nx"


def test_what_a_terminal_is_shown_of_a_game_is_harmless() -> None:
    game = Game(Headers.unchecked({"White": ESCAPES, "Black": "x" * 10_000, "Result": "\x1b[0m"}))
    assert repr(game).isprintable()
    assert "\\x1b]0;title" in repr(game)
    assert len(repr(game)) < 300
    assert repr(Game({"White": "Łukasz Müller", "Black": "国際"})) == "<Game: Łukasz Müller - 国際, 0 half-moves, *>"


@pytest.mark.parametrize(
    "text",
    [
        f'[Result "{ESCAPES[:-2]}"]\n\n1. e4 *',
        f'[Variant "{ESCAPES[:-2]}"]\n\n1. e4 *',
        f'[FEN "{ESCAPES[:-2]}"]\n\n1. e4 *',
        f'[White "a"]\n[White "{ESCAPES[:-2]}"]\n\n1. e4 *',
        f"1. {ESCAPES}",
        f"1. e4 {{{ESCAPES}",
        f"[{ESCAPES}",
        f'[{ESCAPES} "x"]',
    ],
)
def test_the_report_of_a_bad_game_is_harmless(text: str) -> None:
    (bad,) = read(text)
    assert isinstance(bad, BadGame)
    assert str(bad).isprintable()
    assert repr(bad).isprintable()
    assert len(str(bad)) < 400


def test_the_report_of_a_long_bad_game_is_short() -> None:
    long = "x" * 10**6
    for text in (
        f'[Result "{long}"]\n\n*',
        f'[FEN "{long}"]\n\n*',
        f"1. {long} *",
        f'[A "a"]\n[A "{long}"]\n*',
        f"[{long}",
    ):
        (bad,) = read(text)
        assert isinstance(bad, BadGame)
        assert len(str(bad)) < 400


@pytest.mark.parametrize("end", ["\x1a", "\n\x1a", "\r\n\x1a\x1a \n", " \x1a\r\n"])
def test_a_last_ctrl_z_is_a_blank(end: str) -> None:
    assert [*read(f"1. e4 e5 1-0{end}")] == [*read("1. e4 e5 1-0")]


def test_a_ctrl_z_elsewhere_is_none() -> None:
    (bad,) = read("1. e4\x1ae5")
    assert isinstance(bad, BadGame)
    assert "\\x1a" in str(bad)


def test_a_generator_of_games_may_end_with_python() -> None:
    # Python takes the names of modules away in an order of its own: here before the generator ends.
    program = """
import os
from rookery.pgn.scan import block_arrays
from rookery.pgn.scanned import games_of_lines
os.games, os.held = games_of_lines(iter(["1. e4 *\\n", "\\n"] * 10)), block_arrays
print(next(os.games).headers["Result"])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("*\n", "")
