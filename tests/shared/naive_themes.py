"""The themes of a puzzle, written a second time on python-chess: slow, one board at a time, and without our code.

`naive_lines` explains the letters.
"""

from collections.abc import Iterator

import chess

from naive_lines import Line
from naive_mates import mates, phase

VALUE = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 99}
SLIDERS = (chess.BISHOP, chess.ROOK, chess.QUEEN)


def value(board: chess.Board, square: int) -> int:
    kind = board.piece_type_at(square)
    return VALUE[kind] if kind else 0


def hanging(board: chess.Board, square: int) -> bool:
    side = board.color_at(square)
    assert side is not None
    if board.attackers(side, square):
        return False
    for attacker in board.attackers(not side, square):
        if board.piece_type_at(attacker) in SLIDERS:
            without = board.copy(stack=False)
            without.remove_piece_at(attacker)
            if without.attackers(side, square):
                return False
    return True


def badly_placed(board: chess.Board, square: int) -> bool:
    side = board.color_at(square)
    against = board.attackers(not side, square)
    cheaper = any(value(board, attacker) < value(board, square) for attacker in against)
    return bool(against) and (cheaper or hanging(board, square))


def trapped(board: chess.Board, square: int) -> bool:
    if board.is_check() or board.is_pinned(board.turn, square):
        return False
    if board.piece_type_at(square) in (None, chess.PAWN, chess.KING) or not badly_placed(board, square):
        return False
    for move in board.legal_moves:
        if move.from_square == square:
            if value(board, move.to_square) >= value(board, square):
                return False
            after = board.copy(stack=False)
            after.push(move)
            if not badly_placed(after, move.to_square):
                return False
    return True


def pushes(line: Line, k: int, ranks: int) -> bool:
    """Whether a pawn goes to one of its last ranks, or promotes."""
    if line.m[k].promotion:
        return True
    rank = chess.square_rank(line.m[k].to_square)
    return line.moved(k) == chess.PAWN and (rank >= 8 - ranks if line.b[k].turn else rank < ranks)


def harmless(line: Line, k: int) -> bool:
    """Whether a move gives no check, captures, attacks and advances nothing."""
    after = line.b[k + 1]
    attacked = [s for s in after.attacks(line.m[k].to_square) if after.color_at(s) == (not line.me)]
    return not (line.checks(k) or line.captures(k) or attacked or pushes(line, k, 3))


def of_one_move(line: Line) -> Iterator[str]:
    for k in line.mine():
        move, before, after = line.m[k], line.b[k], line.b[k + 1]
        if before.is_castling(move):
            yield "castling"
        if before.is_en_passant(move):
            yield "enPassant"
        if move.promotion:
            yield "promotion"
        if move.promotion in (chess.ROOK, chess.BISHOP) and not after.is_checkmate():
            yield "underPromotion"
        if move.promotion == chess.KNIGHT:
            yield "underPromotion"
        if pushes(line, k, 2):
            yield "advancedPawn"
        if len(after.checkers()) == 2:
            yield "doubleCheck"
        if after.checkers() and move.to_square not in after.checkers():
            yield "discoveredAttack"
        last = k + 1 == len(line.m)
        if not last and not before.is_check() and line.moved(k) != chess.KING and harmless(line, k):
            yield "quietMove"
        if not last and forks(line, k):
            yield "fork"
        if pins(line, k):
            yield "pin"


def forks(line: Line, k: int) -> bool:
    after, square = line.b[k + 1], line.m[k].to_square
    if line.moved(k) == chess.KING or badly_placed(after, square):
        return False
    victims = [s for s in after.attacks(square) if after.color_at(s) == (not line.me)]
    victims = [s for s in victims if after.piece_type_at(s) != chess.PAWN]
    back = after.attackers(not line.me, square)
    won = [s for s in victims if value(after, s) > value(after, square) or (s not in back and hanging(after, s))]
    return len(won) >= 2


def pins(line: Line, k: int) -> bool:
    board = line.b[k + 1]
    theirs = chess.SquareSet(board.occupied_co[not line.me] & ~board.kings)
    pinned = [square for square in theirs if board.is_pinned(not line.me, square)]
    return any(cannot_attack(line, board, square) or cannot_escape(line, board, square) for square in pinned)


def cannot_attack(line: Line, board: chess.Board, square: int) -> bool:
    targets = [s for s in board.attacks(square) - board.pin(not line.me, square) if board.color_at(s) == line.me]
    return any(value(board, target) > value(board, square) or hanging(board, target) for target in targets)


def cannot_escape(line: Line, board: chess.Board, square: int) -> bool:
    through = board.pin(not line.me, square)
    leaves = [x for x in board.pseudo_legal_moves if x.from_square == square and x.to_square not in through]
    for attacker in board.attackers(line.me, square) & through:
        unanswered = square not in board.attackers(not line.me, attacker)
        if value(board, square) > value(board, attacker) or (leaves and unanswered and hanging(board, square)):
            return True
    return False


