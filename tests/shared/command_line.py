"""The commands, called in this process, and what they print."""

import json
from collections.abc import Iterator
from typing import Any

import click
from click.testing import CliRunner, Result

from rookery.cli import main
from rookery.counting.walk import POSITIONS

KIWIPETE = POSITIONS["kiwipete"]


def run(*arguments: str, status: int = 0) -> Result:
    """A command's output, its exit status checked."""
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == status, result.output + str(result.exception)
    return result


def document(*arguments: str, status: int = 0) -> Any:
    """What a command prints with ``--json``."""
    return json.loads(run(*arguments, "--json", status=status).stdout)


def commands_of(
    group: click.Group = main, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """All commands, with their names after ``rookery``; those that a group imports on first use, too."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands_of(command, (*path, name))
        elif command is not None:
            yield (*path, name), command
