"""Tables of what the ideas of the tutorial's chapters gain, and of the techniques in each use."""

from collections.abc import Callable
from typing import Any

import chart
from docsite.technique_pages import NEARLY, USES, ranking, recorded, row_of, share_of_best
from rookery.techniques import ALL


def machine(result: dict[str, Any]) -> str:
    """On what a benchmark was recorded, and when."""
    of = result["machine"]
    return f"One core of an {of['cpu']} ({of['llvm_cpu']}, {of['vectors']}), {of['date']}"


def nanoseconds(per_second: float) -> str:
    """Return the time of one answer as text.

    >>> nanoseconds(1e8), nanoseconds(1e5)
    ('10 ns', '10,000 ns')
    """
    return f"{1e9 / per_second:,.3g} ns" if per_second > 1e6 else f"{1e9 / per_second:,.0f} ns"


def gained(chapter: str) -> Callable[[], str]:
    """Return the writer of a chapter's table: the time of a loop over 64 cells and that of the chapter's idea."""

    def write() -> str:
        result = chart.recorded("chapters")
        rows = [
            "| question | 64 cells | this chapter | times as fast |",
            "|---|---:|---:|---:|",
            *(
                f"| {row['what']} | {nanoseconds(row['theirs_per_second'])} | {nanoseconds(row['ours_per_second'])} "
                f"| {chart.times(row['ratio'])} |"
                for row in result["rows"]
                if row["chapter"] == chapter
            ),
            "",
            f"{machine(result)}, in turns, every answer checked.",
        ]
        return "\n".join(rows)

    return write


def uses() -> str:
    """Return the table of all techniques in each use."""
    result = recorded()
    name, depth = result["perft"]
    rows = [
        f"{machine(result)}, Numba {result['machine']['numba']}; medians of {result['rounds']} rounds in which all "
        f"techniques took turns; perft is {name.capitalize()} to depth {depth}:",
        "",
        "| technique | arrays, million queens/s | to `pext` | one at a time, ns | to `pext` | perft, million nodes/s "
        "| to `pext` |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for t in ALL:
        row = row_of(t)
        cells = (f"{row[use.figure]:,.3g} | {row[f'{use.key}_to_pext']:.2f}" for use in USES)
        rows.append(f"| `{t.name}` | {' | '.join(cells)} |")
    return "\n".join(rows)


def choices() -> str:
    """Return the fastest techniques in each use, and the fastest that need little room."""
    rows = ["| use | fastest | fastest with tables of less than 16 KiB |", "|---|---|---|"]
    for use in USES:
        order = ranking(use)
        best = [row["name"] for row in order if share_of_best(use, row) >= NEARLY]
        small = next(row for row in order if row["table_bytes"] < 16 * 1024)
        share = share_of_best(use, small)
        rows.append(
            f"| {use.name} | {', '.join(f'`{name}`' for name in best)} | `{small['name']}`"
            f"{'' if share == 1 else f', {share:.0%} of the fastest'} |"
        )
    used = [f"- `{t.name}`: {t.users}." for t in ALL if t.users]
    return "\n".join([*rows, "", f"{machine(recorded())}. Programs that use them:", "", *used])


def cost_of_loops() -> str:
    """Return what a program without bitboards takes for a queen and for a position."""
    result = chart.recorded("chapters")
    rows = {row["chapter"]: row for row in result["rows"]}
    queen, position = (rows[chapter]["theirs_per_second"] for chapter in ("10-magic", "12-legal-moves"))
    ours = rows["12-legal-moves"]["ours_per_second"]
    return (
        f"Compiled, these loops take {nanoseconds(queen)} for the squares that a queen attacks, and "
        f"{nanoseconds(position)} to count the legal moves of a position. With the ideas of this tutorial the count "
        f"takes {nanoseconds(ours)}: {chart.times(rows['12-legal-moves']['ratio'])} times as fast. {machine(result)}, "
        "in turns, every answer checked."
    )
