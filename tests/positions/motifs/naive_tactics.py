"""The motifs of tactics, piece by piece, with python-chess and rays that are walked square by square."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import chess
from naive_scene import LINES, PIECES, SLIDERS, Naive, Scene, Square

P, N, B, R, Q, K = chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN, chess.KING
CENTIPAWNS: Final = {P: 100, N: 320, B: 330, R: 500, Q: 900, K: 0}


def attacked(s: Scene, square: Square) -> bool:
    return bool(s.attackers[False, square])


def loose(s: Scene, square: Square) -> bool:
    """No piece of the same side defends the piece on a square, which is not a king."""
    return s.kind(square) != K and not s.attackers[s.at[square][0], square]


def undefended(s: Scene) -> list[Square]:
    return [p for p in s.of(True, *PIECES) if loose(s, p)]


def threatened(s: Scene) -> list[Square]:
    return [p for p in s.of(True, *PIECES) if any(s.value(a) < s.value(p) for a in s.attackers[False, p])]


def hanging(s: Scene) -> list[Square]:
    return [p for p in s.own if s.kind(p) != K and attacked(s, p) and loses(s, p, 100)]


def loses(s: Scene, square: Square, loss: int) -> bool:
    """Whether the opponent wins so much on a square, where each side captures with any piece, or stops.

    A capture may leave neither the capturing king attacked nor, of the other kings, the one on the lowest square.
    """
    board, target = s.board.copy(stack=False), s.absolute(square)

    def legal(side: chess.Color, kind: int) -> bool:
        own_kings = board.kings & board.occupied_co[side] & ~(1 << target)
        guarded = [target] if kind == K else []
        if own_kings:
            guarded.append((own_kings & -own_kings).bit_length() - 1)
        return not any(board.attackers(not side, king) for king in guarded)

    def wins(side: chess.Color, enough: int) -> bool:
        before = board.piece_at(target)
        assert before is not None
        for taker in board.attackers(side, target):
            kind, gain = board.piece_type_at(taker) or 0, CENTIPAWNS[before.piece_type]
            becomes = kind
            if kind == P and target // 8 in (0, 7):
                becomes, gain = Q, gain + CENTIPAWNS[Q] - CENTIPAWNS[P]
            if gain < enough:
                continue
            board.remove_piece_at(taker)
            board.set_piece_at(target, chess.Piece(becomes, side))
            won = legal(side, kind) and not wins(not side, gain - enough + 1)
            board.set_piece_at(target, before)
            board.set_piece_at(taker, chess.Piece(kind, side))
            if won:
                return True
        return False

    return wins(not s.side, loss)


def trapped(s: Scene) -> list[Square]:
    found = []
    for p in s.of(True, *PIECES):
        cheaply = any(s.value(a) < s.value(p) for a in s.attackers[False, p])
        if not cheaply and not (attacked(s, p) and loose(s, p)):
            continue
        targets = [t for t in s.attacks[p] if t not in s.own and not (t in s.at and s.kind(t) == K)]
        if not any(not attacked(s, t) or (t in s.at and s.value(t) >= s.value(p)) for t in targets):
            found.append(p)
    return found


def overloaded(s: Scene) -> list[Square]:
    lone = [p for p in s.own if s.kind(p) != K and attacked(s, p) and len(s.attackers[True, p]) == 1]
    return [p for p in s.own if sum(s.attackers[True, t] == {p} for t in lone) >= 2]


class Lined(NamedTuple):
    """A slider, the first piece it sees, and the piece behind that one."""

    slider: Square
    first: Square
    second: Square
    step: Square


def lined(s: Scene, mine: bool) -> Iterator[Lined]:
    for slider in s.of(mine, *SLIDERS):
        for step in LINES[s.kind(slider)]:
            seen = s.seen_along(slider, step)
            if len(seen) > 1:
                yield Lined(slider, seen[0], seen[1], step)


def absolute_pin(s: Scene) -> list[Square]:
    king = s.king(True)
    return [x.first for x in lined(s, False) if x.second == king and x.first in s.own]


def relative_pin(s: Scene) -> list[Square]:
    found = []
    for x in lined(s, False):
        if not {x.first, x.second} <= s.own or s.kind(x.second) not in (R, Q):
            continue
        if s.kind(x.first) == K or s.value(x.second) <= s.value(x.first):
            continue
        dear = s.value(x.second) > s.value(x.slider)
        if dear or (s.kind(x.first) != R and loose(s, x.second)):
            found.append(x.first)
    return found


def skewered(s: Scene) -> list[Square]:
    found = []
    for x in lined(s, False):
        if not {x.first, x.second} <= s.own or s.kind(x.second) not in PIECES:
            continue
        falls = loose(s, x.second) or s.value(x.second) > s.value(x.slider)
        if s.value(x.first) > s.value(x.slider) and s.value(x.first) >= s.value(x.second) and falls:
            found.append(x.first)
    return found


def battery(s: Scene) -> list[Square]:
    found = []
    for slider in s.of(True, *SLIDERS):
        for step in LINES[s.kind(slider)]:
            seen = s.seen_along(slider, step)
            if step[0] == 0 or step[1] != 0:  # not along ranks
                partner = seen and seen[0] in s.own and s.kind(seen[0]) in SLIDERS and step in LINES[s.kind(seen[0])]
                found += [slider] if partner else []
    return found


def x_rays(s: Scene) -> list[Square]:
    return [x.second for x in lined(s, True) if x.second in s.other and s.kind(x.second) != P]


def is_target(s: Scene, attacker: Square, target: Square) -> bool:
    if target not in s.other:
        return False
    if s.kind(target) == K:
        return s.kind(attacker) != K
    return s.value(target) > s.value(attacker) or loose(s, target)


def discovered_attack(s: Scene) -> list[Square]:
    found = []
    for x in lined(s, True):
        kind = s.kind(x.first)
        along = kind in SLIDERS and x.step in LINES[kind]
        pawn = kind == P and x.step[0] == 0
        if x.first in s.own and not along and not pawn and is_target(s, x.slider, x.second):
            found.append(x.first)
    return found


def discovered_check(s: Scene) -> list[Square]:
    king = s.king(False)
    return [x.first for x in lined(s, True) if x.second == king and x.first in s.own]


def fork(s: Scene) -> list[Square]:
    return [p for p in s.own if sum(is_target(s, p, t) for t in s.attacks[p]) >= 2]


TACTIC_DEFINITIONS: Final[dict[str, Naive]] = {
    "undefended": undefended,
    "threatened": threatened,
    "hanging": hanging,
    "trapped": trapped,
    "overloaded": overloaded,
    "absolute_pin": absolute_pin,
    "relative_pin": relative_pin,
    "skewered": skewered,
    "battery": battery,
    "x_rays": x_rays,
    "discovered_attack": discovered_attack,
    "discovered_check": discovered_check,
    "fork": fork,
}
