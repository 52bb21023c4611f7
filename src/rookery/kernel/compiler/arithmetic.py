"""Operations on numbers: the types they take their operands as, and their instructions.

An integer is a 64-bit word or a signed number of 64 bits. What a word meets in an operation becomes a word: a bool, a
constant, a signed number that is never negative. A signed number that may be negative is `Unsupported` there.
"""

import ast
import struct
from collections.abc import Sequence
from typing import Any, Final

from rookery.kernel.compiler.emitted import Code
from rookery.kernel.compiler.kinds import BOOL, FLOAT, SIGNED, WORD, Number
from rookery.kernel.compiler.values import SIGN, Num, Unsupported, bit, common_number, in_llvm

WIDTH: Final = 64
CONVERT: Final = "convert one, with U64(...) or np.int64(...)"
_PLAIN: Final = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
}
MODULAR: Final = frozenset(_PLAIN)  # modulo 2**64: a negative constant may become a word
_LOGICAL: Final = frozenset((ast.BitAnd, ast.BitOr, ast.BitXor))
# Operations whose result is never negative if both operands are not. An overflow of a signed number is undefined.
_KEEPING: Final = frozenset((ast.Add, ast.Mult, ast.FloorDiv, ast.Mod, *_LOGICAL))
_OF_FLOATS: Final = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}
_SYMBOLS: Final[dict[type, str]] = {
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
}


def constant(value: int | float, has_words: bool) -> Num:
    """Return a constant. An int from 0 on is a word if `has_words`, or if only a word can hold it."""
    if isinstance(value, bool):
        return bit("true" if value else "false")
    if isinstance(value, float):
        return Num(FLOAT, _float_code(value))
    if not -SIGN <= value < 2 * SIGN:
        raise Unsupported(f"{value}, which has more than 64 bits")
    kind = WORD if value >= SIGN or (has_words and value >= 0) else SIGNED
    return Num(kind, int_code(value), frozenset((value,)), value >= 0)


def int_code(value: int) -> str:
    """Return an int as LLVM writes it."""
    return str(value if value < SIGN else value - 2 * SIGN)


def _float_code(value: float) -> str:
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


def is_integer(value: Any) -> bool:
    """Check whether a value is an integer or a bool."""
    return isinstance(value, Num) and value.kind.kind != "f"


def cast(code: Code, value: Num, kind: Number) -> str:
    """Return the operand that stands for a number as another type."""
    old = value.kind
    if old == kind or (old.bits == kind.bits and "f" not in (old.kind, kind.kind)):
        return value.code
    if (known := value.constant) is not None and kind.kind in "iu":
        low = known % (1 << kind.bits)
        return str(low - (1 << kind.bits) if low >> (kind.bits - 1) else low)
    operand = f"{in_llvm(old)} {value.code}"
    if kind == BOOL:
        if old.kind == "f":
            return code.value(f"fcmp une {operand}, 0.0")
        return code.value(f"icmp ne {operand}, 0")
    if kind.kind == "f":
        if old.kind == "f":
            how = "fpext" if kind.bits > old.bits else "fptrunc"
        else:
            how = "sitofp" if old.kind == "i" else "uitofp"
    elif old.kind == "f":
        how = "fptosi" if kind.kind == "i" else "fptoui"
    elif kind.bits < old.bits:
        how = "trunc"
    else:
        how = "sext" if old.kind == "i" else "zext"
    return code.value(f"{how} {operand} to {in_llvm(kind)}")


def converted(code: Code, value: Num, kind: Number) -> Num:
    """Return a number as another type."""
    return Num(kind, cast(code, value, kind), value.constants, value.natural)


def truth(code: Code, value: Any) -> str:
    """Return the operand that says whether a number is not zero."""
    if not isinstance(value, Num):
        raise Unsupported("the truth of what is not a number")
    if value.constant is not None and value.kind != BOOL:
        return "true" if value.constant else "false"
    return cast(code, value, BOOL)


def alike(values: Sequence[Num], has_words: bool, is_modular: bool) -> Number | None:
    """Return the type that an operation takes integers as, or None if all are bools."""
    if any(v.kind == WORD and not v.is_flexible for v in values):
        for v in values:
            if v.kind.kind == "i" and not (v.natural or (v.constants is not None and is_modular)):
                raise Unsupported(f"a word meets a signed number that may be negative: {CONVERT}")
        return WORD
    if any(v.kind.kind == "i" and (has_words or not v.is_flexible or not v.natural) for v in values):
        return SIGNED
    if all(v.kind == BOOL for v in values):
        return None
    return SIGNED if not has_words and any(v.constants is not None for v in values) else WORD


def check_sum(values: Sequence[Num]) -> None:
    """Refuse a sum of bools, about which Python and NumPy disagree."""
    if all(v.kind == BOOL for v in values):
        raise Unsupported("a sum of bools, which NumPy joins by `or`: convert one with U64(...)")


def check_inverted(value: Num) -> None:
    """Refuse ``~`` of a bool, about which Python and NumPy disagree."""
    if value.kind == BOOL:
        raise Unsupported("~ of a bool, which is not a bool in Python: write `not`")


