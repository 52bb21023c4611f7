"""The table of mutants that the tests catch, by room."""

import json
from pathlib import Path
from typing import Any, Final

BENCHMARKS: Final = Path(__file__).resolve().parents[1] / "benchmarks"
LEAST: Final = 0.9  # the share that these rooms must reach; others 0.8
ROOMS_AT_LEAST: Final = frozenset("rules techniques notation board tasks frames sources".split())


def scores() -> str:
    """Return the recorded ``tools/mutants.py``, one room a line."""
    rooms: dict[str, dict[str, Any]] = json.loads((BENCHMARKS / "mutants.json").read_text(encoding="utf-8"))
    lines = [
        "| room | mutants | judged | caught | share | in 95 of 100 samples | equal programs |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for name, room in sorted(rooms.items(), key=lambda item: (item[0] not in ROOMS_AT_LEAST, item[0])):
        low, high = room["interval"]
        share = room["caught"] / room["sample"]
        lines.append(
            f"| `{name}` | {room['mutants']:,} | {room['sample']} | {room['caught']} | {share:.1%} "
            f"| {low:.1%} to {high:.1%} | {room['equal']} |"
        )
    return "\n".join(lines)
