"""Opening books: python-chess judges keys, and reads what is written; what it writes is read."""

import io
import random
import struct
from pathlib import Path
from typing import Any, Final

import chess
import chess.pgn
import chess.polyglot
import numpy as np
import pytest

import rookery
from command_line import document, run
from corpus import corpus
from game_samples import SAMPLE
from random_positions import random_position
from rookery import Board, Book, Games, Move, Positions, read_book, read_pgn
from rookery.compat import polyglot
from rookery.games.openings.books import ENTRY, MOST_WEIGHT
from rookery.rules.polyglot import CONSTANTS
from scattered import FAMILIES, scattered

START_KEY: Final = 0x463B96181691FC9C
# The positions of the format's description, with their keys.
PUBLISHED: Final = {
    "": START_KEY,
    "e2e4": 0x823C9B50FD114196,
    "e2e4 d7d5": 0x0756B94461C50FB0,
    "e2e4 d7d5 e4e5": 0x662FAFB965DB29D4,
    "e2e4 d7d5 e4e5 f7f5": 0x22A48B5A8E47FF78,
    "e2e4 d7d5 e4e5 f7f5 e1e2": 0x652A607CA3F242C1,
    "e2e4 d7d5 e4e5 f7f5 e1e2 e8f7": 0x00FDD303C946BDD9,
    "a2a4 b7b5 h2h4 b5b4 c2c4": 0x3C8123EA7B067637,
    "a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3": 0x5C3F9B829B279560,
}


def test_constants_are_those_of_the_format() -> None:
    assert CONSTANTS.tolist() == chess.polyglot.POLYGLOT_RANDOM_ARRAY == polyglot.POLYGLOT_RANDOM_ARRAY


@pytest.mark.parametrize("moves", PUBLISHED)
def test_published_keys(moves: str) -> None:
    board = Board()
    for move in moves.split():
        board.push_uci(move)
    assert board.polyglot_key == PUBLISHED[moves]
    assert Positions.from_boards([board]).polyglot_keys().tolist() == [PUBLISHED[moves]]


def judged(positions: Positions) -> int:
    """Compare the keys of positions with python-chess's, and return their number."""
    keys = positions.polyglot_keys()
    assert keys.dtype == np.uint64
    assert keys.tolist() == positions.polyglot_keys(threads=2).tolist()
    for key, board in zip(keys.tolist(), positions, strict=True):
        theirs = chess.Board(board.fen(shredder=True, en_passant="fen"), chess960=board.chess960)
        assert key == board.polyglot_key == chess.polyglot.zobrist_hash(theirs), board.fen()
        assert key == polyglot.zobrist_hash(board)
    return len(keys)


def test_keys_of_games_are_those_of_python_chess() -> None:
    assert judged(read_pgn(SAMPLE).positions("all")) > 600
    assert judged(Positions.from_boards(corpus(3_000))) >= 3_000


def test_keys_of_chess960_are_those_of_python_chess() -> None:
    boards = [random_position(random.Random(seed), chess960=True) for seed in range(500)]
    assert judged(Positions.from_boards([Board.from_chess(board) for board in boards])) == 500
    # Both rooks on one side of the king: only one of them may castle.
    fens = [
        f"4k3/8/8/8/8/8/8/{rank} w {rights} - 0 1" for rank, rights in (("1K1R3R", "D"), ("R1RK4", "C"), ("RKR5", "CA"))
    ]
    assert judged(Positions.from_fens(fens)) == 3


def test_an_en_passant_square_counts_beside_a_pawn() -> None:
    fens = [
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1",
        "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
    ]
    fens += [
        f"4k3/8/8/{rank}/8/8/8/4K3 w - {square} 0 1" for rank, square in (("pP6", "a6"), ("p6P", "a6"), ("P6p", "h6"))
    ]
    positions = Positions.from_fens(fens)
    judged(positions)
    without = Positions.from_fens([fen.replace(fen.split()[3] + " 0", "- 0") for fen in fens])
    assert (positions.polyglot_keys() != without.polyglot_keys()).tolist() == [True, False, True, True, False, False]


