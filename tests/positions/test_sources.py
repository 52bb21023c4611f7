"""Lines of FEN from lists with gaps, Arrow arrays, paths and opened files; whole, in threads, and batch by batch."""

import io
import mmap
import random
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus import EDGES, corpus
from rookery.positions.notation import sources, text
from rookery.positions.positions import Positions
from rookery.rules.notation.start import START
from thinning import examples

KINGS = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
GAPS = [START, None, "bad", "", KINGS, None]


def faults(positions: Positions) -> list[tuple[int, str | None]]:
    return [(bad.line, bad.text) for bad in positions.bad_lines]


# Lists with gaps.


def columns_of_texts(texts: Any) -> dict[str, Any]:
    array = pa.array(texts, pa.string())
    return {
        "list": texts,
        "tuple": tuple(texts),
        "object array": np.array(texts, object),
        "string": array,
        "large string": array.cast(pa.large_string()),
        "string view": array.cast(pa.string_view()),
        "dictionary": array.dictionary_encode(),
        "dictionary of views": pa.DictionaryArray.from_arrays(
            array.dictionary_encode().indices, array.dictionary_encode().dictionary.cast(pa.string_view())
        ),
        "slice": pa.concat_arrays([pa.array(["x", None]), array, pa.array(["y"])]).slice(2, len(texts)),
        "chunks": pa.chunked_array([array[:2], array[:0], array[2:]]),
        "one chunk": pa.chunked_array([array]),
        "chunked dictionary": pa.chunked_array([array[:3].dictionary_encode(), array[3:].dictionary_encode()]),
    }


@pytest.mark.parametrize("kind", columns_of_texts(GAPS))
def test_a_gap_is_a_bad_line(kind: str) -> None:
    source = columns_of_texts(GAPS)[kind]
    marked = Positions.from_fens(source, errors="mark")
    assert marked.marked.tolist() == [False, True, True, True, False, True]
    assert faults(marked) == [(2, None), (3, "bad"), (4, ""), (6, None)]
    assert str(marked.bad_lines[0]) == "line 2: missing: expected text"
    skipped = Positions.from_fens(source, errors="skip")
    assert skipped.to_fens() == [START, KINGS]
    assert faults(skipped) == faults(marked)
    with pytest.raises(ValueError, match=r"^line 2: missing: expected text$"):
        Positions.from_fens(source)
    batches = list(Positions.scan_fens(source, batch_size=4, errors="mark"))
    assert Positions.concatenate(batches) == marked
    assert [fault for batch in batches for fault in faults(batch)] == faults(marked)


@pytest.mark.parametrize("kind", columns_of_texts([]))
def test_columns_without_gaps(kind: str) -> None:
    fens = [*EDGES, START]
    expected = Positions.from_fens(fens)
    assert Positions.from_fens(columns_of_texts(fens)[kind]) == expected
    assert len(Positions.from_fens(columns_of_texts([])[kind])) == 0
    (bad,) = Positions.from_fens(columns_of_texts(["é\n"])[kind], errors="skip").bad_lines
    assert bad.text == "é\n"


def test_a_null_may_have_a_text_behind_it() -> None:
    array = pa.array([START, KINGS, "bad"])
    hidden = pa.Array.from_buffers(pa.string(), 3, [pa.py_buffer(b"\x05"), *array.buffers()[1:]])
    assert hidden.to_pylist() == [START, None, "bad"]
    assert faults(Positions.from_fens(hidden, errors="mark")) == [(2, None), (3, "bad")]


def test_only_gaps() -> None:
    for source in ([None, None], pa.array([None, None]), [float("nan"), None]):
        assert Positions.from_fens(source, errors="mark").marked.tolist() == [True, True]


