"""What only annotates is stepped over with a warning; what could change the moves stays an error."""

import io
import logging
import random
import re
from pathlib import Path

import chess
import chess.pgn
import numpy as np
import pytest

from both_readers import assert_agreement, everything, read
from rookery import Games, pgn, read_parquet, read_pgn, scan_pgn, write_parquet
from rookery.aliases import PgnErrors
from rookery.games.errors import GameError
from rookery.games.read import blocks as cuts
from rookery.pgn import BadGame
from rookery.pgn.scan.lexing import vocabulary

OPENING = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6"
ROOK = "4k3/8/8/8/8/8/8/R3K3"
ODD = ["+", "=", "+/-", "#", "N", "D", "TN", "±", "ch", "}", "}}", "ep", "++", "-+", "∞", ",", "mate", "\0", "\0\0\0"]
GLUED = ["ch", "ep", "+-", "=", "D", "±", "mate", "dis.ch", ",", ".", "+/=", "ch.", "\0"]


@pytest.fixture(autouse=True, scope="module")
def quiet_judge() -> None:
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)


def lenient(text: str) -> pgn.Game:
    """The only game of a text, which a strict reader refuses."""
    (game,) = read(text, errors="raise")
    with pytest.raises(ValueError, match="game 1"):
        list(read(text, errors="raise", strict=True))
    return game


def reasons(game: pgn.Game) -> list[str]:
    return [warning.reason for warning in game.warnings]


def uci(game: pgn.Game) -> str:
    return " ".join(move.uci() for move in game.moves)


# Stepped over.


STRAY_BRACE = "'}' closes no comment: stepped over"
STRAY_BRACKET = "')' closes no variation: stepped over"
NULS = "NUL characters: stepped over"


def rest(word: str) -> str:
    return f"{word!r} up to '}}': the rest of a comment that has '{{' in it, stepped over"


@pytest.mark.parametrize("word", [*vocabulary.ANNOTATIONS, "+", "#", "++", "ch+", "±#"])
def test_words_that_only_annotate(word: str) -> None:
    if word == ".":  # which is a number without digits
        return
    game = lenient(f"{OPENING} {word} 4. O-O *")
    assert uci(game) == uci(lenient(f"{OPENING} + 4. O-O *"))
    assert [str(warning) for warning in game.warnings] == [
        f"game 1, line 1, move 4.: {word!r}: an annotation, stepped over"
    ]