@pytest.mark.slow
def test_keys_of_many_positions_are_those_of_python_chess() -> None:
    assert judged(Positions.from_boards(corpus(150_000, seed=9))) >= 150_000
    boards = [random_position(random.Random(seed), chess960=True) for seed in range(20_000)]
    assert judged(Positions.from_boards([Board.from_chess(board) for board in boards])) == 20_000
    for i, family in enumerate(FAMILIES.values()):
        judged(scattered(family, 2_000, 70 + i))


# Books that are written.


def counted(weights: str, depth: int, games: Games, min_games: int = 1) -> dict[int, dict[int, int]]:
    """Return the weights of moves by key and move, counted with python-chess."""
    found: dict[int, dict[int, list[int]]] = {}
    for game in games:
        board = chess.Board(game.board().fen())
        white = {"1-0": 2, "1/2-1/2": 1}.get(game.result, 0)
        black = {"0-1": 2, "1/2-1/2": 1}.get(game.result, 0)
        seen = set()
        for move in [move.uci() for move in game.moves][:depth]:
            theirs = board.parse_uci(move)
            chess960 = board._to_chess960(theirs)
            raw = chess960.to_square | chess960.from_square << 6 | ((theirs.promotion or 1) - 1) << 12
            key = chess.polyglot.zobrist_hash(board)
            if (key, raw) not in seen:  # a game that repeats a move counts once
                one = found.setdefault(key, {}).setdefault(raw, [0, 0])
                one[0] += 1
                one[1] += white if board.turn else black
            seen.add((key, raw))
            board.push(theirs)
    which = ("games", "points").index(weights)
    return {
        key: chosen
        for key, moves in found.items()
        if (chosen := {raw: n[which] for raw, n in moves.items() if n[which] and n[0] >= min_games})
    }


GAMES: Final = read_pgn(
    SAMPLE.read_bytes()
    + b"\n\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O 5. d3 1-0\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 1/2-1/2\n\n"
    b'[FEN "1n2k3/P7/8/8/8/8/p7/1N2K3 w - - 0 1"]\n\n1. axb8=N axb1=Q+ 0-1\n\n'
    b"1. d4 e6 2. Nc3 d5 3. Bf4 Bd6 4. Qd3 c5 5. O-O-O *\n"
)


@pytest.mark.parametrize("weights", ["games", "points"])
@pytest.mark.parametrize(("depth", "min_games"), [(30, 1), (10, 2)])
def test_books_have_what_games_play(weights: Any, depth: int, min_games: int, tmp_path: Path) -> None:
    path = tmp_path / "book.bin"
    book = GAMES.opening_tree(depth=depth).to_book(weights=weights, min_games=min_games)
    book.write(path)
    expected = counted(weights, depth, GAMES, min_games)
    with chess.polyglot.open_reader(path) as reader:
        found: dict[int, dict[int, int]] = {}
        for entry in reader:
            assert entry.raw_move not in found.setdefault(entry.key, {})
            found[entry.key][entry.raw_move] = entry.weight
        assert found == expected
        keys = [(entry.key, -entry.weight) for entry in reader]
        assert keys == sorted(keys)
    assert len(book) == sum(map(len, expected.values()))
    assert read_book(path) == book


