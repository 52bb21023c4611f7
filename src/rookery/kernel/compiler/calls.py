"""Calls of kernels that are inlined.

Numba passes an array as seven numbers or more, and a tuple as its parts: a kernel whose argument is a tuple of arrays
takes more than a hundred numbers, which each caller takes apart and the kernel puts together again. An inlined kernel
takes its arguments as they are. A kernel that is called keeps Numba's way, since LLVM then leaves out the numbers that
it does not read.
"""

import hashlib
from typing import Any, Final

_DIGITS: Final = 16  # 64 bits of a digest


def short_name(name: str, types: Any, *, abi_tags: Any = (), uid: Any = None) -> str:
    """Return the name of a kernel in LLVM's modules, with a digest of its types.

    Numba writes the types into the name. Those of the reader of PGN have 2,400 letters, repeated at each call.
    """
    from numba.core.funcdesc import default_mangler

    full = default_mangler(name, types, abi_tags=abi_tags, uid=uid)
    digest = hashlib.sha256(full.encode()).hexdigest()[:_DIGITS]
    return str(default_mangler(name, (), abi_tags=(digest,)))


def takes_values(function: Any, flags: Any, args: Any, returned: Any) -> bool:
    """Check whether a function is a kernel that takes its arguments as they are."""
    from numba.core.types import misc

    is_inlined = flags.forceinline and not getattr(function, "rookery_is_called", False)
    return is_inlined and not any(isinstance(t, misc.Omitted | misc.Optional) for t in (*args, returned))


def declared(context: Any, module: Any, description: Any) -> Any:
    """Return an inlined kernel's function in a module of LLVM, declared if it is not there."""
    from llvmlite import ir
    from numba.core import cgutils
    from numba.core.callconv import errcode_t, excinfo_ptr_t

    returned = context.call_conv.get_return_type(description.restype)
    arguments = [context.get_value_type(argument) for argument in description.argtypes]
    kind = ir.FunctionType(errcode_t, [returned, ir.PointerType(excinfo_ptr_t), *arguments])
    function = cgutils.get_or_insert_function(module, kind, description.mangled_name)
    function.attributes.add("alwaysinline")
    return function


def implementation(description: Any, library: Any) -> Any:
    """Return what Numba runs to emit a call of an inlined kernel: the counterpart of its ``user_function``."""
    from numba.core import cgutils
    from numba.core.callconv import RETCODE_OK, Status, excinfo_ptr_t

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        function = declared(context, builder.module, description)
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
