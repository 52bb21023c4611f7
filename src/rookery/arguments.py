"""Checks of the arguments of public functions.

A board needs no NumPy, so this module does not import it. `rookery.frames.array_arguments` has the checks of arrays.
"""

import operator
import os
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar, cast

if TYPE_CHECKING:
    from numpy.typing import NDArray

_Choice = TypeVar("_Choice")

UNIVERSE: Final = (1 << 64) - 1
MOST: Final = (1 << 63) - 1  # the greatest int64
BLOCK: Final = 8192  # positions that a pass over scattered operands gathers at once: 64 KiB of boards fit in the L2
MOST_THREADS: Final = max(64, 4 * (os.cpu_count() or 1))  # further threads would only take memory


def printable(text: str) -> str:
    r"""Replace each character that a terminal may obey or hide by an escape: controls, line breaks, directions.

    >>> printable("Anna \x1b[31m\n")
    'Anna \\x1b[31m\\n'
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def shown(value: object, most: int = 80) -> str:
    r"""Return `value` as errors quote it: its `repr` on one line, cut to about `most` characters and safe to print.

    >>> shown("e9")
    "'e9'"
    >>> shown("\x1b[31m")
    "'\\x1b[31m'"
    >>> shown("8/" * 1_000_000, 10)
    "'8/8/8/8/8/'... (2,000,000 characters)"
    >>> shown(list(range(100)), 10)
    '[0, 1, 2, ... (100 elements)'
    """
    size, unit = 0, "characters"
    # Long values are cut before `repr`, which writes at least one character for each character, byte or element.
    if isinstance(value, (str, bytes, bytearray)):
        if len(value) <= most:
            return printable(repr(value))
        unit = unit if isinstance(value, str) else "bytes"
        return f"{printable(repr(value[:most]))}... ({len(value):,} {unit})"
    if isinstance(value, (list, tuple)) and len(value) > most:
        size, unit, value = len(value), "elements", value[:most]
    elif isinstance(value, int) and value.bit_length() > 4 * most:
        return f"an int of {value.bit_length():,} bits"
    try:
        text = repr(value)
    except Exception as error:  # a foreign __repr__ may raise anything, and must not hide the error to be reported
        text = f"<{type(value).__name__}, whose repr raises {type(error).__name__}>"
    text = printable(" ".join(text.split()))
    if len(text) <= most and not size:
        return text
    return f"{text[:most]}... ({size or len(text):,} {unit})"


def check_path(name: str, path: object, other: str = "") -> None:
    """Raise an error that names the argument unless `path` can name a file.

    `other` describes what else the caller takes.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"{name}: {type(path).__name__}: expected a path{f' or {other}' if other else ''}")
    if "\0" in str(path):
        raise ValueError(f"{name}: {str(path)!r}: expected a path without NUL characters")


def check_threads(threads: Any) -> int:
    """Return `threads` if it is a valid number of threads."""
    if not isinstance(threads, int) or isinstance(threads, bool) or threads < 1:
        raise ValueError(f"threads: {shown(threads)}: expected an int of at least 1")
    return threads


def threads_to_start(threads: int, parts: int | None = None) -> int:
    """Return how many threads to start if `threads` are allowed.

    At most one for each part of the work, if the number of parts is known, and never more than the machine can use.

    >>> threads_to_start(8, 3)
    3
    >>> threads_to_start(2, 3)
    2
    """
    return max(min(threads, MOST_THREADS, threads if parts is None else parts), 1)


def is_of_numpy(value: object, kind: str) -> bool:
    """Check whether `value` is an instance of a class of NumPy, such as ``integer``, without importing NumPy.

    While NumPy is not imported, nothing is.

    >>> is_of_numpy(np.int8(5), "integer")
    True
    >>> is_of_numpy(5, "integer")
    False
    """
    return isinstance(value, getattr(sys.modules.get("numpy"), kind, ()))


def is_number(value: Any) -> bool:
    """Check whether `value` is a single integer, not an array."""
    if isinstance(value, int):
        return type(value) is not bool
    return is_of_numpy(value, "integer")


class Table:
    """A base of tables, which NumPy must not take for an array of objects.

    ``pandas.DataFrame(table)`` would have one column of them.
    """

    __slots__ = ()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> "NDArray[Any]":
        kind = type(self)
        methods = [name for name in ("to_pandas", "to_polars", "to_arrow", "to_numpy") if hasattr(kind, name)]
        columns = f"{', '.join(methods)} for its columns, " if methods else ""
        raise TypeError(f"{kind.__name__}: a table, not an array: expected a call of {columns}list for its rows")


