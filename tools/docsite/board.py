"""The directive `board`: a drawn board, which the site shows as a picture.

    ```board
    . . . . k . . .
    ...
    . . P*. K . . .
    ```

The drawing has eight lines of eight cells, rank 8 on top, as `rookery.bitboards.pictures.text.marked` writes it: a
letter for a piece, and an asterisk after a marked square.

A link below each board opens its position in the explorer, also below examples that draw a board named ``occupied``.
"""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from docsite.explorer_states import PAGE, state_of
from rookery.bitboards.pictures.svg import board_svg
from rookery.bitboards.placement import Placement
from rookery.bitboards.squares import SQUARE_NAMES

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


def in_explorer(pieces: Mapping[int, str]) -> str:
    """Return the address of the explorer with these pieces: it shows a slider of theirs, or else a queen."""
    sliders = {"r": "rook", "b": "bishop", "q": "queen"}
    square = next((sq for sq in sorted(pieces) if pieces[sq].lower() in sliders), min(pieces, default=27))
    piece = sliders.get(pieces.get(square, "q").lower(), "queen")
    rows = []
    for rank in reversed(range(RANKS)):
        row = "".join(pieces.get(FILES * rank + file, "1") for file in range(FILES))
        rows.append(re.sub("1+", lambda run: str(len(run[0])), row))
    fen = Placement.from_fen("/".join(rows)).to_fen()
    return f"{PAGE}#{urlencode(state_of(f'piece={piece} square={SQUARE_NAMES[square]}', fen))}"


def occupied_in(example: str) -> dict[int, str]:
    """Return the pieces of the first board named ``occupied`` that an example draws: pawns, and a rook among them.

    The rook stands on d4, if that square is occupied. Without such a board there are no pieces.
    """
    lines = example.splitlines()
    for i, line in enumerate(lines):
        if re.match(r"occupied( |$)", line) and not line.startswith("occupied ="):
            try:
                pieces, _ = read("\n".join(row[: 2 * FILES].replace("1", "p") for row in lines[i + 1 : i + 9]))
            except ValueError:
                continue
            if pieces:
                return {**pieces, 27 if 27 in pieces else min(pieces): "R"}
    return {}


def link_examples(app: Sphinx, doctree: nodes.document) -> None:
    """Add a link to the explorer below each example that draws an occupancy."""
    up = "../" * app.env.docname.count("/")
    for block in list(doctree.findall(lambda node: isinstance(node, nodes.literal_block | nodes.doctest_block))):
        pieces = occupied_in(block.astext())
        if pieces:
            text = nodes.reference(
                "", "Open this board in the explorer", refuri=up + in_explorer(pieces), internal=False
            )
            block.parent.insert(block.parent.index(block) + 1, nodes.paragraph("", "", text, classes=["in-explorer"]))


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
        node = BoardNode(picture=picture, drawing=drawing, address=in_explorer(pieces))
        self.set_source_info(node)
        return [node]


def visit_html(self: Any, node: BoardNode) -> None:
    """Write the picture, and a link to the explorer."""
    up = "../" * self.builder.get_target_uri(self.builder.current_docname).count("/")
    link = f'<a href="{self.attval(up + node["address"])}">Open in the explorer</a>'
    self.body.append(f'<figure class="board">{node["picture"]}<figcaption>{link}</figcaption></figure>\n')
    raise nodes.SkipNode


def visit_text(self: Any, node: BoardNode) -> None:
    """Write the drawing."""
    self.add_text(node["drawing"])
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive with Sphinx."""
    app.add_node(BoardNode, html=(visit_html, None), text=(visit_text, None))
    app.add_directive("board", Board)
    app.connect("doctree-read", link_examples)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
