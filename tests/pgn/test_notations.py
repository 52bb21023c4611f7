"""Notations of print, results in odd places, and bytes at seams, read by both functions in the same way."""

# ruff: noqa: RUF001  # the characters that look like others are the subject

import io
import logging

import chess.pgn
import pytest

import rookery
from both_readers import assert_agreement
from rookery.pgn import BadGame

PROMOTION = '[FEN "r6k/1P6/8/8/8/8/8/K7 w - - 0 1"]\n[SetUp "1"]\n\n'
NO_ROOK = PROMOTION.replace("r6k", "7k")
FOUR = "e2e4 e7e5 g1f3 b8c6"

# A text; the moves of each game, and its result; words of each warning; words of each fault.
TABLE: dict[str, tuple[str, list[tuple[str, str]], list[str], list[str]]] = {
    # Promotions and captures.
    "brackets": (f"{PROMOTION}1. bxa8(Q)+ Kg7 *", [("b7a8q h8g7", "*")], ["'bxa8(Q)+': read as 'bxa8=Q+'"], []),
    "a slash": (f"{PROMOTION}1. bxa8/N Kg7 *", [("b7a8n h8g7", "*")], ["'bxa8/N': read as 'bxa8=N'"], []),
    "a blank": (f"{PROMOTION}1. bxa8 =Q+ Kg7 *", [("b7a8q h8g7", "*")], ["'bxa8 =Q+': read as 'bxa8=Q+'"], []),
    "a figurine": (f"{NO_ROOK}1. b8=♕ Kg7 *", [("b7b8q h8g7", "*")], ["'b8=♕': read as 'b8=Q+'"], []),
    "a variation": ("1. e4 (Q) e5 *", [("e2e4 e7e5", "*")], [], []),
    "a colon": ("1. e4 d5 2. e:d5 Q:d5 *", [("e2e4 d7d5 e4d5 d8d5", "*")], ["read as 'exd5'", "read as 'Qxd5'"], []),
    "two files": ("1. e4 d5 2. ed *", [("e2e4 d7d5 e4d5", "*")], ["'ed': read as 'exd5'"], []),
    "two files, x": ("1. e4 d5 2. exd+ *", [("e2e4 d7d5 e4d5", "*")], ["'exd+': read as 'exd5'"], []),
    "two files, en passant": (
        "1. e4 a6 2. e5 d5 3. ed *", [("e2e4 a7a6 e4e5 d7d5 e5d6", "*")], ["'ed': read as 'exd6'"], [],
    ),
    "a cross": ("1. e4 d5 2. e×d5 *", [("e2e4 d7d5 e4d5", "*")], ["'e×d5': read as 'exd5'"], []),
    # Characters.
    "figurines": ("1. e4 e5 2. ♘f3 ♞c6 *", [(FOUR, "*")], ["'♘f3': read as 'Nf3'", "'♞c6': read as 'Nc6'"], []),
    "figurine of a pawn": ("1. ♙e4 ♟e5 *", [("e2e4 e7e5", "*")], ["read as 'e4'", "read as 'e5'"], []),
    "zero width": ("1. e4 e5 2. Nf3\u200b \ufeffN\u2060c6 \u200d*", [(FOUR, "*")], [], []),
    "zero width at the ends": ("\ufeff1. e4 e5 2. Nf3\u200b Nc6 \u200d*", [(FOUR, "*")], [], []),
    "dashes": (
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O–O *",
        [(f"{FOUR} f1b5 a7a6 e1g1", "*")],
        ["'O–O': read as 'O-O'"],
        [],
    ),
    "minus": ("1. e4 +− e5 −+ *", [("e2e4 e7e5", "*")], ["'+−': an annotation", "'−+': an annotation"], []),
    "glyphs": ("1. e4⁉ e5‼ *", [("e2e4 e7e5", "*")], [], []),
    # Results.
    "half": ("1. e4 e5 ½–½", [("e2e4 e7e5", "1/2-1/2")], ["'½–½': read as '1/2-1/2'"], []),
    "half alone": ("1. e4 e5 ½", [("e2e4 e7e5", "1/2-1/2")], ["'½': read as '1/2-1/2'"], []),
    "blanks": ("1. e4 e5 1/2 - 1/2", [("e2e4 e7e5", "1/2-1/2")], ["'1/2 - 1/2': read as '1/2-1/2'"], []),
    "blanks, half": ("1. e4 e5 ½ - ½", [("e2e4 e7e5", "1/2-1/2")], ["'½ - ½': read as '1/2-1/2'"], []),
    "blanks, won": ("1. e4 e5 0 - 1\n", [("e2e4 e7e5", "0-1")], ["'0 - 1': read as '0-1'"], []),
    "a dash": ("1. e4 e5 1–0", [("e2e4 e7e5", "1-0")], ["'1–0': read as '1-0'"], []),
    "a colon in a result": ("1. e4 e5 0:1", [("e2e4 e7e5", "0-1")], ["'0:1': read as '0-1'"], []),
    # One game, and not two.
    "twice": ("1. e4 e5 1-0 {resigns} 1-0", [("e2e4 e7e5", "1-0")], ["'1-0': the game has a result already"], []),
    "twice, next line": ("1. e4 e5 *\n0-1", [("e2e4 e7e5", "0-1")], ["'0-1': the game has a result already"], []),
    "two": ("1. e4 e5 1-0 0-1", [("e2e4 e7e5", "0-1")], [], ["result: '0-1': the game has a result already"]),
    "inside": ("1. e4 e5 * 2. Nf3 Nc6 1-0", [(FOUR, "1-0")], ["line 1, move 2.: '*': a result inside the game"], []),
    "inside, illegal": (
        "1. e4 e5 1-0 2. Kd2 *", [("e2e4 e7e5", "*")], ["a result inside the game"], ["'Kd2' is not legal"],
    ),
    "a header inside": (
        '[Event "a"]\n\n1. e4 e5\n[Site "x"]\n2. Nf3 Nc6 0-1',
        [(FOUR, "0-1")],
        ["game 1, line 4, move 2.: header 'Site' inside the moves"],
        [],
    ),
    "a position inside": (
        f"1. e4 e5\n{PROMOTION.splitlines()[0]}\n2. Nf3 *",
        [("e2e4 e7e5", "*")],
        [],
        ["header 'FEN': it stands inside the moves"],
    ),
    "a game in a comment": (
        '1. e4 {compare:\n\n[Event "not a game"]\n\n1. d4 d5 0-1\n\n} e5 1-0\n\n[Event "b"]\n\n1. c4 *',
        [("e2e4 e7e5", "1-0"), ("c2c4", "*")],
        [],
        [],
    ),
    "an open comment": (
        '1. e4 {open\n\n[Event "b"]\n\n1. c4 {closed} *',
        [("e2e4", "*"), ("c2c4", "*")],
        [],
        ["the comment '{open' is not closed"],
    ),
    # Two games.
    "behind a result": (
        "1. e4 1-0 1. d4 0-1",
        [("e2e4", "1-0"), ("d2d4", "0-1")],
        ["game 2, line 1, headers: '1.': a game without headers begins on the line of the result"],
        [],
    ),
    "not the first move": (
        "1. e4 1-0\n\n\n2. d4 0-1",
        [("e2e4", "1-0"), ("d2d4", "0-1")],
        ["game 2, line 4, headers: '2.': the game has no headers and does not begin with move 1"],
        [],
    ),
    "next line": ("1. e4 1-0\n1. d4 0-1", [("e2e4", "1-0"), ("d2d4", "0-1")], [], []),
    "headers without a blank line": (
        '1. e4 e5\n[White "b"]\n1. d4 *', [("e2e4 e7e5", "*"), ("d2d4", "*")], [], [],
    ),
    # Seams.
    "Ctrl-Z": ('1. e4 1-0\n\x1a[Event "b"]\n\n1. d4 0-1', [("e2e4", "1-0"), ("d2d4", "0-1")], [], []),
    "Ctrl-Z, NUL": ("1. e4 1-0\n\x1a\0\0", [("e2e4", "1-0")], ["NUL characters: stepped over"], []),
    "Ctrl-Z, NUL, line": ("1. e4 1-0\n\n\x1a\0\0", [("e2e4", "1-0")], [], []),
    "NUL, header": (
        '1. e4 1-0\n\0\0[Event "b"]\n\n1. d4 0-1', [("e2e4", "1-0"), ("d2d4", "0-1")], ["NUL characters"], [],
    ),
    "unseen": (
        '\u200b[Event "a"]\n\n1. e4 1-0\n\n\u2060\u00ad[Event "b"]\n\n1. d4 *',
        [("e2e4", "1-0"), ("d2d4", "*")],
        [],
        [],
    ),
    "quoted": (
        '> [Event "a"]\n> [White "w"]\n>\n> 1. e4 e5\n> 1-0\n>\n> [Event "b"]\n>\n> 1. d4 *',
        [("e2e4 e7e5", "1-0"), ("d2d4", "*")],
        [],
        [],
    ),
    # Refused with the reason that fits.
    "letters": ("1. e4 e5 2. ♗f3 *", [("e2e4 e7e5", "*")], [], ["'♗f3', read as 'Bf3': SAN move: 'Bf3' is not legal"]),
    "ambiguous files": (
        '[FEN "4k3/8/8/3p1p2/4P3/3p4/4P3/4K3 w - - 0 1"]\n\n1. ed *', [("", "*")], [], ["'ed' is ambiguous"],
    ),
    "letters of another language": (
        "1. e4 e5 2. Sf3 *",
        [("e2e4 e7e5", "*")],
        [],
        ["SAN move: 'Sf3': expected a move like 'Nf3', 'exd5', 'e8=Q' or 'O-O' (letters='german' reads it as 'Nf3')"],
    ),
    "no promotion": (f"{PROMOTION}1. bxa8 *", [("", "*")], [], [": a pawn becomes a piece there, like 'bxa8=Q'"]),
    "no capture": ("1. ed *", [("", "*")], [], ["SAN move: 'ed' is not legal"]),
    "other letters": (
        '[Fen "r6k/1P6/8/8/8/8/8/K7 w - - 0 1"]\n\n1. e4 *',
        [("e2e4", "*")],
        ["header 'Fen': not used, since PGN distinguishes small and capital letters"],
        [],
    ),
}  # fmt: skip


