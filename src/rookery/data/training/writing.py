"""`write_training` and `TrainingWriter`: rows of training data to files, and what the formats cannot hold."""

import contextlib
import os
from collections.abc import Iterable
from types import TracebackType
from typing import Any, BinaryIO, Final, Literal, NamedTuple, Self, TypeAlias

import numpy as np

from rookery.arguments import check_path, choice, iterator, shown
from rookery.data.training import limits
from rookery.data.training.formats import Encoder, format_of
from rookery.data.training.samples import ScoredPositions
from rookery.sources import files
from rookery.sources.unpack import packed_by_name

NoResult: TypeAlias = Literal["drop", "draw"]
NoScore: TypeAlias = Literal["drop", "zero"]
NO_RESULT: Final = {"drop": False, "draw": True}
NO_SCORE: Final = {"drop": False, "zero": True}


class WrittenRows(NamedTuple):
    """The result of writing rows: how many were written, how many were dropped and why, and what is lost of each."""

    written: int
    dropped: dict[str, int]
    lost: tuple[str, ...]


class TrainingWriter:
    """A file of training data that is written batch by batch, and a context manager.

    The file appears at its path when the writer is closed, complete; an exception in the ``with`` block leaves what was
    there before. `written` counts the rows that were written, and `dropped` the others by the reason: a format that
    stores positions with scores and results has no place for rows without them, and each has limits of its own. `lost`
    says what the format keeps of no row.

    >>> import pathlib, tempfile
    >>> from rookery import Positions
    >>> rows = ScoredPositions(Positions.from_fens(["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"] * 2), results=[1, 1])
    >>> rows.scores[0] = 150
    >>> with TrainingWriter(pathlib.Path(tempfile.mkdtemp()) / "rows.bullet") as writer:
    ...     writer.append(rows)
    1
    >>> writer.dropped
    {'no score': 1}
    """

    def __init__(
        self,
        target: str | os.PathLike[str] | BinaryIO,
        format: str | None = None,
        *,
        no_result: NoResult = "drop",
        no_score: NoScore = "drop",
    ) -> None:
        """Open a file; see `write_training` for the arguments."""
        self._draws = choice("no_result", no_result, NO_RESULT)
        self._zeros = choice("no_score", no_score, NO_SCORE)
        self._stack = contextlib.ExitStack()
        if isinstance(target, (str, os.PathLike)):
            check_path("target", target, "a file that is open for writing bytes")
        elif not hasattr(target, "write"):
            raise TypeError(f"target: {shown(target)}: expected a path or a file that is open for writing bytes")
        name = target if isinstance(target, (str, os.PathLike)) else getattr(target, "name", None)
        name = os.fsdecode(name) if isinstance(name, (str, os.PathLike)) else None
        found = format_of(format, "target", name, written=True)
        assert found.writing is not None
        self.format = found.name
        self.lost = found.writing.lost
        self.written = 0
        self.dropped: dict[str, int] = {}
        self._limits = found.writing.limits
        self._encoder: Encoder | None = found.writing.encoder_of(name)
        self._file: Any = target
        if isinstance(target, (str, os.PathLike)):
            self._file = self._stack.enter_context(files.replacing(target))
        self._file = self._stack.enter_context(packed_by_name(self._file, name))

    def append(self, rows: ScoredPositions) -> int:
        """Write rows, and return how many of them the format can hold. Each is checked, whatever made it.

        >>> import io
        >>> from rookery import Positions
        >>> rows = ScoredPositions(Positions.from_fens(["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]), scores=[150], results=[1])
        >>> TrainingWriter(io.BytesIO(), "plain").append(rows)
        1
        """
        if not isinstance(rows, ScoredPositions):
            raise TypeError(f"rows: {shown(rows)}: expected ScoredPositions")
        if self._encoder is None:
            raise ValueError("rows: the writer is closed")
        scores, results = rows.scores, rows.results
        if self._draws:
            results = np.where(rows.has_result, results, np.int8(0))
        if self._zeros:
            scores = np.where(rows.has_score, scores, np.int16(0))
        if self._draws or self._zeros:
            rows = ScoredPositions(rows.positions, moves=rows.moves, scores=scores, results=results, plies=rows.plies)
        kept = limits.kept(rows, self._limits, self.dropped)
        for data in self._encoder.add(kept):
            self._file.write(data)
        self.written += len(kept)
        return len(kept)

    def close(self) -> WrittenRows:
        """Write what is left, put the file in its place, and return what was written. A second call changes nothing.

        >>> import io
        >>> TrainingWriter(io.BytesIO(), "plain").close()
        WrittenRows(written=0, dropped={}, lost=())
        """
        encoder, self._encoder = self._encoder, None
        with self._stack:
            for data in encoder.end() if encoder else ():
                self._file.write(data)
        return WrittenRows(self.written, self.dropped, self.lost)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.close()
        else:
            self._encoder = None
            self._stack.__exit__(kind, error, trace)


def write_training(
    rows: ScoredPositions | Iterable[ScoredPositions],
    target: str | os.PathLike[str] | BinaryIO,
    format: str | None = None,
    *,
    no_result: NoResult = "drop",
    no_score: NoScore = "drop",
) -> WrittenRows:
    """Write rows of training data, and return how many were written and how many were dropped, by reason.

    `rows` are `ScoredPositions`, or an iterable of these, such as `scan_training` of another file. `target` is a path,
    or a file that is open for writing bytes. `format` is ``"binpack"``, ``"viriformat"``, ``"bulletformat"``,
    ``"plain"``, ``"packed-sfen"``, ``"leela"``, ``"action-value"``, ``"state-value"`` or ``"behavioral-cloning"``; by
    default the suffix of the file says which. If the name also ends in ``.zst`` or ``.gz``, the file is packed.

    What a format cannot hold is dropped and counted: see `TrainingWriter`. With ``no_result="draw"`` rows without a
    result count as drawn, and with ``no_score="zero"`` rows without a score have a score of 0: for training by results
    alone. In formats that store games, rows of which each is the position after the move of the row
    before it, as `ScoredPositions.from_games` and all readers return them, take a few bytes each.

    A file at the path is replaced only when all rows are written. A wrong argument raises ValueError or TypeError.

    >>> import io
    >>> from rookery import Positions
    >>> positions = Positions.from_fens(["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"])
    >>> file = io.BytesIO()
    >>> write_training(ScoredPositions(positions, scores=[150], results=[1]), file, "plain").written
    1
    >>> print(file.getvalue().decode())
    fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1
    move 0000
    score 150
    ply 0
    result 1
    e
    <BLANKLINE>
    """
    parts = [rows] if isinstance(rows, ScoredPositions) else iterator("rows", rows, "ScoredPositions or an iterable")
    with TrainingWriter(target, format, no_result=no_result, no_score=no_score) as writer:
        for part in parts:
            writer.append(part)
    return WrittenRows(writer.written, writer.dropped, writer.lost)
