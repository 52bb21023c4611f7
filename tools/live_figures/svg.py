"""What static drawings have in common: boards, rows of bits, texts, and the palette of the live figures.

Colours are names of the palette, such as "ink" and "copy-0". A drawing carries the values for light and dark pages;
where it stands inside a page of the site, it takes the page's.
"""

from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from typing import Final, Literal

from rookery.bitboards.pictures.palette import palette
from rookery.bitboards.pictures.shapes import SHAPES
from rookery.bitboards.squares import SQUARE_NAMES

FIGURES: Final = Path(__file__).resolve().parents[2] / "docs" / "figures"
Anchor = Literal["start", "middle", "end"]
CELL: Final = 22  # units of a board's square
BOARD: Final = 8 * CELL


def squares_of(word: int) -> list[int]:
    """Return the squares of a word."""
    return [square for square in range(64) if int(word) >> square & 1]


class Drawing:
    """A drawing of given size, to which parts are added. `title` says in words what it shows."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self.width, self.height, self.title = width, height, title
        self.parts: list[str] = []

    def svg(self) -> str:
        """Return the drawing as SVG."""
        panel = f'<rect width="{self.width}" height="{self.height}" rx="8" fill="var(--panel)"/>'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" width="{self.width}" '
            f'role="img" font-family="system-ui, sans-serif"><title>{escape(self.title)}</title>\n'
            f"<style>{palette('svg')}</style>\n" + "\n".join([panel, *self.parts]) + "\n</svg>\n"
        )

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 13,
        anchor: Anchor = "middle",
        colour: str = "ink",
        bold: bool = False,
        code: bool = False,
    ) -> None:
        """Add a line of text; `y` is its baseline."""
        more = (' font-weight="700"' if bold else "") + (' font-family="ui-monospace, monospace"' if code else "")
        self.parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}" style="fill:var(--{colour})"{more}>'
            f"{escape(text)}</text>"
        )

    def rect(
        self, x: float, y: float, width: float, height: float, colour: str, *, line: str | None = None, rx: float = 0
    ) -> None:
        """Add a rectangle."""
        edge = f";stroke:var(--{line})" if line else ""
        fill = "none" if colour == "none" else f"var(--{colour})"
        self.parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{rx:g}" style="fill:{fill}{edge}"/>'
        )

    def path(self, d: str, colour: str, *, width: float = 2, fill: bool = False, dashes: str = "") -> None:
        """Add lines, or with `fill` an area."""
        style = f"fill:var(--{colour})" if fill else f"fill:none;stroke:var(--{colour});stroke-width:{width:g}"
        self.parts.append(f'<path d="{d}" style="{style}"' + (f' stroke-dasharray="{dashes}"' if dashes else "") + "/>")

    def board(
        self,
        x: float,
        y: float,
        label: str = "",
        *,
        discs: Iterable[tuple[int, str]] = (),
        rings: Iterable[tuple[int, str]] = (),
        tints: Iterable[tuple[int, str]] = (),
        pieces: Mapping[int, str] | None = None,
        texts: Mapping[int, str] | None = None,
    ) -> None:
        """Add a board below its label. Discs, rings and tints are words with their colours; pieces are letters."""
        if label:
            self.text(x + BOARD / 2, y - 7, label, code=True, bold=True)
        self.parts.append('<g class="board">')
        self.rect(x, y, BOARD, BOARD, "light")
        self.path(
            "".join(self._square(x, y, square) for square in range(64) if (square + (square >> 3)) % 2 == 0),
            "dark",
            fill=True,
        )
        for word, colour in tints:
            self.path("".join(self._square(x, y, square) for square in squares_of(word)), colour, fill=True)
        for word, colour in discs:
            for square in squares_of(word):
                a, b = self.middle(x, y, square)
                self.parts.append(f'<circle cx="{a:g}" cy="{b:g}" r="{CELL * 0.36:g}" style="fill:var(--{colour})"/>')
        for word, colour in rings:
            for square in squares_of(word):
                a, b = self.middle(x, y, square)
                ring = f"fill:none;stroke:var(--{colour});stroke-width:2.5"
                self.parts.append(f'<circle cx="{a:g}" cy="{b:g}" r="{CELL * 0.38:g}" style="{ring}"/>')
        for square, text in (texts or {}).items():
            a, b = self.middle(x, y, square)
            self.text(a, b + 3.5, text, size=10)
        for square, letter in (pieces or {}).items():
            self.piece(x, y, square, letter)
        self.parts.append("</g>")

    def piece(self, x: float, y: float, square: int, letter: str) -> None:
        """Add a piece to a board at `x`, `y`."""
        a, b = self.middle(x, y, square)
        white = letter.isupper()
        fill, edge = ("#fffdf7", "#1c1a17") if white else ("#2e2b28", "var(--piece-edge)")
        shape = SHAPES[letter.lower()]
        balls = "".join(f'<circle cx="{cx:g}" cy="{cy:g}" r="{r:g}"/>' for cx, cy, r in shape.balls)
        line = "#1c1a17" if white else "#efe9dc"
        lines = f'<path d="{shape.lines}" fill="none" style="stroke:{line}"/>' if shape.lines else ""
        name = f"{'white' if white else 'black'} {letter.lower()} {SQUARE_NAMES[square]}"
        self.parts.append(
            f'<g transform="translate({a - CELL / 2:g} {b - CELL / 2:g}) scale({CELL / 100:g})" fill="{fill}" '
            f'style="stroke:{edge}" stroke-width="4" stroke-linejoin="round"><title>{name}</title>'
            f'{balls}<path d="{shape.outline}"/>{lines}</g>'
        )

    def digits(
        self, x: float, y: float, digits: str, *, colours: Mapping[int, str] | None = None, width: float = 18
    ) -> None:
        """Add a row of binary digits, from the highest; `colours` fills boxes, by position from the left."""
        for i, digit in enumerate(digits):
            colour = (colours or {}).get(i)
            self.rect(x + i * width + 0.5, y, width - 1, width + 2, colour or "paper", line=None if colour else "line")
            self.text(
                x + (i + 0.5) * width,
                y + width * 0.5 + 6,
                digit,
                size=width * 0.72,
                code=True,
                colour="on-copy" if colour else "ink" if digit == "1" else "ink-soft",
                bold=digit == "1",
            )

    @staticmethod
    def middle(x: float, y: float, square: int) -> tuple[float, float]:
        """Return the middle of a square of a board at `x`, `y`."""
        return x + (square % 8 + 0.5) * CELL, y + (7.5 - square // 8) * CELL

    def _square(self, x: float, y: float, square: int) -> str:
        a, b = self.middle(x, y, square)
        return f"M{a - CELL / 2:g} {b - CELL / 2:g}h{CELL}v{CELL}h-{CELL}z"
