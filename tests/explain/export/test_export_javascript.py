"""JavaScript's answers beside the library's, and words as pairs at their edges."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import rookery
from rookery.explain.export import export_text
from rookery.techniques import ALL

Squares = NDArray[np.int64]
Boards = NDArray[np.uint64]

PIECES = ("rook", "bishop", "queen")
SCRIPT = """
import { readFileSync } from "node:fs";
import * as t from "./rookery_attacks.mjs";
const { squares, boards } = JSON.parse(readFileSync("cases.json"));
const answers = [];
for (const piece of ["rook", "bishop", "queen"]) {
    const byPair = t[`${piece}_attacks`], byBigInt = t[`${piece}Attacks`];
    answers.push(squares.map((square, i) => {
        const occupied = BigInt(boards[i]);
        const low = byPair(square, Number(occupied & 0xffffffffn) | 0, Number(occupied >> 32n) | 0), high = t.high;
        const attacks = byBigInt(square, occupied);
        if ((BigInt(high >>> 0) << 32n | BigInt(low >>> 0)) !== attacks) {
            throw new Error(`${piece} on ${square}: pairs and BigInt differ`);
        }
        return String(attacks);
    }));
}
console.log(JSON.stringify(answers));
"""


def cases(number: int, seed: int) -> tuple[Squares, Boards]:
    """Squares and occupancies: the empty and the full board everywhere, then boards of every density."""
    rng = np.random.default_rng(seed)
    boards = rng.integers(0, 2**64, number, dtype=np.uint64)
    for i in range(3):
        thinner = rng.random(number) < 0.5
        boards[thinner] &= rng.integers(0, 2**64, int(thinner.sum()), dtype=np.uint64)
        boards[::7] |= np.uint64(1 << (63 - i))
    boards[:64], boards[64:128] = 0, 2**64 - 1
    return np.arange(number) % 64, boards


def answers_of_node(
    name: str, squares: NDArray[np.int64], boards: NDArray[np.uint64], folder: Path
) -> NDArray[np.uint64]:
    if not shutil.which("node"):
        pytest.skip("no node here")
    (folder / "rookery_attacks.mjs").write_text(export_text("javascript", name), encoding="utf-8")
    (folder / "ask.mjs").write_text(SCRIPT, encoding="utf-8")
    document = {"squares": squares.tolist(), "boards": [str(board) for board in boards.tolist()]}
    (folder / "cases.json").write_text(json.dumps(document), encoding="utf-8")
    done = subprocess.run(["node", "ask.mjs"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return np.array([[int(board) for board in answers] for answers in json.loads(done.stdout)], np.uint64)


def assert_answers(name: str, number: int, folder: Path) -> None:
    squares, boards = cases(number, seed=len(name))
    found = answers_of_node(name, squares, boards, folder)
    technique = rookery.technique(name)
    for piece, answers in zip(PIECES, found, strict=True):
        np.testing.assert_array_equal(answers, technique.ask(piece, squares, boards), err_msg=piece)


@pytest.mark.parametrize("name", ["magic-fancy", "rotated-compact", "congruent-modulo", "pext-pdep16"])
def test_some_answers_are_those_of_the_library(name: str, tmp_path: Path) -> None:
    assert_answers(name, 600, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", [t.name for t in ALL])
def test_twenty_thousand_answers_are_those_of_the_library(name: str, tmp_path: Path) -> None:
    assert_answers(name, 20_000, tmp_path)
