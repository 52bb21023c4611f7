"""Summaries of games, compared with python-chess, and the choice of rows of tables by them."""

import functools
import io
import random
from collections import Counter
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from game_samples import SAMPLE, UGLY
from played_games import play
from rookery import Games, read_parquet, read_pgn, scan_parquet, scan_pgn, write_parquet
from rookery.games.headers.known_headers import UnknownHeaderError
from rookery.games.interchange import table_files
from rookery.games.interchange.parquet import ParquetScan
from rookery.games.positions.summaries import Summaries, of_no_moves
from rookery.positions.language.headers import OF_MOVES
from thinning import few

SIDES = {"white": chess.WHITE, "black": chess.BLACK}
NAMES = {"pawn": 1, "knight": 2, "bishop": 3, "rook": 4, "queen": 5, "king": 6}


def played(seed: int, n: int = 40) -> tuple[Games, list[list[chess.Board]]]:
    """Games played at random, and all positions of each by python-chess."""
    rng = random.Random(seed)
    texts, boards = [], []
    for _ in range(n):
        game = play(rng)
        texts.append(game.text)
        board = game.board.root()
        positions = [board.copy()]
        for move in game.board.move_stack:
            board.push(move)
            positions.append(board.copy())
        boards.append(positions)
    games = read_pgn("\n\n".join(texts).encode())
    assert len(games) == n
    assert games.plies.tolist() == [len(positions) - 1 for positions in boards]
    return games, boards


def signature(board: chess.Board) -> str:
    def letters(colour: bool) -> str:
        return "".join(
            chess.piece_symbol(kind).upper() * len(board.pieces(kind, colour)) for kind in (6, 5, 4, 3, 2, 1)
        )

    return f"{letters(chess.WHITE)}v{letters(chess.BLACK)}"


def promotions(positions: list[chess.Board]) -> str:
    found: Counter[str] = Counter()
    for board in positions[:-1]:
        move = positions[-1].move_stack[len(board.move_stack)]
        if move.promotion:
            found[chess.Piece(move.promotion, board.turn).symbol()] += 1
    return "".join(letter * found[letter] for letter in "QRBNqrbn")


@pytest.mark.parametrize("seed", few(range(6), 2))
def test_as_python_chess_plays(seed: int) -> None:
    games, boards = played(seed)
    summaries = games.summaries(threads=1 + seed % 2)
    assert len(summaries) == len(games)
    assert summaries.plies.tolist() == games.plies.tolist()
    assert summaries.known().all()
    assert summaries.final_signature.tolist() == [signature(positions[-1]) for positions in boards]
    assert summaries.promotions.tolist() == [promotions(positions) for positions in boards]
    for side, colour in SIDES.items():
        squares = summaries.pawn_squares(side)  # type: ignore[arg-type]
        assert squares.dtype == np.uint64
        for i, positions in enumerate(boards):
            union = 0
            for board in positions:
                union |= int(board.pieces(chess.PAWN, colour))
            assert squares[i] == union
        for name, kind in NAMES.items():
            least = summaries.least(name, side)  # type: ignore[arg-type]
            most = summaries.most(kind, side)  # type: ignore[arg-type]
            for i, positions in enumerate(boards):
                counts = [len(board.pieces(kind, colour)) for board in positions]
                promoted = summaries.promotions[i].count(chess.Piece(kind, colour).symbol())
                assert least[i] == max(counts[-1] - promoted, 0)
                assert most[i] == counts[0] + promoted
                assert least[i] <= min(counts)
                assert max(counts) <= most[i]


def test_no_games_and_games_without_moves() -> None:
    none = read_pgn(b"").summaries()
    assert len(none) == none.plies.size == none.promotions.size == none.least("queen", "white").size == 0
    usual = read_pgn(b"[White 'A']\n\n*").summaries()
    assert usual.plies.tolist() == [0]
    assert usual.final_signature.tolist() == ["KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP"]
    assert usual.pawn_squares("black").tolist() == [0xFF << 48]
    assert usual.most("pawn", "black").tolist() == usual.least("pawn", "black").tolist() == [8]


def test_sides_are_colours() -> None:
    summaries = read_pgn(b"1. e4 *").summaries()
    for side in ("us", "both", 3, None):
        with pytest.raises((TypeError, ValueError), match=r"^side: "):
            summaries.pawn_squares(side)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^piece: 'x'"):
        summaries.most("x", "white")  # type: ignore[arg-type]


def test_tables_store_them(tmp_path: Path) -> None:
    games, _ = played(11)
    summaries = games.summaries()
    table = games.to_arrow()
    for name in OF_MOVES:
        assert table[name].to_pylist() == getattr(summaries, name, summaries.columns[name].to_numpy()).tolist()
    assert Games.from_arrow(table) == games
    assert Games.from_arrow(table).headers.keys() == games.headers.keys()
    write_parquet(games, tmp_path / "a.parquet", row_group_size=7)
    again = read_parquet(tmp_path / "a.parquet")
    assert again == games
    assert again.to_arrow().select(list(OF_MOVES)).equals(table.select(list(OF_MOVES)))
    assert read_parquet(tmp_path / "a.parquet", columns=["White", "plies"]).headers.keys() == {"White"}


