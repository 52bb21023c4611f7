"""The table of perft by distinct positions, from its recorded counts."""

import json
from pathlib import Path

_RECORD = Path(__file__).resolve().parents[1] / "benchmarks" / "perft_distinct.json"


def counts() -> str:
    """Return a table of the sub-totals of each first move, a column for each depth."""
    record = json.loads(_RECORD.read_text(encoding="utf-8"))
    machine, found = record["machine"], record["counts"]
    where = (
        f"Two processes on {machine['cores']} cores of an {machine['cpu']} ({machine['llvm_cpu']}), {machine['date']}:"
    )
    lines = [where, ""]
    for count in found:
        time = f"{count['seconds']:,.0f} seconds"
        if "timed_tasks" in count:
            times = "twice" if count["kills"] == 2 else f"{count['kills']} times"
            time = (
                f"killed with `kill -9` {times}; the last run counted {count['timed_tasks']:,} of "
                f"{count['tasks']:,} tasks in {time}"
            )
        lines.append(
            f"- perft({count['depth']}) = {count['nodes']:,}, by {count['positions']:,} distinct positions after "
            f"{count['plies']} plies: {time}."
        )
    rows = ["| first move | " + " | ".join(f"perft({count['depth']})" for count in found) + " |"]
    rows += ["|---" + "|---:" * len(found) + "|"]
    for move in found[0]["by_move"]:
        rows.append(f"| `{move}` | " + " | ".join(f"{count['by_move'][move]:,}" for count in found) + " |")
    return "\n".join([*lines, "", *rows])


BLOCKS = {"perft-distinct": counts}
