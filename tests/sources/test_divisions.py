"""One function decides whether a file may be divided, and says why not; nobody else makes ranges of files."""

import ast
import gzip
import os
import zipfile
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rookery
from packed import zstd_in_frames
from rookery.sources.formats import TEXT, Format, Kind
from rookery.sources.ranges import Unit, division_of

ROOT: Final = Path(rookery.__file__).parent
GAMES: Final = b'[Event "?"]\n\n1. e4 *\n'
WITHOUT_CONTENT: Final = "tasks/parts.py"  # the default of a result whose range is not known


def makes_ranges(source: str) -> list[int]:
    """Return the lines that make a `FileRange`, or look for frames of zstd, instead of asking for ranges."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and (getattr(node.func, "attr", None) or getattr(node.func, "id", None)) in ("FileRange", "frames_of")
    ]


def test_only_sources_makes_ranges() -> None:
    files = [file.relative_to(ROOT).as_posix() for file in ROOT.rglob("*.py")]
    texts = {file: (ROOT / file).read_text(encoding="utf-8") for file in files}
    found = {file: makes_ranges(text) for file, text in texts.items() if "FileRange(" in text or "frames_of(" in text}
    others = [file for file, lines in found.items() if lines and not file.startswith("sources/")]
    assert others == [WITHOUT_CONTENT], "use rookery.sources.ranges: ranges_of, ranges_of_groups"


@pytest.mark.parametrize("line", ["FileRange(path, 0, 5)", "file_range.FileRange(path)", "frames_of(file)"])
def test_a_second_way_is_found(line: str) -> None:
    assert makes_ranges(f"def f():\n    yield {line}") == [2]


def of(content: bytes, path: Path) -> str:
    path.write_bytes(content)
    return str(path)


def test_units(tmp_path: Path) -> None:
    path = tmp_path / "file"
    assert division_of(of(GAMES, path)) == (Unit.BYTES, TEXT, "")
    assert division_of(of(zstd_in_frames(GAMES), path)).unit is Unit.FRAMES
    pq.write_table(pa.table({"x": [1]}), path)
    assert division_of(str(path)).unit is Unit.GROUPS


def test_reasons(tmp_path: Path) -> None:
    path = tmp_path / "file"
    assert division_of("-").reason == "standard input is read once"
    assert division_of(os.devnull).reason == "a device or a pipe is read once"
    assert division_of(of(gzip.compress(GAMES), path)).reason == "gzip is read from its beginning on"
    assert division_of(of(GAMES.decode().encode("utf-16"), path)).reason == "utf-16 is read from its beginning on"
    assert division_of(of(GAMES, path), "latin-1").reason == "text in latin-1 is converted from its beginning on"
    assert division_of(str(path), known=Format(Kind.PACKED, "gzip")).reason == "gzip is read from its beginning on"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("games.pgn", GAMES)
    assert division_of(str(path)).reason == "zip is read from its beginning on"


@pytest.mark.parametrize("kind", ["gzip", "bzip2", "xz", "?"])
def test_packed_texts_are_streams(kind: str, tmp_path: Path) -> None:
    division = division_of(of(b"", tmp_path / "file"), known=Format(Kind.PACKED, kind))
    assert division.is_stream
    assert division.unit is None
