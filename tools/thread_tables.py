"""Tables of the page on scaling: what threads share, and a model of many threads."""

import json
from pathlib import Path
from typing import Any, Final

_RECORD: Final = Path(__file__).resolve().parents[1] / "benchmarks" / "threads.json"
PREDICTED: Final = (2, 16, 64)  # threads


def _record() -> dict[str, Any]:
    record: dict[str, Any] = json.loads(_RECORD.read_text(encoding="utf-8"))
    return record


def speed_up(row: dict[str, Any], threads: int, serial: float) -> float:
    """Return how many times as fast as one thread so many are, if `serial` seconds of the work are done by one only."""
    return float(row["cpu_1"] / max(serial, row["cpu_2"] / threads))


def _range(row: dict[str, Any], threads: int) -> str:
    least = speed_up(row, threads, max(row["caller_2"], row["python"] or 0.0))
    most = speed_up(row, threads, row["caller_2"])
    return f"{least:.1f}" if f"{least:.1f}" == f"{most:.1f}" else f"{least:.1f} to {most:.1f}"


def _of_processes(record: dict[str, Any]) -> str:
    scale = record.get("two_processes")
    return f"Two processes did {scale:.2f} times as much as one:" if scale else "The lock was not watched:"


def _if_known(number: float | None) -> str:
    return "" if number is None else f"{number:.2f}"


def measured() -> str:
    """Return the recorded ``benchmarks/threads.py``."""
    record = _record()
    machine = record["machine"]
    lines = [
        f"{record['megabytes']} MB of PGN, in the files that each row names; {machine['cores']} cores of an "
        f"{machine['cpu']} ({machine['llvm_cpu']}), {machine['date']}. Medians of CPU seconds, and the least seconds "
        f"of the clock, of {record['rounds']} rounds in which one thread and two took turns, while "
        f"{record['load']:.0f} programs wanted to run. {_of_processes(record)}",
        "",
        "| work | CPU, one thread | CPU, two | ratio | caller | outside compiled code | lock held, one | two "
        "| clock, one | two | times as fast |",
        "|---|" + "---:|" * 10,
    ]
    for row in record["rows"]:
        python = "" if row["python"] is None else f"{row['python']:.3f}"
        lines.append(
            f"| {row['work']} | {row['cpu_1']:.2f} | {row['cpu_2']:.2f} | {row['cpu_2'] / row['cpu_1']:.2f} "
            f"| {row['caller_2']:.3f} | {python} | {_if_known(row.get('lock_1'))} | {_if_known(row.get('lock_2'))} "
            f"| {row['wall_1']:.2f} | {row['wall_2']:.2f} | {_if_known(row.get('scale'))} |"
        )
    return "\n".join(lines)


def predicted() -> str:
    """Return the model's greatest speed-ups by threads."""
    lines = [f"| work | {' | '.join(f'{n} threads' for n in PREDICTED)} |", "|---|" + "---:|" * len(PREDICTED)]
    lines += [f"| {row['work']} | {' | '.join(_range(row, n) for n in PREDICTED)} |" for row in _record()["rows"]]
    return "\n".join(lines)


BLOCKS: Final = {"threads-measured": measured, "threads-predicted": predicted}
