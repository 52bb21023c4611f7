"""The static drawings of the figures about look-ups: rotation, products, tables, searches, PEXT and lanes."""

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

import rookery
from live_figures import chance
from live_figures.lookup_kernels import inner_diagonal
from live_figures.svg import BOARD, CELL, Drawing
from rookery import Bitboard
from rookery.bitboards.bits import B_FILE, mixed, subsets
from rookery.bitboards.lines import relevant_occupancy
from rookery.bitboards.squares import SQUARE_NAMES
from rookery.kernel import U64, pext, wrapping
from rookery.magics.laboratory import laboratory
from rookery.techniques import technique
from rookery.techniques.base import Technique
from rookery.techniques.rotated import hyatt_places, inner_six, shifts_of

cover: Final = laboratory("find.cover")
D4, B1, E3 = rookery.D4, rookery.B1, rookery.E3


def record(name: str, piece: str, square: int) -> tuple[Bitboard, Bitboard, int]:
    """Return the mask, factor and shift of a square."""
    mask, magic, shift = getattr(technique(name).tables(), piece)[4 * square : 4 * square + 3]
    return Bitboard(mask), Bitboard(magic), int(shift)


def multiplication() -> str:
    """Draw the copies of a rook's magic factor that three blockers add."""
    return product_of("R", Bitboard.of("b4", "g4", "d6"), *record("magic-fancy", "rook", D4))


def diagonal_product() -> str:
    """Draw the copies of the b-file that the blockers of a diagonal add."""
    mask = Bitboard(int(inner_diagonal(D4)))
    return product_of("B", Bitboard.of("b2", "e5", "g7"), mask, Bitboard(B_FILE), 58)


def product_of(piece: str, o: Bitboard, mask: Bitboard, magic: Bitboard, shift: int) -> str:
    """Draw the blockers of a piece on d4, their copies of the factor, and the sum, whose top bits are the index."""
    blockers, relevant = list(o), list(mask)
    colours = {square: f"copy-{relevant.index(square)}" for square in blockers}
    product = o * magic
    index, width = int(product >> shift), 64 - shift
    names = ", ".join(SQUARE_NAMES[s] for s in blockers)
    d = Drawing(
        720, 246, f"Blockers on {names} add a copy of the factor each. The top {width} bits of the sum are {index}."
    )
    d.board(
        16,
        34,
        "o",
        tints=[(int(mask), "panel")],
        discs=[(1 << s, c) for s, c in colours.items()],
        pieces={D4: piece},
        texts={s: str(s) for s in relevant if s not in blockers},
    )
    for square in blockers:
        a, b = d.middle(16, 34, square)
        d.text(a, b + 3.5, str(square), size=10, colour="on-copy", bold=True)
    left, cell, small = 272, 20, 4
    d.text(left, 20, "index: bit 63 first", anchor="start", colour="accent", size=12)
    d.text(
        left + width * cell + 6 + shift * small,
        20,
        f"bits {shift - 1} to 0: shifted away",
        anchor="end",
        colour="ink-soft",
        size=12,
    )
    for i in range(width):
        d.text(left + (i + 0.5) * cell, 36, str(63 - i), size=9, colour="ink-soft")
    rows: list[tuple[str, Bitboard, str | None]] = [("factor", magic, None)]
    rows += [(f"{SQUARE_NAMES[s]} << {s}", magic << s, colours[s]) for s in blockers]
    y = 42
    for label, word, colour in rows:
        _row(d, left, y, label, word, dict.fromkeys(word, colour or "ink-soft"), shift, cell, small)
        y += 26
    _row(
        d,
        left,
        y,
        "sum",
        product,
        {bit: next((colours[s] for s in blockers if bit in magic << s), "ink") for bit in product},
        shift,
        cell,
        small,
    )
    d.path(f"M{left - 2} 40h{width * cell + 3}v{y - 16}h-{width * cell + 3}z", "accent")
    values = " + ".join(str(1 << bit) for bit in reversed(range(width)) if index >> bit & 1)
    d.text(left, y + 48, f"index {index:0{width}b} = {values} = {index}", anchor="start", size=14, bold=True)
    return d.svg()


