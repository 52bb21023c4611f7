"""Boards side by side, for the examples that open the technique files."""

from collections.abc import Mapping

from rookery.arguments import board_number, mapping, shown
from rookery.bitboards.bitboard import Bitboard


def side_by_side(boards: Mapping[str, int]) -> None:
    """Print boards side by side, each under its name.

    >>> rooks = Bitboard.of("a1", "f3")
    >>> side_by_side({"rooks": rooks, "rooks << 8": rooks << 8, "rooks * 3": rooks * 3})
    rooks             rooks << 8        rooks * 3
    . . . . . . . .   . . . . . . . .   . . . . . . . .
    . . . . . . . .   . . . . . . . .   . . . . . . . .
    . . . . . . . .   . . . . . . . .   . . . . . . . .
    . . . . . . . .   . . . . . . . .   . . . . . . . .
    . . . . . . . .   . . . . . 1 . .   . . . . . . . .
    . . . . . 1 . .   . . . . . . . .   . . . . . 1 1 .
    . . . . . . . .   1 . . . . . . .   . . . . . . . .
    1 . . . . . . .   . . . . . . . .   1 1 . . . . . .
    """
    columns = [
        [f"{name!s:<15}", *str(Bitboard(board_number(f"boards[{shown(name)}]", board))).split("\n")]
        for name, board in mapping("boards", boards, "boards by name").items()
    ]
    for row in zip(*columns, strict=True):
        print("   ".join(row).rstrip())
