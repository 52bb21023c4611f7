"""Turned boards in the explorer: where lines lie on them, and which of them a piece asks for."""

from typing import Any

import pytest

from rookery.explain import explain


@pytest.mark.parametrize("name", ["rotated-hyatt-64", "rotated-heinz", "rotated-compact"])
def test_the_line_is_marked_on_a_turned_board(visit: Any, name: str) -> None:
    """The squares of the diagonal through d4 lie side by side there, in one row or running over into the next."""
    page = visit(technique=name, piece="bishop", square="d4", fen="8/8/8/8/8/8/8/8")
    assert page.is_visible("#turned")
    marked = page.locator("#turned figure:has(code:text('r45')) path.marked").get_attribute("data-squares")
    bits = [int(bit) for bit in marked.split()]
    assert bits == list(range(bits[0], bits[0] + 8))
    names = page.locator("#turned figure:has(code:text('r45'))").get_attribute("data-texts").split(",")
    assert " ".join(names[bit] for bit in bits) in ("a1 b2 c3 d4 e5 f6 g7 h8", "h8 g7 f6 e5 d4 c3 b2 a1")
    assert f"On r45 they are bits {bits[0]} to {bits[-1]}" in page.text_content("#turned-boards")
    frame = page.locator("#turned figure:has(code:text('r45')) rect.chosen")
    file, top = (int((float(frame.get_attribute(axis)) - 0.5) / 10) for axis in "xy")
    assert names[8 * (7 - top) + file] == "d4"


@pytest.mark.parametrize(
    ("piece", "boards"), [("rook", ["r90"]), ("bishop", ["l45", "r45"]), ("queen", ["l45", "r45", "r90"])]
)
def test_a_piece_sees_the_boards_that_it_asks_for(visit: Any, piece: str, boards: list[str]) -> None:
    page = visit(technique="rotated-heinz", piece=piece, square="d4")
    shown = page.locator("#turned figcaption code").all_text_contents()
    assert sorted(shown) == boards
    printed = page.text_content("#turned-text")
    assert ("The rank of d4 needs no turned board: it is bits 24 to 31" in printed) == (piece != "bishop")
    assert ("the steps do not make them" in printed) == (piece != "queen")
    steps = explain("rotated-heinz", piece, 27, 0).steps
    made = {step.variable for step in steps if step.variable in ("r90", "l45", "r45")}
    assert made == set(boards)


def test_lines_have_the_names_that_the_mapping_gives_them(visit: Any) -> None:
    page = visit(technique="rotated-hyatt", piece="queen", square="d4", mapping="file-little-little")
    assert "The file of d4 needs no turned board" in page.text_content("#turned-text")
    assert "The rank of d4 is bits 3, 11, 19" in page.text_content("#turned-boards")
    page.select_option("#mapping", "rank-little-big")
    figure = page.locator("#turned .pair", has_text="On r45")
    assert figure.locator("path.marked").first.get_attribute("data-squares") == "6 13 20 27 34 41 48"
    assert "The anti-diagonal of d4" in figure.text_content()
