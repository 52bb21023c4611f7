"""The sources of python-chess, with its own tests and data: third-party files, and no part of this repository."""

import os
from pathlib import Path
from typing import Final

import pytest

VERSION: Final = "1.11.2"
VARIABLE: Final = "ROOKERY_PYTHON_CHESS"
REASON: Final = f"needs python-chess's sources {VERSION} in the folder that {VARIABLE} names; .ci/run downloads them"


def source() -> Path:
    """Return the folder, or skip the test that calls this."""
    named = os.environ.get(VARIABLE)
    if not named:
        pytest.skip(REASON)
    folder = Path(named)
    assert (folder / "test.py").is_file(), f"{VARIABLE}: {named}: expected the unpacked sources of python-chess"
    assert f'__version__ = "{VERSION}"' in (folder / "chess" / "__init__.py").read_text(encoding="utf-8")
    return folder
