"""The facts about the games of an index: read as they were written, and checked block by block."""

import io
import zlib
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from rookery.data.index.facts import Facts, checksums_begin, pieces_of, write_facts
from rookery.sources.files import Damaged

BLOCK = 256 * 16  # bytes of a block of rows


def rows_of(n: int) -> NDArray[np.uint32]:
    return np.random.default_rng(n).integers(0, 1 << 32, (n, 4), np.uint32)


def written(path: Path, rows: NDArray[np.uint32], sizes: list[int]) -> Path:
    """Write rows in pieces of some sizes, the last of which is repeated."""
    data, at = rows.tobytes(), 0
    pieces: list[bytes] = []
    while at < len(data):
        size = sizes[min(len(pieces), len(sizes) - 1)]
        pieces.append(data[at : at + size])
        at += size
    with path.open("wb") as file:
        write_facts(file, pieces)
    return path


@pytest.mark.parametrize("n", [0, 1, 255, 256, 257, 512, 1000])
@pytest.mark.parametrize("sizes", [[16], [BLOCK], [BLOCK + 16], [100_000], [48, 2 * BLOCK, 16]])
def test_rows_are_read_as_they_were_written(n: int, sizes: list[int], tmp_path: Path) -> None:
    rows = rows_of(n)
    content = written(tmp_path / "facts", rows, sizes).read_bytes()
    blocks = [rows[i : i + 256].tobytes() for i in range(0, n, 256)]
    assert content == b"".join([*blocks, *(zlib.crc32(block).to_bytes(4, "little") for block in blocks)])
    assert checksums_begin(len(content)) == 16 * n
    facts = Facts(tmp_path / "facts")
    assert facts.rows.tolist() == rows.tolist()
    assert list(facts.checked()) == blocks
    chosen = np.array([i for i in (0, 255, 256, n - 1) if 0 <= i < n], np.int64)
    assert facts.of(chosen).tolist() == rows[chosen].tolist()


@pytest.mark.parametrize(("byte", "block"), [(0, 0), (BLOCK - 1, 0), (BLOCK, 1), (3 * BLOCK - 1, 2), (3 * BLOCK, 3)])
def test_a_damaged_block_is_named(byte: int, block: int, tmp_path: Path) -> None:
    path = written(tmp_path / "facts", rows_of(800), [BLOCK])
    content = bytearray(path.read_bytes())
    content[byte] ^= 1
    path.write_bytes(content)
    facts = Facts(path)
    message = rf"^index: {path}: damaged from byte {block * BLOCK:,} on: make the index again$"
    for games in ([256 * block], [0, 300, 600, 799]):
        with pytest.raises(Damaged, match=message):
            facts.of(np.array(games))
    others = [256 * k for k in range(4) if k != block]
    assert facts.of(np.array(others)).tolist() == rows_of(800)[others].tolist()
    checked = facts.checked()
    assert [next(checked) for _ in range(block)] == [
        rows_of(800)[256 * k : 256 * k + 256].tobytes() for k in range(block)
    ]
    with pytest.raises(Damaged, match=message):
        next(checked)


def test_pieces_are_all_bytes_of_a_file(tmp_path: Path) -> None:
    content = bytes(range(256)) * 16 * 1500
    (tmp_path / "rows").write_bytes(content)
    pieces = list(pieces_of(tmp_path / "rows"))
    assert list(map(len, pieces)) == [1024 * BLOCK, len(content) - 1024 * BLOCK]
    assert b"".join(pieces) == content
    out = io.BytesIO()
    write_facts(out, pieces)
    assert checksums_begin(len(out.getvalue())) == len(content)
