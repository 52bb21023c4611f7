"""`Hits` and `HitCounts` as tables."""

import pickle
from typing import Any

import chess
import numpy as np
import pandas
import polars
import pyarrow as pa
import pytest

import rookery
from game_samples import SAMPLE
from rookery.games.search.counts import HitCounts
from rookery.games.search.hits import Hits
from rookery.positions.language.query import Query

QUERY = "attackers(us.king, by=them)"
OPTIONS: dict[str, Any] = {"headers": ["White", "WhiteElo"], "context": 2, "sort_by": "-ply"}


@pytest.fixture(scope="module")
def found() -> Hits:
    result = rookery.search(SAMPLE, QUERY, **OPTIONS)
    assert isinstance(result, Hits)
    return result


def test_pickling(found: Hits) -> None:
    for hits in (found, found[:0], rookery.read_pgn(SAMPLE).search(QUERY)):
        copy = pickle.loads(pickle.dumps(hits))
        assert copy.to_dict() == hits.to_dict()
        assert (list(copy.file), copy.game.tolist()) == (list(hits.file), hits.game.tolist())
    counts = HitCounts("WhiteElo")
    counts.add(found)
    copy = pickle.loads(pickle.dumps(counts))
    assert copy.to_dict() == counts.to_dict()
    copy.add(found)
    assert sum(count.hits for count in copy) == 2 * len(found)
    query = pickle.loads(pickle.dumps(rookery.Query(QUERY)))
    assert len(rookery.read_pgn(SAMPLE).search(query)) == len(found)


def test_rows(found: Hits) -> None:
    for i in (0, 5, len(found) - 1):
        hit = found[i]
        assert hit == found[i - len(found)]
        assert (hit.file, hit.number, hit.ply) == (str(SAMPLE), found.number[i], found.ply[i])
        assert hit.board.fen() == found.fens()[i]
        assert hit.headers["White"] == found["White"].tolist()[i]
        assert hit.headers["WhiteElo"] == str(found["WhiteElo"].tolist()[i])
        assert int(hit.squares) == found.squares[i] != 0
        assert hit.board.is_check()
    assert [hit.ply for hit in found] == found.ply.tolist()
    with pytest.raises(IndexError, match=f"index: {len(found)}"):
        found[len(found)]


def test_selections(found: Hits) -> None:
    mask = found.ply > 40
    rows = np.flatnonzero(mask)
    assert found[mask].to_dict() == found[rows].to_dict()
    assert found[mask].ply.tolist() == [ply for ply in found.ply.tolist() if ply > 40]
    assert found[::-1].fens() == found.fens()[::-1]
    assert found[[2, 2, 0]].ply.tolist() == [found.ply[i] for i in (2, 2, 0)]
    whole = Hits.concatenate([found[:7], found[7:]])
    assert whole.to_dict() == found.to_dict()
    assert list(whole.file) == list(found.file)


def test_tables(found: Hits) -> None:
    columns = found.to_dict()
    names = ["file", "number", "ply", "fen", "san", "uci", "squares", "White", "WhiteElo", "context", "value"]
    assert list(columns) == names
    assert found.to_arrow().to_pydict() == columns
    assert pa.table(found).to_pydict() == columns
    assert polars.DataFrame(found).to_dict(as_series=False) == columns
    assert found.to_polars().to_dict(as_series=False) == columns
    frame = found.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert frame["squares"].dtype == np.uint64
    assert frame["fen"].tolist() == columns["fen"]
    assert pa.table(found[:0]).schema == pa.table(found).schema


def test_ratings_are_numbers_in_tables() -> None:
    rows = [("2100", "+8"), ("?", ""), ("1e3", "-12"), ("99999999999999999999", "8")]
    games = (f'[WhiteElo "{elo}"]\n[WhiteRatingDiff "{diff}"]\n[Round "{elo}"]\n\n1. e4 *\n\n' for elo, diff in rows)
    wanted = ["WhiteElo", "WhiteRatingDiff", "Round"]
    found = rookery.read_pgn("".join(games).encode()).search("ply == 0", headers=wanted)
    columns = found.to_arrow().to_pydict()
    assert columns["WhiteElo"] == [2100, None, None, None]
    assert columns["WhiteRatingDiff"] == [8, None, -12, 8]
    assert columns["Round"] == [elo for elo, _ in rows]
    assert found["WhiteElo"].tolist() == columns["WhiteElo"]
    assert found[0].headers == {"WhiteElo": "2100", "WhiteRatingDiff": "+8", "Round": "2100"}
    types = {name: str(found.to_arrow().schema.field(name).type) for name in wanted}
    assert types == {"WhiteElo": "int16", "WhiteRatingDiff": "int16", "Round": "string"}


