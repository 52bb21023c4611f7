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

from rookery.kernel.codecache.type_keys import classes_of
from rookery.kernel.compiler.kinds import Nothing, Number, Tuple
from rookery.kernel.compiler.linkable import Compiled
from rookery.kernel.native import arguments as entry_arguments
from rookery.kernel.native import results, values
from rookery.kernel.native.building import INT, NOTHING, POINTER, WORD, Builder, text
from rookery.kernel.native.kinds import REFUSED, Kind, Twin, objects_of
from rookery.kernel.native.marks import FAILED, PYTHON_FUNCTION

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


def wrapper_of(twin: Twin, kernel: Compiled, symbol: str) -> ir.Module:
    """Return the module with the wrapper of a twin."""
    module = ir.Module(symbol)
    arguments = [POINTER, POINTER] if twin.is_getter else FUNCTION_TYPE
    wrapper = Wrapper(module, symbol, arguments, objects_of(twin))
    owner = wrapper.function.args[0]
    given = [kind for kind in twin.arguments if kind.name not in values.OF_SELF and not kind.is_buffer]
    if not twin.is_getter:
        _, _, number, names = wrapper.function.args
        fits = wrapper.same(number, len(given))
        if given and given[-1].default:
            fits = wrapper.build.or_(fits, wrapper.same(number, len(given) - 1))
        wrapper.require(wrapper.build.and_(fits, wrapper.same(names, NOTHING)))
    wrapper.board = values.board(wrapper, owner, twin.through)
    flat: list[Any] = []
    place = 0
    for kind in twin.arguments:
        found = owner
        if kind in given:
            found = _given(wrapper, place, kind)
            place += 1
        flat += values.ARGUMENTS[kind.name](wrapper, found, kind)
    status, where = called(wrapper, kernel, flat)
    values.require_answer(wrapper, wrapper.same(status, 0))
    word = number_at(wrapper, where, kernel.return_type) if isinstance(kernel.return_type, Number) else WORD(0)
    if twin.refuses:
        values.require_answer(wrapper, wrapper.build.icmp_unsigned("!=", word, WORD(REFUSED)))
    wrapper.build.ret(results.RESULTS[twin.returns.name](wrapper, word, twin.returns))
    _otherwise(wrapper, is_method=twin.is_method, is_getter=twin.is_getter)
    if twin.is_getter:
        _define_attribute(wrapper, twin)
    else:
        _define_function(wrapper, twin.name.rpartition(".")[2])
    return module


def _given(wrapper: Wrapper, place: int, kind: Kind) -> Any:
    """Return an argument, or the object that stands in for it."""
    build = wrapper.build

    def load() -> Any:
        return build.load(build.gep(wrapper.function.args[1], [WORD(place)]))

    if not kind.default:
        return load()
    found = wrapper.place(POINTER)
    with build.if_else(wrapper.same(wrapper.function.args[2], place)) as (missing, present):
        with missing:
            build.store(wrapper.object(kind.default), found)
        with present:
            build.store(load(), found)
    return build.load(found)


def called(wrapper: Builder, kernel: Compiled, arguments: list[Any]) -> tuple[Any, Any]:
    """Call a kernel. Return its status, which is 0 unless it failed, and a pointer to its result."""
    build = wrapper.build
    room = max(1, len(kernel.return_type.items)) if isinstance(kernel.return_type, Tuple) else 1
    result, error = wrapper.place(WORD, room), wrapper.place(POINTER)
    kinds = [POINTER, POINTER.as_pointer(), *(argument.type for argument in arguments)]
    function = ir.Function(wrapper.module, ir.FunctionType(INT, kinds), kernel.symbol)
    where = build.bitcast(result, POINTER)
    return build.call(function, [where, error, *arguments]), where


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


def _otherwise(wrapper: Wrapper, *, is_method: bool, is_getter: bool) -> None:
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
    _, given, number, names = wrapper.function.args
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


def _variable(module: ir.Module, name: str, fields: list[Any]) -> None:
    kind = ir.LiteralStructType([field.type for field in fields])
    variable = ir.GlobalVariable(module, kind, name)
    variable.initializer = ir.Constant(kind, fields)


