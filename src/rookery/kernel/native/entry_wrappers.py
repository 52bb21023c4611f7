"""The wrappers of entries.

One function reads the arguments of all entries: numbers, arrays, and tuples of these, from a description of what the
entry takes. Another one calls all kernels of one type. All units have these functions, and the linker keeps one of
each, so that the wrapper of an entry is a jump: written out in each wrapper, reading took more machine code than all
kernels over arrays.
"""

import hashlib
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from llvmlite import ir

from rookery.kernel.codecache.type_keys import classes_of
from rookery.kernel.compiler.kinds import Nothing, Tuple, flattened
from rookery.kernel.compiler.linkable import Compiled
from rookery.kernel.native import layouts
from rookery.kernel.native.building import BIT, INT, NOTHING, POINTER, WORD, Builder
from rookery.kernel.native.marks import FAILED, PYTHON_FUNCTION
from rookery.kernel.native.units import Foreign
from rookery.kernel.native.wrapping import FUNCTION_TYPE, Wrapper, called, define_function, number_at, otherwise
from rookery.kernel.settings import settings

_READER: Final = "rookery.read"
_ANY_FUNCTION: Final = ir.FunctionType(INT, [])
_EQUAL: Final = 2  # Py_EQ
# What a description says of a value, in 32 bits: its kind, from bit 8 on how many bits, items or dimensions it has, and
# from bit 16 on the flags that an array must have.
_SIGNED, _UNSIGNED, _TRUTH, _FLOAT, _NONE, _TUPLE, _ARRAY = range(7)
_NUMBER_AT, _FLAGS_AT = 8, 16
_DESCRIPTION, _OBJECTS, _WORDS = range(3)  # what the reader moves along


def described(example: Any) -> Iterator[int]:
    """Yield the description of an argument."""
    if isinstance(example, np.ndarray):
        flags = layouts.WRITEABLE if example.flags.writeable else 0
        if example.flags.c_contiguous:
            flags |= layouts.C_CONTIGUOUS
        elif example.flags.f_contiguous:
            flags |= layouts.F_CONTIGUOUS
        yield _ARRAY | example.ndim << _NUMBER_AT | flags << _FLAGS_AT
    elif isinstance(example, tuple):
        yield _TUPLE | len(example) << _NUMBER_AT
        for part in example:
            yield from described(part)
    elif example is None:
        yield _NONE
    elif isinstance(example, bool | np.bool_):
        yield _TRUTH
    elif isinstance(example, float | np.floating):
        yield _FLOAT
    else:
        dtype = np.dtype(type(example)) if isinstance(example, np.integer) else _int_type(example)
        yield (_SIGNED if dtype.kind == "i" else _UNSIGNED) | 8 * dtype.itemsize << _NUMBER_AT


def _int_type(example: int) -> Any:
    return np.dtype(np.int64 if example < 1 << 63 else np.uint64)


