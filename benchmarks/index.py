"""Time how fast games are indexed and positions are looked up, and compare the counts with those of a scan.

``python benchmarks/index.py`` makes games: the beginning of a game of a sample, then random moves, so that positions
meet as in real games and all games differ. It writes them with clocks, as Lichess does, indexes them, and looks up the
start position, positions of the sample, and random ones. Times of the making are CPU times, so that a busy machine and
its disk change them little; look-ups are timed by the clock, warm, also by the CPU, and cold: the system is told to
forget the files.
"""

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import click
import numpy as np
from numpy.typing import NDArray

from recording import out_option, record
from rookery import Board, GameIndex, Games, Positions, index_games, open_index, read_pgn, scan_pgn, write_pgn
from rookery.bench.machine import describe
from rookery.frames.arrow import pyarrow_module

SAMPLE: Final = Path(__file__).parent.parent / "docs" / "lichess-2025-05.pgn.zst"
COPIED: Final = ("Event", "date", "UTCDate", "Result", "ECO", "Opening", "TimeControl", "Termination")
BLOCK: Final = 10_000  # games made at once
MOST_PLIES: Final = 160
REPEATS: Final = 5  # look-ups of a position


def made_games(n: int) -> Iterator[Games]:
    """Yield `n` games in blocks: beginnings of games of the sample, and random moves."""
    sample = read_pgn(SAMPLE)
    for first in range(0, n, BLOCK):
        yield _made(min(BLOCK, n - first), np.random.default_rng(first), sample)


def _made(n: int, rng: np.random.Generator, sample: Games) -> Games:
    pa, moves = pyarrow_module(), sample.moves
    of = rng.integers(0, len(sample), n)
    plies = sample.plies[of].astype(np.int64)
    kept = (rng.random(n) ** 2 * np.minimum(plies, 40)).astype(np.int64)  # many leave early
    firsts = np.cumsum(sample.plies + 1) - sample.plies - 1
    starts = Positions(sample.positions("all")[firsts[of] + kept].columns)
    drawn = starts.rollouts(int(rng.integers(1 << 62)), max_plies=MOST_PLIES, moves=True).moves
    assert drawn is not None
    lengths = kept + np.minimum(np.diff(drawn.offsets), plies - kept)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    game = np.repeat(np.arange(n), lengths)
    ply = np.arange(offsets[-1]) - offsets[game]
    old = moves.moves[np.minimum(moves.offsets[of[game]] + ply, moves.moves.size - 1)]
    new = drawn.moves[np.clip(drawn.offsets[game] + ply - kept[game], 0, drawn.moves.size - 1)]
    table = sample.to_arrow().take(pa.array(of))
    clocks = np.clip(300 - 2 * ply - rng.integers(0, 3, ply.size), 0, None)

    def lists(values: NDArray[Any]) -> Any:
        return pa.ListArray.from_arrays(pa.array(offsets.astype(np.int32)), pa.array(values))

    columns = {name: table[name] for name in COPIED}
    columns |= {name: pa.array(rng.normal(1600, 350, n).clip(600, 3200).astype(np.int16)) for name in _ELO}
    columns |= {name: pa.array([f"player{i}" for i in rng.integers(0, 100_000, n).tolist()]) for name in _PLAYERS}
    columns |= {"Site": pa.array([f"https://lichess.org/{i:08x}" for i in rng.integers(0, 1 << 32, n).tolist()])}
    columns |= {"moves": lists(np.where(ply < kept[game], old, new)), "clocks": lists(clocks.astype(np.float32))}
    return Games.from_arrow(pa.table(columns))


_ELO: Final = ("WhiteElo", "BlackElo")
_PLAYERS: Final = ("White", "Black")


