"""All faults of a FEN. The compiled reader stops at the first.

Each refused field is reported and replaced by one that is always accepted, and the text is read again. A field that
depends on a refused one is not judged: castling rights depend on the pieces, en passant on the side to move.
"""

from typing import Final

from rookery.arguments import shown
from rookery.bitboards.placement import fields_of, read_pieces
from rookery.board.board import Board
from rookery.notation.fen import parse_fen, refusal
from rookery.notation.fen_reasons import (
    CLOCK,
    NUMBER,
    RIGHTS_SIGN,
    SIDE,
    TARGET,
    TARGET_RANK,
    field_fault,
    number_of_fields,
)
from rookery.rules.compiled import compiled

MOST: Final = 50  # faults reported for one text: about a page, however long the text is
_ACCEPTED: Final = ("8/8/8/8/8/8/8/8", "w", "-", "-", "0", "1")
_FIELD: Final = {SIDE: 1, TARGET: 3, TARGET_RANK: 3, CLOCK: 4, NUMBER: 5}
_CASTLING: Final = 2


def every_fault(fen: str, *, unreachable: bool = True) -> list[str]:
    """Return the faults of a FEN's text and, as far as it can be read, of its position; at most `MOST`.

    With ``unreachable=False`` leave out the faults of positions that can be played on, but that no game reaches.

    >>> for fault in every_fault("4k3/8/8/9/8/8/8/4K3 x Q e4 -1 1"):
    ...     print(fault)
    FEN field 1 (pieces), rank 5: '9': unexpected '9', expected one of PNBRQKpnbrqk or 1 to 8
    FEN field 2 (side to move): 'x': expected 'w' or 'b'
    FEN field 4 (en passant): 'e4': expected a square on rank 3 or 6
    FEN field 5 (halfmove clock): '-1': expected a number of at most 9 digits
    >>> every_fault("8/8/8/8/8/8/4k3/4K2P x - - 0 1")
    ... # doctest: +NORMALIZE_WHITESPACE
    ["FEN field 2 (side to move): 'x': expected 'w' or 'b'",
     'white pawn on h1: pawns never stand on a back rank',
     'the kings on e1 and e2 are adjacent']
    """
    given = fields_of(fen)
    faults = [] if 4 <= len(given) <= 6 else [number_of_fields(fen)]
    if not given:
        return faults
    given = [*given[:6], *_ACCEPTED[len(given) :]]
    fields = given.copy()
    wrong_pieces = list(read_pieces(fields[0], [0] * 12))
    faults += wrong_pieces
    if wrong_pieces:
        fields[0] = _ACCEPTED[0]
    unknown_side = False
    while len(faults) < MOST:
        refused, place = refusal(" ".join(fields))
        if not refused:
            break
        if refused in _FIELD:
            which = _FIELD[refused]
            faults.append(field_fault(given, refused, ""))
            fields[which] = _ACCEPTED[which]
            if refused == SIDE:
                unknown_side = True
                fields[1] = "b" if fields[3][1:] == "3" else "w"  # which makes the most of en passant
        else:
            at = place - len(fields[0]) - len(fields[1]) - 2
            sign = fields[_CASTLING][at]
            if refused == RIGHTS_SIGN or not wrong_pieces:
                faults.append(field_fault(given, refused, sign))
            fields[_CASTLING] = fields[_CASTLING][:at] + fields[_CASTLING][at:].replace(sign, "") or "-"
    else:
        return faults[:MOST]
    if not wrong_pieces:
        faults += _faults_of_position(fields, unknown_side, unreachable)
    return faults[:MOST]


def board_without_impossible_rights(fen: str, chess960: bool | None = None) -> Board:
    """Return the board of a FEN, without castling rights and an en-passant square that the pieces rule out.

    Any other fault is a ValueError.

    >>> board_without_impossible_rights("4k3/8/8/8/8/8/8/R3K3 w KQ e6 0 1").fen()
    '4k3/8/8/8/8/8/8/R3K3 w Q - 0 1'
    """
    parsed = parse_fen(fen, chess960, drop=True)
    compiled().drop_impossible_rights(parsed.words)
    board = Board(None)
    board._take(parsed)
    faults = [fault for fault in board.status() if not fault.strict]
    if faults:
        raise ValueError(f"FEN: {shown(fen, 120)}: {'; '.join(map(str, faults))}")
    return board


def _faults_of_position(fields: list[str], unknown_side: bool, unreachable: bool) -> list[str]:
    faults = [fault for fault in Board.unchecked(" ".join(fields)).status() if unreachable or not fault.strict]
    found = [str(fault) + _how(fault.strict) for fault in faults]
    if not unknown_side:
        return found
    # The side to move is unknown: report only the faults of both cases.
    fields = [fields[0], "b" if fields[1] == "w" else "w", fields[2], "-", *fields[4:]]
    other = {str(fault) + _how(fault.strict) for fault in Board.unchecked(" ".join(fields)).status()}
    return [fault for fault in found if fault in other]


def _how(strict: bool) -> str:
    return " (no game can reach this)" if strict else ""
