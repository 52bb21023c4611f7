"""Games that occur several times, compared with loops over all pairs."""

import unicodedata
from typing import Any

import numpy as np
import pytest

from game_samples import SAMPLE
from meeting_games import made_games
from rookery import Games, read_pgn
from rookery.games import duplicates
from rookery.games.duplicates import DuplicateFinder, words_of

PLAYERS = ("Réti, Richard", "richard reti", "Tal", "TAL.", "?")


def with_players(text: str) -> str:
    """Give each game two players, spelt in several ways."""
    games = text.split("\n\n[")
    named = [f'White "{PLAYERS[i % 5]}"]\n[Black "{PLAYERS[i % 3]}"]\n[{game}' for i, game in enumerate(games)]
    return "[" + "\n\n[".join(named).removeprefix("[")


@pytest.fixture(scope="module")
def games() -> Games:
    fens = ["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 5 1", "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1"]
    other_starts = "".join(
        f'[FEN "{fen}"]\n\n1. Kd1 *\n\n' if i < 2 else f'[FEN "{fen}"]\n\n*\n\n' for i, fen in enumerate(fens)
    )
    return read_pgn((made_games(250, 3) + "\n\n" + other_starts * 2).encode())


def naive_name(name: str | None) -> list[str]:
    letters = [c for c in unicodedata.normalize("NFD", name or "") if unicodedata.category(c) != "Mn"]
    return sorted("".join(c.lower() if c.isalpha() or c.isdigit() else " " for c in letters).split())


def facts(games: Games, i: int, headers: bool) -> tuple[Any, ...]:
    """What must be equal besides the moves: the start and, if they count, headers."""
    start = (games.board(i).fen(),)
    if not headers:
        return start
    names = [naive_name(games[name][i]) for name in ("White", "Black")]
    return (*start, *names, str(games.date[i]), games.results[i])


def naive(games: Games, headers: bool, prefixes: bool, min_plies: int) -> list[list[int]]:
    moves, known = games.moves, [facts(games, i, headers) for i in range(len(games))]
    kept: dict[int, list[int]] = {}
    for i in range(len(games)):
        if games.plies[i] < min_plies:
            continue
        alike = [k for k in range(len(games)) if known[k] == known[i] and games.plies[k] >= min_plies]
        alike = [k for k in alike if moves[k][: games.plies[i]].tolist() == moves[i].tolist()]
        if not prefixes:
            alike = [k for k in alike if games.plies[k] == games.plies[i]]
        longest = max(games.plies[k] for k in alike)
        kept.setdefault(next(k for k in alike if games.plies[k] == longest), []).append(i)
    groups = [[first, *(i for i in group if i != first)] for first, group in kept.items() if len(group) > 1]
    return sorted(groups, key=min)


@pytest.mark.parametrize("headers", [False, True])
@pytest.mark.parametrize("prefixes", [False, True])
@pytest.mark.parametrize("min_plies", [0, 1, 4])
def test_all_pairs(games: Games, headers: bool, prefixes: bool, min_plies: int) -> None:
    expected = naive(games, headers, prefixes, min_plies)
    assert games.duplicates(headers=headers, prefixes=prefixes, min_plies=min_plies) == expected
    assert len(expected) > 2 or headers
    finder = DuplicateFinder(headers=headers, prefixes=prefixes, min_plies=min_plies)
    parts = [games[a : a + 60] for a in range(0, len(games), 60)]
    for read in (finder.add, *([finder.add_prefixes] if prefixes else []), finder.confirm):
        for part in parts:
            read(part)
    assert finder.groups() == expected


def test_players_in_several_spellings() -> None:
    games = read_pgn(with_players(made_games(120, 4)).encode())
    assert set(games["White"]) == set(PLAYERS)
    assert games.duplicates(headers=True, prefixes=True) == naive(games, True, True, 1)
    assert games.duplicates(headers=True) == naive(games, True, False, 1) != games.duplicates()


@pytest.mark.parametrize("prefixes", [False, True])
def test_hashes_that_collide_do_not_make_games_the_same(
    games: Games, monkeypatch: pytest.MonkeyPatch, prefixes: bool
) -> None:
    monkeypatch.setattr(type(games.moves), "hash", lambda self, plies=None: np.zeros(len(self), np.uint64))
    monkeypatch.setattr(duplicates, "start_hashes", lambda columns: np.zeros(len(columns), np.uint64))
    if not prefixes:
        assert games.duplicates() == naive(games, False, False, 1)
    assert len(games.unique()) == len({(facts(games, i, False), games.moves[i].tobytes()) for i in range(len(games))})


def test_names_of_players() -> None:
    assert words_of("Carlsen, Magnus") == words_of("MAGNUS  carlsen") == "carlsen magnus"
    assert words_of("Nepomniachtchi,I") != words_of("Nepomniachtchi")
    assert words_of("?") == words_of("") == ""


def test_no_games_and_no_duplicates() -> None:
    assert read_pgn(b"").duplicates(prefixes=True) == []
    assert read_pgn(SAMPLE).duplicates(prefixes=True, min_plies=5) == []
    with pytest.raises(ValueError, match="min_plies: -1"):
        read_pgn(b"").duplicates(min_plies=-1)


def test_passes_that_do_not_fit() -> None:
    finder, games = DuplicateFinder(), read_pgn(b"1. e4 *\n\n1. e4 *")
    finder.add(games[:1])
    with pytest.raises(ValueError, match="games: 2 in this pass: expected the 1 of the first one"):
        finder.confirm(games)
