"""Compare this checkout with another one, in turns: ``python benchmarks/against.py ../before/src``.

Each piece of work runs in a process of its own, which first warms up, then measures its CPU time and reports its
answer. In each round this checkout runs, then the other, then this one again. The two runs of this checkout are a
comparison of equals (A/A): what differs there is noise. Answers must be the same in both checkouts.
"""

import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

import rookery
from recording import out_option, record
from rookery.bench.games import game_text
from rookery.bench.machine import describe
from rookery.bench.turns import WrongAnswer
from rookery.cli.common import err

GAMES: Final = 400


class Work(NamedTuple):
    """Work to compare: code that prepares, an expression that is timed, how often, and how its answer is reported."""

    what: str
    prepare: str
    timed: str
    times: int
    report: str = "answer"


_POSITIONS: Final = """
import numpy as np
start = rookery.Positions.from_boards([rookery.Board()] * 4096)
positions = start.rollouts(1, max_plies=40).final
"""
_ATTACKS: Final = """
import numpy as np
chance = np.random.default_rng(1)
occupied = chance.integers(0, 2**64, 8192, np.uint64) & chance.integers(0, 2**64, 8192, np.uint64)
squares, out = chance.integers(0, 64, 8192).astype(np.uint8), np.empty(8192, np.uint64)
techniques = [rookery.technique(name) for name in ("hyperbola", "kogge-stone", "magic-fancy", "pext")]
"""
_GAMES: Final = "games = rookery.read_pgn(path, threads=1)"
_CHECKSUM: Final = "int(sum(np.asarray(part).astype(np.uint64).sum() for part in answer))"

WORK: Final = (
    Work("perft start 6", "", "rookery.perft('start', 6)", 5),
    Work("perft kiwipete 5", "", "rookery.perft('kiwipete', 5)", 10),
    Work("perft start 5, scalar", "", "rookery.perft('start', 5, technique='pext')", 20),
    Work("perft kiwipete 4, scalar", "", "rookery.perft('kiwipete', 4, technique='pext')", 40),
    Work("legal move counts", _POSITIONS, "positions.legal_move_counts()", 1000, "int(answer.sum())"),
    Work("lists of legal moves", _POSITIONS, "positions.legal_moves()", 30, "len(answer)"),
    Work("attack maps", _POSITIONS, "positions.attack_maps()", 300, "int(np.asarray(answer).sum(dtype=np.uint64))"),
    Work(
        "pinned, mobility, checks and mates",
        _POSITIONS,
        "(positions.pinned(), positions.mobility(), positions.checkers(), positions.is_checkmate())",
        100,
        _CHECKSUM,
    ),
    Work("planes", _POSITIONS, "positions.planes()", 100, "int(answer.sum(dtype=np.float64))"),
    Work("queen attacks", _ATTACKS, "[one.queen(squares, occupied, out) for one in techniques]", 300, "int(out.sum())"),
    Work("from FENs", f"{_POSITIONS}fens = positions.fens()", "rookery.Positions.from_fens(fens)", 20, "len(answer)"),
    Work("reading PGN", "", "rookery.read_pgn(path, threads=1)", 20, "int(answer.plies.sum())"),
    Work("positions of games", _GAMES, "games.positions()", 20, "len(answer)"),
    Work("a search", "", "rookery.search(path, 'is_mate', threads=1)", 10, "len(answer)"),
)  # fmt: skip

PROGRAM: Final = """
import sys, time
import rookery
path = sys.argv[1]
{prepare}
answer = {timed}
best = float("inf")
for _ in range(3):
    start = time.process_time()
    for _ in range({times}):
        answer = {timed}
    best = min(best, time.process_time() - start)
print(best, {report})
"""


class Tree(NamedTuple):
    """A checkout: the folder that holds its package, and a compile cache of its own."""

    source: Path
    cache: Path


def run(work: Work, tree: Tree, path: Path) -> tuple[float, str]:
    """Return the CPU seconds of a piece of work, and its answer as text."""
    environment = {**os.environ, "PYTHONPATH": str(tree.source), "NUMBA_CACHE_DIR": str(tree.cache)}
    code = PROGRAM.format(**work._asdict())
    done = subprocess.run(
        [sys.executable, "-c", code, path], env=environment, capture_output=True, text=True, check=False
    )  # fmt: skip
    if done.returncode:
        raise click.ClickException(f"{work.what}, of {tree.source}: {done.stderr.strip().splitlines()[-1:]}")
    seconds, answer = done.stdout.split(maxsplit=1)
    return float(seconds), answer.strip()


