"""Words of pages that must not come back, and the measures of pages: "bytes per row", not "bytes a row"."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NAMES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
PAGES = [ROOT / name for name in NAMES] + [
    page for page in sorted((ROOT / "docs").rglob("*.md")) if "generated" not in page.parts
]
TOOLS = [path for folder in ("docsite", "live_figures") for path in sorted((ROOT / "tools" / folder).glob("*.py"))]
READ = [*PAGES, *TOOLS, *sorted((ROOT / "docs" / "figures").rglob("*.js"))]

UNITS = (
    "bytes words ns us ms nanoseconds microseconds milliseconds seconds minutes times positions nodes leaves queens "
    "boards slots states games records lines instructions operations cycles planes puzzles KB MB GB look-ups calls "
    "million billion"
)
PARTS = (
    "second minute hour day month year position square node ply core file row line call direction look-up thread task "
    "batch lane puzzle rank step side piece item entry cell board bit queen million record dataset half-move process"
)
RATE = re.compile(rf"\b(?:{'|'.join(UNITS.split())}) an? (?:{'|'.join(PARTS.split())})\b(?! is\b)")
# What a reader had to read twice.
TURNED = (
    "one says",
    "what of it",
    "nought",
    "askew",
    "as good as none",
    "stands for no result",
    "a question of its own for each",
    "leaves the lowest bit alone",
    "says one thing of it",
    "Of all others, no",
    "it wants to do more with them",
    "What others reach was",
    "To merge a result of these",
    "a mask a direction",
    "one record a square",
    "but for what is named below",
)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", READ, ids=name_of)
def test_a_rate_is_written_with_per(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert [" ".join(found[0].split()) for found in RATE.finditer(text)] == []


@pytest.mark.parametrize("path", READ, ids=name_of)
def test_sentences_that_were_turned_round_do_not_come_back(path: Path) -> None:
    text = " ".join(path.read_text(encoding="utf-8").split())
    assert [words for words in TURNED if words in text] == []


def test_the_pattern_finds_rates() -> None:
    for text in ("32 bytes a position", "11 million positions a second", "five times a second", "six lines a position"):
        assert RATE.search(text), text
    for text in ("bytes per position", "below 1,500 seconds a game is", "in a position"):
        assert not RATE.search(text), text
