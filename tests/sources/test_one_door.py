"""One room opens, makes, renames, locks and removes files: `rookery.sources`. This test finds a second way."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import rookery

ROOT: Final = Path(rookery.__file__).parent
MODULES: Final = frozenset("bz2 fcntl fsspec gzip lzma mmap msvcrt shutil sqlite3 tempfile zipfile zstandard".split())
OF_OS: Final = frozenset(
    """
    chmod fdopen link makedirs mkdir open remove removedirs rename renames replace rmdir symlink truncate unlink
    """.split()
)
METHODS: Final = frozenset(
    """
    chmod hardlink_to memory_map memmap mkdir open read_bytes read_text rename rmdir symlink_to touch unlink
    write_bytes write_text fromfile tofile OSFile
    """.split()
)
# Of these modules, `open` and the like have nothing to do with a path that the caller chose.
OTHER_OPENERS: Final = frozenset("webbrowser DISK disk".split())
# Files that may open others on their own, each with the reason. A folder stands for its files.
EXCEPTIONS: Final = {
    "kernel/codecache": "machine code is trusted only from folders and files of known owners, opened without links",
    "kernel/native/linking.py": "a linker and a C compiler, which write files of their own, run when a wheel is built",
    "kernel/webassembly.py": "a linker, which reads and writes files of its own, runs when a module is exported",
    "shipping/wheels.py": "runs when a wheel is built",
    "bench": "measures other programs on files that it makes, and reads what the system says about the machine",
    "cli/process.py": "opens the null device in place of standard streams that are closed",
    "magics/certify.py": "unpacks bytes in memory, within a limit, and reads files of the package",
}


def second_ways(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of each call or import by which a file opens, makes, renames or removes another."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, f"import {name.name}") for name in node.names if _root(name.name) in MODULES)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and _root(node.module or "") in MODULES:
            yield node.lineno, f"from {node.module} import"
        elif isinstance(node, ast.ImportFrom) and node.module in ("os", "io", "builtins"):
            yield from ((node.lineno, f"from os import {name.name}") for name in node.names if name.name in OF_OS)
        elif isinstance(node, ast.Call):
            name = _name(node.func)
            if name == "open":
                yield node.lineno, "open("
            elif isinstance(node.func, ast.Attribute) and _is_second_way(name, node):
                yield node.lineno, f"{name}("


def _root(module: str) -> str:
    return module.partition(".")[0]


def _name(function: ast.expr) -> str:
    """Return the dotted name of what is called; "?" stands for what has no name."""
    if isinstance(function, ast.Attribute):
        return f"{_name(function.value)}.{function.attr}"
    return function.id if isinstance(function, ast.Name) else "?"


def _is_second_way(name: str, call: ast.Call) -> bool:
    holder, _, method = name.rpartition(".")
    if holder == "os":
        return method in OF_OS
    if holder in OTHER_OPENERS or "joinpath" in ast.unparse(call.func) or "resources.files" in ast.unparse(call.func):
        return False
    if method == "replace":  # that of a text has two arguments
        return len(call.args) == 1 and not call.keywords
    return method in METHODS


def files_of_rookery() -> list[str]:
    return sorted(file.relative_to(ROOT).as_posix() for file in ROOT.rglob("*.py"))


def reason_of(file: str) -> str | None:
    return next((why for name, why in EXCEPTIONS.items() if file == name or file.startswith(f"{name}/")), None)


def test_nobody_else_touches_files() -> None:
    found = [
        f"{file}:{line}: {what}"
        for file in files_of_rookery()
        if not file.startswith("sources/") and reason_of(file) is None
        for line, what in second_ways((ROOT / file).read_text(encoding="utf-8"))
    ]
    assert not found, "use rookery.sources.disk.DISK or rookery.sources.files: " + ", ".join(found)


@pytest.mark.parametrize("name", EXCEPTIONS)
def test_exceptions_are_needed(name: str) -> None:
    files = [file for file in files_of_rookery() if reason_of(file) == EXCEPTIONS[name] and file.startswith(name)]
    assert any(list(second_ways((ROOT / file).read_text(encoding="utf-8"))) for file in files)


@pytest.mark.parametrize(
    "line",
    [
        "open('a')",
        "from os import remove",
        "import os; os.open('a', 0)",
        "import os; os.replace('a', 'b')",
        "import os; os.rename('a', 'b')",
        "import os; os.remove('a')",
        "import os; os.unlink('a')",
        "import os; os.truncate('a', 0)",
        "Path('a').open('rb')",
        "path.open()",
        "path.read_bytes()",
        "path.read_text()",
        "path.write_bytes(b'')",
        "path.write_text('')",
        "path.replace(other)",
        "path.rename(other)",
        "path.unlink(missing_ok=True)",
        "pa.memory_map('a')",
        "np.memmap('a')",
        *(f"import {module}" for module in sorted(MODULES)),
        "def f():\n    import shutil",
        "from gzip import GzipFile",
        "import concurrent.futures, mmap",
    ],
)
def test_the_test_finds_each_way(line: str) -> None:
    assert list(second_ways(line))


@pytest.mark.parametrize(
    "line",
    [
        "'a'.replace('a', 'b')",
        "webbrowser.open(address)",
        "DISK.open(path)",
        "games._replace(a=1)",
        "dataclasses.replace(part, may_grow=True)",
        "resources.files(__name__).joinpath(name).read_text()",
        "columns.replace(texts=None)",
    ],
)
def test_the_test_lets_other_calls_pass(line: str) -> None:
    assert not list(second_ways(line))
