"""Mates by name: which of the well-known patterns a checkmate shows.

    p         a checkmate seen from the side that mates, which moves up the board: its pieces are `us`
    piece     the piece that mates, a board of one bit
    checkers  the pieces that give check
    king      the mated king; `ring` has the squares next to it

The definitions are those of Lichess' puzzles. They are narrower than the words: a back-rank mate, for instance, needs
three of the king's own pieces in front of it, none of them attacked. A puzzle has the first name of `MATES` that fits.
"""

from typing import Any, Final

import numpy as np

from rookery.bitboards import bits
from rookery.bitboards.bits import A_FILE, RANK_8, file_mask, isolate_ls1b, rank_mask, reset_ls1b
from rookery.kernel import U64, Bits, Square, Word, array_of, cold_kernel, entry, kernel, trailing_zeros
from rookery.positions.kernels.lanes import black_mask, from_side, load, position, turned
from rookery.positions.layout import empty_columns
from rookery.rules.attack_tables import EMPTY_BISHOP, KING_MOVES, KNIGHT_MOVES
from rookery.rules.compiled import default_technique
from rookery.rules.constants import SIX_BITS
from rookery.rules.generate import checkers_of
from rookery.rules.position import Position
from rookery.rules.swap_off import attackers_of_both

MATES: Final = (
    "smotheredMate",
    "backRankMate",
    "anastasiaMate",
    "hookMate",
    "arabianMate",
    "bodenMate",
    "doubleBishopMate",
    "dovetailMate",
)
_SMOTHERED, _BACK_RANK, _ANASTASIA, _HOOK, _ARABIAN, _BODEN, _DOUBLE_BISHOP, _DOVETAIL, _NONE = range(len(MATES) + 1)
EDGE_FILES, END_RANKS = bits.A_FILE | bits.H_FILE, bits.RANK_1 | bits.RANK_8
EDGE = EDGE_FILES | END_RANKS
CORNERS = EDGE_FILES & END_RANKS


@cold_kernel
def attackers_of(p: Position, sq: Square, t: Any) -> Bits:
    """Return the mating side's pieces that attack a square."""
    return attackers_of_both(p, sq, p.us | p.them, t) & p.us


@kernel
def _attacked(p: Position, squares: Bits, t: Any) -> Bits:
    """Return those of some squares that the mating side attacks."""
    found: Bits = 0
    while squares:
        square = bits.isolate_ls1b(squares)
        squares ^= square
        found |= square if attackers_of(p, trailing_zeros(square), t) else 0
    return found


@kernel
def is_smothered(p: Position, checkers: Bits, ring: Bits) -> Any:
    """Check whether a knight gives check and the king's own pieces fill its ring."""
    return bool(checkers & p.knights) and not ring & ~p.them


@cold_kernel
def is_back_rank(p: Position, checkers: Bits, king: Bits, ring: Bits, t: Any) -> Any:
    """Check whether a check along the back rank mates a king behind its own pieces, none of which is attacked."""
    if not king & bits.RANK_8 or not checkers & bits.RANK_8:
        return False
    front = ring & (bits.RANK_8 >> 8)
    return not front & ~p.them and not _attacked(p, front, t)


@kernel
def is_anastasia(p: Position, piece: Bits, king: Bits) -> Any:
    """Check whether a queen or rook mates along an edge file, with a piece next to the king and our knight behind it.

    On the king's rank stand the king at the edge, then its own piece, and our knight two squares further.
    """
    if not king & EDGE_FILES & ~END_RANKS or not piece & p.orthogonals & bits.file_mask(trailing_zeros(king)):
        return False
    if king & bits.A_FILE:
        return bool((king << 1) & p.them and (king << 3) & p.knights & p.us)
    return bool((king >> 1) & p.them and (king >> 3) & p.knights & p.us)


@cold_kernel
def is_hook(p: Position, piece: Bits, ring: Bits, t: Any) -> Any:
    """Check whether a rook mates next to the king, guarded by a knight next to it, which a pawn guards."""
    if not piece & ring & p.orthogonals & ~p.diagonals:
        return False
    knights = KNIGHT_MOVES[trailing_zeros(piece)] & p.knights & p.us & ring
    while knights:
        if attackers_of(p, trailing_zeros(knights), t) & p.pawns:
            return True
        knights = bits.reset_ls1b(knights)
    return False


