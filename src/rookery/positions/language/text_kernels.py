"""Compiled code that compares texts of headers."""

from typing import Any

import numpy as np

from rookery.kernel import array_of, entry, signed


@entry(examples=lambda: (array_of(np.int64), array_of(np.uint8), array_of(np.uint8), 0, 0, array_of(np.int8)))
@signed
def judge_texts(offsets: Any, data: Any, text: Any, length: Any, how: Any, out: Any) -> None:
    """Compare each text with one text, by bytes: write -1, 0 or 1, or whether it starts with, contains or ends with it.

    `how` is 0 to compare, 1 for starts, 2 for contains, 3 for ends.
    """
    for i in range(out.size):
        start, end = offsets[i], offsets[i + 1]
        if how == 0:
            k = 0
            while k < length and start + k < end and data[start + k] == text[k]:
                k += 1
            if k == length:
                out[i] = 0 if start + k == end else 1
            elif start + k == end:
                out[i] = -1
            else:
                out[i] = 1 if data[start + k] > text[k] else -1
            continue
        found = np.int8(0)
        last = end - length
        at = last if how == 3 and last > start else start
        if how == 1 and last > start:
            last = start
        while at <= last and not found:
            k = 0
            while k < length and data[at + k] == text[k]:
                k += 1
            if k == length:
                found = np.int8(1)
            at += 1
        out[i] = found


@entry(
    examples=lambda: (array_of(np.int64), array_of(np.uint8), array_of(np.int64), array_of(np.uint8), array_of(np.int8))
)
@signed
def order_texts(offsets: Any, data: Any, other_offsets: Any, other: Any, out: Any) -> None:
    """Compare each text with its counterpart, by bytes: write -1, 0 or 1."""
    for i in range(out.size):
        a, a_end = offsets[i], offsets[i + 1]
        b, b_end = other_offsets[i], other_offsets[i + 1]
        while a < a_end and b < b_end and data[a] == other[b]:
            a += 1
            b += 1
        if a == a_end or b == b_end:
            out[i] = (0 if b == b_end else -1) if a == a_end else 1
        else:
            out[i] = 1 if data[a] > other[b] else -1
