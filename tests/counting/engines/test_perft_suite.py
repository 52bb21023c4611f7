"""Suites of perft, whose counts python-chess made."""

import gzip
import random
from pathlib import Path
from typing import Any, Final

import chess
import pytest
from test_engine_comparison import ENGINE, perft

from command_line import document, run
from random_positions import random_position
from rookery import Board, Positions, perft_suite
from rookery.counting.suite import SuiteCount, read_suite

START: Final = chess.STARTING_FEN
FISCHER: Final = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
FORMS: Final = (
    "{fields} 3 9 ;D1 {one} ;D2 {two}",
    "{fields} 3 9;D1 {one};D2 {two}",
    "{fields} 3 9 D1 {one}; D2 {two};",
    "{fields} ;D1 {one} ;D2 {two}",
    '{fields} D1 {one}; id "a; test"; D2 {two};',
    "  {fields}  3  9  ;  D1  {one}  ;  d2  {two}  ;  ",
    "{fields} D1 {one}; D2 {two}; hmvc 3; fmvn 9;",
    "{fields} 3 ;D2 {two} ;D1 {one}",
)
BOARDS: Final = [random_position(random.Random(seed), seed % 3 == 0) for seed in range(16)]


def line_of(board: chess.Board, form: str) -> tuple[str, dict[int, int]]:
    """Return a line of a suite, and its counts."""
    counts = {depth: perft(board, depth) for depth in (1, 2)}
    fields = board.fen(shredder=True, en_passant="fen").rsplit(" ", 2)[0]
    return form.format(fields=fields, one=counts[1], two=counts[2]), counts


LINES: Final = [line_of(board, FORMS[number % len(FORMS)]) for number, board in enumerate(BOARDS)]
TEXT: Final = "\n".join(line for line, _ in LINES)
EXPECTED: Final = [
    SuiteCount(number, "", depth, count, count)
    for number, (_, counts) in enumerate(LINES, 1)
    for depth, count in counts.items()
]


def without_fens(counts: Any) -> list[SuiteCount]:
    return sorted(count._replace(fen="") for count in counts)


def test_counts_are_those_of_python_chess() -> None:
    found = list(perft_suite(TEXT.encode()))
    assert [count._replace(fen="") for count in found] == EXPECTED
    assert all(count.is_right for count in found)
    assert {count.depth for count in perft_suite(TEXT.encode(), 1)} == {1}
    for count, board in zip(found[::2], BOARDS, strict=True):
        assert count.fen.split()[0] == board.board_fen()
    assert [position.counts for position in read_suite(TEXT.encode())] == [counts for _, counts in LINES]


@pytest.mark.parametrize(
    "options", [{"technique": "kogge-stone"}, {"threads": 2}, {"hash_mb": 1}, {"executor": "processes:2"}], ids=str
)
def test_options_change_no_count(options: dict[str, Any]) -> None:
    assert without_fens(perft_suite(TEXT.encode(), **options)) == EXPECTED


def test_the_longest_counts_come_first_on_executors() -> None:
    lines = [f"{START} ;D1 20", f"{START} ;D1 20 ;D2 400 ;D3 8902", f"{START} ;D2 400 ;D1 20", f"{START} ;D4 197281"]
    suite = "\n".join(lines).encode()
    assert [(count.line, count.depth) for count in perft_suite(suite)] == [
        (1, 1), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (4, 4),
    ]  # fmt: skip
    assert [(count.line, count.depth) for count in perft_suite(suite, executor="threads:1")] == [
        (4, 4), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (1, 1),
    ]  # fmt: skip


@pytest.mark.parametrize(("depth", "depths"), [(None, [1, 2, 3]), (3, [1, 2, 3]), (2, [1, 2]), (1, [1]), (0, [])])
def test_counts_up_to_a_depth_are_read(depth: int | None, depths: list[int]) -> None:
    (position,) = read_suite(f"{START} ;D1 20 ;D2 400 ;D3 8902".encode(), depth)
    assert list(position.counts) == depths
    assert [count.depth for count in perft_suite(f"{START} ;D1 20 ;D2 400 ;D3 8902".encode(), depth)] == depths


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"technique": "pext", "hash_mb": 1}, "technique: 'pext' selects the scalar generator: leave hash_mb out"),
        ({"threads": 0}, "threads: 0: expected an int of at least 1"),
        ({"hash_mb": -1}, "hash_mb: -1: expected an int from 0 to 1048576"),
        ({"depth": 65}, "depth: 65: expected 0 to 64"),
        ({"technique": "hawk"}, ".*'hawk'"),
    ],
)
def test_wrong_options_are_refused_before_anything_is_counted(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        perft_suite(f"{START} ;D1 20".encode(), **options)


def test_files_and_streams(tmp_path: Path) -> None:
    path = tmp_path / "suite.epd"
    path.write_text(f"# a comment\n\n{TEXT}\n")
    packed = tmp_path / "suite.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    with path.open("rb") as file:
        for source in (path, str(path), packed, file):
            assert [count.line - 2 for count in perft_suite(source, 1)] == [count.line for count in EXPECTED[::2]]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (f"{START} ;D1 x", "D1: 'x': expected a count"),
        (f"{START} ;D1 20 21", r"D1: \[20, 21\]: expected a count"),
        (f"{START} ;D1", "D1: None: expected a count"),
        (f"{START} ;D99 5", "depth: 99: expected 0 to 64"),
        (START, "no counts: expected some after the position, such as ';D1 20 ;D2 400'"),
        (f"{START} ;D1 20 ;D1 20", "EPD operation: 'D1' is given twice"),
        (f"{START} 5 ;D1 20", "EPD operation: '5': expected a letter"),
        ("8/8 w - - ;D1 20", "FEN field 1"),
    ],
)
def test_bad_lines_are_named(line: str, reason: str, tmp_path: Path) -> None:
    text = f"{START} ;D1 20\n{line}\n"
    with pytest.raises(ValueError, match=f"^source: line 2: {reason}"):
        perft_suite(text.encode())  # before anything is counted
    path = tmp_path / "suite.epd"
    path.write_text(text)
    assert "line 2: " in " ".join(run("perft", str(path), status=2).output.split())


