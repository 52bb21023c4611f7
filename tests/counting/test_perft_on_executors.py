"""Perft on executors: equal counts, checkpoints, and workers that are killed while they count."""

import os
import random
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rookery import perft
from rookery.board.board import Board
from rookery.counting.workers import counting
from rookery.tasks.processes import ProcessExecutor


def test_counts_on_executors_are_the_same() -> None:
    assert perft("kiwipete", 4, executor="threads:2", hash_mb=1) == 4_085_603
    with ThreadPoolExecutor(1) as pool:
        for depth in range(4):
            assert perft("position5", depth, executor=pool) == (1, 44, 1486, 62379)[depth]
    # Rooks of Chess960 and a position without legal moves survive as texts.
    fischer = "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9"
    with ProcessExecutor(2) as processes:
        assert perft(fischer, 4, executor=processes) == 287_739
        assert perft("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 3, executor=processes) == 0


def test_a_technique_counts_here() -> None:
    with pytest.raises(ValueError, match="technique: 'pext' selects the scalar generator"):
        perft("start", 2, technique="pext", executor="threads:1")


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_count_goes_on_from_its_checkpoint_on_an_executor(tmp_path: Path) -> None:
    file = tmp_path / "count.json"
    begun = counting(Board(), 6, checkpoint=file, executor="processes:1")
    for progress in begun:
        if progress.done > 5:
            break
    begun.close()
    with ProcessExecutor(2) as processes:
        stopped = threading.Event()

        def kill() -> None:
            while not stopped.is_set():
                for pid in random.sample(processes.pids(), min(len(processes.pids()), 1)):
                    os.kill(pid, signal.SIGKILL)
                time.sleep(1.5)

        killer = threading.Thread(target=kill)
        killer.start()
        try:
            last = list(counting(Board(), 6, checkpoint=file, executor=processes))[-1]
        finally:
            stopped.set()
            killer.join()
    assert last.nodes == 119_060_324
    assert last.fresh < last.nodes
