"""The distinct positions some plies below a root, and how many sequences of moves lead to each.

Positions are compared in full, by `Positions.unique`, never by a hash alone. They are kept in files, in *buckets* by
their Zobrist keys, so that equal positions meet in one bucket and a machine needs memory for a few buckets only. A file
has its final name only when it is complete, so work that was interrupted goes on with the first file that is missing.
"""

import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.board.board import Board
from rookery.kernel import U64
from rookery.positions.layout import Columns
from rookery.positions.positions import Positions
from rookery.sources import files
from rookery.sources.disk import DISK, naming
from rookery.tasks.differences import difference

_KIND: Final = files.Kind("list of positions", "rookery positions, version 1")
_BUCKET: Final = 1 << 21  # positions before equal ones are merged: some 400 MB while they are merged
_CHUNK: Final = 1 << 17  # parents whose moves are listed at once
_MOST_BUCKETS: Final = 1 << 12
_REFERENCES: Final = "references"  # the folder of the moves that lead to a ply, while it is made
_REFERENCE: Final = np.dtype([("parent", np.uint32), ("move", np.uint16)])


class Bucket(NamedTuple):
    """Distinct positions, and the number of sequences of moves to each: uint64, (moves of the root, n).

    Row r of `paths` counts the sequences that begin with move r of the root.
    """

    positions: Positions
    paths: NDArray[np.uint64]


