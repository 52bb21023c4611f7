"""A question that both sides can ask, and the comparison of their answers."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rookery import Query, read_pgn
from rookery.games.positions.game_positions import GamePositions


class Question(NamedTuple):
    """A question: its name at the judge, the question in words, and the query that asks it.

    `verdict` explains an answer that differs from the judge's.
    """

    name: str
    text: str
    query: str
    verdict: str = ""


def positions_of(source: Path | bytes) -> GamePositions:
    """Return all positions of the games of a PGN file, the last of each game included."""
    return read_pgn(source).positions("all")


def games_found(positions: GamePositions, query: str) -> set[int]:
    """Return the numbers of the games with a position for which a query holds, from 0."""
    return set(np.unique(positions.where(Query(query)).game).tolist())


def compared(theirs: Iterable[Any], ours: Iterable[Any]) -> dict[str, int]:
    """Return how many answers each side gives, and how many both give."""
    there, here = set(theirs), set(ours)
    return {"theirs": len(there), "ours": len(here), "both": len(there & here)}
