"""Random kernels with all that the compiler takes: arrays of several types, tuples, loops over either, instructions.

Besides `a`, `b` and `x`, which those of `random_kernels` have, kernels get `m`, a tuple of arrays that they also write.
"""

import random
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from plain_words import MASK, Array, Rows, Undefined, Word, evaluated, signed_of, unsigned_of
from random_kernels import CONSTANTS, VALUES, Writer

INSTRUCTIONS: Final[dict[str, Callable[[int], int]]] = {
    "popcount": int.bit_count,
    "trailing_zeros": lambda n: (n & -n).bit_length() - 1 if n else 64,
    "leading_zeros": lambda n: 64 - n.bit_length(),
    "byteswap": lambda n: int.from_bytes(n.to_bytes(8, "big"), "little"),
    "bitreverse": lambda n: int(f"{n:064b}"[::-1], 2),
}
HEADER: Final = f"""\
from typing import Any, NamedTuple

import numpy as np

from rookery.kernel import U64, called_kernel, cold_kernel, entry, kernel, signed
from rookery.kernel import {", ".join(INSTRUCTIONS)}


class Memory(NamedTuple):
    bytes: Any
    small: Any
    narrow: Any
    flags: Any
    rows: Any


"""
# The dtypes of its arrays, and their numbers.
MEMORY: Final[dict[str, tuple[Any, list[Any]]]] = {
    "bytes": (np.uint8, [0, 1, 7, 63, 127, 128, 200, 255]),
    "small": (np.int16, [-(1 << 15), -1, 0, (1 << 15) - 1]),
    "narrow": (np.uint32, [0, 5, 1 << 31, (1 << 32) - 1]),
    "flags": (np.bool_, [True, False, False, True]),
    "rows": (np.uint64, [[0, MASK], [1, 2], [3, 1 << 63], [7, 1 << 32]]),
}
_KINDS: Final[dict[Any, Callable[[Any], Any]]] = {
    np.uint8: unsigned_of(8),
    np.int16: signed_of(16),
    np.uint32: unsigned_of(32),
    np.bool_: bool,
}
NUMBERS: Final = (1, -2, 3)  # the array x


