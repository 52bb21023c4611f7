"""What is wrong with a position: every reason, for people."""

from typing import Final, NamedTuple

from rookery.bitboard import Bitboard
from rookery.leapers import king_attacks
from rookery.lines import line
from rookery.placement import Placement
from rookery.rules.last_move import LastMoves
from rookery.squares import square_name

BACK_RANKS: Final = 0xFF000000000000FF


class Fault(NamedTuple):
    """A reason why a position is impossible. Strict ones need a look at how a game could have come there."""

    reason: str
    strict: bool = False

    def __str__(self) -> str:
        return self.reason


def faults_of(
    placement: Placement, black: bool, castling: int, en_passant: int | None, their_checkers: int, checkers: int
) -> list[Fault]:
    """All faults. `checkers` give check to the side to move, `their_checkers` are those of the side to move that
    give check to the other king.
    """
    faults = _piece_faults(placement) + _castling_faults(placement, castling)
    mover, other = ("black", "white") if black else ("white", "black")
    if their_checkers:
        names = " and ".join(Bitboard(their_checkers).names())
        faults.append(Fault(f"{mover} is to move, but {other}'s king is in check from {names}"))
    if en_passant is not None:
        faults += en_passant_faults(placement, black, en_passant)
    if not faults:
        faults += _unreachable_checks(placement, black, en_passant, checkers)
    return faults


def _piece_faults(p: Placement) -> list[Fault]:
    faults = []
    for colour, pieces, pawns, king in (
        ("white", p.white, p.white_pawns, p.white_king),
        ("black", p.black, p.black_pawns, p.black_king),
    ):
        if len(king) != 1:
            faults.append(Fault(f"{colour} has {len(king) or 'no'} king{'s' if len(king) else ''}, expected one"))
        if len(pieces) > 16:
            faults.append(Fault(f"{colour} has {len(pieces)} pieces, at most 16"))
        if len(pawns) > 8:
            faults.append(Fault(f"{colour} has {len(pawns)} pawns, at most 8"))
        faults += [
            Fault(f"{colour} pawn on {square_name(square)}: pawns never stand on a back rank")
            for square in pawns & BACK_RANKS
        ]
    if len(p.white_king) == len(p.black_king) == 1:
        white, black = next(iter(p.white_king)), next(iter(p.black_king))
        if black in king_attacks(white):
            faults.append(Fault(f"the kings on {square_name(white)} and {square_name(black)} are adjacent"))
    for colour, first in (("white", 0), ("black", 6)):
        pieces_of = p[first : first + 5]
        missing = 8 - len(pieces_of[0])
        _, knights, bishops, rooks, queens = map(len, pieces_of)
        dark = sum((s ^ s >> 3) & 1 == 0 for s in p[first + 2])
        promoted = max(knights - 2, 0) + max(rooks - 2, 0) + max(queens - 1, 0)
        promoted += max(dark - 1, 0) + max(bishops - dark - 1, 0)
        if missing >= 0 and promoted > missing:
            faults.append(Fault(f"{colour} has {promoted} promoted pieces but lacks only {missing} pawns", strict=True))
    return faults


def _castling_faults(p: Placement, castling: int) -> list[Fault]:
    faults = []
    for colour, rooks, king, back_rank in (
        ("white", p.white_rooks, p.white_king, 0xFF),
        ("black", p.black_rooks, p.black_king, 0xFF << 56),
    ):
        for square in Bitboard(castling) & back_rank:
            if square not in rooks:
                faults.append(Fault(f"castling with {square_name(square)}: no {colour} rook stands there"))
            elif len(king & back_rank) != 1:
                faults.append(Fault(f"castling with {square_name(square)}: {colour}'s king is off its back rank"))
    stray = Bitboard(castling) & ~BACK_RANKS
    faults += [Fault(f"castling with {square_name(square)}: not on a back rank") for square in stray]
    return faults


def en_passant_faults(p: Placement, black: bool, square: int) -> list[Fault]:
    """What is wrong with an en-passant square."""
    name = square_name(square)
    back, forth = (8, -8) if black else (-8, 8)
    mover, pawns = ("white", p.white_pawns) if black else ("black", p.black_pawns)
    if square >> 3 != (2 if black else 5):
        return [Fault(f"en passant on {name}: expected rank {3 if black else 6}")]
    if square + back not in pawns:
        return [Fault(f"en passant on {name}: no {mover} pawn on {square_name(square + back)} has jumped over it")]
    for between_ in (square, square + forth):
        if between_ in p.occupied:
            return [Fault(f"en passant on {name}: {square_name(between_)}, where the pawn came along, is occupied")]
    return []


def _unreachable_checks(p: Placement, black: bool, en_passant: int | None, checkers: int) -> list[Fault]:
    """Checks, and jumps of pawns, that no last move can have led to."""
    if (not checkers and en_passant is None) or LastMoves(p, black, en_passant, checkers).any_is_possible():
        return []
    king = next(iter(p.black_king if black else p.white_king))
    who = Bitboard(checkers)
    where = f"check from {' and '.join(who.names())}"
    if len(who) > 2:
        return [Fault(f"{where}: no move gives check with three pieces", strict=True)]
    if en_passant is not None:
        jumper = square_name(en_passant + (8 if black else -8))
        if who:
            return [Fault(f"{where}: the pawn's jump to {jumper} cannot have opened it", strict=True)]
        mover, other = ("black", "white") if black else ("white", "black")
        before = f"before the pawn's jump to {jumper} {mover} was in check, and {other} to move"
        return [Fault(f"en passant on {square_name(en_passant)}: {before}", strict=True)]
    if len(who) == 2:
        a, b = who
        if line(a, king) and line(a, king) == line(b, king):
            # They look at the king from both ends of one line: what moved would have stood between.
            return [Fault(f"{where}: two pieces on one line cannot both have come to give it", strict=True)]
        return [Fault(f"{where}: no single move can have given both", strict=True)]
    return [Fault(f"{where}: no move can have given it", strict=True)]
