"""Moves as the kernels of a board take them, and the words of moves in a position.

A `Move` has no kind but promotion, and castles to the king's square or to the rook's. The word of a legal move has its
kind, and castles to the rook's square. See `rookery.board.moves`.
"""

from typing import Any

from rookery.bitboards.bits import bit
from rookery.kernel import U64, Bits, Square, Word, kernel
from rookery.rules.constants import SIX_BITS, TO_SHIFT
from rookery.rules.legality import is_pseudo_legal, leaves_king_safe, word_of_legal
from rookery.rules.position import Position, prepared

CLOCK, RETURNING, NUMBER, MOVE_MADE = range(10, 14)  # words of a row after the position's ten


@kernel
def position_of(row: Any, t: Any) -> Position:
    """Return the position of a row. Rules look up tables by the turn, so it is 0 or 1 whatever the row says."""
    p = prepared(row, t)
    return Position(*p[:9], p.turn & 1, p.state)


@kernel
def target_of(move: Word) -> Square:
    """Return the square that a move goes to."""
    return (move >> TO_SHIFT) & SIX_BITS


@kernel
def type_on(row: Any, sq: Square) -> Word:
    """Return the type of the piece on a square, 1 (pawn) to 6 (king), or 0 if it is empty.

    Unlike `piece_type_on`, it returns no other number for words that are not a position: where kinds of pieces overlap,
    it returns one of them.
    """
    diagonal, orthogonal = (row[2] >> sq) & 1, (row[3] >> sq) & 1
    found = U64(4) if orthogonal else U64(6)
    found = U64(2) if (row[1] >> sq) & 1 else found
    found = (U64(5) if orthogonal else U64(3)) if diagonal else found
    found = U64(1) if (row[0] >> sq) & 1 else found
    return found if ((row[5] | row[6]) >> sq) & 1 else U64(0)


@kernel
def side_of(row: Any, white: Word) -> Bits:
    """Return the pieces of White (1) or Black (0)."""
    return row[5] if white != row[9] else row[6]


@kernel
def legal_word(p: Position, move: Word, t: Any) -> Word:
    """Return the word of the legal move that a `Move` stands for, or 0, as `word_of_legal` does.

    Most moves neither castle nor capture en passant, and are found legal without the generator.
    """
    if is_pseudo_legal(p, move, t) & leaves_king_safe(p, move, t):
        return move
    return word_of_legal(p, move, t)


@kernel
def takes_in_passing(row: Any, move: Word) -> Any:
    """Check whether a pawn moves diagonally to the en-passant square."""
    source, target = move & SIX_BITS, target_of(move)
    return row[8] == bit(target) and (row[0] >> source) & 1 and (source ^ target) & 7 != 0


@kernel
def is_zeroing_word(row: Any, move: Word) -> Word:
    """Return 1 if a move resets the halfmove clock, else 0. An en-passant capture is a pawn move."""
    return ((row[0] >> (move & SIX_BITS)) | (row[6] >> target_of(move))) & 1
