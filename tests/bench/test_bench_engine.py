"""Perft in C with exported techniques: right counts, in all positions that tests of move generators use; compilers."""

import itertools
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import chess
import pytest

import rookery
from rookery.bench import perft
from rookery.bench.engine import building, measuring
from rookery.bench.engine.building import NotBuilt, build, find_compiler
from rookery.bench.engine.measuring import BuiltProgram, as_numbers, running
from rookery.bench.turns import WrongAnswer
from rookery.counting.walk import POSITIONS
from sanitizers import SANITIZERS, lacking

ALL = rookery.techniques()
KINDS = tuple(rookery.technique(name) for name in ("pext", "hyperbola-bitreverse", "rotated-hyatt", "rotated-compact"))
needs_a_compiler = pytest.mark.skipif(not any(map(shutil.which, building.COMPILERS)), reason="no C compiler here")
on_posix = pytest.mark.skipif(os.name == "nt", reason="the stand-ins are scripts of a shell")

# Leaves by depth from 1 on: the chessprogramming wiki's page "Perft Results".
TOTALS = {
    "start": (20, 400, 8_902, 197_281),
    "kiwipete": (48, 2_039, 97_862),
    "position3": (14, 191, 2_812, 43_238),
    "position4": (6, 264, 9_467, 422_333),
    "position5": (44, 1_486, 62_379),
    "position6": (46, 2_079, 89_890),
}
# En passant that would uncover a check, promotions of both sides, castling through attacks, rights lost by captures.
OTHERS = (
    "8/8/8/r2Pp2K/8/8/8/4k3 w - e6 0 2",
    "8/2k1p3/3pP3/3P2K1/8/8/8/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1",
    "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1",
    "4k3/8/8/8/3pPp2/8/8/4K3 b - e3 0 1",
)


@pytest.fixture(autouse=True)
def _quickly_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "OPTIMISED", ("-std=c11", "-O1", "-Wall", "-Wextra", "-Werror"))


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BuiltProgram]:
    folder = tmp_path_factory.mktemp("perft")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(building, "OPTIMISED", ("-std=c11", "-O1", "-Wall", "-Wextra", "-Werror"))
        build(KINDS, folder)
    with running(folder) as found:
        yield found


@needs_a_compiler
@pytest.mark.parametrize("name", TOTALS)
def test_published_totals(name: str, program: BuiltProgram) -> None:
    for depth, leaves in enumerate(TOTALS[name], 1):
        for engine in range(len(KINDS)):
            for cold in (False, True):
                answer = program.count(engine, as_numbers(POSITIONS[name]), depth, cold=cold, times=1)
                assert answer.leaves == leaves, KINDS[engine].name
                assert answer.cpu >= 0
                assert answer.wall > 0


@pytest.mark.slow
def test_no_report_of_sanitizers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if why := lacking("cc"):
        pytest.skip(why)
    monkeypatch.setenv("CC", "cc")
    monkeypatch.setattr(building, "OPTIMISED", ("-std=c11", "-O1", *SANITIZERS))
    build(ALL, tmp_path)
    with running(tmp_path) as sanitized:
        for name, engine in itertools.product(TOTALS, range(len(ALL))):
            answer = sanitized.count(engine, as_numbers(POSITIONS[name]), 2, cold=True, times=1)
            assert answer.leaves == TOTALS[name][1], ALL[engine].name


def leaves_of(board: chess.Board, depth: int) -> int:
    if depth == 1:
        return board.legal_moves.count()
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += leaves_of(board, depth - 1)
        board.pop()
    return total


@needs_a_compiler
@pytest.mark.parametrize("fen", OTHERS)
def test_counts_are_those_of_python_chess(fen: str, program: BuiltProgram) -> None:
    for depth in (1, 2, 3):
        wanted = leaves_of(chess.Board(fen), depth)
        for engine in range(len(KINDS)):
            assert program.count(engine, as_numbers(fen), depth, cold=False, times=2).leaves == wanted


@needs_a_compiler
@pytest.mark.slow
def test_all_techniques_count_right(tmp_path: Path) -> None:
    build(ALL, tmp_path)
    with running(tmp_path) as program:
        for engine, t in enumerate(ALL):
            for name, totals in TOTALS.items():
                answer = program.count(engine, as_numbers(POSITIONS[name]), len(totals), cold=False, times=1)
                assert answer.leaves == totals[-1], f"{t.name}, {name}"


