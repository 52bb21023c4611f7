"""A proof that a side cannot mate, from an upper bound of where each piece can ever go.

    reach[s]     the squares that the piece now on `s` may ever reach
    steady       squares of pieces that never move and are never captured
    clear        squares that no piece ever occupies
    capturable   pieces that may be captured
    guarded      squares that a side attacks in every position to come

The bounds start with what stands on the board, and grow by every move that they allow until nothing changes: at
the end, no legal game leaves them. If white, in these bounds, cannot attack a square of black's king and take all its
squares of escape, white cannot mate. The method is that of Miguel Ambrona ("A Practical Algorithm for Chess
Unwinnability", FUN 2022) and of the third version of his program CHA, without those of its rules for which no proof
was found here.

The side that shall mate is white: callers turn the board. Locked pawns are what makes the bounds small.
"""

from typing import Any

from rookery.bitboards.bits import (
    FIRST_RANK,
    RANK_2,
    RANK_3,
    RANK_6,
    RANK_7,
    RANK_8,
    bit,
    file_mask,
    isolate_ls1b,
    reset_ls1b,
)
from rookery.bitboards.line_tables import BETWEEN
from rookery.bitboards.sets import black_pawn_any_attacks, white_pawn_any_attacks
from rookery.kernel import (
    U64,
    UNIVERSE,
    Bits,
    Square,
    Word,
    called_kernel,
    cold_kernel,
    kernel,
    popcount,
    trailing_zeros,
)
from rookery.rules.attack_tables import KING_MOVES, KNIGHT_MOVES, PAWN_ATTACKS
from rookery.rules.helpmates.space import (
    CAPTURABLE,
    CLEAR,
    DOUBTFUL,
    GUARDED,
    GUARDED_BY_BLACK,
    NOT_BY_BISHOPS,
    OFFERED,
    PROMOTES,
    STEADY,
)
from rookery.rules.position import Position, piece_type_on
from rookery.techniques.base.protocol import QUESTIONS, attacks, prepare

_ROOK, _BISHOP = QUESTIONS["rook"], QUESTIONS["bishop"]
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(1, 7)


@kernel
def white_of(p: Position) -> Bits:
    """Return white's pieces."""
    return p.them if p.turn else p.us


@kernel
def files_of(board: Bits) -> Word:
    """Return the files on which a board has squares, as a byte."""
    board |= board >> 32
    board |= board >> 16
    return (board | board >> 8) & 0xFF


@kernel
def is_locked(p: Any, white: Bits) -> Any:
    """Check whether the proof is worth its time: kings, bishops, and pawns of which about half block each other.

    No file may have pawns of one side only, but for one that is about to promote. `p` is in any form.
    """
    pawns, black = p.pawns & white, p.pawns & ~white
    blocked = popcount((pawns << 8) & (p.pawns | p.kings) & ~white)
    apart = files_of(pawns & ~RANK_7) ^ files_of(black & ~RANK_2)
    return blocked != 0 and 2 * blocked + 4 >= popcount(p.pawns) and not apart | p.knights | p.orthogonals


@called_kernel
def strikes(kind: Word, black: Word, sq: Square, occupied: Bits, t: Any) -> Bits:
    """Return the squares that a piece attacks; a king is taken to attack its own square, too."""
    if kind == PAWN:
        return PAWN_ATTACKS[black, sq]
    if kind == KNIGHT:
        return KNIGHT_MOVES[sq]
    if kind == KING:
        return KING_MOVES[sq] | bit(sq)
    state = prepare(occupied, t)
    found = U64(0)
    if kind != ROOK:
        found |= attacks(_BISHOP, sq, state, t)
    if kind != BISHOP:
        found |= attacks(_ROOK, sq, state, t)
    return found


@kernel
def pawn_strikes(pawns: Bits, black: Word) -> Bits:
    """Return the squares that pawns attack."""
    return black_pawn_any_attacks(pawns) if black else white_pawn_any_attacks(pawns)


@kernel
def pushes(black: Word, sq: Square, occupied: Bits) -> Bits:
    """Return the squares to which a pawn may advance."""
    pawn = bit(sq)
    if black:
        one = (pawn >> 8) & ~occupied
        return one | (((one & RANK_6) >> 8) & ~occupied)
    one = (pawn << 8) & ~occupied
    return one | (((one & RANK_3) << 8) & ~occupied)


