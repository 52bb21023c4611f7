"""The explorer in a browser, from a file, without a network."""

import base64
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rookery
from browser import visits
from rookery.bitboards.lines import relevant_occupancy
from rookery.explain import explain
from rookery.explain.explorer import explorer
from rookery.techniques import ALL
from thinning import slow

START = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R"


def answer(page: Any) -> list[str]:
    """The attacked squares, as a screen reader is told."""
    script = """() => [...document.querySelectorAll('#board button')].map((b) => b.getAttribute('aria-label'))
        .filter((label) => label.endsWith('attacked')).map((label) => label.slice(0, 2))"""
    return sorted(page.evaluate(script))


def square(name: str) -> str:
    return f'#board button[aria-label^="{name}"]'


def wait_for_address(page: Any, text: str) -> None:
    page.wait_for_function("(text) => location.hash.includes(text)", arg=text)


# `test_explorer.py` compares the steps of all techniques, under Node.
STEPPED = ("rays", "rotated-hyatt-64", "magic-fancy")
OTHERS = ("classical", "hyperbola", "dumb7fill", "kindergarten", "pext", "sherwin")


@pytest.mark.parametrize("name", [*STEPPED, *(slow(name) for name in OTHERS)])
def test_a_technique_is_stepped_through(visit: Any, name: str) -> None:
    fen = "4k3/8/2p2p2/8/3Q4/8/1p3p2/4K3"
    page = visit(technique=name, piece="queen", square="d4", fen=fen, calls=1)
    occupied = rookery.Placement.from_fen(fen).occupied
    printed = explain(name, "queen", 27, int(occupied))
    assert answer(page) == sorted(printed.attacks.names())
    assert page.text_content("#count") == f"1 of {len(printed.steps)}"
    for i, step in enumerate(printed.steps[1:6], 2):
        page.click("#forward")
        assert page.text_content("#count") == f"{i} of {len(printed.steps)}"
        assert page.text_content("#step h3") == step.code
        marked = page.text_content("#source .here")
        assert marked.lstrip("▶ ").startswith(step.code.splitlines()[0].strip())
    page.click("#back")
    assert page.text_content("#step h3") == printed.steps[4].code


def test_the_player_goes_on_by_itself_and_by_keys(visit: Any) -> None:
    page = visit(technique="dumb7fill", square="d4", calls=1)
    page.click("#play")
    page.wait_for_function("() => document.querySelector('#count').textContent.startsWith('3 of')")
    page.click("#play")
    assert page.get_attribute("#play", "aria-pressed") == "false"
    page.focus("#back")
    page.keyboard.press("End")
    last = page.text_content("#count")
    assert last.split(" of ")[0] == last.split(" of ")[1]
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert page.text_content("#count").startswith("2 of")
    page.fill("#slider", "5")
    assert page.text_content("#count").startswith("5 of")
    wait_for_address(page, "step=5")


def test_a_position_is_set_by_mouse_and_fen_and_shared_by_its_address(visit: Any) -> None:
    page = visit(technique="hyperbola", square="d4", fen="8/8/8/8/8/8/8/8")
    assert len(answer(page)) == 14
    page.click(square("d6"))
    assert "d6" in answer(page)
    assert "d7" not in answer(page)
    page.click("input[value=piece]")
    page.click(square("a1"))
    page.check("#bits")
    wait_for_address(page, "bits=1")
    seen, address = answer(page), page.url
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector("#step h3")
    assert answer(page) == seen
    assert page.is_checked("#bits")
    page.fill("#fen", "R7/8/8/8/8/8/8/8")
    page.click("#controls button[type=submit]")
    wait_for_address(page, "fen=R7")


@pytest.mark.parametrize(
    ("mapping", "e1"), [("rank-little-little", 4), ("file-little-little", 32), ("rank-big-big", 59)]
)
def test_each_square_shows_its_bit(visit: Any, mapping: str, e1: int) -> None:
    page = visit(technique="rays", square="d4", mapping=mapping, bits=1)
    assert f"bit {e1}" in page.get_attribute(square("e1"), "aria-label")
    assert page.text_content(f"{square('e1')} .bit") == str(e1)
    assert f"it 4 is {'e1' if e1 == 4 else ''}" in page.text_content("#mapping-text")


