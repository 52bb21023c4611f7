"""The sinks of a plan: files that appear when they are complete, and tables in memory."""

import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from rookery.arguments import callback, check_path, check_threads, count, flag, shown
from rookery.data.pipeline import outputs
from rookery.data.pipeline.features import TRAINING_ROW
from rookery.data.pipeline.outputs import PGN
from rookery.data.pipeline.training_rows import RowsMade
from rookery.data.plans import training
from rookery.data.plans.dataset_sink import DatasetMethods
from rookery.data.plans.running import Ready, Written, batches_of
from rookery.data.plans.steps import Choose, Select
from rookery.data.training.formats import format_of
from rookery.data.training.selection import RowSelection
from rookery.data.training.stats import RowCounter, TrainingStats, checked_bins
from rookery.data.training.writing import NoResult, NoScore, WrittenRows
from rookery.frames.arrow import pandas_frame, polars_frame, pyarrow_module
from rookery.lazy_imports import Named
from rookery.sources import files
from rookery.sources.failures import DamagedFileWarning, damaged_files
from rookery.sources.stores import is_remote
from rookery.tasks.interface import Executor
from rookery.tasks.parts import TaskResult

if TYPE_CHECKING:
    import pandas
    import polars
else:
    pandas, polars = Named("pandas"), Named("polars")

_MOST_ROWS: Final = 1 << 24  # of a batch


