"""Ranges of files byte by byte: where files of lines, rows, frames and groups are cut, and what a range reads."""

import io
import os
from pathlib import Path
from typing import Any, Final

import pytest

from rookery.sources import ranges, stores
from rookery.sources.chunks import Filled
from rookery.sources.failures import ChangedFileError
from rookery.sources.file_range import FileRange, text_from
from rookery.sources.formats import JSON, JSON_LINES, TEXT, Format, Kind
from rookery.sources.identity import Identity, identity_of
from rookery.sources.ranges import (
    LINES,
    Cuts,
    Division,
    Unit,
    before_damage,
    between_lines,
    between_rows,
    content_of,
    division_of,
    found_by,
    paths_for_tasks,
    ranges_of,
    ranges_of_groups,
)

BYTES: Final = Division(Unit.BYTES, TEXT)
FRAMES: Final = Division(Unit.FRAMES, Format(Kind.PACKED, "zstd"))


def file_of(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    return str(path)


def pairs(found: Any) -> list[tuple[int, int | None]]:
    return [(one.start, one.stop) for one in found]


def text_of(one: FileRange, kind: str = "") -> bytes:
    with one.opened() as file:
        return b"".join(map(bytes, Filled(one.unpacked(file, kind).fill)))


# Text.


def test_lines_are_cut_at_the_last_line_break_of_each_window(tmp_path: Path) -> None:
    content = b"123456789\n" * 100
    path = file_of(tmp_path / "file", content)
    cuts = [content.rfind(b"\n", end - 95, end) + 1 for end in range(95, 1000 - 47, 95)]
    found = list(ranges_of(path, BYTES, LINES, 95))
    assert pairs(found) == list(zip([0, *cuts], [*cuts, None], strict=True))
    assert b"".join(map(text_of, found)) == content
    assert all(one == FileRange(path, one.start, one.stop) for one in found)


@pytest.mark.parametrize(("length", "cuts"), [(150, []), (151, [100]), (250, [100]), (251, [100, 200]), (0, [])])
def test_the_last_range_has_half_a_size_or_more(length: int, cuts: list[int], tmp_path: Path) -> None:
    path = file_of(tmp_path / "file", b"\n" * length)
    assert [one.start for one in ranges_of(path, BYTES, LINES, 100)] == [0, *cuts]


def test_windows_without_a_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranges, "WINDOW", 30)
    content = b"x" * 99 + b"\n" + b"y" * 60 + b"\n" + b"z" * 150 + b"\n" + b"a" * 87 + b"\n" + b"b" * 100
    path = file_of(tmp_path / "file", content)
    assert [one.start for one in ranges_of(path, BYTES, LINES, 100)] == [0, 100, 400]
    windows: list[bytes] = []
    list(ranges_of(path, BYTES, found_by(lambda text: windows.append(text) or 0), 100))  # type: ignore[func-returns-value]
    assert windows == [content[end - 30 : end] for end in (100, 200, 300, 400)]


def test_what_is_not_divided(tmp_path: Path) -> None:
    path = file_of(tmp_path / "file", b"a\n" * 100)
    identity = Identity(1, 2, "x")
    for division, cuts in (
        (BYTES, None),
        (FRAMES, None),
        (FRAMES, Cuts(LINES.in_bytes)),
        (Division(None, TEXT), LINES),
        (Division(Unit.GROUPS, TEXT), LINES),
    ):
        assert list(ranges_of(path, division, cuts, 10, identity)) == [FileRange(path, identity=identity)]
    found = list(ranges_of(path, BYTES, LINES, 50, identity))
    assert len(found) == 4
    assert all(one.identity == identity for one in found)


@pytest.mark.parametrize(("text", "place"), [(b"", 0), (b"one", 0), (b"\n", 1), (b"one\ntwo", 4), (b"a\nb\n", 4)])
def test_places_between_lines(text: bytes, place: int) -> None:
    assert between_lines(text) == place


