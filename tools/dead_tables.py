"""The sentences and the table about the recorded speed of answers about dead positions."""

import json
from pathlib import Path
from typing import Any, Final

BENCHMARKS: Final = Path(__file__).resolve().parents[1] / "benchmarks"
_NAMES: Final = {"full": "playouts, bounds and search", "fast": "material and bounds, `limit=0`"}


def speeds() -> str:
    """Return the recorded ``benchmarks/dead_positions.py``."""
    result: dict[str, Any] = json.loads((BENCHMARKS / "dead_positions.json").read_text(encoding="utf-8"))
    machine, composed = result["machine"], result["composed"]
    rows = [
        f"{result['positions']:,} labelled positions of Lichess' games, both sides, with CHA's answers: one core of an "
        f"{machine['cpu']} ({machine['llvm_cpu']}), while the machine was busy, {machine['date']}; medians of "
        f"{result['rounds']} rounds in turns with CHA {result['chasolver']}, which has a complete and a fast test too. "
        f"No answer differs from a label, and {result['unknown'] or 'none'} of the {result['questions']:,} "
        "is unknown:",
        "",
        "| | cannot mate | questions a second | CHA's | ratio |",
        "|---|---:|---:|---:|---:|",
    ]
    rows += [
        f"| {_NAMES[row['what']]} | {row['cannot_mate']:,} | {row['ours_per_second']:,} "
        f"| {row['theirs_per_second']:,} | {row['ratio']:.1f} |"
        for row in result["rows"]
    ]
    rows += [
        "",
        f"Of {composed['questions']:,} questions about composed positions, {composed['unknown']:,} are unknown with "
        f"`limit={composed['limit']}`.",
    ]
    return "\n".join(rows)
