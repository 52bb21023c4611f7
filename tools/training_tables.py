"""Tables of the page on training data: what each format drops, and the recorded speeds."""

import json
from pathlib import Path
from typing import Any, Final

from rookery.data.training.formats import FORMATS

BENCHMARKS: Final = Path(__file__).resolve().parents[1] / "benchmarks"


def limits() -> str:
    """Return the table of formats: their suffixes, and what they drop and lose."""
    rows = ["| format | suffixes | drops positions with | keeps of no position |", "|---|---|---|---|"]
    for found in FORMATS:
        name = found.name if found.read else f"{found.name}, only written"
        suffixes = ", ".join(f"`{suffix}`" for suffix in found.suffixes)
        if found.writing is None:
            rows.append(f"| {found.name} | {suffixes} | is only read | |")
            continue
        drops = ", ".join(limit.name for limit in found.writing.limits)
        rows.append(f"| {name} | {suffixes} | {drops} | {'; '.join(found.writing.lost)} |")
    return "\n".join(rows)


def speeds() -> str:
    """Return the recorded ``benchmarks/training_formats.py``."""
    result: dict[str, Any] = json.loads((BENCHMARKS / "training_formats.json").read_text(encoding="utf-8"))
    machine = result["machine"]
    lines = [
        f"{result['positions']:,} positions of {result['games']:,} random games, one core of an {machine['cpu']} "
        f"({machine['llvm_cpu']}), {machine['date']}; medians of {result['rounds']} rounds of CPU time, each with a "
        "check that what is read is what was written:",
        "",
        "| format | bytes per position | read, million positions/s | written, million positions/s |",
        "|---|---:|---:|---:|",
    ]
    lines += [
        f"| {row['format']} | {row['bytes_a_position']:.2f} | {row['read_million_a_second']:.2f} "
        f"| {row['written_million_a_second']:.2f} |"
        for row in result["rows"]
    ]
    row = result["rows"][0]
    if "cpp_read_million_a_second" in row:
        lines += [
            "",
            f"The C++ reader of Stockfish's trainer reads the same binpack at {row['cpp_read_million_a_second']:.2f} "
            "million positions per second, without the checks that rookery makes.",
        ]
    return "\n".join(lines)
