"""Feature planes: what a network reads, from the mover's side.

    v        a position as the side to move sees it, see `rookery.lanes.columns`
    s        scratch: a row of `STRIDE` words for each bitboard that some channel is made of
    recipe   for each channel asked for, its first row in the scratch, and how its rows become a plane: (2, channels)

Two passes over blocks that stay in the cache. The first computes bitboards, eight positions a register, and
only the groups of them that the channels need. The second spreads each over the 64 numbers of its plane: it writes the
output once, in order, and memory sets its pace.
"""

import difflib
import itertools
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.bits import above_ls1b, isolate_ls1b
from rookery.kernel import ONE, U64, UNIVERSE, ZERO, Board, Word, allocating_entry, byteswap, kernel
from rookery.lanes.columns import (
    CHESS960,
    CLOCK_SHIFT,
    COUNTER,
    NUMBER_SHIFT,
    View,
    black_mask,
    load,
    position,
    turned,
    view,
)
from rookery.lanes.count import shields
from rookery.lanes.fills import Slides, east, no_ea, no_we, nort, slides, so_ea, so_we, sout, west
from rookery.rules.core import BACK_RANK, C_FILE, CASTLING, G_FILE, KIND_MASK, SIX_BITS, TO_SHIFT
from rookery.rules.generate import MOST_MOVES, List, generate
from rookery.sets import (
    black_pawn_any_attacks,
    east_one,
    king_moves,
    knight_moves,
    no_ea_one,
    no_we_one,
    nort_one,
    so_ea_one,
    so_we_one,
    sout_one,
    west_one,
    white_pawn_any_attacks,
)

# How rows become a plane: a bitboard its 64 squares; a number fills the plane; five rows are the bits of a count.
SQUARES, CLOCK, NUMBER, COUNT = map(U64, range(4))


class Channel(NamedTuple):
    """A channel: how it is made, and what it holds."""

    kind: U64
    text: str


# The kernels write rows in this order, and count on it from the first channel of a group on.
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
    "our_kingside": Channel(SQUARES, "everywhere 1 where the mover still has the right to castle kingside"),
    "our_queenside": Channel(SQUARES, "everywhere 1 where the mover still has the right to castle queenside"),
    "their_kingside": Channel(SQUARES, "everywhere 1 where the other side still has the right to castle kingside"),
    "their_queenside": Channel(SQUARES, "everywhere 1 where the other side still has the right to castle queenside"),
    "en_passant": Channel(SQUARES, "the square a pawn has just jumped over, whether or not a capture is possible"),
    "halfmove_clock": Channel(CLOCK, "everywhere the halfmove clock: as it is (255 at most) in bytes, / 100 in floats"),
    "fullmove_number": Channel(NUMBER, "everywhere the number of the move: 255 at most in bytes"),
    "white_to_move": Channel(SQUARES, "everywhere 1 where white is to move"),
    "chess960": Channel(SQUARES, "everywhere 1 in Chess960"),
    "ones": Channel(SQUARES, "everywhere 1: shows a convolution where the board ends"),
    "our_pieces": Channel(SQUARES, "all of the mover's pieces"),
    "their_pieces": Channel(SQUARES, "all of the other side's pieces"),
    "occupied": Channel(SQUARES, "all pieces"),
    "empty": Channel(SQUARES, "all empty squares"),
    "our_attacks": Channel(SQUARES, "what the mover attacks; own pieces that are defended count"),
    "our_pawn_attacks": Channel(SQUARES, "what the mover's pawns attack"),
    "our_knight_attacks": Channel(SQUARES, "what the mover's knights attack"),
    "our_bishop_attacks": Channel(SQUARES, "what the mover's bishops attack"),
    "our_rook_attacks": Channel(SQUARES, "what the mover's rooks attack"),
    "our_queen_attacks": Channel(SQUARES, "what the mover's queens attack"),
    "our_king_attacks": Channel(SQUARES, "what the mover's king attacks"),
    "their_attacks": Channel(SQUARES, "what the other side attacks"),
    "their_pawn_attacks": Channel(SQUARES, "what the other side's pawns attack"),
    "their_knight_attacks": Channel(SQUARES, "what the other side's knights attack"),
    "their_bishop_attacks": Channel(SQUARES, "what the other side's bishops attack"),
    "their_rook_attacks": Channel(SQUARES, "what the other side's rooks attack"),
    "their_queen_attacks": Channel(SQUARES, "what the other side's queens attack"),
    "their_king_attacks": Channel(SQUARES, "what the other side's king attacks"),
    "our_xrays": Channel(SQUARES, "what the mover's sliders attack beyond the first piece in their way"),
    "our_attack_counts": Channel(COUNT, "how many of the mover's pieces attack the square, 0 to 16"),
    "their_xrays": Channel(SQUARES, "what the other side's sliders attack beyond the first piece in their way"),
    "their_attack_counts": Channel(COUNT, "how many of the other side's pieces attack the square, 0 to 16"),
    "our_pinned": Channel(SQUARES, "the mover's pieces that are pinned to their king"),
    "their_pinned": Channel(SQUARES, "the other side's pieces that are pinned to their king"),
    "checkers": Channel(SQUARES, "the pieces that give check to the mover"),
    "king_danger": Channel(SQUARES, "what the other side would attack if the mover's king were not there"),
    "legal_targets": Channel(SQUARES, "where a legal move goes; castling goes where the king does"),
}
DEFAULT: Final = tuple(CHANNELS)[:18]

