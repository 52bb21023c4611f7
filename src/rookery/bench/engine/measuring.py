"""Time perft in C with each technique, warm and cold, in turns. Each count is compared with the published total."""

import contextlib
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from rookery.bench.engine import building
from rookery.bench.perft import LEAVES
from rookery.bench.quiet import Watch
from rookery.bench.turns import WrongAnswer
from rookery.bench.uses.measuring import REFERENCE, figure, pinned, spread
from rookery.board.board import Board
from rookery.counting.walk import POSITIONS
from rookery.techniques import technique
from rookery.techniques.base import Technique

COUNTED: Final = (("start", 4), ("kiwipete", 3))
SLICE: Final = 0.003  # seconds, of each position
COLUMNS: Final = {
    "warm": "perft in C, with nothing else in the caches",
    "cold": "perft in C that reads and writes a word of a 64 MB table at each node; the figure includes it",
}
_NO_SQUARE: Final = 64


class Answer(NamedTuple):
    """The leaves of one count, and the seconds that all counts of a request took."""

    leaves: int
    cpu: float
    wall: float


class BuiltProgram:
    """The running program."""

    def __init__(self, folder: Path) -> None:
        self._process = subprocess.Popen(
            [str(folder / building.PROGRAM)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def count(self, engine: int, position: str, depth: int, *, cold: bool, times: int) -> Answer:
        """Count the leaves of a position with one technique, several times in a row."""
        assert self._process.stdin
        assert self._process.stdout
        line: list[str] = []
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(f"{engine} {int(cold)} {depth} {times} {position}\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline().split()
        if len(line) != 3:
            raise building.NotBuilt(f"the program ended with status {self._process.wait()}")
        return Answer(int(line[0]), float(line[1]), float(line[2]))

    def close(self) -> None:
        """End the program, and wait for it."""
        with contextlib.suppress(OSError):
            self._process.communicate()


@contextlib.contextmanager
def running(folder: Path) -> Iterator[BuiltProgram]:
    """Run the program in a block."""
    try:
        program = BuiltProgram(folder)
    except OSError as error:
        raise building.NotBuilt(f"the program does not start: {error.strerror}") from error
    try:
        yield program
    finally:
        program.close()


def as_numbers(fen: str) -> str:
    """Return a position in the form that the program reads: numbers, and words in hexadecimal."""
    board = Board(fen)
    sides = (True, False)
    rights = [
        has(side) for side in sides for has in (board.has_kingside_castling_rights, board.has_queenside_castling_rights)
    ]
    castling = sum(has << i for i, has in enumerate(rights))
    en_passant = _NO_SQUARE if board.ep_square is None else board.ep_square
    words = (f"{int(board.pieces(kind, side)):x}" for side in sides for kind in range(1, 7))
    return f"{int(not board.turn)} {castling} {en_passant} {' '.join(words)}"


class Counter:
    """Counts of a technique, in one of the two ways."""

    def __init__(self, program: BuiltProgram, name: str, engine: int, column: str) -> None:
        self._program = program
        self._name = name
        self._engine = engine
        self._cold = column == "cold"
        self._positions = [(as_numbers(POSITIONS[where]), depth, LEAVES[where][depth]) for where, depth in COUNTED]
        # The first counts fill the caches; the second ones tell how many make a slice.
        self.seconds_of_leaf(Watch(), [1] * len(COUNTED))
        answers = [self._count(i, 1) for i in range(len(COUNTED))]
        self._times = [max(1, round(SLICE / max(answer.cpu, 1e-9))) for answer in answers]

    def _count(self, i: int, times: int) -> Answer:
        position, depth, leaves = self._positions[i]
        answer = self._program.count(self._engine, position, depth, cold=self._cold, times=times)
        if answer.leaves != leaves:
            where = f"perft in C, {COUNTED[i][0]} to depth {depth}"
            raise WrongAnswer(f"{where}: {self._name} counted {answer.leaves:,} leaves, not {leaves:,}")
        return answer

    def seconds_of_leaf(self, watch: Watch, times: Sequence[int] = ()) -> float:
        """Return the seconds of CPU that a leaf took, the mean of the positions, each of which counts as much."""
        total = 0.0
        for i, number in enumerate(times or self._times):
            answer = self._count(i, number)
            watch.add(answer.cpu, answer.wall)
            total += answer.cpu / (number * answer.leaves)
        return total / len(COUNTED)


def measure(
    techniques: Sequence[Technique], *, rounds: int, progress: Callable[[str], None] = lambda what: None
) -> dict[str, Any]:
    """Build perft with all techniques, and time them in turns on one CPU.

    A row of the result has the nanoseconds of a leaf for each of `COLUMNS`, in the form of `rookery.bench.uses`, and
    the millions of leaves per second. Raises `building.NotBuilt` if there is no compiler that builds the program.
    """
    if rounds < 1:
        raise ValueError(f"rounds: {rounds}: expected at least 1")
    began = time.perf_counter()
    reference = technique(REFERENCE)
    field = [reference, *(t for t in techniques if t is not reference)]
    rows: list[dict[str, Any]] = [{"name": t.name, "table_bytes": t.table_bytes} for t in field]
    watches = {column: Watch() for column in COLUMNS}
    noise = {}
    with tempfile.TemporaryDirectory(prefix="rookery-", ignore_cleanup_errors=True) as name:
        compiler, options = building.build(field, Path(name), progress)
        compiled = time.perf_counter()
        with pinned(), running(Path(name)) as program:
            for column, watch in watches.items():
                seconds = in_turns(program, [t.name for t in field], column, watch, rounds, progress)
                noise[column] = spread(seconds[0])
                for row, own in zip(rows, seconds, strict=True):
                    row[column] = figure(own, seconds[0])
                    row[column]["mnps"] = round(1e3 / row[column]["ns"], 2)
    chosen = {t.name for t in techniques}
    return {
        "version": compiler.version,
        "command": " ".join([*compiler.command, *options]),
        "seconds": {"build": round(compiled - began, 1), "all": round(time.perf_counter() - began, 1)},
        "positions": [{"name": where, "depth": depth, "leaves": LEAVES[where][depth]} for where, depth in COUNTED],
        "rounds": rounds,
        "columns": COLUMNS,
        "noise": noise,
        "repeat": {column: watch.repeat for column, watch in watches.items()},
        "share": {column: watch.share for column, watch in watches.items()},
        "techniques": [row for row in rows if row["name"] in chosen],
    }


def in_turns(
    program: BuiltProgram,
    names: Sequence[str],
    column: str,
    watch: Watch,
    rounds: int,
    progress: Callable[[str], None],
) -> list[list[float]]:
    """Return the seconds of a leaf in each round, by technique. The first is timed again at the end of each round."""
    progress(f"C, {column}: counting for the first time")
    counters = [Counter(program, name, engine, column) for engine, name in enumerate(names)]
    found: list[list[float]] = [[] for _ in names]
    for i in range(rounds):
        progress(f"C, {column}: round {i + 1} of {rounds}, {len(names)} techniques")
        for own, counter in zip(found, counters, strict=True):
            own.append(counter.seconds_of_leaf(watch))
        watch.pairs.append((found[0][-1], counters[0].seconds_of_leaf(watch)))
    return found
