"""However many threads are allowed, no more are started than the work has parts, or a machine has a use for."""

import io
import threading
from collections.abc import Callable

import numpy as np
import pyarrow
import pytest

import rookery
from command_line import run
from magics.prove.proof import prove
from rookery.arguments import MOST_THREADS, threads_to_start
from rookery.shipping.precompiled import units

GAME = b"1. e4 e5 2. Nf3 Nc6 *\n\n"


def start(n: int) -> rookery.Positions:
    """So many times the start position."""
    return rookery.Positions.from_fens([rookery.Board().fen()])[np.zeros(n, np.int64)]


def test_one_thread_a_part() -> None:
    assert [threads_to_start(n, 3) for n in (1, 2, 3, 4, MANY)] == [1, 2, 3, 3, 3]
    assert threads_to_start(MANY) == threads_to_start(MANY, MANY) == MOST_THREADS >= 64
    assert threads_to_start(5, 0) == 1


MANY = 1_000_000


class _Started:
    """Counts the threads that are started."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.number = 0
        start = threading.Thread.start

        def counted(thread: threading.Thread) -> None:
            self.number += 1
            start(thread)

        monkeypatch.setattr(threading.Thread, "start", counted)


@pytest.mark.parametrize(
    ("most", "work"),
    [
        (1, lambda: rookery.perft("start", 3, threads=MANY)),
        (20, lambda: rookery.perft("start", 5, threads=MANY)),  # parts: the positions one ply below the root
        (4, lambda: start(4096).legal_move_counts(threads=MANY)),
        (4, lambda: start(4096).legal_moves(threads=MANY)),
        (4, lambda: start(4096).san(np.full(4096, int(rookery.Move.of(12, 28)), np.uint16), threads=MANY)),
        (MOST_THREADS, lambda: start(1 << 18).is_check(threads=MANY)),
        (MOST_THREADS, lambda: rookery.read_pgn(GAME * 200_000, threads=MANY)),
        (MOST_THREADS, lambda: rookery.read_pgn(pyarrow.array([GAME.decode()] * 100), threads=MANY)),
        (MOST_THREADS, lambda: rookery.write_pgn(rookery.read_pgn(GAME * 100), io.BytesIO(), threads=MANY)),
        (64, lambda: prove("bishop", 3, 4, threads=MANY)),
    ],
)
def test_no_more_threads_than_parts_of_the_work(
    most: int, work: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    started = _Started(monkeypatch)
    work()
    assert started.number <= most


@pytest.mark.compiler
def test_no_more_processes_than_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    requested: list[str] = []

    def executor(name: str) -> None:
        requested.append(name)
        raise ValueError("enough")

    monkeypatch.setattr("rookery.tasks.open_executor", executor)
    run("compile", "--jobs", str(MANY), status=2)
    assert requested == [f"processes:{min(len(units()), 61)}"]
