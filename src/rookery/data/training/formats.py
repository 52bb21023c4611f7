"""The formats of training data, in the order in which people use them."""

import functools
import os
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple, Protocol

from rookery.arguments import shown
from rookery.data.training.binary import bags, bulletformat, leela, leela_reading, packed_sfen, viriformat
from rookery.data.training.binary.binpack import reading as binpack_reading
from rookery.data.training.binary.binpack import writing as binpack_writing
from rookery.data.training.binary.decoding import Decoder, decoded
from rookery.data.training.limits import Limit
from rookery.data.training.samples import ScoredPositions
from rookery.data.training.tasks import division
from rookery.data.training.text import plain, tables
from rookery.data.training.text.rows import OnBad
from rookery.sources.ranges import Cuts
from rookery.sources.unpack import packing_of

_PACKED_BAG: Final = ".bagz"
Read = Callable[[str, Iterator[Any], int, OnBad, int], Iterator[ScoredPositions]]


class Encoder(Protocol):
    """A writer of a format: turns rows that are within its limits into bytes."""

    def add(self, rows: ScoredPositions) -> Iterator[bytes]:
        """Yield the bytes of some rows, or a part of them."""
        ...

    def end(self) -> Iterator[bytes]:
        """Yield the bytes that are left."""
        ...


class Writing(NamedTuple):
    """How a format is written: its encoder, the limits of its rows, and what is lost of every row, as texts.

    If it `joins`, files that follow each other are one file. In files with the suffix ``.bagz``, records are packed by
    the encoder `packed`.
    """

    encoder: Callable[[], Encoder]
    limits: tuple[Limit, ...]
    lost: tuple[str, ...]
    joins: bool = True
    packed: Callable[[], Encoder] | None = None

    def encoder_of(self, path: str | None) -> Encoder:
        """Return a new encoder for a file of this name."""
        is_packed = path is not None and _suffix(path) == _PACKED_BAG
        return self.packed() if self.packed is not None and is_packed else self.encoder()


class TrainingFormat(NamedTuple):
    """A format: its name, the suffixes of its files, and how it is read, written and divided; None if it is not.

    `read` takes the name of a file, chunks of its bytes, the size of batches, what takes bad rows, and the place of the
    first chunk in the file. With `has_header`, a range can only be read behind the first line of the file; with
    `has_lines`, bad rows are named by their lines.
    """

    name: str
    suffixes: tuple[str, ...]
    read: Read | None
    writing: Writing | None
    cuts: Cuts | None = None
    has_header: bool = False
    has_lines: bool = False


def _binary(decoder: Decoder) -> Read:
    def read(name: str, chunks: Iterator[Any], batch: int, on_bad: OnBad, start: int) -> Iterator[ScoredPositions]:
        del on_bad  # the bytes after a fault cannot be read
        return decoded(name, chunks, decoder, batch, start)

    return read


def _bag(kind: str, *lost: str, packed: bool = False) -> Writing:
    """Return how bags of a kind of records are written."""
    plain, pressed = (functools.partial(bags.BagEncoder, kind, packed=one) for one in (packed, True))
    return Writing(plain, bags.LIMITS[kind], lost, joins=False, packed=pressed)


FORMATS: Final = (
    TrainingFormat(
        "binpack",
        (".binpack",),
        _binary(binpack_reading.DECODER),
        Writing(
            binpack_writing.BlockEncoder,
            binpack_writing.LIMITS,
            ("full-move numbers: the number of plies says them",),
        ),
        division.BLOCKS_OF_BINPACK,
    ),
    TrainingFormat(
        "viriformat",
        (".viriformat", ".viri", ".vf"),
        _binary(viriformat.DECODER),
        Writing(viriformat.GameEncoder, viriformat.LIMITS, ("the number of plies: full-move numbers say it",)),
        division.found_by(division.before_game_of_viriformat),
    ),
    TrainingFormat(
        "bulletformat",
        (".bulletformat", ".bullet"),
        _binary(bulletformat.DECODER),
        Writing(
            bulletformat.ENCODER,
            bulletformat.LIMITS,
            (
                "which side is to move: the board is turned so that it is white",
                "castling rights",
                "en-passant squares",
                "half-move clocks and full-move numbers",
                "moves",
            ),
        ),
        division.entries(bulletformat.ENTRY),
    ),
    TrainingFormat(
        "plain",
        (".plain",),
        plain.read,
        Writing(plain.LineEncoder, plain.LIMITS, ()),
        division.found_by(division.after_entry_of_plain),
        has_lines=True,
    ),
    TrainingFormat(
        "packed-sfen",
        (".bin",),
        _binary(packed_sfen.DECODER),
        Writing(packed_sfen.ENCODER, packed_sfen.LIMITS, ()),
        division.entries(packed_sfen.ENTRY),
    ),
    TrainingFormat(
        "leela",
        (".leela",),
        leela_reading.read,
        Writing(
            leela.RecordEncoder,
            leela.LIMITS,
            ("exact scores: they become Q", "full-move numbers and the number of plies"),
        ),
        division.GAMES_OF_LEELA,
    ),
    *(
        TrainingFormat(name, suffixes, bags.read, writing)
        for name, suffixes, writing in (
            (bags.ACTION_VALUE, (".bag",), _bag(bags.ACTION_VALUE, "results", "lengths of mates")),
            (bags.STATE_VALUE, (), _bag(bags.STATE_VALUE, "moves", "results", "lengths of mates")),
            (bags.BEHAVIORAL_CLONING, (), _bag(bags.BEHAVIORAL_CLONING, "scores", "results")),
            ("bagz", (_PACKED_BAG,), _bag(bags.ACTION_VALUE, "results", "lengths of mates", packed=True)),
        )
    ),
    TrainingFormat(
        "csv", (".csv", ".tsv"), tables.read_csv, None, division.ROWS_OF_CSV, has_header=True, has_lines=True
    ),
    TrainingFormat("text", (".txt", ".epd"), tables.read_lines, None, division.LINES, has_lines=True),
    TrainingFormat("jsonl", (), tables.read_json, None, division.LINES, has_lines=True),
    TrainingFormat("table", (), tables.read_table, None),
)
_BY_NAME: Final = {found.name: found for found in FORMATS}
_BY_SUFFIX: Final = {suffix: found for found in FORMATS for suffix in found.suffixes}


def format_of(format: object, argument: str, path: str | None, *, written: bool = False) -> TrainingFormat:
    """Return the format of a name, or that of a file's suffix if `format` is None.

    `argument` is what errors call the file.
    """
    known = [found for found in FORMATS if (found.writing if written else found.read)]
    names = ", ".join(found.name for found in known)
    if format is not None:
        if not isinstance(format, str) or format not in _BY_NAME or _BY_NAME[format] not in known:
            raise ValueError(f"format: {shown(format)}: expected one of {names}")
        return _BY_NAME[format]
    if path is None:
        raise ValueError(f"{argument}: it has no name that says its format: expected format to be one of {names}")
    suffix = _suffix(path)
    if suffix not in _BY_SUFFIX or _BY_SUFFIX[suffix] not in known:
        suffixes = ", ".join(suffix for found in known for suffix in found.suffixes)
        raise ValueError(f"{argument}: {shown(path)}: expected a name that ends in {suffixes}, or a format")
    return _BY_SUFFIX[suffix]


def _suffix(path: str) -> str:
    """Return the suffix of a name, without that of its packing."""
    base = path.lower()
    if packing_of(base):
        base = os.path.splitext(base)[0]  # noqa: PTH122
    return os.path.splitext(base)[1]  # noqa: PTH122
