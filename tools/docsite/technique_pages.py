"""A page for each technique, made of its module, its card, its tables and the recorded benchmark of its uses."""

import ast
import doctest
import functools
import importlib
import inspect
import json
import re
from typing import Any, Final, NamedTuple

from docsite.docstrings import as_rst
from docsite.repository import ROOT, Chapter, chapters, source_url
from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.placement import Placement
from rookery.cli.common import size
from rookery.cli.techniques.source import Piece, joined, pieces_of
from rookery.techniques import ALL, technique
from rookery.techniques.base import Needs, Technique, itself

# What each instruction means for whoever has to choose.
INSTRUCTIONS: Final = {
    Needs.MULTIPLY: "64-bit CPUs multiply words in a few cycles.",
    Needs.MODULO: "A division is the slowest of the arithmetic instructions.",
    Needs.BYTESWAP: "x86 and ARM swap the bytes of a word in one instruction.",
    Needs.BITREVERSE: "ARM reverses the bits of a word in one instruction, x86 in several.",
    Needs.SCAN_FORWARD: "x86 and ARM find the lowest bit in one instruction or two.",
    Needs.SCAN_REVERSE: "x86 and ARM find the highest bit in one instruction.",
    Needs.PEXT: "PEXT is an instruction of x86 with BMI2. AMD before Zen 3 runs it in microcode, slowly; elsewhere a "
    "loop stands in for it.",
    Needs.PDEP: "PDEP comes with PEXT, and the same holds for it.",
}


MOST_COLUMNS: Final = 100  # of a line of an example


class Use(NamedTuple):
    """A use of techniques that a benchmark measured: its name in the record, in words, and the unit of its figures."""

    key: str
    name: str
    figure: str  # of a row of the record
    unit: str
    smallest_first: bool  # the figure is a time
    record: str = "technique_uses"


USES: Final = (
    Use("arrays", "over arrays", "arrays_million_queens_a_second", "million queens per second", False, "attacks"),
    Use("one_at_a_time", "one look-up at a time", "one_at_a_time_ns", "ns", True),
    Use("perft", "in perft, one position at a time", "perft_million_nodes_a_second", "million nodes per second", False),
)
RECORDING: Final = "python benchmarks/technique_uses.py --out benchmarks/technique_uses.json"
NEARLY: Final = 0.9  # of the best: differences of a tenth are smaller than those between machines


@functools.cache
def recorded() -> dict[str, Any]:
    """Return the recorded ``python benchmarks/technique_uses.py``, with the speeds of ``rookery bench attacks``."""
    result: dict[str, Any] = _read("technique_uses")
    arrays = {row["name"]: row for row in _read("attacks")["techniques"]}
    for row in result["techniques"]:
        of_arrays = arrays[row["name"]]
        row["arrays_million_queens_a_second"] = of_arrays["million_queens_a_second"]
        row["arrays_to_pext"] = of_arrays["ratio_to_pext"]
    return result


def _read(name: str) -> Any:
    return json.loads((ROOT / "benchmarks" / f"{name}.json").read_text(encoding="utf-8"))


@functools.cache
def machine_of(use: Use) -> str:
    """Return on what a use was recorded, and when."""
    machine = _read(use.record)["machine"]
    return f"one core of an {machine['cpu']} ({machine['llvm_cpu']}, {machine['vectors']}), {machine['date']}"


def ranking(use: Use) -> list[dict[str, Any]]:
    """Return the rows of the record, the fastest in a use first."""
    rows: list[dict[str, Any]] = recorded()["techniques"]
    return sorted(rows, key=lambda row: row[use.figure], reverse=not use.smallest_first)


def best_without_pext(use: Use) -> dict[str, Any]:
    """Return the row of the fastest technique that does not depend on PEXT."""
    return next(row for row in ranking(use) if Needs.PEXT not in technique(row["name"]).needs)


def share_of_best(use: Use, row: dict[str, Any]) -> float:
    """Return the speed of a row in a use, relative to the fastest technique."""
    best, own = ranking(use)[0][use.figure], row[use.figure]
    return float(best / own if use.smallest_first else own / best)


