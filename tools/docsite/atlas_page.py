"""The atlas of magic factors as a picture, and its page."""

from typing import Any, Final

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

import figures
from docsite.charts import picture
from docsite.drawing import THEMES, svg
from docsite.repository import GENERATED
from rookery.bitboards.squares import parse_square
from rookery.magics.atlas import FOUND, PROVED, Cell, atlas

NAME: Final = "magic-atlas"
TITLE: Final = "The magic atlas"
ABOUT: Final = """\
A magic factor turns what stands on a piece's rays into an index. The relevant squares have n bits, and for every square
of rook and bishop a factor is known that maps their occupancies to n bits without a destructive collision. With n - 1
bits a table is half as long. Each of the 128 squares is settled separately: by a factor that was found, or by an
exhaustive search that found none.

A square's number is the narrowest index, in bits, for which a factor is known. Its sign and filling are about n - 1:

- ``+``, solid: a factor for one bit less is known;
- ``-``, empty: proved that there is none;
- ``?``, hatched: open.

A sign in brackets is as published by others, and not decided by a proof or a factor of ours.

``rookery magics atlas`` prints all of it, ``rookery magics prove --piece bishop --square c1 --bits 4`` proves a square
again; :doc:`/magic-factors` tells how.
"""


def sign(cell: Cell) -> str:
    """Return the mark of a square."""
    mark = figures.MARKS[cell.answer]
    return mark if cell.answer == "open" or cell.source in (PROVED, FOUND) else f"({mark})"


def draw(figure: Figure, ink: str, surface: str) -> None:
    """Two boards, the rook's and the bishop's."""
    for axes, piece in zip(figure.subplots(1, 2), ("rook", "bishop"), strict=True):
        for cell in atlas():
            if cell.piece == piece:
                _square(axes, cell, ink, surface)
        axes.set_xlim(-0.5, 7.5)
        axes.set_ylim(-0.5, 7.5)
        axes.set_xticks(range(8), "abcdefgh")
        axes.set_yticks(range(8), "12345678")
        axes.tick_params(length=0)
        axes.set_aspect("equal")
        axes.set_title(piece)


def _square(axes: Any, cell: Cell, ink: str, surface: str) -> None:
    rank, file = divmod(parse_square(cell.square), 8)
    style: dict[str, Any] = {"facecolor": "none"}
    letters = ink
    if cell.answer == "factor":
        style = {"facecolor": ink}
        letters = "white" if ink == THEMES["light"][0] else "black"
    elif cell.answer == "open":
        style = {"facecolor": surface, "hatch": "////"}
    axes.add_patch(Rectangle((file - 0.46, rank - 0.46), 0.92, 0.92, edgecolor=ink, linewidth=0.5, **style))
    if cell.answer == "open":  # letters stand on no hatches
        axes.add_patch(Rectangle((file - 0.28, rank - 0.38), 0.56, 0.76, facecolor=surface))
    axes.text(file, rank + 0.15, str(cell.best[0]), color=letters, ha="center", va="center", fontsize=9)
    axes.text(file, rank - 0.25, sign(cell), color=letters, ha="center", va="center", fontsize=8)


def in_words() -> str:
    """Return the text of the picture: each answer with its squares."""
    parts = []
    for answer, words in (("factor", "one bit less"), ("none", "not one bit less"), ("open", "open")):
        for piece in ("rook", "bishop"):
            squares = [cell.square for cell in atlas() if (cell.piece, cell.answer) == (piece, answer)]
            parts.append(f"{piece}s, {words}: {' '.join(squares) or 'none'}")
    return "; ".join(parts)


def files() -> dict[str, str]:
    """Return the page and its pictures, by their names under docs/."""
    pictures = {f"{GENERATED}/{NAME}-{theme}.svg": svg(4.6, theme, draw) for theme in THEMES}
    summary, _, table = figures.atlas().partition("\n\n```text\n")
    rows = table.removesuffix("\n```").splitlines()
    parts = [
        f"{TITLE}\n{'=' * len(TITLE)}",
        ABOUT.strip().replace("n - 1", "n\N{NO-BREAK SPACE}-\N{NO-BREAK SPACE}1"),
        picture(NAME, TITLE, in_words()),
        summary.replace("`", "``").rpartition(" Rooks, and")[0],
        "The signs as text, rooks and bishops::",
        "\n".join(f"   {row}".rstrip() for row in rows),
        "Next steps: :doc:`/magic-factors` shows how to find and prove these answers yourself.",
    ]
    return {f"{GENERATED}/{NAME}.rst": "\n\n".join(parts) + "\n", **pictures}
