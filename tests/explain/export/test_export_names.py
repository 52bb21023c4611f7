"""Several exports in one program: prefixes, headers of `static inline` functions, and shared tables."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from exports import COMPILED, LOOKUPS, TOOLS, self_check

import rookery
from rookery.cli import main
from rookery.explain.export import LANGUAGES, export_files, export_text
from thinning import few, slow_but

ALL = tuple(t.name for t in rookery.techniques())
PAIR = {"one": "magic-fancy", "two": "rotated-hyatt-64"}
STRICT = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1")
RIGHT = f"{LOOKUPS} look-ups agree with ray walking\n"


def underscored(name: str) -> str:
    return name.replace("-", "_")


def built(*command: str, folder: Path) -> None:
    if not shutil.which(command[0]):
        pytest.skip(f"no {command[0]} here")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:3000] + done.stdout[:3000]


def printed(*command: str, folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def write_all(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        assert not (folder / name).exists(), f"two exports write {name}"
        (folder / name).write_text(text, encoding="utf-8")


# C.


def test_all_headers_compile_in_one_program(tmp_path: Path) -> None:
    built("gcc", *STRICT, "-fsyntax-only", "program.c", folder=program_of_all_headers(tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_all_headers_in_one_program(compiler: str, tmp_path: Path) -> None:
    """The headers of all techniques, included by one source file, compile without a warning and are right."""
    built(compiler, *STRICT, "-oprogram", "program.c", folder=program_of_all_headers(tmp_path))
    assert printed("./program", folder=tmp_path) == len(ALL) * RIGHT


def program_of_all_headers(folder: Path) -> Path:
    for name in ALL:
        (folder / f"{name}.h").write_text(export_text("c", name, header=True), encoding="utf-8")
    calls = " || ".join(f"{underscored(name)}_self_check()" for name in ALL)
    lines = ["#define ROOKERY_SELFCHECK", "#define ROOKERY_NO_MAIN", *(f'#include "{name}.h"' for name in ALL)]
    program = "\n".join([*lines, f"int main(void) {{ return {calls}; }}", ""])
    (folder / "program.c").write_text(program, encoding="utf-8")
    return folder


@pytest.mark.parametrize("header", [False, True])
def test_several_exports_are_linked(header: bool, tmp_path: Path) -> None:
    for prefix, name in PAIR.items():
        write_all(tmp_path, export_files("c", name, prefix=prefix, header=header))
    program = "int one_self_check(void);\nint two_self_check(void);\n"
    program += "int main(void) { return one_self_check() || two_self_check(); }\n"
    (tmp_path / "program.c").write_text(program, encoding="utf-8")
    sources = sorted(path.name for path in tmp_path.glob("*.c"))
    assert len(sources) == (3 if header else 5)
    built("cc", *STRICT, "-DROOKERY_NO_MAIN", "-oprogram", *sources, folder=tmp_path)
    assert printed("./program", folder=tmp_path) == 2 * RIGHT


def test_source_files_share_the_tables_of_a_header(tmp_path: Path) -> None:
    """A header's tables are filled once, whichever source file calls `init_attacks`."""
    write_all(tmp_path, {"mf.h": export_text("c", "magic-fancy", prefix="mf", header=True)})
    other = '#include "mf.h"\nuint64_t other(void);\nuint64_t other(void) { return mf_rook_attacks(mf_A1, 0); }\n'
    first = (
        '#include <stdio.h>\n#include "mf.h"\nuint64_t other(void);\n'
        'int main(void) { mf_init_attacks(); printf("%llx\\n", (unsigned long long)other()); return 0; }\n'
    )
    write_all(tmp_path, {"other.c": other, "first.c": first})
    built("cc", *STRICT, "-oprogram", "first.c", "other.c", folder=tmp_path)
    assert int(printed("./program", folder=tmp_path), 16) == rookery.rook_attacks(0, 0)