def check_exponent(kind: Number | None, exponent: Num) -> None:
    """Refuse a power of signed numbers unless it is an integer."""
    if kind == SIGNED and not exponent.natural:
        raise Unsupported("a power whose exponent may be negative, which is not an integer")


def kind_of_shifted(left: Num, right: Num, has_words: bool) -> Number:
    """Return the type that a shift takes its left operand as."""
    counts = right.constants or ()
    if not all(0 <= count < WIDTH for count in counts):
        raise Unsupported(f"a shift by {min(counts)} or {max(counts)}: shift by 0 to {WIDTH - 1}")
    if left.is_flexible and left.natural:
        is_word = (has_words and left.kind == WORD) or (right.kind == WORD and not right.is_flexible)
        return WORD if is_word else SIGNED
    return SIGNED if left.kind.kind == "i" else WORD


def binary(code: Code, operator: type, left: Num, right: Num, has_words: bool) -> Num:
    """Return the result of an operation on two numbers."""
    if "f" in (left.kind.kind, right.kind.kind) or operator is ast.Div:
        return _of_floats(code, operator, left, right)
    if operator in (ast.LShift, ast.RShift):
        return _shifted(code, operator, left, right, has_words)
    kind = alike((left, right), has_words, operator in MODULAR)
    if kind is None:
        if operator in _LOGICAL:
            return bit(code.value(f"{_PLAIN[operator]} i1 {left.code}, {right.code}"))
        if operator is ast.Add:
            check_sum((left, right))
        if operator is not ast.Mult and operator is not ast.Sub:
            raise Unsupported("an operation on bools")
        kind = SIGNED
    natural = operator in _KEEPING and left.natural and right.natural
    a, b = cast(code, left, kind), cast(code, right, kind)
    if operator in _PLAIN:
        natural = natural or (operator is ast.BitAnd and (left.natural or right.natural))
        flag = " nsw" if kind == SIGNED and operator not in _LOGICAL else ""
        return Num(kind, code.value(f"{_PLAIN[operator]}{flag} i64 {a}, {b}"), None, natural)
    if operator is ast.Pow:
        return _power(code, kind, a, b, right)
    if operator is ast.FloorDiv:
        return Num(kind, divided(code, kind, a, b, left, right)[0], None, natural)
    if operator is ast.Mod:
        return Num(kind, divided(code, kind, a, b, left, right)[1], None, natural)
    raise Unsupported(f"the operator {operator.__name__}")


def divided(code: Code, kind: Number, a: str, b: str, left: Num, right: Num) -> tuple[str, str]:
    """Return the quotient and the remainder, as Python rounds them. Division by zero gives 0."""
    never_zero = right.constants is not None and 0 not in right.constants
    divisor = b
    if not never_zero:
        is_zero = code.value(f"icmp eq i64 {b}, 0")
        divisor = code.value(f"select i1 {is_zero}, i64 1, i64 {b}")
    sign = "u" if kind == WORD or (left.natural and right.natural) else "s"
    if sign == "s":  # the least number has no opposite
        is_opposite = code.value(f"icmp eq i64 {divisor}, -1")
        safe = code.value(f"select i1 {is_opposite}, i64 1, i64 {divisor}")
        quotient = code.value(f"sdiv i64 {a}, {safe}")
        negated = code.value(f"sub i64 0, {a}")
        quotient = code.value(f"select i1 {is_opposite}, i64 {negated}, i64 {quotient}")
        product = code.value(f"mul i64 {quotient}, {divisor}")
        rest = code.value(f"sub i64 {a}, {product}")
        differs = code.value(f"icmp slt i64 {code.value(f'xor i64 {rest}, {divisor}')}, 0")
        has_rest = code.value(f"icmp ne i64 {rest}, 0")
        rounds = code.value(f"and i1 {differs}, {has_rest}")
        quotient = code.value(f"sub i64 {quotient}, {code.value(f'zext i1 {rounds} to i64')}")
        rest = code.value(f"select i1 {rounds}, i64 {code.value(f'add i64 {rest}, {divisor}')}, i64 {rest}")
    else:
        quotient, rest = code.value(f"udiv i64 {a}, {divisor}"), code.value(f"urem i64 {a}, {divisor}")
    if not never_zero:
        quotient, rest = (code.value(f"select i1 {is_zero}, i64 0, i64 {x}") for x in (quotient, rest))
    return quotient, rest


def _power(code: Code, kind: Number, a: str, b: str, exponent: Num) -> Num:
    """Emit square-and-multiply, as a loop or, for a small constant exponent, as steps."""
    check_exponent(kind, exponent)
    before, head, body, end = code.current, *(code.block() for _ in range(3))
    code.jump(head)
    code.start(head)
    result, factor, left = (code.name() for _ in range(3))
    code.split(code.value(f"icmp ne i64 {left}, 0"), body, end)
    code.start(body)
    is_odd = code.value(f"trunc i64 {left} to i1")
    product = code.value(f"mul i64 {result}, {factor}")
    following = (
        code.value(f"select i1 {is_odd}, i64 {product}, i64 {result}"),
        code.value(f"mul i64 {factor}, {factor}"),
        code.value(f"lshr i64 {left}, 1"),
    )
    code.jump(head)
    for name, first, later in zip((result, factor, left), ("1", a, b), following, strict=True):
        head.phis.append(f"{name} = phi i64 [ {first}, %{before.label} ], [ {later}, %{body.label} ]")
    code.start(end)
    return Num(kind, result)


