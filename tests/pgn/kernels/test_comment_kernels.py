"""The compiled readers of annotations and time controls, one text at a time, against regular expressions."""

import math
import random
import re
from typing import Any

import numpy as np
import pytest

from rookery.pgn.annotations import evaluation, seconds, short_time
from rookery.pgn.scan import annotations, comments
from rookery.pgn.scan.lexing.vocabulary import MARK
from rookery.pgn.time_control import TimeControl, time_control
from rookery.pgn.time_control_at import are_hours_and_minutes


def array(text: str) -> Any:
    return np.frombuffer(text.encode() + b"}" + bytes(80), np.uint8)


def same(found: Any, wanted: float | None) -> bool:
    return math.isnan(found) if wanted is None else math.isclose(found, wanted, abs_tol=1e-6)


TIMES = [
    "0:05:00", "0:00:00", "9:59:59", "0:59:59", "0:60:00", "0:00:60", "0:05:0", "00:05:00", "10:05:00", "a:05:00",
    "0:a5:00",
    "0:0a:00", "0:05:a0", "0:05:0a", "0.05:00", "0:05.00", "/:05:00", "0:05:00.5", "0:05:00,25", "0:05:00.", ".5",
    "5", "5.",
    "5,5", ",5", "1:59", "10:00", "9:60", "9:59.5", "1.5:30", "59:30", "1:2:3:4", ":59", "59:", "1::2", "", " 0:05:00 ",
    "1 : 2 : 3", "1\n:2", "123456789012345", "1234567890123456", "1.123456789012345", "1.1234567890123456", "-1", "+1",
    "x", "1:59 x", "0:05:00x", "12345678901234.5", "123456789012345.5", "\u00a05", "0:05:00\u00a0",
]  # fmt: skip
EVALUATIONS = [
    "0.17", "-0.17", "+0.17", "0", "12", "-12.5", "0,35", "0,35,20", "0.35,20", "0.35 , 20 ", "0.35,", "0.35,x",
    "0.35,20x",
    "0.35,123456789", "0.35,1234567890", "#3", "#-3", "#+3", "# - 3", "#3,20", "#3.5", "#499", "#500", "#501",
    "#0", "#-0",
    "#", "-", "+", "--1", ".5", ",5", "#.5", "#,5", "3.", "3,", "499.99", "500", "1e3", "x", "", "1 2", "0.1;",
    "1,2,3", "1,2,3,4",
    "123456789012345", "1234567890123456", "#1000", "- 1.5", "-\n1.5",
]  # fmt: skip
ANNOTATED = [
    *[f"[%clk {time}]" for time in TIMES],
    *[f"[%emt {time}]" for time in TIMES],
    *[f"[%eval {pawns}]" for pawns in EVALUATIONS],
    "good", "[%clk]", "[%clk ", "[%clk 0:05:00", "[%clk\t0:05:00]", "[%clk\n0:05:00]", "[%clk0:05:00]",
    "[%clock 0:05:00]",
    "[%CLK 0:05:00]", "[clk 0:05:00]", "[ %clk 0:05:00]", "[%cl 0:05:00]", "[%evaL 1]", "[%evals 1]", "[%eval1]",
    "[%emt1]",
    "[[%clk 0:05:00]]", "[%csl Ra1][%clk 0:05:00]", "x[%clk 0:01:00]y[%clk 0:02:00]z", "[%clk x][%clk 0:02:00]",
    "[%eval 1] [%eval 2]", "[%eval 1 [%clk 0:01:00]", "[%clk [%clk 0:01:00]", "[%emt 1:[%emt 2]",
    "[%eval x] [%eval 2]", "[%emt 1] [%emt 2]", "[%emt x] [%emt 2]",
    "[%clk 0:05:00][%emt 0:00:07][%eval -0.3]", "x" * 60 + "[%clk 0:05:00]", "x" * 63 + "[%clk 0:05:00]",
    "x" * 64 + "[%clk 0:05:00]" + "y" * 70 + "[%eval 1.5]", "[" * 70 + "%clk 0:05:00]", "[%eval 1]", "[%emt 1]",
    "[%clk 1]",
]  # fmt: skip


@pytest.mark.parametrize("comment", ANNOTATED)
def test_annotations_are_those_that_the_regular_expressions_find(comment: str) -> None:
    found = annotations.annotations(array("{" + comment), 1, 1 + len(comment.encode()))
    for value, wanted in (
        (found.clock, seconds(comment, "clk")),
        (found.elapsed, seconds(comment, "emt")),
        (found.evaluation, evaluation(comment)[0]),
    ):
        assert same(value, wanted), (found, wanted)
    for at, name in ((found.clock_at, "clk"), (found.elapsed_at, "emt")):
        short = short_time(comment, name)
        assert bool(at) == bool(short)
        assert not at or ("{" + comment)[int(at) :].startswith(short)


