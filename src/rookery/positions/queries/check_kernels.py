"""Compiled code for checks, pins, and the attacks of one kind of piece."""

from typing import Any, NamedTuple

import numpy as np

from rookery.bitboards.bits import isolate_ls1b
from rookery.bitboards.sets import king_moves, knight_moves
from rookery.kernel import U64, Bits, array_of, entry, kernel, kernel_by_type
from rookery.positions.kernels.lanes import Lane, load, occupied_of
from rookery.positions.layout import empty_columns
from rookery.positions.queries.attacks import Sided, attacks_by, pawn_attacks, sided
from rookery.positions.queries.checks import (
    LINES,
    PIECES,
    Anything,
    Checkers,
    Danger,
    Discoverers,
    Every,
    Kind,
    King,
    Knight,
    Pawn,
    Pinned,
    PinnedOnAntidiagonal,
    PinnedOnDiagonal,
    PinnedOnFile,
    PinnedOnRank,
    Pinners,
)
from rookery.positions.queries.fills import (
    Slides,
    diagonal_attacks,
    east,
    no_ea,
    no_we,
    nort,
    orthogonal_attacks,
    slides,
    so_ea,
    so_we,
    sout,
    west,
)
from rookery.positions.queries.pins import Lines, all_lines, along, checkers, danger, shields
from rookery.positions.sides import SIDES
from rookery.techniques.base.protocol import Bishop, Queen, Rook


@kernel_by_type("kind")
def pieces_of(kind: Kind, p: Lane) -> Bits:
    """Return the pieces of a kind, of both sides."""


@pieces_of.register(Pawn)
def _pawns(kind: Pawn, p: Lane) -> Bits:
    return p.pawns


@pieces_of.register(Knight)
def _knights(kind: Knight, p: Lane) -> Bits:
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


@pieces_of.register(King)
def _kings(kind: King, p: Lane) -> Bits:
    return p.kings


@pieces_of.register(Every)
def _every(kind: Every, p: Lane) -> Bits:
    return occupied_of(p)


@kernel_by_type("kind")
def attacks_of(kind: Kind, w: Slides, pieces: Bits, black: Bits) -> Bits:
    """Return the squares that a set of pieces of one kind and colour attacks."""


@attacks_of.register(Pawn)
def _pawn_attacks(kind: Pawn, w: Slides, pieces: Bits, black: Bits) -> Bits:
    return pawn_attacks(pieces, black)


@attacks_of.register(Knight)
def _knight_attacks(kind: Knight, w: Slides, pieces: Bits, black: Bits) -> Bits:
    return knight_moves(pieces)


@attacks_of.register(Bishop)
def _bishop_attacks(kind: Bishop, w: Slides, pieces: Bits, black: Bits) -> Bits:
    return diagonal_attacks(w, pieces)


@attacks_of.register(Rook)
def _rook_attacks(kind: Rook, w: Slides, pieces: Bits, black: Bits) -> Bits:
    return orthogonal_attacks(w, pieces)


@attacks_of.register(Queen)
def _queen_attacks(kind: Queen, w: Slides, pieces: Bits, black: Bits) -> Bits:
    return orthogonal_attacks(w, pieces) | diagonal_attacks(w, pieces)


@attacks_of.register(King)
def _king_attacks(kind: King, w: Slides, pieces: Bits, black: Bits) -> Bits:
    return king_moves(pieces)


def _questions() -> list[Any]:
    others = (Anything(), Danger(), Checkers(), Pinners(), Discoverers())
    return [*PIECES.values(), *LINES.values(), *others]


@kernel_by_type("question")
def ask(question: NamedTuple, w: Slides, p: Lane, s: Sided) -> Bits:
    """Return the answer to a query about one position."""


@ask.register(Pawn)
@ask.register(Knight)
@ask.register(Bishop)
@ask.register(Rook)
@ask.register(Queen)
@ask.register(King)
def _kind(question: Kind, w: Slides, p: Lane, s: Sided) -> Bits:
    return attacks_of(question, w, pieces_of(question, p) & s.own, s.black)


