"""What pyright says of code as users write it, `user_code.py`. What mypy says of it is part of every check of types.

pyright knows rookery as an installed package: only the user's file is checked, strictly. basedpyright is pyright as a
package that needs nothing further from the network.
"""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import rookery

HERE = Path(__file__).parent
CODE = HERE / "user_code.py"
SOURCES = Path(rookery.__file__).parents[1]


def run(*command: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", *command], capture_output=True, text=True, env=os.environ | environment, cwd=HERE
    )


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("basedpyright") is None, reason="basedpyright is not installed")
def test_pyright(tmp_path: Path) -> None:
    settings = {
        "include": [str(CODE)],
        "extraPaths": [str(SOURCES)],
        "typeCheckingMode": "standard",
        "enableTypeIgnoreComments": True,
        "reportUnnecessaryTypeIgnoreComment": "error",
        "reportAssertTypeFailure": "error",
    }
    project = tmp_path / "pyrightconfig.json"
    project.write_text(json.dumps(settings), encoding="utf-8")
    done = run("basedpyright", "--outputjson", "--pythonpath", sys.executable, "--project", str(project))
    printed = json.loads(done.stdout)
    assert [f"{d['range']['start']['line'] + 1}: {d['message']}" for d in printed["generalDiagnostics"]] == []
    assert printed["summary"]["filesAnalyzed"] == 1


def test_arrow_tables_are_named_though_pyarrow_may_be_missing() -> None:
    for method in (rookery.Games.to_arrow, rookery.Positions.to_arrow):
        assert method.__annotations__["return"] == "pyarrow.Table"
