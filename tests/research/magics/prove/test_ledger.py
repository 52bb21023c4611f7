"""Ledgers that several begin, that were tampered with, or that cannot be."""

import os
import random
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from magics.prove import branch
from magics.prove import proof as prove
from magics.prove.ledger import Finished, Ledger, Question
from magics.prove.schedule import plan_for

D1 = Question("bishop", "d1", 4, branch.name_of(plan_for("bishop", 3, 4)), 64)


def change(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    "changed",
    [
        "number = 1",
        "number = 63",
        "number = -1",
        "number = 'x'",
        "prefixes = 32",
        "nodes = 'many'",
        "nodes = -1",
        "nodes = nodes + 1",
        "tested = 1.5",
        "tested = tested | 1024",
        "seconds = 'x'",
        "seconds = seconds * 2",
        "seconds = 1e999",
        "magic = 'zzz'",
        "magic = x'00'",
        "magic = '0x0000000000001234'",
        "magic = cast(x'ff' AS TEXT)",
        "date = '2000-01-01'",
        "digest = '0000000000000000'",
        "digest = 7",
        "square = 'd2'",
        "plan = '2'",
    ],
)
def test_a_row_that_was_changed_is_work_to_be_done_again(tmp_path: Path, changed: str) -> None:
    path = tmp_path / "l"
    with Ledger(path) as ledger:
        prove.prove("bishop", 3, ledger=ledger, most=2)
    change(path, f"UPDATE OR REPLACE prefix SET {changed} WHERE number = 0")
    printed: list[str] = []
    with Ledger(path, tell=printed.append) as ledger:
        assert [f.number for f in ledger.finished(D1)] == [1] * (changed != "number = 1")
        elsewhere = any(column in changed for column in ("prefixes", "square", "plan"))
        assert printed == [] if elsewhere else len(printed) == 1
        again = prove.prove("bishop", 3, ledger=ledger)
        assert again._replace(seconds=0) == prove.prove("bishop", 3)._replace(seconds=0)
    with Ledger(path) as ledger:  # of which nothing is told
        assert prove.prove("bishop", 3, ledger=ledger) == again
        assert ledger.set_aside is None


def test_a_flipped_bit_gives_no_false_proof(tmp_path: Path) -> None:
    """Prefix 0 of bishop a3 has no factor and prefix 1 has: the one was once taken for the other."""
    path = tmp_path / "l"
    with Ledger(path) as ledger:
        assert prove.prove("bishop", 16, 4, ledger=ledger, most=1).answer == "open"
    change(path, "UPDATE prefix SET number = 1")
    with Ledger(path, tell=lambda text: None) as ledger:
        proof = prove.prove("bishop", 16, 4, ledger=ledger)
    assert proof.answer == "factor"
    assert proof._replace(seconds=0) == prove.prove("bishop", 16, 4)._replace(seconds=0)


def test_a_changed_row_is_a_warning(tmp_path: Path) -> None:
    with Ledger(tmp_path / "l") as ledger:
        prove.prove("bishop", 3, ledger=ledger, most=3)
    change(tmp_path / "l", "UPDATE prefix SET nodes = nodes + 1 WHERE number < 2")
    with (
        Ledger(tmp_path / "l") as ledger,
        pytest.warns(UserWarning, match="l: bishop d1: 2 prefixes do not fit the digest kept with it: not counted"),
    ):
        assert len(ledger.finished(D1)) == 1


@pytest.mark.parametrize("seed", range(4))
def test_flipped_bits_anywhere_in_the_file(tmp_path: Path, seed: int) -> None:
    """Whatever is flipped, the answer is right, or a ValueError says why there is none."""
    base = tmp_path / "base"
    with Ledger(base) as ledger:
        prove.prove("bishop", 3, ledger=ledger, most=40)
    whole = base.read_bytes()
    used = [i for i, byte in enumerate(whole) if byte]
    expected = prove.prove("bishop", 3)._replace(seconds=0)
    chance = random.Random(seed)
    answers = 0
    for n in range(60):
        flipped = bytearray(whole)
        for _ in range(chance.choice([1, 1, 3, 100])):
            flipped[chance.choice(used)] ^= 1 << chance.randrange(8)
        path = tmp_path / str(n)
        path.write_bytes(flipped)
        try:
            with Ledger(path, tell=lambda text: None) as ledger:
                assert prove.prove("bishop", 3, ledger=ledger)._replace(seconds=0) == expected
                answers += 1
        except ValueError as error:
            assert str(error).startswith(f"ledger: {path}: "), error  # noqa: PT017  # of some flips only
            assert path.read_bytes() == bytes(flipped)
    assert answers > 40