def _row(
    d: Drawing,
    left: float,
    y: float,
    label: str,
    word: Bitboard,
    colours: dict[int, str],
    shift: int,
    cell: float,
    small: float,
) -> None:
    """Add a word: the bits of the index wide, the others narrow."""
    width = 64 - shift
    digits = f"{int(word):064b}"
    d.text(left - 10, y + 15, label, anchor="end", size=12, code=True)
    d.digits(left, y, digits[:width], colours={63 - bit: c for bit, c in colours.items() if bit >= shift}, width=cell)
    start = left + width * cell + 6
    d.rect(start, y, shift * small, cell + 2, "paper", line="line")
    for bit, colour in colours.items():
        if bit < shift:
            d.rect(start + (shift - 1 - bit) * small, y + 2, small - 0.6, cell - 2, colour)


def collisions() -> str:
    """Draw the 32 occupancies of a bishop on b1 in the slots of a factor of four index bits."""
    mask, magic, shift = record("magic-reduced", "bishop", B1)
    ray = list(mask)
    slots: dict[int, list[Bitboard]] = {}
    for subset in subsets(mask):
        slots.setdefault(int(Bitboard(subset) * magic >> shift), []).append(Bitboard(subset))
    d = Drawing(
        720,
        236,
        f"The 32 occupancies of a bishop on b1 in {len(slots)} of 16 slots. In each slot, all have one first blocker.",
    )
    d.text(16, 24, "A cell for each of c2, d3, e4, f5, g6; the colour is the first blocker", anchor="start", size=13)
    for slot in range(16):
        x, y = 16 + slot % 8 * 87, 36 + slot // 8 * 98
        sharers = slots.get(slot, [])
        agree = len({int(rookery.bishop_attacks(B1, o)) for o in sharers}) == 1
        d.rect(x, y, 80, 90, "paper", line="good" if agree else "bad" if sharers else "line", rx=4)
        d.text(x + 6, y + 15, str(slot), anchor="start", size=12, colour="ink-soft")
        if sharers:
            d.text(
                x + 73,
                y + 15,
                "✓" if agree else "✗",
                anchor="end",
                size=12,
                bold=True,
                colour="good" if agree else "bad",
            )
        for i, o in enumerate(sharers):
            first = next((n for n, s in enumerate(ray) if s in o), None)
            colour = "ink-soft" if first is None else f"copy-{first}"
            for n, square in enumerate(ray):
                d.rect(x + 6 + n * 14, y + 21 + i * 16, 12, 12, colour if square in o else "paper", line=colour, rx=2)
    return d.svg()


def dive(piece: str, square: int, seed: int = 0) -> tuple[list[tuple[int, Bitboard]], int]:
    """Return the copies of the finder's first dive, in their order and with the squares that each places."""
    mask = relevant_occupancy(piece, square)
    one = np.zeros(1, U64)
    s: Any = cover.search_for(cover.cases_of([cover.Case(int(mask), len(mask), one, one)]))
    with wrapping():
        window, golden = U64(2**64 - 2 ** (64 - len(mask))), U64(cover.GOLDEN)
        depth = cover.begin_dive(s, U64(int(mask)), window, U64(1))
        for node in range(1, cover.NODES + 1):
            random = mixed(mixed(U64(seed) + golden) + U64(node) * golden)
            depth = int(cover.lay_copy(s, depth, random, U64(int(mask)), window, U64(1)))
            if int(s.placed[depth]) == int(mask):
                break
    pairs = zip(range(depth), range(1, depth + 1), strict=True)
    copies = [(int(s.factor[b] ^ s.factor[a]).bit_length() - 1, Bitboard(s.placed[b] & ~s.placed[a])) for a, b in pairs]
    return copies, int(s.factor[depth])


