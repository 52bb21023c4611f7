"""Pictures by their structure: what is on a board, where, and that no text becomes a part of it."""

from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import chess
import pytest

from rookery import Bitboard, Board
from rookery.bitboards.pictures import Arrow, board_element, board_svg
from rookery.bitboards.pictures.palette import palette
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


# Where all is drawn: squares are 45 units wide, and a margin of 20 holds the coordinates.


def corner(square: int, *, white_below: bool = True, margin: int = 20) -> tuple[int, int]:
    """The upper left corner of a square."""
    rank, file = square // 8, square % 8
    return (
        (margin + 45 * file, margin + 315 - 45 * rank)
        if white_below
        else (margin + 315 - 45 * file, margin + 45 * rank)
    )


@pytest.mark.parametrize("white_below", [True, False])
@pytest.mark.parametrize("coordinates", [True, False])
def test_pieces_stand_on_their_squares(white_below: bool, coordinates: bool) -> None:
    pieces = dict.fromkeys(range(64), "n")
    root = board_element(pieces, orientation=white_below, coordinates=coordinates)
    for square, piece in enumerate(of_class(root, "piece")):
        x, y = corner(square, white_below=white_below, margin=20 if coordinates else 0)
        assert x_and_y(piece) == (x - 2.5, y - 3.5)
        assert (piece.get("transform") or "").endswith("scale(0.5)")  # a box of 100 becomes one of 50


@pytest.mark.parametrize("white_below", [True, False])
def test_the_dark_squares_are_those_of_a_board(white_below: bool) -> None:
    (squares,) = of_class(board_element(orientation=white_below), "squares")
    whole, dark = squares
    assert [whole.get(name) for name in ("x", "y", "width", "height")] == ["20", "20", "360", "360"]
    corners = [corner(s, white_below=white_below) for s in chess.SquareSet(chess.BB_DARK_SQUARES)]
    assert dark.get("d") == "".join(f"M{x} {y}h45v45h-45z" for x, y in corners)


def test_marked_squares_are_drawn_over_the_board() -> None:
    (squares,) = of_class(
        board_element(last_move=(0, 63), check=60, shaded=1 << 0 | 1 << 9 | 1 << 63, chosen=28), "squares"
    )
    marks = [
        (mark.get("class"), mark.get("x"), mark.get("y"), mark.get("width"), mark.get("height")) for mark in squares
    ]
    places = [("last-move", 0), ("last-move", 63), ("check", 60), ("shaded", 0), ("shaded", 9), ("shaded", 63)]
    assert marks[2:-1] == [(kind, *map(str, corner(square)), "45", "45") for kind, square in places]
    assert marks[-1] == ("chosen", "201.5", "201.5", "42", "42")  # e4 is from 200 to 245
    assert len({mark.get("fill") for mark in squares}) == 6


def test_a_picture_without_marks_has_none() -> None:
    (squares,) = of_class(read(board_svg()), "squares")
    assert [part.tag.removeprefix(SVG) for part in squares] == ["rect", "path"]


def test_coordinates_stand_in_the_margin() -> None:
    (group,) = of_class(board_element(), "coordinates")
    texts = {e.text: (float(e.get("x") or 0), float(e.get("y") or 0)) for e in group}
    for i in range(8):
        assert texts["abcdefgh"[i]] == (42.5 + 45 * i, 395)
        assert texts["12345678"[i]] == (10, 362 - 45 * i)


@pytest.mark.parametrize(("coordinates", "whole"), [(True, "0 0 400 400"), (False, "0 0 360 360")])
def test_the_view_holds_the_board_and_its_margin(coordinates: bool, whole: str) -> None:
    assert board_element(coordinates=coordinates).get("viewBox") == whole


@pytest.mark.parametrize("draw", [lambda **options: read(board_svg(**options)), board_element])
def test_pictures_have_coordinates_and_360_pixels_by_default(draw: Callable[..., Element]) -> None:
    root = draw()
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("360", "360", "0 0 400 400")


@pytest.mark.parametrize("size", [1, 10_000])
def test_the_smallest_and_the_largest_picture(size: int) -> None:
    root = board_element(size=size)
    assert (root.get("width"), root.get("height")) == (str(size), str(size))


@pytest.mark.parametrize("size", [0, -1, 10_001, True, 1.5, "9", None])
def test_other_sizes_are_refused(size: Any) -> None:
    with pytest.raises(ValueError, match=rf"^size: {size!r}: expected 1 to 10000 pixels$"):
        board_element(size=size)


# The signs of five sets on a1, whose middle is 22.5 337.5: on an empty square, and around a piece.
SIGNS = [
    ("circle", {"r": "8"}, {"r": "20"}),
    ("circle", {"r": "13"}, {"r": "20", "stroke-dasharray": "6 4"}),
    (
        "path",
        {"d": "M22.5 337.5L6.5 321.5M22.5 337.5L6.5 353.5M22.5 337.5L38.5 321.5M22.5 337.5L38.5 353.5"},
        {"d": "M8.5 323.5L2.5 317.5M8.5 351.5L2.5 357.5M36.5 323.5L42.5 317.5M36.5 351.5L42.5 357.5"},
    ),
    (
        "path",
        {"d": "M22.5 319.5L40.5 337.5L22.5 355.5L4.5 337.5Z"},
        {"d": "M22.5 316.5L43.5 337.5L22.5 358.5L1.5 337.5Z"},
    ),
    ("path", {"d": "M2.5 357.5H42.5"}, {"d": "M2.5 357.5H42.5"}),
]


