"""The format of a file by its first bytes alone: each signature, each bound, and each byte that decides."""

import bz2
import gzip
import io
import lzma
import pickle
import tarfile
from pathlib import Path
from typing import Final

import pytest

from rookery.sources.failures import NotGamesError
from rookery.sources.formats import (
    JSON,
    JSON_LINES,
    OTHER_JSON,
    TEXT,
    Format,
    Kind,
    format_of,
    format_with_games,
    has_games,
    positions_in,
)
from rookery.sources.streams import head_of

FEN: Final = b"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
PACKED: Final = {
    "gzip": gzip.compress(b"1. e4 *"),
    "bzip2": bz2.compress(b"1. e4 *"),
    "xz": lzma.compress(b"1. e4 *"),
    "lzma": lzma.compress(b"1. e4 *", lzma.FORMAT_ALONE),
    "zstd": b"\x28\xb5\x2f\xfd\x20\x07",
}


def is_text(head: bytes) -> bool:
    return format_of(head) == TEXT


@pytest.mark.parametrize("kind", PACKED)
def test_packed_files(kind: str) -> None:
    assert format_of(PACKED[kind]) == Format(Kind.PACKED, kind)


@pytest.mark.parametrize(
    ("head", "kind", "name"),
    [
        (b"PK\x03\x04", Kind.ZIP, "zip"),
        (b"PK\x05\x06", Kind.OTHER, "an empty zip archive"),
        (b"PAR1", Kind.TABLE, "Parquet"),
        (b"ARROW1\0\0", Kind.TABLE, "Arrow"),
        (b"\xff\xff\xff\xff", Kind.TABLE, "Arrow stream"),
        (b"\xff\xfe\0\0", Kind.ENCODED, "utf-32"),
        (b"\xff\xfe[\0", Kind.ENCODED, "utf-16"),
        (b"\xfe\xff\0[", Kind.ENCODED, "utf-16"),
        (b"BINP", Kind.OTHER, "training data of the format binpack"),
        (b"MZ\x90\0", Kind.OTHER, "a Windows program"),
        (pickle.dumps([1], 2), Kind.OTHER, "a Python pickle"),
        (pickle.dumps([1], 3), Kind.OTHER, "a Python pickle"),
        (pickle.dumps([1], 4), Kind.OTHER, "a Python pickle"),
        (pickle.dumps([1], 5), Kind.OTHER, "a Python pickle"),
        (b"\x80\x02x", Kind.OTHER, "a Python pickle"),
        (b" \n<html>", Kind.OTHER, "an HTML page"),
        (b"\xef\xbb\xbf<?xml ?>", Kind.OTHER, "an XML document"),
    ],
)
def test_signatures(head: bytes, kind: Kind, name: str) -> None:
    assert format_of(head)[:2] == (kind, name)


@pytest.mark.parametrize("head", [b"\x80\x02", b"\x80\x06x", b"\x81\x02x", b"MZ moves", b"XZ\0", b"", b"\x80"])
def test_almost_signatures(head: bytes) -> None:
    assert is_text(head)


def test_frames_of_zstd_that_are_skipped() -> None:
    packed = [first for first in range(256) if format_of(bytes([first]) + b"\x2a\x4d\x18") == (Kind.PACKED, "zstd", "")]
    assert packed == list(range(0x50, 0x60))
    assert format_of(b"\x50\x2a\x4d\x18\x01\0\0\0x") == (Kind.PACKED, "zstd", "")
    for head in (b"\x50", b"\x50\x2a\x4d", b"\x50\x2a\x4d\x19", b"\x50\x2b\x4d\x18"):
        assert is_text(head)


def lzma_head(dictionary: int, size: int, first: int = 0x5D, last: int = 0) -> bytes:
    return bytes([first]) + dictionary.to_bytes(4, "little") + size.to_bytes(8, "little") + bytes([last])


def is_lzma(head: bytes) -> bool:
    return format_of(head) == (Kind.PACKED, "lzma", "")


@pytest.mark.parametrize("dictionary", [1, 2, 3, 4, 6, 1 << 16, 3 << 15, 1 << 23, 1 << 31, 3 << 30])
def test_dictionaries_of_lzma(dictionary: int) -> None:
    assert is_lzma(lzma_head(dictionary, 7))


@pytest.mark.parametrize("dictionary", [0, 5, 7, 9, 10, 15, (1 << 16) + 1, 5 << 20, (1 << 32) - 1])
def test_dictionaries_that_lzma_does_not_have(dictionary: int) -> None:
    assert not is_lzma(lzma_head(dictionary, 7))


