"""``rookery export``."""

from collections.abc import Mapping
from pathlib import Path

import click

from rookery.bitboards.squares import MAPPING_NAMES
from rookery.cli.common import out, plain, print_json, writing
from rookery.cli.options import as_json_option, out_option, overwrites, writes_files
from rookery.sources.disk import DISK
from rookery.sources.files import write

LANGUAGES = ("c", "cpp", "rust", "python", "csharp", "javascript", "cuda", "json", "wasm")


@click.command("export")
@click.argument("language", type=click.Choice(LANGUAGES))
@click.option("--technique", "name", help="A technique's name, like magic-fancy. For wasm, all unless given.")
@click.option(
    "--mapping",
    type=click.Choice(MAPPING_NAMES),
    default="rank-little-little",
    show_default=True,
    help="Which bit is which square: what eight consecutive bits are, whether rank 1 comes before rank 8, and whether "
    "the a-file comes before the h-file.",
)
@click.option(
    "--prefix",
    metavar="NAME",
    help="Keep the names of several exports apart: NAME_ before every name in C, the namespace in C++ and CUDA, the "
    "classes in C#, the module elsewhere. Files have it, too.",
)
@click.option("--header", is_flag=True, help="For C: one header of static inline functions. [prefix: the technique]")
@out_option("Write files there instead.", name="folder", kind=click.Path(file_okay=False, path_type=Path))
@as_json_option
@writes_files
def export_command(
    language: str,
    name: str | None,
    mapping: str,
    prefix: str | None,
    header: bool,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Write a technique in another language, with a self-check.

    LANGUAGE is c, cpp, rust, python, csharp, javascript, cuda, json or wasm. The export has the constants and tables of
    the technique, the functions rook_attacks, bishop_attacks and queen_attacks of a square and the occupied squares,
    and a comment that says where it comes from. The self-check asks for all 107,648 look-ups and compares them with ray
    walking; it prints the first that is wrong and exits with 1. How it is built and run stands above it.

    Without --out the export is one file on standard output, for example:

    \b
        rookery export c --technique magic-fancy > rookery_attacks.c
        cc -O2 -DROOKERY_SELFCHECK -o selfcheck rookery_attacks.c && ./selfcheck

    With --json the texts come in one document, by the names of their files.

    With --header, the functions of the export for C are static inline, and several headers go into one program. Each
    has a prefix, by default the technique's name. Headers with different prefixes share no name but macros:

    \b
        rookery export c --technique pext --header > pext_attacks.h
        rookery export c --technique hyperbola --header --prefix hq > hq_attacks.h

    ROOKERY_NO_MAIN, defined with ROOKERY_SELFCHECK, leaves out the main function of a C or C++ self-check. Call
    self_check instead.

    For cuda, the functions run on the device. The export also has kernels over arrays and functions that launch them.
    Its self-check compares the kernels' answers. Any C++ compiler can build it, and then runs the kernels on the CPU:

    \b
        rookery export cuda --technique magic-fancy > rookery_attacks.cuh
        nvcc -std=c++17 -O2 -x cu -DROOKERY_SELFCHECK -o selfcheck rookery_attacks.cuh && ./selfcheck
        g++ -std=c++17 -O2 -x c++ -DROOKERY_SELFCHECK -o selfcheck rookery_attacks.cuh && ./selfcheck

    For wasm, the export is one WebAssembly module with SIMD: the kernels of all techniques, legal moves and perft, for
    browsers and Node. They are not translated but compiled, which needs Numba and the linker wasm-ld (pip install
    ziglang). With --out the files are rookery.wasm, its loader rookery.mjs, and selfcheck.mjs:

    \b
        rookery export wasm --out exported
        node exported/selfcheck.mjs

    Every technique can be exported. The look-ups of rotated boards make the boards anew for each question. Programs
    that keep them from move to move use prepare(occupied), toggle(state, square) and rook_attacks_in(square, state),
    and so on. The self-check compares what toggle keeps with what prepare makes. The JSON has a record
    for each square, from a1 to h8, and the formula of the index, where one look-up is all there is; else the tables
    and the functions that read them.
    """  # noqa: D301  # click's own mark: a backspace, for lines that stay as they are
    facts = {"technique": name, "language": language, "mapping": mapping, "prefix": prefix, "header": header}
    files: Mapping[str, str | bytes]
    if language == "wasm":
        from rookery.explain.export import wasm

        wasm.check_options(mapping, prefix, header)
        files = wasm.wasm_files(name) if folder else {"rookery.mjs": wasm.wasm_text(name)}
        text = files.get("rookery.mjs")
    else:
        from rookery.explain.export import export_files, export_text

        if name is None:
            raise click.UsageError("Missing option '--technique'.")
        if folder or as_json:
            files = export_files(language, name, mapping, prefix=prefix, header=header)
        else:
            text = export_text(language, name, mapping, prefix=prefix, header=header)
    if folder is None:
        if as_json:
            print_json({**facts, "files": files})
        else:
            click.echo(text, nl=False)
        return
    existing = [str(folder / file) for file in files if (folder / file).exists()]
    if existing and not overwrites():
        raise ValueError(f"--out: {', '.join(existing)}: already there; overwrite with --force")
    with writing("--out", folder):
        DISK.make_folder(folder, parents=True)
    for file, content in files.items():
        with writing("--out", folder):
            write(folder / file, content)
        if not as_json:
            out.print(plain(str(folder / file)))
    if as_json:
        shown = {file: content for file, content in files.items() if isinstance(content, str)}
        print_json({**facts, "folder": str(folder), "files": shown})
