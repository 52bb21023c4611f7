"""``rookery games``."""

import contextlib
import csv
import gzip
import io
import json
import os
import re
import signal
import subprocess
import sys
import tarfile
import time
import zipfile
from pathlib import Path

import pyarrow as pa
import pytest
import zstandard
from click.testing import CliRunner

import rookery
from command_line import document, run
from rookery.cli import main
from rookery.sources.csv_text import rows_of

SAMPLE = Path(__file__).parents[1] / "samples" / "lichess-2025-05.pgn"
BAD = '[Event "x"]\n\n1. e4 Ke2 *\n\n[Event "y"]\n[Date "1999.12.31"]\n\n1. d4 1-0\n'


def test_formats(tmp_path: Path) -> None:
    games = rookery.read_pgn(SAMPLE)
    for suffix in ("parquet", "arrow", "pgn", "csv"):
        path = tmp_path / f"games.{suffix}"
        printed = document("games", str(SAMPLE), "-o", str(path))
        assert (printed["games"], printed["plies"], printed["bad"], printed["complete"]) == (
            12,
            games.plies.sum(),
            0,
            True,
        )
        assert printed["bytes"] == SAMPLE.stat().st_size
    assert rookery.read_parquet(tmp_path / "games.parquet") == games
    assert rookery.read_pgn(tmp_path / "games.pgn") == games
    assert rookery.Games.from_arrow(pa.ipc.open_file(tmp_path / "games.arrow").read_all()) == games
    with (tmp_path / "games.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["White"] for row in rows] == games["White"].tolist()
    assert rows[0]["moves"].split()[:3] == ["e2e4", "e7e5", "g1f3"]
    assert len(list(tmp_path.iterdir())) == 4


def test_csv_that_no_spreadsheet_runs(tmp_path: Path) -> None:
    """Texts that a spreadsheet would run have an apostrophe in front, in all commands that write CSV of games."""
    path = tmp_path / "games.pgn"
    names = ("=1+1", "@x", "'=x", "-", "+1", "Anna")
    text = "".join(f'[Event "e"]\n[White "{name}"]\n[TimeControl "60+1"]\n\n1. e4 *\n\n' for name in names)
    path.write_text(text)
    run("games", str(path), "-o", str(tmp_path / "games.csv"))
    run("search", str(path), "ply == 1", "--headers", "White", "-o", str(tmp_path / "hits.csv"))
    run("openings", str(path), "-o", str(tmp_path / "tree.csv"))
    for file in ("games.csv", "hits.csv"):
        assert [row["White"] for row in rows_of_file(tmp_path / file)] == ["'=1+1", "'@x", "''=x", "-", "+1", "Anna"]
        read = list(rows_of([(tmp_path / file).read_bytes()], ","))
        column = read[0].fields.index("White")
        assert [row.fields[column] for row in read[1:]] == list(names)
        assert not re.search(r"(?m)(^|,)[=@\t]", (tmp_path / file).read_text())
    assert [(row["year"], row["base"], row["speed"]) for row in rows_of_file(tmp_path / "games.csv")] == [
        ("", "60.0", "bullet")
    ] * len(names)


def rows_of_file(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_no_games(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("\n")
    for suffix in ("parquet", "arrow", "pgn", "csv"):
        assert document("games", str(tmp_path / "empty"), "-o", str(tmp_path / f"games.{suffix}"))["games"] == 0
    assert len(rookery.read_parquet(tmp_path / "games.parquet")) == 0


def test_stats_of_several_files(tmp_path: Path) -> None:
    (tmp_path / "bad.pgn").write_text(BAD)
    (tmp_path / "sample.gz").write_bytes(gzip.compress(SAMPLE.read_bytes()))
    (tmp_path / "sample.zst").write_bytes(zstandard.compress(SAMPLE.read_bytes()))
    names = [str(tmp_path / name) for name in ("bad.pgn", "sample.gz", "sample.zst")]
    printed = document("games", *names, "--stats", "--threads", "2", status=1)
    assert (printed["games"], printed["bad"]) == (26, 1)
    assert printed["results"] == {"*": 1, "0-1": 16, "1-0": 9}
    assert printed["years"] == {"1999": 1, "2025": 24, "unknown": 1}
    text = run("games", *names, "--stats", status=1).stdout
    assert text.startswith("26 games, 1 bad, ")
    assert "1999" in text


def test_warnings(tmp_path: Path) -> None:
    path, errors = tmp_path / "odd.pgn", tmp_path / "errors.jsonl"
    path.write_text("1. e4 +/- e5 *\n\n1. e4 Ke2 *\n\n1. d4 d5ch *\n")
    printed = document("games", str(path), "--errors", str(errors), status=1)
    assert (printed["games"], printed["bad"], printed["warnings"]) == (3, 1, 2)
    lines = list(map(json.loads, errors.read_text().splitlines()))
    assert [(line["kind"], line["game"], line["line"], line["move"]) for line in lines] == [
        ("warning", 1, 1, "+/-"),
        ("error", 2, 3, "Ke2"),
        ("warning", 3, 5, "d5ch"),
    ]
    assert run("games", str(path), "--stats", status=1).stdout.startswith("3 games, 1 bad, 2 warnings, ")
    printed = document("games", str(path), "--errors", str(errors), "--strict", "--force", status=1)
    assert (printed["bad"], printed["warnings"]) == (3, 0)
    assert {json.loads(line)["kind"] for line in errors.read_text().splitlines()} == {"error"}


def test_errors(tmp_path: Path) -> None:
    path, errors = tmp_path / "bad.pgn", tmp_path / "errors.jsonl"
    path.write_text(BAD)
    for bad, games in (("keep", 2), ("skip", 1)):
        status = int(bad == "keep")  # bad games that are to be skipped are expected
        printed = document("games", str(path), "--errors", str(errors), "--bad", bad, "--force", status=status)
        assert (printed["games"], printed["bad"]) == (games, 1)
        (error,) = map(json.loads, errors.read_text().splitlines())
        assert (error["file"], error["game"], error["line"], error["offset"]) == (str(path), 1, 3, 19)
        assert (error["move"], error["place"]) == ("Ke2", "move 1...")
    assert (
        "game 1, line 3, move 1...: SAN move: 'Ke2'"
        in run("games", str(path), "--stats", "--bad", "raise", status=1).output
    )


def test_standard_input_and_headers(tmp_path: Path) -> None:
    out = tmp_path / "games.parquet"
    result = CliRunner().invoke(
        main, ["games", "-", "-o", str(out), "--headers", "all", "--nags"], input=SAMPLE.read_bytes()
    )
    assert result.exit_code == 0, result.output
    games = rookery.read_parquet(out)
    assert games == rookery.read_pgn(SAMPLE)
    run(
        "games",
        str(SAMPLE),
        "-o",
        str(out),
        "--headers",
        "White, Round",
        "--comments",
        "--variations",
        "--row-group",
        "5",
        "--force",
    )
    games = rookery.read_parquet(out)
    assert list(games.headers) == ["Round", "White"]
    assert games.comments is not None


def test_wrong_arguments(tmp_path: Path) -> None:
    sample = str(SAMPLE)
    assert "nothing to do: give -o FILE" in run("games", sample, status=2).output
    assert (
        "expected a name that ends in .parquet" in run("games", sample, "-o", str(tmp_path / "x.txt"), status=2).output
    )
    assert "is a directory" in run("games", str(tmp_path), "--stats", status=2).output
    assert "does not exist" in run("games", str(tmp_path / "none"), "--stats", status=2).output
    assert "there is no folder" in run("games", sample, "-o", str(tmp_path / "no" / "x.pgn"), status=2).output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights")
@pytest.mark.parametrize("force", [(), ("--force",)])
def test_no_input_is_overwritten(tmp_path: Path, force: tuple[str, ...]) -> None:
    path, link, hard, other = (tmp_path / f"{name}.pgn" for name in ("games", "link", "hard", "other"))
    path.write_bytes(SAMPLE.read_bytes())
    link.symlink_to(path)
    hard.hardlink_to(path)
    for target in (path, link, hard, tmp_path / ".." / tmp_path.name / "games.pgn"):
        for option in ("-o", "--errors"):
            error = run("games", str(SAMPLE), str(path), option, str(target), *force, status=2).stderr
            assert f"{option}: {str(target)!r} is the same file as the input {str(path)!r}: give another name" in error
    error = run("games", str(path), "-o", str(other), "--errors", str(other), *force, status=2).stderr
    assert f"--errors: {str(other)!r} is the same file as -o {str(other)!r}" in error
    command = [sys.executable, "-m", "rookery", "games", "-", "-o", str(path), *force]
    with path.open() as file:
        done = subprocess.run(command, stdin=file, capture_output=True, text=True, check=False)
    assert "is the same file as the input" in done.stderr
    assert path.read_bytes() == SAMPLE.read_bytes()
    assert len(list(tmp_path.iterdir())) == 3


def test_what_is_not_pgn(tmp_path: Path) -> None:
    """Nothing is read, and nothing is written."""
    path, out = tmp_path / "games.pgn", tmp_path / "out.pgn"
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as file:
        file.add(SAMPLE, "games.pgn")
    for data in (archive.getvalue(), gzip.compress(archive.getvalue())):
        path.write_bytes(data)
        for names in ([str(path)], [str(SAMPLE), str(path)]):
            result = run("games", *names, "-o", str(out), status=1)
            assert "a tar archive, not PGN: unpack it first" in " ".join(result.output.split())
            assert not out.exists()
    result = CliRunner().invoke(main, ["games", "-", "-o", str(out)], input=archive.getvalue())
    assert result.exit_code == 1
    assert "standard input: a tar archive" in result.output


def test_files_in_which_every_game_is_bad(tmp_path: Path) -> None:
    path, good = tmp_path / "bad.pgn", tmp_path / "good.pgn"
    path.write_text('[Event "x"]\n\n1. e4 Ke2 *\n\n[Event "y"]\n\n1. Kd2 *\n')
    good.write_text(BAD)
    for bad in ("keep", "skip"):
        printed = document("games", str(good), str(path), "--stats", "--bad", bad, status=1)
        assert printed["failures"] == [f"{path}: every game in it is bad (2): is it PGN?"]
        status = int(bad == "keep")
        assert document("games", str(good), "--stats", "--bad", bad, status=status)["failures"] == []
    assert "every game in it is bad" in " ".join(run("games", str(path), "--stats", status=1).stderr.split())


def test_plain_pgn_that_is_cut_short(tmp_path: Path) -> None:
    path, out = tmp_path / "cut.pgn", tmp_path / "out.pgn"
    path.write_bytes(SAMPLE.read_bytes()[:-30])
    printed = document("games", str(path), "-o", str(out), status=1)
    assert printed["failures"] == [f"{path}: cut short: its last game ends without a result"]
    assert (printed["games"], printed["bad"], printed["complete"]) == (12, 1, False)
    assert out.read_bytes() == path.read_bytes()


def test_tables_and_archives(tmp_path: Path) -> None:
    games = rookery.read_pgn(SAMPLE)
    rookery.write_parquet(games, tmp_path / "games.parquet")
    with zipfile.ZipFile(tmp_path / "games.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(SAMPLE, "a.pgn")
        archive.write(SAMPLE, "b.pgn")
    out = tmp_path / "out.pgn"
    printed = document("games", str(tmp_path / "games.parquet"), "-o", str(out))
    assert rookery.read_pgn(out) == games
    assert printed["bytes"] == (tmp_path / "games.parquet").stat().st_size
    printed = document("games", str(tmp_path / "games.zip"), "--stats")
    size, unpacked = (tmp_path / "games.zip").stat().st_size, 2 * SAMPLE.stat().st_size
    assert (printed["games"], printed["bytes"], printed["unpacked_bytes"]) == (24, size, unpacked)
    assert "unpacked to 46 KiB" in run("games", str(tmp_path / "games.zip"), "--stats").stdout
    assert "unpacked" not in run("games", str(SAMPLE), "--stats").stdout


def test_patterns(tmp_path: Path) -> None:
    for name in ("a.pgn", "b.pgn"):
        (tmp_path / name).write_bytes(SAMPLE.read_bytes())
    assert document("games", str(tmp_path / "*.pgn"), str(SAMPLE), "--stats")["games"] == 36
    assert "no file matches" in " ".join(run("games", str(tmp_path / "*.zst"), "--stats", status=2).output.split())
    assert "text.encode()" in run("games", "1. e4 e5", "--stats", status=2).output


@pytest.mark.parametrize("cut", [0.6, 0.99])
def test_what_was_read_of_a_truncated_file_is_kept(tmp_path: Path, cut: float) -> None:
    data = b"".join(zstandard.compress(SAMPLE.read_bytes()) for _ in range(4))
    path, out = tmp_path / "cut.zst", tmp_path / "games.parquet"
    path.write_bytes(data[: int(len(data) * cut)])
    printed = document("games", str(path), "-o", str(out), status=1)
    assert not printed["complete"]
    assert "cut short" in printed["failures"][0]
    assert str(path) in printed["failures"][0]
    assert printed["games"] >= 23  # of the last it is not known whether it is whole
    assert len(rookery.read_parquet(out)) == printed["games"]
    errors = tmp_path / "errors.jsonl"
    assert "Error: " in run("games", str(path), "--stats", "--errors", str(errors), status=1).stderr
    *bad, last = map(json.loads, errors.read_text().splitlines())
    assert (len(bad), last["game"], last["reason"][:9]) == (printed["bad"], 0, "cut short")
    out.unlink()
    error = run("games", str(path), "-o", str(out), "--bad", "raise", status=1).output
    assert "cut.zst: cut short" in " ".join(error.split())
    assert not out.exists()


def test_damaged_data(tmp_path: Path) -> None:
    data = bytearray(zstandard.compress(SAMPLE.read_bytes()))
    data[len(data) // 2 : len(data) // 2 + 40] = bytes(40)
    (tmp_path / "damaged.zst").write_bytes(data)
    assert "damaged zstd data" in document("games", str(tmp_path / "damaged.zst"), "--stats", status=1)["failures"][0]


def stopped(folder: Path, signal_number: int) -> subprocess.CompletedProcess[str]:
    """The command, ended by a signal while it writes ``games.parquet`` in a folder."""
    before = set(folder.iterdir())
    command = [sys.executable, "-m", "rookery", "games", "-", "--force", "-o", str(folder / "games.parquet")]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        for _ in range(600):  # the file under another name says that reading has begun
            if set(folder.iterdir()) != before:
                break
            time.sleep(0.1)
        process.stdin.write(SAMPLE.read_text())
        process.stdin.flush()
        time.sleep(1)
        process.send_signal(signal_number)
        stdout, stderr = process.communicate(timeout=60)
    return subprocess.CompletedProcess(command, process.returncode, stdout, stderr)


@pytest.mark.skipif(sys.platform == "win32", reason="no signals")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_leaves_nothing_half_written(tmp_path: Path, number: int, status: int) -> None:
    result = stopped(tmp_path, number)
    assert result.returncode == status, result.stderr
    assert result.stdout.startswith("interrupted: nothing was written\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="no signals")
def test_who_is_killed_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    rookery.write_parquet(rookery.read_pgn(SAMPLE), path)
    before = path.read_bytes()
    assert stopped(tmp_path, signal.SIGKILL).returncode == -signal.SIGKILL
    assert path.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 2
    command = [sys.executable, "-m", "rookery", "games", str(SAMPLE), "-o", str(tmp_path / "other.parquet")]
    subprocess.run(command, check=True, capture_output=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.parquet", "other.parquet"]


def test_where(tmp_path: Path) -> None:
    out = tmp_path / "games.parquet"
    printed = document("games", str(SAMPLE), "-o", str(out), "--where", 'WhiteElo >= 1500 and TimeControl == "300+3"')
    games = rookery.read_pgn(SAMPLE)
    strong = games[(games["WhiteElo"] >= 1500).filled(False) & (games["TimeControl"] == "300+3")]
    assert printed["games"] == len(strong) > 0
    assert rookery.read_parquet(out) == strong
    assert rookery.read_parquet(out).numbers.tolist() == strong.numbers.tolist()
    assert document("games", str(SAMPLE), "--stats", "--where", "WhiteElo >= 1500")["results"]["0-1"] > 0
    refused = run("games", str(SAMPLE), "--stats", "--where", "WhiteElo = 5", status=2).output
    assert "where: =: expected '=='\n    WhiteElo = 5\n             ^\n" in refused


def test_where_names_a_header_that_no_game_has(tmp_path: Path) -> None:
    """Of several files one must have it."""
    (tmp_path / "a.pgn").write_text('[Club "x"]\n\n1. e4 *\n')
    files = [str(SAMPLE), str(tmp_path / "a.pgn")]
    assert document("games", *files, "--stats", "--where", 'Club == "x"')["games"] == 1
    out = tmp_path / "out.parquet"
    refused = run("games", *files, "-o", str(out), "--where", 'WhitElo > "5"', status=2).output
    assert "where: 'WhitElo': no game has this header; did you mean 'WhiteElo'?" in refused
    assert not out.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
def test_progress_on_a_terminal(tmp_path: Path) -> None:
    import pty

    path = tmp_path / "games.pgn"
    path.write_bytes(SAMPLE.read_bytes() * 300)
    shown, terminal = pty.openpty()
    command = [sys.executable, "-m", "rookery", "games", str(path), "--stats"]
    environment = os.environ | {"COLUMNS": "120", "TERM": "xterm"}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=terminal, env=environment) as process:
        os.close(terminal)
        text = b""
        with contextlib.suppress(OSError):  # a terminal that nobody writes to any more
            while data := os.read(shown, 1 << 16):
                text += data
    os.close(shown)
    assert process.returncode == 0
    assert re.search(rb"3,600 games, 189,900 plies, [\d.]+ s, [\d,]+ MB/s, [\d,]+ games/s ", text)
    assert re.search(rb"\d:\d\d:\d\d", text)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device")
@pytest.mark.parametrize("suffix", ["parquet", "arrow", "pgn", "csv"])
def test_a_full_disk(tmp_path: Path, suffix: str) -> None:
    out = tmp_path / f"full.{suffix}"
    out.symlink_to("/dev/full")
    result = run("games", str(SAMPLE), "-o", str(out), status=1)
    assert "No space left on device" in result.output
