"""Perft, many positions at once: the totals of the scalar generator and published ones, in threads, with any table, and
after any interruption.
"""

import errno
import json
import math
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest
from click.testing import CliRunner

from corpus import EDGES, STRANGE, corpus
from rookery import files
from rookery.cli import main
from rookery.counting.checkpoint import Checkpoint
from rookery.counting.hash_table import enter, look_up, table
from rookery.counting.perft import counting, on_lanes, parts, perft
from rookery.counting.quiet_moves import indifferent
from rookery.counting.walk import UNKNOWN, slices
from rookery.kernel import ONE, U64, ZERO, entry
from rookery.positions.counts import checks_and_pins
from rookery.positions.layout import View
from rookery.rules.board import Board
from rookery.rules.compiled import default_technique
from rookery.rules.position import WORDS, prepared

KINDS = {"p": "pawns", "n": "knights", "b": "bishops", "r": "rooks", "k": "kings"}


def flipped(word: int) -> int:
    return int.from_bytes(word.to_bytes(8, "little"), "big")


@entry
def indifferent_moves(boards: Any, out: Any) -> None:
    for i in range(boards.shape[0]):
        b = boards[i]
        v = View(b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], ZERO)
        found = indifferent(v, checks_and_pins(v))
        out[i, 0] = found.pawns
        out[i, 1] = found.knights
        out[i, 2] = found.bishops
        out[i, 3] = found.rooks
        out[i, 4] = found.kings
        out[i, 5] = found.seen
        out[i, 6] = found.replies


def seen_by_those_who_reply(board: Board) -> list[int]:
    """The words of a `View` in which the other side is `us`, and moves up."""
    pawns, knights, diagonals, orthogonals, kings, us, them, castling = board.words().tolist()[:8]
    words = [pawns, knights, diagonals, orthogonals, kings, them, us, castling]
    return [flipped(word) for word in words] if board.turn else words


def test_moves_that_change_nothing_change_nothing() -> None:
    boards = [b for b in corpus(4000) if not b.chess960]
    found = np.zeros((len(boards), 7), np.uint64)
    indifferent_moves(np.array([seen_by_those_who_reply(b) for b in boards], np.uint64), found)
    tried = 0
    for board, (*calm, seen, replies) in zip(boards, found.tolist(), strict=True):
        flip = 56 if board.turn else 0
        for move in board.generate_legal_moves():
            kind = board.kind_at(move.from_square)
            where = calm[2] & calm[3] if kind == "q" else calm[list(KINDS).index(str(kind))]
            squares = 1 << (move.from_square ^ flip) | 1 << (move.to_square ^ flip)
            if move.kind or board.is_capture(move) or squares & (~where | seen):
                continue
            board.push(move)
            if board.ep_square is None or not board.has_legal_en_passant():
                assert board.count_legal_moves() == replies, (board.fen(), move)
                tried += 1
            board.pop()
    assert tried > 20_000


def test_four_plies_below_any_position_are_as_many_as_the_scalar_generator_finds() -> None:
    boards = [*corpus(1200, seed=7), *map(Board.unchecked, STRANGE[:2])]
    for board in boards:
        assert sum(on_lanes(board, 4)) == sum(slices(board, 4)), board.fen()


@pytest.mark.slow
def test_four_plies_below_many_positions() -> None:
    for board in corpus(20_000, seed=8):
        assert sum(on_lanes(board, 4)) == sum(slices(board, 4)), board.fen()


# Those with more moves have a hundred million leaves; they are among the corpus. python-chess counts them, because
# nothing is to be compiled before a test runs.
@pytest.mark.parametrize("fen", [fen for fen in EDGES if chess.Board(fen, chess960=True).legal_moves.count() <= 60])
def test_edges_five_plies_deep(fen: str) -> None:
    board = Board.unchecked(fen)
    assert sum(on_lanes(board, 5)) == sum(slices(board, 5))


TOTALS = [
    ("start", 6, 119_060_324),
    ("kiwipete", 5, 193_690_690),
    ("position3", 6, 11_030_083),
    ("position4", 5, 15_833_292),
    ("position5", 5, 89_941_194),
    ("position6", 5, 164_075_551),
]


