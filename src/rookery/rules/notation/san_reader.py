"""The reader of standard algebraic notation, for a text that is one move.

`Board`, arrays of positions and games all read moves by `legal_move`; `san_spelling` parses their texts.
"""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from rookery.bitboards.bits import bit
from rookery.kernel import U64, UNIVERSE, Bits, Word, array_of, entry, kernel, once_compiled, trailing_zeros
from rookery.rules import legality
from rookery.rules.compiled import default_technique
from rookery.rules.constants import BECOMES_SHIFT, EN_PASSANT, PROMOTION, TO_SHIFT, WORDS
from rookery.rules.notation import san_spelling
from rookery.rules.position import Position, prepared

REFUSED: Final = 1 << 16  # instead of a move
PADDING: Final = bytes(64)  # after a text, since the reader looks ahead
_BANG, _QUERY, _DOT = ord("!"), ord("?"), ord(".")
_LAST_RANKS = 0xFF000000000000FF


@kernel
def _by_squares(p: Position, spelled: san_spelling.SpelledMove) -> Any:
    """Return the kind of the piece on a text's source square, or `UNSTATED`, and the rooks it may castle with."""
    here = p.us & spelled.mask
    rooks: Bits = 0
    diagonal, orthogonal = p.diagonals & here, p.orthogonals & here
    kind = legality.KNIGHT
    if diagonal:
        kind = legality.QUEEN if orthogonal else legality.BISHOP
    elif orthogonal:
        kind = legality.ROOK
    if not here or spelled.becomes:
        kind = san_spelling.UNSTATED
    elif p.kings & here:
        kind = legality.KING
        rooks = legality.castling_rooks_of(p, trailing_zeros(spelled.mask), spelled.to)
    return kind, rooks


@kernel
def legal_move(spelled: san_spelling.SpelledMove, p: Position, t: Any) -> Word:
    """Return the only legal move that a parsed text stands for, or `REFUSED`; 0 for the null move, even in check."""
    if spelled.what == san_spelling.NULL:
        return 0
    kind, rooks = spelled.kind, U64(0)
    if spelled.what in (san_spelling.CASTLES_RIGHT, san_spelling.CASTLES_LEFT):
        kind, rooks = UNIVERSE, legality.beside_king(p, spelled.what == san_spelling.CASTLES_RIGHT)
    elif spelled.what == san_spelling.BY_SQUARES and not p.pawns & p.us & spelled.mask:
        kind, rooks = _by_squares(p, spelled)
    if kind <= legality.KING:
        found = legality.resolve(p, kind, spelled.to, spelled.mask, t)
        last = kind == legality.PAWN and bool(bit(spelled.to) & _LAST_RANKS)
        if found.legal and last == bool(spelled.becomes):
            word = spelled.to << TO_SHIFT | trailing_zeros(found.source)
            if last:
                return word | PROMOTION | (spelled.becomes - 1) << BECOMES_SHIFT
            return word | EN_PASSANT if found.victim else word
    word = legality.castling_move(p, rooks, t)
    return word if word else REFUSED


@kernel
def _bare_end(text: Any, i: Word, end: Word) -> Word:
    """Return where a text ends without ``!`` and ``?``."""
    while end > i and (U64(text[end - 1]) == _BANG or U64(text[end - 1]) == _QUERY):
        end -= 1
    return end


@kernel
def _spelled(text: Any, i: Word, end: Word) -> san_spelling.SpelledMove:
    """Parse a text that may end with ``!?``. The ``e.p.`` of PGN is a word of its own, and is not part of a move."""
    end = _bare_end(text, i, end)
    spelled = san_spelling.parse_move_text(text, i, end, 0)
    if end > i and U64(text[end - 1]) == _DOT:
        return san_spelling.SpelledMove(san_spelling.NO_MOVE, 0, 0, 0, 0)
    return spelled


@kernel
def read_san(text: Any, i: Word, end: Word, p: Position, t: Any) -> Word:
    """Return the only legal move that the text from `i` to `end` stands for, or `REFUSED`.

    Check signs and ``!?`` may follow the move, and both squares may be given. Up to 64 bytes after the text may be
    read.
    """
    spelled = _spelled(text, i, end)
    return REFUSED if spelled.what == san_spelling.NO_MOVE else legal_move(spelled, p, t)


# Single texts. An entry takes a text with `PADDING` after it.


@entry(examples=lambda: (array_of(np.uint8, readonly=True), array_of(U64), default_technique().tables()))
def read(text: Any, row: Any, t: Any) -> Any:
    """Return the move that a text stands for in the position of a row, or `REFUSED`."""
    return read_san(text, 0, U64(text.size) - U64(len(PADDING)), prepared(row, t), t)


@entry(examples=lambda: (array_of(np.uint8, readonly=True), array_of(U64)))
def spell(text: Any, parts: Any) -> None:
    """Write the parts of a `SpelledMove` to an array."""
    parts[0], parts[1], parts[2], parts[3], parts[4] = _spelled(text, 0, U64(text.size) - U64(len(PADDING)))


def _padded(text: str) -> Any:
    return np.frombuffer(text.encode("utf-8", "surrogatepass") + PADDING, np.uint8)


@once_compiled
def _reader() -> tuple[Callable[..., int], Any]:
    tables = default_technique().tables()
    return read.resolve(_padded(""), np.zeros(WORDS, U64), tables), tables


@once_compiled
def _speller() -> Callable[..., None]:
    return spell.resolve(_padded(""), np.zeros(5, U64))


def move_of(text: str, row: Any) -> int:
    """Return the move that a text stands for in the position of a row, or `REFUSED`."""
    code, tables = _reader()
    return code(_padded(text), row, tables)


def spelled_move(text: str) -> san_spelling.SpelledMove:
    """Return the parts of a move that a text states, whatever the position; `what` is `NO_MOVE` if it is no move."""
    parts = np.zeros(5, U64)
    _speller()(_padded(text), parts)
    return san_spelling.SpelledMove(*parts.tolist())
