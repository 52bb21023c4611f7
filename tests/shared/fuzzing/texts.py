"""FEN and EPD, query texts, CSV and lines of JSON, JSON of sites, books, names of openings and suites of perft."""

import csv
import functools
import io
import json
import random
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import chess
import chess.polyglot
from hypothesis import HealthCheck, Phase, given, seed, settings

import rookery
from fuzzing import Target, answer
from fuzzing.damage import damage
from fuzzing.games import divided, facts_of, pool
from random_positions import random_position
from random_queries import Allowed, any_query
from rookery import Board, Positions, Query, read_pgn
from rookery.sources.failures import DamagedFileError, NotGamesError

# FEN and EPD.

_EPDS: Final = (
    b'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7#; id "mate in 1"; ce 32000;',
    b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - pv e4 e5 Nf3; am f3 g4; hmvc 3; fmvn 7; noop;",
    b'4k3/8/8/8/8/8/8/4K3 b - - c0 "a \\"b\\" \\\\ c"; acd 1.5;',
    b"8/8/8/8/8/8/8/8 w - - 0 1",
    b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
)
_FEN_WORDS: Final = (
    *(b" w ", b" b ", b"-", b"KQkq", b"HAha", b"e3", b" 0 1", b" 99999 99999", b"/", b"9", b"8/8/8/8/8/8/8/8", b"KK"),
    *(
        b"\xe2\x80\x83",
        b"\x1c",
        b"\xd9\xa3",
        b"\xc2\xa0",
        b"hmvc 3;",
        b"fmvn -1;",
        b'id "',
        b";",
        b" +1",
        b" 0 0",
        b"~",
    ),
)


@functools.cache
def _lines() -> list[bytes]:
    rng = random.Random(0)
    boards = [random_position(rng, i % 2 == 0) for i in range(100)]
    return [board.fen(en_passant="fen").encode() for board in boards] + list(_EPDS)


def make_fens(rng: random.Random) -> bytes:
    """Return lines of FEN or EPD, most often damaged."""
    lines = b"\n".join(rng.choices(_lines(), k=rng.choice((1, 1, 1, 3, 10))))
    return damage(rng, lines, _FEN_WORDS, _lines())


def check_fens(data: bytes) -> None:
    """Compare boards and arrays, however lines are read, and python-chess where it reads a line."""
    positions = answer(Positions.from_fens, data, errors="mark", says=".")
    if positions is None:  # such as a line that is too long
        return
    bad = {line.line for line in positions.bad_lines}
    rest = Positions.from_fens(data, errors="skip", threads=2)
    assert len(rest) == len(positions) - len(bad)
    fens = rest.to_fens(en_passant="fen", shredder=False)
    raised = answer(Positions.from_fens, data, says=r"line [\d,]+: ")
    assert (raised is None) == bool(bad)
    again = [
        batch.to_fens(en_passant="fen") for batch in Positions.scan_fens(io.BytesIO(data), batch_size=2, errors="skip")
    ]
    assert [fen for fens in again for fen in fens] == fens
    text = data.decode("utf-8", "replace")
    if "\ufffd" not in text and "\r" not in text and "\0" not in text:
        lines = text.split("\n")
        read = [(i, line) for i, line in enumerate(lines, 1) if i not in bad and line.strip(" \t\x0b\x0c")]
        if len(read) == len(rest):
            for (_, line), fen in zip(read, fens, strict=True):
                _compare(line, fen)
    rest.is_valid()
    valid = rest[rest.is_valid(strict=False)]
    valid.legal_move_counts()
    assert Positions.from_fens(valid.to_fens(en_passant="fen", shredder=True)) == valid


def _compare(line: str, fen: str) -> None:
    """Compare a line that arrays take with a board and with python-chess."""
    fields = line.split()
    is_fen = len(fields) <= 6 and all(field.lstrip("+").isdigit() for field in fields[4:])
    if is_fen:
        assert Board.unchecked(line).board_fen() == fen.split()[0]
    theirs = answer(chess.Board, " ".join(fields[:4]), chess960=True)
    assert theirs is None or theirs.board_fen() == fen.split()[0]


# Queries.


@functools.cache
def _queries() -> list[bytes]:
    found: list[bytes] = []

    @settings(
        max_examples=400, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck), deadline=None
    )
    @seed(1)
    @given(any_query(Allowed(3, games=True, sequences=1)))
    def collect(text: str) -> None:
        found.append(text.encode())

    collect()
    return found


