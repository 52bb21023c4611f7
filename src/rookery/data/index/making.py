"""`index_games`: files of games become an index of their positions, on any executor; more games are added and merged.

The job has three lists of tasks. The first reads ranges of the files, as for a table of games
(`rookery.games.read.on_executor`). The second writes their games to Parquet, and a row for each position, sorted by the
first bits of its key. The third sorts the rows of a range of keys (`rookery.data.index.buckets`).
"""

import itertools
import os
from collections.abc import Callable, Container, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import callback, check_path, flag, shown
from rookery.data.index import catalogue as catalogues
from rookery.data.index.buckets import BucketTask, divided, make_bucket
from rookery.data.index.catalogue import Catalogue, Part, games_file
from rookery.data.index.facts import FACTS, Facts, pieces_of, write_facts
from rookery.data.index.game_index import GameIndex, open_index
from rookery.data.index.rows import MOST_GAMES, ROWS, SLICES, rows_of
from rookery.games.errors import all_bad
from rookery.games.games import Games
from rookery.games.interchange.parquet import write_groups
from rookery.games.openings.facts import results_of
from rookery.games.read.on_executor import GamesPart, JobScan
from rookery.games.read.options import ReadOptions
from rookery.games.read.reader import checked_source, work_of
from rookery.sources import files
from rookery.sources.failures import NotGamesError
from rookery.sources.ranges import paths_for_tasks
from rookery.tasks.exchange import Scatter, Scattered, segments_of, suffix_of
from rookery.tasks.interface import Executor
from rookery.tasks.jobs import Job, discard_finished, parts_path
from rookery.tasks.parts import TaskFiles, TaskResult

FORMAT: Final = 1  # of the parts that tasks leave
_HELD: Final = 1 << 26  # bytes of rows that a task holds
_FACTS: Final = ".facts"


class IndexTask(NamedTuple):
    """Games that a task has read, and the number of the first among all of the index."""

    part: GamesPart
    first_game: int
    threads: int

    def __str__(self) -> str:
        """Return which games these are."""
        return str(self.part)


class _Hits(NamedTuple):
    """A file of hits of a part, and the slices of keys that it has."""

    path: str
    first: int
    stop: int


def index_games(
    source: Any,
    folder: str | os.PathLike[str],
    *,
    where: str | None = None,
    encoding: str | None = None,
    letters: str | None = None,
    names: Any = None,
    merge: bool = False,
    executor: Executor | str | None = None,
    threads: int = 1,
    progress: Callable[[int, int], object] | None = None,
    force: bool = False,
) -> GameIndex:
    r"""Make an index of the positions of games, or add games to one, and return it.

    `source` is a path, a pattern or a list of these: PGN, packed or not, or tables of games in Parquet or Arrow.
    `where` is a condition on headers that selects games, and `encoding`, `letters` and `names` (of openings) are those
    of games in PGN, as in `rookery.read_pgn`. A bad game counts with the moves before its first fault.

    `folder` gets a table of the games (``games-*.parquet``), a table of all positions of all games, sorted by the key
    of the position (``hits-*.parquet``: key, game, ply, move), and counts for each position that games reach 64 times
    or more, and for its moves (``moves-*.parquet``). `rookery.open_index` looks positions up in them.

    A folder that has an index keeps its games: files that it has are left out, others become another part of it. The
    last two parts are merged while the last has half as many positions as the one before, or more; with `merge`, all
    are. Games that have changed since they were indexed, or that are read with other options, are a ValueError, unless
    `force` makes the index anew.

    Tasks read 32 MiB of PGN each, in `threads` threads or on `executor`, as `rookery.perft` takes it. Their parts are
    kept in the folder ``FOLDER.parts`` until the index is complete. After Ctrl-C, a crash or a full disk the same call
    goes on from there; the files are the same. `progress` is called with the bytes of the files that are done and of
    all.

    A wrong argument raises ValueError or TypeError, a file that cannot be read or written OSError.

    >>> import tempfile
    >>> index_games("docs/lichess-2025-05.pgn.zst", tempfile.mkdtemp())
    <GameIndex of 12 games: 645 positions, 1 part>
    """
    check_path("folder", folder)
    report = callback("progress", progress)
    flag("force", force)
    flag("merge", merge)
    reading = ReadOptions(
        where=where,
        encoding=encoding,
        letters=letters,
        names=names,
        threads=threads,
        clocks=False,
        comments=False,
        nags=False,
        variations=False,
    )
    work_of([], reading)  # refuses a condition that is wrong
    sources = checked_source(source)
    if not sources:
        raise ValueError("source: no files: expected at least one")
    target = Path(folder).absolute()
    files.check_place("folder", target)
    by_path = dict(zip(paths_for_tasks(sources), sources, strict=True))
    known = _known(target, reading, by_path, force=force)
    left = [one for path, one in by_path.items() if path not in known.inputs]
    if left:
        known = _added(known, target, left, reading, executor, report, force)
    else:
        discard_finished(target, known.inputs)
    _merge(known, target, executor, threads, merge, force)
    return open_index(target)


