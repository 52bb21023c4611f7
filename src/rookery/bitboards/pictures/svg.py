"""A board as SVG: pieces, sets of squares, arrows, the last move, a king in check.

Sets differ by colour and by sign, so that they can be told apart in black and white, and the picture says in words what
is on it. What it is given as text is text in it, whatever stands there.
"""

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from rookery.arguments import board_number, flag, iterator, mapping, printable, shown
from rookery.arguments import text as checked_text
from rookery.bitboards.colours import WHITE, Colour, read_colour
from rookery.bitboards.pictures.shapes import SHAPES
from rookery.bitboards.squares import FILE_NAMES, RANK_NAMES, SQUARE_NAMES, AnyBoard, check_square
from rookery.lazy_imports import Named

if TYPE_CHECKING:
    from xml.etree import ElementTree
else:
    ElementTree = Named("xml.etree.ElementTree")

Ink = Literal["green", "blue", "orange", "purple", "red"]

# Okabe and Ito's palette, which most eyes tell apart, and a sign for each place in a list of sets.
INKS: Final[dict[str, str]] = {
    "green": "#00795b",
    "blue": "#0067a5",
    "orange": "#c65400",
    "purple": "#a8548c",
    "red": "#b3001b",
}
_ORDER: Final = ("green", "blue", "orange", "purple", "red")
_LIGHT, _DARK, _MOVED, _CHECK = "#f2ebdc", "#c3ae8f", "#e8c547", "#d7263d"
_SHADE: Final = "#7fb2d9"
_SQUARE: Final = 45  # units of a square
_OUT: Final = 2.5  # by how much the box of a piece, which it does not fill, is larger than a square
_MARGIN: Final = 20  # where the coordinates stand
_NAMES: Final = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}


class Arrow(NamedTuple):
    """An arrow from a square to a square, and its colour."""

    tail: int
    head: int
    colour: Ink = "green"

    @property
    def color(self) -> Ink:
        """Return the colour, in the spelling of python-chess."""
        return self.colour


Arrows = Iterable[Arrow | tuple[int, int] | tuple[int, int, Ink]]


class _Seen(NamedTuple):
    """The orientation of a board in the picture."""

    white_below: bool
    margin: int

    def corner(self, square: int) -> tuple[int, int]:
        """Return the position of a square's upper left corner."""
        rank, file = divmod(square, 8)
        column, row = (file, 7 - rank) if self.white_below else (7 - file, rank)
        return self.margin + _SQUARE * column, self.margin + _SQUARE * row

    def middle(self, square: int) -> tuple[float, float]:
        """Return the position of a square's middle."""
        x, y = self.corner(square)
        return x + _SQUARE / 2, y + _SQUARE / 2


def board_svg(
    pieces: Mapping[int, str] | None = None,
    *,
    sets: Mapping[str, AnyBoard] | None = None,
    arrows: Arrows = (),
    last_move: tuple[int, int] | None = None,
    check: int | None = None,
    chosen: int | None = None,
    shaded: AnyBoard = 0,
    orientation: Colour = WHITE,
    coordinates: bool = True,
    size: int = 360,
    title: str = "Chess board",
) -> str:
    """Return a board as SVG text, `size` pixels wide.

    `pieces` are letters by square, ``"Q"`` white and ``"q"`` black. `sets` are up to five boards by name, each with its
    own colour and sign. `last_move` and `check` colour squares, `chosen` frames one, and `shaded` tints a set.
    `orientation` is the colour at the bottom. Screen readers read the title and a description of everything on the
    board.

    >>> picture = board_svg({0: "R"}, sets={"attacks": 0x0101010101010100}, arrows=[Arrow(0, 56, "blue")])
    >>> picture[:4], "white rook a1; attacks: a2, a3" in picture
    ('<svg', True)
    """
    from xml.etree.ElementTree import tostring

    element = board_element(
        pieces,
        sets=sets,
        arrows=arrows,
        last_move=last_move,
        check=check,
        chosen=chosen,
        shaded=shaded,
        orientation=orientation,
        coordinates=coordinates,
        size=size,
        title=title,
    )
    return tostring(element, encoding="unicode")


