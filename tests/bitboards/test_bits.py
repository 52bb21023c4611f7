"""Each function of bits.py against its plain definition, on ints, NumPy words and arrays, and compiled."""

import inspect
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from definitions import (
    BOARDS,
    SINGLES,
    UNIVERSE,
    Definition,
    Kernel,
    board_of,
    check,
    check_compiled,
    check_numpy_words,
    highest,
    lowest,
    moved,
    named,
    random_boards,
    rows_of,
    squares_of,
)
from rookery import kernel
from rookery.bitboards import bits, iteration
from rookery.bitboards.bitboard import Bitboard
from rookery.kernel import U64, entry


def where(condition: Callable[[int], bool]) -> int:
    return board_of(filter(condition, range(64)))


ONE_WORD: dict[Kernel, Definition] = {
    # the lowest and the highest one bit
    bits.isolate_ls1b: lambda x: where(lambda s: s == lowest(x)),
    bits.reset_ls1b: lambda x: board_of(squares_of(x)[1:]),
    bits.below_ls1b: lambda x: where(lambda s: s < lowest(x)),
    bits.up_to_ls1b: lambda x: where(lambda s: s <= lowest(x)),
    bits.above_ls1b: lambda x: where(lambda s: s > lowest(x)),
    bits.from_ls1b: lambda x: where(lambda s: s >= lowest(x)),
    bits.isolate_ms1b: lambda x: board_of(squares_of(x)[-1:]),
    # one line to a rank, and back
    bits.a_file_to_rank: lambda x: sum(1 << 7 - s // 8 for s in squares_of(x) if s % 8 == 0),
    # turns
    bits.flip_vertical: moved(lambda rank, file: (7 - rank, file)),
    bits.mirror_horizontal: moved(lambda rank, file: (rank, 7 - file)),
    bits.flip_diagonal: moved(lambda rank, file: (file, rank)),
    bits.flip_antidiagonal: moved(lambda rank, file: (7 - file, 7 - rank)),
    bits.rotate_180: moved(lambda rank, file: (7 - rank, 7 - file)),
    bits.rotate_90_clockwise: moved(lambda rank, file: (7 - file, rank)),
    bits.rotate_90_anticlockwise: moved(lambda rank, file: (file, 7 - rank)),
    bits.pseudo_rotate_45_clockwise: moved(lambda rank, file: ((rank - file) % 8, file)),
    bits.pseudo_rotate_45_anticlockwise: moved(lambda rank, file: ((rank + file) % 8, file)),
}


def line_definition(same: Callable[[int, int, int, int], bool]) -> Definition:
    return lambda sq: where(lambda s: same(*divmod(s, 8), *divmod(sq, 8)))


OF_SQUARE: dict[Kernel, Definition] = {
    bits.bit: line_definition(lambda rank, file, r, f: (rank, file) == (r, f)),
    bits.rank_mask: line_definition(lambda rank, file, r, f: rank == r),
    bits.file_mask: line_definition(lambda rank, file, r, f: file == f),
    bits.diagonal_mask: line_definition(lambda rank, file, r, f: rank - file == r - f),
    bits.antidiagonal_mask: line_definition(lambda rank, file, r, f: rank + file == r + f),
}
OF_BYTE: dict[Kernel, Definition] = {
    bits.rank_to_h_file: lambda x: board_of(8 * (7 - i) + 7 for i in squares_of(x)),
    bits.fill_files: lambda x: board_of(8 * rank + file for rank in range(8) for file in squares_of(x)),
}


@pytest.mark.parametrize("kernel_", named(ONE_WORD))
def test_of_a_board(kernel_: Kernel) -> None:
    check(kernel_, ONE_WORD[kernel_], BOARDS)


@pytest.mark.parametrize("kernel_", named(OF_SQUARE))
def test_of_a_square(kernel_: Kernel) -> None:
    check(kernel_, OF_SQUARE[kernel_], list(range(64)))


@pytest.mark.parametrize("kernel_", named(OF_BYTE))
def test_of_a_byte(kernel_: Kernel) -> None:
    check(kernel_, OF_BYTE[kernel_], list(range(256)))


@pytest.mark.parametrize("kernel_", named(ONE_WORD))
def test_of_a_numpy_word(kernel_: Kernel) -> None:
    check_numpy_words(kernel_, ONE_WORD[kernel_])


def test_of_a_bitboard() -> None:
    assert bits.flip_vertical(Bitboard.of("a1", "h2")) == Bitboard.of("a8", "h7")


def test_every_kernel_of_bits_is_tried() -> None:
    in_pairs = {scan_ for s in bits.SCANS.values() for scan_ in (s.forward, s.reverse)}
    tried = {*ONE_WORD, *OF_SQUARE, *OF_BYTE, *in_pairs, bits.diagonal_to_rank, bits.scan_by_direction}
    written = {f for _, f in inspect.getmembers(bits, inspect.isfunction) if f.__module__ == bits.__name__}
    assert written <= tried | {bits.de_bruijn_sequences, bits.subset_array, bits.mixed}


def test_mixed_words_are_those_of_splitmix64() -> None:
    """The first outputs of Vigna's reference generator from seed 0."""
    golden = 0x9E3779B97F4A7C15
    states = [n * golden & (1 << 64) - 1 for n in (1, 2, 3)]
    outputs = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    assert [bits.mixed(state) for state in states] == outputs
    assert bits.mixed(np.array(states, np.uint64)).tolist() == outputs


# Constants.


@pytest.mark.parametrize(
    ("constant", "condition"),
    [
        pytest.param(bits.A_FILE, lambda rank, file: file == 0, id="A_FILE"),
        pytest.param(bits.B_FILE, lambda rank, file: file == 1, id="B_FILE"),
        pytest.param(bits.H_FILE, lambda rank, file: file == 7, id="H_FILE"),
        pytest.param(bits.NOT_A_FILE, lambda rank, file: file > 0, id="NOT_A_FILE"),
        pytest.param(bits.NOT_H_FILE, lambda rank, file: file < 7, id="NOT_H_FILE"),
        pytest.param(bits.FIRST_RANK, lambda rank, file: rank == 0, id="FIRST_RANK"),
        pytest.param(bits.MAIN_DIAGONAL, lambda rank, file: rank == file, id="MAIN_DIAGONAL"),
        pytest.param(bits.MAIN_ANTIDIAGONAL, lambda rank, file: rank + file == 7, id="MAIN_ANTIDIAGONAL"),
        pytest.param(bits.LIGHT_SQUARES, lambda rank, file: (rank + file) % 2 == 1, id="LIGHT_SQUARES"),
        pytest.param(bits.DARK_SQUARES, lambda rank, file: (rank + file) % 2 == 0, id="DARK_SQUARES"),
        *(
            pytest.param(getattr(bits, f"RANK_{n}"), lambda rank, file, n=n: rank == n - 1, id=f"RANK_{n}")
            for n in range(1, 9)
        ),
        pytest.param(kernel.UNIVERSE, lambda rank, file: True, id="UNIVERSE"),
    ],
)
def test_constants(constant: int, condition: Callable[[int, int], bool]) -> None:
    assert constant == where(lambda s: condition(*divmod(s, 8)))


# Scans.

SCANS = [pytest.param(scan, id=name) for name, scan in bits.SCANS.items()]


@pytest.mark.parametrize("scan", SCANS)
def test_scans(scan: bits.Scan) -> None:
    boards = [x for x in BOARDS if x]
    assert set(SINGLES) <= set(boards)
    check(scan.forward, lowest, boards)
    check(scan.reverse, highest, boards)


@pytest.mark.parametrize("scan", SCANS)
def test_scans_of_the_empty_board(scan: bits.Scan) -> None:
    if scan.counts_empty:
        assert scan.forward(0) == 64
        assert scan.forward(np.zeros(2, U64)).tolist() == [64, 64]


def test_which_scans_count_the_empty_board() -> None:
    assert {name for name, scan in bits.SCANS.items() if scan.counts_empty} == {"modulo-67", "hardware"}


def test_scan_by_direction() -> None:
    for x in BOARDS:
        if x:
            assert bits.scan_by_direction(x, 0) == lowest(x)
            assert bits.scan_by_direction(x, 1) == highest(x)


# De Bruijn sequences.


def windows(sequence: int) -> set[int]:
    """The six-bit windows of a sequence of 64 bits, read as a ring."""
    ring = f"{sequence:064b}"
    return {int((ring + ring)[i : i + 6], 2) for i in range(64)}


def test_de_bruijn_sequences() -> None:
    sequences = list(itertools.islice(bits.de_bruijn_sequences(), 1000))
    assert len(set(sequences)) == 1000
    assert sequences == sorted(sequences)
    for sequence in sequences:
        assert windows(sequence) == set(range(64))
        assert sequence < 1 << 58, "six leading zeros"
        assert sequence % 2 == 1


def test_the_first_de_bruijn_sequence() -> None:
    # The least of all is the Lyndon words whose lengths divide six, in the order of a dictionary (Fredricksen and
    # Maiorana, 1978). A Lyndon word comes before all its rotations.
    words = ["".join(word) for n in (1, 2, 3, 6) for word in itertools.product("01", repeat=n)]
    lyndon = sorted(w for w in words if all(w < w[i:] + w[:i] for i in range(1, len(w))))
    assert next(bits.de_bruijn_sequences()) == int("".join(lyndon), 2)
    assert int("".join(lyndon), 2) == bits.DE_BRUIJN


def test_a_scan_from_any_de_bruijn_sequence() -> None:
    for sequence in itertools.islice(bits.de_bruijn_sequences(), 0, 1000, 37):
        index = {(sequence << s & UNIVERSE) >> 58: s for s in range(64)}
        assert len(index) == 64
        for x in random_boards(50, seed=sequence):
            if x:
                assert index[((x & -x) * sequence & UNIVERSE) >> 58] == lowest(x)


# Sets to lists.


def test_serialize() -> None:
    for x in BOARDS:
        assert list(bits.serialize(x)) == squares_of(x)
    assert list(bits.serialize(U64(1 << 63 | 1))) == [0, 63]  # type: ignore[arg-type]  # a word will do
    assert list(bits.serialize(Bitboard.of("b1", "h8"))) == [1, 63]


MASKS = [0, 1, 1 << 63, 1 << 63 | 1, 0b10110, 0x8001000000000011, *random_boards(50, seed=1994)[2::5]]


@pytest.mark.parametrize("mask", [pytest.param(m, id=f"{m:#x}") for m in MASKS if m.bit_count() <= 11])
def test_subsets(mask: int) -> None:
    bits_of = [1 << s for s in squares_of(mask)]
    expected = sorted(map(sum, itertools.chain(*(itertools.combinations(bits_of, n) for n in range(65)))))
    assert len(expected) == 2 ** len(bits_of)
    found = list(bits.subsets(mask))
    assert found == expected
    assert (found[0], found[-1]) == (0, mask)
    array = bits.subset_array(mask)
    assert array.dtype == U64
    assert array.tolist() == expected


def test_subsets_of_numpy_words() -> None:
    assert list(bits.subsets(U64(1 << 63 | 2))) == [0, 2, 1 << 63, 1 << 63 | 2]  # type: ignore[arg-type]
    assert bits.subset_array(Bitboard.of("b1", "h8")).tolist() == [0, 2, 1 << 63, 1 << 63 | 2]


def test_an_array_has_the_subsets_of_a_mask_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert bits.MOST_IN_A_MASK == 32
    monkeypatch.setattr(bits, "MOST_IN_A_MASK", 3)
    assert bits.subset_array(0b111).tolist() == list(range(8))
    with pytest.raises(ValueError, match=r"^mask: 15 has 4 squares: expected 3 at most, since a mask has 2\*\*squares"):
        bits.subset_array(0b1111)


@pytest.mark.parametrize("kind", [int, U64, Bitboard])
@pytest.mark.parametrize("board", [0, 1, 1 << 63, UNIVERSE, 0x8001000000000011])
def test_squares_of_any_number(kind: type, board: int) -> None:
    squares = [square for square in range(64) if board >> square & 1]
    assert list(iteration.squares_of(kind(board))) == squares
    assert list(iteration.squares_from_highest(kind(board))) == squares[::-1]
    assert tuple(1 << square for square in range(64)) == iteration.ONE_SQUARE


@pytest.mark.parametrize("wrong", [-1, 1 << 64])
def test_what_exceeds_a_board_has_no_squares(wrong: int) -> None:
    for function, name in (
        (iteration.serialize, "x"),
        (iteration.squares_of, "x"),
        (iteration.squares_from_highest, "x"),
        (iteration.subsets, "mask"),
    ):
        with pytest.raises(ValueError, match=rf"^{name}: {wrong} is outside 0 to 2\*\*64 - 1$"):
            function(wrong)


def test_subsets_of_the_universe_begin() -> None:
    assert list(itertools.islice(bits.subsets(UNIVERSE), 5)) == [0, 1, 2, 3, 4]


# Kindergarten.


@pytest.mark.parametrize("line", [bits.diagonal_mask, bits.antidiagonal_mask, bits.rank_mask])
def test_diagonal_to_rank(line: Kernel) -> None:
    noise = random_boards(5, seed=1977)
    masked = [line(sq) & x for sq in range(64) for x in (UNIVERSE, *noise)]
    check(bits.diagonal_to_rank, lambda x: sum(1 << s % 8 for s in squares_of(x)), masked)


def test_a_file_to_rank_and_back() -> None:
    for rank_byte in range(256):
        a_file = bits.rank_to_h_file(rank_byte) >> 7
        assert bits.a_file_to_rank(a_file) == rank_byte


# The same functions, compiled. One entry a signature: a row of `out` for each kernel, in the order of the lists below.

COMPILED_ONE_WORD = [
    bits.isolate_ls1b,
    bits.reset_ls1b,
    bits.below_ls1b,
    bits.up_to_ls1b,
    bits.above_ls1b,
    bits.from_ls1b,
    bits.isolate_ms1b,
    bits.a_file_to_rank,
    bits.flip_vertical,
    bits.mirror_horizontal,
    bits.flip_diagonal,
    bits.flip_antidiagonal,
    bits.rotate_180,
    bits.rotate_90_clockwise,
    bits.rotate_90_anticlockwise,
    bits.pseudo_rotate_45_clockwise,
    bits.pseudo_rotate_45_anticlockwise,
]


@entry
def compiled_one_word(x: Any, out: Any) -> None:
    for i in range(x.size):
        out[0, i] = bits.isolate_ls1b(x[i])
        out[1, i] = bits.reset_ls1b(x[i])
        out[2, i] = bits.below_ls1b(x[i])
        out[3, i] = bits.up_to_ls1b(x[i])
        out[4, i] = bits.above_ls1b(x[i])
        out[5, i] = bits.from_ls1b(x[i])
        out[6, i] = bits.isolate_ms1b(x[i])
        out[7, i] = bits.a_file_to_rank(x[i])
        out[8, i] = bits.flip_vertical(x[i])
        out[9, i] = bits.mirror_horizontal(x[i])
        out[10, i] = bits.flip_diagonal(x[i])
        out[11, i] = bits.flip_antidiagonal(x[i])
        out[12, i] = bits.rotate_180(x[i])
        out[13, i] = bits.rotate_90_clockwise(x[i])
        out[14, i] = bits.rotate_90_anticlockwise(x[i])
        out[15, i] = bits.pseudo_rotate_45_clockwise(x[i])
        out[16, i] = bits.pseudo_rotate_45_anticlockwise(x[i])


@entry
def compiled_scans(x: Any, out: Any) -> None:
    for i in range(x.size):
        out[0, i] = bits.de_bruijn_forward(x[i])
        out[1, i] = bits.de_bruijn_reverse(x[i])
        out[2, i] = bits.modulo_67_forward(x[i])
        out[3, i] = bits.modulo_67_reverse(x[i])
        out[4, i] = bits.generalized_forward(x[i])
        out[5, i] = bits.generalized_reverse(x[i])
        out[6, i] = bits.hardware_forward(x[i])
        out[7, i] = bits.hardware_reverse(x[i])


@entry
def compiled_of_square(x: Any, out: Any) -> None:
    for i in range(x.size):
        out[0, i] = bits.bit(x[i])
        out[1, i] = bits.rank_mask(x[i])
        out[2, i] = bits.file_mask(x[i])
        out[3, i] = bits.diagonal_mask(x[i])
        out[4, i] = bits.antidiagonal_mask(x[i])


@entry
def compiled_of_byte(x: Any, out: Any) -> None:
    for i in range(x.size):
        out[0, i] = bits.rank_to_h_file(x[i])
        out[1, i] = bits.fill_files(x[i])
        out[2, i] = bits.diagonal_to_rank(x[i])


def test_compiled_of_a_board() -> None:
    assert set(COMPILED_ONE_WORD) == set(ONE_WORD)
    definitions = [ONE_WORD[kernel_] for kernel_ in COMPILED_ONE_WORD]
    check_compiled(compiled_one_word, COMPILED_ONE_WORD, definitions, BOARDS)


def test_compiled_scans() -> None:
    scans = [bits.SCANS[name] for name in ("de-bruijn", "modulo-67", "generalized", "hardware")]
    assert len(scans) == len(bits.SCANS)
    kernels = [kernel_ for scan in scans for kernel_ in (scan.forward, scan.reverse)]
    check_compiled(compiled_scans, kernels, [lowest, highest] * len(scans), [x for x in BOARDS if x])
    of_empty = rows_of(compiled_scans, 8, [0])
    assert [of_empty[2 * i] for i, scan in enumerate(scans) if scan.counts_empty] == [[64], [64]]


def test_compiled_of_a_square() -> None:
    check_compiled(compiled_of_square, list(OF_SQUARE), list(OF_SQUARE.values()), list(range(64)))


def test_compiled_of_a_byte() -> None:
    kernels = [bits.rank_to_h_file, bits.fill_files, bits.diagonal_to_rank]
    check_compiled(compiled_of_byte, kernels, [*OF_BYTE.values(), lambda x: x], list(range(256)))
