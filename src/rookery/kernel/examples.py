"""Examples of arguments: what entries are compiled for in advance (see `rookery.shipping.precompiled`)."""

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray


def array_of(dtype: DTypeLike, dimensions: int = 1, *, readonly: bool = False) -> NDArray[Any]:
    """Return an example of the arrays of a dtype.

    >>> array_of(np.uint64, 2)
    array([[0]], dtype=uint64)
    """
    array = np.zeros((1,) * dimensions, dtype)
    array.flags.writeable = not readonly
    return array


def tuple_of(kind: Any, value: Any) -> Any:
    """Return an example of a NamedTuple class whose fields are all alike.

    >>> from typing import NamedTuple
    >>> class Pair(NamedTuple):
    ...     first: int
    ...     second: int
    >>> tuple_of(Pair, 0)
    Pair(first=0, second=0)
    """
    return kind(*[value] * len(kind._fields))
