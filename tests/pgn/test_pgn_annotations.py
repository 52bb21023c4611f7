"""Clocks, evaluations and arrows in comments: as python-chess and the compiled reader of games have them."""

import math
import random

import chess.engine
import chess.pgn
import chess.svg
import pytest

from rookery import read_pgn
from rookery.pgn import Game
from rookery.pictures import Arrow

COMMENTS = [
    "", "good", "[%clk 0:05:00]", "[%clk 1:02:03.5]", "[%clk 2:03]", "[%clk 7.25]", "[%clk  0:00:01]", "[%clk 0:0x]",
    "[%clk]", "[%clk -1]", "[%emt 0:00:07.125]", "[%emt 0:01:00] [%clk 0:02:00]", "[%clk 0:01:00][%clk 0:02:00]",
    "[%eval 0.35]", "[%eval -1.2,20]", "[%eval #3]", "[%eval #-12,7]", "[%eval +2]", "[%eval x]", "[%eval 1.2 ]",
    "before [%eval 3.] after [%clk 0:00:10] end", "[%EVAL 1]", "[% eval 1]", "[%eval 1", "{[%eval 1.5]",
]  # fmt: skip


@pytest.mark.parametrize("comment", COMMENTS)
def test_both_readers_of_annotations_agree(comment: str) -> None:
    text = comment.replace("{", "")
    games = read_pgn(f"1. e4 {{{text}}} *".encode())
    game = Game()
    game.comment = text
    for column, value in ((games.clocks, game.clock()), (games.evals, game.eval()), (games.emts, game.emt())):
        assert math.isnan(column[0]) == (value is None)
        assert value is None or abs(column[0] - value) < 1e-4


def test_what_is_written_is_read_by_python_chess() -> None:
    rng = random.Random(1)
    for _ in range(300):
        ours, theirs = Game(), chess.pgn.Game()
        ours.comment = rng.choice(["", "good", "[%clk 0:00:01] [%eval 9.99] [%emt 0:00:00.5] [%csl Ga1]"])
        clock, emt = rng.randrange(10**7) / 1000, rng.randrange(10**5) / 1000
        pawns, depth = rng.randrange(-2000, 2000) / 100, rng.choice([None, 0, 33])
        ours.set_clock(clock)
        ours.set_emt(emt)
        ours.set_eval(pawns, depth)
        arrows = [Arrow(rng.randrange(64), rng.randrange(64), "red"), (3, 3), (5, 6, "orange"), (5, 7, "blue")]
        ours.set_arrows(arrows)  # type: ignore[arg-type]
        theirs.comment = ours.comment
        assert (ours.clock(), ours.emt()) == (clock, emt)
        assert (theirs.clock(), theirs.emt()) == pytest.approx((clock, emt))
        score = theirs.eval()
        assert score is not None
        assert ours.eval() == pawns == (score.white().score() or 0) / 100
        assert ours.eval_depth() == theirs.eval_depth() == depth
        names = {"red": "red", "green": "green", "orange": "yellow", "blue": "blue"}
        found = {(a.tail, a.head, names[a.colour]) for a in ours.arrows()}
        assert found == {(a.tail, a.head, a.color) for a in theirs.arrows()}
        assert len(found) == 4
        for remove in (ours.set_clock, ours.set_emt, ours.set_eval):
            remove(None)
        ours.set_arrows([])
        assert ours.comment in ("", "good")


@pytest.mark.parametrize("mate", [1, -1, 7, -30])
def test_mates(mate: int) -> None:
    ours, theirs = Game(), chess.pgn.Game()
    pawns = 1000 - mate if mate > 0 else -1000 - mate
    ours.set_eval(pawns)
    theirs.comment = ours.comment
    score = theirs.eval()
    assert score == chess.engine.PovScore(chess.engine.Mate(mate), chess.WHITE)
    assert ours.eval() == pawns


def test_seconds_below_zero_are_written_as_zero() -> None:
    game = Game()
    game.set_clock(-70)
    assert (game.comment, game.clock()) == ("[%clk 0:00:00]", 0.0)


def test_errors() -> None:
    game = Game()
    for value in ("5", math.nan, math.inf, True):
        with pytest.raises(TypeError, match=r"seconds: .*: expected a number of seconds, or None"):
            game.set_clock(value)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match=r"pawns: .*: expected a number from -1000 to 1000, or None"):
            game.set_eval(value)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="pawns: 1001"):
        game.set_eval(1001)
    with pytest.raises(ValueError, match="depth: -1: expected an int of at least 0, or None"):
        game.set_eval(1, -1)
    with pytest.raises(ValueError, match="arrows: colour 'purple': expected one of green, red, orange, blue"):
        game.set_arrows([(0, 1, "purple")])
    assert game.comment == ""
