"""FEN and EPD: read strictly, say what is wrong and where, write what was read.

One compiled reader takes the text apart; of what it refuses it reports why and where, for an error that people can
read. Castling rights may be written ``KQkq`` (X-FEN: the outermost rook on that side) or by the rooks' files, ``HAha``
(Shredder-FEN). A position is taken for Chess960 when files are used, or when a king or rook with rights stands
elsewhere than in classical chess.
"""

import functools
import math
import re
from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np

from rookery.bits import bit, file_mask, isolate_ms1b
from rookery.kernel import ONE, U64, ZERO, Board, Word, entry, kernel, trailing_zeros
from rookery.placement import Placement, fields_of
from rookery.rules.core import WORDS
from rookery.squares import FILE_NAMES

START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
EnPassant: TypeAlias = Literal["legal", "fen", "xfen"]

_OPCODE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_CLASSICAL_ROOKS: Final = U64(1 << 0 | 1 << 7 | 1 << 56 | 1 << 63)
_RANK_1: Final = U64(0xFF)
_RANK_8: Final = U64(0xFF << 56)


class Parsed(NamedTuple):
    """What a FEN says: the ten words of `core.Position`, and the rest."""

    words: Any
    halfmove_clock: int
    fullmove_number: int
    chess960: bool


# What `read` reports: why it refuses a text.
FIELDS, PIECES, SIDE, RIGHTS_SIGN, RIGHTS_KING, RIGHTS_ROOK, RIGHTS_TWICE, RIGHTS_SIDE = range(1, 9)
TARGET, TARGET_RANK, CLOCK, NUMBER = range(9, 13)

_SLASH, _DASH, _ZERO, _NINE = (U64(ord(c)) for c in "/-09")
_LOWER = U64(32)
_LONGEST = 9  # digits of a counter
_EIGHT = U64(8)


@kernel
def _is_blank(c: Word) -> Word:
    return (c == U64(32)) | ((c >= U64(9)) & (c <= U64(13)))


@kernel
def _piece_words(row: Any, c: Word, square: Board) -> Word:
    """Put the piece of a sign on the row's boards, white's in word 5, black's in word 6; 0 if it is no piece."""
    lower = c | _LOWER
    if lower == U64(ord("p")):
        row[0] |= square
    elif lower == U64(ord("n")):
        row[1] |= square
    elif lower == U64(ord("b")):
        row[2] |= square
    elif lower == U64(ord("r")):
        row[3] |= square
    elif lower == U64(ord("q")):
        row[2] |= square
        row[3] |= square
    elif lower == U64(ord("k")):
        row[4] |= square
    else:
        return ZERO
    row[6 if c & _LOWER else 5] |= square
    return ONE


@kernel
def _read_pieces(text: Any, i: Word, end: Word, row: Any) -> Word:
    """The first field; 0 if it is not well-formed."""
    rank, file = U64(7), ZERO
    after_digit = False
    while i < end:
        c = U64(text[i])
        if c == _SLASH:
            if file != _EIGHT or rank == ZERO:
                return ZERO
            rank -= ONE
            file = ZERO
            after_digit = False
        elif c > _ZERO and c < _NINE:
            file += c - _ZERO
            if after_digit or file > _EIGHT:
                return ZERO
            after_digit = True
        else:
            if file == _EIGHT or not _piece_words(row, c, bit(rank * _EIGHT + file)):
                return ZERO
            file += ONE
            after_digit = False
        i += ONE
    return ONE if file == _EIGHT and rank == ZERO else ZERO


@kernel
def _read_rights(text: Any, i: Word, end: Word, row: Any, report: Any) -> Word:
    """The third field, into word 7 and ``report[4]`` (Chess960 or not); returns why it is refused, or 0."""
    if end - i == ONE and text[i] == _DASH:
        return ZERO
    while i < end:
        c = U64(text[i])
        report[2] = np.int64(i)
        lower = c | _LOWER
        black = c & _LOWER
        back = _RANK_8 if black else _RANK_1
        king = row[4] & row[6 if black else 5]
        rooks = row[3] & ~row[2] & row[6 if black else 5] & back
        by_file = (lower >= U64(ord("a"))) & (lower <= U64(ord("h")))
        if not by_file and lower != U64(ord("k")) and lower != U64(ord("q")):
            return U64(RIGHTS_SIGN)
        if not king & back or king & (king - ONE):
            return U64(RIGHTS_KING)
        k = trailing_zeros(king)
        right, left = rooks & ~(king | (king - ONE)), rooks & (king - ONE)
        if by_file:
            rook = rooks & file_mask(lower - U64(ord("a")))
            report[4] = 1
        elif lower == U64(ord("k")):
            rook = isolate_ms1b(right)
        else:
            rook = left & (ZERO - left)
        if not rook:
            return U64(RIGHTS_ROOK)
        if row[7] & rook:
            return U64(RIGHTS_TWICE)
        if row[7] & back & (right if rook > king else left):
            return U64(RIGHTS_SIDE)
        row[7] |= rook
        if (k & U64(7)) != U64(4) or not rook & _CLASSICAL_ROOKS:
            report[4] = 1
        i += ONE
    return ZERO


