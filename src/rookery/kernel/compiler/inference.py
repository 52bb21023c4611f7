"""Type inference that does not resolve the same call twice.

Numba infers the types of a function until nothing changes, so it checks every statement at least twice. `Constraints`
checks a statement again only if the type of a variable that it reads or assigns has changed. Numba tries all
implementations of an operator each time, and a kernel consists of operators on words. `Remembering` keeps the result
for as long as the function is compiled. For operators and built-in functions of numbers and arrays, it keeps the result
as long as the process lives.
"""

from typing import Any, Final

from numba.core import types
from numba.core.compiler_machinery import register_pass
from numba.core.errors import ForceLiteralArg, TypingError
from numba.core.typeinfer import ConstraintNetwork, TypeVarMap

from rookery.kernel.compiler.mixed import InferenceInWords
from rookery.kernel.compiler.operands import taken_as

_OPERATORS: Final = "_operator"  # the module of `operator.and_` and its siblings
_FIXED: Final = (_OPERATORS, "builtins")  # modules whose functions have the same types in all of a process

_kept: Final[dict[tuple[Any, ...], Any]] = {}


class Remembering:
    """A typing context of Numba that remembers the signatures of calls. Anything else is left to the context."""

    def __init__(self, context: Any, literals_are_words: bool) -> None:
        self._context = context
        self._literals_are_words = literals_are_words
        self._found: dict[tuple[Any, ...], Any] = {}
        self.callstack = _Calls(context.callstack)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def resolve_function_type(self, function: Any, args: tuple[Any, ...], named: Any) -> Any:
        """Return the signature of a call of `function` for arguments of these types."""
        if named:
            return self._context.resolve_function_type(function, args, named)
        key = function, args
        if key in self._found:
            return self._found[key]
        args = taken_as(function, args, self._literals_are_words)
        # Numba finds the implementation through its type of the function, which changes if someone overloads it.
        kind = function if isinstance(function, types.Function) else None
        if getattr(function, "__module__", "") == _OPERATORS:
            kind = self._context.resolve_value_type(function)
        lasting = None
        if getattr(getattr(kind, "typing_key", None), "__module__", "") in _FIXED and all(
            isinstance(a, types.Number | types.Boolean | types.Array) for a in args
        ):
            lasting = kind, args
        signature = _kept.get(lasting) if lasting else None
        if signature is None:
            signature = self._context.resolve_function_type(function, args, named)
        if signature is not None:
            self._found[key] = signature
            if lasting:
                _kept[lasting] = signature
        return signature


class Variables(TypeVarMap):  # type: ignore[misc]  # numba is Any
    """The types of variables by their names. It notes which ones are asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Any] = []

    def __getitem__(self, name: str) -> Any:
        variable = self.get(name)
        if variable is None:
            variable = super().__getitem__(name)
        self.asked.append(variable)
        return variable


class Constraints(ConstraintNetwork):  # type: ignore[misc]  # numba is Any
    """What each statement says about the types of variables."""

    def __init__(self) -> None:
        super().__init__()
        self._types: dict[int, list[tuple[Any, Any]]] = {}  # of the variables, after the statement was checked

    def propagate(self, inferer: Any) -> list[Any]:
        errors: list[Any] = []
        place = inferer.func_ir.loc
        with inferer.warnings.catch_warnings(filename=place.filename, lineno=place.line):
            for number, constraint in enumerate(self.constraints):
                known = self._types.pop(number, None)
                if known is None or any(variable.type is not kind for variable, kind in known):
                    inferer.typevars.asked = []
                    try:
                        constraint(inferer)
                    except ForceLiteralArg as error:
                        errors.append(error)
                        continue
                    except TypingError as error:
                        told = TypingError(str(error), loc=constraint.loc, highlighting=False)
                        told.__cause__ = error
                        errors.append(told)
                        continue
                    known = [(variable, variable.type) for variable in inferer.typevars.asked]
                self._types[number] = known
        return errors


class _Calls:
    """The functions whose types Numba is inferring. A new one gets `Constraints`."""

    def __init__(self, stack: Any) -> None:
        self._stack = stack

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stack, name)

    def register(self, target: Any, inferer: Any, function: Any, args: Any) -> Any:
        inferer.constraints, inferer.typevars = Constraints(), Variables()
        inferer.typevars.set_context(inferer.context)
        return self._stack.register(target, inferer, function, args)


@register_pass(mutates_CFG=True, analysis_only=False)
class Inference(InferenceInWords):
    """Type inference with a context that remembers."""

    _name = "rookery_inference"

    context = Remembering
