"""`annotate`: columns about the positions of files, computed by tasks on any executor, joined to one file."""

import contextlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from rookery.arguments import callback, check_path, check_threads, choice, count, shown
from rookery.frames.arrow import pyarrow_module
from rookery.pipeline import outputs
from rookery.pipeline.features import Features, check_without_games, features_of
from rookery.pipeline.inputs import FORMATS, STANDARD_INPUT, Input, describe, ranges_of
from rookery.pipeline.outputs import STREAM, Encoding, Part
from rookery.pipeline.parts import Plan, Task, WarmUp, annotate_part, bad_path, output_schema, part_path
from rookery.sources import files
from rookery.sources.disk import DISK
from rookery.sources.failures import ChangedFileError
from rookery.sources.identity import changes_explained, check_all
from rookery.sources.ranges import before_damage
from rookery.sources.stores import is_remote, upload
from rookery.sources.streams import expanded
from rookery.tasks import Journal, finish, open_executor, parts_folder, parts_path
from rookery.tasks.interface import Executor

_VERSION: Final = 5  # of what the columns, the parts and the division into tasks are


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
    as ``s3://``, if fsspec is installed. Other columns are kept. Of games, the table has a row for the
    position after every `every`-th half-move, with the columns ``file``, ``number`` (of the game in its file, from 1),
    ``ply`` and the FEN.

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
    report = callback("progress", progress)
    plan = Plan(features_of(features), _name("fen", fen), count("every", every, 1), outputs.ROW_GROUP, "")
    check_threads(threads)
    if source is not None:
        choice("source", source, {name: name for name in FORMATS})
    out = _output(out)
    if errors is not None:
        check_path("errors", errors)
        files.check_place("errors", errors)
    paths = _paths(inputs)
    with contextlib.ExitStack() as stack:
        opened = stack.enter_context(open_executor(executor if executor is not None else f"threads:{threads}"))
        described = [describe(path, None if source == "table" else source, fen) for path in paths]
        if not all(one.format == "games" for one in described):
            check_without_games(plan.features)
        schema = _common_schema(described, plan)
        identities = {one.path: one.identity for one in described if one.identity is not None}
        folder = _folder(out, described, stack)
        stack.push(lambda kind, *_: DISK.remove_tree(folder) if kind is ChangedFileError else None)
        stack.enter_context(changes_explained(identities))
        plan = plan._replace(folder=str(folder), has_games=any(one.format == "games" for one in described))
        tasks = _tasks(described, plan, _suffix(out), threads)
        work = {
            "command": "annotate",
            "version": _VERSION,
            "inputs": [[one.path, one.format, *(one.identity or ())] for one in described],
            "tasks": len(tasks),
            "features": [[f.name, f.type, f.expression] for f in plan.features],
            "columns": schema.names,
            "fen": fen,
            "every": every,
            "output": _suffix(out),
        }
        journal = stack.enter_context(Journal(folder / "journal", work))
        stack.push(lambda *_: None if journal.results else DISK.remove_tree(folder))
        _perform(tasks, _suffix(out), journal, opened, report)
        check_all(identities)  # only the rows of these parts are used from here on
        first = len(tasks)
        tasks, results = _up_to_damage(tasks, journal)
        target = folder / "whole" if is_remote(out) else Path(out)
        parts = _encode(tasks, results, _suffix(out), journal, first, opened, report)
        outputs.join_parts(target, parts, schema, _suffix(out), folder, plan.row_group)
        if is_remote(out):
            upload(target, out)
        if errors is not None:
            with files.replacing(errors) as file:
                for row in _bad_rows(folder, tasks, results):
                    file.write(row)
        stack.close()
        DISK.remove_tree(folder)
    failures = dict.fromkeys(result["failure"] for result in results if result["failure"])
    rows, bad, games = (sum(result[key] for result in results) for key in ("rows", "bad", "games"))
    lines = sum(result["lines"] for task, result in zip(tasks, results, strict=True) if task.input.format != "games")
    return Annotated(rows, bad, lines, games, tuple(failures))


