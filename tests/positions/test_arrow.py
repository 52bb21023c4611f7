"""Positions handed to NumPy and Arrow and taken back: the same words, in the same memory where that can be."""

import gc
import io
import pickle
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from corpus import EDGES, STRANGE, corpus
from rookery.board.board import Board
from rookery.positions.layout import Columns
from rookery.positions.positions import Positions
from rookery.rules.notation.start import START

NAMES = "pawns knights diagonals orthogonals kings white castling en_passant state".split()


def some() -> Positions:
    return Positions.from_boards(corpus(50_000))


def edges() -> Positions:
    return Positions.from_fens([*EDGES, *STRANGE])


def copies(positions: Positions) -> dict[str, Any]:
    return {name: array.copy() for name, array in positions.to_numpy().items()}


def same_memory(a: Positions, b: Positions) -> bool:
    shared = [np.shares_memory(x, y) for x, y in zip(a.columns, b.columns, strict=True)]
    assert all(shared) or not any(shared)
    return all(shared)


def assert_plain(positions: Positions) -> None:
    """As compiled loops expect their arrays, so that none is compiled anew."""
    for column in positions.columns:
        assert type(column) is np.ndarray
        assert column.dtype == np.uint64
        assert column.flags.carray
        assert column.flags.aligned


@pytest.mark.parametrize("part", [slice(None), slice(3, 4), slice(5, 2000), slice(0, 0), slice(None, None, 7)], ids=str)
def test_there_and_back(part: slice) -> None:
    positions = Positions.concatenate([edges(), some()])[part]
    arrays = positions.to_numpy()
    assert list(arrays) == NAMES
    from_numpy = Positions.from_numpy(arrays)
    table = positions.to_arrow()
    assert table.schema == pa.schema([(name, pa.uint64()) for name in NAMES])
    assert table.to_pydict() == {name: array.tolist() for name, array in arrays.items()}
    from_arrow = Positions.from_arrow(table)
    for again in (from_numpy, from_arrow):
        assert again == positions
        assert_plain(again)
        assert same_memory(again, positions) is bool(len(positions))
        assert again.to_fens() == positions.to_fens()
        assert pickle.loads(pickle.dumps(again)) == positions


def test_numpy_arrays_of_other_layouts_are_copied() -> None:
    positions = edges()
    whole = np.stack(positions.columns, axis=1)
    strided = Positions.from_numpy({name: whole[:, i] for i, name in enumerate(NAMES)})
    assert strided == positions
    assert_plain(strided)
    assert not np.shares_memory(strided.columns.pawns, whole)
    memory = np.zeros(8 * len(positions) + 1, np.uint8)[1:]
    unaligned = memory.view(np.uint64)
    unaligned[:] = positions.columns.kings
    assert not unaligned.flags.aligned
    again = Positions.from_numpy({**positions.to_numpy(), "kings": unaligned})
    assert again == positions
    assert_plain(again)


def test_read_only_and_mapped_arrays_are_taken_as_they_lie(tmp_path: Path) -> None:
    positions = edges()
    arrays = copies(positions)
    for array in arrays.values():
        array.flags.writeable = False
    again = Positions.from_numpy(arrays)
    assert_plain(again)
    assert same_memory(again, Positions(Columns(**arrays)))
    for name, array in arrays.items():
        np.save(tmp_path / f"{name}.npy", array)
    mapped = Positions.from_numpy({name: np.load(tmp_path / f"{name}.npy", mmap_mode="r") for name in NAMES})
    assert_plain(mapped)
    gc.collect()
    assert mapped == again == positions
    assert mapped.to_fens() == positions.to_fens()


def test_memory_lives_as_long_as_the_positions() -> None:
    expected = edges()
    from_numpy = Positions.from_numpy({n: np.frombuffer(a.tobytes(), np.uint64) for n, a in copies(expected).items()})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, expected.to_arrow().schema) as writer:
        writer.write_table(expected.to_arrow())
    from_arrow = Positions.from_arrow(pa.ipc.open_stream(sink.getvalue()).read_all())
    table = Positions.from_fens([*EDGES, *STRANGE]).to_arrow()
    del sink, writer
    gc.collect()
    scribble = [np.full(len(expected), 0x5555, np.uint64) for _ in range(1000)]
    assert from_numpy == from_arrow == expected == Positions.from_arrow(table)
    assert len(scribble) == 1000


def test_a_file_of_arrays() -> None:
    file = io.BytesIO()
    np.savez(file, evaluation=np.zeros(3), **edges().to_numpy())  # type: ignore[arg-type]
    file.seek(0)
    assert Positions.from_numpy(np.load(file)) == edges()


def test_record_batches_chunks_slices_and_streams() -> None:
    positions = some()[:1000]
    table = positions.to_arrow()
    (batch,) = table.to_batches()
    assert same_memory(Positions.from_arrow(batch), positions)
    part = Positions.from_arrow(table.slice(10, 20))
    assert part == positions[10:30]
    assert same_memory(part, positions[10:30])
    chunked = pa.concat_tables([table.slice(0, 100), table.slice(100, 0), table.slice(100)])
    assert chunked.column(0).num_chunks > 1
    again = Positions.from_arrow(chunked)
    assert again == positions
    assert_plain(again)

    class Frame:
        def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
            return table.__arrow_c_stream__(requested_schema)

    assert Positions.from_arrow(Frame()) == positions
    wider = table.append_column("score", pa.array(range(1000))).select(["score", *reversed(NAMES)])
    assert Positions.from_arrow(wider) == positions


