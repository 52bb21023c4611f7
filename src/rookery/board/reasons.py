"""Why positions and texts are refused, in words.

The faults of a position are the bits of `rookery.rules.faults`. Of a FEN, the compiled reader finds the first fault,
and `every_fault` finds all: each refused field is reported and replaced by one that is always accepted, and the text is
read again. A field that depends on a refused one is not judged: castling rights depend on the pieces, en passant on the
side to move.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from rookery.arguments import shown
from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.bits import RANK_1, RANK_8
from rookery.bitboards.lines import line
from rookery.bitboards.placement import fields_of, read_pieces
from rookery.bitboards.squares import square_name
from rookery.board.board import Board
from rookery.board.kernels.compiled import compiled
from rookery.board.listing import words_of_moves
from rookery.board.moves import CASTLING, PROMOTION, AmbiguousMoveError, IllegalMoveError, InvalidMoveError
from rookery.board.playing import move_of
from rookery.board.rows import THEM, TURN, US, as_array, packed, row_of_parsed, unpack, with_possible_rights
from rookery.kernel import UNIVERSE
from rookery.rules import faults
from rookery.rules.constants import QUEEN
from rookery.rules.notation import fen_reasons
from rookery.rules.notation.fen import parse_fen, refusal
from rookery.rules.notation.san_reader import spelled_move
from rookery.rules.notation.san_spelling import CASTLES_LEFT, CASTLES_RIGHT, NO_MOVE, SpelledMove

_OVERLAPPING: Final = (
    faults.OVERLAPPING_KNIGHTS
    | faults.OVERLAPPING_DIAGONALS
    | faults.OVERLAPPING_ORTHOGONALS
    | faults.OVERLAPPING_KINGS
)
_CASTLING: Final = faults.CASTLING_ROOK | faults.CASTLING_KING | faults.CASTLING_TWICE
_EN_PASSANT: Final = faults.EN_PASSANT_RANK | faults.EN_PASSANT_PAWN | faults.EN_PASSANT_WAY
_LAST_MOVE: Final = faults.TOO_MANY_CHECKERS | faults.IMPOSSIBLE_CHECK | faults.IMPOSSIBLE_JUMP


class Fault(NamedTuple):
    """A reason why a position is impossible. If `strict` is set, it can be played on, but no game reaches it."""

    reason: str
    strict: bool = False

    def __str__(self) -> str:
        return self.reason


def faults_in_words(found: int, board: Board) -> list[Fault]:
    """Return a description of each fault of `board` in a mask of `rookery.rules.faults.faults_of`."""
    reasons = [*_form(found, board), *_numbers(found, board)]
    descriptions = [Fault(reason) for reason in reasons]
    descriptions += [Fault(reason, strict=True) for reason in _promotions(found, board)]
    if found & _CASTLING:
        descriptions += [Fault(reason) for reason in _castling(board)]
    if found & faults.OPPOSITE_CHECK:
        descriptions.append(Fault(_opposite_check(board)))
    if found & _EN_PASSANT:
        descriptions.append(Fault(_en_passant(found, board)))
    if found & _LAST_MOVE:
        descriptions.append(Fault(_last_move(found, board), strict=True))
    return descriptions


def _names(squares: int) -> str:
    return " and ".join(Bitboard(squares).names())


def _form(found: int, board: Board) -> Iterator[str]:
    """Yield the faults of words that do not describe a position; no FEN has them."""
    pawns, knights, diagonals, orthogonals, kings, us, them = unpack(board._row)[:7]
    seen = overlap = 0
    for pieces in (pawns, knights, diagonals | orthogonals, kings):
        overlap |= seen & pieces
        seen |= pieces
    if found & _OVERLAPPING:
        yield f"{_names(overlap)}: several pieces on one square"
    if found & faults.COLOURS:
        yield f"{_names(us & them | (us | them) ^ seen)}: expected every piece, and nothing else, to have one colour"


def _numbers(found: int, board: Board) -> Iterator[str]:
    """Yield the faults of the pieces of each side, and of kings next to each other."""
    p = board.placement
    for colour, shift, pieces, pawns, king in (
        ("white", 0, p.white, p.white_pawns, p.white_king),
        ("black", 1, p.black, p.black_pawns, p.black_king),
    ):
        of_white = found >> shift
        if of_white & faults.WHITE_KINGS:
            yield f"{colour} has {len(king) or 'no'} king{'s' if len(king) else ''}, expected one"
        if of_white & faults.WHITE_PIECES:
            yield f"{colour} has {len(pieces)} pieces, at most 16"
        if of_white & faults.WHITE_PAWNS:
            yield f"{colour} has {len(pawns)} pawns, at most 8"
        for square in pawns & (RANK_1 | RANK_8):
            yield f"{colour} pawn on {square_name(square)}: pawns never stand on a back rank"
    if found & faults.ADJACENT_KINGS:
        yield f"the kings on {_names(p.white_king)} and {_names(p.black_king)} are adjacent"


def _promotions(found: int, board: Board) -> Iterator[str]:
    p = board.placement
    for colour, bit, first in (("white", faults.WHITE_PROMOTED, 0), ("black", faults.BLACK_PROMOTED, 6)):
        if found & bit:
            pawns, knights, bishops, rooks, queens = map(int, p[first : first + 5])
            diagonals, orthogonals = bishops | queens, rooks | queens
            promoted = faults.promoted_pieces(knights, diagonals, orthogonals)
            missing = 8 - pawns.bit_count()
            yield f"{colour} has {promoted} promoted pieces but lacks only {missing} pawns"


def _castling(board: Board) -> Iterator[str]:
    p, rights = board.placement, board.castling_rights
    for colour, rooks, king, back_rank in (
        ("white", p.white_rooks, p.white_king, RANK_1),
        ("black", p.black_rooks, p.black_king, RANK_8),
    ):
        sides = set()
        for square in rights & back_rank:
            right = f"castling with {square_name(square)}"
            side = 1 << square > int(king)
            if square not in rooks:
                yield f"{right}: no {colour} rook stands there"
                continue
            if not king & back_rank:
                yield f"{right}: {colour}'s king is off its back rank"
            elif side in sides and len(king) == 1:
                yield f"{right}: a second rook on the same side of the king"
            sides.add(side)
    for square in rights & ~(RANK_1 | RANK_8):
        yield f"castling with {square_name(square)}: not on a back rank"


def _opposite_check(board: Board) -> str:
    mover, other = ("white", "black") if board.turn else ("black", "white")
    words = list(unpack(board._row))
    words[US], words[THEM] = words[THEM], words[US]
    words[TURN] ^= 1
    code = compiled()
    checkers = code.checkers(as_array(packed(words)), code.tables)
    return f"{mover} is to move, but {other}'s king is in check from {_names(checkers)}"


def _en_passant(found: int, board: Board) -> str:
    square = board.ep_square
    assert square is not None
    name, jumped = square_name(square), "black" if board.turn else "white"
    if found & faults.EN_PASSANT_RANK:
        return f"en passant on {name}: expected rank {6 if board.turn else 3}"
    back = -8 if board.turn else 8
    if found & faults.EN_PASSANT_PAWN:
        return f"en passant on {name}: no {jumped} pawn on {square_name(square + back)} has jumped over it"
    way = square if int(board.occupied) >> square & 1 else square - back
    return f"en passant on {name}: {square_name(way)}, where the pawn came along, is occupied"


def _last_move(found: int, board: Board) -> str:
    checkers = board.checkers()
    check = f"check from {_names(checkers)}"
    if found & faults.TOO_MANY_CHECKERS:
        return f"{check}: no move gives check with three pieces"
    if found & faults.IMPOSSIBLE_JUMP:
        square = board.ep_square
        assert square is not None
        jumper = square_name(square + (-8 if board.turn else 8))
        if checkers:
            return f"{check}: the pawn's jump to {jumper} cannot have opened it"
        mover, other = ("white", "black") if board.turn else ("black", "white")
        before = f"before the pawn's jump to {jumper} {mover} was in check, and {other} to move"
        return f"en passant on {square_name(square)}: {before}"
    if len(checkers) == 1:
        return f"{check}: no move can have given it"
    king = board.king(board.turn)
    assert king is not None
    a, b = checkers
    if line(a, king) and line(a, king) == line(b, king):
        # They attack the king from both ends of one line: the piece that moved would have stood between.
        return f"{check}: two pieces on one line cannot both have come to give it"
    return f"{check}: no single move can have given both"


# FENs.

MOST: Final = 50  # found reported for one text: about a page, however long the text is
_ACCEPTED: Final = ("8/8/8/8/8/8/8/8", "w", "-", "-", "0", "1")
_FIELD: Final = {
    fen_reasons.SIDE: 1,
    fen_reasons.TARGET: 3,
    fen_reasons.TARGET_RANK: 3,
    fen_reasons.CLOCK: 4,
    fen_reasons.NUMBER: 5,
}
_RIGHTS: Final = 2


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
    found = [] if 4 <= len(given) <= 6 else [fen_reasons.number_of_fields(fen)]
    if not given:
        return found
    given = [*given[:6], *_ACCEPTED[len(given) :]]
    fields = given.copy()
    wrong_pieces = list(read_pieces(fields[0], [0] * 12))
    found += wrong_pieces
    if wrong_pieces:
        fields[0] = _ACCEPTED[0]
    unknown_side = False
    while len(found) < MOST:
        refused, place = refusal(" ".join(fields))
        if not refused:
            break
        if refused in _FIELD:
            which = _FIELD[refused]
            found.append(fen_reasons.field_fault(given, refused, ""))
            fields[which] = _ACCEPTED[which]
            if refused == fen_reasons.SIDE:
                unknown_side = True
                fields[1] = "b" if fields[3][1:] == "3" else "w"  # which makes the most of en passant
        else:
            at = place - len(fields[0]) - len(fields[1]) - 2
            sign = fields[_RIGHTS][at]
            if refused == fen_reasons.RIGHTS_SIGN or not wrong_pieces:
                found.append(fen_reasons.field_fault(given, refused, sign))
            fields[_RIGHTS] = fields[_RIGHTS][:at] + fields[_RIGHTS][at:].replace(sign, "") or "-"
    else:
        return found[:MOST]
    if not wrong_pieces:
        found += _faults_of_position(fields, unknown_side, unreachable)
    return found[:MOST]


def board_without_impossible_rights(fen: str, chess960: bool | None = None) -> Board:
    """Return the board of a FEN, without castling rights and an en-passant square that the pieces rule out.

    Any other fault is a ValueError.

    >>> board_without_impossible_rights("4k3/8/8/8/8/8/8/R3K3 w KQ e6 0 1").fen()
    '4k3/8/8/8/8/8/8/R3K3 w Q - 0 1'
    """
    parsed = parse_fen(fen, chess960, drop=True)
    board = Board(None)
    board._take(with_possible_rights(row_of_parsed(parsed)), parsed.chess960)
    found = [fault for fault in board.status() if not fault.strict]
    if found:
        raise ValueError(f"FEN: {shown(fen, 120)}: {'; '.join(map(str, found))}")
    return board


def _faults_of_position(fields: list[str], unknown_side: bool, unreachable: bool) -> list[str]:
    faults_here = [fault for fault in Board.unchecked(" ".join(fields)).status() if unreachable or not fault.strict]
    found = [str(fault) + _how(fault.strict) for fault in faults_here]
    if not unknown_side:
        return found
    # The side to move is unknown: report only the faults of both cases.
    fields = [fields[0], "b" if fields[1] == "w" else "w", fields[2], "-", *fields[4:]]
    other = {str(fault) + _how(fault.strict) for fault in Board.unchecked(" ".join(fields)).status()}
    return [fault for fault in found if fault in other]


def _how(strict: bool) -> str:
    return " (no game can reach this)" if strict else ""


# SAN.


def san_refusal(board: Board, text: str) -> InvalidMoveError | IllegalMoveError | AmbiguousMoveError:
    """Return the error for a text that was refused."""
    spelled = spelled_move(text)
    if spelled.what == NO_MOVE:
        return InvalidMoveError(f"SAN move: {shown(text)}: expected a move like 'Nf3', 'exd5', 'e8=Q' or 'O-O'")
    words = [word for word in words_of_moves(board, UNIVERSE, UNIVERSE) if _is_meant(board, spelled, word)]
    if len(words) > 1:
        ways = " or ".join(sorted(move_of(board, word).uci() for word in words))
        return AmbiguousMoveError(f"SAN move: {shown(text)} is ambiguous in {board.fen()!r}: {ways}")
    reason = f"SAN move: {shown(text)} is not legal in {board.fen()!r}"
    if not spelled.becomes:
        with_queen = spelled._replace(becomes=1 + QUEEN)
        if any(_is_meant(board, with_queen, word) for word in words_of_moves(board, UNIVERSE, UNIVERSE)):
            reason += f": a pawn becomes a piece there, like {text.rstrip('+#') + '=Q'!r}"
    return IllegalMoveError(reason)


def _is_meant(board: Board, spelled: SpelledMove, word: int) -> bool:
    """Check whether a legal move, given as its word, fits what a text states."""
    source, target = word & 63, word >> 6 & 63
    if spelled.what in (CASTLES_RIGHT, CASTLES_LEFT):
        return word >> 14 == CASTLING and (target > source) == (spelled.what == CASTLES_RIGHT)
    becomes = (word >> 12 & 3) + 1 if word >> 14 == PROMOTION else 0
    fits = word >> 14 != CASTLING and (target, becomes) == (spelled.to, spelled.becomes)
    return fits and bool(spelled.mask >> source & 1) and board.kind_at(source) == "pnbrqk"[spelled.kind]
