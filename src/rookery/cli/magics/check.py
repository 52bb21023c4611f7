"""``rookery magics check | sets``."""

import sys

import click

from rookery.cli.common import err, out, print_json
from rookery.cli.options import as_json_option
from rookery.cli.runner import compilation_shown
from rookery.cli.tables import Table


@click.group()
def magics() -> None:
    """Find and check magic factors; count occupancies and attack sets."""


@magics.command("check")
@as_json_option
def magics_check(as_json: bool) -> None:
    """Check all stored magic factors.

    Try every factor on all occupancies, reproduce the factors of our own search from their seeds, build the tables of
    all magic techniques and make every look-up, and check the atlas: its factors, the smallest ranges, and the
    certificates of impossibility. Wheels leave out the certificate of bishop c1, which takes a megabyte: this prints
    where it is.
    """
    from rookery.verify import magics as verify_magics

    with compilation_shown():
        factors, faults = verify_magics.check_factors()
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
                "left_out": left_out,
                "faults": faults,
            }
        )
    else:
        for fault in faults:
            out.print(fault, style="red", markup=False)
        out.print(f"{factors} stored factors tried on every occupancy; those with seeds found again from them.")
        for table in tables:
            out.print(f"{table.technique}: {table.entries:,} entries, {table.bytes:,} bytes, right in all look-ups.")
        for packing in packings:
            counts = f"{packing.entries:,} entries, {packing.used:,} of them used"
            out.print(f"{packing.name}: {counts}, right in all 107,648 look-ups.")
        for c in certified:
            out.print(f"{c.piece} {c.square}: no factor of {c.bits} bits, by a certificate of {c.leaves:,} leaves.")
        for certificate in left_out:
            out.print(certificate, style="yellow", markup=False)
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
