"""Compare this checkout with another one, in turns: ``python benchmarks/against.py ../before/src``.

Each piece of work runs in three processes: of this checkout, of the other, and of this one again. They prepare, warm up
and then take turns, round by round. What counts is their CPU time. The two processes of this checkout are a comparison
of equals (A/A): what differs there is noise. After half of the rounds new processes take over, since two processes of
one program may differ by a few per cent for as long as they live. A first answer is timed in a new process each round.
Answers must be the same in both checkouts.

The first run compiles both checkouts, which takes some minutes: keep their code with ``--cache``.
"""

import contextlib
import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import click

import rookery
from recording import out_option, record
from rookery.bench.games import game_text
from rookery.bench.machine import describe
from rookery.bench.turns import WrongAnswer
from rookery.cli.common import err

GAMES: Final = 400


class Work(NamedTuple):
    """Work to compare: code that prepares, an expression that is timed, how often, and how its answer is reported.

    A `first` answer is that of a new process, which is timed from its start.
    """

    what: str
    prepare: str
    timed: str
    times: int
    report: str = "answer"
    first: bool = False


_POSITIONS: Final = """
import numpy as np
start = rookery.Positions.from_boards([rookery.Board()] * 4096)
positions = start.rollouts(1, max_plies=40).final
"""
_TEXTS: Final = "fens = positions.to_fens()"
_ATTACKS: Final = """
import numpy as np
chance = np.random.default_rng(1)
occupied = chance.integers(0, 2**64, 8192, np.uint64) & chance.integers(0, 2**64, 8192, np.uint64)
squares, out = chance.integers(0, 64, 8192).astype(np.uint8), np.empty(8192, np.uint64)
one = rookery.technique({name!r})
"""
_GAMES: Final = "games = rookery.read_pgn(path, threads=1)"
_TABLE: Final = f"{_GAMES}\nrookery.write_parquet(games, folder / 'games.parquet')"
_SEARCH_OF_TABLE: Final = "rookery.search(folder / 'games.parquet', 'is_check', threads=1)"
_FIRST_GAME: Final = "next(rookery.pgn.read(pathlib.Path(path)))"
_FENS: Final = f"""
{_GAMES}
rows = folder / "fens.csv"
rows.write_text("fen\\n" + "\\n".join(games.positions().to_fens()[:10_000]) + "\\n", encoding="utf-8")
"""
_CHECKSUM: Final = "int(sum(np.asarray(part).astype(np.uint64).sum() for part in answer))"
_ANNOTATE: Final = "rookery.annotate(rows, folder / 'out.csv', 'legal_moves,mobility', executor='threads:1').rows"
_DATASET: Final = """
import shutil
def made():
    shutil.rmtree(folder / "data", ignore_errors=True)
    rookery.make_dataset(path, folder / "data", split=[1], executor="threads:1")
    return sum(len(batch.planes) for batch in rookery.open_dataset(folder / "data"))
"""


def _queens(name: str) -> Work:
    return Work(
        f"queen attacks by {name}",
        _ATTACKS.format(name=name),
        "one.queen(squares, occupied, out)",
        400,
        "int(out.sum())",
    )


def _first(what: str, code: str) -> Work:
    return Work(f"first answer, {what}", "", code, 1, first=True)


WORK: Final = (
    Work("perft start 6", "", "rookery.perft('start', 6)", 5),
    Work("perft kiwipete 5", "", "rookery.perft('kiwipete', 5)", 6),
    Work("perft start 5, scalar", "", "rookery.perft('start', 5, technique='pext')", 10),
    Work("perft kiwipete 4, scalar", "", "rookery.perft('kiwipete', 4, technique='pext')", 15),
    Work("legal move counts", _POSITIONS, "positions.legal_move_counts()", 600, "int(answer.sum())"),
    Work("lists of legal moves", _POSITIONS, "positions.legal_moves()", 30, "len(answer)"),
    Work("attack maps", _POSITIONS, "positions.attack_maps()", 200, "int(np.asarray(answer).sum(dtype=np.uint64))"),
    Work(
        "pinned, mobility, checks and mates",
        _POSITIONS,
        "(positions.pinned(), positions.mobility(), positions.checkers(), positions.is_checkmate())",
        60,
        _CHECKSUM,
    ),
    Work("planes", _POSITIONS, "positions.planes()", 60, "int(answer.sum(dtype=np.float64))"),
    *map(_queens, ("hyperbola", "kogge-stone", "magic-fancy", "pext", "obstruction-difference", "rotated-hyatt")),
    Work("from FENs", _POSITIONS + _TEXTS, "rookery.Positions.from_fens(fens)", 15, "len(answer)"),
    Work("reading PGN", "", "rookery.read_pgn(path, threads=1)", 12, "int(answer.plies.sum())"),
    Work("reading PGN, two threads", "", "rookery.read_pgn(path, threads=2)", 12, "int(answer.plies.sum())"),
    Work("the first game of pgn.read", "import rookery.pgn", _FIRST_GAME, 60, "len(str(answer))"),
    Work("positions of games", _GAMES, "games.positions()", 20, "len(answer)"),
    Work("a search with few hits", "", "rookery.search(path, 'is_mate', threads=1)", 10, "len(answer)"),
    Work("a search with many hits", "", "rookery.search(path, 'us.queens', threads=1)", 4, "len(answer)"),
    Work("a search of Parquet", _TABLE, _SEARCH_OF_TABLE, 8, "len(answer)"),
    Work("annotate", _FENS, _ANNOTATE, 1),
    Work("a dataset", _DATASET, "made()", 1),
    _first("Board", "len(list(rookery.Board().legal_moves))"),
    _first("counts", "int(rookery.Positions.from_boards([rookery.Board()] * 8).legal_move_counts().sum())"),
    _first("perft", "rookery.perft('start', 5)"),
    _first("read_pgn", "len(rookery.read_pgn(path))"),
    _first("search", "len(rookery.search(path, 'is_check'))"),
)  # fmt: skip

