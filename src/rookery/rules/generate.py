"""Legal moves without trying any: masks of checks and pins let only legal targets through.

    k            our king's square
    checkers     what gives check; with two of them, only the king moves
    check_mask   where a move answers a single check: on the checker, or in its way
    pin_d, pin_o the rays on which a piece of ours shields its king from a diagonal or an orthogonal slider, the
                 slider included: a pinned piece moves along its own ray or not at all

One generator serves counting and listing: it hands sets of targets to a *sink*, and what the sink is, is settled
when the generator is compiled. `Count` adds popcounts, `List` writes moves. `generate_knowing` is the same generator
for callers that know some facts about the position already.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards import bits
from rookery.bitboards.line_tables import BETWEEN
from rookery.bitboards.sets import black_pawn_any_attacks, white_pawn_any_attacks
from rookery.kernel import (
    U64,
    UNIVERSE,
    Bits,
    Square,
    State,
    Word,
    kernel,
    kernel_by_type,
    popcount,
    rotate_left,
    trailing_zeros,
    write_squares,
)
from rookery.rules import attack_tables, constants
from rookery.rules.position import Position, castling_squares
from rookery.rules.sliders import pin_rays
from rookery.techniques.base.protocol import QUESTIONS, attacks, toggle

# Who moves, for sinks that ask; a queen moves as a bishop and as a rook.
PAWN_MOVER, KING_MOVER = 4, 5
_ROOK, _BISHOP = QUESTIONS["rook"], QUESTIONS["bishop"]
_EDGES = bits.A_FILE | bits.H_FILE
_UP = U64(8)  # not a plain 8: words wrap, and -_UP is one
# A move is its target times this, and what is the same for a set of targets: the source, or the way back to it.
FROM_ONE, FROM_MANY = 64, 65


@kernel_by_type("sink")
def add(sink: NamedTuple, n: Word, piece: Word, source: Square, targets: Bits, kind: Word) -> Word:
    """Pass the moves of a piece to a set of targets to the sink. `n` is the running total; return the new one."""


@kernel_by_type("sink")
def add_steps(sink: NamedTuple, n: Word, targets: Bits, step: Word, kind: Word) -> Word:
    """Pass the moves of many pawns, all by the same step modulo 2^64 (down the board), to the sink."""


class Count(NamedTuple):
    """The sink that counts."""


@add.register(Count)
def _count(sink: Count, n: Word, piece: Word, source: Square, targets: Bits, kind: Word) -> Word:
    return n + popcount(targets)


@add_steps.register(Count)
def _count_steps(sink: Count, n: Word, targets: Bits, step: Word, kind: Word) -> Word:
    return n + popcount(targets)


class List(NamedTuple):
    """The sink that writes moves."""

    moves: NDArray[np.uint16]


@add.register(List)
def _list(sink: List, n: Word, piece: Word, source: Square, targets: Bits, kind: Word) -> Word:
    return write_squares(sink.moves, n, targets, FROM_ONE, source | kind)


@add_steps.register(List)
def _list_steps(sink: List, n: Word, targets: Bits, step: Word, kind: Word) -> Word:
    return write_squares(sink.moves, n, targets, FROM_MANY, kind - step)


@kernel
def add_promotions(sink: Any, n: Word, targets: Bits, step: Word) -> Word:
    """Add the promotions of pawns that step to their last rank."""
    if targets:
        n = add_steps(sink, n, targets, step, constants.PROMOTION | (constants.QUEEN << constants.BECOMES_SHIFT))
        n = add_steps(sink, n, targets, step, constants.PROMOTION | (constants.ROOK << constants.BECOMES_SHIFT))
        n = add_steps(sink, n, targets, step, constants.PROMOTION | (constants.BISHOP << constants.BECOMES_SHIFT))
        n = add_steps(sink, n, targets, step, constants.PROMOTION | (constants.KNIGHT << constants.BECOMES_SHIFT))
    return n


@kernel
def sliders_to(p: Position, sq: Square, state: State, t: Any) -> Bits:
    """Return the sliders of both sides that attack a square, given the technique's state of the occupancy."""
    return (attacks(_BISHOP, sq, state, t) & p.diagonals) | (attacks(_ROOK, sq, state, t) & p.orthogonals)


@kernel
def attackers_of(p: Position, sq: Square, state: State, t: Any) -> Bits:
    """Return the pieces of the other side that attack a square, given the technique's state of the occupancy."""
    return p.them & (attack_tables.leapers_to(p, sq) | sliders_to(p, sq, state, t))


