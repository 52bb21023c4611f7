"""The search: every set of values that `n` operations can make, once, whatever the order of the operations.

A value is identified by what it is on the cases: a row of words, one a case. The *arena* is a list of rows: first the
inputs, then every value that one operation makes of them. A set of values grows by one row of the arena at a time,
always one behind the row that was taken last. With each row taken, the values that it makes with those in the set are
appended, unless an equal row is there. Two consequences:

- Every set of values is met once: the first of its rows in the arena is always the next to be taken.
- No value is computed twice, and no row is there twice. If two operations of a program gave equal rows, one of them
  would be superfluous in a shorter program that is right on the cases, too.

The last two operations are not taken but tested. Each operation must be used, and an operation has at most two
operands, so what is still unused limits what can be tested: in most sets, only a few pairs are left. A test looks at
one case first, which tells nearly all programs from the answer.

"No program with n operations is right on the cases" is therefore exhaustive, if it also holds for fewer operations. A
program that is right on the cases may still be wrong on others.
"""

from typing import Any, Final

import numpy as np

from formulas.operations import FIRST_ORDERED, FIRST_UNARY, apply
from formulas.state import ARENA, HITS, SETS, TESTS, UNUSED, VALUES
from rookery.kernel import cold_kernel, entry, kernel, signed

# Part of what a count means: to be raised when the search visits other sets or makes other tests than before.
VERSION: Final = 1


@kernel
def _hash(s: Any, cases: Any) -> Any:
    h = s.weights[0]
    for i in range(cases):
        h = h + (s.row[i] ^ (s.row[i] >> 31)) * s.weights[i]
    return h ^ (h >> 29)


@kernel
@signed
def append(s: Any, cases: Any, by: Any, left: Any, right: Any) -> Any:
    """Append the scratch row to the arena, unless it is there."""
    h = _hash(s, cases)
    slots = len(s.table) - 1
    slot = np.int64(h) & slots
    there = False
    while s.table[slot] >= 0 and not there:
        other = s.table[slot]
        if s.hashes[other] == h:
            there = True
            for i in range(cases):
                if s.rows[other * cases + i] != s.row[i]:
                    there = False
        slot = (slot + 1) & slots
    if not there:
        end = s.counts[ARENA]
        for i in range(cases):
            s.rows[end * cases + i] = s.row[i]
        s.first[end] = s.row[0]
        s.hashes[end] = h
        s.made_by[end] = by
        s.left[end] = left
        s.right[end] = right
        s.table[slot] = end
        s.counts[ARENA] = end + 1
    return 0


@kernel
@signed
def truncate(s: Any, end: Any) -> Any:
    """Remove the last rows of the arena, so that `end` rows remain."""
    slots = len(s.table) - 1
    while s.counts[ARENA] > end:
        last = s.counts[ARENA] - 1
        slot = np.int64(s.hashes[last]) & slots
        while s.table[slot] != last:
            slot = (slot + 1) & slots
        s.table[slot] = -1
        s.counts[ARENA] = last
    return 0


@cold_kernel
@signed
def extend(s: Any, cases: Any) -> Any:
    """Append what the last value of the set makes, alone and with those before it."""
    p = s.counts[VALUES] - 1
    v = s.values[p] * cases
    for o in range(len(s.codes)):
        code, constant = s.codes[o], s.constants[o]
        if code >= FIRST_UNARY:
            apply(code, constant, s.rows, v, s.rows, v, s.row, cases)
            append(s, cases, o, p, p)
            continue
        for q in range(p + 1):
            x = s.values[q] * cases
            apply(code, constant, s.rows, v, s.rows, x, s.row, cases)
            append(s, cases, o, p, q)
            if code >= FIRST_ORDERED and q < p:
                apply(code, constant, s.rows, x, s.rows, v, s.row, cases)
                append(s, cases, o, q, p)
    return 0


@cold_kernel
@signed
def _is_right(s: Any, cases: Any, y: Any, o: Any, z: Any, z_is_left: Any) -> Any:
    """Return whether the last two operations are right in every case; `y` is an index of `tried`, `z` a position."""
    code, constant = s.codes[s.tried_by[y]], s.constants[s.tried_by[y]]
    a, b = s.values[s.tried_left[y]] * cases, s.values[s.tried_right[y]] * cases
    last, last_constant = s.codes[o], s.constants[o]
    for i in range(cases):
        apply(code, constant, s.rows, a + i, s.rows, b + i, s.row, 1)
        s.row[1] = s.row[0]
        if z < 0:
            apply(last, last_constant, s.row, 1, s.row, 1, s.row, 1)
        elif z_is_left:
            apply(last, last_constant, s.rows, s.values[z] * cases + i, s.row, 1, s.row, 1)
        else:
            apply(last, last_constant, s.row, 1, s.rows, s.values[z] * cases + i, s.row, 1)
        if (s.row[0] & s.care[i]) != s.target[i]:
            return False
    return True


