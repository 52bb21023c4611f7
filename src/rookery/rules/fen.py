"""FEN and EPD: read strictly, say what is wrong and where, write what was read.

Castling rights may be written ``KQkq`` (X-FEN: the outermost rook on that side) or by the rooks' files, ``HAha``
(Shredder-FEN). A position is taken for Chess960 when files are used, or when a king or rook with rights stands
elsewhere than in classical chess.
"""

from typing import Any, Final, Literal, NamedTuple, TypeAlias

from rookery.placement import Placement
from rookery.squares import FILE_NAMES, parse_square, square_name

START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
EnPassant: TypeAlias = Literal["legal", "fen", "xfen"]

_CLASSICAL_ROOKS: Final = 1 << 0 | 1 << 7 | 1 << 56 | 1 << 63


class Parsed(NamedTuple):
    """What a FEN says. `castling` holds the squares of the rooks that may castle."""

    placement: Placement
    black_to_move: bool
    castling: int
    en_passant: int | None
    halfmove_clock: int
    fullmove_number: int
    chess960: bool


def fault(field: int, name: str, value: str, reason: str) -> ValueError:
    """An error that names field, value and reason."""
    return ValueError(f"FEN field {field} ({name}): {value!r}: {reason}")


def parse_fen(fen: str) -> Parsed:
    """Read a FEN of six fields; the two counters may be missing (0 and 1 then)."""
    if not isinstance(fen, str):
        raise TypeError(f"FEN: {fen!r}: expected text")
    fields = fen.split()
    if len(fields) not in (4, 5, 6):
        raise ValueError(
            f"FEN: {fen!r} has {len(fields)} fields, expected 6: pieces, side to move, castling, en passant, and two "
            "counters (which may be left out)"
        )
    placement = Placement.from_fen(fields[0])
    if fields[1] not in ("w", "b"):
        raise fault(2, "side to move", fields[1], "expected 'w' or 'b'")
    black = fields[1] == "b"
    castling, chess960 = parse_castling(fields[2], placement)
    en_passant = parse_en_passant(fields[3], black)
    clock = parse_counter(5, "halfmove clock", fields[4], 0) if len(fields) > 4 else 0
    number = parse_counter(6, "fullmove number", fields[5], 0) if len(fields) > 5 else 1
    return Parsed(placement, black, castling, en_passant, clock, max(number, 1), chess960)


def parse_counter(field: int, name: str, text: str, least: int) -> int:
    """A number without a sign."""
    if not (text.isascii() and text.isdigit()) or len(text) > 9:
        raise fault(field, name, text, f"expected a number from {least}")
    return int(text)


def parse_en_passant(text: str, black: bool) -> int | None:
    """The square behind a pawn that has just moved two steps."""
    if text == "-":
        return None
    try:
        square = parse_square(text)
    except ValueError:
        raise fault(4, "en passant", text, "expected '-' or a square") from None
    rank = 3 if black else 6
    if square >> 3 != rank - 1:
        mover = "black" if black else "white"
        raise fault(4, "en passant", text, f"expected a square on rank {rank} when {mover} is to move")
    return square


def parse_castling(text: str, placement: Placement) -> tuple[int, bool]:
    """The squares of the rooks that may castle, and whether this must be Chess960."""
    if text == "-":
        return 0, False
    castling, chess960 = 0, False
    for sign in text:
        white = sign.isupper()
        king, rooks = (
            (placement.white_king, placement.white_rooks) if white else (placement.black_king, placement.black_rooks)
        )
        back_rank = 0xFF if white else 0xFF << 56
        letter = sign.lower()
        if letter not in "kqabcdefgh" or not sign.isascii():
            raise fault(3, "castling", text, f"unexpected {sign!r}")
        kings = int(king) & back_rank
        if kings.bit_count() != 1 or len(king) != 1:
            raise fault(3, "castling", text, f"{sign!r} needs the king on its back rank")
        k = kings.bit_length() - 1
        home = list(rooks & back_rank)
        if letter == "k":
            candidates = [s for s in home if s > k][-1:]
        elif letter == "q":
            candidates = [s for s in home if s < k][:1]
        else:
            candidates = [s for s in home if s & 7 == FILE_NAMES.index(letter)]
            chess960 = True
        if not candidates:
            raise fault(3, "castling", text, f"{sign!r} has no rook on the back rank to castle with")
        rook = candidates[0]
        if castling >> rook & 1:
            raise fault(3, "castling", text, f"{sign!r} says again that the rook on {square_name(rook)} may castle")
        same_side = [s for s in range(64) if castling & back_rank & 1 << s and (s > k) == (rook > k)]
        if same_side:
            raise fault(3, "castling", text, f"{sign!r} is a second rook on the same side of the king")
        castling |= 1 << rook
        chess960 |= k & 7 != 4 or not _CLASSICAL_ROOKS >> rook & 1
    return castling, chess960


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
        if not (opcode[0].isalpha() and all(c.isalnum() or c in "_-" for c in opcode)):
            raise ValueError(f"EPD operation: {opcode!r}: expected a name that begins with a letter")
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
        return value if str(value) == text else text
    return text


def write_operations(operations: dict[str, Any]) -> str:
    """The text of operations: ``bm Nf3; id "a test";``."""
    parts = []
    for opcode, operand in operations.items():
        operands = operand if isinstance(operand, (list, tuple)) else [] if operand is None else [operand]
        words = [opcode, *(_operand(o, opcode) for o in operands)]
        parts.append(" ".join(words) + ";")
    return " ".join(parts)


def _operand(value: Any, opcode: str) -> str:
    if isinstance(value, str) and opcode not in ("bm", "am", "pv"):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return str(value)
