"""Moves in standard algebraic notation: at most seven characters, of four bytes each as in NumPy's texts."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.kernel import U64, array_of, entry
from rookery.positions.kernels.lanes import load, position
from rookery.positions.layout import Columns, empty_columns
from rookery.positions.notation.sources import Lines
from rookery.positions.threads import each_in_threads, spans
from rookery.rules.compiled import default_technique
from rookery.rules.notation.san_reader import REFUSED, read_san
from rookery.rules.notation.san_writer import LONGEST, write_san

_PADDING = np.uint32(0)
_SLICE: Final = 1 << 20  # moves written between two checks for Ctrl-C: about 0.1 s


@entry(
    examples=lambda: (
        empty_columns(1),
        array_of(np.int64),
        array_of(np.uint16),
        array_of(np.uint32, 2),
        array_of(np.uint8),
        default_technique().tables(),
    )
)
def write_moves(c: Any, which: Any, moves: Any, out: Any, lengths: Any, t: Any) -> None:
    """Write each move, of position ``which[i]``, into a row of `out`, and its length: 0 if it is not legal."""
    for i in range(moves.size):
        length = write_san(out[i], 0, position(load(c, which[i]), t), U64(moves[i]), 0, t)
        for j in range(length, LONGEST):
            out[i, j] = _PADDING
        lengths[i] = length


def texts_of(
    columns: Columns, which: NDArray[np.int64], moves: NDArray[np.uint16], threads: int
) -> tuple[NDArray[np.str_], int]:
    """Return the texts of moves, and the index of the first that is not legal, or -1."""
    n = moves.size
    out, lengths = np.empty((n, LONGEST), np.uint32), np.empty(n, np.uint8)
    tables = default_technique().tables()

    def work(span: tuple[int, int]) -> None:
        part = slice(*span)
        write_moves(columns, which[part], moves[part], out[part], lengths[part], tables)

    for _ in each_in_threads(work, spans(n, threads, most=_SLICE), threads):
        pass
    bad = np.flatnonzero(lengths == 0)
    return out.view(f"U{LONGEST}").reshape(n), int(bad[0]) if bad.size else -1


_PAD: Final = 64


@entry(
    examples=lambda: (
        empty_columns(1),
        array_of(np.uint8),
        array_of(U64),
        0,
        0,
        array_of(np.uint16),
        array_of(np.bool_),
        default_technique().tables(),
    )
)
def read_moves(c: Any, text: Any, starts: Any, first: Any, last: Any, words: Any, legal: Any, t: Any) -> None:
    """Parse the move of each position, and note whether it is legal."""
    for i in range(first, last):
        word = read_san(text, U64(starts[i]), U64(starts[i + 1]), position(load(c, i), t), t)
        legal[i] = word != REFUSED
        words[i] = word if word != REFUSED else 0


def words_of_texts(columns: Columns, lines: Lines, threads: int) -> tuple[NDArray[np.uint16], int]:
    """Return the moves of texts, and the index of the first text that is not a legal move, or -1."""
    n = lines.number
    text = np.zeros(lines.text.size + _PAD, np.uint8)
    text[: lines.text.size] = lines.text
    words, legal = np.empty(n, np.uint16), np.empty(n, np.bool_)
    tables = default_technique().tables()

    def work(span: tuple[int, int]) -> None:
        read_moves(columns, text, lines.starts, *span, words, legal, tables)

    for _ in each_in_threads(work, spans(n, threads, most=_SLICE), threads):
        pass
    legal[list(lines.missing)] = False
    bad = np.flatnonzero(~legal)
    return words, int(bad[0]) if bad.size else -1
