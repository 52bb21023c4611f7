"""Explanations of plans: their steps with predicted rows and seconds, and the actual ones next to them."""

import time
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from rookery.arguments import threads_to_start
from rookery.data.pipeline.outputs import STREAM
from rookery.data.pipeline.parts import stage_part
from rookery.data.pipeline.stages import Source
from rookery.data.plans.exchanging import numbers_of
from rookery.data.plans.running import Ready
from rookery.data.plans.steps import Exchange, Rows
from rookery.data.plans.verbs import Head
from rookery.sources.disk import DISK
from rookery.sources.file_range import FileRange
from rookery.sources.ranges import STANDARD_INPUT
from rookery.tasks.interface import Executor
from rookery.tasks.jobs import Job
from rookery.tasks.parts import RangeTask, TaskFiles, divided, size_of_ranges, streamed

_FILES: Final = 4  # of which the first task is done as a sample
# Of a core for each row, measured with 4 million rows of 84 bytes. Groups take from a fifth of this to four times.
_MICROSECONDS: Final = {"sort": 0.7, "shuffle": 0.4, "unique": 1.5, "group_by": 0.5, "split": 0.1}
_KEEPING: Final = ("sort", "shuffle", "split")  # verbs that change no number of rows


class Step(NamedTuple):
    """A step: its text, the rows after it and the seconds that it took, None where they are not known."""

    text: str
    rows: float | None
    seconds: float | None


def predicted(ready: Ready, texts: list[str], threads: int) -> list[Step]:
    """Return the steps with predictions: the first task of each of a few files is done, and counts for the others."""
    if any(source.path == STANDARD_INPUT for source in ready.inputs):
        raise ValueError("explain: standard input: can be read only once: expected files")
    read = rows = seconds = 0.0
    sampled = total = 0
    with DISK.temporary_folder() as folder, ready.job("threads:1", 1, None, "", force=False) as job:
        streams = ready.streams(job)
        for file, (source, stage) in enumerate(zip(ready.inputs, ready.stages, strict=True)):
            size = size_of_ranges(job.inputs[file]) or 1
            total += size
            if file >= _FILES:
                continue
            options = Source(source, stage, "", 1, file)
            task = _first_task(job, file, options, streams)
            if task is None:
                sampled += size
                continue
            start = time.process_time()
            counts = stage_part(task, TaskFiles(str(folder), file, ""))
            done = _bytes_of(task, job.inputs[file])
            share = size / done if 0 < done < size else 1.0
            if not source.path:
                share = _share_in_memory(ready.sources[file], task.block)
            seconds += share * (time.process_time() - start)
            read, rows = read + share * counts["positions"], rows + share * counts["rows"]
            sampled += size
    scale = total / sampled if sampled else 1.0
    cores = threads_to_start(threads)
    return _steps(texts, ready.exchanges, scale * read, scale * rows, scale * seconds / cores, cores)


def _bytes_of(task: RangeTask, ranges: Sequence[FileRange]) -> int:
    """Return how many bytes of its file a task reads; ranges of tables have about the same size."""
    part = task.part
    in_groups = any(one.rows_before for one in ranges)
    return task.size if task.is_streamed or part.stop is None or in_groups else part.stop - part.start


def _share_in_memory(value: Any, block: Any) -> float:
    """Return how many blocks such as the first one an object in memory has."""
    content = block[0] if isinstance(block, tuple) else block
    size = sum(map(len, content)) if isinstance(content, list) else len(content)
    return len(value) / size if size and hasattr(value, "__len__") else 1.0


def _first_task(job: Job, file: int, options: Source, streams: Any) -> RangeTask | None:
    """Return the first task of a file, None if there is none."""
    ranges = job.inputs[file]
    if file in streams:
        return next((task for task in streamed(ranges[0], options, streams[file]()) if task.block is not None), None)
    return next(divided(ranges, options), None)


def _steps(
    texts: list[str], exchanges: tuple[Exchange, ...], read: float, rows: float, seconds: float, threads: int
) -> list[Step]:
    """Return steps with rows and seconds: those that stream share their seconds, which are those of the last."""
    steps = [Step(texts[0], read, None), *(Step(text, rows, None) for text in texts[1 : len(texts) - len(exchanges)])]
    steps[-1] = steps[-1]._replace(seconds=seconds)
    known: float | None = rows
    for text, exchange in zip(texts[len(steps) :], exchanges, strict=True):
        spent = None if known is None else known * _MICROSECONDS.get(exchange.name, 0.0) / 1e6 / threads
        most = exchange.most if isinstance(exchange, Head) else getattr(exchange, "limit", None)
        if not isinstance(exchange, Head) and exchange.name not in _KEEPING:
            known = None
        elif known is not None and most is not None:
            known = min(known, most)
        steps.append(Step(text, known, spent))
    return steps


def actual(ready: Ready, texts: list[str], executor: Executor | str | None, threads: int) -> list[Step]:
    """Run a plan, and return its steps with the rows and the seconds of each."""
    start = time.perf_counter()
    streaming = len(texts) - len(ready.exchanges)
    with ready.job(executor, threads, None, STREAM, force=False) as job:
        results = list(ready.read(job, STREAM))
        read, rows = (sum(one.value[key] for one in results) for key in ("positions", "rows"))
        steps = [Step(texts[0], read, None), *(Step(text, rows, None) for text in texts[1:streaming])]
        steps[-1] = steps[-1]._replace(seconds=time.perf_counter() - start)
        passed = Rows(ready.streamed_schema, tuple(ready.parts(results)))
        for text, exchange in zip(texts[streaming:], ready.exchanges, strict=True):
            start = time.perf_counter()
            passed = exchange.run(job, passed)
            rows = numbers_of(passed.parts)[-1]
            steps.append(Step(text, rows, time.perf_counter() - start))
    return steps


def table(guesses: list[Step], found: list[Step] | None) -> str:
    """Return steps as a table."""
    heads = ["step", "rows", "seconds"] + (["actual rows", "actual seconds"] if found else [])
    rows = [heads, *(_cells(guess, None if found is None else found[i]) for i, guess in enumerate(guesses))]
    columns = zip(*rows, strict=True)
    widths = [max(map(len, column)) for column in columns]
    return "\n".join(
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip() for row in rows
    )


def _cells(guess: Step, found: Step | None) -> list[str]:
    return [guess.text, *_written(guess, "~"), *(_written(found, "") if found is not None else ())]


def _written(step: Step, sign: str) -> Iterator[str]:
    yield "?" if step.rows is None else f"{sign}{step.rows:,.0f}"
    yield "" if step.seconds is None else f"{sign}{step.seconds:.2f}"
