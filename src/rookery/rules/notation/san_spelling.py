"""The parser of move texts. It needs no position: `rookery.rules.legality` resolves what it finds to a legal move."""

from typing import Any, Final, NamedTuple

import numpy as np

from rookery.bitboards.bits import A_FILE, RANK_1, bit
from rookery.kernel import U64, UNIVERSE, Bits, Square, Word, kernel
from rookery.rules.legality import PAWN

LONGEST: Final = 60  # bytes; longer words are no moves

UNSTATED: Final = 6  # the kind of piece in a text like e2e4, where kinds are numbered from pawns (0) to kings (5)
# What a text states.
NO_MOVE, USUAL, CASTLES_RIGHT, CASTLES_LEFT, NULL, BY_SQUARES = range(6)

_A, _E, _O, _P, _X, _Z, _AT, _DOT = b"aeOpxZ@."
_DIGIT_0, _DIGIT_1, _PLUS, _HASH, _DASH, _EQUALS = b"01+#-="
SMALL_O: Final = ord("o")


def _table(letters: str, first: int) -> Any:
    table = np.full(256, 255, np.uint8)
    for n, letter in enumerate(letters, first):
        table[ord(letter)] = n
    return table


KIND_OF_LETTER: Final = _table("PNBRQK", 0)
_BECOMES: Final = _table("nbrq", 1)
_BECOMES[[ord(c) for c in "NBRQ"]] = (1, 2, 3, 4)
_NONE = 255


class SpelledMove(NamedTuple):
    """The parts of a move that its text states."""

    what: Word
    kind: Word
    to: Square
    mask: Bits  # where it may come from
    becomes: Word  # 0, or 1 and what a pawn becomes


@kernel
def file_of(f: Word) -> Bits:
    """Return the squares of a file."""
    return A_FILE << f


@kernel
def rank_of(r: Word) -> Bits:
    """Return the squares of a rank."""
    return RANK_1 << (r << 3)


@kernel
def _of_kind(what: Word) -> SpelledMove:
    return SpelledMove(what, 0, 0, 0, 0)


@kernel
def _castling(text: Any, i: Word, length: Word, lower: Word) -> Word:
    """Return which castling ``O-O`` or ``O-O-O`` names, also with zeros and, if `lower`, as ``o-o``; 0 for none."""
    c = U64(text[i])
    if (c != _O and c != _DIGIT_0 and not (lower and c == SMALL_O)) or (length != 3 and length != 5):
        return NO_MOVE
    for k in range(length):
        if U64(text[i + U64(k)]) != (_DASH if k % 2 else c):
            return NO_MOVE
    return CASTLES_RIGHT if length == 3 else CASTLES_LEFT


@kernel
def is_null(text: Any, i: Word, length: Word) -> Word:
    """Check whether a text is ``--``, ``Z0``, ``0000`` or ``@@@@``."""
    c, d = U64(text[i]), U64(text[i + 1])
    if length == 2:
        return (c == _DASH and d == _DASH) or (c == _Z and d == _DIGIT_0)
    if length != 4 or (c != _DIGIT_0 and c != _AT):
        return False
    return d == c and U64(text[i + 2]) == c and U64(text[i + 3]) == c


@kernel
def parse_move_text(text: Any, i: Word, end: Word, lower: Word) -> SpelledMove:
    """Parse the word from `i` to `end`, a move in SAN, long algebraic or UCI notation.

    Examples are ``Nf3``, ``Ng1-f3``, ``g1f3``, ``e8=Q+`` and ``O-O``; with `lower`, also ``o-o``.
    """
    length = end - i
    if length > LONGEST:
        return _of_kind(NO_MOVE)
    if (
        length > 4
        and U64(text[end - 4]) == _E
        and U64(text[end - 3]) == _DOT
        and U64(text[end - 2]) == _P
        and U64(text[end - 1]) == _DOT
    ):
        end -= 4
    while end > i and (U64(text[end - 1]) == _PLUS or U64(text[end - 1]) == _HASH):
        end -= 1
    length = end - i
    if length < 2:
        return _of_kind(NO_MOVE)
    if is_null(text, i, length):
        return _of_kind(NULL)
    castling = _castling(text, i, length, lower)
    if castling:
        return _of_kind(castling)
    # From the end: what a pawn becomes, the target; then from the beginning.
    becomes: Word = U64(_BECOMES[text[end - 1]])
    if becomes == _NONE:
        becomes = 0
    else:
        end -= 1
        if end > i and U64(text[end - 1]) == _EQUALS:
            end -= 1
    if end - i < 2:
        return _of_kind(NO_MOVE)
    f, r = U64(text[end - 2]) - _A, U64(text[end - 1]) - _DIGIT_1
    if f > 7 or r > 7:
        return _of_kind(NO_MOVE)
    end -= 2
    to = r << 3 | f
    if end > i and (U64(text[end - 1]) == _DASH or U64(text[end - 1]) == _X):
        end -= 1
    kind: Word = UNSTATED
    if i < end and KIND_OF_LETTER[text[i]] < UNSTATED:
        kind = U64(KIND_OF_LETTER[text[i]])
        i += 1
    mask = UNIVERSE
    from_file: Word = 8
    from_rank: Word = 8
    if i < end and U64(text[i]) - _A <= 7:
        from_file = U64(text[i]) - _A
        mask &= file_of(from_file)
        i += 1
    if i < end and U64(text[i]) - _DIGIT_1 <= 7:
        from_rank = U64(text[i]) - _DIGIT_1
        mask &= rank_of(from_rank)
        i += 1
    if i != end:
        return _of_kind(NO_MOVE)
    # A pawn captures only if its file is stated: "d5" is no capture.
    if (kind in (UNSTATED, PAWN)) and from_file == 8:
        mask &= file_of(f)
    if kind == UNSTATED and from_file != 8 and from_rank != 8:
        return SpelledMove(BY_SQUARES, PAWN, to, bit(from_rank << 3 | from_file), becomes)
    return SpelledMove(USUAL, PAWN if kind == UNSTATED else kind, to, mask, becomes)
