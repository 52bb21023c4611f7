"""Compiled code that finds hanging pieces."""

from typing import Any, NamedTuple

import numpy as np

from rookery.bitboards.bits import RANK_1, RANK_8, bit, reset_ls1b
from rookery.bitboards.sets import black_pawn_any_attacks, king_moves, knight_moves, white_pawn_any_attacks
from rookery.kernel import U64, UNIVERSE, Bits, array_of, entry, kernel, trailing_zeros
from rookery.positions.kernels.lanes import View, load, position
from rookery.positions.layout import empty_columns
from rookery.positions.motifs.boards import ByValue, Settled
from rookery.positions.motifs.kernels.pieces import twice
from rookery.positions.queries.attacks import Planes
from rookery.positions.queries.fills import Slides, diagonal_attacks, orthogonal_attacks
from rookery.positions.queries.pins import all_lines, along, checkers, second_shields, shields
from rookery.rules.compiled import default_technique
from rookery.rules.exchange import is_lost
from rookery.rules.exchange_search import Space, new_space
from rookery.rules.position import Position
from rookery.rules.swap_off import PIECE_VALUES, near_of_both

_A_PAWN = np.int64(PIECE_VALUES[0])  # less is no loss: a knight that takes a defended bishop gains ten centipawns


@kernel
def threatened(v: View, a: ByValue) -> Bits:
    """Return the pieces of a side that a less valuable piece of the opponent attacks."""
    minors = v.knights | (v.diagonals & ~v.orthogonals)
    queens = v.orthogonals & v.diagonals
    return v.us & ((minors & a.pawns) | (v.orthogonals & a.light) | (queens & a.rooks))


@kernel
def held(v: View, a: ByValue, d: ByValue) -> Bits:
    """Return pieces whose capture, recapture and one more capture bring the opponent less than a pawn.

    The least valuable attacker is worth more than the captured piece, by more than the least valuable defender is
    worth.
    """
    minors, rooks = v.knights | (v.diagonals & ~v.orthogonals), v.orthogonals & ~v.diagonals
    found = (v.pawns & d.pawns & ~a.pawns) | (minors & d.pawns & ~a.light) | (v.pawns & d.light & ~a.light)
    return (found | (rooks & d.light & ~(a.light | a.rooks))) & ~(RANK_1 | RANK_8)


@kernel
def balanced(n: Planes, theirs: Planes, a: ByValue, d: ByValue) -> Bits:
    """Return squares with two attackers, no pawn among them, and at least two defenders, one of them a light piece."""
    thrice = (theirs.ones & theirs.twos) | theirs.fours | theirs.eights | theirs.sixteens
    return twice(n) & ~thrice & d.light & ~a.pawns & ~(RANK_1 | RANK_8)


@kernel
def attacks_of_both(w: Slides, v: View, pieces: Bits) -> Bits:
    """Return the squares that some pieces of either side attack."""
    pawns = v.pawns & pieces
    return (
        orthogonal_attacks(w, v.orthogonals & pieces)
        | diagonal_attacks(w, v.diagonals & pieces)
        | knight_moves(v.knights & pieces)
        | king_moves(v.kings & pieces)
        | white_pawn_any_attacks(pawns & v.us)
        | black_pawn_any_attacks(pawns & v.them)
    )


class Suspects(NamedTuple):
    """Squares on which captures may be illegal, and those that a check settles."""

    attack: Bits  # a capture by the opponent may be illegal
    every_attack: Bits  # all captures by the opponent may be illegal
    defence: Bits  # a recapture by the side may be illegal
    certain: Bits  # the side is in check and cannot recapture
    spared: Bits  # the opponent is in check and cannot capture


