"""Shared code of the scripts in this folder: print a result as JSON, or write it to a file for the charts."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from rookery.cli.common import err

out_option = click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the JSON to this file.")


def record(measure: Callable[..., dict[str, Any]], out: Path | None, **options: Any) -> dict[str, Any]:
    """Measure, show progress, and print the result or write it to a file; return it."""
    with err.status("measuring") as status:
        result = measure(progress=status.update, **options)
    text = json.dumps(result, indent=2)
    if out:
        out.write_text(f"{text}\n", encoding="utf-8")
    else:
        click.echo(text)
    return result
