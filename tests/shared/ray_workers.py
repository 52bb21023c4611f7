"""The worker processes of a local Ray that this process has started, and how to kill one."""

import contextlib
import os
import random
import signal
import time
from pathlib import Path

_NAMES = ("ray::_call", "ray::IDLE")  # and not its agents, without which Ray ends


def _status(pid: int) -> tuple[int, str]:
    """Return the parent of a process and its command line; (0, "") if it has ended."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
        command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
    except OSError:
        return 0, ""
    return int(stat.rpartition(")")[2].split()[1]), command


def ray_workers() -> list[int]:
    """Return the processes of the workers, which are grandchildren of this process; Ray names them after their task."""
    found = {int(path.name): _status(int(path.name)) for path in Path("/proc").iterdir() if path.name.isdecimal()}
    own = {pid for pid, (parent, _) in found.items() if parent == os.getpid()}
    return [pid for pid, (parent, command) in found.items() if parent in own and command.startswith(_NAMES)]


def kill_one() -> None:
    """Kill a worker, one that runs a task if there is any; Ray starts another. If none is left, wait for the next."""
    until = time.monotonic() + 60
    while True:
        workers = ray_workers()
        busy = [pid for pid in workers if not _status(pid)[1].startswith("ray::IDLE")]
        if workers:
            with contextlib.suppress(ProcessLookupError):  # it has ended meanwhile
                os.kill(random.choice(busy or workers), signal.SIGKILL)
                return
        assert time.monotonic() < until, "Ray has had no worker for a minute"
        time.sleep(0.05)