def page(t: Technique) -> str:
    """Return the page as reStructuredText."""
    module = importlib.import_module(t.module)
    text = inspect.cleandoc(module.__doc__ or "")
    title, _, idea = text.partition("\n\n")
    sections = [
        f"{t.name}\n{'=' * len(t.name)}",
        f"**{_plain(t)}**",
        as_rst(title, link_to(t)),
        card(t),
        heading("The idea"),
        as_rst(with_import(t.module, idea), link_to(t)),
        heading("Step by step"),
        explorer(t, text),
        heading("The formula"),
        formula(t),
        heading("Its tables"),
        tables(t),
        heading("Its speed"),
        speed(t),
        heading("When to use it"),
        "\n".join(f"- {line}" for line in advice(t)),
        heading("Related techniques"),
        neighbours(t),
    ]
    return "\n\n".join(sections) + "\n"


def heading(text: str) -> str:
    """Return the title of a section."""
    return f"{text}\n{'-' * len(text)}"


def link_to(here: Technique) -> Any:
    """Return the link to another technique, given its name."""
    names = {t.name for t in ALL} - {here.name}
    return lambda name: f":doc:`{name}`" if name in names else None


def card(t: Technique) -> str:
    """Who, when, where it is written, what it needs."""
    path = f"src/{t.module.replace('.', '/')}.py"
    variants = [
        f"{v.name} ({', '.join(v.authors)}, {v.year}: {v.difference.replace('`', '``')})" for v in t.card.variants
    ]
    return "\n".join(
        [
            ".. rst-class:: card",
            "",
            f":Authors: {', '.join(t.authors)}",
            f":Year: {t.year}",
            f":Source: {t.source}",
            f":Used by: {t.users or 'no program that we know of'}",
            *([f":Also published as: {'; '.join(variants)}"] if variants else []),
            f":Instructions: {t.needs}",
            f":Tables: {size(t.table_bytes) if t.table_bytes else 'none'}",
            f":Answers for: {', '.join(t.offers)}",
            f":Tutorial: :doc:`{chapter_of(t).title} </{chapter_of(t).page}>`",
            f":Module: `{t.module} <{source_url(path)}>`__",
        ]
    )


def chapter_of(t: Technique) -> Chapter:
    """Return the chapter of the tutorial that leads to a technique.

    If no chapter names it, that is the chapter of another technique of its module, or else of the nearest one that
    comes before it.
    """
    sisters = (other for other in ALL if other.module == t.module)
    before = reversed(ALL[: ALL.index(t)])
    for other in (t, *sisters, *before):
        for chapter in chapters():
            if other.name in chapter.techniques:
                return chapter
    raise ValueError(f"no chapter of the tutorial is about {t.name} or a technique before it")


def with_import(module: str, text: str) -> str:
    """Return a module's text with an import before its first example.

    The line imports the names that the examples take from the module, so that they also run elsewhere.
    """
    own = vars(importlib.import_module(module))
    used: set[str] = set()
    bound: set[str] = set()
    for example in doctest.DocTestParser().get_examples(text):
        for node in ast.walk(ast.parse(example.source)):
            if isinstance(node, ast.Name):
                (used if isinstance(node.ctx, ast.Load) else bound).add(node.id)
            elif isinstance(node, ast.ImportFrom | ast.Import):
                bound.update(alias.asname or alias.name for alias in node.names)
    names = sorted((used - bound) & own.keys(), key=str.casefold)
    before, mark, after = text.partition(">>> ")
    if not (names and mark):
        return text
    line = f"from {module} import {', '.join(names)}"
    if len(line) > MOST_COLUMNS:
        line = f"from {module} import (\n...     {', '.join(names)},\n... )"
    return f"{before}>>> {line}\n{mark}{after}"


class Example(NamedTuple):
    """What a module's text shows: a piece, its square, and what is occupied."""

    piece: str
    square: str
    occupied: Bitboard


def example_of(text: str) -> Example:
    """Return the example of a module: ``a bishop on d4``, and the first board named occupied in its doctest."""
    found = re.search(r"\b(rook|bishop|queen)s?\s+on\s+([a-h][1-8])", text, re.I)
    if not found:
        raise ValueError("no piece on a square, like 'a bishop on d4'")
    boards: dict[str, Bitboard] = {}
    for example in doctest.DocTestParser().get_examples(text):
        for node in ast.walk(ast.parse(example.source)):
            if isinstance(node, ast.Assign):
                for name, squares in _assigned(node):
                    boards.setdefault(name, Bitboard.of(*squares))
    for name in ("occupied", "o", "first"):
        if name in boards:
            return Example(found[1].lower(), found[2], boards[name])
    raise ValueError("no occupancy: expected one like occupied = Bitboard.of('d4', ...)")


