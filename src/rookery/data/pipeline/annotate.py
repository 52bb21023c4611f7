"""`annotate`: columns about the positions of files, computed by tasks on any executor, joined to one file."""

import functools
import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rookery.arguments import callback, check_path, choice, count, flag, shown
from rookery.data.pipeline import outputs
from rookery.data.pipeline.features import Features, check_without_games, features_of
from rookery.data.pipeline.inputs import FORMATS, Input, describe, is_stream, ranges_of, stream_of
from rookery.data.pipeline.outputs import STREAM, EncodeTask, Part
from rookery.data.pipeline.parts import BAD, Plan, Source, WarmUp, annotate_part, output_schema, reading_of, suffix_of
from rookery.frames.arrow import pyarrow_module
from rookery.games.read.options import ReadOptions
from rookery.sources import files
from rookery.sources.disk import DISK
from rookery.sources.ranges import STANDARD_INPUT
from rookery.sources.stores import is_remote, upload
from rookery.sources.streams import expanded
from rookery.tasks.interface import Executor
from rookery.tasks.jobs import Job, parts_path
from rookery.tasks.parts import TaskResult


class Annotated(NamedTuple):
    """The result of `annotate`.

    rows        rows written
    bad         rows, or games, that could not be read
    lines       lines and rows of tables that were read; games count in `games`
    games       games read
    failures    messages about files that could not be read to their ends
    """

    rows: int
    bad: int
    lines: int
    games: int
    failures: tuple[str, ...]


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
    as ``s3://``, if fsspec is installed. Other columns are kept. Of games, the table has a row for the
    position after every `every`-th half-move, with the columns ``file``, ``number`` (of the game in its file, from 1),
    ``ply`` and the FEN. `encoding` and `letters` are those of games in PGN, as in `rookery.read_pgn`.

    `features` are names in `rookery.data.pipeline.features.FEATURES` such as ``legal_moves``, or expressions of the
    query language, ``"legal_moves, pawns=count(us.pawns)"``. `out` ends in ``.parquet``, ``.arrow`` or ``.csv``. Rows
    that cannot be read are left out, counted, and written to the file `errors` as lines of JSON.

    The work is done by tasks in `threads` threads, or on `executor` (see `rookery.perft`), and their results are kept
    in the folder ``OUT.parts`` until all are done. If the work is interrupted, the same call goes on from there; the
    file is the same byte for byte. Parts of other work are refused, unless `force` removes them. `progress` is called
    with the bytes of the files that are done and of all.

    Raises ValueError or TypeError for a wrong argument and OSError for files that cannot be read or written.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
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
    plan = Plan(features_of(features), _name("fen", fen), count("every", every, 1), outputs.ROW_GROUP)
    plan = plan._replace(reading=ReadOptions(encoding=encoding, letters=letters, threads=threads))
    flag("force", force)
    if source is not None:
        choice("source", source, {name: name for name in FORMATS})
    out = _output(out, errors)
    described = [describe(path, None if source == "table" else source, fen) for path in _paths(inputs)]
    plan = _checked(plan, described)
    schema, suffix = _common_schema(described, plan), _suffix(out)
    outputs.check_types(suffix, schema)
    options = {
        "formats": [one.format for one in described],
        "features": [[f.name, f.type, f.expression] for f in plan.features],
        "columns": schema.names,
        "fen": fen,
        "every": every,
        "reading": plan.reading.content(),
        "output": suffix,
        "row_group": plan.row_group,
    }
    ranges = [ranges_of(one, plan.reading) for one in described]
    job = Job("annotate", ranges, executor, threads=threads, folder=parts_path(out), options=options, force=force)
    with job:
        parts = _read(job, described, plan, suffix, report)
        encoded = _encode(job, described, parts, suffix, plan.row_group, report)
        _write(job, encoded, out, schema, suffix, plan.row_group)
        if errors is not None:
            with files.replacing(errors) as file:
                file.writelines(_bad_rows(parts, described))
    job.discard()
    return _result(parts, described)


def _checked(plan: Plan, inputs: list[Input]) -> Plan:
    """Return the plan for some inputs, or raise an error if it needs games and some inputs have none."""
    others = [one.name for one in inputs if one.format != "games"]
    if others:
        check_without_games(plan.features)
        for option, value in (("encoding", plan.reading.encoding), ("letters", plan.reading.letters)):
            if value is not None:
                raise ValueError(f"{option}: {shown(value)}: {others[0]} has no games: expected files of games")
    return plan._replace(has_games=len(others) < len(inputs))


def _read(
    job: Job, inputs: list[Input], plan: Plan, suffix: str, progress: Callable[[int, int], object]
) -> list[TaskResult]:
    """Read all inputs, and return what became of their ranges."""
    of_games = reading_of(plan, plan.reading.threads)
    streams = {
        file: functools.partial(stream_of, one, parts[0], of_games)
        for file, (one, parts) in enumerate(zip(inputs, job.inputs, strict=True))
        if is_stream(one, parts, plan.reading)
    }
    reading = job.read(
        annotate_part,
        [Source(one, plan, suffix, job.threads) for one in inputs],
        is_damaged=lambda result: bool(result["failure"]),
        streams=streams,
        warm_up=WarmUp(plan),
        progress=progress,
    )
    return list(reading)


