"""Tables of the page on scaling: what executors cost, a model of many workers, its check, and its predictions.

All constants come from the recorded ``benchmarks/executors.py``, except those named under ``ASSUMED``.
"""

import json
from pathlib import Path
from typing import Any, Final, NamedTuple

import thread_tables
from rookery.counting.weighted import task_size

_RECORD: Final = Path(__file__).resolve().parents[1] / "benchmarks" / "executors.json"
ASSUMED: Final = {"disk": 2e9, "network": 1.25e9}  # bytes per second, of all workers together: not measured here
_GAMES: Final = 1_200_000_000  # of a year of Lichess
_MONTHS: Final = 12
_WEIGHTED_TASK: Final = 246  # positions of the task that was measured
_ENGINE: Final = "dask:2"  # whose costs the predictions use, the largest ones


class Count(NamedTuple):
    """A count by distinct positions: published numbers of leaves, sequences and positions, and of the ply before."""

    depth: int
    plies: int
    leaves: int
    sequences: int
    positions: int
    before: int


# Each with the numbers of cores for which it is predicted.
COUNTS: Final = (
    (Count(12, 7, 62_854_969_236_701_747, 3_195_901_860, 96_400_068, 9_417_681), (2, 64, 1024)),
    (Count(12, 8, 62_854_969_236_701_747, 84_998_978_956, 988_187_354, 96_400_068), (2, 64, 1024)),
    (Count(13, 8, 1_981_066_775_000_396_239, 84_998_978_956, 988_187_354, 96_400_068), (1, 16, 256, 4096)),
)
_DEPTHS: Final = {3_195_901_860: 7, 84_998_978_956: 8}  # of the recorded count, by its leaves
_BRANCHES: Final = 27  # moves of a position some plies after the start


class Work(NamedTuple):
    """What the model knows of a piece of work: seconds of one core, tasks, and bytes."""

    before: float  # seconds of the coordinator alone, before tasks begin
    cores: float
    tasks: int
    disk: float = 0.0
    network: float = 0.0
    start: float = 0.0


def predicted(work: Work, workers: int, task_seconds: float) -> tuple[float, str]:
    """Return the seconds on so many workers, and the part that decides them."""
    longest = work.cores / work.tasks
    busy = work.cores / min(workers, work.tasks)
    parts = {
        "cores" if workers <= work.tasks else "tail: fewer tasks than workers": busy,
        "coordinator and scheduler": work.tasks * task_seconds,
        "disk": work.disk / ASSUMED["disk"],
        "network": work.network / ASSUMED["network"],
        "finding the positions": work.before,
        "tail": longest if workers <= work.tasks else 0.0,
    }
    # Positions are found before the tasks begin, and the last task ends alone; the others overlap.
    overlapping = [part for name, part in parts.items() if name not in ("finding the positions", "tail")]
    return work.start + work.before + max(overlapping) + parts["tail"], max(parts, key=lambda name: parts[name])


def _record() -> dict[str, Any]:
    record: dict[str, Any] = json.loads(_RECORD.read_text(encoding="utf-8"))
    return record


def _row(record: dict[str, Any], name: str) -> dict[str, Any]:
    row: dict[str, Any] = next(row for row in record["executors"] if row["executor"] == name)
    return row


def engines() -> str:
    """Return the recorded times of the executors."""
    record = _record()
    machine = record["machine"]
    rows = [
        f"perft({_DEPTHS[record['leaves']]}) from the start in {record['perft_tasks']} tasks, and a search for mates "
        f"in {record['megabytes']} MB "
        f"of PGN in {record['search_tasks']}, on {machine['cores']} cores of an {machine['cpu']} "
        f"({machine['llvm_cpu']}), {machine['date']}. Rounds in which all took turns: {record['rounds']}. Ratios are "
        f"to `threads:2`; start-up, with the compiled code loaded, is not in them:",
        "",
        "| executor | start, s | perft, s | ratio | search, s | ratio | empty task, ms | CPU of the coordinator, ms |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    rows += [
        f"| `{row['executor']}` | {row['start_seconds']:.1f} | {row['perft_seconds']:.2f} | {row['perft_ratio']:.2f} | "
        f"{row['search_seconds']:.2f} | {row['search_ratio']:.2f} | {row['task_ms']:.2f} "
        f"| {row['coordinator_ms']:.2f} |"
        for row in record["executors"]
    ]
    c = record["constants"]
    rows += [
        "",
        f"A pickled task has {c['counting_task_bytes']} bytes for a part of a perft, {c['search_task_bytes']} for a "
        f"range of a file, and {c['weighted_task_bytes']:,} for {_WEIGHTED_TASK} distinct positions. "
        f"Merging one result takes {c['merge_ms']:.2f} ms, of which {c['merge_cpu_ms']:.2f} ms are CPU time and the "
        f"rest waits for the disk.",
    ]
    return "\n".join(rows)


