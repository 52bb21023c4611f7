"""Files of games as arguments of commands: names, patterns and standard input."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click


class StandardInput:
    """Standard input, under the name that messages use."""

    name = "standard input"

    def read(self, size: int = -1) -> bytes:
        """Read up to `size` bytes."""
        data: bytes = sys.stdin.buffer.read(size)
        return data


def opened(name: str) -> "str | Path | StandardInput":
    """Return what readers take for a name on the command line."""
    from rookery.sources.stores import is_remote

    if name == "-":
        return StandardInput()
    return name if is_remote(name) else Path(name)


def size_of(name: str) -> int | None:
    """Return the size of a file in bytes, or None if it is not known."""
    from rookery.sources import stores

    if stores.is_remote(name) or (name != "-" and Path(name).is_file()):
        return stores.size_of(name)
    return None


def total_size(names: Iterable[str]) -> int | None:
    """Return the size of several files in bytes, or None if one is not known."""
    sizes = [size_of(name) for name in names]
    return None if None in sizes else sum(size or 0 for size in sizes)


def bad_games(bad: int) -> str:
    """Return the message for bad games."""
    return f"{bad:,} bad {'game' if bad == 1 else 'games'}: rookery games --errors FILE lists all"


class Sources(click.Path):
    """The type of an argument that names a file of games, perhaps of a store, or a pattern that files match."""

    def __init__(self) -> None:
        super().__init__(exists=True, dir_okay=False, allow_dash=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the files."""
        from rookery.sources.stores import is_remote
        from rookery.sources.streams import expanded

        if value == "-" or is_remote(value):
            return [value]
        try:
            return [super(Sources, self).convert(name, param, ctx) for name in expanded(value)]
        except OSError as error:
            self.fail(f"{value!r}: {error.strerror}", param, ctx)
