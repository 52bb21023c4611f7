"""The least time that machine code allows: a simple model of a core, and how close a measurement comes to it.

    issue     instructions that a core can begin in a cycle; a comparison and its jump count as one
    loads     values that it can load in a cycle; a gather loads one for each lane
    vector    vector instructions that it can run in a cycle, other than moves
    multiply  multiplications, PEXT and PDEP, which share a unit on most cores
    chain     the cycles until a look-up's result is known if each waits for the last: the sum of the latencies

Each is a lower bound of the cycles of a look-up, and the largest of them is the bound. The model knows nothing of
misses in caches, of mispredicted branches or of conflicts between ports, so a measurement may be far above the bound,
and should not be below it. Loops with branches inside have no bound.

The widths and latencies are those of uops.info, Agner Fog's instruction tables and the vendors' optimisation guides
(AMD 56665 for family 19h, 58455 for 1Ah; Intel 248966). A CPU that is not listed has the largest width and the smallest
latency of all, so that its bounds hold, too.
"""

import re
import statistics
import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from rookery.bench.uses import loops, workloads
from rookery.bench.uses.loop_code import FLAGS, LoopInstruction, MachineLoop
from rookery.bench.uses.loop_code import loops as loops_in
from rookery.kernel import U64, cpu
from rookery.techniques import technique
from rookery.techniques.base import Technique
from rookery.techniques.base.protocol import QUESTIONS

QUEEN: Final = QUESTIONS["queen"]
ROUNDS: Final = 24  # of a loop, until the cycles of a round are steady
STEPS: Final = 1 << 20  # of the chain that measures the clock
CYCLES_A_STEP: Final = 2  # a rotation and an addition
_MULTIPLIES: Final = re.compile(r"i?mul|mulx|pext|pdep")


class Core(NamedTuple):
    """The widths of a core, by cycle, and its latencies in cycles."""

    family: str
    issue: int
    loads: int
    vector: int  # instructions on up to 256 bits
    vector512: int
    multiply: int
    load_latency: int = 4
    scan_latency: int = 1  # of leading zeros and population counts; trailing zeros take as long or longer


_ZEN3 = Core("AMD Zen 3", 6, 3, 4, 2, 1)
_ZEN4 = Core("AMD Zen 4", 6, 3, 4, 2, 1)
_ZEN5 = Core("AMD Zen 5", 8, 4, 4, 4, 3)
_SKYLAKE = Core("Intel Skylake", 4, 2, 3, 2, 1, 5, 3)
_ICE_LAKE = Core("Intel Ice Lake", 5, 2, 3, 2, 1, 5, 3)
_GOLDEN_COVE = Core("Intel Golden Cove", 6, 3, 3, 2, 1, 5, 3)
CORES: Final = {
    "znver2": Core("AMD Zen 2", 6, 2, 4, 2, 1),
    "znver3": _ZEN3,
    "znver4": _ZEN4,
    "znver5": _ZEN5,
    **dict.fromkeys(("skylake", "skylake-avx512", "cascadelake", "cooperlake"), _SKYLAKE),
    **dict.fromkeys(("icelake-client", "icelake-server", "tigerlake", "rocketlake"), _ICE_LAKE),
    **dict.fromkeys(
        ("alderlake", "raptorlake", "meteorlake", "sapphirerapids", "emeraldrapids", "graniterapids"), _GOLDEN_COVE
    ),
}
WIDEST: Final = Core("the widest known cores", 8, 4, 4, 4, 3)


class TimeBound(NamedTuple):
    """The least cycles of a look-up in a loop, and which resource sets them."""

    cycles: float
    by: str
    instructions: float  # of one look-up, in the loop that was timed
    loads: float
    bytes: float  # of the values that it loads


def this_core() -> Core:
    """Return the widths of this machine's cores."""
    return CORES.get(cpu()[0], WIDEST)


def latency(instruction: LoopInstruction, core: Core) -> int:
    """Return the cycles from an instruction's operands to its result, not counting a load."""
    name = instruction.name
    if name.startswith(("mov", "vmov")):
        return 0  # renamed, not run
    if _MULTIPLIES.match(name) or name.startswith("vpmul"):
        return 3
    if name.startswith(("lzcnt", "tzcnt", "popcnt")):
        return core.scan_latency
    return 1


