"""Zobrist keys: which parts of a position make it the same as another, and the hashes of these parts.

Two positions are the same, as repetitions compare them, if they agree in pieces, side to move, castling rights and a
legal en-passant capture. `rights_key` and `pieces_key` give the key that users see as `Board.key` and
`Positions.keys`: an XOR of one random word for each of these facts (Albert Zobrist, 1970).

`position_hash` covers the same facts for hash tables inside the library.
"""

from typing import Any, Final

import numpy as np

from rookery.bitboards.bits import SPLITMIX_STEP, mixed, reset_ls1b
from rookery.kernel import U64, Bits, Word, byte_planes, kernel, trailing_zeros
from rookery.rules.legality import legal_en_passant_target
from rookery.rules.position import Position

ZOBRIST_SEED: Final = 0x726F6F6B657279  # "rookery"

# The n-th key is SplitMix64's n-th word from the seed: 12 x 64 for pieces (white pawn to king, black pawn to king),
# 64 for castling rooks, 8 for en-passant files, one for black to move.
KEYS: Final = mixed(
    np.array([(ZOBRIST_SEED + (n + 1) * SPLITMIX_STEP) & (1 << 64) - 1 for n in range(13 * 64 + 9)], U64)
)
CASTLING, EN_PASSANT, TURN = 12 * 64, 13 * 64, 13 * 64 + 8
# Every second bit, and every second pair of bits. As words, they have complements in plain Python, too.
_EVEN, _PAIRS = U64(0x5555555555555555), U64(0x3333333333333333)


def _piece_keys(keys: Any) -> Any:
    """Return the keys of pieces by the bits of `piece_planes`: uint64, 64 squares times 16. Code 0 has no key."""
    by_code = np.zeros((64, 16), U64)
    for kind, code in enumerate((3, 5, 4, 2, 6, 7)):  # pawn, knight, bishop, rook, queen, king
        by_code[:, code + 8] = keys[64 * kind : 64 * (kind + 1)]
        by_code[:, code] = keys[64 * (kind + 6) : 64 * (kind + 7)]
    return by_code.reshape(-1)


_PIECE_KEYS: Final = _piece_keys(KEYS)


def _keys_of_four(keys: Any) -> Any:
    """Return the XOR of the keys of each subset of four facts, for rows of four keys: uint64, 16 for each row."""
    subsets = np.arange(16, dtype=U64)
    chosen = [np.where(subsets >> U64(i) & U64(1), keys[:, i : i + 1], U64(0)) for i in range(4)]
    return np.bitwise_xor.reduce(chosen).reshape(-1)


def nibble_keys(keys: Any) -> Any:
    """Return the words that `xor_by_nibbles` looks up for `nibbles_of`, from keys in the order of `KEYS`."""
    squares = [8 * rank + file + right for file in range(4) for rank in range(8) for right in (0, 4)]
    castling, en_passant = keys[CASTLING:EN_PASSANT], keys[EN_PASSANT:TURN]
    turn = [keys[TURN], *[0] * 7]
    rights = np.array([*castling[:8], *castling[56:], *en_passant, *turn], U64).reshape(-1, 4)
    return np.concatenate([_piece_keys(keys).reshape(64, 16)[squares].reshape(-1), _keys_of_four(rights)])


NIBBLE_KEYS: Final = nibble_keys(KEYS)
NIBBLE_KEY_PLANES: Final = byte_planes(NIBBLE_KEYS)

# A word for each board of `position_hash`, so that the same bits mean something else in another board.
_SALTS: Final = mixed(np.arange(1, 17, dtype=U64) * SPLITMIX_STEP).reshape(2, 8)


@kernel
def piece_planes(p: Any) -> tuple[Bits, Bits, Bits]:
    """Return three boards whose bits number the kinds of pieces; 0 is an empty square. `p` is in any form."""
    knights = p.knights | p.kings
    return p.pawns | knights, p.pawns | p.orthogonals | p.kings, p.diagonals | knights


