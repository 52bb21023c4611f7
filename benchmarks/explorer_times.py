"""Time the explorer in Debian's chromium: ``python benchmarks/explorer_times.py --out benchmarks/explorer.json``.

For every technique, the script changes a square of the board and takes a step, many times each. It measures the time
from the click until the page has its new layout. Machines differ: beside each technique stands the time of a fixed loop
in the same page. The comparison of all techniques is timed in a page that has loaded only one.
"""

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any, Final

import click
from playwright.sync_api import sync_playwright

from recording import out_option, record
from rookery.bench.machine import describe
from rookery.explain.explorer import explorer
from rookery.techniques import ALL

ROUNDS: Final = 40
TIMED: Final = """
async (rounds) => {
    const timed = async (button) => {
        const start = performance.now();
        button.click();
        document.body.getBoundingClientRect();
        const time = performance.now() - start;
        await new Promise((go) => setTimeout(go, 3));
        return time;
    };
    const [square, forward, slider] = ['button[aria-label^="d6"]', "#forward", "#slider"]
        .map((selector) => document.querySelector(selector));
    const [squares, steps] = [[], []];
    for (let i = 0; i < rounds; i++) {
        squares.push(await timed(square));
        if (forward.getAttribute("aria-disabled") === "true") {
            slider.value = 1;
            slider.dispatchEvent(new Event("input"));
        }
        steps.push(await timed(forward));
    }
    const loops = [];
    for (let i = 0; i < 9; i++) {
        const start = performance.now();
        let sum = 1n;
        for (let n = 0; n < 1000000; n++) {
            sum = BigInt.asUintN(64, sum * 6364136223846793005n + 1442695040888963407n);
        }
        loops.push(performance.now() - start + Number(sum & 0n));
    }
    return [squares, steps, loops];
}
"""
COMPARED: Final = """
async () => {
    const start = performance.now();
    document.querySelector("#compare").click();
    const cells = () => [...document.querySelectorAll("#comparison td:last-child")].map((cell) => cell.textContent);
    while (!cells().length || cells().includes("...")) {
        await new Promise((go) => setTimeout(go, 2));
    }
    return performance.now() - start;
}
"""


def times(page: Any, address: str, name: str) -> dict[str, Any]:
    """Return the milliseconds of a technique: medians, and the longest but one."""
    page.goto("about:blank")
    page.goto(f"{address}#technique={name}&piece=queen&square=d4")
    page.wait_for_selector("#step h3")
    squares, steps, loops = page.evaluate(TIMED, ROUNDS)
    return {
        "name": name,
        "square_ms": round(median(squares), 1),
        "square_second_longest_ms": round(sorted(squares)[-2], 1),
        "step_ms": round(median(steps), 1),
        "step_second_longest_ms": round(sorted(steps)[-2], 1),
        "loop_ms": round(median(loops), 1),
    }


def comparison(page: Any, address: str) -> float:
    """Return the milliseconds of the comparison of all techniques in a fresh page."""
    page.goto("about:blank")
    page.goto(f"{address}#technique=rays&piece=queen&square=d4")
    page.wait_for_selector("#step h3")
    return float(page.evaluate(COMPARED))


def measure(progress: Callable[[str], None]) -> dict[str, Any]:
    """Time all techniques; `progress` is called with each."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        file = Path(folder, "explorer.html")
        file.write_text(explorer(), encoding="utf-8")
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        compared = [comparison(page, file.as_uri()) for _ in range(5)]
        found = []
        for t in ALL:
            progress(t.name)
            found.append(times(page, file.as_uri(), t.name))
        return {
            "benchmark": "explorer",
            "command": "python benchmarks/explorer_times.py",
            "machine": describe() | {"browser": f"Chromium {browser.version}"},
            "rounds": ROUNDS,
            "loop": "a million rounds of a 64-bit multiplication and addition of BigInts",
            "comparison_ms": round(median(compared), 1),
            "page_bytes": file.stat().st_size,
            "first_bytes": file.read_text(encoding="utf-8").index('id="program-'),
            "techniques": found,
        }


@click.command()
@out_option
def main(out: Path | None) -> None:
    """Time the explorer in a browser."""
    record(measure, out)


if __name__ == "__main__":
    main()
