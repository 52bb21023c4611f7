"""The pictures of the explorer that stand in pages where the site has the explorer itself."""

import re
from collections.abc import Callable
from pathlib import Path
from textwrap import wrap
from typing import Final

from docsite.explorer_states import Embed, embeds
from live_figures.svg import BOARD, Drawing
from rookery.bitboards.placement import Placement
from rookery.bitboards.squares import parse_square
from rookery.explain import drawing, explain

DOCS: Final = Path(__file__).resolve().parents[1] / "docs"
MARGIN, GAP, HEAD = 24, 34, 42  # units; a head of at most two lines stands above each board
NAME: Final = 26  # letters in a line of a head
WIDTH: Final = 2 * MARGIN + 3 * BOARD + 2 * GAP + 60
LETTERS: Final = 46  # in a line beside the position


def files() -> dict[Path, Callable[[], str]]:
    """Return the writer of each picture by its file."""
    pages = (page for page in sorted(DOCS.rglob("*.md")) if "generated" not in page.parts)
    return {
        (page.parent / embed.picture).resolve(): lambda embed=embed: picture(embed)  # type: ignore[misc]
        for page in pages
        for embed in embeds(page.read_text(encoding="utf-8"))
    }


def picture(embed: Embed) -> str:
    """Return the position, and below it the formulas of the step, as the explorer shows them."""
    state = embed.state
    placement = Placement.from_fen(state["fen"])
    explanation = explain(
        state["technique"], state["piece"], parse_square(state["square"]), placement.occupied, state["mapping"]
    )
    step = explanation.steps[int(state["step"]) - 1]
    rows = drawing.figure(explanation, step).rows if state.get("panel") != "position" else ()
    height = MARGIN + (1 + len(rows)) * (HEAD + BOARD) + MARGIN
    drawn = Drawing(WIDTH, height, embed.alt)
    y = MARGIN + HEAD
    pieces = dict(placement.marks())
    drawn.board(
        MARGIN, y, f"{state['piece']} on {state['square']}", pieces=pieces, rings=[(explanation.attacks, "attacked")]
    )
    x = MARGIN + BOARD + GAP
    drawn.text(x, y + 14, "The explorer", size=17, anchor="start", bold=True)
    below = y + 40
    code = () if state.get("panel") == "position" else drawing.code_text(step).splitlines()
    for line in (wrapped for text in code for wrapped in wrap(text, LETTERS, subsequent_indent="    ")):
        drawn.text(x, below, line, size=14, anchor="start", code=True)
        below += 20
    for line in wrap(f"{explanation.technique.name}: {explanation.technique.summary}", LETTERS + 8):
        drawn.text(x, below, line, size=14, anchor="start", colour="ink-soft")
        below += 20
    for row in rows:
        y += BOARD + HEAD
        _formula(drawn, row, y)
    return drawn.svg()


def _formula(drawn: Drawing, row: tuple[drawing.Item, ...], y: int) -> None:
    """Draw the boards of a formula, with operators and numbers between them."""
    x: float = MARGIN
    for item in row:
        if isinstance(item, drawing.Drawn):
            for i, line in enumerate(reversed(_broken(item.name))):
                drawn.text(x + BOARD / 2, y - 7 - 13 * i, line, size=11, code=True, bold=True)
            rings, discs = [(item.blocked, "copy-0")], [(item.free, "attacked")]
            drawn.board(x, y, tints=[(item.into_index, "seen")], discs=discs, rings=rings)
            x += BOARD
        else:
            name, text = ("", item) if isinstance(item, str) else item
            wide = max(GAP, 8 * max(len(text), len(name)) + 12)
            drawn.text(x + wide / 2, y + BOARD / 2, text, size=13 if name else 20, code=True, bold=not name)
            drawn.text(x + wide / 2, y + BOARD / 2 + 18, name, size=12, colour="ink-soft")
            x += wide


def _broken(name: str) -> list[str]:
    """Return a formula in at most two lines, which break before an operator; one that is too long is cut."""
    if len(name) <= NAME:
        return [name]
    places = [match.start() for match in re.finditer(r" (?=[-+*/&|^<>]+ )", name)]
    at = min(places, key=lambda place: abs(place - len(name) // 2), default=NAME)
    return [line if len(line) <= NAME + 2 else f"{line[:NAME]}..." for line in (name[:at], name[at + 1 :])]