@kernel
def suspects(w: Slides, v: View, king: Bits, their_king: Bits, theirs: Planes) -> Suspects:
    """Return the squares on which a capture may leave the king of its side attacked.

    A capture is sure to be legal unless the capturing piece stands on a line to a king, or a king is in check.
    """
    occupied = v.us | v.them
    their_o, their_d = v.orthogonals & v.them, v.diagonals & v.them
    checking = checkers(along(w, king, king), v, king, v.them, U64(0)) | (king_moves(king) & v.kings & v.them)
    checked = checkers(along(w, their_king, their_king), v, their_king, v.us, UNIVERSE)
    checked |= king_moves(their_king) & v.kings & v.us
    pinned = all_lines(shields(w, their_king, v.orthogonals & v.us, v.diagonals & v.us)) & v.them
    opening = all_lines(shields(w, king, their_o, their_d)) & occupied
    opening |= second_shields(w, king, occupied, their_o, their_d)
    touched = attacks_of_both(w, v, pinned | opening | checking)
    by_kings = king_moves(v.kings & v.them)

    kings = reset_ls1b(v.kings & v.us) | reset_ls1b(v.kings & v.them)  # several of a side: all is doubtful

    spared = ~(checked | by_kings) if checked and not kings else U64(0)
    certain = ~(touched | by_kings | king_moves(king)) if checking and not (checked | kings) else U64(0)
    # The only attacker of a square gives check no more once it has captured there.
    several = checked | opening | pinned | reset_ls1b(checking) | kings
    plain = touched & ~twice(theirs) if checking and not several else U64(0)
    others = ~(spared | certain | plain) if checking | checked | kings else U64(0)
    attack = touched if pinned else U64(0)
    # Of two attackers, one at most is the only pinned piece.
    every_attack = attack if reset_ls1b(pinned) else attack & ~twice(theirs)
    defence = touched if opening else U64(0)
    return Suspects(others | attack, others | every_attack, others | defence, certain, spared)


@kernel
def settle(
    w: Slides, v: View, king: Bits, their_king: Bits, n: Planes, theirs: Planes, a: ByValue, d: ByValue
) -> Settled:
    """Return what is known about the attacked pieces of a side. `n` counts its attacks, `theirs` the opponent's."""
    s = suspects(w, v, king, their_king, theirs)
    targets = v.us & ~v.kings & (theirs.ones | twice(theirs)) & ~s.spared
    unsettled = targets & ~s.certain
    loose, cheaply = unsettled & ~(n.ones | twice(n)), unsettled & threatened(v, a)
    # On a back rank a pawn that recaptures promotes.
    sunk = cheaply & ~(RANK_1 | RANK_8)
    lost = sunk & ~s.attack
    unguarded = loose & ~lost
    defended = unsettled & ~(loose | lost)
    even, safe = balanced(n, theirs, a, d), held(v, a, d)
    kept = defended & ~(s.defence | cheaply | (twice(theirs) & ~even & ~safe))
    guarded = kept & ~safe
    return Settled(
        (targets & s.certain) | lost,
        unguarded & ~s.every_attack,
        guarded,
        (unguarded & s.every_attack) | (defended & ~kept),
        guarded & even & twice(theirs),
    )


@kernel
def faces_slider(p: Position, own: Bits) -> Bits:
    """Return the sliders of the other side on the lines of the king of `own`."""
    king = p.kings & own
    if not king:
        return 0
    return near_of_both(p, trailing_zeros(king)) & (p.diagonals | p.orthogonals) & ~own


@entry(
    examples=lambda: (
        empty_columns(1),
        array_of(U64),
        array_of(U64),
        array_of(U64),
        new_space(),
        default_technique().tables(),
    )
)
def add_hanging(c: Any, doubtful: Any, even: Any, boards: Any, space: Space, t: Any) -> None:
    """Add to each board those of the doubtful pieces that lose at least a pawn in an exchange."""
    for k in range(boards.size):
        i = U64(k)
        left: Bits = doubtful[i]
        if left | even[i]:
            p = position(load(c, i), t)
            if even[i] and faces_slider(p, p.us if p.us & even[i] else p.them):
                left |= even[i]
            hanging = U64(0)
            while left:
                square = trailing_zeros(left)
                if is_lost(p, square, _A_PAWN, space, t):
                    hanging |= bit(square)
                left = reset_ls1b(left)
            boards[i] |= hanging
