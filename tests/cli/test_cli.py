"""The command line, as a user types it."""

import contextlib
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rookery import technique, techniques, verify
from rookery.bench import lanes
from rookery.bench import magics as magics_bench
from rookery.cli import main
from rookery.magics import atlas
from rookery.magics.prove.ledger import Ledger
from rookery.technique import Technique

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def run(*arguments: str, status: int = 0) -> Result:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == status, result.output + str(result.exception)
    return result


def document(*arguments: str, status: int = 0) -> Any:
    return json.loads(run(*arguments, "--json", status=status).stdout)


def test_techniques() -> None:
    lines = run("techniques").stdout.splitlines()
    assert [line.split()[0] for line in lines[1:]] == [t.name for t in techniques()]
    cards = document("techniques")
    assert [card["name"] for card in cards] == [t.name for t in techniques()]
    assert all(card["table_bytes"] == technique(card["name"]).table_bytes for card in cards)


@pytest.mark.parametrize("name", ["kogge-stone", "magic-fancy"])
def test_show(name: str) -> None:
    t = technique(name)
    text = run("show", name).stdout
    for part in (t.name, t.authors[0], str(t.year), t.source, f"{t.table_bytes:,} bytes", "@kernel", "def "):
        assert part in text
    card = document("show", name)
    assert sum(table["bytes"] for table in card["tables"]) == t.table_bytes
    assert [table["name"] for table in card["tables"]] == list(t.tables()._fields)


def test_attacks_draws_the_position_and_the_attacks() -> None:
    text = run("attacks", KIWIPETE, "f3").stdout
    assert "what the queen on f3 attacks: 14 squares, 0x000020a070dc7000" in text
    assert "3 . . N . . Q . p   . . N 1 1 Q 1 p" in text
    assert "n f6" in text


def test_attacks_by_every_technique() -> None:
    text = run("attacks", KIWIPETE, "f3", "--technique", "all").stdout
    assert f"{len(techniques())} of {len(techniques())} techniques agree" in text
    assert text.count("0x000020a070dc7000") == len(techniques()) + 1
    answers = document("attacks", KIWIPETE, "f3", "--technique", "all")
    assert answers["squares"][:2] == ["e2", "f2"] or "e2" in answers["squares"]
    assert all(t["agrees"] for t in answers["techniques"])


@pytest.mark.parametrize(("piece", "count"), [("rook", 11), ("b", 6), ("queen", 17), (None, 17)])
def test_attacks_of_another_piece(piece: str | None, count: int) -> None:
    option = ["--piece", piece] if piece else []
    answer = document("attacks", "8/8/8/8/8/1p4p1/8/Q6Q", "a1", *option)
    expected = verify.oracle({"b": "bishop", None: "queen"}.get(piece, str(piece)), 0, 0x420081)
    assert answer["attacks"] == f"0x{expected:016x}"
    assert len(answer["squares"]) == expected.bit_count()
    assert count


def test_a_technique_that_disagrees_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Technique, "ask", lambda self, *rest: 0 if self.name == "rays" else verify.oracle(*rest))
    result = run("attacks", KIWIPETE, "f3", "--technique", "all", status=1)
    assert "rays" in result.stderr
    assert "NO" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("show", "kogge"), "did you mean 'kogge-stone'"),
        (("attacks", "8/8/8/8/8/8/8/8", "e4"), "nothing on e4 is no sliding piece"),
        (("attacks", KIWIPETE, "e1"), "white king on e1 is no sliding piece"),
        (("attacks", KIWIPETE, "e9"), "square: 'e9'"),
        (("attacks", KIWIPETE, "f3", "--piece", "x"), "--piece: 'x': expected rook, bishop or queen"),
        (("attacks", "8/8", "f3"), "has 2 ranks, expected 8"),
        (("attacks", KIWIPETE, "f3", "--technique", "magic"), "did you mean"),
        (("verify", "pextt"), "did you mean 'pext'"),
        (("magics", "find", "--square", "z9"), "square: 'z9'"),
        (("magics", "find", "--seed", "-1"), "Invalid value for '--seed'"),
        (("nonsense",), "No such command"),
    ],
)
def test_errors_are_for_people(arguments: tuple[str, ...], message: str) -> None:
    result = run(*arguments, status=2)
    assert message in result.stderr.replace("\n", " ")
    assert "Traceback" not in result.output


def test_verify_some() -> None:
    text = run("verify", "pext", "hyperbola").stdout
    assert "proved:" in text
    assert " 0 mismatches" in text
    answer = document("verify", "pext")
    assert answer["mismatches"] == 0
    assert answer["complete"] is True
    assert {check["check"] for check in answer["checks"]} == {"rook", "bishop", "queen", "one by one", "toggling"}


