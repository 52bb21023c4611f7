"""What is generated for the site before Sphinx looks for pages, and links as the site has them."""

import re
from pathlib import Path
from typing import Any, Final

from sphinx.application import Sphinx

from docsite import atlas_page, charts, reference
from docsite.repository import DOCS, GENERATED, OUTSIDE, ROOT, chapters, for_site, on_the_site, technique_page
from docsite.technique_pages import page
from rookery.sources import files
from rookery.techniques import ALL

NO_SEARCH: Final = ("CHANGELOG.md",)  # it has all words, and is not where one learns of anything


def generated() -> dict[str, str]:
    """Every generated page, by its file under docs/."""
    pages = (
        {f"{technique_page(t.name)}.rst": page(t) for t in ALL}
        | reference.pages()
        | charts.files()
        | atlas_page.files()
    )
    for name, there in OUTSIDE.items():
        head = "---\nno-search: true\n---\n\n" if name in NO_SEARCH else ""
        pages[f"{there}.md"] = head + for_site((ROOT / name).read_text(encoding="utf-8"), there, written_in="")
    return pages


def write(_: Sphinx) -> None:
    """Write what has changed, and delete what is made no more."""
    pages = {DOCS / name: text for name, text in generated().items()}
    for path, text in pages.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            files.write(path, text, durable=False)
    for path in (DOCS / GENERATED).rglob("*"):
        if path.is_file() and path not in pages:
            path.unlink()


def read(app: Sphinx, docname: str, source: list[str]) -> None:
    """Rewrite a page that Sphinx has read: its links, and its headings."""
    if Path(app.env.doc2path(docname)).suffix == ".md" and not docname.startswith(f"{GENERATED}/"):
        text = source[0].replace(f"{on_the_site(docname)}\n\n", "")  # it says so to readers elsewhere
        text = re.sub(r"\n\n```$", "\n```", text, flags=re.M)  # empty lines end examples, where they are run
        text = re.sub(r"^<!-- toctree\n(.*?)^-->$", r"```{toctree}\n\1```", text, flags=re.M | re.S)
        source[0] = for_site(text, docname, written_in=f"docs/{docname}".rpartition("/")[0])
    if docname == "techniques":
        lines = "\n".join(technique_page(t.name) for t in ALL)
        source[0] += f"\n```{{toctree}}\n:hidden:\n\n{lines}\n```\n"


def add_slides(app: Sphinx, page: str, _template: str, _context: dict[str, Any], _doctree: Any) -> None:
    """Let chapters of the tutorial be shown as slides."""
    if any(chapter.page == page for chapter in chapters()):
        app.add_js_file("slides.js")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the hooks with Sphinx."""
    app.connect("builder-inited", write)
    app.connect("source-read", read)
    app.connect("html-page-context", add_slides)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
