"""Windows of a bitmap, against big ints."""

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rookery.kernel import U64, entry, union_of_windows
from rookery.kernel.instructions.arrays import union_of_windows_portable


@entry
def compiled(out: Any, source: Any, starts: Any, count: Any, offset: Any) -> None:
    union_of_windows(out, source, starts, count, offset)


@settings(deadline=None)  # the first example compiles
@given(
    st.lists(st.integers(0, 2**64 - 1), min_size=20, max_size=20),
    st.lists(st.integers(0, 64 * 10), max_size=9),
    st.integers(0, 64),
    st.integers(0, 2**512 - 1),
)
def test_the_union_of_windows(words: list[int], starts: list[int], offset: int, before: int) -> None:
    bitmap = sum(word << 64 * i for i, word in enumerate(words))
    expected = before
    for start in starts:
        expected |= bitmap >> start + offset
    expected &= (1 << 512) - 1
    for union in (compiled, union_of_windows_portable, union_of_windows):
        out = np.array([before >> 64 * i & 2**64 - 1 for i in range(9)], U64)
        union(out, np.array(words, U64), np.array([*starts, 0], U64), U64(len(starts)), U64(offset))
        assert sum(int(word) << 64 * i for i, word in enumerate(out[:8])) == expected
        assert out[8] == 0
