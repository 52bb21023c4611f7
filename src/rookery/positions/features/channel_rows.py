"""Compiled code that computes the rows of channels."""

from typing import Any

from rookery.bitboards import sets
from rookery.bitboards.bits import above_ls1b, isolate_ls1b
from rookery.kernel import U64, UNIVERSE, Bits, Word, kernel
from rookery.positions.features import channels
from rookery.positions.kernels.lanes import View, black_mask, load, turned, view
from rookery.positions.layout import CHESS960, CLOCK_SHIFT, COUNTER, NUMBER_SHIFT
from rookery.positions.queries import fills
from rookery.positions.queries.attacks import count_attackers
from rookery.positions.queries.pins import all_lines, along, both, checkers, danger

_OURS = channels.ROWS["our_pawns"]
_THEIRS = channels.ROWS["their_pawns"]
_RIGHTS, _THEIR_RIGHTS = channels.ROWS["our_kingside"], channels.ROWS["their_kingside"]
_EN_PASSANT = channels.ROWS["en_passant"]
_CLOCK, _NUMBER = channels.ROWS["halfmove_clock"], channels.ROWS["fullmove_number"]
_WHITE, _CHESS960, _ONES = channels.ROWS["white_to_move"], channels.ROWS["chess960"], channels.ROWS["ones"]
_PIECES = channels.ROWS["our_pieces"]
_OUR_ATTACKS, _THEIR_ATTACKS = channels.ROWS["our_attacks"], channels.ROWS["their_attacks"]
_OUR_XRAYS, _THEIR_XRAYS = channels.ROWS["our_xrays"], channels.ROWS["their_xrays"]
_PINNED = channels.ROWS["our_pinned"]
_LEGAL = channels.ROWS["legal_targets"]


# In the kernels below `ours` is the universe for the mover's side, and empty for the other.


@kernel
def put(s: Any, row: Word, offset: Word, j: int, b: Bits) -> None:
    """Store a board of position `j` of the block.

    Indices are unsigned here, and wherever a vectorised loop adds to one. A signed index may be negative and count from
    the end of the array: LLVM could then not tell the rows apart, and would vectorise nothing, or gather.
    """
    s[(row + offset) * channels.STRIDE + U64(j)] = b


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
        p = fills.slides(~(v.us | v.them))
        pawns = v.pawns & side
        pawns = sets.white_pawn_any_attacks(pawns) if ours else sets.black_pawn_any_attacks(pawns)
        queens = v.orthogonals & v.diagonals
        knights = sets.knight_moves(v.knights & side)
        bishops = fills.diagonal_attacks(p, v.diagonals & ~queens & side)
        rooks = fills.orthogonal_attacks(p, v.orthogonals & ~queens & side)
        queens = fills.diagonal_attacks(p, queens & side) | fills.orthogonal_attacks(p, queens & side)
        kings = sets.king_moves(v.kings & side)
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
        p = fills.slides(~occupied)
        o, d = v.orthogonals & side, v.diagonals & side
        no, so, ea, we = fills.nort(p, o), fills.sout(p, o), fills.east(p, o), fills.west(p, o)
        ne, se, nw, sw = fills.no_ea(p, d), fills.so_ea(p, d), fills.no_we(p, d), fills.so_we(p, d)
        x = (
            fills.nort(p, no & occupied)
            | fills.sout(p, so & occupied)
            | fills.east(p, ea & occupied)
            | fills.west(p, we & occupied)
        )
        x |= (
            fills.no_ea(p, ne & occupied)
            | fills.so_ea(p, se & occupied)
            | fills.no_we(p, nw & occupied)
            | fills.so_we(p, sw & occupied)
        )
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
        w = fills.slides(~(v.us | v.them))
        seen, ours = along(w, king, king), along(w, v.orthogonals & v.us, v.diagonals & v.us)
        theirs = along(w, v.orthogonals & v.them, v.diagonals & v.them)
        put(s, _PINNED, 0, j, all_lines(both(seen, theirs)) & v.us)
        put(s, _PINNED, 1, j, all_lines(both(along(w, their_king, their_king), ours)) & v.them)
        put(s, _PINNED, 2, j, checkers(seen, v, king, v.them, 0) | sets.king_moves(king) & v.kings & v.them)
        put(s, _PINNED, 3, j, danger(v, king, v.us, v.them, 0))


@kernel
def write_boards(c: Any, start: Word, n: int, needs: int, legal: Any, s: Any) -> None:
    """Write the rows of a block: `n` positions from `start` on."""
    write_basics(c, start, n, s)
    if needs & channels.ATTACKS:
        write_attacks(c, start, n, s, _OUR_ATTACKS, UNIVERSE)
        write_attacks(c, start, n, s, _THEIR_ATTACKS, 0)
    if needs & channels.LINES:
        write_lines(c, start, n, s, _OUR_XRAYS, UNIVERSE)
        write_lines(c, start, n, s, _THEIR_XRAYS, 0)
    if needs & channels.KINGS:
        write_kings(c, start, n, s)
    if needs & channels.LEGAL:
        for j in range(n):
            put(s, _LEGAL, 0, j, legal[start + U64(j)])
