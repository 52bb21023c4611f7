"""The first half of making a dataset: a part of the inputs becomes files of rows, sorted by the shard they belong to.

Each row goes to a shard by a hash: of its position if positions are deduplicated, so that equal ones meet, or else of
its place in the inputs. A file of rows keeps the order of the inputs within a shard.
"""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.bits import mixed
from rookery.data.datasets.inputs import Outcome, Part, Read, read
from rookery.data.datasets.options import Options
from rookery.data.datasets.rows import ROW, packed, row_dtype, words_of
from rookery.data.encoders.histories import Histories
from rookery.data.pipeline.features import values_of
from rookery.data.training import limits
from rookery.games.read.on_executor import StreamBlock
from rookery.tasks.exchange import Scatter, records, splits_of
from rookery.tasks.parts import RangeTask, TaskFiles

_FLUSH: Final = 1 << 19  # rows of a file at least, if there are more
UNSTORABLE: Final = "position that cannot be stored"


def placed_dtype(row: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype of a row with the hash that orders it and the number of its split."""
    return np.dtype([("row", row), ("order", "<u8"), ("split", "u1")])


class Source(NamedTuple):
    """The work of a file's tasks: its index, name, format of training data or None, and the options of the dataset."""

    file: int
    name: str
    format: str | None
    options: Options
    shards: int
    threads: int


def make_part(task: RangeTask, parts: TaskFiles) -> dict[str, Any]:
    """Write the rows of a part of the inputs, and return what is in them as JSON holds it.

    The options of the task are a `Source`. ``counts`` are the numbers of games and positions read, selected and
    dropped; ``files`` has for each file the index of its first row of each shard, and their number. ``names`` are the
    names of files of games, by the index that rows have, and ``passed`` is the number of games of text.
    """
    source: Source = task.options
    counts: dict[str, int] = {"games": 0, "bad games": 0, "positions": 0}
    names: dict[str, int] = {}
    outcome = Outcome()
    dtype = placed_dtype(row_dtype(source.options))
    scatter = Scatter(parts, records(dtype), source.shards, _FLUSH * dtype.itemsize)
    block: StreamBlock | None = (task.block or ([], {"failures": []})) if task.is_streamed else None
    part = Part(task.part, source.file, task.number, source.format, block, source.name)
    outcome.damage += [task.failure] if task.failure else []
    for placed in parts.while_running(_placed(part, source, counts, names, outcome)):
        scatter.add(placed, placed["order"])
    scatter.flush()
    return {
        "counts": counts,
        "files": scatter.offsets,
        "damage": outcome.damage,
        "bad rows": outcome.bad_rows,
        "names": list(names),
        "passed": outcome.passed,
    }


def _placed(
    part: Part, source: Source, counts: dict[str, int], names: dict[str, int], outcome: Outcome
) -> Iterator[NDArray[Any]]:
    """Yield rows with the hashes that order them, and their splits."""
    options = source.options
    reasons = _limits(options, part.format is not None)
    seed = np.uint64(mixed(np.uint64(options.seed)))
    dtype = placed_dtype(row_dtype(options))
    for found in read(part, options, source.threads, outcome):
        counts["games"] += found.number_of_games
        counts["bad games"] += found.bad_games
        counts["positions"] += len(found.rows)
        index = _kept(found, reasons, counts)
        rows = found.rows[index]
        stored = packed(rows)
        keep = stored["position"][:, 0] != 0
        if not keep.all():
            counts[UNSTORABLE] = counts.get(UNSTORABLE, 0) + int(np.count_nonzero(~keep))
            index, rows, stored = index[keep], rows[keep], stored[keep]
        out = np.zeros(index.size, dtype)
        stored["number"] = found.numbers[index]
        stored["file"] = np.array([names.setdefault(name, len(names)) for name in found.files.names] or [0], np.uint32)[
            found.files.codes[index]
        ]
        if dtype["row"] == ROW:
            out["row"] = stored
        else:
            for name in ROW.names or ():
                out["row"][name] = stored[name]
            _add_own(out["row"], found, index, source)
        keys = rows.positions.keys() if options.unique or options.by == "position" else None
        out["order"] = mixed((keys if options.unique and keys is not None else found.places[index]) ^ seed)
        games = mixed(keys) if options.by == "position" and keys is not None else found.games[index]
        out["split"] = splits_of(games, options.split)
        if out.size:
            yield out


def _add_own(rows: NDArray[Any], found: Read, index: NDArray[np.intp], source: Source) -> None:
    """Write the own columns of some rows, and the earlier positions of their games."""
    options = source.options
    if options.columns and found.positions is not None:
        asked = [column.expression for column in options.columns]
        values = values_of(asked, found.positions[index], source.threads)
        for column, numbers in zip(options.columns, values, strict=True):
            rows[column.name] = numbers
    if options.history:
        words = words_of(found.rows.positions)
        repeated = Histories(found.rows.positions, found.begin, index).repeated
        for k in range(options.history + 1):
            earlier = index - k
            known = earlier >= found.begin[index]
            if k:
                rows["earlier"][known, k - 1] = words[earlier[known]]
            rows["repeated"][known] |= repeated[earlier[known]].astype(np.uint8) << np.uint8(k)


def _limits(options: Options, training: bool) -> list[limits.Limit]:
    """Return the reasons to drop rows: without the value or the move that is to be learnt."""
    found = {"result": [limits.NO_RESULT], "eval": [limits.NO_SCORE], None: []}[options.value]
    if options.policy is not None:
        found = [limits.NO_MOVE, *found]
    return [*found, limits.ILLEGAL] if training else found  # the reader has checked the moves of games


def _kept(found: Read, reasons: list[limits.Limit], counts: dict[str, int]) -> NDArray[np.intp]:
    """Return the rows to keep, and count the others by the first reason to drop them."""
    keep = np.ones(len(found.rows), np.bool_) if found.selected is None else found.selected.copy()
    if found.selected is not None:
        counts["not selected"] = counts.get("not selected", 0) + int(np.count_nonzero(~keep))
    limits.drop(found.rows, reasons, counts, keep)
    return np.flatnonzero(keep)
