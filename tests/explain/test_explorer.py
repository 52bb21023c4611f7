"""The explorer: its steps beside Python's, under Node; and the page in a browser, from a file, without a network."""

import itertools
import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest

import rookery
from browser import Page, browser
from command_line import document, run
from rookery.explain import explain
from rookery.explain.explorer import explorer, text_of
from rookery.explain.explorer.programs import program_for_page
from rookery.explain.run import Step
from rookery.techniques import ALL

PIECES = ("rook", "bishop", "queen")
SCRIPT = """
import { readFileSync } from "node:fs";
import { tables } from "./module.mjs";
const program = JSON.parse(readFileSync("program.json"));
const cases = JSON.parse(readFileSync("cases.json"));
const told = cases.map(([square, occupied]) => ["rook", "bishop", "queen"].map((piece) =>
    explained(program, tables, piece, square, BigInt(occupied)).steps));
console.log(JSON.stringify(told, (name, value) => typeof value === "bigint" ? String(value) : value));
"""


def in_python(step: Step) -> tuple[Any, ...]:
    parts = [(p.value, p.kind, p.text, p.marked, p.table, p.slot, p.slots) for p in step.parts]
    told = (step.what, step.value, step.kind, step.sentence, step.code, step.function, step.module, step.line)
    return (*told, step.depth, step.round, parts)


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
    told = [int(step[name]) if name == "word" else step[name] for name in names]
    return (*told, parts)