@pytest.mark.parametrize(
    ("comment", "has_minutes"),
    [("[%clk 59:30]", 1), ("[%clk 1:59.5]", 1), ("[%clk 9:60]", 1), ("[%clk 9:59]", 0), ("[%clk 0:09:59]", 0),
    ("[%emt 59:30]", 0)],
)  # fmt: skip
def test_clocks_that_are_minutes_and_seconds_for_sure(comment: str, has_minutes: int) -> None:
    assert annotations.annotations(array(comment), 0, len(comment)).has_minutes == has_minutes
    twice = f"[%clk 0:05:00] {comment}"  # only the first clock counts
    assert annotations.annotations(array(twice), 0, len(twice)).has_minutes == 0


@pytest.mark.parametrize("time", TIMES)
def test_plain_times(time: str) -> None:
    for last in "].x":
        usual = re.match(rf"[0-9]:[0-5][0-9]:[0-5][0-9]{re.escape(last)}", time + last)
        wanted = seconds(f"[%clk {time[:7]}]", "clk") if usual else -1.0
        assert annotations.plain_time(array(time + last), 0, ord(last)) == wanted


@pytest.mark.parametrize("time", ["0:05:00", "9:59:59", "0:60:00", "x:05:00", "0:05:0"])
@pytest.mark.parametrize(
    "form", ["{ [%%clk %s] }", "{[%%clk %s]}", "{ [%%clk %s]}", "{[%%clk %s] }", "{[%%emt %s]}", "{ [%%clk %s] x"]
)
def test_usual_clocks(time: str, form: str) -> None:
    comment = form % time
    clock, length = annotations.usual_clock(array(comment), 0)
    usual = re.fullmatch(
        r"\{ \[%clk [0-9]:[0-5][0-9]:[0-5][0-9]\] \}|\{\[%clk [0-9]:[0-5][0-9]:[0-5][0-9]\]\}", comment
    )
    assert clock == (seconds(comment, "clk") if usual else -1.0)
    assert not usual or length == len(comment)


# Values as games are written: an evaluation, a clock, a time, in this order and without needless digits.
_EVAL = r"\[%eval (?:-?(?!-)(?:0|[1-9][0-9]{0,2})\.[0-9][1-9]?|#-?(?:0|[1-9][0-9]{0,2}))\]"
_CLK, _EMT = (rf"\[%{name} [0-9]:[0-5][0-9]:[0-5][0-9](?:\.(?:[1-9]|[0-9][1-9]))?\]" for name in ("clk", "emt"))
_ALONE = re.compile(rf" *(?=\[)(?:{_EVAL})?(?:(?:(?<=\]) (?=\[))?{_CLK})?(?:(?:(?<=\]) (?=\[))?{_EMT})? *")
VALUES = [
    "[%eval 0.17] [%clk 0:05:00] [%emt 0:00:07]", "[%eval 0.17] [%clk 0:05:00]", "[%eval 0.17] [%emt 0:00:07]",
    "[%clk 0:05:00] [%emt 0:00:07]", "[%eval 0.17]", "[%clk 0:05:00]", "[%emt 0:00:07]", "[%clk 0:05:00] [%eval 0.17]",
    "[%emt 0:00:07] [%clk 0:05:00]", "[%emt 0:00:07] [%eval 0.1]", "[%eval 0.17]  [%clk 0:05:00]",
    "[%eval 0.1] [%eval 0.2]",
    "[%clk 0:05:00] [%clk 0:05:00]", "[%emt 0:05:00] [%emt 0:05:00]", "  [%clk 0:05:00]  ", "[%clk 0:05:00] x",
    "x [%clk 0:05:00]",
    "", " ", "x", "[%clk 0:05:00]]", "[%clk 0:05:00", "[%eval 0.17",
    *[f"[%eval {pawns}]" for pawns in (
        "0.0", "0.1", "0.10", "0.01", "0.12", "0.123", "00.1", "01.1", "1", "1.", ".5", "-0.1", "-0.0", "-1.5",
        "--1.5", "+1.5",
        "12.5", "123.5", "499.5", "499.99", "500.0", "1234.5", "999.5", "#1", "#-1", "#0", "#-0", "#01", "#499",
        "#500", "#1.5",
        "#", "#-", "-", "0,5", "-#1", "9.09", "0.x", "0.1x", "x.1", "1/5", "1.:", "1./",
    )],
    *[f"[%clk {time}]" for time in (
        "0:05:00.5", "0:05:00.25", "0:05:00.50", "0:05:00.0", "0:05:00.00", "0:05:00.05", "0:05:00.125",
        "0:05:00.", "0:60:00",
        "0:05:60", "1:02:03.45", "9:59:59.99", "10:00:00", "0:05", "0:05:00,5", "0:05:00.x", "x:05:00.5",
    )],
]  # fmt: skip


