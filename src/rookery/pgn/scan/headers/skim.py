"""Headers alone: where games begin and what their headers say, without a look at their moves.

A text is cut at lines ``[Event`` that surely begin a game (see `cuts.safe_cut`): each stretch between two cuts is read
for itself. One that begins with headers and has nothing else that looks like one is *plain*: what is wanted of its
headers is known without its moves. Any other must be read as a whole.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.kernel import entry_of
from rookery.pgn.scan import output
from rookery.pgn.scan.block_arrays import Found
from rookery.pgn.scan.lexing.vocabulary import KNOWN, SLOTS

skim: Final = entry_of("rookery.pgn.scan.headers.skimming", "skim")


_FEWEST: Final = 256


class Skimmed(NamedTuple):
    """Stretches of a text: where each begins and ends, and whether it is plain; and their headers."""

    stretches: NDArray[np.int64]
    plain: NDArray[np.bool_]
    found: Found
    stop: int  # behind the last


class Skimmer:
    """Skims blocks of text, one after the other, into the same arrays. One thread's."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._wanted = np.zeros(len(KNOWN) + 1, np.bool_)
        for name in names:
            self._wanted[KNOWN.index(name) if name in KNOWN else len(KNOWN)] = True
        self._make_room(_FEWEST)

    def _make_room(self, n: int) -> None:
        self._stretches, self._plain = np.empty((n, 2), np.int64), np.empty(n, np.bool_)
        self._games, self._slots = np.zeros((n + 1, output.ROW), np.int64), np.empty((n, SLOTS), np.int32)
        self._tags = np.empty((8 * n, 5), np.int32)

    def skim(self, text: NDArray[np.uint8], stop: int, final: bool) -> Skimmed:
        """Return the stretches of a text up to `stop`; unless it is `final`, without the last, which may go on."""
        while True:
            where = self._stretches, self._plain, self._games, self._slots, self._tags
            n = int(skim(text, stop, self._wanted, *where))
            if n or not stop:
                break
            self._make_room(2 * len(self._plain))
        if not final and n:
            n -= 1
        rows = int(self._games[n, output.FIRST_TAG])
        none = np.zeros(0, np.int32)
        found = Found(
            games=self._games[:n],
            slots=self._slots[:n],
            moves=none.astype(np.uint16),
            clocks=None,
            evaluations=None,
            elapsed=None,
            tags=self._tags[:rows],
            nags=none,
            comments=none,
            variations=none,
            starts=none.astype(np.uint64),
            warnings=none,
            ranges=none.astype(np.int64),
            place=0,
            whole=True,
        )
        end = int(self._stretches[n - 1, 1]) if n else 0
        return Skimmed(self._stretches[:n], self._plain[:n], found, end)
