"""Tables of what the ideas of the tutorial's chapters gain, and of the techniques in each use."""

from collections.abc import Callable
from typing import Any, Final

import chart
from docsite.repository import chapters
from docsite.technique_pages import (
    NEARLY,
    RECORDING,
    USES,
    best_without_pext,
    machine_of,
    ranking,
    recorded,
    row_of,
    share_of_best,
)
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


IDEAS: Final = {  # the technique of each chapter about sliders, in the order of the chapters
    "05-rays": "classical",
    "06-fills": "kogge-stone",
    "07-subtraction": "hyperbola",
    "08-rotated-boards": "rotated-hyatt-64",
    "09-kindergarten": "kindergarten",
    "10-magic": "magic-fancy",
    "11-finding-a-factor": "pext",
}


def gained(chapter: str) -> Callable[[], str]:
    """Return the writer of what a chapter's idea gains: compared with a loop over 64 cells, and in perft."""

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
        return "\n".join([*(rows if own else []), *([""] if own and chapter in IDEAS else []), *in_perft(chapter)])

    return write


def in_perft(chapter: str) -> list[str]:
    """Return the sentence that says what a chapter's technique gains in perft, if it has one."""
    if chapter not in IDEAS:
        return []
    name = IDEAS[chapter]
    return [
        f"In [perft](12-legal-moves.md#is-it-correct), a move generator with `{name}` counts {perft_of(name):,.0f} "
        f"million leaves per second, and one that walks the rays {perft_of('rays'):,.0f} million. "
        f"{machine(recorded())}."
    ]


def recorded_of(name: str) -> dict[str, Any]:
    """Return what is recorded of a technique that a page needs, or exit with the command that records it."""
    row = row_of(technique(name))
    if row is None:
        raise SystemExit(f"{name}: not recorded: run {RECORDING}")
    return row


def perft_of(name: str) -> float:
    """Return the million leaves of perft that a technique counts in a second."""
    return float(recorded_of(name)["perft_million_nodes_a_second"])


def uses() -> str:
    """Return the table of all techniques one at a time and in perft. `attacks` in figures.py has arrays."""
    result = recorded()
    name, depth = result["perft"]
    missing: list[str] = []
    rows = [
        f"{machine(result)}, Numba {result['machine']['numba']}; {result['rounds']} rounds in which all techniques "
        f"took turns; perft is {name.capitalize()} to depth {depth}:",
        "",
        "| technique | one at a time, ns | to `pext` | perft, million nodes/s | to `pext` |",
        "|---|---:|---:|---:|---:|",
    ]
    of_this_run = [use for use in USES if use.record == "technique_uses"]
    for t in ALL:
        row = row_of(t)
        if row is None:
            cells = ["-"] * (2 * len(of_this_run))
            missing.append(f"`{t.name}`")
        else:
            cells = [f"{row[use.figure]:,.3g} | {row[f'{use.key}_to_pext']:.2f}" for use in of_this_run]
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
    where = f"Arrays on {machine_of(USES[0])}, the others on {machine_of(USES[-1])}."
    return "\n".join([*rows, "", f"{where} Programs that use them:", "", *used])


def cost_of_loops() -> str:
    """Return what a program without bitboards takes for a position."""
    result = chart.recorded("chapters")
    (row,) = (row for row in result["rows"] if row["chapter"] == "12-legal-moves")
    return (
        f"Compiled to machine code, such loops take {nanoseconds(row['theirs_per_second'])} to count the legal moves "
        f"of a position. With the ideas of this tutorial the count takes {nanoseconds(row['ours_per_second'])}: "
        f"{chart.times(row['ratio'])} times as fast. {machine(result)}, in turns, every answer checked; positions of "
        "random games, without castling and en passant."
    )


def story() -> str:
    """Return the chapters, each with what its idea gains."""
    result = chart.recorded("chapters")
    rows = ["| chapter | question | times as fast | in perft, million leaves/s |", "|---|---|---:|---:|"]
    for chapter in chapters():
        name = chapter.page.rpartition("/")[2]
        own = [row for row in result["rows"] if row["chapter"] == name]
        used = IDEAS.get(name)
        if own or used:
            question = own[0]["what"] if own else "which squares does a slider attack?"
            question += f" (`{used}`)" if used else ""
            cells = (chart.times(own[0]["ratio"]) if own else "", f"{perft_of(used):,.0f}" if used else "")
            rows.append(f"| [{chapter.title}]({name}.md) | {question} | {' | '.join(cells)} |")
    name, depth = recorded()["perft"]
    return "\n".join(
        [
            *rows,
            "",
            f"{machine(result)}, in turns, every answer checked. [Perft](12-legal-moves.md#is-it-correct) counts all "
            f"sequences of legal moves, here of {name.capitalize()} to depth {depth}; with walked rays it counts "
            f"{perft_of('rays'):,.0f} million per second.",
        ]
    )


def filled() -> str:
    """Return how long it takes to fill the tables of magic factors."""
    result = chart.recorded("table_fill")
    one, everything = result["rows"]
    return (
        f"The library fills the {one['occupancies']:,} slots of this rook in {one['ms']} ms: {one['occupancies']:,} "
        f"walks to {one['squares_walked']:,} squares. All {everything['occupancies']:,} slots, for rooks and bishops "
        f"on every square, take {everything['ms']:.0f} ms. {machine(result)}."
    )


def filled_in_short() -> str:
    """Return the same times as the answer to a question."""
    one, everything = chart.recorded("table_fill")["rows"]
    return f"That takes {one['ms']} ms, and {everything['ms']:.0f} ms for rooks and bishops on every square."


def cost() -> str:
    """Return the drawing of perft by each idea: bars for walked rays and for the technique of each chapter."""
    speeds = {name: perft_of(name) for name in ("rays", *IDEAS.values())}
    left, width, row, top = 150, 480, 32, 48
    longest = max(speeds.values())
    words = "; ".join(f"{name}: {speed:.0f}" for name, speed in speeds.items())
    d = Drawing(width, top + row * len(speeds) + 34, f"Perft with each idea, million leaves per second: {words}.")
    d.text(16, 27, "Perft: million sequences of moves per second", anchor="start", size=17, bold=True)
    for i, (name, speed) in enumerate(speeds.items()):
        y, length = top + row * i, round((width - left - 70) * speed / longest, 1)
        d.text(left - 10, y + 19, "walked rays" if name == "rays" else name, anchor="end", size=15)
        colour = "ink-soft" if name == "rays" else "accent"
        d.parts.append(f'<rect x="{left}" y="{y + 4}" width="{length}" height="19" style="fill:var(--{colour})"/>')
        d.text(left + length + 8, y + 18, f"{speed:.0f}", anchor="start", size=15)
    d.text(16, d.height - 12, machine(recorded()), anchor="start", size=13, colour="ink-soft")
    return d.svg()
