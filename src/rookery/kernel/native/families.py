"""Which extension module of a wheel this CPU can run."""

import os

from rookery.kernel.targets import PACKAGE, forced, modules


def module_name() -> str:
    """Return the name of the module of the wheel for this CPU, or an empty text if there is none.

    There is none either if kernels are to run in Python or with checks of indices.
    """
    if any(os.environ.get(name, "0") not in ("", "0") for name in ("NUMBA_BOUNDSCHECK", "NUMBA_DISABLE_JIT")):
        return ""
    family = forced()
    return f"{PACKAGE}.{family.module}" if family is not None and family.module in modules() else ""
