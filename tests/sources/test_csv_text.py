"""Rows of CSV, compared with Python's csv module over whole texts, and texts that spreadsheets would run."""

import csv
import io
import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest
import zstandard

import rookery
from rookery.data.pipeline import inputs
from rookery.frames.spreadsheets import harmless_table, table_as_it_was
from rookery.games.read.options import ReadOptions
from rookery.sources import csv_text
from rookery.sources.csv_text import Splitter, Writer, as_it_was, harmless, rows_of
from thinning import slow_but

FIELDS = [
    *("", "a", "8/8/8", "é", "two\nlines", "two\r\nlines", "\n", 'say "x"', '"', ",", ";\t", "a,b\nc", "'", " "),
    *("=1+1", "@x", "\tx", "\rx", "'=x", "''@", "'x", "-", "+1", "-1", "x=1"),
]


def pieces(text: bytes, rng: random.Random) -> Iterator[bytes]:
    while text:
        n = rng.choice((1, 2, 3, 10, 1000))
        yield text[:n]
        text = text[n:]


def written(rows: list[list[str]], delimiter: str, end: str, quoting: int) -> bytes:
    """Write rows with Python's module, which puts carriage returns in quotes if they end lines."""
    file = io.StringIO(newline="")
    writer = csv.writer(file, delimiter=delimiter, lineterminator="\r\n", quoting=quoting)  # type: ignore[arg-type]
    lines = []
    for row in rows:
        file.seek(0)
        file.truncate()
        writer.writerow(row)
        lines.append(file.getvalue().removesuffix("\r\n"))
    return end.join(lines).encode()


@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
def test_rows_in_any_chunks(delimiter: str, quoting: int) -> None:
    rng = random.Random(delimiter + str(quoting))
    for end in ("\n", "\r\n"):
        rows = [[rng.choice(FIELDS) for _ in range(rng.randint(2, 5))] for _ in range(200)]
        text = written(rows, delimiter, end, quoting)
        for mark, last in itertools.product((b"", b"\xef\xbb\xbf"), (b"", b"\n")):
            found = list(rows_of(pieces(mark + text + last, rng), delimiter))
            assert [row.fields for row in found] == [[as_it_was(field) for field in row] for row in rows]
            assert not any(row.reason for row in found)
            lines = list(itertools.accumulate((row.text.count("\n") + 1 for row in found), initial=1))
            assert [row.line for row in found] == lines[:-1]
            parts = csv_text.starts_of_rows(pieces(mark + text, rng), delimiter)
            starts = [start for part in parts for start in part.tolist()]
            for start, row in zip(starts, found, strict=True):
                assert (mark + text)[start:].startswith(row.text.encode())


def test_quotes_that_are_not_those_of_rfc_4180() -> None:
    """Python's module without `strict` is the judge, as long as every quote is closed."""
    rng = random.Random(5)
    parts = ('"', '""', "a", ",", "\n", "x", '",', ',"', '"\n')
    compared = 0
    for _ in range(4000):
        text = "".join(rng.choices(parts, k=rng.randint(1, 12)))
        is_closed = not list(csv.reader(io.StringIO(text + "\n#", newline="")))[-1][-1].endswith("\n#")
        judge = list(csv.reader(io.StringIO(text, newline="")))
        found = list(rows_of(pieces(text.encode(), rng), ","))
        if is_closed and not any(row.reason for row in found):
            compared += 1
            assert [row.fields for row in found] == judge, text
    assert compared > 1500


def test_quotes_that_stay_open(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(6)
    text = b'a,b\n"c,d\ne,f\n'
    for chunks in ([text], pieces(text, rng)):
        rows = list(rows_of(chunks, ","))
        assert [(row.line, row.fields) for row in rows] == [(1, ["a", "b"]), (2, []), (3, ["e", "f"])]
        assert rows[1].reason == csv_text.UNCLOSED
        assert rows[1].text == '"c,d'
    # A field before it with a line break does not count then.
    rows = list(rows_of([b'x,y\n"p\nq","open\nr,s\n'], ","))
    assert [(row.line, row.fields) for row in rows] == [(1, ["x", "y"]), (2, []), (3, []), (4, ["r", "s"])]
    # Rows and lines that are too long, in any chunks.
    monkeypatch.setattr(csv_text, "LONGEST", 50)
    long = b'a,b\n"' + b"line\n" * 20 + b'",x\nc,d\n' + b"y" * 200 + b"\ne,f\n" + b'"' + b"z" * 49 + b'",\n'
    expected = list(rows_of([long], ","))
    assert [row.line for row in expected if row.reason] == [2, 22, 24, 26]
    good = [row.fields for row in expected if not row.reason]
    assert [fields for fields in good if fields in (["c", "d"], ["e", "f"])] == [["c", "d"], ["e", "f"]]
    for _ in range(50):
        found = list(rows_of(pieces(long, rng), ","))
        assert [(row.line, row.fields, row.reason) for row in found] == [
            (row.line, row.fields, row.reason) for row in expected
        ]


def test_lines_are_rows_without_a_delimiter() -> None:
    rng = random.Random(7)
    text = b'one\n"two\n\nthree"\r\nfour'
    texts = [line for rows in Splitter(None).blocks(pieces(text, rng)) for line in rows.texts()]
    assert texts == [b"one", b'"two', b"", b'three"', b"four"]


def test_texts_that_spreadsheets_run() -> None:
    alphabet = "'=@\t\r-+a"
    for length in range(5):
        for letters in itertools.product(alphabet, repeat=length):
            text = "".join(letters)
            safe = harmless(text)
            assert as_it_was(safe) == text
            assert not safe.startswith(("=", "@", "\t", "\r"))
            if text[:1] in ("-", "+", "a", ""):
                assert safe == text
    texts = [*FIELDS, None]
    table = pa.table({"=a": texts, "b": [1] * len(texts)})
    safe_table = harmless_table(table)
    assert safe_table.column_names == ["'=a", "b"]
    assert safe_table.column(0).to_pylist() == [None if text is None else harmless(text) for text in texts]
    assert table_as_it_was(safe_table.select([0])).column(0).to_pylist() == texts


def test_what_is_written_is_read() -> None:
    file = io.BytesIO()
    rows = [[a, b, "end"] for a, b in itertools.product(FIELDS, repeat=2)]
    Writer(file).rows(rows)
    assert [row.fields for row in rows_of([file.getvalue()], ",")] == rows
    judge = list(csv.reader(io.StringIO(file.getvalue().decode(), newline="")))
    assert judge == [[harmless(field) for field in row] for row in rows]
    Writer(file := io.BytesIO()).row([None, 1, 2.5, "é"])
    assert file.getvalue() == ",1,2.5,é\n".encode()


# `rookery annotate`.

FENS = ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "8/P6k/8/8/8/8/8/K7 w - - 0 1")


