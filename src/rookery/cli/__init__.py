"""The command line. Each module holds a family of commands; this one puts them together."""

import click

from rookery.cli import (
    bench,
    duplicates,
    explain,
    explore,
    export,
    games,
    openings,
    position_commands,
    search,
    techniques,
)
from rookery.cli.annotate import annotate_command
from rookery.cli.common import Commands
from rookery.cli.compile import compile_command
from rookery.cli.convert import convert_command
from rookery.cli.dataset import dataset_command
from rookery.cli.doctor import doctor_command
from rookery.cli.magics import magics
from rookery.cli.perft import perft
from rookery.cli.tactics import tactics_command


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="rookery", prog_name="rookery")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.pass_context
def main(ctx: click.Context, debug: bool) -> None:
    """Chess bitboards: every technique for the attacks of sliding pieces."""
    ctx.obj = {"debug": debug}


for command in (
    techniques.techniques_command,
    techniques.show,
    techniques.attacks,
    explain.explain,
    explore.explore,
    techniques.verify,
    perft,
    position_commands.moves,
    position_commands.fen,
    games.games_command,
    openings.openings_command,
    duplicates.duplicates_command,
    search.search_command,
    convert_command,
    dataset_command,
    annotate_command,
    magics,
    export.export_command,
    bench.bench,
    doctor_command,
    tactics_command,
    compile_command,
):
    main.add_command(command)
