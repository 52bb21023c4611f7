"""`make_dataset`: files of games or training data become shards of rows, on any executor, and go on where they stopped.

The job has two lists of tasks. The first reads parts of the inputs (`rookery.data.datasets.parts`), the second makes
shards of what these left (`rookery.data.datasets.shards`).
"""

import contextlib
import hashlib
import itertools
import json
import os
import platform
import shlex
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import numpy as np

from rookery.aliases import PolicyLayout
from rookery.arguments import check_path, check_threads, flag, shown
from rookery.data.datasets import manifest as manifests
from rookery.data.datasets.inputs import files_of, ranges_of_files, rows_about, streams_of
from rookery.data.datasets.manifest import Manifest, Shard
from rookery.data.datasets.options import OF_HEADERS, Options, checked_options, checked_shards
from rookery.data.datasets.parts import Source, make_part
from rookery.data.datasets.rows import packed
from rookery.data.datasets.shards import ShardRows, ShardTask, make_shard
from rookery.data.pipeline.features import Features
from rookery.data.training import limits
from rookery.data.training.samples import ScoredPositions
from rookery.games.errors import all_bad
from rookery.games.read.reader import read_pgn
from rookery.positions.features.channels import DEFAULT
from rookery.sources import files
from rookery.sources.disk import DISK
from rookery.sources.failures import NotGamesError, damaged_files
from rookery.sources.identity import Identity, identity_of
from rookery.sources.stores import absolute
from rookery.sources.streams import expanded
from rookery.tasks.exchange import Scattered, segments_of, suffix_of
from rookery.tasks.interface import Executor
from rookery.tasks.jobs import Job, Stream
from rookery.tasks.parts import TaskResult
from rookery.tasks.versions import own_version

UNFINISHED: Final = "unfinished"  # the folder of what is left of a run that stopped
_ROWS_OF_SHARD: Final = 1 << 19
_MOST_SHARDS: Final = 4096


class Progress(NamedTuple):
    """The progress of making a dataset.

    `what` is "reading", with the bytes of the inputs that are done and of all, or "writing", with numbers of shards.
    """

    what: str
    done: int
    total: int


