"""Files of training data: names, packing, batches, what is dropped, and files that are replaced as a whole."""

import gzip
import io
from pathlib import Path

import chess
import chess.pgn
import numpy as np
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

import rookery
from naive_training import Entry, write_binpack, write_viriformat
from rookery import Positions, ScoredPositions, TrainingWriter, read_training, scan_training, write_training
from rookery.sources.failures import DamagedFileError
from training_samples import facts, game, games, naive_facts, rows_of

NAMES = ("a.binpack", "a.vf", "a.viriformat", "a.viri", "a.plain", "a.bin", "A.BINPACK", "a.binpack.zst", "a.vf.gz")
DATA = Path("docs/lichess-2025-05.pgn.zst")


@pytest.mark.parametrize("name", NAMES)
def test_the_suffix_says_the_format_and_the_packing(name: str, tmp_path: Path) -> None:
    entries = games(5)
    written = write_training(rows_of(entries), tmp_path / name)
    assert (written.written, written.dropped) == (len(entries), {})
    assert facts(read_training(tmp_path / name)) == naive_facts(entries)
    with (tmp_path / name).open("rb") as file:
        assert facts(read_training(file)) == naive_facts(entries)


def test_packed_files_are_those_of_other_programs(tmp_path: Path) -> None:
    entries = game(1)
    write_training(rows_of(entries), tmp_path / "a.binpack.zst")
    write_training(rows_of(entries), tmp_path / "a.vf.gz")
    packed = (tmp_path / "a.binpack.zst").read_bytes()
    assert zstandard.ZstdDecompressor().decompressobj().decompress(packed) == write_binpack(entries)
    assert gzip.decompress((tmp_path / "a.vf.gz").read_bytes()) == write_viriformat(entries)
    (tmp_path / "b.binpack.zst").write_bytes(packed[:-9])
    with pytest.raises(DamagedFileError, match=r"b\.binpack\.zst: cut short|damaged zstd"):
        read_training(tmp_path / "b.binpack.zst")


def test_a_format_is_named_or_taken_from_the_suffix(tmp_path: Path) -> None:
    rows = rows_of(game(1, plies=3))
    with pytest.raises(ValueError, match=r"target: '.*a\.xyz': expected a name that ends in .*, or a format"):
        write_training(rows, tmp_path / "a.xyz")
    with pytest.raises(ValueError, match="format: 'csv': expected one of binpack, viriformat, "):
        write_training(rows, tmp_path / "a.binpack", "csv")
    with pytest.raises(ValueError, match="source: it has no name that says its format"):
        read_training(b"")
    write_training(rows, tmp_path / "a.xyz", "viriformat")
    assert read_training(tmp_path / "a.xyz", "viriformat") == rows


def test_a_file_appears_only_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "a.binpack"
    path.write_bytes(b"before")
    rows = rows_of(game(1))

    def broken() -> object:
        yield rows
        assert path.read_bytes() == b"before"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_training(broken(), path)  # type: ignore[arg-type]
    assert [file.name for file in tmp_path.iterdir()] == ["a.binpack"]
    assert path.read_bytes() == b"before"
    write_training(rows, path)
    assert read_training(path) == rows


def test_a_writer_counts_and_can_be_closed_twice(tmp_path: Path) -> None:
    rows = rows_of(game(1, plies=9))
    writer = TrainingWriter(tmp_path / "a.vf")
    assert [writer.append(rows[:4]), writer.append(rows[4:]), writer.append(rows[:0])] == [4, len(rows) - 4, 0]
    assert writer.close() == writer.close()
    assert writer.close().written == len(rows)
    with pytest.raises(ValueError, match="rows: the writer is closed"):
        writer.append(rows)
    assert read_training(tmp_path / "a.vf") == rows


ODD = Positions.from_fens(
    [
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "8/8/8/8/8/8/8/4K3 w - - 0 1",  # no king
        "4k3/8/8/8/8/8/8/1R2K3 w B - 0 1",  # castling that only Chess960 has
        "4k3/8/8/8/8/8/8/4K3 w - - 200 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 300 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 70000",
    ]
)


@pytest.mark.parametrize(
    ("name", "dropped"),
    [
        ("binpack", {"Chess960 castling": 1, "half-move clock over 255": 1, "number of plies over 16,383": 1}),
        ("viriformat", {"no move": 1, "half-move clock over 255": 1, "full-move number over 65,535": 1}),
        ("bulletformat", {}),
        ("plain", {}),
        ("packed-sfen", {"Chess960 castling": 1, "half-move clock over 127": 2, "full-move number over 65,535": 1}),
    ],
)
def test_what_a_format_cannot_hold_is_counted(name: str, dropped: dict[str, int]) -> None:
    positions = Positions.concatenate([ODD, ODD[:1], ODD[:1], ODD[:1], ODD[:1]])
    moves = np.full(10, 4 | 5 << 6)
    moves[6] = 4 | 60 << 6  # not legal
    moves[7] = 0
    scores, results = np.zeros(10, int), np.zeros(10, int)
    scores[8], results[9] = -32_768, -128
    file = io.BytesIO()
    found = write_training(ScoredPositions(positions, moves=moves, scores=scores, results=results), file, name)
    expected = {"no score": 1, "no result": 1} | dropped
    if name != "plain":
        expected["impossible position"] = 1
    if name != "bulletformat":
        expected["illegal move"] = 1
    assert found.dropped == expected
    assert found.written + sum(found.dropped.values()) == 10
    assert len(read_training(file.getvalue(), name)) == found.written
    drawn = write_training(
        ScoredPositions(positions, moves=moves, scores=scores, results=results), io.BytesIO(), name, no_result="draw"
    )
    assert drawn.written == found.written + 1


