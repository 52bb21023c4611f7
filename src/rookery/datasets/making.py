"""`make_dataset`: files of games or training data become shards of rows, on any executor, and go on where they stopped.

The work is two lists of tasks. The first reads parts of the inputs (`rookery.datasets.parts`), the second makes shards
of what these left (`rookery.datasets.shards`). A journal has the result of each finished task. Every file is written
under another name and renamed when it is complete.
"""

import contextlib
import hashlib
import itertools
import json
import os
import platform
import shlex
from collections.abc import Callable, Iterable, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import numpy as np

from rookery.aliases import PolicyLayout
from rookery.arguments import check_path, check_threads, shown
from rookery.datasets import manifest as manifests
from rookery.datasets.inputs import Part, files_of, parts_of, rows_about
from rookery.datasets.manifest import Manifest, Shard
from rookery.datasets.options import Options, checked_options, checked_shards
from rookery.datasets.parts import PLACED, PartTask, make_part, part_path
from rookery.datasets.rows import packed
from rookery.datasets.shards import Segment, ShardTask, make_shard
from rookery.games.read.reader import read_pgn
from rookery.positions.features.channels import DEFAULT
from rookery.sources.disk import DISK
from rookery.sources.failures import ChangedFileError
from rookery.sources.identity import Identity, changes_explained, check_all, identity_of
from rookery.sources.ranges import before_damage
from rookery.tasks import Journal, finish, open_executor
from rookery.tasks.interface import Executor
from rookery.training.samples import ScoredPositions

UNFINISHED: Final = "unfinished"  # the folder of what is left of a run that stopped
_JOURNAL: Final = "journal"
_PARTS: Final = 2  # the version of the division of inputs into parts
_ROWS_OF_SHARD: Final = 1 << 19
_MOST_SHARDS: Final = 4096


class Progress(NamedTuple):
    """How far the making of a dataset is: what is done ("reading" or "writing"), and tasks finished and in all."""

    what: str
    done: int
    tasks: int