@pytest.mark.parametrize("covered", [False, True])
def test_signs_of_sets_leave_room_for_a_piece(covered: bool) -> None:
    root = board_element({0: "K"} if covered else {}, sets=dict.fromkeys("abcde", 1), coordinates=False)
    for group, (tag, free, around) in zip(of_class(root, "set"), SIGNS, strict=True):
        _, sign = group
        expected = {**({"cx": "22.5", "cy": "337.5"} if tag == "circle" else {}), **(around if covered else free)}
        assert sign.tag == tag
        assert {name: sign.get(name) for name in expected} == expected
        assert ("stroke-dasharray" in sign.attrib) == (covered and group.findtext("title") == "b")


@pytest.mark.parametrize(
    ("head", "outline"),
    [
        # From a1 upwards, and to the right: 10 units from the middle, 6 before the other, with a point of 18 by 22.
        (56, "26.5 327.5L26.5 46.5L33.5 46.5L22.5 28.5L11.5 46.5L18.5 46.5L18.5 327.5"),
        (7, "32.5 341.5L313.5 341.5L313.5 348.5L331.5 337.5L313.5 326.5L313.5 333.5L32.5 333.5"),
    ],
)
def test_an_arrow_is_one_outline(head: int, outline: str) -> None:
    (arrow,) = of_class(board_element(arrows=[(0, head)], coordinates=False), "arrow")
    assert arrow.get("d") == f"M{outline}Z"


def test_an_arrow_to_its_own_square_is_around_its_middle() -> None:
    (ring,) = of_class(board_element(arrows=[(0, 0)], coordinates=False), "arrow")
    assert [ring.get(name) for name in ("cx", "cy", "r", "fill")] == ["22.5", "337.5", "20", "none"]


@pytest.mark.parametrize("arrow", [(1,), (1, 2, "red", 4), "a1", 5, None])
def test_what_is_not_an_arrow_is_refused(arrow: Any) -> None:
    with pytest.raises(TypeError, match=r"^arrows\[1\]: .*: expected two squares, and perhaps a colour$"):
        board_svg(arrows=[(0, 1), arrow])


@pytest.mark.parametrize("squares", [(1,), (1, 2, 3), "e2e4", 5])
def test_a_last_move_has_two_squares(squares: Any) -> None:
    with pytest.raises(TypeError, match=r"^last_move: .*: expected two squares, or None$"):
        board_svg(last_move=squares)
    assert "last move a1 to b1" in board_svg(last_move=[0, 1])  # type: ignore[arg-type]  # a list will do


def test_a_piece_is_a_single_letter() -> None:
    for wrong in ("", "Kk", "x", 1, None):
        with pytest.raises(ValueError, match=r"^pieces: .*: expected one of PNBRQKpnbrqk$"):
            board_svg({0: wrong})  # type: ignore[dict-item]


# The shapes of pieces, in a box of 100 by 100.


def test_a_queen_has_a_ball_on_each_of_five_points() -> None:
    queen = SHAPES["q"]
    points = [(22, 33), (36, 25), (50, 21), (64, 25), (78, 33)]
    assert all(f"{x} {y}L" in queen.outline for x, y in points)
    assert [(x, y + (2.5 if x == 50 else 2)) for x, y, _ in queen.balls] == points
    assert {r for _, _, r in queen.balls} == {4.5}


def test_a_knight_has_an_eye_and_a_nostril() -> None:
    assert SHAPES["n"].dots == ((38, 34, 2.6), (26, 52, 1.8))
    assert all(not shape.dots for kind, shape in SHAPES.items() if kind != "n")


def test_pieces_have_the_lines_dots_and_balls_of_their_shapes() -> None:
    for piece, kind in zip(of_class(board_element(dict(enumerate("pnbrqk"))), "piece"), "pnbrqk", strict=True):
        shape, circles = SHAPES[kind], [e for e in piece if e.tag == "circle"]
        assert [e.get("d") for e in piece if e.tag == "path"] == [shape.outline, shape.lines]
        assert [tuple(float(e.get(name) or 0) for name in ("cx", "cy", "r")) for e in circles] == [
            *shape.balls,
            *shape.dots,
        ]


# The colours of figures.


def test_a_style_sheet_follows_the_page_or_the_system() -> None:
    assert palette("svg").count("--ink:") == 3  # of a light page, of a dark one, and of boards on it
    assert palette("svg").count("@media (prefers-color-scheme: dark) { svg {") == 1
    both = palette(":root", ".dark", ".auto", boards=".b")
    assert both.startswith(":root { --ink: #1d1d1f;")
    assert ".dark { --ink: #ececea;" in both
    assert ".dark :is(.b) { --ink: #1d1d1f;" in both
    assert both.partition("@media")[2].startswith(" (prefers-color-scheme: dark) { .auto { --ink: #ececea;")


def test_the_size_of_a_picture_of_a_bitboard() -> None:
    for picture, pixels, view in (
        (Bitboard(1).svg(), "360", "0 0 400 400"),
        (Bitboard(1)._repr_svg_(), "240", "0 0 400 400"),
        (Bitboard(1).svg(size=100, coordinates=False), "100", "0 0 360 360"),
    ):
        assert (read(picture).get("width"), read(picture).get("viewBox")) == (pixels, view)