COUNT_BITS: Final = 5
_HEIGHTS: Final = [COUNT_BITS if channel.kind == COUNT else 1 for channel in CHANNELS.values()]
ROWS: Final = dict(zip(CHANNELS, np.cumsum([0, *_HEIGHTS[:-1]]).tolist(), strict=True))
ALL_ROWS: Final = sum(_HEIGHTS)

# Positions a block, and words a row: rows a power of two apart would alias in the cache.
BLOCK: Final = 128
STRIDE: Final = BLOCK + 8

# Groups of rows that are computed together: by the first channel that needs the group.
_GROUPS: Final = ("our_attacks", "our_xrays", "our_pinned", "legal_targets")
ATTACKS, LINES, KINGS, LEGAL = (1 << i for i in range(len(_GROUPS)))


def _row(name: str) -> Any:
    return U64(ROWS[name])


_OURS = _row("our_pawns")
_THEIRS = _row("their_pawns")
_RIGHTS, _THEIR_RIGHTS = _row("our_kingside"), _row("their_kingside")
_EN_PASSANT = _row("en_passant")
_CLOCK, _NUMBER = _row("halfmove_clock"), _row("fullmove_number")
_WHITE, _CHESS960, _ONES = _row("white_to_move"), _row("chess960"), _row("ones")
_PIECES = _row("our_pieces")
_OUR_ATTACKS, _THEIR_ATTACKS = _row("our_attacks"), _row("their_attacks")
_OUR_XRAYS, _THEIR_XRAYS = _row("our_xrays"), _row("their_xrays")
_PINNED = _row("our_pinned")
_LEGAL = _row("legal_targets")

_BITS = np.array([1 << (k & 7) for k in range(64)], np.uint8)
_ONE_BYTE, _NO_BYTE = np.uint8(1), np.uint8(0)
_MOST_IN_BYTE = U64(255)
_STRIDE, _EIGHT = U64(STRIDE), U64(8)


@kernel
def put(s: Any, row: Word, offset: int, j: int, b: Board) -> None:
    """Keep a board of position `j` of the block.

    Indices are unsigned here and wherever a vector loop adds to one. A signed one might be negative and mean the
    array's end: LLVM could not tell the rows apart and would vectorise nothing, or it would gather.
    """
    s[(row + U64(offset)) * _STRIDE + U64(j)] = b


