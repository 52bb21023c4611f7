"""Own columns of a dataset: columns of a plan that are stored beside the rows, such as ratings, clocks and names."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import shown
from rookery.data.pipeline.features import Feature
from rookery.frames.arrow import is_text, pyarrow_module, whole_array

# The names of what all rows have, in shards and in tables.
TAKEN: Final = frozenset(
    "position move score result ply file number fen count wins draws losses mean_score earlier repeated".split()
)
MISSING: Final = (1 << 64) - 1  # stands for a text that is missing
_EXACT: Final = 16  # bits of the integers that a float32 holds


class OwnColumn(NamedTuple):
    """A column: its name, its expression, its dtype in shards, and whether these are the places of texts."""

    name: str
    expression: str
    dtype: str
    is_text: bool = False


def check_names(names: Iterable[str], label: str) -> None:
    """Raise a ValueError for a name that a column of a dataset cannot have; `label` is the argument."""
    for name in names:
        if not name.isidentifier():
            raise ValueError(f"{label}: {shown(name)}: expected a name for it: name={name}")
        if name in TAKEN:
            raise ValueError(f"{label}: {shown(name)}: rows have this column: expected another name")


def own_columns(schema: Any, features: Mapping[str, Feature], aggregates: Mapping[str, str]) -> tuple[OwnColumn, ...]:
    """Return how the columns of a schema are stored: `features` of rows, or `aggregates` as text.

    Numbers with a fraction are float32, NaN where one is missing, and so are integers that may be missing: float32 if
    they have 16 bits, else float64. Dates and times are texts.
    """
    found = []
    for field in schema:
        feature = None if field.name in aggregates else features.get(field.name)
        asked = aggregates[field.name] if feature is None else feature.asked
        is_known = feature is not None and bool(feature.type) and not feature.of_lines and not feature.headers
        is_known |= asked.startswith(("count", "games"))
        found.append(OwnColumn(field.name, asked, *_stored(field, may_be_missing=not is_known)))
    return tuple(found)


def _stored(field: Any, *, may_be_missing: bool) -> tuple[str, bool]:
    """Return the dtype of a column, and whether it has the places of texts."""
    types, kind = pyarrow_module().types, field.type
    kind = kind.value_type if types.is_dictionary(kind) else kind
    if is_text(kind) or types.is_temporal(kind):
        return "<u8", True
    if types.is_floating(kind) or (may_be_missing and types.is_boolean(kind)):
        return "<f4", False
    if types.is_boolean(kind):
        return "|b1", False
    if types.is_integer(kind):
        wide = "<f4" if kind.bit_width <= _EXACT else "<f8"
        return wide if may_be_missing else np.dtype(kind.to_pandas_dtype()).str, False
    raise ValueError(
        f"select: {shown(field.name)}: a column of {shown(str(kind))}: expected numbers, texts, conditions or sets"
    )


def values_of(column: OwnColumn, array: Any) -> NDArray[Any]:
    """Return the numbers of an Arrow array as they are stored."""
    pa = pyarrow_module()
    array, dtype = whole_array(array), np.dtype(column.dtype)
    if dtype.kind == "f":
        array = array.cast(pa.float32() if dtype.itemsize == 4 else pa.float64(), safe=False)
    values: NDArray[Any] = array.to_numpy(zero_copy_only=False)
    return values


def texts_of(arrays: list[Any], shard: int) -> tuple[NDArray[np.uint64], Any]:
    """Return the place of each text of some Arrow arrays, and the different texts of the shard.

    A place is the number of the shard, 32 bits further up, and the index of the text there.
    """
    pa = pyarrow_module()
    whole = pa.chunked_array([whole_array(one).cast(pa.string()) for one in arrays], pa.string()).combine_chunks()
    whole = whole if isinstance(whole, pa.Array) else pa.concat_arrays(whole.chunks)
    encoded = whole.dictionary_encode()
    known = np.asarray(encoded.indices.is_valid())
    index = np.asarray(encoded.indices.fill_null(0)).astype(np.uint64)
    return np.where(known, index | np.uint64(shard << 32), np.uint64(MISSING)), encoded.dictionary
