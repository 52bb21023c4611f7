"""Formats of training data compared with the programs that define them. A test is skipped unless it is given a program.

`ROOKERY_BINPACK_JUDGE` names a program built from the header-only library of github.com/official-stockfish/nnue-pytorch
(data_loader/cpp/lib/binpack.h). Called with ``read FILE`` or ``readbin FILE`` it prints a line
``FEN;UCI;score;ply;result;clock`` for each position. Called with ``write FILE`` or ``writebin FILE`` it reads such
lines, without the clock, and writes the file. ``count FILE`` reads a binpack for `benchmarks/training_formats.py`.

`ROOKERY_VIRIFORMAT_JUDGE` names a program built from the crates viriformat and bulletformat. ``read FILE`` prints a
line ``FEN;move;score;outcome`` for each position and stops at an illegal move, ``rewrite FILE OUT`` unpacks games and
packs them again, and ``bullet LINES OUT`` converts lines of ``FEN | score | result`` to bulletformat.
"""

import os
import subprocess
from pathlib import Path

import chess
import pytest

from rookery import Move, ScoredPositions, read_training, write_training
from training_samples import game, games, naive_facts, rows_of

BINPACK = os.environ.get("ROOKERY_BINPACK_JUDGE", "")
VIRIFORMAT = os.environ.get("ROOKERY_VIRIFORMAT_JUDGE", "")
needs_binpack = pytest.mark.skipif(not BINPACK, reason="ROOKERY_BINPACK_JUDGE names no program")
needs_viriformat = pytest.mark.skipif(not VIRIFORMAT, reason="ROOKERY_VIRIFORMAT_JUDGE names no program")


def judge(program: str, *arguments: str | Path, lines: str = "") -> list[str]:
    command = [program, *map(str, arguments)]
    return subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout.splitlines()


@needs_binpack
@pytest.mark.parametrize(
    ("reads", "writes", "name"), [("read", "write", "a.binpack"), ("readbin", "writebin", "a.bin")]
)
def test_stockfish_reads_and_writes_the_same(reads: str, writes: str, name: str, tmp_path: Path) -> None:
    entries = games(200)
    write_training(rows_of(entries), tmp_path / name)
    found = [line.split(";") for line in judge(BINPACK, reads, tmp_path / name)]
    expected = [
        [*fen.split()[:4], uci, *map(str, (score, ply, result)), fen.split()[4]]
        for fen, uci, score, result, ply in naive_facts(entries)
    ]
    assert [[*fen.split()[:4], *rest] for fen, *rest in found] == expected
    lines = "".join(f"{fen};{uci};{score};{ply};{result}\n" for fen, uci, score, result, ply in naive_facts(entries))
    judge(BINPACK, writes, tmp_path / f"judge-{name}", lines=lines)
    assert read_training(tmp_path / f"judge-{name}") == rows_of(entries)
    ours, theirs = (tmp_path / name).read_bytes(), (tmp_path / f"judge-{name}").read_bytes()
    if name.endswith(".bin"):  # the last byte of an entry has no meaning
        ours, theirs = (b"".join(data[i : i + 39] for i in range(0, len(data), 40)) for data in (ours, theirs))
    assert ours == theirs


@needs_viriformat
def test_viridithas_reads_the_same_games_and_packs_them_alike(tmp_path: Path) -> None:
    parts = [rows_of(games(100)), *(rows_of(game(i, chess.Board.from_chess960_pos(9 * i))) for i in range(100))]
    rows = ScoredPositions.concatenate(parts)
    write_training(rows, tmp_path / "a.vf")
    found = [line.split(";") for line in judge(VIRIFORMAT, "read", tmp_path / "a.vf")]
    words, scores = rows.moves.tolist(), rows.white_scores.tolist()
    expected = [
        [Move.from_word(word, chess960=True).uci(), str(score)] for word, score in zip(words, scores, strict=True)
    ]
    assert [line[1:3] for line in found] == expected
    assert [line[0].split()[0] for line in found] == [board.board_fen() for board in rows.positions]
    assert [line[3] for line in found] == [("Loss", "Draw", "Win")[result + 1] for result in rows.white_results]
    judge(VIRIFORMAT, "rewrite", tmp_path / "a.vf", tmp_path / "b.vf")
    assert (tmp_path / "a.vf").read_bytes() == (tmp_path / "b.vf").read_bytes()


@needs_viriformat
def test_bullet_converts_text_to_the_same_bytes(tmp_path: Path) -> None:
    rows = rows_of(games(100))
    columns = rows.positions.to_fens(), rows.white_scores.tolist(), rows.white_results.tolist()
    lines = [f"{fen} | {score} | {(result + 1) / 2}\n" for fen, score, result in zip(*columns, strict=True)]
    (tmp_path / "a.txt").write_text("".join(lines))
    judge(VIRIFORMAT, "bullet", tmp_path / "a.txt", tmp_path / "b.bullet")
    write_training(rows, tmp_path / "a.bullet")
    assert (tmp_path / "a.bullet").read_bytes() == (tmp_path / "b.bullet").read_bytes()
    read = read_training(tmp_path / "a.txt")
    assert (read.scores.tolist(), read.results.tolist()) == (rows.scores.tolist(), rows.results.tolist())
