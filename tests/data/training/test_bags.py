"""Records of searchless chess, judged by files that bagz 0.3.8 wrote, and read back by bagz where it is installed."""

import gzip
import io
import json
import math
import struct
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest
import zstandard

from rookery import Positions, ScoredPositions, read_training, scan_training, write_training
from rookery.sources.failures import DamagedFileError
from training_samples import games, rows_of

BAGS = Path(__file__).parents[2] / "samples/bags"
ROWS: list[tuple[str, str, float]] = json.loads((BAGS / "rows.json").read_text())
KINDS: list[Any] = ["state-value", "action-value", "behavioral-cloning"]


@pytest.mark.parametrize("name", ["state-value.bag", "action-value.bag", "behavioral-cloning.bag", "action-value.bagz"])
def test_records_of_another_program_are_read(name: str) -> None:
    rows = read_training(BAGS / name)
    assert [chess.Board(fen).fen() for fen in rows.positions.to_fens()] == [fen for fen, _, _ in ROWS]
    if "state" in name:
        assert not rows.moves.any()
    else:
        assert rows.positions.uci(rows.moves).tolist() == [move for _, move, _ in ROWS]
    if "cloning" in name:
        assert not rows.has_score.any()
        return
    for score, (_, _, value) in zip(rows.scores.tolist(), ROWS, strict=True):
        if value in (0, 1):
            assert score == (31_000 if value else -31_000)
        else:
            assert score == round(math.log(value / (1 - value)) / 0.00368208)
    assert not rows.has_result.any()


@pytest.mark.parametrize("kind", KINDS)
def test_files_are_those_of_the_other_program(kind: Any) -> None:
    """Values are of whole centipawns here, so they differ a little; all else is the same, byte for byte."""
    rows = read_training(BAGS / f"{kind}.bag")
    file = io.BytesIO()
    written = write_training(rows, file, kind)
    assert (written.written, written.dropped) == (len(ROWS), {})
    ours, theirs = file.getvalue(), (BAGS / f"{kind}.bag").read_bytes()
    assert len(ours) == len(theirs)
    if kind == "behavioral-cloning":
        assert ours == theirs
        return
    at = 0
    for end in np.frombuffer(theirs[-8 * len(ROWS) :], "<i8").tolist():
        assert ours[at : end - 8] == theirs[at : end - 8]
        assert struct.unpack(">d", ours[end - 8 : end])[0] == pytest.approx(
            struct.unpack(">d", theirs[end - 8 : end])[0], abs=5e-4
        )
        at = end
    assert ours[at:] == theirs[at:]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_written_is_read(kind: Any, tmp_path: Path) -> None:
    rows = rows_of(games(6))
    write_training(rows, tmp_path / "a.bag", kind)
    read = read_training(tmp_path / "a.bag")
    assert read.positions.to_fens() == rows.positions.to_fens()
    if kind != "state-value":
        assert np.array_equal(read.moves, rows.moves)
    if kind != "behavioral-cloning":
        close = np.abs(rows.scores) < 5_000
        assert np.array_equal(read.scores[close], rows.scores[close])
    with scan_training(tmp_path / "a.bag", batch=7) as scan:
        assert ScoredPositions.concatenate(scan) == read


@pytest.mark.parametrize("kind", [*KINDS, None])
def test_packed_records_are_those_of_a_bag(kind: Any, tmp_path: Path) -> None:
    rows = rows_of(games(6))
    write_training(rows, tmp_path / "a.bag", kind)
    written = write_training(rows, tmp_path / "a.bagz", kind)
    assert written == write_training(rows, tmp_path / "b.bag", kind)
    plain, packed = ((tmp_path / name).read_bytes() for name in ("a.bag", "a.bagz"))
    ends, packed_ends = (np.frombuffer(data[-8 * len(rows) :], "<i8").tolist() for data in (plain, packed))
    unpack = zstandard.ZstdDecompressor().decompress
    for a, b, c, d in zip([0, *ends], ends, [0, *packed_ends], packed_ends, strict=False):
        assert unpack(packed[c:d]) == plain[a:b]
    assert packed_ends[-1] == len(packed) - 8 * len(rows)
    write_training(rows, tmp_path / "a.bagz.gz", kind)
    for name in ("a.bagz", "a.bagz.gz"):
        assert read_training(tmp_path / name) == read_training(tmp_path / "a.bag")
    assert gzip.decompress((tmp_path / "a.bagz.gz").read_bytes()) == packed


@pytest.mark.parametrize("name", ["a.bag", "a.bagz"])
def test_the_other_program_reads_what_is_written(name: str, tmp_path: Path) -> None:
    bagz: Any = pytest.importorskip("bagz", reason="needs bagz")
    rows = read_training(BAGS / "action-value.bag")
    write_training(rows, tmp_path / name)
    records = list(bagz.Reader(str(tmp_path / name)))
    assert [record[1 : 1 + record[0]].decode() for record in records] == [fen for fen, _, _ in ROWS]


def test_damaged_files_are_errors_after_the_rows_before(tmp_path: Path) -> None:
    data = (BAGS / "action-value.bag").read_bytes()
    ends = np.frombuffer(data[-8 * len(ROWS) :], "<i8")
    table = int(ends[-1])
    for changed, rows, reason in (
        (data[: ends[4] + 20], 5, "cut short"),
        (data[: ends[4]], 5, "cut short"),
        (data[:-8], 44, "cut short"),
        (data[:-3], 44, "cut short"),
        (data + b"x", 44, "the table of ends does not fit the 44 records"),
        (data[:-1] + b"x", 44, "the table of ends does not fit the 44 records"),
        (data[: ends[4]] + b"\xff" + data[ends[4] + 1 :], 5, "a record that is not of searchless chess"),
        (data[: ends[0] - 8] + struct.pack(">d", 1.5) + data[ends[0] :], 0, "record 1: value 1.5: expected 0 to 1"),
        (data[:1] + b"x" + data[2:], 0, "record 1: FEN"),
    ):
        found: list[ScoredPositions] = []
        with scan_training(changed, "action-value") as scan, pytest.raises(DamagedFileError, match=reason):
            found += scan
        assert sum(len(part) for part in found) == rows, reason
    packed = (BAGS / "action-value.bagz").read_bytes()
    with pytest.raises(DamagedFileError, match="cut short"):
        read_training(packed[:200], "bagz")
    assert table < len(data)
    assert len(read_training(b"", "state-value")) == 0


def test_rows_that_records_cannot_hold_are_counted() -> None:
    rows = ScoredPositions(Positions.from_fens(["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"] * 3), scores=[5, -32768, 5])
    rows.moves[2] = rows.positions[2:].parse_san(["e4"])[0]
    dropped = [write_training(rows, io.BytesIO(), kind).dropped for kind in KINDS]
    assert dropped == [{"no score": 1}, {"no score": 1, "no move": 1}, {"no move": 2}]
