"""The compiled writer of standard algebraic notation, for single moves and for the arrays of `rookery.positions`."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from rookery.bitboards.bits import bit, file_mask, rank_mask
from rookery.kernel import U64, UNIVERSE, Bits, Square, Word, array_of, entry, kernel, once_compiled
from rookery.rules.compiled import default_technique
from rookery.rules.constants import BECOMES_SHIFT, CASTLING, EN_PASSANT, KIND_MASK, PROMOTION, SIX_BITS, TO_SHIFT, WORDS
from rookery.rules.generate import Count, checkers_of, generate
from rookery.rules.legality import sources_of, word_of_legal
from rookery.rules.position import Position, make, passed, prepared

LONGEST: Final = 7  # signs: Qa1xb2+, exd8=Q#
LONGEST_IN_FULL: Final = 8  # e7xd8=Q#

_A, _DIGIT_1 = ord("a"), ord("1")
_CAPTURES, _DASH, _EQUALS, _O, _CHECK, _MATE = b"x-=O+#"
_LETTERS: Final = np.array([ord(letter) for letter in "NBRQK"], np.uint64)


@kernel
def _write_square(out: Any, n: Word, square: Square) -> Word:
    out[n] = _A + (square & 7)
    out[n + 1] = _DIGIT_1 + (square >> 3)
    return n + 2


@kernel
def _write_source(out: Any, n: Word, source: Square, rivals: Bits) -> Word:
    """Write the file, the rank or both, as needed to tell a piece from others that can move to the same square."""
    shares_file = rivals & file_mask(source)
    shares_rank = rivals & rank_mask(source)
    if not shares_file or shares_rank:
        out[n] = _A + (source & 7)
        n += 1
    if shares_file:
        out[n] = _DIGIT_1 + (source >> 3)
        n += 1
    return n


@kernel
def _write_move(out: Any, n: Word, p: Position, move: Word, others: Bits, full: Word) -> Word:
    """Write a move without check or mate. `others` are the squares of other pieces that may move to the same target."""
    source, target = move & SIX_BITS, (move >> TO_SHIFT) & SIX_BITS
    kind = move & KIND_MASK
    if kind == CASTLING:
        signs = 3 if target > source else 5
        for i in range(signs):
            out[n + U64(i)] = _DASH if U64(i) & 1 else _O
        return n + signs
    captures = p.them & bit(target) or kind == EN_PASSANT
    if (p.pawns >> source) & 1:
        if captures and not full:
            out[n] = _A + (source & 7)
            n += 1
    else:
        diagonal, orthogonal = (p.diagonals >> source) & 1, (p.orthogonals >> source) & 1
        # Knights are 0, bishops 1, rooks 2, queens both of these, 3; kings 4.
        piece = 4 if (p.kings >> source) & 1 else diagonal | orthogonal << 1
        out[n] = _LETTERS[piece]
        n += 1
        alike = (p.diagonals if diagonal else ~p.diagonals) & (p.orthogonals if orthogonal else ~p.orthogonals)
        alike &= ~p.pawns & (p.kings if piece == 4 else ~p.kings)
        if others & alike and not full:
            n = _write_source(out, n, source, others & alike)
    if full:
        n = _write_square(out, n, source)
    if captures or full:
        out[n] = _CAPTURES if captures else _DASH
        n += 1
    n = _write_square(out, n, target)
    if kind == PROMOTION:
        out[n] = _EQUALS
        out[n + 1] = _LETTERS[(move >> BECOMES_SHIFT) & 3]
        n += 2
    return n


@kernel
def write_and_make(out: Any, n: Word, p: Position, move: Word, full: Word, t: Any) -> tuple[Word, Position]:
    """Write a move from byte `n` on, with ``+`` or ``#``; with `full`, also with its source square.

    Return where the text ends, and the position after the move. If the move is not legal, the text ends at `n`. The
    null move is written ``--`` and is not legal in check.
    """
    if move == 0:
        if checkers_of(p, t):
            return n, p
        out[n] = _DASH
        out[n + 1] = _DASH
        return n + 2, passed(p)
    source = move & SIX_BITS
    sources = sources_of(p, move, t)
    if not (sources >> source) & 1:
        return n, p
    n = _write_move(out, n, p, move, sources ^ bit(source), full)
    child = make(p, move, t)
    if checkers_of(child, t):
        out[n] = _CHECK if generate(child, t, Count(), UNIVERSE, UNIVERSE) else _MATE
        n += 1
    return n, child


@kernel
def write_san(out: Any, n: Word, p: Position, move: Word, full: Word, t: Any) -> Word:
    """Write a move as `write_and_make` does, and return only where the text ends."""
    end, _ = write_and_make(out, n, p, move, full, t)
    return end


@kernel
def write_any(out: Any, p: Position, move: Word, full: Word, t: Any) -> Word:
    """Write a move whose kind may be left out, as in a `Move`. Return its length, 0 if it is not legal."""
    may_castle = (p.kings >> (move & SIX_BITS)) & 1
    may_pass = (p.pawns >> (move & SIX_BITS)) & 1 and p.en_passant == bit((move >> TO_SHIFT) & SIX_BITS)
    if move and not move & KIND_MASK and (may_castle or may_pass):
        move = word_of_legal(p, move, t)
        if not move:
            return 0
    return write_san(out, 0, p, move, full, t)


@entry(examples=lambda: (array_of(np.uint8), array_of(U64), U64(0), U64(0), default_technique().tables()))
def write(out: Any, row: Any, move: Any, full: Any, t: Any) -> Any:
    """Write a move of the position in a row, of whatever kind; returns its length, 0 if it is not legal."""
    return write_any(out, prepared(row, t), move, full, t)


@once_compiled
def _writer() -> tuple[Callable[..., int], Any]:
    tables = default_technique().tables()
    return write.resolve(np.empty(LONGEST_IN_FULL, np.uint8), np.zeros(WORDS, U64), U64(0), U64(0), tables), tables


def san_of(row: Any, move: int, *, full: bool = False) -> str:
    """Return the SAN of a move in the position of a row, or an empty string if the move is not legal."""
    out = np.empty(LONGEST_IN_FULL, np.uint8)
    code, tables = _writer()
    length = code(out, row, move, int(full), tables)
    return out[:length].tobytes().decode("ascii")
