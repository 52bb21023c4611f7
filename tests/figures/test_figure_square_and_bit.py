"""The figure of a square and its bit: its number is the library's, in all eight mappings."""

from typing import Any

import rookery
from rookery import Bitboard
from rookery.bitboards.mappings import MAPPINGS

START = Bitboard.of("b4", "d4", "g4", "d6", "f6", "d8")


def number(page: Any) -> int:
    return int(page.text_content(".number"), 16)


def says(page: Any) -> str:
    return str(page.text_content(".says"))


def test_by_mouse(figure: Any) -> None:
    page = figure("square-and-bit")
    assert number(page) == START
    page.click('[data-square="e4"]')
    page.click('[data-square="d4"]')
    chosen = (START | Bitboard.of("e4")) & ~Bitboard.of("d4")
    assert number(page) == chosen
    page.click('[aria-label^="bit 63,"]')
    assert number(page) == chosen | Bitboard.of("h8")
    page.hover('[data-square="c2"]')
    assert says(page).startswith("c2 is bit 10 = 8 · 1 + 2")
    assert page.get_attribute(".digit.lit", "aria-label").startswith("bit 10, c2")
    page.hover('[aria-label^="bit 17,"]')
    assert page.get_attribute(".square.lit", "data-square") == "b3"


def test_by_keyboard(figure: Any) -> None:
    page = figure("square-and-bit", width=390)
    page.focus('[data-square="a1"]')
    for key in ("ArrowUp", "ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowRight", " "):
        page.keyboard.press(key)
    assert number(page) == START | Bitboard.of("b2")
    page.keyboard.press("Tab")  # to the digits, on bit 63
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert number(page) == (START | Bitboard.of("b2")) ^ Bitboard.of("g7")


def test_mappings(figure: Any) -> None:
    page = figure("square-and-bit")
    for name in MAPPINGS:
        page.select_option("select", name)
        assert number(page) == rookery.convert_board(int(START), "rank-little-little", name), name
        page.hover('[data-square="e1"]')
        assert f"e1 is bit {rookery.convert_square(4, 'rank-little-little', name)}" in says(page)
        page.hover('[data-square="a8"]')


def test_by_touch(figure: Any) -> None:
    page = figure("square-and-bit", width=390, touch=True, scheme="dark")
    page.tap('[data-square="h8"]')
    page.tap('[aria-label^="bit 0,"]')
    assert number(page) == START | Bitboard.of("h8", "a1")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
