"""Exports, compiled and run by what compilers there are, and rebuilt from JSON by hand."""

import functools
import itertools
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from exports import LOOKUPS, TOOLS, assert_agrees, self_check

import rookery
from rookery.bitboards.mappings import MAPPINGS, convert_board, convert_square
from rookery.bitboards.squares import SQUARE_NAMES
from rookery.cli import main
from rookery.cli.techniques.export import LANGUAGES as OFFERED
from rookery.explain.export import LANGUAGES, export_files, export_text
from thinning import few, slow_but

# One of each kind: masks and factors, rows of tables, bits deposited, folds, shared small tables, arithmetic, scans.
KINDS = (
    "magic-fancy",
    "magic-plain",
    "pext-pdep16",
    "magic-folded-8",
    "kindergarten",
    "hyperbola",
    "obstruction-difference",
    "classical",
    "rotated-hyatt-64",
)
ALL = tuple(t.name for t in rookery.techniques())


# All kinds in C; factors, deposited bits and a state of its own in the other languages that are compiled.
QUICK = [
    *(("c", name) for name in KINDS),
    *itertools.product(
        ("cpp", "cuda", "rust", "csharp", "javascript"), ("magic-fancy", "pext-pdep16", "rotated-hyatt-64")
    ),
    ("python", "magic-fancy"),
]


@pytest.mark.parametrize(("language", "name"), QUICK)
def test_the_self_check_passes(language: str, name: str, tmp_path: Path) -> None:
    assert_agrees(language, name, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(("language", "name"), [pair for pair in itertools.product(TOOLS, ALL) if pair not in QUICK])
def test_the_self_check_passes_for_all_others(language: str, name: str, tmp_path: Path) -> None:
    assert_agrees(language, name, tmp_path)


@pytest.mark.parametrize("name", few(ALL, 10))
def test_csharp_text(name: str) -> None:
    text = export_text("csharp", name)
    assert text.count("{") == text.count("}")
    for part in ("RookAttacks", "BishopAttacks", "QueenAttacks"):
        assert f"public static ulong {part}(int square, ulong occupied)" in text
    assert "private static ulong rook_attacks(ulong sq, ulong occupied)" in text
    assert "#if ROOKERY_SELFCHECK" in text
    for instruction in ("byteswap", "trailing_zeros", "leading_zeros", "pext", "pdep"):
        assert (f"{instruction}(" in text) == (f"private static ulong {instruction}(" in text)


@pytest.mark.parametrize("mapping", few(MAPPINGS, 4))
def test_every_mapping_in_c(mapping: str, tmp_path: Path) -> None:
    assert_agrees("c", "magic-fancy", tmp_path, mapping)


def test_other_languages_in_another_mapping(tmp_path: Path) -> None:
    for language in ("cpp", "cuda", "rust", "javascript"):
        assert_agrees(language, "hyperbola", tmp_path, "file-big-little")


@functools.cache
def python_export(name: str, mapping: str) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "exported"}
    exec(compile(export_text("python", name, mapping), "exported", "exec"), names)
    return names


@pytest.mark.parametrize(
    ("name", "mapping"),
    [*itertools.product(("obstruction-difference", "magic-folded-8"), MAPPINGS), ("pext-pdep16", "file-big-little")],
)
def test_a_mapping_is_that_of_the_library(name: str, mapping: str) -> None:
    """Squares by name, and boards converted there and back, give what the library gives."""
    exported = python_export(name, mapping)
    technique = rookery.technique(name)
    for square, occupied in zip(range(64), np.random.default_rng(1).integers(0, 2**63, 64).tolist(), strict=True):
        assert exported[SQUARE_NAMES[square].upper()] == convert_square(square, "rank-little-little", mapping)
        board = convert_board(occupied, "rank-little-little", mapping)
        for piece in ("rook", "bishop", "queen"):
            got = exported[f"{piece}_attacks"](exported[SQUARE_NAMES[square].upper()], board)
            assert convert_board(got, mapping, "rank-little-little") == technique.ask(piece, square, occupied)


