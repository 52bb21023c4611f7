"""The command line. Each folder holds a family of commands; this module puts them together."""

import click

from rookery.cli.common import Commands
from rookery.cli.compile import compile_command
from rookery.cli.games import duplicates, games, openings, search
from rookery.cli.games.annotate import annotate_command
from rookery.cli.games.convert import convert_command
from rookery.cli.games.dataset import dataset_command
from rookery.cli.games.index import index_command
from rookery.cli.games.stats import stats_command
from rookery.cli.magics import magics
from rookery.cli.positions import position_commands
from rookery.cli.positions.perft import perft
from rookery.cli.positions.tactics import tactics_command
from rookery.cli.techniques import bench, explain, explore, export, techniques
from rookery.cli.techniques.doctor import doctor_command


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
    index_command,
    duplicates.duplicates_command,
    search.search_command,
    convert_command,
    stats_command,
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
