"""Moves as indices among the pseudo-legal moves of a piece, and the numbers of a binpack."""

from typing import Any, NamedTuple

from rookery.bitboards.bits import RANK_2, RANK_3, RANK_6, RANK_7, bit
from rookery.kernel import U64, Bits, Square, Word, kernel, leading_zeros, pdep, popcount, trailing_zeros
from rookery.rules.attack_tables import PAWN_ATTACKS
from rookery.rules.constants import BECOMES_SHIFT, CASTLING, EN_PASSANT, KIND_MASK, PROMOTION, SIX_BITS, TO_SHIFT
from rookery.rules.legality import legal_en_passant_target
from rookery.rules.position import Position, make
from rookery.rules.sliders import attacks_of_piece

PLY_BITS = 14
MOST_PLY = (1 << PLY_BITS) - 1
_SIXTEEN, _SIGN, _REST = 0xFFFF, 0x8000, 0x7FFF
_KIND_SHIFT, _FROM_SHIFT, _STORED_TO_SHIFT, _BECOMES = 14, 8, 2, 3
_BLOCK, _MORE, _BLOCKS = 4, 16, 4  # the bits of a block of a score's change, the bit before it, the most blocks
LONGEST_CHANGE = _BLOCKS * (_BLOCK + 1)


class Choices(NamedTuple):
    """The pseudo-legal moves of a piece: targets, the rooks with which it may castle, and whether it promotes."""

    targets: Bits
    rooks: Bits
    promotes: Word


@kernel
def unsigned(value: Word) -> Word:
    """Return a number of 16 bits as it is stored: the sign below the other bits, which are inverted if it is set."""
    value ^= _REST if value & _SIGN else 0
    return (value << 1 | value >> 15 & 1) & _SIXTEEN


@kernel
def signed_word(value: Word) -> Word:
    """Return a number of 16 bits from how it is stored, with the sign as its highest bit."""
    value = (value >> 1 & _REST) | (value & 1) << 15
    return value ^ (_REST if value & _SIGN else 0)


@kernel
def stored_move(move: Word) -> Word:
    """Return a move as a stem stores it; 0, no move, stays."""
    kind, source, target = move >> _KIND_SHIFT & 3, move & SIX_BITS, move >> TO_SHIFT & SIX_BITS
    # The kinds of the format: promotion 1, castling 2, en passant 3.
    kind = kind ^ 1 if kind >= 2 else kind
    becomes = move >> BECOMES_SHIFT & 3
    return kind << _KIND_SHIFT | source << _FROM_SHIFT | target << _STORED_TO_SHIFT | becomes


@kernel
def move_of(stored: Word) -> Word:
    """Return a move from how a stem stores it."""
    kind = stored >> _KIND_SHIFT & 3
    kind = kind ^ 1 if kind >= 2 else kind
    source, target = stored >> _FROM_SHIFT & SIX_BITS, stored >> _STORED_TO_SHIFT & SIX_BITS
    return kind << _KIND_SHIFT | (stored & _BECOMES) << BECOMES_SHIFT | target << TO_SHIFT | source


@kernel
def bits_for(choices: Word) -> Word:
    """Return the number of bits that tell so many choices, at least one, apart."""
    return 64 - leading_zeros(choices - 1)


@kernel
def choices_of(p: Position, source: Square, t: Any) -> Choices:
    """Return the pseudo-legal moves of our piece on a square.

    `p` has an en-passant square only if a capture is legal.
    """
    piece = bit(source)
    if not p.pawns & piece:
        return Choices(
            attacks_of_piece(p, source, t) & ~p.us,
            p.castling & p.us if p.kings & piece else U64(0),
            U64(0),
        )
    empty = ~(p.us | p.them)
    one = (piece >> 8 if p.turn else piece << 8) & empty
    third = one & (RANK_6 if p.turn else RANK_3)
    two = (third >> 8 if p.turn else third << 8) & empty
    hits = PAWN_ATTACKS[p.turn, source] & (p.them | p.en_passant)
    return Choices(hits | one | two, U64(0), U64(1) if piece & (RANK_2 if p.turn else RANK_7) else U64(0))


@kernel
def count_of(choices: Choices) -> Word:
    """Return the number of pseudo-legal moves of a piece."""
    return (popcount(choices.targets) << (2 if choices.promotes else 0)) + popcount(choices.rooks)


@kernel
def nth_square(board: Bits, n: Word) -> Square:
    """Return square number `n` of a board."""
    return trailing_zeros(pdep(bit(n), board))


@kernel
def move_at(p: Position, source: Square, choices: Choices, index: Word) -> Word:
    """Return a piece's move by its index, below `count_of`."""
    kind = U64(0)
    if choices.promotes:
        kind = U64(PROMOTION) | (index & 3) << BECOMES_SHIFT
        index >>= 2
    n = popcount(choices.targets)
    if index >= n:
        return source | nth_square(choices.rooks, index - n) << TO_SHIFT | CASTLING
    target = nth_square(choices.targets, index)
    if p.pawns & bit(source) and bit(target) & p.en_passant:
        kind = U64(EN_PASSANT)
    return source | target << TO_SHIFT | kind


@kernel
def index_of(choices: Choices, move: Word) -> Word:
    """Return the index of a legal move of a piece."""
    before = bit(move >> TO_SHIFT & SIX_BITS) - 1
    if move & KIND_MASK == CASTLING:
        return popcount(choices.targets) + popcount(choices.rooks & before)
    index = popcount(choices.targets & before)
    return index << 2 | (move >> BECOMES_SHIFT & 3) if choices.promotes else index


@kernel
def with_legal_en_passant(p: Position, t: Any) -> Position:
    """Return a position without its en-passant square if no capture is legal, as the format keeps it."""
    return Position(*p[:8], legal_en_passant_target(p, t), p.turn, p.state)


@kernel
def made(p: Position, move: Word, t: Any) -> Position:
    """Return the position after a legal move, as the format sees it."""
    return with_legal_en_passant(make(p, move, t), t)


@kernel
def change_bits(change: Word) -> tuple[Word, Word]:
    """Return the blocks of a score's change, as a word whose highest bits they are, and the number of bits."""
    word, used = U64(0), U64(0)
    while True:
        block = change & (_MORE - 1)
        change >>= _BLOCK
        block |= _MORE if change else 0
        used += _BLOCK + 1
        word |= block << (64 - used)
        if not change:
            return word, used


@kernel
def change_of(bits: Word) -> tuple[Word, Word]:
    """Return a score's change from the highest bits of a word, and the number of bits; 0 bits if it is too long."""
    change, used = U64(0), U64(0)
    for i in range(_BLOCKS):
        block = bits >> (64 - 5)
        bits <<= 5
        used += 5
        change |= (block & (_MORE - 1)) << (_BLOCK * U64(i))
        if not block & _MORE:
            return change, used
    return change, U64(0)
