"""Queries about attacks on a board: attackers, pins, discovered checks, X-rays, batteries and trajectories.

Pins and discovered checks use the move generator's rule: a slider on a line with a king, and exactly one piece between
them. Batteries and trajectories fill whole sets of squares, one direction at a time.

A colour is `WHITE` (True) or ``"white"``, `BLACK` (False) or ``"black"``. Functions that take a board are also methods
of `Board`.
"""

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rookery import arguments
from rookery.aliases import AnyBoard
from rookery.bitboards.bitboard import Bitboard, board_of
from rookery.bitboards.colours import Colour, read_colour
from rookery.bitboards.pieces import AnySlider, read_slider
from rookery.bitboards.placement import describe_square
from rookery.bitboards.squares import DIRECTIONS, STEPS, check_square, file_index, rank_index
from rookery.board import rows
from rookery.kernel.native import native

if TYPE_CHECKING:
    from rookery.board.board import Board

Trajectory = tuple[int, ...]

# The shortest path of a slider visits no square twice, so more moves than this reach nothing new.
MOST_SLIDES: Final = 63

# The first direction of each slider, and the step to the next one.
_DIRECTIONS: Final = {"rook": (0, 2), "bishop": (1, 2), "queen": (0, 1)}


class Pin(NamedTuple):
    """A piece that is pinned to its king.

    `line` holds the squares that the piece may move to: from the king (excluded) to the pinner (included).
    """

    square: int
    pinner: int
    line: Bitboard


class Battery(NamedTuple):
    """Two sliders of a colour, one behind the other, that both move along the line they stand on.

    `line` holds the squares that both attack: those in front of `front`, up to and including the first piece.
    """

    front: int
    rear: int
    line: Bitboard


def _row(board: "Board") -> Any:
    """Return the row of a board as an array."""
    try:
        return rows.as_array(board._row)
    except AttributeError:
        raise arguments.not_a_board("board", board) from None


def _pieces_of(row: Any, colour: bool) -> Any:
    return row[rows.US] if colour == (row[9] == 0) else row[rows.THEM]


@native
def attackers(board: "Board", colour: Colour, square: int, occupied: AnyBoard | None = None) -> Bitboard:
    """Return the pieces of a colour that attack a square, pinned pieces included.

    The contents of the square do not matter. If `occupied` is given, it replaces the board's occupancy when sliding
    attacks are computed: remove a piece from it to see the sliders behind that piece. It does not limit which pieces
    count as attackers.

    >>> board = Board("4k3/8/8/8/8/4N3/4R3/4R1K1 w - - 0 1")
    >>> attackers(board, "white", 10).names()
    ['e2', 'e3']
    >>> attackers(board, "white", 36, board.occupied & ~Bitboard.of("e2", "e3")).names()
    ['e1', 'e2']
    """
    row = _row(board)
    occupied = int(row[rows.US] | row[rows.THEM]) if occupied is None else arguments.board_number("occupied", occupied)
    code = rows.compiled()
    return board_of(
        code.attackers_if_occupied(row, int(read_colour(colour)), check_square(square), occupied, code.tables)
    )


@native
def is_attacked_by(board: "Board", colour: Colour, square: int, occupied: AnyBoard | None = None) -> bool:
    """Check whether a piece of a colour attacks a square. `occupied` is as in `attackers`.

    >>> is_attacked_by(Board(), "white", 16)
    True
    >>> is_attacked_by(Board(), "black", 16)
    False
    """
    return attackers(board, colour, square, occupied) != 0


@native
def attacks(board: "Board", square: int) -> Bitboard:
    """Return the squares that the piece on a square attacks, even if it is pinned; none if the square is empty.

    >>> attacks(Board(), 1).names()
    ['d2', 'a3', 'c3']
    """
    code = rows.compiled()
    return board_of(code.attacks(_row(board), check_square(square), code.tables))


@native
def checkers(board: "Board") -> Bitboard:
    """Return the pieces that give check to the side to move.

    >>> Board("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").checkers().names()
    ['e2']
    """
    code = rows.compiled()
    return board_of(code.checkers(rows.as_array(board._row), code.tables))


@native
def is_check(board: "Board") -> bool:
    """Check whether the side to move is in check.

    >>> Board("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").is_check()
    True
    """
    code = rows.compiled()
    return code.checkers(rows.as_array(board._row), code.tables) != 0


# Pins and discovered checks.


def _shields(row: Any, king_of: bool) -> tuple[int, list[tuple[int, int]]]:
    """Return the square of a king, and the pieces of either colour that alone separate it from an enemy slider.

    Each piece comes with its slider, clockwise from north.
    """
    import numpy as np

    kings = int(row[rows.KINGS] & _pieces_of(row, king_of))
    if not kings:
        return 0, []
    king = (kings & -kings).bit_length() - 1
    out = np.empty(16, np.uint64)
    found = out[: rows.shields(row, np.uint64(king), _pieces_of(row, not king_of), out)].tolist()
    pairs = zip(found[::2], found[1::2], strict=True)
    return king, sorted(pairs, key=lambda pair: _direction(king, pair[1]))


