"""Variables that are not set on every path to where they are read: an error, as in Python if such a path is taken.

Numba gives such a variable the value of another path, or whatever its memory holds.
"""

from typing import Any

from numba import TypingError
from numba.core import ir
from numba.core.compiler_machinery import FunctionPass, register_pass

from rookery.kernel.compiler.plain.words import read_by


@register_pass(mutates_CFG=False, analysis_only=True)
class SetOnEveryPath(FunctionPass):  # type: ignore[misc]  # numba is Any
    """Reject variables that are not set on every path. This pass runs once each assignment has its own variable."""

    _name = "rookery_set_on_every_path"

    def __init__(self) -> None:
        FunctionPass.__init__(self)  # for Numba, a pass without a method of this name is abstract

    def run_pass(self, state: Any) -> bool:
        found = _read_unset(state.func_ir.blocks)
        if found is not None:
            name, place = found
            variable = name.partition(".")[0]  # without the number of the assignment
            raise TypingError(f"{state.func_id.func_qualname}: {variable} is not set on every path", loc=place)
        return False


def _read_unset(blocks: Any) -> tuple[str, Any] | None:
    """Return a variable that may be read before it is set, and where, or None."""
    assigned: dict[str, tuple[int, int]] = {}
    reads: list[tuple[str, int, int, Any]] = []
    merged: dict[str, list[Any]] = {}  # what each phi node chooses from
    for label, block in blocks.items():
        for number, statement in enumerate(block.body):
            if isinstance(statement, ir.Del):
                continue
            is_assignment = isinstance(statement, ir.Assign)
            value = statement.value if is_assignment else statement
            if is_assignment:
                assigned[statement.target.name] = label, number
            if isinstance(value, ir.Expr) and value.op == "phi":
                merged[statement.target.name] = value.incoming_values
            else:
                reads += [(name, label, number, statement.loc) for name in read_by(value)]
    unset = _unset(merged)
    dominators = _dominators(blocks)
    for name, label, number, place in reads:
        if name in assigned and not name.startswith("$"):
            there, when = assigned[name]
            is_set = when < number if there == label else there in dominators[label]
            if name in unset or not is_set:
                return name, place
    return None


def _unset(merged: dict[str, list[Any]]) -> set[str]:
    """Return the variables that a phi node sets and that have no value on some path."""
    found: set[str] = set()
    size = -1
    while len(found) > size:
        size = len(found)
        for name, values in merged.items():
            if any(value is ir.UNDEFINED or value.name in found for value in values):
                found.add(name)
    return found


def _dominators(blocks: Any) -> dict[int, set[int]]:
    """Return the blocks that every path from the first block to a block passes."""
    before: dict[int, list[int]] = {}
    for label, block in blocks.items():
        for target in block.terminator.get_targets():
            before.setdefault(target, []).append(label)
    labels = sorted(blocks)  # nearly in the order of execution
    found = {label: {*labels} for label in labels} | {labels[0]: {labels[0]}}
    changed = True
    while changed:
        changed = False
        for label in labels[1:]:
            passed = set.intersection(*(found[n] for n in before.get(label, labels))) | {label}
            if passed != found[label]:
                found[label], changed = passed, True
    return found
