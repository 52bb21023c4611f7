"""Functions of the move in question, of the game, and of its other positions.

Arguments that are conditions or values come as functions of a place: `Ask`.
"""

import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import chess

from plain_queries import rows as said
from plain_queries.board import COMPASS, LETTERS, signature
from plain_queries.rows import Here, Row, here_of
from plain_queries.squares import NOTHING, Squares, of

Ask = Callable[[Here], Any]


# The move in question.


def rook_of(board: chess.Board, move: chess.Move) -> int:
    """The square of the rook that castles."""
    if board.piece_at(move.to_square) == chess.Piece(chess.ROOK, board.turn):
        return move.to_square
    return move.from_square + 3 if move.to_square > move.from_square else move.from_square - 4


def letter(kind: int | None) -> str:
    return LETTERS[kind - 1].upper() if kind else ""


def captured_kind(board: chess.Board, move: chess.Move) -> int | None:
    if board.is_castling(move):
        return None
    return chess.PAWN if board.is_en_passant(move) else board.piece_type_at(move.to_square)


def after_move(here: Here) -> Here:
    assert here.move is not None
    board = here.board.copy()
    board.push(here.move)
    return Here(board, None, None)


def _from_square(board: chess.Board, move: chess.Move) -> Squares:
    return of([move.from_square])


def _to_square(board: chess.Board, move: chess.Move) -> Squares:
    return of([move.to_square])


def _follows(board: chess.Board, move: chess.Move, test: Callable[[chess.Board], bool]) -> bool:
    board = board.copy()
    board.push(move)
    return test(board)


# By name: the value where there is no move, and a function of a board and a move.
MOVE: dict[str, tuple[Any, Callable[[chess.Board, chess.Move], Any]]] = {
    "from_square": (NOTHING, _from_square),
    "to_square": (NOTHING, _to_square),
    "piece": ("", lambda board, move: letter(board.piece_type_at(move.from_square))),
    "captured": ("", lambda board, move: letter(captured_kind(board, move))),
    "captures": (False, lambda board, move: captured_kind(board, move) is not None),
    "promotion": ("", lambda board, move: letter(move.promotion)),
    "promotes": (False, lambda board, move: move.promotion is not None),
    "castles": (False, lambda board, move: board.is_castling(move)),
    "is_en_passant": (False, lambda board, move: board.is_en_passant(move)),
    "exists": (False, lambda board, move: True),
    "is_check": (False, lambda board, move: _follows(board, move, chess.Board.is_check)),
    "is_mate": (False, lambda board, move: _follows(board, move, chess.Board.is_checkmate)),
    "is_stalemate": (False, lambda board, move: _follows(board, move, chess.Board.is_stalemate)),
    "san": ("", lambda board, move: board.san(move)),
    "uci": ("", lambda board, move: board.uci(move)),
}


def of_move(here: Here, name: str) -> Any:
    missing, run = MOVE[name]
    return missing if here.move is None else run(here.board, here.move)


def nothing_like(value: Any) -> Any:
    """The value of the same kind that stands for nothing."""
    if isinstance(value, bool):
        return False
    return math.nan if isinstance(value, int | float) else type(value)()


def after(here: Here, value: Ask) -> Any:
    if here.move is None:
        return nothing_like(value(Here(here.board, None, None)))
    return value(after_move(here))


def count_possible(here: Here, condition: Ask) -> int:
    return sum(bool(condition(Here(here.board, move, here.row))) for move in here.board.legal_moves)


# Pieces with an identity.