def as_told(moves: list[rookery.Move]) -> str:
    return " ".join(move.uci() for move in moves)


@pytest.mark.parametrize("name", TABLE)
def test_a_text_and_its_right_answer(name: str) -> None:
    text, games, warnings, faults = TABLE[name]
    columns = rookery.read_pgn(text.encode())
    assert [(as_told(game.moves), result) for game, result in zip(columns, columns.results, strict=True)] == games
    single = list(rookery.pgn.read(text))
    told = [(as_told(game.moves), game.result) for game in single if isinstance(game, rookery.pgn.Game)]
    assert told == [row for row, bad in zip(games, columns.is_bad, strict=True) if not bad]
    for found in (columns.warnings, [warning for game in single for warning in game.warnings]):
        assert len(found) == len(warnings), [str(warning) for warning in found]
        for warning, words in zip(found, warnings, strict=True):
            assert words in str(warning)
    for reports in (columns.errors, [game for game in single if isinstance(game, BadGame)]):
        assert len(reports) == len(faults), [str(report) for report in reports]
        for report, words in zip(reports, faults, strict=True):
            assert words in str(report)
    assert_agreement(text.encode())


@pytest.mark.parametrize("name", ["zero width at the ends", "a game in a comment", "Ctrl-Z", "twice", "glyphs"])
def test_python_chess_reads_the_same(name: str) -> None:
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    text, games, _, _ = TABLE[name]
    file = io.StringIO(text)
    for moves, _ in games:
        game = chess.pgn.read_game(file)
        assert game is not None
        assert " ".join(move.uci() for move in game.mainline_moves()) == moves


