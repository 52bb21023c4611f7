"""The sentence about the recorded speed of indices of games."""

import json
from pathlib import Path
from typing import Any, Final

BENCHMARKS: Final = Path(__file__).resolve().parents[1] / "benchmarks"


def speeds() -> str:
    """Return the recorded ``benchmarks/index.py``."""
    result: dict[str, Any] = json.loads((BENCHMARKS / "index.json").read_text(encoding="utf-8"))
    machine, warm, cold, of_cpu = result["machine"], result["warm_ms"], result["cold_ms"], result["warm_cpu_ms"]
    size = f"{result['bytes_of_pgn'] / 1e9:.1f} GB of PGN with clocks"
    core = f"one core of an {machine['cpu']} ({machine['llvm_cpu']}), while the machine was busy, {machine['date']}"
    return "\n".join(
        [
            f"{result['games']:,} games ({result['positions']:,} positions, {size}), {core}:",
            "",
            "| | |",
            "|---|---:|",
            f"| PGN indexed a second of CPU time | {result['megabytes_a_second']:.0f} MB |",
            f"| bytes per position | {result['bytes_a_position']:.1f} |",
            f"| bytes per position of the tables of games | {result['bytes_a_position_of_games']:.1f} |",
            f"| a look-up, warm: median, 99 % | {warm['median']:.1f} ms, {warm['99 %']:.1f} ms |",
            f"| a look-up, warm, CPU time: median, 99 % | {of_cpu['median']:.1f} ms, {of_cpu['99 %']:.1f} ms |",
            f"| a look-up in an index that was just opened, whose files are not in memory | {cold['median']:.1f} ms, "
            f"{cold['99 %']:.1f} ms |",
        ]
    )
