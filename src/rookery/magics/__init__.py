"""Stored magic factors: the forms of their tables, the atlas, certificates. `research/magics` searches for factors.

This module imports nothing heavy, since the command line shows its constant in its help.
"""

from typing import Final

FORMS: Final = ("plain", "fancy", "fixed-shift", "black")  # of an index; see `research/magics/find/factors.py`