@kernel
def guard(p: Position, white: Bits, reach: Any, facts: Any, t: Any) -> None:
    """Find the squares that each side attacks wherever its pieces go, with pieces that cannot be captured."""
    queens = p.diagonals & p.orthogonals
    bishops = p.diagonals ^ queens
    facts[GUARDED] = facts[GUARDED_BY_BLACK] = 0
    left = (p.us | p.them) & ~facts[CAPTURABLE]
    while left:
        s = trailing_zeros(left)
        left = reset_ls1b(left)
        black = 0 if white & bit(s) else U64(1)
        kind = piece_type_on(p, s)
        occupied = ~facts[CLEAR]
        if kind == BISHOP:  # where only bishops of one side stand, one of them guards through the other
            own = ~white if black else white
            occupied &= ~(own & bishops & ~facts[NOT_BY_BISHOPS + black] & ~facts[CAPTURABLE])
        found = UNIVERSE
        squares = reach[s]
        while squares:
            found &= strikes(kind, black, trailing_zeros(squares), occupied, t)
            squares = reset_ls1b(squares)
        facts[GUARDED + black] |= found


@kernel
def covered_for_ever(p: Position, own: Bits, black: Word, facts: Any, t: Any) -> Bits:
    """Return the squares that pieces of a side attack that never leave their squares."""
    found = U64(0)
    left = facts[STEADY] & own
    while left:
        s = trailing_zeros(left)
        left = reset_ls1b(left)
        found |= strikes(piece_type_on(p, s), black, s, ~facts[CLEAR], t)
    return found


@cold_kernel
def is_mate_of_white(p: Position, home: Square, source: Square, target: Square, space: Any, t: Any) -> Any:
    """Check whether a black move mates a white king that never moves, if it may be made at all.

    It gives check from a square that white cannot take, or uncovers one, and nothing can ever stand between. The king's
    other squares must be covered by pieces that are not the one that moves: its guard is no longer where it was.
    """
    facts = space.facts
    white, kind = white_of(p), piece_type_on(p, home)
    king = p.kings & white
    k = trailing_zeros(king)
    seen = strikes(kind, 1, target, ~facts[CLEAR], t)
    mates = seen & king and not bit(target) & facts[OFFERED]
    mates = mates and (kind != PAWN or (source ^ target) != 16)  # a double step may be taken en passant
    checkers = facts[STEADY] & ~white & (p.diagonals | p.orthogonals) & ~bit(home)
    while checkers and not mates:
        c = trailing_zeros(checkers)
        checkers = reset_ls1b(checkers)
        if BETWEEN[k, c] & bit(source):
            occupied = (~facts[CLEAR] & ~bit(source)) | bit(target)
            mates = (strikes(piece_type_on(p, c), 1, c, occupied, t) & king) != 0
    if not mates:
        return False
    flights = KING_MOVES[k] & ~(white & facts[STEADY]) & ~seen
    return not flights & ~covered_for_ever(p, ~white & ~bit(home), U64(1), facts, t)


@cold_kernel
def gives_away(p: Position, home: Square, target: Square, space: Any, t: Any) -> Any:
    """Check whether white's last piece is lost by a check next to a king that cannot move but by taking it."""
    reach, facts = space.reach, space.facts
    white, kind = white_of(p), piece_type_on(p, home)
    king = p.kings & ~white
    seen = strikes(kind, 0, target, ~facts[CLEAR], t)
    if not king & facts[STEADY] & KING_MOVES[target] or not seen & king:
        return False
    near: Bits = 0
    everywhere: Bits = UNIVERSE
    squares = reach[trailing_zeros(p.kings & white)]
    while squares:
        around = KING_MOVES[trailing_zeros(squares)]
        squares = reset_ls1b(squares)
        near |= around
        everywhere &= around
    if KING_MOVES[trailing_zeros(king)] & ~(~white & facts[STEADY]) & ~bit(target) & ~seen & ~everywhere:
        return False
    return not near & bit(target) or (covered_for_ever(p, ~white & ~p.kings, U64(1), facts, t) & bit(target)) != 0