def table_of(n: int) -> list[list[str]]:
    rng = random.Random(n)
    return [[rng.choice(FIELDS), FENS[i % 2], f"{i}\r\nof {n}"] for i in range(n)]


@pytest.mark.parametrize(
    ("suffix", "packing", "size"),
    slow_but(
        itertools.product((".csv", ".parquet"), ("", ".zst"), (1 << 24, 2_000, 300)),
        *((".csv", "", 300), (".csv", ".zst", 300), (".parquet", "", 1 << 24), (".parquet", ".zst", 2_000)),
    ),
)
def test_annotated_rows_of_several_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, packing: str, size: int
) -> None:
    """No range of a task begins inside quotes, wherever the file is divided."""
    rows, n = table_of(300), 300
    text = written([["note", "fen", "number"], *rows], ",", "\r\n", csv.QUOTE_MINIMAL)
    path = tmp_path / f"a.csv{packing}"
    pack = zstandard.ZstdCompressor().compress
    frames = (pack(text[i : i + 37]) for i in range(0, len(text), 37))  # many inside a row, and inside quotes
    path.write_bytes(b"".join(frames) if packing else text)
    monkeypatch.setattr(inputs, "TASK_BYTES", size)
    tasks = list(inputs.ranges_of(inputs.describe(str(path), None, "fen"), ReadOptions()))
    assert (len(tasks) > 5) == (size < 10_000)
    bad = tmp_path / "bad.jsonl"
    result = rookery.annotate(path, tmp_path / f"out{suffix}", "legal_moves", errors=bad)
    assert (result.rows, result.bad) == (n, 0)
    assert result.lines == len(text.split(b"\n"))
    expected = [[as_it_was(row[0]), row[1], row[2], 20 if i % 2 == 0 else 7] for i, row in enumerate(rows)]
    if suffix == ".parquet":
        with_nulls = [
            [None if value == "" else value for value in row] for row in expected
        ]  # an empty field is missing
        table = pyarrow.parquet.read_table(tmp_path / "out.parquet")
        found = [list(row) for row in zip(*(column.to_pylist() for column in table.columns), strict=True)]
        assert found == with_nulls
        return
    read = list(rows_of([(tmp_path / "out.csv").read_bytes()], ","))
    names = ["note", "fen", "number", "legal_moves"]
    assert [row.fields for row in read] == [names, *([*map(str, row)] for row in expected)]
    # What was written is read again as it was, and by others with an apostrophe in front.
    rookery.annotate(tmp_path / "out.csv", tmp_path / "again.csv", "pawns=count(pawns)")
    again = list(rows_of([(tmp_path / "again.csv").read_bytes()], ","))
    assert [row.fields[:3] for row in again[1:]] == [row[:3] for row in expected]
    options = pyarrow.csv.ParseOptions(newlines_in_values=True)
    strings = pyarrow.csv.ConvertOptions(column_types={"note": pa.string()}, strings_can_be_null=False)
    judge = pyarrow.csv.read_csv(tmp_path / "out.csv", parse_options=options, convert_options=strings)
    assert judge["note"].to_pylist() == [harmless(str(row[0])) for row in expected]


def test_a_quote_that_stays_open_costs_its_line(tmp_path: Path) -> None:
    good = FENS[0]
    path, bad = tmp_path / "a.csv", tmp_path / "bad.jsonl"
    path.write_text(f'"fen","no\nte"\n"{good}","a\nb"\n{good},"open\n{good},c\n')
    result = rookery.annotate(path, tmp_path / "out.csv", "legal_moves", errors=bad)
    assert (result.rows, result.bad, result.lines) == (2, 1, 6)
    assert "a quote that is not closed" in bad.read_text()
    assert '"line": 5' in bad.read_text()
    rows = list(rows_of([(tmp_path / "out.csv").read_bytes()], ","))
    assert [row.fields for row in rows] == [
        ["fen", "no\nte", "legal_moves"],
        [good, "a\nb", "20"],
        [good, "c", "20"],
    ]
