"""Games as JSON are the games of their PGN, in every function and command that reads games."""

import gzip
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import chess
import chess.pgn
import pytest

from command_line import run
from divided_files import in_frames
from game_samples import SAMPLE
from rookery import Games, read_pgn
from rookery.games.read.game_ranges import ranges_of
from rookery.pgn import read, read_game
from rookery.sources.failures import DamagedFileError, DamagedFileWarning, NotGamesError
from rookery.sources.json_games import as_pgn

TEXTS: Final = re.split(r"\n\n+(?=\[Event)", SAMPLE.read_text().strip()) * 5
PGN: Final = "\n\n".join(TEXTS).encode() + b"\n"


def of_lichess(**more: Any) -> bytes:
    """Return lines as Lichess gives them."""
    lines = (json.dumps({"id": f"{k:08}", "rated": True, "pgn": text, **more}) for k, text in enumerate(TEXTS))
    return "\n".join(lines).encode() + b"\n"


def of_chess_com(**options: Any) -> bytes:
    """Return an archive as chess.com gives it."""
    games = [{"url": f"https://www.chess.com/game/live/{k}", "pgn": text} for k, text in enumerate(TEXTS)]
    return json.dumps({"games": games, "next": None}, **options).encode()


FORMS: Final[dict[str, Callable[[], bytes]]] = {
    "lines": of_lichess,
    "lines with a mark": lambda: b"\xef\xbb\xbf" + of_lichess(),
    "lines with empty ones": lambda: of_lichess().replace(b"\n", b"\r\n\r\n"),
    "archive": of_chess_com,
    "indented archive": lambda: of_chess_com(indent=1),
    "archives": lambda: of_chess_com() + b"\n\n" + b'{"games": []}\n',
    "list": lambda: json.dumps([{"pgn": text} for text in TEXTS]).encode(),
    "indented list": lambda: json.dumps([{"pgn": text} for text in TEXTS], indent=2).encode(),
    "list of lines": lambda: b"[\n" + of_lichess().strip().replace(b"\n", b",\n") + b"\n]",
    "UTF-16": lambda: of_chess_com(ensure_ascii=False).decode().encode("utf-16"),
}


@pytest.mark.parametrize("form", FORMS)
def test_games_are_those_of_their_pgn(form: str) -> None:
    assert read_pgn(FORMS[form]()) == read_pgn(PGN)


@pytest.mark.parametrize("form", FORMS)
def test_games_of_a_path_are_read_one_at_a_time(form: str, tmp_path: Path) -> None:
    path = tmp_path / "games.json.gz"
    path.write_bytes(gzip.compress(FORMS[form]()))
    games = [str(game) for game in read(path, errors="raise")]
    assert games == [str(game) for game in read(PGN.decode(), errors="raise")]
    first = read_game(path)
    assert first is not None
    assert str(first) == games[0]


def lichess_record(game: chess.pgn.Game) -> dict[str, Any]:
    """Return a game as Lichess gives it without PGN."""
    board, moves, clocks, analysis = game.board(), [], [], []
    for node in game.mainline():
        moves.append(board.san(node.move))
        board.push(node.move)
        clock, score = node.clock(), node.eval()
        clocks.append(None if clock is None else round(clock * 100))
        if score is not None:
            white = score.white()
            analysis.append({"mate": white.mate()} if white.is_mate() else {"eval": white.score()})
    headers = game.headers
    players: dict[str, Any] = {}
    for side in ("White", "Black"):
        player: dict[str, Any] = {"user": {"name": headers[side]}}
        if headers.get(f"{side}Title"):
            player["user"]["title"] = headers[f"{side}Title"]
        if headers.get(f"{side}Elo", "?").isdigit():
            player["rating"] = int(headers[f"{side}Elo"])
        players[side.lower()] = player
    record: dict[str, Any] = {
        "players": players,
        "status": "draw",
        "moves": " ".join(moves),
        "opening": {"eco": headers.get("ECO"), "name": headers.get("Opening")},
    }
    if winner := {"1-0": "white", "0-1": "black"}.get(headers["Result"]):
        record |= {"winner": winner, "status": "resign"}
    if any(clock is not None for clock in clocks):
        record["clocks"] = clocks
    if analysis:
        record["analysis"] = analysis
    return record


