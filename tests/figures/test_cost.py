"""The figure of what loops cost: both sides give the library's answers, and it measures in a browser."""

from typing import Any

import pytest

import rookery
from browser import accessibility_faults
from thinning import slow

NAMES = ["loop over 64 cells", "rays", "classical", "kogge-stone", "hyperbola", "kindergarten", "magic-fancy", "pext"]
CHANGES = 1024
STARTING = (9, 13, 18, 21, 27, 30, 36, 41, 46, 51, 54, 60)


def signed(number: int) -> int:
    return (number + (1 << 31)) % (1 << 32) - (1 << 31)


def expected() -> int:
    """The sum over one pass, with the library's answers."""
    occupied, word, total = sum(1 << square for square in STARTING), 88172645, 0
    for _ in range(CHANGES):
        drawn = []
        for _ in range(2):
            word ^= word << 13 & 0xFFFFFFFF
            word ^= word >> 17
            word ^= word << 5 & 0xFFFFFFFF
            drawn.append(word >> 26)
        changed, square = drawn
        occupied ^= 1 << changed
        attacks = int(rookery.queen_attacks(square, occupied))
        total = signed(31 * total + attacks % (1 << 32) + 7 * (attacks >> 32))
    return total


def test_both_sides_give_the_answers_of_the_library(figure: Any) -> None:
    page = figure("cost")
    answers = page.evaluate("""async () => {
        const folder = new URL("_static/figures/", document.baseURI);
        const { MOVES, POSITION, lookedUp, tried, walked } = await import(new URL("cost.js", folder));
        const names = ["rays", "classical", "kogge-stone", "hyperbola", "kindergarten", "magic-fancy", "pext"];
        const rookery = await (await import(new URL("rookery.mjs", folder))).load();
        return [MOVES, tried(POSITION)(1), POSITION, walked()(1), ...names.map((name) => lookedUp(rookery, name)(1))];
    }""")
    stated, moves, fen, *totals = answers
    assert stated == moves == len(list(rookery.Board(f"{fen} w - - 0 1").legal_moves))
    assert totals == [expected()] * len(NAMES)


@pytest.mark.parametrize(
    ("width", "scheme"),
    [
        *((390, "dark"), (1280, "light")),
        *(slow(*rest) for rest in ((390, "light"), (1280, "dark"))),
    ],
)
def test_it_measures_when_asked(figure: Any, width: int, scheme: str) -> None:
    page = figure("cost", width=width, scheme=scheme)
    assert "Press the button" in page.text_content(".says")
    page.focus("text=Measure in this browser")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Measure again")
    assert page.eval_on_selector_all(".times tbody th", "cells => cells.map((cell) => cell.textContent)") == [
        *NAMES[:-1],
        "pext, emulated",
    ]
    assert "WebAssembly has no PEXT: it is emulated here." in page.text_content(".says")
    times = page.evaluate("document.querySelector('[data-figure]').figure.times")
    assert list(times) == NAMES
    assert all(time > 0 for time in times.values())
    assert "All answers agree." in page.text_content(".says")
    assert "Perft with each idea" in page.text_content(".figure svg title")  # the record stays beside the measurement
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert accessibility_faults(page, ".figure") == []


def test_a_chapter_measures_its_technique_and_those_before_it(figure: Any) -> None:
    page = figure("cost")
    times = page.evaluate("""async () => {
        const root = document.createElement("div");
        document.querySelector(".figure").append(root);
        const { mount } = await import(new URL("_static/figures/cost.js", document.baseURI));
        const measured = mount(root, "hyperbola");
        await measured.measure();
        return [measured.times, measured.says.textContent];
    }""")
    assert list(times[0]) == NAMES[: NAMES.index("hyperbola") + 1]
    assert times[1].startswith("In this browser, hyperbola takes ")
    assert "All answers agree. The fastest of these is" in times[1]
