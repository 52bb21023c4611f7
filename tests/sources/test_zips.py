"""Zip archives: every file of games in them, in order, from paths, bytes and streams; damaged, hostile and odd ones."""

import gzip
import io
import struct
import threading
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rookery import Games, read_pgn
from rookery.sources import zips
from rookery.sources.failures import DamagedFileError, DamagedFileWarning, NotGamesError
from thinning import few

TEXT = (Path(__file__).parents[1] / "samples" / "lichess-2025-05.pgn").read_bytes()
EXPECTED = read_pgn(TEXT)
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)


class Pipe(io.RawIOBase):
    """What cannot be sought in."""

    def __init__(self, data: bytes = b"") -> None:
        self.file = io.BytesIO(data)

    def read(self, size: int = -1) -> bytes:
        return self.file.read(min(size, 777))

    def write(self, data: Any) -> int:
        return self.file.write(data)


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED, *, pipe: bool = False) -> bytes:
    """A zip archive; that of a pipe has sizes and sums behind the files."""
    file = Pipe()
    with zipfile.ZipFile(file if pipe else file.file, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return file.file.getvalue()


def sources(path: Path, data: bytes) -> Iterator[Any]:
    path.write_bytes(data)
    yield from (path, data, io.BytesIO(data), Pipe(data))


@pytest.mark.parametrize("pipe", [False, True])
@pytest.mark.parametrize("method", METHODS)
def test_files_in_order(tmp_path: Path, method: int, pipe: bool) -> None:
    files = {
        "folder/": b"",
        "readme.txt": b"Games of May, with love.\n",
        "__MACOSX/folder/._b.pgn": bytes(100),
        "folder/b.PGN": TEXT,
        "cover.jpg": b"\xff\xd8\xff\xe0" + bytes(5000),
        "a.pgn.gz": gzip.compress(TEXT),
        "no name": TEXT,
        "empty.pgn": b"",
        "inner.zip": zipped({"x.pgn": TEXT.decode().encode("utf-16"), "readme": b"-"}, zipfile.ZIP_STORED, pipe=True),
    }
    data = zipped(files, method, pipe=pipe)
    for source in sources(tmp_path / "games", data):
        for threads in (1, 2):
            if threads == 2 and not isinstance(source, (bytes, Path)):
                continue
            games = read_pgn(source, threads=threads)
            assert games == Games.concatenate([EXPECTED] * 4)
            assert games.numbers.tolist() == [*range(1, 13)] * 4
            assert games.errors == ()


def test_errors_name_the_file_in_the_archive(tmp_path: Path) -> None:
    data = zipped({"a.pgn": TEXT, "b.pgn": b"1. e4 Ke2 *"})
    (tmp_path / "games.zip").write_bytes(data)
    assert read_pgn(tmp_path / "games.zip").errors[0].file == f"{tmp_path}/games.zip/b.pgn"
    assert read_pgn(data).errors[0].file == "b.pgn"


def encrypted() -> bytes:
    data = bytearray(zipped({"a.pgn": TEXT}))
    data[6] |= 1
    return bytes(data)


def other_method() -> bytes:
    data = bytearray(zipped({"a.pgn": TEXT}))
    data[8] = 9
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (zipped({}), "an empty zip archive"),
        (zipped({"folder/": b""}), "a zip archive without games: it is empty"),
        (zipped({"readme.txt": b"hello", "x.png": b"\x89PNG\r\n\x1a\n"}), "it has only 'readme.txt', 'x.png'"),
        (encrypted(), "'a.pgn' is encrypted: unpack it with its password first"),
        (other_method(), "'a.pgn' is packed by method 9 of zip: unpack it first"),
        (zipped({"a.pgn": b"%PDF-1.7"}), "a.pgn: a PDF document, not PGN"),
    ],
)
def test_archives_that_are_refused(tmp_path: Path, data: bytes, message: str) -> None:
    for source in sources(tmp_path / "games", data):
        with pytest.raises(NotGamesError) as caught:
            read_pgn(source)
        assert message in str(caught.value)


