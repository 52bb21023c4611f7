"""``rookery doctor``."""

import sys
from html import escape
from pathlib import Path
from typing import Any, Final

import click

from rookery.cli.common import err, out, print_json, size, write_file
from rookery.cli.options import OutputFile, as_json_option, writes_files
from rookery.cli.tables import Column, Row, number, present, tables_size, times_bound, use_columns
from rookery.kernel.settings import need_compiler

_BAR: Final = 40  # characters of the longest bar
_CAN: Final = {True: "yes", False: "no"}


@click.command("doctor")
@click.option("--rounds", type=click.IntRange(1), default=15, show_default=True, help="Rounds in which all take turns.")
@click.option("--plot", is_flag=True, help="Also draw a bar for each figure.")
@click.option("--html", "path", type=OutputFile(), help="Also write a report, one HTML page.")
@writes_files
@as_json_option
def doctor_command(rounds: int, plot: bool, path: Path | None, as_json: bool) -> None:
    """Recommend a technique for this CPU, for each use, with the figures behind it.

    Times the techniques that lead on some CPU, one after another in turns, and checks every answer. This takes about
    half a minute, and once another half for compilation.

    If there is a C compiler, doctor also compiles the exports of all techniques, each into the same small perft, and
    ranks them by its speed: with nothing else in the caches, and with a word of a 64 MB table read and written at each
    node. This takes another half minute or minute. The compiler is the one that CC names, or else cc, gcc or clang. If
    there is none, doctor says that it has not measured this.

    A use is without a recommendation, and has the reason, while the machine is too busy to tell techniques apart: other
    programs take CPU time, or the same work, timed twice, differs too much. The exit status is 1 if this is so for all
    uses that were measured.
    """
    need_compiler("rookery doctor")
    from rookery.bench.uses.advice import examine

    with err.status("measuring") as status:
        found = examine(rounds=rounds, progress=status.update)
    if path:
        write_file("--html", path, report(found))
    if as_json:
        print_json(found)
    else:
        _print(found, plot)
    if not any(row["techniques"] for row in found["recommendations"]):
        sys.exit(1)


def _print(found: dict[str, Any], plot: bool) -> None:
    """Print the report."""
    for name, text in facts(found):
        out.print(f"{name:14} {text}", markup=False, highlight=False)
    out.print()
    present(found["recommendations"], (Column("use"), Column("choose", choice)))
    out.print()
    present(found["techniques"], _columns(found))
    engine = found["engine"]
    if engine:
        out.print()
        present(sorted(engine["techniques"], key=lambda row: row["warm"]["ns"]), _engine_columns(engine))
    for missing in found["not_measured"]:
        out.print(f"\nnot measured: {missing['what']}: {missing['reason']}", markup=False, highlight=False)
    if plot:
        for measured in measurements(found):
            for name, what in measured["columns"].items():
                out.print(f"\n{name}: {what}", markup=False, highlight=False)
                for row, length in bars(measured, name):
                    text = f"{row['name']:35} {'█' * length} {row[name]['ns']:.2f} ns"
                    out.print(text, markup=False, highlight=False)


def choice(row: Row) -> str:
    """Return what to choose for a use, or why nothing is recommended."""
    return ", ".join(row["techniques"]) if row["techniques"] else f"nothing: {row['reason']}"


