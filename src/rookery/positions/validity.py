"""Validity: the kernel of `Positions.is_valid`. The rules are those of `rookery.rules.faults`."""

from typing import Any

import numpy as np

from rookery.kernel import U64, array_of, entry
from rookery.positions.kernels.lanes import load, position
from rookery.positions.layout import MARKED, UNUSED, empty_columns
from rookery.rules.compiled import default_technique
from rookery.rules.faults import faults_of, playing_faults


@entry(examples=lambda: (empty_columns(1), U64(0), array_of(np.bool_), default_technique().tables()))
def is_valid(c: Any, reachable: Any, out: Any, t: Any) -> None:
    """Write whether each position is valid; with `reachable`, positions that no game reaches are not."""
    for i in range(out.size):
        lane = load(c, i)
        p = position(lane, t)
        found = faults_of(p, t) if reachable else playing_faults(p, t)
        out[i] = not found | (lane.state & (MARKED | UNUSED))
