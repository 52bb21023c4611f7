"""The description of a page, its card for links in other places, and the address at which it is edited."""

import re
from functools import cache
from pathlib import Path
from typing import Any, Final

from docutils import nodes
from sphinx.application import Sphinx

from docsite.repository import GENERATED, MODULES, OUTSIDE, address, technique_page
from rookery.sources import files
from rookery.techniques import ALL

CARDS: Final = "_static/cards"
LETTERS: Final = 200  # of a description
SIZE: Final = (1200, 630)  # pixels of a card, as Open Graph recommends
LIGHT, DARK, INK, SOFT, PAPER = "#f2ebdc", "#dccfb6", "#1d1d1f", "#66625a", "#fdfcf9"
WRITTEN_BY: Final = {"charts": "charts.py", "magic-atlas": "atlas_page.py", "reference": "reference.py"}
# What axe-core finds in the pages of the theme and of Sphinx: a pattern, and what is written instead.
MENDED: Final = (
    (r'<aside class="sidebar-drawer">', '<aside class="sidebar-drawer" aria-label="All pages">'),
    (r'<aside class="toc-drawer( no-toc)?">', r'<aside class="toc-drawer\1" aria-label="On this page">'),
    (r'(<div class="content-icon-container")>', r'\1 role="region" aria-label="Page tools">'),
    (r'(<p class="caption" role="heading")>', r'\1 aria-level="2">'),
    (r'<th class="head([^"]*)"><p></p></th>', r'<td class="head\1"></td>'),
    (r'(?<!</h1>\n)<div id="search-results">', '<h1>Search</h1>\n<div id="search-results">'),
)


def description(doctree: nodes.document) -> str:
    """Return the beginning of the first paragraph that is a sentence, cut between words."""
    for paragraph in doctree.findall(nodes.paragraph):
        text = " ".join(paragraph.astext().split())
        if len(text) > 40 and not paragraph.next_node(nodes.image):
            return text if len(text) <= LETTERS else f"{text[:LETTERS].rpartition(' ')[0]} ..."
    return ""


def written_in(page: str) -> str:
    """Return the file of the repository that is edited to change a page."""
    for name in OUTSIDE:
        if OUTSIDE[name] == page:
            return name
    for t in ALL:
        if technique_page(t.name) == page:
            return next(path for path, module in MODULES.items() if module == t.module)
    if page.startswith(f"{GENERATED}/"):
        return f"tools/docsite/{WRITTEN_BY[page.split('/')[1]]}"
    return f"docs/{page}.md"


def add(app: Sphinx, page: str, _template: str, context: dict[str, Any], doctree: Any) -> None:
    """Add the description, the card and the address for editing to the context of a page."""
    if doctree is None:
        return
    title = re.sub(r"<.*?>", "", context.get("title", "")) or app.config.project
    about = description(doctree)
    card = f"{CARDS}/{page.replace('/', '-')}.png"
    write_card(Path(app.outdir) / card, title, about)
    site = address("Documentation")
    context["theme_source_edit_link"] = f"{address('Source')}/edit/main/{written_in(page)}"
    words = {
        "name": {"description": about, "twitter:card": "summary_large_image"},
        "property": {
            "og:title": title,
            "og:description": about,
            "og:type": "article",
            "og:url": f"{site}{page}.html",
            "og:image": f"{site}{card}",
            "og:image:alt": f"{title}: a page of rookery",
        },
    }
    context["metatags"] = context.get("metatags", "") + "".join(
        f'<meta {kind}="{name}" content="{_escaped(value)}" />\n'
        for kind, values in words.items()
        for name, value in values.items()
    )


def _escaped(text: str) -> str:
    text = re.sub(r"&(?!#?\w+;)", "&amp;", text)
    return text.replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")


def write_card(path: Path, title: str, about: str) -> None:
    """Draw a card: a board at the right, the title and the description at the left. Pillow comes with Matplotlib."""
    from html import unescape
    from textwrap import wrap

    from PIL import Image, ImageDraw

    picture = Image.new("RGB", SIZE, PAPER)
    draw = ImageDraw.Draw(picture)
    side = SIZE[1] // 8 + 1
    for i in range(64):
        file, rank = i % 8, i // 8
        x, y = 830 + side * file, side * rank
        draw.rectangle((x, y, x + side, y + side), fill=DARK if (file + rank) % 2 else LIGHT)
    y = 90
    for line in wrap(unescape(title), 22)[:4]:
        draw.text((70, y), line, INK, font=_font(True, 58))
        y += 72
    y += 24
    for line in wrap(about, 40)[:5]:
        draw.text((70, y), line, SOFT, font=_font(False, 30))
        y += 42
    draw.text((70, 540), "rookery", INK, font=_font(True, 36))
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.quantize(32).save(path)


@cache
def _font(bold: bool, size: int) -> Any:
    from matplotlib import font_manager
    from PIL import ImageFont

    weight = "bold" if bold else "normal"
    return ImageFont.truetype(font_manager.findfont(f"DejaVu Sans:{weight}"), size)


def mended(text: str) -> str:
    """Return a page with the landmarks, headings and cells that screen readers need."""
    for pattern, replacement in MENDED:
        text = re.sub(pattern, replacement, text)
    return text


def mend(app: Sphinx, exception: Exception | None) -> None:
    """Complete all pages; a page that is complete already stays as it is."""
    if exception is None and app.builder.format == "html":
        for path in Path(app.outdir).rglob("*.html"):
            text = path.read_text(encoding="utf-8")
            if (better := mended(text)) != text:
                files.write(path, better, durable=False)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the hook with Sphinx."""
    app.connect("html-page-context", add)
    app.connect("build-finished", mend)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
