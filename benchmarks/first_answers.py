"""Time new processes to their first answer, with an empty compile cache and with a full one.

``python benchmarks/first_answers.py`` times the package that this Python imports: a checkout, or the package of an
installed wheel. ``--against ../before/src`` times another checkout, too, in turns.

Each question runs in its own Python process, which checks the answer and ends. With an empty cache it is the first
question on the machine. Python's bytecode exists in both cases, as after an installation. Questions to other packages
are yardsticks: a row that names one in `beyond` also has the CPU time beyond the yardstick's, in the same round.

With ``--wheel``, the installation of a wheel from a full cache of uv is timed, too, with a first answer.
"""

import compileall
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

import rookery
from recording import out_option, record
from rookery.bench.machine import describe
from rookery.bench.turns import WrongAnswer, version

KIWIPETE: Final = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
GAME: Final = "1. f3 e5 2. g4 Qh4# 0-1"


class Question(NamedTuple):
    """A question: the arguments of the Python command, and the text its output must hold.

    A yardstick is asked of another package. `beyond` names the yardstick whose CPU time is subtracted.
    """

    what: str
    arguments: tuple[str, ...]
    answer: str
    beyond: str | None = None
    yardstick: bool = False


def _code(what: str, code: str, answer: object, beyond: str | None = None) -> Question:
    return Question(what, ("-c", f"import rookery; print({code})"), str(answer), beyond)


def _yardstick(package: str) -> Question:
    return Question(
        f"import {package}", ("-c", f"import {package}; print({package}.__name__)"), package, yardstick=True
    )


