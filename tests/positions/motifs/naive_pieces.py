"""The motifs of pieces, kings, files and squares, piece by piece and square by square."""

from collections.abc import Iterable
from typing import Final

import chess
from naive_pawns import half_open_files, is_passed, open_files, passed
from naive_scene import ALL, QUEEN_LINES, Naive, Scene, Square, near

B, N, R, Q, K = chess.BISHOP, chess.KNIGHT, chess.ROOK, chess.QUEEN, chess.KING


def colour(square: Square) -> int:
    return sum(square) % 2


def on(squares: Iterable[Square], shade: int) -> list[Square]:
    return [s for s in squares if colour(s) == shade]


def bishop_pair(s: Scene) -> set[Square]:
    bishops = s.of(True, B)
    return bishops if len({colour(b) for b in bishops}) == 2 else set()


def good_bishop(s: Scene) -> list[Square]:
    return [b for b in s.of(True, B) if len(on(s.pawns, colour(b))) < len(on(s.pawns, 1 - colour(b)))]


def bad_bishop(s: Scene) -> list[Square]:
    found = []
    for b in s.of(True, B):
        same = on(s.pawns, colour(b))
        blocked = any(2 <= f <= 5 and (f, r + 1) in s.at for f, r in same)
        if blocked and len(same) > len(s.pawns) - len(same):
            found.append(b)
    return found


def opposite_coloured_bishops(s: Scene) -> set[Square]:
    mine, theirs = s.of(True, B), s.of(False, B)
    alone = len(mine) == len(theirs) == 1
    return mine if alone and colour(min(mine)) != colour(min(theirs)) else set()


def fianchetto(s: Scene) -> list[Square]:
    return [(f, r) for f, r in s.of(True, B) if r == 1 and f in (1, 6) and ((f, 2) in s.pawns or (f, 3) in s.pawns)]


def outpost(s: Scene) -> list[Square]:
    found = []
    for f, r in s.of(True, B, N):
        defended = any((g, r - 1) in s.pawns for g in (f - 1, f + 1))
        chased = any(abs(g - f) == 1 and q > r for g, q in s.enemies)
        if 3 <= r <= 5 and defended and not chased:
            found.append((f, r))
    return found


def blockade(s: Scene) -> list[Square]:
    return [(f, r) for f, r in s.own - s.pawns if (f, r + 1) in s.enemies and is_passed((f, r + 1), s.pawns, up=-1)]


def rook_on_seventh(s: Scene) -> list[Square]:
    king = s.king(False)
    useful = (king is not None and king[1] == 7) or any(r == 6 for _, r in s.enemies)
    return [(f, r) for f, r in s.of(True, R) if r == 6 and useful]


def first(s: Scene, square: Square, step: Square) -> Square | None:
    return next(iter(s.seen_along(square, step)), None)


def rook_behind_passed(s: Scene) -> list[Square]:
    them = passed(s)
    return [r for r in s.of(True, R) if first(s, r, (0, 1)) in them]


def connected_rooks(s: Scene) -> list[Square]:
    rooks = s.of(True, R)
    return [r for r in rooks if s.attacks[r] & rooks]


def doubled_rooks(s: Scene) -> list[Square]:
    rooks = s.of(True, R)
    return [r for r in rooks if any(t[0] == r[0] for t in s.attacks[r] & rooks)]


def alekhines_gun(s: Scene) -> set[Square]:
    found: set[Square] = set()
    for queen in s.of(True, Q):
        two = s.seen_along(queen, (0, 1))[:2]
        if len(two) == 2 and set(two) <= s.of(True, R):
            found |= {queen, *two}
    return found


def zone(king: Square | None, up: int) -> list[Square]:
    if king is None:
        return []
    f, r = king
    return [s for s in ALL if near(s, king) <= 1 or (abs(s[0] - f) <= 1 and s[1] == r + 2 * up)]


