"""Packed bytes piece by piece: sizes of pieces, frames and their ends, places of damage, and other encodings."""

import bz2
import functools
import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from packed import PACKERS
from rookery.sources import unpack
from rookery.sources.failures import DamagedFileError
from rookery.sources.unpack import (
    Pace,
    ZstdText,
    decoded,
    ends_of_blocks,
    frames_of,
    inflated,
    next_frame,
    packed,
    packed_by_name,
    packing_of,
    pieces,
    read_at,
    unpacker,
    zstd_compressor,
    zstd_decompressor,
)

zstandard = pytest.importorskip("zstandard", reason="zstandard is not installed")

TEXT: Final = b"1. e4 e5 *\n" * 50
PACK: Final[dict[str, Callable[[bytes], bytes]]] = {
    "zstd": zstandard.ZstdCompressor(write_checksum=True).compress,
    "gzip": functools.partial(gzip.compress, mtime=0),
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "lzma": lambda text: lzma.compress(text, lzma.FORMAT_ALONE),
}
MEGABYTE: Final = 1 << 20


def chunks(data: bytes, size: int) -> Iterator[bytes]:
    return (data[i : i + size] for i in range(0, len(data), size))


# The pace.


def test_pieces_double_up_to_the_largest() -> None:
    pace = Pace()
    assert [pace.next_size() for _ in range(9)] == [256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 32768]


