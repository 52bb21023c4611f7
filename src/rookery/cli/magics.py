"""``rookery magics``: what wheels know about magic factors, and the door to the laboratory of checkouts."""

import datetime
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.markup import escape

from rookery.cli.common import err, out, print_json, warned, writing
from rookery.cli.options import OutputFile, as_json_option, out_option, threads_option, writes_files
from rookery.cli.runner import compilation_shown
from rookery.cli.tables import Column, Table, number, present
from rookery.magics.laboratory import COMMANDS, laboratory
from rookery.sources import files

if TYPE_CHECKING:
    from rookery.magics.atlas import Cell


class _Magics(click.Group):
    """A group with the commands of the laboratory, which are imported when they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted([*super().list_commands(ctx), *COMMANDS])

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return a command. Where there is no laboratory, its commands say where it is."""
        if name not in COMMANDS:
            return super().get_command(ctx, name)
        module = "prove" if name == "pilot" else name
        try:
            command: click.Command = getattr(laboratory(f"commands.{module}"), f"magics_{name}")
        except ModuleNotFoundError as error:
            if error.name != "magics":
                raise
            missing = error  # its name ends with the handler

            def refuse(**_: object) -> None:
                raise missing

            taking_all = {"ignore_unknown_options": True, "allow_extra_args": True}
            command = click.Command(name, taking_all, refuse, help=f"{COMMANDS[name]} (In a checkout.)")
        return command


@click.group(cls=_Magics)
def magics() -> None:
    """Find and check magic factors; count occupancies and attack sets."""


def wanted_cases(piece: str | None, square: str | None) -> list[tuple[str, int]]:
    """Return the cases of the named piece and square, or all 128."""
    from rookery.bitboards.squares import parse_square
    from rookery.magics.forms import all_squares

    only = None if square is None else parse_square(square)
    return [(p, s) for p, s in all_squares() if piece in (None, p) and only in (None, s)]


@magics.command("check")
@as_json_option
def magics_check(as_json: bool) -> None:
    """Check all stored magic factors.

    Try every factor on all occupancies, reproduce the factors of our own search from their seeds, build the tables of
    all magic techniques and make every look-up, and check the atlas: its factors, the smallest ranges, and the
    certificates of impossibility. Wheels leave out the search, and the certificate of bishop c1, which takes a
    megabyte: this prints where they are.
    """
    from rookery.verify import magics as verify_magics

    with compilation_shown():
        factors, without, faults = verify_magics.check_factors()
    packings, more = verify_magics.check_packings()
    faults += more
    with err.status("building tables") as status:
        tables, more = verify_magics.check_tables(status.update)
        faults += more
        faults += verify_magics.check_atlas()
        certified, left_out, more = verify_magics.check_certificates(status.update)
        faults += more
    if as_json:
        print_json(
            {
                "factors": factors,
                "tables": [table._asdict() for table in tables],
                "certificates": [c._asdict() for c in certified],
                "left_out": without + left_out,
                "faults": faults,
            }
        )
    else:
        for fault in faults:
            out.print(fault, style="red", markup=False)
        again = "" if without else "; those with seeds found again from them"
        out.print(f"{factors} stored factors tried on every occupancy{again}.")
        for table in tables:
            out.print(f"{table.technique}: {table.entries:,} entries, {table.bytes:,} bytes, right in all look-ups.")
        for packing in packings:
            counts = f"{packing.entries:,} entries, {packing.used:,} of them used"
            out.print(f"{packing.name}: {counts}, right in all 107,648 look-ups.")
        for c in certified:
            out.print(f"{c.piece} {c.square}: no factor of {c.bits} bits, by a certificate of {c.leaves:,} leaves.")
        for text in without + left_out:
            out.print(text, style="yellow", markup=False)
        out.print(f"{len(faults)} faults")
    if faults:
        sys.exit(1)


@magics.command("sets")
@as_json_option
def magics_sets(as_json: bool) -> None:
    """Count relevant occupancies against distinct attack sets, by square."""
    from rookery.bitboards.squares import SQUARE_NAMES
    from rookery.magics.forms import counts

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
        table = Table("", *"ABCD", "", *"ABCD")
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


