"""The explorer's page inside a page of the site, at a state that its words give.

In Markdown, a picture is a link to the explorer on the site:

    [![What it shows.](../figures/explorer/NAME.svg "A caption; `code` as in the page.")](ADDRESS#technique=rays&step=3)

So a reader on GitHub sees the picture, which `python tools/figures.py` draws from the same words, and the site has the
explorer in its place. Generated pages use the directive:

    .. explorer:: technique=magic-fancy piece=rook square=d4 step=3
       :fen: 8/8/8/3r4/8/8/8/8
       :caption: One sentence about what is to be seen.

The words are those of the explorer's address. A word that the explorer would not understand fails the build.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from docsite.explorer_states import FEN, PAGE, state_at, state_of
from rookery.explain.explorer import explorer
from rookery.techniques import technique

BEFORE_IMAGES_ARE_COLLECTED: Final = 400
HEIGHT = 900  # of the frame, in pixels, before its page says how tall it is

# A frame gets as tall as the page in it says, once. If the frame is above what the reader sees, the window scrolls by
# the difference, so that the heading of a link stays where it is. A frame has the theme of the page around it.
FIT = """
{
    const frames = () => [...document.querySelectorAll("figure.explorer iframe")];
    const sendTheme = (frame) =>
        frame.contentWindow?.postMessage({ explorerTheme: document.body.dataset.theme ?? "auto" }, "*");
    window.addEventListener("message", ({ source, data }) => {
        const height = Number(data?.explorerHeight);
        const frame = frames().find(({ contentWindow }) => contentWindow === source);
        if (!frame || frame.fitted || !(height > 0 && height < 10000)) {
            return;
        }
        frame.fitted = height;
        const { top, height: before } = frame.getBoundingClientRect();
        frame.style.overflowAnchor = "none";
        frame.style.height = `${height}px`;
        if (top + before < 0) {
            window.scrollBy({ top: frame.getBoundingClientRect().bottom - top - before, behavior: "instant" });
        }
        sendTheme(frame);
    });
    document.addEventListener("DOMContentLoaded", () => {
        frames().forEach((frame) => frame.addEventListener("load", () => sendTheme(frame)));
        new MutationObserver(() => frames().forEach(sendTheme))
            .observe(document.body, { attributes: true, attributeFilter: ["data-theme"] });
    });
}
"""


class ExplorerNode(nodes.General, nodes.Element):
    """Where the explorer stands in a page."""


def replace(_: Sphinx, doctree: nodes.document) -> None:
    """Put the explorer in the place of pictures that are links to it."""
    for link in list(doctree.findall(nodes.reference)):
        images = link.findall(nodes.image)
        image = next(images, None)
        try:
            state = state_at(link.get("refuri", "")) if image else {}
        except ValueError as fault:
            logging.getLogger(__name__).warning("explorer: %s", fault, location=link)
            continue
        if image and state:
            place = link.parent if isinstance(link.parent, nodes.paragraph) and len(link.parent) == 1 else link
            place.replace_self(_node(state, image.get("title", "")))


def _node(state: dict[str, str], caption: str, height: int = HEIGHT) -> ExplorerNode:
    name = technique(state["technique"]).name
    return ExplorerNode(
        address=f"{PAGE}#{urlencode(state)}",
        embedded=f"{PAGE}#{urlencode({**state, 'embed': '1'})}",
        caption=caption,
        height=height,
        title=f"Explorer: {name}, a {state['piece']} on {state['square']}",
    )


class Explorer(SphinxDirective):
    """The directive."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec = {  # noqa: RUF012  # as docutils declares it
        "fen": directives.unchanged_required,
        "caption": directives.unchanged_required,
        "height": directives.positive_int,
    }

    def run(self) -> list[nodes.Node]:
        """Return a node, or an error that names the word."""
        try:
            state = state_of(self.arguments[0], self.options.get("fen", FEN))
        except ValueError as fault:
            raise self.error(f"explorer: {fault}") from None
        node = _node(state, self.options.get("caption", ""), self.options.get("height", HEIGHT))
        self.set_source_info(node)
        return [node]


def visit_html(self: Any, node: ExplorerNode) -> None:
    """Write a frame, loaded when it comes into view, and a link to the page without the frame."""
    up = "../" * self.builder.get_target_uri(self.builder.current_docname).count("/")
    embedded, address = (self.attval(up + node[name]) for name in ("embedded", "address"))
    caption = re.sub(r"`(.+?)`", r"<code>\1</code>", self.encode(node["caption"]))
    self.body.append(
        f'<figure class="explorer"><iframe src="{embedded}" title="{self.attval(node["title"])}" loading="lazy" '
        f'style="height: {node["height"]}px"></iframe>\n'
        f"<figcaption>{caption} "
        f'<a href="{address}" target="_blank">Open in a page of its own</a></figcaption></figure>\n'
    )
    raise nodes.SkipNode


def visit_text(self: Any, node: ExplorerNode) -> None:
    """Write what remains without a browser."""
    self.add_text(f"[{node['title']}. {node['caption']}]")
    raise nodes.SkipNode


def write_page(app: Sphinx, exception: Exception | None) -> None:
    """Write the one page that all frames show."""
    write_after_build(app, exception, PAGE, explorer)


def write_after_build(app: Sphinx, exception: Exception | None, name: str, text: Callable[[], str]) -> None:
    """Write a file of the site when its pages are built; nothing after an exception, or in another format."""
    if exception is None and app.builder.format == "html":
        path = Path(app.outdir) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text(), encoding="utf-8", newline="\n")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive with Sphinx."""
    app.add_node(ExplorerNode, html=(visit_html, None), text=(visit_text, None))
    app.add_directive("explorer", Explorer)
    app.connect("doctree-read", replace, priority=BEFORE_IMAGES_ARE_COLLECTED)
    app.add_js_file(None, body=FIT)
    app.connect("build-finished", write_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
