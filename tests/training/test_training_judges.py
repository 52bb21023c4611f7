"""Binpacks and packed SFENs compared with the C++ reader and writer that Stockfish's trainer uses.

`ROOKERY_BINPACK_JUDGE` names a program built from the header-only library of github.com/official-stockfish/nnue-pytorch
(data_loader/cpp/lib/binpack.h). Called with ``read FILE`` or ``readbin FILE`` it prints a line
``FEN;UCI;score;ply;result;clock`` for each position. Called with ``write FILE`` or ``writebin FILE`` it reads such
lines, without the clock, and writes the file. ``count FILE`` reads a binpack for `benchmarks/training_formats.py`.
"""

import os
import subprocess
from pathlib import Path

import pytest

from rookery import read_training, write_training
from training_samples import games, naive_facts, rows_of

JUDGE = os.environ.get("ROOKERY_BINPACK_JUDGE", "")
needs_judge = pytest.mark.skipif(not JUDGE, reason="ROOKERY_BINPACK_JUDGE names no program")


def judge(what: str, path: Path, lines: str = "") -> list[str]:
    done = subprocess.run([JUDGE, what, str(path)], input=lines, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@needs_judge
@pytest.mark.parametrize(
    ("reads", "writes", "name"), [("read", "write", "a.binpack"), ("readbin", "writebin", "a.bin")]
)
def test_both_read_and_write_the_same(reads: str, writes: str, name: str, tmp_path: Path) -> None:
    entries = games(200)
    write_training(rows_of(entries), tmp_path / name)
    found = [line.split(";") for line in judge(reads, tmp_path / name)]
    expected = [
        [*fen.split()[:4], uci, *map(str, (score, ply, result)), fen.split()[4]]
        for fen, uci, score, result, ply in naive_facts(entries)
    ]
    assert [[*fen.split()[:4], *rest] for fen, *rest in found] == expected
    lines = "".join(f"{fen};{uci};{score};{ply};{result}\n" for fen, uci, score, result, ply in naive_facts(entries))
    judge(writes, tmp_path / f"judge-{name}", lines)
    assert read_training(tmp_path / f"judge-{name}") == rows_of(entries)
    ours, theirs = (tmp_path / name).read_bytes(), (tmp_path / f"judge-{name}").read_bytes()
    if name.endswith(".bin"):  # the last byte of an entry has no meaning
        ours, theirs = (b"".join(data[i : i + 39] for i in range(0, len(data), 40)) for data in (ours, theirs))
    assert ours == theirs
