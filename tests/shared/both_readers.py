"""The compiled reader and the small one of `rookery.rules.pgn`, asked the same."""

import io

from rookery import Games, read_pgn
from rookery.rules.pgn import BadGame, Game, read


def everything(text: bytes) -> Games:
    """All games with all that can be kept of them."""
    return read_pgn(text, headers="all", comments=True, nags=True, variations=True)


def told(games: Games) -> list[Game | str]:
    """Each game, or what is wrong with it."""
    reasons = games.parse_errors
    return [game if reason is None else reason for game, reason in zip(games, reasons, strict=True)]


def told_by_the_small_one(text: bytes) -> list[Game | str]:
    """The same from the other reader."""
    lines = io.StringIO(text.decode("utf-8", "rookery-latin-1"), newline=None)
    return [str(game) if isinstance(game, BadGame) else game for game in read(lines)]
