"""The search for programs with a look-up: sets of values, and every operation on what the table returns.

Before the look-up come k operations, as sets of values in the way of `value_sets`. One of the values is the index: the
table returns an entry for its low bits. After it come d operations, each of which uses the entry or a value that
depends on it. Each of the n = k + 1 + d operations must be used, so at most d + 1 values of a set are unused.

Nothing is assumed about the contents of the table; `judging` decides whether some contents make a program right. If
entries are bytes, most programs fail before that, because no byte makes the first case right, whatever the index.
"""

from typing import Any, Final

from formulas.operations import FIRST_ORDERED, FIRST_UNARY, apply
from formulas.state import ARENA, HITS, SETS, TESTS, UNUSED, VALUES
from formulas.tables.judging import find_equal, is_right
from formulas.tables.state import ENTRIES
from formulas.value_sets import begin, extend, put_back, take, truncate
from rookery.kernel import U64, cold_kernel, entry, kernel, signed

# Part of what a count means: to be raised when the search visits other sets or makes other tests than before.
VERSION: Final = 1
DEPENDENT_UNUSED, INDEPENDENT_UNUSED = range(2)


@kernel
@signed
def _report(s: Any, t: Any, inputs: Any, n: Any, d: Any, index: Any) -> Any:
    """Write the steps of a program: those of the set, the look-up, those after it."""
    h, k = s.counts[HITS], n - inputs
    s.counts[HITS] = h + 1
    if h >= len(t.hits):
        return 0
    for p in range(k):
        row = s.values[inputs + p]
        t.hits[h, p, 0], t.hits[h, p, 1], t.hits[h, p, 2] = s.made_by[row], s.left[row], s.right[row]
    t.hits[h, k, 0], t.hits[h, k, 1], t.hits[h, k, 2] = len(s.codes), index, index
    for p in range(d):
        for i in range(3):
            t.hits[h, k + 1 + p, i] = t.steps[3 * p + i]
    return 0


@cold_kernel
@signed
def _judge(s: Any, t: Any, cases: Any, inputs: Any, n: Any, d: Any) -> Any:
    """Report the program with each index with which it is right; an unused value of the set must be the index."""
    unused = -1
    for p in range(inputs, n):
        if t.uses[p] == 0:
            used = False
            if d > 0:
                used = t.steps[3 * d - 2] == p or t.steps[3 * d - 1] == p
            if not used:
                unused = p
    first, last = (unused, unused + 1) if unused >= 0 else (0, n)
    for index in range(first, last):
        if is_right(s, t, cases, n, d, index):
            _report(s, t, inputs, n, d, index)
    return 0


@kernel
@signed
def _test(s: Any, t: Any, cases: Any, inputs: Any, n: Any, d: Any, o: Any, a: Any, b: Any) -> Any:
    """Test the program with a last operation: bytes in the first case before anything else."""
    s.counts[TESTS] += 1
    if t.of_bytes[0]:
        apply(s.codes[o], s.constants[o], t.lanes, a * ENTRIES, t.lanes, b * ENTRIES, t.answers, ENTRIES)
        target, care = s.target[0], s.care[0]
        same = 0
        for i in range(ENTRIES):
            same += (t.answers[i] & care) == target
        if same == 0:
            return 0
    t.steps[3 * d - 3], t.steps[3 * d - 2], t.steps[3 * d - 1] = o, a, b
    return _judge(s, t, cases, inputs, n, d)


@cold_kernel
@signed
def _test_last(s: Any, t: Any, cases: Any, inputs: Any, n: Any, d: Any) -> Any:
    """Test every last operation that leaves nothing unused but the index."""
    v = n + d - 1
    other = -1
    for p in range(n, v):
        if t.uses[p] == 0:
            other = p
    unused = t.counts[INDEPENDENT_UNUSED]
    for q in range(v + 1):
        left_over = unused - 1 if inputs <= q < n and t.uses[q] == 0 else unused
        if left_over > 1 or (other >= 0 and q != other):
            continue
        for i in range(len(t.after)):
            o = t.after[i]
            if s.codes[o] < FIRST_UNARY:
                _test(s, t, cases, inputs, n, d, o, v, q)
                if s.codes[o] >= FIRST_ORDERED and q != v:
                    _test(s, t, cases, inputs, n, d, o, q, v)
            elif q == v:
                _test(s, t, cases, inputs, n, d, o, v, v)
    return 0


@kernel
@signed
def _advance(s: Any, t: Any, j: Any, values: Any) -> Any:
    """Go to the next operation of a depth; return False if there is none."""
    i, a, b = t.cursor[3 * j], t.cursor[3 * j + 1], t.cursor[3 * j + 2]
    code = s.codes[t.after[i]]
    b += 1
    if code >= FIRST_UNARY or b >= values or (code < FIRST_ORDERED and b > a):
        a += 1
        if a >= values:
            i += 1
            a = 0
        b = 0
        if i < len(t.after) and s.codes[t.after[i]] >= FIRST_UNARY:
            b = a
    t.cursor[3 * j], t.cursor[3 * j + 1], t.cursor[3 * j + 2] = i, a, b
    return i < len(t.after)


@kernel
@signed
def _is_in_order(t: Any, j: Any, newest: Any) -> Any:
    """Return whether an operation uses the result of the one before, or is greater: else they could change places."""
    if j == 0 or t.cursor[3 * j + 1] == newest or t.cursor[3 * j + 2] == newest:
        return True
    for i in range(3):
        here, before = t.cursor[3 * j + i], t.cursor[3 * j - 3 + i]
        if here != before:
            return here > before
    return False


