"""Encoders: the inputs of known nets, over arrays of positions.

- Stockfish: `halfkp`, `halfka_v2`, `halfka_v2_hm`, `full_threats`, `pawn_pairs`, and `sfnnv16`, which joins the last
  three. They are called with positions and return `SparseFeatures`.
- Leela Chess Zero: `leela_planes`, with history, in every input format; `leela_records` of its training data.
- Maia: `maia2_planes`, `maia3_squares`.
- Searchless chess: `searchless_tokens`, `win_chance`, `scores_of_chances`, `value_bins`, `bin_values`.

- Probes of concepts: `concepts`, motifs, attacks, mobility, exchanges and legal moves by name.

`encode` returns what any of these makes in a form: NumPy, Arrow, PyTorch or JAX, sparse or dense; `encode_blocks` does
so for the blocks of a stream.

The moves of these nets, and of AlphaZero's in the orders of several programs, are numbered by the layouts of
`Positions.policy_mask`.

concepts            concepts for probes
forms               every encoder in every form, of arrays or streams
sparse              SparseFeatures: lists of features, as arrays of NumPy, Arrow, PyTorch and JAX
stockfish           the sets of Stockfish's nets; stockfish_kernels has their kernels
histories           positions with those before them
leela               the planes of Leela Chess Zero
training_records    the records of its training data
maia                the planes of maia2 and the squares of Maia-3
searchless          tokens and bins of searchless chess; searchless_kernels has the kernel
"""

from rookery.data.encoders.concepts import concepts
from rookery.data.encoders.forms import encode, encode_blocks
from rookery.data.encoders.leela import LeelaPlanes, leela_planes
from rookery.data.encoders.maia import maia2_planes, maia3_squares
from rookery.data.encoders.searchless import bin_values, scores_of_chances, searchless_tokens, value_bins, win_chance
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
from rookery.data.encoders.training_records import leela_records

__all__ = [
    "FeatureSet",
    "LeelaPlanes",
    "Perspective",
    "SparseFeatures",
    "bin_values",
    "concepts",
    "encode",
    "encode_blocks",
    "full_threats",
    "halfka_v2",
    "halfka_v2_hm",
    "halfkp",
    "leela_planes",
    "leela_records",
    "maia2_planes",
    "maia3_squares",
    "pawn_pairs",
    "scores_of_chances",
    "searchless_tokens",
    "sfnnv16",
    "value_bins",
    "win_chance",
]
