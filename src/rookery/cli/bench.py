"""``rookery bench``."""

import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from rookery.cli.common import (
    INTERRUPTED,
    OutputFile,
    Table,
    as_json_option,
    err,
    out,
    print_json,
    rate,
    size,
    write_file,
    writes_files,
)


def _out_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options --out and --force."""
    option = click.option("--out", "path", type=OutputFile(), help="Also write the JSON to a file.")
    return option(writes_files(command))


@click.group()
def bench() -> None:
    """Run benchmarks. Competitors are timed in turns, in the same run."""


@bench.command("attacks")
@click.argument("names", nargs=-1)
@click.option("--positions", type=click.IntRange(1), default=8192, show_default=True)
@click.option("--rounds", type=click.IntRange(1), default=25, show_default=True)
@_out_option
@click.option("--registers", is_flag=True, help="Also compile for reading, and count vector registers.")
@as_json_option
def bench_attacks(
    names: tuple[str, ...], positions: int, rounds: int, path: Path | None, registers: bool, as_json: bool
) -> None:
    """Time queen attacks over arrays, for all techniques or those NAMEd. Every answer is checked."""
    from rookery.bench.attacks import measure, vector_registers
    from rookery.techniques import ALL, technique

    chosen = [technique(name) for name in dict.fromkeys(names)] or list(ALL)
    with err.status("measuring") as status:
        result = measure(chosen, positions=positions, rounds=rounds, progress=status.update)
        if registers and result["complete"]:
            for row in result["techniques"]:
                status.update(f"reading the machine code of {row['name']}")
                row["registers"] = vector_registers(technique(row["name"]))
    if not result["complete"]:
        path = None  # a file holds only what was requested
    if _emit(result, path, as_json):
        sys.exit(0 if result["complete"] else INTERRUPTED)
    machine = result["machine"]
    of = "" if result["complete"] else f" of {rounds}: interrupted"
    out.print(
        f"{machine['cpu']} ({machine['llvm_cpu']}, {machine['vectors']}), {positions:,} positions, "
        f"{result['rounds']} rounds{of}\n",
        markup=False,
    )
    table = Table("technique")
    for heading in (
        "M queens/s",
        "to pext",
        "one call, us",
        "tables",
        *(["zmm", "ymm", "gathers"] * (registers and result["complete"])),
    ):
        table.add_column(heading, justify="right")
    for row in result["techniques"]:
        table.add_row(
            row["name"],
            f"{row['million_queens_a_second']:.0f}",
            f"{row['ratio_to_pext']:.2f}",
            f"{row['one_call_us']:.2f}",
            size(row["table_bytes"]) if row["table_bytes"] else "none",
            *(str(n) for n in row.get("registers", {}).values()),
        )
    out.print(table)
    if not result["complete"]:
        sys.exit(INTERRUPTED)


@bench.command("perft")
@click.option("--peers", is_flag=True, help="Compare with the installed peers: pip install 'rookery[peers]'.")
@click.option("--rounds", type=click.IntRange(1), default=5, show_default=True)
@_out_option
@as_json_option
def bench_perft(peers: bool, rounds: int, path: Path | None, as_json: bool) -> None:
    """Time perft, legal moves and FEN parsing, and compare with other Python libraries.

    Every answer is checked.
    """
    from rookery.bench.perft import measure

    if not peers:
        raise ValueError("perft is compared with peers: add --peers")
    with _rows_kept(as_json), err.status("measuring") as status:
        result = measure(rounds=rounds, progress=status.update)
    if not result["rows"]:
        raise ValueError("no peer is installed: pip install 'rookery[peers]'")
    if _emit(result, path, as_json):
        return
    out.print(_comparison(result["rows"]))


@bench.command("board")
@click.option("--rounds", type=click.IntRange(1), default=9, show_default=True)
@_out_option
@as_json_option
def bench_board(rounds: int, path: Path | None, as_json: bool) -> None:
    """Time every common method of Board, and compare with python-chess. Every answer is checked."""
    from rookery.bench.board import measure

    with err.status("measuring") as status:
        result = measure(rounds=rounds, progress=status.update)
    if not result["rows"]:
        raise ValueError("python-chess is not installed: pip install 'rookery[peers]'")
    if not _emit(result, path, as_json):
        out.print(_comparison(result["rows"]))


@bench.command("games")
@click.option(
    "--megabytes", type=click.IntRange(1), default=50, show_default=True, help="Megabytes of text in each row."
)
@click.option("--rounds", type=click.IntRange(1), default=7, show_default=True)
@_out_option
@as_json_option
def bench_games(megabytes: int, rounds: int, path: Path | None, as_json: bool) -> None:
    """Time reading games, and compare with the installed peers. Every answer is checked."""
    from rookery.bench.games import measure

    with _rows_kept(as_json), err.status("measuring") as status:
        result = measure(megabytes=megabytes, rounds=rounds, progress=status.update)
    if not _emit(result, path, as_json):
        out.print(_comparison(result["rows"]))


@bench.command("lanes")
@click.option(
    "--positions", type=click.IntRange(1), default=4096, show_default=True, help="Positions of random games in a block."
)
@click.option("--rounds", type=click.IntRange(1), default=15, show_default=True, help="Rounds; at most 5 for perft.")
@click.option("--quick", is_flag=True, help="Skip perft in threads and with a hash table, which takes minutes.")
@_out_option
@as_json_option
def bench_lanes(positions: int, rounds: int, quick: bool, path: Path | None, as_json: bool) -> None:
    """Time whole arrays of positions, and compare with the installed peers. Every answer is checked."""
    from rookery.bench.lanes import measure

    with _rows_kept(as_json), err.status("measuring") as status:
        result = measure(positions=positions, rounds=rounds, quick=quick, progress=status.update)
    if _emit(result, path, as_json):
        return
    out.print(_comparison(result["rows"]))
    out.print("\nplanes and policy masks: the ratio is our time to that of filling the same array")


@bench.command("start")
@click.option("--rounds", type=click.IntRange(1), default=3, show_default=True)
@click.option(
    "--other",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Also time another checkout, in turns: the folder that holds its package, like ../before/src.",
)
@_out_option
@as_json_option
def bench_start(rounds: int, other: Path | None, path: Path | None, as_json: bool) -> None:
    """Time new processes to their first answer, with an empty compile cache and with a full one."""
    from rookery.bench.start import measure

    with err.status("measuring") as status:
        result = measure(rounds=rounds, other=other, progress=status.update)
    if _emit(result, path, as_json):
        return
    table = Table("first answer", "compile cache")
    for heading in ("seconds", "of CPU", *(["other, seconds", "of CPU", "ratio of CPU"] if other else [])):
        table.add_column(heading, justify="right")
    for row in result["rows"]:
        columns = ["seconds", "cpu_seconds", *(["other_seconds", "other_cpu_seconds", "cpu_ratio"] if other else [])]
        table.add_row(row["what"], row["cache"], *(f"{row[column]:.2f}" for column in columns))
    out.print(table)


@bench.command("magics")
@click.option(
    "--seeds", type=click.IntRange(1), default=200, show_default=True, help="Seeds; each finds all 128 factors."
)
@click.option("--rounds", type=click.IntRange(1), default=5, show_default=True, help="Rounds of each proof.")
@_out_option
@as_json_option
def bench_magics(seeds: int, rounds: int, path: Path | None, as_json: bool) -> None:
    """Time finding and proving magic factors, and measure their tables. Every answer is checked."""
    from rookery.bench.magics import measure

    with err.status("measuring") as status:
        result = measure(seeds=seeds, rounds=rounds, progress=status.update)
    if _emit(result, path, as_json):
        return
    table = Table(f"all factors, {seeds} seeds")
    for heading in ("median, ms", "worst, ms"):
        table.add_column(heading, justify="right")
    for row in result["find"]:
        table.add_row(row["form"], f"{row['median_ms']:.2f}", f"{row['worst_ms']:.2f}")
    out.print(table)
    out.print()
    table = Table("is one index bit less possible?", "answer")
    for heading in ("threads", "seconds", "nodes", "M nodes/s"):
        table.add_column(heading, justify="right")
    for row in result["proofs"]:
        table.add_row(
            row["what"],
            f"{row['factors']} yes, {row['none']} no",
            str(row["threads"]),
            f"{row['seconds']:.3f}",
            f"{row['nodes']:,}",
            f"{row['nodes_per_second'] / 1e6:.1f}",
        )
    out.print(table)
    out.print()
    table = Table("technique")
    for heading in ("entries", "bytes"):
        table.add_column(heading, justify="right")
    for row in result["tables"]:
        table.add_row(row["name"], f"{row['entries']:,}", f"{row['bytes']:,}")
    out.print(table)


@contextlib.contextmanager
def _rows_kept(as_json: bool) -> Iterator[None]:
    """Print the complete rows on Ctrl-C. They are not written to a file, which holds all rows."""
    from rookery.bench.turns import Interrupted

    try:
        yield
    except Interrupted as interrupted:
        if as_json:
            print_json({"complete": False, "rows": interrupted.rows})
        else:
            if interrupted.rows:
                out.print(_comparison(interrupted.rows))
            out.print(f"interrupted: {interrupted}")
        sys.exit(INTERRUPTED)


def _emit(result: dict[str, Any], path: Path | None, as_json: bool) -> bool:
    """Write a result to a file and print it as JSON, as requested. Return whether it was printed."""
    if path:
        write_file("--out", path, json.dumps(result, indent=2) + "\n")
    if as_json:
        print_json(result)
    return as_json


def _comparison(rows: list[dict[str, Any]]) -> Table:
    table = Table("", "peer")
    for heading in ("here", "there", "ratio"):
        table.add_column(heading, justify="right")
    for row in rows:
        peer, there, ratio = row.get("peer", ""), "", ""
        if peer:
            there, ratio = rate(row["theirs_per_second"], row["unit"]), f"{row['ratio']:.2f}"
        if row.get("their_work"):
            peer = f"{peer}, {row['their_work']}"
        table.add_row(row["what"], peer, rate(row["ours_per_second"], row["unit"]), there, ratio)
    return table
