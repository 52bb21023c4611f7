"""Leela's records, judged field by field by python-chess."""

import gzip
import io
import math
import struct
from pathlib import Path

import chess
import numpy as np
import pytest

from naive_training import Entry
from rookery import Positions, ScoredPositions, read_training, write_training
from rookery.data.training.binary.leela import RECORD
from rookery.positions.features.move_lists import leela_texts
from training_samples import game, games, rows_of

TEXTS = leela_texts()  # itself compared with Leela's list in tests/positions


def records(rows: ScoredPositions) -> np.ndarray[tuple[int], np.dtype[np.void]]:
    file = io.BytesIO()
    write_training(rows, file, "leela")
    return np.frombuffer(file.getvalue(), RECORD)


def seen(board: chess.Board, black: bool) -> list[int]:
    """Return twelve planes of a position as Leela's records store them, from one side."""
    board = board.mirror() if black else board
    found = []
    for colour in (True, False):
        for piece in chess.PIECE_TYPES:
            plane = 0
            for square in board.pieces(piece, colour):
                plane |= 1 << (8 * chess.square_rank(square) + 7 - chess.square_file(square))
            found.append(plane)
    return found


def policy_text(board: chess.Board, move: chess.Move) -> str:
    """Return a move as Leela names it: from the mover's side, castling as king takes rook, no sign for a knight."""
    target = move.to_square
    if board.is_castling(move):
        target = chess.square(7 if target > move.from_square else 0, chess.square_rank(target))
    flip = 0 if board.turn else 56
    text = chess.square_name(move.from_square ^ flip) + chess.square_name(target ^ flip)
    return text + ("" if move.promotion in (None, chess.KNIGHT) else chess.piece_symbol(move.promotion))


def chains(entries: list[Entry]) -> list[list[Entry]]:
    found: list[list[Entry]] = []
    for entry in entries:
        if found and found[-1][-1].ply + 1 == entry.ply and found[-1][-1].result == -entry.result:
            board = found[-1][-1].board.copy(stack=False)
            board.push(found[-1][-1].move)
            if board.fen(en_passant="legal") == entry.board.fen(en_passant="legal"):
                found[-1].append(entry)
                continue
        found.append([entry])
    return found


def test_a_record_has_the_published_size() -> None:
    assert RECORD.itemsize == 8356 == struct.calcsize("<2I1858f104Q8B15fIHHfI")


def test_every_field_is_as_python_chess_says() -> None:
    entries = list(games(6))
    found = records(rows_of(entries))
    assert len(found) == len(entries)
    i = 0
    for chain in chains(entries):
        keys: list[str] = []
        for k, (board, move, score, result, _) in enumerate(chain):
            record = found[i]
            i += 1
            black = not board.turn
            keys.append(" ".join(board.fen(en_passant="legal").split()[:4]))
            planes: list[int] = []
            for back in range(8):
                if k - back < 0:
                    planes += [0] * 13
                    continue
                repeated = keys[k - back] in keys[: k - back]
                planes += [*seen(chain[k - back].board, black), (1 << 64) - 1 if repeated else 0]
            assert record["planes"].tolist() == planes
            legal = {policy_text(board, one) for one in board.legal_moves}
            assert {TEXTS[j] for j in np.flatnonzero(record["probabilities"] >= 0)} == legal
            assert record["probabilities"].max() == 1
            assert TEXTS[int(record["probabilities"].argmax())] == policy_text(board, move)
            assert record["played_idx"] == record["best_idx"] == record["probabilities"].argmax()
            us = board.turn
            assert [record[f"castling_{name}"] for name in ("us_ooo", "us_oo", "them_ooo", "them_oo")] == [
                board.has_queenside_castling_rights(us),
                board.has_kingside_castling_rights(us),
                board.has_queenside_castling_rights(not us),
                board.has_kingside_castling_rights(not us),
            ]
            assert (record["version"], record["input_format"]) == (6, 1)
            assert (record["side_to_move"], record["rule50_count"]) == (black, board.halfmove_clock)
            q = max(-1.0, min(1.0, math.atan(score / 90) / 1.5637541897))
            assert all(math.isclose(record[f"{name}_q"], q, abs_tol=1e-6) for name in ("root", "best", "played"))
            assert all(math.isnan(record[f"orig_{name}"]) for name in "qdm")
            assert (record["result_q"], record["result_d"]) == (result, result == 0)
            assert record["plies_left"] == len(chain) - k


def test_batches_do_not_matter(tmp_path: Path) -> None:
    rows = rows_of(games(5))
    write_training((rows[i : i + 11] for i in range(0, len(rows), 11)), tmp_path / "a.leela.gz")
    assert gzip.decompress((tmp_path / "a.leela.gz").read_bytes()) == records(rows).tobytes()


def test_it_is_only_written() -> None:
    with pytest.raises(ValueError, match="format: 'leela': expected one of binpack"):
        read_training(b"", "leela")


def test_rows_that_it_cannot_hold_are_counted() -> None:
    rows = rows_of(game(1, plies=5))
    rows.moves[4] = 0
    rows.scores[0] = -32_768
    assert write_training(rows, io.BytesIO(), "leela").dropped == {"no score": 1, "no move": 1}
    assert records(ScoredPositions(Positions.concatenate([]))).size == 0
