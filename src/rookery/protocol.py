"""What is asked of a technique, in compiled code: questions, the kernels that answer them, and the loops.

A question is a type (`Rook`, `Rank`, `Ray`, ...), and so are a technique's tables: a kernel that asks
``attacks(question, sq, state, t)`` is compiled anew for each pair of them, the technique's own kernel inlined, and
still found in the compile cache. Plain Python takes the same way, by the same types.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from rookery.kernel import ONE, U64, ZERO, Bits, Entry, Square, State, Word, entry, kernel, specialised
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


QUESTIONS: dict[str, Any] = {
    "rook": Rook(),
    "bishop": Bishop(),
    "queen": Queen(),
    "rank": Rank(),
    "file": File(),
    "diagonal": Diagonal(),
    "antidiagonal": Antidiagonal(),
}

# Each technique by the class of its tables; `Technique` enters itself.
OF_TABLES: dict[type, Any] = {}


# The protocol, in kernels: what compiled code and plain Python alike ask of "the technique with tables t".


def _choose_attacks(question: Any, sq: Any, state: Any, t: Any) -> Any:
    return OF_TABLES[t.instance_class].answer(question.instance_class)


@specialised(_choose_attacks)
def attacks(question: Any, sq: Square, state: State, t: Any) -> Bits:
    """The answer of the technique with tables `t` to a question."""
    return OF_TABLES[type(t)].answer(type(question))(question, sq, state, t)


@kernel
def itself(occupied: Bits, t: Any) -> State:
    """The state that most techniques keep."""
    return occupied


@kernel
def xor_square(state: State, sq: Square, t: Any) -> State:
    """How they keep it up."""
    return state ^ (ONE << sq)


def _choose_prepare(occupied: Any, t: Any) -> Any:
    if hasattr(occupied, "instance_class"):  # prepared before
        return itself
    return OF_TABLES[t.instance_class].prepare_kernel


@specialised(_choose_prepare)
def prepare(occupied: Any, t: Any) -> State:
    """What the technique with tables `t` keeps of an occupancy: itself, for all but the rotated boards."""
    return occupied if isinstance(occupied, tuple) else OF_TABLES[type(t)].prepare_kernel(occupied, t)


@specialised(lambda state, sq, t: OF_TABLES[t.instance_class].toggle_kernel)
def toggle(state: State, sq: Square, t: Any) -> State:
    """The state after a piece is put on, or taken from, a square."""
    return OF_TABLES[type(t)].toggle_kernel(state, sq, t)


@specialised(lambda direction, sliders, empty, t: OF_TABLES[t.instance_class].fill_kernel)
def fill(direction: Word, sliders: Bits, empty: Bits, t: Any) -> Bits:
    """The occluded fill of the technique with tables `t`."""
    return OF_TABLES[type(t)].fill_kernel(direction, sliders, empty, t)


# The loops. One each, for all techniques.

_LAST_SQUARE = U64(63)


@entry
def answer_arrays(question: Any, squares: Any, occupied: Any, out: Any, t: Any) -> Any:
    """Fill `out`; returns the union of the squares' bits, over 63 if any was off the board.

    The check costs one OR a vector; the mask keeps a bad square inside the tables meanwhile.
    """
    seen = ZERO
    for i in range(out.size):
        sq = U64(squares[i])
        seen |= sq
        out[i] = attacks(question, sq & _LAST_SQUARE, prepare(occupied[i], t), t)
    return seen


# The same loop for techniques that look up so much that gathers lose to plain loads: told that the arrays may
# overlap, LLVM does not vectorise it (magic-byte on an AMD Zen 4: 142 M/s with gathers, 201 M/s without).
answer_arrays_one_by_one = Entry(answer_arrays.function, aliases=True)


@entry
def answer_one(question: Any, square: Any, occupied: Any, t: Any) -> Any:
    """One square, one occupancy (or prepared state)."""
    return attacks(question, U64(square) & _LAST_SQUARE, prepare(occupied, t), t)


@entry
def fill_arrays(direction: Any, sliders: Any, empty: Any, out: Any, t: Any) -> None:
    """Occluded fills."""
    for i in range(out.size):
        out[i] = fill(direction, sliders[i], empty[i], t)


@entry
def ray_attacks_arrays(direction: Any, sliders: Any, empty: Any, out: Any, t: Any) -> None:
    """Fills, one step further."""
    for i in range(out.size):
        out[i] = step(direction, fill(direction, sliders[i], empty[i], t))


# What follows from what.


def union_of(first: Callable[..., Any], second: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel that asks both and unites the answers."""

    @kernel
    def union(sq: Square, occupied: State, t: Any) -> Bits:
        return first(sq, occupied, t) | second(sq, occupied, t)

    return union


def along_direction(ray: Callable[..., Any], direction: int) -> Callable[..., Any]:
    """The kernel of one direction of a ray kernel."""

    # A constant of the closure: every test of the direction folds away.
    @kernel
    def along(sq: Square, occupied: State, t: Any) -> Bits:
        return ray(direction, sq, occupied, t)

    return along


def asked_with(kernel_: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel in the form that `attacks` calls."""

    @kernel
    def asked(question: Any, sq: Square, occupied: State, t: Any) -> Bits:
        return kernel_(sq, occupied, t)

    return asked


def asked_ray(kernel_: Callable[..., Any]) -> Callable[..., Any]:
    """A ray kernel in that form."""

    @kernel
    def asked(question: Any, sq: Square, occupied: State, t: Any) -> Bits:
        return kernel_(question.direction, sq, occupied, t)

    return asked
