"""The intermediate representation of exported code: expressions on 64-bit words, statements, functions and tables.

All words are unsigned and wrap. A comparison gives a truth value; `ToWord` turns it into 0 or 1.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Int:
    """A literal."""

    value: int


@dataclass(frozen=True)
class Name:
    """A local variable."""

    name: str


@dataclass(frozen=True)
class Constant:
    """A named constant of the program."""

    name: str
    value: int


@dataclass(frozen=True)
class Load:
    """An element of a table."""

    table: str
    index: "Expression"


@dataclass(frozen=True)
class Invert:
    """All bits flipped."""

    value: "Expression"


@dataclass(frozen=True)
class Binary:
    """``+ - * % & | ^ << >>``."""

    operator: str
    left: "Expression"
    right: "Expression"


@dataclass(frozen=True)
class Compare:
    """``== != < <= > >=``: a truth."""

    operator: str
    left: "Expression"
    right: "Expression"


@dataclass(frozen=True)
class ToWord:
    """1 for a true comparison, else 0."""

    truth: "Expression"


@dataclass(frozen=True)
class Select:
    """A choice between two words."""

    truth: "Expression"
    yes: "Expression"
    no: "Expression"


@dataclass(frozen=True)
class Call:
    """A function of the program, or a bit instruction."""

    function: str
    arguments: tuple["Expression", ...]


Expression = Int | Name | Constant | Load | Invert | Binary | Compare | ToWord | Select | Call


def is_truth(e: Expression) -> bool:
    """Return whether an expression is a comparison, or comparisons joined by ``&`` or ``|``."""
    if isinstance(e, Binary) and e.operator in "&|":
        return is_truth(e.left) and is_truth(e.right)
    return isinstance(e, Compare)


def children(e: Expression) -> tuple[Expression, ...]:
    """Return the direct operands of an expression."""
    match e:
        case Load(_, index):
            return (index,)
        case Invert(value) | ToWord(value):
            return (value,)
        case Binary(_, left, right) | Compare(_, left, right):
            return left, right
        case Select(truth, yes, no):
            return truth, yes, no
        case Call(_, arguments):
            return arguments
    return ()


def walk(e: Expression) -> Iterator[Expression]:
    """Yield an expression and everything it contains, innermost first."""
    for child in children(e):
        yield from walk(child)
    yield e


class Origin(NamedTuple):
    """The function in the kernels' source that a statement comes from, and its lines in the file, counted from 1."""

    python: Callable[..., Any]
    first: int
    last: int


@dataclass(frozen=True)
class Placed:
    """A statement and its origin. Equality ignores the origin."""

    origin: Origin | None = field(default=None, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True)
class Assign(Placed):
    """An assignment to a variable."""

    name: str
    value: Expression


@dataclass(frozen=True)
class Store(Placed):
    """A write to an element of the table being filled."""

    table: str
    index: Expression
    value: Expression


@dataclass(frozen=True)
class If(Placed):
    """A choice between two blocks."""

    truth: Expression
    yes: tuple["Statement", ...]
    no: tuple["Statement", ...] = ()


@dataclass(frozen=True)
class While(Placed):
    """A block that runs while a condition is true."""

    truth: Expression
    body: tuple["Statement", ...]


@dataclass(frozen=True)
class For(Placed):
    """A block that runs for 0, 1, ... `count` - 1."""

    name: str
    count: int
    body: tuple["Statement", ...]


@dataclass(frozen=True)
class Return(Placed):
    """The value a function returns."""

    value: Expression


@dataclass(frozen=True)
class Break(Placed):
    """Leave the innermost loop."""


@dataclass(frozen=True)
class Note(Placed):
    """A record of values while the code runs, in code that is written to be watched: `site` says what they are."""

    site: int
    values: tuple[Expression, ...]


@dataclass(frozen=True)
class Tally(Placed):
    """An addition to the number of operations, in code that is written to be watched."""

    count: int


Statement = Assign | Store | If | While | For | Return | Break | Note | Tally
Block = tuple[Statement, ...]


def blocks(s: Statement) -> tuple[Block, ...]:
    """Return the blocks within a statement."""
    match s:
        case If(_, yes, no):
            return yes, no
        case While(_, body) | For(_, _, body):
            return (body,)
    return ()