@kernel
def checkers_of(p: Position, t: Any) -> Bits:
    """Return the pieces that give check to the side to move; none if it has no king."""
    king = p.kings & p.us
    if not king:
        return 0
    return attackers_of(p, trailing_zeros(king), p.state, t)


@kernel
def attacked_near(p: Position, k: Square, castles: Word, t: Any) -> Bits:
    """Return what the other side attacks when our king leaves `k`, complete on the squares where the king may step.

    With 1 for `castles` it is complete where the king may castle, too. Pieces that cannot reach those squares even on
    an empty board are skipped, which makes perft from the start 5 % faster.
    """
    state = toggle(p.state, k, t)
    pawns = p.pawns & p.them
    danger = white_pawn_any_attacks(pawns) if p.turn else black_pawn_any_attacks(pawns)
    near = (k << 3) | (castles << 2)
    knights = attack_tables.NEAR_KINGS[near] & p.knights & p.them
    while knights:
        danger |= attack_tables.KNIGHT_MOVES[trailing_zeros(knights)]
        knights = bits.reset_ls1b(knights)
    kings = attack_tables.NEAR_KINGS[near + 1] & p.kings & p.them
    while kings:
        danger |= attack_tables.KING_MOVES[trailing_zeros(kings)]
        kings = bits.reset_ls1b(kings)
    sliders = attack_tables.NEAR_KINGS[near + 2] & p.diagonals & p.them
    while sliders:
        danger |= attacks(_BISHOP, trailing_zeros(sliders), state, t)
        sliders = bits.reset_ls1b(sliders)
    sliders = attack_tables.NEAR_KINGS[near + 3] & p.orthogonals & p.them
    while sliders:
        danger |= attacks(_ROOK, trailing_zeros(sliders), state, t)
        sliders = bits.reset_ls1b(sliders)
    return danger


class Nothing(NamedTuple):
    """The facts of a caller that knows nothing about a position: the generator finds them out."""


class Facts(NamedTuple):
    """Facts about a position that the caller of the generator knows already."""

    leaper_checks: Bits  # knights and pawns that give check
    attacked: Bits  # what the other side attacks if our king leaves its square, complete where it may step or castle
    castling: Bits  # rooks with which the king may castle unless it is attacked on its way


@kernel_by_type("facts")
def leaper_checks(facts: NamedTuple, p: Position, k: Square) -> Bits:
    """Return the knights and pawns that give check to a king on `k`."""


@leaper_checks.register(Nothing)
def leaper_checks_of(facts: NamedTuple, p: Position, k: Square) -> Bits:
    """Return the knights and pawns that give check to a king on `k`, from the position."""
    return (attack_tables.KNIGHT_MOVES[k] & p.knights & p.them) | (
        attack_tables.PAWN_ATTACKS[p.turn, k] & p.pawns & p.them
    )


@leaper_checks.register(Facts)
def _known_checks(facts: Facts, p: Position, k: Square) -> Bits:
    return facts.leaper_checks


@kernel_by_type("facts")
def attacked(facts: NamedTuple, p: Position, k: Square, castles: Word, t: Any) -> Bits:
    """Return the same as `attacked_near`."""


@attacked.register(Nothing)
def _find_attacked(facts: Nothing, p: Position, k: Square, castles: Word, t: Any) -> Bits:
    return attacked_near(p, k, castles, t)


@attacked.register(Facts)
def _known_attacked(facts: Facts, p: Position, k: Square, castles: Word, t: Any) -> Bits:
    return facts.attacked


@kernel_by_type("facts")
def free_to_castle(facts: NamedTuple, k: Square, rooks: Bits, occupied: Bits) -> Bits:
    """Return the same as `with_free_ways`."""


@free_to_castle.register(Nothing)
def _find_free(facts: Nothing, k: Square, rooks: Bits, occupied: Bits) -> Bits:
    return attack_tables.with_free_ways(k, rooks, occupied)


@free_to_castle.register(Facts)
def _known_free(facts: Facts, k: Square, rooks: Bits, occupied: Bits) -> Bits:
    return facts.castling