@kernel
def put_pieces(s: Any, row: Word, j: int, v: View, side: Board) -> None:
    """The six kinds of piece of a side."""
    put(s, row, 0, j, v.pawns & side)
    put(s, row, 1, j, v.knights & side)
    put(s, row, 2, j, v.diagonals & ~v.orthogonals & side)
    put(s, row, 3, j, v.orthogonals & ~v.diagonals & side)
    put(s, row, 4, j, v.orthogonals & v.diagonals & side)
    put(s, row, 5, j, v.kings & side)


@kernel
def put_rights(s: Any, row: Word, j: int, castling: Board, kings: Board) -> None:
    """Whether a side may still castle with a rook on its king's right, and on its left."""
    right = castling & above_ls1b(kings)
    put(s, row, 0, j, UNIVERSE if right else ZERO)
    put(s, row, 1, j, UNIVERSE if castling ^ right else ZERO)


@kernel
def write_basics(c: Any, start: Word, n: int, s: Any) -> None:
    """The rows that come straight from the columns."""
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
        put(s, _CHESS960, 0, j, UNIVERSE if p.state & CHESS960 else ZERO)
        put(s, _ONES, 0, j, UNIVERSE)
        put(s, _PIECES, 0, j, v.us)
        put(s, _PIECES, 1, j, v.them)
        put(s, _PIECES, 2, j, v.us | v.them)
        put(s, _PIECES, 3, j, ~(v.us | v.them))


@kernel
def rook_fills(p: Slides, g: Board) -> Board:
    """What rooks attack."""
    return nort(p, g) | sout(p, g) | east(p, g) | west(p, g)


@kernel
def bishop_fills(p: Slides, g: Board) -> Board:
    """What bishops attack."""
    return no_ea(p, g) | so_ea(p, g) | no_we(p, g) | so_we(p, g)


# `ours` is the universe for the mover's side, and empty for the other.


@kernel
def side_of(v: View, ours: Board) -> Board:
    """All pieces of a side."""
    return v.us if ours else v.them


@kernel
def write_attacks(c: Any, start: Word, n: int, s: Any, row: Word, ours: Board) -> None:
    """What a side attacks, all of it and by kind of piece."""
    for j in range(n):
        v = view(load(c, start + U64(j)))
        side = side_of(v, ours)
        p = slides(~(v.us | v.them))
        pawns = v.pawns & side
        pawns = white_pawn_any_attacks(pawns) if ours else black_pawn_any_attacks(pawns)
        queens = v.orthogonals & v.diagonals
        knights = knight_moves(v.knights & side)
        bishops = bishop_fills(p, v.diagonals & ~queens & side)
        rooks = rook_fills(p, v.orthogonals & ~queens & side)
        queens = bishop_fills(p, queens & side) | rook_fills(p, queens & side)
        kings = king_moves(v.kings & side)
        put(s, row, 0, j, pawns | knights | bishops | rooks | queens | kings)
        put(s, row, 1, j, pawns)
        put(s, row, 2, j, knights)
        put(s, row, 3, j, bishops)
        put(s, row, 4, j, rooks)
        put(s, row, 5, j, queens)
        put(s, row, 6, j, kings)


class Sum(NamedTuple):
    """A number from 0 to 8 for each square, bit by bit."""

    b0: Board
    b1: Board
    b2: Board
    b3: Board


@kernel
def carry(a: Board, b: Board, c: Board) -> Board:
    """The carry of three bits: where at least two are set."""
    return (a & b) | (c & (a ^ b))


@kernel
def sum_of_eight(a: Board, b: Board, c: Board, d: Board, e: Board, f: Board, g: Board, h: Board) -> Sum:
    """How many of eight boards hold each square, by carry-save adders (chessprogramming wiki, "Population Count").

    Seven adders: four of ones, whose carries are twos, two of twos, whose carries are fours, and one of fours.
    """
    abc, def_ = a ^ b ^ c, d ^ e ^ f
    ghabc = g ^ h ^ abc
    c1, c2, c3, c4 = carry(a, b, c), carry(d, e, f), carry(g, h, abc), def_ & ghabc
    twos = c1 ^ c2 ^ c3
    d1, d2 = carry(c1, c2, c3), twos & c4
    return Sum(def_ ^ ghabc, twos ^ c4, d1 ^ d2, d1 & d2)


