"""A module that is run once more, so that a test executes what fills its tables."""

import importlib.util
from types import ModuleType


def loaded_again(name: str) -> ModuleType:
    """Return a new module from the source of a module. The one in use stays as it is."""
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
