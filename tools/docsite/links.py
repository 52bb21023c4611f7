"""Links within a built site: every file and every anchor that a page names is there.

``python -m docsite.links FOLDER`` prints those that are not.
"""

import functools
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup

from docsite import explorer_states, try_it

_OWN_PAGES: Final = (explorer_states.PAGE, try_it.PAGE)  # what stands behind the address of one is a state
_PLACES = {"href": ("a", "link"), "src": ("img", "iframe", "script")}


def broken(site: Path) -> list[str]:
    """Return the broken links, a line each: the page, the link and what is missing."""
    found = []
    site = site.resolve()
    for page in sorted(site.rglob("*.html")):
        for link in links_of(page):
            missing = _missing(site, page, link)
            if missing:
                found.append(f"{page.relative_to(site)}: {link}: {missing}")
    return found


def links_of(page: Path) -> Iterator[str]:
    """Yield the links of a page, except those to other sites."""
    for name, tags in _PLACES.items():
        for tag in read(page).find_all(tags, attrs={name: True}):
            link = str(tag[name])
            if not urlsplit(link).scheme:
                yield link


def _missing(site: Path, page: Path, link: str) -> str:
    parts = urlsplit(link)
    file = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if not file.is_relative_to(site):
        return "outside the site"
    if not file.is_file():
        return "no such file"
    is_anchor = parts.fragment and file.suffix == ".html" and file not in {site / name for name in _OWN_PAGES}
    return f"no anchor {parts.fragment}" if is_anchor and unquote(parts.fragment) not in _anchors(file) else ""


@functools.cache
def _anchors(page: Path) -> frozenset[str]:
    return frozenset(str(tag["id"]) for tag in read(page).find_all(id=True))


@functools.cache
def read(page: Path) -> BeautifulSoup:
    """Return a parsed page; each page is parsed once."""
    return BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")


def main() -> None:
    """Print what is broken; the exit status is 1 if anything is."""
    found = broken(Path(sys.argv[1]))
    print("\n".join(found) or "all links lead somewhere")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
