"""Compiled code for checks, pins, and the attacks of one kind of piece."""

from typing import Any, NamedTuple

import numpy as np

from rookery.bitboards.bits import isolate_ls1b
from rookery.bitboards.sets import king_moves, knight_moves
from rookery.kernel import U64, Bits, array_of, entry, kernel, kernel_by_type
from rookery.positions.kernels.lanes import Lane, load, occupied_of
from rookery.positions.layout import empty_columns
from rookery.positions.queries import checks, fills
from rookery.positions.queries.attacks import Sided, attacks_by, pawn_attacks, sided
from rookery.positions.queries.pins import Lines, all_lines, along, checkers, danger, shields
from rookery.positions.sides import SIDES
from rookery.techniques.base.protocol import Bishop, Queen, Rook


@kernel_by_type("kind")
def pieces_of(kind: checks.Kind, p: Lane) -> Bits:
    """Return the pieces of a kind, of both sides."""


@pieces_of.register(checks.Pawn)
def _pawns(kind: checks.Pawn, p: Lane) -> Bits:
    return p.pawns


@pieces_of.register(checks.Knight)
def _knights(kind: checks.Knight, p: Lane) -> Bits:
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


@pieces_of.register(checks.King)
def _kings(kind: checks.King, p: Lane) -> Bits:
    return p.kings


@pieces_of.register(checks.Every)
def _every(kind: checks.Every, p: Lane) -> Bits:
    return occupied_of(p)


@kernel_by_type("kind")
def attacks_of(kind: checks.Kind, w: fills.Slides, pieces: Bits, black: Bits) -> Bits:
    """Return the squares that a set of pieces of one kind and colour attacks."""


@attacks_of.register(checks.Pawn)
def _pawn_attacks(kind: checks.Pawn, w: fills.Slides, pieces: Bits, black: Bits) -> Bits:
    return pawn_attacks(pieces, black)


@attacks_of.register(checks.Knight)
def _knight_attacks(kind: checks.Knight, w: fills.Slides, pieces: Bits, black: Bits) -> Bits:
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


@attacks_of.register(checks.King)
def _king_attacks(kind: checks.King, w: fills.Slides, pieces: Bits, black: Bits) -> Bits:
    return king_moves(pieces)


def _questions() -> list[Any]:
    others = (checks.Anything(), checks.Danger(), checks.Checkers(), checks.Pinners(), checks.Discoverers())
    return [*checks.PIECES.values(), *checks.LINES.values(), *others]


@kernel_by_type("question")
def ask(question: NamedTuple, w: fills.Slides, p: Lane, s: Sided) -> Bits:
    """Return the answer to a query about one position."""


@ask.register(checks.Pawn)
@ask.register(checks.Knight)
@ask.register(Bishop)
@ask.register(Rook)
@ask.register(Queen)
@ask.register(checks.King)
def _kind(question: checks.Kind, w: fills.Slides, p: Lane, s: Sided) -> Bits:
    return attacks_of(question, w, pieces_of(question, p) & s.own, s.black)


@ask.register(checks.Anything)
def _anything(question: checks.Anything, w: fills.Slides, p: Lane, s: Sided) -> Bits:
    return attacks_by(w, p, s.own, s.black)


@ask.register(checks.Danger)
def _danger(question: checks.Danger, w: fills.Slides, p: Lane, s: Sided) -> Bits:
    return danger(p, isolate_ls1b(p.kings & s.own), s.own, s.other, s.black)


@ask.register(checks.Checkers)
def _checkers(question: checks.Checkers, w: fills.Slides, p: Lane, s: Sided) -> Bits:
    king = isolate_ls1b(p.kings & s.own)
    return checkers(along(w, king, king), p, king, s.other, s.black) | (king_moves(king) & p.kings & s.other)


@kernel
def pins(w: fills.Slides, p: Lane, s: Sided) -> Lines:
    """Return the squares that shield the king of a side, line by line."""
    return shields(w, isolate_ls1b(p.kings & s.own), p.orthogonals & s.other, p.diagonals & s.other)


@ask.register(checks.Pinned)
def _pinned(question: checks.Pinned, w: fills.Slides, p: Lane, s: Sided) -> Bits:
    return all_lines(pins(w, p, s)) & s.own


@ask.register(checks.PinnedOnFile)
def _pinned_on_file(question: checks.PinnedOnFile, w: fills.Slides, p: Lane, s: Sided) -> Bits:
    return pins(w, p, s).file & s.own


@ask.register(checks.PinnedOnRank)
def _pinned_on_rank(question: checks.PinnedOnRank, w: fills.Slides, p: Lane, s: Sided) -> Bits:
    return pins(w, p, s).rank & s.own


@ask.register(checks.PinnedOnDiagonal)
def _pinned_on_diagonal(question: checks.PinnedOnDiagonal, w: fills.Slides, p: Lane, s: Sided) -> Bits:
    return pins(w, p, s).diagonal & s.own


@ask.register(checks.PinnedOnAntidiagonal)
def _pinned_on_antidiagonal(question: checks.PinnedOnAntidiagonal, w: fills.Slides, p: Lane, s: Sided) -> Bits:
    return pins(w, p, s).antidiagonal & s.own


@ask.register(checks.Pinners)
def _pinners(question: checks.Pinners, w: fills.Slides, p: Lane, s: Sided) -> Bits:
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


@ask.register(checks.Discoverers)
def _discoverers(question: checks.Discoverers, w: fills.Slides, p: Lane, s: Sided) -> Bits:
    king = isolate_ls1b(p.kings & s.other)
    return all_lines(shields(w, king, p.orthogonals & s.own, p.diagonals & s.own)) & s.own


@entry(examples=lambda: [(question, empty_columns(1), SIDES["us"], array_of(U64)) for question in _questions()])
def boards(question: Any, c: Any, side: Any, out: Any) -> None:
    """Write the answer for each position."""
    for i in range(out.size):
        p = load(c, i)
        out[i] = ask(question, fills.slides(~occupied_of(p)), p, sided(p, side))


@entry(examples=lambda: (checks.Checkers(), empty_columns(1), SIDES["us"], array_of(np.bool_)))
def any_of(question: Any, c: Any, side: Any, out: Any) -> None:
    """Write True for each position whose answer is not empty."""
    for i in range(out.size):
        p = load(c, i)
        out[i] = ask(question, fills.slides(~occupied_of(p)), p, sided(p, side)) != 0
