"""The cost of a look-up, read from its machine code: instructions, and the bytes that they read from memory."""

from typing import NamedTuple

from rookery.bench.uses.loop_code import instructions
from rookery.bench.uses.loops import one_look_up
from rookery.kernel import U64
from rookery.techniques.base import Technique
from rookery.techniques.base.protocol import QUESTIONS, prepare


class Cost(NamedTuple):
    """The instructions of one look-up of a queen in compiled code, the values that they load, and their bytes.

    The stack, where the arguments are, does not count. In a loop that walks, such as that of `rays`, each instruction
    counts once: `loops` says that there is one.
    """

    instructions: int
    loads: int
    bytes: int
    loops: bool


def cost(t: Technique) -> Cost:
    """Compile a single look-up of a queen anew and count its instructions. The occupancy has been prepared before."""
    state = prepare(U64(0), t.tables())
    return counted(one_look_up.assembly(QUESTIONS["queen"], U64(0), state, t.tables()))


def counted(assembly: str) -> Cost:
    """Count the instructions of the first function in machine code."""
    seen: set[str] = set()
    number = loads = loaded = 0
    loops = False
    for item in instructions(assembly):
        if isinstance(item, str):
            seen.add(item)
            continue
        number += 1
        loads += item.loads
        loaded += item.loaded_bytes
        loops = loops or item.jumps_to in seen
    return Cost(number, loads, loaded, loops)
