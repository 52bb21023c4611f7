"""`Games.search`, compared with a search by python-chess."""

from typing import Any

import numpy as np
import pytest

import rookery
from game_samples import SAMPLE, ugly
from naive_search import CONDITIONS, Place, hits, places_of_text, random_games
from rookery.games.search import find
from rookery.games.search.hits import Hits

RANDOM_TEXT, RANDOM_PLACES = random_games(60, 23)
SAMPLE_PLACES = places_of_text(SAMPLE.read_text(encoding="utf-8"))
CORPUS = {
    "sample": (rookery.read_pgn(SAMPLE), SAMPLE_PLACES),
    "random": (rookery.read_pgn(RANDOM_TEXT.encode()), RANDOM_PLACES),
}
corpus = pytest.mark.parametrize(("games", "places"), CORPUS.values(), ids=CORPUS)


def rows(found: Hits) -> list[tuple[int, int, str]]:
    return list(zip(found.number.tolist(), found.ply.tolist(), found.fens(), strict=True))


def expected(places: list[Place]) -> list[tuple[int, int, str]]:
    return [place.row() for place in places]


@corpus
@pytest.mark.parametrize("query", CONDITIONS)
def test_hits(games: rookery.Games, places: list[Place], query: str) -> None:
    found = games.search(query)
    right = hits(places, query)
    assert rows(found) == expected(right)
    assert found.game.tolist() == [place.number - 1 for place in right]
    assert found.san().tolist() == [place.san() for place in right]
    assert (found.moves == 0).tolist() == [not place.move for place in right]


@corpus
def test_every_position_counts(games: rookery.Games, places: list[Place]) -> None:
    assert rows(games.search("ply >= 0")) == expected(places)
    assert len(games.search("ply < 0")) == 0
    assert len(games.search("no_squares")) == 0


@corpus
def test_limit_and_one_per_game(games: rookery.Games, places: list[Place]) -> None:
    right = hits(places, "is_check")
    firsts = list({place.number: place for place in reversed(right)}.values())[::-1]
    for limit in (0, 1, 2, 7, 1000):
        assert rows(games.search("is_check", limit=limit)) == expected(right)[:limit]
        found = games.search("is_check", limit=limit, one_per_game=True)
        assert rows(found) == expected(firsts)[:limit]


@corpus
def test_order(games: rookery.Games, places: list[Place]) -> None:
    right = sorted(hits(places, "is_check"), key=lambda place: -len(place.board.piece_map()))  # stable
    for limit in (None, 3):
        found = games.search("is_check", sort_by="count(occupied)", limit=limit)
        assert rows(found) == expected(right)[:limit]
        assert found.value is not None
        assert found.value.tolist() == [len(place.board.piece_map()) for place in right][:limit]
    firsts = games.search("is_check", sort_by="-ply", one_per_game=True)
    assert sorted(rows(firsts)) == rows(games.search("is_check", one_per_game=True))
    assert firsts.ply.tolist() == sorted(firsts.ply.tolist())


def test_missing_values_come_last() -> None:
    games = rookery.read_pgn(b"1. e4 {[%eval 0.3]} e5 2. Nf3 {[%eval -1]} *\n\n1. d4 {[%eval 2]} *")
    found = games.search("ply >= 0", sort_by="eval(white)")
    assert found.value is not None
    assert found.value[:3].tolist() == [2, pytest.approx(0.3), -1]
    assert np.isnan(found.value[3:]).all()
    assert len(found) == 6


@corpus
@pytest.mark.parametrize("n", [1, 3])
def test_context(games: rookery.Games, places: list[Place], n: int) -> None:
    found = games.search("is_check", context=n)
    sans = {(place.number, place.ply): place.san() for place in places}
    assert found.context is not None
    for place, context in zip(hits(places, "is_check"), found.context.tolist(), strict=True):
        before = [sans.get((place.number, place.ply + k), "") for k in range(-n, 0)]
        after = [sans.get((place.number, place.ply + k), "") for k in range(n)]
        assert context == " ".join(san for san in (*before, "*", *after) if san)


def test_headers() -> None:
    games, places = CORPUS["sample"]
    found = games.search("is_check", headers=["White", "WhiteElo", "Result", "UTCDate", "Annotator"])
    assert list(found.headers) == ["White", "WhiteElo", "Result", "UTCDate", "Annotator"]
    for i, place in enumerate(hits(places, "is_check")):
        game = games[place.number - 1]
        names = ("White", "WhiteElo", "Result", "UTCDate", "Annotator")
        assert found[i].headers == {name: game.headers.get(name) for name in names}
    odd = ugly().search("ply == 0", headers=["White", "WhiteElo", "Opening", "Event"])
    assert odd["White"].tolist()[:2] == ['Anna "A"', None]
    assert odd["WhiteElo"].tolist()[0] is None  # "?" is no rating


