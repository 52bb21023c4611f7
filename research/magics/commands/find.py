"""``rookery magics find``."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from magics import DIVES
from magics.commands.cases import case_options
from rookery.cli.common import INTERRUPTED, out
from rookery.cli.magics import wanted_cases
from rookery.cli.options import as_json_option, seed_option
from rookery.cli.runner import Bar, compilation_shown, progress_bar
from rookery.cli.tables import Column, number, present
from rookery.magics import FORMS

if TYPE_CHECKING:
    from rookery.techniques._magics import Factor

_NARROW_TRIES = 200

_COVER = "research/magics/find/cover.py: a place in the index for every blocker, by dives of a random search"
_BRANCH = "research/magics/prove/branch.py: branch and bound, begun with a prefix that the seed names"

Row = tuple[str, int]


@click.command("find")
@case_options
@seed_option(None, 2**64 - 1)
@click.option("--form", type=click.Choice(FORMS), default="fancy", show_default=True, help="How the index is made.")
@click.option("--injective", is_flag=True, help="No two occupancies may share a slot; widen the index where necessary.")
@click.option("--reduced", is_flag=True, help="Factors with one index bit less, where they exist.")
@click.option(
    "--tries",
    type=click.IntRange(1),
    help=f"With --injective, then widen the index [default: {DIVES:,} dives]; with --reduced, then give a "
    f"square up [default: {_NARROW_TRIES} slices of about a tenth of a second].",
)
@click.option(
    "--deltas", help="Any rider, given by the files and ranks of its steps: '1,2 2,1 -1,2 ...' for a nightrider."
)
@click.option("--width", type=int, help="Files of the rider's board [default: 8].")
@click.option("--height", type=int, help="Ranks of the rider's board [default: 8].")
@as_json_option
def magics_find(
    piece: str | None,
    square: str | None,
    seed: int,
    form: str,
    injective: bool,
    reduced: bool,
    tries: int | None,
    deltas: str | None,
    width: int | None,
    height: int | None,
    as_json: bool,
) -> None:
    """Find magic factors, all 128 by default, and try each on every occupancy.

    --form plain or fancy: ((o & mask) * magic) >> shift, as many index bits as the mask has; fixed-shift: the same with
    12 bits for rooks and 9 for bishops; black: ((o | ~mask) * magic) >> shift.
    """
    if deltas is not None:
        if piece or injective or reduced or tries or form != "fancy":
            raise ValueError("deltas: goes with --width, --height, --square and --seed only")
        board = (8 if width is None else width, 8 if height is None else height)
        _find_riders(deltas, *board, square, seed, as_json)
        return
    if width is not None or height is not None:
        raise ValueError("width and height: are those of a rider's board: expected --deltas too")
    if injective + reduced + (form != "fancy") > 1:
        raise ValueError("form, injective and reduced: expected one of them at most")
    wanted = wanted_cases(piece, square)
    if reduced:
        _find_reduced(wanted, seed, tries or _NARROW_TRIES, as_json)
    elif injective:
        _find_injective(wanted, seed, tries or DIVES, as_json)
    elif tries:
        raise ValueError("tries: goes with --injective or --reduced only")
    else:
        _find_all(wanted, seed, form, as_json)


def _find_all(wanted: list[Row], seed: int, form: str, as_json: bool) -> None:
    from magics.find import cover
    from magics.find.factors import cases_for, find_all
    from rookery.magics.forms import is_magic

    with compilation_shown():
        cover.compile_for(cases_for(form, tuple(wanted)))
    started = time.perf_counter()
    found = find_all(form, seed=seed, which=wanted)
    seconds = time.perf_counter() - started
    _check(found, lambda factor: is_magic(factor, form=form))
    _present(found, as_json, f"--form {form} " if form != "fancy" else "", form=form)
    if as_json:
        return
    out.print(
        f"\n{len(found)} factors from seed {seed}, found and tried in {seconds * 1000:.2f} ms, tried again since."
    )


def _find_injective(wanted: list[Row], seed: int, tries: int, as_json: bool) -> None:
    from magics.find.factors import find_widening
    from rookery.magics.forms import is_magic

    found: list[Factor] = []
    with _interruptible(wanted) as cases:
        for piece, square, tried in cases:
            found.append(find_widening(piece, square, seed=seed, injective=True, limit=tries, progress=tried))
    _check(found, lambda factor: is_magic(factor, injective=True))
    _present(found, as_json, "--injective ", injective=True)
    if not as_json:
        extra = sum(f.bits - _natural(f) for f in found)
        out.print(
            f"\n{len(found)} injective factors from seed {seed}, {extra} index bits more than the occupancies have "
            f"({tries:,} dives a width)."
        )
    if cases.interrupted:
        sys.exit(INTERRUPTED)


def _find_reduced(wanted: list[Row], seed: int, tries: int, as_json: bool) -> None:
    from magics.find.factors import find
    from rookery.bitboards.squares import SQUARE_NAMES
    from rookery.magics.atlas import atlas
    from rookery.magics.forms import is_magic
    from rookery.techniques._magics import Factor

    cells = {(c.piece, c.square): c for c in atlas()}
    chosen = [cells[piece, SQUARE_NAMES[square]] for piece, square in wanted]
    impossible = [c for c in chosen if c.answer == "none"]
    found: list[Factor] = []
    sources: list[str] = []
    missing = []
    with _interruptible([(c.piece, SQUARE_NAMES.index(c.square)) for c in chosen if c.answer != "none"]) as cases:
        for piece, square, tried in cases:
            cell = cells[piece, SQUARE_NAMES[square]]
            factor = find(piece, square, seed=seed, bits=cell.bits, limit=tries, progress=tried)
            if factor:
                sources.append("found now")
            elif cell.best[0] == cell.bits:
                factor = Factor(cell.piece, cell.square, cell.best[1], cell.bits)
                sources.append(cell.source)
            else:
                missing.append(cell)
                continue
            found.append(factor)
    _check(found, is_magic)
    _present(
        found,
        as_json,
        "--reduced ",
        _BRANCH,
        sources=sources,
        impossible=[f"{c.piece} {c.square}" for c in impossible],
        not_found=[f"{c.piece} {c.square}" for c in missing],
    )
    if not as_json:
        out.print(f"\n{len(found)} factors with one index bit less, {sources.count('found now')} of them found now.")
        if impossible:
            out.print(f"{len(impossible)} squares have none, by the atlas, and were not searched.")
        if missing:
            names = ", ".join(f"{c.piece} {c.square}" for c in missing)
            out.print(f"Not found in {tries} slices, nor known: {names}.")
    if cases.interrupted:
        sys.exit(INTERRUPTED)


def _find_riders(deltas: str, width: int, height: int, square: str | None, seed: int, as_json: bool) -> None:
    from magics.find.riders import check_masks, find_rider, parse_deltas, rider

    piece = rider(parse_deltas(deltas), width, height)
    names = piece.squares
    wanted = range(len(names)) if square is None else [piece.parse_square(square)]
    check_masks(piece)
    found = []
    missing = []
    started = time.perf_counter()
    with _interruptible([("rider", s) for s in wanted], names) as cases:
        for _, s, tried in cases:
            factor = find_rider(piece, s, seed=seed, progress=tried)
            if factor:
                found.append(factor)
            else:
                missing.append(names[s])
    seconds = time.perf_counter() - started
    rows = [{**f._asdict(), "mask": f"0x{f.mask:016x}", "magic": f"0x{f.magic:016x}", "shift": f.shift} for f in found]
    extra = {f.square: f.bits - f.mask.bit_count() for f in found}
    columns = (
        Column("square"),
        Column("mask"),
        Column("magic"),
        number("shift"),
        number("bits"),
        number("extra", lambda f: str(extra[f["square"]] or "")),
    )
    document = {
        "deltas": piece.deltas,
        "width": width,
        "height": height,
        "index": "((occupied & mask) * magic) >> shift",
        "squares": rows,
        "not_found": missing,
    }
    present(rows, columns, as_json, document)
    if not as_json:
        entries = sum(1 << f.bits for f in found)
        out.print(f"\n{len(found)} factors from seed {seed} in {seconds:.2f} s; a table of {entries:,} entries.")
        if missing:
            out.print(f"None of up to 24 bits found for {', '.join(missing)}; another seed may.")
    if cases.interrupted:
        sys.exit(INTERRUPTED)


class _Cases:
    """The pieces and squares of a search, each with a callback for its progress."""

    def __init__(self, wanted: list[Row], bar: Bar, names: Iterable[str]) -> None:
        self.wanted, self.bar, self.names = wanted, bar, list(names)
        self.interrupted = False

    def __iter__(self) -> Iterator[tuple[str, int, Callable[[int], None]]]:
        for piece, square in self.wanted:

            def tried(n: int, label: str = f"{piece} {self.names[square]}") -> None:
                self.bar.update(f"{label}: {n:,} tries")

            tried(0)
            yield piece, square, tried
            self.bar.advance()


@contextmanager
def _interruptible(wanted: list[Row], names: Iterable[str] | None = None) -> Iterator[_Cases]:
    """Show a progress bar over the cases. Ctrl-C ends the search, and what was found is printed."""
    from rookery.bitboards.squares import SQUARE_NAMES

    with progress_bar("searching", len(wanted), counts=True, elapsed=True, width=40) as bar:
        cases = _Cases(wanted, bar, names or SQUARE_NAMES)
        try:
            yield cases
        except KeyboardInterrupt:
            cases.interrupted = True


def _natural(factor: "Factor") -> int:
    from rookery.bitboards.squares import parse_square
    from rookery.magics.forms import index_bits

    return index_bits(factor.piece, parse_square(factor.square))


def _check(found: list["Factor"], good: Callable[["Factor"], bool]) -> None:
    for factor in found:
        if not good(factor):
            raise click.ClickException(f"the finder returned a factor that is no magic: {factor}")


def _present(found: list["Factor"], as_json: bool, options: str, finder: str = _COVER, **more: Any) -> None:
    """Print factors as a table, or as a document with the command that finds them."""
    rows = [{**f._asdict(), "magic": f"0x{f.magic:016x}"} for f in found]
    extra = {(f.piece, f.square): f.bits - _natural(f) for f in found}
    columns = [
        Column("piece"),
        Column("square"),
        Column("magic"),
        number("bits"),
        number("extra", lambda f: str(extra[f["piece"], f["square"]] or "")),
        number("tries", lambda f: f"{f['tries']:,}" if f["tries"] else ""),
    ]
    if more.get("sources"):
        source = {(f.piece, f.square): name for f, name in zip(found, more["sources"], strict=True)}
        columns.append(Column("source", lambda f: source[f["piece"], f["square"]]))
    document = {
        "finder": finder,
        "command": f"rookery magics find {options}--json",
        "injective": False,
        **more,
        "factors": rows,
    }
    present(rows, columns, as_json, document)
