"""Batches: rows as the arrays that a network takes."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from rookery.data.datasets.options import LEELA
from rookery.data.datasets.own_columns import OwnColumn
from rookery.data.datasets.rows import positions_of, scored
from rookery.data.encoders.histories import Histories
from rookery.data.encoders.leela import PLANES, planes_of
from rookery.data.training.views import NO_RESULT
from rookery.games.positions.scores import MATE, NO_SCORE
from rookery.kernel import U64
from rookery.positions.features.move_lists import move_list
from rookery.positions.layout import BLACK_TO_MOVE
from rookery.positions.positions import Positions

TextsOf = Callable[[str, NDArray[np.uint64]], NDArray[np.object_]]
_BLACK: Final = U64(BLACK_TO_MOVE)
_ALIGNED: Final = 64  # bytes: JAX copies arrays that begin elsewhere
# Lichess' formula for a player's expected result at a score in centipawns, fitted to its games.
_SLOPE: Final = 0.00368208


class Batch(NamedTuple):
    """Rows for a network; n is the number of rows. What is not requested is None.

    planes   (n, channels, 8, 8), float32 or uint8: `Positions.planes`
    policy   int32, (n,): the index of the move, `Positions.policy_index`
    value    float32, (n,): from -1, the side to move loses, to 1, it wins
    legal    bool, (n, moves): which indices are of legal moves, `Positions.policy_mask`

    A dataset with own columns yields tuples of five: ``columns`` is a dict with an array, (n,), for each name. Texts
    are arrays of str, with None where one is missing, for PyTorch and JAX, too: their tensors hold numbers alone.
    """

    planes: Any
    policy: Any
    value: Any
    legal: Any

    @property
    def columns(self) -> dict[str, Any]:
        """Return the own columns by name."""
        return {}

    def each(self, convert: Callable[[NDArray[Any]], Any]) -> "Batch":
        """Return the batch with each of its arrays converted, but for texts."""
        planes, policy, value, legal = (None if array is None else convert(array) for array in self[:4])
        own = {name: array if array.dtype == np.object_ else convert(array) for name, array in self.columns.items()}
        return batch_of(planes, policy, value, legal, own)


class BatchWithColumns(Batch):
    """A `Batch` with own columns as its fifth member."""

    __slots__ = ()
    _fields = (*Batch._fields, "columns")  # type: ignore[assignment]  # one more

    def __new__(cls, planes: Any, policy: Any, value: Any, legal: Any, columns: dict[str, Any]) -> Self:
        """Make a batch of its five members."""
        return tuple.__new__(cls, (planes, policy, value, legal, columns))

    @property
    def columns(self) -> dict[str, Any]:
        """Return the own columns by name."""
        columns: dict[str, Any] = tuple.__getitem__(self, 4)
        return columns

    def __repr__(self) -> str:
        members = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
        return f"{type(self).__name__}({members})"


def batch_of(planes: Any, policy: Any, value: Any, legal: Any, columns: dict[str, Any]) -> Batch:
    """Return a batch, with own columns if there are any."""
    if columns:
        return BatchWithColumns(planes, policy, value, legal, columns)
    return Batch(planes, policy, value, legal)


def aligned(shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Allocate an array that begins at a multiple of 64 bytes."""
    size = int(np.prod(shape)) * dtype.itemsize
    room = np.empty(size + _ALIGNED, np.uint8)
    start = -room.ctypes.data % _ALIGNED
    return room[start : start + size].view(dtype).reshape(shape)


def has_value(stored: NDArray[Any], value: str) -> NDArray[np.bool_]:
    """Return which stored rows have a value."""
    means = "mean_score" in (stored.dtype.names or ())
    if value == "result":
        known = stored["wins"] + stored["draws"] + stored["losses"] > 0 if means else stored["result"] != NO_RESULT
    else:
        known = ~np.isnan(stored["mean_score"]) if means else stored["score"] != NO_SCORE
    return np.asarray(known)


