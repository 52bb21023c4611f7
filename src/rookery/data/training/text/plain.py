"""Plain: the text form of Stockfish's training data, six lines per position.

    fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
    move e2e4
    score 34
    ply 0
    result 1
    e

Scores and results (1, 0, -1) are those of the side to move. A position without a move has ``0000``.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from rookery.arguments import shown
from rookery.data.training import limits
from rookery.data.training.samples import ScoredPositions
from rookery.data.training.text.rows import (
    MOST_SCORE,
    BadRow,
    Fields,
    OnBad,
    blocks_of,
    number_of,
    rows_of,
    until_damage,
)
from rookery.sources.failures import DamagedFileError

LIMITS: Final = (limits.NO_POSITION, limits.NO_SCORE, limits.NO_RESULT, limits.ILLEGAL)
_FIELDS: Final = ("fen", "move", "score", "ply", "result")
_RESULTS: Final = {"1": 1, "0": 0, "-1": -1}
_AT_ONCE: Final = 2_048  # rows whose text is made at once: more of them take memory that is not reused
_LONGEST_GAME: Final = 1_000_000  # plies
# An entry as programs write it; others are read line by line.
_USUAL: Final = re.compile(
    r"fen (\S[^\r\n]*)\r?\nmove (\S+)\r?\nscore (-?[0-9]{1,5})\r?\nply ([0-9]{1,6})\r?\nresult (-1|0|1)\r?\ne\r?\n"
)


def read(name: str, chunks: Iterator[Any], batch: int, on_bad: OnBad, start: int) -> Iterator[ScoredPositions]:
    """Yield the rows of a file in batches. Bad entries go to `on_bad`, or are a `DamagedFileError` without it."""
    fields, bad = Fields.none(), list[BadRow]()
    entry: list[str] = []
    failures: list[DamagedFileError] = []
    number = 0
    for block in until_damage(blocks_of(name, chunks, start), failures):
        at = 0
        while at < len(block):
            usual = None if entry else _USUAL.match(block, at)
            if usual is not None and abs(int(usual[3])) <= MOST_SCORE:
                fen, move, text, ply, result = usual.groups()
                number, at = number + len(_FIELDS) + 1, usual.end()
                fields.add(number, fen, fen, move, int(text), _RESULTS[result], int(ply))
            else:
                end = block.find("\n", at)
                line = block[at : end if end >= 0 else len(block)].strip()
                number, at = number + 1, end + 1 if end >= 0 else len(block)
                if line != "e":
                    entry += [line] if line else []
                    continue
                _add(name, number, entry, fields, bad)
                entry = []
            if len(fields.fens) + len(bad) >= batch or (bad and on_bad is None):
                yield from rows_of(name, fields, bad, on_bad)
                fields, bad = Fields.none(), []
    if entry and not failures:
        failures.append(DamagedFileError(name, "cut short: the file ends in the middle of an entry"))
    yield from rows_of(name, fields, bad, on_bad)
    for failure in failures:
        raise failure


def _add(name: str, number: int, entry: list[str], fields: Fields, bad: list[BadRow]) -> None:
    """Add an entry that ends on line `number` to the rows, or to the bad ones."""
    values = dict(line.partition(" ")[::2] for line in entry)
    text = values.get("fen", entry[0] if entry else "")
    try:
        if len(values) != len(entry) or set(values) != set(_FIELDS):
            raise ValueError(f"{shown(' '.join(values))}: expected one line each of {', '.join(_FIELDS)}")
        score = number_of("score", values["score"], -MOST_SCORE, MOST_SCORE)
        ply = number_of("ply", values["ply"], 0, _LONGEST_GAME)
        if values["result"] not in _RESULTS:
            raise ValueError(f"result {shown(values['result'])}: expected 1, 0 or -1")
    except ValueError as error:
        bad.append(BadRow(name, number, text, str(error)))
    else:
        fields.add(number, text, values["fen"], values["move"], score, _RESULTS[values["result"]], ply)


class LineEncoder:
    """A writer of plain text: turns rows into bytes."""

    def add(self, rows: ScoredPositions) -> Iterator[bytes]:
        """Yield the text of some rows, all of which are within the limits."""
        for start in range(0, len(rows), _AT_ONCE):
            yield self._text(rows[start : start + _AT_ONCE])

    def _text(self, rows: ScoredPositions) -> bytes:
        moves = rows.positions.uci(rows.moves)
        columns = rows.positions.to_fens(), moves.tolist(), rows.scores.tolist(), rows.plies.tolist()
        text = "".join(
            f"fen {fen}\nmove {move}\nscore {score}\nply {ply}\nresult {result}\ne\n"
            for fen, move, score, ply, result in zip(*columns, rows.results.tolist(), strict=True)
        )
        return text.encode()

    def end(self) -> Iterator[bytes]:
        """Yield nothing: entries have no end."""
        yield from ()
