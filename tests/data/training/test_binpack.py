"""Binpacks, judged by a reader and a writer in plain Python on python-chess."""

import io
import random

import chess
import pytest

from naive_training import Entry, read_binpack, write_binpack
from rookery import ScoredPositions, read_training, scan_training, write_training
from rookery.sources.failures import DamagedFileError
from training_samples import facts, game, games, naive_facts, rows_of

ODD = (
    "4k3/8/8/8/8/8/8/4K3 w - - 99 200",  # bare kings, and a clock near the draw
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",  # 32 pieces
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 3 9",
    "8/8/8/1k6/3Pp2R/8/8/4K3 b - d3 0 1",  # en passant
    "8/8/8/8/R2Pp2k/8/8/4K3 b - d3 0 1",  # en passant that exposes the king
    "8/P6k/8/8/8/8/p6K/8 w - - 0 1",  # promotions
    "3r3k/2P5/8/8/8/8/8/4K3 w - - 0 1",
    "4k3/4r3/8/8/8/3n4/8/4K3 w - - 0 1",  # double check
    "6k1/8/8/8/8/8/8/QQQQQQQK b - - 0 1",
)


def written(rows: object) -> bytes:
    file = io.BytesIO()
    write_training(rows, file, "binpack")  # type: ignore[arg-type]
    return file.getvalue()


def test_it_reads_what_the_plain_writer_writes() -> None:
    entries = games()
    assert facts(read_training(write_binpack(entries), "binpack")) == naive_facts(entries)


def test_it_writes_what_the_plain_writer_writes() -> None:
    entries = games()
    assert written(rows_of(entries)) == write_binpack(entries)


def test_the_plain_reader_reads_what_it_writes() -> None:
    entries = games(20)
    assert naive_facts(read_binpack(written(rows_of(entries)))) == naive_facts(entries)


@pytest.mark.parametrize("fen", ODD)
def test_odd_positions(fen: str) -> None:
    board = chess.Board(fen)
    for move in board.legal_moves:
        ply = 2 * (board.fullmove_number - 1) + (not board.turn)
        for score in (0, 32_767, -32_767):
            entries = [Entry(board, move, score, 1, ply), *game(3, _after(board, move), plies=2)]
            assert facts(read_training(written(rows_of(entries)), "binpack")) == naive_facts(entries)
            assert written(rows_of(entries)) == write_binpack(entries)


def _after(board: chess.Board, move: chess.Move) -> chess.Board:
    after = board.copy(stack=False)
    after.push(move)
    return after


def test_rows_without_a_move_are_chains_of_their_own() -> None:
    entries = [entry._replace(move=chess.Move.null()) for entry in game(1, plies=5)]
    assert len(written(rows_of(entries))) == 8 + 5 * 34
    assert written(rows_of(entries)) == write_binpack(entries)
    assert facts(read_training(written(rows_of(entries)), "binpack")) == naive_facts(entries)


def test_a_chain_goes_on_from_one_batch_to_the_next() -> None:
    rows = rows_of(game(5, plies=100))
    assert written(rows[i : i + 7] for i in range(0, len(rows), 7)) == written(rows)


def test_a_row_out_of_place_begins_a_chain() -> None:
    entries = game(5, plies=60)
    random.Random(1).shuffle(entries)
    assert written(rows_of(entries)) == write_binpack(entries)


def test_blocks_end_after_a_mebibyte() -> None:
    rows = rows_of([entry._replace(move=chess.Move.null()) for entry in game(5, plies=100)])
    data = written(rows for _ in range(400))
    assert len(data) == 2 * 8 + 400 * len(rows) * 34
    first = int.from_bytes(data[4:8], "little")
    assert 1 << 20 <= first < (1 << 20) + 34
    assert data[first + 8 : first + 12] == b"BINP"
    assert sum(map(len, scan_training(data, "binpack"))) == 400 * len(rows)


def test_batches_of_any_size_hold_the_same_rows() -> None:
    entries = games(20)
    data = write_binpack(entries)
    for size in (1, 7, 64, 100_000):
        with scan_training(data, "binpack", batch=size) as scan:
            parts = list(scan)
        assert max(map(len, parts)) <= size
        assert [fact for part in parts for fact in facts(part)] == naive_facts(entries)


def test_a_file_cut_short_is_an_error_that_says_where_after_what_could_be_read() -> None:
    entries = game(5, plies=30)
    data = write_binpack(entries)
    for n in range(1, len(data)):
        found: list[ScoredPositions] = []
        with pytest.raises(DamagedFileError, match=r"the bytes: byte [0-9,]+: (cut short|expected a block)"):
            found.extend(scan_training(data[:n], "binpack"))
        assert [fact for part in found for fact in facts(part)] == naive_facts(entries)[: sum(map(len, found))]


@pytest.mark.parametrize(
    ("at", "value", "message"),
    [
        (0, b"X", "byte 0: expected a block that begins with BINP"),
        (7, b"\xff", "byte 0: a block of more than 104,857,600 bytes"),
        (4, b"\x10\0\0\0", "byte 8: a block that ends in the middle of a chain"),
        (8, b"\xff" * 5, "byte 8: four bits that stand for no piece, or more than 32 pieces"),
        (16, b"\0" * 16, "byte 8: an impossible position"),
        (16, b"\x1a", "byte 8: an impossible position"),
        (32, b"\x0c\x00", "byte 8: a move that is not legal"),
        (36, b"\xc0", "byte 8: an unknown result code"),
        (32, b"\0\0", "byte 8: half-moves after a position without a move"),
        (42, b"\xff" * 4, "byte 42: a move that is not legal"),
    ],
)
def test_a_fault_is_an_error_that_says_where(at: int, value: bytes, message: str) -> None:
    data = bytearray(write_binpack(game(5, plies=5)))
    data[at : at + len(value)] = value
    with pytest.raises(DamagedFileError, match=message):
        read_training(bytes(data), "binpack")


def test_a_castling_rook_must_stand_in_a_corner() -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/1R2K3 w - - 0 1")
    data = bytearray(write_binpack([Entry(board, chess.Move(4, 5), 0, 0, 0)]))
    data[16] = data[16] & 0xF0 | 13
    with pytest.raises(DamagedFileError, match="byte 8: a rook that may castle and stands in no corner"):
        read_training(bytes(data), "binpack")


def test_what_chess960_positions_with_kings_off_the_e_file_say_is_read() -> None:
    board = chess.Board("5k2/8/8/8/8/8/8/R4K2 w Q - 0 1", chess960=True)
    entries = [Entry(board, chess.Move(5, 0), 10, 1, 0)]
    after = board.copy(stack=False)
    after.push(chess.Move(5, 0))
    entries.append(Entry(after, chess.Move(61, 60), -5, -1, 1))
    rows = read_training(write_binpack(entries), "binpack")
    assert rows.positions.to_fens() == [e.board.fen() for e in entries]
    assert rows.moves.tolist() == [5 | 3 << 14, 61 | 60 << 6]


def test_random_damage_is_an_error_or_other_legal_games() -> None:
    data = write_binpack(games(3))
    rng = random.Random(7)
    for _ in range(300):
        bad = bytearray(data)
        for _ in range(rng.choice((1, 1, 5))):
            bad[rng.randrange(len(bad))] = rng.randrange(256)
        try:
            rows = read_training(bytes(bad), "binpack")
        except DamagedFileError as error:
            assert "byte" in str(error)  # noqa: PT017
        else:
            assert rows.positions.is_valid(strict=False).all()
            rows[rows.moves != 0].positions.play(rows.moves[rows.moves != 0])  # raises if a move is not legal
