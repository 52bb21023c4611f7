"""Classes whose objects have memory that Python's own classes cannot have, as functions of the extension module.

``holder(name, base, size, filled)`` returns a base class whose objects have `size` bytes. A `filled` class derives from
int: its objects are ints of 16 bits, followed by references that are set when an object is made.
``objects(holder, kind, numbers, ...)`` returns a list of objects of a class derived from a holder. It takes a list of
numbers and three lists of the objects that follow them.
``member(owner, name, kind, offset, flags, documentation)`` returns a member descriptor: it reads the field of an object
at an offset, as fast as Python reads an attribute from a dictionary.
``wrapped(owner, like, address)`` returns a slot wrapper, like those of int, for the function of an operator.
``uncollect(owner)`` hides the objects of a class, which refer to nothing but the class, from the garbage collector.
``keep(objects)`` makes the objects of a tuple immortal, where Python has immortal objects: it stops counting their
references.
"""

from typing import Any, Final

from llvmlite import ir

from rookery.kernel.native import layouts
from rookery.kernel.native.building import (
    INT,
    NOTHING,
    POINTER,
    WORD,
    Builder,
    arguments_of,
    none_otherwise,
    text,
)

_BASETYPE: Final = 1 << 10
_SPEC: Final = ir.LiteralStructType([POINTER, INT, INT, INT, POINTER])  # PyType_Spec
_SLOT: Final = ir.LiteralStructType([INT, POINTER])  # PyType_Slot
_MEMBER: Final = ir.LiteralStructType([POINTER, INT, WORD, INT, POINTER])  # PyMemberDef
_MOST: Final = 0xFFFF
_PARTS: Final = 1 + layouts.FIELDS


def make_holder(function: Builder) -> Any:
    """Build the function `holder`."""
    build = function.build
    name, base, size, filled = arguments_of(function, 4)
    characters = function.call("PyBytes_AsString", name)
    function.require_present(characters)
    bytes_ = function.call("PyLong_AsLongLong", size)
    is_filled = function.same(filled, function.symbol("_Py_TrueStruct"))
    slots = function.place(_SLOT, 2)
    new = build.bitcast(_new(function.module), POINTER)
    number = INT(layouts.NEW_NUMBER)
    for i, (slot, what) in enumerate(
        ((build.select(is_filled, number, INT(0)), build.select(is_filled, new, NOTHING)), (INT(0), NOTHING))
    ):
        build.store(slot, build.gep(slots, [INT(i), INT(0)]))
        build.store(what, build.gep(slots, [INT(i), INT(1)]))
    spec = function.place(_SPEC)
    fields = (characters, build.trunc(bytes_, INT), INT(0), INT(_BASETYPE), build.bitcast(slots, POINTER))
    for i, field in enumerate(fields):
        build.store(field, build.gep(spec, [INT(0), INT(i)]))
    function.call("Py_IncRef", name)
    build.ret(function.call("PyType_FromSpecWithBases", build.bitcast(spec, POINTER), base))
    none_otherwise(function)
    return function.function


def _new(module: ir.Module) -> Any:
    """Build the function in the slot ``__new__`` of a holder that is filled."""
    function = Builder(module, "new", POINTER, [POINTER, POINTER, POINTER])
    build = function.build
    kind, given, names = function.function.args
    function.require(function.same(names, NOTHING))
    function.require(function.same(function.call("PyTuple_Size", given), _PARTS))
    build.ret(_made(function, kind, [function.call("PyTuple_GetItem", given, WORD(i)) for i in range(_PARTS)]))
    build.position_at_end(function.otherwise)
    function.call("PyErr_Clear")
    kind_of_error = function.load(function.symbol("PyExc_TypeError"), 0)
    function.call("PyErr_SetString", kind_of_error, text(module, "why", "there are no other objects of this class"))
    build.ret(NOTHING)
    return function.function


def _made(function: Builder, kind: Any, parts: list[Any]) -> Any:
    """Build an object of a class that derives from a filled holder: of a number, and of what is behind it."""
    number, *fields = parts
    function.require_type(number, function.symbol("PyLong_Type"))
    value = function.call("PyLong_AsLongLong", number)
    function.require(function.build.icmp_unsigned("<=", value, WORD(_MOST)))
    made = function.call("PyType_GenericAlloc", kind, WORD(0))
    function.return_if_null(made)
    function.store(function.load(number, layouts.INT, WORD), made, layouts.INT)
    function.store(function.load(number, layouts.INT + 8, INT), made, layouts.INT + 8)
    for i, field in enumerate(fields):
        function.store(function.shared(field), made, layouts.FIRST_FIELD + 8 * i)
    return made


