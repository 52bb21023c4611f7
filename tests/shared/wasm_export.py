"""Helpers for tests of WebAssembly modules: exported files, the library's answers, and scripts that compare."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rookery
from rookery.bitboards.bits import subset_array
from rookery.bitboards.lines import relevant_occupancy
from rookery.explain.export.wasm import wasm_files

PIECES = ("rook", "bishop", "queen")
# Compares every answer of every technique with those of the library; also runs in browsers.
COMPARE = """
import { load, PIECES } from "./rookery.mjs";

export async function compared(bytes) {
    const rookery = await load(new URL("rookery.wasm", import.meta.url));
    const n = bytes.byteLength / 33, boards = new BigUint64Array(bytes, 0, n);
    const squares = new Uint8Array(bytes, 32 * n, n);
    let answers = 0;
    for (const technique of rookery.techniques) {
        PIECES.forEach((piece, k) => {
            const expected = new BigUint64Array(bytes, 8 * n * (k + 1), n);
            const found = rookery.manyAttacks(technique, piece, squares, boards);
            const wrong = found.findIndex((attacks, i) => attacks !== expected[i]);
            if (wrong >= 0) {
                throw new Error(`${technique}: ${piece} on ${squares[wrong]}, ${boards[wrong]}: ${found[wrong]}`);
            }
            for (let i = 0; i < n; i += 97) { // the functions for one question, too
                if (rookery.attacks(technique, piece, squares[i], boards[i]) !== expected[i]) {
                    throw new Error(`${technique}: one ${piece} on ${squares[i]}, ${boards[i]}`);
                }
            }
            answers += n;
        });
    }
    const totals = (await import("./selfcheck.mjs")).checkTotals(rookery);
    return JSON.stringify({ answers, techniques: rookery.techniques.length, totals });
}
"""
IN_NODE = """
import { readFileSync } from "node:fs";
import { compared } from "./compare.mjs";
const { buffer, byteOffset, byteLength } = readFileSync("cases.bin");
console.log(await compared(buffer.slice(byteOffset, byteOffset + byteLength)));
"""
PAGE = """<!doctype html><title>compare</title><link rel="icon" href="data:,"><script type="module">
import { compared } from "./compare.mjs";
try {
    window.result = await compared(await (await fetch("cases.bin")).arrayBuffer());
} catch (error) {
    window.result = String(error);
}
</script>"""


def cases() -> tuple[Any, Any]:
    """Return squares and boards: every relevant occupancy of every square, alone and with all others occupied."""
    squares, boards = [], []
    for piece in PIECES[:2]:
        for square in range(64):
            relevant = int(relevant_occupancy(piece, square))
            subsets = subset_array(relevant)
            for occupied in (subsets, subsets | np.uint64(~relevant & 2**64 - 1)):
                boards.append(occupied)
                squares.append(np.full(occupied.size, square, np.uint8))
    return np.concatenate(squares), np.concatenate(boards)


def write_export(folder: Path, name: str | None = None) -> int:
    """Write an export, the cases and the scripts to a folder; return the number of answers of each technique."""
    for file, content in wasm_files(name).items():
        (folder / file).write_bytes(content if isinstance(content, bytes) else content.encode())
    squares, boards = cases()
    technique = rookery.technique("magic-fancy")
    answers = [technique.ask(piece, squares, boards) for piece in PIECES]
    (folder / "cases.bin").write_bytes(b"".join(array.tobytes() for array in (boards, *answers, squares)))
    (folder / "compare.mjs").write_text(COMPARE, encoding="utf-8")
    (folder / "node.mjs").write_text(IN_NODE, encoding="utf-8")
    (folder / "compare.html").write_text(PAGE, encoding="utf-8")
    return len(PIECES) * len(squares)


def of_node(script: str, folder: Path) -> Any:
    """Return what a script in a folder prints as JSON in Node."""
    if not shutil.which("node"):
        pytest.skip("no node here")
    done = subprocess.run(["node", script], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