def measure(
    games: int = 200_000,
    positions: int = 100,
    folder: Path | None = None,
    progress: Callable[[str], None] = lambda what: None,
) -> dict[str, Any]:
    """Time the making of an index and look-ups."""
    if games < 1 or positions < 1:
        raise ValueError(f"games: {games}, positions: {positions}: expected at least 1")
    with tempfile.TemporaryDirectory(dir=folder) as name:
        pgn, target = Path(name) / "games.pgn", Path(name) / "index"
        progress("writing games")
        write_pgn(made_games(games), pgn)
        index_games(SAMPLE, Path(name) / "first")  # compiles
        progress("indexing")
        start, wall = time.process_time(), time.perf_counter()
        index = index_games(pgn, target)
        seconds, wall = time.process_time() - start, time.perf_counter() - wall
        boards = _boards(index, positions)
        progress("comparing")
        _check(index, pgn, boards)
        progress("looking up")
        warm = [_seconds(index, board) for board in boards for _ in range(REPEATS)]
        of_cpu = [_seconds(index, board, time.process_time) for board in boards for _ in range(REPEATS)]
        cold = [_cold(target, board) for board in boards]
        size, plies = pgn.stat().st_size, len(index)
        tables = sum(path.stat().st_size for path in target.glob("games-*"))
        return {
            "benchmark": "index",
            "command": "python benchmarks/index.py",
            "machine": describe(),
            "games": index.games,
            "positions": plies,
            "bytes_of_pgn": size,
            "megabytes_a_second": round(size / seconds / 1e6, 1),
            "cpu_seconds": round(seconds, 1),
            "wall_seconds": round(wall, 1),
            "bytes_a_position": round(index.nbytes / plies, 2),
            "bytes_a_position_of_games": round(tables / plies, 2),
            "looked_up": len(boards),
            "warm_ms": _milliseconds(warm),
            "warm_cpu_ms": _milliseconds(of_cpu),
            "cold_ms": _milliseconds(cold),
        }


def _milliseconds(seconds: list[float]) -> dict[str, float]:
    ordered = sorted(seconds)
    most = ordered[int(0.99 * (len(ordered) - 1))]
    return {"median": round(1e3 * statistics.median(seconds), 2), "99 %": round(1e3 * most, 2)}


def _boards(index: GameIndex, n: int) -> list[Board]:
    """Return the start position, positions of a game of the sample, and random ones of the index."""
    rng = np.random.default_rng(0)
    first = read_pgn(SAMPLE)[:1].positions("all")
    boards = [first[i] for i in range(min(len(first), 20))]
    some = index.read_games(np.sort(rng.integers(0, index.games, 50))).positions("all")
    boards += [some[int(i)] for i in rng.integers(0, len(some), n)]
    return [board for board in boards if board in index]


def _check(index: GameIndex, pgn: Path, boards: list[Board]) -> None:
    """Compare the counts of positions, of their moves and of their hits with those of a scan of the games."""
    keys = np.unique(np.array([board.key for board in boards], np.uint64))
    hits, games, moves = (np.zeros(keys.size, np.int64) for _ in range(3))
    with scan_pgn(pgn, clocks=False, comments=False) as scan:
        for batch in scan:
            for block in batch.position_blocks(1 << 16, when="all"):
                found = block.keys()
                place = np.minimum(np.searchsorted(keys, found), keys.size - 1)
                rows = np.flatnonzero(keys[place] == found)
                place, game = place[rows], block.game[rows]
                hits += np.bincount(place, minlength=keys.size)
                games += np.bincount(np.unique(np.stack([place, game]), axis=1)[0], minlength=keys.size)
                last = block.ply[rows] == batch.plies[game]
                played = np.stack([place, game, block.played_moves()[rows]])[:, ~last]
                moves += np.bincount(np.unique(played, axis=1)[0], minlength=keys.size)
    for board in boards:
        position, i = index.at(board), int(np.searchsorted(keys, np.uint64(board.key)))
        expected = (int(hits[i]), int(games[i]), int(moves[i]), min(int(hits[i]), 1000))
        found_counts = (position.hit_count, position.games, sum(move.games for move in position.moves))
        if (*found_counts, len(position.hits)) != expected:
            raise AssertionError(f"{board.fen()}: {found_counts}: expected {expected}")


def _seconds(index: GameIndex, board: Board, clock: Callable[[], float] = time.perf_counter) -> float:
    """Return how long a look-up takes: the counts of the position and of its moves, and the first 1,000 hits."""
    start = clock()
    position = index.at(board)
    assert sum(move.games for move in position.moves) <= position.hit_count >= len(position.hits)
    return clock() - start


def _cold(folder: Path, board: Board) -> float:
    """Return how long a look-up takes if the index has just been opened, and nothing of it is in memory."""
    index = open_index(folder)
    for path in folder.iterdir():
        descriptor = os.open(path, os.O_RDONLY)
        os.fsync(descriptor)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(descriptor)
    return _seconds(index, board)


@click.command()
@click.option("--games", default=200_000, show_default=True, type=click.IntRange(1), help="Games to index.")
@click.option(
    "--positions", default=100, show_default=True, type=click.IntRange(1), help="Random positions to look up."
)
@click.option("--folder", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Where to write them.")
@out_option
def main(games: int, positions: int, folder: Path | None, out: Path | None) -> None:
    """Time how fast games are indexed and positions are looked up."""
    record(measure, out, games=games, positions=positions, folder=folder)


if __name__ == "__main__":
    main()