def make_dataset(
    source: Any,
    folder: str | os.PathLike[str],
    *,
    planes: Iterable[str] | str = "default",
    policy: PolicyLayout | None = "alphazero",
    value: Literal["result", "eval"] | None = "result",
    split: Sequence[float] = (0.98, 0.01, 0.01),
    by: Literal["game", "date", "player", "position"] = "game",
    shuffle: bool = False,
    seed: int = 0,
    unique: bool = False,
    where: str | None = None,
    query: str | None = None,
    max_positions: int | None = None,
    shards: int | None = None,
    format: str | None = None,
    encoding: str | None = None,
    letters: str | None = None,
    names: Any = None,
    columns: Features | None = None,
    history: int = 0,
    targets: Literal["first", "mean"] = "first",
    executor: Executor | str | None = None,
    threads: int = 1,
    watch: Callable[[Progress], object] = lambda progress: None,
    force: bool = False,
) -> Manifest:
    r"""Make a dataset for training: a folder of shards, which `open_dataset` reads.

    `source` is a path, a pattern or a list of these: PGN, packed or not, tables of games in Parquet or Arrow, or
    training data of engines. Paths may have the scheme of a store, such as ``s3://``, if fsspec is installed. By
    default the suffix of a file says which; `format` is the name of a format of training data, or ``"games"``, and
    `encoding`, `letters` and `names` (of openings) are those of games in PGN, as in `rookery.read_pgn`. `where` is a
    condition on headers that selects games, `query` one on positions, such as ``"ply >= 16 and not is_check and not
    move.captures and abs(eval) < 10"``. If there are more than `max_positions` positions, a random sample of that size
    is kept, which `seed` decides. Training data has no headers: with `where` or the options of PGN it is a ValueError.

    A row is a position with the move that was played or found best, the result and the score. Rows without the `value`
    to be learnt, ``"result"`` or ``"eval"``, and unless `policy` is None those without a move, are dropped and counted.
    If no position has the value, a ValueError says so. `planes` and `policy` are what `open_dataset` makes of rows;
    they may be changed there.

    `columns` are own columns of rows, by name and expression, as `rookery.annotate` takes features:
    ``{"elo": "elo(us)", "clock": "clock(us)"}``. Numbers of games are float32, NaN where one is missing. With `history`
    each row has up to 7 earlier positions of its game, 32 bytes each, for the planes of `open_dataset`.

    `split` is the fractions of train, validation and test. Rows are divided by a hash of their games, that is, of the
    first position and all moves, so equal games are on one side in whatever file they are, with any seed. In training
    data a game ends where the plies do not grow or the result changes. ``by="position"`` divides by position instead,
    ``"date"`` by the date of the game, and ``"player"`` by the player to move, as `Plan.split` does.

    With `unique` each position occurs once, the first in the inputs; pieces, side to move, castling rights and legal en
    passant count, and are compared in full. Without it, positions of the opening are in several splits. With
    ``targets="mean"`` the row says what all rows of its position say: ``count``, ``wins``, ``draws`` and ``losses`` of
    the side to move, ``mean_score``, the means of own columns of floats, and the most frequent move; `value` is learnt
    from these. The rest is that of the first row. With `shuffle` all rows are in random order, which `seed` decides;
    else in the order of the inputs, with `unique` within each shard. By default a shard has about half a million rows.

    Work runs in `threads` threads, or on an `executor`, as `rookery.tasks.open_executor` takes it, whose workers see
    the same files and folders. After Ctrl-C, a crash or a full disk the same call goes on, and the dataset is the same,
    byte for byte, as without the interruption and with any executor. If the folder has this dataset already, nothing is
    done. `watch` is called with a `Progress` after each task.

    Return the manifest. A wrong argument raises ValueError or TypeError. A folder with something else, or with another
    dataset, is a FileExistsError; `force` replaces another dataset, or a part of one. A file that is damaged or cut
    short is a `DamagedFileError`, and no dataset is made; bad rows of text are left out, and listed in ``failures``.

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp()) / "dataset"
    >>> made = make_dataset("docs/lichess-2025-05.pgn.zst", folder, split=[0.8, 0.2], shuffle=True, unique=True)
    >>> made.rows
    {'train': 537, 'validation': 64}
    """
    options = checked_options(
        planes,
        policy,
        value,
        split,
        by,
        shuffle,
        seed,
        unique,
        where,
        query,
        max_positions,
        encoding,
        letters,
        columns,
        history,
        targets,
        names,
    )
    shards = checked_shards(shards)
    check_path("folder", folder)
    check_threads(threads)
    if not callable(watch):
        raise TypeError(f"watch: {shown(watch)}: expected a function of a Progress")
    flag("force", force)
    if shards not in (None, 1) and not (options.shuffle or options.unique):
        raise ValueError(f"shards: {shards}: rows in the order of the inputs are not divided: add shuffle or unique")
    inputs, target = files_of(source, format), Path(folder).absolute()
    if rows := next((path for path, training in inputs if training), None):
        if options.by in OF_HEADERS:
            raise ValueError(f"by: {options.by!r}: training data has no headers: expected game or position")
        for name in ("where", "encoding", "letters", "names"):
            if (value := getattr(options, name)) is not None:
                raise ValueError(f"{name}: {shown(value)}: {rows} has positions, not games with headers")
    given = {absolute(name): name for name in map(os.fsdecode, expanded(source))}
    return _dataset(inputs, given, target, options, shards, executor, threads, watch, force)


