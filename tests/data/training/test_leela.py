"""Leela's records, judged field by field by python-chess."""

import gzip
import io
import json
import lzma
import math
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest

from naive_training import Entry
from rookery import Positions, ScoredPositions, encoders, read_training, scan, scan_training, write_training
from rookery.data.training.binary.leela import RECORD
from rookery.data.training.tasks import division
from rookery.positions.features.move_lists import leela_texts
from rookery.sources.failures import DamagedFileError
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


@pytest.mark.parametrize("entries", [games(6), *(tuple(game(seed, plies=4)) for seed in range(3))])
def test_every_field_is_as_python_chess_says(entries: Sequence[Entry]) -> None:
    found = records(rows_of(entries))
    assert len(found) == len(entries)
    i = 0
    for chain in chains(list(entries)):
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


with lzma.open(Path(__file__).parents[2] / "samples/leela_encodings.jsonl.xz", "rt") as encodings:
    CASES = [json.loads(line) for line in encodings]


def ours(case: dict[str, Any]) -> chess.Board:
    """The board of an encoding by lc0, by python-chess."""
    board = chess.Board(case["fen"], chess960=True)
    for text in case["moves"]:
        board.push_uci(text)
    return board


def record_of(case: dict[str, Any], version: int, move: chess.Move | None = None) -> bytes:
    """Pack a record by the published offsets, from the planes and indices that lc0 wrote."""
    board, number, black = ours(case), case["format"], not ours(case).turn
    words = [int(word, 16).to_bytes(8, "little") for word in case["planes_hex"][:104]]
    planes = bytes(int(f"{byte:08b}"[::-1], 2) for word in words for byte in word)
    probabilities = [0.0 if i in set(case["legal_indices"]) else -1.0 for i in range(1858)]
    if move is not None:
        probabilities[index_of(case, board, move)] = 1.0
    rights = []
    for colour in (board.turn, not board.turn):
        king = board.king(colour) or 0
        rooks = [s for s in chess.SquareSet(board.clean_castling_rights()) if board.color_at(s) == colour]
        sides = [s & 7 for s in rooks if s < king], [s & 7 for s in rooks if s > king]
        rights += [0 if not files else 1 if number == 1 else 1 << files[0] for files in sides]
    passing = int(case["planes_hex"][108], 16) >> 56 if number >= 3 else int(black)
    flags = case["transform"] | 128 * black if number >= 3 else 0
    header = struct.pack("<I", version) + (struct.pack("<I", number) if version >= 5 else b"")
    header += struct.pack("<1858f", *probabilities) + planes
    header += bytes([*rights, passing, board.halfmove_clock, flags])
    values = [0.5, 0.25, 0.1, 0.2, 30, 40, 50]
    if version == 3:
        return header + struct.pack("<b", -1)
    if version == 4:
        return header + struct.pack("<b4f", -1, *values[:4])
    if version == 5:
        return header + struct.pack("<b7f", -1, *values)
    record = header + struct.pack("<B15f", 0, *values, -1, 0, *[0.0] * 6)
    record += struct.pack("<IHHff", 1, index_of(case, board, move) if move else 0, 0, 0.0, 0.0)
    return record + (bytes(40) if version == 7 else b"")


def index_of(case: dict[str, Any], board: chess.Board, move: chess.Move) -> int:
    """The index of a move on a board that lc0 has turned: mirrored, and rotated if it is transposed."""
    transform = case["transform"]
    source, target = move.from_square, move.to_square
    if board.is_castling(move):
        rooks = [s for s in chess.SquareSet(board.castling_rights) if board.color_at(s) == board.turn]
        target = next(s for s in rooks if (s > source) == (target > source))
    flips = (0 if board.turn else 56) ^ (7 if transform & 5 else 0) ^ (56 if transform & 6 else 0)
    squares = [source ^ flips, target ^ flips]
    text = "".join(map(chess.square_name, squares))
    return TEXTS.index(text + ("" if move.promotion in (None, chess.KNIGHT) else chess.piece_symbol(move.promotion)))


@pytest.mark.parametrize("version", [3, 4, 5, 6, 7])
def test_records_of_encodings_by_lc0_are_read(version: int) -> None:
    read = 0
    for case in CASES:
        board = ours(case)
        if (version < 5 and case["format"] != 1) or not any(board.legal_moves) or board.halfmove_clock > 255:
            continue
        move = sorted(board.legal_moves, key=str)[read % board.legal_moves.count()]
        data = record_of(case, version, move)
        assert len(data) == {3: 8276, 4: 8292, 5: 8308, 6: 8356, 7: 8396}[version]
        rows = read_training(data, "leela")
        found = chess.Board(rows.positions.to_fens()[0], chess960=True)
        assert (found.board_fen(), found.turn) == (board.board_fen(), board.turn), case
        assert found.clean_castling_rights() == board.clean_castling_rights(), case
        assert found.has_legal_en_passant() == board.has_legal_en_passant(), case
        assert found.halfmove_clock == board.halfmove_clock
        found.push_uci(rows.positions.uci(rows.moves)[0])
        board.push(move)
        assert found.board_fen() == board.board_fen(), case
        assert rows.results.tolist() == [-1]
        q = round(90 * math.tan(1.5637541897 * 0.25))
        assert rows.scores.tolist() == [-32768 if version == 3 else q]
        read += 1
    assert read >= (30 if version < 5 else 200)


