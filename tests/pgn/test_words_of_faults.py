"""The words of errors and warnings of games, and the texts of annotations, one call at a time."""

# ruff: noqa: RUF001  # characters that look like others are the subject

import math
import re
from typing import Any

import pytest

from rookery import Board
from rookery.pgn import annotations, faults, headers, reports
from rookery.pgn.scan import output
from rookery.pgn.scan.lexing.vocabulary import MARK


@pytest.mark.parametrize(
    ("fen", "plies", "place"),
    [
        (None, 0, "move 1."), (None, 1, "move 1..."), (None, 2, "move 2."), (None, 7, "move 4..."),
        ("4k3/8/8/8/8/8/8/4K3 b - - 0 57", 0, "move 57..."), ("4k3/8/8/8/8/8/8/4K3 b - - 0 57", 1, "move 58."),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 57", 3, "move 58..."),
    ],
)  # fmt: skip
def test_the_place_of_a_half_move(fen: str | None, plies: int, place: str) -> None:
    assert faults.place_after(Board() if fen is None else Board(fen), plies) == place


@pytest.mark.parametrize(
    ("word", "length", "words"),
    [
        ("Nf31-0", 3, "'Nf31-0': read as 'Nf3' and '1-0'"), ("e4*", 2, "'e4*': read as 'e4' and '*'"),
        ("e4+-", 2, "'e4+-': read as 'e4'"), ("o-o", 3, "'o-o': read as 'O-O'"),
        ("o-o-o+", 6, "'o-o-o+': read as 'O-O-O+'"),
        ("exd6e.p.", 8, "'exd6e.p.': read as 'exd6'"), ("exd6e.p.1/2", 8, "'exd6e.p.1/2': read as 'exd6' and '1/2'"),
        ("o-ox", 3, "'o-ox': read as 'O-O'"),
    ],
)  # fmt: skip
def test_how_a_word_is_read(word: str, length: int, words: str) -> None:
    assert faults.move_warning(word, length) == faults.warning_reason(output.READ_AS, word, length) == words


@pytest.mark.parametrize(
    ("text", "result"),
    [("1 - 0", "1-0"), ("0 - 1", "0-1"), ("½–½", "1/2-1/2"), ("½", "1/2-1/2"), ("1/2 - 1/2", "1/2-1/2"),
    ("1:0", "1-0"), ("0:1", "0-1")],
)  # fmt: skip
def test_results_that_pgn_writes_otherwise(text: str, result: str) -> None:
    assert faults.warning_reason(output.ODD_RESULT, text, 0) == f"{text!r}: read as {result!r}"


def test_marks_of_bad_games() -> None:
    for place, reason in (("move 3.", "'Ke2' is not legal"), ("move 12...", "x"), ("", "no game"), ("headers", "y")):
        comment = faults.mark(place, reason)
        assert comment == f"{MARK} {place or 'headers'}: {reason}]"
        assert faults.marked(comment) == faults.Mark(place or "headers", reason)
        assert faults.marked(f" {comment}\n more") == faults.Mark(place or "headers", reason)
    assert faults.mark("move 1.", "a {b} [c]\n d") == f"{MARK} move 1.: a (b) (c) d]"
    assert faults.marked(f"{MARK} of unknown place]") == faults.Mark("", "of unknown place")
    for text in ("", "good", MARK, "x" + faults.mark("", "y")):
        assert faults.marked(text) is None


@pytest.mark.parametrize(
    ("word", "meant", "reason"),
    [
        ("Ke2", "", "SAN move: 'Ke2' is not legal in"), ("ed", "exd5", ""), ("fe", "", "SAN move: 'fe'"),
        ("}", "", "'}' closes no comment"), ("♔e2", "Ke2", "'♔e2', read as 'Ke2': SAN move: 'Ke2' is not legal in"),
        ("Ke2", "Ke2", "SAN move: 'Ke2' is not legal in"), ("de", "de", "SAN move: 'de' is not legal in"),
    ],
)  # fmt: skip
def test_why_a_word_is_not_a_move(word: str, meant: str, reason: str) -> None:
    board = Board()
    if not reason:
        board.push_san("e4"), board.push_san("d5")
        with pytest.raises(AssertionError, match=r"expected a word that is not a legal move$"):
            faults.move_fault(board, "exd5", meant)
        return
    assert faults.move_fault(board, word, meant).startswith(reason)


def test_captures_named_by_files_are_ambiguous_where_several_are_legal() -> None:
    board = Board("4k3/8/2p5/3P4/2p5/3P4/8/4K3 w - - 0 1")
    ambiguous = faults.move_fault(board, "dc", "dc")
    assert ambiguous.startswith(f"SAN move: 'dc' is ambiguous in {board.fen()!r}: ")
    assert sorted(ambiguous.rpartition(": ")[2].split(" or ")) == ["dxc4", "dxc6"]
    assert faults.move_fault(board, "de", "de") == f"SAN move: 'de' is not legal in {board.fen()!r}"
    assert faults.move_fault(board, "cd", "cd") == f"SAN move: 'cd' is not legal in {board.fen()!r}"


