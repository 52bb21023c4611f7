"""The picture at the beginning of each chapter of the tutorial, drawn from the answers of the library."""

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element, SubElement, tostring

import rookery
from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.bits import A_FILE
from rookery.bitboards.lines import line_through, ray, relevant_occupancy
from rookery.bitboards.pictures.palette import palette
from rookery.bitboards.pictures.svg import INKS, Arrow, board_element
from rookery.bitboards.placement import Placement
from rookery.bitboards.squares import SQUARE_NAMES, parse_square
from rookery.geometry import COMPASS
from rookery.kernel import pext

FOLDER: Final = Path(__file__).resolve().parents[1] / "docs" / "tutorial" / "pictures"
PADDING, GAP, CAPTION = 14, 56, 34  # pixels
MARGIN, SQUARE = 20, 45  # of a board, in its own units
SIZES: Final = {2: 330, 3: 236}  # of a board, by the number of boards
TIMES: Final = "\N{MULTIPLICATION SIGN}"
INK, ATTACKED = "#1d1d1f", "#35322c"  # on boards


class Drawn(NamedTuple):
    """A board of a picture: its caption, its pieces, sets of squares by name, and labels in squares."""

    caption: str
    pieces: Mapping[int, str] = MappingProxyType({})
    sets: Mapping[str, int] = MappingProxyType({})
    labels: Mapping[int, str] = MappingProxyType({})
    shaded: int = 0
    arrows: tuple[Arrow, ...] = ()


