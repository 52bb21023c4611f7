"""Scores and times of engine matches in comments: what regular expressions here read in them."""

import io
import math
import random
import re

import numpy as np
import pytest

from rookery import ScoredPositions, read_pgn, write_pgn
from rookery.pgn import read_game

MATCH = b"""[Event "gauntlet"]
[White "EngA"]
[Black "EngB"]
[Result "1-0"]

1. e4 {book} e5 {book} 2. Nf3 {+0.35/12 0.45s} Nc6 {-0.21/11 0.31s}
3. Bb5 {+0.33/13, 0.300s, tl=0.611s, n=42103} a6 {-0.40/12 0.29s}
4. Ba4 {+M9/20 0.1s} Nf6 {-M8/21 0.1s, White mates} 1-0
"""

_SCORE = r"(?P<sign>[-+]?)(?:[M#](?P<mate>[0-9]{1,9})|(?P<pawns>[0-9]{1,9}\.[0-9]{1,9}))"
_TIME = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)m?s(?=[,\s]|$)"
_FIELD = r"[A-Za-z]{1,8}[0-9]*="
_MOVER = re.compile(
    rf"\s*{_SCORE}(?:/[0-9]+(?:/[0-9]+)?(?P<bare>\s*$)?(?(bare)|(?:,|\s+(?:{_TIME}|{_FIELD})))"
    r"|\s+[0-9]+/[0-9]*\s+[0-9]+\s+[0-9]+)"
)
_WHITE = re.compile(rf"\s*{_FIELD}")
_WV = re.compile(rf"wv={_SCORE}(?=[,\s]|$)")


