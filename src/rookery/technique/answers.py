"""How answers that a technique does not give follow from those that it gives.

A technique gives the kernels that come natural to it. A line is two rays, a rook a rank and a file, a bishop a diagonal
and an anti-diagonal, a queen a rook and a bishop.
"""

import functools
from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

from rookery.kernel import Bits, Square, State, kernel
from rookery.lines import LINES
from rookery.protocol import QUESTIONS, Question, Ray, Tables
from rookery.squares import parse_direction

Kernel: TypeAlias = Callable[..., Any]

# What is united, if it is not given.
PARTS: Final = {"rook": ("rank", "file"), "bishop": ("diagonal", "antidiagonal"), "queen": ("rook", "bishop")}


class Kernels(NamedTuple):
    """The kernels of a technique, by what they answer.

    They read ``(sq, occupied, t)``: the square as an unsigned word, the occupancy (or what `prepare` made of it) and
    the technique's tables. `ray` has a direction before them; `fill` reads ``(direction, sliders, empty, t)``.
    """

    ray: Kernel | None = None
    rank: Kernel | None = None
    file: Kernel | None = None
    diagonal: Kernel | None = None
    antidiagonal: Kernel | None = None
    rook: Kernel | None = None
    bishop: Kernel | None = None
    fill: Kernel | None = None


@functools.cache
def all_answers(given: Kernels) -> dict[str, Kernel]:
    """The kernels ``(sq, occupied, t)`` for all questions that can be answered, by name, in `QUESTIONS`' order."""
    known = {ask: kernel_ for ask, kernel_ in given._asdict().items() if kernel_ and ask in QUESTIONS}
    for line, (one, other) in LINES.items():
        if given.ray and line not in known:
            known[line] = union_of(along(given.ray, parse_direction(one)), along(given.ray, parse_direction(other)))
    for piece, (first, second) in PARTS.items():
        if piece not in known and first in known and second in known:
            known[piece] = union_of(known[first], known[second])
    return {ask: known[ask] for ask in QUESTIONS if ask in known}


def asked(given: Kernels) -> dict[type[Question], Kernel]:
    """These kernels, and that of a ray, in the form that `attacks` calls: ``(question, sq, occupied, t)``."""
    found = {type(QUESTIONS[ask]): asked_with(kernel_) for ask, kernel_ in all_answers(given).items()}
    return found | {Ray: asked_along(given.ray)} if given.ray else found


def offers(given: Kernels) -> tuple[str, ...]:
    """What a technique answers, by name, its rays and fills included."""
    return (*all_answers(given), *(ask for ask in ("ray", "fill") if getattr(given, ask)))


def union_of(first: Kernel, second: Kernel) -> Kernel:
    """The kernel that asks both and unites the answers."""

    @kernel
    def union(sq: Square, occupied: State, t: Tables) -> Bits:
        """Both lines, or both pieces, are asked and united."""
        return first(sq, occupied, t) | second(sq, occupied, t)

    return union


def along(ray: Kernel, direction: int) -> Kernel:
    """The kernel of one direction of a ray kernel."""

    # A constant of the closure: every test of the direction folds away.
    @kernel
    def along_direction(sq: Square, occupied: State, t: Tables) -> Bits:
        return ray(direction, sq, occupied, t)

    return along_direction


def asked_with(kernel_: Kernel) -> Kernel:
    """A kernel of one question, in the form that `attacks` calls."""

    def answer(question: Question, sq: Square, occupied: State, t: Tables) -> Bits:
        return kernel_(sq, occupied, t)

    return answer


def asked_along(ray: Kernel) -> Kernel:
    """A ray kernel in that form."""

    def answer(question: Ray, sq: Square, occupied: State, t: Tables) -> Bits:
        return ray(question.direction, sq, occupied, t)

    return answer