def test_bounds_of_lzma() -> None:
    assert all(is_lzma(lzma_head(1 << 16, size)) for size in (0, 1, (1 << 40) - 1, (1 << 64) - 1))
    assert not any(is_lzma(lzma_head(1 << 16, size)) for size in (1 << 40, (1 << 40) + 1, (1 << 64) - 2))
    head = lzma_head(1 << 16, 7)
    assert is_lzma(head + b"more")
    assert not is_lzma(head[:13])
    assert not is_lzma(lzma_head(1 << 16, 7, first=0x5E))
    assert not is_lzma(lzma_head(1 << 16, 7, last=1))


def tar_head(kind: int, name: str = "games.pgn") -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=kind) as archive:
        archive.addfile(tarfile.TarInfo(name))
    return file.getvalue()[:512]


def old_tar(head: bytes, digits: bytes = b"%06o\0 ") -> bytes:
    """As tar wrote before it had a signature."""
    old = bytearray(head)
    old[257:265] = bytes(8)
    old[148:156] = b" " * 8
    old[148:156] = digits % sum(old)
    assert len(old) == 512
    return bytes(old)


def is_tar(head: bytes) -> bool:
    return format_of(head).name == "a tar archive"


def test_tar_archives() -> None:
    for kind in (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT):
        head = tar_head(kind)
        assert is_tar(head)
        assert is_tar(head + b"content")
        assert not is_tar(head[:511])
        without_sum = bytearray(head)
        without_sum[148] ^= 1
        assert is_tar(bytes(without_sum))  # the signature is enough


def test_old_tar_archives() -> None:
    head = tar_head(tarfile.USTAR_FORMAT)
    assert is_tar(old_tar(head))
    assert is_tar(old_tar(head) + b"content")
    assert is_tar(old_tar(head, b"  %o\0 ")) == (len(b"%o" % sum(head)) == 4)
    assert is_tar(old_tar(head, b"%08o"))
    assert is_tar(old_tar(head, b"%07o "))
    assert not is_tar(old_tar(head)[:511])
    assert is_tar(old_tar(tar_head(tarfile.USTAR_FORMAT, "a")))
    large = bytearray(head)
    large[:100] = large[157:257] = b"\xee" * 100
    assert old_tar(bytes(large))[148:149] == b"1"  # the sum has six digits
    assert is_tar(old_tar(bytes(large)))


@pytest.mark.parametrize("place", [0, 1, 99, 147, 156, 256, 300, 511])
def test_a_sum_that_is_wrong_by_one_byte(place: int) -> None:
    head = bytearray(old_tar(tar_head(tarfile.USTAR_FORMAT)))
    head[place] ^= 1
    assert not is_tar(bytes(head))


def test_a_tar_archive_has_a_name_and_digits() -> None:
    head = bytearray(tar_head(tarfile.USTAR_FORMAT))
    head[:100] = bytes(100)
    assert not is_tar(old_tar(bytes(head)))
    assert not is_tar(bytes(512))
    assert not is_tar(b"a" + bytes(511))


