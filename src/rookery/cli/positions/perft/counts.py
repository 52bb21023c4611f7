"""Plain counts of perft, with progress: in threads, on an executor, or by way of distinct positions."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rookery.cli.common import err, out, plain, print_json, warned
from rookery.cli.runner import Run, compilation_shown, progress_bar
from rookery.cli.tables import Column, number, present

if TYPE_CHECKING:
    from rookery.board.board import Board


def print_count(board: "Board", depth: int, portions: Iterator[int], as_json: bool) -> None:
    """Print the count or, after Ctrl-C, what has been counted."""
    nodes, run = 0, Run(as_json)
    with run, err.status("counting") as status:
        for counted in portions:
            nodes += counted
            status.update(f"{nodes:,} nodes")
    tell_count(run, board, depth, nodes, nodes)


def count_on_lanes(board: "Board", depth: int, options: dict[str, Any], as_json: bool) -> None:
    """Count by `rookery.counting.workers.counting`, with a progress bar that estimates the remaining time."""
    from rookery.counting.checkpoint import read_checkpoint
    from rookery.counting.workers import CountProgress, counting

    if options["checkpoint"] is not None:
        fen = board.fen(shredder=True, en_passant="fen")
        read_checkpoint(options["checkpoint"], force=options["force"], fen=fen, depth=depth)
    with compilation_shown():
        for _ in counting(board, min(depth, 4)):
            pass  # so that the clock does not time the compiler
    so_far, run = CountProgress(0, 0, 0, 1), Run(as_json)
    with run, progress_bar("counting", counts=True) as bar:
        try:
            for so_far in counting(board, depth, **options, tell=warned):
                pace = so_far.fresh / run.seconds / 1e6
                description = f"{so_far.nodes:,} nodes, {pace:,.0f} M nodes/s, parts"
                bar.update(description, so_far.done, so_far.parts)
        except MemoryError as error:
            megabytes = options["hash_mb"]
            raise click.UsageError(f"--hash {megabytes}: this machine has no {megabytes:,} MB to give") from error
    tell_count(run, board, depth, so_far.nodes, so_far.fresh)


def count_distinct(
    board: "Board", depth: int, plies: int, work: Path, threads: int, executor: str | None, as_json: bool
) -> None:
    """Count by way of distinct positions, and print the sub-total of each move of the root."""
    from rookery.counting.weighted import Subtotals, counting_distinct

    so_far, run = Subtotals({}, 0, 1, 0), Run(as_json)
    with run, progress_bar("finding distinct positions", counts=True) as bar:
        options: dict[str, Any] = {"executor": executor or f"threads:{threads}", "threads": threads, "tell": bar.update}
        for so_far in counting_distinct(board, depth, plies, work, **options):
            bar.update(f"{so_far.nodes:,} nodes", so_far.done, so_far.tasks)
    if as_json:
        document = {"fen": board.fen(), "depth": depth, "plies": plies, **so_far._asdict(), "nodes": so_far.nodes}
        print_json({**document, "seconds": run.seconds, "complete": not run.interrupted})
    else:
        rows = [{"move": move, "nodes": nodes} for move, nodes in so_far.by_move.items()]
        present(rows, (Column("move"), number("nodes", "{nodes:,}")), False)
        share = f" so far: interrupted after {so_far.done:,} of {so_far.tasks:,} tasks" if run.interrupted else ""
        out.print(f"\n{so_far.nodes:,} nodes{share}, by {so_far.positions:,} distinct positions, {run.seconds:.1f} s")
        if run.interrupted:
            out.print(plain(f"The same command continues from {work}."))
    run.end()


def summary(nodes: int, fresh: int, seconds: float, interrupted: bool) -> str:
    """Return a line that states a count, and its pace."""
    so_far = " so far: interrupted" if interrupted else ""
    known = f" ({nodes - fresh:,} of them from the checkpoint)" if nodes != fresh else ""
    return f"{nodes:,} nodes{so_far}{known}, {seconds:.2f} s, {fresh / max(seconds, 1e-9) / 1e6:,.0f} M nodes/s"


def tell_count(run: Run, board: "Board", depth: int, nodes: int, fresh: int) -> None:
    """Print the result of a count. `nodes` includes those of a checkpoint; `fresh` of them were counted now."""
    if run.as_json:
        ended = {"seconds": run.seconds, "complete": not run.interrupted}
        print_json({"fen": board.fen(), "depth": depth, "nodes": nodes, **ended})
    else:
        out.print(summary(nodes, fresh, run.seconds, run.interrupted))
    run.end()