@kernel
def is_arabian(p: Position, piece: Bits, king: Bits, ring: Bits) -> Any:
    """Check whether a rook mates a king in the corner from next to it, guarded by a knight two diagonal steps away."""
    if not king & CORNERS or not piece & ring & p.orthogonals & ~p.diagonals:
        return False
    k = trailing_zeros(king)
    # In the corner one square of a diagonal is two steps away, and it alone is two steps from the rook's square.
    two_away = EMPTY_BISHOP[k] & KNIGHT_MOVES[trailing_zeros(piece)]
    return bool(two_away & p.knights & p.us)


@kernel
def bishops_mate(p: Position, king: Bits, ring: Bits, black: Bits, t: Any) -> Word:
    """Return `_BODEN`, `_DOUBLE_BISHOP` or `_NONE`: only bishops, two at least, attack the king and its ring.

    It is Boden's mate if they come from both sides of the king. The two bishops are those on the lowest squares, as
    white sees them; `black` is the universe if black mates.
    """
    bishops = p.us & p.diagonals & ~p.orthogonals
    if not bits.reset_ls1b(bishops):
        return _NONE
    squares = ring | king
    while squares:
        if attackers_of(p, trailing_zeros(squares), t) & ~bishops:
            return _NONE
        squares = bits.reset_ls1b(squares)
    bishops = turned(bishops, black)
    king_file = trailing_zeros(king) & 7
    first = trailing_zeros(bishops) & 7
    second = trailing_zeros(bits.reset_ls1b(bishops)) & 7
    return _BODEN if (first < king_file) == (second > king_file) else _DOUBLE_BISHOP


@cold_kernel
def is_dovetail(p: Position, piece: Bits, king: Bits, ring: Bits, t: Any) -> Any:
    """Check whether a queen mates from a square diagonal to the king, whose other squares only she attacks.

    A square that she attacks is empty, and the king is not at the edge.
    """
    k = trailing_zeros(king)
    if king & EDGE or not piece & ring & p.diagonals & p.orthogonals & ~bits.file_mask(k) & ~bits.rank_mask(k):
        return False
    squares = ring ^ piece
    while squares:
        square = bits.isolate_ls1b(squares)
        squares ^= square
        attackers = attackers_of(p, trailing_zeros(square), t)
        if attackers & ~piece or (attackers and square & (p.us | p.them)):
            return False
    return True


@kernel
def fitting_mates(p: Position, piece: Bits, checkers: Bits, black: Bits, t: Any) -> Word:
    """Return a bit for each name of `MATES` that fits a checkmate: bit 0 for the first."""
    king = p.kings & p.them
    ring = KING_MOVES[trailing_zeros(king) & SIX_BITS]
    bishops = bishops_mate(p, king, ring, black, t)
    found = 1 << _SMOTHERED if is_smothered(p, checkers, ring) else U64(0)
    found |= 1 << _BACK_RANK if is_back_rank(p, checkers, king, ring, t) else 0
    found |= 1 << _ANASTASIA if is_anastasia(p, piece, king) else 0
    found |= 1 << _HOOK if is_hook(p, piece, ring, t) else 0
    found |= 1 << _ARABIAN if is_arabian(p, piece, king, ring) else 0
    found |= 1 << bishops if bishops != _NONE else 0
    return found | (1 << _DOVETAIL if is_dovetail(p, piece, king, ring, t) else 0)


_EPAULETTE, _SWALLOWS_TAIL, _OPERA, _CORNER, _KILL_BOX, _VUKOVIC = range(6)


@kernel
def is_epaulette(p: Position, piece: Bits, king: Bits) -> Any:
    """Check whether a queen mates from two squares in front of a king at the edge, between two pieces of its own."""
    queen = piece & p.diagonals & p.orthogonals
    if king & END_RANKS & ~EDGE_FILES:
        return bool(queen & ((king << 16) | (king >> 16))) and not ((king << 1) | (king >> 1)) & ~p.them
    if king & EDGE_FILES & ~END_RANKS:
        front = king << 2 if king & A_FILE else king >> 2
        return bool(queen & front) and not ((king << 8) | (king >> 8)) & ~p.them
    return False


