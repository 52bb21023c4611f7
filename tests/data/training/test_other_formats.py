"""Viriformat, bulletformat, packed SFEN and plain text, judged by plain Python on python-chess."""

import io
import random
import struct

import chess
import numpy as np
import pytest

from naive_training import (
    WRITERS,
    Entry,
    placement_of_packed_sfen,
    read_viriformat,
    write_bulletformat,
    write_packed_sfen,
    write_plain,
    write_viriformat,
)
from rookery import Positions, ScoredPositions, read_training, scan_training, write_training
from rookery.sources.failures import DamagedFileError
from training_samples import facts, game, games, naive_facts, rows_of

# The example of the specification (github.com/cosmobobak/viriformat, README.md), with the pieces as its program writes
# them: the example shows the halves of each byte in the order of the squares, the program stores the lower half first.
EXAMPLE = bytes.fromhex(
    "ffff00000000ffff 16422561000000008888 88889ecaade9 40 00 0100 0000 02 00"
    "0c070a00 34091400 c309e2ff 3c0dff7f 2709ff7f 00000000".replace(" ", "")
)
BINARY = ("viriformat", "bulletformat", "packed-sfen")


def written(rows: ScoredPositions, name: str) -> bytes:
    file = io.BytesIO()
    write_training(rows, file, name)
    return file.getvalue()


def test_the_example_of_the_specification_of_viriformat() -> None:
    rows = read_training(EXAMPLE, "viriformat")
    moves = [
        rows.positions[i].san(rows.positions[i].parse_uci(uci)) for i, uci in enumerate(rows.positions.uci(rows.moves))
    ]
    assert moves == ["e4", "e5", "Qh5", "Ke7", "Qxe5#"]
    assert rows.white_scores.tolist() == [10, 20, -30, 32_767, 32_767]
    assert rows.white_results.tolist() == [1] * 5
    assert rows.plies.tolist() == [0, 1, 2, 3, 4]
    assert rows.positions[0].fen() == chess.STARTING_FEN
    assert written(rows, "viriformat") == EXAMPLE


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_is_written_as_the_plain_writer_writes_it(name: str) -> None:
    entries = games(30)
    assert written(rows_of(entries), name) == WRITERS[name](entries)


@pytest.mark.parametrize("name", sorted({*WRITERS} - {"bulletformat"}))
def test_every_format_but_bulletformat_gives_back_the_same_rows(name: str) -> None:
    entries = games(30)
    assert facts(read_training(WRITERS[name](entries), name)) == naive_facts(entries)
    assert read_training(written(rows_of(entries), name), name) == rows_of(entries)


def test_viriformat_is_read_by_the_plain_reader() -> None:
    entries = games(20)
    assert naive_facts(read_viriformat(written(rows_of(entries), "viriformat"))) == naive_facts(entries)


def test_viriformat_holds_games_of_chess960() -> None:
    for number in (0, 1, 77, 518, 900, 959):
        entries = game(number, chess.Board.from_chess960_pos(number), plies=150)
        rows = rows_of(entries)
        data = written(rows, "viriformat")
        assert data == write_viriformat(entries)
        again = read_training(data, "viriformat")
        assert again.moves.tolist() == rows.moves.tolist()
        assert again.positions.to_fens() == rows.positions.to_fens()
        assert [e.move for e in read_viriformat(data)] == [e.move for e in entries]


def test_bulletformat_is_turned_so_that_white_is_to_move() -> None:
    entries = games(10)
    rows = read_training(write_bulletformat(entries), "bulletformat")
    boards = [e.board if e.board.turn else e.board.mirror() for e in entries]
    assert [fen.split()[:4] for fen in rows.positions.to_fens()] == [[b.board_fen(), "w", "-", "-"] for b in boards]
    assert rows.scores.tolist() == [e.score for e in entries]
    assert rows.results.tolist() == [e.result for e in entries]
    assert not rows.moves.any()
    assert written(rows, "bulletformat") == write_bulletformat(entries)