@pytest.mark.parametrize("method", METHODS)
def test_archives_cut_short(tmp_path: Path, method: int) -> None:
    data = zipped({"a.pgn": TEXT, "b.pgn": TEXT * 3}, method)
    directory = data.index(b"PK\x01\x02")
    path = tmp_path / "games.zip"
    for size in (5, 20, 33, 200, directory // 2, directory - 10):
        path.write_bytes(data[:size])
        with pytest.warns(DamagedFileWarning, match=r"games\.zip.*: cut short: its zip data end at byte"):
            games = read_pgn(path)
        assert games.errors[-1].game == 0
        good = games[~games.is_bad]
        assert good == Games.concatenate([EXPECTED] * 4)[: len(good)]
        with pytest.raises(DamagedFileError, match="cut short"):
            read_pgn(path, errors="raise")
    assert len(good) >= 12


def test_archives_that_are_damaged() -> None:
    data = bytearray(zipped({"a.pgn": TEXT, "b.pgn": TEXT, "c.pgn": TEXT}, zipfile.ZIP_STORED))
    place = data.index(b"White", data.index(b"b.pgn"))
    data[place] ^= 1
    with pytest.warns(DamagedFileWarning, match=r"^b\.pgn: damaged zip data: its checksum is wrong"):
        games = read_pgn(bytes(data))
    assert len(games) == 36  # its end is known, so that the next is read
    data = bytearray(zipped({"a.pgn": TEXT, "b.pgn": TEXT, "c.pgn": TEXT}))
    place = data.index(b"b.pgn") + 1000
    data[place : place + 100] = b"x" * 100
    with pytest.warns(DamagedFileWarning, match=r"^b\.pgn: damaged zip data before byte .*behind it are not read"):
        games = read_pgn(bytes(data))
    assert games[:12] == EXPECTED
    assert len(games) < 24
    data = bytearray(zipped({"a.pgn": TEXT, "b.pgn": TEXT}))
    place = data.index(b"b.pgn") - 30
    data[place : place + 4] = b"abcd"
    with pytest.warns(DamagedFileWarning, match=r"damaged zip archive at byte"):
        assert read_pgn(bytes(data))[:12] == EXPECTED


def test_sizes_of_eight_bytes() -> None:
    packed = zlib.compress(TEXT, wbits=-15)
    extra = struct.pack("<2H2Q", 1, 16, len(TEXT), len(packed))
    ones = (1 << 32) - 1
    head = struct.pack("<4s5H3L2H", b"PK\x03\x04", 45, 0, 8, 0, 0, zlib.crc32(TEXT), ones, ones, 5, len(extra))
    assert read_pgn(head + b"a.pgn" + extra + packed + b"PK\x01\x02") == EXPECTED


def test_a_stored_file_that_looks_like_its_own_end() -> None:
    """Its size stands behind it, and it has what that begins with."""
    text = TEXT.replace(b"{ [%clk", b"{ PK\x07\x08PK\x01\x02PK\x03\x04 [%clk")
    data = zipped({"a.pgn": text, "b.pgn": TEXT}, zipfile.ZIP_STORED, pipe=True)
    games = read_pgn(Pipe(data))
    assert games[:12].moves == EXPECTED.moves
    assert len(games) == 24


def test_thousands_of_files(tmp_path: Path) -> None:
    path = tmp_path / "games.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for i in range(2_000):
            archive.writestr(f"{i}.pgn", '[Event "x"]\n\n1. e4 *')
    before = threading.active_count()
    assert len(read_pgn(path)) == 2_000
    assert threading.active_count() <= before + 1


def test_an_archive_that_holds_itself() -> None:
    data = TEXT
    for _ in range(20):
        data = zipped({"a.pgn": data})
    with pytest.raises(NotGamesError, match="packed more than 8 times"):
        read_pgn(data)


@pytest.mark.parametrize("method", few(METHODS[1:], 1))
def test_what_becomes_much(method: int) -> None:
    """It is unpacked piece by piece; and what is not games is passed over so."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        with archive.open("big", "w") as member:
            for _ in range(1 << 6):
                member.write(bytes(1 << 20))
        archive.writestr("a.pgn", TEXT)
    assert len(file.getvalue()) < 1 << 18
    sizes = [[len(chunk) for chunk in content] for _, content in zips.members("x", "", iter([file.getvalue()]))]
    assert [sum(of_one) for of_one in sizes] == [1 << 26, len(TEXT)]
    assert max(sizes[0]) <= 1 << 20
    assert read_pgn(file.getvalue()) == EXPECTED