class WideWriter(Writer):
    """A generator of such modules."""

    parameters = "a, b, x, m"
    header = HEADER + CONSTANTS

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._tuples: list[str] = []  # variables, of three words each
        self._depth = 0  # of loops

    def _kernel(self, name: str) -> str:
        self._tuples = []
        return super()._kernel(name)

    def _indented(self, depth: int, length: int) -> list[str]:
        kept = [*self._tuples]
        lines = super()._indented(depth, length)
        self._tuples = kept
        return lines

    def _any(self) -> str:
        return self._pick(*self._words)

    def _element(self) -> str:
        """Return an element of an array that is a word in compiled code."""
        w = self._any()
        return self._pick(
            f"m.bytes[{w} & 7]",
            f"m.narrow[{w} & 3]",
            f"m.rows[{w} & 3, {self._any()} & 1]",
            f"m.rows[{w} & 3][{self._any()} & 1]",
            f"m.bytes[2:6][{w} & 3]",
            f"m.bytes[{w} & 3 :][{self._any()} & 3]",
        )

    def _word(self, depth: int) -> str:
        if depth <= 0 or not self._chance(0.35):
            return super()._word(depth)
        one, two = self._word(depth - 1), self._word(depth - 1)
        return self._pick(
            self._element(),
            f"U64({self._element()})",
            f"U64(m.flags[{self._any()} & 3])",
            f"np.uint8({one})",
            f"np.uint32({one})",
            f"({one}, {two}, {self._any()})[{self._pick('0', '1', '-1')}]",
            f"({one}, {two})[{self._any()} & 1]",
            f"({one} {self._pick('and', 'or')} {two})",
            f"({one} ** {self._pick('0', '1', '2', '3', '5', f'({self._any()} & 7)')})",
            f"pow({one}, 3)",
            f"abs({one})",
            f"({one} {self._pick('//', '%')} {self._any()})",
            f"{self._pick(*INSTRUCTIONS)}({one})",
            f"Pair({one}, {two}).{self._pick('x', 'y')}",
            f"(({one}, {two}) + ({self._any()},))[2]",
            *([f"{self._pick(*self._tuples)}[{self._pick('0', '1', '2', '-1')}]"] if self._tuples else []),
            *([f"{self._pick(*self._tuples)}[1:][{self._any()} & 1]"] if self._tuples else []),
        )

    def _operand(self) -> str:
        if not self._chance(0.25):
            return super()._operand()
        return self._pick(
            self._element(),
            f"m.flags[{self._any()} & 3]",
            "len(m.bytes)",
            "m.rows.shape[1]",
            f"len(m.bytes[{self._any()} & 7 :])",
            f"(x[{self._any()} & 1] & 5)",
            "HIGH" if self._chance(0.5) else "STEPS[2]",
        )

    def _number(self) -> str:
        if not self._chance(0.4):
            return super()._number()
        number = super()._number()
        return self._pick(
            f"m.small[{self._any()} & 3]",
            f"x[{self._any()} & 1]",
            f"np.int8({number})",
            f"np.int16({self._any()})",
            f"np.int64({self._any()})",
            f"(-{number})",
            f"(~{number})",
            f"abs({number})",
            f"min({number}, np.int64(5))",
            f"max({number}, {number})",
            f"({number} {self._pick('//', '%')} {self._pick('-3', '7', 'STEPS[0]')})",
            f"({number} >> {self._random.randrange(64)})",
            f"divmod({number}, {self._pick('-5', '3')})[{self._pick('0', '1')}]",
            f"int(m.flags[{self._any()} & 3])",
        )

    def _condition(self) -> str:
        if not self._chance(0.3):
            return super()._condition()
        return self._pick(
            f"m.flags[{self._any()} & 3]",
            f"{self._any()} {self._pick('<', '<=', '!=')} {self._word(1)} {self._pick('>', '<=', '==')} {self._any()}",
            f"not ({self._comparison()})",
            f"bool({self._word(1)})",
            f"{self._number()} {self._pick('in', 'not in')} (0, -1, 3)",
            f"{self._number()} {self._pick('<', '>=', '==')} {self._number()}",
            f"({self._comparison()}) {self._pick('&', '|', '^', '==', '!=')} ({self._comparison()})",
        )

    def _statement(self, depth: int) -> list[str]:
        if not self._chance(0.4):
            return super()._statement(depth)
        w = self._any()
        store = self._pick(
            f"m.bytes[{w} & 7] = {self._word(2)}",
            f"m.bytes[{w} & 7] {self._pick('+', '-', '^', '|', '&')}= {self._word(1)}",
            f"m.small[{w} & 3] = {self._number()}",
            f"m.narrow[{w} & 3] = {self._word(1)}",
            f"m.flags[{w} & 3] = {self._comparison()}",
            f"m.rows[{w} & 3, {self._any()} & 1] {self._pick('+', '*', '^')}= {self._word(2)}",
            f"m.rows[{w} & 3][{self._any()} & 1] = {self._word(1)}",
            f"x[{w} & 1] = {self._number()}",
            f"m.bytes[{self._pick('2:5', ':3', '5:', f'{w} & 7 :')}] = {self._word(1)}",
            "pass",
        )
        kind = self._random.random()
        if kind < 0.35:
            return [store]
        if kind < 0.45:
            name = f"t{len(self._tuples)}_{depth}"
            line = f"{name} = ({self._word(1)}, {self._word(1)}, {self._word(1)})"
            self._tuples.append(name)
            return [line]
        if kind < 0.5:
            name = f"w{len(self._words)}"
            line = f"{name}: Any = {self._set_word()}"
            self._words.append(name)
            return [line]
        if depth > 2 or self._depth > 1:
            return [store]
        if kind < 0.65:
            return self._branches(depth)
        self._depth += 1
        lines = self._while(depth) if kind < 0.8 else self._for_each(depth)
        self._depth -= 1
        return lines

    def _branches(self, depth: int) -> list[str]:
        lines = [f"if {self._condition()}:", *(self._indented(depth, 2) or ["    pass"])]
        lines += [f"elif {self._condition()}:", *(self._indented(depth, 1) or ["    pass"])]
        if self._chance(0.5):
            lines += ["else:", "    a += 1", *self._indented(depth, 1)]
        return lines

    def _while(self, depth: int) -> list[str]:
        name = f"k{depth}_{self._random.randrange(100)}"
        body = [f"    {name} -= 1", *self._indented(depth, 2)]
        if self._chance(0.3):
            body += [f"    if {self._condition()}:", f"        {self._leave()}"]
        head = f"while {name} > 0 and ({self._condition()}):" if self._chance(0.5) else f"while {name}:"
        lines = [f"{name} = U64({self._any()} & 7)", head, *body]
        return [*lines, "else:", "    b ^= 3"] if self._chance(0.2) else lines

    def _leave(self) -> str:
        if self._returns_pair or self._chance(0.6):
            return self._pick("break", "continue")
        return f"return a ^ {self._word(1)}"

    def _for_each(self, depth: int) -> list[str]:
        name, place = f"v{depth}", f"i{depth}"
        over, is_word = self._random.choice(
            [
                ("m.bytes", True),
                ("m.small", False),
                ("m.rows[a & 3]", True),
                ("m.bytes[2:5]", True),
                ("x", False),
                (f"({self._any()}, {self._any()})", True),
                *([(self._pick(*self._tuples), True)] if self._tuples else []),
            ]
        )
        is_numbered = self._chance(0.3)
        head = f"for {place}, {name} in enumerate({over}):" if is_numbered else f"for {name} in {over}:"
        words, signed = [*self._words], [*self._signed]
        (self._words if is_word else self._signed).append(name)
        if is_numbered:
            self._signed.append(place)
        body = self._indented(depth, 2)
        if self._chance(0.3):
            body += [f"    if {self._condition()}:", f"        {self._leave()}"]
        self._words, self._signed = words, signed
        lines = [head, "    b += 1", *body]
        return [*lines, "else:", "    a ^= 5"] if self._chance(0.2) else lines


