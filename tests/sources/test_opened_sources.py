"""Sources opened without being read as games: streams and tables, their names, what they count, and JSON as PGN."""

import bz2
import gzip
import io
import json
import lzma
import os
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from rookery.sources import streams
from rookery.sources.chunks import Filled
from rookery.sources.failures import DamagedFileError, NotGamesError
from rookery.sources.file_range import FileRange
from rookery.sources.identity import Identity
from rookery.sources.json_games import as_pgn
from rookery.sources.streams import Counted, Stream, TableFile, check_source, expanded, streams_of, text_of

TEXT: Final = b'[White "A"]\n\n1. e4 *\n'
LONG: Final = TEXT * 100  # longer than what is looked at
MARK: Final = b"\xef\xbb\xbf"


def opened(*parts: Any, **options: Any) -> tuple[list[tuple[Any, ...]], Counted]:
    """Return the name, the text and the other fields of each stream, and the fields of each table."""
    counted, found = Counted(), list[tuple[Any, ...]]()
    for one in streams_of(list(parts), threading.Event(), counted, **options):
        if isinstance(one, Stream):
            text = b"".join(map(bytes, Filled(one.fill)))
            found.append((one.name, text, one.is_file, one.after_result, one.is_long))
        else:
            found.append(one[:6])
    return found, counted


def numbers(counted: Counted) -> tuple[int, ...]:
    return counted.read, counted.unpacked, counted.games, counted.lines, counted.bytes_of_pgn


def test_nothing_is_counted_at_first() -> None:
    assert numbers(Counted()) == (0, 0, 0, 0, 0)


# Bytes.


@pytest.mark.parametrize(
    "source",
    [
        LONG,
        bytearray(LONG),
        memoryview(LONG),
        np.frombuffer(LONG, np.uint8),
        np.frombuffer(LONG, np.int8),
        memoryview(LONG).cast("c"),
        np.frombuffer(LONG, np.uint8).reshape(-1, 4),
    ],
)
def test_bytes(source: Any) -> None:
    assert check_source(source) == [source] or isinstance(source, np.ndarray)
    found, counted = opened(source)
    assert found == [("", LONG, False, False, False)]
    assert numbers(counted) == (len(LONG), len(LONG), 0, 0, 0)


@pytest.mark.parametrize("source", [np.zeros(8, np.uint8)[::2], np.zeros(4, np.int32), 5, None, np.array(["a"])])
def test_what_is_not_bytes(source: Any) -> None:
    with pytest.raises(TypeError, match=r"^source: \w+: expected a path, a list of paths, bytes, an open file or"):
        check_source(source)
    with pytest.raises(TypeError, match=r"^source\[1\]: .*: expected a path, bytes or an open file$"):
        check_source([TEXT, source])


def test_large_bytes_come_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "_PLAIN_CHUNK", 2_000)
    data = bytes(range(32, 120)) * 100
    (one,) = streams_of([data], threading.Event(), counted := Counted(), any_text=True)
    assert isinstance(one, Stream)
    buffer = bytearray(10_000)
    assert one.fill(memoryview(buffer)) == 2_000
    assert counted.read == 2_000
    assert b"".join([bytes(buffer[:2_000]), *map(bytes, Filled(one.fill))]) == data


# Open files.


def test_open_files(tmp_path: Path) -> None:
    found, counted = opened(io.BytesIO(LONG), io.StringIO('[White "é"]\n\udc80'))
    assert found == [
        ("", LONG, True, False, False),
        ("", '[White "é"]\n\\udc80'.encode(), True, False, False),
    ]
    assert counted.read == len(LONG) + len(found[1][1])
    path = tmp_path / "a.pgn"
    path.write_bytes(TEXT)
    with path.open("rb") as file:
        assert opened(file)[0] == [(str(path), TEXT, True, False, False)]
        assert not file.closed
    with pytest.raises(ValueError, match="encoding: 'latin-1': the source is open as text: expected a file open for b"):
        opened(io.StringIO("1. e4"), encoding="latin-1")
    assert opened(io.StringIO("1. e4"))[0][0][1] == b"1. e4"


