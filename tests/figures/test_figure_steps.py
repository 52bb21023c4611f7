"""The figure of shifts: its steps are those of coordinates, computed here without words."""

from typing import Any

import pytest

from rookery import Bitboard
from rookery.bitboards.squares import SQUARE_NAMES

START = {"a2", "b2", "d3", "h2", "e8", "h6"}
STEPS = {0: (0, 1), 1: (1, 1), 2: (1, 0), 3: (1, -1), 4: (0, -1), 5: (-1, -1), 6: (-1, 0), 7: (-1, 1)}


def moved(squares: set[str], direction: int) -> set[str]:
    """The squares that stay on the board after a step."""
    df, dr = STEPS[direction]
    found = {chr(ord(name[0]) + df) + str(int(name[1]) + dr) for name in squares}
    return found & set(SQUARE_NAMES)


def shifted(squares: set[str], direction: int) -> set[str]:
    """The squares after the shift alone: numbers, from 0 to 63."""
    df, dr = STEPS[direction]
    numbers = (SQUARE_NAMES.index(name) + df + 8 * dr for name in squares)
    return {SQUARE_NAMES[n] for n in numbers if 0 <= n < 64}


def result(page: Any) -> set[str]:
    return set(Bitboard(int(page.locator(".number").nth(1).text_content(), 16)).names())


def red(page: Any) -> set[str]:
    return set(
        page.evaluate("""() => [...document.querySelectorAll('.square')].filter(s =>
        s.style.getPropertyValue('--colour') === 'var(--bad)').map(s => s.dataset.square)""")
    )


@pytest.mark.parametrize("direction", STEPS)
def test_by_mouse(figure: Any, direction: int) -> None:
    page = figure("steps")
    page.click(f'[data-direction="{direction}"]')
    right, all_bits = moved(START, direction), shifted(START, direction)
    assert result(page) == all_bits
    assert red(page) == all_bits - right
    if direction % 4:
        page.check(".mask input")
        assert result(page) == right
        assert red(page) == set()
    page.click("text=Go on from the result")
    assert result(page) == moved(right, direction)


def test_a_bit_is_followed(figure: Any) -> None:
    page = figure("steps")
    page.locator(".board").nth(0).locator('[data-square="h2"]').hover()
    assert page.locator(".board").nth(1).locator(".lit").get_attribute("data-square") == "a3"
    assert "the bit wraps" in page.text_content(".says")
    page.click('[data-direction="0"]')
    page.locator(".board").nth(0).locator('[data-square="e8"]').hover()
    assert "shifted out" in page.text_content(".says")


def test_by_keyboard_and_touch(figure: Any) -> None:
    page = figure("steps", width=390)
    page.focus('[data-direction="6"]')
    page.keyboard.press("Enter")
    page.focus(".mask input")
    page.keyboard.press("Space")
    assert result(page) == moved(START, 6)
    page = figure("steps", width=390, touch=True)
    page.locator(".board").nth(0).locator('[data-square="h8"]').tap()
    assert red(page) == {"a3", "a7"}
    assert result(page) == shifted(START | {"h8"}, 2)
