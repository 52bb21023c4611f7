"""``rookery techniques | show | attacks | verify``."""

import dataclasses
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from rookery.cli.common import named_position, out, print_json, with_coordinates, write_file
from rookery.cli.options import OutputFile, as_json_option, writes_files
from rookery.cli.runner import Run, compilation_shown, progress_bar
from rookery.cli.tables import Column, Table, number, present, tables_size

if TYPE_CHECKING:
    from pathlib import Path

    from rookery.bitboards.placement import Placement
    from rookery.cli.techniques.source import Piece
    from rookery.techniques.base import Technique
    from rookery.verify import Result


@click.command("techniques")
@as_json_option
def techniques_command(as_json: bool) -> None:
    """List all techniques, in the order in which to learn them."""
    from rookery.techniques import ALL

    columns = (
        Column("technique", "{name}"),
        Column("year"),
        number("tables", tables_size),
        Column("idea", "{summary}"),
    )
    present(map(card, ALL), columns, as_json)


def card(t: "Technique") -> dict[str, Any]:
    """Return the description of a technique for JSON."""
    return {
        "name": t.name,
        "summary": t.summary,
        "authors": t.authors,
        "year": t.year,
        "source": t.source,
        "users": t.users,
        "needs": str(t.needs),
        "offers": t.offers,
        "table_bytes": t.table_bytes,
        "variants": [dataclasses.asdict(variant) for variant in t.card.variants],
    }


@click.command()
@click.argument("name")
@click.option(
    "--source",
    "whole",
    is_flag=True,
    help="Show the whole module, with the code that fills the tables, and related techniques.",
)
@as_json_option
def show(name: str, whole: bool, as_json: bool) -> None:
    """Show a technique: its card, its tables and the functions that its answers run through.

    The name of a variant shows the technique that it is another form of.
    """
    import importlib
    import inspect

    from rich.syntax import Syntax

    from rookery.cli.techniques.source import pieces_of
    from rookery.techniques import technique

    t = technique(name)
    pieces, outside = pieces_of(t)
    source = inspect.getsource(importlib.import_module(t.module)) if whole else _joined(pieces)
    tables = [
        {"name": field, "shape": table.shape, "dtype": str(table.dtype), "bytes": table.nbytes}
        for field, table in zip(t.tables()._fields, t.tables(), strict=True)
    ]
    if as_json:
        print_json({**card(t), "tables": tables, "module": t.module, "code": source, "calls": outside})
        return
    out.print(f"[bold]{t.name}[/bold]: {t.summary}")
    grid = Table.grid(padding=(0, 2))
    grid.add_row("authors", ", ".join(t.authors))
    grid.add_row("year", str(t.year))
    grid.add_row("source", t.source)
    if t.users:
        grid.add_row("users", t.users)
    grid.add_row("needs", str(t.needs))
    grid.add_row("answers", ", ".join(t.offers))
    grid.add_row("tables", f"{t.table_bytes:,} bytes")
    for variant in t.card.variants:
        text = f"{variant.name} ({', '.join(variant.authors)}, {variant.year}): {variant.difference}"
        grid.add_row("variant", text)
    out.print(grid)
    if tables:
        columns = (
            Column("table", "{name}"),
            Column("shape", lambda table: " x ".join(f"{n:,}" for n in table["shape"])),
            Column("type", "{dtype}"),
            number("bytes", "{bytes:,}"),
        )
        present(tables, columns)
    out.print()
    # The terminal's own colours, and of them those that are read on light and dark alike.
    code = Syntax(source, "python", theme="ansi_light", background_color="default")
    out.print(code.highlight(source.rstrip("\n")) if out.is_terminal else source, markup=False)
    if not whole:
        if outside:
            out.print(f"# also calls: {', '.join(outside)}", markup=False)
        out.print(f"# all of {t.module}: rookery show {t.name} --source", markup=False)


