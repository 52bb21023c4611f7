"""The recorded ``rookery bench query``: tables for the pages."""

import json
import statistics
from pathlib import Path
from typing import Any, Final

from rookery.bench import query
from rookery.cli.common import rate

BENCHMARKS: Final = Path(__file__).resolve().parents[1] / "benchmarks"
PUZZLE_GOAL: Final = 20  # microseconds


def _recorded(name: str) -> dict[str, Any]:
    result: dict[str, Any] = json.loads((BENCHMARKS / f"{name}.json").read_text(encoding="utf-8"))
    return result


def searches() -> str:
    """Return the table of searches, and what the first answers and the questions of the gallery take."""
    result, puzzles = _recorded("query"), _recorded("puzzles")
    machine = result["machine"]
    lines = [
        f"{result['plies']:,} positions of {result['games']:,} games, one core of an {machine['cpu']} "
        f"({machine['llvm_cpu']}, {machine['vectors']}) except where threads are named, {machine['date']}, Numba "
        f"{machine['numba']}; medians of {result['rounds']} rounds:",
        "",
        "| | rookery | goal | others, published |",
        "|---|---:|---:|---|",
    ]
    for row in result["rows"]:
        if "peer" not in row:
            goal = f"{row['goal'] / 1e6:,.0f} M" if "goal" in row else ""
            lines.append(
                f"| {row['what']} | {rate(row['ours_per_second'], row['unit'])} | {goal} | {row.get('published', '')} |"
            )
    tagger = puzzles["lichess_tagger"]["microseconds_a_puzzle"]
    lines += [
        f"| themes of a puzzle | {puzzles['microseconds_a_puzzle']:.1f} us | {PUZZLE_GOAL} us "
        f"| Lichess' tagger {tagger:,.0f} us, run here |",
        "",
        "| | rookery | compared with | its figure | ratio | goal |",
        "|---|---:|---|---:|---:|---:|",
    ]
    for row in result["rows"]:
        if "peer" in row:
            here, there = (rate(row[side], row["unit"]) for side in ("ours_per_second", "theirs_per_second"))
            goal = f"{row['goal_ratio']}" if "goal_ratio" in row else ""
            lines.append(f"| {row['what']} | {here} | {row['peer']} | {there} | {row['ratio']:.2f} | {goal} |")
    beyond = [answer["beyond_data_ms"] for answer in result["first_answers"]]
    gallery = result["gallery"]
    slowest = max(gallery, key=lambda answer: answer["seconds"])
    lines += [
        "",
        f"The first answer to a new question takes {statistics.median(beyond):.2f} ms beyond the time for the data "
        f"(median of {len(beyond)} questions, {max(beyond):.2f} ms at most; goal: {query.FIRST_ANSWER_GOAL_MS} ms), in "
        f"a process that has used its functions before. The {len(gallery)} questions of the gallery take "
        f"{min(answer['seconds'] for answer in gallery):.2f} to {slowest['seconds']:.2f} seconds each; the slowest is "
        f"*{slowest['name']}*.",
    ]
    return "\n".join(lines)
