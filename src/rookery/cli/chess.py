"""``rookery perft | moves | fen``: a position, its moves and their tree."""

import sys
import time
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import click
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as ProgressBar

from rookery.cli.common import (
    INTERRUPTED,
    as_json_option,
    compilation_shown,
    err,
    executor_option,
    out,
    plain,
    print_json,
    warned,
    with_coordinates,
)
from rookery.cli.tables import Column, number, present

if TYPE_CHECKING:
    from rookery.board.board import Board
    from rookery.technique import Technique


@click.command()
@click.argument("position")
@click.argument("depth", type=int)
@click.option("--divide", "divided", is_flag=True, help="Count the leaves under each move of the position.")
@click.option("--stats", is_flag=True, help="Count captures, en passants, castles, promotions, checks and mates.")
@click.option("--technique", "name", help="Generate sliders' attacks by this technique, or compare 'all'.")
@click.option(
    "--rounds",
    type=click.IntRange(1),
    help="Rounds of '--technique all', in which all techniques take turns [default: 5].",
)
@click.option("--against", "engine", help="Compare with a UCI engine's 'go perft', down to the first difference.")
@click.option("--threads", type=int, default=1, show_default=True, help="The number of threads.")
@executor_option
@click.option("--hash", "hash_mb", type=int, default=0, help="The size of the hash table in megabytes.")
@click.option("--checkpoint", type=click.Path(dir_okay=False), help="Save the count in a file, and continue from it.")
@as_json_option
def perft(
    position: str,
    depth: int,
    divided: bool,
    stats: bool,
    name: str | None,
    rounds: int | None,
    engine: str | None,
    threads: int,
    executor: str | None,
    hash_mb: int,
    checkpoint: str | None,
    as_json: bool,
) -> None:
    """Count the leaves of the tree of legal moves.

    POSITION is a FEN (Chess960 too), or one of start, kiwipete, position3 to position6.
    """
    from rookery.counting.checkpoint import read_checkpoint
    from rookery.counting.perft import check_megabytes
    from rookery.counting.walk import as_board, check_depth, slices
    from rookery.positions.threads import check_threads
    from rookery.techniques import technique

    check_threads(threads)
    check_megabytes(hash_mb)
    if checkpoint is not None:  # report it before the first board, which takes half a minute to compile
        read_checkpoint(checkpoint, depth=depth)
    if sum((divided, stats, name == "all", engine is not None)) > 1:
        raise ValueError("--divide, --stats, --technique all and --against each print a table of their own: choose one")
    board = as_board(position)
    check_depth(depth)
    if name == "all":
        compare_techniques(board, depth, rounds or 5, as_json)
        return
    if rounds is not None:
        raise ValueError("--rounds: goes with --technique all only")
    t = technique(name) if name else None
    options = {"threads": threads, "executor": executor, "hash_mb": hash_mb, "checkpoint": checkpoint}
    plain_count = not (divided or stats) and engine is None and t is None
    if not plain_count and options != {"threads": 1, "executor": None, "hash_mb": 0, "checkpoint": None}:
        raise ValueError(
            "--threads, --executor, --hash and --checkpoint are for plain counts: without --divide, --stats, "
            "--against and --technique"
        )
    if engine is not None:
        against(board, depth, engine, t, as_json)
    elif stats:
        print_statistics(board, depth, t, as_json)
    elif divided:
        print_divided(board, depth, t, as_json)
    elif t is not None:
        print_count(board, depth, slices(board, depth, t), as_json)
    else:
        count_on_lanes(board, depth, options, as_json)


def print_count(board: "Board", depth: int, portions: Iterator[int], as_json: bool) -> None:
    """Print the count or, after Ctrl-C, what has been counted."""
    nodes, interrupted, start = 0, False, time.perf_counter()
    with compilation_shown(), err.status("counting") as status:
        try:
            for counted in portions:
                nodes += counted
                status.update(f"{nodes:,} nodes")
        except KeyboardInterrupt:
            interrupted = True
    tell_count(board, depth, nodes, nodes, time.perf_counter() - start, interrupted, as_json)


