"""``rookery magics check | sets``."""

import sys

import click

from rookery.cli.common import as_json_option, compilation_shown, err, out, print_json
from rookery.cli.tables import Table


@click.group()
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
    certificates of impossibility.
    """
    from rookery.bitboards.squares import SQUARE_NAMES
    from rookery.magics import atlas, ranges
    from rookery.magics.find.factors import find
    from rookery.magics.forms import is_magic
    from rookery.magics.pack.packing import used
    from rookery.magics.prove.certify import Refused, certify, stored_certificates
    from rookery.magics.tables import entries, magic_techniques
    from rookery.techniques._magics import INCOMPLETE, PACKINGS, SETS, packed, stored
    from rookery.verify import look_ups

    faults = []
    checked = 0
    with compilation_shown():
        for which in SETS:
            for factor in stored(which):
                checked += 1
                label = f"{which}: {factor.piece} {factor.square}"
                if not is_magic(factor):
                    faults.append(f"{label}: 0x{factor.magic:016x} is no magic")
                if which in INCOMPLETE:  # not of our finder
                    continue
                square = SQUARE_NAMES.index(factor.square)
                again = find(factor.piece, square, seed=factor.seed, bits=factor.bits, limit=factor.tries)
                if again != factor:
                    faults.append(
                        f"{label}: seed {factor.seed} does not find 0x{factor.magic:016x} in {factor.tries} tries"
                    )
    packings = []
    for which, form in PACKINGS.items():
        length, records = packed(which)
        try:
            packings.append((which, length, used(records, length, form)))
        except ValueError as error:
            faults.append(f"{which}: {error}")
    tables = []
    for t in magic_techniques():
        try:
            with err.status(f"building and asking {t.name}"):
                result = look_ups(t)
        except ValueError as error:  # a collision
            faults.append(f"{t.name}: {error}")
            continue
        if result.first:
            faults.append(f"{t.name}: {result.first}")
            continue
        tables.append({"technique": t.name, "entries": entries(t), "bytes": t.table_bytes})
    faults += atlas.faults() + ranges.faults()
    impossible = {(c.piece, c.square, c.bits) for c in atlas.atlas() if c.answer == "none"}
    certified = []
    for name, data in stored_certificates().items():
        try:
            with err.status(f"following certificate {name}"):
                proof = certify(data)
        except Refused as error:
            faults.append(f"certificate {name}: {error}")
            continue
        certified.append(proof)
        if proof[:3] not in impossible:
            faults.append(f"certificate {name}: the atlas does not call {proof.piece} {proof.square} impossible")
    if as_json:
        proved = [c._asdict() for c in certified]
        print_json({"factors": checked, "tables": tables, "certificates": proved, "faults": faults})
    else:
        for fault in faults:
            out.print(fault, style="red", markup=False)
        out.print(f"{checked} stored factors tried on every occupancy; those with seeds found again from them.")
        for table in tables:
            out.print("{technique}: {entries:,} entries, {bytes:,} bytes, right in all look-ups.".format(**table))
        for which, length, taken in packings:
            out.print(f"{which}: {length:,} entries, {taken:,} of them used, right in all 107,648 look-ups.")
        for c in certified:
            out.print(f"{c.piece} {c.square}: no factor of {c.bits} bits, by a certificate of {c.leaves:,} leaves.")
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