@needs_a_compiler
def test_a_measurement() -> None:
    said: list[str] = []
    result = measuring.measure(KINDS[1:3], rounds=2, progress=said.append)
    assert [row["name"] for row in result["techniques"]] == ["hyperbola-bitreverse", "rotated-hyatt"]
    assert set(result["columns"]) == {"warm", "cold"}
    for row in result["techniques"]:
        for column in result["columns"]:
            figure = row[column]
            low, high = figure["ns_quartiles"]
            assert 0 < low <= figure["ns"] <= high
            assert figure["to_pext"] > 0
            assert abs(figure["mnps"] * figure["ns"] / 1000 - 1) < 0.05
    for sign in ("noise", "repeat", "share"):
        assert set(result[sign]) == {"warm", "cold"}
    assert result["seconds"]["build"] <= result["seconds"]["all"]
    assert {"leaves": 197_281, "name": "start", "depth": 4} in result["positions"]
    # A line of progress for each step, with numbers.
    assert "C: exporting pext, 1 of 3" in said
    assert "C: compiling perft, 3 of 3 techniques" in said
    assert "C, cold: round 2 of 2, 3 techniques" in said


@needs_a_compiler
def test_a_wrong_count_ends_a_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    leaves = {**perft.LEAVES, "kiwipete": (1, 48, 2_039, 97_863)}
    monkeypatch.setattr(measuring, "LEAVES", leaves)
    with pytest.raises(WrongAnswer, match=r"kiwipete to depth 3: pext counted 97,862 leaves, not 97,863"):
        measuring.measure(KINDS[:1], rounds=1)
    with pytest.raises(ValueError, match="rounds: 0: expected at least 1"):
        measuring.measure(KINDS[:1], rounds=0)


# Compilers.


def command(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def test_no_compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(NotBuilt, match="there is no C compiler: CC is not set, and there is no cc, gcc or clang"):
        find_compiler()
    monkeypatch.setenv("CC", "tcc -v")
    with pytest.raises(NotBuilt, match="CC: 'tcc': there is no such command"):
        find_compiler()


@on_posix
def test_a_compiler_that_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    text = 'case "$*" in *--version*) echo "broken 1.0";; *) echo "x.c: error: no" >&2; exit 1;; esac'
    broken = command(tmp_path, "broken", text)
    monkeypatch.setenv("CC", f"{broken} -q")
    assert find_compiler() == ((str(broken), "-q"), "broken 1.0")
    with pytest.raises(NotBuilt, match=re.escape(f"{broken} failed: x.c: error: no")):
        measuring.measure(KINDS[:1], rounds=1)
    mute = command(tmp_path, "mute", "exit 3")
    monkeypatch.setenv("CC", str(mute))
    with pytest.raises(NotBuilt, match=re.escape(f"{mute} failed: status 3")):
        find_compiler()


@on_posix
@needs_a_compiler
def test_a_compiler_that_does_not_know_this_cpu(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    real = find_compiler().command[0]
    text = f'case "$*" in *=native*) echo "unknown option" >&2; exit 1;; esac\nexec {shutil.which(real)} "$@"'
    monkeypatch.setenv("CC", str(command(tmp_path, "old", text)))
    (tmp_path / "out").mkdir()
    _, options = build(KINDS[:1], tmp_path / "out")
    assert options == building.OPTIMISED
    with running(tmp_path / "out") as program:
        assert program.count(0, as_numbers(POSITIONS["start"]), 2, cold=False, times=1).leaves == 400


@on_posix
def test_a_program_that_ends(tmp_path: Path) -> None:
    command(tmp_path, building.PROGRAM, "exit 4")
    with running(tmp_path) as program, pytest.raises(NotBuilt, match="the program ended with status 4"):
        program.count(0, as_numbers(POSITIONS["start"]), 1, cold=False, times=1)
    (tmp_path / building.PROGRAM).unlink()
    with pytest.raises(NotBuilt, match="the program does not start"), running(tmp_path):
        pass
