"""Compiled code for checks, pins, and the attacks of one kind of piece."""

from typing import Any, NamedTuple

import numpy as np

from rookery.bitboards.bits import isolate_ls1b
from rookery.bitboards.sets import king_moves, knight_moves
from rookery.kernel import U64, UNIVERSE, Bits, array_of, entry, kernel, kernel_by_type
from rookery.positions.kernels.lanes import Lane, black_mask, load, occupied_of
from rookery.positions.layout import SIDES, empty_columns
from rookery.positions.queries import fills, questions
from rookery.positions.queries.attacks import Sided, attacks_by, pawn_attacks, sided
from rookery.positions.queries.fills import diagonal_attacks, orthogonal_attacks, slides
from rookery.positions.queries.pins import Lines, all_lines, along, checkers, danger, shields
from rookery.rules.constants import KIND_MASK, SIX_BITS, TO_SHIFT
from rookery.techniques.base.protocol import Bishop, Queen, Rook


@kernel_by_type("kind")
def pieces_of(kind: questions.Kind, p: Lane) -> Bits:
    """Return the pieces of a kind, of both sides."""


@pieces_of.register(questions.Pawn)
def _pawns(kind: questions.Pawn, p: Lane) -> Bits:
    return p.pawns


@pieces_of.register(questions.Knight)
def _knights(kind: questions.Knight, p: Lane) -> Bits:
    return p.knights


@pieces_of.register(Bishop)
def _bishops(kind: Bishop, p: Lane) -> Bits:
    return p.diagonals & ~p.orthogonals


@pieces_of.register(Rook)
def _rooks(kind: Rook, p: Lane) -> Bits:
    return p.orthogonals & ~p.diagonals


@pieces_of.register(Queen)
def _queens(kind: Queen, p: Lane) -> Bits:
    return p.diagonals & p.orthogonals


@pieces_of.register(questions.King)
def _kings(kind: questions.King, p: Lane) -> Bits:
    return p.kings


@pieces_of.register(questions.Every)
def _every(kind: questions.Every, p: Lane) -> Bits:
    return occupied_of(p)


@kernel_by_type("kind")
def attacks_of(kind: questions.Kind, w: fills.Slides, pieces: Bits, black: Bits) -> Bits:
    """Return the squares that a set of pieces of one kind and colour attacks."""


@attacks_of.register(questions.Pawn)
def _pawn_attacks(kind: questions.Pawn, w: fills.Slides, pieces: Bits, black: Bits) -> Bits:
    return pawn_attacks(pieces, black)


@attacks_of.register(questions.Knight)
def _knight_attacks(kind: questions.Knight, w: fills.Slides, pieces: Bits, black: Bits) -> Bits:
    return knight_moves(pieces)


@attacks_of.register(Bishop)
def _bishop_attacks(kind: Bishop, w: fills.Slides, pieces: Bits, black: Bits) -> Bits:
    return fills.diagonal_attacks(w, pieces)


@attacks_of.register(Rook)
def _rook_attacks(kind: Rook, w: fills.Slides, pieces: Bits, black: Bits) -> Bits:
    return fills.orthogonal_attacks(w, pieces)


@attacks_of.register(Queen)
def _queen_attacks(kind: Queen, w: fills.Slides, pieces: Bits, black: Bits) -> Bits:
    return fills.orthogonal_attacks(w, pieces) | fills.diagonal_attacks(w, pieces)


@attacks_of.register(questions.King)
def _king_attacks(kind: questions.King, w: fills.Slides, pieces: Bits, black: Bits) -> Bits:
    return king_moves(pieces)


def _questions() -> list[Any]:
    others = (
        questions.Anything(),
        questions.Danger(),
        questions.Checkers(),
        questions.Pinners(),
        questions.Discoverers(),
    )
    return [*questions.PIECES.values(), *questions.LINES.values(), *others]


@kernel_by_type("question")
def ask(question: NamedTuple, w: fills.Slides, p: Lane, s: Sided) -> Bits:
    """Return the answer to a query about one position."""


@ask.register(questions.Pawn)
@ask.register(questions.Knight)
@ask.register(Bishop)
@ask.register(Rook)
@ask.register(Queen)
@ask.register(questions.King)
def _kind(question: questions.Kind, w: fills.Slides, p: Lane, s: Sided) -> Bits:
    return attacks_of(question, w, pieces_of(question, p) & s.own, s.black)


@ask.register(questions.Anything)
def _anything(question: questions.Anything, w: fills.Slides, p: Lane, s: Sided) -> Bits:
    return attacks_by(w, p, s.own, s.black)


@ask.register(questions.Danger)
def _danger(question: questions.Danger, w: fills.Slides, p: Lane, s: Sided) -> Bits:
    return danger(p, isolate_ls1b(p.kings & s.own), s.own, s.other, s.black)


@ask.register(questions.Checkers)
def _checkers(question: questions.Checkers, w: fills.Slides, p: Lane, s: Sided) -> Bits:
    king = isolate_ls1b(p.kings & s.own)
    return checkers(along(w, king, king), p, king, s.other, s.black) | (king_moves(king) & p.kings & s.other)


