"""Entries that callers know by their names."""

from typing import Any

import numpy as np
import pytest

from rookery.bitboards.leapers import look_up_arrays
from rookery.kernel import entries, entry_of
from rookery.kernel.codecache.type_keys import text_of


def test_the_machine_code_is_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Describing the types takes 0.3 ms for entries with many arguments, and readers resolve one for each block."""
    described = []

    def describe(examples: Any) -> str:
        described.append(examples)
        return text_of(examples)

    by_name = entry_of("rookery.bitboards.leapers", "look_up_arrays")
    operands = np.zeros(1, np.uint8), np.zeros(1, np.uint64), np.zeros(64, np.uint64)
    code = by_name.resolve(*operands)
    assert code is look_up_arrays.resolve(*operands)
    monkeypatch.setattr(entries, "text_of", describe)
    assert by_name.resolve(*operands) is code
    assert not described
    by_name.resolve(operands[0].astype(np.int64), *operands[1:])
    assert described
