"""The extension module that asks an x86-64 CPU for its features, in LLVM's language: `targets` chooses by them."""

from typing import Final

from llvmlite import ir

from rookery.kernel.native.building import INT, POINTER, WORD, Builder
from rookery.kernel.native.extension import add_start
from rookery.kernel.targets import CPU_MODULE

_ONE_OBJECT: Final = 0x8  # METH_O
_NO_ARGUMENTS: Final = 0x4  # METH_NOARGS


def cpu_module(triple: str) -> ir.Module:
    """Return the module of LLVM's language that asks an x86-64 CPU for its features.

    ``cpuid(leaf)`` returns the registers EAX, EBX, ECX and EDX as 16 bytes, and ``xgetbv()`` the extended control
    register 0 as an int: which registers the system saves.
    """
    module = ir.Module(CPU_MODULE)
    module.triple = triple
    four = ir.LiteralStructType([INT] * 4)

    ask = Builder(module, "cpuid", POINTER, [POINTER, POINTER])
    build = ask.build
    leaf = build.trunc(ask.call("PyLong_AsLongLong", ask.function.args[1]), INT)
    assembly = ir.InlineAsm(
        ir.FunctionType(four, [INT, INT]), "cpuid", "={ax},={bx},={cx},={dx},0,2,~{dirflag},~{fpsr},~{flags}", True
    )
    found = build.call(assembly, [leaf, INT(0)])
    place = ask.place(INT, 4)
    for i in range(4):
        build.store(build.extract_value(found, i), build.gep(place, [INT(i)]))
    build.ret(ask.call("PyBytes_FromStringAndSize", build.bitcast(place, POINTER), WORD(16)))
    build.position_at_end(ask.otherwise)
    build.unreachable()

    state = Builder(module, "xgetbv", POINTER, [POINTER, POINTER])
    build = state.build
    two = ir.LiteralStructType([INT, INT])
    assembly = ir.InlineAsm(ir.FunctionType(two, [INT]), "xgetbv", "={ax},={dx},{cx},~{dirflag},~{fpsr},~{flags}", True)
    found = build.call(assembly, [INT(0)])
    low, high = (build.zext(build.extract_value(found, i), WORD) for i in range(2))
    build.ret(state.call("PyLong_FromUnsignedLongLong", build.or_(low, build.shl(high, WORD(32)))))
    build.position_at_end(state.otherwise)
    build.unreachable()
    functions = {"cpuid": (ask.function, _ONE_OBJECT), "xgetbv": (state.function, _NO_ARGUMENTS)}
    add_start(module, CPU_MODULE, functions)
    return module
