"""Lines between squares as an array, for kernels and for queries about sets."""

from typing import Final

import numpy as np

from rookery.bitboards.lines import squares_between

BETWEEN: Final = np.array([squares_between(a) for a in range(64)], np.uint64)  # 32 KiB
