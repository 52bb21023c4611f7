"""Boards side by side, for the examples that open the technique files."""

import sys
from collections.abc import Mapping
from html import escape

from rookery.aliases import AnyBoard
from rookery.arguments import board_number, mapping, shown
from rookery.bitboards.bitboard import Bitboard


def side_by_side(boards: Mapping[str, AnyBoard]) -> None:
    """Print boards side by side, each under its name; notebooks show pictures.

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
    text = "\n".join("   ".join(row).rstrip() for row in zip(*columns, strict=True))
    ipython = sys.modules.get("IPython")
    if ipython is not None and ipython.get_ipython() is not None:
        ipython.display.display(_Row(text, boards))
    else:
        print(text)


class _Row:
    """Boards that notebooks show as pictures, and terminals as text."""

    def __init__(self, text: str, boards: Mapping[str, AnyBoard]) -> None:
        self.text = text
        self.boards = boards

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        """Return the pictures, each above its name."""
        pictures = (
            f'<figure style="margin:0"><figcaption><code>{escape(str(name))}</code></figcaption>'
            f"{Bitboard(board).svg(size=170)}</figure>"
            for name, board in self.boards.items()
        )
        return f'<div style="display:flex;flex-wrap:wrap;gap:1em">{"".join(pictures)}</div>'
