"""What holds for every figure: its static drawing, the themes, the rules of axe-core, and the width of a phone."""

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from browser import accessibility_faults
from figure_site import image_of, names

DRAWN = Path(__file__).parents[2] / "docs" / "figures" / "drawn"
each_figure = pytest.mark.parametrize("name", names())
BOTH = [(390, "dark"), (1280, "light")]
OTHERS = [pytest.param(390, "light", marks=pytest.mark.slow), pytest.param(1280, "dark", marks=pytest.mark.slow)]


@each_figure
@pytest.mark.parametrize(("width", "scheme"), [*BOTH, *OTHERS])
def test_the_rules_of_axe(figure: Any, name: str, width: int, scheme: str) -> None:
    page = figure(name, width=width, scheme=scheme)
    assert accessibility_faults(page, ".figure") == []
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width


@each_figure
def test_without_scripts_the_drawing_stands(figure: Any, name: str) -> None:
    page = figure(name, script=False)
    assert page.locator(f".figure.{name} svg[role=img] > title").count() == 1


@each_figure
def test_the_theme_switch_changes_the_colours(figure: Any, name: str) -> None:
    page = figure(name, scheme="light")
    paper = "() => getComputedStyle(document.querySelector('.figure')).backgroundColor"
    light = page.evaluate(paper)
    page.evaluate("() => { document.body.dataset.theme = 'dark'; }")
    dark = page.evaluate(paper)
    assert light != dark
    page.emulate_media(color_scheme="dark")
    page.evaluate("() => { document.body.dataset.theme = 'light'; }")
    assert page.evaluate(paper) == light


@each_figure
def test_boards_are_walked_by_arrow_keys(figure: Any, name: str) -> None:
    page = figure(name)
    if page.locator(".board").count() == 0:
        return
    page.locator('.board .square[tabindex="0"]').first.focus()
    focused = "() => document.activeElement.dataset.square"
    start = page.evaluate(focused)
    key = "ArrowUp" if start[1] < "8" else "ArrowDown"
    page.keyboard.press(key)
    assert page.evaluate(focused) == start[0] + chr(ord(start[1]) + (1 if key == "ArrowUp" else -1))
    assert page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle") != "none"


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
