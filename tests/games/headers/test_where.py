"""Conditions over headers, and games read by them: the same as reading all and choosing."""

import ast
import gzip
import itertools
import random
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rookery
from game_samples import SAMPLE, UGLY
from rookery.frames.columns import Texts
from rookery.games.games import Games
from rookery.games.headers.known_headers import UnknownHeaderError
from rookery.games.headers.where import Condition
from rookery.games.interchange.selection import mask_of
from rookery.games.read import worker
from rookery.games.read.reader import read_pgn, scan_pgn
from small_blocks import SmallBuffers
from thinning import examples, few

GAMES = """\
[Event "a"]
[White "Anna"]
[WhiteElo "2100"]
[BlackElo "1900"]
[UTCDate "2025.05.01"]
[UTCTime "12:00:00"]
[TimeControl "300+3"]
[Result "1-0"]

1. e4 e5 1-0

[Event "b"]
[White "Bert"]
[WhiteElo "1800"]
[BlackElo "1950"]
[WhiteTitle "GM"]
[UTCDate "2024.12.31"]
[Opening "Sicilian Defense: Najdorf"]
[Result "1/2-1/2"]

1. d4 d5 1/2-1/2

[Event "c"]
[White "Ärger \\"A\\""]
[WhiteElo "?"]
[Round "3"]

1. c4 {[%clk 0:01:00]} *
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("WhiteElo >= 2000", "a"),
        ("WhiteElo >= 1800", "ab"),
        ("WhiteElo < 2000", "b"),
        ("not WhiteElo >= 2000", "b"),
        ("not (WhiteElo >= 2000 or Event == 'c')", "b"),
        ("2000 <= WhiteElo", "a"),
        ("1700 < WhiteElo < 2000 <= 2000 < BlackElo or 1700 < WhiteElo < 2000", "b"),
        ("1700 < WhiteElo < 2000", "b"),
        ("1950 == BlackElo > WhiteElo < 1900", "b"),
        ("WhiteElo != 2100", "b"),
        ("WhiteElo > BlackElo", "a"),
        ("BlackElo > WhiteElo", "b"),
        ("WhiteElo in (2100, 5)", "a"),
        ("WhiteElo in (2100,)", "a"),
        ("WhiteElo in (BlackElo + 200, 5)", "a"),
        ("WhiteElo not in [2100, 5]", "b"),
        ("WhiteElo > -1.5", "ab"),
        ("WhiteElo < 1e400", "ab"),
        ("elo(white) > 2000", "a"),
        ("elo(side=black) - elo(white) == 150", "b"),
        ("not elo(white) > 2000", "b"),
        ("result(white) == 1", "a"),
        ("result(white) == result(black)", "b"),
        ("not result(white) == 0.5", "a"),
        ('header("White") == "Anna"', "a"),
        ('header("WhiteElo").startswith("2")', "a"),
        ('header("UTCDate") == "2024-12-31"', "b"),
        ('not header("WhiteTitle") == "IM"', "b"),
        ("sqrt(WhiteElo - 2000) == 10", "a"),
        ("all(WhiteElo > 1000, BlackElo > 1900)", "b"),
        ("any(WhiteElo > 2000, Round == '3')", "ac"),
        ("(WhiteElo > 2000) == (BlackElo > 1900)", ""),
        ("(WhiteElo > 2000) != (BlackElo > 1900)", "ab"),
        ("not (WhiteElo > 2000) == (BlackElo > 1900)", "ab"),
        ("White in 'Anna, Otto'", "a"),
        ("White not in 'Anna, Otto'", "bc"),
        ("not (WhiteTitle.startswith('I'))", "b"),
        ("not (not (WhiteTitle.startswith('I')))", ""),
        ("not (not (WhiteTitle.startswith('G')))", "b"),
        ("speed == 'blitz' or base == 60", "a"),
        ("year is None", "c"),
        ("not (year is None)", "ab"),
        ("date < 2025-01-01", "b"),
        ("WhiteElo < 1" + "0" * 400, "ab"),
        ("WhiteElo > 1_900", "a"),
        ("abs(WhiteElo - BlackElo) < 200", "b"),
        ("abs(WhiteElo - BlackElo) <= 200", "ab"),
        ("(WhiteElo + BlackElo) / 2 == 1875", "b"),
        ("(WhiteElo + BlackElo) // 2 % 2 == 1", "b"),
        ("min(WhiteElo, BlackElo) >= 1900", "a"),
        ("max(WhiteElo, BlackElo, 2000) == 2000", "b"),
        ("-WhiteElo * 2 < -4000", "a"),
        ("WhiteElo - -+100 == 2200", "a"),
        ("WhiteElo / (BlackElo - 1900) > 0", "b"),
        ("not WhiteElo / (BlackElo - 1900) > 0", ""),
        ("WhiteElo % 0 == 0 or WhiteElo // 0 == 0", ""),
        ("2 + 3 * 4 == 14 and WhiteElo > 0", "ab"),
        ('WhiteElo >= 2000 and TimeControl == "300+3"', "a"),
        ('WhiteElo >= 2000 and TimeControl == "300"', ""),
        ('TimeControl == "300+3" or WhiteTitle in ("GM", "IM")', "ab"),
        ('UTCDate >= "2025.01.01"', "a"),
        ('UTCDate >= "2025-01-01"', "a"),
        ("UTCDate >= 2025.01.01", "a"),
        ("UTCDate >= 2025-01-01", "a"),
        ("2024-12-31 <= UTCDate < 2025.05.01", "b"),
        ("UTCDate in (2024.12.31, '2024-12-30')", "b"),
        ('"2025.01.01" > UTCDate', "b"),
        ('UTCTime == "12:00:00"', "a"),
        ("UTCTime == 12:00:00", "a"),
        ('"Najdorf" in Opening', "b"),
        ('"Najdorfer" in Opening', ""),
        ('"najdorf" in Opening.lower()', "b"),
        ('"" in Opening', "b"),
        ('"Najdorf" not in Opening', ""),
        ('Opening.endswith("Najdorf")', "b"),
        ('Opening.endswith("Sicilian Defense: Najdorf")', "b"),
        ('Opening.endswith("a Sicilian Defense: Najdorf")', ""),
        ('White.startswith("A")', "a"),
        ('White.startswith(("B", "A"))', "ab"),
        ('White.startswith("Anna!")', ""),
        ('White.startswith("Ä")', "c"),
        ('White.lower().startswith("ä")', "c"),
        ("White == 'Ärger \"A\"'", "c"),
        ('White == "Ärger \\"A\\""', "c"),
        ("White == Event", ""),
        ("White.lower() >= Event", "abc"),
        ("Event < White", "c"),
        ("Event > White", "ab"),
        ('White < "B"', "a"),
        ('"B" > White', "a"),
        ('White >= "Bert"', "bc"),
        ('White > "Ber"', "bc"),
        ('White <= "Berta"', "ab"),
        ('Round == "3"', "c"),
        ('`Round` == "3"', "c"),
        ('Result == "1/2-1/2"', "b"),
        ("WhiteTitle is None", "ac"),
        ("WhiteTitle is not None", "b"),
        ('Annotator == "x"', ""),
        ("WhiteElo == 2100 or WhiteElo == 1800 or WhiteElo == 7", "ab"),
        ("WhiteElo > 0 or Round == '3'", "abc"),
        ("plies == 1", "c"),
        ("plies > 1 and WhiteElo > 2000", "a"),
        ("not (plies > 1 or WhiteElo > 5000)", ""),
        ("plies == 1 or WhiteElo > 2000", "ac"),
        ("WhiteElo + plies == 1802", "b"),
        ("not plies % 2 == 1", "ab"),
        ("final_signature == 'KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP'", "abc"),
        ("final_signature.lower().endswith('q') or WhiteElo == 2100", "a"),
        ("promotions == '' and WhiteElo < 2000", "b"),
        ("not 'Q' in promotions and not promotions > 'N'", "abc"),
        ("white_pawn_squares == 0xFF00 or white_pawn_squares == 0x800FF00", "b"),
        ("white_pawn_squares & e4", "a"),
        ("not white_pawn_squares & (e4 | d4)", "c"),
        ("count(white_pawn_squares - rank(2)) == 1 and WhiteElo > 2000", "a"),
        ("c4 in white_pawn_squares or black_pawn_squares & e5", "ac"),
    ],
)
def test_conditions(text: str, expected: str) -> None:
    for threads in (1, 2):
        games = read_pgn(GAMES.encode(), where=text, threads=threads)
        assert "".join(games["Event"]) == expected
    assert games.numbers.tolist() == ["abc".index(name) + 1 for name in expected]


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", None, "'': expected a condition such as WhiteElo >= 2000"),
        ("WhiteElo >=", (11, 1), "the condition ends: expected a header, a number"),
        ("WhiteElo", (0, 8), "WhiteElo: expected a condition: compare the number, as in WhiteElo > 0"),
        ("WhiteElo and Round == '3'", (0, 8), "WhiteElo: expected a condition: compare the number"),
        ("White", (0, 5), "expected a comparison, such as WhiteElo >= 2000"),
        ("True", (0, 4), "expected the name of a header, such as WhiteElo >= 2000"),
        ("WhiteElo >= '2000'", (12, 6), "expected a number such as 2000, which WhiteElo is: write 2000 without quotes"),
        ("White >= 2000", (9, 4), 'expected a text such as "Anna", which White is: write "2000" with quotes'),
        ("UTCDate > '2025.05'", (10, 9), "expected a date such as 2025-05-01, which UTCDate is"),
        ("UTCDate > '2025-05.01'", (10, 12), "expected a date such as 2025-05-01"),
        ("UTCDate > '20250501'", (10, 10), "expected a date such as 2025-05-01"),
        ("UTCDate > 2025-5-1", (10, 8), "2025-5-1: expected a date such as 2025-05-01, which UTCDate is"),
        ("UTCDate > 2025-5-01", (17, 2), "expected a number without leading zeros; a date is written 2025-05-01"),
        ("UTCDate > 2025.5.1", (10, 6), "a date is written 2025-05-01"),
        ("UTCDate > 2025-02-30", (10, 10), "2025-02-30: expected a date that exists"),
        ("UTCDate > 2025", (10, 4), "2025: expected a date such as 2025-05-01"),
        ("WhiteElo > 2025-10-11", (11, 10), "expected a number such as 2000, which WhiteElo is"),
        ("UTCDate - 2025-10-11 > 3", (0, 7), "UTCDate: expected a number"),
        ("UTCTime > 5", (10, 1), "expected a time such as 23:59:59"),
        ("UTCTime > 25:00:00", (10, 8), "expected a time that exists"),
        ("White > WhiteElo", (8, 8), "expected a text"),
        ("WhiteElo > UTCDate", (11, 7), "expected a number"),
        ("WhiteElo == None", (12, 4), "expected 'is None' or 'is not None'"),
        ("WhiteElo == (5, 6)", (12, 6), "expected a value to compare"),
        ("1 < 2", (0, 5), "expected the name of a header"),
        ("WhiteElo in 'abc'", (12, 5), "expected values in brackets"),
        ("White in ()", (9, 2), "expected values in brackets"),
        ("White in (5,)", (10, 1), "expected a text"),
        ("'a' in WhiteElo", (7, 8), "expected values in brackets"),
        ("White + 1 > 2", (0, 5), "White: expected a number"),
        ("__import__('os').system('x')", (0, 10), "expected the name of a function, such as elo, header or abs"),
        ("White.contains('x')", (6, 8), "expected in: write 'x' in White"),
        ("White.matches('x')", (6, 7), "there are no regular expressions"),
        ("White.upper() == 'X'", (6, 5), "expected lower"),
        ("White.", (6, 1), "the condition ends: expected a name after '.'"),
        ("White.lower == 'x'", (6, 5), "expected startswith, endswith or lower, with brackets"),
        ("White.startswith(text='x')", (17, 4), "expected a value without the name of an argument"),
        ("WhiteElo.x > 5", (0, 8), "expected a text, such as White"),
        ("White.x > 5", (6, 1), "expected startswith, endswith or lower"),
        ("WhiteElo > 5 & BlackElo > 5", (13, 1), "&: expected 'and'"),
        ("(WhiteElo > 5) | (BlackElo > 5)", (15, 1), "|: expected 'or'"),
        ("WhiteElo ^ BlackElo > 5", (9, 1), "expected an operator, such as 'and'"),
        ("~WhiteElo > 5", (0, 1), "~: expected 'not'"),
        ("White in {}", (9, 2), "expected values in brackets"),
        ("True(5) > WhiteElo", (0, 4), "expected the name of a function"),
        ("White.startswith('x', 1)", (0, 24), "expected one text within the brackets"),
        ("White.startswith(5)", (17, 1), "expected a text in quotes"),
        ("WhiteElo.startswith('5')", (0, 8), "expected a text, such as White"),
        ("abs(1, 2) > WhiteElo", (7, 1), "expected one argument: abs(number)"),
        ("min() > WhiteElo", (0, 5), "expected the argument numbers: min(numbers, ...)"),
        ("UTCDate.startswith('2')", (0, 7), "for the year alone, write year == 1886"),
        ("WhiteElo < 0xff", (11, 4), "expected a number: a hexadecimal number is a set, so write 255"),
        (
            'header("WhiteElo") > 2000',
            (21, 4),
            'which header("WhiteElo") is: write WhiteElo instead of header("WhiteElo")',
        ),
        ("elo(us) > 2000", (0, 7), "expected elo(white) or elo(black): a game has no side to move"),
        ("elo > 2000", (0, 3), "expected elo(white) or elo(black): a game has no side to move"),
        ("us.pawns > 3", (0, 8), "expected a value of the game alone, such as WhiteElo, elo(white) or plies"),
        ("phase == 'x'", (0, 5), "; a header of this name is written `phase`"),
        ("ello(white) > 3", (0, 4), "expected a name of the language; did you mean elo?"),
        ("(lambda: 1)() > WhiteElo", (7, 1), "expected a name, a number"),
        ("[x for x in y]", (3, 3), "expected ',' or ']'"),
        ("White is Black", (9, 5), "expected 'None'"),
        ("5 is None", (0, 1), "expected a header before 'is None'"),
        ("White == '\ud800'", None, "lone surrogates"),
        ("WhiteElo >= True", (12, 4), "expected a number"),
        ("White = 'Anna'", (6, 1), "=: expected '=='"),
        ("White == 'Anna' && Round == '1'", (16, 2), "expected 'and'"),
        ("White == 'Anna' OR Round == '1'", (16, 2), "expected 'or' in lower case"),
        ("NOT White == 'Anna'", (0, 3), "expected 'not' in lower case"),
        ("White == 'Anna", (9, 1), "expected a text that ends with the quote"),
        ("WhiteElo > 1; WhiteElo > 2", (12, 1), "expected a name"),
        ("a" * 20_000, None, "20,000 characters: expected at most 10,000"),
        ("(" * 500 + "WhiteElo > 1" + ")" * 500, None, "nested too deep"),
        ("not " * 2400 + "WhiteElo > 1", None, "nested too deep"),
        ("-" * 2400 + "WhiteElo > 1", None, "nested too deep"),
        ("WhiteElo" + "+ 1" * 2400 + "> 1", None, "nested too deep"),
    ],
)
def test_what_is_no_condition(text: str, place: tuple[int, int] | None, message: str) -> None:
    with pytest.raises(ValueError, match="^where: .*" + re.escape(message)) as caught:
        read_pgn(GAMES.encode(), where=text)
    if place is not None:
        _, quoted, caret = str(caught.value).split("\n")
        assert quoted == "    " + text
        assert caret == " " * (4 + place[0]) + "^" * place[1]


WORDS = [
    *("WhiteElo White UTCDate UTCTime plies date `Round` Nothing abs min max lower startswith".split()),
    *("'Anna' \"x\" '2025-05-01' 2000 1.5 0xff 2025-05-01 2025-02-30 12:00:00 None True".split()),
    *("and or not in is == != < <= > >= + - * / // % & | ^ ~ ( ) [ ] { } , . = and or ( )".split()),
]


@examples(500)
@given(st.one_of(st.lists(st.sampled_from(WORDS), max_size=16).map(" ".join), st.text(max_size=30)))
def test_any_text_is_a_condition_or_an_error_with_a_caret(text: str) -> None:
    try:
        condition = Condition(text)
    except ValueError as error:
        lines = str(error).split("\n")
        assert lines[0].startswith("where: ")
        assert not text.strip() or "lone surrogates" in lines[0] or set(lines[2].strip()) == {"^"}
    else:
        assert condition.names or condition.of_moves


def test_errors_are_safe_to_print_and_short() -> None:
    with pytest.raises(ValueError, match="expected a comparison") as caught:
        Condition("White == '\x1b[31m' and Ä")
    assert str(caught.value).split("\n")[1:] == ["    White == '\\x1b[31m' and Ä", " " * 28 + "^"]
    with pytest.raises(ValueError, match="expected a number") as caught:
        Condition("WhiteElo > 1 or " * 300 + "WhiteElo > 'x'" + " or WhiteElo > 1" * 300)
    _, quoted, caret = str(caught.value).split("\n")
    assert len(quoted) < 180
    assert quoted[caret.index("^") : caret.rindex("^") + 1] == "'x'"


def test_a_misspelt_header_of_a_wrong_kind_is_named() -> None:
    for text in ("WhitElo > 1", "abs(WhitElo - BlackElo) < 100", "2000 <= WhitElo"):
        with pytest.raises(ValueError, match=r"No usual header is called 'WhitElo'; did you mean 'WhiteElo'\?$"):
            Condition(text)
    with pytest.raises(ValueError, match="expected a number") as caught:
        Condition('WhiteElo > "WhitElo"')
    assert "did you mean" not in str(caught.value)


def test_headers_that_no_game_has() -> None:
    with pytest.raises(
        UnknownHeaderError, match=r"^where: 'WhitElo': no game has this header; did you mean 'WhiteElo'\?$"
    ):
        read_pgn(GAMES.encode(), where='WhitElo >= "2000"')
    with pytest.raises(UnknownHeaderError, match="did you mean 'plies'"):
        read_pgn(GAMES.encode(), where='Plies >= "20"', threads=2)
    with pytest.raises(UnknownHeaderError, match=r"'Nothing': no game has this header: expected a header of the games"):
        read_pgn(GAMES.encode(), where="Nothing is None or WhiteElo > 0")
    with pytest.raises(UnknownHeaderError) as caught:
        read_pgn(GAMES.encode(), where='Nothing == "a" or Else == "b"', moves=False)
    assert caught.value.names == ("Nothing", "Else")
    table = pa.table({"movetext": ["1. e4 *"], "Rating": [5]})
    with pytest.raises(UnknownHeaderError, match="'Ratin': no game has this header; did you mean 'Rating'"):
        read_pgn(table, where='Ratin == "5"')
    with scan_pgn(GAMES.encode() * 100, games=1, where='White == "Anna" or Nothing == "a"') as scan:
        assert len(next(scan)) == 1
        with pytest.raises(UnknownHeaderError):
            list(scan)
    assert len(read_pgn(b"", where='Nothing == "a"')) == 0


def test_unknown_headers_of_a_damaged_file() -> None:
    """What follows may have them: the games are kept, with a warning."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        games = read_pgn(gzip.compress(GAMES.encode())[:-4], where='Nothing == "a" or WhiteElo > 0')
    assert games["Event"].tolist()[:2] == ["a", "b"]
    assert any("'Nothing': no game has this header" in str(warning.message) for warning in caught)


