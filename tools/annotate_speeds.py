"""The speed and the memory of `rookery annotate`, from the recorded benchmark."""

import json
from pathlib import Path

_RECORD = Path(__file__).resolve().parents[1] / "benchmarks" / "annotate.json"


def speeds() -> str:
    """Return a table of speeds by executor, and a sentence on memory."""
    record = json.loads(_RECORD.read_text(encoding="utf-8"))
    machine, n = record["machine"], record["rounds"]
    rounds = "one round" if n == 1 else f"medians of {n} rounds in turns"
    rows = [
        f"{record['lines']:,} FENs to Parquet with legal moves and mobility, {machine['cores']} cores of an "
        f"{machine['cpu']} ({machine['llvm_cpu']}, {machine['vectors']}), {machine['date']}; "
        f"{rounds}:",
        "",
        "| executor | million per second | CPU seconds per million |",
        "|---|---:|---:|",
    ]
    rows += [
        f"| `{row['executor']}` | {row['million_a_second']:.2f} | {row['cpu_seconds_a_million']:.2f} |"
        for row in record["executors"]
    ]
    peaks = ", ".join(
        f"{peak['mib']:,} MiB for {peak['lines'] // 1_000_000} million lines" for peak in record["memory"]
    )
    rows += ["", f"Peak memory with `{record['memory_executor']}`: {peaks}."]
    return "\n".join(rows)


BLOCKS = {"annotate-speeds": speeds}
