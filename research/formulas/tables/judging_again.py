"""How the second search decides about a program with a look-up: its own way, apart from `judging`.

- Bytes: the cases with one index are gone through together, byte by byte, until one byte is right in all of them.
- Words: the operations of two cases of equal index run as adders do, bit by bit, with the carries that some word leads
  to.
"""

from typing import Any

import numpy as np

from formulas import operations as ops
from formulas.sequences import RIGHT, result
from formulas.tables.state import ENTRIES
from rookery.kernel import U64, cold_kernel, kernel, signed


@kernel
@signed
def _run(s: Any, inputs: Any, length: Any, case: Any, entry_: Any, out: Any) -> Any:
    """Write every value in a case to `out`, if the look-up returns an entry."""
    cases = len(s.target)
    for p in range(inputs):
        out[p] = s.inputs[p * cases + case]
    for d in range(length):
        o, a, b = s.instruction[3 * d], s.instruction[3 * d + 1], s.instruction[3 * d + 2]
        if s.codes[o] == ops.LOOK_UP:
            out[inputs + d] = entry_
        else:
            out[inputs + d] = result(s.codes[o], s.constants[o], out[a], out[b])
    return 0


@cold_kernel
@signed
def _find_slots(s: Any, inputs: Any, length: Any) -> Any:
    """Write which slot each case reads, and the case before it that reads the same one."""
    mask = (U64(1) << U64(s.index_bits[0])) - U64(1)
    index = 0
    for d in range(length):
        if s.codes[s.instruction[3 * d]] == ops.LOOK_UP:
            index = s.instruction[3 * d + 1]
    for case in range(len(s.target)):
        _run(s, inputs, length, case, U64(0), s.first)
        s.indices[case] = (s.groups[case] << s.index_bits[0]) | np.int64(s.first[index] & mask)
        s.before[case] = -1
        for other in range(case):
            if s.indices[other] == s.indices[case]:
                s.before[case] = other
    return 0


@cold_kernel
@signed
def _is_right(s: Any, inputs: Any, length: Any, case: Any, entry_: Any) -> Any:
    _run(s, inputs, length, case, entry_, s.first)
    return (s.first[inputs + length - 1] & s.care[case]) == s.target[case]


@cold_kernel
@signed
def _bytes_are_right(s: Any, inputs: Any, length: Any) -> Any:
    """Return whether each slot has a byte that is right in all cases that read it."""
    cases = len(s.target)
    for case in range(cases):
        some = False
        for byte in range(ENTRIES):
            if not some and _is_right(s, inputs, length, case, U64(byte)):
                some = True
                other = s.before[case]
                while other >= 0 and some:
                    some = _is_right(s, inputs, length, other, U64(byte))
                    other = s.before[other]
        if not some:
            return False
    return True


@cold_kernel
@signed
def _run_bit(s: Any, inputs: Any, length: Any, values: Any, out: Any, bit: Any, entry_bit: Any, carries: Any) -> Any:
    """Write bit `bit` of every value to `out`; return the carries of all operations, one bit each."""
    carried = U64(0)
    for v in range(inputs):
        out[v] = (values[v] >> U64(bit)) & U64(1)
    for d in range(length):
        o, a, b = s.instruction[3 * d], s.instruction[3 * d + 1], s.instruction[3 * d + 2]
        code, v = s.codes[o], inputs + d
        if code == ops.LOOK_UP:
            out[v] = entry_bit
            continue
        if not s.depends[v]:
            out[v] = (values[v] >> U64(bit)) & U64(1)
            continue
        x, y, carry = out[a], out[b], (carries >> U64(d)) & U64(1)
        new = U64(0)
        if code == ops.ADD:
            total = x + y + carry
            out[v], new = total & U64(1), total >> U64(1)
        elif code == ops.SUB:  # x + ~y + 1: the carry is the borrow turned round
            total = x + (y ^ U64(1)) + (carry ^ U64(1))
            out[v], new = total & U64(1), (total >> U64(1)) ^ U64(1)
        elif code == ops.NEG:
            total = (x ^ U64(1)) + (carry ^ U64(1))
            out[v], new = total & U64(1), (total >> U64(1)) ^ U64(1)
        elif code == ops.XOR:
            out[v] = x ^ y
        elif code == ops.AND:
            out[v] = x & y
        elif code == ops.OR:
            out[v] = x | y
        elif code == ops.ANDN:
            out[v] = (x ^ U64(1)) & y
        else:
            out[v] = x ^ U64(1)
        carried |= new << U64(d)
    return carried


@cold_kernel
@signed
def _have_word(s: Any, inputs: Any, length: Any, one: Any, two: Any, bits: Any) -> Any:
    """Return whether a word is right in two cases. `bits` is scratch."""
    _run(s, inputs, length, one, U64(0), s.first)
    _run(s, inputs, length, two, U64(0), s.second)
    answer = inputs + length - 1
    sets = bits[len(s.first) :]  # of carries: those of both cases, and the next ones
    count = 1
    sets[0] = U64(0)
    half = len(sets) // 2
    here, there = 0, half
    for bit in range(64):
        following = 0
        for k in range(2 * count):
            carries, entry_bit = sets[here + (k >> 1)], U64(k & 1)
            low = _run_bit(s, inputs, length, s.first, bits, bit, entry_bit, carries)
            if ((bits[answer] << U64(bit)) ^ s.target[one]) & s.care[one] & (U64(1) << U64(bit)):
                continue
            high = _run_bit(s, inputs, length, s.second, bits, bit, entry_bit, carries >> U64(32))
            if ((bits[answer] << U64(bit)) ^ s.target[two]) & s.care[two] & (U64(1) << U64(bit)):
                continue
            new = low | (high << U64(32))
            known = False
            for i in range(following):
                known |= sets[there + i] == new
            if not known:
                sets[there + following] = new
                following += 1
        if following == 0:
            return False
        here, there, count = there, here, following
    return True


@cold_kernel
@signed
def judge(s: Any, inputs: Any, length: Any, bits: Any) -> Any:
    """Count a complete program, and count it as right if a table makes it so on the cases."""
    _find_slots(s, inputs, length)
    if s.of_bytes[0]:
        if _bytes_are_right(s, inputs, length):
            s.counts[RIGHT] += 1
        return 0
    for case in range(len(s.target)):
        if s.before[case] >= 0 and not _have_word(s, inputs, length, s.before[case], case, bits):
            return 0
    s.counts[RIGHT] += 1
    return 0
