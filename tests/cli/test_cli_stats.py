"""``rookery stats``: the same numbers as `training_stats`, as text and as JSON."""

import itertools
import json
import re
from pathlib import Path

import pytest

from command_line import run
from rookery import read_pgn, training_stats, write_training
from training_samples import games, rows_of

DATA = Path(__file__).parents[2] / "docs/lichess-2025-05.pgn.zst"


def as_json(*arguments: str | Path, status: int = 0) -> dict[str, object]:
    document: dict[str, object] = json.loads(run("stats", *map(str, arguments), "--json", status=status).stdout)
    return document


@pytest.mark.parametrize("name", ["a.binpack", "a.vf.zst", "a.plain.gz", "a.bin"])
def test_training_data_is_counted(name: str, tmp_path: Path) -> None:
    rows = rows_of(games(20))
    write_training(rows, tmp_path / name)
    expected = training_stats(tmp_path / name, query="ply > 4", score_bin=50, ply_bin=3)
    found = as_json(tmp_path / name, "--query", "ply > 4", "--score-bin", "50", "--ply-bin", "3")
    assert found["positions"] == training_stats(tmp_path / name).rows
    for field, value in json.loads(json.dumps(expected._asdict())).items():
        assert found[field] == value


def test_games_are_counted_with_other_files(tmp_path: Path) -> None:
    write_training(rows_of(games(20)), tmp_path / "a.plain")
    both = training_stats([read_pgn(DATA), rows_of(games(20))])
    assert as_json(DATA, tmp_path / "a.plain")["scores"] == {str(key): n for key, n in both.scores.items()}
    assert as_json(DATA, "--where", "WhiteElo > 9000")["rows"] == 0


def test_text_has_at_most_24_bins_and_every_row(tmp_path: Path) -> None:
    rows = rows_of(games(20))
    write_training(rows, tmp_path / "a.plain")
    text = run("stats", str(tmp_path / "a.plain"), "--score-bin", "1").stdout
    stats = training_stats(rows)
    assert f"{stats.rows:,} positions read" in text
    for name, histogram in (("score", stats.scores), ("ply", stats.plies), ("pieces", stats.pieces)):
        _, _, lines = text.partition(f" {name}  rows ")
        counts = [re.match(r"\s*\S+(?: to \S+)?\s+([0-9,]+)\s+[0-9.]+ ", line) for line in lines.splitlines()[1:]]
        kept = [int(found[1].replace(",", "")) for found in itertools.takewhile(lambda found: found, counts) if found]
        assert 12 <= len(kept) <= 24
        assert sum(kept) == sum(histogram.values())


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    write_training(rows_of(games(20)), tmp_path / "a.bin")
    (tmp_path / "a.bin").write_bytes((tmp_path / "a.bin").read_bytes()[:-3])
    (tmp_path / "b.txt").write_text("x | 1 | 1.0\n")
    found = as_json(tmp_path / "a.bin", tmp_path / "b.txt", "--errors", tmp_path / "bad.jsonl", status=1)
    assert "a.bin: byte " in str(found["failures"])
    assert found["bad"] == 1
    assert json.loads((tmp_path / "bad.jsonl").read_text())["line"] == 1
