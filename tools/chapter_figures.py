"""Tables of what the ideas of the tutorial's chapters gain, and of the techniques in each use."""

import re
from collections.abc import Callable
from typing import Any, Final

import chart
from docsite.repository import chapters
from docsite.technique_pages import NEARLY, RECORDING, USES, best_without_pext, ranking, recorded, row_of, share_of_best
from live_figures.kernels import MEASURED
from live_figures.svg import Drawing
from rookery.techniques import ALL, technique


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
        own = [row for row in result["rows"] if row["chapter"] == chapter]
        rows = [
            "| question | loop over 64 cells | this chapter | times as fast |",
            "|---|---:|---:|---:|",
            *(
                f"| {row['what']} | {nanoseconds(row['theirs_per_second'])} | {nanoseconds(row['ours_per_second'])} "
                f"| {chart.times(row['ratio'])} |"
                for row in own
            ),
            "",
            f"{machine(result)}, in turns, every answer checked.",
        ]
        name = technique_of(own[0])
        if name:
            rows[-1] += (
                f" In [perft](12-legal-moves.md#is-it-correct), a move generator with `{name}` counts "
                f"{perft_of(name):,.0f} million leaves a second, and one that walks the rays {perft_of('rays'):,.0f} "
                "million."
            )
        return "\n".join(rows)

    return write


def technique_of(row: dict[str, Any]) -> str:
    """Return the technique that a row names, if it does."""
    found = re.search(r"\(`([\w-]+)`\)", row["what"])
    return found[1] if found else ""


def recorded_of(name: str) -> dict[str, Any]:
    """Return what is recorded of a technique that a page needs, or exit with the command that records it."""
    row = row_of(technique(name))
    if row is None:
        raise SystemExit(f"{name}: not recorded: run {RECORDING}")
    return row


def perft_of(name: str) -> float:
    """Return the million leaves of perft that a technique counts in a second."""
    return float(recorded_of(name)["perft_million_nodes_a_second"])


def alone(name: str) -> float:
    """Return the nanoseconds that a technique takes for the attacks of one queen, if it waits for the queen before."""
    return float(recorded_of(name)["one_at_a_time_ns"])


def compared(*names: str) -> Callable[[], str]:
    """Return the writer of a sentence that compares techniques for one queen at a time."""

    def write() -> str:
        times = ", ".join(f"{alone(name):.1f} ns by `{name}`" for name in names)
        waiting = "The attacks of one queen, if each look-up waits for the one before it, take"
        return f"{waiting} {times}. {machine(recorded())}."

    return write


# Generated sentences of chapters: what is faster depends on the CPU.
SENTENCES: Final[dict[str, dict[str, Callable[[], str]]]] = {
    "06-fills": {"one-queen": compared("classical", "classical-branchless", "kogge-stone")},
    "10-magic": {"one-queen": compared("magic-fancy", "hyperbola", "kindergarten")},
}


def uses() -> str:
    """Return the table of all techniques in each use."""
    result = recorded()
    name, depth = result["perft"]
    missing: list[str] = []
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
        if row is None:
            cells = ["-"] * (2 * len(USES))
            missing.append(f"`{t.name}`")
        else:
            cells = [f"{row[use.figure]:,.3g} | {row[f'{use.key}_to_pext']:.2f}" for use in USES]
        rows.append(f"| `{t.name}` | {' | '.join(cells)} |")
    if missing:
        rows += ["", f"Not recorded: {', '.join(missing)}. `{RECORDING}` measures all techniques in one run."]
    return "\n".join(rows)


def choices() -> str:
    """Return the fastest techniques in each use, and the fastest that need little room."""
    rows = [
        "| use | fastest | fastest without PEXT | fastest with tables of less than 16 KiB |",
        "|---|---|---|---|",
    ]
    for use in USES:
        order = ranking(use)
        best = [row["name"] for row in order if share_of_best(use, row) >= NEARLY]
        small = next(row for row in order if row["table_bytes"] < 16 * 1024)
        cells = [", ".join(f"`{name}`" for name in best)]
        for row in (best_without_pext(use), small):
            share = share_of_best(use, row)
            cells.append(f"`{row['name']}`" if share == 1 else f"`{row['name']}`, {share:.0%} of the fastest")
        rows.append(f"| {use.name} | {' | '.join(cells)} |")
    used = [f"- `{t.name}`: {t.users}." for t in ALL if t.users]
    return "\n".join([*rows, "", f"{machine(recorded())}. Programs that use them:", "", *used])


def cost_of_loops() -> str:
    """Return what a program without bitboards takes for a queen and for a position."""
    result = chart.recorded("chapters")
    rows = {row["chapter"]: row for row in result["rows"]}
    queen, position = (rows[chapter]["theirs_per_second"] for chapter in ("10-magic", "12-legal-moves"))
    ours = rows["12-legal-moves"]["ours_per_second"]
    return (
        f"Compiled to machine code, such loops take {nanoseconds(queen)} to find the squares that a queen attacks, and "
        f"{nanoseconds(position)} to count the legal moves of a position. With the ideas of this tutorial the count "
        f"takes {nanoseconds(ours)}: {chart.times(rows['12-legal-moves']['ratio'])} times as fast. {machine(result)}, "
        "in turns, every answer checked; positions of random games, without castling and en passant."
    )


def story() -> str:
    """Return the chapters, each with what its idea gains."""
    result = chart.recorded("chapters")
    rows = ["| chapter | question | times as fast | in perft, million nodes/s |", "|---|---|---:|---:|"]
    for chapter in chapters():
        name = chapter.page.rpartition("/")[2]
        own = [row for row in result["rows"] if row["chapter"] == name]
        if own:
            used = technique_of(own[0])
            cells = (chart.times(own[0]["ratio"]), f"{perft_of(used):,.0f}" if used else "")
            rows.append(f"| [{chapter.title}]({name}.md) | {own[0]['what']} | {' | '.join(cells)} |")
    name, depth = recorded()["perft"]
    return "\n".join(
        [
            *rows,
            "",
            f"{machine(result)}, in turns, every answer checked. [Perft](12-legal-moves.md#is-it-correct) counts all "
            f"sequences of legal moves, here of {name.capitalize()} to depth {depth}; with walked rays it counts "
            f"{perft_of('rays'):,.0f} million a second.",
        ]
    )


def cost() -> str:
    """Return the drawing of the times of a queen's attacks: bars for a loop and for techniques."""
    naive = {row["chapter"]: row for row in chart.recorded("chapters")["rows"]}["10-magic"]["theirs_per_second"]
    times = {"loop over 64 cells": 1e9 / naive}
    times |= {name: alone(name) for name in MEASURED}
    left, width, row, top = 150, 480, 32, 48
    longest = max(times.values())
    words = "; ".join(f"{name}: {time:.1f}" for name, time in times.items())
    d = Drawing(width, top + row * len(times) + 34, f"The time of one queen's attacks in nanoseconds: {words}.")
    d.text(16, 27, "One queen's attacks: nanoseconds", anchor="start", size=17, bold=True)
    for i, (name, time) in enumerate(times.items()):
        y, length = top + row * i, round((width - left - 70) * time / longest, 1)
        colour = "bad" if i == 0 else "good"
        d.text(left - 10, y + 19, name, anchor="end", size=15)
        d.parts.append(f'<rect x="{left}" y="{y + 4}" width="{length}" height="19" fill="var(--{colour})"/>')
        d.text(left + length + 8, y + 18, f"{time:.1f}", anchor="start", size=15)
    d.text(16, d.height - 12, machine(chart.recorded("chapters")), anchor="start", size=13, colour="ink-soft")
    return d.svg()
