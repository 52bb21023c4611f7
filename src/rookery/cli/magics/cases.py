"""The pieces and squares that a command is limited to."""

from collections.abc import Callable
from typing import Any

import click


def case_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options --piece and --square to a command; without them it works on all 128 cases."""
    square = click.option("--square", help="One square only, like e4.")
    return click.option("--piece", type=click.Choice(["rook", "bishop"]), help="One piece only.")(square(command))


def wanted_cases(piece: str | None, square: str | None) -> list[tuple[str, int]]:
    """Return the cases of the named piece and square, or all 128."""
    from rookery.bitboards.squares import parse_square
    from rookery.magics.forms import all_squares

    only = None if square is None else parse_square(square)
    return [(p, s) for p, s in all_squares() if piece in (None, p) and only in (None, s)]
