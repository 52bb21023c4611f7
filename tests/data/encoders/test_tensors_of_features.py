"""Sparse features as tensors: sums of weights, as a net's first layer computes them."""

import numpy as np
import pytest

from corpus import corpus
from rookery import Positions
from rookery.data import encoders

torch = pytest.importorskip("torch", reason="needs torch: the extra torch is not installed")


def test_bags_and_sparse_tensors_give_the_sums_of_weights() -> None:
    positions = Positions.from_boards([b for b in corpus(200) if len(b.kings) == 2])
    features = encoders.halfkp(positions)
    weights = np.random.default_rng(1).integers(-100, 100, (features.size, 4)).astype(np.float32)
    expected = np.stack([weights[features[i]].sum(axis=0) for i in range(len(features))])
    bag = torch.nn.EmbeddingBag.from_pretrained(torch.from_numpy(weights), mode="sum")
    assert np.array_equal(bag(*features.to_torch()).numpy(), expected)
    assert np.array_equal((features.to_torch("sparse") @ torch.from_numpy(weights)).numpy(), expected)
    with pytest.raises(ValueError, match="layout: 'csr': expected one of bag, sparse"):
        features.to_torch("csr")  # type: ignore[arg-type]


def test_arrays_of_jax_are_the_dense_features() -> None:
    pytest.importorskip("jax", reason="needs jax: the extra jax is not installed")
    features = encoders.pawn_pairs(Positions.from_boards([b for b in corpus(60) if len(b.kings) == 2]))
    assert np.array_equal(np.asarray(features.to_jax().todense()), features.to_dense(np.float32))