@pytest.mark.parametrize("name", ["Annotator", "BroadcastName", "WhiteFideId", "OfMyOwn", "WhitElo"])
@pytest.mark.parametrize("threads", [1, 2])
def test_headers_that_few_games_have(name: str, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A header may be in the last block alone."""
    monkeypatch.setattr(worker, "Buffers", SmallBuffers)
    text = GAMES * 50 + f'\n[Event "last"]\n[{name} "x"]\n\n1. e4 *\n' + GAMES
    games = read_pgn(text.encode(), where=f'{name} == "x"', threads=threads)
    assert games["Event"].tolist() == ["last"]
    assert games.numbers.tolist() == [151]


def test_plies_need_moves() -> None:
    with pytest.raises(ValueError, match=r"^where: 'plies > 5': plies: known only when moves are read: expected moves"):
        read_pgn(b"", where="plies > 5", moves=False)


HEADERS = ("WhiteElo", "BlackElo", "White", "Black", "UTCDate")


def conditions() -> st.SearchStrategy[str]:
    """Conditions that Python can evaluate, too."""
    numbers = st.recursive(
        st.sampled_from(["WhiteElo", "BlackElo", "plies", "5", "2000", "1.5", "0"]),
        lambda inner: st.one_of(
            st.tuples(inner, st.sampled_from("+-*/%"), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
            st.tuples(inner, inner).map(lambda t: f"({t[0]} // {t[1]})"),
            inner.map(lambda t: f"abs({t})"),
            inner.map(lambda t: f"-{t}"),
            st.tuples(st.sampled_from(["min", "max"]), inner, inner).map(lambda t: f"{t[0]}({t[1]}, {t[2]})"),
        ),
        max_leaves=5,
    )
    texts = st.sampled_from(["White", "Black", "'Anna'", "'B'", "White.lower()", "''"])
    dates = st.sampled_from(["UTCDate", "'2025.05.01'", "'2024.12.31'"])
    signs = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])
    compared = [st.tuples(kind, signs, kind).map(" ".join) for kind in (numbers, texts, dates)] + [
        st.tuples(numbers, signs, numbers, signs, numbers).map(" ".join)
    ]
    others = [
        st.tuples(
            st.sampled_from(["'n'", "'Ä'"]), st.sampled_from(["in", "not in"]), st.sampled_from(["White", "Black"])
        ).map(" ".join),
        st.tuples(st.sampled_from(["White", "Black"]), st.sampled_from(["startswith", "endswith"])).map(
            lambda t: f"{t[0]}.{t[1]}('a')"
        ),
        st.tuples(st.sampled_from(HEADERS), st.sampled_from(["is None", "is not None"])).map(" ".join),
    ]
    return st.recursive(
        st.one_of(*compared, *others),
        lambda inner: st.one_of(
            inner.map(lambda t: f"not ({t})"),
            st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        ),
        max_leaves=4,
    )  # fmt: skip


def by_python(text: str, game: dict[str, Any]) -> bool | None:
    """A condition judged by Python for one game, in three-valued logic: the tree of `ast` walked over plain values."""

    def value(node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=constant):
                return constant
            case ast.Name(id=name):
                return game.get(name)
            case ast.UnaryOp(operand=operand):
                inner = value(operand)
                return None if inner is None else -inner
            case ast.Call(func=ast.Attribute(value=inner_node)):
                inner = value(inner_node)
                return None if inner is None else inner.lower()
            case ast.Call(func=ast.Name(id=name), args=arguments):
                given = [value(argument) for argument in arguments]
                functions: dict[str, Any] = {"abs": abs, "min": min, "max": max}
                return None if None in given else functions[name](*given)
            case ast.BinOp(left=left, op=op, right=right):
                a, b = value(left), value(right)
                if a is None or b is None:
                    return None
                signs = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Mod: "%", ast.FloorDiv: "//"}
                try:
                    return eval(f"a {signs[type(op)]} b", {"a": float(a), "b": float(b)})
                except ZeroDivisionError:
                    return None
        raise AssertionError(ast.dump(node))

    def compared(left: ast.expr, op: ast.cmpop, right: ast.expr) -> bool | None:
        a, b = value(left), value(right)
        if isinstance(op, ast.Is):
            return a is None
        if isinstance(op, ast.IsNot):
            return a is not None
        if a is None or b is None:
            return None
        if isinstance(a, str) and isinstance(b, str):
            a, b = a.encode(), b.encode()
        names = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
        names |= {ast.In: "in", ast.NotIn: "not in"}
        return bool(eval(f"a {names[type(op)]} b", {"a": a, "b": b}))

    def all_of(answers: list[bool | None]) -> bool | None:
        return False if False in answers else None if None in answers else True

    def answer(node: ast.expr) -> bool | None:
        match node:
            case ast.BoolOp(op=ast.And(), values=parts):
                return all_of([answer(part) for part in parts])
            case ast.BoolOp(values=parts):
                answers = [answer(part) for part in parts]
                return True if True in answers else None if None in answers else False
            case ast.UnaryOp(operand=operand):
                inner = answer(operand)
                return None if inner is None else not inner
            case ast.Compare(left=left, ops=ops, comparators=rights):
                return all_of([compared(a, op, b) for a, op, b in zip([left, *rights], ops, rights, strict=False)])
            case ast.Call(func=ast.Attribute(value=inner_node, attr=name), args=[argument]):
                text = value(inner_node)
                return None if text is None else bool(getattr(text, name)(value(argument)))
        raise AssertionError(ast.dump(node))

    return answer(ast.parse(text, mode="eval").body)


GAME = st.fixed_dictionaries(
    {"plies": st.integers(0, 3)},
    optional={
        "WhiteElo": st.sampled_from([0, 5, 1999, 2000, 2001, -7]),
        "BlackElo": st.sampled_from([0, 5, 2000, 3000]),
        "White": st.sampled_from(["", "Anna", "anna", "B", "Äa"]),
        "Black": st.sampled_from(["", "Anna", "B", "ÄÄn"]),
        "UTCDate": st.sampled_from(["2025.05.01", "2024.12.31", "2025.05.02"]),
    },
)


@examples(150)
@given(conditions(), st.lists(GAME, min_size=1, max_size=12))
def test_as_python_judges(text: str, games: list[dict[str, Any]]) -> None:
    assume(any(name in text for name in (*HEADERS, "plies")))
    lines = []
    for i, game in enumerate(games):
        lines += [f'[Event "{i}"]', *(f'[{name} "{value}"]' for name, value in game.items() if name != "plies")]
        lines += ["", " ".join((*["e4", "e5", "Nf3"][: game["plies"]], "*")), ""]
    found = read_pgn("\n".join(lines).encode(), where=text)
    assert found["Event"].tolist() == [str(i) for i, game in enumerate(games) if by_python(text, game)]


def test_wrong_type() -> None:
    with pytest.raises(TypeError, match=r"^where: 5: expected a text like"):
        scan_pgn(b"", where=5)  # type: ignore[arg-type]


CONDITIONS = (
    'White == "Anna"', "WhiteElo >= 2000", "WhiteTitle is None", 'not Event == "b"', 'Result == "1-0"', 'Round != "9"',
    'Event == "bad" or Event == "c"',
)  # fmt: skip


def chosen(games: Games, condition: Condition) -> Games:
    columns = {name: games.headers[name] for name in condition.names if name != "Result"}
    if "Result" in condition.names:
        columns["Result"] = Texts.of(list(games.results))
    return games[condition.mask(columns, len(games))]


STATED = ("1-0", "0-1", "1/2-1/2", "1/2", "*", "?", "", "1-0 ff", None)
MARKS = ("", "1-0", "0-1", "1/2-1/2", "*")


def test_result_is_that_of_the_game_everywhere(tmp_path: Path) -> None:
    """The header states it, and if it does not, the moves: over PGN, Parquet, texts of a table, and in memory."""
    texts: list[str] = []
    for stated, mark in itertools.product(STATED, MARKS):
        header = "" if stated is None else f'[Result "{stated}"]\n'
        texts.append(f'[Event "{len(texts)}"]\n{header}\n1. e4 {mark}\n\n')
    pairs = list(itertools.product(STATED, MARKS))
    known = {"1-0": "1-0", "0-1": "0-1", "1/2-1/2": "1/2-1/2", "1/2": "1/2-1/2"}
    results = [known.get(stated or "", mark or "*") for stated, mark in pairs]
    path, parquet = tmp_path / "games.pgn", tmp_path / "games.parquet"
    path.write_text("".join(texts))
    games = read_pgn(path)
    assert games.results.tolist() == results
    rookery.write_parquet(games, parquet)
    column = pa.array(texts)
    events, moves = [str(i) for i in range(len(pairs))], [f"1. e4 {mark}" for _, mark in pairs]
    table = pa.table({"Event": events, "Result": [stated for stated, _ in pairs], "movetext": moves})
    for operator, result in itertools.product(("==", "!="), ("1-0", "0-1", "1/2-1/2", "*")):
        for also in ("", " and plies == 1", ' and Event != "7"', ' or Event == "7"'):
            where = f'Result {operator} "{result}"{also}'
            expected = [
                str(i)
                for i, found in enumerate(results)
                if ((found == result) == (operator == "==") and not ("!=" in also and i == 7))
                or ("or" in also and i == 7)
            ]
            assert read_pgn(path, where=where)["Event"].tolist() == expected, where
            assert read_pgn(parquet, where=where)["Event"].tolist() == expected, where
            assert read_pgn(column, where=where)["Event"].tolist() == expected, where
            assert read_pgn(table, where=where)["Event"].tolist() == expected, where
            assert games[mask_of(games, where)]["Event"].tolist() == expected, where
            assert read_pgn(path, where=f"not ({where})")["Event"].tolist() == [
                str(i) for i in range(len(texts)) if str(i) not in expected
            ]
    assert len(read_pgn(path, where="Result is None")) == 0


def scrambled(seed: int) -> str:
    """Games cut and put together in odd ways."""
    rng = random.Random(seed)
    pieces = [p + "\n\n" for p in (GAMES + "\n" + UGLY + "\n" + SAMPLE.read_text()).split("\n\n")]
    odd = [
        '[White "Anna"]\n', "\n\n", "1. e4 *\n\n", "{ open\n\n", "; 1-0\n\n", ' [Event "c"]\n', "% 1-0\n", "\r\n",
        "1-0\n\n",
        '[Event "c"][White "Anna"]\n', '[WhiteElo "2001"] \n', "( 1. e4\n", "\ufeff",
        '[Event "b"]\n{x}\n[White "Anna"]\n\n*\n\n',
    ]  # fmt: skip
    text = [rng.choice(pieces if rng.random() < 0.75 else odd) for _ in range(60)]
    joined = "".join(text)
    return joined.replace("\n", "\r\n") if seed % 5 == 4 else joined


@pytest.mark.parametrize("seed", few(range(20), 8))
def test_in_small_blocks(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "Buffers", SmallBuffers)
    test_as_if_all_were_read(100 + seed)


@pytest.mark.parametrize("seed", few(range(40), 12))
def test_as_if_all_were_read(seed: int) -> None:
    text = scrambled(seed).encode()
    columns = read_pgn(text).columns
    for condition in map(Condition, CONDITIONS):
        headers = ["Event", *(name for name in condition.names if name not in ("Event", "Result"))]
        every = Games(columns.replace(headers=columns.headers | read_pgn(text, headers=headers).headers))
        expected = chosen(every, condition)
        games = read_pgn(text, headers=headers, where=condition.text, threads=1 + seed % 2)
        # Of what was passed over only the number of games may be another: those that have no headers are not counted.
        assert games["Event"].tolist() == expected["Event"].tolist(), condition
        assert games.moves == expected.moves
        assert games.offsets.tolist() == expected.offsets.tolist()
        assert [(e.line, e.offset, e.reason) for e in games.errors] == [
            (e.line, e.offset, e.reason) for e in expected.errors
        ]


def test_many_blocks(tmp_path: Path) -> None:
    """Blocks of four megabytes, packed or not, in threads or not."""
    sample = SAMPLE.read_bytes()
    path = tmp_path / "games.pgn"
    with path.open("wb") as file:
        for _ in range(500):
            file.write(sample)
    name = read_pgn(sample)["White"][5]
    for threads in (1, 2):
        games = read_pgn(path, where=f'White == "{name}"', threads=threads)
        assert len(games) == 500
        assert games.numbers.tolist() == list(range(6, 6000, 12))
        assert np.unique(np.diff(games.offsets)).tolist() == [len(sample)]
    with scan_pgn(path, where=f'White == "{name}"', games=7) as scan:
        assert [len(part) for part in scan] == [7] * 71 + [3]


def test_headers_alone() -> None:
    for threads in (1, 2):
        games = read_pgn(GAMES.encode(), where="WhiteElo > 0", moves=False, threads=threads)
        assert games["Event"].tolist() == ["a", "b"]
        assert games.moves.moves.size == 0