def expected(comment: str, white_moved: bool) -> float | None:
    """The evaluation in pawns from White's view, or None."""
    found = _MOVER.match(comment)
    white = False
    if found is None and _WHITE.match(comment):
        fields = [field.lstrip() for field in comment.split(",")]
        first = next((field for field in fields if field.startswith("wv=")), "")
        found, white = _WV.match(first), True
    if found is None:
        return None
    sign, mate, pawns = found["sign"], found["mate"], found["pawns"]
    if not white:
        if mate and (int(mate) % 2 == 0) != (sign == "-"):
            return None
        if found["bare"] is not None and not sign and not mate and float(pawns):
            return None
    if not mate and float(pawns) >= 500:
        return None
    value = max(1000.0 - (int(mate) + 1) // 2, 500.0) if mate else float(pawns)
    value = -value if sign == "-" else value
    return value if white or white_moved else 0.0 - value


_FIELD_TIME = r"(?:{_TIME}|(?:[0-9]+:)*[0-9]+(?:\.[0-9]*)?(?=[,\s]|$)|\.[0-9]+(?=[,\s]|$))".replace("{_TIME}", _TIME)
_AFTER_DEPTH = re.compile(rf"\s*{_SCORE}(?:/[0-9]+)+(?P<rest>.*)", re.DOTALL)
_OPEN_BENCH = re.compile(rf"\s*{_SCORE}\s+[0-9]+/[0-9]*\s+(?P<ms>[0-9]+)(?P<rest>\s.*)", re.DOTALL)


def seconds(text: str) -> float:
    """The seconds of `0.45s`, `338ms`, milliseconds and `00:01:20`."""
    if text.endswith("s"):
        return float(text[:-2]) / 1000 if text.endswith("ms") else float(text[:-1])
    if ":" not in text:
        return float(text) / 1000
    total = 0.0
    for part in text.split(":"):
        total = total * 60 + float(part)
    return total


def expected_times(comment: str) -> tuple[float | None, float | None]:
    """The seconds taken and left."""
    if re.fullmatch(rf"\s*{_TIME}\s*", comment):
        return seconds(comment.strip()), None
    taken: str | None = None
    fields = comment
    if _MOVER.match(comment):
        if found := _AFTER_DEPTH.match(comment):
            words = (word for word in re.split(r"\s", found["rest"].removeprefix(",")) if word)
            taken = next((match[0] for match in (re.match(_TIME, word) for word in words) if match), None)
            fields = found["rest"] if taken is None else re.split(rf"(?:^,|\s)\s*{_TIME}", found["rest"], maxsplit=1)[1]
        elif found := _OPEN_BENCH.match(comment):
            taken, fields = found["ms"], found["rest"]
    elif not _WHITE.match(comment):
        return None, None
    named = {"mt": taken, "tl": None}
    for name in ("tl",) if _MOVER.match(comment) else ("mt", "tl"):
        of_name = (field.lstrip()[3:] for field in fields.split(",") if field.lstrip().startswith(name + "="))
        match = re.match(_FIELD_TIME, next(of_name, ""))
        named[name] = match[0] if match else None
    of_fields = [None if time is None else seconds(time) for time in named.values()]
    return of_fields[0], of_fields[1]


def read_scores(comments: list[str], fen: str = "") -> list[float | None]:
    """The evaluations of a game that has these comments, after both readers agree."""
    moves = ["Nf3", "Nf6", "Ng1", "Ng8"] if not fen else ["Nf6", "Nf3", "Ng8", "Ng1"]
    text = f'[SetUp "1"]\n[FEN "{fen}"]\n\n' if fen else ""
    text += " ".join(f"{moves[i % 4]} {{{comment}}}" for i, comment in enumerate(comments)) + " *"
    games = read_pgn(text.encode())
    assert not games.is_bad.any()
    found = [None if math.isnan(value) else float(value) for value in games.evals]
    tree = read_game(text)
    assert tree is not None
    for times, of_nodes in ((games.emts, "emt"), (games.clocks, "clock")):
        in_tree = [getattr(node, of_nodes)() for node in tree.mainline()]
        np.testing.assert_allclose(times, [np.nan if one is None else one for one in in_tree], rtol=1e-6)
    for comment, taken, left in zip(comments, games.emts, games.clocks, strict=True):
        wanted = [np.nan if one is None else one for one in expected_times(comment)]
        assert "[" in comment or [taken, left] == pytest.approx(wanted, nan_ok=True), comment
    nodes = [node.eval() for node in tree.mainline()]
    for one, other in zip(found, nodes, strict=True):
        assert (one is None) == (other is None)
        assert one is None or other is None or abs(one - other) < 1e-3
    return found


COMMENTS = [
    "+0.35/12 0.45s", "-0.21/11 0.31s", "0.00/21 0.38s", "+1.16/8, 0.004s", "-0.40/12", "0.00/9",
    "+0.16/17/932682 338ms", "+0.01/13 n=534769 sd=25 0.267s", "+4.57/15 0.057s, tl=0.611s, n=42103",
    "+0.57 17/28 583 363004", "-0.57 17/22 520 671767", "+M9/20 0.1s", "-M8/21 0.1s, White mates",
    "+M3 96/4 16 35602", "+M1 96/2 2 2516, White mates", "M5/7 1s", "-M0/1 0s", "+M2/3 0.1s", "-M3/4 0.1s", "book",
    "unknown", " 0/1 8 40000", "+0.57", "-M3", "0.35/12 3", "+0.35/12 3", "0.35/12", "3.14", "1/2-1/2", "-1/2",
    "12.5", "+0.35/12 good", "+0.35 good", "+1", "d=24, wv=0.19,", "d=22, wv=0.25", "d=1, wv=-M5, R50=50",
    "d=1, sd=1, pd=Qg5, mt=46, pv=Qxg5#, h=0.0, wv=M1, R50=50, mb=-1+0+1+1+1, White mates", "wv=-0.35",
    "book, mb=+0+0+0+0+0,", "ev=0.11, d=1, pd=Nf6, mt=00:00:00, s=0 kN/s, pv=, wv=-0.11, ", "d=2, wv=, R50=50",
    "d=2, wv=abc", "x=1, xwv=0.5", "d=2, wv=1.5x", "", " ", "+", "-", "M", "+M", "+M/3 0.1s", "+.5/3 1s", "+0./3 1s",
    "+0.5/ 1s", "+123456789.5/1 1s", "+1234567890.5/1 1s", "  +0.35/12\n0.45s", "+0.35/12 0.45", "+0.35/12 .5s",
    "+0.35/12 s", "+0.35 17/28 583", "+0.35 17 583 3", "d4=3, wv=0.5", "+499.99/3 1s", "+500.00/3 1s",
    "d=1, wv=500.0,", "-M1000/3 1s", "+M999999999/3 1s", "0.45s", " 338ms ", "0.45s good", ".5s", "1:20", "12s, n=5",
    "d=24, sd=51, mt=80000, tl=1500000, s=1000, wv=0.19, R50=50,", "d=1, mt=00:01:20, tl=01:59:00, wv=0.1,",
    "mt=46,", "d=1, mt=46ms, tl=0.5s, wv=0.1", "d=1, mt=x, tl=, wv=0.1", "d=1, mt=1:2:3.5, wv=0.1", "d=1, mt=12.5, x=1",
    "+0.35/12, 0.300s, tl=12.5s", "+0.35/12 0.300s tl=12.5s", "+0.35/12, tl=12.5s, n=3", "+0.35/12 0.45sx",
    "+0.35/12 1234567.5s", "+0.35/12 12345678.5s", "-1.20/7 0.0001s", "+0.57 17/28 583 363004, tl=3s", "+M3/7 0.9s",
]  # fmt: skip


@pytest.mark.parametrize("comment", COMMENTS)
def test_a_score_is_read_from_the_right_view(comment: str) -> None:
    assert read_scores([comment] * 2) == pytest.approx([expected(comment, True), expected(comment, False)])
    fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"
    assert read_scores([comment] * 2, fen) == pytest.approx([expected(comment, False), expected(comment, True)])


def test_random_comments_are_read_as_the_regular_expressions_read_them() -> None:
    rng = random.Random(0)
    numbers = ["0.35", "1.5", "0.00", "9", "8", "12", "0.45s", "338ms", "1:30"]
    parts = ["+", "-", "M", "#", "/", " ", ", ", "n=1", "wv=", "d=2", "mt=", "tl=", "x", *numbers]
    comments = ["".join(rng.choices(parts, k=rng.randint(1, 8))) for _ in range(3000)]
    comments += [rng.choice(COMMENTS)[: rng.randint(0, 30)] for _ in range(1000)]
    comments = [comment for comment in comments if "[" not in comment]
    assert read_scores(comments) == pytest.approx([expected(one, i % 2 == 0) for i, one in enumerate(comments)])


def test_the_scores_of_a_match_reach_games_queries_and_training_data() -> None:
    games = read_pgn(MATCH)
    np.testing.assert_allclose(games.evals, [np.nan, np.nan, 0.35, 0.21, 0.33, 0.40, 995, 996], rtol=1e-6)
    rows = ScoredPositions.from_games(games)
    assert rows.white_scores[rows.has_score].tolist() == [35, 21, 33, 40, 31990, 31993]
    np.testing.assert_allclose(games.emts, [np.nan, np.nan, 0.45, 0.31, 0.3, 0.29, 0.1, 0.1], rtol=1e-6)
    np.testing.assert_allclose(games.clocks, [*[np.nan] * 4, 0.611, *[np.nan] * 3], rtol=1e-6)
    assert games.search("abs(eval) > 0.3 and abs(eval) < 100").ply.tolist() == [3, 5, 6]


def test_a_bracketed_evaluation_comes_first() -> None:
    assert read_scores(
        ["+0.35/12 0.45s [%eval 0.5]", "[%clk 0:01:00] +0.35/12 0.45s", "+0.35/12 1s [%clk 0:01:00]"]
    ) == (pytest.approx([0.5, None, 0.35]))


def test_games_with_scores_are_written_as_they_were() -> None:
    games = read_pgn(MATCH, comments=True)
    file = io.BytesIO()
    write_pgn(games, file)
    again = read_pgn(file.getvalue(), comments=True)
    assert b"%eval" not in file.getvalue()
    assert again == games
    plain = io.BytesIO()
    write_pgn(read_pgn(MATCH), plain)
    np.testing.assert_array_equal(read_pgn(plain.getvalue()).evals, games.evals)


def test_a_doubtful_score_is_reported_once_a_game() -> None:
    text = b"1. e4 {+0.35} e5 {0.35/12 3} 2. Nf3 {+M2/3 0.1s} *\n\n1. e4 {book} *\n\n1. e4 {-0.5} *\n"
    games = read_pgn(text)
    assert np.isnan(games.evals).all()
    assert [warning.game for warning in games.warnings] == [1, 3]
    assert "does not say whose view it is from" in games.warnings[0].reason


def test_first_and_later_comments_are_read_alike() -> None:
    # The reader of plain moves takes the first comment of a move, and the general one a comment behind another.
    rng = random.Random(7)
    signs = "+-0123456789.,/ MsmnwvdD=#[%x"
    comments = [
        *COMMENTS,
        "d=24, sd=51, pv=e4 e5, wv=0.19, R50=50,",
        "d=1, xwv=0.1, wv=-2.50",
        "12.34/5, 1s",
        "-0.00/1 2.5s",
    ]
    comments += [comment + ", n=42103" * n for comment in comments for n in (4, 7, 8, 20)]
    comments += [
        comment + tail for comment in COMMENTS if comment.strip() for tail in (" [%clk 0:01:00]", " [%eval 1.5]", " {")
    ]
    for comment in list(comments):
        for _ in range(4):
            at = rng.randrange(len(comment) + 1)
            comments.append(comment[:at] + rng.choice(signs) + comment[at + rng.randrange(2) :])
    first, second = (
        read_pgn("\n\n".join(f'[Event "x"]\n\n1. Nf3 {text} Nf6 {text} 2. g3 *' for text in texts).encode())
        for texts in (
            [f"{{{comment}}} {{book}}" for comment in comments],
            [f"{{book}} {{{comment}}}" for comment in comments],
        )
    )
    assert len(first) == len(second) == len(comments)
    assert np.count_nonzero(~np.isnan(first.evals)) > len(comments) // 2
    for name in ("evals", "emts", "clocks"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))
    lists = first.columns.comments, second.columns.comments
    found, swapped = ([rows.rows(i) for i in range(len(comments))] for rows in lists if rows is not None)
    swapped = [[rows[k ^ 1] for k in range(4)] for rows in swapped]
    assert found == swapped
    assert found == [[(ply, text, 0) for ply in (1, 2) for text in (comment, "book")] for comment in comments]
