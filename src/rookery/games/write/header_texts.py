"""Headers that are numbers, dates and times, as PGN text."""

from typing import Any

import numpy as np

from rookery.kernel import U64, array_of, entry, signed
from rookery.pgn.write.numerals import write_digits

INTEGER, SIGNED, DATE, TIME = range(4)  # the formats of a column

_DOT, _MINUS, _PLUS, _COLON = b".-+:"


@entry(examples=lambda: (array_of(np.int64), array_of(np.bool_), 0, array_of(np.uint8), array_of(np.int64)))
@signed
def write_numbers(values: Any, valid: Any, how: Any, out: Any, offsets: Any) -> Any:
    """Write a column of numbers as PGN text, end to end, and the end of each to `offsets`; return the length."""
    n = U64(0)
    for i in range(values.size):
        if valid[i]:
            value = np.int64(values[i])
            if how == DATE:  # days since 1970; after Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms"
                z = value + 719468
                era = z // 146097
                doe = z - era * 146097
                yoe = (doe - doe // 1460 + doe // 36524 - doe // 146096) // 365
                doy = doe - (365 * yoe + yoe // 4 - yoe // 100)
                mp = (5 * doy + 2) // 153
                month = mp + 3 if mp < 10 else mp - 9
                year = yoe + era * 400 + (1 if month <= 2 else 0)
                n = write_digits(out, n, U64(year if year > 0 else 0), U64(4))
                out[n] = np.uint8(_DOT)
                n = write_digits(out, n + U64(1), U64(month), U64(2))
                out[n] = np.uint8(_DOT)
                n = write_digits(out, n + U64(1), U64(doy - (153 * mp + 2) // 5 + 1), U64(2))
            elif how == TIME:
                n = write_digits(out, n, U64(value // 3600), U64(2))
                out[n] = np.uint8(_COLON)
                n = write_digits(out, n + U64(1), U64(value // 60 % 60), U64(2))
                out[n] = np.uint8(_COLON)
                n = write_digits(out, n + U64(1), U64(value % 60), U64(2))
            else:
                if value < 0 or how == SIGNED:
                    out[n] = np.uint8(_MINUS if value < 0 else _PLUS)
                    n += U64(1)
                n = write_digits(out, n, U64(abs(value)), U64(1))
        offsets[i + 1] = np.int64(n)
    return np.int64(n)
