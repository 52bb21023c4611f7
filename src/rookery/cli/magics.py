"""``rookery magics find | check | sets``."""

import sys
from typing import TYPE_CHECKING

import click
from rich.table import Table

from rookery.cli.common import INTERRUPTED, as_json_option, compilation_shown, err, out, print_json

if TYPE_CHECKING:
    from rookery.techniques._magics import Factor


@click.group()
def magics() -> None:
    """Find and check magic factors; count occupancies and attack sets."""


def wanted_cases(piece: str | None, square: str | None) -> list[tuple[str, int]]:
    """The cases of the piece and square that were named, all 128 if none was."""
    from rookery.magics.find import all_squares
    from rookery.squares import parse_square

    only = parse_square(square) if square else None
    return [(p, s) for p, s in all_squares() if piece in (None, p) and only in (None, s)]


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
    from rookery.magics.find import find_widening, is_magic
    from rookery.squares import parse_square

    wanted = wanted_cases(piece, square)
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
        sys.exit(INTERRUPTED)


@magics.command("check")
@as_json_option
def magics_check(as_json: bool) -> None:
    """Try every stored factor on all occupancies, find those of our own finder again from their seeds, and check the
    atlas: its factors, and the certificates of what is impossible.
    """
    from rookery.magics import atlas
    from rookery.magics.certify import Refused, certify, stored_certificates
    from rookery.magics.find import all_squares, find, is_magic
    from rookery.magics.pack import used
    from rookery.squares import SQUARE_NAMES
    from rookery.techniques._magics import PACKINGS, SETS, packed, stored

    squares = [(p, SQUARE_NAMES[s]) for p, s in all_squares()]
    faults = []
    checked = 0
    with compilation_shown():
        for which in SETS:
            missing = list(squares)
            for factor in stored(which):
                checked += 1
                label = f"{which}: {factor.piece} {factor.square}"
                if (factor.piece, factor.square) not in missing:
                    faults.append(f"{label}: stored twice, or no square of the board")
                    continue
                missing.remove((factor.piece, factor.square))
                if not is_magic(factor):
                    faults.append(f"{label}: 0x{factor.magic:016x} is no magic")
                if which == "narrow":  # published ones, of some squares
                    continue
                square = SQUARE_NAMES.index(factor.square)
                again = find(factor.piece, square, seed=factor.seed, bits=factor.bits, limit=factor.tries)
                if again != factor:
                    faults.append(
                        f"{label}: seed {factor.seed} does not find 0x{factor.magic:016x} in {factor.tries} tries"
                    )
            if which != "narrow":
                faults += [f"{which}: {piece} {square}: no factor stored" for piece, square in missing]
    tables = []
    for which, form in PACKINGS.items():
        entries, records = packed(which)
        try:
            tables.append((which, entries, used(records, entries, form)))
        except ValueError as error:
            faults.append(f"{which}: {error}")
    faults += atlas.faults()
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
        print_json({"factors": checked, "certificates": [c._asdict() for c in certified], "faults": faults})
    else:
        for fault in faults:
            out.print(f"[red]{fault}[/red]")
        out.print(f"{checked} stored factors tried on every occupancy; those with seeds found again from them.")
        for which, entries, taken in tables:
            out.print(f"{which}: a table of {entries:,} entries, {taken:,} used, right in all 107,648 look-ups.")
        for c in certified:
            out.print(f"{c.piece} {c.square}: no factor of {c.bits} bits, by a certificate of {c.leaves:,} leaves.")
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
