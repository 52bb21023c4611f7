"""Names that packages import on first use: the same for type checkers and for Python, and nothing imported early."""

import ast
import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import rookery
import rookery.kernel
from rookery.lazy_imports import import_later

PACKAGES = [rookery, rookery.kernel]


def imported_for_types(package: ModuleType) -> Iterator[tuple[str, str, str]]:
    """Module, name there and name here of what a package imports under `TYPE_CHECKING`."""
    tree = ast.parse(Path(str(package.__file__)).read_text(encoding="utf-8"))
    (block,) = [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    for node in block.body:
        assert isinstance(node, ast.ImportFrom)
        assert node.module
        yield from ((node.module, alias.name, alias.asname or alias.name) for alias in node.names)


def run(code: str) -> str:
    """Run code in a new process and return what it prints."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize("package", PACKAGES)
def test_type_checkers_and_python_find_the_same_names(package: ModuleType) -> None:
    found = list(imported_for_types(package))
    assert len(found) > 40
    for module, original, name in found:
        there = importlib.import_module(module)
        expected = importlib.import_module(f"{module}.{original}") if there is package else getattr(there, original)
        assert getattr(package, name) is expected, name
    names = {name for _, _, name in found}
    assert set(package.__all__) <= names
    assert not names - {*package.__all__, "bits", "lines", "sets", "squares"}


def test_a_star_imports_every_name() -> None:
    namespace: dict[str, object] = {}
    exec("from rookery import *", namespace)
    assert {*rookery.__all__} == namespace.keys() - {"__builtins__"}
    assert {*rookery.__all__} <= {*dir(rookery)}


@pytest.mark.parametrize("package", PACKAGES)
def test_unknown_names_are_attribute_errors(package: ModuleType) -> None:
    with pytest.raises(AttributeError, match=f"module '{package.__name__}' has no attribute 'Bord'"):
        package.Bord  # noqa: B018
    with pytest.raises(ImportError, match="Bord"):
        exec(f"from {package.__name__} import Bord", {})


def test_a_name_may_be_another_one_or_a_module() -> None:
    later = import_later("rookery", {"rookery.bitboards.squares": "FOUR=D4", "rookery.bitboards": "bits"})
    assert later("FOUR") == 27
    del rookery.__dict__["FOUR"]
    assert later("bits") is importlib.import_module("rookery.bitboards.bits")


@pytest.mark.parametrize("first", ["import rookery.technique, rookery.techniques", "rookery.techniques", "pass"])
def test_folders_do_not_replace_the_functions_of_their_names(first: str) -> None:
    code = f"import rookery; {first}; print(rookery.technique('pext').name, len(rookery.techniques()))"
    assert run(code) == "pext 50"
