"""python-chess's names for bitboards: constants, and functions that scan, flip and shift boards.

The constants are `Bitboard` objects, so ``~BB_FILE_A`` is a board, too. Functions take an int, a `Bitboard` or a
`SquareSet`, and return a `Bitboard`.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from rookery.arguments import board_number
from rookery.bitboards import bits, lines, sets
from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.leapers import king_attacks, knight_attacks, pawn_attacks
from rookery.bitboards.squares import AnyBoard, check_square
from rookery.rules.compiled import default_technique

BB_EMPTY: Final = Bitboard.EMPTY
BB_ALL: Final = Bitboard.UNIVERSE
BB_SQUARES: Final = [Bitboard(1 << square) for square in range(64)]
# fmt: off
BB_A1, BB_B1, BB_C1, BB_D1, BB_E1, BB_F1, BB_G1, BB_H1 = BB_SQUARES[:8]
BB_A2, BB_B2, BB_C2, BB_D2, BB_E2, BB_F2, BB_G2, BB_H2 = BB_SQUARES[8:16]
BB_A3, BB_B3, BB_C3, BB_D3, BB_E3, BB_F3, BB_G3, BB_H3 = BB_SQUARES[16:24]
BB_A4, BB_B4, BB_C4, BB_D4, BB_E4, BB_F4, BB_G4, BB_H4 = BB_SQUARES[24:32]
BB_A5, BB_B5, BB_C5, BB_D5, BB_E5, BB_F5, BB_G5, BB_H5 = BB_SQUARES[32:40]
BB_A6, BB_B6, BB_C6, BB_D6, BB_E6, BB_F6, BB_G6, BB_H6 = BB_SQUARES[40:48]
BB_A7, BB_B7, BB_C7, BB_D7, BB_E7, BB_F7, BB_G7, BB_H7 = BB_SQUARES[48:56]
BB_A8, BB_B8, BB_C8, BB_D8, BB_E8, BB_F8, BB_G8, BB_H8 = BB_SQUARES[56:]
# fmt: on
BB_FILES: Final = [Bitboard(bits.file_mask(file)) for file in range(8)]
BB_FILE_A, BB_FILE_B, BB_FILE_C, BB_FILE_D, BB_FILE_E, BB_FILE_F, BB_FILE_G, BB_FILE_H = BB_FILES
BB_RANKS: Final = [Bitboard(bits.rank_mask(8 * rank)) for rank in range(8)]
BB_RANK_1, BB_RANK_2, BB_RANK_3, BB_RANK_4, BB_RANK_5, BB_RANK_6, BB_RANK_7, BB_RANK_8 = BB_RANKS
BB_BACKRANKS: Final = BB_RANK_1 | BB_RANK_8
BB_CORNERS: Final = Bitboard.of("a1", "h1", "a8", "h8")
BB_CENTER: Final = Bitboard.of("d4", "e4", "d5", "e5")
BB_LIGHT_SQUARES: Final = Bitboard(bits.LIGHT_SQUARES)
BB_DARK_SQUARES: Final = Bitboard(bits.DARK_SQUARES)

BB_KNIGHT_ATTACKS: Final = [knight_attacks(square) for square in range(64)]
BB_KING_ATTACKS: Final = [king_attacks(square) for square in range(64)]
BB_PAWN_ATTACKS: Final = [[pawn_attacks(colour, square) for square in range(64)] for colour in (False, True)]
_FILE_LINES: Final = [lines.line_through("file", square) for square in range(64)]
_RANK_LINES: Final = [lines.line_through("rank", square) for square in range(64)]
# The squares whose pieces matter: without the ends of lines.
BB_DIAG_MASKS: Final = [lines.relevant_occupancy("bishop", square) for square in range(64)]
BB_FILE_MASKS: Final = [lines.relevant_occupancy("rook", square) & _FILE_LINES[square] for square in range(64)]
BB_RANK_MASKS: Final = [lines.relevant_occupancy("rook", square) & _RANK_LINES[square] for square in range(64)]
BB_RAYS: Final = [[lines.line(a, b) for b in range(64)] for a in range(64)]


class _LineAttacks:
    """The attacks on one line through a square, by the occupied squares: a row of `_AttackTable`."""

    def __init__(self, piece: str, square: int, line: Bitboard) -> None:
        self._attacks = getattr(default_technique(), piece)
        self._square = square
        self._line = line

    def __getitem__(self, occupied: AnyBoard) -> Bitboard:
        attacks: Bitboard = self._attacks(self._square, board_number("occupied", occupied))
        return attacks & self._line


class _AttackTable(Sequence[_LineAttacks]):
    """A table like ``BB_FILE_ATTACKS[square][occupied]``. It computes what python-chess keeps in dictionaries."""

    def __init__(self, piece: str, lines: list[Bitboard]) -> None:
        self._piece = piece
        self._lines = lines

    def __getitem__(self, square: int) -> _LineAttacks:  # type: ignore[override]  # a slice of squares has no use
        return _LineAttacks(self._piece, check_square(square), self._lines[square])

    def __len__(self) -> int:
        return len(self._lines)


BB_DIAG_ATTACKS: Final = _AttackTable("bishop", [BB_ALL] * 64)
BB_FILE_ATTACKS: Final = _AttackTable("rook", _FILE_LINES)
BB_RANK_ATTACKS: Final = _AttackTable("rook", _RANK_LINES)


# Lines and scans.


def ray(a: int, b: int) -> Bitboard:
    """Return the line through two squares, from edge to edge, or the empty board if they are not on one line.

    >>> ray(0, 9).names()
    ['a1', 'b2', 'c3', 'd4', 'e5', 'f6', 'g7', 'h8']
    """
    return lines.line(a, b)


def lsb(bb: AnyBoard) -> int:
    """Return the lowest square of a board, or -1 if it is empty.

    >>> lsb(BB_E4 | BB_H8)
    28
    """
    board = board_number("bb", bb)
    return (board & -board).bit_length() - 1


def msb(bb: AnyBoard) -> int:
    """Return the highest square of a board, or -1 if it is empty.

    >>> msb(BB_E4 | BB_H8)
    63
    """
    return board_number("bb", bb).bit_length() - 1


def scan_forward(bb: AnyBoard) -> Iterator[int]:
    """Yield the squares of a board, lowest first.

    >>> list(scan_forward(BB_E4 | BB_A1))
    [0, 28]
    """
    return iter(Bitboard(board_number("bb", bb)))


def scan_reversed(bb: AnyBoard) -> Iterator[int]:
    """Yield the squares of a board, highest first.

    >>> list(scan_reversed(BB_E4 | BB_A1))
    [28, 0]
    """
    return reversed(Bitboard(board_number("bb", bb)))


def popcount(bb: AnyBoard) -> int:
    """Return the number of squares of a board.

    >>> popcount(BB_RANK_1)
    8
    """
    return board_number("bb", bb).bit_count()


# Flips.


def flip_vertical(bb: AnyBoard) -> Bitboard:
    """Swap rank 1 with rank 8, and so on.

    >>> flip_vertical(BB_B3).names()
    ['b6']
    """
    return Bitboard(bits.flip_vertical(board_number("bb", bb)))


def flip_horizontal(bb: AnyBoard) -> Bitboard:
    """Swap the a-file with the h-file, and so on.

    >>> flip_horizontal(BB_B3).names()
    ['g3']
    """
    return Bitboard(bits.mirror_horizontal(board_number("bb", bb)))


def flip_diagonal(bb: AnyBoard) -> Bitboard:
    """Mirror at the diagonal from a1 to h8.

    >>> flip_diagonal(BB_B3).names()
    ['c2']
    """
    return Bitboard(bits.flip_diagonal(board_number("bb", bb)))


def flip_anti_diagonal(bb: AnyBoard) -> Bitboard:
    """Mirror at the diagonal from a8 to h1.

    >>> flip_anti_diagonal(BB_B3).names()
    ['f7']
    """
    return Bitboard(bits.flip_antidiagonal(board_number("bb", bb)))


# Shifts. Squares that leave the board are lost.


def shift_down(bb: AnyBoard) -> Bitboard:
    """Move all squares down by one.

    >>> shift_down(BB_B3).names()
    ['b2']
    """
    return Bitboard(sets.sout_one(board_number("bb", bb)))


def shift_2_down(bb: AnyBoard) -> Bitboard:
    """Move all squares down by two.

    >>> shift_2_down(BB_B3).names()
    ['b1']
    """
    return Bitboard(sets.sout_one(sets.sout_one(board_number("bb", bb))))


def shift_up(bb: AnyBoard) -> Bitboard:
    """Move all squares up by one.

    >>> shift_up(BB_B3).names()
    ['b4']
    """
    return Bitboard(sets.nort_one(board_number("bb", bb)))


def shift_2_up(bb: AnyBoard) -> Bitboard:
    """Move all squares up by two.

    >>> shift_2_up(BB_B3).names()
    ['b5']
    """
    return Bitboard(sets.nort_one(sets.nort_one(board_number("bb", bb))))


def shift_right(bb: AnyBoard) -> Bitboard:
    """Move all squares to the right by one.

    >>> shift_right(BB_B3).names()
    ['c3']
    """
    return Bitboard(sets.east_one(board_number("bb", bb)))


def shift_2_right(bb: AnyBoard) -> Bitboard:
    """Move all squares to the right by two.

    >>> shift_2_right(BB_B3).names()
    ['d3']
    """
    return Bitboard(sets.east_one(sets.east_one(board_number("bb", bb))))


def shift_left(bb: AnyBoard) -> Bitboard:
    """Move all squares to the left by one.

    >>> shift_left(BB_B3).names()
    ['a3']
    """
    return Bitboard(sets.west_one(board_number("bb", bb)))


def shift_2_left(bb: AnyBoard) -> Bitboard:
    """Move all squares to the left by two.

    >>> shift_2_left(BB_D3).names()
    ['b3']
    """
    return Bitboard(sets.west_one(sets.west_one(board_number("bb", bb))))


def shift_up_left(bb: AnyBoard) -> Bitboard:
    """Move all squares up and to the left by one.

    >>> shift_up_left(BB_B3).names()
    ['a4']
    """
    return Bitboard(sets.no_we_one(board_number("bb", bb)))


def shift_up_right(bb: AnyBoard) -> Bitboard:
    """Move all squares up and to the right by one.

    >>> shift_up_right(BB_B3).names()
    ['c4']
    """
    return Bitboard(sets.no_ea_one(board_number("bb", bb)))


def shift_down_left(bb: AnyBoard) -> Bitboard:
    """Move all squares down and to the left by one.

    >>> shift_down_left(BB_B3).names()
    ['a2']
    """
    return Bitboard(sets.so_we_one(board_number("bb", bb)))


def shift_down_right(bb: AnyBoard) -> Bitboard:
    """Move all squares down and to the right by one.

    >>> shift_down_right(BB_B3).names()
    ['c2']
    """
    return Bitboard(sets.so_ea_one(board_number("bb", bb)))