# The self-check notices.


def flipped(text: str, after: str, bit: int = 20) -> str:
    """A text with one bit of the first long number after some word changed."""
    start = text.index(after)
    found = re.compile(r"0x([0-9a-f]{16}|[0-9a-f]{8})\b").search(text, start)  # JavaScript's words are in halves
    assert found
    number = int(found[0], 16) ^ 1 << bit
    return f"{text[: found.start(1)]}{number:0{len(found[1])}x}{text[found.end() :]}"


CORRUPTIONS: dict[str, Callable[[str], str]] = {
    "a mask": lambda text: flipped(text, "ROOK_TABLE", 24),  # a4 matters to a1
    "a bishop's mask": lambda text: flipped(text, "BISHOP_TABLE", 27),  # and d4
    "a step": lambda text: flipped(text, "AVOID_WRAP_TABLE"),
    "a shift": lambda text: text.replace("0x0000000000000034", "0x0000000000000036", 1),
}


@pytest.mark.parametrize("fault", CORRUPTIONS)
def test_a_damaged_export_fails_its_self_check(fault: str, tmp_path: Path) -> None:
    files = export_files("c", "magic-fancy")
    files["rookery_attacks.c"] = CORRUPTIONS[fault](files["rookery_attacks.c"])
    done = self_check("c", files, tmp_path)
    assert done.returncode == 1
    piece = "bishop" if "bishop" in fault else "rook"
    printed = re.match(r"(rook|bishop) on [a-h][1-8], occupied 0x[0-9a-f]{16}: expected 0x", done.stdout)
    assert printed, done.stdout
    # The rooks are checked first, and with them the queen, who minds a bishop's mask.
    assert printed[1] == piece or done.stdout.endswith("for the queen\n")


@pytest.mark.parametrize("language", few(["cpp", "cuda", "rust", "javascript", "python", "csharp"], 3))
def test_a_damaged_export_fails_in_every_language(language: str, tmp_path: Path) -> None:
    files = export_files(language, "kindergarten")
    name = next(name for name, text in files.items() if "FILL_UP_TABLE" in text and "elfcheck" not in name)
    files[name] = flipped(files[name], "FILL_UP_TABLE")
    done = self_check(language, files, tmp_path)
    assert done.returncode == 1
    assert re.match(r"(rook|bishop) on [a-h][1-8], occupied 0x", done.stdout)


def test_a_wrong_queen_is_noticed(tmp_path: Path) -> None:
    files = export_files("python", "obstruction-difference")
    text = files["rookery_attacks.py"]
    assert "def queen_attacks" in text
    files["rookery_attacks.py"] = text + "\n\ndef queen_attacks(sq, occupied):\n    return rook_attacks(sq, occupied)\n"
    done = self_check("python", files, tmp_path)
    assert done.returncode == 1
    assert done.stdout.startswith("rook on a1, occupied 0x0000000000000000")


# What an export says of itself.


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "json"])
def test_the_heading(language: str) -> None:
    heading = export_text(language, "magic-fixed-shift", "rank-big-big").partition("\n\n")[0]
    for part in (
        "Volker Annuss",
        "2017",
        "research/magics/pack/packing.py",
        "rank-big-big: a1 is bit 63",
        rookery.__version__,
    ):
        assert part in heading
    assert f"rookery export {language} --technique magic-fixed-shift --mapping rank-big-big" in heading


