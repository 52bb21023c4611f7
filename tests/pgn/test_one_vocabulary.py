"""One module knows the results of PGN: `rookery.results`. This test finds a second list of them."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import rookery

ROOT: Final = Path(rookery.__file__).parent
RESULTS: Final = ("1-0", "0-1", "1/2-1/2", "1/2")
HOME: Final = "results.py"


def second_spellings(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each constant that spells a result: alone, or among others in bytes."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Constant):
            continue
        if isinstance(node.value, str) and node.value in RESULTS:
            yield node.lineno, node.value
        if isinstance(node.value, bytes) and any(result.encode() in node.value for result in RESULTS):
            yield node.lineno, repr(node.value)


def test_only_one_module_spells_results() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for path in sorted(ROOT.rglob("*.py"))
        if path.relative_to(ROOT).as_posix() != HOME
        and any(result in (source := path.read_text(encoding="utf-8")) for result in RESULTS)
        for line, text in second_spellings(source)
    ]
    assert not found, "take these from rookery.results"


def test_their_home_spells_them() -> None:
    assert {text for _, text in second_spellings((ROOT / HOME).read_text(encoding="utf-8"))} == set(RESULTS)


@pytest.mark.parametrize(
    "source", ['x = "1-0"', "x = {'1/2': 3}", 'x = b"0-1"', 'x = re.compile(rb"(?:1-0|0-1)")', 'f(b"*   1-0   0-1")']
)
def test_a_second_spelling_is_found(source: str) -> None:
    assert list(second_spellings(source))


@pytest.mark.parametrize("source", ['"""Return ``1-0`` or ``0-1``."""', "x = 1 - 0", 'x = "1-01"', "import results"])
def test_other_texts_are_not_results(source: str) -> None:
    assert not list(second_spellings(source))
