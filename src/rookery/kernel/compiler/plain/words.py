"""The type of integers in compiled code: 64-bit words.

For Numba the literal ``1`` is an int64, and ``uint64 | int64`` is an int64 whose ``>>`` copies the sign. Two compiler
passes change that. The first makes every int from 0 to 2**64 - 1 that a function reads a uint64, whether it is a
literal, a constant of a module, an element of a constant tuple, or a variable of a closure. ``b & (b - 1)``,
``0xFF << 56`` and ``(b >> 8 * i) & 0xFF`` then mean the same in compiled code as in Python. The second makes the
constant indices of tuples ints again, which is what Numba expects.

Lengths, loop counters over lengths and negative numbers stay int64: see `mixed` for what happens where they meet words.
A function that needs signed literals is marked `signed`: its literals stay int64, unless they meet words.
"""

from types import ModuleType
from typing import Any, Final

import numpy as np
from numba.core import ir
from numba.core.compiler_machinery import FunctionPass, register_pass

_SIGN: Final = 1 << 63
_TAKING_OPERANDS: Final = (range, divmod, pow)


def has_words(state: Any) -> bool:
    """Check whether the literals of a function are words: it is not marked `signed`."""
    return not getattr(state.func_id.func, "signed_ints", False)


def _is_word(value: Any) -> bool:
    return type(value) is int and 0 <= value < 1 << 64


def _in_words(value: Any, is_table: bool = False) -> Any:
    """Return a constant with its ints as words. From Python 3.12 on, Numba does not take a returned tuple apart.

    A table, which a loop may index, needs elements of one type: one with a negative int is left as it is.
    """
    if not isinstance(value, tuple):
        return np.uint64(value) if _is_word(value) else value
    if is_table and any(type(part) is int and part < 0 for part in value):
        return value
    parts = [_in_words(part, is_table) for part in value]
    if all(new is old for new, old in zip(parts, value, strict=True)):
        return value
    return value._make(parts) if hasattr(value, "_make") else tuple(parts)


class _Pass(FunctionPass):  # type: ignore[misc]  # numba is Any
    def __init__(self) -> None:
        FunctionPass.__init__(self)  # for Numba, a pass without a method of this name is abstract


@register_pass(mutates_CFG=False, analysis_only=False)
class Words(_Pass):
    """Type ints as uint64. This pass runs before Numba infers types."""

    _name = "rookery_words"

    def run_pass(self, state: Any) -> bool:
        if not has_words(state):
            return False
        function = state.func_ir
        modules: dict[str, ModuleType] = {}
        literals = _operands(function.blocks)
        for block in function.blocks.values():
            for assignment in block.find_insts(ir.Assign):
                value, name = assignment.value, assignment.target.name
                if isinstance(value, ir.Const | ir.Global | ir.FreeVar):
                    constant, is_table = value.value, not isinstance(value, ir.Const)
                elif isinstance(value, ir.Expr) and value.op == "getattr" and value.value.name in modules:
                    constant, is_table = getattr(modules[value.value.name], value.attr, None), True
                else:
                    continue
                if isinstance(constant, ModuleType):
                    modules[name] = constant
                    continue
                keeps_literal = name in literals and _is_word(constant) and constant < _SIGN
                converted = constant if keeps_literal else _in_words(constant, is_table)
                if not isinstance(value, ir.Expr):
                    value.value = converted
                elif keeps_literal or converted is not constant:
                    assignment.value = ir.Const(converted, value.loc)
                    definitions = function._definitions[name]
                    definitions[definitions.index(value)] = assignment.value
        return True


def read_by(value: Any) -> list[str]:
    """Return the variables that a statement or the right side of an assignment reads."""
    if isinstance(value, ir.Var):
        return [value.name]
    return [variable.name for variable in value.list_vars()] if isinstance(value, ir.Inst) else []


def _operands(blocks: Any) -> set[str]:
    """Return the variables of Numba's that are only read by one operation or one call of a function of Python's."""
    read: dict[str, int] = {}
    found = set()
    functions = set()
    for block in blocks.values():
        for statement in block.body:
            value = statement.value if isinstance(statement, ir.Assign) else statement
            names = read_by(value)
            for name in names:
                read[name] = read.get(name, 0) + 1
            if isinstance(value, ir.Global) and any(value.value is function for function in _TAKING_OPERANDS):
                functions.add(statement.target.name)
            is_expression = isinstance(value, ir.Expr)
            if is_expression and (
                value.op in ("binop", "inplace_binop") or (value.op == "call" and value.func.name in functions)
            ):
                found.update(names)
    return {name for name in found if read[name] == 1 and name.startswith("$")}


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
