"""The figure of pins and checks: compared with python-chess."""

import random
from typing import Any

import chess
import pytest

REST = " w - - 0 1"


def found(page: Any) -> tuple[set[str], set[str]]:
    """The pinned squares and the checkers that the figure lists."""
    pinned, checkers = page.evaluate("""() => ['pinned', 'checker'].map(kind =>
        [...document.querySelectorAll(`li[data-${kind}]`)].map(item => Number(item.dataset[kind])))""")
    return {chess.square_name(square) for square in pinned}, {chess.square_name(square) for square in checkers}


def expected(page: Any) -> tuple[set[str], set[str]]:
    """The same by python-chess."""
    fen = page.evaluate("() => document.querySelector('[data-figure]').figure.fen")
    board = chess.Board(fen + REST)
    pinned = {square for square in chess.SQUARES if board.color_at(square) and board.is_pinned(chess.WHITE, square)}
    return {chess.square_name(square) for square in pinned}, {chess.square_name(square) for square in board.checkers()}


def test_by_mouse(figure: Any) -> None:
    page = figure("pins")
    assert found(page) == expected(page) == ({"d2", "e2"}, {"a1"})
    for tool, square in (
        ("N", "e4"),
        ("b", "g3"),
        ("", "a1"),
        ("q", "h1"),
        ("R", "f2"),
        ("K", "d4"),
        ("r", "d8"),
        ("R", "d6"),
    ):
        page.click(f'[data-tool="{tool}"]')
        page.click(f'[data-square="{square}"]')
        assert found(page) == expected(page), (tool, square)


@pytest.mark.parametrize("seed", range(3))
def test_random_positions(figure: Any, seed: int) -> None:
    page = figure("pins")
    rng = random.Random(seed)
    for _ in range(40):
        tool, square = rng.choice("KNRrbqnp"), rng.choice(chess.SQUARE_NAMES)
        page.evaluate(
            "([tool, square]) => { const { figure } = document.querySelector('[data-figure]');"
            " figure.choose(tool); figure.press(square); }",
            [tool, chess.parse_square(square)],
        )
        assert found(page) == expected(page), (tool, square)


def test_knights_and_pawns_give_check(figure: Any) -> None:
    page = figure("pins")
    fen = "() => document.querySelector('[data-figure]').figure.fen"
    for tool, square in (("K", "g3"), ("n", "f5"), ("p", "f4"), ("n", "g5")):
        page.click(f'[data-tool="{tool}"]')
        page.click(f'[data-square="{square}"]')
        assert found(page) == expected(page), (tool, square)
        if tool == "K":
            assert page.evaluate(fen) == "4r2k/8/2n5/8/1b5p/6K1/3NR3/r7"
            assert found(page)[1] == {"h4"}
    assert found(page)[1] == {"f4", "f5", "h4"}
    page.hover('[data-square="g3"]')
    assert "looks along its lines" in str(page.text_content(".says"))


def test_what_the_king_sees(figure: Any) -> None:
    page = figure("pins")
    board = chess.Board(page.evaluate("() => document.querySelector('[data-figure]').figure.fen") + REST)
    for view, white in (("rays", True), ("through", False)):
        page.click(f'[data-view="{view}"]')
        seen = set(page.evaluate("() => [...document.querySelectorAll('.seen')].map(s => s.dataset.square)"))
        alone = chess.Board(None)
        alone.set_piece_map({sq: p for sq, p in board.piece_map().items() if p.color == chess.BLACK or white})
        alone.set_piece_at(chess.E1, chess.Piece(chess.QUEEN, chess.WHITE))
        assert seen == {chess.square_name(sq) for sq in alone.attacks(chess.E1)}


def test_a_pin_lights_its_line(figure: Any) -> None:
    page = figure("pins")
    page.hover('[data-square="b4"]')
    lit = page.evaluate("() => [...document.querySelectorAll('.square.lit')].map(s => s.dataset.square)")
    assert set(lit) == {
        "e1",
        "d2",
        "c3",
        "b4",
    }
    assert page.get_attribute("li.lit", "data-pinned") == str(chess.D2)


def test_by_keyboard_and_touch(figure: Any) -> None:
    page = figure("pins", width=390)
    page.focus('[data-tool=""]')
    page.keyboard.press("Enter")
    page.focus('.square[tabindex="0"]')
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")  # the rook on e2 is gone: check by the rook on e8
    assert found(page) == expected(page) == ({"d2"}, {"a1", "e8"})
    page = figure("pins", width=390, touch=True)
    page.tap('[data-tool="N"]')
    page.tap('[data-square="c1"]')
    assert found(page) == expected(page) == ({"c1", "d2", "e2"}, set())
