"""The loop that all readers of bytes share: a compiled decoder fills rows from a buffer, and Python refills the buffer.

A decoder is an entry ``decode(data, state, row, columns, moves, scores, results, plies, tables)``. It goes on where it
stopped: when the rows are full (`FULL`), when the buffer may not hold its next step (`MORE`), or at a fault. All that
it keeps is in `state` and `row`; the fields of `state` that every decoder has are listed below. Scores and results are
given to it as unsigned words.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from rookery.bitboards.bits import A_FILE, H_FILE, RANK_1, RANK_8
from rookery.data.training.samples import ScoredPositions, empty_rows_of
from rookery.kernel import U64, UNIVERSE, Word, array_of, cold_kernel, kernel
from rookery.positions.kernels.lanes import lane, store
from rookery.positions.layout import BLACK_TO_MOVE, CHESS960, CLOCK_SHIFT, COUNTER, NUMBER_SHIFT, empty_columns
from rookery.rules.compiled import default_technique
from rookery.rules.constants import WORDS
from rookery.rules.faults import playing_faults
from rookery.rules.position import Position
from rookery.sources.failures import DamagedFileError

E_FILE = A_FILE << 4
CORNERS = (A_FILE | H_FILE) & (RANK_1 | RANK_8)

# Fields of `state`. `END` is a place in the buffer, too: a decoder may note there how far its block reaches.
AT, STOP, LAST, N, ROOM, END = range(6)
OWN: Final = 6  # the first field of a decoder's own
FIELDS: Final = 16

# What a decoder returns. Faults of one format have numbers from `OWN_FAULTS` on.
MORE, FULL, CUT_SHORT, BAD_PIECES, BAD_POSITION, BAD_MOVE, BAD_RESULT = range(7)
OWN_FAULTS: Final = 16
FAULTS: Final[dict[int, str]] = {
    CUT_SHORT: "cut short: the file ends in the middle of an entry",
    BAD_PIECES: "four bits that stand for no piece, or more than 32 pieces",
    BAD_POSITION: "an impossible position",
    BAD_MOVE: "a move that is not legal",
    BAD_RESULT: "an unknown result code",
}
BUFFER: Final = 1 << 20  # bytes
SLACK: Final = 64  # bytes behind the buffer that decoders may read and ignore


def decoder_example() -> tuple[Any, ...]:
    """Return an example of the arguments of a decoder."""
    data, words, moves = array_of(np.uint8), array_of(U64), array_of(np.uint16)
    rows = (empty_columns(1), moves, moves, data, array_of(np.int32))
    return data, words, words, *rows, default_technique().tables()


class Decoder(NamedTuple):
    """A format's compiled decoder, and its faults by number."""

    decode: Callable[..., Any]
    faults: Mapping[int, str]


@kernel
def state_word(p: Position, clock: Word, number: Word, chess960: Word) -> Word:
    """Return the `state` of a position in columns."""
    flags = (p.turn * BLACK_TO_MOVE) | (CHESS960 if chess960 else 0)
    return flags | (clock & COUNTER) << CLOCK_SHIFT | (number & COUNTER) << NUMBER_SHIFT


@kernel
def put(c: Any, n: Word, p: Position, clock: Word, number: Word, chess960: Word) -> None:
    """Write a position to row `n`."""
    store(c, n, lane(p, state_word(p, clock, number, chess960)))


@kernel
def is_chess960(p: Position) -> Word:
    """Return 1 if a side may castle with a king off the e-file or a rook outside the corners, else 0."""
    ours, theirs = p.castling & p.us, p.castling & p.them
    kings = p.kings & ((p.us if ours else 0) | (p.them if theirs else 0))
    return 1 if (kings & (UNIVERSE ^ E_FILE)) | (p.castling & (UNIVERSE ^ CORNERS)) else 0


@cold_kernel
def is_playable(p: Position, t: Any) -> Word:
    """Return 1 if a position can be played on, else 0."""
    return 0 if playing_faults(p, t) else 1


def decoded(
    name: str, chunks: Iterator[Any], decoder: Decoder, batch: int, start: int = 0
) -> Iterator[ScoredPositions]:
    """Yield the rows of a file in batches. A fault is a `DamagedFileError`, raised after the rows before it.

    `start` is the place of the first chunk in the file.
    """
    source = _Buffer(chunks, start)
    state, row = source.state, np.zeros(WORDS, np.uint64)
    tables = default_technique().tables()
    while True:
        rows = empty_rows_of(batch)
        state[N], state[ROOM] = 0, batch
        columns = rows.positions.columns, rows.moves, rows.scores.view(np.uint16), rows.results.view(np.uint8)
        error: DamagedFileError | None = None
        while True:
            code = int(decoder.decode(source.data, state, row, *columns, rows.plies, tables))
            if code != MORE:
                break
            if state[LAST]:
                break
            try:
                source.refill()
            except DamagedFileError as failure:  # what was read comes first
                error = failure
                break
        n = int(state[N])
        if n:
            yield rows if n == batch else rows[:n]
        if code not in (MORE, FULL):
            reason = decoder.faults.get(code) or FAULTS[code]
            raise DamagedFileError(name, f"byte {source.base + int(state[AT]):,}: {reason}")
        if error is not None:
            raise error
        if code == MORE:
            return


class _Buffer:
    """The bytes that a decoder reads next, and its state."""

    def __init__(self, chunks: Iterator[Any], start: int) -> None:
        self.data = np.zeros(BUFFER + SLACK, np.uint8)
        self.state = np.zeros(FIELDS, np.uint64)
        self.base = start  # the place of the buffer's first byte in the file
        self._chunks = chunks
        self._held = memoryview(b"")

    def refill(self) -> None:
        """Move what is left to the front of the buffer, and read on until it is full or the file ends."""
        state, at, stop = self.state, int(self.state[AT]), int(self.state[STOP])
        self.data[: stop - at] = self.data[at:stop].copy()
        self.base += at
        state[END] -= U64(at) if state[END] else U64(0)
        state[AT], stop = 0, stop - at
        while stop < BUFFER:
            if not self._held:
                chunk = next(self._chunks, None)
                if chunk is None:
                    state[LAST] = 1
                    break
                self._held = memoryview(chunk).cast("B")
            n = min(len(self._held), BUFFER - stop)
            self.data[stop : stop + n] = np.frombuffer(self._held[:n], np.uint8)
            self._held = self._held[n:]
            stop += n
        state[STOP] = stop
        self.data[stop : stop + SLACK] = 0