@pytest.mark.parametrize(("name", "width"), [("utf-32-le", 4), ("utf-32-be", 4), ("utf-16-le", 2), ("utf-16-be", 2)])
def test_encodings_without_a_mark(name: str, width: int) -> None:
    found = Format(Kind.ENCODED, name)
    assert format_of("1. e4 e5 2. Nf3".encode(name)) == found
    assert format_of("12345678é".encode(name)) == found  # eight characters decide
    assert format_of("1234567é9".encode(name)) != found
    assert format_of("1. e4"[: 8 // width].encode(name)) == found  # eight bytes do
    assert format_of("1. e4"[: 8 // width - 1].encode(name)) != found
    allowed = [code for code in range(1, 256) if format_of(("1234" + chr(code)).encode(name)) == found]
    assert allowed == [9, 10, 13, *range(32, 127)]
    assert format_of("1234567".encode(name) + b"8") != found  # it ends within a character
    assert format_of("12345678".encode(name) + b"9") == found


def test_control_characters_of_binary_data() -> None:
    counted = [code for code in range(256) if not is_text(b"e" + bytes([code]) * 8)]
    assert counted == [*range(9), *range(14, 26), 27, 127]


@pytest.mark.parametrize("code", [1, 127])
def test_bounds_of_binary_data(code: int) -> None:
    sign = bytes([code])
    assert is_text(b"e" + sign * 7)
    assert format_of(b"e" + sign * 8).name == "binary data"
    assert format_of(sign * 8 + b"e" * 151).name == "binary data"
    assert is_text(sign * 8 + b"e" * 152)  # one of 20
    assert is_text(b"1. e4 " + sign * 8)
    assert is_text(b'[Event "' + sign * 8)


def test_json() -> None:
    lines = (
        b'{"pgn": "1. e4"}',
        b'\xef\xbb\xbf {"id": 1, "players": {}}\n{',
        b'{"moves": "e4"}\n',
        b'{"id": "x", "winner": "white", "mo',
        b'{"id": "x", "pgn": "1. e4", "fen": "x"}',
    )
    documents = (b'{"games": [{', b'[{"pgn": "1. e4"}]', b'{"pgn": "1. e4", "a": [\n1]}', b'{\n"moves": "e4"}')
    others = (
        b'{"a": 1}',
        b'{"moves": "e4", "fen": "x"}',
        b'{"FEN": "x", "moves": "e4"}',
        b'{"fen": "x", "pgn": "1. e4"}',
        b'[{"fen": "x", "pgn": "1. e4"}]',
        b'["a", "b"]',
        b'["a"]',
    )
    assert [format_of(text) for text in lines] == [JSON_LINES] * 5
    assert [format_of(text) for text in documents] == [JSON] * 4
    assert [format_of(text) for text in others] == [OTHER_JSON] * 7
    assert is_text(b'["Anna"]\n\n1. e4 *')


POSITIONS: Final = {
    b"PuzzleId,FEN,Moves\n": "a table of puzzles",
    b"Moves,puzzleid,Rating,fen\n": "a table of puzzles",
    b"fen,eval\n": "a table of positions",
    b'"FEN"\tbest\n': "a table of positions",
    b"id,fen,eval\n": "a table of positions",
    b"\xef\xbb\xbf" + FEN: "lines of FEN or EPD",
    FEN.replace(b" ", b"\t"): "lines of FEN or EPD",
    b"fen " + FEN + b"\nmove e7e5\n": "training data of the format plain",
}


@pytest.mark.parametrize("text", POSITIONS)
def test_texts_of_positions(text: bytes) -> None:
    found = positions_in(text)
    assert found is not None
    assert found[:2] == (Kind.OTHER, POSITIONS[text])
    assert format_of(text) == TEXT
    with pytest.raises(NotGamesError, match=rf"^x: {POSITIONS[text]}, not PGN: rookery\."):
        format_with_games("x", text)
    assert format_with_games("x", text, any_text=True) == TEXT


@pytest.mark.parametrize("text", [b"", b"1. e4 *", b'[Event "x"]\n[FEN "x,y"]', b"fen", FEN[9:], b"id;x\n"])
def test_texts_without_positions(text: bytes) -> None:
    assert positions_in(text) is None
    assert format_with_games("x", text) == TEXT


def test_formats_that_are_refused() -> None:
    for any_text in (False, True):
        with pytest.raises(NotGamesError, match=r"^x: a PDF document, not PGN$"):
            format_with_games("x", b"%PDF-1.7", any_text)
        with pytest.raises(NotGamesError, match=r"^x: a RAR archive, not PGN: unpack it first$"):
            format_with_games("x", b"Rar!\x1a\x07", any_text)
        for head, kind in ((b"PAR1", Kind.TABLE), (PACKED["gzip"], Kind.PACKED), (b'{"pgn": "x"}', Kind.JSON)):
            assert format_with_games("x", head, any_text).kind is kind


@pytest.mark.parametrize(
    "text",
    [b'[White "A"]', b'x\n \t[ White  "A', b'\xef\xbb\xbf[A "', b"1. e4", b"x\n1 . Nf3", b"1.O-O", b"see 1.Nbd2"],
)
def test_texts_with_games(text: bytes) -> None:
    assert has_games(text)


@pytest.mark.parametrize("text", [b"", b"hello", b'x [White "A"]', b"[White]", b"11. e4", b"1. one", b"2. e4"])
def test_texts_without_games(text: bytes) -> None:
    assert not has_games(text)


def test_the_bytes_that_are_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(bytes(range(250)) * 8)
    assert head_of(path) == (bytes(range(250)) * 8)[:1024]
    path.write_bytes(b"short")
    assert head_of(str(path)) == b"short"
    assert head_of(tmp_path / "missing") == b""
