"""Valid positions, ended games and moves as text, of whole arrays: what boards say one by one."""

import functools

import chess
import numpy as np
import pytest

from corpus import EDGES, STRANGE, corpus
from rookery.board.board import Board
from rookery.board.moves import Move
from rookery.positions.moves import Moves
from rookery.positions.positions import Positions
from rookery.positions.rollouts import TerminationCode
from rookery.rules.notation.start import START
from scattered import FAMILIES, scattered

# One fault each, of those that no board may have and of those that no game can reach.
IMPOSSIBLE = (
    "8/8/8/8/8/8/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/8/8 w - - 0 1",
    "4k3/8/8/8/8/8/8/K3K3 w - - 0 1",
    "8/8/8/8/8/8/4k3/4K3 w - - 0 1",
    "4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/8/p3K3 w - - 0 1",
    "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1",
    "4k3/8/8/8/8/NNNNNNNN/NNNNNNNN/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/8/4R1K1 w - - 0 1",
    "4k3/8/8/8/4P3/8/8/4K3 w - d6 0 1",
    "4k3/3p4/8/3p4/8/8/8/4K3 w - d6 0 1",
    "4k3/8/3n4/3p4/8/8/8/4K3 w - d6 0 1",
    "4k3/8/8/8/3P4/3N4/8/4K3 b - d3 0 1",
)
UNREACHABLE = (
    "4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1",
    "4k3/8/8/8/8/8/PPPPPPPP/2B1K1BB w - - 0 1",
    "4k3/8/8/8/8/4r3/3n1n2/4K3 w - - 0 1",
    "4k3/8/8/8/r3K2r/8/8/8 w - - 0 1",
    "4k3/8/8/3p4/8/8/3n4/5K2 w - d6 0 1",
    "8/8/N7/2k5/N7/8/8/3K4 b - - 0 1",
    "8/8/8/8/8/2b5/8/4k2K w - - 0 1",
)
# A check that the checker brought by itself, by a capture only, by a step, by discovery, or by a jump.
REACHABLE = (
    START,
    "4k3/8/8/8/8/8/4r3/r3K3 w - - 0 1",
    "4k3/8/8/8/7b/8/5n2/4K2r w - - 0 1",
    "4k3/8/8/8/8/8/3p4/4K3 w - - 0 1",
    "8/8/8/3pP3/4K3/8/8/4k3 w - d6 0 1",
    "8/8/8/3p4/4K3/8/8/4k3 w - - 0 1",
    "4k3/8/8/8/8/3b4/8/5K2 w - - 0 1",
    "3k4/8/8/3p4/8/8/8/b5K1 w - d6 0 1",
    "rnbqkb1r/ppp1pppp/8/1B1p4/4n3/8/PPPP1PPP/RNBQK1NR b KQkq - 0 1",
)


def compare_validity(p: Positions) -> None:
    valid = p.is_valid()
    assert valid.dtype == np.bool_
    loose = p.is_valid(strict=False)
    assert not (valid & ~loose).any()
    for i, board in enumerate(p):
        faults = board.status()
        assert valid[i] == board.is_valid() == (not faults), (board, faults)
        assert loose[i] == all(fault.strict for fault in faults), (board, faults)


def test_each_fault_is_found() -> None:
    p = Positions.from_fens([*IMPOSSIBLE, *UNREACHABLE, *REACHABLE, *EDGES, *STRANGE])
    compare_validity(p)
    compare_validity(Positions.from_boards([board.mirror() for board in p]))
    n = len(IMPOSSIBLE)
    assert not p.is_valid(strict=False)[:n].any()
    assert p.is_valid(strict=False)[n : n + len(UNREACHABLE) + len(REACHABLE)].all()


