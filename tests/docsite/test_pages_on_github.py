"""Pages as GitHub shows them: no block that only the site understands, and a way to the figures that move."""

import re
from pathlib import Path

import pytest

from docsite.repository import address, on_the_site

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if "generated" not in page.parts]
ALL = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *PAGES]
FIGURES = {path.stem for path in (DOCS / "figures").glob("*.js")}
TOUCHES = re.compile(r"\b(?:press|drag|tap)(?:es|ing)?\b(?! `)", flags=re.I)  # but not a key: press `s`


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def moves(text: str) -> bool:
    """Check whether a page has a figure or the explorer, or speaks of touching one."""
    drawn = set(re.findall(r"figures/drawn/([\w-]+)\.svg", text))
    return bool(drawn & FIGURES or "figures/explorer/" in text or TOUCHES.search(text))


@pytest.mark.parametrize("page", ALL, ids=name_of)
def test_no_block_is_raw(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not re.findall(r"^(?:`{3,}|:{3,})\{.*", text, flags=re.M)


@pytest.mark.parametrize("page", [page for page in PAGES if moves(page.read_text(encoding="utf-8"))], ids=name_of)
def test_a_page_with_figures_leads_to_the_site(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    line = on_the_site(page.relative_to(DOCS).with_suffix("").as_posix())
    assert text.count(line) == 1
    assert text.index(line) < 2000
    assert re.search(r"!\[.{20,}\]\(\S+\.svg", text)


def test_the_line_is_not_on_the_site(tmp_path: Path) -> None:
    pytest.importorskip("sphinx", reason="the extra docs is not installed")
    from docsite.pages import read

    class App:
        class env:  # noqa: N801
            doc2path = staticmethod(lambda name: f"{name}.md")

    source = [f"# A page\n\n{on_the_site('room/page')}\n\nText.\n\n<!-- toctree\n:hidden:\n\nroom/page\n-->\n"]
    read(App, "room/page", source)  # type: ignore[arg-type]
    assert source == ["# A page\n\nText.\n\n```{toctree}\n:hidden:\n\nroom/page\n```\n"]
    assert address("Documentation") not in source[0]
