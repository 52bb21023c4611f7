"""Games written as PGN: what was written is read back as the same games, here and by python-chess."""

import importlib.util
import io
import itertools
import random
import re
from pathlib import Path
from typing import Any

import chess.pgn
import numpy as np
import pytest

from both_readers import assert_agreement
from game_samples import ALL, SAMPLE, UGLY
from played_games import play
from rookery.bench.lanes import random_positions
from rookery.board.moves import Move
from rookery.frames.columns import Categorical, Lists, Numbers, Texts
from rookery.games.game_columns import GameColumns, Reports, Starts
from rookery.games.games import Games
from rookery.games.interchange.parquet import read_parquet, scan_parquet, write_parquet
from rookery.games.read.reader import read_pgn, scan_pgn
from rookery.games.write.writer import write_pgn
from rookery.pgn import BadGame, Game, read
from rookery.pgn.scan.lexing.vocabulary import ROSTER
from rookery.positions.positions import Positions
from rookery.rules.notation.start import fen_of
from thinning import slow


def written(games: Any, **options: Any) -> str:
    out = io.StringIO()
    write_pgn(games, out, **options)
    return out.getvalue()


def by_python_chess(text: str) -> list[chess.pgn.Game]:
    file = io.StringIO(text)
    games = []
    while game := chess.pgn.read_game(file):
        assert not game.errors
        games.append(game)
    return games


def random_games(n: int, seed: int, plies: int = 80) -> Games:
    """Games of random moves from usual, shuffled and random positions, with clocks, evaluations, NAGs and remarks."""
    rng = np.random.default_rng(seed)
    shuffled = Positions.from_fens([fen_of(int(k)) for k in rng.integers(0, 960, n)], chess960=True)
    usual, others = (
        Positions.from_fens(["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"] * n),
        random_positions(n, seed),
    )
    starts = Positions.concatenate([usual, shuffled, others])
    now, alive, rows = starts, np.arange(3 * n), []
    for _ in range(plies):
        moves = now.random_moves(rng)
        goes_on = (moves != 0) & (rng.random(moves.size) > 0.01)
        alive, now = alive[goes_on], now[goes_on].play(moves[goes_on])
        rows.append((alive, moves[goes_on]))
    of_game, flat = (np.concatenate([row[k] for row in rows]) for k in (0, 1))
    order = np.argsort(of_game, kind="stable")
    offsets = np.zeros(3 * n + 1, np.int64)
    np.cumsum(np.bincount(of_game, minlength=3 * n), out=offsets[1:])
    size = flat.size

    def printed(values: Any, share: float) -> Any:
        return np.where(rng.random(size) < share, values, np.nan).astype(np.float32)

    mates = (1000 - rng.integers(0, 50, size)) * rng.choice([-1, 1], size)
    nag_counts = rng.integers(0, 3, 3 * n)
    nag_offsets = np.concatenate([[0], np.cumsum(nag_counts)])
    nag_plies = np.concatenate(
        [np.sort(rng.integers(0, offsets[i + 1] - offsets[i] + 1, k)) for i, k in enumerate(nag_counts)]
    )
    nags = rng.integers(0, 255, nag_plies.size)
    columns = GameColumns(
        headers={"Date": Numbers(np.zeros(3 * n, "M8[D]"), np.zeros(3 * n, np.bool_))}
        | {name: Texts.of([None] * (3 * n)) for name in ROSTER if name not in ("Date", "Result")}
        | {"White": Texts.of([None if i % 7 == 0 else f"A \\ \"{i}\" é" for i in range(3 * n)])},
        plies=Lists(offsets, {
            "moves": flat[order],
            "clocks": printed(rng.integers(0, 100_000, size) / 10, 0.5),
            "evals": printed(np.where(rng.random(size) < 0.1, mates, rng.integers(-2000, 2000, size) / 100), 0.3),
            "emts": printed(rng.random(size).astype(np.float32) * 100, 0.2),
        }),
        scores=rng.integers(0, 4, 3 * n).astype(np.uint8),
        files=Categorical.of("", 3 * n),
        numbers=np.arange(1, 3 * n + 1),
        offsets=np.zeros(3 * n, np.int64),
        starts=Starts(np.concatenate([np.full(n, -1), np.arange(n, 3 * n)]).astype(np.int32), starts),
        dates=np.zeros(3 * n, np.int32),
        errors=Reports(3 * n),
        warnings=Reports(3 * n),
        nags=Lists(nag_offsets, {
            "ply": nag_plies.astype(np.int32),
            "nag": nags.astype(np.int32),
            "after": np.zeros(nags.size, np.int32),
        }),
    )  # fmt: skip
    return Games(columns)