def test_positions_of_games_are_valid() -> None:
    p = Positions.from_boards(corpus(20_000)[2 * len(EDGES) :])
    compare_validity(p[::5])
    # Games that begin at a random position may begin at one that no game reaches.
    games = Positions(Positions.from_boards([Board()] * 300).rollouts(4, max_plies=60).final.columns)
    assert games.is_check().sum() > 5
    assert games.is_valid().all()


@pytest.mark.parametrize("family", FAMILIES)
def test_validity_of_scattered_pieces(family: str) -> None:
    p = scattered(FAMILIES[family], 6000, 70)
    # Of these, those that are all right but perhaps for a check, and a few of the others.
    loose = p.is_valid(strict=False)
    compare_validity(p[loose][:1500])
    compare_validity(p[~loose][:500])


def test_validity_of_half_games() -> None:
    """Positions of games with a piece taken away, put elsewhere, or the turn passed: nearly possible ones."""
    rng = np.random.default_rng(6)
    boards = [board.copy() for board in corpus(20_000)[200::10]]
    for board in boards:
        for _ in range(rng.integers(1, 3)):
            square, other = (int(s) for s in rng.integers(0, 64, 2))
            piece = board.piece_at(square)
            if piece and piece.lower() != "k":
                board.set_piece_at(square, None)
                if rng.random() < 0.7 and (board.piece_at(other) or "p").lower() != "k":
                    board.set_piece_at(other, piece)
    p = Positions.from_boards(boards)
    p.columns.state[::3] ^= np.uint64(1)
    p.columns.en_passant[::3] = 0
    compare_validity(p)
    assert 200 < p.is_valid().sum() < len(p)


def test_whether_a_missing_position_is_valid_is_missing() -> None:
    p = Positions.from_fens([START, "bad"], errors="mark")
    for strict in (True, False):
        assert p.is_valid(strict=strict).tolist() == [True, None]
    assert p.is_stalemate().tolist() == [False, None]
    assert p.outcomes().termination.tolist() == [0, None]
    out = np.ones(2, np.bool_)
    assert np.shares_memory(p.is_valid(out=out, threads=2), out)
    assert out.tolist() == [True, False]
    placeholder = Positions(p.columns)  # the columns as they are
    assert placeholder.is_stalemate().tolist() == [False, False]
    assert placeholder.outcomes().termination.tolist() == [0, 0]


# Outcomes.

ENDS = {
    None: TerminationCode.NONE,
    "checkmate": TerminationCode.CHECKMATE,
    "stalemate": TerminationCode.STALEMATE,
    "insufficient material": TerminationCode.INSUFFICIENT_MATERIAL,
    "seventy-five moves": TerminationCode.SEVENTYFIVE_MOVES,
    "fifty moves": TerminationCode.FIFTY_MOVES,
}


@functools.cache
def ended() -> tuple[Board, ...]:
    boards = [Board.unchecked(fen) for fen in EDGES]
    boards += Positions.from_boards([Board()] * 400).rollouts(3).final
    few = scattered(FAMILIES["few"], 4000, 80)
    boards += few[few.is_valid(strict=False)]
    rng = np.random.default_rng(1)
    for i, board in enumerate(boards):
        if i % 2:
            board.halfmove_clock = int(rng.choice([0, 99, 100, 101, 149, 150, 200]))
    return tuple(boards)


@pytest.mark.parametrize("claim_draw", [False, True])
def test_outcomes_are_those_of_boards(claim_draw: bool) -> None:
    p = Positions.from_boards(ended())
    got = p.outcomes(claim_draw=claim_draw)
    assert got.outcome.dtype == np.dtype(np.int8)
    assert got.termination.dtype == np.dtype(np.uint8)
    for board, outcome, termination in zip(ended(), got.outcome.tolist(), got.termination.tolist(), strict=True):
        expected = board.outcome(claim_draw=claim_draw)
        assert termination == ENDS[expected.termination if expected else None], board
        assert outcome == (0 if expected is None or expected.winner is None else 1 if expected.winner else -1), board
    assert set(got.termination.tolist()) == {0, 1, 2, 3, 7} | ({4} if claim_draw else set())
    assert set(got.outcome.tolist()) == {-1, 0, 1}
    again = p.outcomes(claim_draw=claim_draw, threads=3)
    assert np.array_equal(again.termination, got.termination)


