"""The constants of a function as words, and variables that are not set on every path.

For Numba the literal ``1`` is an int64, and ``uint64 | int64`` is an int64 whose ``>>`` copies the sign. Here every int
from 0 to 2**64 - 1 that a function reads is a uint64, whether it is a literal, a constant of a module, an element of a
constant tuple, or a variable of a closure. A literal that one operation reads stays an int: it takes the type of what
it meets, see `numbers`. So do all literals of a function that is marked `signed`.
"""

from types import ModuleType
from typing import Any, Final

import numpy as np
from numba import TypingError
from numba.core import ir
from numba.core.analysis import compute_cfg_from_blocks

from rookery.kernel.compiler.values import SIGN

_TAKING_OPERANDS: Final = (range, divmod, pow)


def _is_word(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2 * SIGN


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


def convert(state: Any) -> bool:
    """Make the constants of a function words, unless it is marked `signed`."""
    if getattr(state.func_id.func, "signed_ints", False):
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
            keeps_literal = name in literals and _is_word(constant) and constant < SIGN
            converted = constant if keeps_literal else _in_words(constant, is_table)
            if not isinstance(value, ir.Expr):
                value.value = converted
            elif keeps_literal or converted is not constant:
                assignment.value = ir.Const(converted, value.loc)
                definitions = function._definitions[name]
                definitions[definitions.index(value)] = assignment.value
    return True


def _read_by(value: Any) -> list[str]:
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
            names = _read_by(value)
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


def make_indices_ints(blocks: Any) -> None:
    """Make constant indices ints.

    Numba rejects a word as the index of a tuple. It then remembers that this index fails, and rejects the equal int
    when the same call graph unpacks a tuple of the same type.
    """
    for block in blocks.values():
        for indexed in (*block.find_exprs("static_getitem"), *block.find_insts(ir.StaticSetItem)):
            if isinstance(indexed.index, np.uint64):
                indexed.index = int(indexed.index)


def reject_unset(state: Any) -> None:
    """Reject variables that are not set on every path to where they are read.

    Numba gives such a variable the value of another path, or whatever its memory holds.
    """
    blocks = state.func_ir.blocks
    dominators = compute_cfg_from_blocks(blocks).dominators()
    assignments = {a.target.name: (n, a.value) for n, block in blocks.items() for a in block.find_insts(ir.Assign)}
    unset: set[str] = set()  # those that a phi node sets, and that have no value on some path
    size = -1
    while len(unset) > size:
        size = len(unset)
        for name, (_, value) in assignments.items():
            if _is_phi(value) and any(v is ir.UNDEFINED or v.name in unset for v in value.incoming_values):
                unset.add(name)
    for number, block in blocks.items():
        before = {name for name, (place, _) in assignments.items() if place in dominators[number] - {number}}
        for statement in block.body:
            value = statement.value if isinstance(statement, ir.Assign) else statement
            if not _is_phi(value) and not isinstance(value, ir.Del):
                for name in _read_by(value):
                    is_set = name in before or name not in assignments
                    if name in unset or not (is_set or name.startswith("$")):
                        what = f"{name.partition('.')[0]} is not set on every path"
                        raise TypingError(f"{state.func_id.func_qualname}: {what}", loc=statement.loc)
            if isinstance(statement, ir.Assign):
                before.add(statement.target.name)


def _is_phi(value: Any) -> bool:
    return isinstance(value, ir.Expr) and value.op == "phi"
