"""Lists of moves, their number, checks, and making moves."""

from typing import Any

import numpy as np

from rookery.board.kernels import words
from rookery.kernel import U64, UNIVERSE, Bits, Word, kernel
from rookery.native_methods import kinds
from rookery.rules.constants import BECOMES_SHIFT, CASTLING, EN_PASSANT, KIND_MASK, PROMOTION, SIX_BITS
from rookery.rules.generate import Count, List, checkers_of, generate
from rookery.rules.legality import generate_pseudo_legal
from rookery.rules.position import Position, make, passed, write

_TWO_BITS = 3
_ALL_KINDS = 1 << 16  # in place of a kind of moves
_TYPES = 8  # more than there are types of pieces

# Lists.


@kinds.machine_code("generate_legal_moves", kinds.ROW, kinds.OUT_MOVES, returns=kinds.MOVE_LIST)
def generate_legal_moves(row: Any, moves: Any, t: Any) -> Any:
    """List the legal moves."""
    return generate(words.position_of(row, t), t, List(moves), UNIVERSE, UNIVERSE)


@kinds.machine_code(
    "words_of_moves", kinds.ROW, kinds.BITBOARD_ARGUMENT, kinds.BITBOARD_ARGUMENT, kinds.OUT_MOVES, returns=kinds.INT
)
def legal_moves_to(row: Any, noisy: Any, quiet: Any, moves: Any, t: Any) -> Any:
    """List the legal moves: captures and promotions to `noisy` squares, others to `quiet` squares."""
    return generate(words.position_of(row, t), t, List(moves), noisy, quiet)


@kernel
def keep_within(moves: Any, n: Word, sources: Bits, targets: Bits, kind: Word) -> Word:
    """Keep the listed moves from and to some squares, of a kind or of all. Return their number."""
    kept, i = U64(0), U64(0)
    while i < n:
        move = U64(moves[i])
        moves[kept] = np.uint16(move)
        fits = (sources >> (move & SIX_BITS)) & (targets >> words.target_of(move)) & 1
        kept += fits if kind in (_ALL_KINDS, move & KIND_MASK) else 0
        i += 1
    return kept


@kinds.machine_code(
    "legal_moves_within",
    kinds.ROW,
    kinds.BITBOARD_ARGUMENT,
    kinds.BITBOARD_ARGUMENT,
    kinds.OUT_MOVES,
    returns=kinds.MOVE_LIST,
)
def legal_moves_within(row: Any, sources: Any, targets: Any, moves: Any, t: Any) -> Any:
    """List the legal moves from some squares to some squares."""
    n = generate(words.position_of(row, t), t, List(moves), UNIVERSE, UNIVERSE)
    return keep_within(moves, n, sources, targets, _ALL_KINDS)


@kinds.machine_code("generate_legal_ep", kinds.ROW, kinds.OUT_MOVES, returns=kinds.MOVE_LIST)
def generate_legal_ep(row: Any, moves: Any, t: Any) -> Any:
    """List the legal en-passant captures."""
    p = words.position_of(row, t)
    if not p.en_passant:
        return 0
    n = generate(p, t, List(moves), p.en_passant, 0)
    return keep_within(moves, n, UNIVERSE, UNIVERSE, EN_PASSANT)


@kinds.machine_code("generate_castling_moves", kinds.ROW, kinds.OUT_MOVES, returns=kinds.MOVE_LIST)
def generate_castling_moves(row: Any, moves: Any, t: Any) -> Any:
    """List the legal castling moves."""
    p = words.position_of(row, t)
    rooks = p.castling & p.us
    if not rooks:
        return 0
    n = generate(p, t, List(moves), 0, rooks)
    return keep_within(moves, n, UNIVERSE, UNIVERSE, CASTLING)


@kinds.machine_code("generate_quiet_moves", kinds.ROW, kinds.OUT_MOVES, returns=kinds.MOVE_LIST)
def generate_quiet_moves(row: Any, moves: Any, t: Any) -> Any:
    """List the legal moves that neither capture nor promote."""
    return generate(words.position_of(row, t), t, List(moves), 0, UNIVERSE)


