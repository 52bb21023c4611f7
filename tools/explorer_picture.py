"""Take the picture of the explorer that the README shows: ``python tools/explorer_picture.py docs/explorer.png``."""

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Final

from playwright.sync_api import sync_playwright

from rookery.explain.explorer import explorer

STATE: Final = "technique=magic-fancy&piece=bishop&square=d4&step=7&fen=7b/3p4/5p2/2p5/3B4/8/1P6/8"
WIDTH, HEIGHT = 1200, 655


def main() -> None:
    """Write the picture to the path given."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_file = Path(folder) / "explorer.html"
        page_file.write_text(explorer(), encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.goto(f"{page_file.as_uri()}#{STATE}")
        page.wait_for_selector("#step h3")
        page.screenshot(path=sys.argv[1])
        browser.close()


if __name__ == "__main__":
    main()
