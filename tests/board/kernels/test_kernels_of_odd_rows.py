"""The kernels of boards on rows that are rare, and kernels of histories and of moves without a board: known answers."""

from typing import Any

import chess
import chess.polyglot
import numpy as np
import pytest

from kernel_rows import FEW_FENS, addresses, call, few_boards, is_refused, ours, padded, row_of, written
from rookery.board.board import Board
from rookery.board.moves import Move
from rookery.native_methods.kinds import MOST_MOVES, ROW_WORDS
from rookery.rules.exchange_search import SPACE_BYTES

CLOCK, NUMBER, MOVE = 10, 12, 13


def changed(row: Any, **words: int) -> Any:
    """Return a row with other words, which are named `word_7`, and so on."""
    row = row.copy()
    for name, word in words.items():
        row[int(name.removeprefix("word_"))] = word
    row.flags.writeable = False
    return row


def test_a_side_without_a_king_is_neither_pinned_nor_castles() -> None:
    row = row_of(Board.unchecked("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"))
    without = changed(row, word_4=1 << 60, word_5=1 | 1 << 7)
    assert call("king", without, 1) == 64
    for name in ("has_castling_rights", "has_kingside_castling_rights", "has_queenside_castling_rights"):
        assert (call(name, row, 1), call(name, without, 1)) == (1, 0)
    for square in (0, 7, 4, 60):
        assert call("is_pinned", without, 1, square) == 0
        assert call("pin", without, 1, square) == (1 << 64) - 1
    assert call("is_stalemate", without) == call("is_check", without) == 0


@pytest.mark.parametrize(
    ("fen", "only"),
    [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", 0),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", 0),
        ("4k3/8/8/8/8/8/8/1R2K3 w B - 0 1", 1),
        ("4k3/8/8/8/8/8/8/4K1R1 w G - 0 1", 1),
        ("1r2k3/8/8/8/8/8/8/4K3 w b - 0 1", 1),
        ("4k1r1/8/8/8/8/8/8/4K3 b g - 0 1", 1),
        ("4k3/8/8/8/8/8/8/R2K4 w A - 0 1", 1),
        ("4k3/8/8/8/8/8/8/5K1R b H - 0 1", 1),
        ("r2k4/8/8/8/8/8/8/4K3 w a - 0 1", 1),
        ("r3k3/8/8/8/8/8/8/R2K4 w a - 0 1", 0),
        ("r2k4/8/8/8/8/8/8/R3K3 w A - 0 1", 0),
    ],
)
def test_rights_that_only_chess960_has(fen: str, only: int) -> None:
    assert call("has_chess960_castling_rights", row_of(Board(fen, chess960=True))) == only


def test_only_moves_that_keep_the_clock_bring_a_claim() -> None:
    moves = np.zeros(MOST_MOVES, np.uint16)
    for fen in ("8/8/8/8/8/1k6/p6P/K7 w - - 99 80", "k7/P6p/1K6/8/8/8/8/8 b - - 99 80"):
        board = chess.Board(fen)
        assert all(map(board.is_zeroing, board.legal_moves))
        assert call("can_claim_fifty_moves", row_of(ours(board)), moves) == board.can_claim_fifty_moves() == 0


def test_moves_that_were_made() -> None:
    moves = [12 | 28 << 6, 52 | 36 << 6, 6 | 21 << 6]
    rows = [changed(row_of(Board()), word_13=word) for word in (0, *moves)]
    for n in range(4):
        history, row = [earlier.tobytes() for earlier in rows[:n]], rows[n]
        out = np.full(MOST_MOVES, 7, np.uint16)
        assert call("move_stack", row, addresses(history), n, out) == n
        assert out[: n + 1].tolist() == [*moves[:n], 7]
        assert call("pop", row) == row[MOVE]
        if n:
            assert call("peek", row, addresses(history), n) == moves[n - 1]
        else:
            assert is_refused(call("peek", row, addresses(history), 0))
    assert is_refused(call("move_stack", rows[1], addresses([rows[0].tobytes()]), MOST_MOVES + 1, out))
    held = [rows[2].tobytes()] * MOST_MOVES
    assert call("move_stack", rows[1], addresses(held), MOST_MOVES, out) == MOST_MOVES
    assert out.tolist() == [moves[1]] * (MOST_MOVES - 1) + [moves[0]]
    assert call("pop", changed(rows[0], word_13=1 << 16 | 5)) == 5


@pytest.mark.parametrize(
    ("text", "word"),
    [("e2e4", 12 | 28 << 6), ("a7a8q", 48 | 56 << 6 | 7 << 12), ("h2h1n", 15 | 7 << 6 | 4 << 12), ("0000", 0)],
)
def test_texts_of_moves_without_a_board(text: str, word: int) -> None:
    assert call("from_uci", *padded(text)) == word
    if len(text) == 4:
        assert call("move_between", word & 63, word >> 6) == word
    for wrong in (text[:3], text + "x", text.upper() if text.isalpha() else "e2e9"):
        assert is_refused(call("from_uci", *padded(wrong)))