def _shifted(code: Code, operator: type, left: Num, right: Num, has_words: bool) -> Num:
    kind = kind_of_shifted(left, right, has_words)
    how = "shl" if operator is ast.LShift else "ashr" if kind == SIGNED else "lshr"
    a, b = cast(code, left, kind), cast(code, right, SIGNED)
    return Num(kind, code.value(f"{how} i64 {a}, {b}"), None, operator is ast.RShift and left.natural)


def _of_floats(code: Code, operator: type, left: Num, right: Num) -> Num:
    kind = left.kind if left.kind == right.kind and left.kind.kind == "f" else FLOAT
    if operator not in _OF_FLOATS:
        raise Unsupported(f"{operator.__name__} of floats")
    a, b = cast(code, left, kind), cast(code, right, kind)
    return Num(kind, code.value(f"{_OF_FLOATS[operator]} {in_llvm(kind)} {a}, {b}"))


def unary(code: Code, operator: type, value: Num) -> Num:
    """Return the result of an operation on a number."""
    if operator is ast.Not:
        known = truth(code, value)
        return bit({"true": "false", "false": "true"}.get(known) or code.value(f"xor i1 {known}, true"))
    if value.kind.kind == "f":
        if operator is ast.UAdd:
            return value
        if operator is ast.USub:
            return Num(value.kind, code.value(f"fneg {in_llvm(value.kind)} {value.code}"))
        raise Unsupported("~ of a float")
    if operator is ast.Invert:
        check_inverted(value)
    kind = SIGNED if value.kind.kind in "ib" else WORD
    a = cast(code, value, kind)
    if operator is ast.UAdd:
        return Num(kind, a, None, value.natural)
    return Num(kind, code.value(f"xor i64 {a}, -1" if operator is ast.Invert else f"sub i64 0, {a}"))


def compared(code: Code, operator: type, left: Num, right: Num) -> Num:
    """Return the result of a comparison, which is exact whatever the signs."""
    name = _SYMBOLS.get(operator)
    if name is None:
        raise Unsupported(f"the comparison {operator.__name__}")
    if "f" in (left.kind.kind, right.kind.kind):
        kind = left.kind if left.kind == right.kind else FLOAT
        a, b = cast(code, left, kind), cast(code, right, kind)
        return bit(code.value(f"fcmp {'une' if name == 'ne' else 'o' + name} {in_llvm(kind)} {a}, {b}"))
    kinds = left.kind.kind + right.kind.kind
    if "i" not in kinds:
        common = common_number(left.kind, right.kind)
        assert common is not None
        return _compare(code, name, common if common.kind == "u" else Number("u", 1), left, right)
    if common_number(left.kind, right.kind) is not None:
        return _compare(code, name, SIGNED, left, right)
    signed, other = (left, right) if left.kind.kind == "i" else (right, left)
    if signed.natural:
        return _compare(code, name, WORD, left, right)
    if other.is_flexible:
        return _compare(code, name, SIGNED, left, right)
    plain = _compare(code, name, WORD, left, right).code
    is_negative = code.value(f"icmp slt i64 {cast(code, signed, SIGNED)}, 0")
    is_less = name == "ne" or name[0] == ("l" if signed is left else "g")  # what a negative number makes of it
    return bit(code.value(f"select i1 {is_negative}, i1 {'true' if is_less else 'false'}, i1 {plain}"))


def _compare(code: Code, name: str, kind: Number, left: Num, right: Num) -> Num:
    sign = "" if name in ("eq", "ne") else "s" if kind == SIGNED else "u"
    a, b = cast(code, left, kind), cast(code, right, kind)
    return bit(code.value(f"icmp {sign}{name} {in_llvm(kind)} {a}, {b}"))


def least_or_greatest(code: Code, is_least: bool, values: Sequence[Num]) -> Num:
    """Return the `min` or the `max` of numbers. Like Python's, it is the first of those that are equal."""
    kind: Number | None = values[0].kind
    for v in values[1:]:
        kind = kind and common_number(kind, v.kind)
    if kind is None or kind == BOOL or any(v.kind == BOOL for v in values):
        raise Unsupported("min or max of a word and a signed number, or of bools")
    result = values[0]
    known = all(v.natural for v in values) if is_least else any(v.natural for v in values)
    found = cast(code, result, kind)
    for v in values[1:]:
        other = cast(code, v, kind)
        name = "lt" if is_least else "gt"
        how = f"fcmp o{name}" if kind.kind == "f" else f"icmp {'s' if kind.kind == 'i' else 'u'}{name}"
        chosen = code.value(f"{how} {in_llvm(kind)} {other}, {found}")
        found = code.value(f"select i1 {chosen}, {in_llvm(kind)} {other}, {in_llvm(kind)} {found}")
    return Num(kind, found, None, known)
