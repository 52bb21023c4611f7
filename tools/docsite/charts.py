"""The charts of the site, and the page that shows them, from the recorded benchmarks."""

from html import escape
from typing import Any, Final, NamedTuple

import chart
from docsite.drawing import THEMES, Bar, Draw, Point, bars, points, svg
from docsite.repository import GENERATED
from rookery.techniques import ALL

# How the families of techniques are marked, by their modules.
FAMILIES: Final = {
    "rays and lines": ("o", "rays classical hyperbola obstruction_difference sbamg slide_arithmetic qbb"),
    "fills": ("s", "dumb7fill kogge_stone exploding"),
    "small tables for a line": ("^", "first_rank kindergarten titboards dictionary split"),
    "rotated boards": ("D", "rotated rotated_heinz rotated_compact"),
    "remainders and rows": ("v", "congruent_modulo sherwin sissy"),
    "magic factors": ("*", "magic magic_numbered folded black"),
    "PEXT": ("P", "pext pext_line ray_space"),
}
OTHERS: Final = "others"  # modules that no family names
NO_TABLES: Final = 0.25  # KiB: where points without tables stand on a logarithmic axis


class Chart(NamedTuple):
    """A chart: its file, title, height in inches, what stands below it, its figures in words, and how it is drawn."""

    name: str
    title: str
    height: float
    about: str
    figures: str
    draw: Draw


def family_of(module: str) -> str:
    """Return the family of a technique's module."""
    own = module.rpartition(".")[2]
    return next((family for family, (_, modules) in FAMILIES.items() if own in modules.split()), OTHERS)


def machine(name: str) -> str:
    """On what a benchmark was recorded, and when."""
    of = chart.recorded(name)["machine"]
    return f"{of['cpu']} ({of['llvm_cpu']}, {of['vectors']}), {of['date']}"


def charts() -> list[Chart]:
    """All of them."""
    return [speed_and_size(), perft(), threads(), games(), first_answers()]


def speed_and_size() -> Chart:
    """Techniques: how fast, with tables how large."""
    rows = {row["name"]: row for row in chart.recorded("attacks")["techniques"]}
    drawn = [
        Point(t.name, family_of(t.module), rows[t.name]["table_bytes"] / 1024, rows[t.name]["million_queens_a_second"])
        for t in ALL
        if t.name in rows
    ]
    families = {family: marker for family, (marker, _) in FAMILIES.items()}
    if any(point.family == OTHERS for point in drawn):
        families[OTHERS] = "X"
    missing = [t.name for t in ALL if t.name not in rows]
    not_drawn = f" Not recorded: {', '.join(missing)}." if missing else ""
    return Chart(
        "speed-and-size",
        "Techniques: speed and size of tables",
        7.4,
        f"{len(drawn)} techniques, queens over arrays, on one core of an {machine('attacks')}.{not_drawn}",
        "; ".join(f"{p.name} {p.y:,.0f}, {p.x:,.0f} KiB" for p in sorted(drawn, key=lambda p: -p.y)),
        points(
            ("tables, KiB", "million queens per second"),
            families,
            drawn,
            NO_TABLES,
        ),
    )


def _name(row: dict[str, Any]) -> str:
    peer = f"{row['peer']} {row['peer_version'] or ''}".strip()
    work = f", {row['their_work']}" if row["their_work"] else ""
    return f"{row['what']}\ncompared with {peer}{work}".replace("rust_pgn_reader_python_binding", "rust_pgn_reader")


def _pairs(name: str, title: str, about: str, rows: list[dict[str, Any]], unit: str, of: float = 1) -> Chart:
    """Return a chart of pairs of recorded figures, ours and the competitor's; a `unit` is `of` so many."""
    sides = [
        (side, [Bar(_name(row), row[key] / of, f"{row[key] / of:,.0f}") for row in rows])
        for side, key in (("rookery", "ours_per_second"), ("its competitor", "theirs_per_second"))
    ]
    ratios = "; ".join(f"{_name(row)}: {chart.times(row['ratio'])} times as fast" for row in rows).replace("\n", " ")
    return Chart(name, title, 0.9 + 0.62 * len(rows), about, ratios, bars(f"{unit} a second", sides))


