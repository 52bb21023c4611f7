"""Names that docstrings of the parts of `rookery.Positions` use without importing them."""

from typing import Any

import numpy as np
import pytest

import rookery


@pytest.fixture(autouse=True)
def names(doctest_namespace: dict[str, Any]) -> None:
    """Put them in every doctest's namespace."""
    doctest_namespace.update(Positions=rookery.Positions, Board=rookery.Board, Move=rookery.Move, np=np)