@pytest.mark.parametrize(
    ("n", "size"),
    [
        (0, 2048),
        (MEGABYTE // 2, 2048),
        (MEGABYTE // 2 + 1, 1023),
        (MEGABYTE, 512),
        (2 * MEGABYTE, 256),
        (4 * MEGABYTE, 256),
        (1 << 30, 256),
    ],
)
def test_pieces_that_become_much_are_followed_by_smaller_ones(n: int, size: int) -> None:
    pace = Pace()
    for _ in range(3):
        pace.next_size()
    pace.became(n)
    assert pace.next_size() == size


@pytest.mark.parametrize("kind", ["gzip", "bzip2", "xz", "lzma"])
@pytest.mark.parametrize("size", [0, 1, MEGABYTE - 1, MEGABYTE, MEGABYTE + 1, 2 * MEGABYTE, 5 * MEGABYTE // 2])
def test_pieces_have_a_megabyte_or_less(kind: str, size: int) -> None:
    text = bytes(size)
    unpack_one = unpacker(kind)()
    found = list(pieces(unpack_one, PACK[kind](text) + b"rest"))
    assert [len(piece) for piece in found if piece] == [MEGABYTE] * (size // MEGABYTE) + [size % MEGABYTE] * (
        size % MEGABYTE > 0
    )
    assert not any(map(any, found))
    assert unpack_one.eof
    assert unpack_one.unused_data == b"rest"


def test_deflated_bytes_come_as_soon_as_they_can() -> None:
    """Compare with zlib after each packed byte: nothing that can be unpacked is held back."""
    content = gzip.compress(bytes(range(256)) * 20 + bytes(MEGABYTE))
    ours, whole = unpacker("gzip")(), zlib.decompressobj(31)
    for i in range(0, len(content), 100):
        part = content[i : i + 100]
        assert b"".join(pieces(ours, part)) == whole.decompress(part)


# Streams of frames.


@pytest.mark.parametrize("size", [1, 3, 1 << 20])
@pytest.mark.parametrize("kind", PACK)
def test_frames_that_follow_each_other(kind: str, size: int) -> None:
    content = PACK[kind](TEXT) + PACK[kind](b"x") + PACK[kind](TEXT)
    assert b"".join(inflated("x", chunks(content, size), kind)) == TEXT + b"x" + TEXT
    assert list(inflated("x", iter([]), kind)) == []
    assert all(inflated("x", chunks(content, size), kind))


@pytest.mark.parametrize("size", [1, 3, 1 << 20])
@pytest.mark.parametrize("kind", ["gzip", "xz"])
def test_zeros_between_frames(kind: str, size: int) -> None:
    one = PACK[kind](TEXT)
    content = one + bytes(4) + one + bytes(8)
    assert b"".join(inflated("x", chunks(content, size), kind)) == TEXT * 2
    with pytest.raises(DamagedFileError, match=r"in the middle of a frame$") as caught:
        list(inflated("x", chunks(content + one[:-1], size), kind))
    assert caught.value.reason == (
        f"cut short: its {kind} data end at byte {len(content) + len(one) - 1:,} in the middle of a frame"
    )
    with pytest.raises(DamagedFileError) as caught:
        list(inflated("x", chunks(content + b"junk" * 99, size), kind, 1000))
    place = 1000 + len(content)
    assert (
        caught.value.reason.startswith(f"damaged {kind} data within 32,768 bytes after byte {place:,}: ") or size < 99
    )


@pytest.mark.parametrize("kind", ["zstd", "bzip2"])
def test_zeros_are_damage_of_others(kind: str) -> None:
    one = PACK[kind](TEXT)
    with pytest.raises(DamagedFileError, match=rf"^x: damaged {kind} data within 32,768 bytes after byte {len(one)}: "):
        list(inflated("x", iter([one + bytes(400)]), kind))


@pytest.mark.parametrize("kind", PACK)
def test_frames_that_are_cut_short(kind: str) -> None:
    content = PACK[kind](TEXT)
    for n in (1, len(content) // 2, len(content) - 1):
        found: list[bytes] = []
        with pytest.raises(DamagedFileError) as caught:
            found.extend(iter(inflated("x", iter([content, content[:n]]), kind, 7)))
        assert str(caught.value) == (
            f"x: cut short: its {kind} data end at byte {7 + len(content) + n:,} in the middle of a frame"
        )
        assert (TEXT * 2).startswith(b"".join(found))
        assert b"".join(found).startswith(TEXT)


def test_the_place_of_damage_is_that_of_the_piece() -> None:
    content = bytearray(PACK["bzip2"](bytes(range(256)) * 40))
    assert len(content) > 700
    content[500] ^= 0xFF
    for size in (64, 1 << 20):
        with pytest.raises(DamagedFileError, match=r"damaged bzip2 data within 32,768 bytes after byte [0-9,]+: "):
            list(inflated("x", chunks(bytes(content), size), "bzip2"))


def test_a_lack_of_memory_is_no_damage(monkeypatch: pytest.MonkeyPatch) -> None:
    class Fails:
        eof, needs_input = False, True

        def decompress(self, *_: object) -> bytes:
            raise MemoryError

    monkeypatch.setattr(unpack, "unpacker", lambda kind: Fails)
    with pytest.raises(MemoryError):
        list(inflated("x", iter([b"abc"]), "bzip2"))


def test_windows_of_zstd() -> None:
    parameters = zstandard.ZstdCompressionParameters.from_level(1, window_log=27)
    content = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    frame = content.compress(TEXT) + content.flush()
    assert b"".join(inflated("x", iter([frame]), "zstd")) == TEXT
    assert zstd_decompressor().decompress(zstd_compressor().compress(TEXT)) == TEXT


# Other encodings.


@pytest.mark.parametrize("size", [1, 3, 100])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32-be", "latin-1", "utf-8"])
def test_texts_of_other_encodings(encoding: str, size: int) -> None:
    text = "1. e4 é *\n"
    assert b"".join(decoded("x", chunks(text.encode(encoding), size), encoding)) == text.encode()
    assert all(decoded("x", chunks(text.encode(encoding), size), encoding))
    assert list(decoded("x", iter([]), encoding)) == []


@pytest.mark.parametrize(
    ("encoding", "name"),
    [
        ("utf-16-le", "UTF-16"),
        ("utf-16-be", "UTF-16"),
        ("utf-32-le", "UTF-32"),
        ("utf-32", "UTF-32"),
        ("utf-8", "UTF-8"),
    ],
)
def test_texts_that_end_within_a_character(encoding: str, name: str) -> None:
    found: list[bytes] = []
    with pytest.raises(DamagedFileError, match=rf"^x: cut short: its {name} text ends within a character$"):
        found.extend(iter(decoded("x", iter(["aé".encode(encoding)[:-1]]), encoding)))
    assert found == [b"a"]


def test_bytes_that_encode_no_character() -> None:
    assert b"".join(decoded("x", iter([b"a\0\0\xd8b\0"]), "utf-16-le")).decode() == "a�b"


# Files that are packed.


@pytest.mark.parametrize(
    ("name", "kind"),
    [("a.zst", "zstd"), ("A.ZST", "zstd"), ("a.pgn.gz", "gzip"), ("a.gzip", None), ("zst", None), (b"a.gz", "gzip")],
)
def test_packing_by_name(name: Any, kind: str | None) -> None:
    assert packing_of(name) == kind
    if isinstance(name, bytes):
        return
    file = io.BytesIO()
    with packed_by_name(file, Path(name)) as packing:
        packing.write(TEXT)
    content = file.getvalue()
    assert (b"".join(inflated("x", iter([content]), kind)) if kind else content) == TEXT


def test_packed_files_stay_open() -> None:
    for kind in ("gzip", "zstd"):
        file = io.BytesIO()
        with packed(file, kind) as packing:
            packing.write(TEXT)
        assert b"".join(inflated("x", iter([file.getvalue()]), kind)) == TEXT
        assert not file.closed
    file = io.BytesIO()
    with packed(file, "gzip") as packing:
        packing.write(b"x")
    assert file.getvalue()[4:8] == bytes(4)  # no time, so that equal content has equal bytes
    file = io.BytesIO()
    with packed_by_name(file, None) as same:
        assert same is file


# Frames of zstd, by RFC 8878.

MAGIC: Final = b"\x28\xb5\x2f\xfd"


def block(kind: int, size: int, *, is_last: bool = False) -> bytes:
    return (is_last | kind << 1 | size << 3).to_bytes(3, "little")


def reader(content: bytes) -> unpack.Read:
    return functools.partial(read_at, io.BytesIO(content))


def test_bytes_at_a_place() -> None:
    read = reader(b"0123456789")
    assert (read(3, 4), read(8, 4), read(10, 4), read(0, 1)) == (b"3456", b"89", b"", b"0")


@pytest.mark.parametrize("size_flag", range(4))
@pytest.mark.parametrize("dictionary_flag", range(4))
@pytest.mark.parametrize("is_single", [0, 1])
@pytest.mark.parametrize("has_checksum", [0, 1])
def test_ends_of_blocks(size_flag: int, dictionary_flag: int, is_single: int, has_checksum: int) -> None:
    flags = size_flag << 6 | is_single << 5 | has_checksum << 2 | dictionary_flag
    field = {0: 1 if is_single else 0, 1: 2, 2: 4, 3: 8}[size_flag]
    header = MAGIC + bytes([flags]) + bytes((0 if is_single else 1) + {0: 0, 1: 1, 2: 2, 3: 4}[dictionary_flag] + field)
    before = b"before"
    content = before + header
    ends = []
    for kind, size in ((0, 5), (1, 1000), (2, 9), (0, 0)):
        content += block(kind, size) + bytes(1 if kind == 1 else size)
        ends.append((len(content), False))
    content += block(2, 300, is_last=True) + bytes(300)
    ends.append((len(content) + 4 * has_checksum, True))
    read = reader(content + bytes(4 * has_checksum) + b"after")
    assert list(ends_of_blocks(read, len(before))) == ends


def test_ends_of_blocks_that_are_damaged() -> None:
    content = MAGIC + b"\x20\x05" + block(0, 5) + bytes(5)
    assert list(ends_of_blocks(reader(content), 0)) == [(14, False)]
    assert list(ends_of_blocks(reader(content + b"\x01\0"), 0)) == [(14, False)]
    assert list(ends_of_blocks(reader(content + block(3, 1, is_last=True) + bytes(9)), 0)) == [(14, False)]
    assert list(ends_of_blocks(reader(content + block(1, 7, is_last=True)), 0)) == [(14, False), (18, True)]


def test_frames_that_are_skipped() -> None:
    def skipped(first: int, size: int) -> bytes:
        return bytes([first]) + b"\x2a\x4d\x18" + size.to_bytes(4, "little") + bytes(size)

    frame = MAGIC + b"\x20\x05" + bytes(3)
    for first in (0x50, 0x51, 0x5F):
        read = reader(skipped(first, 5) + skipped(0x50, 0) + frame)
        assert next_frame(read, 0) == 13 + 8
        assert next_frame(read, 13) == 21
        assert next_frame(read, 21) == 21
    assert next_frame(reader(skipped(0x60, 5) + frame), 0) is None
    assert next_frame(reader(skipped(0x40, 5) + frame), 0) is None
    assert next_frame(reader(skipped(0x50, 5)[:7]), 0) is None
    assert next_frame(reader(skipped(0x50, 0)), 0) is None
    assert next_frame(reader(skipped(0x50, 300) + frame), 0) == 308
    assert next_frame(reader(frame[:6]), 0) == 0
    assert next_frame(reader(frame[:5]), 0) is None
    assert next_frame(reader(b"x" + frame), 0) is None
    assert next_frame(reader(b""), 0) is None


def test_first_bytes_of_frames() -> None:
    one = zstandard.ZstdCompressor(write_checksum=True).compress(TEXT)
    two = zstandard.ZstdCompressor(write_checksum=False).compress(b"x" * 300_000)
    skip = b"\x50\x2a\x4d\x18\x02\0\0\0ab"
    content = skip + one + two + skip + one
    places = [10, 10 + len(one), 20 + len(one) + len(two)]
    assert list(frames_of(io.BytesIO(content))) == places
    assert list(frames_of(io.BytesIO(content + b"junk"))) == places
    for n in (0, 5, 9):
        assert list(frames_of(io.BytesIO(content[:n]))) == []
    assert list(frames_of(io.BytesIO(content[: places[1] + 6]))) == places[:2]
    damaged = MAGIC + b"\x20\x05" + block(3, 9) + bytes(9)  # the type of the block does not exist
    assert list(frames_of(io.BytesIO(one + damaged + one))) == [0, len(one)]


# Text of zstd that fills buffers.


def filled(content: bytes, size: int, start: int = 0, stop: int | None = None) -> tuple[bytes, str, list[int]]:
    found, counted = bytearray(), list[int]()
    source = ZstdText("x", io.BytesIO(content), start, stop, counted.append)
    buffer = bytearray(size)
    try:
        while n := source.fill(memoryview(buffer)):
            assert n <= size
            found += buffer[:n]
    except DamagedFileError as error:
        return bytes(found), error.reason, counted
    assert source.fill(memoryview(buffer)) == 0
    return bytes(found), "", counted


@pytest.mark.parametrize("size", [1, 7, 100_000])
def test_text_of_frames(size: int) -> None:
    frames = [PACK["zstd"](part) for part in (TEXT, b"", b"x" * 400, TEXT)]
    content = b"".join(frames)
    found, error, counted = filled(content, size)
    assert (found, error) == (TEXT + b"x" * 400 + TEXT, "")
    assert sum(counted) == len(content)
    assert min(counted) > 0
    begin, end = len(frames[0]), len(content) - len(frames[3])
    found, error, counted = filled(content, size, begin, end)
    assert (found, error) == (b"x" * 400, "")
    assert sum(counted) == end - begin
    assert filled(b"", size) == (b"", "", [])


@pytest.mark.parametrize("size", [1, 7, 100_000])
def test_text_of_frames_that_are_cut_short(size: int) -> None:
    one = PACK["zstd"](TEXT)
    for n in (1, 6, len(one) // 2, len(one) - 1):
        content = one + one[:n]
        found, error, counted = filled(content, size)
        assert error == f"cut short: its zstd data end at byte {len(content)} in the middle of a frame"
        assert found[: len(TEXT)] == TEXT
        assert TEXT.startswith(found[len(TEXT) :])
        assert sum(counted) == len(content)


@pytest.mark.parametrize("size", [1, 7, 1 << 21])
def test_text_before_damage(size: int) -> None:
    """Blocks that are not packed: all before the damaged one is kept, but for a byte."""
    begin, raw = PACK["zstd"](b"begin"), bytes(range(250)) * 4
    content = MAGIC + b"\x00\x58" + (block(0, 1000) + raw) * 2 + block(3, 5) + b"rest"
    found, error, counted = filled(begin + content, size)
    place = len(begin) + 256 + 512 + 1024  # the piece that has the damage begins there
    assert error.startswith(f"damaged zstd data within 32,768 bytes after byte {place:,}: ")
    assert found in (b"begin" + raw * 2, b"begin" + (raw * 2)[:-1])
    assert sum(counted) == len(begin + content)


@pytest.mark.parametrize("kind", ["zstd in frames", "zstd"])
def test_buffers_larger_than_a_megabyte(kind: str) -> None:
    text = b"1. e4 *\n" * 300_000
    assert filled(PACKERS[kind](text), 1 << 22)[:2] == (text, "")
    if kind == "zstd":  # of one frame, a megabyte is filled at a time, so that readers do not wait long
        source = ZstdText("x", io.BytesIO(PACKERS[kind](text)))
        buffer = memoryview(bytearray(1 << 22))
        assert [source.fill(buffer) for _ in range(4)] == [1 << 20, 1 << 20, len(text) - (2 << 20), 0]
