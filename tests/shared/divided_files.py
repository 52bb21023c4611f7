"""Files of games that are divided into ranges, some of them damaged."""

import functools
import io
import itertools
import random
import tempfile
import warnings
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import zstandard

import rookery
from damaged_games import GAMES, damaged
from game_samples import SAMPLE
from rookery.games.read.game_ranges import ranges_of

SIZE = 6_000
WINDOW = 2_000  # less than a range, so that damage in most places is not seen when a file is divided
SKIPPED = b"\x5a\x2a\x4d\x18\x05\x00\x00\x00bytes"


@functools.cache
def text() -> bytes:
    """Return PGN in which some games are damaged, and which begins in a comment."""
    rng = random.Random(8878)
    games = [damaged(rng, game) if rng.random() < 0.2 else game for game in GAMES * 4]
    return b"{ a comment [Event \n\n" + b"\n\n".join(games) + b"\n\n" + SAMPLE.read_bytes()


@functools.cache
def in_frames(content: bytes) -> tuple[bytes, list[int]]:
    """Pack text in frames of every form, most of which end within a game; return the file, and where frames begin."""
    rng = random.Random(1)
    file, places = bytearray(SKIPPED), []
    while content:
        size = rng.randrange(1, 1_500)
        piece, content = content[:size], content[size:]
        packer = zstandard.ZstdCompressor(
            level=rng.choice([1, 3, 9]), write_checksum=rng.random() < 0.5, write_content_size=rng.random() < 0.5
        )
        places.append(len(file))
        if rng.random() < 0.5:
            file += packer.compress(piece)
        else:  # several blocks, and a header without the size of the content
            unfinished = packer.compressobj()
            for i in range(0, len(piece), 400):
                file += unfinished.compress(piece[i : i + 400])
                file += unfinished.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)
            file += unfinished.flush()
        if rng.random() < 0.2:
            file += SKIPPED
    return bytes(file), places


def with_flipped_bits(content: bytes, begin: int) -> bytes:
    """Damage the content of the first frame from a place on that is found to be damaged when it is unpacked."""
    for place in range(begin, begin + 2_000):
        changed = bytearray(content)
        changed[place] ^= 0x55
        try:
            zstandard.ZstdDecompressor().stream_reader(io.BytesIO(changed), read_across_frames=True).read()
        except zstandard.ZstdError:
            return bytes(changed)
    raise AssertionError("no damage was found")


def damaged_frames(content: bytes, places: list[int], path: Path) -> bytes:
    """Damage a frame where the division of the file does not find it, so that ranges follow it."""
    for begin, end in itertools.pairwise(places[len(places) // 3 :]):
        changed = with_flipped_bits(content, (begin + end) // 2)
        path.write_bytes(changed)
        if list(ranges_of(str(path), SIZE))[-1].start > end:
            return changed
    raise AssertionError("no range follows the damage")


def table_of_movetext() -> Any:
    games = [one.partition(b"\n\n") for one in GAMES * 6]
    return pa.table(
        {
            "White": [f"player {i}" for i in range(len(games))],
            "WhiteElo": pa.array([1400 + 7 * i for i in range(len(games))], pa.int16()),
            "movetext": [(moves if i % 5 else moves[:40] + b" Ke9").decode() for i, (_, _, moves) in enumerate(games)],
        }
    )


@functools.cache
def _content(kind: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        return _made(kind, Path(folder) / "file").read_bytes()


def file_of(kind: str, folder: Path) -> Path:
    """Return a file of a kind that is divided."""
    path = folder / kind.replace(" ", "-")
    path.write_bytes(_content(kind))
    return path


def _made(kind: str, path: Path) -> Path:
    if kind.startswith("zstd"):
        content, places = in_frames(text())
        if kind == "zstd, damaged":
            content = damaged_frames(content, places, path)
        elif kind == "zstd, cut short":
            content = content[: places[len(places) * 2 // 3] + 100]
        path.write_bytes(content)
    elif kind.startswith("stored"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            games = rookery.read_pgn(text(), errors="skip" if "skip" in kind else "keep")
        if "Arrow" in kind:
            with pa.ipc.new_file(path, games.to_arrow().schema) as writer:
                writer.write_table(games.to_arrow(), max_chunksize=4)
        else:
            rookery.write_parquet(games, path, row_group_size=4)
        if "damaged" in kind:
            group = pq.ParquetFile(path).metadata
            chunk = group.row_group(group.num_row_groups * 2 // 3).column(
                group.schema.to_arrow_schema().names.index("moves")
            )
            changed = bytearray(path.read_bytes())
            changed[chunk.data_page_offset : chunk.data_page_offset + 20] = b"\xff" * 20
            path.write_bytes(changed)
    elif kind == "plain":
        path.write_bytes(text())
    elif kind == "movetext in Arrow":
        with pa.ipc.new_file(path, table_of_movetext().schema) as writer:
            writer.write_table(table_of_movetext(), max_chunksize=5)
    else:
        pq.write_table(table_of_movetext(), path, row_group_size=5)
    return path


KINDS = [
    "zstd",
    "zstd, damaged",
    "zstd, cut short",
    "stored in Parquet",
    "stored in Parquet, skip",
    "stored in Parquet, damaged",
    "stored in Arrow",
    "movetext in Parquet",
    "movetext in Arrow",
]