def course(here: Here, square: int) -> tuple[list[int | None], int, bool]:
    """The squares of a piece in each position so far (None once captured), its moves, and whether it is captured."""
    rows = here.game.rows
    assert here.row is not None
    place: int | None = square if rows[0].board.piece_at(square) else None
    existed, moves, places = place is not None, 0, [place]
    for row in rows[: here.row.ply]:
        board, move = row.board, row.move
        if move is not None and place is not None:
            if board.is_castling(move):
                rook, kingside = rook_of(board, move), rook_of(board, move) > move.from_square
                rank = move.from_square // 8 * 8
                if place in (move.from_square, rook):
                    moves += 1
                    place = rank + ((6 if kingside else 2) if place == move.from_square else (5 if kingside else 3))
            elif place == move.from_square:
                moves += 1
                place = move.to_square
            elif place == move.to_square or (
                board.is_en_passant(move) and place == move.from_square // 8 * 8 + move.to_square % 8
            ):
                place = None
        places.append(place)
    return places, moves, existed and place is None


def piece(here: Here, square: int) -> Squares:
    place = course(here, square)[0][-1]
    return NOTHING if place is None else of([place])


def origins(here: Here, squares: Squares) -> Squares:
    return of(s for s in range(64) if course(here, s)[0][-1] in squares)


def courses(here: Here, squares: Squares) -> Iterator[list[int]]:
    """The squares on which each piece of a set has stood, in order."""
    for start in range(64):
        places = course(here, start)[0]
        if places[-1] in squares:
            yield [place for k, place in enumerate(places) if place is not None and (not k or place != places[k - 1])]


def path(here: Here, squares: Squares, path: str) -> bool:
    wanted = [chess.parse_square(name) for name in path.split("-")]
    return any(stops[-len(wanted) :] == wanted for stops in courses(here, squares))


