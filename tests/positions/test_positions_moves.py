"""Moves on whole arrays of positions, against the scalar generator on all of the corpus, python-chess on a part of it.

python-chess lists the moves of some 5,000 positions per second, the scalar generator those of 100,000.
"""

import functools
import itertools
import operator
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Final

import chess
import numpy as np
import pytest

import rookery
from corpus import EDGES, STRANGE, corpus
from rookery.board.board import Board
from rookery.board.listing import words_of_moves
from rookery.board.moves import IllegalMoveError, Move
from rookery.counting.walk import POSITIONS
from rookery.kernel import UNIVERSE
from rookery.positions.moves import GUESS, Moves, judged, mark_broken
from rookery.positions.notation import uci
from rookery.positions.positions import Positions

MANY: Final = 50_000
PEER: Final = 4_000  # positions for python-chess
SLOW: Final = 1_000_000


@functools.cache
def boards(n: int) -> tuple[Board, ...]:
    return (*map(Board.unchecked, STRANGE), *corpus(n))


@functools.cache
def positions(n: int) -> Positions:
    return Positions.from_boards(boards(n))


def theirs(board: Board) -> chess.Board:
    return chess.Board(board.fen(en_passant="fen", shredder=board.chess960), chess960=board.chess960)


# Lists.


def check_lists(n: int) -> None:
    every, captures = positions(n).legal_moves(), positions(n).captures()
    assert every.moves.dtype == captures.moves.dtype == np.uint16
    assert every.offsets.dtype == captures.offsets.dtype == np.int64
    assert len(every) == len(captures) == len(boards(n))
    assert every.offsets[0] == 0
    assert every.offsets[-1] == every.moves.size
    for board, moves, noisy in zip(boards(n), every, captures, strict=True):
        assert moves.tolist() == words_of_moves(board, UNIVERSE, UNIVERSE), board.fen()
        assert noisy.tolist() == words_of_moves(board, UNIVERSE, 0), board.fen()
        made = [Move.from_word(word, chess960=board.chess960) for word in moves]
        assert made == board.generate_legal_moves(), board.fen()
        made = [Move.from_word(word, chess960=board.chess960) for word in noisy]
        assert set(made) == set(board.generate_captures()), board.fen()


def test_lists_are_those_of_the_scalar_generator() -> None:
    check_lists(MANY)


@pytest.mark.slow
def test_lists_of_a_million_are_those_of_the_scalar_generator() -> None:
    check_lists(SLOW)