def test_packed_sfens_with_any_bits_are_read_as_plain_python_reads_them() -> None:
    rng, whole, read = random.Random(5), write_packed_sfen(games(30)), 0
    for k in range(800):
        at = rng.randrange(len(whole) // 40) * 40
        entry = bytearray(whole[at : at + 32] + bytes(8))
        if k % 4 == 1:
            entry[rng.randrange(32)] ^= 1 << rng.randrange(8)
        elif k % 4 == 2:
            start = rng.randrange(2, 31)
            entry[start:32] = bytes(rng.choice((0, 255)) for _ in range(32 - start))
        elif k % 4 == 3:
            entry[rng.randrange(2, 32)] = 0
        expected = placement_of_packed_sfen(bytes(entry))
        if expected is None:
            with pytest.raises(DamagedFileError, match="four bits that stand for no piece"):
                read_training(bytes(entry), "packed-sfen")
            continue
        try:
            fen = read_training(bytes(entry), "packed-sfen").positions.to_fens()[0].split()
        except DamagedFileError as error:
            reason = str(error)
        else:
            reason, read = "", read + 1
            assert (fen[0], fen[1] == "b") == expected
        assert "four bits" not in reason
    assert read > 200


def test_packed_sfens_of_the_longest_positions_and_the_largest_numbers() -> None:
    full = chess.Board("rnbqkbnr/pppp1ppp/8/8/3Pp3/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 2")
    late = chess.Board("4k3/8/8/8/8/8/8/4K2R w - - 127 65535")
    entries = [
        Entry(full, chess.Move.from_uci("e4d3"), -32_767, -1, 65_535),
        Entry(late, chess.Move.null(), 32_767, 0, 0),
    ]
    data = write_packed_sfen(entries)
    assert written(rows_of(entries), "packed-sfen") == data
    assert facts(read_training(data, "packed-sfen")) == naive_facts(entries)


@pytest.mark.parametrize("name", BINARY)
def test_a_binary_file_cut_short_is_an_error_that_says_where(name: str) -> None:
    entries = game(5, plies=12)
    data = WRITERS[name](entries)
    whole = {len(WRITERS[name](entries[:n])) for n in range(len(entries) + 1)} if name != "viriformat" else {len(data)}
    for n in range(1, len(data)):
        if n in whole:
            assert len(read_training(data[:n], name)) < len(entries)
            continue
        found: list[ScoredPositions] = []
        with pytest.raises(DamagedFileError, match=r"the bytes: byte [0-9,]+: cut short"):
            found.extend(scan_training(data[:n], name))
        rows = ScoredPositions.concatenate(found)
        assert rows.scores.tolist() == [e.score for e in entries[: len(rows)]]


@pytest.mark.parametrize("name", BINARY)
def test_random_damage_is_an_error_or_other_positions_that_can_be_played_on(name: str) -> None:
    data = WRITERS[name](games(3))
    rng = random.Random(7)
    for _ in range(200):
        bad = bytearray(data)
        for _ in range(rng.choice((1, 1, 5))):
            bad[rng.randrange(len(bad))] = rng.randrange(256)
        try:
            rows = read_training(bytes(bad), name)
        except DamagedFileError as error:
            assert "byte" in str(error)  # noqa: PT017
        else:
            assert rows.positions.is_valid(strict=False).all()
            moved = rows[rows.moves != 0]
            moved.positions.play(moved.moves)  # raises if a move is not legal


@pytest.mark.parametrize(
    ("name", "at", "value", "message"),
    [
        ("viriformat", 24, b"\x41", "byte 0: an en-passant square over 64"),
        ("viriformat", 24, b"\x10", "byte 0: an impossible position"),
        ("viriformat", 30, b"\x03", "byte 0: an unknown result code"),
        ("viriformat", 8, b"\x77", "byte 0: four bits that stand for no piece, or more than 32 pieces"),
        ("viriformat", 32, b"\x00\x01", "byte 32: a move that is not legal"),
        ("bulletformat", 26, b"\x03", "byte 0: an unknown result code"),
        ("bulletformat", 8, b"\x06", "byte 0: four bits that stand for no piece, or more than 32 pieces"),
        ("bulletformat", 32, b"\0" * 8, "byte 32: an impossible position"),
        ("packed-sfen", 38, b"\x02", "byte 0: an unknown result code"),
        ("packed-sfen", 34, b"\x41\x01", "byte 0: a move that is not legal"),
        ("packed-sfen", 40, b"\0" * 32, "byte 40: an impossible position"),
        ("packed-sfen", 0, b"\xff" * 32, "byte 0: four bits that stand for no piece, or more than 32 pieces"),
    ],
)
def test_a_fault_is_an_error_that_says_where(name: str, at: int, value: bytes, message: str) -> None:
    data = bytearray(WRITERS[name](game(5, plies=5)))
    data[at : at + len(value)] = value
    with pytest.raises(DamagedFileError, match=message):
        read_training(bytes(data), name)


def test_viriformat_may_leave_counters_at_zero() -> None:
    data = EXAMPLE[:26] + bytes(2) + EXAMPLE[28:]
    assert read_training(data, "viriformat").plies.tolist() == [0, 1, 2, 3, 4]


def test_a_game_without_moves_has_no_rows() -> None:
    assert len(read_training(EXAMPLE[:32] + bytes(4) + EXAMPLE, "viriformat")) == 5


def test_empty_files_have_no_rows() -> None:
    for name in ("binpack", *BINARY, "plain", "text"):
        assert len(read_training(b"", name)) == 0
        assert written(rows_of([]), name) == b"" if name != "text" else True


# Plain text.


def test_plain_text_is_read_with_blank_lines_and_ends_of_windows() -> None:
    entries = game(2, plies=9)
    text = write_plain(entries).replace("\n", "\r\n").replace("e\r\n", "e\r\n\r\n")
    assert facts(read_training(text.encode(), "plain")) == naive_facts(entries)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("score 5", "score x", "line 6: score 'x': expected -32,767 to 32,767"),
        ("score 5", "score 40000", "line 6: score '40000': expected -32,767 to 32,767"),
        ("ply 0", "ply -1", "line 6: ply '-1': expected 0 to 1,000,000"),
        ("result 1", "result 2", "line 6: result '2': expected 1, 0 or -1"),
        ("move e2e4", "move e2e5", "line 6: move: 'e2e5' is not legal in '.*'"),
        ("fen rnbq", "fen rnbx", "line 6: FEN '.*': .*"),
        ("ply 0\n", "", "line 5: 'fen move score result': expected one line each of fen, move, score, ply, result"),
        ("ply 0\n", "score 7\n", "expected one line each of"),
    ],
)
def test_a_bad_entry_of_plain_text_is_an_error_or_left_out(old: str, new: str, message: str) -> None:
    good = "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\nmove e2e4\nscore 5\nply 0\nresult 1\ne\n"
    assert old in good
    with pytest.raises(DamagedFileError, match=message):
        read_training(good.replace(old, new).encode(), "plain")
    with scan_training((good + good.replace(old, new)).encode(), "plain", errors="skip") as scan:
        assert sum(map(len, scan)) == 1
    assert len(scan.bad_rows) == 1


