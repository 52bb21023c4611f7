"""Suites of perft: lines of positions with their counts, such as ``FEN ;D1 20 ;D2 400``."""

import os
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rookery.arguments import check_threads, shown
from rookery.board.board import Board
from rookery.counting.perft import check_megabytes, perft
from rookery.counting.walk import check_depth
from rookery.counting.workers import warm_up
from rookery.lazy_imports import Named
from rookery.sources.streams import text_of

if TYPE_CHECKING:
    from rookery.tasks import interface
    from rookery.techniques.base import calls
else:
    interface, calls = Named("rookery.tasks.interface"), Named("rookery.techniques.base.calls")

_COUNT: Final = re.compile(r"D(\d+)", re.IGNORECASE)
_COMMENTS: Final = ("#", "//")
# ``perft 1 = 20``, ``perft(1)=20`` and ``D3 8,902`` become ``D1 20`` and ``D3 8902``.
_SPELLED: Final = re.compile(r"(?:\bperft\s*\(?\s*|(?<=;)\s*D)([0-9]+)\s*\)?\s*[=:]?\s*([0-9][0-9,_]*)", re.IGNORECASE)


class SuitePosition(NamedTuple):
    """A position of a suite: the number of its line, its FEN, and its counts by depth."""

    line: int
    fen: str
    counts: dict[int, int]


class SuiteCount(NamedTuple):
    """A count of a suite, checked: the line, the position, the depth, the count in the file, and the one found here.

    >>> SuiteCount(1, "8/8/8/8/8/8/8/K1k5 w - - 0 1", 1, 2, 1).is_right
    False
    """

    line: int
    fen: str
    depth: int
    expected: int
    nodes: int

    @property
    def is_right(self) -> bool:
        """Return whether both counts are the same."""
        return self.nodes == self.expected


class SuiteTask(NamedTuple):
    """Positions to count, with their depths, for a worker of an executor."""

    position: SuitePosition
    technique: str | None
    megabytes: int


def read_suite(source: Any, depth: int | None = None) -> list[SuitePosition]:
    r"""Return the positions of a suite, each with its counts up to `depth`.

    Each line is a FEN, with its counters or without them, and counts as operations of EPD: ``;D1 20 ;D2 400`` or
    ``D1 20; D2 400;``, also written ``; perft 1 = 20`` and ``D3 8,902``. Other operations are ignored, and so are empty
    lines and those that begin with ``#`` or ``//``. A line that cannot be read or has no count is a ValueError that
    names it.

    >>> read_suite(b"8/8/8/8/8/8/8/K1k5 w - - 0 1 ;D1 1 ;D2 3\n", depth=1)
    [SuitePosition(line=1, fen='8/8/8/8/8/8/8/K1k5 w - - 0 1', counts={1: 1})]
    """
    most = None if depth is None else check_depth(depth)
    name = os.fsdecode(source) if isinstance(source, (str, os.PathLike)) else "source"
    positions = []
    for number, line in enumerate(text_of(source).decode("utf-8-sig", "backslashreplace").splitlines(), 1):
        if not line.strip() or line.lstrip().startswith(_COMMENTS):
            continue
        try:
            board, operations = Board.from_epd(
                f"{_SPELLED.sub(_as_operation, line)};"
            )  # so that a FEN alone is one without counts
            counts = dict(sorted(_counts(operations)))
        except ValueError as error:
            raise ValueError(f"{name}: line {number}: {error}") from None
        chosen = {plies: count for plies, count in counts.items() if most is None or plies <= most}
        fen = board.fen(shredder=board.chess960, en_passant="fen")
        positions.append(SuitePosition(number, fen, chosen))
    if not positions:
        raise ValueError(f"{name}: no positions: expected lines such as 'FEN ;D1 20 ;D2 400'")
    return positions


def _as_operation(count: re.Match[str]) -> str:
    """Return a count as an operation of EPD."""
    return f"D{count[1]} {re.sub('[,_]', '', count[2])}"


def _counts(operations: dict[str, Any]) -> Iterator[tuple[int, int]]:
    """Yield the depths and counts among the operations of an EPD."""
    has_counts = False
    for opcode, count in operations.items():
        if found := _COUNT.fullmatch(opcode):
            if isinstance(count, bool) or not isinstance(count, int) or count < 0:
                raise ValueError(f"{opcode}: {shown(count)}: expected a count")
            yield check_depth(int(found[1])), count
            has_counts = True
    if not has_counts:
        raise ValueError("no counts: expected some after the position, such as ';D1 20 ;D2 400'")


def perft_suite(
    source: Any,
    depth: int | None = None,
    *,
    technique: "str | calls.Technique | None" = None,
    threads: int = 1,
    hash_mb: int = 0,
    executor: "interface.Executor | str | None" = None,
) -> Iterator[SuiteCount]:
    r"""Check the counts of a suite of perft, up to `depth` plies, and yield each as soon as it is counted.

    `source` is a path, bytes or an open file with a position a line, such as ``FEN ;D1 20 ;D2 400``; the counters of
    the FEN may be missing. The file is read first: a line that cannot be read or has no count is a ValueError that
    names it. `technique`, `threads` and `hash_mb` are those of `rookery.perft`. With `executor`, or several threads,
    positions are counted side by side, each with a hash table of its own, and come as they are finished.

    >>> for found in perft_suite(b"8/8/8/8/8/8/8/K1k5 w - - ;D1 1 ;D2 6 ;D3 12\n"):
    ...     print(found.depth, found.expected, found.nodes, found.is_right)
    1 1 1 True
    2 6 3 False
    3 12 12 True
    """
    positions = read_suite(source, depth)
    check_threads(threads)
    check_megabytes(hash_mb)
    name = None
    if technique is not None:
        if hash_mb:
            raise ValueError(f"technique: {shown(technique)} selects the scalar generator: leave hash_mb out")
        from rookery.techniques import technique as technique_of

        name = technique_of(technique).name
    return _checked(positions, name, threads, hash_mb, executor)


def _checked(
    positions: list[SuitePosition],
    technique: str | None,
    threads: int,
    megabytes: int,
    executor: "interface.Executor | str | None",
) -> Iterator[SuiteCount]:
    tasks = [SuiteTask(position, technique, megabytes) for position in positions if position.counts]
    if executor is None and threads == 1:
        for task in tasks:
            yield from _counted(task)
        return
    from rookery.tasks.jobs import results_of

    # The longest ones first, so that none is left over at the end.
    tasks.sort(key=lambda task: -max(task.position.counts.values()))
    workers = f"threads:{threads}" if executor is None else executor
    for _, counted in results_of(workers, check_position, tasks, warm_up=warm_up):
        yield from counted


def _counted(task: SuiteTask) -> Iterator[SuiteCount]:
    line, fen, counts = task.position
    board = Board(fen)
    for depth, expected in counts.items():
        nodes = perft(board, depth, technique=task.technique, hash_mb=task.megabytes)
        yield SuiteCount(line, fen, depth, expected, nodes)


def check_position(task: SuiteTask) -> list[SuiteCount]:
    """Return the counts of a position; this runs in the workers of an executor."""
    return list(_counted(task))


__all__ = ["SuiteCount", "SuitePosition", "perft_suite", "read_suite"]