def test_what_is_whole_of_a_damaged_ledger_is_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "l"
    rows = [Finished(n, n + 1, n + 2, 0.5, None) for n in range(4000)]
    question = Question("bishop", "c1", 4, "plan", 4096)
    with Ledger(path) as ledger:
        ledger.add(question, rows)
    content = bytearray(path.read_bytes())
    page = content.index(b"SQLite") + 4096 * (len(content) // 4096 // 2)
    content[page : page + 4096] = bytes(4096)
    path.write_bytes(content)
    printed: list[str] = []
    with Ledger(path, tell=printed.append) as ledger:
        kept = ledger.finished(question)
    assert 3800 < len(kept) < 4000
    assert {*kept} < {*rows}
    aside = tmp_path / "l.damaged-1"
    kept_told = f"with the {len(kept):,} prefixes that are whole"
    assert printed == [f"{path} was damaged: it is kept as {aside}, and a new one begun {kept_told}"]
    assert aside.read_bytes() == bytes(content)


@pytest.mark.parametrize("content", [b"", b"my notes\n", b"SQLite format 3\0" + bytes(200)])
def test_a_ledger_that_is_only_read_is_never_changed(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "l"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="expected a ledger of proofs"):
        Ledger(path, read_only=True)
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("l", content)]


def test_a_damaged_ledger_that_is_only_read(tmp_path: Path) -> None:
    path = tmp_path / "[x] #?%20l"
    with Ledger(path) as ledger:
        prove.prove("bishop", 3, ledger=ledger, most=2)
    with Ledger(path, read_only=True) as ledger:
        assert len(ledger.finished(D1)) == 2
        with pytest.raises(ValueError, match="readonly"):
            ledger.add(D1, [Finished(5, 1, 1, 0.5, None)])
    content = bytearray(path.read_bytes())
    content[4096:5000] = bytes(904)
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"^ledger: .*l: damaged: "):
        Ledger(path, read_only=True)
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [(path.name, bytes(content))]


def test_a_ledger_of_another_version(tmp_path: Path) -> None:
    path = tmp_path / "l"
    Ledger(path).__exit__(None, None, None)
    change(path, "PRAGMA user_version = 1")
    content = path.read_bytes()
    with pytest.raises(ValueError, match="version 1; expected 2: begin a new one"):
        Ledger(path)
    assert path.read_bytes() == content


def test_a_ledger_where_none_can_be(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no folder"):
        Ledger(tmp_path / "no" / "l")
    with pytest.raises(ValueError, match=r"^ledger: '': expected the name of a file$"):
        Ledger("")
    (tmp_path / "file").touch()
    with pytest.raises(ValueError, match="there is no folder"):
        Ledger(tmp_path / "file" / "l")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ValueError, match="pipe: expected a file"):
        Ledger(tmp_path / "pipe")


def test_a_ledger_may_be_begun_by_several_at_once(tmp_path: Path) -> None:
    question = Question("bishop", "c1", 4, "plan", 64)

    def begin(path: Path, together: threading.Barrier, number: int) -> None:
        together.wait()
        with Ledger(path) as ledger:
            ledger.add(question, [Finished(number, 1, 1, 0.5, None)])

    with ThreadPoolExecutor(4) as threads:
        for n in range(20):
            together = threading.Barrier(4)
            for begun in [threads.submit(begin, tmp_path / f"l{n}", together, i) for i in range(4)]:
                begun.result()
            with Ledger(tmp_path / f"l{n}") as ledger:
                assert [f.number for f in ledger.finished(question)] == [0, 1, 2, 3]


def test_a_ledger_that_may_not_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "l"
    with Ledger(path) as ledger:
        part = prove.prove("bishop", 3, ledger=ledger, most=1)
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda path, **options: connect(f"file:{path}?mode=ro", uri=True))
    with Ledger(path) as ledger:
        assert ledger.finished(D1)[0].nodes == part.nodes
        with pytest.raises(ValueError, match=r"ledger: .*/l: attempt to write a readonly database"):
            prove.prove("bishop", 3, ledger=ledger)


def test_a_damaged_ledger_that_cannot_be_set_aside_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, target: str) -> Path:
        raise PermissionError(13, "Permission denied")

    Ledger(tmp_path / "l").__exit__(None, None, None)
    content = (tmp_path / "l").read_bytes()[:4096] + b"\7" * 4096
    (tmp_path / "l").write_bytes(content)
    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(ValueError, match="damaged, and cannot be renamed: Permission denied"):
        Ledger(tmp_path / "l")
    assert (tmp_path / "l").read_bytes() == content