def test_messages_name_open_files(tmp_path: Path) -> None:
    pdf = b"%PDF-1.7"
    (tmp_path / "a").write_bytes(pdf)
    with (tmp_path / "a").open("rb") as file, pytest.raises(NotGamesError, match=f"^{tmp_path}/a: a PDF document"):
        opened(file)
    for source, name in ((io.BytesIO(pdf), "the file"), (pdf, "the bytes"), (tmp_path / "a", f"{tmp_path}/a")):
        with pytest.raises(NotGamesError, match=rf"^{name}: a PDF document, not PGN$"):
            opened(source)


# Paths, packed and in ranges.


def test_paths(tmp_path: Path) -> None:
    path = tmp_path / "a.pgn"
    path.write_bytes(LONG)
    for source in (path, str(path), os.fsencode(path).decode()):
        found, counted = opened(source)
        assert found == [(str(path), LONG, True, False, False)]
        assert numbers(counted) == (len(LONG), len(LONG), 0, 0, 0)
    found, counted = opened(FileRange(str(path), 21, 63), FileRange(str(path), 63))
    assert found == [(str(path), TEXT * 2, False, True, False), (str(path), LONG[63:], True, True, False)]
    assert counted.read == len(LONG) - 21
    path.write_bytes(b"")
    assert opened(path)[0] == [(str(path), b"", True, False, False)]


@pytest.mark.parametrize("ahead", [False, True])
@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_packed_paths(pack: Callable[[bytes], bytes], ahead: bool, tmp_path: Path) -> None:
    path = tmp_path / "a.pgn"
    for text, is_long in ((LONG, True), (TEXT, False)):
        content = pack(text)
        path.write_bytes(content)
        found, counted = opened(path, ahead=ahead)
        assert found == [(str(path), text, True, False, is_long)]
        assert numbers(counted) == (len(content), len(text), 0, 0, 0)
        assert opened(content, ahead=ahead)[0] == [("", text, False, False, is_long)]


def test_threads_unpack_long_files_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []

    def noted(chunks: Any, stopped: threading.Event) -> Any:
        made.append(stopped)
        return chunks

    monkeypatch.setattr(streams, "prefetch", noted)
    (tmp_path / "a").write_bytes(gzip.compress(LONG))
    for source, options, n in (
        (tmp_path / "a", {}, 1),
        (tmp_path / "a", {"ahead": False}, 0),
        (gzip.compress(TEXT), {}, 0),
        (LONG, {}, 0),
    ):
        made.clear()
        opened(source, **options)
        assert len(made) == n


def test_tables(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"PAR1" + bytes(2000))
    assert opened(path)[0] == [(str(path), "Parquet", path, 0, None, 0)]
    part = FileRange(str(path), 2, 5, rows_before=7)
    (one,) = streams_of([part], threading.Event(), Counted())
    assert isinstance(one, TableFile)
    assert one[:6] == (str(path), "Parquet", path, 2, 5, 7)
    assert one.file == str(path)
    one.check()
    (table,) = streams_of([b"ARROW1\0\0" + bytes(9)], threading.Event(), Counted())
    assert isinstance(table, TableFile)
    assert (table.name, table.format, bytes(table.content)) == ("the bytes", "Arrow", b"ARROW1\0\0" + bytes(9))
    assert (table.file, table.start, table.stop, table.rows_before) == ("", 0, None, 0)
    (table,) = streams_of([gzip.compress(b"ARROW1\0\0")], threading.Event(), Counted())
    assert isinstance(table, TableFile)
    assert b"".join(map(bytes, table.content)) == b"ARROW1\0\0"


def test_files_in_files() -> None:
    packed = TEXT
    for _ in range(8):
        packed = gzip.compress(packed)
    assert opened(packed)[0][0][1] == TEXT
    with pytest.raises(NotGamesError, match=r"^the bytes: packed more than 8 times: unpack it first$"):
        opened(gzip.compress(packed))


# Other encodings, and JSON.


def test_encodings() -> None:
    text = '[White "é"]\n\n1. e4 *\n'
    for encoding in ("utf-16", "utf-32", "utf-16-le", "utf-32-be"):
        assert opened(text.encode(encoding))[0][0][1].removeprefix(MARK) == text.encode()
        assert opened(gzip.compress(text.encode(encoding)))[0][0][1].removeprefix(MARK) == text.encode()
    assert opened(text.encode("latin-1"), encoding="latin-1")[0][0][1] == text.encode()
    assert opened(gzip.compress(text.encode("latin-1")), encoding="latin-1")[0][0][1] == text.encode()
    assert opened(MARK + text.encode(), encoding="latin-1")[0][0][1] == MARK + text.encode()
    assert opened(text.encode("utf-16"), encoding="latin-1")[0][0][1].removeprefix(MARK) == text.encode()