def count_on_lanes(board: "Board", depth: int, options: dict[str, Any], as_json: bool) -> None:
    """Count by `rookery.counting.perft.counting`, with a progress bar that estimates the remaining time."""
    from rookery.counting.checkpoint import read_checkpoint
    from rookery.counting.perft import Progress, counting

    if options["checkpoint"] is not None:
        read_checkpoint(options["checkpoint"], fen=board.fen(shredder=True, en_passant="fen"), depth=depth)
    with compilation_shown():
        for _ in counting(board, min(depth, 4)):
            pass  # so that the clock does not time the compiler
    so_far, interrupted, start = Progress(0, 0, 0, 1), False, time.perf_counter()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with ProgressBar(*columns, console=err, transient=True) as bar:
        task = bar.add_task("counting", total=None)
        try:
            for so_far in counting(board, depth, **options, tell=warned):
                pace = so_far.fresh / max(time.perf_counter() - start, 1e-9) / 1e6
                description = f"{so_far.nodes:,} nodes, {pace:,.0f} M nodes/s, parts"
                bar.update(task, description=description, completed=so_far.done, total=so_far.parts)
        except KeyboardInterrupt:
            interrupted = True
        except MemoryError as error:
            megabytes = options["hash_mb"]
            raise click.UsageError(f"--hash {megabytes}: this machine has no {megabytes:,} MB to give") from error
    seconds = time.perf_counter() - start
    tell_count(board, depth, so_far.nodes, so_far.fresh, seconds, interrupted, as_json)


def _summary(nodes: int, fresh: int, seconds: float, interrupted: bool) -> str:
    so_far = " so far: interrupted" if interrupted else ""
    known = f" ({nodes - fresh:,} of them from the checkpoint)" if nodes != fresh else ""
    return f"{nodes:,} nodes{so_far}{known}, {seconds:.2f} s, {fresh / max(seconds, 1e-9) / 1e6:,.0f} M nodes/s"


def tell_count(
    board: "Board", depth: int, nodes: int, fresh: int, seconds: float, interrupted: bool, as_json: bool
) -> None:
    """Print the result of a count.

    `nodes` includes those of a checkpoint; `fresh` of them were counted in the time given.
    """
    if as_json:
        print_json(
            {"fen": board.fen(), "depth": depth, "nodes": nodes, "seconds": seconds, "complete": not interrupted}
        )
    else:
        out.print(_summary(nodes, fresh, seconds, interrupted))
    if interrupted:
        sys.exit(INTERRUPTED)


def print_divided(board: "Board", depth: int, t: "Technique | None", as_json: bool) -> None:
    """Print the number of leaves under each move as it becomes known."""
    from rookery.counting.perft import on_lanes
    from rookery.counting.walk import divide, slices

    count = on_lanes if t is None else partial(slices, t=t)
    with compilation_shown():
        sum(count(board, min(depth, 4 if t is None else 2)))  # so that the clock does not time the compiler
    leaves: dict[str, int] = {}
    interrupted = False
    start = time.perf_counter()
    try:
        with compilation_shown():
            for move, nodes in divide(board, depth, count):
                leaves[board.uci(move)] = nodes
                if not as_json:
                    out.print(f"{board.uci(move)}: {nodes}")
    except KeyboardInterrupt:
        interrupted = True
    total = sum(leaves.values())
    if as_json:
        print_json({"fen": board.fen(), "depth": depth, "moves": leaves, "nodes": total, "complete": not interrupted})
    else:
        out.print(f"\n{len(leaves)} moves, {_summary(total, total, time.perf_counter() - start, interrupted)}")
    if interrupted:
        sys.exit(INTERRUPTED)


def print_statistics(board: "Board", depth: int, t: "Technique | None", as_json: bool) -> None:
    """Print the leaves by kind of move, for each depth."""
    from rookery.counting.walk import Statistics, statistics

    rows: list[tuple[int, Any]] = []
    interrupted = False
    try:
        with compilation_shown(), err.status("counting"):
            for d in range(1, depth + 1):
                rows.append((d, Statistics(*[0] * len(Statistics._fields))))
                for so_far in statistics(board, d, t):
                    rows[-1] = d, so_far
    except KeyboardInterrupt:
        interrupted = True
    depths = [{"depth": d, **row._asdict()} for d, row in rows]
    columns = [number("depth"), *(number(f.replace("_", " "), f"{{{f}:,}}") for f in Statistics._fields)]
    present(depths, columns, as_json, {"fen": board.fen(), "depths": depths, "complete": not interrupted})
    if not as_json and interrupted:
        out.print(f"interrupted: depth {rows[-1][0]} is not complete")
    if interrupted:
        sys.exit(INTERRUPTED)


