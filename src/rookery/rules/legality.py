"""Legality of single moves: whether a move may be made, and from which squares it may come.

`rookery.rules.generate` has the rules; this file asks them about one move. There are three ways, for three callers:

`sources_of`   from a move to all its legal sources, by the generator, with a sink that keeps only the wanted target.
               It covers every kind of move. The writer of SAN uses it, and `Board` and its reader of UCI through
               `word_of_legal`, which finds the kind of a move of which only the squares are known.
`resolve`      from a target and a kind of piece to the one legal source. The readers of SAN use it: they look back from
               the target, set-wise, at a fraction of the generator's cost. Castling is left to `castling_move`.
`is_pseudo_legal`, `leaves_king_safe`
               yes or no for one move, without a branch, for arrays of moves. En passant and castling are left to
               `sources_of`; `is_legal` puts them together.

`generate_pseudo_legal` passes on moves that may leave the king in check, from the generator of legal moves: for a side
without a king it lists every move of the other pieces. Castling moves among them are fully legal.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from rookery.bitboards import bits
from rookery.bitboards.line_tables import BETWEEN
from rookery.kernel import (
    U64,
    UNIVERSE,
    Bits,
    Square,
    Word,
    array_of,
    entry,
    kernel,
    once_compiled,
    rotate_left,
    trailing_zeros,
)
from rookery.rules import attack_tables, generate, position
from rookery.rules.attack_tables import EMPTY_BISHOP, EMPTY_ROOK, KING_MOVES, KNIGHT_MOVES, PAWN_ATTACKS
from rookery.rules.compiled import default_technique
from rookery.rules.constants import BECOMES_SHIFT, CASTLING, EN_PASSANT, KIND_MASK, PROMOTION, SIX_BITS, TO_SHIFT, WORDS
from rookery.techniques.base.protocol import QUESTIONS, attacks, prepare

_ROOK, _BISHOP = QUESTIONS["rook"], QUESTIONS["bishop"]
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)  # the kinds of pieces, as `resolve` takes them

_UP = U64(8)  # not a plain 8: words wrap, and -_UP is one
SKIPPED_RANKS = bits.RANK_3 | bits.RANK_6  # by a pawn's double step
_KIND = KIND_MASK | 3 << BECOMES_SHIFT

# For each kind of piece, which boards it is on, as masks of all ones or none: knights, diagonals, orthogonals, kings.
_ON: Final = np.array(
    [
        [0, 0, 0, 0],
        [UNIVERSE, 0, 0, 0],
        [0, UNIVERSE, 0, 0],
        [0, 0, UNIVERSE, 0],
        [0, UNIVERSE, UNIVERSE, 0],
        [0, 0, 0, UNIVERSE],
    ],
    U64,
)
_KNIGHTS, _DIAGONALS, _ORTHOGONALS, _KINGS = range(4)
# For each kind of piece but pawns, the squares that it attacks on an empty board.
_REACH: Final = np.stack(
    [np.zeros(64, U64), KNIGHT_MOVES, EMPTY_BISHOP, EMPTY_ROOK, EMPTY_BISHOP | EMPTY_ROOK, KING_MOVES]
)


# Every kind of move: the generator, with a sink for one target.


class Reach(NamedTuple):
    """The sink that collects the squares from which moves of one kind go to a target, instead of counting moves."""

    target: Bits
    kind: Word  # bits 12 to 15 of a move


@generate.add.register(Reach)
def _reach(sink: Reach, n: Bits, piece: Word, source: Square, targets: Bits, kind: Word) -> Bits:
    return n | (bits.bit(source) if targets & sink.target and kind == sink.kind else 0)


@generate.add_steps.register(Reach)
def _reach_steps(sink: Reach, n: Bits, targets: Bits, step: Word, kind: Word) -> Bits:
    return n | (rotate_left(targets & sink.target, -step) if kind == sink.kind else 0)


@kernel
def reach(move: Word) -> Reach:
    """Return the sink for moves of the same kind and with the same target as `move`."""
    return Reach(bits.bit((move >> TO_SHIFT) & SIX_BITS), move & _KIND)


@kernel
def sources_of(p: position.Position, move: Word, t: Any) -> Bits:
    """Return the squares from which a legal move of this kind goes to this target.

    `move` is legal if its own source is among them. The generator skips most of its work, because it is given no other
    target.
    """
    sink = reach(move)
    return generate.generate(p, t, sink, sink.target, sink.target)


@kernel
def legal_en_passant(p: position.Position, t: Any) -> Word:
    """Return the number of pawns that may legally capture en passant."""
    if not p.en_passant:
        return 0
    k = trailing_zeros(p.kings & p.us) & SIX_BITS
    return generate.capture_en_passant(p, t, generate.Count(), 0, k, generate.checkers_of(p, t))


@kernel
def legal_en_passant_target(p: position.Position, t: Any) -> Bits:
    """Return the en-passant square if a pawn may legally capture there, else an empty board."""
    return p.en_passant if legal_en_passant(p, t) else 0


@kernel
def castling_move(p: position.Position, rooks: Bits, t: Any) -> Word:
    """Return the only legal castling with one of these rooks, else 0."""
    k = trailing_zeros(p.kings & p.us) & SIX_BITS
    rooks = attack_tables.with_free_ways(k, rooks & p.castling & p.us, p.us | p.them)
    if not rooks or generate.checkers_of(p, t):
        return 0
    rooks = generate.castling_rooks(p, t, k, rooks, generate.attacked_near(p, k, U64(1), t))
    return CASTLING | trailing_zeros(rooks) << TO_SHIFT | k if rooks and not bits.reset_ls1b(rooks) else 0


@kernel
def beside_king(p: position.Position, right: Word) -> Bits:
    """Return the squares below our king, or from it upward if `right`; none if there is no king."""
    king = bits.isolate_ls1b(p.kings & p.us)
    below = king - 1 if king else U64(0)
    return -king if right else below


@kernel
def castling_rooks_of(p: position.Position, source: Square, target: Square) -> Bits:
    """Return the rooks with which a king may mean to castle when it goes from one square to another."""
    if bits.bit(target) & p.us:
        return bits.bit(target)
    file = target & 7
    if (source ^ target) & position.BACK_RANK or file not in (position.C_FILE, position.G_FILE):
        return 0
    return beside_king(p, U64(1) if file == position.G_FILE else U64(0)) & p.castling & p.us


@kernel
def word_of_legal(p: position.Position, move: Word, t: Any) -> Word:
    """Return the word of the legal move with the squares and the promotion of `move`, or 0.

    A king castles if it goes to its rook, or to its target on the c-file or g-file where it cannot go otherwise.
    """
    source, target = move & SIX_BITS, (move >> TO_SHIFT) & SIX_BITS
    from_ = bits.bit(source)
    if not move & _KIND:
        if from_ & p.pawns and bits.bit(target) & p.en_passant and (source ^ target) & 7:
            move |= EN_PASSANT
        elif from_ & p.kings & p.us:
            if not bits.bit(target) & p.us and sources_of(p, move, t) & from_:
                return move
            word = castling_move(p, castling_rooks_of(p, source, target), t)
            return word if word & SIX_BITS == source else 0
    return move if sources_of(p, move, t) & from_ else 0


# Moves one by one, without a branch.


@kernel
def is_pseudo_legal(p: position.Position, move: Word, t: Any) -> Word:
    """Return 1 if a move is legal when the king's safety is ignored, else 0.

    Castling and en passant count as not pseudo-legal here. It agrees with the generator on impossible boards, too: of
    several kings only the first moves. Bits are shifted to the low end and combined there. From masks, LLVM makes
    branches, which the CPU mispredicts (19 ns a move, not 13).
    """
    source, target = move & SIX_BITS, (move >> TO_SHIFT) & SIX_BITS
    from_ = bits.bit(source) & p.us
    empty = ~(p.us | p.them)
    reached = (KNIGHT_MOVES[source] >> target) & (p.knights >> source)
    reached |= (attacks(_BISHOP, source, p.state, t) >> target) & (p.diagonals >> source)
    reached |= (attacks(_ROOK, source, p.state, t) >> target) & (p.orthogonals >> source)
    reached |= (KING_MOVES[source] >> target) & (bits.isolate_ls1b(p.kings & p.us) >> source)
    reached &= (p.us >> source) & (~p.us >> target)
    pawn = from_ & p.pawns
    up = -_UP if p.turn else _UP
    third = bits.RANK_6 if p.turn else bits.RANK_3
    last = bits.RANK_1 if p.turn else bits.RANK_8
    pawn_targets = rotate_left(pawn, up) & empty
    pawn_targets |= rotate_left(pawn_targets & third, up) & empty
    pawn_targets |= rotate_left(pawn, up + 1) & bits.NOT_A_FILE & p.them
    pawn_targets |= rotate_left(pawn, up - 1) & bits.NOT_H_FILE & p.them
    promotion = 1 if move & KIND_MASK == PROMOTION else 0
    usual = 0 if move >> BECOMES_SHIFT else 1
    reached |= (pawn_targets & (UNIVERSE ^ last)) >> target
    return (usual & reached) | (promotion & ((pawn_targets & last) >> target))


@kernel
def leaves_king_safe(p: position.Position, move: Word, t: Any) -> Word:
    """Return 1 if a pseudo-legal move, neither castling nor en passant, leaves our king unattacked, else 0."""
    source, target = move & SIX_BITS, (move >> TO_SHIFT) & SIX_BITS
    king = bits.isolate_ls1b(p.kings & p.us)
    moves = (king >> source) & 1
    k = (target if moves else trailing_zeros(king)) & SIX_BITS
    state = prepare(position.occupied_after(p, bits.bit(source), bits.bit(target), 0), t)
    # As in the generator, their king matters only where ours goes: on impossible boards they may stand side by side.
    attackers = generate.attackers_of(p, k, state, t) & ~bits.bit(target) & (~p.kings | -moves)
    there_is_one = 1 if king else 0
    attacked = 1 if attackers else 0
    return (there_is_one & attacked) ^ 1


@kernel
def is_legal(p: position.Position, move: Word, t: Any) -> Word:
    """Return 1 if a move is legal, else 0. The null move is legal unless in check."""
    if not move:
        return 0 if generate.checkers_of(p, t) else 1
    if (move & KIND_MASK) >= EN_PASSANT:
        return (sources_of(p, move, t) >> (move & SIX_BITS)) & 1
    return is_pseudo_legal(p, move, t) & leaves_king_safe(p, move, t)


@kernel
def breaks_form(p: position.Position, move: Word) -> Word:
    """Return 0 if the words after a move describe a position, whether the move is legal or not, else some bits.

    Every legal move keeps the form. Loops that make unchecked moves look at these bits, since compiled code relies on
    the form (see `rookery.rules.faults`): on boards with two pieces on a square, lists and texts are longer than their
    arrays.
    """
    source, target, kind = move & SIX_BITS, (move >> TO_SHIFT) & SIX_BITS, move & KIND_MASK
    origin, to = bits.bit(source), bits.bit(target)
    if kind == CASTLING:
        may_castle = p.kings & p.us & origin and p.castling & p.us & to
        return 0 if may_castle and attack_tables.is_way_free(source, target, p.us | p.them) else 1
    # A piece of ours goes where no piece of ours is; a pawn that jumps over a square jumps over one of rank 3 or 6.
    wrong = ((p.us & (origin | to)) ^ origin) | (
        position.skipped_square(origin & p.pawns, to) & (UNIVERSE ^ SKIPPED_RANKS)
    )
    wrong |= origin & ~p.pawns if kind else 0
    if kind == EN_PASSANT:
        wrong |= (to & ~p.en_passant) | (bits.bit(target ^ 8) & p.us)
    return wrong if move else 0


# Moves that SAN names by piece and target.


@kernel
def _pawn_sources(p: position.Position, to: Word, occupied: Bits) -> Bits:
    """Return our pawns that reach a square, when their king's safety is ignored."""
    target = bits.bit(to)
    capture = PAWN_ATTACKS[p.turn ^ 1, to] if target & (p.them | p.en_passant) else 0
    one = target << 8 if p.turn else target >> 8
    two = one << 8 if p.turn else one >> 8
    two = two if target & (bits.RANK_5 if p.turn else bits.RANK_4) and not one & occupied else 0
    push = 0 if target & occupied else one | two
    return (capture | push) & p.pawns & p.us


