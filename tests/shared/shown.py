"""Answers and files as lines of text that are the same in every run: short ones in full, long ones as digests.

Numbers of measurements, versions and paths are replaced. Floats have six digits, since sums may differ in the last
ones between CPUs. Parquet and Arrow files are shown by their columns, and packed files unpacked, because their bytes
depend on the versions of other libraries.
"""

import bz2
import collections.abc
import contextlib
import datetime
import gzip
import hashlib
import io
import json
import lzma
import re
from enum import Enum
from pathlib import Path
from typing import Any, Final

import numpy as np

import rookery
from rookery.games.search.hits import Hits
from rookery.positions.moves import Moves

WIDTH: Final = 110  # characters of an answer in one line
LINES: Final = 60  # of an answer in full; of a longer one the first few are shown
VALUES: Final = 12  # of a column or an array in full
ROOT: Final = Path(__file__).parents[2]
# What varies between runs, machines and versions, and what stands in its place.
VARYING: Final = (
    (re.escape(str(ROOT)), "ROOT"),
    (rf"\b{re.escape(rookery.__version__)}\b", "VERSION"),
    (r"\b[\d,.]+ (ns|us|ms|s|seconds)\b", r"N \1"),
    (r"\b[\d,.]+ ([MGk]?B|[MGk] \w+|\w+)/s\b", r"N \1/s"),
    (r'("(?:python|numpy|rookery|click|rich|numba|llvmlite|pyarrow)":\s*")\d[^"]*', r"\1VERSION"),
    (r'("\w*(?:seconds|per_second|_ms|_us|_ns)":\s*)[\d.e+-]+', r"\1N"),
    (r'("work":\s*")[0-9a-f]{64}', r"\1WORK"),  # of the path and the time of an input
    (r'(?s)("work": "WORK".*\n "digest": ")[0-9a-f]+', r"\1DIGEST"),  # of a manifest, which has versions
    # An index has Parquet files, whose sizes depend on the version of pyarrow, and times of its inputs.
    (r'("[a-z]+-[-0-9]+\.parquet": )\d+', r"\1N"),
    (r"[\d,]+ bytes in index\b", "N bytes in index"),
    (r'("parts": \d+,\n\s+"bytes": )\d+', r"\1N"),
    (r"\b1\d{18}(?=,\n)", "TIME"),
    (r'(?s)("about": "rookery index.*\n "digest": ")[0-9a-f]+', r"\1DIGEST"),
    (r"\.rookery-[0-9a-f]+-[0-9a-f]+", ".rookery-NAME"),  # a temporary file
    (r"\blist<element:", "list<item:"),  # as versions of pyarrow name it
    (r"\bat 0x[0-9a-f]+", "at 0xN"),
    (r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[\d.]*(?:Z|[+-]\d\d:\d\d)?", "TIME"),
)
TABLES: Final = (rookery.Games, Hits, Moves, rookery.OpeningTree, rookery.Positions, rookery.ScoredPositions)
PACKED: Final = {b"\x1f\x8b": gzip.decompress, b"BZ": bz2.decompress, b"\xfd7": lzma.decompress}  # by magic numbers


def steady(text: str, folder: Path | None = None) -> str:
    """Replace what varies between runs."""
    if folder:
        text = text.replace(f"{folder}/", "").replace(str(folder), "FOLDER")
    for pattern, replacement in VARYING:
        text = re.sub(pattern, replacement, text)
    return text


def digest(content: bytes | str) -> str:
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()[:12]


def shortened(lines: list[str]) -> list[str]:
    """Return the lines, or the first few and a digest of the others."""
    if len(lines) <= LINES:
        return [line if len(line) <= 400 else f"{line[:200]} ... {digest(line)}" for line in lines]
    rest = lines[5:]
    return [*shortened(lines[:5]), f"... {len(rest)} more lines: {digest(chr(10).join(rest))}"]


def shown(value: Any) -> list[str]:
    """Return the lines that show an answer; None has no line."""
    if value is None:
        return []
    return shortened([steady(line) for line in _lines(value)])


def _lines(value: Any) -> list[str]:
    text = _text(value)
    if text is not None:
        return text.splitlines() or [""]
    table = _table(value)
    if table is not None:
        return table
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace").splitlines()
    if isinstance(value, str):
        return value.splitlines()
    if isinstance(value, collections.abc.Mapping):
        return [f"{_inline(key)}: {_joined(part)}" for key, part in value.items()]
    if isinstance(value, (list, tuple, collections.abc.Iterator)):
        return [line for part in value for line in (_lines(part) if part is not None else ["None"])]
    return repr(value).splitlines()


def _joined(value: Any) -> str:
    return _inline(value) if _text(value) is not None else " | ".join(_lines(value))


def _inline(value: Any) -> str:
    text = _text(value)
    return repr(value) if text is None else text


def _text(value: Any) -> str | None:
    """Return a value in one line, or None if that would be long."""
    if isinstance(value, Enum):
        return str(value)
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if isinstance(value, np.integer) or type(value) is int:
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return f"{float(value):.6g}"
    if value is None:
        return "None"
    if isinstance(value, (str, bytes)):
        return repr(value) if len(value) < WIDTH and len(value.splitlines()) < 2 else None
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape}: {_values(value.ravel().tolist())}"
    if isinstance(value, np.dtype):
        return str(value)
    if isinstance(value, (set, frozenset)) and type(value) in (set, frozenset):
        return _bracketed(sorted(value), "{}")
    if type(value) in (list, tuple) and not any(isinstance(part, TABLES) for part in value):
        return _bracketed(value, "[]" if isinstance(value, list) else "()")
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        parts = [f"{name}={_inline(part)}" for name, part in zip(value._fields, value, strict=True)]
        text = f"{type(value).__name__}({', '.join(parts)})"
        return text if len(text) <= WIDTH else None
    if type(value) is dict:
        parts = [f"{_inline(key)}: {_inline(part)}" for key, part in value.items()]
        return _fitting("{" + ", ".join(parts) + "}")
    return None


