"""The interface between compiled code and techniques: questions, the kernels that answer them, and the loops.

Each question is a class (`Rook`, `Rank`, `Ray`, ...), and so are a technique's tables. A kernel that calls
``attacks(question, sq, state, t)`` is compiled for each pair of classes, with the technique's kernel inlined, and is
found in the compile cache. Plain Python dispatches on the same classes (`rookery.kernel.by_type`).
"""

from typing import Any, Final, NamedTuple, TypeAlias

from rookery.bitboards.sets import step
from rookery.kernel import U64, Bits, Entry, Square, State, Word, entry, kernel_by_type


class Rook(NamedTuple):
    """The attacks of a rook."""


class Bishop(NamedTuple):
    """The attacks of a bishop."""


class Queen(NamedTuple):
    """The attacks of a queen."""


class Rank(NamedTuple):
    """The attacks along the rank."""


class File(NamedTuple):
    """The attacks along the file."""


class Diagonal(NamedTuple):
    """The attacks along the diagonal, towards northeast and southwest."""


class Antidiagonal(NamedTuple):
    """The attacks along the anti-diagonal, towards northwest and southeast."""


class Ray(NamedTuple):
    """The attacks in one direction."""

    direction: int


Question: TypeAlias = Rook | Bishop | Queen | Rank | File | Diagonal | Antidiagonal | Ray
Tables: TypeAlias = tuple[Any, ...]  # a NamedTuple of arrays; each technique has its own class

QUESTIONS: Final[dict[str, Question]] = {
    "rook": Rook(),
    "bishop": Bishop(),
    "queen": Queen(),
    "rank": Rank(),
    "file": File(),
    "diagonal": Diagonal(),
    "antidiagonal": Antidiagonal(),
}


# The kernels that compiled code and plain Python call with "the technique with tables t". Each technique registers its
# own kernels for the class of its tables.


@kernel_by_type("question", "t")
def attacks(question: Question, sq: Square, state: State, t: Tables) -> Bits:
    """Return the answer of the technique with tables `t` to a question."""


@kernel_by_type("occupied", "t")
def prepare(occupied: State, t: Tables) -> State:
    """Return the state in which the technique with tables `t` keeps an occupancy.

    It is the occupancy itself except for the rotated boards. A prepared state is returned unchanged.
    """


@kernel_by_type("t")
def toggle(state: State, sq: Square, t: Tables) -> State:
    """Return the state after a piece is put on a square or taken from it."""


@kernel_by_type("t")
def fill(direction: Word, sliders: Bits, empty: Bits, t: Tables) -> Bits:
    """Return the occluded fill of the technique with tables `t`."""


# The loops, shared by all techniques.

_LAST_SQUARE = 63


@entry
def answer_arrays(question: Question, squares: Any, occupied: Any, out: Any, t: Tables) -> Any:
    """Fill `out` and return the union of the squares' bits, which exceeds 63 if any square is off the board.

    The check costs one OR per vector. The mask keeps a wrong square inside the tables until then.
    """
    union: Word = 0
    for i in range(out.size):
        sq = U64(squares[i])
        union |= sq
        out[i] = attacks(question, sq & _LAST_SQUARE, prepare(occupied[i], t), t)
    return union


# The same loop for techniques with so many look-ups that plain loads beat gathers. LLVM does not vectorise it, because
# the arrays may overlap (magic-byte on an AMD Zen 4: 142 M/s with gathers, 201 M/s without).
answer_arrays_one_by_one = Entry(answer_arrays.function, aliases=True)


@entry
def answer_one(question: Question, square: Any, occupied: Any, t: Tables) -> Any:
    """Answer for one square and one occupancy, or prepared state."""
    return attacks(question, U64(square) & _LAST_SQUARE, prepare(occupied, t), t)


@entry
def fill_arrays(direction: Word, sliders: Any, empty: Any, out: Any, t: Tables) -> None:
    """Fill `out` with occluded fills."""
    for i in range(out.size):
        out[i] = fill(direction, sliders[i], empty[i], t)


@entry
def ray_attacks_arrays(direction: Word, sliders: Any, empty: Any, out: Any, t: Tables) -> None:
    """Fill `out` with the attacks in a direction: each fill, one step further."""
    for i in range(out.size):
        out[i] = step(direction, fill(direction, sliders[i], empty[i], t))
