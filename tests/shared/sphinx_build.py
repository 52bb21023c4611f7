"""A small site of a test's own, built as the real one is."""

import subprocess
import sys
from pathlib import Path

CONF = """
import sys
sys.path.insert(0, {tools!r})
extensions = ["myst_parser", *{extensions!r}]
myst_fence_as_directive = ["board"]
html_theme = {theme!r}
"""
TOOLS = str(Path(__file__).parents[2] / "tools")


def build(
    folder: Path,
    pages: dict[str, str],
    extensions: tuple[str, ...] = ("docsite.explorer",),
    theme: str = "basic",
) -> Path:
    """The built pages; AssertionError with what Sphinx says if it warns."""
    source, out = folder / "source", folder / "built"
    for name, text in {"conf.py": CONF.format(tools=TOOLS, extensions=extensions, theme=theme), **pages}.items():
        path = source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", str(source), str(out)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return out