def test_python_chess_ends_games_alike() -> None:
    p = Positions.from_boards(ended())
    ends = dict(zip(chess.Termination, (1, 2, 3, 7, 0, 4, 0), strict=False))
    for claim_draw in (False, True):
        got = p.outcomes(claim_draw=claim_draw)
        for i, board in enumerate(ended()):
            theirs = chess.Board(board.fen(en_passant="fen"))
            expected = theirs.outcome(claim_draw=claim_draw)
            assert got.termination[i] == (ends[expected.termination] if expected else 0), board
            winner = {None: 0, True: 1, False: -1}[expected.winner if expected else None]
            assert got.outcome[i] == winner, board


def test_a_side_without_a_king_is_neither_mated_nor_stalemated() -> None:
    p = Positions.from_fens([*STRANGE, "8/8/8/8/8/8/1r6/K1k5 b - - 200 1", "8/8/8/8/8/8/8/k7 w - - 0 1"])
    assert not p.is_stalemate().any()
    assert not np.isin(p.outcomes().termination, [1, 2]).any()
    assert p.outcomes().termination[[0, -1]].tolist() == [3, 3]


# Moves as text.


def test_moves_are_written_as_boards_write_them() -> None:
    boards = [Board.unchecked(fen) for fen in (*EDGES, *STRANGE)] + list(corpus(3000))
    p = Positions.from_boards(boards)
    moves = p.legal_moves()
    texts = p.uci(moves)
    assert texts.dtype == np.dtype("<U5")
    assert texts.shape == moves.moves.shape
    expected = [board.uci(move) for board in boards for move in board.generate_legal_moves()]
    assert texts.tolist() == expected
    assert np.array_equal(p.uci(moves, threads=3), texts)
    both = {(board.chess960, board.is_castling(move)) for board in boards for move in board.generate_legal_moves()}
    assert len(both) == 4
    drawn = p.random_moves(1)
    assert p.uci(drawn).tolist() == [b.uci(m) for b, m in zip(boards, drawn.tolist(), strict=True)]
    assert "0000" in p.uci(drawn).tolist()


def test_every_word_is_written_as_move_writes_it() -> None:
    words = np.arange(1 << 16, dtype=np.uint16)
    for chess960 in (False, True):
        board = Board()
        board.chess960 = chess960
        p = Positions.from_boards([board])[np.zeros(1 << 16, np.intp)]
        assert p.uci(words).tolist() == [Move.from_word(word, chess960=chess960).uci() for word in words]


def test_moves_of_rollouts_and_of_none() -> None:
    p = Positions.from_boards([Board(), Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")])
    games = p.rollouts(2, max_plies=20, moves=True)
    assert games.moves is not None
    texts = p.uci(games.moves).tolist()
    for i, board in enumerate(p):
        line = texts[games.moves.offsets[i] : games.moves.offsets[i + 1]]
        for move in line:
            board.push_uci(move)
        assert board.fen() == games.final[i].fen()
    assert p[:0].uci([]).shape == (0,)
    assert p[:0].uci(p[:0].legal_moves()).shape == (0,)
    with pytest.raises(ValueError, match=r"^moves: 2 lists: expected 1, one for each position"):
        p[:1].uci(p.legal_moves())
    with pytest.raises(ValueError, match=r"^moves: shape \(3,\): expected \(2,\)"):
        p.uci([1, 2, 3])
    with pytest.raises(
        ValueError, match=r"^offsets: array\(\[0, 1, 2\]\): expected n \+ 1 numbers that never fall, from 0 to 1"
    ):
        p.uci(Moves(np.array([0, 1, 2]), np.array([1804], np.uint16)))
