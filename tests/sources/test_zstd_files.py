"""zstd files unpacked into buffers. The oracle is the zstandard library, which reads the whole file at once."""

import functools
import io
import random
from pathlib import Path

import pytest

from divided_files import in_frames, text
from rookery.sources.failures import DamagedFileError
from rookery.sources.unpack import ZstdText, ends_of_blocks, inflated, read_at

zstandard = pytest.importorskip("zstandard", reason="zstandard is not installed")

BLOCK = 1 << 17  # bytes of text in a block of zstd
CONTENT, PLACES = in_frames(text())


def unpacked(content: bytes) -> bytes:
    with zstandard.ZstdDecompressor().stream_reader(io.BytesIO(content), read_across_frames=True) as reader:
        whole: bytes = reader.read()
    return whole


def filled(path: Path, start: int, stop: int | None, rng: random.Random) -> tuple[bytes, str, int]:
    """Return the text that is filled into buffers of random sizes, the error at its end, and the bytes counted."""
    found = bytearray()
    counted: list[int] = []
    with path.open("rb") as file:
        source = ZstdText(str(path), file, start, stop, counted.append)
        while True:
            buffer = bytearray(rng.choice([1, 7, 300, 5_000, 1 << 17]))
            try:
                n = source.fill(memoryview(buffer))
            except DamagedFileError as error:
                return bytes(found), str(error), sum(counted)
            if not n:
                return bytes(found), "", sum(counted)
            found += buffer[:n]


def in_pieces(path: Path) -> tuple[bytes, str]:
    """Return the text that is unpacked piece by piece, as that of other sources, and the error at its end."""
    found = bytearray()
    try:
        for chunk in inflated(str(path), iter([path.read_bytes()]), "zstd"):
            found += chunk
    except DamagedFileError as error:
        return bytes(found), str(error)
    return bytes(found), ""


def test_any_frames_between_any_places(tmp_path: Path) -> None:
    path, rng = tmp_path / "frames.zst", random.Random(3)
    path.write_bytes(CONTENT)
    ends = [*PLACES, None]
    assert filled(path, 0, None, rng)[0] == unpacked(CONTENT)
    for _ in range(60):
        first, last = sorted(rng.sample(range(len(ends)), 2))
        start, stop = PLACES[first], ends[last]
        found, error, counted = filled(path, start, stop, rng)
        assert (found, error) == (unpacked(CONTENT[start:stop]), "")
        assert counted == len(CONTENT[start:stop])


def test_a_frame_of_many_blocks_and_pieces(tmp_path: Path) -> None:
    rng = random.Random(5)
    content = rng.randbytes(2_000_000) + b"1. e4 *\n" * 1_000_000  # the first part cannot be packed
    for checksum in (False, True):
        path = tmp_path / "one.zst"
        path.write_bytes(zstandard.ZstdCompressor(3, write_checksum=checksum).compress(content))
        found, error, counted = filled(path, 0, None, rng)
        assert found == content
        assert (error, counted) == ("", path.stat().st_size)


@pytest.mark.parametrize("junk", [b"", b"\0" * 40, b"1. e4 *", b"\x28\xb5\x2f\xfd"])
def test_what_follows_the_last_frame(junk: bytes, tmp_path: Path) -> None:
    path = tmp_path / "junk.zst"
    path.write_bytes(CONTENT + junk)
    found, error, _ = filled(path, 0, None, random.Random(1))
    assert (found, error) == in_pieces(path)
    assert found == unpacked(CONTENT)
    assert bool(error) == bool(junk)


def test_cut_and_damaged_files_do_not_depend_on_the_buffers(tmp_path: Path) -> None:
    path, rng = tmp_path / "damaged.zst", random.Random(8)
    errors = set()
    one = zstandard.ZstdCompressor(3, write_checksum=True).compress(text() * 4)
    for content in (CONTENT, one):
        for _ in range(25):
            changed = bytearray(content[: rng.randrange(1, len(content))])
            if rng.random() < 0.6:
                changed = bytearray(content)
                changed[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
            path.write_bytes(changed)
            found, error, counted = filled(path, 0, None, rng)
            assert filled(path, 0, None, rng) == (found, error, counted)
            in_small, right = in_pieces(path)
            assert error == right
            assert found.startswith(in_small)
            assert len(found) == len(in_small) or error
            assert counted <= len(changed)
            errors.add(error.partition(": ")[2][:9])
    assert errors == {"", "cut short", "damaged z"}


def test_what_precedes_damage_is_kept(tmp_path: Path) -> None:
    content = random.Random(2).randbytes(3_000_000).hex().encode()
    packed = bytearray(zstandard.ZstdCompressor(3).compress(content))
    path = tmp_path / "late.zst"
    path.write_bytes(packed)
    with path.open("rb") as file:
        ends = [end for end, _ in ends_of_blocks(functools.partial(read_at, file), 0)]
    assert len(ends) == -(-len(content) // BLOCK)
    packed[ends[29]] |= 6  # the header of the 31st block names a type that does not exist
    path.write_bytes(packed)
    found, error, _ = filled(path, 0, None, random.Random(4))
    assert error.startswith(f"{path}: damaged zstd data within 32,768 bytes after byte")
    assert found == content[: 30 * BLOCK - 1]  # the last byte would come with what follows it
