"""Executors by name, as parameters of a test: what needs an engine is marked, and skipped where that is missing."""

import importlib.util
from typing import Any

import pytest

_MODULES = {"dask": "distributed", "ray": "ray", "loky": "loky"}


def needs_engine(name: str) -> bool:
    """Whether the executor of this name is another library's."""
    return name.partition(":")[0] in _MODULES


def executors(*names: str) -> list[Any]:
    """The parameters for `pytest.mark.parametrize`."""
    parameters = []
    for name in names:
        module = _MODULES.get(name.partition(":")[0])
        missing = module is not None and importlib.util.find_spec(module) is None
        marks = [pytest.mark.engines, pytest.mark.skipif(missing, reason=f"{module} is not installed")]
        parameters.append(pytest.param(name, marks=marks if module else ()))
    return parameters