@kernel
def _piece_candidates(p: position.Position, kind: Word, to: Word) -> Bits:
    """Return our pieces of a kind that reach a square on an empty board."""
    diagonals, orthogonals = _ON[kind, _DIAGONALS], _ON[kind, _ORTHOGONALS]
    pieces = ~(p.diagonals ^ diagonals) & ~(p.orthogonals ^ orthogonals)
    pieces &= (p.knights | ~_ON[kind, _KNIGHTS]) & (p.kings | ~_ON[kind, _KINGS]) & p.us
    return 0 if p.us & bits.bit(to) else pieces & _REACH[kind, to]


@kernel
def _obstacles(p: position.Position, to: Word, k: Word, source: Bits, left: Bits, them: Bits, t: Any) -> Bits:
    """Return what keeps a piece on `source` from going to a square.

    These are pieces in its way, and sliders of `them` that would then attack its king on `k`. `left` is the occupancy
    after the move, with the source still occupied.
    """
    exposed_to = generate.sliders_to(p, k, prepare(left ^ source, t), t) & them
    return exposed_to | (BETWEEN[to, trailing_zeros(source) & SIX_BITS] & (p.us | p.them))


class ResolvedMove(NamedTuple):
    """The source of a move as a board, whether the move is legal and the only one, and the pawn captured en passant.

    `legal` is a word of its own, so that the CPU goes on from `source` without waiting for the proof of legality, which
    it predicts right nearly always.
    """

    source: Bits
    legal: Any
    victim: Bits


