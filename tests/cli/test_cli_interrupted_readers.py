"""Commands that read games are clients of one job: each goes on where it was interrupted, and refuses other work."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from command_line import run
from game_samples import SAMPLE
from rookery.games.read import on_executor
from rookery.games.read.on_executor import JobScan
from rookery.sources.failures import ChangedFileError

COMMANDS = {
    "games": ["games", "IN", "-o", "OUT.parquet", "--row-group", "10"],
    "openings": ["openings", "IN", "-o", "OUT.csv"],
    "duplicates": ["duplicates", "IN", "-o", "OUT.pgn"],
}


@pytest.fixture(autouse=True)
def small_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_executor, "RANGE", 10_000)
    monkeypatch.setattr(on_executor, "_GAMES", 4)


def command_of(name: str, folder: Path, out: str, *more: str) -> tuple[list[str], Path]:
    """Return a command and its output."""
    source = folder / "in.pgn"
    source.write_bytes(SAMPLE.read_bytes() * 4)
    command = [text.replace("IN", str(source)).replace("OUT", str(folder / out)) for text in COMMANDS[name]]
    return [*command, *more], Path(command[3])


class Interrupting:
    """`JobScan.__iter__`, with Ctrl-C after some batches."""

    def __init__(self, batches: int) -> None:
        self.left, self.iterate = batches, JobScan.__iter__

    def __call__(self, scan: JobScan) -> Iterator[Any]:
        for games in self.iterate(scan):
            yield games
            self.left -= 1
            if not self.left:
                raise KeyboardInterrupt


def interrupt(monkeypatch: pytest.MonkeyPatch, command: list[str], batches: int = 5) -> str:
    with monkeypatch.context() as patch:
        interrupting = Interrupting(batches)
        patch.setattr(JobScan, "__iter__", lambda scan: interrupting(scan))
        return run(*command, status=130).output


@pytest.mark.parametrize("name", COMMANDS)
def test_the_same_command_goes_on(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command, right = command_of(name, tmp_path, "right")
    run(*command)
    command, out = command_of(name, tmp_path, "out")
    assert interrupt(monkeypatch, command).startswith("interrupted: the same command goes on from here\n")
    assert not out.exists()
    begun: list[int] = []
    read = on_executor.read_range

    def counted(task: Any, files: Any) -> Any:
        begun.append(task.number)
        return read(task, files)

    with monkeypatch.context() as patch:
        patch.setattr(on_executor, "read_range", counted)
        run(*command)
    assert 0 not in begun
    assert out.read_bytes() == right.read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {"in.pgn", right.name, out.name}


@pytest.mark.parametrize("name", COMMANDS)
def test_other_work_is_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command, out = command_of(name, tmp_path, "out")
    interrupt(monkeypatch, command)
    other = [*command, "--where", "WhiteElo > 1000"]
    error = run(*other, status=2).output
    assert "is of other work" in error
    assert "or start anew with --force" in error
    assert len(error.strip().splitlines()) <= 4  # the usage, and one line
    run(*other, "--force")
    assert out.exists()
    assert not Path(f"{out}.parts").exists()


@pytest.mark.parametrize("name", COMMANDS)
def test_an_input_that_changes_leaves_nothing(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command, out = command_of(name, tmp_path, "out")
    read = on_executor.read_range

    def changing(task: Any, files: Any) -> Any:
        if task.number == 2:
            (tmp_path / "in.pgn").write_bytes(SAMPLE.read_bytes() * 3)
        return read(task, files)

    monkeypatch.setattr(on_executor, "read_range", changing)
    error = run(*command, status=1)
    assert "changed while it was read" in error.output or isinstance(error.exception, ChangedFileError)
    assert not out.exists()
    assert not Path(f"{out}.parts").exists()
