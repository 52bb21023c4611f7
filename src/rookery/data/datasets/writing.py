"""The sink of a plan that writes a dataset: the tasks of the plan, then those of shards, in one job.

The folder of the dataset keeps the parts of the job until the manifest is written, so the same call goes on from them.
"""

import contextlib
import hashlib
import itertools
import json
import os
import platform
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from rookery.arguments import check_path, shown
from rookery.data.datasets import manifest as manifests
from rookery.data.datasets.manifest import Manifest, Shard
from rookery.data.datasets.options import Options
from rookery.data.datasets.own_columns import OwnColumn, check_names, own_columns
from rookery.data.datasets.shards import MEANS, ShardTask, Storing, make_shard
from rookery.data.pipeline.outputs import STREAM
from rookery.data.pipeline.packed_rows import NUMBER, ROWS
from rookery.data.pipeline.parquet_parts import copy
from rookery.data.plans.calls import call_of
from rookery.data.plans.exchanging import numbers_of
from rookery.data.plans.running import Ready
from rookery.data.plans.steps import Rows
from rookery.data.plans.verbs import GroupBy, Split
from rookery.data.training import limits
from rookery.frames.arrow import pyarrow_module
from rookery.games.errors import all_bad
from rookery.sources import files
from rookery.sources.disk import DISK
from rookery.sources.failures import DamagedFileError, NotGamesError, damaged_files
from rookery.tasks.exchange import SPLITS
from rookery.tasks.interface import Executor
from rookery.tasks.jobs import Job
from rookery.tasks.parts import TaskResult
from rookery.tasks.versions import own_version

UNFINISHED: Final = "unfinished"  # the folder of what is left of a run that stopped
_ROWS_OF_SHARD: Final = 1 << 19


class Progress(NamedTuple):
    """The progress of making a dataset.

    `what` is "reading", with the bytes of the inputs that are done and of all, or "writing", with numbers of shards.
    """

    what: str
    done: int
    total: int


Watch = Callable[[Progress], object]


