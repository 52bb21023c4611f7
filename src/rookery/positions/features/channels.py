"""The channels of feature planes, and the bitboards that they are made of.

    v        a position as the side to move sees it, see `rookery.positions.layout`
    s        scratch: a row of `STRIDE` words for each bitboard that channels are made of

Blocks of positions stay in the cache. Only the groups of rows that the channels need are computed, eight positions a
register.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from rookery.bitboards.bits import above_ls1b, isolate_ls1b
from rookery.bitboards.sets import (
    black_pawn_any_attacks,
    king_moves,
    knight_moves,
    white_pawn_any_attacks,
)
from rookery.kernel import U64, UNIVERSE, Bits, Word, kernel
from rookery.positions.layout import (
    CHESS960,
    CLOCK_SHIFT,
    COUNTER,
    NUMBER_SHIFT,
    View,
    black_mask,
    load,
    turned,
    view,
)
from rookery.positions.queries.attacks import count_attackers
from rookery.positions.queries.fills import (
    diagonal_attacks,
    east,
    no_ea,
    no_we,
    nort,
    orthogonal_attacks,
    slides,
    so_ea,
    so_we,
    sout,
    west,
)
from rookery.positions.queries.pins import all_lines, along, both, checkers, danger

# How rows become a plane: a bitboard gives its 64 squares, a number fills the plane, five rows are the bits of a count.
SQUARES, CLOCK, NUMBER, COUNT = range(4)


class Channel(NamedTuple):
    """A channel: how it is made, and a description."""

    kind: int
    text: str


# The kernels rely on this order: they address the rows of a group relative to its first channel.
CHANNELS: Final = {
    "our_pawns": Channel(SQUARES, "the mover's pawns"),
    "our_knights": Channel(SQUARES, "the mover's knights"),
    "our_bishops": Channel(SQUARES, "the mover's bishops"),
    "our_rooks": Channel(SQUARES, "the mover's rooks"),
    "our_queens": Channel(SQUARES, "the mover's queens"),
    "our_king": Channel(SQUARES, "the mover's king"),
    "their_pawns": Channel(SQUARES, "the other side's pawns"),
    "their_knights": Channel(SQUARES, "the other side's knights"),
    "their_bishops": Channel(SQUARES, "the other side's bishops"),
    "their_rooks": Channel(SQUARES, "the other side's rooks"),
    "their_queens": Channel(SQUARES, "the other side's queens"),
    "their_king": Channel(SQUARES, "the other side's king"),
    "our_kingside": Channel(SQUARES, "1 on all squares while the mover has the right to castle kingside"),
    "our_queenside": Channel(SQUARES, "1 on all squares while the mover has the right to castle queenside"),
    "their_kingside": Channel(SQUARES, "1 on all squares while the other side has the right to castle kingside"),
    "their_queenside": Channel(SQUARES, "1 on all squares while the other side has the right to castle queenside"),
    "en_passant": Channel(SQUARES, "the square that a pawn has just jumped over, whether or not a capture is possible"),
    "halfmove_clock": Channel(CLOCK, "the half-move clock on all squares: at most 255 in bytes, / 100 in floats"),
    "fullmove_number": Channel(NUMBER, "the full-move number on all squares: at most 255 in bytes"),
    "white_to_move": Channel(SQUARES, "1 on all squares if white is to move"),
    "chess960": Channel(SQUARES, "1 on all squares in Chess960"),
    "ones": Channel(SQUARES, "1 on all squares: marks the edge of the board for a convolution"),
    "our_pieces": Channel(SQUARES, "all of the mover's pieces"),
    "their_pieces": Channel(SQUARES, "all of the other side's pieces"),
    "occupied": Channel(SQUARES, "all pieces"),
    "empty": Channel(SQUARES, "all empty squares"),
    "our_attacks": Channel(SQUARES, "the squares that the mover attacks, including those of defended pieces"),
    "our_pawn_attacks": Channel(SQUARES, "the squares that the mover's pawns attack"),
    "our_knight_attacks": Channel(SQUARES, "the squares that the mover's knights attack"),
    "our_bishop_attacks": Channel(SQUARES, "the squares that the mover's bishops attack"),
    "our_rook_attacks": Channel(SQUARES, "the squares that the mover's rooks attack"),
    "our_queen_attacks": Channel(SQUARES, "the squares that the mover's queens attack"),
    "our_king_attacks": Channel(SQUARES, "the squares that the mover's king attacks"),
    "their_attacks": Channel(SQUARES, "the squares that the other side attacks"),
    "their_pawn_attacks": Channel(SQUARES, "the squares that the other side's pawns attack"),
    "their_knight_attacks": Channel(SQUARES, "the squares that the other side's knights attack"),
    "their_bishop_attacks": Channel(SQUARES, "the squares that the other side's bishops attack"),
    "their_rook_attacks": Channel(SQUARES, "the squares that the other side's rooks attack"),
    "their_queen_attacks": Channel(SQUARES, "the squares that the other side's queens attack"),
    "their_king_attacks": Channel(SQUARES, "the squares that the other side's king attacks"),
    "our_xrays": Channel(SQUARES, "the squares that the mover's sliders attack beyond the first piece"),
    "our_attack_counts": Channel(COUNT, "how many of the mover's pieces attack the square, 0 to 16"),
    "their_xrays": Channel(SQUARES, "the squares that the other side's sliders attack beyond the first piece"),
    "their_attack_counts": Channel(COUNT, "how many of the other side's pieces attack the square, 0 to 16"),
    "our_pinned": Channel(SQUARES, "the mover's pieces that are pinned to their king"),
    "their_pinned": Channel(SQUARES, "the other side's pieces that are pinned to their king"),
    "checkers": Channel(SQUARES, "the pieces that give check to the mover"),
    "king_danger": Channel(SQUARES, "the squares that the other side attacks once the mover's king is off the board"),
    "legal_targets": Channel(SQUARES, "the target squares of legal moves; castling goes where the king does"),
}
DEFAULT: Final = tuple(CHANNELS)[:18]

COUNT_BITS: Final = 5
_HEIGHTS: Final = [COUNT_BITS if channel.kind == COUNT else 1 for channel in CHANNELS.values()]
ROWS: Final = dict(zip(CHANNELS, np.cumsum([0, *_HEIGHTS[:-1]]).tolist(), strict=True))
ALL_ROWS: Final = sum(_HEIGHTS)

# Positions in a block and words in a row: rows a power of two apart would alias in the cache.
BLOCK: Final = 128
STRIDE: Final = BLOCK + 8

# Groups of rows that are computed together, named by their first channel.
GROUPS: Final = ("our_attacks", "our_xrays", "our_pinned", "legal_targets")
ATTACKS, LINES, KINGS, LEGAL = (1 << i for i in range(len(GROUPS)))


_OURS = ROWS["our_pawns"]
_THEIRS = ROWS["their_pawns"]
_RIGHTS, _THEIR_RIGHTS = ROWS["our_kingside"], ROWS["their_kingside"]
_EN_PASSANT = ROWS["en_passant"]
_CLOCK, _NUMBER = ROWS["halfmove_clock"], ROWS["fullmove_number"]
_WHITE, _CHESS960, _ONES = ROWS["white_to_move"], ROWS["chess960"], ROWS["ones"]
_PIECES = ROWS["our_pieces"]
_OUR_ATTACKS, _THEIR_ATTACKS = ROWS["our_attacks"], ROWS["their_attacks"]
_OUR_XRAYS, _THEIR_XRAYS = ROWS["our_xrays"], ROWS["their_xrays"]
_PINNED = ROWS["our_pinned"]
_LEGAL = ROWS["legal_targets"]


@kernel
def put(s: Any, row: Word, offset: Word, j: int, b: Bits) -> None:
    """Store a board of position `j` of the block.

    Indices are unsigned here, and wherever a vectorised loop adds to one. A signed index may be negative and count from
    the end of the array: LLVM could then not tell the rows apart, and would vectorise nothing, or gather.
    """
    s[(row + offset) * STRIDE + U64(j)] = b


@kernel
def put_pieces(s: Any, row: Word, j: int, v: View, side: Bits) -> None:
    """Store the six kinds of piece of a side."""
    put(s, row, 0, j, v.pawns & side)
    put(s, row, 1, j, v.knights & side)
    put(s, row, 2, j, v.diagonals & ~v.orthogonals & side)
    put(s, row, 3, j, v.orthogonals & ~v.diagonals & side)
    put(s, row, 4, j, v.orthogonals & v.diagonals & side)
    put(s, row, 5, j, v.kings & side)


@kernel
def put_rights(s: Any, row: Word, j: int, castling: Bits, kings: Bits) -> None:
    """Store whether a side may still castle with a rook to the king's right, and to its left."""
    right = castling & above_ls1b(kings)
    put(s, row, 0, j, UNIVERSE if right else 0)
    put(s, row, 1, j, UNIVERSE if castling ^ right else 0)