def _write(job: Job, parts: list[Part], out: str, schema: Any, suffix: str, row_group: int) -> None:
    """Join the encoded parts to the output."""
    target = Path(job.folder, "whole") if is_remote(out) else Path(out)
    outputs.join_parts(target, parts, schema, suffix, Path(job.folder), row_group)
    if is_remote(out):
        upload(target, out)


def _result(parts: list[TaskResult], inputs: list[Input]) -> Annotated:
    results = [part.value for part in parts]
    failures = dict.fromkeys(result["failure"] for result in results if result["failure"])
    rows, bad, games = (sum(result[key] for result in results) for key in ("rows", "bad", "games"))
    lines = sum(part.value["lines"] for part in parts if inputs[part.file].format != "games")
    return Annotated(rows, bad, lines, games, tuple(failures))


def _name(name: str, value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise TypeError(f"{name}: {shown(value)}: expected the name of a column")
    return value


def _output(out: Any, errors: Any) -> str:
    """Return the path of the output, after a check of both paths."""
    check_path("out", out)
    path = os.fsdecode(out)
    if not path.lower().endswith(outputs.SUFFIXES):
        raise ValueError(f"out: {shown(path)}: expected a name that ends in {', '.join(outputs.SUFFIXES)}")
    if not is_remote(path):
        files.check_place("out", path)
    if errors is not None:
        check_path("errors", errors)
        files.check_place("errors", errors)
    return path


def _suffix(out: str) -> str:
    return "." + out.lower().rpartition(".")[2]


def _paths(inputs: Any) -> list[str]:
    if isinstance(inputs, (str, os.PathLike)):
        inputs = [inputs]
    elif not isinstance(inputs, (list, tuple)):
        raise TypeError(f"inputs: {shown(inputs)}: expected a path or a list of paths")
    paths: list[str] = []
    for i, one in enumerate(inputs):
        check_path(f"inputs[{i}]", one)
        if one == STANDARD_INPUT or is_remote(one):
            paths.append(str(one))
        else:
            paths += [os.fsdecode(path) for path in expanded(one)]
    if not paths:
        raise ValueError("inputs: no files: expected at least one")
    return paths


def _common_schema(described: list[Input], plan: Plan) -> Any:
    """Return the schema of the output, or raise a ValueError if two inputs have different columns."""
    schemas = [output_schema(one, plan) for one in described]
    for one, schema in zip(described, schemas, strict=True):
        if not schema.equals(schemas[0]):
            raise ValueError(
                f"inputs: {one.name}: has the columns {', '.join(schema.names)}, {described[0].name} "
                f"{', '.join(schemas[0].names)} (or other types): expected the same columns in all files"
            )
    return schemas[0]


def _before(parts: list[TaskResult], key: str) -> list[int]:
    """Return for each part how many lines, or games of text, earlier ranges of its file have."""
    sums: dict[int, int] = {}
    befores = []
    for part in parts:
        befores.append(sums.get(part.file, 0))
        sums[part.file] = befores[-1] + part.value[key]
    return befores


def _bad_rows(parts: list[TaskResult], inputs: list[Input]) -> Iterator[bytes]:
    lines, games = (_before(parts, key) for key in ("lines", "passed"))
    for part, lines_before, games_before in zip(parts, lines, games, strict=True):
        if not part.value["bad"]:
            continue
        with DISK.open(part.path(BAD)) as file:
            for row in file:
                line, text, reason, game = json.loads(row)
                reason = f"game {game + games_before}: {reason}" if game else reason
                name = inputs[part.file].name
                document = {"file": name, "line": line + lines_before, "text": text, "reason": reason}
                yield json.dumps(document, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"


def _encode(
    job: Job,
    inputs: list[Input],
    parts: list[TaskResult],
    suffix: str,
    row_group: int,
    progress: Callable[[int, int], object],
) -> list[Part]:
    """Encode parts of games that are streams because of the games before them, and return all parts."""
    encoded: list[Part] = []
    left: dict[int, EncodeTask] = {}  # by their place
    for part, games in zip(parts, _before(parts, "passed"), strict=True):
        is_later = suffix_of(part.part, inputs[part.file], suffix) == STREAM
        one = Part(part.path(part.value["suffix"]), games if is_later else 0)
        if is_later and not outputs.is_left(suffix, part.value["rows"], row_group):
            left[len(encoded)] = EncodeTask(one, suffix, row_group)
        encoded.append(one)
    running = job.run(
        outputs.encode_part,
        list(left.values()),
        replaces=[task.part.path for task in left.values()],
        progress=lambda done, total: progress(done, total) if total else None,
    )
    for place, done in zip(left, running, strict=True):
        encoded[place] = Part(done.path(suffix))
    return encoded
