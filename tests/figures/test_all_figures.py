"""What holds for every figure: its static drawing, the themes, the rules of axe-core, and the width of a phone."""

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from browser import accessibility_faults
from figure_site import image_of, names
from thinning import slow

DRAWN = Path(__file__).parents[2] / "docs" / "figures" / "drawn"
each_figure = pytest.mark.parametrize("name", names())
BOTH = [(390, "dark"), (1280, "light")]
OTHERS = [slow(390, "light"), slow(1280, "dark")]


def show_all(figure: Any, width: int = 1280, scheme: str = "light") -> Any:
    """Open the page with every figure, all of them live."""
    page = figure("all", width=width, scheme=scheme)
    for name in names():
        page.locator(f".figure.{name}").scroll_into_view_if_needed()
        page.wait_for_selector(f".figure.{name} .live")
    return page


@pytest.mark.parametrize(("width", "scheme"), [*BOTH, *OTHERS])
def test_the_rules_of_axe(figure: Any, width: int, scheme: str) -> None:
    page = show_all(figure, width, scheme)
    assert accessibility_faults(page, ".figure") == []
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width


def test_without_scripts_the_drawings_stand(figure: Any) -> None:
    page = figure("all", script=False)
    for name in names():
        assert page.locator(f".figure.{name} svg[role=img] > title").count() == 1, name


def test_the_theme_switch_changes_the_colours(figure: Any) -> None:
    page = show_all(figure)
    papers = "all => all.map((one) => getComputedStyle(one).backgroundColor)"
    found = {}
    for system in ("light", "dark"):
        page.emulate_media(color_scheme=system)
        for theme in ("light", "dark", "auto"):
            page.evaluate("(theme) => { document.body.dataset.theme = theme; }", theme)
            found[system, theme] = page.locator(".figure").evaluate_all(papers)
    light, dark = found["light", "light"], found["light", "dark"]
    assert len(light) == len(names())
    assert all(map(str.__ne__, light, dark))
    assert light == found["light", "auto"] == found["dark", "light"]
    assert dark == found["dark", "auto"] == found["dark", "dark"]


def test_boards_are_walked_by_arrow_keys(figure: Any) -> None:
    page = show_all(figure)
    walked = 0
    for name in names():
        squares = page.locator(f'.figure.{name} .board .square[tabindex="0"]')
        if squares.count() == 0:
            continue
        squares.first.focus()
        focused = "() => document.activeElement.dataset.square"
        start = page.evaluate(focused)
        key = "ArrowUp" if start[1] < "8" else "ArrowDown"
        page.keyboard.press(key)
        assert page.evaluate(focused) == start[0] + chr(ord(start[1]) + (1 if key == "ArrowUp" else -1)), name
        assert page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle") != "none", name
        walked += 1
    assert walked > len(names()) / 2


@each_figure
def test_a_drawing_says_what_it_shows_and_brings_both_palettes(name: str) -> None:
    text = (DRAWN / f"{name}.svg").read_text(encoding="utf-8")
    title = ElementTree.fromstring(text).findtext("{http://www.w3.org/2000/svg}title")
    assert title is not None
    assert len(title) > 40
    assert "prefers-color-scheme: dark" in text
    used = set(re.findall(r"var\((--[\w-]+)\)", text))
    assert used <= set(re.findall(r"(--[\w-]+):", text))


@each_figure
def test_the_image_has_words(name: str) -> None:
    found = re.match(r"!\[(.{40,}?)\]", image_of(name))
    assert found, name


def test_squares_are_large_enough_for_fingers(figure: Any) -> None:
    """On a phone; those that cannot be pressed may be smaller."""
    page = show_all(figure, 390)
    sizes = """all => all.filter((one) => one.getAttribute("aria-disabled") !== "true")
        .map((one) => [one.closest(".figure").className, one.getBoundingClientRect().width])"""
    found = page.locator(".figure .board button.square").evaluate_all(sizes)
    assert len(found) > 300
    assert [(name, width) for name, width in found if width < 24] == []


def test_black_pieces_are_black_on_dark_pages(figure: Any) -> None:
    """They are darker than their squares, and so are their edges."""
    page = show_all(figure, scheme="dark")
    shades = """(piece) => [getComputedStyle(piece).fill, getComputedStyle(piece).stroke,
        getComputedStyle(piece.closest(".square")).backgroundColor]"""
    pieces = page.locator(".board .piece.black").all()
    assert len(pieces) > 3
    for piece in pieces:
        fill, edge, square = (sum(map(int, re.findall(r"\d+", shade)[:3])) for shade in piece.evaluate(shades))
        assert max(fill, edge) < 150 < 400 < square


def test_what_is_attacked_has_not_the_colour_of_what_is_right(figure: Any) -> None:
    page = show_all(figure)
    colours = "(root) => ['--attacked', '--good', '--bad'].map((name) => getComputedStyle(root).getPropertyValue(name))"
    assert len(set(page.locator(".figure").first.evaluate(colours))) == 3
    for name in ("collisions", "pins", "rotation", "steps", "subtraction"):
        legend = page.locator(f".figure.{name} .legend")
        assert legend.get_attribute("aria-label") == "Legend"
        assert legend.locator(".swatch").count() == legend.locator("li").count() > 1
    assert "attacked" in page.locator(".figure.rotation .legend").inner_text()
