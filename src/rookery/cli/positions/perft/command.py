"""``rookery perft``."""

from pathlib import Path

import click

from rookery.cli.options import as_json_option, executor_option, force_option, overwrites, threads_option
from rookery.cli.positions.perft.counts import count_distinct, count_on_lanes, print_count
from rookery.cli.positions.perft.suites import check_suite, suite_against
from rookery.cli.positions.perft.tables import against, compare_techniques, print_divided, print_statistics


@click.command()
@click.argument("position")
@click.argument("depth", type=int, required=False)
@click.option("--divide", "divided", is_flag=True, help="Count the leaves under each move of the position.")
@click.option("--stats", is_flag=True, help="Count captures, en passants, castles, promotions, checks and mates.")
@click.option("--technique", "name", help="Generate sliders' attacks by this technique, or compare 'all'.")
@click.option(
    "--rounds",
    type=click.IntRange(1),
    help="Rounds of '--technique all', in which all techniques take turns [default: 5].",
)
@click.option("--against", "engine", help="Compare with a UCI engine's 'go perft', down to the first difference.")
@threads_option()
@executor_option
@click.option("--hash", "hash_mb", type=int, default=0, help="The size of the hash table in megabytes.")
@click.option("--checkpoint", type=click.Path(dir_okay=False), help="Save the count in a file, and continue from it.")
@force_option("Start --checkpoint anew if it is damaged, or of other work.")
@click.option(
    "--distinct",
    metavar="PLIES",
    type=int,
    help="Count each of the distinct positions after so many plies once, for the largest depths. Needs --work.",
)
@click.option(
    "--work",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of --distinct: its positions, and a journal from which the count continues.",
)
@as_json_option
def perft(
    position: str,
    depth: int | None,
    divided: bool,
    stats: bool,
    name: str | None,
    rounds: int | None,
    engine: str | None,
    threads: int,
    executor: str | None,
    hash_mb: int,
    checkpoint: str | None,
    distinct: int | None,
    work: Path | None,
    as_json: bool,
) -> None:
    """Count the leaves of the tree of legal moves.

    POSITION is a FEN (Chess960 too), or one of start, kiwipete, position3 to position6. It may also be a file of
    positions with their counts, a line for each, such as 'FEN ;D1 20 ;D2 400': all counts up to DEPTH are checked. The
    exit status is 1 if any differs. With --against, the engine's counts of these positions are compared.
    """
    from rookery.arguments import shown
    from rookery.counting.checkpoint import read_checkpoint
    from rookery.counting.perft import check_megabytes
    from rookery.counting.walk import POSITIONS, as_board, check_depth, slices
    from rookery.techniques import technique

    check_megabytes(hash_mb)
    if position not in POSITIONS and Path(position).is_file():
        others: dict[str, object] = {
            "--divide": divided,
            "--stats": stats,
            "--rounds": rounds,
            "--checkpoint": checkpoint,
            "--technique all": name == "all",
            "--distinct": distinct is not None,
            "--work": work,
        }
        if refused := [option for option, value in others.items() if value]:
            raise ValueError(f"{refused[0]}: goes with one position, not with a file of them")
        _count_suite(position, depth, name, engine, threads, hash_mb, executor, as_json)
        return
    if depth is None:
        raise click.UsageError("Missing argument 'DEPTH'.")
    if checkpoint is not None:  # report it before the first board, which takes half a minute to compile
        read_checkpoint(checkpoint, force=overwrites(), depth=depth)
    if sum((divided, stats, name == "all", engine is not None, distinct is not None)) > 1:
        raise ValueError(
            "--divide, --stats, --technique all, --against and --distinct each print a table of their own: choose one"
        )
    if (distinct is None) != (work is None):
        raise ValueError("--distinct and --work: expected both or neither")
    if position not in POSITIONS and "/" not in position:
        names = ", ".join(POSITIONS)
        raise ValueError(
            f"position: {shown(position)}: expected a FEN, one of {names}, or a file of positions and counts"
        )
    board = as_board(position)
    check_depth(depth)
    if name == "all":
        compare_techniques(board, depth, rounds or 5, as_json)
        return
    if rounds is not None:
        raise ValueError("--rounds: goes with --technique all only")
    if distinct is not None and work is not None:
        if hash_mb or checkpoint is not None or name is not None:
            raise ValueError("--distinct: goes with --threads and --executor only")
        count_distinct(board, depth, distinct, work, threads, executor, as_json)
        return
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
        count_on_lanes(board, depth, {**options, "force": overwrites()}, as_json)


def _count_suite(
    path: str,
    depth: int | None,
    name: str | None,
    engine: str | None,
    threads: int,
    hash_mb: int,
    executor: str | None,
    as_json: bool,
) -> None:
    """Check the counts of a file of positions, or compare an engine on these."""
    from rookery.techniques import technique

    if engine is None:
        check_suite(path, depth, name, threads, hash_mb, executor, as_json)
    elif threads != 1 or hash_mb or executor is not None:
        raise ValueError("--threads, --executor and --hash: count without --against")
    else:
        suite_against(path, depth, engine, technique(name) if name else None, as_json)
