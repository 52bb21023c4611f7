"""Mates by name that Lichess' puzzles did not have when they were published: epaulettes, the opera mate and others.

Letters are those of `rookery.positions.motifs.mates`. A side of a king is straight, next to it on its file or rank.
"""

from typing import Any, Final

from rookery.bitboards.bits import A_FILE, RANK_8, file_mask, rank_mask, reset_ls1b
from rookery.kernel import U64, Bits, Word, cold_kernel, kernel, trailing_zeros
from rookery.positions.motifs.mates import CORNERS, EDGE, EDGE_FILES, END_RANKS, attackers_of
from rookery.rules.attack_tables import EMPTY_BISHOP, KING_MOVES
from rookery.rules.move_words import SIX_BITS
from rookery.rules.position import Position

_EPAULETTE, _SWALLOWS_TAIL, _OPERA, _CORNER, _KILL_BOX, _VUKOVIC = range(6)
COUNT: Final = 6


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
