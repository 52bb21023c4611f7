"""Tasks whose results are kept: interrupted work finds the finished ones in its journal, and goes on with the others.

A task writes its output to a file of the work's folder and returns a small result, which the journal keeps. The file
gets its name when it is complete, so a task may run again.
"""

import contextlib
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, Final

from rookery.sources.disk import DISK
from rookery.tasks.executors import open_executor
from rookery.tasks.journal import Journal
from rookery.tasks.running import IN_FLIGHT, run

_stopped: Final[set[str]] = set()  # folders of interrupted work


class Interrupted(RuntimeError):
    """A task that ended because its work was interrupted."""


def check_running(folder: str) -> None:
    """Raise `Interrupted` if the work in a folder was interrupted; tasks in threads of this process then end."""
    if folder in _stopped:
        raise Interrupted("interrupted")


def parts_path(out: str) -> Path:
    """Return the path of the folder that keeps the results for a file."""
    return Path(out + ".parts")


def parts_folder(out: str) -> Path:
    """Return the folder that keeps the results for a file, ``OUT.parts``, and make it if it does not exist."""
    folder = parts_path(out)
    try:
        DISK.make_folder(folder)
    except OSError as error:
        raise ValueError(f"out: {folder}: {error.strerror}") from error
    return folder


def finish(
    executor: Executor,
    work: Callable[[Any], Any],
    tasks: Sequence[Any],
    journal: Journal,
    folder: str,
    *,
    first: int = 0,
    is_kept: Callable[[int], bool] = lambda number: True,
    ordered: bool = False,
    in_flight: int = IN_FLIGHT,
    warm_up: Callable[[], object] | None = None,
    progress: Callable[[int, int], object] = lambda done, total: None,
) -> Generator[tuple[int, Any]]:
    """Do the tasks that are not in a journal, and yield the number and the result of each task, kept or new.

    Task i is number ``first + i`` of the journal. `is_kept` checks whether the output of a task in the journal is still
    there. Results are yielded as they come, those in the journal first, or in order. `progress` is called with the
    number of finished tasks and of all: at the beginning, and after each task. The other arguments are those of `run`.
    When the generator is closed before its end, or fails, tasks that call `check_running` with `folder` end.
    """
    kept = [i for i in range(len(tasks)) if first + i in journal.results and is_kept(i)]
    is_done = set(kept)
    left = [i for i in range(len(tasks)) if i not in is_done]
    progress(len(is_done), len(tasks))
    following = 0
    _stopped.discard(folder)
    try:
        if not ordered:
            yield from ((i, journal.results[first + i]) for i in kept)
        while ordered and following in is_done:
            yield following, journal.results[first + following]
            following += 1
        if not left:
            return
        running = run(executor, work, (tasks[i] for i in left), in_flight=in_flight, warm_up=warm_up)
        with contextlib.closing(running) as results:
            for place, result in results:
                number = left[place]
                journal.add(first + number, result)
                is_done.add(number)
                progress(len(is_done), len(tasks))
                if not ordered:
                    yield number, result
                while ordered and following in is_done:
                    yield following, journal.results[first + following]
                    following += 1
    except BaseException:
        _stopped.add(folder)
        raise


@contextlib.contextmanager
def ordered_results(
    executor: Executor | str,
    work: Callable[[Any], Any],
    make_tasks: Callable[[str], Sequence[Any]],
    description: Any,
    out: str,
    *,
    is_kept: Callable[[str, int], bool],
    in_flight: int,
    warm_up: Callable[[], object],
    progress: Callable[[int, int], object] = lambda done, total: None,
) -> Iterator[tuple[Path, Generator[tuple[int, Any]]]]:
    """Yield the folder ``OUT.parts`` and the results of tasks, in order, which are kept there as `finish` does.

    `make_tasks` is called with the folder, and `is_kept` with the folder and the number of a task. `description` is
    that of the journal. A folder in which nothing was done, for instance because an argument was wrong, is removed.
    """
    with contextlib.ExitStack() as stack:
        opened = stack.enter_context(open_executor(executor))
        folder = parts_folder(out).absolute()
        journal = stack.enter_context(Journal(folder / "journal", description))
        stack.push(lambda *_: None if journal.results else DISK.remove_tree(folder))
        running = finish(
            opened,
            work,
            make_tasks(str(folder)),
            journal,
            str(folder),
            is_kept=lambda number: is_kept(str(folder), number),
            ordered=True,
            in_flight=in_flight,
            warm_up=warm_up,
            progress=progress,
        )
        yield folder, stack.enter_context(contextlib.closing(running))
