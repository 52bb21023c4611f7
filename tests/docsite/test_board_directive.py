"""The directive `board`: what it writes, and what it refuses."""

from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

pytest.importorskip("sphinx", reason="the extra docs is not installed")

from bs4 import BeautifulSoup

from docsite.board import read
from sphinx_build import build

EMPTY = ". . . . . . . ."
DRAWING = "\n".join([". . . . k . . .", *[EMPTY] * 5, ". . P*. . . . .", ". . . . K . . .*"])


def test_a_drawing_is_shown_as_a_picture(tmp_path: Path) -> None:
    out = build(tmp_path, {"index.md": f"# A page\n\n```board\n{DRAWING}\n```\n"}, ("docsite.board",))
    page = BeautifulSoup((out / "index.html").read_text(encoding="utf-8"), "html.parser")
    (picture,) = page.select("figure.board svg")
    assert "white pawn c2" in picture.text
    assert "marked: h1, c2" in picture.text
    (link,) = page.select("figure.board figcaption a")
    state = dict(parse_qsl(urlsplit(str(link["href"])).fragment))
    assert state["fen"] == "4k3/8/8/8/8/8/2P5/4K3"
    assert (state["piece"], state["square"]) == ("queen", "e1")


def test_an_example_that_draws_an_occupancy_opens_in_the_explorer(tmp_path: Path) -> None:
    drawn = "\n".join(["occupied          o", *[f"{EMPTY}   {EMPTY}"] * 7, f". 1 1 . . . . .   {EMPTY}"])
    text = f"# A page\n\n```python\n>>> show()\n{drawn}\n```\n\n```python\n>>> occupied = 3\n```\n"
    out = build(tmp_path, {"index.md": text}, ("docsite.board",))
    page = BeautifulSoup((out / "index.html").read_text(encoding="utf-8"), "html.parser")
    (link,) = page.select("p.in-explorer a")
    state = dict(parse_qsl(urlsplit(str(link["href"])).fragment))
    assert state["fen"] == "8/8/8/8/8/8/8/1Rp5"
    assert (state["piece"], state["square"]) == ("rook", "b1")


def test_pieces_and_marks_are_read() -> None:
    assert read(DRAWING) == ({60: "k", 10: "P", 4: "K"}, 1 << 10 | 1 << 7)


@pytest.mark.parametrize(
    ("drawing", "message"),
    [
        ("\n".join([EMPTY] * 7), "7 lines: expected 8"),
        (DRAWING.replace("k", "x"), "e8: 'x ': expected"),
        (DRAWING.replace("P*", "P+"), r"c2: 'P\+': expected"),
        (DRAWING.replace("K . . .*", "K . . . ."), "rank 1: .*: expected 8 cells"),
    ],
)
def test_wrong_drawings(drawing: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read(drawing)
