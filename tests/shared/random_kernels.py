"""Random modules of kernels: what they share, in any order, with dead branches, bools, tuples, loops, early returns.

Each module has kernels of two words `a` and `b` and an array of signed numbers `x`, and entries that call several of
them. The source is what a user would write, and `plain_words` evaluates it without the compiler. An entry writes a row
of words for each pair.

Some expressions that the compiler should refuse are generated, too: words that meet numbers that may be negative, and
variables that may be unset. An entry whose kernels have one does not compile.
"""

import random
import sys
import tempfile
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from kernel_modules import HEADER, imported
from plain_words import MASK, Array, Undefined, evaluated

CONSTANTS: Final = """
TABLE = (0xFF, 3, 1 << 63, 12)
STEPS = (-9, 7, 1)
HIGH = 0x8000_0000_0000_0000
ODD = 41


class Pair(NamedTuple):
    x: Any
    y: Any


CORNER = Pair(5, HIGH)


"""
# Numbers at which signs, carries and comparisons change.
VALUES: Final = (0, 1, 2, 3, 7, 63, 255, 1 << 31, (1 << 53) + 1, (1 << 63) - 1, 1 << 63, (1 << 63) + 5, (1 << 64) - 1)
_WORDS: Final = ("+", "-", "*", "&", "|", "^")
_COMPARISONS: Final = ("<", "<=", ">", ">=", "==", "!=")
_DECORATORS: Final = ("kernel", "kernel", "kernel", "called_kernel", "cold_kernel")