@kernel
def resolve(p: position.Position, kind: Word, to: Word, mask: Bits, t: Any) -> ResolvedMove:
    """Find the piece of a kind, among the squares of `mask`, that may legally go to a square."""
    occupied = p.us | p.them
    target = bits.bit(to)
    victim = U64(0)  # not a plain 0, whose complement is -1 in Python
    if kind == PAWN:
        candidates = _pawn_sources(p, to, occupied) & mask
        if target & p.en_passant and candidates and (trailing_zeros(candidates) ^ to) & 7:
            victim = bits.bit(to ^ 8)
    else:
        candidates = _piece_candidates(p, kind, to) & mask
    # No branch: one in ten moves is the king's, and the CPU mispredicts which.
    k = trailing_zeros((p.kings & p.us & ~_ON[kind, _KINGS]) | (target & _ON[kind, _KINGS])) & SIX_BITS
    them = p.them & ~(target | victim)
    leapers = attack_tables.leapers_to(p, k) & them
    left = position.occupied_after(p, 0, target, victim)
    source = bits.isolate_ls1b(candidates)
    others = candidates ^ source
    legal = source and not (leapers or _obstacles(p, to, k, source, left, them, t))
    while others and not leapers:
        other = bits.isolate_ls1b(others)
        others ^= other
        if not _obstacles(p, to, k, other, left, them, t):
            if legal:
                legal = False
                break
            source, legal = other, True
    return ResolvedMove(source, legal, victim)