def of_sequences(line: Line) -> Iterator[str]:
    for k in line.mine(3):
        for name, shown in SEQUENCES:
            if shown(line, k):
                yield name


def x_rays(line: Line, k: int) -> bool:
    m, target = line.m, line.m[k].to_square
    through = m[k - 1].from_square in line.path(k) and line.moved(k - 1) != chess.KING
    return line.captures(k) and m[k - 1].to_square == target == m[k - 2].to_square and through


def skewers(line: Line, k: int) -> bool:
    m, target, taken = line.m, line.m[k].to_square, line.taken(k)
    if not taken or line.moved(k) not in SLIDERS or line.b[k + 1].is_checkmate():
        return False
    moved_away = m[k - 1].from_square in line.path(k) and m[k - 1].to_square != target
    return moved_away and VALUE[line.moved(k - 1)] > VALUE[taken] and badly_placed(line.b[k], target)


def traps(line: Line, k: int) -> bool:
    m, target = line.m, line.m[k].to_square
    square = m[k - 1].from_square if m[k - 1].to_square == target else target
    return line.taken(k) not in (None, chess.PAWN) and trapped(line.b[k - 1], square)


def cuts_off(line: Line, k: int) -> bool:
    m, b, target = line.m, line.b, line.m[k].to_square
    if not line.taken(k) or not hanging(b[k], target):
        return False
    if interferes(b[k - 1], target, not line.me, m[k - 1].to_square):
        return True
    return m[k - 1].to_square != target and interferes(b[k - 2], target, not line.me, m[k - 2].to_square)


def captured_the_defender(line: Line, k: int) -> bool:
    m, b, target, taken = line.m, line.b, line.m[k].to_square, line.taken(k)
    wins = taken and line.moved(k) != chess.KING and VALUE[taken] <= VALUE[line.moved(k)]
    wins = wins and m[k - 1].to_square != target and hanging(b[k], target)
    defender = m[k - 2].to_square
    if not (wins or b[k + 1].is_checkmate()) or b[k - 1].is_check() or b[k - 2].is_check():
        return False
    if defender == m[k].from_square or not b[k - 2].piece_type_at(defender):
        return False
    return defender in b[k - 2].attackers(not line.me, target)


def deflects(line: Line, k: int) -> bool:
    m, b = line.m, line.b
    source, target, promotes = m[k].from_square, m[k].to_square, bool(m[k].promotion)
    taken, taken_before = line.taken(k), line.taken(k - 2)
    if not taken and not promotes:
        return False
    if taken and VALUE[taken] > VALUE[line.moved(k)]:
        return False
    if target in (m[k - 1].to_square, m[k - 2].to_square):
        return False
    if m[k - 1].to_square != m[k - 2].to_square and not line.checks(k - 2):
        return False
    if taken_before and VALUE[taken_before] >= line.moved(k - 2):
        return False
    guarded = b[k - 1].attacks(m[k - 1].from_square)
    same_file = chess.square_file(target) == chess.square_file(m[k - 1].from_square)
    if target not in guarded and not (promotes and same_file and source in guarded):
        return False
    return target not in b[k].attacks(m[k - 1].to_square)


def clears(line: Line, k: int) -> bool:
    m, b = line.m, line.b
    left, reached = m[k - 2].from_square, m[k - 2].to_square
    if line.taken(k) or line.moved(k) not in SLIDERS:
        return False
    if left != m[k].to_square and left not in line.path(k):
        return False
    if m[k - 2].promotion or reached in (m[k].from_square, m[k].to_square) or b[k].is_check():
        return False
    if line.checks(k) and line.moved(k - 1) == chess.KING:
        return False
    return not line.taken(k - 2) or badly_placed(b[k - 1], reached)


def interferes(board: chess.Board, target: int, side: chess.Color, square: int) -> bool:
    defenders = sorted(board.attackers(side, target))
    if not defenders or not defenders[0] or board.piece_type_at(defenders[0]) not in SLIDERS:
        return False
    return square in chess.SquareSet.between(target, defenders[0])


SEQUENCES = (
    ("xRayAttack", x_rays),
    ("skewer", skewers),
    ("trappedPiece", traps),
    ("deflection", deflects),
    ("clearance", clears),
    ("interference", cuts_off),
    ("capturingDefender", captured_the_defender),
)