def test_python_chess_finds_the_moves(tmp_path: Path) -> None:
    path = tmp_path / "book.bin"
    tree = GAMES.opening_tree(depth=40)
    tree.to_book().write(path)
    book, looked_up = read_book(path), 0
    with chess.polyglot.open_reader(path) as reader, polyglot.open_reader(path) as ours:
        assert len(reader) == len(ours) == len(book)
        for position in tree:
            theirs = position.board.to_chess()
            expected = [(e.key, e.raw_move, e.weight, e.learn, e.move.uci()) for e in reader.find_all(theirs)]
            found = book.find_all(position.board)
            assert [(*entry[:4], position.board.uci(entry.move)) for entry in found] == expected
            assert list(ours.find_all(position.board)) == found
            assert {(entry.move, entry.weight) for entry in found} == {(m.move, m.games) for m in position.moves}
            assert (position.board in book) == bool(found)
            if found:
                assert (
                    book.find(position.board) == book.get(position.board) == max(found, key=lambda entry: entry.weight)
                )
                best = reader.find(theirs)
                assert (best.raw_move, best.weight) == book.find(position.board)[1:3]
                looked_up += 1
        assert [(*a[:4], a.move.uci()) for a in ours] == [(*b[:4], b.move.uci()) for b in reader]
        assert all(entry in ours for entry in ours)
        assert ours[-1] == ours[len(ours) - 1]
        assert ours.bisect_key_left(START_KEY) == reader.bisect_key_left(START_KEY)
        assert [e.weight for e in ours.find_all(START_KEY)] == [e.weight for e in reader.find_all(START_KEY)]
    assert looked_up > 300
    castling = [e for e in book if e.raw_move == (4 << 6 | 7)]
    assert castling
    assert GAMES.opening_tree(depth=40)["rnbqk2r/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 6 4"]


def entries(*rows: tuple[int, int, int]) -> bytes:
    return b"".join(struct.pack(">QHHI", *row, 7) for row in sorted(rows, key=lambda row: row[0]))


def test_what_books_hold() -> None:
    board = Board("r3k2r/P7/8/8/8/8/8/R3K2R w KQkq - 0 1")
    key = board.polyglot_key
    promotion = 48 << 6 | 57
    rows = [
        (4 << 6 | 7, 5),
        (4 << 6 | 2, 9),
        (promotion | 4 << 12, 1),
        (promotion, 8),
        (0, 3),
        (4 << 6 | 12, 0),
        (65535, 9),
    ]
    book = read_book(entries(*((key, raw, weight) for raw, weight in rows)))
    assert [(entry.move.uci(), entry.weight, entry.learn) for entry in book.find_all(board)] == [
        ("e1g1", 5, 7),
        ("e1c1", 9, 7),
    ]
    board = Board("1r2k2r/P7/8/8/8/8/8/R3K2R w KQk - 0 1")
    book = read_book(entries(*((board.polyglot_key, raw, weight) for raw, weight in rows)))
    assert [entry.move.uci() for entry in book.find_all(board, minimum_weight=0)] == ["e1g1", "e1c1", "a7b8q", "e1e2"]
    assert [entry.move.uci() for entry in book.find_all(board, exclude_moves=[Move.from_uci("e1c1")])] == [
        "e1g1",
        "a7b8q",
    ]
    assert book.find(board).move.uci() == "e1c1"
    shredder = Board(board.fen(shredder=True), chess960=True)
    assert [shredder.uci(entry.move) for entry in book.find_all(shredder)] == ["e1h1", "a7b8q"]


