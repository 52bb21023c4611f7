"""The wrappers of entries. They read arguments by an example of each: numbers, arrays, and tuples of these."""

from typing import Any, Final

import numpy as np
from llvmlite import ir

from rookery.kernel.codecache.type_keys import classes_of
from rookery.kernel.compiler.kinds import Nothing, Tuple
from rookery.kernel.compiler.linkable import Compiled
from rookery.kernel.native import layouts
from rookery.kernel.native.building import BIT, BYTE, INT, NOTHING, POINTER, WORD, Builder
from rookery.kernel.native.marks import FAILED, PYTHON_FUNCTION
from rookery.kernel.native.tables import CHECK
from rookery.kernel.native.units import Foreign
from rookery.kernel.native.wrapping import FUNCTION_TYPE, Wrapper, called, define_function, number_at, otherwise

_EQUAL: Final = 2  # Py_EQ


def read(w: Any, found: Any, example: Any, next_object: Any) -> list[Any]:
    """Read an argument as Numba passes it. `next_object` returns the next object of `type_keys.classes_of`."""
    if isinstance(example, np.ndarray):
        return _array(w, found, example, next_object(), next_object())
    if isinstance(example, tuple):
        return _tuple(w, found, example, next_object)
    if example is None:
        w.require(w.same(found, w.symbol("_Py_NoneStruct")))
        return [NOTHING]
    if isinstance(example, bool | np.bool_):
        return [_truth(w, found)]
    if isinstance(example, float | np.floating):
        return [_float(w, found, example)]
    return [_number(w, found, np.dtype(type(example)) if isinstance(example, np.integer) else _int_type(example))]


def _int_type(example: int) -> Any:
    return np.dtype(np.int64 if example < 1 << 63 else np.uint64)


def _number(w: Any, found: Any, dtype: Any) -> Any:
    """Read an int, or a scalar of NumPy."""
    convert = "PyLong_AsLongLong" if dtype.kind == "i" else "PyLong_AsUnsignedLongLong"
    build = w.build
    scalar, plain, done = (build.append_basic_block(name) for name in ("scalar", "plain", "number"))
    build.cbranch(w.same(w.load(found, layouts.TYPE), w.symbol("PyLong_Type")), plain, scalar)
    build.position_at_end(scalar)
    index = w.call("PyNumber_Index", found)
    w.require_present(index)
    of_scalar = w.call(convert, index)
    w.call("Py_DecRef", index)
    scalar_end = build.block
    build.branch(done)
    build.position_at_end(plain)
    of_int = w.call(convert, found)
    build.branch(done)
    build.position_at_end(done)
    number = build.phi(WORD)
    number.add_incoming(of_scalar, scalar_end)
    number.add_incoming(of_int, plain)
    with build.if_then(w.same(number, 0xFFFF_FFFF_FFFF_FFFF), likely=False):
        w.require(w.same(w.call("PyErr_Occurred"), NOTHING))
    if dtype.itemsize == 8:
        return number
    bits = 8 * dtype.itemsize
    narrow = build.trunc(number, ir.IntType(bits))
    w.require(w.same((build.sext if dtype.kind == "i" else build.zext)(narrow, WORD), number))
    return narrow


def _truth(w: Any, found: Any) -> Any:
    number = w.call("PyObject_IsTrue", found)
    w.require(w.build.icmp_signed(">=", number, INT(0)))
    return w.build.trunc(number, BYTE)


def _float(w: Any, found: Any, example: Any) -> Any:
    number = w.call("PyFloat_AsDouble", found)
    with w.build.if_then(w.build.fcmp_ordered("==", number, ir.Constant(number.type, -1.0)), likely=False):
        w.require(w.same(w.call("PyErr_Occurred"), NOTHING))
    if isinstance(example, np.float32):
        return w.build.fptrunc(number, ir.FloatType())
    return number


def _tuple(w: Any, found: Any, example: tuple[Any, ...], next_object: Any) -> list[Any]:
    w.require_type(found, next_object())
    w.require(w.same(w.load(found, layouts.SIZE, WORD), len(example)))
    flat = []
    for i, part in enumerate(example):
        flat += read(w, w.load(found, layouts.TUPLE_ITEMS + 8 * i), part, next_object)
    return flat


def _array(w: Any, found: Any, example: Any, array_type: Any, dtype: Any) -> list[Any]:
    """Check an array's type, dimensions, dtype and layout, and pass its parts."""
    build = w.build
    flags = layouts.WRITEABLE if example.flags.writeable else 0
    if example.flags.c_contiguous:
        flags |= layouts.C_CONTIGUOUS
    elif example.flags.f_contiguous:
        flags |= layouts.F_CONTIGUOUS
    w.require(build.call(_check(w.module), [found, array_type, dtype, INT(example.ndim), INT(flags)]))
    shape = w.load(found, layouts.ARRAY_SHAPE)
    strides = w.load(found, layouts.ARRAY_STRIDES)
    sizes = [w.load(shape, 8 * i, WORD) for i in range(example.ndim)]
    steps = [w.load(strides, 8 * i, WORD) for i in range(example.ndim)]
    items = WORD(1)
    for size in sizes:
        items = build.mul(items, size)
    return [NOTHING, NOTHING, items, WORD(example.itemsize), w.load(found, layouts.ARRAY_DATA), *sizes, *steps]


def _check(module: ir.Module) -> Any:
    """Return the function that checks an array. All units have the same, and the linker keeps one."""
    known = module.globals.get(CHECK)
    if known is not None:
        return known
    w = Builder(module, CHECK, BIT, [POINTER, POINTER, POINTER, INT, INT])
    w.function.linkage = "linkonce_odr"
    w.function.attributes.add("noinline")
    found, array_type, dtype, dimensions, flags = w.function.args
    _require_array(w, found, array_type)
    w.require(w.same(w.load(found, layouts.ARRAY_DIMENSIONS, INT), dimensions))
    _require_dtype(w, w.load(found, layouts.ARRAY_DTYPE), dtype)
    w.require(w.same(w.build.and_(w.load(found, layouts.ARRAY_FLAGS, INT), flags), flags))
    w.build.ret(BIT(1))
    w.build.position_at_end(w.otherwise)
    w.build.ret(BIT(0))
    return w.function


def _require_array(w: Any, found: Any, array_type: Any) -> None:
    """Leave the fast path unless an object is an array, or of a class derived from it."""
    type_ = w.load(found, layouts.TYPE)
    with w.build.if_then(w.build.icmp_unsigned("!=", type_, array_type), likely=False):
        w.require(w.build.icmp_unsigned("!=", w.call("PyType_IsSubtype", type_, array_type), INT(0)))


def _require_dtype(w: Any, found: Any, dtype: Any) -> None:
    """Leave the fast path unless two dtypes are the same object, or equal: NumPy may make several of one."""
    with w.build.if_then(w.build.icmp_unsigned("!=", found, dtype), likely=False):
        w.require(w.same(w.call("PyObject_RichCompareBool", found, dtype, INT(_EQUAL)), 1))


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
        flat += read(wrapper, found, example, lambda: wrapper.object(next(numbers)))
    releases = len(objects) > 2
    state = wrapper.call("PyEval_SaveThread") if releases else None
    status, where = called(wrapper, kernel, flat)
    if releases:
        wrapper.call("PyEval_RestoreThread", state)
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