def of_lines(line: Line) -> Iterator[str]:
    """The themes that one move of the line decides, one way or the other."""
    m, b = line.m, line.b
    for k in line.mine(3):
        if line.captures(k):
            if m[k - 1].to_square == m[k].to_square:
                break
            apart = m[k - 2].to_square not in (m[k].from_square, m[k].to_square)
            if m[k - 2].from_square in line.path(k) and apart and not b[k - 2].is_castling(m[k - 2]):
                yield "discoveredAttack"
    for k in line.mine(3):
        target = m[k].to_square
        if not line.captures(k) or m[k - 2].to_square == target:
            continue
        if m[k - 1].from_square not in b[k - 1].attackers(not line.me, target):
            if m[k - 3].to_square == target and line.captures(k - 3) and m[k] in b[k - 2].legal_moves:
                yield "intermezzo"
            break
    for k in line.mine(3):
        if material(line, k + 1) - material(line, 1) <= -2:
            if not any(m[j].promotion for j in range(2, len(m), 2)):
                yield "sacrifice"
            break
    for k in line.mine():
        if m[k].to_square in (chess.F2, chess.F7) and line.taken(k):
            home = chess.E8 if m[k].to_square == chess.F7 else chess.E1
            if b[k + 1].king(not line.me) == home:
                yield "attackingF2F7"
            break
    for k in line.mine():
        if line.checks(k) or line.captures(k) or b[k].legal_moves.count() < 3:
            break
        if b[k].is_check():
            yield "defensiveMove"
            break
    last = len(m) - 1
    if b[last].legal_moves.count() >= 3 and harmless(line, last):
        yield "defensiveMove"
    for k in line.mine():
        if k + 2 < len(m) and m[k + 1].to_square == m[k].to_square:
            attacked = m[k + 2].to_square in b[k + 3].attackers(line.me, m[k].to_square)
            later = k + 4 < len(m) and m[k + 4].to_square == m[k].to_square
            kind = line.moved(k + 1)
            if attacked and (kind == chess.KING or (kind in (chess.QUEEN, chess.ROOK) and later)):
                yield "attraction"


def material(line: Line, k: int) -> int:
    board = line.b[k]
    total = 0
    for square, piece in board.piece_map().items():
        if piece.piece_type != chess.KING:
            total += value(board, square) * (1 if piece.color == line.me else -1)
    return total


def of_the_whole(line: Line, found: set[str]) -> Iterator[str]:
    m, b = line.m, line.b
    yield {2: "oneMove", 4: "short", 6: "long"}.get(len(m), "veryLong")
    yield from endgames(line)
    target, start = m[1].to_square, b[1]
    taken = line.taken(1)
    if taken and taken != chess.PAWN and hanging(start, target):
        traded = m[0].to_square == target and value(b[0], target) >= VALUE[taken]
        if not traded and (len(m) < 4 or material(line, 4) >= material(line, 2)):
            yield "hangingPiece"
    if is_exposed(line) and any(line.checks(k) for k in line.mine(3) if k + 1 < len(m)):
        yield "exposedKing"
    if not found & {"fork", "backRankMate"} and any(line.checks(k) for k in line.mine()):
        yield from side_attacks(line)


def is_exposed(line: Line) -> bool:
    start, forward = line.b[1], 8 if line.me else -8
    king = start.king(not line.me)
    assert king is not None
    if chess.square_rank(king) not in ((5, 6, 7) if line.me else (0, 1, 2)):
        return False
    beside = [s for s in (king - 1, king + 1) if 0 <= s < 64 and chess.square_rank(s) == chess.square_rank(king)]
    guards = [*beside, *(square - forward for square in (king, *beside))]
    return all(start.piece_at(square) != chess.Piece(chess.PAWN, not line.me) for square in guards)


def side_attacks(line: Line) -> Iterator[str]:
    start, back = line.b[1], 7 if line.me else 0
    king = start.king(not line.me)
    assert king is not None
    if chess.square_rank(king) != back or king == chess.A1:
        return
    file, pieces = chess.square_file(king), len(start.piece_map())
    for name, files, corner, least in (("kingsideAttack", (6, 7), 7, 20), ("queensideAttack", (0, 1, 2), 0, 18)):
        if file in files and pieces >= least and side_score(line, chess.square(corner, back)) >= 2:
            yield name


def side_score(line: Line, corner: int) -> int:
    score = 0
    for k in line.mine():
        steps = chess.square_distance(corner, line.m[k].to_square)
        near_capture = line.captures(k) and steps <= 3
        score += line.checks(k) + near_capture - (steps >= 5)
    return score


def endgames(line: Line) -> Iterator[str]:
    kinds = {1: set[int](), 2: set[int]()}
    queens = []
    for k, present in kinds.items():
        present.update(piece.piece_type for piece in line.b[k].piece_map().values())
        queens.append(len(line.b[k].pieces(chess.QUEEN, True) | line.b[k].pieces(chess.QUEEN, False)))
    one, two = (present - {chess.KING, chess.PAWN} for present in kinds.values())
    if one == two == {chess.QUEEN, chess.ROOK} and queens == [1, 1]:
        yield "queenRookEndgame"
    names = ("knightEndgame", "bishopEndgame", "rookEndgame", "queenEndgame")
    if one == two and len(one) == 1:
        yield names[one.pop() - 2]
    elif not one and not two and all(chess.PAWN in present for present in kinds.values()):
        yield "pawnEndgame"


def themes(fen: str, moves: str) -> list[str]:
    """The themes of a puzzle, sorted."""
    line = Line(fen, moves)
    found = {phase(line.b[1]), *mates(line), *of_one_move(line), *of_sequences(line), *of_lines(line)}
    found.update(of_the_whole(line, found))
    return sorted(found)
