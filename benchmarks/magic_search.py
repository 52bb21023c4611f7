"""Time finding and proving magic factors, and measure the tables of magic techniques.

Run ``python benchmarks/magic_search.py``. A proof decides whether one index bit less is possible.

Every answer is checked: each factor on all occupancies, each proof against the atlas, each table by all its look-ups.
What is reported is the median of many seeds or rounds, since machines are shared and clocks wander.
"""

import os
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from recording import out_option, record
from rookery.bench.machine import describe
from rookery.bench.turns import WrongAnswer
from rookery.bitboards.lines import relevant_occupancy
from rookery.bitboards.squares import SQUARE_NAMES, parse_square
from rookery.magics import FORMS
from rookery.magics.atlas import atlas
from rookery.magics.forms import all_squares, index_bits, is_magic
from rookery.magics.laboratory import laboratory
from rookery.magics.tables import entries, magic_techniques
from rookery.techniques._magics import Factor
from rookery.verify import look_ups

if TYPE_CHECKING:
    from magics.prove.proof import Proof

find_all: Final = laboratory("find.factors").find_all
prove: Final = laboratory("prove.proof").prove
BITS = 4  # for bishops with five relevant squares


class Question(NamedTuple):
    """Proofs that are timed together, one square after the other."""

    what: str
    squares: tuple[str, ...]
    threads: int


def questions() -> tuple[Question, ...]:
    """Two that the literature left open, on one core, and all bishops with five relevant squares on every core."""
    five = tuple(name for sq, name in enumerate(SQUARE_NAMES) if len(relevant_occupancy("bishop", sq)) == BITS + 1)
    return (
        Question("bishop c1", ("c1",), 1),
        Question("bishop d1", ("d1",), 1),
        Question("all bishops of five squares", five, os.cpu_count() or 1),
    )


def check_factors(found: Sequence[Factor], form: str) -> None:
    """Refuse to go on with a factor too few, too wide, or that is none."""
    wanted = [(piece, SQUARE_NAMES[square], index_bits(piece, square, form)) for piece, square in all_squares()]
    if [(factor.piece, factor.square, factor.bits) for factor in found] != wanted:
        raise WrongAnswer(f"{form}: not all 128 magics were found: {found}")
    for factor in found:
        if not is_magic(factor, form=form):
            raise WrongAnswer(f"{form}: {factor.piece} {factor.square}: 0x{factor.magic:016x} is no magic")


def check_proofs(proofs: Sequence["Proof"]) -> None:
    """Refuse to go on with an answer that is not the atlas's."""
    known = {(cell.piece, cell.square, cell.bits): cell.answer for cell in atlas()}
    for proof in proofs:
        expected = known[proof.piece, proof.square, proof.bits]
        if proof.answer != expected:
            raise WrongAnswer(f"{proof.piece} {proof.square}: proved {proof.answer}, the atlas says {expected}")
        if proof.magic is not None and not is_magic(Factor(proof.piece, proof.square, proof.magic, proof.bits)):
            raise WrongAnswer(f"{proof.piece} {proof.square}: 0x{proof.magic:016x} is no magic")


def _clocked(call: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    answer = call()
    return time.perf_counter() - start, answer


def _finding(form: str, seeds: int, progress: Callable[[str], None]) -> dict[str, Any]:
    progress(f"{form}: compiling")
    check_factors(find_all(form), form)
    seconds = []
    for seed in range(seeds):
        progress(f"{form}: seed {seed + 1} of {seeds}")
        took, found = _clocked(lambda seed=seed: find_all(form, seed=seed))  # type: ignore[misc]
        check_factors(found, form)
        seconds.append(took)
    return {
        "form": form,
        "factors": len(found),
        "seeds": seeds,
        "median_ms": round(statistics.median(seconds) * 1e3, 2),
        "worst_ms": round(max(seconds) * 1e3, 2),
    }


def _proving(question: Question, rounds: int, progress: Callable[[str], None]) -> dict[str, Any]:
    seconds, nodes, rates = [], [], []
    for i in range(rounds):
        progress(f"proving {question.what}: round {i + 1} of {rounds}")
        took, proofs = _clocked(
            lambda: [prove("bishop", parse_square(sq), BITS, threads=question.threads) for sq in question.squares]
        )
        check_proofs(proofs)
        visited = sum(proof.nodes for proof in proofs)
        seconds.append(took)
        nodes.append(visited)
        rates.append(visited / took)
    answers = [proof.answer for proof in proofs]
    return {
        "what": question.what,
        "bits": BITS,
        "squares": len(question.squares),
        "factors": answers.count("factor"),
        "none": answers.count("none"),
        "threads": question.threads,
        "seconds": round(statistics.median(seconds), 3),
        # Of the squares that have a factor: as many as were visited before it was found, which threads decide.
        "nodes": statistics.median_low(nodes),
        "nodes_per_second": round(statistics.median(rates)),
    }


def _tables(progress: Callable[[str], None]) -> list[dict[str, Any]]:
    rows = []
    for t in magic_techniques():
        progress(f"building {t.name}")
        result = look_ups(t)
        if result.first:
            raise WrongAnswer(f"{t.name}: {result.first}")
        rows.append({"name": t.name, "entries": entries(t), "bytes": t.table_bytes})
    return rows


def measure(
    *, seeds: int = 200, rounds: int = 5, progress: Callable[[str], None] = lambda what: None
) -> dict[str, Any]:
    """Time finding and proving, and count the tables; `progress` is called with what is being done."""
    if seeds < 1 or rounds < 1:
        raise ValueError(f"seeds, rounds: {seeds}, {rounds}: expected at least 1 of each")
    progress("proving: compiling")
    prove("bishop", parse_square("d1"), BITS)
    return {
        "benchmark": "magics",
        "command": "python benchmarks/magic_search.py",
        "machine": describe(),
        "rounds": rounds,
        "find": [_finding(form, seeds, progress) for form in FORMS],
        "proofs": [_proving(question, rounds, progress) for question in questions()],
        "tables": _tables(progress),
    }


@click.command()
@click.option(
    "--seeds", type=click.IntRange(1), default=200, show_default=True, help="Seeds; each finds all 128 factors."
)
@click.option("--rounds", type=click.IntRange(1), default=5, show_default=True, help="Rounds of each proof.")
@out_option
def main(seeds: int, rounds: int, out: Path | None) -> None:
    """Time finding and proving magic factors, and measure their tables. Every answer is checked."""
    record(measure, out, seeds=seeds, rounds=rounds)


if __name__ == "__main__":
    main()
