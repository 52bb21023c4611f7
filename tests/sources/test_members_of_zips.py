"""Members of zip archives, written byte by byte as APPNOTE.TXT describes them, in chunks of any size."""

import bz2
import io
import itertools
import lzma
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest

from rookery.sources.failures import DamagedFileError, NotGamesError
from rookery.sources.zips import _zip64, members

ONES: Final = (1 << 32) - 1
DIRECTORY: Final = b"PK\x01\x02"
BEHIND: Final = 8  # the flag of sizes that follow the data
TEXT: Final = b"1. e4 e5 *\n" * 20


def deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


FILTERS: Final[list[dict[str, Any]]] = [{"id": lzma.FILTER_LZMA1, "dict_size": 1 << 16, "lc": 1, "lp": 2, "pb": 0}]


def raw_lzma(data: bytes) -> bytes:
    """As zip packs by method 14: a version, the length of the properties, the properties, and the stream."""
    properties = bytes([1 + 9 * 2]) + (1 << 16).to_bytes(4, "little")
    return b"\x09\x04\x05\0" + properties + lzma.compress(data, lzma.FORMAT_RAW, filters=FILTERS)


PACKERS: Final[dict[int, Callable[[bytes], bytes]]] = {
    0: bytes,
    8: deflated,
    12: bz2.compress,
    14: raw_lzma,
    95: lzma.compress,
}


def member(
    data: bytes,
    *,
    name: bytes = b"a.pgn",
    method: int = 0,
    flags: int = 0,
    extra: bytes = b"",
    packed: int | None = None,
    size: int | None = None,
    crc: int | None = None,
    content: bytes | None = None,
) -> bytes:
    content = PACKERS[method](data) if content is None else content
    crc = zlib.crc32(data) if crc is None else crc
    sizes = len(content) if packed is None else packed, len(data) if size is None else size
    lengths = len(name), len(extra)
    return (
        struct.pack("<4s5H3L2H", b"PK\x03\x04", 20, flags, method, 0, 0, crc, *sizes, *lengths) + name + extra + content
    )


def behind(data: bytes, method: int = 0, *, width: int = 4, marked: bool = True, **more: Any) -> bytes:
    """A member whose sizes and checksum follow it."""
    content = PACKERS[method](data)
    sizes = len(content).to_bytes(width, "little") + len(data).to_bytes(width, "little")
    descriptor = (b"PK\x07\x08" if marked else b"") + zlib.crc32(data).to_bytes(4, "little") + sizes
    return member(data, method=method, flags=BEHIND, packed=0, size=0, crc=0, **more) + descriptor


def pieces(data: bytes, size: int) -> Iterator[bytes]:
    return (data[i : i + size] for i in range(0, len(data), size))


def read(archive: bytes, size: int = 1 << 20, folder: str = "") -> list[tuple[str, bytes]]:
    return [(name, b"".join(content)) for name, content in members("x.zip", folder, pieces(archive, size))]


SIZES = (1, 2, 7, 1 << 20)


@pytest.mark.parametrize("method", PACKERS)
def test_every_method(method: int) -> None:
    one = member(TEXT, method=method)
    archive = one + member(b"", method=method, name=b"b") + member(b"z", name=b"c") + DIRECTORY + b"more"
    for size in SIZES:
        assert read(archive, size) == [("a.pgn", TEXT), ("b", b""), ("c", b"z")]
    assert read(archive, folder="x.zip/")[0] == ("x.zip/a.pgn", TEXT)


@pytest.mark.parametrize("method", PACKERS)
@pytest.mark.parametrize("marked", [True, False])
def test_sizes_behind_the_data(method: int, marked: bool) -> None:
    if method == 0 and not marked:
        return
    archive = behind(TEXT, method, marked=marked) + member(b"z", name=b"c") + DIRECTORY
    for size in SIZES:
        assert read(archive, size) == [("a.pgn", TEXT), ("c", b"z")]


LONG: Final = struct.pack("<2H2Q", 1, 16, 0, 0)  # says that sizes have eight bytes
ZIP64: Final = struct.pack("<2H2Q", 1, 16, len(TEXT), len(deflated(TEXT)))


@pytest.mark.parametrize("before", [b"", struct.pack("<2H", 7, 0), struct.pack("<2H3s", 9, 3, b"abc")])
def test_sizes_of_eight_bytes_before_the_data(before: bytes) -> None:
    packed = len(deflated(TEXT))
    both, only_packed = before + ZIP64 + b"more", before + struct.pack("<2HQ", 1, 8, packed)
    end = member(b"z", name=b"c") + DIRECTORY
    for size in SIZES:
        found = [("a.pgn", TEXT), ("c", b"z")]
        assert read(member(TEXT, method=8, extra=both, packed=ONES, size=ONES) + end, size) == found
        assert read(member(TEXT, method=8, extra=only_packed, packed=ONES) + end, size) == found
        assert read(member(TEXT, method=8, extra=both) + end, size) == found  # sizes of four bytes count


