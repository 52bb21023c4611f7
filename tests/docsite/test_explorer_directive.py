"""The directive `explorer`: what it writes, and what it refuses."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from thinning import slow

pytest.importorskip("sphinx", reason="the extra docs is not installed")

from bs4 import BeautifulSoup

from browser import visits
from docsite.explorer_states import state_of
from docsite.repository import address
from sphinx_build import build

PAGE = """# A page

```{explorer} technique=magic-fancy piece=bishop square=d4 step=7
:fen: 8/8/5p2/2p5/3B4/8/1P6/8
:caption: A bishop & its "index": `o & mask`.
:height: 700
```
"""


@pytest.fixture(scope="module")
def failure(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A site with a wrong word on one page, and what Sphinx says of it. It builds the other pages nevertheless."""
    text, folder = f"---\norphan: true\n---\n{PAGE}", tmp_path_factory.mktemp("site")
    pages = {"index.md": PAGE, "room/page.md": text, "wrong.md": text.replace("square=d4", "square=d9")}
    with pytest.raises(AssertionError) as failed:
        build(folder, pages)
    return folder / "built", str(failed.value)


@pytest.fixture(scope="module")
def built(failure: tuple[Path, str]) -> Path:
    return failure[0]


def test_the_page_is_framed_at_its_state(built: Path) -> None:
    for name, up in (("index.html", ""), ("room/page.html", "../")):
        page = BeautifulSoup((built / name).read_text(encoding="utf-8"), "html.parser")
        (frame,) = page.select("figure.explorer iframe")
        address = urlsplit(str(frame["src"]))
        assert address.path == f"{up}_static/explorer.html"
        state = {
            "technique": "magic-fancy",
            "piece": "bishop",
            "square": "d4",
            "mapping": "rank-little-little",
            "step": "7",
            "fen": "8/8/5p2/2p5/3B4/8/1P6/8",
        }
        assert dict(parse_qsl(address.fragment)) == {**state, "embed": "1"}
        assert frame["loading"] == "lazy"
        assert frame["title"] == "Explorer: magic-fancy, a bishop on d4"
        assert "700px" in str(frame["style"])
        (link,) = page.select("figure.explorer figcaption a")
        assert dict(parse_qsl(urlsplit(str(link["href"])).fragment)) == state
        assert 'A bishop & its "index": o & mask.' in page.select("figcaption")[0].text
        assert [code.text for code in page.select("figcaption code")] == ["o & mask"]
    assert "<title>rookery" in (built / "_static" / "explorer.html").read_text(encoding="utf-8")


def test_a_wrong_word_fails_the_build(failure: tuple[Path, str]) -> None:
    (fault,) = (line for line in failure[1].splitlines() if "source" in line)
    assert re.search(r"wrong.md:6: .*explorer: square: 'd9'", fault)


@pytest.mark.parametrize(
    ("words", "fen", "fault"),
    [
        ("technique=magic-fance", None, "technique: 'magic-fance' is unknown; did you mean 'magic-fancy'"),
        ("piece=knight", None, "piece: 'knight': expected rook, bishop or queen"),
        ("piece=rank technique=kindergarten", None, "piece: 'rank'"),
        ("square=i1", None, "square: 'i1'"),
        ("mapping=up", None, "mapping: 'up': expected one of rank-little-little"),
        ("step=0", None, "step: '0': expected 1 to"),
        ("step=two", None, "step: 'two': expected 1 to"),
        ("step=3", None, "step: 3: the ideas show the steps .*; calls=1"),
        ("step=1000", None, "step: '1000': expected 1 to"),
        ("colour=red", None, "'colour=red': expected technique="),
        ("magic-fancy", None, "'magic-fancy': expected technique="),
        ("square=", None, "'square=': expected technique="),
        ("square=d4 square=d4", None, "'square=d4': square is given twice"),
        ("square=d4 square=d5", None, "'square=d5': square is given twice"),
        ("factor=123", None, "factor: '123': expected a number like 0x"),
        ("factor=0x12345678123456781", None, "factor: .* expected a number like 0x"),
        ("technique=rays factor=0x1", None, "factor: technique 'rays' has no magic factors"),
        ("bits=yes", None, "bits: 'yes': expected 1"),
        ("calls=0", None, "calls: '0': expected 1"),
        ("panel=board", None, "panel: 'board': expected position, steps, turned, magic, comparison"),
        ("", "8/8/8/8/8/8/8/7", "FEN"),
    ],
)
def test_words_that_the_explorer_would_not_understand(words: str, fen: str | None, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        state_of(words, *([fen] if fen else []))


def test_the_last_step_and_a_factor_are_understood() -> None:
    assert state_of("technique=magic-black factor=0x00FF step=2 calls=1")["factor"] == "0x00FF"
    assert state_of("technique=rays bits=1")["bits"] == "1"
    assert "bits" not in state_of("technique=rays")
    assert state_of("technique=rays piece=queen square=h8 mapping=file-big-big")["square"] == "h8"


@pytest.mark.parametrize("width", [360, slow(1280)])
def test_a_frame_is_as_tall_as_its_page(chromium: Any, built: Path, width: int) -> None:
    with visits(chromium, built / "index.html") as visit:
        page = visit(width)
        page.locator("iframe").scroll_into_view_if_needed()
        inside = page.frame_locator("iframe")
        inside.locator("#step h3").wait_for()
        page.wait_for_function("parseInt(document.querySelector('iframe').style.height) !== 700")
        tall = page.locator("iframe").bounding_box()["height"]
        assert inside.locator("html").evaluate("page => page.scrollHeight") <= tall
        inside.locator("#forward").click()
        assert page.locator("iframe").bounding_box()["height"] >= tall
        assert visit.faults == []


def test_a_picture_that_links_to_the_explorer_becomes_it(tmp_path: Path) -> None:
    there = f"{address('Documentation')}_static/explorer.html#technique=rays&piece=rook&square=d4&fen=8/8/3p4/8/8/8/8/8"
    text = f'# A page\n\n[![The explorer.](x.svg "Its `caption`.")]({there})\n\n[words]({there})\n'
    page = BeautifulSoup(
        (build(tmp_path, {"index.md": text}) / "index.html").read_text(encoding="utf-8"), "html.parser"
    )
    (frame,) = page.select("figure.explorer iframe")
    state = dict(parse_qsl(urlsplit(str(frame["src"])).fragment))
    assert (state["technique"], state["fen"], state["step"]) == ("rays", "8/8/3p4/8/8/8/8/8", "1")
    assert page.select("figcaption code")[0].text == "caption"
    assert page.select("article img, .body img") == []
    assert [str(link["href"]) for link in page.select(".body p a")] == [there]


def test_a_picture_with_a_wrong_state_fails_the_build(tmp_path: Path) -> None:
    there = f"{address('Documentation')}_static/explorer.html#technique=rays&square=d9"
    with pytest.raises(AssertionError, match=r"index.md:3: WARNING: explorer: square: 'd9'"):
        build(tmp_path, {"index.md": f'# A page\n\n[![The explorer.](x.svg "Its caption.")]({there})\n'})