def test_paths_in_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes("1. e4 {é} *".encode("latin-1"))
    assert opened(path, encoding="latin-1")[0][0][1] == "1. e4 {é} *".encode()


def test_json_becomes_pgn(tmp_path: Path) -> None:
    lines = b'{"pgn": "1. e4 *"}\n{"pgn": "1. d4 *"}\n'
    expected = b'[Event "?"]\n\n1. e4 *\n\n[Event "?"]\n\n1. d4 *\n'
    path = tmp_path / "a"
    path.write_bytes(lines)
    assert opened(lines)[0][0][1] == opened(path)[0][0][1] == opened(gzip.compress(lines))[0][0][1] == expected
    # A later range of a file of games need not show by its first bytes that it has some.
    path.write_bytes(b'{"pgn": "1. e4 *"}\n{"a": 1}\n')
    assert b"neither a field" in opened(FileRange(str(path), 19))[0][0][1]
    path.write_bytes(b'{"a": 1}\n')
    with pytest.raises(NotGamesError, match="a JSON document"):
        opened(path)


# Archives.


def zipped(**files: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("_", ".", 1) if not name.startswith("__") else name, content)
    return file.getvalue()


def test_files_of_archives(tmp_path: Path) -> None:
    data = zipped(a_pgn=TEXT, b_txt=b"no games", c=LONG, d_pgn=b"", e_PGN=b"no games", **{"__MACOSX/x.pgn": TEXT})
    names = ["a.pgn", "c", "d.pgn", "e.PGN"]
    texts = [TEXT, LONG, b"", b"no games"]
    for source, folder in ((data, ""), (tmp_path / "z", f"{tmp_path}/z/")):
        (tmp_path / "z").write_bytes(data)
        found, counted = opened(source)
        assert [one[0] for one in found] == [folder + name for name in names]
        assert [one[1] for one in found] == texts
        assert counted.unpacked == sum(map(len, texts))
        assert counted.read == len(data) or isinstance(source, Path)
    inner = zipped(in_zip=data)
    assert [one[0] for one in opened(inner)[0]] == ["in.zip/" + name for name in names]


@pytest.mark.parametrize(
    ("files", "has"),
    [
        ({}, "an empty zip archive, not PGN"),
        ({"a_txt": b"x"}, "a zip archive without games: it has only 'a.txt'"),
        ({f"{i}": b"x" for i in range(5)}, "it has only '0', '1', '2', '3', '4'"),
        ({f"{i}": b"x" for i in range(6)}, "it has only '0', '1', '2', '3', '4', ..."),
        ({"__MACOSX/a": b"x"}, "a zip archive without games: it is empty"),
    ],
)
def test_archives_without_games(files: dict[str, bytes], has: str) -> None:
    with pytest.raises(NotGamesError) as caught:
        opened(zipped(**files))
    assert str(caught.value).startswith("the bytes: ")
    assert str(caught.value).endswith(has)


def test_archives_that_are_damaged(tmp_path: Path) -> None:
    (tmp_path / "z").write_bytes(zipped(a_pgn=TEXT)[:40] + b"x")
    streams_found = streams_of([tmp_path / "z"], threading.Event(), Counted())
    with pytest.raises(DamagedFileError, match="cut short"):
        b"".join(map(bytes, Filled(next(streams_found).fill)))  # type: ignore[union-attr]
    found = streams_of([zipped(a_pgn=TEXT)[:20]], threading.Event(), Counted())
    one = next(found)
    assert (one.name, isinstance(one, Stream)) == ("", True)
    with pytest.raises(DamagedFileError, match="cut short"):
        b"".join(map(bytes, Filled(one.fill)))  # type: ignore[union-attr]
    assert next(found, None) is None


# Whole texts, and what a source consists of.


