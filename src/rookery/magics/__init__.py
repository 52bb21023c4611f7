"""Find, prove and pack magic factors.

This module imports nothing heavy, since the command line shows its constants in its help.
"""

from typing import Final

FORMS: Final = ("plain", "fancy", "fixed-shift", "black")  # of an index; see `rookery.magics.find.factors`
DIVES: Final = 10_000  # of a search, before it gives up or takes a wider index
