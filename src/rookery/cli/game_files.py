"""Files of games as arguments of commands: names, patterns and standard input."""

import sys
from typing import Any

import click


class StandardInput:
    """Standard input, under the name that messages use."""

    name = "standard input"

    def read(self, size: int = -1) -> bytes:
        """Read up to `size` bytes."""
        data: bytes = sys.stdin.buffer.read(size)
        return data


class Sources(click.Path):
    """The type of an argument that names a file of games, or a pattern that files match."""

    def __init__(self) -> None:
        super().__init__(exists=True, dir_okay=False, allow_dash=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the files."""
        from rookery.games.sources.streams import expanded

        if value == "-":
            return [value]
        try:
            return [super(Sources, self).convert(name, param, ctx) for name in expanded(value)]
        except OSError as error:
            self.fail(f"{value!r}: {error.strerror}", param, ctx)