def cycles_in_chain(loop: MachineLoop, core: Core) -> float:
    """Return how many cycles a round takes if nothing but the latencies limits it.

    Run the loop a few times on the times at which each register is ready.
    """
    ready: dict[str, float] = {}
    ends = []
    for _ in range(ROUNDS):
        for i in loop.body:
            loaded = max((ready.get(r, 0) for r in i.address), default=0) + core.load_latency if i.loads else 0
            done = max([loaded, *(ready.get(r, 0) for r in i.reads)]) + latency(i, core)
            ready.update(dict.fromkeys(i.writes, done))
        ends.append(max(done for name, done in ready.items() if name != FLAGS))
    half = ROUNDS // 2
    return (ends[-1] - ends[half - 1]) / (ROUNDS - half)


def of_loop(loop: MachineLoop, answers: int, core: Core) -> TimeBound:
    """Return the bound of a loop that finds so many answers per round."""
    body = loop.body
    wide = any(i.bits == 512 for i in body)
    loads = sum(i.loads for i in body)
    issued = sum(1 for i in body if not i.is_fused)
    vectors = sum(1 for i in body if i.bits and "mov" not in i.name)
    multiplied = sum(1 for i in body if _MULTIPLIES.match(i.name))
    cycles = {
        "issue": issued / core.issue,
        "loads": loads / core.loads,
        "vector": vectors / (core.vector512 if wide else core.vector),
        "multiply": multiplied / core.multiply,
        "chain": cycles_in_chain(loop, core),
    }
    by = max(cycles, key=cycles.__getitem__)
    per_answer = (round(n / answers, 1) for n in (len(body), loads, sum(i.loaded_bytes for i in body)))
    return TimeBound(round(cycles[by] / answers, 2), by, *per_answer)


def _arrays(t: Technique) -> str:
    boards = np.empty(1, np.uint64)
    return t.loop.assembly(QUEEN, np.empty(1, np.uint8), boards, boards, t.tables())


def _calls(t: Technique) -> str:
    work = workloads.changes()
    arguments = (QUEEN, work.squares, work.changed, U64(work.first), t.tables())
    return loops.change_and_look_freely.assembly(*arguments)


def _latency(t: Technique) -> str:
    work = workloads.changes()
    return loops.change_and_look.assembly(QUEEN, work.squares, work.changed, U64(work.first), U64(0), t.tables())


# The uses whose loop has a bound: its machine code, and how many look-ups a round of it makes.
LOOPS: Final[dict[str, tuple[Callable[[Technique], str], Callable[[MachineLoop], int]]]] = {
    "arrays": (_arrays, lambda loop: loop.answers_stored),
    "calls": (_calls, lambda loop: loop.step),
    "latency": (_latency, lambda loop: loop.step),
}


def bound(t: Technique, column: str, core: Core | None = None) -> TimeBound | None:
    """Return the least cycles of a look-up in a use, from the machine code of its loop; None where it is not known.

    The loop is the one that makes the most look-ups in a round: compilers write a second one for the rest.
    """
    if column not in LOOPS:
        return None
    assembly, answers = LOOPS[column]
    found = [(answers(loop), len(loop.body), loop) for loop in loops_in(assembly(t))]
    count, _, loop = max(found, key=lambda one: one[:2], default=(0, 0, None))
    return of_loop(loop, count, core or this_core()) if loop and count else None


def clock(rounds: int = 5) -> float:
    """Return the cycles of a nanosecond: run a chain of rotations and additions, and take the median time."""
    seconds = []
    for _ in range(rounds):
        start = time.thread_time()
        loops.chain(U64(1), U64(3), STEPS)
        seconds.append(time.thread_time() - start)
    return round(CYCLES_A_STEP * STEPS / statistics.median(seconds) / 1e9, 3)


def explain(result: dict[str, Any], progress: Callable[[str], None] = lambda what: None) -> None:
    """Add the bound to each figure of `measuring.measure` that has one: `bound` is None for the others.

    A bound has its cycles and nanoseconds, what sets it, and ``times``, the measured time as a multiple of it.
    """
    result |= machine()
    for row in result["techniques"]:
        for name in result["columns"]:
            progress(f"{name}: reading the machine code of {row['name']}")
            row[name]["bound"] = of_figure(technique(row["name"]), name, row[name]["ns"], result["clock_ghz"])


def machine() -> dict[str, Any]:
    """Return the widths of this machine's cores and their clock, for a result with bounds."""
    return {"core": this_core()._asdict(), "clock_ghz": clock()}


def of_figure(t: Technique, column: str, ns: float, clock_ghz: float) -> dict[str, Any] | None:
    """Return the bound of a technique in a use, and how many times as long a measured look-up took."""
    found = bound(t, column)
    if found is None:
        return None
    least = found.cycles / clock_ghz
    return found._asdict() | {"ns": round(least, 3), "times": round(ns / least, 2)}
