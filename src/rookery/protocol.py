"""What is asked of a technique, in compiled code: questions, the kernels that answer them, and the loops.

A question is a type (`Rook`, `Rank`, `Ray`, ...), and so are a technique's tables: a kernel that asks
``attacks(question, sq, state, t)`` is compiled anew for each pair of them, the technique's own kernel inlined, and
still found in the compile cache. Plain Python takes the same way, by the same types (`rookery.kernel.by_type`).
"""

from typing import Any, Final, NamedTuple, TypeAlias

from rookery.kernel import U64, Bits, Entry, Square, State, Word, entry, kernel_by_type
from rookery.sets import step


class Rook(NamedTuple):
    """The question: what does a rook attack?"""


class Bishop(NamedTuple):
    """The question: what does a bishop attack?"""


class Queen(NamedTuple):
    """The question: what does a queen attack?"""


class Rank(NamedTuple):
    """The question: what is attacked along the rank?"""


class File(NamedTuple):
    """The question: what is attacked along the file?"""


class Diagonal(NamedTuple):
    """The question: what is attacked along the diagonal (towards noEa and soWe)?"""


class Antidiagonal(NamedTuple):
    """The question: what is attacked along the anti-diagonal (towards noWe and soEa)?"""


class Ray(NamedTuple):
    """The question: what is attacked in one direction?"""

    direction: int


Question: TypeAlias = Rook | Bishop | Queen | Rank | File | Diagonal | Antidiagonal | Ray
Tables: TypeAlias = tuple[Any, ...]  # a NamedTuple of arrays, whose class is the technique's own

QUESTIONS: Final[dict[str, Question]] = {
    "rook": Rook(),
    "bishop": Bishop(),
    "queen": Queen(),
    "rank": Rank(),
    "file": File(),
    "diagonal": Diagonal(),
    "antidiagonal": Antidiagonal(),
}


# The protocol, in kernels: what compiled code and plain Python alike ask of "the technique with tables t". Each of them
# registers its own kernels, for the class of its tables.


@kernel_by_type("question", "t")
def attacks(question: Question, sq: Square, state: State, t: Tables) -> Bits:
    """The answer of the technique with tables `t` to a question."""


@kernel_by_type("occupied", "t")
def prepare(occupied: State, t: Tables) -> State:
    """What the technique with tables `t` keeps of an occupancy: itself, for all but the rotated boards. What has been
    prepared before stays as it is.
    """


@kernel_by_type("t")
def toggle(state: State, sq: Square, t: Tables) -> State:
    """The state after a piece is put on, or taken from, a square."""


@kernel_by_type("t")
def fill(direction: Word, sliders: Bits, empty: Bits, t: Tables) -> Bits:
    """The occluded fill of the technique with tables `t`."""


# The loops. One each, for all techniques.

_LAST_SQUARE = 63


@entry
def answer_arrays(question: Question, squares: Any, occupied: Any, out: Any, t: Tables) -> Any:
    """Fill `out`; returns the union of the squares' bits, over 63 if any was off the board.

    The check costs one OR a vector; the mask keeps a bad square inside the tables meanwhile.
    """
    seen: Word = 0
    for i in range(out.size):
        sq = U64(squares[i])
        seen |= sq
        out[i] = attacks(question, sq & _LAST_SQUARE, prepare(occupied[i], t), t)
    return seen


# The same loop for techniques that look up so much that gathers lose to plain loads: told that the arrays may
# overlap, LLVM does not vectorise it (magic-byte on an AMD Zen 4: 142 M/s with gathers, 201 M/s without).
answer_arrays_one_by_one = Entry(answer_arrays.function, aliases=True)


@entry
def answer_one(question: Question, square: Any, occupied: Any, t: Tables) -> Any:
    """One square, one occupancy (or prepared state)."""
    return attacks(question, U64(square) & _LAST_SQUARE, prepare(occupied, t), t)


@entry
def fill_arrays(direction: Word, sliders: Any, empty: Any, out: Any, t: Tables) -> None:
    """Occluded fills."""
    for i in range(out.size):
        out[i] = fill(direction, sliders[i], empty[i], t)


@entry
def ray_attacks_arrays(direction: Word, sliders: Any, empty: Any, out: Any, t: Tables) -> None:
    """Fills, one step further."""
    for i in range(out.size):
        out[i] = step(direction, fill(direction, sliders[i], empty[i], t))
