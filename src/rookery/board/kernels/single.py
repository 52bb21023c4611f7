"""Questions about one move, which a `Move` or the word of a legal move states."""

from typing import Any

from rookery.bitboards.bits import RANK_1, RANK_8, bit
from rookery.board.kernels import words
from rookery.kernel import U64, UNIVERSE, Word, kernel
from rookery.native_methods.kinds import (
    BOOL,
    CHESS960,
    INT,
    MOVE,
    MOVE_OF,
    REFUSED,
    ROW,
    SQUARE,
    machine_code,
)
from rookery.rules.constants import BECOMES_SHIFT, EN_PASSANT, PROMOTION, QUEEN, SIX_BITS, TO_SHIFT
from rookery.rules.generate import Count, checkers_of, generate
from rookery.rules.legality import generate_pseudo_legal, legal_en_passant, reach
from rookery.rules.notation.uci import move_of_word
from rookery.rules.position import Position, make


@kernel
def word_or_null(p: Position, move: Word, t: Any) -> Word:
    """Return the word of a legal move, 0 for the null move out of check, else `REFUSED`."""
    if not move:
        return REFUSED if checkers_of(p, t) else U64(0)
    word = words.legal_word(p, move, t)
    return word if word else U64(REFUSED)


@machine_code("move_word", ROW, MOVE, returns=INT, refuses=True)
def move_word(row: Any, move: Any, t: Any) -> Any:
    """Return the word of a legal move, and 0 for the null move."""
    return word_or_null(words.position_of(row, t), move, t)


@machine_code("_legal_word", ROW, MOVE, returns=INT)
def word_of_move(row: Any, move: Any, t: Any) -> Any:
    """Return the word of the legal move that a `Move` stands for, or 0. The null move is not legal."""
    return words.legal_word(words.position_of(row, t), move, t) if move else U64(0)


@kernel
def states(move: Word, word: Word, chess960: Word) -> Any:
    """Check whether a `Move` is the one of a word. In Chess960 castling goes to the rook's square only."""
    return word == move or move_of_word(word, UNIVERSE) == move or move_of_word(word, chess960) == move


@kernel
def word_as_stated(p: Position, move: Word, chess960: Word, t: Any) -> Word:
    """Return the word of the legal move that a `Move` is, or 0."""
    word = words.legal_word(p, move, t) if move else U64(0)
    return word if word and states(move, word, chess960) else U64(0)


@machine_code("is_legal", ROW, CHESS960, MOVE, returns=BOOL)
@machine_code("LegalMoves.__contains__", ROW, CHESS960, MOVE, returns=BOOL, through="_board", slot="__contains__")
def is_legal(row: Any, chess960: Any, move: Any, t: Any) -> Any:
    """Return 1 if a move is legal, else 0."""
    return U64(1) if word_as_stated(words.position_of(row, t), move, chess960, t) else U64(0)


@kernel
def reaches_target(row: Any, p: Position, move: Word, t: Any) -> Word:
    """Return 1 if a piece may make a move that is not castling when its king's safety is ignored, else 0."""
    kind = EN_PASSANT if words.takes_in_passing(row, move) else 0
    return (generate_pseudo_legal(p, t, reach(move | kind)) >> (move & SIX_BITS)) & (U64(1) if move else U64(0))


@machine_code("is_pseudo_legal", ROW, CHESS960, MOVE, returns=BOOL)
@machine_code("PseudoLegalMoves.__contains__", ROW, CHESS960, MOVE, returns=BOOL, through="_board", slot="__contains__")
def is_pseudo_legal(row: Any, chess960: Any, move: Any, t: Any) -> Any:
    """Return 1 if a move is pseudo-legal, else 0."""
    p = words.position_of(row, t)
    return U64(1) if word_as_stated(p, move, chess960, t) else reaches_target(row, p, move, t)


@machine_code("is_into_check", ROW, CHESS960, MOVE, returns=BOOL)
def is_into_check(row: Any, chess960: Any, move: Any, t: Any) -> Any:
    """Return 1 if a move is pseudo-legal and not legal, else 0."""
    p = words.position_of(row, t)
    return U64(0) if word_as_stated(p, move, chess960, t) else reaches_target(row, p, move, t)


