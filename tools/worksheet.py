"""The worksheet of the tutorial: exercises for pencil and paper, and their answers, computed by the library."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import rookery
from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.bits import A_FILE, B_FILE
from rookery.bitboards.lines import line_through, relevant_occupancy
from rookery.bitboards.squares import square_name

NEW_PARAGRAPH: Final = "\n\n"
ROOM: Final = f"Answer: {'. ' * 40}".rstrip()  # to write on


class Exercise(NamedTuple):
    """An exercise: what is asked, boards to look at or to fill in, and the answer."""

    chapter: str
    text: str
    given: str
    answer: str


def boards(**drawn: Bitboard | int | None) -> str:
    """Return boards side by side as text; None is a board to fill in."""
    blank = "\n".join([". . . . . . . ."] * 8)
    texts = [blank if word is None else str(Bitboard(word)) for word in drawn.values()]
    lines = ["   ".join(name.replace("_", " ").ljust(15) for name in drawn).rstrip()]
    lines += ["   ".join(row) for row in zip(*(text.splitlines() for text in texts), strict=True)]
    return "\n".join(["```text", *lines, "```"])


def names(squares: Bitboard | int) -> str:
    """Return the names of squares."""
    return ", ".join(Bitboard(squares).names()) or "none"


def numbers() -> Exercise:
    """Ask for the numbers of squares."""
    asked = ("e4", "g7", "b3", "h8")
    return Exercise(
        "01-one-bit",
        f"Which numbers do the bits of {', '.join(asked[:-1])} and {asked[-1]} have? Which square is bit 42?",
        "",
        ", ".join(f"{name} is {rookery.parse_square(name)}" for name in asked) + f"; bit 42 is {square_name(42)}.",
    )


def mirrored() -> Exercise:
    """Ask for a rank as a number."""
    rank = Bitboard.of("a1", "d1", "e1", "h1")
    other = Bitboard(0b01000110)
    return Exercise(
        "01-one-bit",
        f"Write the squares {names(rank)} as a number of eight binary digits. Which squares is `{int(other):08b}`?",
        "",
        f"`{int(rank):08b}`; {names(other)}.",
    )


def operations() -> Exercise:
    """Ask for an intersection and a symmetric difference."""
    a, b = Bitboard.of("c3", "d4", "e5", "f6"), Bitboard.of("d4", "f6", "g7", "b2")
    return Exercise(
        "02-sets",
        "Fill in the last two boards.",
        boards(a=a, b=b, a_AND_b=None, a_XOR_b=None),
        boards(a_AND_b=a & b, a_XOR_b=a ^ b),
    )


def wraps() -> Exercise:
    """Ask for a shift and what wraps."""
    x = Bitboard.of("a2", "d4", "h5", "h8", "g7")
    shifted = x << 1
    return Exercise(
        "03-shifts-and-leapers",
        "Shift the set by `<< 1`, one step east. Which bits wrap around the edge, and which leave the word?",
        boards(x=x, shifted=None),
        boards(shifted=shifted) + f"\n\nWrapped: {names(shifted & A_FILE)}. The bit of h8 leaves the word.",
    )


def lowest() -> Exercise:
    """Ask for the lowest bit."""
    x = 0b01101000
    return Exercise(
        "04-scanning",
        f"Let `x = {x:08b}`, in eight bits. Write `-x`, `x & -x` and `x & (x - 1)`.",
        "",
        f"`{-x & 0xFF:08b}`, `{x & -x:08b}` and `{x & (x - 1):08b}`.",
    )


def blockers() -> Exercise:
    """Ask for the attacks of a rook."""
    occupied = Bitboard.of("e4", "e6", "b4", "g4", "e1", "c6")
    return Exercise(
        "05-rays",
        "A rook stands on e4. Mark the squares that it attacks.",
        boards(occupied=occupied, attacks=None),
        boards(attacks=rookery.rook_attacks(rookery.E4, occupied)),
    )


def borrow() -> Exercise:
    """Ask for a subtraction with a borrow."""
    o, r = 0b01000101, 0b00000100
    twice, difference = 2 * r, (o - 2 * r) & 0xFF
    return Exercise(
        "07-subtraction",
        f"Eight squares of a line, the lowest on the right: `o = {o:08b}` is occupied, and the rook is "
        f"`r = {r:08b}`. Compute `o - 2r`, then `o ^ (o - 2r)`.",
        "",
        f"`2r = {twice:08b}`, `o - 2r = {difference:08b}`, `o ^ (o - 2r) = {o ^ difference:08b}`: the squares above "
        "the rook, up to the first piece.",
    )


def gathered() -> Exercise:
    """Ask for the index of a diagonal."""
    o = Bitboard.of("c3", "f6", "g7") & (line_through("diagonal", rookery.D4) | Bitboard.of("d4"))
    return Exercise(
        "09-kindergarten",
        "Three squares of the diagonal a1 to h8 are occupied. Multiply by the b-file and keep the top six bits. Which "
        "index comes out? Draw the copies if you do not see it.",
        boards(o=o, product=None),
        f"`{int(o * B_FILE >> 58):06b}`, from the right: b2, c3, d4, e5, f6, g7.",
    )


def relevant() -> Exercise:
    """Ask for numbers of relevant squares."""
    asked = [("rook", "a1"), ("rook", "e4"), ("bishop", "a1"), ("bishop", "d4")]
    words = [f"a {piece} on {name}" for piece, name in asked]
    counts = (len(relevant_occupancy(piece, rookery.parse_square(name))) for piece, name in asked)
    return Exercise(
        "10-magic",
        f"How many squares matter to {', '.join(words[:-1])} and {words[-1]}?",
        "",
        ", ".join(map(str, counts)) + ".",
    )


def index() -> Exercise:
    """Ask for a sum of contributions."""
    t = rookery.technique("magic-plain").tables()
    factor, shift = Bitboard(t.rook_magic[rookery.D4]), int(t.rook_shift[rookery.D4])
    mask = Bitboard(t.rook_mask[rookery.D4])
    o = Bitboard.of("d3", "c4", "f4", "d7")
    rows = [f"{square_name(sq)} {int(factor << sq >> shift):010b}" for sq in mask]
    return Exercise(
        "10-magic",
        f"These are the contributions of the ten squares that matter to a rook on d4. Compute the index if {names(o)} "
        "are occupied.",
        "\n".join(["```text", *rows, "```"]),
        f"`{int(o * factor >> shift):010b}`, the sum of the four contributions.",
    )


def collisions() -> Exercise:
    """Ask which collisions are constructive."""
    pairs = [(("c2", "e4"), ("c2", "f5")), (("d3",), ("e4",)), (("f5",), ("f5", "g6"))]
    words = [f"({', '.join(a)}) and ({', '.join(b)})" for a, b in pairs]
    answers = []
    for a, b in pairs:
        same = len({rookery.bishop_attacks(rookery.B1, Bitboard.of(*o)) for o in (a, b)}) == 1
        answers.append("constructive" if same else "destructive")
    return Exercise(
        "10-magic",
        f"A bishop stands on b1. May these occupancies share a slot: {'; '.join(words)}?",
        "",
        f"{', '.join(answers)}. Occupancies may share a slot if the bishop attacks the same squares.",
    )


EXERCISES: Final = (
    numbers,
    mirrored,
    operations,
    wraps,
    lowest,
    blockers,
    borrow,
    gathered,
    relevant,
    index,
    collisions,
)


def made() -> Sequence[Exercise]:
    """Return all exercises."""
    return [make() for make in EXERCISES]


def questions() -> str:
    """Return the exercises with their boards."""
    parts = []
    for i, exercise in enumerate(made(), 1):
        parts.append(f"{i}\\. {exercise.text} ([chapter {int(exercise.chapter[:2])}]({exercise.chapter}.md))")
        parts.append(exercise.given or ROOM)
    return "\n\n".join(parts)


def answers() -> str:
    """Return the answers."""
    return "\n\n".join(
        f"{i}\\.{' ' if '```' not in exercise.answer else NEW_PARAGRAPH}{exercise.answer}"
        for i, exercise in enumerate(made(), 1)
    )
