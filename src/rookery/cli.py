"""The command line: ``rookery techniques | show | attacks | verify | magics | bench``."""

import contextlib
import json
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from rookery.placement import Placement
    from rookery.technique import Technique
    from rookery.techniques._magics import Factor
    from rookery.verify import Result

# Results go to standard output; progress and errors to standard error. A pipe has no width to wrap to.
out = Console(highlight=False, soft_wrap=True)
if not out.is_terminal:
    out.width = 200
err = Console(stderr=True, highlight=False)

as_json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead.")


class Commands(click.Group):
    """Commands whose ValueErrors are messages for people, not tracebacks."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except (ValueError, TypeError) as error:
            if ctx.obj and ctx.obj.get("debug"):
                raise
            raise click.UsageError(str(error)) from error
        except BrokenPipeError:
            sys.stderr.close()
            ctx.exit(1)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="rookery", prog_name="rookery")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.pass_context
def main(ctx: click.Context, debug: bool) -> None:
    """Chess bitboards: every technique for the attacks of sliding pieces."""
    ctx.obj = {"debug": debug}


def print_json(document: Any) -> None:
    """One document on standard output."""
    click.echo(json.dumps(document, indent=2))


def size(n: int) -> str:
    """Bytes for people: ``'841 KB'`` in units of 1,024."""
    if n < 1024:
        return f"{n} B"
    return f"{n / 1024:,.1f} KB" if n < 10 * 1024 else f"{n / 1024:,.0f} KB"


@contextlib.contextmanager
def compilation_shown() -> Iterator[None]:
    """Say what is being compiled, on a terminal."""
    from rookery.kernel import watch_compilation

    with err.status("") as status:
        status.stop()
        done = 0

        def started() -> None:
            status.update(f"compiling for this CPU, once ({done + 1})")
            status.start()

        def finished() -> None:
            nonlocal done
            done += 1
            status.stop()

        with watch_compilation(started, finished):
            yield


@main.command("techniques")
@as_json_option
def techniques_command(as_json: bool) -> None:
    """List all techniques, in the order in which to learn them."""
    from rookery.techniques import ALL

    if as_json:
        print_json([card(t) for t in ALL])
        return
    table = Table(box=None, header_style="bold")
    table.add_column("technique", no_wrap=True)
    table.add_column("year")
    table.add_column("tables", justify="right", no_wrap=True)
    table.add_column("idea")
    for t in ALL:
        table.add_row(t.name, str(t.year), size(t.table_bytes) if t.table_bytes else "none", t.summary)
    out.print(table)


def card(t: "Technique") -> dict[str, Any]:
    """What is to be said of a technique, for JSON."""
    return {
        "name": t.name,
        "summary": t.summary,
        "authors": t.authors,
        "year": t.year,
        "source": t.source,
        "needs": str(t.needs),
        "offers": t.offers,
        "table_bytes": t.table_bytes,
    }


@main.command()
@click.argument("name")
@as_json_option
def show(name: str, as_json: bool) -> None:
    """Show a technique: its card, its tables and its source."""
    import importlib
    import inspect

    from rich.syntax import Syntax

    from rookery.techniques import technique

    t = technique(name)
    source = inspect.getsource(importlib.import_module(t.module))
    tables = [
        {"name": field, "shape": table.shape, "dtype": str(table.dtype), "bytes": table.nbytes}
        for field, table in zip(t.tables()._fields, t.tables(), strict=True)
    ]
    if as_json:
        print_json({**card(t), "tables": tables, "code": source})
        return
    out.print(f"[bold]{t.name}[/bold]: {t.summary}")
    grid = Table.grid(padding=(0, 2))
    grid.add_row("authors", ", ".join(t.authors))
    grid.add_row("year", str(t.year))
    grid.add_row("source", t.source)
    grid.add_row("needs", str(t.needs))
    grid.add_row("answers", ", ".join(t.offers))
    grid.add_row("tables", f"{t.table_bytes:,} bytes")
    out.print(grid)
    if tables:
        listing = Table("table", "shape", "type", box=None, header_style="bold")
        listing.add_column("bytes", justify="right")
        for row in tables:
            shape = " x ".join(f"{n:,}" for n in row["shape"])
            listing.add_row(row["name"], shape, row["dtype"], f"{row['bytes']:,}")
        out.print(listing)
    out.print()
    out.print(Syntax(source, "python", background_color="default") if out.is_terminal else source, markup=False)


SHORT_NAMES = {"r": "rook", "b": "bishop", "q": "queen"}


@main.command()
@click.argument("fen")
@click.argument("square")
@click.option("--piece", help="rook, bishop or queen (r, b, q); by default the piece on the square.")
@click.option("--technique", "name", default=None, help="A technique's name, or 'all'.")
@as_json_option
def attacks(fen: str, square: str, piece: str | None, name: str | None, as_json: bool) -> None:
    """Draw what a sliding piece attacks in a position.

    FEN is a position (its first field will do) and SQUARE a name like e4.
    """
    from rookery.bitboard import Bitboard
    from rookery.placement import Placement, describe_square
    from rookery.squares import parse_square
    from rookery.techniques import ALL, technique
    from rookery.verify import oracle

    placement = Placement.from_fen(fen)
    sq = parse_square(square)
    kind = SHORT_NAMES.get(piece, piece) if piece else placement.kind_at(sq)
    if kind is None or kind not in SHORT_NAMES.values():
        if piece:
            raise ValueError(f"--piece: {piece!r}: expected rook, bishop or queen")
        raise ValueError(f"SQUARE: {describe_square(placement, sq)} is no sliding piece; say which with --piece")
    chosen = list(ALL) if name == "all" else [technique(name or "obstruction-difference")]
    occupied = int(placement.occupied)
    expected = oracle(kind, sq, occupied)
    with compilation_shown():
        answers = [(t, Bitboard(t.ask(kind, sq, occupied))) for t in chosen]
    wrong = [t.name for t, answer in answers if answer != expected]
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
        if name == "all":
            list_answers(answers, expected)
    if wrong:
        raise click.ClickException(f"answers that differ from the oracle's: {', '.join(wrong)}")


def draw_attacks(placement: "Placement", square: int, kind: str, attacked: Any) -> None:
    """The position, and beside it the attack set with the pieces it meets."""
    from rookery.squares import square_name

    sign = placement.piece_at(square) or kind[0]
    marks = placement.marks()
    met = {s: marks[s] for s in attacked if s in marks}
    left = str(placement).splitlines()
    right = attacked.draw({**met, square: f"[bold]{sign}[/bold]", **{s: f"[red]{p}[/red]" for s, p in met.items()}})
    here = square_name(square)
    out.print(f"{'position':20}what the {kind} on {here} attacks: {len(attacked)} squares, 0x{int(attacked):016x}")
    out.print()
    for rank, (a, b) in zip(range(8, 0, -1), zip(left, right.splitlines(), strict=True), strict=True):
        out.print(f"{rank} {a}   {b}")
    out.print("  a b c d e f g h   a b c d e f g h")
    if met:
        out.print()
        out.print("pieces it meets: " + ", ".join(f"{p} {square_name(s)}" for s, p in met.items()))


def list_answers(answers: Sequence[tuple["Technique", Any]], expected: int) -> None:
    """Every technique's answer."""
    table = Table("technique", "attacks", box=None, header_style="bold")
    table.add_column("tables", justify="right")
    table.add_column("agrees")
    for t, answer in answers:
        agrees = "yes" if answer == expected else "[red]NO[/red]"
        table.add_row(t.name, f"0x{int(answer):016x}", size(t.table_bytes) if t.table_bytes else "none", agrees)
    out.print()
    out.print(table)
    agreeing = sum(answer == expected for _, answer in answers)
    out.print(f"\n{agreeing} of {len(answers)} techniques agree with the oracle.")


