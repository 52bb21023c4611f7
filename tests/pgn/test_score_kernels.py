"""The kernels of scores of engine matches, one comment at a time: faster readers read what the general one reads."""

import math
import random
import re
from typing import Any

import numpy as np
import pytest

from rookery.pgn.annotations import match_values
from rookery.pgn.scan import engine_scores
from test_engine_scores import COMMENTS, expected, expected_times

SIGNS = "+-0159.,/: Mms#vtwdl=x\n\t"
CHARACTERS = random.Random(3)


def changed(comment: str) -> str:
    """A comment with one character more, less, or another."""
    at = CHARACTERS.randrange(len(comment) + 1)
    made = comment[:at] + CHARACTERS.choice([*SIGNS, ""]) + comment[at + CHARACTERS.randrange(2) :]
    return comment if re.match(r"\s*M\D", made) else made  # no program names a field so, and M announces a mate


# In groups of short tests: kernels that run in Python take milliseconds for a comment.
GROUPS = [[changed(comment) for comment in COMMENTS[i::6] for _ in range(4)] for i in range(6)]


def same(found: float | None, wanted: float | None) -> bool:
    return found is wanted if found is None or wanted is None else math.isclose(found, wanted, rel_tol=1e-9)


def check(comment: str) -> None:
    for white_moved in (True, False):
        values = match_values(comment, white_moved=white_moved)
        assert same(values.pawns, expected(comment, white_moved)), (comment, values)
    taken, left = expected_times(comment)
    assert same(values.emt, taken), (comment, values)
    assert same(values.clk, left), (comment, values)


@pytest.mark.parametrize("comments", GROUPS, ids=range(6))
def test_a_changed_character_is_read_as_the_regular_expressions_read_it(comments: list[str]) -> None:
    for comment in comments:
        check(comment)


@pytest.mark.parametrize(
    "comment",
    [
        # Fields of one to eight letters, and of digits behind them.
        "a=1, wv=0.5", "abcdefgh=1, wv=0.5", "abcdefghi=1, wv=0.5", "Zz9=1, wv=0.5", "z=, wv=0.5", "5=1, wv=0.5",
        "@=1, wv=0.5", "[=1, wv=0.5", "`=1, wv=0.5", "{=1, wv=0.5", "a9b=1, wv=0.5", "=1, wv=0.5",
        # The first of several fields, after a comma and blanks.
        "d=1, wv=0.5, wv=0.6, mt=1, mt=2, tl=3, tl=4", "wv=0.25,mt=7,\ttl=8", "d=1 wv=0.5, mt=9", "d=1, xmt=5, mt=6",
        "mt=1, v=2, t=3, l=4", "d=1,wv=-0.5 , mt=1 2, tl=5",
        # Far behind other fields.
        "pv=" + "e4 e5 " * 20 + ", wv=0.75, mt=1234, tl=60000", "d=1, x=" + "y" * 53 + ", wv=0.75",
        "d=1, x=" + "y" * 54 + ", wv=0.75", "d=1, x=" + "y" * 55 + ", mt=5", "d=1, x=" + "y" * 56 + ", tl=6",
        # The lengths of numbers.
        "wv=1234.5, mt=1", "wv=12345.5, mt=1", "wv=123456.5, mt=1", "wv=1.23456, mt=1", "wv=1.234567, mt=1",
        "wv=499.99, mt=1234567", "wv=0.1, mt=12345678", "wv=0.1, mt=123456789", "wv=0.1, tl=1234567,",
        "wv=0.1, tl=12345678,", "wv=.5, mt=1", "wv=5., mt=1", "wv=5, mt=1", "wv=+0.5, mt=1", "wv=-0.5, mt=1",
        "wv=0.5", "wv=0.5 ", "wv=0.5;", "wv=-M7", "wv=#8,", "wv=M0,", "wv=499.9,", "wv=500.0,",
        # Units.
        "1ms", "1s", "1m", "1.s", "1..s", "1.5.5s", "1:2s", "s", ".s", "0.45s,", "0.45s ", "0.45s x", "12ms x",
        "d=1, mt=1:00", "d=1, mt=:30", "d=1, mt=1::3", "d=1, mt=1:", "d=1, mt=1.5:3", "d=1, mt=1:30s", "d=1, mt=1:30ms",
        "d=1, tl=1.", "d=1, tl=.", "d=1, tl=.5", "d=1, tl=5.5s", "d=1, tl=55ms,", "d=1, tl=5 ",
        # Depths, nodes, and what follows them.
        "+0.35/1/2 1s", "+0.35/1/ 1s", "+0.35/1/2/3 1s", "+0.35/12,", "+0.35/12,1s", "+0.35/12, 1s", "+0.35/12 n=5",
        "+0.35/12 n5", "0.35/12 1s", "0.00/12", "+0.35/12", "0.35/12", "+0.35/12\n", "+0.35/12 1s, tl=2.5s",
        "+0.35/12 x 1s", "+0.35/12, x, 1s", "+0.35/12, 12.25s, tl=3s", "+0.35/12, 1234567s, tl=3s",
        "+0.35/12, 0.45s tl=3s", "+0.35/12, 0.45sx, tl=3s", "+0.35/12 0.45s, tl=00:01:30", "+0.35/12 0.45s, tl=7ms,",
        "+0.35 1/2 3 4", "+0.35 1/ 3 4", "+0.35 1/2 3", "+0.35 1/2 3 x", "+0.35 1/2 x 4", "+0.35 /2 3 4",
        "+0.35 1/2 3 4, tl=5s", "+0.35 1/2 3000 4 tl=5s", "0.35 1/2 3 4", "+0.35 1 2 3",
        # Mates are of the side that has moved if their plies are odd.
        *[f"{sign}M{plies}/5 1s" for sign in ("", "+", "-") for plies in (0, 1, 2, 3, 998, 999, 1000, 1001)],
    ],
)  # fmt: skip
def test_a_comment_is_read_as_the_regular_expressions_read_it(comment: str) -> None:
    check(comment)


