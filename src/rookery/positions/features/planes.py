"""Feature planes: the input of a network, seen from the side to move.

    s        scratch: a row of `STRIDE` words for each bitboard that channels are made of
    recipe   for each requested channel, its first row in the scratch, and how rows become a plane: (2, channels)

There are two passes over blocks that fit in the cache. The first computes bitboards
(`rookery.positions.features.channels`). The second spreads each over the 64 numbers of its plane: it writes the output
once, in order, as fast as memory takes it.
"""

import itertools
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import shown
from rookery.kernel import U64, UNIVERSE, Bits, Word, array_of, entry, kernel, signed
from rookery.positions.features.channel_rows import write_boards
from rookery.positions.features.channels import (
    ALL_ROWS,
    BLOCK,
    CHANNELS,
    CLOCK,
    COUNT,
    COUNT_BITS,
    GROUPS,
    ROWS,
    SQUARES,
    STRIDE,
)
from rookery.positions.kernels.lanes import black_mask, load, position, turned
from rookery.positions.kernels.moves import move_room
from rookery.positions.layout import empty_columns
from rookery.rules.compiled import default_technique
from rookery.rules.constants import CASTLING, KIND_MASK, SIX_BITS, TO_SHIFT
from rookery.rules.generate import List, generate
from rookery.rules.position import BACK_RANK, C_FILE, G_FILE

_BITS = np.array([1 << (k & 7) for k in range(64)], np.uint8)
_ONE_BYTE, _NO_BYTE = np.uint8(1), np.uint8(0)
# Words also in functions marked `signed`, so that indices stay unsigned, see `fill_bytes`.
_STRIDE, _EIGHT, _MOST_IN_BYTE = U64(STRIDE), U64(8), U64(255)


def plane_room() -> NDArray[np.uint64]:
    """Return the scratch of `fill_bytes` and `fill_floats`."""
    return np.empty(ALL_ROWS * STRIDE, U64)


@entry(examples=lambda: (plane_room(), empty_columns(1), array_of(U64, 2), 0, array_of(U64), array_of(np.uint8, 2)))
@signed
def fill_bytes(s: Any, c: Any, recipe: Any, needs: Any, legal: Any, out: Any) -> None:
    """Write planes of bytes: `out` is (n, channels * 64)."""
    as_bytes = s.view(np.uint8)
    for start in range(0, out.shape[0], BLOCK):
        n = min(BLOCK, out.shape[0] - start)
        write_boards(c, U64(start), n, needs, legal, s)
        for j in range(n):
            for channel in range(recipe.shape[1]):
                kind = recipe[1, channel]
                word = recipe[0, channel] * _STRIDE + U64(j)
                first = channel * 64
                if kind == SQUARES:
                    # Eight masks for each byte of the word, which LLVM makes into shuffles: 31 GB/s within the cache.
                    # Shifts of the word by 0 to 63 gave 12 GB/s, and signed indices, which may be negative, 2.5.
                    for k in range(64):
                        held = as_bytes[word * _EIGHT + U64(k >> 3)] & _BITS[k]
                        out[start + j, first + k] = _ONE_BYTE if held else _NO_BYTE
                elif kind == COUNT:
                    for k in range(64):
                        out[start + j, first + k] = np.uint8(count_at(s, word, k))
                else:
                    number = np.uint8(min(s[word], _MOST_IN_BYTE))
                    for k in range(64):
                        out[start + j, first + k] = number


@entry(examples=lambda: (plane_room(), empty_columns(1), array_of(U64, 2), 0, array_of(U64), array_of(np.float32, 2)))
@signed
def fill_floats(s: Any, c: Any, recipe: Any, needs: Any, legal: Any, out: Any) -> None:
    """Write planes of floats: `out` is (n, channels * 64)."""
    for start in range(0, out.shape[0], BLOCK):
        n = min(BLOCK, out.shape[0] - start)
        write_boards(c, U64(start), n, needs, legal, s)
        for j in range(n):
            for channel in range(recipe.shape[1]):
                kind = recipe[1, channel]
                word = recipe[0, channel] * _STRIDE + U64(j)
                first = channel * 64
                board = s[word]
                if kind == SQUARES:
                    for k in range(64):
                        held = (board >> U64(k)) & 1
                        out[start + j, first + k] = np.float32(1) if held else np.float32(0)
                elif kind == COUNT:
                    for k in range(64):
                        out[start + j, first + k] = np.float32(count_at(s, word, k))
                else:
                    number = np.float32(board)
                    if kind == CLOCK:
                        number /= np.float32(100)
                    for k in range(64):
                        out[start + j, first + k] = number


@kernel
def count_at(s: Any, word: Word, k: int) -> Word:
    """Return the number at square `k` whose bits are in `COUNT_BITS` rows, the first at `word`."""
    number = 0
    for b in range(COUNT_BITS):
        number |= ((s[word + b * _STRIDE] >> U64(k)) & 1) << b
    return number


@entry(examples=lambda: (move_room(), empty_columns(1), array_of(U64), default_technique().tables()))
def legal_targets(moves: Any, c: Any, out: Any, t: Any) -> None:
    """Write the target squares of the legal moves, seen from the side to move; castling goes where the king does."""
    for i in range(out.size):
        lane = load(c, i)
        n = generate(position(lane, t), t, List(moves), UNIVERSE, UNIVERSE)
        targets: Bits = 0
        for m in range(n):
            move = U64(moves[m])
            target = (move >> TO_SHIFT) & SIX_BITS
            if move & KIND_MASK == CASTLING:
                target = (target & BACK_RANK) | (G_FILE if target > move & SIX_BITS else C_FILE)
            targets |= 1 << target
        out[i] = turned(targets, black_mask(lane))


class Plan(NamedTuple):
    """Arguments of the entries for a list of channels: their recipe, and a bit for each group of rows."""

    recipe: NDArray[np.uint64]
    needs: int


def plan(channels: Iterable[str]) -> Plan:
    """Return how to make a list of channels."""
    names = _names(channels)
    ends = [ROWS[name] for name in GROUPS] + [ALL_ROWS]
    needs = 0
    for i, (first, last) in enumerate(itertools.pairwise(ends)):
        if any(first <= ROWS[name] < last for name in names):
            needs |= 1 << i
    recipe = [[ROWS[name] for name in names], [CHANNELS[name].kind for name in names]]
    return Plan(np.array(recipe, U64), needs)


def _names(channels: Iterable[str]) -> list[str]:
    if isinstance(channels, str) or not isinstance(channels, Iterable):
        example = f", like [{shown(channels)}]" if isinstance(channels, str) else ""
        raise TypeError(f"channels: {shown(channels)}: expected a list of names{example}")
    names = list(channels)
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"channels: {shown(name)}: expected channel names")
        if name not in CHANNELS:
            import difflib

            close = difflib.get_close_matches(name[:80], CHANNELS, n=4, cutoff=0.5)
            hint = f"did you mean {', '.join(close)}?" if close else f"expected one of {', '.join(CHANNELS)}"
            raise ValueError(f"channels: {shown(name)}: no such channel; {hint}")
    return names


FILLERS: Final = {np.dtype(np.uint8): fill_bytes, np.dtype(np.float32): fill_floats}


def no_targets() -> NDArray[np.uint64]:
    """Return what the fillers take in place of `legal_targets` if no channel needs them."""
    return np.empty(0, np.uint64)