def test_rows_of_csv_are_cut_between_rows(tmp_path: Path) -> None:
    content = b'abc,"x\ny\nz"\n' * 20
    path = file_of(tmp_path / "file", content)
    found = list(ranges_of(path, BYTES, between_rows(","), 40))
    assert [one.start for one in found] == [0, 48, 96, 144, 192]
    assert b"".join(map(text_of, found)) == content
    assert len(list(ranges_of(path, BYTES, between_rows(","), len(content)))) == 1
    assert len(list(ranges_of(path, BYTES, between_rows(","), len(content) - 1))) == 1
    assert len(list(ranges_of(path, BYTES, between_rows(","), len(content) - 12))) == 2
    assert len(list(ranges_of(file_of(tmp_path / "none", b""), BYTES, between_rows(","), 1))) == 1


# Frames of zstd.


def in_frames(parts: list[bytes]) -> tuple[bytes, list[int]]:
    zstandard = pytest.importorskip("zstandard", reason="zstandard is not installed")
    frames = [zstandard.ZstdCompressor(level=1).compress(part) for part in parts]
    return b"".join(frames), [sum(map(len, frames[:i])) for i in range(len(frames))]


PARTS: Final = [f"{i} line\n{i} next\n{i} op".encode() for i in range(10, 20)]


def of_frames(path: str, size: int, cuts: Cuts) -> list[FileRange]:
    found = list(ranges_of(path, FRAMES, cuts, size))
    assert [one.start for one in found[1:]] == [one.stop for one in found[:-1]]
    assert [one.skip for one in found[1:]] == [one.more for one in found[:-1]]
    assert (found[0].start, found[0].skip, found[-1].stop, found[-1].more) == (0, 0, None, 0)
    assert b"".join(text_of(one, "zstd") for one in found) == b"".join(PARTS)
    return found


def test_every_frame_begins_a_range(tmp_path: Path) -> None:
    content, places = in_frames(PARTS)
    path = file_of(tmp_path / "file", content)
    found = of_frames(path, 100, LINES)
    assert [one.start for one in found] == places
    # What is looked at in a frame is a window of its text, whose last line break is the place.
    assert [one.skip for one in found[1:]] == [
        len(b"".join(PARTS[i:])[:100].rpartition(b"\n")[0]) + 1 for i in range(1, 10)
    ]
    found = of_frames(path, 100, found_by(lambda text: text.find(b"\n") + 1))
    assert [one.skip for one in found[1:]] == [len(b"10 op11 line\n") - 5] * 9


@pytest.mark.parametrize("n", [1, 2, 3])
def test_frames_are_a_fifth_of_the_size_apart(n: int, tmp_path: Path) -> None:
    content, places = in_frames(PARTS)
    path = file_of(tmp_path / "file", content)
    apart = places[1]  # all frames have the same size
    assert places == [i * apart for i in range(10)]
    for cuts in (LINES, between_rows(",")):
        assert [one.start for one in of_frames(path, 5 * n * apart, cuts)] == places[::n]
        assert [one.start for one in of_frames(path, 5 * n * apart + 4, cuts)] == places[::n]
        assert [one.start for one in of_frames(path, 5 * n * apart + 5, cuts)] == places[:: n + 1]


def test_frames_of_rows(tmp_path: Path) -> None:
    rows = [b'a,"x\n\ny"\n', b"b,c\n", b'd,"\n\n\n"\n', b"e,f\n"]
    text = b"".join(rows)
    parts = [text[i : i + 7] for i in range(0, len(text), 7)]
    content, places = in_frames(parts)
    path = file_of(tmp_path / "file", content)
    found = list(ranges_of(path, FRAMES, between_rows(","), 5))
    begins = [text.index(row) for row in rows]
    for one in found[1:]:
        i = places.index(one.start)
        assert 7 * i + one.skip == min(place for place in begins if place >= 7 * i)
    assert [one.start for one in found] == [place for i, place in enumerate(places) if 7 * i <= begins[-1]]
    assert b"".join(text_of(one, "zstd") for one in found) == text


