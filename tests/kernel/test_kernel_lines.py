"""The page about the kernel package names all of its files, and how many lines they have."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
KERNEL = ROOT / "src" / "rookery" / "kernel"
PAGE = ROOT / "docs" / "how-numba-is-used.md"
WITHIN = 0.05


def lines_in(name: str) -> tuple[set[Path], int]:
    """The files of a folder, without those of a folder in it, or the file of a module, and their lines."""
    files = {*(KERNEL / name).glob("*.py")} if name.endswith("/") else {KERNEL / f"{name}.py"}
    return files, sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)


def test_the_page_says_how_many_lines_there_are() -> None:
    section = PAGE.read_text(encoding="utf-8").partition("## The package in lines")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.*`) \| ([\d,]+) \|", section, re.MULTILINE)
    named: set[Path] = set()
    for names, lines in rows:
        found = [lines_in(name) for name in re.findall(r"`([^`]+)`", names)]
        named = named.union(*(files for files, _ in found))
        actual = sum(count for _, count in found)
        assert abs(actual - int(lines.replace(",", ""))) <= WITHIN * actual, (names, lines, actual)
    assert named == {*KERNEL.rglob("*.py")}
