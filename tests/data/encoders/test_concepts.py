"""Concepts for probes, judged by python-chess and by single boards."""

from pathlib import Path

import chess
import numpy as np
import pyarrow.parquet as pq
import pytest

from corpus import corpus
from rookery import Board, Positions, annotate, encoders
from rookery.board.queries import see


def test_concepts_are_what_python_chess_says() -> None:
    fens = [board.fen() for board in corpus(300) if board.is_valid() and not board.chess960][:200]
    positions, boards = Positions.from_fens(fens), [chess.Board(fen) for fen in fens]
    found = encoders.concepts(positions, "attacks, checkers, is_check, legal_mask, legal_moves, mine=us.knights")
    assert {name: found[name].shape for name in found} == {
        "attacks": (200, 64),
        "checkers": (200, 64),
        "is_check": (200,),
        "legal_mask": (200, 4672),
        "legal_moves": (200,),
        "mine": (200, 64),
    }
    for i, board in enumerate(boards):
        attacked = {s for s in chess.SQUARES if board.is_attacked_by(board.turn, s)}
        assert set(np.flatnonzero(found["attacks"][i])) == attacked
        assert set(np.flatnonzero(found["checkers"][i])) == set(board.checkers())
        assert set(np.flatnonzero(found["mine"][i])) == set(board.pieces(chess.KNIGHT, board.turn))
        assert found["is_check"][i] == board.is_check()
        assert found["legal_moves"][i] == board.legal_moves.count() == found["legal_mask"][i].sum()
    assert np.array_equal(found["legal_mask"], positions.policy_mask())


@pytest.mark.parametrize("threads", [1, 2])
def test_exchanges_of_arrays_are_those_of_boards(threads: int) -> None:
    boards = [board for board in corpus(400) if board.is_valid()]
    positions = Positions.from_boards(boards)
    moves = positions.captures()
    values = positions.see(moves, threads=threads)
    best = encoders.concepts(positions, "see", threads=threads)["see"]
    assert values.dtype == best.dtype == np.int32
    at = 0
    for i, fen in enumerate(positions.to_fens()):
        board = Board(fen)
        expected = [see(board, int(word)) for word in moves[i]]
        assert values[at : at + len(expected)].tolist() == expected
        assert best[i] == max(expected, default=0)
        at += len(expected)
    assert at > 500
    one = positions.random_moves(3)
    played = np.flatnonzero(one)
    found = positions[played].see(one[played], threads=threads)
    assert found.tolist() == [see(Board(positions[int(i)].fen()), int(one[i])) for i in played]


def test_motifs_are_concepts_and_features() -> None:
    positions = Positions.from_fens(["4k3/p7/8/3P4/8/P7/8/4K3 w - - 0 1"])
    found = encoders.concepts(positions, {"passed": "passed", "isolated": "isolated(them)"})
    assert np.flatnonzero(found["passed"][0]).tolist() == [chess.D5]
    assert np.flatnonzero(found["isolated"][0]).tolist() == [chess.A7]


def test_masks_and_exchanges_are_columns_of_tables(tmp_path: Path) -> None:
    fens = ["4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", chess.STARTING_FEN]
    (tmp_path / "a.fen").write_text("\n".join(fens))
    annotate(tmp_path / "a.fen", tmp_path / "a.parquet", "see, legal_mask")
    table = pq.read_table(tmp_path / "a.parquet")
    assert table["see"].to_pylist() == [900, 0]
    masks = [np.frombuffer(bytes.fromhex(mask), np.uint8) for mask in table["legal_mask"].to_pylist()]
    bits = [np.unpackbits(mask, bitorder="little") for mask in masks]
    assert np.array_equal(np.array(bits, np.bool_), Positions.from_fens(fens).policy_mask())


def test_wrong_concepts_are_named() -> None:
    positions = Positions.from_boards([Board()])
    with pytest.raises(ValueError, match="names: unknown name"):
        encoders.concepts(positions, "nothing")
    with pytest.raises(ValueError, match=r"names: .*asks about games"):
        encoders.concepts(positions, "elo(us)")
    with pytest.raises(ValueError, match="is not legal in"):
        positions.see([5])
    assert encoders.concepts(positions[:0], "see, legal_mask, attacks")["legal_mask"].shape == (0, 4672)