@kernel
def is_barred(p: Position, kind: Word, home: Square, source: Square, target: Square, reach: Any, facts: Any) -> Any:
    """Check whether a piece stands in the way for ever: one that is not captured, and has no square outside the way."""
    white = white_of(p)
    own = white if white & bit(home) else ~white
    way = BETWEEN[source, target] | bit(source) | bit(target)
    file = file_mask(home)
    pawn = kind == PAWN and not (source ^ target) & 7
    stays = kind == PAWN and not (reach[home] | bit(target)) & ~file
    left = (p.us | p.them) & way & ~bit(home) & ~facts[CAPTURABLE]
    while left:
        o = trailing_zeros(left)
        left = reset_ls1b(left)
        if own & bit(o):
            if not reach[o] & ~way:
                return True
        elif p.pawns & bit(o) and pawn and not reach[o] & ~(file if stays else way):
            return True
    return False


@called_kernel
def saturate(p: Position, space: Any, kept: Bits, stuck: Bits, t: Any) -> None:
    """Find the bounds, if the pieces `kept` are not captured before they move, and those `stuck` never move."""
    reach, facts = space.reach, space.facts
    white = white_of(p)
    occupied = p.us | p.them
    last = popcount(white) == 2  # white needs its only piece: if black takes it, white cannot mate
    kings = p.kings
    white_king = p.kings & white
    for s in range(64):
        reach[s] = bit(U64(s)) & occupied
    facts[:] = 0
    facts[STEADY] = occupied
    facts[CLEAR] = ~occupied
    guard(p, white, reach, facts, t)
    grew = U64(1)
    while grew:
        grew = U64(0)
        pieces = occupied
        while pieces:
            s = trailing_zeros(pieces)
            home = isolate_ls1b(pieces)
            pieces = reset_ls1b(pieces)
            kind = piece_type_on(p, s)
            black = 0 if white & home else U64(1)
            own = occupied & ~white if black else white
            other = occupied ^ own
            sources = U64(0) if stuck & home else reach[s]
            while sources:
                source = trailing_zeros(sources)
                sources = reset_ls1b(sources)
                steady = facts[STEADY]
                if kind == PAWN:
                    targets = pushes(black, source, steady)
                    if not (black and last):
                        targets |= PAWN_ATTACKS[black, source] & facts[OFFERED + (black ^ 1)]
                else:
                    targets = strikes(kind, black, source, steady, t)
                targets &= ~reach[s] & ~(own & steady) & ~(kept & steady)
                targets &= ~(kings & other & steady)
                if kind == KING:
                    targets &= ~facts[GUARDED + (black ^ 1)]
                while targets:
                    target = trailing_zeros(targets)
                    targets = reset_ls1b(targets)
                    out = is_barred(p, kind, s, source, target, reach, facts)
                    if black and white_king & facts[STEADY]:
                        out = out or is_mate_of_white(p, s, source, target, space, t)
                    if last and not black and kind != KING:
                        out = out or gives_away(p, s, target, space, t)
                    if not out:
                        reach[s] |= bit(target)
                        grew = U64(1)
            if kind == PAWN and reach[s] & (FIRST_RANK if black else RANK_8):
                facts[PROMOTES] = 1
                more = ~(facts[STEADY] & (own | kings)) & ~reach[s]
                reach[s] |= more
                grew |= more
            grew |= note(p, s, other, last and black != 0, reach, facts)
        guard(p, white, reach, facts, t)


@kernel
def note(p: Position, s: Square, other: Bits, harmless: Any, reach: Any, facts: Any) -> Bits:
    """Draw the conclusions from where a piece goes; return nonzero if there are new ones."""
    kind = piece_type_on(p, s)
    black = 0 if white_of(p) & bit(s) else U64(1)
    squares = reach[s]
    moved = squares & ~bit(s)
    before_steady, before_clear, before_taken = facts[STEADY], facts[CLEAR], facts[CAPTURABLE]
    before_offered, before_others = facts[OFFERED + black], facts[NOT_BY_BISHOPS + black]
    if not harmless:
        prey = other & ~p.kings
        takes = squares
        if kind == PAWN and not squares & (FIRST_RANK if black else RANK_8):  # it takes only where it goes aslant
            takes = pawn_strikes(squares, black) & squares
        taken = U64(0)
        while prey:
            victim = trailing_zeros(prey)
            prey = reset_ls1b(prey)
            if takes & reach[victim]:
                taken |= bit(victim)
        if facts[PROMOTES] == 0 or facts[DOUBTFUL] == 0:
            facts[DOUBTFUL] |= taken & facts[STEADY]
        facts[CAPTURABLE] |= taken
    facts[STEADY] &= ~(moved & ~p.kings)
    if moved:
        facts[STEADY] &= ~bit(s)
    facts[CLEAR] &= ~squares
    if kind != KING:
        facts[OFFERED + black] |= squares
    if kind != BISHOP:
        facts[NOT_BY_BISHOPS + black] |= squares
    return (
        (before_steady ^ facts[STEADY])
        | (before_clear ^ facts[CLEAR])
        | (before_taken ^ facts[CAPTURABLE])
        | (before_offered ^ facts[OFFERED + black])
        | (before_others ^ facts[NOT_BY_BISHOPS + black])
    )


