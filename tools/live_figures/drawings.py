"""The static drawings of figures: what each shows is computed by the library."""

from collections.abc import Callable
from typing import Final

from live_figures.svg import BOARD, Drawing
from rookery import Bitboard
from rookery.bitboards.squares import SQUARE_NAMES


def square_and_bit() -> str:
    """Draw three squares, and their bits in the 64-bit number."""
    chosen = Bitboard.of("a1", "d4", "g7")
    colours = {0: "copy-0", 27: "copy-1", 54: "copy-2"}
    names = ", ".join(f"{SQUARE_NAMES[s]} is bit {s}" for s in chosen)
    d = Drawing(640, 236, f"A board whose squares are numbered from 0 (a1) to 63 (h8), and a 64-bit number. {names}.")
    d.board(
        20,
        26,
        discs=[(1 << s, colour) for s, colour in colours.items()],
        texts={s: str(s) for s in range(64) if s not in colours},
    )
    for square in colours:
        a, b = d.middle(20, 26, square)
        d.text(a, b + 3.5, str(square), size=10, colour="on-copy", bold=True)
    d.text(222, 38, "bit 63", anchor="start", colour="ink-soft", size=11)
    for row in range(8):
        rank = 7 - row
        digits = f"{int(chosen):064b}"[8 * row : 8 * row + 8]
        found = {7 - square % 8: colour for square, colour in colours.items() if square // 8 == rank}
        d.digits(222, 46 + row * 20.5, digits, colours=found, width=17)
        d.text(366, 60 + row * 20.5, f"bits {8 * rank + 7} to {8 * rank}: rank {rank + 1}", anchor="start", size=12)
    d.text(358, 228, "bit 0", anchor="end", colour="ink-soft", size=11)
    d.text(20 + BOARD / 2, 222, f"0x{int(chosen):016x}", code=True, size=12)
    return d.svg()


DRAWINGS: Final[dict[str, Callable[[], str]]] = {
    "square-and-bit": square_and_bit,
}
