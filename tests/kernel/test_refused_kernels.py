"""Kernels that neither compiler takes: the error names the line, whatever Numba raises inside."""

import re
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from numba.core.errors import NumbaError, UnsupportedBytecodeError

from kernel_modules import HEADER, imported

pytestmark = pytest.mark.compiler

# Some of them make Numba raise a NotImplementedError, a ValueError, a TypeError or an AttributeError.
STATEMENTS: Final = (
    "x[0] = (x[0], x[1])[::0][0]",
    "x[0] = Pair(x[0]).x",
    "Pair(x, x).x = x",
    "x[0] = open('name')",
    "x[0] = x[0] @ x[1]",
    "x[0], *y = x[0], x[1]",
    "x[0] = popcount()",
    "import os",
)
ERRORS: Final = (NumbaError, UnsupportedBytecodeError)
PAIR: Final = """from rookery.kernel import popcount


class Pair(NamedTuple):
    x: Any
    y: Any


"""


@pytest.mark.parametrize("statement", STATEMENTS)
def test_the_line_is_named(statement: str, tmp_path: Path) -> None:
    source = f"{HEADER}{PAIR}@entry\ndef run(x):\n    x[1] = 3\n    {statement}\n"
    with imported(source, tmp_path, "refused") as module, pytest.raises(ERRORS) as error:
        module.run(np.zeros(3, np.uint64))
    line = source.count("\n")
    assert re.search(rf"line {line}\b|\({line}\)", str(error.value)), error.value
