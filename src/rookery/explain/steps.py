"""Run a kernel one assignment at a time, translated as for an export.

So the page shows what runs: the same translation becomes C, Rust and JavaScript, and is checked there.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from rookery.arguments import board_number, shown
from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.mappings import LITTLE_ENDIAN_RANK_FILE, MAPPINGS, Mapping, convert_board
from rookery.bitboards.squares import check_square
from rookery.explain.export.ir import Name, Program
from rookery.explain.export.kernel_values import Tables
from rookery.explain.export.program import PUBLIC, attack_kernel
from rookery.explain.export.translate import KernelTranslator
from rookery.explain.ideas import Idea, ideas_of
from rookery.explain.run import Recorded, Step
from rookery.kernel import once
from rookery.techniques import technique as technique_of
from rookery.techniques.base import Technique, itself
from rookery.techniques.base.protocol import QUESTIONS

# `page` draws explanations and adds its function here, since it imports this module.
views: Final[list[Callable[["Explanation"], str]]] = []


@dataclass(frozen=True)
class Explanation:
    """All steps of one look-up.

    Boards are in the bits of `mapping`, except `occupied` and `attacks`, which are in rookery's own.
    `operations` counts operators, bit instructions and table entries read. `ideas` group the steps.
    """

    technique: Technique
    piece: str
    square: int
    occupied: Bitboard
    mapping: Mapping
    steps: tuple[Step, ...]
    operations: int
    ideas: tuple[Idea, ...]

    @property
    def attacks(self) -> Bitboard:
        """Return the answer: the last step's value."""
        return Bitboard(int(convert_board(self.steps[-1].value, self.mapping, LITTLE_ENDIAN_RANK_FILE)))

    @property
    def preparation(self) -> str:
        """Return the name of the function that prepares an occupancy, or an empty string."""
        return "" if self.technique.prepare_kernel is itself else self.technique.prepare_kernel.__name__

    def _repr_svg_(self) -> str:
        """Return the picture that notebooks show."""
        return views[-1](self)

    def squares(self, word: int) -> Bitboard:
        """Return the squares of a word of a step."""
        return Bitboard(int(convert_board(word, self.mapping, LITTLE_ENDIAN_RANK_FILE)))


def explain(
    technique: str | Technique,
    piece: str,
    square: int,
    occupied: int,
    mapping: str | Mapping = LITTLE_ENDIAN_RANK_FILE,
) -> Explanation:
    """Return every step from a square and an occupancy to the attacks. Nothing is compiled.

    `piece` is ``rook``, ``bishop`` or ``queen``, or a line that the technique answers for. `mapping` says which bit is
    which square while the kernel runs. An invalid argument is a ValueError that names it.

    >>> explanation = explain("magic-fancy", "bishop", 27, 0x0000_0000_1800_0000)
    >>> [step.variable for step in explanation.steps if step.what == "assigned"]
    ['at', 'o']
    >>> explanation.steps[-1].code, explanation.attacks == technique_of("rays").bishop(27, 0x0000_0000_1800_0000)
    ('return t.attacks[bishop_index(sq, occupied, t)]', True)
    """
    chosen = technique_of(technique)
    if piece not in QUESTIONS or piece not in chosen.offers:
        known = ", ".join(ask for ask in QUESTIONS if ask in chosen.offers)
        raise ValueError(f"piece: {shown(piece)}: expected one of {known}")
    if not isinstance(mapping, Mapping):
        if mapping not in MAPPINGS:
            raise ValueError(f"mapping: {shown(mapping)}: expected one of {', '.join(MAPPINGS)}")
        mapping = MAPPINGS[mapping]
    sq, board = check_square(square), board_number("occupied", occupied)
    recorded, entry, ideas = _recorded(chosen, _turned(piece, mapping))
    place, word = int(mapping.index(sq)), int(convert_board(board, LITTLE_ENDIAN_RANK_FILE, mapping))
    steps, operations = recorded.run(entry, place, word)
    return Explanation(chosen, piece, sq, Bitboard(board), mapping, steps, operations, ideas)


def _turned(piece: str, mapping: Mapping) -> str:
    """Return the line that a kernel must follow under another mapping: if files come first, a rank is a file."""
    if mapping.major == "file" and piece in ("rank", "file"):
        return "file" if piece == "rank" else "rank"
    if mapping.ranks != mapping.files and piece in ("diagonal", "antidiagonal"):
        return "antidiagonal" if piece == "diagonal" else "diagonal"
    return piece


@once
def _recorded(technique: Technique, piece: str) -> tuple[Recorded, str, tuple[Idea, ...]]:
    """Return the functions that a look-up runs, named as in an export, the first of them, and its ideas."""
    program = Program()
    translator = KernelTranslator(program)
    arguments = (Name("sq"), Name("occupied"), Tables(technique.tables()))
    named = {name.removesuffix("_attacks"): name for name in PUBLIC}
    asks = tuple(named) if piece in named else (piece,)
    for ask in asks:
        translator.function(attack_kernel(technique, ask), arguments, f"{ask}_attacks")
    recorded, entry = Recorded(program, tuple(f"{ask}_attacks" for ask in asks)), f"{piece}_attacks"
    return recorded, entry, ideas_of(recorded.watched, recorded.sites, entry)