def _assigned(node: ast.Assign) -> list[tuple[str, list[str]]]:
    """Return the names that are assigned ``Bitboard.of("d4", ...)``, with the squares."""
    targets, values = ([*x.elts] if isinstance(x, ast.Tuple) else [x] for x in (node.targets[0], node.value))
    pairs = zip(targets, values, strict=True) if len(targets) == len(values) else []
    return [
        (target.id, [ast.literal_eval(argument) for argument in value.args])
        for target, value in pairs
        if isinstance(target, ast.Name)
        and isinstance(value, ast.Call)
        and ast.unparse(value.func) == "Bitboard.of"
        and all(isinstance(argument, ast.Constant) for argument in value.args)
    ]


def explorer(t: Technique, text: str) -> str:
    """Return the explorer, showing the example of the module."""
    piece, square, occupied = example_of(text)
    signs = dict.fromkeys(occupied.names(), "p") | {square: piece[0].upper()}
    return "\n".join(
        [
            f".. explorer:: technique={t.name} piece={piece} square={square}",
            f"   :fen: {fen_of(signs)}",
            "   :height: 1200",
            f"   :caption: {t.name} on the example above, run by the exported kernel.",
        ]
    )


def fen_of(signs: dict[str, str]) -> str:
    """Return the first field of a FEN."""
    rows = []
    for rank in "87654321":
        row = "".join(signs.get(file + rank, "1") for file in "abcdefgh")
        rows.append(re.sub("1+", lambda found: str(len(found[0])), row))
    return Placement.from_fen("/".join(rows)).to_fen()


def formula(t: Technique) -> str:
    """Return the functions that compute an answer, each module's under a link to it."""
    pieces, others = pieces_of(t)
    parts = []
    for module in dict.fromkeys(piece.module for piece in pieces):
        own = [piece for piece in pieces if piece.module == module]
        path = f"src/{module.replace('.', '/')}.py"
        parts.append(f"Of `{module} <{source_url(path, own[0].line, last_line(own[-1]))}>`__:")
        code = joined(own).strip("\n")
        parts.append("\n".join([".. code-block:: python", "", *(f"   {line}".rstrip() for line in code.splitlines())]))
    if others:
        parts.append(f"It also calls {', '.join(f'``{name}``' for name in others)}.")
    parts.append(
        f"In another language: ``rookery export c --technique {t.name}``, or ``rust``, ``python``, and others."
    )
    return "\n\n".join(parts)


def last_line(piece: Piece) -> int:
    """Return the number of the last line of a definition."""
    return piece.line + piece.code.count("\n")


def tables(t: Technique) -> str:
    """Names, shapes, types and sizes, as they are when built."""
    if not t.table_bytes:
        return "None: everything is computed."
    rows = [".. list-table::", "   :header-rows: 1", "   :widths: auto", ""]
    cells = [("table", "shape", "type", "bytes")]
    for name, table in zip(t.tables()._fields, t.tables(), strict=True):
        shape = " x ".join(f"{n:,}" for n in table.shape)
        cells.append((f"``{name}``", shape, str(table.dtype), f"{table.nbytes:,}"))
    cells.append(("together", "", "", f"{t.table_bytes:,}"))
    for row in cells:
        rows += [f"   {'*' if i == 0 else ' '} - {cell}" for i, cell in enumerate(row)]
    return "\n".join(rows)


def row_of(t: Technique) -> dict[str, Any] | None:
    """Return what is recorded of a technique, or None if it has not been measured."""
    return next((row for row in recorded()["techniques"] if row["name"] == t.name), None)


