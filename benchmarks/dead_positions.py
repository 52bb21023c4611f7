"""Time answers about dead positions on labelled positions, in turns with chasolver, and check every answer.

``python benchmarks/dead_positions.py LIST`` reads a list that comes with chasolver (``tests/lichess.txt`` of the
repository miguel-ambrona/chasolver): in each line the sides that can mate, such as ``W-``, and a FEN. ``--chasolver``
names the program built from ``chasolver.rs`` in this folder, which reads the same list, and ``--composed`` a list of
composed positions, of which the unknown are counted. Times are CPU times of one thread, so that a busy machine changes
them little.
"""

import json
import statistics
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Literal

import click
import numpy as np
from numpy.typing import NDArray

from recording import out_option, record
from rookery import Positions
from rookery.bench.machine import describe
from rookery.rules.helpmates.possibility import LIMIT

SIDES: Final[tuple[Literal["white", "black"], ...]] = ("white", "black")
COMPOSED_LIMIT: Final = 1000
FULL, FAST = "full", "fast"


def labelled(path: Path) -> tuple[Positions, NDArray[np.bool_]]:
    """Return the positions of a list, and whether white and black can mate in each; those not valid are left out."""
    fens, labels = [], []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            sides, *fields = line.split()
            if max(fields[0].count(pawn) for pawn in "Pp") <= 8:
                fens.append(" ".join([*fields, *["w", "-", "-", "0", "1"][len(fields) - 1 :]]))
                labels.append((sides[0] == "W", sides[1] == "B"))
    if not fens:
        raise ValueError(f"{path}: no positions")
    return Positions.from_fens(fens), np.array(labels)


def answered(positions: Positions, labels: NDArray[np.bool_], limit: int) -> tuple[float, int, int]:
    """Return the CPU seconds of the questions about both sides, how many are unknown, and how many cannot mate."""
    seconds, unknown, cannot = 0.0, 0, 0
    for side, expected in zip(SIDES, labels.T, strict=True):
        start = time.process_time()
        answers = positions.can_mate(side, limit=limit, threads=1)
        seconds += time.process_time() - start
        wrong = np.flatnonzero(~answers.mask & (answers.data != expected))
        if wrong.size:
            raise AssertionError(f"{positions[int(wrong[0])].fen()}: {side}: expected {expected[wrong[0]]}")
        unknown += int(answers.mask.sum())
        cannot += int((~answers.filled(True)).sum())
    return seconds, unknown, cannot


def _peer(program: Path | None, path: Path) -> dict[str, Any] | None:
    if program is None:
        return None
    found: dict[str, Any] = json.loads(subprocess.run([program, path], check=True, capture_output=True).stdout)
    if found["wrong"]:
        raise AssertionError(f"{program}: {found['wrong']} wrong answers")
    return found


def measure(
    path: Path,
    *,
    chasolver: Path | None = None,
    composed: Path | None = None,
    rounds: int = 5,
    progress: Callable[[str], None] = lambda what: None,
) -> dict[str, Any]:
    """Time the complete search and the fast test, each in turns with chasolver."""
    if rounds < 1:
        raise ValueError(f"rounds: {rounds}: expected at least 1")
    positions, labels = labelled(path)
    for limit in (LIMIT, 0):
        answered(positions[:100], labels[:100], limit)
    ours: dict[str, list[float]] = {FULL: [], FAST: []}
    theirs: dict[str, list[float]] = {FULL: [], FAST: []}
    version, unknown, cannot = None, 0, {}
    for i in range(rounds):
        progress(f"round {i + 1} of {rounds}")
        for name, limit in ((FULL, LIMIT), (FAST, 0)):
            seconds, unknown_now, cannot[name] = answered(positions, labels, limit)
            ours[name].append(labels.size / seconds)
            unknown = unknown_now if name == FULL else unknown
        peer = _peer(chasolver, path)
        if peer:
            version = peer["version"]
            for name, rates in theirs.items():
                rates.append(peer["questions"] / peer[f"{name}_seconds"])
    result: dict[str, Any] = {
        "benchmark": "dead positions",
        "command": f"python benchmarks/dead_positions.py {path.name}",
        "machine": describe(),
        "rounds": rounds,
        "positions": len(positions),
        "questions": labels.size,
        "unknown": unknown,
        "chasolver": version,
        "rows": [
            {
                "what": name,
                "cannot_mate": cannot[name],
                "ours_per_second": round(statistics.median(ours[name])),
                "theirs_per_second": round(statistics.median(theirs[name])) if theirs[name] else None,
                "ratio": round(statistics.median(a / b for a, b in zip(ours[name], theirs[name], strict=True)), 2)
                if theirs[name]
                else None,
            }
            for name in (FULL, FAST)
        ],
    }
    if composed is not None:
        progress("composed positions")
        positions, labels = labelled(composed)
        _, unknown, _ = answered(positions, labels, COMPOSED_LIMIT)
        result["composed"] = {"questions": labels.size, "limit": COMPOSED_LIMIT, "unknown": unknown}
    return result


@click.command()
@click.argument("path", metavar="LIST", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--chasolver", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="The peer's program.")
@click.option(
    "--composed", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="A list of composed positions."
)
@click.option("--rounds", default=5, show_default=True, type=click.IntRange(1), help="Rounds in turns.")
@out_option
def main(path: Path, chasolver: Path | None, composed: Path | None, rounds: int, out: Path | None) -> None:
    """Time answers about dead positions on a list of labelled positions."""
    record(measure, out, path=path, chasolver=chasolver, composed=composed, rounds=rounds)


if __name__ == "__main__":
    main()
