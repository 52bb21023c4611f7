"""The charts show what was recorded: every technique, every row."""

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from thinning import few

pytest.importorskip("matplotlib", reason="the extra docs is not installed")

from bs4 import BeautifulSoup

from docsite import charts
from docsite.drawing import Bar, Point, bars, points, svg
from rookery.techniques import ALL
from sphinx_build import build

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
CHARTS = {chart.name: chart for chart in charts.charts()}


def rows(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((BENCHMARKS / f"{name}.json").read_text(encoding="utf-8"))["rows"]
    return found


def test_every_recorded_technique_has_a_point_and_the_others_are_named() -> None:
    assert {charts.family_of(t.module) for t in ALL} - {charts.OTHERS} == charts.FAMILIES.keys()
    drawn = {figure.split()[0] for figure in CHARTS["speed-and-size"].figures.split("; ")}
    recorded = json.loads((BENCHMARKS / "attacks.json").read_text(encoding="utf-8"))["techniques"]
    assert drawn == {row["name"] for row in recorded}
    for missing in {t.name for t in ALL} - drawn:
        assert missing in CHARTS["speed-and-size"].about


def test_every_row_with_a_peer_is_drawn() -> None:
    for name, benchmark, peer in (
        ("perft", "perft", "chessmg"),
        ("games", "games", "chess"),
        ("perft", "lanes", "chessmg"),
    ):
        for row in rows(benchmark):
            if row.get("peer") == peer and row["unit"] in ("nodes", "games"):
                assert f"{row['what']} compared with {peer} {row['peer_version']}" in CHARTS[name].figures
    assert len(CHARTS["threads"].figures.split("; ")) == 2
    assert len(CHARTS["first-answers"].figures.split("; ")) == len(
        {row["what"] for row in rows("start") if not row["what"].startswith("import ")} | {"import rookery"}
    )


@pytest.mark.parametrize("name", few(CHARTS, 2))
def test_a_chart_is_a_picture_and_the_same_each_time(name: str) -> None:
    chart = CHARTS[name]
    light, again, dark = (svg(chart.height, theme, chart.draw) for theme in ("light", "light", "dark"))
    assert light == again != dark
    assert ET.fromstring(light).tag.endswith("svg")
    assert chart.about.endswith(".")


def test_the_page_shows_every_chart_twice_and_in_words() -> None:
    made = charts.files()
    page = made["generated/charts.rst"]
    for chart in CHARTS.values():
        assert page.count(f":alt: {chart.title}. {chart.figures}.") == 2
        for theme in ("light", "dark"):
            assert f".. image:: {chart.name}-{theme}.svg" in page
            assert f"generated/{chart.name}-{theme}.svg" in made


def test_a_name_that_finds_no_room_is_an_error() -> None:
    crowd = [Point(f"a long name, number {i}", "one", 1 + i / 1e6, 1) for i in range(400)]
    with pytest.raises(ValueError, match="chart: no room for the name 'a long name"):
        svg(3, "light", points(("x", "y"), {"one": "o"}, crowd, 0.25))


def test_sides_of_bars_differ_without_colour() -> None:
    sides = [("here", [Bar("a", 1, "1")]), ("there", [Bar("a", 2, "2")])]
    assert "<pattern" in svg(2, "light", bars("x", sides))
    assert "<pattern" not in svg(2, "light", bars("x", sides[:1]))


def lengths(drawing: str) -> list[float]:
    """How long the bars of a chart are drawn, from the left to the right end of each."""
    found = []
    for patch in ET.fromstring(drawing).iter("{http://www.w3.org/2000/svg}g"):
        for path in patch.findall("{http://www.w3.org/2000/svg}path[@clip-path]"):
            if patch.get("id", "").startswith("patch"):
                xs = [float(x) for x in re.findall(r"[ML] ([\d.]+)", path.get("d", ""))]
                found.append(max(xs) - min(xs))
    return found


def test_a_bar_twice_as_long_is_twice_as_much() -> None:
    sides = [("here", [Bar("a", 30, "30"), Bar("b", 3, "3")]), ("there", [Bar("a", 1, "1"), Bar("b", 60, "60")])]
    linear = lengths(svg(2, "light", bars("x", [(side, own[:1]) for side, own in sides])))
    assert linear[0] == pytest.approx(30 * linear[1], rel=0.01)
    assert lengths(svg(2, "light", bars("x", sides))) == []  # 60 times as much: points


def test_a_chart_that_scrolls_is_reached_by_keyboard(tmp_path: Path) -> None:
    text = f"Charts\n======\n\n{charts.picture('perft', 'A & B', 'in words, and its competitors')}\n"
    pictures = {f"perft-{theme}.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>" for theme in ("light", "dark")}
    page = BeautifulSoup(
        (build(tmp_path, {"index.rst": text, **pictures}, ()) / "index.html").read_text(), "html.parser"
    )
    (box,) = page.select("div.chart")
    assert (box["tabindex"], box["role"], box["aria-label"]) == ("0", "region", "A & B")
    assert len(box.find_all("img")) == 2