_BEGIN: Final = """
import pathlib, sys, tempfile, time
import rookery
path, folder = sys.argv[1], pathlib.Path(tempfile.mkdtemp(dir=sys.argv[2]))
{prepare}
answer = {timed}
"""
_ROUNDS: Final = """
for _ in sys.stdin:
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        for _ in range({times}):
            answer = {timed}
        best = min(best, time.process_time() - start)
    print(best, {report}, flush=True)
"""
_ONCE: Final = """
print(time.process_time(), {report}, flush=True)
"""
_SETS: Final = 2  # sets of processes that take turns


class Tree(NamedTuple):
    """A checkout: the folder that holds its package, and a compile cache of its own."""

    source: Path
    cache: Path


class Turns:
    """A process that does a piece of work when its turn comes; a context manager that ends it."""

    def __init__(self, work: Work, tree: Tree, path: Path) -> None:
        """Start the process, which prepares the work and does it once."""
        self._command = [sys.executable, "-c", (_BEGIN + (_ONCE if work.first else _ROUNDS)).format(**work._asdict())]
        self._command += [str(path), str(path.parent)]
        self._environment = {**os.environ, "PYTHONPATH": str(tree.source), "NUMBA_CACHE_DIR": str(tree.cache)}
        self._work, self._tree = work, tree
        self._process = self._started()

    def _started(self) -> "subprocess.Popen[str]":
        pipe = subprocess.PIPE
        return subprocess.Popen(
            self._command, env=self._environment, stdin=pipe, stdout=pipe, stderr=pipe, text=True, encoding="utf-8"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def take(self) -> tuple[float, str]:
        """Do the work; return its CPU seconds, and its answer as text."""
        if self._work.first and self._process.poll() is not None:
            self._process = self._started()
        assert self._process.stdin
        assert self._process.stdout
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write("\n")
            self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            _, errors = self._process.communicate()
            raise click.ClickException(f"{self._work.what}, of {self._tree.source}: {errors.strip().splitlines()[-1:]}")
        if self._work.first:
            self._process.communicate()
        seconds, answer = line.split(maxsplit=1)
        return float(seconds), answer.strip()


def compare(work: Work, ours: Tree, theirs: Tree, path: Path, rounds: int) -> dict[str, Any]:
    """Return a row: ratios of speed, of this checkout to the other and to itself."""
    taken, expected = [], ""
    names = ("this checkout", "the other", "this checkout")
    for k in range(min(_SETS, rounds)):
        with contextlib.ExitStack() as stack:
            turns = []
            for tree in (ours, theirs, ours):
                turns.append(stack.enter_context(Turns(work, tree, path)))
                _, answer = turns[
                    -1
                ].take()  # one after the other: the first compiles, and the third one loads its code
                expected = expected or answer
                _check(work, names[len(turns) - 1], answer, expected)
            for _ in range(k, rounds, _SETS):
                seconds = []
                for turn, name in zip(turns, names, strict=True):
                    second, answer = turn.take()
                    _check(work, name, answer, expected)
                    seconds.append(second)
                taken.append(seconds)
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


def _check(work: Work, name: str, answer: str, expected: str) -> None:
    if answer != expected:
        raise WrongAnswer(f"{work.what}: {name} answered {answer}, expected {expected}")


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