def array(comment: str) -> np.ndarray[Any, Any]:
    return np.frombuffer(comment.encode() + b"}" + bytes(80), np.uint8)


USUAL = re.compile(r"[-+]?[0-9]?[0-9]\.[0-9]{2}/[0-9]{1,2} [0-9]\.[0-9]{1,5}s")
LIKE_USUAL = [
    "+0.35/12 0.45s", "-0.35/1 1.5s", "0.00/99 0.01s", "+12.34/56 7.89s", "-99.99/10 1.12345s", "0.35/12 0.45s",
    "+9.09/90 9.99999s", "+123.45/1 1.5s", "+0.355/1 1.5s", "+0.3/1 1.5s", "+0.35/123 1.5s", "+0.35/ 1.5s",
    "+0.35/x 1.5s", "+0.35/1x 1.5s", "+0.35/1,1.5s", "+0.35/1 1.5", "+0.35/1 1.5m", "+0.35/1 1.5sx", "+0.35/1 1.5s x",
    "+0.35 1.5s", "+:.35/1 1.5s", "+0.:5/1 1.5s", "+0.3:/1 1.5s", "+0:35/1 1.5s", "+/.35/1 1.5s", "+0./5/1 1.5s",
    "+0.3//1 1.5s", "+:0.35/1 1.5s", "+/0.35/1 1.5s", "*0.35/1 1.5s", ".0.35/1 1.5s", "+0.35/12", "0.00/12", "0.35/12",
    "0.35/12, 1.5s", "+0.35/12, 1.5s, tl=2.5s", "+0.35/1/2 1.5s", "+0.35/12  1.5s", "+0.35/12 .5s", "+0.35/12 15s",
    "+0.35/12 n=5 1.5s", "+0.35/12 good", "+0.35", "0.35", "+0.0M/1 1.5s", "+0.35/12 0.450000s", "+00.35/1 1.5s",
]  # fmt: skip


@pytest.mark.parametrize("comment", LIKE_USUAL)
def test_the_reader_of_usual_scores_reads_what_the_general_one_reads(comment: str) -> None:
    text, end = array(comment), len(comment)
    found, fits = engine_scores.usual_score(text, 0, end)
    assert fits or not USUAL.fullmatch(comment)
    assert fits in (0, 1)
    if fits:
        np.testing.assert_array_equal(found, engine_scores.engine_score(text, 0, end))
        assert found.view == engine_scores.MOVER


@pytest.mark.parametrize("comment", COMMENTS)
def test_no_score_is_left_out_by_the_quick_check(comment: str) -> None:
    for before in ("", " \t"):
        text, end = array(before + comment), len(before + comment)
        stated = engine_scores.engine_score(text, 0, end)
        nothing = bool(engine_scores.states_nothing(stated))
        assert nothing == (
            stated.view in (engine_scores.NO_VIEW, engine_scores.DOUBTFUL) and np.isnan(stated[2:]).all()
        )
        assert engine_scores.may_be_score(text, 0, end) or nothing


@pytest.mark.parametrize("comment", ["", " ", "a", "ab", "  ab", "book", "good", "a b c", "!?", "White wins"])
def test_words_are_left_out_by_the_quick_check(comment: str) -> None:
    assert not engine_scores.may_be_score(array(comment), 0, len(comment))


@pytest.mark.parametrize("length", range(1, 9))
def test_numbers_of_up_to_eight_digits(length: int) -> None:
    for digits in ("12345678", "99999999", "10000000", "00000000", "90817263"):
        word = int.from_bytes(bytes(int(digit) for digit in digits[:length]), "little")
        assert engine_scores._number(word, length) == int(digits[:length])


@pytest.mark.parametrize(
    "number", ["0.4", "0.45", "12.5", "123.45", "12345.6", "1.23456", "0.00000", "99999.9", "9.99999", "1.", "123456."]
)
def test_decimals_of_up_to_seven_characters(number: str) -> None:
    for after in ("s", ",", " ", "}", "."):
        value, length = engine_scores._decimal(array(number + after), 0)
        assert (value, length) == (float(number), len(number))


@pytest.mark.parametrize("text", [".5", "5", "12345678", "1234567.", "1:5", "1,5", "x", "", "1.234567", "12 .5"])
def test_what_is_not_a_short_decimal(text: str) -> None:
    assert math.isnan(engine_scores._decimal(array(text), 0)[0])
