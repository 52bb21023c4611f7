"""Time the ideas of the tutorial's chapters: ``python benchmarks/chapters.py --out benchmarks/chapters.json``.

Each row compares a question answered by a chapter's idea with the same question answered by loops over the 64 cells of
a board (`cells.py`). Both sides are compiled, answer in turns, and every answer is checked. The chapters about a
technique for one slider have no row: `technique_uses.py` measures techniques.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

import click
import numpy as np

import cells
from recording import out_option, record
from rookery import verify
from rookery.bench.lanes import count_one_by_one, random_positions
from rookery.bench.machine import describe
from rookery.bench.turns import TimedRow, TimedWork, compare_all
from rookery.bitboards.bits import A_FILE, H_FILE
from rookery.bitboards.sets import step
from rookery.kernel import U64, Word, entry, popcount, trailing_zeros
from rookery.positions.layout import BLACK_TO_MOVE
from rookery.positions.positions import Positions
from rookery.rules.compiled import default_technique
from rookery.techniques import technique
from rookery.techniques.base.protocol import fill

Rows: TypeAlias = list[tuple[str, TimedRow]]  # each with its chapter

POSITIONS: Final = 1024
NAIVE: Final = "64 cells"


@entry
def equal_sets(one: Any, other: Any) -> Any:
    """Return how many pairs of words are equal."""
    number: Word = 0
    for i in range(one.size):
        number += U64(one[i] == other[i])
    return number


@entry
def captures(attacked: Any, black: Any, out: Any) -> None:
    """Write the number of black pieces in each set of attacked squares."""
    for i in range(out.size):
        out[i] = popcount(attacked[i] & black[i])


@entry
def white_pawn_attacks(pawns: Any, out: Any) -> None:
    """Write the number of squares that white pawns attack."""
    for i in range(out.size):
        out[i] = popcount(pawns[i] << 9 & ~A_FILE | pawns[i] << 7 & ~H_FILE)


@entry
def lowest_squares(sets: Any, out: Any) -> None:
    """Write the lowest square of every set."""
    for i in range(out.size):
        out[i] = trailing_zeros(sets[i])


@entry
def sum_of_squares(black: Any, out: Any) -> None:
    """Write the sum of the numbers of the squares that black occupies."""
    for i in range(out.size):
        rest, total = U64(black[i]), U64(0)
        while rest:
            total += trailing_zeros(rest)
            rest &= rest - 1
        out[i] = total


@entry
def white_sliders_attack(diagonals: Any, orthogonals: Any, occupied: Any, white: Any, out: Any, t: Any) -> None:
    """Write the number of squares that white bishops, rooks and queens attack: all of them, direction by direction."""
    for i in range(out.size):
        attacked: Word = 0
        for direction in range(8):
            sliders = white[i] & (diagonals[i] if direction & 1 else orthogonals[i])
            attacked |= step(direction, fill(direction, sliders, ~occupied[i], t))
        out[i] = popcount(attacked)


def cells_of(words: Any) -> Any:
    """Return sets of squares as rows of 64 cells of 0 or 1."""
    return (words[:, None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)).astype(np.int64)


def boards_of(positions: Positions) -> Any:
    """Return boards of 64 cells."""
    c = positions.columns
    queens = c.diagonals & c.orthogonals
    kinds = (c.pawns, c.knights, c.diagonals ^ queens, c.orthogonals ^ queens, queens, c.kings)
    boards = sum(kind * cells_of(pieces) for kind, pieces in enumerate(kinds, 1))
    return boards + cells.BLACK * cells_of(np.bitwise_or.reduce(kinds) & ~c.white)


def filled(fill: Callable[[Any], Any], expected: Any) -> TimedWork:
    """Return the work of a function that fills an array."""
    out = np.zeros(len(expected), np.int64)

    def call() -> Any:
        fill(out)
        return out

    def right(answer: Any) -> bool:
        same = np.array_equal(answer, expected)
        answer.fill(0)
        return same

    return TimedWork(call, len(expected), right)


def pawns_attack(pawns: int) -> set[int]:
    """Return the squares that white pawns attack, found one by one."""
    squares = [sq for sq in range(64) if pawns >> sq & 1]
    return {sq + 8 + side for sq in squares for side in (-1, 1) if 0 <= sq % 8 + side < 8}


def about_sets(positions: Positions) -> Rows:
    """Return the rows of the chapters about sets."""
    c = positions.columns
    occupied = c.pawns | c.knights | c.diagonals | c.orthogonals | c.kings
    black, pawns = occupied & ~c.white, c.pawns & c.white
    boards = boards_of(positions)
    squares = np.arange(len(positions)) % 64
    attacked = np.array(
        [verify.oracle("queen", int(sq), int(o)) for sq, o in zip(squares, occupied, strict=True)], np.uint64
    )
    other = attacked ^ (np.uint64(1) << np.uint64(60)) * (squares % 2 == 0)
    own, others = cells_of(attacked), cells_of(other)
    equal = int((attacked == other).sum())
    taken = np.array([int(word).bit_count() for word in attacked & black])
    pawn_attacks = np.array([len(pawns_attack(int(word))) for word in pawns])
    kings = np.array([int(word).bit_length() - 1 for word in c.kings & black])
    sums = np.array([sum(sq for sq in range(64) if int(word) >> sq & 1) for word in black])

    def row(what: str, unit: str, ours: TimedWork, theirs: TimedWork) -> TimedRow:
        return TimedRow(what, unit, ours, theirs, NAIVE)

    n = len(positions)
    return [
        (
            "01-one-bit",
            row(
                "are two sets of squares equal?",
                "pairs of sets",
                TimedWork(partial(equal_sets, attacked, other), n, equal.__eq__),
                TimedWork(partial(cells.equal_sets, own, others), n, equal.__eq__),
            ),
        ),
        (
            "02-sets",
            row(
                "how many black pieces does a queen attack?",
                "queens",
                filled(partial(captures, attacked, black), taken),
                filled(partial(cells.captures, own, boards), taken),
            ),
        ),
        (
            "03-shifts-and-leapers",
            row(
                "how many squares do all white pawns attack?",
                "positions",
                filled(partial(white_pawn_attacks, pawns), pawn_attacks),
                filled(partial(cells.white_pawn_attacks, boards), pawn_attacks),
            ),
        ),
        (
            "04-scanning",
            row(
                "where is the black king?",
                "positions",
                filled(partial(lowest_squares, c.kings & black), kings),
                filled(partial(cells.black_kings, boards), kings),
            ),
        ),
        (
            "04-scanning",
            row(
                "visit every black piece, and add up the numbers of their squares",
                "positions",
                filled(partial(sum_of_squares, black), sums),
                filled(partial(cells.sum_of_squares, boards), sums),
            ),
        ),
    ]


def about_fills(positions: Positions) -> Rows:
    """Return the row of the chapter about fills: all sliders at once."""
    c = positions.columns
    occupied = c.pawns | c.knights | c.diagonals | c.orthogonals | c.kings
    counts = []
    for i in range(len(positions)):
        attacked = 0
        for piece, pieces in (("bishop", c.diagonals[i]), ("rook", c.orthogonals[i])):
            for sq in range(64):
                if int(pieces & c.white[i]) >> sq & 1:
                    attacked |= verify.oracle(piece, sq, int(occupied[i]))
        counts.append(attacked.bit_count())
    boards, found, tables = boards_of(positions), np.zeros(32, np.int64), technique("kogge-stone").tables()

    def naive(out: Any) -> None:
        cells.white_sliders_attack(boards, out, cells.STEPS, found)

    def ours(out: Any) -> None:
        white_sliders_attack(c.diagonals, c.orthogonals, occupied, c.white, out, tables)

    what = "how many squares do all white sliders attack?"
    return [
        (
            "06-fills",
            TimedRow(what, "positions", filled(ours, np.array(counts)), filled(naive, np.array(counts)), NAIVE),
        )
    ]


def about_moves(positions: Positions) -> Rows:
    """Return the row of the last chapter, about positions without castling and en passant."""
    counts = positions.legal_move_counts().astype(np.int64)
    colours = np.where(positions.columns.state & np.uint64(BLACK_TO_MOVE), cells.BLACK, 0).astype(np.int64)
    lists = np.zeros(64, np.int64), np.zeros(64, np.int64)
    boards = boards_of(positions)

    def naive(out: Any) -> None:
        cells.count_moves(boards, colours, out, cells.STEPS, *lists)

    def scalar(out: Any) -> None:
        count_one_by_one(positions.columns, out, default_technique().tables())

    what = "how many moves are legal?"
    return [("12-legal-moves", TimedRow(what, "positions", filled(scalar, counts), filled(naive, counts), NAIVE))]


def simple_positions() -> Positions:
    """Return positions of random games without castling and en passant."""
    positions = random_positions(16 * POSITIONS)
    c = positions.columns
    return positions[np.flatnonzero((c.castling | c.en_passant) == 0)[:POSITIONS]]


def measure(*, progress: Callable[[str], None], rounds: int) -> dict[str, Any]:
    """Return the result."""
    positions = simple_positions()
    rows = [*about_sets(positions), *about_fills(positions), *about_moves(positions)]
    rows.sort(key=lambda row: row[0])
    done = compare_all((row for _, row in rows), rounds, progress)
    return {
        "benchmark": "chapters",
        "command": "python benchmarks/chapters.py",
        "machine": describe(),
        "positions": len(positions),
        "rounds": rounds,
        "rows": [{"chapter": chapter} | row for (chapter, _), row in zip(rows, done, strict=True)],
    }


@click.command()
@click.option("--rounds", type=click.IntRange(1), default=25, show_default=True)
@out_option
def main(rounds: int, out: Path | None) -> None:
    """Time the ideas of the tutorial's chapters beside loops over 64 cells."""
    record(measure, out, rounds=rounds)


if __name__ == "__main__":
    main()
