"""Pictures by their structure: what is on a board, where, and that no text becomes a part of it."""

from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from rookery import Bitboard, Board
from rookery.bitboards.pictures import Arrow, board_element, board_svg
from rookery.bitboards.pictures.shapes import SHAPES
from rookery.board.moves import Move

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '</title><script>alert("1")</script>&amp;<!-- \x1b[31m\x00 ]]> \' "'


def read(picture: str) -> Element:
    root = ElementTree.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    return root


def of_class(root: Element, name: str) -> list[Element]:
    return [e for e in root.iter() if name in (e.get("class") or "").split()]


def printed(root: Element) -> tuple[str, str]:
    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert description is not None
    return title.text or "", description.text or ""


def test_a_picture_says_what_is_on_it() -> None:
    root = read(board_svg({4: "K", 60: "k"}, sets={"seen": 0x11}, arrows=[(4, 60)], last_move=(12, 28), check=60))
    assert root.get("role") == "img"
    assert next(iter(root)).tag == f"{SVG}title"
    assert printed(root) == (
        "Chess board",
        "white king e1, black king e8; seen: a1, e1; last move e2 to e4; check on e8; arrow from e1 to e8",
    )
    assert printed(read(board_svg()))[1] == "an empty board"


def test_squares_have_small_texts() -> None:
    root = board_element(texts={0: "d8", 63: "<e1>"}, coordinates=False)
    (group,) = of_class(root, "texts")
    assert [(e.text, e.get("x"), e.get("y")) for e in group] == [("d8", "2", "327"), ("<e1>", "317", "12")]
    assert not of_class(board_element(), "texts")
    with pytest.raises(ValueError, match="texts: 64 is off the board"):
        board_element(texts={64: "a9"})


def test_every_piece_is_drawn_where_it_stands() -> None:
    root = read(Board().svg())
    pieces = of_class(root, "piece")
    assert len(pieces) == 32
    names = [piece.findtext(f"{SVG}title") for piece in pieces]
    assert names[:5] == [
        "white rook on a1",
        "white knight on b1",
        "white bishop on c1",
        "white queen on d1",
        "white king on e1",
    ]
    assert names[-1] == "black rook on h8"
    places = {piece.findtext(f"{SVG}title"): piece.get("transform") for piece in pieces}
    assert len(set(places.values())) == 32
    drawn = {path.get("d") for piece in pieces for path in piece.iter(f"{SVG}path")}
    assert {shape.outline for shape in SHAPES.values()} <= drawn


def x_and_y(piece: Element) -> tuple[float, float]:
    x, y = (piece.get("transform") or "").removeprefix("translate(").partition(")")[0].split()
    return float(x), float(y)


def test_orientation_turns_the_board() -> None:
    white = [x_and_y(piece) for piece in of_class(read(Board().svg()), "piece")]
    black = [x_and_y(piece) for piece in of_class(read(Board().svg(orientation="black")), "piece")]
    middle = {(a[0] + b[0], a[1] + b[1]) for a, b in zip(white, black, strict=True)}
    assert len(middle) == 1  # each point is mirrored at the board's middle
    files = [text.text for text in read(Board().svg(orientation="black")).iter(f"{SVG}text")]
    assert files[:4] == ["a", "1", "b", "2"]


def test_coordinates_can_be_left_out() -> None:
    assert len(list(read(Bitboard(1).svg()).iter(f"{SVG}text"))) == 16
    bare = read(Bitboard(1).svg(coordinates=False, size=100))
    assert not list(bare.iter(f"{SVG}text"))
    assert (bare.get("viewBox"), bare.get("width")) == ("0 0 360 360", "100")


def test_sets_differ_in_colour_and_sign() -> None:
    root = read(board_svg(sets=dict.fromkeys("abcde", 1 << 20)))
    groups = of_class(root, "set")
    assert [group.findtext(f"{SVG}title") for group in groups] == list("abcde")
    assert len({group.get("fill") for group in groups}) == 5
    signs = {ElementTree.tostring(group[1]).split(b"stroke-width")[0] for group in groups}
    assert len(signs) == 5
    with pytest.raises(ValueError, match="sets: 6: expected 5 at most"):
        board_svg(sets=dict.fromkeys("abcdef", 0))


@pytest.mark.parametrize("board", [0, 1, 0x8100000000000081, 2**64 - 1])
def test_a_bitboard_has_a_disc_for_each_square(board: int) -> None:
    root = read(Bitboard(board)._repr_svg_())
    assert len(list(root.iter(f"{SVG}circle"))) == board.bit_count()


def test_the_last_move_and_check_are_marked() -> None:
    board = Board()
    for move in ("e2e4", "f7f6", "d2d4", "g7g5", "d1h5"):
        board.push_uci(move)
    root = read(board._repr_svg_())
    assert "last move d1 to h5; check on e8" in printed(root)[1]
    assert printed(root)[0] == "Chess position, black to move"
    assert len(of_class(root, "last-move")) == 2
    assert len(of_class(root, "check")) == 1
    assert not of_class(read(Board().svg()), "last-move")


def test_castling_moves_the_king() -> None:
    """A move of classical chess does not say that it castles."""
    board = Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    move = board.parse_uci("e1g1")
    assert printed(read(move._repr_svg_())) == ("Move e1g1", "arrow from e1 to g1")
    board.push(move)
    assert "last move e1 to g1" in printed(read(board.svg()))[1]
    assert printed(read(Move.null()._repr_svg_()))[1] == "an empty board"


def test_arrows_have_colours_and_an_arrow_to_itself_is_a_ring() -> None:
    root = read(board_svg(arrows=[Arrow(0, 63, "red"), (8, 16), (5, 5, "blue")]))
    arrows = of_class(root, "arrow")
    assert [arrow.get("class") for arrow in arrows] == ["arrow a1 h8", "arrow a2 a3", "arrow f1 f1"]
    assert [arrow.tag.removeprefix(SVG) for arrow in arrows] == ["path", "path", "circle"]
    assert len({arrow.get("fill") for arrow in arrows}) == 3


@pytest.mark.parametrize(
    "draw",
    [
        lambda text: board_svg(title=text),
        lambda text: board_svg(sets={text: 1}),
        lambda text: Bitboard(3).svg(title=text),
        lambda text: Board().svg(title=text, sets={text: 1}),
    ],
)
def test_hostile_text_stays_text(draw: Callable[[str], str]) -> None:
    root, plain = read(draw(HOSTILE)), read(draw("x"))
    assert not list(root.iter(f"{SVG}script"))
    assert [e.tag for e in root.iter()] == [e.tag for e in plain.iter()]
    words = "".join(root.itertext())
    assert '</title><script>alert("1")</script>&amp;<!-- \\x1b[31m\\x00' in words


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"pieces": {64: "K"}}, "pieces: 64 is off the board"),
        ({"pieces": {0: "<script>"}}, "pieces: '<script>': expected one of PNBRQKpnbrqk"),
        ({"sets": {"a": -1}}, r"sets\['a'\]: -1"),
        ({"arrows": [(0, 64)]}, "arrows: 64"),
        ({"arrows": [(0, 1, '"/><script>')]}, "arrows: colour '\"/><script>': expected one of green"),
        ({"size": '1" onload="x'}, "size: "),
        ({"orientation": "green"}, "orientation: 'green'"),
        ({"last_move": (0, 77)}, "last_move: 77"),
        ({"check": 99}, "check: 99"),
    ],
)
def test_impossible_requests(arguments: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        board_svg(**arguments)
