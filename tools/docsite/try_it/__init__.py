"""The page "try it": positions, perft, all techniques and a bitboard calculator, by the kernels as WebAssembly.

The page is one HTML file, which needs no other and no network. On the site, it takes the place of a link to it.

calculator.js   numbers, operations and their trace
app.js          the position and everything else
"""

import json
from pathlib import Path
from typing import Any, Final

from docutils import nodes
from sphinx.application import Sphinx

from docsite.explorer import ExplorerNode, write_after_build
from docsite.repository import address
from live_figures.svg import FIGURES
from rookery.bitboards.mappings import MAPPINGS
from rookery.bitboards.pictures.palette import palette
from rookery.bitboards.pictures.shapes import SHAPES
from rookery.explain.export.wasm import MISSING, inlined, packed_module, page_script
from rookery.techniques import ALL

PAGE: Final = "_static/try-it.html"
HEIGHT: Final = 1500  # of the frame, in pixels, before its page says how tall it is
_HERE: Final = Path(__file__).parent
_PALETTE: Final = palette(":root", ":root[data-theme=dark]", ":root:not([data-theme=light])")


def try_it(name: str | None = None) -> str:
    """Return the page as one HTML text, with one technique or all.

    Raises a ModuleNotFoundError where WebAssembly modules cannot be made.
    """
    data = {
        "mappings": {name: [int(m.index(sq)) for sq in range(64)] for name, m in MAPPINGS.items()},
        "portable": [t.name for t in ALL if t.needs & MISSING],
    }
    kit = (FIGURES / "shared" / "kit.js").read_text(encoding="utf-8")
    scripts = [
        f"const data = {json.dumps(data)};",
        f"const shapes = {json.dumps({sign: shape._asdict() for sign, shape in SHAPES.items()})};",
        inlined(kit, "Board, NAMES, bit, button, count, hex, html, svg"),
        page_script("START, PIECES, instantiated, squaresOf, unpacked", name),
        f'const PACKED = "{packed_module(name)}";',
        *((_HERE / name).read_text(encoding="utf-8") for name in ("calculator.js", "app.js")),
    ]
    styles = (FIGURES / "shared" / "figures.css").read_text(encoding="utf-8"), (_HERE / "page.css").read_text("utf-8")
    page = (_HERE / "page.html").read_text(encoding="utf-8")
    page = page.replace("/* STYLE */", "\n".join([_PALETTE, *styles]))
    return page.replace("/* SCRIPT */", "\n".join(scripts))


def replace(_: Sphinx, doctree: nodes.document) -> None:
    """Put the page in the place of a link to it that is a paragraph of its own: readers on GitHub keep the link."""
    for link in list(doctree.findall(nodes.reference)):
        if link.get("refuri") == address("Documentation") + PAGE and len(link.parent) == 1:
            title = "Try it: positions and bitboards"
            frame = ExplorerNode(address=PAGE, embedded=f"{PAGE}#embed=1", caption="", height=HEIGHT, title=title)
            link.parent.replace_self(frame)


def write_page(app: Sphinx, exception: Exception | None) -> None:
    """Write the page."""
    write_after_build(app, exception, PAGE, try_it)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive with Sphinx."""
    app.connect("doctree-read", replace)
    app.connect("build-finished", write_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