@kernel
def write_basics(c: Any, start: Word, n: int, s: Any) -> None:
    """Write the rows that come straight from the columns."""
    for j in range(n):
        p = load(c, start + U64(j))
        v = view(p)
        put_pieces(s, _OURS, j, v, v.us)
        put_pieces(s, _THEIRS, j, v, v.them)
        put_rights(s, _RIGHTS, j, v.castling & v.us, v.kings & v.us)
        put_rights(s, _THEIR_RIGHTS, j, v.castling & v.them, v.kings & v.them)
        put(s, _EN_PASSANT, 0, j, v.en_passant)
        put(s, _CLOCK, 0, j, (p.state >> CLOCK_SHIFT) & COUNTER)
        put(s, _NUMBER, 0, j, (p.state >> NUMBER_SHIFT) & COUNTER)
        put(s, _WHITE, 0, j, ~black_mask(p))
        put(s, _CHESS960, 0, j, UNIVERSE if p.state & CHESS960 else 0)
        put(s, _ONES, 0, j, UNIVERSE)
        put(s, _PIECES, 0, j, v.us)
        put(s, _PIECES, 1, j, v.them)
        put(s, _PIECES, 2, j, v.us | v.them)
        put(s, _PIECES, 3, j, ~(v.us | v.them))


# In the kernels below `ours` is the universe for the mover's side, and empty for the other.