class Writing(NamedTuple):
    """A plan that is written as a dataset: its inputs and tasks, its text, and what the dataset has."""

    ready: Ready
    text: str
    storing: Storing

    @classmethod
    def of(cls, ready: Ready, text: str, options: Options) -> "Writing":
        """Find out what divides the rows of a plan, and which own columns it has; a ValueError if it does not fit."""
        steps = list(ready.exchanges)
        if any(isinstance(step, GroupBy) and step.name == "group_by" for step in steps):
            raise ValueError("write_dataset: group_by: makes other rows: expected rows of positions")
        _check_learnt(ready, options)
        splits = [step for step in steps if isinstance(step, Split)]
        divider: Split | str | None = splits[-1].column if splits else None
        if splits and splits[-1] is steps[-1]:  # tasks of shards divide the rows
            divider, ready = splits[-1], ready._replace(exchanges=tuple(steps[:-1]))
        hidden = {name for step in steps for name, _ in getattr(step, "hidden", ())}
        own = _own(ready, {*hidden, divider}, options)
        names = SPLITS[: len(splits[-1].fractions)] if splits else SPLITS[:1]
        options = options._replace(splits=names, columns=own)
        text = f"{text}.{call_of('write_dataset', ['DATASET'], options.arguments())}"
        return cls(ready, text, Storing(options, divider, ()))

    @property
    def options(self) -> Options:
        """Return the options of the dataset."""
        return self.storing.options

    def described(self, shards: int | None) -> dict[str, Any]:
        """Return what the shards depend on besides the inputs, as JSON holds it."""
        divider = self.storing.divider
        options = {name: value for name, value in self.options.content().items() if name != "planes"}
        return {**options, "shards": shards, "divider": repr(divider)}

    def inputs(self) -> list[dict[str, Any]]:
        """Return what a manifest says about the inputs."""
        return [
            {
                "path": one.path,
                "bytes": one.size,
                "format": one.packing if one.format == "training" else one.format,
                "name": one.name,
            }
            for one in self.ready.inputs
        ]

    def work(self, shards: int | None) -> str:
        """Return a digest of the plan, its inputs and the dataset; "" if an input was in memory."""
        identities = [one.identity for one in self.ready.inputs]
        if None in identities:
            return ""
        known = [[one.path, *identity] for one, identity in zip(self.ready.inputs, identities, strict=True) if identity]
        asked = [known, self.ready.content(self.described(shards)), self.options.planes]
        return hashlib.sha256(json.dumps(asked, default=str).encode()).hexdigest()

    def write(
        self,
        folder: Any,
        shards: int | None,
        executor: Executor | str | None,
        threads: int,
        watch: Watch,
        errors: Any,
        *,
        force: bool,
    ) -> Manifest:
        """Write the dataset, unless the folder has it, and return its manifest."""
        check_path("folder", folder)
        target, work = Path(folder).absolute(), self.work(shards)
        if (made := _made_before(target, work, force=force)) is not None:
            return made
        job = self.ready.job(executor, threads, None, self.described(shards), folder=target / UNFINISHED, force=force)
        try:
            with job:
                manifest = self._written(job, target, shards, watch, errors)
        finally:
            with contextlib.suppress(OSError):  # unless the folder has something
                DISK.remove_folder(target)
        manifest = manifest._replace(work=work)
        manifests.save(target, manifest)
        job.discard()
        return manifest

    def _written(self, job: Job, target: Path, shards: int | None, watch: Watch, errors: Any) -> Manifest:
        """Do the work of a job, and return the manifest of the shards."""

        def progress(what: str) -> Callable[[int, int], object]:
            return lambda done, total: watch(Progress(what, done, total))

        results = list(self.ready.read(job, STREAM, progress("reading")))
        counts, failures = self._counts(results), []
        try:
            if damage := self.ready.failures(results):
                raise damaged_files(damage)
            failures = self._failures(results)
            _check_rows(results, counts, self.options)
        except (ValueError, DamagedFileError):
            job.discard()
            raise
        if errors is not None:
            with files.replacing(errors) as file:
                file.writelines(self.ready.bad_rows(results))
        rows = self._exchanged(job, Rows(self.ready.streamed_schema, tuple(self.ready.parts(results))), counts)
        names = list(dict.fromkeys(name for one in results for name in one.value.get("names", ())))
        tasks = _tasks(rows, self.storing._replace(files=tuple(names)), shards)
        written = [one.value for one in job.run(make_shard, tasks, progress=progress("writing"))]
        made = {kind: [Shard(**one) for value in written for one in value[kind]] for kind in ("shards", "texts")}
        _move(Path(job.folder), target, [one.file for one in (*made["shards"], *made["texts"])])
        ordered = sorted(made["shards"], key=manifests.order_of)
        numbers = {name: sum(one.rows for one in ordered if one.split == name) for name in self.options.splits}
        versions = {"rookery": own_version(), "numpy": np.__version__, "python": platform.python_version()}
        inputs = self.inputs()
        texts = tuple(made["texts"])
        return Manifest(
            numbers, counts, tuple(ordered), self.options, inputs, self.text, versions, failures, names, "", texts
        )

    def _exchanged(self, job: Job, rows: Rows, counts: dict[str, int]) -> Rows:
        """Return the rows after all verbs, and count those that these drop."""
        for step in self.ready.exchanges:
            before = numbers_of(rows.parts)[-1]
            rows = step.run(job, rows)
            dropped = before - numbers_of(rows.parts)[-1]
            if dropped or step.name in ("unique", "sample"):
                name = "repeated" if step.name == "unique" else "left out"
                counts[name] = counts.get(name, 0) + dropped
        return rows

    def _counts(self, results: Sequence[TaskResult]) -> dict[str, int]:
        """Return the numbers of games and positions that were read, and of positions that were dropped, by reason."""
        games = [one.value for one in results if self.ready.inputs[one.file].format == "games"]
        counts = {"games": sum(one.value["games"] for one in results), "bad games": sum(one["bad"] for one in games)}
        counts["positions"] = sum(one.value["positions"] for one in results)
        if any(stage.choice.query is not None or stage.choice.thins for stage in self.ready.stages):
            counts["not selected"] = counts["positions"] - sum(one.value.get("chosen", 0) for one in results)
        for one in results:
            for reason, n in one.value.get("dropped", {}).items():
                counts[reason] = counts.get(reason, 0) + n
        return counts

    def _failures(self, results: Sequence[TaskResult]) -> list[str]:
        """Return messages about bad rows of text, and about files of which every game is bad."""
        rows = map(json.loads, self.ready.bad_rows(results))
        kinds = {one.name: one.format for one in self.ready.inputs}
        found = [
            f"{row['file']}: line {row['line']:,}: {row['reason']}" for row in rows if kinds[row["file"]] != "games"
        ]
        unreadable = []
        for file, (one, stage) in enumerate(zip(self.ready.inputs, self.ready.stages, strict=True)):
            own = [result.value for result in results if result.file == file]
            games, faulty = (sum(value[name] for value in own) for name in ("games", "bad"))
            if one.format == "games" and one.path and games and games == faulty and stage.reading.where is None:
                unreadable.append(all_bad(one.path, games))
        if unreadable and len(unreadable) == len(self.ready.inputs):
            raise NotGamesError("\n".join(unreadable))
        return found + unreadable


