"""The extension module of a wheel: what joins units, in LLVM's language. The linker adds the units themselves.

The module has nine functions, for `shipped` alone. ``names()`` returns a line for each unit: its symbol, and behind a
tab the names of the objects that it uses, if they have names.
``take(number, form, owner, objects, documentation)`` gives a unit its objects and returns what it becomes: a method, an
attribute or a class method of a class, or a function of a module; True for a slot of a class, which it then is in, and
for a constructor; the address of an operator's function; None if it was taken before. ``peek(object, offset)`` returns
eight bytes of an object, for the check of layouts. `holders` describes the others.
"""

from collections.abc import Sequence
from typing import Any, Final

from llvmlite import ir

from rookery.kernel.native import holders, layouts
from rookery.kernel.native.building import (
    BYTE,
    INT,
    NOTHING,
    POINTER,
    WORD,
    Builder,
    arguments_of,
    none_otherwise,
    text,
)

METH_FASTCALL: Final = 0x80
_ABI: Final = 3  # PYTHON_ABI_VERSION
_UNIT: Final = ir.LiteralStructType([INT, INT, INT])  # where its parts are, and the number of its objects
_METHOD: Final = ir.LiteralStructType([POINTER, POINTER, INT, POINTER])
_MODULE: Final = ir.LiteralStructType([WORD, POINTER, POINTER, WORD, POINTER, POINTER, POINTER, WORD, *[POINTER] * 5])
# How `take` makes an object of a definition: the function of Python, and whether its owner comes first.
FORMS: Final = (
    *("PyDescr_NewMethod", "PyDescr_NewGetSet", "PyCFunction_NewEx", "PyCFunction_NewEx"),
    *("slot", "operator", "constructor"),
)
METHOD, ATTRIBUTE, CLASS_METHOD, FUNCTION, SLOT, OPERATOR, CONSTRUCTOR = range(len(FORMS))


def module_of(name: str, units: Sequence[tuple[str, int]], lines: Sequence[str], triple: str) -> ir.Module:
    """Return an extension module that joins units, given their symbols and how many objects each uses.

    `lines` are what ``names()`` returns, `triple` is LLVM's name of the system.
    """
    module = ir.Module(name)
    module.triple = triple
    table = _table(module, units)
    functions = {
        "names": _names(module, lines),
        "take": _take(module, table, len(units)),
        "peek": _peek(module),
        "holder": holders.make_holder(_function(module, "holder")),
        "objects": holders.objects(_function(module, "objects")),
        "member": holders.make_member(_function(module, "member")),
        "keep": holders.keep(_function(module, "keep")),
        "wrapped": holders.wrapped(_function(module, "wrapped")),
        "uncollect": holders.uncollect(_function(module, "uncollect")),
    }
    add_start(module, name, {called: (function, METH_FASTCALL) for called, function in functions.items()})
    return module


def add_start(module: ir.Module, name: str, functions: dict[str, tuple[Any, int]]) -> None:
    """Add what Python calls to import an extension module. `functions` are its functions, with their flags."""
    rows = [
        ir.Constant(_METHOD, [text(module, f"name {n}", n), f.bitcast(POINTER), INT(flags), NOTHING])
        for n, (f, flags) in functions.items()
    ]
    rows.append(ir.Constant(_METHOD, [NOTHING, NOTHING, INT(0), NOTHING]))
    methods = _constant(module, "methods", ir.ArrayType(_METHOD, len(rows)), rows)
    head = [WORD(1), NOTHING, NOTHING, WORD(0), NOTHING, text(module, "name of the module", name), NOTHING]
    fields = [*head, WORD((1 << 64) - 1), methods.bitcast(POINTER), *[NOTHING] * 4]
    definition = _constant(module, "module", _MODULE, fields)
    start = ir.Function(module, ir.FunctionType(POINTER, []), f"PyInit_{name}")
    build = ir.IRBuilder(start.append_basic_block())
    create = ir.Function(module, ir.FunctionType(POINTER, [POINTER, INT]), "PyModule_Create2")
    build.ret(build.call(create, [definition.bitcast(POINTER), INT(_ABI)]))


def _constant(module: ir.Module, name: str, kind: Any, value: Any) -> Any:
    variable = ir.GlobalVariable(module, kind, name)
    variable.linkage, variable.initializer = "internal", ir.Constant(kind, value)
    return variable


def _table(module: ir.Module, units: Sequence[tuple[str, int]]) -> Any:
    """Return the table of units. Distances from the table, unlike pointers, need no work when the module is loaded."""
    kind = ir.ArrayType(_UNIT, len(units))
    table = ir.GlobalVariable(module, kind, "units")
    start = table.ptrtoint(WORD)
    rows = []
    for symbol, objects in units:
        parts = [ir.GlobalVariable(module, BYTE, f"{symbol}.{part}") for part in ("definition", "objects")]
        distances = [part.ptrtoint(WORD).sub(start).trunc(INT) for part in parts]
        rows.append(ir.Constant(_UNIT, [*distances, INT(objects)]))
    table.linkage, table.initializer = "internal", ir.Constant(kind, rows)
    return table


