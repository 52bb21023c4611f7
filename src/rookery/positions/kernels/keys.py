"""Compiled code for keys of columns of positions, groups of equal positions, and hashes of the moves of games."""

from typing import Any

import numpy as np

from rookery.bitboards.bits import SPLITMIX_STEP
from rookery.bitboards.sets import east_one, nort_one, sout_one, west_one
from rookery.kernel import NIBBLE_ROWS, U64, Bits, Word, array_of, entry, kernel, signed, xor_by_nibbles
from rookery.positions.kernels.lanes import Lane, black_mask, load, occupied_of, position
from rookery.positions.keys import key_room
from rookery.positions.layout import BLACK_TO_MOVE, empty_columns
from rookery.rules.compiled import default_technique
from rookery.rules.legality import legal_en_passant_target
from rookery.rules.polyglot import POLYGLOT_KEYS, POLYGLOT_PLANES, wings_of
from rookery.rules.zobrist import NIBBLE_KEY_PLANES, NIBBLE_KEYS, nibbles_of

# Where the rows of `key_room` begin, and the size of some; words also in functions marked `signed`.
_TAKERS, _LEGAL, _WORDS, _HASHES = (U64(row * NIBBLE_ROWS) for row in (0, 1, 2, 7))
_ROW, _2_ROWS, _3_ROWS, _4_ROWS = (U64(rows * NIBBLE_ROWS) for rows in range(1, 5))


@kernel
def takers_en_passant(p: Lane) -> Bits:
    """Return the pawns that attack the en-passant square, whether or not their capture is legal."""
    black = black_mask(p)
    beside = (sout_one(p.en_passant) & ~black) | (nort_one(p.en_passant) & black)
    us = p.white ^ (occupied_of(p) & black)
    return (east_one(beside) | west_one(beside)) & p.pawns & us


@kernel
def target_if_legal(p: Lane, takers: Bits, t: Any) -> Bits:
    """Return the en-passant square if one of the pawns `takers_en_passant` may legally capture there, else no square.

    Few positions have such pawns, so only those are made ready for the generator.
    """
    return legal_en_passant_target(position(p, t), t) if takers else 0


@entry(examples=lambda: (empty_columns(1), array_of(U64), default_technique().tables()))
def targets(c: Any, out: Any, t: Any) -> None:
    """Write the en-passant squares where a capture is legal."""
    for i in range(out.size):
        p = load(c, i)
        out[i] = target_if_legal(p, takers_en_passant(p), t)


@entry(examples=lambda: (key_room(), empty_columns(1), array_of(U64), array_of(U64), default_technique().tables()))
@signed
def keys(room: Any, c: Any, out: Any, targets: Any, t: Any) -> None:
    """Write the keys of all positions, and the en-passant squares where a capture is legal unless `targets` is empty.

    Positions are hashed in blocks by their nibbles, at the same speed in any order. With a loop over the pieces, the
    CPU mispredicts its end: 12 million positions a second in place of 83 (AMD Zen 3).
    """
    words, hashes = room[_WORDS:_HASHES], room[_HASHES:]
    for start in range(0, out.size, NIBBLE_ROWS):
        size = min(out.size - start, NIBBLE_ROWS)
        for i in range(size):
            room[_TAKERS + U64(i)] = takers_en_passant(load(c, U64(start) + U64(i)))
        for i in range(size):
            taken = target_if_legal(load(c, U64(start) + U64(i)), room[_TAKERS + U64(i)], t)
            room[_LEGAL + U64(i)] = taken
        if targets.size:
            for i in range(size):
                targets[start + i] = room[_LEGAL + U64(i)]
        for i in range(size):
            p = load(c, U64(start) + U64(i))
            turn = p.state & U64(BLACK_TO_MOVE)
            parts = nibbles_of(p, p.white, p.castling, turn, room[_LEGAL + U64(i)])
            row = _WORDS + U64(i)
            room[row], room[row + _ROW], room[row + _2_ROWS], room[row + _3_ROWS], room[row + _4_ROWS] = parts
        xor_by_nibbles(words, NIBBLE_KEYS, NIBBLE_KEY_PLANES, hashes)
        for i in range(size):
            out[start + i] = hashes[i]


