"""The table of mutants that the tests catch, by room."""

import json
from pathlib import Path
from typing import Any, Final

BENCHMARKS: Final = Path(__file__).resolve().parents[1] / "benchmarks"
STRICT: Final = frozenset("rules rules/helpmates techniques notation board tasks frames sources".split())
GOAL, GOAL_OF_STRICT = 0.8, 0.9  # the share of mutants that tests should catch


def scores() -> str:
    """Return the recorded ``tools/mutants.py``, one room a line."""
    rooms: dict[str, dict[str, Any]] = json.loads((BENCHMARKS / "mutants.json").read_text(encoding="utf-8"))
    lines = [
        "| room | mutants | sample | caught | share | interval | goal | equal programs | seed |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, room in sorted(rooms.items(), key=lambda item: (item[0] not in STRICT, item[0])):
        low, high = room["interval"]
        share = room["caught"] / room["sample"]
        lines.append(
            f"| `{name}` | {room['mutants']:,} | {room['sample']} | {room['caught']} | {share:.1%} "
            f"| {low:.1%} to {high:.1%} | {GOAL_OF_STRICT if name in STRICT else GOAL:.0%} "
            f"| {room['equal']} | {room['seed']} |"
        )
    return "\n".join(lines)