@kernel
def write_lines(c: Any, start: Word, n: int, s: Any, row: Word, ours: Board) -> None:
    """What a side's sliders attack through a piece, and how many of its pieces attack each square.

    From each direction one piece at most attacks a square, be it a slider, a pawn or a king.
    """
    for j in range(n):
        v = view(load(c, start + U64(j)))
        side = side_of(v, ours)
        occupied = v.us | v.them
        p = slides(~occupied)
        o, d, k = v.orthogonals & side, v.diagonals & side, v.kings & side
        no, so, ea, we = nort(p, o), sout(p, o), east(p, o), west(p, o)
        ne, se, nw, sw = no_ea(p, d), so_ea(p, d), no_we(p, d), so_we(p, d)
        x = nort(p, no & occupied) | sout(p, so & occupied) | east(p, ea & occupied) | west(p, we & occupied)
        x |= no_ea(p, ne & occupied) | so_ea(p, se & occupied) | no_we(p, nw & occupied) | so_we(p, sw & occupied)
        put(s, row, 0, j, x)
        up, down = k | (v.pawns & side & ours), k | (v.pawns & side & ~ours)
        ne, nw, se, sw = ne | no_ea_one(up), nw | no_we_one(up), se | so_ea_one(down), sw | so_we_one(down)
        a = sum_of_eight(no | nort_one(k), so | sout_one(k), ea | east_one(k), we | west_one(k), ne, nw, se, sw)
        knights = v.knights & side
        e1, w1 = east_one(knights), west_one(knights)
        e2, w2 = east_one(e1), west_one(w1)
        b = sum_of_eight(e1 << 16, e1 >> 16, w1 << 16, w1 >> 16, e2 << 8, e2 >> 8, w2 << 8, w2 >> 8)
        c0 = a.b0 & b.b0
        c1 = carry(a.b1, b.b1, c0)
        c2 = carry(a.b2, b.b2, c1)
        put(s, row, 1, j, a.b0 ^ b.b0)
        put(s, row, 2, j, a.b1 ^ b.b1 ^ c0)
        put(s, row, 3, j, a.b2 ^ b.b2 ^ c1)
        put(s, row, 4, j, a.b3 ^ b.b3 ^ c2)
        put(s, row, 5, j, carry(a.b3, b.b3, c2))


@kernel
def opposite(v: View) -> View:
    """The same position as the other side sees it."""
    return View(
        byteswap(v.pawns),
        byteswap(v.knights),
        byteswap(v.diagonals),
        byteswap(v.orthogonals),
        byteswap(v.kings),
        byteswap(v.them),
        byteswap(v.us),
        byteswap(v.castling),
        byteswap(v.en_passant),
    )


@kernel
def pinned(v: View) -> Board:
    """The mover's pieces that are pinned to their king."""
    b = shields(v)
    return b.bound_file | b.bound_rank | b.bound_diagonal | b.bound_antidiagonal


@kernel
def write_kings(c: Any, start: Word, n: int, s: Any) -> None:
    """What bears on the kings."""
    for j in range(n):
        v = view(load(c, start + U64(j)))
        put(s, _PINNED, 0, j, pinned(v))
        put(s, _PINNED, 1, j, byteswap(pinned(opposite(v))))
        put(s, _PINNED, 2, j, shields(v).checkers)
        p = slides(~(v.us | v.them) | isolate_ls1b(v.kings & v.us))
        danger = rook_fills(p, v.orthogonals & v.them) | bishop_fills(p, v.diagonals & v.them)
        danger |= knight_moves(v.knights & v.them) | king_moves(v.kings & v.them)
        put(s, _PINNED, 3, j, danger | black_pawn_any_attacks(v.pawns & v.them))