LIST_OF_MOVES: Final = _code("Board().legal_moves", "len(list(rookery.Board().legal_moves))", 20, "import chess")
QUESTIONS: Final = (
    _yardstick("chess"),
    _yardstick("numpy"),
    _code("import rookery", "rookery.square_name(27)", "d4"),
    _code("queen_attacks", "int(rookery.queen_attacks(0, 0))", 0x8141_2111_0905_03FE),
    LIST_OF_MOVES,
    _code("legal_move_counts", f"rookery.Positions.from_fens([{KIWIPETE!r}]).legal_move_counts()", "[48]"),
    _code("read_pgn", "rookery.read_pgn(b'1. e4 e5 2. Nf3 *')[0]", "2. Nf3 *", "import numpy"),
    _code("search", f"rookery.search(b'{GAME}', 'is_mate')", "<1 hit>", "import numpy"),
    _code('perft("start", 5)', "rookery.perft('start', 5)", 4_865_609, "import numpy"),
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


def run(what: str, command: Sequence[str], answer: str, environment: Mapping[str, str]) -> Seconds:
    """Time a process, whose output must hold an answer."""
    before, start = os.times(), time.perf_counter()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    wall, after = time.perf_counter() - start, os.times()
    if done.returncode or answer not in done.stdout:
        output = (done.stderr or done.stdout).strip().splitlines()
        raise WrongAnswer(f"{what}: expected {answer}, found {output[-1:]}")
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return Seconds(wall, cpu)


def ask(question: Question, source: Path, cache: Path) -> Seconds:
    """Put a question to the package in a folder of sources."""
    environment = {**os.environ, "PYTHONPATH": str(source), "NUMBA_CACHE_DIR": str(cache)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return run(
        f"{question.what}, of {source}", [sys.executable, *question.arguments], question.answer, environment
    )  # fmt: skip


def measure(
    *,
    rounds: int = 3,
    runs: int = 11,
    against: Path | None = None,
    wheel: Path | None = None,
    questions: tuple[Question, ...] = QUESTIONS,
    progress: Callable[[str], None] = lambda what: None,
) -> dict[str, Any]:
    """Time all questions: `rounds` times with an empty cache, `runs` times with a full one.

    `against` is the source folder of another checkout, timed in turns.
    """
    for name, number in (("rounds", rounds), ("runs", runs)):
        if number < 1:
            raise ValueError(f"{name}: {number}: expected at least 1")
    if against is not None and not (against / "rookery" / "__init__.py").is_file():
        raise ValueError(f"against: {str(against)!r}: expected a folder that holds rookery, like another/src")
    sources = [Path(rookery.__file__).parents[1], *([against.resolve()] if against else [])]
    for source in sources:
        compileall.compile_dir(source / "rookery", quiet=2)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for question in questions:
            if not question.yardstick:
                taken = _empty(question, sources, rounds, progress)
                rows.append(_row(question.what, "empty", *taken))
        full = _full(questions, sources, Path(folder), runs, progress)
    for question in questions:
        row = _row(question.what, "full", *full[question.what])
        if question.beyond in full:
            row |= _beyond(full[question.what], full[question.beyond], question.beyond)
        rows.append(row)
    result = {
        "benchmark": "start",
        "command": "python benchmarks/first_answers.py",
        "machine": describe(),
        "chess": version("chess"),
        "environment": "checkout" if sources[0].name == "src" else "wheel",
        "rounds": rounds,
        "runs": runs,
        "rows": rows,
    }
    return result | ({"installation": installations(wheel, runs, progress)} if wheel else {})


Taken = list[list[Seconds]]  # of each tree


def _empty(question: Question, sources: list[Path], rounds: int, progress: Callable[[str], None]) -> Taken:
    taken: Taken = [[] for _ in sources]
    for i in range(rounds):
        progress(f"{question.what}, empty cache: round {i + 1} of {rounds}")
        for source, found in zip(sources, taken, strict=True):
            with tempfile.TemporaryDirectory() as cache:
                found.append(ask(question, source, Path(cache)))
    return taken


def _full(
    questions: Sequence[Question], sources: list[Path], folder: Path, runs: int, progress: Callable[[str], None]
) -> dict[str, Taken]:
    taken: dict[str, Taken] = {question.what: [[] for _ in sources] for question in questions}
    for i in range(runs + 1):  # the first one fills the caches, and is not counted
        progress(f"full cache: run {i} of {runs}")
        for question in questions:
            for n, source in enumerate(sources):
                seconds = ask(question, source, folder / str(n))
                if i:
                    taken[question.what][n].append(seconds)
    return taken


def _row(what: str, cache: str, ours: list[Seconds], theirs: list[Seconds] | None = None) -> dict[str, Any]:
    row: dict[str, Any] = {"what": what, "cache": cache, **_medians(ours)}
    if theirs:
        ratios = [a.cpu / b.cpu for a, b in zip(ours, theirs, strict=True) if b.cpu]
        row |= {f"against_{name}": value for name, value in _medians(theirs).items()}
        row["cpu_ratio"] = round(statistics.median(ratios), 3)
    return row


def _beyond(taken: Taken, yardstick: Taken, name: str) -> dict[str, Any]:
    """Return the CPU seconds beyond those of a yardstick in the same round."""
    keys = ["cpu_seconds_beyond", "against_cpu_seconds_beyond"]
    values = [
        round(statistics.median(a.cpu - b.cpu for a, b in zip(ours, theirs, strict=True)), 3)
        for ours, theirs in zip(taken, yardstick, strict=True)
    ]
    return {"beyond": name, **dict(zip(keys, values, strict=False))}


def _medians(taken: list[Seconds]) -> dict[str, float]:
    return {
        "seconds": round(statistics.median(s.wall for s in taken), 3),
        "cpu_seconds": round(statistics.median(s.cpu for s in taken), 3),
    }


def installations(wheel: Path, runs: int, progress: Callable[[str], None] = lambda what: None) -> dict[str, Any]:
    """Time installing a wheel with uv, from a full cache into a new environment, and its first answer there."""
    if version("uv") is None:
        raise click.ClickException("uv is not installed: pip install uv")
    uv = [sys.executable, "-m", "uv"]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "UV_CACHE_DIR": f"{folder}/cache", "NUMBA_CACHE_DIR": f"{folder}/compiled"}
        for name in ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "VIRTUAL_ENV"):
            environment.pop(name, None)
        installed: list[Seconds] = []
        answered: list[Seconds] = []
        for i in range(runs + 1):  # the first one fills the cache, and is not counted
            progress(f"uv pip install: run {i} of {runs}")
            place = Path(folder) / str(i)
            run("uv venv", [*uv, "venv", "--quiet", "--python", sys.executable, str(place)], "", environment)
            python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
            install = [*uv, "pip", "install", "--quiet", "--python", str(python), str(wheel.resolve())]
            took = [
                run("uv pip install", install, "", environment),
                run(LIST_OF_MOVES.what, [str(python), *LIST_OF_MOVES.arguments], LIST_OF_MOVES.answer, environment),
            ]
            if i:
                installed.append(took[0])
                answered.append(took[1])
    both = [Seconds(a.wall + b.wall, a.cpu + b.cpu) for a, b in zip(installed, answered, strict=True)]
    return {
        "wheel": wheel.name,
        "uv": version("uv"),
        "uv pip install": _medians(installed),
        LIST_OF_MOVES.what: _medians(answered),
        "both": _medians(both),
    }


@click.command()
@click.option("--rounds", type=click.IntRange(1), default=3, show_default=True, help="With an empty cache.")
@click.option("--runs", type=click.IntRange(1), default=11, show_default=True, help="With a full cache.")
@click.option(
    "--against",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Also time another checkout, in turns: the folder that holds its package, like ../before/src.",
)
@click.option(
    "--wheel",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Also time installing this wheel with uv, from a full cache, and a first answer.",
)
@out_option
def main(rounds: int, runs: int, against: Path | None, wheel: Path | None, out: Path | None) -> None:
    """Time new processes to their first answer, with an empty compile cache and with a full one."""
    record(measure, out, rounds=rounds, runs=runs, against=against, wheel=wheel)


if __name__ == "__main__":
    main()
