"""`scan` and `Plan`, judged by python-chess on real games."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pyarrow as pa
import pytest

import rookery
from rookery import scan
from rookery.data.plans.steps import Choose

GAMES = Path("tests/samples/lichess-2025-05.pgn")


def games() -> Iterator[chess.pgn.Game]:
    """Yield the games as python-chess reads them."""
    text = io.StringIO(GAMES.read_text("utf-8"))
    while (game := chess.pgn.read_game(text)) is not None:
        yield game


def elo(game: chess.pgn.Game, name: str) -> int | None:
    text = game.headers.get(name, "?")
    return int(text) if text.isdigit() else None


def expected() -> Iterator[dict[str, Any]]:
    """Yield a row for each position of each game, the last one of each, too."""
    for number, game in enumerate(games(), 1):
        node: chess.pgn.GameNode | None = game
        nodes = list(game.mainline())
        clocks: dict[bool, float | None] = {True: None, False: None}
        for ply, node in enumerate([game, *nodes]):
            board = node.board()
            if ply:
                clocks[not board.turn] = node.clock()
            score = node.eval() if ply else None
            following = nodes[ply] if ply < len(nodes) else None
            own = None if score is None else score.pov(board.turn)
            pawns = None if own is None or own.is_mate() else own.score() / 100  # type: ignore[operator]
            result = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}.get(game.headers["Result"])
            yield {
                "number": number,
                "game": number - 1,
                "ply": ply,
                "fen": board.fen(),
                "move": following.move.uci() if following else None,
                "san": board.san(following.move) if following else None,
                "WhiteElo": elo(game, "WhiteElo"),
                "Opening": game.headers.get("Opening"),
                "clock": clocks[board.turn],
                "pawns": pawns,
                "check": board.is_check(),
                "result": None if result is None else result if board.turn else 1 - result,
            }


COLUMNS = ("number", "game", "ply", "fen", "move", "san=move.san", "WhiteElo", "Opening", "clock", "check=is_check")


def test_columns_are_those_of_python_chess() -> None:
    rows = list(expected())
    table = scan(GAMES).select(*COLUMNS, "result", pawns="eval").collect()
    found = table.to_pylist()
    assert len(found) == len(rows)
    for row, right in zip(found, rows, strict=True):
        if right["pawns"] is None:  # python-chess has no pawns for a mate
            assert row["pawns"] is None or abs(row["pawns"]) > 900
        else:
            assert row["pawns"] == pytest.approx(right["pawns"], abs=1e-5)
        assert {**row, "pawns": None} == {**right, "pawns": None}


@pytest.mark.parametrize(
    ("query", "options"),
    [
        ("is_check", {}),
        (None, {"every": 3}),
        ("is_check", {"every": 2, "from_ply": 10, "to_ply": 61}),
        ("next(is_check)", {"every": 2}),
    ],
)
def test_positions_are_those_that_were_chosen(query: str | None, options: dict[str, int]) -> None:
    rows = list(expected())

    def holds(i: int) -> bool:
        if query == "next(is_check)":
            return i + 1 < len(rows) and rows[i + 1]["ply"] > rows[i]["ply"] and rows[i + 1]["check"]
        return query is None or rows[i]["check"]

    step, first, last = options.get("every", 1), options.get("from_ply", 0), options.get("to_ply", 1 << 20)
    right = [
        (row["number"], row["ply"])
        for i, row in enumerate(rows)
        if row["ply"] % step == 0 and first <= row["ply"] <= last and holds(i)
    ]
    table = scan(GAMES).positions(query, **options).select("number", "ply").collect()
    assert list(zip(*table.to_pydict().values(), strict=True)) == right
    assert right


def test_where_chooses_games() -> None:
    right = [n for n, game in enumerate(games(), 1) if (elo(game, "WhiteElo") or 0) > 1500 and elo(game, "BlackElo")]
    for plan in (scan(GAMES, where="WhiteElo > 1500 and BlackElo > 0"), scan(GAMES, where="WhiteElo > 1500")):
        table = plan.where("BlackElo > 0").select("number", "game").collect()
        assert table["number"].unique().to_pylist() == right
        assert table["game"].unique().to_pylist() == list(range(len(right)))


def test_a_sample_depends_on_the_seed_alone() -> None:
    plan = scan(GAMES).select("number", "ply")
    whole = set(map(tuple, zip(*plan.collect().to_pydict().values(), strict=True)))
    picked = [
        set(zip(*plan_of.collect(threads=n).to_pydict().values(), strict=True))
        for plan_of, n in [
            (scan(GAMES).positions(sample=0.25, seed=seed).select("number", "ply"), n)
            for seed in (0, 1)
            for n in (1, 2)
        ]
    ]
    assert picked[0] == picked[1] != picked[2] == picked[3]
    assert picked[0] < whole
    assert 0.15 < len(picked[0]) / len(whole) < 0.35
    assert scan(GAMES).positions(sample=0).collect().num_rows == 0
    assert scan(GAMES).positions(sample=1).collect().num_rows == len(whole)


def test_a_plan_is_immutable_and_reads_nothing() -> None:
    plan = scan([GAMES, GAMES])
    longer = plan.positions("is_check")
    assert repr(plan) != repr(longer)
    assert (
        longer.select("ply").collect().num_rows
        == 2 * scan(GAMES).positions("is_check").select("ply").collect().num_rows
    )
    assert plan._with(Choose(None, 2, 0, None, None, 0)) is not plan


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: scan(GAMES).positions("count(us.pawns)"), "a condition or a set"),
        (lambda: scan(GAMES).positions(every=0), "every: 0"),
        (lambda: scan(GAMES).positions(sample=2), "sample: 2: expected a share"),
        (lambda: scan(GAMES).select(), "no columns"),
        (lambda: scan(GAMES).select("ply", ply="fen"), "'ply': named twice"),
        (lambda: scan(GAMES).select("ply").select("fen"), "select: comes twice"),
        (lambda: scan(GAMES).select("colour").collect(), "colour"),
        (lambda: scan([]), "no files"),
        (lambda: scan(GAMES).where("WhitElo > 3").collect(), "WhiteElo"),
    ],
)
def test_wrong_arguments_are_named(make: Any, words: str) -> None:
    with pytest.raises((ValueError, TypeError), match=words):
        make()


def test_lines_keep_their_columns(tmp_path: Path) -> None:
    file = tmp_path / "lines.csv"
    file.write_text("id,fen\n1,4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n2,4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\n")
    assert scan(file).positions("us.rooks").collect().to_pylist() == [
        {"id": 2, "fen": "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"}
    ]
    assert scan(file).select("legal_moves", "id").collect().to_pydict() == {"legal_moves": [6, 16], "id": [1, 2]}
    with pytest.raises(ValueError, match="select: 'ply': asks about games"):
        scan(file).select("ply").collect()


def test_bad_games_are_reported(tmp_path: Path) -> None:
    file = tmp_path / "bad.pgn"
    file.write_text("1. e4 e5 2. Ke3 *\n\n1. d4 *\n")
    with pytest.warns(rookery.sources.failures.DamagedFileWarning, match="1 row or game could not be read"):
        table = scan(file).select("number", "ply").collect()
    assert table.to_pydict() == {"number": [1, 1, 1, 2, 2], "ply": [0, 1, 2, 0, 1]}


def test_frames(tmp_path: Path) -> None:
    plan = scan(GAMES).positions("is_mate").select("fen", "move")
    right = plan.collect()
    assert isinstance(right, pa.Table)
    polars = pytest.importorskip("polars")
    assert plan.to_polars().equals(polars.from_arrow(right))
    pytest.importorskip("pandas")
    assert plan.to_pandas().equals(right.to_pandas())


def test_moves_that_are_missing_are_null() -> None:
    table = scan(GAMES).positions("ply == plies").select("move", "move.san", "fen").collect()
    assert table["move"].to_pylist() == table["move.san"].to_pylist() == [None] * len(list(games()))
    assert table["fen"].to_pylist() == [game.end().board().fen() for game in games()]
