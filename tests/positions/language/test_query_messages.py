"""The messages for mistakes that people make: what was expected, and where the carets are."""

import re

import pytest

from rookery import Positions, Query, read_pgn, search

# By text: a message, and under the text carets.
MISTAKES = """
us.pawn
^^^^^^^
us.pawn: expected an attribute of us; did you mean us.pawns?

them.horses & center
^^^^^^^^^^^
them.horses: expected one of them.pawns, them.knights, them.bishops, them.rooks, them.queens, them.king, them.pieces

our.pawns
^^^
our: expected us, them, white, black or move before the dot; did you mean us.pawns?

move.capture == "Q"
^^^^^^^^^^^^
move.capture: expected an attribute of move; did you mean move.captures?

move.captures()
^^^^^^^^^^^^^^^
move.captures(): expected move.captures without brackets

us.knights & knight_atacks(them.king)
             ^^^^^^^^^^^^^
unknown name knight_atacks: expected a name of the language; did you mean knight_attacks?

is_check and checkmate
             ^^^^^^^^^
unknown name checkmate: expected a name of the language; did you mean is_mate?

captures and is_check
^^^^^^^^
unknown name captures: expected a name of the language; did you mean move.captures?

e9 & us
^^
unknown name e9: expected a name of the language, such as us.knights, center or is_check

WhitElo > 2000
^^^^^^^
unknown name WhitElo: expected a name of the language; did you mean WhiteElo?

White & center
^^^^^
White: expected a set of squares, such as us.knights; did you mean white?

header("WhiteElo") > 2000
                     ^^^^
2000: expected a text such as "Anna", which header("WhiteElo") is: write WhiteElo instead of header("WhiteElo")

header("UTCDate") > 2025-05-01
                    ^^^^^^^^^^
2025-05-01: expected a text such as "Anna", which header("UTCDate") is: write UTCDate instead of header("UTCDate")

Round == 3
         ^
3: expected a text such as "Anna", which Round is: write "3" with quotes

UTCDate > "2025"
          ^^^^^^
"2025": expected a date such as 2025-05-01, which UTCDate is

WhiteElo > "2000"
           ^^^^^^
"2000": expected a number such as 2000, which WhiteElo is: write 2000 without quotes

White.upper() == "ANNA"
      ^^^^^
upper: expected lower

White.startswith(1)
                 ^
1: expected a text in quotes

is_check is None
^^^^^^^^
is_check: expected a value that may be missing, such as clock or WhiteElo, before 'is None' or 'is not None'

clock == None
         ^^^^
None: expected 'is None' or 'is not None'

is_check & is_mate
^^^^^^^^
is_check: expected a set of squares; conditions are joined by 'and'

us.king | is_mate
          ^^^^^^^
is_mate: expected a set of squares; conditions are joined by 'or'

count(us.pawns and center)
      ^^^^^^^^^^^^^^^^^^^
us.pawns and center: expected a set of squares, such as us.knights

~is_check
 ^^^^^^^^
is_check: expected a set of squares; a condition is negated by 'not'

is_check && is_mate
         ^^
&&: expected 'and'

is_check AND is_mate
         ^^^
AND: expected 'and' in lower case

count(us.pawns) = 3
                ^
=: expected '=='

us.pawns > 3
^^^^^^^^
us.pawns: expected a number: count(...) is the size of a set, as in count(us.pawns)

us.pawns > them.pawns
         ^
>: expected == or != between sets; count(...) is the size of a set

us.pawns + them.pawns
         ^
+: expected | between sets, or count(...) of each

count(us.pawns) and is_check
^^^^^^^^^^^^^^^
count(us.pawns): expected a condition: compare the number, as in count(us.pawns) > 0

count(us.pawns) == "3"
                   ^^^
"3": expected a number such as 2000, which count(us.pawns) is: write 3 without quotes

move.piece == N
              ^
N: expected a text in quotes, such as "N" for a knight

attacks(us, N)
            ^
N: expected a kind of piece in quotes, such as "N" or "knight"

attackers(e4)
^^^^^^^^^^^^^
attackers(e4): expected the argument by: attackers(squares, by)

attackers(e4, knight)
              ^^^^^^
knight: expected us, them, white or black as by of attackers(squares, by)

attackers(e4, us, them)
                  ^^^^
them: expected at most 2 arguments: attackers(squares, by)

is_check(us)
         ^^
us: expected no arguments: is_check

attacks(us, kind="N")
            ^^^^^^^^
kind="N": expected the name of an argument: attacks(side, piece=None)

pinned(us, side=us)
           ^^^^^^^
side=us: expected each argument once: pinned(side=us, line=None)

rank(9) & us
     ^
9: expected a rank from 1 to 8

file(a)
     ^
a: expected files from a to h, such as "a" or "abc"

pinned(us, "column")
           ^^^^^^^^
"column": expected the name of a line: rank, file, diagonal, antidiagonal

shift(us.pawns, "north", 1000000000)
                         ^^^^^^^^^^
1000000000: expected a number of steps from 0 to 8

moved(us.king)
      ^^^^^^^
us.king: expected a piece by its square at the start, as in moved(piece(e1))

pattern("KQ/K")
        ^^^^^^
"KQ/K": expected ranks of one length; '*' fills a rank

echo(is_check, "mirorr")
               ^^^^^^^^
"mirorr": expected symmetries: mirror, flip, rotate, dihedral, colors, shift

within(is_check, is_mate)
       ^^^^^^^^
is_check: expected a number of half-moves from 1 to 10,000, as plies of within(plies, conditions, ...)

after(ply > 3)
      ^^^
ply: expected a value of the position alone within after(...), not of its game or a move

possible(then(move.captures, is_check))
         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
then(move.captures, is_check): expected a value without the move in question within possible(...)

count(us.pawns
     ^
(: expected ')' that closes this bracket

us.pawns them.pawns
         ^^^^
them: expected an operator, such as 'and' or '=='

us.pawns &
          ^
the query ends: expected a set, a number or a condition, such as us.knights or count(us.pawns) > 4

ply > 2025-05-01
      ^^^^^^^^^^
2025-05-01: expected a number such as 2000, which ply is

board.is_check()
^^^^^
board: expected us, them, white, black or move before the dot; did you mean is_check?

board.pieces(chess.KNIGHT, chess.WHITE)
^^^^^
board: expected us, them, white, black or move before the dot; did you mean us.pieces?

len(us.pawns) > 3
^^^
unknown name len: expected a name of the language; did you mean count?

us.pawns.count() > 3
^^^^^^^^
us.pawns: expected us, them, white, black or move before the dot; did you mean count(us.pawns)?

white_pawns & center
^^^^^^^^^^^
unknown name white_pawns: expected a name of the language; did you mean white.pawns?

elo.white > 2000
^^^
elo: expected us, them, white, black or move before the dot; did you mean elo(white)?

us.material > 30
^^^^^^^^^^^
us.material: expected an attribute of us; did you mean material(us)?

move.to == e4
^^^^^^^
move.to: expected an attribute of move; did you mean move.to_square?

count(us.pawns) => 3
                ^
=: expected '>='

ply > 10 & is_check
      ^^
10: expected a set of squares; conditions are joined by 'and'

us.king == E1
           ^^
unknown name E1: expected a name of the language; did you mean e1?

us.king == "e1"
           ^^^^
"e1": expected a set such as us.knights, which us.king is; did you mean e1?

attackers("e4", us)
          ^^^^
"e4": expected a set of squares, such as us.knights, as squares of attackers(squares, by); did you mean e4?

us.pawns & 255
           ^^^
255: expected a set of squares, such as us.knights; a number that is a set is hexadecimal, such as 0xff

attacks(us.knights)
        ^^^^^^^^^^
us.knights: expected us, them, white or black as side of attacks(side, piece=None); did you mean attacks(us, "knight")?

hanging(them.queens)
        ^^^^^^^^^^^
them.queens: expected us, them, white or black as side of hanging(side=us); did you mean them.queens & hanging(them)?

material("us")
         ^^^^
"us": expected us, them, white or black as side of material(side=us); did you mean us?

pawns(us)
      ^^
us: expected no arguments: pawns; did you mean us.pawns?

king & center
^^^^
unknown name king: expected a name of the language; did you mean us.king or kings?

moved(d8)
      ^^
d8: expected a piece by its square at the start, as in moved(piece(d8))

move.piece == "horse"
              ^^^^^^^
"horse": expected the letter of a piece, such as "N"

move.san == Nf3
            ^^^
Nf3: expected a text in quotes: "Nf3"

move == "Nf3"
^^^^
move: expected an attribute of the move, such as move.san or move.piece

signature == "KRPKR"
             ^^^^^^^
"KRPKR": expected a signature such as "KRPvKR": White's pieces, then Black's, each in the order KQRBNP

signature == KRPvKR
             ^^^^^^
KRPvKR: expected a text in quotes: "KRPvKR"

result == "1-0"
          ^^^^^
"1-0": expected a number such as 2000, which result is; result(white) == 1 or Result == "1-0" where White won

Eco == "B01"
^^^
unknown name Eco: expected a name of the language; did you mean ECO?

header["White"] == "Anna"
      ^
[: expected an operator, such as 'and' or '=='; arguments are written in (...)

clock < 00:00:30
        ^^^^^^^^
00:00:30: expected a number such as 2000, which clock is; a time is a number of seconds, such as 30

echo("mirror")
     ^^^^^^^^
"mirror": expected a condition, such as is_check or count(us.pawns) > 4, as condition of echo(condition=None, under="")

threefold
^^^^^^^^^
unknown name threefold: expected a name of the language; did you mean repetitions >= 3?

is_check and chain_bse
             ^^^^^^^^^
unknown name chain_bse: expected a name of the language; did you mean chain_base?

piece("e1")
      ^^^^
"e1": expected a square, as in piece(e1)

move.piece == “N”
              ^
“: expected the quote '"'

us.pawns \N{EN DASH} center
         ^
\N{EN DASH}: expected the sign '-'

count(us.pawns) ≥ 3
                ^
≥: expected the sign '>='

us.pawns.count > 3
^^^^^^^^
us.pawns: expected us, them, white, black or move before the dot; did you mean count(us.pawns)?

0b11 & us
^^^^
0b11: expected a name, a number, a text in quotes or an operator
"""
CASES = [case.split("\n") for case in MISTAKES.strip().split("\n\n")]