def perft() -> Chart:
    """Compare perft with the compiled peer and the scalar walk."""
    rows = [
        row
        for name in ("lanes", "perft")
        for row in chart.recorded(name)["rows"]
        if row["what"].startswith("perft") and row["peer"] in ("chessmg", "one by one")
    ]
    return _pairs(
        "perft", "Perft compared with others", f"One core of an {machine('lanes')}.", rows, "million nodes", 1e6
    )


def threads() -> Chart:
    """Return the chart of the gain from a second thread."""
    rows = [row for name in ("lanes", "games") for row in chart.recorded(name)["rows"]]
    rows = [row for row in rows if row.get("peer", "").endswith("one thread")]
    found = [Bar(f"{row['unit']}: {row['what']}", row["ratio"], f"{row['ratio']:.2f}") for row in rows]
    return Chart(
        "threads",
        "Two threads compared with one",
        0.8 + 0.45 * len(found),
        f"A machine of {chart.recorded('lanes')['machine']['cores']} cores, {machine('lanes')}.",
        "; ".join(f"{bar.name}: {bar.text} times as fast" for bar in found),
        bars("times as fast as one thread", (("two threads", found),)),
    )


def games() -> Chart:
    """Compare reading files of games with other readers."""
    peers = ("rust_pgn_reader_python_binding", "chess")
    rows = [row for row in chart.recorded("games")["rows"] if row.get("peer") in peers]
    return _pairs("games", "Games from files compared with other readers", f"{machine('games')}.", rows, "games")


def first_answers() -> Chart:
    """Return the chart of new processes up to their first answer."""
    rows = chart.recorded("start")["rows"]
    compiled = {row["what"] for row in rows if row["cache"] == "empty"}
    rows = [row for row in rows if row["what"] in compiled]  # yardsticks compile nothing
    sides = [
        (side, [Bar(row["what"], row["seconds"], f"{row['seconds']:.2f} s") for row in rows if row["cache"] == cache])
        for side, cache in (("everything compiled before", "full"), ("nothing compiled before", "empty"))
    ]
    pairs = zip(*(side for _, side in sides), strict=True)
    return Chart(
        "first-answers",
        "First answers of a new process",
        0.9 + 0.55 * len(sides[0][1]),
        f"{machine('start')}.",
        "; ".join(f"{full.name}: {full.text}, {empty.text}" for full, empty in pairs),
        bars("seconds", sides),
    )


def picture(name: str, title: str, words: str) -> str:
    """Return a chart in the theme of the page. A chart wider than the page scrolls, also by keyboard."""
    images = [f".. image:: {name}-{theme}.svg\n   :alt: {title}. {words}.\n   :class: only-{theme}" for theme in THEMES]
    opening = f'<div class="chart" tabindex="0" role="region" aria-label="{escape(title)}">'
    return "\n\n".join([f".. raw:: html\n\n   {opening}", *images, ".. raw:: html\n\n   </div>"])


def files() -> dict[str, str]:
    """Return the page and its pictures, by their names under docs/."""
    title = "Benchmarks, drawn"
    about = (
        "The figures of :doc:`/benchmarks`, where their measurement is described. Each competitor was timed in the "
        "same run, alternating with rookery. Bars begin at 0; points are on logarithmic axes."
    )
    parts = [f"{title}\n{'=' * len(title)}", about]
    made = {}
    for drawn in charts():
        parts.append(f"{drawn.title}\n{'-' * len(drawn.title)}")
        for theme in THEMES:
            made[f"{GENERATED}/{drawn.name}-{theme}.svg"] = svg(drawn.height, theme, drawn.draw)
        parts.append(picture(drawn.name, drawn.title, drawn.figures))
        parts.append(drawn.about)
    parts.append("Next steps: :doc:`/techniques` explains what was measured, and :doc:`/benchmarks` has the figures.")
    return {f"{GENERATED}/charts.rst": "\n\n".join(parts) + "\n", **made}