def test_plain_text_that_ends_inside_an_entry_is_cut_short() -> None:
    good = "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\nmove e2e4\nscore 5\nply 0\nresult 1\ne\n"
    with scan_training((good + good[:-2]).encode(), "plain", errors="skip") as scan:
        assert len(next(scan)) == 1
        with pytest.raises(DamagedFileError, match="cut short: the file ends in the middle of an entry"):
            next(scan)


# CSV, and lines of FEN and score.


def test_the_columns_of_lichess_are_known() -> None:
    text = (
        "fen,line,depth,knodes,cp,mate\n"
        "8/8/8/4k3/8/8/4P3/4K3 w - -,e2e4 e5e4,30,100,310,\n"
        "8/8/8/4k3/8/8/4P3/4K3 b - -,e5e4,30,100,310,\n"
        "6k1/5ppp/8/8/8/8/8/R3K3 w Q -,a1a8,30,100,,1\n"
        "R5k1/5ppp/8/8/8/8/8/4K3 b - -,,30,100,,0\n"
        "6k1/5ppp/8/8/8/8/8/R3K3 b - -,h7h6,30,100,,-3\n"
    )
    rows = read_training(text.encode(), "csv")
    assert rows.scores.tolist() == [310, -310, 31_999, -32_000, 31_995]
    assert rows.positions.uci(rows.moves).tolist() == ["e2e4", "e5e4", "a1a8", "0000", "h7h6"]
    assert not rows.has_result.any()