@pytest.mark.parametrize("name", ["rotated-compact", "pext-pdep16", "congruent-modulo-dense"])
def test_a_prefix_is_before_every_name(name: str, tmp_path: Path) -> None:
    """Symbols, constants of the preprocessor and enumerators begin with the prefix, or are shared by all exports."""
    text = export_text("c", name, prefix="hq", header=True)
    shared = {"ROOKERY_SHARED", "ROOKERY_SELFCHECK", "ROOKERY_NO_MAIN", "_WIN32", "__GNUC__", "__BMI2__"}
    defined = {*re.findall(r"^#\s*define (\w+)", text, re.MULTILINE)}
    assert all(one.startswith("hq_") or one in shared for one in defined)
    assert "ROOKERY_A1" not in text
    heads = re.findall(r"^(?:static|ROOKERY_SHARED)\b[\w ]*?(\w+)(?:\(|\[| = )", text, re.MULTILINE)
    assert len(heads) > 10
    assert [one for one in heads if not one.startswith("hq_")] == []
    if not shutil.which("nm"):
        pytest.skip("no nm here")
    write_all(tmp_path, export_files("c", name, prefix="hq"))
    built("cc", "-O0", "-c", "hq_attacks.c", folder=tmp_path)
    symbols = [line.split()[-1] for line in printed("nm", "hq_attacks.o", folder=tmp_path).splitlines()]
    assert len(symbols) > 10
    assert [one for one in symbols if not re.match(r"_?hq_|\.|_GLOBAL", one)] == []


def test_the_prefix_of_a_header_is_the_technique(tmp_path: Path) -> None:
    text = export_text("c", "magic-fancy", header=True)
    assert "static inline uint64_t magic_fancy_rook_attacks(uint64_t sq, uint64_t occupied) {" in text
    assert "rookery export c --technique magic-fancy --header\n" in text
    assert "rookery export c --technique pext --header --prefix p" in export_text("c", "pext", prefix="p", header=True)
    assert list(export_files("c", "pext", header=True)) == ["pext_attacks.h", "pext_selfcheck.c"]
    (tmp_path / "pext_attacks.h").write_text(export_text("c", "pext", header=True), encoding="utf-8")
    build = re.search(r"^//     (cc -O2 -x c .*) && ./selfcheck$", export_text("c", "pext", header=True), re.MULTILINE)
    assert build
    built(*build[1].split(), folder=tmp_path)
    assert printed("./selfcheck", folder=tmp_path) == RIGHT


# Other languages.

BOTH = {
    "cpp": (
        '#include "one_attacks.hpp"\n#include "two_attacks.hpp"\n#include <cstdio>\n'
        'int main() { std::printf("%d\\n", one::rook_attacks(one::A1, 0) == two::rook_attacks(two::A1, 0)); }\n',
        "g++ -std=c++17 -Wall -Wextra -Werror -oprogram program.cpp",
        "./program",
    ),
    "cuda": (
        '#define ROOKERY_SELFCHECK\n#define ROOKERY_NO_MAIN\n#include "one_attacks.cuh"\n#include "two_attacks.cuh"\n'
        "#include <cstdio>\nint main() { one::init_attacks(); two::init_attacks();\n"
        'std::printf("%d\\n", one::rook_attacks(one::A1, 0) == two::rook_attacks(two::A1, 0)); }\n',
        "g++ -std=c++17 -Wall -Wextra -Werror -x c++ -oprogram program.cu",
        "./program",
    ),
    "rust": (
        "mod one_attacks;\nmod two_attacks;\nfn main() {\n"
        '    println!("{}", (one_attacks::rook_attacks(0, 0) == two_attacks::rook_attacks(0, 0)) as u8);\n}\n',
        "rustc program.rs",
        "./program",
    ),
    "python": (
        "import one_attacks as one, two_attacks as two\nprint(int(one.rook_attacks(0, 0) == two.rook_attacks(0, 0)))\n",
        "",
        f"{sys.executable} program.py",
    ),
    "javascript": (
        'import * as one from "./one_attacks.mjs";\nimport * as two from "./two_attacks.mjs";\n'
        "console.log(Number(one.rookAttacks(0, 0n) === two.rookAttacks(0, 0n)));\n",
        "",
        "node program.mjs",
    ),
    "csharp": (
        "public static class Program { public static void Main() { System.Console.WriteLine(\n"
        "    OneAttacks.RookAttacks(0, 0) == TwoAttacks.RookAttacks(0, 0) ? 1 : 0); } }\n",
        "mcs -out:program.exe Program.cs OneAttacks.cs TwoAttacks.cs",
        "mono program.exe",
    ),
}
ENDINGS = {"cpp": "cpp", "cuda": "cu", "rust": "rs", "python": "py", "javascript": "mjs", "csharp": "cs"}


