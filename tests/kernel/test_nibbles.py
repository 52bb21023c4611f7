"""Look-ups by nibbles: against XORs of ints, in Python, by the portable loop and by vectors of x86-64 and ARM."""

from typing import Any

import numba
import numpy as np
import pytest

from rookery.kernel import NIBBLE_ROWS, U64, byte_planes, entry
from rookery.kernel import xor_by_nibbles as fast
from rookery.kernel.building import Memory
from rookery.kernel.instructions import nibbles
from rookery.kernel.instructions.nibbles import has_byte_look_ups
from rookery.kernel.instructions.nibbles import xor_by_nibbles_portable as portable


@entry
def compiled(words: Any, table: Any, planes: Any, out: Any) -> None:
    fast(words, table, planes, out)


@entry
def compiled_portable(words: Any, table: Any, planes: Any, out: Any) -> None:
    portable(words, table, planes, out)


def operands(count: int) -> tuple[Any, Any]:
    """Return random words of five for each row, and a random table for `count` nibbles."""
    rng = np.random.default_rng(count)
    words = rng.integers(0, 2**64, (5, NIBBLE_ROWS), U64, endpoint=False)
    return words, rng.integers(0, 2**64, 16 * count, U64, endpoint=False)


def expected(words: Any, table: Any, count: int) -> list[int]:
    found = []
    for row in words.T.tolist():
        bits, key = sum(word << 64 * k for k, word in enumerate(row)), 0
        for n in range(count):
            key ^= int(table[16 * n + (bits >> 4 * n & 15)])
        found.append(key)
    return found


@pytest.mark.parametrize("count", [2, 14, 16, 18, 72, 80])
@pytest.mark.parametrize(
    "function", [fast, portable, compiled, compiled_portable], ids=lambda f: f"{f.__module__}.{f.__name__}"
)
def test_words_are_looked_up_by_nibbles(function: Any, count: int) -> None:
    words, table = operands(count)
    out = np.full(NIBBLE_ROWS + 8, 0xDEAD, U64)
    function(words.reshape(-1), table, byte_planes(table), out[:NIBBLE_ROWS])
    assert out[:NIBBLE_ROWS].tolist() == expected(words, table, count)
    assert (out[NIBBLE_ROWS:] == 0xDEAD).all()


def test_the_planes_of_a_table() -> None:
    _, table = operands(3)
    planes = byte_planes(table)
    for n in range(3):
        for value in range(16):
            word = int(table[16 * n + value])
            assert [int(planes[128 * n + 16 * b + value]) for b in range(8)] == list(word.to_bytes(8, "little"))


def test_bytes_are_looked_up_by_an_instruction_where_there_is_one() -> None:
    words, table = operands(72)
    text = compiled.assembly(words.reshape(-1), table, byte_planes(table), np.zeros(NIBBLE_ROWS, U64))
    hardware = has_byte_look_ups() and not numba.config.BOUNDSCHECK
    assert (text.count("vpshufb") >= 16 or text.count("tbl") >= 16) == hardware


def test_the_vectors_compile_for_arm(monkeypatch: pytest.MonkeyPatch) -> None:
    from llvmlite import binding, ir

    monkeypatch.setattr(nibbles, "cpu", lambda: ("generic", "+neon"))
    module = ir.Module()
    word, byte = ir.IntType(64), ir.IntType(8)
    kinds = [word.as_pointer(), byte.as_pointer(), word, word.as_pointer()]
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), kinds), "look_up")
    builder = ir.IRBuilder(function.append_basic_block())
    words, planes, size, out = function.args
    nibbles._xor(builder, Memory(words, None), None, Memory(planes, size), Memory(out, None))
    builder.ret_void()
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    machine = binding.Target.from_triple("aarch64-unknown-linux-gnu").create_target_machine(features="+neon", opt=3)
    text = machine.emit_assembly(binding.parse_assembly(str(module)))
    assert text.count("tbl") == 32
