"""Entries and kernels in plain Python, where integers mean what they mean in compiled code.

Python's ints have no width, and NumPy's words neither meet negative ints nor signed numbers. So before a function runs
in Python, its operations are replaced by the functions of this module, and the kernels that it calls by their twins:

    a word          a NumPy scalar without a sign; operations on it are modulo 2**64
    a signed number a Python int, such as a length, or a NumPy scalar with a sign
    a literal       an int in the source or a constant of a module: a word, or a signed number where it meets one

The new function has the lines of the old one, so that a debugger steps through the source. A function without source,
such as one typed at a prompt, runs as it is.
"""

import ast
import builtins
import contextlib
import functools
import inspect
import operator
import textwrap
from collections.abc import Callable, Iterable, Iterator
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any, Final

import numpy as np

U64 = np.uint64
_MASK: Final = (1 << 64) - 1
_WIDTH: Final = 64
_SIGN: Final = 1 << 63
_NUMBERS: Final = (int, np.integer, np.bool_)
_BOOLS: Final = (bool, np.bool_)
_LOGICAL: Final = (operator.and_, operator.or_, operator.xor)
_UNKNOWN: Final = object()
_SHIFTS: Final = (operator.lshift, operator.rshift)
_DIVISIONS: Final = (operator.floordiv, operator.mod)


def constant_of(node: ast.AST) -> Any:
    """Return the number that an expression of literals is, as Python computes it, or None if it is anything else."""
    known = getattr(node, "rookery_constant", _UNKNOWN)
    if known is not _UNKNOWN:
        return known
    value = None
    if isinstance(node, ast.Constant):
        value = node.value
    elif isinstance(node, ast.UnaryOp | ast.BinOp):
        parts = [node.operand] if isinstance(node, ast.UnaryOp) else [node.left, node.right]
        if all(constant_of(part) is not None for part in parts):
            with contextlib.suppress(ArithmeticError, TypeError, ValueError):
                value = eval(compile(ast.Expression(node), "", "eval"))
    node.rookery_constant = value if isinstance(value, bool | int | float) else None  # type: ignore[attr-defined]
    return node.rookery_constant  # type: ignore[attr-defined]


def _word(number: Any) -> Any:
    return U64(int(number) & _MASK)


def _is_word(number: Any) -> bool:
    return isinstance(number, np.unsignedinteger)


def _exact(function: Callable[[int, int], int], x: int, y: int) -> int:
    """Return the result of an operation on ints. Division by zero gives 0, and so does a shift by 64 or more."""
    if function in _SHIFTS:
        y = min(y, _WIDTH) if y >= 0 else _WIDTH
    elif function in _DIVISIONS and y == 0:
        return 0
    return function(x, y)