def test_rotated_boards_are_made_for_each_question() -> None:
    """Of the four boards a function gets those that it reads; what nobody reads is not made."""
    text = export_text("c", "rotated-heinz")
    rook = text[text.index("uint64_t rook_attacks(uint64_t sq, uint64_t occupied) {") :]
    rook = rook[: rook.index("}")]
    assert "rotate_90_clockwise(occupied)" in rook
    assert "r45" not in rook
    assert "static inline uint64_t rank(uint64_t sq, uint64_t o_plain)" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("fortran", "pext"), "language: 'fortran': expected one of c, cpp, rust, python, csharp, javascript, cuda"),
        (("c", "pextt"), "did you mean 'pext'"),
        (("c", "pext", "upside-down"), "mapping: 'upside-down': expected one of rank-little-little"),
    ],
)
def test_impossible_requests(arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        export_text(*arguments)


# The command.


def run(*arguments: str, status: int = 0) -> Result:
    result = CliRunner().invoke(main, ["export", *arguments])
    assert result.exit_code == status, result.output + str(result.exception)
    return result


def test_the_command_writes_to_standard_output() -> None:
    assert set(OFFERED) - set(LANGUAGES) == {"wasm"}  # which is a module, not a text
    assert run("c", "--technique", "rays").stdout == export_text("c", "rays")
    assert run("json", "--technique", "pext", "--mapping", "rank-big-big").stdout == export_text(
        "json", "pext", "rank-big-big"
    )


SINGLE: dict[str, tuple[str, str, str]] = {
    "c": ("x.c", "cc -Wall -Wextra -Werror -DROOKERY_SELFCHECK -ox x.c", "./x"),
    "cpp": ("x.cpp", "g++ -std=c++17 -Wall -Werror -DROOKERY_SELFCHECK -ox x.cpp", "./x"),
    "cuda": ("x.cu", "g++ -std=c++17 -Wall -Wextra -Werror -x c++ -DROOKERY_SELFCHECK -ox x.cu", "./x"),
    "rust": ("x.rs", "rustc --test -Dwarnings x.rs", "./x --nocapture"),
    "csharp": ("x.cs", "mcs -define:ROOKERY_SELFCHECK -out:x.exe x.cs", "mono x.exe"),
    "javascript": ("x.mjs", "", "node x.mjs"),
    "python": ("x.py", "", f"{sys.executable} x.py"),
}


@pytest.mark.parametrize("language", slow_but(SINGLE, *(language for language in SINGLE if language != "python")))
def test_the_single_file_checks_itself(language: str, tmp_path: Path) -> None:
    name, build, start = SINGLE[language]
    tool = (build or start).split()[0]
    if not shutil.which(tool):
        pytest.skip(f"no {tool} here")
    (tmp_path / name).write_text(run(language, "--technique", "rays").stdout, encoding="utf-8")
    if build:
        subprocess.run(build.split(), cwd=tmp_path, check=True)
    env = {**os.environ, "ROOKERY_SELFCHECK": "1"}
    done = subprocess.run(start.split(), cwd=tmp_path, capture_output=True, text=True, check=False, env=env)
    assert done.returncode == 0
    assert f"{LOOKUPS} look-ups agree with ray walking" in done.stdout


def test_the_command_writes_files_and_overwrites_none(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "one"
    text = run("c", "--technique", "pext", "--out", str(folder)).stdout
    assert sorted(path.name for path in folder.iterdir()) == ["rookery_attacks.c", "rookery_attacks.h", "selfcheck.c"]
    assert str(folder / "selfcheck.c") in text
    (folder / "selfcheck.c").write_text("mine", encoding="utf-8")
    message = run("c", "--technique", "pext", "--out", str(folder), status=2).stderr.replace("\n", " ")
    assert "already there; overwrite with --force" in message
    assert (folder / "selfcheck.c").read_text(encoding="utf-8") == "mine"
    run("c", "--technique", "pext", "--out", str(folder), "--force")
    assert (folder / "selfcheck.c").read_text(encoding="utf-8") == export_files("c", "pext")["selfcheck.c"]


def test_errors_of_the_command(tmp_path: Path) -> None:
    assert "did you mean" in run("c", "--technique", "magic", status=2).stderr
    assert "Invalid value" in run("basic", "--technique", "rays", status=2).stderr
    assert "Missing option '--technique'" in run("c", status=2).stderr
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert "--out:" in run("c", "--technique", "rays", "--out", str(tmp_path / "file" / "under"), status=1).stderr