def test_verify_exits_with_1_on_a_mismatch(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = verify.Result("pext", "rook", 10, 1, verify.Mismatch("rook", "a1", 1, 2, 3))
    monkeypatch.setattr(verify, "checks", lambda t: [("rook", lambda: wrong)])
    result = run("verify", "pext", status=1)
    assert "1 mismatches" in result.stdout
    assert "rook on a1, occupied 0x0000000000000001: expected 0x0000000000000002" in result.stdout
    assert document("verify", "pext", status=1)["checks"][0]["first"]["got"] == 3


def test_verify_interrupted_tells_what_it_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt() -> verify.Result:
        raise KeyboardInterrupt

    good = verify.Result("pext", "rook", 10, 0, None)
    monkeypatch.setattr(verify, "checks", lambda t: [("rook", lambda: good), ("bishop", interrupt)])
    assert "interrupted after 10 cases, 0 mismatches" in run("verify", "pext", status=130).stdout
    assert document("verify", "pext", status=130)["complete"] is False


def test_magics_find_one() -> None:
    text = run("magics", "find", "--piece", "bishop", "--square", "d4").stdout
    assert "bishop" in text
    assert "1 factors from seed 0" in text
    answer = document("magics", "find", "--square", "b1", "--piece", "bishop", "--seed", "5", "--injective")
    assert answer["injective"] is True
    assert [(f["square"], f["seed"], f["bits"]) for f in answer["factors"]] == [("b1", 5, 5)]


def test_magics_find_all_of_a_form() -> None:
    text = run("magics", "find", "--form", "black", "--seed", "9").stdout
    assert "128 factors from seed 9, found and tried in" in text
    answer = document("magics", "find", "--form", "fixed-shift", "--square", "d4")
    assert (answer["form"], [f["bits"] for f in answer["factors"]]) == ("fixed-shift", [12, 9])
    assert answer["command"] == "rookery magics find --form fixed-shift --json"


def test_magics_find_reduced() -> None:
    for piece, square, bits, source in [
        ("bishop", "h8", 5, "found here"),
        ("rook", "a8", 11, "Niklas Fiekas, github niklasf/magics, 2026"),
    ]:
        answer = document("magics", "find", "--reduced", "--piece", piece, "--square", square, "--tries", "1")
        assert answer["sources"] == [source]
        assert [(f["bits"], f["tries"]) for f in answer["factors"]] == [(bits, 0)]
    text = run("magics", "find", "--reduced", "--piece", "bishop", "--square", "b1").stdout
    assert "1 factors with one index bit less, 1 of them found now." in text
    text = run("magics", "find", "--reduced", "--piece", "bishop", "--square", "c1").stdout
    assert "1 squares have none, by the atlas, and were not searched." in text
    text = run("magics", "find", "--reduced", "--piece", "rook", "--square", "a1", "--tries", "1").stdout
    assert "Not found in 1 slices, nor known: rook a1." in text


def test_magics_find_interrupted_tells_what_it_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    from rookery.magics.find import factors as find
    from rookery.magics.find import riders

    def interrupted(good: Any) -> Any:
        def search(a: Any, square: int, **options: Any) -> Any:
            if square == 6:
                raise KeyboardInterrupt
            return good(a, square, **options)

        return search

    monkeypatch.setattr(find, "find_widening", interrupted(find.find_widening))
    assert "6 injective factors" in run("magics", "find", "--injective", status=130).stdout
    monkeypatch.setattr(riders, "find_rider", interrupted(riders.find_rider))
    assert len(document("magics", "find", "--deltas", "1,1", status=130)["squares"]) == 6
    monkeypatch.setattr(find, "find", interrupted(find.find))
    answer = document("magics", "find", "--reduced", "--piece", "bishop", status=130)
    assert [f["square"] for f in answer["factors"]] == ["a1", "b1"]


def test_magics_find_riders() -> None:
    nightrider = "1,2 2,1 -1,2 -2,1 1,-2 2,-1 -1,-2 -2,-1"
    answer = document("magics", "find", "--deltas", nightrider, "--width", "10", "--height", "6")
    assert (answer["width"], answer["height"], answer["not_found"]) == (10, 6, [])
    assert answer["deltas"][2] == [-1, 2]
    assert [s["square"] for s in answer["squares"]][8:12] == ["i1", "j1", "a2", "b2"]
    assert all(s["shift"] == 64 - s["bits"] for s in answer["squares"])
    text = run("magics", "find", "--deltas", nightrider, "--square", "e4").stdout
    assert "1 factors from seed 0" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--deltas", "0,0"], "deltas: 0,0 goes nowhere"),
        (["--deltas", "1,2", "--width", "0"], "width: 0: expected 1 or more"),
        (["--deltas", "1,2", "--width", "13", "--height", "5"], "13 x 5 is 65 squares"),
        (["--deltas", "1,2", "--square", "i1"], "square: 'i1': expected a1 to h8"),
        (["--deltas", "1,2", "--piece", "rook"], "deltas: goes with"),
        (["--width", "8"], "width and height: are those of a rider's board"),
        (["--form", "black", "--injective"], "expected one of them at most"),
        (["--injective", "--reduced"], "expected one of them at most"),
        (["--tries", "5"], "tries: goes with --injective or --reduced only"),
    ],
)
def test_magics_find_refuses(arguments: list[str], message: str) -> None:
    assert message in run("magics", "find", *arguments, status=2).stderr


