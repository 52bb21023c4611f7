"""The run of a plan: one job whose tasks stream the source, then the exchanges, then the parts of the output."""

import contextlib
import functools
import json
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from rookery.arguments import shown
from rookery.data.pipeline import outputs
from rookery.data.pipeline.inputs import Input, is_stream, ranges_of, stream_of
from rookery.data.pipeline.line_columns import condition_of
from rookery.data.pipeline.memory import blocks_in_memory
from rookery.data.pipeline.outputs import STREAM, EncodeTask, Part
from rookery.data.pipeline.parts import BAD, output_schema, stage_part
from rookery.data.pipeline.stages import Source, Stage, WarmUp
from rookery.data.plans.exchanging import numbers_of
from rookery.data.plans.steps import Exchange, Rows
from rookery.data.plans.verbs import Head
from rookery.games.errors import GameError, GameErrorException
from rookery.games.read.options import ReadOptions
from rookery.sources import files
from rookery.sources.disk import DISK
from rookery.sources.failures import damaged_files, renamed
from rookery.sources.stores import is_remote, upload
from rookery.tasks.interface import Executor
from rookery.tasks.jobs import Job, Stream, parts_path
from rookery.tasks.parts import TaskResult

Progress = Callable[[int, int], object]
Note = Callable[["Ready", Sequence[TaskResult]], object]


class Written(NamedTuple):
    """The result of writing the rows of a plan.

    rows        rows written
    bad         rows, or games, that could not be read
    lines       lines, and rows of tables and of text, that were read; games count in `games`
    games       games read
    failures    messages about files that could not be read to their ends
    """

    rows: int
    bad: int
    lines: int
    games: int
    failures: tuple[str, ...]


NOTHING_WRITTEN: Final = Written(0, 0, 0, 0, ())


