"""The arrays that the compiled reader fills, and what it found in a block of text."""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.kernel import U64, entry_of
from rookery.pgn.scan import output
from rookery.pgn.scan.headers.values import past_blank_lines
from rookery.pgn.scan.lexing.vocabulary import MOST_WARNINGS, SLOTS
from rookery.pgn.scan.output import PAD, Output, Scratch
from rookery.rules.constants import REPORT, WORDS, default_tables

scan: Final = entry_of("rookery.pgn.scan.scanner", "scan")

_SEEN: Final = 1 << 15  # places for names of headers that are not known
_FEWEST_GAMES: Final = 4096
_WARNINGS: Final = 4 * MOST_WARNINGS  # read in one go, and no more than one game may go beyond
_BYTES_A_GAME: Final = 128  # of games shorter than this fewer are read in one go
_LEAST_ROOM: Final = 1 << 18  # bytes of text: arrays for more are not for small files, since the system clears them
# The fields of the state, each of eight bytes, and those that count what was written.
_FIELDS: Final = output.STATE.names or ()
_RANGE, _GAMES_OF_RANGE, _PLACE, _LINE_START, _GAMES, _AFTER_RESULT = map(
    _FIELDS.index, ("range", "games_of_range", "place", "line_start", "games", "after_result")
)
_WRITTEN: Final = slice(_FIELDS.index("games"), _FIELDS.index("elapsed") + 1)


class Found(NamedTuple):
    """The games of a block: views into the reader's arrays, which its next call overwrites."""

    games: NDArray[np.int64]
    slots: NDArray[np.int32]
    moves: NDArray[np.uint16]
    clocks: NDArray[np.float32] | None  # None where no ply has one, as the next two
    evaluations: NDArray[np.float32] | None
    elapsed: NDArray[np.float32] | None
    tags: NDArray[np.int32]
    nags: NDArray[np.int32]
    comments: NDArray[np.int32]
    variations: NDArray[np.int32]
    starts: NDArray[np.uint64]
    warnings: NDArray[np.int32]
    place: int  # all before is read
    whole: bool  # whether all is
    ranges: NDArray[np.int64]
    text_ends: NDArray[np.int64] | None = None  # where each game's text ends, with empty lines behind it
    want: int = 0  # the options of the reader
    text_start: int = 0  # where the first game's text begins, if the stretch had games before


