"""The table of perft by distinct positions, from its recorded counts."""

import json
from pathlib import Path

_RECORD = Path(__file__).resolve().parents[1] / "benchmarks" / "perft_distinct.json"


def counts() -> str:
    """Return a table of the sub-totals of each first move, a column for each depth."""
    record = json.loads(_RECORD.read_text(encoding="utf-8"))
    machine, found = record["machine"], record["counts"]
    lines = [
        f"perft({count['depth']}) = {count['nodes']:,}, by {count['positions']:,} distinct positions after "
        f"{count['plies']} plies: {count['seconds']:,.0f} seconds in two processes on {machine['cores']} busy "
        f"cores of an {machine['cpu']} ({machine['llvm_cpu']}), {machine['date']}."
        for count in found
    ]
    rows = ["| first move | " + " | ".join(f"perft({count['depth']})" for count in found) + " |"]
    rows += ["|---" + "|---:" * len(found) + "|"]
    for move in found[0]["by_move"]:
        rows.append(f"| `{move}` | " + " | ".join(f"{count['by_move'][move]:,}" for count in found) + " |")
    return "\n".join([*lines, "", *rows])


BLOCKS = {"perft-distinct": counts}