def test_sizes_of_eight_bytes_of_stored_data() -> None:
    extra = struct.pack("<2H2Q", 1, 16, len(TEXT), len(TEXT))
    archive = member(TEXT, extra=extra, packed=ONES, size=ONES) + member(b"z", name=b"c") + DIRECTORY
    assert read(archive) == [("a.pgn", TEXT), ("c", b"z")]


def test_a_field_of_sizes_that_is_too_short() -> None:
    for extra in (struct.pack("<2HQ", 1, 8, 5), struct.pack("<2H", 1, 0), b"\x01\0\0"):
        with pytest.raises(DamagedFileError, match="cut short"):
            read(member(TEXT, extra=extra, packed=ONES, size=ONES) + DIRECTORY)


@pytest.mark.parametrize("method", [8, 12])
def test_sizes_of_eight_bytes_behind_the_data(method: int) -> None:
    end = member(b"z", name=b"c") + DIRECTORY
    for size in SIZES:
        assert read(behind(TEXT, method, width=8, extra=LONG) + end, size) == [("a.pgn", TEXT), ("c", b"z")]
        other = struct.pack("<2HQ", 2, 8, 0)
        assert read(behind(TEXT, method, extra=other) + end, size) == [("a.pgn", TEXT), ("c", b"z")]


@pytest.mark.parametrize("width", [4, 8])
@pytest.mark.parametrize(
    "data",
    [b"", b"a", TEXT, b"PK", b"PK\x07\x08", b"PK\x07\x08" * 3, b"x" * 40 + b"PK\x07\x08" + b"y" * 5, b"PK\x07" * 9],
)
def test_stored_data_up_to_their_sizes(width: int, data: bytes) -> None:
    for size in (1, 2, 3, 5, 24, 25, 1 << 20):
        for end in (DIRECTORY, member(b"z", name=b"c") + DIRECTORY):
            found = read(behind(data, width=width, extra=LONG if width == 8 else b"") + end, size)
            assert found == [("a.pgn", data), ("c", b"z")][: 1 if end == DIRECTORY else 2]


@pytest.mark.parametrize("width", [4, 8])
def test_stored_data_at_the_end_of_an_archive(width: int) -> None:
    """The directory is missing: the data end, and then the archive is cut short."""
    archive = behind(TEXT, width=width)
    for size in SIZES:
        found = members("x.zip", "", pieces(archive, size))
        assert b"".join(next(found)[1]) == TEXT
        with pytest.raises(DamagedFileError, match=rf"cut short: its zip data end at byte {len(archive)} within"):
            next(found)


def test_stored_data_in_pieces() -> None:
    data = bytes(range(256)) * 400  # 102,400 bytes, more than three pieces
    for archive in (member(data), behind(data)):
        (one,) = [list(content) for _, content in members("x.zip", "", iter([archive + DIRECTORY]))]
        assert b"".join(one) == data
        assert all(len(piece) < (1 << 15) + 4 for piece in one)  # a descriptor may begin in the last three
        assert len(list(filter(None, one))) == 4


def test_data_that_end_without_a_mark() -> None:
    content = raw_lzma(bytes(range(256)))[:200]
    data = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=FILTERS).decompress(content[9:])
    assert len(data) > 150
    for size in SIZES:
        assert read(member(data, method=14, content=content) + DIRECTORY, size) == [("a.pgn", data)]
    with pytest.raises(DamagedFileError, match="cut short"):  # of other methods they may not
        read(member(TEXT, method=8, content=deflated(TEXT)[:-2]))


@pytest.mark.parametrize("method", PACKERS)
def test_archives_that_are_cut_short(method: int) -> None:
    first, second = member(TEXT, method=method), member(b"z", name=b"c")
    archive = first + second
    for n in range(len(archive) + 1):
        found, text = [], ""
        try:
            for name, content in members("x.zip", "", pieces(archive[:n], 11)):
                found.append((name, bytearray()))
                for piece in content:
                    found[-1][1].extend(piece)
        except DamagedFileError as error:
            text = str(error)
        within = "a.pgn" if 35 <= n < len(first) else "c" if len(first) + 31 <= n < len(archive) else "x.zip"
        assert text == f"{within}: cut short: its zip data end at byte {n} within a file"
        assert [name for name, _ in found] == ["a.pgn", "c"][: (n >= 35) + (n >= len(first) + 31)]
        if found:
            assert TEXT.startswith(found[0][1])
        if n >= len(first):
            assert found[0][1] == TEXT


def test_a_wrong_checksum_costs_one_file() -> None:
    for archive in (
        member(TEXT, crc=1) + member(b"z", name=b"c") + DIRECTORY,
        member(TEXT, method=8, crc=1) + member(b"z", name=b"c") + DIRECTORY,
    ):
        found = members("x.zip", "x.zip/", iter([archive]))
        _, content = next(found)
        assert next(content) == TEXT
        with pytest.raises(DamagedFileError, match=r"^x\.zip/a\.pgn: damaged zip data: its checksum is wrong$"):
            next(content)
        assert next(content, None) is None
        name, content = next(found)
        assert (name, b"".join(content)) == ("x.zip/c", b"z")
        assert next(found, None) is None