@kernel
@signed
def _count_use(t: Any, inputs: Any, n: Any, v: Any, by: Any) -> Any:
    """Count a use of a value, or take one back; `by` is 1 or -1."""
    before = t.uses[v]
    t.uses[v] = before + by
    if (before == 0 or before + by == 0) and v >= inputs:
        t.counts[INDEPENDENT_UNUSED if v < n else DEPENDENT_UNUSED] -= by
    return 0


@cold_kernel
@signed
def _take_step(s: Any, t: Any, inputs: Any, n: Any, d: Any, j: Any) -> Any:
    """Run an operation and return True, unless it does not depend on the table, or would leave too much unused."""
    i, a, b = t.cursor[3 * j], t.cursor[3 * j + 1], t.cursor[3 * j + 2]
    v = n + 1 + j
    if (a < n and b < n) or not _is_in_order(t, j, v - 1):
        return False
    _count_use(t, inputs, n, a, 1)
    _count_use(t, inputs, n, b, 1)
    t.uses[v] = 0
    t.counts[DEPENDENT_UNUSED] += 1
    independent = t.counts[INDEPENDENT_UNUSED] - 1  # one may be the index
    if independent < 0:
        independent = 0
    # each of the operations that remain takes one more than it leaves
    if t.counts[DEPENDENT_UNUSED] - 1 + independent > d - 1 - j:
        _undo_step(t, inputs, n, j)
        return False
    o = t.after[i]
    t.steps[3 * j], t.steps[3 * j + 1], t.steps[3 * j + 2] = o, a, b
    if t.of_bytes[0]:
        apply(s.codes[o], s.constants[o], t.lanes, a * ENTRIES, t.lanes, b * ENTRIES, t.answers, ENTRIES)
        for k in range(ENTRIES):
            t.lanes[v * ENTRIES + k] = t.answers[k]
    return True


@kernel
@signed
def _undo_step(t: Any, inputs: Any, n: Any, j: Any) -> Any:
    t.counts[DEPENDENT_UNUSED] -= 1
    _count_use(t, inputs, n, t.cursor[3 * j + 1], -1)
    _count_use(t, inputs, n, t.cursor[3 * j + 2], -1)
    return 0


@kernel
@signed
def _first_of(t: Any, j: Any) -> Any:
    t.cursor[3 * j], t.cursor[3 * j + 1], t.cursor[3 * j + 2] = 0, 0, -1
    return 0


@cold_kernel
@signed
def _prepare(s: Any, t: Any, cases: Any, n: Any) -> Any:
    """Set up what all programs with the values of a set have in common."""
    for v in range(n):
        t.uses[v] = s.uses[v]
        if t.of_bytes[0]:
            for i in range(ENTRIES):
                t.lanes[v * ENTRIES + i] = s.rows[s.values[v] * cases]
        else:
            find_equal(s, t, cases, v)
    t.uses[n] = 0
    for i in range(ENTRIES):
        t.lanes[n * ENTRIES + i] = U64(i)
    t.counts[DEPENDENT_UNUSED] = 1  # the entry
    t.counts[INDEPENDENT_UNUSED] = s.counts[UNUSED]
    return 0


@cold_kernel
@signed
def _finish(s: Any, t: Any, cases: Any, inputs: Any, d: Any) -> Any:
    """Test every program with the values of the set, a look-up and `d` operations after it."""
    s.counts[SETS] += 1
    n = s.counts[VALUES]
    _prepare(s, t, cases, n)
    if d == 0:
        s.counts[TESTS] += 1
        return _judge(s, t, cases, inputs, n, d)
    j = 0
    _first_of(t, 0)
    while j >= 0:
        if j == d - 1:
            _test_last(s, t, cases, inputs, n, d)
            j -= 1
            if j >= 0:
                _undo_step(t, inputs, n, j)
        elif not _advance(s, t, j, n + 1 + j):
            j -= 1
            if j >= 0:
                _undo_step(t, inputs, n, j)
        elif _take_step(s, t, inputs, n, d, j):
            j += 1
            _first_of(t, j)
    return 0


@entry
@signed
def search(s: Any, t: Any, cases: Any, inputs: Any, k: Any, d: Any, first: Any) -> Any:
    """Search the programs of `k` operations, a look-up and `d` more whose first row of the arena is number `first`.

    Without operations before the look-up there is no such row; `first` is then 0. `s` is a `State` and `t` a
    `Dependent`, and have what was found afterwards. Return how many rows there are to take first.
    """
    rows = begin(s, cases, inputs)
    if k == 0:
        _finish(s, t, cases, inputs, d)
        return rows
    depth = 0
    s.cursor[0] = inputs + first
    while depth >= 0:
        row = s.cursor[depth]
        if row >= s.counts[ARENA] or (depth == 0 and row > inputs + first):
            depth -= 1
            if depth >= 0:
                end = s.ends[s.counts[VALUES] - 1]
                put_back(s, inputs)
                truncate(s, end)
            continue
        s.cursor[depth] = row + 1
        if not take(s, inputs, row, d + k - depth):
            continue
        if depth + 1 == k:
            _finish(s, t, cases, inputs, d)
            put_back(s, inputs)
        else:
            extend(s, cases)
            depth += 1
            s.cursor[depth] = row + 1
    return rows