def test_frames_that_are_not_divided(tmp_path: Path) -> None:
    one = file_of(tmp_path / "one", in_frames([b"a\nb\n" * 50])[0])
    encoded = file_of(tmp_path / "encoded", in_frames(["1. e4 *\n".encode("utf-16"), b"a\nb\n", b"c\nd\n"])[0])
    damaged = file_of(tmp_path / "damaged", b"\x28\xb5\x2f\xfd\x20\x01\x07\0\0" + in_frames([b"a\nb\n"])[0])
    for path in (one, encoded, damaged):
        for cuts in (LINES, between_rows(",")):
            assert pairs(ranges_of(path, FRAMES, cuts, 1)) == [(0, None)]
    assert content_of(encoded, FRAMES) == Format(Kind.ENCODED, "utf-16")
    assert content_of(damaged, FRAMES) == TEXT
    assert content_of(one, FRAMES) == TEXT
    assert content_of(one, Division(None, JSON)) == JSON


# Row groups.


@pytest.mark.parametrize(
    ("groups", "rows", "expected"),
    [
        ([], 5, [(0, None, 0)]),
        ([10], 5, [(0, None, 0)]),
        ([2, 3, 1], 5, [(0, 2, 0), (2, None, 5)]),
        ([2, 4, 1], 5, [(0, 1, 0), (1, None, 2)]),
        ([9, 9, 1], 5, [(0, 1, 0), (1, 2, 9), (2, None, 18)]),
        ([1, 1, 1, 1], 2, [(0, 2, 0), (2, None, 2)]),
        ([0, 5, 0, 1], 5, [(0, 3, 0), (3, None, 5)]),
    ],
)
def test_row_groups(groups: list[int], rows: int, expected: list[tuple[int, int | None, int]]) -> None:
    identity = Identity(5, 6)
    found = list(ranges_of_groups("x", groups, rows, identity))
    assert [(one.start, one.stop, one.rows_before) for one in found] == expected
    assert all((one.path, one.identity) == ("x", identity) for one in found)


# How files may be divided.


def test_other_divisions(tmp_path: Path) -> None:
    path = tmp_path / "file"
    assert division_of(file_of(path, b'{"games": [{"pgn": "x"}]}')) == (
        None,
        JSON,
        "a JSON document is read from its beginning on",
    )
    assert division_of(file_of(path, b'{"pgn": "x"}\n')) == (Unit.BYTES, JSON_LINES, "")
    assert division_of(file_of(path, b"PAR1")) == (Unit.GROUPS, Format(Kind.TABLE, "Parquet"), "")
    assert division_of(str(path), "latin-1").unit is Unit.GROUPS
    assert division_of(str(tmp_path)).reason == "a device or a pipe is read once"
    assert division_of("-").format.kind is Kind.PACKED


class Memory:
    """The module fsspec, with files in memory."""

    def __init__(self, **files: bytes) -> None:
        self.files = {f"memory://{name}": content for name, content in files.items()}
        self.core = self

    def url_to_fs(self, path: str) -> Any:
        return self, path

    def open(self, path: str, mode: str) -> Any:
        assert mode == "rb"
        content = self.files[path]
        return type("Opening", (), {"open": lambda _: io.BytesIO(content)})()

    def info(self, path: str) -> dict[str, Any]:
        return {"size": len(self.files[path]) or None}


def in_memory(monkeypatch: pytest.MonkeyPatch, **files: bytes) -> None:
    monkeypatch.setattr(stores, "_fsspec", lambda: Memory(**files))


def test_files_of_other_stores(monkeypatch: pytest.MonkeyPatch) -> None:
    in_memory(monkeypatch, text=b"1. e4 *", table=b"PAR1", packed=b"\x28\xb5\x2f\xfd\x20\x07", none=b"")
    assert division_of("memory://text") == (Unit.BYTES, TEXT, "")
    table = division_of("memory://table")
    assert (table.unit, table.reason) == (None, "a table of another store is read whole")
    assert division_of("memory://table", remote_tables=True).unit is Unit.GROUPS
    assert division_of("memory://packed").reason == "zstd is read from its beginning on"
    assert stores.size_of("memory://text") == 7
    assert paths_for_tasks(["memory://missing"]) == ["memory://missing"]
    assert division_of("memory://none").reason == "the server gives no size, and sends no ranges"
    with pytest.raises(OSError, match=r"^memory://missing: 'memory://missing'$"):
        stores.open_file("memory://missing")


