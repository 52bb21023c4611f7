"""An interpreter of PTX, one thread at a time: it runs what nvcc compiles where there is no device.

The meaning of each instruction is that of NVIDIA's PTX ISA. Kernels become Python functions; an instruction that is not
listed is an error.
"""

import re
from collections.abc import Callable
from typing import Any

_TABLE = re.compile(r"^\.(?:const|global) \.align \d+ \.b8 (\w+)\[(\d+)\](?: = \{([\d, ]*)\})?;", re.MULTILINE)
_KERNEL = re.compile(r"\.entry (\w+)\(?(.*?)\n\{(.*?)\n\}", re.DOTALL)
_COMPARED = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_JOINED = {"and": "&", "or": "|", "xor": "^"}


def signed(x: int, bits: int) -> int:
    return x - (1 << bits) if x >> (bits - 1) else x


def prmt(a: int, b: int, selector: int) -> int:
    source = (b << 32 | a).to_bytes(8, "little")
    picked = [selector >> 4 * i & 15 for i in range(4)]
    assert max(picked) < 8, "replicated signs are not interpreted"
    return int.from_bytes(bytes(source[i] for i in picked), "little")


def bfi(a: int, b: int, position: int, length: int, bits: int) -> int:
    mask = ((1 << length) - 1 << position) & (1 << bits) - 1
    return b & ~mask | a << position & mask