class _Reader(Builder):
    """The function that reads arguments.

    It takes the address of the arguments, or of the items of a tuple, their number, and the address of three pointers,
    which it moves along: to the description, to the objects of `type_keys.classes_of`, and to where it writes what the
    kernel takes, in words. It returns whether the arguments are as described.
    """

    def __init__(self, module: ir.Module) -> None:
        super().__init__(module, _READER, BIT, [POINTER.as_pointer(), WORD, POINTER])
        self.function.linkage = "linkonce_odr"
        self.function.attributes.add("noinline")
        given, count, _ = self.function.args
        build = self.build
        readers = (self._signed, self._unsigned, self._truth, self._float, self._none, self._tuple, self._array)
        with self.counting(count) as i:
            found = build.load(build.gep(given, [i]))
            expected = self._next(_DESCRIPTION, INT)
            number = build.zext(build.and_(build.lshr(expected, INT(_NUMBER_AT)), INT(0xFF)), WORD)
            done = build.append_basic_block("read")
            switch = build.switch(build.and_(expected, INT(0xFF)), self.otherwise)
            for kind, read in enumerate(readers):
                block = build.append_basic_block(read.__name__)
                switch.add_case(INT(kind), block)
                build.position_at_end(block)
                read(found, number, build.lshr(expected, INT(_FLAGS_AT)))
                build.branch(done)
            build.position_at_end(done)
        build.ret(BIT(1))
        build.position_at_end(self.otherwise)
        build.ret(BIT(0))

    def _moved(self, which: int, size: int) -> Any:
        """Return one of the three pointers, and move it along."""
        place = self.at(self.function.args[2], 8 * which)
        pointer = self.build.load(place)
        self.build.store(self.build.gep(pointer, [WORD(size)]), place)
        return pointer

    def _next(self, which: int, kind: Any) -> Any:
        return self.load(self._moved(which, kind.width // 8 if kind is INT else 8), 0, kind)

    def _write(self, word: Any) -> None:
        self.store(word, self._moved(_WORDS, 8), 0)

    def _signed(self, found: Any, bits: Any, _: Any) -> None:
        self._integer(found, bits, "PyLong_AsLongLong", self.build.ashr)

    def _unsigned(self, found: Any, bits: Any, _: Any) -> None:
        self._integer(found, bits, "PyLong_AsUnsignedLongLong", self.build.lshr)

    def _integer(self, found: Any, bits: Any, convert: str, shift: Any) -> None:
        """Read an int, or a scalar of NumPy, that so many bits can hold."""
        build = self.build
        scalar, plain, done = (build.append_basic_block(name) for name in ("scalar", "plain", "number"))
        build.cbranch(self.same(self.load(found, layouts.TYPE), self.symbol("PyLong_Type")), plain, scalar)
        build.position_at_end(scalar)
        index = self.call("PyNumber_Index", found)
        self.require_present(index)
        of_scalar = self.call(convert, index)
        self.call("Py_DecRef", index)
        scalar_end = build.block
        build.branch(done)
        build.position_at_end(plain)
        of_int = self.call(convert, found)
        build.branch(done)
        build.position_at_end(done)
        number = build.phi(WORD)
        number.add_incoming(of_scalar, scalar_end)
        number.add_incoming(of_int, plain)
        with build.if_then(self.same(number, 0xFFFF_FFFF_FFFF_FFFF), likely=False):
            self.require(self.same(self.call("PyErr_Occurred"), NOTHING))
        others = build.sub(WORD(64), bits)
        self.require(self.same(shift(build.shl(number, others), others), number))
        self._write(number)

    def _truth(self, found: Any, *_: Any) -> None:
        number = self.call("PyObject_IsTrue", found)
        self.require(self.build.icmp_signed(">=", number, INT(0)))
        self._write(self.build.zext(number, WORD))

    def _float(self, found: Any, *_: Any) -> None:
        number = self.call("PyFloat_AsDouble", found)
        with self.build.if_then(self.build.fcmp_ordered("==", number, ir.Constant(number.type, -1.0)), likely=False):
            self.require(self.same(self.call("PyErr_Occurred"), NOTHING))
        self._write(number)

    def _none(self, found: Any, *_: Any) -> None:
        self.require(self.same(found, self.symbol("_Py_NoneStruct")))

    def _tuple(self, found: Any, length: Any, _: Any) -> None:
        self.require_type(found, self._next(_OBJECTS, POINTER))
        self.require(self.same(self.load(found, layouts.SIZE, WORD), length))
        items = self.build.bitcast(self.at(found, layouts.TUPLE_ITEMS), POINTER.as_pointer())
        self.require(self.build.call(self.function, [items, length, self.function.args[2]]))

    def _array(self, found: Any, dimensions: Any, flags: Any) -> None:
        """Check an array's type, dimensions, dtype and layout, and pass its parts."""
        build = self.build
        expected, type_ = self._next(_OBJECTS, POINTER), self.load(found, layouts.TYPE)
        with build.if_then(build.icmp_unsigned("!=", type_, expected), likely=False):  # a class derived from it?
            self.require(build.icmp_unsigned("!=", self.call("PyType_IsSubtype", type_, expected), INT(0)))
        self.require(self.same(self.load(found, layouts.ARRAY_DIMENSIONS, INT), build.trunc(dimensions, INT)))
        expected, dtype = self._next(_OBJECTS, POINTER), self.load(found, layouts.ARRAY_DTYPE)
        with build.if_then(build.icmp_unsigned("!=", dtype, expected), likely=False):  # NumPy may make several of one
            self.require(self.same(self.call("PyObject_RichCompareBool", dtype, expected, INT(_EQUAL)), 1))
        self.require(self.same(build.and_(self.load(found, layouts.ARRAY_FLAGS, INT), flags), flags))
        self._write(self.load(found, layouts.ARRAY_DATA))
        self._write_each(self.load(found, layouts.ARRAY_SHAPE), dimensions)
        is_strided = self.same(build.and_(flags, INT(layouts.C_CONTIGUOUS)), 0)
        with build.if_then(is_strided):
            self._write_each(self.load(found, layouts.ARRAY_STRIDES), dimensions)

    def _write_each(self, words: Any, number: Any) -> None:
        with self.counting(number) as i:
            self._write(self.load(words, self.build.shl(i, WORD(3)), WORD))


class _Caller(Builder):
    """The function that answers a call of an entry, for all entries with arguments and results of the same types.

    Instead of ``self`` it takes the description of the arguments, and behind what Python passes the entry's objects and
    the address of its kernel.
    """

    def __init__(self, module: ir.Module, name: str) -> None:
        super().__init__(module, name, POINTER, [POINTER, *FUNCTION_TYPE[1:], POINTER.as_pointer(), POINTER])
        self.function.linkage = "linkonce_odr"
        self.function.attributes.add("noinline")

    def object(self, name: str) -> Any:
        """Return one of the first objects of the entry."""
        return self.build.load(self.build.gep(self.function.args[4], [WORD(_OWN_OBJECTS.index(name))]))


def _caller(module: ir.Module, kernel: Compiled, count: int, releases: bool) -> Any:
    """Return the function that answers calls with so many arguments. Its name is made of what it depends on."""
    passed = [name for kind in kernel.argument_types for name in flattened(kind)]
    checked = settings().bounds_checked
    differs = f"{passed} {kernel.return_type} {count} {releases} {checked}"
    caller = _Caller(module, f"rookery.call.{hashlib.sha256(differs.encode()).hexdigest()[:32]}")
    build = caller.build
    description, given, number, names, objects, address = caller.function.args
    caller.require(build.and_(caller.same(number, count), caller.same(names, NOTHING)))
    memory = build.bitcast(caller.place(WORD, max(1, len(passed))), POINTER)
    along = build.bitcast(caller.place(POINTER, 3), POINTER)
    classes = build.bitcast(build.gep(objects, [WORD(len(_OWN_OBJECTS))]), POINTER)
    for i, pointer in enumerate((description, classes, memory)):
        caller.store(pointer, along, 8 * i)
    caller.require(build.call(_Reader(module).function, [given, WORD(count), along]))
    arguments = [_loaded(caller, memory, 8 * i, name) for i, name in enumerate(passed)]
    state = caller.call("PyEval_SaveThread") if releases else None
    status, where = called(caller, kernel, arguments, at=address)
    if releases:
        caller.call("PyEval_RestoreThread", state)
    if checked:
        with build.if_then(build.icmp_unsigned("!=", status, INT(0)), likely=False):
            build.ret(caller.call("PyObject_Vectorcall", caller.object(FAILED), NOTHING, WORD(0), NOTHING))
    build.ret(_result(caller, kernel.return_type, where))
    otherwise(caller, is_method=False, is_getter=False)
    return caller.function


def _loaded(caller: Builder, memory: Any, offset: int, name: str) -> Any:
    """Load an argument of the kernel, of a type in LLVM's language, from the words that the reader wrote."""
    if name == "ptr":
        return caller.load(memory, offset)
    if name in ("float", "double"):
        number = caller.load(memory, offset, ir.DoubleType())
        return caller.build.fptrunc(number, ir.FloatType()) if name == "float" else number
    number = caller.load(memory, offset, WORD)
    bits = int(name.removeprefix("i"))
    return number if bits == WORD.width else caller.build.trunc(number, ir.IntType(bits))


_OWN_OBJECTS: Final = PYTHON_FUNCTION, FAILED  # of an entry, before classes and dtypes


def entry_wrapper(function: Any, kernel: Compiled, symbol: str, examples: tuple[Any, ...]) -> ir.Module:
    """Return the module with the wrapper of an entry, for arguments of the types of `examples`.

    It releases Python's lock while the entry runs, if that may take long: if there are arrays.
    """
    module = ir.Module(symbol)
    objects = (*_OWN_OBJECTS, *(str(i) for i in range(len(classes_of(examples)) - 1)))
    wrapper = Wrapper(module, symbol, FUNCTION_TYPE, objects)
    build = wrapper.build
    words = [INT(word) for example in examples for word in described(example)]
    description = ir.GlobalVariable(module, ir.ArrayType(INT, len(words)), "description")
    description.linkage, description.global_constant = "internal", True
    description.initializer = ir.Constant(description.value_type, words)
    address = ir.Function(module, _ANY_FUNCTION, kernel.symbol).bitcast(POINTER)
    own = build.bitcast(wrapper.objects, POINTER.as_pointer())
    caller = _caller(module, kernel, len(examples), len(objects) > len(_OWN_OBJECTS))
    build.ret(build.call(caller, [description.bitcast(POINTER), *wrapper.function.args[1:], own, address], tail=True))
    build.position_at_end(wrapper.otherwise)
    build.unreachable()
    define_function(wrapper, function.__name__)
    return module


def _result(wrapper: Builder, kind: Any, where: Any) -> Any:
    """Make an object of the result of an entry."""
    if isinstance(kind, Nothing):
        return wrapper.shared(wrapper.symbol("_Py_NoneStruct"))
    if isinstance(kind, Tuple):
        return _tuple_of(wrapper, kind, where)
    number = number_at(wrapper, where, kind)
    if kind.kind == "b":
        return wrapper.truth(wrapper.build.icmp_unsigned("!=", number, WORD(0)))
    makers = {"f": "PyFloat_FromDouble", "i": "PyLong_FromLongLong", "u": "PyLong_FromUnsignedLongLong"}
    return wrapper.call(makers[kind.kind], number)


def _tuple_of(wrapper: Builder, kind: Tuple, where: Any) -> Any:
    """Make a tuple of numbers of 64 bits."""
    if kind.instance_class is not tuple or any(getattr(item, "bits", 0) != WORD.width for item in kind.items):
        raise Foreign("a result that is a tuple of something else than 64-bit numbers")
    made = wrapper.call("PyTuple_New", WORD(len(kind.items)))
    wrapper.return_if_null(made)
    for i, item in enumerate(kind.items):
        place = wrapper.build.bitcast(wrapper.at(where, 8 * i, WORD), POINTER)
        value = _result(wrapper, item, place)
        with wrapper.build.if_then(wrapper.same(value, NOTHING), likely=False):
            wrapper.call("Py_DecRef", made)
            wrapper.build.ret(NOTHING)
        wrapper.call("PyTuple_SetItem", made, WORD(i), value)
    return made