def measurements(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what was measured: with Numba, and with a C compiler if there is one."""
    return [found, found["engine"]] if found["engine"] else [found]


def _engine_columns(engine: dict[str, Any]) -> list[Column]:
    columns = [Column("technique, in C", "{name}")]
    for name in engine["columns"]:
        columns += [
            number(f"{name}, M nodes/s", f"{{{name}[mnps]:.1f}}"),
            number("to pext", f"{{{name}[to_pext]:.2f}}"),
        ]
    return [*columns, number("tables", tables_size)]


def _columns(found: dict[str, Any]) -> list[Column]:
    columns = [Column("technique", "{name}")]
    for name in found["columns"]:
        columns += use_columns(name)
    columns += [
        number("instructions", lambda row: f"{row['code']['instructions']}{'+' if row['code']['loops'] else ''}"),
        number("loads", lambda row: str(row["code"]["loads"])),
        number("bytes", lambda row: str(row["code"]["bytes"])),
        number("tables", tables_size),
        Column("fit in", lambda row: _fits(row, found["caches"])),
    ]
    return columns


def _fits(row: Row, caches: dict[str, int]) -> str:
    """Return the smallest cache that holds a technique's tables."""
    if not row["table_bytes"]:
        return "no tables"
    return next((name for name, size_ in caches.items() if size_ >= row["table_bytes"]), "memory" if caches else "?")


def facts(found: dict[str, Any]) -> list[tuple[str, str]]:
    """Return what is known of the machine, as names and texts."""
    machine, cache, core = found["machine"], found["code_cache"], found["core"]
    registers = {name: n for name, n in found["registers"].items() if name in ("zmm", "ymm")}
    widest = next((f"{bits} bits" for name, bits in (("zmm", 512), ("ymm", 256)) if registers.get(name)), "128 bits")
    code = f"{cache['functions']:,} functions, {size(cache['bytes'])}"
    bounded = any(row[name]["bound"] for row in found["techniques"] for name in found["columns"])
    widths = f"{core['issue']} instructions and {core['loads']} loads per cycle"
    bounds = f"{core['family']}, {found['clock_ghz']:.2f} GHz: {widths}"
    return [
        ("CPU", f"{machine['cpu']} ({machine['llvm_cpu']}), {machine['cores']} cores"),
        ("vectors", f"{machine['vectors']}; compiled loops use registers of {widest}"),
        ("instructions", ", ".join(f"{name} {_CAN[has]}" for name, has in found["instructions"].items())),
        ("bounds", bounds if bounded else "none: the machine code of this kind of CPU is not read"),
        ("C compiler", _compiler(found)),
        ("load", _load(found)),
        ("caches", ", ".join(f"{name} {size(n)}" for name, n in found["caches"].items()) or "unknown"),
        ("code cache", code + (f"; the wheel carries code for {cache['shipped']}" if cache["shipped"] else "")),
        ("versions", f"rookery {machine['rookery']}, Numba {machine['numba']}, Python {machine['python']}"),
    ]


def _compiler(found: dict[str, Any]) -> str:
    """Return which compiler made the perft in C, or that none did."""
    engine = found["engine"]
    if not engine:
        return "none used; see below what was not measured"
    counted = ", ".join(f"{one['name']} {one['depth']}" for one in engine["positions"])
    number_of, seconds = len(engine["techniques"]), engine["seconds"]
    took = f"built in {seconds['build']:.0f} s, {seconds['all']:.0f} s in all"
    return f"{engine['version']}; {engine['command']}; perft of {counted}, {number_of} techniques, {took}"


def _load(found: dict[str, Any]) -> str:
    """Return how quiet the machine was."""
    measured = measurements(found)
    share = min(one for part in measured for one in part["share"].values())
    repeat = max(one for part in measured for one in part["repeat"].values())
    others = [part["others"] for part in measured if part["others"] is not None]
    used = f"others used up to {max(others):.0%} of all CPUs" if others else "what others used is unknown"
    return f"the timed program got at least {share:.0%} of a CPU, {used}; the same work differed by up to {repeat:.0%}"


def bars(found: dict[str, Any], column: str) -> list[tuple[Row, int]]:
    """Return the techniques, the fastest first, with the length of a bar for the time of each."""
    rows = sorted(found["techniques"], key=lambda row: row[column]["ns"])
    longest = max(row[column]["ns"] for row in rows)
    return [(row, max(1, round(_BAR * row[column]["ns"] / longest))) for row in rows]


_STYLE: Final = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; } td, th { padding: .2rem .6rem; text-align: left; }
tr + tr { border-top: 1px solid #8884; } td.n { text-align: right; font-variant-numeric: tabular-nums; }
.bar { display: inline-block; height: .8em; background: #3b82c4; border-radius: 2px; }
"""


def report(found: dict[str, Any]) -> str:
    """Return the report as one HTML page, without scripts or other files."""
    parts = ["<h1>Sliding-piece attacks on this machine</h1>", _html_table(("", ""), facts(found))]
    parts.append("<h2>What to use</h2>")
    rows = [(row["use"], choice(row)) for row in found["recommendations"]]
    parts.append(_html_table(("use", "technique"), rows))
    parts.append(
        "<p>Techniques in one cell are equally fast within the spread of the rounds. Times are CPU nanoseconds of one "
        f"queen, or in C of one leaf of perft, medians of {found['rounds']} rounds in which all techniques took turns; "
        "every answer was checked. The last columns are the speed compared with pext, and the time as a multiple of "
        "the least that the machine code allows, with what sets that, or the leaves of perft in a second.</p>"
    )
    missing = (f"{one['what']}: {one['reason']}" for one in found["not_measured"])
    parts += [f"<p>Not measured: {escape(text)}</p>" for text in missing]
    for measured in measurements(found):
        for name, what in measured["columns"].items():
            parts.append(f"<h2>{escape(name)}: {escape(what)}</h2><table>")
            parts += [_html_bar(row, name, length) for row, length in bars(measured, name)]
            parts.append("</table>")
    parts.append("<h2>Machine code and tables</h2>")
    code = [
        (row["name"], *(str(row["code"][part]) for part in ("instructions", "loads", "bytes")), tables_size(row))
        for row in found["techniques"]
    ]
    parts.append(_html_table(("technique", "instructions", "loads", "bytes loaded", "tables"), code))
    title = "rookery doctor"
    head = f"<meta charset=utf-8><meta name=viewport content='width=device-width'><title>{title}</title>"
    return (
        f"<!doctype html><html lang=en><head>{head}<style>{_STYLE}</style></head><body>{''.join(parts)}</body></html>\n"
    )


def _html_bar(row: Row, name: str, length: int) -> str:
    """Return the row of a technique in a chart."""
    figure = row[name]
    last = times_bound(figure["bound"]) if "bound" in figure else f"{figure['mnps']:.1f} M nodes/s"
    bar = f"<span class=bar style='width:{length * 0.6:.1f}rem'></span>"
    return (
        f"<tr><th>{escape(row['name'])}</th><td>{bar}</td><td class=n>{figure['ns']:.2f} ns</td>"
        f"<td class=n>{figure['to_pext']:.2f}</td><td class=n>{last}</td></tr>"
    )


def _html_table(headings: tuple[str, ...], rows: list[Any]) -> str:
    head = "".join(f"<th>{escape(heading)}</th>" for heading in headings) if any(headings) else ""
    body = "".join("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table>{f'<tr>{head}</tr>' if head else ''}{body}</table>"
