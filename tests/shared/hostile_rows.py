"""Files of training data and datasets whose bytes are random, and everything that is done with such files.

Run as a program, ``hostile_rows.py FOLDER FIRST LAST`` goes through files number FIRST to LAST as `hostile_games` does.
"""

import contextlib
import functools
import io
import itertools
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa

import rookery
from hostile_games import CLEAR, NUMBERS, about, main
from hostile_games import uses_of as uses_of_games
from rookery.data.datasets import manifest as manifests
from rookery.data.datasets.rows import ROW
from rookery.sources import files
from training_samples import games, rows_of

FORMATS: Final = ("binpack", "viriformat", "bulletformat", "packed-sfen", "plain")
ROWS: Final = 200


@functools.cache
def sound(name: str) -> bytes:
    """Return a file of a format as rookery writes it."""
    file = io.BytesIO()
    rookery.write_training(rows_of(games(12)), file, name)
    return file.getvalue()


def changed(rng: np.random.Generator, data: bytes) -> bytes:
    """Return bytes with some of them changed, lost or doubled, or others altogether."""
    array = np.frombuffer(data, np.uint8).copy()
    array = array[: int(rng.integers(array.size + 1))] if rng.random() < 0.2 else array
    kind = rng.integers(4)
    if kind == 0:
        return rng.integers(0, 256, int(rng.integers(2000)), np.uint8).tobytes()
    places = rng.integers(0, max(array.size, 1), 0 if not array.size else int(rng.choice([1, 2, 10, 200])))
    array[places] = rng.integers(0, 256, places.size) if kind == 1 else rng.choice([0, 1, 127, 128, 255], places.size)
    if kind == 3 and array.size:
        at = int(rng.integers(array.size))
        return bytes(array[:at]) + bytes(array[max(at - 40, 0) :])
    return array.tobytes()


def use_rows(rows: Any, rng: np.random.Generator) -> None:
    """Do with rows what can be done."""
    about(rows.positions[:300], rng)
    rows.positions.policy_index(rows.moves)
    for name in FORMATS:
        rookery.write_training(rows, io.BytesIO(), name)


def use_training(data: bytes, name: str, rng: np.random.Generator) -> None:
    """Use the rows of a file: those before a fault, then all."""
    for rows in rookery.scan_training(data, name, batch=7):
        use_rows(rows, rng)
    use_rows(rookery.read_training(data, name), rng)


def uses_of_training(rng: np.random.Generator) -> Iterator[Callable[[], Any]]:
    for name in FORMATS:
        data = changed(rng, sound(name))
        yield functools.partial(use_training, data, name, rng)


@functools.cache
def dataset(folder: Path) -> Path:
    """Return the folder of a dataset that is made once."""
    (folder / "rows.binpack").write_bytes(sound("binpack"))
    made = folder / "sound"
    rookery.make_dataset(folder / "rows.binpack", made, split=[0.5, 0.5])
    return made


def uses_of_dataset(rng: np.random.Generator, folder: Path) -> Iterator[Callable[[], Any]]:
    made = folder / f"changed-{next(NUMBERS)}"
    shutil.copytree(dataset(folder), made)
    content: Any = files.load(made / manifests.NAME, manifests.KIND)
    for shard in content["shards"]:
        path = made / shard["file"]
        header = shard["bytes"] - shard["rows"] * ROW.itemsize
        rows = np.frombuffer(path.read_bytes()[header:], ROW).copy()
        words = rows.view(np.uint8).reshape(rows.size, ROW.itemsize)
        chosen = rng.integers(0, rows.size, int(rng.choice([0, 1, 5])))
        words[chosen, 32:36] = rng.integers(0, 256, (chosen.size, 4))  # move and score
        if rng.random() < 0.2:
            words[chosen, 36:] = rng.integers(0, 256, (chosen.size, 12))  # result, ply, file and number
        if rng.random() < 0.2:
            words[chosen, :32] = rng.integers(0, 256, (chosen.size, 32))
        path.write_bytes(path.read_bytes()[:header] + words.tobytes())
    if rng.random() < 0.3:
        shard = content["shards"][0]
        shard[str(rng.choice(["rows", "bytes"]))] += int(rng.choice([-1, 1, 1 << 40, -(1 << 40), 7]))
        files.save(made / manifests.NAME, manifests.KIND, content)

    def batches(**options: Any) -> None:
        for split in ("train", "validation"):
            opened = rookery.open_dataset(made, split, batch=7, **options)
            list(opened)
            use_rows(opened.read(0, 50), rng)
            opened.to_arrow(0, 50)

    yield batches
    yield lambda: batches(policy="leela", legal=True, shuffle=True, dtype=np.uint8)
    yield lambda: shutil.rmtree(made)


@functools.cache
def arrow_file() -> bytes:
    """Return a table of games as an Arrow file, which has no checksums."""
    table = rookery.read_pgn(Path(__file__).parents[1] / "samples" / "lichess-2025-05.pgn")[:20].to_arrow()
    with io.BytesIO() as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
        writer.close()
        return file.getvalue()


def uses_of_arrow(rng: np.random.Generator, folder: Path) -> Iterator[Callable[[], Any]]:
    path = folder / f"changed-{next(NUMBERS)}.arrow"
    array = np.frombuffer(arrow_file(), np.uint8).copy()
    places = rng.integers(0, array.size, int(rng.choice([1, 5, 50, 500])))
    array[places] = rng.integers(0, 256, places.size)
    path.write_bytes(array.tobytes())
    yield lambda: rookery.annotate(path, folder / f"out-{next(NUMBERS)}.csv", "legal_moves")
    yield lambda: list(rookery.scan_pgn(path, where="WhiteElo > 1500"))
    read: list[Any] = []
    yield lambda: read.append(rookery.read_pgn(path))
    for sound_games in read:
        yield from uses_of_games(sound_games, folder, rng)
    with contextlib.suppress(*CLEAR, pa.ArrowException), pa.ipc.open_file(path) as file:
        table = file.read_all()
        yield lambda: rookery.Games.from_arrow(table)
    path.unlink()


def uses(number: int, folder: Path) -> Iterator[Callable[[], Any]]:
    rng = np.random.default_rng(number)
    yield from itertools.chain(uses_of_training(rng), uses_of_dataset(rng, folder), uses_of_arrow(rng, folder))


if __name__ == "__main__":
    main(uses, *sys.argv[1:])
