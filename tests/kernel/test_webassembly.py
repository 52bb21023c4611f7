"""Modules for WebAssembly: arrays whose reads are noted, code for another machine, and modules that are kept."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rookery.kernel import U64, pext
from rookery.kernel.codecache.modules import kept
from rookery.kernel.compiler.kinds import NotedReads, type_of
from rookery.kernel.compiler.linkable import compiled_ir
from rookery.kernel.compiler.values import Unsupported
from rookery.kernel.settings import cpu, target
from rookery.kernel.webassembly import BITS, SMALL, Assembly, Exported, Passed, portable

pytestmark = pytest.mark.compiler


def third_of_row(table: Any, row: Any) -> Any:
    return table[row, 2] + 1


def part(table: Any, row: Any) -> Any:
    return table[row][2]


def gathered(words: Any, mask: Any) -> Any:
    return pext(words[0], mask)


def chosen(flag: Any, word: Any) -> Any:
    return word if flag else word + 1


def noted(shape: tuple[int, ...]) -> Any:
    return np.zeros(shape, U64).view(NotedReads)


def test_a_noted_read_is_zero_and_stores_its_index() -> None:
    text = compiled_ir(third_of_row, (noted((4, 8)), U64(0))).text
    assert "load" not in text
    assert "store i64 1" in text  # 0 + 1
    assert text.count("store") == 2  # of the index, and of the result
    assert type_of(noted((4,))) != type_of(np.zeros(4, U64))


def test_a_part_of_such_an_array_is_refused() -> None:
    with pytest.raises(Unsupported, match="notes its reads"):
        compiled_ir(part, (noted((4, 8)), U64(0)))


def test_code_for_another_machine_uses_none_of_this_one() -> None:
    before = target()
    with portable():
        assert target()[0] == "wasm32-unknown-unknown"
        assert "bmi2" not in cpu()[1]
        text = compiled_ir(gathered, (np.zeros(1, U64), U64(0))).text
        assert "x86" not in text
        assert 'target triple = "wasm32-unknown-unknown"' in text
    assert target() == before


def test_what_cannot_be_passed_is_refused() -> None:
    with portable(), pytest.raises(TypeError, match="expected a parameter, an array or a tuple"):
        Assembly().add(Exported("wrong", chosen, (True, BITS)))


def test_a_module_exports_what_was_added() -> None:
    assembly = Assembly()
    with portable():
        words = assembly.space("words", np.zeros(1, U64), is_exported=True)
        assembly.add(Exported("gathered", gathered, (words, BITS)))
        assembly.add(Exported("of", gathered, (Passed(U64), SMALL), "i32"))
        assembly.add_address("where", words)
        module = assembly.module()
    assert module[:4] == b"\0asm"
    assert all(name.encode() in module for name in ("words", "gathered", "of", "where", "memory"))


def test_a_module_is_kept_until_a_source_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    made = []

    def make() -> bytes:
        made.append(1)
        return b"module"

    for version in ("1", "1", "2", "2"):
        assert kept(Path(__file__), "x", version, make) == b"module"
    assert len(made) == 2
    (file,) = tmp_path.rglob("*.wasm")  # that of the first version is gone
    if os.name == "posix":
        file.chmod(0o666)  # others may have written it
        assert kept(Path(__file__), "x", "2", make) == b"module"
        assert len(made) == 3
