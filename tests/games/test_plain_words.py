"""Plain words and headers, read by many bytes at once, are what they are near the end of a text, where they are not."""

import itertools
import random
import re

import chess
import numpy as np
import pytest

from rookery import Games, read_pgn
from rookery.games.views import headers_at
from thinning import few

pa = pytest.importorskip("pyarrow")

NEAR, FAR = " {x}", " {" + 60 * "x" + "}"  # before the second all is far from the end of a text
SUFFIXES = [
    "",
    "",
    "",
    "+",
    "#",
    "++",
    "+!",
    "!",
    "?!",
    "=Q",
    "Q",
    ")",
    "(",
    ".",
    "{",
    ";",
    "$1",
    "e",
    "x",
    "é",
    "\xa0",
]
WORDS = [
    *("1.", "12.", "123.", "1234.", "12345.", "12..", "12...", "12....", "12.....", "12", "12 .", "12.e5", "12...e5"),
    *("12.…", "12…", ".", "...", "0-1", "0-0", "12.\xa0", "12.é", "12.\x1a"),
    *("{ [%clk 0:03:00] }", "{ [%clk 9:59:59] }", "{ [%clk 0:03:0x] }", "{ [%clk 0:03:00]}", "{[%clk 0:03:00]}"),
    *("{ [%clk 0:03:00] }{ [%clk 0:04:00] }", "{ [%clk 0:03:00] x }", "{ [%clk 0:03:00.5] }", "{ [%clk 10:03:00] }"),
    *("{ [%eval 0.17] }", "{[%eval 0.17]}", "{[%eval -1.5] [%clk 0:03:00]}", "{ [%eval #-3] [%clk 9:59:59] }"),
    *("{ [%eval 499.99] [%clk 0:03:00] }", "{ [%eval -0.0] [%clk 0:03:00] }", "{ [%eval 0.0] [%clk 0:03:00] }"),
    *(
        "{ [%eval 0.10] }",
        "{ [%eval 07.1] }",
        "{ [%eval 500.1] }",
        "{ [%eval 1] }",
        "{ [%eval .5] }",
        "{ [%eval +1.5] }",
    ),
    *(
        "{ [%eval #12] }",
        "{ [%eval #0] }",
        "{ [%eval -0.5]}",
        "{[%eval 0.5] }",
        "{ [%eval 0.5,12] }",
        "{ [%eval 0.55",
        "{",
    ),
    *("{ [%eval 0.5] [%clk 10:03:00] }", "{ [%eval 0.5] [%clk 0:03:00.5] }", "{ [%eval 0.5][%clk 0:03:00] }"),
    *("{ [%eval 0.5] [%clk 0:63:00] }", "{ [%eval 0.5] [%clk 0:03:00] x }", "{ [%eval 0.5] good }", "{ [%eval] }"),
    *("{ [%eval 0.5] }{ [%eval 0.7] }", "{ [%eval 0.5] } { [%clk 0:03:00] }", "{ [%clk 0:03:00] } { [%eval 0.5] }"),
    *("{ [%clk 0:03:00] [%eval 0.5] }", "{ [%eval 0.5]  [%clk 0:03:00] }", "{  [%eval 0.5] }", "{ [%eval 0.5] ]"),
    *("{ [%eval 0.3] [%clk 0:03:00] }", "{ [%emt 0:00:03] }", "$1", "!?", "(1... c5)", ")", "--", "\n", "\n\n", "\r\n"),
]


def each_alone(texts: list[str]) -> Games:
    return read_pgn(pa.array(texts))


def printed(games: Games) -> list[tuple[object, ...]]:
    """What is told of each game, but for where its faults are."""
    reasons = dict.fromkeys(range(len(games)), "")
    reasons |= {row: error.reason for row, error in games.columns.errors.items}
    offsets = games.moves.offsets
    values = [
        str([games.clocks[a:b].tolist(), games.evals[a:b].tolist(), games.emts[a:b].tolist()])
        for a, b in itertools.pairwise(offsets)
    ]
    assert games.columns.comments is not None
    comments = [
        [(ply, re.sub("x+", "x", text)) for ply, text, _ in games.columns.comments.rows(i)] for i in range(len(games))
    ]
    return [(games.moves[i].tolist(), reasons[i], values[i], comments[i]) for i in range(len(games))]


def positions(seed: int, n: int) -> list[chess.Board]:
    rng = random.Random(seed)
    found = [chess.Board("4k3/PPP4p/8/8/8/8/ppp4P/4K3 b - - 3 57"), chess.Board("8/8/8/1k1pP2R/8/8/8/K7 w - d6 0 1")]
    while len(found) < n:
        board = chess.Board()
        for _ in range(rng.randrange(90)):
            if board.is_game_over():
                break
            moves = list(board.legal_moves)
            board.push(rng.choice([move for move in moves if board.gives_check(move)] or moves))
            if rng.random() < 0.5 and not board.is_game_over():
                board.push(rng.choice(list(board.legal_moves)))
        if not board.is_game_over():
            found.append(board)
    return found


def spelled(rng: random.Random, board: chess.Board) -> str:
    """A text that may be a move, or nearly one."""
    whence = rng.choice(["", "", "", rng.choice("abcdefghi"), rng.choice("123456789"), rng.choice(chess.SQUARE_NAMES)])
    takes = rng.choice(["", "", "x", "-", "xx"])
    piece, to = rng.choice(["", *"NBRQKP"]), rng.choice([*chess.SQUARE_NAMES, "a9", "i1", "e"])
    if rng.random() < 0.3:
        return board.san(rng.choice(list(board.legal_moves))).rstrip("+#")
    return f"{piece}{whence}{takes}{to}"


