"""Compiled code that lists, makes, judges and draws moves of columns of positions."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.bits import RANK_3, RANK_6, bit
from rookery.kernel import U64, UNIVERSE, Word, array_of, entry, kernel
from rookery.positions.kernels.lanes import lane, load, position, store, with_state
from rookery.positions.layout import (
    BLACK_TO_MOVE,
    CHESS960,
    CLOCK_SHIFT,
    COUNTER,
    MARKED,
    NUMBER_SHIFT,
    empty_columns,
)
from rookery.rules.compiled import default_technique
from rookery.rules.constants import EN_PASSANT, KIND_MASK, MOST_MOVES, SIX_BITS, TO_SHIFT
from rookery.rules.generate import List, generate
from rookery.rules.legality import breaks_form, is_legal, is_pseudo_legal, leaves_king_safe
from rookery.rules.position import Position, make, passed, skipped_square

_FLAGS = BLACK_TO_MOVE | CHESS960 | MARKED


@entry(
    examples=lambda: (
        empty_columns(1),
        0,
        0,
        U64(0),
        U64(0),
        array_of(np.int64),
        array_of(np.uint16),
        default_technique().tables(),
    )
)
def list_moves(c: Any, i: Any, stop: Any, noisy: Any, quiet: Any, offsets: Any, moves: Any, t: Any) -> Any:
    """Write the moves of positions `i` to `stop` from ``moves[offsets[i]]`` on, and where each list ends.

    Return the position where it stopped: before `stop` if the next list may not fit.
    """
    n = offsets[i]
    while i < stop and n + MOST_MOVES <= moves.size:
        n += np.int64(generate(position(load(c, i), t), t, List(moves[n:]), noisy, quiet))
        i += 1
        offsets[i] = n
    return i


@kernel
def after(state: Word, zeroing: Word) -> Word:
    """Return a position's `state` after a move: the turn passes, and the counters advance until they are full.

    `zeroing` is one for a capture or a pawn move, which resets the half-move clock, else zero.
    """
    clock, number = (state >> CLOCK_SHIFT) & COUNTER, (state >> NUMBER_SHIFT) & COUNTER
    clock = 0 if zeroing else clock + (1 if clock < COUNTER else 0)
    number += state & BLACK_TO_MOVE if number < COUNTER else 0
    flags = (state ^ BLACK_TO_MOVE) & _FLAGS
    return flags | (clock << CLOCK_SHIFT) | (number << NUMBER_SHIFT)


@kernel
def zeroing(p: Position, move: Word) -> Word:
    """Return one if a legal move is a capture or a pawn move, else zero; castling does not capture the rook."""
    return ((p.them >> ((move >> TO_SHIFT) & SIX_BITS)) | (p.pawns >> (move & SIX_BITS))) & 1


@kernel
def leaves_no_position(p: Position, move: Word) -> Word:
    """Return 0 if the words after a move have the form of a position, whether the move is legal or not, else some bits.

    Besides what `breaks_form` finds, a piece does not stay where it is, a king whose side may castle is not captured,
    and a pawn skips no square on the rank of the other side's double steps.
    """
    origin, to = bit(move & SIX_BITS), bit((move >> TO_SHIFT) & SIX_BITS)
    wrong = (origin & to) | (to & p.kings if p.castling & p.them else 0)
    wrong |= skipped_square(origin & p.pawns, to) & (RANK_3 if p.turn else RANK_6)
    return breaks_form(p, move) | (wrong if move else 0)


@entry(examples=lambda: (empty_columns(1), array_of(np.uint16), empty_columns(1), default_technique().tables()))
def make_all(c: Any, moves: Any, out: Any, t: Any) -> Any:
    """Make a move in each position, legal or not, in a vectorised loop; return 0 if all results are positions."""
    wrong: Word = 0
    for i in range(moves.size):
        now = load(c, i)
        p = position(now, t)
        move = U64(moves[i])
        wrong |= leaves_no_position(p, move)
        store(out, i, lane(make(p, move, t), after(now.state, zeroing(p, move))))
    return wrong


@entry(examples=lambda: (empty_columns(1), array_of(np.uint16), array_of(np.bool_)))
def mark_broken(c: Any, moves: Any, broken: Any) -> None:
    """Note after which moves the words are not a position."""
    for i in range(moves.size):
        broken[i] = leaves_no_position(with_state(load(c, i), U64(0)), U64(moves[i])) != 0


@entry(examples=lambda: (empty_columns(1), array_of(np.uint16), array_of(np.uint8), default_technique().tables()))
def judge_all(c: Any, moves: Any, legal: Any, t: Any) -> None:
    """Note whether each move is legal: 0, 1, or 2 where `judge_again` has to decide.

    The loop has no branches, mostly look-ups. Judging and making moves in one loop, which LLVM does not vectorise, took
    a third longer.
    """
    for i in range(moves.size):
        p = position(load(c, i), t)
        move = U64(moves[i])
        usual = is_pseudo_legal(p, move, t) & leaves_king_safe(p, move, t)
        special = 1 if (move & KIND_MASK) >= EN_PASSANT else 0
        special = 1 if move == 0 else special
        legal[i] = np.uint8(2 if special else (1 if usual else 0))


@entry(
    examples=lambda: (
        empty_columns(1),
        array_of(np.uint16),
        array_of(np.int64),
        array_of(np.uint8),
        default_technique().tables(),
    )
)
def judge_again(c: Any, moves: Any, which: Any, legal: Any, t: Any) -> None:
    """Note whether the moves that `judge_all` left are legal: castling, en passant, and null moves."""
    for j in range(which.size):
        i = which[j]
        p, move = position(load(c, i), t), U64(moves[i])
        # On a board that no game reaches, the generator captures an own pawn en passant.
        legal[i] = 0 if breaks_form(p, move) else is_legal(p, move, t)


@entry(examples=lambda: (empty_columns(1), array_of(np.int64), empty_columns(1), default_technique().tables()))
def pass_all(c: Any, which: Any, out: Any, t: Any) -> None:
    """Make the null move in some of the positions."""
    for j in range(which.size):
        now = load(c, which[j])
        store(out, which[j], lane(passed(position(now, t)), after(now.state, 0)))


@kernel
def random_below(word: Word, n: Word) -> Word:
    """Return a number below `n`: the upper half of a product with the upper half of a random word.

    Some of n numbers are more likely than others, by less than n parts in 2^32.
    """
    return ((word >> 32) * n) >> 32


def move_room() -> NDArray[np.uint16]:
    """Return work space for the legal moves of one position."""
    return np.empty(MOST_MOVES, np.uint16)


@entry(
    examples=lambda: (move_room(), empty_columns(1), array_of(U64), array_of(np.uint16), default_technique().tables())
)
def draw_all(room: Any, c: Any, words: Any, out: Any, t: Any) -> None:
    """Write a legal move for each position, chosen by a random word; 0 where there is none."""
    for i in range(out.size):
        n = generate(position(load(c, i), t), t, List(room), UNIVERSE, UNIVERSE)
        out[i] = room[random_below(words[i], n)] if n else 0
