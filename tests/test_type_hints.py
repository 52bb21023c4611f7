"""Annotations resolve at run time, as `typing.get_type_hints` and the tools built on it expect."""

import importlib
import inspect
import pkgutil
import typing
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import rookery
from docsite.public import names

PASSED_OVER = {"rookery.__main__", "rookery.cli", "rookery.machine_code"}


def function_of(value: Any) -> Any:
    """Return the function behind a method or a property."""
    value = value.fget if isinstance(value, property) else value
    return getattr(value, "__func__", value)


def in_public() -> Iterator[tuple[str, Any]]:
    """Yield the public functions, methods, properties and classes, with their paths."""
    for public in names():
        found = function_of(public.value)
        if isinstance(found, FunctionType) or (isinstance(found, type) and not public.is_alias):
            yield public.path, found


def in_modules() -> Iterator[tuple[str, Any]]:
    """Yield the functions and methods of all modules whose names do not begin with an underscore."""
    for module in pkgutil.walk_packages(rookery.__path__, "rookery."):
        if not any(f"{module.name}.".startswith(f"{name}.") for name in PASSED_OVER):
            for name, value in vars(importlib.import_module(module.name)).items():
                if getattr(value, "__module__", None) != module.name or name.startswith("_"):
                    continue
                if isinstance(value, FunctionType):
                    yield f"{module.name}.{name}", value
                elif isinstance(value, type):
                    for method, part in vars(value).items():
                        if isinstance(function_of(part), FunctionType) and not method.startswith("_"):
                            yield f"{module.name}.{name}.{method}", function_of(part)


def unresolved(found: Iterator[tuple[str, Any]]) -> tuple[int, list[str]]:
    """Return how many functions and classes there are, and those whose annotations do not resolve."""
    number, faults = 0, []
    for path, value in found:
        number += 1
        try:
            typing.get_type_hints(value)
        except (NameError, AttributeError, TypeError) as error:
            faults.append(f"{path}: {error}")
    return number, faults


# Machine code that a test has bound before is not counted: 470 public names without any, 369 after the whole suite. The
# annotations of its Python functions are among those of the modules.
@pytest.mark.parametrize(("every", "least"), [(in_public, 300), (in_modules, 3000)])
def test_annotations_resolve(every: Callable[[], Iterator[tuple[str, Any]]], least: int) -> None:
    number, faults = unresolved(every())
    assert faults == []
    assert number >= least


def test_an_annotation_that_names_a_module_which_is_imported_later() -> None:
    assert typing.get_type_hints(inspect.unwrap(rookery.Board.words))["return"] == NDArray[np.uint64]
