"""Own columns of a dataset: values of expressions that are stored beside the rows, such as ratings and clocks."""

from typing import Any, Final, NamedTuple

import numpy as np

from rookery.arguments import shown
from rookery.data.pipeline.features import features_of

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
        found.append(OwnColumn(feature.name, feature.asked, dtype.str, feature.headers))
    return tuple(found)
