"""The figure of set operations: its results are those of Python's sets."""

from collections.abc import Callable
from typing import Any

import pytest

from rookery import Bitboard
from rookery.bitboards.squares import SQUARE_NAMES

A, B = {"c3", "d4", "e5"}, {"d4", "e5", "f6"}
OPERATIONS: dict[str, Callable[[set[str], set[str]], set[str]]] = {
    "a & b": lambda a, b: a & b,
    "a | b": lambda a, b: a | b,
    "a ^ b": lambda a, b: a ^ b,
    "a & ~b": lambda a, b: a - b,
    "~a": lambda a, _: set(SQUARE_NAMES) - a,
}


def shown(page: Any, board: str) -> set[str]:
    """The squares with a disc on a board, which must be those of its number."""
    boards = page.locator(".board")
    index = ["a", "b", "result"].index(board)
    names = boards.nth(index).evaluate("b => [...b.querySelectorAll('.square:has(.disc)')].map(s => s.dataset.square)")
    number = int(page.locator(".number").nth(index).text_content(), 16)
    assert set(Bitboard(number).names()) == set(names)
    return set(names)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_by_mouse(figure: Any, operation: str) -> None:
    page = figure("set-operations")
    page.click(f'[data-operation="{operation}"]')
    assert shown(page, "result") == OPERATIONS[operation](A, B)
    page.locator(".board").nth(0).locator('[data-square="h8"]').click()
    page.locator(".board").nth(1).locator('[data-square="d4"]').click()
    a, b = A | {"h8"}, B - {"d4"}
    assert (shown(page, "a"), shown(page, "b")) == (a, b)
    assert shown(page, "result") == OPERATIONS[operation](a, b)


def test_one_square_lights_on_all_boards(figure: Any) -> None:
    page = figure("set-operations")
    page.locator(".board").nth(2).locator('[data-square="d4"]').hover()
    assert page.locator('.square.lit[data-square="d4"]').count() == 3
    assert page.text_content(".says") == "d4: its bit is 1 in a and 1 in b, and 1 & 1 is 1."


def test_by_keyboard_and_touch(figure: Any) -> None:
    page = figure("set-operations", width=390)
    page.locator(".board").nth(0).locator('[data-square="a1"]').focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert shown(page, "a") == A | {"b1"}
    page = figure("set-operations", width=390, touch=True)
    page.tap('[data-operation="a ^ b"]')
    page.locator(".board").nth(1).locator('[data-square="c3"]').tap()
    assert shown(page, "result") == A ^ (B | {"c3"})