@kernel
def pieces_key(p: Any, white: Bits, squares: Bits) -> Word:
    """Return the XOR of the keys of the pieces on `squares`, all of them occupied. `p` is a position in any form.

    The bits of the planes and the colour's index the table, so that one loop covers all pieces. With a loop for each
    kind and colour, the CPU would mispredict the end of twelve loops.
    """
    x, y, z = piece_planes(p)
    key = 0
    while squares:
        s = trailing_zeros(squares)
        piece = ((x >> s) & 1) | ((y >> s) & 1) << 1 | ((z >> s) & 1) << 2 | ((white >> s) & 1) << 3
        key ^= _PIECE_KEYS[(s << 4) | piece]
        squares = reset_ls1b(squares)
    return key


@kernel
def nibbles_of(p: Any, white: Bits, castling: Bits, turn: Word, target: Bits) -> tuple[Bits, Bits, Bits, Bits, Word]:
    """Return five words whose nibbles give the key of a position, by the table `NIBBLE_KEYS`.

    Four words have the piece of a square in each nibble: in byte r of word f, the squares of rank r on files f and
    f + 4. The last word has castling rights of both ranks, the file of an en-passant capture, and `turn`: 1 for the
    side to move that has a key.
    """
    x, y, z = piece_planes(p)
    even, odd = (x & _EVEN) | (y & _EVEN) << 1, ((x >> 1) & _EVEN) | (y & ~_EVEN)
    even_high, odd_high = (z & _EVEN) | (white & _EVEN) << 1, ((z >> 1) & _EVEN) | (white & ~_EVEN)
    first, second = (even & _PAIRS) | (even_high & _PAIRS) << 2, (odd & _PAIRS) | (odd_high & _PAIRS) << 2
    third, fourth = ((even >> 2) & _PAIRS) | (even_high & ~_PAIRS), ((odd >> 2) & _PAIRS) | (odd_high & ~_PAIRS)
    files = target | target >> 32
    files |= files >> 16
    files |= files >> 8
    rights = (castling & 0xFF) | (castling >> 56) << 8 | (files & 0xFF) << 16 | turn << 24
    return first, second, third, fourth, rights


@kernel
def rights_key(castling: Bits, black_to_move: Word, target: Bits) -> Word:
    """Return the key of castling rights, side to move, and the square of a legal en-passant capture (or no square)."""
    key = 0
    while castling:
        key ^= KEYS[CASTLING + trailing_zeros(castling)]
        castling = reset_ls1b(castling)
    if black_to_move:
        key ^= KEYS[TURN]
    if target:
        key ^= KEYS[EN_PASSANT + (trailing_zeros(target) & 7)]
    return key


@kernel
def _rights_key_of(p: Position, t: Any) -> Word:
    return rights_key(p.castling, p.turn, legal_en_passant_target(p, t))


@kernel
def key_of(p: Position, t: Any) -> Word:
    """Return the Zobrist key of a position."""
    return pieces_key(p, p.them if p.turn else p.us, p.us | p.them) ^ _rights_key_of(p, t)


@kernel
def position_hash(p: Position, target: Bits, word: Word) -> Word:
    """Return a hash of a position whose legal en-passant capture goes to `target`.

    `word` is 0 or 1 and chooses one of two independent hashes. Hash tables take this in place of the Zobrist key,
    because they hash each position from scratch: seven boards side by side, of two multiplications each, instead of a
    look-up for each of up to 32 pieces, one after another.
    """
    key = mixed(p.pawns ^ _SALTS[word, 0]) ^ mixed(p.knights ^ _SALTS[word, 1]) ^ mixed(p.diagonals ^ _SALTS[word, 2])
    key ^= mixed(p.orthogonals ^ _SALTS[word, 3]) ^ mixed(p.kings ^ _SALTS[word, 4])
    key ^= mixed(p.us ^ _SALTS[word, 5]) ^ mixed(p.castling ^ _SALTS[word, 6])
    if target:
        key ^= mixed(target ^ _SALTS[word, 7])
    return key ^ p.turn
