"""The Sphinx extension for figures: an image from docs/figures/drawn becomes a drawing that scripts replace."""

import re
from pathlib import Path
from typing import Any, Final

from docutils import nodes
from sphinx.application import Sphinx

from live_figures import kernels, lookup_kernels
from live_figures.svg import FIGURES
from rookery.bitboards.pictures.palette import palette
from rookery.explain.export.wasm import loader, wasm_module
from rookery.sources import files

STATIC: Final = "figures"  # under _static
DRAWN: Final = ":is(.figure, .picture)"
PALETTE: Final = palette(
    DRAWN,
    f'body[data-theme="dark"] {DRAWN}',
    f'body:not([data-theme="light"]) {DRAWN}',
    ".board, .rotation .cell, .swatch, .tool",
)
BEFORE_IMAGES_ARE_COLLECTED: Final = 400


class LiveFigure(nodes.General, nodes.Element):
    """A figure in a page: its name and variant, its drawing, what the drawing shows, and its caption."""


def replace(app: Sphinx, doctree: nodes.document) -> None:
    """Replace the images of figures. A drawing in the colours of the theme that has no module is put into the page."""
    for image in list(doctree.findall(nodes.image)):
        path, _, variant = image["uri"].partition("#")
        source = (Path(app.env.doc2path(app.env.docname)).parent / path).resolve()
        if source.parts[-3:-1] == ("figures", "drawn"):  # also for pages that tests write elsewhere
            source = FIGURES / "drawn" / source.name
        if source.suffix != ".svg" or not source.is_file():  # Sphinx warns of images that are missing
            continue
        drawing = source.read_text(encoding="utf-8")
        if "var(--panel)" not in drawing:
            continue
        app.env.note_dependency(str(source))
        is_live = source.parent == FIGURES / "drawn" and (FIGURES / f"{source.stem}.js").is_file()
        node = LiveFigure(
            name=source.stem if is_live else "",
            variant=variant,
            drawing=inline(drawing),
            alt=image.get("alt", ""),
            caption=image.get("title", ""),
        )
        paragraph = image.parent
        if isinstance(paragraph, nodes.paragraph) and len(paragraph) == 1:
            paragraph.replace_self(node)
        else:
            image.replace_self(node)


def inline(drawing: str) -> str:
    """Return a drawing without its own palette: in a page, it has the page's, which follows the theme."""
    return re.sub(r"<style>svg \{.*?</style>", "", drawing, flags=re.S).strip()


def visit_html(self: Any, node: LiveFigure) -> None:
    """Write the drawing, in an element that the live figure fills later."""
    if not node["name"]:
        self.body.append(f'<div class="picture">{node["drawing"]}</div>\n')
        raise nodes.SkipNode
    caption = re.sub(r"`(.+?)`", r"<code>\1</code>", self.encode(node["caption"]))
    variant = f' data-variant="{self.attval(node["variant"])}"' if node["variant"] else ""
    self.body.append(
        f'<figure class="figure {node["name"]}"><div data-figure="{node["name"]}"{variant}>{node["drawing"]}</div>\n'
        + (f"<figcaption>{caption}</figcaption>" if caption else "")
        + "</figure>\n"
    )
    raise nodes.SkipNode


def visit_text(self: Any, node: LiveFigure) -> None:
    """Write what the drawing shows."""
    self.add_text(f"[{node['alt']}]")
    raise nodes.SkipNode


def add_scripts(app: Sphinx, _page: str, _template: str, _context: dict[str, Any], doctree: Any) -> None:
    """Load styles and scripts on the pages that have figures."""
    found = [] if doctree is None else list(doctree.findall(LiveFigure))
    if found:
        app.add_css_file(f"{STATIC}/shared/figures.css")
    if any(node["name"] for node in found):
        app.add_js_file(f"{STATIC}/shared/figures.js", loading_method="defer")


def copy(app: Sphinx, exception: Exception | None) -> None:
    """Copy the modules and styles, and write the kernels: translated, and as WebAssembly."""
    if exception is not None or app.builder.format != "html":
        return
    sources = (path for kind in ("js", "css") for path in FIGURES.rglob(f"*.{kind}"))
    texts = {path.relative_to(FIGURES).as_posix(): path.read_text(encoding="utf-8") for path in sources}
    texts["shared/figures.css"] = f"{PALETTE}\n{texts['shared/figures.css']}"
    modules = kernels.MODULES | lookup_kernels.MODULES
    texts |= {f"{name}_kernels.js": module().text() for name, module in modules.items()}
    contents: dict[str, str | bytes] = {**texts, "rookery.mjs": loader(), "rookery.wasm": wasm_module()}
    for name, content in contents.items():
        path = Path(app.outdir) / "_static" / STATIC / name
        path.parent.mkdir(parents=True, exist_ok=True)
        files.write(path, content, durable=False)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension with Sphinx."""
    app.add_node(LiveFigure, html=(visit_html, None), text=(visit_text, None))
    app.connect("doctree-read", replace, priority=BEFORE_IMAGES_ARE_COLLECTED)
    app.connect("html-page-context", add_scripts)
    app.connect("build-finished", copy)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
