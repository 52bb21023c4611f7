"""Files of positions with their counts: checked here, or by an engine."""

import sys
from typing import TYPE_CHECKING, Any

from rookery.cli.common import out, plain, print_json
from rookery.cli.positions.perft.tables import difference_text
from rookery.cli.runner import Run, compilation_shown, progress_bar
from rookery.cli.tables import Column, number, present

if TYPE_CHECKING:
    from rookery.techniques.base import Technique


def check_suite(
    path: str,
    depth: int | None,
    technique: str | None,
    threads: int,
    hash_mb: int,
    executor: str | None,
    as_json: bool,
) -> None:
    """Check the counts of a suite, and print those that differ."""
    from rookery.counting.suite import SuiteCount, perft_suite, read_suite
    from rookery.counting.workers import warm_up

    positions = read_suite(path, depth)
    total = sum(len(position.counts) for position in positions)
    with compilation_shown():
        warm_up()  # so that the clock does not time the compiler
    found: list[SuiteCount] = []
    nodes, run = 0, Run(as_json)
    options: dict[str, Any] = {"technique": technique, "threads": threads, "hash_mb": hash_mb, "executor": executor}
    with run, progress_bar("counting", total, counts=True) as bar:
        for count in perft_suite(path, depth, **options):
            found.append(count)
            nodes += count.nodes
            bar.update(f"{nodes:,} nodes, counts", len(found))
    wrong = sorted(count for count in found if not count.is_right)
    document = {
        "file": path,
        "positions": len(positions),
        "counts": len(found),
        "nodes": nodes,
        "differences": [count._asdict() for count in wrong],
        "seconds": run.seconds,
        "complete": not run.interrupted,
    }
    if as_json:
        print_json(document)
    else:
        if wrong:
            columns = (
                number("line"),
                Column("fen"),
                number("depth"),
                number("expected", "{expected:,}"),
                number("counted", "{nodes:,}"),
            )
            present([count._asdict() for count in wrong], columns)
        so_far = f" of {total:,} so far: interrupted" if run.interrupted else ""
        differ = f"{len(wrong):,} differ" if wrong else "all as expected"
        out.print(
            f"{len(positions):,} positions, {len(found):,} counts{so_far}, {differ}, {nodes:,} nodes, "
            f"{run.seconds:.2f} s, {nodes / max(run.seconds, 1e-9) / 1e6:,.0f} M nodes/s"
        )
    run.end()
    if wrong:
        sys.exit(1)


def suite_against(path: str, depth: int | None, engine: str, t: "Technique | None", as_json: bool) -> None:
    """Compare an engine on each position of a suite, at the largest depth that has a count, and at most `depth`."""
    from rookery.board.board import Board
    from rookery.counting.engines.comparison import differences
    from rookery.counting.suite import read_suite

    positions = [position for position in read_suite(path, depth) if max(position.counts, default=0)]
    boards = [(Board(position.fen), max(position.counts)) for position in positions]
    rows: list[dict[str, Any]] = []
    with Run(as_json) as run, progress_bar(plain(f"asking {engine}").plain, len(boards), counts=True) as bar:
        for position, (_, plies), found in zip(positions, boards, differences(boards, engine, t), strict=True):
            rows.append({"line": position.line, "fen": position.fen, "depth": plies, "difference": found})
            bar.update(done=len(rows))
    wrong = [row for row in rows if row["difference"] is not None]
    if as_json:
        shown = [{**row, "difference": row["difference"] and row["difference"]._asdict()} for row in rows]
        document = {"file": path, "engine": engine, "positions": shown, "complete": not run.interrupted}
        print_json(document)
    else:
        for row in wrong:
            out.print(
                plain(f"line {row['line']}, depth {row['depth']}: {difference_text(engine, row['difference'])}\n")
            )
        so_far = f" of {len(boards):,} so far: interrupted" if run.interrupted else ""
        out.print(plain(f"{engine} agrees on {len(rows) - len(wrong):,} of {len(rows):,} positions{so_far}."))
    run.end()
    if wrong:
        sys.exit(1)
