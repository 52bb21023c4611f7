"""A browser without a screen and without a network: Debian's chromium, driven by Playwright."""

import contextlib
import itertools
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

import pytest

SITE = "http://site.example/"


class Look(NamedTuple):
    """What a window looks like, and what it can do."""

    width: int
    scheme: str
    touch: bool
    script: bool
    motion: str


class Visits:
    """Windows of a browser that open one file. What a page writes to its console as a warning or an error is a fault,
    as is every request.

    A folder is served as a site: a visit names one of its pages, which may request other files of the folder.

    The visits of one test have windows of their own. A window that `leave` gave back serves a later visit with the same
    look: a new one starts a process, which takes half of the time of a visit.
    """

    def __init__(self, browser: Any, place: Path) -> None:
        self.browser = browser
        self.folder = place if place.is_dir() else None
        self.address = SITE if self.folder else place.as_uri()
        self.faults: list[str] = []
        self._visited: list[tuple[Look, Any]] = []
        self._left: dict[Look, list[Any]] = {}

    def __call__(
        self,
        width: int = 1280,
        scheme: str = "light",
        touch: bool = False,
        script: bool = True,
        named: str = "",
        motion: str = "no-preference",
        **state: Any,
    ) -> Any:
        """A page of Playwright's that shows the file, or the page `named`, with a state in its address."""
        look = Look(width, scheme, touch, script, motion)
        left = self._left.get(look)
        page = left.pop() if left else self._new_page(look)
        self._visited.append((look, page))
        page.goto(f"{self.address}{named}" + (f"#{urlencode(state)}" if state or not self.folder else ""))
        return page

    def leave(self) -> None:
        """Empty the windows of all visits, so that later visits find them like new; close those that run no scripts."""
        for look, page in self._visited:
            if not look.script:
                page.context.close()
                continue
            page.evaluate("() => localStorage.clear()")
            page.goto("about:blank")
            page.emulate_media(color_scheme=look.scheme, reduced_motion=look.motion)
            page.mouse.move(0, 0)
            self._left.setdefault(look, []).append(page)
        self._visited.clear()

    def close(self) -> None:
        """Close all windows."""
        for page in (*(page for _, page in self._visited), *itertools.chain(*self._left.values())):
            page.context.close()

    def _new_page(self, look: Look) -> Any:
        context = self.browser.new_context(
            viewport={"width": look.width, "height": 900},
            color_scheme=look.scheme,
            has_touch=look.touch,
            java_script_enabled=look.script,
            reduced_motion=look.motion,
            offline=True,
        )
        context.set_default_timeout(30_000)
        if self.folder:
            context.route(f"{SITE}**", self._serve)
        page = context.new_page()
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("requestfailed", self._failed)
        return page

    def _serve(self, route: Any) -> None:
        path = self.folder / urlsplit(route.request.url).path.lstrip("/")
        if path.is_file():
            route.fulfill(path=path)
        else:
            route.fulfill(status=404)

    def _failed(self, request: Any) -> None:
        if request.failure != "net::ERR_ABORTED":  # of a script that still loads when the page is left
            self.faults.append(request.url)

    def _console(self, message: Any) -> None:
        if message.type in ("warning", "error"):
            self.faults.append(message.text)


@contextlib.contextmanager
def launched() -> Iterator[Any]:
    """Start the browser; a test that wants it is skipped where there is none."""
    playwright = pytest.importorskip("playwright.sync_api")
    path = shutil.which("chromium")
    if not path:
        pytest.skip("no chromium here")
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=arguments)
        try:
            yield browser
        finally:
            browser.close()


@contextlib.contextmanager
def visits(browser: Any, place: Path) -> Iterator[Visits]:
    """Visits of one file or folder, whose windows are closed in the end."""
    found = Visits(browser, place)
    try:
        yield found
    finally:
        found.close()


def accessibility_faults(page: Any, within: str | None = None) -> list[str]:
    """What axe-core finds on a page, or in part of it: the rule, and the elements that break it."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    return [
        f"{found['id']}: {node['html'][:120]} {node['failureSummary']}"
        for found in axe.run(page, context=within).response["violations"]
        for node in found["nodes"]
    ]
