"""Elements, parts and attributes of arrays."""

from typing import Any

from rookery.kernel.compiler.arithmetic import cast
from rookery.kernel.compiler.emitted import Code
from rookery.kernel.compiler.kinds import BOOL, SIGNED, Array, Number, Record, of_dtype
from rookery.kernel.compiler.values import Arr, Num, Rec, Static, Tup, Unsupported, in_memory, length, size_of


def strides(code: Code, array: Arr) -> list[str]:
    """Return the distances in bytes between elements, along each axis."""
    if array.strides or array.kind.ndim == 0:
        return array.strides
    found = [str(size_of(array.kind.item))]
    for extent in reversed(array.shape[1:]):
        found.append(code.value(f"mul i64 {found[-1]}, {extent}"))
    return found[::-1]


def _index(code: Code, index: Num, extent: str) -> str:
    """Return an index as a number of 64 bits that counts from the beginning."""
    found = cast(code, index, SIGNED)
    if index.natural:
        return found
    is_negative = code.value(f"icmp slt i64 {found}, 0")
    return code.value(f"select i1 {is_negative}, i64 {code.value(f'add i64 {found}, {extent}')}, i64 {found}")


def check(code: Code, comparison: str, left: str, right: str) -> None:
    """Emit a check of two numbers, such as an index and the extent of its axis, if bounds are checked."""
    if code.failed is not None:
        inside = code.block()
        code.split(code.value(f"icmp {comparison} i64 {left}, {right}"), inside, code.failed)
        code.start(inside)


def place(code: Code, array: Arr, indices: list[Num]) -> str:
    """Return a pointer to an element, or to the first element of a part."""
    kind = array.kind
    if not 0 < len(indices) <= kind.ndim:
        raise Unsupported(f"{len(indices)} indices of {kind.ndim} axes")
    found = [_index(code, index, extent) for index, extent in zip(indices, array.shape, strict=False)]
    for index, extent in zip(found, array.shape, strict=False):
        check(code, "ult", index, extent)
    if kind.layout == "C":
        offset = found[0]
        for number in range(1, kind.ndim):
            offset = code.value(f"mul i64 {offset}, {array.shape[number]}")
            if number < len(found):
                offset = code.value(f"add i64 {offset}, {found[number]}")
        if kind.notes_reads:
            code.do(f"store i64 {offset}, ptr {array.data}")
            return array.data
        return code.value(f"getelementptr inbounds {in_memory(kind.item)}, ptr {array.data}, i64 {offset}")
    offset = "0"
    for index, stride in zip(found, array.strides, strict=False):
        offset = code.value(f"add i64 {offset}, {code.value(f'mul i64 {index}, {stride}')}")
    return code.value(f"getelementptr inbounds i8, ptr {array.data}, i64 {offset}")


def field(code: Code, record: Rec, name: str) -> tuple[Number, str]:
    """Return the type of a record's field, and a pointer to it."""
    for known, kind, offset in record.kind.fields:
        if known == name:
            return kind, code.value(f"getelementptr inbounds i8, ptr {record.data}, i64 {offset}")
    raise Unsupported(f"a record without {name}")


def load(code: Code, kind: Number | Record, where: str) -> Any:
    """Return the number or the record at a place."""
    if isinstance(kind, Record):
        return Rec(kind, where)
    found = code.value(f"load {in_memory(kind)}, ptr {where}, align {size_of(kind)}")
    return Num(kind, code.value(f"trunc i8 {found} to i1") if kind == BOOL else found)


def store(code: Code, kind: Number | Record, where: str, value: Any) -> None:
    """Store a number at a place."""
    if not isinstance(value, Num) or isinstance(kind, Record):
        raise Unsupported("an assignment of this")
    number = cast(code, value, kind)
    if kind == BOOL:
        number = {"true": "1", "false": "0"}.get(number) or code.value(f"zext i1 {number} to i8")
    code.do(f"store {in_memory(kind)} {number}, ptr {where}, align {size_of(kind)}")


def fill(code: Code, part: Arr, value: Any) -> None:
    """Store a number in all elements of a part of an array, by a loop."""
    kind = part.kind.item
    if not isinstance(value, Num) or isinstance(kind, Record) or part.kind.layout != "C" or not part.kind.is_writeable:
        raise Unsupported("an assignment of this to a part of an array")
    number = Num(kind, cast(code, value, kind))
    count = total(code, part)
    before, head, body, end = code.current, *(code.block() for _ in range(3))
    code.jump(head)
    code.start(head)
    counter = code.name()
    code.split(code.value(f"icmp slt i64 {counter}, {count}"), body, end)
    code.start(body)
    store(code, kind, code.value(f"getelementptr inbounds {in_memory(kind)}, ptr {part.data}, i64 {counter}"), number)
    following = code.value(f"add nuw nsw i64 {counter}, 1")
    code.jump(head)
    head.phis.append(f"{counter} = phi i64 [ 0, %{before.label} ], [ {following}, %{body.label} ]")
    code.start(end)