@pytest.mark.parametrize("language", BOTH)
def test_two_exports_in_one_program(language: str, tmp_path: Path) -> None:
    program, build, start = BOTH[language]
    if not shutil.which((build or start).split()[0]):
        pytest.skip(f"no {(build or start).split()[0]} here")
    for prefix, name in PAIR.items():
        write_all(tmp_path, export_files(language, name, prefix=prefix))
    write_all(tmp_path, {f"{'P' if language == 'csharp' else 'p'}rogram.{ENDINGS[language]}": program})
    if build:
        built(*build.split(), folder=tmp_path)
    assert printed(*start.split(), folder=tmp_path).strip() == "1"


def test_self_checks_of_cpp_are_functions_of_their_namespaces(tmp_path: Path) -> None:
    for prefix, name in PAIR.items():
        write_all(tmp_path, {f"{prefix}.hpp": export_text("cpp", name, prefix=prefix)})
    program = "#define ROOKERY_SELFCHECK\n#define ROOKERY_NO_MAIN\n" + "".join(f'#include "{p}.hpp"\n' for p in PAIR)
    program += "int main() { return one::self_check() || two::self_check(); }\n"
    write_all(tmp_path, {"program.cpp": program})
    built("g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-O1", "-oprogram", "program.cpp", folder=tmp_path)
    assert printed("./program", folder=tmp_path) == 2 * RIGHT


@pytest.mark.parametrize("language", slow_but(TOOLS, *COMPILED))
def test_the_self_check_of_a_prefixed_export(language: str, tmp_path: Path) -> None:
    """The files of an export with a prefix belong together, and the command above the self-check builds it."""
    files = export_files(language, "hyperbola", prefix="hq")
    assert all(name.lower().startswith("hq") for name in files)
    check = next(text for name, text in files.items() if "selfcheck" in name.lower() and "csproj" not in name)
    renamed = {name: name.replace("hq_", "rookery_").replace("rookery_selfcheck", "selfcheck") for name in files}
    if language == "csharp":
        build, start = "mcs -out:selfcheck.exe HqAttacks.cs HqSelfCheck.cs", "mono selfcheck.exe"
    elif language in ("javascript", "python"):
        build, start = "", TOOLS[language][2].replace("selfcheck", "hq_selfcheck")
        assert "hq_attacks" in check
    else:
        build, start = TOOLS[language][1], TOOLS[language][2]
        for name, new in renamed.items():
            build = build.replace(new, name)
        build = build.replace(" selfcheck.", " hq_selfcheck.")
        start = start.replace("selfcheck", "hq_selfcheck") if language == "rust" else start
    if not shutil.which((build or start).split()[0]):
        pytest.skip(f"no {(build or start).split()[0]} here")
    write_all(tmp_path, files)
    if build:
        built(*build.split(), folder=tmp_path)
    assert printed(*start.split(), folder=tmp_path) == RIGHT


# States, kept from move to move.

ROTATED = tuple(name for name in ALL if name.startswith("rotated"))