@kernel
def write_boards(c: Any, start: Word, n: int, needs: int, legal: Any, s: Any) -> None:
    """The rows of a block: `n` positions from `start`."""
    write_basics(c, start, n, s)
    if needs & ATTACKS:
        write_attacks(c, start, n, s, _OUR_ATTACKS, UNIVERSE)
        write_attacks(c, start, n, s, _THEIR_ATTACKS, ZERO)
    if needs & LINES:
        write_lines(c, start, n, s, _OUR_XRAYS, UNIVERSE)
        write_lines(c, start, n, s, _THEIR_XRAYS, ZERO)
    if needs & KINGS:
        write_kings(c, start, n, s)
    if needs & LEGAL:
        for j in range(n):
            put(s, _LEGAL, 0, j, legal[start + U64(j)])


@allocating_entry
def fill_bytes(c: Any, recipe: Any, needs: Any, legal: Any, out: Any) -> None:
    """Planes of bytes: `out` is (n, channels * 64)."""
    s = np.empty(ALL_ROWS * STRIDE, np.uint64)
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
                    # Each byte of the word against eight masks, of which LLVM makes shuffles: 31 GB/s within the cache.
                    # Shifts of the word by 0 to 63 gave 12, and signed indices, which might be negative, 2.5.
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


@allocating_entry
def fill_floats(c: Any, recipe: Any, needs: Any, legal: Any, out: Any) -> None:
    """Planes of floats: `out` is (n, channels * 64)."""
    s = np.empty(ALL_ROWS * STRIDE, np.uint64)
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
                        held = (board >> U64(k)) & ONE
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
    """The number at square `k` whose bits are `COUNT_BITS` rows from `word` on."""
    number = ZERO
    for b in range(COUNT_BITS):
        number |= ((s[word + U64(b) * _STRIDE] >> U64(k)) & ONE) << U64(b)
    return number


@allocating_entry
def legal_targets(c: Any, out: Any, t: Any) -> None:
    """Where the legal moves go, as the mover sees it; castling goes where the king does."""
    moves = np.empty(MOST_MOVES, np.uint16)
    for i in range(out.size):
        lane = load(c, i)
        n = generate(position(lane, t), t, List(moves), UNIVERSE, UNIVERSE)
        targets = ZERO
        for m in range(n):
            move = U64(moves[m])
            target = (move >> TO_SHIFT) & SIX_BITS
            if move & KIND_MASK == CASTLING:
                target = (target & BACK_RANK) | (G_FILE if target > move & SIX_BITS else C_FILE)
            targets |= ONE << target
        out[i] = turned(targets, black_mask(lane))


class Plan(NamedTuple):
    """What the entries take of a list of channels: their recipe, and the groups of rows it needs."""

    recipe: NDArray[np.uint64]
    needs: int


def plan(channels: Iterable[str]) -> Plan:
    """How to make a list of channels."""
    names = _names(channels)
    ends = [ROWS[name] for name in _GROUPS] + [ALL_ROWS]
    needs = 0
    for i, (first, last) in enumerate(itertools.pairwise(ends)):
        if any(first <= ROWS[name] < last for name in names):
            needs |= 1 << i
    recipe = [[U64(ROWS[name]) for name in names], [CHANNELS[name].kind for name in names]]
    return Plan(np.array(recipe, U64), needs)


def _names(channels: Iterable[str]) -> list[str]:
    if isinstance(channels, str):
        raise TypeError(f"channels: {channels!r}: expected a list of names, like [{channels!r}]")
    names = list(channels)
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"channels: {name!r}: expected names of channels")
        if name not in CHANNELS:
            close = difflib.get_close_matches(name, CHANNELS, n=4, cutoff=0.5)
            meant = f"did you mean {', '.join(close)}?" if close else f"there are {', '.join(CHANNELS)}"
            raise ValueError(f"channels: {name!r}: no such channel; {meant}")
    return names


FILLERS: Final = {np.dtype(np.uint8): fill_bytes, np.dtype(np.float32): fill_floats}


def no_targets() -> NDArray[np.uint64]:
    """What the fillers take in place of `legal_targets` where no channel needs them."""
    return np.empty(0, np.uint64)