def _check_learnt(ready: Ready, options: Options) -> None:
    """Raise a ValueError if an input has no moves, results or scores, and these are to be learnt."""
    for one in ready.inputs:
        for name in ("policy", "value"):
            if not one.knows_games and getattr(options, name) is not None:
                what = "moves" if name == "policy" else "results and scores of its own"
                raise ValueError(
                    f"{name}: {shown(getattr(options, name))}: {one.name} has no {what}: expected {name}=None, or games"
                )


def _own(ready: Ready, others: set[Any], options: Options) -> tuple[OwnColumn, ...]:
    """Return the own columns of the rows of a plan; `others` are hidden, or divide them."""
    pa, schema = pyarrow_module(), ready.streamed_schema
    for step in ready.exchanges:
        schema = step.schema(schema)
    means = MEANS if options.targets == "mean" else ()
    left_out = {ROWS, NUMBER, *others, *means, *(("score", "move") if means else ())}
    features = {feature.name: feature for feature in ready.stages[0].columns}
    own = pa.schema([field for field in schema if field.name not in left_out])
    check_names(own.names, "select")
    made = {
        name: one.call for step in ready.exchanges for one in getattr(step, "aggregates", ()) for name in one.columns
    }
    made |= {field.name: "split" for field in own if field.name not in features and field.name not in made}
    return own_columns(own, features, made)


def _check_rows(results: Sequence[TaskResult], counts: dict[str, int], options: Options) -> None:
    """Raise a ValueError if no row is left since all lack the move or the value that is to be learnt."""
    if any(one.value["rows"] for one in results):
        return
    if options.value is not None:
        reason, what, expected = _MISSING[options.value]
        if n := counts.get(reason, 0):
            raise ValueError(f"value: {options.value!r}: none of {n:,} positions has {what}: expected {expected}")
    if options.policy is not None and (n := counts.get(limits.NO_MOVE.name, 0)):
        expected = "rows with moves, or None (--policy none)"
        raise ValueError(f"policy: {options.policy!r}: none of {n:,} positions has a move: expected {expected}")


_MISSING: Final = {
    "result": (limits.NO_RESULT.name, "a result", "games that ended"),
    "eval": (limits.NO_SCORE.name, "an evaluation", "games with [%eval ...] in comments, or scored positions"),
}


def _move(folder: Path, target: Path, names: list[str]) -> None:
    """Move files to a folder; a job of inputs in memory keeps its parts elsewhere, perhaps on another disk."""
    if folder.parent == target:
        files.move(folder, target, names)
        return
    DISK.make_folder(target, parents=True)
    for name in names:
        with DISK.open(folder / name) as part, files.replacing(target / name) as file:
            copy(part, file, (folder / name).stat().st_size)


def _tasks(rows: Rows, storing: Storing, shards: int | None) -> list[ShardTask]:
    """Return the tasks of shards, which have about the same number of rows."""
    numbers = numbers_of(rows.parts)
    total = numbers[-1]
    n = min(max(-(-total // _ROWS_OF_SHARD), 1) if shards is None else shards, max(total, 1))
    tasks = []
    for i, (start, stop) in enumerate(itertools.pairwise(total * k // n for k in range(n + 1))):
        parts = (
            (part, max(start - first, 0), min(stop, last) - first)
            for part, (first, last) in zip(rows.parts, itertools.pairwise(numbers), strict=True)
            if first < stop and start < last
        )
        tasks.append(ShardTask(i, tuple(parts), storing))
    return tasks


def _made_before(folder: Path, work: str, *, force: bool) -> Manifest | None:
    """Return the manifest of a folder that has this dataset; refuse a folder that has anything else.

    With `force`, another dataset is removed.
    """
    if not os.path.lexists(folder):
        return None
    if not folder.is_dir():
        raise FileExistsError(f"folder: {folder}: is a file: expected a folder, or a name that is free")
    found = manifests.load(folder)
    if found is not None and work and found.work == work:
        DISK.discard(folder / UNFINISHED)
        return found
    if found is not None and force:
        DISK.remove(folder / manifests.NAME)
        for shard in (*found.shards, *found.texts):
            DISK.remove(folder / shard.file, missing_ok=True)
        return None
    if found is not None or (any(folder.iterdir()) and not (folder / UNFINISHED).is_dir()):
        what = "a dataset of other inputs or options" if found is not None else "other files"
        remove = "replace it by --force (force=True)" if found is not None else "remove it"
        raise FileExistsError(f"folder: {folder}: has {what}: give another name, or {remove}")
    return None