def _known(target: Path, reading: ReadOptions, paths: Container[str], *, force: bool) -> Catalogue:
    """Return what the folder has, which is nothing if it is new or made anew; refuse a folder with anything else."""
    nothing = Catalogue([], [], {}, {}, {}, reading.content(), 0, [])
    if not os.path.lexists(target):
        return nothing
    if not target.is_dir():
        raise FileExistsError(f"folder: {target}: is a file: expected a folder, or a name that is free")
    try:
        found = catalogues.load(target)
        if found is not None and not force:
            catalogues.check_sizes(target, found)
    except files.Damaged as error:
        if not force:
            raise ValueError(f"{error}, by --force (force=True)") from error
        found = nothing
    if found is None:
        if any(target.iterdir()):
            raise FileExistsError(f"folder: {target}: has other files: give another name, or remove it")
        return nothing
    if force:
        return nothing
    content = reading.content()
    for name in {**content, **found.reading}:
        if content.get(name) != found.reading.get(name):
            raise ValueError(
                f"{name}: {shown(content.get(name))}: the index was made with {shown(found.reading.get(name))}: "
                "expected the same, or --force (force=True) to make it anew"
            )
    changed = found._replace(inputs={path: one for path, one in found.inputs.items() if path in paths}).changes()
    if changed:
        raise ValueError(f"source: {changed[0]}: --force (force=True) makes the index anew")
    return found


def _added(
    known: Catalogue,
    target: Path,
    sources: list[Any],
    reading: ReadOptions,
    executor: Executor | str | None,
    report: Callable[[int, int], object],
    force: bool,
) -> Catalogue:
    """Index games as another part, and return the catalogue with it."""
    number = max((part.number for part in known.parts), default=-1) + 1
    further = {"index": FORMAT, "part": number, "games": known.games}
    with JobScan(sources, reading, executor, target, further=further, progress=report, force=force) as scan:
        parts = list(scan.parts())
        firsts = [known.games]
        for part in parts:
            firsts.append(firsts[-1] + part.result["kept"])
        if firsts[-1] > MOST_GAMES:
            raise ValueError(f"source: more than {MOST_GAMES:,} games in all: make several indices")
        tasks = [IndexTask(part, first, scan.threads) for part, first in zip(parts, firsts, strict=False)]
        done = list(scan.run(index_part, tasks, replaces=[part.path for part in parts]))
        unreadable = _unreadable(parts, done) if reading.where is None else []
        if len(unreadable) == len(sources):
            scan.discard()
            raise NotGamesError("\n".join(unreadable))
        failures = [*map(str, scan.failures), *unreadable]
        whole = Part(number, known.games, firsts[-1] - known.games, sum(one.value["rows"] for one in done), [])
        with files.replacing(scan.folder / whole.facts) as file:
            write_facts(file, (piece for one in done for piece in pieces_of(one.path(_FACTS))))
        rows = [
            Scattered(str(one.path(suffix_of(i))), offsets, 0)
            for one in done
            for i, offsets in enumerate(one.value["offsets"])
        ]
        made = _sorted(whole, rows, [], scan.folder, scan.run)
        sizes = {name: size for one in (*done, *made) for name, size in one.value["sizes"].items()}
        sizes[whole.facts] = (scan.folder / whole.facts).stat().st_size
        known = known._replace(
            parts=[*known.parts, whole._replace(first=divided(whole.plies)[:-1])],
            tables=[*known.tables, *(one.value["first"] for one in done if one.value["games"])],
            sizes=known.sizes | sizes,
            inputs=known.inputs | scan.identities,
            bad=known.bad + sum(one.value["bad"] for one in done),
            failures=known.failures + failures,
        )
        files.move(scan.folder, target, sizes)
    known = catalogues.save(target, known)
    scan.discard()
    return known