@kinds.machine_code("generate_legal_captures", kinds.ROW, kinds.OUT_MOVES, returns=kinds.MOVE_LIST)
def generate_legal_captures(row: Any, moves: Any, t: Any) -> Any:
    """List the legal captures: of the promotions, those to squares of the other side."""
    p = words.position_of(row, t)
    n = generate(p, t, List(moves), UNIVERSE, 0)
    kept, i = U64(0), U64(0)
    while i < n:
        move = U64(moves[i])
        moves[kept] = np.uint16(move)
        kept += 1 if move & KIND_MASK != PROMOTION or (p.them >> words.target_of(move)) & 1 else 0
        i += 1
    return kept


@kernel
def _order_of(row: Any, move: Word) -> Word:
    """Return the number by which captures are sorted, upwards: most valuable victim, then least valuable attacker."""
    victim = words.type_on(row, words.target_of(move))
    if not victim and words.takes_in_passing(row, move):
        victim = U64(1)
    if move & KIND_MASK == PROMOTION:
        victim += ((move >> BECOMES_SHIFT) & _TWO_BITS) + 1
    return (2 * _TYPES - victim) * _TYPES + words.type_on(row, move & SIX_BITS)


@kinds.machine_code("generate_captures", kinds.ROW, kinds.OUT_MOVES, returns=kinds.MOVE_LIST)
def generate_captures(row: Any, moves: Any, t: Any) -> Any:
    """List captures and promotions, the most valuable victim first; among equal victims, the least valuable attacker.

    The numbers by which the list is sorted stand behind it.
    """
    n = generate(words.position_of(row, t), t, List(moves), UNIVERSE, 0)
    i = U64(0)
    while i < n:
        move = moves[i]
        order = _order_of(row, U64(move))
        k = i
        while k and U64(moves[n + k - 1]) > order:
            moves[k] = moves[k - 1]
            moves[n + k] = moves[n + k - 1]
            k -= 1
        moves[k] = move
        moves[n + k] = np.uint16(order)
        i += 1
    return n


@kinds.machine_code("generate_evasions", kinds.ROW, kinds.OUT_MOVES, returns=kinds.MOVE_LIST)
def generate_evasions(row: Any, moves: Any, t: Any) -> Any:
    """List the legal moves if the king is in check, else none."""
    p = words.position_of(row, t)
    return generate(p, t, List(moves), UNIVERSE, UNIVERSE) if checkers_of(p, t) else U64(0)


@kinds.machine_code("generate_checks", kinds.ROW, kinds.OUT_MOVES, returns=kinds.MOVE_LIST)
def generate_checks(row: Any, moves: Any, t: Any) -> Any:
    """List the legal moves that give check."""
    p = words.position_of(row, t)
    n = generate(p, t, List(moves), UNIVERSE, UNIVERSE)
    kept, i = U64(0), U64(0)
    while i < n:
        move = moves[i]
        moves[kept] = move
        kept += 1 if checkers_of(make(p, U64(move), t), t) else 0
        i += 1
    return kept


@kinds.machine_code("generate_pseudo_legal_moves", kinds.ROW, kinds.OUT_MOVES, returns=kinds.MOVE_LIST)
def generate_pseudo_legal_moves(row: Any, moves: Any, t: Any) -> Any:
    """List the pseudo-legal moves."""
    return generate_pseudo_legal(words.position_of(row, t), t, List(moves))


@kinds.machine_code("generate_pseudo_legal_ep", kinds.ROW, kinds.OUT_MOVES, returns=kinds.MOVE_LIST)
def generate_pseudo_legal_ep(row: Any, moves: Any, t: Any) -> Any:
    """List the pseudo-legal en-passant captures."""
    if not row[8]:
        return U64(0)
    n = generate_pseudo_legal(words.position_of(row, t), t, List(moves))
    return keep_within(moves, n, UNIVERSE, UNIVERSE, EN_PASSANT)