def _dataset(
    inputs: list[tuple[str, str | None]],
    names: dict[str, str],
    target: Path,
    options: Options,
    shards: int | None,
    executor: Executor | str | None,
    threads: int,
    watch: Callable[[Progress], object],
    force: bool,
) -> Manifest:
    """Make a dataset of files, unless the folder has it."""
    if shards is None:
        shards = min(max(-(-rows_about(inputs) // _ROWS_OF_SHARD), 1), _MOST_SHARDS)
    if not (options.unique or options.shuffle):
        shards = 1  # a file of rows becomes a shard
    identities = {path: identity_of(path) for path, _ in inputs}
    asked = {"options": options.content(), "inputs": _described(inputs, identities, times=True), "shards": shards}
    work = hashlib.sha256(json.dumps(asked).encode()).hexdigest()
    if (made := _made_before(target, work, force=force)) is not None:
        return made
    job = Job(
        "dataset",
        ranges_of_files(inputs, identities, options.encoding),
        executor,
        threads=threads,
        folder=target / UNFINISHED,
        options={**options.content(), "shards": shards, "formats": [training for _, training in inputs]},
        force=force,
    )
    try:
        streams = streams_of(inputs, job.inputs, options, threads)
        described = [one | {"name": names[one["path"]]} for one in _described(inputs, identities, times=False)]
        manifest = _made(job, target, described, streams, options, shards, work, watch)
    finally:
        with contextlib.suppress(OSError):  # unless the folder has something
            DISK.remove_folder(target)
    manifests.save(target, manifest)
    job.discard()
    return manifest


def _made(
    job: Job,
    target: Path,
    inputs: list[dict[str, Any]],
    streams: dict[int, Stream],
    options: Options,
    shards: int,
    work: str,
    watch: Callable[[Progress], object],
) -> Manifest:
    """Make the shards of a dataset, and return its manifest."""

    def progress(what: str) -> Callable[[int, int], object]:
        return lambda done, total: watch(Progress(what, done, total))

    with job:
        formats = [None if one["format"] == "games" else one["format"] for one in inputs]
        sources = [
            Source(file, one["name"], training, options, shards, job.threads)
            for file, (one, training) in enumerate(zip(inputs, formats, strict=True))
        ]
        reading = job.read(
            make_part,
            sources,
            is_damaged=lambda result: bool(result["damage"]),
            streams=streams,
            warm_up=warm_up,
            progress=progress("reading"),
        )
        parts = list(reading)
        if damage := [message for part in parts for message in part.value["damage"]]:
            job.discard()
            raise damaged_files(damage)
        unreadable = _unreadable(parts, inputs) if options.where is None else []
        if len(unreadable) == len(inputs):
            job.discard()
            raise NotGamesError("\n".join(unreadable))
        counts: dict[str, int] = {}
        for part in parts:
            for name, n in part.value["counts"].items():
                counts[name] = counts.get(name, 0) + n
        if reason := _none_learnt(parts, counts, options):
            job.discard()
            raise ValueError(reason)
        names = list(dict.fromkeys(name for part in parts for name in part.value["names"]))
        tasks = _shard_tasks(parts, names, options, shards)
        writing = job.run(make_shard, tasks, warm_up=warm_up, progress=progress("writing"))
        written = [done.value for done in writing]
        made = [Shard(**shard) for result in written for shard in result["shards"]]
        files.move(Path(job.folder), target, [shard.file for shard in made])
    if options.unique:
        counts["repeated"] = sum(result["repeated"] for result in written)
    if options.max_positions is not None:
        counts["left out"] = sum(result["left out"] for result in written)
    made = sorted(made, key=manifests.order_of)
    numbers = {name: sum(shard.rows for shard in made if shard.split == name) for name in options.splits}
    failures = [row for part in parts for row in part.value["bad rows"]] + unreadable
    command = _command(options, [one["path"] for one in inputs], shards)
    described = Options(**options.content())
    return Manifest(numbers, counts, tuple(made), described, inputs, command, _versions(), failures, names, work)


def _unreadable(parts: list[TaskResult], inputs: list[dict[str, Any]]) -> list[str]:
    """Return a message for each file of games of which every game is bad."""
    games, bad = [0] * len(inputs), [0] * len(inputs)
    for part in parts:
        games[part.file] += part.value["counts"]["games"]
        bad[part.file] += part.value["counts"]["bad games"]
    return [all_bad(file["path"], n) for file, of, n in zip(inputs, games, bad, strict=True) if n and n == of]


_MISSING: Final = {
    "result": (limits.NO_RESULT.name, "a result", "games that ended"),
    "eval": (limits.NO_SCORE.name, "an evaluation", "games with [%eval ...] in comments, or scored positions"),
}


def _none_learnt(parts: list[TaskResult], counts: dict[str, int], options: Options) -> str:
    """Return why no row is left, if all lack the move or the value that is to be learnt, else ""."""
    if any(part.value["files"] for part in parts):
        return ""
    if options.value is not None:
        reason, what, expected = _MISSING[options.value]
        if n := counts.get(reason, 0):
            return f"value: {options.value!r}: none of {n:,} positions has {what}: expected {expected}"
    if options.policy is not None and (n := counts.get(limits.NO_MOVE.name, 0)):
        expected = "rows with moves, or None (--policy none)"
        return f"policy: {options.policy!r}: none of {n:,} positions has a move: expected {expected}"
    return ""


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


def _made_before(folder: Path, work: str, *, force: bool) -> Manifest | None:
    """Return the manifest of a folder that has this dataset; refuse a folder that has anything else.

    With `force`, another dataset is removed.
    """
    if not os.path.lexists(folder):
        return None
    if not folder.is_dir():
        raise FileExistsError(f"folder: {folder}: is a file: expected a folder, or a name that is free")
    found = manifests.load(folder)
    if found is not None and found.work == work:
        DISK.remove_tree(folder / UNFINISHED)
        return found
    if found is not None and force:
        DISK.remove(folder / manifests.NAME)
        for shard in found.shards:
            DISK.remove(folder / shard.file, missing_ok=True)
        return None
    if found is not None or (any(folder.iterdir()) and not (folder / UNFINISHED).is_dir()):
        what = "a dataset of other inputs or options" if found is not None else "other files"
        remove = "replace it by --force (force=True)" if found is not None else "remove it"
        raise FileExistsError(f"folder: {folder}: has {what}: give another name, or {remove}")
    return None


def warm_up() -> None:
    """Compile what a worker needs, before its first task."""
    packed(ScoredPositions.from_games(read_pgn(b"1. e4 e5 *")))


def _shard_tasks(parts: list[TaskResult], names: list[str], options: Options, shards: int) -> list[ShardTask]:
    """Return the tasks that make shards of the parts that were read; `names` are those of all files of games."""
    index, passed = {name: i for i, name in enumerate(names)}, 0
    buckets: list[list[ShardRows]] = [[] for _ in range(shards)]
    in_order = not (options.unique or options.shuffle)
    if in_order:
        buckets = []  # a file of rows becomes a shard
    for part, following in itertools.zip_longest(parts, parts[1:]):
        files = tuple(index[name] for name in part.value["names"])
        for i, offsets in enumerate(part.value["files"]):
            if in_order:
                buckets.append([])
            file = Scattered(str(part.path(suffix_of(i))), offsets, 0)
            for shard in range(shards):
                for segment in segments_of([file], shard, shard + 1):
                    buckets[-1 if in_order else shard].append(ShardRows(segment, files, passed))
        passed = passed + part.value["passed"] if following and following.file == part.file else 0
    shares = _shares([sum(one.segment.stop - one.segment.start for one in rows) for rows in buckets], options)
    return [
        ShardTask(i, tuple(rows), options, share) for i, (rows, share) in enumerate(zip(buckets, shares, strict=True))
    ]


def _shares(rows: list[int], options: Options) -> list[int | None]:
    """Return how many rows each shard may keep, in proportion to those that it has; None stands for all."""
    most, total = options.max_positions, sum(rows)
    if most is None or total <= most:
        return [None] * len(rows)
    ends = [most * end // total for end in itertools.accumulate(rows, initial=0)]
    return [stop - start for start, stop in itertools.pairwise(ends)]


def _versions() -> dict[str, str]:
    return {"rookery": own_version(), "numpy": np.__version__, "python": platform.python_version()}


def _command(options: Options, inputs: list[str], shards: int) -> str:
    """Return the command that makes a dataset, but for its folder."""
    words = ["rookery", "dataset", *inputs]
    if options.planes != DEFAULT:
        words += ["--planes", ",".join(options.planes)]
    words += ["--policy", options.policy or "none", "--value", options.value or "none"]
    words += ["--split", ",".join(map(str, options.split)), "--by", options.by]
    words += [f"--{name}" for name in ("shuffle", "unique") if getattr(options, name)]
    words += ["--seed", str(options.seed)] if options.shuffle or options.max_positions is not None else []
    for name in ("where", "query", "encoding", "letters"):
        words += [f"--{name}", getattr(options, name)] if getattr(options, name) else []
    if options.names is not None:
        files = [absolute(file) for file in options.names.files] or ["NAMES"]
        words += [word for file in files for word in ("--names", file)]
    words += ["--max-positions", str(options.max_positions)] if options.max_positions is not None else []
    if options.columns:
        words += ["--select", ", ".join(f"{column.name}={column.expression}" for column in options.columns)]
    words += ["--history", str(options.history)] if options.history else []
    words += ["--targets", options.targets] if options.targets != "first" else []
    return shlex.join([*words, "--shards", str(shards)])
