"""Parts of a wrapper in LLVM's language: calls of Python's functions, reads of its objects, checks, loops."""

from contextlib import AbstractContextManager
from typing import Any, Final

from llvmlite import ir

from rookery.kernel import building
from rookery.kernel.native import layouts

BYTE: Final = ir.IntType(8)
POINTER: Final = BYTE.as_pointer()
WORD: Final = ir.IntType(64)
INT: Final = ir.IntType(32)
BIT: Final = ir.IntType(1)
VOID: Final = ir.VoidType()
NOTHING: Final = ir.Constant(POINTER, None)

# Python's functions that wrappers call, with their result and their arguments. All but `PyObject_Vectorcall` and
# `PyDescr_NewWrapper`, which Python 3.11 exports as well, have been in the stable ABI since 3.11 or longer.
_FUNCTIONS: Final[dict[str, tuple[Any, tuple[Any, ...]]]] = {
    "PyBool_FromLong": (POINTER, (WORD,)),
    "PyBytes_AsString": (POINTER, (POINTER,)),
    "PyBytes_FromStringAndSize": (POINTER, (POINTER, WORD)),
    "PyCFunction_NewEx": (POINTER, (POINTER, POINTER, POINTER)),
    "PyDescr_NewGetSet": (POINTER, (POINTER, POINTER)),
    "PyDescr_NewMember": (POINTER, (POINTER, POINTER)),
    "PyDescr_NewMethod": (POINTER, (POINTER, POINTER)),
    "PyDescr_NewWrapper": (POINTER, (POINTER, POINTER, POINTER)),
    "PyDict_New": (POINTER, ()),
    "PyDict_SetItem": (INT, (POINTER, POINTER, POINTER)),
    "PyErr_Clear": (VOID, ()),
    "PyErr_Occurred": (POINTER, ()),
    "PyErr_SetString": (VOID, (POINTER, POINTER)),
    "PyEval_RestoreThread": (VOID, (POINTER,)),
    "PyEval_SaveThread": (POINTER, ()),
    "PyFloat_AsDouble": (ir.DoubleType(), (POINTER,)),
    "PyFloat_FromDouble": (POINTER, (ir.DoubleType(),)),
    "PyList_Append": (INT, (POINTER, POINTER)),
    "PyList_GetSlice": (POINTER, (POINTER, WORD, WORD)),
    "PyList_New": (POINTER, (WORD,)),
    "PyLong_AsLongLong": (WORD, (POINTER,)),
    "PyLong_AsUnsignedLongLong": (WORD, (POINTER,)),
    "PyLong_FromLongLong": (POINTER, (WORD,)),
    "PyLong_FromUnsignedLongLong": (POINTER, (WORD,)),
    "PyMem_Malloc": (POINTER, (WORD,)),
    "PyNumber_Index": (POINTER, (POINTER,)),
    "PyObject_Free": (VOID, (POINTER,)),
    "PyObject_GetIter": (POINTER, (POINTER,)),
    "PyObject_IsTrue": (INT, (POINTER,)),
    "PyObject_RichCompareBool": (INT, (POINTER, POINTER, INT)),
    "PyObject_Vectorcall": (POINTER, (POINTER, POINTER, WORD, POINTER)),
    "PyTuple_GetItem": (POINTER, (POINTER, WORD)),
    "PyTuple_New": (POINTER, (WORD,)),
    "PyTuple_SetItem": (INT, (POINTER, WORD, POINTER)),
    "PyTuple_Size": (WORD, (POINTER,)),
    "PyType_GenericAlloc": (POINTER, (POINTER, WORD)),
    "PyType_FromSpecWithBases": (POINTER, (POINTER, POINTER)),
    "PyType_GetFlags": (INT, (POINTER,)),
    "PyType_GetSlot": (POINTER, (POINTER, INT)),
    "PyType_IsSubtype": (INT, (POINTER, POINTER)),
    "PyUnicode_AsUTF8AndSize": (POINTER, (POINTER, POINTER)),
    "PyUnicode_FromStringAndSize": (POINTER, (POINTER, WORD)),
    "Py_DecRef": (VOID, (POINTER,)),
    "Py_IncRef": (VOID, (POINTER,)),
}


