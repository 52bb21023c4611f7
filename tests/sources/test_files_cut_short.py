"""Plain PGN that is cut short: nothing says so but its last game, which has no end."""

import io
import os
from pathlib import Path
from typing import Any

import pytest

from rookery import Games, read_pgn, scan_pgn
from rookery.games.read import blocks as cuts
from rookery.sources.failures import DamagedFileError, DamagedFileWarning
from thinning import few

TEXT = (Path(__file__).parents[1] / "samples" / "lichess-2025-05.pgn").read_bytes()
MANY = TEXT * 4
WAYS: list[dict[str, Any]] = [
    {},
    {"threads": 2},
    {"moves": False},
    {"where": "WhiteElo > 1600"},
    {"where": "WhiteElo > 1600", "threads": 2},
    {"where": "WhiteElo is None or WhiteElo > 0"},
    {"errors": "skip"},
]


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuts, "BLOCK", 10_000)


def cut(text: bytes, **options: Any) -> Games:
    """The games of a stream that is known to be cut short."""
    with pytest.warns(DamagedFileWarning, match="cut short"):
        return read_pgn(io.BytesIO(text), **options)


@pytest.mark.parametrize("options", few(WAYS, 3))
def test_a_file_cut_in_its_last_game(tmp_path: Path, options: dict[str, Any]) -> None:
    path = tmp_path / "games.pgn"
    whole = read_pgn(MANY, **options)
    for left_out in (5, 30, 150, 300, 700, 900, len(TEXT) - 300):
        path.write_bytes(MANY[:-left_out])
        with pytest.warns(DamagedFileWarning, match=r"games\.pgn: cut short: "):
            games = read_pgn(path, **options)
        *bad, last = games.errors
        assert (last.file, last.game, last.place) == (str(path), 0, "")
        assert last.offset == len(MANY) - left_out
        assert last.line == MANY[:-left_out].count(b"\n") + 1
        assert all("the file ends here" in error.reason for error in bad)
        good = games[~games.is_bad]
        assert good.moves == whole[: len(good)].moves
        assert good.numbers.tolist() == whole.numbers[: len(good)].tolist()
        with scan_pgn(path, **options) as scan, pytest.warns(DamagedFileWarning):
            parts = list(scan)
        assert [str(failure) for failure in scan.failures] == [f"{path}: {last.reason}"]
        assert Games.concatenate(parts) == games
        with pytest.raises(DamagedFileError, match="cut short") as caught:
            read_pgn(path, **options | {"errors": "raise"})
        assert len(caught.value.games) == len(good)
    path.write_bytes(MANY)
    assert read_pgn(path, **options).errors == ()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('[Event "x"]\n[Result "1-0"]\n\n1. e4 e5 2. N', "its last game ends without a result"),
        ('[Event "x"]\n[Result "1/2-1/2"]\n\n', "its last game ends without a result"),
        ("1. e4 *\n\n1. d4 d5", "its last game ends without a result"),
        ('1. e4 *\n\n[Event "x"]\n', "its last game ends without a result"),
        ("1. e4 * {so}\n\n1. d4 d5 2. c4 ", "its last game ends without a result"),
        ("1. e4 {what a mo", "it ends within a comment"),
        ('1. e4 *\n\n[Event "x', "it ends within a header"),
        ('[Event "x"]\n[Whi', "it ends within a header"),
    ],
)
def test_what_is_cut_short(text: str, reason: str) -> None:
    for options in ({}, {"moves": False}):
        assert cut(text.encode(), **options).errors[-1].reason == f"cut short: {reason}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1. e4 e5 2. Nf3",
        "1. e4 e5 2. Nf3\n\n1. d4",
        '[White "Anna"]\n\n1. e4 e5\n',
        '[White "Anna"]\n[Result "*"]\n\n1. e4 e5\n',
        '[White "Anna"]\n[Result "1-0"]\n\n1. e4 e5 1-0',
        '[White "Anna"]\n[Result "1-0"]\n\n1. e4 e5 1-0 {a fine game}\n\n\n',
        "1. e4 *\n\n% the end\n",
        "1. e4 Ke2 *\n",
        "1. e4 *" + 50_000 * "\n",
    ],
)
def test_what_is_not(text: str) -> None:
    for options in ({}, {"moves": False}, {"threads": 2}, {"where": "White is not None"}):
        with scan_pgn(io.BytesIO(text.encode()), **options) as scan:
            list(scan)
            assert scan.failures == []


def test_bytes_and_texts_may_be_parts_of_a_file() -> None:
    assert not read_pgn(TEXT[:-30]).is_bad.any()


def test_a_pipe() -> None:
    """A file that cannot be sought in, and packed ones whose text is cut short."""
    import gzip

    out, into = os.pipe()
    os.write(into, TEXT[:-40])
    os.close(into)
    with os.fdopen(out, "rb") as file, pytest.warns(DamagedFileWarning, match="cut short"):
        assert read_pgn(file).is_bad.sum() == 1
    assert cut(gzip.compress(TEXT[:-40])).is_bad.sum() == 1
