"""The pictures at the beginning of chapters and of the README: their theme, and what chapters 8 to 10 open with."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

pytest.importorskip("sphinx", reason="the extra docs is not installed")

import chapter_pictures
import rookery
from live_figures.directive import inline
from rookery.bitboards.bitboard import Bitboard

DOCS = Path(__file__).parents[2] / "docs"
SVG = "{http://www.w3.org/2000/svg}"
PICTURES = [
    *sorted((DOCS / "tutorial" / "pictures").glob("*.svg")),
    *sorted((DOCS / "figures" / "explorer").glob("*.svg")),
    DOCS / "compared-with-peers.svg",
    DOCS / "search.svg",
]


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.stem)
def test_a_picture_has_the_colours_of_the_theme(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "prefers-color-scheme: dark" in text
    panel = next(rect for rect in ET.fromstring(text).iter(f"{SVG}rect") if float(rect.get("height", "0")) > 150)
    assert "var(--panel)" in panel.get("style", panel.get("fill", ""))
    assert "prefers-color-scheme" not in inline(text)  # on the site it has the colours of its page


def squares(part: ET.Element, name: str) -> Bitboard:
    """Return a set of a board by its description."""
    found = re.search(rf"(?:^|; ){name}: ([a-h1-8, ]+)", part.findtext(f"{SVG}desc") or "")
    assert found, name
    return Bitboard.of(*found[1].split(", "))


@pytest.mark.parametrize("name", ["09-kindergarten", "10-magic"])
def test_a_multiplication_is_drawn(name: str) -> None:
    picture = ET.fromstring(chapter_pictures.PICTURES[name]())
    boards = list(picture.iter(f"{SVG}svg"))[1:]
    o, factor, product = (squares(board, name) for board, name in zip(boards, ("o", "factor", "product"), strict=True))
    assert o * factor == product
    signs = [text.text for text in picture.findall(f"{SVG}text") if len(text.text or "") == 1]
    assert signs == ["\N{MULTIPLICATION SIGN}", "="]
    if name == "10-magic":
        table = rookery.technique("magic-plain").tables()
        assert factor == int(table.rook_magic[rookery.D4])


def test_the_board_of_chapter_8_turns() -> None:
    drawn = chapter_pictures.PICTURES["08-rotated-boards"]()
    picture = ET.fromstring(drawn)
    assert [group.get("class") for group in picture.findall(f"{SVG}g")] == ["board", "board turning"]
    assert "animation: turn" in drawn.split("prefers-reduced-motion: no-preference")[1]
    assert "transform: rotate(45deg)" in drawn.split("prefers-reduced-motion")[0]  # it ends turned, also if it stands
    turned = picture.findall(f"{SVG}g")[1]
    marked = [text.text for text in turned.iter(f"{SVG}text") if text.get("font-weight")]
    assert marked == ["c1", "d2", "e3", "f4", "g5", "h6"]