def item(code: Code, array: Arr, indices: list[Num]) -> Any:
    """Return an element, or a part if there are fewer indices than axes."""
    where, count = place(code, array, indices), len(indices)
    if array.kind.notes_reads:
        if count < array.kind.ndim or isinstance(array.kind.item, Record):
            raise Unsupported("a part of an array that notes its reads")
        return Num(array.kind.item, "0")
    if count == array.kind.ndim:
        return load(code, array.kind.item, where)
    layout = "C" if array.kind.layout == "C" else "A"
    kind = Array(array.kind.item, array.kind.ndim - count, layout, array.kind.is_writeable)
    return Arr(kind, where, array.shape[count:], array.strides[count:])


def sliced(code: Code, array: Arr, lower: Num | None, upper: Num | None) -> Arr:
    """Return a part of an array between two indices of its first axis, which are cut to its length."""
    if array.kind.layout != "C":
        raise Unsupported("a slice of an array that is not contiguous")
    extent = array.shape[0]

    def least(bound: Num | None, otherwise: str) -> str:
        if bound is None:
            return otherwise
        number = cast(code, bound, SIGNED)
        if not bound.natural:
            number = _index(code, bound, extent)
            is_before = code.value(f"icmp slt i64 {number}, 0")
            number = code.value(f"select i1 {is_before}, i64 0, i64 {number}")
        is_less = code.value(f"icmp ult i64 {number}, {extent}")
        return code.value(f"select i1 {is_less}, i64 {number}, i64 {extent}")

    first, last = least(lower, "0"), least(upper, extent)
    size = code.value(f"sub i64 {last}, {first}")
    size = code.value(f"select i1 {code.value(f'icmp ugt i64 {last}, {first}')}, i64 {size}, i64 0")
    row = first
    for extent in array.shape[1:]:
        row = code.value(f"mul i64 {row}, {extent}")
    where = code.value(f"getelementptr inbounds {in_memory(array.kind.item)}, ptr {array.data}, i64 {row}")
    return Arr(array.kind, where, [size, *array.shape[1:]], [])


def total(code: Code, array: Arr) -> str:
    """Return the number of an array's elements."""
    found = array.shape[0] if array.shape else "1"
    for extent in array.shape[1:]:
        found = code.value(f"mul nsw i64 {found}, {extent}")
    return found


def attribute(code: Code, array: Arr, name: str) -> Any:
    """Return an attribute of an array."""
    if name == "shape":
        return Tup([length(extent) for extent in array.shape])
    if name == "ndim":
        return length(str(array.kind.ndim))
    if name == "itemsize":
        return length(str(size_of(array.kind.item)))
    if name == "size":
        return length(total(code, array))
    if name == "nbytes":
        return length(code.value(f"mul nsw i64 {total(code, array)}, {size_of(array.kind.item)}"))
    raise Unsupported(f"the attribute {name} of an array")


def method(translator: Any, array: Any, name: str, arguments: list[Any]) -> Any:
    """Return the result of a call of an array's method."""
    code = translator.code
    if isinstance(array, Arr) and array.kind.layout == "C":
        if name == "view" and len(arguments) == 1 and isinstance(arguments[0], Static):
            item_kind = of_dtype(arguments[0].value)
            old, new = size_of(array.kind.item), size_of(item_kind)
            last = code.value(f"mul nsw i64 {array.shape[-1]}, {old}")
            check(code, "eq", code.value(f"urem i64 {last}, {new}"), "0")
            last = code.value(f"udiv i64 {last}, {new}")
            kind = Array(item_kind, array.kind.ndim, "C", array.kind.is_writeable)
            return Arr(kind, array.data, [*array.shape[:-1], last], [])
        if name == "reshape" and len(arguments) == 1:
            shape = arguments[0].items if isinstance(arguments[0], Tup) else arguments
            if all(isinstance(extent, Num) and extent.natural for extent in shape):
                kind = Array(array.kind.item, len(shape), "C", array.kind.is_writeable)
                part = Arr(kind, array.data, [cast(code, extent, SIGNED) for extent in shape], [])
                check(code, "eq", total(code, part), total(code, array))
                return part
    raise Unsupported(f"the method {name}")
