"""Damage to bytes of any kind."""

import random
from collections.abc import Sequence
from typing import Final

from damaged_games import damaged

_ODD: Final = (
    *(b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"\r", b"\n\n", b"\r\n", b"\x1a", b"\xc3", b"\xe2\x99\x94"),
    *(
        b'"',
        b"\\",
        b"-1",
        b"0",
        b"99999999999999999999",
        b"1e999",
        b"nan",
        b"\xed\xa0\x80",
        b"\xc2\xa0",
        b"\x85",
        b"\t",
    ),
)
_LONG: Final = 5000


def damage(rng: random.Random, data: bytes, words: Sequence[bytes] = (), others: Sequence[bytes] = ()) -> bytes:
    """Return data after up to three kinds of damage, most often small.

    `words` are put in somewhere, and so are pieces of `others`, which are data of the same kind.
    """
    for _ in range(rng.choice((0, 1, 1, 1, 2, 3))):
        i = rng.randrange(len(data) + 1)
        j = min(i + rng.randrange(1, 40), len(data))
        kind = rng.randrange(12)
        if kind < 5:
            data = damaged(rng, data)
        elif kind == 5:
            data = data[:i]
        elif kind == 6:
            data = data[i:]
        elif kind == 7 and others:
            other = rng.choice(others)
            data = data[:i] + other[rng.randrange(len(other) + 1) :]
        elif kind == 8:
            data = data[:i] + data[i:j] * rng.randrange(2, max(_LONG // max(j - i, 1), 3)) + data[j:]
        elif kind == 9:
            number = rng.choice((0, 1, 127, 128, 255, 1 << 15, 1 << 16, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 62))
            size = rng.choice((1, 2, 4, 8))
            place = number % (1 << 8 * size)
            data = data[:i] + place.to_bytes(size, rng.choice(("little", "big"))) + data[i + size :]
        else:
            data = data[:i] + rng.choice((*_ODD, *words)) + data[i:]
    return data
