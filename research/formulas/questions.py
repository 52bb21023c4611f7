"""The questions: for what answer, from which inputs and with which operations a shortest program is searched."""

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from formulas import operations as ops
from formulas import published
from formulas.cases import Cases, all_cases, cases_by_square, first_cases
from formulas.operations import Operation
from formulas.programs import Program
from formulas.published import hyperbola, hyperbola_of
from rookery.bitboards.bits import A_FILE, B_FILE
from rookery.bitboards.lines import line_through
from rookery.kernel import U64, UNIVERSE, bitreverse, byteswap

Words = NDArray[np.uint64]

LINES: Final = ("file", "rank", "diagonal", "antidiagonal")


def _below(c: Cases) -> Words:
    return (U64(1) << c.squares) - U64(1)


def _constant(word: int) -> Callable[[Cases], Words]:
    return lambda c: np.full(len(c), word, U64)


def _mask(line: str) -> Callable[[Cases], Words]:
    table = np.array([int(line_through(line, sq)) for sq in range(64)], U64)
    return lambda c: table[c.squares.astype(np.int64)]


def _by_line(word: Callable[[str, int], int]) -> Callable[[Cases], Words]:
    """Return a word for each line and square."""
    tables = {line: np.array([word(line, sq) for sq in range(64)], U64) for line in LINES}

    def words(c: Cases) -> Words:
        found = np.zeros(len(c), U64)
        for line, table in tables.items():
            chosen = c.movers == line
            found[chosen] = table[c.squares[chosen].astype(np.int64)]
        return found

    return words


_EDGES: Final = {
    "rank": A_FILE | A_FILE << 7,
    "file": 0xFF | 0xFF << 56,
    "diagonal": 0xFF818181818181FF,
    "antidiagonal": 0xFF818181818181FF,
}


def _inner(line: str, sq: int) -> int:
    """Return a line without the slider and without the edges, where a piece blocks nothing."""
    return int(line_through(line, sq)) & ~_EDGES[line]


def _gather(line: str, sq: int) -> int:
    """Return the factor of kindergarten bitboards: the product has the six inner squares at its top."""
    return sum(1 << 57 - 7 * rank - sq % 8 for rank in range(1, 7)) if line == "file" else int(B_FILE)


def _spread(line: str, sq: int) -> int:
    """Return a factor whose product with a byte has a bit of it on each square of the line but the slider's.

    On a file, bit 7 would carry into others. No bit stands for the slider's rank, so that the eighth takes its place.
    """
    if line != "file":
        return int(A_FILE)
    own, file = divmod(sq, 8)
    places = {rank: rank for rank in range(8) if rank != own}
    if 0 < own < 7:
        places[7] = own
    return sum(1 << 8 * rank + file - place for rank, place in places.items())


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
    "inner": _by_line(_inner),
    "gather": _by_line(_gather),
    "spread": _by_line(_spread),
    "one": _constant(1),
    "msb": _constant(1 << 63),
    "all_but_msb": _constant((1 << 63) - 1),
    **{name: _mask(name) for name in ("rank", "file", "diagonal", "antidiagonal")},
}
_TEXTS: Final = {"one": "1", "msb": "2**63", "all_but_msb": "(2**63 - 1)"}


class Table(NamedTuple):
    """The table of a question with a look-up, which counts as one operation.

    An entry has `entry_bits` bits and is found by the `index_bits` lowest bits of the index, so the table has at most
    512 bytes. It is the same for all squares and lines if `shared`, else each square and line has its own. At most
    `most_after` operations depend on the entry, all of them from `after`.
    """

    entry_bits: int
    index_bits: int
    shared: bool
    after: tuple[Operation, ...]
    most_after: int

    def splits(self, length: int) -> list[int]:
        """Return how many operations may come before the look-up in programs of some length, fewest first."""
        return list(range(max(0, length - 1 - self.most_after), length))