@pytest.mark.parametrize("name", ROTATED)
def test_states_are_those_of_the_technique(name: str) -> None:
    """What the export keeps, and what it answers from it, are what the technique itself keeps and answers."""
    names: dict[str, object] = {"__name__": "exported"}
    exec(compile(export_text("python", name), "exported", "exec"), names)
    prepare, toggle, rook = (names[one] for one in ("prepare", "toggle", "rook_attacks_in"))
    technique = rookery.technique(name)
    occupied, ours = 0, technique.prepare(0)
    theirs = prepare(0)  # type: ignore[operator]
    for step in range(200):
        square = step * 29 % 64
        occupied ^= 1 << square
        theirs, ours = toggle(theirs, square), technique.toggle(ours, square)  # type: ignore[operator]
        assert tuple(theirs) == tuple(map(int, ours))
        assert rook(step % 64, theirs) == technique.rook(step % 64, occupied)  # type: ignore[operator]
    assert theirs == prepare(occupied)  # type: ignore[operator]


def test_other_techniques_keep_the_occupancy_alone() -> None:
    for language in LANGUAGES:
        assert "toggle" not in export_text(language, "magic-fancy").lower()


# What makes toggle wrong, in each language: the first rotated word takes a square's bit from elsewhere.
WRONG = {
    "c": ("toggle_r90(state.r90, sq)", "toggle_r90(state.r90, sq ^ 1)"),
    "cpp": ("toggle_r90(state.r90, sq)", "toggle_r90(state.r90, sq ^ 1)"),
    "cuda": ("toggle_r90(state.r90, sq)", "toggle_r90(state.r90, sq ^ 1)"),
    "rust": ("toggle_r90(state.r90, sq)", "toggle_r90(state.r90, sq ^ 1)"),
    "python": ("toggle_r90(state.r90, sq)", "toggle_r90(state.r90, sq ^ 1)"),
    "csharp": ("toggle_r90(state.r90, (ulong)square)", "toggle_r90(state.r90, (ulong)square ^ 1)"),
    "javascript": ("toggle_r90(state[2], state[3], sq)", "toggle_r90(state[2], state[3], sq ^ 1)"),
}


@pytest.mark.parametrize("language", few(WRONG, 3))
def test_a_wrong_toggle_fails_the_self_check(language: str, tmp_path: Path) -> None:
    files = export_files(language, "rotated-heinz-64")
    right, wrong = WRONG[language]
    (name,) = (name for name, text in files.items() if right in text)
    files[name] = files[name].replace(right, wrong)
    done = self_check(language, files, tmp_path)
    assert done.returncode == 1
    assert re.match(r"the state that toggle keeps is wrong: a1, occupied 0x[0-9a-f]{16}\n", done.stdout)


# What is refused.


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("json", "--prefix", "hq"), "prefix: 'hq': an export for json has no names to keep apart"),
        (("cpp", "--header"), "header: only C has a second form; its export is a header already"),
        (("python", "--header"), "header: only C has a second form; expected the language c, not python"),
        (("c", "--prefix", "1st"), "prefix: '1st': expected a letter, then letters, digits and single underscores"),
        (("c", "--prefix", "a__b"), "prefix: 'a__b': expected a letter"),
        (("c", "--prefix", "_a"), "prefix: '_a': expected a letter"),
        (("c", "--prefix", ""), "prefix: '': expected a letter"),
        (("cpp", "--prefix", "class"), "prefix: 'class': no namespace of cpp can have this name"),
        (("cuda", "--prefix", "std"), "prefix: 'std': no namespace of cuda can have this name"),
    ],
)
def test_prefixes_and_headers_that_are_refused(arguments: tuple[str, ...], message: str) -> None:
    result = CliRunner().invoke(main, ["export", *arguments, "--technique", "pext"])
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nope", "technique: 'nope' is unknown; did you mean 'pext'?"),
        ("Magic_Fancy", "did you mean 'magic-fancy'"),
        ("leoric", "did you mean 'leorik'?"),  # a variant
        ("zzz", "the name that looks most like it is "),
    ],
)
def test_an_unknown_technique_is_answered_with_one_that_looks_like_it(name: str, message: str) -> None:
    result = CliRunner().invoke(main, ["export", "c", "--technique", name])
    assert result.exit_code == 2
    assert message in result.stderr
    assert "`rookery techniques` lists all" in result.stderr or "known are rays, classical, " in result.stderr