class Builder:
    """A function being built. `self.build` is llvmlite's builder; the methods are what wrappers need often."""

    def __init__(self, module: ir.Module, name: str, returns: Any, arguments: list[Any]) -> None:
        self.module = module
        self.function = ir.Function(module, ir.FunctionType(returns, arguments), name)
        self.function.linkage = "internal"
        self.function.attributes.add("nounwind")  # so that nothing describes how to unwind its stack
        self.failed = NOTHING if returns == POINTER else returns(-1) if returns != VOID else None
        self.build = ir.IRBuilder(self.function.append_basic_block("entry"))
        self.otherwise = self.function.append_basic_block("otherwise")  # where failed checks lead

    def call(self, name: str, *arguments: Any) -> Any:
        """Call one of Python's functions."""
        return self.build.call(self.python(name), arguments)

    def python(self, name: str) -> Any:
        """Return one of Python's functions."""
        return building.external(self.build, name, ir.FunctionType(*_FUNCTIONS[name]))

    def symbol(self, name: str) -> Any:
        """Return the address of one of Python's objects, such as ``PyLong_Type``."""
        found = self.module.globals.get(name)
        if found is None:
            found = ir.GlobalVariable(self.module, BYTE, name)
        return self.build.bitcast(found, POINTER)

    def place(self, kind: Any, number: int = 1) -> Any:
        """Return a pointer to memory on the stack."""
        with self.build.goto_entry_block():
            found = self.build.alloca(kind, number)
            found.align = 8
            return found

    def at(self, pointer: Any, offset: Any, kind: Any = POINTER) -> Any:
        """Return the pointer to a value of a type, `offset` bytes behind another pointer."""
        offset = WORD(offset) if isinstance(offset, int) else offset
        return self.build.bitcast(self.build.gep(pointer, [offset]), kind.as_pointer())

    def load(self, pointer: Any, offset: Any, kind: Any = POINTER) -> Any:
        """Load a value of a type, `offset` bytes behind a pointer."""
        return self.build.load(self.at(pointer, offset, kind))

    def store(self, value: Any, pointer: Any, offset: Any) -> None:
        """Store a value `offset` bytes behind a pointer."""
        self.build.store(value, self.at(pointer, offset, value.type))

    def require(self, condition: Any) -> None:
        """Leave the fast path unless a condition holds."""
        onward = self.build.append_basic_block()
        branch = self.build.cbranch(condition, onward, self.otherwise)
        branch.set_weights([1000, 1])
        self.build.position_at_end(onward)

    def require_present(self, pointer: Any) -> None:
        """Leave the fast path if a pointer is null."""
        self.require(self.build.icmp_unsigned("!=", pointer, NOTHING))

    def same(self, a: Any, b: Any) -> Any:
        """Compare two pointers or two numbers."""
        return self.build.icmp_unsigned("==", a, a.type(b) if isinstance(b, int) else b)

    def require_type(self, found: Any, expected: Any) -> None:
        """Leave the fast path unless an object is exactly of a type."""
        self.require(self.same(self.load(found, layouts.TYPE), expected))

    def return_if_null(self, pointer: Any) -> None:
        """Return what stands for the error that Python has set, if a pointer is null."""
        with self.build.if_then(self.same(pointer, NOTHING), likely=False):
            self.build.ret(self.failed)

    def truth(self, condition: Any) -> Any:
        """Return a new reference to Python's True or False."""
        chosen = self.build.select(condition, self.symbol("_Py_TrueStruct"), self.symbol("_Py_FalseStruct"))
        return self.shared(chosen)

    def shared(self, found: Any) -> Any:
        """Return a new reference to an object: do what ``Py_IncRef`` does, without a call.

        Immortal objects, which are not counted, have a count that is negative in 32 bits.
        """
        count = self.load(found, layouts.REFERENCES, INT)
        with self.build.if_then(self.build.icmp_signed(">=", count, INT(0)), likely=True):
            self.store(self.build.add(count, INT(1)), found, layouts.REFERENCES)
        return found

    def release(self, found: Any) -> None:
        """Give up a reference to an object: do what ``Py_DecRef`` does, with a call for the last one alone."""
        build = self.build
        count = self.load(found, layouts.REFERENCES, INT)
        with build.if_then(build.icmp_signed(">", count, INT(1)), likely=True):
            self.store(build.sub(count, INT(1)), found, layouts.REFERENCES)
        with build.if_then(self.same(count, 1)):
            self.call("Py_DecRef", found)

    def counting(self, stop: Any) -> AbstractContextManager[Any]:
        """Build a loop around what the block builds, and yield its counter, which stays below `stop`."""
        return building.counting(self.build, stop)


def arguments_of(function: Builder, number: int) -> list[Any]:
    """Return the arguments of a function of the convention METH_FASTCALL that takes as many."""
    _, given, count = function.function.args
    function.require(function.same(count, number))
    return [function.build.load(function.build.gep(given, [WORD(i)])) for i in range(number)]


def none_otherwise(function: Builder) -> None:
    """Return None where checks fail."""
    function.build.position_at_end(function.otherwise)
    function.call("PyErr_Clear")
    function.build.ret(function.shared(function.symbol("_Py_NoneStruct")))


def text(module: ir.Module, name: str, value: str) -> Any:
    """Return a constant pointer to a text."""
    data = bytearray(value.encode() + b"\0")
    variable = ir.GlobalVariable(module, ir.ArrayType(BYTE, len(data)), name)
    variable.linkage, variable.global_constant = "internal", True
    variable.initializer = ir.Constant(variable.value_type, data)
    return variable.bitcast(POINTER)
