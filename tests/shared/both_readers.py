"""`rookery.read_pgn` and `rookery.pgn.read` on the same texts, leniently and strictly."""

import io
from collections.abc import Iterator
from typing import Literal, overload

import pytest

from rookery import Games, pgn, read_pgn
from rookery.aliases import GameErrors
from rookery.pgn import BadGame, Game, Source


def everything(text: bytes, *, strict: bool = False) -> Games:
    """All games with all that can be kept of them."""
    return read_pgn(text, strict=strict)


def printed(games: Games) -> list[Game | str]:
    """Each game, or what is wrong with it."""
    reasons = games.parse_errors
    return [game if reason is None else reason for game, reason in zip(games, reasons, strict=True)]


def read_by_the_small_one(text: bytes, *, strict: bool = False) -> list[Game | str]:
    """The same from the other reader."""
    return [str(game) if isinstance(game, BadGame) else game for game in _small(text, strict)]


def assert_agreement(text: bytes) -> None:
    """Check that both readers tell the same of a text: games, faults and warnings, leniently and strictly."""
    for strict in (False, True):
        games, small = everything(text, strict=strict), _small(text, strict)
        assert printed(games) == [str(game) if isinstance(game, BadGame) else game for game in small], text
        assert [str(warning) for warning in games.warnings] == [
            str(warning) for game in small for warning in game.warnings
        ], text
        assert not strict or not games.warnings


def _small(text: bytes, strict: bool) -> list[Game | BadGame]:
    lines = io.StringIO(text.decode("utf-8", "rookery-windows-1252"), newline=None)
    return list(pgn.read(lines, strict=strict))


@overload
def read(text: Source, *, errors: Literal["raise"], strict: bool = False) -> Iterator[Game]: ...
@overload
def read(text: Source, *, errors: GameErrors = "report", strict: bool = False) -> Iterator[Game | BadGame]: ...
def read(text: Source, *, errors: GameErrors = "report", strict: bool = False) -> Iterator[Game | BadGame]:
    """What `rookery.pgn.read` gives, after the compiled reader was found to say the same of the same text."""
    games = pgn.read(text, errors=errors, strict=strict)
    return _compared(text, games, errors, strict) if isinstance(text, str) else games


def _compared(text: str, games: Iterator[Game | BadGame], errors: str, strict: bool) -> Iterator[Game | BadGame]:
    data = text.encode("utf-8", "replace")
    if data.decode() != text:  # half a sign, which no file has
        return games
    assert_agreement(data)
    if errors == "raise":
        try:
            return iter(list(games))
        except ValueError as error:
            with pytest.raises(ValueError) as caught:  # noqa: PT011, the whole text is compared
                read_pgn(data, errors="raise", strict=strict)
            assert str(caught.value) == str(error)  # noqa: PT017
            raise
    return games
