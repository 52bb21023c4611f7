"""Machine code is used as long as the code it was made from is the same, and no longer."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rookery
from rookery.kernel.codecache import dependencies
from rookery.kernel.codecache.dependencies import closure, facts

PACKAGE = Path(rookery.__file__).resolve().parent

ASKED = """
import rookery
from rookery.kernel import watch_compilation
compiled = []
with watch_compilation(lambda: compiled.append(1)):
    print(int(rookery.technique("kogge-stone").queen(27, 5)), len(compiled))
"""


class Copy:
    """A copy of the package that may be edited, with a cache of its own."""

    def __init__(self, folder: Path) -> None:
        self.package = folder / "src" / "rookery"
        shutil.copytree(PACKAGE, self.package, ignore=shutil.ignore_patterns("__pycache__"))
        self.environment = {"PYTHONPATH": str(folder / "src"), "NUMBA_CACHE_DIR": str(folder / "cache")}

    def ask(self, code: str = ASKED) -> list[int]:
        env = {**os.environ, **self.environment}
        done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return [int(word) for word in done.stdout.split()]

    def edit(self, file: str, before: str, after: str) -> None:
        path = self.package / file
        text = path.read_text(encoding="utf-8")
        assert text.count(before) == 1, file
        path.write_text(text.replace(before, after), encoding="utf-8")

    def append(self, file: str, line: str) -> None:
        with (self.package / file).open("a", encoding="utf-8") as source:
            source.write(f"\n{line}\n")


def test_only_an_edit_of_code_it_depends_on_compiles_anew(tmp_path: Path) -> None:
    copy = Copy(tmp_path)
    good = int(rookery.technique("kogge-stone").queen(27, 5))
    assert copy.ask() == [good, 1]
    assert copy.ask() == [good, 0]
    bits = (copy.package / "bitboards/bits.py").read_text(encoding="utf-8")
    first = bits.splitlines()[0]
    # Docstrings and comments, of a module and of a kernel; code of what it does not depend on.
    copy.edit("bitboards/bits.py", first, '"""Something else, on one line more.\n' + first.removeprefix('"""'))
    copy.append("techniques/base/protocol.py", "# a comment")
    for other in (
        "rules/generate.py",
        "techniques/hyperbola.py",
        "kernel/codecache/cache.py",
        "positions/queries/questions.py",
    ):
        copy.append(other, "NEW = 1")
    assert copy.ask() == [good, 0]
    copy.edit("bitboards/bits.py", "    return 1 << s\n", "    return 1 << (s ^ 1)\n")
    changed = int(rookery.technique("kogge-stone").queen(26, 5))
    assert copy.ask() == [changed, 1]
    assert copy.ask() == [changed, 0]
    copy.edit("bitboards/bits.py", "    return 1 << (s ^ 1)\n", "    return 1 << s\n")
    assert copy.ask() == [good, 1]
    # Neither a new time nor another size is needed: a file is read.
    path = copy.package / "bitboards/bits.py"
    before = path.stat()
    copy.edit("bitboards/bits.py", "    return 1 << s\n", "    return 1 >> s\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert copy.ask()[1] == 1


def files(*modules: str) -> set[str]:
    return {path.relative_to(PACKAGE).as_posix() for path in closure(PACKAGE / module for module in modules)}


def test_what_machine_code_depends_on() -> None:
    loops = files("techniques/base/protocol.py")
    assert {
        "techniques/base/protocol.py",
        "bitboards/sets.py",
        "kernel/compiling.py",
        "kernel/compiler/translate.py",
        "kernel/entries.py",
    } <= loops
    assert not loops & {
        "kernel/codecache/cache.py",
        "files.py",
        "geometry.py",
        "__init__.py",
    }
    assert not [file for file in loops if file.startswith(("techniques/", "rules/", "cli/")) and "/base/" not in file]
    magics = files("techniques/magic.py")
    assert {"techniques/_magics/factors.json", "techniques/_magics/__init__.py"} <= magics
    for module in ("counting/walk.py", "positions/queries/questions.py", "rules/compiled.py", "techniques/__init__.py"):
        assert not [file for file in files(module) if file.startswith(("cli/", "bench/", "explain/"))]


def test_every_kernel_compiled_in_is_among_the_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the compiler met, without a look at imports, and what is found without compiling."""
    from rookery.techniques.base.protocol import Queen, answer_one

    t = rookery.technique("magic-fancy")
    arguments = (Queen(), 0, np.uint64(0), t.tables())
    met = {Path(file).resolve() for file in answer_one.compiled_ir(arguments).sources}
    assert PACKAGE / "techniques" / "magic.py" in met
    met = {path for path in met if path.is_relative_to(PACKAGE)}
    assert met <= {*closure([PACKAGE / "techniques" / "base" / "protocol.py", PACKAGE / "techniques" / "magic.py"])}


