"""Damaged games: nothing crashes, no move is wrong, and every fault has its place."""

import random
import subprocess
import sys

import pytest

from both_readers import assert_agreement, everything, printed
from damaged_games import GAMES, damaged
from rookery import Board, Move
from rookery.pgn import Game

ODD = [b"+", b"=", b"+/-", b"#", b"N", b"D", b"ch", b"ep", b"*", b"1-0", b"}", b"{ a { b } c }", b"\x00", b"mate", b","]
ODD += [b"\xc2\xb1", b"\xb1", b"+-", b"o-o", b" } ", b"{ a { b }", b"e4"]


def check(text: bytes, strict: bool) -> tuple[int, int]:
    """Read it; returns how many games are good, and how many are bad."""
    games = everything(text, strict=strict)
    bad = games.is_bad
    assert len(games.errors) == bad.sum()
    ends = games.positions("last").to_fens(en_passant="fen")
    lines = text.count(b"\n") + text.count(b"\r") + 1
    for error in (*games.errors, *games.warnings):
        assert 0 <= error.offset < len(text)
        assert 1 <= error.line <= lines
        assert error.reason
        if error.move:
            at = text[error.offset : error.offset + 4 * len(error.move)].decode("utf-8", "rookery-windows-1252")
            assert at.startswith(error.move)
    for i in range(len(games)):
        board: Board = games.board(i)
        for word in games.moves[i].tolist():
            board.push(Move(word))  # which checks it
        assert board.fen(en_passant="fen") == ends[i]
    return int((~bad).sum()), int(bad.sum())


def odd(rng: random.Random, game: bytes) -> bytes:
    """The game with words put between others, or behind them, that only annotate."""
    words = game.split(b" ")
    for _ in range(rng.randrange(3)):
        i = rng.randrange(len(words))
        words[i] += rng.choice([b"", b"", b" "]) + rng.choice(ODD)
    return b" ".join(words)


def run(seed: int, n: int, *, strict: bool) -> None:
    rng = random.Random(seed)
    good = bad = 0
    for _ in range(0, n, 100):
        text = b"\n\n".join(odd(rng, damaged(rng, rng.choice(GAMES))) for _ in range(100))
        a, b = check(text, strict)
        good, bad = good + a, bad + b
    assert good + bad >= 0.9 * n
    assert good > n / 20
    assert bad > n / 5


def agree(seed: int, n: int) -> None:
    """Both readers tell the same of damaged games; and without what was stepped over, a strict reader reads them so."""
    rng = random.Random(seed)
    for _ in range(0, n, 5):
        text = b"\n\n".join(odd(rng, damaged(rng, rng.choice(GAMES))) for _ in range(5))
        assert_agreement(text)
        lenient, strict = everything(text), everything(text, strict=True)
        if not lenient.warnings and b"\0" not in text and len(lenient) == len(strict):
            assert lenient.is_bad.tolist() == strict.is_bad.tolist(), text
            assert [game for game in printed(lenient) if isinstance(game, Game)] == [
                game for game in printed(strict) if isinstance(game, Game)
            ], text
            for ours, theirs in zip(lenient.errors, strict.errors, strict=True):
                # An illegal move with an annotation behind it, like "Ke3.": only the lenient reader takes it apart.
                taken_apart = theirs.move.startswith(ours.move) and theirs.move != ours.move
                # So with another spelling, and with a capture without the rank, like "ed" or "axb".
                respelled = " is not legal in " in ours.reason and ": expected a move like " in theirs.reason
                alike = str(ours).partition(" (letters=")[0] == str(theirs)
                assert alike or ((taken_apart or respelled) and ours.offset == theirs.offset), text


@pytest.mark.parametrize("strict", [False, True])
def test_damaged_games(strict: bool) -> None:
    run(1, 1000, strict=strict)


def test_both_readers_agree_on_damaged_games() -> None:
    agree(3, 500)


@pytest.mark.slow
@pytest.mark.parametrize("strict", [False, True])
def test_a_million_damaged_games(strict: bool) -> None:
    run(2, 1_000_000, strict=strict)


@pytest.mark.slow
def test_both_readers_agree_on_100_000_damaged_games() -> None:
    agree(4, 100_000)


def test_bytes_that_are_no_utf_8_in_a_new_process() -> None:
    """Whatever else was imported."""
    code = r'import rookery; print(rookery.read_pgn(b"1. e\xff4 *").errors[0].move)'
    printed = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", code], check=True, capture_output=True, text=True, encoding="utf-8"
    )
    assert printed.stdout == "eÿ4\n"
