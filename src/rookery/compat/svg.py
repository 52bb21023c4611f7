"""Pictures by the names of ``chess.svg``, drawn as `rookery.bitboards.pictures` draws them."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final, Self
from xml.etree.ElementTree import Element, SubElement, tostring

from rookery.arguments import flag, is_number, mapping, shown, text
from rookery.bitboards import pictures
from rookery.bitboards.colours import WHITE, Colour, read_colour
from rookery.bitboards.pictures import board_element, board_svg
from rookery.bitboards.pictures.svg import INKS, Ink
from rookery.bitboards.pieces import KIND_NAMES, read_piece
from rookery.bitboards.square_set import SquareSet
from rookery.bitboards.squares import check_square
from rookery.board.board import Board
from rookery.board.moves import as_move
from rookery.lazy_imports import Named

if TYPE_CHECKING:
    from rookery.bitboards import square_set
else:
    square_set = Named("rookery.bitboards.square_set")

_SIZE: Final = 360
_PIECE: Final = 45
_MOST: Final = 10_000


class Arrow(pictures.Arrow):
    """An arrow from a square to a square, and its colour.

    >>> Arrow(12, 28, color="red").color
    'red'
    """

    __slots__ = ()

    def __new__(cls, tail: int, head: int, *, color: Ink = "green") -> Self:
        """Return an arrow; the colour is green, blue, orange, purple or red."""
        if color not in INKS:
            raise ValueError(f"color: {shown(color)}: expected one of {', '.join(INKS)}")
        return super().__new__(cls, tail, head, color)


def board(
    board: Board | None = None,
    *,
    orientation: Colour = WHITE,
    lastmove: int | None = None,
    check: int | None = None,
    arrows: Iterable[tuple[int, int] | tuple[int, int, Ink]] = (),
    fill: Mapping[int, str] | None = None,
    squares: "int | square_set.SquareSet | Iterable[int] | None" = None,
    size: int | None = None,
    coordinates: bool = True,
    flipped: bool = False,
) -> str:
    """Return a board as SVG text.

    `squares` and each colour of `fill`, a colour by square, are sets of squares with their own mark. There are no
    parameters `colors`, `borders` and `style`: see `rookery.bitboards.pictures.board_svg`.

    >>> board(arrows=[Arrow(12, 28)]).count("arrow e2 e4")
    1
    """
    if board is not None and not isinstance(board, Board):
        raise TypeError(f"board: {shown(board)}: expected a board of rookery or rookery.compat")
    move = None if lastmove is None else as_move(lastmove, "lastmove")
    sets: dict[str, int] = {} if squares is None else {"squares": int(SquareSet(squares))}
    for square, colour in ({} if fill is None else mapping("fill", fill, "colours by square")).items():
        named = text(f"fill[{shown(square)}]", colour)
        sets[named] = sets.get(named, 0) | 1 << check_square(square, "fill")
    return board_svg(
        {} if board is None else board.piece_map(),
        sets=sets,
        arrows=arrows,
        last_move=(move.from_square, move.to_square) if move else None,
        check=check,
        orientation=read_colour(orientation, "orientation") != flag("flipped", flipped),
        coordinates=coordinates,
        size=_SIZE if size is None else size,
    )


def piece(piece: str, size: int | None = None) -> str:
    """Return a piece as SVG text. The element of the piece has an id like ``white-king``.

    >>> 'id="white-king"' in piece("K")
    True
    """
    sign = read_piece(piece)
    if size is not None and (not is_number(size) or not 1 <= size <= _MOST):
        raise ValueError(f"size: {shown(size)}: expected 1 to {_MOST} pixels")
    whole = board_element({56: sign}, coordinates=False)
    drawn = next(group for group in whole.iter("g") if group.get("class", "").startswith("piece "))
    svg = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {_PIECE} {_PIECE}"})
    if size is not None:
        svg.attrib |= {"width": str(size), "height": str(size)}
    SubElement(svg, "title").text = f"{'white' if sign.color else 'black'} {KIND_NAMES[sign.piece_type - 1]}"
    drawn.set("id", f"{'white' if sign.color else 'black'}-{KIND_NAMES[sign.piece_type - 1]}")
    svg.append(drawn)
    return tostring(svg, encoding="unicode")