def steps(here: Here, squares: Squares, directions: str) -> bool:
    wanted = [COMPASS[name] for name in directions.split("-")]
    for stops in courses(here, squares):
        made = [(b % 8 - a % 8, b // 8 - a // 8) for a, b in itertools.pairwise(stops)]
        if made[-len(wanted) :] == wanted:
            return True
    return False


# Other positions of the game.


def held(here: Here, condition: Ask) -> list[bool]:
    """Whether a condition holds in each position of the game."""
    return [bool(condition(here_of(row))) for row in here.game.rows]


def place_of(here: Here) -> int:
    assert here.row is not None
    return here.row.ply


def moved_by(here: Here, value: Ask, plies: int) -> Any:
    place = place_of(here) + plies
    if 0 <= place < len(here.game.rows):
        return value(here_of(here.game.rows[place]))
    return nothing_like(value(here))


def then(here: Here, *conditions: Ask) -> bool:
    return all(bool(moved_by(here, condition, k)) for k, condition in enumerate(conditions))


def within(here: Here, plies: int, *conditions: Ask) -> bool:
    """Try all places for the conditions, in order."""

    def found(place: int, left: tuple[Ask, ...]) -> bool:
        if not left:
            return True
        last = min(len(here.game.rows) - 1, place_of(here) + plies)
        return any(bool(left[0](here_of(here.game.rows[k]))) and found(k, left[1:]) for k in range(place + 1, last + 1))

    return bool(conditions[0](here)) and found(place_of(here), conditions[1:])


def streak_at(holds: list[bool], place: int) -> int:
    n = 0
    while n <= place and holds[place - n]:
        n += 1
    return n


def for_plies(here: Here, plies: int, condition: Ask) -> bool:
    part = held(here, condition)[place_of(here) : place_of(here) + plies]
    return len(part) == plies and all(part)


def longest_streak(here: Here, condition: Ask) -> int:
    holds = held(here, condition)
    return max(streak_at(holds, k) for k in range(len(holds)))


def extreme(choose: Callable[..., Any]) -> Callable[[Here, Ask], Any]:
    def run(here: Here, number: Ask) -> Any:
        return choose(known(here, number), default=math.nan)

    return run


def known(here: Here, number: Ask) -> list[float]:
    """The values of a number in all positions of the game, without those that are missing."""
    return [v for row in here.game.rows if not math.isnan(v := number(here_of(row)))]


def average(here: Here, number: Ask) -> float:
    values = known(here, number)
    return sum(values) / len(values) if values else math.nan


def repetitions(here: Here) -> int:
    rows: list[Row] = here.game.rows[: place_of(here) + 1]
    return sum(row.board._transposition_key() == here.board._transposition_key() for row in rows)


def collected(here: Here, squares: Ask) -> Squares:
    return NOTHING.union(*(squares(here_of(row)) for row in here.game.rows))


def seen_before(here: Here, condition: Ask | None = None, plies: int = 1) -> bool:
    earlier = here.game.rows[: max(0, place_of(here) - plies + 1)]
    return any(
        row.board.piece_map() == here.board.piece_map() and (condition is None or bool(condition(here_of(row))))
        for row in earlier
    )


def pawn_squares(here: Here, colour: chess.Color) -> Squares:
    return NOTHING.union(*(of(row.board.pieces(chess.PAWN, colour)) for row in here.game.rows))


def row_of(here: Here) -> Row:
    assert here.row is not None
    return here.row


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "piece": piece,
    "origins": origins,
    "moved": lambda here, piece: course(here, piece)[1] > 0,
    "captured": lambda here, piece: course(here, piece)[2],
    "path": path,
    "steps": steps,
    "ply": place_of,
    "plies": lambda here: len(here.game.rows) - 1,
    "clock": lambda here, side: said.clock(row_of(here), side),
    "emt": lambda here, side: math.nan,  # no game of these tests states times of moves
    "eval": lambda here, side: said.evaluation(row_of(here), 1, side),
    "eval_before": lambda here, side: said.evaluation(row_of(here), 2, side),
    "score": lambda here, side: said.score(row_of(here), side),
    "elo": lambda here, side: said.rating(here.game, side),
    "result": lambda here, side: said.points(here.game, side),
    "header": lambda here, name: said.header(here.game, name),
    "repetitions": repetitions,
    "year": lambda here: said.year(here.game),
    "base": lambda here: said.time_control(here.game)[0],
    "increment": lambda here: said.time_control(here.game)[1],
    "speed": lambda here: said.speed(here.game),
    "date": lambda here: said.day(here.game),
    "final_signature": lambda here: signature(here_of(here.game.rows[-1])),
    "promotions": lambda here: said.promotions(here.game),
    "white_pawn_squares": lambda here: pawn_squares(here, chess.WHITE),
    "black_pawn_squares": lambda here: pawn_squares(here, chess.BLACK),
}
LAZY: dict[str, Callable[..., Any]] = {
    "after": after,
    "possible": lambda here, condition: count_possible(here, condition) > 0,
    "count_possible": count_possible,
    "next": lambda here, value, plies=1: moved_by(here, value, plies),
    "previous": lambda here, value, plies=1: moved_by(here, value, -plies),
    "all": lambda here, *conditions: all(condition(here) for condition in conditions),
    "any": lambda here, *conditions: any(condition(here) for condition in conditions),
    "then": then,
    "within": within,
    "for_plies": for_plies,
    "streak": lambda here, condition: streak_at(held(here, condition), place_of(here)),
    "longest_streak": longest_streak,
    "count_plies": lambda here, condition: sum(held(here, condition)),
    "ever": lambda here, condition: any(held(here, condition)),
    "never": lambda here, condition: not any(held(here, condition)),
    "first": lambda here, condition: (
        held(here, condition).index(True) == place_of(here) if any(held(here, condition)) else False
    ),
    "earlier": lambda here, condition: any(held(here, condition)[: place_of(here)]),
    "later": lambda here, condition: any(held(here, condition)[place_of(here) + 1 :]),
    "collected": collected,
    "at_start": lambda here, value: value(here_of(here.game.rows[0])),
    "seen_before": seen_before,
    "total": lambda here, number: sum(known(here, number)),
    "average": average,
    "highest": extreme(max),
    "lowest": extreme(min),
}
