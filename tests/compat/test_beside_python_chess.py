"""Boards of rookery.compat are given to python-chess's modules as they are: engines, tables and keys of books."""

import random
import shutil
import struct
from pathlib import Path

import chess
import chess.engine
import chess.polyglot
import chess.syzygy
import pytest

from python_chess_source import source
from rookery.compat import Board, Move, polyglot

STOCKFISH = shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")


@pytest.mark.skipif(not STOCKFISH, reason="stockfish is not installed")
@pytest.mark.parametrize("chess960", [False, True])
def test_an_engine_plays_and_analyses(chess960: bool) -> None:
    assert STOCKFISH is not None
    board = Board.from_chess960_pos(7) if chess960 else Board()
    board.push_san("e4")
    with chess.engine.SimpleEngine.popen_uci(STOCKFISH) as engine:
        for _ in range(6):
            answer = engine.play(board, chess.engine.Limit(depth=4))  # type: ignore[arg-type]  # a board of ours
            assert isinstance(answer.move, Move)
            assert answer.move in board.legal_moves
            board.push(answer.move)
        info = engine.analyse(board, chess.engine.Limit(depth=4))  # type: ignore[call-overload]
        line = info["pv"]
        assert all(isinstance(move, Move) for move in line)
        assert board.variation_san(line)


def test_tables_are_probed() -> None:
    rng = random.Random(4)
    probed = 0
    with chess.syzygy.open_tablebase(str(source() / "data" / "syzygy" / "regular")) as tables:
        for _ in range(300):
            squares = rng.sample(range(64), 3)
            pieces = dict(zip(squares, ["K", "k", rng.choice("QRBNPqrbnp")], strict=True))
            board = Board(None)
            board.set_piece_map(pieces)
            board.turn = rng.random() < 0.5
            if board.is_valid():
                theirs = chess.Board(board.fen())
                assert tables.probe_wdl(board) == tables.probe_wdl(theirs)  # type: ignore[arg-type]
                assert tables.probe_dtz(board) == tables.probe_dtz(theirs)  # type: ignore[arg-type]
                probed += 1
    assert probed > 100


def test_books_are_read(tmp_path: Path) -> None:
    board = Board()
    book = tmp_path / "book.bin"
    entries = [(12 << 6 | 28, 3), (11 << 6 | 27, 1)]
    key = chess.polyglot.zobrist_hash(board)  # type: ignore[arg-type]
    assert key == chess.polyglot.zobrist_hash(board.to_chess())
    book.write_bytes(b"".join(struct.pack(">QHHI", key, move, weight, 0) for move, weight in entries))
    with chess.polyglot.open_reader(book) as reader:
        found = [(entry.move.uci(), entry.weight) for entry in reader.find_all(key)]
    assert found == [("e2e4", 3), ("d2d4", 1)]


def test_keys_of_books_are_those_of_python_chess() -> None:
    rng = random.Random(2)
    theirs, ours = chess.Board(), Board()
    for _ in range(200):
        moves = list(theirs.legal_moves)
        if not moves:
            break
        move = rng.choice(moves)
        theirs.push(move)
        ours.push_uci(move.uci())
        key = chess.polyglot.zobrist_hash(theirs)
        assert chess.polyglot.zobrist_hash(ours) == polyglot.zobrist_hash(ours) == key  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^board: .*, a board of python-chess: expected a rookery\.Board"):
        polyglot.zobrist_hash(theirs)  # type: ignore[arg-type]
    assert chess.polyglot.POLYGLOT_RANDOM_ARRAY == polyglot.POLYGLOT_RANDOM_ARRAY
