"""The type of integers in compiled code: 64-bit words.

For Numba the literal ``1`` is an int64, and ``uint64 | int64`` is an int64 whose ``>>`` copies the sign. Three compiler
passes change that. The first makes every int from 0 to 2**64 - 1 that a function reads a uint64, whether it is a
literal, a module constant or a variable of a closure. ``b & (b - 1)``, ``0xFF << 56`` and ``(b >> 8 * i) & 0xFF`` then
mean the same in compiled code as in Python. The second makes the constant indices of tuples ints again, which is what
Numba expects. The third rejects functions in which Numba would convert a word and a signed number to a float.

Lengths, loop counters over lengths and negative numbers stay int64. An operation on a word and an int64 gives an int64,
but ``min(n, 8)``, ``n if long else 8`` and a variable that holds first one and then the other would be floats. A
function that needs them is marked `signed`: its literals stay int64.
"""

from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
from numba.core import ir, types
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.errors import TypingError


def _has_words(state: Any) -> bool:
    return not getattr(state.func_id.func, "signed_ints", False)


def _is_word(value: Any) -> bool:
    return type(value) is int and 0 <= value < 1 << 64


def _in_words(value: Any) -> Any:
    """Return a constant tuple with its ints as words. From Python 3.12 on, Numba does not take a returned one apart."""
    if isinstance(value, tuple):
        return tuple(map(_in_words, value))
    return np.uint64(value) if _is_word(value) else value


class _Pass(FunctionPass):  # type: ignore[misc]  # numba is Any
    def __init__(self) -> None:
        FunctionPass.__init__(self)  # for Numba, a pass without a method of this name is abstract


@register_pass(mutates_CFG=False, analysis_only=False)
class Words(_Pass):
    """Type ints as uint64. This pass runs before Numba infers types."""

    _name = "rookery_words"

    def run_pass(self, state: Any) -> bool:
        if not _has_words(state):
            return False
        function = state.func_ir
        modules: dict[str, ModuleType] = {}
        for block in function.blocks.values():
            for assignment in block.find_insts(ir.Assign):
                value = assignment.value
                if isinstance(value, ir.Const | ir.Global | ir.FreeVar):
                    if _is_word(value.value) or (isinstance(value, ir.Const) and type(value.value) is tuple):
                        value.value = _in_words(value.value)
                    elif isinstance(value.value, ModuleType):
                        modules[assignment.target.name] = value.value
                elif isinstance(value, ir.Expr) and value.op == "getattr" and value.value.name in modules:
                    constant: Any = getattr(modules[value.value.name], value.attr, None)
                    if _is_word(constant):
                        assignment.value = ir.Const(np.uint64(constant), value.loc)
                        definitions = function._definitions[assignment.target.name]
                        definitions[definitions.index(value)] = assignment.value
        return True


@register_pass(mutates_CFG=False, analysis_only=False)
class IntIndices(_Pass):
    """Make constant indices ints. This pass runs after Numba has found them.

    Numba rejects a word as the index of a tuple. It then remembers that this index fails, and rejects the equal int
    when the same call graph unpacks a tuple of the same type.
    """

    _name = "rookery_int_indices"

    def run_pass(self, state: Any) -> bool:
        for block in state.func_ir.blocks.values():
            for expression in block.find_exprs("static_getitem"):
                if isinstance(expression.index, np.uint64):
                    expression.index = int(expression.index)
            for statement in block.find_insts(ir.StaticSetItem):
                if isinstance(statement.index, np.uint64):
                    statement.index = int(statement.index)
        return True


@register_pass(mutates_CFG=False, analysis_only=True)
class NoMixtures(_Pass):
    """Reject floats made of words and signed numbers. This pass runs after type inference."""

    _name = "rookery_no_mixtures"

    def run_pass(self, state: Any) -> bool:
        for assignment in _mixtures(state) if _has_words(state) else ():
            name = state.func_id.func_qualname
            raise TypingError(
                f"{name}: a word and a signed number become a float: convert one, or mark {name} as signed",
                loc=assignment.loc,
            )
        return False


def _mixtures(state: Any) -> Iterator[Any]:
    returned = set()  # Python 3.12 returns each branch of ``a if b else c`` by itself
    for block in state.func_ir.blocks.values():
        for assignment in block.find_insts(ir.Assign):
            if isinstance(state.typemap[assignment.target.name], types.Float):
                op = getattr(assignment.value, "op", "")
                found = [state.typemap[v.name] for v in _operands(assignment.value)]
                kinds = {str(t).startswith("u") for t in found if isinstance(t, types.Integer)}
                if op == "cast":
                    returned |= kinds
                    kinds = returned
                if len(kinds) == 2 if op in ("call", "cast") else kinds:
                    yield assignment


def _operands(value: Any) -> list[Any]:
    if isinstance(value, ir.Var):
        return [value]
    if not isinstance(value, ir.Expr):
        return []
    if value.op == "phi":
        return [v for v in value.incoming_values if isinstance(v, ir.Var)]
    if value.op == "cast":
        return [value.value]
    return list(value.args) if value.op == "call" else []