@pytest.mark.parametrize(
    ("text", "moves", "result", "warnings"),
    [
        ("1. e4 e5 2. Qh5 Ke7 3. Qxe5mate 1-0", "e2e4 e7e5 d1h5 e8e7 h5e5", "1-0", ["'Qxe5mate': read as 'Qxe5'"]),
        ("1. e4 d5 2. e5 f5 3. exf6ep *", "e2e4 d7d5 e4e5 f7f5 e5f6", "*", ["'exf6ep': read as 'exf6'"]),
        ("1. e4 d5 2. e5 f5 3. exf6e.p.+- *", "e2e4 d7d5 e4e5 f7f5 e5f6", "*", ["'exf6e.p.+-': read as 'exf6'"]),
        ("1. e4 e5 2. Nf3*", "e2e4 e7e5 g1f3", "*", ["'Nf3*': read as 'Nf3' and '*'"]),
        ("1. e3 e5 2. Qf30-1", "e2e3 e7e5 d1f3", "0-1", ["'Qf30-1': read as 'Qf3' and '0-1'"]),
        ("1. e4 e51/2-1/2", "e2e4 e7e5", "1/2-1/2", ["'e51/2-1/2': read as 'e5' and '1/2-1/2'"]),
        (f"{OPENING} 4. 0-00-1", "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1", "0-1", ["'0-00-1': read as '0-0' and '0-1'"]),
        (f"{OPENING} 4. o-o *", "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1", "*", ["'o-o': read as 'O-O'"]),
        ("1. d4 d5 2. Bf4 Bf5 3. Nc3 Nc6 4. Qd2 Qd7 5. o-o-o o-o-o *",
         "d2d4 d7d5 c1f4 c8f5 b1c3 b8c6 d1d2 d8d7 e1c1 e8c8", "*", ["'o-o-o': read as 'O-O-O'"] * 2),
        ("1. e4 } e5 }} *", "e2e4 e7e5", "*", [STRAY_BRACE] * 2),
        ("1. e4\0 e5\0\0Nf3 *", "e2e4 e7e5 g1f3", "*", [NULS] * 2),
        ("1. e4 (1. d4 \0 d5) e5 *", "e2e4 e7e5", "*", [NULS]),
        ("1. e4 e5 1-0 +- }\0", "e2e4 e7e5", "1-0",
         ["'+-': an annotation, stepped over", STRAY_BRACE, NULS]),
        ("1. e4 { a { b } c\n% Nf3\nd ! ... } e5 *", "e2e4 e7e5", "*", [rest("c")]),
        ("1. e4 { a { b } } e5 *", "e2e4 e7e5", "*", [STRAY_BRACE]),
        ("1. e4 ) e5 ) *", "e2e4 e7e5", "*", [STRAY_BRACKET] * 2),
        (") 1. e4 e5) 1-0", "e2e4 e7e5", "1-0", [STRAY_BRACKET] * 2),
        ("1. e4 (1. d4)) e5 *", "e2e4 e7e5", "*", [STRAY_BRACKET]),
    ],
)  # fmt: skip
def test_odd_words(text: str, moves: str, result: str, warnings: list[str]) -> None:
    if "(" in text or text.endswith("}\0"):  # no fault for a strict reader, or one of another game
        (game,) = read(text, errors="raise")
    else:
        game = lenient(text)
    assert (uci(game), game.result, reasons(game)) == (moves, result, warnings)
    assert list(read(game.write(), errors="raise", strict=True)) == [game]


def test_each_warning_has_its_place() -> None:
    text = b'[Event "a"]\n\n1. e4 *\n\n[Event "b"]\n\n1. e4 =\ne5 2. Qh5 Ke7 3. Qxe5ch 1-0\n'
    games = read_pgn(text)
    assert games.warnings == (
        GameError("", 2, 7, text.index(b"="), "move 1...", "=", "'=': an annotation, stepped over"),
        GameError("", 2, 8, text.index(b"Qxe5"), "move 3.", "Qxe5ch", "'Qxe5ch': read as 'Qxe5'"),
    )
    assert games.warning_counts.tolist() == [0, 2]
    assert not games.errors
    assert not games.is_bad.any()
    assert repr(games) == "<2 games, 6 plies, 2 warnings>"
    assert read_pgn(text, strict=True).warnings == ()
    assert read_pgn(text, strict=True).is_bad.tolist() == [False, True]


def test_a_bad_game_has_the_warnings_before_its_fault() -> None:
    text = "1. e4 = Ke2 + *"
    (bad,) = read(text)
    assert isinstance(bad, BadGame)
    assert [warning.reason for warning in bad.warnings] == ["'=': an annotation, stepped over"]
    assert [error.move for error in read_pgn(text.encode()).errors] == ["Ke2"]


# What stays an error.


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("1. hello *", "'hello'"),
        ("1. e4 - e5 *", "'-'"),
        ("1. e4N *", "'e4N' is not legal"),  # as 'e8N' is written
        ("1. e4 e5 2. --1-0", "'--1-0'"),
        ("1. e4 e5 2. Qxf7ch *", "'Qxf7' is not legal"),
        ("1. e4 e5 2. o-o *", "'o-o'"),
        ("1. N f3 *", "'N'"),  # the knight's move in two words, and not the pawn's
        ("1. Nf3 e5 2. N xe5 *", "'N'"),  # whatever is taken
        ("1. e4 { a { b } Nf6 better } Nf3 *", "'better'"),  # Nf6 may be a move, or text
        ("1. e4 { a { b } Nf6 } Nf3 *", "'}' closes no comment"),
        ("1. e4 { a { b } c 1-0 } e5 *", "'c'"),
        ("1. e4 { a { b } c { d } e } e5 *", "'c'"),
        ("1. e4 { a { b } c\n\n} e5 *", "'c'"),
        ("1. e4 { a { b } c", "'c'"),
        ("1. e4 c } e5 *", "'c'"),
        ("1. e4 { a { b } 1-0 } *", "'}' closes no comment"),
        ("+ \n\n", "no game: neither headers"),
        ("\0", "no game: neither headers"),
        (f"1. e4 {'= ' * 1001}*", "more than 1,000 warnings"),
    ],
)  # fmt: skip
def test_what_could_change_the_moves_is_an_error(text: str, fault: str) -> None:
    first = next(iter(read(text)))
    assert isinstance(first, BadGame)
    assert fault in first.reason


