"""Write the generated parts of README and pages from the registry, the recorded results and the classes.

With ``--check`` it only compares. A block is enclosed by ``<!-- generated: NAME -->`` and ``<!-- end -->``; the chart
is a separate file.
"""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import annotate_speeds
import chapter_figures
import chapter_pictures
import chart
import cuda_table
import dataset_tables
import dead_tables
import discovery_tables
import encoder_tables
import explorer_pictures
import gallery
import index_tables
import judged_queries
import motifs
import mutant_tables
import perft_distinct
import plan_tables
import published_techniques
import python_chess
import python_chess_module
import query_functions
import query_speeds
import scaling
import search_recording
import training_tables
import worksheet
from live_figures import drawings, lookup_drawings
from rookery.cli.common import rate, size
from rookery.magics.atlas import atlas as atlas_cells
from rookery.techniques import ALL

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
DOCS = ROOT / "docs"


def techniques() -> str:
    """Return the table of techniques. A name links to its module, and on the site to the page made from it."""
    rows = ["| technique | year | idea | tables |", "|---|---|---|---:|"]
    for t in ALL:
        tables = size(t.table_bytes) if t.table_bytes else "none"
        module = f"../src/{t.module.replace('.', '/')}.py"
        rows.append(f"| [`{t.name}`]({module}) | {t.year} | {t.summary.replace('|', chr(92) + '|')} | {tables} |")
    return "\n".join(rows)


def variants() -> str:
    """Return the table of published techniques that are another in a different form."""
    rows = ["| name | author, year | is | difference |", "|---|---|---|---|"]
    rows += [
        f"| `{v.name}` | {', '.join(v.authors)}, {v.year} | `{t.name}` | {v.difference} ({v.source}) |"
        for t in ALL
        for v in t.card.variants
    ]
    return "\n".join(rows)


def attacks() -> str:
    """Return the recorded ``rookery bench attacks``, fastest first."""
    result = json.loads((ROOT / "benchmarks" / "attacks.json").read_text(encoding="utf-8"))
    machine = result["machine"]
    rows = [
        f"Queens over arrays of {result['positions']:,} random squares and occupancies, one core of an "
        f"{machine['cpu']} ({machine['llvm_cpu']}, {machine['vectors']}), {machine['date']}, Numba "
        f"{machine['numba']}; medians of {result['rounds']} rounds in which all techniques took turns:",
        "",
        "| technique | million queens/s | to `pext` | one call with two ints, us |",
        "|---|---:|---:|---:|",
    ]
    rows += [
        f"| `{row['name']}` | {row['million_queens_a_second']:.0f} | {row['ratio_to_pext']:.2f} "
        f"| {row['one_call_us']:.2f} |"
        for row in sorted(result["techniques"], key=lambda row: -row["ratio_to_pext"])
    ]
    return "\n".join(rows)


def explorer() -> str:
    """Return the recorded times of the explorer."""
    result = json.loads((ROOT / "benchmarks" / "explorer.json").read_text(encoding="utf-8"))
    machine, rows = result["machine"], result["techniques"]
    slowest = max(rows, key=lambda row: row["square_ms"])
    squares, steps = (sorted(row[key] for row in rows) for key in ("square_ms", "step_ms"))
    middle = len(rows) // 2
    beside = ""
    if "comparison_ms" in result:  # records from before 24 November have none
        loops = sorted(row["loop_ms"] for row in rows)
        beside = (
            f" The comparison of all techniques takes {result['comparison_ms'] / 1000:.1f} s. In the same page,"
            f" {result['loop']} take {loops[middle]} ms."
        )
    return (
        f"Of {len(rows)} techniques, a changed square shows after {squares[middle]} ms in the middle and after "
        f"{slowest['square_ms']} ms at most (`{slowest['name']}`), a step after {steps[middle]} and {steps[-1]} ms: "
        f"medians of {result['rounds']} clicks each, from the click until the page is laid out, a queen in "
        f"{machine['browser']} on an {machine['cpu']} ({machine['llvm_cpu']}), {machine['date']}. The page is "
        f"{result['page_bytes'] // 1000} KB, of which the first {result['first_bytes'] // 1000} KB draw it.{beside}"
    )


