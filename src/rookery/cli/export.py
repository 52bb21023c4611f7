"""``rookery export``."""

from pathlib import Path

import click

from rookery.bitboards.squares import MAPPINGS
from rookery.cli.common import as_json_option, out, plain, print_json, writing
from rookery.files import write

LANGUAGES = ("c", "cpp", "rust", "python", "csharp", "javascript", "cuda", "json")


@click.command("export")
@click.argument("language", type=click.Choice(LANGUAGES))
@click.option("--technique", "name", required=True, help="A technique's name, like magic-fancy.")
@click.option(
    "--mapping",
    type=click.Choice(list(MAPPINGS)),
    default="rank-little-little",
    show_default=True,
    help="Which bit is which square: what eight consecutive bits are, whether rank 1 comes before rank 8, and whether "
    "the a-file comes before the h-file.",
)
@click.option("--out", "folder", type=click.Path(file_okay=False, path_type=Path), help="Write files there instead.")
@click.option("--force", is_flag=True, help="Overwrite files that exist.")
@as_json_option
def export_command(language: str, name: str, mapping: str, folder: Path | None, force: bool, as_json: bool) -> None:
    """Write a technique in another language, with a self-check.

    LANGUAGE is c, cpp, rust, python, csharp, javascript, cuda or json. The export has the constants and tables of the
    technique, the functions rook_attacks, bishop_attacks and queen_attacks of a square and the occupied squares, and a
    comment that says where it comes from. The self-check asks for all 107,648 look-ups and compares them with ray
    walking; it prints the first that is wrong and exits with 1. How it is built and run stands above it.

    Without --out the export is one file on standard output, for example:

    \b
        rookery export c --technique magic-fancy > rookery_attacks.c
        cc -O2 -DROOKERY_SELFCHECK -o selfcheck rookery_attacks.c && ./selfcheck

    With --json the texts come in one document, by the names of their files.

    For cuda, the functions run on the device. The export also has kernels over arrays and functions that launch them.
    Its self-check compares the kernels' answers. Any C++ compiler can build it, and then runs the kernels on the CPU:

    \b
        rookery export cuda --technique magic-fancy > rookery_attacks.cuh
        nvcc -std=c++17 -O2 -x cu -DROOKERY_SELFCHECK -o selfcheck rookery_attacks.cuh && ./selfcheck
        g++ -std=c++17 -O2 -x c++ -DROOKERY_SELFCHECK -o selfcheck rookery_attacks.cuh && ./selfcheck

    Every technique can be exported; the rotated boards are made anew for each question there. The JSON has a record
    for each square, from a1 to h8, and the formula of the index, where one look-up is all there is; else the tables
    and the functions that read them.
    """  # noqa: D301  # click's own mark: a backspace, for lines that stay as they are
    from rookery.export import export_files, export_text

    facts = {"technique": name, "language": language, "mapping": mapping}
    if folder is None:
        if as_json:
            print_json({**facts, "files": export_files(language, name, mapping)})
            return
        click.echo(export_text(language, name, mapping), nl=False)
        return
    files = export_files(language, name, mapping)
    existing = [str(folder / file) for file in files if (folder / file).exists()]
    if existing and not force:
        raise ValueError(f"--out: {', '.join(existing)}: already there; overwrite with --force")
    with writing("--out", folder):
        folder.mkdir(parents=True, exist_ok=True)
    for file, text in files.items():
        with writing("--out", folder):
            write(folder / file, text)
        if not as_json:
            out.print(plain(str(folder / file)))
    if as_json:
        print_json({**facts, "folder": str(folder), "files": files})
