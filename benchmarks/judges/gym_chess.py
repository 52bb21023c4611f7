"""Compare move indices with those of gym-chess: ``python benchmarks/judges/gym_chess.py PYTHON``.

PYTHON is the interpreter of an environment that has gym-chess 0.1.1, which needs an old python-chess. Positions are
those of random games, and some with many promotions.
"""

import json
import subprocess
from pathlib import Path
from typing import Any, Final

import click
import numpy as np

from rookery import Board, Positions, read_pgn
from rookery.bench.games import texts

PROMOTIONS: Final = [
    f"{pieces} {side} - - 0 1"
    for pieces in ("8/PPPP1k2/8/8/8/8/1K2pppp/8", "1n1n1n1n/P1P1P1P1/5k2/8/8/1K6/1p1p1p1p/N1N1N1N1")
    for side in "wb"
]
# Answers, for each FEN of a line, the index of each legal move.
PROGRAM: Final = """
import json, sys
import chess
from gym_chess.alphazero.move_encoding import MoveEncoding

class Environment:
    unwrapped = property(lambda self: self)

encoding = MoveEncoding.__new__(MoveEncoding)
environment = encoding.__dict__["env"] = Environment()
for line in sys.stdin:
    board = environment._board = chess.Board(line.strip())
    print(json.dumps({move.uci(): int(encoding.encode(move)) for move in board.legal_moves}))
"""


def compared(python: Path, games: int) -> dict[str, int]:
    """Return how many positions and moves were compared, and how many differ."""
    positions = read_pgn("".join(texts(False)[:games]).encode()).positions()
    fens = [*positions.to_fens(), *PROMOTIONS]
    done = subprocess.run(
        [str(python), "-c", PROGRAM], input="\n".join(fens), capture_output=True, text=True, check=True
    )
    theirs: list[dict[str, int]] = [json.loads(line) for line in done.stdout.splitlines()]
    counts = {"positions": len(fens), "moves": 0, "different": 0}
    masks = Positions.from_fens(fens).policy_mask("gym-chess")
    for fen, mask, indices in zip(fens, masks, theirs, strict=True):
        board, same = Board(fen), Positions.from_fens([fen] * len(indices))
        moves: Any = [int(board.parse_uci(text)) for text in indices]
        ours = same.policy_index(moves, "gym-chess").tolist() if moves else []
        counts["moves"] += len(moves)
        counts["different"] += sum(mine != other for mine, other in zip(ours, indices.values(), strict=True))
        counts["different"] += sorted(indices.values()) != np.flatnonzero(mask).tolist()
    return counts


@click.command()
@click.argument("python", type=click.Path(exists=True, path_type=Path))
@click.option("--games", type=click.IntRange(1), default=35, show_default=True, help="Random games.")
def main(python: Path, games: int) -> None:
    """Compare the indices of all legal moves."""
    click.echo(compared(python, games))


if __name__ == "__main__":
    main()
