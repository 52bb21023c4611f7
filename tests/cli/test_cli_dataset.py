"""``rookery dataset``: what it prints, its errors, and that it makes what `make_dataset` makes."""

import json
from pathlib import Path

import pytest

from command_line import document, run
from naive_datasets import DOCS
from rookery import make_dataset, open_dataset

SPLIT = ("--split", "0.8,0.2")


def test_it_makes_what_make_dataset_makes(tmp_path: Path) -> None:
    planes = ["our_pawns", "checkers"]
    options = ["--planes", "our_pawns, checkers", "--policy", "leela", "--shuffle", "--seed", "3", "--unique"]
    found = document("dataset", DOCS, "-o", str(tmp_path / "a"), *SPLIT, *options)
    make_dataset(
        DOCS, tmp_path / "b", split=[0.8, 0.2], planes=planes, policy="leela", shuffle=True, seed=3, unique=True
    )
    for path in (tmp_path / "b").iterdir():
        assert path.read_bytes() == (tmp_path / "a" / path.name).read_bytes()
    manifest = json.loads((tmp_path / "a" / "manifest.json").read_text())
    assert {name: found[name] for name in ("rows", "counts", "shards", "versions", "plan")} == {
        name: manifest[name] for name in ("rows", "counts", "shards", "versions", "plan")
    }
    assert open_dataset(tmp_path / "a").planes == ("our_pawns", "checkers")


def test_a_finished_dataset_is_left_alone(tmp_path: Path) -> None:
    first = run("dataset", DOCS, "-o", str(tmp_path / "a"), *SPLIT)
    changed = {path: path.stat().st_mtime_ns for path in (tmp_path / "a").iterdir()}
    assert run("dataset", DOCS, "-o", str(tmp_path / "a"), *SPLIT, "--threads", "2").stdout == first.stdout
    assert changed == {path: path.stat().st_mtime_ns for path in (tmp_path / "a").iterdir()}
    other = run("dataset", DOCS, "-o", str(tmp_path / "a"), *SPLIT, "--unique", status=2)
    assert "has a dataset of other inputs or options: give another name, or replace it by --force" in other.stderr


def test_none_keeps_positions_without_a_move_and_a_result(tmp_path: Path) -> None:
    found = document("dataset", DOCS, "-o", str(tmp_path / "a"), "--split", "1", "--policy", "none", "--value", "none")
    assert found["rows"] == {"train": 645}


def test_a_damaged_file_is_reported(tmp_path: Path) -> None:
    whole = Path(DOCS).read_bytes()
    (tmp_path / "cut.pgn.zst").write_bytes(whole[: len(whole) // 2])
    result = run("dataset", str(tmp_path / "cut.pgn.zst"), "-o", str(tmp_path / "a"), status=1)
    assert "Error: " in result.stderr
    assert "cut.pgn.zst" in result.stderr
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--split", "0.5,x"], "--split: '0.5,x': expected numbers with commas between"),
        (["--split", "0.5"], "expected 1 to 3 numbers that add up to 1"),
        (["--planes", "pawns"], "planes: channels: 'pawns': no such channel"),
        (["--executor", "many"], "executor: 'many': expected"),
        (["--query", "is_chek"], "is_chek"),
        (["--where", "White >"], "where"),
        (["--policy", "lc0"], "'lc0' is not one of"),
    ],
)
def test_wrong_options_are_named(arguments: list[str], message: str, tmp_path: Path) -> None:
    assert message in run("dataset", DOCS, "-o", str(tmp_path / "a"), *arguments, status=2).stderr


def test_standard_input_is_refused(tmp_path: Path) -> None:
    assert "FILES: '-': expected files" in run("dataset", "-", "-o", str(tmp_path / "a"), status=2).stderr
