"""The header TimeControl: the seconds of its first period, the seconds added for each move, and the speed.

A time control is one period or several, with colons between them: ``40/7200:3600``. A period is the seconds for some
moves (``40/7200``) or for the rest of the game (``3600``), and perhaps the seconds added for each move (``180+2``). A
minus sign means that there is no time control, a question mark that it is unknown, and ``*180`` is a sand clock.

The speed is that of Lichess: base + 40 increments, in seconds, is less than 30, 180, 480 or 1,500, or more. A game
without a time control, or with a day or more for some moves, is played by correspondence.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from rookery.kernel import entry_of

read_time_controls: Final = entry_of("rookery.pgn.time_control_at", "read_time_controls")


SPEEDS: Final = ("ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence")  # by their numbers, from 1
SHORTEST_IN_HOURS: Final = 600.0  # seconds of a time control whose clocks may be written in hours and minutes


class TimeControl(NamedTuple):
    """The parts of a time control in seconds, NaN where unknown; `speed` is the number of a speed, 0 where unknown.

    `total` is the time of all periods.
    """

    base: Any
    increment: Any
    speed: Any
    total: Any


def time_controls(offsets: Any, data: Any) -> TimeControl:
    """Return the parts of many time controls, which are texts stored end to end, as arrays.

    >>> text = b"180+2-40/7200:3600"
    >>> found = time_controls(np.array([0, 5, 6, 18]), np.frombuffer(text, np.uint8))
    >>> found.base.tolist()
    [180.0, nan, 7200.0]
    >>> [SPEEDS[speed - 1] for speed in found.speed]
    ['blitz', 'correspondence', 'classical']
    """
    n = offsets.size - 1
    base, increment, total = np.empty(n), np.empty(n), np.empty(n)
    speed = np.empty(n, np.uint8)
    data = data if data.flags.writeable else data.copy()  # so that code is compiled for no other kind
    read_time_controls(np.asarray(offsets, np.int64), data, base, increment, speed, total)
    return TimeControl(base, increment, speed, total)


def time_control(text: str) -> TimeControl:
    """Return the parts of one time control.

    >>> time_control("5400+30:1800+30").total
    7200.0
    """
    code = text.encode()
    found = time_controls(np.array([0, len(code)]), np.frombuffer(bytearray(code), np.uint8))
    return TimeControl(*(column.item() for column in found))
