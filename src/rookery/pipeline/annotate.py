"""`annotate`: columns about the positions of files, computed by tasks on any executor, joined to one file."""

import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, Final, NamedTuple

from rookery import files
from rookery.arguments import callback, choice, count, shown
from rookery.arrow_tables import pyarrow_module
from rookery.games.sources.streams import expanded
from rookery.pipeline import outputs
from rookery.pipeline.features import Features, check_without_games, features_of
from rookery.pipeline.inputs import FORMATS, STANDARD_INPUT, Input, describe, spans
from rookery.pipeline.outputs import Part
from rookery.pipeline.parts import Plan, Task, WarmUp, annotate_part, bad_path, output_schema, part_path
from rookery.positions.threads import check_threads
from rookery.stores import is_remote, upload
from rookery.tasks import Journal, finish, open_executor, parts_folder

_VERSION: Final = 2  # of what the columns, the parts and the division into tasks are


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
    errors: str | os.PathLike[str] | None = None,
    executor: Executor | str | None = None,
    threads: int = 1,
    progress: Callable[[int, int], object] | None = None,
) -> Annotated:
    r"""Write a table of the positions of files with columns about each: features for data science and learning.

    `inputs` are files of FEN or EPD text, CSV, JSON lines, Parquet or Arrow with a column of FENs, called `fen`, or of
    games, packed or not; ``"-"`` is standard input. The content of a file says which; `source` says it where that is
    not clear: ``"fen"``, ``"csv"``, ``"jsonl"``, ``"table"`` or ``"games"``. Paths may have the scheme of a store, such
    as ``s3://``, if fsspec is installed. Other columns are kept. Of games, the table has the columns ``game`` (from 0),
    ``ply`` and the FEN of the positions after every `every`-th half-move.

    `features` are names in `rookery.pipeline.features.FEATURES` such as ``legal_moves``, or expressions of the query
    language, ``"legal_moves, pawns=count(us.pawns)"``. `out` ends in ``.parquet``, ``.arrow`` or ``.csv``. Rows that
    cannot be read are left out, counted, and written to the file `errors` as lines of JSON.

    The work is done by tasks in `threads` threads, or on `executor` (see `rookery.perft`), and their results are kept
    in the folder ``OUT.parts`` until all are done. If the work is interrupted, the same call goes on from there; the
    file is the same byte for byte. `progress` is called with the number of finished tasks and of all.

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
    told = callback("progress", progress)
    plan = Plan(features_of(features), _name("fen", fen), count("every", every, 1), outputs.ROW_GROUP, "")
    check_threads(threads)
    if source is not None:
        choice("source", source, {name: name for name in FORMATS})
    out = _output(out)
    if errors is not None:
        files.check_path("errors", errors)
        files.check_place("errors", errors)
    paths = _paths(inputs)
    with contextlib.ExitStack() as stack:
        opened = stack.enter_context(open_executor(executor if executor is not None else f"threads:{threads}"))
        described = [describe(path, None if source == "table" else source, fen) for path in paths]
        if not all(one.format == "games" for one in described):
            check_without_games(plan.features)
        schema = _common_schema(described, plan)
        folder = _folder(out, described, stack)
        plan = plan._replace(folder=str(folder))
        tasks = _tasks(described, plan, _suffix(out), threads)
        work = {
            "command": "annotate",
            "version": _VERSION,
            "inputs": [[one.path, one.format, one.size, str(one.state)] for one in described],
            "features": [[f.name, f.type, f.expression] for f in plan.features],
            "columns": schema.names,
            "fen": fen,
            "every": every,
            "output": _suffix(out),
        }
        journal = stack.enter_context(Journal(folder / "journal", work))
        _perform(tasks, journal, opened, told)
        results = [journal.results[task.number] for task in tasks]
        target = folder / "whole" if is_remote(out) else Path(out)
        parts = _parts(folder, tasks, results)
        outputs.join_parts(target, parts, schema, _suffix(out), folder, plan.row_group)
        if is_remote(out):
            upload(target, out)
        if errors is not None:
            with files.replacing(errors) as file:
                for row in _bad_rows(folder, tasks, results):
                    file.write(row)
        stack.close()
        shutil.rmtree(folder, ignore_errors=True)
    failures = dict.fromkeys(result["failure"] for result in results if result["failure"])
    rows, bad, lines, games = (sum(result[key] for result in results) for key in ("rows", "bad", "lines", "games"))
    return Annotated(rows, bad, lines, games, tuple(failures))


def _name(name: str, value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise TypeError(f"{name}: {shown(value)}: expected the name of a column")
    return value


def _output(out: Any) -> str:
    files.check_path("out", out)
    path = os.fsdecode(out)
    if not path.lower().endswith(outputs.SUFFIXES):
        raise ValueError(f"out: {shown(path)}: expected a name that ends in {', '.join(outputs.SUFFIXES)}")
    if not is_remote(path):
        files.check_place("out", path)
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
        files.check_path(f"inputs[{i}]", one)
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


def _folder(out: str, described: list[Input], stack: contextlib.ExitStack) -> Path:
    """Return the folder of the work, which exists."""
    if any(one.path == STANDARD_INPUT for one in described) or (not is_remote(out) and files.is_stream(out)):
        return Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="rookery-")))  # nothing to go on from
    return parts_folder(out.rpartition("/")[2] if is_remote(out) else out)


def _tasks(described: list[Input], plan: Plan, encoding: str, threads: int) -> list[Task]:
    parts = [(one, *span) for one in described for span in spans(one)]
    each = max(1, threads // max(len(parts), 1))
    made = []
    for number, (one, start, stop) in enumerate(parts):
        # The numbers of games depend on the files before: the coordinator encodes them.
        moves = number > 0 and one.format == "games"
        made.append(Task(number, one, start, stop, plan, ".arrow" if moves else encoding, each))
    return made


def _perform(
    tasks: list[Task],
    journal: Journal,
    executor: Executor,
    progress: Callable[[int, int], object],
) -> None:
    """Do the tasks that are not in the journal."""
    for task in tasks:  # standard input is read here
        if task.input.path == STANDARD_INPUT:
            journal.add(task.number, annotate_part(task))
    folder = tasks[0].plan.folder
    for _ in finish(
        executor,
        annotate_part,
        tasks,
        journal,
        folder,
        is_kept=lambda number: part_path(folder, number, journal.results[number]["suffix"]).exists(),
        warm_up=WarmUp(tasks[0].plan),
        progress=progress,
    ):
        pass


def _before(tasks: list[Task], results: list[dict[str, Any]], key: str) -> list[int]:
    """Return for each task how many lines, or games, earlier tasks of its file have, or of all files."""
    sums: dict[Any, int] = {}
    found = []
    for task, result in zip(tasks, results, strict=True):
        place = task.input.path if key == "lines" else ""
        found.append(sums.get(place, 0))
        sums[place] = found[-1] + result[key]
    return found


def _bad_rows(folder: Path, tasks: list[Task], results: list[dict[str, Any]]) -> Iterator[bytes]:
    for task, before in zip(tasks, _before(tasks, results, "lines"), strict=True):
        path = bad_path(str(folder), task.number)
        if path.exists():
            with path.open("rb") as file:
                for line in file:
                    row = json.loads(line)
                    row["line"] += before
                    yield json.dumps(row, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"


def _parts(folder: Path, tasks: list[Task], results: list[dict[str, Any]]) -> list[Part]:
    found = []
    for task, result, games in zip(tasks, results, _before(tasks, results, "games"), strict=True):
        before = games if task.input.format == "games" else 0
        found.append(Part(part_path(str(folder), task.number, result["suffix"]), before))
    return found