@kernel
def _read_number(text: Any, i: Word, end: Word) -> Any:
    """A number without a sign, or -1."""
    value = np.int64(0)
    if end - i > U64(_LONGEST):
        return np.int64(-1)
    while i < end:
        c = np.int64(text[i]) - 48
        if c < 0 or c > 9:
            return np.int64(-1)
        value = value * 10 + c
        i += ONE
    return value


@entry
def read(text: Any, row: Any, report: Any, room: Any) -> Any:
    """Read a FEN of four to six fields into a row of zeros. Returns 0, or why it is refused.

    `report` takes the two counters, the place of a refused sign, the number of fields, and whether it must be
    Chess960.
    """
    starts, ends = room[0], room[1]
    fields = 0
    inside = False
    for at in range(text.size):
        blank = _is_blank(U64(text[at]))
        if inside and blank:
            inside = False
            ends[fields - 1] = U64(at)
        elif not inside and not blank:
            inside = True
            fields += 1
            if fields > 6:
                break
            starts[fields - 1] = U64(at)
    if inside and fields <= 6:
        ends[fields - 1] = U64(text.size)
    report[3] = fields
    if fields < 4 or fields > 6:
        return U64(FIELDS)
    if not _read_pieces(text, starts[0], ends[0], row):
        return U64(PIECES)
    side = U64(text[starts[1]])
    if ends[1] - starts[1] != ONE or (side != U64(ord("w")) and side != U64(ord("b"))):
        return U64(SIDE)
    refused = _read_rights(text, starts[2], ends[2], row, report)
    if refused:
        return refused
    black = side == U64(ord("b"))
    first = U64(text[starts[3]])
    if ends[3] - starts[3] != ONE or first != _DASH:
        if ends[3] - starts[3] != U64(2):
            return U64(TARGET)
        file, rank = first - U64(ord("a")), U64(text[starts[3] + ONE]) - U64(ord("1"))
        if file > U64(7) or rank > U64(7):
            return U64(TARGET)
        if rank != (U64(2) if black else U64(5)):
            return U64(TARGET_RANK)
        row[8] = bit(rank * _EIGHT + file)
    report[1] = 1
    if fields > 4:
        report[0] = _read_number(text, starts[4], ends[4])
        if report[0] < 0:
            return U64(CLOCK)
    if fields > 5:
        report[1] = _read_number(text, starts[5], ends[5])
        if report[1] < 0:
            return U64(NUMBER)
    if black:
        white = row[5]
        row[5] = row[6]
        row[6] = white
        row[9] = ONE
    return ZERO


@functools.cache
def _code() -> Callable[..., int]:
    return read.resolve(_READABLE, np.zeros(WORDS, np.uint64), np.zeros(5, np.int64), np.zeros((2,6),np.uint64))


_READABLE = np.zeros(1, np.uint8)
_READABLE.flags.writeable = False  # as bytes are


def parse_fen(fen: str) -> Parsed:
    """Read a FEN of six fields; the two counters may be missing (0 and 1 then)."""
    if not isinstance(fen, str):
        raise TypeError(f"FEN: {fen!r}: expected text")
    # A sign outside ASCII becomes one that no field takes.
    text = np.frombuffer(fen.encode("ascii", "replace") or b" ", np.uint8)
    row, report = np.zeros(WORDS, np.uint64), np.zeros(5, np.int64)
    refused = _code()(text, row, report, np.zeros((2,6),np.uint64))
    if refused:
        raise _explained(fen, refused, report.tolist())
    clock, number, _, _, chess960 = report.tolist()
    return Parsed(row, clock, max(number, 1), bool(chess960))