def _compiled_memory(cls: Any) -> Any:
    return cls(*(np.array(values, dtype) for dtype, values in MEMORY.values()))


def _plain_memory(cls: Any) -> Any:
    made = [
        Rows([Array(row) for row in values]) if dtype is np.uint64 else Array(values, _KINDS[dtype])
        for dtype, values in MEMORY.values()
    ]
    return cls(*made)


def examples(module: Any) -> tuple[Any, ...]:
    """Return arguments of an entry, of which the types matter."""
    words = np.zeros(1, np.uint64)
    return words, words.copy(), np.array(NUMBERS), _compiled_memory(module.Memory), words.copy()


def difference(source: str, module: Any, name: str, code: Callable[..., Any], pairs: int, seed: int) -> str:
    """Return how machine code differs from the source's evaluation in plain Python, or an empty text."""
    instructions = {
        name: lambda number, function=function: Word(function(int(number) & MASK))
        for name, function in INSTRUCTIONS.items()
    }
    names = evaluated(source, **instructions)
    chosen = random.Random(seed)
    for _ in range(pairs):
        first, second = chosen.choice(VALUES), chosen.choice(VALUES)
        arguments = examples(module)
        arguments[0][0], arguments[1][0] = first, second
        expected = Array([first]), Array([second]), Array(NUMBERS, int), _plain_memory(names["Memory"]), Array([0])
        try:
            names[name](*expected)
        except Undefined:
            continue
        code(*arguments)
        got = [arguments[4], arguments[2], *arguments[3][:4], *arguments[3].rows]
        wanted = [expected[4], expected[2], *expected[3][:4], *expected[3].rows.rows]
        for what, left, right in zip(("out", "x", *MEMORY, "rows", "rows", "rows"), got, wanted, strict=True):
            if left.tolist() != [*map(type(left.tolist()[0]), right)]:
                return f"{what}: {left.tolist()} instead of {[*right]} for {first:#x}, {second:#x}"
    return ""
