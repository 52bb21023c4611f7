"""The notes to steps: why a mask is as it is, the order of the index bits, the bits PEXT gathers."""

import re
from collections.abc import Iterator

from rookery.bitboards.lines import empty_board_attacks, relevant_occupancy
from rookery.bitboards.mappings import LITTLE_ENDIAN_RANK_FILE, convert_board
from rookery.bitboards.placement import Placement
from rookery.bitboards.squares import square_name
from rookery.explain.kinds import WORD
from rookery.explain.layout import in_words, names
from rookery.explain.run import Step, StepPart
from rookery.explain.steps import Explanation


def notes(explanation: Explanation, step: Step, drawn: list[StepPart]) -> tuple[str, ...]:
    """Return the notes to a step in which these words are drawn.

    >>> from rookery.explain import explain
    >>> explanation = explain("magic-fancy", "bishop", 0, 1 << 54)
    >>> notes(explanation, explanation.steps[6], list(explanation.steps[6].parts))
    ('The index is read from bit 63 down to bit 58 (h8 to c8 on a board): 0b001000 = 8.',)
    """
    of_parts = (note for part in drawn for note in (*_mask(explanation, step, part), *_index(explanation, part)))
    return (*of_parts, *_gathered(explanation, step))


def _mask(explanation: Explanation, step: Step, part: StepPart) -> Iterator[str]:
    """Explain why the last squares of rays do not belong to a mask, where it first appears."""
    first = step.what == "called" or (step.what == "assigned" and step.variable == part.text)
    if part.text not in ("mask", "fill") or not (first or part.table):
        return
    kept = part.value if part.text == "mask" else WORD ^ part.value
    for piece in ("rook", "bishop"):
        relevant = relevant_occupancy(piece, explanation.square)
        if kept == int(convert_board(relevant, LITTLE_ENDIAN_RANK_FILE, explanation.mapping)):
            ends = " ".join((empty_board_attacks(piece, explanation.square) & ~relevant).names())
            done = "kept" if part.text == "mask" else "left out"
            yield (
                f"The squares on which a blocker makes a difference are {done}. A piece on the last square of a ray"
                f" ({ends}) makes none: the {piece} attacks it in any case, and nothing lies behind. These are not the"
                " whole border: of a rook on a1, a2 to a7 and b1 to g1 matter."
                f" {len(relevant)} squares are relevant here, so there are {1 << len(relevant):,} relevant occupancies."
            )


def _index(explanation: Explanation, part: StepPart) -> Iterator[str]:
    """Yield the order in which the index bits are read."""
    if part.marked:
        lowest, highest = (part.marked & -part.marked).bit_length() - 1, part.marked.bit_length() - 1
        index = (part.value & part.marked) >> lowest
        order = in_words(explanation, list(range(highest, lowest - 1, -1)))
        yield (
            f"The index is read from bit {highest} down to bit {lowest} ({order} on a board):"
            f" 0b{index:0{highest - lowest + 1}b} = {index:,}."
        )


def _gathered(explanation: Explanation, step: Step) -> Iterator[str]:
    """Yield the bits that PEXT gathers, a line each."""
    words = {part.text: part.value for part in step.parts}
    for text in words:
        found = re.fullmatch(r"pext\((\w+), (\w+)\)", text)
        if found and found[1] in words and found[2] in words:
            word, mask = words[found[1]], words[found[2]]
            yield f"Each square of `{found[2]}` gives a bit of {text}: its bit of `{found[1]}`."
            for i, bit in enumerate(bit for bit in range(64) if mask >> bit & 1):
                yield f"bit {i}: {names(explanation, 1 << bit)} = {word >> bit & 1}"


def assumption(explanation: Explanation, placement: Placement | None) -> str:
    """Return a note if another piece, or none, stands on the square.

    >>> from rookery.explain import explain
    >>> assumption(explain("rays", "rook", 27, 0), Placement.from_fen("8/8/8/8/3N4/8/8/8"))
    'A knight stands on d4: a rook is assumed in its place.'
    """
    standing = placement.kind_at(explanation.square) if placement else explanation.piece
    if standing == explanation.piece or explanation.piece not in ("rook", "bishop", "queen"):
        return ""
    where = square_name(explanation.square)
    if standing:
        return f"A {standing} stands on {where}: a {explanation.piece} is assumed in its place."
    return f"No piece stands on {where}: a {explanation.piece} is assumed there."
