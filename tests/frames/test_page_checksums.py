"""Each Parquet file that rookery writes has checksums of its pages, and each that it reads is checked against them."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

import rookery
from command_line import run
from rookery import read_pgn, scan
from rookery.sources.failures import DamagedFileError

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

GAMES: Final = Path("tests/samples/lichess-2025-05.pgn")
FENS: Final = [f"4k3/8/8/8/8/8/4P3/4K3 w - - 0 {i}" for i in range(1, 500)]

WRITERS: Final[dict[str, Callable[[Path], Any]]] = {
    "plan": lambda path: scan(GAMES).positions("is_check").write_parquet(path),
    "plan in order": lambda path: scan(GAMES).positions("is_check").select("fen").sort("fen").write_parquet(path),
    "annotate": lambda path: rookery.annotate(GAMES, path, "legal_moves"),
    "games": lambda path: rookery.write_parquet(read_pgn(GAMES), path),
    "pgn to parquet": lambda path: rookery.pgn_to_parquet(GAMES, path),
    "openings": lambda path: read_pgn(GAMES).opening_tree(8).to_parquet(path),
    "command of games": lambda path: run("games", str(GAMES), "-o", str(path)),
    "command of search": lambda path: run("search", str(GAMES), "is_check", "-o", str(path)),
}


@pytest.mark.parametrize("writer", WRITERS)
def test_damage_of_any_page_is_found(writer: str, tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    WRITERS[writer](path)
    metadata, content = pq.ParquetFile(path).metadata, path.read_bytes()
    assert pq.ParquetFile(path, page_checksum_verification=True).read().num_rows == metadata.num_rows
    for i in range(metadata.num_columns):
        column = metadata.row_group(0).column(i)
        if not column.total_compressed_size:
            continue
        last = (column.dictionary_page_offset or column.data_page_offset) + column.total_compressed_size - 1
        path.write_bytes(content[:last] + bytes([content[last] ^ 1]) + content[last + 1 :])
        with pytest.raises(OSError, match="CRC checksum verification failed"):
            pq.ParquetFile(path, page_checksum_verification=True).read_row_group(0)


def damaged_fens(path: Path) -> Path:
    """Write FENs with one wrong bit in one of them: still a FEN, of another position."""
    columns = {"fen": FENS, "score": [10] * len(FENS), "result": [1.0] * len(FENS)}
    pq.write_table(pa.table(columns), path, compression="none", use_dictionary=False, write_page_checksum=True)
    content = bytearray(path.read_bytes())
    place = content.index(FENS[250].encode()) + FENS[250].index("P")
    assert content[place : place + 1] == b"P"
    content[place : place + 1] = b"R"
    path.write_bytes(content)
    return path


def test_damaged_pages_of_positions_are_not_read(tmp_path: Path) -> None:
    path = damaged_fens(tmp_path / "a.parquet")
    assert len(pq.ParquetFile(path).read()) == len(FENS), "pyarrow alone does not look"
    with pytest.warns(UserWarning, match=r"a\.parquet: damaged Parquet file: .*CRC checksum"):
        assert scan(path).select("fen").collect().num_rows == 0
    with pytest.raises(DamagedFileError, match="CRC checksum"):
        rookery.read_training(path, "table")


def test_one_place_opens_and_writes_parquet() -> None:
    names = re.compile(r"\bParquet(?:Writer|File)\(|\bpq\.|parquet\.(?:write|read)_table|_module\(\)\.write_table")
    root = Path(rookery.__file__).parent
    found = {
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        if any(names.search(line) for line in path.read_text().splitlines() if ">>>" not in line)
    }
    assert found == {"frames/arrow.py"}
