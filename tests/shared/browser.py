"""A browser without a screen and without a network: Debian's chromium, driven by Playwright."""

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest


class Visits:
    """A browser that opens one file, each time in a window of its own. What a page writes to its console as a warning
    or an error is a fault, as is every request.
    """

    def __init__(self, browser: Any, file: Path) -> None:
        self.browser = browser
        self.address = file.as_uri()
        self.faults: list[str] = []

    def __call__(
        self, width: int = 1280, scheme: str = "light", touch: bool = False, script: bool = True, **state: Any
    ) -> Any:
        """A page of Playwright's that shows the file with a state in its address."""
        context = self.browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme=scheme,
            has_touch=touch,
            java_script_enabled=script,
            offline=True,
        )
        context.set_default_timeout(30_000)
        page = context.new_page()
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("requestfailed", lambda request: self.faults.append(request.url))
        page.goto(f"{self.address}#{urlencode(state)}")
        return page

    def _console(self, message: Any) -> None:
        if message.type in ("warning", "error"):
            self.faults.append(message.text)


@contextlib.contextmanager
def visits(file: Path) -> Iterator[Visits]:
    """A browser for one file; a test that wants one is skipped where there is none."""
    playwright = pytest.importorskip("playwright.sync_api")
    path = shutil.which("chromium")
    if not path:
        pytest.skip("no chromium here")
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=arguments)
        try:
            yield Visits(browser, file)
        finally:
            browser.close()


def accessibility_faults(page: Any) -> list[str]:
    """What axe-core finds on a page: the rule, and the elements that break it."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    return [
        f"{found['id']}: {node['html'][:120]} {node['failureSummary']}"
        for found in axe.run(page).response["violations"]
        for node in found["nodes"]
    ]