def test_arrow_faults() -> None:
    table = edges().to_arrow()
    n = len(edges())
    nulls = pa.array([None, *range(n - 1)], pa.uint64())
    with pytest.raises(ValueError, match=r"^knights: 1 nulls: expected a number for every position"):
        Positions.from_arrow(table.set_column(1, "knights", nulls))
    with pytest.raises(TypeError, match=r"^state: a column of int64: expected uint64"):
        Positions.from_arrow(table.set_column(8, "state", pa.array(range(n))))
    with pytest.raises(ValueError, match=r"^table: no column kings, state: expected pawns, knights"):
        Positions.from_arrow(table.drop_columns(["kings", "state"]))
    with pytest.raises(ValueError, match=r"^white\[0\]: 0xffffffffffffffff: expected squares with pieces"):
        Positions.from_arrow(table.set_column(5, "white", pa.array(np.full(n, 2**64 - 1, np.uint64))))
    for wrong in (5, None, [START], edges().to_numpy()):
        with pytest.raises(TypeError, match=r"^table: .*: expected an Arrow table or record batch"):
            Positions.from_arrow(wrong)


def test_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for call in (edges().to_arrow, lambda: Positions.from_arrow(5)):
        with pytest.raises(ModuleNotFoundError, match=re.escape("pip install pyarrow")):
            call()


def test_numpy_faults() -> None:
    arrays = copies(edges())
    n = len(edges())
    with pytest.raises(TypeError, match=r"^kings: an array of int64: expected one dimension of uint64"):
        Positions.from_numpy({**arrays, "kings": arrays["kings"].astype(np.int64)})
    with pytest.raises(TypeError, match=r"^kings: an array of >u8"):
        Positions.from_numpy({**arrays, "kings": arrays["kings"].astype(">u8")})
    with pytest.raises(TypeError, match=r"^white: an array of uint64 and shape \(\d+, 1\): expected one dimension"):
        Positions.from_numpy({**arrays, "white": arrays["white"][:, None]})
    with pytest.raises(ValueError, match=f"^state: 3 values, but {n} in pawns"):
        Positions.from_numpy({**arrays, "state": arrays["state"][:3]})
    with pytest.raises(ValueError, match=r"^arrays: no column en_passant: expected pawns"):
        Positions.from_numpy({name: array for name, array in arrays.items() if name != "en_passant"})
    for wrong in (5, None, np.zeros((3, 9), np.uint64), [arrays]):
        with pytest.raises(TypeError, match=r"^arrays: .*: expected a mapping"):
            Positions.from_numpy(wrong)  # type: ignore[arg-type]


A1, E1, H1, A2, E3, E6, A8, H8 = (1 << s for s in (0, 4, 7, 8, 20, 44, 56, 63))


@pytest.mark.parametrize(
    ("fen", "column", "change"),
    [
        (START, "knights", A2),
        (START, "diagonals", A2),
        (START, "diagonals", 1 << 1),
        (START, "orthogonals", A2),
        (START, "orthogonals", 1 << 1),
        (START, "kings", A2),
        (START, "kings", 1 << 1),
        (START, "kings", A1),
        (START, "kings", 1 << 2),
        (START, "white", E3),
        (START, "castling", E3),
        (START, "castling", A2),
        (START, "castling", 1 << 3),  # a queen
        ("4k3/8/8/8/8/8/8/R6R w - - 0 1", "castling", A1),  # no king
        ("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "castling", A1),  # not at home
        ("4k3/8/8/8/8/8/8/R3KK1R w - - 0 1", "castling", A1),  # two
        ("4k3/8/8/8/8/8/8/RR2K2R w - - 0 1", "castling", 0b11),  # both on the left
        ("r3k1rr/8/8/8/8/8/8/4K3 w - - 0 1", "castling", 0b11 << 62),  # both on the right
        ("r3k3/8/8/8/8/8/8/4K2r w - - 0 1", "castling", H1),  # on the other side's rank
        ("r7/8/8/8/8/8/8/4K3 w - - 0 1", "castling", A8),
        (START, "en_passant", E3),
        (START.replace(" w ", " b "), "en_passant", E6),
        (START, "en_passant", E6 | E6 << 1),
        (START, "en_passant", A2),
        (START, "state", 1 << 63),
    ],
)
def test_what_no_fen_could_give_is_found(fen: str, column: str, change: int) -> None:
    fens = [*EDGES, fen, START]
    arrays = copies(Positions.from_fens(fens))
    Positions.from_numpy(arrays)
    arrays[column][len(EDGES)] ^= np.uint64(change)
    value = int(arrays[column][len(EDGES)])
    with pytest.raises(ValueError, match=rf"^{column}\[{len(EDGES)}\]: {value:#x}: "):
        Positions.from_numpy(arrays)
    with pytest.raises(ValueError, match=rf"^{column}\[{len(EDGES)}\]: "):
        Positions.from_arrow(pa.table(arrays))
    unchecked = Positions.from_numpy(arrays, check=False)
    assert int(getattr(unchecked.columns, column)[len(EDGES)]) == value
    assert Positions.from_arrow(pa.table(arrays), check=False) == unchecked


def test_marked_places_and_chess960_pass() -> None:
    positions = Positions.from_fens([START, "bad", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 b GBgb - 3 9"], errors="mark")
    again = Positions.from_arrow(positions.to_arrow())
    assert again == positions
    assert again.marked.tolist() == [False, True, False]
    assert again[2] == Board("1r2k1r1/8/8/8/8/8/8/1R2K1R1 b GBgb - 3 9")
