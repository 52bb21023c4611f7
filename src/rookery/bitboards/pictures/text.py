"""Boards as text: a drawing of 64 cells with some squares marked."""

from rookery.arguments import board_number


def marked(drawing: str, squares: int) -> str:
    r"""Return a drawn board with an asterisk after each of some squares; a space stands after the others.

    `drawing` has eight lines of eight cells with spaces between, rank 8 on top, as ``str(board)`` gives it.

    >>> drawing = "\n".join([". . . . . . . ."] * 7 + ["R . . . K . . ."])
    >>> print(marked(drawing, 0x11).splitlines()[-1])
    R*. . . K*. . .
    """
    squares = board_number("squares", squares)
    rows = []
    for rank, line in zip(range(7, -1, -1), drawing.splitlines(), strict=True):
        marks = ("*" if squares >> (8 * rank + file) & 1 else " " for file in range(8))
        rows.append("".join(f"{cell}{mark}" for cell, mark in zip(line.split(), marks, strict=True)).rstrip())
    return "\n".join(rows)
