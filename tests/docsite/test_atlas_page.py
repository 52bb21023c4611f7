"""The picture of the atlas says what the atlas says."""

import re
from xml.etree import ElementTree as ET

import pytest

pytest.importorskip("matplotlib", reason="the extra docs is not installed")

from docsite.atlas_page import files, in_words, sign
from rookery.magics.atlas import atlas


@pytest.fixture(scope="module")
def drawn() -> dict[str, str]:
    return files()


def test_every_square_is_in_the_words_with_its_answer() -> None:
    parts = dict(part.split(": ") for part in in_words().split("; "))
    words = {"factor": "one bit less", "none": "not one bit less", "open": "open"}
    for cell in atlas():
        assert cell.square in parts[f"{cell.piece}s, {words[cell.answer]}"].split()
    assert sum(len(squares.split()) for squares in parts.values() if squares != "none") == 128


def test_signs_tell_the_answer_and_whose_it_is() -> None:
    for cell in atlas():
        own = cell.source in ("proved here", "found here")
        mark = {"factor": "+", "none": "-", "open": "?"}[cell.answer]
        assert sign(cell) == (mark if own or mark == "?" else f"({mark})")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_square_is_filled_as_its_answer_says(theme: str, drawn: dict[str, str]) -> None:
    drawing = ET.fromstring(drawn[f"generated/magic-atlas-{theme}.svg"])
    patches = [path for path in drawing.iter() if path.get("clip-path") and path.tag.endswith("path")]
    hatched = sum("url(" in path.get("style", "") for path in patches)
    assert hatched == sum(cell.answer == "open" for cell in atlas())
    empty = sum("fill: none" in path.get("style", "") for path in patches)
    assert empty == sum(cell.answer == "none" for cell in atlas())


def test_the_page_has_the_picture_in_both_themes_and_as_text(drawn: dict[str, str]) -> None:
    page = drawn["generated/magic-atlas.rst"]
    for theme in ("light", "dark"):
        assert f".. image:: magic-atlas-{theme}.svg" in page
    assert "n - 1" not in page  # no line ends within
    assert page.count("n\N{NO-BREAK SPACE}-\N{NO-BREAK SPACE}1") == 2
    assert "without a destructive collision" in " ".join(page.split())
    assert len(re.findall(r"^   [1-8]  .*[-+?]", page, flags=re.M)) == 8
