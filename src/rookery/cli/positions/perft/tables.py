"""Perft's tables: leaves by move, by kind of move and by technique, and the comparison with an engine."""

import sys
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from rookery.cli.common import err, out, plain, print_json
from rookery.cli.positions.perft.counts import summary
from rookery.cli.runner import Run, compilation_shown
from rookery.cli.tables import Column, number, present

if TYPE_CHECKING:
    from rookery.board.board import Board
    from rookery.counting.engines.comparison import Difference
    from rookery.techniques.base import Technique


def print_divided(board: "Board", depth: int, t: "Technique | None", as_json: bool) -> None:
    """Print the number of leaves under each move as it becomes known."""
    from rookery.counting.walk import divide, on_lanes, slices

    count = on_lanes if t is None else partial(slices, t=t)
    with compilation_shown():
        sum(count(board, min(depth, 4 if t is None else 2)))  # so that the clock does not time the compiler
    leaves: dict[str, int] = {}
    with Run(as_json) as run:
        for move, nodes in divide(board, depth, count):
            leaves[board.uci(move)] = nodes
            if not as_json:
                out.print(f"{board.uci(move)}: {nodes}")
    total = sum(leaves.values())
    if as_json:
        print_json(
            {"fen": board.fen(), "depth": depth, "moves": leaves, "nodes": total, "complete": not run.interrupted}
        )
    else:
        out.print(f"\n{len(leaves)} moves, {summary(total, total, run.seconds, run.interrupted)}")
    run.end()


def print_statistics(board: "Board", depth: int, t: "Technique | None", as_json: bool) -> None:
    """Print the leaves by kind of move, for each depth."""
    from rookery.counting.walk import MoveStatistics, statistics

    rows: list[tuple[int, Any]] = []
    with Run(as_json) as run, err.status("counting"):
        for d in range(1, depth + 1):
            rows.append((d, MoveStatistics(*[0] * len(MoveStatistics._fields))))
            for so_far in statistics(board, d, t):
                rows[-1] = d, so_far
    depths = [{"depth": d, **row._asdict()} for d, row in rows]
    columns = [number("depth"), *(number(f.replace("_", " "), f"{{{f}:,}}") for f in MoveStatistics._fields)]
    present(depths, columns, as_json, {"fen": board.fen(), "depths": depths, "complete": not run.interrupted})
    if not as_json and run.interrupted:
        out.print(f"interrupted: depth {rows[-1][0]} is not complete")
    run.end()


def compare_techniques(board: "Board", depth: int, rounds: int, as_json: bool) -> None:
    """Time the same perft with every technique, in turns. Figures are medians of the rounds."""
    from rookery.bench.perft_by_technique import in_turns, ranked
    from rookery.rules.compiled import default_technique
    from rookery.techniques import ALL, technique

    reference = default_technique()
    order = (technique(reference.name), *(t for t in ALL if t.name != reference.name))
    runs = []
    with Run(as_json) as run, err.status("compiling") as status:
        for timed in in_turns(board, depth, order, rounds):
            runs.append(timed)
            done = len(runs) % len(order) or len(order)
            each = "; each is compiled once for this CPU" if len(runs) < len(order) else ""
            status.update(f"round {timed.round} of {rounds}: {done} of {len(order)} techniques{each}")
    rows = ranked(runs)
    wrong = [row.technique for row in rows if row.nodes != runs[0].nodes]
    records = [row._asdict() for row in rows]
    columns = (
        Column("technique"),
        number("nodes", "{nodes:,}"),
        number("seconds", "{seconds:.4f}"),
        number("M nodes/s", lambda row: f"{row['nodes'] / max(row['seconds'], 1e-9) / 1e6:,.0f}"),
        number(f"to {reference.name}", "{ratio:.2f}"),
        number("from", "{spread[0]:.2f}"),
        number("to", "{spread[1]:.2f}"),
    )
    document = {
        "fen": board.fen(),
        "depth": depth,
        "rounds": rounds,
        "complete": not run.interrupted,
        "techniques": records,
    }
    present(records, columns, as_json, document)
    if not as_json:
        description = f"interrupted after {len(runs)} of {rounds * len(order)} counts: " if run.interrupted else ""
        out.print(f"\n{description}medians of {rounds} rounds in turns; the ratios are medians of each round's own")
    if wrong:
        raise click.ClickException(f"counts that differ from {reference.name}'s: {', '.join(wrong)}")
    run.end()


def against(board: "Board", depth: int, engine: str, t: "Technique | None", as_json: bool) -> None:
    """Walk down to the first position where an engine disagrees about the legal moves."""
    from rookery.counting.engines.comparison import first_difference
    from rookery.counting.engines.visible_faults import depths_that_show_faults

    fen, reached = board.fen(en_passant="fen"), ""

    def show(what: str) -> None:
        nonlocal reached
        reached = what
        status.update(plain(f"asking {engine}: {what}"))

    found = visible = None
    with Run(as_json) as run, err.status(plain(f"asking {engine}")) as status:
        found = first_difference(board, depth, engine, t, progress=show)
        if found is None:
            show("looking for faults that need a deeper run")
            visible = depths_that_show_faults(board)
    if run.interrupted:
        if as_json:
            print_json({"fen": fen, "depth": depth, "engine": engine, "complete": False, "reached": reached})
        else:
            out.print(plain(f"interrupted at {reached or 'the first question'}: not compared to the end"))
        run.end()
    if as_json:
        difference = found and found._asdict()
        answer = {"fen": fen, "depth": depth, "engine": engine, "complete": True, "difference": difference}
        if visible is not None:
            answer |= {"needs_deeper_run": visible.deeper_than(depth), "plies_searched": visible.searched}
        print_json(answer)
    elif found is None:
        assert visible is not None  # searched above
        plies = f"{depth} {'ply' if depth == 1 else 'plies'} deep"
        out.print(plain(f"{engine} agrees on every move of the position, {plies}."))
        if hidden := visible.deeper_than(depth):
            out.print("This run does not show faults of:")
        for fault, least in hidden.items():
            at = f"depth {least} would" if least else f"none of the first {visible.searched} plies does"
            out.print(f"  {fault}: {at}")
    else:
        out.print(plain(difference_text(engine, found)))
    if found:
        sys.exit(1)


def difference_text(engine: str, found: "Difference") -> str:
    """Return the lines that describe where an engine differs."""
    from rookery.counting.engines.comparison import WHY

    lines = [f"{engine} differs after {' '.join(found.moves) or 'no move'}, in", f"  {found.fen}"]
    if found.missing:
        lines.append(f"it does not find: {' '.join(found.missing)}")
    if found.extra:
        lines.append(f"it finds, but illegal: {' '.join(found.extra)}")
    if found.repeated:
        lines.append(f"it finds twice: {' '.join(found.repeated)}")
    if not found.missing and not found.extra and not found.repeated:
        lines.append(f"the moves are the same, the counts are not: {found.ours:,} here, {found.theirs:,} there")
        lines += [f"  {move}: {here:,} here, {there:,} there" for move, (here, there) in found.counts.items()]
    lines += [f"fault: {fault}" for fault in found.faults]
    lines += [f"suspect: {found.suspect}: {WHY[found.suspect]}", "ask it again:"]
    lines += [f"  {command}" for command in found.commands]
    return "\n".join(lines)
