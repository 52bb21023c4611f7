"""Ledgers that several begin, that were tampered with, or that cannot be."""

import os
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rookery.magics import prove
from rookery.magics.ledger import Ledger


@pytest.mark.parametrize(
    "change", ["nodes = 'many'", "nodes = -1", "tested = 1.5", "seconds = 'x'", "magic = 'zzz'", "magic = x'00'"]
)
def test_a_row_that_is_no_record_of_a_prefix(tmp_path: Path, change: str) -> None:
    with Ledger(tmp_path / "l") as ledger:
        prove.prove("bishop", 3, ledger=ledger, most=1)
    connection = sqlite3.connect(tmp_path / "l")
    connection.execute(f"UPDATE prefix SET {change}")
    connection.commit()
    connection.close()
    content = (tmp_path / "l").read_bytes()
    with (
        Ledger(tmp_path / "l") as ledger,
        pytest.raises(ValueError, match=r"^ledger: .*/l: prefix \(0, .*expected num"),
    ):
        prove.prove("bishop", 3, ledger=ledger)
    assert (tmp_path / "l").read_bytes() == content


def test_a_ledger_where_none_can_be(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no folder"):
        Ledger(tmp_path / "no" / "l")
    (tmp_path / "file").touch()
    with pytest.raises(ValueError, match="there is no folder"):
        Ledger(tmp_path / "file" / "l")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ValueError, match="pipe: expected a file"):
        Ledger(tmp_path / "pipe")


def test_a_ledger_may_be_begun_by_several_at_once(tmp_path: Path) -> None:
    def begin(path: Path, together: threading.Barrier) -> int:
        together.wait()
        with Ledger(path) as ledger:
            return ledger.question("bishop", "c1", 4, "plan", 64)

    with ThreadPoolExecutor(4) as threads:
        for n in range(20):
            together = threading.Barrier(4)
            begun = [threads.submit(begin, tmp_path / f"l{n}", together) for _ in range(4)]
            assert [question.result() for question in begun] == [1] * 4


def test_a_ledger_that_may_not_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "l"
    with Ledger(path) as ledger:
        part = prove.prove("bishop", 3, ledger=ledger, most=1)
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda path, **options: connect(f"file:{path}?mode=ro", uri=True))
    with Ledger(path) as ledger:
        assert ledger.finished(1)[0].nodes == part.nodes
        with pytest.raises(ValueError, match=r"ledger: .*/l: attempt to write a readonly database"):
            prove.prove("bishop", 3, ledger=ledger)


def test_a_damaged_ledger_that_cannot_be_set_aside_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, target: str) -> Path:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "l").write_bytes(b"precious")
    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(ValueError, match="damaged, and not to be set aside: Permission denied"):
        Ledger(tmp_path / "l")
    assert (tmp_path / "l").read_bytes() == b"precious"
