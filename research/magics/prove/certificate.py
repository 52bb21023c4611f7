"""Write down why a square has no factor of a width, so that `certify` can follow it step by step.

A certificate is a binary tree over the bits of the factor, in an order it names. A leaf names two occupancies whose
attacks differ and which share a slot whatever the bits are that are not decided there. The tree is written in
preorder: 0 splits on the next bit (first it is 0, then 1), n is a leaf with the n-th pair.

This search is plain: one bit, two children, and each is tried on all occupancies. It visits four to ten times the
nodes of `branch` and needs none of its bitmaps.
"""

import json
import lzma
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from magics.prove.orders import usual_order
from magics.prove.schedule import EXTRA, Words, copies_of, levels
from magics.widths import check_width
from rookery.bitboards.lines import relevant_occupancy
from rookery.bitboards.squares import SQUARE_NAMES, check_square
from rookery.kernel import U64, array_of, entry, tuple_of
from rookery.techniques._filler import relevant_cases

HEADING = b"rookery certificate 1\n"
_TOKENS = 1 << 20  # written between two looks for Ctrl-C, in about 0.1 s

_DEPTH, _EPOCH, _VALUE = 0, 1, 2


class _Cases(NamedTuple):
    """The occupancies of a square, and at which depth each can be sure."""

    shift: Words
    order: Words  # the bits by depth
    occupied: Words
    marks: Words
    sure: Words  # (entries, 2): occupancy number, what the unknown bits may add
    sure_start: Words  # by depth


class _Walk(NamedTuple):
    """The state of the walk through the tree."""

    at: Words  # depth, epoch, value
    second: Words  # by depth: whether its second child is being visited
    taken: Words  # by slot: number of the occupancy
    epoch: Words


@entry(
    examples=lambda: (
        tuple_of(_Cases, array_of(U64))._replace(sure=array_of(U64, 2)),
        tuple_of(_Walk, array_of(U64)),
        array_of(U64),
    )
)
def write_tokens(c: Any, w: Any, out: Any) -> Any:
    """Write tokens from where the walk stands; return how many, below ``out.size`` when the tree is complete.

    A pair is one token, ``1 + first * occupancies + second``. Returns ``out.size + 1`` at a factor.
    """
    shift = c.shift[0]
    below = (1 << shift) - 1
    depth, epoch, value = w.at[_DEPTH], w.at[_EPOCH], w.at[_VALUE]
    n = 0
    size = U64(out.size)
    while n < size:
        pair = 0
        epoch += 1
        for i in range(c.sure_start[depth], c.sure_start[depth + 1]):
            number = c.sure[i, 0]
            product = c.occupied[number] * value
            if (product & below) + c.sure[i, 1] > below:
                continue
            slot = product >> shift
            if w.epoch[slot] != epoch:
                w.epoch[slot] = epoch
                w.taken[slot] = number
            elif c.marks[w.taken[slot]] != c.marks[number]:
                pair = 1 + w.taken[slot] * U64(c.occupied.size) + number
                break
        out[n] = pair
        n += 1
        if pair == 0:
            if depth == U64(c.order.size):
                return size + 1
            w.second[depth] = 0
            depth += 1
            continue
        while depth > 0 and w.second[depth - 1] != 0:
            depth -= 1
            value &= ~(1 << c.order[depth])
        if depth == 0:
            return n
        w.second[depth - 1] = 1
        value |= 1 << c.order[depth - 1]
    w.at[_DEPTH], w.at[_EPOCH], w.at[_VALUE] = depth, epoch, value
    return size


def _cases(piece: str, square: int, bits: int) -> _Cases:
    occupied, attacks = relevant_cases(piece, square)
    blockers = usual_order(relevant_occupancy(piece, square), square)
    order = [p for low, width, _ in levels(blockers, bits + EXTRA) for p in range(low + width - 1, low - 1, -1)]
    unknown = (1 << 64) - 1
    sure: list[tuple[int, int]] = []
    starts = [0]
    for p in [*order, None]:
        added = [copies_of(unknown, o) for o in occupied.tolist()]
        sure += [(i, a) for i, a in enumerate(added) if a < 1 << 64 - bits]
        starts.append(len(sure))
        unknown &= ~(1 << p) if p is not None else unknown
    return _Cases(
        np.array([64 - bits], U64),
        np.array(order, U64),
        occupied,
        np.unique(attacks, return_inverse=True)[1].astype(U64),
        np.array(sure, U64).reshape(-1, 2),
        np.array(starts, U64),
    )


def record(piece: str, square: int, bits: int, progress: Callable[[int], None] = lambda tokens: None) -> bytes:
    """Return a certificate that there is no factor, as the bytes of its file.

    Raises a ValueError if there is a factor.

    >>> from rookery.magics.certify import certify
    >>> certify(record("bishop", 12, 4))
    Certified(piece='bishop', square='e2', bits=4, nodes=38363, leaves=19182)
    """
    check_width(piece, check_square(square), bits)
    c = _cases(piece, square, bits)
    walk = _Walk(np.zeros(3, U64), np.zeros(65, U64), np.zeros(1 << bits, U64), np.zeros(1 << bits, U64))
    chunks = []
    while True:
        out = np.empty(_TOKENS, U64)
        n = int(write_tokens(c, walk, out))
        if n > _TOKENS:
            raise ValueError(f"{piece} {SQUARE_NAMES[square]}: there is a factor of {bits} bits, so no certificate")
        chunks.append(out[:n])
        if n < _TOKENS or int(walk.at[0]) == 0:
            break
        progress(sum(map(len, chunks)))
    tokens = np.concatenate(chunks)
    used, numbers = np.unique(np.append(tokens, U64(0)), return_inverse=True)
    if len(used) > 1 << 16:
        raise ValueError(f"{piece} {SQUARE_NAMES[square]}: more than 65,535 different pairs")
    count = len(c.occupied)
    occupied = c.occupied.tolist()
    header = {
        "piece": piece,
        "square": SQUARE_NAMES[square],
        "bits": bits,
        "order": c.order.tolist(),
        "pairs": [[f"0x{occupied[i // count]:016x}", f"0x{occupied[i % count]:016x}"] for i in (used[1:] - 1).tolist()],
    }
    body = numbers[:-1].astype("<u2").tobytes()
    return lzma.compress(HEADING + json.dumps(header).encode() + b"\n" + body, preset=9)
