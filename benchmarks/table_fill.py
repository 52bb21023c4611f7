"""Time who fills the tables: ``python benchmarks/table_fill.py --out benchmarks/table_fill.json``.

The table of `magic-fancy` is filled as the library fills it: every relevant occupancy of a square is walked, multiplied
and stored. The first figure is for the rook on d4, the second for rooks and bishops on all squares. Each table that is
filled is compared with the library's.
"""

import statistics
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import click
import numpy as np

from recording import out_option, record
from rookery.bench.machine import describe
from rookery.bench.turns import WrongAnswer
from rookery.bitboards.bits import subset_array
from rookery.bitboards.lines import relevant_occupancy
from rookery.kernel import U64
from rookery.techniques import technique
from rookery.techniques._filler import directions_of, place, walk

D4: Final = 27


def fill(squares: Iterable[tuple[str, int]]) -> tuple[int, int, Any]:
    """Fill the slots of pieces on squares. Return the number of occupancies, of squares walked to, and the table."""
    t = technique("magic-fancy").tables()
    table, occupancies, walked = np.zeros_like(t.attacks), 0, 0
    for piece, sq in squares:
        mask, magic, shift, offset = (U64(word) for word in getattr(t, piece)[4 * sq : 4 * sq + 4])
        occupied = subset_array(relevant_occupancy(piece, sq))
        attacks = walk(sq, directions_of(piece), occupied)
        place(table, ((occupied & mask) * magic >> shift) + offset, attacks)
        occupancies += len(occupied)
        walked += int(np.bitwise_count(attacks).sum())
    return occupancies, walked, table


def measure(*, progress: Callable[[str], None], rounds: int) -> dict[str, Any]:
    """Return the result."""
    attacks = technique("magic-fancy").tables().attacks
    everything = [(piece, sq) for piece in ("rook", "bishop") for sq in range(64)]
    rows = []
    for what, squares in (("rook d4", [("rook", D4)]), ("all", everything)):
        progress(what)
        times = []
        for _ in range(rounds):
            start = time.process_time_ns()
            occupancies, walked, table = fill(squares)
            times.append(time.process_time_ns() - start)
            filled = table != 0
            if not (filled.sum() == occupancies and np.array_equal(table[filled], attacks[filled])):
                raise WrongAnswer(f"{what}: another table than the library's")
        ms = round(statistics.median(times) / 1e6, 3)
        rows.append({"what": what, "occupancies": occupancies, "squares_walked": walked, "ms": ms})
    return {
        "benchmark": "table_fill",
        "command": "python benchmarks/table_fill.py",
        "machine": describe(),
        "rounds": rounds,
        "rows": rows,
    }


@click.command()
@click.option("--rounds", type=click.IntRange(1), default=25, show_default=True)
@out_option
def main(rounds: int, out: Path | None) -> None:
    """Time how long it takes to fill the tables of magic-fancy."""
    record(measure, out, rounds=rounds)


if __name__ == "__main__":
    main()