_QUERY_WORDS: Final = (
    *(
        b"(",
        b")",
        b"((((((((",
        b"not ",
        b" and ",
        b" or ",
        b"~",
        b"-",
        b"**",
        b"//0",
        b"%0",
        b" in ",
        b" is ",
        b"None",
        b"''",
    ),
    *(
        b"9" * 400,
        b"1e400",
        b"0x",
        b"us.",
        b"us.king.king",
        b"lambda: 0",
        b"__import__('os')",
        b"[0]",
        b"{}",
        b"f''",
        b";",
    ),
    *(
        b"possible(",
        b"previous(",
        b"next(",
        b"then(",
        b"ever(",
        b"pattern('",
        b"move.",
        b"after(",
        b"count(",
        b"path(",
        b",",
    ),
)


@functools.cache
def _subjects() -> tuple[Positions, Any]:
    rng = random.Random(3)
    boards = [random_position(rng, i % 3 == 0).fen(en_passant="fen") for i in range(20)]
    return Positions.from_fens([*boards, "8/8/8/8/8/8/8/8 w - - 0 1"]), read_pgn(b"".join(pool()[:6]))


def make_query(rng: random.Random) -> bytes:
    """Return a query, most often damaged or put together from two."""
    text = rng.choice(_queries())
    if rng.random() < 0.3:
        other = rng.choice(_queries())
        text = rng.choice((b"(%b) and (%b)", b"count(%b) > (%b)", b"after(%b) + %b", b"any(%b, %b)")) % (text, other)
    return damage(rng, text, _QUERY_WORDS, _queries())


def check_query(data: bytes) -> None:
    """Ask a query of positions and of games, and use it as a condition on headers."""
    text = data.decode("utf-8", "replace")
    positions, games = _subjects()
    query = answer(Query, text, says="query: ")
    if query is not None:
        assert str(Query(text)) == str(query)
        found = answer(positions.evaluate, query, says="query: ")
        if found is not None:
            parts = [positions[:7].evaluate(text), positions[7:].evaluate(text)]
            assert repr(found.tolist()) == repr(parts[0].tolist() + parts[1].tolist())
        hits = answer(games.search, query, says="query: ")
        if hits is not None:
            assert len(games[:3].search(query)) + len(games[3:].search(query)) == len(hits)
    answer(read_pgn, pool()[0], where=text, says="where: |headers?: |query: ")


# CSV, TSV and lines of JSON.

_TABLE_WORDS: Final = (
    *(b",", b'"', b'""', b"\n", b"\r\n", b"\t", b";", b"fen", b"FEN", b"null", b"true", b"{", b"}", b"[", b"]", b":"),
    *(b'"\n"', b"\\u0000", b"\\ud800", b"1e999", b"-0", b"0x1", b"\xef\xbb\xbf", b"NaN", b"Infinity", b"\0", b"1_000"),
)


@functools.cache
def _tables() -> list[bytes]:
    rng, found = random.Random(5), []
    for kind in ("csv", "tsv", "jsonl"):
        for _ in range(20):
            rows = []
            for i in range(rng.choice((0, 1, 3, 12))):
                fen = rng.choice(_lines()[:100]).decode()
                name = rng.choice(("a", "", 'b "c"', "d,e", "f\ng", "é"))
                rows.append({"id": i, "fen": fen, "name": name, "x": rng.choice((1, 2.5, "y", -7))})
            if kind == "jsonl":
                text = "".join(json.dumps(row) + "\n" for row in rows)
            else:
                file = io.StringIO()
                writer = csv.DictWriter(file, ["id", "fen", "name", "x"], delimiter="," if kind == "csv" else "\t")
                writer.writeheader()
                writer.writerows(rows)
                text = file.getvalue()
            found.append(kind.encode() + b"\n" + text.encode())
    return found


def make_lines(rng: random.Random) -> bytes:
    """Return a format and a file of positions with other columns, with damage."""
    kind, _, text = rng.choice(_tables()).partition(b"\n")
    return kind + b"\n" + damage(rng, text, _TABLE_WORDS, [one.partition(b"\n")[2] for one in _tables()])


def check_lines(data: bytes) -> None:
    """Annotate the file, and scan it: both find the same rows, and leave no other file."""
    kind, _, rest = data.partition(b"\n")
    if kind not in (b"csv", b"tsv", b"jsonl"):
        return
    with TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / f"rows.{kind.decode()}"
        path.write_bytes(rest)
        out = folder / "out.jsonl"
        expected = (ValueError, OSError)
        made = answer(
            rookery.annotate, path, out, "legal_moves", errors=folder / "bad.jsonl", says=".", expected=expected
        )
        table = answer(lambda: rookery.scan(path, bad="skip").select("fen").collect(), says=".", expected=expected)
        assert {file.name for file in folder.iterdir()} <= {path.name, "out.jsonl", "bad.jsonl"}
        if made is not None and table is not None:
            rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
            assert len(rows) == made.rows
            assert [row["fen"] for row in rows] == table.column("fen").to_pylist()