@kernel
@signed
def _report(s: Any, inputs: Any, y: Any, o: Any, z: Any, z_is_left: Any) -> Any:
    """Write the steps of a program: those of the set, the one of `y`, the last one."""
    h, n = s.counts[HITS], s.counts[VALUES]
    s.counts[HITS] = h + 1
    if h >= len(s.hits):
        return 0
    for p in range(inputs, n):
        row = s.values[p]
        s.hits[h, p - inputs, 0], s.hits[h, p - inputs, 1] = s.made_by[row], s.left[row]
        s.hits[h, p - inputs, 2] = s.right[row]
    d = n - inputs
    s.hits[h, d, 0], s.hits[h, d, 1], s.hits[h, d, 2] = s.tried_by[y], s.tried_left[y], s.tried_right[y]
    other = n if z < 0 else z
    s.hits[h, d + 1, 0] = o
    s.hits[h, d + 1, 1], s.hits[h, d + 1, 2] = (other, n) if z_is_left else (n, other)
    return 0


@kernel
@signed
def _test(s: Any, cases: Any, inputs: Any, first: Any, count: Any, o: Any, z: Any, z_is_left: Any) -> Any:
    """Test the values from `first` on with one last operation; `z` is its other operand, below 0 for none."""
    if z < 0:
        apply(s.codes[o], s.constants[o], s.tried, first, s.tried, first, s.answers, count)
    elif z_is_left:
        apply(s.codes[o], s.constants[o], s.repeated, 0, s.tried, first, s.answers, count)
    else:
        apply(s.codes[o], s.constants[o], s.tried, first, s.repeated, 0, s.answers, count)
    target, care = s.target[0], s.care[0]
    same = 0
    for i in range(count):
        same += (s.answers[i] & care) == target
    s.counts[TESTS] += count
    if same:
        for i in range(count):
            if (s.answers[i] & care) == target and _is_right(s, cases, first + i, o, z, z_is_left):
                _report(s, inputs, first + i, o, z, z_is_left)
    return 0


@cold_kernel
@signed
def _test_with(s: Any, cases: Any, inputs: Any, first: Any, last: Any, z: Any) -> Any:
    """Test the values from `first` up to `last` with each last operation and the value at position `z`."""
    count = last - first
    if count <= 0:
        return 0
    word = s.first[s.values[z]]
    for i in range(count):
        s.repeated[i] = word
    for o in range(len(s.codes)):
        if s.codes[o] < FIRST_UNARY:
            _test(s, cases, inputs, first, count, o, z, False)
            if s.codes[o] >= FIRST_ORDERED:
                _test(s, cases, inputs, first, count, o, z, True)
    return 0


@cold_kernel
@signed
def _test_with_any(s: Any, cases: Any, inputs: Any, first: Any, last: Any) -> Any:
    """Test the values from `first` up to `last` alone, with themselves and with each value of the set."""
    if last <= first:
        return 0
    for o in range(len(s.codes)):
        _test(s, cases, inputs, first, last - first, o, -1, False)
    for z in range(s.counts[VALUES]):
        _test_with(s, cases, inputs, first, last, z)
    return 0


@kernel
@signed
def _try(s: Any, end: Any, o: Any, left: Any, right: Any) -> Any:
    """Append the first word of what an operation makes of two values to those that are tested."""
    apply(s.codes[o], s.constants[o], s.first, s.values[left], s.first, s.values[right], s.row, 1)
    s.tried[end] = s.row[0]
    s.tried_by[end], s.tried_left[end], s.tried_right[end] = o, left, right
    return end + 1


@kernel
@signed
def _try_with(s: Any, end: Any, p: Any, q: Any) -> Any:
    """Append what each operation with two operands makes of two values."""
    for o in range(len(s.codes)):
        if s.codes[o] < FIRST_UNARY:
            end = _try(s, end, o, p, q)
            if s.codes[o] >= FIRST_ORDERED and p != q:
                end = _try(s, end, o, q, p)
    return end


@kernel
@signed
def _try_alone(s: Any, end: Any, p: Any) -> Any:
    for o in range(len(s.codes)):
        if s.codes[o] >= FIRST_UNARY:
            end = _try(s, end, o, p, p)
    return end


@kernel
@signed
def _try_row(s: Any, end: Any, row: Any) -> Any:
    s.tried[end] = s.first[row]
    s.tried_by[end], s.tried_left[end], s.tried_right[end] = s.made_by[row], s.left[row], s.right[row]
    return end + 1