def test_whole_texts(tmp_path: Path) -> None:
    assert text_of(b"fen\n") == b"fen\n"
    assert text_of([b"a", gzip.compress(b"b"), io.BytesIO(b"c")]) == b"a\nb\nc"
    assert text_of("é".encode("utf-16") + b"x\0") == "éx".encode()
    positions = b"fen,move\n8/8,e4\n"  # which has no games
    (tmp_path / "a.csv").write_bytes(positions)
    assert text_of(positions) == text_of(tmp_path / "a.csv") == text_of([str(tmp_path / "a.csv")]) == positions
    with pytest.raises(ValueError, match=r"^the bytes: a table in Parquet: expected text$"):
        text_of(b"PAR1")


def test_what_a_source_consists_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("b.x", "a.x", "c[1].x"):
        (tmp_path / name).write_bytes(TEXT)
    (tmp_path / "d.x").mkdir()
    assert expanded("?.x") == ["a.x", "b.x"]
    assert expanded(["?.x", b"z", Path("b.x")]) == ["a.x", "b.x", b"z", Path("b.x")]
    assert expanded(("a.x",)) == ["a.x"]
    assert expanded("c[1].x") == ["c[1].x"]
    assert expanded("missing") == ["missing"]
    assert expanded(Path("1. e4")) == [Path("1. e4")]
    assert expanded("s3://bucket/*.x") == ["s3://bucket/*.x"]
    assert expanded(FileRange("?.x")) == ["a.x", "b.x"]
    for part in (FileRange("?.x", 1), FileRange("?.x", identity=Identity(1, 2))):
        assert expanded(part) == [part]
    with pytest.raises(FileNotFoundError, match=r"no file matches: '\*\.y'"):
        expanded("*.y")
    for text in ("1. e4", "e4 e5", "O-O", '[White "A"]', "[White", "a\nb"):
        if text != "[White":
            with pytest.raises(ValueError, match=r"a str is the path of a file, and there is no such file; pass PGN"):
                expanded(text)
    with pytest.raises(IsADirectoryError, match=r"^d\.x is a directory: expected a file of games, or a list of files$"):
        check_source("d.x")
    with pytest.raises(FileNotFoundError):
        check_source("missing")
    assert check_source([Path("a.x"), "./b.x"]) == ["a.x", "b.x"]
    (tmp_path / "e").write_bytes(b"fen,x\n")
    with pytest.raises(NotGamesError, match="a table of positions"):
        check_source("e")
    assert check_source("e", any_text=True) == ["e"]
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.R_OK)
    with pytest.raises(PermissionError):
        check_source("a.x")


# JSON as PGN, record by record.


def pgn_of(**record: Any) -> list[str]:
    return b"".join(as_pgn("x", [json.dumps(record).encode()])).decode().splitlines()


def header(name: str, **record: Any) -> str | None:
    found = [line for line in pgn_of(moves="e4", **record) if line.startswith(f"[{name} ")]
    assert len(found) < 2
    return found[0][len(name) + 3 : -2] if found else None


def test_games_without_fields() -> None:
    assert pgn_of(moves="e4 e5") == ['[Event "?"]', '[Result "*"]', "", "e4 e5 *"]
    assert pgn_of(moves="") == ['[Event "?"]', '[Result "*"]', "", "*"]
    assert pgn_of(pgn=" 1. e4 * \n") == ['[Event "?"]', "", "1. e4 *"]
    assert pgn_of(pgn='[White "A"]\n\n1. e4 *\n', moves=1) == ['[White "A"]', "", "1. e4 *"]


@pytest.mark.parametrize(
    ("status", "winner", "result"),
    [
        *((status, None, "*") for status in (None, "created", "started", "aborted", "noStart", "unknownFinish")),
        *((status, None, "1/2-1/2") for status in ("draw", "stalemate", "outoftime", "mate")),
        ("mate", "white", "1-0"),
        ("started", "black", "0-1"),
    ],
)
def test_results(status: str | None, winner: str | None, result: str) -> None:
    assert header("Result", status=status, winner=winner) == result
    assert pgn_of(moves="e4", status=status, winner=winner)[-1] == f"e4 {result}"
    assert pgn_of(moves="e4", status=status, winner=winner, clocks=[100])[-1].endswith(f"}} {result}")


@pytest.mark.parametrize(
    ("status", "termination"),
    [("mate", "Normal"), ("timeout", "Time forfeit"), ("noStart", "Abandoned"), ("cheat", "Rules infraction")],
)
def test_terminations(status: str, termination: str) -> None:
    assert header("Termination", status=status) == termination