# JSON of sites.


@functools.cache
def _documents() -> list[bytes]:
    texts = [text.decode() for text in pool()[:12]]
    records = [{"id": str(i), "pgn": text, "rated": True} for i, text in enumerate(texts)]
    lichess = "".join(json.dumps(record) + "\n" for record in records[:4])
    moves = json.dumps({"id": "x", "moves": "e4 e5 Nf3", "winner": "white", "players": {"white": {"rating": 9}}}) + "\n"
    archive = {"games": [{"url": "u", "pgn": text, "time_class": "blitz"} for text in texts[4:7]]}
    return [
        text.encode() for text in (lichess, moves, lichess + moves, json.dumps(archive), json.dumps(archive, indent=1))
    ]


def make_json(rng: random.Random) -> bytes:
    """Return JSON of Lichess or chess.com with damage."""
    return damage(
        rng, rng.choice(_documents()), (*_TABLE_WORDS, b'"pgn": ', b'{"games": [', b'"moves": "e4"'), _documents()
    )


def check_json(data: bytes) -> None:
    """Read the games, in blocks of all sizes and of a stream."""
    games = answer(read_pgn, io.BytesIO(data), says=".", expected=(NotGamesError, DamagedFileError))
    again = answer(divided, io.BytesIO(data), says=".", expected=(NotGamesError, DamagedFileError))
    assert (games is None) == (again is None)
    if games is not None:
        assert games.errors or not games.is_bad.any()
        assert again is not None
        assert facts_of(again) == facts_of(games)


# Books, names of openings, suites of perft.


@functools.cache
def _books() -> list[bytes]:
    found = []
    with TemporaryDirectory() as folder:
        for n in (1, 4, 40):
            path = Path(folder, "book.bin")
            read_pgn(b"".join(pool()[:n])).opening_tree(8).to_book().write(path)
            found.append(path.read_bytes())
    return found


def make_book(rng: random.Random) -> bytes:
    """Return a Polyglot book with damage."""
    return damage(rng, rng.choice(_books()), (), _books())


def check_book(data: bytes) -> None:
    """Compare the entries of a book with those that python-chess finds, and write it."""
    book = answer(rookery.read_book, data, says=".")
    if book is None:
        return
    with TemporaryDirectory() as folder:
        path = Path(folder, "book.bin")
        book.write(path)
        assert path.read_bytes() == data
        if data:
            with chess.polyglot.open_reader(path) as theirs:
                entries = [(entry.key, entry.raw_move, entry.weight, entry.learn) for entry in theirs]
            assert [book[name].tolist() for name in ("key", "move", "weight", "learn")] == [
                list(column) for column in zip(*entries, strict=True)
            ]
    for entry in book[:20]:
        assert entry.move is not None
    book.find_all(Board())


_NAMES: Final = (
    b"eco\tname\tpgn\nC20\tKing's Pawn\t1. e4 e5\nB00\tOther\t1. e4\nA00\tX\t1. a3 a6 2. b3\n",
    b"eco\tname\tuci\nC20\tKing's Pawn\te2e4 e7e5\nA40\tY\td2d4\n",
    b"eco\tname\tepd\nC20\tKing's Pawn\trnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n",
)
_SUITE: Final = (
    b"8/8/8/8/8/8/8/K1k5 w - - 0 1 ;D1 1 ;D2 6\n",
    b"4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;D2 66 ;D3 1197\n",
)


def make_small(rng: random.Random) -> bytes:
    """Return names of openings or a suite of perft with damage."""
    if rng.random() < 0.5:
        return b"names\n" + damage(rng, rng.choice(_NAMES), (b"\t", b"\n", b"1.", b"e4", b"eco", b"name"), _NAMES)
    return b"suite\n" + damage(rng, b"".join(_SUITE), (b";D1 ", b";", b"D99 1", b"\n", b" 0 1 "), _SUITE)


def check_small(data: bytes) -> None:
    """Read the names, or the suite."""
    kind, _, rest = data.partition(b"\n")
    if kind == b"names":
        names = answer(rookery.read_opening_names, rest, says=".")
        if names is not None:
            read_pgn(pool()[0], names=names)
    elif kind == b"suite":
        answer(lambda: list(rookery.perft_suite(rest, 1)), says=".")


TARGETS: Final = (
    Target("fen-and-epd", make_fens, check_fens),
    Target("queries", make_query, check_query),
    Target("lines-of-positions", make_lines, check_lines),
    Target("json-of-sites", make_json, check_json),
    Target("books", make_book, check_book),
    Target("names-and-suites", make_small, check_small),
)
