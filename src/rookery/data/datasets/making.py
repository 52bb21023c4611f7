"""`make_dataset`: games or training data become a dataset, by a plan with the usual steps.

`Plan.write_dataset` is the sink of this plan, and any other plan may have it.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final, Literal

from rookery.aliases import PolicyLayout
from rookery.arguments import check_path, check_threads, choice, count, flag, shown, text
from rookery.data.datasets.manifest import Manifest
from rookery.data.datasets.options import Options, checked_options, checked_shards
from rookery.data.datasets.own_columns import check_names
from rookery.data.datasets.writing import UNFINISHED as UNFINISHED
from rookery.data.datasets.writing import Progress as Progress
from rookery.data.datasets.writing import Watch
from rookery.data.pipeline.features import DIVIDERS, Features, column_of, named_columns
from rookery.data.pipeline.inputs import LABELS, Input, describe
from rookery.data.plans.plan import Plan, Scan
from rookery.data.plans.steps import Select
from rookery.data.training.formats import format_of as training_format
from rookery.games.read.options import ReadOptions
from rookery.positions.language.query import Query
from rookery.sources.identity import identity_of
from rookery.sources.stores import absolute, is_remote, size_of
from rookery.sources.streams import check_source, expanded
from rookery.tasks.exchange import fractions_of
from rookery.tasks.interface import Executor

_BY: Final = {by: by for by in DIVIDERS}
_MOST_SEED: Final = (1 << 63) - 1


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
    every: int = 1,
    sort: str | None = None,
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
    move.captures and abs(eval) < 10"``, and of games each `every`-th half-move counts. If there are more than
    `max_positions` positions, a random sample of that size is kept, which `seed` decides. Training data has no headers:
    with `where` or the options of PGN it is a ValueError.

    All this is a plan with the usual verbs, whose text is ``plan`` in the manifest: `Plan.write_dataset` makes datasets
    of any other plan.

    A row is a position with the move that was played or found best, the result and the score. Rows without the `value`
    to be learnt, ``"result"`` or ``"eval"``, and unless `policy` is None those without a move, are dropped and counted.
    If no position has the value, a ValueError says so. `planes` and `policy` are what `open_dataset` makes of rows;
    they may be changed there.

    `columns` are own columns of rows, by name and expression, as `rookery.annotate` takes features:
    ``{"elo": "elo(us)", "clock": "clock(us)"}``. Numbers with a fraction are float32, and so are those that a header
    may lack, NaN where one is missing. Texts, such as ``"White"``, come as arrays of str. With `history`
    each row has up to 7 earlier positions of its game, 32 bytes each, for the planes of `open_dataset`.

    `split` is the fractions of train, validation and test. Rows are divided by a hash of their games, that is, of the
    first position and all moves, so equal games are on one side in whatever file they are, with any seed. In training
    data a game ends where the plies do not grow or the result changes. ``by="position"`` divides by position instead,
    ``"date"`` by the date of the game, and ``"player"`` by the player to move, as `Plan.split` does.

    With `unique` each position occurs once, the first in the inputs; pieces, side to move, castling rights and legal en
    passant count, and are compared in full. Without it, positions of the opening are in several splits. With
    ``targets="mean"`` the row says what all rows of its position say: ``count``, ``wins``, ``draws`` and ``losses`` of
    the side to move, ``mean_score``, the means of own columns of floats, and the most frequent move; `value` is learnt
    from these. The rest is that of the first row. With `shuffle` all rows are in random order, which `seed` decides,
    and with `sort` in the order of a column or an expression, ``"-ply"`` for the greatest first; else in that of the
    inputs. `shards` is how many parts the rows have, by default one for half a million.

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
    options = checked_options(planes, policy, value, history, targets)
    number, share = checked_shards(shards), choice("by", by, _BY)
    check_path("folder", folder)
    check_threads(threads)
    if not callable(watch):
        raise TypeError(f"watch: {shown(watch)}: expected a function of a Progress")
    again, seed = flag("force", force), count("seed", seed, 0, _MOST_SEED)
    reading = ReadOptions(where=where, encoding=encoding, letters=letters, names=names)
    plan = _selected(plan_of(source, format, reading), query, every, columns)
    if flag("unique", unique):
        plan = plan.unique()
    elif targets == "mean":
        raise ValueError("targets: 'mean': expected unique, which finds the rows of one position")
    if max_positions is not None:
        plan = plan.sample(count("max_positions", max_positions, 1), seed=seed)
    if sort is not None:
        plan = _sorted(plan, text("sort", sort, "the name of a column or an expression"))
    if flag("shuffle", shuffle):
        plan = plan.shuffle(seed)
    plan = plan.split(*fractions_of(split), by=share)
    return written(plan, options, folder, number, executor, threads, watch, force=again)


def plan_of(source: Any, format: str | None, reading: ReadOptions) -> Plan:
    """Return a plan of files of games or of training data, which the suffix of each file says, or `format`."""
    inputs = _inputs_of(source, format)
    return Plan(Scan(inputs, _format_in(inputs, format), reading, "fen"))


def written(
    plan: Plan,
    options: Options,
    folder: Any,
    shards: int | None,
    executor: Executor | str | None,
    threads: int,
    watch: Watch,
    *,
    force: bool,
) -> Manifest:
    """Write a plan as a dataset, and return its manifest; `watch` is called with a `Progress` after each task."""
    return plan._as_dataset(options, threads).write(folder, shards, executor, threads, watch, None, force=force)


def _selected(plan: Plan, query: "Query | str | None", every: int, columns: "Features | None") -> Plan:
    """Return a plan with the positions and the own columns that are asked for."""
    step = count("every", every, 1)
    if query is not None or step > 1:
        plan = plan.positions(query, every=step)
    pairs = [] if columns is None else named_columns(columns, "columns")
    for name, expression in pairs:
        if not isinstance(name, str) or not isinstance(expression, str):
            raise TypeError(f"columns: {shown({name: expression})}: expected texts")
        _check_expression("columns", expression)
    check_names((name for name, _ in pairs), "columns")
    return plan.select(*(f"{name}={expression}" for name, expression in pairs)) if pairs else plan


def _sorted(plan: Plan, sort: str) -> Plan:
    """Return a plan in the order of a column or an expression, from the greatest on after a minus."""
    name = sort.removeprefix("-")
    if not name:
        raise ValueError(f"sort: {shown(sort)}: expected the name of a column or an expression")
    is_own = any(name in dict(step.columns) for step in plan._steps if isinstance(step, Select))
    if not is_own:
        _check_expression("sort", name)
    return plan.sort(name, descending=sort.startswith("-"))


def _check_expression(label: str, expression: str) -> None:
    """Raise an error that names an argument if its expression is not one."""
    try:
        column_of(expression, expression)
    except (TypeError, ValueError) as error:
        raise type(error)(str(error).replace("features", label, 1)) from error


def _inputs_of(source: Any, format: str | None) -> tuple[Input, ...]:
    """Return the files of a source: of games, or of training data in a format."""
    found: list[Input] = []
    for i, file in enumerate(expanded(source)):
        if not isinstance(file, (str, os.PathLike)):
            raise TypeError(f"source[{i}]: {shown(file)}: expected a path")
        path = os.fsdecode(file)
        training = _training_format(path, format)
        if training is None:
            check_source(path)
            found.append(describe(path, "games", "fen"))
            continue
        if is_remote(path):
            size_of(path)  # raises the error of a file that is missing
        elif not Path(path).is_file():
            Path(path).stat()  # raises the right error
            raise ValueError(f"source[{i}]: {shown(path)}: expected a file")
        whole = absolute(path)
        found.append(Input(path, whole, "training", training, identity_of(whole), None))
    if not found:
        raise ValueError("source: no files: expected at least one")
    return tuple(found)


def _format_in(inputs: Sequence[Input], format: str | None) -> str | None:
    """Return the format under which `scan` reads all inputs, if it must be named."""
    are_labels = all(one.format == "training" and one.packing in ("csv", "text") for one in inputs)
    return LABELS if are_labels else format


def _training_format(path: str, format: str | None) -> str | None:
    if format is not None and text("format", format, "the name of a format") == "games":
        return None
    try:
        return training_format(format, "source", path).name
    except ValueError:
        if format is not None:
            raise
        return None
