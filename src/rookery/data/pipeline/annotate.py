"""`annotate`: columns about the positions of files, computed by tasks on any executor, joined to one file."""

import os
from collections.abc import Callable, Sequence
from typing import Any

from rookery.arguments import callback, check_path, choice, count, flag, shown
from rookery.data.pipeline import outputs
from rookery.data.pipeline.features import Feature, Features, check_without_games, column_of, features_of
from rookery.data.pipeline.inputs import FORMATS, Input, agreed, columns_in, describe, paths_of
from rookery.data.pipeline.stages import Choice, Stage
from rookery.data.plans.running import Ready, Written, suffix_of
from rookery.frames.arrow import pyarrow_module
from rookery.games.read.options import ReadOptions
from rookery.sources import files
from rookery.sources.stores import is_remote
from rookery.tasks.interface import Executor


class Annotated(Written):
    """The result of `annotate`, with the fields of `Written`."""

    __slots__ = ()


def annotate(
    inputs: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    features: Features,
    *,
    fen: str = "fen",
    source: str | None = None,
    every: int = 1,
    encoding: str | None = None,
    letters: str | None = None,
    names: Any = None,
    errors: str | os.PathLike[str] | None = None,
    executor: Executor | str | None = None,
    threads: int = 1,
    progress: Callable[[int, int], object] | None = None,
    force: bool = False,
) -> Annotated:
    r"""Write a table of the positions of files with columns about each: features for data science and learning.

    `inputs` are files of FEN or EPD text, CSV, JSON lines, Parquet or Arrow with a column of FENs, called `fen`, or of
    games, packed or not; ``"-"`` is standard input. The content of a file says which; `source` says it where that is
    not clear: ``"fen"``, ``"csv"``, ``"jsonl"``, ``"table"`` or ``"games"``. Paths may have the scheme of a store, such
    as ``s3://``, if fsspec is installed. Other columns are kept; in CSV, columns whose first values are all numbers are
    columns of numbers. Of games, the table has a row for the position after every `every`-th half-move, with the
    columns ``file``, ``number`` (of the game in its file, from 1), ``ply`` and the FEN. `encoding`, `letters` and
    `names` are those of games in PGN, as in `rookery.read_pgn`.

    `features` are names in `rookery.data.pipeline.features.FEATURES` such as ``legal_moves``, or expressions of the
    query language, ``"legal_moves, pawns=count(us.pawns)"``. `out` ends in ``.parquet``, ``.arrow``, ``.csv`` or
    ``.jsonl``. Rows that cannot be read are left out, counted, and written to the file `errors` as lines of JSON.

    The work is done by tasks in `threads` threads, or on `executor` (see `rookery.perft`), and their results are kept
    in the folder ``OUT.parts`` until all are done. If the work is interrupted, the same call goes on from there; the
    file is the same byte for byte. Parts of other work are refused, unless `force` removes them. `progress` is called
    with the bytes of the files that are done and of all.

    Raises ValueError or TypeError for a wrong argument and OSError for files that cannot be read or written.

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "fens.txt").write_text("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\nbad\n")
    >>> annotate(folder / "fens.txt", folder / "out.csv", "legal_moves")
    Annotated(rows=1, bad=1, lines=2, games=0, failures=())
    >>> print((folder / "out.csv").read_text())
    "fen","legal_moves"
    "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1",6
    <BLANKLINE>
    """
    pyarrow_module()
    report = callback("progress", progress)
    added = features_of(features)
    reading = ReadOptions(encoding=encoding, letters=letters, names=names, threads=threads)
    stage = Stage(
        choice=Choice(every=count("every", every, 1)),
        fen=_name("fen", fen),
        row_group=outputs.ROW_GROUP,
        reading=reading,
    )
    flag("force", force)
    if source is not None:
        choice("source", source, {name: name for name in FORMATS})
    out = _output(out, errors)
    given = None if source == "table" else source
    described = agreed([describe(path, given, fen) for path in paths_of(inputs, "inputs")])
    if not all(one.knows_games for one in described):
        check_without_games(added)
    stages = [stage._replace(columns=(*_own_columns(one, fen, added), *added)) for one in described]
    ready = Ready.of(described, stages)
    suffix = suffix_of(out)
    outputs.check_types(suffix, ready.schema)
    return Annotated(*ready.written_to(out, suffix, executor, threads, report, errors, force=force))


def _own_columns(source: Input, fen: str, features: tuple[Feature, ...]) -> tuple[Feature, ...]:
    """Return the columns that a table has besides the features."""
    columns = tuple(Feature(name, "") for name in columns_in(source, fen))
    if source.knows_games:
        columns = (*(column_of(name, name) for name in ("file", "number", "ply")), column_of(fen, "fen"))
    names = [column.name for column in columns]
    for feature in features:
        if feature.name in names:
            raise ValueError(
                f"features: {feature.name!r}: is a column of {source.name}: give it another name, as in "
                f"other={feature.expression or feature.name}"
            )
    return columns


def _name(name: str, value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise TypeError(f"{name}: {shown(value)}: expected the name of a column")
    return value


def _output(out: Any, errors: Any) -> str:
    """Return the path of the output, after a check of both paths."""
    check_path("out", out)
    path = os.fsdecode(out)
    suffix_of(path)
    if not is_remote(path):
        files.check_place("out", path)
    if errors is not None:
        check_path("errors", errors)
        files.check_place("errors", errors)
    return path