def board_element(
    pieces: Mapping[int, str] | None = None,
    *,
    sets: Mapping[str, AnyBoard] | None = None,
    arrows: Arrows = (),
    last_move: tuple[int, int] | None = None,
    check: int | None = None,
    chosen: int | None = None,
    shaded: AnyBoard = 0,
    texts: Mapping[int, str] | None = None,
    orientation: Colour = WHITE,
    coordinates: bool = True,
    size: int = 360,
    title: str = "Chess board",
) -> "ElementTree.Element":
    """Return the same board as an element, to be part of a larger picture.

    `texts` are small labels in the corners of squares.

    >>> board_element({0: "R"}, size=200).findtext("desc"), board_element(size=200).get("width")
    ('white rook a1', '200')
    """
    from xml.etree.ElementTree import Element, SubElement

    if isinstance(size, bool) or not isinstance(size, int) or not 1 <= size <= 10_000:
        raise ValueError(f"size: {shown(size)}: expected 1 to 10000 pixels")
    seen = _Seen(read_colour(orientation, "orientation"), _MARGIN if flag("coordinates", coordinates) else 0)
    given = mapping("pieces", {} if pieces is None else pieces, "letters by square")
    pieces = {check_square(square, "pieces"): _sign(sign) for square, sign in given.items()}
    named = mapping("sets", {} if sets is None else sets, "boards by name")
    marked = {str(name): board_number(f"sets[{shown(name)}]", board) for name, board in named.items()}
    if len(marked) > len(_ORDER):
        raise ValueError(f"sets: {len(marked)}: expected {len(_ORDER)} at most")
    drawn = [_arrow(arrow, i) for i, arrow in enumerate(iterator("arrows", arrows, "pairs of squares"))]
    last_move = _pair("last_move", last_move)
    for name, square in (("check", check), ("chosen", chosen), *(("last_move", square) for square in last_move or ())):
        if square is not None:
            check_square(square, name)
    whole = 8 * _SQUARE + 2 * seen.margin
    svg = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {whole} {whole}",
            "width": str(size),
            "height": str(size),
            "role": "img",
        },
    )
    SubElement(svg, "title").text = _text(checked_text("title", title))
    SubElement(svg, "desc").text = _text(_description(pieces, marked, drawn, last_move, check))
    _squares(svg, seen, last_move, check, chosen, board_number("shaded", shaded))
    if coordinates:
        _coordinates(svg, seen)
    _write_texts(svg, seen, {check_square(square, "texts"): _text(text) for square, text in (texts or {}).items()})
    for (name, board), ink in zip(marked.items(), _ORDER, strict=False):
        group = SubElement(svg, "g", {"class": "set", "fill": INKS[ink], "stroke": INKS[ink]})
        SubElement(group, "title").text = _text(name)
        for square in range(64):
            if board >> square & 1:
                _mark(group, seen, square, _ORDER.index(ink), covered=square in pieces)
    for square, sign in sorted(pieces.items()):
        _piece(svg, seen, square, sign)
    for arrow in drawn:
        _draw_arrow(svg, seen, arrow)
    return svg


def _sign(sign: str) -> str:
    if not isinstance(sign, str) or len(sign) != 1 or sign.lower() not in SHAPES:
        raise ValueError(f"pieces: {shown(sign)}: expected one of PNBRQKpnbrqk")
    return sign


def _pair(name: str, squares: tuple[int, int] | None) -> tuple[int, int] | None:
    if squares is None:
        return None
    if not isinstance(squares, (tuple, list)) or len(squares) != 2:
        raise TypeError(f"{name}: {shown(squares)}: expected two squares, or None")
    return squares[0], squares[1]


def _arrow(arrow: tuple[int, int] | tuple[int, int, str], i: int) -> Arrow:
    if not isinstance(arrow, (tuple, list)) or not 2 <= len(arrow) <= 3:
        raise TypeError(f"arrows[{i}]: {shown(arrow)}: expected two squares, and perhaps a colour")
    tail, head, *rest = arrow
    colour = rest[0] if rest else "green"
    if not isinstance(colour, str) or colour not in INKS:
        raise ValueError(f"arrows: colour {shown(colour)}: expected one of {', '.join(INKS)}")
    return Arrow(check_square(tail, "arrows"), check_square(head, "arrows"), colour)  # type: ignore[arg-type]


def _text(text: str) -> str:
    """Return a text without characters that XML does not allow."""
    return printable(text)