@pytest.mark.parametrize(
    ("unit", "kind", "is_stream"),
    [
        (Unit.FRAMES, Kind.PACKED, True),
        (Unit.BYTES, Kind.TEXT, False),
        (Unit.GROUPS, Kind.TABLE, False),
        (None, Kind.TEXT, True),
        (None, Kind.PACKED, True),
        (None, Kind.TABLE, False),
        (None, Kind.OTHER, False),
    ],
)
def test_streams(unit: Unit | None, kind: Kind, is_stream: bool) -> None:
    assert Division(unit, Format(kind, "x")).is_stream == is_stream


def test_paths_for_tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file_of(tmp_path / "a", b"")
    assert paths_for_tasks(["a", Path("a")]) == [os.path.join(tmp_path, "a")] * 2  # noqa: PTH118
    with pytest.raises(TypeError, match=r"^source\[1\]: 5: expected a path, since an executor may run elsewhere$"):
        paths_for_tasks(["a", 5])
    with pytest.raises(ValueError, match=r"^source\[0\]: 'b': expected a file, since tasks may read it again$"):
        paths_for_tasks(["b"])


def test_ranges_before_damage() -> None:
    assert before_damage([1, 1, 2, 1, 2], [False, True, True, False, False]) == [True, True, True, False, False]
    with pytest.raises(ValueError, match="argument"):
        before_damage([1, 1], [False])


# What a range reads.


def test_names_of_ranges() -> None:
    assert str(FileRange("a")) == FileRange("a").name == "a"
    assert str(FileRange("a", 1_000, 20_000)) == "a from 1,000 to 20,000"
    assert str(FileRange("a", 0, 5)) == "a from 0 to 5"
    assert str(FileRange("a", 5)) == "a from 5 to the end"
    assert [FileRange("a", *at).is_whole for at in ((), (0,), (1,), (0, 1))] == [True, True, False, False]


@pytest.mark.parametrize(("start", "stop"), [(0, None), (3, None), (0, 7), (3, 7), (9, 20), (10, None)])
def test_bytes_of_a_range(start: int, stop: int | None, tmp_path: Path) -> None:
    path = file_of(tmp_path / "file", b"0123456789")
    one = FileRange(path, start, stop)
    with one.opened() as file:
        fill, buffer, found = one.filling(file), bytearray(4), b""
        while n := fill(memoryview(buffer)):
            found += buffer[:n]
        assert found == b"0123456789"[start:stop]
        file.seek(0)
        assert b"".join(one.packed_chunks(file)) == b"0123456789"[start:stop]
        file.seek(0)
        counted: list[int] = []
        text = one.unpacked(file, "", counted.append)
        assert b"".join(map(bytes, text)) == b"0123456789"[start:stop]
        assert sum(counted) == len(b"0123456789"[start:stop])
    with one.reading() as (file, head):
        assert head == b"0123456789"
        assert file.read() == b"0123456789"
    assert text_of(FileRange(path, 2, 6, skip=1, more=2)) == b"34567"
    assert text_of(FileRange(path, 2, None, skip=1)) == b"3456789"
    assert text_of(FileRange(path, 2, 6, more=2)) == b"234567"


def test_ranges_of_a_file_that_has_changed(tmp_path: Path) -> None:
    path = file_of(tmp_path / "file", b"0123456789")
    identity = identity_of(path)
    for one in (FileRange(path, identity=identity), FileRange(path, 1, 5, identity=identity)):
        one.check()
        with one.reading() as (_, head):
            assert head == b"0123456789"
    (tmp_path / "file").write_bytes(b"0123456789a")
    grown = FileRange(path, 1, 5, identity=identity, may_grow=True)
    with grown.reading() as (file, head):
        assert head == file.read() == b"0123456789a"
    for one in (FileRange(path, identity=identity), FileRange(path, 1, 5, identity=identity)):
        with pytest.raises(ChangedFileError, match=r"changed while it was read \(it had 10 bytes and has 11\): start"):
            one.reading().__enter__()
    (tmp_path / "file").unlink()
    with pytest.raises(ChangedFileError, match="was removed while it was read"):
        grown.opened()
    with pytest.raises(FileNotFoundError):
        FileRange(path).opened()


