"""The worker processes of a local Ray that this process has started, and how to kill one."""

import os
import random
import signal
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
    """Kill a worker, one that runs a task if there is any; Ray starts another."""
    workers = ray_workers()
    busy = [pid for pid in workers if not _status(pid)[1].startswith("ray::IDLE")]
    os.kill(random.choice(busy or workers), signal.SIGKILL)
