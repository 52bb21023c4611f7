"""Own columns of a dataset: values of expressions that are stored beside the rows, such as ratings and clocks."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import shown
from rookery.data.pipeline.features import FEATURES, features_of
from rookery.positions.positions import Positions

# The names of what all rows have, in shards and in tables.
TAKEN: Final = frozenset(
    "position move score result ply file number fen count wins draws losses mean_score earlier repeated".split()
)


class OwnColumn(NamedTuple):
    """A column: its name, its expression, its dtype, and the headers that the expression looks at."""

    name: str
    expression: str
    dtype: str
    headers: tuple[str, ...] = ()


def columns_of(columns: Any) -> tuple[OwnColumn, ...]:
    """Return the columns that an argument names, as `rookery.annotate` takes features; None has none.

    Numbers of games are float32, with NaN where one is missing. Texts raise ValueError.

    >>> columns_of({"elo": "elo(us)", "check": "is_check"})[0]
    OwnColumn(name='elo', expression='elo(us)', dtype='<f4', headers=('WhiteElo', 'BlackElo'))
    """
    found = []
    try:
        features = () if columns is None else features_of(columns)
    except (TypeError, ValueError) as error:
        raise type(error)(str(error).replace("features", "columns", 1)) from error
    for feature in features:
        if not feature.name.isidentifier():
            raise ValueError(f"columns: {shown(feature.name)}: expected a name for it: name={feature.name}")
        if feature.name in TAKEN:
            raise ValueError(f"columns: {shown(feature.name)}: rows have this column: expected another name")
        if feature.type == "string":
            raise ValueError(f"columns: {shown(feature.name)}: a text: expected a number, a condition or a set")
        dtype = np.dtype(np.float32 if feature.type.startswith("float") else feature.type)
        found.append(OwnColumn(feature.name, feature.expression or feature.name, dtype.str, feature.headers))
    return tuple(found)


def values_of(columns: Sequence[OwnColumn], positions: Positions, threads: int) -> list[NDArray[Any]]:
    """Return the values of each column for some positions."""
    texts = {column.expression for column in columns if column.expression not in FEATURES}
    found = positions.select(*texts, threads=threads) if texts else {}
    known = {name: FEATURES[name].values(positions) for name in {c.expression for c in columns} & FEATURES.keys()}
    return [(found | known)[column.expression].astype(column.dtype) for column in columns]
