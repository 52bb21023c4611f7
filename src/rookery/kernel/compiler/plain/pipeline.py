"""All of Numba's own passes, and three of ours for the meaning of integers. Numba is imported when it is needed."""

import functools
import re
from collections.abc import Callable
from typing import Any, Final, cast

from rookery.kernel import notice
from rookery.kernel.compiler.values import Unsupported
from rookery.kernel.compiling import NoKernelError, replacements
from rookery.kernel.first_use import compiler_lock
from rookery.kernel.notice import warn_once

_registered: Final[set[Callable[..., Any]]] = set()


@functools.cache
def fault() -> str:
    """Return what is missing in Numba, or an empty text if nothing is."""
    from rookery.kernel.compiler.plain import private

    return private.fault()


def options(function: Callable[..., Any] | None = None, *, aliases: bool = False) -> dict[str, Any]:
    """Return Numba's options for a kernel, or for an entry if there is none."""
    found = {"nogil": True, "error_model": "numpy", "pipeline_class": _pipeline(aliases)}
    return found if function is None else {**found, "forceinline": not getattr(function, "rookery_is_called", False)}


@functools.cache
def _dispatcher(function: Callable[..., Any], aliases: bool) -> Any:
    import numba

    return numba.njit(**options(aliases=aliases))(function)


def compiled(
    function: Callable[..., Any], examples: tuple[Any, ...], refused: Unsupported | None = None, *, aliases: bool
) -> Callable[..., Any] | None:
    """Return machine code that Numba compiles for arguments of the types of `examples`, with Numba's wrapper.

    Return None if Numba cannot, and a part of it is missing. Where Numba fails without the name of a line, the error
    says what our compiler `refused`, and in which line.
    """
    try:
        import numba

        register_pending()
        dispatcher = _dispatcher(function, aliases)
        signature = tuple(numba.typeof(example) for example in examples)
        if signature not in dispatcher.overloads:
            dispatcher.compile(signature)
        return cast(Callable[..., Any], dispatcher.overloads[signature].entry_point)
    except Exception as error:
        if not fault():
            if refused is not None and not isinstance(error, NoKernelError) and not _names_a_line(error):
                import numba

                where = f'\n\nFile "{refused.place}' if refused.place else ""
                raise numba.TypingError(f"{function.__qualname__}: {refused}{where}") from error
            raise
        _warn_of_python(function, error)  # what is missing may be something that Numba needs itself
        return None


def _names_a_line(error: Exception) -> bool:
    """Check whether an error is of a class of Numba's own, and says where it is. Others are raised inside Numba."""
    is_own = type(error).__module__.startswith("numba.")
    return is_own and re.search(r"\bline \d|\(\d+\)", str(error)) is not None


def _warn_of_python(function: Callable[..., Any], error: Exception) -> None:
    """Say, once per process, that functions are not compiled at all."""
    first = str(error).strip().partition("\n")[0]
    reason = f"{fault()}, and cannot compile {function.__qualname__} ({type(error).__name__}: {first})"
    warn_once("functions in Python", f"{reason}: it runs in Python, with the same answers but many times slower.")


def register_pending() -> None:
    """Register with Numba the kernels that it does not know yet."""
    from numba.extending import overload

    with compiler_lock():
        for name, implementation in list(replacements().items()):
            if name not in _registered:
                overload(name, jit_options=options(name), strict=False)(implementation())
                _registered.add(name)


@functools.cache
def _pipeline(aliases: bool) -> Any:
    from numba.core.compiler import CompilerBase, DefaultPassBuilder
    from numba.core.compiler_machinery import FunctionPass, register_pass
    from numba.core.typed_passes import NopythonTypeInference
    from numba.core.untyped_passes import IRProcessing, ReconstructSSA

    from rookery.kernel.compiler.plain import operations, words

    class _Pass(FunctionPass):  # type: ignore[misc]  # numba is Any
        def __init__(self) -> None:
            FunctionPass.__init__(self)  # for Numba, a pass without a method of this name is abstract

    @register_pass(mutates_CFG=False, analysis_only=False)
    class Constants(_Pass):
        _name = "rookery_constants"

        def run_pass(self, state: Any) -> bool:
            notice.count_function()
            return words.convert(state)

    @register_pass(mutates_CFG=False, analysis_only=False)
    class BeforeInference(_Pass):
        _name = "rookery_before_inference"

        def run_pass(self, state: Any) -> bool:
            words.make_indices_ints(state.func_ir.blocks)
            words.reject_unset(state)
            state.typingctx = operations.InWords(state.typingctx, state.func_id.func)
            return True

    @register_pass(mutates_CFG=False, analysis_only=True)
    class AfterInference(_Pass):
        _name = "rookery_after_inference"

        def run_pass(self, state: Any) -> bool:
            state.typingctx = state.typingctx.context
            operations.reject_floats(state)
            return False

    class Plain(CompilerBase):  # type: ignore[misc]  # numba is Any
        def define_pipelines(self) -> Any:
            flags = self.state.flags
            if hasattr(flags, "noalias"):
                flags.noalias = not aliases
            passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
            places = {IRProcessing: Constants, ReconstructSSA: BeforeInference, NopythonTypeInference: AfterInference}
            for place, added in places.items():
                passes.add_pass_after(added, place)
            passes.finalize()
            return [passes]

    return Plain
