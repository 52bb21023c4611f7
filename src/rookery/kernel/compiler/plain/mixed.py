"""Type inference in which what a word meets becomes a word, or is rejected.

`operands` says what an operation takes its operands as. Here each operation is checked once types are known:

- A bool that meets a word is a word.
- A signed number that is never negative is a word there: a length, a counter over lengths, ``int(flag)``.
- A constant takes the type of what it meets. If `n` is a length, ``n - 1`` is signed, so that it may be negative.
- Any other signed number may be negative, so compilation fails and names the line.

Where one variable, one result or `min` takes both a word and a signed number, Numba makes it a float. This is an error,
too, and so is a word that a function of Python's makes a signed number, such as `sum` of a tuple.
"""

import operator
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from numba import TypingError
from numba.core import ir
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NopythonTypeInference

from rookery.kernel.compiler.plain.known import Known, operator_of
from rookery.kernel.compiler.plain.operands import (
    ALIKE,
    MODULAR,
    SHIFTS,
    WIDTH,
    is_signed,
    is_wide,
    is_word,
    taken_as,
    types,
)
from rookery.kernel.compiler.plain.words import has_words

_SIGN: Final = 1 << 63


class InWords:
    """A typing context of Numba that takes operands as `operands` says. Anything else is left to the context."""

    def __init__(self, context: Any, literals_are_words: bool) -> None:
        self._context = context
        self._literals_are_words = literals_are_words

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def resolve_function_type(self, function: Any, args: tuple[Any, ...], named: Any) -> Any:
        """Return the signature of a call of `function` for arguments of these types."""
        taken = args if named else taken_as(function, args, self._literals_are_words)
        return self._context.resolve_function_type(function, taken, named)


@register_pass(mutates_CFG=True, analysis_only=False)
class InferenceInWords(NopythonTypeInference):  # type: ignore[misc]  # numba is Any
    """Numba's pass of type inference, in which numbers that meet words are words, or are rejected."""

    _name = "rookery_inference_in_words"

    context: Any = InWords

    def run_pass(self, state: Any) -> bool:
        self._infer(state)
        while _Function(state).convert():
            state.return_type = None  # that of the first inference
            self._infer(state)
        _Function(state).reject_floats()
        return True

    def _infer(self, state: Any) -> None:
        context = state.typingctx
        state.typingctx = self.context(context, has_words(state))
        try:
            super().run_pass(state)
        finally:
            state.typingctx = context


