"""``rookery perft``."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import pytest

from command_line import KIWIPETE, document, run
from rookery import techniques
from rookery.counting.walk import MoveStatistics, as_board, statistics
from thinning import slow

CHESS960 = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"


@pytest.mark.parametrize("position", ["kiwipete", KIWIPETE])
def test_perft(position: str) -> None:
    assert run("perft", position, "3").stdout.startswith("97,862 nodes, ")
    answer = document("perft", position, "3")
    assert (answer["nodes"], answer["complete"], answer["fen"]) == (97862, True, KIWIPETE)
    assert [document("perft", position, str(depth))["nodes"] for depth in (0, 1, 2)] == [1, 48, 2039]
    assert document("perft", position, "1", "--technique", "kogge-stone")["nodes"] == 48


def test_perft_recognises_chess960() -> None:
    assert document("perft", CHESS960, "3")["nodes"] == 12189


def test_threads_and_hash() -> None:
    for options in ((), ("--threads", "2"), ("--hash", "1"), ("--threads", "3", "--hash", "2")):
        assert run("perft", "kiwipete", "4", *options).stdout.startswith("4,085,603 nodes, ")


def test_a_checkpoint_is_reported(tmp_path: Path) -> None:
    file = str(tmp_path / "count.json")
    assert run("perft", "start", "5", "--checkpoint", file).stdout.startswith("4,865,609 nodes, ")
    again = run("perft", "start", "5", "--checkpoint", file).stdout
    assert again.startswith("4,865,609 nodes (4,865,609 of them from the checkpoint), ")


@pytest.mark.parametrize("other", [("--divide",), ("--stats",), ("--technique", "pext")])
def test_threads_are_for_plain_counts(other: tuple[str, ...]) -> None:
    result = run("perft", "start", "3", "--threads", "2", *other, status=2)
    assert "--threads, --executor, --hash and --checkpoint are for plain counts: without" in result.output


def test_divide() -> None:
    lines = run("perft", "start", "3", "--divide").stdout.splitlines()
    assert "e2e4: 600" in lines
    assert lines[-1].startswith("20 moves, 8,902 nodes")
    moves = document("perft", "start", "3", "--divide")["moves"]
    assert sum(moves.values()) == 8902
    assert set(moves) == {move.uci() for move in chess.Board().legal_moves}


def test_statistics() -> None:
    rows = document("perft", "kiwipete", "4", "--stats")["depths"]
    assert rows[-1] == {
        "depth": 4,
        "nodes": 4085603,
        "captures": 757163,
        "en_passants": 1929,
        "castles": 128013,
        "promotions": 15172,
        "checks": 25523,
        "discovered_checks": 42,
        "double_checks": 6,
        "mates": 43,
    }
    text = run("perft", "position3", "3", "--stats").stdout
    assert "2,812" in text
    assert "discovered checks" in text


@pytest.mark.parametrize(
    ("position", "depth", "published"),
    [
        ("start", 5, (4865609, 82719, 258, 0, 0, 27351, 6, 0, 347)),
        ("kiwipete", 3, (97862, 17102, 45, 3162, 0, 993, 0, 0, 1)),
        ("position3", 5, (674624, 52051, 1165, 0, 0, 52950, 1292, 3, 0)),
    ],
)
def test_statistics_are_those_published(position: str, depth: int, published: tuple[int, ...]) -> None:
    """The tables of the chessprogramming wiki's page "Perft Results"."""
    assert list(statistics(as_board(position), depth))[-1] == MoveStatistics(*published)


@pytest.mark.slow
def test_every_technique_in_one_table() -> None:
    rows = document("perft", "kiwipete", "3", "--technique", "all")["techniques"]
    assert {row["technique"] for row in rows} == {t.name for t in techniques()}
    assert {row["nodes"] for row in rows} == {97862}


def test_some_techniques_in_one_table(monkeypatch: pytest.MonkeyPatch) -> None:
    some = tuple(t for t in techniques() if t.name in ("pext", "hyperbola", "rotated-heinz"))
    monkeypatch.setattr(sys.modules["rookery.techniques"], "ALL", some)
    text = run("perft", "kiwipete", "3", "--technique", "all").stdout
    assert text.count("97,862") == 3
    assert "rotated-heinz" in text


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), slow(signal.SIGTERM, 143)])
def test_ctrl_c_and_sigterm_print_what_is_known(number: int, status: int) -> None:
    command = [sys.executable, "-m", "rookery", "perft", "start", "9", "--json"]
    run("perft", "start", "3")  # compiled, so that the signal meets the counting
    for patience in (1, 2, 8, 30):  # a busy machine may still be importing, or at the first moves, after a second
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            time.sleep(patience)
            process.send_signal(number)
            try:
                stdout, _ = process.communicate(timeout=60)
            finally:
                process.kill()  # or the end of the block waits for it
        if stdout and json.loads(stdout)["nodes"]:
            break
    answer = json.loads(stdout)
    assert process.returncode == status
    assert answer["complete"] is False
    assert 0 < answer["nodes"] < 2_439_530_234_167


def test_a_hash_table_that_does_not_fit_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def counting(*arguments: object, hash_mb: int = 0, **options: object) -> Iterator[object]:
        if hash_mb:
            raise MemoryError
        return iter(())

    monkeypatch.setattr("rookery.counting.workers.counting", counting)
    assert (
        "--hash 1000000: this machine has no 1,000,000 MB"
        in run("perft", "start", "5", "--hash", "1000000", status=2).stderr
    )


def test_rounds_in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    from rookery.bench import perft_by_technique

    some = tuple(t for t in techniques() if t.name in ("pext", "hyperbola", "rotated-heinz"))
    monkeypatch.setattr(sys.modules["rookery.techniques"], "ALL", some)
    ran: list[tuple[str, int]] = []
    good = perft_by_technique.in_turns

    def watched(*arguments: Any) -> Iterator[perft_by_technique.PerftRun]:
        for one in good(*arguments):
            ran.append((one.technique, one.round))
            yield one

    monkeypatch.setattr(perft_by_technique, "in_turns", watched)
    command = ["perft", "kiwipete", "2", "--technique", "all", "--rounds", "3", "--json"]
    document = json.loads(run(*command).stdout)
    assert [r for _, r in ran] == sorted(r for _, r in ran)  # in turns
    assert {name: [n for n, _ in ran].count(name) for name, _ in ran} == dict.fromkeys(
        ["pext", "hyperbola", "rotated-heinz"], 3
    )
    rows = document["techniques"]
    assert {row["nodes"] for row in rows} == {2039}
    assert [row["seconds"] for row in rows] == sorted(row["seconds"] for row in rows)
    assert all(row["spread"][0] <= row["ratio"] <= row["spread"][1] for row in rows)


def test_ranks_are_medians() -> None:
    from rookery.bench.perft_by_technique import PerftRun, ranked

    runs = [
        PerftRun(name, i, 7, s)
        for i in (1, 2, 3)
        for name, s in (("a", (1.0, 1.0, 9.0)[i - 1]), ("b", (2.0, 4.0, 3.0)[i - 1]))
    ]
    a, b = ranked(runs)
    assert (a.technique, a.seconds, a.ratio, a.spread) == ("a", 1.0, 1.0, (1.0, 1.0))
    assert (b.technique, b.seconds, b.ratio, b.spread) == ("b", 3.0, 0.5, (0.25, 3.0))
    assert ranked([*runs, PerftRun("b", 4, 8, 1.0)])[1].nodes == 8  # a wrong count is not lost among right ones
    assert ranked([]) == []


def test_against_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: Any, progress: Any) -> None:
        progress("depth 3 after e2e4")
        raise KeyboardInterrupt

    monkeypatch.setattr("rookery.counting.engines.comparison.first_difference", interrupted)
    text = run("perft", "start", "3", "--against", "x", status=130).stdout
    assert "interrupted at depth 3 after e2e4: not compared to the end" in text
    document = json.loads(run("perft", "start", "3", "--against", "x", "--json", status=130).stdout)
    assert (document["complete"], document["reached"]) == (False, "depth 3 after e2e4")