def test_a_ray_is_cut_at_the_first_blocker(visit: Any) -> None:
    page = visit(technique="classical", square="d4", fen="3k4/8/3p4/3p4/3R4/8/8/8", step=1, calls=1)
    printed = explain("classical", "rook", 27, int(rookery.Placement.from_fen("3k4/8/3p4/3p4/3R4/8/8/8").occupied))
    numbers = [i for i, step in enumerate(printed.steps, 1) if step.code.startswith("s = ") and step.value == 35]
    page.fill("#slider", str(numbers[0]))
    assert "blocker: d5 d6 d8" in page.text_content("#step-boards")
    assert page.locator("#step-boards rect.found").count() == 1  # d5 is framed
    page.fill("#slider", str(numbers[0] + 1))
    assert page.locator("#step-boards path.taken").count() == 1
    assert page.locator("#step-boards .formula:last-child figure title").last.text_content() == "attacks: d5"


@pytest.mark.compiler
def test_all_techniques_agree(visit: Any) -> None:
    page = visit(technique="rays", square="d4", piece="queen")
    page.click("#compare")
    agree = "(count) => document.querySelectorAll('#comparison td:last-child').length === count"
    page.wait_for_function(agree, arg=len(ALL))
    done = "() => ![...document.querySelectorAll('#comparison td:last-child')].some((c) => c.textContent === '...')"
    page.wait_for_function(done, timeout=120_000)
    assert set(page.locator("#comparison td:last-child").all_text_contents()) == {"agrees"}
    measured = "() => [...document.querySelectorAll('#comparison td:nth-child(6)')].every((c) => c.textContent)"
    page.wait_for_function(measured, timeout=60_000)
    for column, heading in enumerate(page.locator("#comparison thead button").all_text_contents(), 1):
        page.click(f"#comparison th:nth-child({column}) button")
        assert page.get_attribute(f"#comparison th:nth-child({column})", "aria-sort") in ("ascending", "descending")
        cells = page.locator(f"#comparison tbody tr > :nth-child({column})").all_text_contents()
        if column in (2, 3, 4, 5, 6):  # a technique whose speed is not recorded has an empty cell
            numbers: list[Any] = [float(cell.replace(",", "")) for cell in cells if cell]
        else:
            numbers = cells
        assert numbers == sorted(numbers, reverse=heading.startswith("million")), heading
    page.click(square("d6"))  # what was said is true of this position no more
    assert page.locator("#comparison table").count() == 0
    assert "turned anew for each question" in page.text_content("#all p")


# Unpacks the module of the page as the page does, and counts the answers that are not those expected.
COMPARED = """async ([name, squares, boards, expected]) => {
    const bytes = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
    const start = async () => {
        const stream = new Blob([bytes(document.querySelector("#kernels").textContent)]).stream();
        const module = await new Response(stream.pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
        return (await WebAssembly.instantiate(module, {})).instance.exports;
    };
    const code = await (window.code ??= start());
    code[`${name}.fill`]();
    const [at, words] = [bytes(squares), new BigUint64Array(bytes(boards).buffer)];
    const right = new BigUint64Array(bytes(expected).buffer);
    return ["rook", "bishop", "queen"].map((piece, p) => words.reduce((wrong, occupied, i) =>
        wrong + (BigInt.asUintN(64, code[`${name}.${piece}`](at[i], occupied)) !== right[p * words.length + i]), 0));
}"""


