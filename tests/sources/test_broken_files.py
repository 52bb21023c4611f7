"""Files that cannot be read to their end, and games that are too long: what was read is kept, and reading goes on."""

import io
import itertools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from packed import PACKERS
from rookery import Games, read_pgn, scan_pgn
from rookery.games.errors import GameErrorException
from rookery.games.read import blocks as cuts
from rookery.games.read import worker
from rookery.sources.streams import DamagedFileError, DamagedFileWarning
from thinning import few

TEXT = (Path(__file__).parents[1] / "samples" / "lichess-2025-05.pgn").read_bytes()
MANY = TEXT * 10  # 120 games
PACKED = [kind for kind in PACKERS if kind != "plain"]


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuts, "BLOCK", 10_000)


def broken(source: Any, **options: Any) -> Games:
    """The games of a file that is known to be damaged."""
    with pytest.warns(DamagedFileWarning):
        return read_pgn(source, **options)


@pytest.fixture(params=PACKED)
def cut_short(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path]:
    packed = PACKERS[request.param](MANY)
    path = tmp_path / "games"
    path.write_bytes(packed[: len(packed) - 20])
    return request.param, path


@pytest.mark.parametrize("threads", few([1, 2], 8))
def test_what_was_read_of_a_file_cut_short_is_kept(cut_short: tuple[str, Path], threads: int) -> None:
    kind, path = cut_short
    games = broken(path, threads=threads)
    *bad, printed = games.errors
    assert (printed.file, printed.game) == (str(path), 0)
    assert str(printed).startswith(f"{path}: line {printed.line}: cut short: its {kind.split()[0]} data end at byte ")
    assert printed.line == MANY[: printed.offset].count(b"\n") + 1
    assert len(games) > 100 or kind not in ("zstd in frames", "gzip in members")
    whole = read_pgn(MANY[: printed.offset])
    assert games.moves.moves.tolist()[:-2] == whole.moves.moves.tolist()[: games.moves.moves.size - 2]
    if len(games):  # whatever the last game looks like, it may go on
        assert games.is_bad.nonzero()[0].tolist() == [len(games) - 1]
        assert bad[0].reason.endswith("the file ends here")
        assert (bad[0].file, bad[0].game) == (str(path), len(games))
    skipped = broken(path, threads=threads, errors="skip")
    assert len(skipped) == len(games) - len(bad)
    assert skipped.errors == games.errors


@pytest.mark.parametrize("threads", few([1, 2], 8))
def test_scans_of_files_cut_short(cut_short: tuple[str, Path], threads: int) -> None:
    _, path = cut_short
    games = broken(path)
    with scan_pgn(path, games=50, threads=threads) as scan:
        with pytest.warns(DamagedFileWarning, match="cut short"):
            parts = list(scan)
        (failure,) = scan.failures
    assert Games.concatenate(parts) == games
    assert [error for part in parts for error in part.errors] == list(games.errors)
    assert str(failure).startswith(f"{path}: cut short")
    with scan_pgn(path, games=50, threads=threads, errors="raise") as scan:
        good: list[Games] = []
        with pytest.raises(DamagedFileError, match=r"games: cut short"):
            good.extend(scan)
    assert sum(map(len, good)) == len(games) - sum(error.game > 0 for error in games.errors)
    with pytest.raises(DamagedFileError, match=r"games: cut short") as caught:
        read_pgn(path, errors="raise", threads=threads)
    assert len(caught.value.games) == sum(map(len, good))