def compare(work: Work, ours: Tree, theirs: Tree, path: Path, rounds: int) -> dict[str, Any]:
    """Return a row: ratios of speed, of this checkout to the other and to itself."""
    _, expected = run(work, ours, path)  # compiles
    run(work, theirs, path)
    taken = []
    for _ in range(rounds):
        found = [run(work, tree, path) for tree in (ours, theirs, ours)]
        for (_, answer), name in zip(found, ("this checkout", "the other", "this checkout"), strict=True):
            if answer != expected:
                raise WrongAnswer(f"{work.what}: {name} answered {answer}, expected {expected}")
        taken.append([seconds for seconds, _ in found])
    ratios = [other / first for first, other, _ in taken]
    equals = [second / first for first, _, second in taken]
    return {
        "what": work.what,
        "answer": expected,
        "seconds": round(statistics.median(first for first, *_ in taken), 4),
        "other_seconds": round(statistics.median(other for _, other, _ in taken), 4),
        "ratio": round(statistics.median(ratios), 3),
        "spread": [round(min(ratios), 3), round(max(ratios), 3)],
        "equals": round(statistics.median(equals), 3),
        "equals_spread": [round(min(equals), 3), round(max(equals), 3)],
    }


def measure(
    *,
    other: Path,
    rounds: int = 8,
    works: Sequence[Work] = WORK,
    games: int = GAMES,
    cache: Path | None = None,
    progress: Callable[[str], None] = lambda what: None,
) -> dict[str, Any]:
    """Compare all works. Both checkouts compile into `cache`, each in a folder of its own, or into a temporary one."""
    if not (other / "rookery" / "__init__.py").is_file():
        raise ValueError(f"other: {str(other)!r}: expected a folder that holds rookery, like another/src")
    if rounds < 1:
        raise ValueError(f"rounds: {rounds}: expected at least 1")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        place = cache or Path(folder)
        path = Path(folder) / "games.pgn"
        words = random.Random(0)
        path.write_text("\n".join(game_text(words, clocks=True) for _ in range(games)), encoding="utf-8")
        ours = Tree(Path(rookery.__file__).parents[1], place / "this")
        theirs = Tree(other.resolve(), place / "other")
        for n, work in enumerate(works):
            progress(f"{work.what}: {n + 1} of {len(works)}")
            rows.append(compare(work, ours, theirs, path, rounds))
    return {
        "benchmark": "against",
        "command": "python benchmarks/against.py OTHER",
        "machine": describe(),
        "commits": {"this": commit(ours.source), "other": commit(theirs.source)},
        "rounds": rounds,
        "games": games,
        "rows": rows,
        "least": min(rows, key=lambda row: row["ratio"])["ratio"] if rows else None,
    }


def commit(source: Path) -> str | None:
    """Return the commit of a checkout, with a plus sign if it has changes; None if it is not under version control."""
    git = ["git", "-C", str(source)]
    found = subprocess.run([*git, "describe", "--always", "--dirty=+"], capture_output=True, text=True, check=False)
    return found.stdout.strip() or None


@click.command()
@click.argument("other", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--rounds", type=click.IntRange(1), default=8, show_default=True)
@click.option("--only", "words", multiple=True, help="Compare only work whose name holds this text; may be repeated.")
@click.option(
    "--cache",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep the compiled code in this folder, so that the next comparison need not compile.",
)
@out_option
def main(other: Path, rounds: int, words: tuple[str, ...], cache: Path | None, out: Path | None) -> None:
    """Compare this checkout with OTHER, the folder that holds another one's package, like ../before/src."""
    works = [work for work in WORK if not words or any(word in work.what for word in words)]
    if not works:
        raise click.BadParameter(f"no work holds {' or '.join(words)}", param_hint="--only")
    result = record(measure, out, other=other, rounds=rounds, works=works, cache=cache)
    for row in result["rows"]:
        low, high = row["equals_spread"]
        text = f"{row['what']:36}{row['ratio']:.3f} of the other's speed; equals {row['equals']:.3f} ({low} to {high})"
        err.print(text, markup=False, highlight=False, soft_wrap=True)


if __name__ == "__main__":
    main()
