"""Compare the themes of Lichess' puzzles with the published ones, and time the tagging.

``python benchmarks/puzzle_themes.py PUZZLES`` reads CSV with the columns PuzzleId, FEN, Moves and Themes, plain or
packed. With ``--tagger FOLDER``, a folder that holds Lichess' own tagger (``cook.py``, ``util.py`` and ``model.py`` of
the repository ornicar/lichess-puzzler), that program tags each puzzle, too, in the same run. Times are CPU times of one
thread.
"""

import importlib
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click

from recording import out_option, record
from rookery.bench.machine import describe
from rookery.data.puzzles import THEMES, tag_puzzles
from rookery.data.puzzles.files import rows_of

# Not decided by the board and the line: by an engine, by the players, or by players' ratings.
LEFT_OUT: Final = frozenset("advantage crushing equality master masterVsMaster superGM zugzwang".split())
PUZZLES: Final = Path(__file__).resolve().parents[2] / "shared" / "data" / "puzzles.csv.xz"
_PHASES: Final = {"opening", "middlegame", "endgame"}  # which Lichess adds in another program


def differences(ids: list[str], ours: list[set[str]], published: list[set[str]]) -> list[dict[str, Any]]:
    """Return the puzzles whose themes differ, with the themes that only one side has."""
    return [
        {"puzzle": puzzle, "only_here": sorted(here - there), "only_published": sorted(there - here)}
        for puzzle, here, there in zip(ids, ours, published, strict=True)
        if here != there
    ]


def rows_by_theme(ours: list[set[str]], published: list[set[str]]) -> list[dict[str, Any]]:
    """Return how often each theme is on both sides, and on one only."""
    both, here, there = Counter[str](), Counter[str](), Counter[str]()
    for one, other in zip(ours, published, strict=True):
        both.update(one & other)
        here.update(one - other)
        there.update(other - one)
    return [
        {"theme": theme, "both": both[theme], "only_here": here[theme], "only_published": there[theme]}
        for theme in THEMES
    ]


def by_lichess(folder: Path, fens: list[str], moves: list[str]) -> tuple[float, list[set[str]]]:
    """Return the CPU seconds that Lichess' tagger took, and its themes."""
    import chess.pgn

    sys.path.insert(0, str(folder))
    cook, model = importlib.import_module("cook"), importlib.import_module("model")
    start, found = time.process_time(), []
    for fen, line in zip(fens, moves, strict=True):
        node: Any = chess.pgn.Game.from_board(chess.Board(fen))
        for text in line.split():
            node = node.add_main_variation(chess.Move.from_uci(text))
        found.append(set(cook.cook(model.Puzzle("", node.game(), 0))))
    return time.process_time() - start, found


def measure(
    *,
    puzzles: Path = PUZZLES,
    rounds: int = 7,
    tagger: Path | None = None,
    progress: Callable[[str], None] = lambda what: None,
) -> dict[str, Any]:
    """Tag all puzzles of a file, compare with its column Themes, and time the tagging on one thread."""
    if rounds < 1:
        raise ValueError(f"rounds: {rounds}: expected at least 1")
    ids, fens, moves, texts = [], [], [], list[str]()
    for rows in rows_of(puzzles, more=("Themes",)):
        ids += rows.ids
        fens += rows.fens
        moves += rows.moves
        texts += rows.more[0]
    published = [set(text.split()) - LEFT_OUT for text in texts]
    tagged = tag_puzzles(fens[:100], moves[:100])  # so that the compiler is not timed
    seconds = []
    for i in range(rounds):
        progress(f"round {i + 1} of {rounds}")
        start = time.process_time()
        tagged = tag_puzzles(fens, moves)
        seconds.append(time.process_time() - start)
    ours = [set(tagged[i]) for i in range(len(tagged))]
    result: dict[str, Any] = {
        "benchmark": "puzzles",
        "command": "python benchmarks/puzzle_themes.py",
        "machine": describe(),
        "rounds": rounds,
        "puzzles": len(ids),
        "microseconds_a_puzzle": round(statistics.median(seconds) / len(ids) * 1e6, 2),
        "themes": rows_by_theme(ours, published),
        "differences": differences(ids, ours, published),
    }
    if tagger:
        progress("Lichess' tagger")
        taken, theirs = by_lichess(tagger, fens, moves)
        known = set(THEMES) - _PHASES
        result["lichess_tagger"] = {
            "microseconds_a_puzzle": round(taken / len(ids) * 1e6, 1),
            "differences": differences(ids, [one & known for one in ours], [one & known for one in theirs]),
        }
    return result


@click.command()
@click.argument("puzzles", type=click.Path(exists=True, dir_okay=False, path_type=Path), default=PUZZLES)
@click.option("--rounds", type=click.IntRange(1), default=7, show_default=True)
@click.option(
    "--tagger",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder that holds Lichess' tagger: cook.py, util.py and model.py.",
)
@out_option
def main(puzzles: Path, rounds: int, tagger: Path | None, out: Path | None) -> None:
    """Compare the themes of puzzles with the published ones, and time them."""
    record(measure, out, puzzles=puzzles, rounds=rounds, tagger=tagger)


if __name__ == "__main__":
    main()
