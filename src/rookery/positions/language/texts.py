"""Texts compared and searched: columns of games, whose texts may be missing, and arrays of str about positions.

A comparison with a missing text does not hold. An array of str has the empty text for a missing one.
"""

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.frames.columns import Texts
from rookery.kernel import entry_of
from rookery.positions.operands import plain

_judge_texts: Final = entry_of("rookery.positions.language.text_kernels", "judge_texts")
_order_texts: Final = entry_of("rookery.positions.language.text_kernels", "order_texts")

_COMPARED, _BEGINS, _WITHIN, _ENDS = range(4)
_ON_ARRAYS: Final[dict[int, Callable[[Any, Any], Any]]] = {
    _BEGINS: np.strings.startswith,
    _WITHIN: lambda texts, text: np.strings.find(texts, text) >= 0,
    _ENDS: np.strings.endswith,
}


def compared(compare: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    """Return where a comparison of texts by their bytes in UTF-8 holds; `compare` compares numbers."""
    if isinstance(a, Texts) or isinstance(b, Texts):
        return compare(_order(a, b), 0) & known(a) & known(b)
    return compare(a, b)


def begins(texts: Any, text: str) -> Any:
    """Check whether texts begin with a text."""
    return _that(_BEGINS, texts, text)


def ends(texts: Any, text: str) -> Any:
    """Check whether texts end with a text."""
    return _that(_ENDS, texts, text)


def contains(texts: Any, text: str) -> Any:
    """Check whether texts contain a text."""
    return _that(_WITHIN, texts, text)


def is_within(a: Any, b: Any) -> Any:
    """Check whether a text is not empty and part of another."""
    holds = known(a) & known(b)
    a, b = array_of_texts(a), array_of_texts(b)
    return np.not_equal(a, "") & (np.strings.find(b, a) >= 0) & holds


def lower(texts: Any) -> Any:
    """Convert texts to lower case."""
    if not isinstance(texts, Texts):
        return np.strings.lower(texts)
    data = texts.data[texts.offsets[0] : texts.offsets[-1]]
    if data.size and data.max() >= 0x80:  # the length of a text may change
        return Texts.of([None if text is None else text.lower() for text in texts])
    capital = (data >= ord("A")) & (data <= ord("Z"))
    return Texts(texts.offsets - texts.offsets[0], data + 32 * capital.view(np.uint8), texts.valid)


def known(value: Any) -> Any:
    """Return where a value of any kind is not missing."""
    if isinstance(value, Texts):
        return value.valid
    kind = np.asarray(value).dtype.kind
    if kind in "mM":
        return ~np.isnat(value)
    return ~np.isnan(value) if kind == "f" else np.ones(np.shape(value), np.bool_)


def array_of_texts(texts: Any) -> Any:
    """Return an array of str with the empty text for a missing one."""
    if not isinstance(texts, Texts):
        return texts
    return np.array(["" if text is None else text for text in texts], np.str_)


def _that(how: int, texts: Any, text: str) -> Any:
    if isinstance(texts, Texts):
        return (_judged(texts, text, how) == 1) & texts.valid
    return _ON_ARRAYS[how](texts, text)


def _order(a: Any, b: Any) -> Any:
    """Return -1, 0 or 1 for texts that come before, are equal to or come after others."""
    if not isinstance(a, Texts):
        return -_judged(b, a, _COMPARED)
    if not isinstance(b, Texts):
        return _judged(a, b, _COMPARED)
    out = np.empty(a.size, np.int8)
    _order_texts(a.offsets, plain(a.data), b.offsets, plain(b.data), out)
    return out


def _judged(texts: Texts, text: Any, how: int) -> NDArray[np.int8]:
    out = np.empty(texts.size, np.int8)
    encoded = str(text).encode()
    code = np.frombuffer(bytearray(encoded) or bytearray(1), np.uint8)
    _judge_texts(texts.offsets, plain(texts.data), code, len(encoded), how, out)
    return out
