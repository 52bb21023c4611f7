"""Standard and long algebraic notation of single moves. `san_writer` writes it.

This reader explains why it refuses a text. `san_reader` and the reader of games are compiled and accept the same texts;
the tests compare all three, on damaged texts too.
"""

import re
from typing import Final

from rookery.arguments import shown
from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.squares import FILE_NAMES, RANK_NAMES, SQUARE_NAMES
from rookery.board.moves import (
    CASTLING,
    EN_PASSANT,
    INTERNED,
    NULL,
    PROMOTION,
    PROMOTIONS,
    AmbiguousMoveError,
    IllegalMoveError,
    InvalidMoveError,
    Move,
    as_move,
)
from rookery.board.play import Play
from rookery.notation.san_writer import san_of
from rookery.rules.compiled import compiled

_MOVE: Final = re.compile(r"([PNBRQK])?([a-h])?([1-8])?[-x]?([a-h][1-8])(?:=?([nbrqNBRQ]))?")
_CASTLING: Final = {"O-O": "O-O", "0-0": "O-O", "O-O-O": "O-O-O", "0-0-0": "O-O-O"}
_NULL: Final = ("--", "Z0", "0000", "@@@@")
_SQUARES: Final = {name: square for square, name in enumerate(SQUARE_NAMES)}
_FILES: Final = {name: 0x0101_0101_0101_0101 << file for file, name in enumerate(FILE_NAMES)}
_RANKS: Final = {name: 0xFF << 8 * rank for rank, name in enumerate(RANK_NAMES)}
_LONGEST: Final = 200  # far longer than any move: what is longer need not be looked at


def write(board: Play, move: int, *, long: bool = False) -> str:
    """Return the SAN of a legal move, with ``+`` or ``#``; with `long`, in full: ``Ng1-f3``.

    The null move is ``--``. While in check it is an error, as it is in `Board.push`.
    """
    move = as_move(move)
    if move is NULL:
        board._check_null()
        return "--"
    text = san_of(board._row, move, full=long)
    return text or san_of(board._row, board._the_legal(move), full=long)


def is_spelled(text: str, *, null_only: bool = False) -> bool:
    """Whether a text has the form of a move, in whatever position; or of a null move, if `null_only`."""
    bare = text.rstrip("!?").rstrip("+#")
    if null_only:
        return bare in _NULL
    return bare in _NULL or bare in _CASTLING or _MOVE.fullmatch(bare) is not None


def parse(board: Play, text: str) -> Move:
    """Return the legal move that a SAN text stands for. Ambiguous and illegal moves are errors.

    Check signs and ``!?`` may follow. Both squares may be given, with the letter of the piece or without (``Ng1-f3``,
    ``g1f3``, ``e1g1``), and a pawn may be written ``P``.
    """
    if not isinstance(text, str):
        raise TypeError(f"SAN move: {shown(text)}: expected text")
    bare = text[:_LONGEST].rstrip("!?").rstrip("+#") if len(text) <= _LONGEST else ""
    if bare in _NULL:
        return INTERNED[0]
    if bare in _CASTLING:
        return _castling(board, text, right=_CASTLING[bare] == "O-O")
    match = _MOVE.fullmatch(bare)
    if not match:
        raise InvalidMoveError(f"SAN move: {shown(text)}: expected a move like 'Nf3', 'exd5', 'e8=Q' or 'O-O'")
    kind, file, rank, name, becomes = match.groups()
    target = _SQUARES[name]
    if not kind and file and rank and board.kind_at(_SQUARES[file + rank]) not in ("p", None):
        return _by_squares(board, text, _SQUARES[file + rank], target, becomes)
    word = target << 6
    if becomes:
        word |= PROMOTIONS.index(becomes.lower()) << 12 | PROMOTION << 14
    pawns, knights, diagonals, orthogonals, kings, _, _, _, en_passant, _, *_ = board._words or board._spread()
    if not kind or kind == "P":
        candidates = pawns
        if en_passant >> target & 1 and not becomes and file != name[0]:
            word |= EN_PASSANT << 14
        # A pawn captures only if its file is stated: "d5" is no capture.
        if not file:
            candidates &= _FILES[name[0]]
    else:
        candidates = {
            "N": knights,
            "B": diagonals & ~orthogonals,
            "R": orthogonals & ~diagonals,
            "Q": diagonals & orthogonals,
            "K": kings,
        }[kind]
    if file:
        candidates &= _FILES[file]
    if rank:
        candidates &= _RANKS[rank]
    code = compiled()
    candidates &= code.reaching(board._row, word, code.tables)
    if not candidates:
        raise IllegalMoveError(f"SAN move: {shown(text)} is not legal in {board.fen()!r}")
    if candidates & (candidates - 1):
        ways = " or ".join(sorted(INTERNED[source | word].uci() for source in Bitboard(candidates)))
        raise AmbiguousMoveError(f"SAN move: {shown(text)} is ambiguous in {board.fen()!r}: {ways}")
    return INTERNED[candidates.bit_length() - 1 | word]


def _by_squares(board: Play, text: str, source: int, target: int, becomes: str | None) -> Move:
    """Return the legal move of a piece from one square to another, castling included."""
    found = board._by_squares(source, target, becomes.lower() if becomes else None) if source != target else None
    if found is None:
        raise IllegalMoveError(f"SAN move: {shown(text)} is not legal in {board.fen()!r}")
    return found


def _castling(board: Play, text: str, *, right: bool) -> Move:
    """Return the only castling move to a side; none if two rooks there have rights, which no FEN can express."""
    king = board.king(board.turn)
    rooks = board._castling_rooks(board.turn)[right]
    code = compiled()
    found = [
        INTERNED[word]
        for rook in Bitboard(rooks)
        if king is not None
        and code.reaching(board._row, word := king | rook << 6 | CASTLING << 14, code.tables) >> king & 1
    ]
    if not found:
        raise IllegalMoveError(f"SAN move: {shown(text)} is not legal in {board.fen()!r}")
    if len(found) > 1:
        ways = " or ".join(sorted(move.uci(chess960=True) for move in found))
        raise AmbiguousMoveError(f"SAN move: {shown(text)} is ambiguous in {board.fen()!r}: {ways}")
    return found[0]