class Module:
    """A file of PTX with its memory; addresses are places in `memory`."""

    def __init__(self, text: str) -> None:
        self.memory = bytearray(64)  # nothing is at address 0
        self.symbols: dict[str, int] = {}
        for name, size, values in _TABLE.findall(text):
            self.symbols[name] = self.place(bytes(map(int, values.split(","))) if values else b"", int(size))
        self.kernels = {m[1]: self.translated(m[2], m[3]) for m in _KERNEL.finditer(text)}

    def place(self, data: bytes, size: int = 0) -> int:
        """Add data to the memory, and return its address."""
        address = len(self.memory)
        self.memory += data.ljust(max(size, len(data)), b"\0") + bytes(-max(size, len(data)) % 8)
        return address

    def load(self, address: int, size: int) -> int:
        assert 64 <= address <= len(self.memory) - size
        return int.from_bytes(self.memory[address : address + size], "little")

    def store(self, address: int, size: int, value: int) -> None:
        assert 64 <= address <= len(self.memory) - size
        self.memory[address : address + size] = value.to_bytes(size, "little")

    def run(self, kernel: str, arguments: tuple[int, ...], block: int, blocks: int, thread: int, threads: int) -> None:
        """Run one thread of the kernel whose mangled name has this part."""
        (function,) = (f for name, f in self.kernels.items() if kernel in name)
        function(arguments, {"tid": thread, "ntid": threads, "ctaid": block, "nctaid": blocks})

    def translated(self, head: str, body: str) -> Callable[..., None]:
        parameters = re.findall(r"\.param \.u64 (\w+)", head)
        blocks: list[list[str]] = [[]]
        labels: dict[str, int] = {}
        for line in map(str.strip, body.splitlines()):
            if label := re.fullmatch(r"(\$\w+):", line):
                blocks.append([])
                labels[label[1]] = len(blocks) - 1
            elif line and not line.startswith(
                (".reg", ".pragma", "//", "{", "}")
            ):  # braces only limit the scope of registers
                blocks[-1].append(line.rstrip(";"))
                if re.search(r"\b(bra|ret)\b", line):
                    blocks.append([])
        lines = ["def kernel(arguments, special):", "    at = 0", "    while True:"]
        for i, block in enumerate(blocks):
            lines.append(f"        if at == {i}:")
            for line in block:
                lines += [f"            {part}" for part in self.statement(line, labels, parameters)]
            lines.append(f"            at = {i + 1}")
        names: dict[str, Any] = {"load": self.load, "store": self.store, "prmt": prmt, "bfi": bfi, "signed": signed}
        exec("\n".join(lines), names)
        kernel: Callable[..., None] = names["kernel"]
        return kernel

    def operand(self, text: str) -> str:
        """Return an operand as Python: a register, a special register, a number, or the address of a table."""
        if special := re.fullmatch(r"%(n?tid|n?ctaid)\.x", text):
            return f"special['{special[1]}']"
        if text.startswith("%"):
            return text[1:]
        return f"({text})" if re.fullmatch(r"-?\d+", text) else str(self.symbols[text])

    def statement(self, line: str, labels: dict[str, int], parameters: list[str]) -> list[str]:
        found = re.fullmatch(r"(?:@(!?)%(p\d+)\s+)?([\w.]+)\s*(.*)", line)
        assert found, line
        inverted, predicate, opcode, rest = found.groups()
        name, *suffixes = opcode.split(".")
        if name == "bra":
            jump = f"at = {labels[rest]}; continue"
            return [f"if {'not ' if inverted else ''}{predicate}: {jump}"] if predicate else [jump]
        assert not predicate, line
        if name == "ret":
            return ["return"]
        parts = [part.strip() for part in rest.split(",")]
        kind = suffixes[-1]
        bits = 1 if kind == "pred" else int(kind[1:])
        if name == "ld" and suffixes[0] == "param":
            return [f"{self.operand(parts[0])} = arguments[{parameters.index(parts[1].strip('[]'))}]"]
        if name in ("ld", "st"):
            place, value = (parts[1], parts[0]) if name == "ld" else (parts[0], parts[1])
            base, sign, offset = place.strip("[]").partition("+")
            address = f"{self.operand(base)}{sign}{offset}"
            value = self.operand(value)
            if name == "st":
                return [f"store({address}, {bits // 8}, {value} % {1 << bits})"]
            return [f"{value} = load({address}, {bits // 8})"]
        target, *sources = map(self.operand, parts)
        if name == "setp":
            left, right = (self.value(s, bits, kind[0] == "s") for s in sources)
            return [f"{target} = {left} {_COMPARED[suffixes[0]]} {right}"]
        return [f"{target} = {self.computed(name, suffixes, bits, sources, line)}"]

    def value(self, source: str, bits: int, is_signed: bool) -> str:
        return f"signed({source} % {1 << bits}, {bits})" if is_signed else f"({source} % {1 << bits})"

    def computed(self, name: str, suffixes: list[str], bits: int, sources: list[str], line: str) -> str:
        a, b, c, d = (*sources, "", "", "", "")[:4]
        x = self.value(a, bits, suffixes[-1][0] == "s" and name in ("shr", "max", "min"))
        y = self.value(b, bits, suffixes[-1][0] == "s" and name in ("max", "min")) if b else ""
        wrapped = f"% {1 << bits}"
        match name, suffixes[0]:
            case "mov" | "cvta" | "cvt", _:  # a conversion only widens or cuts words without a sign
                assert all(s[0] in "utgbp" for s in suffixes), line
                from_bits = int(suffixes[-1][1:]) if name == "cvt" else bits
                return f"{a} % {1 << min(from_bits, int(suffixes[0][1:]))}" if name == "cvt" else f"{a} {wrapped}"
            case (("and" | "or" | "xor"), _):
                return f"{x} {_JOINED[name]} {y}"
            case (("add" | "sub"), _):
                return f"({x} {'+' if name == 'add' else '-'} {y}) {wrapped}"
            case "mul", "lo":
                return f"{x} * {y} {wrapped}"
            case "mul", "wide" if suffixes[1][0] == "u":
                return f"{x} * {y}"
            case "mul", "hi" if suffixes[1] == "u64":
                return f"{x} * {y} >> 64"
            case "neg", _:
                return f"-{x} {wrapped}"
            case "not", _:
                return f"{x} ^ {(1 << bits) - 1}"
            case "shl", _:  # amounts over the width count as the width
                return f"({x} << min({b}, {bits})) {wrapped}"
            case "shr", _:
                return f"({x} >> min({b}, {bits})) {wrapped}"
            case (("max" | "min"), _):
                return f"{name}({x}, {y}) {wrapped}"
            case "selp", _:
                return f"{x} if {c} else {y}"
            case "brev", _:
                return f"int(format({x}, '0{bits}b')[::-1], 2)"
            case "clz", _:
                return f"{bits} - ({x}).bit_length()"
            case "popc", _:
                return f"({x}).bit_count()"
            case (("rem" | "div"), _) if suffixes[0][0] == "u":
                return f"{x} {'%' if name == 'rem' else '//'} {y}"
            case "prmt", _:
                return f"prmt({x}, {y}, {c})"
            case "bfi", _:
                return f"bfi({x}, {y}, {c}, {d}, {bits})"
        raise NotImplementedError(line)
