"""The wrapper around a kernel: a function with Python's calling convention, in LLVM's language.

A wrapper reads its arguments, calls the kernel, and makes an object of the result. If a check fails, or if the kernel
refuses, it calls the Python function that it stands in for, with the same arguments. Until the kernel has returned, a
wrapper makes no object that the garbage collector tracks, since a collection may run Python code, which may replace the
row that the kernel reads.

A module of LLVM has two external symbols: the definition, which Python reads when the function is bound, and the
objects, an array of pointers that binding fills. The first object is the Python function.
"""

from typing import Any, Final

from llvmlite import ir

from rookery.kernel.compiler.kinds import Number, Tuple
from rookery.kernel.compiler.linkable import Compiled
from rookery.kernel.native import layouts
from rookery.kernel.native.building import INT, NOTHING, POINTER, WORD, Builder, text
from rookery.kernel.native.marks import PYTHON_FUNCTION, REFLECTED, VERSION

METH_FASTCALL_AND_KEYWORDS: Final = 0x80 | 0x2
FUNCTION_TYPE: Final = [POINTER, POINTER.as_pointer(), WORD, POINTER]  # self, arguments, their number, names
# What the functions in a class's slots return and take, by what they stand in for.
SLOT_TYPES: Final[dict[str, tuple[Any, list[Any]]]] = {
    "__len__": (WORD, [POINTER]),
    "__bool__": (INT, [POINTER]),
    "__contains__": (INT, [POINTER, POINTER]),
    "__iter__": (POINTER, [POINTER]),
    "__str__": (POINTER, [POINTER]),
    "__invert__": (POINTER, [POINTER]),
    "__eq__": (POINTER, [POINTER, POINTER, INT]),
} | {f"__{name}__": (POINTER, [POINTER, POINTER]) for name in ("and", "or", "sub", "xor")}


class Wrapper(Builder):
    """A wrapper being built."""

    def __init__(
        self, module: ir.Module, name: str, arguments: list[Any], objects: tuple[str, ...], returns: Any = POINTER
    ) -> None:
        super().__init__(module, name, returns, arguments)
        self.names = objects
        kind = ir.ArrayType(POINTER, len(objects))
        self.objects = ir.GlobalVariable(module, kind, f"{name}.objects")
        self.objects.initializer = ir.Constant(kind, None)
        self.row: Any = None  # the object that holds the row
        self.board: Any = None
        self.buffers: dict[str, Any] = {}

    def object(self, name: str) -> Any:
        """Return one of the objects that were bound."""
        return self.object_in(self.build, name)

    def object_in(self, build: Any, name: str) -> Any:
        """Return one of the objects that were bound, in another function of the module."""
        return build.load(build.gep(self.objects, [INT(0), INT(self.names.index(name))]))


def called(wrapper: Builder, kernel: Compiled, arguments: list[Any], at: Any = None) -> tuple[Any, Any]:
    """Call a kernel. Return its status, which is 0 unless it failed, and a pointer to its result.

    `at` is the address of the kernel, if that is not known when the wrapper is compiled.
    """
    build = wrapper.build
    room = max(1, len(kernel.return_type.items)) if isinstance(kernel.return_type, Tuple) else 1
    result = wrapper.place(WORD, room)
    kind = ir.FunctionType(INT, [POINTER, *(argument.type for argument in arguments)])
    function = ir.Function(wrapper.module, kind, kernel.symbol) if at is None else build.bitcast(at, kind.as_pointer())
    where = build.bitcast(result, POINTER)
    return build.call(function, [where, *arguments]), where


def number_at(wrapper: Builder, where: Any, kind: Number) -> Any:
    """Load a number of a type as a word, or as a double."""
    build = wrapper.build
    if kind.kind == "f":
        number = wrapper.load(where, 0, ir.FloatType() if kind.bits == 32 else ir.DoubleType())
        return build.fpext(number, ir.DoubleType()) if kind.bits == 32 else number
    number = wrapper.load(where, 0, ir.IntType(max(8, kind.bits)))
    if kind.bits == WORD.width:
        return number
    return build.sext(number, WORD) if kind.kind == "i" else build.zext(number, WORD)


def otherwise(wrapper: Any, *, is_method: bool, is_getter: bool) -> None:
    """Build what follows a failed check: the call of the Python function.

    Methods call it in a function apart, which reserves memory for arguments: that would cost the wrapper a nanosecond.
    """
    wrapper.build.position_at_end(wrapper.otherwise)
    if is_getter or not is_method:
        _call_python(wrapper, wrapper.object(PYTHON_FUNCTION), is_method=is_method, is_getter=is_getter)
        return
    given = wrapper.function.args
    apart = Builder(wrapper.module, f"{wrapper.function.name}.otherwise", POINTER, [value.type for value in given])
    for attribute in ("noinline", "cold"):
        apart.function.attributes.add(attribute)
    wrapper.build.ret(wrapper.build.call(apart.function, given, tail=True))
    _call_python(apart, wrapper.object_in(apart.build, PYTHON_FUNCTION), is_method=is_method, is_getter=is_getter)
    apart.build.position_at_end(apart.otherwise)
    apart.build.unreachable()


