"""Every technique file opens like a page: its idea, its vocabulary, drawn boards that a doctest runs, its origin."""

import ast
import doctest
import importlib
import inspect
import re
from types import ModuleType
from typing import Any

import pytest

from rookery.bitboards.bitboard import Bitboard
from rookery.techniques import ALL

MODULES = [importlib.import_module(name) for name in dict.fromkeys(t.module for t in ALL)]
each_page = pytest.mark.parametrize("page", MODULES, ids=lambda m: m.__name__.rpartition(".")[2])


def drawn_boards(text: str) -> list[list[str]]:
    """The boards in a text, in blocks of eight lines that may hold several side by side."""
    blocks: list[list[str]] = []
    rows: list[list[str]] = []
    for line in [*text.splitlines(), ""]:
        if re.fullmatch(r"[.1](?: [.1]){7}(?:   [.1](?: [.1]){7})*", line):
            rows.append(line.split("   "))
        else:
            if len(rows) == 8:
                blocks.append(["\n".join(column) for column in zip(*rows, strict=True)])
            rows = []
    return blocks


def examples(page: ModuleType) -> list[doctest.Example]:
    return doctest.DocTestParser().get_examples(page.__doc__ or "")


def test_drawn_boards_are_found() -> None:
    drawing = "\n".join(f"{row}   {row}" for row in str(Bitboard.of("a1", "h7")).splitlines())
    assert drawn_boards(f"before\n{drawing}\nafter") == [[str(Bitboard.of("a1", "h7"))] * 2]
    assert not drawn_boards(drawing.replace("1", "x"))


@each_page
def test_opens_with_its_idea_and_its_letters(page: ModuleType) -> None:
    first, blank, vocabulary = (page.__doc__ or "").split("\n")[:3]
    assert re.fullmatch(r"[A-Z][^:]+: .+\.", first)
    assert not blank
    assert re.match(r"    \S.*? {2,}\S", vocabulary)


@each_page
def test_draws_boards_and_runs_them(page: ModuleType) -> None:
    blocks = [block for example in examples(page) for block in drawn_boards(example.want)]
    assert blocks
    assert all(len(block) >= 3 for block in blocks)  # steps side by side, not only a result
    # All that is drawn stands in a doctest, so that no drawing can be wrong.
    assert len(drawn_boards(page.__doc__ or "")) == len(blocks)


@each_page
def test_the_example_runs_a_kernel_of_the_page(page: ModuleType) -> None:
    own = (f for f, value in vars(page).items() if getattr(value, "__module__", "") == page.__name__)
    kernels = {f for f in own if hasattr(vars(page)[f], "__wrapped__")}
    used = set()
    for example in examples(page):
        used |= {node.id for node in ast.walk(ast.parse(example.source)) if isinstance(node, ast.Name)}
    made = "kernel_of" in (page.__doc__ or "") or "_BY_SHIFT" in used  # kernels that a function of the page makes
    assert used & kernels or made


@each_page
def test_says_who_and_when(page: ModuleType) -> None:
    text = " ".join((page.__doc__ or "").split())
    records: list[Any] = [t for t in ALL if t.module == page.__name__]
    names = {author.split()[-1] for t in records for author in t.authors}
    assert any(name in text for name in names) or names <= {"traditional", "rookery"}
    assert any(str(t.year) in text for t in records)


@pytest.mark.parametrize("name", ["_filler", "_drawing", *(m.__name__.rpartition(".")[2] for m in MODULES)])
def test_no_size_is_typed(name: str) -> None:
    source = inspect.getsource(importlib.import_module(f"rookery.techniques.{name}"))
    assert not re.findall(r"\d[\d.,]* (?:[KMG]i?B|bytes)\b", source)