@kernel
def castling_rooks(p: Position, t: Any, k: Square, rooks: Bits, danger: Bits) -> Bits:
    """Return those of the rooks, all with free ways, with which a king may castle without being attacked on its way."""
    safe: Bits = 0
    while rooks:
        r = trailing_zeros(rooks)
        if not attack_tables.way_of_king(k, r) & danger:
            # In Chess960 the rook may have shielded its king along the back rank, but nothing stands behind a rook at
            # the edge. Without this short cut, perft of Kiwipete was 4 % slower.
            if bits.bit(r) & _EDGES:
                safe |= bits.bit(r)
            else:
                king_to, rook_to = castling_squares(k, r)
                after = toggle(toggle(toggle(p.state, k, t), r, t), rook_to, t)
                if not attacks(_ROOK, king_to, after, t) & p.orthogonals & p.them:
                    safe |= bits.bit(r)
        rooks = bits.reset_ls1b(rooks)
    return safe


@kernel
def capture_en_passant(p: Position, t: Any, sink: Any, n: Word, k: Square, checkers: Bits) -> Word:
    """Add the legal en-passant captures.

    A capture clears two squares at once, so the king's safety is tested on the resulting occupancy. Without a king
    every capture is legal.
    """
    exposing = p.them if p.kings & p.us else 0
    target = trailing_zeros(p.en_passant)
    captured = target ^ _UP
    pawns = attack_tables.PAWN_ATTACKS[p.turn ^ 1, target] & p.pawns & p.us
    # A knight's check, or that of another pawn, stays.
    if checkers & ~bits.bit(captured) & (p.knights | p.pawns):
        return n
    while pawns:
        source = trailing_zeros(pawns)
        after = toggle(toggle(toggle(p.state, source, t), captured, t), target, t)
        if not sliders_to(p, k, after, t) & exposing:
            n = add(sink, n, PAWN_MOVER, source, bits.bit(target), constants.EN_PASSANT)
        pawns = bits.reset_ls1b(pawns)
    return n


class Safety(NamedTuple):
    """The checks and pins that limit pieces other than the king; the top of this file defines the fields."""

    checkers: Bits
    check_mask: Bits
    pin_d: Bits
    pin_o: Bits


@kernel
def generate(p: Position, t: Any, sink: Any, noisy: Bits, quiet: Bits) -> Word:
    """Pass all legal moves to `sink`, and return their number.

    `noisy` are the wanted targets of captures and promotions, `quiet` those of all other moves. Castling is quiet, and
    its target is the rook's square; if one castling is wanted, all are generated.
    """
    return generate_knowing(Nothing(), p, t, sink, noisy, quiet)


@kernel
def generate_knowing(facts: Any, p: Position, t: Any, sink: Any, noisy: Bits, quiet: Bits) -> Word:
    """Return the same as `generate`, with what the caller knows: `Facts`, or `Nothing`."""
    n = 0
    occupied = p.us | p.them
    allowed = (p.them & noisy) | (~occupied & quiet)
    k = trailing_zeros(p.kings & p.us) & constants.SIX_BITS
    safety = Safety(U64(0), UNIVERSE, U64(0), U64(0))
    if p.kings & p.us:
        safety = safety_of(facts, p, t, k)
        n = add_king_moves(facts, p, t, sink, n, k, safety.checkers, allowed, quiet)
        if bits.reset_ls1b(safety.checkers):
            return n
    n = add_piece_moves(p, t, sink, n, safety, allowed & safety.check_mask)
    n = add_pawn_moves(p, sink, n, safety, noisy, quiet)
    if p.en_passant & noisy:
        n = capture_en_passant(p, t, sink, n, k, safety.checkers)
    return n


@kernel
def safety_of(facts: Any, p: Position, t: Any, k: Square) -> Safety:
    """Return the checks and pins of our king on `k`."""
    checkers = leaper_checks(facts, p, k)
    pin_o = pin_d = U64(0)  # not a plain 0, whose complement is -1 in Python
    snipers_o = attack_tables.EMPTY_ROOK[k] & p.orthogonals & p.them
    if snipers_o:
        near = attacks(_ROOK, k, p.state, t) & snipers_o
        checkers |= near
        pin_o = pin_rays(snipers_o ^ near, k, p.us, p.us | p.them)
    snipers_d = attack_tables.EMPTY_BISHOP[k] & p.diagonals & p.them
    if snipers_d:
        near = attacks(_BISHOP, k, p.state, t) & snipers_d
        checkers |= near
        pin_d = pin_rays(snipers_d ^ near, k, p.us, p.us | p.them)
    check_mask = checkers | BETWEEN[k, trailing_zeros(checkers)] if checkers else UNIVERSE
    return Safety(checkers, check_mask, pin_d, pin_o)


