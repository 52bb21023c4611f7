"""Games played side by side by rookery and python-chess, which must agree on everything, all the way.

Compared on every position: the pieces, castling rights, the en-passant square and whether it counts, both counters,
legal moves, checks, captures and quiet moves as a partition of the legal moves, the Zobrist key against one built
from nothing, repetitions, and how the game ends. On one of sixteen, because these are slow in Python: the FEN in all
its forms, SAN both ways and check given, of every legal move, push and pop of every legal move, and a copy sent
through python-chess and back. At the end of a game all its moves are taken back, each to the position seen before.

The games begin in all 960 Chess960 positions, in the classical one, and in random middlegames and endings of both
kinds, and prefer castling, captures, promotions and en passant at times, and going back and forth at others.
"""

import random
from collections.abc import Iterator
from typing import Final, NamedTuple

import chess
import pytest

from random_positions import random_position
from rookery.aliases import EnPassant
from rookery.board.board import Board
from rookery.board.moves import Move

EXPENSIVE_SHARE: Final = 16
EN_PASSANT_MODES: Final[tuple[EnPassant, ...]] = ("legal", "fen", "xfen")


class Start(NamedTuple):
    board: chess.Board
    plies: int


def starts(rng: random.Random) -> Iterator[Start]:
    """Where the games begin, and how long they are; the 960 come first."""
    numbers = list(range(960))
    rng.shuffle(numbers)
    for i, number in enumerate(numbers):
        yield Start(chess.Board.from_chess960_pos(number), rng.choice((4, 8, 16)))
        if i % 16 == 0:
            yield Start(chess.Board(), rng.choice((80, 300)))
        yield Start(random_position(rng, chess960=i % 2 == 0), rng.choice((10, 20, 60)))
    while True:
        yield Start(chess.Board(), rng.choice((40, 400)))
        yield Start(chess.Board.from_chess960_pos(rng.randrange(960)), rng.choice((40, 400)))
        for _ in range(8):
            yield Start(random_position(rng, chess960=rng.random() < 0.5), rng.choice((10, 40, 160)))


def pick(rng: random.Random, theirs: chess.Board, moves: list[chess.Move], manner: str) -> chess.Move:
    """A move, special ones preferred by ``sharp``, going back and forth by ``patient``."""
    chance = rng.random()
    if manner == "patient" and chance < 0.85:
        back = theirs.move_stack[-2] if len(theirs.move_stack) > 1 else chess.Move.null()
        moves = (
            [m for m in moves if (m.from_square, m.to_square) == (back.to_square, back.from_square)]
            or [m for m in moves if not theirs.is_zeroing(m) and not theirs.is_castling(m)]
            or moves
        )
    elif chance < 0.15 or (manner == "sharp" and chance < 0.3):
        moves = [m for m in moves if theirs.is_castling(m) or theirs.is_en_passant(m) or m.promotion] or moves
    elif manner == "sharp" and chance < 0.5:
        moves = [m for m in moves if is_jump_beside_a_pawn(theirs, m)] or moves
    elif manner == "sharp" and chance < 0.7:
        moves = [m for m in moves if theirs.gives_check(m)] or moves
    elif manner == "sharp" and chance < 0.8:
        moves = [m for m in moves if theirs.is_capture(m)] or moves
    return rng.choice(moves)


def is_jump_beside_a_pawn(board: chess.Board, move: chess.Move) -> bool:
    """Whether a pawn may be taken en passant now."""
    return (
        bool(board.pawns & chess.BB_SQUARES[move.from_square])
        and abs(move.to_square - move.from_square) == 16
        and bool(
            chess.BB_KING_ATTACKS[move.to_square]
            & chess.BB_RANKS[chess.square_rank(move.to_square)]
            & board.pawns
            & board.occupied_co[not board.turn]
        )
    )


def compare(ours: Board, theirs: chess.Board, their_moves: list[chess.Move]) -> None:
    p = ours.placement
    assert ours.turn == theirs.turn
    assert (p.white, p.black) == (theirs.occupied_co[chess.WHITE], theirs.occupied_co[chess.BLACK])
    assert [p[i] | p[i + 6] for i in range(6)] == [
        theirs.pawns, theirs.knights, theirs.bishops, theirs.rooks, theirs.queens, theirs.kings,
    ]  # fmt: skip
    assert ours.castling_rights == theirs.clean_castling_rights()
    assert ours.ep_square == theirs.ep_square
    assert ours.has_legal_en_passant() == theirs.has_legal_en_passant()
    assert (ours.halfmove_clock, ours.fullmove_number) == (theirs.halfmove_clock, theirs.fullmove_number)

    moves = ours.generate_legal_moves()
    texts = {move.uci() for move in moves}
    assert texts == {move.uci() for move in their_moves}
    assert len(moves) == len(texts) == ours.count_legal_moves() == len(ours.legal_moves)
    checkers = theirs.checkers_mask()
    assert ours.checkers() == checkers
    assert ours.is_check() == bool(checkers)
    captures, quiet = ours.generate_captures(), ours.generate_quiet_moves()
    assert len(captures) + len(quiet) == len(moves)
    assert {*captures, *quiet} == set(moves)
    for move in captures:
        assert move.promotion or ours.is_capture(move)
    assert ours.generate_evasions() == (moves if checkers else [])
    assert {m.uci() for m in captures} == {m.uci() for m in their_moves if m.promotion or theirs.is_capture(m)}

    rebuilt = Board.from_words(ours.words().tolist())
    assert ours.key == rebuilt.key

    for count in range(2, 6):
        repeated = theirs.is_repetition(count)
        assert ours.is_repetition(count) == repeated, count
        if not repeated:
            break
    compare_ends(ours, theirs, their_moves)