def wrong_answers(page: Any, name: str, number: int, seed: int) -> list[int]:
    """How many answers of the page's rook, bishop and queen are not the library's, on boards of every density."""
    rng = np.random.default_rng(seed)
    squares, boards = rng.integers(0, 64, number, dtype=np.uint8), rng.integers(0, 2**64, number, dtype=np.uint64)
    for share in (2, 4, 8):
        boards[::share] &= rng.integers(0, 2**64, len(boards[::share]), dtype=np.uint64)
    expected = np.stack(
        [rookery.technique("rays").ask(piece, squares, boards) for piece in ("rook", "bishop", "queen")]
    )
    words = [base64.b64encode(a.tobytes()).decode() for a in (squares, boards, expected.astype("<u8"))]
    return list(page.evaluate(COMPARED, [name, *words]))


@pytest.mark.compiler
def test_its_answers_are_those_of_the_library(visit: Any) -> None:
    page = visit()
    for t in ALL:
        assert wrong_answers(page, t.name, 300, seed=len(t.name)) == [0, 0, 0], t.name


@pytest.mark.slow
@pytest.mark.compiler
@pytest.mark.parametrize("name", [t.name for t in ALL])
def test_twenty_thousand_answers_of_the_page_are_those_of_the_library(visit: Any, name: str) -> None:
    assert wrong_answers(visit(), name, 20_000, seed=len(name)) == [0, 0, 0]


@pytest.mark.slow
def test_the_page_without_webassembly(tmp_path: Path, chromium: Any) -> None:
    (tmp_path / "explorer.html").write_text(explorer(has_wasm=False), encoding="utf-8")
    with visits(chromium, tmp_path / "explorer.html") as visit:
        page = visit(technique="magic-fancy", square="d4", piece="queen")
        page.wait_for_selector("#step h3")
        page.click("#compare")
        cells = "[...document.querySelectorAll('#comparison td:last-child')]"
        done = f"(count) => {cells}.filter((cell) => cell.textContent === 'agrees').length === count"
        page.wait_for_function(done, arg=len(ALL), timeout=120_000)
        assert page.is_hidden("#here")
        assert visit.faults == []


def test_an_address_that_is_overwritten_at_once_is_followed_all_the_same(visit: Any) -> None:
    """The page writes its own address with a delay, which may fall between a click on a link and the news of it."""
    page = visit(technique="rays", square="d4")
    wait_for_address(page, "technique=rays&piece=rook")
    page.evaluate(
        "() => { const own = location.hash; location.hash = 'technique=pext'; history.replaceState(null, '', own); }"
    )
    wait_for_address(page, "technique=pext")
    assert page.input_value("#technique") == "pext"


def test_embedded_in_another_page(visit: Any) -> None:
    page = visit(technique="magic-fancy", square="d4", embed=1)
    assert not page.is_visible("header")
    assert not page.is_visible("#all")
    assert page.is_visible("#magic")


def test_in_a_frame_on_a_phone_the_steps_come_first(visit: Any) -> None:
    def top(page: Any) -> float:
        return float(page.locator("#player .player").bounding_box()["y"])

    phone = visit(width=360, technique="magic-fancy", square="d4", embed=1)
    assert not phone.is_visible("#technique")
    assert top(phone) < 700
    phone.click("summary")
    assert phone.is_visible("#technique")
    assert visit(width=1280, technique="magic-fancy", embed=1).is_visible("#technique")
    alone = visit(width=360, technique="magic-fancy")
    assert alone.is_visible("#technique")
    assert not alone.is_visible("summary")


def test_no_line_of_the_source_is_cut_where_there_is_room(visit: Any) -> None:
    page = visit(width=1280, technique="magic-folded-2", square="d4", calls=1)  # whose lines are the longest
    wide = "() => (({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(document.querySelector('#source'))"
    for step in range(1, int(page.text_content("#count").split()[-1]) + 1):
        page.fill("#slider", str(step))
        needed, room = page.evaluate(wide)
        assert needed == room, page.text_content("#step h3")
    boards, source = (page.locator(name).bounding_box()["y"] for name in ("#step-boards", "#source"))
    assert boards < source