def speeds() -> str:
    """Return the recorded speeds for the explorer, which is built where there are no benchmarks."""
    result = json.loads((ROOT / "benchmarks" / "attacks.json").read_text(encoding="utf-8"))
    machine = result["machine"]
    found = {row["name"]: row["million_queens_a_second"] for row in result["techniques"]}
    where = f"on an {machine['cpu']} ({machine['llvm_cpu']}, {machine['vectors']}), {machine['date']}"
    return json.dumps({"machine": where, "million_queens_a_second": found}, indent=1) + "\n"


def perft() -> str:
    """Return the recorded ``rookery bench perft --peers``."""
    result = json.loads((ROOT / "benchmarks" / "perft.json").read_text(encoding="utf-8"))
    machine = result["machine"]
    rows = [
        f"One core of an {machine['cpu']} ({machine['llvm_cpu']}), {machine['date']}, technique "
        f"`{result['technique']}`; medians of {result['rounds']} rounds in turns with the peer:",
        "",
        "| | here | peer | peer's | ratio |",
        "|---|---:|---|---:|---:|",
    ]
    for row in result["rows"]:
        here, there = (rate(row[side], row["unit"]) for side in ("ours_per_second", "theirs_per_second"))
        rows.append(f"| {row['what']} | {here} | {row['peer']} {row['peer_version']} | {there} | {row['ratio']:.1f} |")
    return "\n".join(rows)


def lanes() -> str:
    """Return the recorded ``rookery bench lanes``."""
    result = json.loads((ROOT / "benchmarks" / "lanes.json").read_text(encoding="utf-8"))
    machine = result["machine"]
    rows = [
        f"One core of an {machine['cpu']} ({machine['llvm_cpu']}, {machine['vectors']}), {machine['date']}, Numba "
        f"{machine['numba']}; blocks of {result['positions']:,} positions of random games; medians of "
        f"{result['rounds']} rounds in turns, of fewer for perft. *One by one* is the scalar generator here, in a "
        "compiled loop:",
        "",
        "| | rookery | compared with | its figure | ratio |",
        "|---|---:|---|---:|---:|",
    ]
    rows += [_lanes_row(row) for row in result["rows"] if row.get("ratio_of") != "time"]
    rows += [
        "",
        "What planes and policy masks should cost is the writing of their output, so here the ratio is their time to "
        "that of `out.fill(1)`:",
        "",
        "| | here | `out.fill(1)` | ratio |",
        "|---|---:|---:|---:|",
    ]
    for row in result["rows"]:
        if row.get("ratio_of") == "time":
            here, there = (rate(row[side], row["unit"]) for side in ("ours_per_second", "theirs_per_second"))
            rows.append(f"| {row['what']} | {here} | {there} | {row['ratio']:.1f} |")
    return "\n".join(rows)


def _lanes_row(row: dict[str, Any]) -> str:
    here = rate(row["ours_per_second"], row["unit"])
    if "peer" not in row:
        return f"| {row['what']} | {here} | | | |"
    peer = f"{row['peer']} {row['peer_version'] or ''}".strip()
    if row["their_work"]:
        peer += f", {row['their_work']}"
    ratio = f"{row['ratio']:,.1f}" if row["ratio"] < 100 else f"{row['ratio']:,.0f}"
    return f"| {row['what']} | {here} | {peer} | {rate(row['theirs_per_second'], row['unit'])} | {ratio} |"


def games() -> str:
    """Return the recorded ``rookery bench games``."""
    result = json.loads((ROOT / "benchmarks" / "games.json").read_text(encoding="utf-8"))
    machine = result["machine"]
    rows = [
        f"One core of an {machine['cpu']} ({machine['llvm_cpu']}, {machine['vectors']}) but where threads are named, "
        f"{machine['date']}, Numba {machine['numba']}; medians of {result['rounds']} rounds in turns:",
        "",
        "| | rookery | compared with | its figure | ratio |",
        "|---|---:|---|---:|---:|",
    ]
    return "\n".join(rows + [_lanes_row(row) for row in result["rows"]])


