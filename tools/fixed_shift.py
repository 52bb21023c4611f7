"""Write the factors of `magic-fixed-shift` to standard output: of many seeds, the one whose indices spread least.

    python tools/fixed_shift.py > src/rookery/techniques/_magics/fixed_shift.json

``rookery magics check`` finds each factor again from its seed.
"""

import json
import sys

import numpy as np

from rookery.kernel import U64
from rookery.magics.find import all_squares
from rookery.magics.fixed_shift import find_fixed_shift
from rookery.squares import SQUARE_NAMES
from rookery.techniques._filler import relevant_cases
from rookery.techniques._magics import Factor

SEEDS = 1000


def spread(factor: Factor) -> tuple[int, int]:
    """The highest index of a factor, and how many it uses."""
    occupied, _ = relevant_cases(factor.piece, SQUARE_NAMES.index(factor.square))
    index = np.unique((occupied * U64(factor.magic)) >> U64(64 - factor.bits))
    return int(index[-1]), len(index)


def best(piece: str, square: int) -> Factor:
    """The factor of the best seed."""
    found = (find_fixed_shift(piece, square, seed=seed) for seed in range(SEEDS))
    return min((factor for factor in found if factor), key=spread)


def main() -> None:
    """Write the 128 records."""
    records = []
    for piece, square in all_squares():
        factor = best(piece, square)
        records.append({**factor._asdict(), "magic": f"0x{factor.magic:016x}"})
        print(f"{piece} {factor.square}: {spread(factor)}, seed {factor.seed}", file=sys.stderr)
    document = {
        "finder": f"rookery.magics.fixed_shift; of seeds 0 to {SEEDS - 1} the one whose indices spread least",
        "command": "python tools/fixed_shift.py",
        "injective": False,
        "factors": records,
    }
    print(json.dumps(document, indent=2))


if __name__ == "__main__":
    main()
