"""The figure of subtraction: its digits and its attacks, for every file occupancy and slider, by Python's integers."""

from typing import Any

import rookery
from rookery import Bitboard

FILE = [8 * rank + 3 for rank in range(8)]


ROWS = """() => Object.fromEntries([...document.querySelectorAll('.sum')].map(row => [
    row.querySelector('code').textContent,
    [...row.querySelectorAll('.cell')].map(c => c.textContent || ' ').join('')]))"""


def row(page: Any, label: str) -> str:
    """The digits of a row, the highest first."""
    return str(page.evaluate(ROWS)[label])


def attacks(slider: int, blockers: set[int]) -> str:
    occupied = Bitboard.from_squares(FILE[rank] for rank in {slider, *blockers})
    found = rookery.rook_attacks(FILE[slider], occupied)
    return "".join(str(int(FILE[rank] in found)) for rank in reversed(range(8)))


def check(page: Any, slider: int, blockers: set[int]) -> None:
    check_rows(page.evaluate(ROWS), slider, blockers)


def check_rows(rows: dict[str, str], slider: int, blockers: set[int]) -> None:
    o, s = sum(1 << rank for rank in {slider, *blockers}), 1 << slider
    assert rows["o"] == f"{o:08b}"
    assert rows["o - 2s"] == f"{(o - 2 * s) & 0xFF:08b}"
    assert rows["o ^ (o - 2s)"] == f"{(o ^ (o - 2 * s)) & 0xFF:08b}"
    turned, turned_s = (int(f"{word:08b}"[::-1], 2) for word in (o, s))
    assert rows["o' - 2s'"] == f"{(turned - 2 * turned_s) & 0xFF:08b}"
    assert rows["attacks"] == attacks(slider, blockers)


def test_every_slider_and_occupancy(figure: Any) -> None:
    page = figure("subtraction")
    cases = [(slider, others & ~(1 << slider)) for slider in range(8) for others in range(0, 256, 5)]
    seen = page.evaluate(
        "cases => { const f = document.querySelector('[data-figure]').figure; const rows = " + ROWS + ";"
        " return cases.map(([slider, blockers]) => { f.slider = slider; f.blockers = blockers; f.draw();"
        " return rows(); }); }",
        cases,
    )
    for (slider, blockers), rows in zip(cases, seen, strict=True):
        check_rows(rows, slider, {rank for rank in range(8) if blockers >> rank & 1})


def test_by_mouse(figure: Any) -> None:
    page = figure("subtraction")
    check(page, 3, {1, 5, 6})
    page.click('[data-square="d6"]')
    page.click('[data-square="d8"]')
    check(page, 3, {1, 6, 7})
    page.click("text=Rook down")
    check(page, 2, {1, 6, 7})
    page.hover('[data-square="d7"]')
    assert page.locator(".cell.lit").count() == 13  # in each row, and its name above each half
    page.click('[data-square="e4"]', force=True)  # not on the file
    check(page, 2, {1, 6, 7})


def test_digits_appear_one_by_one(figure: Any) -> None:
    page = figure("subtraction")
    page.click("button:text('Next digit')")
    assert row(page, "o - 2s") == " " * 8
    for count in range(1, 9):
        page.click("button:text('Next digit')")
        assert row(page, "o - 2s") == f"{0b1101010 - 16:08b}"[8 - count :].rjust(8)
    assert row(page, "o ^ (o - 2s)") == " " * 8
    page.click("button:text-is('Back')")
    assert row(page, "o - 2s")[0] == " "


def test_by_keyboard_and_touch(figure: Any) -> None:
    page = figure("subtraction", width=390)
    page.focus('.square[tabindex="0"]')
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    check(page, 3, {1, 4, 5, 6})
    page.focus("input[type=range]")
    page.keyboard.press("Home")
    assert row(page, "o - 2s") == " " * 8
    page.keyboard.press("ArrowRight")
    assert row(page, "o - 2s") == " " * 7 + "0"
    page = figure("subtraction", width=390, touch=True)
    page.tap('[data-square="d1"]')
    page.tap("text=Rook up")
    check(page, 4, {0, 1, 5, 6})
