"""Functions as modules of LLVM's language: nothing of Numba's in them, and they run when linked into others."""

import ctypes
from typing import Any

import llvmlite.binding as llvm
import numpy as np
import pytest

import object_files
from rookery.board.kernels.compiled import compiled, twins
from rookery.kernel import U64, Word, called_kernel, kernel
from rookery.kernel.compiler import linkable
from rookery.kernel.compiler.kinds import BOOL, NONE, SIGNED, WORD, Array, Number, Tuple, flattened, type_of
from rookery.kernel.compiler.linkable import compiled_ir
from rookery.kernel.compiler.values import Unsupported
from rookery.kernel.native.entry_wrappers import entry_wrapper
from rookery.kernel.native.units import machine, unit_of
from rookery.native_methods.kinds import TWINS
from rookery.native_methods.wrappers import wrapper_of


@kernel
def scaled(x: Word, by: Word) -> Word:
    return x * by + 7


@called_kernel
def rounds(x: Word) -> Word:
    n = U64(0)
    while x > 1:
        x = x >> 1 if x & 1 == 0 else 3 * x + 1
        n += 1
    return n


def total(words: Any, by: Any) -> Any:
    found = U64(0)
    for i in range(words.size):
        found += scaled(words[i], by) + rounds(words[i])
    return found


def test_a_module_runs_without_numba() -> None:
    made = compiled_ir(total, (np.zeros(0, U64), U64(0)))
    assert made.external == frozenset()
    assert made.return_type == WORD
    assert made.argument_types == (Array(WORD, 1), WORD)
    assert {file.rpartition("/")[2] for file in made.sources} == {"test_linkable.py"}
    module = llvm.parse_assembly(made.text)
    assert [f.name for f in module.functions if f.linkage == llvm.Linkage.external and not f.is_declaration] == [
        made.symbol
    ]
    assert all(v.linkage == llvm.Linkage.internal for v in module.global_variables)
    machine = llvm.Target.from_default_triple().create_target_machine(opt=3)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    kinds = {"ptr": ctypes.c_void_p, "i64": ctypes.c_uint64}
    types = [kinds[name] for kind in made.argument_types for name in flattened(kind)]
    call = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, *types)(engine.get_function_address(made.symbol))
    words, result = np.array([27, 5, 2**63], U64), ctypes.c_uint64()
    where = words.ctypes.data
    assert call(ctypes.addressof(result), where, 3, 11) == 0
    assert result.value == (sum(11 * x + 7 for x in words.tolist()) + 111 + 5 + 63) % 2**64


@pytest.mark.parametrize("name", ["is_insufficient_material", "set_piece_at", "pin", "see", "outcome", "set_fen"])
def test_the_functions_of_boards_need_no_symbol(name: str) -> None:
    twin = twins()[name]
    found = compiled_ir(twin.entry.function, (*twin.examples, *((compiled().tables,) if twin.tables else ())))
    assert not found.external
    assert found.return_type == (SIGNED if name == "see" else WORD)


def test_functions_around_one_kernel_share_it() -> None:
    """A linker keeps one group of each name: a native function and the entry of its Python body are small wrappers."""
    groups = {}
    for name in ("outcome", "result", "is_game_over"):
        twin = TWINS[name]
        examples = (*twin.examples, *((compiled().tables,) if twin.tables else ()))
        kernel = compiled_ir(twin.entry.function, examples)
        wrappers = {
            name: wrapper_of(twin, kernel, name),
            f"entry of {name}": entry_wrapper(twin.entry.function, kernel, f"entry of {name}", examples),
        }
        for symbol, wrapper in wrappers.items():
            defined = object_files.read(unit_of(wrapper, kernel, symbol).code).defined
            (groups[symbol],) = (group for group in defined if group.startswith("kernel."))
            assert defined[groups[symbol]], "any number of files may define it"
    assert groups["outcome"] == groups["entry of outcome"] == groups["result"] == groups["entry of result"]
    assert groups["is_game_over"] == groups["entry of is_game_over"] != groups["outcome"]


def test_types_of_examples() -> None:
    words = np.zeros((3, 4), U64)
    assert type_of(words) == Array(WORD, 2)
    assert type_of(words[:, 1:].T) == Array(WORD, 2, "A")
    assert type_of(words.T) == Array(WORD, 2, "F")
    assert type_of((True, 3, 2**63, np.float32(1), None)) == Tuple((BOOL, SIGNED, WORD, Number("f", 32), NONE))
    assert [*flattened(type_of((True, words)))] == ["i8", "ptr", "i64", "i64"]
    assert [*flattened(type_of((None, words.T)))] == ["ptr", *["i64"] * 4]
    wrong: tuple[Any, ...] = ("text", 1 << 64, np.zeros(3, "U1"), np.zeros(3, ">u8"), {})
    for value in wrong:
        with pytest.raises(TypeError, match="expected"):
            type_of(value)


@pytest.mark.parametrize(
    ("triple", "magic"),
    [
        ("aarch64-unknown-linux-gnu", b"\x7fELF"),
        ("arm64-apple-macosx", b"\xcf\xfa\xed\xfe"),
        ("x86_64-pc-windows-msvc", b"\x64\x86"),
    ],
)
def test_modules_for_other_machines(triple: str, magic: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    described = triple, "generic" if "64-" in triple and "arm" not in triple else "apple-m1", ""
    monkeypatch.setattr(linkable, "target", lambda: described)
    made = compiled_ir(total, (np.zeros(0, U64), U64(0)))
    code = machine(*described).emit_object(llvm.parse_assembly(made.text))
    assert code.startswith(magic)
    assert made == compiled_ir(total, (np.zeros(0, U64), U64(0)))  # the same bytes each time


def test_a_function_that_was_edited_since_is_not_compiled(tmp_path: Any) -> None:
    """Its machine code would do what the file says, and not what the function does."""
    file = tmp_path / "edited.py"
    scope: dict[str, Any] = {}
    for number in (1, 2):
        file.write_text(f"def f(x):\n    return x + {number}\n", encoding="utf-8")
        if number == 1:
            exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), scope)
    with pytest.raises(Unsupported, match="f differs from its source"):
        compiled_ir(scope["f"], (U64(1),))
