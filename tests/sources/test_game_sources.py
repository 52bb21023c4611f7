"""What may be given as a source: patterns, lists of anything, and texts that are meant to be PGN."""

import io
from pathlib import Path

import pytest

from rookery import read_pgn

TEXT = (Path(__file__).parents[1] / "samples" / "lichess-2025-05.pgn").read_bytes()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, white in (("b.pgn", "b"), ("a.pgn", "a"), ("in/c.pgn", "c"), ("in/deep/d.pgn", "d"), ("x[1].pgn", "x")):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'[White "{white}"]\n\n1. e4 *\n')
    (tmp_path / "x1.pgn").write_text('[White "other"]\n\n1. e4 *\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def whites(source: object) -> list[str]:
    found: list[str] = read_pgn(source)["White"].tolist()
    return found


def test_patterns(folder: Path) -> None:
    assert whites("?.pgn") == ["a", "b"]
    assert whites(str(folder / "in" / "*.pgn")) == ["c"]
    assert whites(folder / "in" / "*.pgn") == ["c"]
    assert whites("in/**") == ["c", "d"]  # no folders
    assert whites("**/[cd].pgn") == ["c", "d"]
    assert whites("x[1].pgn") == ["x"]  # a file that has the name
    assert whites("x[0-9].pgn") == ["other"]
    assert whites(["b.pgn", "in/*.pgn", Path("a.pgn")]) == ["b", "c", "a"]
    for pattern in ("*.zst", ["a.pgn", "*.zst"]):
        with pytest.raises(FileNotFoundError, match=r"no file matches: '\*\.zst'"):
            read_pgn(pattern)


def test_lists_of_anything(folder: Path) -> None:
    with Path("a.pgn").open("rb") as file:
        sources = [
            file,
            b'[White "bytes"]\n\n1. d4 *',
            "b.pgn",
            io.StringIO('[White "text"]\n\n1. d4 *'),
            Path("x1.pgn"),
        ]
        assert whites(sources) == ["a", "bytes", "b", "text", "other"]
    assert whites(()) == []


@pytest.mark.parametrize(
    "text",
    [
        "1. e4 e5 *",
        "1.e4",
        "12... Nf3",
        "e4 e5",
        "O-O-O",
        "[Event ...",
        '[Event "x"]',
        ' [White "y"] 1. e4',
        "1. e4\n",
        "1. d4 {*.pgn}",
    ],
)
def test_pgn_given_as_a_str(text: str) -> None:
    with pytest.raises(ValueError, match=r"pass PGN text itself as bytes: text\.encode\(\)"):
        read_pgn(text)
    with pytest.raises(ValueError, match=r"text\.encode\(\)"):
        read_pgn([text])


@pytest.mark.parametrize("name", ["games.pgn", "e4.games", "1.games", "2024", "[x.pgn", "e5.pgn", "x" * 5000])
def test_names_of_files_that_are_missing(name: str) -> None:
    with pytest.raises(OSError, match=r"No such file|no file|too long"):
        read_pgn(name)


def test_a_file_with_the_name_of_a_move(folder: Path) -> None:
    Path("e4").write_bytes(TEXT)
    assert len(read_pgn("e4")) == 12


@pytest.mark.parametrize("threads", [1, 2])
def test_a_file_is_named_without_needless_dots(folder: Path, threads: int) -> None:
    (folder / "named.pgn").write_bytes(b"1. e4 e5 2. Ke3 *")
    assert read_pgn("./named.pgn", threads=threads).errors[0].file == "named.pgn"
