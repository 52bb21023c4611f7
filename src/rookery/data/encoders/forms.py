"""Forms of encoded positions: every encoder in NumPy, Arrow, PyTorch and JAX, of arrays or of a stream."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import choice, shown
from rookery.data.encoders import stockfish
from rookery.data.encoders.concepts import concepts
from rookery.data.encoders.leela import LeelaPlanes, leela_planes
from rookery.data.encoders.maia import maia2_planes, maia3_squares
from rookery.data.encoders.searchless import searchless_tokens
from rookery.data.encoders.sparse import SparseFeatures, jax_module, offsets_of, torch_module
from rookery.frames.arrow import arrow_column, struct_column
from rookery.games.games import Games

Encoder = str | Callable[..., Any]


def policy_mask(positions: Any, layout: Any = "alphazero", *, threads: int = 1) -> NDArray[np.bool_]:
    """Return the legal moves of each position by a layout of `Positions.policy_mask`."""
    mask: NDArray[np.bool_] = positions.policy_mask(layout, threads=threads)
    return mask


ENCODERS: Final[Mapping[str, Callable[..., Any]]] = MappingProxyType(
    {
        "halfkp": stockfish.halfkp,
        "halfka_v2": stockfish.halfka_v2,
        "halfka_v2_hm": stockfish.halfka_v2_hm,
        "full_threats": stockfish.full_threats,
        "pawn_pairs": stockfish.pawn_pairs,
        "sfnnv16": stockfish.sfnnv16,
        "leela_planes": leela_planes,
        "maia2_planes": maia2_planes,
        "maia3_squares": maia3_squares,
        "searchless_tokens": searchless_tokens,
        "policy_mask": policy_mask,
        "concepts": concepts,
    }
)


def encode(encoder: Encoder, source: Any, form: str = "dense", /, **options: Any) -> Any:
    """Return the inputs that an encoder makes, in a form.

    `encoder` is a name of an encoder in `rookery.encoders`, ``"policy_mask"`` (the moves of a layout), or a function
    like these; `source` and `options` are its arguments. `form` is

    - ``"dense"``: an array of NumPy, a row for each position;
    - ``"sparse"``: `SparseFeatures`, the numbers of the inputs that are not 0, flattened;
    - ``"arrow"``: an Arrow array: lists of the numbers of features, or lists of one length;
    - ``"torch"``, ``"jax"``: a tensor of PyTorch, an array of JAX, with the values of the dense array;
    - ``"torch-bag"``: the arguments of ``torch.nn.EmbeddingBag``; ``"torch-sparse"``, ``"jax-sparse"``: sparse ones.

    `concepts` returns a dict of these by name. A wrong form or encoder raises ValueError, and so do texts as tensors.

    >>> from rookery import Board, Positions
    >>> positions = Positions.from_boards([Board()])
    >>> encode("maia2_planes", positions, "sparse")
    <352 of 1152 features in 1 lists>
    >>> encode("halfka_v2_hm", positions, "dense").shape
    (1, 22528)
    >>> encode("concepts", positions, "arrow", names="see, attacks")["see"].to_pylist()
    [0]
    """
    make = _FORMS[choice("form", form, {name: name for name in _FORMS})]
    return _each(_encoder(encoder)(source, **options), make)


def encode_blocks(encoder: Encoder, blocks: Iterable[Any], form: str = "dense", /, **options: Any) -> Iterator[Any]:
    """Yield what `encode` returns for each block of a stream, such as the `Games` that `rookery.scan_pgn` yields.

    Blocks are what the encoder takes; `Games` and `ScoredPositions` stand for their positions, if it takes these.

    >>> import rookery
    >>> with rookery.scan_pgn("docs/lichess-2025-05.pgn.zst") as blocks:
    ...     for squares in encode_blocks("maia3_squares", blocks, "dense", history=1):
    ...         print(squares.shape)
    (633, 64, 12)
    """
    choice("form", form, {name: name for name in _FORMS})
    function = _encoder(encoder)
    if isinstance(blocks, str) or not isinstance(blocks, Iterable):
        raise TypeError(f"blocks: {shown(blocks)}: expected an iterable of positions or games")
    takes_games = function in (leela_planes, maia3_squares)

    def encoded() -> Iterator[Any]:
        for block in blocks:
            if not (takes_games and isinstance(block, Games)):
                block = getattr(block, "positions", block)
                block = block() if callable(block) else block
            yield encode(function, block, form, **options)

    return encoded()


def sparse_of(values: Any) -> SparseFeatures:
    """Return the values that are not 0 as lists of features: those of an array, the planes of `LeelaPlanes`.

    >>> sparse_of(np.array([[0, 1, 1], [1, 0, 0]])).to_arrow().to_pylist()
    [[1, 2], [0]]
    """
    if isinstance(values, SparseFeatures):
        return values
    dense = dense_of(values)
    rows = dense.reshape(len(dense), int(np.prod(dense.shape[1:])))
    if rows.dtype.kind not in "biuf":
        raise ValueError(f"form: an array of {rows.dtype}: expected numbers")
    where = np.flatnonzero(rows)
    of_row, indices = np.divmod(where, max(rows.shape[1], 1))
    weights = rows.ravel()[where].astype(np.float32)
    return SparseFeatures(
        offsets_of(np.bincount(of_row, minlength=len(rows))),
        indices.astype(np.int32),
        rows.shape[1],
        None if (weights == 1).all() else weights,
    )


def dense_of(values: Any) -> NDArray[Any]:
    """Return values as an array with a row for each position."""
    if isinstance(values, (SparseFeatures, LeelaPlanes)):
        return values.to_dense()
    return np.asarray(values)


def arrow_of(values: Any) -> Any:
    """Return values as an Arrow array; those of `LeelaPlanes` are structures of words, clocks and transforms."""
    if isinstance(values, SparseFeatures):
        return values.to_arrow()
    if isinstance(values, LeelaPlanes):
        return struct_column(dict(zip(values._fields, values, strict=True)))
    return arrow_column(np.asarray(values))


def _tensor(values: Any) -> Any:
    return torch_module("encode").from_numpy(_numbers(values))


def _jax_array(values: Any) -> Any:
    jax_module("encode")
    import jax.numpy as jnp

    return jnp.asarray(_numbers(values))


def _numbers(values: Any) -> NDArray[Any]:
    """Return a dense array of numbers that tensors have, whole and in one piece."""
    array = dense_of(values)
    if array.dtype.kind not in "biuf":
        raise ValueError(f"form: an array of {array.dtype}: expected numbers")
    if array.dtype.kind == "u" and array.dtype.itemsize > 1:  # for which tensors have few operations
        array = array.astype(np.int32 if array.dtype.itemsize == 2 else np.int64)
    return np.ascontiguousarray(array)


_FORMS: Final[Mapping[str, Callable[[Any], Any]]] = MappingProxyType(
    {
        "dense": dense_of,
        "sparse": sparse_of,
        "arrow": arrow_of,
        "torch": _tensor,
        "torch-bag": lambda values: sparse_of(values).to_torch("bag"),
        "torch-sparse": lambda values: sparse_of(values).to_torch("sparse"),
        "jax": _jax_array,
        "jax-sparse": lambda values: sparse_of(values).to_jax(),
    }
)
FORMS: Final = tuple(_FORMS)


def _each(values: Any, make: Callable[[Any], Any]) -> Any:
    """Return values in a form, each of a dict by its name."""
    return {name: make(one) for name, one in values.items()} if isinstance(values, dict) else make(values)


def _encoder(encoder: Encoder) -> Callable[..., Any]:
    if isinstance(encoder, str):
        return ENCODERS[choice("encoder", encoder, {name: name for name in ENCODERS})]
    if not callable(encoder):
        raise TypeError(f"encoder: {shown(encoder)}: expected a name or a function")
    return encoder
