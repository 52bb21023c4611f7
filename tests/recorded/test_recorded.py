"""Commands and calls of the library answer what they answered when they were recorded.

The sessions lie beside this file, by subject; `sessions.py` describes their form. ``python -m pytest --record
tests/recorded`` writes their records again.
"""

import collections
import difflib
import importlib
import re
import shlex
import shutil
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any, Final

import click
import numpy as np
import pytest

import rookery
from command_line import commands_of
from docsite.public import Public, methods_of
from docsite.public import names as public_names
from game_samples import SAMPLE, UGLY
from sessions import Entry, Session, parsed, written

HERE = Path(__file__).parent
DATA = HERE.parent / "samples"
SESSIONS = sorted(HERE.glob("*.txt"))


SUITE: Final = """\
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D3 8902
r3k2r/8/8/8/8/8/8/R3K2R w KQkq - ;D1 26; D2 567
"""
NAMES: Final = """\
eco\tname\tpgn
B00\tKing's Pawn\t1. e4
C20\tOpen Game\t1. e4 e5
C44\tTwo Knights\t1. e4 e5 2. Nf3 Nc6
"""
NDJSON: Final = """\
{"id": "x1", "moves": "e4 e5 Nf3", "winner": "white", "players": {"white": {"user": {"name": "Anna"}, "rating": 2100}}}
{"id": "x2", "pgn": "[White \\"Bob\\"]\\n\\n1. d4 d5 1/2-1/2"}
{"id": "x3"}
"""


def make_inputs(folder: Path) -> None:
    """Write the files that sessions read."""
    shutil.copy(SAMPLE, folder / "lichess.pgn")
    shutil.copy(DATA / "puzzles.csv", folder)
    (folder / "ugly.pgn").write_text(UGLY, encoding="utf-8")
    (folder / "suite.epd").write_text(SUITE)
    (folder / "names.tsv").write_text(NAMES)
    (folder / "lichess.ndjson").write_text(NDJSON)


def names() -> dict[str, Any]:
    """Return the names that sessions use: the public ones, NumPy and Path."""
    public = {name: getattr(rookery, name) for name in rookery.__all__}
    return {**public, "rookery": rookery, "np": np, "Path": Path}


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_answers_are_those_recorded(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in {"COLUMNS": "110", "TERM": "dumb", "NO_COLOR": "1"}.items():
        monkeypatch.setenv(name, value)
    make_inputs(tmp_path)
    recorded = path.read_text(encoding="utf-8")
    answers, skipped = Session(tmp_path, names()).answers(parsed(recorded))
    now = written(answers)
    if request.config.getoption("--record"):
        path.write_text(now, encoding="utf-8")
    elif now != recorded:
        diff = difflib.unified_diff(recorded.splitlines(), now.splitlines(), "recorded", "now", n=4, lineterm="")
        message = "\n".join(diff)
        pytest.fail(
            f"{message}\n\nIf this change is on purpose: python -m pytest --record tests/recorded -k {path.stem}",
            pytrace=False,
        )
    if skipped:
        pytest.skip("; ".join(skipped))


def entries() -> Iterator[Entry]:
    for path in SESSIONS:
        yield from (part for part in parsed(path.read_text(encoding="utf-8")) if isinstance(part, Entry))


COMMANDS = dict(commands_of())


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_option_of_a_command_is_recorded(path: tuple[str, ...]) -> None:
    recorded = [shlex.split(entry.code, comments=True)[1:] for entry in entries() if entry.is_command]
    words = {word for line in recorded if tuple(line[: len(path)]) == path for word in line}
    assert words, f"rookery {' '.join(path)} is in no session: add it to one in tests/recorded"
    options = [param for param in COMMANDS[path].params if isinstance(param, click.Option)]
    left_out = [param.opts[0] for param in options if not words & {*param.opts, *param.secondary_opts}]
    assert not left_out, f"no session in tests/recorded gives these options to rookery {' '.join(path)}"


# Public names. A heading of a session, such as `## rookery.Board`, says whose methods the calls below it show.


def code_by_heading() -> dict[str, str]:
    found: dict[str, str] = collections.defaultdict(str)
    for path in SESSIONS:
        heading = ""
        for part in parsed(path.read_text(encoding="utf-8")):
            if isinstance(part, Entry):
                found[heading] += f"{part.code}\n"
            elif part.startswith("## "):
                heading = part.removeprefix("## ")
    return found


CODE: Final = code_by_heading()
CLASSES: Final = sorted(CODE.keys() - {""})


def class_of(path: str) -> Any:
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(module), name)


def is_plain(value: type) -> bool:
    """Check whether a class needs no heading: an exception, an enumeration, or one without methods."""
    return issubclass(value, (Exception, Enum)) or not [*methods_of(value)]


@pytest.mark.parametrize("path", CLASSES)
def test_every_method_is_recorded(path: str) -> None:
    owner = class_of(path)
    elsewhere = [part for other in CLASSES for _, part in methods_of(class_of(other)) if other != path]
    left_out = [
        name
        for name, part in methods_of(owner)
        if not re.search(rf"(\.|\W\"){name}\b", CODE[path]) and part not in elsewhere
    ]
    assert not left_out, f"no session in tests/recorded shows these methods below the heading ## {path}"


def test_every_public_name_is_recorded() -> None:
    code, headed = "\n".join(CODE.values()), {class_of(path) for path in CLASSES}

    def is_recorded(public: Public) -> bool:
        if isinstance(public.value, type) and public.is_described and not is_plain(public.value):
            return public.value in headed
        return bool(re.search(rf"\b{public.path.rpartition('.')[2]}\b", code))

    left_out = [public.path for public in public_names() if not is_recorded(public)]
    assert not left_out, "no session in tests/recorded calls these names, or has a heading for these classes"