@kernel
def add_king_moves(
    facts: Any, p: Position, t: Any, sink: Any, n: Word, k: Square, checkers: Bits, allowed: Bits, quiet: Bits
) -> Word:
    """Add the steps of the king on `k`, and its castlings."""
    steps = attack_tables.KING_MOVES[k] & allowed
    may_castle = p.castling & p.us & quiet if not checkers else U64(0)
    if may_castle:  # spares attacked squares: perft from the start is 14 % faster
        may_castle = free_to_castle(facts, k, may_castle, p.us | p.them)
    if steps | may_castle:
        danger = attacked(facts, p, k, U64(1) if may_castle else U64(0), t)
        n = add(sink, n, KING_MOVER, k, steps & ~danger, 0)
        if may_castle:
            n = add(sink, n, KING_MOVER, k, castling_rooks(p, t, k, may_castle, danger), constants.CASTLING)
    return n


@kernel
def add_piece_moves(p: Position, t: Any, sink: Any, n: Word, safety: Any, allowed: Bits) -> Word:
    """Add the moves of knights, bishops, rooks and queens."""
    pinned = U64(safety.pin_o | safety.pin_d)
    pieces = p.knights & p.us & ~pinned
    while pieces:
        s = trailing_zeros(pieces)
        n = add(sink, n, constants.KNIGHT, s, attack_tables.KNIGHT_MOVES[s] & allowed, 0)
        pieces = bits.reset_ls1b(pieces)
    n = add_slider_moves(_BISHOP, constants.BISHOP, p, t, sink, n, p.diagonals & p.us & ~pinned, allowed)
    n = add_slider_moves(_ROOK, constants.ROOK, p, t, sink, n, p.orthogonals & p.us & ~pinned, allowed)
    if pinned:
        n = add_slider_moves(
            _BISHOP, constants.BISHOP, p, t, sink, n, p.diagonals & p.us & safety.pin_d, allowed & safety.pin_d
        )
        n = add_slider_moves(
            _ROOK, constants.ROOK, p, t, sink, n, p.orthogonals & p.us & safety.pin_o, allowed & safety.pin_o
        )
    return n


@kernel
def add_slider_moves(
    question: Word, piece: Word, p: Position, t: Any, sink: Any, n: Word, sliders: Bits, allowed: Bits
) -> Word:
    """Add the moves of some bishops or rooks to the allowed squares."""
    while sliders:
        s = trailing_zeros(sliders)
        n = add(sink, n, piece, s, attacks(question, s, p.state, t) & allowed, 0)
        sliders = bits.reset_ls1b(sliders)
    return n


@kernel
def add_pawn_moves(p: Position, sink: Any, n: Word, safety: Any, noisy: Bits, quiet: Bits) -> Word:
    """Add the moves of all pawns at once, except en-passant captures.

    A step is a rotation, so that both colours share the code.
    """
    occupied = p.us | p.them
    up = -_UP if p.turn else _UP
    east = up + 1
    west = up - 1
    last = U64(bits.RANK_1 if p.turn else bits.RANK_8)  # converted: plain ints have no 64-bit complement
    third = bits.RANK_6 if p.turn else bits.RANK_3
    pawns = p.pawns & p.us & ~last  # there is none on the last rank, but on boards that are not chess
    pinned = U64(safety.pin_o | safety.pin_d)
    free = pawns & ~pinned
    pushed = rotate_left(free, up)
    hit_east = rotate_left(free, east)
    hit_west = rotate_left(free, west)
    if pawns & pinned:
        pushed |= rotate_left(pawns & safety.pin_o, up) & safety.pin_o
        hit_east |= rotate_left(pawns & safety.pin_d, east) & safety.pin_d
        hit_west |= rotate_left(pawns & safety.pin_d, west) & safety.pin_d
    pushed &= ~occupied
    doubled = rotate_left(pushed & third, up) & ~occupied & safety.check_mask & quiet
    pushed &= safety.check_mask
    hits = p.them & safety.check_mask & noisy
    hit_east &= bits.NOT_A_FILE & hits
    hit_west &= bits.NOT_H_FILE & hits
    n = add_steps(sink, n, hit_east & ~last, east, 0)
    n = add_steps(sink, n, hit_west & ~last, west, 0)
    n = add_steps(sink, n, pushed & ~last & quiet, up, 0)
    n = add_steps(sink, n, doubled, up + up, 0)
    if (hit_east | hit_west | pushed) & last:
        n = add_promotions(sink, n, hit_east & last, east)
        n = add_promotions(sink, n, hit_west & last, west)
        n = add_promotions(sink, n, pushed & last & noisy, up)
    return n