def compare_techniques(board: "Board", depth: int, rounds: int, as_json: bool) -> None:
    """Time the same perft with every technique, in turns. Figures are medians of the rounds."""
    from rookery.bench.perft_by_technique import in_turns, ranked
    from rookery.rules.compiled import default_technique
    from rookery.techniques import ALL, technique

    reference = default_technique()
    order = (technique(reference.name), *(t for t in ALL if t.name != reference.name))
    runs = []
    interrupted = False
    with err.status("compiling") as status:
        try:
            for run in in_turns(board, depth, order, rounds):
                runs.append(run)
                done = len(runs) % len(order) or len(order)
                each = "; each is compiled once for this CPU" if len(runs) < len(order) else ""
                status.update(f"round {run.round} of {rounds}: {done} of {len(order)} techniques{each}")
        except KeyboardInterrupt:
            interrupted = True
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
        "complete": not interrupted,
        "techniques": records,
    }
    present(records, columns, as_json, document)
    if not as_json:
        description = f"interrupted after {len(runs)} of {rounds * len(order)} counts: " if interrupted else ""
        out.print(f"\n{description}medians of {rounds} rounds in turns; the ratios are medians of each round's own")
    if wrong:
        raise click.ClickException(f"counts that differ from {reference.name}'s: {', '.join(wrong)}")
    if interrupted:
        sys.exit(INTERRUPTED)


def against(board: "Board", depth: int, engine: str, t: "Technique | None", as_json: bool) -> None:
    """Walk down to the first position where an engine disagrees about the legal moves."""
    from rookery.counting.comparison import WHY, first_difference

    fen, reached = board.fen(en_passant="fen"), ""

    def show(what: str) -> None:
        nonlocal reached
        reached = what
        status.update(plain(f"asking {engine}: {what}"))

    try:
        with compilation_shown(), err.status(plain(f"asking {engine}")) as status:
            found = first_difference(board, depth, engine, t, progress=show)
    except KeyboardInterrupt:
        if as_json:
            print_json({"fen": fen, "depth": depth, "engine": engine, "complete": False, "reached": reached})
        else:
            out.print(plain(f"interrupted at {reached or 'the first question'}: not compared to the end"))
        sys.exit(INTERRUPTED)
    if as_json:
        difference = found and found._asdict()
        answer = {"fen": fen, "depth": depth, "engine": engine, "complete": True, "difference": difference}
        print_json(answer)
    elif not found:
        out.print(plain(f"{engine} agrees on every move of the position, {depth} plies deep."))
    else:
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
        lines += [f"suspect: {found.suspect}: {WHY[found.suspect]}", "ask it again:"]
        lines += [f"  {command}" for command in found.commands]
        out.print(plain("\n".join(lines)))
    if found:
        sys.exit(1)


@click.command()
@click.argument("position")
@click.option(
    "--captures", is_flag=True, help="List captures and promotions, most valuable victims first, with their exchanges."
)
@as_json_option
def moves(position: str, captures: bool, as_json: bool) -> None:
    """List the legal moves of a position (a FEN, or a name as for perft)."""
    from rookery.counting.walk import as_board

    board = as_board(position)
    listed = board.generate_captures() if captures else board.generate_legal_moves()
    if as_json:
        print_json(
            {
                "fen": board.fen(),
                "moves": [
                    {
                        "uci": board.uci(move),
                        "san": board.san(move),
                        "word": int(move),
                        **({"see": board.see(move)} if captures else {}),
                    }
                    for move in listed
                ],
            }
        )
        return
    for move in listed:
        out.print(f"{board.uci(move):6}{board.san(move):8}", end="")
        out.print(f" see {board.see(move):+d}" if captures else "", markup=False)
    kind = "captures and promotions" if captures else "legal moves"
    out.print(f"\n{len(listed)} {kind}")


@click.command()
@click.argument("text")
@as_json_option
def fen(text: str, as_json: bool) -> None:
    """Validate a FEN: explain every fault, or draw the board."""
    from rookery.board.board import Board
    from rookery.board.fen_faults import every_fault
    from rookery.counting.walk import POSITIONS

    text = POSITIONS.get(text, text)
    faults = every_fault(text)
    if as_json:
        print_json({"fen": text, "valid": not faults, "faults": faults})
    elif faults:
        for fault in faults:
            out.print(fault, markup=False)
    else:
        board = Board(text)
        for line in with_coordinates(str(board)):
            out.print(line, markup=False)
        check = ", in check" if board.is_check() else ""
        kind = "Chess960, " if board.chess960 else ""
        out.print(f"\n{kind}{'white' if board.turn else 'black'} to move{check}, {len(board.legal_moves)} legal moves")
        out.print(board.fen(), markup=False)
    if faults:
        sys.exit(1)
