"""``rookery bench``."""

import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import click
from rich.markup import escape

from rookery.cli.common import INTERRUPTED, err, out, print_json, rate, write_file
from rookery.cli.options import as_json_option, out_option, writes_files
from rookery.cli.tables import Column, Row, number, present, tables_size, times_bound, use_columns
from rookery.kernel.settings import need_compiler
from rookery.sources import files


def _out_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options --out and --force."""
    return out_option("Also write the JSON to a file.")(writes_files(command))


@click.group()
def bench() -> None:
    """Run benchmarks. Competitors are timed in turns, in the same run."""


@bench.command("attacks")
@click.argument("names", nargs=-1)
@click.option("--positions", type=click.IntRange(1), default=8192, show_default=True)
@click.option("--rounds", type=click.IntRange(1), default=25, show_default=True)
@_out_option
@click.option("--registers", is_flag=True, help="Also compile for reading, and count vector registers.")
@click.option("--columns", "uses", help="Uses to time instead, separated by commas, or `all`: see below.")
@click.option("--against", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Compare with a file.")
@as_json_option
def bench_attacks(
    names: tuple[str, ...],
    positions: int,
    rounds: int,
    path: Path | None,
    registers: bool,
    uses: str | None,
    against: Path | None,
    as_json: bool,
) -> None:
    """Time queen attacks over arrays, for all techniques or those NAMEd. Every answer is checked.

    With --columns other uses are timed: arrays, calls (one look-up after another in compiled code), latency (each waits
    for the last), busy (other data is read in between), half, quarter and eighth (densities of boards), games, sliders
    (all of a board), all-squares, harness (the loop of Chess_Movegen) and perft. --against compares with the JSON that
    --columns and --out wrote earlier, and names what has changed beyond the spread of the rounds.

    "x bound" is the measured time as a multiple of the least time that the machine code allows, and what sets that: the
    instructions (issue), loads, vector or multiply units, or the chain of results that wait for each other.
    """
    need_compiler("rookery bench attacks")
    from rookery.bench.attacks import measure, vector_registers
    from rookery.bench.uses import bounds
    from rookery.techniques import ALL, technique

    chosen = [technique(name) for name in dict.fromkeys(names)] or list(ALL)
    if uses or against:
        _bench_uses(chosen, uses, against, rounds, path, as_json)
        return
    with err.status("measuring") as status:
        result = measure(chosen, positions=positions, rounds=rounds, progress=status.update)
        if result["complete"]:
            result |= bounds.machine()
            for row in result["techniques"]:
                status.update(f"reading the machine code of {row['name']}")
                t, ns = technique(row["name"]), 1e3 / row["million_queens_a_second"]
                row["bound"] = bounds.of_figure(t, "arrays", ns, result["clock_ghz"])
                if registers:
                    row["registers"] = vector_registers(t)
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
    columns = [
        Column("technique", "{name}"),
        number("M queens/s", "{million_queens_a_second:.0f}"),
        number("to pext", "{ratio_to_pext:.2f}"),
        number("one call, us", "{one_call_us:.2f}"),
        number("tables", tables_size),
    ]
    if result["complete"]:
        columns.append(number("x bound", lambda row: times_bound(row["bound"])))
    if registers and result["complete"]:
        columns += [number(name, f"{{registers[{name}]}}") for name in ("zmm", "ymm", "gathers")]
    present(result["techniques"], columns)
    if not result["complete"]:
        sys.exit(INTERRUPTED)


def _bench_uses(
    chosen: list[Any], columns: str | None, against: Path | None, rounds: int, path: Path | None, as_json: bool
) -> None:
    """Time techniques in several uses, and compare them with an earlier measurement."""
    from rookery.bench.uses.bounds import explain
    from rookery.bench.uses.columns import COLUMNS
    from rookery.bench.uses.measuring import changed, measure, noise_warnings

    before = _measured(against) if against else None
    wanted = columns or ",".join(before["columns"] if before else ())
    names = list(COLUMNS) if wanted == "all" else [name.strip() for name in wanted.split(",")]
    with err.status("measuring") as status:
        result = measure(chosen, names, rounds=rounds, progress=status.update)
        explain(result, status.update)
    if before:
        result["changed"] = changed(result, before)
    if not _emit(result, path, as_json):
        for name, what in result["columns"].items():
            out.print(f"{name:12} {what}", markup=False, highlight=False)
        figures = [column for name in names for column in use_columns(name)]
        present(result["techniques"], [Column("technique", "{name}"), *figures])
        if before:
            out.print("Changed beyond the spread of the rounds:" if result["changed"] else "Nothing has changed.")
            for row in result["changed"]:
                text = f"{row['technique']}, {row['column']}: {row['before']:.2f} to {row['now']:.2f} of pext"
                out.print(text, markup=False, highlight=False)
    for warning in noise_warnings(result):
        err.print(f"warning: {warning}", markup=False, highlight=False)


def _measured(path: Path) -> dict[str, Any]:
    """Read a measurement that ``--columns`` and ``--out`` wrote."""
    content = files.read("--against", path) or b""
    try:
        found = json.loads(content)
    except ValueError as error:
        raise ValueError(f"--against: {path}: not JSON: {error}") from None
    if not isinstance(found, dict) or found.get("benchmark") != "uses":
        raise ValueError(f"--against: {path}: expected the output of `rookery bench attacks --columns`")
    return found


@bench.command("perft")
@click.option("--peers", is_flag=True, help="Compare with the installed peers: pip install bulletchess chess chessmg.")
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
        raise ValueError("no peer is installed: pip install bulletchess chess chessmg")
    if _emit(result, path, as_json):
        return
    present(result["rows"], _COMPARISON)


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
        present(result["rows"], _COMPARISON)


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
    need_compiler("rookery bench lanes")
    from rookery.bench.lanes import measure

    with _rows_kept(as_json), err.status("measuring") as status:
        result = measure(positions=positions, rounds=rounds, quick=quick, progress=status.update)
    if _emit(result, path, as_json):
        return
    present(result["rows"], _COMPARISON)
    out.print("\nplanes and policy masks: the ratio is our time to that of filling the same array")


@bench.command("query")
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--plies", type=click.IntRange(1), default=1_000_000, show_default=True, help="Half-moves of games without FILE."
)
@click.option("--rounds", type=click.IntRange(1), default=5, show_default=True)
@_out_option
@as_json_option
def bench_query(file: Path | None, plies: int, rounds: int, path: Path | None, as_json: bool) -> None:
    """Time searches of the games in a FILE of PGN, or of games that a simple player plays. Every answer is checked."""
    from rookery.bench.query import measure

    with _rows_kept(as_json), err.status("measuring") as status:
        result = measure(file=file, plies=plies, rounds=rounds, progress=status.update)
    if _emit(result, path, as_json):
        return
    present(result["rows"], _COMPARISON)
    out.print("\nthe first answer to a new question, ms beyond the time for the data")
    present(
        result["first_answers"], [Column("", lambda row: escape(row["query"])), number("ms", "{beyond_data_ms:.2f}")]
    )
    out.print(f"\nthe gallery, over {result['plies']:,} positions")
    columns = [Column("", "{name}"), number("hits", "{hits:,}"), number("seconds", "{seconds:.3f}")]
    present(result["gallery"], columns)


@contextlib.contextmanager
def _rows_kept(as_json: bool) -> Iterator[None]:
    """Print the complete rows on Ctrl-C. They are not written to a file, which holds all rows."""
    from rookery.bench.turns import Interrupted

    try:
        yield
    except Interrupted as interrupted:
        if as_json or interrupted.rows:
            present(interrupted.rows, _COMPARISON, as_json, {"complete": False, "rows": interrupted.rows})
        if not as_json:
            out.print(f"interrupted: {interrupted}")
        sys.exit(INTERRUPTED)


def _emit(result: dict[str, Any], path: Path | None, as_json: bool) -> bool:
    """Write a result to a file and print it as JSON, as requested. Return whether it was printed."""
    if path:
        write_file("--out", path, json.dumps(result, indent=2) + "\n")
    if as_json:
        print_json(result)
    return as_json


def _peer(row: Row) -> str:
    work = row.get("their_work")
    return f"{row['peer']}, {work}" if work else row.get("peer", "")


_COMPARISON: Final = (
    Column("", "{what}"),
    Column("peer", _peer),
    number("here", lambda row: rate(row["ours_per_second"], row["unit"])),
    number("there", lambda row: rate(row["theirs_per_second"], row["unit"]) if row.get("peer") else ""),
    number("ratio", lambda row: f"{row['ratio']:.2f}" if row.get("peer") else ""),
)
