"""Only `rookery.frames` uses pyarrow, but for the rooms that stream tables of files: others use frames."""

import ast
from pathlib import Path

import pytest

import rookery

ROOT = Path(rookery.__file__).parent
LOADERS = {f"{name}_module" for name in ("pyarrow", "compute", "csv", "json", "ipc", "parquet")}
# Rooms whose work is tables of files, batch by batch, in types that no frame has.
ALLOWED = {
    "frames": "the only room that imports pyarrow",
    "games/interchange": "games as tables of other programs: lists, structs and metadata of files",
    "games/read/on_executor.py": "parts of games that tasks keep, as Arrow streams",
    "data/pipeline": "columns of any type that pass from the input to the output as they are",
    "data/plans": "rows of any type between steps",
    "data/datasets": "rows of plans, with columns of any type, become shards",
    "data/training/text/tables.py": "tables of files in which positions have labels, beside columns of any type",
}


def uses(tree: ast.AST) -> set[str]:
    """Return what a module takes of pyarrow: imports when it runs, and names of the functions that load it."""
    for_types = [
        node
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for part in block.body
        for node in ast.walk(part)
    ]
    found = set()
    for node in ast.walk(tree):
        if node in for_types:
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.split(".")[0] == "pyarrow"}
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module or ""} if (node.module or "").split(".")[0] == "pyarrow" else set()
            found |= {alias.name for alias in node.names if alias.name in LOADERS}
    return found


def is_allowed(name: str) -> bool:
    return any(name == place or name.startswith(f"{place}/") for place in ALLOWED)


def test_other_rooms_use_frames() -> None:
    wrong = {}
    used = set()
    for path in ROOT.rglob("*.py"):
        name = path.relative_to(ROOT).as_posix()
        text = path.read_text(encoding="utf-8")
        if any(word in text for word in ("pyarrow", *LOADERS)) and (found := uses(ast.parse(text))):
            used |= {place for place in ALLOWED if name == place or name.startswith(f"{place}/")}
            if not is_allowed(name):
                wrong[name] = sorted(found)
    assert wrong == {}, "use a Frame, or a function of rookery.frames"
    assert used == set(ALLOWED)


@pytest.mark.parametrize(
    "text",
    [
        "import pyarrow as pa",
        "from pyarrow import compute",
        "import pyarrow.parquet",
        "def work():\n    from rookery.frames.arrow import ipc_module",
    ],
)
def test_other_ways_are_found(text: str) -> None:
    assert uses(ast.parse(text))
    assert not uses(ast.parse("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import pyarrow"))
