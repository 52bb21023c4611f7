"""Type inference that does not resolve the same call twice.

Numba infers the types of a function until nothing changes, so it resolves every call at least twice. It tries all
implementations of an operator each time, and a kernel consists of operators on words. `Remembering` keeps the result
for as long as the function is compiled; for operators on numbers, which never change, as long as the process lives.
"""

import functools
from typing import Any, Final

_OPERATORS: Final = "_operator"  # the module of `operator.and_` and its siblings

_kept: Final[dict[tuple[Any, ...], Any]] = {}


class Remembering:
    """A typing context of Numba that remembers the signatures of calls. Anything else is left to the context."""

    def __init__(self, context: Any) -> None:
        self._context = context
        self._found: dict[tuple[Any, ...], Any] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def resolve_function_type(self, function: Any, args: tuple[Any, ...], named: Any) -> Any:
        """Return the signature of a call of `function` for arguments of these types."""
        from numba.core import types

        if named:
            return self._context.resolve_function_type(function, args, named)
        key = function, args
        if key in self._found:
            return self._found[key]
        lasting = None
        if getattr(function, "__module__", "") == _OPERATORS and all(
            isinstance(a, types.Number | types.Boolean) for a in args
        ):
            # Numba finds the implementation through its type of the operator, which changes if someone overloads it.
            lasting = self._context.resolve_value_type(function), args
        signature = _kept.get(lasting) if lasting else None
        if signature is None:
            signature = self._context.resolve_function_type(function, args, named)
        if signature is not None:
            self._found[key] = signature
            if lasting:
                _kept[lasting] = signature
        return signature


@functools.cache
def inference() -> Any:
    """Return Numba's pass of type inference with a context that remembers."""
    from numba.core.compiler_machinery import register_pass
    from numba.core.typed_passes import NopythonTypeInference

    @register_pass(mutates_CFG=True, analysis_only=False)
    class Inference(NopythonTypeInference):  # type: ignore[misc]  # numba is Any
        _name = "rookery_inference"

        def run_pass(self, state: Any) -> bool:
            context = state.typingctx
            state.typingctx = Remembering(context)
            try:
                return bool(super().run_pass(state))
            finally:
                state.typingctx = context

    return Inference
