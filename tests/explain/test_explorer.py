"""The explorer's text, and its steps beside Python's, under Node."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rookery
from command_line import document, run
from rookery.explain import explain
from rookery.explain.explorer import text_of
from rookery.explain.explorer.programs import program_for_page
from rookery.explain.export.wasm import loader, wasm_module
from rookery.explain.run import Step
from rookery.techniques import ALL

PIECES = ("rook", "bishop", "queen")
SCRIPT = """
import { existsSync, readFileSync } from "node:fs";
const found = {};
if (existsSync("rookery.wasm")) {
    kernels = await (await import("./rookery.mjs")).load();
}
for (const [name, { program, cases }] of Object.entries(JSON.parse(readFileSync("programs.json")))) {
    const technique = prepared(name, program, await import(`./${name}.mjs`));
    found[name] = cases.map(([square, occupied]) => ["rook", "bishop", "queen"].map((piece) => {
        fillFor(technique, square);
        return technique.explained(piece, square, BigInt(occupied));
    }));
}
console.log(JSON.stringify(found, (name, value) => typeof value === "bigint" ? String(value) : value));
"""
NAMES = [t.name for t in ALL]


def _lists(rows: Any) -> list[list[Any]]:
    return [list(row) for row in rows]


def in_python(step: Step) -> tuple[Any, ...]:
    parts = [(p.value, p.kind, p.text, p.marked, p.table, p.slot, p.slots) for p in step.parts]
    printed = (step.what, step.value, step.kind, step.sentence, step.code, step.function, step.module, step.line)
    more = (_lists(step.rows), list(step.numbers), step.site, step.turn)
    return (*printed, step.depth, step.round, step.previous, parts, *more)


def in_the_page(step: dict[str, Any]) -> tuple[Any, ...]:
    parts = [
        (
            int(p["word"]),
            p["kind"],
            p["text"],
            int(p.get("marked", 0)),
            p.get("table", ""),
            p.get("slot", 0),
            p.get("slots", 0),
        )
        for p in step["parts"]
    ]
    names = ("what", "word", "kind", "sentence", "code", "name", "module", "line", "depth", "round")
    printed = [int(step[name]) if name == "word" else step[name] for name in names]
    previous = step["previous"]
    more = (step["rows"], step["numbers"], step["site"], step["turn"])
    return (*printed, None if previous is None else int(previous), parts, *more)


def cases_of(name: str, number: int) -> list[tuple[int, int]]:
    """Return squares and occupancies: two corners and random ones."""
    rng = np.random.default_rng(len(name))
    boards = rng.integers(0, 2**64, number, dtype=np.uint64) & rng.integers(0, 2**64, number, dtype=np.uint64)
    return [*zip(rng.integers(0, 64, number).tolist(), boards.tolist(), strict=True), (0, 0), (63, 2**64 - 1)]


def steps_in_node(names: list[str], number: int, folder: Path, *, has_wasm: bool) -> dict[str, Any]:
    """Return the steps that the page's scripts give for the cases of each technique."""
    if not shutil.which("node"):
        pytest.skip("no node here")
    programs = {}
    for name in names:
        program = program_for_page(rookery.technique(name), has_wasm=has_wasm)
        (folder / f"{name}.mjs").write_text(program.pop("module"), encoding="utf-8")
        cases = [[square, str(board)] for square, board in cases_of(name, number)]
        programs[name] = {"program": program, "cases": cases}
    (folder / "programs.json").write_text(json.dumps(programs), encoding="utf-8")
    if has_wasm:
        (folder / "rookery.mjs").write_text(loader(), encoding="utf-8")
        (folder / "rookery.wasm").write_bytes(wasm_module())
    (folder / "run.mjs").write_text(text_of("steps.js") + text_of("programs.js") + SCRIPT, encoding="utf-8")
    done = subprocess.run(["node", "run.mjs"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def assert_the_same_steps(name: str, number: int, in_node: list[Any]) -> None:
    technique = rookery.technique(name)
    for (sq, board), printed in zip(cases_of(name, number), in_node, strict=True):
        for piece, steps in zip(PIECES, printed, strict=True):
            expected = explain(technique, piece, sq, board)
            told = list(map(in_the_page, steps["steps"]))
            assert told == list(map(in_python, expected.steps)), (piece, sq, hex(board))
            assert steps["operations"] == expected.operations


WAYS = [pytest.param(True, marks=pytest.mark.compiler, id="wasm"), pytest.param(False, id="javascript")]


@pytest.fixture(scope="module", params=WAYS)
def few_steps(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return steps_in_node(NAMES, 1, tmp_path_factory.mktemp("steps"), has_wasm=request.param)


@pytest.mark.parametrize("name", NAMES)
def test_the_steps_are_those_of_python(name: str, few_steps: dict[str, Any]) -> None:
    assert_the_same_steps(name, 1, few_steps[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("has_wasm", WAYS)
def test_many_steps_are_those_of_python(name: str, has_wasm: bool, tmp_path: Path) -> None:
    assert_the_same_steps(name, 100, steps_in_node([name], 100, tmp_path, has_wasm=has_wasm)[name])


@pytest.mark.compiler
def test_the_page_is_small_with_webassembly(explorer_page: Path) -> None:
    assert explorer_page.stat().st_size < 700_000


def test_the_page_is_drawn_before_its_programs(explorer_page: Path) -> None:
    text = explorer_page.read_text(encoding="utf-8")
    assert text.index('id="program-') < 300_000
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in text


def test_the_command(explorer_page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    text = explorer_page.read_text(encoding="utf-8")
    monkeypatch.setattr("rookery.explain.explorer.explorer", lambda: text)  # to make another one takes seconds
    monkeypatch.setattr("webbrowser.open", opened.append)
    printed = document("explore", "hyperbola", "e5", "--fen", "8/8/8/8/8/8/8/8", "--out", str(tmp_path / "a b.html"))
    assert opened == [printed["address"]]
    assert printed["address"].endswith("a%20b.html#technique=hyperbola&square=e5&fen=8%2F8%2F8%2F8%2F8%2F8%2F8%2F8")
    assert (tmp_path / "a b.html").read_text(encoding="utf-8") == text
    assert (tmp_path / "a b.html").stat().st_size == printed["bytes"]
    run("explore", "--no-open", "--out", str(tmp_path / "b.html"))
    assert len(opened) == 1
    assert "did you mean" in run("explore", "magic", status=2).stderr
