"""Calls: of kernels, of instructions, of classes, and of the functions of Python and NumPy that kernels use."""

import ast
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from rookery.kernel.compiler import arithmetic
from rookery.kernel.compiler.kinds import BOOL, FLOAT, SIGNED, WORD, Number, of_dtype
from rookery.kernel.compiler.values import Arr, Num, Static, Tup, Unsupported, bit, in_llvm, length


def call(translator: Any, function: Any, arguments: list[Any]) -> Any:
    """Return the result of a call."""
    known = _BUILT_IN.get(function) if getattr(function, "__hash__", None) else None
    if known is not None:
        return known(translator, [translator.runtime(value) for value in arguments])
    if isinstance(function, type):
        return _made(translator, function, arguments)
    return translator.unit.call(translator, function, [translator.runtime(value) for value in arguments])


def _made(translator: Any, cls: type, arguments: list[Any]) -> Any:
    fields = getattr(cls, "_fields", None)
    if issubclass(cls, tuple) and fields is not None:
        defaults = cls._field_defaults  # type: ignore[attr-defined]
        for name in fields[len(arguments) :]:
            if name not in defaults:
                raise Unsupported(f"{cls.__name__} without {name}")
            arguments = [*arguments, translator.static(defaults[name])]
        if len(arguments) != len(fields):
            raise Unsupported(f"{cls.__name__} of more arguments")
        return Tup([translator.runtime(value) for value in arguments], cls)
    if issubclass(cls, np.number | np.bool_):
        return _cast(translator, of_dtype(cls), arguments)
    raise Unsupported(f"a call of {cls.__name__}")


def _cast(translator: Any, kind: Number, arguments: list[Any]) -> Num:
    (value,) = _numbers(arguments, 1)
    old = value.kind
    fits = old == BOOL or (old.kind in "iu" and (kind.kind == "u" or kind.bits >= old.bits + (old.kind == "u")))
    if value.constants is not None and old.kind in "iu" and kind.kind in "iu":
        fits = max(value.constants) < 1 << (kind.bits - (kind.kind == "i"))
    return Num(kind, arithmetic.cast(translator.code, value, kind), None, kind.kind != "f" and value.natural and fits)


def _numbers(arguments: list[Any], count: int = 0) -> list[Num]:
    if (count and len(arguments) != count) or not all(isinstance(value, Num) for value in arguments):
        raise Unsupported("a call with other arguments")
    return arguments


def _len(translator: Any, arguments: list[Any]) -> Num:
    if len(arguments) != 1:
        raise Unsupported(f"len of {len(arguments)} arguments")
    value = arguments[0]
    if isinstance(value, Static) and isinstance(value.value, bytes | str):
        return length(str(len(value.value)))
    if isinstance(value, Tup):
        return length(str(len(value.items)))
    if isinstance(value, Arr) and value.shape:
        return length(value.shape[0])
    raise Unsupported("the length of this")


def _least_or_greatest(is_least: bool) -> Callable[[Any, list[Any]], Num]:
    def chosen(translator: Any, arguments: list[Any]) -> Num:
        if len(arguments) < 2:
            raise Unsupported("min or max of one argument")
        return arithmetic.least_or_greatest(translator.code, is_least, _numbers(arguments))

    return chosen


def _abs(translator: Any, arguments: list[Any]) -> Num:
    (value,) = _numbers(arguments, 1)
    code = translator.code
    if value.kind == WORD:
        return Num(WORD, value.code)
    if value.kind.kind == "f":
        kind = in_llvm(value.kind)
        return Num(value.kind, translator.unit.intrinsic(code, f"llvm.fabs.f{value.kind.bits}", kind, [value.code]))
    if value.kind != SIGNED:
        raise Unsupported("abs of this")
    opposite = code.value(f"sub nsw i64 0, {value.code}")
    is_negative = code.value(f"icmp slt i64 {value.code}, 0")
    return Num(SIGNED, code.value(f"select i1 {is_negative}, i64 {opposite}, i64 {value.code}"), None, True)


def _int(translator: Any, arguments: list[Any]) -> Num:
    (value,) = _numbers(arguments, 1)
    kind = WORD if value.kind.kind == "u" else SIGNED
    return Num(kind, arithmetic.cast(translator.code, value, kind), None, value.natural)


def _bool(translator: Any, arguments: list[Any]) -> Num:
    (value,) = _numbers(arguments, 1)
    return bit(arithmetic.truth(translator.code, value))


def _float(translator: Any, arguments: list[Any]) -> Num:
    (value,) = _numbers(arguments, 1)
    return Num(FLOAT, arithmetic.cast(translator.code, value, FLOAT))


def _divmod(translator: Any, arguments: list[Any]) -> Tup:
    left, right = _numbers(arguments, 2)
    if not (arithmetic.is_integer(left) and arithmetic.is_integer(right)):
        raise Unsupported("divmod of floats")
    code = translator.code
    kind = arithmetic.alike((left, right), translator.has_words, False)
    if kind is None:
        raise Unsupported("divmod of bools")
    a, b = arithmetic.cast(code, left, kind), arithmetic.cast(code, right, kind)
    return Tup([Num(kind, x) for x in arithmetic.divided(code, kind, a, b, left, right)])


def _pow(translator: Any, arguments: list[Any]) -> Num:
    left, right = _numbers(arguments, 2)
    return arithmetic.binary(translator.code, ast.Pow, left, right, translator.has_words)


def _of_a_float(name: str) -> Callable[[Any, list[Any]], Num]:
    def called(translator: Any, arguments: list[Any]) -> Num:
        (value,) = _numbers(arguments, 1)
        kind = value.kind if value.kind.kind == "f" else FLOAT
        operand = arithmetic.cast(translator.code, value, kind)
        found = translator.unit.intrinsic(translator.code, f"llvm.{name}.f{kind.bits}", in_llvm(kind), [operand])
        return Num(kind, found)

    return called


def _isnan(translator: Any, arguments: list[Any]) -> Num:
    (value,) = _numbers(arguments, 1)
    if value.kind.kind != "f":
        return bit("false")
    return bit(translator.code.value(f"fcmp uno {in_llvm(value.kind)} {value.code}, 0.0"))


def _of_integers(is_least: bool) -> Callable[[Any, list[Any]], Num]:
    """Translate NumPy's `minimum` and `maximum`, which treat NaN differently from Python's `min` and `max`."""

    def chosen(translator: Any, arguments: list[Any]) -> Num:
        left, right = _numbers(arguments, 2)
        if left.kind != right.kind or left.kind.kind not in "iu":
            raise Unsupported("np.minimum or np.maximum of this")
        return arithmetic.least_or_greatest(translator.code, is_least, [left, right])

    return chosen


_BUILT_IN: Final[dict[Any, Callable[[Any, list[Any]], Any]]] = {
    len: _len,
    min: _least_or_greatest(True),
    max: _least_or_greatest(False),
    abs: _abs,
    int: _int,
    bool: _bool,
    float: _float,
    divmod: _divmod,
    pow: _pow,
    np.floor: _of_a_float("floor"),
    np.exp: _of_a_float("exp"),
    np.isnan: _isnan,
    np.minimum: _of_integers(True),
    np.maximum: _of_integers(False),
}
