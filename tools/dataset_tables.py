"""Tables of the page on datasets: the recorded speeds."""

import json
from pathlib import Path
from typing import Any, Final

BENCHMARKS: Final = Path(__file__).resolve().parents[1] / "benchmarks"


def speeds() -> str:
    """Return the recorded ``benchmarks/datasets.py``."""
    result: dict[str, Any] = json.loads((BENCHMARKS / "datasets.json").read_text(encoding="utf-8"))
    machine = result["machine"]
    lines = [
        f"{result['positions']:,} positions of random games in a plain PGN file, one core of an {machine['cpu']} "
        f"({machine['llvm_cpu']}), {machine['date']}; medians of {result['rounds']} rounds of CPU time:",
        "",
        "| dataset | rows | bytes per row | million positions/s of the PGN |",
        "|---|---:|---:|---:|",
    ]
    lines += [
        f"| {row['dataset']} | {row['rows']:,} | {row['bytes_a_row']:.1f} | {row['million_a_second']:.2f} |"
        for row in result["made"]
    ]
    lines += ["", "| batches of 1,024 rows | million rows/s |", "|---|---:|"]
    lines += [f"| {row['batches']} | {row['million_a_second']:.2f} |" for row in result["read"]]
    return "\n".join(lines)
