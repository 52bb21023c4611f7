"""The instructions of a function in x86-64 machine code and of its innermost loops, with the registers they use."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_LINE: Final = re.compile(r"^\t([a-z]\w*)(?:\t(.*))?$")
_COMMENT: Final = re.compile(r"\s+#.*$")
_OPERANDS: Final = re.compile(r",\s*(?![^(]*\))")
_REGISTER: Final = re.compile(r"%(\w+)")
_IMMEDIATE: Final = re.compile(r"\$(-?\d+)$")
_ADDED: Final = re.compile(r"(-?\d+)\(%\w+\)$")
_STACK: Final = re.compile(r"\(%r[sb]p\)")

# Instructions that only write their last operand. Others read it, too, unless they have three operands.
_WRITES_ONLY: Final = re.compile(r"mov|lea|lzcnt|tzcnt|popcnt|set|vpbroadcast|vbroadcast|kmov|bls|rorx")
_READS_TARGET: Final = re.compile(r"vpternlog|vfn?m|vperm[it]2|vpgather|cmov")
_NO_TARGET: Final = re.compile(r"cmp|test|bt[lqw]?$|j|prefetch|vptest|vzero|nop|ret")
_KEEPS_FLAGS: Final = re.compile(r"v|mov|lea|rorx|s[ah][lr]x|pext|pdep|mulx|not|set|cmov|bswap|k|j|nop|prefetch")
_READS_FLAGS: Final = re.compile(r"j(?!mp)|cmov|set|adc|sbb")
_ZEROING: Final = re.compile(r"v?p?xor|v?p?sub")
_MULTIPLIES_RAX: Final = re.compile(r"(i?mul|i?div)[lq]?$")
_FUSES: Final = re.compile(r"cmp|test|add|sub|and|or|xor|inc|dec")
# Those that load less than their registers hold: zero-extension, insertion and broadcast of one element.
_ELEMENT: Final = re.compile(r"mov[zs]([bwl])|vpinsr([bwdq])|vmov([dq])$|vp?broadcast([bwdq])")
_WIDENING: Final = re.compile(r"vpmov[zs]x([bwd])([wdq])")
_SIZES: Final = {"b": 1, "w": 2, "l": 4, "d": 4, "q": 8}
_LEGACY: Final = {
    f"{prefix}{name}": name for name in ("ax", "bx", "cx", "dx", "si", "di", "bp", "sp") for prefix in ("", "e", "r")
} | {"al": "ax", "bl": "bx", "cl": "cx", "dl": "dx", "sil": "si", "dil": "di", "bpl": "bp", "ah": "ax", "dh": "dx"}
FLAGS: Final = "flags"


class LoopInstruction(NamedTuple):
    """An instruction: what it reads and writes, without the widths of the registers."""

    name: str
    reads: tuple[str, ...]  # registers whose values it needs, and a place on the stack
    address: tuple[str, ...]  # registers that make up the address of a value that it loads
    writes: tuple[str, ...]
    loads: int  # values that it loads from memory, other than from a known place on the stack
    loaded_bytes: int  # of these values
    bits: int  # of its vector registers; 0 for others
    stores: int  # bits that it stores, not counting the stack
    is_fused: bool  # with the jump that follows
    constant: int | None  # its first operand, if that is a number, or what LEA adds to a register
    jumps_to: str  # the label, if it is a jump


class MachineLoop(NamedTuple):
    """A loop without other jumps in it."""

    body: tuple[LoopInstruction, ...]

    @property
    def answers_stored(self) -> int:
        """Return the number of 64-bit words that one round stores to memory, not counting the stack."""
        return sum(i.stores for i in self.body) // 64

    @property
    def step(self) -> int:
        """Return how much one round changes the register that decides when the loop ends, or 0 if this is not known."""
        before = list(reversed(self.body[:-1]))
        last = next((i for i in before if FLAGS in i.writes), None)
        counted = {*last.reads, *last.writes} - {FLAGS} if last else set()
        for i in before:
            if counted & {*i.writes}:
                if i.name.startswith(("inc", "dec")):
                    return 1
                if i.name.startswith(("add", "sub", "lea")) and i.constant is not None:
                    return abs(i.constant)
                counted -= {*i.writes}  # the register held something else before
        return 0


def instructions(assembly: str) -> Iterator[LoopInstruction | str]:
    """Yield the instructions of the first function, and the labels between them as texts."""
    for line in _first_function(assembly):
        if line.startswith(".L"):
            yield line.split(":")[0]
        elif match := _LINE.match(line):
            yield _parsed(match[1], match[2] or "")


def loops(assembly: str) -> list[MachineLoop]:
    """Return the innermost loops of the first function that have no jumps but the last, back to the beginning."""
    found, label, body = [], "", list[LoopInstruction]()
    for item in instructions(assembly):
        if isinstance(item, str):
            label, body = item, []
        elif item.jumps_to or item.name.startswith("call"):
            if item.jumps_to == label:
                found.append(MachineLoop((*_fused(body), item)))
            label, body = "", []
        elif label:
            body.append(item)
    return found


def _first_function(assembly: str) -> Iterator[str]:
    for line in assembly.splitlines():
        if line.startswith(".Lfunc_end"):
            return
        yield _COMMENT.sub("", line)


def _fused(body: list[LoopInstruction]) -> list[LoopInstruction]:
    """Mark the last instruction if the CPU runs it together with the jump."""
    if body and _FUSES.match(body[-1].name):
        body[-1] = body[-1]._replace(is_fused=True)
    return body


def _register(name: str) -> str:
    """Return the name of a register without its width."""
    if name in _LEGACY:
        return _LEGACY[name]
    if match := re.fullmatch(r"[xyz]mm(\d+)", name):
        return f"v{match[1]}"
    if match := re.fullmatch(r"(r\d+)[bdw]?", name):
        return match[1]
    return name


def _registers(text: str) -> tuple[str, ...]:
    return tuple(_register(name) for name in _REGISTER.findall(text))


def _parsed(name: str, text: str) -> LoopInstruction:
    """Parse one instruction in AT&T's syntax: sources first, the target last."""
    operands = _OPERANDS.split(text) if text else []
    memory = [o for o in operands if "(" in o and not name.startswith("lea")]
    stack = [o for o in memory if _STACK.search(o)]
    target = operands[-1] if operands and not _NO_TARGET.match(name) else ""
    to_memory = target in memory if target else False
    is_move = "mov" in name and not name.startswith("cmov")
    bits = max((128 << "xyz".index(kind) for kind in re.findall(r"%([xyz])mm", text)), default=0)
    constant = (_ADDED if name.startswith("lea") else _IMMEDIATE).match(operands[0]) if operands else None

    masks = _registers(" ".join(re.findall(r"\{(%k\d)\}", text)))
    sources = [o for o in operands[:-1] if o not in memory] if target else [o for o in operands if o not in memory]
    reads = [*masks, *(r for o in sources for r in _registers(o))]
    if target and not to_memory:
        wide = len(operands) >= 3 and not _READS_TARGET.match(name)
        if masks or _READS_TARGET.match(name) or not (wide or _WRITES_ONLY.match(name) or name.startswith("v")):
            reads += _registers(target)
    writes = [*_registers(target)] if target and not to_memory else []
    loads_stack = [o for o in stack if not (to_memory and o == target and is_move)]
    reads += loads_stack
    if to_memory:
        writes += [o for o in stack if o == target]
    if _MULTIPLIES_RAX.match(name) and len(operands) == 1:
        reads, writes = [*reads, *_registers(operands[0]), "ax", "dx"], ["ax", "dx"]
    elif name.startswith("mulx"):
        reads, writes = [*(r for o in operands[:1] for r in _registers(o)), "dx"], [*_registers(" ".join(operands[1:]))]
    if _ZEROING.match(name) and len(operands) >= 2 and len(set(operands[:2])) == 1 and not memory:
        reads = []
    if _READS_FLAGS.match(name):
        reads.append(FLAGS)
    if not _KEEPS_FLAGS.match(name):
        writes.append(FLAGS)

    plain = [o for o in memory if o not in stack]
    is_store = to_memory and is_move
    lanes = (bits or 64) // 64 if "gather" in name else 1
    loads = lanes * sum(1 for o in plain if not (is_store and o == target))
    return LoopInstruction(
        name,
        tuple(reads),
        tuple(r for o in plain for r in _registers(o)),
        tuple(writes),
        loads,
        loads * (8 if lanes > 1 else _loaded_bytes(name, bits)),
        bits,
        _stored_bits(name, bits) if to_memory and target in plain else 0,
        False,
        int(constant[1]) if constant else None,
        text if name.startswith("j") else "",
    )


def _loaded_bytes(name: str, bits: int) -> int:
    """Return how many bytes an instruction loads with one value."""
    if match := _ELEMENT.match(name):
        return _SIZES[next(filter(None, match.groups()))]
    if match := _WIDENING.match(name):
        return bits // 8 * _SIZES[match[1]] // _SIZES[match[2]]
    if bits:
        return bits // 8
    return _SIZES.get(name[-1], 8)


def _stored_bits(name: str, bits: int) -> int:
    """Return how many bits a store writes."""
    if name in ("vmovq", "movq", "vmovlps", "vmovhps", "vmovlpd", "vmovhpd"):
        return 64
    if "extract" in name and name.endswith(("x2", "128")):
        return 128
    if "extract" in name and name.endswith("x4"):
        return 256
    if bits:
        return bits if "extr" not in name else 64
    return 64 if name.endswith("q") else 0