class SinkMethods(DatasetMethods):
    """The sinks of a plan.

    All take an `executor`, as `rookery.perft` does, or a number of `threads`; what they write or return is the same.
    Files are made of parts, which are kept in the folder ``PATH.parts`` until all are done: after an interruption, the
    same call goes on from there. Parts of other work are refused, unless `force` removes them. `progress` is called
    with the bytes of the source that are done, and of all. Rows and games that cannot be read are counted, in a warning
    and in the result, and written as lines of JSON to the file `errors`. Files write nothing of training data that is
    damaged or cut short: that is a `DamagedFileError`.
    """

    __slots__ = ()

    def _selecting(self, columns: tuple[tuple[str, str], ...]) -> "SinkMethods":
        raise NotImplementedError

    def collect(self, *, executor: Executor | str | None = None, threads: int = 1) -> Any:
        """Return all rows as an Arrow table.

        >>> scan("docs/lichess-2025-05.pgn.zst").select("ply", "Result").collect().schema.types
        [DataType(int32), DataType(string)]
        """
        ready = self._ready(check_threads(threads))
        return pyarrow_module().Table.from_batches(batches_of(ready, executor, threads, _note), ready.schema)

    def batches(
        self, rows: int = 1 << 16, *, executor: Executor | str | None = None, threads: int = 1
    ) -> Iterator[Any]:
        """Yield all rows as Arrow record batches of as many `rows`; the last one may have fewer.

        Only a few parts of the source are in memory, unless a verb needs all rows.

        >>> plan = scan("docs/lichess-2025-05.pgn.zst").select("ply", "fen")
        >>> [batch.num_rows for batch in plan.batches(300)]
        [300, 300, 45]
        """
        size = count("rows", rows, 1, _MOST_ROWS)
        ready = self._ready(check_threads(threads))
        return _in_batches(batches_of(ready, executor, threads, _note), ready.schema, size)

    def to_polars(self, *, executor: Executor | str | None = None, threads: int = 1) -> "polars.DataFrame":
        """Return all rows as a data frame of Polars.

        >>> scan("docs/lichess-2025-05.pgn.zst").positions("is_mate").select("ply").to_polars().shape
        (1, 1)
        """
        return polars_frame(self.collect(executor=executor, threads=threads))

    def to_pandas(self, *, executor: Executor | str | None = None, threads: int = 1) -> "pandas.DataFrame":
        """Return all rows as a data frame of pandas.

        >>> scan("docs/lichess-2025-05.pgn.zst").positions("is_mate").select("ply").to_pandas().shape
        (1, 1)
        """
        return pandas_frame(self.collect(executor=executor, threads=threads))

    def write(
        self,
        path: str | os.PathLike[str],
        *,
        executor: Executor | str | None = None,
        threads: int = 1,
        errors: str | os.PathLike[str] | None = None,
        progress: Callable[[int, int], object] | None = None,
        force: bool = False,
    ) -> Written:
        """Write the rows to a file whose name says the format: .parquet, .arrow, .csv or .jsonl; .pgn as `write_pgn`.

        >>> import tempfile
        >>> plan = scan("docs/lichess-2025-05.pgn.zst").positions("is_check").select("ply", "fen")
        >>> plan.write(f"{tempfile.mkdtemp()}/checks.csv")
        Written(rows=24, bad=0, lines=0, games=12, failures=())
        """
        return self._to(path, (*outputs.SUFFIXES, PGN), executor, threads, errors, progress, force)

    def write_parquet(
        self,
        path: str | os.PathLike[str],
        *,
        executor: Executor | str | None = None,
        threads: int = 1,
        errors: str | os.PathLike[str] | None = None,
        progress: Callable[[int, int], object] | None = None,
        force: bool = False,
    ) -> Written:
        """Write the rows as Parquet, packed by zstd.

        >>> import tempfile
        >>> plan = scan("docs/lichess-2025-05.pgn.zst").positions("is_check").select("ply", "fen")
        >>> plan.write_parquet(f"{tempfile.mkdtemp()}/checks.parquet")
        Written(rows=24, bad=0, lines=0, games=12, failures=())
        """
        return self._to(path, (".parquet",), executor, threads, errors, progress, force)

    def write_arrow(
        self,
        path: str | os.PathLike[str],
        *,
        executor: Executor | str | None = None,
        threads: int = 1,
        errors: str | os.PathLike[str] | None = None,
        progress: Callable[[int, int], object] | None = None,
        force: bool = False,
    ) -> Written:
        """Write the rows as an Arrow file.

        >>> import tempfile
        >>> plan = scan("docs/lichess-2025-05.pgn.zst").positions("is_check").select("ply", "fen")
        >>> plan.write_arrow(f"{tempfile.mkdtemp()}/checks.arrow")
        Written(rows=24, bad=0, lines=0, games=12, failures=())
        """
        return self._to(path, (".arrow",), executor, threads, errors, progress, force)

    def write_csv(
        self,
        path: str | os.PathLike[str],
        *,
        executor: Executor | str | None = None,
        threads: int = 1,
        errors: str | os.PathLike[str] | None = None,
        progress: Callable[[int, int], object] | None = None,
        force: bool = False,
    ) -> Written:
        """Write the rows as CSV; missing values are empty.

        >>> import tempfile
        >>> plan = scan("docs/lichess-2025-05.pgn.zst").positions("is_check").select("ply", "fen")
        >>> plan.write_csv(f"{tempfile.mkdtemp()}/checks.csv")
        Written(rows=24, bad=0, lines=0, games=12, failures=())
        """
        return self._to(path, (".csv",), executor, threads, errors, progress, force)

    def write_jsonl(
        self,
        path: str | os.PathLike[str],
        *,
        executor: Executor | str | None = None,
        threads: int = 1,
        errors: str | os.PathLike[str] | None = None,
        progress: Callable[[int, int], object] | None = None,
        force: bool = False,
    ) -> Written:
        """Write the rows as lines of JSON; missing values are null.

        >>> import tempfile
        >>> plan = scan("docs/lichess-2025-05.pgn.zst").positions("is_check").select("ply", "fen")
        >>> plan.write_jsonl(f"{tempfile.mkdtemp()}/checks.jsonl")
        Written(rows=24, bad=0, lines=0, games=12, failures=())
        """
        return self._to(path, (".jsonl",), executor, threads, errors, progress, force)

    def write_pgn(
        self,
        path: str | os.PathLike[str],
        *,
        executor: Executor | str | None = None,
        threads: int = 1,
        errors: str | os.PathLike[str] | None = None,
        progress: Callable[[int, int], object] | None = None,
        force: bool = False,
    ) -> Written:
        """Write the games that have a position of the plan as PGN, whole and as they are in the source.

        The plan must have no `select` and no verb that needs all rows; its source must be games.

        >>> import tempfile
        >>> plan = scan("docs/lichess-2025-05.pgn.zst").positions("is_mate")
        >>> plan.write_pgn(f"{tempfile.mkdtemp()}/mates.pgn").rows
        1
        """
        return self._to(path, (PGN,), executor, threads, errors, progress, force)

    def _to(
        self,
        path: Any,
        suffixes: tuple[str, ...],
        executor: Executor | str | None,
        threads: int,
        errors: Any,
        progress: Any,
        force: Any,
    ) -> Written:
        """Write the plan to a file with one of some suffixes, and return what was written."""
        check_path("path", path)
        out = os.fsdecode(path)
        if not out.lower().endswith(suffixes):
            raise ValueError(f"path: {shown(out)}: expected a name that ends in {', '.join(suffixes)}")
        if not is_remote(out):
            files.check_place("path", out)
        suffix, report = "." + out.lower().rpartition(".")[2], callback("progress", progress)
        if suffix == PGN and not all(isinstance(step, Choose) for step in self._steps):
            raise ValueError("write_pgn: writes whole games: expected a plan of where and positions alone")
        if errors is not None:
            check_path("errors", errors)
            files.check_place("errors", errors)
        ready = self._ready(check_threads(threads), games=suffix == PGN)
        if suffix != PGN:
            outputs.check_types(suffix, ready.schema)
        written = ready.written_to(out, suffix, executor, threads, report, errors, force=flag("force", force))
        _warn(written.failures, written.bad)
        return written

    def write_training(
        self,
        path: str | os.PathLike[str],
        format: str | None = None,
        *,
        no_result: NoResult = "drop",
        no_score: NoScore = "drop",
        skip: int = 0,
        every: int = 1,
        limit_score: int | None = None,
        executor: Executor | str | None = None,
        threads: int = 1,
        errors: str | os.PathLike[str] | None = None,
        progress: Callable[[int, int], object] | None = None,
        force: bool = False,
    ) -> WrittenRows:
        """Write the rows as training data: position, move, score, result and ply.

        `format` is the name of a format, by default that of the path; `no_result` and `no_score` are as in
        `rookery.write_training`, and so is the result; `skip`, `every` and `limit_score` are as in
        `rookery.read_training`. The source is games, whose evaluations are the scores, training data, or text with
        scores. The plan must have no `select`, and no verb that makes other columns.

        >>> import tempfile
        >>> plan = scan("docs/lichess-2025-05.pgn.zst").positions("not is_check and ply > 16")
        >>> plan.write_training(f"{tempfile.mkdtemp()}/rows.plain").written
        52
        """
        read = self._write_rows(
            path,
            format,
            no_result=no_result,
            no_score=no_score,
            limit_score=limit_score,
            skip=skip,
            every=every,
            executor=executor,
            threads=threads,
            errors=errors,
            progress=progress,
            force=force,
        )
        if read.failures:
            raise damaged_files(read.failures)
        _warn((), read.bad_games + read.bad_rows)
        assert read.written is not None
        return read.written

    def _write_rows(
        self,
        path: Any,
        format: str | None,
        *,
        no_result: Any,
        no_score: Any,
        limit_score: int | None,
        skip: int,
        every: int,
        keeps_empty: bool = True,
        executor: Executor | str | None,
        threads: int,
        errors: Any,
        progress: Any,
        force: Any,
    ) -> training.RowsRead:
        """Write the rows as training data, and return what was read and written."""
        check_path("path", path)
        out = os.fsdecode(path)
        found = format_of(format, "path", out, written=True)
        selection = RowSelection(skip=skip, every=every, limit_score=limit_score)
        made = RowsMade("rows", found.name, no_result, no_score, selection.limit_score).checked()
        target = training.Target(out, found, made, selection.skip, selection.every, keeps_empty)
        if errors is not None:
            check_path("errors", errors)
            files.check_place("errors", errors)
        report, anew = callback("progress", progress), flag("force", force)
        ready = self._ready_for_rows("write_training", "writes", target.stage, threads)
        return training.write_rows(ready, target, executor, threads, report, errors, force=anew)

    def stats(
        self,
        *,
        score_bin: int = 100,
        ply_bin: int = 10,
        executor: Executor | str | None = None,
        threads: int = 1,
    ) -> TrainingStats:
        """Count the rows as training data: see `rookery.training_stats`, which has the same bins.

        The source is as in `write_training`; the plan must have no `select`, and no verb that makes other columns. Rows
        that cannot be read are counted in a warning.

        >>> stats = scan("docs/lichess-2025-05.pgn.zst").positions("not is_check").stats()
        >>> stats.rows, stats.white_results["won"]
        (621, 191)
        """
        score_width, ply_width = checked_bins(score_bin, ply_bin)
        counter, read = self._count_rows(executor=executor, threads=threads)
        _warn(read.failures, read.bad_games + read.bad_rows)
        return counter.stats(score_width, ply_width)

    def _count_rows(
        self, *, executor: Executor | str | None, threads: int, errors: Any = None, progress: Any = None
    ) -> tuple[RowCounter, training.RowsRead]:
        """Count the rows as training data, and return what was read, too."""
        ready = self._ready_for_rows("stats", "counts", RowsMade("counts"), threads)
        return training.count_rows(ready, executor, threads, callback("progress", progress), errors)

    def _ready_for_rows(self, sink: str, does: str, made: RowsMade, threads: int) -> Ready:
        """Return the plan of rows of training data, for a sink that does something with them."""
        if any(isinstance(step, Select) for step in self._steps):
            raise ValueError(f"{sink}: {does} rows, not columns: expected a plan without select")
        plan = self if not self._exchanges() else self._selecting(tuple((name, name) for name in TRAINING_ROW))
        ready = plan._ready(check_threads(threads), rows=made)
        if ready.exchanges and tuple(ready.schema.names) != tuple(TRAINING_ROW):
            raise ValueError(f"{sink}: a verb makes other columns: expected rows of positions")
        return ready

    def _exchanges(self) -> bool:
        """Check whether verbs need all rows."""
        return not all(isinstance(step, (Choose, Select)) for step in self._steps)


def _in_batches(batches: Iterator[Any], schema: Any, size: int) -> Iterator[Any]:
    """Yield rows in batches of `size`."""
    pa = pyarrow_module()
    held: list[Any] = []
    rows = 0

    def joined(table: Any) -> Any:
        return table.combine_chunks().to_batches()[0]

    for batch in batches:
        held.append(batch)
        rows += batch.num_rows
        if rows < size:
            continue
        table = pa.Table.from_batches(held, schema)
        while rows >= size:
            yield joined(table.slice(0, size))
            table, rows = table.slice(size), rows - size
        held = table.to_batches()
    if rows:
        yield joined(pa.Table.from_batches(held, schema))


def _note(ready: Ready, results: Sequence[TaskResult]) -> None:
    _warn(ready.failures(results), sum(one.value["bad"] for one in results))


def _warn(failures: Sequence[str], bad: int) -> None:
    """Warn about what could not be read."""
    for failure in failures:
        warnings.warn(failure, DamagedFileWarning, stacklevel=4)
    if bad:
        what = f"{bad} {'row or game' if bad == 1 else 'rows or games'} could not be read to the end"
        warnings.warn(what, DamagedFileWarning, stacklevel=4)