@entry(examples=lambda: (key_room(), empty_columns(1), array_of(U64)))
@signed
def polyglot_keys(room: Any, c: Any, out: Any) -> None:
    """Write the keys of all positions in books of Polyglot's format."""
    words, hashes = room[_WORDS:_HASHES], room[_HASHES:]
    for start in range(0, out.size, NIBBLE_ROWS):
        size = min(out.size - start, NIBBLE_ROWS)
        for i in range(size):
            p = load(c, U64(start) + U64(i))
            target = p.en_passant if takers_en_passant(p) else U64(0)
            wings = wings_of(p.castling, p.kings, p.white)
            parts = nibbles_of(p, p.white, wings, (p.state & U64(BLACK_TO_MOVE)) ^ U64(BLACK_TO_MOVE), target)
            row = _WORDS + U64(i)
            room[row], room[row + _ROW], room[row + _2_ROWS], room[row + _3_ROWS], room[row + _4_ROWS] = parts
        xor_by_nibbles(words, POLYGLOT_KEYS, POLYGLOT_PLANES, hashes)
        for i in range(size):
            out[start + i] = hashes[i]


@kernel
def next_move_hash(value: Word, move: Word) -> Word:
    """Return the hash of a list of moves with one move more. The hash of no moves is `SPLITMIX_STEP`."""
    value = (value ^ (move + 1)) * SPLITMIX_STEP  # one more, since the null move is 0
    return value ^ (value >> 29)


@entry(examples=lambda: (array_of(np.int64), array_of(np.uint16), 0, array_of(U64)))
def move_hashes(offsets: Any, moves: Any, most: Any, out: Any) -> None:
    """Write a hash of the first moves of each list, at most `most` of them."""
    for i in range(out.size):
        value: Word = SPLITMIX_STEP
        for j in range(offsets[i], min(offsets[i + 1], offsets[i] + most)):
            value = next_move_hash(value, U64(moves[j]))
        out[i] = value


@kernel
def equal(c: Any, targets: Any, flags: Word, i: Word, j: Word) -> Word:
    """Return 1 if two positions are equal; `targets` are the en-passant squares where a capture is legal."""
    a, b = load(c, i), load(c, j)
    pieces = (
        (a.pawns ^ b.pawns)
        | (a.knights ^ b.knights)
        | (a.diagonals ^ b.diagonals)
        | (a.orthogonals ^ b.orthogonals)
        | (a.kings ^ b.kings)
        | (a.white ^ b.white)
    )
    rights = (a.castling ^ b.castling) | (targets[i] ^ targets[j]) | ((a.state ^ b.state) & flags)
    return 0 if pieces | rights else 1


@entry(
    examples=lambda: (
        empty_columns(1),
        array_of(U64),
        array_of(U64),
        array_of(U64),
        array_of(np.uint32),
        array_of(np.int64),
        array_of(np.int64),
        array_of(np.int64),
        array_of(np.int64),
    )
)
def group(
    c: Any, hashes: Any, targets: Any, flags: Any, table: Any, first: Any, number: Any, size: Any, count: Any
) -> None:
    """Write the group of each position, and the first position and the size of each group.

    `table` holds a group's number and 1, in the first free slot after that of its key. A table of at least twice as
    many slots groups 29 million positions of games a second, where sorting the keys took it to 5.8 (AMD Zen 3).
    """
    last = U64(table.size) - 1
    groups = U64(0)
    for i in range(hashes.size):
        key = hashes[i]
        slot = key & last
        while table[slot]:
            j = first[table[slot] - U64(1)]
            if hashes[j] == key and equal(c, targets, flags[0], U64(i), U64(j)):
                break
            slot = (slot + 1) & last
        if not table[slot]:
            first[groups] = i
            groups = groups + U64(1)
            table[slot] = groups
        number[i] = U64(table[slot]) - U64(1)
        size[number[i]] += 1
    count[0] = groups
