"""Functions of a position. Each takes where it is evaluated, then its arguments by the names of the language."""

import math
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import chess

from plain_queries import squares as sq
from plain_queries.rows import Here
from plain_queries.squares import EVERYTHING, NOTHING, Squares, Step, of

VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}
PHASES = {chess.PAWN: 0, chess.KNIGHT: 1, chess.BISHOP: 1, chess.ROOK: 2, chess.QUEEN: 4, chess.KING: 0}
LETTERS = "pnbrqk"
COMPASS: dict[str, Step] = {
    "north": (0, 1),
    "northeast": (1, 1),
    "east": (1, 0),
    "southeast": (1, -1),
    "south": (0, -1),
    "southwest": (-1, -1),
    "west": (-1, 0),
    "northwest": (-1, 1),
}
RELATIVE: dict[str, Step] = {"forward": (0, 1), "right": (1, 0), "backward": (0, -1), "left": (-1, 0)}


def kind_of(name: str | None) -> int | None:
    if name is None:
        return None
    return LETTERS.index(name.lower()) + 1 if len(name) == 1 else chess.PIECE_NAMES.index(name)


# Sets.


def constant(squares: Iterable[int]) -> Callable[[Here], Squares]:
    found = of(squares)
    return lambda here: found


def squares(here: Here, names: str) -> Squares:
    return of(chess.parse_square(name) for name in names.replace(",", " ").split())


def file(here: Here, names: str) -> Squares:
    return of(s for s in range(64) if "abcdefgh"[s % 8] in names)