def test_moves_in_place_of_pgn() -> None:
    file = io.StringIO(SAMPLE.read_text())
    games = [game for _ in range(12) if (game := chess.pgn.read_game(file)) and game.headers["Result"] != "*"]
    assert len(games) > 10
    lines = "\n".join(json.dumps(lichess_record(game)) for game in games).encode()
    found, expected = read_pgn(lines), read_pgn("\n\n".join(map(str, games)).encode())
    assert not found.errors
    tables = found.to_arrow(), expected.to_arrow()
    for name in ("White", "Black", "WhiteElo", "BlackElo", "WhiteTitle", "ECO", "Opening", "Result"):
        assert tables[0].column(name).to_pylist() == tables[1].column(name).to_pylist(), name
    for ours, theirs in zip(found, expected, strict=True):
        assert [move.uci() for move in ours.moves] == [move.uci() for move in theirs.moves]
    assert str(found.clocks) == str(expected.clocks)
    assert str(found.evals) == str(expected.evals)


FULL: Final = {
    "id": "abcdefgh",
    "rated": False,
    "variant": "fromPosition",
    "speed": "bullet",
    "perf": "bullet",
    "createdAt": 1748736000123,
    "status": "outoftime",
    "players": {
        "white": {"user": {"name": 'A "B\\', "title": "GM"}, "rating": 2500, "ratingDiff": -3},
        "black": {"aiLevel": 3},
    },
    "winner": "black",
    "opening": {"eco": "C20", "name": "King's Pawn Game", "ply": 2},
    "initialFen": "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1",
    "moves": "e4 e5 Kd2",
    "clock": {"initial": 60, "increment": 1, "totalTime": 100},
    "clocks": [6003, 6000, 360050, 12],
    "analysis": [
        {"eval": 17},
        {"mate": -3, "variation": "e6 Kd2", "judgment": {"name": "Blunder", "comment": "Blunder. e6 was best."}},
    ],
}


def test_a_record_with_everything() -> None:
    text = b"".join(as_pgn("", [json.dumps(FULL).encode()])).decode()
    assert text.splitlines() == [
        '[Event "Casual bullet game"]',
        '[Site "https://lichess.org/abcdefgh"]',
        '[Date "2025.06.01"]',
        '[UTCDate "2025.06.01"]',
        '[UTCTime "00:00:00"]',
        '[White "A \\"B\\\\"]',
        '[WhiteElo "2500"]',
        '[WhiteTitle "GM"]',
        '[WhiteRatingDiff "-3"]',
        '[Black "lichess AI level 3"]',
        '[Result "0-1"]',
        '[Variant "From Position"]',
        '[TimeControl "60+1"]',
        '[ECO "C20"]',
        '[Opening "King\'s Pawn Game"]',
        '[Termination "Time forfeit"]',
        '[FEN "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1"]',
        '[SetUp "1"]',
        "",
        "e4 { [%eval 0.17] [%clk 0:01:00.03] } e5 $4 { [%eval #-3] [%clk 0:01:00] Blunder. e6 was best. } (e6 Kd2) Kd2 "
        "{ [%clk 1:00:00.5] } 0-1",
    ]
    games = read_pgn(json.dumps(FULL).encode(), errors="raise")
    assert games.clocks.tolist() == pytest.approx([60.03, 60, 3600.5])
    assert read_pgn(text.encode()) == games


BAD: Final = {
    '{"moves": "e4': "Unterminated string starting at at character 11",
    "[1]": "(1): expected an object",
    '{"id": "x"}': "neither a field 'pgn' nor 'moves'",
    '{"pgn": 3}': "pgn: 3: expected a text",
    '{"pgn": " "}': "pgn: '': expected a game",
    '{"moves": "e4", "players": []}': "players: (): expected an object",
    '{"moves": "e4", "winner": "x"}': "winner: 'x': expected 'white' or 'black'",
    '{"moves": "e4", "clocks": [1, 2, 3]}': "clocks: 3 values: expected one for each of the 1 moves",
    '{"moves": "e4", "clocks": ["a"]}': "clk: 'a': expected a number",
    '{"moves": "e4", "analysis": [{"eval": "a"}]}': "eval: 'a': expected a number",
    '{"moves": "e4", "analysis": [1]}': "analysis: 1: expected an object",
    '{"moves": "e4", "createdAt": 1e300}': "createdAt: 1e+300: expected milliseconds since 1970",
    '{"moves": "e4", "createdAt": "soon"}': "Invalid isoformat string: 'soon'",
    '{"pgn": "\\ud800"}': "'utf-8' codec can't encode character '\\ud800' in position 13: surrogates not allowed",
    "[" * 100_000: "maximum recursion depth exceeded",
}


