"""Error messages for refused FENs. The compiled reader reports a number and a place.

`Placement` reads the first field again to describe its faults.
"""

import re
from collections.abc import Sequence
from typing import Final

from rookery.arguments import shown
from rookery.bitboards.placement import Placement, fields_of
from rookery.rules.notation.epd import parse_operations

# Why a text is refused.
FIELDS, PIECES, SIDE, RIGHTS_SIGN, RIGHTS_KING, RIGHTS_ROOK, RIGHTS_TWICE, RIGHTS_SIDE = range(1, 9)
TARGET, TARGET_RANK, CLOCK, NUMBER, OPERATIONS, COUNTERS, NOT_CLASSICAL = range(9, 16)

LONGEST: Final = 9  # digits of a counter

_FIELDS: Final = re.compile(r"\s*(?:\S+\s+){4}(?:\d+(?:\s+|(?=;))){0,2}", re.ASCII)


def explained(fen: str, refused: int, place: int) -> ValueError:
    """Return the error for a text that the reader refuses; `place` is the index of a refused castling character."""
    fields = fields_of(fen)
    if refused == PIECES:
        try:
            Placement.from_fen(fen)
        except ValueError as error:
            return error
        raise AssertionError(f"{shown(fen)}: refused by one reader of pieces and not by the other")
    if refused == OPERATIONS:
        operations = _FIELDS.sub("", fen, count=1)
        try:
            parse_operations(operations)
        except ValueError as error:
            return error
        return ValueError(f"EPD operations: {shown(operations)}: expected names and operands, parted by ';'")
    if refused == COUNTERS:
        return ValueError(f"EPD: {shown(fen)}: hmvc and fmvn: expected numbers of at most {LONGEST} digits")
    if refused == NOT_CLASSICAL:
        return ValueError(f"FEN field 3 (castling): {shown(fen)} is Chess960, but chess960=False was passed")
    return ValueError(number_of_fields(fen) if refused == FIELDS else field_fault(fields, refused, fen[place]))


def number_of_fields(fen: str) -> str:
    """Describe the fault of a text that has too few or too many fields."""
    return (
        f"FEN: {shown(fen)} has {len(fields_of(fen)):,} fields, expected 6: pieces, side to move, castling, en "
        "passant, and two counters (which may be left out)"
    )


def field_fault(fields: Sequence[str], refused: int, sign: str) -> str:
    """Describe the fault of one of the fields 2 to 6; `sign` is the refused character of the castling field."""
    number, name = {
        SIDE: (2, "side to move"),
        TARGET: (4, "en passant"),
        TARGET_RANK: (4, "en passant"),
        CLOCK: (5, "halfmove clock"),
        NUMBER: (6, "fullmove number"),
    }.get(refused, (3, "castling"))
    mover, rank = {"w": (" when white is to move", "6"), "b": (" when black is to move", "3")}.get(
        fields[1], ("", "3 or 6")
    )
    reason = {
        SIDE: "expected 'w' or 'b'",
        RIGHTS_SIGN: f"unexpected {sign!r}",
        RIGHTS_KING: f"{sign!r} needs one king, on its back rank",
        RIGHTS_ROOK: f"{sign!r} has no rook on the back rank to castle with",
        RIGHTS_TWICE: f"{sign!r} says again that a rook may castle",
        RIGHTS_SIDE: f"{sign!r} is a second rook on the same side of the king",
        TARGET: "expected '-' or a square",
        TARGET_RANK: f"expected a square on rank {rank}{mover}",
        CLOCK: f"expected a number of at most {LONGEST} digits",
        NUMBER: f"expected a number of at most {LONGEST} digits",
    }[refused]
    return f"FEN field {number} ({name}): {shown(fields[number - 1])}: {reason}"
