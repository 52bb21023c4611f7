"""The directive `board`: what it writes, and what it refuses."""

from pathlib import Path

import pytest

pytest.importorskip("sphinx", reason="the extra docs is not installed")

from bs4 import BeautifulSoup

from docsite.board import read
from sphinx_build import build

EMPTY = ". . . . . . . ."
DRAWING = "\n".join([". . . . k . . .", *[EMPTY] * 5, ". . P*. . . . .", ". . . . K . . .*"])


def test_a_drawing_is_shown_as_a_picture(tmp_path: Path) -> None:
    out = build(tmp_path, {"index.md": f"# A page\n\n```{{board}}\n{DRAWING}\n```\n"}, ("docsite.board",))
    page = BeautifulSoup((out / "index.html").read_text(encoding="utf-8"), "html.parser")
    (picture,) = page.select("figure.board svg")
    assert "white pawn c2" in picture.text
    assert "marked: h1, c2" in picture.text


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
