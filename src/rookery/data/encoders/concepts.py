"""Concepts: what probes look for in the layers of a net, as arrays by name."""

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import check_threads, shown
from rookery.lazy_imports import modules_later
from rookery.positions.positions import Positions

if TYPE_CHECKING:
    from rookery.data.pipeline import features
else:
    (features,) = modules_later("rookery.data.pipeline", "features")

_MASK: Final = "legal_mask"  # as bools, not as the text that tables have


def concepts(positions: Positions, names: "features.Features", *, threads: int = 1) -> dict[str, NDArray[Any]]:
    """Return what is true of each position, by name: the targets of linear probes.

    `names` are those of the features of `rookery.annotate`, expressions of the query language, which knows every motif
    by its name, or a mapping from names to either: ``"see, mobility, forks=fork(us), legal_mask"``. A set of squares
    becomes bool, (n, 64), a1 first; `legal_mask` bool, (n, 4672); all else an array of n numbers, conditions or texts.
    `encode` returns them as columns of Arrow, or as tensors.

    An unknown name, and a question about games, raise ValueError.

    >>> from rookery import Board
    >>> positions = Positions.from_boards([Board(), Board("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")])
    >>> found = concepts(positions, "see, attacks, passed, legal_mask, up=material(us) > material(them)")
    >>> found["see"].tolist()
    [0, 900]
    >>> found["attacks"].shape, found["legal_mask"].shape
    ((2, 64), (2, 4672))
    >>> found["passed"].sum(axis=1).tolist()
    [0, 1]
    >>> found["up"].tolist()
    [False, False]
    """
    if not isinstance(positions, Positions):
        raise TypeError(f"positions: {shown(positions)}: expected Positions")
    try:
        chosen = features.features_of(names)
        features.check_without_games(chosen)
    except (TypeError, ValueError) as error:
        raise type(error)(str(error).replace("features", "names", 1)) from error
    for feature in chosen:
        if feature.type.startswith("list<"):
            expected = f"expected encode({shown(feature.asked)}, ...)"
            raise ValueError(f"names: {feature.asked}: the input of a net: {expected}")
    asked = [feature.asked for feature in chosen if feature.asked != _MASK]
    values = dict(zip(asked, features.values_of(asked, positions, check_threads(threads)), strict=True))
    columns = {}
    for feature in chosen:
        if feature.asked == _MASK:
            columns[feature.name] = positions.policy_mask(threads=threads)
            continue
        found = np.asarray(values[feature.asked])
        if features.is_set(feature):
            squares = np.ascontiguousarray(found).astype("<u8", copy=False)[:, None].view(np.uint8)
            found = np.unpackbits(squares, axis=1, bitorder="little").astype(np.bool_)
        columns[feature.name] = found
    return columns