def test_an_n_is_a_novelty_where_no_knight_can_go() -> None:
    game = lenient("1. e4 N e5 2. Nf3 N 2... d6 N\nBe2 *")
    assert (uci(game), len(game.warnings)) == ("e2e4 e7e5 g1f3 d7d6 f1e2", 3)


def test_warnings_up_to_the_limit() -> None:
    assert len(lenient(f"1. e4 {'= ' * 1000}*").warnings) == 1000
    many = read_pgn((f"1. e4 {'= ' * 900}*\n\n" * 30).encode())
    assert many.warning_counts.tolist() == [900] * 30
    assert not many.is_bad.any()


# Start positions.


@pytest.mark.parametrize(
    ("fen", "mended"),
    [
        (f"{ROOK} w KQ - 0 1", f"{ROOK} w Q - 0 1"),
        (f"{ROOK} w KQkq - 0 1", f"{ROOK} w Q - 0 1"),
        (f"{ROOK} w k - 3 9", f"{ROOK} w - - 3 9"),
        (f"{ROOK} w QQ - 0 1", f"{ROOK} w Q - 0 1"),
        (f"{ROOK} w Q e6 0 1", f"{ROOK} w Q - 0 1"),  # no pawn has jumped
        (f"{ROOK} w Q e3 0 1", f"{ROOK} w Q - 0 1"),  # white is to move
        ("4k3/8/8/8/4P3/8/8/R3K3 b KQk e3 0 1", "4k3/8/8/8/4P3/8/8/R3K3 b Q e3 0 1"),
        ("4k3/8/8/8/8/8/8/4KR2 w K d6", "4k3/8/8/8/8/8/8/4KR2 w F - 0 1"),
    ],
)
def test_impossible_rights_of_a_fen_are_dropped(fen: str, mended: str) -> None:
    game = lenient(f'[FEN "{fen}"]\n\n*')
    assert game.board().fen(en_passant="fen") == game.start == pgn.Game({"FEN": mended}).board().fen(en_passant="fen")
    (warning,) = game.warnings
    assert (warning.line, warning.place) == (1, "headers")
    assert warning.reason.endswith(": dropped")
    judge = chess.Board(fen, chess960=game.board().chess960)
    assert judge.board_fen() == game.board().board_fen()
    assert {chess.square_name(sq) for sq in chess.scan_forward(judge.clean_castling_rights())} == set(
        game.board().castling_rights.names()
    )
    assert list(read(game.write(), errors="raise", strict=True)) == [game]
    text = f'[FEN "{fen}"]\n\n*'.encode()
    for kept in (read_pgn(text, headers=["FEN"]), everything(text), read_pgn(text)):
        assert kept[0].start == game.start
        file = io.BytesIO()
        pgn_of(kept, file)
        assert read_pgn(file.getvalue(), strict=True).starts == kept.starts


def pgn_of(games: Games, file: io.BytesIO) -> None:
    from rookery import write_pgn

    write_pgn(games, file)


@pytest.mark.parametrize("fen", [f"{ROOK} w Kx - 0 1", f"{ROOK} w Q e9 0 1", "8/8/8/8/8/8/8/R3K3 w KQ - 0 1", "K7 w Q"])
def test_other_faults_of_a_fen_are_errors(fen: str) -> None:
    both = [list(read(f'[FEN "{fen}"]\n\n1. Ra8 *', strict=strict)) for strict in (False, True)]
    assert isinstance(both[0][0], BadGame)
    assert both[0] == both[1]