def test_magics_check(monkeypatch: pytest.MonkeyPatch) -> None:
    text = run("magics", "check").stdout
    assert "0 faults" in text
    assert "magic-reduced: 90,304 entries, 726,528 bytes, right" in text
    from rookery.techniques import _magics

    sets = {which: _magics.stored(which) for which in _magics.SETS}
    for which, good in sets.items():
        forged = good[0]._replace(magic=1)
        changed = {**sets, which: (forged, *good[1:])}
        monkeypatch.setattr(_magics, "stored", changed.__getitem__)
        faults = document("magics", "check", status=1)["faults"]
        assert f"{which}: rook {forged.square}: 0x0000000000000001 is no magic" in faults
        assert any("does not find" in fault for fault in faults) == (which not in _magics.INCOMPLETE)
        assert len(faults) == (1 if which in _magics.INCOMPLETE else 2)


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
        (("prove", "--ledger", "damaged"), 2, "ledger: damaged: no SQLite file; expected a ledger of proofs"),
        (("prove", "--ledger", "foreign"), 2, "foreign: a database of something else; expected a ledger of proofs"),
        (("prove", "--certificate", "new"), 2, "--certificate: give --piece, --square and --bits too"),
        (("prove", "--certificate", "foreign"), 2, "'foreign' is there already: expected a new name"),
        (("prove", "--certificate", "no/such"), 2, "'no/such': there is no folder 'no'"),
        (("atlas", "--ledger", "damaged"), 2, "ledger: damaged: no SQLite file; expected a ledger of proofs"),
        (("atlas", "--ledger", "foreign"), 2, "foreign: a database of something else; expected a ledger of proofs"),
        (("atlas", "--ledger", "empty"), 2, "ledger: empty: no SQLite file; expected a ledger of proofs"),
        (("atlas", "--factors", "damaged"), 2, "damaged: no JSON document"),
        (("atlas", "--factors", "deep"), 2, "deep: no JSON document"),
        (("atlas", "--factors", "/dev/zero"), 2, "factors: /dev/zero: expected a file"),
        (("atlas", "--ledger", "no"), 2, "'no' does not exist"),
        (("atlas", "--out", "folder"), 2, "'folder' is a directory"),
        (("atlas", "--out", "no/such"), 2, "'no/such': there is no folder 'no'"),
        (("atlas", "--out", ""), 2, "'': expected the name of a file"),
        (("pack", "--rounds", "-1"), 2, "-1 is not in the range"),
        (("pilot", "--out", "damaged"), 2, "orders: damaged: no file of orders"),
        (("ranges", "--out", "damaged"), 2, "ranges: damaged: no file of ranges"),
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


def test_a_damaged_ledger_is_told_of_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "[red]ledger"
    Ledger(path).__exit__(None, None, None)
    damaged = path.read_bytes()[:4096] + b"no ledger" * 500
    path.write_bytes(damaged)
    result = run("magics", "prove", "--piece", "bishop", "--square", "d1", "--ledger", str(path))
    assert f"{path} was damaged: it is kept as {path}.damaged-1, and a new one begun" in result.stderr
    assert "none exists" in result.stdout
    assert Path(f"{path}.damaged-1").read_bytes() == damaged


def test_a_damaged_row_of_a_ledger_is_told_of_and_done_again(tmp_path: Path) -> None:
    """A flipped bit made a proof of bishop a3 say that none exists."""
    path = str(tmp_path / "l")
    command = ("prove", "--piece", "bishop", "--square", "a3", "--bits", "4", "--threads", "1", "--ledger", path)
    assert document("magics", *command, "--most", "1")[0]["answer"] == "open"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE prefix SET number = 1")
        connection.commit()
    atlas_told = run("magics", "atlas", "--ledger", path).stderr
    result = run("magics", *command, "--json")
    for told in (atlas_told, result.stderr):
        assert "bishop a3: 1 prefix does not fit the digest kept with it" in told
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