def _direction(a: int, b: int) -> int:
    """Return the index in `DIRECTIONS` of the direction from square `a` to square `b`."""
    ranks, files = rank_index(b) - rank_index(a), file_index(b) - file_index(a)
    return STEPS.index(8 * ((ranks > 0) - (ranks < 0)) + (files > 0) - (files < 0))


def pinned(board: "Board", colour: Colour) -> tuple[Pin, ...]:
    """Return the pieces of a colour that are pinned to their king (absolute pins), clockwise from north of the king.

    Two pawns, one of which may capture the other en passant, can shield a king together; neither is pinned.

    >>> for pin in pinned(Board("4r1k1/8/8/7b/8/5P2/4B3/r2NK3 w - - 0 1"), "white"):
    ...     print(pin.square, pin.pinner, pin.line.names())
    12 60 ['e2', 'e3', 'e4', 'e5', 'e6', 'e7', 'e8']
    3 0 ['a1', 'b1', 'c1', 'd1']
    """
    row = _row(board)
    colour = read_colour(colour)
    own = int(_pieces_of(row, colour))
    king, found = _shields(row, colour)
    return tuple(
        Pin(square, pinner, Bitboard(int(rows.BETWEEN[king, pinner]) | 1 << pinner))
        for square, pinner in found
        if own >> square & 1
    )


@native
def is_pinned(board: "Board", colour: Colour, square: int) -> bool:
    """Check whether a piece of a colour stands on a square and is pinned to its king.

    >>> board = Board("4r1k1/8/8/8/8/8/4B3/4K3 w - - 0 1")
    >>> is_pinned(board, "white", 12)
    True
    >>> is_pinned(board, "white", 20)
    False
    """
    return rows.compiled().is_pinned(_row(board), int(read_colour(colour)), check_square(square)) != 0


@native
def pin(board: "Board", colour: Colour, square: int) -> Bitboard:
    """Return the squares to which a pin confines a colour's piece on a square.

    That is the whole line through the piece and its king, from edge to edge, if the piece is pinned, and all squares
    otherwise.

    >>> board = Board("4r1k1/8/8/8/8/8/4B3/4K3 w - - 0 1")
    >>> pin(board, "white", 12).names()
    ['e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e7', 'e8']
    >>> pin(board, "white", 20) == Bitboard.UNIVERSE
    True
    """
    return board_of(rows.compiled().pin(_row(board), int(read_colour(colour)), check_square(square)))


def discoverers(board: "Board", colour: Colour) -> Bitboard:
    """Return the pieces of a colour that give a discovered check by leaving the line they stand on.

    A piece that already gives check is included if another slider stands behind it on that line.

    >>> discoverers(Board("4k3/8/8/1N6/B3N3/8/8/4R1K1 w - - 0 1"), "white").names()
    ['e4', 'b5']
    """
    row = _row(board)
    colour = read_colour(colour)
    own = int(_pieces_of(row, colour))
    return Bitboard.from_squares(square for square, _ in _shields(row, not colour)[1] if own >> square & 1)


# X-rays and batteries.


def xray_attacks(board: "Board", square: int, blockers: AnyBoard | None = None) -> Bitboard:
    """Return the squares that the slider on a square attacks through its first blockers only.

    `blockers` are the pieces that it sees through, by default those of its own side. The attacked blockers are removed
    from the occupancy, and the attacks that this adds are the result (chessprogramming wiki, "X-ray Attacks").

    >>> xray_attacks(Board("4k3/8/4p3/8/8/4P3/8/4R1K1 w - - 0 1"), 4).names()
    ['h1', 'e4', 'e5', 'e6']
    """
    row = _row(board)
    sq = check_square(square)
    diagonal, orthogonal = (int(word) >> sq & 1 for word in row[2:4])
    if not diagonal and not orthogonal:
        raise ValueError(f"square: {describe_square(board.placement, sq)}: expected a bishop, rook or queen")
    if blockers is None:
        through = int(row[rows.US] if int(row[rows.US]) >> sq & 1 else row[rows.THEM])
    else:
        through = arguments.board_number("blockers", blockers)
    piece = "queen" if diagonal and orthogonal else "bishop" if diagonal else "rook"
    occupied = int(row[rows.US] | row[rows.THEM])
    attacks_from = rows.default_technique().ask
    attacked: Bitboard = attacks_from(piece, sq, occupied)
    beyond: Bitboard = attacks_from(piece, sq, occupied & ~(attacked & through))
    return beyond & ~attacked


def batteries(board: "Board", colour: Colour) -> tuple[Battery, ...]:
    """Return the batteries of a colour, clockwise from those that point north.

    Two rooks on a file form two batteries, one in each direction; a battery that points off the board does not count.
    A third slider in front forms another battery with the second.

    >>> for battery in batteries(Board("4k3/8/8/r7/8/8/R7/Q5K1 w - - 0 1"), "white"):
    ...     print(battery.front, battery.rear, battery.line.names())
    8 0 ['a3', 'a4', 'a5']
    """
    import numpy as np

    row = _row(board)
    side = _pieces_of(row, read_colour(colour))
    occupied = int(row[rows.US] | row[rows.THEM])
    out = np.empty(8, np.uint64)
    rows.fronts(row, side, out)
    ray = rows.KOGGE_STONE.ray
    found = []
    for direction, sliders in enumerate(out.tolist()):
        for front in Bitboard(sliders):
            ahead = ray(DIRECTIONS[direction], front, occupied)
            if ahead:
                behind = ray(DIRECTIONS[direction ^ 4], front, occupied) & int(side)
                found.append(Battery(front, behind.bit_length() - 1, ahead))
    return tuple(found)


