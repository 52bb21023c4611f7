"""The explorer in a frame of a page: its theme, its height, and the place of what the reader reads."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sphinx", reason="the extra docs is not installed")

from browser import Visits, visits
from docsite.explorer import FIT

PAGE = """<!DOCTYPE html><html lang="en"><head><title>A page</title><script>{fit}</script></head>
<body data-theme="light">
<h2>First</h2><figure class="explorer"><iframe src="explorer.html#technique=magic-fancy&amp;square=d4&amp;embed=1"
style="height: 300px; width: 700px"></iframe></figure>
<h2 id="later">Later</h2><div style="height: 3000px"></div></body></html>"""


@pytest.fixture(scope="module")
def framing(chromium: Any, tmp_path_factory: pytest.TempPathFactory, explorer_page: Path) -> Iterator[Visits]:
    folder = tmp_path_factory.mktemp("framed")
    shutil.copy(explorer_page, folder)
    (folder / "page.html").write_text(PAGE.replace("{fit}", FIT), encoding="utf-8")
    with visits(chromium, folder / "page.html") as found:
        yield found


@pytest.fixture
def framed(framing: Visits) -> Iterator[Any]:
    page = framing()
    page.frames[1].wait_for_selector("#step h3")
    yield page
    assert framing.faults == []
    framing.leave()


def height(page: Any) -> float:
    return float(page.locator("iframe").bounding_box()["height"])


def test_a_frame_has_the_theme_of_its_page(framed: Any) -> None:
    paper = "(colour) => getComputedStyle(document.body).backgroundColor === colour"
    for theme, colour in (("dark", "rgb(27, 27, 29)"), ("light", "rgb(253, 252, 249)"), ("dark", "rgb(27, 27, 29)")):
        framed.evaluate("(theme) => { document.body.dataset.theme = theme; }", theme)
        framed.frames[1].wait_for_function(paper, arg=colour)


def test_a_frame_takes_its_height_once(framed: Any) -> None:
    framed.wait_for_function("() => document.querySelector('iframe').clientHeight > 700")
    before = height(framed)
    framed.frames[1].check("#calls")
    framed.frames[1].fill("#slider", "7")
    framed.frames[1].click("#clear")
    framed.wait_for_timeout(300)
    assert height(framed) == before


def test_a_frame_above_the_reader_moves_nothing(framed: Any) -> None:
    framed.wait_for_function("() => document.querySelector('iframe').clientHeight > 700")
    top = framed.evaluate("""() => {
        const frame = document.querySelector("iframe");
        frame.fitted = 0;
        frame.style.height = "300px";
        document.querySelector("#later").scrollIntoView();
        window.scrollBy(0, 200);
        return document.querySelector("#later").getBoundingClientRect().top;
    }""")
    framed.frames[1].evaluate("() => window.parent.postMessage({ explorerHeight: 1234 }, '*')")
    framed.wait_for_function("() => document.querySelector('iframe').style.height === '1234px'")
    now = framed.evaluate("() => document.querySelector('#later').getBoundingClientRect().top")
    assert abs(now - top) < 2
