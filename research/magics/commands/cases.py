"""The pieces and squares that a command of the laboratory is limited to."""

from collections.abc import Callable
from typing import Any

import click


def case_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options --piece and --square to a command; without them it works on all 128 cases."""
    square = click.option("--square", help="One square only, like e4.")
    return click.option("--piece", type=click.Choice(["rook", "bishop"]), help="One piece only.")(square(command))
