"""The directive `board`: a drawn board, which the site shows as a picture.

    ```{board}
    . . . . k . . .
    ...
    . . P*. K . . .
    ```

The drawing has eight lines of eight cells, rank 8 on top, as `rookery.pictures.text.marked` writes it: a letter for a
piece, and an asterisk after a marked square.
"""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from rookery.bitboards.squares import SQUARE_NAMES
from rookery.pictures.svg import board_svg

SIZE = 260  # pixels
RANKS = FILES = 8


def read(drawing: str) -> tuple[dict[int, str], int]:
    """Return the pieces of a drawn board, letters by square, and its marked squares."""
    lines = drawing.strip("\n").splitlines()
    if len(lines) != RANKS:
        raise ValueError(f"{len(lines)} lines: expected {RANKS}")
    pieces, marked = {}, 0
    for rank, line in zip(reversed(range(RANKS)), lines, strict=True):
        cells = line.ljust(2 * FILES)
        for file in range(FILES):
            square, sign, mark = 8 * rank + file, cells[2 * file], cells[2 * file + 1]
            if sign not in ".PNBRQKpnbrqk" or mark not in " *":
                raise ValueError(f"{SQUARE_NAMES[square]}: {sign + mark!r}: expected a piece or '.', then '*' or ' '")
            if sign != ".":
                pieces[square] = sign
            marked |= (mark == "*") << square
        if cells[2 * FILES :].strip():
            raise ValueError(f"rank {rank + 1}: {line!r}: expected {FILES} cells")
    return pieces, marked


class BoardNode(nodes.General, nodes.Element):
    """Where a board stands in a page."""


class Board(SphinxDirective):
    """The directive."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return a node, or an error that names the square."""
        drawing = "\n".join(self.content)
        try:
            pieces, marked = read(drawing)
        except ValueError as fault:
            raise self.error(f"board: {fault}") from None
        picture = board_svg(pieces, sets={"marked": marked} if marked else None, size=SIZE)
        node = BoardNode(picture=picture, drawing=drawing)
        self.set_source_info(node)
        return [node]


def visit_html(self: Any, node: BoardNode) -> None:
    """Write the picture."""
    self.body.append(f'<figure class="board">{node["picture"]}</figure>\n')
    raise nodes.SkipNode


def visit_text(self: Any, node: BoardNode) -> None:
    """Write the drawing."""
    self.add_text(node["drawing"])
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive with Sphinx."""
    app.add_node(BoardNode, html=(visit_html, None), text=(visit_text, None))
    app.add_directive("board", Board)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