@cold_kernel
@signed
def _finish(s: Any, cases: Any, inputs: Any, start: Any) -> Any:
    """Test every program of two more operations than the set has; rows before `start` are left to other sets."""
    s.counts[SETS] += 1
    n = s.counts[VALUES]
    v = n - 1
    b, c = -1, -1  # unused values besides the last one
    for p in range(inputs, v):
        if s.uses[p] == 0:
            if b < 0:
                b = p
            else:
                c = p
    end = s.counts[ARENA]
    if n == inputs:
        k = 0
        for row in range(start, end):
            k = _try_row(s, k, row)
        return _test_with_any(s, cases, inputs, 0, k)
    # with a value that was there before: the last operation takes it and the last value
    k = 0
    if b < 0:
        for row in range(start, end):
            k = _try_row(s, k, row)
    else:
        newest = c if c >= 0 else b
        for row in range(max(start, s.ends[newest]), end):
            if (s.left[row] == b or s.right[row] == b) and (c < 0 or s.left[row] == c or s.right[row] == c):
                k = _try_row(s, k, row)
    _test_with(s, cases, inputs, 0, k, v)
    # with a new value, made of the last one
    k = 0
    if b < 0:
        k = _try_alone(s, k, v)
        for q in range(n):
            k = _try_with(s, k, v, q)
        _test_with_any(s, cases, inputs, 0, k)
    elif c < 0:
        k = _try_with(s, k, v, b)
        _test_with_any(s, cases, inputs, 0, k)
        k = _try_alone(s, 0, v)
        for q in range(n):
            if q != b:
                k = _try_with(s, k, v, q)
        _test_with(s, cases, inputs, 0, k, b)
    else:
        k = _try_with(s, k, v, b)
        _test_with(s, cases, inputs, 0, k, c)
        k = _try_with(s, 0, v, c)
        _test_with(s, cases, inputs, 0, k, b)
    return 0


@cold_kernel
@signed
def take(s: Any, inputs: Any, row: Any, most_unused: Any) -> Any:
    """Add a row to the set and return True, unless more than `most_unused` values would then be unused."""
    left, right = s.left[row], s.right[row]
    unused = s.counts[UNUSED] + 1
    if left >= inputs and s.uses[left] == 0:
        unused -= 1
    if right >= inputs and right != left and s.uses[right] == 0:
        unused -= 1
    if unused > most_unused:
        return False
    s.uses[left] += 1
    s.uses[right] += 1
    n = s.counts[VALUES]
    s.values[n], s.uses[n], s.ends[n] = row, 0, s.counts[ARENA]
    s.counts[VALUES], s.counts[UNUSED] = n + 1, unused
    return True


@cold_kernel
@signed
def put_back(s: Any, inputs: Any) -> Any:
    """Remove the last row of the set."""
    n = s.counts[VALUES] - 1
    row = s.values[n]
    left, right = s.left[row], s.right[row]
    s.uses[left] -= 1
    s.uses[right] -= 1
    unused = s.counts[UNUSED] - 1
    if left >= inputs and s.uses[left] == 0:
        unused += 1
    if right >= inputs and right != left and s.uses[right] == 0:
        unused += 1
    s.counts[VALUES], s.counts[UNUSED] = n, unused
    return 0


@cold_kernel
@signed
def begin(s: Any, cases: Any, inputs: Any) -> Any:
    """Begin with the inputs as the set and what one operation makes of them; return how many rows that makes."""
    s.counts[ARENA] = 0
    s.counts[VALUES] = 0
    s.counts[UNUSED] = 0
    s.counts[SETS] = 0
    s.counts[TESTS] = 0
    s.counts[HITS] = 0
    for i in range(len(s.table)):
        s.table[i] = -1
    for p in range(inputs):
        for i in range(cases):
            s.row[i] = s.rows[p * cases + i]
        append(s, cases, -1, -1, -1)
    for p in range(inputs):
        s.values[p] = p
        s.counts[VALUES] = p + 1
        extend(s, cases)
    return s.counts[ARENA] - inputs


@entry
@signed
def search(s: Any, cases: Any, inputs: Any, operations: Any, taken: Any) -> Any:
    """Search the programs of `operations` operations whose first row of the arena is ``inputs + taken``.

    Programs of two operations have no such row; `taken` is then 0. `s` is a `State`, and has what was found afterwards.
    Return how many rows there are to take first.
    """
    rows = begin(s, cases, inputs)
    depth = operations - 2  # rows to take
    if depth == 0:
        _finish(s, cases, inputs, inputs)
        return 1
    d = 0
    s.cursor[0] = inputs + taken
    while d >= 0:
        row = s.cursor[d]
        if row >= s.counts[ARENA] or (d == 0 and row > inputs + taken):
            d -= 1
            if d >= 0:
                end = s.ends[s.counts[VALUES] - 1]
                put_back(s, inputs)
                truncate(s, end)
            continue
        s.cursor[d] = row + 1
        if not take(s, inputs, row, operations - d):
            continue
        if d + 1 == depth:
            _finish(s, cases, inputs, row + 1)
            put_back(s, inputs)
        else:
            extend(s, cases)
            d += 1
            s.cursor[d] = row + 1
    return rows
