"""Texts that a spreadsheet would run: marked in tables, batches, slices and chunks, and read back."""

import itertools

import pytest

from rookery.frames.spreadsheets import harmless_table, table_as_it_was
from rookery.sources.csv_text import harmless

pa = pytest.importorskip("pyarrow")

TEXTS = [
    None,
    "",
    "=1+1",
    "=",
    "@x",
    "\tx",
    "\rx",
    "e4",
    "-1",
    "+1",
    "'=1",
    "''=1",
    "'tis",
    "x=1",
    " =1",
    "'",
    "=\nx",
    "Æ=",
]


def test_texts_are_marked_and_read_back() -> None:
    table = pa.table({"text": TEXTS})
    marked = harmless_table(table)
    assert marked["text"].to_pylist() == [text if text is None else harmless(text) for text in TEXTS]
    assert table_as_it_was(marked)["text"].to_pylist() == TEXTS
    assert marked["text"].type == pa.string()


@pytest.mark.parametrize("text", [text for text in TEXTS if text is not None])
def test_each_text_alone(text: str) -> None:
    for around in ([text], ["a", text], ["", text, "z"], [None, text]):
        table = pa.table({"text": around})
        marked = harmless_table(table)
        assert marked["text"].to_pylist() == [one if one is None else harmless(one) for one in around]
        assert table_as_it_was(marked)["text"].to_pylist() == around


def test_chunks_slices_and_batches() -> None:
    chunked = pa.chunked_array([["a"], [], ["=b"], ["c"]])
    assert harmless_table(pa.table({"text": chunked}))["text"].to_pylist() == ["a", "'=b", "c"]
    array = pa.array(["=a", "b", "=c", "d"])
    for start, stop in itertools.combinations(range(5), 2):
        batch = pa.record_batch({"text": array.slice(start, stop - start)})
        marked = harmless_table(batch)
        assert isinstance(marked, pa.RecordBatch)
        assert marked.to_pydict()["text"] == ["'=a", "b", "'=c", "d"][start:stop]
        assert table_as_it_was(marked).to_pydict()["text"] == ["=a", "b", "=c", "d"][start:stop]


def test_columns_without_such_texts_are_kept_as_they_are() -> None:
    table = pa.table({"n": [1, 2], "text": ["a", "b=1"], "none": pa.nulls(2, pa.string()), "list": [["=1"], []]})
    for change in (harmless_table, table_as_it_was):
        changed = change(table)
        assert changed.equals(table)
        before, after = (one["text"].chunk(0).buffers()[2].address for one in (table, changed))
        assert before == after


def test_texts_outside_a_slice_do_not_count() -> None:
    array = pa.array(["=a", "b", "c", "=d"])
    part = array.slice(1, 2)
    column = harmless_table(pa.record_batch({"text": part})).column(0)
    assert column.to_pylist() == ["b", "c"]
    assert column.buffers()[2].address == array.buffers()[2].address


def test_names_are_marked_but_not_read_back() -> None:
    marked = harmless_table(pa.table({"=n": [1], "b": ["x"]}))
    assert marked.column_names == ["'=n", "b"]
    assert table_as_it_was(marked).column_names == ["'=n", "b"]
    assert harmless_table(pa.table({"a": pa.array([], pa.string())})).num_rows == 0


def test_arrays_without_texts_or_offsets() -> None:
    without_offsets = pa.Array.from_buffers(pa.string(), 0, [None, None, pa.py_buffer(b"=")])
    for array, texts in (
        (without_offsets, []),
        (pa.array([], pa.string()), []),
        (pa.array(["", ""]), ["", ""]),
        (pa.nulls(2, pa.string()), [None, None]),
        (pa.array(["=1", "a"]).slice(1), ["a"]),
    ):
        assert harmless_table(pa.table({"a": array}))["a"].to_pylist() == texts
        chunks = pa.chunked_array([array, pa.array(["=1"])])
        assert harmless_table(pa.table({"a": chunks}))["a"].to_pylist() == [*texts, "'=1"]