def _binary(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    wraps = function not in (*_SHIFTS, *_DIVISIONS, operator.pow)
    most = _WIDTH - 1 if function in _SHIFTS else _MASK if wraps else -1

    def operate(a: Any, b: Any) -> Any:
        kind, other = type(a), type(b)
        # NumPy computes the same for these, in a third of the time.
        if kind is U64 and ((other is int and 0 <= b <= most) or (other is U64 and wraps)):
            return function(a, b)
        if not (isinstance(a, _NUMBERS) and isinstance(b, _NUMBERS)):
            return function(a, b)
        if isinstance(a, _BOOLS) and isinstance(b, _BOOLS) and function in _LOGICAL:
            return bool(function(bool(a), bool(b)))
        if function is operator.pow and (_is_word(a) or _is_word(b)):
            return U64(pow(int(a), int(b), 1 << _WIDTH))
        result = _exact(function, int(a), int(b))
        if function in _SHIFTS:
            is_word = _is_word(a) or isinstance(a, _BOOLS) or (kind is int and _is_word(b))
        else:
            is_word = _is_word(a) or _is_word(b)
        return _word(result) if is_word else result

    return operate


def _unary(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def operate(a: Any) -> Any:
        if _is_word(a):
            return _word(function(int(a)))
        return function(int(a)) if isinstance(a, _NUMBERS) else function(a)

    return operate


def _stored(value: Any) -> Any:
    """Return a value that an array takes: its element gets the lowest bits, whatever the sign."""
    if type(value) is int:
        return np.int64(value) if -_SIGN <= value < _SIGN else _word(value)
    return tuple(map(_stored, value)) if type(value) is tuple else value


def _converted(kind: Any) -> Callable[..., Any]:
    """Return a conversion to one of NumPy's integers, which keeps the lowest bits."""
    bits = kind().itemsize * 8

    def convert(number: Any) -> Any:
        if not isinstance(number, _NUMBERS):
            return kind(number)
        value = int(number) & ((1 << bits) - 1)
        return kind(value - (1 << bits) if issubclass(kind, np.signedinteger) and value >> (bits - 1) else value)

    return convert


def _range(*args: Any) -> Iterator[Any]:
    numbers = range(*map(int, args))
    return map(U64, numbers) if any(map(_is_word, args)) else iter(numbers)


def _int(number: Any = 0) -> Any:
    return U64(number) if _is_word(number) else int(number)


def _divmod(a: Any, b: Any) -> Any:
    return _BINARY[ast.FloorDiv](a, b), _BINARY[ast.Mod](a, b)


def _extreme(function: Callable[..., Any]) -> Callable[..., Any]:
    def choose(*args: Any) -> Any:
        found = function(*args)
        return _word(found) if isinstance(found, _NUMBERS) and any(map(_is_word, args)) else found

    return choose


_BINARY: Final = {
    ast.Add: _binary(operator.add),
    ast.Sub: _binary(operator.sub),
    ast.Mult: _binary(operator.mul),
    ast.FloorDiv: _binary(operator.floordiv),
    ast.Mod: _binary(operator.mod),
    ast.Pow: _binary(operator.pow),
    ast.Div: operator.truediv,
    ast.BitAnd: _binary(operator.and_),
    ast.BitOr: _binary(operator.or_),
    ast.BitXor: _binary(operator.xor),
    ast.LShift: _binary(operator.lshift),
    ast.RShift: _binary(operator.rshift),
}
_UNARY: Final = {ast.USub: _unary(operator.neg), ast.Invert: _unary(operator.invert), ast.UAdd: _unary(operator.pos)}
_CALLED: Final[dict[Any, Callable[..., Any]]] = {
    range: _range,
    int: _int,
    divmod: _divmod,
    pow: _BINARY[ast.Pow],
    min: _extreme(min),
    max: _extreme(max),
}
_TAKING_LITERALS: Final = (range, divmod, pow)  # as operations do


def _as_words(value: Any) -> Any:
    """Return a constant with its ints as words. A tuple with a negative int is left as it is."""
    if not isinstance(value, tuple):
        return U64(value) if type(value) is int and 0 <= value <= _MASK else value
    if any(type(part) is int and part < 0 for part in value):
        return value
    parts = [_as_words(part) for part in value]
    return value._make(parts) if hasattr(value, "_make") else tuple(parts)


class _Rewriter(ast.NodeTransformer):
    """The operations of a function as calls. The names of its methods are those of `ast`."""

    def __init__(self, function: FunctionType) -> None:
        code = function.__code__
        self._is_signed = getattr(function, "signed_ints", False)
        self._local = {*code.co_varnames, *code.co_cellvars}
        closure = zip(code.co_freevars, function.__closure__ or (), strict=True)
        self._known = {
            **vars(builtins),
            **function.__globals__,
            **{name: _content(cell) for name, cell in closure},
        }
        self.cells: dict[str, Any] = {}  # what the new function reads besides, by names that no source has

    def _cell(self, value: Any, node: ast.AST) -> ast.expr:
        name = f"{getattr(value, '__name__', value)} {len(self.cells)}"
        self.cells[name] = value
        return ast.copy_location(ast.Name(name, ast.Load()), node)

    def _call(self, function: Any, node: ast.AST, *args: ast.expr) -> ast.expr:
        return ast.copy_location(ast.Call(self._cell(function, node), [*args], []), node)

    def _value(self, node: ast.AST) -> Any:
        """Return what a name of a module or its attribute stands for, or None if only running the function tells."""
        if isinstance(node, ast.Name):
            return None if node.id in self._local else self._known.get(node.id)
        if isinstance(node, ast.Attribute):
            owner = self._value(node.value)
            return getattr(owner, node.attr, None) if isinstance(owner, ModuleType | tuple) else None
        return None

    def _operand(self, node: ast.expr) -> ast.expr:
        """Return an operand. A literal stays an int, which takes the kind of what it meets."""
        folded = _folded(node)
        if folded is not None:
            return ast.copy_location(ast.Constant(folded), node)
        found = self._value(node)
        return node if type(found) is int and found < _SIGN else self.visit(node)

    def _literal(self, node: ast.expr, value: Any) -> ast.expr:
        converted = value if self._is_signed else _as_words(value)
        return node if converted is value else self._cell(converted, node)

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return self._literal(node, node.value)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        found = self._value(node) if isinstance(node.ctx, ast.Load) else None
        return self._literal(node, found) if type(found) is int or isinstance(found, tuple) else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        found = self._value(node)
        if type(found) is int or isinstance(found, tuple):
            return self._literal(node, found)
        node.value = self.visit(node.value)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        folded = _folded(node)
        if folded is not None:
            return self._literal(node, folded)
        return self._call(_BINARY[type(node.op)], node, self._operand(node.left), self._operand(node.right))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        folded = _folded(node)
        if folded is not None:
            return self._literal(node, folded)
        if isinstance(node.op, ast.Not):
            return self.generic_visit(node)  # type: ignore[return-value]  # the node itself
        return self._call(_UNARY[type(node.op)], node, self.visit(node.operand))

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        node.left = self._operand(node.left)
        node.comparators = [self._operand(part) for part in node.comparators]
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        function = _BINARY[type(node.op)]
        value = self._operand(node.value)
        if isinstance(node.target, ast.Name):
            read = ast.copy_location(ast.Name(node.target.id, ast.Load()), node)
            return ast.copy_location(ast.Assign([node.target], self._call(function, node, read, value)), node)

        def update(array: Any, place: Any, operand: Any) -> None:
            array[place] = _stored(function(array[place], operand))

        def update_field(record: Any, operand: Any) -> None:
            setattr(record, name, _stored(function(getattr(record, name), operand)))

        if isinstance(node.target, ast.Attribute):
            name = node.target.attr
            call = self._call(update_field, node, self.visit(node.target.value), value)
        else:
            assert isinstance(node.target, ast.Subscript), ast.dump(node)
            array, place = self.visit(node.target.value), self._operand(node.target.slice)
            call = self._call(update, node, array, place, value)
        return ast.copy_location(ast.Expr(call), node)

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        node.value = self.visit(node.value)
        node.targets = [self.visit(target) for target in node.targets]
        if any(isinstance(part, ast.Subscript | ast.Attribute) for target in node.targets for part in ast.walk(target)):
            node.value = self._call(_stored, node, node.value)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt | None:
        if node.value is None:
            return None
        return self.visit_Assign(ast.copy_location(ast.Assign([node.target], node.value), node))

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        node.value, node.slice = self.visit(node.value), self._operand(node.slice)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        found = self._value(node.func)
        if any(found is function for function in _TAKING_LITERALS) and not any(
            isinstance(arg, ast.Starred) for arg in node.args
        ):
            all_literal = all(_folded(arg) is not None or type(self._value(arg)) is int for arg in node.args)
            natural = all_literal and not any((_folded(arg) or 0) < 0 for arg in node.args)
            node.args = [self.visit(arg) if natural else self._operand(arg) for arg in node.args]
        else:
            node.args = [self.visit(arg) for arg in node.args]
        for keyword in node.keywords:
            keyword.value = self.visit(keyword.value)
        twin = self._twin(found)
        node.func = self.visit(node.func) if twin is None else self._cell(twin, node.func)
        return node

    @staticmethod
    def _twin(found: Any) -> Callable[..., Any] | None:
        """Return what is called instead of a function, or None if it is called as it is."""
        if isinstance(found, type) and issubclass(found, np.integer):
            return _converted(found)
        if (twin := getattr(found, "rookery_twin", None)) is not None:
            return lambda *args: twin(*args)(*args)
        try:
            return _CALLED.get(found)
        except TypeError:  # not hashable
            return None


def _content(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not set yet
        return None


def _folded(node: ast.AST) -> int | None:
    """Return the value of an expression of int literals, which Python computes before it compiles a function."""
    value = constant_of(node)
    return value if type(value) is int else None


@functools.cache
def twin_of(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that does in Python what a kernel or an entry does in compiled code."""
    if not isinstance(function, FunctionType):
        return function
    try:
        lines, first = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, TypeError, SyntaxError):
        return function
    (definition,) = tree.body
    if not isinstance(definition, ast.FunctionDef):  # a lambda
        return function
    ast.increment_lineno(tree, first - 1)
    rewriter = _Rewriter(function)
    code = function.__code__
    made = ast.FunctionDef(definition.name, _arguments(code.co_varnames[: code.co_argcount]), [], [])
    made.body = [new for old in definition.body if (new := rewriter.visit(old)) is not None]
    outer = ast.FunctionDef("outer", _arguments([*code.co_freevars, *rewriter.cells]), [made], [])
    for node in (made, outer):
        ast.copy_location(node, definition)
    module = ast.fix_missing_locations(ast.Module([outer], []))
    new = _code_in(_code_in(compile(module, code.co_filename, "exec", dont_inherit=True)))
    cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
    cells.update((name, CellType(value)) for name, value in rewriter.cells.items())
    closure = tuple(cells[name] for name in new.co_freevars)
    twin = FunctionType(new, function.__globals__, function.__name__, function.__defaults__, closure)
    return functools.update_wrapper(twin, function)


def _arguments(names: Iterable[str]) -> ast.arguments:
    return ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])


def _code_in(code: CodeType) -> CodeType:
    return next(constant for constant in code.co_consts if isinstance(constant, CodeType))


def _returned(value: Any) -> Any:
    """Return a result as compiled code returns it: ints and bools are Python's."""
    if isinstance(value, np.integer | np.bool_):
        return value.item()
    if isinstance(value, tuple):
        parts = [_returned(part) for part in value]
        return value._make(parts) if hasattr(value, "_make") else tuple(parts)
    return value


def in_python(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return an entry that runs in Python."""

    @functools.wraps(function)
    def run(*args: Any) -> Any:
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            return _returned(twin_of(function)(*args))

    return run
