"""From files of the repository to pages of the site: where a link of a page leads there."""

import functools
import posixpath
import re
import tomllib
from pathlib import Path
from typing import Any, Final, NamedTuple

from rookery.techniques import ALL

ROOT: Final = Path(__file__).resolve().parents[2]
DOCS: Final = ROOT / "docs"
GENERATED: Final = "generated"  # the folder of docs/ that a build fills, and no commit holds

# Pages that are made of files outside docs/.
OUTSIDE: Final = {"CONTRIBUTING.md": f"{GENERATED}/contributing", "CHANGELOG.md": f"{GENERATED}/changelog"}
MODULES: Final = {f"src/{t.module.replace('.', '/')}.py": t.module for t in ALL}

_LINK = re.compile(r"\[(?P<text>[^\]]*)\]\((?P<target>[^)#\s]+)(?P<anchor>#[^)\s]*)?\)")


def technique_page(name: str) -> str:
    """Return the page of a technique, as Sphinx names it."""
    return f"{GENERATED}/techniques/{name}"


@functools.cache
def address(name: str) -> str:
    """Return an address of the project by its name in pyproject.toml, such as ``Documentation``."""
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["urls"][name])


def source_url(path: str, first: int | None = None, last: int | None = None) -> str:
    """Where a file of the repository, or some of its lines, can be read."""
    lines = f"#L{first}-L{last}" if first else ""
    return f"{address('Source')}/blob/main/{path}{lines}"


def on_the_site(page: str) -> str:
    """Return the line that leads readers of a file, on GitHub, to its page on the site, where figures are alive."""
    there = f"{address('Documentation')}{page}.html"
    return f"*[On the site]({there}), the figures of this page answer mouse, touch and keys.*"


def _technique_of(link: re.Match[str], target: str) -> str | None:
    """Return the technique to whose page a link leads: its target is the module, its text the technique's name."""
    name = link["text"].strip("`")
    return name if any(t.name == name and t.module == MODULES.get(target) for t in ALL) else None


class Chapter(NamedTuple):
    """A chapter of the tutorial: its page, its title, and the techniques to whose pages it leads."""

    page: str
    title: str
    techniques: tuple[str, ...]


@functools.cache
def chapters() -> tuple[Chapter, ...]:
    """All chapters, in their order."""
    found = []
    for path in sorted((DOCS / "tutorial").glob("[0-9]*.md")):
        text = path.read_text(encoding="utf-8")
        links = ((link, posixpath.normpath(f"docs/tutorial/{link['target']}")) for link in _LINK.finditer(text))
        names = (_technique_of(link, target) for link, target in links)
        title = text.partition("\n")[0].removeprefix("# ")
        found.append(Chapter(f"tutorial/{path.stem}", title, tuple(name for name in names if name)))
    return tuple(found)


def for_site(text: str, page: str, written_in: str = "docs") -> str:
    """Return the Markdown of a file with its links as the site has them.

    `page` is the name of the page there, and `written_in` the folder to which its links are relative. A link to the
    module of a technique whose text is the technique's name leads to its page; a link to any other file outside docs/
    leads to the repository.
    """

    def replaced(found: re.Match[str]) -> str:
        if "://" in found["target"]:
            return found[0]
        target = posixpath.normpath(posixpath.join(written_in, found["target"]))
        name = _technique_of(found, target)
        if name:
            target = f"docs/{technique_page(name)}.rst"
        elif target in OUTSIDE:
            target = f"docs/{OUTSIDE[target]}.md"
        elif not target.startswith("docs/"):
            return f"[{found['text']}]({source_url(target)})"
        there = posixpath.relpath(target, posixpath.dirname(f"docs/{page}"))
        return f"[{found['text']}]({there}{found['anchor'] or ''})"

    return _LINK.sub(replaced, text)
