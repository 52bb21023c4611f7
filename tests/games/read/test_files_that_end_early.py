"""Files that cannot be read to their ends: their games up to there, and an error that says where they end."""

import gzip
import io
import zlib
from pathlib import Path
from typing import Any

import pytest

import rookery
from rookery import read_pgn
from rookery.games.errors import GameErrorException
from rookery.games.games import Games
from rookery.games.headers.known_headers import UnknownHeaderError
from rookery.games.read import on_executor
from rookery.games.read.game_ranges import ranges_of
from rookery.sources.failures import DamagedFileError, DamagedFileWarning

TEXT = b"".join(b'[Event "x"]\n[Round "%d"]\n\n1. e4 e5 2. Nf3 *\n\n' % k for k in range(400))


@pytest.mark.parametrize("texts", [False, True])
@pytest.mark.parametrize("share", [0.2, 0.7])
def test_the_error_is_behind_the_last_byte(texts: bool, share: float, tmp_path: Path) -> None:
    path = tmp_path / "games.pgn.gz"
    packed = gzip.compress(TEXT)
    path.write_bytes(packed[: int(len(packed) * share)])
    readable = zlib.decompressobj(31).decompress(path.read_bytes())
    assert 0 < len(readable) < len(TEXT)
    with pytest.warns(DamagedFileWarning):
        games: Games = read_pgn(str(path), texts=texts)
    (error,) = (error for error in games.errors if not error.game)
    assert error.file == str(path)
    assert error.offset == len(readable)
    assert error.line == readable.count(b"\n") + 1
    whole = readable.count(b" *\n\n")
    assert len(games) - whole in (0, 1)
    assert not games.is_bad[:whole].any()
    if texts:
        assert games.texts is not None
        assert b"".join(games.texts) == readable


class Broken(io.RawIOBase):
    """A file without a name whose reading fails after some bytes."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self.content = io.BytesIO(content)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        piece = self.content.read(len(buffer))
        if not piece:
            raise OSError("gone")
        buffer[: len(piece)] = piece
        return len(piece)


def test_a_file_without_a_name_is_the_file() -> None:
    with pytest.raises(DamagedFileError, match=r"^the file: gone"):
        read_pgn(Broken(TEXT), errors="raise")
    with pytest.warns(DamagedFileWarning, match=r"^the file: gone"):
        games = read_pgn(Broken(TEXT))
    assert len(games) == 400
    assert not games.is_bad[:399].any()


@pytest.mark.parametrize(
    ("options", "error"), [({"errors": "raise"}, GameErrorException), ({"headers": ["WhitElo"]}, UnknownHeaderError)]
)
def test_parts_are_removed_if_the_same_error_would_come_again(
    options: dict[str, Any], error: type[Exception], tmp_path: Path
) -> None:
    source, out = tmp_path / "games.pgn", tmp_path / "out.parquet"
    source.write_bytes(TEXT + b"1. e4 Ke3 *\n")
    with pytest.raises(error):
        rookery.pgn_to_parquet(str(source), out, executor="threads:2", **options)
    assert list(tmp_path.iterdir()) == [source]


def test_letters_of_another_language_are_read() -> None:
    games = read_pgn(b"1. e4 e5 2. Sf3 Sc6 3. Lb5 *", letters="german")
    assert games.plies.tolist() == [5]
    assert not games.errors
    assert len(read_pgn(b"1. e4 e5 2. Sf3 *").errors) == 1


def test_files_take_long_that_are_more_than_a_task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_executor, "RANGE", 1000)
    plain, packed = tmp_path / "a.pgn", tmp_path / "a.pgn.gz"
    for size, times, is_long in ((900, 1, False), (1000, 1, False), (1001, 1, True), (600, 2, True)):
        plain.write_bytes(TEXT[:size])
        assert on_executor._takes_long([list(ranges_of(str(plain)))] * times) == is_long
    packed.write_bytes(gzip.compress(TEXT))
    assert 100 < packed.stat().st_size < len(TEXT)
    assert on_executor._takes_long([list(ranges_of(str(packed)))])
    packed.write_bytes(gzip.compress(b""))  # 20 bytes and some
    assert not on_executor._takes_long([list(ranges_of(str(packed)))])
