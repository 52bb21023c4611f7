"""What the README and the pages show is run, their links lead somewhere, and generated figures are those recorded."""

import doctest
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

import pytest

import chart
import figures
import rookery
from python_chess_source import source
from rookery.magics.tables import entries, magic_techniques
from rookery.positions.kernels import lanes
from rookery.rules import position

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
GENERATED = ROOT / "docs" / "generated"  # by a build of the site, and in no commit
WRITTEN = [page for page in sorted((ROOT / "docs").rglob("*.md")) if not page.is_relative_to(GENERATED)]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *WRITTEN]


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def pages_with(text: str) -> list[Path]:
    found = [page for page in PAGES if text in page.read_text(encoding="utf-8")]
    assert found
    return found


def need_stockfish(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = f"{os.environ['PATH']}{os.pathsep}/usr/games"
    if shutil.which("stockfish", path=path) is None:
        pytest.skip("stockfish is not installed")
    monkeypatch.setenv("PATH", path)


def need_syzygy(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "syzygy").symlink_to(source() / "data" / "syzygy" / "regular")
    (folder / "docs").symlink_to(ROOT / "docs")
    monkeypatch.chdir(folder)


# What the examples of a page need, by the name in a mark like `<!-- needs: stockfish -->`.
NEEDS: Final = {"stockfish": need_stockfish, "syzygy": need_syzygy}


@pytest.mark.parametrize("page", pages_with("\n>>> "), ids=name_of)
def test_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = page.read_text(encoding="utf-8")
    for need in re.findall(r"^<!-- needs: (.+) -->$", text, flags=re.M):
        NEEDS[need](tmp_path, monkeypatch)
    # The closing fence of a block would be taken for output.
    text = text.replace("```", "")
    examples = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    assert len(examples.examples) == len(re.findall(r"^ *>>> ", text, flags=re.M))
    runner = doctest.DocTestRunner()
    runner.run(examples)
    assert runner.failures == 0


def without_code(page: Path) -> str:
    return re.sub(r"^(`{3,}).*?^\1$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)


def anchors(page: Path) -> set[str]:
    """Return the addresses that the site gives to the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", without_code(page), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)", without_code(page)):
        if link.startswith("https://"):
            continue
        target, _, anchor = link.partition("#")
        file = page.parent / target if target else page
        assert file.is_file(), link
        assert not anchor or file.suffix != ".md" or anchor in anchors(file), link


def test_an_anchor_is_that_of_a_heading(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Of `a_b`, two-fold: c\n\n```sh\n# no heading\n```\n", encoding="utf-8")
    assert anchors(page) == {"of-a_b-two-fold-c"}


def test_functions_in_the_picture_of_forms_exist() -> None:
    picture = (ROOT / "docs" / "forms-of-a-position.md").read_text(encoding="utf-8").split("```")[1]
    owners = {
        "Placement": rookery.Placement,
        "placement": rookery.Placement,
        "Board": rookery.Board,
        "board": rookery.Board,
        "Positions": rookery.Positions,
        "positions": rookery.Positions,
        "position": position,
        "lanes": lanes,
    }
    named = re.findall(r"(\w+)\.(\w+)", picture)
    assert len(named) > 12
    for owner, name in named:
        assert hasattr(owners[owner], name), f"{owner}.{name}"


def test_every_page_can_be_reached() -> None:
    # Else by the table of contents in the `index.md` of its folder, or of one above.
    for page in WRITTEN:
        lists = [folder / "index.md" for folder in page.parents if folder.is_relative_to(ROOT / "docs")]
        listed = {folder.parent / f"{line}.md" for folder in lists if folder.is_file() for line in toctree(folder)}
        assert f"({name_of(page)})" in README or page in listed or page == ROOT / "docs" / "index.md", page


def toctree(page: Path) -> list[str]:
    """The lines of a page's tables of contents."""
    return re.findall(r"^[\w/-]+$", page.read_text(encoding="utf-8"), flags=re.M)


@pytest.mark.parametrize("page", figures.PAGES, ids=lambda p: p.name)
def test_generated_blocks_are_fresh(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert figures.generated(text, page) == text


@pytest.mark.parametrize("file", figures.FILES, ids=lambda p: p.name)
def test_generated_files_are_fresh(file: Path) -> None:
    assert figures.FILES[file]() == file.read_text(encoding="utf-8")


def test_a_block_that_nothing_writes_is_an_error() -> None:
    with pytest.raises(SystemExit, match=r"README.md: nothing writes the blocks odd"):
        figures.generated(README + "<!-- generated: odd -->\n<!-- end -->\n")


def test_the_chart_has_a_bar_for_every_row_within_its_frame() -> None:
    drawing = ET.fromstring(chart.svg())
    names = "{http://www.w3.org/2000/svg}"
    texts = [text.text for text in drawing.iter(f"{names}text")]
    bars = [bar for bar in drawing.iter(f"{names}rect") if bar.get("height") == "18"]
    assert len(bars) == len(chart.rows()) > 10
    for row, bar in zip(chart.rows(), bars, strict=True):
        assert chart.NAMES[row["what"]] in texts
        assert chart.times(row["ratio"]) in texts
        assert float(bar.get("x", "")) + float(bar.get("width", "")) < chart.WIDTH - 40
    widths = [float(bar.get("width", "")) for bar in bars]
    assert widths == sorted(widths, reverse=True)


def test_the_recorded_benchmark_is_of_the_techniques_as_they_are() -> None:
    recorded = json.loads((ROOT / "benchmarks" / "attacks.json").read_text(encoding="utf-8"))
    names = [row["name"] for row in recorded["techniques"]]
    assert names == [t.name for t in rookery.techniques() if t.name in names]
    for row in recorded["techniques"]:
        assert row["table_bytes"] == rookery.technique(row["name"]).table_bytes


def test_the_recorded_tables_are_as_long_as_they_are_now() -> None:
    recorded = json.loads((ROOT / "benchmarks" / "magics.json").read_text(encoding="utf-8"))
    now = [{"name": t.name, "entries": entries(t), "bytes": t.table_bytes} for t in magic_techniques()]
    assert recorded["tables"] == now


def test_the_two_commands_stand_alone() -> None:
    commands = dict(re.findall(r"<!-- run by \.ci/run: (\w+) -->\n```sh\n(.*)\n```\n", README))
    assert list(commands) == ["example", "tests"]
    assert all(command.startswith("python3 -m venv ") for command in commands.values())
    assert "rookery attacks" in commands["example"]
    assert "pytest" in commands["tests"]


@pytest.mark.skipif(sys.platform == "win32", reason="a script for bash")
@pytest.mark.parametrize("name", ["example", "tests"])
def test_continuous_integration_finds_the_commands(name: str) -> None:
    printed = subprocess.run(["bash", ".ci/run", "print", name], cwd=ROOT, capture_output=True, text=True, check=True)
    assert f"<!-- run by .ci/run: {name} -->\n```sh\n{printed.stdout}```\n" in README
    assert printed.stdout.count("\n") == 1


def test_public_names() -> None:
    assert len(set(rookery.__all__)) == len(rookery.__all__)  # their order is the linter's to check
    for name in rookery.__all__:
        assert getattr(rookery, name) is not None
    assert rookery.__version__ in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
