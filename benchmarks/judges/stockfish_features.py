"""Compare features with those of Stockfish's trainer: ``python benchmarks/judges/stockfish_features.py LOADER.so``.

LOADER.so is the data loader of nnue-pytorch, built from its two source files:

    cd data_loader/cpp
    g++ -std=c++20 -O2 -march=native -fPIC -shared training_data_loader.cpp training_data_loader_abi.cpp -o LOADER.so

It lists the features of FENs, three sets from both perspectives. Positions are the ends of random games.
"""

import ctypes
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click
import numpy as np
from numpy.typing import NDArray

from rookery import Board, Positions, encoders

SETS: Final = {
    "HalfKAv2_hm": encoders.halfka_v2_hm,
    "Full_Threats": encoders.full_threats,
    "PP_3Wide": encoders.pawn_pairs,
}
SIDES: Final[tuple[encoders.Perspective, ...]] = ("white", "black")
_INTS, _FLOATS = ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_float)
_AT_ONCE: Final = 4096


class _Batch(ctypes.Structure):
    _fields_ = (
        ("inputs", ctypes.c_int),
        ("size", ctypes.c_int),
        *((name, _FLOATS) for name in ("is_white", "outcome", "score")),
        *((name, ctypes.c_int) for name in ("active_white", "active_black", "most")),
        *((name, _INTS) for name in ("white", "black", "piece_count")),
    )


class Loader:
    """The trainer's data loader, a shared library."""

    def __init__(self, path: Path) -> None:
        self._library = ctypes.CDLL(str(path))
        texts = ctypes.POINTER(ctypes.c_char_p)
        make, free = self._library.get_sparse_batch_from_fens, self._library.destroy_sparse_batch
        make.restype = ctypes.POINTER(_Batch)
        make.argtypes = [ctypes.c_char_p, ctypes.c_int, texts, _INTS, _INTS, _INTS]
        free.argtypes = [ctypes.POINTER(_Batch)]

    def lists(self, name: str, fens: list[str]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the lists of white and of black, filled up with -1: (n, most)."""
        n, zeros = len(fens), (ctypes.c_int * len(fens))()
        texts = (ctypes.c_char_p * n)(*(fen.encode() for fen in fens))
        batch = self._library.get_sparse_batch_from_fens(name.encode(), n, texts, zeros, zeros, zeros)
        found = batch.contents
        white, black = (np.ctypeslib.as_array(side, (n, found.most)).copy() for side in (found.white, found.black))
        self._library.destroy_sparse_batch(batch)
        return white, black


def ends_of_games() -> Iterator[Positions]:
    """Yield positions of random games that are not over, without end."""
    start = Positions.from_boards([Board()] * _AT_ONCE)
    seed = 1
    while True:
        positions = start.rollouts(seed, max_plies=10 + seed * 37 % 150).final
        assert isinstance(positions, Positions)  # which its annotation does not say
        yield positions[positions.legal_move_counts() > 0]
        seed += 1


def differences(positions: Positions, loader: Loader) -> dict[str, list[str]]:
    """Return the FENs of positions with other features, by set."""
    fens, found = positions.to_fens(), dict[str, list[str]]()
    for name, features in SETS.items():
        for side, theirs in zip(SIDES, loader.lists(name, fens), strict=True):
            ours = features(positions, side, numbering="trainer").padded(theirs.shape[1])
            differ: Any = (np.sort(ours, axis=1) != np.sort(theirs, axis=1)).any(axis=1)
            found.setdefault(name, []).extend(fens[i] for i in np.flatnonzero(differ))
    return found


@click.command(help=__doc__)
@click.argument("loader", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--positions", default=1_000_000, show_default=True, help="How many positions to compare, at least.")
def main(loader: Path, positions: int) -> None:
    """Compare until there are enough positions, and exit with 1 if any differ."""
    program, judged, wrong = Loader(loader), 0, 0
    for block in ends_of_games():
        for name, fens in differences(block, program).items():
            wrong += len(fens)
            for fen in fens[:3]:
                click.echo(f"{name}: {fen}")
        judged += len(block)
        if judged >= positions:
            break
    click.echo(f"{judged:,} positions, {len(SETS)} sets, two perspectives: {wrong:,} lists differ")
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