class AnySquareSet(Protocol):
    """A set of squares that can change: a `SquareSet`, of this library or of python-chess."""

    def __index__(self) -> int: ...
    def __iter__(self) -> Iterator[int]: ...
    def discard(self, square: int) -> None:
        """Remove a square if it is in the set."""


def is_set(value: Any) -> bool:
    """Check whether `value` is a set of squares that is no number, such as a `SquareSet`, here or in python-chess."""
    kind = type(value)
    if kind is int or not hasattr(kind, "__index__"):  # takes a fifth of the time of the check below
        return False
    return isinstance(value, Collection) and not is_of_numpy(value, "ndarray")


def set_as_number(value: Any) -> Any:
    """Return the board of a set of squares as an int, and anything else as it is.

    >>> from rookery import SquareSet
    >>> set_as_number(SquareSet([0, 2]))
    5
    """
    return operator.index(value) if is_set(value) else value


def board_number(name: str, value: Any) -> int:
    """Return `value`, a board or a set of squares, as an int of 64 bits."""
    if type(value) is int and 0 <= value <= UNIVERSE:
        return value
    value = set_as_number(value)
    if not is_number(value):
        raise TypeError(f"{name}: {shown(value)}: expected a board, an int from 0 to 2**64 - 1")
    if not 0 <= value <= UNIVERSE:
        raise ValueError(f"{name}: {shown(int(value))} is outside 0 to 2**64 - 1")
    return int(value)


def choice(name: str, value: Any, table: Mapping[Any, _Choice]) -> _Choice:
    """Return the entry of a table for `value`."""
    if isinstance(value, (str, type(None))) and value in table:
        return table[value]
    raise ValueError(f"{name}: {shown(value)}: expected one of {', '.join(map(str, table))}")


def flag(name: str, value: Any) -> bool:
    """Return `value` as a bool: True or False, of Python or NumPy. Anything else, such as 0 and 1, is a TypeError.

    >>> flag("strict", np.True_)
    True
    """
    if value is True or value is False:
        return value
    if is_of_numpy(value, "bool_"):
        return bool(value)
    raise TypeError(f"{name}: {shown(value)}: expected True or False")


def not_a_board(name: str, value: Any, expected: str = "a rookery.Board") -> TypeError:
    """Return the error for what is not a board of ours; one of python-chess is named as such."""
    if type(value).__module__.partition(".")[0] == "chess" and hasattr(value, "fen"):
        return TypeError(
            f"{name}: {shown(value)}, a board of python-chess: expected {expected}: rookery.Board.from_chess makes one"
        )
    return TypeError(f"{name}: {shown(value)}: expected {expected}")


def text(name: str, value: Any, expected: str = "a text") -> str:
    """Return `value` if it is a str, else raise a TypeError."""
    if not isinstance(value, str):
        raise TypeError(f"{name}: {shown(value)}: expected {expected}")
    return value


def mapping(name: str, value: Any, expected: str) -> Mapping[Any, Any]:
    """Return `value` if it is a mapping, such as a dict, else raise a TypeError."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{name}: {shown(value)}: expected {expected}")
    return value


def iterator(name: str, value: Any, expected: str) -> Iterator[Any]:
    """Return an iterator over `value`, or raise a TypeError if it has none."""
    try:
        return iter(value)
    except TypeError:
        raise TypeError(f"{name}: {shown(value)}: expected {expected}") from None


def callback(name: str, value: Any) -> Callable[[int, int], object]:
    """Return a function of the number of finished tasks and of all. For None, it does nothing.

    Raises TypeError for what cannot be called.
    """
    if value is None:
        return lambda done, total: None
    if not callable(value) or isinstance(value, type):
        raise TypeError(f"{name}: {shown(value)}: expected a function of two numbers")
    return cast(Callable[[int, int], object], value)


def count(name: str, value: Any, least: int, most: int = MOST) -> int:
    """Return `value` as an int from `least` to `most`.

    >>> count("size", np.int8(5), 1)
    5
    """
    if is_number(value) and least <= value <= most:
        return int(value)
    error = ValueError if is_number(value) else TypeError
    at_most = "" if most == MOST and not (is_number(value) and value > most) else f" and at most {most}"
    raise error(f"{name}: {shown(value)}: expected an int of at least {least}{at_most}")
