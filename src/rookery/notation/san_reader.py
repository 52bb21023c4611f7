"""The compiled reader of standard algebraic notation, for a text that is one move."""

from typing import Any

from rookery.bitboards.bits import bit
from rookery.kernel import U64, UNIVERSE, Word, kernel, trailing_zeros
from rookery.notation.san_spelling import (
    BY_SQUARES,
    CASTLES_LEFT,
    CASTLES_RIGHT,
    NO_MOVE,
    NULL,
    UNSTATED,
    SpelledMove,
    parse_move_text,
)
from rookery.rules.legality import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, castling_move, resolve
from rookery.rules.position import BACK_RANK, BECOMES_SHIFT, C_FILE, EN_PASSANT, G_FILE, PROMOTION, TO_SHIFT, Position

REFUSED = 1 << 16  # instead of a move
_BANG, _QUERY, _DOT = ord("!"), ord("?"), ord(".")
_LAST_RANKS = 0xFF000000000000FF


@kernel
def _by_squares(p: Position, spelled: SpelledMove) -> Any:
    """Return the kind of the piece on a text's source square, or `UNSTATED`, and its way to castle."""
    here = p.us & spelled.mask
    castles = 0
    diagonal, orthogonal = p.diagonals & here, p.orthogonals & here
    kind = KNIGHT
    if diagonal:
        kind = QUEEN if orthogonal else BISHOP
    elif orthogonal:
        kind = ROOK
    if not here or spelled.becomes:
        kind = UNSTATED
    elif p.kings & here:
        kind = KING
        source, file = trailing_zeros(spelled.mask), spelled.to & 7
        if bit(spelled.to) & p.castling & p.us:
            castles = CASTLES_RIGHT if spelled.to > source else CASTLES_LEFT
        elif not (source ^ spelled.to) & BACK_RANK:
            castles = CASTLES_RIGHT if file == G_FILE else CASTLES_LEFT if file == C_FILE else 0
    return kind, castles


@kernel
def legal_word(spelled: SpelledMove, p: Position, t: Any) -> Word:
    """Return the only legal move that a parsed text stands for, or `REFUSED`; 0 for the null move, even in check."""
    if spelled.what == NULL:
        return 0
    castles = spelled.what if spelled.what in (CASTLES_RIGHT, CASTLES_LEFT) else 0
    kind = UNIVERSE if castles else spelled.kind
    if spelled.what == BY_SQUARES and not p.pawns & p.us & spelled.mask:
        kind, castles = _by_squares(p, spelled)
    if kind <= KING:
        found = resolve(p, kind, spelled.to, spelled.mask, t)
        last = kind == PAWN and bool(bit(spelled.to) & _LAST_RANKS)
        if found.legal and last == bool(spelled.becomes):
            word = spelled.to << TO_SHIFT | trailing_zeros(found.source)
            if last:
                return word | PROMOTION | (spelled.becomes - 1) << BECOMES_SHIFT
            return word | EN_PASSANT if found.victim else word
    if castles:
        word = castling_move(p, castles == CASTLES_RIGHT, t)
        return word if word else REFUSED
    return REFUSED


@kernel
def read_san(text: Any, i: Word, end: Word, p: Position, t: Any) -> Word:
    """Return the only legal move that the text from `i` to `end` stands for, or `REFUSED`.

    It accepts what `Board.parse_san` accepts: ``!?`` may follow, then ``+`` and ``#``, and both squares may be given.
    Up to 64 bytes after the text may be read.
    """
    while end > i and (U64(text[end - 1]) == _BANG or U64(text[end - 1]) == _QUERY):
        end -= 1
    spelled = parse_move_text(text, i, end, 0)
    if spelled.what == NO_MOVE or U64(text[end - 1]) == _DOT:  # "e.p." is a word of PGN
        return REFUSED
    return legal_word(spelled, p, t)
