"""The commands, called in this process, and what they print."""

import json
from typing import Any

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