@pytest.mark.parametrize("kind", PACKED)
def test_damaged_data(tmp_path: Path, kind: str) -> None:
    damaged = bytearray(PACKERS[kind](5 * MANY))
    damaged[len(damaged) // 2 : len(damaged) // 2 + 40] = b"x" * 40
    games = broken(bytes(damaged))
    assert games.errors[-1].reason.startswith(("damaged", "cut short"))
    assert (games.errors[-1].file, games.errors[-1].game) == ("", 0)
    (tmp_path / "damaged").write_bytes(damaged)
    (tmp_path / "good").write_bytes(TEXT)
    both = broken([tmp_path / "damaged", tmp_path / "good"])  # the next file is read, too
    assert len(both) == len(games) + 12
    assert both[len(games) :] == read_pgn(TEXT)


def test_a_file_that_ends_anywhere() -> None:
    """Wherever it ends no move is wrong: a castling on the king's side is no half of one on the queen's side."""
    text = b'[Event "x"]\n\n1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. O-O-O {so} O-O-O 1-0'
    whole = read_pgn(text).moves.moves.tolist()

    class Disk(io.RawIOBase):
        """Fails behind the first bytes."""

        def __init__(self, size: int) -> None:
            self.left = [text[:size]]

        def read(self, size: int = -1) -> bytes:  # noqa: ARG002
            if not self.left:
                raise OSError(5, "Input/output error")
            return self.left.pop()

    for size in range(1, len(text) + 1):
        games = broken(Disk(size), comments=True, variations=True, nags=True)
        assert games.moves.moves.tolist() == whole[: games.moves.moves.size]
        assert games.is_bad.all()
        assert games.errors[-1].reason == "[Errno 5] Input/output error"
        assert games.errors[-1].offset == size
        assert len(games) == 1


@pytest.mark.parametrize("threads", [1, 2])
def test_games_that_are_raised_come_with_those_before(threads: int) -> None:
    with pytest.raises(GameErrorException) as caught:
        read_pgn(MANY + b"\n1. e4 Ke2 *", errors="raise", threads=threads)
    assert len(caught.value.games) >= 100


# Games that are too long.

LONG = {
    "a comment": b'[Event "long"]\n\n1. e4 {' + b"x " * 60_000,
    "one word": b'[Event "long"]\n\n1. e4 ' + b"x" * 120_000,
    "a header": b'[Event "long"]\n[White "' + b"x" * 120_000,
    "moves": b'[Event "long"]\n\n' + b"Nf3 Nf6 Ng1 Ng8 " * 8000,
    "variations": b'[Event "long"]\n\n1. e4 ' + b"(e4)" * 30_000,
    "carriage returns": b'[Event "long"]\r\n\r\n1. e4 {' + b"x\r\n" * 40_000,
    "nothing": b'[Event "long"]\n\n1. e4 {' + bytes(120_000),
}


@pytest.fixture
def short_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "LONGEST_GAME", 50_000)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("kind", LONG)
@pytest.mark.usefixtures("short_limit")
def test_a_game_that_is_too_long_is_bad_and_the_others_are_read(kind: str, threads: int) -> None:
    newline = b"\r\n" if b"\r" in LONG[kind] else b"\n"
    text = TEXT + LONG[kind] + b"} ) 1. d4 *" + 2 * newline + TEXT + b"\n1. e4 Ke2 *"
    games = read_pgn(text, threads=threads)
    assert len(games) == 26
    assert games[:12] == read_pgn(TEXT)
    assert games[13:25] == read_pgn(TEXT)
    assert games.numbers.tolist() == list(range(1, 27))
    long, bad = games.errors
    assert long.reason.endswith("longer than 50,000 bytes: passed over up to the next line [Event")
    assert (long.game, bad.game, bad.move) == (13, 26, "Ke2")
    assert long.line >= TEXT.count(b"\n") + 1
    assert len(TEXT) <= long.offset < len(TEXT) + 30
    assert text[bad.offset :].startswith(b"Ke2")
    assert bad.line == text.count(b"\n") + 1
    assert games.plies[12] == {"a header": 0, "moves": games.plies[12]}.get(kind, 1)
    assert games.plies[12] > 10_000 or kind != "moves"
    assert len(read_pgn(text, threads=threads, errors="skip")) == 24
    strong = read_pgn(text, threads=threads, where="WhiteElo > 1700")
    assert strong == games[(games["WhiteElo"] > 1700).filled(False)]
    with pytest.raises(GameErrorException, match="longer than 50,000 bytes"):
        read_pgn(text, threads=threads, errors="raise")


@pytest.mark.usefixtures("short_limit")
def test_a_long_line_is_no_fault() -> None:
    text = b"1. e4 {" + b"x " * 20_000 + b"} e5 1-0\n\n1. d4 *\n"
    games = read_pgn(text)
    assert (games.plies.tolist(), games.errors) == ([2, 1], ())
    endless = itertools.chain([TEXT, b'[Event "x"]\n\n1. e4 {'], itertools.repeat(b"no end ", 30_000))
    games = broken(Chunks(endless, OSError("gone")))
    assert len(games) == 13
    assert [error.game for error in games.errors] == [13, 0]


class Chunks(io.RawIOBase):
    """Gives chunks of bytes one after the other, and fails at their end, or not."""

    def __init__(self, chunks: Iterator[bytes], failure: OSError | None = None) -> None:
        self.chunks, self.failure = chunks, failure

    def read(self, size: int = -1) -> bytes:  # noqa: ARG002
        chunk = next(self.chunks, b"")
        if not chunk and self.failure:
            raise self.failure
        return chunk


def test_ends_of_lines_between_blocks(short_limit: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever blocks are cut the next game is found, and lines are counted."""
    monkeypatch.setattr(worker, "LONGEST_GAME", 2000)
    monkeypatch.setattr(cuts, "BLOCK", 1000)
    for size in range(3000, 3300):
        text = b'[Event "x"]\r\n\r\n1. e4 {' + b"x" * size + b'\r\n\r\n[Event "y"]\r\n\r\n1. d4 Ke2 *'
        games = read_pgn(text, threads=1 + size % 2)
        assert [error.line for error in games.errors] == [3, 7], size
        assert [error.reason[:40] for error in games.errors] == [
            "the comment '{xxxxxxxxxxxxxxxxxxxxxxxxxx", "SAN move: 'Ke2' is not legal in 'rnbqkbn",
        ]  # fmt: skip
        assert len(games) == 2


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_a_line_of_a_gigabyte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, threads: int) -> None:
    monkeypatch.undo()
    path = tmp_path / "long.pgn"
    with path.open("wb") as file:
        file.write(TEXT + b'[Event "long"]\n\n1. e4 {')
        for _ in range(1 << 10):
            file.write(b"x" * (1 << 20))
        file.write(b"} e5 1-0\n\n" + TEXT)
    counts = []
    before = resident()  # what other tests have left, some 200 MB and more
    with scan_pgn(path, games=5, threads=threads) as scan:
        for games in scan:
            counts.append(len(games))
            assert resident() - before < 300
    assert sum(counts) == 25


def resident() -> float:
    """Megabytes of memory that this process has."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE") / 1e6