def king_shelter(s: Scene) -> list[Square]:
    king = s.king(True)
    return [(f, r) for f, r in s.pawns if king and abs(f - king[0]) <= 1 and r - king[1] in (1, 2)]


def attacked(s: Scene, square: Square, mine: bool) -> bool:
    return bool(s.attackers[mine, square])


def king_attack(s: Scene) -> list[Square]:
    return [t for t in zone(s.king(False), -1) if attacked(s, t, True)]


def back_rank_weakness(s: Scene) -> list[Square]:
    king = s.king(True)
    if king is None or king[1] != 0 or not s.of(False, R, Q) or any(r == 0 for _, r in s.of(True, R, Q)):
        return []
    front = [(f, 1) for f in range(king[0] - 1, king[0] + 2) if 0 <= f < 8]
    return [king] if all(t in s.own or attacked(s, t, False) for t in front) else []


def greek_gift(s: Scene) -> list[Square]:
    if s.king(False) != (6, 7) or (7, 6) not in s.enemies:
        return []
    if s.attackers[False, (7, 6)] != {(6, 7)}:
        return []
    knights = s.of(True, N)
    if (6, 4) in s.own or not any((6, 4) in s.attacks[n] for n in knights):
        return []
    bare = s.board.copy(stack=False)
    for n in knights:
        bare.remove_piece_at(s.absolute(n))
    later = Scene(bare, s.side)
    if not any((7, 4) in later.attacks[q] for q in s.of(True, Q)):
        return []
    return [b for b in s.of(True, B) if (7, 6) in s.attacks[b]]


def opposition(s: Scene) -> list[Square]:
    king, theirs = s.king(True), s.king(False)
    if king is None or theirs is None or s.to_move:
        return []
    for step in QUEEN_LINES:
        middle = (theirs[0] + step[0], theirs[1] + step[1])
        if king == (theirs[0] + 2 * step[0], theirs[1] + 2 * step[1]) and middle not in s.at:
            return [king]
    return []


def space(s: Scene) -> list[Square]:
    return [
        (f, r)
        for f, r in ALL
        if 2 <= f <= 5 and 1 <= r <= 3 and (f, r) not in s.pawns and not {(f - 1, r + 1), (f + 1, r + 1)} & s.enemies
    ]


def number(s: Scene, square: Square, mine: bool) -> int:
    return len(s.attackers[mine, square])


PIECE_DEFINITIONS: Final[dict[str, Naive]] = {
    "bishop_pair": bishop_pair,
    "good_bishop": good_bishop,
    "bad_bishop": bad_bishop,
    "opposite_coloured_bishops": opposite_coloured_bishops,
    "fianchetto": fianchetto,
    "outpost": outpost,
    "blockade": blockade,
    "knight_on_rim": lambda s: [n for n in s.of(True, N) if n[0] in (0, 7)],
    "rook_on_open_file": lambda s: s.of(True, R) & set(open_files(s)),
    "rook_on_half_open_file": lambda s: s.of(True, R) & set(half_open_files(s)),
    "rook_on_seventh": rook_on_seventh,
    "rook_behind_passed": rook_behind_passed,
    "connected_rooks": connected_rooks,
    "doubled_rooks": doubled_rooks,
    "alekhines_gun": alekhines_gun,
    "king_zone": lambda s: zone(s.king(True), 1),
    "king_shelter": king_shelter,
    "king_on_open_file": lambda s: [t for t in open_files(s) if t == s.king(True)],
    "opposition": opposition,
    "space": space,
    "attacked_twice": lambda s: [t for t in ALL if number(s, t, True) >= 2],
    "center_control": lambda s: [
        t for t in ((3, 3), (4, 3), (3, 4), (4, 4)) if number(s, t, True) > number(s, t, False)
    ],
    "king_attack": king_attack,
    "back_rank_weakness": back_rank_weakness,
    "greek_gift": greek_gift,
}