def test_scores_and_results_of_csv() -> None:
    text = "score\tFEN\tresult\tmove\tply\n"
    text += "-7\t8/8/8/4k3/8/8/4P3/4K3 b - - 0 5\t1-0\tKe4\t\n\t4k3/8/8/8/8/8/8/4K3 w - -\t*\t\t4\n"
    rows = read_training(text.encode(), "csv")
    assert rows.scores.tolist() == [-7, -32_768]
    assert rows.results.tolist() == [-1, -128]
    assert rows.plies.tolist() == [9, 4]
    assert rows.positions.uci(rows.moves).tolist() == ["e5e4", "0000"]


def test_bad_rows_of_csv_are_listed() -> None:
    text = "fen,cp,result\nx,5,1-0\n4k3/8/8/8/8/8/8/4K3 w - -,5,1-0\n4k3/8/8/8/8/8/8/4K3 w - -,y,1-0\n,,\n4k3,5\n"
    with scan_training(text.encode(), "csv", errors="skip") as scan:
        assert sum(map(len, scan)) == 1
    assert [(bad.line, bad.text) for bad in scan.bad_rows] == [
        (2, "x,5,1-0"), (4, "4k3/8/8/8/8/8/8/4K3 w - -,y,1-0"), (5, ",,"), (6, "4k3,5"),
    ]  # fmt: skip
    assert scan.bad_rows[1].reason == "cp 'y': expected -32,767 to 32,767"
    assert scan.bad_rows[3].reason == "2 fields: expected at least 3"


def test_lines_of_fen_and_score_are_of_white() -> None:
    kings = "4k3/8/8/8/8/8/8/4K3"
    text = f"{kings} b - - 0 1 | 100 | 1.0\n{kings} w - - 0 1 | -20 | 0.5\n{kings} w - - 0 1 | 3\n"
    rows = read_training(text.encode(), "text")
    assert rows.scores.tolist() == [-100, -20, 3]
    assert rows.results.tolist() == [-1, 0, -128]


def test_a_csv_file_needs_names_of_columns() -> None:
    for text in (b"a,b\n1,2\n", b"fen,b\n"):
        with pytest.raises(DamagedFileError, match=r"line 1: .*: expected the names of columns: fen, one of"):
            read_training(text, "csv")


def test_a_line_of_more_than_a_mebibyte_is_an_error() -> None:
    with pytest.raises(DamagedFileError, match="byte 4: a line of more than 1,048,576 bytes"):
        read_training(b"fen\n" + b"x" * (3 << 20), "text", errors="skip")


def test_text_may_hold_anything() -> None:
    rng = np.random.default_rng(5)
    for name in ("plain", "text", "csv"):
        for _ in range(20):
            data = rng.integers(0, 256, 5000, np.uint8).tobytes()
            data = b"fen,cp\n" + data if name == "csv" else data + b"\ne\n"
            assert len(read_training(data, name, errors="skip")) == 0


def test_scores_are_little_endian_in_the_formats_of_bullet() -> None:
    positions = Positions.from_fens(["4k3/8/8/8/8/8/8/4K3 w - - 0 1"])
    data = written(ScoredPositions(positions, scores=[-2], results=[0]), "bulletformat")
    assert struct.unpack("<h", data[24:26]) == (-2,)