def _description(
    pieces: Mapping[int, str],
    sets: Mapping[str, int],
    arrows: list[Arrow],
    last_move: tuple[int, int] | None,
    check: int | None,
) -> str:
    facts = []
    if pieces:
        facts.append(
            ", ".join(
                f"{'white' if sign.isupper() else 'black'} {_NAMES[sign.lower()]} {SQUARE_NAMES[square]}"
                for square, sign in sorted(pieces.items())
            )
        )
    for name, board in sets.items():
        squares = ", ".join(SQUARE_NAMES[square] for square in range(64) if board >> square & 1)
        facts.append(f"{name}: {squares or 'none'}")
    if last_move:
        facts.append(f"last move {SQUARE_NAMES[last_move[0]]} to {SQUARE_NAMES[last_move[1]]}")
    if check is not None:
        facts.append(f"check on {SQUARE_NAMES[check]}")
    facts += [f"arrow from {SQUARE_NAMES[arrow.tail]} to {SQUARE_NAMES[arrow.head]}" for arrow in arrows]
    return "; ".join(facts) or "an empty board"


def _squares(
    svg: "ElementTree.Element",
    seen: _Seen,
    last_move: tuple[int, int] | None,
    check: int | None,
    chosen: int | None,
    shaded: int,
) -> None:
    from xml.etree.ElementTree import SubElement

    board = SubElement(svg, "g", {"class": "squares"})
    side = str(8 * _SQUARE)
    SubElement(
        board, "rect", {"x": str(seen.margin), "y": str(seen.margin), "width": side, "height": side, "fill": _LIGHT}
    )
    dark = "".join(
        "M{} {}h{s}v{s}h-{s}z".format(*seen.corner(square), s=_SQUARE)
        for square in range(64)
        if (square + (square >> 3)) % 2 == 0
    )
    SubElement(board, "path", {"d": dark, "fill": _DARK})
    places = [(square, "last-move", _MOVED) for square in last_move or ()]
    places += [(check, "check", _CHECK)] if check is not None else []
    places += [(square, "shaded", _SHADE) for square in range(64) if shaded >> square & 1]
    for square, kind, colour in places:
        x, y = seen.corner(square)
        around = {"x": str(x), "y": str(y), "width": str(_SQUARE), "height": str(_SQUARE)}
        SubElement(board, "rect", {**around, "class": kind, "fill": colour, "fill-opacity": "0.7"})
    if chosen is not None:
        x, y = seen.corner(chosen)
        inner = str(_SQUARE - 3)
        frame = {"x": str(x + 1.5), "y": str(y + 1.5), "width": inner, "height": inner}
        SubElement(
            board, "rect", {**frame, "class": "chosen", "fill": "none", "stroke": INKS["blue"], "stroke-width": "3"}
        )


def _coordinates(svg: "ElementTree.Element", seen: _Seen) -> None:
    from xml.etree.ElementTree import SubElement

    group = SubElement(
        svg,
        "g",
        {
            "class": "coordinates",
            "font-family": "sans-serif",
            "font-size": "13",
            "text-anchor": "middle",
            "fill": "#777777",
            "aria-hidden": "true",
        },
    )
    below = seen.margin + 8 * _SQUARE + 15
    for i in range(8):
        x = seen.middle(i)[0]
        SubElement(group, "text", {"x": f"{x:g}", "y": str(below)}).text = FILE_NAMES[i]
        y = seen.middle(8 * i)[1] + 4.5
        SubElement(group, "text", {"x": f"{seen.margin / 2:g}", "y": f"{y:g}"}).text = RANK_NAMES[i]


def _write_texts(svg: "ElementTree.Element", seen: _Seen, texts: Mapping[int, str]) -> None:
    from xml.etree.ElementTree import SubElement

    style = {"class": "texts", "font-family": "sans-serif", "font-size": "13", "fill": "#4a4238"}
    group = SubElement(svg, "g", style) if texts else svg
    for square, text in texts.items():
        x, y = seen.corner(square)
        SubElement(group, "text", {"x": f"{x + 2}", "y": f"{y + 12}"}).text = text