SOURCE = '''"""What it is."""
from rookery.kernel import U64, trailing_zeros
import rookery.bitboards.bits

class A:
    """A class."""
    b = 1

def f(x):
    """A function."""
    from rookery.bitboards.sets import step
    return x + 1
'''


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("What it is.", "What\n\nit was.", True),
        ("A class.", "Another.", True),
        ("A function.", "", True),
        ("return x + 1", "return  x+1  # one more", True),
        ("return x + 1", "return x + 2", False),
        ("return x + 1", "return x + 1.0", False),
        ("return x + 1", "return x | 1", False),
        ("b = 1", "b = True", False),
        ("b = 1", "c = 1", False),
        ("def f(x)", "def f(x=1)", False),
        ("rookery.bitboards.sets", "rookery.bitboards.bits", False),
    ],
)
def test_a_digest_is_of_code_not_of_text(before: str, after: str, same: bool, tmp_path: Path) -> None:
    one, other = tmp_path / "one.py", tmp_path / "other.py"
    one.write_text(SOURCE)
    other.write_text(SOURCE.replace(before, after))
    assert (facts(one).digest == facts(other).digest) == same


def test_assertions_are_code(tmp_path: Path) -> None:
    one, other = tmp_path / "one.py", tmp_path / "other.py"
    one.write_text(SOURCE + "\n\ndef g(x):\n    assert x\n")
    other.write_text(SOURCE + "\n\ndef g(x):\n    assert not x\n")
    assert facts(one).digest != facts(other).digest


def test_imports_are_found_in_functions_too_and_followed_to_where_a_name_is_made(tmp_path: Path) -> None:
    source = tmp_path / "one.py"
    source.write_text(SOURCE)
    found = {path.relative_to(PACKAGE).as_posix() for path in closure([source]) if path != source}
    assert {"kernel/compiling.py", "kernel/instructions/bits.py", "bitboards/bits.py", "bitboards/sets.py"} <= found
    assert "kernel/instructions/nibbles.py" not in found


def test_code_edited_while_it_runs_is_not_kept(tmp_path: Path) -> None:
    source = tmp_path / "one.py"
    source.write_text(SOURCE)
    os.utime(source, (dependencies._STARTED + 60, dependencies._STARTED + 60))
    assert dependencies.dependencies([source]) is None
    os.utime(source, (dependencies._STARTED - 60, dependencies._STARTED - 60))
    kept: Any = dependencies.dependencies([source])
    assert dependencies.unchanged(kept)


def test_where_a_class_begins_is_no_code(tmp_path: Path) -> None:
    def digest(name: str, text: str) -> str:
        path = tmp_path / name
        path.write_text(text)
        return facts(path).digest

    here = digest("here.py", "class C:\n    size = 7\n")
    assert digest("moved.py", "\nclass C:\n    size = 7\n") == here
    # Python 3.13 keeps the line among the constants of the class: there it may be another's, too.
    assert digest("one.py", "class C:\n    size = 1\n") != digest("two.py", "\nclass C:\n    size = 2\n")
