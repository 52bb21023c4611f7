"""The page of openings in a browser, from a file, without a network."""

import re
from collections.abc import Iterator
from typing import Any

import chess
import pytest

import rookery
from browser import Visits, accessibility_faults, visits
from game_samples import SAMPLE
from rookery.games.openings.page import page_of
from rookery.games.openings.tree import OpeningTree
from thinning import slow

MEETING = b"""[White "A"]

1. e4 e5 2. Nf3 Nc6 1-0

1. Nf3 Nc6 2. e4 e5 3. Bc4 1/2-1/2

1. d4 d5 0-1

1. d4 d5 2. c4 *
"""


@pytest.fixture(scope="module")
def tree() -> OpeningTree:
    return rookery.read_pgn(MEETING).opening_tree()


@pytest.fixture(scope="module")
def tree_visits(chromium: Any, tree: OpeningTree, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visits]:
    file = tmp_path_factory.mktemp("openings") / "openings.html"
    file.write_text(tree.to_html(title="Four games </script><b>"), encoding="utf-8")
    with visits(chromium, file) as found:
        yield found


@pytest.fixture
def visit(tree_visits: Visits) -> Iterator[Visits]:
    yield tree_visits
    assert tree_visits.faults == []
    tree_visits.leave()


def moves(page: Any) -> list[str]:
    return [text.strip() for text in page.locator("#table button").all_text_contents()]


def line(page: Any) -> list[str]:
    return [text.strip() for text in page.locator("#line button").all_text_contents()]


def test_moves_are_followed_and_taken_back(visit: Any, tree: OpeningTree) -> None:
    page = visit()
    assert page.title() == "Four games </script><b>"
    assert moves(page) == [move.san for move in tree.root.moves] == ["d4", "e4", "Nf3"]
    assert "4 games" in page.text_content("#summary")
    page.click("text=d4")
    page.click("text=d5")
    assert line(page) == ["1. d4", "d5"]
    assert moves(page) == ["c4"]
    assert page.text_content("#summary") == "2 games, 0.0 % for white"
    assert page.locator("#table td").all_text_contents()[:3] == ["1", "50.0 %", ""]
    page.click("#back")
    assert moves(page) == ["d5"]
    page.go_back()
    assert line(page) == ["1. d4", "d5"]
    page.click("#line button >> nth=0")
    assert line(page) == ["1. d4"]
    page.click("#start")
    assert page.is_disabled("#back")


def test_the_board_shows_the_position(visit: Any, tree: OpeningTree) -> None:
    page = visit()
    page.click("text=e4")
    described = page.text_content("#board title")
    board = chess.Board(tree.root.play("e4").board.fen())
    names = [
        f"{'white' if piece.color else 'black'} {chess.piece_name(piece.piece_type)} {chess.square_name(square)}"
        for square, piece in sorted(board.piece_map().items())
    ]
    assert described == f"Black to move: {', '.join(names)}"
    assert page.locator("#men use").count() == 32
    place = page.get_attribute("#men use[href='#K']", "y")
    page.click("#turn")
    assert page.get_attribute("#men use[href='#K']", "y") != place
    assert page.locator("#last-move rect").count() == 2


def test_ways_that_meet(visit: Any) -> None:
    page = visit()
    for move in ("e4", "e5", "Nf3", "Nc6"):
        page.click(f"#table button:text-is('{move}')")
    assert "2 games" in page.text_content("#summary")
    assert moves(page) == ["Bc4"]
    assert page.locator("#ways button").all_text_contents() == ["1. Nf3 Nc6 2. e4 e5"]
    page.click("#ways button")
    assert line(page) == ["1. Nf3", "Nc6", "2. e4", "e5"]
    page.click("#table button")
    assert page.is_visible("#none")
    assert page.is_hidden("#table")


def test_the_keyboard(visit: Any) -> None:
    page = visit()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.textContent") == "e4"
    assert page.locator("#arrow line").count() == 1
    page.keyboard.press("Enter")
    assert line(page) == ["1. e4"]
    assert page.evaluate("document.activeElement.textContent") == "e5"
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    assert line(page) == []


def test_an_address_is_shared(visit: Any) -> None:
    page = visit()
    page.evaluate("location.hash = '#d4,d5'")
    page.wait_for_function("() => document.querySelectorAll('#line button').length === 2")
    page.evaluate("location.hash = '#d4,nonsense,%'")
    page.wait_for_function("() => document.querySelectorAll('#line button').length === 1")


@pytest.mark.parametrize(
    ("scheme", "width"),
    [
        *(("light", 390), ("dark", 1280)),
        *(slow(*rest) for rest in (("dark", 390), ("light", 1280))),
    ],
)
def test_everyone_can_use_it(visit: Any, scheme: str, width: int) -> None:
    page = visit(width=width, scheme=scheme)
    page.click("text=e4")
    page.focus("#table button")
    assert accessibility_faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_without_scripts(visit: Any) -> None:
    page = visit(script=False)
    assert "rookery openings FILE" in page.text_content("noscript")


def test_a_large_tree_is_pruned_and_begins_anywhere() -> None:
    tree = rookery.read_pgn(SAMPLE).opening_tree()
    page = page_of(tree, tree.root.play("e4").board, "x", 30)
    (left,) = re.findall(r'"least":(\d+)', page)
    assert int(left) > 1
    assert page.count('["') < 100
    rare = min(tree, key=lambda position: position.games)  # a page may begin with it, too
    assert f'"positions":[["{rare.board.epd()}"' in page_of(tree, rare.board, "x", 1)
    with pytest.raises(KeyError, match="no game reaches it"):
        tree.to_html("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1")
    assert set(re.findall(r"https?:[^\s\"<]+", page)) == {"http://www.w3.org/2000/svg"}