class Writer:
    """A generator of one module. Equal seeds give equal modules."""

    parameters = "a, b, x"  # of kernels
    header = HEADER + CONSTANTS

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._kernels: list[str] = []  # of a and b and x, which return a word
        self._pairs: list[str] = []  # the same, which return a tuple
        self._words: list[str] = []  # the variables of the function that is being written
        self._signed: list[str] = []
        self._returns_pair = False

    def module(self, kernels: int, entries: int) -> str:
        """Return the source of a module with `entries` entries, named ``run0`` and so on."""
        written = [self._kernel(f"f{number}") for number in range(kernels)]
        written += [self._entry(f"run{number}") for number in range(entries)]
        return "\n".join([self.header, *written])

    def _chance(self, share: float) -> bool:
        return self._random.random() < share

    def _pick(self, *options: str) -> str:
        return self._random.choice(options)

    def _kernel(self, name: str) -> str:
        self._words, self._signed = ["a", "b"], []
        self._returns_pair = returns_pair = self._chance(0.2)
        lines = self._body(1, self._random.randrange(1, 5))
        result = self._word(2)
        if returns_pair:
            result = f"{self._pick('', 'Pair')}({result}, {self._word(1)})"
        body = "\n".join(f"    {line}" for line in [*lines, f"return {result}"])
        (self._pairs if returns_pair else self._kernels).append(name)
        return f"@{self._pick(*_DECORATORS)}\ndef {name}({self.parameters}):\n{body}\n\n"

    def _entry(self, name: str) -> str:
        calls = [self._call("a[i]", "b[i]") for _ in range(self._random.randrange(1, 4))]
        total = calls[0]
        for call in calls[1:]:
            total = f"{total} {self._pick('+', '^', '-', '|')} {call}"
        store = f"        out[i] = {total}"
        return f"@entry\ndef {name}({self.parameters}, out):\n    for i in range(a.size):\n{store}\n\n"

    def _call(self, first: str, second: str) -> str:
        names = self._kernels + self._pairs
        if not names:
            return first
        name = self._random.choice(names)
        call = f"{name}({first}, {second}{self.parameters.removeprefix('a, b')})"
        return f"{call}[{self._pick('0', '1')}]" if name in self._pairs else call

    def _body(self, depth: int, length: int) -> list[str]:
        """Return statements. Variables that only a branch or a loop sets are not read behind it."""
        lines: list[str] = []
        for _ in range(length):
            lines += self._statement(depth)
        return lines

    def _indented(self, depth: int, length: int) -> list[str]:
        words, signed = [*self._words], [*self._signed]
        lines = [f"    {line}" for line in self._body(depth + 1, length)]
        self._words, self._signed = words, signed
        return lines

    def _statement(self, depth: int) -> list[str]:
        kind = self._random.random()
        if kind < 0.3:
            name = f"w{len(self._words)}"
            line = f"{name} = {self._set_word()}"
            self._words.append(name)
            return [line]
        if kind < 0.45:
            name = self._pick(*self._words)
            return [f"{name} {self._pick(*_WORDS)}= {self._operand()}"]
        if kind < 0.53:
            name = f"n{len(self._signed)}_{depth}"
            line = f"{name} = {self._number()}"
            self._signed.append(name)
            return [line]
        if kind < 0.6:
            first, second = self._pick(*self._words), self._pick(*self._words)
            return [f"{first}, {second} = {self._word(1)}, {self._word(1)}"] if first != second else []
        if depth > 2:
            return []
        if kind < 0.8:
            lines = [f"if {self._condition()}:", *(self._indented(depth, 2) or ["    b += 1"])]
            if self._chance(0.3) and not self._returns_pair:  # which has another type
                lines.append(f"    return a {self._pick(*_WORDS)} {self._word(1)}")
            if self._chance(0.4):
                lines += ["else:", *self._indented(depth, 1), "    a ^= 1"]
            return lines
        return self._loop(depth)

    def _loop(self, depth: int) -> list[str]:
        name = f"i{depth}"
        n = self._pick("x.size", "len(x)", "x.shape[0]")
        head, is_signed = self._random.choice(
            [
                (f"range({n})", True),
                (f"range(1, {n})", True),
                (f"range(0, {n} - 5)", True),
                (f"range({n} - 1, -1, -1)", True),
                (f"range({n}, 0, -1)", True),
                (f"range({self._random.randrange(6)})", False),
                (f"range(5, {self._random.randrange(5)}, -2)", True),
                (f"range({self._pick(*self._words)} & 3, {n})", False),
                (f"range({self._pick(*self._words)} & 7)", False),
            ]
        )
        (self._signed if is_signed else self._words).append(name)
        body = self._indented(depth, self._random.randrange(1, 3))
        target = self._pick(*(w for w in self._words if not w.startswith("i")))
        body.append(f"    {target} = ({target} * 31) {self._pick(*_WORDS)} {name}")
        if self._chance(0.2):
            body += [f"    if {self._condition()}:", f"        {self._pick('break', 'continue')}"]
        self._words, self._signed = ([v for v in kept if v != name] for kept in (self._words, self._signed))
        return [f"for {name} in {head}:", *body]

    def _condition(self) -> str:
        kind = self._random.random()
        if kind < 0.15:
            return self._pick("a > 0xFFFF_FFFF_FFFF_FFFF", "a < 0", "b != b", "len(x) > 99")  # never
        if kind < 0.25:
            return f"not {self._pick(*self._words)}"
        if kind < 0.35:
            return f"{self._comparison()} {self._pick('and', 'or')} {self._comparison()}"
        if kind < 0.45:
            return f"{self._pick(*self._words)} {self._pick('in', 'not in')} (3, HIGH, 7)"
        return self._comparison()

    def _comparison(self) -> str:
        left, right = self._word(1), self._operand()
        if self._chance(0.2):
            left = self._number()
        return f"{left} {self._pick(*_COMPARISONS)} {right}"

    def _set_word(self) -> str:
        """Return an expression that is a word, and not a literal alone, which would be signed beside a length."""
        word = self._word(2)
        return f"U64({word})" if word.isalnum() or "." in word or word.startswith("TABLE") else word

    def _word(self, depth: int) -> str:
        """Return an expression that is a word in compiled code."""
        kind = self._random.random()
        if depth <= 0 or kind < 0.2:
            return self._pick(*self._words)
        if kind < 0.55:
            pair = [self._word(depth - 1), self._operand()]
            self._random.shuffle(pair)
            return f"({pair[0]} {self._pick(*_WORDS)} {pair[1]})"
        if kind < 0.62:
            return f"({self._word(depth - 1)} {self._pick('<<', '>>')} {self._random.randrange(64)})"
        if kind < 0.68:
            return f"({self._word(depth - 1)} {self._pick('<<', '>>')} ({self._pick(*self._words)} & 63))"
        if kind < 0.75:
            return f"({self._word(depth - 1)} {self._pick('//', '%')} ({self._word(depth - 1)} | 1))"
        if kind < 0.8:
            return f"({self._word(depth - 1)} if {self._comparison()} else {self._word(depth - 1)})"
        if kind < 0.84:
            return f"{self._pick('min', 'max')}({self._word(depth - 1)}, {self._word(depth - 1)})"
        if kind < 0.88:
            return f"({self._pick('~', '-')}{self._word(depth - 1)})"
        if kind < 0.9:
            return f"divmod({self._word(depth - 1)}, {self._word(depth - 1)} | 1)[{self._pick('0', '1')}]"
        if kind < 0.92:
            return f"(({self._comparison()}) << ({self._pick(*self._words)} & 63))"
        return self._call(self._word(depth - 1), self._word(depth - 1))

    def _operand(self) -> str:
        """Return what a word meets: another one, a constant, a bool, or a signed number that is never negative."""
        kind = self._random.random()
        if kind < 0.4:
            return self._pick(*self._words)
        if kind < 0.55:
            return str(self._pick("1", "3", "ODD", "HIGH", "0xFF", "TABLE[0]", "TABLE[3]", "TABLE[b & 3]", "CORNER.x"))
        if kind < 0.7:
            return f"({self._comparison()})" if self._chance(0.5) else f"({self._pick(*self._words)} > b)"
        if kind < 0.78:
            return self._pick("True", "False", "int(a > b)", "len(x)", "x.size", "len((1, 2, 3))", "STEPS[1]")
        if kind < 0.82:
            return self._pick("STEPS[0]", "-1", "~7") if self._chance(0.5) else "(x.size + len(x))"
        if kind < 0.824:
            return self._number()  # refused, unless the compiler sees that it is never negative
        return self._word(1)

    def _number(self) -> str:
        """Return an expression that is a signed number in compiled code."""
        number = self._pick("len(x)", "x.size", "np.int64(7)", "x[1]", *self._signed)
        if self._chance(0.5):
            sign = self._pick("+", "-", "*", "//", "%", "&", "|", "^")
            number = f"({number} {sign} {self._pick('3', '5', 'ODD', 'len(x)')})"
        return number