def test_texts(found: Hits) -> None:
    assert repr(found) == f"<{len(found)} hits>"
    assert repr(found[:1]) == "<1 hit>"
    hit = found[0]
    lines = str(hit).splitlines()
    assert len(lines) == 9
    assert f"game {hit.number}" in lines[0]
    assert str(hit.headers["White"]) in lines[0]
    marked = [line[1::2] for line in hit.drawing().splitlines()]
    squares = [
        "abcdefgh"[x] + "87654321"[y] for y, line in enumerate(marked) for x, sign in enumerate(line) if sign == "*"
    ]
    assert sorted(squares) == sorted(hit.squares.names())
    html = found._repr_html_()
    assert html.count("<svg") == 10
    assert f"{len(found)} hits" in html
    assert Hits.empty()._repr_html_().count("<svg") == 0


def test_a_null_move_is_not_the_end_of_the_game() -> None:
    hits = rookery.read_pgn(b"1. e4 -- 2. d4 *").search("ply >= 0", context=1)
    assert [hit.numbered_move() for hit in hits] == ["1. e4", "1... --", "2. d4", "2... end"]
    assert [hit.ended for hit in hits] == [False, False, False, True]
    assert [hit.context for hit in hits] == ["* e4", "e4 * --", "-- * d4", "d4 *"]
    assert hits.san().tolist() == ["e4", "--", "d4", ""]
    assert hits.uci().tolist() == ["e2e4", "0000", "d2d4", ""]
    assert Hits.from_arrow(hits.to_arrow()) == hits


def test_pictures_have_arrows_for_moves_that_were_asked_for() -> None:
    games = rookery.read_pgn(b"1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *")
    asked, castles = (games.search(query)[-1] for query in ('move.piece == "B"', "move.castles"))
    assert "arrow from f8 to c5" in asked.svg()
    assert "arrow from e1 to g1" in castles.svg()
    assert (asked.numbered_move(), castles.numbered_move()) == ("3... Bc5", "4. O-O")
    assert 'width="200"' in asked.svg(size=200)
    for query in ("ply == 5", "us.bishops and ply == 5", "all_squares & all_squares and ply == 5"):
        hit = games.search(query)[0]
        assert "arrow from" not in hit.svg()
        assert hit.svg().count("matched") == hit._repr_svg_().count("matched")
        assert ("matched" in hit.svg()) == ("*" in hit.drawing()) == query.startswith("us")


def test_counts(found: Hits) -> None:
    counts = HitCounts("WhiteElo")
    for part in (found[:9], found[9:]):
        counts.add(part[np.argsort(part.game, kind="stable")])
    assert len(counts) == len(set(found["WhiteElo"].tolist()))
    assert sum(count.hits for count in counts) == len(found)
    assert counts.to_dict()["hits"] == [count.hits for count in counts]
    assert repr(counts) == f"<{len(found)} hits by WhiteElo, {len(counts)} values>"
    with pytest.raises(ValueError, match="hits: ply: not known: expected hits of a search with group_by"):
        HitCounts("ply").add(found)
    missing = HitCounts("ECO")
    missing.add(rookery.read_pgn(b'1. e4 *\n\n[ECO "B01"]\n\n1. d4 *').search("ply == 0", headers=["ECO"]))
    assert [tuple(count) for count in missing] == [("B01", 1, 1), (None, 1, 1)]


@pytest.mark.parametrize("by", ["WhiteElo", "signature", "us.king", "count(us.pieces) > 12", "signature, WhiteElo"])
def test_counts_are_the_same_however_hits_are_divided(found: Hits, by: str) -> None:
    """Each hit is counted once, and each game once for a value; by loops over single hits."""
    hits = found[np.argsort(found.game, kind="stable")]
    if by == "WhiteElo":
        values = [hit.headers[by] for hit in hits]
    elif by == "signature, WhiteElo":
        elos = [hit.headers["WhiteElo"] for hit in hits]
        values = [f"{text}, {elo}" for text, elo in zip(hits.positions.signature().tolist(), elos, strict=True)]
    elif by == "us.king":
        values = [chess.square_name(board.to_chess(chess.Board).king(board.turn)) for board in hits.positions]
    else:
        values = list(map(str, Query(by).evaluate(hits.positions).tolist()))
    pairs = set(zip(hits.game.tolist(), values, strict=True))
    expected = {value: (values.count(value), sum(other == value for _, other in pairs)) for value in values}
    for size in (1, 3, 7, len(hits)):
        counts = HitCounts(by)
        for i in range(0, len(hits), size):
            counts.add(hits[i : i + size])
        assert {count.value: (count.hits, count.games) for count in counts} == expected
    whole, places = HitCounts(by), np.flatnonzero(np.diff(hits.game)) + 1
    for part in np.split(np.arange(len(hits)), places[::2]):  # whole games
        counted = whole.empty()
        counted.add(hits[part])
        whole.merge(counted)
    assert {count.value: (count.hits, count.games) for count in whole} == expected
    assert [tuple(count) for count in whole] == [tuple(count) for count in counts]
