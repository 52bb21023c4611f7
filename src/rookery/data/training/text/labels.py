"""Labelled positions: lines of a FEN with a score, a result or both, in the forms that trainers and tuners use.

    FEN | 310 | 1.0        score and result, from White's side; either may be left out
    FEN | #-3 | 0.0        a mate in 3 moves of Black
    FEN [0.5]              the result, from White's side; also FEN [1-0], FEN;0.5, FEN,1-0 and FEN 1/2-1/2
    FEN c9 "1/2-1/2";      an EPD: `c9` is the result, `ce` the centipawns of the side to move, `dm` its mate in moves

A score after a result in brackets, as in ``FEN [0.5] 35``, is an error: nothing says whose view it is from.
"""

import contextlib
import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from rookery.arguments import shown
from rookery.data.training.text.rows import MOST_SCORE, number_of
from rookery.results import BLACK_WON, DRAWN, HALF, UNFINISHED, WHITE_WON
from rookery.rules.notation.epd import parse_operations, split_counters

# The result from White's side: 1, 0 or -1; None if it is not known.
RESULTS: Final[Mapping[str, int | None]] = {
    **dict.fromkeys((WHITE_WON, "1.0"), 1),
    **dict.fromkeys((BLACK_WON, "0.0"), -1),
    **dict.fromkeys((DRAWN, HALF, "0.5"), 0),
    **dict.fromkeys(("", UNFINISHED), None),
}
LABELS: Final = frozenset({"cp", "mate", "score", "evaluation", "eval", "result"})  # columns of a table
_POINTS: Final = {1.0: 1, 0.5: 0, 0.0: -1}
EXPECTED: Final = "expected FEN | score | result, FEN [result], or an EPD with c9, ce or dm"
_FIELDS: Final = 4  # of an EPD, before its counters and operations
_OPCODES: Final = {"result": "c9", "score": "ce", "dm": "dm"}
_MATE: Final = re.compile(r"([+-]?)[#M]")
_LONGEST_MATE: Final = 500  # moves
_BRACKETS: Final = re.compile(r"([^\[\]|]+?)\s*(\[[^\[\]]*\])\s*(.*)", re.DOTALL)

# A result alone behind a FEN, which has four fields or six.
_TRAILING: Final = re.compile(
    r'\s*(\S+\s+[wb]\s+\S+\s+[^\s;,]+(?:\s+[0-9]+\s+[0-9]+)?)(?:\s*[;,]\s*|\s+)"?(1-0|0-1|1/2-1/2|[01]\.[0-9]+)"?\s*;?\s*'
)


def labels_of(line: str) -> dict[str, str]:
    """Return the parts of a line by the names of columns: fen, cp, mate, score and result, those that it has.

    >>> labels_of("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1 | 310 | 1.0")
    {'fen': '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1', 'cp': '310', 'result': '1.0'}
    >>> labels_of('8/8/8/4k3/8/8/4P3/4K3 w - - c9 "1-0"; ce 310;')
    {'fen': '8/8/8/4k3/8/8/4P3/4K3 w - -', 'result': '1-0', 'score': '310'}
    """
    if "|" in line:
        parts = [part.strip() for part in line.split("|")]
        if len(parts) not in (2, 3):
            raise ValueError(f"{shown(line)}: {EXPECTED}")
        if len(parts) == 2 and RESULTS.get(parts[1], None) is not None:
            return {"fen": parts[0], "result": parts[1]}
        return {"fen": parts[0], "cp": parts[1], "result": parts[2] if len(parts) == 3 else ""}
    if bracketed := _BRACKETS.fullmatch(line.strip()):
        fen, result, rest = bracketed.groups()
        if rest.strip(" ;"):
            raise ValueError(f"{shown(rest)} after {result}: whose score it is is not known: {EXPECTED}")
        return {"fen": fen.rstrip(" ;,"), "result": result}
    if trailing := _TRAILING.fullmatch(line):
        return {"fen": trailing[1], "result": trailing[2]}
    fields = line.split(None, _FIELDS)
    counters, operations = split_counters("".join(fields[_FIELDS:]))
    is_plain = operations.replace(" ", "").isdigit()  # counters alone
    read = {} if is_plain else parse_operations(operations)
    labels = {name: str(read[opcode]) for name, opcode in _OPCODES.items() if read.get(opcode) is not None}
    if not labels:
        raise ValueError(f"{shown(line)}: {EXPECTED}")
    return {"fen": " ".join([*fields[:_FIELDS], *map(str, counters.values())]), **labels}


def has_labels(columns: Iterable[str]) -> bool:
    """Check whether a table with these columns has labels, as `label_of` reads them.

    >>> has_labels(["FEN", "Evaluation"]), has_labels(["FEN", "Themes"])
    (True, False)
    """
    return not LABELS.isdisjoint(name.strip().lower() for name in columns)


def is_labelled(line: str) -> bool:
    """Check whether a line has a label.

    >>> is_labelled("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1 [0.5]"), is_labelled("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1")
    (True, False)
    """
    try:
        labels_of(line)
    except ValueError:
        return False
    return True


class Label(NamedTuple):
    """A position with its label from White's side: centipawns, or moves to mate instead, and the result 1, 0 or -1."""

    fen: str
    cp: int | None
    mate: int | None
    result: int | None


def label_of(values: Mapping[str, str]) -> Label:
    """Return the label that columns of text state; ValueError for a text that is not one.

    >>> label_of({"fen": "8/8/8/4k3/8/8/4P3/4K3 b - -", "score": "-310", "result": "1-0"})
    Label(fen='8/8/8/4k3/8/8/4P3/4K3 b - -', cp=310, mate=None, result=1)
    >>> label_of({"fen": "8/8/8/4k3/8/8/4P3/4K3 b - -", "evaluation": "#+3"}).mate
    3
    """
    fen, cp, mate = values["fen"], None, None
    sign = -1 if fen.partition(" ")[2][:1] == "b" else 1
    if text := values.get("cp") or values.get("evaluation") or values.get("eval"):
        if _MATE.match(text):
            mate = _mate("mate", text)
        else:
            cp = number_of("cp", text, -MOST_SCORE, MOST_SCORE)
    elif text := values.get("mate"):
        mate = _mate("mate", text)
    elif text := values.get("score"):
        cp = sign * number_of("score", text, -MOST_SCORE, MOST_SCORE)
    elif text := values.get("dm"):
        mate = sign * _mate("dm", text)
    return Label(fen, cp, mate, _result(values.get("result", "")))


def _result(text: str) -> int | None:
    """Return the result from White's side, None if it is not known."""
    bare = text.strip("[] ")
    if bare in RESULTS:
        return RESULTS[bare]
    with contextlib.suppress(ValueError, KeyError):
        return _POINTS[float(bare)]
    raise ValueError(f"result {shown(text)}: expected 1-0, 1/2-1/2, 0-1, or 1.0, 0.5, 0.0 for white")


def _mate(field: str, text: str) -> int:
    """Return the number of moves of a mate such as ``#+3`` or ``-M3``."""
    found = _MATE.match(text)
    text = found[1] + text[found.end() :] if found else text
    return number_of(field, text, -_LONGEST_MATE, _LONGEST_MATE)