class Question(NamedTuple):
    """A question for the search.

    `movers` are lines, rays or a piece: a program must be right for each of them, the masks being theirs. If
    `masked`, only the squares of the rays matter, as if the answer were masked at no cost. A search goes up to
    `longest` operations, and the second one up to `confirmed`. `known` is the shortest published program with these
    inputs and operations, and `known_as` its name. With a `table`, a program has one look-up.
    """

    name: str
    movers: tuple[str, ...]
    inputs: tuple[str, ...]
    operations: tuple[Operation, ...]
    masked: bool
    longest: int
    confirmed: int
    known_as: str
    known: str
    table: Table | None = None

    @property
    def plain(self) -> tuple[Operation, ...]:
        """Return the operations without the look-up."""
        return tuple(o for o in self.operations if o.code != ops.LOOK_UP)

    @property
    def published(self) -> Program:
        """Return the shortest published program."""
        return Program.parse(self.known, self.names, self.operations)

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

    def first_cases(self, every: Cases, count: int) -> Cases:
        """Choose the cases with which a search begins, `count` of them if all squares are alike."""
        if self.table is None or self.table.shared:
            return first_cases(every, count if self.table is None else 4 * count)
        return cases_by_square(every, 2, count // 2)


OF_BYTE_SWAP: Final = ("file", "diagonal", "antidiagonal")
UPWARD: Final = ("north", "northeast", "east", "northwest")

_SWAP: Final = ops.ARITHMETIC + ops.SWAP
_REVERSE: Final = ops.ARITHMETIC + ops.REVERSE
_SCAN: Final = ops.ARITHMETIC + ops.SCAN
_LANES: Final = ops.ARITHMETIC + ops.LANES
_BMI: Final = _SCAN + ops.LOWEST
_SCAN_TABLE: Final = (*_SCAN, ops.look_up)
_PRODUCT_TABLE: Final = (*ops.ARITHMETIC, *ops.FACTORS, ops.look_up)
_ALL_TABLE: Final = (*ops.CPU, *ops.SCATTER, ops.look_up)
# The names of the sets of operations, for tables.
OPERATIONS: Final = {
    ops.ARITHMETIC + ops.DOUBLE: "arithmetic, shift by 1",
    _SWAP: "arithmetic, byte swap",
    _REVERSE: "arithmetic, bit reversal",
    _SCAN: "arithmetic, zero counts, shifts",
    _BMI: "arithmetic, zero counts, shifts, BMI1",
    _LANES: "arithmetic, zero counts, shifts of lanes",
    ops.CPU: "all",
    _SCAN_TABLE: "arithmetic, zero counts, shifts, look-up",
    _PRODUCT_TABLE: "arithmetic, products, look-up",
    _ALL_TABLE: "all, `pdep`, look-up",
}
_RAY: Final = ops.ARITHMETIC + ops.DOUBLE
_ODS: Final = "obstruction-difference-short"
_HYPERBOLA: Final = "hyperbola"
_REVERSED: Final = "hyperbola-bitreverse"
_ALL: Final = ops.CPU

_SWAPPED_TEXT: Final = hyperbola("byteswap")
_SWAPPED_UNMASKED: Final = hyperbola_of(("m",), "byteswap")
_REVERSED_TEXT: Final = hyperbola("bitreverse")
_REVERSED_UNMASKED: Final = hyperbola_of(("m",), "bitreverse")

_HALVES: Final = ("low", "up")
_MASKS: Final = ("m_low", "m_up", "m")
_R: Final = ("r", "r_reversed")
_ROOK: Final = ("rank", "file")
_BISHOP: Final = ("diagonal", "antidiagonal")


def _one_line() -> tuple[Question, ...]:
    q = Question
    unmasked = ("occ", "m", *_R)
    ods, slide, lanes = published.OBSTRUCTION, published.SLIDE_ARITHMETIC_HALVES, published.OBSTRUCTION_LANES_HALVES
    ods_halves, ods_unmasked = published.OBSTRUCTION_HALVES, published.OBSTRUCTION_UNMASKED
    lanes_unmasked = published.OBSTRUCTION_LANES_UNMASKED
    no_tables = hyperbola("bitreverse", stored=False)
    return (
        q("ray-with-slider", UPWARD, ("with_r", "r"), _RAY, True, 3, 3, "o ^ (o - 2r)", published.RAY_WITH_SLIDER),
        q("ray", UPWARD, ("up", "r"), _RAY, True, 2, 2, "o ^ (o - r)", published.RAY),
        q("ray-unmasked", UPWARD, ("occ", "m", "r"), _RAY, False, 4, 4, "o ^ (o - r)", published.RAY_UNMASKED),
        q("line-swap", OF_BYTE_SWAP, ("o", "r", "r_swapped"), _SWAP, True, 5, 5, _HYPERBOLA, _SWAPPED_TEXT),
        q(
            "line-swap-unmasked",
            OF_BYTE_SWAP,
            ("occ", "m", "r", "r_swapped"),
            _SWAP,
            False,
            6,
            6,
            _HYPERBOLA,
            _SWAPPED_UNMASKED,
        ),
        q("line-reverse", LINES, ("o", *_R), _REVERSE, True, 5, 5, _REVERSED, _REVERSED_TEXT),
        q("line-reverse-unmasked", LINES, unmasked, _REVERSE, False, 6, 5, _REVERSED, _REVERSED_UNMASKED),
        q("line-scan-halves", LINES, (*_HALVES, "one", "msb"), _SCAN, True, 5, 4, _ODS, ods_halves),
        q("line-scan", LINES, ("o", "below", "one", "msb"), _SCAN, True, 6, 5, _ODS, ods),
        q("line-scan-unmasked", LINES, ("occ", *_MASKS, "one", "msb"), _SCAN, False, 5, 4, _ODS, ods_unmasked),
        q("line-bmi-halves", LINES, (*_HALVES, "one", "all_but_msb"), _BMI, True, 5, 4, "slide-arithmetic", slide),
        q("line-lanes-halves", LINES, (*_HALVES, "msb"), _LANES, True, 4, 4, _ODS, lanes),
        q("line-lanes-unmasked", LINES, ("occ", *_MASKS, "msb"), _LANES, False, 5, 5, _ODS, lanes_unmasked),
        q("line-all", LINES, ("o", *_R, "one", "msb"), _ALL, True, 5, 4, _REVERSED, _REVERSED_TEXT),
        q("line-all-no-tables", LINES, ("o", "r"), _ALL, True, 6, 4, _REVERSED, no_tables),
        q("line-all-unmasked", LINES, unmasked, _ALL, False, 5, 4, _REVERSED, _REVERSED_UNMASKED),
    )


def _more_lines() -> tuple[Question, ...]:
    q = Question
    swapped = ("r", "r_swapped")
    rook, bishop = hyperbola_of(_ROOK, "bitreverse"), hyperbola_of(_BISHOP, "bitreverse")
    queen, by_swap = hyperbola_of(LINES, "bitreverse"), hyperbola_of(_BISHOP, "byteswap")
    rook_all, bishop_all, queen_all = (
        hyperbola_of(lines, "bitreverse", stored=False) for lines in (_ROOK, _BISHOP, LINES)
    )
    return (
        q("rook", ("rook",), ("occ", *_ROOK, *_R), _REVERSE, False, 6, 5, _REVERSED, rook),
        q("bishop", ("bishop",), ("occ", *_BISHOP, *_R), _REVERSE, False, 6, 5, _REVERSED, bishop),
        q("bishop-swap", ("bishop",), ("occ", *_BISHOP, *swapped), _SWAP, False, 5, 5, _HYPERBOLA, by_swap),
        q("queen", ("queen",), ("occ", *LINES, *_R), _REVERSE, False, 5, 5, _REVERSED, queen),
        q("rook-all", ("rook",), ("occ", *_ROOK, "r"), _ALL, False, 4, 4, _REVERSED, rook_all),
        q("bishop-all", ("bishop",), ("occ", *_BISHOP, "r"), _ALL, False, 4, 4, _REVERSED, bishop_all),
        q("queen-all", ("queen",), ("occ", *LINES, "r"), _ALL, False, 4, 4, _REVERSED, queen_all),
    )


def _with_tables() -> tuple[Question, ...]:
    q, t, masked, factors = Question, published, ("occ", "m"), ("gather", "spread")
    shared = Table(64, 6, True, ops.ARITHMETIC, 2)
    words = shared._replace(shared=False)
    product, every = (Table(8, 9, False, operations[:-1], 5) for operations in (_PRODUCT_TABLE, _ALL_TABLE))
    ods, kindergarten, first_rank = _ODS, "kindergarten", "first-rank-64"
    scan, products, all_ = _SCAN_TABLE, _PRODUCT_TABLE, _ALL_TABLE
    return (
        q("table-scan-halves", LINES, _HALVES, scan, True, 4, 3, ods, t.OBSTRUCTION_TABLE_HALVES, shared),
        q("table-words", LINES, ("o", "gather"), products, True, 3, 3, kindergarten, t.PRODUCT_WORDS, words),
        q(
            "table-words-unmasked",
            LINES,
            (*masked, "gather"),
            products,
            False,
            4,
            4,
            kindergarten,
            t.PRODUCT_WORDS_UNMASKED,
            words,
        ),
        q("table-bytes", LINES, ("o", *factors), products, True, 4, 4, first_rank, t.PRODUCT_BYTES, product),
        q(
            "table-bytes-unmasked",
            LINES,
            (*masked, *factors),
            products,
            False,
            5,
            4,
            first_rank,
            t.PRODUCT_BYTES_UNMASKED,
            product,
        ),
        q("table-words-pext", LINES, ("occ", "inner"), all_, False, 2, 2, "pext", t.PEXT_WORDS, words),
        q("table-bytes-pext", LINES, ("occ", "inner", "m"), all_, False, 3, 3, "pext-line", t.PEXT_BYTES, every),
    )


QUESTIONS: Final = (*_one_line(), *_more_lines(), *_with_tables())


def question(name: str) -> Question:
    """Return the question of a name. Raises ValueError for others."""
    for q in QUESTIONS:
        if q.name == name:
            return q
    raise ValueError(f"question: {name!r}: expected one of {', '.join(q.name for q in QUESTIONS)}")