def test_choices_are_those_of_the_weights() -> None:
    key = Board().polyglot_key
    book = read_book(entries((key, 12 << 6 | 28, 30), (key, 11 << 6 | 27, 10), (key, 6 << 6 | 21, 0)))
    rng = random.Random(3)
    chosen = [book.weighted_choice(Board(), random=rng).move.uci() for _ in range(2_000)]
    assert set(chosen) == {"e2e4", "d2d4"}
    assert 1_400 < chosen.count("e2e4") < 1_600
    even = [book.choice(Board(), random=rng, minimum_weight=0).move.uci() for _ in range(3_000)]
    assert all(900 < even.count(move) < 1_100 for move in ("e2e4", "d2d4", "g1f3"))
    assert book.choice(Board()).weight > 0
    for call in (book.find, book.choice, book.weighted_choice):
        with pytest.raises(IndexError, match="the book has no move for it"):
            call("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    assert book.get("4k3/8/8/8/8/8/8/4K3 w - - 0 1") is None


def test_weights_fit_into_16_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = rookery.OpeningTree()
    tree.add(read_pgn(b"1. e4 *\n\n1. e4 *\n\n1. d4 *\n\n1. c4 *"))
    games = np.array([200_000, 100_000, 1], np.int64)
    real = tree._move_statistics(slice(None))
    monkeypatch.setattr(rookery.OpeningTree, "_move_statistics", lambda self, rows: real._replace(games=games))
    assert [entry.weight for entry in tree.to_book().find_all(Board())] == [MOST_WEIGHT, 32767, 1]


def test_books_are_tables(tmp_path: Path) -> None:
    book = GAMES.opening_tree(depth=6).to_book()
    assert book.to_arrow().column_names == ["key", "move", "weight", "learn"]
    assert book["weight"].tolist() == [entry.weight for entry in book]
    heavy = book[book.weight > 1]
    assert isinstance(heavy, Book)
    assert 0 < len(heavy) < len(book)
    halves = book[::2], book[1::2]
    joined = Book.concatenate([halves[1], halves[0]])
    joined.write(tmp_path / "book.bin")
    assert sorted(read_book(tmp_path / "book.bin")) == sorted(book)
    assert repr(book[:1]) == "<book of 1 entry>"


def test_sources(tmp_path: Path) -> None:
    content = entries((5, 796, 1), (9, 796, 2))
    path = tmp_path / "book.bin"
    path.write_bytes(content)
    with path.open("rb") as file:
        for source in (path, str(path), content, bytearray(content), io.BytesIO(content), file):
            assert [entry.key for entry in read_book(source)] == [5, 9]
    assert len(read_book(b"")) == 0
    with pytest.raises(ValueError, match=r"^source: 17 bytes: expected a book of entries of 16 bytes$"):
        read_book(bytes(17))
    path.write_bytes(content[16:] + content[:16])
    with pytest.raises(ValueError, match=r"book\.bin: entry 2: a key lower than the one before it: expected a sorted"):
        read_book(path)
    with pytest.raises(FileNotFoundError):
        read_book(tmp_path / "none.bin")
    with pytest.raises(TypeError, match=r"^source: 5: expected a path"):
        read_book(5)
    assert ENTRY.itemsize == 16


def test_the_command(tmp_path: Path) -> None:
    games, path = tmp_path / "games.pgn", tmp_path / "book.bin"
    rookery.write_pgn(GAMES, games)
    for options in ((), ("--weights", "points"), ("--min-games", "2", "--depth", "9")):
        run("openings", str(games), "-o", str(path), "--force", *options)
        depth, least = (9, 2) if "--depth" in options else (20, 1)
        weights: Any = "points" if "points" in options else "games"
        assert read_book(path) == GAMES.opening_tree(depth=depth).to_book(weights=weights, min_games=least)
    run("openings", str(games), "-o", str(path), "--force")
    answer = document("openings", str(path), "--moves", "e4")
    expected = read_book(path).find_all("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
    assert [(row["uci"], row["weight"]) for row in answer["moves"]] == [(e.move.uci(), e.weight) for e in expected]
    assert answer["entries"] == len(read_book(path))
    assert "e5" in run("openings", str(path), "--moves", "e4").stdout
    assert (
        "the book has no move" in run("openings", str(path), "--fen", "8/8/8/8/8/8/8/K1k5 w - - 0 1", status=1).output
    )
    for other in (("--where", "ply > 3"), ("--depth", "3"), ("-o", str(tmp_path / "new.bin"))):
        refused = run("openings", str(path), *other, status=2).output
        assert f"{other[0]}: is for files of games" in " ".join(refused.split())
    assert "a book is shown alone" in run("openings", str(path), str(games), status=2).output
