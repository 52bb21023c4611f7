"""Files packed in every way in which they are read."""

import bz2
import gzip
import lzma
from collections.abc import Callable

import zstandard


def zstd_in_frames(text: bytes) -> bytes:
    """As Lichess packs: frame after frame, long windows; and one to skip."""
    parameters = zstandard.ZstdCompressionParameters.from_level(3, window_log=27, enable_ldm=True)
    pack = zstandard.ZstdCompressor(compression_params=parameters).compress
    frames = [pack(text[i : i + 7777]) for i in range(0, len(text), 7777)]
    return b"\x50\x2a\x4d\x18\x03\x00\x00\x00abc" + b"".join(frames)


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "zstd": zstandard.ZstdCompressor().compress,
    "zstd in frames": zstd_in_frames,
    "gzip": gzip.compress,
    "gzip in members": lambda text: gzip.compress(text[:5000]) + gzip.compress(text[5000:]) + b"\0\0",
    "bzip2": bz2.compress,
    "bzip2 in streams": lambda text: bz2.compress(text[:5000]) + bz2.compress(text[5000:]),
    "xz": lzma.compress,
    "xz in streams": lambda text: lzma.compress(text[:5000]) + bytes(4) + lzma.compress(text[5000:]) + bytes(8),
    "lzma": lambda text: lzma.compress(text, lzma.FORMAT_ALONE),
}
