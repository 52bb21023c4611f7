"""Print the tests that belong to files: ``python tools/tests_of.py src/rookery/positions/moves.py``.

They are those of the folder of ``tests/`` with the same name that are named after the file, and those that import its
module; the whole folder if there are none. A page's tests run its examples, and a test file belongs to itself.
"""

import ast
import functools
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
SOURCE: Final = ROOT / "src"
TESTS: Final = ROOT / "tests"
PAGES: Final = ("tests/test_tutorial.py", "tests/test_page_commands.py")


def of_file(path: Path) -> list[str]:
    """Return the arguments for pytest that run the tests of a file, relative to the root of the repository.

    >>> of_file(ROOT / "src/rookery/lazy_imports.py")
    ['tests/test_lazy_imports.py', 'src/rookery/lazy_imports.py']
    >>> of_file(ROOT / "research/magics/find/riders.py")
    ['tests/cli/test_cli_magics_find.py', 'tests/research/magics/find/test_find.py']
    """
    path = path.resolve()
    if not path.is_relative_to(ROOT) or not path.exists():
        raise SystemExit(f"{path}: expected a file of {ROOT}")
    relative = path.relative_to(ROOT)
    if relative.parts[0] == "tests":
        return [str(relative)] if path.name.startswith("test_") or path.is_dir() else _importers(path.stem)
    if path.suffix == ".md":
        return [str(relative), *PAGES]
    if path.suffix != ".py":
        raise SystemExit(f"{relative}: expected a Python file, a page or a test")
    if not path.is_relative_to(SOURCE):  # tools, benchmarks and research import from their own folders
        return _importers(".".join(Path(*relative.parts[1:]).with_suffix("").parts).removesuffix(".__init__"))
    module = ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
    return [*_of_module(path, module), str(relative)]  # its doctests come last


def _of_module(path: Path, module: str) -> list[str]:
    inner = path.parent.relative_to(SOURCE / "rookery")
    folder = TESTS / inner
    words = {path.stem, path.stem.removesuffix("s")} - {"", "__init__"}
    named = {
        str(test.relative_to(ROOT))
        for test in (folder.glob("test_*.py") if folder.is_dir() else ())
        if any(test.stem in (f"test_{word}", f"test_{inner.name}_{word}") for word in words)
    }
    found = sorted(named | set(_importers(module)))
    while not found:
        if folder.is_dir() and any(folder.glob("test_*.py")):
            found = [str(folder.relative_to(ROOT))]
        folder = folder.parent
    return found


def _importers(module: str) -> list[str]:
    """Return the test files that import a module, or a helper that does."""
    names = {module}
    files: set[Path] = set()
    while True:
        more = {file for file, imported in _imports().items() if imported & names} - files
        if not more:
            return sorted(str(file.relative_to(ROOT)) for file in files if file.name.startswith("test_"))
        files |= more
        names |= {file.stem for file in more if not file.name.startswith("test_")}


@functools.cache
def _imports() -> dict[Path, set[str]]:
    """Return the modules that each file of the tests imports."""
    return {file: set(_imported(ast.parse(file.read_text(encoding="utf-8")))) for file in TESTS.rglob("*.py")}


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)


def main(paths: Sequence[str]) -> None:
    """Print the tests of some files, each once, one per line."""
    if not paths:
        raise SystemExit("expected files: python tools/tests_of.py src/rookery/positions/moves.py")
    print("\n".join(dict.fromkeys(test for path in paths for test in of_file(Path(path)))))


if __name__ == "__main__":
    main(sys.argv[1:])
