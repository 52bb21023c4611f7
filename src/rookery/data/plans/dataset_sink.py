"""The sink of a plan that writes a dataset for training."""

import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, Self

from rookery.aliases import PolicyLayout
from rookery.arguments import callback, check_path, check_threads, flag
from rookery.data.pipeline.features import POSITION
from rookery.data.pipeline.packed_rows import Packing
from rookery.data.pipeline.training_rows import RowsMade
from rookery.data.plans.running import Ready
from rookery.data.plans.steps import Select, Step
from rookery.data.plans.verb_methods import VerbMethods
from rookery.data.plans.verbs import Unique
from rookery.frames.arrow import pyarrow_module
from rookery.lazy_imports import modules_later
from rookery.sources import files
from rookery.tasks.interface import Executor

if TYPE_CHECKING:
    from rookery.data.datasets import manifest, options, own_columns, writing
else:
    manifest, options, own_columns, writing = modules_later(
        "rookery.data.datasets", "manifest options own_columns writing"
    )

_MEANS = {"count": "count", "results": "results(us)", "mean_score": "mean(score)", "move": "mode(word move)"}


class DatasetMethods:
    """The sink of a plan that writes a dataset."""

    __slots__ = ()
    _steps: tuple[Step, ...]

    def _ready(
        self, threads: int, *, games: bool = False, packing: Packing | None = None, rows: RowsMade | None = None
    ) -> Ready:
        raise NotImplementedError

    def write_dataset(
        self,
        folder: str | os.PathLike[str],
        *,
        planes: Iterable[str] | str = "default",
        policy: PolicyLayout | None = "alphazero",
        value: Literal["result", "eval"] | None = "result",
        history: int = 0,
        targets: Literal["first", "mean"] = "first",
        shards: int | None = None,
        executor: Executor | str | None = None,
        threads: int = 1,
        errors: str | os.PathLike[str] | None = None,
        progress: Callable[[int, int], object] | None = None,
        force: bool = False,
    ) -> "manifest.Manifest":
        """Write the rows as a dataset for training: a folder of shards, which `rookery.open_dataset` reads.

        A row is a position with the move that was played or found best, the result and the score. Columns of `select`
        are own columns of the rows: numbers, sets, conditions, and texts. Rows without the `value` to be learnt,
        ``"result"`` or ``"eval"``, and unless `policy` is None those without a move, are dropped and counted. If no
        position has the value, a ValueError says so. `planes` and `policy` are what `open_dataset` makes of rows; they
        may be changed there. With `history` each row has up to 7 earlier positions of its game. Positions without
        games, such as FENs, need ``policy=None`` and ``value=None``.

        The last `split` of the plan divides the rows into train, validation and test; without it all are in train.
        With ``targets="mean"`` a plan with `unique` describes all rows of each position: see `rookery.make_dataset`.
        `shards` is how many parts the rows have, by default one for half a million. Return the manifest. A folder that
        has this dataset already is left alone, and another one is refused, unless `force` replaces it. A file that is
        damaged or cut short is a `DamagedFileError`, and no dataset is made.

        >>> import tempfile, rookery
        >>> folder = tempfile.mkdtemp() + "/dataset"
        >>> plan = scan("docs/lichess-2025-05.pgn.zst").positions("not is_check").select("White", elo="elo(us)")
        >>> plan.unique().shuffle(1).split(0.8, 0.2).write_dataset(folder).rows
        {'train': 518, 'validation': 61}
        >>> batch = next(iter(rookery.open_dataset(folder, batch=2)))
        >>> batch.columns["elo"].dtype
        dtype('float32')
        """
        asked = options.checked_options(planes, policy, value, history, targets)
        number = options.checked_shards(shards)
        report, again = callback("progress", progress), flag("force", force)
        check_path("folder", folder)
        if errors is not None:
            check_path("errors", errors)
            files.check_place("errors", errors)
        return self._as_dataset(asked, check_threads(threads)).write(
            folder,
            number,
            executor,
            threads,
            lambda made: report(made.done, made.total) if made.what == "reading" else None,
            errors,
            force=again,
        )

    def _as_dataset(self, asked: "options.Options", threads: int) -> "writing.Writing":
        """Return what writes the plan as a dataset."""
        packing = Packing(asked.limits, asked.history)
        names = [name for step in self._steps if isinstance(step, Select) for name, _ in step.columns]
        own_columns.check_names((name for name in names if name != "*"), "select")
        ready = self._ready(threads, packing=packing)
        if asked.targets == "mean":
            types, schema = pyarrow_module().types, ready.streamed_schema
            floats = [name for name in names if name in schema.names and types.is_floating(schema.field(name).type)]
            ready = self._with_means(floats)._ready(threads, packing=packing)
        return writing.Writing.of(ready, repr(self), asked)

    def _with_means(self, columns: list[str]) -> Self:
        """Return the plan with what `unique` says about all rows of a position, and the means of some columns."""
        plan: Any = self
        by_position = [
            i
            for i, step in enumerate(self._steps)
            if isinstance(step, Unique) and [name.partition(" ")[2] for name in step.by] == [POSITION]
        ]
        if not by_position:
            raise ValueError("targets: 'mean': expected unique, which finds the rows of one position")
        step = self._steps[by_position[-1]]
        assert isinstance(step, Unique)
        assert isinstance(plan, VerbMethods)
        given = {name for one in step.aggregates for name in one.columns}
        means = {name: f"mean({name})" for name in columns if name not in given}
        made, hidden = plan._aggregates((), {**_MEANS, **means})
        step = replace(step, aggregates=(*step.aggregates, *made), hidden=(*step.hidden, *hidden))
        steps = list(self._steps)
        steps[by_position[-1]] = step
        return type(plan)(plan._source, tuple(steps))  # type: ignore[attr-defined, call-arg, return-value]