def test_what_is_written_is_read_back() -> None:
    options: dict[str, Any]
    for options in (ALL, {}, {"comments": True}, {"headers": []}, {"variations": True, "nags": True}):
        games = read_pgn(UGLY.encode(), **options)
        text = written(games)
        again = read_pgn(text.encode(), **options)
        assert again == games, options
        assert written(again) == text
    games = read_pgn(SAMPLE)
    assert read_pgn(written(games).encode()) == games
    assert read_pgn(written(games, export=True).encode()) == games


def test_a_sample_is_written_as_it_was() -> None:
    text = SAMPLE.read_text(encoding="utf-8")
    games = read_pgn(SAMPLE, nags=False)
    assert written(games).split() == re.sub(r"(?<=[a-h1-8QRBN+#])[?!]+ ", " ", text).split()


@pytest.mark.parametrize("seed", range(3))
def test_random_games(seed: int) -> None:
    games = random_games(40, seed)
    for export in (False, True):
        text = written(games, export=export, threads=1 + export)
        again = read_pgn(text.encode(), headers=games.headers, comments=False, variations=False)
        assert not again.errors
        if export:  # which has a ? for what is not known
            for name in again.headers.keys() - {"Date"}:
                known = [None if text in ("?", "????.??.??") else text for text in again[name]]
                again.headers[name] = Texts.of(known)
        assert again == games
        if seed == 0:
            assert not export or max(map(len, text.splitlines())) < 80
            for game, theirs in zip(games, by_python_chess(text), strict=True):
                assert [move.uci() for move in theirs.mainline_moves()] == [move.uci() for move in game.moves]
                board = theirs.board()
                sans = [board.san_and_push(move) for move in theirs.mainline_moves()]
                assert export or sans == written_moves(text, theirs)


def written_moves(text: str, game: chess.pgn.Game) -> list[str]:
    """The moves as they stand in the text of one game: python-chess reads over wrong signs of check."""
    name = game.headers.get("White", "?").replace("\\", "\\\\").replace('"', '\\"')
    for part in re.split(r"\n\n(?=\[)", text):
        if f'[White "{name}"]' in part and [*game.mainline_moves()]:
            words = re.sub(r"\{[^}]*\}|\$\d+|\d+\.+", " ", part.split("]\n\n")[-1]).split()
            return words[:-1]
    board = game.board()
    return [board.san_and_push(move) for move in game.mainline_moves()]


def test_clocks_of_python_chess() -> None:
    games = random_games(10, 9)
    at = 0
    for theirs in by_python_chess(written(games)):
        for node in theirs.mainline():
            for values, said in ((games.clocks, node.clock()), (games.emts, node.emt())):
                assert (said is None) == bool(np.isnan(values[at]))
                assert said is None or abs(said - values[at]) < 1e-3
            score = node.eval()
            assert (score is None) == bool(np.isnan(games.evals[at]))
            if score is not None and not score.is_mate():
                assert score.white().score() == round(float(games.evals[at]) * 100)
            at += 1
    assert at == games.plies.sum()