@pytest.mark.parametrize(
    ("fen", "uci", "value", "pseudo"),
    [
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100, 100),
        ("4k3/8/5n2/3P4/1b6/2N5/8/4K3 b - - 0 1", "f6d5", 100, -220),  # the knight on c3 is pinned
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", 0, 0),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 100, 100),
    ],
)
def test_exchanges(fen: str, uci: str, value: int, pseudo: int) -> None:
    row, space = row_of(Board(fen)), np.zeros(SPACE_BYTES, np.uint8)
    move = int(Board(fen).parse_uci(uci))
    assert np.int64(call("see", row, move, space)) == value
    assert np.int64(call("pseudo_legal_see", row, move, space)) == pseudo
    for wrong in (0, 9 << 6 | 10):
        assert is_refused(call("see", row, wrong, space))
        assert is_refused(call("pseudo_legal_see", row, wrong, space))


def test_counters_that_a_fen_has_room_for() -> None:
    row, longest = row_of(Board()), 10**10 - 1
    for index in (CLOCK, NUMBER):
        text = written("fen", changed(row, **{f"word_{index}": longest}))
        assert text.split()[4 if index == CLOCK else 5] == str(longest)
        for too_long in (longest + 1, longest + 2):
            out = np.zeros(256, np.uint8)
            assert is_refused(call("fen", changed(row, **{f"word_{index}": too_long}), out))


@pytest.mark.parametrize("board", few_boards(), ids=FEW_FENS)
def test_keys_and_faults(board: chess.Board) -> None:
    mine = ours(board)
    row = row_of(mine)
    assert call("polyglot_key", row) == chess.polyglot.zobrist_hash(board)
    other = changed(row, word_10=77, word_12=88)
    assert call("key", other) == call("key", row)
    passed = changed(row, word_5=int(row[6]), word_6=int(row[5]), word_8=0, word_9=1 - int(row[9]))
    assert call("key", passed) != call("key", row)
    assert call("is_valid", row) == (call("faults", row) == 0)
    assert call("is_valid", changed(row, word_4=0)) == 0
    out = np.ones(ROW_WORDS, np.uint64)
    assert call("with_possible_rights", row, out) == 0
    assert out.tolist() == row.tolist()
    wild = changed(row, word_7=0xFF000000000000FF, word_8=1 << 27, word_13=5)
    call("with_possible_rights", wild, out)
    assert (out[8], out[13]) == (0, 5)
    assert int(out[7]) & ~board.rooks == 0


def test_kernels_that_only_name_an_object() -> None:
    assert (call("nothing"), call("copied", 0), call("copied", 1)) == (0, 0, 1)


@pytest.mark.parametrize(
    ("fen", "uci", "classical", "chess960"),
    [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", 1, 0),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", 1, 0),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1h1", 1, 1),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1a1", 1, 1),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1f1", 1, 1),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "e8c8", 1, 0),
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "e1g1", 0, 0),
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "e1h1", 0, 0),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 1, 1),
    ],
)
def test_forms_of_castling_in_each_kind_of_chess(fen: str, uci: str, classical: int, chess960: int) -> None:
    row, move = row_of(Board(fen)), int(Move.from_uci(uci))
    assert [call("is_legal", row, kind, move) for kind in (0, 1)] == [classical, chess960]
    assert [call("is_pseudo_legal", row, kind, move) for kind in (0, 1)] == [classical, chess960]
    if classical and chess960:
        source, target = move & 63, move >> 6 & 63
        assert call("find_move", row, 1, source, target) == call("find_move", row, 0, source, target)


@pytest.mark.parametrize("rank", "18")
@pytest.mark.parametrize(("steps", "takes"), [("e{}g{}", "e{}h{}"), ("e{}c{}", "e{}a{}")])
def test_castling_is_written_in_the_form_of_the_board(rank: str, steps: str, takes: str) -> None:
    row = row_of(Board(f"r3k2r/8/8/8/8/8/8/R3K2R {'w' if rank == '1' else 'b'} KQkq - 0 1"))
    forms = [form.format(rank, rank) for form in (steps, takes)]
    for text in forms:
        move = int(Move.from_uci(text))
        assert [written("uci", row, chess960, move) for chess960 in (0, 1)] == forms
    for text in ("a1a2", "e1e2", "h1h8", "a7a8q"):
        for chess960 in (0, 1):
            assert written("uci", row, chess960, int(Move.from_uci(text))) == text


def test_null_moves_as_text() -> None:
    row, checked = row_of(Board()), row_of(Board("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"))
    out = np.zeros(ROW_WORDS, np.uint64)
    for name, text in (("san", "--"), ("uci", "0000")):
        assert call(f"parse_{name}", row, *padded(text)) == call(f"parse_{name}", checked, *padded(text)) == 0
        assert call(f"push_{name}", row, *padded(text), out) == 0
        assert out[9:].tolist() == [1, 1, 0, 1, 0]
        assert is_refused(call(f"push_{name}", checked, *padded(text), out))
    assert call("has_uci", row, *padded("0000")) == 0
    assert (written("san", row, 0), written("lan", row, 0), written("uci", row, 0, 0)) == ("--", "--", "0000")
    for wrong in ("e2e5", "e7e5", "e2", "e2e4q"):
        assert is_refused(call("parse_uci", row, *padded(wrong)))
        assert is_refused(call("push_uci", row, *padded(wrong), out))
        assert is_refused(call("parse_san", row, *padded(wrong)))
        assert is_refused(call("push_san", row, *padded(wrong), out))
    assert call("has_uci", row, *padded("e2e5")) == 0
    assert is_refused(call("has_uci", row, *padded("e2")))
    for name in ("san", "lan"):
        for move in (12 | 36 << 6, 52 | 36 << 6):
            assert is_refused(call(name, row, move, np.zeros(16, np.uint8)))
        assert is_refused(call(name, checked, 0, np.zeros(16, np.uint8)))