def objects(function: Builder) -> Any:
    """Build the function `objects`."""
    build = function.build
    holder, kind, *columns = arguments_of(function, 2 + _PARTS)
    function.require(build.icmp_unsigned("!=", function.call("PyType_IsSubtype", kind, holder), INT(0)))
    number = function.load(columns[0], layouts.SIZE, WORD)
    for column in columns:
        function.require_type(column, function.symbol("PyList_Type"))
        function.require(function.same(function.load(column, layouts.SIZE, WORD), number))
    found = function.call("PyList_New", number)
    function.return_if_null(found)
    items = function.load(found, layouts.LIST_ITEMS)
    with function.counting(number) as i:
        place = build.shl(i, WORD(3))
        parts = [function.load(function.load(column, layouts.LIST_ITEMS), place) for column in columns]
        function.store(_made(function, kind, parts), items, place)
    build.ret(found)
    none_otherwise(function)
    return function.function


def make_member(function: Builder) -> Any:
    """Build the function `member`."""
    build = function.build
    owner, name, kind, offset, flags, documentation = arguments_of(function, 6)
    definition = function.call("PyMem_Malloc", WORD(layouts.MEMBER_SIZE))
    function.require_present(definition)
    place = build.bitcast(definition, _MEMBER.as_pointer())
    numbers = [function.call("PyLong_AsLongLong", value) for value in (kind, offset, flags)]
    texts = [function.call("PyBytes_AsString", value) for value in (name, documentation)]
    for value in texts:
        function.require_present(value)
    for value in (name, documentation):
        function.call("Py_IncRef", value)
    fields = (texts[0], build.trunc(numbers[0], INT), numbers[1], build.trunc(numbers[2], INT), texts[1])
    for i, field in enumerate(fields):
        build.store(field, build.gep(place, [INT(0), INT(i)]))
    build.ret(function.call("PyDescr_NewMember", owner, definition))
    none_otherwise(function)
    return function.function


def wrapped(function: Builder) -> Any:
    """Build the function `wrapped`."""
    owner, like, address = arguments_of(function, 3)
    base = function.load(like, layouts.WRAPPER_BASE)
    found = function.build.inttoptr(function.call("PyLong_AsLongLong", address), POINTER)
    function.build.ret(function.call("PyDescr_NewWrapper", owner, base, found))
    none_otherwise(function)
    return function.function


def uncollect(function: Builder) -> Any:
    """Build the function `uncollect`. It changes where objects are allocated, so there must be none yet."""
    (owner,) = arguments_of(function, 1)
    flags = function.load(owner, layouts.TYPE_FLAGS, INT)
    function.require(function.same(flags, function.call("PyType_GetFlags", owner)))
    free = function.call("PyType_GetSlot", owner, INT(layouts.FREE_NUMBER))
    function.require(function.same(function.load(owner, layouts.TYPE_FREE), free))
    function.store(function.build.and_(flags, INT(~layouts.COLLECTED)), owner, layouts.TYPE_FLAGS)
    function.store(function.python("PyObject_Free").bitcast(POINTER), owner, layouts.TYPE_FREE)
    function.build.ret(function.shared(function.symbol("_Py_TrueStruct")))
    none_otherwise(function)
    return function.function


def keep(function: Builder) -> Any:
    """Build the function `keep`. Immortal objects have a count that is negative in 32 bits; None is one of them."""
    build = function.build
    (objects,) = arguments_of(function, 1)
    number = function.call("PyTuple_Size", objects)
    count = function.load(function.symbol("_Py_NoneStruct"), layouts.REFERENCES, INT)
    with build.if_then(build.icmp_signed("<", count, INT(0))), function.counting(number) as i:
        function.store(count, function.call("PyTuple_GetItem", objects, i), layouts.REFERENCES)
    build.ret(function.shared(function.symbol("_Py_NoneStruct")))
    none_otherwise(function)
    return function.function
