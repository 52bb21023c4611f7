"""Encoders: the inputs of known nets, over arrays of positions.

Sets of sparse features, called with positions: `halfkp`, `halfka_v2`, `halfka_v2_hm`, `full_threats`, `pawn_pairs` and
`sfnnv16`, which joins the last three.

stockfish          the sets of Stockfish's nets
stockfish_kernels  their kernels
sparse             SparseFeatures: lists of features, as arrays of NumPy, Arrow, PyTorch and JAX
"""

from rookery.data.encoders.sparse import SparseFeatures
from rookery.data.encoders.stockfish import (
    FeatureSet,
    Perspective,
    full_threats,
    halfka_v2,
    halfka_v2_hm,
    halfkp,
    pawn_pairs,
    sfnnv16,
)

__all__ = [
    "FeatureSet",
    "Perspective",
    "SparseFeatures",
    "full_threats",
    "halfka_v2",
    "halfka_v2_hm",
    "halfkp",
    "pawn_pairs",
    "sfnnv16",
]
