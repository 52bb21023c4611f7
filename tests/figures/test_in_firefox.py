"""The figures in Firefox: each becomes live, and answers a click."""

import functools
import http.server
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from figure_site import names

# What is pressed in a figure, the element that then answers, and the beginning of its text.
CLICKS = {
    "set-operations": ('[data-operation="a ^ b"]', ".says", "XOR keeps the squares that are in exactly one"),
    "steps": (".mask input", ".says", "One step east. The mask removes the bits that wrapped: a3, a7."),
    "subtraction": ('[data-square="d6"]', ".says", "The rook on d4 attacks d2, d3, d5, d6, d7."),
    "doubling": ('[data-round="3"]', ".says", "Round 3: four squares at once. New in g: e6, e7, e8."),
    "pins": ('[data-view="rays"]', ".says", "A queen on the king's square would attack these squares."),
    "square-and-bit": ('[data-square="h8"]', ".number", "0x8040000008000001"),
}
# marionette_driver leaves its own sockets to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")


class _Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def firefox(figure_pages: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Firefox without a screen, with the address of the figures' pages as `address`."""
    marionette = pytest.importorskip("marionette_driver.marionette", reason="marionette_driver is not installed")
    path = shutil.which("firefox-esr") or shutil.which("firefox")
    if not path:
        pytest.skip("no firefox here")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Silent, directory=str(figure_pages)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    log = tmp_path_factory.mktemp("firefox") / "gecko.log"
    browser = marionette.Marionette(bin=path, headless=True, gecko_log=str(log))
    browser.start_session()
    browser.timeout.script = 60
    browser.address = f"http://127.0.0.1:{server.server_port}"
    yield browser
    browser.quit()
    server.shutdown()
    server.server_close()


WAIT = """
const [done] = [...arguments].slice(-1);
const look = () => (document.querySelector("[data-figure].live") ? done(true) : setTimeout(look, 50));
look();
"""


@pytest.mark.parametrize("name", names())
def test_a_figure_is_live(firefox: Any, name: str) -> None:
    firefox.navigate(f"{firefox.address}/{name}.html")
    assert firefox.execute_async_script(WAIT)
    if name in CLICKS:
        pressed, answering, text = CLICKS[name]
        firefox.find_element("css selector", pressed).click()
        found = firefox.execute_script("return document.querySelector(arguments[0]).textContent", [answering])
        assert found.startswith(text)
