"""Every command that reads games counts the bad ones, and ends with one rule for its status."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rookery.cli import main

GOOD = '[White "Anna"]\n[Result "1-0"]\n\n1. e4 { [%eval 0.2] } e5 { [%eval 0.1] } 1-0\n\n'
BAD = '[White "Emil"]\n[Result "0-1"]\n\n1. d4 Sf6 0-1\n\n'  # in German
COMMANDS: dict[str, list[str]] = {
    "games": ["--stats"],
    "openings": [],
    "duplicates": [],
    "search": ["ply >= 0"],
    "convert": ["-o", "out.plain"],
    "dataset": ["-o", "set"],
    "annotate": ["-o", "out.csv"],
}
SKIPPING = ("games", "openings", "duplicates", "convert")


def ran(command: str, path: str, *further: str) -> Result:
    return CliRunner().invoke(main, [command, path, *COMMANDS[command], *further])


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mixed.pgn").write_text(GOOD + BAD)
    Path("good.pgn").write_text(GOOD)
    Path("bad.pgn").write_text(BAD)


@pytest.mark.parametrize("command", COMMANDS)
def test_bad_games_are_counted_in_the_summary_and_in_json(command: str) -> None:
    result = ran(command, "mixed.pgn")
    assert result.exit_code == 1, result.output
    assert "1 bad" in result.stdout
    assert "Error: 1 bad " in result.stderr
    if command in ("convert", "dataset", "annotate"):
        assert {path.name for path in Path().iterdir()} > {"out.plain", "set", "out.csv"} & {COMMANDS[command][1]}
    result = ran(command, "mixed.pgn", "--json", *(["--force"] if "-o" in COMMANDS[command] else []))
    document = json.loads(result.stdout)
    assert (document["bad"], result.exit_code, document["complete"]) == (1, 1, True)


@pytest.mark.parametrize("command", COMMANDS)
def test_without_bad_games_the_status_is_0(command: str) -> None:
    result = ran(command, "good.pgn")
    assert result.exit_code == 0, result.output
    assert not result.stderr


@pytest.mark.parametrize("command", SKIPPING)
def test_bad_games_that_are_to_be_skipped_are_counted_and_expected(command: str) -> None:
    result = ran(command, "mixed.pgn", "--bad", "skip", "--json")
    assert (json.loads(result.stdout)["bad"], result.exit_code) == (1, 0)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_in_which_every_game_is_bad_is_an_error(command: str) -> None:
    result = ran(command, "bad.pgn")
    assert result.exit_code == 1, result.output
    if command != "annotate":  # which has rows of the positions before the fault
        assert "bad.pgn: every game in it is bad (1): is it PGN?" in " ".join(result.stderr.split())
    if command in ("dataset", "games"):
        assert {path.name for path in Path().iterdir()} == {"mixed.pgn", "good.pgn", "bad.pgn"}


def test_the_manifest_of_a_dataset_counts_bad_games() -> None:
    ran("dataset", "mixed.pgn")
    manifest = json.loads(Path("set/manifest.json").read_text())
    assert manifest["counts"]["bad games"] == 1


@pytest.mark.parametrize("command", COMMANDS)
def test_texts_without_games_are_refused(command: str) -> None:
    """A file of positions is refused by its name and format before anything is written; plans read its lines."""
    Path("quiet.pgn").write_text('4r1k1/2p2ppp/8/8/8/8/2P2PPP/4R1K1 w - - c9 "1/2-1/2";\n')
    result = ran(command, "quiet.pgn")
    if command in ("annotate", "convert"):
        assert result.exit_code == 0, result.output
        assert "1 lines read" in result.output or "1 positions read, 0 written" in result.output
        return
    assert result.exit_code == 1, result.output
    assert "quiet.pgn: lines of FEN or EPD, not PGN" in " ".join(result.stderr.split())
    assert not Path("set").exists()
    assert not Path("out.plain").exists()