class Checked(NamedTuple):
    """What the entries of some modules did."""

    right: int
    refused: list[str]  # where, and why
    wrong: list[str]


NUMBERS: Final = (1, -2, 3)  # the array x
PAIRS: Final = 30


def _pairs(seed: int) -> list[tuple[int, int]]:
    chosen = random.Random(seed)
    return [(chosen.choice(VALUES), chosen.choice(VALUES)) for _ in range(PAIRS)]


def _difference(entry: Any, plain: Any, pairs: list[tuple[int, int]]) -> str:
    """Return how an entry differs from its evaluation in plain Python, or an empty text."""
    a, b = (np.array([pair[k] for pair in pairs], np.uint64) for k in range(2))
    out = np.zeros(len(pairs), np.uint64)
    entry(a, b, np.array(NUMBERS), out)
    for place, (first, second) in enumerate(pairs):
        expected = Array([0])
        try:
            plain(Array([first]), Array([second]), Array(NUMBERS, int), expected)
        except Undefined:
            continue
        if int(out[place]) != int(expected[0]) & MASK:
            return f"{int(out[place]):#x} instead of {int(expected[0]):#x} for {first:#x}, {second:#x}"
    return ""


def _reason(error: Exception) -> str:
    """Return the line of an error that says why a kernel is refused, or all of it."""
    own = ("convert one", "not set on every path", "a shift by", "makes a word", "an exponent")
    return next((line.strip() for line in str(error).split("\n") if any(part in line for part in own)), str(error))


def check(seeds: range, kernels: int, entries: int, folder: Path) -> Checked:
    """Compare the entries of one random module for each seed with their evaluation in plain Python."""
    from numba.core.errors import NumbaError

    right, refused, wrong = 0, [], []
    for seed in seeds:
        source = Writer(seed).module(kernels, entries)
        plain = evaluated(source)
        with imported(source, folder, f"random_kernels_{seed}") as module:
            for number in range(entries):
                print(f"seed {seed}, entry {number}", flush=True)  # if the process dies, this was it
                name = f"run{number}"
                try:
                    difference = _difference(getattr(module, name), plain[name], _pairs(seed))
                except NumbaError as error:
                    refused.append(f"seed {seed}, {name}: {_reason(error)}")
                    continue
                except Exception as error:
                    difference = f"{type(error).__name__}: {error}"
                if difference:
                    wrong.append(f"seed {seed}, {name}: {difference}")
                else:
                    right += 1
    return Checked(right, refused, wrong)


def main() -> None:
    """Check modules with the seeds from the first argument to the second, with kernels and entries as many as given."""
    first, last, kernels, entries = map(int, sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        checked = check(range(first, last), kernels, entries, Path(folder))
    for kind, lines in (("refused", checked.refused), ("wrong", checked.wrong)):
        for line in lines:
            print(f"{kind}: {line}")
    print(f"{checked.right} right, {len(checked.refused)} refused, {len(checked.wrong)} wrong")


if __name__ == "__main__":
    main()
