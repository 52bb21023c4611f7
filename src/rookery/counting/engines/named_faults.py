"""Names of the faults behind a difference: what an engine gets wrong, from the moves that it misses or should not have.

A fault is named only where the position shows it: castling without the right to it, an en-passant capture on a square
that was set moves ago, a pinned piece that leaves its line. A move that no rule here explains stays without a name.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from rookery.bitboards.lines import between, empty_board_attacks
from rookery.bitboards.pieces import KING, PAWN, PIECE_NAMES, ROOK, SLIDERS
from rookery.bitboards.squares import parse_square, square_distance, square_file, square_name, square_rank
from rookery.board.board import Board
from rookery.board.moves import Move

WINGS: Final = ("queenside", "kingside")


class _Text:
    """A move as an engine writes it, which need not be possible."""

    def __init__(self, uci: str) -> None:
        self.source, self.target, self.promotion = parse_square(uci[:2]), parse_square(uci[2:4]), uci[4:]


def named_faults(start: Board, replayed: Sequence[str], missing: Iterable[str], extra: Iterable[str]) -> list[str]:
    """Return what an engine does wrong in the position after some moves, each fault once.

    `missing` are legal moves that it does not find, `extra` illegal moves that it finds, in UCI notation.

    >>> start = Board("4k3/8/8/8/8/6n1/P7/4K2R b K - 0 1")
    >>> named_faults(start, ["g3h1"], [], ["e1g1"])
    ["White's right to castle kingside is kept after g3h1 captured the rook"]
    """
    path = [start]
    for uci in replayed:
        after = path[-1].copy()
        after.push_uci(uci)
        path.append(after)
    named = [_fault_of_extra(path, replayed, _Text(uci)) for uci in extra]
    named += [_fault_of_missing(path, replayed, _Text(uci)) for uci in missing]
    return list(dict.fromkeys(name for name in named if name))


def _colour(white: bool) -> str:
    return "White" if white else "Black"


# Illegal moves.


def _fault_of_extra(path: list[Board], replayed: Sequence[str], move: _Text) -> str | None:
    board = path[-1]
    piece = board.piece_at(move.source)
    if piece is None or board.color_at(move.source) != board.turn:
        return _fault_of_a_ghost(path, replayed, move.source)
    kind = board.piece_type_at(move.source)
    if kind == KING and (wing := _castling_wing(board, move)) is not None:
        return _fault_of_castling(path, replayed, wing)
    if kind == PAWN and square_file(move.source) != square_file(move.target) and not board.piece_at(move.target):
        return _fault_of_en_passant(path, replayed, move)
    if kind == PAWN and (square_rank(move.target) in (0, 7)) != bool(move.promotion):
        return "a pawn reaches the last rank without a promotion" if not move.promotion else "a pawn promotes too early"
    if not board.is_pseudo_legal(Move.of(move.source, move.target, promotion=move.promotion or None)):
        return _fault_of_a_step(board, move)
    return _fault_of_a_king_in_check(board, move)


def _fault_of_a_ghost(path: list[Board], replayed: Sequence[str], square: int) -> str:
    """Return the fault of a move from a square without a piece of the side to move."""
    colour, name = path[-1].turn, square_name(square)
    for before, uci in zip(path[-2::-1], reversed(replayed), strict=True):
        if before.color_at(square) == colour and before.piece_at(square):
            piece = PIECE_NAMES[before.piece_type_at(square) or 0]
            return f"the {piece} that stood on {name} before {uci} still moves from there"
    return f"a piece moves from {name}, where {_colour(colour)} has none"


def _castling_wing(board: Board, move: _Text) -> int | None:
    """Return 1 if a king's move is castling kingside, 0 if queenside, None if it is not castling."""
    steps = square_file(move.target) - square_file(move.source)
    if square_rank(move.source) != square_rank(move.target):
        return None
    to_own_rook = board.piece_type_at(move.target) == ROOK and board.color_at(move.target) == board.turn
    return int(steps > 0) if abs(steps) == 2 or to_own_rook else None


def _has_right(board: Board, colour: bool, wing: int) -> bool:
    return (board.has_kingside_castling_rights if wing else board.has_queenside_castling_rights)(colour)


