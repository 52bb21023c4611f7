"""Answers derived from those that a technique gives.

A technique gives the kernels that suit it. A line is two rays, a rook a rank and a file, a bishop a diagonal and an
anti-diagonal, a queen a rook and a bishop.
"""

import functools
from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

from rookery.bitboards.lines import LINES
from rookery.bitboards.squares import parse_direction
from rookery.kernel import Bits, Square, State, kernel
from rookery.techniques.base.protocol import QUESTIONS, Question, Ray, Tables

Kernel: TypeAlias = Callable[..., Any]

# The union that makes up each piece, if the technique has no kernel for it.
PARTS: Final = {"rook": ("rank", "file"), "bishop": ("diagonal", "antidiagonal"), "queen": ("rook", "bishop")}


class Kernels(NamedTuple):
    """The kernels of a technique, by the question that they answer.

    Their arguments are ``(sq, occupied, t)``: the square as a word, the occupancy (or the state that `prepare` made of
    it) and the technique's tables. `ray` has a direction before these; `fill` takes ``(direction, sliders, empty, t)``.
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
    """Return the kernels ``(sq, occupied, t)`` for all questions that can be answered, in the order of `QUESTIONS`."""
    known = {name: kernel_ for name, kernel_ in given._asdict().items() if kernel_ and name in QUESTIONS}
    for line, (forward, backward) in LINES.items():
        if given.ray and line not in known:
            rays = (along(given.ray, parse_direction(direction)) for direction in (forward, backward))
            known[line] = union_of(*rays)
    for piece, (first, second) in PARTS.items():
        if piece not in known and first in known and second in known:
            known[piece] = union_of(known[first], known[second])
    return {name: known[name] for name in QUESTIONS if name in known}


def by_question(given: Kernels) -> dict[type[Question], Kernel]:
    """Return all kernels and that of a ray, in the form that `attacks` calls: ``(question, sq, occupied, t)``."""
    kernels = {type(QUESTIONS[name]): ignoring_question(kernel_) for name, kernel_ in all_answers(given).items()}
    return kernels | {Ray: with_direction_of_question(given.ray)} if given.ray else kernels


def offers(given: Kernels) -> tuple[str, ...]:
    """Return the names of the questions that a technique answers, including its rays and fills."""
    return (*all_answers(given), *(name for name in ("ray", "fill") if getattr(given, name)))


def union_of(first: Kernel, second: Kernel) -> Kernel:
    """Make a kernel that returns the union of two kernels' answers."""

    @kernel
    def union(sq: Square, occupied: State, t: Tables) -> Bits:
        """Return the union of both lines, or both pieces."""
        return first(sq, occupied, t) | second(sq, occupied, t)

    return union


def along(ray: Kernel, direction: int) -> Kernel:
    """Make a kernel for one direction of a ray kernel."""

    # The direction is a constant of the closure, so the compiler resolves every test of it.
    @kernel
    def along_direction(sq: Square, occupied: State, t: Tables) -> Bits:
        return ray(direction, sq, occupied, t)

    return along_direction


def ignoring_question(kernel_: Kernel) -> Kernel:
    """Make a kernel in the form that `attacks` calls from the kernel of one question."""

    def answer(question: Question, sq: Square, occupied: State, t: Tables) -> Bits:
        return kernel_(sq, occupied, t)

    return answer


def with_direction_of_question(ray: Kernel) -> Kernel:
    """Make a kernel in the form that `attacks` calls from a ray kernel."""

    def answer(question: Ray, sq: Square, occupied: State, t: Tables) -> Bits:
        return ray(question.direction, sq, occupied, t)

    return answer