class BlockReader:
    """Reads blocks of text, one after the other, into the same arrays. One thread's."""

    _MOST_KEPT: Final = 1 << 21  # bytes of text: readers with room for more are not kept
    _MOST_FREE: Final = 2  # readers of a kind that are kept

    def __init__(self, want: int, texts: bool = False) -> None:
        self.want = U64(want)
        self._texts = texts
        # What `give_back` needs: a generator may end when Python exits, and then a module has no names.
        self._free = _free.setdefault((int(want), texts), [])
        self._nothing = np.empty(0, np.uint8), np.empty((0, 3), np.int64)
        self._room = 0
        self._output: Output | None = None
        self._scratch = Scratch(
            np.recarray(1, output.STATE),
            np.zeros(WORDS, U64),
            np.zeros(REPORT, np.int64),
            np.zeros(2 * PAD, np.uint8),
            np.zeros(_SEEN, np.int32),
        )
        # The state as words: a field of a record takes NumPy 0.5 us, and a block has dozens.
        self._state = self._scratch.state.view(np.ndarray).view(U64)
        self._tables = default_tables()
        self._code: Any = None

    def _make_room(self, size: int) -> Output:
        """Return arrays for any text of `size` bytes. Memory that is not written to is never allocated."""
        if self._output is None or self._room < size:
            games = max(size // _BYTES_A_GAME, _FEWEST_GAMES)
            marks, few = size // 2 + 16, 16
            clocks = marks if self.want & output.CLOCKS else few
            self._output = Output(
                np.empty((games, output.ROW), np.int64),
                np.empty((games, SLOTS), np.int32),
                np.empty(marks, np.uint16),
                np.empty(clocks, np.float32),
                np.empty(clocks, np.float32),
                np.empty(clocks, np.float32),
                np.empty((size // 5 + few, 5), np.int32),
                np.empty((marks if self.want & output.NAGS else few, 3), np.int32),
                np.empty((marks if self.want & output.COMMENTS else few, 4), np.int32),
                np.empty((marks if self.want & output.VARIATIONS else few, 3), np.int32),
                np.empty((size // 16 + few, output.START_ROW), U64),
                np.empty((_WARNINGS, output.WARNING_ROW), np.int32),
            )
            self._room = size
        return self._output

    @classmethod
    def taken(cls, want: int, texts: bool = False) -> "BlockReader":
        """Return a reader that was given back, or a new one: the system takes longer to clear its arrays than it reads.

        Each thread gets another one.
        """
        try:
            return _free[int(want), texts].pop()
        except (KeyError, IndexError):
            return cls(want, texts)

    def give_back(self) -> None:
        """Keep this reader for another text, unless its arrays are large. Nobody looks at what it found any more."""
        self._text, self._ranges = self._nothing
        if self._room <= self._MOST_KEPT and len(self._free) < self._MOST_FREE:
            self._free.append(self)

    def begin(
        self, text: NDArray[np.uint8], ranges: NDArray[np.int64], at_line: bool = True, after_result: bool = False
    ) -> None:
        """Begin a text, whose last `PAD` bytes are not read, and its stretches; see `scan`.

        `at_line` is whether the text begins a line, and `after_result` whether a result precedes it on its line.
        """
        self._text, self._ranges = text, ranges
        state = self._state
        state[_RANGE] = state[_GAMES_OF_RANGE] = 0
        state[_PLACE] = ranges[0, 0] if len(ranges) else 0
        state[_LINE_START], state[_AFTER_RESULT] = at_line, after_result

    @property
    def at_line(self) -> bool:
        """Check whether the next game begins at the start of a line."""
        return bool(self._state[_LINE_START])

    def read(self) -> Found | None:
        """Return the next games of the text, or None if all complete games have been read."""
        state = self._state
        if state[_RANGE] >= len(self._ranges):
            return None
        o = self._make_room(max(int((self._ranges[:, 1] - self._ranges[:, 0]).sum()), _LEAST_ROOM))
        state[_WRITTEN] = 0
        self._scratch.seen.fill(-1)  # rows that a call before filled are others now
        if self._code is None:
            self._code = scan.resolve(self._text, self._ranges, self.want, o, self._scratch, self._tables)
        start = int(state[_PLACE])
        why = self._code(self._text, self._ranges, self.want, o, self._scratch, self._tables)
        text_ends = self._text_ends(o.games[: int(state[_GAMES])]) if self._texts else None
        n = dict(zip(_FIELDS, state.tolist(), strict=True))
        if why == 1:
            state[_RANGE] = len(self._ranges)
        plies = n["plies"]
        return Found(
            o.games[: n["games"]],
            o.slots[: n["games"]],
            o.moves[:plies],
            _filled(o.clocks, n["clocks"], plies),
            _filled(o.evaluations, n["evaluations"], plies),
            _filled(o.elapsed, n["elapsed"], plies),
            o.tags[: n["tags"]],
            o.nags[: n["nags"]],
            o.comments[: n["comments"]],
            o.variations[: n["variations"]],
            o.starts[: n["starts"]],
            o.warnings[: n["warnings"]],
            n["place"],
            why == 0,
            self._ranges,
            text_ends,
            int(self.want),
            start,
        )

    def _text_ends(self, games: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return where the texts of games end, so that nothing of a stretch is left out, and go on behind them."""
        state, ranges = self._state, self._ranges
        of_range = games[:, output.OF_RANGE]
        ends: NDArray[np.int64] = ranges[of_range, 1]
        if ends.size:
            same = np.flatnonzero(of_range[1:] == of_range[:-1])
            ends[same] = games[same + 1, output.BEGINS]
            past_blank_lines(self._text, games, ends)
            final = np.append(of_range[1:] != of_range[:-1], of_range[-1] < int(state[_RANGE]))
            ends[final] = ranges[of_range[final], 1]
            if not final[-1] and ends[-1] > int(state[_PLACE]):
                state[_PLACE], state[_LINE_START] = ends[-1], 1
        return ends


_free: Final[dict[tuple[int, bool], list[BlockReader]]] = {}  # by what they read


def _filled(values: NDArray[np.float32], kept: int, plies: int) -> NDArray[np.float32] | None:
    """Return the values of all plies; those after the last stored one are NaN."""
    if not kept:
        return None
    values[kept:plies] = np.nan
    return values[:plies]


def padded(text: Any) -> NDArray[np.uint8]:
    """Copy the bytes of a buffer to a new array with `PAD` more bytes."""
    source = np.frombuffer(text, np.uint8)
    array = np.empty(source.size + PAD, np.uint8)
    array[: source.size] = source
    array[source.size :] = 10
    return array