LETTERS = {
    "german": "1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. Lxc6 dxc6 5. De2 Ta7 6. Kd1 *",
    "KDTLS": "1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. Lxc6 dxc6 5. De2 Ta7 6. Kd1 *",
    "french": "1. e4 e5 2. Cf3 Cc6 3. Fb5 a6 4. Fxc6 dxc6 5. De2 Ta7 6. Rd1 *",
    "dutch": "1. e4 e5 2. Pf3 Pc6 3. Lb5 a6 4. Lxc6 dxc6 5. De2 Ta7 6. Kd1 *",
    "hungarian": "1. e4 e5 2. Hf3 Hc6 3. Fb5 a6 4. Fxc6 dxc6 5. Ve2 Ba7 6. Kd1 *",
    "russian": "1. e4 e5 2. Кf3 Кc6 3. Сb5 a6 4. С:c6 d:c6 5. Фe2 Лa7 6. Крd1 *",
    "spanish": "1. e4 e5 2. Cf3 Cc6 3. Ab5 a6 4. Axc6 dxc6 5. De2 Ta7 6. Rd1 *",
    "english": "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. Qe2 Ra7 6. Kd1 *",
    "turkish": "1. e4 e5 2. Af3 Ac6 3. Fb5 a6 4. Fxc6 dxc6 5. Ve2 Ka7 6. Şd1 *",
}


@pytest.mark.parametrize("letters", LETTERS)
def test_national_letters(letters: str) -> None:
    text = LETTERS[letters]
    right = rookery.read_pgn(LETTERS["english"].encode())
    games = rookery.read_pgn(text.encode(), letters=letters)
    assert games == right
    assert len(games.warnings) == 2 * (letters == "russian")
    (single,) = rookery.pgn.read(text, letters=letters)
    assert isinstance(single, rookery.pgn.Game)
    assert single.moves == right[0].moves
    if letters != "russian":
        assert not rookery.read_pgn(text.encode(), letters=letters, strict=True).is_bad.any()
    if letters != "english":
        assert rookery.read_pgn(text.encode()).is_bad.all()


def test_promotions_in_national_letters() -> None:
    for word in ("b8=D+", "b8D", "b8(D)", "b8/D"):
        games = rookery.read_pgn(f"{NO_ROOK}1. {word} Kg7 *".encode(), letters="german")
        assert [move.uci() for move in games[0].moves] == ["b7b8q", "h8g7"], word


def test_letters_of_no_language_are_refused() -> None:
    with pytest.raises(ValueError, match=r"letters: 'klingon': expected one of english, czech, .*"):
        rookery.read_pgn(b"1. e4 *", letters="klingon")
    with pytest.raises(ValueError, match="letters: 5: expected one of"):
        next(rookery.pgn.read("1. e4 *", letters=5))  # type: ignore[call-overload]


def test_a_letter_keeps_its_english_meaning_where_the_language_does_not_use_it() -> None:
    games = rookery.read_pgn(b"1. e4 e5 2. Nf3 Sc6 *", letters="german")
    assert as_told(games[0].moves) == FOUR
