"""Tables of the page on plans: the recorded speeds."""

import json
from pathlib import Path
from typing import Any, Final

BENCHMARKS: Final = Path(__file__).resolve().parents[1] / "benchmarks"
_SINKS: Final = ("parquet", "memory")


def speeds() -> str:
    """Return the recorded ``benchmarks/plans.py``."""
    result: dict[str, Any] = json.loads((BENCHMARKS / "plans.json").read_text(encoding="utf-8"))
    machine = result["machine"]
    found: dict[tuple[str, str], dict[str, float]] = {}
    for row in result["rows"]:
        sinks = found.setdefault((row["source"], ", ".join(f"`{name}`" for name in row["columns"])), {})
        sinks[row["sink"]] = row["million_rows_a_cpu_second"]
    games, rows = f"{result['games']:,} random games with clocks", f"{result['rows'][0]['rows']:,} rows"
    lines = [
        f'{games}, `positions("{result["query"]}")` ({rows}), one core of an {machine["cpu"]} '
        f"({machine['llvm_cpu']}) with a load of {result['load']}, {machine['date']}; million rows per CPU second:",
        "",
        "| source | columns | to Parquet | to memory |",
        "|---|---|---:|---:|",
    ]
    lines += [
        f"| `{source}` | {columns} | {' | '.join(f'{sinks[sink]:.2f}' for sink in _SINKS)} |"
        for (source, columns), sinks in found.items()
    ]
    return "\n".join(lines)
