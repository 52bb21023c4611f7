"""What the package says of itself is said once, and is so."""

import ast
import graphlib
import itertools
import os
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

import rookery
import rookery.aliases

ROOT = Path(__file__).parents[1]


def pyproject() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_version_is_written_once() -> None:
    settings = pyproject()
    assert settings["project"]["dynamic"] == ["version"]
    assert "version" not in settings["project"]
    source = (ROOT / settings["tool"]["hatch"]["version"]["path"]).read_text(encoding="utf-8")
    # How hatchling finds it: https://hatch.pypa.io/latest/plugins/version-source/regex/
    found = re.findall(r"""(?im)^(?:__version__|VERSION) *(?:: *str)? *= *["']v?(.+?)["']""", source)
    assert found == [rookery.__version__]


def test_the_version_installed_is_the_version_imported() -> None:
    assert metadata.version("rookery") == rookery.__version__


def test_the_changelog_begins_with_the_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"(?m)^## (\S+?),? ", changelog)[0] == rookery.__version__


def test_addresses_are_of_one_house() -> None:
    urls = pyproject()["project"]["urls"]
    assert set(urls) == {"Homepage", "Documentation", "Source", "Issues", "Changelog"}
    pages = urls.pop("Documentation")
    assert all(url.startswith(urls["Source"]) for url in urls.values())
    owner, name = urls["Source"].removeprefix("https://github.com/").split("/")
    assert pages == f"https://{owner}.github.io/{name}/"  # GitHub Pages, to which a workflow publishes the site
    assert "actions/deploy-pages@" in (ROOT / ".github" / "workflows" / "docs.yml").read_text(encoding="utf-8")


def test_vulnerabilities_are_reported_where_the_source_is() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert f"({pyproject()['project']['urls']['Source']}/security/advisories/new)" in text


def test_no_module_hides_one_of_python_or_of_a_dependency() -> None:
    """Python started in a folder looks there first: `typing.py` or `array.py` would be imported in place of its own."""
    project = pyproject()["project"]
    required = [*project["dependencies"], *itertools.chain.from_iterable(project["optional-dependencies"].values())]
    hidden = sys.stdlib_module_names | {re.split(r"[^\w-]", name)[0] for name in required} - {"rookery"}
    folders = ("src", "tests", "tools", "benchmarks", "research")
    modules = [file for folder in folders for file in (ROOT / folder).rglob("*.py")]
    assert len(modules) > 500
    names = {file.parent if file.name == "__init__.py" else file.with_suffix("") for file in modules}
    names |= {parent for file in modules for parent in file.parents if parent.is_relative_to(ROOT / "src" / "rookery")}
    assert not [str(name.relative_to(ROOT)) for name in sorted(names) if name.name.lower() in hidden]


def test_private_names_stay_in_their_module() -> None:
    """A name that begins with an underscore is used in its module, and imported by no other."""
    imported, unused = [], []
    files = sorted((ROOT / "src" / "rookery").rglob("*.py"))
    assert len(files) > 500
    for file in files:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("rookery"):
                imported += [f"{file.name}: {name.name}" for name in node.names if re.match("_[A-Za-z0-9]", name.name)]
        for node in tree.body:
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            names = [part.id for target in targets if target for part in ast.walk(target) if isinstance(part, ast.Name)]
            unused += [f"{file.name}: {name}" for name in names if re.match("_[A-Za-z0-9]", name) and name not in used]
    assert imported == []
    assert unused == []


@pytest.mark.parametrize(
    "folder",
    ["", "bench/uses", "games", "games/openings", "pgn", "positions/language", "positions/language/functions", "tasks"],
)
def test_python_starts_in_folders_that_hid_modules_of_its_own(folder: str) -> None:
    code = (
        "import array, asyncio, code, email, html, mailbox, multiprocessing, numbers, pdb, random, statistics, typing"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT / "src" / "rookery" / folder, check=True)


def test_the_old_name_of_the_aliases_says_the_new_one() -> None:
    namespace: dict[str, Any] = {}
    with pytest.warns(DeprecationWarning, match=r"rookery\.typing is now rookery\.aliases"):
        exec("from rookery.typing import Side", namespace)
    assert namespace["Side"] is rookery.aliases.Side
    with pytest.raises(ImportError, match="Sied"):
        exec("from rookery.typing import Sied", {})


def test_pythons_named_are_pythons_allowed() -> None:
    project = pyproject()["project"]
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    assert project["requires-python"] == f">={named[0]}"


