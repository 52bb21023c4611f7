"""The motifs of pawn structure, pawn by pawn and square by square."""

from collections.abc import Iterable
from typing import Final

import chess
from naive_scene import ALL, Naive, Scene, Square, near


def beside(f: int) -> tuple[int, int]:
    return f - 1, f + 1


def is_passed(square: Square, other: Iterable[Square], up: int = 1) -> bool:
    f, r = square
    return not any(abs(g - f) <= 1 and (q - r) * up > 0 for g, q in other)


def passed(s: Scene) -> set[Square]:
    return {p for p in s.pawns if is_passed(p, s.enemies)}


def defended_by_pawn(s: Scene, square: Square) -> bool:
    f, r = square
    return any((g, r - 1) in s.pawns for g in beside(f))


def protected_passed(s: Scene) -> list[Square]:
    return [p for p in passed(s) if defended_by_pawn(s, p)]


def connected_passed(s: Scene) -> list[Square]:
    them = passed(s)
    return [(f, r) for f, r in them if any((g, q) in them for g in beside(f) for q in (r - 1, r, r + 1))]


def outside_passed(s: Scene) -> list[Square]:
    found = []
    for p in passed(s):
        rest = [q for q in s.pawns | s.enemies if q != p]
        east, west = all(q[0] >= p[0] + 2 for q in rest), all(q[0] <= p[0] - 2 for q in rest)
        if s.enemies and (east or west):
            found.append(p)
    return found


def candidate(s: Scene) -> list[Square]:
    found = []
    for f, r in s.pawns:
        blocked = any(g == f and q > r for g, q in s.pawns | s.enemies)
        helpers = sum(abs(g - f) == 1 and q <= r for g, q in s.pawns)
        sentries = sum(abs(g - f) == 1 and q > r for g, q in s.enemies)
        if not blocked and not is_passed((f, r), s.enemies) and helpers >= sentries:
            found.append((f, r))
    return found


def unstoppable(s: Scene) -> list[Square]:
    if any(s.kind(q) not in (chess.PAWN, chess.KING) for q in s.other):
        return []
    found = []
    for f, r in passed(s):
        moves = 5 if r == 1 else 7 - r
        free = not any((f, q) in s.at for q in range(r + 1, 8))
        kings = s.of(False, chess.KING)
        caught = any(near(k, (f, 7)) <= moves + (not s.to_move) for k in kings)
        if 1 <= r <= 6 and free and not caught:
            found.append((f, r))
    return found


def isolated(s: Scene) -> list[Square]:
    files = {f for f, _ in s.pawns}
    return [(f, r) for f, r in s.pawns if f - 1 not in files and f + 1 not in files]


def on_file_with(s: Scene, least: int) -> list[Square]:
    return [(f, r) for f, r in s.pawns if sum(g == f for g, _ in s.pawns) >= least]


def backward(s: Scene) -> list[Square]:
    found = []
    for f, r in s.pawns:
        attacked = any((g, r + 2) in s.enemies for g in beside(f))
        helped = any(abs(g - f) == 1 and q <= r for g, q in s.pawns)
        if attacked and not helped:
            found.append((f, r))
    return found


def hanging_pawns(s: Scene) -> set[Square]:
    found: set[Square] = set()
    for f, r in s.pawns:
        pair = {(f, r), (f + 1, r)}
        near_files = {q for q in s.pawns if f - 1 <= q[0] <= f + 2}
        if near_files == pair and not any(g in (f, f + 1) for g, _ in s.enemies):
            found |= pair
    return found


def phalanx(s: Scene) -> list[Square]:
    return [(f, r) for f, r in s.pawns if any((g, r) in s.pawns for g in beside(f))]


def supports(s: Scene, square: Square) -> bool:
    f, r = square
    return any((g, r + 1) in s.pawns for g in beside(f))


def chain(s: Scene) -> list[Square]:
    return [p for p in s.pawns if supports(s, p) or defended_by_pawn(s, p)]


def chain_base(s: Scene) -> list[Square]:
    return [p for p in s.pawns if supports(s, p) and not defended_by_pawn(s, p)]


def islands(s: Scene) -> list[Square]:
    files = {f for f, _ in s.pawns}
    return [(f, min(r for g, r in s.pawns if g == f)) for f in files if f - 1 not in files]


def rammed(s: Scene) -> list[Square]:
    return [(f, r) for f, r in s.pawns if (f, r + 1) in s.enemies]


def lever(s: Scene) -> list[Square]:
    return [(f, r) for f, r in s.pawns if any((g, r + 1) in s.enemies for g in beside(f))]


def majority(s: Scene) -> list[Square]:
    found = []
    for wing in (range(4), range(4, 8)):
        mine = [p for p in s.pawns if p[0] in wing]
        if len(mine) > sum(p[0] in wing for p in s.enemies):
            found += mine
    return found


def promotable(s: Scene) -> list[Square]:
    found = []
    for f, r in s.pawns:
        takes = any((g, 7) in s.other and s.kind((g, 7)) != chess.KING for g in beside(f))
        if r == 6 and ((f, 7) not in s.at or takes):
            found.append((f, r))
    return found


def holes(s: Scene) -> list[Square]:
    return [
        (f, r)
        for f, r in ALL
        if r in (2, 3) and (f, r) not in s.pawns and not any(abs(g - f) == 1 and q < r for g, q in s.pawns)
    ]


def open_files(s: Scene) -> list[Square]:
    return [(f, r) for f, r in ALL if not any(g == f for g, _ in s.pawns | s.enemies)]


def half_open_files(s: Scene) -> list[Square]:
    return [(f, r) for f, r in ALL if not any(g == f for g, _ in s.pawns) and any(g == f for g, _ in s.enemies)]


def front_span(s: Scene) -> list[Square]:
    return [(f, r) for f, r in ALL if any(g == f and q < r for g, q in s.pawns)]


PAWN_DEFINITIONS: Final[dict[str, Naive]] = {
    "passed": passed,
    "protected_passed": protected_passed,
    "connected_passed": connected_passed,
    "outside_passed": outside_passed,
    "candidate": candidate,
    "unstoppable": unstoppable,
    "isolated": isolated,
    "isolated_queen_pawn": lambda s: [p for p in isolated(s) if p[0] == 3],
    "doubled": lambda s: on_file_with(s, 2),
    "tripled": lambda s: on_file_with(s, 3),
    "backward": backward,
    "hanging_pawns": hanging_pawns,
    "phalanx": phalanx,
    "chain": chain,
    "chain_base": chain_base,
    "islands": islands,
    "rammed": rammed,
    "lever": lever,
    "majority": majority,
    "promotable": promotable,
    "holes": holes,
    "open_files": open_files,
    "half_open_files": half_open_files,
    "front_span": front_span,
}