def speed(t: Technique) -> str:
    """Return the recorded speed in each use, and the machine."""
    result, own = recorded(), row_of(t)
    if own is None:
        return f"Not recorded yet. ``{RECORDING}`` measures all techniques in one run."
    rows = [".. list-table::", "   :header-rows: 1", "   :widths: auto", ""]
    cells = [("use", "figure", "compared with ``pext``", f"place among {len(result['techniques'])}")]
    for use in USES:
        place = [row["name"] for row in ranking(use)].index(t.name) + 1
        cells.append((use.name, f"{own[use.figure]:,.3g} {use.unit}", f"{own[f'{use.key}_to_pext']:.2f}", str(place)))
    for row in cells:
        rows += [f"   {'*' if i == 0 else ' '} - {cell}" for i, cell in enumerate(row)]
    name, depth = result["perft"]
    text = (
        "The second figure compares speeds: 2 is twice as fast as ``pext``. One look-up at a time means a queen, each "
        "look-up after a change of the board and after the last answer, with the parts of the tables in use in the "
        f"cache. Perft is {name.capitalize()} to depth {depth}. Arrays on {machine_of(USES[0])}, the others on "
        f"{machine_of(USES[-1])}; medians of rounds in which all techniques took turns; "
        ":doc:`more benchmarks </benchmarks>`."
    )
    if t.prepare_kernel is not itself:
        text += (
            " Over arrays, its boards are built anew for every occupancy, which takes most of the time there. In the "
            "other uses it updates them at each move."
        )
    return "\n".join(rows) + f"\n\n{text}"


def advice(t: Technique) -> list[str]:
    """Return advice that follows from the users, the recorded speed, the tables, the instructions and the answers."""
    lines = [f"Programs that use it: {t.users}." if t.users else "We know of no chess program that uses it."]
    own = row_of(t)
    if own is not None:
        lines += [in_use(use, t, own) for use in USES]
    lines.append(_in_caches(t.table_bytes))
    lines += [text for need, text in INSTRUCTIONS.items() if need in t.needs]
    if "fill" in t.offers:
        lines.append("It answers for any number of sliders at once, where others answer for one.")
    elif "ray" in t.offers:
        lines.append("It answers for a single direction too.")
    elif "rank" in t.offers:
        lines.append("It answers for a single line too.")
    if t.prepare_kernel is not itself:
        lines.append("Its boards have to be kept up at every move: for a program that makes and takes back moves.")
    return lines


def in_use(use: Use, t: Technique, own: dict[str, Any]) -> str:
    """Return whether a technique is a choice for a use, and what is faster there with tables that are no larger.

    `own` is what is recorded of the technique.
    """
    name = f"{use.name[0].upper()}{use.name[1:]}"
    share = share_of_best(use, own)
    if share >= NEARLY:
        return f"{name}: yes, among the fastest."
    rows = ranking(use)
    best = rows[0]
    portable = best_without_pext(use)
    needs_none = Needs.PEXT not in t.needs and Needs.PEXT in technique(best["name"]).needs
    if needs_none and share >= NEARLY * share_of_best(use, portable):
        return (
            f"{name}: yes where PEXT is missing or slow; elsewhere it has {share:.0%} of the speed of "
            f":doc:`{best['name']}`, the fastest."
        )
    faster = f"{name}: {share:.0%} of the speed of :doc:`{best['name']}`, the fastest"
    smaller = next(row for row in rows if row["table_bytes"] <= own["table_bytes"])
    if smaller["name"] == t.name:
        return f"{faster}, but none is faster with tables as small."
    if smaller["name"] == best["name"]:
        return f"{faster}, which also has no larger tables." if best["table_bytes"] else f"{faster}, without tables."
    return f"{faster}; with no larger tables, :doc:`{smaller['name']}` is faster."


def _in_caches(table_bytes: int) -> str:
    if not table_bytes:
        return "Nothing has to be built at the start, and nothing takes room in a cache."
    for kib, cache in ((32, "a first-level data cache of 32 KiB"), (1024, "a second-level cache of 1 MiB")):
        if table_bytes <= kib * 1024:
            return f"All its tables fit into {cache}."
    return "Its tables together are larger than a second-level cache of 1 MiB."


def neighbours(t: Technique) -> str:
    """Those before and after it in teaching order, and those of its module."""
    at = ALL.index(t)
    lines = []
    if at:
        lines.append(f"- To be learnt before it: :doc:`{ALL[at - 1].name}`, {_plain(ALL[at - 1])}.")
    if at + 1 < len(ALL):
        lines.append(f"- After it: :doc:`{ALL[at + 1].name}`, {_plain(ALL[at + 1])}.")
    sisters = [f":doc:`{other.name}`" for other in ALL if other.module == t.module and other is not t]
    if sisters:
        lines.append(f"- Of the same idea: {', '.join(sisters)}.")
    return "\n".join(lines)


def _plain(t: Technique) -> str:
    return re.sub(r"([*|])", r"\\\1", t.summary)
