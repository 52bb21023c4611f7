"""`.ci/run` fails where an install fails that its tests need, and reports what was skipped."""

import ast
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from conftest import OF_THE_COMPILER, QUICK

import tests_of
from python_chess_source import VERSION

ROOT = Path(__file__).parents[1]
INSTALLS = ROOT / ".ci" / "installs.sh"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a script for bash")


class Machine:
    """A machine that has only the programs that a test gives it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.programs = folder / "bin"
        self.work = folder / "work"
        self.programs.mkdir()
        self.work.mkdir()
        for name in ("awk", "basename", "bash", "cat", "chmod", "grep", "sed", "tee"):
            (self.programs / name).symlink_to(str(shutil.which(name)))

    def add(self, name: str, *lines: str) -> None:
        """Add a program: a script of bash."""
        file = self.folder / name if "/" in name else self.programs / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join([f"#!{shutil.which('bash')}", *lines, ""]), encoding="utf-8")
        file.chmod(0o755)

    def run(self, command: str, optional: str = "") -> subprocess.CompletedProcess[str]:
        """Run a command of `.ci/installs.sh`, with programs "chess-engine" and "browser" of packages of these names."""
        script = f"set -euo pipefail; source {INSTALLS}; work={self.work}; programs='chess-engine:engine browser:web'"
        return subprocess.run(
            [str(shutil.which("bash")), "-c", f"{script}; {command}"],
            cwd=self.folder,
            env={"PATH": str(self.programs), "ROOKERY_CI_OPTIONAL": optional},
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.mark.parametrize("has_apt", [True, False])
def test_a_program_that_cannot_be_installed_fails_the_run(machine: Machine, has_apt: bool) -> None:
    if has_apt:
        machine.add("apt-get", "exit 100")
    machine.add("browser")
    done = machine.run("system_packages")
    assert done.returncode == 1
    assert "chess-engine is not installed, and tests need it" in done.stderr
    assert "browser" not in done.stderr


def test_a_program_that_is_missing_after_a_success_fails_the_run(machine: Machine) -> None:
    machine.add("apt-get", "exit 0")
    assert machine.run("system_packages").returncode == 1


def test_programs_are_installed(machine: Machine) -> None:
    machine.add("chess-engine")
    machine.add(
        "apt-get", f'case "$*" in *web) echo > {machine.programs}/browser; chmod +x {machine.programs}/browser;; esac'
    )
    done = machine.run("system_packages")
    assert (done.returncode, done.stdout, done.stderr) == (0, "installing web\n", "")


def test_an_optional_program_may_be_missing_and_is_reported(machine: Machine) -> None:
    machine.add("browser")
    assert machine.run("system_packages", optional="engines chess-engine").returncode == 0
    assert machine.run("summary").stdout == "chess-engine is not installed; ROOKERY_CI_OPTIONAL allows that\n"


def test_one_optional_program_does_not_excuse_another(machine: Machine) -> None:
    done = machine.run("system_packages", optional="chess browser")
    assert done.returncode == 1
    assert "chess-engine is not installed, and" in done.stderr


@pytest.mark.parametrize("failing", ["engines", "tensors"])
def test_an_extra_that_cannot_be_installed_fails_the_run(machine: Machine, failing: str) -> None:
    requested = {"engines": ".[engines,test]", "tensors": ".[jax,test,torch]"}[failing]
    machine.add("python3")
    machine.add(".venv-extras/bin/pip", f'[ "${{*: -1}}" != "{requested}" ]')
    done = machine.run("begin extras install_extras; finish extras")
    assert done.returncode == 1
    assert f"{failing} is not installed, and tests need it" in done.stdout
    assert machine.run("begin extras install_extras; finish extras", optional=failing).returncode == 0


def test_an_environment_that_cannot_be_made_fails_the_run(machine: Machine) -> None:
    machine.add("python3", "exit 1")
    assert machine.run("begin extras install_extras; finish extras", optional="engines tensors").returncode == 1


def test_the_compiler_for_cuda_is_needed_unless_optional(machine: Machine) -> None:
    machine.add(".venv-test/bin/pip", "exit 1")
    assert machine.run("install_cuda").returncode == 1
    assert machine.run("install_cuda", optional="cuda").returncode == 0


@pytest.mark.parametrize("failing", ["pip", "tar", ""])
def test_the_sources_of_python_chess_are_needed_unless_optional(machine: Machine, failing: str) -> None:
    shared = machine.folder / "tests" / "shared"
    shared.mkdir(parents=True)
    shutil.copy(ROOT / "tests" / "shared" / "python_chess_source.py", shared)
    machine.add(".venv-test/bin/pip", f'echo "$@"; [ x{failing} != xpip ]')
    machine.add("tar", f'echo "$@"; [ x{failing} != xtar ]')
    command = "download_python_chess; echo $ROOKERY_PYTHON_CHESS"
    if failing:
        assert machine.run(command).returncode == 1
        assert machine.run("download_python_chess", optional="python-chess").returncode == 0
    else:
        asked, unpacked, folder = machine.run(command).stdout.splitlines()
        assert asked.endswith(f"chess=={VERSION}")
        assert unpacked == f"-xzf {machine.work}/chess-{VERSION}.tar.gz -C {machine.work}"
        assert folder == f"{machine.work}/chess-{VERSION}"


def test_installs_are_never_excused_in_place() -> None:
    for file in (ROOT / ".ci").iterdir():
        for line in file.read_text(encoding="utf-8").splitlines():
            if re.search(r"\bpip install\b", line):
                _, _, excuse = line.partition("||")
                assert not excuse or re.fullmatch(r" not_installed \w+( \|\| failed=1)?", excuse), line


def test_the_summary_counts_reasons(machine: Machine) -> None:
    source = """
        import pytest

        @pytest.mark.parametrize("n", range(3))
        def test_a(n):
            pytest.skip("no engine: at all")

        @pytest.mark.skipif(True, reason="no browser")
        def test_b(): pass

        def test_c(): pass
    """
    (machine.folder / "pytest.ini").write_text("[pytest]\naddopts = -ra\n", encoding="utf-8")
    (machine.folder / "test_it.py").write_text("\n".join(line[8:] for line in source.splitlines()), encoding="utf-8")
    machine.add("python", f'exec {sys.executable} -m pytest -p no:cacheprovider "$@"')
    (machine.work / "system.log").write_text("installing web\n", encoding="utf-8")
    assert machine.run("logged long python; begin short python -q; finish short").returncode == 0
    lines = machine.run("summary").stdout.splitlines()
    assert [re.sub(r"[\d.]+s$", "", line) for line in lines] == [
        "long: 1 passed, 4 skipped in ",
        "        3 skipped: no engine: at all",
        "        1 skipped: no browser",
        "short: 1 passed, 4 skipped in ",
        "        3 skipped: no engine: at all",
        "        1 skipped: no browser",
    ]


def test_what_is_left_out_without_numba_is_counted(machine: Machine) -> None:
    machine.add(".venv-without-numba/bin/python", 'echo "$@" >asked', "echo tests/c/test_c.py::test_c", "echo 1 test")
    command = f"source {ROOT}/.ci/wheels.sh; left_out_without_numba tests/a tests/b"
    done = machine.run(f"logged without-numba eval '{command}; echo 5 passed in 3 s'; summary")
    assert (machine.folder / "asked").read_text().split()[2:] == [
        *("-q", "--collect-only", "--ignore=tests/a", "--ignore=tests/b", "tests")
    ]
    assert done.stdout.splitlines()[-2:] == [
        "without-numba: 5 passed in 3 s",
        "        1 skipped: not in tests/a tests/b; ROOKERY_CI_WITHOUT_NUMBA=tests runs all",
    ]


def test_a_step_that_fails_fails_the_run(machine: Machine) -> None:
    machine.add("failing", "exit 3")
    assert machine.run("logged tests failing").returncode == 3
    assert machine.run("begin tests failing; finish tests").returncode == 3


def test_the_run_ends_with_the_summary() -> None:
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert lines[-1] == "summary"
    assert 'logged tests bash -euo pipefail -c "$tests"' in lines


def test_the_wheels_are_built_compared_and_installed() -> None:
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert "wheels" in lines
    assert "logged without-numba tests_without_numba" in lines


@pytest.mark.parametrize(("differing", "status"), [(False, 0), (True, 1)])
def test_metadata_of_all_files_are_compared(differing: bool, status: int, tmp_path: Path) -> None:
    metadata = b"Name: rookery\nRequires-Dist: numpy\n"
    for name in ("first", "second"):
        with zipfile.ZipFile(tmp_path / f"{name}.whl", "w") as wheel:
            wheel.writestr("rookery.dist-info/METADATA", metadata)
    with tarfile.open(tmp_path / "rookery.tar.gz", "w:gz") as archive:
        content = metadata + b"Requires-Dist: numba\n" * differing
        member = tarfile.TarInfo("rookery-0/PKG-INFO")
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))
    command = [sys.executable, str(ROOT / ".ci" / "metadata.py"), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == status
    if differing:
        assert done.stderr == "metadata of rookery.tar.gz: expected those of first.whl\n"


def test_one_file_alone_is_not_compared(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / ".ci" / "metadata.py"), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "expected a source archive and wheels, found: nothing\n")


def test_every_package_has_a_quick_test() -> None:
    packages = {path.parent.name for path in (ROOT / "src" / "rookery").glob("*/__init__.py")}
    packages -= {"native_methods", "shipping", "verify"}  # tests of boards run the first; the others take minutes
    assert packages - {name.partition("/")[0] for name in QUICK} == set()


def test_every_module_has_tests() -> None:
    without = []
    for path in sorted((ROOT / "src" / "rookery").rglob("*.py")):
        *tests, doctests = tests_of.of_file(path)
        if not tests or doctests != str(path.relative_to(ROOT)):
            without.append(path)
    assert without == []


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/rookery/sources/csv_text.py", "tests/sources/test_csv_text.py"),  # named after it
        ("src/rookery/positions/moves.py", "tests/positions/test_positions_moves.py"),  # with the name of its folder
        ("src/rookery/geometry.py", "tests/test_verify.py"),  # imports it
        ("tests/shared/corpus.py", "tests/counting/test_perft.py"),  # imports the helper
        ("benchmarks/cells.py", "tests/bench/test_bench_uses.py"),
        ("research/magics/find/riders.py", "tests/research/magics/find/test_find.py"),  # by its name below research
        ("docs/queries.md", "tests/test_page_commands.py"),
        ("tests/sources/test_csv_text.py", "tests/sources/test_csv_text.py"),
    ],
)
def test_tests_belong_to_files(path: str, expected: str) -> None:
    assert expected in tests_of.of_file(ROOT / path)


@pytest.mark.parametrize("path", ["README", "src/rookery/none.py", "/etc/passwd", "pyproject.toml"])
def test_files_without_tests_are_refused(path: str) -> None:
    with pytest.raises(SystemExit, match="expected a"):
        tests_of.of_file(ROOT / path)


def imported_at_the_top(path: Path) -> set[str]:
    """The packages that a module imports when it is imported itself."""
    names: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names.add(node.module.partition(".")[0])
    return names


def test_modules_that_import_numba_are_skipped_without_it() -> None:
    """Without Numba, pytest imports every other test module; `OF_THE_COMPILER` names those that it skips."""
    importing = {
        path for path in (ROOT / "tests").rglob("test_*.py") if imported_at_the_top(path) & {"numba", "llvmlite"}
    }
    assert len(importing) > 5
    assert importing <= {ROOT / "tests" / "kernel" / name for name in OF_THE_COMPILER}


@pytest.mark.slow
def test_all_tests_are_found_without_the_extra_docs(tmp_path: Path) -> None:
    """The README's test command installs the extra `test` alone, where `.ci/run` has more."""
    hidden = "import sys\nsys.modules.update(dict.fromkeys(('docutils', 'matplotlib', 'sphinx')))\n"
    (tmp_path / "without_docs.py").write_text(hidden)
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-n", "0", "-p", "without_docs"]
    paths = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:]
