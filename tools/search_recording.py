"""The recording of a search that the README shows; ``python tools/search_recording.py`` runs it and writes the record.

`python tools/figures.py` draws the record as a terminal in which the command is typed and its output appears. It has
the colours of the reader's theme, and stands still for those who prefer that.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path
from typing import Final

from rookery.bitboards.pictures.palette import palette

ROOT: Final = Path(__file__).resolve().parents[1]
RECORD: Final = ROOT / "benchmarks" / "search.txt"
GAMES: Final = "my-games.pgn"
QUERY: Final = "possible(move.is_mate) and not move.is_mate"
COMMAND: Final = ["search", GAMES, QUERY]
COLUMNS: Final = 84
LETTER, LINE, MARGIN = 8.43, 19, 18  # units; letters are 14 units high
TYPING, AFTER, BETWEEN = 2.6, 0.5, 0.09  # seconds: for the command, behind it, and from line to line
TITLE: Final = "A terminal: a search in a file of games finds a mate in one that was missed, and draws the position"


def run() -> list[str]:
    """Return the lines of a search in a copy of the games of the gallery."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(ROOT / "docs" / "gallery.pgn", Path(folder) / GAMES)
        done = subprocess.run(
            [sys.executable, "-m", "rookery", *COMMAND],
            cwd=folder,
            env={**os.environ, "COLUMNS": str(COLUMNS)},
            capture_output=True,
            text=True,
            check=True,
        )
    return [line.rstrip() for line in done.stdout.strip().splitlines()]


def recorded() -> list[str]:
    """Return the lines of the record."""
    return RECORD.read_text(encoding="utf-8").splitlines()


def svg() -> str:
    """Return the terminal as SVG."""
    typed = f'$ rookery search {GAMES} "{QUERY}"'
    lines = recorded()
    width, height = round(2 * MARGIN + COLUMNS * LETTER), 2 * MARGIN + LINE * (len(lines) + 2) + 10
    seconds = [TYPING + AFTER + BETWEEN * i for i in range(len(lines))]
    style = (
        f"{palette('svg')} text {{ font: 14px ui-monospace, 'DejaVu Sans Mono', monospace; white-space: pre; "
        "fill: var(--ink); } .prompt { fill: var(--accent); font-weight: 700; } .soft { fill: var(--ink-soft); } "
        "@media (prefers-reduced-motion: no-preference) { .line { animation: appear 0.01s backwards; } "
        f".cover {{ animation: type {TYPING}s steps({len(typed)}) both; }} }} "
        "@keyframes appear { from { opacity: 0; } } "
        f"@keyframes type {{ from {{ transform: translateX(0); }} to {{ transform: translateX({width}px); }} }} "
        "@media (prefers-reduced-motion: reduce) { .cover { display: none; } }"
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img">',
        f"<title>{escape(TITLE)}</title>",
        f"<style>{style}</style>",
        f'<rect width="{width}" height="{height}" rx="8" style="fill:var(--panel);stroke:var(--line)"/>',
        f'<text x="{MARGIN}" y="{MARGIN + LINE - 5}" class="prompt" textLength="{len(typed) * LETTER:.1f}">'
        f"{escape(typed)}</text>",
        f'<rect class="cover" x="{MARGIN}" y="{MARGIN - 2}" width="{width - 2 * MARGIN}" height="{LINE + 4}" '
        'style="fill:var(--panel)"/>',
    ]
    for i, (line, second) in enumerate(zip(lines, seconds, strict=True)):
        y = MARGIN + LINE * (i + 2) + 5
        soft = ' class="line soft"' if i == len(lines) - 1 else ' class="line"'
        parts.append(
            f'<text x="{MARGIN}" y="{y}"{soft} style="animation-delay:{second:.2f}s" xml:space="preserve">'
            f"{escape(line)}</text>"
        )
    return "\n".join([*parts, "</svg>", ""])


if __name__ == "__main__":
    RECORD.write_text("\n".join(run()) + "\n", encoding="utf-8", newline="\n")
