"""``rookery magics prove | pilot | ranges | atlas | pack``: what they take, keep and write."""

import contextlib
import json
import sqlite3
from pathlib import Path

import pytest

from command_line import document, run
from magics.prove.ledger import Ledger
from rookery.magics import atlas

pytestmark = pytest.mark.compiler  # wheels have no machine code of searches for factors


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("prove", "--square", ""), 2, "square: '': expected a file a-h and a rank 1-8"),
        (("prove", "--square", "i4"), 2, "square: 'i4'"),
        (("prove", "--piece", "queen"), 2, "'queen' is not one of 'rook', 'bishop'"),
        (("prove", "--bits", "0"), 2, "0 is not in the range 1<=x<=24"),
        (("prove", "--bits", "25"), 2, "25 is not in the range"),
        (("prove", "--piece", "rook", "--bits", "7"), 2, "bits: 7 bits have 128 slots; rook d4 needs 144"),
        (("prove", "--threads", "0"), 2, "0 is not in the range"),
        (("prove", "--threads", "99999"), 2, "99999 is not in the range"),
        (("prove", "--most", "-1"), 2, "-1 is not in the range"),
        (("prove", "--ledger", "folder"), 2, "'folder' is a directory"),
        (("prove", "--ledger", "no/such"), 2, "ledger: no/such: there is no folder 'no'"),
        (("prove", "--ledger", ""), 2, "ledger: '.': expected the name of a file"),
        (("prove", "--ledger", "damaged"), 2, "ledger: damaged: not an SQLite file; expected a ledger of proofs"),
        (("prove", "--ledger", "foreign"), 2, "foreign: a database of something else; expected a ledger of proofs"),
        (("prove", "--certificate", "new"), 2, "--certificate: give --piece, --square and --bits too"),
        (("prove", "--certificate", "foreign"), 2, "--certificate: 'foreign' exists already: give another name"),
        (("prove", "--certificate", "no/such"), 2, "'no/such': there is no folder 'no'"),
        (("atlas", "--ledger", "damaged"), 2, "ledger: damaged: not an SQLite file; expected a ledger of proofs"),
        (("atlas", "--ledger", "foreign"), 2, "foreign: a database of something else; expected a ledger of proofs"),
        (("atlas", "--ledger", "empty"), 2, "ledger: empty: not an SQLite file; expected a ledger of proofs"),
        (("atlas", "--factors", "damaged"), 2, "damaged: not a JSON document"),
        (("atlas", "--factors", "deep"), 2, "deep: not a JSON document"),
        (("atlas", "--factors", "/dev/zero"), 2, "factors: /dev/zero: expected a file"),
        (("atlas", "--ledger", "no"), 2, "'no' does not exist"),
        (("atlas", "--out", "folder"), 2, "'folder' is a directory"),
        (("atlas", "--out", "no/such"), 2, "'no/such': there is no folder 'no'"),
        (("atlas", "--out", ""), 2, "'': expected the name of a file"),
        (("pack", "--rounds", "-1"), 2, "-1 is not in the range"),
        (("pilot", "--out", "damaged"), 2, "orders: damaged: not a file of orders"),
        (("ranges", "--out", "damaged"), 2, "ranges: damaged: not a file of ranges"),
        (("pack", "--state", "damaged"), 2, "state: damaged: not a state, or damaged: expected it to begin with"),
        (("pack", "--out", "damaged/such"), 2, "'damaged/such': there is no folder 'damaged'"),
        (("find", "--square", ""), 2, "square: ''"),
        (("find", "--tries", "0"), 2, "0 is not in the range"),
        (("find", "--seed", str(2**64)), 2, "is not in the range"),
    ],
)
def test_bad_input_of_magics(
    arguments: tuple[str, ...], status: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "damaged").write_bytes(b"no ledger")
    (tmp_path / "empty").touch()
    (tmp_path / "deep").write_bytes(b"[" * 100_000)
    with contextlib.closing(sqlite3.connect("foreign")) as connection:
        connection.execute("CREATE TABLE mine (a)")
    foreign = (tmp_path / "foreign").read_bytes()
    result = run("magics", *arguments, status=status)
    assert message in result.stderr.replace("\n", " ")
    assert "Traceback" not in result.output
    assert (tmp_path / "foreign").read_bytes() == foreign
    assert {path.name for path in tmp_path.iterdir()} == {"folder", "damaged", "empty", "deep", "foreign"}
    assert ((tmp_path / "damaged").read_bytes(), (tmp_path / "empty").read_bytes()) == (b"no ledger", b"")