@pytest.mark.parametrize("input_format", [1, 2, 3, 4, 5, 132, 133])
@pytest.mark.parametrize("version", [3, 5, 6, 7])
def test_what_is_written_is_read(version: int, input_format: Any) -> None:
    if version < 5 and input_format != 1:
        return
    rows = rows_of(games(8))
    written = encoders.leela_records(rows, version, input_format)
    read = read_training(written.tobytes(), "leela")
    assert len(read) == len(rows)
    assert read.positions.keys().tolist() == rows.positions.keys().tolist()
    assert np.array_equal(read.positions.halfmove_clock, rows.positions.halfmove_clock)
    assert np.array_equal(read.results, rows.results)
    assert np.array_equal(read.moves, rows.moves)
    if version > 3:
        close = np.abs(rows.scores) < 10_000
        assert np.array_equal(read.scores[close], rows.scores[close])
    again = encoders.leela_records(read, version, input_format)
    assert np.array_equal(again["planes"], written["planes"])
    assert np.array_equal(again["probabilities"] >= 0, written["probabilities"] >= 0)


def test_plies_are_counted_from_the_first_record_of_a_game() -> None:
    rows = rows_of(game(3, plies=30))
    read = read_training(encoders.leela_records(rows).tobytes() * 2, "leela")
    expected = rows.plies - rows.plies[0] + int(not rows.positions.turn[0])
    assert read.plies.tolist() == [*expected, *expected]
    assert read.positions.fullmove_number.tolist() == (read.plies // 2 + 1).tolist()


def test_short_term_values_are_means_that_run_backwards() -> None:
    rows = rows_of(game(3, plies=12))
    found = encoders.leela_records(rows, 7)
    white = np.where(rows.positions.turn, 1, -1)
    mean = found["root_q"][-1] * white[-1]
    for i in range(len(rows) - 1, -1, -1):
        if i < len(rows) - 1:
            mean = 5 / 6 * mean + 1 / 6 * found["root_q"][i] * white[i]
        assert found["q_st"][i] == pytest.approx(mean * white[i], abs=1e-6)
    assert found["opponent_idx"].tolist() == [*found["played_idx"][1:], 65_535]
    assert found["next_idx"].tolist() == [*found["played_idx"][2:], 65_535, 65_535]
    assert not found["d_st"].any()


def test_damaged_records_are_errors_after_the_rows_before() -> None:
    data = encoders.leela_records(rows_of(game(1, plies=9))).tobytes()
    for changed, at, reason in (
        (data[:-1], 8 * 8356, "cut short"),
        (data[: 8356 * 3] + b"\x09" + data[8356 * 3 + 1 :], 3 * 8356, "an impossible position"),
        (data[: 8356 * 4 + 7440] + bytes(832) + data[8356 * 4 + 8272 :], 4 * 8356, "an impossible position"),
        (data[: 8356 * 5 + 8344] + b"\xff\xff" + data[8356 * 5 + 8346 :], 5 * 8356, "a move that is not legal"),
    ):
        found: list[ScoredPositions] = []
        with (
            scan_training(changed, "leela") as scan,
            pytest.raises(DamagedFileError, match=f"byte {at:,}: {reason}"),
        ):
            found += scan  # keeps the batches before the error
        assert sum(len(rows) for rows in found) == at // 8356
    with pytest.raises(DamagedFileError, match="byte 0: version 9 of a record: expected 3 to 7"):
        read_training(b"\x09" + data[1:], "leela")
    assert len(read_training(b"", "leela")) == 0


def test_rows_that_it_cannot_hold_are_counted() -> None:
    rows = rows_of(game(1, plies=5))
    rows.moves[4] = 0
    rows.scores[0] = -32_768
    assert write_training(rows, io.BytesIO(), "leela").dropped == {"no score": 1, "no move": 1}
    assert records(ScoredPositions(Positions.concatenate([]))).size == 0


@pytest.mark.parametrize("version", [3, 4, 5, 6, 7])
def test_parts_of_a_file_have_the_rows_of_the_whole(
    version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = rows_of([entry for k in range(12) for entry in game(k, plies=5 + 7 * k)])
    path = tmp_path / "games.leela"
    path.write_bytes(encoders.leela_records(rows, version).tobytes())
    columns = ("number", "ply", "fen", "move", "result")
    whole = scan(path).select(*columns).collect()
    assert len(whole) == len(read_training(path))
    monkeypatch.setattr(division, "_LEAST_OF_LEELA", 1)
    monkeypatch.setattr(division, "_WINDOW", 4)
    size = encoders.leela_records(rows[:1], version).itemsize
    places = [place for place, _ in division.GAMES_OF_LEELA.in_bytes(str(path), 20 * size)]
    starts = np.flatnonzero(rows.plies == rows.plies[0])
    assert len(places) > 5
    assert {place // size for place in places} < set(starts.tolist())
    monkeypatch.setattr(division, "RANGE", 20 * size)
    assert scan(path).select(*columns).collect(threads=2) == whole
