"""What notebooks show of techniques, explanations, placements and positions."""

import sys
import types
from typing import Any
from xml.etree import ElementTree

import pytest

import rookery
from rookery.bitboards.placement import Placement
from rookery.explain import explain

FEN = "4k3/8/8/3r4/8/8/8/R3K3"


def pictures(html: str) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(f"<div>{html}</div>")
    return [e for e in root.iter() if e.tag.endswith("svg")]


def test_a_placement_is_a_board() -> None:
    root = ElementTree.fromstring(Placement.from_fen(FEN)._repr_svg_())
    assert (
        root.findtext("{http://www.w3.org/2000/svg}desc")
        == "white rook a1, white king e1, black rook d5, black king e8"
    )


def test_positions_are_boards_and_the_number_of_the_rest() -> None:
    positions = rookery.Positions.from_fens([f"{FEN} w - - 0 1"] * 10)
    assert len(pictures(positions._repr_html_())) == 8
    assert "and 2 more positions" in positions._repr_html_()
    assert "more positions" not in positions[:3]._repr_html_()
    assert pictures(positions[:0]._repr_html_()) == []


def test_a_technique_is_its_card() -> None:
    rows = ElementTree.fromstring(rookery.technique("hyperbola")._repr_html_()).findall(".//tr")
    texts = {row.findtext("th"): row.findtext("td") for row in rows}
    assert texts["name"] == "hyperbola"
    assert texts["authors"] == ", ".join(rookery.technique("hyperbola").authors)


def test_an_explanation_is_its_picture() -> None:
    root = ElementTree.fromstring(explain("pext", "rook", 27, 0)._repr_svg_())
    assert root.findtext("{http://www.w3.org/2000/svg}title") == "pext: a rook on d4"


def test_boards_side_by_side_are_pictures_in_a_notebook(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown: list[Any] = []
    display = types.SimpleNamespace(display=shown.append)
    shell = types.SimpleNamespace(get_ipython=object, display=display)
    monkeypatch.setitem(sys.modules, "IPython", shell)
    rookery.side_by_side({"o": 1, "o << 8": 256})
    assert capsys.readouterr().out == ""
    assert len(pictures(shown[0]._repr_html_())) == 2
    assert "o &lt;&lt; 8" in shown[0]._repr_html_()
    monkeypatch.delitem(sys.modules, "IPython")
    rookery.side_by_side({"o": 1, "o << 8": 256})
    assert capsys.readouterr().out.rstrip("\n") == repr(shown[0])
