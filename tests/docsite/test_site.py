"""The site is built without a warning, and every link in it leads somewhere."""

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sphinx", reason="the extra docs is not installed")

from browser import accessibility_faults, visits
from docsite import links, repository
from rookery.techniques import ALL
from sphinx_build import build

ROOT = Path(__file__).parents[2]


# One test: to build the site takes most of its time, and tests of one file may run in several processes. `.ci/run` runs
# it; test_readme.py follows the links of the text in each run.
@pytest.mark.slow
def test_the_site(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "docs", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert links.broken(tmp_path) == []
    every_technique_has_a_page_with_its_explorer(tmp_path)
    nothing_comes_from_elsewhere(tmp_path)
    pictures_have_words(tmp_path)
    boards_open_in_the_explorer(tmp_path)
    every_page_leads_on(tmp_path)
    first_paint_is_light(tmp_path)
    pages_speak_of_themselves(tmp_path)
    searches_find_their_page_first(tmp_path)
    pages_are_for_everyone(tmp_path, request.getfixturevalue("chromium"))


def every_technique_has_a_page_with_its_explorer(site: Path) -> None:
    listed = (site / "techniques.html").read_text(encoding="utf-8")
    for t in ALL:
        name = f"{repository.technique_page(t.name)}.html"
        page = links.read(site / name)
        assert page.h1 is not None
        assert page.h1.get_text().startswith(t.name)
        (frame,) = page.select("figure.explorer iframe")
        assert f"technique={t.name}&" in str(frame["src"])
        assert f'href="{name}"' in listed


def nothing_comes_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        for tag, name in (("script", "src"), ("link", "href"), ("img", "src"), ("iframe", "src")):
            for found in re.findall(rf'<{tag}\b[^>]*?\b{name}="(https?:[^"]+)"', page.read_text(encoding="utf-8")):
                raise AssertionError(f"{page.name}: {found}")


def pictures_have_words(site: Path) -> None:
    for page in site.rglob("*.html"):
        for picture in links.read(page).select("img:not(.sidebar-logo)"):  # that stands by the name of the site
            assert len(str(picture.get("alt", ""))) > 20, (page.name, picture.get("src"))


def boards_open_in_the_explorer(site: Path) -> None:
    for page in site.rglob("*.html"):
        for board in links.read(page).select("figure.board"):
            (link,) = board.select("figcaption a")
            assert "explorer.html#" in str(link["href"])
    drawn = links.read(site / "tutorial" / "05-rays.html").select("p.in-explorer a")
    assert "square=d4" in str(drawn[0]["href"])


def every_page_leads_on(site: Path) -> None:
    """Each page ends with links to others: what to read next."""
    for page in (page for page in site.rglob("*.html") if "_static" not in page.parts):
        if page.stem in ("index", "genindex", "search") or "contributing" in page.stem or "changelog" in page.stem:
            continue
        (article,) = links.read(page).select("article[role=main]")
        last = [part for part in article.find_all(("p", "ul")) if part.get_text().strip()][-1]
        assert last.select("a[href]"), page


def pages_are_for_everyone(site: Path, chromium: Any) -> None:
    """In a browser: axe finds nothing, nothing is wider than the page, and the console stays empty.

    Of techniques, whose pages are made alike, every tenth is visited.
    """
    names = sorted(page.relative_to(site).as_posix() for page in site.rglob("*.html") if "_static" not in page.parts)
    alike = [name for name in names if name.startswith("generated/techniques/")]
    with visits(chromium, site) as visit:
        for i, name in enumerate([name for name in names if name not in alike] + alike[::10]):
            width, scheme = ((390, "light"), (1280, "dark"))[i % 2]
            page = visit(named=name, width=width, scheme=scheme)
            assert accessibility_faults(page) == [], name
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
            visit.leave()
        assert visit.faults == []


def pages_speak_of_themselves(site: Path) -> None:
    """Each page has a description, a card and a link to the file that is edited to change it."""
    pages = [page for page in site.rglob("*.html") if "_static" not in page.parts]
    assert len(pages) > 100
    for page in pages:
        if page.stem in ("genindex", "search"):
            continue
        parsed = links.read(page)
        (edit,) = {str(link["href"]) for link in parsed.select('a[rel="edit"]')}
        assert (ROOT / edit.removeprefix(f"{repository.address('Source')}/edit/main/")).is_file(), edit
        tags = parsed.select("meta[content]")
        described = {str(tag.get("name") or tag.get("property")): str(tag["content"]) for tag in tags}
        assert 30 < len(described["description"]) <= 210, page
        card = described["og:image"].removeprefix(repository.address("Documentation"))
        assert (site / card).read_bytes()[16:24] == (1200).to_bytes(4, "big") + (630).to_bytes(4, "big"), page


SEARCHES = {
    "export magics to rust": "recipes/export-magics-to-rust",
    "train on planes": "recipes/train-on-planes",
    "count legal moves": "recipes/count-legal-moves",
    "plot opening tree": "recipes/plot-opening-tree",
    "install": "install",
    "first call slow": "faq#why-is-the-first-call-slow",
    "apple silicon": "faq#apple-silicon",
    "tablebase": "faq#tablebases",
    "progress bar": "recipes/progress-bar",
    "windows": "faq#windows",
    "search pgn": "recipes/search-pgn",
    "pgn to parquet": "recipes/pgn-to-parquet",
}


def searches_find_their_page_first(site: Path) -> None:
    """By the site's own search, in Node; the changelog is not searched."""
    node = shutil.which("node")
    if node is None:
        return
    command = [node, str(ROOT / "tests" / "shared" / "site_search.mjs"), str(site), *SEARCHES]
    found = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    assert {query: hits[0][0] for query, hits in zip(SEARCHES, found, strict=True)} == SEARCHES
    assert not any("changelog" in hit[0] for hits in found for hit in hits)


def first_paint_is_light(site: Path) -> None:
    """A page of the tutorial, with the styles and scripts that it waits for, is less than 100 KB as servers send it."""
    for page in sorted((site / "tutorial").glob("*.html")):
        text = page.read_text(encoding="utf-8")
        waits = re.findall(r'<link rel="stylesheet"[^>]*href="([^"?]+)', text)
        waits += re.findall(r'<script (?!defer)[^>]*src="([^"?]+)', text)
        sent = [text.encode(), *((page.parent / name).read_bytes() for name in waits)]
        assert len(waits) > 5
        assert sum(len(gzip.compress(content)) for content in sent) < 100_000, page.name


def test_what_leads_nowhere_is_found(tmp_path: Path) -> None:
    text = "# Title\n\n<a href='none.html'>a</a> <a href='#none'>b</a> <a href='#title'>c</a> <img src='../up.png'>\n"
    out = build(tmp_path, {"index.md": text}, extensions=())
    own = [line for line in links.broken(out) if line.startswith("index.html")]
    assert own == [
        "index.html: none.html: no such file",
        "index.html: #none: no anchor none",
        "index.html: ../up.png: outside the site",
    ]
    command = [sys.executable, "-m", "docsite.links", out.name]  # as `.ci/run docs` calls it, with a relative path
    path = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "tools"), os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run(command, cwd=out.parent, env=path, capture_output=True, text=True)
    assert done.returncode == 1
    assert set(own) <= set(done.stdout.splitlines())