@pytest.mark.parametrize(("text", "carets", "message"), CASES, ids=[text for text, _, _ in CASES])
def test_mistakes(text: str, carets: str, message: str) -> None:
    with pytest.raises(ValueError, match="query") as caught:
        Query(text)
    assert str(caught.value) == f"query: {message}\n    {text}\n    {carets}"


@pytest.mark.parametrize("text", [None, 5, b"is_check", ["is_check"]])
def test_what_is_not_a_text(text: object) -> None:
    with pytest.raises(TypeError, match=r"^query: .*: expected a text such as 'us.knights & center'$"):
        Query(text)  # type: ignore[arg-type]


def test_what_a_query_needs() -> None:
    """Errors that depend on the positions."""
    positions = Positions.from_fens(["4k3/8/8/8/8/8/8/4K3 w - - 0 1"])
    for text, carets in (
        ("is_check or ply > 10", "            ^^^"),
        ("us.king & move.from_square", "          ^^^^^^^^^^^^^^^^"),
        ("is_check and ever(is_mate)", "             ^^^^^^^^^^^^^"),
    ):
        with pytest.raises(ValueError, match="expected positions that know their games") as caught:
            positions.evaluate(text)
        assert str(caught.value).split("\n")[1:] == [f"    {text}", f"    {carets}"]
    with pytest.raises(ValueError, match=r"count\(us\): expected a condition or a set, not a number") as caught:
        positions.where("count(us)")
    assert str(caught.value).endswith("\n    count(us)\n    ^^^^^^^^^")
    games = read_pgn(b"1. e4 e5 2. Nf3 *").positions()
    with pytest.raises(ValueError, match=r"^query: column 'Nobody': expected one of file, number, Result, "):
        games.evaluate('header("Nobody")')
    with pytest.raises(ValueError, match=r"^query: plies 0 and 2 of game 0: expected every half-move of a game"):
        games[::2].evaluate("next(is_check)")


