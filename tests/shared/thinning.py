"""Cases of which the default run takes some, and `-m slow` the others."""

import os
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings


def slow(*values: Any) -> Any:
    """Return the values of a case as a parameter that only `-m slow` takes."""
    return pytest.param(*values, marks=pytest.mark.slow)


def slow_but(cases: Iterable[Any], *fast: Any) -> list[Any]:
    """Return cases as parameters: all but the `fast` ones are slow."""
    values = list(cases)
    assert all(case in values for case in fast), fast
    return [case if case in fast else _slow(case) for case in values]


def few(cases: Iterable[Any], kept: int) -> list[Any]:
    """Return cases as parameters: all but `kept` of them, spread evenly, are slow."""
    values = list(cases)
    fast = {i * len(values) // kept for i in range(kept)}
    return [case if i in fast else _slow(case) for i, case in enumerate(values)]


def examples(number: int, default: int | None = None, **options: Any) -> settings:
    """Return settings of Hypothesis: so many with HYPOTHESIS_PROFILE=search, otherwise `default` or a third."""
    is_search = os.environ.get("HYPOTHESIS_PROFILE") == "search"
    return settings(max_examples=number if is_search else default or max(number // 3, 20), deadline=None, **options)


def _slow(case: Any) -> Any:
    return slow(*case) if isinstance(case, tuple) else slow(case)