def _explained(fen: str, refused: int, report: list[int]) -> ValueError:
    fields = fields_of(fen)
    if refused == FIELDS:
        return ValueError(
            f"FEN: {fen!r} has {len(fields)} fields, expected 6: pieces, side to move, castling, en passant, and two "
            "counters (which may be left out)"
        )
    if refused == PIECES:
        try:
            Placement.from_fen(fen)
        except ValueError as error:
            return error
        raise AssertionError(f"{fen!r}: refused by one reader of pieces and not by the other")
    field, name = {
        SIDE: (2, "side to move"),
        TARGET: (4, "en passant"),
        TARGET_RANK: (4, "en passant"),
        CLOCK: (5, "halfmove clock"),
        NUMBER: (6, "fullmove number"),
    }.get(refused, (3, "castling"))
    mover, rank = ("black", 3) if fields[1] == "b" else ("white", 6)
    sign = fen[report[2]]
    reason = {
        SIDE: "expected 'w' or 'b'",
        RIGHTS_SIGN: f"unexpected {sign!r}",
        RIGHTS_KING: f"{sign!r} needs one king, on its back rank",
        RIGHTS_ROOK: f"{sign!r} has no rook on the back rank to castle with",
        RIGHTS_TWICE: f"{sign!r} says again that a rook may castle",
        RIGHTS_SIDE: f"{sign!r} is a second rook on the same side of the king",
        TARGET: "expected '-' or a square",
        TARGET_RANK: f"expected a square on rank {rank} when {mover} is to move",
        CLOCK: f"expected a number of at most {_LONGEST} digits",
        NUMBER: f"expected a number of at most {_LONGEST} digits",
    }[refused]
    return ValueError(f"FEN field {field} ({name}): {fields[field - 1]!r}: {reason}")


def castling_field(placement: Placement, castling: int, *, shredder: bool = False) -> str:
    """The third field: by files, or by sides with a file where an outer rook has no rights."""
    text = ""
    for white in (True, False):
        king, rooks = (
            (placement.white_king, placement.white_rooks) if white else (placement.black_king, placement.black_rooks)
        )
        back_rank = 0xFF if white else 0xFF << 56
        k = int(king).bit_length() - 1
        home = list(rooks & back_rank)
        for rook in sorted((s for s in home if castling >> s & 1), reverse=True):
            outermost = home[-1] if rook > k else home[0]
            sign = FILE_NAMES[rook & 7] if shredder or rook != outermost else "k" if rook > k else "q"
            text += sign.upper() if white else sign
    return text or "-"


def parse_operations(text: str) -> dict[str, Any]:
    """The operations of an EPD: numbers as numbers, quoted text without its quotes, several operands as a list.

    >>> parse_operations('bm Nf3 e4; ce 35; id "a test"; resign;')
    {'bm': ['Nf3', 'e4'], 'ce': 35, 'id': 'a test', 'resign': None}
    """
    operations: dict[str, Any] = {}
    rest = text.strip()
    while rest:
        opcode, rest = _word(rest)
        _check_opcode(opcode)
        if opcode in operations:
            raise ValueError(f"EPD operation: {opcode!r} is given twice")
        operands: list[Any] = []
        while rest and not rest.startswith(";"):
            if rest.startswith('"'):
                end = _closing_quote(rest)
                operands.append(rest[1:end].replace('\\"', '"').replace("\\\\", "\\"))
                rest = rest[end + 1 :].lstrip()
            else:
                operand, rest = _word(rest)
                operands.append(_number(operand))
        if not rest:
            raise ValueError(f"EPD operation: {opcode!r} is not closed by ';'")
        rest = rest[1:].lstrip()
        many = opcode in ("bm", "am", "pv")
        operations[opcode] = operands if many or len(operands) > 1 else operands[0] if operands else None
    return operations


def _check_opcode(opcode: str) -> None:
    if not _OPCODE.fullmatch(opcode):
        raise ValueError(f"EPD operation: {opcode!r}: expected a letter, then letters, digits, '_' or '-'")


def _word(text: str) -> tuple[str, str]:
    end = next((i for i, c in enumerate(text) if c.isspace() or c == ";"), len(text))
    if end == 0:
        raise ValueError(f"EPD operation: {text[:20]!r}: expected a name")
    return text[:end], text[end:].lstrip()


def _closing_quote(text: str) -> int:
    i = 1
    while i < len(text):
        if text[i] == "\\":
            i += 1
        elif text[i] == '"':
            return i
        i += 1
    raise ValueError(f"EPD operation: {text[:20]!r}: the quote is not closed")


def _number(text: str) -> Any:
    for kind in (int, float):
        try:
            value = kind(text)
        except ValueError:
            continue
        return value if str(value) == text and math.isfinite(value) else text
    return text


def write_operations(operations: dict[str, Any]) -> str:
    """The text of operations: ``bm Nf3; id "a test";``."""
    parts = []
    for opcode, operand in operations.items():
        _check_opcode(opcode)
        operands = operand if isinstance(operand, (list, tuple)) else [] if operand is None else [operand]
        words = [opcode, *(_operand(o, opcode) for o in operands)]
        parts.append(" ".join(words) + ";")
    return " ".join(parts)


def _operand(value: Any, opcode: str) -> str:
    if isinstance(value, str) and opcode not in ("bm", "am", "pv"):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return str(value)
