"""A perft of breadth-first levels for a device, made from the library's own kernels.

A level is an array of positions. A device thread takes a position: it counts the moves, writes the positions after
them, or counts the moves of these. `count_moves`, `make_moves` and `count_two_plies` are compiled like any
entry, but for a CPU without extensions; LLVM then makes PTX of the same text, with a loop over positions around each.
So the rules are those of `rookery.rules`, with the technique that is fastest on a device.

``python benchmarks/cuda_levels.py FILE`` writes the PTX. `cuda_device.py` does that, and runs it.
"""

import os
import re
import sys
from pathlib import Path
from typing import Any, Final, NamedTuple

if __name__ == "__main__":  # before rookery reads them
    os.environ.update(NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="")

import numpy as np

from rookery.bitboards.bits import reset_ls1b
from rookery.kernel import U64, UNIVERSE, Bits, Square, Word, entry, kernel_by_type, trailing_zeros
from rookery.rules.constants import SIX_BITS, TO_SHIFT
from rookery.rules.generate import Count, add, add_steps, generate
from rookery.rules.position import Position, make, prepared, write
from rookery.techniques.hyperbola import HYPERBOLA_BITREVERSE

WORDS: Final = 10  # of a position
_TABLES: Final = HYPERBOLA_BITREVERSE.tables()  # none
_OLDEST: Final = "sm_80"  # PTX runs on this and all later architectures
_PTX_VERSION: Final = "+ptx78"  # CUDA 11.8


class Make(NamedTuple):
    """The sink that writes the positions after moves."""

    children: Any
    p: Position


class CountBelow(NamedTuple):
    """The sink that counts the moves after moves."""

    p: Position


@kernel_by_type("sink")
def take(sink: Any, n: Word, move: Word) -> Word:
    """Hand over a single move; `n` is the running total, and the result the new one."""


@take.register(Make)
def _make(sink: Make, n: Word, move: Word) -> Word:
    write(sink.children[n], make(sink.p, move, _TABLES))
    return n + 1


@take.register(CountBelow)
def _count_below(sink: CountBelow, n: Word, move: Word) -> Word:
    return n + generate(make(sink.p, move, _TABLES), _TABLES, Count(), UNIVERSE, UNIVERSE)


def _one_by_one(sink: Any, n: Word, _piece: Word, source: Square, targets: Bits, kind: Word) -> Word:
    while targets:
        n = take(sink, n, source | (trailing_zeros(targets) << TO_SHIFT) | kind)
        targets = reset_ls1b(targets)
    return n


def _steps_one_by_one(sink: Any, n: Word, targets: Bits, step: Word, kind: Word) -> Word:
    while targets:
        target = trailing_zeros(targets)
        n = take(sink, n, ((target - step) & SIX_BITS) | (target << TO_SHIFT) | kind)
        targets = reset_ls1b(targets)
    return n


for _sink in (Make, CountBelow):
    add.register(_sink)(_one_by_one)
    add_steps.register(_sink)(_steps_one_by_one)


@entry
def count_moves(rows: Any, i: Any) -> Any:
    """Return the number of moves of a position."""
    return generate(prepared(rows[i], _TABLES), _TABLES, Count(), UNIVERSE, UNIVERSE)


@entry
def count_two_plies(rows: Any, i: Any) -> Any:
    """Return the number of moves after all moves of a position."""
    p = prepared(rows[i], _TABLES)
    return generate(p, _TABLES, CountBelow(p), UNIVERSE, UNIVERSE)


@entry
def make_moves(rows: Any, children: Any, i: Any) -> Any:
    """Write the positions after all moves of a position, and return their number."""
    p = prepared(rows[i], _TABLES)
    return generate(p, _TABLES, Make(children, p), UNIVERSE, UNIVERSE)


# What LLVM knows of an entry: its function returns a status, and takes the place of the result, that of an exception,
# and nine numbers for an array of two dimensions.
_TAKEN: Final = "ptr, ptr, i64, i64, ptr, i64, i64, i64, i64"
_ARRAY: Final = f"ptr null, ptr null, i64 %n, i64 8, ptr {{}}, i64 %n, i64 {WORDS}, i64 {8 * WORDS}, i64 8"

