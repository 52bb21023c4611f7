"""Folders that the library made: an index of games, a dataset, and the journal of a count, with damage to one file."""

import contextlib
import functools
import random
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from click.testing import CliRunner

import rookery
from damaged_games import SAMPLE
from fuzzing import Target, answer
from fuzzing.damage import damage
from rookery import Board
from rookery.cli import main
from training_samples import games, rows_of

_CLEAR: Final = (ValueError, OSError)
_COUNT: Final = ("perft", "kiwipete", "3", "--checkpoint", "made/count")


@functools.cache
def _made() -> dict[str, dict[str, bytes]]:
    """Return the files of each folder by their names."""
    found = {}
    with TemporaryDirectory() as name, contextlib.chdir(name):
        rookery.write_parquet(rookery.read_pgn(SAMPLE)[:6], "games.parquet")
        rookery.index_games("games.parquet", "index")
        rookery.write_training(rows_of(games(12)[:60]), "rows.binpack")
        rookery.make_dataset("rows.binpack", "dataset", split=[0.5, 0.5], columns={"moves": "legal_moves"}, shards=1)
        Path("made").mkdir()
        CliRunner().invoke(main, _COUNT, catch_exceptions=False)
        Path("made").rename("journal")
        for kind in ("index", "dataset", "journal"):
            paths = [path for path in Path(kind).rglob("*") if path.is_file()]
            found[kind] = {path.relative_to(kind).as_posix(): path.read_bytes() for path in paths}
            assert found[kind]
    return found


def make(rng: random.Random) -> bytes:
    """Return the name of a folder, that of a file in it, and the file after damage, which seldom changes its size."""
    kind = rng.choice(list(_made()))
    name, data = rng.choice(list(_made()[kind].items()))
    changed = damage(rng, data, (), list(_made()[kind].values()))
    if rng.random() < 0.7:
        changed = changed[: len(data)].ljust(len(data), b"\0")
    return f"{kind} {name}\n".encode() + changed


def _use_index() -> object:
    index = rookery.open_index("made")
    index.read_games([0, 3])
    rookery.scan("made").select("ply").collect()
    position = index.at(Board())
    repr(position), list(position.examples), position.hits.ply
    return [(move.move, move.games) for move in position.moves]


def _use_dataset() -> object:
    for check in (False, True):
        for split in ("train", "validation"):
            opened = rookery.open_dataset("made", split, batch=7, check=check)
            list(opened), opened.read(0, 5), opened.to_arrow(0, 5)
    return None


def _use_journal() -> object:
    result = CliRunner().invoke(main, _COUNT)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 2 or "97862" in result.output.replace(",", ""), result.output
    assert result.exit_code != 2 or "made/count" in result.output, result.output
    return None


_USES: Final[dict[str, Callable[[], object]]] = {"index": _use_index, "dataset": _use_dataset, "journal": _use_journal}


def check(data: bytes) -> None:
    """Use the folder: its answers are right, or an error says what is damaged."""
    head, _, rest = data.partition(b"\n")
    kind, _, name = head.decode("utf-8", "replace").partition(" ")
    if name not in _made().get(kind, ()):
        return
    with TemporaryDirectory() as folder, contextlib.chdir(folder):
        for file, content in (_made()[kind] | {name: rest}).items():
            path = Path("made", file)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        found = answer(_USES[kind], says=".", expected=_CLEAR)
    assert found is None or found == _sound_index()


@functools.cache
def _sound_index() -> object:
    with TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("made").mkdir()
        for file, content in _made()["index"].items():
            Path("made", file).write_bytes(content)
        return _use_index()


TARGETS: Final = (Target("folders", make, check),)