@kinds.machine_code("generate_pseudo_legal_captures", kinds.ROW, kinds.OUT_MOVES, returns=kinds.MOVE_LIST)
def generate_pseudo_legal_captures(row: Any, moves: Any, t: Any) -> Any:
    """List the pseudo-legal moves that take something."""
    p = words.position_of(row, t)
    n = generate_pseudo_legal(p, t, List(moves))
    kept, i = U64(0), U64(0)
    while i < n:
        move = U64(moves[i])
        moves[kept] = np.uint16(move)
        takes = (p.them >> words.target_of(move)) & 1 or move & KIND_MASK == EN_PASSANT
        kept += 1 if takes and move & KIND_MASK != CASTLING else 0
        i += 1
    return kept


# Numbers and checks.


@kinds.machine_code("count_legal_moves", kinds.ROW, returns=kinds.INT)
def count_legal_moves(row: Any, t: Any) -> Any:
    """Return the number of legal moves."""
    return generate(words.position_of(row, t), t, Count(), UNIVERSE, UNIVERSE)


@kinds.machine_code("checkers", kinds.ROW, returns=kinds.BITBOARD)
def checkers(row: Any, t: Any) -> Any:
    """Return the pieces that give check to the side to move."""
    return checkers_of(words.position_of(row, t), t)


@kinds.machine_code("is_check", kinds.ROW, returns=kinds.BOOL)
def is_check(row: Any, t: Any) -> Any:
    """Return 1 if the side to move is in check, else 0."""
    return U64(1) if checkers_of(words.position_of(row, t), t) else U64(0)


@kinds.machine_code("is_checkmate", kinds.ROW, returns=kinds.BOOL)
def is_checkmate(row: Any, t: Any) -> Any:
    """Return 1 if the side to move is in check and has no legal move, else 0."""
    p = words.position_of(row, t)
    if not checkers_of(p, t):
        return U64(0)
    return U64(0) if generate(p, t, Count(), UNIVERSE, UNIVERSE) else U64(1)


@kinds.machine_code("is_stalemate", kinds.ROW, returns=kinds.BOOL)
def is_stalemate(row: Any, t: Any) -> Any:
    """Return 1 if the side to move has no legal move, and a king that is not in check, else 0."""
    p = words.position_of(row, t)
    if not p.kings & p.us or checkers_of(p, t):
        return U64(0)
    return U64(0) if generate(p, t, Count(), UNIVERSE, UNIVERSE) else U64(1)


# Making moves.


@kernel
def store_child(out: Any, row: Any, q: Position, word: Word, clock: Word) -> None:
    """Write the row after a move, given the position and the halfmove clock after it."""
    write(out, q)
    out[words.CLOCK] = clock
    out[words.RETURNING] = 0
    out[words.NUMBER] = row[words.NUMBER] + row[9]
    out[words.MOVE_MADE] = word


@kernel
def store_after(out: Any, row: Any, p: Position, word: Word, t: Any) -> None:
    """Write the row after a legal move of a row's position, or after the null move."""
    if not word:
        store_child(out, row, passed(p), word, row[words.CLOCK] + 1)
        return
    clock = U64(0) if words.is_zeroing_word(row, word) else row[words.CLOCK] + 1
    store_child(out, row, make(p, word, t), word, clock)


@kinds.machine_code("_row_after", kinds.ROW, kinds.MOVE, kinds.OUT_ROW, returns=kinds.PUSH)
def row_after(row: Any, word: Any, out: Any, t: Any) -> Any:
    """Write the row after the move of a word, legal or not, or after the null move. Return the word."""
    store_after(out, row, words.position_of(row, t), word, t)
    return word


@kinds.machine_code("push", kinds.ROW, kinds.MOVE, kinds.OUT_ROW, returns=kinds.PUSH, refuses=True)
def push(row: Any, move: Any, out: Any, t: Any) -> Any:
    """Write the row after a legal move, or after the null move out of check. Return the word of the move."""
    p = words.position_of(row, t)
    word = words.legal_word(p, move, t) if move else U64(0)
    if not word and (move or checkers_of(p, t)):
        return kinds.REFUSED
    store_after(out, row, p, word, t)
    return word