@pytest.mark.parametrize(
    ("text", "value"),
    [('An\\"na', 'An"na'), ("An\\\\na", "An\\na"), ("An\\na", "An\\na"), ('An"na\\"', 'An"na\\"'), ("x\\", "x\\"),
    ("", ""), ('\\"', '"')],
)  # fmt: skip
def test_backslashes_in_values_of_headers(text: str, value: str) -> None:
    assert reports.unescaped(text) == value


# Texts of annotations.


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0:00:00"), (59.9994, "0:00:59.999"), (59.9996, "0:01:00"), (3599, "0:59:59"), (3600, "1:00:00"),
        (36000, "10:00:00"),
        (0.5, "0:00:00.5"), (0.05, "0:00:00.05"), (7.25, "0:00:07.25"), (61.001, "0:01:01.001"), (-5, "0:00:00"),
        (1000, "0:16:40"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["clk", "emt"])
def test_times_are_written_to_the_thousandth(seconds: float, text: str, name: str) -> None:
    written = f"[%{name} {text}]"
    assert annotations.with_seconds("", name, seconds) == written
    assert annotations.with_seconds("good", name, seconds) == f"good {written}"
    assert annotations.with_seconds(f"a [%{name} 1:00:00] b [%{name} 2:00:00]", name, seconds) == (
        f"a {written} b [%{name} 2:00:00]"
    )
    assert annotations.with_seconds(f"a  [%{name} 1:00:00]  b", name, None) == "a b"
    assert annotations.with_seconds("a  b", name, None) == "a  b"


@pytest.mark.parametrize(
    ("pawns", "depth", "text"),
    [
        (0, None, "0.00"), (0.354, None, "0.35"), (-0.8, 5, "-0.80,5"), (499.99, 0, "499.99,0"), (500, None, "#500"),
        (-500, None, "#-500"), (999, 12, "#1,12"), (-997, None, "#-3"), (1000, None, "#0"), (-1000, None, "#-0"),
        (1, 30, "1.00,30"),
    ],
)  # fmt: skip
def test_evaluations_are_written_in_pawns_or_moves_to_a_mate(pawns: float, depth: int | None, text: str) -> None:
    assert annotations.with_evaluation("good", pawns, depth) == f"good [%eval {text}]"
    assert annotations.with_evaluation("[%eval 9.00,3] good", pawns, depth) == f"[%eval {text}] good"
    found, depth_found = annotations.evaluation(f"[%eval {text}]")
    assert (found, depth_found) == (round(pawns, 2), depth)


@pytest.mark.parametrize(
    ("pawns", "depth"),
    [(1000.01, None), (-1001, None), (math.nan, None), ("1", None), (True, None), (1, -1), (1, 1.5), (1, True)],
)
def test_evaluations_that_are_refused(pawns: Any, depth: Any) -> None:
    with pytest.raises(
        ValueError,
        match=r"^(pawns: .*: expected a number from -1000 to 1000|depth: .*: expected an int of at least 0), or None$",
    ):
        annotations.with_evaluation("", pawns, depth)


@pytest.mark.parametrize(
    ("control", "comments", "doubted", "hours"),
    [
        ("7200+30", ["[%clk 1:59]"], [""], True), ("180+2", ["[%clk 1:59]"], [""], False),
        ("", ["[%clk 1:59]"], ["1:59"], False),
        ("", ["[%clk 1:59]", "[%clk 1:58]"], ["1:59", ""], False),
        ("", ["[%clk 1:00:00]", "[%clk 1:59]"], ["", ""], False),
        ("", ["[%clk 59:30]", "[%clk 1:59]"], ["", ""], False),
        ("", ["[%emt 1:59]", "[%clk 1:59]"], ["1:59", ""], False),
        ("", ["[%emt 1:59]", "[%emt 1:59]"], ["1:59", ""], False), ("7200", ["[%emt 1:59]"], ["1:59"], False),
        ("180", ["[%emt 1:59]"], [""], False), ("599", ["[%emt 1:59]"], [""], False),
        ("600", ["[%emt 1:59]"], ["1:59"], False),
        ("7200+30", ["[%clk 59:30]", "[%clk 1:59]"], ["", ""], False), ("", ["good"], [""], False),
        ("7200+30", ["[%clk 0:05:00]", "[%clk 1:59]"], ["", ""], True),
        ("", ["[%clk 1:59] [%emt 0:01]"], ["1:59"], False),
    ],
)  # fmt: skip
def test_times_of_two_parts(control: str, comments: list[str], doubted: list[str], hours: bool) -> None:
    times = annotations.ShortTimes(control)
    assert [times.take(comment) for comment in comments] == doubted
    assert times.are_hours is hours
    assert times.seconds("[%clk 1:59]", "clk") == (7140.0 if hours else 119.0)
    assert times.seconds("[%clk 59:30]", "clk") == 3570.0
    assert times.seconds("good", "clk") is None