@pytest.mark.parametrize(
    ("created", "date", "time"),
    [
        (0, "1970.01.01", "00:00:00"),
        (1748736000999, "2025.06.01", "00:00:00"),
        (1748735999000, "2025.05.31", "23:59:59"),
        (1500.0, "1970.01.01", "00:00:01"),
        ("2025-06-01T01:02:03Z", "2025.06.01", "01:02:03"),
    ],
)
def test_dates(created: Any, date: str, time: str) -> None:
    assert header("Date", createdAt=created) == header("UTCDate", createdAt=created) == date
    assert header("UTCTime", createdAt=created) == time
    assert header("Date", createdAt=None) is None


def test_events_and_players() -> None:
    assert header("Event", rated=True, perf="blitz", speed="bullet") == "Rated blitz game"
    assert header("Event", rated=False, speed="bullet") == "Casual bullet game"
    assert header("Event", rated=True) == "Rated game"
    assert header("Event", rated=True, tournament="abc") == ("Rated tournament https://lichess.org/tournament/abc")
    assert header("Site", id="abc") == "https://lichess.org/abc"
    assert header("Site") is None
    player = {"user": {"name": "A", "title": "GM"}, "rating": 5, "ratingDiff": 7}
    for side in ("white", "black"):
        color = side.title()
        assert header(color, players={side: player}) == "A"
        assert header(f"{color}Elo", players={side: player}) == "5"
        assert header(f"{color}Title", players={side: player}) == "GM"
        assert header(f"{color}RatingDiff", players={side: player}) == "+7"
        assert header(f"{color}RatingDiff", players={side: {"ratingDiff": 0}}) == "+0"
        assert header(f"{color}RatingDiff", players={side: {"ratingDiff": "x"}}) is None
        assert header(color, players={side: {"name": "B", "aiLevel": 3}}) == "B"
        assert header(color, players={side: {"aiLevel": 3}}) == "lichess AI level 3"
        assert header(color, players={side: {}}) is None
        assert header(color, players={side: None}) is None


def test_other_headers() -> None:
    assert header("Variant", variant="chess960") == "Chess960"
    assert header("Variant", variant="other") == "other"
    assert header("Variant", variant=5) is None
    assert header("TimeControl", clock={"initial": 60}) == "60+0"
    assert header("TimeControl", clock={"increment": 2}, speed="correspondence") == "0+2"
    assert header("TimeControl", speed="correspondence") == "-"
    assert header("TimeControl", speed="blitz") is None
    assert (header("FEN", initialFen="8/8"), header("SetUp", initialFen="8/8")) == ("8/8", "1")
    assert (header("FEN"), header("SetUp")) == (None, None)
    assert header("Opening", opening={"name": 'a  "b"\\'}) == 'a \\"b\\"\\\\'


@pytest.mark.parametrize(
    ("hundredths", "text"),
    [
        (0, "0:00:00"),
        (1, "0:00:00.01"),
        (10, "0:00:00.1"),
        (99, "0:00:00.99"),
        (100, "0:00:01"),
        (5_999, "0:00:59.99"),
        (6_000, "0:01:00"),
        (359_999, "0:59:59.99"),
        (360_000, "1:00:00"),
        (7_325_050.9, "20:20:50.5"),
    ],
)
def test_clocks(hundredths: float, text: str) -> None:
    assert pgn_of(moves="e4", clocks=[hundredths])[-1] == f"e4 {{ [%clk {text}] }} *"


def test_annotations() -> None:
    def judged(**analysis: Any) -> str:
        return pgn_of(moves="e4", analysis=[analysis])[-1]

    assert judged(eval=0) == "e4 { [%eval 0.00] } *"
    assert judged(eval=-150) == "e4 { [%eval -1.50] } *"
    assert judged(mate=3) == "e4 { [%eval #3] } *"
    assert judged(variation="d4 d5") == "e4 (d4 d5) *"
    assert judged(judgment={"name": "Inaccuracy"}) == "e4 $6 *"
    assert judged(judgment={"name": "Mistake", "comment": "x{y}\n"}) == "e4 $2 { x(y)  } *"
    assert judged(judgment={"name": "Other"}) == "e4 *"
    assert judged() == "e4 *"
    assert pgn_of(moves="e4 e5", analysis=[None, {"eval": 5}])[-1] == "e4 e5 { [%eval 0.05] } *"
    assert pgn_of(moves="e4", clocks=[100, 200])[-1] == "e4 { [%clk 0:00:01] } *"
    assert pgn_of(moves="e4 e5", clocks=[100])[-1] == "e4 { [%clk 0:00:01] } e5 *"


