"""Numbers, days and times as texts of headers, judged by datetime; and the texts of games that are copied."""

import datetime
import io
import itertools

import numpy as np
import pytest

from rookery import read_pgn, write_pgn
from rookery.games.games import Games
from rookery.games.write import writer
from rookery.games.write.header_texts import DATE, INTEGER, SIGNED, TIME, write_numbers


def texts_of(values: list[int], how: int, valid: list[bool] | None = None) -> list[str]:
    out, offsets = np.empty(32 * len(values), np.uint8), np.zeros(len(values) + 1, np.int64)
    known = np.ones(len(values), np.bool_) if valid is None else np.array(valid)
    size = write_numbers(np.array(values, np.int64), known, how, out, offsets)
    assert size == offsets[-1]
    return [out[a:b].tobytes().decode() for a, b in itertools.pairwise(offsets)]


def test_days() -> None:
    first = datetime.date(1970, 1, 1)
    days = [datetime.date(year, 1, 1) for year in (1, 4, 100, 400, 1599, 1600, 1601, 1900, 1970, 2000, 2100, 9999)]
    days += [day - datetime.timedelta(1) for day in days[1:]]
    days += [datetime.date(year, month, 28) for year in (1896, 1900, 2000, 2001) for month in range(1, 13)]
    days += [datetime.date(year, 2, 28) + datetime.timedelta(n) for year in (1896, 1900, 2000, 2001) for n in range(3)]
    days += [datetime.date(2023, 3, 1) + datetime.timedelta(n) for n in range(366)]
    numbers = [(day - first).days for day in days]
    assert texts_of(numbers, DATE) == [f"{day.year:04}.{day.month:02}.{day.day:02}" for day in days]
    assert texts_of([numbers[0] - 1, numbers[0] - 367], DATE) == ["0000.12.31", "0000.12.31"]  # no year is negative


def test_times() -> None:
    seconds = [0, 1, 59, 60, 61, 3599, 3600, 3661, 86399, 359999]
    expected = [f"{n // 3600:02}:{n // 60 % 60:02}:{n % 60:02}" for n in seconds]
    assert texts_of(seconds, TIME) == expected


def test_numbers() -> None:
    values = [0, 7, -7, 10, 2100, -32767, 32767]
    assert texts_of(values, INTEGER) == list(map(str, values))
    assert texts_of(values, SIGNED) == [f"{value:+}" for value in values]
    assert texts_of([5, 6, 7], SIGNED, [True, False, True]) == ["+5", "", "+7"]


GAMES = (b'[White "a"]\n\n1. e4 *\n\n', b'[White "b"]\n\n1. d4 *\n\n', b'[White "c"]\n\n1. c4 *\n\n')


@pytest.mark.parametrize(
    ("text", "breaks"),
    [
        (b"*\n\n", b""),
        (b"*\r\n\r\n", b""),
        (b"*\r\r", b""),
        (b"*\n\r\n", b""),
        (b"*\n", b"\n"),
        (b"*\r\n", b"\r\n"),
        (b"*\r", b"\n"),
        (b"*", b"\n\n"),
        (b'[White "a"]\r\n\r\n*', b"\r\n\r\n"),
        (b"", b"\n\n"),
    ],
)
def test_an_empty_line_follows_a_game(text: bytes, breaks: bytes) -> None:
    assert writer._line_breaks_after(text) == breaks


def copied(*parts: Games) -> bytes:
    out = io.BytesIO()
    write_pgn(list(parts), out)
    return out.getvalue()


def test_copied_games_that_followed_each_other_follow_each_other() -> None:
    tight = b"\n".join(text.strip() for text in GAMES)  # without empty lines between games
    games = read_pgn(tight, texts=True)
    assert len(games) == 3
    assert copied(games) == copied(games[:1], games[1:]) == copied(*(games[i : i + 1] for i in range(3))) == tight
    first, second, third = (text.strip() for text in GAMES)
    assert copied(games[[0, 2]]) == copied(games[:1], games[2:]) == first + b"\n\n" + third
    assert copied(games[[1, 0]]) == copied(games[1:2], games[:1]) == second + b"\n\n" + first + b"\n"
    assert copied(games[[0, 0]]) == copied(games[:1], games[:1]) == first + b"\n\n" + first + b"\n"
    other = read_pgn(tight, texts=True)[1:]
    assert copied(games[:1], games[:0], other) == tight


def test_copied_games_of_other_files_are_apart() -> None:
    whole = b"".join(GAMES)
    games = read_pgn(whole, texts=True)
    longer = read_pgn(b"; a remark that moves the games\n\n" + whole, texts=True)
    assert copied(games) == whole
    assert copied(games[:1], longer[1:]) == whole
    short = read_pgn(GAMES[0].strip() + b"\n" + GAMES[1], texts=True)
    assert copied(short[:1], longer[1:2]) == GAMES[0] + GAMES[1]
