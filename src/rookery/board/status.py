"""Descriptions of a position's faults: the bits of `rookery.rules.faults` in words."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.bits import RANK_1, RANK_8
from rookery.bitboards.lines import line
from rookery.bitboards.squares import square_name
from rookery.board.rows import THEM, TURN, US, as_array, packed, unpack
from rookery.rules import faults
from rookery.rules.compiled import compiled

if TYPE_CHECKING:
    from rookery.board.view import View

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


def faults_in_words(found: int, board: "View") -> list[Fault]:
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


def _form(found: int, board: "View") -> Iterator[str]:
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


def _numbers(found: int, board: "View") -> Iterator[str]:
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


def _promotions(found: int, board: "View") -> Iterator[str]:
    p = board.placement
    for colour, bit, first in (("white", faults.WHITE_PROMOTED, 0), ("black", faults.BLACK_PROMOTED, 6)):
        if found & bit:
            pawns, knights, bishops, rooks, queens = map(int, p[first : first + 5])
            diagonals, orthogonals = bishops | queens, rooks | queens
            promoted = faults.promoted_pieces(knights, diagonals, orthogonals)
            missing = 8 - pawns.bit_count()
            yield f"{colour} has {promoted} promoted pieces but lacks only {missing} pawns"


def _castling(board: "View") -> Iterator[str]:
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


def _opposite_check(board: "View") -> str:
    mover, other = ("white", "black") if board.turn else ("black", "white")
    words = list(unpack(board._row))
    words[US], words[THEM] = words[THEM], words[US]
    words[TURN] ^= 1
    code = compiled()
    checkers = code.checkers(as_array(packed(words)), code.tables)
    return f"{mover} is to move, but {other}'s king is in check from {_names(checkers)}"


def _en_passant(found: int, board: "View") -> str:
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


def _last_move(found: int, board: "View") -> str:
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
