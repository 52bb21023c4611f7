"""The explorer's ideas and formulas in a browser, the piece that is dragged, and parts that stand alone."""

from typing import Any

import pytest

import rookery
from rookery.explain import explain
from rookery.explain.drawing import told_ideas
from rookery.techniques import ALL
from test_explorer_page import answer, square, wait_for_address
from thinning import slow

PIECES = ("rook", "bishop", "queen")
# Each idea of the player: its sentence, and the words on its boards.
IDEAS = """() => {
    const text = (one) => one.textContent;
    for (const found = []; ; document.getElementById("forward").click()) {
        const words = [...document.querySelectorAll("#step-boards figcaption .word")].map(text);
        found.push([text(document.querySelector("#step h3")), words]);
        const [at, of] = text(document.getElementById("count")).split(" of ");
        if (at !== String(found.length) || at === of) {
            return found;
        }
    }
}"""


# Each technique with one of the pieces, in turns; the slow tests try the others.
@pytest.mark.parametrize("turn", [0, *(slow(turn) for turn in (1, 2))])
def test_techniques_are_told_in_few_ideas(visit: Any, turn: int) -> None:
    """Each board of the last idea is the library's answer, and what each idea says is what Python says."""
    fen = "4k3/8/2p2p2/8/3Q4/8/1p3p2/4K3"
    occupied = int(rookery.Placement.from_fen(fen).occupied)
    page = visit(technique=ALL[-1].name, square="d4", fen=fen)
    for i, technique in enumerate(ALL):
        name, piece = technique.name, PIECES[(i + turn) % 3]
        printed = explain(name, piece, 27, occupied)
        ideas = list(told_ideas(printed))
        page.select_option("#piece", piece)
        page.select_option("#technique", name)  # to its first idea
        page.wait_for_function(
            """(name) => document.getElementById("about").textContent.startsWith(`${name}: `)
                && document.getElementById("count").textContent.startsWith("1 of ")""",
            arg=name,
        )
        shown = page.evaluate(IDEAS)
        assert [sentence for sentence, _ in shown] == [told.sentence for told in ideas], name
        for (_, words), told in zip(shown, ideas, strict=True):
            rows = [s.step.rows for s in told.steps]
            boards = [
                s.step.value if item == -1 else s.step.parts[item].value
                for s, own in zip(told.steps, rows, strict=True)
                for row in own
                for item in row
                if not isinstance(item, str) and (s.step.kind if item == -1 else s.step.parts[item].kind) == "board"
            ]
            assert [int(word, 16) for word in words] == boards, (name, told.sentence)
        assert int(words[-1], 16) == printed.attacks, name


def test_every_call_is_opened_and_closed_at_the_same_step(visit: Any) -> None:
    page = visit(technique="magic-fancy", square="d4", fen="8/8/3p4/8/3R4/8/8/8", step=7)
    assert page.text_content("#count") == "3 of 5"
    assert "return (o * magic) >> shift" in page.text_content("#step-boards .line")
    page.check("#calls")
    assert page.text_content("#count") == "7 of 10"
    assert page.text_content("#step h3") == "return (o * magic) >> shift"
    wait_for_address(page, "calls=1")
    page.uncheck("#calls")
    assert page.text_content("#count") == "3 of 5"


def test_a_formula_stands_from_left_to_right(visit: Any) -> None:
    page = visit(technique="hyperbola", square="d4", fen="8/3p4/8/8/3R4/8/8/8", step=12, calls=1)
    formulas = page.locator("#step-boards .formula")
    items = ":scope > :not(.term), :scope > .term > *"
    texts = [[item.text_content() for item in formulas.nth(i).locator(items).all()] for i in range(4)]
    assert [texts[0][i][:1] for i in (1, 3)] == ["\N{MINUS SIGN}", "="]
    assert formulas.nth(0).locator("figcaption code:first-child").all_text_contents() == ["o", "r", "o - r"]
    assert formulas.nth(3).locator("figcaption code:first-child").all_text_contents()[1:] == ["m", "the answer"]
    boxes = [item.bounding_box()["x"] for item in formulas.nth(0).locator(items).all()]
    assert boxes == sorted(boxes)
    frames = [frame.get_attribute("y") for frame in formulas.nth(1).locator("rect.chosen").all()]
    assert frames == ["30.5"] * 3  # d5: the board is turned upside down


def test_lines_of_a_formula_break_before_operators(visit: Any) -> None:
    page = visit(technique="hyperbola", piece="bishop", square="d4", fen="7p/8/5p2/8/3B4/8/1p6/8", step=6, width=390)
    tops = """all => all.map((one) => [one, one.nextElementSibling].map((part) => part.getBoundingClientRect().top))"""
    pairs = page.locator(".formula .operator").evaluate_all(tops)
    assert len(pairs) == 8
    assert all(abs(operator - board) < 20 for operator, board in pairs)
    rows = """all => all.map((one) => one.getBoundingClientRect().left)"""
    lefts = page.locator(".formula .operator").evaluate_all(rows)
    assert min(lefts) < 30  # some stand at the beginning of a line
    tied = page.locator("#step-boards .line .tied").all_text_contents()
    assert tied == ["- r", "^ b", "- b", "& m"]


