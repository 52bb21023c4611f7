"""Chapters as slides: a small site with the real script and styles, in a browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from thinning import slow

pytest.importorskip("furo", reason="the extra docs is not installed")

from browser import Visits, accessibility_faults, visits
from sphinx_build import build

ROOT = Path(__file__).parents[2]
PAGE = "# A chapter\n\nThe beginning.\n\n" + "".join(f"## Section {n}\n\n{'Text. ' * 200}\n\n" for n in (1, 2, 3))


@pytest.fixture(scope="module")
def chapter(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visits]:
    folder = tmp_path_factory.mktemp("slides")
    static = {
        f"_static/{name}": (ROOT / "docs" / "_static" / name).read_text("utf-8") for name in ("slides.js", "site.css")
    }
    loaded = "<script src='_static/slides.js'></script>\n<link rel='stylesheet' href='_static/site.css'>"
    page = f"{PAGE}\n```{{raw}} html\n{loaded}\n```\n"
    out = build(folder, {"index.md": page}, (), "furo")
    for name, text in static.items():
        (out / name).write_text(text, encoding="utf-8")
    with visits(chromium, out) as found:
        yield found


def shown(page: Any) -> list[str]:
    """The headings that are visible."""
    return [text.strip("¶#\n") for text in page.locator("h1:visible, h2:visible").all_text_contents()]


@pytest.mark.parametrize(
    ("width", "scheme"),
    [
        *((390, "dark"), (1280, "light")),
        *(slow(*rest) for rest in ((390, "light"), (1280, "dark"))),
    ],
)
def test_keys_and_buttons_change_the_slide(chapter: Visits, width: int, scheme: str) -> None:
    page = chapter(named="index.html", width=width, scheme=scheme)
    everything = ["A chapter", "Section 1", "Section 2", "Section 3"]
    assert shown(page) == everything
    page.keyboard.press("s")
    assert shown(page) == ["A chapter"]
    page.keyboard.press("ArrowRight")
    assert shown(page) == ["Section 1"]
    page.click("text=Next")
    assert shown(page) == ["Section 2"]
    assert page.text_content(".slides-place") == "3 of 4"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("PageDown")
    page.keyboard.press("PageDown")
    page.keyboard.press("PageDown")
    assert shown(page) == ["Section 3"]
    assert accessibility_faults(page, ".slides-bar") == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.keyboard.press("Escape")
    assert shown(page) == everything
    page.click("text=Show as slides")
    assert len(shown(page)) == 1
    assert chapter.faults == []
    chapter.leave()


def test_every_slide_is_printed(chapter: Visits) -> None:
    page = chapter(named="index.html")
    page.keyboard.press("s")
    page.emulate_media(media="print")
    assert shown(page) == ["A chapter", "Section 1", "Section 2", "Section 3"]
    assert not page.is_visible(".slides-bar")
    assert page.eval_on_selector("section section", "part => getComputedStyle(part).breakAfter") == "page"
    page.context.close()
