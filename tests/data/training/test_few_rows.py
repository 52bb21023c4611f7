"""Every format with a few rows: each special move, full boards and bare kings, as the plain writers write them."""

import io

import chess
import pytest

from naive_training import WRITERS, Entry, read_binpack, read_viriformat
from rookery import read_training, training_stats, write_training
from training_samples import facts, game, naive_facts, rows_of

STARTS = {
    "start": chess.STARTING_FEN,
    "castling of white": "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "castling of black": "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 9",
    "some rights": "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 12 40",
    "en passant of white": "4k3/8/8/1pPp4/8/8/8/4K3 w - b6 0 20",
    "en passant of black": "8/8/8/1k6/3Pp2R/8/8/4K3 b - d3 0 1",
    "promotions of white": "1r1q3k/P1P5/8/8/8/8/8/4K3 w - - 0 70",
    "promotions of black": "4k3/8/8/8/8/8/p1p4K/1N1B4 b - - 0 70",
    "check": "4k3/4r3/8/8/8/3n4/8/4K3 w - - 0 1",
    "pins": "4k3/4q3/8/b7/8/2N1B3/8/4K3 w - - 7 31",
    "bare kings": "4k3/8/8/8/8/8/8/4K3 b - - 99 200",
    "queens": "6k1/8/8/8/8/8/8/QQQQQQQK b - - 0 1",
    "pieces": "nnnnkbbb/pppppppp/8/8/8/8/PPPPPPPP/RRRRKQQQ w - - 1 2",
}


def entries_of(fen: str, seed: int) -> list[Entry]:
    """Return every special move of a position, and a short game from there."""
    board = chess.Board(fen)
    ply = 2 * (board.fullmove_number - 1) + (not board.turn)
    moves = [
        move
        for move in board.legal_moves
        if move.promotion or board.is_castling(move) or board.is_en_passant(move) or board.is_capture(move)
    ]
    scores = (0, 1, -1, 32_000, -32_000, 32_767, -32_767, 255, -256)
    single = [Entry(board, move, scores[k % 9], (1, 0, -1)[k % 3], ply) for k, move in enumerate(moves)]
    return single + game(seed, board, plies=6)


def written(entries: list[Entry], name: str) -> bytes:
    file = io.BytesIO()
    assert write_training(rows_of(entries), file, name).written == len(entries)
    return file.getvalue()


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("name", WRITERS)
def test_few_rows_are_written_and_read_as_the_plain_writers_write_them(name: str, start: str) -> None:
    entries = entries_of(STARTS[start], len(start))
    content = written(entries, name)
    assert content == WRITERS[name](entries)
    rows = read_training(content, name)
    if name != "bulletformat":  # which has neither moves nor counters, and turns the board
        assert facts(rows) == naive_facts(entries)
        return
    boards = [entry.board if entry.board.turn else entry.board.mirror() for entry in entries]
    assert [fen.split()[0] for fen in rows.positions.to_fens()] == [board.board_fen() for board in boards]
    assert rows.scores.tolist() == [entry.score for entry in entries]
    assert rows.results.tolist() == [entry.result for entry in entries]


@pytest.mark.parametrize("start", STARTS)
def test_plain_readers_read_a_few_rows(start: str) -> None:
    entries = entries_of(STARTS[start], len(start))
    assert naive_facts(read_binpack(written(entries, "binpack"))) == naive_facts(entries)
    assert naive_facts(read_viriformat(written(entries, "viriformat"))) == naive_facts(entries)


@pytest.mark.parametrize("start", STARTS)
def test_a_few_rows_are_counted(start: str) -> None:
    entries = entries_of(STARTS[start], len(start))
    stats = training_stats(rows_of(entries), score_bin=100, ply_bin=1)
    boards, moves = [entry.board for entry in entries], [entry.move for entry in entries]
    pieces = [len(board.piece_map()) for board in boards]
    assert {n: count for n, count in stats.pieces.items() if count} == {n: pieces.count(n) for n in set(pieces)}
    assert stats.moves == {
        "missing": 0,
        "captures": sum(board.is_capture(move) for board, move in zip(boards, moves, strict=True)),
        "promotions": sum(move.promotion is not None for move in moves),
        "castling": sum(board.is_castling(move) for board, move in zip(boards, moves, strict=True)),
    }
    assert stats.mates == sum(abs(entry.score) >= 31_000 for entry in entries)
    plies = [entry.ply for entry in entries]
    assert {n: count for n, count in stats.plies.items() if count} == {n: plies.count(n) for n in set(plies)}


@pytest.mark.parametrize("name", ["binpack", "viriformat", "bulletformat", "packed-sfen"])
def test_no_scores_are_lost_at_the_ends_of_their_range(name: str) -> None:
    board = chess.Board()
    entries = [Entry(board, chess.Move.from_uci("e2e4"), score, 0, 0) for score in (-32_767, -1, 0, 1, 32_767)]
    assert read_training(written(entries, name), name).scores.tolist() == [-32_767, -1, 0, 1, 32_767]