def _joined(pieces: "Sequence[Piece]") -> str:
    """Return definitions as one text, and the line at which each module begins."""
    from rookery.cli.techniques.source import joined

    modules = dict.fromkeys(piece.module for piece in pieces)
    texts = (f"# {module}\n{joined(piece for piece in pieces if piece.module == module)}" for module in modules)
    return "\n\n\n".join(texts) + "\n"


SHORT_NAMES = {"r": "rook", "b": "bishop", "q": "queen"}


@click.command()
@click.argument("fen")
@click.argument("square")
@click.option("--piece", help="rook, bishop or queen (r, b, q); by default the piece on the square.")
@click.option("--technique", "name", default=None, help="A technique's name, or 'all'.")
@click.option("--svg", type=OutputFile(), help="Write the position and the attacked squares to this file as a picture.")
@as_json_option
@writes_files
def attacks(fen: str, square: str, piece: str | None, name: str | None, svg: "Path | None", as_json: bool) -> None:
    """Draw what a sliding piece attacks in a position.

    FEN is a position (its first field will do), or a name as for perft, and SQUARE a name like e4.
    """
    from rookery.arguments import shown
    from rookery.bitboards.bitboard import Bitboard
    from rookery.bitboards.placement import Placement, describe_square
    from rookery.bitboards.squares import parse_square
    from rookery.techniques import ALL, technique
    from rookery.verify import oracle

    placement = Placement.from_fen(named_position(fen))
    sq = parse_square(square)
    kind = SHORT_NAMES.get(piece, piece) if piece else placement.kind_at(sq)
    if kind is None or kind not in SHORT_NAMES.values():
        if piece:
            raise ValueError(f"--piece: {shown(piece)}: expected rook, bishop or queen")
        raise ValueError(f"SQUARE: {describe_square(placement, sq)} is no sliding piece; say which with --piece")
    chosen = list(ALL) if name == "all" else [technique(name or "obstruction-difference")]
    occupied = int(placement.occupied)
    expected = oracle(kind, sq, occupied)
    with compilation_shown():
        answers = [(t, Bitboard(t.ask(kind, sq, occupied))) for t in chosen]
    wrong = [t.name for t, answer in answers if answer != expected]
    if svg:
        write_file("--svg", svg, picture_of_attacks(placement, sq, kind, answers[0][1]))
    if as_json:
        print_json(
            {
                "fen": placement.to_fen(),
                "square": square,
                "piece": kind,
                "attacks": f"0x{expected:016x}",
                "squares": Bitboard(expected).names(),
                "techniques": [
                    {
                        "name": t.name,
                        "attacks": f"0x{int(answer):016x}",
                        "table_bytes": t.table_bytes,
                        "agrees": answer == expected,
                    }
                    for t, answer in answers
                ],
            }
        )
    else:
        draw_attacks(placement, sq, kind, answers[0][1])
        if name not in (None, "all"):
            out.print(f"\nby {chosen[0].name}: {chosen[0].summary}", markup=False)
        if name == "all":
            list_answers(answers, expected)
    if wrong:
        raise click.ClickException(f"answers that differ from the oracle's: {', '.join(wrong)}")


def draw_attacks(placement: "Placement", square: int, kind: str, attacked: Any) -> None:
    """Draw the position and the attack set next to each other, and list the blockers."""
    from rookery.bitboards.squares import square_name

    sign = placement.piece_at(square) or kind[0]
    marks = placement.marks()
    met = {s: marks[s] for s in attacked if s in marks}
    right = attacked.draw({**met, square: f"[bold]{sign}[/bold]", **{s: f"[red]{p}[/red]" for s, p in met.items()}})
    here = square_name(square)
    out.print(f"{'position':20}what the {kind} on {here} attacks: {len(attacked)} squares, 0x{int(attacked):016x}")
    out.print()
    for line in with_coordinates(str(placement), right):
        out.print(line)
    if met:
        out.print()
        out.print("pieces it meets: " + ", ".join(f"{p} {square_name(s)}" for s, p in met.items()))


