"""The hardware instructions of the kernel package: the portable twins, and what is compiled, against definitions."""

import itertools
import re
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest

from definitions import (
    BOARDS,
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
    squares_of,
)
from rookery import kernel
from rookery.kernel import U64, entry, settings
from rookery.kernel.instructions import arrays

# Instructions of one word.

ONE_WORD: dict[Kernel, Definition] = {
    kernel.byteswap: moved(lambda rank, file: (7 - rank, file)),
    kernel.bitreverse: moved(lambda rank, file: (7 - rank, 7 - file)),
    kernel.popcount: lambda x: len(squares_of(x)),
    kernel.trailing_zeros: lowest,
    kernel.leading_zeros: lambda x: 63 - highest(x),
}


@pytest.mark.parametrize("kernel_", named(ONE_WORD))
def test_of_a_board(kernel_: Kernel) -> None:
    check(kernel_, ONE_WORD[kernel_], BOARDS)


@pytest.mark.parametrize("kernel_", named(ONE_WORD))
def test_of_a_numpy_word(kernel_: Kernel) -> None:
    check_numpy_words(kernel_, ONE_WORD[kernel_])


# Instructions of two words.

COUNTS = [0, 1, 7, 8, 31, 32, 33, 63, 64, 65, 128, 200]


def gathered(x: int, mask: int) -> int:
    """PEXT."""
    return sum(1 << i for i, s in enumerate(squares_of(mask)) if x >> s & 1)


def scattered(x: int, mask: int) -> int:
    """PDEP."""
    return sum(1 << s for i, s in enumerate(squares_of(mask)) if x >> i & 1)


def rotated(x: int, n: int) -> int:
    return board_of((s + n) % 64 for s in squares_of(x))