def test_what_is_neither_text_nor_gap() -> None:
    for wrong in (5, b"bytes", 1.0, ["list"], object(), np.int64(3)):
        with pytest.raises(TypeError, match=r"^lines\[2\]: .*: expected text"):
            Positions.from_fens([START, None, wrong], errors="mark")
        with pytest.raises(TypeError, match=r"^lines\[2\]: .*: expected text"):
            list(Positions.scan_fens([START, None, wrong], batch_size=1, errors="mark"))
    for wrong in (5, 1.5, object()):
        with pytest.raises(TypeError, match=r"^lines: .*: expected an iterable of texts, a text or bytes"):
            Positions.from_fens(wrong)
    with pytest.raises(TypeError, match=r"^lines: a column of int64: expected texts"):
        Positions.from_fens(pa.array([1, 2]))
    table = pa.table({"fen": [START]})
    for whole in (table, table.to_batches()[0]):
        with pytest.raises(TypeError, match=r"struct<fen: string>: expected texts; pass the column of the table"):
            Positions.from_fens(whole)
    assert len(Positions.from_fens(table["fen"])) == 1


def test_without_pyarrow_a_column_is_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    class Series(list[Any]):
        def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
            raise AssertionError

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert Positions.from_fens(Series(GAPS), errors="skip").to_fens() == [START, KINGS]


# Paths.


def test_a_file_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "all my positions w - - 0 1"
    path.write_bytes("\r\n".join([*EDGES, ""]).encode())
    expected = Positions.from_fens(list(EDGES))
    for source in (path, str(path)):
        assert Positions.from_fens(source) == expected
        assert Positions.concatenate(Positions.scan_fens(source, batch_size=7)) == expected
    empty = tmp_path / "empty.fen"
    empty.touch()
    assert len(Positions.from_fens(empty)) == 0
    assert list(Positions.scan_fens(empty)) == []


def test_a_missing_file_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for source in (tmp_path / "none", "none.fen", "games 1.epd", str(tmp_path / "none.fen")):
        for read in (Positions.from_fens, Positions.scan_fens):
            with pytest.raises(FileNotFoundError, match=r"none|games 1"):
                read(source, errors="skip")
    with pytest.raises(IsADirectoryError):
        Positions.from_fens(tmp_path)


@pytest.mark.parametrize("line", [START, "8/8 w", "bad", "", " ", f"{KINGS} ", "é", "p" * 5000, "a\0b.c", "x" * 300])
def test_other_texts_are_lines(line: str) -> None:
    positions = Positions.from_fens(line, errors="mark")
    assert positions == Positions.from_fens(line.encode(), errors="mark")


# Threads.


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_read_the_same(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "_SLICE", 3000)
    rng = random.Random(1)
    fens = [board.fen(en_passant="fen") for board in corpus(9000)]
    lines = [rng.choice(["bad", "", "  ", fen, fen, fen, fen]) for fen in fens]
    for source in (lines, "\n".join(lines), pa.array(lines)):
        for errors in ("mark", "skip"):
            one = Positions.from_fens(source, errors=errors)
            many = Positions.from_fens(source, errors=errors, threads=threads)
            assert many == one
            assert faults(many) == faults(one)
        with pytest.raises(ValueError, match=r"^line ") as error:
            Positions.from_fens(source, threads=threads)
        assert str(error.value).startswith(f"line {faults(one)[0][0]}: ")
    whole = Positions.from_fens(fens, threads=threads)
    assert whole == Positions.from_fens(fens)
    assert len(whole) == 9000
    with pytest.raises(ValueError, match="threads: 0"):
        Positions.from_fens([START], threads=0)
    with pytest.raises(ValueError, match="threads: None"):
        Positions.scan_fens([START], threads=None)  # type: ignore[arg-type]


# Batch by batch.


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scratch")


def kinds_of(lines: list[str], newline: str, ended: bool, path: Path) -> Iterator[Any]:
    whole = newline.join(lines) + (newline if ended else "")
    path.write_bytes(whole.encode())
    yield from (whole, whole.encode(), bytearray(whole.encode()), io.StringIO(whole, newline=""))
    yield from (io.BytesIO(whole.encode()), path)


