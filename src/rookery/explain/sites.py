"""The steps of a technique: sites, places in the code where a step is recorded.

Everything that is known before the code runs is said there once: the line of source, its sentence, the kinds and texts
of the values, and the formulas that join them. The code itself only hands over the values, see `noting`.
"""

from typing import Final, Literal, NamedTuple

from rookery.explain.export.ir import Call, Function, Program, expressions, statements, walk
from rookery.explain.export.kernel_values import PLUMBING
from rookery.explain.formulas import Row
from rookery.explain.kinds import Kind

What = Literal["given", "called", "assigned", "returned"]
# Other functions are one operation, those of `base` too.
_STEPPED_INTO: Final = ("rookery.techniques", "rookery.explain.export.program")
_ONE_OPERATION: Final = "rookery.techniques.base"


class Term(NamedTuple):
    """A value that a step records: the expression it comes from, and its kind.

    `at` is its place among the recorded values. A value read from a table also records its slot, at `slot_at`. `mark`
    says which bits become an index: those that a shift ``>>`` or a mask ``&`` leaves, whose operand is another term.
    `turn` is what a square's bit number is XORed with on a board that is turned over, or -1 if no square has a place.
    """

    text: str
    kind: Kind
    at: int
    table: str = ""
    slots: int = 0
    slot_at: int = -1
    mark: str = ""
    mark_at: int = -1
    turn: int = 0


class Site(NamedTuple):
    """A place where a step is recorded.

    `own` is the place of its value among the recorded values, `previous` that of the value before, or -1. It shows
    `rows` of terms and operators, and `numbers`, see `formulas`.
    """

    what: What
    variable: str
    kind: Kind
    sentence: str
    code: str
    function: str
    module: str
    line: int
    terms: tuple[Term, ...]
    rows: tuple[Row, ...]
    numbers: Row
    own: int
    previous: int
    turn: int


def is_stepped_into(function: Function) -> bool:
    """Check whether the steps of a function are shown. For other functions, only the answer is shown."""
    if function.python is None:
        return False
    module = function.python.__module__
    return module == PLUMBING or (module.startswith(_STEPPED_INTO) and not module.startswith(_ONE_OPERATION))


def reached(program: Program, entries: tuple[str, ...]) -> set[str]:
    """Return the functions that some functions run, these included."""
    found: set[str] = set()
    waiting = list(entries)
    while waiting:
        name = waiting.pop()
        if name not in found and name in program.functions:  # others are instructions
            found.add(name)
            own = (e for s in statements(program.functions[name].body) for e in expressions(s))
            waiting += [e.function for outer in own for e in walk(outer) if isinstance(e, Call)]
    return found
