"""The types that operations take numbers as, and the mixtures of numbers that are rejected.

For Numba ``uint64 | int64`` is an int64, and so is ``uint64 + bool``. Here `arithmetic` says what an operation takes
its operands as, and raises the error if a word meets a signed number, as in the compiler. Comparisons of words with
signed numbers are left to Numba, which is exact.

Where one variable, one result or `min` takes both a word and a signed number, Numba makes it a float. This is an error,
too, and so is a word that a function of Python's makes a signed number, such as `sum` of a tuple.
"""

import ast
import operator
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numba import TypingError
from numba import types as declared
from numba.core import ir

from rookery.kernel.compiler import arithmetic
from rookery.kernel.compiler.kinds import BOOL, WORD, Number
from rookery.kernel.compiler.values import Num, Unsupported

types: Any = declared  # whose names are filled in when it is imported

# Operations, by the functions that Numba calls for them.
_OPERATIONS: Final[dict[Any, type]] = {
    operator.add: ast.Add,
    operator.sub: ast.Sub,
    operator.mul: ast.Mult,
    operator.and_: ast.BitAnd,
    operator.or_: ast.BitOr,
    operator.xor: ast.BitXor,
    operator.floordiv: ast.FloorDiv,
    operator.mod: ast.Mod,
    operator.pow: ast.Pow,
    operator.lshift: ast.LShift,
    operator.rshift: ast.RShift,
}
_IN_PLACE: Final = {getattr(operator, f"i{f.__name__.strip('_')}"): f for f in _OPERATIONS}
COMPARISONS: Final = frozenset((operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge))
_SHIFTS: Final = (operator.lshift, operator.rshift)
# Where all operands are of one kind.
TAKING_ALIKE: Final = frozenset((*_OPERATIONS, range, divmod, pow)) - {*_SHIFTS}