# Conditions on tables.

CONDITIONS = (
    "plies > 40",
    "final_signature.startswith('KQ')",
    "'Q' in promotions or WhiteElo > 3000",
    "not 'Q' in promotions and plies % 2 == 0",
    "promotions != '' and not (WhiteElo < 1000)",
    "white_pawn_squares & rank(4)",
    "White == '?' and final_signature.lower() < 'kp'",
    "FEN is None and plies < 60",
    "SetUp == '1'",
    "Date is None or Result == '1-0'",
    "Result != '*' and plies > 10",
    "plies > 100000",
    "White in ('Müller', 'nobody') or promotions == 'Q'",
)


@functools.cache
def wanted(texts: tuple[bytes, ...], condition: str) -> list[int]:
    """The games that are chosen if each is read from its own text."""
    return [i for i, text in enumerate(texts) if len(read_pgn(text, where=condition))]


def kept(games: Games, condition: str) -> Games:
    assert games.texts is not None
    return games[np.array(wanted(tuple(games.texts), condition), np.int64)]


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Games]:
    games, _ = played(20, 60)
    buffer = io.BytesIO()
    from rookery import write_pgn

    write_pgn(games, buffer)
    games = read_pgn(buffer.getvalue() + b"\n\n" + SAMPLE.read_bytes(), texts=True)
    path = tmp_path_factory.mktemp("summaries") / "games.parquet"
    write_parquet(games, path, row_group_size=16)
    return path, games


@pytest.mark.parametrize("text", few(CONDITIONS, 6))
def test_rows_are_chosen_as_games_are(text: str, stored: tuple[Path, Games], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_files, "BATCH", 5)
    path, games = stored
    expected = kept(games, text)
    assert 0 < len(expected) < len(games) or text == "plies > 100000"
    for found in (
        read_parquet(path, where=text),
        read_parquet(path, where=text, check=False, threads=2),
        read_pgn(path, where=text, texts=True),
        read_pgn(games.to_arrow().combine_chunks() and arrow_file(games), where=text, texts=True),
    ):
        assert found == expected
        assert found.numbers.tolist() == expected.numbers.tolist()
    some = read_parquet(path, columns=["BlackElo"], where=text)
    assert some.moves == expected.moves
    assert some.headers.keys() == {"BlackElo"}
    assert some.numbers.tolist() == expected.numbers.tolist()


def arrow_file(games: Games) -> bytes:
    file = io.BytesIO()
    table = games.to_arrow()
    with pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=7)
    return file.getvalue()


@pytest.mark.parametrize("text", few(CONDITIONS, 5))
def test_tables_without_summaries_or_with_gaps(text: str, stored: tuple[Path, Games], tmp_path: Path) -> None:
    """Such games are judged by their moves."""
    path, games = stored
    table = pq.read_table(path)
    expected = kept(games, text)
    gaps = pa.array(np.arange(table.num_rows) % 3 == 0)
    damaged = table
    for name in OF_MOVES:
        column = pa.compute.if_else(gaps, pa.scalar(None, table[name].type), table[name])
        damaged = damaged.set_column(table.column_names.index(name), name, column)
    odd = table.set_column(table.column_names.index("plies"), "plies", pa.array(["?"] * table.num_rows))
    for other in (table.drop_columns(list(OF_MOVES)), table.drop_columns(["plies", "number"]), damaged, odd):
        pq.write_table(other, tmp_path / "b.parquet", row_group_size=16)
        for found in (read_parquet(tmp_path / "b.parquet", where=text), read_pgn(tmp_path / "b.parquet", where=text)):
            assert found.moves == expected.moves
            assert found.numbers.tolist() == expected.numbers.tolist()


def test_games_that_their_summaries_rule_out(stored: tuple[Path, Games], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_files, "BATCH", 5)
    path, games = stored
    summaries = games.summaries()

    def has_two_queens(some: Summaries) -> Any:
        return some.most("queen", "white") + some.most("queen", "black") > 2

    expected = games[has_two_queens(summaries)]
    assert 0 < len(expected) < len(games)
    with ParquetScan(path, None, True, 1, None, has_two_queens) as scan:
        assert np.concatenate([part.numbers for part in scan]).tolist() == expected.numbers.tolist()
    with ParquetScan(path, None, True, 1, "plies > 40", has_two_queens) as scan:
        assert (
            np.concatenate([part.numbers for part in scan]).tolist() == expected.numbers[expected.plies > 40].tolist()
        )
    with scan_pgn(path, where="plies > 40").only_possible(has_two_queens) as whole:
        assert (
            np.concatenate([part.numbers for part in whole]).tolist() == expected.numbers[expected.plies > 40].tolist()
        )
    with scan_pgn(SAMPLE).only_possible(has_two_queens) as pgn:  # it stores no summaries
        assert sum(map(len, pgn)) == 12
    with scan_pgn(path).only_possible(lambda some: np.zeros(len(some), np.bool_)) as nothing:
        assert sum(map(len, nothing)) == 0
    with pytest.raises(TypeError, match=r"^possible: 5: expected a function"):
        scan_pgn(path).only_possible(5)  # type: ignore[arg-type]


