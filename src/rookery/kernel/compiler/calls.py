"""Calls of kernels.

Numba passes an array as seven numbers or more, and a tuple as its parts: a kernel whose argument is a tuple of arrays
takes more than a hundred numbers, which each caller takes apart and the kernel puts together again. An inlined kernel
takes its arguments as they are. A kernel that is called takes them as Numba's functions do, since LLVM then leaves out
the numbers that it does not read.

Numba's functions return a status and write their result to memory: 24 of LLVM's instructions a call. Few kernels can
raise an exception, but that is known only when all their instructions have been emitted. So each kernel is first
lowered to a function that returns its result. If it needs a status, `CanRaise` stops that, and it is lowered
again with one.
"""

import functools
import hashlib
from typing import Any, Final, NamedTuple

from llvmlite import ir
from numba.core import cgutils
from numba.core.callconv import RETCODE_OK, CPUCallConv, Status, errcode_t, excinfo_ptr_t
from numba.core.funcdesc import default_mangler
from numba.core.types import misc

_DIGITS: Final = 16  # 64 bits of a digest


def short_name(name: str, types: Any, *, abi_tags: Any = (), uid: Any = None) -> str:
    """Return the name of a kernel in LLVM's modules, with a digest of its types.

    Numba writes the types into the name. Those of the reader of PGN have 2,400 letters, repeated at each call.
    """
    full = default_mangler(name, types, abi_tags=abi_tags, uid=uid)
    digest = hashlib.sha256(full.encode()).hexdigest()[:_DIGITS]
    return str(default_mangler(name, (), abi_tags=(digest,)))


class Form(NamedTuple):
    """How a kernel's function in LLVM takes its arguments and returns its result."""

    is_called: bool  # takes arrays and tuples apart, as Numba does
    has_status: bool  # writes its result to memory, and returns a status


def is_kernel(flags: Any, args: Any, returned: Any) -> bool:
    """Check whether a function is a kernel whose calls are emitted here. Numba emits those with optional values."""
    return flags.forceinline and not any(isinstance(t, misc.Omitted | misc.Optional) for t in (*args, returned))


class CanRaise(BaseException):
    """A kernel that is lowered without a status can raise an exception. Numba wraps any other kind of exception."""


class Results(CPUCallConv):  # type: ignore[misc]  # numba is Any
    """Numba's calling convention, but one function returns its result and has no status.

    Functions that Numba compiles as parts of it (its own implementations in Python) share this object.
    """

    def __init__(self, context: Any, function: Any) -> None:
        super().__init__(context)
        self._function = function

    def return_value(self, builder: Any, result: Any) -> None:
        if builder.function is self._function:
            builder.ret(result)
        else:
            super().return_value(builder, result)

    def _get_excinfo_argument(self, function: Any) -> Any:
        if function is self._function:
            raise CanRaise
        return super()._get_excinfo_argument(function)

    def _return_errcode_raw(self, builder: Any, code: Any) -> None:
        if builder.function is self._function:
            raise CanRaise
        super()._return_errcode_raw(builder, code)


@functools.cache
def _with_convention(kind: Any) -> Any:
    return type(kind.__name__, (kind,), {"call_conv": property(lambda context: context.rookery_convention)})


def return_results(context: Any, function: Any) -> None:
    """Let a function that is being lowered return its result. Anything that needs a status raises `CanRaise`."""
    # The context serves this function only.
    context.rookery_convention = Results(context, function)
    kind: Any = type(context)
    context.__class__ = _with_convention(kind)


def declared(context: Any, module: Any, description: Any, form: Form) -> Any:
    """Return a kernel's function in a module of LLVM, declared if it is not there."""
    if form.is_called:
        arguments = list(context.get_arg_packer(description.argtypes).argument_types)
    else:
        arguments = [context.get_value_type(argument) for argument in description.argtypes]
    result = context.call_conv.get_return_type(description.restype)
    if form.has_status:
        kind = ir.FunctionType(errcode_t, [result, ir.PointerType(excinfo_ptr_t), *arguments])
    else:
        kind = ir.FunctionType(result.pointee, arguments)
    function = cgutils.get_or_insert_function(module, kind, description.mangled_name)
    if not form.is_called:
        function.attributes.add("alwaysinline")
    elif description.noalias:
        for argument in function.args:
            if isinstance(argument.type, ir.PointerType):
                argument.add_attribute("noalias")
    return function


def parameters(context: Any, builder: Any, description: Any, form: Form, function: Any) -> Any:
    """Return the arguments that a kernel's function has been called with, as values of their types."""
    arguments = function.args[2:] if form.has_status else function.args
    if not form.is_called:
        return arguments
    return context.get_arg_packer(description.argtypes).from_arguments(builder, arguments)


def implementation(description: Any, library: Any, form: Form) -> Any:
    """Return what Numba runs to emit a call of a kernel: the counterpart of its ``user_function``."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        function = declared(context, builder.module, description, form)
        if form.is_called:
            args = context.get_arg_packer(description.argtypes).as_arguments(builder, args)
        if not form.has_status:
            return context.get_returned_value(builder, description.restype, builder.call(function, args))
        convention = context.call_conv
        result = cgutils.alloca_once(builder, convention.get_return_type(description.restype).pointee)
        exception = cgutils.alloca_once(builder, excinfo_ptr_t)
        code = builder.call(function, [result, exception, *args])
        with cgutils.if_unlikely(builder, builder.icmp_signed("!=", code, RETCODE_OK)):
            unread = dict.fromkeys(Status._fields)
            raised = {"code": code, "excinfoptr": builder.load(exception)}
            convention.return_status_propagate(builder, Status(**(unread | raised)))
        return context.get_returned_value(builder, description.restype, builder.load(result))

    emit.signature = description.argtypes  # type: ignore[attr-defined]
    emit.libs = (library,)  # type: ignore[attr-defined]
    return emit
