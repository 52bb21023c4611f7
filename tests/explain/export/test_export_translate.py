"""What kernels may say to be exported, and how it comes out."""

import functools
import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from exports import COMPILED, TOOLS, assert_agrees

from rookery.bitboards import bits
from rookery.bitboards.mappings import LITTLE_ENDIAN_RANK_FILE
from rookery.explain import export
from rookery.explain.export.ir import Name, Program
from rookery.explain.export.kernel_values import Tables, Untranslatable
from rookery.explain.export.languages.python import Python
from rookery.explain.export.translate import KernelTranslator
from rookery.explain.export.writer import Export
from rookery.kernel import U64, UNIVERSE, Bits, Square, Word, kernel, pdep, pext
from rookery.techniques.base import Technique
from thinning import slow_but


@kernel
def with_a_list(sq: Square, occupied: Bits, t: Any) -> Bits:
    return sum([sq, occupied])


@kernel
def with_a_row(sq: Square, occupied: Bits, t: Any) -> Bits:
    return of_a_row(t.rows[sq], occupied)


@kernel
def of_a_row(row: Any, occupied: Bits) -> Bits:
    return row[occupied & U64(1)]


@kernel
def with_a_negative_table(sq: Square, occupied: Bits, t: Any) -> Bits:
    return U64(t.negative[sq])


@kernel
def with_an_unknown_field(sq: Square, occupied: Bits, t: Any) -> Bits:
    return t.nothing[sq]


class SomeTables:
    rows = np.arange(2**40, 2**40 + 128, dtype=U64).reshape(64, 2)
    negative = np.full(64, -1)


@pytest.mark.parametrize(
    ("kernel_", "message"),
    [
        (with_a_list, "with_a_list: cannot be exported"),
        (with_a_row, "a row of a table, which one is not known"),
        (with_a_negative_table, "negative elements"),
        (with_an_unknown_field, r"t\.nothing"),
    ],
)
def test_untranslatable_code_is_refused(kernel_: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        KernelTranslator(Program()).function(kernel_, (Name("sq"), Name("occupied"), Tables(SomeTables())))
    assert issubclass(Untranslatable, ValueError)


# What can be said means the same.


@kernel
def twice(register: Word) -> Word:
    return register + register


@kernel
def many_things(register: Word, fn: Word, t: Any) -> Word:
    as_, in_ = register & fn, ~register
    result = 0
    if register & U64(1):
        found = in_ - fn
        result ^= found
    elif register > fn:
        found = fn * register
    else:
        found = twice(fn)
    for i in range(5):
        found = (found << 3) + (found >> U64(i)) + t.rows[as_ & U64(63), i & 1]
    while found > result:
        found = found >> 1
        if (found != fn) & (found >= U64(1000)):
            break
    if register > fn and twice(fn) != in_ and found & 1 != 0:
        result ^= found
    result = result | (found % U64(1009)) | np.maximum(register, U64(register == fn))
    return result if fn < UNIVERSE else pext(result, fn) ^ pdep(result, in_)


def translated(register: int, fn: int) -> int:
    return int(names()["many_things"](register, fn))


@functools.cache
def names() -> dict[str, Any]:
    program = Program()
    translator = KernelTranslator(program)
    translator.function(many_things, (Name("register"), Name("fn"), Tables(SomeTables())))
    writer = Python(Export(program, Program(), LITTLE_ENDIAN_RANK_FILE, []))
    found: dict[str, Any] = {"WORD": 2**64 - 1}
    exec("\n".join(writer.body(program.pruned())), found)
    return found


def test_translated_kernels_answer_alike() -> None:
    words = [0, 1, 2, 63, 2**63, 2**64 - 1, *np.random.default_rng(5).integers(0, 2**64, 40, dtype=U64).tolist()]
    for register, fn in itertools.product(words, repeat=2):
        expected = many_things(U64(register), U64(fn), SomeTables())
        assert translated(register, fn) == int(expected)


@kernel
def with_names_of_modules(sq: Square, occupied: Bits, t: Any) -> Bits:
    return bits.reset_ls1b(occupied) | (bits.RANK_8 ^ bits.bit(sq))


def test_names_of_modules_are_found() -> None:
    program = Program()
    name = KernelTranslator(program).function(
        with_names_of_modules, (Name("sq"), Name("occupied"), Tables(SomeTables()))
    )
    assert {*program.functions} == {name, "reset_ls1b", "bit"}
    assert program.constants == {"RANK_8": int(bits.RANK_8)}


@pytest.mark.parametrize("language", slow_but(TOOLS, *COMPILED))
def test_words_that_a_language_claims(language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Variables named like keywords, or first assigned in a branch, in a module that also has the look-ups."""

    def with_more(technique: Technique, **options: bool) -> Program:
        program = original(technique, **options)
        translator = KernelTranslator(program, taken={*program.functions, *program.tables})
        translator.function(many_things, (Name("register"), Name("fn"), Tables(SomeTables())), "more")
        return program

    original = export.program.module
    monkeypatch.setattr(export, "module", with_more)
    assert_agrees(language, "rays", tmp_path)
