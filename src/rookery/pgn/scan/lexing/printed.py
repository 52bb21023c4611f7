"""Words as books, web pages and other languages write them, respelled as PGN has them.

Figurines and national letters become English ones, dashes and minus signs become hyphens, ``:`` and ``×`` an x, ``½``
becomes ``1/2``. ``e8(Q)``, ``e8/Q`` and ``e8 =Q`` become ``e8=Q``. Characters that nobody sees are left out.

Nothing here is called before the usual spellings were tried, unless another language than English is read.
"""

from typing import Any, NamedTuple

import numpy as np

from rookery.kernel import U64, UNIVERSE, Word, array_of, cold_kernel, entry, kernel, word_at
from rookery.pgn.scan.lexing.languages import LETTER_CODES, LETTERS
from rookery.pgn.scan.lexing.signs import (
    BLANK,
    CLASS,
    byte_at,
    is_end,
    sign_length,
    wide_dash,
    wide_glyph,
    wide_invisible,
    wide_sign,
)
from rookery.rules.legality import PAWN, resolve
from rookery.rules.notation.san_spelling import LONGEST, file_of
from rookery.rules.position import Position

# How a word differs from what PGN has.
AS_IT_IS, UNSEEN, NATIONAL, OTHERWISE = 0, 1, 2, 4

_COLON, _SLASH, _X, _EQUALS, _HYPHEN, _OPEN, _CLOSE, _A, _DIGIT_1, _DIGIT_8, _PLUS, _HASH, _ONE, _TWO = (
    b":/x=-()a18+#12"
)
_PIECES = np.frombuffer(b"KQRBNPKQRBNP", np.uint8)
_KING_SIGN = 0xE29994


class Printed(NamedTuple):
    """A respelled word: its length (0 if that is not possible), where it ends in the text, and how it differs."""

    length: Word
    stop: Word
    how: Word


@kernel
def _english(text: Any, i: Word, language: Word) -> tuple[Word, Word]:
    """Return the English letter for the national one at `i`, and the bytes of that, or 0."""
    word = word_at(text, i)
    for row in range(LETTERS.shape[0]):
        if LETTERS[row, 0] == language:
            n = LETTERS[row, 1]
            if word & (UNIVERSE >> (64 - (n << 3))) == LETTER_CODES[row]:
                return LETTERS[row, 2], n
    return U64(0), U64(0)


@kernel
def _promotes(text: Any, i: Word, end: Word, language: Word) -> tuple[Word, Word]:
    """Return the English letter of the piece at `i` that a pawn may become, and its bytes, or 0."""
    c = byte_at(text, i, end)
    english, n = U64(0), U64(0)
    if language and i < end:
        english, n = _english(text, i, language)
    if not n and c >= 0x80:
        k = wide_sign(text, i, end) - _KING_SIGN
        if k < 12:
            english, n = U64(_PIECES[k]), U64(3)
    if not n and c:
        english, n = c & 0xDF, U64(1)
    return english, n if english in (66, 78, 81, 82) else U64(0)  # B, N, Q, R