class InWords:
    """A typing context of Numba that takes operands as `arithmetic` says. Anything else is left to the context."""

    def __init__(self, context: Any, function: Any) -> None:
        self.context = context
        self._name = function.__qualname__
        self._has_words = not getattr(function, "signed_ints", False)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.context, name)

    def resolve_function_type(self, function: Any, args: tuple[Any, ...], named: Any) -> Any:
        """Return the signature of a call of `function` for arguments of these types."""
        key = getattr(function, "typing_key", function)
        try:
            key = _IN_PLACE.get(key, key)
            taken = args if named else self._taken(key, args)
        except TypeError:  # not hashable
            taken = args
        except Unsupported as reason:
            raise TypingError(f"{self._name}: {reason}") from None
        found = self.context.resolve_function_type(function, taken, named)
        if getattr(key, "__module__", "") in ("builtins", "math") and found is not None:
            self._check(key, args, found.return_type)
        return found

    def _taken(self, key: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the types that a function of Python takes arguments of these types as."""
        is_operation = key in TAKING_ALIKE or key in COMPARISONS or key in _SHIFTS or key is operator.invert
        if isinstance(key, np.ufunc) or (is_operation and any(isinstance(kind, types.Array) for kind in args)):
            return self._with_arrays(args)
        if not is_operation:
            return args
        numbers: list[Any] = [_number(kind, self._has_words) for kind in args]
        if None in numbers:
            return args
        if key is operator.invert:
            arithmetic.check_inverted(*numbers)
            return args
        if key in _SHIFTS:
            kind = arithmetic.kind_of_shifted(numbers[0], numbers[1], self._has_words)
            return _declared(kind), types.uint64
        is_modular = _OPERATIONS.get(key) in arithmetic.MODULAR
        try:
            wanted = arithmetic.alike(numbers, self._has_words, is_modular)
        except Unsupported:
            if key in COMPARISONS:
                return args
            raise
        if key in COMPARISONS and any(n.kind.kind == "i" and not n.natural for n in numbers):
            return args
        if wanted is None and key is operator.add:
            arithmetic.check_sum(numbers)
        if key in (operator.pow, pow):
            arithmetic.check_exponent(wanted, numbers[1])
        return tuple(args if wanted is None else (_declared(wanted) if isinstance(k, _WHOLE) else k for k in args))

    def _with_arrays(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the types of arguments of NumPy, which converts an array of words and a signed number to floats."""
        elements = [kind.dtype for kind in args if isinstance(kind, types.Array)]
        has_signed = any(map(is_signed, elements)) or not self._has_words
        literal = types.int64 if has_signed and not any(map(is_word, elements)) else types.uint64
        taken = tuple(literal if _is_literal(kind) else kind for kind in args)
        kinds = [part for kind in taken for part in _parts(kind)]
        if any(map(is_word, kinds)) and any(map(is_signed, kinds)):
            raise Unsupported(f"a word meets a signed number in an operation of NumPy's: {arithmetic.CONVERT}")
        return taken

    def _check(self, function: Any, args: tuple[Any, ...], result: Any) -> None:
        """Reject results of functions of Python's that are not what Python computes."""
        kinds = [part for kind in args for part in _parts(kind)]
        is_rounded = function is round or function.__module__ == "math"
        if is_rounded and isinstance(result, types.Integer) and any(map(_is_wide, kinds)):
            raise TypingError(f"{self._name}: {function.__name__} of an integer, which Numba makes a float first")
        is_free = function is len or function in TAKING_ALIKE
        if not is_free and is_signed(result) and any(map(is_word, kinds)):
            raise TypingError(f"{self._name}: {function.__name__} makes a word a signed number")


_WHOLE: Final = (types.Integer, types.Boolean)


def _number(kind: Any, has_words: bool) -> Num | None:
    """Return what `arithmetic` knows of a number of a type, or None if it is not an integer or a bool."""
    kind = getattr(kind, "type", kind) if isinstance(kind, types.Optional) else kind
    kind = kind.dtype if isinstance(kind, types.IntEnumMember) else kind
    if isinstance(kind, types.Omitted | types.IntegerLiteral):
        value = kind.value if isinstance(kind, types.Omitted) else kind.literal_value
        return arithmetic.constant(value, has_words) if type(value) is int else None
    if isinstance(kind, types.Boolean):
        return Num(BOOL, "")
    return Num(Number("i" if kind.signed else "u", kind.bitwidth), "") if isinstance(kind, types.Integer) else None


def _declared(kind: Number) -> Any:
    return types.uint64 if kind == WORD else types.int64


def _is_wide(kind: Any) -> bool:
    return isinstance(kind, types.Integer) and kind.bitwidth == types.uint64.bitwidth


def _is_literal(kind: Any) -> bool:
    return isinstance(kind, types.IntegerLiteral) and kind.literal_value >= 0


def is_word(kind: Any) -> bool:
    """Check whether a type is the unsigned integer of 64 bits, or an optional one."""
    kind = kind.type if isinstance(kind, types.Optional) else kind
    return _is_wide(kind) and not kind.signed and not _is_literal(kind)


def is_signed(kind: Any) -> bool:
    """Check whether a type is a signed integer, and not that of a literal without a sign."""
    return isinstance(kind, types.Integer) and kind.signed and not _is_literal(kind)


def _parts(kind: Any) -> Iterator[Any]:
    """Yield the types of a tuple's elements, of an array's elements, or of a number."""
    if isinstance(kind, types.BaseTuple):
        for part in kind:
            yield from _parts(part)
    else:
        yield kind.dtype if isinstance(kind, types.Array) else kind


def reject_floats(state: Any) -> None:
    """Reject floats that Numba has made of words and signed numbers."""
    known = state.typemap
    assignments = [a for block in state.func_ir.blocks.values() for a in block.find_insts(ir.Assign)]
    results = [a.value.value for a in assignments if getattr(a.value, "op", "") == "cast"]
    signs: dict[tuple[str, int], set[bool]] = {}  # of the integers that a part of a variable is made of
    size = -1
    while sum(map(len, signs.values())) > size:
        size = sum(map(len, signs.values()))
        for assignment in assignments:
            name = assignment.target.name
            for place, part in enumerate(_parts(known[name])):
                found = signs.setdefault((name, place), set())
                if isinstance(part, types.Integer):
                    found.add(part.signed)
                for source in _merged(assignment.value, results, known):
                    found |= signs.get((source.name, place), set())
    for assignment in assignments:
        for place, part in enumerate(_parts(known[assignment.target.name])):
            if isinstance(part, types.Float) and len(signs[assignment.target.name, place]) > 1:
                name = state.func_id.func_qualname
                what = "a word and a signed number become a float: convert one, or mark"
                raise TypingError(f"{name}: {what} {name} as signed", loc=assignment.loc)


def _merged(value: Any, results: list[Any], known: Any) -> list[Any]:
    """Return the variables of which one is assigned."""
    op = getattr(value, "op", "")
    if op == "phi":
        return [v for v in value.incoming_values if v is not ir.UNDEFINED]
    if op == "cast":  # Python 3.12 returns each branch of ``a if b else c`` by itself
        return results
    if op == "call" and getattr(known[value.func.name], "typing_key", None) in (min, max):
        return list(value.args)
    return [value] if isinstance(value, ir.Var) else []
