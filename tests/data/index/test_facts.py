"""Facts about games: blocks with checksums, which are checked when they are first read."""

import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rookery.data.index.facts import FACTS, Facts, write_facts


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "facts.bin"
    with path.open("wb") as file:
        write_facts(file, [np.arange(600 * FACTS, dtype="<u4").tobytes()])
    return path


def test_blocks_are_checked_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[int] = []
    crc32 = zlib.crc32

    def noted(data: Any) -> int:
        checked.append(np.frombuffer(data, "<u4")[0] // (256 * FACTS))
        return crc32(data)

    monkeypatch.setattr(zlib, "crc32", noted)
    known = Facts(path)
    for games, blocks in (([0, 255], [0]), ([3], []), ([599, 256, 1], [1, 2]), ([0, 300, 599], []), ([], [])):
        checked.clear()
        index = np.array(games, np.uint32)
        assert known.of(index).tolist() == [[FACTS * game + i for i in range(FACTS)] for game in games]
        assert checked == blocks


def test_a_damaged_block_is_refused_each_time(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[256 * FACTS * 4 + 5] ^= 1
    path.write_bytes(content)
    known = Facts(path)
    assert known.of(np.array([7, 599], np.uint32))[0].tolist() == [28, 29, 30, 31]
    for _ in range(2):
        with pytest.raises(ValueError, match=r"facts\.bin: damaged from byte 4,096 on: make the index again"):
            known.of(np.array([7, 300], np.uint32))
    assert known.of(np.array([7], np.uint32))[0].tolist() == [28, 29, 30, 31]