def values(stored: NDArray[Any], value: str) -> NDArray[np.float32]:
    """Return the values of stored rows, all of which have one, from -1 to 1."""
    means = "mean_score" in (stored.dtype.names or ())
    if value == "result":
        if not means:
            return stored["result"].astype(np.float32)
        wins, draws, losses = (stored[name].astype(np.float64) for name in ("wins", "draws", "losses"))
        return ((wins - losses) / (wins + draws + losses)).astype(np.float32)
    scores = stored["mean_score" if means else "score"].astype(np.float64)
    expected = 2 / (1 + np.exp(-_SLOPE * scores)) - 1
    return np.where(np.abs(scores) >= MATE - 1000, np.sign(scores), expected).astype(np.float32)


class Settings(NamedTuple):
    """The options of `open_dataset`, checked, with the own columns of the rows."""

    batch: int
    planes: tuple[str, ...]
    policy: str | None
    value: str | None
    dtype: np.dtype[Any]
    legal: bool
    history: int
    shuffle: bool
    seed: int
    drop_last: bool
    threads: int
    rank: int
    world_size: int
    columns: tuple[OwnColumn, ...] = ()


def batch_from(stored: NDArray[Any], settings: Settings, texts: TextsOf) -> Batch:
    """Return the batch of stored rows; NotAPositionError if one is damaged. Own columns have the places of `texts`."""
    rows = scored(stored)
    positions, n = rows.positions, len(rows)
    planes = _planes(positions, stored, settings)
    policy = legal = value = None
    layout: Any = settings.policy
    if layout is not None:
        policy = aligned((n,), np.dtype(np.int32))
        policy[:] = positions.policy_index(rows.moves, layout, threads=settings.threads)
    if settings.legal:
        legal = aligned((n, move_list(layout).size), np.dtype(np.bool_))
        positions.policy_mask(layout, out=legal, threads=settings.threads)
    if settings.value is not None:
        value = aligned((n,), np.dtype(np.float32))
        value[:] = values(stored, settings.value)
    columns: dict[str, NDArray[Any]] = {}
    for name, _, dtype, is_text in settings.columns:
        if is_text:
            columns[name] = texts(name, stored[name])
            continue
        columns[name] = aligned((n,), np.dtype(dtype))
        columns[name][:] = stored[name]
    return batch_of(planes, policy, value, legal, columns)


def _planes(positions: Positions, stored: NDArray[Any], settings: Settings) -> NDArray[Any]:
    """Return the planes of stored rows, with those of the earlier positions."""
    n, channels = len(positions), len(settings.planes)
    input_format = LEELA.get(settings.planes[0])
    height = PLANES if input_format else (settings.history + 1) * channels
    planes = aligned((n, height, 8, 8), settings.dtype)
    options: Any = {"dtype": settings.dtype, "threads": settings.threads}
    if not settings.history:
        positions.planes(settings.planes, out=planes, **options)
        return planes
    earlier = stored["earlier"][:, : settings.history]
    missing = earlier[..., 0] == 0
    if input_format:
        planes[:] = planes_of(_histories(stored, missing), input_format, "fen_only").to_dense()
        return planes
    planes[:, :channels] = positions.planes(settings.planes, **options)
    for k in range(settings.history):
        # A missing board is that of the row, until it is emptied.
        words = np.where(missing[:, k, None], stored["position"], earlier[:, k])
        words[:, 3] = words[:, 3] & ~_BLACK | stored["position"][:, 3] & _BLACK  # as the side to move now sees it
        part = planes[:, (k + 1) * channels : (k + 2) * channels]
        part[:] = positions_of(words).planes(settings.planes, **options)
        part[missing[:, k]] = 0
    return planes


def _histories(stored: NDArray[Any], missing: NDArray[np.bool_]) -> Histories:
    """Return the positions of rows with those before them."""
    words = np.concatenate([stored["earlier"][:, ::-1], stored["position"][:, None]], axis=1)
    n, boards = words.shape[:2]
    there = np.concatenate([~missing[:, ::-1], np.ones((n, 1), np.bool_)], axis=1)
    rows = np.cumsum(np.count_nonzero(there, axis=1)) - 1
    begin = np.append(0, rows[:-1] + 1)[:n]
    found = Histories(positions_of(words[there]), np.repeat(begin, rows - begin + 1), rows)
    shifts = np.arange(boards - 1, -1, -1, dtype=np.uint8)
    vars(found)["repeated"] = (stored["repeated"][:, None] >> shifts & 1).astype(np.bool_)[there]
    return found
