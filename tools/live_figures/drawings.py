"""The static drawings of figures: what each shows is computed by the library."""

from collections.abc import Callable
from typing import Final

import rookery
from live_figures.svg import BOARD, Drawing
from rookery import Bitboard, Board, Placement, sets
from rookery.bitboards.sets import AVOID_WRAP
from rookery.bitboards.squares import NORT, SQUARE_NAMES

GAP: Final = 24  # between boards


def square_and_bit() -> str:
    """Draw the squares of the board that the tutorial uses, and their bits in the 64-bit number."""
    chosen = Bitboard.of("b4", "d4", "g4", "d6", "f6", "d8")
    colours = {square: f"copy-{n}" for n, square in enumerate(chosen)}
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


def set_operations() -> str:
    """Draw two sets and the results of four operations, each square in the colour of its operand."""
    a, b = Bitboard.of("c3", "d4", "e5"), Bitboard.of("d4", "e5", "f6")
    results = {"a": a, "b": b, "a & b": a & b, "a | b": a | b, "a ^ b": a ^ b, "a & ~b": a & ~b}
    d = Drawing(640, 450, "; ".join(f"{name}: {', '.join(Bitboard(word).names())}" for name, word in results.items()))
    for i, (name, word) in enumerate(results.items()):
        own = {"a": (a, 0), "b": (0, b)}.get(name, (a, b))
        discs = [
            (word & own[0] & ~own[1], "copy-0"),
            (word & own[1] & ~own[0], "copy-1"),
            (word & own[0] & own[1], "copy-2"),
        ]
        d.board(32 + i % 3 * (BOARD + GAP), 34 + i // 3 * (BOARD + 40), name, discs=discs)
    return d.svg()


def steps() -> str:
    """Draw a set, the set shifted by one bit, and the step east, which a mask keeps from wrapping."""
    b = Bitboard.of("a2", "b2", "d3", "h2", "e8", "h6")
    east = Bitboard(int(sets.east_one(b)))
    wrapped = b << 1 & ~east
    d = Drawing(
        640, 236, f"A set, and the same set after << 1: {', '.join(wrapped.names())} wrapped. A mask removes them."
    )
    boards = {
        "b": [(b, "copy-0")],
        "b << 1": [(east, "copy-0"), (wrapped, "bad")],
        "(b << 1) & ~A_FILE": [(east, "copy-0")],
    }
    for i, (name, discs) in enumerate(boards.items()):
        d.board(32 + i * (BOARD + GAP), 34, name, discs=discs)
    return d.svg()


def subtraction() -> str:
    """Draw the subtraction on a file, upward and downward, digit by digit."""
    slider, blockers = 3, (1, 5, 6)
    squares = {rank: 8 * rank + 3 for rank in range(8)}
    occupied = Bitboard.from_squares(squares[rank] for rank in (slider, *blockers))
    attacks = rookery.rook_attacks(squares[slider], occupied) & Bitboard.from_squares(squares.values())
    names = ", ".join(attacks.names())
    d = Drawing(640, 300, f"A rook on d4 with blockers on d2, d6 and d7, as binary subtractions. It attacks {names}.")
    colours = {slider: "copy-0", **{rank: f"copy-{rank + 2}" for rank in blockers}}
    d.board(20, 40, discs=[(1 << squares[rank], colours[rank]) for rank in blockers], rings=[(attacks, "attacked")],
            pieces={squares[slider]: "R"})  # fmt: skip
    o, s = sum(1 << rank for rank in (slider, *blockers)), 1 << slider
    rows: list[tuple[str, int, dict[int, str]]] = []
    for mark, ours, slides in (("", o, s), ("'", _reversed(o), _reversed(s))):
        difference = (ours - 2 * slides) & 0xFF
        changed = ours ^ difference
        mine = {7 - i: colours[7 - i if mark else i] for i in range(8) if ours >> i & 1}
        rows += [
            (f"o{mark}", ours, mine),
            (f"2s{mark}", 2 * slides & 0xFF, {7 - i: "copy-0" for i in range(8) if 2 * slides >> i & 1}),
            (f"o{mark} - 2s{mark}", difference, {}),
            (f"o{mark} ^ (o{mark} - 2s{mark})", changed, {7 - i: "attacked" for i in range(8) if changed >> i & 1}),
        ]
    for i, (name, value, own) in enumerate(rows):
        y = 22 + i * 27 + (16 if i > 3 else 0)
        d.text(400, y + 15, name, anchor="end", code=True)
        for place in range(8) if i % 4 == 0 else ():
            square = squares[place if i >= 4 else 7 - place]
            d.text(426 + 20 * place, y - 3, SQUARE_NAMES[square], size=9, colour="ink-soft")
        d.digits(416, y, f"{value:08b}", colours=own, width=20)
        for place in range(8) if " - " in name and "^" not in name else ():
            if (value ^ rows[i - 2][1]) >> (7 - place) & 1:
                d.rect(416 + 20 * place + 1, y + 0.5, 18, 21, "none", line="bad")
    union = sum(1 << rank for rank in range(8) if attacks >> squares[rank] & 1)
    d.text(400, 277, "attacks", anchor="end", code=True, bold=True)
    d.digits(416, 262, f"{union:08b}", colours={7 - i: "attacked" for i in range(8) if union >> i & 1}, width=20)
    d.text(604, 277, "d8 to d1", anchor="middle", size=11, colour="ink-soft")
    return d.svg()


def _reversed(byte: int) -> int:
    return int(f"{byte:08b}"[::-1], 2)


def doubling() -> str:
    """Draw g and p of Kogge-Stone's fill to the north after each round."""
    g = Bitboard.of("b1", "e2", "g6")
    rooks, blockers = g, Bitboard.of("b4")
    p = ~(g | blockers) & AVOID_WRAP[NORT]
    full = rookery.fill("north", g, p)
    d = Drawing(
        840,
        450,
        "Three rooks and a blocker on b4. The sets g and p at the start and after rounds of 1, 2 and 4 squares.",
    )
    for i, n in enumerate((0, 1, 2, 4)):
        before = g
        if n:
            g = g | (p & g << 8 * n)
        if n in (1, 2):
            p = p & p << 8 * n
        x = 32 + i * (BOARD + GAP)
        pieces = {**dict.fromkeys(rooks, "R"), **dict.fromkeys(blockers, "p")}
        discs = [(before & ~rooks, "copy-0"), (g & ~before, "copy-3")]
        d.board(x, 34, ("g", "g, 1 square", "g, 2 more", "g, 4 more")[i], discs=discs, pieces=pieces)
        if n < 4:
            d.board(x, 34 + BOARD + 40, ("p", "p, runs of 2", "p, runs of 4")[i], discs=[(p, "copy-2")])
        else:
            d.board(
                x,
                34 + BOARD + 40,
                "attacks",
                discs=[(rookery.ray_attacks("north", rooks, ~(rooks | blockers)), "attacked")],
                pieces=pieces,
            )
    if g != full:
        raise AssertionError("the drawn rounds are not the library's fill")
    return d.svg()


def pins() -> str:
    """Draw what a king sees, what it sees through white pieces, and the pinned pieces with their lines."""
    placement = Placement.from_fen("4r2k/8/2n5/8/1b5p/8/3NR3/r3K3")
    board = Board(f"{placement.to_fen()} w - - 0 1")
    king = rookery.E1
    near = rookery.queen_attacks(king, placement.occupied)
    far = rookery.queen_attacks(king, placement.black)
    pinned = [square for square in (rookery.D2, rookery.E2) if board.is_pinned(rookery.WHITE, square)]
    lines = [rookery.between(king, pin) | 1 << pin for pin in (rookery.B4, rookery.E8)]
    checkers = board.checkers()
    names = " and ".join(SQUARE_NAMES[square] for square in pinned)
    d = Drawing(640, 236, f"A king on e1 and what it sees. {names} are pinned; the rook on a1 gives check.")
    pieces = {square: letter for square in range(64) if (letter := placement.piece_at(square))}
    tints = {
        "what the king sees": [(near, "seen")],
        "through white pieces": [(far, "seen")],
        "pins and checks": [(lines[0], "copy-3"), (lines[1], "copy-4"), (checkers, "bad")],
    }
    for i, (name, own) in enumerate(tints.items()):
        d.board(32 + i * (BOARD + GAP), 34, name, tints=own, pieces=pieces)
    return d.svg()


DRAWINGS: Final[dict[str, Callable[[], str]]] = {
    "square-and-bit": square_and_bit,
    "set-operations": set_operations,
    "steps": steps,
    "subtraction": subtraction,
    "doubling": doubling,
    "pins": pins,
}
