"""``rookery magics pack``."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

import click

from rookery.cli.common import INTERRUPTED, err, out, print_json, warned, write_file, writing
from rookery.cli.options import OutputFile, as_json_option, out_option, seed_option, writes_files
from rookery.cli.runner import progress_bar

Lines: TypeAlias = Callable[[str, int], str]
_FINDER: Final = "research/magics/pack/packing.py: factors of few slots in few columns of the table, tiled and settled"
_LINES_A_ROUND: Final = 8  # of progress, where no bar can be drawn


def _lines(label: str) -> Lines:
    """Return a function that returns a line of progress for each eighth of a round, and empty texts in between."""
    from magics.pack.packing import ROUND_PARTS

    shown = -1

    def line(doing: str, done: int) -> str:
        nonlocal shown
        eighth = _LINES_A_ROUND * done // ROUND_PARTS
        if eighth == shown:
            return ""
        shown = eighth
        return f"{label}: {doing}, {100 * done // ROUND_PARTS} % of the round"

    return line


@click.command("pack")
@click.option("--form", type=click.Choice(["black", "fixed-shift"]), default="black", show_default=True)
@seed_option(None, 2**64 - 1)
@click.option(
    "--rounds",
    type=click.IntRange(0),
    default=10,
    show_default=True,
    help="Rounds in all; each takes half a minute to a minute.",
)
@click.option(
    "--state",
    "state_path",
    type=OutputFile(continued=True),
    default="rookery-packing.json",
    show_default=True,
    help="The file in which the search is saved between rounds, and from which it continues.",
)
@out_option("Write the record here.", name="target")
@as_json_option
@writes_files
def magics_pack(form: str, seed: int, rounds: int, state_path: Path, target: Path | None, as_json: bool) -> None:
    """Pack the tables of all squares into the gaps of each other: those of magic-black and magic-fixed-shift.

    A bar shows how far a round is. Without a terminal, standard error has a line for each eighth of a round.

    An interrupted search continues with the round in which it stopped, and ends with the same result.
    """
    from magics.pack.packing import ROUND_PARTS, begin, one_round
    from magics.pack.state_file import load, save
    from rookery.magics.tables import used

    state, aside = load(state_path, form, seed)
    if aside:
        warned(f"{state_path} was damaged: it is kept as {aside}, and a new one begun")
    interrupted = False
    with progress_bar("finding factors to begin with", ROUND_PARTS * rounds, width=74) as bar:
        try:
            state = state or begin(form, seed)
            while state.rounds < rounds:
                best = f", best {state.entries:,} entries" if state.records else ""
                label, first = f"round {state.rounds + 1}{best}", ROUND_PARTS * state.rounds
                lines = _lines(label)

                def show(doing: str, done: int, label: str = label, first: int = first, lines: Lines = lines) -> None:
                    bar.update(f"{label}: {doing}", first + done)
                    if not err.is_terminal and (line := lines(doing, done)):
                        err.print(line, markup=False, soft_wrap=True)

                state = one_round(state, progress=show)
                with writing("--state", state_path):
                    save(state_path, state)
        except KeyboardInterrupt:
            interrupted = True
    if not state or not state.records:
        err.print(f"no packing after {state.rounds if state else 0} rounds: give it more of them")
        sys.exit(INTERRUPTED if interrupted else 1)
    taken = used(state.records, state.entries, form)
    document = {
        "finder": _FINDER,
        "command": f"rookery magics pack --form {form} --seed {seed} --rounds {state.rounds} --out FILE",
        "entries": state.entries,
        "records": [{**r._asdict(), "magic": f"0x{r.magic:016x}"} for r in state.records],
    }
    if target:
        write_file("--out", target, json.dumps(document, indent=1) + "\n")
    if as_json:
        print_json(document)
    else:
        out.print(f"{state.entries:,} entries, {taken:,} of them used; tried on all 107,648 look-ups")
        kept = f"{state.rounds} rounds are kept in {state_path}: the same command with more --rounds goes on."
        out.print(kept, markup=False)
    if interrupted:
        sys.exit(INTERRUPTED)
