"""The parts of Numba that this package uses without a promise of Numba: the tested versions, and every name.

Promised is what Numba's documentation describes: the options of `numba.njit`, `numba.typeof`, a dispatcher's `compile`
and `overloads`, `numba.types`, `numba.extending`, `numba.TypingError`, and, on the page "Customizing the compiler",
`CompilerBase`, `DefaultPassBuilder`, `FunctionPass`, `register_pass`, the state that a pass gets, and `numba.core.ir`.

A test finds the names that this package uses, and compares them with this list.
"""

import importlib
import re
from typing import Any, Final

# `pyproject.toml` allows these: from the first on, below the second.
TESTED: Final = ((0, 64), (0, 69))

# By module: names, and attributes of the classes that define them.
NAMES: Final = {
    "numba.core.analysis": "compute_cfg_from_blocks",
    "numba.core.compiler": "Flags.noalias",
    "numba.core.compiler_machinery": "PassManager.add_pass_after PassManager.finalize",
    "numba.core.typed_passes": "NopythonTypeInference",
    "numba.core.untyped_passes": "IRProcessing ReconstructSSA",
    "numba.core.typing.context": "BaseContext.resolve_function_type",
}
# Attributes of objects: of a function's statements, of a graph of blocks, of the type of a function.
ATTRIBUTES: Final = ("_definitions", "dominators", "typing_key")


def all_names() -> list[str]:
    """Return every name with its module: ``numba.core.typed_passes:NopythonTypeInference``."""
    return [f"{module}:{name}" for module, names in NAMES.items() for name in names.split()]


def fault() -> str:
    """Return what is missing in Numba, or an empty text if nothing is."""
    import numba

    version = getattr(numba, "__version__", "?")
    numbers = re.match(r"(\d+)\.(\d+)", version)
    first, last = TESTED
    if numbers is None or not first <= (int(numbers[1]), int(numbers[2])) < last:
        tested = " to ".join(f"{major}.{minor}" for major, minor in (first, (last[0], last[1] - 1)))
        return f"Numba {version} was not tested: {tested} were"
    missing = [name for name in all_names() if not _is_there(name)]
    return f"Numba {version} lacks {', '.join(name.replace(':', '.') for name in missing)}" if missing else ""


def _is_there(name: str) -> bool:
    module, _, attributes = name.partition(":")
    try:
        found: Any = importlib.import_module(module)
        for attribute in attributes.split("."):
            # A class may inherit another attribute of this name, such as an abstract method.
            found = vars(found)[attribute] if isinstance(found, type) else getattr(found, attribute)
    except (ImportError, AttributeError, KeyError):
        return False
    return True
