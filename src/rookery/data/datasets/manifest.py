"""The manifest of a dataset: what is in it, how it was made, and the digest of each shard.

It is written last, so a folder that has one is complete. It does not say when or how fast the dataset was made, nor by
how many workers: the same command always makes the same bytes.
"""

import hashlib
import os
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from rookery.data.datasets.options import Options
from rookery.data.datasets.rows import row_dtype
from rookery.sources import files
from rookery.sources.disk import DISK
from rookery.sources.records import record
from rookery.tasks.exchange import SPLITS

NAME: Final = "manifest.json"
_MOST_HEADER: Final = 1 << 16  # bytes
KIND: Final = files.Kind("manifest", "rookery dataset, version 2")


class Shard(NamedTuple):
    """A file of rows: its name, its split, and the number of its rows and of its bytes, with the SHA-256 of these."""

    file: str
    split: str
    rows: int
    bytes: int
    digest: str


class Manifest(NamedTuple):
    """The contents of a dataset and how it was made.

    rows       the number of rows of each split
    counts     games and positions read, and positions dropped, by reason
    shards     a `Shard` for each file
    options    the options that it was made with
    inputs     the path, the name as it was given, and the number of bytes of each input
    plan       the plan that was written, as Python
    versions   the versions of the programs that made it
    failures   rows of text that could not be read, and files in which every game is bad, as messages
    files      the names of files of games, those inside of archives too, by the index that rows have
    work       a digest of plan, options and inputs; "" if an input was in memory
    texts      a `Shard` for each file with the texts of a column, which is its split
    """

    rows: dict[str, int]
    counts: dict[str, int]
    shards: tuple[Shard, ...]
    options: Options
    inputs: list[dict[str, Any]]
    plan: str
    versions: dict[str, str]
    failures: list[str]
    files: list[str]
    work: str
    texts: tuple[Shard, ...] = ()

    @property
    def row(self) -> np.dtype[Any]:
        """Return the dtype of the rows."""
        return row_dtype(self.options)


def save(folder: Path, manifest: Manifest) -> None:
    """Write the manifest of a folder."""
    content = manifest._asdict()
    row = manifest.row
    content["schema"] = [[name, str(row[name].base), list(row[name].shape)] for name in row.names or ()]
    for name in ("shards", "texts"):
        content[name] = [one._asdict() for one in content[name]]
    content["options"] = manifest.options.content()
    files.save(folder / NAME, KIND, content)


def load(folder: str | os.PathLike[str]) -> Manifest | None:
    """Return the manifest of a folder, or None if it has none; ValueError if it is damaged."""
    path = Path(folder) / NAME
    content = files.load(path, KIND)
    if content is None:
        return None
    content.pop("schema", None)
    if "command" in content:  # in manifests of older datasets
        content["plan"] = content.pop("command")
    content["options"] = Options.of_content(content.get("options"))
    try:
        return record(Manifest, content, f"manifest: {path}")
    except files.Damaged as error:
        raise files.Damaged(f"{error}: make the dataset again") from None


def header_size(shard: Shard, row: np.dtype[Any]) -> int:
    """Return the number of bytes before the rows of a shard: NumPy's header, which says what is known."""
    return shard.bytes - shard.rows * row.itemsize


def name_of_texts(column: str, shard: int) -> str:
    """Return the name of the file with the texts of a column in a shard."""
    return f"{column}-{shard:05d}.arrow"


def check_size(folder: Path, shard: Shard, row: np.dtype[Any]) -> Path:
    """Return the path of a shard; ValueError if it is missing or has another size than the manifest says."""
    if shard.rows < 0 or not 0 <= header_size(shard, row) < _MOST_HEADER:
        raise files.Damaged(
            f"manifest: {shard.file}: {shard.rows:,} rows in {shard.bytes:,} bytes: "
            f"expected {row.itemsize} bytes per row: make the dataset again"
        )
    return check_file(folder, shard)


def check_file(folder: Path, shard: Shard) -> Path:
    """Return the path of a file; ValueError if it is missing or has another size than the manifest says."""
    path = folder / shard.file
    size = path.stat().st_size if path.is_file() else -1
    if size != shard.bytes:
        found = "is missing" if size < 0 else f"has {size:,} bytes"
        raise files.Damaged(f"shard: {path}: {found}: expected {shard.bytes:,} bytes: make the dataset again")
    return path


def check_digest(folder: Path, shard: Shard) -> None:
    """Raise a ValueError if a file has changed since it was written."""
    with DISK.open(check_file(folder, shard)) as file:
        digest = hashlib.file_digest(file, "sha256")  # type: ignore[arg-type]  # a file has readinto
        if digest.hexdigest() != shard.digest:
            raise files.Damaged(
                f"shard: {folder / shard.file}: damaged: its digest is not that in the manifest: make the dataset again"
            )


def order_of(shard: Shard) -> tuple[int, str]:
    """Return the place of a shard among all: by split, then by number."""
    return SPLITS.index(shard.split), shard.file
