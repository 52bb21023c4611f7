"""What a file is, by its first bytes: all that is read, and all that is refused with its name."""

import gzip
import io
import json
import lzma
import pickle
import random
import sys
import tarfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rookery import read_pgn, scan_pgn
from rookery.sources.failures import DamagedFileWarning, NotGamesError
from rookery.sources.formats import HEAD, Kind, format_of

TEXT = (Path(__file__).parents[1] / "samples" / "lichess-2025-05.pgn").read_bytes()
EXPECTED = read_pgn(TEXT)


def tar(kind: int) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=kind) as archive:
        about = tarfile.TarInfo("games.pgn")
        about.size = len(TEXT)
        archive.addfile(about, io.BytesIO(TEXT))
    return file.getvalue()


def old_tar() -> bytes:
    """As tar wrote before it had a signature."""
    head = bytearray(tar(tarfile.USTAR_FORMAT)[:512])
    head[257:265] = bytes(8)
    head[148:156] = b" " * 8
    head[148:156] = b"%06o\0 " % sum(head)
    return bytes(head) + TEXT


def numpy_array() -> bytes:
    file = io.BytesIO()
    np.save(file, np.arange(100))
    return file.getvalue()


def program() -> bytes:
    with Path(sys.executable).open("rb") as file:
        return file.read(100_000)


REFUSED = {
    "a tar archive": tar(tarfile.GNU_FORMAT),
    "a tar archive, POSIX": tar(tarfile.PAX_FORMAT),
    "a tar archive, old": old_tar(),
    "an empty zip archive": b"PK\x05\x06" + bytes(18),
    "a 7z archive": b"7z\xbc\xaf\x27\x1c\0\x04" + bytes(24),
    "a RAR archive": b"Rar!\x1a\x07\x01\0",
    "a PDF document": b"%PDF-1.7\n1 0 obj\n",
    "a PNG picture": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "a JPEG picture": b"\xff\xd8\xff\xe0\0\x10JFIF",
    "an SQLite database": b"SQLite format 3\0" + bytes(84),
    "an HTML page": b"\xef\xbb\xbf\n<!DOCTYPE html>\n<html>",
    "an HTML page, plain": b"<HTML><body>1. e4",
    "an XML document": b'<?xml version="1.0"?>',
    "a JSON document": json.dumps({"gains": [1]}).encode(),
    "a JSON document, lines": json.dumps([{"move": "e4 e5"}], indent=1).encode(),
    "a JSON document, names": b'["a", "b"]',
    "a Python pickle": pickle.dumps(list(range(100))),
    "a Python pickle, old": pickle.dumps([1, 2], 2),
    "a NumPy array": numpy_array(),
    "a Feather file of version 1": b"FEA1" + bytes(100),
    "a pointer of Git LFS": b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 5\n",
    "a Scid database": b"Scid.si\0\x01\x90" + bytes(200),
    "binary data": random.Random(1).randbytes(5000),
    "binary data, nothing": bytes(5000),
}
if sys.platform == "linux":
    REFUSED["an ELF program"] = program()


@pytest.mark.parametrize("kind", REFUSED)
def test_files_that_are_not_games(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "games.pgn"  # the name says nothing
    path.write_bytes(REFUSED[kind])
    name = kind.split(",")[0]
    packed = tmp_path / "games.gz"
    packed.write_bytes(gzip.compress(lzma.compress(REFUSED[kind])))
    for source, called in (
        (path, str(path)),
        (REFUSED[kind], "the bytes"),
        (io.BytesIO(REFUSED[kind]), "the file"),
        (packed, str(packed)),
    ):
        with pytest.raises(NotGamesError) as caught:
            read_pgn(source)
        assert str(caught.value).startswith(f"{called}: {name}, not PGN")
    with pytest.raises(ValueError, match="not PGN"):
        scan_pgn([path])  # at once
    assert len(name) > 5


def test_what_to_do_about_it() -> None:
    with pytest.raises(NotGamesError, match=r"^the bytes: a tar archive, not PGN: unpack it first$"):
        read_pgn(tar(tarfile.USTAR_FORMAT))


def test_games_before_a_file_that_is_none() -> None:
    with pytest.raises(NotGamesError, match="a tar archive") as caught:
        read_pgn([TEXT, gzip.compress(tar(tarfile.USTAR_FORMAT))])
    assert caught.value.games == EXPECTED


ENCODINGS = ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be", "utf-8-sig")


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_encodings(tmp_path: Path, encoding: str) -> None:
    text = TEXT.decode() + '\n[Event "x"]\n[White "Łukasz ♔ 𝄞"]\n\n1. e4 *\n'
    expected = read_pgn(text.encode())
    data = text.encode(encoding)
    (tmp_path / "games").write_bytes(data)
    for source in (data, tmp_path / "games", io.BytesIO(data), gzip.compress(data)):
        games = read_pgn(source)
        assert games == expected
        assert games.errors == ()
        mark = 3 if encoding == "utf-8-sig" else 0  # which is a part of that text
        assert games.offsets.tolist()[1:] == [offset + mark for offset in expected.offsets.tolist()[1:]]
    if encoding.startswith("utf-16"):
        with pytest.warns(DamagedFileWarning, match="cut short: its UTF-16 text ends within a character"):
            games = read_pgn(data[:-1])
        assert len(games) == 13


@pytest.mark.parametrize(
    "text",
    [
        b'[Event "x"]\n\n1. e4 e5\0\0 2. Nf3 *',
        b'[Event "x"]\n\n1. e4 e5' + bytes(2000) + b" 2. Nf3 *",
        b'\0\0\0\0[Event "x"]\n\n1. e4 *',
        b'[ Event "x"]\n' * 3,
        b'["Anna"]\n\n1. e4 *',
        b'{ "a": what a comment }'.replace(b":", b"") + b" 1. e4 *",
        b"{\x01\x02\x03\x04\x05\x06\x07\x08\x0e} 1. e4 *",
        b"% a line\n1. e4 *",
        b"1. e4 *",
        b"e4 e5",
        b"\x93\x94\x85" * 100,
        "Привет ".encode("cp1251") * 100,
        b"",
        b"\x1a",
        b"MZ moves",
        b"] 5",
        b"PARTY",
    ],
)
def test_text_is_text(text: bytes) -> None:
    assert format_of(text[:HEAD]).kind is Kind.TEXT


def test_how_often_a_file_may_be_packed() -> None:
    packed = TEXT
    for _ in range(8):
        packed = gzip.compress(packed)
    assert read_pgn(packed) == EXPECTED
    with pytest.raises(NotGamesError, match="the bytes: packed more than 8 times"):
        read_pgn(gzip.compress(packed))


@pytest.mark.parametrize("size", [1, 3, 400])
def test_streams_that_give_few_bytes(size: int) -> None:
    class Few(io.RawIOBase):
        def __init__(self, data: bytes) -> None:
            self.file = io.BytesIO(data)

        def read(self, n: int = -1) -> Any:  # noqa: ARG002
            return self.file.read(size)

    text = TEXT[: TEXT.index(b"[Event ", 10)]
    for data in (text, gzip.compress(text), lzma.compress(text), text.decode().encode("utf-16")):
        assert read_pgn(Few(data)) == EXPECTED[:1]
    with pytest.raises(NotGamesError, match="the file: a tar archive"):
        read_pgn(Few(tar(tarfile.USTAR_FORMAT)))
