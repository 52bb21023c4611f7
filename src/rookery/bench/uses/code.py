"""What a look-up costs, read from its machine code: instructions and memory operands."""

import re
from typing import NamedTuple

from rookery.bench.uses.loops import one_look_up
from rookery.kernel import U64
from rookery.protocol import QUESTIONS, prepare
from rookery.technique import Technique

_INSTRUCTION = re.compile(r"^\t[a-z]\w*")
_MEMORY = re.compile(r"\(%|\(,%")
_JUMP_BACK = re.compile(r"^\tj[a-z]+\t(\.L\w+)")


class Cost(NamedTuple):
    """The instructions of one look-up of a queen in compiled code, and how many of them read memory.

    In a loop that walks, such as that of `rays`, each instruction counts once: `loops` says that there is one.
    """

    instructions: int
    loads: int
    loops: bool


def cost(t: Technique) -> Cost:
    """Compile a single look-up of a queen anew and count its instructions. The occupancy has been prepared before."""
    state = prepare(U64(0), t.tables())
    return counted(one_look_up.assembly(QUESTIONS["queen"], U64(0), state, t.tables()))


def counted(assembly: str) -> Cost:
    """Count the instructions of the first function in machine code."""
    seen: set[str] = set()
    instructions = loads = 0
    loops = False
    for line in assembly.splitlines():
        if line.startswith(".Lfunc_end"):
            break
        if line.startswith(".L"):
            seen.add(line.split(":")[0])
        elif _INSTRUCTION.match(line):
            instructions += 1
            loads += bool(_MEMORY.search(line)) and not line.lstrip().startswith("lea")
            jump = _JUMP_BACK.match(line)
            loops = loops or bool(jump and jump[1] in seen)
    return Cost(instructions, loads, loops)