@pytest.mark.parametrize("size", [1, 5, 1 << 20])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\n\n \n"])
def test_lines_of_json(end: bytes, size: int) -> None:
    data = MARK + end.join([b'{"pgn": "1. e4"}', b'{"pgn": 1}', b"{", b'{"pgn": "1. d4"}'])
    expected = (
        '[Event "?"]\n\n1. e4\n\n'
        '[Event "?"]\n\n{[%parse_error headers: JSON record: pgn: 1: expected a text]} *\n\n'
        '[Event "?"]\n\n{[%parse_error headers: JSON record: Expecting property name enclosed in double quotes at '
        'character 2]} *\n\n[Event "?"]\n\n1. d4\n'
    )
    for last in (b"", b"\n"):
        chunks = [(data + last)[i : i + size] for i in range(0, len(data + last), size)]
        assert b"".join(as_pgn("x", chunks)).decode() == expected


@pytest.mark.parametrize(
    "text",
    [
        '[{"pgn": "1"}, {"pgn": "2"}]',
        ' [ {"pgn": "1"}\n,\n{"pgn": "2"} ] ',
        '{"games": [{"pgn": "1"}, {"pgn": "2"}]}',
        '{ "games" : [ {"pgn": "1"},{"pgn": "2"} ] , "next": null, "more": [1] }',
        '[{"pgn": "1"}]\n[{"pgn": "2"}]',
        '{"games": [{"pgn": "1"}], "a": 1}{"games": [], "a": 1}  [{"pgn": "2"}]',
        '{\n"pgn": "1"}\n{"pgn": "2"}',
    ],
)
def test_documents_of_json(text: str) -> None:
    assert b"".join(as_pgn("x", [text.encode()])) == b'[Event "?"]\n\n1\n\n[Event "?"]\n\n2\n'


@pytest.mark.parametrize(
    ("text", "records", "reason"),
    [
        ('[{"pgn": "1"}', 1, "Expecting ',' or ']' at character 14"),
        ('[{"pgn": "1"} {', 1, "Expecting ',' or ']' at character 15"),
        ('[{"pgn": "1"}, {"pgn"', 1, "Expecting ':' delimiter at character 22"),
        ('{"games": [{"pgn": "1"}]', 1, "Expecting ',' or '}' at character 25"),
        ('{"games": [{"pgn": "1"}] x', 1, "Expecting ',' or '}' at character 26"),
        ("[x", 0, "Expecting value at character 2"),
        ('{\n"pgn": "1"}\n{', 1, "Expecting property name enclosed in double quotes at character 16"),
    ],
)
def test_documents_that_are_damaged(text: str, records: int, reason: str) -> None:
    found: list[bytes] = []
    with pytest.raises(DamagedFileError) as caught:
        found.extend(as_pgn("x", [text.encode()]))
    assert str(caught.value) == f"x: JSON, after {records} records: {reason}"
    assert b"".join(found) == b'[Event "?"]\n\n1\n' * records


def test_pgn_of_json_comes_in_pieces() -> None:
    line = b'{"pgn": "' + b"x" * 100_000 + b'"}\n'
    game = b'[Event "?"]\n\n' + b"x" * 100_000 + b"\n"
    pieces = list(as_pgn("x", [line * 7]))
    assert [piece.count(b"Event") for piece in pieces] == [3, 3, 1]
    assert b"".join(pieces) == b"\n".join([game] * 7)
    size = (1 << 18) - 14  # with its header and line break, a game of as many bytes as a piece
    for more, n in ((0, 1), (1, 2)):
        one = b'{"pgn": "' + b"x" * (size + more) + b'"}\n'
        assert len(list(filter(None, as_pgn("x", [one])))) == 1
        assert len(list(filter(None, as_pgn("x", [one, b'{"pgn": "y"}'])))) == n