def make_dataset(
    source: Any,
    folder: str | os.PathLike[str],
    *,
    planes: Iterable[str] | str = "default",
    policy: PolicyLayout | None = "alphazero",
    value: Literal["result", "eval"] | None = "result",
    split: Sequence[float] = (0.98, 0.01, 0.01),
    by: Literal["game", "position"] = "game",
    shuffle: bool = False,
    seed: int = 0,
    dedupe: bool = False,
    where: str | None = None,
    query: str | None = None,
    max_positions: int | None = None,
    shards: int | None = None,
    format: str | None = None,
    encoding: str | None = None,
    executor: Executor | str | None = None,
    threads: int = 1,
    watch: Callable[[Progress], object] = lambda progress: None,
) -> Manifest:
    r"""Make a dataset for training: a folder of shards, which `open_dataset` reads.

    `source` is a path, a pattern or a list of these: PGN, packed or not, tables of games in Parquet or Arrow, or
    training data of engines. Paths may have the scheme of a store, such as ``s3://``, if fsspec is installed. By
    default the suffix of a file says which; `format` is the name of a format of training data, or ``"games"``, and
    `encoding` is that of games in PGN, as in `rookery.read_pgn`. `where` is a condition on headers that selects games,
    `query` one on positions, such as ``"ply >= 16 and not is_check and not move.captures and abs(eval) < 10"``. If
    there are more than `max_positions` positions, a random sample of that size is kept, which `seed` decides.

    A row is a position with the move that was played or found best, the result and the score. Rows without the `value`
    to be learnt, ``"result"`` or ``"eval"``, and unless `policy` is None those without a move, are dropped and counted.
    `planes` and `policy` are what `open_dataset` makes of rows; they may be changed there.

    `split` is the fractions of train, validation and test. Rows are divided by a hash of their games, that is, of the
    first position and all moves, so equal games are on one side in whatever file they are, with any seed. In training
    data a game ends where the plies do not grow or the result changes. ``by="position"`` divides by position instead.

    With `dedupe` each position occurs once, the first in the inputs; pieces, side to move, castling rights and legal en
    passant count, and are compared in full. With `shuffle` all rows are in random order, which `seed` decides; else in
    the order of the inputs, with `dedupe` within each shard. By default a shard has about half a million rows.

    Work runs in `threads` threads, or on an `executor`, as `rookery.tasks.open_executor` takes it, whose workers see
    the same files and folders. After Ctrl-C, a crash or a full disk the same call goes on, and the dataset is the same,
    byte for byte, as without the interruption and with any executor. If the folder has this dataset already, nothing is
    done. `watch` is called with a `Progress` after each task.

    Return the manifest. A wrong argument raises ValueError or TypeError. A folder with something else, or with another
    dataset, is a FileExistsError. A file that is damaged is read up to the damage, and listed in ``failures``.

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp()) / "dataset"
    >>> made = make_dataset("docs/lichess-2025-05.pgn.zst", folder, split=[0.8, 0.2], shuffle=True, dedupe=True)
    >>> made.rows
    {'train': 537, 'validation': 64}
    """
    options = checked_options(
        planes, policy, value, split, by, shuffle, seed, dedupe, where, query, max_positions, encoding
    )
    shards = checked_shards(shards)
    check_path("folder", folder)
    check_threads(threads)
    if not callable(watch):
        raise TypeError(f"watch: {shown(watch)}: expected a function of a Progress")
    inputs = files_of(source, format)
    if shards is None:
        shards = min(max(-(-rows_about(inputs) // _ROWS_OF_SHARD), 1), _MOST_SHARDS)
    if not (options.dedupe or options.shuffle):
        shards = 1  # a file of rows becomes a shard
    target = Path(folder).absolute()
    identities = {path: identity_of(path) for path, _ in inputs}
    described = {"options": options._asdict(), "inputs": _described(inputs, identities, times=True), "shards": shards}
    work = hashlib.sha256(json.dumps(described).encode()).hexdigest()
    return _made_before(target, work) or _made(
        target, inputs, identities, options, shards, work, executor, threads, watch
    )


def _made(
    target: Path,
    inputs: list[tuple[str, str | None]],
    identities: dict[str, Identity],
    options: Options,
    shards: int,
    work: str,
    executor: Executor | str | None,
    threads: int,
    watch: Callable[[Progress], object],
) -> Manifest:
    """Make a dataset, or go on with it, and return its manifest."""
    with contextlib.ExitStack() as stack:
        stack.push(lambda kind, *_: _leave_nothing(target) if kind is ChangedFileError else None)
        stack.enter_context(changes_explained(identities))
        unfinished = target / UNFINISHED
        DISK.make_folder(unfinished, parents=True)
        journal = stack.enter_context(_journal(target, work))
        stack.push(lambda *_: _leave_nothing(target) if not journal.results else None)
        parts = parts_of(inputs, identities, options.encoding)
        workers = min(threads, max(len(parts), shards))
        opened = stack.enter_context(open_executor(f"threads:{workers}" if executor is None else executor))
        inner = threads if executor is not None else max(threads // min(threads, len(parts)), 1)
        making = _Making(target, parts, identities, options, shards, inner, journal, opened, watch)
        found = making.finish(_described(inputs, identities, times=False), work)
    manifests.save(target, found)
    DISK.remove_tree(unfinished)
    return found


def _described(
    inputs: list[tuple[str, str | None]], identities: dict[str, Identity], *, times: bool
) -> list[dict[str, Any]]:
    described: list[dict[str, Any]] = []
    for path, training in inputs:
        identity = identities[path]
        described.append({"path": path, "bytes": identity.size, "format": training or "games"})
        if times:
            described[-1] |= {"changed": identity.changed, "digest": identity.digest}
    return described


def _made_before(folder: Path, work: str) -> Manifest | None:
    """Return the manifest of a folder that has this dataset; refuse a folder that has anything else."""
    if not os.path.lexists(folder):
        return None
    if not folder.is_dir():
        raise FileExistsError(f"folder: {folder}: is a file: expected a folder, or a name that is free")
    found = manifests.load(folder)
    if found is not None and found.work == work:
        DISK.remove_tree(folder / UNFINISHED)
        return found
    if found is not None or (any(folder.iterdir()) and not (folder / UNFINISHED).is_dir()):
        what = "a dataset of other inputs or options" if found is not None else "other files"
        raise FileExistsError(f"folder: {folder}: has {what}: give another name, or remove it")
    return None


def _journal(folder: Path, work: str) -> Journal:
    try:
        return Journal(folder / UNFINISHED / _JOURNAL, {"dataset": work, "parts": _PARTS})
    except ValueError as error:
        if "of other work" in str(error):
            raise FileExistsError(
                f"folder: {folder}: has a part of a dataset of other inputs or options: give another name, or remove it"
            ) from error
        raise


def _leave_nothing(folder: Path) -> None:
    """Remove a folder in which nothing was made, for instance because an argument was wrong."""
    DISK.remove_tree(folder / UNFINISHED)
    with contextlib.suppress(OSError):
        DISK.remove_folder(folder)


def warm_up() -> None:
    """Compile what a worker needs, before its first task."""
    packed(ScoredPositions.from_games(read_pgn(b"1. e4 e5 *")))


class _Making:
    """The tasks of a dataset, and their results."""

    def __init__(
        self,
        folder: Path,
        parts: list[Part],
        identities: dict[str, Identity],
        options: Options,
        shards: int,
        threads: int,
        journal: Journal,
        executor: Executor,
        watch: Callable[[Progress], object],
    ) -> None:
        self._folder, self._parts, self._identities, self._options = folder, parts, identities, options
        self._shards, self._threads = shards, threads
        self._journal, self._executor, self._watch = journal, executor, watch

    def finish(self, inputs: list[dict[str, Any]], work: str) -> Manifest:
        """Do what is left to do, and return the manifest."""
        rows = str(self._folder / UNFINISHED)
        reading = [
            PartTask(i, part, self._options, self._shards, rows, self._threads) for i, part in enumerate(self._parts)
        ]
        self._repeat_lost(len(reading))
        read = self._up_to_damage(self._run("reading", make_part, reading, 0))
        check_all(self._identities)  # only the rows of these parts are used from here on
        written = self._run("writing", make_shard, self._shard_tasks(read, rows), len(reading))
        counts: dict[str, int] = {}
        for result in read:
            for name, n in result["counts"].items():
                counts[name] = counts.get(name, 0) + n
        if self._options.dedupe:
            counts["repeated"] = sum(result["repeated"] for result in written)
        if self._options.max_positions is not None:
            counts["left out"] = sum(result["left out"] for result in written)
        shards = sorted((Shard(**shard) for result in written for shard in result["shards"]), key=manifests.order_of)
        numbers = {name: sum(shard.rows for shard in shards if shard.split == name) for name in self._options.splits}
        failures = [failure for result in read for failure in result["failures"]]
        command = _command(self._options, [file["path"] for file in inputs], self._shards)
        return Manifest(numbers, counts, tuple(shards), self._options, inputs, command, _versions(), failures, work)

    def _repeat_lost(self, reading: int) -> None:
        """Forget results of reading whose files of rows are not there, and of writing whose shards are not."""
        results = self._journal.results
        for task in list(results):
            found = results[task]
            if task < reading:
                paths = [part_path(self._folder / UNFINISHED, task, i) for i in range(len(found["files"]))]
                sizes = [offsets[-1] * PLACED.itemsize for offsets in found["files"]]
            else:
                paths = [self._folder / shard["file"] for shard in found["shards"]]
                sizes = [shard["bytes"] for shard in found["shards"]]
            if any(not path.is_file() or path.stat().st_size != size for path, size in zip(paths, sizes, strict=True)):
                raise ValueError(
                    f"folder: {self._folder}: files that the journal lists are missing or changed: remove the folder"
                )

    def _run(self, what: str, work: Callable[[Any], Any], tasks: Sequence[Any], first: int) -> list[Any]:
        """Run the tasks that are not done, and return the results of all, in order."""
        results = finish(
            self._executor,
            work,
            tasks,
            self._journal,
            str(self._folder),
            first=first,
            warm_up=warm_up,
            progress=lambda done, total: self._watch(Progress(what, done, total)),
        )
        found = dict(results)
        return [found[i] for i in range(len(tasks))]

    def _up_to_damage(self, read: list[Any]) -> list[Any]:
        """Return the results of reading, without rows of parts that follow damage in the same file."""
        nothing: dict[str, Any] = {"counts": {}, "files": [], "failures": []}
        are_read = before_damage([part.file for part in self._parts], [bool(result["failures"]) for result in read])
        return [result if is_read else nothing for result, is_read in zip(read, are_read, strict=True)]

    def _shard_tasks(self, read: list[Any], rows: str) -> list[ShardTask]:
        """Return the tasks that make shards, given the results of reading."""
        options = self._options
        found: list[list[Segment]] = [[] for _ in range(self._shards)]
        in_order = not (options.dedupe or options.shuffle)
        if in_order:
            found = []
        for task, result in enumerate(read):
            for i, offsets in enumerate(result["files"]):
                path = str(part_path(rows, task, i))
                if in_order:
                    found.append([])
                for shard, (start, stop) in enumerate(itertools.pairwise(offsets)):
                    if start < stop:
                        found[-1 if in_order else shard].append(Segment(path, start, stop))
        folder = str(self._folder)
        shares = _shares([sum(stop - start for _, start, stop in segments) for segments in found], options)
        return [
            ShardTask(i, tuple(segments), options.splits, options.dedupe, options.shuffle, folder, share)
            for i, (segments, share) in enumerate(zip(found, shares, strict=True))
        ]


def _shares(rows: list[int], options: Options) -> list[int | None]:
    """Return how many rows each shard may keep, in proportion to those that it has; None stands for all."""
    most, total = options.max_positions, sum(rows)
    if most is None or total <= most:
        return [None] * len(rows)
    ends = [most * end // total for end in itertools.accumulate(rows, initial=0)]
    return [stop - start for start, stop in itertools.pairwise(ends)]


def _versions() -> dict[str, str]:
    return {"rookery": metadata.version("rookery"), "numpy": np.__version__, "python": platform.python_version()}


def _command(options: Options, inputs: list[str], shards: int) -> str:
    """Return the command that makes a dataset, but for its folder."""
    words = ["rookery", "dataset", *inputs]
    if options.planes != DEFAULT:
        words += ["--planes", ",".join(options.planes)]
    words += ["--policy", options.policy or "none", "--value", options.value or "none"]
    words += ["--split", ",".join(map(str, options.split)), "--by", options.by]
    words += [f"--{name}" for name in ("shuffle", "dedupe") if getattr(options, name)]
    words += ["--seed", str(options.seed)] if options.shuffle or options.max_positions is not None else []
    for name in ("where", "query", "encoding"):
        words += [f"--{name}", getattr(options, name)] if getattr(options, name) else []
    words += ["--max-positions", str(options.max_positions)] if options.max_positions is not None else []
    return shlex.join([*words, "--shards", str(shards)])
