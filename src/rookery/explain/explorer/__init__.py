"""The explorer: one page of HTML that runs the exported kernels and their steps, without a server or the network.

__init__        the page, put together
programs        techniques for the page: the exported module, and its look-ups written to record their steps
speeds.json     recorded speeds, written by tools/figures.py

In the folder `page`:

steps.js        reads such records as steps
programs.js     unpacks techniques
boards.js       draws boards
state.js        what is shown, read from the address and written there
position.js     the board on which one sets blockers and the piece
player.js       the steps
gathering.js    what PEXT gathers
turned.js       the turned boards of rotated bitboards
magic.js        who shares a magic look-up's slot, and what another factor does; multiplication.js draws it
comparison.js   all techniques on one position
explorer.js     what one can do on the page
"""

import base64
import json
import zlib
from importlib import resources
from typing import Any

from rookery.bitboards.mappings import MAPPINGS
from rookery.bitboards.pictures.palette import palette
from rookery.bitboards.pictures.shapes import SHAPES
from rookery.explain.explorer.programs import card, program_for_page
from rookery.explain.export import wasm
from rookery.techniques import ALL

BOARDS = "#board, .board > svg, .swatch"
PALETTE = palette(":root", ":root[data-theme=dark]", ":root:not([data-theme=light])", BOARDS)
_PARTS = (
    "steps.js",
    "programs.js",
    "boards.js",
    "state.js",
    "position.js",
    "gathering.js",
    "player.js",
    "turned.js",
    "magic.js",
    "multiplication.js",
    "comparison.js",
    "explorer.js",
)


def text_of(name: str) -> str:
    """Return a file of the folder `page`."""
    return resources.files(__name__).joinpath("page", name).read_text(encoding="utf-8")


def explorer(*, has_wasm: bool | None = None) -> str:
    """Return the page as one HTML text that needs no other file and no network.

    The page computes with the kernels as WebAssembly, or with their translation to JavaScript if `has_wasm` is False.
    Unless given, that depends on whether a module can be made (`rookery.explain.export.wasm`). Each call makes the page
    anew, which takes some seconds.
    """
    if has_wasm is None:
        has_wasm = wasm.is_available()
    speeds = json.loads(resources.files(__name__).joinpath("speeds.json").read_text(encoding="utf-8"))
    data = {
        "cards": [card(t) | {"speed": speeds["million_queens_a_second"].get(t.name)} for t in ALL],
        "machine": speeds["machine"],
        "mappings": {name: [int(m.index(sq)) for sq in range(64)] for name, m in MAPPINGS.items()},
        "shapes": {sign: shape._asdict() for sign, shape in SHAPES.items()},
        "kernels": has_wasm,
        "portable": [t.name for t in ALL if t.needs & wasm.MISSING],
    }
    scripts = "\n".join(text_of(name) for name in _PARTS)
    page = text_of("explorer.html").replace("/* STYLE */", f"{PALETTE}\n{text_of('explorer.css')}")
    # What stands in a script element must not end it. The programs come last: the page is drawn before they are there.
    texts = {f"program-{t.name}": packed(program_for_page(t, has_wasm=has_wasm)) for t in ALL}
    if has_wasm:
        texts |= {"loader": wasm.loader(), "kernels": wasm.packed_module()}
    programs = "\n".join(f'<script type="text/plain" id="{name}">{text}</script>' for name, text in texts.items())
    return (
        page.replace("/* DATA */", json.dumps(data).replace("<", "\\u003c"))
        .replace("/* SCRIPT */", scripts)
        .replace("<!-- PROGRAMS -->", programs)
    )


def packed(document: Any) -> str:
    """Return a document as the page unpacks it: deflated, in base64.

    >>> json.loads(zlib.decompress(base64.b64decode(packed({"name": "rays"}))))
    {'name': 'rays'}
    """
    return base64.b64encode(zlib.compress(json.dumps(document).encode(), 9)).decode("ascii")
