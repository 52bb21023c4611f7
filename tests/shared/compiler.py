"""Skip tests that need a compiler by nature where Numba is not installed, and say what to install."""

from importlib.util import find_spec
from typing import Final

REASON: Final = "needs Numba: pip install 'rookery[compile]'"
HAS_NUMBA: Final = find_spec("numba") is not None