def test_the_atlas_takes_what_was_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = atlas.atlas()
    e7 = next(c for c in cells if (c.piece, c.square) == ("rook", "e7"))
    blank = tuple(c._replace(answer="open", source="", magic=None, date="") if c is e7 else c for c in cells)
    monkeypatch.setattr(atlas, "atlas", lambda: blank)
    found = {"piece": "rook", "square": "e7", "bits": 9, "magic": f"0x{e7.magic:016x}"}
    path, target = tmp_path / "found.json", tmp_path / "atlas.json"
    path.write_text(json.dumps({"finder": "a test", "factors": [found]}), encoding="utf-8")
    assert "found here 2" in run("magics", "atlas", "--factors", str(path), "--out", str(target)).stdout
    now = next(c for c in atlas.read(target.read_text(encoding="utf-8")) if (c.piece, c.square) == ("rook", "e7"))
    assert now == e7._replace(date=now.date)
    assert now.date >= e7.date
    path.write_text(json.dumps({"finder": "a test", "factors": [{**found, "square": "e9"}]}), encoding="utf-8")
    message = run("magics", "atlas", "--factors", str(path), status=2).stderr.replace("\n", " ")
    assert "found.json: record 1: square: 'e9': expected a name from a1 to h8" in message


def test_a_damaged_ledger_is_reported_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "[red]ledger"
    Ledger(path).__exit__(None, None, None)
    damaged = path.read_bytes()[:4096] + b"no ledger" * 500
    path.write_bytes(damaged)
    result = run("magics", "prove", "--piece", "bishop", "--square", "d1", "--ledger", str(path))
    assert f"{path} was damaged: it is kept as {path}.damaged-1, and a new one begun" in result.stderr
    assert "none exists" in result.stdout
    assert Path(f"{path}.damaged-1").read_bytes() == damaged


def test_a_damaged_row_of_a_ledger_is_reported_and_done_again(tmp_path: Path) -> None:
    """A flipped bit made a proof of bishop a3 say that none exists."""
    path = str(tmp_path / "l")
    command = ("prove", "--piece", "bishop", "--square", "a3", "--bits", "4", "--threads", "1", "--ledger", path)
    assert document("magics", *command, "--most", "1")[0]["answer"] == "open"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE prefix SET number = 1")
        connection.commit()
    atlas_printed = run("magics", "atlas", "--ledger", path).stderr
    result = run("magics", *command, "--json")
    for printed in (atlas_printed, result.stderr):
        assert "bishop a3: 1 prefix does not fit the digest kept with it" in printed
    proof = json.loads(result.stdout)[0]
    assert (proof["answer"], proof["done"]) == ("factor", 2)
    assert run("magics", *command).stderr.strip() == ""


def test_names_of_files_are_no_markup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "[").mkdir()
    d1 = ("--piece", "bishop", "--square", "d1", "--bits", "4")
    for name in ("[/x].sqlite", "[red]x.sqlite"):
        assert f"kept in {name}:" in run("magics", "prove", *d1, "--ledger", name, "--most", "1").stdout
        assert f"{name}.xz: " in run("magics", "prove", *d1, "--ledger", name, "--certificate", f"{name}.xz").stdout
        for command in ("pilot", "ranges"):
            run("magics", command, *d1, "--out", f"{name}.{command}", *(("--tries", "1") if command == "pilot" else ()))


def test_what_is_read_is_never_written_over(tmp_path: Path) -> None:
    factors, ledger, link = tmp_path / "factors.json", tmp_path / "ledger", tmp_path / "link"
    factors.write_text(run("magics", "find", "--square", "a1", "--json").stdout)
    before = factors.read_bytes()
    link.symlink_to(factors)
    for target in (factors, link):
        error = run("magics", "atlas", "--factors", str(factors), "--force", "--out", str(target), status=2).stderr
        assert f"-o: {str(target)!r} is the same file as --factors {str(factors)!r}: give another name" in error
    assert factors.read_bytes() == before
    c1 = ["--piece", "bishop", "--square", "c1", "--bits", "4"]
    error = run("magics", "prove", *c1, "--ledger", str(ledger), "--certificate", str(ledger), status=2).stderr
    assert f"--certificate: {str(ledger)!r} is the same file as --ledger {str(ledger)!r}" in error
    assert not ledger.exists()
    error = run("magics", "pack", "--state", str(ledger), "--out", str(ledger), status=2).stderr
    assert f"-o: {str(ledger)!r} is the same file as --state {str(ledger)!r}" in error
