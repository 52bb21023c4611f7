"""A Dask cluster of two worker processes on this machine, started with the commands of Dask, and how to kill them."""

import random
import socket
import subprocess
import sys
from pathlib import Path

import slow_counts


def free_port() -> int:
    """Return a port of this machine that nothing listens at."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


class Cluster:
    """A Dask scheduler on loopback and two worker processes, each of which is replaced if it is killed."""

    def __init__(self, folder: Path) -> None:
        port = free_port()
        self.address = f"tcp://127.0.0.1:{port}"
        self._folder = folder
        self._scheduler = self._start("scheduler", "--port", str(port), "--no-dashboard")
        self.workers = [self._worker(), self._worker()]

    def _start(self, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", *arguments, "--host", "127.0.0.1"]
        return subprocess.Popen(
            command, cwd=self._folder, env=slow_counts.ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def _worker(self) -> subprocess.Popen[bytes]:
        options = ("--nthreads", "1", "--nworkers", "1", "--no-nanny", "--no-dashboard")
        return self._start("worker", self.address, *options)

    def kill_one(self) -> None:
        """Kill a worker, and start another."""
        i = random.randrange(2)
        self.workers[i].kill()
        self.workers[i].wait()
        self.workers[i] = self._worker()

    def kill_scheduler(self) -> None:
        """Kill the scheduler."""
        self._scheduler.kill()
        self._scheduler.wait()

    def close(self) -> None:
        """Stop everything."""
        for process in (*self.workers, self._scheduler):
            process.kill()
            process.wait()
