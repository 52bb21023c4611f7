"""The compiled reader and the small one of `rookery.rules.pgn`, asked the same."""

import io
from collections.abc import Iterator
from typing import Literal, overload

import pytest

from rookery import Games, read_pgn
from rookery.rules import pgn
from rookery.rules.pgn import BadGame, Game, Source


def everything(text: bytes) -> Games:
    """All games with all that can be kept of them."""
    return read_pgn(text, headers="all", comments=True, nags=True, variations=True)


def told(games: Games) -> list[Game | str]:
    """Each game, or what is wrong with it."""
    reasons = games.parse_errors
    return [game if reason is None else reason for game, reason in zip(games, reasons, strict=True)]


def told_by_the_small_one(text: bytes) -> list[Game | str]:
    """The same from the other reader."""
    lines = io.StringIO(text.decode("utf-8", "rookery-windows-1252"), newline=None)
    return [str(game) if isinstance(game, BadGame) else game for game in pgn.read(lines)]


@overload
def read(text: Source, *, errors: Literal["raise"]) -> Iterator[Game]: ...
@overload
def read(text: Source, *, errors: str = "report") -> Iterator[Game | BadGame]: ...
def read(text: Source, *, errors: str = "report") -> Iterator[Game | BadGame]:
    """What `rookery.pgn.read` gives, after the compiled reader was found to say the same of the same text."""
    games = pgn.read(text, errors=errors)
    return _compared(text, games, errors) if isinstance(text, str) else games


def _compared(text: str, games: Iterator[Game | BadGame], errors: str) -> Iterator[Game | BadGame]:
    data = text.encode("utf-8", "replace")
    if data.decode() != text:  # half a sign, which no file has
        return games
    if errors == "raise":
        try:
            good = list(games)
        except ValueError as error:
            with pytest.raises(ValueError) as caught:  # noqa: PT011, the whole text is compared
                read_pgn(data, errors="raise")
            assert str(caught.value) == str(error)  # noqa: PT017
            raise
        assert told(everything(data)) == good
        return iter(good)
    found = list(games)
    assert told(everything(data)) == [str(game) if isinstance(game, BadGame) else game for game in found]
    return iter(found)
