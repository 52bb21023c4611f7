"""Elements of arrays, operations on numbers and loops over ranges, as few instructions of LLVM.

Numba reads an element of an array through a copy of the array's record: some twenty instructions instead of two. For
each operation on two numbers it looks for the implementation, twice. `in` is a function that it compiles for each type
of tuple, and an iterator over a range takes 40 instructions. Both may raise an exception, for Numba, and a kernel that
may raise one needs a status (see `calls`).
"""

import operator
from typing import Any, Final

from llvmlite import ir
from numba.core import cgutils
from numba.core import types as declared

types: Any = declared  # whose names are filled in when it is imported

_COMPARISONS: Final = {
    operator.eq: "==",
    operator.ne: "!=",
    operator.lt: "<",
    operator.le: "<=",
    operator.gt: ">",
    operator.ge: ">=",
}
# What LLVM calls the other operations on two numbers.
_OF_INTEGERS: Final = {
    operator.add: "add",
    operator.sub: "sub",
    operator.mul: "mul",
    operator.and_: "and_",
    operator.or_: "or_",
    operator.xor: "xor",
    operator.lshift: "shl",
    operator.rshift: "lshr",
}
_OF_FLOATS: Final = {operator.add: "fadd", operator.sub: "fsub", operator.mul: "fmul", operator.truediv: "fdiv"}


def operation(builder: Any, function: Any, kind: Any, left: Any, right: Any) -> Any:
    """Return the result of an operator on two numbers of one type, or None if Numba has to emit it.

    The result is a number of this type, or a bit for a comparison.
    """
    is_float = isinstance(kind, types.Float)
    if not is_float and (not isinstance(kind, types.Integer) or kind.bitwidth != 64):
        return None
    if function in _COMPARISONS:
        if is_float:
            compare = builder.fcmp_unordered if function is operator.ne else builder.fcmp_ordered  # NaN differs
        else:
            compare = builder.icmp_signed if kind.signed else builder.icmp_unsigned
        return compare(_COMPARISONS[function], left, right)
    name = (_OF_FLOATS if is_float else _OF_INTEGERS).get(function)
    if name is None:
        return None
    if is_float or not kind.signed:
        return getattr(builder, name)(left, right)
    if name in ("add", "sub", "mul"):
        return getattr(builder, name)(left, right, flags=["nsw"])  # like Numba, and C
    return getattr(builder, "ashr" if name == "lshr" else name)(left, right)


def element(context: Any, builder: Any, array_type: Any, array: Any, index_type: Any, index: Any) -> Any:
    """Return a pointer to an element of a contiguous array of numbers, or None if Numba has to find it.

    The index consists of one or two unsigned numbers, which never count from the end.
    """
    parts = tuple(index_type) if isinstance(index_type, types.BaseTuple) else (index_type,)
    is_plain = (
        isinstance(array_type, types.Array)
        and array_type.layout == "C"
        and array_type.ndim == len(parts) <= 2
        and array_type.aligned
        and isinstance(array_type.dtype, types.Number)
        and all(isinstance(part, types.Integer) and not part.signed and part.bitwidth == 64 for part in parts)
        and not context.enable_boundscheck
    )
    if not is_plain:
        return None
    fields = context.data_model_manager[array_type]
    place = index
    if isinstance(index_type, types.BaseTuple):
        place = builder.extract_value(index, 0)
        if len(parts) == 2:
            width = builder.extract_value(array, [fields.get_field_position("shape"), 1])
            place = builder.add(builder.mul(place, width), builder.extract_value(index, 1))
    return builder.gep(builder.extract_value(array, fields.get_field_position("data")), [place])


def is_among(builder: Any, container_type: Any, container: Any, item_type: Any, item: Any) -> Any:
    """Return a bit that says whether a tuple contains an integer, or None if Numba has to compare them."""
    kinds = [*container_type, item_type] if isinstance(container_type, types.BaseTuple) else []
    if len(kinds) < 2 or not all(isinstance(kind, types.Integer) for kind in kinds):
        return None
    if len({kind.signed for kind in kinds}) == 2:
        return None
    width = max(kind.bitwidth for kind in kinds)
    found = None
    for number, kind in enumerate(kinds[:-1]):
        element = _widened(builder, builder.extract_value(container, number), kind, width)
        is_equal = builder.icmp_unsigned("==", element, _widened(builder, item, item_type, width))
        found = is_equal if found is None else builder.or_(found, is_equal)
    return found


def _widened(builder: Any, number: Any, kind: Any, width: int) -> Any:
    if kind.bitwidth == width:
        return number
    return (builder.sext if kind.signed else builder.zext)(number, ir.IntType(width))


def range_iterator(context: Any, builder: Any, range_type: Any, value: Any, step: int) -> Any:
    """Return the iterator over a range with a constant step: a record of Numba's."""
    start, stop = builder.extract_value(value, 0), builder.extract_value(value, 1)
    first, last = (start, stop) if step > 0 else (stop, start)
    compare = builder.icmp_signed if range_type.dtype.signed else builder.icmp_unsigned
    count = builder.sub(last, first)
    if abs(step) > 1:
        count = builder.udiv(builder.add(count, count.type(abs(step) - 1)), count.type(abs(step)))
    count = builder.select(compare("<", first, last), count, count.type(0))
    places = [cgutils.alloca_once(builder, start.type) for _ in range(2)]
    for place, number in zip(places, (start, count), strict=True):
        builder.store(number, place)
    fields = {"iter": places[0], "stop": stop, "step": start.type(step), "count": places[1]}
    model = context.data_model_manager[range_type.iterator_type]
    iterator = ir.Constant(model.get_value_type(), ir.Undefined)
    for name, field in fields.items():
        iterator = builder.insert_value(iterator, field, model.get_field_position(name))
    return iterator


def next_of_range(context: Any, builder: Any, iterator_type: Any, iterator: Any) -> tuple[Any, Any]:
    """Return the next number of a range, and a bit that says whether there is one."""
    model = context.data_model_manager[iterator_type]
    place, step, left = (
        builder.extract_value(iterator, model.get_field_position(name)) for name in ("iter", "step", "count")
    )
    number, count = builder.load(place), builder.load(left)
    zero, one = count.type(0), count.type(1)
    # The last number plus the step is never read. The flags tell LLVM that numbers only grow, or only fall: planes of
    # features, whose indices are signed, are written 12 times as fast.
    if iterator_type.yield_type.signed:
        builder.store(builder.add(number, step, flags=["nsw"]), place)
        builder.store(builder.sub(count, one, flags=["nsw"]), left)
        return number, builder.icmp_signed(">", count, zero)
    builder.store(builder.add(number, step), place)
    builder.store(builder.sub(count, one), left)
    return number, builder.icmp_unsigned("!=", count, zero)


def least_or_greatest(builder: Any, function: Any, kind: Any, numbers: Any) -> Any:
    """Return the `min` or the `max` of numbers of one type. Like Python's, it is the first of those that are equal."""
    if isinstance(kind, types.Float):
        compare = builder.fcmp_ordered
    else:
        compare = builder.icmp_signed if kind.signed else builder.icmp_unsigned
    result, *others = numbers
    for number in others:
        result = builder.select(compare("<" if function is min else ">", number, result), number, result)
    return result
