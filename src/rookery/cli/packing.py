"""``rookery magics pack``."""

import json
from pathlib import Path

import click

from rookery.cli.common import OutputFile, as_json_option, err, out, print_json, writing


@click.command("pack")
@click.option("--seeds", type=click.IntRange(1), default=40, show_default=True, help="Factors to choose from.")
@click.option("--out", "target", type=OutputFile(), help="Write the record here.")
@as_json_option
def magics_pack(seeds: int, target: Path | None, as_json: bool) -> None:
    """Lay the tables of all squares into each other's gaps: the table of magic-black."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from rookery.magics.pack import choices, lay, used

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(True))
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task("finding factors", total=seeds)
        found = choices(seeds, lambda done: bar.update(task, completed=done))
        task = bar.add_task("laying squares", total=128)
        entries, records = lay(found, lambda done: bar.update(task, completed=done))
    taken = used(tuple(records), entries)
    document = {
        "finder": "rookery.magics.pack: of the factors of many seeds the one that ends lowest, laid first fit",
        "command": f"rookery magics pack --seeds {seeds} --out FILE",
        "entries": entries,
        "records": [{**r._asdict(), "magic": f"0x{r.magic:016x}"} for r in records],
    }
    if target:
        with writing("--out", target):
            target.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    if as_json:
        print_json(document)
    else:
        out.print(f"{entries:,} entries, {taken:,} of them used; tried on all 107,648 look-ups")
