"""The export to WebAssembly: every answer in Node and in two browsers, and positions compared with python-chess."""

import hashlib
import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import pytest

import rookery
from browser import launched, visits
from corpus import EDGES, corpus
from firefox import MARKS, firefox_with
from rookery.board.board import Board
from rookery.explain.export import wasm
from rookery.explain.export.wasm import check_options, wasm_text
from rookery.kernel import webassembly
from rookery.rules.notation.fen import parse_fen
from rookery.techniques import ALL
from wasm_export import of_node, write_export

pytestmark = [pytest.mark.compiler, MARKS]
EACH = 645_888  # answers of a technique: 107,648 occupancies, alone and in a crowd, for three pieces


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The export of a technique whose instructions WebAssembly lacks."""
    folder = tmp_path_factory.mktemp("pext")
    assert write_export(folder, "pext") == EACH
    return folder


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The export of all techniques."""
    folder = tmp_path_factory.mktemp("whole")
    assert write_export(folder) == EACH
    return folder


def test_every_answer_of_a_technique_is_that_of_the_library(small: Path) -> None:
    assert of_node("node.mjs", small) == {"answers": EACH, "techniques": 1, "totals": 6}


@pytest.mark.slow
def test_every_answer_of_every_technique_is_that_of_the_library(whole: Path) -> None:
    assert of_node("node.mjs", whole) == {"answers": EACH * len(ALL), "techniques": len(ALL), "totals": 6}


@pytest.mark.slow
def test_every_answer_is_right_in_chromium(whole: Path) -> None:
    with launched() as browser, visits(browser, whole) as visit:
        page = visit(named="compare.html")
        page.wait_for_function("window.result", timeout=120_000)
        found = json.loads(page.evaluate("window.result"))
        assert (found, visit.faults) == ({"answers": EACH * len(ALL), "techniques": len(ALL), "totals": 6}, [])


@pytest.mark.slow
def test_every_answer_is_right_in_firefox(whole: Path, tmp_path: Path) -> None:
    script = "const [done] = arguments;"
    script += "const look = () => (window.result ? done(window.result) : setTimeout(look, 50)); look();"
    with firefox_with(whole, tmp_path / "gecko.log") as firefox:
        firefox.timeout.script = 120
        firefox.navigate(f"{firefox.address}/compare.html")
        found = json.loads(firefox.execute_async_script(script.replace("window", "window.wrappedJSObject")))
    assert found == {"answers": EACH * len(ALL), "techniques": len(ALL), "totals": 6}


def test_the_self_check_agrees(small: Path) -> None:
    (small / "checked.mjs").write_text(
        'import { load } from "./rookery.mjs"; import { check } from "./selfcheck.mjs";'
        "console.log(JSON.stringify(check(await load())));",
        encoding="utf-8",
    )
    assert of_node("checked.mjs", small) == {"lookUps": EACH, "totals": 6}


def test_the_self_check_finds_a_wrong_answer(small: Path) -> None:
    (small / "wrong.mjs").write_text(
        'import { load } from "./rookery.mjs"; import { check } from "./selfcheck.mjs";'
        "const rookery = await load(); const many = rookery.manyAttacks.bind(rookery);"
        "rookery.manyAttacks = (...given) => { const found = many(...given); found[12345] ^= 1n; return found; };"
        "let said = 'nothing'; try { check(rookery); } catch (error) { said = error.message; }"
        "console.log(JSON.stringify(said));",
        encoding="utf-8",
    )
    assert of_node("wrong.mjs", small).startswith("pext: rook on ")


POSITIONS = """
import { readFileSync } from "node:fs";
import { load, squaresOf } from "./one.mjs";
const rookery = await load();
const answers = JSON.parse(readFileSync("fens.json", "utf8")).map((fen) => {
    try {
        rookery.setPosition(fen);
    } catch (error) {
        return { error: error.message };
    }
    const moves = rookery.legalMoves(), words = rookery.words(), children = [];
    for (const { move, uci } of moves) {
        rookery.setPosition(fen);
        rookery.makeMove(move);
        children.push([uci, rookery.fen()]);
    }
    rookery.setPosition(fen);
    return {
        fen: rookery.fen(), faults: rookery.faults(), children, san: moves.map(({ san }) => san),
        checkers: squaresOf(rookery.checkers()), pinned: squaresOf(rookery.pinned()),
        attacks: [...Array(64).keys()].map((square) => squaresOf(rookery.attacksFrom(square))),
        divide: [...rookery.divide(2)].map(({ uci, nodes }) => [uci, nodes]), perft: rookery.perft(2),
        one: rookery.perft(1), none: rookery.perft(0), us: squaresOf(rookery.attacksOf("us")),
    };
});
console.log(JSON.stringify(answers));
"""