@given(
    st.lists(st.sampled_from([START, KINGS, "bad", "", " ", "é"]), max_size=12),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
    st.integers(1, 14),
    st.sampled_from([1, 3, 7, 57, 200, 1 << 20]),
)
@examples(120)
def test_batches_are_the_whole(
    scratch: Path, lines: list[str], newline: str, ended: bool, size: int, chunk: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sources, "CHUNK", chunk)
        for source in kinds_of([*lines, KINGS, START], newline, ended, scratch / "lines"):
            whole = Positions.from_fens("\n".join([*lines, KINGS, START]).encode(), errors="mark")
            batches = list(Positions.scan_fens(source, batch_size=size, errors="mark"))
            assert Positions.concatenate(batches) == whole
            assert [fault for batch in batches for fault in faults(batch)] == faults(whole)
            assert all(len(batch) <= size for batch in batches)
            assert all(len(batch) or batch.bad_lines for batch in batches)
        listed = list(Positions.scan_fens(iter(lines), batch_size=size, errors="skip"))
        assert [f for batch in listed for f in faults(batch)] == faults(Positions.from_fens(lines, errors="skip"))


def test_an_error_says_the_line_of_the_whole(tmp_path: Path) -> None:
    path = tmp_path / "lines.fen"
    path.write_text(f"{START}\n\n" * 50 + "bad\n" + f"{START}\n" * 5)
    scan = Positions.scan_fens(path, batch_size=8)
    assert [len(next(scan)) for _ in range(12)] == [4] * 12
    with pytest.raises(ValueError, match=r"^line 101: FEN: 'bad' has 1 fields"):
        next(scan)
    assert [len(b) for b in Positions.scan_fens(path, batch_size=50, errors="skip")] == [25, 25, 5]


def test_arguments_are_checked_before_the_first_batch() -> None:
    for size in (0, -1, 1.5, "5", None, True):
        with pytest.raises((TypeError, ValueError), match=r"^batch_size: .*: expected an int of at least 1"):
            Positions.scan_fens([START], batch_size=size)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^errors: "):
        Positions.scan_fens([START], errors="ignore")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^chess960: "):
        Positions.scan_fens([START], chess960=1)  # type: ignore[arg-type]


def test_a_file_that_is_no_file_of_lines(tmp_path: Path) -> None:
    path = tmp_path / "zeros"
    with path.open("wb") as file:
        file.write(f"{START}\n\n".encode())
        file.truncate(1 << 28)
    tracemalloc.start()
    with pytest.raises(ValueError, match=r"^line 3: longer than 1,048,576 bytes: expected lines of FEN or EPD"):
        list(Positions.scan_fens(path, errors="skip"))
    assert tracemalloc.get_traced_memory()[1] < 1 << 25
    tracemalloc.stop()


def test_memory_is_that_of_a_batch(tmp_path: Path) -> None:
    """2,000,000 lines, 112 MB: what is held at once is some thousand of them, and a chunk or two of the file."""
    path = tmp_path / "many.fen"
    with path.open("w") as file:
        for _ in range(1000):
            file.write(f"{START}\n" * 2000)
    for source in (path, path.open("rb")):
        tracemalloc.start()
        number = sum(len(batch) for batch in Positions.scan_fens(source, batch_size=5000))
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert number == 2_000_000
        assert most < 12e6, most
        if not isinstance(source, Path):
            source.close()


def test_a_mapped_file(tmp_path: Path) -> None:
    path = tmp_path / "lines.fen"
    path.write_text("\n".join(EDGES))
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert Positions.concatenate(Positions.scan_fens(mapped, batch_size=9)) == Positions.from_fens(list(EDGES))
        assert Positions.from_fens(mapped) == Positions.from_fens(list(EDGES))


def test_a_closed_scan_closes_its_file(tmp_path: Path) -> None:
    path = tmp_path / "lines.fen"
    path.write_text("\n".join(EDGES))
    scan = Positions.scan_fens(path, batch_size=2)
    assert len(next(scan)) == 2
    del scan  # a file left open would be a ResourceWarning, which is an error here