def test_the_name_of_the_argument() -> None:
    """Errors begin with the name of the argument that holds the query."""
    games = read_pgn(b"1. e4 e5 2. Nf3 *")
    positions = games.positions()
    for label, ask in (
        ("queries[1]", lambda: positions.select("is_check", "is_chek")),
        ("checks", lambda: positions.select(checks="is_chek")),
        ("sort_by", lambda: games.search("is_check", sort_by="is_chek")),
        ("group_by", lambda: search(b"1. e4 *", "is_check", group_by="is_chek")),
    ):
        with pytest.raises(ValueError, match="did you mean is_check") as caught:
            ask()
        assert str(caught.value).startswith(f"{label}: unknown name is_chek: expected ")
    with pytest.raises(ValueError, match=r"^sort_by: is_check: expected a number, not a condition\n"):
        games.search("is_check", sort_by="is_check")


def test_columns_share_their_parts() -> None:
    positions = read_pgn(b"1. e4 e5 2. Qh5 Nc6 3. Qxf7+ *").positions("all")
    queries = ["count(attacks(us))", "attacks(us) & center", "ever(is_check)", "move.san"]
    columns = positions.select(*queries, again="count(attacks(us)) > 20", threads=2)
    assert list(columns) == [*queries, "again"]
    for text, column in zip([*queries, "count(attacks(us)) > 20"], columns.values(), strict=True):
        assert column.tolist() == positions.evaluate(text).tolist()
    assert positions.select() == {}