def test_lists_are_those_of_python_chess() -> None:
    sample = boards(MANY)[len(STRANGE) :: MANY // PEER]
    some = Positions.from_boards(sample)
    for board, moves, noisy in zip(sample, some.legal_moves(), some.captures(), strict=True):
        peer = theirs(board)
        expected = {move.uci() for move in peer.legal_moves}
        assert {Move.from_word(word, chess960=board.chess960).uci() for word in moves} == expected, board.fen()
        loud = {move.uci() for move in peer.legal_moves if peer.is_capture(move) or move.promotion}
        assert {Move.from_word(word, chess960=board.chess960).uci() for word in noisy} == loud, board.fen()


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_lists_that_outgrow_their_room(threads: int) -> None:
    widest = Board(EDGES[0])
    assert widest.count_legal_moves() == 218 > GUESS
    stock = [Board(), *[widest] * 9, Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")]
    moves = Positions.from_boards(stock * 400).legal_moves(threads=threads)
    assert np.diff(moves.offsets).tolist() == [20, *[218] * 9, 0] * 400
    assert (moves.moves.reshape(400, -1) == moves.moves[: 20 + 9 * 218]).all()


def test_threads_list_the_same() -> None:
    assert positions(MANY).legal_moves(threads=3) == positions(MANY).legal_moves()
    assert positions(MANY).captures(threads=2) == positions(MANY).captures()


def test_lists_as_a_sequence() -> None:
    moves = Positions.from_boards([Board(), Board("7k/8/8/8/8/8/8/K7 w - - 0 1")]).legal_moves()
    assert len(moves) == 2
    assert moves[-1].tolist() == moves[1].tolist() == moves.moves[20:].tolist()
    assert [part.size for part in moves] == [20, 3]
    assert repr(moves) == "<23 moves of 2 positions>"
    assert pickle.loads(pickle.dumps(moves)) == moves
    assert moves != Moves(moves.offsets, moves.moves[::-1])
    for outside in (2, -3):
        with pytest.raises(IndexError, match=f"index: {outside} is outside the 2 positions"):
            moves[outside]
    moves[0][0] = 0
    assert moves.moves[0] == 0, "a view"
    assert len(Positions.from_boards([]).legal_moves()) == 0


# Moves made.


def check_play(n: int, part: slice, peers: bool) -> None:
    now = positions(n)
    moves = now.random_moves(5)
    # The null move where there is none, and here and there elsewhere.
    checked = np.array([board.is_check() for board in boards(n)])
    moves[(np.arange(len(moves)) % 50 == 0) & ~checked] = 0
    can = (moves != 0) | ~checked
    chosen = [board for board, free in zip(boards(n), can, strict=True) if free][part]
    now, moves = now[can][part], moves[can][part]
    following = now.play(moves)
    assert following == now.play(moves, check=False) == now.play(moves, threads=2)
    for board, word, after in zip(chosen, moves.tolist(), following, strict=True):
        move = Move(word)
        if peers:
            peer = theirs(board)
            peer.push(chess.Move.from_uci(board.uci(move)))
            assert after.fen(en_passant="fen", shredder=True) == peer.shredder_fen(en_passant="fen"), board.fen()
        else:
            expected = board.copy()
            expected.push(move)
            assert after.words().tolist() == expected.words().tolist(), (board.fen(), move)
            counters = after.halfmove_clock, after.fullmove_number, after.chess960
            assert counters == (expected.halfmove_clock, expected.fullmove_number, expected.chess960)


def test_moves_are_made_as_the_scalar_generator_makes_them() -> None:
    check_play(MANY, slice(None), peers=False)


@pytest.mark.slow
def test_a_million_moves_are_made_as_the_scalar_generator_makes_them() -> None:
    check_play(SLOW, slice(None), peers=False)


def test_moves_are_made_as_python_chess_makes_them() -> None:
    check_play(MANY, slice(len(STRANGE), None, MANY // PEER), peers=True)


def check_every_word(stock: list[Board]) -> None:
    """Which of the 65,536 words are legal, by the generator's list."""
    words = np.arange(1 << 16, dtype=np.uint16)
    for board in stock:
        one = Positions.from_boards([board])
        many = one[np.zeros(words.size, np.intp)]
        expected = {*words_of_moves(board, UNIVERSE, UNIVERSE)} - {0}
        if not board.is_check():
            expected.add(0)
        assert {*np.flatnonzero(judged(many.columns, words, 1)).tolist()} == expected, board.fen()


def test_no_word_but_the_legal_moves_is_taken_for_one() -> None:
    check_every_word([*map(Board.unchecked, (*EDGES, *STRANGE, *POSITIONS.values())), *corpus(MANY)[:: MANY // 100]])


@pytest.mark.slow
def test_no_word_but_the_legal_moves_is_taken_for_one_in_many_positions() -> None:
    check_every_word(list(corpus(MANY)[::10]))


def test_an_illegal_move_is_named() -> None:
    three = Positions.from_boards([Board()] * 3)
    fen = Board().fen()
    good, bad = Move.of(12, 28), Move.of(12, 36)
    with pytest.raises(ValueError, match=f"^moves\\[1\\]: e2e5 is not legal in '{fen}'$".replace("(", "\\(")):
        three.play([good, bad, bad])
    with pytest.raises(ValueError, match=r"^moves\[2\]: e1h1 is not legal in "):
        Positions.from_boards([Board(chess960=True)] * 3).play([good, good, Move.of(4, 7)])
    checked = Positions.from_boards([Board("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")])
    with pytest.raises(ValueError, match=r"^moves\[0\]: 0000 is not legal in "):
        checked.play([0])


def test_moves_that_are_none() -> None:
    two = Positions.from_boards([Board()] * 2)
    for moves, said in (
        ([1804], r"moves: shape \(1,\): expected \(2,\)"),
        ([[1804, 1804]], r"moves: shape \(1, 2\): expected \(2,\)"),
        ([], r"moves: shape \(0,\): expected \(2,\)"),
        ([1804, 65536], r"moves\[1\]: 65536: expected 0 to 65535"),
        ([-1, 1804], r"moves\[0\]: -1: expected 0 to 65535"),
    ):
        with pytest.raises(ValueError, match=said):
            two.play(moves)  # type: ignore[arg-type]
    for strange in ([1804.0, 1804.0], ["e2e4", "e2e4"], [None, None]):
        with pytest.raises(TypeError, match=r"moves: an array of .*: expected integers, words like those of Move"):
            two.play(strange)  # type: ignore[arg-type]
    assert len(Positions.from_boards([]).play([])) == 0


def has_form(p: Positions) -> np.ndarray:
    """Whether each row is a position that a FEN can describe, by python-chess."""
    good = np.empty(len(p), bool)
    for i, (*pieces, white, castling, en_passant, _) in enumerate(zip(*p.columns, strict=True)):
        pawns, knights, diagonals, orthogonals, kings = map(int, pieces)
        queens = diagonals & orthogonals
        kinds = [pawns, knights, diagonals ^ queens, orthogonals ^ queens, queens, kings]
        alone = not any(a & b for a, b in itertools.combinations(kinds, 2))
        occupied = functools.reduce(operator.or_, kinds)
        good[i] = (
            alone
            and int(white) & ~occupied == 0
            and int(castling) & ~(kinds[3] & (chess.BB_RANK_1 | chess.BB_RANK_8)) == 0
            and int(en_passant).bit_count() <= 1
            and int(en_passant) & ~(chess.BB_RANK_3 | chess.BB_RANK_6) == 0
        )
    return good


def test_any_word_may_be_played_unchecked_if_it_leaves_a_position() -> None:
    """It leaves no chess, but nothing breaks; words that leave no position are refused."""
    words = np.arange(1 << 16, dtype=np.uint16)
    rng = np.random.default_rng(0)
    now = positions(MANY)[rng.integers(0, MANY, words.size)]
    for _ in range(3):
        rng.shuffle(words)
        broken = np.empty(words.size, bool)
        mark_broken(now.columns, words, broken)
        assert 0.2 < broken.mean() < 1
        for i in np.flatnonzero(broken)[:50]:
            with pytest.raises(IllegalMoveError, match=r"moves\[0\]: .* is not legal in "):
                now[i : i + 1].play(words[i : i + 1], check=False)
        with pytest.raises(IllegalMoveError, match=rf"moves\[{np.argmax(broken)}\]: "):
            now.play(words, check=False)
        after = now[~broken].play(words[~broken], check=False)
        sample = rng.integers(0, len(after), 2000)
        assert has_form(after[sample]).all()
        assert Positions.from_numpy(after.to_numpy()) == after
        assert after.legal_moves().offsets[-1] >= 0
        now = after[rng.integers(0, len(after), words.size)]


@pytest.mark.parametrize(
    ("fen", "uci", "kept"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "h1e8", False),  # black may castle, and has no king
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQ - 0 1", "h1e8", True),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "h1h8", True),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1e1", False),  # the king would be black's
        ("4k3/8/8/8/8/8/8/R3K3 b - - 0 1", "e8e8", False),
        ("4k3/8/8/8/8/8/8/N3K3 w - - 0 1", "e1a1", False),  # ours
        ("4k3/8/8/4P3/8/8/4P3/4K3 w - - 0 1", "e5e7", False),  # skips a square on rank 6, as black's pawns do
        ("4k3/8/8/4P3/8/8/4P3/4K3 w - - 0 1", "e2e4", True),
        ("4k3/4p3/8/8/4p3/8/8/4K3 b - - 0 1", "e4e2", False),
        ("4k3/4p3/8/8/4p3/8/8/4K3 b - - 0 1", "e7e5", True),
        ("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "e4e2", True),  # back, over a square of rank 3: impossible, with its form
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a1", True),  # a null move
        ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "a1a1", True),  # in check: an impossible board
    ],
)
def test_moves_that_are_refused_without_a_check(fen: str, uci: str, kept: bool) -> None:
    now = Positions.from_boards([Board(fen)])
    word = np.array([chess.parse_square(uci[:2]) | chess.parse_square(uci[2:]) << 6], np.uint16)
    if kept:
        after = now.play(word, check=False)
        assert Positions.from_numpy(after.to_numpy()) == after
    else:
        with pytest.raises(IllegalMoveError, match=r"moves\[0\]: .* is not legal in "):
            now.play(word, check=False)


def test_no_legal_move_counts_as_leaving_no_position() -> None:
    now = Positions.concatenate([positions(MANY), Positions.from_boards(map(Board.unchecked, EDGES))])
    moves = now.legal_moves()
    parents = np.repeat(np.arange(len(now)), np.diff(moves.offsets))
    broken = np.ones(parents.size, bool)
    mark_broken(now[parents].columns, moves.moves, broken)
    assert not broken.any()


def test_counters_stay_when_they_are_full() -> None:
    top = (1 << 30) - 1
    full = Positions.from_boards([Board()])
    full.columns.state[:] |= np.uint64(top << 3 | top << 33)
    after = full.play([Move.of(6, 21)]).play([Move.of(62, 45)])
    assert (after.halfmove_clock.tolist(), after.fullmove_number.tolist()) == ([top], [top])


# Moves drawn.


@pytest.mark.parametrize("fen", [POSITIONS["kiwipete"], POSITIONS["position4"], EDGES[0]])
def test_moves_are_drawn_evenly(fen: str) -> None:
    board = Board(fen)
    moves = board.generate_legal_moves()
    draws = 1000 * len(moves)
    drawn = Positions.from_boards([board])[np.zeros(draws, np.intp)].random_moves(2024)
    words, times = np.unique(drawn, return_counts=True)
    assert words.tolist() == sorted(map(board.move_word, moves))
    # Pearson's chi-square: its mean is its degrees of freedom, its variance twice that.
    freedom = len(moves) - 1
    chi_square = ((times - 1000.0) ** 2 / 1000.0).sum()
    assert abs(chi_square - freedom) < 4 * (2 * freedom) ** 0.5
    # Nor does one draw tell the next.
    _, pairs = np.unique(drawn[:-1].astype(np.uint32) << 16 | drawn[1:], return_counts=True)
    assert pairs.max() < 1000 / len(moves) + 8 * (1000 / len(moves)) ** 0.5


def test_drawn_moves_are_legal_and_repeatable() -> None:
    drawn = positions(MANY).random_moves(7)
    assert drawn.dtype == np.uint16
    legal = positions(MANY).legal_moves()
    for word, moves in zip(drawn.tolist(), legal, strict=True):
        assert word in moves.tolist() if moves.size else word == 0
    assert (positions(MANY).random_moves(7, threads=3) == drawn).all()
    assert (positions(MANY).random_moves(np.random.default_rng(7)) == drawn).all()
    assert (positions(MANY).random_moves(8) != drawn).any()
    rng = np.random.default_rng(7)
    assert (positions(MANY).random_moves(rng) != positions(MANY).random_moves(rng)).any()


def test_what_is_no_source_of_chance() -> None:
    for strange in (None, 1.5, "7", True):
        with pytest.raises(TypeError, match=r"rng: .*: expected a numpy.random.Generator or an int"):
            positions(MANY).random_moves(strange)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="rng: -1: expected a seed of at least 0"):
        positions(MANY).random_moves(-1)


@pytest.mark.parametrize("threads", [0, -1, 1.0, True, "2"])
def test_numbers_of_threads_that_are_none(threads: object) -> None:
    with pytest.raises(ValueError, match=r"threads: .*: expected an int of at least 1"):
        positions(MANY).legal_moves(threads=threads)  # type: ignore[arg-type]


# Bounds.

CHECKED: Final = """
from rookery.positions.notation import uci
from rookery.positions.positions import Positions
from rookery.board.board import Board
p = Positions.from_boards(map(Board.unchecked, {fens!r}))
moves = p.legal_moves()
p.captures()
drawn = p.random_moves(1)
p[drawn != 0].play(drawn[drawn != 0])
games = p.rollouts(1, moves=True)
print(moves.moves.size, games.plies.sum() == games.moves.moves.size)
"""


@pytest.mark.slow
def test_nothing_is_out_of_bounds(tmp_path: Path) -> None:
    fens = [*EDGES, *STRANGE]
    code = CHECKED.format(fens=fens)
    source = str(Path(rookery.__file__).parents[1])
    env = {**os.environ, "PYTHONPATH": source, "NUMBA_CACHE_DIR": str(tmp_path), "NUMBA_BOUNDSCHECK": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    expected = sum(len(Board.unchecked(fen).generate_legal_moves()) for fen in fens)
    assert done.stdout.strip() == f"{expected} True", done.stderr


INTERPRETED: Final = """
import numpy as np
from rookery.positions.notation import uci
from rookery.positions.positions import Positions
from rookery.board.board import Board
p = Positions.from_boards([Board(), Board({kiwipete!r})])
with np.errstate(over="ignore"):
    moves = p.play(p.random_moves(1)).legal_moves()
    games = p.rollouts(1, max_plies=12, moves=True)
print(moves.offsets.tolist(), moves.moves.tolist(), games.moves.moves.tolist())
"""


def test_the_same_source_runs_without_the_compiler() -> None:
    said = set()
    for off in "01":
        env = {**os.environ, "PYTHONPATH": str(Path(rookery.__file__).parents[1]), "NUMBA_DISABLE_JIT": off}
        code = INTERPRETED.format(kiwipete=POSITIONS["kiwipete"])
        said.add(
            subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True).stdout
        )
    assert len(said) == 1


def test_columns_of_moves_in_uci() -> None:
    sample = [*boards(MANY)[len(STRANGE) :: MANY // PEER], *map(Board.unchecked, EDGES)]
    some = Positions.from_boards(sample)
    which, words = np.repeat(np.arange(len(some)), np.diff(some.legal_moves().offsets)), some.legal_moves().moves
    words = np.where(np.arange(words.size) % 5 == 3, 0, words).astype(np.uint16)
    column = uci.column_of(words, some.chess960[which])
    expected = [
        Move.from_word(w, chess960=sample[i].chess960).uci() if w else None for w, i in zip(words, which, strict=True)
    ]
    assert list(column) == expected
    assert {len(text or "") for text in expected} == {0, 4, 5}