class _Function:
    """A function whose types have been inferred."""

    def __init__(self, state: Any) -> None:
        self._blocks = state.func_ir.blocks
        self._definitions = state.func_ir._definitions
        self._types = state.typemap
        self._signatures = state.calltypes
        self._name = state.func_id.func_qualname
        self._known = Known(state)
        self._added: dict[int, list[Any]] = {}  # statements, by the assignment that they precede

    def convert(self) -> bool:
        """Convert what words meet, and check whether something was converted."""
        visitors = {
            "binop": self._operation,
            "inplace_binop": self._operation,
            "unary": self._unary,
            "call": self._call,
        }
        error = None
        for block in self._blocks.values():
            for assignment in block.find_insts(ir.Assign):
                visit = visitors.get(getattr(assignment.value, "op", ""))
                try:
                    if visit is not None:
                        visit(block.scope, assignment)
                except TypingError as found:
                    error = error or found
        if error is not None and not self._added:  # otherwise types may change
            raise error
        if self._added:
            for block in self._blocks.values():
                block.body = [s for old in block.body for s in (*self._added.get(id(old), ()), old)]
        return bool(self._added)

    def _operation(self, scope: Any, assignment: Any) -> None:
        expression = assignment.value
        function = operator_of(expression)
        operands = expression.lhs, expression.rhs
        kinds = [self._types[v.name] for v in operands]
        if any(isinstance(kind, types.Array) for kind in kinds):
            self._check_arrays(assignment, operands)
        elif function in SHIFTS:
            self._check_width(assignment, operands[1])
            is_constant = is_signed(self._types[assignment.target.name]) and self._is_natural_constant(operands[0])
            if is_constant and is_word(kinds[1]):
                expression.lhs = self._converted(scope, assignment, operands[0], np.uint64)
        elif function in ALIKE:
            if function is operator.add and all(isinstance(kind, types.Boolean) for kind in kinds):
                raise self._error("a sum of bools, which NumPy joins by `or`: convert one with U64(...)", assignment)
            expression.lhs, expression.rhs = self._alike(scope, assignment, function, operands)

    def _unary(self, _scope: Any, assignment: Any) -> None:
        expression = assignment.value
        if expression.fn is operator.invert and isinstance(self._types[expression.value.name], types.Boolean):
            raise self._error("~ of a bool, which is not a bool in Python: write `not`", assignment)

    def _call(self, scope: Any, assignment: Any) -> None:
        expression = assignment.value
        function: Any = getattr(self._types[expression.func.name], "typing_key", None)
        if function in ALIKE and not expression.kws and not expression.vararg:
            expression.args = tuple(self._alike(scope, assignment, function, expression.args))
        elif isinstance(function, np.ufunc):
            self._check_arrays(assignment, expression.args)
        elif getattr(function, "__module__", None) in ("builtins", "math") and function is not len:
            result = self._types[assignment.target.name]
            kinds = [part for v in expression.args for part in _parts(self._types[v.name])]
            is_rounded = function is round or function.__module__ == "math"
            if is_rounded and isinstance(result, types.Integer) and any(map(is_wide, kinds)):
                raise self._error(f"{function.__name__} of an integer, which Numba makes a float first", assignment)
            if is_signed(result) and any(map(is_word, kinds)):
                raise self._error(f"{function.__name__} makes a word a signed number", assignment)

    def _alike(self, scope: Any, assignment: Any, function: Any, operands: Sequence[Any]) -> Sequence[Any]:
        """Return the operands of an operation as numbers of one kind, converted if their types are not enough."""
        result = self._types[assignment.target.name]
        kinds = [self._types[v.name] for v in operands]
        if not all(isinstance(kind, types.Integer | types.Boolean) for kind in kinds):
            if any(map(is_word, kinds)) and (is_signed(result) or any(map(is_signed, kinds))):
                raise self._mixture(assignment, "an optional number or a member of an enumeration")
            return operands
        signed = [v for v, kind in zip(operands, kinds, strict=True) if is_signed(kind)]
        if not signed:
            return operands
        has_sign = not any(self._is_fixed_word(v) for v in operands)
        if not has_sign:
            for v in signed:
                if not self._can_be_word(v, function):
                    raise self._mixture(assignment, f"a signed number that may be negative{_shown(v)}")
        elif function in (operator.pow, pow) and not self._known.is_natural(operands[1]):
            raise self._error("a power whose exponent may be negative, which is not an integer", assignment)
        taken = self._signatures[assignment.value].args if function in (range, divmod) else (result,)
        if all(is_wide(kind) and kind.signed == has_sign for kind in taken):
            return operands
        return [self._converted(scope, assignment, v, np.int64 if has_sign else np.uint64) for v in operands]

    def _is_fixed_word(self, variable: Any) -> bool:
        """Check whether a variable is a word, and not a constant, which could be a signed number as well."""
        values = self._known.constants(variable)
        return is_word(self._types[variable.name]) and (values is None or max(values) >= _SIGN)

    def _can_be_word(self, variable: Any, function: Any) -> bool:
        is_constant = self._known.constants(variable) is not None
        return self._known.is_natural(variable) or (is_constant and function in MODULAR)

    def _is_natural_constant(self, variable: Any) -> bool:
        values = self._known.constants(variable)
        return values is not None and min(values) >= 0

    def _check_width(self, assignment: Any, count: Any) -> None:
        values = self._known.constants(count)
        if values is not None and not all(0 <= value < WIDTH for value in values):
            raise self._error(f"a shift by {min(values)} or {max(values)}: shift by 0 to {WIDTH - 1}", assignment)

    def _check_arrays(self, assignment: Any, operands: Sequence[Any]) -> None:
        kinds = [part for v in operands for part in _parts(self._types[v.name])]
        if any(is_word(kind) for kind in kinds) and any(is_signed(kind) for kind in kinds):
            raise self._mixture(assignment, "a signed number in an operation of NumPy's")

    def _converted(self, scope: Any, assignment: Any, variable: Any, kind: Any) -> Any:
        """Return a variable that holds the same number as an int64 or a word."""
        if is_wide(old := self._types[variable.name]) and old.signed == (kind is np.int64):
            return variable
        values = self._known.constants(variable)
        place = assignment.loc
        if values is not None and len(values) == 1:
            # Not through a call: the step of a range is emitted as a constant.
            (constant,) = values
            number = kind(constant % (1 << WIDTH) if kind is np.uint64 else constant)
            added: list[tuple[str, Any]] = [("$constant", ir.Const(number, place))]
        else:
            added = [("$type", ir.Global(kind.__name__, kind, place))]
            added.append(("$number", None))
        statements = self._added.setdefault(id(assignment), [])
        for name, value in added:
            target = scope.redefine(name, loc=place)
            if value is None:
                value = ir.Expr.call(statements[-1].target, (variable,), (), place)
            statements.append(ir.Assign(value, target, place))
            self._definitions[target.name].append(value)
        return statements[-1].target

    def reject_floats(self) -> None:
        """Reject floats made of words and signed numbers."""
        returned: list[set[bool]] = []  # Python 3.12 returns each branch of ``a if b else c`` by itself
        for block in self._blocks.values():
            for assignment in block.find_insts(ir.Assign):
                kind = self._types[assignment.target.name]
                if isinstance(kind, types.Float | types.BaseTuple) and self._is_mixed_float(assignment, returned):
                    raise self._error(
                        f"a word and a signed number become a float: convert one, or mark {self._name} as signed",
                        assignment,
                    )

    def _is_mixed_float(self, assignment: Any, returned: list[set[bool]]) -> bool:
        target = [*_parts(self._types[assignment.target.name])]
        if not any(isinstance(kind, types.Float) for kind in target):
            return False
        value = assignment.value
        op = getattr(value, "op", "")
        if op == "call":
            function = getattr(self._types[value.func.name], "typing_key", None)
            if function not in (min, max):  # operations of kernels are checked by themselves
                return False
            kinds = [kind for v in value.args for kind in _parts(self._types[v.name])]
            return len({kind.signed for kind in kinds if isinstance(kind, types.Integer)}) == 2
        operands = [[*_parts(self._types[v.name])] for v in _operands(value)]
        if any(len(parts) != len(target) for parts in operands):
            return False
        if op == "cast" and not returned:
            returned += [set() for _ in target]
        for place, kind in enumerate(target):
            if isinstance(kind, types.Float):
                signs = {p[place].signed for p in operands if isinstance(p[place], types.Integer)}
                if op == "cast":
                    returned[place] |= signs
                    signs = returned[place] if len(returned[place]) == 2 else set()
                if signs:
                    return True
        return False

    def _mixture(self, assignment: Any, other: str) -> TypingError:
        return self._error(f"a word meets {other}: convert one, with U64(...) or np.int64(...)", assignment)

    def _error(self, what: str, assignment: Any) -> TypingError:
        return TypingError(f"{self._name}: {what}", loc=assignment.loc)


def _parts(kind: Any) -> Iterator[Any]:
    """Yield the types of a tuple's elements, of an array's elements, or of a number."""
    if isinstance(kind, types.BaseTuple):
        for part in kind:
            yield from _parts(part)
    else:
        yield kind.dtype if isinstance(kind, types.Array) else kind


def _operands(value: Any) -> list[Any]:
    if isinstance(value, ir.Var):
        return [value]
    if not isinstance(value, ir.Expr):
        return []
    if value.op == "phi":
        return [v for v in value.incoming_values if isinstance(v, ir.Var)]
    return [value.value] if value.op == "cast" else []


def _shown(variable: Any) -> str:
    """Return the name of a variable for a message, unless it is one of Numba's."""
    return "" if variable.name.startswith("$") else f", {variable.name.partition('.')[0]}"