@called_kernel
def may_mate(p: Position, space: Any, t: Any) -> Any:
    """Check whether the bounds leave white a mate: a square of black's king that it attacks, with no escape."""
    reach, facts = space.reach, space.facts
    white = white_of(p)
    region = reach[trailing_zeros(p.kings & ~white)]
    king_squares = reach[trailing_zeros(p.kings & white)]
    steady = facts[STEADY]
    struck = checked = U64(0)
    left = white & ~p.kings
    while left:
        s = trailing_zeros(left)
        left = reset_ls1b(left)
        kind = piece_type_on(p, s)
        squares = reach[s]
        found: Bits = 0
        while squares:
            found |= strikes(kind, 0, trailing_zeros(squares), steady & ~p.kings, t)
            squares = reset_ls1b(squares)
        if reach[s] & ~bit(s) and kind == PAWN and facts[PROMOTES] and reach[s] & RANK_8:
            found = UNIVERSE
        struck |= found
        # A pawn or a knight that never moves gives no check: no king steps to where it attacks.
        if reach[s] & ~bit(s) or (p.diagonals | p.orthogonals) & bit(s):
            checked |= found
    struck &= region
    squares = checked & region
    while squares:
        mate = trailing_zeros(squares)
        squares = reset_ls1b(squares)
        if are_escapes_closed(p, mate, KING_MOVES[mate] & region & ~struck, king_squares, space):
            return True
    return False


@kernel
def are_escapes_closed(p: Position, mate: Square, escapes: Bits, king_squares: Bits, space: Any) -> Any:
    """Check whether black's own pieces and white's king can take all escapes from a square."""
    reach = space.reach
    number: Word = 0
    filled: Bits = 0
    left = (p.us | p.them) & ~white_of(p) & ~p.kings
    while left:
        squares = reach[trailing_zeros(left)] & escapes
        left = reset_ls1b(left)
        filled |= squares
        number += 1 if squares else 0
    # White's king stands on one square, and closes what is next to it; black has to fill the rest.
    stands = king_squares & ~KING_MOVES[mate] & ~bit(mate)
    while True:
        closed = KING_MOVES[trailing_zeros(stands)] if stands else U64(0)
        rest = escapes & ~closed
        if not rest & ~filled and popcount(rest) <= number:
            return True
        if not stands:
            return False
        stands = reset_ls1b(stands)


@called_kernel
def mates_if(p: Position, space: Any, kept: Bits, stuck: Bits, t: Any) -> Any:
    """Check whether white may mate if the pieces `kept` are not captured before they move, and those `stuck` stay."""
    saturate(p, space, kept, stuck, t)
    return may_mate(p, space, t)


@called_kernel
def cannot_mate_ever(p: Position, space: Any, t: Any) -> Any:
    """Check whether it is proved that white cannot mate. It is not proved where it is False.

    A piece that never moves, but may be captured, is captured where it stands, or it is not: each case has tighter
    bounds than both together.
    """
    white = white_of(p)
    if p.en_passant or p.castling:
        return False
    kept = white & ~p.kings if popcount(white) == 2 else U64(0)
    if not mates_if(p, space, kept, U64(0), t):
        return True
    doubtful = space.facts[DOUBTFUL]
    left = doubtful
    while left:
        one = isolate_ls1b(left)
        left = reset_ls1b(left)
        if not mates_if(p, space, one, U64(0), t) and not mates_if(p, space, U64(0), one, t):
            return True
    if popcount(doubtful) != 2:
        return False
    one, two = isolate_ls1b(doubtful), reset_ls1b(doubtful)
    return not (
        mates_if(p, space, doubtful, U64(0), t)
        or mates_if(p, space, one, two, t)
        or mates_if(p, space, two, one, t)
        or mates_if(p, space, U64(0), doubtful, t)
    )
