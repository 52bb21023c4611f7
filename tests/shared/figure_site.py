"""A small site with one page for each live figure of docs/figures, and a page with all of them."""

import re
from pathlib import Path

from sphinx_build import build

ROOT = Path(__file__).parents[2]


def names() -> list[str]:
    """The figures, by name."""
    folder = ROOT / "docs" / "figures"
    return sorted(path.stem for path in (folder / "drawn").glob("*.svg") if (folder / f"{path.stem}.js").is_file())


def image_of(name: str) -> str:
    """The image that includes a figure, as a page has it."""
    for page in sorted((ROOT / "docs").rglob("*.md")):
        found = re.search(rf"!\[[^\]]*\]\([./]*figures/drawn/{name}\.svg[^)]*\)", page.read_text(encoding="utf-8"))
        if found:
            return found[0].replace("../", "")
    raise AssertionError(f"no page includes the figure {name}")


def build_figures(folder: Path) -> Path:
    """The built site: NAME.html has the figure NAME, and all.html has every figure."""
    shown = {name: [name] for name in names()} | {"all": names()}
    pages = {
        f"{page}.md": "\n\n".join(["---\norphan: true\n---\n# Figure", "Text.", *map(image_of, figures)]) + "\n"
        for page, figures in shown.items()
    }
    return build(folder, {"index.md": "# All\n", **pages}, ("live_figures.directive",), "furo")