def _name(name: str, value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise TypeError(f"{name}: {shown(value)}: expected the name of a column")
    return value


def _output(out: Any) -> str:
    check_path("out", out)
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


def _folder(out: str, described: list[Input], stack: contextlib.ExitStack) -> Path:
    """Return the folder of the work, which exists."""
    if any(one.path == STANDARD_INPUT for one in described) or (not is_remote(out) and files.is_stream(out)):
        return stack.enter_context(DISK.temporary_folder())  # nothing to go on from
    return parts_folder(_place_of_parts(out)).absolute()


def _place_of_parts(out: str) -> str:
    """Return the local path next to which the parts of an output are kept."""
    return out.rpartition("/")[2] if is_remote(out) else out


def goes_on(out: str | os.PathLike[str]) -> bool:
    """Return whether interrupted work has kept parts, so that the same call of `annotate` goes on from there."""
    return parts_path(_place_of_parts(os.fsdecode(out))).exists()


def _tasks(described: list[Input], plan: Plan, encoding: str, threads: int) -> list[Task]:
    parts = [(file, one, part) for file, one in enumerate(described) for part in ranges_of(one)]
    each = max(1, threads // max(len(parts), 1))
    made: list[Task] = []
    for number, (file, one, part) in enumerate(parts):
        # The numbers of games in a later range of a file depend on the ranges before.
        is_later = one.format == "games" and number > 0 and parts[number - 1][0] == file
        made.append(Task(number, file, one, part, plan, STREAM if is_later else encoding, each))
    return made


def _perform(
    tasks: list[Task],
    encoding: str,
    journal: Journal,
    executor: Executor,
    progress: Callable[[int, int], object],
) -> None:
    """Do the tasks that are not in the journal."""
    for task in tasks:  # standard input is read here
        if task.input.path == STANDARD_INPUT:
            journal.add(task.number, annotate_part(task))
    folder = tasks[0].plan.folder

    def is_kept(number: int) -> bool:
        path = part_path(folder, number, journal.results[number]["suffix"])
        return path.exists() or outputs.encoded_path(path, encoding).exists()

    for _ in finish(
        executor,
        annotate_part,
        tasks,
        journal,
        folder,
        is_kept=is_kept,
        warm_up=WarmUp(tasks[0].plan),
        progress=progress,
    ):
        pass


def _up_to_damage(tasks: list[Task], journal: Journal) -> tuple[list[Task], list[dict[str, Any]]]:
    """Return the tasks that count, without those behind damage in the same file, and their results."""
    results = [journal.results[task.number] for task in tasks]
    are_read = before_damage([task.file for task in tasks], [bool(result["failure"]) for result in results])
    return [t for t, is_read in zip(tasks, are_read, strict=True) if is_read], [
        result for result, is_read in zip(results, are_read, strict=True) if is_read
    ]


def _before(tasks: list[Task], results: list[dict[str, Any]], key: str) -> list[int]:
    """Return for each task how many lines, or games of text, earlier ranges of its file have."""
    sums: dict[int, int] = {}
    found = []
    for task, result in zip(tasks, results, strict=True):
        found.append(sums.get(task.file, 0))
        sums[task.file] = found[-1] + result[key]
    return found


def _bad_rows(folder: Path, tasks: list[Task], results: list[dict[str, Any]]) -> Iterator[bytes]:
    lines, games = (_before(tasks, results, key) for key in ("lines", "passed"))
    for task, lines_before, games_before in zip(tasks, lines, games, strict=True):
        path = bad_path(str(folder), task.number)
        if path.exists():
            with DISK.open(path) as file:
                for row in file:
                    line, text, reason, game = json.loads(row)
                    reason = f"game {game + games_before}: {reason}" if game else reason
                    document = {"file": task.input.name, "line": line + lines_before, "text": text, "reason": reason}
                    yield json.dumps(document, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"


def _encode(
    tasks: list[Task],
    results: list[dict[str, Any]],
    encoding: str,
    journal: Journal,
    first: int,
    executor: Executor,
    progress: Callable[[int, int], object],
) -> list[Part]:
    """Encode parts of games that are streams because of the games before them, and return all parts.

    This is done by tasks that have numbers from `first` on in the journal.
    """
    plan = tasks[0].plan
    parts, left = [], []
    for task, result, games in zip(tasks, results, _before(tasks, results, "passed"), strict=True):
        part = Part(part_path(plan.folder, task.number, result["suffix"]), games if task.encoding == STREAM else 0)
        if task.encoding == STREAM and not outputs.is_left(encoding, result["rows"], plan.row_group):
            left.append(Encoding(part, encoding, plan.row_group, plan.folder))
            part = Part(outputs.encoded_path(part.path, encoding))
        parts.append(part)
    for _ in finish(
        executor,
        outputs.encode_part,
        left,
        journal,
        plan.folder,
        first=first,
        is_kept=lambda i: outputs.encoded_path(left[i].part.path, encoding).exists(),
        progress=lambda done, total: progress(first + done, first + total) if total else None,
    ):
        pass
    return parts
