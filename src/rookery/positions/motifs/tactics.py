"""The motifs of tactics along lines, by set algebra on all positions: pins, skewers, forks, X-rays and the like.

Letters are those of `rookery.positions.motifs.attacks`, whose loop runs first. The two are separate because a loop
whose machine code outgrows the processor's cache of decoded instructions is slow: as one, they took 91 ns a position
instead of 75.
"""

from typing import Final

from rookery.kernel import entry_of

tactics: Final = entry_of("rookery.positions.motifs.kernels.tactics", "tactics")
