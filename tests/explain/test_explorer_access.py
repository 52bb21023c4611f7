"""The explorer for those who have no mouse or do not see: keyboard, touch, and the rules of axe-core."""

import itertools
from typing import Any

import pytest

from browser import accessibility_faults
from test_explorer_page import answer, square, wait_for_address
from thinning import slow


def test_by_keyboard_only(visit: Any) -> None:
    page = visit(technique="magic-fancy", square="d4", fen="8/8/8/8/8/8/8/8")
    page.keyboard.press("Tab")  # to the board, on the slider's square
    focused = "() => document.activeElement.getAttribute('aria-label')"
    assert page.evaluate(focused).startswith("d4")
    for key in ("ArrowUp", "ArrowUp", " "):
        page.keyboard.press(key)
    assert "d6" in answer(page)
    assert "d7" not in answer(page)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("s")
    wait_for_address(page, "square=e6")
    assert page.evaluate(focused).startswith("e6, white rook")


def test_every_control_is_reached_by_tab_and_shows_that_it_is(visit: Any) -> None:
    page = visit(technique="magic-fancy", square="d4")
    page.click("#compare")
    page.focus("body")
    seen = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        name, outline = page.evaluate(
            "() => [document.activeElement.id, getComputedStyle(document.activeElement).outlineStyle]"
        )
        seen.add(name)
        if page.evaluate("() => document.activeElement !== document.body"):  # after the last comes the window itself
            assert outline != "none", name
    wanted = "technique piece mapping bits fen clear play forward slider calls source copies factor own-factor"
    assert {"compare", "comparison", *wanted.split()} <= seen


def test_by_touch_only(visit: Any) -> None:
    page = visit(width=360, touch=True, technique="hyperbola", square="d4", fen="8/8/8/8/8/8/8/8", calls=1)
    page.tap(square("d6"))
    assert "d7" not in answer(page)
    page.tap("text=the piece")
    page.tap(square("e6"))
    assert "d6" in answer(page)
    assert "c6" not in answer(page)
    page.tap("#forward")
    assert page.text_content("#count").startswith("2 of")
    page.tap("#play")
    page.wait_for_function("() => document.querySelector('#count').textContent.startsWith('4 of')")


# Axe takes two seconds per page. By default, it sees each width, each scheme and all parts of the page. The slow tests
# try all combinations.
QUICK = {("magic-fixed-shift", 360, "light"), ("rotated-hyatt", 1280, "dark")}
PAGES = itertools.product(("magic-fixed-shift", "rotated-hyatt", "kogge-stone"), (360, 1280), ("light", "dark"))


@pytest.mark.parametrize(
    ("name", "width", "scheme"),
    [pytest.param(*page, marks=[] if page in QUICK else pytest.mark.slow) for page in PAGES],
)
def test_the_rules_of_axe(visit: Any, name: str, width: int, scheme: str) -> None:
    page = visit(width=width, scheme=scheme, technique=name, square="d4", step=7, bits=1)
    if name == "magic-fixed-shift":
        page.fill("#factor", "0x1")
        page.click("#factor-form button[type=submit]")
        page.click("#compare")
    assert accessibility_faults(page) == []


@pytest.mark.parametrize(
    ("name", "step", "scheme"),
    [
        *(("magic-fancy", 7, "light"), ("pext", 6, "dark")),
        *(slow(*rest) for rest in (("magic-fancy", 7, "dark"), ("pext", 6, "light"))),
    ],
)
def test_the_rules_of_axe_in_a_frame_on_a_phone(visit: Any, name: str, step: int, scheme: str) -> None:
    page = visit(width=360, scheme=scheme, technique=name, square="d4", step=step, embed=1)
    assert accessibility_faults(page) == []
    page.focus("summary")
    page.keyboard.press("Enter")
    assert page.is_visible("#fen")
    assert accessibility_faults(page) == []


def test_the_rules_find_the_faults_of_a_page(visit: Any) -> None:
    """The check that finds nothing above finds what is wrong here."""
    page = visit(technique="rays")
    page.evaluate("() => { document.querySelector('#slider').removeAttribute('aria-label'); document.title = ''; }")
    found = " ".join(accessibility_faults(page))
    assert "label" in found
    assert "document-title" in found
