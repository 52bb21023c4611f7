"""The wrappers of entries.

One function reads the arguments of all entries: numbers, arrays, and tuples of these. A wrapper passes it a description
of what the entry takes. All units have this function, and the linker keeps one: written out in each wrapper, reading
took more machine code than all kernels over arrays.
"""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from llvmlite import ir

from rookery.kernel.codecache.type_keys import classes_of
from rookery.kernel.compiler.kinds import Nothing, Number, Tuple, Type, flattened
from rookery.kernel.compiler.linkable import Compiled
from rookery.kernel.native import layouts
from rookery.kernel.native.building import BIT, INT, NOTHING, POINTER, WORD, Builder
from rookery.kernel.native.marks import FAILED, PYTHON_FUNCTION
from rookery.kernel.native.tables import READER
from rookery.kernel.native.units import Foreign
from rookery.kernel.native.wrapping import FUNCTION_TYPE, Wrapper, called, define_function, number_at, otherwise
from rookery.kernel.settings import settings

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
        super().__init__(module, READER, BIT, [POINTER.as_pointer(), WORD, POINTER])
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


def _read(w: Wrapper, examples: tuple[Any, ...], kinds: tuple[Type, ...]) -> list[Any]:
    """Read the arguments, and return them as the kernel takes them: see `kinds.flattened`."""
    build = w.build
    reader = w.module.globals.get(READER) or _Reader(w.module).function
    words = [INT(word) for example in examples for word in described(example)]
    description = ir.GlobalVariable(w.module, ir.ArrayType(INT, len(words)), "description")
    description.linkage, description.global_constant = "internal", True
    description.initializer = ir.Constant(description.value_type, words)
    passed = [(kind, name) for kind in kinds for kind, name in _leaves(kind)]
    memory = build.bitcast(w.place(WORD, max(1, len(passed))), POINTER)
    along = build.bitcast(w.place(POINTER, 3), POINTER)
    objects = build.bitcast(build.gep(w.objects, [INT(0), INT(_OWN_OBJECTS)]), POINTER)
    for i, pointer in enumerate((description.bitcast(POINTER), objects, memory)):
        w.store(pointer, along, 8 * i)
    w.require(build.call(reader, [w.function.args[1], WORD(len(examples)), along]))
    return [_loaded(w, memory, 8 * i, kind, name) for i, (kind, name) in enumerate(passed)]


def _leaves(kind: Type) -> Iterator[tuple[Type, str]]:
    """Yield what `kinds.flattened` yields, each with the type it is of."""
    if isinstance(kind, Tuple):
        for item in kind.items:
            yield from _leaves(item)
    else:
        yield from ((kind, name) for name in flattened(kind))


def _loaded(w: Wrapper, memory: Any, offset: int, kind: Type, name: str) -> Any:
    """Load an argument of the kernel from the words that the reader wrote."""
    if name == "ptr":
        return w.load(memory, offset)
    if isinstance(kind, Number) and kind.kind == "f":
        number = w.load(memory, offset, ir.DoubleType())
        return w.build.fptrunc(number, ir.FloatType()) if kind.bits == 32 else number
    number = w.load(memory, offset, WORD)
    bits = int(name.removeprefix("i"))
    return number if bits == WORD.width else w.build.trunc(number, ir.IntType(bits))


_OWN_OBJECTS: Final = 2  # of an entry's objects: the Python function, and the one that fails


def entry_wrapper(function: Any, kernel: Compiled, symbol: str, examples: tuple[Any, ...]) -> ir.Module:
    """Return the module with the wrapper of an entry, for arguments of the types of `examples`.

    It releases Python's lock while the entry runs, if that may take long: if there are arrays.
    """
    module = ir.Module(symbol)
    objects = (PYTHON_FUNCTION, FAILED, *(str(i) for i in range(len(classes_of(examples)) - 1)))
    wrapper = Wrapper(module, symbol, FUNCTION_TYPE, objects)
    build = wrapper.build
    _, _, number, names = wrapper.function.args
    wrapper.require(build.and_(wrapper.same(number, len(examples)), wrapper.same(names, NOTHING)))
    arguments = _read(wrapper, examples, kernel.argument_types)
    releases = len(objects) > _OWN_OBJECTS
    state = wrapper.call("PyEval_SaveThread") if releases else None
    status, where = called(wrapper, kernel, arguments)
    if releases:
        wrapper.call("PyEval_RestoreThread", state)
    if settings().bounds_checked:
        with build.if_then(build.icmp_unsigned("!=", status, INT(0)), likely=False):
            build.ret(wrapper.call("PyObject_Vectorcall", wrapper.object(FAILED), NOTHING, WORD(0), NOTHING))
    build.ret(_result(wrapper, kernel.return_type, where))
    otherwise(wrapper, is_method=False, is_getter=False)
    define_function(wrapper, function.__name__)
    return module


def _result(wrapper: Wrapper, kind: Any, where: Any) -> Any:
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


def _tuple_of(wrapper: Wrapper, kind: Tuple, where: Any) -> Any:
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
