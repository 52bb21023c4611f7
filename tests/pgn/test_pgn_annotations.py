"""Clocks, evaluations and arrows in comments: as python-chess and the compiled reader of games have them."""

import io
import math
import random

import chess.engine
import chess.pgn
import chess.svg
import pytest

from both_readers import assert_agreement, read
from rookery import read_pgn, write_pgn
from rookery.bitboards.pictures import Arrow
from rookery.pgn import Game

COMMENTS = [
    "", "good", "[%clk 0:05:00]", "[%clk 1:02:03.5]", "[%clk 2:03]", "[%clk 7.25]", "[%clk  0:00:01]", "[%clk 0:0x]",
    "[%clk]", "[%clk -1]", "[%emt 0:00:07.125]", "[%emt 0:01:00] [%clk 0:02:00]", "[%clk 0:01:00][%clk 0:02:00]",
    "[%eval 0.35]", "[%eval -1.2,20]", "[%eval #3]", "[%eval #-12,7]", "[%eval +2]", "[%eval x]", "[%eval 1.2 ]",
    "before [%eval 3.] after [%clk 0:00:10] end", "[%EVAL 1]", "[% eval 1]", "[%eval 1", "{[%eval 1.5]",
    "[%eval 1 [%clk 0:01:00]", "[%clk [%emt 0:00:07] [%eval 1.5]",
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


def values(text: str) -> list[tuple[float | None, ...]]:
    """The clocks, times and evaluations of a game, after both readers were found to agree on it."""
    assert_agreement(text.encode())
    games = read_pgn(text.encode())
    (game,) = read(text, errors="raise")
    found: list[tuple[float | None, ...]] = [(node.clock(), node.emt(), node.eval()) for node in game.mainline()]
    for row, numbers in zip(found, zip(games.clocks, games.emts, games.evals, strict=True), strict=True):
        for one, other in zip(row, numbers, strict=True):
            assert math.isnan(other) if one is None else abs(one - other) < 1e-3
    return found


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("[%clk 1:59:00]", (7140.0, None, None)),
        ("[%clk 1: 59 :00 ]", (7140.0, None, None)),
        ("[%clk\n1:59:00]", (7140.0, None, None)),
        ("[%clk 0:01:59,5]", (119.5, None, None)),
        ("[%clk 59]", (59.0, None, None)),
        ("[%clk 1:59,5]", (119.5, None, None)),
        ("[%clk 1:59.5]", (119.5, None, None)),
        ("[%clk 59:30]", (3570.0, None, None)),
        ("[%clk 1:75]", (135.0, None, None)),
        ("[%clk :59]", (None, None, None)),
        ("[%clk ,5]", (None, None, None)),
        ("[%clk 1:2:3:4]", (None, None, None)),
        ("[%emt 0:00:07,25]", (None, 7.25, None)),
        ("[%emt 7 ]", (None, 7.0, None)),
        ("[%egt 0:01:00]", (None, None, None)),
        ("[%eval 0,35]", (None, None, 0.35)),
        ("[%eval 0,35,20]", (None, None, 0.35)),
        ("[%eval 0.35,20]", (None, None, 0.35)),
        ("[%eval -1,5]", (None, None, -1.5)),
        ("[%eval - 1.5 , 20 ]", (None, None, -1.5)),
        ("[%eval +0.35]", (None, None, 0.35)),
        ("[%eval .5]", (None, None, 0.5)),
        ("[%eval ,5]", (None, None, None)),
        ("[%eval 1,2,3,4]", (None, None, None)),
        ("[%eval 0.35,x]", (None, None, None)),
        ("[%eval #-3]", (None, None, -997.0)),
        ("[%eval # 3]", (None, None, 997.0)),
        ("[%eval #3,20]", (None, None, 997.0)),
        ("[%eval # - 3 , 20 ]", (None, None, -997.0)),
    ],
)
def test_commas_and_blanks_in_annotations(comment: str, expected: tuple[float | None, ...]) -> None:
    assert values(f'[TimeControl "180+2"]\n\n1. e4 {{{comment}}} *') == [expected]


