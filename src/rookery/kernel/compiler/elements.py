"""Elements of arrays and operations on words, as few instructions of LLVM.

Numba reads an element of an array through a copy of the array's record: some twenty instructions instead of two. For
each operation on two words it looks for the implementation, twice.
"""

import operator
from typing import Any, Final

# What LLVM calls the operations on two words.
WORD_OPERATIONS: Final = {
    operator.add: "add",
    operator.sub: "sub",
    operator.mul: "mul",
    operator.and_: "and_",
    operator.or_: "or_",
    operator.xor: "xor",
    operator.lshift: "shl",
    operator.rshift: "lshr",
    operator.eq: "==",
    operator.ne: "!=",
    operator.lt: "<",
    operator.le: "<=",
    operator.gt: ">",
    operator.ge: ">=",
}


def word_operation(builder: Any, operation: Any, left: Any, right: Any) -> Any:
    """Return the result of an operation on two words: a word, or a bit for a comparison."""
    name = WORD_OPERATIONS[operation]
    if name.isidentifier():
        return getattr(builder, name)(left, right)
    return builder.icmp_unsigned(name, left, right)


def element(context: Any, builder: Any, array_type: Any, array: Any, index_type: Any, index: Any) -> Any:
    """Return a pointer to an element of a contiguous array of numbers, or None if Numba has to find it.

    The index consists of one or two unsigned numbers, which never count from the end.
    """
    from numba.core import types as declared

    types: Any = declared  # whose names are filled in when it is imported
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