def test_an_empty_suite() -> None:
    with pytest.raises(ValueError, match=r"^source: no positions: expected lines such as"):
        perft_suite(b"# nothing\n")


def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "suite.epd"
    path.write_text(TEXT)
    answer = document("perft", str(path))
    nodes = sum(count.nodes for count in EXPECTED)
    assert (answer["positions"], answer["counts"], answer["nodes"]) == (len(LINES), len(EXPECTED), nodes)
    assert answer["differences"] == []
    assert "all as expected" in run("perft", str(path), "1", "--technique", "pext").stdout
    path.write_text(f"{TEXT}\n{START} ;D1 20 ;D2 401 ;D3 8902\n{START} ;D1 19")
    first, last = document("perft", str(path), status=1)["differences"]
    assert (first["line"], first["depth"], first["expected"], first["nodes"]) == (len(LINES) + 1, 2, 401, 400)
    assert (last["line"], last["depth"], last["expected"], last["nodes"]) == (len(LINES) + 2, 1, 19, 20)
    text = run("perft", str(path), "--threads", "2", status=1).stdout
    assert "2 differ" in text
    assert "401" in text


@pytest.mark.parametrize(
    "option", [("--divide",), ("--stats",), ("--technique", "all"), ("--rounds", "2"), ("--checkpoint", "x.json")]
)
def test_options_for_one_position(option: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "suite.epd"
    path.write_text(TEXT)
    assert "goes with one position, not with a file of them" in run("perft", str(path), *option, status=2).output


def test_a_depth_is_missing() -> None:
    assert "Missing argument 'DEPTH'" in run("perft", "start", status=2).output
    assert "or a file of positions and counts" in " ".join(run("perft", "no.epd", "3", status=2).output.split())


def test_engines_are_compared(tmp_path: Path) -> None:
    path = tmp_path / "suite.epd"
    path.write_text(f"{START} ;D1 20 ;D2 400\n{FISCHER} ;D1 21\nk7/8/8/pP6/8/8/8/K7 w - a6 0 1 ;D1 5 ;D2 20\n")
    assert "agrees on 3 of 3 positions." in " ".join(run("perft", str(path), "--against", ENGINE).stdout.split())
    rows = document("perft", str(path), "--against", ENGINE)["positions"]
    assert [(row["line"], row["depth"], row["difference"]) for row in rows] == [
        (1, 2, None),
        (2, 1, None),
        (3, 2, None),
    ]
    text = run("perft", str(path), "1", "--against", f"{ENGINE} no-en-passant", status=1).stdout
    assert "line 3, depth 1: " in text
    assert "it does not find: b5a6" in text
    assert "2 of 3 positions" in " ".join(text.split())
    threads = run("perft", str(path), "--against", ENGINE, "--threads", "2", status=2).output
    assert "count without --against" in threads


@pytest.mark.parametrize("form", FORMS)
def test_epd_may_have_the_counters_of_a_fen(form: str) -> None:
    line = form.format(fields=START.rsplit(" ", 2)[0], one=20, two=400)
    board, operations = Board.from_epd(line)
    assert {name.upper(): value for name, value in operations.items() if name in ("D1", "D2", "d2")} == {
        "D1": 20,
        "D2": 400,
    }
    number = 1 if "9" not in form else 9
    assert (board.halfmove_clock, board.fullmove_number) == (3 if "3" in form else 0, number)
    assert Positions.from_fens([line])[0].fen().split()[:4] == board.fen().split()[:4]


def test_annotate_reads_suites(tmp_path: Path) -> None:
    path = tmp_path / "suite.epd"
    path.write_text(TEXT)
    run("annotate", str(path), "-o", str(tmp_path / "out.csv"), "--features", "legal_moves")
    rows = (tmp_path / "out.csv").read_text().splitlines()[1:]
    assert [int(row.rsplit(",", 1)[1]) for row in rows] == [count.nodes for count in EXPECTED[::2]]


@pytest.mark.parametrize(
    "counts",
    [
        ";D1 20;D2 400;D3 8,902",
        "; perft 1 = 20; perft 2 = 400; perft 3 = 8902;",
        "; perft(1)=20; PERFT(2) : 400; perft(3) = 8_902",
        ';d1 20 ;d2 400 ;d3 8902 ; id "perft 1 of D3";',
    ],
)
@pytest.mark.parametrize("counters", ["", " 0 1"])
def test_counts_are_spelled_in_several_ways(counts: str, counters: str) -> None:
    suite = f"# a suite\n\n// its lines\n{chess.STARTING_BOARD_FEN} w KQkq -{counters} {counts}\n"
    (position,) = read_suite(suite.encode())
    assert position == (4, chess.STARTING_FEN, {1: 20, 2: 400, 3: 8902})
