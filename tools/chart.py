"""The chart of the README: how many times as fast as its peers, from the recorded results.

It has the colours of the reader's theme. Bars differ by their filling, not by hue: solid for Python peers, hatched for
C++.
"""

import json
import math
from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import escape

from rookery.bitboards.pictures.palette import palette

BENCHMARKS: Final = Path(__file__).resolve().parents[1] / "benchmarks"

PEERS: Final = {"chess": ("python-chess", "var(--ink)"), "chessmg": ("chessmg, C++", "url(#cpp)")}
LONGEST: Final = 10_000  # times as fast, at the right end of the axis

# In pixels.
WIDTH, ROW, TOP, BOTTOM = 760, 26, 62, 34
LEFT, AXIS = 250, 320  # where bars begin, and how long the longest is

# What rows measure, for readers who know neither the library nor its commands.
NAMES: Final = {
    "legal move counts": "legal move counts, arrays",
    "attacked squares of both sides": "attacked squares, arrays",
    "attack maps, 12 boards": "attack maps, arrays",
    "move lists": "lists of legal moves, arrays",
    "Positions.from_fens": "reading FENs, arrays",
    "Zobrist keys": "Zobrist keys, arrays",
    "perft start 7": "perft, start position",
    "perft kiwipete 6": "perft, Kiwipete",
    "perft start 6, scalar": "perft, start position, scalar",
    "perft kiwipete 5, scalar": "perft, Kiwipete, scalar",
    "list(board.legal_moves), Kiwipete": "list(board.legal_moves)",
    "Board(fen), Kiwipete": "Board(fen)",
}


def recorded(name: str) -> dict[str, Any]:
    """Return a recorded result."""
    result: dict[str, Any] = json.loads((BENCHMARKS / f"{name}.json").read_text(encoding="utf-8"))
    return result


def rows() -> list[dict[str, Any]]:
    """Return the rows of `rookery bench lanes` and `perft` that have a peer, greatest ratio first."""
    found = [row for name in ("lanes", "perft") for row in recorded(name)["rows"] if row.get("peer") in PEERS]
    return sorted(found, key=lambda row: -row["ratio"])


def times(ratio: float) -> str:
    """Return a ratio as text: ``'15.9'``, ``'2,723'``."""
    return f"{ratio:,.1f}" if ratio < 100 else f"{ratio:,.0f}"


def svg() -> str:
    """Return the chart."""
    drawn = rows()
    height = TOP + ROW * len(drawn) + BOTTOM
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'role="img" aria-labelledby="title" font-family="system-ui, sans-serif" font-size="13" '
        'style="fill:var(--ink)">',
        f"<style>{palette('svg')}</style>",
        '<title id="title">Times as fast as other libraries for Python, on one core</title>',
        "<defs>",
        '<pattern id="cpp" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<rect width="6" height="6" style="fill:var(--panel)"/>'
        '<rect width="3" height="6" style="fill:var(--ink)"/></pattern>',
        "</defs>",
        f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="6" '
        'style="fill:var(--panel);stroke:var(--line)"/>',
        '<text x="16" y="26" font-size="15" font-weight="bold">Times as fast, on one core (logarithmic)</text>',
    ]
    for i, (label, filling) in enumerate(PEERS.values()):
        x = 372 + 185 * i
        lines.append(f'<rect x="{x}" y="14" width="24" height="14" style="fill:{filling};stroke:var(--ink)"/>')
        lines.append(f'<text x="{x + 32}" y="26">compared with {escape(label)}</text>')
    bottom = TOP + ROW * len(drawn)
    for power in range(int(math.log10(LONGEST)) + 1):
        at = LEFT + _length(10**power)
        lines.append(f'<line x1="{at}" y1="{TOP - 8}" x2="{at}" y2="{bottom}" style="stroke:var(--line)"/>')
        lines.append(f'<text x="{at}" y="{bottom + 18}" text-anchor="middle">{10**power:,}</text>')
    for i, row in enumerate(drawn):
        y = TOP + ROW * i
        length = _length(row["ratio"])
        lines += [
            f'<text x="{LEFT - 10}" y="{y + 13}" text-anchor="end">{escape(NAMES[row["what"]])}</text>',
            f'<rect x="{LEFT}" y="{y}" width="{length}" height="18" '
            f'style="fill:{PEERS[row["peer"]][1]};stroke:var(--ink)"/>',
            f'<text x="{LEFT + length + 8}" y="{y + 13}">{times(row["ratio"])}</text>',
        ]
    return "\n".join([*lines, "</svg>", ""])


def _length(ratio: float) -> float:
    """How long a bar is; one that would leave the axis is an error, not a bar cut short."""
    if not 1 <= ratio <= LONGEST:
        raise ValueError(f"ratio: {ratio}: expected 1 to {LONGEST:,}; draw another axis")
    return round(AXIS * math.log10(ratio) / math.log10(LONGEST), 1)


def caption() -> str:
    """Return the chart as a page shows it, and what it does not show."""
    machine = recorded("lanes")["machine"]
    versions = dict.fromkeys(f"{row['peer']} {row['peer_version']}" for row in rows())
    summary = recorded("board")["summary"]
    calls, slower = summary["calls"], len(summary["slower_than_python_chess"])
    least, most = rows()[-1], rows()[0]
    return "\n".join(
        [
            f"![Bars of {len(rows())} tasks, from {NAMES[most['what']]} ({times(most['ratio'])} times as fast as "
            f"{PEERS[most['peer']][0]}) to {NAMES[least['what']]} ({times(least['ratio'])} times as fast as "
            f"{PEERS[least['peer']][0]})](docs/compared-with-peers.svg)",
            "",
            f"{machine['cpu']} ({machine['llvm_cpu']}, {machine['vectors']}), {machine['date']}, "
            f"{' and '.join(versions)}, every answer compared: "
            f"[all benchmarks](docs/benchmarks.md). Of {calls} single calls of a board, {slower} are slower than "
            f"python-chess's: [which](docs/coming-from-python-chess.md).",
        ]
    )