# Headers alone.


def test_games_of_headers_alone_are_separated() -> None:
    text = '[White "a"]\n[Black "b"]\n\n[White "c"]\n[Black "d"]\n\n[White "c"]\n\n\n[White "e"]\n\n1. e4 *'
    games = list(read(text, errors="raise"))
    assert [game.headers["White"] for game in games] == ["a", "c", "c", "e"]
    assert [len(game.moves) for game in games] == [0, 0, 0, 1]
    own = '[X "1"]\n[Y "2"]\n\n[X "1"]\n[Y "3"]'
    assert len(list(read(own, errors="raise"))) == 2
    # An empty line between different headers of a game separates nothing, nor do headers given twice without one.
    assert len(list(read('[White "a"]\n\n[Black "b"]\n\n1. e4 *', errors="raise"))) == 1
    for one in ('[White "a"]\n[White "b"]\n*', '[Event "x"]\n[White "a"]\n\n[White "b"]\n*'):
        (bad,) = read(one)
        assert isinstance(bad, BadGame)
    (bad,) = read(own, strict=True)
    assert "it was given before" in str(bad)


# What becomes of warnings.

MANY = b"".join(
    b'[Event ""]\n[White "%d"]\n\n1. e4 %s\n\n' % (i, [b"= e5 +- *", b"*", b"+ Ke2 *"][i % 3]) for i in range(90)
)


def printed(games: Games) -> list[tuple[int, ...]]:
    return [(w.game, w.line, w.offset) for w in games.warnings]


def test_slices_masks_and_concatenation() -> None:
    games = read_pgn(MANY)
    counts = [2, 0, 1] * 30
    assert games.warning_counts.tolist() == counts
    assert len(games.warnings) == 90
    assert games[3:].warnings == games.warnings[3:]
    assert games[::-1].warning_counts.tolist() == counts[::-1]
    assert games[[0, 0, 1, 2]].warning_counts.tolist() == [2, 2, 0, 1]
    assert games[games.warning_counts == 0].warnings == ()
    both = Games.concatenate([games[:10], games[10:]])
    assert (both.warnings, both.warning_counts.tolist()) == (games.warnings, counts)
    assert both == games


