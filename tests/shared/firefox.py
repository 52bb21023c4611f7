"""Firefox without a screen, driven by marionette_driver. It shows the files of a folder, served by this machine."""

import contextlib
import functools
import http.server
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

# marionette_driver leaves its own sockets to the garbage collector.
MARKS = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")


class _Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@contextlib.contextmanager
def firefox_with(folder: Path, log: Path) -> Iterator[Any]:
    """The browser, with the address of the folder as `address`; a test that wants it is skipped where there is none."""
    marionette = pytest.importorskip("marionette_driver.marionette", reason="marionette_driver is not installed")
    path = shutil.which("firefox-esr") or shutil.which("firefox")
    if not path:
        pytest.skip("no firefox here")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Silent, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browser = marionette.Marionette(bin=path, headless=True, gecko_log=str(log))
    browser.start_session()
    browser.timeout.script = 60
    browser.address = f"http://127.0.0.1:{server.server_port}"
    try:
        yield browser
    finally:
        browser.quit()
        server.shutdown()
        server.server_close()