def _define_function(wrapper: Wrapper, name: str) -> None:
    """Add the PyMethodDef. Binding fills its last field, the documentation."""
    fields = [text(wrapper.module, "name", name), wrapper.function.bitcast(POINTER), INT(METH_FASTCALL_AND_KEYWORDS)]
    _variable(wrapper.module, f"{wrapper.function.name}.definition", [*fields, NOTHING])


def _define_attribute(wrapper: Wrapper, twin: Twin) -> None:
    """Add the PyGetSetDef. Binding fills the documentation."""
    module, name = wrapper.module, twin.name.rpartition(".")[2]
    setter = Builder(module, f"{wrapper.function.name}.set", INT, [POINTER, POINTER, POINTER])
    build = setter.build
    owner, value, _ = setter.function.args
    setter.require_present(value)
    both = setter.place(POINTER, 2)
    build.store(owner, both)
    build.store(value, build.gep(both, [WORD(1)]))
    function = build.load(build.gep(wrapper.objects, [INT(0), INT(1)]))
    answer = setter.call("PyObject_Vectorcall", function, build.bitcast(both, POINTER), WORD(2), NOTHING)
    with build.if_then(setter.same(answer, NOTHING)):
        build.ret(INT(-1))
    setter.call("Py_DecRef", answer)
    build.ret(INT(0))
    build.position_at_end(setter.otherwise)
    deleter = build.load(build.gep(wrapper.objects, [INT(0), INT(2)]))
    setter.call("PyObject_Vectorcall", deleter, NOTHING, WORD(0), NOTHING)
    build.ret(INT(-1))
    fields = [text(module, "name", name), wrapper.function.bitcast(POINTER), setter.function.bitcast(POINTER)]
    _variable(module, f"{wrapper.function.name}.definition", [*fields, NOTHING, NOTHING])


def entry_wrapper(function: Any, kernel: Compiled, symbol: str, examples: tuple[Any, ...]) -> ir.Module:
    """Return the module with the wrapper of an entry, for arguments of the types of `examples`.

    It releases Python's lock while the entry runs, if that may take long: if there are arrays.
    """
    module = ir.Module(symbol)
    objects = (PYTHON_FUNCTION, FAILED, *(str(i) for i in range(len(classes_of(examples)) - 1)))
    wrapper = Wrapper(module, symbol, FUNCTION_TYPE, objects)
    build = wrapper.build
    _, given, number, names = wrapper.function.args
    wrapper.require(build.and_(wrapper.same(number, len(examples)), wrapper.same(names, NOTHING)))
    numbers = iter(objects[2:])
    flat: list[Any] = []
    for i, example in enumerate(examples):
        found = build.load(build.gep(given, [WORD(i)]))
        flat += entry_arguments.read(wrapper, found, example, lambda: wrapper.object(next(numbers)))
    releases = len(objects) > 2
    state = wrapper.call("PyEval_SaveThread") if releases else None
    status, where = called(wrapper, kernel, flat)
    if releases:
        wrapper.call("PyEval_RestoreThread", state)
    with build.if_then(build.icmp_unsigned("!=", status, INT(0)), likely=False):
        build.ret(wrapper.call("PyObject_Vectorcall", wrapper.object(FAILED), NOTHING, WORD(0), NOTHING))
    build.ret(_result(wrapper, kernel.return_type, where))
    _otherwise(wrapper, is_method=False, is_getter=False)
    _define_function(wrapper, function.__name__)
    return module


def _result(wrapper: Wrapper, kind: Any, where: Any) -> Any:
    """Make an object of the result of an entry."""
    if isinstance(kind, Nothing):
        return wrapper.shared(wrapper.symbol("_Py_NoneStruct"))
    number = number_at(wrapper, where, kind)
    if kind.kind == "b":
        return wrapper.truth(wrapper.build.icmp_unsigned("!=", number, WORD(0)))
    makers = {"f": "PyFloat_FromDouble", "i": "PyLong_FromLongLong", "u": "PyLong_FromUnsignedLongLong"}
    return wrapper.call(makers[kind.kind], number)
