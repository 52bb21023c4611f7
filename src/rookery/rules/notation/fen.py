"""The strict reader of FEN and EPD.

One kernel parses the text, also for `rookery.positions`, which reads many lines at once. It reports why and where it
refuses a text, and `rookery.rules.notation.fen_reasons` turns that into words. Its counterpart is `fen_writer`.
Castling rights may be written ``KQkq`` (X-FEN: the outermost rook on that side) or by the files of the rooks, ``HAha``
(Shredder-FEN). A position is one of Chess960 if files are used, or if a king or rook with rights is not on its square
in classical chess.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from rookery.arguments import shown
from rookery.bitboards.bits import RANK_1, RANK_8, bit, file_mask, isolate_ms1b
from rookery.bitboards.placement import SIGNS
from rookery.frames.array_arguments import readable
from rookery.kernel import U64, Word, array_of, entry, kernel, once_compiled, trailing_zeros
from rookery.rules.constants import REPORT, WORDS
from rookery.rules.notation import fen_reasons, fen_words
from rookery.rules.notation.start import START_POSITION

_CLASSICAL_ROOKS: Final = 1 << 0 | 1 << 7 | 1 << 56 | 1 << 63


class Parsed(NamedTuple):
    """The content of a FEN: the ten words of `position.Position`, and the counters."""

    words: Any
    halfmove_clock: int
    fullmove_number: int
    chess960: bool


_A, _B, _H, _K, _Q, _W, _DIGIT_1 = b"abhkqw1"

# What a character of the first field is. From bit 32 on, a byte each: is its piece in the planes X, Y, Z, and black?
# Three planes tell six kinds apart: pawn X, knight Y, king XY, bishop Z, rook XZ, queen YZ.
_SQUARES, _DIGIT, _ENDS_RANK, _STOPS = 15, 16, 32, 64
_PLANES: Final = (0x1, 0x100, 0x10000, 0x10001, 0x10100, 0x101)


def _sign_kinds() -> Any:
    kinds = np.full(256, _STOPS, U64)
    kinds[ord("/")] = _ENDS_RANK
    for squares in range(1, 9):
        kinds[ord("0") + squares] = _DIGIT | U64(squares)
    for i, sign in enumerate(SIGNS):
        kinds[ord(sign)] = 1 | _PLANES[i % 6] << 32 | i // 6 << 56
    return kinds


_KIND_OF_SIGN: Final = _sign_kinds()


@kernel
def _read_pieces(text: Any, i: Word, end: Word, row: Any) -> Word:
    """Read the first field into words 0 to 6, white's pieces in word 5. Return where it ends, or 0 if it is malformed.

    The next character is unpredictable, so the only branch is at the end of the field. The rank being read is one word
    with a byte for each plane. It is stored after every character, in words 0 to 7, and the planes are assembled at
    the end. Keeping one board for each plane from the start took three times as many instructions.
    """
    rank, file, ranks = 0, 0, 0
    before, wrong = 0, 0
    while i < end:
        kind = _KIND_OF_SIGN[text[i]]
        if kind & _STOPS:
            break
        rank |= kind << (file & 7)
        row[ranks & 7] = rank
        file += kind & _SQUARES
        ends = -((kind >> 5) & 1)
        wrong |= before & kind & _DIGIT  # two digits in a row
        wrong |= (file ^ 8) & ends
        rank &= ~ends
        file &= ~ends
        ranks -= ends
        before = kind
        i += 1
    if wrong or file != 8 or ranks != 7 or (i < end and not fen_words.is_blank(U64(text[i]))):
        return 0
    x, y, z, black = 0, 0, 0, 0
    for r in range(8):
        planes = row[r]
        x = x << 8 | ((planes >> 32) & RANK_1)
        y = y << 8 | ((planes >> 40) & RANK_1)
        z = z << 8 | ((planes >> 48) & RANK_1)
        black = black << 8 | planes >> 56
    row[0] = x & ~y & ~z
    row[1] = y & ~x & ~z
    row[2] = z & ~x
    row[3] = z & (x | y)
    row[4] = x & y
    row[5] = (x | y | z) & ~black
    row[6] = black
    row[7] = 0
    return i


@kernel
def _read_rights(text: Any, i: Word, end: Word, row: Any, report: Any, drop: Word) -> Word:
    """Read the third field into word 7 and the report. Return the reason for refusal, or 0.

    Word 5 holds White's pieces. With `drop`, rights without a king or rook, and repeated rights, are left out.
    """
    if end - i == 1 and text[i] == fen_words.DASH:
        return 0
    castling = 0
    while i < end:
        c = U64(text[i])
        report[2] = np.int64(i)
        lower = c | fen_words.LOWER
        black = c & fen_words.LOWER
        back = RANK_8 if black else RANK_1
        side = row[6] if black else row[5]
        king = row[4] & side
        rooks = row[3] & ~row[2] & side & back
        by_file = (lower >= _A) & (lower <= _H)
        if not by_file and lower != _K and lower != _Q:
            return U64(fen_reasons.RIGHTS_SIGN)
        if not king & back or king & (king - 1):
            if drop:
                report[4] = 1
                i += 1
                continue
            return U64(fen_reasons.RIGHTS_KING)
        k = trailing_zeros(king)
        right, left = rooks & ~(king | (king - 1)), rooks & (king - 1)
        if by_file:
            rook = rooks & file_mask(lower - _A)
        elif lower == _K:
            rook = isolate_ms1b(right)
        else:
            rook = left & -left
        if drop and (not rook or castling & rook):
            report[4] = 1
            i += 1
            continue
        if not rook:
            return U64(fen_reasons.RIGHTS_ROOK)
        if castling & rook:
            return U64(fen_reasons.RIGHTS_TWICE)
        if castling & back & (right if rook > king else left):
            return U64(fen_reasons.RIGHTS_SIDE)
        castling |= rook
        if by_file or (k & 7) != 4 or not rook & _CLASSICAL_ROOKS:
            report[3] = 1
        i += 1
    row[7] = castling
    return 0


@kernel
def _read_fields(text: Any, i: Word, end: Word, row: Any, report: Any, epd: Word, drop: Word) -> Word:
    i = _read_pieces(text, fen_words.past_blanks(text, i, end), end, row)
    if not i:
        return U64(fen_reasons.PIECES)
    i = fen_words.past_blanks(text, i, end)
    stop = fen_words.field_end(text, i, end)
    if stop - i != 1 or (text[i] != _W and text[i] != _B):
        return U64(fen_reasons.SIDE)
    black = text[i] == _B
    i = fen_words.past_blanks(text, stop, end)
    stop = fen_words.field_end(text, i, end)
    refused = _read_rights(text, i, stop, row, report, drop)
    if refused:
        return refused
    i = fen_words.past_blanks(text, stop, end)
    stop = fen_words.field_end(text, i, end)
    if stop - i != 1 or text[i] != fen_words.DASH:
        if stop - i != 2:
            return U64(fen_reasons.TARGET)
        file, rank = U64(text[i]) - _A, U64(text[i + 1]) - _DIGIT_1
        if file > 7 or rank > 7:
            return U64(fen_reasons.TARGET)
        if rank == (2 if black else 5):
            row[8] = bit(rank * 8 + file)
        elif drop:
            report[4] = 1
        else:
            return U64(fen_reasons.TARGET_RANK)
    if black:
        white = row[5]
        row[5] = row[6]
        row[6] = white
        row[9] = 1
    i = fen_words.past_blanks(text, stop, end)
    if i == end:
        return 0
    for which in range(2):  # the counters
        if epd and fen_words.begins_operations(text, i, end):
            return fen_words.read_operations(text, i, end, report)
        stop = fen_words.number_end(text, i, end) if epd else fen_words.field_end(text, i, end)
        number = fen_words.read_number(text, i, stop)
        if number < 0:
            return U64(fen_reasons.NUMBER if which else fen_reasons.CLOCK)
        report[which] = max(number, np.int64(which))
        i = fen_words.past_blanks(text, stop, end)
        if i == end:
            return 0
    if epd and fen_words.begins_operations(text, i, end):
        return fen_words.read_operations(text, i, end, report)
    return U64(fen_reasons.FIELDS)


@kernel
def _fields_are_wrong(text: Any, i: Word, end: Word, epd: Word) -> Word:
    """Check for too few or too many fields. An EPD has four to six, followed by any number of operations."""
    fields = 0
    i = fen_words.past_blanks(text, i, end)
    while i < end:
        fields += 1
        if fields >= 5 and epd and fen_words.begins_operations(text, i, end):
            return 0
        i = fen_words.past_blanks(text, fen_words.field_end(text, i, end), end)
    return (fields < 4) | (fields > 6)


@kernel
def read_fen(text: Any, start: Word, end: Word, row: Any, report: Any, epd: Word, drop: Word) -> Word:
    """Read a FEN from bytes `start` to `end` into the first ten words of a row and a report.

    A FEN has four to six fields; with `epd`, operations may follow them. Return 0, or the reason for refusal.
    With `drop`, impossible castling rights and en-passant squares are left out, and the report says so.
    """
    row[8] = 0
    row[9] = 0
    report[0] = 0
    report[1] = 1
    report[2] = 0
    report[3] = 0
    report[4] = 0
    refused = _read_fields(text, start, end, row, report, epd, drop)
    if refused and _fields_are_wrong(text, start, end, epd):
        return U64(fen_reasons.FIELDS)
    return refused


@entry(examples=lambda: (array_of(np.uint8, readonly=True), array_of(U64), array_of(np.int64), U64(0), U64(0)))
def read(text: Any, row: Any, report: Any, epd: Any, drop: Any) -> Any:
    """Read a whole text like `read_fen`."""
    return read_fen(text, 0, U64(text.size), row, report, epd, drop)


@once_compiled
def _reader() -> Callable[..., int]:
    return read.resolve(readable(b" "), np.zeros(WORDS, U64), np.zeros(REPORT, np.int64), U64(0), U64(0))


START_WORDS: Final = np.array([*START_POSITION, *[0] * (WORDS - len(START_POSITION))], U64)


def parse_fen(fen: str, chess960: bool | None = None, *, epd: bool = False, drop: bool = False) -> Parsed:
    """Read a FEN of six fields, of which the two counters (default 0 and 1) may be missing.

    With `epd`, operations may follow, which may set the counters, too. If `chess960` is False, castling rights that
    only Chess960 has are refused. With `drop`, castling rights without a king or rook, and an en-passant square on a
    wrong rank, are left out instead of refused.
    """
    if not isinstance(fen, str):
        raise TypeError(f"FEN: {shown(fen)}: expected text")
    row, report = np.zeros(WORDS, U64), np.empty(REPORT, np.int64)
    refused = _read_text(fen, row, report, epd, drop)
    clock, number, place, needs_chess960, _ = report.tolist()
    if not refused and chess960 is False and needs_chess960:
        refused = fen_reasons.NOT_CLASSICAL
    if refused:
        raise fen_reasons.explained(fen, refused, place)
    return Parsed(row, clock, number, bool(needs_chess960 or chess960))


def refusal(fen: str) -> tuple[int, int]:
    """Return why a FEN is refused, or 0, and the place of a wrong character in the castling field."""
    row, report = np.zeros(WORDS, U64), np.empty(REPORT, np.int64)
    return _read_text(fen, row, report, epd=False, drop=False), int(report[2])


def _read_text(fen: str, row: Any, report: Any, epd: bool, drop: bool) -> int:
    # A character outside ASCII becomes one that no field takes.
    text = readable(fen.encode("ascii", "replace"))
    return _reader()(text, row, report, int(epd), int(drop))
