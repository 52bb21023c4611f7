"""The types that an operation takes its operands as, before Numba looks for its implementation.

For Numba ``uint64 | int64`` is an int64, and so is ``uint64 + bool``. Here, what a word meets in an operation, or in a
call of ``range``, ``divmod`` or ``pow``, becomes a word, and a literal becomes what it meets. `mixed` then rejects the
signed numbers that may be negative.

Comparisons are left to Numba, which compares words and signed numbers exactly. A shift keeps the type of its left side.
"""

import operator
from typing import Any, Final

from numba import types as declared

types: Any = declared  # whose names are filled in when it is imported

# Operations modulo 2**64: a negative constant may become a word.
MODULAR: Final = frozenset((operator.add, operator.sub, operator.mul, operator.and_, operator.or_, operator.xor))
# Where all operands are of one kind.
ALIKE: Final = MODULAR | {operator.floordiv, operator.mod, operator.pow, divmod, pow, range}
SHIFTS: Final = frozenset((operator.lshift, operator.rshift))
COMPARISONS: Final = frozenset((operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge))
LOGICAL: Final = frozenset((operator.and_, operator.or_, operator.xor))
_IN_PLACE: Final = {
    operator.iadd: operator.add,
    operator.isub: operator.sub,
    operator.imul: operator.mul,
    operator.iand: operator.and_,
    operator.ior: operator.or_,
    operator.ixor: operator.xor,
    operator.ifloordiv: operator.floordiv,
    operator.imod: operator.mod,
    operator.ipow: operator.pow,
    operator.ilshift: operator.lshift,
    operator.irshift: operator.rshift,
}
WIDTH: Final = 64
_SIGN: Final = 1 << 63


def taken_as(function: Any, args: tuple[Any, ...], has_words: bool) -> tuple[Any, ...]:
    """Return the types that a function of Python takes arguments of these types as.

    Literals alone are words if `has_words`, and signed numbers otherwise.
    """
    key = getattr(function, "typing_key", function)
    try:
        key = _IN_PLACE.get(key, key)
    except TypeError:  # not hashable
        return args
    if key in SHIFTS:
        return _shifted(args, has_words)
    if key not in ALIKE and key not in COMPARISONS:
        return args
    kinds = [kind.type if isinstance(kind, types.Optional) else kind for kind in args]
    if any(isinstance(kind, types.Array) for kind in kinds):
        return _with_arrays(args, has_words)
    if not all(isinstance(kind, types.Integer | types.Boolean) for kind in kinds):
        return args
    if any(map(is_word, kinds)):
        if key in COMPARISONS and any(map(is_signed, kinds)):
            return args
        wanted = types.uint64
    elif any(map(is_signed, kinds)):
        wanted = types.int64
    elif all(isinstance(kind, types.Boolean) for kind in kinds):
        return args
    else:
        wanted = types.uint64 if has_words or not any(map(_is_literal, kinds)) else types.int64
    return tuple(kind if isinstance(kind, types.Optional) else wanted for kind in args)


def _shifted(args: tuple[Any, ...], has_words: bool) -> tuple[Any, ...]:
    left, right = args
    if isinstance(left, types.Boolean):
        left = types.uint64
    elif _is_literal(left):
        left = types.uint64 if has_words or is_word(right) else types.int64
    if _is_literal(right) and isinstance(left, types.Integer):
        right = types.int64 if left.signed else types.uint64
    return left, right


def _with_arrays(args: tuple[Any, ...], has_words: bool) -> tuple[Any, ...]:
    """Return the types of arguments of NumPy, which converts an array of words and a signed number to floats."""
    elements = [kind.dtype for kind in args if isinstance(kind, types.Array)]
    has_signed = any(map(is_signed, elements)) or not has_words
    literal = types.int64 if has_signed and not any(map(is_word, elements)) else types.uint64
    return tuple(literal if _is_literal(kind) else kind for kind in args)


def is_wide(kind: Any) -> bool:
    """Check whether a type is an integer of 64 bits."""
    return isinstance(kind, types.Integer) and kind.bitwidth == types.uint64.bitwidth


def is_word(kind: Any) -> bool:
    """Check whether a type is the unsigned integer of 64 bits, or an optional one."""
    kind = kind.type if isinstance(kind, types.Optional) else kind
    return is_wide(kind) and not kind.signed and not _is_literal(kind)


def is_signed(kind: Any) -> bool:
    """Check whether a type is a signed integer, and not that of a literal without a sign."""
    return isinstance(kind, types.Integer) and kind.signed and not _is_literal(kind)


def _is_literal(kind: Any) -> bool:
    return isinstance(kind, types.IntegerLiteral) and 0 <= kind.literal_value < _SIGN