@pytest.mark.parametrize("name", ["binpack", "viriformat", "bulletformat", "plain", "packed-sfen", "leela"])
def test_a_placeholder_of_a_bad_line_is_dropped(name: str) -> None:
    positions = Positions.from_fens(["x", "4k3/8/8/8/8/8/8/4K3 w - -"], errors="mark")
    rows = ScoredPositions(positions, moves=[0, 4 | 5 << 6], scores=[1, 2], results=[0, 0])
    found = write_training(rows, io.BytesIO(), name)
    assert (found.written, sum(found.dropped.values())) == (1, 1)


def test_every_format_says_what_it_loses_of_each_row() -> None:
    rows = rows_of(game(1, plies=2))
    lost = {name: write_training(rows, io.BytesIO(), name).lost for name in ("binpack", "bulletformat", "plain")}
    assert lost["plain"] == ()
    assert "castling rights" in lost["bulletformat"]
    assert lost["binpack"][0].startswith("full-move numbers")


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 300), st.integers(0, 40), st.integers(1, 12)), max_size=6), st.integers(1, 50))
def test_any_mixture_of_parts_of_games_comes_back(parts: list[tuple[int, int, int]], batch: int) -> None:
    entries = [entry for seed, start, n in parts for entry in game(seed, plies=45)[start : start + n]]
    rows = rows_of(entries)
    for name, naive in (("binpack", write_binpack), ("viriformat", write_viriformat)):
        file = io.BytesIO()
        write_training((rows[i : i + batch] for i in range(0, len(rows), batch)), file, name)
        assert file.getvalue() == naive(entries)
        with scan_training(file.getvalue(), name, batch=batch) as scan:
            assert [fact for part in scan for fact in facts(part)] == naive_facts(entries)


# ScoredPositions.


def test_columns_are_checked() -> None:
    positions = Positions.from_fens(["4k3/8/8/8/8/8/8/4K3 w - -"] * 2)
    for columns, message in (
        ({"scores": [1]}, r"scores: shape \(1,\): expected \(2,\), one value for each position"),
        ({"scores": [1, 40_000]}, r"scores\[1\]: 40000: expected -32768 to 32767"),
        ({"results": [0, 2]}, r"results\[1\]: 2: expected 1, 0, -1 or -128 for none"),
        ({"plies": [0, -(1 << 40)]}, r"plies\[1\]: "),
    ):
        with pytest.raises(ValueError, match=message):
            ScoredPositions(positions, **columns)
    with pytest.raises(TypeError, match="scores: an array of float64: expected int16"):
        ScoredPositions(positions, scores=[0.5, 1])


def test_rows_are_selected_as_those_of_an_array() -> None:
    rows = rows_of(game(1, plies=20))
    assert [len(rows[3]), len(rows[-1]), len(rows[2:9]), len(rows[rows.scores > 9**9])] == [1, 1, 7, 0]
    assert rows[np.array([5, 3])].plies.tolist() == [5, 3]
    assert ScoredPositions.concatenate([rows[:7], rows[7:]]) == rows
    assert [row.plies[0] for row in rows] == rows.plies.tolist()
    with pytest.raises(IndexError, match="index: 99 is outside the 20 scored positions"):
        rows[99]


def test_rows_of_games_are_those_that_python_chess_finds() -> None:
    text = zstandard.ZstdDecompressor().decompressobj().decompress(DATA.read_bytes()).decode()
    mate = '[Result "0-1"]\n\n1. f3 { [%eval -0.5] } 1... e5 { [%eval -0.4] } 2. g4 { [%eval #-1] } 2... Qh4# 0-1\n\n'
    rows = ScoredPositions.from_games(rookery.read_pgn((mate + text).encode()))
    entries, stream = [], io.StringIO(mate + text)
    while (read := chess.pgn.read_game(stream)) is not None:
        outcome = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}.get(read.headers["Result"])
        node: chess.pgn.GameNode | None = read
        while node is not None:
            board, after = node.board(), node.next()
            found = node.eval()
            score = -32_768
            if found is not None:
                relative = found.relative
                mate_in = relative.mate()
                score = relative.score() or 0
                if mate_in is not None:
                    score = 32_000 - (2 * mate_in - 1) if mate_in > 0 else -32_000 - 2 * mate_in
            result = -128 if outcome is None else outcome if board.turn else -outcome
            ply = 2 * (board.fullmove_number - 1) + (not board.turn)
            entries.append(Entry(board, after.move if after else chess.Move.null(), score, result, ply))
            node = after
    assert facts(rows) == naive_facts(entries)
    assert rows.scores[rows.scores > 31_000].tolist() == [31_999]


class Trickle(io.BytesIO):
    """A file that gives few bytes at a time, like a slow pipe."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(min(37, 37 if size is None or size < 0 else size))


@pytest.mark.parametrize("name", ["binpack", "viriformat", "bulletformat", "plain", "packed-sfen"])
def test_chunks_of_any_size_hold_the_same_rows(name: str) -> None:
    entries = game(3, plies=40)
    file = io.BytesIO()
    write_training(rows_of(entries), file, name)
    assert read_training(Trickle(file.getvalue()), name) == read_training(file.getvalue(), name)
