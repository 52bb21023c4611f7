"""Sparse features: for each position, the numbers of the inputs of a net that are on."""

from typing import Any, Final, Literal, cast

import numpy as np
from numpy.typing import DTypeLike, NDArray

from rookery.arguments import choice, is_number, shown
from rookery.frames.array_arguments import dtype_of
from rookery.frames.arrow import arrow_column, list_column, struct_column

Indices = NDArray[np.int32]
_LAYOUTS: Final = {"bag": "bag", "sparse": "sparse"}
_EMPTY: Final = -1


class SparseFeatures:
    """Lists of features, one for each position: a list is ``indices[offsets[i]:offsets[i + 1]]``.

    ``offsets`` is int64, (n + 1,), and begins with 0; ``indices`` is int32, in the order in which the encoder lists
    them; ``size`` is the number of inputs of the net. ``features[i]`` is one list. ``weights`` are the values of the
    inputs, float32, in the same order, or None if all are 1.

    >>> features = SparseFeatures(np.array([0, 2, 3]), np.array([5, 1, 4], np.int32), 6)
    >>> len(features)
    2
    >>> features[0]
    array([5, 1], dtype=int32)
    >>> features
    <3 of 6 features in 2 lists>
    """

    __slots__ = ("indices", "offsets", "size", "weights")
    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self, offsets: NDArray[np.int64], indices: Indices, size: int, weights: NDArray[np.float32] | None = None
    ) -> None:
        self.offsets, self.indices, self.size, self.weights = offsets, indices, size, weights

    def __len__(self) -> int:
        return self.offsets.size - 1

    def __getitem__(self, index: int) -> Indices:
        if not is_number(index):
            raise TypeError(f"index: {shown(index)}: expected an int")
        i = int(index) + (len(self) if index < 0 else 0)
        if not 0 <= i < len(self):
            raise IndexError(f"index: {index}: there are {len(self)} lists")
        return self.indices[self.offsets[i] : self.offsets[i + 1]]

    def __eq__(self, other: object) -> bool:
        """Check whether both have the same lists, in the same order, for nets of the same size."""
        if not isinstance(other, SparseFeatures):
            return NotImplemented
        return (
            self.size == other.size
            and np.array_equal(self.offsets, other.offsets)
            and np.array_equal(self.indices, other.indices)
            and np.array_equal(self._values(), other._values())
        )

    def __repr__(self) -> str:
        return f"<{self.indices.size} of {self.size} features in {len(self)} lists>"

    @property
    def counts(self) -> NDArray[np.int64]:
        """Return the length of each list: int64, (n,).

        >>> SparseFeatures(np.array([0, 2, 3]), np.array([5, 1, 4], np.int32), 6).counts
        array([2, 1])
        """
        return np.diff(self.offsets)

    def sorted(self) -> "SparseFeatures":
        """Return the same lists, each in ascending order.

        >>> SparseFeatures(np.array([0, 2, 3]), np.array([5, 1, 4], np.int32), 6).sorted().indices
        array([1, 5, 4], dtype=int32)
        """
        order = np.argsort(self._keys(), kind="stable")
        weights = None if self.weights is None else self.weights[order]
        return SparseFeatures(self.offsets, self.indices[order], self.size, weights)

    def to_dense(self, dtype: DTypeLike = np.uint8) -> NDArray[Any]:
        """Return one row of `size` numbers for each list, 1 (or the weight) where a feature is on: (n, size).

        `dtype` may be any number type.

        >>> SparseFeatures(np.array([0, 2, 3]), np.array([5, 1, 4], np.int32), 6).to_dense()
        array([[0, 1, 0, 0, 0, 1],
               [0, 0, 0, 0, 1, 0]], dtype=uint8)
        """
        dense = np.zeros((len(self), self.size), dtype_of(dtype, "a number type"))
        dense[self._rows(), self.indices] = 1 if self.weights is None else self.weights
        return dense

    def padded(self, width: int | None = None) -> Indices:
        """Return the lists as rows of one length, filled up with -1: int32, (n, width).

        Without `width`, the longest list sets it. A longer list than `width` raises ValueError, which names it, and so
        do features with weights.

        >>> SparseFeatures(np.array([0, 2, 3]), np.array([5, 1, 4], np.int32), 6).padded()
        array([[ 5,  1],
               [ 4, -1]], dtype=int32)
        """
        self._check_bare("padded")
        counts = self.counts
        longest = int(counts.max(initial=0))
        width = longest if width is None else width
        if not is_number(width) or width < 0:
            raise ValueError(f"width: {shown(width)}: expected an int of at least 0, or None")
        if longest > width:
            i = int(np.argmax(counts > width))
            raise ValueError(f"width: {width}: list {i} has {counts[i]} features")
        rows = np.full((len(self), width), _EMPTY, np.int32)
        rows[np.arange(width) < counts[:, None]] = self.indices
        return rows

    def to_arrow(self) -> Any:
        """Return an Arrow array of lists of int32, or of structures of `index` and `weight`; needs pyarrow.

        >>> SparseFeatures(np.array([0, 2, 3]), np.array([5, 1, 4], np.int32), 6).to_arrow().to_pylist()
        [[5, 1], [4]]
        """
        indices = arrow_column(self.indices)
        if self.weights is not None:
            indices = struct_column({"index": indices, "weight": self.weights})
        return list_column(self.offsets, indices)

    def to_torch(self, layout: Literal["bag", "sparse"] = "bag") -> Any:
        """Return tensors of PyTorch.

        ``"bag"`` are the arguments of ``torch.nn.EmbeddingBag``: indices, int32, offsets, int32, (n,), and weights if
        there are any. ``"sparse"`` is a sparse tensor, float32, (n, size), which can be multiplied by a matrix.
        Without PyTorch this raises ModuleNotFoundError.

        >>> import torch  # doctest: +SKIP
        >>> first_layer = torch.nn.EmbeddingBag(6, 32, mode="sum")  # doctest: +SKIP
        >>> first_layer(*features.to_torch()).shape  # doctest: +SKIP
        torch.Size([2, 32])
        """
        choice("layout", layout, _LAYOUTS)
        torch = torch_module("to_torch")
        indices = torch.from_numpy(np.ascontiguousarray(self.indices))
        if layout == "bag":
            bag = indices, torch.from_numpy(self.offsets[:-1].astype(np.int32))
            return bag if self.weights is None else (*bag, torch.from_numpy(self.weights))
        where = torch.from_numpy(np.stack([self._rows(), self.indices.astype(np.int64)]))
        values, size = torch.from_numpy(self._values()), (len(self), self.size)
        return torch.sparse_coo_tensor(where, values, size, check_invariants=False)

    def to_jax(self) -> Any:
        """Return a sparse array of JAX, ``jax.experimental.sparse.BCOO``: float32, (n, size).

        Without JAX this raises ModuleNotFoundError.
        """
        sparse = jax_module("to_jax").experimental.sparse
        where = np.stack([self._rows().astype(np.int32), self.indices], axis=1)
        return sparse.BCOO((self._values(), where), shape=(len(self), self.size))

    def without(self, other: "SparseFeatures") -> "SparseFeatures":
        """Return the features of each list that the other's list of the same position lacks, in ascending order.

        Another number of lists, or of inputs, raises ValueError, and so do features with weights.

        >>> before = SparseFeatures(np.array([0, 2, 3]), np.array([5, 1, 4], np.int32), 6)
        >>> after = SparseFeatures(np.array([0, 1, 2]), np.array([5, 3], np.int32), 6)
        >>> before.without(after).to_arrow().to_pylist()
        [[1], [4]]
        """
        if not isinstance(other, SparseFeatures):
            raise TypeError(f"other: {shown(other)}: expected SparseFeatures")
        if (len(self), self.size) != (len(other), other.size):
            raise ValueError(f"other: {other!r}: expected {len(self)} lists of {self.size} features")
        for one in (self, other):
            one._check_bare("without")
        keys = np.setdiff1d(self._keys(), other._keys(), assume_unique=True)
        keys.sort()
        rows, indices = np.divmod(keys, self.size)
        return SparseFeatures(offsets_of(np.bincount(rows, minlength=len(self))), indices.astype(np.int32), self.size)

    def _values(self) -> NDArray[np.float32]:
        """Return the value of each feature that is on."""
        return np.ones(self.indices.size, np.float32) if self.weights is None else self.weights

    def _check_bare(self, method: str) -> None:
        if self.weights is not None:
            raise ValueError(f"{method}: {self!r} with weights: expected features that are on or off")

    def _rows(self) -> NDArray[np.int64]:
        return np.repeat(np.arange(len(self)), self.counts)

    def _keys(self) -> NDArray[np.int64]:
        """Return a number for each feature of each list, ascending by list."""
        return cast("NDArray[np.int64]", self._rows() * self.size + self.indices)


def torch_module(caller: str) -> Any:
    """Return PyTorch; a ModuleNotFoundError names the caller."""
    try:
        import torch
    except ModuleNotFoundError:
        raise ModuleNotFoundError(f"{caller}: needs PyTorch: pip install torch", name="torch") from None
    return torch


def jax_module(caller: str) -> Any:
    """Return JAX with its sparse arrays; a ModuleNotFoundError names the caller."""
    try:
        import jax
        import jax.experimental.sparse
    except ModuleNotFoundError:
        raise ModuleNotFoundError(f"{caller}: needs JAX: pip install jax", name="jax") from None
    return jax


def offsets_of(counts: NDArray[Any]) -> NDArray[np.int64]:
    """Return the offsets of lists of the given lengths.

    >>> offsets_of(np.array([2, 0, 3]))
    array([0, 2, 2, 5])
    """
    offsets = np.zeros(counts.size + 1, np.int64)
    np.cumsum(counts, out=offsets[1:])
    return offsets