# Paths of one slider.


def _layers(piece: AnySlider, square: int, occupied: AnyBoard, moves: int) -> list[int]:
    import numpy as np

    first, stride = _DIRECTIONS[read_slider(piece)]
    sq, board = check_square(square), arguments.board_number("occupied", occupied)
    out = np.empty(moves, np.uint64)
    rows.slide_on(*map(np.uint64, (first, stride, sq, board)), out)
    layers: list[int] = out.tolist()
    return layers


def progressive_mobility(piece: AnySlider, square: int, occupied: AnyBoard, moves: int = 2) -> tuple[Bitboard, ...]:
    """Return the squares that a slider reaches in at most 1, 2, ..., `moves` consecutive moves.

    The occupancy stays the same. The slider may capture on an occupied square but does not move on from there; exclude
    its own pieces with ``& ~own``. It makes no difference whether `occupied` contains the slider, and its own square is
    not part of the result.

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


def trajectories(piece: AnySlider, square: int, target: AnyBoard, occupied: AnyBoard) -> tuple[Trajectory, ...]:
    """Return the shortest paths of a slider to a target, each as its squares from first to last.

    `target` is a square or, as a `Bitboard` or a `SquareSet`, an area, to whose nearest squares paths are found. The
    occupancy stays the same: the slider may capture with its last move, and moves on from empty squares only. If there
    is no path, the result is empty.

    >>> trajectories("rook", 0, 63, 0)
    ((0, 7, 63), (0, 56, 63))
    >>> trajectories("rook", 0, Bitboard.of("h1", "b3"), Bitboard.of("b1"))
    ((0, 16, 17),)
    >>> trajectories("bishop", 0, 1, 0)
    ()
    """
    layers = [1 << check_square(square), *_layers(piece, square, occupied, MOST_SLIDES)]
    is_area = isinstance(target, Bitboard) or arguments.is_set(target)
    area = arguments.board_number("target", target) if is_area else 1 << check_square(target, "target")  # type: ignore[arg-type]  # no set
    nearest = next((i for i, layer in enumerate(layers) if layer & area), None)
    if nearest is None:
        return ()
    others = arguments.board_number("occupied", occupied) & ~layers[0]
    attacks_from = rows.default_technique().ask
    # Backwards: a slider attacks a square from the squares that it attacks from there.
    paths: list[Trajectory] = [(last,) for last in Bitboard(layers[nearest] & area)]
    for layer in reversed(layers[:nearest]):
        paths = [(s, *path) for path in paths for s in attacks_from(piece, path[0], others) & layer & ~others]
    return tuple(sorted(paths))


# Exchanges.


@native
def see(board: "Board", move: int) -> int:
    """Return the material in centipawns that a legal move wins in the exchange on its target square.

    After the move, the sides take turns to capture on that square. Each may make any legal capture, in any order, or
    stop: pinned pieces do not capture, nor do others while their king is in check. Captures en passant end on another
    square and do not count as replies.

    The result is negative if the move loses material, and 0 for castling. A promotion counts the promoted piece; a
    pawn that recaptures on the last rank becomes a queen. The values are `PIECE_VALUES`. `pseudo_legal_see` counts as
    most engines do.

    >>> board = Board("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1")
    >>> see(board, board.parse_san("Rxe5"))
    100
    >>> board = Board("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1")
    >>> see(board, board.parse_san("Nxe5"))
    -220
    """
    if not hasattr(board, "_row"):
        raise arguments.not_a_board("board", board)
    return _exchange(board, move, "see")


@native
def pseudo_legal_see(board: "Board", move: int) -> int:
    """Return the static exchange evaluation of a legal move by the swap algorithm, in centipawns.

    Like `see`, but each side captures with its least valuable piece or stops, and captures may leave their own king
    attacked, except that a king captures only what the other side does not defend. Most engines count like this.

    >>> board = Board("4k3/8/5n2/3P4/1b6/2N5/8/4K3 b - - 0 1")
    >>> pseudo_legal_see(board, board.parse_san("Nxd5"))
    -220
    >>> see(board, board.parse_san("Nxd5"))  # the knight on c3 is pinned
    100
    """
    if not hasattr(board, "_row"):
        raise arguments.not_a_board("board", board)
    return _exchange(board, move, "pseudo_legal_see")


def _exchange(board: "Board", move: int, kernel: str) -> int:
    import numpy as np

    code, word = rows.compiled(), board._the_legal_word(move)
    value: int = getattr(code, kernel)(
        rows.as_array(board._row), word, np.empty(rows.SPACE_BYTES, np.uint8), code.tables
    )
    return value