def index_part(task: IndexTask, running: TaskFiles) -> dict[str, Any]:
    """Write the table, the facts and the rows of some games, and return how many there are."""
    scatter = Scatter(running, ROWS, SLICES, _HELD)
    facts: list[NDArray[np.uint32]] = [np.empty((0, FACTS), np.uint32)]
    games = bad = n = 0

    def read() -> Iterator[Games]:
        nonlocal games, bad, n
        for block in running.while_running(task.part.games()):
            for rows in rows_of(block, task.first_game + games, task.threads):
                scatter.add(rows, np.ascontiguousarray(rows["key"]))
                n += rows.size
            facts.append(results_of(block)[:, :FACTS])
            games += len(block)
            bad += sum(error.game > 0 for error in block.errors)
            yield block

    with running.writing(name=(name := games_file(task.first_game)), durable=True) as file:
        write_groups(read(), file)
    sizes = {name: running.last[0]} if games else {}
    with running.writing(_FACTS) as file:
        file.write(np.concatenate(facts).tobytes())
    scatter.flush()
    counts = {"first": task.first_game, "games": games, "bad": bad, "rows": n}
    return {"sizes": sizes, "offsets": scatter.offsets, **counts}


def _sorted(
    part: Part, rows: list[Scattered], hits: list[_Hits], folder: Path, run: Callable[..., Iterator[TaskResult]]
) -> list[TaskResult]:
    """Sort and count the rows of tasks or the hits of parts, and return what the tasks have written."""
    tasks = [
        BucketTask(
            part.number,
            i,
            first,
            stop,
            tuple(segments_of(rows, first, stop)),
            tuple(one.path for one in hits if one.first < stop and first < one.stop),
            str(folder / part.facts),
            part.first_game,
        )
        for i, (first, stop) in enumerate(itertools.pairwise(divided(part.plies)))
    ]
    return list(run(make_bucket, tasks))


def _merged(
    known: Catalogue, parts: list[Part], target: Path, executor: Executor | str | None, threads: int, force: bool
) -> Catalogue:
    """Merge parts that follow each other into one, and return the catalogue with it."""
    number = max(part.number for part in known.parts) + 1
    games, plies = (sum(getattr(part, name) for part in parts) for name in ("games", "plies"))
    whole = Part(number, parts[0].first_game, games, plies, divided(plies)[:-1])
    gone = {part.facts for part in parts}
    gone |= {part.file(what, i) for part in parts for i in range(len(part.first)) for what in ("hits", "moves")}
    catalogues.check_tails(target, known, sorted(gone))
    described = {"index": FORMAT, "parts": [list(part) for part in parts], "into": number}
    job = Job("index merge", [], executor, threads=threads, folder=parts_path(target), options=described, force=force)
    with job:
        folder = Path(job.folder)
        with files.replacing(folder / whole.facts) as file:
            write_facts(file, (piece for part in parts for piece in Facts(target / part.facts).checked()))
        hits = [
            _Hits(str(target / part.file("hits", i)), first, stop)
            for part in parts
            for i, (first, stop) in enumerate(itertools.pairwise([*part.first, SLICES]))
        ]
        made = _sorted(whole, [], hits, folder, job.run)
        sizes = {name: size for one in made for name, size in one.value["sizes"].items()}
        sizes[whole.facts] = (folder / whole.facts).stat().st_size
        kept = {name: size for name, size in known.sizes.items() if name not in gone}
        left = [part for part in known.parts if part not in parts]
        known = known._replace(parts=sorted([*left, whole], key=lambda part: part.first_game), sizes=kept | sizes)
        files.move(folder, target, sizes)
    known = catalogues.save(target, known)
    job.discard()
    return known


def _merge(
    known: Catalogue, target: Path, executor: Executor | str | None, threads: int, merge: bool, force: bool
) -> None:
    """Merge the last parts while the last one has half as many plies as the one before, or all parts."""
    while len(known.parts) > 1:
        before, last = known.parts[-2:]
        if not merge and 2 * last.plies < before.plies:
            return
        known = _merged(known, known.parts if merge else [before, last], target, executor, threads, force)


def _unreadable(parts: list[GamesPart], done: list[TaskResult]) -> list[str]:
    """Return a message for each file of which every game is bad."""
    counts: dict[str, list[int]] = {}
    for part, one in zip(parts, done, strict=True):
        count = counts.setdefault(part.name, [0, 0])
        count[0] += one.value["games"]
        count[1] += one.value["bad"]
    return [all_bad(name, bad) for name, (games, bad) in counts.items() if bad and bad == games]
