"""Which extension modules of a wheel this CPU can run."""

import os

from rookery.kernel.targets import PACKAGE, forced, modules, of_machine


def module_names(*, has_native: bool = False) -> list[str]:
    """Return the names of the modules of the wheel for this CPU: that of its family, then those of lesser families.

    With `has_native`, those that have native functions. There are none if kernels are to run in Python or with checks
    of indices.
    """
    family = forced()
    checked = any(os.environ.get(name, "0") not in ("", "0") for name in ("NUMBA_BOUNDSCHECK", "NUMBA_DISABLE_JIT"))
    if family is None or checked:
        return []
    families = of_machine()
    names = (target.module for target in families[families.index(family) :])
    return [f"{PACKAGE}.{name}" for name in names if name in modules(has_native)]