@pytest.mark.parametrize(("name", "depth", "leaves"), TOTALS)
def test_published_totals(name: str, depth: int, leaves: int) -> None:
    assert perft(name, depth) == leaves


@pytest.mark.parametrize("depth", range(5))
def test_shallow_depths(depth: int) -> None:
    assert perft("kiwipete", depth) == [1, 48, 2039, 97862, 4085603][depth]
    assert perft("kiwipete", depth, threads=2, hash_mb=1) == [1, 48, 2039, 97862, 4085603][depth]


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
@pytest.mark.parametrize("megabytes", [0, 1, 3, 64])
def test_threads_and_tables_change_no_total(threads: int, megabytes: int) -> None:
    for name, depth, leaves in TOTALS[:4]:
        assert perft(name, depth, threads=threads, hash_mb=megabytes) == leaves


def test_a_table_of_one_bucket_changes_no_total(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rookery.counting.perft.table", lambda megabytes: np.zeros(8, np.uint64))
    assert perft("position3", 6, hash_mb=1, threads=2) == 11_030_083


@pytest.mark.slow
def test_the_start_position_eight_plies_deep() -> None:
    assert perft("start", 8) == 84_998_978_956
    assert perft("start", 8, threads=2, hash_mb=512) == 84_998_978_956


@pytest.mark.slow
def test_the_start_position_nine_plies_deep_with_a_table() -> None:
    assert perft("start", 9, threads=2, hash_mb=1024) == 2_439_530_234_167


@entry
def remember(words: Any, row: Any, depth: Any, leaves: Any, t: Any) -> None:
    enter(words, prepared(row, t), depth, leaves, t)


@entry
def recall(words: Any, row: Any, depth: Any, t: Any) -> Any:
    return look_up(words, prepared(row, t), depth, t)


def test_a_table_answers_what_it_was_told_and_nothing_else() -> None:
    t = default_technique().tables()
    words = table(1)
    assert words.size * 8 == 2**20
    boards = corpus(500)
    for i, board in enumerate(boards):
        remember(words, board.words(), U64(3 + i % 5), U64(i), t)
    known = {(board.words()[:WORDS].tobytes(), 3 + i % 5): i for i, board in enumerate(boards)}
    for board in boards:
        for depth in range(3, 9):
            expected = known.get((board.words().tobytes(), depth), UNKNOWN)
            assert recall(words, board.words(), U64(depth), t) == expected


def test_a_torn_entry_counts_as_none() -> None:
    t = default_technique().tables()
    words = np.zeros(8, np.uint64)
    row = Board().words()
    remember(words, row, U64(3), U64(8902), t)
    assert recall(words, row, U64(3), t) == 8902
    (data,) = np.flatnonzero(words)[1:]
    words[data] ^= ONE  # as if another thread's data had come between
    assert recall(words, row, U64(3), t) == UNKNOWN


def test_en_passant_squares_count_where_a_pawn_may_take() -> None:
    t = default_technique().tables()
    words = table(1)
    plain, jumped = Board("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"), Board("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1")
    remember(words, plain.words(), U64(4), U64(7), t)
    assert recall(words, jumped.words(), U64(4), t) == 7
    beside = Board("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"), Board("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1")
    remember(words, beside[0].words(), U64(4), U64(7), t)
    assert recall(words, beside[1].words(), U64(4), t) == UNKNOWN


def test_threads_hammering_one_bucket_never_read_what_none_wrote() -> None:
    """The lock-less table under fire: each thread enters its own counts of shared positions, and recalls them all."""
    t = default_technique().tables()
    words = np.zeros(8, np.uint64)
    boards = corpus(12, seed=3)
    wrong: list[tuple[int, int]] = []

    def fire(thread: int) -> None:
        for round_ in range(4000):
            for i, board in enumerate(boards):
                remember(words, board.words(), U64(3 + round_ % 3), U64(i << 20 | thread), t)
                for depth in (3, 4, 5):
                    found = recall(words, board.words(), U64(depth), t)
                    if found != UNKNOWN and (int(found) >> 20 != i or int(found) & 0xFFFFF > 3):
                        wrong.append((i, int(found)))

    threads = [threading.Thread(target=fire, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


# Parts, progress and checkpoints.


def test_parts_are_the_whole_tree() -> None:
    board = Board()
    for depth in (1, 4, 5, 6):
        pieces = parts(board, depth)
        assert sum(sum(on_lanes(*piece)) for piece in pieces) == [0, 20, 400, 8902, 197281, 4865609, 119060324][depth]


def test_progress_ends_with_the_whole() -> None:
    steps = list(counting(Board(), 7, threads=2))
    assert steps[-1] == (3_195_901_860, 3_195_901_860, 400, 400)
    assert [step.nodes for step in steps] == sorted(step.nodes for step in steps)
    assert len(steps) > 3


def test_a_count_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    file = tmp_path / "count.json"
    board = Board()
    begun = counting(board, 7, checkpoint=file)
    for progress in begun:
        if progress.done > 20:
            break
    begun.close()
    kept = json.loads(file.read_text())
    assert 20 < len(kept["leaves"]) < 400
    steps = list(counting(board, 7, threads=2, hash_mb=1, checkpoint=file))
    assert steps[-1].nodes == 3_195_901_860
    assert steps[-1].fresh == 3_195_901_860 - sum(kept["leaves"].values())
    assert list(counting(board, 7, checkpoint=file))[-1] == (3_195_901_860, 0, 400, 400)


def test_a_checkpoint_is_of_one_count_only(tmp_path: Path) -> None:
    file = tmp_path / "count.json"
    Checkpoint(file, Board(), 7, 400).save({1: 5})
    before = file.read_bytes()
    with pytest.raises(ValueError, match=r"of another count: \{'depth': 7\}, expected"):
        next(counting(Board(), 6, checkpoint=file))
    damaged = {
        "not json": b"{",
        "another document": b'{"a": 1}',
        "no document": b"[]",
        "a changed count": before.replace(b'"1": 5', b'"1": 6'),
        "a part that is no number": before.replace(b'"1": 5', b'"x": 5'),
    }
    for what, content in damaged.items():
        file.write_bytes(content)
        with pytest.raises(ValueError, match=r"checkpoint: .*count\.json: .*damaged"):
            next(counting(Board(), 7, checkpoint=file))
        assert file.read_bytes() == content, what


@pytest.mark.parametrize(
    "content", [b"", b"my notes", b"[" * 100_000, b"\0", b'{"about": "rookery perft, version 1", "a": 1}']
)
def test_a_file_that_is_no_checkpoint_is_told_and_stays(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "notes"
    file.write_bytes(content)
    with pytest.raises(ValueError, match=r"^checkpoint: .*notes: .*damaged"):
        next(counting(Board(), 5, checkpoint=file))
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("notes", content)]


@pytest.mark.parametrize(
    "leaves", [7, {"x": 5}, {"-1": 5}, {"1": -5}, {"1": 5.0}, {"1": "5"}, {"1": math.inf}, {"400": 5}, {"²": 1}]
)
def test_leaves_that_cannot_be(tmp_path: Path, leaves: Any) -> None:
    file = tmp_path / "count.json"
    count = {"fen": Board().fen(shredder=True), "depth": 7, "parts": 400}
    files.save(file, files.Kind("checkpoint", "rookery perft, version 1"), {**count, "leaves": leaves})
    with pytest.raises(ValueError, match=r"^checkpoint: .*count\.json: (leaves|part 400): expected"):
        next(counting(Board(), 7, checkpoint=file))


def test_a_checkpoint_where_none_can_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    for path, message in (
        ("no/such", "checkpoint: no/such: there is no folder 'no'"),
        ("file/such", "checkpoint: file/such: there is no folder 'file'"),
        ("", "checkpoint: '': expected the name of a file"),
        ("/dev/full", "checkpoint: /dev/full: expected a file"),
    ):
        with pytest.raises(ValueError, match=f"^{message}$"):
            next(counting(Board(), 5, checkpoint=path))
        # The command says so before it compiles anything, and asks for no position first.
        result = CliRunner().invoke(main, ["perft", "no position", "5", "--checkpoint", path])
        assert result.exit_code == 2
        assert message in result.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_a_checkpoint_of_another_count_is_told_before_the_count_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "count.json"
    Checkpoint(file, Board(), 7, 400)
    monkeypatch.setattr("rookery.counting.perft.counting", None)
    for position, depth in (("start", "6"), ("kiwipete", "7")):
        result = CliRunner().invoke(main, ["perft", position, depth, "--checkpoint", str(file)])
        assert result.exit_code == 2
        assert "is of another count" in result.stderr


def full(descriptor: int) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_does_not_end_a_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "count.json"
    monkeypatch.setattr("rookery.counting.perft._SAVES", 0.0)
    told: list[str] = []
    begun = counting(Board(), 6, threads=2, checkpoint=file, tell=told.append)
    next(begun)
    whole = file.read_bytes()
    monkeypatch.setattr(os, "fsync", full)
    assert [*begun][-1].nodes == 119_060_324
    assert told == [f"checkpoint: {file}: No space left on device: what is counted from now on may not be kept"]
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("count.json", whole)]
    monkeypatch.undo()
    assert [*counting(Board(), 6, checkpoint=file)][-1].nodes == 119_060_324


def test_a_full_disk_from_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ValueError, match=r"^checkpoint: .*count\.json: No space left on device$"):
        next(counting(Board(), 6, checkpoint=tmp_path / "count.json"))
    assert [*tmp_path.iterdir()] == []


def test_a_full_disk_is_told_by_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "count.json"
    Checkpoint(file, Board(), 5, 20)
    monkeypatch.setattr(os, "fsync", full)
    result = CliRunner().invoke(main, ["perft", "start", "5", "--checkpoint", str(file)])
    assert result.exit_code == 0
    assert result.stdout.startswith("4,865,609 nodes, ")
    assert f"checkpoint: {file}: No space left on device" in result.stderr


def begin(file: Path, *options: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "rookery", "perft", "start", "8", "--checkpoint", str(file), *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def parts_kept(file: Path) -> int:
    try:
        return len(json.loads(file.read_text())["leaves"])
    except FileNotFoundError:
        return 0


def test_an_interrupted_command_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """Ended by Ctrl-C, gone on with, killed, and gone on with."""
    file = tmp_path / "count.json"
    kept = 0
    for sign in (signal.SIGINT, signal.SIGKILL):
        run = begin(file)
        deadline = time.monotonic() + 120
        while parts_kept(file) < kept + 3 and time.monotonic() < deadline:
            time.sleep(0.1)
        run.send_signal(sign)
        try:
            out, err = run.communicate(timeout=60)
        finally:
            run.kill()
        if sign == signal.SIGINT:
            assert run.returncode == 130, err
            assert "so far: interrupted" in out
        before, kept = kept, parts_kept(file)
        assert before + 3 <= kept < 400
    # Finish it here: what the file says is counted is not counted again.
    steps = list(counting(Board(), 8, threads=os.cpu_count() or 1, hash_mb=256, checkpoint=file))
    assert steps[0].done >= kept
    assert steps[-1].nodes == 84_998_978_956


def test_an_error_in_a_thread_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: Any) -> Any:
        raise RuntimeError("broken")

    monkeypatch.setattr("rookery.counting.perft._portions", broken)
    with pytest.raises(RuntimeError, match="broken"):
        list(counting(Board(), 5, threads=2))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threads": 0}, "threads: 0: expected an int of at least 1"),
        ({"threads": 1.5}, "threads: 1.5: expected"),
        ({"hash_mb": -1}, "hash_mb: -1: expected an int from 0"),
        ({"technique": "pext", "threads": 2}, "technique: 'pext' selects the scalar generator"),
        ({"technique": "pext", "hash_mb": 1}, "technique: 'pext' selects the scalar generator"),
    ],
)
def test_options_are_checked(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        perft("start", 3, **options)
