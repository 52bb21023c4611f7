"""The questions: for what answer, from which inputs and with which operations a shortest program is searched."""

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from formulas import operations as ops
from formulas.cases import Cases, all_cases
from formulas.operations import Operation
from rookery.bitboards.lines import line_through
from rookery.kernel import U64, UNIVERSE, bitreverse, byteswap

Words = NDArray[np.uint64]


def _below(c: Cases) -> Words:
    return (U64(1) << c.squares) - U64(1)


def _constant(word: int) -> Callable[[Cases], Words]:
    return lambda c: np.full(len(c), word, U64)


def _mask(line: str) -> Callable[[Cases], Words]:
    table = np.array([int(line_through(line, sq)) for sq in range(64)], U64)
    return lambda c: table[c.squares.astype(np.int64)]


# The inputs by name. A mask for each square is a table of 512 bytes; r and its reverses follow from the square.
INPUTS: Final[dict[str, Callable[[Cases], Words]]] = {
    "occ": lambda c: c.occupied,
    "o": lambda c: c.occupied & c.lines,
    "with_r": lambda c: (c.occupied & c.lines) | (U64(1) << c.squares),
    "low": lambda c: c.occupied & c.lines & _below(c),
    "up": lambda c: c.occupied & c.lines & ~_below(c),
    "m": lambda c: c.lines,
    "m_low": lambda c: c.lines & _below(c),
    "m_up": lambda c: c.lines & ~_below(c),
    "r": lambda c: U64(1) << c.squares,
    "r_swapped": lambda c: byteswap(U64(1) << c.squares),
    "r_reversed": lambda c: bitreverse(U64(1) << c.squares),
    "below": _below,
    "one": _constant(1),
    "msb": _constant(1 << 63),
    "all_but_msb": _constant((1 << 63) - 1),
    **{name: _mask(name) for name in ("rank", "file", "diagonal", "antidiagonal")},
}
_TEXTS: Final = {"one": "1", "msb": "2**63", "all_but_msb": "(2**63 - 1)"}


class Question(NamedTuple):
    """A question for the search.

    `movers` are lines, rays or a piece: a program must be right for each of them, the masks being theirs. If
    `masked`, only the squares of the rays matter, as if the answer were masked at no cost. `known` is the number of
    operations of the shortest published formula with these inputs and operations, counted by hand, and
    `known_as` its name. A search goes up to `longest` operations.
    """

    name: str
    movers: tuple[str, ...]
    inputs: tuple[str, ...]
    operations: tuple[Operation, ...]
    longest: int
    masked: bool
    known: int
    known_as: str

    @property
    def names(self) -> tuple[str, ...]:
        """Return the inputs as formulas call them."""
        return tuple(_TEXTS.get(name, name) for name in self.inputs)

    def values(self, given: Cases) -> Words:
        """Return the inputs of cases: a row for each input."""
        return np.array([INPUTS[name](given) for name in self.inputs])

    def care(self, given: Cases) -> Words:
        """Return the bits that matter in each case."""
        return given.lines if self.masked else np.full(len(given), UNIVERSE, U64)

    def cases(self) -> Cases:
        """Return all cases of the proof."""
        return all_cases(self.movers)


LINES: Final = ("file", "rank", "diagonal", "antidiagonal")
FILES_AND_DIAGONALS: Final = ("file", "diagonal", "antidiagonal")
UPWARD: Final = ("nort", "noEa", "east", "noWe")

_SWAP: Final = ops.ARITHMETIC + ops.SWAP
_REVERSE: Final = ops.ARITHMETIC + ops.REVERSE
_SCAN: Final = ops.ARITHMETIC + ops.SCAN
_LANES: Final = ops.ARITHMETIC + ops.LANES
_BMI: Final = _SCAN + ops.LOWEST
# The names of the sets of operations, for tables.
OPERATIONS: Final = {
    ops.ARITHMETIC + ops.DOUBLE: "arithmetic, shift by 1",
    _SWAP: "arithmetic, byte swap",
    _REVERSE: "arithmetic, bit reversal",
    _SCAN: "arithmetic, zero counts, shifts",
    _BMI: "arithmetic, zero counts, shifts, BMI1",
    _LANES: "arithmetic, zero counts, shifts of lanes",
    ops.CPU: "all",
}
_RAY: Final = ops.ARITHMETIC + ops.DOUBLE
_ODS: Final = "obstruction-difference-short"
_HYPERBOLA: Final = "hyperbola"
_REVERSED: Final = "hyperbola-bitreverse"


