"""Questions about attacks on a board: who attacks what, what is pinned, what would give a discovered check.

Pins and discovered checks are the generator's: a slider on a line with a king, and a single piece between the two.
Batteries and journeys come from fills of whole sets in one direction.

Colours are `WHITE` (True) or ``"white"``, `BLACK` (False) or ``"black"``. Functions that take a board are methods of
`Board` too.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from rookery import arguments
from rookery.bitboard import Bitboard, board_of
from rookery.bits import reset_ls1b
from rookery.colours import Colour, read_colour
from rookery.kernel import U64, Bits, Word, entry, kernel, trailing_zeros
from rookery.pieces import AnySlider, read_slider
from rookery.placement import describe_square
from rookery.rules.compiled import compiled, default_technique
from rookery.rules.generate import BETWEEN, EMPTY_BISHOP, EMPTY_ROOK, shield
from rookery.rules.position import Boards
from rookery.rules.record import OCCUPIED
from rookery.rules.view import View
from rookery.sets import step
from rookery.squares import DIRECTIONS, STEPS, check_square, file_index, rank_index
from rookery.techniques.kogge_stone import KOGGE_STONE, fill

Trajectory = tuple[int, ...]

# No shortest way of a slider visits a square twice: more moves than this reach nothing new.
MOST_SLIDES: Final = 63

_FILL = KOGGE_STONE.tables()
_EVEN = 1  # directions 0, 2, 4, 6 are a rook's, 1, 3, 5, 7 a bishop's
_KINGS, _US, _THEM = 4, 5, 6  # words of a row, see `rookery.rules.position`

# The first of a piece's directions, and the step to the next.
_DIRECTIONS: Final = {"rook": (U64(0), U64(2)), "bishop": (U64(1), U64(2)), "queen": (U64(0), U64(1))}


class Pin(NamedTuple):
    """A piece that may not leave a line, because it shields its king.

    `line` is what it may move on: the squares from the king, without it, to the pinner, with it.
    """

    square: int
    pinner: int
    line: Bitboard


class Battery(NamedTuple):
    """Two sliders of a colour, one behind the other, that both move along the line they stand on.

    `line` is what both bear on: the squares ahead of `front`, up to and with the first piece in the way.
    """

    front: int
    rear: int
    line: Bitboard


# Set-wise, one direction after the other.


@kernel
def ray_attacks(direction: Word, sliders: Bits, occupied: Bits) -> Bits:
    """What a set of sliders attacks in a direction."""
    return step(direction, fill(direction, sliders, ~occupied, _FILL))


@kernel
def moving_along(direction: Word, row: Boards) -> Bits:
    """The sliders, of both sides, that move in a direction."""
    return row[2] if direction & _EVEN else row[3]


@entry
def shields(row: Any, k: Any, snipers: Any, out: Any) -> Any:
    """Each piece, of whatever side, that alone stands between a king and one of the `snipers`, which move along that
    line; and the sniper. Returns how many words of `out` that takes.
    """
    occupied = row[5] | row[6]
    left = ((EMPTY_ROOK[k] & row[3]) | (EMPTY_BISHOP[k] & row[2])) & snipers
    n = 0
    while left:
        sniper = trailing_zeros(left)
        held = shield(k, sniper, occupied)
        if held:
            out[n] = trailing_zeros(held)
            out[n + 1] = sniper
            n += 2
        left = reset_ls1b(left)
    return n


@entry
def fronts(row: Any, side: Any, out: Any) -> Any:
    """For each direction: the sliders of a side that another one, moving the same way, stands behind."""
    for d in range(8):
        way = d
        sliders = moving_along(way, row) & side
        out[d] = ray_attacks(way, sliders, row[5] | row[6]) & sliders


@entry
def slide_on(first: Any, stride: Any, square: Any, occupied: Any, out: Any) -> Any:
    """Write what a slider reaches for the first time with its first move, its second, ...

    Only where it stands on nothing it may go on: a capture ends the journey.
    """
    home = 1 << square
    empty = ~occupied | home
    seen = home
    newest = home
    for i in range(out.size):
        reached = 0
        way = first
        while way < 8:
            reached |= ray_attacks(way, newest & empty, ~empty)
            way += stride
        newest = reached & ~seen
        seen |= newest
        out[i] = newest


# What functions are given.


def _row(board: View) -> Any:
    """The row of a board, to be read and not written."""
    try:
        return board._row
    except AttributeError:
        raise TypeError(f"board: {arguments.shown(board)}: expected a rookery.Board") from None


def _pieces_of(row: Any, colour: bool) -> Any:
    return row[_US] if colour == (row[9] == 0) else row[_THEM]


# Attackers.


def attackers(board: View, colour: Colour, square: int, occupied: int | None = None) -> Bitboard:
    """The pieces of a colour that attack a square, pinned ones included; what stands on the square does not matter.

    Sliders look through `occupied` instead of the board's own occupancy if it is given: without a piece, to see what
    stands behind it. It only bounds their sight: who attacks is asked of all pieces of the colour.

    >>> from rookery.colours import WHITE
    >>> from rookery.rules.board import Board
    >>> board = Board("4k3/8/8/8/8/4N3/4R3/4R1K1 w - - 0 1")
    >>> attackers(board, WHITE, 10).names()
    ['e2', 'e3']
    >>> attackers(board, WHITE, 36, board.occupied & ~Bitboard.of("e2", "e3")).names()
    ['e1', 'e2']
    """
    row = _row(board)
    if occupied is None:
        occupied = (board._words or board._spread())[OCCUPIED]
    else:
        occupied = arguments.board_number("occupied", occupied)
    code = compiled()
    return board_of(code.attackers(row, not read_colour(colour), check_square(square), occupied, code.tables))


def is_attacked_by(board: View, colour: Colour, square: int, occupied: int | None = None) -> bool:
    """Whether a piece of a colour attacks a square, seen through another occupancy if one is given.

    >>> from rookery.colours import BLACK, WHITE
    >>> from rookery.rules.board import Board
    >>> is_attacked_by(Board(), WHITE, 16), is_attacked_by(Board(), BLACK, 16)
    (True, False)
    """
    return attackers(board, colour, square, occupied) != 0


def attacks(board: View, square: int) -> Bitboard:
    """What the piece on a square attacks, whether or not it is pinned; nothing if none is there.

    >>> from rookery.rules.board import Board
    >>> attacks(Board(), 1).names()
    ['d2', 'a3', 'c3']
    """
    code = compiled()
    return board_of(code.attacked_from(_row(board), check_square(square), code.tables))


# Pins and discovered checks.


def _shields(row: Any, king_of: bool) -> tuple[int, list[tuple[int, int]]]:
    """The square of a king; and the pieces, of either colour, that alone stand between it and a slider of the other
    colour, each with the slider, clockwise from north.
    """
    kings = int(row[_KINGS] & _pieces_of(row, king_of))
    if not kings:
        return 0, []
    king = (kings & -kings).bit_length() - 1
    out = np.empty(16, U64)
    found = out[: shields(row, U64(king), _pieces_of(row, not king_of), out)].tolist()
    pairs = zip(found[::2], found[1::2], strict=True)
    return king, sorted(pairs, key=lambda pair: _direction(king, pair[1]))


def _direction(a: int, b: int) -> int:
    """Which of `DIRECTIONS` leads from a square to another."""
    ranks, files = rank_index(b) - rank_index(a), file_index(b) - file_index(a)
    return STEPS.index(8 * ((ranks > 0) - (ranks < 0)) + (files > 0) - (files < 0))


def pinned(board: View, colour: Colour) -> tuple[Pin, ...]:
    """The pieces of a colour that are pinned to their king (absolute pins), clockwise from north of it.

    Two pawns of which one takes the other en passant may shield a king together; neither is pinned.

    >>> from rookery.colours import WHITE
    >>> from rookery.rules.board import Board
    >>> for pin in pinned(Board("4r1k1/8/8/7b/8/5P2/4B3/r2NK3 w - - 0 1"), WHITE):
    ...     print(pin.square, pin.pinner, pin.line.names())
    12 60 ['e2', 'e3', 'e4', 'e5', 'e6', 'e7', 'e8']
    3 0 ['a1', 'b1', 'c1', 'd1']
    """
    row = _row(board)
    colour = read_colour(colour)
    own = int(_pieces_of(row, colour))
    king, found = _shields(row, colour)
    return tuple(
        Pin(square, pinner, Bitboard(int(BETWEEN[king, pinner]) | 1 << pinner))
        for square, pinner in found
        if own >> square & 1
    )


def is_pinned(board: View, colour: Colour, square: int) -> bool:
    """Whether a piece of a colour stands on a square and is pinned to its king.

    >>> from rookery.colours import WHITE
    >>> from rookery.rules.board import Board
    >>> board = Board("4r1k1/8/8/8/8/8/4B3/4K3 w - - 0 1")
    >>> is_pinned(board, WHITE, 12), is_pinned(board, WHITE, 20)
    (True, False)
    """
    code = compiled()
    return code.pin_line(_row(board), not read_colour(colour), check_square(square), code.tables) != 0


def pin(board: View, colour: Colour, square: int) -> Bitboard:
    """The line, from edge to edge, on which a colour's piece on a square is pinned to its king; all squares if no such
    piece is pinned there: where a pin lets it stand, in either case.

    >>> from rookery.colours import WHITE
    >>> from rookery.rules.board import Board
    >>> board = Board("4r1k1/8/8/8/8/8/4B3/4K3 w - - 0 1")
    >>> pin(board, WHITE, 12).names()
    ['e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e7', 'e8']
    >>> pin(board, WHITE, 20) == Bitboard.UNIVERSE
    True
    """
    code = compiled()
    line = code.pin_line(_row(board), not read_colour(colour), check_square(square), code.tables)
    return board_of(line) if line else Bitboard.UNIVERSE


def discoverers(board: View, colour: Colour) -> Bitboard:
    """The pieces of a colour that give a discovered check by leaving the line they stand on.

    Among them is one that checks already, if another slider stands behind it on that line.

    >>> from rookery.colours import WHITE
    >>> from rookery.rules.board import Board
    >>> discoverers(Board("4k3/8/8/1N6/B3N3/8/8/4R1K1 w - - 0 1"), WHITE).names()
    ['e4', 'b5']
    """
    row = _row(board)
    colour = read_colour(colour)
    own = int(_pieces_of(row, colour))
    return Bitboard.from_squares(square for square, _ in _shields(row, not colour)[1] if own >> square & 1)


# X-rays and batteries.


def xray_attacks(board: View, square: int, blockers: int | None = None) -> Bitboard:
    """What the slider on a square attacks through the first pieces in its way, beyond what it attacks anyway.

    Only `blockers` are seen through, the slider's own side by default. Those attacked are taken off the board, the
    attacks are asked for again, and what is new is the answer (chessprogramming wiki, "X-ray Attacks").

    >>> from rookery.rules.board import Board
    >>> xray_attacks(Board("4k3/8/4p3/8/8/4P3/8/4R1K1 w - - 0 1"), 4).names()
    ['h1', 'e4', 'e5', 'e6']
    """
    row = _row(board)
    sq = check_square(square)
    diagonal, orthogonal = (int(word) >> sq & 1 for word in row[2:4])
    if not diagonal and not orthogonal:
        raise ValueError(f"square: {describe_square(board.placement, sq)}: expected a bishop, rook or queen")
    if blockers is None:
        through = int(row[_US] if int(row[_US]) >> sq & 1 else row[_THEM])
    else:
        through = arguments.board_number("blockers", blockers)
    piece = "queen" if diagonal and orthogonal else "bishop" if diagonal else "rook"
    occupied = int(row[_US] | row[_THEM])
    ask = default_technique().ask
    attacked: Bitboard = ask(piece, sq, occupied)
    beyond: Bitboard = ask(piece, sq, occupied & ~(attacked & through))
    return beyond & ~attacked


def batteries(board: View, colour: Colour) -> tuple[Battery, ...]:
    """The batteries of a colour, clockwise from those that point north.

    Two rooks on a file are two batteries, one up and one down the board; one that points off the board is none. A
    third slider in front makes another battery with the second.

    >>> from rookery.colours import WHITE
    >>> from rookery.rules.board import Board
    >>> for battery in batteries(Board("4k3/8/8/r7/8/8/R7/Q5K1 w - - 0 1"), WHITE):
    ...     print(battery.front, battery.rear, battery.line.names())
    8 0 ['a3', 'a4', 'a5']
    """
    row = _row(board)
    side = _pieces_of(row, read_colour(colour))
    occupied = int(row[_US] | row[_THEM])
    out = np.empty(8, U64)
    fronts(row, side, out)
    see = KOGGE_STONE.ray
    found = []
    for direction, sliders in enumerate(out.tolist()):
        for front in Bitboard(sliders):
            ahead = see(DIRECTIONS[direction], front, occupied)
            if ahead:
                behind = see(DIRECTIONS[direction ^ 4], front, occupied) & int(side)
                found.append(Battery(front, behind.bit_length() - 1, ahead))
    return tuple(found)


# Journeys of one slider.


def _layers(piece: AnySlider, square: int, occupied: int, moves: int) -> list[int]:
    first, stride = _DIRECTIONS[read_slider(piece)]
    sq, board = check_square(square), arguments.board_number("occupied", occupied)
    out = np.empty(moves, U64)
    slide_on(first, stride, U64(sq), U64(board), out)
    layers: list[int] = out.tolist()
    return layers


def progressive_mobility(piece: AnySlider, square: int, occupied: int, moves: int = 2) -> tuple[Bitboard, ...]:
    """What a slider reaches in at most 1, 2, ..., `moves` moves in a row, on an occupancy that stays as it is.

    It may capture on an occupied square, but goes no further from there; leave out pieces of its own with
    ``& ~own``. Whether it stands in `occupied` itself does not matter, and its own square does not count.

    >>> once, twice = progressive_mobility("bishop", 2, Bitboard.of("b2", "e3", "g5"))
    >>> once.names()
    ['b2', 'd2', 'e3']
    >>> (twice & ~once).names()
    ['e1', 'c3', 'b4', 'a5']
    """
    if not arguments.is_number(moves):
        raise TypeError(f"moves: {arguments.shown(moves)}: expected an int from 1 to {MOST_SLIDES}")
    if not 1 <= moves <= MOST_SLIDES:
        raise ValueError(f"moves: {arguments.shown(moves)}: expected 1 to {MOST_SLIDES}")
    reached = Bitboard.EMPTY
    return tuple(reached := reached | layer for layer in _layers(piece, square, occupied, moves))


def trajectories(piece: AnySlider, square: int, target: int, occupied: int) -> tuple[Trajectory, ...]:
    """The shortest ways of a slider to a target, as the squares where it stands, first and last included.

    `target` is a square, or an area if it is a `Bitboard`; of an area, the ways to its nearest squares are found. The
    occupancy stays as it is: the slider may capture with its last move, and goes on from empty squares only. None if
    there is no way.

    >>> trajectories("rook", 0, 63, 0)
    ((0, 7, 63), (0, 56, 63))
    >>> trajectories("rook", 0, Bitboard.of("h1", "b3"), Bitboard.of("b1"))
    ((0, 16, 17),)
    >>> trajectories("bishop", 0, 1, 0)
    ()
    """
    layers = [1 << check_square(square), *_layers(piece, square, occupied, MOST_SLIDES)]
    area = int(target) if isinstance(target, Bitboard) else 1 << check_square(target, "target")
    nearest = next((i for i, layer in enumerate(layers) if layer & area), None)
    if nearest is None:
        return ()
    standing = int(occupied) & ~layers[0]
    ask = default_technique().ask
    # Backwards: what a slider attacks from a square is whence it attacks that square.
    ways: list[Trajectory] = [(last,) for last in Bitboard(layers[nearest] & area)]
    for layer in reversed(layers[:nearest]):
        ways = [(s, *way) for way in ways for s in ask(piece, way[0], standing) & layer & ~standing]
    return tuple(sorted(ways))