def start() -> str:
    """Return the recorded ``python benchmarks/first_answers.py``."""
    result = json.loads((ROOT / "benchmarks" / "start.json").read_text(encoding="utf-8"))
    machine = result["machine"]
    rows = [
        f"Seconds of a new process on an {machine['cpu']} ({machine['llvm_cpu']}), {machine['date']}, Python "
        f"{machine['python']}, Numba {machine['numba']}; medians of {result['rounds']} rounds with an empty cache and "
        f"{result['runs']} with a full one:",
        "",
        "| first answer | nothing compiled before | all of it | its CPU time | beyond |",
        "|---|---:|---:|---:|---:|",
    ]
    empty = {row["what"]: row for row in result["rows"] if row["cache"] == "empty"}
    for row in (row for row in result["rows"] if row["cache"] == "full"):
        before = f"{empty[row['what']]['seconds']:.2f}" if row["what"] in empty else ""
        beyond = f"{row['cpu_seconds_beyond']:.3f}, `{row['beyond']}`" if "beyond" in row else ""
        seconds = f"{row['seconds']:.2f} | {row['cpu_seconds']:.3f}"
        rows.append(f"| `{row['what']}` | {before} | {seconds} | {beyond} |")
    if "installation" in result:
        both = result["installation"]["both"]
        rows += [
            "",
            f"`uv pip install` from a full cache and `Board().legal_moves` take {both['seconds']:.2f} s together (uv "
            f"{result['installation']['uv']}).",
        ]
    return "\n".join(rows)


