"""A browser without a screen, driven by the WebDriver protocol: Debian's chromium and chromium-driver."""

import base64
import contextlib
import json
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Page:
    """A session: what is done to the page that is open."""

    def __init__(self, base: str, session: str) -> None:
        self.base = f"{base}/session/{session}"

    def ask(self, path: str, body: dict[str, Any] | None = None, method: str = "POST") -> Any:
        return _ask(f"{self.base}/{path}".rstrip("/"), body if method == "POST" else None, method)

    def open(self, address: str) -> None:
        self.ask("url", {"url": "about:blank"})
        self.ask("url", {"url": address})

    def run(self, script: str, *arguments: Any) -> Any:
        return self.ask("execute/sync", {"script": script, "args": list(arguments)})

    def wait(self, script: str, *arguments: Any, seconds: float = 30) -> Any:
        """What a script gives, as soon as that is true."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            found = self.run(script, *arguments)
            if found:
                return found
            time.sleep(0.05)
        raise AssertionError(f"never true: {script}")

    def find(self, selector: str) -> str:
        found = self.ask("element", {"using": "css selector", "value": selector})
        return str(found[_ELEMENT])

    def click(self, selector: str) -> None:
        self.ask(f"element/{self.find(selector)}/click", {})

    def text(self, selector: str) -> str:
        return str(self.run("return document.querySelector(arguments[0]).textContent", selector))

    def keys(self, keys: str) -> None:
        """Press keys, one after the other, wherever the focus is."""
        pressed = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.ask("actions", {"actions": [{"type": "key", "id": "keyboard", "actions": pressed}]})

    def size(self, width: int, height: int) -> None:
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.devtools("Emulation.setDeviceMetricsOverride", **metrics)

    def devtools(self, command: str, **parameters: Any) -> Any:
        return self.ask("goog/cdp/execute", {"cmd": command, "params": parameters})

    def console(self) -> list[str]:
        """What was written there since the last time: errors and warnings."""
        entries = self.ask("se/log", {"type": "browser"})
        return [entry["message"] for entry in entries if entry["level"] in ("SEVERE", "WARNING")]

    def picture(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self.ask("screenshot", method="GET")))


def _ask(url: str, body: dict[str, Any] | None, method: str) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)["value"]
    except urllib.error.HTTPError as error:
        raise AssertionError(error.read().decode()) from None


@contextlib.contextmanager
def browser(folder: Path) -> Iterator[Page]:
    """A browser that cannot reach the network; a test that wants one is skipped where there is none."""
    if not (shutil.which("chromedriver") and shutil.which("chromium")):
        pytest.skip("no chromium and chromedriver here")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = ["chromedriver", f"--port={port}"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as driver:
        base = f"http://127.0.0.1:{port}"
        try:
            until = time.monotonic() + 60
            while time.monotonic() < until:
                with contextlib.suppress(OSError, AssertionError):
                    if _ask(f"{base}/status", None, "GET")["ready"]:
                        break
                time.sleep(0.1)
            options = {
                "binary": shutil.which("chromium"),
                "args": [
                    "--headless=new",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--disable-dev-shm-usage",
                    f"--user-data-dir={folder}",
                    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
                ],
            }
            capabilities = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
            session = _ask(f"{base}/session", {"capabilities": {"alwaysMatch": capabilities}}, "POST")
            page = Page(base, session["sessionId"])
            try:
                yield page
            finally:
                page.ask("", method="DELETE")
        finally:
            driver.terminate()