@machine_code("find_move", ROW, CHESS960, SQUARE, SQUARE, returns=MOVE_OF, refuses=True)
def find_move(row: Any, chess960: Any, source: Any, target: Any, t: Any) -> Any:
    """Return the word of the legal move from one square to another. A pawn becomes a queen."""
    p = words.position_of(row, t)
    move = source | target << TO_SHIFT
    if (p.pawns >> source) & 1 and bit(target) & (RANK_1 | RANK_8):
        move |= PROMOTION | (QUEEN << BECOMES_SHIFT)
    word = word_as_stated(p, move, chess960, t)
    return word if word else U64(REFUSED)


# What a legal move does.


@machine_code("is_capture", ROW, MOVE, returns=BOOL, tables=False)
def is_capture(row: Any, move: Any) -> Any:
    """Return 1 if a legal move is a capture, else 0."""
    takes = (row[6] >> words.target_of(move)) & 1 or words.takes_in_passing(row, move)
    return U64(1) if move and takes else U64(0)


@machine_code("is_en_passant", ROW, MOVE, returns=BOOL, tables=False)
def is_en_passant(row: Any, move: Any) -> Any:
    """Return 1 if a legal move is an en-passant capture, else 0."""
    return U64(1) if words.takes_in_passing(row, move) else U64(0)


@kernel
def castles(row: Any, move: Word) -> Any:
    """Check whether a king goes more than one file, or takes its rook."""
    source, target = move & SIX_BITS, words.target_of(move)
    near = (source & 7) - (target & 7) + 1 <= 2
    takes_rook = (row[3] & ~row[2] & row[5] & bit(target)) != 0
    return (row[4] >> source) & 1 and (takes_rook or not near)


@machine_code("is_castling", ROW, MOVE, returns=BOOL, tables=False)
def is_castling(row: Any, move: Any) -> Any:
    """Return 1 if a legal move is castling, else 0."""
    return U64(1) if castles(row, move) else U64(0)


@machine_code("is_kingside_castling", ROW, MOVE, returns=BOOL, tables=False)
def is_kingside_castling(row: Any, move: Any) -> Any:
    """Return 1 if a legal move is castling with a rook to the right of the king, else 0."""
    return U64(1) if castles(row, move) and words.target_of(move) & 7 > move & 7 else U64(0)


@machine_code("is_queenside_castling", ROW, MOVE, returns=BOOL, tables=False)
def is_queenside_castling(row: Any, move: Any) -> Any:
    """Return 1 if a legal move is castling with a rook to the left of the king, else 0."""
    return U64(1) if castles(row, move) and words.target_of(move) & 7 < move & 7 else U64(0)


@machine_code("is_zeroing", ROW, MOVE, returns=BOOL, tables=False)
def is_zeroing(row: Any, move: Any) -> Any:
    """Return 1 if a legal move resets the halfmove clock, else 0."""
    return words.is_zeroing_word(row, move) if move else U64(0)


@machine_code("is_irreversible", ROW, MOVE, returns=BOOL, refuses=True)
def is_irreversible(row: Any, move: Any, t: Any) -> Any:
    """Return 1 if a legal move is irreversible, or the null move in a position with a legal en-passant capture."""
    p = words.position_of(row, t)
    word = word_or_null(p, move, t)
    if word == REFUSED:
        return U64(REFUSED)
    if legal_en_passant(p, t):
        return U64(1)
    if not word:
        return U64(0)
    return U64(1) if words.is_zeroing_word(row, word) or make(p, word, t).castling != p.castling else U64(0)


@machine_code("gives_check", ROW, MOVE, returns=BOOL, refuses=True)
def gives_check(row: Any, move: Any, t: Any) -> Any:
    """Return 1 if a legal move gives check, else 0."""
    p = words.position_of(row, t)
    word = word_or_null(p, move, t)
    if word == REFUSED or not word:
        return word
    return U64(1) if checkers_of(make(p, word, t), t) else U64(0)


@machine_code("check_after", ROW, MOVE, returns=INT, refuses=True)
def check_after(row: Any, move: Any, t: Any) -> Any:
    """Return 2 if a legal move mates, 1 if it gives check, else 0."""
    p = words.position_of(row, t)
    word = words.legal_word(p, move, t) if move else U64(0)
    if not word:
        return U64(REFUSED)
    q = make(p, word, t)
    if not checkers_of(q, t):
        return U64(0)
    return U64(1) if generate(q, t, Count(), UNIVERSE, UNIVERSE) else U64(2)