def magics() -> str:
    """Return the recorded ``python benchmarks/magic_search.py``."""
    result = json.loads((ROOT / "benchmarks" / "magics.json").read_text(encoding="utf-8"))
    machine, found = result["machine"], result["find"]
    rows = [
        f"On an {machine['cpu']} ({machine['llvm_cpu']}), {machine['date']}, Numba {machine['numba']}, every answer "
        f"checked. All {found[0]['factors']} factors, by {found[0]['seeds']} seeds:",
        "",
        "| form of the table | median, ms | worst, ms |",
        "|---|---:|---:|",
        *(f"| {row['form']} | {row['median_ms']:.2f} | {row['worst_ms']:.2f} |" for row in found),
        "",
        f"Whether bishops can do with one index bit less, medians of {result['rounds']} rounds:",
        "",
        "| proof | answer | threads | seconds | nodes | million nodes/s |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for row in result["proofs"]:
        answer = f"{row['factors']} can, {row['none']} cannot"
        if row["squares"] == 1:
            answer = "can" if row["factors"] else "cannot"
        rows.append(
            f"| {row['what']}, {row['bits']} bits | {answer} | {row['threads']} | {row['seconds']:.3f} "
            f"| {row['nodes']:,} | {row['nodes_per_second'] / 1e6:.1f} |"
        )
    rows += [
        "",
        "The tables of rooks and bishops, each with all of its 107,648 look-ups:",
        "",
        "| technique | entries | bytes |",
        "|---|---:|---:|",
    ]
    rows += [f"| `{row['name']}` | {row['entries']:,} | {row['bytes']:,} |" for row in result["tables"]]
    return "\n".join(rows)


def finder() -> str:
    """How long the finder takes, of the same record."""
    result = json.loads((ROOT / "benchmarks" / "magics.json").read_text(encoding="utf-8"))
    machine, found = result["machine"], result["find"]
    medians, worst = [row["median_ms"] for row in found], max(row["worst_ms"] for row in found)
    return (
        f"All {found[0]['factors']} take {min(medians):.2f} to {max(medians):.2f} ms, by the form of the table, and "
        f"never more than {worst:.2f} ms ({found[0]['seeds']} seeds each, one core of an "
        f"{machine['cpu']}, {machine['date']})."
    )


MARKS = {"factor": "+", "none": "-", "open": "?"}


def atlas() -> str:
    """Return the stored answers, on two boards."""
    cells = {(cell.piece, cell.square): cell for cell in atlas_cells()}
    answers = [cell.answer for cell in cells.values()]
    here = sum(cell.source in ("proved here", "found here") for cell in cells.values())
    yes, no, undecided = (answers.count(answer) for answer in MARKS)
    rows = [
        f"On {yes} of the 128 squares of rook and bishop one bit less is possible (`+`), on {no} it is not (`-`), "
        f"{undecided} are open (`?`). {here} are decided by proofs or factors of our own; the others, in brackets, as "
        "published by Niklas Fiekas (2026). Rooks, and bishops:",
        "",
        "```text",
    ]
    for rank in "87654321":
        boards = []
        for piece in ("rook", "bishop"):
            line = [cells[piece, file + rank] for file in "abcdefgh"]
            marks = [MARKS[c.answer] for c in line]
            known = [c.source in ("proved here", "found here") or c.answer == "open" for c in line]
            boards.append("".join(f" {m} " if k else f"({m})" for m, k in zip(marks, known, strict=True)))
        rows.append(f"{rank}  {'     '.join(boards)}")
    files = "  ".join("abcdefgh")
    return "\n".join([*rows, f"    {files}       {files}", "```"])


def board() -> str:
    """Return the recorded ``python benchmarks/board_calls.py``."""
    result = json.loads((ROOT / "benchmarks" / "board.json").read_text(encoding="utf-8"))
    machine, names = result["machine"], list(result["rows"][0]["nanoseconds"])
    versions = ", ".join(f"{name} {version}" for name, version in result["peers"].items() if version)
    rows = [
        f"One core of an {machine['cpu']} ({machine['llvm_cpu']}), {machine['date']}, Python {machine['python']}, "
        f"{versions}; medians of {result['rounds']} rounds in turns, CPU time in nanoseconds, every "
        "answer compared:",
        "",
        f"| | {' | '.join(names)} | to python-chess | to the faster of Rust and C |",
        f"|---|{'---:|' * (len(names) + 2)}",
        *(f"| `{row['what']}` | {_calls_row(row)} |" for row in result["rows"]),
        "",
        "An alpha-beta search in Python, nanoseconds per node:",
        "",
        f"| | {' | '.join(names)} | to python-chess | to the faster of Rust and C |",
        f"|---|{'---:|' * (len(names) + 2)}",
        *(f"| {row['position']}, depth {row['depth']} | {_calls_row(row)} |" for row in result["alpha_beta"]),
    ]
    return "\n".join(rows)


def _calls_row(row: dict[str, Any]) -> str:
    times = [f"{time:,.0f}" if time is not None else "" for time in row["nanoseconds"].values()]
    ratios = [row[name] for name in ("to_python_chess", "to_faster_rival")]
    return " | ".join([*times, *(f"{ratio:.2f}" if ratio is not None else "" for ratio in ratios)])


def puzzle_themes() -> str:
    """Return the recorded ``python benchmarks/puzzle_themes.py``."""
    result = json.loads((ROOT / "benchmarks" / "puzzles.json").read_text(encoding="utf-8"))
    machine, lichess = result["machine"], result["lichess_tagger"]
    ratio = lichess["microseconds_a_puzzle"] / result["microseconds_a_puzzle"]
    rows = [
        f"{result['puzzles']:,} puzzles: {result['microseconds_a_puzzle']:.1f} us per puzzle from text to themes, one "
        f"core of an {machine['cpu']}, {machine['date']}; Lichess' tagger, run on the same puzzles on python-chess, "
        f"{lichess['microseconds_a_puzzle']:,.0f} us ({ratio:,.0f} times as long). Its themes differ on "
        f"{len(lichess['differences'])} puzzles, the published ones on {len(result['differences'])}:",
        "",
        "| theme | on both sides | only here | only published |",
        "|---|---:|---:|---:|",
    ]
    rows += [
        f"| `{row['theme']}` | {row['both']:,} | {row['only_here']} | {row['only_published']} |"
        for row in result["themes"]
    ]
    return "\n".join(rows)


PAGES: dict[Path, dict[str, Callable[[], str]]] = {
    README: {"peers": chart.caption},
    DOCS / "techniques.md": {
        "techniques": techniques,
        "variants": variants,
        "listed-by-the-wiki": published_techniques.wiki,
        "listed-by-chess-movegen": published_techniques.movegen,
        "choices": chapter_figures.choices,
    },
    **{
        path: {"gained": chapter_figures.gained(path.stem)}
        for path in sorted((DOCS / "tutorial").glob("[0-9]*.md"))
        if path.stem != "00-why"
    },
    DOCS / "tutorial" / "worksheet.md": {"worksheet": worksheet.questions, "worksheet-answers": worksheet.answers},
    DOCS / "tutorial" / "ten-minutes.md": {
        "filled": chapter_figures.filled,
        "filled-in-short": chapter_figures.filled_in_short,
    },
    DOCS / "tutorial" / "00-why.md": {"cost": chapter_figures.cost_of_loops, "story": chapter_figures.story},
    DOCS / "benchmarks.md": {
        "lanes": lanes,
        "perft": perft,
        "games": games,
        "query": query_speeds.searches,
        "start": start,
        "attacks": attacks,
        "uses": chapter_figures.uses,
        "explorer": explorer,
        "magics": magics,
    },
    DOCS / "gallery.md": {"gallery-figures": gallery.figures, "gallery": gallery.questions},
    DOCS / "puzzle-themes.md": {"puzzle-themes": puzzle_themes},
    DOCS / "games-to-tensors.md": {"dataset-speeds": dataset_tables.speeds},
    DOCS / "inputs-of-nets.md": {"encoder-speeds": encoder_tables.speeds},
    DOCS / "how-correctness-is-proved.md": {"mutants": mutant_tables.scores},
    DOCS / "dead-positions.md": {"dead-speeds": dead_tables.speeds},
    DOCS / "games.md": {"index-speeds": index_tables.speeds},
    DOCS / "plans.md": {"plan-speeds": plan_tables.speeds},
    DOCS / "training-formats.md": {
        "training-limits": training_tables.limits,
        "training-speeds": training_tables.speeds,
    },
    DOCS / "magic-factors.md": {"finder": finder, "atlas": atlas},
    DOCS / "queries.md": {
        "query-headers": query_functions.of_headers,
        "query-methods": query_functions.of_methods,
        "query-move": query_functions.of_move,
        "query-motifs": query_functions.of_motifs,
        "query-mates": query_functions.of_mates,
        **{
            f"query-{module}": query_functions.of_module(module)
            for module in ("sets", "values", "operators", "games", "moves", "identity", "patterns", "sequences")
        },
    },
    DOCS / "motifs" / "index.md": {
        **{f"motifs-{name}": motifs.names(name) for name in motifs.PAGES},
        "motifs-mates": motifs.mate_names,
    },
    DOCS / "motifs" / "mates.md": {"mates": motifs.mates},
    **{DOCS / "motifs" / f"{name}.md": {"motifs": motifs.page(name)} for name in motifs.PAGES},
    DOCS / "queries-judged.md": judged_queries.BLOCKS,
    DOCS / "executors.md": perft_distinct.BLOCKS,
    DOCS / "scaling.md": scaling.BLOCKS,
    DOCS / "discovery.md": discovery_tables.BLOCKS,
    DOCS / "guides" / "fens-to-features.md": annotate_speeds.BLOCKS,
    DOCS / "guides" / "cuda.md": cuda_table.BLOCKS,
    DOCS / "coming-from-python-chess.md": {
        "python-chess-board": python_chess.board,
        "python-chess-board-only": python_chess.board_only,
        "python-chess-move": python_chess.move,
        "python-chess-move-only": python_chess.move_only,
        "python-chess-module": python_chess_module.module,
        "python-chess-square-set": python_chess_module.square_set,
        "python-chess-pgn": python_chess_module.pgn,
        "python-chess-game": python_chess_module.pgn_game,
        "python-chess-submodules": python_chess_module.submodules,
        "board": board,
    },
}
FILES: dict[Path, Callable[[], str]] = {
    DOCS / "compared-with-peers.svg": chart.svg,
    DOCS / "search.svg": search_recording.svg,
    **chapter_pictures.files(),
    **explorer_pictures.files(),
    DOCS / "figures" / "drawn" / "cost.svg": chapter_figures.cost,
    ROOT / "src" / "rookery" / "explain" / "explorer" / "speeds.json": speeds,
    **{
        DOCS / "figures" / "drawn" / f"{name}.svg": draw
        for name, draw in (drawings.DRAWINGS | lookup_drawings.DRAWINGS).items()
    },
}


def generated(text: str, page: Path = README) -> str:
    """Return the `text` of a page with new blocks; exit with an error if it has other blocks than `PAGES` lists."""
    stray = set(re.findall(r"<!-- generated: (\S+) -->", text)) - PAGES[page].keys()
    if stray:
        raise SystemExit(f"{page.name}: nothing writes the blocks {', '.join(sorted(stray))}")
    for name, write in PAGES[page].items():
        pattern = rf"(<!-- generated: {name} -->\n).*?(<!-- end -->)"
        text, count = re.subn(pattern, lambda m, write=write: f"{m[1]}\n{write()}\n\n{m[2]}", text, flags=re.S)  # type: ignore[misc]
        if count != 1:
            raise SystemExit(f"{page.name}: expected one block {name!r}, found {count}")
    return text


def main() -> None:
    """Write, or with ``--check`` exit with 1 if anything is stale."""
    fresh = {page: generated(page.read_text(encoding="utf-8"), page) for page in PAGES}
    fresh |= {file: write() for file, write in FILES.items()}
    for path, text in fresh.items():
        if "--check" not in sys.argv[1:]:
            path.write_text(text, encoding="utf-8", newline="\n")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            raise SystemExit(f"{path.name} is stale: run python tools/figures.py")


if __name__ == "__main__":
    main()
