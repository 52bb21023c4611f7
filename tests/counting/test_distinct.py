"""Perft by way of distinct positions: published numbers, restarts, damage."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest
from click.testing import CliRunner

from rookery import perft
from rookery.board.board import Board
from rookery.cli import main
from rookery.counting import distinct, weighted
from rookery.counting.distinct import distinct_positions
from rookery.counting.walk import POSITIONS, divide
from rookery.counting.weighted import _products, counting_distinct, task_size
from rookery.kernel import Entry
from rookery.positions import threads as threaded

DISTINCT = [20, 400, 5_362, 72_078, 822_518, 9_417_681, 96_400_068]  # after 1 to 7 plies: OEIS A083276


def last(board: Board, depth: int, plies: int, folder: Path, executor: str = "threads:1") -> tuple[int, dict[str, int]]:
    *_, end = counting_distinct(board, depth, plies, folder, executor=executor)
    return end.nodes, end.by_move


def test_published_numbers_of_distinct_positions(tmp_path: Path) -> None:
    for plies, number in enumerate(DISTINCT[:4], 1):
        ply = distinct_positions(Board(), plies, tmp_path)
        assert sum(ply.sizes) == number
        assert sum(ply.totals) == perft("start", plies)


@pytest.mark.slow
def test_more_published_numbers_of_distinct_positions(tmp_path: Path) -> None:
    ply = distinct_positions(Board(), 6, tmp_path, threads=2)
    assert sum(ply.sizes) == DISTINCT[5]
    assert sum(ply.totals) == 119_060_324
    assert len(ply.sizes) > 10


@pytest.mark.slow
def test_distinct_positions_after_seven_plies(tmp_path: Path) -> None:
    if shutil.disk_usage(tmp_path).free < 12 << 30:
        pytest.skip("needs 12 GB of disk")
    ply = distinct_positions(Board(), 7, tmp_path, threads=2)
    assert sum(ply.sizes) == DISTINCT[6]
    assert sum(ply.totals) == 3_195_901_860
    shutil.rmtree(tmp_path)


def naive_distinct(fen: str, plies: int) -> dict[tuple[str, ...], list[int]]:
    """Return the number of sequences to each position, by move of the root, on python-chess."""
    board = chess.Board(fen)
    moves = list(board.legal_moves)
    found: dict[tuple[str, ...], list[int]] = {}

    def walk(row: int, left: int) -> None:
        if left == 0:
            key = tuple(board.fen(en_passant="legal").split()[:4])
            found.setdefault(key, [0] * len(moves))[row] += 1
            return
        for move in list(board.legal_moves):
            board.push(move)
            walk(row, left - 1)
            board.pop()

    for row, move in enumerate(sorted(moves, key=lambda move: move.uci())):
        board.push(move)
        walk(row, plies - 1)
        board.pop()
    return found


@pytest.mark.parametrize("name", ["kiwipete", "position3", "position4", "position5"])
def test_positions_and_sequences_against_python_chess(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distinct, "_BUCKET", 50)  # many buckets
    monkeypatch.setattr(distinct, "_CHUNK", 700)
    board = Board(POSITIONS[name])
    rows = np.argsort([board.uci(move) for move in board.generate_legal_moves()])
    expected = naive_distinct(POSITIONS[name], 2)
    ply = distinct_positions(board, 2, tmp_path)
    assert len(ply.sizes) > 1
    found = {}
    for bucket in ply.buckets():
        for position, sequences in zip(bucket.positions, bucket.paths.T, strict=True):
            found[tuple(position.fen(en_passant="legal").split()[:4])] = sequences[rows].tolist()
    assert found == expected


def test_equal_keys_do_not_merge_different_positions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def over(entry: Entry, threads: int, n: int, *operands: Any, room: Any = None) -> None:
        threaded.over(entry, threads, n, *operands, room=room)
        np.bitwise_and(operands[1], np.uint64(7), out=operands[1])

    monkeypatch.setattr("rookery.positions.keys.over", over)
    assert sum(distinct_positions(Board(), 3, tmp_path).sizes) == DISTINCT[2]


@pytest.mark.parametrize(("name", "depth", "plies"), [("start", 4, 2), ("kiwipete", 3, 2), ("position4", 4, 1)])
def test_counts_are_those_of_perft(
    name: str, depth: int, plies: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distinct, "_BUCKET", 5000)  # several buckets
    monkeypatch.setattr(distinct, "_CHUNK", 700)
    board = Board(POSITIONS[name])
    nodes, by_move = last(board, depth, plies, tmp_path, "threads:2")
    assert nodes == perft(name, depth)
    assert by_move == {board.uci(move): leaves for move, leaves in divide(board, depth)}
    assert last(board, depth, depth, tmp_path / "all")[0] == nodes  # nothing is left to count


def test_no_legal_move(tmp_path: Path) -> None:
    assert last(Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), 3, 2, tmp_path) == (0, {})
    mate_in_one = Board("7k/8/5KQ1/8/8/8/8/8 w - - 0 1")
    assert last(mate_in_one, 4, 2, tmp_path / "b")[0] == perft(mate_in_one, 4)


def test_sums_beyond_64_bits_are_exact() -> None:
    paths = np.array([[1 << 40, 3], [0, 1]], np.uint64)
    leaves = np.array([1 << 40, 5], np.uint64)
    assert _products(paths, leaves) == [(1 << 80) + 15, 5]


@pytest.mark.parametrize(
    ("paths", "leaves", "sums"),
    [
        ([[1 << 32]], [1 << 32], [1 << 64]),
        ([[1 << 32]], [(1 << 32) - 1], [(1 << 64) - (1 << 32)]),
        ([[1 << 31, 1 << 31]], [1 << 32, 1 << 32], [1 << 64]),
        ([[1 << 31, 1 << 31], [0, 3]], [1 << 31, 1 << 31], [1 << 63, 3 << 31]),
        ([[], []], [], [0, 0]),
    ],
)
def test_sums_near_64_bits_are_exact(paths: list[list[int]], leaves: list[int], sums: list[int]) -> None:
    assert _products(np.array(paths, np.uint64), np.array(leaves, np.uint64)) == sums


def test_a_task_has_fewer_positions_the_deeper_each_is_counted() -> None:
    sizes = [task_size(rest) for rest in range(10)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == 20_000
    assert sizes[5:] == [6_000_000_000 // 30**5, 8, 1, 1, 1]


def test_progress_names_finished_tasks_and_positions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weighted, "_MOST_POSITIONS", 150)
    steps = list(counting_distinct(Board(), 3, 2, tmp_path))
    assert [(step.done, step.tasks, step.positions) for step in steps] == [(n, 3, 400) for n in (0, 1, 2, 3, 3)]
    assert steps[0].nodes == 0
    assert [step.nodes for step in steps] == sorted(step.nodes for step in steps)
    assert steps[-1].nodes == 8902
    assert steps[-1].by_move["e2e4"] == 600  # published
    again = list(counting_distinct(Board(), 3, 2, tmp_path))  # from the journal, without a first step
    assert again == steps[-1:]


def test_finding_positions_reports_its_progress(tmp_path: Path) -> None:
    printed: list[str] = []
    distinct_positions(Board(), 3, tmp_path, tell=printed.append)
    assert printed == [
        "moves of 1 of 1 files after 1 plies",
        "400 distinct positions after 2 plies, 1 of 1 files",
        "moves of 1 of 1 files after 2 plies",
        "5,362 distinct positions after 3 plies, 1 of 1 files",
    ]
    printed.clear()
    distinct_positions(Board(), 3, tmp_path, tell=printed.append)
    assert printed == []  # all is there
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ply-1", "ply-2", "ply-3", "root.json"]
    assert sorted(path.name for path in (tmp_path / "ply-3").iterdir()) == ["0.npz", "ply.json"]


@pytest.mark.parametrize("plies", [0, -1])
def test_positions_are_found_after_at_least_one_ply(plies: int, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=rf"^plies: {plies}: expected at least 1$"):
        distinct_positions(Board(), plies, tmp_path)
    with pytest.raises(ValueError, match=rf"^plies: {plies}: expected 1 to 2, the depth$"):
        next(counting_distinct(Board(), 2, plies, tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_a_bucket_of_another_size_is_an_error(tmp_path: Path) -> None:
    first, second = (distinct_positions(Board(), plies, tmp_path) for plies in (1, 2))
    shutil.copy(first.folder / "0.npz", second.folder / "0.npz")
    with pytest.raises(ValueError, match=r"0\.npz: 20 positions, expected 400$"):
        second.bucket(0)


def test_a_folder_belongs_to_a_position(tmp_path: Path) -> None:
    last(Board(), 2, 1, tmp_path)
    with pytest.raises(ValueError, match=r"root\.json: is of other work \(other position\): repeat that"):
        last(Board(POSITIONS["kiwipete"]), 2, 1, tmp_path)
    with pytest.raises(ValueError, match="plies: 3: expected 1 to 2, the depth"):
        last(Board(), 2, 3, tmp_path)


def test_a_damaged_bucket_is_an_error(tmp_path: Path) -> None:
    ply = distinct_positions(Board(), 2, tmp_path)
    path = ply.folder / "0.npz"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(ValueError, match="damaged or missing: remove the folder"):
        ply.bucket(0)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_killed_count_goes_on(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "rookery", "perft", "start", "7", "--distinct", "4", "--work", str(tmp_path)]
    command += ["--executor", "processes:2", "--json"]
    perft("start", 4)  # compiled
    random_ = random.Random(3)
    for _ in range(2):
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            time.sleep(random_.uniform(1.0, 6.0))
            process.send_signal(signal.SIGKILL)
    answer = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert answer["nodes"] == 3_195_901_860
    assert answer["by_move"]["e2e4"] == 309_478_263  # published
    assert answer["complete"] is True
    assert not [path for path in tmp_path.rglob("*.new") if os.access(path, os.R_OK)]


def test_the_command_line(tmp_path: Path) -> None:
    work = str(tmp_path / "work")
    text = CliRunner().invoke(main, ["perft", "start", "4", "--distinct", "2", "--work", work]).stdout
    assert "197,281 nodes, by 400 distinct positions" in text
    assert "13,160" in text  # below e2e4
    for wrong in (["--distinct", "2"], ["--work", work], ["--distinct", "2", "--work", work, "--hash", "1"]):
        assert CliRunner().invoke(main, ["perft", "start", "4", *wrong]).exit_code == 2
