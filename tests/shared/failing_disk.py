"""A disk that fails at one operation, and how to let work fail at each of its operations."""

import errno
import os
from collections.abc import Callable
from typing import Any, BinaryIO

from rookery.sources.disk import Disk


class FailingDisk(Disk):
    """A disk on which one operation fails: the one with the number `at`."""

    def __init__(self, at: int, error: int = errno.ENOSPC) -> None:
        self.at, self.error = at, error
        self.operations: list[str] = []

    def step(self, name: str) -> None:
        self.operations.append(name)
        if len(self.operations) - 1 == self.at:
            raise OSError(self.error, os.strerror(self.error))

    def open(self, *arguments: Any, **options: Any) -> BinaryIO:
        self.step("open")
        return super().open(*arguments, **options)

    def sync(self, file: BinaryIO) -> None:
        self.step("sync")
        super().sync(file)

    def lock(self, file: BinaryIO | int) -> bool:
        self.step("lock")
        return super().lock(file)

    def truncate(self, file: BinaryIO, size: int) -> None:
        self.step("truncate")
        super().truncate(file, size)

    def replace(self, *paths: Any) -> None:
        self.step("replace")
        super().replace(*paths)

    def link(self, *paths: Any) -> None:
        self.step("link")
        super().link(*paths)

    def copy_mode(self, *paths: Any) -> None:
        self.step("copy_mode")
        super().copy_mode(*paths)

    def remove(self, *paths: Any, **options: Any) -> None:
        self.step("remove")
        super().remove(*paths, **options)


def outcomes(act: Callable[[FailingDisk], None], check: Callable[[FailingDisk, OSError | None], None]) -> list[str]:
    """Act on disks that fail at the first operation, at the second and so on, and check each; return the operations."""
    for at in range(100):
        disk, raised = FailingDisk(at), None
        try:
            act(disk)
        except OSError as error:
            raised = error
        check(disk, raised)
        if len(disk.operations) <= at:
            return disk.operations
    raise AssertionError("the disk never worked")
