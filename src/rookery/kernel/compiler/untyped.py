"""Passes before type inference, without the work that our functions do not need.

Since Python 3.11, more than half of the instructions of bytecode are caches of the interpreter, which Numba steps over
one by one. It searches each function for with-blocks, dictionaries, and calls with more arguments than any kernel
takes. For each variable that is assigned twice it walks through all blocks, most of which do not mention it. And after
it has looked for constant indices and exceptions it finds out where each variable dies.
"""

from collections import defaultdict
from typing import Any, Final

from numba.core import ir, ssa
from numba.core.analysis import compute_cfg_from_blocks
from numba.core.compiler_machinery import register_pass
from numba.core.interpreter import Interpreter
from numba.core.rewrites import rewrite_registry
from numba.core.untyped_passes import GenericRewrites, TranslateByteCode

from rookery.kernel.compiler.words import read_by

_UNUSED_FORMS: Final = frozenset(
    (
        "peep_hole_delete_with_exit",
        "peep_hole_call_function_ex_to_call_function_kw",
        "peep_hole_fuse_dict_add_updates",
    )
)
_PRINTING: Final = frozenset(("RewritePrintCalls", "DetectConstPrintArguments"))


class Translator(Interpreter):  # type: ignore[misc]  # numba is Any
    """Numba's translator of bytecode without unused forms."""

    def post_process(self, forms: Any, function: Any) -> Any:
        return super().post_process([form for form in forms if form.__name__ not in _UNUSED_FORMS], function)


@register_pass(mutates_CFG=True, analysis_only=False)
class Translation(TranslateByteCode):  # type: ignore[misc]  # numba is Any
    """Translate bytecode, without the interpreter's caches and without unused forms."""

    _name = "rookery_translation"

    def run_pass(self, state: Any) -> bool:
        _leave_out_caches(state.bc)
        state.func_ir = Translator(state.func_id).interpret(state.bc)
        return True


def _leave_out_caches(bytecode: Any) -> None:
    """Remove the caches that follow instructions. From Python 3.12 on Numba does not count them as instructions."""
    kept = {}
    last = None
    for offset, instruction in bytecode.table.items():
        if instruction.opname == "CACHE" and last is not None:
            last.next = instruction.next  # no jump has a cache, so none is counted from here
        else:
            kept[offset] = last = instruction
    bytecode.table = kept


def assign_once(blocks: Any) -> Any:
    """Give each assignment of a variable a name of its own, and return the changed blocks.

    Each variable is replaced only in the blocks that mention it.
    """
    graph = compute_cfg_from_blocks(blocks)
    frontiers = ssa._iterated_domfronts(graph)
    variables = ssa._find_defs_violators(blocks, graph)
    replacement = ssa._FixSSAVars(ssa._CacheListVars())
    mentioned = _blocks_by_variable(blocks)
    for name in variables:
        labels = mentioned[name]
        part, assigned = ssa._fresh_vars({n: block for n, block in blocks.items() if n in labels}, name)
        states = ssa._make_states(part)
        states |= {"varname": name, "defmap": assigned, "phimap": defaultdict(list), "cfg": graph}
        states["phi_locations"] = ssa._compute_phi_locations(frontiers, assigned)
        blocks |= ssa._run_block_rewrite(part, states, replacement)
        for label, phis in states["phimap"].items():
            blocks[label].body = phis + blocks[label].body
    return blocks


def assigned_once(blocks: Any) -> set[str]:
    """Return the variables that one statement assigns, and that are read only where it has been executed.

    They need no memory. Numba keeps those in memory that are read in another block.
    """
    assigned: dict[str, int] = {}
    elsewhere: dict[str, set[int]] = {}
    refused = set()
    for label, block in sorted(blocks.items()):
        for statement in block.body:
            is_assignment = isinstance(statement, ir.Assign)
            for name in read_by(statement.value if is_assignment else statement):
                if name not in assigned:
                    refused.add(name)
                elif assigned[name] != label:
                    elsewhere.setdefault(name, set()).add(label)
            if is_assignment:
                name = statement.target.name
                if name in assigned:
                    refused.add(name)
                assigned[name] = label
    if elsewhere:
        dominators = compute_cfg_from_blocks(blocks).dominators()
        refused |= {
            name for name, labels in elsewhere.items() if any(assigned[name] not in dominators[n] for n in labels)
        }
    return assigned.keys() - refused


def _blocks_by_variable(blocks: Any) -> dict[str, set[int]]:
    """Return the labels of the blocks that assign or read each variable."""
    found: dict[str, set[int]] = {}
    for label, block in blocks.items():
        for statement in block.body:
            for variable in statement.list_vars():
                found.setdefault(variable.name, set()).add(label)
    return found


@register_pass(mutates_CFG=True, analysis_only=False)
class Rewriting(GenericRewrites):  # type: ignore[misc]  # numba is Any
    """Numba's rewrites before type inference, without those of `print` and without lifetimes."""

    _name = "rookery_rewriting"

    def run_pass(self, state: Any) -> bool:
        function = state.func_ir
        for kind in rewrite_registry.rewrites["before-inference"]:
            if kind.__name__ in _PRINTING:
                continue
            rewrite = kind(state)
            for label, block in [*function.blocks.items()]:
                current = block
                while rewrite.match(function, current, state.typemap, state.calltypes):
                    current = function.blocks[label] = rewrite.apply()
        return True
