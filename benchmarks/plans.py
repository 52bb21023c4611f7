"""Time how fast plans make tables, and compare what they write with python-chess on a sample of the games.

``python benchmarks/plans.py`` writes random games with clocks as PGN and as Parquet, and runs the plan of the columns
fen, key, move, clock and eval with one filter, in one thread, to Parquet and to memory. Rows per second are those of
CPU seconds. The last rows say what each column adds: where the time goes.
"""

import io
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import chess.pgn
import click
import pyarrow.parquet as pq

import rookery
from recording import out_option, record
from rookery.bench.games import game_text
from rookery.bench.machine import describe

QUERY: Final = "ply > 16"
COLUMNS: Final = ("fen", "key", "move", "clock", "eval")
SAMPLE: Final = 20  # games that python-chess reads, too


def measure(
    games: int = 24_000, rounds: int = 3, progress: Callable[[str], None] = lambda what: None
) -> dict[str, Any]:
    """Time plans over random games."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        rng = random.Random(1)
        texts = [game_text(rng, clocks=True) for _ in range(games)]
        (place / "games.pgn").write_text("\n\n".join(texts) + "\n")
        rookery.pgn_to_parquet(place / "games.pgn", place / "games.parquet")
        rows = []
        for source in ("games.pgn", "games.parquet"):
            for columns in (COLUMNS, *((column,) for column in COLUMNS)):
                for sink in ("parquet", "memory"):
                    progress(f"{source}: {', '.join(columns)} to {sink}")
                    rows.append(_timed(place / source, columns, sink, rounds, texts[:SAMPLE]))
    load = round(os.getloadavg()[1], 1)  # of five minutes
    about = {"machine": describe(), "load": load, "games": games, "query": QUERY}
    return {"benchmark": "plans", "command": "python benchmarks/plans.py", **about, "rows": rows}


def _timed(source: Path, columns: tuple[str, ...], sink: str, rounds: int, texts: list[str]) -> dict[str, Any]:
    """Run a plan several times, and check its first rows."""
    plan = rookery.scan(source).positions(QUERY).select(*columns)
    out = source.with_name("out.parquet")
    seconds = []
    number = 0
    for _ in range(rounds + 1):  # the first one compiles
        start = time.process_time()
        in_memory = sink == "memory"
        number = sum(batch.num_rows for batch in plan.batches()) if in_memory else plan.write_parquet(out).rows
        seconds.append(time.process_time() - start)
    if sink == "parquet":
        _check(pq.read_table(out), columns, texts)
    return {
        "source": source.name,
        "columns": list(columns),
        "sink": sink,
        "rows": number,
        "million_rows_a_cpu_second": round(number / statistics.median(seconds[1:]) / 1e6, 2),
    }


def _check(table: Any, columns: tuple[str, ...], texts: list[str]) -> None:
    """Compare the rows of the first games with those of python-chess."""
    right = [row for text in texts for row in _rows_of(text)]
    for name in set(columns) & {"fen", "move", "clock", "eval"}:
        found = table[name].slice(0, len(right)).to_pylist()
        if found != [row[name] for row in right]:
            raise AssertionError(f"{name}: differs from python-chess")


def _rows_of(text: str) -> list[dict[str, Any]]:
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    nodes = list(game.mainline())
    clocks: dict[bool, float | None] = {True: None, False: None}
    rows = []
    for ply, node in enumerate([game, *nodes]):
        board = node.board()
        if ply:
            clocks[not board.turn] = node.clock()
        if ply > 16:
            following = nodes[ply].move.uci() if ply < len(nodes) else None
            rows.append({"fen": board.fen(), "move": following, "clock": clocks[board.turn], "eval": None})
    return rows


@click.command()
@click.option("--games", type=click.IntRange(1), default=24_000, show_default=True)
@click.option("--rounds", type=click.IntRange(1), default=3, show_default=True)
@out_option
def main(games: int, rounds: int, out: Path | None) -> None:
    """Time plans over files of games."""
    record(measure, out, games=games, rounds=rounds)


if __name__ == "__main__":
    main()