def test_arrow_and_parquet(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    kinds: tuple[PgnErrors, ...] = ("keep", "skip")
    for errors in kinds:
        games = read_pgn(MANY, errors=errors)
        assert sorted(printed(games)) == sorted(printed(read_pgn(MANY)))
        table = games.to_arrow()
        lists = table["warnings"].to_pylist()
        assert [len(warnings) for warnings in lists] == games.warning_counts.tolist()
        assert lists[0][0]["reason"] == "'=': an annotation, stepped over"
        again = Games.from_arrow(table)
        assert sorted(again.warnings) == sorted(games.warnings)
        assert again.warning_counts.tolist() == games.warning_counts.tolist()
        write_parquet(games, tmp_path / "games.parquet", row_group_size=7)
        stored = read_parquet(tmp_path / "games.parquet")
        assert sorted(stored.warnings) == sorted(games.warnings)
        assert stored.warning_counts.tolist() == games.warning_counts.tolist()
    without = read_pgn(MANY).to_arrow().drop_columns(["warnings"])
    assert Games.from_arrow(without).warnings == ()


@pytest.mark.parametrize("threads", [1, 2])
def test_blocks_batches_and_conditions(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = read_pgn(MANY)
    monkeypatch.setattr(cuts, "BLOCK", 300)
    cut = read_pgn(MANY, threads=threads)
    assert (cut.warnings, cut.warning_counts.tolist()) == (whole.warnings, whole.warning_counts.tolist())
    with scan_pgn(MANY, games=7, threads=threads) as scan:
        assert [w for games in scan for w in games.warnings] == list(whole.warnings)
    with scan_pgn(MANY, games=7, threads=threads, errors="skip") as scan:
        assert sorted(w for games in scan for w in games.warnings) == sorted(whole.warnings)
    some = read_pgn(MANY, where='White in ("30", "62")', threads=threads)
    assert some.warnings == whole[[30, 62]].warnings


def test_columns_of_texts() -> None:
    pa = pytest.importorskip("pyarrow")
    games = read_pgn(pa.array(["1. e4 *", "\n1. e4 = e5 *", "1. e4 + 1. e5 *"]))
    assert [(w.file, w.game, w.line, w.offset) for w in games.warnings] == [("row 1", 1, 2, 7), ("row 2", 1, 1, 6)]


# Judged: the games of python-chess, with odd words at random places.


def mended(text: bytes, warnings: list[GameError] | tuple[GameError, ...]) -> bytes:
    """The text as it would be without what the warnings tell of: for a strict reader."""
    for w in reversed(warnings):
        word = w.move.encode()
        if w.reason == NULS:
            size = next(n for n in range(len(text)) if text[w.offset + n : w.offset + n + 1] != b"\0")
            instead = b" "
        elif w.reason == rest(w.move):
            size, instead = text.index(b"}", w.offset) - w.offset, b""
            while text[w.offset + size : w.offset + size + 1] == b"}":
                size += 1
        elif not word:
            continue
        else:
            assert text[w.offset :].startswith(word)
            size, quoted = len(word), re.findall("'([^']*)'", w.reason.partition("read as")[2])
            instead = " ".join(quoted).encode() or b" "
        text = text[: w.offset] + instead + text[w.offset + size :]
    return text


def odd_game(rng: random.Random) -> tuple[str, chess.Board]:
    """A game with odd words in it, and the board with its moves."""
    board = chess.Board()
    words, where = [], []
    for _ in range(rng.randrange(1, 60)):
        moves = list(board.legal_moves)
        if not moves:
            break
        move = rng.choice(moves)
        if board.turn:
            words.append(f"{board.fullmove_number}.")
        where.append(len(words))
        words.append(board.san(move))
        board.push(move)
    result = rng.choice(["1-0", "0-1", "1/2-1/2", "*"])
    words.append(rng.choice([result, ""]))
    for i in where:
        if rng.random() < 0.1:
            words[i] += rng.choice(GLUED)
        if rng.random() < 0.1:
            words[i] += f" {rng.choice([*ODD, '{ a { b } c }', '{ a { b } so good! }'])}"
    if not words[-1] and rng.random() < 0.5:
        words[-2] += result
    return f'[Event "x"]\n\n{" ".join(words)}\n\n', board


def judge(seed: int, n: int) -> None:
    rng = random.Random(seed)
    played = [odd_game(rng) for _ in range(n)]
    data = "".join(text for text, _ in played).encode()
    games = read_pgn(data)
    assert len(games) == n
    bad = games.is_bad
    assert bad.mean() < 0.2
    assert (games.warning_counts > 0).mean() > 0.6
    for i, (text, board) in enumerate(played):
        ours = [move.uci() for move in games[i].moves]
        if bad[i]:  # a novelty's N that may be a knight, or two things glued to one move
            assert ours == [move.uci() for move in board.move_stack[: len(ours)]]
            continue
        theirs = chess.pgn.read_game(io.StringIO(text))
        assert theirs is not None
        assert ours == [move.uci() for move in board.move_stack] == [move.uci() for move in theirs.mainline_moves()], (
            text
        )
    # Without what was stepped over a strict reader reads the same.
    strict = read_pgn(mended(data, games.warnings), strict=True)
    assert strict.moves.moves.tolist() == games.moves.moves.tolist()
    assert np.array_equal(strict.is_bad, bad)


def test_odd_games_of_python_chess() -> None:
    judge(1, 300)


@pytest.mark.slow
def test_20_000_odd_games_of_python_chess() -> None:
    judge(2, 20_000)


def test_both_readers_read_odd_games() -> None:
    rng = random.Random(3)
    for _ in range(200):
        assert_agreement(odd_game(rng)[0].encode())