def test_bad_records_have_their_numbers() -> None:
    good = '{"moves": "d4 d5"}'
    lines = [part for line in BAD for part in (good, line)]
    games = read_pgn("\n".join(lines).encode())
    assert len(games) == 2 * len(BAD)
    assert [(error.game, error.place) for error in games.errors] == [(2 * k + 2, "headers") for k in range(len(BAD))]
    for error, reason in zip(games.errors, BAD.values(), strict=True):
        assert error.reason.startswith(f"JSON record: {reason}")
    assert len(read_pgn("\n".join(lines).encode(), errors="skip")) == len(BAD)
    assert len(read_pgn(b'{"moves": "d4 d5"}\n\xff{"moves": "e4"}\n').errors) == 1


def test_a_bad_game_spoils_no_other() -> None:
    texts = ["1. e4 {open", "1. d4 (1. c4", "1. d4 d5", '[White "A"]\n\n1. c4 ; rest', "1. Nf3 *"]
    games = read_pgn("\n".join(json.dumps({"pgn": text}) for text in texts).encode())
    assert [error.game for error in games.errors] == [1, 2]
    assert [len(game.moves) for game in games] == [1, 1, 2, 1, 1]


@pytest.mark.parametrize("cut", [30, 20_000])
def test_an_archive_that_is_cut_short(cut: int, tmp_path: Path) -> None:
    path = tmp_path / "games.json"
    path.write_bytes(of_chess_com()[:-cut])
    with pytest.warns(DamagedFileWarning, match=r"JSON, after \d+ records: "):
        games = read_pgn(path)
    whole = len(games) - (games.errors[0].game > 0)
    assert 10 < whole <= len(TEXTS)
    with pytest.raises(DamagedFileError):
        read_pgn(path, errors="raise")


@pytest.mark.parametrize("packed", [False, True])
def test_lines_are_divided(packed: bool, tmp_path: Path) -> None:
    path, content = tmp_path / "games.ndjson", of_lichess()
    if packed:
        content = in_frames(content)[0]
    path.write_bytes(content)
    ranges = list(ranges_of(str(path), 10_000 if not packed else 20_000))
    assert len(ranges) > 3
    parts = [read_pgn(part) for part in ranges]
    assert Games.concatenate(parts).moves == read_pgn(PGN).moves
    for options in ({"threads": 2}, {"threads": 3}):
        assert read_pgn(path, **options) == read_pgn(PGN)  # type: ignore[arg-type]


def test_documents_are_not_divided(tmp_path: Path) -> None:
    path = tmp_path / "games.json"
    path.write_bytes(of_chess_com())
    assert len(list(ranges_of(str(path), 10_000))) == 1


def test_other_json_is_refused() -> None:
    for text in (
        b'{"a": 1}',
        b'{"fen": "8/8/8/8/8/8/8/8 w - - 0 1", "moves": "e4"}',
        b'[{"a": "pgn"}]',
        b'["pgn", "x"]',
    ):
        with pytest.raises(NotGamesError, match="a JSON document, not PGN"):
            read_pgn(text)


COMMANDS: Final = (
    ("games", "games", "-o", "out.pgn"),
    ("games", "games", "-o", "out.csv", "--where", "WhiteElo > 1500"),
    ("search", "games", "is_check", "-o", "out.csv"),
    ("search", "games", "is_check", "-o", "out.csv", "--executor", "threads:2"),
    ("openings", "games", "-o", "out.json"),
    ("convert", "games", "-o", "out.plain", "--from", "games"),
    ("annotate", "games", "-o", "out.csv", "--features", "legal_moves"),
    ("dataset", "games", "-o", "out"),
)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_commands_write_the_same(command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = []
    for name, content in (("pgn", PGN), ("lines", of_lichess()), ("packed", gzip.compress(of_chess_com()))):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "games").write_bytes(content)
        monkeypatch.chdir(folder)
        run(*command)
        outputs = sorted(path for path in folder.rglob("out*/*.npy")) or sorted(folder.glob("out.*"))
        written.append([path.read_bytes() for path in outputs])
    assert written[0]
    assert written[1] == written[2] == written[0]
