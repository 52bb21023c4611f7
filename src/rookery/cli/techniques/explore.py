"""``rookery explore``."""

from pathlib import Path
from urllib.parse import urlencode

import click

from rookery.cli.common import out, plain, print_json, write_file
from rookery.cli.options import as_json_option, out_option, writes_files
from rookery.sources.disk import DISK


@click.command()
@click.argument("technique", default="magic-fancy")
@click.argument("square", default="d4")
@click.option("--fen", help="A position to begin with (its first field will do).")
@out_option("Write the page to this file instead of a temporary one.")
@click.option("--open/--no-open", "opened", default=True, help="Show it in the browser.")
@as_json_option
@writes_files
def explore(technique: str, square: str, fen: str | None, path: Path | None, opened: bool, as_json: bool) -> None:
    """Open the explorer in the browser: every technique step by step, on a board that you set up.

    The explorer is one HTML file that runs the exported kernels. It needs no server and no network, and any static host
    can serve it. Its address contains the position, so that you can share it.
    """
    from rookery.bitboards.placement import Placement
    from rookery.bitboards.squares import parse_square
    from rookery.explain.explorer import explorer
    from rookery.techniques import technique as technique_of

    parse_square(square)
    state = {"technique": technique_of(technique).name, "square": square}
    if fen is not None:
        state["fen"] = Placement.from_fen(fen).to_fen()
    page = explorer()
    if path is None:
        path = DISK.unused_name("rookery-", ".html")
    write_file("--out", path, page)
    address = f"{path.resolve().as_uri()}#{urlencode(state)}"
    if as_json:
        print_json({"file": str(path), "address": address, "bytes": len(page.encode())})
    else:
        out.print(plain(address))
    if opened:
        import webbrowser

        webbrowser.open(address)
