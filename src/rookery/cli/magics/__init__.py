"""The commands ``rookery magics``."""

from rookery.cli.magics.check import magics
from rookery.cli.magics.find import magics_find
from rookery.cli.magics.pack import magics_pack
from rookery.cli.magics.prove import magics_atlas, magics_pilot, magics_prove, magics_ranges

__all__ = ("magics",)

for _command in (magics_find, magics_pilot, magics_prove, magics_atlas, magics_ranges, magics_pack):
    magics.add_command(_command)
