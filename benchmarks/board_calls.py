"""Time the calls of `Board`, and compare with python-chess, pyrust_chess (Rust) and bulletchess (C).

``python benchmarks/board_calls.py --out benchmarks/board.json`` times every call on 100 positions of random games with
their history, and an alpha-beta search in Python. All libraries take turns in one process, with Python's garbage
collector off, and every answer is compared with python-chess's. The times are CPU times, because other processes may be
running. A peer that is not installed has no figures.
"""

import gc
import platform
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import click

from boards import alpha_beta
from boards.calls import CALLS, Call, compiled, shown
from boards.corpus import POSITIONS, SEED, corpus
from boards.libraries import LIBRARIES, ORACLE, OURS, RIVALS, library
from recording import out_option, record
from rookery.bench import turns
from rookery.bench.machine import describe
from rookery.bench.turns import WrongAnswer, installed
from rookery.cli.common import err
from rookery.counting.walk import POSITIONS as NAMED

SEARCHED: Final = ("start", "kiwipete")
DEPTH: Final = 3
Times = dict[str, list[float]]  # of each library, in seconds per call, one for each round


def timed(call: Callable[[], Any], times: int) -> tuple[float, Any]:
    """Return the CPU seconds of one call, measured over so many in a row, and the answer of the last."""
    start = time.process_time()
    for _ in range(times):
        answer = call()
    return (time.process_time() - start) / times, answer


def in_turns(
    calls: Mapping[str, Callable[[], Any]], check: Callable[[str, Any], None], rounds: int, units: int
) -> Times:
    """Time calls by name, one after the other in each round; each makes so many `units`. Check every answer."""
    repeats = {}
    for name, call in calls.items():
        call()
        repeats[name] = max(1, round(turns.SLICE / max(timed(call, 1)[0], 1e-6)))
    taken: Times = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            gc.collect()
            gc.disable()
            try:
                seconds, answer = timed(call, repeats[name])
            finally:
                gc.enable()
            check(name, answer)
            taken[name].append(seconds / units)
    return taken


def median_ratio(taken: Times, peers: Sequence[str]) -> float | None:
    """Return how many times as fast as the fastest of the peers rookery is, or None without one."""
    found = [taken[peer] for peer in peers if peer in taken]
    if not found:
        return None
    ratios = [min(theirs) / ours for ours, *theirs in zip(taken[OURS], *found, strict=True)]
    return float(round(statistics.median(ratios), 3))


def figures(taken: Times) -> dict[str, Any]:
    """Return the fields of a row: nanoseconds of each library, and ratios of speed."""
    return {
        "nanoseconds": {
            name: round(statistics.median(taken[name]) * 1e9, 1) if name in taken else None for name in LIBRARIES
        },
        "to_python_chess": median_ratio(taken, [ORACLE]),
        "to_faster_rival": median_ratio(taken, RIVALS),
    }


def calls_in_turns(
    calls: Sequence[Call], positions: int, rounds: int, progress: Callable[[str], None]
) -> list[dict[str, Any]]:
    """Time the calls of a board."""
    progress("playing games")
    games = corpus(installed(ORACLE), positions)
    libraries = [made for name in LIBRARIES if (made := library(name, games))]
    rows = []
    for n, call in enumerate(calls):
        progress(f"{call.what}: {n + 1} of {len(calls)} calls")
        arguments = games.arguments[call.arguments]
        given = {lib.name: lib.of(arguments) for lib in libraries}
        run = {lib.name: call_all for lib in libraries if (call_all := compiled(call, lib, arguments))}
        form = call.form or list
        expected = form(shown(run[ORACLE](given[ORACLE])))

        def check(name: str, answer: Any, call: Call = call, form: Any = form, expected: Any = expected) -> None:
            answers = form(shown(answer))
            wrong = next((i for i, one in enumerate(answers) if one != expected[i]), None)
            if wrong is not None:
                text = f"{str(answers[wrong])[:60]}, python-chess {str(expected[wrong])[:60]}"
                raise WrongAnswer(f"{call.what}: {name} answered wrongly while it was timed: {text}")

        work = {name: partial(call_all, given[name]) for name, call_all in run.items()}
        taken = in_turns(work, check, rounds, len(arguments.rows))
        rows.append(
            {"what": call.what, "given": call.arguments, "calls": len(arguments.rows), "expressions": call.expressions}
            | figures(taken)
        )
    return rows