@kernel
def is_swallows_tail(p: Position, piece: Bits, ring: Bits, straight: Bits, k: Word) -> Any:
    """Check whether a queen mates at the side of a king whose own pieces are on both squares diagonally behind it."""
    queen = piece & ring & straight & p.diagonals & p.orthogonals
    if not queen:
        return False
    tail = ring & EMPTY_BISHOP[k] & ~KING_MOVES[trailing_zeros(queen)]
    return bool(reset_ls1b(tail)) and not tail & ~p.them


@cold_kernel
def is_opera(p: Position, piece: Bits, king: Bits, ring: Bits, t: Any) -> Any:
    """Check whether a rook mates at the side of a king on its back rank, on that rank, guarded by a bishop."""
    rook = piece & ring & RANK_8 & p.orthogonals & ~p.diagonals
    if not king & RANK_8 or not rook:
        return False
    return bool(attackers_of(p, trailing_zeros(rook), t) & p.diagonals & ~p.orthogonals)


@cold_kernel
def is_corner(p: Position, piece: Bits, king: Bits, ring: Bits, k: Word, t: Any) -> Any:
    """Check whether a knight mates a king in the corner, beside its own piece, with a rook or queen on the next file.

    The rook or queen, or two of them, attack both squares of the ring on the neighbouring file.
    """
    if not king & CORNERS or not piece & p.knights or ring & file_mask(k) & ~p.them:
        return False
    squares = ring & ~file_mask(k)
    while squares:
        if not attackers_of(p, trailing_zeros(squares), t) & p.orthogonals:
            return False
        squares = reset_ls1b(squares)
    return True


@kernel
def is_kill_box(p: Position, piece: Bits, ring: Bits) -> Any:
    """Check whether a rook mates at the side of the king, next to a queen that is two king's steps from the king."""
    rook = piece & ring & p.orthogonals & ~p.diagonals
    if not rook:
        return False
    return bool(KING_MOVES[trailing_zeros(rook)] & ~ring & p.us & p.diagonals & p.orthogonals)


@cold_kernel
def is_vukovic(p: Position, piece: Bits, king: Bits, ring: Bits, straight: Bits, t: Any) -> Any:
    """Check whether a guarded rook mates in front of a king at the edge, with a knight behind it on their line."""
    rook = piece & ring & p.orthogonals & ~p.diagonals
    if not king & EDGE or not rook & ~EDGE:
        return False
    sq = trailing_zeros(rook)
    behind = KING_MOVES[sq] & straight & ~ring & ~king
    return bool(behind & p.knights & p.us) and bool(attackers_of(p, sq, t))


@kernel
def further_mates(p: Position, piece: Bits, t: Any) -> Word:
    """Return a bit for each of these names that fits a checkmate: bit 0 for the first."""
    king = p.kings & p.them
    k = trailing_zeros(king) & SIX_BITS
    ring, straight = KING_MOVES[k], file_mask(k) | rank_mask(k)
    found = 1 << _EPAULETTE if is_epaulette(p, piece, king) else U64(0)
    found |= 1 << _SWALLOWS_TAIL if is_swallows_tail(p, piece, ring, straight, k) else 0
    found |= 1 << _OPERA if is_opera(p, piece, king, ring, t) else 0
    found |= 1 << _CORNER if is_corner(p, piece, king, ring, k, t) else 0
    found |= 1 << _KILL_BOX if is_kill_box(p, piece, ring) else 0
    return found | (1 << _VUKOVIC if is_vukovic(p, piece, king, ring, straight, t) else 0)


_LICHESS: Final = len(MATES)


@entry(examples=lambda: (empty_columns(1), array_of(np.bool_), array_of(U64), default_technique().tables()))
def write_mates(c: Any, mates: Any, out: Any, t: Any) -> None:
    """Write the names that fit each position where `mates` is True: a bit for each name, whichever checker mates."""
    for i in range(out.size):
        found = U64(0)
        if mates[i]:
            here = load(c, i)
            black = ~black_mask(here)  # the side that is not to move mates
            p = from_side(c, i, black, t)
            checkers = turned(checkers_of(position(here, t), t), black)
            left = checkers
            while left:
                piece = isolate_ls1b(left)
                left ^= piece
                found |= fitting_mates(p, piece, checkers, black, t) | (further_mates(p, piece, t) << _LICHESS)
        out[i] = found
