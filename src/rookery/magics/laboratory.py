"""The door to the laboratory of magic factors: the folder `research/magics` of a checkout, which wheels do not have."""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any, Final

_FOLDER: Final = Path(__file__).parents[3] / "research"
# The commands that search, with what each does.
COMMANDS: Final = {
    "find": "Find magic factors, all 128 by default, and try each on every occupancy.",
    "pack": "Pack the tables of all squares into the gaps of each other.",
    "pilot": "Estimate the size of a proof, and search for the order of blockers that makes it smallest.",
    "prove": "Decide by exhaustive search whether a magic factor of an index width exists.",
}


def laboratory(module: str) -> Any:
    """Import a module of the laboratory.

    Raises a ModuleNotFoundError where rookery is not imported from a checkout, unless the folder `research` of one is
    among the folders that Python imports from.

    >>> laboratory("find.factors").find("bishop", 27).bits
    9
    """
    if str(_FOLDER) not in sys.path and (_FOLDER / "magics" / "__init__.py").is_file():
        sys.path.append(str(_FOLDER))
    try:
        return import_module(f"magics.{module}")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "magics":
            raise
        raise ModuleNotFoundError(
            "the laboratory of magic factors is not in this installation: it is in the folder research/magics of a "
            "checkout. git clone https://github.com/rookery-chess/rookery, and there: pip install -e '.[compile]'",
            name="magics",
        ) from error


def call(task: tuple[str, str, Any]) -> Any:
    """Call a function of the laboratory: its module, its name and its argument.

    Workers of an executor import this function, and the laboratory only here: it is not among the folders that they
    import from.
    """
    module, name, argument = task
    return getattr(laboratory(module), name)(argument)