def rank(here: Here, number: int) -> Squares:
    return of(s for s in range(64) if s // 8 + 1 == number)


def our_rank(here: Here, number: int, side: chess.Color) -> Squares:
    return rank(here, number if side else 9 - number)


def pieces_of(kind: int) -> Callable[[Here], Squares]:
    return lambda here: sq.pieces(here.board, None, kind)


def pawn_attacks(here: Here, squares: Squares, by: chess.Color) -> Squares:
    return NOTHING.union(*(sq.from_square(chess.PAWN, s, by, NOTHING) for s in squares))


def leaper(kind: int) -> Callable[[Here, Squares], Squares]:
    def run(here: Here, squares: Squares) -> Squares:
        return NOTHING.union(*(sq.from_square(kind, s, True, NOTHING) for s in squares))

    return run


def slider(kind: int) -> Callable[..., Squares]:
    def run(here: Here, squares: Squares, through: Squares | None = None) -> Squares:
        blockers = sq.occupied(here.board) if through is None else through
        return NOTHING.union(*(sq.from_square(kind, s, True, blockers) for s in squares))

    return run


def attacks(here: Here, side: chess.Color, piece: str | None = None) -> Squares:
    return sq.attacks(here.board, side, kind_of(piece))


def attackers(here: Here, squares: Squares, by: chess.Color) -> Squares:
    return sq.attackers(here.board, squares, by)


def checkers(here: Here, side: chess.Color) -> Squares:
    return sq.attackers(here.board, sq.pieces(here.board, side, chess.KING), not side)


def pinned(here: Here, side: chess.Color, line: str | None = None) -> Squares:
    return sq.between_blocks(here.board, side, not side, side, line)


def pinners(here: Here, side: chess.Color) -> Squares:
    return of(slider for _, slider in sq.blockers(here.board, side, not side, side, None))


def discoverers(here: Here, side: chess.Color) -> Squares:
    return sq.between_blocks(here.board, not side, side, side, None)


def king_danger(here: Here, side: chess.Color) -> Squares:
    blockers = sq.occupied(here.board) - sq.pieces(here.board, side, chess.KING)
    return sq.attacks(here.board, not side, None, blockers)


def forks(here: Here, piece: str, targets: str, side: chess.Color) -> Squares:
    wanted = Counter(map(kind_of, targets))
    found = set()
    for s in sq.pieces(here.board, side, kind_of(piece)):
        attacked = sq.piece_attacks(here.board, s)
        met = Counter(p.piece_type for t in attacked if (p := here.board.piece_at(t)) and p.color != side)
        if all(met[kind] >= n for kind, n in wanted.items() if kind):
            found.add(s)
    return of(found)


def castling_rooks(here: Here, side: chess.Color) -> Squares:
    return of(s for s in sq.pieces(here.board, side, chess.ROOK) if here.board.castling_rights >> s & 1)


def between(here: Here, a: Squares, b: Squares) -> Squares:
    return sq.joined(a, b, whole=False)


def line(here: Here, a: Squares, b: Squares) -> Squares:
    return sq.joined(a, b, whole=True)


def step_of(here: Here, direction: str) -> Step:
    if direction in COMPASS:
        return COMPASS[direction]
    step = RELATIVE[direction]
    return step if here.board.turn else (-step[0], -step[1])


def shift(here: Here, squares: Squares, direction: str, steps: int = 1) -> Squares:
    step = step_of(here, direction)
    for _ in range(steps):
        squares = of(t for s in squares if (t := sq.stepped(s, step)) is not None)
    return squares


def fill(here: Here, squares: Squares, direction: str, through: Squares | None = None) -> Squares:
    free = EVERYTHING - sq.occupied(here.board) if through is None else through
    found = set(squares)
    for s in squares:
        for t in sq.ray(s, step_of(here, direction)):
            if t not in free:
                break
            found.add(t)
    return of(found)


def flip(here: Here, squares: Squares) -> Squares:
    return of(s % 8 + 8 * (7 - s // 8) for s in squares)


def mirror(here: Here, squares: Squares) -> Squares:
    return of(7 - s % 8 + s // 8 * 8 for s in squares)


# Numbers, truth values and texts.


def distance(here: Here, a: Squares, b: Squares) -> float:
    return min((sq.distance(s, t) for s in a for t in b), default=math.nan)


def material(here: Here, side: chess.Color) -> int:
    return sum(VALUES[p.piece_type] for s in range(64) if (p := here.board.piece_at(s)) and p.color == side)


def value(here: Here, squares: Squares) -> int:
    return sum(VALUES[p.piece_type] for s in squares if (p := here.board.piece_at(s)))


def imbalance(here: Here) -> int:
    return material(here, here.board.turn) - material(here, not here.board.turn)


def phase(here: Here) -> int:
    return sum(PHASES[p.piece_type] for s in range(64) if (p := here.board.piece_at(s)))


def mobility(here: Here, side: chess.Color, piece: str | None = None) -> int:
    own = sq.pieces(here.board, side)
    return sum(len(sq.piece_attacks(here.board, s) - own) for s in sq.pieces(here.board, side, kind_of(piece)))


def is_check(here: Here) -> bool:
    return bool(checkers(here, here.board.turn))


def signature(here: Here) -> str:
    def letters(colour: chess.Color) -> str:
        return "".join(LETTERS[k - 1].upper() * len(sq.pieces(here.board, colour, k)) for k in range(6, 0, -1))

    return f"{letters(True)}v{letters(False)}"


def extreme(choose: Callable[..., Any]) -> Callable[..., Any]:
    def run(here: Here, *numbers: Any) -> Any:
        return math.nan if any(math.isnan(n) for n in numbers) else choose(numbers)

    return run


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "light_squares": constant(s for s in range(64) if (s % 8 + s // 8) % 2 == 1),
    "dark_squares": constant(s for s in range(64) if (s % 8 + s // 8) % 2 == 0),
    "center": constant([chess.D4, chess.E4, chess.D5, chess.E5]),
    "long_diagonals": constant(s for s in range(64) if s % 8 in (s // 8, 7 - s // 8)),
    "edges": constant(s for s in range(64) if {s % 8, s // 8} & {0, 7}),
    "corners": constant([chess.A1, chess.H1, chess.A8, chess.H8]),
    "all_squares": constant(range(64)),
    "no_squares": constant([]),
    "squares": squares,
    "file": file,
    "rank": rank,
    "our_rank": our_rank,
    "occupied": lambda here: sq.occupied(here.board),
    "empty": lambda here: EVERYTHING - sq.occupied(here.board),
    **{f"{chess.PIECE_NAMES[kind]}s": pieces_of(kind) for kind in range(1, 7)},
    "pawn_attacks": pawn_attacks,
    "knight_attacks": leaper(chess.KNIGHT),
    "king_attacks": leaper(chess.KING),
    "bishop_attacks": slider(chess.BISHOP),
    "rook_attacks": slider(chess.ROOK),
    "queen_attacks": slider(chess.QUEEN),
    "attacks": attacks,
    "attackers": attackers,
    "checkers": checkers,
    "pinned": pinned,
    "pinners": pinners,
    "discoverers": discoverers,
    "king_danger": king_danger,
    "forks": forks,
    "castling_rooks": castling_rooks,
    "between": between,
    "line": line,
    "shift": shift,
    "fill": fill,
    "flip": flip,
    "mirror": mirror,
    "count": lambda here, squares: len(squares),
    "distance": distance,
    "file_number": lambda here, squares: next(iter(squares)) % 8 + 1 if len(squares) == 1 else math.nan,
    "rank_number": lambda here, squares: next(iter(squares)) // 8 + 1 if len(squares) == 1 else math.nan,
    "value": value,
    "sqrt": lambda here, number: math.sqrt(number) if number >= 0 else math.nan,
    "material": material,
    "imbalance": imbalance,
    "phase": phase,
    "mobility": mobility,
    "legal_moves": lambda here: here.board.legal_moves.count(),
    "halfmove_clock": lambda here: here.board.halfmove_clock,
    "move_number": lambda here: here.board.fullmove_number,
    "is_check": is_check,
    "is_mate": lambda here: here.board.is_checkmate(),
    "is_stalemate": lambda here: here.board.is_stalemate(),
    "white_to_move": lambda here: here.board.turn,
    "is_chess960": lambda here: here.board.chess960,
    "signature": signature,
    "abs": lambda here, number: abs(number),
    "min": extreme(min),
    "max": extreme(max),
}