def _function(module: ir.Module, name: str) -> Builder:
    return Builder(module, name, POINTER, [POINTER, POINTER.as_pointer(), WORD])


def _names(module: ir.Module, lines: Sequence[str]) -> Any:
    function = _function(module, "names")
    joined = "\n".join(lines)
    found = function.call("PyUnicode_FromStringAndSize", text(module, "names of units", joined), WORD(len(joined)))
    function.build.ret(found)
    none_otherwise(function)
    return function.function


def _peek(module: ir.Module) -> Any:
    function = _function(module, "peek")
    found, offset = arguments_of(function, 2)
    place = function.call("PyLong_AsLongLong", offset)
    function.build.ret(function.call("PyLong_FromUnsignedLongLong", function.load(found, place, WORD)))
    none_otherwise(function)
    return function.function


def _fill_slot(function: Builder, owner: Any, definition: Any) -> None:
    """Put a function in a class's slot, if Python says that the slot is where it is expected. Return True."""
    build = function.build
    structure, offset = (
        function.load(definition, place, WORD) for place in (layouts.SLOT_STRUCTURE, layouts.SLOT_OFFSET)
    )
    number = build.trunc(function.load(definition, layouts.SLOT_NUMBER, WORD), INT)
    inside = function.load(owner, structure)
    holder = build.select(function.same(structure, 0), owner, inside)
    function.require_present(holder)
    before = function.load(holder, offset)
    function.require_present(before)
    function.require(function.same(before, function.call("PyType_GetSlot", owner, number)))
    function.store(before, definition, layouts.SLOT_BEFORE)
    function.store(function.load(definition, layouts.SLOT_FUNCTION), holder, offset)
    build.ret(function.shared(function.symbol("_Py_TrueStruct")))


def _construct(function: Builder, owner: Any, definition: Any) -> None:
    """Let a function answer calls of a class, if Python keeps what it calls where it is expected. Return True."""
    type_ = function.symbol("PyType_Type")
    function.require(function.same(function.load(type_, layouts.TYPE_VECTORCALL_OFFSET, WORD), layouts.TYPE_VECTORCALL))
    function.store(function.load(definition, layouts.SLOT_FUNCTION), owner, layouts.TYPE_VECTORCALL)
    function.build.ret(function.shared(function.symbol("_Py_TrueStruct")))


def _take(module: ir.Module, table: Any, number: int) -> Any:
    function = _function(module, "take")
    build = function.build
    which, form, owner, objects, documentation = arguments_of(function, 5)
    index, chosen = (function.call("PyLong_AsLongLong", value) for value in (which, form))
    function.require(build.icmp_unsigned("<", index, WORD(number)))
    row = build.gep(table, [WORD(0), index])
    distances = (build.sext(build.load(build.gep(row, [WORD(0), INT(i)])), WORD) for i in range(3))
    definition, places, count = next(distances), next(distances), next(distances)
    definition, places = (build.gep(build.bitcast(table, POINTER), [part]) for part in (definition, places))
    function.require(function.same(function.call("PyTuple_Size", objects), count))
    function.require(function.same(function.load(places, 0), NOTHING))
    characters = function.call("PyBytes_AsString", documentation)
    function.require_present(characters)
    with function.counting(count) as i:
        function.store(function.call("PyTuple_GetItem", objects, i), places, build.shl(i, WORD(3)))
    for kept in (objects, documentation):
        function.call("Py_IncRef", kept)
    function.store(characters, definition, layouts.DOCUMENTATION)
    ends = [build.append_basic_block(name) for name in FORMS]
    switch = build.switch(chosen, function.otherwise)
    for i, (name, end) in enumerate(zip(FORMS, ends, strict=True)):
        switch.add_case(WORD(i), end)
        build.position_at_end(end)
        if i == SLOT:
            _fill_slot(function, owner, definition)
        elif i == CONSTRUCTOR:
            _construct(function, owner, definition)
        elif i == OPERATOR:
            address = function.load(definition, layouts.SLOT_FUNCTION, WORD)
            build.ret(function.call("PyLong_FromUnsignedLongLong", address))
        else:
            # A class method is a function that has the class already, which takes half the time of a bound method: its
            # machine code is for this class alone, and the Python function does not depend on the class.
            given = [definition, NOTHING, owner] if i == FUNCTION else [owner, definition]
            given = [definition, owner, NOTHING] if i == CLASS_METHOD else given
            build.ret(function.call(name, *given))
    none_otherwise(function)
    return function.function