@cold_kernel
def respelled(text: Any, i: Word, end: Word, lenient: Word, language: Word, out: Any) -> Printed:
    """Write the word at `i` to `out` as PGN spells it. Unless `lenient`, only national letters are translated."""
    n, how = U64(0), U64(AS_IT_IS)
    while i < end and not is_end(text, i, end, lenient):
        c = U64(text[i])
        if n >= U64(LONGEST):
            return Printed(0, i, how)
        if language:
            english, length = _english(text, i, language)
            if length:
                out[n] = np.uint8(english)
                n += 1
                i += length
                how |= NATIONAL
                continue
        if c < 0x80:
            following = byte_at(text, i + 1, end)
            if lenient and c == _COLON:
                is_score = following - 48 <= 2 or following >= 0x80
                c = U64(_HYPHEN if is_score and n and U64(out[0]) - 48 <= 2 else _X)
                how |= OTHERWISE
            elif lenient and c == _SLASH and n > 1 and _promotes(text, i + 1, end, language)[1]:
                c = U64(_EQUALS)
                how |= OTHERWISE
            out[n] = np.uint8(c)
            n += 1
            i += 1
            continue
        if not lenient:
            return Printed(0, i, how)
        length = sign_length(text, i, end)
        w = wide_sign(text, i, end)
        if wide_glyph(w):
            how |= UNSEEN
            break
        k = w - _KING_SIGN
        if wide_invisible(w):
            how |= UNSEEN
        elif k < 12:
            how |= OTHERWISE
            if _PIECES[k] != 80 or n:  # a pawn has no letter
                out[n] = np.uint8(_PIECES[k])
                n += 1
        elif w in (0xC2BD, 0xBD):
            how |= OTHERWISE
            out[n], out[n + 1], out[n + 2] = np.uint8(_ONE), np.uint8(_SLASH), np.uint8(_TWO)
            n += 3
        elif wide_dash(w) or w in (0xC397, 0xD7):
            how |= OTHERWISE
            out[n] = np.uint8(_HYPHEN if wide_dash(w) else _X)
            n += 1
        else:
            return Printed(0, i, how)
        i += length
    return Printed(n, i, how)


@cold_kernel
def with_promotion(text: Any, word: Printed, end: Word, language: Word, out: Any) -> Printed:
    """Add the promotion that follows a respelled move as ``(Q)`` or ``=Q`` after a blank. The length is 0 without."""
    i, n = word.stop, word.length
    if not n or U64(out[0]) - _A > 7 or (U64(out[n - 1]) != _DIGIT_1 and U64(out[n - 1]) != _DIGIT_8):
        return Printed(0, i, 0)
    c = byte_at(text, i, end)
    in_brackets = c == _OPEN
    if c and CLASS[c] == BLANK:
        i += 1
        if byte_at(text, i, end) != _EQUALS:
            return Printed(0, i, 0)
    elif not in_brackets:
        return Printed(0, i, 0)
    english, length = _promotes(text, i + 1, end, language)
    if not length:
        return Printed(0, i, 0)
    i += 1 + length
    if in_brackets:
        if byte_at(text, i, end) != _CLOSE:
            return Printed(0, i, 0)
        i += 1
    while byte_at(text, i, end) in (_PLUS, _HASH):
        i += 1
    out[n], out[n + 1] = np.uint8(_EQUALS), np.uint8(english)
    return Printed(n + 2 if is_end(text, i, end, 1) else 0, i, U64(OTHERWISE))


@cold_kernel
def capture_by_files(out: Any, n: Word, p: Position, t: Any) -> tuple[Word, Word]:
    """Write the square to ``ed`` or ``exd``, as ``exd5``; return the new length, and the number of such moves.

    `out` holds the word. A promotion and a sign of check may follow.
    """
    second = U64(2 if n > 2 and U64(out[1]) == _X else 1)
    f, g = U64(out[0]) - _A, U64(out[second]) - _A
    if n <= second or f > 7 or g > 7 or (f + 1 != g and g + 1 != f):
        return U64(0), U64(0)
    found, rank = U64(0), U64(0)
    for r in range(8):
        if resolve(p, PAWN, U64(r) << 3 | g, file_of(f), t).legal:
            found += 1
            rank = U64(r)
    tail = n - second - 1
    for k in range(tail):
        out[U64(3) + tail - U64(k)] = out[n - 1 - U64(k)]
    out[2] = out[second]
    out[1], out[3] = np.uint8(_X), np.uint8(_DIGIT_1 + rank)
    return tail + 4, found


@entry(examples=lambda: (array_of(np.uint8), 0, 0, 0, array_of(np.uint8)))
def respell_text(text: Any, size: Any, lenient: Any, language: Any, out: Any) -> Any:
    """Write the move in a text as PGN spells it, and return its length, or 0. Up to 64 bytes more may be read."""
    word = respelled(text, 0, U64(size), U64(lenient), U64(language), out)
    longer = with_promotion(text, word, U64(size), U64(language), out)
    return np.int64(longer.length if longer.length else word.length)