def _fault_of_castling(path: list[Board], replayed: Sequence[str], wing: int) -> str:
    board = path[-1]
    colour, king = board.turn, board.king(board.turn)
    right = f"{_colour(colour)}'s right to castle {WINGS[wing]}"
    if not _has_right(board, colour, wing):
        for before, after, uci in zip(path, path[1:], replayed, strict=False):
            if _has_right(before, colour, wing) and not _has_right(after, colour, wing):
                if before.turn != colour:
                    return f"{right} is kept after {uci} captured the rook"
                piece = "king" if before.piece_type_at(parse_square(uci[:2])) == KING else "rook"
                return f"{right} is kept after the {piece} moved ({uci})"
        return f"{_colour(colour)} castles {WINGS[wing]} without the right to"
    if board.is_check():
        return "the king castles out of check"
    assert king is not None  # it castles
    home = 0 if colour else 56
    target = home + (6 if wing else 2)
    rook = int(board.castling_rights & int(board.pieces_of(colour)))
    squares = [s for s in range(home, home + 8) if rook >> s & 1 and (s > king) == bool(wing)]
    free = int(between(king, target)) | 1 << target
    if squares:
        free |= int(between(king, squares[0])) | int(between(squares[0], target - 1 if wing else target + 1))
    occupied = int(board.occupied) & ~(1 << king) & ~(1 << squares[0] if squares else 0)
    if free & occupied:
        return f"the king castles {WINGS[wing]} over an occupied square"
    return f"the king castles {WINGS[wing]} over or onto an attacked square"


def _fault_of_en_passant(path: list[Board], replayed: Sequence[str], move: _Text) -> str:
    board, square = path[-1], move.target
    if board.ep_square == square:
        king = board.king(board.turn)
        if board.is_check() or king is None:
            return "an en-passant capture leaves the king in check"
        victim = 8 * square_rank(move.source) + square_file(square)
        if square_rank(king) == square_rank(move.source):
            return "an en-passant capture takes both pawns off the king's rank and exposes it"
        lines = "diagonal or file" if square_file(king) != square_file(victim) else "file"
        return f"an en-passant capture exposes the king on a {lines}"
    for before, uci in zip(path[-2::-1], reversed(replayed), strict=True):
        if before.ep_square == square:
            return f"the en-passant square {square_name(square)} is not cleared by {uci}"
    return f"a pawn captures on {square_name(square)}, which is empty"


def _fault_of_a_step(board: Board, move: _Text) -> str:
    """Return the fault of a move that its piece cannot make."""
    kind = board.piece_type_at(move.source) or 0
    name = PIECE_NAMES[kind]
    if board.color_at(move.target) == board.turn and board.piece_at(move.target):
        return f"a {name} captures a piece of its own side"
    if kind == PAWN:
        if square_file(move.source) == square_file(move.target):
            return "a pawn steps onto or over an occupied square, or too far"
        return "a pawn captures a square that it does not attack"
    if kind in SLIDERS and empty_board_attacks(SLIDERS[kind], move.source) >> move.target & 1:
        return f"a {name} passes through an occupied square"
    return f"a {name} does not move from {square_name(move.source)} to {square_name(move.target)}"


def _fault_of_a_king_in_check(board: Board, move: _Text) -> str | None:
    """Return the fault of a pseudo-legal move that leaves the king attacked."""
    colour = board.turn
    if board.piece_type_at(move.source) == KING:
        if board.is_attacked_by(not colour, move.target):
            enemy = board.king(not colour)
            if enemy is not None and square_distance(enemy, move.target) == 1:
                return "the king steps next to the other king"
            defended = " and captures a defended piece" if board.piece_at(move.target) else ""
            return f"the king steps onto an attacked square{defended}"
        return "the king retreats along the line of the slider that checks it"
    if board.is_check():
        if board.checkers().bit_count() > 1:
            return "another piece than the king moves in double check"
        return f"a {PIECE_NAMES[board.piece_type_at(move.source) or 0]} moves without answering the check"
    if board.is_pinned(colour, move.source):
        return f"a pinned {PIECE_NAMES[board.piece_type_at(move.source) or 0]} leaves the line of its pin"
    return None


# Legal moves that are not found.


def _fault_of_missing(path: list[Board], replayed: Sequence[str], move: _Text) -> str | None:
    board = path[-1]
    kind = board.piece_type_at(move.source)
    if kind == KING and (wing := _castling_wing(board, move)) is not None:
        if replayed and _has_right(path[0], board.turn, wing):
            return f"{_colour(board.turn)}'s right to castle {WINGS[wing]} is lost by {' '.join(replayed)}"
        return f"castling {WINGS[wing]} is not found"
    if kind == PAWN and square_file(move.source) != square_file(move.target) and not board.piece_at(move.target):
        if replayed:
            return f"no en-passant square is set by {replayed[-1]}"
        answers = " that answers a check" if board.is_check() else ""
        return f"an en-passant capture{answers} is not found"
    if move.promotion:
        to = "underpromotions are" if move.promotion != "q" else "a promotion to a queen is"
        return f"{to} not found"
    if board.is_check():
        if kind == KING:
            return "a king's move out of check is not found"
        how = "capture of the checking piece" if board.piece_at(move.target) else "move between checker and king"
        return f"a {how} is not found"
    if board.is_pinned(board.turn, move.source):
        return f"a pinned {PIECE_NAMES[kind or 0]} does not move along the line of its pin"
    if kind == PAWN and square_distance(move.source, move.target) == 2:
        return "a pawn's double step is not found"
    captures = "captures" if board.piece_at(move.target) else "moves"
    return f"{captures} of a {PIECE_NAMES[kind or 0]} are not found"