def _mark(group: "ElementTree.Element", seen: _Seen, square: int, place: int, covered: bool) -> None:
    """Draw the sign of a set on a square: a disc, ring, cross, diamond or bar, nearer the edge around a piece."""
    from xml.etree.ElementTree import SubElement

    x, y = seen.middle(square)
    r = 20 if covered else 9
    ring = {"fill": "none", "stroke-width": "3.5"}
    if covered and place in (0, 1):
        dashes = {} if place == 0 else {"stroke-dasharray": "6 4"}
        SubElement(group, "circle", {"cx": f"{x:g}", "cy": f"{y:g}", "r": str(r), **ring, **dashes})
    elif place == 0:
        SubElement(group, "circle", {"cx": f"{x:g}", "cy": f"{y:g}", "r": "8", "stroke": "none"})
    elif place == 1:
        SubElement(group, "circle", {"cx": f"{x:g}", "cy": f"{y:g}", "r": "13", **ring})
    elif place == 2:
        a, b = (14, 20) if covered else (0, 16)
        corners = [(dx, dy) for dx in (-1, 1) for dy in (-1, 1)]
        path = "".join(f"M{x + a * dx:g} {y + a * dy:g}L{x + b * dx:g} {y + b * dy:g}" for dx, dy in corners)
        SubElement(group, "path", {"d": path, **ring})
    elif place == 3:
        d = 21 if covered else 18
        SubElement(group, "path", {"d": f"M{x:g} {y - d:g}L{x + d:g} {y:g}L{x:g} {y + d:g}L{x - d:g} {y:g}Z", **ring})
    else:
        SubElement(group, "path", {"d": f"M{x - 20:g} {y + 20:g}H{x + 20:g}", **ring})


def _piece(svg: "ElementTree.Element", seen: _Seen, square: int, sign: str) -> None:
    from xml.etree.ElementTree import SubElement

    white = sign.isupper()
    shape = SHAPES[sign.lower()]
    x, y = seen.corner(square)
    kind = f"{'white' if white else 'black'} {_NAMES[sign.lower()]}"
    fill, edge, line = ("#fffdf7", "#1c1a17", "#1c1a17") if white else ("#2e2b28", "#0c0b0a", "#efe9dc")
    group = SubElement(
        svg,
        "g",
        {
            "class": f"piece {kind}",
            "transform": f"translate({x - _OUT:g} {y - _OUT - 1:g}) scale({(_SQUARE + 2 * _OUT) / 100:g})",
            "fill": fill,
            "stroke": edge,
            "stroke-width": "4",
            "stroke-linejoin": "round",
            "stroke-linecap": "round",
        },
    )
    SubElement(group, "title").text = f"{kind} on {SQUARE_NAMES[square]}"
    for cx, cy, r in shape.balls:
        SubElement(group, "circle", {"cx": f"{cx:g}", "cy": f"{cy:g}", "r": f"{r:g}"})
    SubElement(group, "path", {"d": shape.outline})
    if shape.lines:
        SubElement(group, "path", {"d": shape.lines, "fill": "none", "stroke": line, "stroke-width": "3.2"})
    for cx, cy, r in shape.dots:
        SubElement(group, "circle", {"cx": f"{cx:g}", "cy": f"{cy:g}", "r": f"{r:g}", "fill": line, "stroke": "none"})


def _draw_arrow(svg: "ElementTree.Element", seen: _Seen, arrow: Arrow) -> None:
    """Draw an arrow as one outline; an arrow to its own square is a ring."""
    from xml.etree.ElementTree import SubElement

    x, y = seen.middle(arrow.tail)
    to_x, to_y = seen.middle(arrow.head)
    name = f"arrow {SQUARE_NAMES[arrow.tail]} {SQUARE_NAMES[arrow.head]}"
    ink = {"class": name, "fill-opacity": "0.75"}
    if arrow.tail == arrow.head:
        ring = {"fill": "none", "stroke": INKS[arrow.colour], "stroke-width": "4"}
        SubElement(svg, "circle", {"class": name, "cx": f"{x:g}", "cy": f"{y:g}", "r": "20", **ring})
        return
    length = math.hypot(to_x - x, to_y - y)
    along = (to_x - x) / length, (to_y - y) / length

    def at(forward: float, sideways: float) -> str:
        return f"{x + along[0] * forward - along[1] * sideways:.1f} {y + along[1] * forward + along[0] * sideways:.1f}"

    tip, neck = length - 6, length - 24
    corners = [at(10, 4), at(neck, 4), at(neck, 11), at(tip, 0), at(neck, -11), at(neck, -4), at(10, -4)]
    SubElement(svg, "path", {**ink, "d": f"M{'L'.join(corners)}Z", "fill": INKS[arrow.colour]})
