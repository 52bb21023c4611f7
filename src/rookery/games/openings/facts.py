"""The facts about games that an opening tree counts: results, ratings, days and names."""

import itertools
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.frames.columns import Categorical, Texts
from rookery.games.game_array import GameArray
from rookery.games.headers.dates import day_played
from rookery.games.openings.growth import BLACK, DAY, DAY_ZERO, IS_RATED, NAME, RESULT, WHITE

_UNKNOWN: Final = (b"", b"?")  # values of headers

NameInUtf8 = tuple[bytes | None, bytes | None]  # an ECO code and an opening


def facts_of(
    games: GameArray, known: Mapping[NameInUtf8, int], number_of: Callable[[NameInUtf8], int]
) -> NDArray[np.uint32]:
    """Return a row for each game, as `rookery.games.openings.growth` takes it: uint32, (n, 5).

    `known` has the numbers of names, and `number_of` numbers a new one.
    """
    facts = results_of(games)
    headers = games.headers
    names = zip(_texts(headers.get("ECO"), games), _texts(headers.get("Opening"), games), strict=True)
    facts[:, NAME] = [known[name] if name in known else number_of(name) for name in names]
    return facts


def results_of(games: GameArray) -> NDArray[np.uint32]:
    """Return the same facts without names: in place of their numbers are zeros."""
    facts = np.zeros((len(games), 5), np.uint32)
    headers = games.headers
    rated = games.scores != 0
    for column, name in ((WHITE, "WhiteElo"), (BLACK, "BlackElo")):
        rating = headers.get(name)
        if rating is None or isinstance(rating, Texts):
            rated[:] = False
            continue
        is_known = rating.valid & (rating.values > 0)
        facts[is_known, column] = rating.values[is_known]
        rated &= is_known
    facts[:, RESULT] = games.scores + rated * np.uint8(IS_RATED)
    days = day_played(headers)
    if days is not None:
        facts[days.valid, DAY] = days.values[days.valid].astype(np.int64) - DAY_ZERO
    return facts


def _texts(column: Any, games: GameArray) -> Iterator[bytes | None]:
    """Yield the value of a header for each game, in UTF-8, or None for an unknown one."""
    if not isinstance(column, Texts):
        return itertools.repeat(None, len(games))
    data, ends = column.data.tobytes(), itertools.pairwise(column.offsets.tolist())
    texts = (data[a:b] if valid else None for (a, b), valid in zip(ends, column.valid.tolist(), strict=True))
    return (None if text in _UNKNOWN else text for text in texts)


def by_file(files: Categorical, numbers: NDArray[np.int64]) -> Iterator[tuple[int, str, Any]]:
    """Yield runs of games of one file: the index of the first, the name of the file, and the numbers of the games."""
    ends = [0, *(np.flatnonzero(np.diff(files.codes)) + 1).tolist(), files.size]
    for start, stop in itertools.pairwise(ends):
        yield start, files.text(start), _compact(numbers[start:stop])


def _compact(numbers: NDArray[np.int64]) -> Any:
    """Return the numbers of games, as a range if they follow each other."""
    if numbers.size and (np.diff(numbers) == 1).all():
        return range(int(numbers[0]), int(numbers[-1]) + 1)
    return numbers.copy()
