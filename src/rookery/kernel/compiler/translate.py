"""Functions translated to LLVM's language: their statements, one method for each form. A function is walked once."""

import ast
from collections.abc import Callable, Sequence
from typing import Any

from rookery.kernel.compiler import arithmetic, arrays
from rookery.kernel.compiler.emitted import Block
from rookery.kernel.compiler.expressions import Expressions
from rookery.kernel.compiler.flow import Edge, Loop
from rookery.kernel.compiler.kinds import SIGNED
from rookery.kernel.compiler.values import CONFLICT, Arr, Num, Rec, Static, Tup, Unsupported, length


class Translator(Expressions):
    """A function while it is translated for arguments of some types."""

    def run(self, arguments: Sequence[Any]) -> Any:
        """Translate the function, and return its result; the current block ends with it."""
        self.variables |= zip(self.function.__code__.co_varnames, arguments, strict=False)
        try:
            self.statements(self._tree.body)
            if self.code.current is not None:
                self.returned.append((self.code.current, Static(None)))
            return self._result()
        except Unsupported as reason:
            self.locate(reason)
            raise

    def locate(self, reason: Unsupported) -> None:
        """Note the line of the statement that is refused, unless a line of a kernel is noted."""
        if not reason.place:
            reason.place = f'{self.function.__code__.co_filename}", line {self._line.lineno}'

    def _result(self) -> Any:
        if len(self.returned) == 1:
            self.code.current = self.returned[0][0]
            return self.runtime(self.returned[0][1])
        end = self.code.block()
        edges = [Edge(block, {"": self.runtime(value)}) for block, value in self.returned]
        found = self.merged(edges, end)[""]
        if found is CONFLICT:
            raise Unsupported("results of different types")
        return found

    def statements(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            if self.code.current is None:  # behind a return
                return
            self._line = statement
            visit = getattr(self, f"_{type(statement).__name__.lower()}_statement", None)
            if visit is None:
                raise Unsupported(f"the statement {type(statement).__name__}")
            visit(statement)

    def _pass_statement(self, node: ast.Pass) -> None:
        pass

    def _expr_statement(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.expression(node.value)

    def _return_statement(self, node: ast.Return) -> None:
        value = self.expression(node.value) if node.value is not None else Static(None)
        self.returned.append((self.code.current, value))
        self.code.current = None

    def _assign_statement(self, node: ast.Assign) -> None:
        value = self.expression(node.value)
        for target in node.targets:
            self._assign(target, value)

    def _annassign_statement(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._assign(node.target, self.expression(node.value))

    def _augassign_statement(self, node: ast.AugAssign) -> None:
        target = node.target
        if isinstance(target, ast.Name):
            old = self._variable(target.id)
            self.variables[target.id] = self._binary(type(node.op), old, self.expression(node.value))
        else:
            kind, place = self._place(target)
            old = arrays.load(self.code, kind, place)
            new = self._binary(type(node.op), old, self.expression(node.value))
            arrays.store(self.code, kind, place, new)

    def _if_statement(self, node: ast.If) -> None:
        decided = self._decided(node.test)
        if decided is not None:
            self.statements(node.body if decided else node.orelse)
            return
        yes, no = self.code.block(), self.code.block()
        self._branch(node.test, yes, no)
        before, edges = dict(self.variables), []
        for block, statements in ((yes, node.body), (no, node.orelse)):
            self.variables = dict(before)
            self.code.start(block)
            self.statements(statements)
            if self.code.current is not None:
                edges.append(Edge(self.code.current, self.variables))
        self.join(edges)

    def _break_statement(self, node: ast.Break) -> None:
        self._leave(self.loops[-1].breaks)

    def _continue_statement(self, node: ast.Continue) -> None:
        self._leave(self.loops[-1].continues)

    def _while_statement(self, node: ast.While) -> None:
        def enter(body: Block, done: Block) -> None:
            if self._decided(node.test):
                self.code.jump(body)
            else:
                self._branch(node.test, body, done)

        is_endless = bool(isinstance(node.test, ast.Constant) and node.test.value)
        self.loop(node, enter, lambda: None, lambda _: None, is_endless)

    def _for_statement(self, node: ast.For) -> None:
        call = node.iter
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and not call.keywords:
            function = self.expression(call.func)
            if isinstance(function, Static) and function.value is range:
                numbers = [self._number(argument) for argument in call.args]
                self._for_range(node, numbers, lambda number: self._assign(node.target, number))
                return
            if isinstance(function, Static) and function.value is enumerate and len(call.args) == 1:
                self._for_each(node, self.expression(call.args[0]), is_numbered=True)
                return
        self._for_each(node, self.expression(node.iter), is_numbered=False)

    def _for_each(self, node: ast.For, value: Any, is_numbered: bool) -> None:
        """Run a loop over an array or a tuple."""
        if isinstance(value, Static) and isinstance(value.value, tuple):
            table = self.unit.table(value.value, self.has_words)
            if table is not None:
                self._for_elements(node, table, self._element_constants(value.value), is_numbered)
                return
        value = self.runtime(value)
        if isinstance(value, Arr) and value.kind.ndim == 1:
            self._for_elements(node, value, None, is_numbered)
        elif isinstance(value, Tup):
            numbered = (Tup([length(str(number)), item]) for number, item in enumerate(value.items))
            self._for_items(node, [*numbered] if is_numbered else value.items)
        else:
            raise Unsupported("a loop over this")

    def _place(self, target: ast.expr) -> tuple[Any, str]:
        """Return the type and the place of what is assigned: an element of an array, or a field of a record."""
        if isinstance(target, ast.Subscript):
            base, index = self.array(target.value), self._indices(target.slice)
            if len(index) != base.kind.ndim or not base.kind.is_writeable:
                raise Unsupported("an assignment to this part of an array")
            return base.kind.item, arrays.place(self.code, base, index)
        record = self.expression(target.value) if isinstance(target, ast.Attribute) else None
        if not isinstance(record, Rec) or not isinstance(target, ast.Attribute):
            raise Unsupported("an assignment to this")
        return arrays.field(self.code, record, target.attr)

    def _assign(self, target: ast.expr, value: Any) -> None:
        if isinstance(target, ast.Name):
            self.variables[target.id] = value
        elif isinstance(target, ast.Tuple | ast.List):
            items = self.items(value)
            if len(items) != len(target.elts) or any(isinstance(t, ast.Starred) for t in target.elts):
                raise Unsupported("a tuple of another length")
            for inner, item in zip(target.elts, items, strict=True):
                self._assign(inner, item)
        elif isinstance(part := self._part(target), Arr):
            arrays.fill(self.code, part, value)
        else:
            kind, place = self._place(target)
            arrays.store(self.code, kind, place, self.runtime(value))

    def _part(self, target: ast.expr) -> Any:
        """Return the part of an array that is assigned as a whole, or None."""
        if not isinstance(target, ast.Subscript):
            return None
        if isinstance(target.slice, ast.Slice):
            return self._e_subscript(target)
        base = self.array(target.value)
        indices = len(target.slice.elts) if isinstance(target.slice, ast.Tuple) else 1
        return self._e_subscript(target) if indices < base.kind.ndim else None

    def _leave(self, edges: list[Edge]) -> None:
        edges.append(Edge(self.code.current, self.variables))
        self.code.current = None

    def _for_range(self, node: ast.For, arguments: list[Num], begin: Callable[[Num], None]) -> None:
        """Run a loop over a range. `begin` begins its body, given the counter."""
        code = self.code
        if not 0 < len(arguments) < 4:
            raise Unsupported(f"a range of {len(arguments)} arguments")
        if len(arguments) == 1:
            arguments = [arithmetic.constant(0, self.has_words), *arguments]
            start_is_given = False
        else:
            start_is_given = True
        start, stop, *more = arguments
        checked = arguments if start_is_given else [stop]
        kind = arithmetic.alike(checked, self.has_words, False) or SIGNED
        step = more[0].constant if more else 1
        if not step:
            raise Unsupported("a range whose step is not a constant")
        first, last = arithmetic.cast(code, start, kind), arithmetic.cast(code, stop, kind)
        natural = not start_is_given or (
            start.natural if step > 0 else (min(stop.constants) >= -1 if stop.constants is not None else stop.natural)
        )
        sign, flag = ("s", "nsw") if kind == SIGNED else ("u", "nuw")
        compared = f"{sign}{'lt' if step > 0 else 'gt'}"
        total = "0"
        if abs(step) > 1:
            distance = f"{last}, {first}" if step > 0 else f"{first}, {last}"
            total = code.value(f"sub i64 {distance}")
            total = code.value(f"udiv i64 {code.value(f'add i64 {total}, {abs(step) - 1}')}, {abs(step)}")
            total = code.value(f"select i1 {code.value(f'icmp {compared} i64 {first}, {last}')}, i64 {total}, i64 0")
        before = code.current
        names: list[str] = []

        def enter(body: Block, done: Block) -> None:
            head = code.current
            names[:] = [code.name(), code.name()]
            head.phis.append((names[0], first))
            if abs(step) > 1:
                head.phis.append((names[1], total))
                code.split(code.value(f"icmp ne i64 {names[1]}, 0"), body, done)
            else:
                code.split(code.value(f"icmp {compared} i64 {names[0]}, {last}"), body, done)

        def bind() -> None:
            begin(Num(kind, names[0], None, natural))

        def advance(head: Block) -> None:
            latch = code.current
            if abs(step) > 1:
                later = code.value(f"add i64 {names[0]}, {step}")
                left = code.value(f"sub nuw i64 {names[1]}, 1")
                ways = f"[ {total}, %{before.label} ], [ {left}, %{latch.label} ]"
                head.phis[head.phis.index((names[1], total))] = f"{names[1]} = phi i64 {ways}"
            else:
                later = code.value(f"{'add' if step > 0 else 'sub'} {flag} i64 {names[0]}, 1")
            ways = f"[ {first}, %{before.label} ], [ {later}, %{latch.label} ]"
            head.phis[head.phis.index((names[0], first))] = f"{names[0]} = phi i64 {ways}"

        self.loop(node, enter, bind, advance)

    def _for_elements(self, node: ast.For, base: Arr, constants: frozenset[int] | None, is_numbered: bool) -> None:
        """Run a loop over the elements of an array."""
        code = self.code

        def begin(number: Num) -> None:
            found = arrays.load(code, base.kind.item, arrays.place(code, base, [number]))
            if constants is not None:
                found = Num(found.kind, found.code, constants, min(constants) >= 0)
            self._assign(node.target, Tup([number, found]) if is_numbered else found)

        self._for_range(node, [length(base.shape[0])], begin)

    def _for_items(self, node: ast.For, items: Sequence[Any]) -> None:
        """Translate the body of a loop over a tuple once for each of its items."""
        loop = Loop([], [])
        for item in items:
            self._assign(node.target, item)
            self.loops.append(Loop(loop.breaks, []))
            self.statements(node.body)
            edges = self.loops.pop().continues
            if self.code.current is not None:
                edges.append(Edge(self.code.current, self.variables))
            self.join(edges)
            if self.code.current is None:
                break
        if self.code.current is not None:
            self.statements(node.orelse)
        if self.code.current is not None:
            loop.breaks.append(Edge(self.code.current, self.variables))
        self.join(loop.breaks)
