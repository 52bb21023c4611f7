"""``rookery duplicates``, compared with `Games.duplicates`."""

import itertools
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rookery
from command_line import document, run
from game_samples import SAMPLE
from meeting_games import made_games
from rookery.games.read import on_executor


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Two files whose games repeat each other."""
    folder = tmp_path_factory.mktemp("files")
    (folder / "a.pgn").write_text(f"{made_games(80, 1)}\n\n")
    (folder / "b.pgn").write_text(f"{made_games(60, 2)}\n\n{made_games(20, 1)}\n\n")
    return [str(folder / name) for name in ("a.pgn", "b.pgn")]


@pytest.mark.parametrize("options", [(), ("--same-headers",), ("--prefix",), ("--prefix", "--min-plies", "5")])
def test_groups_of_two_files(files: list[str], options: tuple[str, ...]) -> None:
    games = rookery.read_pgn(files)
    least = 5 if "--min-plies" in options else 1
    groups = games.duplicates(headers="--same-headers" in options, prefixes="--prefix" in options, min_plies=least)
    printed = document("duplicates", *files, *options)
    assert printed["games"] == 160
    places = [[(row["file"], row["number"]) for row in group] for group in printed["groups"]]
    assert places == [[(files[i // 80], int(games.numbers[i])) for i in group] for group in groups]
    assert printed["duplicates"] == sum(len(group) - 1 for group in groups)
    for row, i in zip(itertools.chain(*printed["groups"]), itertools.chain(*groups), strict=True):
        assert (row["plies"], row["result"]) == (games.plies[i], games.results[i])
        assert row["date"] == (None if np.isnat(games.date[i]) else str(games.date[i]))


@pytest.mark.parametrize("suffix", ["pgn", "parquet", "arrow", "csv"])
def test_each_game_is_written_once(files: list[str], suffix: str, tmp_path: Path) -> None:
    out = tmp_path / f"unique.{suffix}"
    printed = document("duplicates", *files, "-o", str(out), "--min-plies", "0")
    unique = rookery.read_pgn(files).unique(min_plies=0)
    assert printed["out"] == str(out)
    assert 160 - printed["duplicates"] == len(unique) < 160
    if suffix == "csv":
        assert len(out.read_text().splitlines()) == len(unique) + 1
        return
    found = rookery.read_pgn(out)
    assert found.moves == unique.moves
    assert found.results.tolist() == unique.results.tolist()
    if suffix == "pgn":  # byte for byte
        texts = rookery.read_pgn(files, texts=True).unique(min_plies=0).texts
        assert texts is not None
        assert b"".join(texts) == out.read_bytes()


def test_bad_games_and_games_without_moves(tmp_path: Path) -> None:
    """Files that repeat each other, as PGN and as Parquet: the command drops what `Games.unique` drops."""
    text = (
        '[White "Carl"]\n[Result "0-1"]\n\n1. d4 Sc6 0-1\n\n'
        '[White "Emil"]\n[Result "1-0"]\n\n1. d4 Sf6 1-0\n\n'
        '[White "Anna"]\n[Result "1-0"]\n\n1-0\n\n[White "Bert"]\n[Result "1-0"]\n\n1-0\n\n'
        "1. d4 *\n\n"
    )
    (tmp_path / "a.pgn").write_text(text)
    (tmp_path / "b.pgn").write_text(text)
    rookery.write_parquet(rookery.read_pgn(tmp_path / "b.pgn"), tmp_path / "b.parquet")
    for names in (["a.pgn"], ["a.pgn", "b.pgn"], ["a.pgn", "b.parquet"]):
        files = [str(tmp_path / name) for name in names]
        games = rookery.read_pgn(files)
        for option, least in (((), 1), (("--min-plies", "0"), 0)):
            out = tmp_path / "kept.parquet"
            printed = document("duplicates", *files, *option, "-o", str(out), "--force", status=1)
            assert printed["bad"] == 2 * len(names)
            unique = games.unique(min_plies=least)
            assert printed["duplicates"] == len(games) - len(unique)
            kept = rookery.read_parquet(out)
            assert kept["White"].tolist() == unique["White"].tolist()
            assert kept.is_bad.tolist() == unique.is_bad.tolist()
        assert len(games.unique()) == {1: 5, 2: 7}[len(names)]


def test_the_table(files: list[str]) -> None:
    printed = run("duplicates", str(SAMPLE), str(SAMPLE), "--limit", "2").output
    assert "24 games, 12 duplicates in 12 groups" in printed
    assert "alanbrito4" in printed
    assert printed.count("keep") == printed.count("drop") == 2
    assert "10 more groups: --limit N prints more, --json all" in printed
    assert "0 duplicates in 0 groups" in run("duplicates", str(SAMPLE)).output


def test_some_games_only(files: list[str]) -> None:
    games = rookery.read_pgn(files, where="WhiteElo >= 2000")
    printed = document("duplicates", *files, "--where", "WhiteElo >= 2000")
    assert printed["games"] == len(games)
    assert printed["duplicates"] == sum(len(group) - 1 for group in games.duplicates())


def test_refusals(files: list[str], tmp_path: Path) -> None:
    assert "expected a name that ends in .parquet" in run("duplicates", files[0], "-o", "x.json", status=2).output
    assert "the same file as" in run("duplicates", files[0], "-o", files[0], "--force", status=2).output


def test_a_damaged_file(files: list[str], tmp_path: Path) -> None:
    cut = tmp_path / "cut.pgn"
    cut.write_bytes(SAMPLE.read_bytes()[:-30])
    printed = document("duplicates", str(SAMPLE), str(cut), status=1)
    assert printed["games"] == 24
    assert printed["duplicates"] == 11
    assert len(printed["failures"]) == 1


def test_standard_input_is_read_once(files: list[str]) -> None:
    text = b"".join(Path(name).read_bytes() for name in files)
    command = [sys.executable, "-m", "rookery", "duplicates", "-", "--prefix", "--json"]
    printed = subprocess.run(command, input=text, capture_output=True, check=True).stdout
    expected = document("duplicates", *files, "--prefix")
    found = json.loads(printed)
    assert found["duplicates"] == expected["duplicates"] > 0
    assert {row["file"] for group in found["groups"] for row in group} == {"standard input"}


def test_ctrl_c(files: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The same command goes on from what was read, and writes the same file."""
    from rookery.games.methods.duplicates import DuplicateFinder

    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(on_executor, "RANGE", 1000)  # what one task reads has no parts
    right, out = tmp_path / "right.pgn", tmp_path / "unique.pgn"
    run("duplicates", *files, "-o", str(right))
    with monkeypatch.context() as patch:
        patch.setattr(DuplicateFinder, "confirm", interrupted)
        printed = run("duplicates", *files, "-o", str(out), status=130).stdout
    assert printed.startswith("interrupted: the same command goes on from here\n")
    assert not out.exists()
    assert "journal: " in run("duplicates", *files, "-o", str(out), "--where", "WhiteElo > 1", status=2).output
    with monkeypatch.context() as patch:
        patch.setattr(on_executor, "read_range", None)  # nothing is read again
        run("duplicates", *files, "-o", str(out))
    assert out.read_bytes() == right.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["right.pgn", "unique.pgn"]
