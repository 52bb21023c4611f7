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
from rookery.kernel.native.building import INT, NOTHING, POINTER, WORD, Builder, text
from rookery.kernel.native.marks import PYTHON_FUNCTION

METH_FASTCALL_AND_KEYWORDS: Final = 0x80 | 0x2
FUNCTION_TYPE: Final = [POINTER, POINTER.as_pointer(), WORD, POINTER]  # self, arguments, their number, names


class Wrapper(Builder):
    """A wrapper being built."""

    def __init__(self, module: ir.Module, name: str, arguments: list[Any], objects: tuple[str, ...]) -> None:
        super().__init__(module, name, POINTER, arguments)
        self.names = objects
        kind = ir.ArrayType(POINTER, len(objects))
        self.objects = ir.GlobalVariable(module, kind, f"{name}.objects")
        self.objects.initializer = ir.Constant(kind, None)
        self.row: Any = None  # the object that holds the row
        self.board: Any = None
        self.buffers: dict[str, Any] = {}

    def object(self, name: str) -> Any:
        """Return one of the objects that were bound."""
        return self.build.load(self.build.gep(self.objects, [INT(0), INT(self.names.index(name))]))


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
    """Build what follows a failed check: the call of the Python function."""
    build = wrapper.build
    build.position_at_end(wrapper.otherwise)
    wrapper.call("PyErr_Clear")
    function = wrapper.object(PYTHON_FUNCTION)
    owner = wrapper.function.args[0]
    if is_getter:
        one = wrapper.place(POINTER)
        build.store(owner, one)
        build.ret(wrapper.call("PyObject_Vectorcall", function, build.bitcast(one, POINTER), WORD(1), NOTHING))
        return
    given, number, names = wrapper.function.args[1:4]
    if not is_method:
        build.ret(wrapper.call("PyObject_Vectorcall", function, build.bitcast(given, POINTER), number, names))
        return
    # The arguments again, behind `self`.
    named = build.append_basic_block("named")
    counted = build.append_basic_block("counted")
    build.cbranch(wrapper.same(names, NOTHING), counted, named)
    build.position_at_end(named)
    values_of_names = wrapper.call("PyTuple_Size", names)
    build.branch(counted)
    build.position_at_end(counted)
    more = build.phi(WORD)
    more.add_incoming(WORD(0), wrapper.otherwise)
    more.add_incoming(values_of_names, named)
    total = build.add(number, more)
    every = build.alloca(POINTER, build.add(total, WORD(1)))
    build.store(owner, every)
    with wrapper.counting(total) as i:
        build.store(build.load(build.gep(given, [i])), build.gep(every, [build.add(i, WORD(1))]))
    arguments = [function, build.bitcast(every, POINTER), build.add(number, WORD(1)), names]
    build.ret(wrapper.call("PyObject_Vectorcall", *arguments))


def variable(module: ir.Module, name: str, fields: list[Any]) -> None:
    """Add a structure with these fields to a module."""
    kind = ir.LiteralStructType([field.type for field in fields])
    variable = ir.GlobalVariable(module, kind, name)
    variable.initializer = ir.Constant(kind, fields)


def define_function(wrapper: Wrapper, name: str) -> None:
    """Add the PyMethodDef. Binding fills its last field, the documentation."""
    fields = [text(wrapper.module, "name", name), wrapper.function.bitcast(POINTER), INT(METH_FASTCALL_AND_KEYWORDS)]
    variable(wrapper.module, f"{wrapper.function.name}.definition", [*fields, NOTHING])
