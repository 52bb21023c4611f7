"""Variables where paths meet, and values as compiled code holds them.

Each variable is the value that was assigned last, and where paths meet, a phi node chooses. A loop is translated until
what is known of its variables no longer changes: twice, as a rule.
"""

import ast
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from rookery.kernel.compiler import arithmetic, arrays, source, values
from rookery.kernel.compiler.emitted import Block, Code
from rookery.kernel.compiler.kinds import of_dtype
from rookery.kernel.compiler.values import CONFLICT, Arr, Num, Rec, Static, Tup, Unsupported, bit, common, same


class Edge(NamedTuple):
    """A way to a block: where it comes from, and the variables there."""

    block: Block
    variables: dict[str, Any]


class Loop(NamedTuple):
    """The ways out of a loop's body."""

    breaks: list[Edge]
    continues: list[Edge]


class Flow:
    """The variables of a function, and the blocks that it consists of."""

    def __init__(self, unit: Any, function: Callable[..., Any]) -> None:
        self.unit = unit
        self.function = function
        self.code = Code(unit.is_checked)
        self.has_words = not getattr(function, "signed_ints", False)
        self.returned: list[tuple[Block, Any]] = []
        self.loops: list[Loop] = []
        self._tree = source.tree_of(function)
        self._locals = frozenset(function.__code__.co_varnames)
        self._guesses: dict[int, dict[str, Any]] = {}
        self.variables: dict[str, Any] = {}
        self._line: ast.stmt = self._tree

    def statements(self, statements: Sequence[ast.stmt]) -> None:
        """Translate statements: see `translate`."""
        raise NotImplementedError

    def join(self, edges: list[Edge]) -> None:
        if not edges:
            self.code.current = None
        elif len(edges) == 1:
            self.code.current, self.variables = edges[0].block, dict(edges[0].variables)
        else:
            self.variables = self.merged(edges, self.code.block())

    def loop(
        self,
        node: ast.For | ast.While,
        enter: Callable[[Block, Block], None],
        bind: Callable[[], None],
        advance: Callable[[Block], None],
        is_endless: bool = False,
    ) -> None:
        """Translate a loop until what is known of its variables no longer changes.

        `enter` tests at the head whether the body runs once more. `bind` begins the body, and `advance` ends it.
        """
        code, before = self.code, self.variables
        names = [name for name in source.assigned_in(node) if before.get(name, CONFLICT) is not CONFLICT]
        kept = self._guesses.get(id(node), {})
        guess = {n: _unknown(self.runtime(before[n])) for n in names}
        guess |= {n: self._next_guess(kept[n], before[n]) for n in names if n in kept}
        has_constants = False
        while True:
            mark, returns = code.mark(), len(self.returned)
            outer = [(len(loop.breaks), len(loop.continues)) for loop in self.loops]
            entered = code.current
            head, body, done = code.block(), code.block(), code.block()
            code.jump(head)
            code.start(head)
            self.variables = dict(before)
            phis: list[tuple[str, str, list[str]]] = []
            for name in names:
                self.variables[name] = self._phi_of(guess[name], phis) if guess[name] is not CONFLICT else CONFLICT
            enter(body, done)
            at_head = self.variables
            self.variables = dict(at_head)
            loop, back = self._body(node, body, bind)
            edges = loop.continues
            new = {n: self._next_guess(guess[n], back.get(n, guess[n])) for n in names}
            if all(same(new[n], guess[n]) for n in names) and not has_constants:
                exact = {n: self._with_constants(before[n], back.get(n), guess[n]) for n in names} if edges else guess
                has_constants = True
                new = exact
            if all(same(new[n], guess[n]) for n in names):
                break
            guess = new
            code.reset(mark)
            code.current = entered
            del self.returned[returns:]
            for (breaks, continues), other in zip(outer, self.loops, strict=True):
                del other.breaks[breaks:], other.continues[continues:]
        self._guesses[id(node)] = guess
        latch = None
        if edges:
            back_edge = Edge(code.current, back)
            advance(head)
            latch = back_edge, code.current
            code.jump(head)
        self._complete(head, phis, guess, Edge(entered, before), latch)
        out = loop.breaks
        if not is_endless:
            code.start(done)
            self.variables = dict(at_head)
            self.statements(node.orelse)
            if code.current is not None:
                out = [Edge(code.current, self.variables), *out]
        self.join(out)

    def _body(self, node: ast.For | ast.While, body: Block, bind: Callable[[], None]) -> tuple[Loop, dict[str, Any]]:
        """Translate the body of a loop. Return where it is left, and the variables at its end, if it has one."""
        code = self.code
        self.loops.append(Loop([], []))
        code.start(body)
        bind()
        self.statements(node.body)
        loop = self.loops.pop()
        edges = loop.continues
        if code.current is not None:
            edges.append(Edge(code.current, self.variables))
        if len(edges) > 1:
            self.variables = self.merged(edges, code.block())
        elif edges:
            code.current, self.variables = edges[0]
        return loop, self.variables if edges else {}

    def _complete(
        self,
        head: Block,
        phis: list[tuple[str, str, list[str]]],
        guess: dict[str, Any],
        entry: Edge,
        latch: tuple[Edge, Any] | None,
    ) -> None:
        """Write the phi nodes at the head of a loop. `latch` is the end of the body, and the block that jumps back."""
        waiting = iter(phis)
        for name, kind_of in guess.items():
            if kind_of is CONFLICT:
                continue
            first = self._operands_in(entry, name, kind_of)
            later = self._operands_in(latch[0], name, kind_of) if latch else []
            for k, operand in enumerate(first):
                phi, kind, _ = next(waiting)
                ways = f"[ {operand}, %{entry.block.label} ]"
                if latch:
                    ways += f", [ {later[k]}, %{latch[1].label} ]"
                head.phis.append(f"{phi} = phi {kind} {ways}")
        for number, node in enumerate(head.phis):
            if not isinstance(node, str):  # the counter of a loop whose body never ends
                head.phis[number] = f"{node[0]} = phi i64 [ {node[1]}, %{entry.block.label} ]"

    def _next_guess(self, guess: Any, back: Any) -> Any:
        if guess is CONFLICT or back is CONFLICT:
            return CONFLICT
        both = common(guess, self.runtime(back))
        return both if isinstance(guess, Num) else _unknown(both)

    def _with_constants(self, first: Any, back: Any, guess: Any) -> Any:
        """Return what is known of a variable whose new value does not depend on the old one, and is a constant."""
        if isinstance(first, Num) and isinstance(back, Num) and guess is not CONFLICT:
            both = common(first, back)
            if both is not CONFLICT and both.constants is not None:
                return Num(guess.kind, "", both.constants, both.natural)
        return guess

    def _phi_of(self, value: Any, phis: list[tuple[str, str, list[str]]]) -> Any:
        """Return a value like another, with a phi node for each of its operands."""
        if isinstance(value, Static):
            return value
        names = []
        for kind in values.leaves(value.kind):
            names.append(self.code.name())
            phis.append((names[-1], kind, []))
        return named(value, iter(names))

    def _operands_in(self, edge: Edge, name: str, like: Any) -> list[str]:
        """Return the operands of a variable at the end of a block, as those of a value of another type."""
        self.code.current = edge.block
        return [*values.operands(self.as_like(self.runtime(edge.variables[name]), like))]

    def as_like(self, value: Any, like: Any) -> Any:
        """Return a value as one of the type of another, which holds it."""
        if isinstance(value, Num) and isinstance(like, Num):
            return Num(like.kind, arithmetic.cast(self.code, value, like.kind), like.constants, like.natural)
        if isinstance(value, Tup) and isinstance(like, Tup):
            pairs = zip(value.items, like.items, strict=True)
            return Tup([self.as_like(self.runtime(v), other) for v, other in pairs], value.cls)
        if isinstance(value, Arr) and isinstance(like, Arr) and value.kind.layout != like.kind.layout:
            strides = arrays.strides(self.code, value)
            return Arr(like.kind, value.data, value.shape, strides)
        return value

    def merged(self, edges: list[Edge], target: Block) -> dict[str, Any]:
        """Let several ways lead to a block, begin it, and return the variables there."""
        code = self.code
        found: dict[str, Any] = {}
        for name, first in edges[0].variables.items():
            others = [edge.variables.get(name) for edge in edges]
            if None in others:  # not set on every path
                continue
            if all(other is first for other in others):
                found[name] = first
                continue
            like = self._common(others)
            if isinstance(like, Static):
                found[name] = like
                continue
            rows = [self._operands_in(edge, name, like) for edge in edges]
            names = []
            for kind, column in zip(values.leaves(like.kind), zip(*rows, strict=True), strict=True):
                if all(operand == column[0] for operand in column):
                    names.append(column[0])
                    continue
                names.append(code.name())
                pairs = zip(column, edges, strict=True)
                ways = ", ".join(f"[ {operand}, %{edge.block.label} ]" for operand, edge in pairs)
                target.phis.append(f"{names[-1]} = phi {kind} {ways}")
            found[name] = named(like, iter(names))
        for edge in edges:
            code.current = edge.block
            code.jump(target)
        code.start(target)
        return found

    def _common(self, several: Sequence[Any]) -> Any:
        first = several[0]
        if isinstance(first, Static) and all(isinstance(v, Static) and v.value is first.value for v in several):
            return first
        try:
            like = self.runtime(first)
            for other in several[1:]:
                if like is CONFLICT or other is CONFLICT:
                    return CONFLICT
                like = common(like, self.runtime(other))
        except Unsupported:
            return CONFLICT
        return like

    def runtime(self, value: Any) -> Any:
        """Return a value that may be an object of Python as one that compiled code can hold."""
        if not isinstance(value, Static) or value is CONFLICT:
            return value
        found = value.value
        if isinstance(found, tuple):
            has_negative = any(type(item) is int and item < 0 for item in found)
            return Tup([self._item(item, self.has_words and not has_negative) for item in found], type(found))
        if isinstance(found, np.ndarray):
            return self.unit.array(found)
        return value

    def _item(self, value: Any, has_words: bool) -> Any:
        return self.runtime(self.static(value, has_words))

    def static(self, value: Any, has_words: bool | None = None) -> Any:
        """Return the value of a Python object."""
        has_words = self.has_words if has_words is None else has_words
        if isinstance(value, bool | np.bool_):
            return bit("true" if value else "false")
        if isinstance(value, int | float) and not isinstance(value, np.generic) and type(value) in (int, float):
            return arithmetic.constant(value, has_words)
        if isinstance(value, np.integer):
            number = int(value)
            return Num(of_dtype(value.dtype), arithmetic.int_code(number), frozenset((number,)), number >= 0)
        if isinstance(value, np.floating):
            as_double = arithmetic.constant(float(value), has_words)
            return Num(of_dtype(value.dtype), as_double.code)
        if isinstance(value, int | float):
            raise Unsupported(f"{value!r}, a number of a class of its own")
        return Static(value)

    def selected(self, condition: str, yes: Any, no: Any) -> Any:
        like = self._common([yes, no])
        if like is CONFLICT:
            raise Unsupported("a choice between different types")
        if isinstance(like, Static):
            return like
        pairs = [values.operands(self.as_like(self.runtime(v), like)) for v in (yes, no)]
        names = []
        for kind, a, b in zip(values.leaves(like.kind), *pairs, strict=True):
            if a == b:
                names.append(a)
            elif kind == "i1" and b == "false" and a == "true":
                names.append(condition)
            else:
                names.append(self.code.value(f"select i1 {condition}, {kind} {a}, {kind} {b}"))
        return named(like, iter(names))


def _unknown(value: Any) -> Any:
    """Return a value of which no constant is known: what a loop may assign again."""
    if isinstance(value, Num):
        return Num(value.kind, "", None, value.natural)
    if isinstance(value, Tup):
        return Tup([_unknown(item) for item in value.items], value.cls)
    return value


def named(value: Any, names: Any) -> Any:
    """Return a value like another, with other operands."""
    if isinstance(value, Num):
        return Num(value.kind, next(names), value.constants, value.natural)
    if isinstance(value, Tup):
        return Tup([named(item, names) for item in value.items], value.cls)
    if isinstance(value, Arr):
        data = next(names)
        shape = [next(names) for _ in range(value.kind.ndim)]
        strides = [] if value.kind.layout == "C" else [next(names) for _ in range(value.kind.ndim)]
        return Arr(value.kind, data, shape, strides)
    return Rec(value.kind, next(names)) if isinstance(value, Rec) else value