def _call_python(apart: Any, function: Any, *, is_method: bool, is_getter: bool) -> None:
    """Build the call of the Python function with the arguments of the function being built."""
    build = apart.build
    apart.call("PyErr_Clear")
    owner = apart.function.args[0]
    if is_getter:
        one = apart.place(POINTER)
        build.store(owner, one)
        build.ret(apart.call("PyObject_Vectorcall", function, build.bitcast(one, POINTER), WORD(1), NOTHING))
        return
    given, number, names = apart.function.args[1:4]
    if not is_method:
        build.ret(apart.call("PyObject_Vectorcall", function, build.bitcast(given, POINTER), number, names))
        return
    # The arguments again, behind `self`.
    before, named, counted = build.block, build.append_basic_block("named"), build.append_basic_block("counted")
    build.cbranch(apart.same(names, NOTHING), counted, named)
    build.position_at_end(named)
    values_of_names = apart.call("PyTuple_Size", names)
    build.branch(counted)
    build.position_at_end(counted)
    more = build.phi(WORD)
    more.add_incoming(WORD(0), before)
    more.add_incoming(values_of_names, named)
    total = build.add(number, more)
    every = build.alloca(POINTER, build.add(total, WORD(1)))
    build.store(owner, every)
    with apart.counting(total) as i:
        build.store(build.load(build.gep(given, [i])), build.gep(every, [build.add(i, WORD(1))]))
    arguments = [function, build.bitcast(every, POINTER), build.add(number, WORD(1)), names]
    build.ret(apart.call("PyObject_Vectorcall", *arguments))


def define_operator(wrapper: Wrapper, owner: str) -> None:
    """Add what describes the function of an operator, and call the Python functions after a failed check.

    `owner` names the class. If the first operand is none of its objects, the reflected operator answers.
    """
    given = wrapper.function.args
    apart = Builder(wrapper.module, f"{wrapper.function.name}.otherwise", POINTER, [POINTER, POINTER])
    for attribute in ("noinline", "cold"):
        apart.function.attributes.add(attribute)
    wrapper.build.position_at_end(wrapper.otherwise)
    wrapper.build.ret(wrapper.build.call(apart.function, given))
    build, (left, right) = apart.build, apart.function.args
    apart.call("PyErr_Clear")
    kind = wrapper.object_in(build, owner)
    is_first = build.icmp_unsigned("!=", apart.call("PyType_IsSubtype", apart.load(left, layouts.TYPE), kind), INT(0))
    both = apart.place(POINTER, 2)
    build.store(build.select(is_first, left, right), both)
    build.store(build.select(is_first, right, left), build.gep(both, [WORD(1)]))
    functions = (wrapper.object_in(build, name) for name in (PYTHON_FUNCTION, REFLECTED))
    function = build.select(is_first, *functions)
    build.ret(apart.call("PyObject_Vectorcall", function, build.bitcast(both, POINTER), WORD(2), NOTHING))
    apart.build.position_at_end(apart.otherwise)
    apart.build.unreachable()
    fields = [WORD(0), WORD(0), wrapper.function.bitcast(POINTER), NOTHING, NOTHING, WORD(0)]
    variable(wrapper.module, f"{wrapper.function.name}.definition", fields)


def define_slot(wrapper: Wrapper, slot: str) -> None:
    """Add what describes the function of a class's slot, and call what was in the slot after a failed check."""
    build, found = wrapper.build, layouts.TYPE_SLOTS[slot]
    fields = [WORD(found.structure), WORD(found.offset), wrapper.function.bitcast(POINTER), NOTHING, NOTHING]
    definition = variable(wrapper.module, f"{wrapper.function.name}.definition", [*fields, WORD(found.number)])
    build.position_at_end(wrapper.otherwise)
    wrapper.call("PyErr_Clear")
    before = build.load(wrapper.at(definition.bitcast(POINTER), layouts.SLOT_BEFORE, wrapper.function.type))
    build.ret(build.call(before, wrapper.function.args, tail=True))


def define_constructor(wrapper: Wrapper) -> None:
    """Add what describes a function that answers calls of a class, and check that the class has not changed.

    `VERSION` is a list of its version.
    """
    fields = [NOTHING, NOTHING, wrapper.function.bitcast(POINTER), NOTHING]
    variable(wrapper.module, f"{wrapper.function.name}.definition", fields)
    known = wrapper.load(wrapper.load(wrapper.object(VERSION), layouts.LIST_ITEMS), 0)
    version = wrapper.load(wrapper.function.args[0], layouts.TYPE_VERSION, INT)
    wrapper.require(wrapper.same(version, wrapper.load(known, layouts.INT + 8, INT)))


def variable(module: ir.Module, name: str, fields: list[Any]) -> Any:
    """Add a structure with these fields to a module, and return it."""
    kind = ir.LiteralStructType([field.type for field in fields])
    variable = ir.GlobalVariable(module, kind, name)
    variable.initializer = ir.Constant(kind, fields)
    return variable


def define_function(wrapper: Wrapper, name: str) -> None:
    """Add the PyMethodDef. Binding fills its last field, the documentation."""
    fields = [text(wrapper.module, "name", name), wrapper.function.bitcast(POINTER), INT(METH_FASTCALL_AND_KEYWORDS)]
    variable(wrapper.module, f"{wrapper.function.name}.definition", [*fields, NOTHING])