def test_what_is_no_signature_is_unknown(stored: tuple[Path, Games], tmp_path: Path) -> None:
    path, _ = stored
    table = pq.read_table(path)
    odd = pa.array(["", "v", "KvKv", None] * (table.num_rows // 4))
    table = table.slice(0, len(odd)).set_column(table.column_names.index("final_signature"), "final_signature", odd)
    pq.write_table(table, tmp_path / "odd.parquet")
    seen: list[Any] = []

    def only_pawns(some: Summaries) -> Any:
        seen.append(some.known().tolist())
        return some.least("king", "white") > 5

    with ParquetScan(tmp_path / "odd.parquet", None, True, 1, None, only_pawns) as scan:
        numbers = np.concatenate([part.numbers for part in scan])
    assert seen == [[False, True, False, False] * (table.num_rows // 4)]
    assert numbers.tolist() == [n for n in range(1, len(odd) + 1) if n % 4 != 2]


def test_moves_of_other_games_are_not_looked_at(tmp_path: Path) -> None:
    games = read_pgn(b'[White "a"]\n\n1. e4 e5 *\n\n[White "b"]\n\n1. d4 *')
    table = games.to_arrow()
    words = pa.array([[1, 2], [int(games.moves.moves[2])]], table["moves"].type)
    path = tmp_path / "bad.parquet"
    pq.write_table(table.set_column(table.column_names.index("moves"), "moves", words), path)
    with pytest.raises(ValueError, match="not legal"):
        read_parquet(path)
    for where in ("White == 'b'", "plies == 1"):
        assert read_parquet(path, where=where).numbers.tolist() == [2]
        assert read_pgn(path, where=where).numbers.tolist() == [2]


def test_errors_of_games_that_were_left_out_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "ugly.parquet"
    write_parquet(read_pgn(UGLY.encode() * 3, errors="skip"), path, row_group_size=2)
    expected = [error.reason for error in read_parquet(path).errors]
    assert expected
    for where in ("plies > 1000", "plies == 3", "Event == 'No moves'"):
        assert [error.reason for error in read_parquet(path, where=where).errors] == expected
        assert [error.reason for error in read_pgn(path, where=where).errors] == expected


def test_tables_of_others(tmp_path: Path) -> None:
    """Any table with moves is one of games; its columns are headers."""
    moves = read_pgn(b"1. e4 *").moves.moves.tolist()
    days = pa.array([None, "2024-05-01", "2025-05-01"]).cast(pa.date32())
    table = pa.table({"moves": pa.array([moves, [], moves], pa.list_(pa.uint16())), "Date": days, "Age": [5, 6, 7]})
    pq.write_table(table, tmp_path / "others.parquet", row_group_size=2)
    for text, numbers in (
        ("Date > 2024-12-31", [3]),
        ("date < 2024-12-31", [2]),
        ("Date is None", [1]),
        ("Age > 5 and plies == 1", [3]),
        ("Age > 5 or plies == 1", [1, 2, 3]),
    ):
        for read in (read_parquet, read_pgn):
            assert read(tmp_path / "others.parquet", where=text).numbers.tolist() == numbers


def test_headers_that_no_row_has(stored: tuple[Path, Games]) -> None:
    path, _ = stored
    for read in (read_parquet, read_pgn):
        with pytest.raises(UnknownHeaderError, match="'WhitElo': no game has this header; did you mean 'WhiteElo'"):
            read(path, where="WhitElo == '5'")
        with pytest.raises(ValueError, match=r"^where: =: expected '=='"):
            read(path, where="WhiteElo = 5")
    with scan_parquet(path, where="plies > 1000") as scan:
        assert [len(part) for part in scan] == [0]


def test_the_summary_of_no_moves_is_that_of_a_game_without_moves() -> None:
    expected, found = read_pgn(b"*").summaries(), of_no_moves()
    assert len(found) == 1
    assert found.columns.keys() == expected.columns.keys()
    for name, column in expected.columns.items():
        assert found.columns[name].to_numpy().tolist() == column.to_numpy().tolist(), name
    for side in SIDES:
        for piece in NAMES:
            assert found.most(piece, side) == expected.most(piece, side)  # type: ignore[arg-type]
            assert found.least(piece, side) == expected.least(piece, side)  # type: ignore[arg-type]
