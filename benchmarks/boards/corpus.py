"""Positions of random games with their history, and what the calls of a board are given, as plain texts and numbers.

python-chess plays the games. Each library replays them and converts the arguments to its own types.
"""

import itertools
import random
from typing import Any, NamedTuple

POSITIONS = 100
MOST_PLIES = 120
SEED = 38

# What a variable of an expression stands for; see `Library.of`.
BOARD, COPY, MOVE, SQUARE, COLOR, KIND, PIECE, SQUARE_SET, PLAIN = (
    *("board", "copy of a board", "move", "square", "color", "kind", "piece", "square set", "plain"),
)


class Arguments(NamedTuple):
    """Arguments of one call for each row: the kinds of their variables, by name, and the rows."""

    kinds: dict[str, str]
    rows: list[tuple[Any, ...]]


class Corpus(NamedTuple):
    """Games as lists of UCI moves, and arguments by name. A board is given by the number of its game."""

    games: list[list[str]]
    arguments: dict[str, Arguments]


def corpus(chess: Any, positions: int = POSITIONS, seed: int = SEED) -> Corpus:
    """Play random games; `chess` is the module of python-chess."""
    chance = random.Random(seed)
    boards = [_played(chess, chance) for _ in range(positions)]
    numbered = list(enumerate(boards))
    legal = [(i, board, move) for i, board in numbered for move in board.legal_moves]
    occupied = [(i, s, board.piece_at(s)) for i, board in numbered for s in chess.SquareSet(board.occupied)]
    squares = range(64)
    kinds = [(color, kind) for color in chess.COLORS for kind in chess.PIECE_TYPES]
    sets = [(board.occupied_co[True], board.occupied_co[False]) for board in boards]
    uci = [move.uci() for _, _, move in legal]
    pairs = [(text, other) for before, text in itertools.pairwise(uci) for other in (text, before)]
    b, m, s, t = {"b": BOARD}, {"m": MOVE}, {"s": SQUARE}, {"t": PLAIN}
    arguments = {
        "boards": Arguments(b, [(i,) for i, _ in numbered]),
        "pairs of boards": Arguments(b | {"other": COPY}, [(i, i // 2 * 2) for i, _ in numbered]),
        "FENs": Arguments(t, [(board.fen(),) for board in boards]),
        "legal moves": Arguments(b | m, [(i, move.uci()) for i, _, move in legal]),
        "legal moves but en passant": Arguments(
            b | m, [(i, move.uci()) for i, board, move in legal if not board.is_en_passant(move)]
        ),
        "UCI of legal moves": Arguments(b | t, [(i, move.uci()) for i, _, move in legal]),
        "SAN of legal moves": Arguments(b | t, [(i, board.san(move)) for i, board, move in legal]),
        "squares of boards": Arguments(b | s, [(i, sq) for i, _ in numbered for sq in squares]),
        "squares attacked by White": Arguments(
            b | {"c": COLOR} | s, [(i, True, sq) for i, _ in numbered for sq in squares]
        ),
        "pieces of boards": Arguments(b | {"c": COLOR} | s, [(i, piece.color, sq) for i, sq, piece in occupied]),
        "pieces put back": Arguments(
            {"b": COPY} | s | {"p": PIECE}, [(i, sq, piece.symbol()) for i, sq, piece in occupied]),
        "colours of boards": Arguments(b | {"c": COLOR}, [(i, c) for i, _ in numbered for c in chess.COLORS]),
        "kinds of pieces of boards": Arguments(
            b | {"k": KIND, "c": COLOR}, [(i, kind, color) for i, _ in numbered for color, kind in kinds]
        ),
        "moves": Arguments(m, [(text,) for text in uci]),
        # bulletchess takes promotions to different pieces for equal.
        "pairs of moves": Arguments(m | {"other": MOVE}, [(a, b) for a, b in pairs if a[:4] != b[:4] or a == b]),
        "UCI": Arguments(t, [(text,) for text in uci]),
        "two squares": Arguments(
            {"s": SQUARE, "to": SQUARE}, [(move.from_square, move.to_square) for _, _, move in legal]
        ),
        "kinds of pieces": Arguments({"k": KIND, "c": COLOR}, [(kind, color) for color, kind in kinds] * 8),
        "pieces": Arguments({"p": PIECE}, [(piece.symbol(),) for _, _, piece in occupied]),
        "letters": Arguments(t, [(piece.symbol(),) for _, _, piece in occupied]),
        "files and ranks": Arguments({"f": PLAIN, "r": PLAIN}, [(sq & 7, sq >> 3) for sq in squares] * 8),
        "squares": Arguments(s, [(sq,) for sq in squares] * 8),
        "names of squares": Arguments(t, [(name,) for name in chess.SQUARE_NAMES] * 8),
        "numbers": Arguments({"n": PLAIN}, [(number,) for pair in sets for number in pair]),
        "sets": Arguments({"x": SQUARE_SET, "y": SQUARE_SET}, sets),
        "squares and sets": Arguments(
            s | {"x": SQUARE_SET}, [(sq, white) for white, _ in sets for sq in squares]
        ),
    }  # fmt: skip
    return Corpus([[move.uci() for move in board.move_stack] for board in boards], arguments)


def _played(chess: Any, chance: random.Random) -> Any:
    """Return the board of a random game, which may be over."""
    board = chess.Board()
    for _ in range(chance.randint(1, MOST_PLIES)):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(chance.choice(moves))
    return board