@ask.register(Anything)
def _anything(question: Anything, w: Slides, p: Lane, s: Sided) -> Bits:
    return attacks_by(w, p, s.own, s.black)


@ask.register(Danger)
def _danger(question: Danger, w: Slides, p: Lane, s: Sided) -> Bits:
    return danger(p, isolate_ls1b(p.kings & s.own), s.own, s.other, s.black)


@ask.register(Checkers)
def _checkers(question: Checkers, w: Slides, p: Lane, s: Sided) -> Bits:
    king = isolate_ls1b(p.kings & s.own)
    return checkers(along(w, king, king), p, king, s.other, s.black) | (king_moves(king) & p.kings & s.other)


@kernel
def pins(w: Slides, p: Lane, s: Sided) -> Lines:
    """Return the squares that shield the king of a side, line by line."""
    return shields(w, isolate_ls1b(p.kings & s.own), p.orthogonals & s.other, p.diagonals & s.other)


@ask.register(Pinned)
def _pinned(question: Pinned, w: Slides, p: Lane, s: Sided) -> Bits:
    return all_lines(pins(w, p, s)) & s.own


@ask.register(PinnedOnFile)
def _pinned_on_file(question: PinnedOnFile, w: Slides, p: Lane, s: Sided) -> Bits:
    return pins(w, p, s).file & s.own


@ask.register(PinnedOnRank)
def _pinned_on_rank(question: PinnedOnRank, w: Slides, p: Lane, s: Sided) -> Bits:
    return pins(w, p, s).rank & s.own


@ask.register(PinnedOnDiagonal)
def _pinned_on_diagonal(question: PinnedOnDiagonal, w: Slides, p: Lane, s: Sided) -> Bits:
    return pins(w, p, s).diagonal & s.own


@ask.register(PinnedOnAntidiagonal)
def _pinned_on_antidiagonal(question: PinnedOnAntidiagonal, w: Slides, p: Lane, s: Sided) -> Bits:
    return pins(w, p, s).antidiagonal & s.own


@ask.register(Pinners)
def _pinners(question: Pinners, w: Slides, p: Lane, s: Sided) -> Bits:
    # A pinned piece sees its king and the pinner along the line of the pin, and nothing else.
    pinned = pins(w, p, s)
    file, rank = pinned.file & s.own, pinned.rank & s.own
    diagonal, antidiagonal = pinned.diagonal & s.own, pinned.antidiagonal & s.own
    straight = nort(w, file) | sout(w, file) | east(w, rank) | west(w, rank)
    slanting = no_ea(w, diagonal) | so_we(w, diagonal) | no_we(w, antidiagonal) | so_ea(w, antidiagonal)
    return s.other & ((straight & p.orthogonals) | (slanting & p.diagonals))


@ask.register(Discoverers)
def _discoverers(question: Discoverers, w: Slides, p: Lane, s: Sided) -> Bits:
    king = isolate_ls1b(p.kings & s.other)
    return all_lines(shields(w, king, p.orthogonals & s.own, p.diagonals & s.own)) & s.own


@entry(examples=lambda: [(question, empty_columns(1), SIDES["us"], array_of(U64)) for question in _questions()])
def boards(question: Any, c: Any, side: Any, out: Any) -> None:
    """Write the answer for each position."""
    for i in range(out.size):
        p = load(c, i)
        out[i] = ask(question, slides(~occupied_of(p)), p, sided(p, side))


@entry(examples=lambda: (Checkers(), empty_columns(1), SIDES["us"], array_of(np.bool_)))
def any_of(question: Any, c: Any, side: Any, out: Any) -> None:
    """Write True for each position whose answer is not empty."""
    for i in range(out.size):
        p = load(c, i)
        out[i] = ask(question, slides(~occupied_of(p)), p, sided(p, side)) != 0
