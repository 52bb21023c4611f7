"""``rookery show``: a technique's card and code."""

import json
import re
from typing import Any

import pytest

from command_line import document, run
from rookery import technique, techniques
from rookery.cli import common


@pytest.mark.parametrize("name", ["kogge-stone", "magic-fancy"])
def test_show(name: str) -> None:
    t = technique(name)
    text = run("show", name).stdout
    for part in (t.name, t.authors[0], str(t.year), t.source, f"{t.table_bytes:,} bytes", "@kernel", "def "):
        assert part in text
    card = document("show", name)
    assert sum(table["bytes"] for table in card["tables"]) == t.table_bytes
    assert [table["name"] for table in card["tables"]] == list(t.tables()._fields)


def test_the_name_of_a_variant_shows_its_technique() -> None:
    text = run("show", "leorik").stdout
    assert text.startswith("slide-arithmetic: ")
    assert "leorik (Thomas Jahn, 2022): the same two masks" in text
    names = [variant["name"] for variant in document("show", "cfish-avx2")["variants"]]
    assert names == ["leorik", "a-b-bitboards", "cfish-avx2", "genetic-8-ray"]


@pytest.mark.parametrize("t", techniques(), ids=lambda t: t.name)
def test_show_prints_what_the_answer_runs_through(t: Any) -> None:
    document = json.loads(run("show", t.name, "--json").stdout)
    whole = json.loads(run("show", t.name, "--source", "--json").stdout)["code"]
    code = document["code"]
    assert "@kernel" in code
    assert "Technique(" not in code  # records and what fills tables are the module's
    assert "def " + inspect_name(t) in code
    assert document["module"] == t.module
    if t.tables()._fields:
        assert f"class {t.tables_class.__base__.__name__}(NamedTuple)" in code
    assert all(line in whole for line in code.split("# rookery.")[1].splitlines()[1:])
    compile(code, t.name, "exec")


def inspect_name(t: Any) -> str:
    import inspect

    for ask in ("rook", "file", "rank"):
        if kernel := t._kernels.get(ask):
            function = inspect.unwrap(kernel)
            if ".base." not in function.__module__:
                return str(function.__qualname__.split(".")[0])
    return ""


def test_show_takes_no_attribute_for_a_function() -> None:
    """The tables of `magic-byte` have an array ``rook``, and another module has a kernel of that name."""
    shown = run("show", "magic-byte").stdout
    assert "def byte_rook(" in shown
    assert "def record_index(" in shown
    assert "def rook(" not in shown


def test_show_leaves_the_sisters_out() -> None:
    fancy = run("show", "magic-fancy").stdout
    assert "class Records" in fancy
    for other in ("class Plain", "def reduced_tables", "def fixed_rook", "def fancy_tables"):
        assert other not in fancy
    assert "rookery show magic-fancy --source" in fancy
    whole = run("show", "magic-fancy", "--source").stdout
    assert "def fixed_rook" in whole
    assert "def fancy_tables" in whole


def test_code_is_shown_in_the_terminals_own_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(common.out, "_force_terminal", True)
    monkeypatch.setattr(common.out, "_color_system", common.out._color_system or 3)
    text = run("show", "rays").stdout
    coloured = [(code, part) for code, part in re.findall(r"\x1b\[([0-9;]*)m([^\x1b]*)", text) if part.strip()]
    assert len(coloured) > 10
    for code, part in coloured:
        for number in map(int, filter(None, code.split(";"))):
            assert number < 38 or number in (39, 49) or 90 <= number < 98, (code, part)  # no 38;2;R;G;B, no backgrounds
            assert number not in (37, 97, 93), (code, part)  # white and bright yellow are not read on white
