"""Games that occur several times, compared with loops over all pairs."""

import unicodedata
from typing import Any

import numpy as np
import pyarrow
import pytest

from game_samples import SAMPLE
from meeting_games import made_games
from rookery import Games, read_pgn
from rookery.games.methods import duplicates
from rookery.games.methods.duplicates import DuplicateFinder, words_of
from thinning import few

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
@pytest.mark.parametrize("min_plies", few([0, 1, 4], 1))
def test_all_pairs(games: Games, headers: bool, prefixes: bool, min_plies: int) -> None:
    expected = naive(games, headers, prefixes, min_plies)
    assert games.duplicates(headers=headers, prefixes=prefixes, min_plies=min_plies) == expected
    assert len(expected) > 2 or headers
    dropped = {i for group in expected for i in group[1:]}
    unique = games.unique(headers=headers, prefixes=prefixes, min_plies=min_plies)
    assert unique == games[[i for i in range(len(games)) if i not in dropped]]
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
    different = {(facts(games, i, False), games.moves[i].tobytes()) for i in range(len(games))}
    assert len(games.unique(min_plies=0)) == len(different)


BAD = (
    b"1. d4 Nf6 2. c4 Sc6 1-0",
    b"1. d4 Nf6 2. c4 Sc5 1-0",
    b"1. d4 Nf6 2. c4 {not closed",
    b"1. d4 Nf6 2. c4 (2. Nf3 *",
    b'[Result "1-0"]\n\n1. d4 Nf6 2. c4 0-1',
    b'[FEN "no position"]\n\n1. d4 Nf6 2. c4 *',
    b"1. xy *",
)


@pytest.mark.parametrize("texts", [False, True])
def test_bad_games_are_duplicates_only_if_their_bytes_are_the_same(texts: bool) -> None:
    good = (b"1. d4 Nf6 2. c4 *", b"1. d4 *", b"1. d4 Nf6 2. c4 e6 *")
    all_games = [b'[Event "x"]\n' + (text if text[:1] == b"[" else b"\n" + text) for text in (*BAD, *good, *BAD[:2])]
    games = read_pgn(b"\n\n".join(all_games) + b"\n", texts=texts)
    assert games.is_bad.sum() == len(BAD) + 2
    assert games.duplicates() == [[0, 10], [1, 11]]
    assert games.duplicates(prefixes=True) == [[0, 10], [1, 11], [9, 7, 8]]
    assert games.unique().numbers.tolist() == list(range(1, 11))
    # As rows of a column, where blank lines do not tell games apart, and as a table.
    rows = read_pgn(pyarrow.array([text.decode() for text in all_games]))
    assert rows.duplicates() == [[0, 10], [1, 11]]
    assert Games.from_arrow(games.to_arrow()).duplicates() == [[0, 10], [1, 11]]


def test_bad_games_of_files_cut_short_and_of_other_line_breaks() -> None:
    text = b'[White "Anna"]\n\n1. d4 Sf6 *\n\n'
    games = read_pgn(text + text.replace(b"\n", b"\r\n") + text)
    assert games.duplicates() == [[0, 2]]
    column = read_pgn(pyarrow.table({"movetext": ["1. e4 * 1. e4 *", "1. e4 * 1. d4 *", "1. e4 * 1. e4 *"]}))
    assert column.duplicates() == [[0, 2]]
    old = games.to_arrow()
    place = old.schema.get_field_index("fault")
    faults = [None if fault is None else {**fault, "digest": ""} for fault in old["fault"].to_pylist()]
    old = old.set_column(place, "fault", pyarrow.array(faults, old.schema.field("fault").type))
    assert Games.from_arrow(old).duplicates() == []  # nobody knows their bytes


def test_games_of_one_move_order_and_different_headers() -> None:
    texts = [
        '[White "A"]\n[Black "B"]\n[Date "1886.??.??"]\n[Result "1-0"]',
        '[White "A"]\n[Black "B"]\n[Date "1886.05.??"]\n[Result "1-0"]',
        '[White "A"]\n[Black "B"]\n[Date "1886.??.??"]\n[Result "0-1"]',
        '[White "A"]\n[Black "C"]\n[Date "1886.??.??"]\n[Result "1-0"]',
        '[White "A"]\n[Black "B"]\n[Date "1886"]\n[Result "1-0"]',
        '[White "A"]\n[Black "B"]\n[Date "????.05.??"]\n[Result "1-0"]',
        '[White "A"]\n[Black "B"]\n[Date "1886.6.??"]\n[Result "1-0"]',
    ]
    games = read_pgn("\n\n".join(f"{text}\n\n1. e4 {{comment {i}}} e5" for i, text in enumerate(texts)).encode())
    assert not games.is_bad.any()
    assert games.duplicates() == [[0, 1, 2, 3, 4, 5, 6]]
    assert games.duplicates(headers=True) == [[0, 4]]
    assert games.unique(headers=True).numbers.tolist() == [1, 2, 3, 4, 6, 7]


def test_headers_that_were_not_read() -> None:
    with pytest.raises(ValueError, match="headers: Black: not read: expected columns White and Black"):
        read_pgn(b"1. e4 *", headers=["White", "Date"]).duplicates(headers=True)
    with pytest.raises(ValueError, match="headers: UTCDate and Date: not read"):
        read_pgn(b"1. e4 *", headers=["White", "Black"]).unique(headers=True)


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
