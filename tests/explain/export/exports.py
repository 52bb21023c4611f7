"""What the tests of exports share: the compilers that there are."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rookery.explain.export import export_files

LOOKUPS = 107_648

# Each language: what has to be there, how an export's files are built in their folder, and how the check is run.
TOOLS: dict[str, tuple[str, str, str]] = {
    "c": ("cc", "cc -std=c99 -Wall -Wextra -Werror -O1 -oselfcheck rookery_attacks.c selfcheck.c", "./selfcheck"),
    "cpp": ("g++", "g++ -std=c++17 -Wall -Wextra -Werror -O1 -oselfcheck selfcheck.cpp", "./selfcheck"),
    "cuda": (
        "g++",
        "g++ -std=c++17 -Wall -Wextra -Werror -O1 -x c++ -oselfcheck selfcheck.cu",
        "./selfcheck",
    ),  # as C++: test_export_cuda.py has what needs nvcc or a device
    "rust": ("rustc", "rustc -Dwarnings -Copt-level=1 selfcheck.rs", "./selfcheck"),
    "csharp": ("mcs", "mcs -out:selfcheck.exe RookeryAttacks.cs SelfCheck.cs", "mono selfcheck.exe"),
    "javascript": ("node", "", "node selfcheck.mjs"),
    "python": (sys.executable, "", f"{sys.executable} selfcheck.py"),
}


COMPILED = tuple(language for language in TOOLS if language != "python")  # as a check in Python takes seconds


def self_check(language: str, files: dict[str, str], folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Build an export's files, with more options of the compiler, and run their check."""
    compiler, build, run = TOOLS[language]
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler} here")
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    if build:
        built = subprocess.run([*build.split(), *options], cwd=folder, capture_output=True, text=True, check=False)
        assert built.returncode == 0, built.stderr
    return subprocess.run(run.split(), cwd=folder, capture_output=True, text=True, check=False)


def assert_agrees(language: str, name: str, folder: Path, mapping: str = "rank-little-little") -> None:
    done = self_check(language, export_files(language, name, mapping), folder)
    assert (done.returncode, done.stdout) == (0, f"{LOOKUPS} look-ups agree with ray walking\n"), done.stderr