@main.command()
@click.argument("names", nargs=-1)
@as_json_option
def verify(names: tuple[str, ...], as_json: bool) -> None:
    """Prove techniques right (all, if none is NAMEd), on every square and every subset of the whole rays."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from rookery.kernel import watch_compilation
    from rookery.techniques import ALL, technique
    from rookery.verify import checks

    chosen = [technique(name) for name in dict.fromkeys(names)] or list(ALL)
    plan = [(t, checks(t)) for t in chosen]
    results: dict[str, list[Result]] = {t.name: [] for t in chosen}
    columns = (TextColumn("{task.description:50}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    interrupted = False
    with Progress(*columns, console=err, transient=True) as progress:
        task = progress.add_task("the oracle walks every ray", total=sum(len(checks_) for _, checks_ in plan))

        def compiling() -> None:
            progress.update(task, description=f"{doing} [dim](compiling, once)[/dim]")

        doing = ""
        with watch_compilation(compiling):
            try:
                for t, checks_ in plan:
                    for check, run in checks_:
                        doing = f"{t.name}: {check}"
                        progress.update(task, description=doing)
                        results[t.name].append(run())
                        progress.advance(task)
            except KeyboardInterrupt:
                interrupted = True
    report_verification(results, as_json, interrupted)


def report_verification(results: dict[str, list["Result"]], as_json: bool, interrupted: bool) -> None:
    """Print what the checks found; the exit status is 1 if anything was wrong, 130 if the user broke off."""
    done = [r for checks_ in results.values() for r in checks_]
    cases = sum(r.cases for r in done)
    mismatches = sum(r.mismatches for r in done)
    if as_json:
        print_json(
            {
                "cases": cases,
                "mismatches": mismatches,
                "complete": not interrupted,
                "checks": [{**r._asdict(), "first": r.first and r.first._asdict()} for r in done],
            }
        )
    else:
        table = Table("technique", box=None, header_style="bold")
        table.add_column("checks", justify="right")
        table.add_column("cases", justify="right")
        table.add_column("mismatches", justify="right")
        for name, checks_ in results.items():
            if checks_:
                bad = sum(r.mismatches for r in checks_)
                table.add_row(
                    name,
                    str(len(checks_)),
                    f"{sum(r.cases for r in checks_):,}",
                    f"[red]{bad:,}[/red]" if bad else "0",
                )
        out.print(table)
        for r in done:
            if r.first:
                out.print(f"[red]{r.technique}[/red]: {r.first}")
        tally = f"{cases:,} cases, {mismatches:,} mismatches"
        out.print(f"\n{'interrupted after' if interrupted else 'proved:'} {tally}" if not mismatches else f"\n{tally}")
    if mismatches:
        sys.exit(1)
    if interrupted:
        sys.exit(130)


@main.group()
def magics() -> None:
    """Find and check magic factors; count occupancies and attack sets."""


@magics.command("find")
@click.option("--piece", type=click.Choice(["rook", "bishop"]), help="One piece only.")
@click.option("--square", help="One square only, like e4.")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=0, show_default=True)
@click.option("--injective", is_flag=True, help="No two occupancies may share a slot; widen the index if need be.")
@click.option("--tries", type=click.IntRange(1), default=10_000_000, show_default=True, help="Then widen the index.")
@as_json_option
def magics_find(piece: str | None, square: str | None, seed: int, injective: bool, tries: int, as_json: bool) -> None:
    """Find magic factors by trial and error (all 128 unless told otherwise)."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from rookery.lines import relevant_occupancy
    from rookery.magics.find import all_squares, find_widening, is_magic
    from rookery.squares import parse_square

    only = parse_square(square) if square else None
    wanted = [(p, s) for p, s in all_squares() if piece in (None, p) and only in (None, s)]
    found: list[Factor] = []
    columns = (TextColumn("{task.description:40}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    interrupted = False
    with Progress(*columns, console=err, transient=True) as progress:
        task = progress.add_task("searching", total=len(wanted))
        try:
            for p, s in wanted:

                def tried(n: int, label: str = f"{p} {s}") -> None:
                    progress.update(task, description=f"{label}: {n:,} tries")

                factor = find_widening(p, s, seed=seed, injective=injective, limit=tries, progress=tried)
                if not is_magic(factor, injective):
                    raise click.ClickException(f"the finder returned a factor that is no magic: {factor}")
                found.append(factor)
                progress.advance(task)
        except KeyboardInterrupt:
            interrupted = True
    if as_json:
        print_json(
            {
                "finder": "rookery.magics.find: trial and error, SplitMix64, three words ANDed",
                "command": "rookery magics find --json",
                "injective": injective,
                "factors": [{**f._asdict(), "magic": f"0x{f.magic:016x}"} for f in found],
            }
        )
    else:
        table = Table("piece", "square", "magic", box=None, header_style="bold")
        for heading in ("bits", "extra", "tries"):
            table.add_column(heading, justify="right")
        extra = 0
        for f in found:
            wider = f.bits - len(relevant_occupancy(f.piece, parse_square(f.square)))
            extra += wider
            table.add_row(f.piece, f.square, f"0x{f.magic:016x}", str(f.bits), str(wider or ""), f"{f.tries:,}")
        out.print(table)
        kind = "injective " if injective else ""
        out.print(
            f"\n{len(found)} {kind}factors from seed {seed}, {extra} index bits more than the occupancies have "
            f"({tries:,} tries a width)."
        )
    if interrupted:
        sys.exit(130)


@magics.command("check")
@as_json_option
def magics_check(as_json: bool) -> None:
    """Find every stored factor again from its seed, and try it on all occupancies."""
    from rookery.magics.find import all_squares, find, is_magic
    from rookery.squares import SQUARE_NAMES
    from rookery.techniques._magics import stored

    factors = stored()
    missing = [(p, SQUARE_NAMES[s]) for p, s in all_squares()]
    faults = []
    with compilation_shown():
        for factor in factors:
            label = f"{factor.piece} {factor.square}"
            if (factor.piece, factor.square) not in missing:
                faults.append(f"{label}: stored twice, or no square of the board")
                continue
            missing.remove((factor.piece, factor.square))
            if not is_magic(factor):
                faults.append(f"{label}: 0x{factor.magic:016x} is no magic")
            square = SQUARE_NAMES.index(factor.square)
            if find(factor.piece, square, seed=factor.seed, bits=factor.bits, limit=factor.tries) != factor:
                faults.append(
                    f"{label}: seed {factor.seed} does not find 0x{factor.magic:016x} in {factor.tries} tries"
                )
    faults += [f"{piece} {square}: no factor stored" for piece, square in missing]
    if as_json:
        print_json({"factors": len(factors), "faults": faults})
    else:
        for fault in faults:
            out.print(f"[red]{fault}[/red]")
        out.print(f"{len(factors)} stored factors: found again from their seeds and tried on every occupancy.")
        out.print(f"{len(faults)} faults")
    if faults:
        sys.exit(1)


@magics.command("sets")
@as_json_option
def magics_sets(as_json: bool) -> None:
    """Count relevant occupancies against distinct attack sets, by square."""
    from rookery.magics.find import counts
    from rookery.squares import SQUARE_NAMES

    rows = counts()
    if as_json:
        print_json(
            [
                {"piece": c.piece, "square": SQUARE_NAMES[c.square], "occupancies": c.occupancies, "sets": c.sets}
                for c in rows
            ]
        )
        return
    for piece in ("bishop", "rook"):
        by_square = {c.square: c for c in rows if c.piece == piece}
        out.print(f"[bold]{piece}[/bold]: relevant occupancies / distinct attack sets, and their ratio")
        table = Table("", *"ABCD", "", *"ABCD", box=None, header_style="bold")
        for column in table.columns:
            column.justify = "right"
        for rank in range(7, 3, -1):
            quarter = [by_square[8 * rank + file] for file in range(4)]
            table.add_row(
                str(rank + 1),
                *(f"{c.occupancies}/{c.sets}" for c in quarter),
                "",
                *(f"{c.occupancies / c.sets:.2f}" for c in quarter),
            )
        out.print(table)
        occupancies = sum(c.occupancies for c in by_square.values())
        sets = sum(c.sets for c in by_square.values())
        out.print(f"all 64 squares: {occupancies:,} / {sets:,}; the other quarters mirror this one\n")


@main.group()
def bench() -> None:
    """Measure, beside each other and in one run."""


@bench.command("attacks")
@click.argument("names", nargs=-1)
@click.option("--positions", type=click.IntRange(1), default=8192, show_default=True)
@click.option("--rounds", type=click.IntRange(1), default=25, show_default=True)
@click.option("--out", "path", type=click.Path(dir_okay=False, writable=True), help="Write the JSON to a file, too.")
@click.option("--registers", is_flag=True, help="Also compile for reading, and count vector registers.")
@as_json_option
def bench_attacks(
    names: tuple[str, ...], positions: int, rounds: int, path: str | None, registers: bool, as_json: bool
) -> None:
    """Time queens over arrays, all techniques (or those NAMEd) beside pext, checking every answer."""
    from pathlib import Path

    from rookery.bench.attacks import measure, vector_registers
    from rookery.techniques import ALL, technique

    chosen = [technique(name) for name in dict.fromkeys(names)] or list(ALL)
    with err.status("measuring") as status:
        result = measure(chosen, positions=positions, rounds=rounds, progress=status.update)
        if registers:
            for row in result["techniques"]:
                status.update(f"reading the machine code of {row['name']}")
                row["registers"] = vector_registers(technique(row["name"]))
    text = json.dumps(result, indent=2)
    if path:
        Path(path).write_text(text + "\n", encoding="utf-8")
    if as_json:
        click.echo(text)
        return
    machine = result["machine"]
    out.print(
        f"{machine['cpu']} ({machine['llvm_cpu']}, {machine['vectors']}), {positions:,} positions, {rounds} rounds\n"
    )
    table = Table("technique", box=None, header_style="bold")
    for heading in ("M queens/s", "to pext", "one call, us", "tables", *(["zmm", "ymm", "gathers"] * registers)):
        table.add_column(heading, justify="right")
    for row in result["techniques"]:
        table.add_row(
            row["name"],
            f"{row['million_queens_a_second']:.0f}",
            f"{row['ratio_to_pext']:.2f}",
            f"{row['one_call_us']:.2f}",
            size(row["table_bytes"]) if row["table_bytes"] else "none",
            *(str(n) for n in row.get("registers", {}).values()),
        )
    out.print(table)


if __name__ == "__main__":
    main()
