"""The catalogue of an index: its files, how many games and plies they have, and the games that it was made of.

It is written last, so a folder that has one is complete. A folder may have other files of an index for a moment, while
games are added or parts are merged: only those in the catalogue count.
"""

import os
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple

from rookery.data.index import facts
from rookery.sources import files
from rookery.sources.disk import DISK
from rookery.sources.identity import Identity, identity_of
from rookery.sources.records import record

NAME: Final = "index.json"
KIND: Final = files.Kind("index", "rookery index, version 1")
_OWN: Final = ("games-*.parquet", "hits-*.parquet", "moves-*.parquet", "facts-*.bin")


class Part(NamedTuple):
    """Games that were indexed together, or merged: hits and moves by ranges of keys, and facts about the games.

    `first` has the first slice of keys of each file of hits and of moves.
    """

    number: int
    first_game: int
    games: int
    plies: int
    first: list[int]

    @property
    def facts(self) -> str:
        """Return the name of the file with the facts about the games."""
        return f"facts-{self.number:04d}.bin"

    def file(self, what: str, i: int) -> str:
        """Return the name of a file of ``"hits"`` or ``"moves"``."""
        return file_of(what, self.number, i)


def file_of(what: str, part: int, i: int) -> str:
    """Return the name of a file of ``"hits"`` or ``"moves"`` of a part."""
    return f"{what}-{part:04d}-{i:05d}.parquet"


def games_file(first: int) -> str:
    """Return the name of a table of games, by its first game."""
    return f"games-{first:010d}.parquet"


class Catalogue(NamedTuple):
    """The contents of an index.

    parts     a `Part` for each set of games that were indexed together, in the order of their games
    tables    the first game of each table of games
    sizes     the bytes of each file
    tails     the checksum of each file's tail, which says where and what its content is: see `tail_of`
    inputs    path, size, time and digest of each file of games that was indexed
    reading   the options with which they were read
    bad       the number of bad games
    failures  inputs that could not be read to their ends, as messages
    """

    parts: list[Part]
    tables: list[int]
    sizes: dict[str, int]
    tails: dict[str, int]
    inputs: dict[str, Identity]
    reading: dict[str, Any]
    bad: int
    failures: list[str]

    @property
    def games(self) -> int:
        """Return the number of games."""
        return sum(part.games for part in self.parts)

    def changes(self) -> list[str]:
        """Return a message for each file of games that has changed, or is gone, since it was indexed."""
        found = []
        for path, identity in self.inputs.items():
            try:
                now = identity_of(path)
            except FileNotFoundError:
                found.append(f"{path}: is missing since it was indexed")
                continue
            if now != identity:
                sizes = f" (it had {identity.size:,} bytes and has {now.size:,})" if now.size != identity.size else ""
                found.append(f"{path}: has changed since it was indexed{sizes}")
        return found


def save(folder: Path, catalogue: Catalogue) -> Catalogue:
    """Write the catalogue of a folder, and remove the files of an index that it lacks; return it with all tails."""
    known = catalogue.tails
    tails = {name: known[name] if name in known else tail_of(folder / name) for name in catalogue.sizes}
    catalogue = catalogue._replace(tails=tails)
    files.save(folder / NAME, KIND, catalogue._asdict() | {"parts": [part._asdict() for part in catalogue.parts]})
    for pattern in _OWN:
        for path in folder.glob(pattern):
            if path.name not in catalogue.sizes:
                DISK.remove(path, missing_ok=True)
    return catalogue


def is_index(folder: str | os.PathLike[str]) -> bool:
    """Return whether a folder has an index."""
    return Path(folder, NAME).is_file()


def load(folder: str | os.PathLike[str]) -> Catalogue | None:
    """Return the catalogue of a folder, or None if it has none; ValueError if it is damaged."""
    path = Path(folder) / NAME
    content = files.load(path, KIND)
    if content is None:
        return None
    try:
        return record(Catalogue, content, f"index: {path}")
    except files.Damaged as error:
        raise files.Damaged(f"{error}: make the index again") from None


def check_sizes(folder: Path, catalogue: Catalogue) -> None:
    """Raise a ValueError if a file of the index is missing or was cut."""
    for name, expected in catalogue.sizes.items():
        path = folder / name
        size = path.stat().st_size if path.is_file() else -1
        if size != expected:
            found = "is missing" if size < 0 else f"has {size:,} bytes"
            raise files.Damaged(f"index: {path}: {found}: expected {expected:,} bytes: make the index again")


def tail_of(path: Path) -> int:
    """Return the CRC-32 of the end of a file, which says where its content is, or has the checksums of facts.

    Pages of Parquet have checksums of their own, which this tail does not include.
    """
    with DISK.open(path) as file:
        size = file.seek(0, os.SEEK_END)
        begin = facts.checksums_begin(size)
        if path.suffix == ".parquet":
            begin = max(size - 8, 0)
            file.seek(begin)
            begin = max(begin - int.from_bytes(file.read(4), "little"), 0)
        file.seek(begin)
        return zlib.crc32(file.read())


def check_tails(folder: Path, catalogue: Catalogue, names: Iterable[str]) -> None:
    """Raise a ValueError if the tail of a file of the index has changed: see `tail_of`."""
    for name in names:
        if tail_of(folder / name) != catalogue.tails[name]:
            raise files.Damaged(f"index: {folder / name}: damaged: its end has changed: make the index again")
