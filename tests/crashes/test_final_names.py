"""No file is made or written under its final name: pyarrow and compiled code, too, write to names that are replaced.

The system reports the names, so that nothing that writes behind the interface to the disk is missed.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import crash_fixtures
from folder_events import HAS_EVENTS, folder_events
from long_work import WORKS, perform

inputs, out, small = crash_fixtures.inputs, crash_fixtures.out, crash_fixtures.small
pytestmark = pytest.mark.skipif(not HAS_EVENTS, reason="this system reports no events of a folder")

TEMPORARY: Final = re.compile(r"\.rookery-[0-9a-f-]+\.new")
# Files that grow under their names, each line or with a mark that says that they are complete.
GROWING: Final = re.compile(r"journal|.*\.journal|references/\d+-\d+")


def in_place(paths: set[str], folder: Path) -> list[str]:
    """Return the paths in a folder that are neither temporary nor growing."""
    names = sorted(Path(path).relative_to(folder).as_posix() for path in paths)
    return [
        name for name in names if not TEMPORARY.fullmatch(name.rpartition("/")[2]) and not GROWING.fullmatch(_end(name))
    ]


def _end(name: str) -> str:
    return "/".join(name.split("/")[-2:]) if "references/" in name else name.rpartition("/")[2]


@pytest.mark.parametrize("work", WORKS)
def test_files_get_their_names_when_they_are_complete(work: str, inputs: Path, out: Path) -> None:
    with folder_events(out) as events:
        assert perform(work, inputs, out).files
    assert events.made
    assert not in_place(events.made, out)
    assert not in_place(events.written, out)


def _written(path: Path) -> None:
    with open(path, "wb") as file:  # noqa: PTH123
        file.write(b"content")


TABLE: Final = pa.table({"a": [1]})
BEHIND: Final[dict[str, Callable[[Path], Any]]] = {
    "Python": _written,
    "a file of pyarrow": lambda path: pa.OSFile(str(path), "wb").write(b"content"),
    "Parquet by pyarrow": lambda path: pq.write_table(TABLE, path),
    "NumPy": lambda path: __import__("numpy").zeros(3).tofile(path),
}


@pytest.mark.parametrize("way", BEHIND)
def test_each_way_to_write_is_seen(way: str, out: Path) -> None:
    with folder_events(out) as events:
        BEHIND[way](out / "final")
    assert in_place(events.made, out) == ["final"]
    assert in_place(events.written, out) == ["final"]