def test_an_embed_shows_the_step_that_it_names(visit: Any) -> None:
    """Also where another branch of the same idea comes later."""
    page = visit(technique="classical", square="d4", fen="3p4/8/3p1p2/8/1P1R2p1/8/8/8", step=16)
    assert "attacks ^= t.rays[direction, s]" in page.text_content("#step-boards .line")
    page = visit(technique="classical", square="d4", fen="3p4/8/3p1p2/8/1P1R2p1/8/8/8", step=7)
    assert "hardware_forward(blocker)" in page.text_content("#step-boards .line")


def test_the_piece_is_dragged(visit: Any) -> None:
    page = visit(technique="hyperbola", square="d4", fen="8/8/8/8/8/8/8/8")
    page.drag_and_drop(square("d4"), square("g6"))
    wait_for_address(page, "square=g6")
    assert "g1" in answer(page)
    assert "fen=8%2F8%2F8%2F8%2F8%2F8%2F8%2F8" in page.url  # no blocker was set


@pytest.mark.parametrize(
    ("panel", "seen"),
    [("position", ""), ("steps", "player"), ("turned", "turned"), ("magic", "magic"), ("comparison", "all")],
)
def test_one_part_stands_alone(visit: Any, panel: str, seen: str) -> None:
    name = "rotated-hyatt" if panel == "turned" else "magic-fancy"
    page = visit(technique=name, square="d4", embed=1, panel=panel)
    assert page.is_visible("#board")
    assert [part for part in ("player", "turned", "magic", "all") if page.is_visible(f"#{part}")] == [seen] * bool(seen)


def test_the_player_stays_in_view(visit: Any) -> None:
    page = visit(width=390, technique="kogge-stone", square="d4", step=6)
    page.locator("#source").scroll_into_view_if_needed()
    box = page.locator("#player .player").bounding_box()
    assert 0 <= box["y"] < 100
    boards = [figure.bounding_box() for figure in page.locator("#step-boards .formula:first-of-type figure").all()]
    assert boards[0]["y"] == boards[1]["y"] or len(boards) < 2


def test_the_theme_of_the_site_is_followed(visit: Any) -> None:
    page = visit(technique="rays", scheme="light")
    paper = "() => getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    page.evaluate("() => { document.documentElement.dataset.theme = 'dark'; }")
    assert page.evaluate(paper) != light
    page.evaluate("() => { document.documentElement.dataset.theme = 'auto'; }")
    assert page.evaluate(paper) == light


def test_another_blocker_leaves_the_reader_at_the_idea(visit: Any) -> None:
    """The loop that turns the boards takes a step more, and the last idea is still the last."""
    page = visit(technique="rotated-compact", piece="queen", square="d4", fen="8/8/8/8/3Q4/8/8/8", step=999)
    sentence, number = page.text_content("#step h3"), page.text_content("#count")
    assert number.split(" of ")[0] == number.split(" of ")[1]
    for _ in range(2):
        page.click(square("d6"))
        assert (page.text_content("#step h3"), page.text_content("#count")) == (sentence, number)


def test_a_blocker_has_one_colour_wherever_it_appears(visit: Any) -> None:
    page = visit(technique="magic-fancy", square="d4", fen="8/3p4/8/8/1p1R2p1/8/3p4/8", step=7)
    colours = "(all) => all.map((one) => getComputedStyle(one).getPropertyValue('--copy'))"
    seen = set()
    for name, bit in (("d2", 11), ("b4", 25), ("g4", 30), ("d7", 51)):
        places = page.locator(f'[data-blocker="{bit}"]')
        assert page.locator(f'#copies tr[data-blocker="{bit}"]').text_content().startswith(f"{name} is bit {bit}")
        assert places.count() >= 4  # on the board, among the steps, in the sum, and where the slot is shared
        found = set(places.evaluate_all(colours))
        assert len(found) == 1
        seen |= found
    assert len(seen) == 4
    page.hover(square("g4"))
    lit = page.locator(".lit").evaluate_all("(all) => [...new Set(all.map((one) => one.dataset.blocker))]")
    assert lit == ["30"]
    page.mouse.move(0, 0)
    assert page.locator(".lit").count() == 0


def test_a_blocker_keeps_its_colour_on_a_board_that_is_turned_over(visit: Any) -> None:
    """The byte swap brings d7 to d2, where no other piece stands."""
    page = visit(technique="hyperbola", square="d4", fen="8/3p4/8/8/3R4/8/8/8", step=12, calls=1)
    turned = page.locator("#step-boards figure", has_text="byteswap(o)").first.locator(".ring")
    assert turned.get_attribute("data-blocker") == "51"
    assert turned.get_attribute("cy") == "65"