@pytest.fixture(scope="module")
def single(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The export as one file."""
    folder = tmp_path_factory.mktemp("one")
    (folder / "one.mjs").write_text(wasm_text("hyperbola"), encoding="utf-8")
    (folder / "positions.mjs").write_text(POSITIONS, encoding="utf-8")
    return folder


def answers(folder: Path, fens: list[str]) -> list[dict[str, Any]]:
    (folder / "fens.json").write_text(json.dumps(fens), encoding="utf-8")
    found: list[dict[str, Any]] = of_node("positions.mjs", folder)
    return found


def playable() -> Iterator[str]:
    """FENs of positions that a game may reach."""
    for fen in [*EDGES, *(board.fen() for board in corpus(80))]:
        if not is_refused(fen):
            yield fen


def is_refused(fen: str) -> bool:
    try:
        Board(fen, strict=True)
    except ValueError:
        return True
    return False


def test_positions_are_those_of_python_chess(single: Path) -> None:
    fens = [*playable()]
    assert len(fens) > 60
    for fen, found in zip(fens, answers(single, fens), strict=True):
        board = chess.Board(fen, chess960=parse_fen(fen).chess960)
        moves = [*board.legal_moves]
        after = {}
        for move in moves:
            child = board.copy()
            child.push(move)
            after[move.uci()] = child.fen()
        assert dict(found["children"]) == after, fen
        assert (found["fen"], found["faults"]) == (board.fen(), []), fen
        assert sorted(found["san"]) == sorted(board.san(move) for move in moves), fen
        assert found["checkers"] == [*board.checkers()], fen
        own = chess.SquareSet(board.occupied_co[board.turn])
        assert found["pinned"] == [square for square in own if board.is_pinned(board.turn, square)], fen
        assert found["attacks"] == [[*board.attacks(square)] for square in chess.SQUARES], fen
        us = chess.SquareSet()
        for square in chess.SquareSet(board.occupied_co[board.turn]):
            us |= board.attacks(square)
        assert found["us"] == [*us], fen
        counted = {}
        for move in moves:
            board.push(move)
            counted[move.uci()] = board.legal_moves.count()
            board.pop()
        assert dict(found["divide"]) == counted, fen
        assert (found["perft"], found["one"], found["none"]) == (sum(counted.values()), len(moves), 1), fen


def test_faults_are_found_as_by_the_library(single: Path) -> None:
    fens = [*EDGES]
    fens += ["8/8/8/8/8/8/8/8 w - - 0 1", "kk6/8/8/8/8/8/8/K7 w - - 0 1", "k6P/8/8/8/8/8/8/K7 w - - 0 1"]
    for fen, found in zip(fens, answers(single, fens), strict=True):
        assert bool(found["faults"]) == is_refused(fen), fen


def test_texts_that_are_no_fens_are_refused_with_reasons(single: Path) -> None:
    good = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    rng = random.Random(7)
    damaged = [
        "",
        "8/8 w - - 0 1",
        "x" * 300,
        good.replace("w", "x"),
        good.replace("KQ", "KK"),
        good.replace("- 0", "e5 0"),
    ]
    for _ in range(200):
        at = rng.randrange(len(good))
        damaged.append(good[:at] + rng.choice("KQkq/89xe1 -w") + good[at + 1 :])
    for fen, found in zip(damaged, answers(single, damaged), strict=True):
        reason = refusal(fen)
        assert found.get("error", "").split(":")[0] == reason.split(":")[0].split(", rank")[0], fen


def refusal(fen: str) -> str:
    try:
        parse_fen(fen)
    except ValueError as error:
        return str(error)
    return ""


def test_a_missing_linker_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(webassembly, "is_installed", lambda name: False)
    with pytest.raises(ModuleNotFoundError, match="pip install ziglang"):
        webassembly.linker()


def test_a_linker_of_the_system_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}" if name == "wasm-ld-19" else None)
    assert webassembly.linker() == ["/usr/bin/wasm-ld-19"]


def test_options_of_other_exports_are_refused() -> None:
    with pytest.raises(ValueError, match="mapping: 'file-big-big': a WebAssembly module has no mapping"):
        check_options("file-big-big", None, False)
    with pytest.raises(ValueError, match="prefix"):
        check_options("rank-little-little", "x", False)
    with pytest.raises(ValueError, match="technique"):
        wasm.wasm_module("no-such")


def test_only_the_size_that_is_needed() -> None:
    assert len(wasm.wasm_module("hyperbola")) < 250_000
    assert rookery.technique("magic-plain").table_bytes > 10 * len(wasm.wasm_module("magic-plain"))


TABLES = """
import { createHash } from "node:crypto";
import { load } from "./rookery.mjs";
const rookery = await load();
const found = {};
for (const [technique, fields] of Object.entries(JSON.parse(process.env.FIELDS))) {
    for (const [field, bytes] of Object.entries(fields)) {
        const table = new Uint8Array(rookery.table(technique, field, Uint8Array).buffer,
            rookery.table(technique, field, Uint8Array).byteOffset, bytes);
        found[`${technique} ${field}`] = createHash("sha256").update(table).digest("hex");
    }
}
console.log(JSON.stringify(found));
"""


@pytest.mark.slow
def test_every_table_has_the_content_of_the_library(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = {t.name: t.tables()._asdict() for t in ALL}
    sizes = {name: {field: table.nbytes for field, table in fields.items()} for name, fields in tables.items()}
    monkeypatch.setenv("FIELDS", json.dumps(sizes))
    (whole / "tables.mjs").write_text(TABLES, encoding="utf-8")
    expected = {
        f"{name} {field}": hashlib.sha256(table.tobytes()).hexdigest()
        for name, fields in tables.items()
        for field, table in fields.items()
    }
    assert of_node("tables.mjs", whole) == expected