def test_heads_of_pipes_are_not_read(tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("no pipes")
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = os.open(path, os.O_RDWR)
    os.write(writer, b"1. e4 *")
    try:
        with FileRange(str(path)).reading() as (file, head):
            assert head == b""
            assert os.read(file.fileno(), 100) == b"1. e4 *"
    finally:
        os.close(writer)


def test_heads_of_ranges_of_other_stores(monkeypatch: pytest.MonkeyPatch) -> None:
    in_memory(monkeypatch, text=bytes(range(250)) * 8)
    with FileRange("memory://text").reading() as (file, head):
        assert head == b""
    with FileRange("memory://text", 5, 9).reading() as (file, head):
        assert head == (bytes(range(250)) * 8)[:1024]
        assert file.tell() == 0


@pytest.mark.parametrize("kind", ["zstd", "gzip"])
def test_texts_of_packed_files(kind: str) -> None:
    import gzip

    content = in_frames(PARTS)[0] if kind == "zstd" else b"".join(map(gzip.compress, PARTS))
    counted: list[int] = []
    text = text_from("x", io.BytesIO(content), kind, noted=counted.append)
    assert b"".join(map(bytes, text)) == b"".join(PARTS)
    assert sum(counted) == len(content)


# Chunks end at the same bytes for all ranges.


@pytest.mark.parametrize(
    ("start", "stop"), [(0, None), (5, None), ((1 << 20) - 1, None), (1 << 20, None), (7, 1 << 20)]
)
def test_ends_of_chunks(start: int, stop: int | None) -> None:
    size = (5 << 19) + 3
    sizes = list(map(len, stores.chunks("x", io.BytesIO(bytes(size)), start, stop)))
    ends = [start + sum(sizes[: i + 1]) for i in range(len(sizes))]
    last = size if stop is None else stop
    assert ends == [end for end in (1 << 20, 2 << 20) if start < end < last] + [last]


def test_errors_of_stores_name_the_path() -> None:
    class Fails(io.BytesIO):
        error: Exception = KeyError("lost")

        def read(self, *_: object) -> bytes:
            raise self.error

    with pytest.raises(OSError, match=r"'lost'.*'x'"):
        list(stores.chunks("x", Fails()))
    failing = Fails()
    failing.error = PermissionError("mine")
    with pytest.raises(PermissionError, match="mine"):
        list(stores.chunks("x", failing))


def test_states_of_files_of_other_stores(monkeypatch: pytest.MonkeyPatch) -> None:
    class Store:
        def __init__(self, info: Any) -> None:
            self.given = info

        def info(self, _: str) -> Any:
            if isinstance(self.given, Exception):
                raise self.given
            return self.given

    def state(info: Any) -> Any:
        fsspec = Memory()
        monkeypatch.setattr(fsspec, "url_to_fs", lambda path: (Store(info), path))
        monkeypatch.setattr(stores, "_fsspec", lambda: fsspec)
        return stores.size_and_state("s3://x")

    assert state({"size": 5, "ETag": "a", "mtime": 7}) == (5, "a")
    assert state({"size": 5, "ETag": "", "mtime": 7}) == (5, "7")
    assert state({"created": 1.5}) == (None, "1.5")
    assert state({}) == (None, None)
    with pytest.raises(FileNotFoundError, match="no such file") as missing:
        state(FileNotFoundError("?"))
    assert (missing.value.errno, missing.value.filename) == (2, "s3://x")
    with pytest.raises(PermissionError):
        state(PermissionError("?"))
    with pytest.raises(OSError, match=r"^s3://x: 'k'$"):
        state(KeyError("k"))