def _one_line() -> tuple[Question, ...]:
    ask = Question
    return (
        ask("ray-with-slider", UPWARD, ("with_r", "r"), _RAY, 3, True, 3, "o ^ (o - 2r)"),
        ask("ray", UPWARD, ("up", "r"), _RAY, 2, True, 2, "o ^ (o - r)"),
        ask("ray-unmasked", UPWARD, ("occ", "m", "r"), _RAY, 4, False, 4, "o ^ (o - r)"),
        ask("line-swap", FILES_AND_DIAGONALS, ("o", "r", "r_swapped"), _SWAP, 5, True, 5, _HYPERBOLA),
        ask("line-swap-unmasked", FILES_AND_DIAGONALS, ("occ", "m", "r", "r_swapped"), _SWAP, 6, False, 7, _HYPERBOLA),
        ask("line-reverse", LINES, ("o", "r", "r_reversed"), _REVERSE, 5, True, 5, _REVERSED),
        ask("line-reverse-unmasked", LINES, ("occ", "m", "r", "r_reversed"), _REVERSE, 6, False, 7, _REVERSED),
        ask("line-scan-halves", LINES, ("low", "up", "one", "msb"), _SCAN, 5, True, 5, _ODS),
        ask("line-scan", LINES, ("o", "below", "one", "msb"), _SCAN, 6, True, 7, _ODS),
        ask("line-scan-unmasked", LINES, ("occ", "m_low", "m_up", "m", "one", "msb"), _SCAN, 5, False, 8, _ODS),
        ask("line-bmi-halves", LINES, ("low", "up", "one", "all_but_msb"), _BMI, 5, True, 5, "slide-arithmetic"),
        ask("line-lanes-halves", LINES, ("low", "up", "msb"), _LANES, 4, True, 4, _ODS),
        ask("line-lanes-unmasked", LINES, ("occ", "m_low", "m_up", "m", "msb"), _LANES, 5, False, 7, _ODS),
        ask("line-all", LINES, ("o", "r", "r_reversed", "one", "msb"), ops.CPU, 5, True, 5, _REVERSED),
        ask("line-all-no-tables", LINES, ("o", "r"), ops.CPU, 6, True, 6, _REVERSED),
        ask("line-all-unmasked", LINES, ("occ", "m", "r", "r_reversed"), ops.CPU, 5, False, 7, _REVERSED),
    )


def _more_lines() -> tuple[Question, ...]:
    ask = Question
    square = ("r", "r_reversed")
    return (
        ask("rook", ("rook",), ("occ", "rank", "file", *square), _REVERSE, 6, False, 15, _REVERSED),
        ask("bishop", ("bishop",), ("occ", "diagonal", "antidiagonal", *square), _REVERSE, 6, False, 15, _REVERSED),
        ask("queen", ("queen",), ("occ", *LINES, *square), _REVERSE, 5, False, 31, _REVERSED),
        ask(
            "bishop-swap",
            ("bishop",),
            ("occ", "diagonal", "antidiagonal", "r", "r_swapped"),
            _SWAP,
            6,
            False,
            15,
            _HYPERBOLA,
        ),
        ask("rook-all", ("rook",), ("occ", "rank", "file", "r"), ops.CPU, 4, False, 16, _REVERSED),
        ask("bishop-all", ("bishop",), ("occ", "diagonal", "antidiagonal", "r"), ops.CPU, 4, False, 16, _REVERSED),
        ask("queen-all", ("queen",), ("occ", *LINES, "r"), ops.CPU, 4, False, 32, _REVERSED),
    )


QUESTIONS: Final = (*_one_line(), *_more_lines())


def question(name: str) -> Question:
    """Return the question of a name. Raises ValueError for others."""
    for q in QUESTIONS:
        if q.name == name:
            return q
    raise ValueError(f"question: {name!r}: expected one of {', '.join(q.name for q in QUESTIONS)}")