def is_alone(comment: str) -> bool:
    """Check whether a comment has values alone, as they are written."""
    pawns = re.search(r"%eval (#?)-?([0-9.]+)", comment)
    if pawns and (float(pawns[2]) >= 500 if not pawns[2].endswith("..") else False):
        return False
    if "%eval -0.0]" in comment:
        return False
    return bool(comment.strip()) and _ALONE.fullmatch(comment) is not None and "][" not in comment


@pytest.mark.parametrize("comment", VALUES)
def test_comments_with_values_alone(comment: str) -> None:
    found, alone = comments.values_alone(array(comment), 0, len(comment))
    assert bool(alone) == is_alone(comment)
    wanted = (seconds(comment, "clk"), evaluation(comment)[0], seconds(comment, "emt")) if alone else (None,) * 3
    assert all(map(same, found[:3], wanted)), (found, wanted)
    assert tuple(found[3:]) == (0, 0, 0)


@pytest.mark.parametrize("form", ["{ %s }", "{%s}", "{ %s}", "{%s }", "{  %s }", "{ %s", "[ %s }"])
def test_the_comments_that_lichess_writes(form: str) -> None:
    for comment in VALUES:
        whole = form % comment
        pawns, clock, length = comments.usual_values(array(whole), 0)
        usual = (
            is_alone(comment) and comment.startswith("[%eval") and "emt" not in comment and form in ("{ %s }", "{%s}")
        )
        usual = usual and "." not in comment.partition("%clk")[2]
        assert length == (len(whole) if usual else 0), whole
        if usual:
            assert same(pawns, np.float32(evaluation(comment)[0]).item())
            assert same(clock, seconds(comment, "clk"))


# Where comments end.


@pytest.mark.parametrize("before", [0, 1, 62, 63, 64, 130])
def test_a_comment_ends_at_its_brace(before: int) -> None:
    for inside, opens in (("", 0), ("{", 1), ("[", 0), ("[Event", 0)):
        text = "x" * before + inside + "y}z} {"
        end, line, has_brace = annotations.comment_end(array(text), 0, len(text))
        assert (end, line, bool(has_brace)) == (text.index("}"), 0, bool(opens))
    text = "x" * before
    assert annotations.comment_end(array(text), 0, len(text)) == (len(text), 0, 1)
    assert annotations.comment_end(array(text + "}"), 0, len(text)) == (len(text), 0, 1)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('open 1-0\n\n[Event "x"]\n', 10), ('open 1-0\r\n\r\n[Event "x"]', 12), ('open\n\n[Event "x"] {new', 6),
        ('open\n\n [Event "x"] {new', 6), ('open\n \n[Event "x"] {new', 7), ('open\n\n[Event "x"] new} 1-0', 0),
        ('open\n[Event "x"] {new} 1-0', 0), ('open\n\n[Events "x"] {new} 1-0', 0), ('open\n\n[Site "x"] {new} 1-0', 0),
        ('open\n\nx [Event "x"] {new} 1-0', 0), ('open 1-0\n\n[Event"x"] {new', 10), ('open\n\n[ Event "x"] {new', 6),
        ('open\n\n[Event_ "x"] {new} 1-0', 0), ('open\n\n[Event9 "x"] {new} 1-0', 0), ('open\r\r[Event "x"] {new', 6),
        ('[Event "x"] {new} 1-0', 0), ('\n[Event "x"] {new} 1-0', 0), ('\n\n[Event "x"] {new', 2),
        ('open\n\n\ufeff[Event "x"] {new', 6),
    ],
)  # fmt: skip
@pytest.mark.parametrize("before", [0, 50, 61, 128])
def test_an_event_tag_may_end_an_open_comment(text: str, line: int, before: int) -> None:
    whole = "x" * before + text
    if before and text.startswith(("[", "\n[")):
        line = 0
    size = len(whole.encode())
    end, found, _ = annotations.comment_end(array(whole), 0, size)
    assert found == (before + line if line else 0), whole
    assert end == (size if line else size if "}" not in whole else len(whole[: whole.index("}")].encode()))


