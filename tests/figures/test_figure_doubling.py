"""The figure of Kogge-Stone: its rounds and attacks, by walking squares."""

from pathlib import Path
from typing import Any

from rookery import Bitboard
from rookery.bitboards.squares import SQUARE_NAMES

ROOKS, BLOCKERS = {"b1", "e2", "g6"}, {"b4"}
STEPS = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]


def walked(direction: int, rooks: set[str], blockers: set[str], most: int) -> set[str]:
    """The rooks, and the empty squares that they reach in at most so many steps."""
    df, dr = STEPS[direction]
    found = set(rooks)
    for rook in rooks:
        here = rook
        for _ in range(most):
            here = chr(ord(here[0]) + df) + str(int(here[1]) + dr)
            if here not in SQUARE_NAMES or here in rooks | blockers:
                break
            found.add(here)
    return found


def marked(page: Any, board: int) -> set[str]:
    return set(
        page.locator(".board")
        .nth(board)
        .evaluate("b => [...b.querySelectorAll('.square:has(.disc)')].map(s => s.dataset.square)")
    )


def test_by_mouse(figure: Any) -> None:
    page = figure("doubling")
    for direction, (df, dr) in enumerate(STEPS):
        page.select_option("select", str(direction))
        for board, most in enumerate((0, 1, 3, 7)):
            page.click(f'[data-round="{board}"]')
            assert marked(page, 0) == walked(direction, ROOKS, BLOCKERS, most) - ROOKS, (direction, most)
        page.click('[data-round="4"]')
        filled = walked(direction, ROOKS, BLOCKERS, 7)
        one_more = {chr(ord(name[0]) + df) + str(int(name[1]) + dr) for name in filled}
        assert marked(page, 0) == one_more & set(SQUARE_NAMES), direction


def test_pieces_are_placed(figure: Any) -> None:
    page = figure("doubling", width=390, touch=True)
    g = page.locator(".board").nth(0)
    g.locator('[data-square="d1"]').tap()
    g.locator('[data-square="b4"]').tap()  # a blocker is removed
    page.tap('[data-round="3"]')
    assert marked(page, 0) == walked(0, ROOKS | {"d1"}, set(), 7) - ROOKS - {"d1"}


def test_by_keyboard(figure: Any) -> None:
    page = figure("doubling", width=390)
    page.focus('.square[tabindex="0"]')
    page.keyboard.press("Enter")  # a rook on a1
    page.focus('[data-round="1"]')
    page.keyboard.press("Enter")
    assert marked(page, 0) == walked(0, ROOKS | {"a1"}, BLOCKERS, 1) - ROOKS - {"a1"}


def test_a_new_square_lights_its_source(figure: Any) -> None:
    page = figure("doubling")
    page.click('[data-round="2"]')
    page.locator(".board").nth(0).locator('[data-square="e5"]').hover()
    lit = page.locator(".board").nth(0).evaluate("b => [...b.querySelectorAll('.lit')].map(s => s.dataset.square)")
    assert set(lit) == {"e5", "e3"}
    assert page.text_content(".says") == "e5 is new: g holds e3, 2 back, and all 2 squares on the way are empty."


def test_the_chapter_and_the_figure_have_the_same_p(figure: Any) -> None:
    page = figure("doubling")
    chapter = (Path(__file__).parents[2] / "docs" / "tutorial" / "06-fills.md").read_text(encoding="utf-8")
    lines = chapter.partition("\np1                p2                p4\n")[2].splitlines()[:8]
    for board, step in enumerate((0, 1, 2)):  # p1, p2, p4
        drawn = "\n".join(line[18 * board : 18 * board + 15] for line in lines)
        page.click(f'[data-round="{step}"]')
        assert marked(page, 1) == set(Bitboard.parse(drawn).names()), step