@kernel
def side_of(v: View, ours: Bits) -> Bits:
    """Return all pieces of a side."""
    return v.us if ours else v.them


@kernel
def write_attacks(c: Any, start: Word, n: int, s: Any, row: Word, ours: Bits) -> None:
    """Write the squares that a side attacks, in total and by kind of piece."""
    for j in range(n):
        v = view(load(c, start + U64(j)))
        side = side_of(v, ours)
        p = slides(~(v.us | v.them))
        pawns = v.pawns & side
        pawns = white_pawn_any_attacks(pawns) if ours else black_pawn_any_attacks(pawns)
        queens = v.orthogonals & v.diagonals
        knights = knight_moves(v.knights & side)
        bishops = diagonal_attacks(p, v.diagonals & ~queens & side)
        rooks = orthogonal_attacks(p, v.orthogonals & ~queens & side)
        queens = diagonal_attacks(p, queens & side) | orthogonal_attacks(p, queens & side)
        kings = king_moves(v.kings & side)
        put(s, row, 0, j, pawns | knights | bishops | rooks | queens | kings)
        put(s, row, 1, j, pawns)
        put(s, row, 2, j, knights)
        put(s, row, 3, j, bishops)
        put(s, row, 4, j, rooks)
        put(s, row, 5, j, queens)
        put(s, row, 6, j, kings)


@kernel
def write_lines(c: Any, start: Word, n: int, s: Any, row: Word, ours: Bits) -> None:
    """Write what a side's sliders attack through a piece, and how many of its pieces attack each square."""
    for j in range(n):
        v = view(load(c, start + U64(j)))
        side = side_of(v, ours)
        occupied = v.us | v.them
        p = slides(~occupied)
        o, d = v.orthogonals & side, v.diagonals & side
        no, so, ea, we = nort(p, o), sout(p, o), east(p, o), west(p, o)
        ne, se, nw, sw = no_ea(p, d), so_ea(p, d), no_we(p, d), so_we(p, d)
        x = nort(p, no & occupied) | sout(p, so & occupied) | east(p, ea & occupied) | west(p, we & occupied)
        x |= no_ea(p, ne & occupied) | so_ea(p, se & occupied) | no_we(p, nw & occupied) | so_we(p, sw & occupied)
        put(s, row, 0, j, x)
        counted = count_attackers(p, v, side, ~ours)
        put(s, row, 1, j, counted.ones)
        put(s, row, 2, j, counted.twos)
        put(s, row, 3, j, counted.fours)
        put(s, row, 4, j, counted.eights)
        put(s, row, 5, j, counted.sixteens)


@kernel
def write_kings(c: Any, start: Word, n: int, s: Any) -> None:
    """Write the pins, the checkers and the squares that the mover's king may not enter.

    If a side has several kings, the one on the lowest square, a1 = 0, counts.
    """
    for j in range(n):
        p = load(c, start + U64(j))
        v, black = view(p), black_mask(p)
        king = turned(isolate_ls1b(p.kings & turned(v.us, black)), black)
        their_king = turned(isolate_ls1b(p.kings & turned(v.them, black)), black)
        w = slides(~(v.us | v.them))
        seen, ours = along(w, king, king), along(w, v.orthogonals & v.us, v.diagonals & v.us)
        theirs = along(w, v.orthogonals & v.them, v.diagonals & v.them)
        put(s, _PINNED, 0, j, all_lines(both(seen, theirs)) & v.us)
        put(s, _PINNED, 1, j, all_lines(both(along(w, their_king, their_king), ours)) & v.them)
        put(s, _PINNED, 2, j, checkers(seen, v, king, v.them, 0) | king_moves(king) & v.kings & v.them)
        put(s, _PINNED, 3, j, danger(v, king, v.us, v.them, 0))


@kernel
def write_boards(c: Any, start: Word, n: int, needs: int, legal: Any, s: Any) -> None:
    """Write the rows of a block: `n` positions from `start` on."""
    write_basics(c, start, n, s)
    if needs & ATTACKS:
        write_attacks(c, start, n, s, _OUR_ATTACKS, UNIVERSE)
        write_attacks(c, start, n, s, _THEIR_ATTACKS, 0)
    if needs & LINES:
        write_lines(c, start, n, s, _OUR_XRAYS, UNIVERSE)
        write_lines(c, start, n, s, _THEIR_XRAYS, 0)
    if needs & KINGS:
        write_kings(c, start, n, s)
    if needs & LEGAL:
        for j in range(n):
            put(s, _LEGAL, 0, j, legal[start + U64(j)])