def test_kinds_of_pieces_in_every_form() -> None:
    positions = read_pgn(b"1. e4 d5 2. exd5 Nf6 3. Nc3 Nxd5 *").positions("all")
    for attribute, letter, name in (("piece", "N", "knight"), ("captured", "P", "pawn")):
        expected = [text == letter for text in positions.evaluate(f"move.{attribute}").tolist()]
        assert any(expected)
        for form in (letter, letter.lower(), name):
            assert positions.evaluate(f'move.{attribute} == "{form}"').tolist() == expected
            assert positions.evaluate(f'"{form}" == move.{attribute}').tolist() == expected
            assert positions.evaluate(f'move.{attribute} != "{form}"').tolist() == [not value for value in expected]
            assert positions.evaluate(f'move.{attribute} in ("{form}", "q")').tolist() == expected


def test_the_plan_counts_positions() -> None:
    positions = read_pgn(b"1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7 *").positions("all")
    query = Query("us.queens and (is_check or move.captures)")
    for evaluated in (1, 2):
        query.mask(positions)
        rows = {line[:25].strip(): line[25:].split()[1:] for line in query.explain().splitlines()[1:]}
        assert rows["us.queens"] == [str(7 * evaluated), str(6 * evaluated)]
        assert rows["is_check"][1] == str(evaluated)
    single = Query("count(us.queens) > 0")
    single.evaluate(positions)
    single.evaluate(positions)
    assert re.fullmatch(r"count\(us.queens\) > 0 +[\d,]+ +14 +12", single.explain().splitlines()[1])
    text = Query("move.san")
    text.evaluate(positions)
    assert re.fullmatch(r"move.san +~500 +7 +-", text.explain().splitlines()[1])
