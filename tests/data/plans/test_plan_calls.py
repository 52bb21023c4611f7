"""The text of a plan is Python that makes an equal plan."""

import pytest

import rookery
from rookery import scan
from rookery.data.plans.plan import Plan

GAMES = "tests/samples/lichess-2025-05.pgn"
CHOSEN = scan(GAMES, where="WhiteElo > 1500")
PLANS = [
    scan([GAMES, GAMES], encoding="cp1252", format="games"),
    scan("tests/samples/puzzles.csv", fen="FEN"),
    CHOSEN.positions(),
    CHOSEN.positions("is_check", every=2, from_ply=3, to_ply=40, sample=0.5, seed=3).select("*", "legal_moves"),
    CHOSEN.select("number", "n=legal_moves", "fen", spent="clock(us)"),
    CHOSEN.select("ply", **{"class": "elo(us)", "a name": "ply // 2"}),
    CHOSEN.select("ply").sort("ply", "elo(us)", descending=[True, False]).head(3),
    CHOSEN.sort("ply", descending=True, memory="2MB"),
    CHOSEN.group_by(elo="elo(us) // 500").agg("count", "results(us)", "mean( eval )", "games", m="max(ply)"),
    CHOSEN.group_by("elo(us) // 500", "ply", memory=1 << 24).agg("n=count", "first(fen)"),
    CHOSEN.select("fen").unique(n="count", **{"mean(eval)": "mean(eval)"}),
    CHOSEN.select("fen", "ply").unique("ply // 2", "fen").head(2),
    CHOSEN.shuffle(3).split(0.7, 0.3, by="player", column="part"),
    CHOSEN.select("ply").sample(20, seed=3).sample(7),
    CHOSEN.shuffle().split(0.7, 0.3, by="elo(us)"),
]


@pytest.mark.parametrize("plan", PLANS, ids=range(len(PLANS)))
def test_the_text_makes_an_equal_plan(plan: Plan) -> None:
    made = eval(repr(plan), {"scan": scan})
    assert (made._source, made._steps) == (plan._source, plan._steps)


def test_equal_arguments_have_one_text() -> None:
    plan = CHOSEN.select("fen", "eval").unique(score="mean(eval)").sort("score").head(2)
    expected = ".select('fen', 'eval').unique(score='mean(eval)').sort('score').head(2)"
    assert repr(plan) == f"scan('{GAMES}', where='WhiteElo > 1500'){expected}"
    assert repr(CHOSEN.group_by("ply").agg("mean(eval)")).endswith(".group_by('ply').agg('mean(eval)')")


def test_an_object_in_memory_is_the_name_of_its_class() -> None:
    games = rookery.read_pgn(GAMES)
    assert repr(scan([games, GAMES]).head(2)) == f"scan([Games, '{GAMES}']).head(2)"
    assert scan(games).select("ply").explain().splitlines()[1].startswith("scan(Games)  ")