def _bracketed(values: Any, brackets: str) -> str | None:
    texts = [_text(part) if _text(part) is not None else repr(part) for part in values]
    return _fitting(brackets[0] + ", ".join(map(str, texts)) + brackets[1])


def _fitting(text: str) -> str | None:
    return text if len(text) <= WIDTH and "\n" not in text else None


def _values(values: list[Any]) -> str:
    """Return values of a column: all, or how many and a digest."""
    texts = [_inline(value) for value in values]
    if len(values) > 2 and len(set(texts)) == 1 and len(texts[0]) <= WIDTH:
        return f"{len(values)} times {texts[0]}"
    if len(values) <= VALUES and len(joined := ", ".join(texts)) <= 2 * WIDTH:
        return f"[{joined}]"
    return f"{len(values)} values, {digest(chr(10).join(texts))}"


def _table(value: Any) -> list[str] | None:
    """Return the lines of a table: how many rows, and each column."""
    if isinstance(value, rookery.Positions):
        return [f"{len(value)} positions", f"FEN: {_values(value.to_fens())}"]
    if isinstance(value, Moves):
        words = [rookery.Move(word).uci() for word in value.moves.tolist()]
        return [f"{len(value)} rows of moves", f"offsets: {_text(value.offsets)}", f"moves: {_values(words)}"]
    if isinstance(value, rookery.ScoredPositions):
        columns = {name: getattr(value, name) for name in ("moves", "scores", "results", "plies")}
        return [*(_table(value.positions) or []), *(f"{name}: {_text(column)}" for name, column in columns.items())]
    if isinstance(value, (rookery.Games, rookery.OpeningTree, Hits)):
        return [f"{type(value).__name__}, {len(value)} rows", *arrow_columns(value.to_arrow())]
    package = type(value).__module__.partition(".")[0]
    if package == "pyarrow" and hasattr(value, "schema") and hasattr(value, "num_rows"):
        return [f"{type(value).__name__}, {value.num_rows} rows", *arrow_columns(value)]
    if package in ("pandas", "polars") and hasattr(value, "columns"):
        return [f"{package}, {len(value)} rows", *(f"{name}: {value[name].dtype}" for name in value.columns)]
    return None


def arrow_columns(table: Any) -> list[str]:
    """Return a line for each column of an Arrow table, one for those that are empty, and the metadata."""
    types = {name: table.schema.field(name).type for name in table.schema.names}
    columns = {name: table[name].to_pylist() for name in types}
    empty = {name for name, values in columns.items() if not any(value or value == 0 for value in values)}
    lines = [f"{name}: {kind}: {_values(columns[name])}" for name, kind in types.items() if name not in empty]
    if empty:
        lines.append("empty: " + ", ".join(f"{name} ({kind})" for name, kind in types.items() if name in empty))
    metadata = table.schema.metadata or {}
    return [*lines, *(f"metadata {key.decode()}: {value.decode()[:200]}" for key, value in sorted(metadata.items()))]


def shown_file(path: Path, folder: Path) -> list[str]:
    """Return the lines that show a file: its name and size, then its content or a digest."""
    content = path.read_bytes()
    if content[:4] == b"PAR1":
        return _parquet(content)
    if content[:6] == b"ARROW1":
        import pyarrow as pa

        table = pa.ipc.open_file(io.BytesIO(content)).read_all()
        return [f"Arrow, {table.num_rows} rows", *arrow_columns(table)]
    if content[:6] == b"SQLite":
        return ["a database of SQLite"]
    if content[:4] == b"\x28\xb5\x2f\xfd":
        import zstandard

        reader = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(content), read_across_frames=True)
        return ["zstd", *_content(reader.read(), folder)]
    if content[:2] in PACKED:
        with contextlib.suppress(EOFError):  # of a file that is cut short, the bytes count
            return [path.suffix[1:], *_content(PACKED[content[:2]](content), folder)]
    return _content(content, folder)


def _parquet(content: bytes) -> list[str]:
    import pyarrow.parquet as pq

    file = pq.ParquetFile(io.BytesIO(content))
    groups = [file.metadata.row_group(i).num_rows for i in range(file.metadata.num_row_groups)]
    table = file.read()
    return [f"Parquet, {table.num_rows} rows in groups of {groups}", *arrow_columns(table)]


def _content(content: bytes, folder: Path) -> list[str]:
    with contextlib.suppress(UnicodeDecodeError):
        text = content.decode()
        if "\0" not in text:
            return _content_of_text(text, folder)
    return [f"{len(content)} bytes: {digest(content)}"]


def _content_of_text(text: str, folder: Path) -> list[str]:
    limit = VALUES
    with contextlib.suppress(ValueError):
        text, limit = json.dumps(json.loads(text), indent=1) + "\n", LINES
    lines = steady(text, folder).split("\n")
    if len(lines) > limit or max(map(len, lines)) > 2 * WIDTH:
        return [f"{len(lines)} lines: {digest(chr(10).join(lines))}"]
    return lines[:-1] if lines[-1] == "" else [*lines, "(no line break)"]