class Ready(NamedTuple):
    """A plan whose inputs are known: these, the stage of each, the exchanges, and the schema of the result."""

    inputs: tuple[Input, ...]
    stages: tuple[Stage, ...]
    exchanges: tuple[Exchange, ...]
    schema: Any
    sources: tuple[Any, ...] = ()  # the objects of inputs in memory

    @classmethod
    def of(
        cls,
        inputs: Sequence[Input],
        stages: Sequence[Stage],
        exchanges: Sequence[Exchange] = (),
        sources: Sequence[Any] = (),
    ) -> "Ready":
        """Check that all inputs have the same columns, and that each exchange fits the rows before it."""
        if stages[0].rows is not None:  # which need no Arrow
            schemas = [None] * len(inputs)
        else:
            schemas = [output_schema(one, stage) for one, stage in zip(inputs, stages, strict=True)]
        for one, other in zip(inputs, schemas, strict=True):
            if other is not None and not other.equals(schemas[0]):
                raise ValueError(
                    f"inputs: {one.name}: has the columns {', '.join(other.names)}, {inputs[0].name} "
                    f"{', '.join(schemas[0].names)} (or other types): expected the same columns in all files"
                )
        schema = schemas[0]
        for exchange in exchanges:
            schema = exchange.schema(schema)
        for one, stage in zip(inputs, stages, strict=True):
            _check_reading(one, stage.reading)
        return cls(tuple(inputs), tuple(stages), tuple(exchanges), schema, tuple(sources))

    def content(self, output: Any) -> dict[str, Any]:
        """Return what the parts depend on besides the inputs, as JSON holds it; `output` describes what is written."""
        return {
            "formats": [one.format for one in self.inputs],
            "stages": [stage.content() for stage in self.stages],
            "exchanges": [[one.name, repr(one)] for one in self.exchanges],
            "output": output,
        }

    def job(
        self,
        executor: Executor | str | None,
        threads: int,
        out: str | None,
        output: Any,
        *,
        folder: Path | None = None,
        force: bool,
    ) -> Job:
        """Return the job of the plan; its parts are kept if there is a file `out`, or a `folder` for them."""
        ranges = [
            ranges_of(
                one,
                stage.reading,
                whole_games=one.format == "training" and stage.needs_whole_games,
                in_rows=stage.rows is not None,
                places=stage.choice.sample is not None,
            )
            for one, stage in zip(self.inputs, self.stages, strict=True)
        ]
        kept = folder if out is None else parts_path(out)
        return Job("plan", ranges, executor, threads=threads, folder=kept, options=self.content(output), force=force)

    def read(self, job: Job, suffix: str, progress: Progress = lambda done, total: None) -> Iterator[TaskResult]:
        """Yield the results of the tasks that read the source, in order; their parts have a suffix."""
        files = enumerate(zip(self.inputs, self.stages, strict=True))
        results = job.read(
            stage_part,
            [Source(one, stage, suffix, job.threads, file) for file, (one, stage) in files],
            is_damaged=lambda result: bool(result["failure"]),
            streams=self.streams(job),
            warm_up=WarmUp(self.stages[0].columns, any(one.format == "games" for one in self.inputs)),
            progress=progress,
        )
        first = next(iter(self.exchanges), None)
        results = self._raising(results) if self.stages[0].reading.errors == "raise" else results
        return _with_rows(results, first.most) if isinstance(first, Head) else results

    def _raising(self, results: Iterable[TaskResult]) -> Generator[TaskResult]:
        """Yield results up to the first bad game, which is raised."""
        taken: list[TaskResult] = []
        for one in results:
            taken.append(one)
            if "error" in one.value:
                raise GameErrorException(self.report(taken, "error"))
            yield one

    def report(self, results: Sequence[TaskResult], key: str) -> GameError:
        """Return an error or a warning of the last task, counted from the beginning of its file."""
        last = results[-1]
        source, error = self.inputs[last.file], GameError(*last.value[key])
        lines, games = before(results, "lines")[-1], before(results, "passed")[-1]
        file = renamed(error.file, source.path, source.name) if source.path else error.file
        return error._replace(file=file, game=error.game + games if error.game else 0, line=error.line + lines)

    def streams(self, job: Job) -> dict[int, Stream]:
        """Return the content of inputs in memory, and of files that cannot be divided before they are read."""
        files = list(enumerate(zip(self.inputs, self.stages, strict=True)))
        streams: dict[int, Stream] = {
            file: functools.partial(
                blocks_in_memory, self.sources[file], one, stage.reading_of_games(stage.reading.threads)
            )
            for file, (one, stage) in files
            if not one.path
        }
        streams |= {
            file: functools.partial(stream_of, one, job.inputs[file][0], stage.reading_of_games(stage.reading.threads))
            for file, (one, stage) in files
            if one.path and is_stream(one, job.inputs[file], stage.reading)
        }
        return streams

    @property
    def streamed_schema(self) -> Any:
        """Return the schema of the rows before the exchanges."""
        return output_schema(self.inputs[0], self.stages[0])

    def parts(self, results: Sequence[TaskResult]) -> list[Part]:
        """Return the parts that tasks left, with what must be added to them."""
        return [Part(one.path(one.value["suffix"]), more, one.value["rows"]) for one, more in self.with_added(results)]

    def with_added(self, results: Iterable[TaskResult]) -> Iterator[tuple[TaskResult, tuple[tuple[str, int], ...]]]:
        """Yield results with what must be added to columns of their parts: the games of the file, or all, before."""
        games, in_file = 0, 0
        file = -1
        for one in results:
            if one.file != file:
                file, in_file = one.file, 0
            amounts = {"number": in_file, "game": games}
            columns = self.stages[file].columns if self.inputs[file].knows_games else ()
            yield one, tuple((f.name, amounts[f.asked]) for f in columns if amounts.get(f.asked))
            games, in_file = games + one.value["games"], in_file + one.value["passed"]

    def write(self, job: Job, results: Sequence[TaskResult], out: str, suffix: str, progress: Progress) -> int:
        """Write the rows that tasks left to an output, after the exchanges, and return their number."""
        parts = self.parts(results)
        rows: int = sum(one.value["rows"] for one in results)
        if self.exchanges:
            parts = list(self.exchanged(job, parts).parts)
            rows = numbers_of(parts)[-1]
        group = self.stages[0].row_group
        left = {
            place: EncodeTask(part, suffix, group)
            for place, part in enumerate(parts)
            if part.path.suffix == STREAM and (self.exchanges or part.added) and suffix != ".arrow"
        }
        if not self.exchanges:
            left = {k: task for k, task in left.items() if not outputs.is_left(suffix, results[k].value["rows"], group)}
        running = job.run(
            outputs.encode_part,
            list(left.values()),
            replaces=[task.part.path for task in left.values()],
            progress=lambda done, total: progress(done, total) if total else None,
        )
        for place, done in zip(left, running, strict=True):
            parts[place] = Part(done.path(suffix))
        target = Path(job.folder, "whole") if is_remote(out) else Path(out)
        outputs.join_parts(target, parts, self.schema, suffix, Path(job.folder), group)
        if is_remote(out):
            upload(target, out)
        return rows

    def exchanged(self, job: Job, parts: Sequence[Part]) -> Rows:
        """Return the rows after all exchanges."""
        rows = Rows(self.streamed_schema, tuple(parts))
        for exchange in self.exchanges:
            rows = exchange.run(job, rows)
        return rows

    def written_to(
        self,
        out: str,
        suffix: str,
        executor: Executor | str | None,
        threads: int,
        progress: Progress,
        errors: Any = None,
        *,
        force: bool,
    ) -> Written:
        """Write the plan to an output in one job, and rows that cannot be read to a file `errors`.

        Training data that is damaged is a `DamagedFileError`, and nothing is written.
        """
        job = self.job(executor, threads, out, suffix, force=force)
        with job:
            results = list(self.read(job, STREAM if self.exchanges else suffix, progress))
            training = [one for one in results if self.inputs[one.file].format == "training"]
            if damage := self.failures(training):
                job.discard()
                raise damaged_files(damage)
            rows = self.write(job, results, out, suffix, progress)
            if errors is not None:
                with files.replacing(errors) as file:
                    file.writelines(self.bad_rows(results))
        job.discard()
        bad, games = (sum(one.value[key] for one in results) for key in ("bad", "games"))
        lines = sum(one.value["lines"] for one in results if self.inputs[one.file].format != "games")
        return Written(rows, bad, lines, games, self.failures(results))

    def failures(self, results: Sequence[TaskResult]) -> tuple[str, ...]:
        """Return messages about files that could not be read to their ends."""
        return tuple(dict.fromkeys(one.value["failure"] for one in results if one.value["failure"]))

    def bad_rows(self, results: Sequence[TaskResult]) -> Iterator[bytes]:
        """Yield a line of JSON for each row and game that could not be read."""
        lines, games = before(results, "lines"), before(results, "passed")
        for part, lines_before, games_before in zip(results, lines, games, strict=True):
            if not part.value["bad"]:
                continue
            with DISK.open(part.path(BAD)) as file:
                for row in file:
                    line, text, reason, game = json.loads(row)
                    reason = f"game {game + games_before}: {reason}" if game else reason
                    name = self.inputs[part.file].name
                    document = {"file": name, "line": line + lines_before, "text": text, "reason": reason}
                    yield json.dumps(document, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"


def _check_reading(source: Input, reading: ReadOptions) -> None:
    """Raise a ValueError for options of games of an input that has none, and for a condition that it cannot answer."""
    if source.format == "games":
        return
    for option, value in (("encoding", reading.encoding), ("letters", reading.letters), ("names", reading.names)):
        if value is not None:
            raise ValueError(f"{option}: {shown(value)}: {source.name} has no games: expected files of games")
    condition_of(source, reading.where)


def _with_rows(results: Generator[TaskResult], most: int) -> Iterator[TaskResult]:
    """Yield results until they have some rows, and stop the other tasks."""
    rows = 0
    with contextlib.closing(results):
        for one in results:
            yield one
            rows += one.value["rows"]
            if rows >= most:
                return


def before(results: Sequence[TaskResult], key: str) -> list[int]:
    """Return for each result how many lines, or games of text, earlier ranges of its file have."""
    sums: dict[int, int] = {}
    befores = []
    for one in results:
        befores.append(sums.get(one.file, 0))
        sums[one.file] = befores[-1] + one.value[key]
    return befores


def suffix_of(out: str) -> str:
    """Return the suffix of an output; a ValueError if it is not one of a table."""
    if not out.lower().endswith(outputs.SUFFIXES):
        raise ValueError(f"out: {shown(out)}: expected a name that ends in {', '.join(outputs.SUFFIXES)}")
    return "." + out.lower().rpartition(".")[2]


def batches_of(ready: Ready, executor: Executor | str | None, threads: int, note: Note) -> Iterator[Any]:
    """Yield the record batches of a plan, in order."""
    with contextlib.ExitStack() as stack:
        job = stack.enter_context(ready.job(executor, threads, None, "", force=False))
        results: list[TaskResult] = []
        if ready.exchanges:
            results += ready.read(job, STREAM)
            note(ready, results)
            yield from outputs.batches_of(ready.exchanged(job, ready.parts(results)).parts)
            return
        for one, added in ready.with_added(ready.read(job, "")):
            results.append(one)
            yield from (outputs.with_added(batch, added) for batch in one.value.pop("held"))
        note(ready, results)
