"""Generated pages are written where they changed, deleted where they are made no more; others are read for the site."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("sphinx", reason="the extra docs is not installed")

from docsite import pages


def test_what_changed_is_written_and_what_is_made_no_more_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "DOCS", tmp_path)
    app: Any = None
    made = {"generated/room/a.rst": "one", "generated/b.md": "two"}
    monkeypatch.setattr(pages, "generated", lambda: made)
    pages.write(app)
    before = (tmp_path / "generated/b.md").stat().st_mtime_ns
    made = {"generated/b.md": "two", "generated/c.md": "three"}
    pages.write(app)
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert left == made.keys()
    assert (tmp_path / "generated/c.md").read_text(encoding="utf-8") == "three"
    assert (tmp_path / "generated/b.md").stat().st_mtime_ns == before


def test_pages_are_read_with_the_links_of_the_site_and_no_empty_ends_of_blocks() -> None:
    app: Any = SimpleNamespace(env=SimpleNamespace(doc2path=lambda name: f"{name}.md"))
    source = ["[`rays`](../../src/rookery/techniques/rays.py)\n\n```python\n>>> 1\n1\n\n```\n"]
    pages.read(app, "tutorial/one", source)
    assert source == ["[`rays`](../generated/techniques/rays.rst)\n\n```python\n>>> 1\n1\n```\n"]
    listed = ["# The techniques\n"]
    pages.read(app, "techniques", listed)
    assert "\ngenerated/techniques/kogge-stone\n" in listed[0]
    untouched = ["[c](../CONTRIBUTING.md)"]
    pages.read(app, "generated/contributing", untouched)
    assert untouched == ["[c](../CONTRIBUTING.md)"]