@pytest.mark.parametrize("number", [150, slow(20_000)])
def test_decorated_games(number: int) -> None:
    rng = random.Random(number)
    text = "".join(play(rng).text for _ in range(number)).encode()
    games = read_pgn(text, **ALL)
    assert read_pgn(written(games).encode(), **ALL) == games
    assert Games.from_arrow(games.to_arrow()) == games
    exported = written(games, export=True)
    for game, again in zip(games, read_pgn(exported.encode(), **ALL), strict=True):
        assert again == game  # the headers of a `Game` are completed
        assert next(read(game.write())) == game
    if number < 1000:  # the moves of the variations are random ones, to which python-chess objects
        bare = written(read_pgn(text, variations=False), export=True)
        for game, theirs in zip(games, by_python_chess(bare), strict=True):
            assert [move.uci() for move in theirs.mainline_moves()] == [move.uci() for move in game.moves]


SIGNS = [
    "\x1a",
    "\ufeff",
    "\xa0",
    "\u2003",
    "\x0b",
    "\x85",
    "%",
    "[",
    ";",
    "ï»¿",
    "é",
    "{",
    "}",
    "\x1a\x1a",
    "  ",
    "$1",
    "e4",
]


def test_lines_are_broken_where_it_means_nothing() -> None:
    """Signs that mean something at the beginning or the end of a line, in the middle of it and anywhere else."""
    rng = random.Random(7)
    options: dict[str, Any] = {"comments": True, "variations": True}
    for _ in range(200):
        words = [rng.choice(SIGNS if rng.random() < 0.2 else ["Nf3", "a6", "1."]) for _ in range(60)]
        remark = " ".join(word for word in words if word not in "{}")
        words = [word for word in words if word not in ("{", "}", ";")]
        text = f"1. e4 ({' '.join(words)}) {{{remark}}} e5 (1... d5 {{{remark}}}) *"
        games = read_pgn(text.encode(), **options)
        again = read_pgn(written(games, export=True).encode(), **options)
        assert again[0] == games[0], text
        assert read_pgn(written(games).encode(), **options) == games


def test_a_remark_at_the_end_of_a_variation() -> None:
    games = read_pgn(b"1. e4 (1. d4 ; so\n) (1. c4) *", variations=True)
    assert games.variations is not None
    for last in ("1. d4 ; so", "1. d4 ; so\n"):
        games.variations.columns["text"] = Texts.of([last, "1. c4"])
        for export in (False, True):
            (again,) = read_pgn(written(games, export=export).encode(), variations=True)
            assert again.movetext().variations == {1: ["1. d4 ; so", "1. c4"]}


def test_lines() -> None:
    line = b"1. e4 { a remark } ( 1. d4 " + b"d5 " * 60 + b") e5 2. Nf3 *"
    games = read_pgn(b'[White "A"]\n\n' + line, comments=True)
    text = written(games, export=True)
    assert text.startswith(
        '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[White "A"]\n[Black "?"]\n[Result "*"]\n\n'
    )
    assert 70 < max(map(len, text.splitlines())) < 80
    assert text.count("d5") == 60
    (ours,) = read_pgn(text.encode(), comments=True)
    assert ours.movetext().comments == games[0].movetext().comments
    assert len(written(games).splitlines()) == 5


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    with scan_pgn(SAMPLE, games=5) as scan:
        n = write_pgn(scan, path)
    games = read_pgn(SAMPLE)
    assert n == len(games)
    assert read_pgn(path) == games
    data = io.BytesIO()
    assert write_pgn(games, data) == n
    assert data.getvalue() == path.read_bytes()
    with pytest.raises(TypeError, match=r"^target: int: expected a path"):
        write_pgn(games, 5)  # type: ignore[arg-type]
    assert written(games[:0]) == ""


