"""Sets of squares: pieces, attacks and lines, on python-chess's boards and Python's sets."""

from collections.abc import Iterable, Iterator

import chess

Squares = frozenset[int]
Step = tuple[int, int]  # files to the east, ranks to the north

NOTHING: Squares = frozenset()
EVERYTHING: Squares = frozenset(range(64))
ROOK_STEPS: list[Step] = [(0, 1), (1, 0), (0, -1), (-1, 0)]
BISHOP_STEPS: list[Step] = [(1, 1), (1, -1), (-1, -1), (-1, 1)]
KNIGHT_STEPS: list[Step] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
STEPS = {
    chess.KNIGHT: KNIGHT_STEPS,
    chess.BISHOP: BISHOP_STEPS,
    chess.ROOK: ROOK_STEPS,
    chess.QUEEN: ROOK_STEPS + BISHOP_STEPS,
    chess.KING: ROOK_STEPS + BISHOP_STEPS,
}
SLIDERS = (chess.BISHOP, chess.ROOK, chess.QUEEN)
LINES = {"file": [(0, 1), (0, -1)], "rank": [(1, 0), (-1, 0)], "diagonal": [(1, 1), (-1, -1)]} | {
    "antidiagonal": [(1, -1), (-1, 1)]
}


def of(squares: Iterable[int]) -> Squares:
    return frozenset(squares)


def stepped(square: int, step: Step) -> int | None:
    """The square a step away, or None off the board."""
    file, rank = square % 8 + step[0], square // 8 + step[1]
    return 8 * rank + file if 0 <= file < 8 and 0 <= rank < 8 else None


def ray(square: int, step: Step) -> Iterator[int]:
    """The squares in a direction, up to the edge."""
    place = stepped(square, step)
    while place is not None:
        yield place
        place = stepped(place, step)


def until(squares: Iterable[int], blockers: Squares) -> Iterator[int]:
    """Squares up to the first blocker, which is the last of them."""
    for square in squares:
        yield square
        if square in blockers:
            return


def from_square(kind: int, square: int, colour: chess.Color, blockers: Squares) -> Squares:
    """The squares that a piece attacks from a square."""
    if kind == chess.PAWN:
        steps = [(-1, 1), (1, 1)] if colour else [(-1, -1), (1, -1)]
        return of(s for step in steps if (s := stepped(square, step)) is not None)
    if kind in SLIDERS:
        return of(s for step in STEPS[kind] for s in until(ray(square, step), blockers))
    return of(s for step in STEPS[kind] if (s := stepped(square, step)) is not None)


def occupied(board: chess.Board) -> Squares:
    return of(s for s in range(64) if board.piece_at(s))


def pieces(board: chess.Board, colour: chess.Color | None, kind: int | None = None) -> Squares:
    """The pieces of a side or of both, of a kind or of all."""
    found = ((s, p) for s in range(64) if (p := board.piece_at(s)))
    return of(s for s, p in found if colour in (None, p.color) and kind in (None, p.piece_type))


def piece_attacks(board: chess.Board, square: int, blockers: Squares | None = None) -> Squares:
    """The squares that the piece on a square attacks."""
    piece = board.piece_at(square)
    assert piece is not None
    return from_square(piece.piece_type, square, piece.color, occupied(board) if blockers is None else blockers)


def attacks(
    board: chess.Board, colour: chess.Color, kind: int | None = None, blockers: Squares | None = None
) -> Squares:
    """The squares that a side's pieces attack."""
    return NOTHING.union(*(piece_attacks(board, s, blockers) for s in pieces(board, colour, kind)))


def attackers(board: chess.Board, targets: Squares, colour: chess.Color) -> Squares:
    """The pieces of a side that attack at least one of some squares."""
    return of(s for s in pieces(board, colour) if piece_attacks(board, s) & targets)


def between_blocks(
    board: chess.Board,
    king_colour: chess.Color,
    slider_colour: chess.Color,
    blocker_colour: chess.Color,
    line: str | None,
) -> Squares:
    """The single pieces of a side between a king and a slider that would attack it."""
    return of(blocker for blocker, _ in blockers(board, king_colour, slider_colour, blocker_colour, line))


def blockers(
    board: chess.Board,
    king_colour: chess.Color,
    slider_colour: chess.Color,
    blocker_colour: chess.Color,
    line: str | None,
) -> Iterator[tuple[int, int]]:
    """Each single piece of a side between a king and a slider that would attack it, with that slider."""
    steps = STEPS[chess.QUEEN] if line is None else LINES[line]
    for king in pieces(board, king_colour, chess.KING):
        for step in steps:
            met = [s for s in ray(king, step) if board.piece_at(s)][:2]
            if len(met) < 2:
                continue
            first, second = board.piece_at(met[0]), board.piece_at(met[1])
            assert first is not None
            assert second is not None
            slides = chess.ROOK if 0 in step else chess.BISHOP
            is_attacker = second.color == slider_colour and second.piece_type in (slides, chess.QUEEN)
            if first.color == blocker_colour and is_attacker:
                yield met[0], met[1]


def joined(a: Squares, b: Squares, whole: bool) -> Squares:
    """The squares between two sets on common lines, or the whole lines."""
    found: set[int] = set()
    for s in a:
        for step in STEPS[chess.QUEEN]:
            way = list(ray(s, step))
            for k, t in enumerate(way):
                if t in b and whole:
                    found |= {s, *way, *ray(s, (-step[0], -step[1]))}
                elif t in b:
                    found |= set(way[:k])
    return of(found)


def distance(a: int, b: int) -> int:
    return max(abs(a % 8 - b % 8), abs(a // 8 - b // 8))