def check() -> str:
    """Return what the model says about this machine, and what was measured."""
    record = _record()
    rows = ["| work | executor | workers | predicted, s | measured, s | error |", "|---|---|---:|---:|---:|---:|"]
    one = _row(record, "threads:1")
    for what, alone in (("perft", record["alone_seconds"]), ("search", one["search_seconds"])):
        for row in record["executors"]:
            workers = 1 if row["executor"] == "threads:1" else 2
            if what == "search" and workers == 1:
                continue  # the constant itself
            work = Work(0.0, alone, record[f"{what}_tasks"])
            found = predicted(work, workers, row["task_ms"] / 1e3)[0] if workers > 1 else alone
            measured = row[f"{what}_seconds"]
            rows.append(
                f"| {what} | `{row['executor']}` | {workers} | {found:.2f} | {measured:.2f} "
                f"| {(found - measured) / measured:+.0%} |"
            )
    return "\n".join(rows)


def _count(record: dict[str, Any], count: Count) -> Work:
    c = record["constants"]
    size = task_size(count.depth - count.plies)
    tasks = -(-count.positions // size)
    moves = count.before * _BRANCHES
    return Work(
        before=moves / c["references_a_second"],
        cores=count.leaves / count.sequences * count.positions / c["leaves_a_second"],
        tasks=tasks,
        network=tasks * size / _WEIGHTED_TASK * c["weighted_task_bytes"],
        start=_row(record, _ENGINE)["start_seconds"],
    )


def _task_seconds(record: dict[str, Any], *, merged: bool) -> float:
    merge = record["constants"]["merge_ms"] if merged else 0.0
    return float(_row(record, _ENGINE)["task_ms"] + merge) / 1e3


def _time(seconds: float) -> str:
    for unit, size in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 1.5 * size:
            return f"{seconds / size:,.1f} {unit}"
    return f"{seconds:.0f} s"


def counts() -> str:
    """Return the predictions for perft(12) and perft(13)."""
    record = _record()
    c = record["constants"]
    lines, rows = [], ["| count | plies | cores | predicted | decided by |", "|---|---:|---:|---:|---|"]
    for count, workers in COUNTS:
        work = _count(record, count)
        disk = count.positions * c["bytes_a_position"] / 1e9
        references = count.before * _BRANCHES * 6 / 1e9
        lines.append(
            f"- perft({count.depth}) = {count.leaves:,}, by {count.positions:,} distinct positions after {count.plies} "
            f"plies: {work.cores / 3600:,.0f} core-hours in {work.tasks:,} tasks of {work.cores / work.tasks:.1f} s, "
            f"{disk:.1f} GB of positions on disk and {references:.1f} GB of moves while they are found."
        )
        for n in workers:
            seconds, part = predicted(work, n, _task_seconds(record, merged=True))
            rows.append(f"| perft({count.depth}) | {count.plies} | {n:,} | {_time(seconds)} | {part} |")
    return "\n".join([*lines, "", *rows])


def lichess() -> str:
    """Return the predictions for a year of Lichess."""
    record = _record()
    c = record["constants"]
    size = _GAMES * c["bytes_a_game"]
    written = {
        "search": 0.0,
        "Parquet": _GAMES * c["parquet_bytes_a_game"],
        "data set": _GAMES * c["dataset_bytes_a_game"],
        "annotate": 3 * _GAMES * (c["plies_a_game"] + 1) * c["annotate_bytes_a_row"],  # parts, read, joined
    }
    keys = {"search": "search", "Parquet": "parquet", "data set": "dataset", "annotate": "annotate"}
    rows = [
        f"{_GAMES:,} games, {size / 1e12:.1f} TB of text in {round(size / c['range_bytes']):,} ranges:",
        "",
        "| work | MB/s of a core | cores | predicted | decided by |",
        "|---|---:|---:|---:|---|",
    ]
    for name, key in keys.items():
        rate = c[f"{key}_megabytes_a_second"]
        tasks = round(size / c["range_bytes"])
        work = Work(0.0, size / rate / 1e6, tasks, disk=size + written[name])
        for n in (1, 16, 256, 4096):
            seconds, part = predicted(work, n, _task_seconds(record, merged=False))
            rows.append(f"| {name} | {rate:,} | {n:,} | {_time(seconds)} | {part} |")
    packed = Work(0.0, size / c["search_megabytes_a_second"] / 1e6, _MONTHS)
    seconds, part = predicted(packed, 4096, _task_seconds(record, merged=False))
    rows += [
        "",
        "Packed files of several frames, which `pzstd` writes, divide like plain text. "
        f"As {_MONTHS} packed files of one frame each, a search has {_MONTHS} tasks and takes {_time(seconds)} on any "
        f"number of cores from {_MONTHS} on, "
        f"without the time to unpack ({part}).",
    ]
    return "\n".join(rows)


BLOCKS: Final = {
    "scaling-engines": engines,
    "scaling-check": check,
    "scaling-counts": counts,
    "scaling-lichess": lichess,
    **thread_tables.BLOCKS,
}