def test_continuous_integration_tries_what_the_package_allows() -> None:
    project = pyproject()["project"]
    workflow = (ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")
    matrices = re.findall(r"python: (\[.*\])\n", workflow)
    assert len(matrices) == 2  # of systems, and of Numbas
    for pythons in matrices:
        assert re.findall(r"3\.\d+", pythons) == re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    assert re.findall(r"numba: (\[.*\])", workflow) == ["[lowest, highest]"]


def test_the_library_needs_no_compiler_and_tests_do() -> None:
    project = pyproject()["project"]
    required = {re.split(r"[^\w-]", name)[0] for name in project["dependencies"]}
    assert required == {"click", "numpy", "rich"}
    for extra in ("test", "docs"):
        assert re.search(r"\bcompile\b", " ".join(project["optional-dependencies"][extra])), extra
    assert "rookery[docs,test]" in project["optional-dependencies"]["dev"]


def test_extras_are_installed_from_a_checkout() -> None:
    """One page says how, since the package is on no registry. Errors name the package that is missing instead."""
    extras = set(pyproject()["project"]["optional-dependencies"])
    install = ROOT / "docs" / "install.md"
    listed = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", install.read_text(encoding="utf-8"), flags=re.M)
    named = {extra for cell in listed for extra in re.findall(r"\w+", cell)}
    assert {"compile", "games", "torch", "jax", "wasm"} <= named <= extras
    pages = [page for page in (ROOT / "docs").rglob("*.md") if "generated" not in page.parts and page != install]
    for page in (*pages, *(ROOT / "src").rglob("*.py")):
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"pip\s+install\s+(-\w )?[\"']?(rookery|\.\[)", text) or page.name == "laboratory.py", page
    (numba,) = pyproject()["project"]["optional-dependencies"]["compile"]
    for name in ("entries", "settings"):
        text = (ROOT / "src" / "rookery" / "kernel" / f"{name}.py").read_text(encoding="utf-8")
        assert f"pip install '{numba}'" in text


@pytest.mark.skipif(sys.platform == "win32", reason="no bash")
def test_commands_of_the_readme_install_the_compiler() -> None:
    for name, extra in (("example", "compile"), ("tests", "test")):
        command = subprocess.check_output([".ci/run", "print", name], cwd=ROOT, text=True)
        assert f'".[{extra}]"' in command


@pytest.mark.skipif(sys.platform == "win32", reason="no bash")
def test_the_lowest_and_the_highest_numba_are_those_of_the_package() -> None:
    (allowed,) = pyproject()["project"]["optional-dependencies"]["compile"]
    bounds = re.fullmatch(r"numba>=([\d.]+),<[\d.]+", allowed)
    assert bounds
    for which, expected in (("lowest", f"numba=={bounds[1]}.*"), ("highest", "numba")):
        assert subprocess.check_output([".ci/run", "print", which], cwd=ROOT, text=True).strip() == expected


def test_what_is_quick_is_not_slow(request: pytest.FixtureRequest) -> None:
    assert request.node.get_closest_marker("quick")
    for item in request.session.items:
        assert not (item.get_closest_marker("quick") and item.get_closest_marker("slow")), item.nodeid


@pytest.mark.slow
def test_nothing_is_compiled_while_tests_are_collected(tmp_path: Path) -> None:
    """Each process of ``-n auto`` collects them all, and they would compile the same at once."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    collected = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert collected.returncode == 0, collected.stdout
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def imported_by(path: Path, modules: set[str]) -> set[str]:
    """The modules of ours that a file imports anywhere, inside functions and for types alone too.

    In `rookery.board`, imports for types do not count: the methods of `Board` are functions of modules that it imports,
    and these name the class in annotations. `rookery.board.rows` lists there what it imports on first use.
    """
    found = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    if path.parent.name == "board":
        for_types = [
            node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        ]
        tree.body = [node for node in tree.body if node not in for_types]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            # A name is a module, or stands in one.
            found |= {f"{node.module}.{alias.name}" for alias in node.names} & modules or {node.module}
    return found & modules


def test_no_module_imports_itself_in_a_circle() -> None:
    """Import-linter's layers say which package may import which; this looks inside them, too."""
    package = Path(rookery.__file__).parent
    paths = {
        ".".join(path.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__"): path
        for path in package.rglob("*.py")
    }
    graph = {name: imported_by(path, set(paths)) for name, path in paths.items()}
    assert "rookery.bitboards.bits" in graph["rookery.rules.generate"]
    assert sum(map(len, graph.values())) > 500
    tuple(graphlib.TopologicalSorter(graph).static_order())  # a CycleError names the circle