def search() -> str:
    """Draw the copies of a constructed factor: each brings some squares to index bits of their own."""
    copies, factor = dive("rook", D4)
    mask = relevant_occupancy("rook", D4)
    relevant, width = list(mask), len(mask)
    d = Drawing(720, 236, f"The factor 0x{factor:016x} of a rook on d4 is constructed from {len(copies)} copies.")
    d.board(16, 34, "mask", discs=[(1 << s, f"copy-{n}") for n, s in enumerate(relevant)], pieces={D4: "R"})
    for square in relevant:
        a, b = d.middle(16, 34, square)
        d.text(a, b + 3.5, SQUARE_NAMES[square], size=9, colour="on-copy", bold=True)
    left, cell = 290, 40
    d.text(left - 10, 46, "index bit", anchor="end", size=12)
    for n in range(width):
        d.text(left + (n + 0.5) * cell, 46, str(63 - n), size=12, colour="ink-soft")
    for i, (copy, placed) in enumerate(copies):
        y = 56 + i * 28
        d.text(left - 10, y + 17, f"<< {copy}", anchor="end", size=12, code=True)
        for n in range(width):
            square = 63 - n - copy
            arrives = square in mask if 0 <= square < 64 else False
            own = arrives and square in placed
            d.rect(
                left + n * cell,
                y,
                cell - 2,
                24,
                f"copy-{relevant.index(square)}" if own else "paper",
                line=None if own else "line",
                rx=3,
            )
            if arrives:
                d.text(
                    left + (n + 0.5) * cell - 1,
                    y + 16,
                    SQUARE_NAMES[square],
                    size=12,
                    bold=own,
                    colour="on-copy" if own else "ink-soft",
                )
    d.text(left, 56 + len(copies) * 28 + 22, f"factor 0x{factor:016x}", anchor="start", size=14, bold=True)
    return d.svg()


def mask() -> str:
    """Draw the ten squares that matter to the rook on d4, and the pieces that its mask keeps and removes."""
    kept = relevant_occupancy("rook", D4)
    occupied = Bitboard.of("b4", "d6", "g4", "d8", "f6")
    names = ", ".join((occupied & kept).names())
    d = Drawing(420, 236, f"The mask of a rook on d4 has {len(kept)} squares. Of five pieces it keeps {names}.")
    for i, (label, pieces, crossed) in enumerate((("mask", 0, 0), ("occupied & mask", occupied, occupied & ~kept))):
        d.board(
            22 + i * (BOARD + 24),
            34,
            label,
            tints=[(int(kept), "seen")],
            discs=[(int(pieces & ~crossed), "copy-0")],
            pieces={D4: "R"},
            texts=dict.fromkeys(Bitboard(crossed), "✕"),
        )
    return d.svg()


def same_attacks() -> str:
    """Draw two occupancies of the rook on d4 that have the same attacks."""
    d = Drawing(420, 236, "The rook on d4 with a piece on c4, without and with one on b4 behind it: the same attacks.")
    one, other = (Bitboard.of("c4", "d6", "g4", *more) for more in ((), ("b4",)))
    if rookery.rook_attacks(D4, one) != rookery.rook_attacks(D4, other):
        raise AssertionError("the drawn occupancies have different attacks")
    for i, occupied in enumerate((one, other)):
        attacks = rookery.rook_attacks(D4, occupied)
        names = ", ".join(occupied.names())
        rings = [(int(attacks), "attacked")]
        d.board(22 + i * (BOARD + 24), 34, names, discs=[(int(occupied), "copy-0")], rings=rings, pieces={D4: "R"})
    return d.svg()


def fill_the_table() -> str:
    """Draw an occupancy of the rook on d4, its walk, and the slot that it writes among 1,024."""
    mask, magic, shift = record("magic-fancy", "rook", D4)
    o = Bitboard.of("b4", "g4", "d6")
    index, attacks = int(o * magic >> shift), rookery.rook_attacks(D4, o)
    names = ", ".join(SQUARE_NAMES[s] for s in o)
    d = Drawing(640, 260, f"With pieces on {names} a rook on d4 attacks {len(attacks)} squares: slot {index} of 1,024.")
    d.board(16, 34, "walk", tints=[(int(mask), "panel")], discs=[(int(o), "copy-0")],
            rings=[(int(attacks), "attacked")], pieces={D4: "R"})  # fmt: skip
    d.text(208, 110, f"index {index:010b}", anchor="start", size=13, bold=True)
    d.text(208, 130, f"= {index}", anchor="start", size=13, bold=True)
    d.path("M208 142h92m-8 -5l8 5l-8 5", "ink-soft")
    left, top, cell = 380, 24, 7
    rows = range(32)
    d.path("".join(f"M{left} {top + row * cell}h{32 * cell}" for row in range(33)), "line", width=0.6)
    d.path("".join(f"M{left + column * cell} {top}v{32 * cell}" for column in range(33)), "line", width=0.6)
    written = [int(Bitboard(subset) * magic >> shift) for subset in subsets(mask) if int(subset) <= int(o)]
    cells = (f"M{left + slot % 32 * cell + 1} {top + slot // 32 * cell + 1}h5v5h-5z" for slot in written)
    d.path("".join(cells), "accent", fill=True)
    x, y = left + index % 32 * cell, top + index // 32 * cell
    d.rect(x - 1, y - 1, cell + 2, cell + 2, "copy-0", line="ink")
    d.text(left - 8, y + 7, f"slot {index}", anchor="end", size=12, bold=True)
    d.text(left, top + 32 * cell + 10, f"{len(written):,} of {32 * len(rows):,} slots written", anchor="start", size=11)
    return d.svg()