@kernel
def pins(w: fills.Slides, p: Lane, s: Sided) -> Lines:
    """Return the squares that shield the king of a side, line by line."""
    return shields(w, isolate_ls1b(p.kings & s.own), p.orthogonals & s.other, p.diagonals & s.other)


@ask.register(questions.Pinned)
def _pinned(question: questions.Pinned, w: fills.Slides, p: Lane, s: Sided) -> Bits:
    return all_lines(pins(w, p, s)) & s.own


@ask.register(questions.PinnedOnFile)
def _pinned_on_file(question: questions.PinnedOnFile, w: fills.Slides, p: Lane, s: Sided) -> Bits:
    return pins(w, p, s).file & s.own


@ask.register(questions.PinnedOnRank)
def _pinned_on_rank(question: questions.PinnedOnRank, w: fills.Slides, p: Lane, s: Sided) -> Bits:
    return pins(w, p, s).rank & s.own


@ask.register(questions.PinnedOnDiagonal)
def _pinned_on_diagonal(question: questions.PinnedOnDiagonal, w: fills.Slides, p: Lane, s: Sided) -> Bits:
    return pins(w, p, s).diagonal & s.own


@ask.register(questions.PinnedOnAntidiagonal)
def _pinned_on_antidiagonal(question: questions.PinnedOnAntidiagonal, w: fills.Slides, p: Lane, s: Sided) -> Bits:
    return pins(w, p, s).antidiagonal & s.own


@ask.register(questions.Pinners)
def _pinners(question: questions.Pinners, w: fills.Slides, p: Lane, s: Sided) -> Bits:
    # A pinned piece sees its king and the pinner along the line of the pin, and nothing else.
    pinned = pins(w, p, s)
    file, rank = pinned.file & s.own, pinned.rank & s.own
    diagonal, antidiagonal = pinned.diagonal & s.own, pinned.antidiagonal & s.own
    straight = fills.nort(w, file) | fills.sout(w, file) | fills.east(w, rank) | fills.west(w, rank)
    slanting = (
        fills.no_ea(w, diagonal)
        | fills.so_we(w, diagonal)
        | fills.no_we(w, antidiagonal)
        | fills.so_ea(w, antidiagonal)
    )
    return s.other & ((straight & p.orthogonals) | (slanting & p.diagonals))


@ask.register(questions.Discoverers)
def _discoverers(question: questions.Discoverers, w: fills.Slides, p: Lane, s: Sided) -> Bits:
    king = isolate_ls1b(p.kings & s.other)
    return all_lines(shields(w, king, p.orthogonals & s.own, p.diagonals & s.own)) & s.own


@entry(examples=lambda: [(question, empty_columns(1), SIDES["us"], array_of(U64)) for question in _questions()])
def boards(question: Any, c: Any, side: Any, out: Any) -> None:
    """Write the answer for each position."""
    for i in range(out.size):
        p = load(c, i)
        out[i] = ask(question, fills.slides(~occupied_of(p)), p, sided(p, side))


@entry(examples=lambda: (questions.Checkers(), empty_columns(1), SIDES["us"], array_of(np.bool_)))
def any_of(question: Any, c: Any, side: Any, out: Any) -> None:
    """Write True for each position whose answer is not empty."""
    for i in range(out.size):
        p = load(c, i)
        out[i] = ask(question, fills.slides(~occupied_of(p)), p, sided(p, side)) != 0


@entry(examples=lambda: (empty_columns(1), array_of(np.int64), array_of(np.uint16), array_of(np.bool_)))
def may_check(c: Any, offsets: Any, moves: Any, out: Any) -> None:
    """Write False for each legal move that surely gives no check; position i has ``moves[offsets[i]:offsets[i + 1]]``.

    A piece gives check from a square that the king would attack if it moved like that piece, or by leaving a line of
    its own side's slider. Castling, promotions and captures en passant may always give check. So may every move where
    the other side is in check already or a side has several kings, which no game has.
    """
    for i in range(offsets.size - 1):
        p = load(c, i)
        occupied, black = occupied_of(p), black_mask(p)
        own = (p.white ^ black) & occupied
        kings = p.kings & ~own
        king, w = isolate_ls1b(kings), slides(~occupied)
        straight, slanting = orthogonal_attacks(w, king), diagonal_attacks(w, king)
        hops, pawns = knight_moves(king), pawn_attacks(king, ~black)
        orthogonals, diagonals = p.orthogonals & own, p.diagonals & own
        leaving = all_lines(shields(w, king, orthogonals, diagonals)) & own
        attackers = straight & orthogonals | slanting & diagonals | hops & p.knights & own | pawns & p.pawns & own
        attackers |= king_moves(king) & p.kings & own
        if attackers or kings != king or p.kings & own != isolate_ls1b(p.kings & own):
            leaving = UNIVERSE
        for j in range(offsets[i], offsets[i + 1]):
            move = U64(moves[j])
            source, target = move & SIX_BITS, (move >> TO_SHIFT) & SIX_BITS
            reached = (
                (pawns & -((p.pawns >> source) & 1))
                | (hops & -((p.knights >> source) & 1))
                | (straight & -((orthogonals >> source) & 1))
                | (slanting & -((diagonals >> source) & 1))
            )
            special = 1 if move & KIND_MASK else 0
            out[j] = ((reached >> target | leaving >> source) & 1 | special) != 0