def searches_in_turns(depth: int, rounds: int, progress: Callable[[str], None]) -> list[dict[str, Any]]:
    """Time an alpha-beta search; nanoseconds are of one node."""
    libraries = [made for name in LIBRARIES if (made := library(name, corpus(installed(ORACLE), 0)))]
    rows = []
    for position in SEARCHED:
        progress(f"alpha-beta, {position}")
        work = {lib.name: alpha_beta.search(lib.name, lib.names, NAMED[position], depth) for lib in libraries}
        expected = work[ORACLE]()

        def check(name: str, answer: Any, position: str = position, expected: Any = expected) -> None:
            if answer != expected:
                raise WrongAnswer(f"alpha-beta, {position}: {name} found {answer}, python-chess {expected}")

        taken = in_turns(work, check, rounds, expected.nodes)
        rows.append({"position": position, "depth": depth, **expected._asdict(), **figures(taken)})
    return rows


def measure(
    *,
    rounds: int = 9,
    positions: int = POSITIONS,
    calls: Sequence[Call] = CALLS,
    depth: int = DEPTH,
    progress: Callable[[str], None] = lambda what: None,
) -> dict[str, Any]:
    """Time all rows."""
    if not installed(ORACLE):
        raise click.ClickException("python-chess is not installed: pip install '.[peers]'")
    missing = [name for name in RIVALS if not installed(name)]
    for name in missing:
        text = f"{name} is not installed, so it has no figures: pip install {name}"
        err.print(text, markup=False, highlight=False, soft_wrap=True)
    rows = calls_in_turns(calls, positions, rounds, progress)
    return {
        "benchmark": "board",
        "command": "python benchmarks/board_calls.py",
        "machine": describe(),
        "build": platform.python_compiler(),
        "peers": {name: turns.version(name) for name in LIBRARIES if name != OURS},
        "positions": positions,
        "seed": SEED,
        "rounds": rounds,
        "rows": rows,
        "alpha_beta": searches_in_turns(depth, rounds, progress),
        "summary": summary(rows),
    }


def summary(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Compare with python-chess, and with the faster of the other two wherever one of them has the call."""
    rivals = [row for row in rows if row["to_faster_rival"] is not None]

    def at_least(factor: float) -> int:
        return sum(row["to_faster_rival"] >= factor for row in rivals)

    return {
        "calls": len(rows),
        "slower_than_python_chess": [row["what"] for row in rows if row["to_python_chess"] < 1],
        "calls_of_rivals": len(rivals),
        "twice_as_fast": at_least(2),
        "at_least_as_fast": at_least(1),
        "below_half": [row["what"] for row in rivals if row["to_faster_rival"] < 0.5],
    }


def in_words(result: dict[str, Any]) -> str:
    """Return the summary of a result as lines of text."""
    found = result["summary"]
    of = found["calls_of_rivals"]
    lines = [
        f"Slower than python-chess in {len(found['slower_than_python_chess'])} of {found['calls']} calls"
        f"{_named(found['slower_than_python_chess'])}",
        f"Compared with the faster of {' and '.join(RIVALS)}: twice as fast in {found['twice_as_fast']} of {of} calls, "
        f"at least as fast in {found['at_least_as_fast']}",
        f"Below half of its speed in {len(found['below_half'])}{_named(found['below_half'])}",
        *(
            f"Alpha-beta, {row['position']}, depth {row['depth']}, {row['nodes']} nodes: "
            f"{row['to_python_chess']:.2f} times python-chess, {row['nanoseconds'][OURS] / 1e3:.2f} us per node"
            for row in result["alpha_beta"]
        ),
    ]
    return "\n".join(lines)


def _named(names: Sequence[str]) -> str:
    return f": {', '.join(names)}" if names else ""


@click.command()
@click.option("--rounds", type=click.IntRange(1), default=9, show_default=True)
@click.option("--positions", type=click.IntRange(1), default=POSITIONS, show_default=True, help="Random games to play.")
@click.option("--call", "words", multiple=True, help="Time only calls whose names hold this text; may be repeated.")
@out_option
def main(rounds: int, positions: int, words: tuple[str, ...], out: Path | None) -> None:
    """Time every common call of Board, and compare with python-chess, pyrust_chess and bulletchess.

    Every answer is checked.
    """
    calls = [call for call in CALLS if not words or any(word in call.what for word in words)]
    if not calls:
        raise click.BadParameter(f"no call holds {' or '.join(words)}", param_hint="--call")
    result = record(measure, out, rounds=rounds, positions=positions, calls=calls)
    err.print(in_words(result), markup=False, highlight=False, soft_wrap=True)


if __name__ == "__main__":
    main()