@pytest.mark.parametrize("seed", few(range(4), 1))
def test_moves(seed: int) -> None:
    rng = random.Random(seed)
    boards = positions(seed, 40)
    texts: list[str] = []
    expected: list[str | None] = []
    for board in boards:
        head = f'[FEN "{board.fen(en_passant="fen")}"]\n\n'
        texts += [head + spelled(rng, board) + rng.choice(SUFFIXES) for _ in range(60)]
        expected += [None] * 60
        for move in board.legal_moves:
            texts.append(head + board.san(move))
            expected.append(move.uci())
    near, far = (each_alone([text + end for text in texts]) for end in (NEAR, FAR))
    assert printed(near) == printed(far)
    moves = [game.moves for game in far]
    wrong = [
        text
        for text, move, found in zip(texts, expected, moves, strict=True)
        if move is not None and ([m.uci() for m in found] != [move]) and not re.search("O-O", text)
    ]
    assert not wrong
    assert np.mean(far.plies > 0) > 0.2


def test_words_between_moves() -> None:
    forms = ["{w} e4 e5", "e4 {w} e5 Nf3", "e4 {w}e5 Nf3", "e4{w} e5", "1. e4 {w} 1... e5 {w} 2. Nf3", "e4 e5 {w}"]
    texts = [form.format(w=word) for form in forms for word in WORDS]
    near, far = (each_alone([text + end for text in texts]) for end in (NEAR, FAR))
    assert printed(near) == printed(far)
    assert (far.plies == 3).sum() > 20
    plain = each_alone([f"e4 {{ [%eval {pawns}] [%clk 0:01:02] }} e5{FAR}" for pawns in ("-1.25", "#3", "#-12", "0.0")])
    assert plain.evals[~np.isnan(plain.evals)].tolist() == [-1.25, 997.0, -988.0, 0.0]
    assert plain.clocks[~np.isnan(plain.clocks)].tolist() == 4 * [62.0]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_headers_of_any_length(newline: str) -> None:
    rng = random.Random(1)
    values = ["x" * n for n in range(75)] + ["a\\b", 'say "x"', "é" * 20, "\\", '"', "]", "[", '"]', "a b", "{", "\t"]
    names = [
        "Event",
        "Site",
        "White",
        "WhiteElo",
        "BlackRatingDiff",
        "Annotator",
        "E",
        "x" * 30,
        "WhiteFideId",
        "BlackFideId",
        "A_1",
        "A1",
    ]
    names += ["ChapterName", "ChapterBName", "a" * 16, "a" * 17, "a" * 8 + "b" + "a" * 8, "a" * 9]
    games = [{name: rng.choice(values) for name in rng.sample(names, 5)} for _ in range(600)]

    def line(name: str, value: str) -> str:
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'[{name}{rng.choice(["", "", "", "", " ", chr(9)])} "{escaped}"]{rng.choice(["", "", " "])}{newline}'

    texts = ["".join(line(*tag) for tag in headers.items()) + f"{newline}*{newline}{newline}" for headers in games]
    whole = read_pgn("".join(texts).encode())
    alone = read_pgn(pa.array(texts))
    for read in (whole, alone):
        assert [headers_at(read.columns, i) for i in range(len(read))] == [
            {**headers, "Result": "*"} for headers in games
        ]
        assert list(read["White"]) == [headers.get("White") for headers in games]


@pytest.mark.parametrize("seed", [1, 2])
def test_numbers_dates_and_times(seed: int) -> None:
    rng = random.Random(seed)
    elos = [
        "",
        "+",
        "-",
        "7",
        "+5",
        "-5",
        "2100",
        "32767",
        "32768",
        "-32767",
        "00001500",
        "12345678",
        "1e3",
        "٣",
        "1 2",
    ]
    elos += ["".join(rng.choice("0123456789+-x") for _ in range(rng.randrange(9))) for _ in range(300)]
    times = ["".join(rng.choice("0123456789:;") if rng.random() < 0.1 else c for c in "12:34:56") for _ in elos]
    dates = ["".join(rng.choice("0123456789.?") if rng.random() < 0.1 else c for c in "2024.02.28") for _ in elos]
    rows = zip(elos, times, dates, strict=True)
    text = "".join(f'[WhiteElo "{elo}"]\n[UTCTime "{time}"]\n[UTCDate "{date}"]\n\n*\n\n' for elo, time, date in rows)
    games = read_pgn(text.encode())

    def number(elo: str) -> int | None:
        value = int(elo) if re.fullmatch("[+-]?[0-9]+", elo) else None
        return value if value is not None and abs(value) <= 32767 else None

    def seconds(time: str) -> int | None:
        if not re.fullmatch("[0-9]{2}:[0-9]{2}:[0-9]{2}", time):
            return None
        h, m, s = map(int, time.split(":"))
        return h * 3600 + m * 60 + s if h < 24 and m < 60 and s < 60 else None

    def day(date: str) -> np.datetime64 | None:
        try:
            return np.datetime64(date.replace(".", "-"), "D") if re.fullmatch(r"\d{4}\.\d\d\.\d\d", date) else None
        except ValueError:
            return None

    assert games["WhiteElo"].tolist() == [number(elo) for elo in elos]
    found = games["UTCTime"]
    assert [None if np.isnat(t) else int(t / np.timedelta64(1, "s")) for t in found] == [seconds(t) for t in times]
    assert [None if np.isnat(d) else d for d in games["UTCDate"]] == [day(d) for d in dates]
