"""``rookery convert``: every source to every format, counts that add up, and files that are complete or not there."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

import rookery
from command_line import run
from naive_training import write_binpack, write_viriformat
from rookery import read_training
from rookery.cli import main
from training_samples import game, rows_of

DATA = Path(__file__).parents[2] / "docs/lichess-2025-05.pgn.zst"
FORMATS = ("a.binpack", "a.vf", "a.bullet", "a.plain", "a.bin", "a.binpack.zst", "a.plain.gz")
CSV = (
    "fen,cp,mate,line,result\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 1,150,,e2e4,1-0\n"
    "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1,150,,e8e7,1-0\n"
)


GAME = '[Result "1-0"]\n\n1. e4 { [%eval 0.3] } 1... e5 { [%eval 0.4] } 2. Nf3 1-0\n'


def as_json(*arguments: str | Path, status: int = 0) -> dict[str, object]:
    found: dict[str, object] = json.loads(run("convert", *map(str, arguments), "--json", status=status).stdout)
    return found


@pytest.mark.parametrize("name", FORMATS)
def test_games_are_converted_to_every_format(name: str, tmp_path: Path) -> None:
    document = as_json(DATA, "-o", tmp_path / name)
    rows = rookery.ScoredPositions.from_games(rookery.read_pgn(DATA))
    expected = rows[rows.has_score & rows.has_result]
    moves = expected[expected.moves != 0] if name == "a.vf" else expected
    dropped = document["dropped"]
    assert isinstance(dropped, dict)
    assert document["positions"] == len(rows)
    assert document["written"] == len(moves) == len(rows) - sum(dropped.values())
    again = read_training(tmp_path / name)
    assert again.scores.tolist() == moves.scores.tolist()
    if name != "a.bullet":
        assert again == moves


@pytest.mark.parametrize("name", ["a.binpack", "a.vf", "a.bullet", "a.plain", "a.bin"])
def test_text_is_converted_to_every_format(name: str, tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text(CSV)
    assert as_json(tmp_path / "rows.csv", "-o", tmp_path / name)["written"] == 2
    assert read_training(tmp_path / name).scores.tolist() == [150, -150]


def test_files_of_several_formats_become_one(tmp_path: Path) -> None:
    entries = game(1)
    (tmp_path / "a.binpack").write_bytes(write_binpack(entries))
    (tmp_path / "b.vf").write_bytes(write_viriformat(entries))
    document = as_json(tmp_path / "a.binpack", tmp_path / "b.vf", "-o", tmp_path / "c.xyz", "--format", "binpack")
    assert document["written"] == 2 * len(entries)
    rows = rows_of(entries)
    assert read_training(tmp_path / "c.xyz", "binpack") == rookery.ScoredPositions.concatenate([rows, rows])


@pytest.mark.parametrize(("source", "text"), [("csv", CSV), ("games", GAME)])
def test_standard_input_is_read(source: str, text: str, tmp_path: Path) -> None:
    command = ["convert", "-", "--from", source, "-o", str(tmp_path / "a.binpack")]
    result = CliRunner().invoke(main, command, input=text)
    assert result.exit_code == 0, result.output
    assert " 2 written" in result.stdout
    assert len(read_training(tmp_path / "a.binpack")) == 2


def test_what_is_dropped_and_lost_is_printed(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text(CSV.replace("1-0", ""))
    result = run("convert", str(tmp_path / "rows.csv"), "-o", str(tmp_path / "a.bullet"))
    assert "2 positions read, 0 written" in result.stdout
    assert "no result" in result.stdout
    assert "--no-result draw writes" in result.stdout
    assert "bulletformat does not keep castling rights" in result.stdout
    assert as_json(tmp_path / "rows.csv", "-o", tmp_path / "b.bullet", "--no-result", "draw")["written"] == 2


def test_bad_rows_are_counted_and_listed(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text(CSV + "x,1,,,1-0\n" * 7)
    errors = tmp_path / "bad.jsonl"
    result = run("convert", str(tmp_path / "rows.csv"), "-o", str(tmp_path / "a.vf"), "--errors", str(errors), status=1)
    assert "2 positions read, 7 bad rows, 2 written" in result.stdout
    assert "line 4: FEN 'x'" in result.stderr
    assert "and 2 more bad rows; --errors FILE lists all" in result.stderr
    rows = [json.loads(line) for line in errors.read_text().splitlines()]
    assert [row["line"] for row in rows] == list(range(4, 11))
    assert rows[0]["text"] == "x,1,,,1-0"


CUT: dict[str, Callable[[bytes], bytes]] = {
    "a.binpack": lambda data: data[:-5],
    "a.vf": lambda data: data[:-5],
    "a.bullet": lambda data: data[:-5],
    "a.bin": lambda data: data[:-5],
    "b.bin": lambda data: data[:120] + b"\xff" * 40 + data[160:],
    "a.vf.zst": lambda data: data[:-5],
    "a.plain": lambda data: data[:-5],
    "a.plain.gz": lambda data: data[:-5],
}


@pytest.mark.parametrize("executor", [[], ["--executor", "threads:1"]])
@pytest.mark.parametrize("name", CUT)
def test_a_damaged_or_cut_file_leaves_no_output(name: str, executor: list[str], tmp_path: Path) -> None:
    rookery.write_training(rows_of(game(1)), tmp_path / name)
    data = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(CUT[name](data))
    (tmp_path / "rows.csv").write_text(CSV)
    (tmp_path / "b.plain").write_bytes(b"old")
    command: list[str | Path] = [tmp_path / "rows.csv", tmp_path / name, "-o", tmp_path / "b.plain", *executor]
    document = as_json(*command, "--force", status=1)
    assert not document["complete"]
    assert name in str(document["failures"])
    assert (document["written"], document["out"]) == (0, None)
    assert (tmp_path / "b.plain").read_bytes() == b"old"
    (tmp_path / name).write_bytes(data)
    assert as_json(*command, "--force")["written"] == len(rows_of(game(1))) + 2
    assert {path.name for path in tmp_path.iterdir()} == {"rows.csv", name, "b.plain"}


def test_a_cut_file_of_games_leaves_no_output(tmp_path: Path) -> None:
    (tmp_path / "cut.pgn.zst").write_bytes(DATA.read_bytes()[:2000])
    assert as_json(tmp_path / "cut.pgn.zst", "-o", tmp_path / "b.plain", status=1)["out"] is None
    assert not (tmp_path / "b.plain").exists()


def test_wrong_names_are_errors_before_anything_is_read(tmp_path: Path) -> None:
    result = run("convert", str(DATA), "-o", str(tmp_path / "a.xyz"), status=2)
    assert "-o: '" in result.stderr
    assert "expected a name that ends in .binpack" in result.stderr
    run("convert", str(DATA), status=2)
    run("convert", str(tmp_path / "none.pgn"), "-o", str(tmp_path / "a.vf"), status=2)
    assert list(tmp_path.iterdir()) == []


def test_games_are_selected_by_their_headers(tmp_path: Path) -> None:
    assert as_json(DATA, "-o", tmp_path / "a.plain", "--where", "WhiteElo > 9000")["positions"] == 0
    (tmp_path / "rows.csv").write_text(CSV)
    command = ["convert", str(tmp_path / "rows.csv"), "-o", str(tmp_path / "b.plain"), "--where", "WhiteElo > 9000"]
    assert "rows.csv has neither headers nor columns: expected a query" in run(*command, status=2).stderr


def test_ctrl_c_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        assert len(list(tmp_path.iterdir())) == 2  # the temporary file, and the parts
        raise KeyboardInterrupt

    monkeypatch.setattr("rookery.data.plans.training._join", interrupted)
    result = run("convert", str(DATA), "-o", str(tmp_path / "a.vf"), status=130)
    assert "interrupted: the same command goes on from here" in result.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["a.vf.parts"]
    monkeypatch.undo()
    assert " written" in run("convert", str(DATA), "-o", str(tmp_path / "a.vf")).stdout
    assert [path.name for path in tmp_path.iterdir()] == ["a.vf"]


@pytest.mark.parametrize("executor", [[], ["--executor", "threads:1"]])
def test_scores_whose_view_is_not_known_are_said(executor: list[str], tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text("1. e4 {+0.35} e5 {-0.2} 1-0\n\n1. e4 {0.35/12 3} 1-0\n\n1. e4 {+0.35/12 1s} 1-0\n")
    command: list[str | Path] = [tmp_path / "a.pgn", "-o", tmp_path / "a.plain", *executor]
    text = run("convert", *map(str, command)).stdout
    assert "2 games have scores that were not read: " in text
    assert "'+0.35': a score, not read: the comment does not say whose view it is from" in " ".join(text.split())
    assert as_json(*command, "--force")["doubtful"] == 2
    assert '"doubtful": 2' in run("stats", str(tmp_path / "a.pgn"), "--json").stdout
