"""Files of training data that are divided into ranges have the rows, bad rows and failures of whole files.

The oracle is a reading of the whole file, which has no ranges.
"""

import functools
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import naive_training
from plan_rows import rows_of_plan
from rookery import ScoredPositions, read_training, write_training
from rookery.data.training.formats import format_of
from rookery.data.training.reading import TrainingScan
from rookery.data.training.tasks import division
from rookery.data.training.text.rows import BadRow
from rookery.sources.failures import DamagedFileError
from rookery.sources.formats import TEXT
from rookery.sources.ranges import division_of, ranges_of
from thinning import slow
from training_samples import games, rows_of

pytest.importorskip("pyarrow", reason="pyarrow is not installed")
SIZE = 3_000  # bytes of a range
FORMATS = ["binpack", "viriformat", "bulletformat", "plain", "packed-sfen", "csv", "text"]
SUFFIXES = {"binpack": ".binpack", "viriformat": ".vf", "bulletformat": ".bullet", "plain": ".plain"}
SUFFIXES |= {"packed-sfen": ".bin", "csv": ".csv", "text": ".txt"}


@functools.cache
def content(kind: str) -> bytes:
    """Return a file of some sixty games; one of text has rows that cannot be read."""
    entries = games()
    rows, rng = rows_of(entries), random.Random(kind)
    if kind == "binpack":
        return 2 * naive_training.write_binpack(entries, 1_000)
    if kind == "viriformat":
        return naive_training.write_viriformat(entries)
    if kind == "bulletformat":
        return naive_training.write_bulletformat(entries)
    if kind == "packed-sfen":
        return naive_training.write_packed_sfen(entries)
    if kind == "plain":
        blocks = naive_training.write_plain(entries).split("e\n")
        blocks = [block if rng.random() < 0.95 else block.replace("score", "sco") for block in blocks]
        return "e\n".join(blocks).encode().replace(b"\ne\n", b"\r\ne\r\n", 500)
    fens = rows.positions.to_fens()
    fens = [fen if rng.random() < 0.95 else f"bad {i}" for i, fen in enumerate(fens)]
    scores, results = rows.white_scores.tolist(), (rows.white_results.astype(int) / 2 + 0.5).tolist()
    if kind == "csv":
        lines = [f"{result},{fen},{score}\r\n" for fen, score, result in zip(fens, scores, results, strict=True)]
        return "".join(["result,FEN,cp\r\n", *lines]).encode()
    return "\n".join(f"{fen} | {s} | {r}" for fen, s, r in zip(fens, scores, results, strict=True)).encode()


def written(kind: str, folder: Path, data: bytes) -> Path:
    path = folder / f"rows{SUFFIXES[kind]}"
    path.write_bytes(data)
    return path


def read(source: Any, kind: str) -> tuple[list[ScoredPositions], list[BadRow], list[str]]:
    """Return the rows of a file, or of a range, its bad rows, and why it could not be read to its end."""
    parts: list[ScoredPositions] = []
    failures: list[str] = []
    with TrainingScan(source, kind, 500, raises=False) as scan:
        try:
            parts.extend(scan)
        except DamagedFileError as error:
            failures.append(str(error))
    return parts, scan.bad_rows, failures


@pytest.mark.parametrize("kind", FORMATS)
def test_ranges_have_all_rows_once(kind: str, tmp_path: Path) -> None:
    path = written(kind, tmp_path, content(kind))
    rows, bad, failures = read(path, kind)
    right = ScoredPositions.concatenate(rows)
    assert not failures
    assert bool(bad) == (kind in ("plain", "csv", "text"))
    for size in (400, SIZE, 1 << 30):
        parts = list(ranges_of(str(path), division_of(str(path), known=TEXT), format_of(kind, "", None).cuts, size))
        assert len(parts) == 1 if size == 1 << 30 else len(parts) > 4
        assert [part.start for part in parts[1:]] == [part.stop for part in parts[:-1]]
        found = [read(part, kind) for part in parts]
        assert ScoredPositions.concatenate(rows for one in found for rows in one[0]) == ScoredPositions.concatenate(
            right
        )
        assert sum(len(one[1]) for one in found) == len(bad)
        assert not any(one[2] for one in found)


