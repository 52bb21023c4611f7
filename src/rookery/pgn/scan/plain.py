"""Plain movetext, which files are made of nearly everywhere: moves, their numbers, and what programs write in comments.

These comments state an evaluation, a clock or both, as Lichess writes them, or the score of an engine match.

Each word is recognised by the eight bytes that it begins with. What is anything else, or not legal, is left where it
is to the general way, which alone decides what is wrong.
"""

from typing import Any, Final

import numpy as np

from rookery.kernel import U64, UNIVERSE, Word, kernel, trailing_zeros, word_at
from rookery.pgn.scan.annotations import usual_clock
from rookery.pgn.scan.comments import NO_COMMENT, TEXT_KEPT, take_score, usual_values
from rookery.pgn.scan.lexing.signs import BRACE, CLASS, DIGIT, ENDS, MOVE
from rookery.pgn.scan.output import CLOCKS, COMMENTS, VALUES_AS_TEXT, Output
from rookery.pgn.scan.reporting import keep
from rookery.rules.constants import EN_PASSANT, TO_SHIFT
from rookery.rules.legality import KING, PAWN, make_resolved, resolve
from rookery.rules.notation.san_spelling import KIND_OF_LETTER, file_of, rank_of
from rookery.rules.position import Position

NEAR: Final = 48  # bytes that are looked at ahead

_SPACE, _X, _A, _DIGIT_1, _PLUS, _MINUS, _HASH, _DOT, _EQUALS = b" xa1+-#.="
_BYTE = 0xFF
_LOW = 0x2D2D2D2D2D2D2D2D  # below are what ends a move's text: blanks, signs of check, !, $, brackets
_HIGH = 0x8080808080808080


def _masks() -> Any:
    """Return the squares a piece may come from, by the character after its letter and by the next; 0 for none."""
    table = np.zeros((2, 256), U64)
    table[:, 0] = table[:, ord("x")] = UNIVERSE
    for n in range(8):
        table[0, ord("a") + n] = file_of(U64(n))
        table[:, ord("1") + n] = rank_of(U64(n))
    return table


_MASKS: Final = _masks()
_PIECES: Final = KIND_OF_LETTER - np.uint8(1)


@kernel
def _past_check(text: Any, end: Word) -> Word:
    """Return the place after a move and its check sign, or 0 if the word goes on."""
    following = U64(text[end])
    if following in (_PLUS, _HASH):
        end += 1
        following = U64(text[end])
    return end if ENDS[following] else 0


@kernel
def _square(word: Word, bits: Word) -> Word:
    """Return the square that two bytes name; 64 or more if they name none."""
    two = word >> (bits & 63)
    f, r = (two & _BYTE) - _A, ((two >> 8) & _BYTE) - _DIGIT_1
    return r << 3 | f if (f | r) <= 7 else 64


@kernel
def _pawn_move(text: Any, i: Word) -> Any:
    """Read a pawn's move like ``e4`` or ``dxe5``, but no promotion.

    Return its target, the squares it may come from, and where it ends; 0 if there is none.
    """
    word = word_at(text, i)
    takes = (word >> 8) & _BYTE == _X
    to = _square(word, 16 if takes else 0)
    end = _past_check(text, i + (4 if takes else 2))
    inner = to - 8 < 48
    return to & 63, file_of((word & _BYTE) - _A), end if inner else 0


@kernel
def _piece_move(text: Any, i: Word) -> Any:
    """Read a piece's move like ``Nf3``, ``Rxd1``, ``Nbd2`` or ``Qh4xe1``; return the same as `_pawn_move`."""
    word = word_at(text, i)
    ends = (word - _LOW) & ~word & _HIGH
    length = (trailing_zeros(ends) >> 3) & 7
    bits = length << 3
    to = _square(word, bits - 16)
    origin = (word >> 8) & ((1 << ((bits - 24) & 63)) - 1)
    first, second = origin & _BYTE, origin >> 8
    mask = _MASKS[0, first] & _MASKS[1, second & _BYTE]
    is_odd = second and (first == _X or (first < _A and second != _X))  # ``Nx2f3``, ``N22f3``
    fits = ends and length >= 3 and length <= 5 and to < 64 and not is_odd
    return to & 63, mask, _past_check(text, i + length) if fits else 0


@kernel
def _number_end(text: Any, i: Word) -> Word:
    """Return the place after a number of up to four digits and its periods, or 0 if there is none."""
    j = i + 1
    while j < i + 4 and CLASS[text[j]] == DIGIT:
        j += 1
    if U64(text[j]) != _DOT:
        return 0
    j += 1
    while j < i + 8 and U64(text[j]) == _DOT:
        j += 1
    return j if U64(text[j]) < 0x80 and U64(text[j]) != _DOT else 0


@kernel
def plain_moves(text: Any, end: Word, p: Position, want: Word, o: Output, state: Any, t: Any) -> Position:
    """Read from the place of the reader on as far as everything is plain; return the position there.

    It stops `NEAR` bytes before `end`.
    """
    # Local variables, because these stay in registers.
    i: Word = state.place
    n: Word = state.plies
    first: Word = state.first_ply
    seen: Word = state.last_comment
    comments = want & COMMENTS
    clocks = 0 if want & VALUES_AS_TEXT else want & CLOCKS
    while i + NEAR <= end:
        c = U64(text[i])
        j = i
        if c == _SPACE:
            j = i + 1
            c = U64(text[j])
        kind_of = CLASS[c]
        if kind_of == MOVE:
            kind = 1 + U64(_PIECES[c])  # no pawn, as the compiler sees
            if kind > KING:  # a file
                to, mask, j = _pawn_move(text, j)
                found = resolve(p, PAWN, to, mask, t)
                if not j or not found.legal:
                    break
                p = make_resolved(p, PAWN, to, found, t)
                word = to << TO_SHIFT | trailing_zeros(found.source)
                o.moves[n] = np.uint16(word | EN_PASSANT if found.victim else word)
            else:
                to, mask, j = _piece_move(text, j)
                found = resolve(p, kind, to, mask, t)
                if not j or not found.legal:
                    break
                p = make_resolved(p, kind, to, found, t)
                o.moves[n] = np.uint16(to << TO_SHIFT | trailing_zeros(found.source))
            n += 1
            seen = NO_COMMENT
        elif kind_of == DIGIT:
            j = _number_end(text, j)
            if not j:
                break
        elif kind_of == BRACE and n > first and (not comments or (clocks and seen == NO_COMMENT)):
            seconds, length = usual_clock(text, j)
            if seconds < 0:
                pawns, seconds, length = usual_values(text, j)
                if not length:
                    c = U64(text[j + 1])
                    if clocks and (CLASS[c] == DIGIT or c in (_PLUS, _MINUS) or U64(text[j + 2]) == _EQUALS):
                        length = take_score(text, j, end, n, want, o, state)
                    if not length:
                        break
                    seen = TEXT_KEPT if comments else seen
                    i = j + length
                    continue
                if clocks:
                    state.evaluations = keep(o.evaluations, state.evaluations, n - 1, pawns)
            if clocks:
                state.clocks = keep(o.clocks, state.clocks, n - 1, seconds)
            seen = j + 1 if clocks else seen
            j += length
        else:
            break
        i = j
    state.place, state.plies, state.last_comment = i, n, seen
    return p