@pytest.mark.parametrize("before", ["", " ", "\n \t"])
@pytest.mark.parametrize("between", [" ", "\n", "", "x"])
def test_the_mark_of_a_bad_game(before: str, between: str) -> None:
    text = f"{before}{MARK}{between}why"
    marked = between.isspace()
    assert annotations.mark_of_bad_game(array(text), 0, len(text)) == (len(text) - 3 if marked else 0)
    for wrong in (f"{before}X{MARK[1:]} why", f"{before}{MARK[:-1]}X why", MARK, f"{MARK} "[:-1]):
        assert annotations.mark_of_bad_game(array(wrong), 0, len(wrong)) == 0


# Time controls.

UNKNOWN = (None, None, 0, None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("180+2", (180, 2, 3, 180)), ("180", (180, 0, 3, 180)), ("0+1", (0, 1, 2, 0)), ("29", (29, 0, 1, 29)),
        ("30", (30, 0, 2, 30)), ("179", (179, 0, 2, 179)), ("479", (479, 0, 3, 479)), ("480", (480, 0, 4, 480)),
        ("1499", (1499, 0, 4, 1499)), ("1500", (1500, 0, 5, 1500)), ("100+2", (100, 2, 3, 100)),
        ("99+2", (99, 2, 2, 99)),
        ("40/7200:3600", (7200, 0, 5, 10800)), ("40/7200+30:3600+30", (7200, 30, 5, 10800)),
        ("5400+30:1800+30", (5400, 30, 5, 7200)),
        ("1/86400", (86400, 0, 6, 86400)), ("1/86399", (86399, 0, 5, 86399)), ("86400", (86400, 0, 5, 86400)),
        ("-", (None, None, 6, None)), (" - ", (None, None, 6, None)), ("-5", UNKNOWN), ("?", UNKNOWN),
        ("", UNKNOWN), (" ", UNKNOWN),
        ("*180", (180, None, 0, 180)), ("* 180 ", (180, None, 0, 180)), ("*", UNKNOWN), ("*180+2", UNKNOWN),
        ("*0", (0, None, 0, 0)),
        ("180+2d", (180, None, 0, 180)), ("180+2D", (180, None, 0, 180)), ("180+2x", UNKNOWN), ("180+", UNKNOWN),
        ("+2", UNKNOWN),
        ("180 + 2", (180, 2, 3, 180)), (" 180\t+2 ", (180, 2, 3, 180)), ("0.5+0,5", (0.5, 0.5, 1, 0.5)),
        (".5", UNKNOWN),
        ("1.5.5", UNKNOWN), ("40/", UNKNOWN), ("0/60", UNKNOWN), ("40/60/2", UNKNOWN), ("60:", UNKNOWN),
        ("60:x", UNKNOWN),
        ("60;60", UNKNOWN), ("123456789", (123456789, 0, 5, 123456789)), ("1234567890", UNKNOWN),
        ("60:30+5", (60, 0, 2, 90)),
        ("60+1d:30+5", (60, None, 0, 90)), ("60:30+5d", (60, 0, 2, 90)), ("60.25", (60.25, 0, 2, 60.25)),
        ("180 2", UNKNOWN),
    ],
)  # fmt: skip
def test_time_controls(text: str, expected: tuple[float | None, ...]) -> None:
    found = time_control(text)
    assert tuple(None if math.isnan(part) else part for part in found) == expected


@pytest.mark.parametrize(
    ("control", "clock", "hours"),
    [
        ("7200+30", 119, True), ("7200", 120, True), ("7200", 121, False), ("600", 10, True), ("599", 9, False),
        ("600", 9, True), ("3600", 60, True), ("3600", 61, False), ("3600+30", 80, True), ("3600+30", 81, False),
        ("40/3600:3600", 100, True), ("1500+10", 24, True), ("660", 500, False), ("5400", 10, True),
        ("600+30", 20, False),
    ],
)  # fmt: skip
def test_clocks_in_hours(control: str, clock: float, hours: bool) -> None:
    parts = time_control(control)
    assert bool(are_hours_and_minutes(TimeControl(*map(np.float64, parts)), np.float64(clock))) is hours


def test_random_annotations_are_those_that_the_regular_expressions_find() -> None:
    rng = random.Random(9)
    parts = ["[%clk ", "[%emt ", "[%eval ", "]", "0:05:00", "1", ":", ".", ",", "#", "-", " ", "59", "x", "["]
    for _ in range(120):
        comment = "".join(rng.choices(parts, k=rng.randint(2, 9)))
        found = annotations.annotations(array(comment), 0, len(comment))
        assert same(found.clock, seconds(comment, "clk")), comment
        assert same(found.elapsed, seconds(comment, "emt")), comment
        assert same(found.evaluation, evaluation(comment)[0]), comment
