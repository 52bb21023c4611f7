"""`pgn_to_parquet`: files of games become one Parquet file, on any executor, and interrupted work goes on."""

import os
import warnings
from collections.abc import Callable, Iterable
from typing import Any

from rookery.aliases import PgnErrors
from rookery.arguments import callback, check_path, count, flag
from rookery.games.interchange.parquet import ROW_GROUP, write_parquet
from rookery.games.read.on_executor import JobScan
from rookery.games.read.options import ReadOptions
from rookery.games.read.reader import checked_source, work_of
from rookery.sources import files
from rookery.sources.failures import DamagedFileWarning
from rookery.sources.ranges import paths_for_tasks
from rookery.tasks.interface import Executor


def pgn_to_parquet(
    source: Any,
    path: str | os.PathLike[str],
    *,
    headers: Iterable[str] | str | None = None,
    clocks: bool = True,
    comments: bool = True,
    nags: bool = True,
    variations: bool = True,
    where: str | None = None,
    texts: bool = False,
    encoding: str | None = None,
    letters: str | None = None,
    names: Any = None,
    errors: PgnErrors = "keep",
    strict: bool = False,
    row_group_size: int = ROW_GROUP,
    executor: Executor | str | None = None,
    threads: int = 1,
    progress: Callable[[int, int], object] | None = None,
    force: bool = False,
) -> int:
    r"""Write the games of files to a Parquet file, and return their number. Interrupted work goes on.

    `source` is a path, a pattern or a list of these, and the options are those of `scan_pgn` and `write_parquet`. The
    file is the one that ``write_parquet(scan_pgn(source, ...), path)`` writes, byte for byte.

    Tasks read 32 MiB of PGN each, in `threads` threads or on `executor`, as `rookery.perft` takes it; workers see the
    files under the same names. Plain PGN, zstd files of several frames, Parquet and Arrow files are divided into tasks.
    Any other file is one task of an executor; in threads, it is read from its beginning to its end. The games that
    tasks have read are kept in the folder ``PATH.parts`` until the file is complete. After Ctrl-C, a crash or a full
    disk the same call goes on from there. Games that tasks of other work have read are refused, unless `force` removes
    them. `progress` is called with the bytes of the files that are done and of all.

    A wrong argument raises ValueError or TypeError, a file that cannot be read or written OSError. If a file is
    damaged, the games before the damage are written, and a `DamagedFileWarning` says so.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "games.parquet"
    >>> pgn_to_parquet("docs/lichess-2025-05.pgn.zst", path, where="WhiteElo > 1500", threads=2)
    5
    """
    row_group_size = count("row_group_size", row_group_size, 1)
    check_path("path", path)
    files.check_place("path", path)
    report = callback("progress", progress)
    flag("force", force)
    options = ReadOptions.among(locals())
    work_of([], options)  # refuses a condition that is wrong
    sources = checked_source(source)
    paths_for_tasks(sources)
    with JobScan(sources, options, executor, path, progress=report, force=force) as scan:
        written = write_parquet(scan, path, row_group_size=row_group_size)
    scan.discard()
    for failure in scan.failures:
        warnings.warn(DamagedFileWarning(str(failure)), stacklevel=2)
    return written
