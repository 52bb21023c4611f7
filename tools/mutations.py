"""Mutants of a file: the same program with one operator, constant, comparison, slice or branch changed."""

import ast
import copy
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

_OPERATORS: Final[dict[type[ast.AST], type[ast.AST]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


class Mutant(NamedTuple):
    """A change of a file: the characters from `start` to `stop` become `after`."""

    file: str  # relative to the root of the repository
    line: int
    start: int
    stop: int
    before: str
    after: str

    def __str__(self) -> str:
        """Return the place and the change in a line."""
        return f"{self.file}:{self.line}: {' '.join(self.before.split())} -> {' '.join(self.after.split())}"

    @property
    def last_line(self) -> int:
        """The last line of what changes."""
        return self.line + self.before.count("\n")

    def text(self, source: str) -> str:
        """Return the changed text of the file."""
        return source[: self.start] + self.after + source[self.stop :]


def mutants_of(file: str, source: str) -> Iterator[Mutant]:
    r"""Yield all mutants of a file, by place.

    >>> for mutant in mutants_of("a.py", "def f(x):\n    return x[1:] if x < 3 else 0\n"):
    ...     print(mutant)
    a.py:2: x < 3 -> (not x < 3)
    a.py:2: x < 3 -> (x <= 3)
    a.py:2: 3 -> 4
    a.py:2: x[1:] -> (x[:])
    a.py:2: 1 -> 2
    a.py:2: 0 -> 1
    """
    lines = [0]
    for line in source.splitlines(keepends=True):
        lines.append(lines[-1] + len(line.encode()))
    raw = source.encode()

    def place(line: int, column: int) -> int:
        return len(raw[: lines[line - 1] + column].decode())

    for node, changed in _changes(ast.parse(source)):
        start = place(node.lineno, node.col_offset)
        stop = place(node.end_lineno or node.lineno, node.end_col_offset or 0)
        after = ast.unparse(changed)
        if not isinstance(changed, ast.Constant):  # a change must not alter what the operators around it take
            after = f"({after})"
        yield Mutant(file, node.lineno, start, stop, source[start:stop], after)


def _changes(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield expressions, each with what stands in its place.

    Annotations, decorators, and the texts of errors are left alone: they do not decide what a program does.
    """
    if isinstance(node, ast.JoinedStr | ast.Raise):
        return
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        return
    if isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias":
        return
    yield from _changes_of(node)
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns", "decorator_list", "type_params"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _changes(child)


def _changes_of(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield the changes of a statement or an expression, without those of its parts."""
    if isinstance(node, ast.If | ast.While | ast.IfExp | ast.Assert) and not isinstance(node.test, ast.Constant):
        yield node.test, ast.UnaryOp(ast.Not(), node.test)
    if isinstance(node, ast.BinOp | ast.BoolOp) and type(node.op) in _OPERATORS:
        yield node, _with(node, op=_OPERATORS[type(node.op)]())
    elif isinstance(node, ast.UnaryOp) and not isinstance(node.operand, ast.Constant):
        yield node, node.operand
    elif isinstance(node, ast.Compare):
        for i, op in enumerate(node.ops):
            yield node, _with(node, ops=[*node.ops[:i], _OPERATORS[type(op)](), *node.ops[i + 1 :]])
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        for end in ("lower", "upper"):
            if getattr(node.slice, end) is not None:
                yield node, _with(node, slice=_with(node.slice, **{end: None}))
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float):
        yield node, ast.Constant(not node.value if isinstance(node.value, bool) else node.value + 1)


def _with(node: Any, **fields: object) -> Any:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed
