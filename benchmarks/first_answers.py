"""Time new processes to their first answer, with an empty compile cache and with a full one.

``python benchmarks/first_answers.py`` times this checkout; ``--other ../before/src`` times another one, too.

Each question runs in its own Python process, which checks the answer and ends. With an empty cache it is the first
question on the machine. Another checkout may be timed in turns. Python's bytecode exists in both cases, as after an
installation.
"""

import compileall
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

import rookery
from recording import out_option, record
from rookery.bench.machine import describe
from rookery.bench.turns import WrongAnswer

KIWIPETE: Final = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


class Question(NamedTuple):
    """A question: the arguments of the Python command, and the text its output must hold."""

    what: str
    arguments: tuple[str, ...]
    answer: str


def _code(what: str, code: str, answer: object) -> Question:
    return Question(what, ("-c", f"import rookery; print({code})"), str(answer))


QUESTIONS: Final = (
    _code("import rookery", "rookery.square_name(27)", "d4"),
    _code("queen_attacks", "int(rookery.queen_attacks(0, 0))", 0x8141_2111_0905_03FE),
    _code("Board().legal_moves", "len(list(rookery.Board().legal_moves))", 20),
    _code("legal_move_counts", f"rookery.Positions.from_fens([{KIWIPETE!r}]).legal_move_counts()", "[48]"),
    _code("read_pgn", "rookery.read_pgn(b'1. e4 e5 2. Nf3 *')[0]", "2. Nf3 *"),
    _code('perft("start", 5)', "rookery.perft('start', 5)", 4_865_609),
    Question(
        "rookery attacks",
        ("-m", "rookery", "attacks", KIWIPETE, "f3", "--technique", "all"),
        "techniques agree with the oracle",
    ),
)


class Seconds(NamedTuple):
    """What one process took."""

    wall: float
    cpu: float  # of all its threads


def ask(question: Question, source: Path, cache: Path) -> Seconds:
    """Put a question to the package in a folder of sources."""
    environment = {**os.environ, "PYTHONPATH": str(source), "NUMBA_CACHE_DIR": str(cache)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before, start = os.times(), time.perf_counter()
    done = subprocess.run(
        [sys.executable, *question.arguments], env=environment, capture_output=True, text=True, check=False
    )
    wall, after = time.perf_counter() - start, os.times()
    if done.returncode or question.answer not in done.stdout:
        output = (done.stderr or done.stdout).strip().splitlines()
        raise WrongAnswer(f"{question.what}, of {source}: expected {question.answer}, found {output[-1:]}")
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return Seconds(wall, cpu)


def measure(
    *,
    rounds: int = 3,
    other: Path | None = None,
    questions: tuple[Question, ...] = QUESTIONS,
    progress: Callable[[str], None] = lambda what: None,
) -> dict[str, Any]:
    """Time all questions; `other` is the source folder of another checkout, timed in turns."""
    if rounds < 1:
        raise ValueError(f"rounds: {rounds}: expected at least 1")
    if other is not None and not (other / "rookery" / "__init__.py").is_file():
        raise ValueError(f"other: {str(other)!r}: expected a folder that holds the package rookery, like another/src")
    sources = [Path(rookery.__file__).parents[1], *([other.resolve()] if other else [])]
    for source in sources:
        compileall.compile_dir(source / "rookery", quiet=2)
    rows = []
    for question in questions:
        taken: dict[str, list[list[Seconds]]] = {"empty": [[] for _ in sources], "full": [[] for _ in sources]}
        for i in range(rounds):
            progress(f"{question.what}: round {i + 1} of {rounds}")
            for n, source in enumerate(sources):
                with tempfile.TemporaryDirectory() as cache:
                    for state in ("empty", "full"):
                        taken[state][n].append(ask(question, source, Path(cache)))
        rows += [_row(question.what, state, *found) for state, found in taken.items()]
    return {
        "benchmark": "start",
        "command": "python benchmarks/first_answers.py",
        "machine": describe(),
        "rounds": rounds,
        "rows": rows,
    }


def _row(what: str, cache: str, ours: list[Seconds], theirs: list[Seconds] | None = None) -> dict[str, Any]:
    row: dict[str, Any] = {"what": what, "cache": cache, **_medians(ours)}
    if theirs:
        ratios = [a.cpu / b.cpu for a, b in zip(ours, theirs, strict=True)]
        row |= {f"other_{name}": value for name, value in _medians(theirs).items()}
        row["cpu_ratio"] = round(statistics.median(ratios), 3)
    return row


def _medians(taken: list[Seconds]) -> dict[str, float]:
    return {
        "seconds": round(statistics.median(s.wall for s in taken), 3),
        "cpu_seconds": round(statistics.median(s.cpu for s in taken), 3),
    }


@click.command()
@click.option("--rounds", type=click.IntRange(1), default=3, show_default=True)
@click.option(
    "--other",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Also time another checkout, in turns: the folder that holds its package, like ../before/src.",
)
@out_option
def main(rounds: int, other: Path | None, out: Path | None) -> None:
    """Time new processes to their first answer, with an empty compile cache and with a full one."""
    record(measure, out, rounds=rounds, other=other)


if __name__ == "__main__":
    main()