def by_chance() -> str:
    """Draw how many sparse random numbers are magic for a rook on d4, and what those have in common."""
    tries = 700_000  # with a seed that finds about as many as usual: one in 32,000 of 35 million numbers is magic
    square = chance.Square.of("rook", D4)
    bits = square.mask.bit_count()
    found = chance.magic_among(square, chance.random_numbers(np.random.default_rng(1000), tries), bits)
    injective = sum(chance.slots_of(square, int(factor), bits) == len(square.occupied) for factor in found)
    owned = [chance.own_bits(square.mask, int(factor), bits) for factor in found]
    own = sum(len(bits_) == bits and not below for bits_, below in owned)
    d = Drawing(
        640, 150, f"Of {tries:,} sparse numbers, {len(found)} are magic for a rook on d4: all by bits of their own."
    )
    lines = (
        ("sparse random numbers tried", f"{tries:,}"),
        ("magic factors among them", str(len(found))),
        ("that give each occupancy a slot of its own", f"{injective}"),
        ("that give each square an index bit of its own", f"{own}"),
    )
    for i, (text, number) in enumerate(lines):
        d.text(430, 34 + i * 32, text, anchor="end", size=15)
        d.text(450, 34 + i * 32, number, anchor="start", size=16, bold=True)
    return d.svg()


def gather() -> str:
    """Draw lines from the squares of a rook's mask to their index bits."""
    mask = relevant_occupancy("rook", D4)
    occupied = Bitboard.of("b4", "g4", "d6", "f6", "d8")
    index, relevant = int(pext(occupied, mask)), list(mask)
    cell = BOARD / len(relevant)
    d = Drawing(320, 330, f"PEXT gathers the ten squares of a rook's mask on d4: the index is {index}.")
    x, y, bits = 72, 34, 270
    d.board(
        x,
        y,
        "pext(occupied, mask)",
        pieces={D4: "R"},
        tints=[(int(mask), "paper")],
        texts=dict.fromkeys(occupied & ~mask, "✕"),
        discs=[(1 << s, f"copy-{n}") for n, s in enumerate(relevant) if s in occupied],
    )
    for n, square in enumerate(relevant):
        a, b = d.middle(x, y, square)
        to = x + BOARD - (n + 0.5) * cell
        taken = square in occupied
        d.path(
            f"M{a:g} {b + 8:g}C{a:g} {y + BOARD + 20} {to:g} {y + BOARD} {to:g} {bits}",
            f"copy-{n}",
            width=3 if taken else 0.8,
        )
        d.text(a, b + 3.5, str(n), size=10, colour="on-copy" if taken else "ink", bold=taken)
    d.digits(
        x,
        bits,
        f"{index:010b}",
        colours={9 - n: f"copy-{n}" for n, s in enumerate(relevant) if s in occupied},
        width=cell,
    )
    d.text(x + BOARD / 2, bits + 44, f"index 0b{index:010b} = {index}", size=13, bold=True)
    return d.svg()


SLIDERS: Final = ("b2", "a4", "c7", "d1", "a8", "e5", "b6", "a1")
BLOCKERS: Final = ("f2", "d4 g4", "d7", "h1", "", "f5", "e6 h6", "c1 d1")