def test_damaged_data_end_the_archive() -> None:
    packed = bytearray(deflated(bytes(range(256)) * 9))
    packed[20:60] = b"\xff" * 40
    damaged = member(b"", method=8, content=bytes(packed), name=b"b")
    archive = member(TEXT, method=8) + damaged + member(b"z", name=b"c") + DIRECTORY
    found = members("x.zip", "", iter([archive]))
    assert b"".join(next(found)[1]) == TEXT
    _, content = next(found)
    place = len(member(TEXT, method=8)) + 31 + min(256, len(packed))
    with pytest.raises(
        DamagedFileError, match=rf"^b: damaged zip data before byte {place}: .*; the files behind it are not read$"
    ):
        list(content)
    assert next(found, None) is None


def test_what_is_not_a_member() -> None:
    one = member(TEXT)
    for size in SIZES:
        with pytest.raises(
            DamagedFileError, match=rf"^x\.zip: damaged zip archive at byte {len(one)}: expected another file or a"
        ):
            read(one + b"abcd" + bytes(40), size)
    for mark in (b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x08"):
        assert read(one + mark) == [("a.pgn", TEXT)]


def test_names_and_folders() -> None:
    names = [b"caf\x82", "café".encode(), b"\xff\xc3(", b"folder/", b"f/b"]
    flags = [0, 1 << 11, 1 << 11, 0, 0]
    archive = b"".join(member(b"z", name=name, flags=flag) for name, flag in zip(names, flags, strict=True))
    assert [name for name, _ in read(archive + DIRECTORY)] == ["café", "café", "��(", "f/b"]


def test_members_that_are_refused() -> None:
    for options, message in (
        ({"flags": 1}, r"^x\.zip: 'a\.pgn' is encrypted: unpack it with its password first$"),
        ({"method": 9}, r"^x\.zip: 'a\.pgn' is packed by method 9 of zip: unpack it first$"),
    ):
        with pytest.raises(NotGamesError, match=message):
            read(member(TEXT, content=TEXT, **options))  # type: ignore[arg-type]


def test_members_that_are_not_read() -> None:
    archive = member(TEXT, name=b"a") + behind(TEXT, 8, name=b"b") + behind(TEXT, name=b"c") + member(b"z", name=b"d")
    for size in SIZES:
        found = members("x.zip", "", pieces(archive + DIRECTORY, size))
        assert [name for name, _ in found] == list("abcd")
        partly = members("x.zip", "", pieces(archive + DIRECTORY, size))
        assert [(name, bool(next(content))) for name, content in partly] == [(name, True) for name in "abcd"]


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_archives_of_python(method: int) -> None:
    file = io.BytesIO()
    files = {"a": TEXT, "b": bytes(range(256)) * 300, "c": b""}
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    for size in (100, 1 << 20):
        assert read(file.getvalue(), size) == list(files.items())


def test_members_of_zstd() -> None:
    zstandard = pytest.importorskip("zstandard", reason="zstandard is not installed")
    content = zstandard.ZstdCompressor().compress(TEXT)
    archive = member(TEXT, method=93, content=content) + member(b"z", name=b"c") + DIRECTORY
    for size in SIZES:
        assert read(archive, size) == [("a.pgn", TEXT), ("c", b"z")]
    assert len(list(itertools.chain(read(archive)))) == 2


@pytest.mark.parametrize(
    ("extra", "packed", "size", "found"),
    [
        (b"", 5, 9, (False, 5)),
        (b"\1\0\0", 5, 9, (False, 5)),
        (b"\1\0\0\0", 5, 9, (True, 5)),
        (b"\2\0\0\0" + b"\1\0\0\0", 5, 9, (True, 5)),
        (b"\2\0\3\0abc" + b"\1\0\0\0", 5, 9, (True, 5)),
        (b"\2\0\4\0\1\0\0\0", 5, 9, (False, 5)),
        (b"\1\0\x10\0" + bytes([7, *bytes(7), 8, *bytes(7)]), ONES, ONES, (True, 8)),
        (b"\1\0\x10\0" + bytes([7, *bytes(7), 8, *bytes(7)]), 5, ONES, (True, 5)),
        (b"\1\0\x08\0" + bytes([7, *bytes(7), 8, *bytes(7)]), ONES, 9, (True, 7)),
        (b"\1\0\x08\0" + bytes([7, *bytes(7), 8, *bytes(7)]), ONES, ONES, (True, ONES)),
        (b"\1\0\x07\0" + bytes([7, *bytes(7)]), ONES, 9, (True, ONES)),
        (b"\1\0\x08\0" + b"\0\1" + bytes(6), ONES, 9, (True, 256)),
    ],
)
def test_fields_of_sizes_of_eight_bytes(extra: bytes, packed: int, size: int, found: tuple[bool, int]) -> None:
    assert _zip64(extra, packed, size) == found