@kernel
def make_resolved(p: position.Position, kind: Word, to: Word, resolved: ResolvedMove, t: Any) -> position.Position:
    """Return the position after a resolved move of a kind of piece. The move is no promotion."""
    target = bits.bit(to)
    on = _ON[kind]
    piece = UNIVERSE if kind == PAWN else U64(0), on[_KNIGHTS], on[_DIAGONALS], on[_ORTHOGONALS], on[_KINGS]
    state = prepare(position.occupied_after(p, resolved.source, target, resolved.victim), t)
    return position.stepped(p, piece, resolved.source, target, resolved.victim, state)


@kernel
def generate_pseudo_legal(p: position.Position, t: Any, sink: Any) -> Word:
    """Pass all pseudo-legal moves to `sink` and return their number."""
    us = p.us
    pieces = position.Position(*p[:4], p.kings & ~us, us, p.them, p.castling & ~us, p.en_passant, p.turn, p.state)
    n = generate.generate(pieces, t, sink, UNIVERSE, UNIVERSE)
    kings = p.kings & us
    k = trailing_zeros(kings) & SIX_BITS
    rooks = attack_tables.with_free_ways(k, p.castling & us, us | p.them)
    if kings and rooks and not generate.checkers_of(p, t):
        rooks = generate.castling_rooks(p, t, k, rooks, generate.attacked_near(p, k, U64(1), t))
        n = generate.add(sink, n, generate.KING_MOVER, k, rooks, CASTLING)
    while kings:
        k = trailing_zeros(kings)
        n = generate.add(sink, n, generate.KING_MOVER, k, KING_MOVES[k] & ~us, 0)
        kings = bits.reset_ls1b(kings)
    return n


@entry(examples=lambda: (array_of(U64), U64(0), default_technique().tables()))
def pseudo_legal_sources(row: Any, move: Any, t: Any) -> Any:
    """Return the squares from which a pseudo-legal move of this kind goes to this target."""
    return generate_pseudo_legal(position.prepared(row, t), t, reach(move))


@once_compiled
def sources_code() -> tuple[Any, Any]:
    """Return the compiled `pseudo_legal_sources`, and its tables."""
    tables = default_technique().tables()
    return pseudo_legal_sources.resolve(np.zeros(WORDS, U64), U64(0), tables), tables