def test_games_of_viriformat_are_found_from_any_place() -> None:
    data = naive_training.write_viriformat(games(20))
    begins, at = {0}, 0
    while at < len(data):  # the framing that the specification describes
        at += 32
        while data[at : at + 4] != bytes(4):
            at += 4
        at += 4
        begins.add(at)
    found = 0
    for start in range(4, len(data) - 4, 4):
        for window in (200, 1_500):
            place = division.before_game_of_viriformat(data[start : start + window])
            assert not place or start + place in begins
            found += window == 1_500 and place > 0
    assert found > len(data) // 4 * 0.8


def damaged(kind: str, data: bytes) -> list[bytes]:
    """Return a file that is cut short, and one with damaged bytes in its middle."""
    rng = random.Random(kind)
    changed = bytearray(data)
    middle = len(data) // 2
    changed[middle : middle + 60] = rng.randbytes(60)
    return [data[: middle + 7], bytes(changed)]


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("executor", ["threads:2", slow("processes:2")])
def test_tasks_read_what_a_whole_scan_reads(
    kind: str, executor: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(division, "RANGE", SIZE // 4)  # of which tasks take four
    data = content(kind)
    for i, one in enumerate([data, *damaged(kind, data)]):
        path = Path(written(kind, tmp_path, one).name)  # messages name a file as the caller does
        right, expected_bad, expected_failures = read(path, kind)
        found, bad, failures, tasks, _ = rows_of_plan([path, path], executor)
        assert tasks > (3 if i else 8)
        assert found == ScoredPositions.concatenate(right * 2), i
        assert bad == expected_bad * 2
        assert list(failures) == expected_failures
        assert bool(failures) == (i > 0 and (kind not in ("plain", "csv", "text") or (kind == "plain" and i == 1)))


def test_a_line_that_is_too_long_is_named_by_its_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(division, "RANGE", 1 << 16)
    lines = content("text").splitlines(keepends=True)
    path = written("text", tmp_path, b"".join([*lines, b"\n", b"x" * 3_000_000, b"\n", *lines[1:]]))
    right, _, expected = read(path, "text")
    found, _, failures, *_ = rows_of_plan([path], "threads:2")
    assert found == ScoredPositions.concatenate(right)
    whole = read(written("text", tmp_path, b"".join(lines)), "text")[0]
    assert found == ScoredPositions.concatenate(whole)  # all rows before the line
    assert list(failures) == expected
    assert "a line of more than" in failures[0]


def test_rows_of_csv_that_take_several_lines_and_one_that_is_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ranges must not begin inside quotes. Rows after a line that is too long, or a quote that stays open, are read."""
    monkeypatch.setattr(division, "RANGE", 1 << 12)
    lines = content("csv").splitlines()
    header = b'"note, of\nseveral lines",' + lines[0]
    rows = [b'"%d\r\n""x"",%s\n",' % (i, lines[1]) + line for i, line in enumerate(lines[1:])]
    rows[100:100] = [b"x" * 3_000_000, b""]
    end = [b'"not closed,' + lines[1], *(b"," + line for line in lines[1:20])]
    plain, plain_bad, _ = read(b"\n".join([*lines, *lines[1:20]]), "csv")
    path = written("csv", tmp_path, b"\r\n".join([header, *rows, *end]))
    whole, bad, failures = read(path, "csv")
    assert ScoredPositions.concatenate(whole) == ScoredPositions.concatenate(plain)
    assert not failures
    reasons = [row.reason for row in bad]
    assert sum("a line of more than" in reason for reason in reasons) == 1
    assert sum("a quote that is not closed" in reason for reason in reasons) == 1
    assert len(bad) == len(plain_bad) + 2
    assert len(list(ranges_of(str(path), division_of(str(path)), format_of("csv", "", None).cuts, 1 << 12))) > 20
    found, found_bad, damage, *_ = rows_of_plan([path], "threads:2")
    assert found == ScoredPositions.concatenate(whole)
    assert [row._replace(file="") for row in found_bad] == [row._replace(file="") for row in bad]
    assert not damage


def test_packed_files_and_columns_of_every_kind_come_back(tmp_path: Path) -> None:
    rows = rows_of(games(5))
    rows.scores[::3] = -32_768
    for name in ("a.vf.zst", "b.binpack.gz"):
        write_training(rows[1::3], tmp_path / name)
        found = rows_of_plan([tmp_path / name], "threads:1")
        assert found.rows == read_training(tmp_path / name)
        assert not found.bad
        assert not found.failures
        assert np.all(found.rows.has_score)