def picture_of_attacks(placement: "Placement", square: int, kind: str, attacked: Any) -> str:
    """Return the position with the attacked squares as SVG."""
    from rookery.bitboards.pictures import board_svg
    from rookery.bitboards.squares import square_name

    sign = placement.piece_at(square) or kind[0].upper()
    return board_svg(
        {**placement.marks(), square: sign},
        sets={"attacked": attacked},
        chosen=square,
        title=f"What a {kind} on {square_name(square)} attacks",
    )


def list_answers(answers: Sequence[tuple["Technique", Any]], expected: int) -> None:
    """Print the answer of every technique."""
    columns = (
        Column("technique", "{name}"),
        Column("attacks", "0x{attacks:016x}"),
        number("tables", tables_size),
        Column("agrees", lambda row: "yes" if row["attacks"] == expected else "[red]NO[/red]"),
    )
    out.print()
    present([{**card(t), "attacks": int(answer)} for t, answer in answers], columns)
    agreeing = sum(answer == expected for _, answer in answers)
    out.print(f"\n{agreeing} of {len(answers)} techniques agree with the oracle.")


@click.command()
@click.argument("names", nargs=-1)
@as_json_option
def verify(names: tuple[str, ...], as_json: bool) -> None:
    """Prove techniques right, or those NAMEd, on every square and every subset of the whole rays."""
    from rookery.kernel import watch_compilation
    from rookery.techniques import ALL, technique
    from rookery.verify import checks

    chosen = [technique(name) for name in dict.fromkeys(names)] or list(ALL)
    plan = [(t, checks(t)) for t in chosen]
    results: dict[str, list[Result]] = {t.name: [] for t in chosen}
    total = sum(len(checks_) for _, checks_ in plan)
    with (
        Run(as_json) as run,
        progress_bar("the oracle walks every ray", total, counts=True, elapsed=True, width=50) as bar,
    ):

        def compiling() -> None:
            bar.update(f"{doing} [dim](compiling, once)[/dim]")

        doing = ""
        with watch_compilation(compiling):
            for t, checks_ in plan:
                for check, work in checks_:
                    doing = f"{t.name}: {check}"
                    bar.update(doing)
                    results[t.name].append(work())
                    bar.advance()
    report_verification(results, run)


def report_verification(results: dict[str, list["Result"]], run: Run) -> None:
    """Print the results of the checks. The exit status is 1 after an error, and 130 after Ctrl-C."""
    done = [r for checks_ in results.values() for r in checks_]
    cases = sum(r.cases for r in done)
    mismatches = sum(r.mismatches for r in done)
    document = {
        "cases": cases,
        "mismatches": mismatches,
        "complete": not run.interrupted,
        "checks": [{**r._asdict(), "first": r.first and r.first._asdict()} for r in done],
    }
    by_technique = [
        {
            "technique": name,
            "checks": len(checks_),
            "cases": sum(r.cases for r in checks_),
            "mismatches": sum(r.mismatches for r in checks_),
        }
        for name, checks_ in results.items()
        if checks_
    ]
    columns = (
        Column("technique"),
        number("checks"),
        number("cases", "{cases:,}"),
        number("mismatches", lambda row: f"[red]{row['mismatches']:,}[/red]" if row["mismatches"] else "0"),
    )
    present(by_technique, columns, run.as_json, document)
    if not run.as_json:
        for r in done:
            if r.first:
                out.print(f"[red]{r.technique}[/red]: {r.first}")
        tally = f"{cases:,} cases, {mismatches:,} mismatches"
        out.print(
            f"\n{'interrupted after' if run.interrupted else 'proved:'} {tally}" if not mismatches else f"\n{tally}"
        )
    if mismatches:
        sys.exit(1)
    run.end()