def assert_the_same_steps(name: str, number: int, folder: Path) -> None:
    if not shutil.which("node"):
        pytest.skip("no node here")
    technique = rookery.technique(name)
    program = program_for_page(technique)
    rng = np.random.default_rng(len(name))
    boards = rng.integers(0, 2**64, number, dtype=np.uint64) & rng.integers(0, 2**64, number, dtype=np.uint64)
    cases = list(zip(rng.integers(0, 64, number).tolist(), boards.tolist(), strict=True))
    cases += [(0, 0), (63, 2**64 - 1)]
    (folder / "module.mjs").write_text(program.pop("module"), encoding="utf-8")
    (folder / "program.json").write_text(json.dumps(program), encoding="utf-8")
    (folder / "cases.json").write_text(json.dumps([[sq, str(board)] for sq, board in cases]), encoding="utf-8")
    (folder / "run.mjs").write_text(text_of("steps.js") + SCRIPT, encoding="utf-8")
    done = subprocess.run(["node", "run.mjs"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for (sq, board), told in zip(cases, json.loads(done.stdout), strict=True):
        for piece, steps in zip(PIECES, told, strict=True):
            expected = explain(technique, piece, sq, board).steps
            assert list(map(in_the_page, steps)) == list(map(in_python, expected)), (piece, sq, hex(board))


@pytest.mark.parametrize("name", [t.name for t in ALL])
def test_the_steps_are_those_of_python(name: str, tmp_path: Path) -> None:
    assert_the_same_steps(name, 3, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", [t.name for t in ALL])
def test_many_steps_are_those_of_python(name: str, tmp_path: Path) -> None:
    assert_the_same_steps(name, 100, tmp_path)


def test_the_page_is_drawn_before_its_programs() -> None:
    text = explorer()
    assert text.index('id="program-') < 300_000
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in text


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    told = document("explore", "hyperbola", "e5", "--fen", "8/8/8/8/8/8/8/8", "--out", str(tmp_path / "a b.html"))
    assert opened == [told["address"]]
    assert told["address"].endswith("a%20b.html#technique=hyperbola&square=e5&fen=8%2F8%2F8%2F8%2F8%2F8%2F8%2F8")
    assert (tmp_path / "a b.html").stat().st_size == told["bytes"]
    run("explore", "--no-open", "--out", str(tmp_path / "b.html"))
    assert len(opened) == 1
    assert "did you mean" in run("explore", "magic", status=2).stderr


# In a browser.


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("explorer") / "explorer.html"
    path.write_text(explorer(), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browser(tmp_path_factory.mktemp("profile")) as page:
        yield page


@pytest.fixture
def page(opened: Page) -> Iterator[Page]:
    opened.size(1200, 1000)
    yield opened
    assert opened.console() == []


def go(page: Page, file: Path, **state: Any) -> None:
    page.open(f"{file.as_uri()}#{urlencode(state)}")
    page.wait("return document.querySelector('#step h3') !== null")


def answer(page: Page) -> list[str]:
    """The attacked squares, as a screen reader is told."""
    script = """return [...document.querySelectorAll('#board button')].map((b) => b.getAttribute('aria-label'))
        .filter((label) => label.endsWith('attacked')).map((label) => label.slice(0, 2))"""
    return sorted(page.run(script))


@pytest.mark.parametrize(
    "name",
    [
        "rays",
        "classical",
        "hyperbola",
        "dumb7fill",
        "rotated-hyatt-64",
        "kindergarten",
        "magic-fancy",
        "pext",
        "sherwin",
    ],
)
def test_a_technique_is_stepped_through(page: Page, file: Path, name: str) -> None:
    fen = "4k3/8/2p2p2/8/3Q4/8/1p3p2/4K3"
    go(page, file, technique=name, piece="queen", square="d4", fen=fen)
    occupied = rookery.Placement.from_fen(fen).occupied
    told = explain(name, "queen", 27, int(occupied))
    assert answer(page) == sorted(told.attacks.names())
    assert page.text("#count") == f"1 of {len(told.steps)}"
    for i, step in enumerate(told.steps[1:6], 2):
        page.click("#forward")
        assert page.text("#count") == f"{i} of {len(told.steps)}"
        assert page.text("#step h3") == step.code
    page.click("#back")
    assert page.text("#step h3") == told.steps[4].code


def test_a_position_is_set_by_mouse_and_fen_and_shared_by_its_address(page: Page, file: Path) -> None:
    go(page, file, technique="hyperbola", square="d4", fen="8/8/8/8/8/8/8/8")
    assert len(answer(page)) == 14
    page.click('#board button[aria-label^="d6"]')
    page.wait(
        "return !document.querySelector('#board button[aria-label^=d7]').getAttribute('aria-label').includes('att')"
    )
    assert "d6" in answer(page)
    assert "d7" not in answer(page)
    page.click("input[value=piece]")
    page.click('#board button[aria-label^="a1"]')
    page.wait("return location.hash.includes('square=a1')")
    address = page.run("return location.href")
    seen = answer(page)
    page.open(address)
    page.wait("return document.querySelector('#step h3') !== null")
    assert answer(page) == seen
    page.run("document.querySelector('#fen').value = 'R7/8/8/8/8/8/8/8'")
    page.click("#controls button[type=submit]")
    page.wait("return location.hash.includes('fen=R7')")


def test_by_keyboard_only(page: Page, file: Path) -> None:
    go(page, file, technique="magic-fancy", square="d4", fen="8/8/8/8/8/8/8/8")
    page.keys("\ue004")  # Tab: to the board, on the slider's square
    assert page.run("return document.activeElement.getAttribute('aria-label')").startswith("d4")
    page.keys("\ue013\ue013 ")  # Up, up, Space
    page.wait("return location.hash.includes('3p4')")
    assert "d6" in answer(page)
    assert "d7" not in answer(page)
    page.keys("\ue014s")  # Right, S
    page.wait("return location.hash.includes('square=e6')")
    focus = "return document.activeElement.getAttribute('aria-label')"
    assert page.run(focus).startswith("e6, white rook")


@pytest.mark.parametrize("name", ["rotated-hyatt-64", "rotated-heinz", "rotated-compact"])
def test_the_line_is_marked_on_a_turned_board(page: Page, file: Path, name: str) -> None:
    """The squares of the diagonal through d4 lie side by side there, in one row or running over into the next."""
    go(page, file, technique=name, piece="bishop", square="d4", fen="8/8/8/8/8/8/8/8")
    count = len(explain(name, "bishop", 27, 0).steps)
    for _ in range(count):
        if page.run("return document.querySelector('#step').textContent.includes('o_r45')"):
            break
        page.click("#forward")
    marked = """const rects = [...document.querySelector('#step figure svg').querySelectorAll('rect.line')];
        return rects.map((r) => 8 * (70 - Number(r.getAttribute('y'))) / 10 + Number(r.getAttribute('x')) / 10)"""
    bits = sorted(page.run(marked))
    assert bits == list(range(bits[0], bits[0] + 8))  # a1 to h8


def test_a_magic_is_broken(page: Page, file: Path) -> None:
    go(page, file, technique="magic-fancy", square="d4")
    assert page.text("#verdict").startswith("This factor works: 1,024 relevant occupancies")
    assert page.run("return document.querySelectorAll('#clash figure').length") == 0
    page.run("document.querySelector('#factor').value = '0x0000000000000001'")
    page.click("#factor-form button[type=submit]")
    page.wait("return document.querySelector('#verdict').className === 'bad'")
    assert page.text("#verdict").startswith("This factor fails: two occupancies that see different squares")
    assert page.run("return document.querySelectorAll('#clash figure').length") == 2
    assert "factor=0x0000000000000001" in page.run("return location.hash")
    page.click("#own-factor")
    page.wait("return document.querySelector('#verdict').className === 'good'")


def test_all_techniques_agree(page: Page, file: Path) -> None:
    go(page, file, technique="rays", square="d4", piece="queen")
    page.click("#compare")
    page.wait("return document.querySelectorAll('#comparison tbody tr').length === arguments[0]", len(ALL), seconds=120)
    cells = page.run(
        "return [...document.querySelectorAll('#comparison td:last-child')].map((cell) => cell.textContent)"
    )
    assert set(cells) == {"agrees"}


def test_a_changed_square_shows_at_once(page: Page, file: Path) -> None:
    """No time is asserted; the page does it without a pause in which nothing is drawn."""
    go(page, file, technique="dumb7fill", square="d4", piece="queen", fen="8/8/8/8/8/8/8/8")
    page.run("document.querySelector('#board button[aria-label^=d5]').click()")
    page.wait("return location.hash.includes('3p4')", seconds=5)
    assert "d6" not in answer(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone(page: Page, file: Path, scheme: str, tmp_path: Path) -> None:
    page.size(360, 780)
    page.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    go(page, file, technique="magic-fancy", square="d4", step=7)
    assert page.run("return document.documentElement.scrollWidth") <= 360
    ink, paper = page.run("const s = getComputedStyle(document.body); return [s.color, s.backgroundColor]")
    assert ink != paper
    page.picture(tmp_path / "phone.png")
    assert (tmp_path / "phone.png").stat().st_size > 10_000


HOSTILE = [
    '"><img src=x onerror=window.hit=1>',
    "8/8/8/8/8/8/8/<script>window.hit=1</script>",
    "' + alert(1) + '",
    "9" * 999,
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_only_text(page: Page, file: Path, text: str) -> None:
    go(page, file, technique=text, square=text, fen=text, mapping=text, factor=text, step=text)
    assert page.text("#message").startswith("Address: ")
    page.run("document.querySelector('#fen').value = arguments[0]", text)
    page.click("#controls button[type=submit]")
    page.wait("return document.querySelector('#message').textContent.startsWith('FEN')")
    page.run("document.querySelector('#factor').value = arguments[0]", text)
    page.run("document.querySelector('#factor-form').requestSubmit()")
    page.wait("return document.querySelector('#message').textContent.startsWith('Factor')")
    assert page.run("return window.hit === undefined && document.images.length === 0")
    assert len(answer(page)) == 6  # the position before, which no fault has touched


def test_names_for_those_who_do_not_see(page: Page, file: Path) -> None:
    """What axe-core would ask first: every control and picture has a name, headings go down step by step."""
    go(page, file, technique="magic-fancy", square="d4", step=7)
    nameless = page.run(
        """const kinds = 'button, input, select, svg[role=img], [role=grid], [role=region]';
            return [...document.querySelectorAll(kinds)].filter((e) =>
             !(e.textContent.trim() || e.getAttribute('aria-label') || e.getAttribute('aria-labelledby')
                || e.labels?.length)).map((e) => e.outerHTML.slice(0, 80))"""
    )
    assert nameless == []
    levels = page.run("return [...document.querySelectorAll('h1, h2, h3')].map((h) => Number(h.tagName[1]))")
    assert levels[0] == 1
    assert all(b - a <= 1 for a, b in itertools.pairwise(levels))
    assert page.run("return document.documentElement.lang") == "en"
