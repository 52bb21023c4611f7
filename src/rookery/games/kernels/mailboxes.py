"""Compiled code that replays moves on mailboxes."""

from typing import Any

import numpy as np

from rookery.bitboards.bits import isolate_ls1b
from rookery.games.positions.replay import Mailbox
from rookery.kernel import U64, Bits, Word, array_of, entry, kernel, popcount, trailing_zeros
from rookery.positions.kernels.lanes import load, occupied_of
from rookery.positions.layout import empty_columns
from rookery.positions.queries.questions import DIGIT, KINDS, MOST
from rookery.rules.constants import BECOMES_SHIFT, CASTLING, EN_PASSANT, KIND_MASK, PROMOTION, SIX_BITS, TO_SHIFT
from rookery.rules.position import castling_squares as squares_of_castling

_TWO_BITS = 3


@kernel
def _unit(code: Word) -> Word:
    """Return one piece as material. `code` is 1 (white pawn) to 12 (black king), or 0 for none."""
    return (1 << (DIGIT * ((code - 1) & SIX_BITS))) if code else U64(0)


@kernel
def _kind(code: Word) -> Word:
    """Return the piece type of a code."""
    return code - KINDS if code > KINDS else code


@kernel
def code_on(p: Any, square: Bits) -> Word:
    """Return the code of the piece on an occupied square, a bitboard of one bit."""
    kind = 1 if p.pawns & square else 2
    kind = 3 if p.diagonals & square else kind
    kind = 4 if p.orthogonals & square else kind
    kind = 5 if p.diagonals & p.orthogonals & square else kind
    kind = 6 if p.kings & square else kind
    return kind if p.white & square else kind + KINDS


@kernel
def _set_up(p: Any, board: Any) -> Word:
    """Fill the mailbox with a position, and return its material; MOST or more pieces of a kind are all ones."""
    for square in range(64):
        board[square] = np.uint8(0)
    material: Word = 0
    left = occupied_of(p)
    while left:
        piece = isolate_ls1b(left)
        left ^= piece
        code = code_on(p, piece)
        board[trailing_zeros(piece)] = np.uint8(code)
        material += _unit(code)
    return material


@kernel
def _is_countable(p: Any) -> Word:
    """Return one if no number of pieces can ever exceed its digit: a side has at most 31, pawns included."""
    occupied = occupied_of(p)
    white = popcount(occupied & p.white)
    return 1 if max(white, popcount(occupied) - white) <= MOST else 0


@entry(
    examples=lambda: (
        array_of(np.int64),
        array_of(np.uint16),
        empty_columns(1),
        array_of(np.int32),
        array_of(np.uint8),
        Mailbox(array_of(U64), array_of(np.uint8), array_of(np.uint8)),
    )
)
def replay(offsets: Any, moves: Any, starts: Any, rows: Any, board: Any, o: Any) -> Any:
    """Write what `Mailbox` has for all games; return 0 if a game begins with too many pieces, else 1.

    Game i begins from row ``rows[i]`` of `starts`. `board` is room for 64 bytes.
    """
    n: Word = 0
    for i in range(rows.size):
        p = load(starts, rows[i])
        if not _is_countable(p):
            return 0
        material = _set_up(p, board)
        for j in range(offsets[i], offsets[i + 1]):
            o.material[n] = material
            move = U64(moves[j])
            source, target, kind = move & SIX_BITS, (move >> TO_SHIFT) & SIX_BITS, move & KIND_MASK
            piece, victim = U64(board[source]), U64(board[target])
            if kind == 0 and move:
                board[target] = np.uint8(piece)
                board[source] = np.uint8(0)
            elif kind == PROMOTION:
                side = KINDS if piece > KINDS else U64(0)
                material -= _unit(piece)
                becomes = ((move >> BECOMES_SHIFT) & _TWO_BITS) + 2 + side
                material += _unit(becomes)
                board[target] = np.uint8(becomes)
                board[source] = np.uint8(0)
            elif kind == EN_PASSANT:
                victim = U64(board[target ^ 8])
                board[target ^ 8] = np.uint8(0)
                board[target] = np.uint8(piece)
                board[source] = np.uint8(0)
            elif kind == CASTLING:
                king_to, rook_to = squares_of_castling(source, target)
                board[source] = np.uint8(0)
                board[target] = np.uint8(0)
                board[king_to] = np.uint8(piece)
                board[rook_to] = np.uint8(victim)
                victim = U64(0)
            else:  # a null move
                piece = U64(0)
                victim = U64(0)
            material -= _unit(victim)
            o.moving[n] = np.uint8(_kind(piece))
            o.captured[n] = np.uint8(_kind(victim))
            n += 1
        o.material[n] = material
        o.moving[n] = np.uint8(0)
        o.captured[n] = np.uint8(0)
        n += 1
    return 1
