"""The figures in Firefox: each becomes live, and answers a click."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from figure_site import names
from firefox import MARKS, firefox_with
from thinning import slow_but

# What is pressed in a figure, the element that then answers, and the beginning of its text.
CLICKS = {
    "set-operations": ('[data-operation="a ^ b"]', ".says", "XOR keeps the squares that are in exactly one"),
    "steps": (".mask input", ".says", "One step east. The mask removes the bits that wrapped: a3, a7."),
    "subtraction": ('[data-square="d6"]', ".says", "The rook on d4 attacks d2, d3, d5, d6, d7."),
    "doubling": ('[data-round="3"]', ".says", "Round 3: four squares at once. New in g: e6, e7, e8."),
    "pins": ('[data-view="rays"]', ".says", "A queen on the king's square would attack these squares."),
    "build-a-factor": (
        ".figure .controls button:nth-child(5)",
        ".says",
        "Shifted left by 28, the copy brings d5 to bit 63",
    ),
    "fill-the-table": ('form button[type="submit"]', ".says", "Nobody wrote slot 176 yet."),
    "square-and-bit": ('[data-square="h8"]', ".number", "0x880028004a000000"),
}
pytestmark = MARKS


@pytest.fixture(scope="module")
def firefox(figure_pages: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Firefox, with the address of the figures' pages as `address`."""
    with firefox_with(figure_pages, tmp_path_factory.mktemp("firefox") / "gecko.log") as browser:
        yield browser


WAIT = """
const [done] = [...arguments].slice(-1);
const look = () => (document.querySelector("[data-figure].live") ? done(true) : setTimeout(look, 50));
look();
"""


@pytest.mark.parametrize("name", slow_but(names(), *CLICKS))
def test_a_figure_is_live(firefox: Any, name: str) -> None:
    firefox.navigate(f"{firefox.address}/{name}.html")
    assert firefox.execute_async_script(WAIT)
    if name in CLICKS:
        pressed, answering, text = CLICKS[name]
        firefox.find_element("css selector", pressed).click()
        found = firefox.execute_script("return document.querySelector(arguments[0]).textContent", [answering])
        assert found.startswith(text)