def lanes() -> str:
    """Draw eight boards in the lanes of a register, with the attacks of their rooks to the east."""
    kogge_stone: Technique = technique("kogge-stone")
    d = Drawing(812, 434, "Eight boards in one register. The same instructions fill the rank of each rook to the east.")
    for lane, (slider, others) in enumerate(zip(SLIDERS, BLOCKERS, strict=True)):
        x, y = 16 + lane % 4 * (BOARD + 24), 30 + lane // 4 * (BOARD + 36)
        square, blockers = rookery.parse_square(slider), Bitboard.of(*others.split())
        attacks = kogge_stone.rank(square, blockers | Bitboard.of(slider)) & Bitboard(2**64 - 2 ** (square + 1))
        d.board(
            x,
            y,
            f"lane {lane}",
            tints=[(int(attacks), "copy-2")],
            pieces={square: "R"},
            texts=dict.fromkeys(blockers, "●"),
        )
    return d.svg()


def rotation() -> str:
    """Draw the board turned by 45 degrees, and the look-up of a bishop's diagonal."""
    places = hyatt_places()["r45"]
    shifts = shifts_of("diagonal", places)
    occupied = Bitboard.of("c1", "e3", "f4", "h6", "e5", "b6")
    turned = Bitboard(sum(1 << places[s] for s in occupied))
    shifted = int(turned >> shifts[E3])
    index = int(inner_six(U64(shifted)))
    row = [s for s in range(64) if shifts[s] == shifts[E3]]
    attacks = rookery.bishop_attacks(E3, occupied)
    d = Drawing(
        640, 412, f"A board turned by 45 degrees: each diagonal is a row. The row of e3 becomes the index {index}."
    )
    middle, half = 300, CELL * math.sqrt(0.5)
    d.parts.append('<g class="board">')
    for square, name in enumerate(SQUARE_NAMES):
        right, up = square % 8 - 3.5, square // 8 - 3.5
        a, b = middle + (right + up) * half, 150 - (up - right) * half
        colour = "accent" if square in row else "dark" if (square + square // 8) % 2 == 0 else "light"
        d.path(f"M{a:g} {b - half:g}l{half:g} {half:g}l-{half:g} {half:g}l-{half:g} -{half:g}z", colour, fill=True)
        if square in occupied and square != E3:
            d.parts.append(f'<circle cx="{a:g}" cy="{b:g}" r="8" style="fill:var(--ink)"/>')
        here = "paper" if square in row or square in occupied else "ink"
        d.text(a, b + 3, "♝" if square == E3 else name, size=14 if square == E3 else 8, colour=here)
    d.parts.append("</g>")
    for number, length in enumerate((1, 2, 3, 4, 5, 6, 7, 8, 7, 6, 5, 4, 3, 2, 1)):
        first = sum((1, 2, 3, 4, 5, 6, 7, 8, 7, 6, 5, 4, 3, 2, 1)[:number])
        text = str(first) if length == 1 else f"{first}-{first + length - 1}"
        d.text(
            88,
            150 + (7 - number) * half + 4,
            text,
            size=11,
            colour="accent" if first == shifts[E3] else "ink-soft",
            anchor="end",
            bold=first == shifts[E3],
        )
    d.text(88, 16, "bits", size=11, colour="ink-soft", anchor="end")
    left, cell = middle - 4 * 30, 30
    digits = f"{shifted & 255:08b}"
    d.digits(left, 320, digits, colours={7 - n: "accent" for n in range(len(row)) if shifted >> n & 1}, width=cell)
    for n in range(8):
        d.text(
            left + (7.5 - n) * cell,
            314,
            SQUARE_NAMES[places.index(shifts[E3] + n)],
            size=11,
            colour="ink" if n < len(row) else "ink-soft",
        )
    d.path(f"M{left + cell - 2} 300h{6 * cell + 4}v56h-{6 * cell + 4}z", "accent")
    d.text(middle, 380, f"(r45 >> {shifts[E3]} >> 1) & 63 = 0b{index:06b} = {index}", size=14, bold=True, code=True)
    found = ", ".join((attacks & Bitboard.of(*(SQUARE_NAMES[s] for s in row))).names())
    d.text(middle, 400, f"table[e3, {index}]: {found}", size=13, code=True)
    return d.svg()


DRAWINGS: Final[dict[str, Callable[[], str]]] = {
    "rotation": rotation,
    "diagonal-product": diagonal_product,
    "multiplication": multiplication,
    "collisions": collisions,
    "factor-search": search,
    "build-a-factor": search,
    "by-chance": by_chance,
    "fill-the-table": fill_the_table,
    "mask": mask,
    "same-attacks": same_attacks,
    "gather": gather,
    "lanes": lanes,
}