def test_slices_know_their_numbers() -> None:
    games, places = CORPUS["sample"]
    part = games[3:9]
    found = part.search("is_check")
    right = [place for place in hits(places, "is_check") if 4 <= place.number <= 9]
    assert rows(found) == expected(right)
    assert found.game.tolist() == [place.number - 4 for place in right]


@corpus
def test_threads_and_blocks_change_nothing(
    games: rookery.Games, places: list[Place], monkeypatch: pytest.MonkeyPatch
) -> None:
    options: dict[str, Any] = {"headers": ["White"], "context": 2, "sort_by": "mobility(us)"}
    whole = games.search("is_check", **options).to_dict()
    first = games.search("is_check", limit=9).to_dict()
    for size, part in ((1, 3), (50, 50), (50, 400), (1 << 20, 1 << 20)):
        monkeypatch.setattr(find, "SIZE", size)
        monkeypatch.setattr(find, "_FEW", part)
        monkeypatch.setattr(find, "_SHORTEST", part)
        for threads in (1, 2, 3):
            assert games.search("is_check", threads=threads, **options).to_dict() == whole
            assert games.search("is_check", threads=threads, limit=9).to_dict() == first


def test_queries_of_several_half_moves() -> None:
    games, places = CORPUS["sample"]
    checks = {(place.number, place.ply) for place in places if place.board.is_check()}
    ends: dict[int, int] = {}
    for place in places:
        ends[place.number] = place.ply
    firsts = {(number, min(ply for n, ply in checks if n == number)) for number, _ in checks}
    assert {(row[0], row[1]) for row in rows(games.search("first(is_check)"))} == firsts
    twice = {(number, ply) for number, ply in checks if (number, ply + 2) in checks}
    assert {(row[0], row[1]) for row in rows(games.search("is_check and next(is_check, 2)"))} == twice
    never = set(ends) - {number for number, _ in checks}
    assert {row[0] for row in rows(games.search("never(is_check)"))} == never


def test_no_games() -> None:
    found = rookery.read_pgn(b"").search("is_check", headers=["White"], context=2, sort_by="ply", threads=2)
    assert len(found) == 0
    assert found.to_arrow().column_names[-3:] == ["White", "context", "value"]
    assert rookery.read_pgn(b"*").search("ply == 0").number.tolist() == [1]


def test_bad_games_are_searched_up_to_the_fault() -> None:
    text = "1. e4 e5 2. Ke5 d5 *\n\n1. e4 d5 2. exd5 *\n"
    games = rookery.read_pgn(text.encode())
    places = [*places_of_text("1. e4 e5 *"), *[p._replace(number=2) for p in places_of_text("1. e4 d5 2. exd5 *")]]
    assert rows(games.search("ply >= 0")) == expected(places)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"query": "count(us)"}, ValueError, "query: count\\(us\\): expected a condition or a set"),
        ({"query": 5}, TypeError, "query: 5: expected a text"),
        ({"headers": "White"}, TypeError, "headers: 'White': expected a list of names"),
        ({"headers": [5]}, TypeError, r"headers\[0\]: 5: expected the name of a header"),
        ({"limit": -1}, ValueError, "limit: -1"),
        ({"context": 1001}, ValueError, "context: 1001"),
        ({"one_per_game": 1}, TypeError, "one_per_game: 1"),
        ({"sort_by": "is_check"}, ValueError, "sort_by: is_check: expected a number, not a condition"),
        ({"threads": 0}, ValueError, "threads: 0"),
    ],
)
def test_wrong_arguments(options: dict[str, Any], error: type[Exception], message: str) -> None:
    games, _ = CORPUS["sample"]
    with pytest.raises(error, match=message):
        games.search(**({"query": "is_check"} | options))


def test_the_context_has_a_limit() -> None:
    games = rookery.read_pgn(b"1. e4 e5 *")
    assert games.search("ply == 1", context=1000)[0].context == "e4 * e5"
    with pytest.raises(ValueError, match=r"^context: 1001: expected .*1,?000"):
        games.search("ply == 1", context=1001)
    with pytest.raises(ValueError, match=r"^context: -1"):
        games.search("ply == 1", context=-1)