def compare_ends(ours: Board, theirs: chess.Board, their_moves: list[chess.Move]) -> None:
    assert ours.is_checkmate() == (not their_moves and theirs.is_check())
    assert ours.is_stalemate() == (not their_moves and not theirs.is_check())
    for colour in chess.COLORS:
        assert ours.has_insufficient_material(colour) == theirs.has_insufficient_material(colour)
    assert ours.is_insufficient_material() == theirs.is_insufficient_material()
    assert ours.is_fifty_moves() == theirs.is_fifty_moves()
    assert ours.is_seventyfive_moves() == theirs.is_seventyfive_moves()
    assert ours.is_fivefold_repetition() == theirs.is_fivefold_repetition()
    expected = theirs.outcome()
    ended = None if expected is None else (expected.termination.name, expected.winner, expected.result())
    if ours.is_stalemate():
        # Where neither could mate any more, theirs names that instead, other than its documentation says.
        assert ended in (("STALEMATE", None, "1/2-1/2"), ("INSUFFICIENT_MATERIAL", None, "1/2-1/2"))
        ended = ("STALEMATE", None, "1/2-1/2")
    assert named(ours, claim_draw=False) == ended
    claim = theirs.outcome(claim_draw=True)
    claimed = ended
    if ended is None and claim is not None:
        claimed = (claim.termination.name, claim.winner, claim.result())
    assert named(ours, claim_draw=True) == claimed
    assert ours.is_game_over() == (ended is not None)
    assert ours.result(claim_draw=True) == (claimed[2] if claimed else "*")


def named(board: Board, *, claim_draw: bool) -> tuple[str, bool | None, str] | None:
    """An outcome as python-chess names it."""
    outcome = board.outcome(claim_draw=claim_draw)
    if outcome is None:
        return None
    return outcome.termination.upper().replace(" ", "_").replace("-", ""), outcome.winner, outcome.result()


def compare_notation(ours: Board, theirs: chess.Board, their_moves: list[chess.Move]) -> None:
    """What is slow in Python."""
    for mode in EN_PASSANT_MODES:
        assert ours.fen(en_passant=mode) == theirs.fen(en_passant=mode)
    assert ours.fen(shredder=True) == theirs.fen(shredder=True)
    again = Board(ours.fen(en_passant="fen", shredder=ours.chess960), ours.chess960)
    assert (again, again.key, again.fen()) == (ours, ours.key, ours.fen())

    words = {move.uci(): move for move in ours.legal_moves}
    checks = set(ours.generate_checks())
    before = ours.copy()
    for theirs_move in their_moves:
        move = words[theirs_move.uci()]
        san = theirs.san(theirs_move)
        assert ours.san(move) == san
        assert ours.parse_san(san) is move
        assert ours.parse_uci(theirs_move.uci()) is move
        assert ours.gives_check(move) == (move in checks) == theirs.gives_check(theirs_move)
        assert ours.is_capture(move) == theirs.is_capture(theirs_move)
        ours.push(move)
        assert ours.peek() is move
        assert ours.pop() is move
        assert ours._row == before._row
    assert ours == before
    assert (ours.key, ours.move_stack) == (before.key, before.move_stack)

    bare = theirs.copy(stack=4)
    taken = Board.from_chess(bare)
    assert (taken, taken.key, taken.chess960) == (ours, ours.key, ours.chess960)
    assert taken.move_stack == ours.move_stack[-4:]
    given = taken.to_chess(chess.Board)
    assert given == bare
    assert given.move_stack == bare.move_stack


def play(rng: random.Random, start: Start) -> int:
    """Play one game and compare; returns the number of positions."""
    theirs = start.board
    ours = Board(theirs.fen(shredder=theirs.chess960, en_passant="fen"), theirs.chess960)
    manner = rng.choice(("any", "sharp", "sharp", "patient"))
    seen = []
    played: list[Move] = []
    for ply in range(start.plies + 1):
        their_moves = list(theirs.legal_moves)
        compare(ours, theirs, their_moves)
        if rng.randrange(EXPENSIVE_SHARE) == 0:
            compare_notation(ours, theirs, their_moves)
        seen.append((ours._row, ours.key, ours.halfmove_clock, ours.fullmove_number))
        if not their_moves or ply == start.plies or (ours.is_game_over() and rng.random() < 0.2):
            break
        chosen = pick(rng, theirs, their_moves, manner)
        played.append(ours.push_uci(chosen.uci()))
        theirs.push(chosen)
    assert ours.move_stack == played
    assert Board.from_chess(theirs).move_stack == played
    assert ours.to_chess(chess.Board).move_stack == theirs.move_stack
    for state in reversed(seen):
        assert (ours._row, ours.key, ours.halfmove_clock, ours.fullmove_number) == state
        if ours.move_stack:
            assert ours.pop() is played.pop()
    assert not played
    return len(seen)


def play_positions(seed: int, number: int) -> None:
    """Games until `number` positions have been compared. A failure names the game, to be played again."""
    rng = random.Random(seed)
    total = 0
    for game, start in enumerate(starts(rng)):
        begin = start.board.fen(shredder=True)
        try:
            total += play(rng, start)
        except (AssertionError, ValueError) as error:
            line = " ".join(move.uci() for move in start.board.move_stack)
            error.add_note(f"seed {seed}, game {game}, from {begin!r} {line}: at {start.board.fen()!r}")
            raise
        if total >= number:
            return


def test_thousands_of_positions() -> None:
    play_positions(seed=3, number=4_000)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 120))
def test_a_million_positions(seed: int) -> None:
    play_positions(seed, number=50_000)