def expressions(s: Statement) -> tuple[Expression, ...]:
    """Return a statement's own expressions, without those of its blocks."""
    match s:
        case Assign(_, value) | Return(value):
            return (value,)
        case Store(_, index, value):
            return index, value
        case Note(_, values):
            return values
        case If(truth, _, _) | While(truth, _):
            return (truth,)
    return ()


def statements(block: Block) -> Iterator[Statement]:
    """Yield all statements of a block in order, including nested ones."""
    for s in block:
        yield s
        for inner in blocks(s):
            yield from statements(inner)


def names_in(block: Block) -> set[str]:
    """Return the variables that a block reads or writes, except its own loop counters."""
    found: set[str] = set()
    for s in block:
        here = {e.name for own in expressions(s) for e in walk(own) if isinstance(e, Name)}
        for inner in blocks(s):
            here |= names_in(inner)
        if isinstance(s, For):
            here.discard(s.name)
        if isinstance(s, Assign):
            here.add(s.name)
        found |= here
    return found


def used(block: Block, wanted: set[str] | None = None) -> Block:
    """Return a block without assignments to variables that are never read."""
    if wanted is None:
        before, wanted = {"?"}, set()
        while before != wanted:
            before = set(wanted)
            for s in statements(block):
                if not isinstance(s, Assign) or s.name in wanted:
                    wanted |= {e.name for own in expressions(s) for e in walk(own) if isinstance(e, Name)}
    kept: list[Statement] = []
    for s in block:
        match s:
            case Assign(name=name) if name not in wanted:
                continue
            case If(yes=yes, no=no):
                kept.append(replace(s, yes=used(yes, wanted), no=used(no, wanted)))
            case While(body=body) | For(body=body):
                kept.append(replace(s, body=used(body, wanted)))
            case _:
                kept.append(s)
    return tuple(kept)


@dataclass(frozen=True)
class Function:
    """A function on words, or one that `fills` a table and returns nothing.

    `squares` are the parameters that never hold more than a square's index.
    """

    name: str
    parameters: tuple[str, ...]
    body: Block
    text: str
    fills: str | None = None
    squares: frozenset[str] = frozenset()
    python: Callable[..., Any] | None = field(default=None, compare=False, repr=False)


@dataclass
class Table:
    """A flat array of unsigned numbers, written out or filled at start-up by its `fillers`."""

    name: str
    values: NDArray[Any]
    fillers: list[str] = field(default_factory=list)

    @property
    def bits(self) -> int:
        """Return the width of an element, which is that of the technique's own table."""
        return self.values.dtype.itemsize * 8


@dataclass(frozen=True)
class KeptState:
    """The words that a technique keeps for an occupancy from move to move, and the functions that use them.

    A function of `prepare` makes a word from an occupancy, one of `toggle` makes it from the words before a square
    changed, and the functions of `attacks`, in the order of the public look-ups, answer from the words.
    """

    words: tuple[str, ...]
    prepare: tuple[str, ...]
    toggle: tuple[str, ...]
    attacks: tuple[str, ...]


@dataclass
class Program:
    """Constants, tables and functions, each after what it depends on, and the squares that fillers fill.

    `state` is None if the technique keeps nothing but the occupancy.
    """

    constants: dict[str, int] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    filled: dict[str, int] = field(default_factory=dict)  # the squares whose slots each filler fills
    state: KeptState | None = None

    def expressions(self) -> Iterator[Expression]:
        """Yield every expression of every function, including nested ones."""
        for f in self.functions.values():
            for s in statements(f.body):
                for own in expressions(s):
                    yield from walk(own)

    def instructions(self) -> set[str]:
        """Return the bit instructions that are called."""
        return {e.function for e in self.expressions() if isinstance(e, Call)} & set(INSTRUCTIONS)

    def pruned(self) -> "Program":
        """Return the program without unused constants."""
        used = {e.name for e in self.expressions() if isinstance(e, Constant)}
        self.constants = {name: value for name, value in self.constants.items() if name in used}
        return self


# Each language implements these itself; all other kernels are translated.
INSTRUCTIONS = ("byteswap", "popcount", "trailing_zeros", "leading_zeros", "pext", "pdep")


def flat(array: NDArray[Any]) -> NDArray[Any]:
    """Return a table's elements in order, as unsigned numbers."""
    if array.dtype.kind not in "iu" or (array.size and array.min() < 0):
        raise ValueError(f"a table of {array.dtype} with negative elements cannot be exported")
    return np.ascontiguousarray(array).reshape(-1)