def picture(title: str, *parts: Drawn | str) -> str:
    """Return boards in a row as SVG, with the words or signs between them."""
    boards = [part for part in parts if isinstance(part, Drawn)]
    size = SIZES[len(boards)]
    width = 2 * PADDING + len(boards) * size + (len(boards) - 1) * GAP
    height = 2 * PADDING + CAPTION + size
    svg = _sheet(width, height, title)
    x = PADDING
    for part in parts:
        if isinstance(part, str):
            place = {"x": str(x - GAP // 2), "y": str(PADDING + CAPTION + size // 2), "text-anchor": "middle"}
            SubElement(svg, "text", {**place, "font-size": "26"}).text = part
            continue
        middle = {"x": str(x + size // 2), "y": str(PADDING + 20), "text-anchor": "middle"}
        SubElement(svg, "text", middle).text = part.caption
        board = board_element(
            part.pieces,
            sets=part.sets,
            shaded=part.shaded,
            arrows=part.arrows,
            size=size,
            title=part.caption,
        )
        board.attrib.pop("xmlns", None)
        board.attrib |= {"x": str(x), "y": str(PADDING + CAPTION)}
        _label(board, part)
        svg.append(board)
        x += size + GAP
    return _text(svg)


def _sheet(width: int, height: int, title: str) -> Element:
    """Return an empty picture in the colours of the reader's theme. Boards are light in both."""
    svg = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {width} {height}"})
    svg.attrib |= {"width": str(width), "height": str(height), "role": "img"}
    svg.attrib |= {"font-family": "system-ui, sans-serif", "font-size": "19", "style": "fill:var(--ink)"}
    SubElement(svg, "title").text = title
    SubElement(svg, "style").text = palette("svg")
    frame = {"x": "0.5", "y": "0.5", "width": str(width - 1), "height": str(height - 1)}
    SubElement(svg, "rect", {**frame, "rx": "8", "style": "fill:var(--panel);stroke:var(--line)"})
    return svg


def _text(svg: Element) -> str:
    """Return a picture as text. The first set of a board has the colour of attacked squares in figures."""
    text = tostring(svg, encoding="unicode").replace(INKS["green"], ATTACKED)
    return text.replace('fill="#777777"', 'style="fill:var(--ink-soft)"') + "\n"


def _label(board: Element, drawn: Drawn) -> None:
    """Write labels in the middle of squares, or in a corner of those with a piece or a mark."""
    marked = 0
    for squares in drawn.sets.values():
        marked |= squares
    for square, text in drawn.labels.items():
        x, y = MARGIN + SQUARE * (square % 8), MARGIN + SQUARE * (7 - square // 8)
        covered = square in drawn.pieces or marked >> square & 1
        place = {"x": str(x + 3), "y": str(y + 14)} if covered else {"x": str(x + 22), "y": str(y + 29)}
        style = {"font-size": "15" if covered else "19", "text-anchor": "start" if covered else "middle"}
        SubElement(board, "text", place | style | {"fill": INK}).text = text


def on(letter: str, *names: str) -> dict[int, str]:
    """Return pieces by square."""
    return dict.fromkeys(map(parse_square, names), letter)


ROOK: Final = on("R", "d4")
BLOCKERS: Final = on("p", "d6", "d8", "f6", "b4", "g4")
OCCUPIED: Final = Bitboard.from_squares([*ROOK, *BLOCKERS])


def loops() -> str:
    """Chapter 0: the steps of a walk, numbered."""
    steps: list[int] = []
    for direction, straight in (("north", 1), ("east", 1), ("south", 1), ("west", 1)):
        up, right = COMPASS[direction]
        rank, file = 3 + up * straight, 3 + right * straight
        while 0 <= rank < 8 and 0 <= file < 8:
            steps.append(8 * rank + file)
            if steps[-1] in OCCUPIED:
                break
            rank, file = rank + up, file + right
    numbered = {square: str(i) for i, square in enumerate(steps, 1)}
    return picture(
        "A rook on d4 among five pieces, and its walk: each step is numbered",
        Drawn("What does this rook attack?", ROOK | BLOCKERS),
        "→",
        Drawn(f"{len(steps)} steps, one after the other", ROOK | BLOCKERS, labels=numbered, shaded=_set(steps)),
    )


def _set(squares: list[int]) -> int:
    return int(Bitboard.from_squares(squares))


def bits() -> str:
    """Chapter 1: squares and their bits."""
    pawns = on("P", "a2", "b2", "c2", "e4", "f2", "g2", "h2")
    numbers = {square: str(square) for square in range(64)}
    word = Bitboard.from_squares(pawns)
    return picture(
        "Seven white pawns, and the numbers of the 64 bits with the seven bits that are set",
        Drawn("Where are the pawns?", pawns),
        "→",
        Drawn(f"one number: 0x{word:x}", labels=numbers, sets={"bits that are 1": int(word)}),
    )


def sets() -> str:
    """Chapter 2: an intersection."""
    p = Placement.from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R")
    attacked = rookery.queen_attacks(rookery.F3, p.occupied)
    queen = on("Q", "f3")
    return picture(
        "The squares that a queen attacks, the squares with black pieces, and the two squares that are in both",
        Drawn("the queen attacks", queen, {"attacked": int(attacked)}),
        "and",
        Drawn("black pieces", sets={"black": int(p.black)}),
        "=",
        Drawn("she can capture", queen, {"captures": int(attacked & p.black)}),
    )


def shifts() -> str:
    """Chapter 3: a shift and the bits that wrap."""
    before = Bitboard.of("b2", "d4", "h2", "h5", "f7")
    after = before << 1
    wrapped = after & A_FILE
    return picture(
        "Five squares, and the same squares after a shift by one: two have wrapped around the edge",
        Drawn("a set of squares", sets={"squares": int(before)}),
        "<< 1",
        Drawn("one step east? two wrap", sets={"moved": int(after ^ wrapped), "wrapped": int(wrapped)}),
    )


def scanning() -> str:
    """Chapter 4: the lowest bit."""
    x = Bitboard.of("d3", "g3", "b5", "e6", "c7", "h7")
    return picture(
        "Six squares, and the first of them",
        Drawn("x: six squares", sets={"x": int(x)}),
        "→",
        Drawn("x & -x: the first of them", sets={"the lowest bit": int(x & -x)}, shaded=int(x)),
    )


def rays() -> str:
    """Chapter 5: where a rook stops."""
    attacks = rookery.rook_attacks(rookery.D4, OCCUPIED)
    behind = int((ray("north", rookery.D4) | ray("east", rookery.D4) | ray("west", rookery.D4)) & ~attacks)
    first = [Arrow(rookery.D4, parse_square(name)) for name in ("d6", "g4", "b4", "d1")]
    return picture(
        "A rook on d4 with arrows to the first piece in each direction; the squares behind these pieces are shaded",
        Drawn("the rays of the empty board", ROOK, {"rays": int(rookery.rook_attacks(rookery.D4, 0))}),
        "→",
        Drawn("each ends at the first piece", ROOK | BLOCKERS, arrows=tuple(first), shaded=behind),
    )


def fills() -> str:
    """Chapter 6: all sliders at once."""
    p = Placement.from_fen("8/2p5/8/B2R2p1/5p2/8/1Q1p2R1/8")
    white = {"R": p.white_rooks, "B": p.white_bishops, "Q": p.white_queens}
    ask = {"R": rookery.rook_attacks, "B": rookery.bishop_attacks, "Q": rookery.queen_attacks}
    attacked = 0
    for letter, pieces in white.items():
        for square in pieces:
            attacked |= int(ask[letter](square, p.occupied))
    marks = dict(p.marks())
    return picture(
        "Four white sliders among black pawns, and the union of all squares that they attack",
        Drawn("four sliders", marks),
        "→",
        Drawn("attacked by any of them", marks, {"attacked": attacked}),
    )


def subtraction() -> str:
    """Chapter 7: the difference along a rank."""
    rook, pawns = on("R", "c1"), on("p", "a1", "f1", "h1")
    o, r = Bitboard.from_squares([*rook, *pawns]), Bitboard.from_squares(rook)
    found = int((o ^ (o - 2 * r)) & 0xFF)
    return picture(
        "A rook on c1 with pieces on a1, f1 and h1; the bits that change when 2r is subtracted are d1, e1 and f1",
        Drawn("o: what is occupied", rook | pawns, {"o": int(o)}),
        "→",
        Drawn("o ^ (o - 2r)", rook | pawns, {"attacked to the east": found}),
    )


def rotated() -> str:
    """Chapter 8: Hyatt's board, turned by 45 degrees before the reader's eyes, so that a diagonal becomes a row."""
    width, height, side = 2 * PADDING + 2 * SIZES[2] + GAP, 2 * PADDING + CAPTION + SIZES[2], SIZES[2]
    line = set(line_through("diagonal", rookery.E3) | Bitboard.of("e3"))
    svg = _sheet(width, height, "A board with the diagonal c1 to h6, and the same board turned: the diagonal is a row")
    SubElement(svg, "style").text = (
        ".turning, .turning text { transform-box: fill-box; transform-origin: center; } .turning { transform: "
        "rotate(45deg); } .turning text { transform: rotate(-45deg); } @media (prefers-reduced-motion: no-preference) "
        "{ .turning { animation: turn 3s ease-in-out 1s backwards; } .turning text { animation: back 3s ease-in-out 1s "
        "backwards; } } @keyframes turn { from { transform: none; } } @keyframes back { from { transform: none; } }"
    )
    for i, caption in enumerate(("a diagonal: bits far apart", "turned: bits in one row")):
        left, size = PADDING + i * (side + GAP), (side if i == 0 else side / math.sqrt(2) - 4) / 8
        place = {"x": str(left + side // 2), "y": str(PADDING + 20), "text-anchor": "middle"}
        SubElement(svg, "text", place).text = caption
        board = SubElement(svg, "g", {"class": "board turning" if i else "board", "font-size": f"{size * 0.4:.1f}"})
        x0, y0 = left + (side - 8 * size) / 2, PADDING + CAPTION + (side - 8 * size) / 2
        for square, name in enumerate(SQUARE_NAMES):
            x, y = x0 + size * (square % 8), y0 + size * (7 - square // 8)
            colour = "seen" if square in line else "light" if (square + square // 8) % 2 else "dark"
            cell = {"x": f"{x:.1f}", "y": f"{y:.1f}", "width": f"{size:.1f}", "height": f"{size:.1f}"}
            SubElement(board, "rect", {**cell, "style": f"fill:var(--{colour})"})
            middle = {"x": f"{x + size / 2:.1f}", "y": f"{y + size * 0.64:.1f}", "text-anchor": "middle"}
            weight = {"font-weight": "700"} if square in line else {}
            SubElement(board, "text", {**middle, **weight, "style": "fill:var(--ink)"}).text = name
    arrow = {"x": str(PADDING + side + GAP // 2), "y": str(PADDING + CAPTION + side // 2), "text-anchor": "middle"}
    SubElement(svg, "text", {**arrow, "font-size": "26"}).text = "→"
    return _text(svg)


def kindergarten() -> str:
    """Chapter 9: a multiplication gathers a diagonal."""
    line = line_through("diagonal", rookery.D4) | Bitboard.of("d4")
    o = Bitboard.of("b2", "e5", "g7", "h8") & line
    return picture(
        "Four squares of a diagonal, the a-file, and their product: each of the four is copied up to the top rank",
        Drawn("o: bits of a diagonal", sets={"o": int(o)}, shaded=int(line)),
        TIMES,
        Drawn("factor: the a-file", sets={"factor": int(A_FILE)}),
        "=",
        Drawn("product: a row", sets={"product": int(o * A_FILE)}, shaded=0xFF << 56),
    )


def magic() -> str:
    """Chapter 10: the relevant squares, and the index."""
    t = rookery.technique("magic-plain").tables()
    mask, factor = Bitboard(t.rook_mask[rookery.D4]), Bitboard(t.rook_magic[rookery.D4])
    o = OCCUPIED & mask
    bits = 64 - int(t.rook_shift[rookery.D4])
    top = (1 << 64) - (1 << (64 - bits))
    return picture(
        "The blockers of a rook on d4 on the ten squares that matter, the magic factor, and their product, whose top "
        "ten bits are the index",
        Drawn("o: the blockers", ROOK, {"o": int(o)}, shaded=int(mask)),
        TIMES,
        Drawn("magic factor", sets={"factor": int(factor)}),
        "=",
        Drawn(f"top {bits} bits: the index", sets={"product": int(o * factor)}, shaded=top),
    )


def pext_bits() -> str:
    """Chapter 11: the bits of the mask, numbered."""
    mask = relevant_occupancy("rook", rookery.D4)
    o = OCCUPIED & mask
    numbered = {square: str(i) for i, square in enumerate(mask)}
    row = {i: str(i) for i in range(len(mask))}
    return picture(
        "The ten squares of the mask, numbered, and the ten lowest bits, into which PEXT puts them in this order",
        Drawn("ten squares of a mask", sets={"o": int(o)}, labels=numbered, shaded=int(mask)),
        "→",
        Drawn("the ideal index", sets={"index": int(pext(o, mask))}, labels=row, shaded=(1 << len(mask)) - 1),
    )


def legal() -> str:
    """Chapter 12: pins."""
    marks = dict(Placement.from_fen("4r1k1/8/8/8/1b6/8/3NR3/4K3").marks())
    pins = (Arrow(rookery.E8, rookery.E1, "red"), Arrow(rookery.B4, rookery.E1, "red"))
    lines = int(rookery.line(rookery.E1, rookery.E8) | rookery.line(rookery.E1, parse_square("b4")))
    return picture(
        "A white king on e1, a rook and a knight in front of it, and two black sliders that pin them",
        Drawn("which white moves are legal?", marks),
        "→",
        Drawn("pinned pieces stay on their lines", marks, arrows=pins, shaded=lines),
    )


PICTURES: Final[dict[str, Callable[[], str]]] = {
    "00-why": loops,
    "01-one-bit": bits,
    "02-sets": sets,
    "03-shifts-and-leapers": shifts,
    "04-scanning": scanning,
    "05-rays": rays,
    "06-fills": fills,
    "07-subtraction": subtraction,
    "08-rotated-boards": rotated,
    "09-kindergarten": kindergarten,
    "10-magic": magic,
    "11-finding-a-factor": pext_bits,
    "12-legal-moves": legal,
}


def files() -> dict[Path, Callable[[], str]]:
    """Return the writer of each picture by its file."""
    return {FOLDER / f"{name}.svg": draw for name, draw in PICTURES.items()}