@pytest.mark.parametrize(
    ("arrows", "text"),
    [
        ([], ""), ([(0, 0)], "[%csl Ga1]"), ([(0, 63)], "[%cal Ga1h8]"), ([(0, 63, "red"), (1, 1, "blue"),
        (2, 3, "orange")],
        "[%csl Bb1][%cal Ra1h8,Yc1d1]"), ([(0, 0, "green"), (7, 7, "red")], "[%csl Ga1,Rh1]"),
    ],
)  # fmt: skip
def test_arrows_and_squares(arrows: Any, text: str) -> None:
    assert annotations.with_arrows("", arrows) == text
    assert annotations.with_arrows("[%csl Ra1] good [%cal Ga1b1]", arrows) == f"{text} good".strip()
    assert annotations.with_arrows("a  b", arrows) == f"{text} a  b".strip()
    found = [tuple(arrow) for arrow in annotations.arrows(text)]
    assert sorted(found) == sorted((*arrow, "green") if len(arrow) == 2 else arrow for arrow in arrows)


# Headers.

NAME = "expected a name of letters, digits and _"
RESULTS = "expected one of 1-0, 0-1, 1/2-1/2, *"


@pytest.mark.parametrize(
    ("name", "value", "fault"),
    [
        ("White", "Anna", ""), ("White", "", ""), ("A_9", "x", ""), ("Result", "1-0", ""), ("Result", "*", ""),
        ("Variant", "Chess960", ""), ("Variant", "fischerandom", ""), ("Variant", "chess", ""), ("Variant", "", ""),
        ("", "x", f"header '': {NAME}"), ("a b", "x", f"header 'a b': {NAME}"),
        ("White\n", "x", f"header 'White\\n': {NAME}"),
        ("é", "x", f"header 'é': {NAME}"), (5, "x", f"header 5: {NAME}"), (None, "x", f"header None: {NAME}"),
        ("White", 5, "header White: 5: expected a text"), ("White", None, "header White: None: expected a text"),
        ("White", "a\nb", "header White: 'a\\nb': a line break"),
        ("White", "a\rb", "header White: 'a\\rb': a line break"),
        ("Result", "2-0", f"header Result: '2-0': {RESULTS}"), ("Result", "", f"header Result: '': {RESULTS}"),
        ("Result", "1/2", f"header Result: '1/2': {RESULTS}"),
        ("Variant", "Atomic", "header Variant: 'Atomic': expected chess or Chess960"),
        ("FEN", "x", ""),
    ],
)  # fmt: skip
def test_why_a_header_is_refused(name: Any, value: Any, fault: str) -> None:
    assert headers.header_fault(name, value) == fault
    if fault:
        with pytest.raises(ValueError, match=f"^{re.escape(fault)}$"):
            headers.Headers()[name] = value
    else:
        assert headers.Headers({name: value}) == {name: value}


def test_headers_that_are_completed() -> None:
    assert headers.announced({"White": "a", "FEN": "x", "Black": "b"}) == {
        "White": "a",
        "SetUp": "1",
        "FEN": "x",
        "Black": "b",
    }
    assert list(headers.announced({"White": "a", "FEN": "x"})) == ["White", "SetUp", "FEN"]
    assert headers.announced({"SetUp": "0", "FEN": "x"}) == {"SetUp": "0", "FEN": "x"}
    assert headers.announced({"White": "a"}) == {"White": "a"}
    complete = headers.completed({"White": "Anna", "Annotator": "Bert"})
    assert list(complete) == ["Event", "Site", "Date", "Round", "White", "Black", "Result", "Annotator"]
    assert [complete[name] for name in ("Event", "Date", "White", "Result")] == ["?", "????.??.??", "Anna", "*"]
    results = {"1-0": "1-0", "0-1": "0-1", "1/2-1/2": "1/2-1/2", "*": "*", "1/2": "*", "x": "*"}
    assert {text: headers.result_of({"Result": text}) for text in results} == results
    assert headers.result_of({}) == "*"


def test_a_header_is_set_once_by_its_default() -> None:
    given = headers.Headers(White="Anna")
    assert [given.setdefault("White", "x"), given.setdefault("Black", "Bert"), given.setdefault("Site")] == [
        "Anna",
        "Bert",
        "",
    ]
    given |= {"Round": "1"}
    assert given == {"White": "Anna", "Black": "Bert", "Site": "", "Round": "1"}
    assert given.copy() == given
    assert given.copy() is not given
    for wrong in (5, "ab", [1]):
        with pytest.raises(TypeError, match=r"^headers: .*: expected a mapping, or pairs of texts$"):
            given.update(wrong)
