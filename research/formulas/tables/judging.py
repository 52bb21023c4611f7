"""Whether a program with a look-up is right on the cases, whatever its table contains.

A program is right if, for each index, some entry makes it right in all cases that have this index and use the same
table:

- A byte has 256 values, and all are tried, in the lanes of vectors. Each case has the set of bytes that make it right,
  and the sets of equal indices must have a byte in common.
- A word is built from its lowest bit on, for each two cases of equal index. The operations of `ops.ARITHMETIC` carry
  from low bits to high ones only, so the low bits of the answers are known, and words whose operations carry alike need
  not be told apart. That two cases each have a word in common is necessary, but not sufficient for three;
  `contents.wrong_cases` decides about the programs that remain.
"""

from typing import Any

import numpy as np

from formulas import operations as ops
from formulas.operations import apply
from formulas.tables.state import ENTRIES
from rookery.kernel import U64, cold_kernel, kernel, signed


@kernel
def _carries(code: Any, x: Any, y: Any, low: Any) -> Any:
    """Return whether an operation carries out of the low bits."""
    if code == ops.ADD:
        return (x & low) + (y & low) > low
    if code == ops.SUB:
        return (x & low) < (y & low)
    return code == ops.NEG and (x & low) != 0


@cold_kernel
@signed
def _step_word(s: Any, t: Any, most: Any, n: Any, d: Any, which: Any, case: Any, word: Any, j: Any) -> Any:
    """Run the operations after the look-up with an entry, in one of two cases, up to bit `j`.

    Return what they carry out of the bits up to `j`, one bit for each operation, and bit 63 if the answer is wrong.
    """
    base = which * most
    low = (U64(2) << U64(j)) - U64(1)
    t.words[base + n] = word
    carried = U64(0)
    for p in range(d):
        o, a, b = t.steps[3 * p], base + t.steps[3 * p + 1], base + t.steps[3 * p + 2]
        apply(s.codes[o], s.constants[o], t.words, a, t.words, b, t.answers, 1)
        t.words[base + n + 1 + p] = t.answers[0]
        if _carries(s.codes[o], t.words[a], t.words[b], low):
            carried |= U64(1) << U64(p)
    if ((t.words[base + n + d] & s.care[case]) ^ s.target[case]) >> U64(j) & U64(1):
        carried |= U64(1) << U64(63)
    return carried


@cold_kernel
@signed
def _have_word(s: Any, t: Any, cases: Any, n: Any, d: Any, first: Any, second: Any) -> Any:
    """Return whether some word makes the program right in both cases."""
    most = len(t.words) // 2
    for v in range(n):
        t.words[v] = s.rows[s.values[v] * cases + first]
        t.words[most + v] = s.rows[s.values[v] * cases + second]
    half = len(t.states) // 2
    here, there, count = 0, half, 1
    t.states[0] = U64(0)
    wrong = U64(1) << U64(63)
    for j in range(64):
        following = 0
        for k in range(2 * count):
            word = t.states[here + (k >> 1)] | (U64(k & 1) << U64(j))
            one = _step_word(s, t, most, n, d, 0, first, word, j)
            if one & wrong:
                continue
            two = _step_word(s, t, most, n, d, 1, second, word, j)
            if two & wrong:
                continue
            signature = one | (two << U64(d))
            known = False
            for i in range(following):
                known |= t.signatures[there + i] == signature
            if not known:
                t.states[there + following] = word
                t.signatures[there + following] = signature
                following += 1
        if following == 0:
            return False
        here, there, count = there, here, following
    return True


@cold_kernel
@signed
def _fit(s: Any, t: Any, cases: Any, n: Any, d: Any, case: Any) -> Any:
    """Write the set of bytes with which the program is right in a case; return whether there are any."""
    for v in range(n):
        word = s.rows[s.values[v] * cases + case]
        for i in range(ENTRIES):
            t.scratch[v * ENTRIES + i] = word
    for i in range(ENTRIES):
        t.scratch[n * ENTRIES + i] = U64(i)
    for p in range(d):
        o, a, b = t.steps[3 * p], t.steps[3 * p + 1] * ENTRIES, t.steps[3 * p + 2] * ENTRIES
        apply(s.codes[o], s.constants[o], t.scratch, a, t.scratch, b, t.answers, ENTRIES)
        for i in range(ENTRIES):
            t.scratch[(n + 1 + p) * ENTRIES + i] = t.answers[i]
    some = False
    for part in range(4):
        fits = U64(0)
        for i in range(64):
            answer = t.scratch[(n + d) * ENTRIES + 64 * part + i]
            if (answer & s.care[case]) == s.target[case]:
                fits |= U64(1) << U64(i)
        t.fits[4 * case + part] = fits
        some |= fits != U64(0)
    return some


@cold_kernel
@signed
def find_equal(s: Any, t: Any, cases: Any, index: Any) -> Any:
    """Write for each case the one before it that finds the same entry by an index, or -1."""
    bits = t.index_bits[0]
    mask = (U64(1) << U64(bits)) - U64(1)
    row = s.values[index] * cases
    for case in range(cases):
        slot = (t.groups[case] << bits) | np.int64(s.rows[row + case] & mask)
        t.before[index * cases + case] = t.slots[slot]
        t.slots[slot] = case
    for case in range(cases):
        t.slots[(t.groups[case] << bits) | np.int64(s.rows[row + case] & mask)] = -1
    return 0


@cold_kernel
@signed
def _bytes_agree(t: Any, cases: Any, index: Any) -> Any:
    """Return whether all cases with one index and table have a byte in common; `fits` becomes what they have."""
    for case in range(cases):
        before = t.before[index * cases + case]
        if before >= 0:
            some = False
            for part in range(4):
                fits = t.fits[4 * case + part] & t.fits[4 * before + part]
                t.fits[4 * case + part] = fits
                some |= fits != U64(0)
            if not some:
                return False
    return True


@cold_kernel
@signed
def is_right(s: Any, t: Any, cases: Any, n: Any, d: Any, index: Any) -> Any:
    """Return whether a table makes the program right on the cases, as far as two cases of words tell."""
    if not t.of_bytes[0]:
        for case in range(cases):
            before = t.before[index * cases + case]
            if before >= 0 and not _have_word(s, t, cases, n, d, before, case):
                return False
        return True
    for case in range(cases):
        if not _fit(s, t, cases, n, d, case):
            return False
    find_equal(s, t, cases, index)
    return _bytes_agree(t, cases, index)