def test_an_illegal_move(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text("old")
    games = read_pgn(b"1. e4 e5 *\n\n1. d4 d5 *\n")
    games.moves.moves[3] = games.moves.moves[1] ^ 64
    with pytest.raises(ValueError, match=r"^game 2, move 2: e7f5 is not legal in 'rnbqkbnr"):
        write_pgn(games, path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("suffix", ["pgn", "parquet"])
def test_a_file_written_while_it_is_read_keeps_every_game(tmp_path: Path, suffix: str, threads: int) -> None:
    """The file is replaced when all of it is read."""
    path = tmp_path / "games.pgn"
    path.write_bytes(SAMPLE.read_bytes() * 200)  # several blocks
    games = read_pgn(path)
    if suffix == "pgn":
        with scan_pgn(path, games=100, threads=threads) as scan:
            assert write_pgn(scan, path, threads=threads) == len(games) == 2400
        assert read_pgn(path) == games
    else:
        path = path.rename(tmp_path / "games.parquet")
        with scan_pgn(path, games=100, threads=threads) as scan:
            assert write_parquet(scan, path, row_group_size=500) == 2400
        assert read_parquet(path) == games
        with scan_parquet(path) as groups:
            assert write_parquet(groups, path, row_group_size=100) == 2400
        assert read_parquet(path) == games
    assert [*tmp_path.iterdir()] == [path]


def test_single_games() -> None:
    """A game, a list of games, and `Games` between them, in order."""
    games = read_pgn(SAMPLE, headers="all", comments=True, nags=True, variations=True)
    whole = io.BytesIO()
    assert write_pgn(games, whole) == 12
    made = Game({"White": "Anna"}, [Move.of(12, 28)], {1: "best"}, {1: [1]}, {1: ["1. d4 d5"]})
    given: Any
    for given, n in (
        (games[3], 1),
        (list(games), 12),
        (iter(games), 12),
        ([games[0], games[1:11], games[11]], 12),
        (made, 1),
    ):
        out = io.BytesIO()
        assert write_pgn(given, out) == n
        again = read_pgn(out.getvalue(), headers="all", comments=True, nags=True, variations=True)
        expected = {3: [games[3]], 12: list(games)}.get(n, [made if given is made else games[3]])
        assert list(again) == expected
    export = io.StringIO()
    write_pgn(made, export, export=True)
    assert export.getvalue().rstrip() == str(made)
    with pytest.raises(TypeError, match=r"^games\[1\]: 5: expected a game \(pgn\.Game\) or Games"):
        write_pgn([games[0], 5], io.BytesIO())  # type: ignore[list-item]
    with pytest.raises(TypeError, match=r"^games: 5: expected Games"):
        write_pgn(5, io.BytesIO())  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="not legal"):
        write_pgn(Game({}, [Move.of(0, 63)]), io.BytesIO())


BAD_GAMES = (
    "1. e4 Ke2 *",
    "1. xx *",
    '[Event "x"]\n\n1. e4 e5 2. Nf3 {last} Nc6 {[%clk 0:01:00] note} 3. zz 1-0',
    '[Event "x"]\n\n1. e4 {not closed',
    "1. e4 e5) *",
    "1. e4 (1. d4 *",
    '[Result "1-0"]\n\n1. e4 0-1',
    '[FEN "no"]\n\n1. e4 *',
    '[Variant "Atomic"]\n\n1. e4 *',
    '[White "a"]\n[White "b"]\n\n1. e4 *',
    "[broken\n\n1. e4 *",
    '[Result "foo"]\n\n1. e4 *',
    '[SetUp "1"]\n\n1. e4 *',
    '[FEN "4k3/8/8/8/8/8/8/4K3 b - - 0 40"]\n\n40... Ke3 *',
    '[TimeControl "?"]\n\n1. e4 {[%clk 1:59]} *',
)


@pytest.mark.parametrize("text", BAD_GAMES)
@pytest.mark.parametrize("export", [False, True])
def test_bad_games_stay_bad(text: str, export: bool) -> None:
    """A bad game ends with a comment that says why, and is bad when it is read again, at the same place."""
    games = read_pgn(text.encode(), strict=True)
    (error,) = games.errors
    out = io.BytesIO()
    write_pgn(games, out, export=export)
    assert_agreement(out.getvalue())
    again = read_pgn(out.getvalue())
    assert again.is_bad.tolist() == games.is_bad.tolist() == [True]
    assert again.moves == games.moves
    (found,) = again.errors
    brackets = str.maketrans("{}[]", "()()")
    assert (found.place, found.reason) == (error.place, " ".join(error.reason.translate(brackets).split()))
    twice = io.BytesIO()
    write_pgn(again, twice, export=export)
    assert twice.getvalue() == out.getvalue()
    # With its text a game is copied.
    copied = io.BytesIO()
    write_pgn(read_pgn(text.encode(), texts=True, strict=True), copied)
    assert copied.getvalue() == text.encode()


def test_bad_games_among_others_and_as_single_games() -> None:
    good = '[Event "x"]\n\n1. d4 {fine} d5 *\n\n'
    bad = '[Event "x"]\n\n1. e4 e5 {why} 2. Ke3 *\n\n'
    games = read_pgn((good + bad + good + bad + bad).encode())
    for chosen in (games, [games[i] for i in range(len(games))], read_pgn((good + bad).encode(), comments=False)):
        out = io.BytesIO()
        write_pgn(chosen, out)
        again = read_pgn(out.getvalue())
        assert again.is_bad.tolist() == [False, True, False, True, True][: len(chosen)]
        assert str(games.errors[0]).partition("move")[2] == str(again.errors[0]).partition("move")[2]
    assert games[1].movetext().comments[2].startswith("[%parse_error move 2.: ")
    assert games[1].movetext().comments[2].endswith("] why")
    (small, *_) = read(str(games[1]))
    assert isinstance(small, BadGame)


def test_a_text_file_whose_encoding_lacks_a_character(tmp_path: Path) -> None:
    names = ["Anna"] * 3 + ["Réti"]
    games = read_pgn("".join(f'[White "{name}"]\n\n1. e4 *\n\n' for name in names).encode())
    with (tmp_path / "a.pgn").open("w", encoding="ascii") as file:
        with pytest.raises(UnicodeEncodeError):
            write_pgn(itertools.repeat(games, 3), file)
        assert write_pgn(games[:3], file) == 3
    assert len(read_pgn(tmp_path / "a.pgn")) == 3
    with (tmp_path / "b.pgn").open("w", encoding="latin-1") as file:
        assert write_pgn(games, file) == 4
    assert read_pgn(tmp_path / "b.pgn") == games


ODD_HEADERS = """[Event "a"]
[Result "1-0 (time)"]
[Odd_1 "x\\"y"]

1. e4 e5 1-0

[Event "b"]
[Result "White wins"]
[Variant "Atomic"]
[UTCDate "2025.13.01"]
[WhiteElo "+2000"]
[SetUp "0"]

1. e4 *

[Event "c"]
[Result "0-1"]

1. d4 0-1
"""


def test_every_header_of_a_bad_game_survives_a_rewrite(tmp_path: Path) -> None:
    games = read_pgn(ODD_HEADERS.encode())
    assert games.is_bad.tolist() == [True, True, False]
    text = written(games)
    for line in ODD_HEADERS.splitlines():
        if line.startswith("["):
            assert line in text
    again = read_pgn(text.encode())
    assert written(again) == text
    assert [game.headers for game in again] == [game.headers for game in games]
    assert list(again.results) == list(games.results) == ["1-0", "*", "0-1"]
    alone = str(games[0])
    assert '[Result "1-0 (time)"]' in alone
    assert alone.split()[-1] == "*"
    if importlib.util.find_spec("pyarrow"):
        write_parquet(games, tmp_path / "games.parquet")
        assert written(read_parquet(tmp_path / "games.parquet")) == text