AMBIGUOUS = "read as minutes and seconds: no TimeControl says that it is hours and minutes"


@pytest.mark.parametrize(
    ("control", "clocks", "expected", "warned"),
    [
        ("7200+30", "1:59 1:58 1:55 1:50", [7140, 7080, 6900, 6600], ""),
        ("7200+30", "1:59 0:05", [7140, 300], ""),  # the first clock decides
        ("40/7200:3600", "1:59 1:59", [7140, 7140], ""),
        ("5400+30", "1:31", [5460], ""),  # with increments
        ("5400+30", "1:30:00 1:29", [5400, 5340], ""),
        ("3600", "0:59 0:59", [3540, 3540], ""),
        ("3600", "59:30 9:59 0:59", [3570, 599, 59], ""),  # sixty minutes, not hours
        ("1500+10", "0:24", [1440], ""),
        ("7200+30", "9:59", [599], ""),  # nobody has ten hours
        ("7200+30", "2:59", [179], ""),  # nor three
        ("600", "9:59", [599], ""),
        ("300+3", "4:59 0:05", [299, 5], ""),
        ("180+2", "0:03 2:59", [3, 179], ""),
        ("60+0", "0:59", [59], ""),
        ("", "1:59 1:58", [119, 118], "1:59"),
        ("?", "0:05", [5], "0:05"),
        ("-", "1:59", [119], "1:59"),
        ("*180", "2:59", [179], ""),
        ("", "59:59 1:59", [3599, 119], ""),
        ("", "1:00:00 1:59", [3600, 119], ""),
        ("", "1 : 59", [119], "1 : 59"),
    ],
)
def test_clocks_of_two_parts(control: str, clocks: str, expected: list[float], warned: str) -> None:
    header = f'[TimeControl "{control}"]\n\n' if control else ""
    parts = [clocks] if " : " in clocks else clocks.split()
    moves = ("e4", "e5", "Nf3", "Nc6")
    text = header + " ".join(f"{move} {{[%clk {part}]}}" for move, part in zip(moves, parts, strict=False)) + " *"
    assert [row[0] for row in values(text)] == expected
    warnings = read_pgn(text.encode()).warnings
    assert [warning.reason for warning in warnings] == ([f"{warned!r}: {AMBIGUOUS}"] if warned else [])
    assert read_pgn(text.encode(), strict=True).is_bad.tolist() == [bool(warned)]
    # What is written is read the same.
    games = read_pgn(text.encode())
    out = io.BytesIO()
    write_pgn(games, out)
    assert read_pgn(out.getvalue()) == games


def test_clocks_in_variations_follow_the_game() -> None:
    for control, expected in (("7200+30", 300.0), ("180+2", 5.0)):
        text = f'[TimeControl "{control}"]\n\n1. e4 {{[%clk 1:59]}} (1. d4 {{[%clk 0:05]}}) *'
        (game,) = read(text, errors="raise")
        assert isinstance(game, Game)
        assert game.variations[1].clock() == expected


def test_random_times_of_both_readers() -> None:
    rng = random.Random(3)
    times = ("1:59", "0:05", "59:30", "1:30:00", "12", "1:59,5", "9:59", " 1 : 02 ", "0:75", "x")
    controls = ("", "?", "7200+30", "180+2", "40/5400:1800", "-")
    for _ in range(120):
        comments = [
            " ".join(f"[%{rng.choice(('clk', 'emt'))} {rng.choice(times)}]" for _ in range(rng.randint(0, 2)))
            for _ in range(6)
        ]
        words = [
            f"{move} {{{comment}}}" for move, comment in zip("e4 e5 Nf3 Nc6 Bb5 a6".split(), comments, strict=True)
        ]
        if rng.random() < 0.3:
            words.insert(2, "{one\n [%emt 0:07]}")
        values(f'[TimeControl "{rng.choice(controls)}"]\n\n' + "\n".join(words) + " *")


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