@magics.command("ranges")
@click.option("--piece", type=click.Choice(["rook", "bishop"]), default="bishop", show_default=True)
@click.option("--square", help="One square only, like d8.")
@click.option("--bits", type=click.IntRange(1, 24), help="Index width [default: all stored; natural to prove].")
@click.option("--prove", "anew", is_flag=True, help="Prove them now (seconds for a bishop of five squares).")
@threads_option(all_cores=True)
@out_option(
    "Add the results to a file; a new file starts with the stored results.",
    name="target",
    kind=OutputFile(continued=True),
)
@as_json_option
def magics_ranges(
    piece: str,
    square: str | None,
    bits: int | None,
    anew: bool,
    threads: int,
    target: Path | None,
    as_json: bool,
) -> None:
    """List the proved smallest ranges of indices: no factor of that width has a lower highest index."""
    from rookery.bitboards.squares import SQUARE_NAMES
    from rookery.magics.ranges import ranges

    cases = wanted_cases(piece, square)
    searches: Any = laboratory("ranges") if target or anew else None
    if target:
        searches.read(target)  # reject other files before the work
    if anew:
        with compilation_shown(), err.status("proving") as status:
            found = []
            for p, s in cases:

                def show(proof: Any) -> None:
                    share = f"{proof.done:,} of {proof.prefixes:,} prefixes"
                    status.update(f"{proof.piece} {proof.square}, none above {proof.highest}? {share}")

                smallest = searches.smallest_range(p, s, bits, threads=threads, progress=show)
                if smallest:
                    found.append(smallest)
                else:
                    err.print(f"{p} {SQUARE_NAMES[s]}: no factor of {bits} bits")
    else:
        names = {(p, SQUARE_NAMES[s]) for p, s in cases}
        found = [r for r in ranges() if (r.piece, r.square) in names and bits in (None, r.bits)]
    if target:
        with writing("--out", target):
            searches.write(target, found)
    columns = (
        Column("piece"),
        Column("square"),
        number("bits"),
        Column("indices", "0-{highest}"),
        Column("factor", "{magic}"),
        number("nodes to exclude less", "{nodes:,}"),
    )
    present([{**r._asdict(), "magic": f"0x{r.magic:016x}"} for r in found], columns, as_json)


@magics.command("atlas")
@click.option(
    "--ledger",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="Add the results of this ledger of proofs.",
)
@click.option(
    "--factors",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="Add the factors of a file by `rookery magics find --json`.",
)
@out_option("Write the atlas file here.", name="target")
@as_json_option
@writes_files
def magics_atlas(ledger: Path | None, factors: Path | None, target: Path | None, as_json: bool) -> None:
    """List the narrowest index known for every square, and whether one bit less is possible."""
    from rookery.magics.atlas import FOUND, PROVED, atlas
    from rookery.techniques._magics import read_factors

    cells = atlas()
    additions: Any = laboratory("additions") if ledger or factors or target else None
    if ledger:
        with laboratory("prove.ledger").Ledger(ledger, read_only=True, tell=warned) as book:
            cells = additions.with_ledger(cells, book)
    if factors:
        today = datetime.datetime.now(datetime.UTC).date().isoformat()
        cells = additions.with_factors(cells, read_factors(str(factors), files.read("factors", factors) or b""), today)
    if target:
        with writing("--out", target):
            additions.write(target, cells)
    rows = [
        {
            **cell._asdict(),
            "magic": f"0x{cell.best[1]:016x}",
            "bits": cell.bits,
            "natural": cell.bits + 1,
            "best": cell.best[0],
        }
        for cell in cells
    ]
    verdict = {"factor": "exists", "none": "impossible", "open": "open"}
    evidence = {(cell.piece, cell.square): _evidence(cell) for cell in cells}
    columns = (
        Column("piece"),
        Column("square"),
        number("natural"),
        number("best"),
        Column("factor", "{magic}"),
        Column("one bit less", lambda cell: verdict[cell["answer"]]),
        Column("known by", lambda cell: escape(evidence[cell["piece"], cell["square"]])),
    )
    present(rows, columns, as_json)
    if as_json:
        return
    verdicts = [cell.answer for cell in cells]
    decided = sum(cell.source in (PROVED, FOUND) for cell in cells)
    out.print(
        f"\none bit less: {verdicts.count('factor')} exist, {verdicts.count('none')} are impossible, "
        f"{verdicts.count('open')} are open; {decided} decided here"
    )


def _evidence(cell: "Cell") -> str:
    """Return how an answer of the atlas is known."""
    from rookery.magics.atlas import FOUND, PROVED, SEARCH_VERSION

    known = cell.source
    if cell.source in (PROVED, FOUND):
        known = f"{cell.source} {cell.date}"
        if cell.nodes:
            known += f": {cell.nodes:,} nodes, {cell.seconds:,.2f} s"
            if cell.search != SEARCH_VERSION:
                known += f", by version {cell.search} of the search"
    elif cell.done or cell.answer == "open":
        share = f"{cell.done:,} of {cell.prefixes:,} prefixes" if cell.prefixes else "no prefix"
        known += f"{'; ' if known else ''}{share} done here"
    if cell.magic is None and cell.best[0] == cell.bits:
        known += "; the factor by the chessprogramming wiki"
    return known
