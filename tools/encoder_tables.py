"""Tables of the page about inputs of nets: the recorded speeds of the encoders."""

import json
from pathlib import Path
from typing import Any, Final

BENCHMARKS: Final = Path(__file__).resolve().parents[1] / "benchmarks"


def speeds() -> str:
    """Return the recorded ``benchmarks/encoders.py``."""
    result: dict[str, Any] = json.loads((BENCHMARKS / "encoders.json").read_text(encoding="utf-8"))
    machine = result["machine"]
    lines = [
        f"{result['positions']:,} positions of random games, one core of an {machine['cpu']} ({machine['llvm_cpu']}), "
        f"{machine['date']}; medians of {result['rounds']} rounds of CPU time:",
        "",
        "| encoder | result | million positions/s | goal |",
        "|---|---|---:|---:|",
    ]
    lines += [
        f"| `{row['encoder']}` | {row['result']} | {row['million_a_second']:.2f} | {row['goal'] or '-'} |"
        for row in result["rows"]
    ]
    return "\n".join(lines)
