"""Files of training data in every format that is read, with damage."""

import functools
import io
import json
import random
import re
from typing import Any, Final

import rookery
from fuzzing import Target
from fuzzing.damage import damage
from rookery import ScoredPositions, scan_training
from rookery.data.training.formats import FORMATS
from rookery.sources.failures import DamagedFileError
from training_samples import games, rows_of

READ: Final = {one.name: one for one in FORMATS if one.read is not None}
_MADE: Final = tuple(one.name for one in FORMATS if one.read is not None and one.writing is not None)
ALL: Final = 1000  # rows, more than any file has
_TEXT: Final = ("plain", "csv", "text", "jsonl")
_PLACE: Final = re.compile(r"\bbytes? [\d,]+|\blines? [\d,]+|\brows? [\d,]+|\brecords? [\d,]+|cut short|ends? ", re.I)
_WORDS: Final = (
    *(
        b"fen ",
        b"move e2e4\n",
        b"score ",
        b"result 2",
        b"e\n",
        b"BINP\xff\xff\xff\x7f",
        b"BINP\0\0\0\0",
        b" | ",
        b"[0.5]",
    ),
    *(
        b"#-3",
        b"M1",
        b"ce 35;",
        b'c9 "1-0";',
        b"1/2-1/2",
        b"cp",
        b"mate",
        b"null",
        b"true",
        b"[",
        b"{",
        b"}\n",
        b'"',
        b",",
    ),
)


@functools.cache
def samples(name: str) -> list[bytes]:
    """Return files of a format, small and greater."""
    entries = games(12)
    found = []
    for size, start in ((0, 0), (1, 0), (1, 5), (5, 30), (20, 60), (60, 10)):
        rows = (
            rows_of(entries[start : start + size]) if size else ScoredPositions.concatenate([rows_of(entries[:1])])[:0]
        )
        if name in _MADE:
            file = io.BytesIO()
            rookery.write_training(rows, file, name)
            found.append(file.getvalue())
        else:
            found.append(_lines(name, rows))
    return found


def _lines(name: str, rows: ScoredPositions) -> bytes:
    fens, scores, results = rows.positions.to_fens(), rows.white_scores.tolist(), rows.white_results.tolist()
    words = ["0-1", "1/2-1/2", "1-0"]
    lines = []
    for i, (fen, score, result) in enumerate(zip(fens, scores, results, strict=True)):
        if name == "csv":
            lines.append(f'"{fen}",{score},{words[result + 1]},{i}')
        elif name == "jsonl":
            depths = [{"depth": 20 + i % 3, "pvs": [{"cp": score, "line": "e2e4 e7e5"}]}]
            lines.append(json.dumps({"fen": fen, "evals": depths} if i % 2 else {"fen": fen, "cp": score}))
        else:
            kinds = (
                f"{fen} | {score} | {words[result + 1]}",
                f"{fen} [{(result + 1) / 2}]",
                f"{fen} {words[result + 1]}",
            )
            epd = " ".join(fen.split()[:4]) + f' c9 "{words[result + 1]}"; ce {score}; hmvc 3;'
            lines.append((*kinds, epd)[i % 4])
    head = ["fen,cp,result,x"] if name == "csv" else []
    return "".join(line + "\n" for line in head + lines).encode()


def make(rng: random.Random) -> bytes:
    """Return the name of a format and a file of it, with damage."""
    name = rng.choice([name for name in READ if name != "table"])
    return name.encode() + b"\n" + damage(rng, rng.choice(samples(name)), _WORDS, samples(name))


def _read(data: Any, name: str, batch: int, errors: Any = "raise") -> tuple[ScoredPositions | None, str | None]:
    """Return the rows of a file up to its damage, and the error."""
    parts: list[ScoredPositions] = []
    try:
        with scan_training(data, name, batch=batch, errors=errors) as scan:
            parts.extend(scan)
    except (DamagedFileError, ValueError) as error:
        text = str(error).replace("the file: ", "the bytes: ")
        return (ScoredPositions.concatenate(parts) if parts else None), text
    return (ScoredPositions.concatenate(parts) if parts else None), None


class _Trickle(io.BytesIO):
    """A file that gives few bytes at a time."""

    def read(self, size: int | None = -1, /) -> bytes:
        few = max(37, len(self.getbuffer()) // 100)
        return super().read(min(few, few if size is None or size < 0 else size))


def check(data: bytes) -> None:
    """Read the file in batches and chunks of all sizes, and a part of it."""
    head, _, rest = data.partition(b"\n")
    name = head.decode("ascii", "replace")
    if name not in READ or name == "table":
        return
    rows, error = _read(rest, name, ALL)
    if error is not None:
        assert _PLACE.search(error) or "fen" in error, error
    if rows is not None:
        played = rows[rows.moves != 0]
        played.positions.play(played.moves)  # which checks them
        assert name in _TEXT or rows.positions.is_valid(strict=False).all()  # text may have impossible positions
    for size in (1, 7):
        assert _same(_read(rest, name, size), (rows, error))
    if "bag" not in name and name not in (
        "action-value",
        "state-value",
        "behavioral-cloning",
    ):  # their ends say where records are
        assert _same(_read(_Trickle(rest), name, 50), (rows, error))
        part = _read(rest[: len(rest) * (len(rest) % 7) // 7], name, ALL)[0]
        n = 0 if part is None else len(part) - (name in _TEXT)
        assert n <= 0 or (rows is not None and part is not None and part[:n] == rows[:n])
    if name in _TEXT and error is not None and "line" in error:
        kept, again = _read(rest, name, ALL, "skip")
        before = 0 if rows is None else len(rows)
        assert again is None or name == "csv" or "cut short" in again, again
        assert before == 0 or (kept is not None and rows is not None and kept[:before] == rows)


def _same(one: tuple[ScoredPositions | None, str | None], other: tuple[ScoredPositions | None, str | None]) -> bool:
    rows, others = one[0], other[0]
    if rows is None or others is None:
        return (rows is None or not len(rows)) and (others is None or not len(others)) and one[1] == other[1]
    return rows == others and one[1] == other[1]


TARGETS: Final = (Target("training", make, check),)