@pytest.mark.parametrize("piece", ["rook", "bishop"])
@pytest.mark.parametrize("name", ["pext", "pext-pdep16"])
def test_pext_is_drawn_bit_by_bit(visit: Any, name: str, piece: str) -> None:
    fen = "8/8/3p1p2/8/1P1R2p1/8/1p6/8"
    printed = explain(name, piece, 27, int(rookery.Placement.from_fen(fen).occupied))
    step, index = next(
        (i, part.value)
        for i, s in enumerate(printed.steps, 1)
        for part in s.parts
        if part.text == "pext(occupied, mask)"
    )
    page = visit(technique=name, piece=piece, square="d4", fen=fen, step=step, calls=1)
    rows = [row.inner_text().split("\t") for row in page.locator(".gathering tbody tr").all()]
    mask = relevant_occupancy(piece, 27)
    assert [(bit, square) for bit, square, _ in rows] == [(f"bit {i}", s) for i, s in enumerate(mask.names())]
    assert int("".join(digit for _, _, digit in reversed(rows)), 2) == index
    page.click("#back")
    assert page.locator(".gathering").count() == 0


def test_what_cannot_be_read_is_named(visit: Any) -> None:
    page = visit(technique="magic-fancy", square="d4")
    for fen, fault in (
        ("8", 'FEN: "8" has 1 rank, expected 8 with / between them'),
        ("8/8", 'FEN: "8/8" has 2 ranks, expected 8'),
        ("8/8/8/8/8/8/8/k", 'FEN, rank 1: "k" has 1 square, expected 8'),
        ("44p/8/8/8/8/8/8/8", 'FEN, rank 8: "44p" has 9 squares, expected 8'),
    ):
        page.fill("#fen", fen)
        page.click("#controls button[type=submit]")
        assert page.text_content("#message").startswith(fault)
    page.fill("#factor", "")
    page.locator("#factor").press_sequentially("0x12345678123456789")  # no digit is left out silently
    page.click("#factor-form button[type=submit]")
    assert page.text_content("#verdict").startswith('Factor: "0x12345678123456789": expected 0x and 1 to 16')


def test_who_is_named_begins_with_a_capital_and_so_does_the_source(visit: Any) -> None:
    page = visit(technique="rays")
    assert ". Traditional, 1967. As old as chess programs" in page.text_content("#about")


def test_without_scripts_it_says_what_to_do(explorer_visits: Any) -> None:
    page = explorer_visits(script=False)
    assert "rookery explain" in page.inner_text("noscript")


HOSTILE = [
    '"><img src=x onerror=window.hit=1>',
    "8/8/8/8/8/8/8/<script>window.hit=1</script>",
    "' + alert(1) + '",
    "9" * 999,
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_only_text(visit: Any, text: str) -> None:
    names = ("technique", "square", "fen", "mapping", "factor", "step", "piece", "bits", "embed")
    page = visit(**dict.fromkeys(names, text))
    assert page.text_content("#message").startswith("Address: ")
    page.fill("#fen", text[:120])
    page.click("#controls button[type=submit]")
    assert page.text_content("#message").startswith("FEN")
    page.fill("#factor", text[:18])
    page.click("#factor-form button[type=submit]")
    assert page.text_content("#verdict").startswith("Factor")
    assert page.evaluate("() => window.hit === undefined && document.images.length === 0")
    assert len(answer(page)) == 6  # the position before, which no fault has touched


@pytest.mark.parametrize(
    ("width", "scheme"),
    [
        *((360, "light"), (1280, "dark")),
        *(slow(*rest) for rest in ((360, "dark"), (768, "light"), (1280, "light"))),
    ],
)
def test_it_fits(visit: Any, width: int, scheme: str) -> None:
    """Nothing is wider than the window."""
    page = visit(width=width, scheme=scheme)
    for name in ("magic-fancy", "rotated-hyatt", "classical", "kogge-stone"):
        page.evaluate("(name) => { location.hash = `technique=${name}&square=d4&step=7`; }", name)
        page.wait_for_function(
            "(name) => document.querySelector('#about').textContent.startsWith(`${name}: `)", arg=name
        )
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width