class Ply:
    """The distinct positions after so many plies, in a folder: some buckets, and a document that describes them."""

    def __init__(self, folder: Path, plies: int) -> None:
        self.folder = folder / f"ply-{plies}"
        self.plies = plies
        document = files.load(self.folder / "ply.json", _KIND)
        self.is_complete = document is not None
        self.sizes: list[int] = document["positions"] if document else []
        self.totals: list[int] = document["sequences"] if document else []  # of each move of the root

    def bucket(self, number: int) -> Bucket:
        """Read a bucket. Raises ValueError if its file is damaged or missing."""
        path = self.folder / f"{number}.npz"
        columns, paths = self._arrays(path)
        try:
            named = dict(zip(Columns._fields, columns, strict=True))
            bucket = Bucket(Positions.from_numpy(named), paths.astype(np.uint64))
        except (ValueError, TypeError) as error:
            raise self._damaged(path) from error
        if len(bucket.positions) != self.sizes[number]:
            raise ValueError(f"{path}: {len(bucket.positions)} positions, expected {self.sizes[number]}")
        return bucket

    def _arrays(self, path: Path) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the columns of the positions of a bucket, and the paths."""
        content = files.read("positions", path)  # zipfile takes an error of the disk for damage
        try:
            with np.load(io.BytesIO(content or b"")) as arrays:
                return arrays["positions"], arrays["paths"]
        except MemoryError:
            raise
        except Exception as error:  # NumPy, zip and zlib have their own
            raise self._damaged(path) from error

    def _damaged(self, path: Path) -> ValueError:
        return ValueError(f"{path}: damaged or missing: remove the folder {self.folder} to make it again")

    def buckets(self) -> Iterator[Bucket]:
        """Read all buckets, one after the other."""
        return map(self.bucket, range(len(self.sizes)))

    def _write(self, number: int, bucket: Bucket) -> None:
        most = int(bucket.paths.max()) if bucket.paths.size else 0
        paths = bucket.paths.astype(np.min_scalar_type(most))
        with files.replacing(self.folder / f"{number}.npz") as file:
            np.savez(file, positions=np.stack(bucket.positions.columns), paths=paths)

    def _complete(self, sizes: list[int], totals: list[int]) -> None:
        files.save(self.folder / "ply.json", _KIND, {"positions": sizes, "sequences": totals})
        self.is_complete, self.sizes, self.totals = True, sizes, totals

    def begin(self, board: Board) -> None:
        """Write ply 1: the positions after each move of the root, which differ."""
        DISK.make_folder(self.folder)
        root = Positions.from_boards([board])
        moves = root.legal_moves().moves
        parents = np.zeros(moves.size, np.intp)
        bucket = Bucket(root.taken(parents).play(moves, check=False), np.eye(moves.size, dtype=np.uint64))
        self._write(0, bucket)
        self._complete([moves.size], [1] * moves.size)

    def follow(self, before: "Ply", threads: int, tell: Callable[[str], None]) -> None:
        """Write the ply after another one."""
        DISK.make_folder(self.folder)
        references = self.folder / _REFERENCES
        with naming(references):
            number = self._distribute(before, references, threads, tell)
        sizes, totals = [], np.zeros(len(before.totals), object)
        for i in range(number):
            path = self.folder / f"{i}.npz"
            if not path.exists():
                self._write(i, self._merged(before, references, i, threads))
            columns, paths = self._arrays(path)
            sizes.append(columns.shape[1])
            totals += paths.sum(axis=1, dtype=np.uint64).astype(object)
            tell(f"{sum(sizes):,} distinct positions after {self.plies} plies, {i + 1} of {number} files")
        self._complete(sizes, [int(total) for total in totals])

    def _distribute(self, before: "Ply", folder: Path, threads: int, tell: Callable[[str], None]) -> int:
        """Write (parent, move) of each position to the file of its bucket, and return the number of buckets."""
        marker = folder / "complete"
        if marker.exists():
            return int(files.read("number", marker) or 0)
        DISK.remove_tree(folder)
        DISK.make_folder(folder)
        number: int | None = None
        for source, bucket in enumerate(before.buckets()):
            outputs: list[Any] = []
            try:
                for start in range(0, len(bucket.positions), _CHUNK):
                    positions = bucket.positions[start : start + _CHUNK]
                    moves = positions.legal_moves(threads=threads)
                    parents = np.repeat(np.arange(len(positions)), np.diff(moves.offsets))
                    if number is None:
                        expected = moves.moves.size * sum(before.sizes) // max(len(positions), 1)
                        number = min(1 << (expected // _BUCKET).bit_length(), _MOST_BUCKETS)
                    if not outputs:
                        outputs = [DISK.open(folder / f"{source}-{i}", "wb") for i in range(number)]
                    keys = (
                        positions.taken(parents).play(moves.moves, check=False, threads=threads).keys(threads=threads)
                    )
                    targets = (keys & U64(number - 1)).astype(np.uint16)
                    order = np.argsort(targets, kind="stable")
                    rows = np.empty(order.size, _REFERENCE)
                    rows["parent"], rows["move"] = parents[order] + start, moves.moves[order]
                    cuts = np.searchsorted(targets[order], np.arange(number + 1))
                    for i, output in enumerate(outputs):
                        output.write(rows[cuts[i] : cuts[i + 1]].tobytes())
                for output in outputs:  # the marker must not be on the disk before them
                    DISK.sync(output)
            finally:
                for output in outputs:
                    output.close()
            tell(f"moves of {source + 1} of {len(before.sizes)} files after {before.plies} plies")
        DISK.sync_folder(folder)
        files.write(marker, str(number or 0))
        return number or 0

    def _merged(self, before: "Ply", references: Path, number: int, threads: int) -> Bucket:
        """Make the positions of a bucket, and merge equal ones."""
        positions: list[Positions] = []
        paths: list[NDArray[np.uint64]] = []
        for source in range(len(before.sizes)):
            path = references / f"{source}-{number}"
            rows = np.frombuffer(files.read("moves", path) or b"", _REFERENCE)
            if rows.size:
                parents = before.bucket(source)
                chosen = rows["parent"].astype(np.intp)
                positions.append(parents.positions.taken(chosen).play(rows["move"], check=False, threads=threads))
                paths.append(parents.paths[:, chosen])
        children = Positions.concatenate(positions) if positions else Positions.from_boards([])
        sequences = np.concatenate(paths, axis=1) if paths else np.zeros((len(before.totals), 0), np.uint64)
        distinct, group = children.unique(return_inverse=True, threads=threads)
        order = np.argsort(group, kind="stable")
        starts = np.searchsorted(group[order], np.arange(len(distinct)))
        summed = np.empty((sequences.shape[0], len(distinct)), np.uint64)
        for row, counts in zip(summed, sequences, strict=True):
            np.add.reduceat(counts[order], starts, out=row) if starts.size else None
        return Bucket(distinct, summed)


def distinct_positions(
    board: Board,
    plies: int,
    folder: str | os.PathLike[str],
    *,
    threads: int = 1,
    tell: Callable[[str], None] = lambda text: None,
) -> Ply:
    """Find the distinct positions after 1, 2, ... `plies` plies, and return the last `Ply`.

    `folder` keeps them; plies that are complete there are not made again. `tell` is called with the progress. Raises
    ValueError if the folder belongs to another position.
    """
    if plies < 1:
        raise ValueError(f"plies: {plies}: expected at least 1")
    folder = Path(folder)
    DISK.make_folder(folder, parents=True)
    _check_root(folder / "root.json", board)
    before = Ply(folder, 1)
    if not before.is_complete:
        before.begin(board)
    for number in range(2, plies + 1):
        ply = Ply(folder, number)
        if not ply.is_complete:
            ply.follow(before, threads, tell)
        DISK.discard(ply.folder / _REFERENCES)
        before = ply
    return before


def _check_root(path: Path, board: Board) -> None:
    fen = board.fen(shredder=True, en_passant="fen")
    document = files.load(path, _KIND)
    if document is None:
        files.save(path, _KIND, {"fen": fen})
    elif document.get("fen") != fen:
        other = difference({"position": document.get("fen")}, {"position": fen})
        raise ValueError(f"{path}: is of other work ({other}): repeat that, or give another folder")
