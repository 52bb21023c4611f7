"""``rookery magics pilot | prove``."""

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from magics.commands.cases import case_options
from rookery.cli.common import INTERRUPTED, err, out, warned, write_file, writing
from rookery.cli.magics import wanted_cases
from rookery.cli.options import (
    OutputFile,
    as_json_option,
    executor_option,
    out_option,
    overwrites,
    seed_option,
    threads_option,
    writes_files,
)
from rookery.cli.runner import compilation_shown, progress_bar
from rookery.cli.tables import Column, number, present

if TYPE_CHECKING:
    from magics.prove.proof import Proof


def proof_record(proof: "Proof") -> dict[str, object]:
    """Return a proof for JSON."""
    return {
        **proof._asdict(),
        "magic": None if proof.magic is None else f"0x{proof.magic:016x}",
        "answer": proof.answer,
    }


PROOF_COLUMNS: Final = (
    Column("piece"),
    Column("square"),
    number("bits"),
    Column("answer", lambda proof: {"none": "none exists", "open": "open"}.get(proof["answer"], str(proof["magic"]))),
    number("prefixes", "{done:,}/{prefixes:,}"),
    number("nodes", "{nodes:,}"),
    number("children tested", "{tested:,}"),
    number("seconds", "{seconds:,.2f}"),
    number("nodes/s", lambda proof: f"{proof['nodes'] / proof['seconds']:,.0f}" if proof["seconds"] else ""),
)


@click.command("prove")
@case_options
@click.option("--bits", type=click.IntRange(1, 24), help="Index width [default: one less than natural].")
@threads_option(all_cores=True, most=1024)
@executor_option
@click.option(
    "--ledger",
    type=click.Path(path_type=Path, dir_okay=False),
    default="rookery-proofs.sqlite",
    show_default=True,
    help="The file of finished prefixes.",
)
@click.option("--most", type=click.IntRange(0), help="Stop each proof after this many more prefixes.")
@click.option(
    "--certificate",
    type=OutputFile(),
    help="Write one for an independent checker (one square only; a plain search of its own, fit for five blockers).",
)
@as_json_option
@writes_files
def magics_prove(
    piece: str | None,
    square: str | None,
    bits: int | None,
    threads: int,
    executor: str | None,
    ledger: Path,
    most: int | None,
    certificate: Path | None,
    as_json: bool,
) -> None:
    """Decide by exhaustive search whether a magic factor of an index width exists.

    An interrupted proof continues where it stopped.
    """
    from magics.prove.ledger import Ledger
    from magics.prove.proof import prove
    from magics.widths import check_width
    from rookery.bitboards.squares import parse_square
    from rookery.tasks import open_executor

    cases = wanted_cases(piece, square)
    if bits is not None:  # reject an impossible width before the other proofs take hours
        for p, s in cases:
            check_width(p, s, bits)
    if certificate and (len(cases) != 1 or bits is None):
        raise click.UsageError("--certificate: give --piece, --square and --bits too")
    proofs: list[Proof] = []
    interrupted = False
    with (
        Ledger(ledger, tell=warned) as book,
        contextlib.nullcontext() if executor is None else open_executor(executor) as workers,
        compilation_shown() if certificate else progress_bar("", counts=True, width=44) as bar,
    ):
        for p, s in cases:
            if bar is not None and proofs:
                bar.begin(f"{p} {s}")

            def show(proof: "Proof") -> None:
                if bar is not None:
                    bar.update(f"{proof.piece} {proof.square}: {proof.nodes:,} nodes", proof.done, proof.prefixes)

            try:
                proofs.append(
                    prove(p, s, bits, ledger=book, threads=threads, executor=workers, most=most, progress=show)
                )
            except KeyboardInterrupt:
                proofs.append(prove(p, s, bits, ledger=book, most=0))
                interrupted = True
                break
    if certificate and not interrupted:
        _write_certificate(certificate, cases[0][0], parse_square(str(square)), bits or 0)
    present(map(proof_record, proofs), PROOF_COLUMNS, as_json)
    if not as_json and any(proof.answer == "open" for proof in proofs):
        out.print(f"\nFinished prefixes are kept in {ledger}: the same command goes on from there.", markup=False)
    if interrupted:
        sys.exit(INTERRUPTED)


def _write_certificate(path: Path, piece: str, square: int, bits: int) -> None:
    from magics.prove.certificate import record
    from rookery.magics.certify import certify

    with err.status("writing a certificate") as status:
        data = record(piece, square, bits, lambda n: status.update(f"writing a certificate: {n:,} nodes"))
        status.update("checking it")
        certified = certify(data)
    write_file("--certificate", path, data, new=not overwrites())
    summary = f"{path}: {len(data):,} bytes, {certified.nodes:,} nodes, {certified.leaves:,} leaves; checked"
    out.print(summary, markup=False)


@click.command("pilot")
@case_options
@click.option("--bits", type=click.IntRange(1, 24), help="Index width [default: one less than natural].")
@click.option("--tries", type=click.IntRange(0), default=300, show_default=True, help="Orders to try for each square.")
@seed_option("Seed of the random numbers.")
@out_option(
    "Add the orders to a file; a new file starts with the stored orders.",
    name="target",
    kind=OutputFile(continued=True),
)
@as_json_option
def magics_pilot(
    piece: str | None,
    square: str | None,
    bits: int | None,
    tries: int,
    seed: int,
    target: Path | None,
    as_json: bool,
) -> None:
    """Estimate the size of a proof, and search for the order of blockers that makes it smallest.

    This takes seconds for a bishop and minutes for a rook. The same seed finds the same order on every machine.
    `rookery magics prove` takes the orders of `research/magics/prove/orders.json`.
    """
    from magics.prove.orders import read, write
    from magics.prove.pilot import pilot
    from magics.widths import check_width
    from rookery.bitboards.squares import SQUARE_NAMES
    from rookery.magics.forms import index_bits

    cases = [(p, s, index_bits(p, s) - 1 if bits is None else bits) for p, s in wanted_cases(piece, square)]
    for p, s, width in cases:
        check_width(p, s, width)
    if target:
        read(target)  # reject other files before the work
    found = []
    with compilation_shown(), err.status("estimating") as status:
        for p, s, width in cases:

            def show(done: int, nodes: float, label: str = f"{p} {SQUARE_NAMES[s]}") -> None:
                status.update(f"{label}: {done:,} of {tries:,} orders tried, the best {nodes:,.0f} nodes")

            found.append(pilot(p, s, width, tries=tries, seed=seed, progress=show))
    if target:
        with writing("--out", target):
            write(target, found)
    columns = (
        Column("piece"),
        Column("square"),
        number("bits"),
        number("nodes in the usual order", "{usual_nodes:,}"),
        number("in the best", "{nodes:,}"),
        Column("which is", lambda order: " ".join(order["blockers"])),
    )
    present([order._asdict() for order in found], columns, as_json)
    if not as_json:
        out.print("\nNodes are estimates.")