def test_what_cannot_be_written_is_told_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    target, folder = tmp_path / "target", tmp_path / "folder"
    target.write_text("before")
    d1 = ["--piece", "bishop", "--square", "d1"]
    (tmp_path / "orders").write_text('{"orders": []}')
    (tmp_path / "ranges").write_text('{"ranges": []}')
    for path, command in (
        (target, ["magics", "atlas", "--out", str(target)]),
        (tmp_path / "orders", ["magics", "pilot", *d1, "--tries", "0", "--out", str(tmp_path / "orders")]),
        (tmp_path / "ranges", ["magics", "ranges", "--out", str(tmp_path / "ranges")]),
        (target, ["bench", "attacks", "rays", "--rounds", "1", "--positions", "8", "--out", str(target)]),
        (folder, ["export", "json", "--technique", "rays", "--out", str(folder)]),
    ):
        assert run(*command, status=1).stderr.strip() == f"Error: --out: {path}: No space left on device"
    assert {p.name: p.read_text() for p in tmp_path.iterdir() if p.is_file()} == {
        "target": "before",
        "orders": '{"orders": []}',
        "ranges": '{"ranges": []}',
    }
    assert [*folder.iterdir()] == []


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="no full device here")
@pytest.mark.parametrize(
    "command",
    [
        ["--help"],
        ["--version"],
        ["magics", "--help"],
        ["techniques"],
        ["techniques", "--json"],
        ["show", "rays"],
        ["moves", "start"],
        ["fen", "start", "--json"],
        ["export", "json", "--technique", "rays"],
        ["magics", "atlas"],
        ["magics", "ranges", "--json"],
    ],
)
def test_output_to_a_full_device_is_told_in_a_line(command: list[str]) -> None:
    arguments = [sys.executable, "-m", "rookery", *command]
    for unbuffered in ("", "1"):
        env = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
        with FULL.open("wb") as full:
            result = subprocess.run(arguments, stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=env)
            assert (result.returncode, result.stderr) == (1, "Error: output: No space left on device\n")
            silent = subprocess.run([*arguments, "--no-such"], stdout=full, stderr=full, check=False, env=env)
            assert silent.returncode in (1, 2)


@pytest.mark.skipif(not FULL.exists(), reason="no full device here")
def test_a_full_device_with_a_traceback() -> None:
    with FULL.open("wb") as full:
        arguments = [sys.executable, "-m", "rookery", "--debug", "techniques"]
        result = subprocess.run(arguments, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert result.stderr.startswith("Traceback")


def test_magics_sets() -> None:
    text = run("magics", "sets").stdout
    assert "4096/49" in text
    assert "102,400 / 4,900" in text
    rows = document("magics", "sets")
    assert len(rows) == 128
    assert rows[0] == {"piece": "rook", "square": "a1", "occupancies": 4096, "sets": 49}


def test_bench_attacks(tmp_path: Any) -> None:
    path = tmp_path / "attacks.json"
    text = run("bench", "attacks", "rays", "--rounds", "1", "--positions", "64", "--out", str(path)).stdout
    assert "rays" in text
    assert "pext" in text
    recorded = json.loads(path.read_text(encoding="utf-8"))
    assert {row["name"] for row in recorded["techniques"]} == {"pext", "rays"}


def test_bench_lanes(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    every = lanes.rows

    def few(positions: int, *, quick: bool) -> Any:
        return [row for row in every(positions, quick=quick) if row.what.startswith(("legal", "Positions"))]

    monkeypatch.setattr(lanes, "PERFTS", ())
    monkeypatch.setattr(lanes, "rows", few)
    path = tmp_path / "lanes.json"
    text = run("bench", "lanes", "--quick", "--rounds", "1", "--positions", "16", "--out", str(path)).stdout
    assert "one by one" in text
    assert "M positions/s" in text
    recorded = json.loads(path.read_text(encoding="utf-8"))
    assert {row["what"] for row in recorded["rows"]} == {"legal move counts", "Positions.from_fens"}
    assert document("bench", "lanes", "--quick", "--rounds", "1", "--positions", "16")["benchmark"] == "lanes"


def test_bench_magics(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(magics_bench, "questions", lambda: (magics_bench.Question("bishop d1", ("d1",), 1),))
    path = tmp_path / "magics.json"
    text = run("bench", "magics", "--seeds", "1", "--rounds", "1", "--out", str(path)).stdout
    assert "all factors, 1 seeds" in text
    assert "0 yes, 1 no" in text
    recorded = json.loads(path.read_text(encoding="utf-8"))
    assert (recorded["benchmark"], len(recorded["proofs"])) == ("magics", 1)


def test_help_and_version() -> None:
    for command in (
        [],
        ["attacks"],
        ["magics"],
        ["magics", "find"],
        ["bench", "attacks"],
        ["bench", "lanes"],
        ["bench", "magics"],
        ["verify"],
    ):
        assert "Usage:" in run(*command, "--help").stdout
    assert "rookery, version" in run("--version").stdout


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m rookery show kogge-stone | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("kogge-stone")
    assert "Traceback" not in done.stderr