# A kernel: each thread takes every position whose number is its own plus a multiple of the number of threads.
_KERNEL: Final = """
define ptx_kernel void @{name}(ptr %rows, i64 %n, ptr %children, ptr %total) {{
entry:
  %result = alloca i64
  %exception = alloca ptr
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %before = mul i32 %block, %size
  %own = add i32 %before, %thread
  %first = zext i32 %own to i64
  %threads = mul i32 %size, %blocks
  %stride = zext i32 %threads to i64
  br label %head
head:
  %i = phi i64 [%first, %entry], [%next, %body]
  %sum = phi i64 [0, %entry], [%sum.next, %body]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %done
body:
  %status = call i32 @{counts}(ptr %result, ptr %exception, {rows}, i64 %i)
  %count = load i64, ptr %result
  %sum.next = add i64 %sum, %count
{made}  %next = add i64 %i, %stride
  br label %head
done:
{added}  ret void
}}
"""
_MADE: Final = """  %place = atomicrmw add ptr %total, i64 %count seq_cst
  %child = getelementptr [{words} x i64], ptr %children, i64 %place
  %status.made = call i32 @{makes}(ptr %result, ptr %exception, {rows}, {children}, i64 %i)
"""
_ADDED: Final = "  %total.before = atomicrmw add ptr %total, i64 %sum seq_cst\n"
_REGISTERS: Final = "\n".join(
    f"declare i32 @llvm.nvvm.read.ptx.sreg.{name}.x()" for name in ("tid", "ctaid", "ntid", "nctaid")
)


def ptx() -> str:
    """Return the kernels ``count``, ``count_two`` and ``expand`` as PTX. rookery must compile for a generic CPU."""
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    triple = "nvptx64-nvidia-cuda"
    machine = llvm.Target.from_triple(triple).create_target_machine(cpu=_OLDEST, features=_PTX_VERSION, opt=3)
    heading = f'target datalayout = "{machine.target_data}"\ntarget triple = "{triple}"\n'
    rows, number = np.zeros((1, WORDS), U64), U64(0)
    one = count_moves.compiled_ir((rows, number))
    two = count_two_plies.compiled_ir((rows, number))
    makes = make_moves.compiled_ir((rows, rows, number))
    array = _ARRAY.format("%rows")
    children = _ARRAY.replace("%n", "%count").format("%child")
    made = _MADE.format(words=WORDS, makes=makes.symbol, rows=array, children=children)
    kernels = [
        _KERNEL.format(name="count", counts=one.symbol, rows=array, made="", added=_ADDED),
        _KERNEL.format(name="count_two", counts=two.symbol, rows=array, made="", added=_ADDED),
        _KERNEL.format(name="expand", counts=one.symbol, rows=array, made=made, added=""),
    ]
    declared = [f"declare i32 @{name}(ptr, ptr, {_TAKEN}, i64)" for name in (one.symbol, two.symbol)]
    declared.append(f"declare i32 @{makes.symbol}(ptr, ptr, {_TAKEN}, {_TAKEN}, i64)")
    module = llvm.parse_assembly("\n".join([heading, _REGISTERS, *declared, *kernels]))
    for part in (one, two, makes):
        text = re.sub(r"^target (datalayout|triple) = .*$", "", part.text, flags=re.MULTILINE)
        module.link_in(llvm.parse_assembly(heading + text))
    for function in module.functions:
        if not function.is_declaration and function.name not in ("count", "count_two", "expand"):
            function.linkage = "internal"
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    builder.getModulePassManager().run(module, builder)
    missing = [f.name for f in module.functions if f.is_declaration and not f.name.startswith("llvm.")]
    if missing:
        raise RuntimeError(f"functions that no device has: {', '.join(missing)}")
    return str(machine.emit_assembly(module))


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(ptx(), encoding="utf-8")
