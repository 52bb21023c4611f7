"""`write_pgn` writes what the name of the file says."""

import gzip
from pathlib import Path

import pytest
import zstandard

import rookery

GAMES = rookery.read_pgn(b'[White "Anna"]\n\n1. e4 e5 *\n\n1. d4 *\n')


@pytest.mark.parametrize("suffix", ["gz", "zst"])
def test_files_are_packed_by_their_names(tmp_path: Path, suffix: str) -> None:
    plain, path = tmp_path / "a.pgn", tmp_path / f"a.pgn.{suffix}"
    assert rookery.write_pgn(GAMES, plain) == rookery.write_pgn(GAMES, path) == 2
    data = path.read_bytes()
    if suffix == "gz":
        assert gzip.decompress(data) == plain.read_bytes()
    else:
        assert zstandard.ZstdDecompressor().decompressobj().decompress(data) == plain.read_bytes()
    assert rookery.read_pgn(path) == GAMES


@pytest.mark.parametrize("name", ["a.pgn.bz2", "a.pgn.xz", "a.zip", "a.parquet"])
def test_names_of_other_formats_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match=r"target: .*is only read: expected \.pgn, \.pgn\.gz or \.pgn\.zst"):
        rookery.write_pgn(GAMES, tmp_path / name)
    assert not list(tmp_path.iterdir())
