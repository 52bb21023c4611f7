"""Parts that readers of text share: lines of bytes, and rows from the texts of their fields."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import shown
from rookery.data.training.samples import ScoredPositions
from rookery.positions.positions import Positions
from rookery.sources.failures import DamagedFileError

Part = TypeVar("Part")

LONGEST_LINE: Final = 1 << 20  # bytes
MOST_SCORE: Final = (1 << 15) - 1
_NO_MOVE: Final = frozenset({"", "0000", "(none)", "--"})
_LONGEST_NUMBER: Final = 12  # characters


class BadRow(NamedTuple):
    """A row of text that cannot be read: the name of its file, its line, its text and the reason."""

    file: str
    line: int
    text: str
    reason: str

    def __str__(self) -> str:
        return f"{self.file}: line {self.line:,}: {self.reason}"


OnBad: TypeAlias = Callable[[BadRow], None] | None


class Fields(NamedTuple):
    """The texts and numbers of some rows: the line of each, its text, and its columns."""

    lines: list[int]
    texts: list[str]
    fens: list[str]
    moves: list[str]
    scores: list[int]
    results: list[int]
    plies: list[int | None]

    @classmethod
    def none(cls) -> "Fields":
        """Return no rows."""
        return cls([], [], [], [], [], [], [])

    def add(self, line: int, text: str, fen: str, move: str, score: int, result: int, ply: int | None) -> None:
        """Append a row."""
        self.lines.append(line)
        self.texts.append(text)
        self.fens.append(fen)
        self.moves.append(move)
        self.scores.append(score)
        self.results.append(result)
        self.plies.append(ply)


def blocks_of(name: str, chunks: Iterator[Any], start: int) -> Iterator[str]:
    """Yield a text in blocks of whole lines. `start` is the place of the first chunk in the file."""
    rest, read = b"", start
    for chunk in chunks:
        lines, end, rest_of_chunk = bytes(chunk).rpartition(b"\n")
        read += len(chunk)
        if end:
            yield (rest + lines + end).decode("utf-8", "backslashreplace")
            rest = rest_of_chunk
        else:
            rest += rest_of_chunk
        if len(rest) > LONGEST_LINE:
            raise DamagedFileError(name, f"byte {read - len(rest):,}: a line of more than {LONGEST_LINE:,} bytes")
    if rest:
        yield rest.decode("utf-8", "backslashreplace")


def lines_of(name: str, chunks: Iterator[Any], start: int) -> Iterator[str]:
    """Yield the lines of a text, without their ends. `start` is the place of the first chunk in the file."""
    for block in blocks_of(name, chunks, start):
        for line in block.removesuffix("\n").split("\n"):
            yield line.removesuffix("\r")


def until_damage(parts: Iterator[Part], failures: list[DamagedFileError]) -> Iterator[Part]:
    """Yield parts of a text up to damage, which is added to `failures`: the rows before it come first."""
    try:
        yield from parts
    except DamagedFileError as error:
        failures.append(error)


def number_of(field: str, text: str, least: int, most: int) -> int:
    """Return an integer from its text, or raise a ValueError that names the field."""
    try:
        value = int(text) if len(text) <= _LONGEST_NUMBER else most + 1
    except ValueError:
        value = most + 1
    if not least <= value <= most:
        raise ValueError(f"{field} {shown(text)}: expected {least:,} to {most:,}")
    return value


def rows_of(name: str, fields: Fields, bad: list[BadRow], on_bad: OnBad) -> Iterator[ScoredPositions]:
    """Yield the rows of some fields, without those whose FEN or move cannot be read.

    These, and the rows of `bad`, go to `on_bad`. Without it the first of them is a `DamagedFileError`, raised after the
    rows before it.
    """
    positions = Positions.from_fens(fields.fens, errors="mark")
    keep = ~positions.marked
    found = list(bad)
    for line in positions.bad_lines:
        i = line.line - 1
        found.append(BadRow(name, fields.lines[i], fields.texts[i], f"FEN {shown(fields.fens[i])}: {line.reason}"))
    words = np.zeros(len(positions), np.uint16)
    for i, reason in _set_moves(positions, fields.moves, keep, words):
        found.append(BadRow(name, fields.lines[i], fields.texts[i], reason))
    found.sort(key=lambda row: row.line)
    if found and on_bad is None:
        keep &= np.array(fields.lines, np.int64) < found[0].line
    rows = ScoredPositions(Positions(positions.columns), moves=words, scores=fields.scores, results=fields.results)
    for i, ply in enumerate(fields.plies):
        if ply is not None:
            rows.plies[i] = ply
    if keep.any():
        yield rows if keep.all() else rows[keep]
    for row in found:
        if on_bad is None:
            raise DamagedFileError(name, f"line {row.line:,}: {row.reason}")
        on_bad(row)


def _set_moves(
    positions: Positions, texts: Sequence[str], keep: NDArray[np.bool_], words: NDArray[np.uint16]
) -> Iterator[tuple[int, str]]:
    """Set the words of moves in UCI or SAN; yield the rows with illegal ones, which are not kept, and the reasons."""
    given = np.array([i for i, move in enumerate(texts) if move not in _NO_MOVE and keep[i]], np.int64)
    if not given.size:
        return
    try:
        words[given] = positions[given].parse_san([texts[i] for i in given.tolist()])
    except ValueError:
        for i in given.tolist():
            try:
                words[i : i + 1] = positions[i : i + 1].parse_san([texts[i]])
            except ValueError as error:
                keep[i] = False
                yield i, str(error).removeprefix("texts[0]: ").removeprefix("SAN ")