def byte(x: int, row: int) -> int:
    return sum(1 << s % 8 for s in squares_of(x) if s // 8 == row)


PAIRS: dict[Kernel, tuple[Callable[[int, int], int], list[tuple[int, int]]]] = {
    kernel.rotate_left: (rotated, list(itertools.product(BOARDS[60:80], COUNTS))),
    kernel.byte_view: (byte, list(itertools.product(BOARDS, range(8)))),
    kernel.pext_portable: (
        gathered,
        [
            *itertools.product(BOARDS[66:82], [0, UNIVERSE, 1, 1 << 63, 0x8040201008040201, *BOARDS[-20:]]),
            *zip(BOARDS, BOARDS[::-1], strict=True),
        ],
    ),
}
PAIRS[kernel.pext] = PAIRS[kernel.pext_portable]
PAIRS[kernel.pdep_portable] = PAIRS[kernel.pdep] = (scattered, PAIRS[kernel.pext][1])


@pytest.mark.parametrize("kernel_", named(PAIRS))
def test_of_two_words(kernel_: Kernel) -> None:
    definition, pairs = PAIRS[kernel_]
    expected = [definition(x, y) for x, y in pairs]
    assert [kernel_(x, y) for x, y in pairs] == expected
    left, right = (np.array(words, U64) for words in zip(*pairs, strict=True))
    assert kernel_(left, right).tolist() == expected


# The same functions, compiled. Those of one word share an entry: a row of `out` for each, in the order of the list.

COMPILED_ONE_WORD = [
    kernel.byteswap,
    kernel.bitreverse,
    kernel.popcount,
    kernel.trailing_zeros,
    kernel.leading_zeros,
]


@entry
def compiled_one_word(x: Any, out: Any) -> None:
    for i in range(x.size):
        out[0, i] = kernel.byteswap(x[i])
        out[1, i] = kernel.bitreverse(x[i])
        out[2, i] = kernel.popcount(x[i])
        out[3, i] = kernel.trailing_zeros(x[i])
        out[4, i] = kernel.leading_zeros(x[i])


@entry
def compiled_rotate_left(x: Any, y: Any, out: Any) -> None:
    for i in range(x.size):
        out[i] = kernel.rotate_left(x[i], y[i])


@entry
def compiled_byte_view(x: Any, y: Any, out: Any) -> None:
    for i in range(x.size):
        out[i] = kernel.byte_view(x[i], y[i])


@entry
def compiled_pext_portable(x: Any, y: Any, out: Any) -> None:
    for i in range(x.size):
        out[i] = kernel.pext_portable(x[i], y[i])


@entry
def compiled_pext(x: Any, y: Any, out: Any) -> None:
    for i in range(x.size):
        out[i] = kernel.pext(x[i], y[i])


@entry
def compiled_pdep_portable(x: Any, y: Any, out: Any) -> None:
    for i in range(x.size):
        out[i] = kernel.pdep_portable(x[i], y[i])


@entry
def compiled_pdep(x: Any, y: Any, out: Any) -> None:
    for i in range(x.size):
        out[i] = kernel.pdep(x[i], y[i])


def test_compiled_of_a_board() -> None:
    assert set(COMPILED_ONE_WORD) == set(ONE_WORD)
    definitions = [ONE_WORD[kernel_] for kernel_ in COMPILED_ONE_WORD]
    check_compiled(compiled_one_word, COMPILED_ONE_WORD, definitions, BOARDS)


@pytest.mark.parametrize(
    ("compiled", "kernel_"),
    [
        pytest.param(compiled_rotate_left, kernel.rotate_left, id="rotate_left"),
        pytest.param(compiled_byte_view, kernel.byte_view, id="byte_view"),
        pytest.param(compiled_pext_portable, kernel.pext_portable, id="pext_portable"),
        pytest.param(compiled_pext, kernel.pext, id="pext"),
        pytest.param(compiled_pdep_portable, kernel.pdep_portable, id="pdep_portable"),
        pytest.param(compiled_pdep, kernel.pdep, id="pdep"),
    ],
)
def test_compiled_of_two_words(compiled: Any, kernel_: Kernel) -> None:
    definition, pairs = PAIRS[kernel_]
    left, right = (np.array(words, U64) for words in zip(*pairs, strict=True))
    out = np.full(left.size, 0xDEAD, U64)
    compiled(left, right, out)
    assert out.tolist() == [definition(x, y) for x, y in pairs]
    assert out.tolist() == kernel_(left, right).tolist()


# Squares written as words.

WRITERS = [kernel.write_squares, kernel.write_squares_over, arrays.write_squares_portable]
SCALES = [(64, 12), (65, -8), (65, 16 | 3 << 14), (1, 0), (0xFFFF, 0xFFFF)]


@entry
def compiled_write_squares(boards: Any, scale: Any, base: Any, out: Any) -> Any:
    n = 0
    for i in range(boards.size):
        n = kernel.write_squares(out, n, boards[i], scale, base)
    return n


@entry
def compiled_write_squares_over(boards: Any, scale: Any, base: Any, out: Any) -> Any:
    n = 0
    for i in range(boards.size):
        n = kernel.write_squares_over(out, n, boards[i], scale, base)
    return n


@entry
def compiled_write_squares_portable(boards: Any, scale: Any, base: Any, out: Any) -> Any:
    n = 0
    for i in range(boards.size):
        n = arrays.write_squares_portable(out, n, boards[i], scale, base)
    return n


def written(boards: list[int], scale: int, base: int) -> list[int]:
    return [(base + scale * s) % 65536 for x in boards for s in squares_of(x)]


@pytest.mark.parametrize("writer", named(WRITERS))
def test_squares_written_in_python(writer: Kernel) -> None:
    for x in BOARDS[60:80]:
        for scale, base in SCALES:
            out = np.full(70, 0xDEAD, np.uint16)
            assert writer(out, 3, x, scale, base % 2**64) == 3 + len(squares_of(x))
            assert out.tolist() == [*[0xDEAD] * 3, *written([x], scale, base), *[0xDEAD] * (67 - len(squares_of(x)))]


@pytest.mark.parametrize("compiled", [compiled_write_squares, compiled_write_squares_portable])
@pytest.mark.parametrize(("scale", "base"), SCALES)
def test_squares_written_by_compiled_code(compiled: Any, scale: int, base: int) -> None:
    expected = written(BOARDS, scale, base)
    out = np.full(len(expected) + 64, 0xDEAD, np.uint16)
    assert compiled(np.array(BOARDS, U64), U64(scale), U64(base % 2**64), out) == len(expected)
    assert out.tolist() == [*expected, *[0xDEAD] * 64], "and nothing behind the last"


@pytest.mark.parametrize(("scale", "base"), SCALES)
def test_squares_written_where_what_lies_behind_does_not_matter(scale: int, base: int) -> None:
    expected = written(BOARDS, scale, base)
    out = np.full(len(expected) + 64, 0xDEAD, np.uint16)
    size = compiled_write_squares_over(np.array(BOARDS, U64), U64(scale), U64(base % 2**64), out[: len(expected) + 63])
    assert size == len(expected)
    assert out[:size].tolist() == expected
    assert out[-1] == 0xDEAD, "and nothing behind 64"


def test_the_writer_of_squares_is_one_instruction_where_there_is_one() -> None:
    text = compiled_write_squares.assembly(np.zeros(1, U64), U64(64), U64(0), np.zeros(1, np.uint16))
    hardware = arrays.has_compress() and not numba.config.BOUNDSCHECK
    assert ("vpcompressb" in text) == hardware
    assert ("{%k" in text) == hardware, "stores are masked"
    text = compiled_write_squares_over.assembly(np.zeros(1, U64), U64(64), U64(0), np.zeros(1, np.uint16))
    assert ("vpcompressb" in text) == hardware
    assert not re.search(r"vmov\S*\s+%[xyz]mm\d+, \S+ \{%k", text), "stores are not"
    assert "vpcompressb" not in compiled_write_squares_portable.assembly(
        np.zeros(1, U64), U64(64), U64(0), np.zeros(1, np.uint16)
    )


# A word written eight times.


@entry
def compiled_write_eight(words: Any, out: Any) -> None:
    for i in range(words.size):
        kernel.write_eight(out, U64(9 * i + 1), words[i])


@entry
def compiled_write_eight_portable(words: Any, out: Any) -> None:
    for i in range(words.size):
        arrays.write_eight_portable(out, U64(9 * i + 1), words[i])


WRITERS_OF_EIGHT = [
    kernel.write_eight,
    arrays.write_eight_portable,
    compiled_write_eight,
    compiled_write_eight_portable,
]


@pytest.mark.parametrize("writer", WRITERS_OF_EIGHT, ids=lambda writer: writer.__name__)
def test_a_word_is_written_to_eight_places_and_nowhere_else(writer: Any) -> None:
    words, out = np.array(BOARDS, U64), np.full(9 * len(BOARDS) + 1, 0xDEAD, U64)
    if writer.__name__.startswith("compiled"):
        writer(words, out)
    else:
        for i, word in enumerate(words):
            writer(out, U64(9 * i + 1), word)
    assert out[0] == 0xDEAD
    places = out[1:].reshape(-1, 9)
    assert (places[:, :8] == words[:, None]).all()
    assert (places[:, 8] == 0xDEAD).all()


def test_a_word_is_written_to_eight_places_by_one_store() -> None:
    text = compiled_write_eight.assembly(np.zeros(1, U64), np.zeros(9, U64))
    wide = settings.has_full_width() and not numba.config.BOUNDSCHECK
    assert (re.search(r"vmov\S*\s+%zmm\d+, ", text) is not None) == wide
